"""Where everything goes: the city is panned and scaled so that it always fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.papertown.grid import NAMES, PLACES, SPOTS
from render.kit.type import Box

LARGEST = 188
"""Widest diamond."""
STEP = 4
"""Widths and heights of diamonds go by this, so that few sizes of sprites are needed."""
FLAT, STEEP = 0.62, 0.86
"""Least and most height of a diamond, as a share of its width."""


@dataclass(frozen=True)
class City:
    """The city's place on the picture.

    Attributes:
        w, h: of a diamond.
        x, y: centre of the cell N50.
        lots: the empty cells around the city.
    """

    w: int
    h: int
    x: float
    y: float
    lots: tuple[str, ...]

    def at(self, name: str) -> tuple[float, float]:
        """Centre of a cell."""
        x, y = PLACES[name]
        return self.x + (x - y) * self.w / 2, self.y + (x + y) * self.h / 2


def height_of(names: Sequence[str], room_x: int, least: int, most: int) -> int:
    """How high the city's part of the picture is: a tall city gets more of it."""
    wide, high = _extent([*names, *{n for name in names for n in SPOTS[name].around}])
    w = min(float(LARGEST), 2 * room_x / wide)
    return max(least, min(most, round(high * w * STEEP / 2) + 24))


def _extent(names: Sequence[str]) -> tuple[int, int]:
    """Width and height of some cells in half diamonds."""
    places = [PLACES[n] for n in names]
    across, down = [x - y for x, y in places], [x + y for x, y in places]
    return max(across) - min(across) + 2, max(down) - min(down) + 2


def fit_city(names: Sequence[str], box: Box) -> City:
    """The largest diamonds with which the city and the empty cells around it fill the box."""
    around = {n for name in names for n in SPOTS[name].around}
    lots = tuple(NAMES[place] for place in sorted(PLACES[n] for n in around.difference(names)))
    places = [PLACES[n] for n in (*names, *lots)]
    across = [x - y for x, y in places]
    down = [x + y for x, y in places]
    wide, high = _extent((*names, *lots))
    room_x, room_y = box[2] - box[0], box[3] - box[1] - 14
    w = min(float(LARGEST), 2 * room_x / wide)
    h = min(w * STEEP, 2 * room_y / high)
    w = min(w, h / FLAT)
    size = int(w // STEP * STEP), int(h // STEP * STEP)
    middle = (max(across) + min(across)) / 2, (max(down) + min(down)) / 2
    return City(
        *size,
        (box[0] + box[2]) / 2 - middle[0] * size[0] / 2,
        (box[1] + box[3]) / 2 - 5 - middle[1] * size[1] / 2,
        lots,
    )
