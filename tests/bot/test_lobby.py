"""Before and after a match: open, join, leave, colours, start, end, and again."""

from __future__ import annotations

import discord
import pytest
from simcord.backend.models import Overwrite

from engines.core.registry import games
from tests.bot.table import World, ident, private, raw, text


async def test_one_table_a_channel(world: World) -> None:
    host, guest = world.people[:2]
    first = await host.slash(world.channel, "paris new")
    assert private(first)
    assert "The table for Paris Paris is open" in text(first)
    for person in (host, guest):
        again = await person.slash(world.channel, "paris new")
        assert private(again)
        assert "already open in this channel" in text(again)
    assert len(world.posts()) == 1
    other = world.guild.create_text_channel("other")
    elsewhere = await guest.slash(other, "paris new")
    assert "is open" in text(elsewhere)


@pytest.mark.parametrize("game", [g.meta.command for g in games().values()])
async def test_every_game_opens_a_table(world: World, game: str) -> None:
    opened = await world.people[0].slash(world.channel, f"{game} new")
    assert private(opened)
    meta = (await world.table()).game.meta
    post = world.posts()[-1]
    for words in (meta.title, meta.summary, meta.credits, "Ada", "host"):
        assert words in post.content
    assert not world.pings(post)


async def test_the_number_of_seats_can_be_fixed(world: World) -> None:
    host = world.people[0]
    await host.slash(world.channel, "paris new", seats=2)
    assert "At the table (1 of 2)" in world.board.content
    alone = await host.slash(world.channel, "match start")
    assert "1 more player is missing" in text(alone)
    assert "2 players" in text(alone)
    await world.people[1].slash(world.channel, "match join")
    full = await world.people[2].slash(world.channel, "match join")
    assert private(full)
    assert "The table is full: 2 of 2 seats" in text(full)
    assert text(await host.slash(world.channel, "match start")) == "The match has begun."


async def test_too_few_players(world: World) -> None:
    await world.people[0].slash(world.channel, "paris new", seats=4)
    missing = await world.people[0].slash(world.channel, "match start")
    assert "3 more players are missing" in text(missing)
    assert (await world.table()).match.status == "lobby"


async def test_a_full_table(world: World) -> None:
    await world.people[0].slash(world.channel, "paris new")
    for person in world.people[1:4]:
        assert "You sit" in text(await person.slash(world.channel, "match join"))
    full = await world.people[4].click(world.board, label="Join")
    assert "The table is full: 4 of 4" in text(full)


async def test_the_host_leaves_and_the_next_one_is_host(world: World) -> None:
    host, second, third = world.people[:3]
    await host.slash(world.channel, "paris new")
    for person in (second, third):
        await person.slash(world.channel, "match join")
    left = await host.click(world.board, label="Leave")
    assert text(left) == "You have left the table. Bruno is the host now."
    assert "1. Bruno – host" in world.board.content
    assert "Ada" not in world.board.content
    assert "that is Bruno" in text(await third.slash(world.channel, "match start"))
    assert "You sit" in text(await host.slash(world.channel, "match join"))
    assert "3. Ada" in world.board.content
    assert text(await second.slash(world.channel, "match start")) == "The match has begun."


async def test_the_last_one_leaves_and_the_table_is_closed(world: World) -> None:
    host, guest = world.people[:2]
    await host.slash(world.channel, "paris new")
    await guest.slash(world.channel, "match join")
    await host.slash(world.channel, "match leave")
    last = await guest.slash(world.channel, "match leave")
    assert text(last) == "Everybody has left."
    assert "this table is closed" in world.posts()[-1].content
    assert not world.live()
    assert "is open" in text(await guest.slash(world.channel, "paris new"))


async def test_leaving_after_the_start_is_refused(world: World) -> None:
    await world.begin(players=2)
    reply = await world.people[0].slash(world.channel, "match leave")
    assert "`/match end`" in text(reply)
    assert len((await world.table()).seats) == 2


async def test_joining_after_the_start(world: World) -> None:
    await world.people[0].slash(world.channel, "paris new")
    lobby = world.board
    seen = raw(lobby)
    await world.people[1].click(lobby, label="Join")
    await world.people[0].click(lobby, label="Start")
    late = await world.people[2].slash(world.channel, "match join")
    assert text(late) == "The match has already started."
    pressed = await world.press(world.people[2], lobby, ident(lobby, "Join"), components=seen)
    assert private(pressed)
    assert text(pressed) == "The match has already started."
    assert len((await world.table()).seats) == 2


