"""Phase C for 3 and 4 players: bidding on the stairs (PP-053 to PP-061)."""

from __future__ import annotations

from functools import cache

from engines.core.errors import IllegalMove
from engines.core.types import Event, Move, Seat
from engines.papa_paolo.components import box
from engines.papa_paolo.moves import Bid, StandingBid, Withdraw
from engines.papa_paolo.phases import coins
from engines.papa_paolo.state import PaoloState

_WITHDRAW = Withdraw()


@cache
def _bid(column: int, row: int) -> Bid:
    return Bid(column, row)


@cache
def _standing(limit: int) -> StandingBid:
    return StandingBid(limit)


def price(column: int, row: int) -> int:
    """Price of a space (PP-053).

    >>> price(1, 1), price(4, 7)
    (1, 16)
    """
    return box().prices[row - 1][column - 1]


def begin(state: PaoloState) -> list[Event]:
    """Open the bidding; two players bid with coins instead."""
    if state.seats == 2:
        return coins.begin(state)
    state.bidder = -1
    return [Event("bidding", {"order": state.order}), *run(state)]


def top(state: PaoloState, column: int) -> int:
    """Row of the highest meeple in a column, 0 = none."""
    return max([row for col, row in state.bids if col == column], default=0)


def outbid(state: PaoloState, seat: Seat) -> bool:
    """Whether another meeple stands higher in the seat's column (PP-054)."""
    column, row = state.bids[seat]
    return column > 0 and top(state, column) > row


def spaces(state: PaoloState, seat: Seat) -> list[tuple[int, int]]:
    """(column, row) of every space that the seat could move to (PP-055 to PP-057)."""
    money = state.areas[seat].money
    own = state.bids[seat][1]
    found = []
    for column in range(1, box().sides[state.seats].stairs + 1):
        lowest = max(own, top(state, column) + 1, 1)
        for row in range(lowest, len(box().prices) + 1):
            if price(column, row) > money:
                break
            found.append((column, row))
    return found


def cheapest(found: list[tuple[int, int]]) -> tuple[int, int]:
    """The cheapest space; of equally cheap ones the one furthest to the right.

    >>> cheapest([(1, 3), (3, 2), (2, 3)])
    (3, 2)
    """
    return min(found, key=lambda s: (price(*s), -s[0]))


def settled(state: PaoloState) -> bool:
    """Whether the bidding is over (PP-061)."""
    standing = [column for column, _ in state.bids if column]
    if len(standing) + len(state.withdrawn) < state.seats:
        return False
    return len(set(standing)) == len(standing)


def run(state: PaoloState) -> list[Event]:
    """Go round until somebody has to decide or the bidding ends."""
    events: list[Event] = []
    while not settled(state):
        state.bidder = (state.bidder + 1) % state.seats
        seat = state.order[state.bidder]
        if seat in state.withdrawn:
            continue
        first = state.bids[seat][0] == 0
        if not first and not outbid(state, seat):
            continue
        found = spaces(state, seat)
        if not found:
            events += leave(state, seat, forced=True)
            continue
        if not first and state.limits[seat]:
            column, row = cheapest(found)
            if price(column, row) <= state.limits[seat]:
                events += move(state, seat, column, row, standing=True)
                continue
        state.ask(seat, "bid" if first else "rebid")
        return events
    if state.withdrawn and all(column == 0 for column, _ in state.bids):
        events.append(Event("nobody_bid", {}))
    state.limits = [0] * state.seats
    return events


def legal(state: PaoloState, seat: Seat, kind: str) -> list[Move]:
    """Bids, withdrawing from the first one, and a maximum to answer with."""
    found = spaces(state, seat)
    moves: list[Move] = [_bid(column, row) for column, row in found]
    if kind == "bid":
        moves.append(_WITHDRAW)
    return moves + legal_standing(state, seat, found)


def legal_standing(
    state: PaoloState, seat: Seat, found: list[tuple[int, int]] | None = None
) -> list[Move]:
    """Maximums that the seat may leave now, whether on turn or not."""
    if state.phase != "bidding" or not state.bids or not state.bids[seat][0]:
        return []
    if settled(state):
        return []
    found = spaces(state, seat) if found is None else found
    moves: list[Move] = []
    if state.limits[seat]:
        moves.append(_standing(0))
    if found:
        lowest = price(*cheapest(found))
        highest = min(state.areas[seat].money, _dearest(state))
        moves += [_standing(n) for n in range(lowest, highest + 1) if n != state.limits[seat]]
    return moves


def _dearest(state: PaoloState) -> int:
    return price(box().sides[state.seats].stairs, len(box().prices))


