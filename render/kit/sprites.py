"""Pieces, drawn once at four times the size and kept.

Shapes are given in final pixels. A *figure* is a silhouette with an ink outline and a light halo,
so that it stands out on any ground.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import cos, pi, sin

from PIL import Image, ImageChops, ImageDraw

from render.kit.cache import Store
from render.kit.palette import CARD, GOLD, HALO, INK, RGB, dark, ink_on, light
from render.kit.type import font

SCALE = 4
Point = tuple[float, float]
Ink = RGB | tuple[int, int, int, int] | int

_store: Store[Image.Image] = Store(64 << 20, lambda i: i.width * i.height * 4)


class Brush:
    """Draws in final pixels on an image four times as large. Fills replace what is below."""

    def __init__(self, image: Image.Image, top: int = 0) -> None:
        """``image``: four times the final size; its upper edge is at the final height ``top``."""
        self.image = image
        self.width = image.width / SCALE
        self.height = image.height / SCALE
        self._top = top * SCALE
        self._draw = ImageDraw.Draw(image)

    def polygon(
        self,
        points: Sequence[Point],
        fill: Ink | None,
        outline: Ink | None = None,
        width: float = 0,
    ) -> None:
        """A closed shape; the outline is centred on its edge."""
        if fill is not None:
            self._draw.polygon(self._scaled(points), fill=fill)
        if outline is not None and width:
            self.line([*points, points[0]], outline, width)

    def circle(
        self,
        x: float,
        y: float,
        radius: float,
        fill: Ink | None,
        outline: Ink | None = None,
        width: float = 0,
    ) -> None:
        """A disc; the outline lies inside."""
        self.ellipse((x - radius, y - radius, x + radius, y + radius), fill, outline, width)

    def ellipse(
        self,
        box: tuple[float, float, float, float],
        fill: Ink | None,
        outline: Ink | None = None,
        width: float = 0,
    ) -> None:
        """An ellipse in a box; the outline lies inside."""
        self._draw.ellipse(self._box(box), fill=fill, outline=outline, width=self._px(width))

    def rect(
        self,
        box: tuple[float, float, float, float],
        fill: Ink | None,
        radius: float = 0,
        outline: Ink | None = None,
        width: float = 0,
    ) -> None:
        """A rectangle, corners rounded by ``radius``; the outline lies inside."""
        self._draw.rounded_rectangle(
            self._box(box), radius * SCALE, fill=fill, outline=outline, width=self._px(width)
        )

    def line(self, points: Sequence[Point], fill: Ink, width: float, caps: bool = True) -> None:
        """A line with round corners and, if wanted, round ends."""
        scaled = self._scaled(points)
        self._draw.line(scaled, fill=fill, width=self._px(width), joint="curve")
        if caps:
            r = width * SCALE / 2
            for x, y in (scaled[0], scaled[-1]):
                self._draw.ellipse((x - r, y - r, x + r, y + r), fill=fill)

    def arc(
        self,
        box: tuple[float, float, float, float],
        start: float,
        end: float,
        fill: Ink,
        width: float,
    ) -> None:
        """Part of an ellipse's edge, in degrees clockwise from three o'clock."""
        self._draw.arc(self._box(box), start, end, fill=fill, width=self._px(width))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        fill: Ink = INK,
        bold: bool = True,
        condensed: bool = False,
    ) -> None:
        """Words centred at (x, y) by what is drawn, so that digits sit in the middle."""
        face = font(round(size * SCALE), bold, condensed)
        left, top, right, bottom = face.getbbox(text, anchor="ls")
        at = (x * SCALE - (left + right) / 2, y * SCALE - self._top - (top + bottom) / 2)
        self._draw.text(at, text, font=face, anchor="ls", fill=fill)

    def turned(self, x: float, y: float, text: str, size: float, fill: Ink, angle: float) -> None:
        """Bold words centred at (x, y), turned anticlockwise by ``angle`` degrees."""
        face = font(round(size * SCALE), True)
        left, top, right, bottom = face.getbbox(text, anchor="ls")
        side = round(2 * max(right - left, bottom - top))
        mask = Image.new("L", (side, side))
        at = ((side - left - right) / 2, (side - top - bottom) / 2)
        ImageDraw.Draw(mask).text(at, text, font=face, anchor="ls", fill=255)
        mask = mask.rotate(angle, Image.Resampling.BICUBIC)
        corner = (round(x * SCALE - side / 2), round(y * SCALE - self._top - side / 2))
        self.image.paste(fill, (*corner, corner[0] + side, corner[1] + side), mask)

    def _px(self, value: float) -> int:
        return max(1, round(value * SCALE)) if value else 0

    def _box(self, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        x0, y0, x1, y1 = box
        return x0 * SCALE, y0 * SCALE - self._top, x1 * SCALE - 1, y1 * SCALE - 1 - self._top

    def _scaled(self, points: Sequence[Point]) -> list[Point]:
        return [(x * SCALE, y * SCALE - self._top) for x, y in points]


Painting = Callable[[Brush], None]


def sprite(size: tuple[int, int], paint: Painting, key: Hashable) -> Image.Image:
    """A cached RGBA picture, painted at four times the size and scaled down.

    Args:
        size: final width and height.
        paint: draws on a transparent ground.
        key: everything the painting depends on, its own name included.
    """

    def make() -> Image.Image:
        large = Image.new("RGBA", (size[0] * SCALE, size[1] * SCALE), (0, 0, 0, 0))
        paint(Brush(large))
        return large.reduce(SCALE)

    return _store.get((size, key), make)


def layer(size: tuple[int, int], paint: Painting, key: Hashable, strip: int = 160) -> Image.Image:
    """Like :func:`sprite` for a large picture: painted strip by strip, which saves memory.

    ``paint`` is called for every strip and sees one ``Brush`` that cuts off what lies outside.
    """

    def make() -> Image.Image:
        whole = Image.new("RGBA", size, (0, 0, 0, 0))
        for top in range(0, size[1], strip):
            high = min(strip, size[1] - top)
            large = Image.new("RGBA", (size[0] * SCALE, high * SCALE), (0, 0, 0, 0))
            paint(Brush(large, top))
            whole.paste(large.reduce(SCALE), (0, top))
        return whole

    return _store.get((size, key), make)


def grow(mask: Image.Image, radius: float) -> Image.Image:
    """The mask, wider by so many of its own pixels on every side."""
    wide = mask.copy()
    rings = [radius] if radius <= 4 else [radius / 2, radius]
    for ring in rings:
        for step in range(24):
            angle = step * pi / 12
            dx, dy = round(ring * cos(angle)), round(ring * sin(angle))
            moved = Image.new("L", mask.size)
            moved.paste(mask, (dx, dy))
            wide = ImageChops.lighter(wide, moved)
    return wide


def figure(
    size: tuple[int, int],
    silhouette: Painting,
    fill: RGB,
    key: Hashable,
    *,
    details: Painting | None = None,
    outline: float = 2,
    rim: RGB = INK,
    halo: float = 2,
    glow: RGB = HALO,
) -> Image.Image:
    """A cached piece: silhouette, ink outline around it, light halo around that.

    Args:
        size: final size, room for outline and halo included.
        silhouette: paints the shape with the value 255.
        fill: colour of the piece.
        key: everything the shape and the details depend on, their own name included.
        details: paints on top of the fill.
        outline: width of the ink outline; 0 for none.
        rim: its colour.
        halo: width of the halo; 0 for none.
        glow: its colour.
    """

    def make() -> Image.Image:
        large = (size[0] * SCALE, size[1] * SCALE)
        mask = Image.new("L", large)
        silhouette(Brush(mask))
        image = Image.new("RGBA", large, (0, 0, 0, 0))
        if halo:
            image.paste((*glow, 255), mask=grow(mask, (outline + halo) * SCALE))
        if outline:
            image.paste((*rim, 255), mask=grow(mask, outline * SCALE))
        image.paste((*fill, 255), mask=mask)
        if details:
            details(Brush(image))
        return image.reduce(SCALE)

    return _store.get((size, fill, key, outline, rim, halo, glow), make)


def ghost(image: Image.Image, share: float, key: Hashable) -> Image.Image:
    """The picture with only a share of its opacity, cached under ``key``."""

    def make() -> Image.Image:
        faint = image.copy()
        faint.putalpha(image.getchannel("A").point([round(v * share) for v in range(256)]))
        return faint

    return _store.get(("ghost", share, key), make)


def polygon_points(x: float, y: float, radius: float, corners: int, turn: float = 0) -> list[Point]:
    """A regular polygon, one corner at the top (turned by ``turn`` degrees)."""
    return [
        (
            x + radius * sin(2 * pi * i / corners + turn * pi / 180),
            y - radius * cos(2 * pi * i / corners + turn * pi / 180),
        )
        for i in range(corners)
    ]


# ---- seats -----------------------------------------------------------------------------------

SEAT_SHAPES = ("circle", "square", "triangle", "diamond", "pentagon", "hexagon")
"""The shape of each seat, so that colour never stands alone."""


def seat_outline(seat: int, x: float, y: float, radius: float) -> list[Point] | None:
    """Corners of a seat's shape of about that radius; None for the circle."""
    match SEAT_SHAPES[seat % len(SEAT_SHAPES)]:
        case "square":
            return polygon_points(x, y, radius * 1.22, 4, 45)
        case "triangle":
            return polygon_points(x, y + radius * 0.22, radius * 1.36, 3)
        case "diamond":
            return polygon_points(x, y, radius * 1.26, 4)
        case "pentagon":
            return polygon_points(x, y + radius * 0.05, radius * 1.14, 5)
        case "hexagon":
            return polygon_points(x, y, radius * 1.1, 6)
    return None