async def test_names_are_shown_as_plain_text(world: World) -> None:
    evil = world.guild.add_member(world.env.create_user("**@everyone** [x](http://x.test)"))
    await evil.slash(world.channel, "paris new")
    await world.people[0].slash(world.channel, "match join")
    await evil.slash(world.channel, "match start")
    for message in world.posts():
        assert "@everyone" not in message.content
        assert "**@" not in message.content
        assert "](http" not in message.content
        assert not message.mention_everyone


# ---- colours -------------------------------------------------------------------------------------


async def test_colours(world: World) -> None:
    host, second, third = world.people[:3]
    await host.slash(world.channel, "paris new", colour="violet")
    taken = await second.slash(world.channel, "match join", colour="violet")
    assert private(taken)
    assert "The colour violet is taken. Free are grey, yellow and green." in text(taken)
    unknown = await second.slash(world.channel, "match join", colour="pink")
    assert "There is no colour “pink”" in text(unknown)
    chosen = await second.slash(world.channel, "match join", colour="  GREEN ")
    assert "Your colour is green." in text(chosen)
    assert "2. Bruno (green)" in world.board.content
    offered = await third.autocomplete(world.channel, "match join", "colour", "")
    assert [c["value"] for c in offered] == ["grey", "yellow"]
    offered = await third.autocomplete(world.channel, "match join", "colour", "ye")
    assert [c["value"] for c in offered] == ["yellow"]
    changed = await second.slash(world.channel, "match join", colour="grey")
    assert "Your colour is grey." in text(changed)
    await third.slash(world.channel, "match join")
    await host.slash(world.channel, "match start")
    table = await world.table()
    assert [s.colour for s in table.seats][:2] == ["violet", "grey"]
    assert len({s.colour for s in table.seats}) == 3
    assert tuple(s.colour for s in table.seats) == table.state.colours
    assert await third.autocomplete(world.channel, "match join", "colour", "") == []


# ---- ends ----------------------------------------------------------------------------------------


async def test_the_end_by_votes(world: World) -> None:
    await world.begin()
    ada, bruno, carla = world.people[:3]
    first = await ada.slash(world.channel, "match end")
    assert "Still to agree: Bruno and Carla." in text(first)
    assert "Ada would like to call this match off" in world.posts()[-1].content
    again = await ada.slash(world.channel, "match end")
    assert "You have already agreed" in text(again)
    await world.move()
    await bruno.slash(world.channel, "match end")
    stranger = await world.people[5].slash(world.channel, "match end")
    assert "Only its players" in text(stranger)
    assert (await world.table()).match.status == "active"
    last = await carla.slash(world.channel, "match end")
    assert "All players agreed" in text(last)
    assert (await world.table()).match.status == "ended"
    assert not world.live()


async def test_the_end_by_a_moderator(world: World) -> None:
    await world.begin()
    stranger = world.people[5]
    refused = await stranger.slash(world.channel, "match end", decide=True)
    assert private(refused)
    assert "Only people who may manage this channel decide that" in text(refused)
    refused = await world.people[0].slash(world.channel, "match end", decide=True)
    assert "Only people who may manage" in text(refused)
    assert "end_votes" not in (await world.table()).settings, "that was no vote"
    world.env.backend.set_overwrite(
        world.channel.id,
        Overwrite(
            target_id=stranger.id,
            type=1,
            allow=discord.Permissions(manage_channels=True).value,
            deny=0,
        ),
    )
    await world.env.settle()
    plain = await stranger.slash(world.channel, "match end")
    assert "Only its players" in text(plain)
    done = await stranger.slash(world.channel, "match end", decide=True)
    assert text(done) == "The match is called off."
    assert (await world.table()).match.status == "ended"


async def test_the_end_of_a_lobby(world: World) -> None:
    host, guest = world.people[:2]
    await host.slash(world.channel, "paris new")
    await guest.slash(world.channel, "match join")
    refused = await guest.slash(world.channel, "match end")
    assert "Only the host closes a table before the start." in text(refused)
    assert text(await host.slash(world.channel, "match end")) == "The match is called off."
    assert "already over" in text(await host.slash(world.channel, "match end"))


async def test_a_new_match_in_the_same_channel(world: World) -> None:
    await world.begin(players=2)
    old = world.board
    seen = raw(old)
    for person in world.people[:2]:
        await person.slash(world.channel, "match end")
    table = await world.begin(players=3)
    assert table.match.id == 2
    assert len(world.live()) == 1
    for label in ("My move", "Undo"):
        late = await world.press(world.people[0], old, ident(old, label), components=seen)
        assert private(late)
    assert (await world.table()).match.head_seq == 0
    await world.click_move()
    assert (await world.table()).match.head_seq == 1
