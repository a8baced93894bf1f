"""The log of a match tells, between the moves, what happened at the table."""

from __future__ import annotations

from bot.posts import whose_turn
from bot.recap import recap_text
from bot.service.clocks import Rule
from tests.care.desk import DAY, Desk
from tests.care.test_absence import MOVE, late


async def told(d: Desk) -> list[str]:
    """What the log says, without what the game itself tells."""
    lines = await d.service.public_log(await d.table())
    kept = ("run out of time", "automatic", "seat of", "vacation", "pause", "go on", "clock",
            "left", "back", "more time", "wins", "called off")  # fmt: skip
    return [line for line in lines if any(word in line for word in kept)]


async def test_what_the_table_decides_is_told_in_its_place(d: Desk) -> None:
    table = await d.begin(rule=MOVE)
    names = table.said
    first, others = await late(d)
    for user in others:
        await d.vote(user, first, "skip")
    skipped = await d.service.public_log(await d.table())
    at = skipped.index(f"A simple automatic move is made for {names[first]}.")
    assert skipped[at - 1] == f"{names[first]} has run out of time."
    assert len(skipped) > at + 1, "the move itself follows"

    second, others = await late(d)
    for user in others:
        await d.vote(user, second, "wait")
    third = next(s for s in range(3) if s not in (first, second))
    user = table.seats[third].user_id
    await d.service.vacation(d.match, user, "3 days")
    back = (await d.timer(third, "vacation")).at // 1000
    await d.service.vacation(d.match, user, "")
    await d.service.pause(d.match, 1)
    await d.service.resume(d.match, 1)
    await d.service.set_clock(d.match, 1, Rule("move", 48))
    await d.service.substitute(d.match, user, 8, "Zoe")
    await d.service.left(d.match, 8)
    await d.service.returned(9, 8)
    await d.service.resign(d.match, 8)
    await d.service.substitute(d.match, 1, 7, "Yves", seat=third)
    assert await told(d) == [
        f"{names[first]} has run out of time.",
        f"A simple automatic move is made for {names[first]}.",
        f"{names[second]} has run out of time.",
        f"The table gives {names[second]} more time.",
        f"<@{user}> is on vacation until <t:{back - 60}:D>.",
        f"<@{user}> is back from vacation.",
        "<@1> paused the match.",
        "<@1> lets the match go on.",
        "The clock of this match: 2 days for each move.",
        f"<@8> takes over the seat of <@{user}>.",
        "<@8> has left the server.",
        "<@8> is back.",
        "An automatic player has the seat of <@8> from here on.",
        "<@7> takes over the seat of an automatic player.",
    ]


async def test_the_end_is_told(d: Desk) -> None:
    table = await d.begin(seats=2, rule=MOVE)
    await d.move()
    seat, (other,) = await late(d)
    await d.vote(other, seat, "win")
    names = [table.said[seat], table.said[1 - seat]]
    assert await told(d) == [
        f"{names[0]} has run out of time.",
        f"**{names[0]}** ran out of time, so **{names[1]}** wins.",
    ]


async def test_a_win_over_who_left_the_server(d: Desk) -> None:
    table = await d.begin(seats=2)
    seat = table.waiting()[0]
    away, other = table.seats[seat].user_id, table.seats[1 - seat].user_id
    await d.service.left(d.match, away)
    await d.service.tick()
    assert "the vote on it ends <t:" in whose_turn(await d.table())
    await d.vote(other, seat, "win")
    names = [table.said[seat], table.said[1 - seat]]
    won = f"**{names[0]}** has left the server, so **{names[1]}** wins."
    assert await told(d) == [f"{names[0]} has left the server.", won]
    now = await d.table()
    assert recap_text(now).splitlines()[1:3] == [
        f"1. **{names[1]}**", f"2. **{names[0]}** (left the server)",
    ]  # fmt: skip
    (mine,) = await d.store.played(9, away)
    assert (mine.place, mine.reason) == (2, "left")


async def test_a_match_called_off_says_so(d: Desk) -> None:
    await d.begin(seats=2)
    d.now += DAY
    await d.service.end(d.match, 1)
    await d.service.end(d.match, 2)
    assert (await told(d))[-1] == "The match is called off."