def seat_badge(
    seat: int, colour: RGB, size: int = 36, text: str | None = None, halo: float = 2
) -> Image.Image:
    """A seat's shape in its colour with its number, ``size`` pixels wide and high.

    Args:
        seat: 0 … 5; the number shown is one higher.
        colour: of the player.
        size: whole size, halo included.
        text: other characters than the number; empty for none.
        halo: width of the light rim.
    """
    label = str(seat + 1) if text is None else text
    middle = size / 2
    line = max(1.25, size / 22)
    radius = (size / 2 - halo - line) / 1.36

    def shape(b: Brush) -> None:
        corners = seat_outline(seat, middle, middle, radius)
        if corners is None:
            b.circle(middle, middle, radius * 1.14, 255)
        else:
            b.polygon(corners, 255)

    def digits(b: Brush) -> None:
        triangle = SEAT_SHAPES[seat % len(SEAT_SHAPES)] == "triangle"
        share = 1.06 if triangle else 1.28
        if len(label) > 1:
            share *= 0.72
        b.text(
            middle, middle + (radius * 0.3 if triangle else 0), label, radius * share,
            ink_on(colour),
        )  # fmt: skip

    return figure(
        (size, size), shape, colour, ("seat", seat, label), details=digits if label else None,
        outline=line, halo=halo,
    )  # fmt: skip


