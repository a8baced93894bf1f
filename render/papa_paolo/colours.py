"""Colours of Papà Paolo."""

from __future__ import annotations

from engines.papa_paolo.components import COLOURS
from render.kit.palette import RGB, hue, light, mix

TRACK: dict[str, RGB] = {
    "gold": (222, 165, 24),
    "blue": (22, 104, 172),
    "red": (196, 52, 40),
    "green": (24, 138, 88),
}
"""Houses, investments and tracks."""

LETTERS = {"gold": "F", "blue": "M", "red": "E", "green": "D"}
"""The track of a colour, by its first letter: Finance, Market, Express, Delivery."""

SEATS: dict[str, RGB] = {
    "purple": (122, 66, 156),
    "teal": (18, 140, 142),
    "orange": (232, 128, 28),
    "white": (250, 250, 246),
}

ROAD: RGB = (104, 99, 96)
DASH: RGB = (240, 232, 210)
STONE: RGB = (214, 196, 160)
TREE: RGB = (112, 140, 82)
TREE_DARK: RGB = (78, 104, 60)
CRUST: RGB = (196, 128, 56)
CHEESE: RGB = (250, 208, 92)
SALAMI: RGB = (190, 58, 40)
BASIL: RGB = (72, 128, 60)
STEP: RGB = (232, 214, 180)
SEA: RGB = (226, 234, 232)

GROUND: dict[str, RGB] = {
    colour: mix(light(TRACK[colour], 0.62), (236, 224, 196), 0.35) for colour in COLOURS
}
"""Ground of a city tile."""


def seat_hue(name: str, seat: int) -> RGB:
    """A player's colour."""
    return SEATS.get(name, hue(name, seat))
