"""Seats that play by themselves: every match comes to its end, from wherever people leave it."""

from __future__ import annotations

import random
from typing import Any

from engines.core.play import apply_one, play, start
from tests.conformance.hooks import Case
from tests.conformance.test_moves import samples
from tests.conformance.walk import Walk, told

LONGEST = 1000
"""Moves within which automatic players alone end any match."""


def played_out(game: Any, state: Any, rand: random.Random) -> list[Any]:
    """The moves of automatic players until the end, whichever of those who owe moves first."""
    moves: list[Any] = []
    while state.ended is None:
        assert len(moves) < LONGEST, f"no end; the last moves: {moves[-12:]}"
        seat = rand.choice(game.waiting(state))
        moves.append(game.safest(state, seat))
        state = play(game, state, seat, moves[-1]).state
    return moves


def test_automatic_players_alone_end_a_match(case: Case) -> None:
    for number in range(3):
        rand = random.Random(f"{case!r} {number}")
        seed = f"{rand.getrandbits(64):016x}"
        state, _ = start(case.game, case.seats, case.options, seed=seed)
        assert played_out(case.game, state, rand), "a match without a move"


def test_automatic_players_alone_end_a_match_that_people_left(case: Case) -> None:
    """Positions of random play are stranger than those of sensible players."""
    walk = Walk(case, 300)
    with told(walk):
        left = samples(case, 24)
        while walk.state.ended is None and left:
            played_out(case.game, walk.state, walk.rand)
            left -= 1
            for _ in range(walk.rand.randint(1, 40)):
                if walk.state.ended is None:
                    walk.step()


def test_what_skips_a_seat_is_taken_and_leads_on(case: Case) -> None:
    """``skip`` and ``safest`` are accepted wherever a seat owes something, and few of them free the
    seat: nobody is skipped for ever."""
    game = case.game
    walk = Walk(case, 301)
    with told(walk):
        left = samples(case, 60)
        while walk.state.ended is None and left:
            left -= 1
            for seat in game.waiting(walk.state):
                state, steps = walk.state, 0
                known = {d.id for d in state.pending if d.seat != seat}
                while seat in game.waiting(state) and all(
                    d.seat == seat or d.id in known for d in state.pending
                ):
                    assert steps < 40, f"seat {seat} still owes {state.decision_of(seat)}"
                    state, _ = apply_one(game, state, seat, game.skip(state, seat))
                    steps += 1
                    if case.seats == 1:
                        break
            for _ in range(walk.rand.randint(1, 12)):
                if walk.state.ended is None:
                    walk.step()