# ---- pieces ----------------------------------------------------------------------------------


def _label(b: Brush, text: str, x: float, y: float, size: float, colour: RGB) -> None:
    if text:
        b.text(x, y, text, size * (1 if len(text) < 2 else 0.78), ink_on(colour))


def house(
    colour: RGB,
    size: int = 44,
    text: str = "",
    seat: int | None = None,
    *,
    halo: float = 2,
    glow: RGB = HALO,
) -> Image.Image:
    """A house or shop; with ``seat`` the gable window has that seat's shape."""
    pad = 2.0 + halo
    w = size - 2 * pad

    def shape(b: Brush) -> None:
        eaves = pad + w * 0.40
        b.polygon(
            [(size / 2, pad), (size - pad, eaves), (size - pad - w * 0.06, eaves),
             (size - pad - w * 0.06, size - pad), (pad + w * 0.06, size - pad),
             (pad + w * 0.06, eaves), (pad, eaves)],
            255,
        )  # fmt: skip

    def details(b: Brush) -> None:
        if seat is not None:
            x, y, r = size / 2, pad + w * 0.245, w * 0.075
            corners = seat_outline(seat, x, y, r)
            if corners is None:
                b.circle(x, y, r * 1.1, ink_on(colour))
            else:
                b.polygon(corners, ink_on(colour))
        _label(b, text, size / 2, pad + w * 0.685, w * 0.5, colour)

    return figure(
        (size, size), shape, colour, ("house", text, seat), details=details, halo=halo, glow=glow
    )


