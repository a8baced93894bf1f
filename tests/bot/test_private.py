"""Who may see what: the match that is meant in channels and direct messages, spectators, and people
who have given up their seat."""

from __future__ import annotations

from typing import Any

import pytest

from bot.posts import board_words
from bot.service import Table
from render.kit.encode import Picture
from tests.bot.table import World, ident, parts, private, text

DOT = Picture(b"dot", 1, 1)

NOT_MINE = "You sit at no match with that number"


async def two(world: World) -> tuple[Any, Table, Any, Table]:
    """Ada sits in two matches; returns each channel with its match."""
    other = world.guild.create_text_channel("other")
    first = await world.begin("paris", 2)
    second = await world.begin("paris", 3, channel=other)
    return world.channel, first, other, second


def hand_of(table: Table, person: Any) -> str:
    """The line of a hand that tells it from others."""
    seat = table.seat_of(person.id)
    assert seat is not None
    hand = table.hand(seat)
    assert hand is not None
    return str(hand.lines[0])


# ---- which match ---------------------------------------------------------------------------------

LOOKING = ("match status", "match log", "match verify", "match replay", "board", "hand")
CARE = ("match mute", "match vacation", "match pause", "match undo", "match resign")


@pytest.mark.parametrize("command", [*LOOKING, *CARE])
async def test_in_a_direct_message_the_match_is_named(world: World, command: str) -> None:
    _, first, _, second = await two(world)
    ada, stranger = world.people[0], world.people[5]
    which = await ada.user.slash(command)
    assert "You sit in several matches" in text(which)
    for table in (first, second):
        assert f"`{table.match.id}`" in text(which)
        named = await ada.user.slash(command, match=str(table.match.id))
        assert "You sit in several" not in text(named)
        assert NOT_MINE not in text(named)
    offered = await ada.user.autocomplete(command, "match", "")
    assert sorted(c["value"] for c in offered) == [str(first.match.id), str(second.match.id)]
    assert await stranger.user.autocomplete(command, "match", "") == []
    assert NOT_MINE in text(await stranger.user.slash(command, match=str(first.match.id)))
    assert "you sit in no other one" in text(await stranger.user.slash(command))
    # Carla sits in one only.
    assert "You sit in several" not in text(await world.people[2].user.slash(command))


async def test_what_is_answered_is_of_the_named_match(world: World) -> None:
    here, first, there, second = await two(world)
    ada = world.people[0]
    for table in (first, second):
        number = str(table.match.id)
        assert f"match #{number}" in text(await ada.user.slash("match status", match=number))
        assert hand_of(table, ada) in text(await ada.user.slash("hand", match=number))
    # In a channel it is the channel's, unless another one is named.
    assert f"match #{second.match.id}" in text(await ada.slash(there, "match status"))
    named = await ada.slash(there, "match status", match=str(first.match.id))
    assert f"match #{first.match.id}" in text(named)
    assert hand_of(second, ada) in text(await ada.slash(there, "hand"))
    assert hand_of(first, ada) in text(await ada.slash(here, "hand"))
    muted = await ada.user.slash("match mute", match=str(second.match.id))
    assert "not remind you" in text(muted)
    assert (await world.table(there)).settings["muted"] == [ada.id]
    assert "muted" not in (await world.table()).settings


async def test_commands_that_need_the_channel_say_so(world: World) -> None:
    ada = world.people[0]
    for command in ("match join", "match leave", "match start", "match end", "match settings"):
        assert "There is no match" in text(await ada.user.slash(command)), command


async def test_resigning_in_a_direct_message(world: World) -> None:
    await two(world)
    ada = world.people[0]
    asked = await ada.user.slash("match resign", match="1")
    done = await ada.user.click(asked.response, label="Yes, I give up")
    assert "You have resigned" in text(done)
    assert (await world.table()).match.status == "finished"


async def test_managing_one_channel_is_not_managing_another(world: World) -> None:
    """Whoever manages the channel they are in decides nothing about a match elsewhere."""
    import discord
    from simcord.backend.models import Overwrite

    _, first, other, _ = await two(world)
    bruno = world.people[1]
    world.env.backend.set_overwrite(
        other.id,
        Overwrite(
            target_id=bruno.id,
            type=1,
            allow=discord.Permissions(manage_channels=True).value,
            deny=0,
        ),
    )
    noted = await bruno.slash(other, "match pause", match=str(first.match.id))
    assert "Still to agree: Ada" in text(noted)
    assert (await world.table()).match.status == "active"
    assert "paused" in text(await bruno.slash(other, "match pause"))
    assert (await world.table(other)).match.status == "paused"


# ---- spectators ----------------------------------------------------------------------------------


async def test_a_spectator_sees_what_everybody_sees(world: World) -> None:
    table = await world.begin("paris", 3)
    await world.move()
    table = await world.table()
    stranger = world.people[5]
    shown = await stranger.slash(world.channel, "board", text=True)
    assert text(shown) == board_words(table, table.view(None))
    secrets = [hand_of(table, p) for p in world.people[:3]]
    for command in ("board", "hand", "match status", "match log", "match replay", "mygames"):
        reply = await stranger.slash(world.channel, command)
        assert private(reply)
        assert not [s for s in secrets if s in text(reply)], command
    assert "do not sit" in text(await stranger.slash(world.channel, "hand"))
    for label in ("My hand", "My move", "Undo"):
        assert "do not sit" in text(await stranger.click(world.board, label=label))
    replay = await stranger.slash(world.channel, "match replay")
    assert "as everybody saw it" in text(replay)


