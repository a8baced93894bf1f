"""Whole matches through the bot, of every game in the registry."""

from __future__ import annotations

import random

import pytest

from tests.bot.table import World, idents, sizes, text

CAP, CAP_BUTTONS = 50, 16
"""Moves after which a test has seen enough and the players call the match off; a move by buttons
is three presses or more. ``test_whole`` plays one match of every game to its end."""


async def finish(world: World) -> None:
    """What a table looks like when the match is over, by itself or by its players' votes."""
    table = await world.table()
    if table.match.status == "active":
        for seat in table.seats:
            await world.person(table, seat.seat).slash(world.channel, "match end")
        assert (await world.table()).match.status == "ended"
    else:
        assert table.match.status == "finished"
        last, recap = world.posts()[-2:]
        assert "Final ranking" in last.content
        assert "how it went" in recap.content
        assert [file.filename for file in recap.attachments] == ["recap.png"]
        assert [i.split(":")[1] for i in idents(recap)] == ["replay", "rules"]
        assert not world.pings(recap)
        assert all(seat.name in recap.content for seat in table.seats)
        assert all(seat.name in last.content for seat in table.seats)
        assert not world.pings(last)
    table = await world.table()
    last = world.posts()[-1 if table.match.status == "ended" else -2]
    assert table.match.seed in last.content, "everybody can check the deal"
    assert [i.split(":")[1] for i in idents(last)] == ["rules"]
    assert not world.live()
    told = text(await world.people[0].slash(world.channel, "match verify"))
    assert "every position is the recorded one" in told
    assert "**is not**" not in told


@pytest.mark.parametrize(("game", "players"), sizes())
async def test_a_whole_match_by_slash_commands(world: World, game: str, players: int) -> None:
    await world.begin(game, players, seats=players)
    rand = random.Random(f"slash {game} {players}")
    moves = 0
    while (await world.table()).waiting() and moves < CAP:
        assert len(world.live()) == 1
        await world.move(rand, ask=moves % 5 == 0)
        moves += 1
    await finish(world)


@pytest.mark.parametrize(("game", "players"), sizes())
async def test_a_whole_match_by_buttons(world: World, game: str, players: int) -> None:
    host = world.people[0]
    await host.slash(world.channel, f"{game} new", seats=players)
    for person in world.people[1:players]:
        joined = await person.click(world.board, label="Join")
        assert joined.ephemeral
        assert "You sit at the table" in text(joined)
    started = await host.click(world.board, label="Start")
    assert text(started) == "The match has begun."
    rand = random.Random(f"buttons {game} {players}")
    moves = 0
    while (await world.table()).waiting() and moves < CAP_BUTTONS:
        assert len(world.live()) == 1
        await world.click_move(rand)
        moves += 1
    await finish(world)


async def test_a_match_with_real_pictures(drawn: None, world: World) -> None:
    """The posts of a few turns carry the board, described, and private ones stay private."""
    await world.begin("paris", 3)
    for _ in range(4):
        await world.click_move()
    boards = [m for m in world.posts() if m.attachments]
    assert len(boards) == 5
    for message in boards:
        (file,) = message.attachments
        assert file.filename == "board.png"
        assert "Map of Paris" in file.description
        assert len(await file.read()) > 20_000
