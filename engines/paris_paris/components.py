"""The board, the tiles and everything derived from them (PR-002 to PR-008)."""

from __future__ import annotations

from functools import cache

import msgspec

from engines.core.data import Table, load
from engines.core.errors import InvariantError


class _Constants(Table):
    shops_per_colour: int
    p_row_spaces: int
    track_spaces: int


class _Line(Table):
    colour: str
    number: int
    arrow: tuple[tuple[int, int], tuple[int, int]]
    stops: tuple[str, ...]
    source: str


class _Stop(Table):
    id: str
    name: str
    x: int
    y: int
    tiles: dict[str, int]
    source: dict[str, str]


class _Board(Table):
    provenance: dict[str, str]
    constants: _Constants
    line: tuple[_Line, ...]
    stop: tuple[_Stop, ...]


class Line(msgspec.Struct, frozen=True):
    """A bus line: its number, its seven stops from the arrow on, and where the arrow is drawn."""

    colour: str
    number: int
    stops: tuple[str, ...]
    arrow: tuple[tuple[int, int], tuple[int, int]]


class Stop(msgspec.Struct, frozen=True):
    """A bus stop: id, name, picture place (1000 × 700, y downward), colours of its lines, ids of
    the stops next to it on them, and how many shops it holds."""

    id: str
    name: str
    x: int
    y: int
    lines: tuple[str, ...]
    neighbours: tuple[str, ...]
    places: int

    @property
    def crossing(self) -> bool:
        """Whether two lines meet here."""
        return len(self.lines) == 2


class Board(msgspec.Struct, frozen=True):
    """The whole board.

    Attributes:
        lines: by colour, in line order.
        stops: by id, in table order.
        tiles: all 60 as ``stop/colour`` in the order of PR-019.
        kinds: the different tiles.
        near: for each stop and each other stop on one of its lines the distance (PR-006).
        shops: per colour.
        p_row: spaces beside the score track.
        track: spaces of the score track.
        provenance: where the values come from.
    """

    lines: dict[str, Line]
    stops: dict[str, Stop]
    tiles: tuple[str, ...]
    kinds: frozenset[str]
    near: dict[str, tuple[tuple[int, tuple[str, ...]], ...]]
    shops: int
    p_row: int
    track: int
    provenance: dict[str, str]


def tile_parts(tile: str) -> tuple[str, str]:
    """Stop and colour of a tile.

    >>> tile_parts("louvre/blue")
    ('louvre', 'blue')
    """
    stop, _, colour = tile.partition("/")
    return stop, colour


def track_place(points: int) -> tuple[int, int]:
    """Space of the score track and how often its start was passed (PR-055, PR-056).

    >>> track_place(49)
    (3, 1)
    """
    passes, space = divmod(points, board().track)
    return space, passes


@cache
def board() -> Board:
    """The board of ``data/board.toml``.

    Raises:
        InvariantError: the file breaks the rulebook's counts.
    """
    raw = load(__package__, "board.toml", _Board)
    lines = {r.colour: Line(r.colour, r.number, r.stops, r.arrow) for r in raw.line}
    stops: dict[str, Stop] = {}
    near: dict[str, tuple[tuple[int, tuple[str, ...]], ...]] = {}
    tiles: list[str] = []
    for row in raw.stop:
        through = tuple(c for c, line in lines.items() if row.id in line.stops)
        distance: dict[int, list[str]] = {}
        for colour in through:
            order = lines[colour].stops
            here = order.index(row.id)
            for place, other in enumerate(order):
                if other != row.id:
                    distance.setdefault(abs(place - here), []).append(other)
        near[row.id] = tuple((d, tuple(distance[d])) for d in sorted(distance))
        stops[row.id] = Stop(
            row.id, row.name, row.x, row.y, through, tuple(distance[1]), len(through)
        )
        for colour in through:
            tiles += [f"{row.id}/{colour}"] * row.tiles.get(colour, 0)
    found = Board(
        lines, stops, tuple(tiles), frozenset(tiles), near,
        raw.constants.shops_per_colour, raw.constants.p_row_spaces, raw.constants.track_spaces,
        raw.provenance,
    )  # fmt: skip
    _check(found)
    return found


def _check(found: Board) -> None:
    crossings = [s for s in found.stops.values() if s.crossing]
    sound = (
        len(found.stops) == 25
        and len(crossings) == 10
        and len(found.tiles) == 60
        and all(len(line.stops) == 7 for line in found.lines.values())
        and all(
            sum(found.stops[s].crossing for s in line.stops) == 4 for line in found.lines.values()
        )
        and all(1 <= len(s.lines) <= 2 for s in found.stops.values())
    )
    if not sound:
        raise InvariantError("data/board.toml breaks PR-003 or PR-008")
