"""Palermo in the conformance suite: everything is open (PL-003), only the generator is not."""

from __future__ import annotations

import random
from typing import Any

from tests.engines.palermo.players import eager, hostile, small_first

OPEN_GAME = True
"""Nothing but the seed is hidden from anybody."""

OPTION_SETS: list[tuple[int | None, dict[str, Any]]] = [(None, {}), (3, {"youngest": 2})]
STEP_CAP = 20_000
MOVES_PER_SECOND = 10_000
"""Each turn of phase 2 searches all walks of up to 14 points and all cells for the stone, and each
tile is tried on every space against the whole town; about 16,000 were measured."""


class Scrambler:
    """The generator is used for one draw at most, that of the first seat (PL-008); its seed is
    secret until the end. All else lies on the table."""

    def scramble(self, state: Any, viewer: int | None, rand: random.Random) -> Any:
        copy = state.clone()
        copy.rng.seed = f"{rand.getrandbits(128):032x}"
        return copy


def CHOOSE(game: Any, state: Any, rand: random.Random) -> tuple[int, Any]:
    """Random moves would almost never bring a pawn home: the seed decides who plays how."""
    seat = game.waiting(state)[0]
    moves = list(game.legal(state, seat))
    mood = state.rng.seed[-1]
    player = hostile if mood in "01" else small_first if mood in "23456" else eager
    return seat, player(state, moves, rand)


def _home(outcome: Any, events: list[Any]) -> bool:
    kinds = {e.kind for e in events}
    return outcome.reason == "home" and {"stepped", "waits", "kept", "bonus"} <= kinds


GOLDENS: dict[str, Any] = {
    "three_players": (3, {}, _home),
    "four_players": (4, {}, _home),
    "five_players": (5, {}, _home),
    "shared_win": (
        3, {"youngest": 2},
        lambda outcome, events: outcome.reason == "home" and len(outcome.ranking[0]) > 1,
    ),
    "stalemate": (4, {}, lambda outcome, events: outcome.reason == "stalemate"),
    "emergency_street": (
        5, {"colours": ["black", "yellow"]},
        lambda outcome, events: any(
            e.kind == "built" and e.args["stage"] == "street" for e in events
        ),
    ),
}  # fmt: skip