def meeple(colour: RGB, size: int = 44, text: str = "") -> Image.Image:
    """A standing figure with a label on its body."""
    u = (size - 8) / 20.0

    def at(x: float, y: float) -> Point:
        return 4 + x * u, 4 + y * u

    def shape(b: Brush) -> None:
        b.circle(*at(10, 4.6), 4.4 * u, 255)
        b.polygon(
            [at(7.6, 7.6), at(12.4, 7.6), at(19.6, 11.4), at(19.0, 14.0), at(14.4, 13.6),
             at(17.8, 20), at(11.6, 20), at(10, 16.8), at(8.4, 20), at(2.2, 20), at(5.6, 13.6),
             at(1.0, 14.0), at(0.4, 11.4)],
            255,
        )  # fmt: skip

    def details(b: Brush) -> None:
        _label(b, text, *at(10, 11.9), 7.6 * u, colour)

    return figure((size, size), shape, colour, ("meeple", text), details=details)


def pawn(colour: RGB, size: int = 44, text: str = "") -> Image.Image:
    """A pawn: head, cone, foot."""
    u = (size - 8) / 20.0

    def at(x: float, y: float) -> Point:
        return 4 + x * u, 4 + y * u

    def shape(b: Brush) -> None:
        b.circle(*at(10, 4.6), 4.5 * u, 255)
        b.polygon([at(7.9, 7), at(12.1, 7), at(16.0, 17.4), at(4.0, 17.4)], 255)
        b.rect((*at(3.2, 15.8), *at(16.8, 20)), 255, 1.6 * u)

    def details(b: Brush) -> None:
        _label(b, text, *at(10, 14.0), 7.0 * u, colour)

    return figure((size, size), shape, colour, ("pawn", text), details=details)


def disc(colour: RGB, size: int = 36, text: str = "") -> Image.Image:
    """A round piece."""

    def shape(b: Brush) -> None:
        b.circle(size / 2, size / 2, size / 2 - 4, 255)

    def details(b: Brush) -> None:
        _label(b, text, size / 2, size / 2, (size - 8) * 0.6, colour)

    return figure((size, size), shape, colour, ("disc", text), details=details)


def token(colour: RGB, size: int = 40, text: str = "", ring: RGB | None = None) -> Image.Image:
    """A round token with an inner ring."""

    def shape(b: Brush) -> None:
        b.circle(size / 2, size / 2, size / 2 - 4, 255)

    def details(b: Brush) -> None:
        b.circle(size / 2, size / 2, size / 2 - 6.5, None, ring or light(colour, 0.6), 1.75)
        _label(b, text, size / 2, size / 2, (size - 14) * 0.66, colour)

    return figure((size, size), shape, colour, ("token", text, ring), details=details)


