"""Phase 1: building the city (PL-020 to PL-039)."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from engines.core.errors import IllegalMove
from engines.core.types import Event, Seat, listing
from engines.palermo.components import (
    ALL_MASK,
    NAMES,
    QUARTERS,
    RING_MASK,
    ROOFS,
    SIDE,
    SPACE_CELLS,
    SPACE_MASKS,
    SPACES,
    START,
    STREET,
    TILES,
    TYPES,
    bits,
    find_space,
    spread,
)
from engines.palermo.moves import BuildDoor, PlaceStart
from engines.palermo.phases.collecting import begin
from engines.palermo.state import Built, PalermoState

Stage = Literal["join", "free", "street"]

PATTERNS: tuple[tuple[int, ...], ...] = (
    *((q,) for q in range(4)),
    *((q, (q + 1) % 4) for q in range(4)),
    *tuple(tuple((q + k) % 4 for k in (1, 2, 3)) for q in range(4)),
)
"""The twelve ways in which the roofs of a tile can lie: one, two or three quarters."""
_PATTERN_OF = {
    name: next(i for i, p in enumerate(PATTERNS) if set(p) == set(tile.roofs))
    for name, tile in TILES.items()
    if tile.type in TYPES
}
"""Index of the pattern of each house tile as it lies."""
_OF_TYPE = tuple(sum(1 << _PATTERN_OF[f"{t}/{q}"] for q in QUARTERS) for t in TYPES)
"""The patterns that a type can show."""


class Options(msgspec.Struct, frozen=True):
    """What may be laid now.

    Attributes:
        stage: ``join``, ``free`` or ``street``.
        spaces: (space, allowed patterns as one bit each) for every space with any.
    """

    stage: Stage
    spaces: tuple[tuple[int, int], ...]


# ---- one space -------------------------------------------------------------------------------

# The cells around a free space, as a window of 4 by 4 with the space in its middle.
_CORNER = tuple(cells[0] - SIDE - 1 for cells in SPACE_CELLS)
_INNER = (5, 6, 10, 9)


def _window(mask: int, space: int) -> int:
    """16 bits of a set of cells: the space and what is around it, row by row."""
    mask >>= _CORNER[space]
    return (
        mask & 15
        | (mask >> SIDE & 15) << 4
        | (mask >> 2 * SIDE & 15) << 8
        | (mask >> 3 * SIDE & 15) << 12
    )


def _near(bit: int) -> list[int]:
    y, x = divmod(bit, 4)
    return [
        4 * (y + dy) + x + dx
        for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))
        if 0 <= x + dx < 4 and 0 <= y + dy < 4
    ]


@cache
def _local(window: int) -> tuple[int, int]:
    """For the open cells of a window around a free space: the patterns that join a roof, and those
    that certainly cut nothing off because all open cells at the new roofs stay linked here."""
    joins = safe = 0
    for i, pattern in enumerate(PATTERNS):
        roofs = {_INNER[q] for q in pattern}
        edge = [n for r in sorted(roofs) for n in _near(r) if n not in roofs]
        if any(not window >> n & 1 for n in edge):
            joins |= 1 << i
        todo = sorted({n for n in edge if window >> n & 1})
        seen = todo[:1]
        for cell in seen:
            seen += [n for n in _near(cell) if window >> n & 1 and n not in roofs and n not in seen]
        if all(n in seen for n in todo):
            safe |= 1 << i
    return joins, safe


def closed_off(open_cells: int) -> int:
    """Open cells without a way to the ring (PL-035). Shifts run over the rim from one row to the
    next, which does no harm: all cells of the rim are ring cells and reached from the start."""
    reached, grown = 0, RING_MASK
    while grown != reached:
        reached = grown
        grown |= (grown << 1 | grown >> 1 | grown << SIDE | grown >> SIDE) & open_cells
    return open_cells & ~reached


def _open(state: PalermoState) -> int:
    return ALL_MASK ^ int(state.roofs, 16)


def options(state: PalermoState) -> Options:
    """The building stage and what it allows (PL-033)."""
    open_cells = _open(state)
    wanted = 0
    for of_type, left in zip(_OF_TYPE, state.supply, strict=True):
        if left:
            wanted |= of_type
    roofs = int(state.roofs, 16)
    beside = spread(roofs) if roofs else 0
    joining: list[tuple[int, int]] = []
    for space, tile in enumerate(state.tiles):
        if tile or not beside & SPACE_MASKS[space]:
            continue
        joins, safe = _local(_window(open_cells, space))
        joins &= wanted
        found = joins & safe
        if joins != found:
            found |= _flooded(open_cells, space, joins & ~safe)
        if found:
            joining.append((space, found))
    if joining:
        return Options("join", tuple(joining))
    free: list[tuple[int, int]] = []
    for space, tile in enumerate(state.tiles):
        if tile:
            continue
        _, safe = _local(_window(open_cells, space))
        found = wanted & safe | _flooded(open_cells, space, wanted & ~safe)
        if found:
            free.append((space, found))
    if free:
        return Options("free", tuple(free))
    return Options("street", tuple((s, 15) for s, tile in enumerate(state.tiles) if not tile))


def _flooded(open_cells: int, space: int, patterns: int) -> int:
    """Those of the patterns that cut nothing off, by flooding the whole city."""
    found = 0
    for i in bits(patterns):
        roofs = 0
        for q in PATTERNS[i]:
            roofs |= 1 << SPACE_CELLS[space][q]
        if not closed_off(open_cells & ~roofs):
            found |= 1 << i
    return found


@cache
def _listed(space: int, kind: str, patterns: int) -> tuple[BuildDoor, ...]:
    """Moves of a type on a space, doorways clockwise from the north-west."""
    return tuple(
        BuildDoor(kind, SPACES[space], q)
        for q in QUARTERS
        if kind == STREET or patterns >> _PATTERN_OF[f"{kind}/{q}"] & 1
    )


def legal(state: PalermoState) -> list[PlaceStart] | list[BuildDoor]:
    """Every placement open to the builder, by type, space and doorway."""
    if state.start < 0:
        return list(_starts())
    found = options(state)
    moves: list[BuildDoor] = []
    if found.stage == "street":
        for space, _ in found.spaces:
            moves += _listed(space, STREET, 0)
        return moves
    for kind, of_type, left in zip(TYPES, _OF_TYPE, state.supply, strict=True):
        if left:
            for space, patterns in found.spaces:
                if patterns & of_type:
                    moves += _listed(space, kind, patterns & of_type)
    return moves


@cache
def _starts() -> tuple[PlaceStart, ...]:
    return tuple(PlaceStart(space) for space in SPACES)


# ---- applying --------------------------------------------------------------------------------


def place_start(state: PalermoState, seat: Seat, move: PlaceStart) -> list[Event]:
    """The Start/Finish tile, any space (PL-020)."""
    if state.start >= 0:
        raise IllegalMove(
            "PL-020", f"The Start/Finish tile lies on {SPACES[state.start]} already. Lay a house."
        )
    space = find_space(move.space)
    if space is None:
        raise IllegalMove("PL-020", "Name one of the 36 spaces, from A1 to F6.")
    state.start = space
    state.tiles[space] = START
    state.answered(seat)
    state.ask(seat, "build")
    return [Event("start_tile", {"seat": seat, "space": SPACES[space]})]


def build(state: PalermoState, seat: Seat, move: BuildDoor) -> list[Event]:
    """A tile with a chip (PL-022), then the next builder or phase 2."""
    space, tile, stage = _placement(state, move)
    state.tiles[space] = tile
    state.chips[space] = seat
    state.builders[space] = seat
    if TILES[tile].type in TYPES:
        state.supply[TYPES.index(TILES[tile].type)] -= 1
        state.roofs = f"{int(state.roofs, 16) | ROOFS[space, tile]:x}"
    state.built += 1
    state.last_built = Built(seat, tile, space, stage)
    state.answered(seat)
    total = state.chips_each * state.seats
    door = NAMES[SPACE_CELLS[space][TILES[tile].door]]
    happened = [
        Event(
            "built",
            {
                "seat": seat, "type": TILES[tile].type, "space": SPACES[space], "door": door,
                "stage": stage, "first": state.built == 1, "left": total - state.built,
            },
        )
    ]  # fmt: skip
    if state.built < total:
        state.ask((seat + 1) % state.seats, "build")
        return happened
    return happened + pave(state)


def pave(state: PalermoState) -> list[Event]:
    """Street tiles on the spaces left (PL-038), then phase 2 begins (PL-002)."""
    empty = [space for space, tile in enumerate(state.tiles) if not tile]
    for space in empty:
        state.tiles[space] = STREET
    happened = [Event("paved", {"spaces": tuple(SPACES[s] for s in empty)})]
    return happened + begin(state)


def _placement(state: PalermoState, move: BuildDoor) -> tuple[int, str, Stage]:
    """Space, tile as it lies, and building stage.

    Raises:
        IllegalMove: the tile may not be laid so.
    """
    if state.start < 0:
        raise IllegalMove(
            "PL-020", "First put the Start/Finish tile on any space; then lay a house tile."
        )
    if not (move.type or move.space or move.door):
        raise IllegalMove("PL-023", "A tile must be laid in every building turn; nobody passes.")
    kind = move.type.strip().lower()
    if kind not in TYPES and kind != STREET:
        rest = _left(state)
        raise IllegalMove("PL-024", f"There is no such kind of tile. Left are {listing(rest)}.")
    if kind != STREET and not state.supply[TYPES.index(kind)]:
        rest = _left(state)
        raise IllegalMove(
            "PL-024", f"No tile of kind {kind} is left. Left are {listing(rest)}.", rest
        )
    space = find_space(move.space)
    if space is None or state.tiles[space]:
        free = [SPACES[s] for s, tile in enumerate(state.tiles) if not tile]
        what = (
            "There is no such space."
            if space is None
            else f"There is a tile on {SPACES[space]} already."
        )
        raise IllegalMove("PL-026", f"{what} Free are {listing(free)}.", free)
    door = move.door.strip().lower()
    if door not in QUARTERS:
        raise IllegalMove(
            "PL-026", "Say in which quarter the doorway lies: nw, ne, se or sw.", QUARTERS
        )
    tile = f"{kind}/{door}"
    if kind == STREET:
        found = options(state)
        if found.stage != "street":
            raise IllegalMove(
                "PL-037",
                "House tiles still fit. A street tile with your chip is only for the case that "
                "none can be laid.",
                [SPACES[s] for s, _ in found.spaces],
            )
        return space, tile, "street"
    _keep_open(state, space, tile)
    roofs = ROOFS[space, tile]
    laid = int(state.roofs, 16)
    if spread(roofs) & laid:
        return space, tile, "join"
    found = options(state)
    if found.stage == "join":
        of_type = _OF_TYPE[TYPES.index(kind)]
        where = [SPACES[s] for s, patterns in found.spaces if patterns & of_type]
        touches = _diagonal(roofs) & laid
        hint = (
            f"Kind {kind} can join on {listing(where)}."
            if where
            else f"Kind {kind} joins nowhere now; others do."
        )
        if touches:
            raise IllegalMove(
                "PL-028",
                f"Roofs that touch only at a corner do not join. A roof of the new tile must share "
                f"an edge with a roof. {hint}",
                where,
            )
        raise IllegalMove(
            "PL-027",
            f"A new house must join: one of its roofs must share an edge with a roof that lies "
            f"already. {hint}",
            where,
        )
    return space, tile, "free"


def _left(state: PalermoState) -> list[str]:
    return [f"{t} ({n} left)" for t, n in zip(TYPES, state.supply, strict=True) if n]


def _diagonal(mask: int) -> int:
    """Cells diagonal to a cell of the set (roofs, so never on the rim of the grid)."""
    upright = mask >> SIDE | mask << SIDE
    return upright >> 1 | upright << 1


def _keep_open(state: PalermoState, space: int, tile: str) -> None:
    """Nothing is cut off from the ring (PL-034, PL-035).

    Raises:
        IllegalMove: a doorway or another open cell would be.
    """
    open_cells = _open(state)
    if _local(_window(open_cells, space))[1] >> _PATTERN_OF[tile] & 1:
        return
    closed = closed_off(open_cells & ~ROOFS[space, tile])
    if not closed:
        return
    doors = [
        SPACE_CELLS[s][TILES[t].door]
        for s, t in (*enumerate(state.tiles), (space, tile))
        if t and TILES[t].door >= 0
    ]
    sealed = [NAMES[cell] for cell in sorted(doors) if closed >> cell & 1]
    if sealed:
        raise IllegalMove(
            "PL-034", f"That would cut off the doorway {listing(sealed)} from the street."
        )
    cells = [NAMES[cell] for cell in bits(closed)]
    more = f" and {len(cells) - 4} more" if len(cells) > 4 else ""
    raise IllegalMove(
        "PL-035",
        f"That would wall in {', '.join(cells[:4])}{more}: every street and every empty space must "
        "keep a way to the ring road.",
    )
