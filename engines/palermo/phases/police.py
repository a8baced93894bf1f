"""The police move (PL-050, PL-051, PL-085 to PL-095)."""

from __future__ import annotations

from functools import cache

from engines.core.errors import IllegalMove
from engines.core.types import Event, Seat
from engines.palermo.components import (
    ALL_MASK,
    NAMES,
    SIDE,
    SPACE_MASKS,
    find_cell,
    spread,
)
from engines.palermo.moves import PoliceCell
from engines.palermo.state import PalermoState, Patrol

_ROW = (1 << SIDE) - 1


_MOVES = tuple(PoliceCell(name) for name in NAMES)


@cache
def _row(row: int, cells: int) -> tuple[PoliceCell, ...]:
    first = row * SIDE
    return tuple([_MOVES[first + x] for x in range(SIDE) if cells >> x & 1])


def targets(state: PalermoState, seat: Seat) -> int:
    """Cells to which the seat's stone may go, as a set (PL-090 to PL-095)."""
    allowed = ALL_MASK ^ int(state.roofs, 16)
    allowed &= ~SPACE_MASKS[state.start]
    others = 0
    for owner, cell in enumerate(state.stones):
        if cell >= 0:
            allowed &= ~(1 << cell)
            if owner != seat:
                others |= 1 << cell
    for cell in state.pawns:
        if cell >= 0:
            allowed &= ~(1 << cell)
    return allowed & ~spread(others)


def legal(state: PalermoState, seat: Seat) -> list[PoliceCell]:
    """All targets, row by row."""
    if state.policed or state.trail or state.frozen_by(seat) is not None:
        return []
    cells = targets(state, seat)
    moves: list[PoliceCell] = []
    row = 0
    while cells:
        if cells & _ROW:
            moves += _row(row, cells & _ROW)
        cells >>= SIDE
        row += 1
    return moves


def move_stone(state: PalermoState, seat: Seat, move: PoliceCell) -> list[Event]:
    """Move the stone.

    Raises:
        IllegalMove: not now, or not there.
    """
    if state.policed:
        raise IllegalMove("PL-050", "Your stone has moved in this turn. Now move your pawn.")
    if state.trail:
        raise IllegalMove(
            "PL-051", "Your pawn has set out. The stone moves once a turn, before the pawn."
        )
    by = state.frozen_by(seat)
    if by is not None:
        whose = "your own pawn" if by == seat else f"the pawn of {{seat:{by}}}"
        raise IllegalMove(
            "PL-087" if by == seat else "PL-086",
            f"Your stone cannot move while {whose} stands on it.",
        )
    cell = find_cell(move.cell)
    if cell is None:
        raise IllegalMove(
            "PL-090", "There is no such cell. Name a street cell such as C4nw, or R1 to R52."
        )
    name = NAMES[cell]
    if int(state.roofs, 16) >> cell & 1:
        raise IllegalMove("PL-090", f"{name} is a house, not a street cell.")
    if SPACE_MASKS[state.start] >> cell & 1:
        raise IllegalMove("PL-092", "The Start/Finish tile stays free of police.")
    if state.stones[seat] == cell:
        raise IllegalMove(
            "PL-095", f"Your stone lies on {name} already. Choose another cell, or leave it."
        )
    if cell in state.pawns:
        owner = state.pawns.index(cell)
        raise IllegalMove(
            "PL-093" if owner == seat else "PL-090",
            f"Your own pawn stands on {name}."
            if owner == seat
            else f"{name} is occupied by the pawn of {{seat:{owner}}}.",
        )
    if cell in state.stones:
        owner = state.stones.index(cell)
        raise IllegalMove("PL-090", f"{name} is occupied by the stone of {{seat:{owner}}}.")
    for owner, other in enumerate(state.stones):
        if owner != seat and other >= 0 and spread(1 << cell) >> other & 1:
            raise IllegalMove(
                "PL-091",
                f"{name} lies edge to edge with the stone of {{seat:{owner}}} on {NAMES[other]}. "
                "Keep at least a corner's distance.",
            )
    before = state.stones[seat]
    state.stones[seat] = cell
    state.last_patrol = Patrol(seat, before, cell)
    return [
        Event("police", {"seat": seat, "from": NAMES[before] if before >= 0 else "", "to": name})
    ]
