"""Where everything lies on the picture.

Stops come from the board's table, stretched to the sheet. The table below says where each name and
the face-up tiles go, so that no name touches a line, a shop or another name; a test holds it to
that. A stop that is not in the table (an owner's own board) gets its name below and tiles beside.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from engines.paris_paris.components import board
from render.kit.canvas import HEADER, PANEL
from render.kit.sprites import Point
from render.kit.type import Box, width_of

WIDTH = 1200
HEIGHT = 1096
PLAYERS = HEADER + 14
"""Upper edge of the player panels."""
MAP: Box = (0, PLAYERS + PANEL + 4, WIDTH, 962)
NAME_SIZE = 26
ROW = 28
TILE = 54
"""Side of a face-up tile."""
INFO: Box = (12, MAP[1] + 6, 268, MAP[1] + 182)
P_ROW: Box = (952, MAP[1] + 44, 1188, MAP[1] + 300)
SLOT = (212, 33)
TRACK: Box = (25, 966, 1175, 1068)
CELL = (50, 50)
TRACK_ROW = 23
"""Spaces of the score track in a row."""

_SPOTS: dict[str, tuple[Point, tuple[str, ...], Point, Point]] = {
    # stop: nudge, rows of the name (none = as it is), middle of the name, middle of the tiles
    "montmartre": ((-8, 0), (), (156, 16), (-14, 64)),
    "gare-du-nord": ((0, 0), (), (126, 1), (-48, 39)),
    "st-nicolas": ((0, 0), (), (101, -32), (-56, 1)),
    "pompidou": ((0, -8), (), (130, -17), (110, -62)),
    "hotel-de-ville": ((-8, 16), ("Hôtel", "de Ville"), (109, 64), (107, -26)),
    "notre-dame": ((12, 12), (), (116, 31), (58, 74)),
    "quartier-latin": ((0, 0), (), (12, 75), (-110, 0)),
    "la-villette": ((0, 0), (), (-102, -18), (57, 39)),
    "pigalle": ((-8, -8), (), (-21, -46), (-57, 5)),
    "opera": ((-8, 0), (), (106, -24), (-114, 5)),
    "concorde": ((0, 0), (), (-128, 2), (-107, 65)),
    "invalides": ((0, 0), (), (90, 8), (-57, 1)),
    "montparnasse": ((0, 0), (), (-160, 2), (0, 68)),
    "bastille": ((0, 0), (), (118, 21), (112, 66)),
    "place-des-vosges": ((24, -20), ("Place", "des Vosges"), (108, 0), (81, 59)),
    "pont-neuf": ((0, 0), (), (-128, 9), (-118, 50)),
    "louvre": ((-10, 0), (), (-82, 25), (-33, -62)),
    "champs-elysees": ((0, 0), (), (-49, -47), (-57, 8)),
    "gare-de-lyon": ((-6, 32), ("Gare", "de Lyon"), (-86, 0), (57, 2)),
    "odeon": ((0, 6), (), (107, 1), (-114, -2)),
    "luxembourg": ((0, 8), (), (38, 52), (-57, -34)),
    "tour-eiffel": ((0, 0), (), (-28, -50), (-57, 1)),
    "jardin-des-plantes": ((0, 0), (), (-68, 50), (29, -62)),
    "les-halles": ((8, 16), ("Les", "Halles"), (-14, -69), (-57, 25)),
    "st-lazare": ((0, 0), (), (0, -46), (-57, 4)),
}

_LINE_LABELS: dict[str, Point] = {
    "green": (-56, -16), "red": (56, -3), "blue": (24, -38), "grey": (-8, 32), "orange": (54, 11),
}  # fmt: skip
"""Middle of a line's badge, from the tail of its arrow."""


@dataclass(frozen=True)
class Spot:
    """A stop on the picture.

    Attributes:
        x, y: its middle.
        crossing: room for two shops.
        rows: lines of its name, each with the middle of its baseline.
        name_box: around the name.
        tiles: box for the face-up tiles.
        place: box of the shops.
    """

    x: int
    y: int
    crossing: bool
    rows: tuple[tuple[str, int, int], ...]
    name_box: Box
    tiles: Box
    place: Box

    def shop_x(self, place: int) -> int:
        """Middle of the first or second shop."""
        return self.x + (place * 2 - 1) * 24 if self.crossing else self.x


def on_map(x: float, y: float) -> Point:
    """A point of the board's 1000 × 700 on the picture."""
    return 1.2 * x, MAP[1] + 6 + 1.15 * (y - 20)


@cache
def spots() -> dict[str, Spot]:
    """All stops, by id."""
    found: dict[str, Spot] = {}
    for stop in board().stops.values():
        nudge, rows, name, tiles = _SPOTS.get(stop.id, ((0, 0), (), (0, 50), (0, 0)))
        if stop.id not in _SPOTS:
            tiles = (110, 0) if stop.crossing else (57, 0)
        px, py = on_map(stop.x, stop.y)
        x, y = round(px + nudge[0]), round(py + nudge[1])
        words = rows if " ".join(rows) == stop.name else (stop.name,)
        wide = max(width_of(w, NAME_SIZE, condensed=True, bold=True) for w in words)
        high = ROW * len(words) - 2
        cx, cy = x + name[0], y + name[1]
        top = round(cy - high / 2)
        left = round(cx - wide / 2) - 2
        half = TILE if stop.crossing else TILE // 2
        tx, ty = round(x + tiles[0]), round(y + tiles[1])
        room = 56 if stop.crossing else 28
        found[stop.id] = Spot(
            x,
            y,
            stop.crossing,
            tuple((w, round(cx), top + ROW * i + 22) for i, w in enumerate(words)),
            (left, top, left + wide + 4, top + high),
            (tx - half, ty - 28, tx + half, ty + 28),
            (x - room, y - 32, x + room, y + 32),
        )
    return found


def arrow(colour: str) -> tuple[Point, Point]:
    """Tail and tip of a line's arrow on the picture."""
    first = board().lines[colour].stops[0]
    dx, dy = _SPOTS[first][0] if first in _SPOTS else (0, 0)
    (x0, y0), (x1, y1) = (on_map(*p) for p in board().lines[colour].arrow)
    return (x0 + dx, y0 + dy), (x1 + dx, y1 + dy)


def line_label(colour: str) -> Point:
    """Middle of a line's badge."""
    x, y = arrow(colour)[0]
    dx, dy = _LINE_LABELS.get(colour, (0, -30))
    return x + dx, y + dy


def slot(number: int) -> tuple[int, int]:
    """Upper left corner of a space of the P row."""
    return P_ROW[0] + 12, P_ROW[1] + 42 + number * (SLOT[1] + 2)


def cell(space: int) -> tuple[int, int]:
    """Upper left corner of a space of the score track."""
    row, column = divmod(space, TRACK_ROW)
    return TRACK[0] + column * CELL[0], TRACK[1] + row * (CELL[1] + 1)
