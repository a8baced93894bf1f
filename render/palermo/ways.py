"""Walks drawn on the board, piece by piece from cached sprites."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PIL import Image

from engines.palermo.components import CORNERS, SPACE_OF, STEPS, find_cell
from render.kit.canvas import Canvas, mark
from render.kit.palette import HALO, INK, RGB
from render.kit.sprites import Brush, sprite
from render.palermo.layout import BOTTOM, CELL, WIDTH, middle

AWAY = 29
"""Jumps are drawn beside the numbers of the ring cells, towards the outside."""
Segment = tuple[float, float, float, float]


def _bar(length: int, wide: bool, colour: RGB, width: int, dashed: bool) -> Image.Image:
    """A straight piece of a walk, round at both ends."""
    size = (length + width, width) if wide else (width, length + width)
    r = width / 2

    def paint(b: Brush) -> None:
        def line(start: float, end: float) -> None:
            points = [(r + start, r), (r + end, r)] if wide else [(r, r + start), (r, r + end)]
            b.line(points, colour, width - 0.5)

        if not dashed:
            line(0, length)
            return
        count = max(2, round(length / 38))
        step = length / count
        for k in range(count):
            line(k * step, k * step + step * 0.45)

    return sprite(size, paint, ("pl bar", length, wide, colour, width, dashed))


def _chevron(colour: RGB, turn: int, size: int = 22) -> Image.Image:
    """A small arrow head to the north, east, south or west."""

    def paint(b: Brush) -> None:
        m = size / 2
        points = [(m - 7, m + 4), (m, m - 5), (m + 7, m + 4)]
        for _ in range(turn):
            points = [(size - y, x) for x, y in points]
        b.line(points, colour, 4)

    return sprite((size, size), paint, ("pl chevron", colour, turn, size))


def segments(path: Sequence[str]) -> list[tuple[Segment, bool]]:
    """Pieces of a walk from cell to cell, and whether each is a jump."""
    cells = [c for c in (find_cell(name) for name in path) if c is not None]
    found = []
    for here, cell in pairwise(cells):
        (x0, y0), (x1, y1) = middle(here), middle(cell)
        jump = cell not in STEPS[here]
        if jump and y0 == y1:
            y0 = y1 = y0 + (AWAY if y0 > BOTTOM / 2 else -AWAY)
        elif jump:
            x0 = x1 = x0 + (AWAY if x0 > WIDTH / 2 else -AWAY)
        found.append(((x0, y0, x1, y1), jump))
    return found


def draw(
    canvas: Canvas, path: Sequence[str], colour: RGB, width: int = 14, chevrons: bool = True
) -> None:
    """A walk with a light rim; jumps are dashed, arrow heads show the way."""
    pieces = segments(path)
    for rim in (True, False):
        done = set()
        for (x0, y0, x1, y1), jump in pieces:
            box = (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
            if box in done:
                continue
            done.add(box)
            wide = y0 == y1
            length = round(box[2] - box[0] if wide else box[3] - box[1])
            thick = width + 6 if rim else width
            bar = _bar(length, wide, HALO if rim else colour, thick, jump and not rim)
            canvas.paste(bar, box[0] - thick / 2, box[1] - thick / 2, "lt")
    if chevrons:
        ink = HALO if sum(colour) < 480 else INK
        for (x0, y0, x1, y1), _ in pieces:
            turn = 0 if y1 < y0 else 1 if x1 > x0 else 2 if y1 > y0 else 3
            canvas.paste(_chevron(ink, turn), (x0 + x1) / 2, (y0 + y1) / 2)
    for name in path[:-1]:
        cell = find_cell(name)
        if cell is not None and SPACE_OF[cell] < 0:
            canvas.label(*middle(cell), name if cell in CORNERS else name[1:], colour, 38)
    mark("walk", " ".join(path), (0, 0, CELL, CELL))


def numbers(canvas: Canvas, path: Sequence[str], colour: RGB) -> None:
    """Where a walk begins, and a dot on every cell it passes."""
    for name in path[1:-1]:
        cell = find_cell(name)
        if cell is not None and SPACE_OF[cell] >= 0:
            canvas.paste(_dot(colour), *middle(cell))


def _dot(colour: RGB, size: int = 24) -> Image.Image:
    def paint(b: Brush) -> None:
        b.circle(size / 2, size / 2, size / 2 - 1, HALO, colour, 5)

    return sprite((size, size), paint, ("pl dot", colour, size))
