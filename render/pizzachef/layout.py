"""Where things lie on the board, in pixels."""

from __future__ import annotations

from render.kit.canvas import HEADER, MARGIN
from render.kit.type import Box

GAP = 8
HOUSE_W, HOUSE_H = 224, 134
STALL_W, STALL_H = 282, 206
AWNING = 54
TOKEN = 90
CHIP = 48
CHIPS_H = 58
DELIVERY_H = 124
PLAYER_H = 124
FOCUS_H = 132
"""Extra height of the player in focus."""

TOP = HEADER + 10
MARKET = TOP + HOUSE_H + GAP
CHIPS = MARKET + STALL_H + GAP


def house_box(number: int, chips: int) -> Box:
    """The cell of a house: 1 to 5 above the market, 6 to 10 below it and the rows of chips."""
    column, below = (number - 1) % 5, number > 5
    x = MARGIN + column * (HOUSE_W + GAP)
    y = CHIPS + chips * CHIPS_H + GAP if below else TOP
    return x, y, x + HOUSE_W, y + HOUSE_H


def village_end(chips: int) -> int:
    """Lower edge of the village."""
    return CHIPS + chips * CHIPS_H + GAP + HOUSE_H + 10


def stall_box(stall: int) -> Box:
    """A market stall."""
    x = MARGIN + stall * (STALL_W + GAP)
    return x, MARKET, x + STALL_W, MARKET + STALL_H


def slot_middle(slot: str) -> tuple[int, int]:
    """Middle of a token on the market."""
    x0, y0, x1, _ = stall_box("ABCD".index(slot[0]))
    place = int(slot[1]) - 1
    return (x0 + x1) // 2 + (place - 1) * (TOKEN + 2), y0 + AWNING + TOKEN // 2 + 10


def icon_middle(box: Box, icon: int) -> tuple[int, int]:
    """Middle of a pizza icon of a house, 0 to 3: two columns, two rows, in reading order."""
    _, y0, x1, y1 = box
    return x1 - 88 + (icon % 2) * 58, (y0 + y1) // 2 - 29 + (icon // 2) * 58
