"""The map: everything that does not change during a match.

Three layers, each drawn once: the paper with the river, the lines, and stops with their names. A
glow can be slipped below the lines that have just been driven.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from math import atan2, degrees, hypot

from PIL import Image

from engines.paris_paris.components import Line, board
from engines.paris_paris.meta import META
from render.kit import sprites
from render.kit.cache import Store
from render.kit.canvas import Canvas, mark
from render.kit.palette import (
    CARD,
    HAIR,
    HALO,
    INK,
    MUTED,
    PAPER,
    SHADE,
    WHITE,
    dark,
    light,
)
from render.kit.sprites import Brush, Point
from render.kit.type import place, word
from render.paris_paris.colours import CITY, GLOW, LINES, PARK, SEINE, SEINE_EDGE, SKETCH
from render.paris_paris.layout import (
    CELL,
    HEIGHT,
    MAP,
    NAME_SIZE,
    P_ROW,
    SLOT,
    WIDTH,
    arrow,
    cell,
    line_label,
    on_map,
    slot,
    spots,
)

FOOTNOTE = "Board partly reconstructed, not the printed one. Commands name a tile by stop and line."

_grounds: Store[Image.Image] = Store(40 << 20, lambda i: i.width * i.height * 3)


def ground(glowing: Sequence[str] = ()) -> Image.Image:
    """The finished background, cached; lines named in ``glowing`` are lit."""
    key = tuple(c for c in LINES if c in glowing)

    def make() -> Image.Image:
        sheet = Canvas.on(_paper())
        for colour in key:
            sheet.image.paste(_glow(colour), (0, MAP[1]), _glow(colour))
        for layer in (_lines(), _stops()):
            sheet.image.paste(layer, (0, MAP[1]), layer)
        return sheet.image

    return _grounds.get(key, make)


# ---- geometry --------------------------------------------------------------------------------


def path(line: Line) -> list[Point]:
    """Middles of a line's stops on the picture."""
    return [(spots()[s].x, spots()[s].y) for s in line.stops]


def smooth(points: Sequence[Point], steps: int = 14) -> list[Point]:
    """A curve through the points (Catmull–Rom)."""
    ends = [points[0], *points, points[-1]]
    out: list[Point] = []
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        for step in range(steps):
            t = step / steps
            out.append((_spline(a[0], b[0], c[0], d[0], t), _spline(a[1], b[1], c[1], d[1], t)))
    return [*out, points[-1]]


def _spline(a: float, b: float, c: float, d: float, t: float) -> float:
    return 0.5 * (
        2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3
    )


def along(points: Sequence[Point], step: float, start: float) -> list[tuple[float, float, Point]]:
    """Points at equal distances on a polyline, each with the direction there."""
    out: list[tuple[float, float, Point]] = []
    left = start
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        length = hypot(x1 - x0, y1 - y0)
        at = left
        while at < length:
            share = at / length
            where = (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share)
            out.append(((x1 - x0) / length, (y1 - y0) / length, where))
            at += step
        left = at - length
    return out


def _shift(points: Sequence[Point]) -> list[Point]:
    return [(x, y - MAP[1]) for x, y in points]


# ---- paper -----------------------------------------------------------------------------------


def _paper() -> Image.Image:
    size = (WIDTH, MAP[3] - MAP[1])

    def paint(b: Brush) -> None:
        b.rect((0, 0, *size), PAPER)
        b.ellipse((70, 12, WIDTH - 70, size[1] - 4), CITY, light(HAIR, 0.5), 2)
        for box in PARKS:
            b.ellipse(box, PARK)
        _tower(b, 96, size[1] - 4, 210)
        river = smooth(_shift([on_map(x, y) for x, y in RIVER]))
        b.line(river, SEINE_EDGE, 50)
        b.line(river, SEINE, 44)
        for shift in (-8, 8):
            for i in range(14 + shift, len(river) - 9, 22):
                piece = [(x, y + shift) for x, y in river[i : i + 9]]
                b.line(piece, light(SEINE, 0.45), 2)
        _letters(b, "SEINE", list(reversed(river)), 66)
        island = smooth(_shift([on_map(x, y) for x, y in ISLAND]))
        b.line(island, SEINE_EDGE, 22)
        b.line(island, CITY, 18)

    sheet = Canvas(WIDTH, HEIGHT)
    sheet.paste(sprites.layer(size, paint, "paris paper"), 0, MAP[1], "lt")
    _furniture(sheet)
    return sheet.image


RIVER: tuple[Point, ...] = (
    (1040, 690), (960, 640), (850, 585), (770, 540), (700, 505), (620, 430), (560, 405),
    (480, 385), (390, 352), (300, 352), (225, 368), (170, 400), (95, 470), (40, 520), (-30, 540),
)  # fmt: skip
"""Middle of the Seine in the board's own coordinates."""

