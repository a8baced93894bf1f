"""The board, the tiles and everything derived from them.

Inside the engine a cell is a number on a grid of 14 by 14: the ring road is its rim, the city the
12 by 12 cells within. Sets of cells are integers with one bit a cell, so that a whole layer of a
search moves at once. Outside, cells have the names of the commands: ``C4nw``, ``R14``.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from engines.core.data import Table, load
from engines.core.errors import InvariantError
from engines.core.surface import fold

SIDE = 14
"""Cells along a side of the grid, ring included."""
QUARTERS = ("nw", "ne", "se", "sw")
"""Clockwise, as a tile turns."""
COLUMNS = "ABCDEF"
SIDES = ("north", "east", "south", "west")
START = "start"
STREET = "street"
FOUNTAIN = -1
"""Where a pawn is that occupies no cell (PL-047)."""


class _Counts(Table):
    spaces_per_side: int
    base_points: int
    chips: dict[str, int]
    bonus: dict[str, int]
    stalemate_rounds: int


class _Type(Table):
    id: str
    count: int
    roofs: tuple[int, ...]
    chip: int
    source: str


class _Colour(Table):
    id: str
    letter: str


class _Board(Table):
    provenance: dict[str, str]
    counts: _Counts
    type: tuple[_Type, ...]
    colour: tuple[_Colour, ...]


_raw = load("engines.palermo", "board.toml", _Board)

PROVENANCE = _raw.provenance
BASE_POINTS = _raw.counts.base_points
CHIPS = {int(n): c for n, c in _raw.counts.chips.items()}
"""Chips of a player by number of players (PL-012)."""
BONUS = {int(n): c for n, c in _raw.counts.bonus.items()}
"""Waiting bonus a round by number of players (PL-115)."""
STALEMATE = _raw.counts.stalemate_rounds
TYPES = tuple(t.id for t in _raw.type)
SUPPLY = tuple(t.count for t in _raw.type)
LETTERS = {c.id: c.letter for c in _raw.colour}
"""The letter of each colour, shown on doorways and pieces."""

# ---- cells -----------------------------------------------------------------------------------

SPACES = tuple(f"{COLUMNS[i % 6]}{i // 6 + 1}" for i in range(36))
"""Names of the spaces, row by row from the north-west."""
_SHIFT = ((0, 0), (1, 0), (1, 1), (0, 1))


def at(x: int, y: int) -> int:
    """The cell at city coordinates (−1 … 12; the ring is −1 and 12)."""
    return (y + 1) * SIDE + x + 1


def place(cell: int) -> tuple[int, int]:
    """City coordinates (x, y) of a cell, −1 … 12."""
    return cell % SIDE - 1, cell // SIDE - 1


SPACE_CELLS = tuple(
    tuple(at(2 * (i % 6) + dx, 2 * (i // 6) + dy) for dx, dy in _SHIFT) for i in range(36)
)
"""The four cells of each space, clockwise from the north-west."""
RING = (
    *(at(k - 2, -1) for k in range(1, 14)),
    *(at(12, k - 15) for k in range(14, 27)),
    *(at(39 - k, 12) for k in range(27, 40)),
    *(at(-1, 52 - k) for k in range(40, 53)),
)
"""R1 to R52, clockwise."""
CORNERS = (RING[0], RING[13], RING[26], RING[39])
"""R1, R14, R27, R40."""


def _names() -> tuple[str, ...]:
    found = [""] * (SIDE * SIDE)
    for i, cells in enumerate(SPACE_CELLS):
        for quarter, cell in zip(QUARTERS, cells, strict=True):
            found[cell] = SPACES[i] + quarter
    for k, cell in enumerate(RING, 1):
        found[cell] = f"R{k}"
    return tuple(found)


NAMES = _names()
"""The name of each cell."""
_EXACT = {name: cell for cell, name in enumerate(NAMES)}
_BY_NAME = {fold(name): cell for cell, name in enumerate(NAMES)}
_SPACE = {name: i for i, name in enumerate(SPACES)}
_BY_SPACE = {fold(name): i for i, name in enumerate(SPACES)}
SPACE_OF = tuple(
    next((i for i, cells in enumerate(SPACE_CELLS) if cell in cells), -1)
    for cell in range(SIDE * SIDE)
)
"""The space of each cell; −1 for the ring."""


def find_cell(word: str) -> int | None:
    """The cell of that name, however it is written; None if there is none.

    >>> NAMES[find_cell(" c4NW ") or 0]
    'C4nw'
    """
    found = _EXACT.get(word)
    return _BY_NAME.get(fold(word).replace(" ", "")) if found is None else found


def find_space(word: str) -> int | None:
    """The space of that name; None if there is none."""
    found = _SPACE.get(word)
    return _BY_SPACE.get(fold(word).replace(" ", "")) if found is None else found


def side_of(cell: int) -> str:
    """The ring side of a cell, or an empty word inside the city.

    >>> side_of(CORNERS[1]), side_of(at(0, 0))
    ('east', '')
    """
    return SIDES[RING.index(cell) // 13] if SPACE_OF[cell] < 0 else ""


def bits(mask: int) -> Iterator[int]:
    """The cells of a set in ascending order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(cells: tuple[int, ...]) -> int:
    """A set of cells."""
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found


