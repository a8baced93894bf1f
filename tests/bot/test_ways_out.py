"""Ways out of a stuck match through Discord, where several players owe a decision at once."""

from __future__ import annotations

from typing import Any

import pytest

from engines.core.registry import games
from tests.bot.table import World, text
from tests.care.positions import positions

HOUR = 3600


def together() -> list[tuple[str, int]]:
    """Every game that begins with several players who owe at once, and how many play."""
    found = []
    for key, game in games().items():
        counts = [n for n in game.meta.seats if n > 1]
        met = {n: positions(key, n) for n in counts}
        if any(many for n in counts for _, many in met[n]):
            begins = [n for n in counts if any(m and not p.steps for (_, m), p in met[n].items())]
            assert begins, f"{key} needs a test of its own"
            found.append((key, min(begins, key=lambda n: abs(n - 3))))
    return found


def said(world: World, words: str) -> list[Any]:
    return [m for m in world.channel.history() if words in m.content]


def dms(person: Any) -> list[Any]:
    return list(person.user.dm_channel.history())


async def moves(world: World, user: int) -> None:
    """Somebody makes simple moves until others are waited for."""
    for _ in range(20):
        table = await world.table()
        seat = table.seat_of(user)
        if seat is None or seat not in table.waiting() or table.match.status != "active":
            return
        with world.env._bot_scope():
            await world.bot.service.move(table.match.id, user, table.game.safest(table.state, seat))
        await world.env.settle()
        now = await world.table()
        if set(now.waiting()) - set(table.waiting()):
            return
    raise AssertionError("still to move")


def called(world: World, since: int) -> list[int]:
    """Who was notified by posts in the channel, one by one."""
    return [user for call in world.calls[since:] for user in call]


@pytest.mark.parametrize(("key", "players"), together())
async def test_time_up_while_others_owe_as_well(key: str, players: int, world: World) -> None:
    table = await world.begin(games()[key].meta.command, players, clock="move", hours=24)
    owing = table.waiting()
    assert len(owing) > 1
    first, second = (world.person(table, seat) for seat in owing[:2])
    await world.settled_in(25 * HOUR)
    posts = {seat: said(world, f"**{table.said[seat]}** has run out of time") for seat in owing}
    everybody = {s.user_id for s in table.seats}
    for seat, (post,) in posts.items():
        assert set(world.pings(post)) == everybody - {table.seats[seat].user_id}

    # The first one is skipped; for the second one nothing changes.
    decision = table.state.decision_of(owing[1])
    calls = len(world.calls)
    (post,) = posts[owing[0]]
    refused = await first.click(post, label="Skip")
    assert "for the others to decide" in text(refused)
    voters = [world.person(table, s.seat) for s in table.seats if s.seat != owing[0]]
    for voter in voters:
        if (await world.table()).state.decision_of(owing[0]) == table.state.decision_of(owing[0]):
            answer = await voter.click(post, label="Skip")
    assert "automatic move" in text(answer)
    now = await world.table()
    assert owing[0] not in now.waiting()
    assert now.state.decision_of(owing[1]) == decision
    assert called(world, calls) == []

    # The others move after all: whoever is next is called once.
    for seat in owing[1:]:
        calls, before = len(world.calls), set((await world.table()).waiting())
        await moves(world, table.seats[seat].user_id)
        after = await world.table()
        fresh = sorted(after.seats[s].user_id for s in set(after.waiting()) - before)
        assert sorted(called(world, calls)) == fresh
    assert (await world.table()).state.decision_of(owing[1]) != decision
    assert second.id in {s.user_id for s in (await world.table()).seats}


@pytest.mark.parametrize(("key", "players"), together())
async def test_substitute_and_resign_while_others_owe(key: str, players: int, world: World) -> None:
    table = await world.begin(games()[key].meta.command, players, clock="move", hours=24)
    first, second = (world.person(table, seat) for seat in table.waiting()[:2])
    new = world.people[players]
    old_dms, calls = len(dms(first)), len(world.calls)
    done = await first.slash(world.channel, "match substitute", user=new)
    assert "has the seat now" in text(done)
    assert called(world, calls) == [new.id], "only who is new to it"
    assert any("You now play the seat" in m.content for m in dms(new))
    assert "do not sit" in text(await first.click(world.board, label="My move"))
    assert "do not sit" in text(await first.slash(world.channel, "hand"))
    await moves(world, new.id)
    await moves(world, second.id)
    assert len(dms(first)) == old_dms, "nothing private to who has left the seat"

    seat = (await world.table()).seat_of(new.id)
    asked = await new.slash(world.channel, "match resign")
    await new.click(asked.response, label="Yes, I give up")
    table = await world.table()
    if players == 2:
        assert table.match.status == "finished"
        assert "wins" in world.channel.last_message.content or said(world, "wins")
        return
    assert table.match.status == "active"
    assert table.seats[seat or 0].user_id == 0
    assert seat not in table.waiting()
    told = len(dms(new))
    for user in [s.user_id for s in table.seats if s.user_id > 0]:
        await moves(world, user)
    assert len(dms(new)) == told
