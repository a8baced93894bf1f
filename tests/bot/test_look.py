"""Looking: board, hand, rules, my games, status, log, check of the deal, settings, completion."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from engines.core import surface
from engines.core.registry import games
from tests.bot.table import STALE, World, private, sizes, text


def files(reply: Any) -> list[Any]:
    return [a for m in (reply.response, *reply.followups) if m is not None for a in m.attachments]


async def test_board_as_a_picture(drawn: None, world: World) -> None:
    await world.begin(players=2)
    for person in (world.people[0], world.people[5]):
        reply = await person.slash(world.channel, "board")
        assert private(reply)
        (file,) = files(reply)
        assert file.filename == "board.png"
        assert "Map of Paris" in file.description
        assert "seat:" not in file.description
    focused = await world.people[0].slash(world.channel, "board", player=world.people[1])
    assert len(files(focused)) == 1


@pytest.mark.parametrize(("game", "players"), sizes())
async def test_board_as_text(world: World, game: str, players: int) -> None:
    await world.begin(game, players, seats=players)
    reply = await world.people[-1].slash(world.channel, "board", text=True)
    assert private(reply)
    assert not files(reply)
    assert text(reply).startswith("```\n")
    assert text(reply).endswith("\n```")
    assert len(text(reply)) <= 2000
    assert "Ada" in text(reply)
    assert "{seat:" not in text(reply)


async def test_board_of_somebody_who_does_not_play(world: World) -> None:
    await world.begin(players=2)
    reply = await world.people[0].slash(world.channel, "board", player=world.people[5])
    assert "does not sit at this table" in text(reply)


async def test_board_before_the_start_and_without_a_table(world: World) -> None:
    nothing = await world.people[0].slash(world.channel, "board")
    assert "There is no match here" in text(nothing)
    await world.people[0].slash(world.channel, "paris new")
    lobby = await world.people[0].slash(world.channel, "board")
    assert private(lobby)
    assert "has not started yet" in text(lobby)


async def test_a_table_of_another_channel_is_shown_to_its_players_alone(world: World) -> None:
    await world.begin(players=2)
    other = world.guild.create_text_channel("other")
    mine = await world.people[0].slash(other, "board", match="1", text=True)
    assert "Paris Paris" in text(mine)
    for number in ("1", "2", "#1", "0", "99999"):
        foreign = await world.people[5].slash(other, "board", match=number, text=True)
        assert "You sit at no match with that number" in text(foreign)
    here = await world.people[5].slash(world.channel, "board", match="#1", text=True)
    assert "Paris Paris" in text(here)


# ---- hands ---------------------------------------------------------------------------------------


async def test_hands_of_several_matches(world: World) -> None:
    ada = world.people[0]
    other = world.guild.create_text_channel("other")
    third = world.guild.create_text_channel("third")
    await world.begin(players=2)
    await world.begin(players=3, channel=other)
    one = text(await ada.slash(world.channel, "hand"))
    two = text(await ada.slash(other, "hand"))
    assert "special-route marker" in one
    assert "special-route marker" in two
    which = await ada.slash(third, "hand")
    assert private(which)
    assert "You sit in several matches" in text(which)
    assert "`1`" in text(which)
    assert "`2`" in text(which)
    assert text(await ada.slash(third, "hand", match="2")) == two
    offered = await ada.autocomplete(third, "hand", "match", "")
    assert sorted(c["value"] for c in offered) == ["1", "2"]
    here = await ada.autocomplete(other, "hand", "match", "2")
    assert [c["name"] for c in here] == ["#2 Paris Paris (here)"]
    assert await world.people[5].autocomplete(third, "hand", "match", "") == []
    # Carla sits in one match only: nothing to choose.
    carla = await world.people[2].slash(third, "hand")
    assert "special-route marker" in text(carla)


async def test_a_hand_in_a_direct_message(world: World) -> None:
    ada = world.people[0]
    await world.begin(players=2)
    room = ada.user.dm_channel
    reply = await ada.user.slash("hand", match="1")
    assert "special-route marker" in text(reply)
    assert "special-route marker" in text(await ada.user.slash("hand"))
    listed = await ada.user.slash("mygames")
    assert "`#1`" in text(listed)
    assert room is not None


async def test_a_hand_before_the_start(world: World) -> None:
    await world.people[0].slash(world.channel, "paris new")
    reply = await world.people[0].slash(world.channel, "hand")
    assert private(reply)
    assert "has not started yet" in text(reply)


# ---- rules ---------------------------------------------------------------------------------------


async def test_rules(world: World) -> None:
    person = world.people[5]
    which = await person.slash(world.channel, "rules")
    assert "Which game?" in text(which)
    assert all(g.meta.title in text(which) for g in games().values())
    nowhere = await person.slash(world.channel, "rules", search="PR-041")
    assert "PR-041" in text(nowhere), "the prefix tells the game"
    await world.begin(players=2)
    topics = await person.slash(world.channel, "rules")
    assert "**Paris Paris**" in text(topics)
    for words in ("PR-041", "pr-041", "PR 041", "sack", "grand tour"):
        found = await person.slash(world.channel, "rules", search=words)
        assert private(found)
        assert "Nothing in the rules" not in text(found), words
    nonsense = await person.slash(world.channel, "rules", search="xyzzy")
    assert "Nothing in the rules of Paris Paris fits “xyzzy”" in text(nonsense)
    unknown = await person.slash(world.channel, "rules", game="chess")
    assert "There is no game “chess”" in text(unknown)
    offered = await person.autocomplete(world.channel, "rules", "search", "tour")
    assert 1 <= len(offered) <= 25
    offered = await person.autocomplete(world.channel, "rules", "game", "par")
    assert [c["value"] for c in offered] == ["paris_paris"]


@pytest.mark.parametrize("key", sorted(games()))
async def test_every_rule_can_be_looked_up(world: World, key: str) -> None:
    game = games()[key]
    for rule in game.rules_help():
        reply = await world.people[0].slash(
            world.channel, "rules", search=rule.ids[0], game=game.meta.key
        )
        assert f"**{rule.title}**" in text(reply)
        assert len(text(reply)) <= 2000


# ---- my games and status -------------------------------------------------------------------------


async def test_my_games(world: World) -> None:
    ada, stranger = world.people[0], world.people[5]
    nothing = await stranger.slash(world.channel, "mygames")
    assert "You sit at no table" in text(nothing)
    rooms = [world.channel, *(world.guild.create_text_channel(f"room{i}") for i in range(3))]
    for room in rooms[:3]:
        await world.begin(players=2, channel=room)
    await ada.slash(rooms[3], "paris new")
    lines = text(await ada.slash(world.channel, "mygames")).splitlines()
    mine = []
    for room in rooms[:3]:
        table = await world.table(room)
        assert f"/{world.guild.id}/{room.id}/{table.match.board_message_id}" in "\n".join(lines)
        if table.seats[table.waiting()[0]].user_id == ada.id:
            mine.append(table.match.id)
    assert len(lines) == 5
    first = {0: "Nobody waits", 1: "One table waits"}.get(len(mine), f"{len(mine)} tables wait")
    assert lines[0].startswith(first)
    for line, number in zip(lines[1:], mine, strict=False):
        assert line.startswith(f"➤ `#{number}`"), "those that wait for me come first"
    assert sum(line.startswith("➤") for line in lines) == len(mine)
    assert "waiting for players" in lines[-1] or any("waiting for players" in x for x in lines)
    for message in world.posts():
        assert not message.content.startswith("You sit")


async def test_status(world: World) -> None:
    ada = world.people[0]
    none = await ada.slash(world.channel, "match status")
    assert "There is no match in this channel" in text(none)
    await ada.slash(world.channel, "paris new", seats=2)
    lobby = text(await ada.slash(world.channel, "match status"))
    assert "waiting for players" in lobby
    assert "For 2 players." in lobby
    await world.people[1].slash(world.channel, "match join")
    await ada.slash(world.channel, "match start")
    for _ in range(3):
        reply = await world.people[5].slash(world.channel, "match status")
        assert private(reply)
        assert f"<@{(await world.active()).id}>" in text(reply)
        assert re.search(r"<t:\d+:R>", text(reply))
        await world.move()
    for person in world.people[:2]:
        await person.slash(world.channel, "match end")
    assert "called off" in text(await ada.slash(world.channel, "match status"))


# ---- log and check of the deal -------------------------------------------------------------------


async def test_the_log_in_pages(world: World) -> None:
    ada = world.people[0]
    await ada.slash(world.channel, "paris new")
    empty = await ada.slash(world.channel, "match log")
    assert "Nothing has happened" in text(empty)
    await ada.slash(world.channel, "match end")
    await world.begin(players=2)
    rand = random.Random(3)
    for _ in range(24):
        await world.move(rand, ask=False)
    newest = text(await ada.slash(world.channel, "match log"))
    pages = int(re.findall(r"log page (\d+) of \1", newest)[0])
    assert pages > 1
    told = []
    for page in range(1, pages + 1):
        reply = await world.people[5].slash(world.channel, "match log", page=page)
        assert private(reply)
        assert len(text(reply)) <= 2000
        told += text(reply).splitlines()[1:]
    assert sum("took" in line and "opened a shop" in line for line in told) == 24
    assert told[0].endswith("stacks of tiles wait.") or "starts with the bus" in told[0]
    beyond = await ada.slash(world.channel, "match log", page=pages + 1)
    assert f"{pages} pages" in text(beyond)
    assert "secret" not in "\n".join(told).casefold()


async def test_the_deal_can_be_checked(world: World, seeds: list[str]) -> None:
    seeds.append("5eed" * 16)
    await world.begin(players=2)
    running = text(await world.people[0].slash(world.channel, "match verify"))
    assert "5eed5eed" not in running
    promise = re.findall(r"`([0-9a-f]{64})`", running)[0]
    shown = next(m for m in world.posts() if "Proof that the deal is fair" in m.content)
    assert promise[:16] in shown.content
    await world.move()
    await (world.person(await world.table(), 1 - (await world.table()).waiting()[0])).slash(
        world.channel, "match undo"
    )
    await world.move()
    for person in world.people[:2]:
        await person.slash(world.channel, "match end")
    over = text(await world.people[5].slash(world.channel, "match verify"))
    assert "5eed" * 16 in over
    assert f"Its SHA-256 is the one posted at the start: `{promise}`" in over
    assert "Replayed 3 log entries" in over
    from hashlib import sha256

    assert sha256(bytes.fromhex("5eed" * 16)).hexdigest() == promise, "as anybody can compute it"


async def test_settings(world: World) -> None:
    person = world.people[0]
    assert "**on**" in text(await person.slash(world.channel, "settings"))
    off = await person.slash(world.channel, "settings", direct_messages=False)
    assert private(off)
    assert "**off**" in text(off)
    assert "**off**" in text(await person.slash(world.channel, "settings"))
    assert "**on**" in text(await world.people[1].slash(world.channel, "settings"))
    assert "**on**" in text(await person.slash(world.channel, "settings", direct_messages=True))


# ---- completion ----------------------------------------------------------------------------------


async def test_free_text_is_taken_for_a_value(world: World) -> None:
    """The stop's name alone, without accents, in any case, or its beginning."""
    await world.begin(players=2)
    for how in (str.upper, surface.fold, lambda name: name, lambda name: f"  {name} "):
        person = await world.active()
        offered = await person.autocomplete(world.channel, "paris open", "tile", "")
        names = [c["name"].split(" – ")[0] for c in offered]
        name = next(n for n in names if names.count(n) == 1)
        reply = await person.slash(world.channel, "paris open", tile=how(name))
        assert "Done: Open a shop at" in text(reply) or "say which" in text(reply), text(reply)


