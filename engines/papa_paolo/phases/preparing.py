"""Phase G, and the layout of round 1 (PP-010 to PP-014, PP-090 to PP-092, PP-099 to PP-121)."""

from __future__ import annotations

from engines.core.types import Event
from engines.papa_paolo.components import COLOURS, box
from engines.papa_paolo.phases import scoring
from engines.papa_paolo.state import PaoloState


def begin(state: PaoloState) -> list[Event]:
    """Lay out the next round, or end the match after the last one (PP-093)."""
    if state.round == box().rounds:
        return scoring.finish(state)
    side = box().sides[state.seats]
    if state.spots:
        state.order, state.spots = state.spots, ()
    state.boxed += tuple(tile for tile in state.grid if tile is not None)
    cells = len(side.cells)
    state.grid = list(state.deck[state.drawn : state.drawn + cells])
    state.drawn += cells
    state.meeples = [-1] * cells
    state.placed = 0
    state.active = state.actor = state.last_cell = state.last_bidder = state.high = -1
    state.round += 1
    coins = state.rng.shuffle("coins", side.coins)
    state.row_coins = tuple(coins[: len(side.rows)])
    state.column_coins = tuple(coins[len(side.rows) :])
    removed = _deliveries(state)
    state.investments = COLOURS
    state.bids = [(0, 0)] * state.seats
    state.limits = [0] * state.seats
    state.withdrawn = state.queue = ()
    state.coins = [()] * state.seats
    state.coin_passed = False
    state.totals = ()
    state.large = None
    for seat in range(state.seats):
        area = state.touch(seat)
        area.latest = -1
        area.delivery = area.investment = None
        area.bonus = 0
        area.routes = ()
    return [
        Event(
            "round",
            {
                "round": state.round,
                "tiles": tuple(state.grid),
                "deliveries": state.columns,
                "removed": removed,
                "order": state.order,
            },
            reveals=True,
        )
    ]


def _deliveries(state: PaoloState) -> str:
    """Lay out the delivery tiles of the round; returns the one that three players box."""
    letter = "ABCDE"[state.round - 1]
    four = [f"{letter}{number}" for number in (1, 2, 3, 4)]
    if state.seats == 2:
        first = 1 if state.parity == "odd" else 2
        state.columns = (f"{letter}{first}", f"{letter}{first + 2}")
        later = "ABCDE"[state.round : state.round + 1]
        state.coming = (f"{later}{first}", f"{later}{first + 2}") if later else ()
        return ""
    if state.seats == 3:
        removed, *rest = state.rng.shuffle("delivery", four)
        state.columns = tuple(sorted(rest))
        return removed
    state.columns = tuple(four)
    return ""
