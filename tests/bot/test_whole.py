"""One match of every game from the lobby to the final ranking, by slash commands and by buttons."""

from __future__ import annotations

import importlib
import random
from typing import Any

import pytest

from engines.core import surface
from engines.core.registry import games
from tests.bot.table import SELECT, World, parts, text
from tests.bot.test_match import finish

SEATS = {"palermo": 3, "papa_paolo": 2, "papertown": 2, "paris_paris": 3, "pizzachef": 3}
"""Few players, short matches; three where a third one matters (the sack, cards with targets)."""


def chooser(key: str) -> Any:
    """How the game's recorded matches are played: sensibly enough to come to an end."""
    module = importlib.import_module(f"tests.engines.{key}.conformance")

    def any_move(game: Any, state: Any, rand: random.Random) -> tuple[int, Any]:
        seat = rand.choice(game.waiting(state))
        return seat, rand.choice(list(game.legal(state, seat)))

    return getattr(module, "CHOOSE", any_move)


async def by_slash(world: World, seat: int, phrase: Any) -> None:
    """The move typed as a command."""
    table = await world.table()
    command = f"{table.game.meta.command} {phrase.command}"
    reply = await world.person(table, seat).slash(world.channel, command, **phrase.args)
    assert text(reply).startswith("Done: "), (phrase, text(reply))


async def by_buttons(world: World, seat: int, phrase: Any) -> None:
    """The move picked from *My move*."""
    table = await world.table()
    game, state = table.game, table.state
    view = game.view(state, seat)
    person = world.person(table, seat)
    reply = await person.click(world.board, label="My move")
    path: list[str] = []
    for _ in range(20):
        step, path = surface.pick(game, state, seat, path)
        if step.move is not None:
            break
        if not step.command:
            answer = phrase.command
        elif step.facet:
            answer = game.facet(view, step.command, step.param, phrase.args[step.param])
        else:
            answer = phrase.args.get(step.param, "")
        for _ in range(20):
            (select,) = [c for c in parts(reply.response) if c["type"] == SELECT]
            if (answer or "-") in [o["value"] for o in select["options"]]:
                break
            more = next(c for c in parts(reply.response) if c.get("label", "").startswith("More"))
            reply = await person.click(reply.response, custom_id=more["custom_id"])
        reply = await person.select(reply.response, [answer or "-"])
        path = [*path, "@" + answer if step.facet else answer]
    done = await person.click(reply.response, label="Confirm")
    assert text(done).startswith("Done: "), (phrase, text(done))


@pytest.mark.parametrize("way", [by_slash, by_buttons])
@pytest.mark.parametrize("key", list(games()))
async def test_from_the_lobby_to_the_final_ranking(world: World, key: str, way: Any) -> None:
    game = games()[key]
    players = SEATS.get(key, min(game.meta.seats))
    await world.begin(game.meta.command, players, seats=players)
    rand = random.Random(f"whole {key}")
    choose = chooser(key)
    used: set[str] = set()
    for _ in range(3000):
        table = await world.table()
        if not table.waiting():
            break
        seat, move = choose(game, table.state, rand)
        phrase = game.phrase(move)
        used.add(phrase.command + ("" if seat in table.waiting() else " off-turn"))
        await way(world, seat, phrase)
    assert (await world.table()).match.status == "finished"
    await finish(world)
    if key == "pizzachef":
        assert {"card off-turn", "reserve off-turn"} <= used