async def test_a_beginning_is_enough(world: World) -> None:
    await world.begin(players=2)
    person = await world.active()
    offered = await person.autocomplete(world.channel, "paris open", "tile", "")
    values = [surface.unstamp(c["value"])[0] for c in offered]
    short = next(
        v[:n]
        for v in values
        for n in range(1, len(v))
        if sum(x.startswith(v[:n]) for x in values) == 1
    )
    reply = await person.slash(world.channel, "paris open", tile=short)
    assert text(reply).startswith("Done: ")


async def test_labels_are_taken_for_values(world: World) -> None:
    await world.begin(players=2)
    person = await world.active()
    offered = await person.autocomplete(world.channel, "paris open", "tile", "")
    reply = await person.slash(world.channel, "paris open", tile=offered[0]["name"])
    assert text(reply).startswith("Done: ")


async def test_what_fits_nothing_is_refused_with_what_is_possible(world: World) -> None:
    await world.begin(players=2)
    person = await world.active()
    for tile in ("Rome", "", "louvre/black", "louvre/blue/red", "9", "~", "{seat:0}"):
        reply = await person.slash(world.channel, "paris open", tile=tile)
        assert private(reply)
        assert not text(reply).startswith("Done")
        assert "Rule PR-" in text(reply) or "several" in text(reply)
    assert (await world.table()).match.head_seq == 0