ALL_MASK = (1 << SIDE * SIDE) - 1
RING_MASK = mask_of(RING)
CITY_MASK = ALL_MASK ^ RING_MASK
CORNER_MASK = mask_of(CORNERS)
SPACE_MASKS = tuple(mask_of(cells) for cells in SPACE_CELLS)
EAST_RIM = mask_of(tuple(range(SIDE - 1, SIDE * SIDE, SIDE)))
WEST_RIM = mask_of(tuple(range(0, SIDE * SIDE, SIDE)))
NOT_EAST = ALL_MASK ^ EAST_RIM
NOT_WEST = ALL_MASK ^ WEST_RIM


def spread(mask: int) -> int:
    """All cells that share an edge with a cell of the set (the set itself not included unless its
    cells touch each other).

    >>> sorted(NAMES[c] for c in bits(spread(1 << at(0, 0))))
    ['A1ne', 'A1sw', 'R2', 'R52']
    """
    return mask >> SIDE | mask << SIDE & ALL_MASK | (mask & NOT_EAST) << 1 | (mask & NOT_WEST) >> 1


class Jump(msgspec.Struct, frozen=True):
    """A jump between neighbouring corners: from, to, and the cells strictly between (PL-071)."""

    start: int
    end: int
    between: int


JUMPS = tuple(
    Jump(RING[13 * i], RING[(13 * i + 13 * step) % 52],
         mask_of(tuple(RING[(13 * i + step * k) % 52] for k in range(1, 13))))
    for i in range(4)
    for step in (1, -1)
)  # fmt: skip
"""Clockwise and anticlockwise from each corner."""
JUMPS_FROM: dict[int, tuple[Jump, ...]] = {
    corner: tuple(j for j in JUMPS if j.start == corner) for corner in CORNERS
}
STEPS = tuple(
    tuple(
        at(x + dx, y + dy)
        for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))
        if -1 <= x + dx <= 12 and -1 <= y + dy <= 12
    )
    for x, y in map(place, range(SIDE * SIDE))
)
"""Cells sharing an edge with each cell: north, east, south, west."""

# ---- tiles -----------------------------------------------------------------------------------


class Tile(msgspec.Struct, frozen=True):
    """A house tile as it lies.

    Attributes:
        name: type and doorway, ``2b/sw``; ``start``, ``street`` or ``street/sw`` for the others.
        type: ``2b``.
        door: index of the doorway's quarter; −1 if it has none.
        roofs: indices of roof quarters.
        chip: roof quarter beside which the chip is drawn; −1 on street tiles.
    """

    name: str
    type: str
    door: int
    roofs: tuple[int, ...]
    chip: int


def _tiles() -> dict[str, Tile]:
    found = {START: Tile(START, START, -1, (), -1), STREET: Tile(STREET, STREET, -1, (), -1)}
    for i, quarter in enumerate(QUARTERS):
        for t in _raw.type:
            name = f"{t.id}/{quarter}"
            roofs = tuple(sorted((i + r) % 4 for r in t.roofs))
            found[name] = Tile(name, t.id, i, roofs, (i + t.chip) % 4)
        found[f"{STREET}/{quarter}"] = Tile(f"{STREET}/{quarter}", STREET, i, (), -1)
    return found


TILES = _tiles()
"""Every tile as it may lie, by name."""
ROOFS = {
    (space, name): mask_of(tuple(SPACE_CELLS[space][q] for q in tile.roofs))
    for space in range(36)
    for name, tile in TILES.items()
}
"""The roof cells of a tile on a space."""

DOOR_BITS = tuple(
    {name: 1 << SPACE_CELLS[space][t.door] for name, t in TILES.items() if t.door >= 0}
    for space in range(36)
)
"""The doorway of each tile on each space, as a set."""


def tile_picture(name: str) -> str:
    """A tile as two rows of signs.

    >>> tile_picture("2b/sw")
    '##/d.'
    """
    tile = TILES[name]
    signs = ["*" if tile.type == START else "."] * 4
    for q in tile.roofs:
        signs[q] = "#"
    if tile.door >= 0:
        signs[tile.door] = "d"
    return f"{signs[0]}{signs[1]}/{signs[3]}{signs[2]}"


def _check() -> None:
    quarters = {t: tile_picture(f"{t}/nw") for t in TYPES}
    roofs = sum(n * quarters[t].count("#") for t, n in zip(TYPES, SUPPLY, strict=True))
    sound = (
        sum(SUPPLY) == 36
        and roofs == 72
        and len(set(NAMES)) == 196
        and all(NAMES)
        and all(36 - 1 - n * CHIPS[n] == rest for n, rest in ((3, 2), (4, 3), (5, 0)))
    )
    if not sound:
        raise InvariantError("data/board.toml breaks the checksums of the components")


_check()
