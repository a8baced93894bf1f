"""Players for whole matches: at random, eager to collect, and as nasty as the rules allow."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from engines.core.play import start
from engines.palermo import GAME
from engines.palermo.moves import (
    AutoWait,
    BuildDoor,
    Collect,
    Finish,
    MoveCell,
    PlaceStart,
    PoliceCell,
    PoliceKeep,
    Step,
)
from engines.palermo.phases import trips
from engines.palermo.phases.building import options
from engines.palermo.state import PalermoState
from tests.engines.palermo.positions import cell

Chooser = Callable[[PalermoState, list[Any], random.Random], Any]


def any_move(state: PalermoState, moves: list[Any], rand: random.Random) -> Any:
    """Each kind of move equally often, so that police moves do not drown the rest."""
    kinds = sorted({type(m).__name__ for m in moves})
    kind = rand.choice(kinds)
    return rand.choice([m for m in moves if type(m).__name__ == kind])


def large_first(state: PalermoState, moves: list[Any], rand: random.Random) -> Any:
    """Builds the tiles with most roofs first."""
    if state.walking or isinstance(moves[0], PlaceStart):
        return eager(state, moves, rand)
    most = max(m.type[0] for m in moves)
    return rand.choice([m for m in moves if m.type[0] == most])


def small_first(state: PalermoState, moves: list[Any], rand: random.Random) -> Any:
    """Builds the tiles with fewest roofs first."""
    if state.walking or isinstance(moves[0], PlaceStart):
        return eager(state, moves, rand)
    least = min(m.type[0] for m in moves)
    return rand.choice([m for m in moves if m.type[0] == least])


def hostile(state: PalermoState, moves: list[Any], rand: random.Random) -> Any:
    """Lays what leaves the fewest placements to the next builder; then puts the stone onto the
    doorways of others and never collects while it can help it."""
    if isinstance(moves[0], PlaceStart):
        return rand.choice([m for m in moves if m.space in ("A1", "F6", "A3", "C3")])
    if isinstance(moves[0], BuildDoor):

        def room(move: BuildDoor) -> int:
            draft = state.clone()
            GAME.apply(draft, draft.acting, move)
            if draft.walking:
                return 0
            return sum(patterns.bit_count() for _, patterns in options(draft).spaces)

        few = rand.sample(moves, min(12, len(moves)))
        return min(few, key=room)
    seat = state.acting
    others = {c for s in range(state.seats) if s != seat for c in trips.doorways(state, s)}
    stones = [m for m in moves if isinstance(m, PoliceCell)]
    nasty = [m for m in stones if cell(m.cell) in others]
    if nasty:
        return rand.choice(nasty)
    rest = [m for m in moves if isinstance(m, (MoveCell, Finish, PoliceKeep))]
    return rand.choice(rest or [m for m in moves if not isinstance(m, AutoWait)])


def eager(state: PalermoState, moves: list[Any], rand: random.Random) -> Any:
    """Puts the stone onto doorways of others, collects, goes home, else comes nearer."""
    seat = state.acting
    if isinstance(moves[0], (PlaceStart, BuildDoor)):
        return rand.choice(moves)
    stones = [m for m in moves if isinstance(m, PoliceCell)]
    if stones and rand.random() < 0.5:
        others = {c for s in range(state.seats) if s != seat for c in trips.doorways(state, s)}
        nasty = [m for m in stones if cell(m.cell) in others]
        return rand.choice(nasty or stones)
    if state.home[seat]:
        return rand.choice([PoliceKeep(), AutoWait(True)])
    if rand.random() < 0.2:
        steps = [m for m in moves if isinstance(m, Step)]
        if steps:
            return rand.choice(steps)
    found = [m for m in moves if isinstance(m, (Collect, Finish))]
    return rand.choice(found) if found else GAME.safest(state, seat)


def game(seats: int, seed: int, *players: Chooser, check: bool = True, cap: int = 30_000) -> Any:
    """A whole match, one chooser a seat (the last one for all others).

    Returns:
        The final state and the building stages that occurred.
    """
    rand = random.Random(f"palermo {seats} {seed}")
    state, _ = start(GAME, seats, seed=f"{seed:08x}")
    stages: list[str] = []
    for _ in range(cap):
        if state.ended is not None:
            return state, stages
        seat = state.acting
        moves = list(GAME.legal(state, seat))
        assert moves, "nobody gets stuck"
        chooser = players[min(seat, len(players) - 1)]
        for event in GAME.apply(state, seat, chooser(state, moves, rand)):
            if event.kind == "built":
                stages.append(event.args["stage"])
        if check:
            GAME.check(state)
    raise AssertionError("no end")
