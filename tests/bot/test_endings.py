"""Matches of two that end before their last move, and what is told of them afterwards."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from bot.cli import main
from engines.core.registry import games
from storage.ratings import MU, SIGMA, rated
from tests.bot.table import World, private, text
from tests.bot.test_care import late
from tests.bot.test_replay import exported

PAIRS = sorted(game.meta.command for game in games().values() if 2 in game.meta.seats)


async def resigned(world: World) -> tuple[Any, Any]:
    """Who sits on seat 0 gives up: (winner, loser)."""
    table = await world.table()
    loser, winner = (world.person(table, seat) for seat in (0, 1))
    asked = await loser.slash(world.channel, "match resign")
    await loser.click(asked.response, label="Yes, I give up")
    return winner, loser


async def on_time(world: World) -> tuple[Any, Any]:
    """Who is to act lets the time run out: (winner, loser)."""
    loser, (winner,), post = await late(world)
    await winner.click(post, label="Take the win")
    return winner, loser


@pytest.mark.parametrize("game", PAIRS)
@pytest.mark.parametrize(
    ("way", "why"), [(resigned, "resigned"), (on_time, "out of time")], ids=["resigned", "time"]
)
async def test_what_is_told_afterwards(
    world: World, game: str, way: Any, why: str, tmp_path: Path, capsys: Any
) -> None:
    await world.begin(game, 2, seats=2, clock="move", hours=24)
    rand = random.Random(f"ends {game}")
    for _ in range(3):
        await world.move(rand, ask=False)
    winner, loser = await way(world)
    assert (await world.table()).match.status == "finished"

    last, recap = world.posts()[-2:]
    assert "wins" in last.content
    assert "how it went" in recap.content
    assert f"1. **{winner.user.name}**\n2. **{loser.user.name}** ({why})" in recap.content
    assert [a.filename for a in recap.attachments] == ["recap.png"]
    opened = await winner.click(recap, label="Replay")
    assert private(opened)

    status = text(await winner.slash(world.channel, "match status"))
    assert "finished" in status
    story = text(await winner.slash(world.channel, "match log"))
    assert f"**{winner.user.name}** wins" in story.splitlines()[-1]
    told = text(await loser.slash(world.channel, "match verify"))
    assert "every position is the recorded one" in told
    path = await exported(world, tmp_path)
    assert main(["replay", str(path)]) == 0
    assert "every position as recorded" in capsys.readouterr().out

    after = rated([(MU, SIGMA)] * 2, [1, 2])
    rows = {r.user_id: (r.mu, r.sigma) for r in await world.bot.store.ratings(world.guild.id)}
    assert rows == {winner.id: after[0], loser.id: after[1]}
    theirs = text(await loser.slash(world.channel, "stats"))
    assert "1 match, 0 wins, 1× place 2, 1 not played out, rating" in theirs
    mine = text(await winner.slash(world.channel, "stats"))
    assert "1 match, 1 win, 1 not played out, rating" in mine
    server = text(await winner.slash(world.channel, "stats", server=True))
    assert server.startswith("**1 match with a result on this server**")
    # The channel is free again.
    again = await loser.slash(world.channel, f"{game} new")
    assert "is open" in text(again)


async def test_given_up_before_the_first_move(drawn: None, world: World) -> None:
    """The animation has one picture."""
    await world.begin("paris", 2, seats=2)
    await resigned(world)
    recap = world.posts()[-1]
    assert "(resigned)" in recap.content
    assert len(recap.attachments) == 1