def tile(
    colour: RGB, size: tuple[int, int], text: str = "", radius: float = 6, text_size: float = 0
) -> Image.Image:
    """A rounded tile with a centred label."""
    w, h = size

    def shape(b: Brush) -> None:
        b.rect((4, 4, w - 4, h - 4), 255, radius)

    def details(b: Brush) -> None:
        if text:
            b.text(w / 2, h / 2, text, text_size or (h - 8) * 0.6, ink_on(colour))

    return figure(size, shape, colour, ("tile", text, radius, text_size), details=details)


def card(size: tuple[int, int], stripe: RGB | None = None, face: RGB = CARD) -> Image.Image:
    """An empty card: paper, ink edge, halo, and a coloured stripe along the top."""
    w, h = size

    def shape(b: Brush) -> None:
        b.rect((4, 4, w - 4, h - 4), 255, 8)

    def details(b: Brush) -> None:
        if stripe:
            b.rect((4, 4, w - 4, 30), stripe, 8)
            b.rect((4, 20, w - 4, 30), face)
            b.rect((4, 14, w - 4, 20), stripe)

    return figure(size, shape, face, ("card", stripe), details=details)


def card_back(size: tuple[int, int], colour: RGB, text: str = "") -> Image.Image:
    """The back of a card: frame, lozenge, label."""
    w, h = size

    def shape(b: Brush) -> None:
        b.rect((4, 4, w - 4, h - 4), 255, 8)

    def details(b: Brush) -> None:
        b.rect((9, 9, w - 9, h - 9), None, 5, light(colour, 0.55), 2)
        r = min(w, h) * 0.26
        b.polygon(polygon_points(w / 2, h / 2, r, 4), light(colour, 0.55))
        if text:
            b.text(w / 2, h / 2, text, r * 0.9, dark(colour))

    return figure(size, shape, colour, ("back", text), details=details)


def bus(colour: RGB = GOLD, size: int = 48) -> Image.Image:
    """A sightseeing bus, seen from the side; a little higher than half its width."""
    h = round(size * 0.66)
    u = (size - 8) / 40.0

    def at(x: float, y: float) -> Point:
        return 4 + x * u, 4 + y * u

    def shape(b: Brush) -> None:
        b.rect((*at(0, 0), *at(40, 17)), 255, 3.5 * u)
        for x in (10, 30):
            b.circle(*at(x, 17.2), 4.4 * u, 255)

    def details(b: Brush) -> None:
        for x in (3, 12, 21):
            b.rect((*at(x, 3), *at(x + 7, 9)), HALO, 1.2 * u, INK, 1)
        b.rect((*at(31, 3), *at(37.5, 10.5)), HALO, 1.2 * u, INK, 1)
        b.line([at(0.5, 12.4), at(39.5, 12.4)], INK, 1, caps=False)
        for x in (10, 30):
            b.circle(*at(x, 17.2), 4.4 * u, INK)
            b.circle(*at(x, 17.2), 1.8 * u, HALO)

    return figure((size, h), shape, colour, "bus", details=details, outline=1.75)


def coin(text: str = "", size: int = 36, colour: RGB = GOLD) -> Image.Image:
    """A coin with an amount."""
    return token(colour, size, text, dark(colour, 0.3))


def pill(
    text: str, colour: RGB, height: int = 30, *, halo: float = 2, outline: float = 1.5
) -> Image.Image:
    """A badge as wide as its text."""
    edge = halo + outline
    size = (height - 2 * edge) * 0.66
    width = round(font(round(size * SCALE), True).getlength(text) / SCALE)
    w = max(height, round(width + (height - 2 * edge) * 0.75 + 2 * edge))

    def shape(b: Brush) -> None:
        b.rect((edge, edge, w - edge, height - edge), 255, height / 2 - edge)

    def details(b: Brush) -> None:
        b.text(w / 2, height / 2, text, size, ink_on(colour))

    return figure(
        (w, height), shape, colour, ("pill", text), details=details, outline=outline, halo=halo
    )


