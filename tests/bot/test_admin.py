"""`/admin`: pages of the list, pause and resume for any match, the clock among the defaults, and
what becomes of a match that a bug has halted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import simcord

from bot.service.clocks import rule_of
from bot.service.order import option_values
from engines.core.registry import games
from tests.bot.table import World, parts, private, text
from tests.bot.test_order import boss as boss  # the fixture

HOUR = 3600


# ---- the list in pages ---------------------------------------------------------------------------


async def many(world: World, count: int) -> list[int]:
    """So many tables with two players and long names; returns their numbers."""
    made = []
    rooms = [world.channel, *(world.guild.create_text_channel(f"room{i}") for i in range(1, count))]
    for room in rooms:
        await world.people[0].slash(room, "paris new")
        made.append((await world.table(room)).match.id)
    return made


async def test_the_list_has_pages(world: World, boss: Any) -> None:
    numbers = await many(world, 8)
    reply = await boss.slash(world.channel, "admin list")
    assert text(reply).startswith("**8 open on this server**, page 1 of 2")
    assert [n for n in numbers if f"`#{n}`" in text(reply)] == numbers[:6]
    back, forward = parts(reply.response)
    assert back["disabled"]
    assert not forward.get("disabled")
    turned = await boss.click(reply.response, label="Forward")
    assert private(turned)
    shown = reply.response.content if "page 2" in reply.response.content else text(turned)
    assert "page 2 of 2" in shown
    assert [n for n in numbers if f"`#{n}`" in shown] == numbers[6:]
    # Meanwhile the second page has gone.
    for number in numbers[5:]:
        await boss.slash(world.channel, "admin end", match=str(number))
    forged = await world.forge(boss, "pz1:al:0:2:n")
    assert text(forged).startswith("**5 open on this server**")
    assert not parts(forged.response)


async def test_a_page_fits_a_message_whatever_the_names(world: World, boss: Any) -> None:
    office = world.guild.create_text_channel("office")
    await world.begin("paris", 4, channel=office)
    await many(world, 5)
    store = world.bot.store
    await store._do("UPDATE seats SET name = ?", "W" * 38 + "*")
    await store._do("UPDATE matches SET channel_id = 1000000000000000000 + id")
    for number in range(1, 7):
        world.bot.service.forget(number)
    listed = text(await boss.slash(world.channel, "admin list"))
    assert len(listed) <= 2000
    assert listed.count("`#") == 6
    assert not listed.endswith("…")
    assert listed.count("not in sight") == 6


async def test_others_turn_no_page(world: World) -> None:
    await many(world, 1)
    reply = await world.forge(world.people[0], "pz1:al:0:1:n")
    assert private(reply)
    assert "people who may manage channels" in text(reply)
    assert "open on this server" not in text(reply)
    old = await world.forge(world.people[0], "pz1:al:0:1:x")
    assert "another version" in text(old)


# ---- pause and resume ----------------------------------------------------------------------------


async def test_managers_pause_and_resume_any_match(world: World, boss: Any) -> None:
    table = await world.begin("paris", 3, clock="move", hours=24)
    office = world.guild.create_text_channel("office")
    number = str(table.match.id)
    offered = await boss.autocomplete(office, "admin pause", "match", "")
    assert [c["value"] for c in offered] == [number]
    with pytest.raises(simcord.SetupError, match="not visible"):
        await world.people[0].slash(office, "admin pause", match=number)
    done = await boss.slash(office, "admin pause", match=number)
    assert private(done)
    assert "paused" in text(done)
    assert "paused the match" in world.posts()[-1].content
    assert "already" in text(await boss.slash(office, "admin pause", match=number))
    await world.settled_in(26 * HOUR)
    assert not [m for m in world.posts() if "run out of time" in m.content]
    assert "goes on" in text(await boss.slash(office, "admin resume", match=number))
    assert (await world.table()).match.status == "active"
    assert "not paused" in text(await boss.slash(office, "admin resume", match=number))
    assert (await world.move()).startswith("Done")


async def test_a_lobby_is_not_paused(world: World, boss: Any) -> None:
    await world.people[0].slash(world.channel, "paris new")
    assert "not started yet" in text(await boss.slash(world.channel, "admin pause"))
    assert "not started yet" in text(await boss.slash(world.channel, "admin resume"))


# ---- a match that a bug has halted ---------------------------------------------------------------


@pytest.fixture
async def halted(
    world: World, monkeypatch: pytest.MonkeyPatch, logged: list[Any]
) -> Callable[[], None]:
    """A match that a bug has halted; calling it mends the bug."""
    table = await world.begin("paris", 3, clock="move", hours=24)
    picker = await world.pick()
    person = await world.active()

    def broken(*args: Any) -> Any:
        raise ZeroDivisionError("shops")

    game = type(table.game)
    right = game.apply
    monkeypatch.setattr(game, "apply", broken)
    await person.click(picker.response, label="Confirm")
    assert (await world.table()).match.status == "frozen"
    logged.clear()
    return lambda: monkeypatch.setattr(game, "apply", right)


async def test_the_table_is_told_once_that_it_is_halted(world: World, halted: Any) -> None:
    row = (await world.table()).match
    (told,) = [m for m in world.posts() if row.report in m.content]
    assert "halted" in told.content
    assert "/admin end" in told.content
    assert "shops" not in told.content
    assert not world.pings(told)
    for label in ("My move", "Undo"):
        await world.people[0].click(world.board, label=label)
    await world.settled_in(26 * HOUR)
    assert len([m for m in world.posts() if row.report in m.content]) == 1
    assert not [m for m in world.posts() if "run out of time" in m.content]


async def test_a_halted_match_can_be_called_off(world: World, boss: Any, halted: Any) -> None:
    assert "halted" in text(await boss.slash(world.channel, "admin status"))
    assert "halted" in text(await boss.slash(world.channel, "admin pause"))
    assert "called off" in text(await boss.slash(world.channel, "admin end"))
    assert (await world.table()).match.status == "ended"
    assert "seed" in world.posts()[-1].content


async def test_a_halted_match_goes_on_once_the_bug_is_mended(
    world: World, boss: Any, halted: Any, logged: list[Any]
) -> None:
    refused = await world.people[0].slash(world.channel, "match resume")
    assert "halted" in text(refused), "that is not for players"
    halted()
    before = await world.table()
    await world.settled_in(26 * HOUR)
    done = await boss.slash(world.channel, "admin resume")
    assert "goes on" in text(done)
    table = await world.table()
    assert table.match.status == "active"
    board = world.posts()[-1]
    assert world.pings(board) == [(await world.active()).id]
    seat = table.waiting()[0]
    row = next(t for t in table.timers if t.seat == seat and t.kind == "clock")
    assert row.at == world.bot.clock() + 24 * HOUR * 1000
    assert table.state == before.state
    assert (await world.move()).startswith("Done")


async def test_if_the_bug_is_still_there_the_next_move_halts_it_again(
    world: World, boss: Any, halted: Any, logged: list[Any]
) -> None:
    first = (await world.table()).match.report
    await boss.slash(world.channel, "admin resume")
    picker = await world.pick()
    await (await world.active()).click(picker.response, label="Confirm")
    row = (await world.table()).match
    assert row.status == "frozen"
    assert row.report != first
    assert [m for m in world.posts() if row.report in m.content]
    logged.clear()


# ---- the clock among the defaults ----------------------------------------------------------------


async def default(world: World, boss: Any, option: str, value: str = "") -> str:
    return text(
        await boss.slash(
            world.channel, "admin default", game="paris_paris", option=option, value=value
        )
    )


async def opened(world: World, **options: Any) -> Any:
    """The clock of a table opened with these options."""
    room = world.guild.create_text_channel("room")
    await world.people[0].slash(room, "paris new", **options)
    rule = rule_of((await world.table(room)).settings)
    return (rule.kind, rule.hours, rule.increment)


async def test_the_clock_has_defaults(world: World, boss: Any) -> None:
    offered = await boss.autocomplete(
        world.channel, "admin default", "option", "", game="paris_paris"
    )
    assert {"clock", "hours", "increment"} <= {c["value"] for c in offered}
    kinds = await boss.autocomplete(
        world.channel, "admin default", "value", "", game="paris_paris", option="clock"
    )
    assert [c["value"] for c in kinds] == ["none", "move", "bank"]
    told = await default(world, boss, "clock", "bank")
    assert "The clock of Paris Paris needs `hours` too" in told
    assert await opened(world) == ("none", 0, 0), "incomplete, so it does not count"
    assert "hours 72" in await default(world, boss, "hours", "72")
    assert await opened(world) == ("bank", 72, 7), "a tenth"
    await default(world, boss, "increment", "12")
    assert await opened(world) == ("bank", 72, 12)
    assert await opened(world, hours=48) == ("bank", 48, 12), "the rest from the server"
    assert await opened(world, clock="none") == ("none", 0, 0), "what the host says counts"
    assert await opened(world, clock="move", hours=5) == ("move", 5, 0)
    for option, value, words in [
        ("clock", "sundial", "A clock is none, move or bank."),
        ("hours", "0", "between 1 and 2160"),
        ("hours", "9999", "between 1 and 2160"),
        ("hours", "many", "between 1 and 2160"),
        ("increment", "-1", "between 1 and 2160"),
    ]:
        assert words in await default(world, boss, option, value)
    for option in ("clock", "hours", "increment"):
        assert "begins with" in await default(
            world, boss, option, "none" if option == "clock" else "3"
        )
        await default(world, boss, option)
    assert await opened(world) == ("none", 0, 0)


async def test_hours_alone_are_a_clock_for_each_move(world: World, boss: Any) -> None:
    await default(world, boss, "hours", "48")
    assert await opened(world) == ("move", 48, 0)
    assert await opened(world, clock="bank") == ("bank", 48, 4)


def test_values_that_are_offered_are_taken() -> None:
    from bot.service.order import default_value, option_names

    for key, game in games().items():
        for option in option_names(game):
            for value in option_values(game, option):
                assert str(default_value(key, option, value)).casefold() == value.casefold()
