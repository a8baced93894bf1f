"""`/admin`, house rules, channels that go away and come back, a restored backup."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path
from typing import Any

import discord
import pytest
import simcord
from simcord.backend.models import Overwrite

from bot.errors import TableError
from bot.service.order import default_value, usable
from engines.core.registry import games
from storage import backup_database
from storage.store import Store
from tests.bot.conftest import virtual_now
from tests.bot.table import World, ident, idents, private, raw, text


@pytest.fixture
def boss(world: World) -> Any:
    """Somebody who may manage channels and sits nowhere."""
    role = world.guild.create_role("keepers", permissions=discord.Permissions(manage_channels=True))
    return world.guild.add_member(world.env.create_user("Keeper"), roles=[role])


def forbid(world: World, channel: Any, *, allow: bool = False) -> None:
    """Take from the bot, or give it back, the right to post in a channel."""
    denied = 0 if allow else discord.Permissions(send_messages=True).value
    world.env.backend.set_overwrite(
        channel.id,
        Overwrite(target_id=world.env.bot.user.id, type=1, allow=0, deny=denied),
    )


def dms(person: Any) -> list[str]:
    channel = person.user.dm_channel
    return [] if channel is None else [m.content for m in channel.history()]


# ---- who may -------------------------------------------------------------------------------------


async def test_admin_is_for_managers(world: World, boss: Any) -> None:
    table = await world.begin()
    (command,) = [c for c in world.bot.tree.get_commands() if c.name == "admin"]
    assert command.default_permissions.manage_channels
    assert command.guild_only
    player = world.people[0]
    with pytest.raises(simcord.SetupError, match="not visible"):
        await player.slash(world.channel, "admin list")
    (synced,) = [c for c in await world.bot.tree.fetch_commands() if c.name == "admin"]
    world.guild.set_command_permissions(synced, {player: True})
    for name, options in {
        "list": {},
        "status": {},
        "end": {},
        "pause": {},
        "resume": {},
        "move": {"channel": world.guild.create_text_channel("other")},
        "game": {"game": "paris_paris", "rule": "forbidden"},
        "channel": {"channel": world.channel, "rule": "never"},
        "default": {"game": "paris_paris", "option": "seats", "value": "3"},
        "show": {},
    }.items():
        refused = await player.slash(world.channel, f"admin {name}", **options)
        assert private(refused)
        assert "people who may manage channels" in text(refused), name
    assert (await world.table()).match.status == "active"
    assert await world.bot.store.guild_settings(world.guild.id) == "{}"
    listed = text(await boss.slash(world.channel, "admin list"))
    assert listed.startswith("**1 open on this server**")
    assert f"`#{table.match.id}` Paris Paris, waiting for" in listed
    assert "⚠" not in listed
    assert not await world.people[0].autocomplete(world.channel, "admin end", "match", "")
    offered = await boss.autocomplete(world.channel, "admin end", "match", "paris")
    assert [c["value"] for c in offered] == [str(table.match.id)]


async def test_admin_end_from_anywhere(world: World, boss: Any) -> None:
    table = await world.begin()
    room = world.guild.create_text_channel("office")
    nothing = await boss.slash(room, "admin end")
    assert "no such match" in text(nothing)
    assert "no such match" in text(await boss.slash(room, "admin end", match="999"))
    done = await boss.slash(room, "admin end", match=f"#{table.match.id} Paris")
    assert "called off" in text(done)
    assert (await world.table()).match.status == "ended"
    assert "called off" in world.posts()[-1].content
    assert "No match is open" in text(await boss.slash(room, "admin list"))
    assert "already over" in text(await boss.slash(world.channel, "admin end"))


async def test_a_match_of_another_server_is_none_of_its_business(world: World, boss: Any) -> None:
    table = await world.begin()
    await world.bot.store.rebind_channel(table.match.id, 4711, guild_id=4712)
    world.bot.service.forget(table.match.id)
    refused = await boss.slash(world.channel, "admin end", match=str(table.match.id))
    assert "no such match" in text(refused)


# ---- moving --------------------------------------------------------------------------------------


async def test_move_a_running_match(world: World, boss: Any) -> None:
    table = await world.begin()
    old = world.board
    room = world.guild.create_text_channel("new-room")
    done = await boss.slash(world.channel, "admin move", channel=room)
    assert private(done)
    assert f"<#{room.id}>" in text(done)
    board = world.posts(room)[-1]
    assert "moved here" in board.content
    assert world.pings(board) == [world.person(table, table.waiting()[0]).id]
    (left,) = [m for m in world.posts() if m.id == old.id]
    assert not idents(left)
    assert f"moved to <#{room.id}>" in left.content
    assert (await world.table(room)).match.id == table.match.id
    assert "no match in this channel" in text(
        await world.people[0].slash(world.channel, "match status")
    )
    world.channel = room
    assert (await world.move()).startswith("Done")
    again = await boss.slash(room, "admin move", channel=room)
    assert "already" in text(again)


async def test_where_a_match_cannot_move(world: World, boss: Any) -> None:
    await world.begin()
    taken = world.guild.create_text_channel("taken")
    await world.begin("paris", 2, channel=taken)
    refused = await boss.slash(world.channel, "admin move", channel=taken)
    assert "A match is already open" in text(refused)
    closed = world.guild.create_text_channel("closed")
    forbid(world, closed)
    refused = await boss.slash(world.channel, "admin move", channel=closed)
    assert "Send Messages" in text(refused)
    for person in world.people[:2]:
        await person.slash(taken, "match end")
    over = await boss.slash(taken, "admin move", channel=closed)
    assert private(over)
    assert (await world.table()).match.status == "active"


async def test_move_a_lobby(world: World, boss: Any) -> None:
    await world.people[0].slash(world.channel, "paris new")
    room = world.guild.create_text_channel("new-room")
    await boss.slash(world.channel, "admin move", channel=room)
    joined = await world.people[1].click(world.posts(room)[-1], label="Join")
    assert "You sit at the table" in text(joined)


# ---- house rules ---------------------------------------------------------------------------------


async def test_games_and_channels(world: World, boss: Any) -> None:
    host, room = world.people[0], world.guild.create_text_channel("games")
    await world.bot.store.set_guild_settings(world.guild.id, '{"other":1}')
    await boss.slash(room, "admin game", game="Paris Paris", rule="forbidden")
    refused = await host.slash(room, "paris new")
    assert private(refused)
    assert "do not allow Paris Paris" in text(refused)
    assert "Papertown" in text(refused)
    assert "no game" in text(await boss.slash(room, "admin game", game="chess", rule="forbidden"))
    told = text(await boss.slash(room, "admin game", game="paris_paris", rule="allowed"))
    assert "not played here: none" in told

    await boss.slash(room, "admin channel", channel=room, rule="only")
    refused = await host.slash(world.channel, "paris new")
    assert f"opened in <#{room.id}>" in text(refused)
    assert "is open" in text(await host.slash(room, "paris new"))
    thread = world.env.backend.create_thread(room.id, "a thread", host.id)
    handle = next(t for t in room.threads if t.id == thread.id)
    assert "is open" in text(await host.slash(handle, "paris new")), "threads there count too"

    await boss.slash(room, "admin channel", channel=room, rule="never")
    told = text(await boss.slash(room, "admin show"))
    assert f"No tables are opened in <#{room.id}>" in told
    await host.slash(room, "match end")
    assert "do not allow tables in this channel" in text(await host.slash(room, "paris new"))
    assert "is open" in text(await host.slash(world.channel, "paris new"))
    await boss.slash(room, "admin channel", channel=room, rule="no rule")
    assert "is open" in text(await host.slash(room, "paris new"))
    kept = json.loads(await world.bot.store.guild_settings(world.guild.id))
    assert kept["other"] == 1, "other settings stay"


async def test_defaults(world: World, boss: Any) -> None:
    host = world.people[0]
    offered = await boss.autocomplete(
        world.channel, "admin default", "option", "", game="paris_paris"
    )
    assert "seats" in [c["value"] for c in offered]
    told = await boss.slash(
        world.channel, "admin default", game="paris_paris", option="seats", value="4"
    )
    assert "begins with seats 4" in text(told)
    await host.slash(world.channel, "paris new")
    assert (await world.table()).wanted == 4
    await host.slash(world.channel, "match end")
    await host.slash(world.channel, "paris new", seats=2)
    assert (await world.table()).wanted == 2, "what the host says counts"
    for value, words in {"7": "is for", "x": "is for"}.items():
        refused = await boss.slash(
            world.channel, "admin default", game="paris_paris", option="seats", value=value
        )
        assert words in text(refused)
    refused = await boss.slash(
        world.channel, "admin default", game="paris_paris", option="nonsense", value="1"
    )
    assert "no option" in text(refused)
    gone = await boss.slash(world.channel, "admin default", game="paris_paris", option="seats")
    assert "begins with" not in text(gone)
    again = await boss.slash(world.channel, "admin default", game="paris_paris", option="seats")
    assert "has no default" in text(again)


@pytest.mark.parametrize("option", ["seats", "hours", "increment"])
@pytest.mark.parametrize("word", ["0000000019999", "1" * 5000, "²", "-1", "0"])
def test_defaults_that_are_no_such_number(option: str, word: str) -> None:
    with pytest.raises(TableError):
        default_value("paris_paris", option, word)


def test_defaults_of_every_game_and_option() -> None:
    for key, game in games().items():
        for name, field in game.options_type.model_fields.items():
            extra = field.json_schema_extra
            if isinstance(extra, dict) and extra.get("lobby"):
                continue
            value = getattr(game.options({}), name)
            if value is not None:
                assert default_value(key, name, str(value)) == value
                assert usable(game, {name: value}) == {name: value}
        assert usable(game, {"no_such_option": 1, "seats": 99}) == {}
        with pytest.raises(TableError):
            default_value(key, "colours", "red")


# ---- trouble -------------------------------------------------------------------------------------


async def test_a_deleted_channel(world: World, boss: Any) -> None:
    table = await world.begin()
    office = world.guild.create_text_channel("office")
    world.env.backend.delete_channel(world.channel.id)
    await world.env.settle()
    assert (await world.bot.service.table(table.match.id)).match.status == "active"
    for person in world.people[:3]:
        told = [m for m in dms(person) if "it is gone" in m]
        assert len(told) == 1
        assert "/admin move" in told[0]
    assert not [m for m in dms(world.people[5]) if "it is gone" in m]
    listed = text(await boss.slash(office, "admin list"))
    assert "not in sight" in listed
    await boss.slash(office, "admin move", channel=office, match=str(table.match.id))
    world.channel = office
    assert "moved here" in world.posts()[-1].content
    assert (await world.move()).startswith("Done")


async def test_a_lobby_goes_with_its_channel(world: World) -> None:
    room = world.guild.create_text_channel("room")
    await world.people[0].slash(room, "paris new")
    table = await world.table(room)
    world.env.backend.delete_channel(room.id)
    await world.env.settle()
    assert (await world.bot.service.table(table.match.id)).match.status == "ended"


async def test_a_permission_withdrawn_and_given_back(world: World, boss: Any) -> None:
    table = await world.begin()
    office = world.guild.create_text_channel("office")
    forbid(world, world.channel)
    await world.env.settle()
    assert (await world.move()).startswith("Done"), "the match itself goes on"
    before = len(world.posts())
    told = [m for m in dms(world.people[0]) if "I am not allowed to" in m]
    assert len(told) == 1
    status = await boss.slash(office, "admin status", match=str(table.match.id))
    assert "Send Messages" in text(status)
    await world.move()
    await world.settled_in(10_000)
    assert len([m for m in dms(world.people[0]) if "I am not allowed to" in m]) == 1, "told once"
    forbid(world, world.channel, allow=True)
    await world.env.settle()
    assert len(world.posts()) == before + 1, "posted at once, in one post"
    assert world.posts()[-1].content.count("opened a shop") == 2
    assert len(world.live()) == 1
    assert "lost" not in (await world.table()).settings
    forbid(world, world.channel)
    await world.env.settle()
    await world.move()
    assert len([m for m in dms(world.people[0]) if "I am not allowed to" in m]) == 2


async def test_a_permission_given_back_after_the_post_was_given_up(world: World) -> None:
    await world.begin()
    forbid(world, world.channel)
    await world.env.settle()
    await world.move()
    world.bot.get_cog("Timer").tick.cancel()  # nine days of minutes would take minutes
    await world.settled_in(9 * 24 * 3600)
    assert await world.bot.store.pending_count() == 0
    before = len(world.posts())
    forbid(world, world.channel, allow=True)
    await world.env.settle()
    assert len(world.posts()) == before + 1
    assert "post here again" in world.posts()[-1].content
    assert len(world.live()) == 1


async def test_a_locked_thread(world: World) -> None:
    host = world.people[0]
    made = world.env.backend.create_thread(world.channel.id, "thread", host.id)
    thread = world.channel.threads[0]
    await world.begin("paris", 2, channel=thread)
    world.channel = thread
    path = f"/channels/{made.id}/messages"
    world.env.backend.edit_channel(made.id, {}, thread_metadata={"archived": True, "locked": True})
    world.env.inject_error("POST", path, status=403, code=50083, times=None)
    await world.move()
    before = len(world.posts())
    assert any("locked or archived" in m for m in dms(host))
    world.env.backend.faults.clear()
    world.env.backend.edit_channel(
        made.id, {}, thread_metadata={"archived": False, "locked": False}
    )
    await world.env.settle()
    assert len(world.posts()) == before + 1


async def test_invited_again(world: World) -> None:
    await world.begin()
    other = world.guild.create_text_channel("other")
    await world.begin("paris", 2, channel=other)
    path = f"/channels/{world.channel.id}/messages"
    world.env.inject_error("POST", path, status=403, code=50001, times=None)
    await world.move()
    world.env.backend.faults.clear()
    before, there = len(world.posts()), len(world.posts(other))
    cog = world.bot.cogs["Trouble"]
    with world.env._bot_scope():
        world.bot.loop.create_task(cog.on_guild_join(world.bot.get_guild(world.guild.id)))
    await world.env.settle()
    assert len(world.posts()) == before + 1
    assert len(world.posts(other)) == there + 1
    assert "where the match stands" in world.posts(other)[-1].content
    assert len(world.live()) == 1


# ---- a restored backup ---------------------------------------------------------------------------


async def test_a_restored_backup_says_where_it_stands_once(world: World, tmp_path: Path) -> None:
    await world.begin()
    await world.move()
    path = Path(str(world.bot.store.path))
    copy = tmp_path / "copy.db"
    backup_database(path, copy)
    await world.move()
    await world.move()
    assert (await world.table()).match.head_seq == 3
    await world.bot.store.close()
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    copy.rename(path)
    before = len(world.posts())
    await world.env.restart_bot(await world.env.make())
    assert (await world.table()).match.head_seq == 1
    assert len(world.posts()) == before + 1
    told = world.posts()[-1]
    assert "restored from a copy" in told.content
    assert world.pings(told) == [(await world.active()).id]
    assert (await world.move()).startswith("Done")
    after = len(world.posts())
    await world.env.restart_bot(await world.env.make())
    assert len(world.posts()) == after, "once"


async def restore(world: World, copy: Path) -> None:
    """Stop the bot, put the copy in place of its database, start it."""
    path = Path(str(world.bot.store.path))
    await world.bot.store.close()
    replace(path, copy)
    await world.env.restart_bot(await world.env.make())


def replace(path: Path, copy: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    copy.rename(path)


def copied(world: World, copy: Path) -> None:
    """Make a backup now, in simulated time."""
    backup_database(Path(str(world.bot.store.path)), copy)
    with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as plain:
        plain.execute("UPDATE marks SET value = ? WHERE name = 'copied'", (virtual_now(),))


async def test_what_was_posted_in_the_lost_time_counts_no_more(
    world: World, tmp_path: Path
) -> None:
    """Decisions and log entries of the lost time come again with the same numbers; the buttons from
    then are refused politely all the same, and the match goes on and can be checked."""
    copy = tmp_path / "copy.db"
    await world.begin("paris", 3, clock="move", hours=24)
    await world.move()
    copied(world, copy)
    await world.settled_in(60)
    # The lost time: two moves, an open picker, and a vote on who is late.
    await world.move()
    await world.move()
    board, late = world.board, await world.active()
    picker = await late.click(board, label="My move")
    await world.settled_in(25 * 3600)
    vote = world.posts()[-1]
    assert "has run out of time" in vote.content
    lost = await world.table()
    decision = lost.state.decision_of(lost.waiting()[0])
    await world.settled_in(60)
    await restore(world, copy)
    assert (await world.table()).match.head_seq == 1
    assert "restored from a copy" in world.posts()[-1].content

    # The match comes to the same decision again: the same player, the same number.
    await world.move()
    await world.move()
    table = await world.table()
    assert table.state.decision_of(table.waiting()[0]) == decision
    others = await world.others()
    for person, message, label in (
        (late, board, "Undo"),
        (late, board, "My move"),
        (others[0], vote, "Skip"),
    ):
        old = await world.press(person, message, ident(message, label), components=raw(message))
        assert "lost when the bot was restored" in text(old)
    options = picker.response.components[0]["components"][0]["options"]
    stale = await late.select(picker.response, [options[0]["value"]])
    assert "lost when the bot was restored" in text(stale)
    assert (await world.table()).match.head_seq == 3

    opened = await late.click(world.board, label="My move")
    assert "lost" not in text(opened)
    for _ in range(3):
        assert (await world.move()).startswith("Done")
    await world.bot.service.end(table.match.id, 1, moderator=True)
    assert "every position is the recorded one" in await world.bot.service.verify(table.match.id)


async def test_a_plain_restart_says_nothing(world: World, tmp_path: Path) -> None:
    await world.begin()
    backup_database(Path(str(world.bot.store.path)), tmp_path / "copy.db")
    before = len(world.posts())
    await world.env.restart_bot(await world.env.make())
    assert len(world.posts()) == before
    async with await Store.open(tmp_path / "copy.db") as store:
        assert await store.copied_at() is not None
