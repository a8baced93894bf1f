"""The tables of ``data/board.toml`` and everything derived from them.

Cells of a neighbourhood are whole numbers below CELLS, ten to a row, so that the four neighbours of
a cell are a fixed step away; :func:`at` and :func:`xy` translate. They leave a free rim around
every place that the 4 × 5 limit allows. Exits are bit masks N 1, E 2, S 4, W 8.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec
from pydantic import Field

from engines.core.data import Table, load
from engines.core.errors import InvariantError

COLOURS = ("gold", "blue", "red", "green")
"""Colours of city tiles and investments, in the order of the four tracks."""

TRACKS = ("Finance", "Market", "Express", "Delivery")

N, E, S, W = 1, 2, 4, 8
DIRECTIONS = ("N", "E", "S", "W")
STEPS: tuple[tuple[int, int, int], ...] = ((N, -10, S), (E, 1, W), (S, 10, N), (W, -1, E))
"""For each side: its bit, the step to the cell beyond it, and that cell's facing side."""

COSTS = (2, 4, 5)
"""Prices of the pizzerias in the reserve."""

CELLS = 110
LOW_X, HIGH_X, LOW_Y, HIGH_Y = -3, 4, -4, 4
"""Where a neighbourhood can reach at all, since the start tile lies at (0,0) and (1,0)."""

_LETTERS = "YBRG"


def at(x: int, y: int) -> int:
    """The cell at (x, y).

    >>> at(0, 0), at(1, -1)
    (54, 45)
    """
    return 10 * (y + 5) + x + 4


def xy(cell: int) -> tuple[int, int]:
    """Where a cell is.

    >>> xy(45)
    (1, -1)
    """
    return XS[cell], YS[cell]


