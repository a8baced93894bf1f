"""The position of a Papà Paolo match."""

from __future__ import annotations

import msgspec

from engines.core.types import Decision, Seat, State


class Route(msgspec.Struct, frozen=True):
    """A delivery route: its pizzeria, and the (cell, pizzas) of each city tile in order."""

    start: int
    path: tuple[tuple[int, int], ...]


class Area(msgspec.Struct):
    """What one player owns. Never changed in place but through :meth:`PaoloState.touch`.

    Attributes:
        money, supply: pounds, and pizzas not in play.
        markers: space of Finance, Market, Express, Delivery (1 to 5).
        cells: cells with a city tile, in the order laid; the first is the town half.
        tiles: city tile on each cell, "" = none.
        roads: its exits, 0 = no tile.
        links: bit i is set if pizzeria i is road-connected with the tile (PP-030).
        fed: pizzas on the city tile of each cell.
        ovens, costs, pizzas: cell, cost (0 = start pizzeria) and pizzas of each pizzeria.
        box: least and greatest x, least and greatest y in use.
        latest: cell changed last, -1 = none in this round.
        investment: colour of the tile to activate in D.
        kept: colours of kept investments, in order.
        delivery: delivery tile of this round.
        bonus: extra routes in this round's E.
        job: what is open: buy, blue, express, red, deliver or nothing.
        least, most, moved: pizzas that must, may and did move in the job.
        ways, reach: routes allowed in the job, and their length (0 = any).
        routes: finished routes of the latest delivery.
        start: pizzeria of the open route, -1 = none is open.
        path: (cell, pizzas) of the open route.
        earned: cells completed in E, rewarded in F.
    """

    money: int
    supply: int
    markers: list[int]
    cells: list[int]
    tiles: list[str]
    roads: list[int]
    links: list[int]
    fed: list[int]
    ovens: list[int]
    costs: list[int]
    pizzas: list[int]
    box: tuple[int, int, int, int]
    latest: int = -1
    investment: str | None = None
    kept: tuple[str, ...] = ()
    delivery: str | None = None
    bonus: int = 0
    job: str = ""
    least: int = 0
    most: int = 0
    moved: int = 0
    ways: int = 0
    reach: int = 0
    routes: tuple[Route, ...] = ()
    start: int = -1
    path: tuple[tuple[int, int], ...] = ()
    earned: tuple[int, ...] = ()

    def copy(self) -> Area:
        """An independent copy."""
        return Area(
            self.money,
            self.supply,
            self.markers.copy(),
            self.cells.copy(),
            self.tiles.copy(),
            self.roads.copy(),
            self.links.copy(),
            self.fed.copy(),
            self.ovens.copy(),
            self.costs.copy(),
            self.pizzas.copy(),
            self.box,
            self.latest,
            self.investment,
            self.kept,
            self.delivery,
            self.bonus,
            self.job,
            self.least,
            self.most,
            self.moved,
            self.ways,
            self.reach,
            self.routes,
            self.start,
            self.path,
            self.earned,
        )

    def delivered(self) -> int:
        """Pizzas on city tiles."""
        return sum(self.fed)

    def waiting(self) -> int:
        """Pizzas on pizzerias."""
        return sum(self.pizzas)


