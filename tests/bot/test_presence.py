"""Through Discord: who is told that time is up, who is called to a vote and when, who has left."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bot.table import World, idents, text
from tests.bot.test_care import HOUR, dms, late, pings, said


async def sleep(world: World, person: Any, begin: str, end: str) -> None:
    await person.slash(world.channel, "settings", quiet_from=begin, quiet_to=end)


def told(person: Any, words: str) -> list[Any]:
    return [m for m in dms(person) if words in m.content]


def close_dm(world: World, person: Any) -> None:
    path = f"/channels/{person.user.dm_channel.id}/messages"
    world.env.inject_error("POST", path, status=403, code=50007, times=None)


async def test_the_late_player_is_told_privately(world: World) -> None:
    await world.begin("paris", 3, clock="move", hours=24)
    away, others, post = await late(world)
    (message,) = told(away, "your time has run out")
    assert "You may still move" in message.content
    assert "give you 1 day more or let an automatic player have your seat" in message.content
    assert f"<#{world.channel.id}>" in message.content
    assert away.id not in pings(world, post)
    assert not [m for p in others for m in told(p, "your time has run out")]
    assert not said(world, "your time has run out")


async def test_of_two_the_late_player_hears_of_the_win(world: World) -> None:
    await world.begin("paris", 2, clock="move", hours=24)
    away, _, _ = await late(world)
    (message,) = told(away, "your time has run out")
    assert "have your seat or take the win" in message.content


async def test_with_closed_direct_messages_it_is_a_mention(world: World) -> None:
    table = await world.begin("paris", 3, clock="move", hours=24)
    close_dm(world, world.person(table, table.waiting()[0]))
    away, _, _ = await late(world)
    (message,) = said(world, "your time has run out")
    assert pings(world, message) == {away.id}


async def test_the_late_player_sleeps_on_and_is_not_told_what_is_settled(world: World) -> None:
    """Midnight is the beginning; the time is up at 1:00 of the next day."""
    table = await world.begin("paris", 3, clock="move", hours=24)
    person = world.person(table, table.waiting()[0])
    await sleep(world, person, "22:00", "8:00")
    away, others, post = await late(world)
    assert away is person
    assert not told(person, "your time has run out")
    for other in others:
        await other.click(post, label="Skip")
    await world.settled_in(9 * HOUR)
    assert not told(person, "your time has run out")


async def test_a_vote_lets_sleepers_sleep(world: World) -> None:
    table = await world.begin("paris", 3, clock="move", hours=24)
    seat = table.waiting()[0]
    awake, asleep = [world.person(table, s.seat) for s in table.seats if s.seat != seat]
    await sleep(world, asleep, "22:00", "8:00")
    before = len(dms(asleep))
    _, _, post = await late(world)  # 1:00
    assert pings(world, post) == {awake.id}
    assert f"<@{asleep.id}>" in post.content, "named all the same"
    await world.settled_in(6.5 * HOUR)  # 7:30
    assert len(dms(asleep)) == before
    await world.settled_in(1 * HOUR)
    (call,) = dms(asleep)[before:]
    assert "Your vote is missing" in call.content
    assert f"<#{world.channel.id}>" in call.content
    assert "have not decided" in text(await awake.click(post, label="Skip"))
    assert "automatic move" in text(await asleep.user.click(call, label="Skip"))
    assert (await world.table()).waiting() != (seat,)


async def test_a_vote_that_is_settled_wakes_nobody(world: World) -> None:
    table = await world.begin("paris", 4, clock="move", hours=24)
    seat = table.waiting()[0]
    *awake, asleep = [world.person(table, s.seat) for s in table.seats if s.seat != seat]
    await sleep(world, asleep, "22:00", "8:00")
    _, _, post = await late(world)
    for person in awake:
        await person.click(post, label="Wait")
    await world.settled_in(9 * HOUR)
    assert not told(asleep, "Your vote is missing")


async def test_a_sleeper_without_direct_messages_is_mentioned_in_the_morning(world: World) -> None:
    table = await world.begin("paris", 3, clock="move", hours=24)
    seat = table.waiting()[0]
    _, asleep = [world.person(table, s.seat) for s in table.seats if s.seat != seat]
    await sleep(world, asleep, "22:00", "8:00")
    close_dm(world, asleep)
    await late(world)
    assert not said(world, "Your vote is missing")
    await world.settled_in(8 * HOUR)
    (call,) = said(world, "Your vote is missing")
    assert pings(world, call) == {asleep.id}
    assert {i.split(":")[1] for i in idents(call)} == {"vskip", "vwait", "vhand"}


async def test_who_wants_no_reminders_or_is_on_vacation_is_not_called(world: World) -> None:
    table = await world.begin("paris", 4, clock="move", hours=24)
    seat = table.waiting()[0]
    muted, away, awake = [world.person(table, s.seat) for s in table.seats if s.seat != seat]
    await muted.slash(world.channel, "match mute")
    await away.slash(world.channel, "match vacation", until="1 week")
    _, _, post = await late(world)
    assert pings(world, post) == {awake.id}


# ---- leaving and coming back ---------------------------------------------------------------------


@pytest.mark.parametrize("how", ["mute", "no reminders", "no direct messages", "closed"])
async def test_leaving_is_noticed_at_half_time_whatever_was_chosen(world: World, how: str) -> None:
    table = await world.begin("paris", 3, clock="move", hours=10)
    person = world.person(table, table.waiting()[0])
    if how == "mute":
        await person.slash(world.channel, "match mute")
    elif how == "no reminders":
        await person.slash(world.channel, "settings", remind_hours=0)
    elif how == "no direct messages":
        await person.slash(world.channel, "settings", direct_messages=False)
    else:
        close_dm(world, person)
    before = len(world.posts())
    await world.settled_in(4 * HOUR)
    world.guild.remove_member(person)
    await world.settled_in(1.1 * HOUR)
    assert said(world, "has left the server")
    assert not [m for m in world.posts()[before:] if person.id in pings(world, m)]


@pytest.mark.parametrize("how", ["mute", "plain"])
async def test_leaving_is_noticed_at_the_first_nudge_without_a_clock(
    world: World, how: str
) -> None:
    table = await world.begin("paris", 3)
    person = world.person(table, table.waiting()[0])
    if how == "mute":
        await person.slash(world.channel, "match mute")
    world.guild.remove_member(person)
    await world.settled_in(25 * HOUR)
    assert said(world, "has left the server")


async def test_leaving_is_noticed_when_a_direct_message_is_refused(world: World) -> None:
    """50007 is also what is said of somebody with whom no server is shared any more."""
    table = await world.begin("paris", 3)
    gone = world.person(table, table.waiting()[0])
    new = world.people[3]
    await world.bot.create_dm(new)
    close_dm(world, new)
    await gone.slash(world.channel, "match substitute", user=new)
    assert not said(world, "has left the server"), "only closed"
    await world.env.settle()
    guest = world.people[4]
    await world.bot.create_dm(guest)
    close_dm(world, guest)
    world.env.inject_error(
        "GET", f"/guilds/{world.guild.id}/members/{guest.id}", status=404, code=10007
    )
    await new.slash(world.channel, "match substitute", user=guest)
    assert said(world, "has left the server")


async def test_present_people_are_not_asked_about_at_every_turn(world: World) -> None:
    await world.begin("paris", 3, clock="move", hours=10)
    world.env.http_requests.clear()
    for _ in range(6):
        await world.move()
    assert not [r for r in world.env.http_requests if "/members/" in r.path]


@pytest.mark.parametrize("what", ["command", "press"])
async def test_an_interaction_shows_that_somebody_is_back(world: World, what: str) -> None:
    table = await world.begin("paris", 3, clock="move", hours=10)
    seat = table.waiting()[0]
    person = world.person(table, seat)
    with world.env._bot_scope():
        await world.bot.service.left_server(world.guild.id, person.id)
    await world.settled_in(120)
    assert said(world, "what happens")
    voter = world.person(table, (seat + 1) % 3)
    await voter.slash(world.channel, "board", text=True)
    assert (await world.table()).settings["gone"] == [person.id], "that was somebody else"
    if what == "command":
        await person.slash(world.channel, "board", text=True)
    else:
        await person.click(world.board, label="Skip")
    table = await world.table()
    assert table.settings["gone"] == []
    assert table.waiting() == (seat,)
    assert said(world, "is back")
    post = said(world, "what happens")[-1]
    assert "settled already" in text(await voter.click(post, label="Skip"))
