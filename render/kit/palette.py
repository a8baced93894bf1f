"""Colours, and the sums that show whether people can tell them apart."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from typing import NamedTuple

RGB = tuple[int, int, int]

PAPER: RGB = (247, 241, 227)
"""Background of every board."""
CARD: RGB = (255, 252, 244)
"""Panels and cards that lie on the paper."""
SHADE: RGB = (232, 223, 203)
"""Quiet areas: empty spaces, tracks."""
INK: RGB = (33, 37, 46)
"""Text and outlines."""
MUTED: RGB = (108, 102, 92)
"""Secondary text; still 4.5 : 1 on paper."""
HAIR: RGB = (196, 186, 165)
"""Hairlines."""
WHITE: RGB = (255, 255, 255)
HALO: RGB = (255, 253, 247)
"""The light rim around pieces."""
ACT: RGB = (200, 52, 30)
"""The accent of "it is your turn" and of the latest move."""
GOLD: RGB = (244, 190, 54)

OKABE_ITO: dict[str, RGB] = {
    "blue": (0, 114, 178),
    "yellow": (240, 228, 66),
    "vermillion": (213, 94, 0),
    "black": (0, 0, 0),
    "sky blue": (86, 180, 233),
    "purple": (204, 121, 167),
}
"""Player colours in seat order for games whose colours have no names of their own."""

SEATS: tuple[RGB, ...] = tuple(OKABE_ITO.values())

HUES: dict[str, RGB] = {
    **OKABE_ITO,
    "red": (204, 49, 40),
    "orange": (230, 140, 20),
    "green": (0, 148, 105),
    "teal": (0, 140, 140),
    "violet": (122, 60, 160),
    "grey": (120, 126, 134),
    "white": (250, 250, 246),
    "gold": (226, 172, 30),
}
"""A hue for every colour name; a game whose set must be finer tuned keeps its own table."""


def hue(name: str, seat: int = 0) -> RGB:
    """The colour of that name; an unknown name gets the seat's Okabe–Ito colour."""
    return HUES.get(name, SEATS[seat % len(SEATS)])


def mix(a: RGB, b: RGB, share: float) -> RGB:
    """``a`` with a share (0 … 1) of ``b`` in it.

    >>> mix((0, 0, 0), (200, 100, 50), 0.5)
    (100, 50, 25)
    """
    return (
        round(a[0] + (b[0] - a[0]) * share),
        round(a[1] + (b[1] - a[1]) * share),
        round(a[2] + (b[2] - a[2]) * share),
    )


def light(colour: RGB, share: float = 0.5) -> RGB:
    """Mixed with white."""
    return mix(colour, WHITE, share)


def dark(colour: RGB, share: float = 0.35) -> RGB:
    """Mixed with ink."""
    return mix(colour, INK, share)


def _linear(colour: RGB) -> tuple[float, float, float]:
    r, g, b = (c / 255 for c in colour)
    return _decode(r), _decode(g), _decode(b)


def _decode(c: float) -> float:
    return float(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4)


def _encode(c: float) -> int:
    c = min(1.0, max(0.0, c))
    return round(255 * (12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055))


def luminance(colour: RGB) -> float:
    """Relative luminance, 0 (black) to 1 (white)."""
    r, g, b = _linear(colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a: RGB, b: RGB) -> float:
    """WCAG contrast ratio, 1 to 21."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@cache
def ink_on(colour: RGB) -> RGB:
    """White or ink, whichever reads better on the colour."""
    return WHITE if contrast(WHITE, colour) > contrast(INK, colour) else INK


# ---- colour vision ---------------------------------------------------------------------------

VISIONS: dict[str, tuple[tuple[float, float, float], ...]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deutan": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritan": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Machado, Oliveira and Fernandes (2009), full severity, on linear RGB."""


def seen(colour: RGB, vision: str) -> RGB:
    """The colour as someone with that vision sees it."""
    rgb = _linear(colour)
    r, g, b = (sum(m * c for m, c in zip(row, rgb, strict=True)) for row in VISIONS[vision])
    return _encode(r), _encode(g), _encode(b)


@cache
def _lab(colour: RGB) -> tuple[float, float, float]:
    r, g, b = _linear(colour)
    x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047
    y = 0.2126729 * r + 0.7151522 * g + 0.0721750 * b
    z = (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883
    fx, fy, fz = (
        float(t ** (1 / 3)) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z)
    )
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(a: RGB, b: RGB) -> float:
    """CIEDE2000."""
    return _ciede2000(_lab(a), _lab(b))


def _ciede2000(one: tuple[float, float, float], two: tuple[float, float, float]) -> float:
    (l1, a1, b1), (l2, a2, b2) = one, two
    mean = (hypot(a1, b1) + hypot(a2, b2)) / 2
    g = 0.5 * (1 - sqrt(mean**7 / (mean**7 + 25**7)))
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1 = degrees(atan2(b1, a1)) % 360 if c1 else 0.0
    h2 = degrees(atan2(b2, a2)) % 360 if c2 else 0.0
    dl, dc = l2 - l1, c2 - c1
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    dh = 2 * sqrt(c1 * c2) * sin(radians(turn) / 2)
    lm, cm = (l1 + l2) / 2, (c1 + c2) / 2
    if c1 * c2 == 0:
        hm = h1 + h2
    elif abs(h1 - h2) <= 180:
        hm = (h1 + h2) / 2
    else:
        hm = (h1 + h2 + (360 if h1 + h2 < 360 else -360)) / 2
    t = (
        1
        - 0.17 * cos(radians(hm - 30))
        + 0.24 * cos(radians(2 * hm))
        + 0.32 * cos(radians(3 * hm + 6))
        - 0.20 * cos(radians(4 * hm - 63))
    )
    sl = 1 + 0.015 * (lm - 50) ** 2 / sqrt(20 + (lm - 50) ** 2)
    sc, sh = 1 + 0.045 * cm, 1 + 0.015 * cm * t
    rc = 2 * sqrt(cm**7 / (cm**7 + 25**7))
    rt = -sin(radians(60 * exp(-(((hm - 275) / 25) ** 2)))) * rc
    kl, kc, kh = dl / sl, dc / sc, dh / sh
    return sqrt(kl**2 + kc**2 + kh**2 + rt * kc * kh)


class Pair(NamedTuple):
    """The two colours of a set that are hardest to tell apart, and for whom."""

    distance: float
    one: str
    two: str
    vision: str


def closest(colours: Mapping[str, RGB]) -> Pair:
    """The smallest CIEDE2000 distance of a set over all visions.

    Raises:
        ValueError: there are fewer than two colours.
    """
    return min(
        Pair(difference(seen(colours[a], vision), seen(colours[b], vision)), a, b, vision)
        for a, b in combinations(colours, 2)
        for vision in VISIONS
    )
