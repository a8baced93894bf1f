"""A match whose channel is out of reach: its clocks stand, and it can be moved or ended from
elsewhere, votes and all."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bot.table import World, idents, text
from tests.bot.test_care import HOUR, late, said
from tests.bot.test_order import boss as boss  # the fixture
from tests.bot.test_order import dms, forbid


async def clock_of(world: World, channel: Any = None) -> Any:
    """The clock's timer of who is to act."""
    table = await world.table(channel)
    seat = table.waiting()[0]
    return next(t for t in table.timers if t.seat == seat and t.kind == "clock")


async def lose(world: World, how: str) -> None:
    if how == "deleted":
        world.env.backend.delete_channel(world.channel.id)
    else:
        forbid(world, world.channel)
        # Somebody who may go on without the bot's posts does.
        await world.move()
    await world.env.settle()


@pytest.mark.parametrize("how", ["deleted", "forbidden"])
async def test_clocks_stand_until_the_match_is_moved(world: World, boss: Any, how: str) -> None:
    await world.begin("paris", 3, clock="move", hours=24)
    ident = (await world.table()).match.id
    office = world.guild.create_text_channel("office")
    await world.settled_in(10 * HOUR)
    await lose(world, how)
    assert [m for m in dms(world.people[0]) if "I cannot post" in m]
    left = 14 if how == "deleted" else 24
    assert (await clock_of(world)).at is None
    await world.settled_in(26 * HOUR)
    table = await world.bot.service.table(ident)
    assert table.match.status == "active"
    assert not [m for p in world.people for m in dms(p) if "your time has run out" in m]
    await boss.slash(office, "admin move", channel=office, match=str(ident))
    world.channel = office
    row = await clock_of(world)
    assert row.at is not None
    assert abs(row.at - world.bot.clock() - left * HOUR * 1000) < 120_000
    assert f"<t:{row.at // 1000}:R>" in world.board.content
    assert world.calls[-1] == [(await world.active()).id]
    await world.settled_in((left + 0.1) * HOUR)
    assert said(world, "has run out of time")


async def test_clocks_run_again_when_the_permission_is_back_though_nothing_waits(
    world: World,
) -> None:
    await world.begin("paris", 3, clock="move", hours=24)
    with world.env._bot_scope():
        await world.bot.service.lost((await world.table()).match.id, "I am not allowed to")
    await world.env.settle()
    assert (await clock_of(world)).at is None
    forbid(world, world.channel)
    forbid(world, world.channel, allow=True)
    await world.env.settle()
    assert "lost" not in (await world.table()).settings
    assert (await clock_of(world)).at is not None


async def test_an_open_vote_goes_along(world: World, boss: Any) -> None:
    table = await world.begin("paris", 3, clock="move", hours=24)
    office = world.guild.create_text_channel("office")
    _, others, _ = await late(world)
    await others[0].click(said(world, "has run out of time")[-1], label="Skip")
    world.env.backend.delete_channel(world.channel.id)
    await world.env.settle()
    await boss.slash(office, "admin move", channel=office, match=str(table.match.id))
    world.channel = office
    (post,) = said(world, "has run out of time")
    assert {i.split(":")[1] for i in idents(post)} == {"vskip", "vwait", "vhand"}
    assert "automatic move" in text(await others[1].click(post, label="Skip"))


async def test_without_a_vote_none_is_posted(world: World, boss: Any) -> None:
    await world.begin("paris", 3, clock="move", hours=24)
    office = world.guild.create_text_channel("office")
    await boss.slash(world.channel, "admin move", channel=office)
    assert len(world.posts(office)) == 1


@pytest.mark.parametrize("how", ["deleted", "forbidden"])
async def test_it_can_be_ended_from_elsewhere(world: World, boss: Any, how: str) -> None:
    await world.begin("paris", 3, clock="move", hours=24)
    ident = (await world.table()).match.id
    office = world.guild.create_text_channel("office")
    await lose(world, how)
    done = await boss.slash(office, "admin end", match=str(ident))
    assert "called off" in text(done)
    assert (await world.bot.service.table(ident)).match.status == "ended"
    await world.settled_in(2 * HOUR)
    assert "no table" in text(await world.people[0].slash(office, "mygames"))


async def test_a_locked_thread_can_be_left(world: World, boss: Any) -> None:
    made = world.env.backend.create_thread(world.channel.id, "thread", world.people[0].id)
    thread = next(t for t in world.channel.threads if t.id == made.id)
    await world.begin("paris", 2, channel=thread)
    table = await world.table(thread)
    world.env.backend.edit_channel(made.id, {}, thread_metadata={"archived": True, "locked": True})
    path = f"/channels/{made.id}/messages"
    world.env.inject_error("POST", path, status=400, code=50083, times=None)
    office = world.guild.create_text_channel("office")
    await boss.slash(office, "admin move", channel=office, match=str(table.match.id))
    world.channel = office
    assert "moved here" in world.board.content
    assert (await world.move()).startswith("Done")


async def test_a_halted_match_can_be_moved(world: World, boss: Any, logged: list[Any]) -> None:
    table = await world.begin("paris", 3)
    with world.env._bot_scope():
        await world.bot.service._freeze(table, ZeroDivisionError("shops"))
    await world.env.settle()
    office = world.guild.create_text_channel("office")
    await boss.slash(world.channel, "admin move", channel=office)
    assert "moved here" in world.posts(office)[-1].content
    assert not world.pings(world.posts(office)[-1])
    assert "goes on" in text(await boss.slash(office, "admin resume"))
    assert world.pings(world.posts(office)[-1])
    logged.clear()


async def test_thrown_out_and_invited_again(world: World) -> None:
    table = await world.begin("paris", 3, clock="move", hours=24)
    for method in ("POST", "PATCH"):
        pattern = f"/channels/{world.channel.id}/messages{'/*' if method == 'PATCH' else ''}"
        world.env.inject_error(method, pattern, status=403, code=50001, times=None)
    with world.env._bot_scope():
        # The last press before the bot was thrown out.
        user = table.seats[table.waiting()[0]].user_id
        move = next(iter(table.game.legal(table.state, table.waiting()[0])))
        await world.bot.service.move(table.match.id, user, move)
    await world.env.settle()
    assert (await clock_of(world)).at is None
    await world.settled_in(25 * HOUR)
    world.env.backend.faults.clear()
    with world.env._bot_scope():
        guild = world.bot.get_guild(world.guild.id)
        world.bot.loop.create_task(world.bot.cogs["Trouble"].on_guild_join(guild))
    await world.env.settle()
    assert "where the match stands" in world.board.content
    row = await clock_of(world)
    assert abs(row.at - world.bot.clock() - 24 * HOUR * 1000) < 120_000
    assert not said(world, "has run out of time")
