"""Cells, doors and pieces of Palermo as cached sprites."""

from __future__ import annotations

from math import cos, pi, sin

from PIL import Image

from render.kit.palette import CARD, HALO, INK, PAPER, RGB, dark, ink_on, light
from render.kit.sprites import Brush, figure, polygon_points, seat_outline, sprite
from render.palermo.colours import (
    CORNER,
    EAVE,
    GRASS,
    GRASS_LINE,
    GRASS_TEXT,
    PLAZA,
    PLAZA_LINE,
    ROAD,
    ROAD_LINE,
    ROAD_TEXT,
    ROOF_LINE,
    ROOFS,
    SEAM,
    SHADOW,
    SLATE,
    STREET,
    STREET_LINE,
    WATER,
    WATER_RIM,
)
from render.palermo.layout import CELL

SAME, OTHER, OPEN = 0, 1, 2
"""What lies beyond an edge of a roof: the same tile's roof, another's, no roof."""


def _edges(
    b: Brush, edges: tuple[int, int, int, int], kind: int, colour: RGB, width: float
) -> None:
    c = CELL
    bars = ((0, 0, c, width), (c - width, 0, c, c), (0, c - width, c, c), (0, 0, width, c))
    for edge, bar in zip(edges, bars, strict=True):
        if edge == kind:
            b.rect(bar, colour)


def roof(tone: int, edges: tuple[int, int, int, int], flip: bool = False) -> Image.Image:
    """A quarter of clay tiles; edges north, east, south, west."""
    base = ROOFS[tone % len(ROOFS)]

    def paint(b: Brush) -> None:
        b.rect((0, 0, CELL, CELL), base)
        pitch = CELL / 4
        line = dark(base, 0.16)
        for row in range(5):
            y = row * pitch
            shift = 0 if row % 2 else pitch / 2
            for k in range(-1, 5):
                x = k * pitch + shift
                b.arc((x, y - pitch / 2, x + pitch, y + pitch / 2), 0, 180, line, 2)
        _edges(b, edges, OTHER, ROOF_LINE, 2)
        _edges(b, edges, OPEN, EAVE, 4)
        c = CELL
        if edges[0] == OPEN:
            b.rect((4, 4, c - 4, 7), light(base, 0.35))
        if edges[3] == OPEN:
            b.rect((4, 4, 7, c - 4), light(base, 0.22))

    return sprite((CELL, CELL), paint, ("pl roof", tone, edges, flip))


def street(shade: tuple[bool, bool], seam: tuple[bool, bool]) -> Image.Image:
    """Paving, with shadow from a house to the north or west, and seams to other spaces there."""

    def paint(b: Brush) -> None:
        c = CELL
        b.rect((0, 0, c, c), STREET)
        half = c / 2
        for y in (0.0, half):
            b.line([(0, y), (c, y)], STREET_LINE, 1.5, caps=False)
        b.line([(half, 0), (half, half)], STREET_LINE, 1.5, caps=False)
        b.line([(half / 2, half), (half / 2, c)], STREET_LINE, 1.5, caps=False)
        b.line([(half * 1.5, half), (half * 1.5, c)], STREET_LINE, 1.5, caps=False)
        if shade[0]:
            b.rect((0, 0, c, 10), SHADOW)
        if shade[1]:
            b.rect((0, 0, 10, c), SHADOW)
        if seam[0] and not shade[0]:
            b.rect((0, 0, c, 2), SEAM)
        if seam[1] and not shade[1]:
            b.rect((0, 0, 2, c), SEAM)

    return sprite((CELL, CELL), paint, ("pl street", shade, seam))


def plot(name: str) -> Image.Image:
    """A free space: grass with its name."""
    side = 2 * CELL

    def paint(b: Brush) -> None:
        b.rect((0, 0, side, side), GRASS)
        b.rect((4, 4, side - 4, side - 4), None, 10, GRASS_LINE, 2.5)
        for x, y in ((24, 30), (120, 22), (128, 118), (30, 124), (70, 20), (20, 76), (132, 70)):
            for d in (-5, 0, 5):
                b.line([(x + d, y), (x + d * 1.4, y - 9)], GRASS_LINE, 2)
        b.text(side / 2, side / 2, name, 54, GRASS_TEXT)

    return sprite((side, side), paint, ("pl plot", name))


