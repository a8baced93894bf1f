"""Hues of Pizzachef."""

from __future__ import annotations

from render.kit.palette import RGB, hue

BACK: dict[str, RGB] = {"red": (206, 62, 46), "green": (38, 138, 92)}
"""Backgrounds of tokens; red ones are round and green ones square, so colour never stands alone."""

PIECE: dict[str, RGB] = {
    "blue": (0, 114, 178),
    "yellow": (244, 214, 50),
    "purple": (164, 84, 168),
    "white": (252, 252, 250),
}
"""Colours of the players; each also has a shape and a number."""

SQUARE: RGB = (238, 226, 200)
"""The village square."""
COBBLE: RGB = (231, 217, 188)
CREAM: RGB = (255, 248, 230)
"""Behind every topping."""
WOOD: RGB = (188, 138, 84)
WOOD_DARK: RGB = (140, 96, 54)
AWNINGS: tuple[RGB, ...] = ((196, 64, 48), (34, 118, 96), (226, 150, 32), (74, 98, 160))
"""Stripes of the stalls A to D."""
WALLS: tuple[RGB, ...] = (
    (240, 214, 160), (226, 178, 142), (246, 232, 196), (214, 196, 170), (232, 188, 120),
)  # fmt: skip
ROOF: RGB = (178, 84, 58)
BAG: RGB = (196, 154, 100)
BAG_DARK: RGB = (150, 110, 64)

CRUST: RGB = (214, 160, 88)
SAUCE: RGB = (200, 70, 48)
CHEESE: RGB = (250, 226, 150)

MISSION: RGB = (74, 98, 160)
ORDER: RGB = (206, 62, 46)
CHEF: RGB = (34, 118, 96)
OPEN: RGB = (226, 150, 32)
"""Stripes of the cards."""


def piece(name: str, seat: int) -> RGB:
    """Colour of a player's pieces."""
    return PIECE.get(name) or hue(name, seat)