XS = tuple(cell % 10 - 4 for cell in range(CELLS))
YS = tuple(cell // 10 - 5 for cell in range(CELLS))
"""Place of each cell."""


def inside(x: int, y: int) -> bool:
    """Whether a neighbourhood can reach there at all.

    >>> inside(4, 0), inside(5, 0)
    (True, False)
    """
    return LOW_X <= x <= HIGH_X and LOW_Y <= y <= HIGH_Y


def spot(cell: int) -> str:
    """A cell in words, as commands take it.

    >>> spot(45)
    '1,-1'
    """
    x, y = xy(cell)
    return f"{x},{y}"


def mask_of(exits: str) -> int:
    """Exits as a bit mask.

    >>> mask_of("NES")
    7
    """
    return sum(1 << "NESW".index(side) for side in exits)


def exits_of(mask: int) -> str:
    """A bit mask as exits.

    >>> exits_of(10)
    'EW'
    """
    return "".join(side for i, side in enumerate(DIRECTIONS) if mask >> i & 1)


def turned(mask: int, rotation: int) -> int:
    """A mask turned clockwise by degrees.

    >>> exits_of(turned(mask_of("NE"), 90))
    'ES'
    """
    quarter = rotation // 90
    return (mask << quarter | mask >> (4 - quarter)) & 15


class _Board(Table):
    seats: int
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    coins: tuple[int, ...]
    stairs_columns: int
    pizzerias: dict[int, int]
    source: dict[str, str]


class _Stairs(Table):
    prices: tuple[tuple[int, ...], ...]
    source: str


class _Money(Table):
    start: int
    rounds: int
    pizzas: int
    meeples: int
    start_pizzas: int
    new_pizzeria_pizzas: int
    express_fee: int
    leftover_price: int
    source: str


class _Delivery(Table):
    letter: str
    tiles: tuple[tuple[int, int], ...]
    source: str


class _Tracks(Table):
    finance: tuple[int, ...]
    market: tuple[int, ...]
    express: tuple[int, ...]
    delivery: tuple[int, ...]
    diversity: tuple[int, ...]
    expert: int
    buy: tuple[int, ...]
    source: str


class _Capacity(Table):
    start: int
    two: int = Field(alias="2")
    four: int = Field(alias="4")
    five: int = Field(alias="5")
    source: str


class _Shapes(Table):
    cross: str
    t: str
    straight: str
    corner: str
    dead_end: str
    source: str


class _Tiles(Table):
    houses: int
    shapes: tuple[Literal["cross", "t", "straight", "corner", "dead_end"], ...]
    source: str


class _Start(Table):
    colours: tuple[str, ...]
    exits: str
    houses: int
    source: str


class _Investments(Table):
    gold_money: int
    blue_pizzas: int
    red_pizzas: int
    green_routes: int
    source: str


class _Large(Table):
    colour: str
    low: tuple[str, str]
    high: tuple[str, str]
    source: str


class _File(Table):
    provenance: dict[str, str]
    board: tuple[_Board, ...]
    stairs: _Stairs
    money: _Money
    delivery: tuple[_Delivery, ...]
    tracks: _Tracks
    capacity: _Capacity
    shapes: _Shapes
    tiles: tuple[_Tiles, ...]
    start: _Start
    investments: _Investments
    large: tuple[_Large, ...]


class CityTile(msgspec.Struct, frozen=True):
    """A city tile, or the town half of a start tile (PP-026, PP-035).

    Attributes:
        id: ``B08``; town halves are ``S1`` to ``S4``.
        colour: index into COLOURS and TRACKS.
        houses: customers, 1 to 3.
        shape: cross, t, straight, corner or dead_end.
        masks: exits at rotation 0, 90, 180 and 270.
        distinct: (rotation, mask) for every different result, smallest rotation first.
    """

    id: str
    colour: int
    houses: int
    shape: str
    masks: tuple[int, int, int, int]
    distinct: tuple[tuple[int, int], ...]

    def rotation(self, mask: int) -> int:
        """The smallest rotation that gives these exits."""
        return 90 * self.masks.index(mask)


class Side(msgspec.Struct, frozen=True):
    """The board for a number of players.

    Attributes:
        rows, columns: action letters of each line.
        offers: action letters of each cell, row by row (PP-023).
        coins: the tips of a round in table order.
        stairs: columns of the stairs in use.
        pizzerias: number in play by cost.
        cells: names ``r1c1`` … row by row.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    offers: tuple[str, ...]
    coins: tuple[int, ...]
    stairs: int
    pizzerias: dict[int, int]
    cells: tuple[str, ...]


class Box(msgspec.Struct, frozen=True):
    """Everything in the box; see ``data/board.toml``.

    Attributes:
        sides: the board by number of players.
        tiles: all 84 city tiles and the 4 town halves by id.
        deck: ids of the 84 city tiles in the order before shuffling.
        prices: of the stairs, lowest row first.
        delivery: (pizzas, distance) of each delivery tile such as ``A3``.
        finance, market, express, routes, diversity: by track space 1 to 5 (index 0 to 4).
        buy: price of 1 to 5 paid pizzas (index 0 to 4).
        capacity: of a pizzeria by cost; 0 = the start pizzeria.
        large: colours left for the other player by (colour, turned).
    """

    sides: dict[int, Side]
    tiles: dict[str, CityTile]
    deck: tuple[str, ...]
    prices: tuple[tuple[int, ...], ...]
    delivery: dict[str, tuple[int, int]]
    finance: tuple[int, ...]
    market: tuple[int, ...]
    express: tuple[int, ...]
    routes: tuple[int, ...]
    diversity: tuple[int, ...]
    expert: int
    buy: tuple[int, ...]
    capacity: dict[int, int]
    large: dict[tuple[str, str], tuple[str, str]]
    gold_money: int
    blue_pizzas: int
    red_pizzas: int
    green_routes: int
    start_money: int
    rounds: int
    pizzas: int
    meeples: int
    start_pizzas: int
    new_pizzas: int
    express_fee: int
    leftover_price: int
    provenance: dict[str, str]


def _tile(ident: str, colour: str, houses: int, shape: str, exits: str) -> CityTile:
    base = mask_of(exits)
    masks = (base, turned(base, 90), turned(base, 180), turned(base, 270))
    distinct: list[tuple[int, int]] = []
    for quarter, mask in enumerate(masks):
        if all(mask != other for _, other in distinct):
            distinct.append((90 * quarter, mask))
    return CityTile(ident, COLOURS.index(colour), houses, shape, masks, tuple(distinct))


def _side(row: _Board) -> Side:
    offers = []
    for across in row.rows:
        for down in row.columns:
            offers.append("".join(a for a in "SBEP" if a in across or a in down))
    cells = tuple(
        f"r{r + 1}c{c + 1}" for r in range(len(row.rows)) for c in range(len(row.columns))
    )
    return Side(
        row.rows, row.columns, tuple(offers), row.coins, row.stairs_columns, row.pizzerias, cells
    )


@cache
def box() -> Box:
    """The checked tables.

    Raises:
        InvariantError: the file breaks the rulebook's counts.
    """
    raw = load(__package__, "board.toml", _File)
    tiles: dict[str, CityTile] = {}
    for colour, letter in zip(COLOURS, _LETTERS, strict=True):
        number = 0
        for group in raw.tiles:
            for shape in group.shapes:
                number += 1
                ident = f"{letter}{number:02d}"
                exits = getattr(raw.shapes, shape)
                tiles[ident] = _tile(ident, colour, group.houses, shape, exits)
    deck = tuple(tiles)
    for number, colour in enumerate(raw.start.colours, 1):
        ident = f"S{number}"
        tiles[ident] = _tile(ident, colour, raw.start.houses, "straight", raw.start.exits)
    found = Box(
        sides={b.seats: _side(b) for b in raw.board},
        tiles=tiles,
        deck=deck,
        prices=raw.stairs.prices,
        delivery={
            f"{d.letter}{i}": (pizzas, distance)
            for d in raw.delivery
            for i, (pizzas, distance) in enumerate(d.tiles, 1)
        },
        finance=raw.tracks.finance,
        market=raw.tracks.market,
        express=raw.tracks.express,
        routes=raw.tracks.delivery,
        diversity=raw.tracks.diversity,
        expert=raw.tracks.expert,
        buy=raw.tracks.buy,
        capacity={
            0: raw.capacity.start,
            2: raw.capacity.two,
            4: raw.capacity.four,
            5: raw.capacity.five,
        },
        large={
            (row.colour, way): getattr(row, way) for row in raw.large for way in ("low", "high")
        },
        gold_money=raw.investments.gold_money,
        blue_pizzas=raw.investments.blue_pizzas,
        red_pizzas=raw.investments.red_pizzas,
        green_routes=raw.investments.green_routes,
        start_money=raw.money.start,
        rounds=raw.money.rounds,
        pizzas=raw.money.pizzas,
        meeples=raw.money.meeples,
        start_pizzas=raw.money.start_pizzas,
        new_pizzas=raw.money.new_pizzeria_pizzas,
        express_fee=raw.money.express_fee,
        leftover_price=raw.money.leftover_price,
        provenance=raw.provenance,
    )
    _check(found)
    return found


def _check(found: Box) -> None:
    city = [found.tiles[i] for i in found.deck]
    sound = (
        len(city) == 84
        and all(sum(t.colour == c for t in city) == 21 for c in range(4))
        and all(sum(t.houses for t in city if t.colour == c) == 42 for c in range(4))
        and len(found.delivery) == 20
        and sum(map(len, found.prices)) == 28
        and all(len(s.coins) == len(s.rows) + len(s.columns) for s in found.sides.values())
        and sum(found.sides[4].pizzerias.values()) == 8
        and len(found.large) == 8
    )
    if not sound:
        raise InvariantError("data/board.toml breaks the counts of the rulebook")