def plaza() -> Image.Image:
    """The Start/Finish tile with its fountain."""
    side = 2 * CELL

    def paint(b: Brush) -> None:
        m = side / 2
        b.rect((0, 0, side, side), PLAZA)
        for r in (64, 92):
            b.circle(m, m, r, None, PLAZA_LINE, 2.5)
        b.line([(0, m), (side, m)], SEAM, 2, caps=False)
        b.line([(m, 0), (m, side)], SEAM, 2, caps=False)
        b.rect((0, 0, side, side), None, 0, EAVE, 3)
        b.polygon(polygon_points(m, m, 44, 8, 22.5), WATER_RIM, INK, 2)
        b.circle(m, m, 34, WATER, INK, 1.5)
        b.circle(m, m, 22, None, light(WATER, 0.45), 2.5)
        for k in range(8):
            x, y = m + 15 * cos(k * pi / 4), m + 15 * sin(k * pi / 4)
            b.circle(x, y, 2.6, light(WATER, 0.75))
        b.circle(m, m, 9, WATER_RIM, INK, 1.5)
        b.circle(m, m, 4, HALO)

    return sprite((side, side), paint, "pl plaza")


def road(number: int, inner: str) -> Image.Image:
    """A cell of the ring road with its number; ``inner`` is the side of the city, or empty."""
    corner = not inner

    def paint(b: Brush) -> None:
        c = CELL
        b.rect((0, 0, c, c), CORNER if corner else ROAD)
        b.rect((0, 0, c, c), None, 0, ROAD_LINE, 1)
        if corner:
            b.circle(c / 2, c / 2, 33, CARD, INK, 2.5)
            b.text(c / 2, c / 2, f"R{number}", 27, INK, condensed=True)
        else:
            b.text(c / 2, c / 2, str(number), 29, ROAD_TEXT, condensed=True)
        kerb = {"n": (0, 0, c, 4), "e": (c - 4, 0, c, c), "s": (0, c - 4, c, c), "w": (0, 0, 4, c)}
        if inner:
            b.rect(kerb[inner], ROAD_TEXT)

    return sprite((CELL, CELL), paint, ("pl road", number, inner))


def doorway(colour: RGB, turn: int, open_: bool) -> Image.Image:
    """A step and a door in the wall, ``turn`` quarter turns clockwise from a wall in the north."""
    c = CELL

    def paint(b: Brush) -> None:
        def at(x: float, y: float) -> tuple[float, float]:
            for _ in range(turn):
                x, y = c - y, x
            return x, y

        tone = light(colour, 0.55) if open_ else light(SLATE, 0.62)
        b.polygon([at(12, 0), at(c - 12, 0), at(c - 18, 20), at(18, 20)], tone)
        b.line([at(12, 0), at(18, 20), at(c - 18, 20), at(c - 12, 0)], dark(tone, 0.5), 2)

    return sprite((c, c), paint, ("pl door", colour, turn, open_))


def chip(seat: int, colour: RGB, letter: str, size: int = 50) -> Image.Image:
    """A player's chip: the seat's shape with the colour's letter."""
    middle = size / 2
    radius = (size / 2 - 4) / 1.3

    def shape(b: Brush) -> None:
        corners = seat_outline(seat, middle, middle, radius)
        if corners is None:
            b.circle(middle, middle, radius * 1.2, 255)
        else:
            b.polygon(corners, 255)

    def details(b: Brush) -> None:
        triangle = seat % 6 == 2
        b.text(
            middle, middle + (radius * 0.28 if triangle else 0), letter,
            radius * (1.05 if triangle else 1.35), ink_on(colour),
        )  # fmt: skip

    return figure(
        (size, size), shape, colour, ("pl chip", seat, letter), details=details, outline=2, halo=2
    )