ISLAND: tuple[Point, ...] = ((640, 470), (672, 492), (704, 512))

PARKS: tuple[tuple[float, float, float, float], ...] = (
    (470, 560, 590, 650), (800, 590, 900, 650), (980, 610, 1080, 690),
    (255, 425, 330, 455),
)  # fmt: skip


def _letters(b: Brush, text: str, points: Sequence[Point], start: float) -> None:
    """Words along a curve."""
    for char, (dx, dy, (x, y)) in zip(text, along(points, 21, start), strict=False):
        if char != " ":
            b.turned(x, y, char, 21, dark(SEINE_EDGE, 0.25), -degrees(atan2(dy, dx)))


def _tower(b: Brush, x: float, foot: float, high: float) -> None:
    """The tower in a few strokes."""

    def at(dx: float, up: float) -> Point:
        return x + dx * high, foot - up * high

    for side in (-1, 1):
        curve = smooth([at(side * 0.235, 0), at(side * 0.13, 0.2), at(side * 0.075, 0.42),
                        at(side * 0.03, 0.7), at(side * 0.012, 0.93)])  # fmt: skip
        inner = smooth([at(side * 0.13, 0), at(side * 0.07, 0.2), at(side * 0.03, 0.42),
                        at(0, 0.6)])  # fmt: skip
        b.polygon([*curve, at(0, 0.93), *reversed(inner)], SKETCH)
    b.polygon([at(-0.03, 0.56), at(0.03, 0.56), at(0.012, 0.93), at(-0.012, 0.93)], SKETCH)
    b.line([at(0, 0.9), at(0, 1.0)], SKETCH, 3)
    b.rect((*at(-0.155, 0.215), *at(0.155, 0.18)), SKETCH, 2)
    b.rect((*at(-0.09, 0.43), *at(0.09, 0.40)), SKETCH, 2)
    b.rect((*at(-0.028, 0.885), *at(0.028, 0.86)), SKETCH, 1)
    b.arc((*at(-0.115, 0.17), *at(0.115, -0.12)), 180, 360, SKETCH, 5)


# ---- lines -----------------------------------------------------------------------------------


def _layer(paint: sprites.Painting, key: str) -> Image.Image:
    return sprites.layer((WIDTH, MAP[3] - MAP[1]), paint, key)


def _glow(colour: str) -> Image.Image:
    line = board().lines[colour]

    def paint(b: Brush) -> None:
        b.line(_shift(path(line)), GLOW, 38)

    return _layer(paint, f"paris glow {colour}")


def _lines() -> Image.Image:
    def paint(b: Brush) -> None:
        for line in board().lines.values():
            points = _shift(path(line))
            b.line(points, HALO, 26)
            b.line(points, INK, 21)
            _arrow(b, line)
        for line in board().lines.values():
            points = _shift(path(line))
            b.line(points, LINES[line.colour], 17)
            _pattern(b, line.number, points)

    return _layer(paint, "paris lines")


def ribbon(line: Line, points: Sequence[Point], size: tuple[int, int]) -> Image.Image:
    """A piece of a line, on a transparent ground."""

    def paint(b: Brush) -> None:
        b.line(points, INK, 21)
        b.line(points, LINES[line.colour], 17)
        _pattern(b, line.number, points)

    return sprites.sprite(size, paint, ("ribbon", line.colour, tuple(points)))


def _pattern(b: Brush, number: int, points: Sequence[Point]) -> None:
    """1 plain, 2 dots, 3 dashes, 4 a double line, 5 cross-bars."""
    match number:
        case 2:
            for _, _, (x, y) in along(points, 15, 7):
                b.circle(x, y, 3.4, WHITE)
        case 3:
            for dx, dy, (x, y) in along(points, 24, 8):
                b.line([(x, y), (x + dx * 11, y + dy * 11)], WHITE, 4.6)
        case 4:
            b.line(points, WHITE, 5)
        case 5:
            for dx, dy, (x, y) in along(points, 15, 7):
                b.line([(x - dy * 8, y + dx * 8), (x + dy * 8, y - dx * 8)], INK, 2.6, caps=False)


def _arrow(b: Brush, line: Line) -> None:
    """From the tail to the first stop's edge, with a head."""
    (x0, y0), (x1, y1) = arrow(line.colour)
    y0, y1 = y0 - MAP[1], y1 - MAP[1]
    length = hypot(x1 - x0, y1 - y0)
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    neck = (x1 - dx * 15, y1 - dy * 15)
    colour = LINES[line.colour]

    def head(grow: float) -> list[Point]:
        wide = 13 + grow
        return [
            (x1 + dx * grow * 1.6, y1 + dy * grow * 1.6),
            (neck[0] - dy * wide - dx * grow, neck[1] + dx * wide - dy * grow),
            (neck[0] + dy * wide - dx * grow, neck[1] - dx * wide - dy * grow),
        ]

    for fill, grow, width in ((HALO, 5.5, 19.0), (INK, 2.5, 14.0), (colour, 0.0, 9.0)):
        b.line([(x0, y0), neck], fill, width)
        b.polygon(head(grow), fill)


