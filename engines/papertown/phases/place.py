"""Placing the Block in hand (PT-052 to PT-060)."""

from __future__ import annotations

from engines.core.errors import IllegalMove
from engines.core.types import Event, Move, Seat, listing
from engines.papertown.components import KIND_NAMES
from engines.papertown.grid import RANK, SPOTS, read_cell
from engines.papertown.moves import Place
from engines.papertown.patterns import completing, matches
from engines.papertown.phases.claim import claimable
from engines.papertown.state import Last, PaperState

_places: dict[str, Place] = {}


def _move(cell: str) -> Place:
    found = _places.get(cell)
    if found is None:
        found = _places[cell] = Place(cell)
    return found


def beside(state: PaperState, kind: str) -> set[str]:
    """The cells with a side neighbour that shows this kind (PT-053, PT-058)."""
    found: set[str] = set()
    for cell, shown in state.shown.items():
        if shown == kind:
            found.update(SPOTS[cell].sides)
    return found


def open_cells(state: PaperState, kind: str) -> list[str]:
    """Empty cells where a Block of this kind may lie, by column and row (PT-052, PT-053)."""
    around: set[str] = set()
    around.update(*[SPOTS[c].around for c in state.shown], *[SPOTS[c].around for c in state.sealed])
    around.difference_update(state.shown, state.sealed, beside(state, kind))
    return sorted(around, key=RANK.__getitem__)


def cover_cells(state: PaperState, seat: Seat, kind: str) -> list[str]:
    """City cells that may be built over: it completes something claimable (PT-054 to PT-057)."""
    found = {
        cell
        for objective, _ in claimable(state, seat)
        for cell in completing(state.shown, kind, objective, state.symmetry)
        if cell in state.shown
    }
    if found:
        found -= beside(state, kind)
    return sorted(found, key=RANK.__getitem__)


def legal(state: PaperState, seat: Seat) -> list[Move]:
    """Empty cells first, then those to build over."""
    cells = open_cells(state, state.hand) + cover_cells(state, seat, state.hand)
    return [_move(cell) for cell in cells]


def cell_of(word: str) -> str:
    """The cell that a player named.

    Raises:
        IllegalMove: there is no such cell.
    """
    cell = read_cell(word)
    if cell is None:
        raise IllegalMove(
            "PT-009",
            f"There is no cell “{word.strip()[:20]}”. A cell is one or two letters and two digits, "
            "such as N50.",
        )
    return cell


def place(state: PaperState, seat: Seat, move: Place) -> list[Event]:
    """Lay the Block in hand on a cell."""
    cell = cell_of(move.cell)
    kind = state.hand
    spot = SPOTS[cell]
    cover = cell in state.shown
    if cell in state.sealed:
        tile = state.sealed[cell]
        raise IllegalMove(
            "PT-057", f"An objective tile ({tile}) lies on {cell}; nothing is built there any more."
        )
    if not cover and not any(n in state.shown or n in state.sealed for n in spot.around):
        raise IllegalMove(
            "PT-052", f"{cell} touches no Block of the city, neither by a side nor by a corner."
        )
    same = [n for n in spot.sides if state.shown.get(n) == kind]
    if same:
        raise IllegalMove(
            "PT-056" if cover else "PT-053",
            f"A {KIND_NAMES[kind]} Block is next to {cell} (on {listing(same)}). Equal kinds may "
            "meet at corners only.",
        )
    if cover and not any(
        matches(state.shown, cell, kind, objective, state.symmetry)
        for objective, _ in claimable(state, seat)
    ):
        raise IllegalMove(
            "PT-054",
            f"{cell} is taken. You may build over a Block only to complete an objective, and "
            f"a {KIND_NAMES[kind]} Block there completes none of yours.",
        )
    over = state.shown.get(cell, "")
    if cover:
        state.under[cell] = state.under.get(cell, "") + over
    state.shown[cell] = kind
    state.hand = ""
    state.placed = cell
    state.cover = cover
    state.claims = ()
    state.last = Last(seat, "placed", kind, cell, cover)
    state.next_step(seat, "claim")
    return [Event("placed", {"seat": seat, "block": kind, "cell": cell, "over": over})]