def emptied(seat: int, colour: RGB, size: int = 34) -> Image.Image:
    """Where a chip was: its outline."""
    middle = size / 2
    radius = (size / 2 - 3) / 1.3

    def paint(b: Brush) -> None:
        corners = seat_outline(seat, middle, middle, radius)
        if corners is None:
            b.circle(middle, middle, radius * 1.2, light(colour, 0.75), colour, 3)
        else:
            b.polygon(corners, light(colour, 0.75), colour, 3)

    return sprite((size, size), paint, ("pl emptied", seat, colour))


def stone(colour: RGB, letter: str, size: int = 54) -> Image.Image:
    """A police stone: a slate shield with a coloured heart and the owner's letter."""
    u = (size - 8) / 20.0

    def at(x: float, y: float) -> tuple[float, float]:
        return 4 + x * u, 4 + y * u

    def shape(b: Brush) -> None:
        b.polygon(
            [at(10, 0), at(13, 2), at(18.5, 2), at(18.5, 10), at(16, 15.5), at(10, 20),
             at(4, 15.5), at(1.5, 10), at(1.5, 2), at(7, 2)],
            255,
        )  # fmt: skip

    def details(b: Brush) -> None:
        b.circle(*at(10, 9.2), 6.6 * u, colour, HALO, 2)
        b.text(*at(10, 9.2), letter, 8.4 * u, ink_on(colour))

    return figure((size, size), shape, SLATE, ("pl stone", colour, letter), details=details,
                  outline=2, halo=2)  # fmt: skip


def mini(signs: str, size: int = 60) -> Image.Image:
    """A tile as a small picture, from its two rows of signs."""
    rows = signs.split("/")

    def paint(b: Brush) -> None:
        half = (size - 6) / 2
        b.rect((0, 0, size, size), EAVE, 6)
        for y, row in enumerate(rows):
            for x, sign in enumerate(row):
                box = (3 + x * half, 3 + y * half, 3 + (x + 1) * half, 3 + (y + 1) * half)
                b.rect(box, ROOFS[0] if sign == "#" else STREET)
                if sign == "#":
                    b.line([(box[0], box[3]), (box[2], box[3])], ROOF_LINE, 1, caps=False)
                if sign == "d":
                    b.circle((box[0] + box[2]) / 2, (box[1] + box[3]) / 2, half * 0.3, INK)

    return sprite((size, size), paint, ("pl mini", signs, size))


def compass(size: int = 92) -> Image.Image:
    """Which quarter has which name."""

    def paint(b: Brush) -> None:
        b.rect((0, 0, size, size), STREET, 8, SEAM, 2)
        m = size / 2
        b.line([(m, 3), (m, size - 3)], SEAM, 2, caps=False)
        b.line([(3, m), (size - 3, m)], SEAM, 2, caps=False)
        for x, y, name in ((0.26, 0.26, "nw"), (0.74, 0.26, "ne"), (0.74, 0.74, "se"),
                           (0.26, 0.74, "sw")):  # fmt: skip
            b.text(size * x, size * y, name, 23, INK, condensed=True)

    return sprite((size, size), paint, ("pl compass", size))


def target(colour: RGB, size: int = 46) -> Image.Image:
    """A ring that marks a possible end."""

    def paint(b: Brush) -> None:
        m = size / 2
        b.circle(m, m, m - 1, PAPER)
        b.circle(m, m, m - 3, None, colour, 6)
        b.circle(m, m, 6, colour)

    return sprite((size, size), paint, ("pl target", colour, size))


def frame(size: int, colour: RGB, width: float = 6) -> Image.Image:
    """A square outline."""

    def paint(b: Brush) -> None:
        b.rect((0, 0, size, size), None, 10, PAPER, width + 4)
        b.rect((2, 2, size - 2, size - 2), None, 9, colour, width)

    return sprite((size, size), paint, ("pl frame", size, colour, width))
