"""Restarts, refusals of Discord, closed direct messages, lost channels: no match is lost."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite

from storage.errors import DiskFull
from tests.bot.table import STALE, World, ident, idents, no_undo, private, raw, text


def post_path(channel: Any) -> str:
    return f"/channels/{channel.id}/messages"


def edit_path(channel: Any) -> str:
    return f"/channels/{channel.id}/messages/*"


async def unsent(world: World) -> int:
    return int(await world.bot.store.pending_count())


async def close_dm(world: World, person: Any) -> None:
    """Nobody may send this person direct messages."""
    if person.user.dm_channel is None:
        await world.bot.create_dm(discord.Object(person.id))
    world.env.inject_error(
        "POST", post_path(person.user.dm_channel), status=403, code=50007, times=None
    )


# ---- errors on the board post --------------------------------------------------------------------

REFUSALS = [(500, 0), (503, 0), (403, 50013), (403, 50001), (403, 50083), (429, 20028), (408, 0)]


@pytest.mark.parametrize(("status", "code"), REFUSALS)
async def test_a_refused_board_arrives_once_by_retry(
    world: World, status: int, code: int, logged: list[Any]
) -> None:
    await world.begin()
    world.env.inject_error("POST", post_path(world.channel), status=status, code=code, times=2)
    before = len(world.posts())
    assert (await world.move()).startswith("Done: ")
    assert (await world.table()).match.head_seq == 1, "the move does not wait for the post"
    assert len(world.posts()) == before
    assert await unsent(world) == 1
    await world.settled_in(300)
    assert len(world.posts()) == before + 1
    assert await unsent(world) == 0
    last = world.posts()[-1]
    assert "opened a shop" in last.content
    assert last.attachments
    assert world.live() == [last]
    assert world.pings(last) == [(await world.active()).id]
    await world.settled_in(100_000)
    assert len(world.posts()) == before + 1
    assert not [e for e in logged if e["log_level"] == "error"]


async def test_moves_made_while_discord_refuses_come_in_order(world: World) -> None:
    """Several turns are told in one post, every line in its order, the last player mentioned."""
    await world.begin()
    world.env.inject_error("POST", post_path(world.channel), status=500, times=None)
    before = len(world.posts())
    movers = []
    for _ in range(3):
        movers.append((await world.active()).name)
        await world.move()
    assert len(world.posts()) == before
    world.env.backend.faults.clear()
    await world.settled_in(7200)
    posts = world.posts()
    assert len(posts) == before + 1
    lines = [line for line in posts[-1].content.splitlines() if "opened a shop" in line]
    assert [line.split()[0].lower() for line in lines] == [m.lower() for m in movers]
    assert "Round 2" in posts[-1].content
    assert world.pings(posts[-1]) == [(await world.active()).id]
    assert await unsent(world) == 0


async def test_a_new_move_brings_a_waiting_post_along(world: World) -> None:
    await world.begin()
    world.env.inject_error("POST", post_path(world.channel), status=500, times=1)
    await world.move()
    assert await unsent(world) == 1
    before = len(world.posts())
    await world.move()
    assert len(world.posts()) == before + 1, "one post tells of both"
    assert world.posts()[-1].content.count("opened a shop") == 2
    assert await unsent(world) == 0
    await world.settled_in(60)
    assert len(world.posts()) == before + 1


@pytest.mark.parametrize(
    ("status", "code"), [(404, 10008), (400, 30046), (403, 50005), (400, 50021)]
)
async def test_a_board_that_cannot_be_edited_is_posted_anew(
    world: World, status: int, code: int
) -> None:
    """With two players the one with the bus moves twice running: the post would be edited."""
    await world.begin(players=2)
    await world.move()
    board = world.board
    table = await world.table()
    owing = table.waiting()
    world.env.inject_error("PATCH", edit_path(world.channel), status=status, code=code, times=1)
    await world.move()
    table = await world.table()
    assert table.waiting() == owing, "this test wants a turn that goes on"
    new = world.board
    assert new.id != board.id
    assert "Round 2" in new.content
    assert new.attachments
    assert world.live() == [new]
    assert not world.pings(new), "nobody new is to act"
    assert await unsent(world) == 0
    assert table.match.board_message_id == new.id


async def test_a_refused_edit_is_tried_again(world: World) -> None:
    await world.begin(players=2)
    await world.move()
    board = world.board
    world.env.inject_error("PATCH", edit_path(world.channel), status=500, times=1)
    await world.move()
    assert await unsent(world) == 1
    await world.settled_in(60)
    assert world.board.id == board.id
    assert "Round 2" in world.board.content
    assert await unsent(world) == 0


async def test_a_deleted_board_comes_back(world: World) -> None:
    await world.begin(players=2)
    await world.move()
    world.env.backend.delete_message(world.channel.id, world.board.id)
    await world.env.settle()
    await world.move()
    assert world.board.attachments
    assert await unsent(world) == 0
    await world.click_move()


async def test_a_deleted_lobby_post_comes_back(world: World) -> None:
    await world.people[0].slash(world.channel, "paris new")
    world.env.backend.delete_message(world.channel.id, world.board.id)
    await world.env.settle()
    await world.people[1].slash(world.channel, "match join")
    assert "Bruno" in world.board.content
    await world.people[2].click(world.board, label="Join")
    assert "Carla" in world.board.content
    assert len(world.posts()) == 1


async def test_a_deleted_channel_loses_no_match(world: World) -> None:
    await world.begin()
    board, picker = world.board, await world.pick()
    person = await world.active()
    world.env.inject_error("POST", post_path(world.channel), status=404, code=10003, times=None)
    world.env.inject_error("PATCH", edit_path(world.channel), status=404, code=10003, times=None)
    done = await person.click(picker.response, label="Confirm")
    assert text(done).startswith("Done: ")
    assert await unsent(world) == 0, "given up, not tried for ever"
    table = await world.table()
    assert (table.match.status, table.match.head_seq) == ("active", 1)
    assert board.id == table.match.board_message_id
    here = world.guild.create_text_channel("elsewhere")
    listed = text(await person.slash(here, "mygames"))
    assert "`#1`" in listed


async def test_the_channel_is_really_gone(world: World) -> None:
    await world.begin()
    world.env.backend.delete_channel(world.channel.id)
    await world.env.settle()
    with world.env._bot_scope():
        await world.bot.service.show_again(1, "Still here.")
    await world.env.settle()
    assert (await world.bot.store.match(1)).status == "active"
    assert await unsent(world) == 0


# ---- threads -------------------------------------------------------------------------------------


async def test_a_thread_is_a_table_of_its_own(world: World) -> None:
    made = world.env.backend.create_thread(world.channel.id, "second table", world.people[0].id)
    thread = next(t for t in world.channel.threads if t.id == made.id)
    await world.begin(players=2)
    await world.begin(players=3, channel=thread)
    assert len((await world.table()).seats) == 2
    assert len((await world.table(thread)).seats) == 3
    for place in (world.channel, thread):
        person = await world.active(place)
        choices = await person.autocomplete(place, "paris open", "tile", "")
        said = text(await person.slash(place, "paris open", tile=choices[0]["value"]))
        assert said.startswith("Done: ")
        assert "opened a shop" in world.posts(place)[-1].content
    assert not [m for m in world.posts() if "Carla" in m.content]


async def test_an_archived_thread_gets_its_post_when_it_is_open_again(world: World) -> None:
    made = world.env.backend.create_thread(world.channel.id, "second table", world.people[0].id)
    thread = next(t for t in world.channel.threads if t.id == made.id)
    await world.begin(players=2, channel=thread)
    world.env.backend.edit_channel(
        thread.id, {}, thread_metadata={"archived": True, "locked": True}
    )
    world.env.inject_error("POST", post_path(thread), status=400, code=50083, times=1)
    person = await world.active(thread)
    before = len(world.posts(thread))
    choices = await person.autocomplete(thread, "paris open", "tile", "")
    said = text(await person.slash(thread, "paris open", tile=choices[0]["value"]))
    assert said.startswith("Done: ")
    assert len(world.posts(thread)) == before
    await world.settled_in(120)
    assert len(world.posts(thread)) == before + 1


# ---- permissions ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("permission", "name"),
    [
        ("attach_files", "Attach Files"),
        ("send_messages", "Send Messages"),
        ("read_message_history", "Read Message History"),
    ],
)
async def test_new_names_the_missing_permission(world: World, permission: str, name: str) -> None:
    world.env.backend.set_overwrite(
        world.channel.id,
        Overwrite(
            target_id=world.bot.user.id,
            type=1,
            allow=0,
            deny=discord.Permissions(**{permission: True}).value,
        ),
    )
    await world.env.settle()
    reply = await world.people[0].slash(world.channel, "paris new")
    assert private(reply)
    assert name in text(reply)
    assert await world.bot.service.at(world.channel.id) is None


# ---- closed direct messages ----------------------------------------------------------------------


async def test_closed_direct_messages_stop_nothing(world: World) -> None:
    host, guest, third = world.people[:3]
    for person in (guest, third):
        await close_dm(world, person)
    await world.begin()
    hints = [m for m in world.posts() if "does not take direct messages" in m.content]
    assert len(hints) == 1, "the table is told once"
    assert not world.pings(hints[0])
    assert not any(name in hints[0].content for name in ("Bruno", "Carla", "bruno", "carla"))
    for person in (guest, third):
        assert not person.user.dm_channel.history()
        mine = await person.slash(world.channel, "hand")
        assert private(mine)
        assert "special-route marker" in text(mine)
        told = text(await person.slash(world.channel, "settings"))
        assert "The last one was refused" in told
    assert host.user.dm_channel.history()
    for _ in range(6):
        await world.move()
    assert await unsent(world) == 0
    assert sum("does not take direct" in m.content for m in world.posts()) == 1


async def test_direct_messages_open_again(world: World) -> None:
    guest = world.people[1]
    await close_dm(world, guest)
    await world.begin()
    assert (await world.bot.store.player(guest.id)).dm_closed
    world.env.backend.faults.clear()
    for person in world.people[:3]:
        await person.slash(world.channel, "match end")
    await world.begin()
    assert len(guest.user.dm_channel.history()) == 1
    assert not (await world.bot.store.player(guest.id)).dm_closed
    assert "refused" not in text(await guest.slash(world.channel, "settings"))


async def test_who_wants_no_direct_messages_gets_none(world: World) -> None:
    guest = world.people[1]
    said = await guest.slash(world.channel, "settings", direct_messages=False)
    assert private(said)
    assert "**off**" in text(said)
    await world.begin()
    assert guest.user.dm_channel is None or not guest.user.dm_channel.history()
    assert world.people[0].user.dm_channel.history()
    assert not [m for m in world.posts() if "direct messages" in m.content]
    assert await unsent(world) == 0


# ---- restarts ------------------------------------------------------------------------------------


async def restart(world: World) -> None:
    await world.env.restart_bot(await world.env.make())


async def test_buttons_work_after_a_restart(world: World) -> None:
    await world.begin()
    person = await world.active()
    await world.click_move()
    board, later = world.board, await world.pick()
    await restart(world)
    undone = await person.click(board, label="Undo")
    assert text(undone) == "Your last step is taken back."
    stale = await (await world.others())[0].click(later.response, label="Confirm")
    assert STALE in text(stale)
    picker = await world.pick()
    await restart(world)
    done = await person.click(picker.response, label="Confirm")
    assert text(done).startswith("Done: ")
    assert world.live() == [world.board]


async def test_old_buttons_after_a_restart_and_a_move(world: World) -> None:
    await world.begin()
    person, old = await world.active(), world.board
    seen = raw(old)
    await world.click_move()
    await restart(world)
    for custom_id in idents(old):
        assert STALE in text(await world.press(person, old, custom_id))
    late = await world.press(person, old, ident(old, "Undo"), components=seen)
    assert no_undo(text(late))


async def test_a_lobby_survives_a_restart(world: World) -> None:
    await world.people[0].slash(world.channel, "paris new")
    await restart(world)
    await world.people[1].click(world.board, label="Join")
    await restart(world)
    assert text(await world.people[0].click(world.board, label="Start")) == "The match has begun."
    await world.click_move()


async def test_what_a_stop_left_unsent_is_sent_once(world: World) -> None:
    await world.begin()
    world.env.inject_error("POST", "/channels/*/messages", status=500, times=None)
    before = len(world.posts())
    for _ in range(3):
        await world.move()
    assert await unsent(world) == 3
    await restart(world)
    assert len(world.posts()) == before
    world.env.backend.faults.clear()
    await restart(world)
    await world.settled_in(7200)
    assert len(world.posts()) == before + 1
    last = world.posts()[-1]
    assert last.content.count("opened a shop") == 3
    assert last.attachments
    assert world.live() == [last]
    assert world.pings(last) == [(await world.active()).id]
    assert await unsent(world) == 0
    await restart(world)
    assert len(world.posts()) == before + 1


async def test_hands_that_a_stop_left_unsent_arrive_once(world: World) -> None:
    for person in world.people[:3]:
        await world.bot.create_dm(discord.Object(person.id))
    world.env.inject_error("POST", "/channels/*/messages", status=503, times=None)
    host = world.people[0]
    await host.slash(world.channel, "paris new")
    for person in world.people[1:3]:
        await person.slash(world.channel, "match join")
    await host.slash(world.channel, "match start")
    assert not world.posts()
    world.env.backend.faults.clear()
    await restart(world)
    await world.settled_in(7200)
    for person in world.people[:3]:
        (message,) = person.user.dm_channel.history()
        assert "special-route marker" in message.content
    assert len(world.posts()) == 1
    assert world.live() == [world.board]
    await world.click_move()
    for person in world.people[:3]:
        assert len(person.user.dm_channel.history()) == 1


# ---- pictures ------------------------------------------------------------------------------------


async def test_a_picture_that_fails_lets_the_text_go_out(
    world: World, monkeypatch: pytest.MonkeyPatch, logged: list[Any]
) -> None:
    def broken(*args: Any, **more: Any) -> Any:
        raise ValueError("no paint left")

    from bot import pictures

    monkeypatch.setattr(pictures, "render_board", broken)
    await world.begin(players=2)
    assert "➤" in world.board.content
    assert any(m.content.startswith("```") for m in world.posts())
    await world.click_move()
    seen = await world.people[0].slash(world.channel, "board")
    assert private(seen)
    assert "Round 1" in text(seen) or "round 1" in text(seen)
    assert {e["event"] for e in logged if e["log_level"] == "error"} == {"picture failed"}
    logged.clear()


@pytest.mark.parametrize("way", ["POST", "PATCH"])
@pytest.mark.parametrize(("status", "code"), [(413, 40005), (413, 0), (400, 50046)])
async def test_a_picture_that_discord_refuses_lets_the_text_go_out(
    world: World, logged: list[Any], way: str, status: int, code: int
) -> None:
    await world.begin(players=2)
    if way == "PATCH":
        await world.move()
    path = post_path(world.channel) if way == "POST" else edit_path(world.channel)
    world.env.inject_error(way, path, status=status, code=code, times=1)
    await world.move()
    assert await unsent(world) == 0
    assert "opened a shop" in world.board.content
    assert not world.board.attachments
    assert world.posts()[-1].content.startswith("```"), "the board as text instead"
    assert world.live() == [world.board]
    assert [e["event"] for e in logged if e["log_level"] == "error"] == ["picture refused"]
    logged.clear()
    await world.click_move()
    assert world.board.attachments


async def test_a_refused_acknowledgement_loses_no_move(world: World) -> None:
    """Discord may have dropped the interaction: what was done stays done and is posted."""
    await world.begin()
    person = await world.active()
    choices = await person.autocomplete(world.channel, "paris open", "tile", "")
    world.env.inject_error("POST", "/interactions/*/callback", status=404, code=10062, times=1)
    await person.slash(world.channel, "paris open", tile=choices[0]["value"])
    assert (await world.table()).match.head_seq == 1
    assert "opened a shop" in world.posts()[-1].content


# ---- bugs and disks ------------------------------------------------------------------------------


async def test_a_bug_halts_one_match_and_tells_a_report(
    world: World, monkeypatch: pytest.MonkeyPatch, logged: list[Any]
) -> None:
    other = world.guild.create_text_channel("other")
    await world.begin(players=2)
    table = await world.begin(players=3, channel=other)
    game = type(table.game)
    real = game.apply

    def broken(self: Any, state: Any, *rest: Any) -> Any:
        if state.seats == 2:
            raise ZeroDivisionError("shops")
        return real(self, state, *rest)

    monkeypatch.setattr(game, "apply", broken)
    picker = await world.pick()
    person = await world.active()
    reply = await person.click(picker.response, label="Confirm")
    assert private(reply)
    row = await world.bot.store.match(1)
    assert row.status == "frozen"
    assert row.report
    assert f"`{row.report}`" in text(reply)
    assert "ZeroDivision" not in text(reply)
    for label in ("My move", "Undo"):
        again = await person.click(world.board, label=label)
        assert private(again)
        assert row.report in text(again)
    assert row.report in text(await person.slash(world.channel, "match status"))
    assert "special-route marker" in text(await person.slash(world.channel, "hand"))
    (entry,) = [e for e in logged if e["log_level"] == "error"]
    assert entry["report"] == row.report
    logged.clear()
    mover = await world.active(other)
    choices = await mover.autocomplete(other, "paris open", "tile", "")
    done = await mover.slash(other, "paris open", tile=choices[0]["value"])
    assert text(done).startswith("Done: ")


async def test_a_full_disk_is_told_privately_and_changes_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch, logged: list[Any]
) -> None:
    await world.begin()
    person, picker = await world.active(), await world.pick()

    async def full(*args: Any, **more: Any) -> Any:
        raise DiskFull("No room is left on the disk.")

    before, commit = len(world.posts()), world.bot.store.commit
    monkeypatch.setattr(world.bot.store, "commit", full)
    reply = await person.click(picker.response, label="Confirm")
    assert private(reply)
    assert "could not be saved just now, and nothing has changed" in text(reply)
    assert len(world.posts()) == before
    assert [e["event"] for e in logged if e["log_level"] == "error"] == ["storage failed"]
    logged.clear()
    monkeypatch.setattr(world.bot.store, "commit", commit)
    again = await person.click(picker.response, label="Confirm")
    assert text(again).startswith("Done: ")
    assert (await world.table()).match.head_seq == 1


async def test_a_slow_disk_is_waited_for(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reply is deferred in time, and comes when the move is saved."""
    import asyncio

    from bot import replies

    monkeypatch.setattr(replies, "PATIENCE", 0.05)
    await world.begin()
    person = await world.active()
    choices = await person.autocomplete(world.channel, "paris open", "tile", "")
    commit = world.bot.store.commit

    async def slow(*args: Any, **more: Any) -> Any:
        await asyncio.sleep(0.3)
        return await commit(*args, **more)

    monkeypatch.setattr(world.bot.store, "commit", slow)
    reply = await person.slash(world.channel, "paris open", tile=choices[0]["value"])
    first = [r.json for r in world.env.http_requests if r.path.endswith("/callback")][-1]
    assert first == {"type": 5, "data": {"flags": 64}}, "a private deferral"
    assert private(reply)
    assert "Done: " in text(reply)
    assert (await world.table()).match.head_seq == 1
