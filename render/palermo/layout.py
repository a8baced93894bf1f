"""Where everything is on the picture."""

from __future__ import annotations

from engines.palermo.components import find_cell, place

WIDTH = 1200
CELL = 76
PANELS = 96
PANEL_HEIGHT = 132
LEFT = (WIDTH - 14 * CELL) // 2
TOP = PANELS + PANEL_HEIGHT + 48
BOTTOM = TOP + 14 * CELL
STRIP = BOTTOM + 16
STRIP_HEIGHT = 104
HEIGHT = STRIP + STRIP_HEIGHT + 36

Point = tuple[float, float]


def corner_of(cell: int) -> tuple[int, int]:
    """Upper left pixel of a cell."""
    x, y = place(cell)
    return LEFT + (x + 1) * CELL, TOP + (y + 1) * CELL


def middle(cell: int) -> Point:
    """Middle of a cell in pixels."""
    x, y = corner_of(cell)
    return x + CELL / 2, y + CELL / 2


def middle_of(name: str) -> Point:
    """Middle of a named cell in pixels."""
    cell = find_cell(name)
    return middle(cell) if cell is not None else (0, 0)


def space_corner(space: int) -> tuple[int, int]:
    """Upper left pixel of a space."""
    return LEFT + CELL + space % 6 * 2 * CELL, TOP + CELL + space // 6 * 2 * CELL


def space_middle(space: int) -> Point:
    """Middle of a space in pixels: of the fountain, if the Start/Finish tile lies there."""
    x, y = space_corner(space)
    return x + CELL, y + CELL