async def test_values_of_another_decision_are_stale(world: World) -> None:
    await world.begin(players=2)
    first = await world.active()
    offered = await first.autocomplete(world.channel, "paris open", "tile", "")
    await first.slash(world.channel, "paris open", tile=offered[0]["value"])
    second = await world.active()
    for person in (first, second):
        late = await person.slash(world.channel, "paris open", tile=offered[1]["value"])
        assert private(late)
        assert STALE in text(late)
        assert "Rule PR-029" in text(late)
    theirs = await second.autocomplete(world.channel, "paris open", "tile", "")
    stolen = await first.slash(world.channel, "paris open", tile=theirs[0]["value"])
    assert not text(stolen).startswith("Done")
    assert (await world.table()).match.head_seq == 1


async def test_the_second_option_knows_the_first(world: World) -> None:
    """Whose shop goes is asked where two players share a stop, and offered for that stop alone."""
    await world.begin(players=2)
    rand = random.Random(9)
    seen = 0
    while (await world.table()).waiting():
        table = await world.table()
        seat = table.waiting()[0]
        person = world.person(table, seat)
        shared = [
            p.args for p, _ in surface.phrases(table.game, table.state, seat) if "remove" in p.args
        ]
        if shared:
            tile = shared[0]["tile"]
            offered = await person.autocomplete(
                world.channel, "paris open", "remove", "", tile=tile
            )
            assert sorted(surface.unstamp(c["value"])[0] for c in offered) == sorted(
                a["remove"] for a in shared if a["tile"] == tile
            )
            missing = await person.slash(world.channel, "paris open", tile=tile)
            assert "PR-041" in text(missing)
            seen += 1
            if seen == 3:
                return
        await world.move(rand, ask=False)
    assert seen