def arrow(colour: RGB, length: int, height: int = 26, turn: float = 0) -> Image.Image:
    """An arrow to the right, turned clockwise by ``turn`` degrees around its middle."""
    side = length if turn else 0
    w, h = (side, side) if turn else (length, height)

    def shape(b: Brush) -> None:
        a, r = length / 2 - 4, height / 2 - 4
        points = [(-a, -r * 0.42), (a - r * 1.5, -r * 0.42), (a - r * 1.5, -r), (a, 0),
                  (a - r * 1.5, r), (a - r * 1.5, r * 0.42), (-a, r * 0.42)]  # fmt: skip
        c, s = cos(turn * pi / 180), sin(turn * pi / 180)
        b.polygon([(w / 2 + x * c - y * s, h / 2 + x * s + y * c) for x, y in points], 255)

    return figure((w, h), shape, colour, ("arrow", length, height, turn), outline=1.75)


def star(colour: RGB = GOLD, size: int = 32) -> Image.Image:
    """A five-pointed star."""

    def shape(b: Brush) -> None:
        outer = polygon_points(size / 2, size / 2 + 1, size / 2 - 4, 5)
        inner = polygon_points(size / 2, size / 2 + 1, (size / 2 - 4) * 0.46, 5, 36)
        b.polygon([p for pair in zip(outer, inner, strict=True) for p in pair], 255)

    return figure((size, size), shape, colour, "star", outline=1.5)


def lock(colour: RGB = GOLD, size: int = 32) -> Image.Image:
    """A padlock: something sealed or hidden."""
    u = (size - 8) / 20.0

    def at(x: float, y: float) -> Point:
        return 4 + x * u, 4 + y * u

    def shape(b: Brush) -> None:
        b.arc((*at(4.5, 0), *at(15.5, 16)), 180, 360, 255, 2.6 * u)
        b.rect((*at(2, 8), *at(18, 20)), 255, 2 * u)

    def details(b: Brush) -> None:
        b.circle(*at(10, 13), 1.9 * u, INK)
        b.line([at(10, 13), at(10, 16.6)], INK, 1.7 * u)

    return figure((size, size), shape, colour, "lock", details=details, outline=1.5)


def crown(colour: RGB = GOLD, size: int = 36) -> Image.Image:
    """A crown: the winner."""
    u = (size - 8) / 20.0

    def at(x: float, y: float) -> Point:
        return 4 + x * u, 4 + y * u

    def shape(b: Brush) -> None:
        b.polygon(
            [
                at(1, 5.5),
                at(6, 10),
                at(10, 2.5),
                at(14, 10),
                at(19, 5.5),
                at(17, 17.5),
                at(3, 17.5),
            ],
            255,
        )
        for x, y in ((1.2, 5), (10, 2.2), (18.8, 5)):
            b.circle(*at(x, y), 1.7 * u, 255)

    def details(b: Brush) -> None:
        b.line([at(3.6, 14.4), at(16.4, 14.4)], INK, 1)

    return figure((size, size), shape, colour, "crown", details=details, outline=1.5)


def ring(colour: RGB, size: int, width: float = 5) -> Image.Image:
    """A ring with ink edges, to put around something."""

    def paint(b: Brush) -> None:
        m = size / 2
        b.circle(m, m, m - 0.5, None, HALO, width + 4)
        b.circle(m, m, m - 2, None, INK, width + 1.5)
        b.circle(m, m, m - 2.75, None, colour, width)

    return sprite((size, size), paint, ("ring", colour, width))


def panel(
    size: tuple[int, int],
    fill: RGB = CARD,
    radius: float = 12,
    outline: RGB | None = None,
    width: float = 2,
) -> Image.Image:
    """A rounded panel."""

    def paint(b: Brush) -> None:
        b.rect((0, 0, *size), fill, radius, outline, width if outline else 0)

    return sprite(size, paint, ("panel", fill, radius, outline, width))
