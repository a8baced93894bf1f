"""Hues of lines and shops, tuned together so that all nine stay apart for every kind of vision."""

from __future__ import annotations

from render.kit.palette import RGB, hue

LINES: dict[str, RGB] = {
    "green": (44, 172, 128),
    "red": (216, 48, 42),
    "blue": (24, 72, 172),
    "grey": (112, 124, 138),
    "orange": (246, 134, 26),
}
"""Mid tones; each line also has a number and a pattern."""

SHOPS: dict[str, RGB] = {
    "grey": (214, 218, 224),
    "violet": (176, 98, 218),
    "yellow": (252, 222, 40),
    "green": (14, 62, 36),
}
"""Lighter or darker than the lines of the same name; each shop also has a number and a shape."""

SEINE: RGB = (184, 212, 223)
SEINE_EDGE: RGB = (150, 190, 206)
CITY: RGB = (254, 250, 240)
PARK: RGB = (220, 229, 200)
SKETCH: RGB = (231, 219, 195)
"""Drawings on the paper."""
GLOW: RGB = (255, 205, 70)
"""Below lines and stops that have just scored."""


def shop_hue(name: str, seat: int) -> RGB:
    """Colour of a player's shops."""
    return SHOPS.get(name) or hue(name, seat)