class PaoloState(State, kw_only=True):
    """Everything about a match.

    Attributes:
        deck: all 84 city tiles in shuffled order; never changed.
        drawn: how many of them have been laid out.
        parity: with two players which delivery tiles were removed, odd or even; else empty.
        dealt: start tile numbers that went to each seat.
        starts: start tile kept by each seat, 0 = not chosen.
        round, phase: 1 to 5, and the step of the round by its name in ``rules.ROUND``.
        order: seats by spot of the play order track.
        spots: seats of the next round's order so far.
        areas: what each seat owns.
        reserve: pizzerias left of each of COSTS.
        bank: money that went to the bank less what came from it (starts negative).
        grid: city tile on each market cell, None once taken.
        meeples: seat on each market cell, -1 = none.
        placed: action meeples placed in this phase A.
        active: market cell of the meeple that acts now, -1 = none.
        actor: seat that acted last in this phase A, -1 = none.
        last_cell: market cell of the meeple placed last in this round, -1 = none.
        row_coins, column_coins: tips not yet awarded; 0 = none.
        boxed: city tiles out of the game.
        columns: delivery tile above each column of the stairs (two players: the two of the round).
        coming: with two players the next round's.
        bids: (column, row) of each seat's meeple on the stairs, (0, 0) = none.
        bidder: place in ``order`` of whose bidding turn it is.
        withdrawn: seats that stay out, in order.
        limits: private standing maximum of each seat, 0 = none.
        last_bidder: seat that moved last on the stairs, -1 = none.
        investments: colours still to be had.
        queue: seats still to be settled.
        coins: sealed coins of each seat (two players).
        coin_passed: somebody has passed.
        totals: bids of the two players, once revealed.
        large: (colour, turned) of the large tile once claimed.
        high: seat with the higher bid of two players, -1 = not known.
    """

    deck: tuple[str, ...]
    drawn: int = 0
    parity: str = ""
    dealt: tuple[tuple[int, ...], ...] = ()
    starts: list[int] = []
    round: int = 0
    phase: str = "setup"
    order: tuple[Seat, ...] = ()
    spots: tuple[Seat, ...] = ()
    areas: list[Area] = []
    reserve: list[int] = []
    bank: int = 0
    grid: list[str | None] = []
    meeples: list[int] = []
    placed: int = 0
    active: int = -1
    actor: int = -1
    last_cell: int = -1
    row_coins: tuple[int, ...] = ()
    column_coins: tuple[int, ...] = ()
    boxed: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    coming: tuple[str, ...] = ()
    bids: list[tuple[int, int]] = []
    bidder: int = 0
    withdrawn: tuple[Seat, ...] = ()
    limits: list[int] = []
    last_bidder: int = -1
    investments: tuple[str, ...] = ()
    queue: tuple[Seat, ...] = ()
    coins: list[tuple[int, ...]] = []
    coin_passed: bool = False
    totals: tuple[int, ...] = ()
    large: tuple[str, str] | None = None
    high: int = -1

    def clone(self) -> PaoloState:
        """An independent copy that shares what is never changed in place."""
        return PaoloState(
            seats=self.seats,
            colours=self.colours,
            rng=self.rng.copy(),
            pending=self.pending.copy(),
            next_decision=self.next_decision,
            ended=self.ended,
            deck=self.deck,
            drawn=self.drawn,
            parity=self.parity,
            dealt=self.dealt,
            starts=self.starts.copy(),
            round=self.round,
            phase=self.phase,
            order=self.order,
            spots=self.spots,
            areas=self.areas.copy(),
            reserve=self.reserve.copy(),
            bank=self.bank,
            grid=self.grid.copy(),
            meeples=self.meeples.copy(),
            placed=self.placed,
            active=self.active,
            actor=self.actor,
            last_cell=self.last_cell,
            row_coins=self.row_coins,
            column_coins=self.column_coins,
            boxed=self.boxed,
            columns=self.columns,
            coming=self.coming,
            bids=self.bids.copy(),
            bidder=self.bidder,
            withdrawn=self.withdrawn,
            limits=self.limits.copy(),
            last_bidder=self.last_bidder,
            investments=self.investments,
            queue=self.queue,
            coins=self.coins.copy(),
            coin_passed=self.coin_passed,
            totals=self.totals,
            large=self.large,
            high=self.high,
        )

    def touch(self, seat: Seat) -> Area:
        """The seat's area, as a copy that may be changed."""
        area = self.areas[seat] = self.areas[seat].copy()
        return area

    def pay(self, area: Area, amount: int) -> None:
        """Move money from a touched area to the bank (negative: to the area)."""
        area.money -= amount
        self.bank += amount

    def reask(self, seat: Seat, kind: str) -> None:
        """Replace the seat's decision by a new one at the same place of the queue."""
        fresh = Decision(self.next_decision, seat, kind)
        self.next_decision += 1
        self.pending = [fresh if d.seat == seat else d for d in self.pending]

    def over(self) -> bool:
        """Whether the match has ended."""
        return self.ended is not None