# ---- somebody who has given up the seat ----------------------------------------------------------


async def replaced(world: World) -> tuple[Any, Any, dict[str, Any]]:
    """The player to act opens everything private there is, and then gives the seat to another.

    Returns:
        Both, and what was opened.
    """
    await world.begin("paris", 3)
    await world.move()
    old, new = await world.active(), world.people[3]
    opened = {
        "hand": world.board,
        "picker": await old.click(world.board, label="My move"),
        "replay": await old.slash(world.channel, "match replay"),
        "resign": await old.slash(world.channel, "match resign"),
    }
    opened["confirm"] = await world.pick(person=old)
    await old.slash(world.channel, "match substitute", user=new)
    return old, new, opened


async def test_old_private_messages_open_nothing_any_more(world: World) -> None:
    old, new, opened = await replaced(world)
    table = await world.table()
    secret = hand_of(table, new)
    board, head = opened["hand"], table.match.head_seq
    said = [
        await world.press(old, board, ident(board, "My hand"), components=raw_of(board)),
        await old.click(world.board, label="My hand"),
        await old.click(world.board, label="My move"),
        await old.click(world.board, label="Undo"),
        await old.click(opened["confirm"].response, label="Confirm"),
        await old.click(opened["resign"].response, label="Yes, I give up"),
        await old.slash(world.channel, "hand"),
        await old.user.slash("hand", match=str(table.match.id)),
        await old.user.slash("board", match=str(table.match.id)),
    ]
    for reply in said:
        assert "do not sit" in text(reply) or NOT_MINE in text(reply) or "moved on" in text(reply)
        assert secret not in text(reply)
    (select,) = [c for c in parts(opened["picker"].response) if c["type"] == 3]
    stale = await old.select(opened["picker"].response, [select["options"][0]["value"]])
    assert "do not sit" in text(stale)
    assert (await world.table()).match.head_seq == head
    assert (await world.table()).match.status == "active"
    assert old.id not in [s.user_id for s in (await world.table()).seats]


def raw_of(message: Any) -> list[dict[str, Any]]:
    return [line.to_dict() for line in message.components]


async def test_an_old_replay_goes_on_as_everybody_sees_it(world: World) -> None:
    old, _, opened = await replaced(world)
    assert "as you saw it" in text(opened["replay"])
    message = opened["replay"].response
    await old.click(message, label="Forward")
    shown = next(m for m in world.channel.history(viewer=old) if m.id == message.id)
    assert "as everybody saw it" in shown.content
    log = await old.slash(world.channel, "match log")
    assert "opened a shop" in text(log), "what everybody may read"
    refused = await old.user.slash("match replay", match="1")
    assert NOT_MINE in text(refused)
    assert "`#1`" not in text(await old.slash(world.channel, "mygames"))


async def test_the_record_of_a_match_that_is_over_is_for_its_channel_and_its_players(
    world: World,
) -> None:
    old, new, _ = await replaced(world)
    refused = await old.slash(world.channel, "match export")
    assert "when the match is over" in text(refused)
    for person in (world.people[0], world.people[1], world.people[2], new):
        if person is not old:
            await person.slash(world.channel, "match end")
    assert (await world.table()).match.status == "ended"
    assert NOT_MINE in text(await old.user.slash("match export", match="1"))
    assert "seed and every move" in text(await new.user.slash("match export", match="1"))


async def test_after_resigning_too(world: World) -> None:
    await world.begin("paris", 3)
    person = await world.active()
    asked = await person.slash(world.channel, "match resign")
    board = world.board
    await person.click(asked.response, label="Yes, I give up")
    for label in ("My hand", "My move"):
        reply = await world.press(person, board, ident(board, label), components=raw_of(board))
        assert "do not sit" in text(reply)
    assert "do not sit" in text(await person.slash(world.channel, "hand"))
    assert NOT_MINE in text(await person.user.slash("hand", match="1"))
    assert len(person.user.dm_channel.history()) == 1


@pytest.mark.parametrize("what", ["board", "hand", "replay", "picker", "button"])
async def test_a_seat_that_changes_hands_while_the_picture_is_drawn(
    world: World, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    table = await world.begin("paris", 3)
    old = await world.active()
    new = world.people[3]
    service, pictures = world.bot.service, world.bot.pictures
    real = pictures.board
    drawn = []

    async def slow(*args: Any, **more: Any) -> Any:
        if not drawn:
            drawn.append(1)
            await service.substitute(table.match.id, old.id, new.id, "Dario")
            return DOT
        return await real(*args, **more)

    monkeypatch.setattr(pictures, "board", slow)
    monkeypatch.setattr(pictures, "hand", slow)
    secret = hand_of(table, old)
    if what == "board":
        reply = await old.slash(world.channel, "board")
    elif what == "hand":
        reply = await old.slash(world.channel, "hand")
    elif what == "button":
        reply = await old.click(world.board, label="My hand")
    elif what == "replay":
        reply = await old.slash(world.channel, "match replay")
    else:
        reply = await old.click(world.board, label="My move")
    assert drawn
    assert (await world.table()).seat_of(old.id) is None
    assert secret not in text(reply)
    found = [m for m in world.channel.history(viewer=old) if m.flags.ephemeral]
    assert not [m for m in found if m.attachments]
    if what != "picker":
        assert "do not sit at this table any more" in text(reply)
