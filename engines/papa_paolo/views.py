"""What a viewer may know of a Papà Paolo match."""

from __future__ import annotations

import msgspec

from engines.core.types import Score, Seat, View, Viewer
from engines.papa_paolo.components import COSTS, box, xy
from engines.papa_paolo.phases import scoring
from engines.papa_paolo.rules import LETTER
from engines.papa_paolo.state import Area, PaoloState


class TileView(msgspec.Struct, frozen=True):
    """A city tile or town half in a neighbourhood: place, tile, exits as a mask, pizzas on it."""

    x: int
    y: int
    tile: str
    exits: int
    pizzas: int


class PizzeriaView(msgspec.Struct, frozen=True):
    """A pizzeria: place, cost (0 = start pizzeria), pizzas and capacity."""

    x: int
    y: int
    cost: int
    pizzas: int
    capacity: int


class RouteView(msgspec.Struct, frozen=True):
    """A delivery route: place of its pizzeria, and (x, y, pizzas) of each tile in order."""

    start: tuple[int, int]
    path: tuple[tuple[int, int, int], ...]


class AreaView(msgspec.Struct, frozen=True, kw_only=True):
    """A player's neighbourhood and boards, all of it public; see ``state.Area``."""

    tiles: tuple[TileView, ...]
    pizzerias: tuple[PizzeriaView, ...]
    markers: tuple[int, ...]
    supply: int
    delivered: int
    waiting: int
    investment: str | None
    kept: tuple[str, ...]
    delivery: str | None
    bonus: int
    job: str
    least: int
    most: int
    moved: int
    ways: int
    reach: int
    routes: tuple[RouteView, ...]
    route: RouteView | None
    latest: tuple[int, int] | None


class PaoloView(View, frozen=True, kw_only=True):
    """A viewer's picture of the match.

    Attributes:
        round, rounds, phase, letter: progress; letter is the printed one, A to G.
        due: (seat, kind of decision) of everybody who is to act.
        order: seats by spot of the play order track.
        spots: next round's, as far as known.
        cells: names of the market cells.
        offers: action letters of each cell.
        grid: tile on each cell, None = taken.
        meeples: seat on each cell, -1 = none.
        active: cell of the meeple that acts now, empty = none.
        last_cell: cell of the meeple placed last, empty = none.
        rows, columns: action letters of the lines.
        row_coins, column_coins: tips, 0 = awarded.
        deck: face-down tiles.
        reserve: (cost, number) of pizzerias left.
        deliveries: delivery tile above each column of the stairs.
        coming: two players: the next round's.
        prices: of the stairs, lowest row first.
        bids: (column, row) of each seat, (0, 0) = none.
        withdrawn: seats out of the bidding.
        last_bidder: who moved last on the stairs, -1 = none.
        investments: colours to be had.
        coin_counts: sealed coins of each seat (two players).
        coin_passed: somebody has passed.
        totals: both bids once revealed.
        large: colour and orientation of the large tile.
        chosen: whether each seat has kept a start tile.
        starts: the kept start tiles, once all are shown.
        areas: of each seat.
        money: of each seat, after the end.
        scores: of each seat, after the end.
        my_money: the viewer's own.
        my_dealt, my_start: the viewer's own start tiles, and the one kept (0 = not yet).
        my_coins: the viewer's own sealed coins.
        my_limit: the viewer's own standing maximum, 0 = none.
    """

    round: int
    rounds: int
    phase: str
    letter: str
    due: tuple[tuple[Seat, str], ...]
    order: tuple[Seat, ...]
    spots: tuple[Seat, ...]
    cells: tuple[str, ...]
    offers: tuple[str, ...]
    grid: tuple[str | None, ...]
    meeples: tuple[int, ...]
    active: str
    last_cell: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    row_coins: tuple[int, ...]
    column_coins: tuple[int, ...]
    deck: int
    reserve: tuple[tuple[int, int], ...]
    deliveries: tuple[str, ...]
    coming: tuple[str, ...]
    prices: tuple[tuple[int, ...], ...]
    bids: tuple[tuple[int, int], ...]
    withdrawn: tuple[Seat, ...]
    last_bidder: int
    investments: tuple[str, ...]
    coin_counts: tuple[int, ...]
    coin_passed: bool
    totals: tuple[int, ...]
    large: tuple[str, str] | None
    chosen: tuple[bool, ...]
    starts: tuple[int, ...]
    areas: tuple[AreaView, ...]
    money: tuple[int, ...] | None
    scores: tuple[Score, ...] | None
    my_money: int | None
    my_dealt: tuple[int, ...]
    my_start: int
    my_coins: tuple[int, ...]
    my_limit: int