def bid(state: PaoloState, seat: Seat, wanted: Bid) -> list[Event]:
    """Place or move the meeple.

    Raises:
        IllegalMove: PP-053, PP-055, PP-056, PP-057 or PP-102 forbids the space.
    """
    column, row = wanted.column, wanted.row
    used = box().sides[state.seats].stairs
    if used < column <= len(box().prices[0]):
        raise IllegalMove("PP-102", f"Column {column} is not used with {state.seats} players.")
    if not 1 <= column <= used or not 1 <= row <= len(box().prices):
        raise IllegalMove(
            "PP-053", f"There is no such space: columns 1 to {used}, rows 1 (lowest) to 7."
        )
    if row <= top(state, column):
        raise IllegalMove(
            "PP-055",
            f"Bid above the highest meeple there: column {column} is taken up to row "
            f"{top(state, column)}.",
        )
    if row < state.bids[seat][1]:
        raise IllegalMove(
            "PP-056",
            f"You may not move down: your meeple stands on row {state.bids[seat][1]}.",
        )
    if price(column, row) > state.areas[seat].money:
        raise IllegalMove(
            "PP-057",
            f"You cannot afford that bid: it costs £{price(column, row)}, "
            f"you have £{state.areas[seat].money}.",
        )
    state.limits[seat] = 0
    state.answered(seat)
    return [*move(state, seat, column, row, standing=False), *run(state)]


def move(state: PaoloState, seat: Seat, column: int, row: int, *, standing: bool) -> list[Event]:
    """Put the meeple on a space; a standing maximum that answers counts as a later decision."""
    state.bids[seat] = (column, row)
    state.last_bidder = seat
    over = tuple(
        other
        for other, (col, r) in enumerate(state.bids)
        if col == column and r < row and other != seat
    )
    events = [
        Event(
            "bid",
            {
                "seat": seat,
                "column": column,
                "row": row,
                "price": price(column, row),
                "outbid": over,
            },
            reveals=standing,
        )
    ]
    if standing:
        events.append(
            Event(
                "standing_answered",
                {"price": price(column, row), "limit": state.limits[seat]},
                to=(seat,),
                reveals=True,
            )
        )
    return events


def leave(state: PaoloState, seat: Seat, *, forced: bool) -> list[Event]:
    """Take the seat out of the bidding (PP-058, PP-060)."""
    state.bids[seat] = (0, 0)
    state.withdrawn = (*state.withdrawn, seat)
    state.spots = (*state.spots, seat)
    state.limits[seat] = 0
    return [
        Event(
            "withdrew",
            {"seat": seat, "forced": forced, "spot": len(state.spots)},
            reveals=forced,
        )
    ]


def withdraw(state: PaoloState, seat: Seat, kind: str) -> list[Event]:
    """Stay out.

    Raises:
        IllegalMove: the first bid was made already (PP-059).
    """
    if kind != "bid":
        raise IllegalMove(
            "PP-059",
            "You are outbid: place a new bid. Withdrawing is possible only instead of the first.",
        )
    state.answered(seat)
    return [*leave(state, seat, forced=False), *run(state)]


def standing_bid(state: PaoloState, seat: Seat, wanted: StandingBid) -> list[Event]:
    """Leave, change or cancel a private maximum.

    Raises:
        IllegalMove: the seat has no bid, or the sum cannot answer.
    """
    if state.phase != "bidding" or settled(state):
        raise IllegalMove("PP-123", "A standing bid belongs into the bidding of phase C.")
    if seat in state.withdrawn:
        raise IllegalMove("PP-060", "You have withdrawn from this bidding.")
    if not state.bids[seat][0]:
        raise IllegalMove(
            "PP-054", "Place your first bid yourself; a standing bid answers when you are outbid."
        )
    if wanted.limit == state.limits[seat]:
        text = "is that already" if wanted.limit else "is not set"
        raise IllegalMove("PP-054", f"Your standing bid {text}.")
    if wanted.limit:
        found = spaces(state, seat)
        money = state.areas[seat].money
        if wanted.limit > money or not found:
            raise IllegalMove("PP-057", f"You cannot afford that bid: you have £{money}.")
        lowest, highest = price(*cheapest(found)), min(money, _dearest(state))
        if not lowest <= wanted.limit <= highest:
            raise IllegalMove(
                "PP-055",
                f"The cheapest space open to you costs £{lowest} and the dearest on the stairs "
                f"£{_dearest(state)}; choose from £{lowest} to £{highest}.",
            )
    state.limits[seat] = wanted.limit
    events = [Event("standing_set", {"limit": wanted.limit}, to=(seat,))]
    if wanted.limit and state.decision_of(seat) is not None:
        column, row = cheapest(spaces(state, seat))
        state.answered(seat)
        events += move(state, seat, column, row, standing=True)
        events += run(state)
    return events
