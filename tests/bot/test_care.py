"""Care of a table through Discord: each command, the vote's buttons, reminders, private access."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite

from tests.bot.table import World, ident, text

HOUR = 3600


def pings(world: World, message: Any) -> set[int]:
    """Who was really notified by a message."""
    return set(world.env.backend.get_message(message.channel.id, message.id).ping_user_ids)


def dms(person: Any) -> list[Any]:
    return list(person.user.dm_channel.history())


def said(world: World, words: str) -> list[Any]:
    return [m for m in world.channel.history() if words in m.content]


async def late(world: World, hours: float = 25) -> tuple[Any, list[Any], Any]:
    """Time runs out; returns who is late, the others, and the post with the buttons."""
    table = await world.table()
    seat = table.waiting()[0]
    await world.settled_in(hours * HOUR)
    people = [world.person(table, s.seat) for s in table.seats]
    post = said(world, "has run out of time")[-1]
    return people[seat], [p for p in people if p is not people[seat]], post


async def test_new_with_a_clock_shows_it_everywhere(world: World) -> None:
    await world.begin("paris", 3, clock="move", hours=24)
    lobby = world.channel.history()[0]
    assert "Paris Paris" in lobby.content
    assert "until <t:" in world.board.content
    assert ":R>" in world.board.content
    status = await world.people[0].slash(world.channel, "match status")
    assert "Clock: 1 day for each move." in text(status)


async def test_settings_of_the_match(world: World) -> None:
    await world.begin("paris", 3)
    ada, bruno, *_ = world.people
    shown = await ada.slash(world.channel, "match settings")
    assert "no clock" in text(shown)
    refused = await bruno.slash(world.channel, "match settings", clock="move", hours=5)
    assert "Only the host" in text(refused)
    assert "hours" in text(await ada.slash(world.channel, "match settings", clock="move"))
    done = await ada.slash(world.channel, "match settings", clock="bank", hours=72, increment=12)
    assert "a store of 3 days each, and 12 hours more" in text(done)
    assert "until <t:" in world.board.content


async def test_reminder_comes_as_a_direct_message(world: World) -> None:
    table = await world.begin("paris", 3, clock="move", hours=10)
    person = world.person(table, table.waiting()[0])
    before = len(dms(person))
    await world.settled_in(6 * HOUR)
    new = dms(person)[before:]
    assert len(new) == 1
    assert "waits for you" in new[0].content
    assert f"<#{world.channel.id}>" in new[0].content
    assert not said(world, "the table waits for you")
    await world.settled_in(3.5 * HOUR)
    assert len(dms(person)) == before + 2


async def test_closed_direct_messages_make_it_a_mention(world: World) -> None:
    table = await world.begin("paris", 3, clock="move", hours=10)
    person = world.person(table, table.waiting()[0])
    dm = person.user.dm_channel
    world.env.inject_error(
        "POST", f"/channels/{dm.id}/messages", status=403, code=50007, times=None
    )
    await world.settled_in(6 * HOUR)
    (post,) = said(world, "the table waits for you")
    assert pings(world, post) == {person.id}


async def test_quiet_hours_hold_a_reminder_back(world: World) -> None:
    """Virtual time begins at midnight UTC."""
    table = await world.begin("paris", 3, clock="move", hours=10)
    person = world.person(table, table.waiting()[0])
    reply = await person.slash(
        world.channel, "settings", time_zone="Europe/Rome", quiet_from="22:00", quiet_to="8"
    )
    assert "22:00 to 08:00" in text(reply)
    assert "Europe/Rome" in text(reply)
    before = len(dms(person))
    await world.settled_in(6.5 * HOUR)  # 7:30 in Rome
    assert len(dms(person)) == before
    await world.settled_in(0.6 * HOUR)
    assert len(dms(person)) == before + 1


async def test_settings_choose_and_refuse(world: World) -> None:
    ada = world.people[0]
    shown = text(await ada.slash(world.channel, "settings"))
    assert "every 24 h" in shown
    assert "Quiet hours: **none**" in shown
    zones = await ada.autocomplete(world.channel, "settings", "time_zone", "rom")
    assert zones[0]["value"] == "Europe/Rome"
    assert "no time zone" in text(await ada.slash(world.channel, "settings", time_zone="Mars"))
    assert "no time of day" in text(await ada.slash(world.channel, "settings", quiet_from="25:99"))
    off = text(await ada.slash(world.channel, "settings", remind_hours=0))
    assert "Reminders: **off**" in off
    both = text(await ada.slash(world.channel, "settings", quiet_from="9 pm"))
    assert "21:00 to 08:00" in both
    assert "Not your time zone?" in both
    rome = text(await ada.slash(world.channel, "settings", time_zone="Europe/Rome"))
    assert "time zone **Europe/Rome**" in rome
    assert "Not your time zone?" not in rome
    gone = text(await ada.slash(world.channel, "settings", quiet_from="off"))
    assert "Quiet hours: **none**" in gone


async def test_mute(world: World) -> None:
    table = await world.begin("paris", 3, clock="move", hours=10)
    person = world.person(table, table.waiting()[0])
    assert "not remind you" in text(await person.slash(world.channel, "match mute"))
    before = len(dms(person))
    await world.settled_in(9.5 * HOUR)
    assert len(dms(person)) == before
    assert "again" in text(await person.slash(world.channel, "match mute", on=False))
    stranger = world.people[4]
    assert "do not sit" in text(await stranger.slash(world.channel, "match mute"))


async def test_pause_and_resume(world: World) -> None:
    await world.begin("paris", 3, clock="move", hours=24)
    ada, bruno, *_ = world.people
    assert "paused" in text(await ada.slash(world.channel, "match pause"))
    assert "paused the match" in world.channel.last_message.content
    await world.settled_in(50 * HOUR)
    assert not said(world, "has run out of time")
    assert "goes on" in text(await bruno.slash(world.channel, "match resume"))
    table = await world.table()
    active = world.person(table, table.waiting()[0])
    assert pings(world, world.board) == {active.id}


async def test_vacation(world: World) -> None:
    table = await world.begin("paris", 3, clock="move", hours=24)
    person = world.person(table, table.waiting()[0])
    days = await person.autocomplete(world.channel, "match vacation", "until", "")
    assert {"name": "1 week", "value": "1 week"} in days
    assert "no date" in text(await person.slash(world.channel, "match vacation", until="soon"))
    reply = await person.slash(world.channel, "match vacation", until="2026-01-10")
    assert "Your clock stands until <t:" in text(reply)
    assert "on vacation until <t:" in world.board.content
    for _ in range(3):
        await world.settled_in(12 * HOUR)
    assert not said(world, "has run out of time")
    assert "Welcome back" in text(await person.slash(world.channel, "match vacation"))
    assert "until <t:" in world.board.content


async def test_vote_by_buttons(world: World) -> None:
    table = await world.begin("paris", 3, clock="move", hours=24)
    away, others, post = await late(world)
    assert pings(world, post) == {p.id for p in others}
    refused = await away.click(post, label="Skip")
    assert "for the others to decide" in text(refused)
    assert "do not sit" in text(await world.people[4].click(post, label="Wait"))
    assert "have not decided" in text(await others[0].click(post, label="Skip"))
    assert "automatic move" in text(await others[1].click(post, label="Skip"))
    table = await world.table()
    active = world.person(table, table.waiting()[0])
    assert active is not away
    assert pings(world, world.board) == {active.id}
    assert "A simple automatic move is made" in world.board.content
    fresh = next(m for m in world.channel.history() if m.id == post.id)
    assert not fresh.components  # no buttons any more


async def test_old_vote_is_refused_politely(world: World) -> None:
    await world.begin("paris", 3, clock="move", hours=24)
    away, others, post = await late(world)
    table = await world.table()
    seat = table.seat_of(away.id)
    assert seat is not None
    with world.env._bot_scope():
        await world.bot.service.move(
            table.match.id, away.id, next(iter(table.game.legal(table.state, seat)))
        )
    await world.env.settle()
    assert "settled already" in text(await others[0].click(post, label="Skip"))


async def test_two_players_take_the_win(world: World) -> None:
    await world.begin("paris", 2, clock="move", hours=24)
    _, (other,), post = await late(world)
    assert "match is over" in text(await other.click(post, label="Take the win"))
    assert "ran out of time" in world.posts()[-2].content
    assert (await world.table()).match.status == "finished"


async def test_resign_asks_first(world: World) -> None:
    await world.begin("paris", 2)
    ada, bruno, *_ = world.people
    asked = await ada.slash(world.channel, "match resign")
    assert "no way back" in text(asked)
    assert (await world.table()).match.status == "active"
    done = await ada.click(asked.response, label="Yes, I give up")
    assert "You have resigned" in text(done)
    assert "Bruno** wins" in world.posts()[-2].content
    assert "over" in text(await bruno.slash(world.channel, "match resign"))


async def test_resign_alone(world: World) -> None:
    await world.begin("pizzachef", 1)
    asked = await world.people[0].slash(world.channel, "match resign")
    assert "Nobody else is left at the table, so it ends" in text(asked)
    done = await world.people[0].click(asked.response, label="Yes, I give up")
    assert text(done) == "Nobody is left at the table."


@pytest.mark.parametrize(("command", "words"), [("match pause", "pause"), ("match end", "call")])
async def test_who_agrees_twice_is_told_so_without_a_post(
    world: World, command: str, words: str
) -> None:
    await world.begin("paris", 3)
    bruno, carla = world.people[1:3]
    for _ in range(3):
        assert "Still to agree" in text(await bruno.slash(world.channel, command))
    assert len(said(world, f"would like to {words}")) == 1
    await carla.slash(world.channel, command)
    assert len(said(world, f"would like to {words}")) == 2


async def test_no_seat_for_who_cannot_see_the_channel(world: World) -> None:
    await world.begin("paris", 3)
    ada, _, _, dario, elena = world.people[:5]
    world.env.backend.set_overwrite(
        world.channel.id,
        Overwrite(
            target_id=dario.id, type=1, allow=0, deny=discord.Permissions(view_channel=True).value
        ),
    )
    refused = await ada.slash(world.channel, "match substitute", user=dario)
    assert text(refused) == "Dario cannot see this channel."
    assert (await world.table()).seat_of(ada.id) == 0
    assert "Elena has the seat" in text(
        await ada.slash(world.channel, "match substitute", user=elena)
    )


async def test_a_seat_number_without_end(world: World) -> None:
    await world.begin("paris", 3)
    ada, dario = world.people[0], world.people[3]
    said_ = await ada.slash(world.channel, "match substitute", user=dario, seat="1" * 5000)
    assert "Choose the seat from the list" in text(said_)


async def test_resign_of_three(world: World) -> None:
    table = await world.begin("paris", 3)
    person = world.person(table, table.waiting()[0])
    asked = await person.slash(world.channel, "match resign")
    await person.click(asked.response, label="Yes, I give up")
    table = await world.table()
    assert table.match.status == "active"
    active = world.person(table, table.waiting()[0])
    assert "has resigned" in world.board.content
    assert pings(world, world.board) == {active.id}
    assert "do not sit" in text(await person.click(world.board, label="My move"))


async def test_substitute_moves_all_private_access(world: World) -> None:
    """Buttons, pickers and hands change hands at once."""
    table = await world.begin("paris", 3, clock="move", hours=24)
    seat = table.waiting()[0]
    old = world.person(table, seat)
    new = world.people[3]
    picker = await old.click(world.board, label="My move")
    reply = await old.slash(world.channel, "match substitute", user=new)
    assert "has the seat now" in text(reply)
    assert pings(world, world.board) == {new.id}
    assert "takes over the seat" in world.board.content
    options = picker.response.components[0]["components"][0]["options"]
    stale = await old.select(picker.response, [options[0]["value"]])
    assert "do not sit" in text(stale)
    assert "do not sit" in text(await old.click(world.board, label="My move"))
    assert "do not sit" in text(await old.slash(world.channel, "hand"))
    opened = await new.click(world.board, label="My move")
    assert opened.ephemeral
    assert "do not sit" not in text(opened)
    assert any("You now play the seat" in m.content for m in dms(new))
    again = await new.slash(world.channel, "match substitute", user=world.people[1])
    assert "already sits" in text(again)


async def test_substitute_refuses_bots_and_strangers(world: World) -> None:
    await world.begin("paris", 3)
    stranger = world.people[4]
    refused = await stranger.slash(world.channel, "match substitute", user=world.people[3])
    assert "hand over your own seat" in text(refused)
    seats = await world.people[0].autocomplete(world.channel, "match substitute", "seat", "")
    assert [s["value"] for s in seats] == ["1", "2", "3"]


async def test_host_replaces_who_ran_out_of_time(world: World) -> None:
    table = await world.begin("paris", 3, clock="move", hours=24)
    away, _, _ = await late(world)
    number = str((table.seat_of(away.id) or 0) + 1)
    host = world.people[0]
    new = world.people[3]
    done = await host.slash(world.channel, "match substitute", user=new, seat=number)
    assert "has the seat now" in text(done)
    assert (await world.table()).seat_of(new.id) is not None


async def test_a_member_who_leaves_is_noticed(world: World) -> None:
    table = await world.begin("paris", 3, clock="move", hours=10)
    person = world.person(table, table.waiting()[0])
    world.guild.remove_member(person)
    await world.settled_in(6 * HOUR)  # the reminder finds nobody
    assert said(world, "has left the server")
    assert ident(said(world, "what happens")[-1], "Hand over")


async def test_down_for_a_day_counts_against_nobody(world: World) -> None:
    table = await world.begin("paris", 3, clock="move", hours=10)
    seat = table.waiting()[0]
    await world.settled_in(2 * HOUR)
    due = next(t.at for t in (await world.table()).timers if t.kind == "clock" and t.seat == seat)
    store = world.bot.store
    await store._do("UPDATE heartbeat SET at = at - 86400000")
    await store._do("UPDATE timers SET set_at = set_at - 86400000")
    await world.env.restart_bot(await world.env.make())
    await world.env.settle()
    table = await world.table()
    now = next(t.at for t in table.timers if t.kind == "clock" and t.seat == seat)
    assert now is not None
    assert due is not None
    assert abs(now - due - 86_400_000) < 120_000
    assert f"<t:{now // 1000}:R>" in world.board.content