def _route(start: int, path: tuple[tuple[int, int], ...]) -> RouteView:
    return RouteView(xy(start), tuple((*xy(cell), pizzas) for cell, pizzas in path))


def area_view(area: Area, *, started: bool = True) -> AreaView:
    """A neighbourhood, built field by field; money stays out, and so does everything of a start
    tile that is not shown yet."""
    capacity = box().capacity
    return AreaView(
        tiles=tuple(
            TileView(*xy(cell), area.tiles[cell], area.roads[cell], area.fed[cell])
            for cell in (sorted(area.cells) if started else ())
        ),
        pizzerias=tuple(
            PizzeriaView(*xy(cell), cost, pizzas, capacity[cost])
            for cell, cost, pizzas in zip(area.ovens, area.costs, area.pizzas, strict=True)
        ),
        markers=tuple(area.markers),
        supply=area.supply,
        delivered=area.delivered(),
        waiting=area.waiting(),
        investment=area.investment,
        kept=area.kept,
        delivery=area.delivery,
        bonus=area.bonus,
        job=area.job,
        least=area.least,
        most=area.most,
        moved=area.moved,
        ways=area.ways,
        reach=area.reach,
        routes=tuple(_route(r.start, r.path) for r in area.routes),
        route=_route(area.start, area.path) if area.start >= 0 else None,
        latest=xy(area.latest) if area.latest >= 0 else None,
    )


def view(state: PaoloState, viewer: Viewer) -> PaoloView:
    """Build a view field by field (PP-006, PP-107, PP-113)."""
    over = state.ended is not None
    seats = range(state.seats)
    side = box().sides[state.seats]
    started = state.phase != "starting"
    return PaoloView(
        viewer=viewer,
        seats=state.seats,
        colours=state.colours,
        waiting=tuple(d.seat for d in state.pending),
        ended=state.ended,
        round=state.round,
        rounds=box().rounds,
        phase=state.phase,
        letter=LETTER[state.phase],
        due=tuple((d.seat, d.kind) for d in state.pending),
        order=state.order,
        spots=state.spots,
        cells=side.cells,
        offers=side.offers,
        grid=tuple(state.grid),
        meeples=tuple(state.meeples),
        active=side.cells[state.active] if state.active >= 0 else "",
        last_cell=side.cells[state.last_cell] if state.last_cell >= 0 else "",
        rows=side.rows,
        columns=side.columns,
        row_coins=state.row_coins,
        column_coins=state.column_coins,
        deck=len(state.deck) - state.drawn,
        reserve=tuple(zip(COSTS, state.reserve, strict=True)),
        deliveries=state.columns,
        coming=state.coming,
        prices=box().prices,
        bids=tuple(state.bids),
        withdrawn=state.withdrawn,
        last_bidder=state.last_bidder,
        investments=state.investments,
        coin_counts=tuple(len(coins) for coins in state.coins),
        coin_passed=state.coin_passed,
        totals=state.totals,
        large=state.large,
        chosen=tuple(start > 0 for start in state.starts),
        starts=tuple(state.starts) if started else (),
        areas=tuple(area_view(area, started=started) for area in state.areas),
        money=tuple(area.money for area in state.areas) if over else None,
        scores=tuple(scoring.score(state, seat) for seat in seats) if over else None,
        my_money=None if viewer is None else state.areas[viewer].money,
        my_dealt=() if viewer is None else state.dealt[viewer],
        my_start=0 if viewer is None else state.starts[viewer],
        my_coins=() if viewer is None or not state.coins else state.coins[viewer],
        my_limit=0 if viewer is None or not state.limits else state.limits[viewer],
    )
