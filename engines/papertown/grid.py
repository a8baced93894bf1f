"""The grid of diamonds: permanent names and who lies beside whom (PT-006 to PT-009).

A cell is (x, y): x + 1 is lower right on the picture, y + 1 lower left. Its name is the column's
letters for x and the two-digit row y + 50.
"""

from __future__ import annotations

import re

import msgspec

REACH = 40
"""|x| and |y| of the outermost cells; 42 Blocks never get further."""

_NAME = re.compile(r"[A-Z]{1,2}[1-9][0-9]")


def column_name(x: int) -> str:
    """Letters of the column.

    >>> [column_name(x) for x in (-40, -39, -14, -13, 0, 12, 13, 38, 39, 40)]
    ['YZ', 'ZA', 'ZZ', 'A', 'N', 'Z', 'AA', 'AZ', 'BA', 'BB']
    """
    if x < -39:
        return "YZ"
    if x < -13:
        return "Z" + chr(ord("Z") + 14 + x)
    if x <= 12:
        return chr(ord("N") + x)
    return "AB"[(x - 13) // 26] + chr(ord("A") + (x - 13) % 26)


def cell_name(x: int, y: int) -> str:
    """Name of a cell of the grid.

    >>> cell_name(0, 0), cell_name(-1, 1)
    ('N50', 'M51')
    """
    return f"{column_name(x)}{y + 50}"


PLACES: dict[str, tuple[int, int]] = {
    cell_name(x, y): (x, y) for x in range(-REACH, REACH + 1) for y in range(-REACH, REACH + 1)
}
"""(x, y) of every name, ordered by column, then row."""

RANK: dict[str, int] = {name: i for i, name in enumerate(PLACES)}
"""Sort key of a name: column, then row."""

NAMES: dict[tuple[int, int], str] = {place: name for name, place in PLACES.items()}
"""Name of every (x, y)."""


def read_cell(text: str) -> str | None:
    """The cell that typed text names, or None.

    >>> read_cell(" n50 "), read_cell("N5"), read_cell("BC50")
    ('N50', None, None)
    """
    word = text.strip().upper()
    return word if _NAME.fullmatch(word) and word in PLACES else None


class Spot(msgspec.Struct, frozen=True):
    """What lies around a cell; cells outside the grid are left out.

    Attributes:
        sides: side neighbours.
        around: side and corner neighbours.
        rays: the next two cells in each of the four directions.
        mids: the two side neighbours on a straight line through the cell, in all four orders.
        quads: for each place (top, right, bottom, left) the diamond in which the cell has it.
    """

    sides: tuple[str, ...]
    around: tuple[str, ...]
    rays: tuple[tuple[str, str], ...]
    mids: tuple[tuple[str, str], ...]
    quads: tuple[tuple[str, str, str, str] | None, ...]


_SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))
_CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))
DIAMOND = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Top, right, bottom and left cell of a Great Structure, from its top (PT-064)."""


def _make(name: str) -> Spot:
    x, y = PLACES[name]

    def at(dx: int, dy: int) -> str | None:
        return NAMES.get((x + dx, y + dy))

    def known(steps: tuple[tuple[int, int], ...]) -> tuple[str, ...]:
        return tuple(n for s in steps if (n := at(*s)) is not None)

    def pairs(near: int, far: int) -> tuple[tuple[str, str], ...]:
        found = []
        for dx, dy in _SIDES:
            first, second = at(near * dx, near * dy), at(far * dx, far * dy)
            if first is not None and second is not None:
                found.append((first, second))
        return tuple(found)

    quads: list[tuple[str, str, str, str] | None] = []
    for px, py in DIAMOND:
        four = known(tuple((dx - px, dy - py) for dx, dy in DIAMOND))
        quads.append((four[0], four[1], four[2], four[3]) if len(four) == 4 else None)
    return Spot(known(_SIDES), known(_SIDES + _CORNERS), pairs(1, 2), pairs(-1, 1), tuple(quads))


class _Spots(dict[str, Spot]):
    def __missing__(self, name: str) -> Spot:
        made = self[name] = _make(name)
        return made


SPOTS = _Spots()
"""The surroundings of every cell by name, made when first asked for."""