# ---- stops -----------------------------------------------------------------------------------


def _stops() -> Image.Image:
    layer = Image.new("RGBA", (WIDTH, MAP[3] - MAP[1]), (*PAPER, 0))

    def put(sprite: Image.Image, x: float, y: float) -> None:
        layer.alpha_composite(sprite, (round(x), round(y) - MAP[1]))

    for spot in spots().values():
        piece = place_sprite(spot.crossing)
        put(piece, spot.x - piece.width / 2, spot.y - piece.height / 2)
    for spot in spots().values():
        for text, x, y in spot.rows:
            w = word(text, NAME_SIZE, INK, condensed=True, bold=True, outline=CITY,
                     outline_width=4)  # fmt: skip
            bx, by = place(w, x, y, "ms")
            put(w.image, bx - w.left, by - w.up)
    for line in board().lines.values():
        badge = line_badge(line)
        cx, cy = line_label(line.colour)
        put(badge, cx - badge.width / 2, cy - badge.height / 2)
    return layer


def note_boxes() -> None:
    """Tell a listening test where names and places are."""
    for key, spot in spots().items():
        mark("place", key, spot.place)
        mark("tiles", key, spot.tiles)
        mark("name", key, spot.name_box)
    for line in board().lines.values():
        badge = line_badge(line)
        x, y = line_label(line.colour)
        w, h = badge.width / 2, badge.height / 2
        mark("badge", line.colour, (round(x - w), round(y - h), round(x + w), round(y + h)))


def line_badge(line: Line) -> Image.Image:
    """Number and name of a line, at its arrow."""
    return sprites.pill(f"{line.number} {line.colour}", LINES[line.colour], 40)


def place_sprite(crossing: bool) -> Image.Image:
    """An empty stop: a disc for one shop, a wide double-rimmed capsule for two."""
    w, h = (112, 64) if crossing else (58, 58)

    def shape(b: Brush) -> None:
        b.rect((6, 6, w - 6, h - 6), 255, (h - 12) / 2)

    def details(b: Brush) -> None:
        if crossing:
            b.rect((9.5, 9.5, w - 9.5, h - 9.5), None, (h - 19) / 2, HAIR, 1.5)
        for x in (w / 2 - 23, w / 2 + 23) if crossing else (w / 2,):
            _empty(b, x, h / 2, 11)

    return sprites.figure(
        (w, h), shape, CARD, ("place", crossing), details=details, outline=4 if crossing else 3
    )


def _empty(b: Brush, x: float, y: float, r: float) -> None:
    points = [(x, y - r), (x + r, y - r * 0.15), (x + r * 0.82, y - r * 0.15),
              (x + r * 0.82, y + r), (x - r * 0.82, y + r), (x - r * 0.82, y - r * 0.15),
              (x - r, y - r * 0.15)]  # fmt: skip
    b.polygon(points, SHADE)


# ---- around the map --------------------------------------------------------------------------


def _furniture(sheet: Canvas) -> None:
    sheet.panel(P_ROW, CARD, 12, HAIR)
    x0, y0, x1, _ = P_ROW
    sheet.text(x0 + 14, y0 + 23, "P ROW", 24, INK, condensed=True, bold=True, anchor="lm",
               spacing=2)  # fmt: skip
    sheet.text(x1 - 12, y0 + 23, "pair → tour", 19, MUTED, anchor="rm", condensed=True,
               bold=True)  # fmt: skip
    for number in range(board().p_row):
        x, y = slot(number)
        empty = sprites.panel(SLOT, PAPER, 8, HAIR, 1.5)
        sheet.paste(empty, x, y, "lt")
    for space in range(board().track):
        _cell(sheet, space)
    if META.reconstructed:
        sheet.footnote(FOOTNOTE, HEIGHT - 9)


def _cell(sheet: Canvas, space: int) -> None:
    x, y = cell(space)
    fifth = space % 5 == 0
    face = SHADE if fifth else CARD
    sheet.paste(sprites.panel((CELL[0] - 2, CELL[1] - 2), face, 6, HAIR, 1.5), x + 1, y + 1, "lt")
    sheet.text(x + CELL[0] / 2, y + CELL[1] / 2, str(space), 20, dark(MUTED, 0.3) if fifth
               else MUTED, bold=fifth, anchor="mm")  # fmt: skip
