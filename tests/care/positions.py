"""A position for every kind of decision that a game asks for, with the moves that lead to it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from engines.core.play import Step, play, start
from engines.core.registry import games
from tests.conformance.hooks import hook

WALKS = 40
"""Walks in search of a decision; the rarest is met in the first ten."""

LENGTH = 500
"""Moves of one walk."""


class Kind:
    """A kind of decision that somebody owes, alone or together with others."""

    def __init__(self, key: str, seats: int, kind: str, together: bool) -> None:
        self.key, self.seats, self.kind, self.together = key, seats, kind, together

    def __repr__(self) -> str:
        return f"{self.key}-{self.seats}-{self.kind}" + ("-together" if self.together else "")


class Position:
    """A position and how it came about.

    Attributes:
        seed: of the match.
        options: of the game.
        state: the position.
        steps: from the start.
        seat: who owes the decision.
    """

    def __init__(
        self, seed: str, options: dict[str, Any], state: Any, steps: tuple[Step, ...], seat: int
    ) -> None:
        self.seed, self.options, self.state = seed, options, state
        self.steps, self.seat = steps, seat


def tables() -> list[tuple[str, int]]:
    """Every game with its smallest, middle and largest number of players, solo apart."""
    found = []
    for key, game in games().items():
        counts = [n for n in game.meta.seats if n > 1]
        found += [(key, n) for n in sorted({counts[0], counts[len(counts) // 2], counts[-1]})]
    return found


def variants(key: str, seats: int) -> list[dict[str, Any]]:
    """The option sets that a game is tried with."""
    sets = hook(key, "OPTION_SETS", [(None, {})])
    return [options for count, options in sets if count in (None, seats)] or [{}]


@cache
def positions(key: str, seats: int) -> dict[tuple[str, bool], Position]:
    """(kind, whether several owe at once) → the position with the fewest moves that was met.

    Walks go on until every kind has been met that the game declares.
    """
    found: dict[tuple[str, bool], Position] = {}
    wanted = set(games()[key].decisions(seats))
    for number in range(WALKS):
        for position in walk(key, seats, number):
            waiting = games()[key].waiting(position.state)
            for seat in waiting:
                decision = position.state.decision_of(seat)
                name = (decision.kind, len(waiting) > 1)
                if name not in found or len(found[name].steps) > len(position.steps):
                    found[name] = Position(
                        position.seed, position.options, position.state, position.steps, seat
                    )
        if number >= 3 and wanted <= {kind for kind, _ in found}:
            break
    return found


def walk(key: str, seats: int, number: int) -> Iterator[Position]:
    """Positions of a match that is played at random, sensibly, curiously or as its hooks say."""
    game, rand = games()[key], random.Random(f"{key} {seats} {number}")
    sets = variants(key, seats)
    options = sets[number % len(sets)]
    seed = f"{rand.getrandbits(256):064x}"
    # As the match service does: colours are always given, empty ones are chosen by default.
    state, _ = start(game, seats, {**options, "colours": [""] * seats}, seed=seed)
    steps: tuple[Step, ...] = ()
    made: Counter[str] = Counter()
    for _ in range(LENGTH):
        if state.ended is not None:
            return
        yield Position(seed, options, state, steps, game.waiting(state)[0])
        seat, move = chosen(game, state, rand, made, number)
        made[move.kind] += 1
        played = play(game, state, seat, move)
        state, steps = played.state, steps + played.steps


def chosen(
    game: Any, state: Any, rand: random.Random, made: Counter[str], number: int
) -> tuple[int, Any]:
    """Somebody's move, in the manner of the walk."""
    own = hook(game.meta.key, "CHOOSE")
    if number % 4 == 3 and own is not None:
        seat, move = own(game, state, rand)
        return int(seat), move
    seat = rand.choice(game.waiting(state))
    moves = [m for m in game.legal(state, seat) if m.kind != "give_up"]
    if number % 4 == 1 and rand.random() < 0.8:
        return seat, game.safest(state, seat)
    if number % 4 == 2 and rand.random() < 0.6:
        rare = min(made[m.kind] for m in moves)
        return seat, rand.choice([m for m in moves if made[m.kind] == rare])
    return seat, rand.choice(moves)
