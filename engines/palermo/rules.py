"""Who may do what now, and which phase carries it out."""

from __future__ import annotations

from typing import Any

from engines.core.errors import IllegalMove, NotYourTurn
from engines.core.types import Event, Move, Seat
from engines.palermo.components import NAMES, SPACES, spread
from engines.palermo.ends import Field, search
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
    Walk,
)
from engines.palermo.phases import building, collecting, police, trips
from engines.palermo.state import PalermoState


def legal(state: PalermoState, seat: Seat) -> list[Any]:
    """Every move open to the seat, in a stable order."""
    if state.ended is not None or not 0 <= seat < state.seats:
        return []
    if not state.walking:
        return list(building.legal(state)) if seat == state.acting else []
    return collecting.legal(state, seat)


def apply(state: PalermoState, seat: Seat, move: Move) -> list[Event]:
    """Carry a move out.

    Raises:
        MoveError: it is refused; names the rule.
    """
    if state.ended is not None:
        raise IllegalMove("PL-118", "The game is over.")
    if not 0 <= seat < state.seats:
        raise NotYourTurn("PL-003", "You do not play in this match.")
    if isinstance(move, AutoWait):
        if not state.walking:
            raise IllegalMove("PL-119", "Nobody waits yet: the city is still being built.")
        return collecting.auto_wait(state, seat, move)
    turn = state.acting
    if seat != turn:
        raise _not_now(state, seat, move)
    if not state.walking:
        return _build(state, seat, move)
    return _collect(state, seat, move)


def _not_now(state: PalermoState, seat: Seat, move: Move) -> NotYourTurn:
    who = f"It is the turn of {{seat:{state.acting}}}."
    if not state.walking:
        return NotYourTurn("PL-023", f"It is not your turn to build. {who}")
    trip = state.last_trip
    if isinstance(move, PoliceCell) and trip is not None and trip.seat == seat:
        return NotYourTurn(
            "PL-051", f"The stone moves once a turn, and only before the pawn. {who}"
        )
    return NotYourTurn("PL-046", f"It is not your turn. {who}")


def _build(state: PalermoState, seat: Seat, move: Move) -> list[Event]:
    if isinstance(move, PlaceStart):
        return building.place_start(state, seat, move)
    if isinstance(move, BuildDoor):
        return building.build(state, seat, move)
    if isinstance(move, PoliceKeep):
        raise IllegalMove("PL-023", "A tile must be laid in every building turn; nobody passes.")
    what = "the Start/Finish tile" if state.start < 0 else "a house tile with your chip"
    raise IllegalMove(
        "PL-002", f"Pawns and stones move only when the city is built. Now lay {what}."
    )


def _collect(state: PalermoState, seat: Seat, move: Move) -> list[Event]:
    if isinstance(move, (PlaceStart, BuildDoor)):
        raise IllegalMove("PL-002", "The city is built; all 36 spaces hold a tile.")
    if isinstance(move, PoliceCell):
        happened = police.move_stone(state, seat, move)
        return happened + collecting.after_police(state, seat)
    if isinstance(move, PoliceKeep):
        return collecting.keep(state, seat)
    if state.home[seat]:
        raise IllegalMove(
            "PL-117",
            "Your pawn is home and stays at the fountain. You may move your stone, keep it, or "
            "wait automatically.",
        )
    if isinstance(move, Collect):
        happened = trips.collect(state, seat, move)
    elif isinstance(move, Finish):
        happened = trips.go_home(state, seat)
    elif isinstance(move, MoveCell):
        happened = trips.move_to(state, seat, move)
    elif isinstance(move, Walk):
        happened = trips.walk(state, seat, move)
    elif isinstance(move, Step):
        happened = trips.step(state, seat, move)
    else:
        raise IllegalMove("PL-052", "Your pawn must move in your turn.")
    if state.trail:
        return happened
    return happened + collecting.after_trip(state, seat)


def safest(state: PalermoState, seat: Seat) -> Any:
    """For a player who is away: build near the fountain, collect the most, else come nearer."""
    moves = legal(state, seat)
    if not state.walking:
        if state.start < 0:
            return next(m for m in moves if m.space == "C3")
        return min(moves, key=lambda m: _spread_of(state, m))
    if state.home[seat]:
        return PoliceKeep()
    ground = trips.field(state, seat)
    ends = search(ground)
    if ends.stops:
        best = max(sorted(ends.stops), key=lambda cell: ends.stops[cell])
        return Collect(NAMES[best])
    if ends.finish is not None:
        return Finish()
    cells = [m for m in moves if isinstance(m, MoveCell)]
    if len(cells) < 2:
        return cells[0] if cells else moves[0]
    return min(cells, key=lambda m: _still_to_go(ground, m.cell))


def _spread_of(state: PalermoState, move: BuildDoor) -> int:
    space = SPACES.index(move.space)
    dx = abs(space % 6 - state.start % 6)
    dy = abs(space // 6 - state.start // 6)
    return dx + dy


def _still_to_go(ground: Field, name: str) -> int:
    """Steps from a cell to the nearest doorway, or home, pawns and stones not counted."""
    goals = ground.chips or ground.goal
    reached, seen = 0, 1 << NAMES.index(name)
    while not seen & goals and reached < trips.FAR:
        grown = seen | spread(seen) & ground.streets
        if grown == seen:
            break
        seen = grown
        reached += 1
    return reached
