"""Phase C for 2 players: sealed coins (PP-112 to PP-118)."""

from __future__ import annotations

from engines.core.errors import IllegalMove
from engines.core.types import Event, Move, Seat, listing
from engines.papa_paolo.moves import CommitCoin, PassBid
from engines.papa_paolo.state import PaoloState

VALUES = (1, 2, 3)


def begin(state: PaoloState) -> list[Event]:
    """Both seal a starting coin at once; who has no money bids 0 (PP-112, PP-116)."""
    events = [Event("coin_bidding", {"order": state.order, "deliveries": state.columns})]
    for seat in state.order:
        if state.areas[seat].money:
            state.ask(seat, "start_coin")
        else:
            events.append(Event("no_coin", {"seat": seat}, reveals=True))
    if not state.pending:
        state.ask(state.order[0], "add_coin")
    return events


def left(state: PaoloState, seat: Seat) -> int:
    """Money that is not committed yet (PP-113)."""
    return state.areas[seat].money - sum(state.coins[seat])


def legal(state: PaoloState, seat: Seat, kind: str) -> list[Move]:
    """Coins within the money, and passing but for the starting coin."""
    moves: list[Move] = [CommitCoin(v) for v in VALUES if v <= left(state, seat)]
    if kind == "add_coin":
        moves.append(PassBid())
    return moves


def commit(state: PaoloState, seat: Seat, move: CommitCoin, kind: str) -> list[Event]:
    """Seal a coin.

    Raises:
        IllegalMove: no such value, or not that much money.
    """
    if move.value not in VALUES or move.value > left(state, seat):
        able = [f"£{v}" for v in VALUES if v <= left(state, seat)]
        hint = f"You can commit {listing(able, 'or')}." if able else "You can only pass."
        raise IllegalMove("PP-113", f"You cannot commit that coin. {hint}")
    state.coins[seat] = (*state.coins[seat], move.value)
    state.answered(seat)
    events = [
        Event("coin", {"seat": seat, "coins": len(state.coins[seat])}),
        Event(
            "coin_own",
            {"value": move.value, "total": sum(state.coins[seat])},
            to=(seat,),
        ),
    ]
    if kind == "start_coin":
        if state.pending:
            return events
        # The step is closed: from here on the starting coins stay.
        events.append(Event("coins_sealed", {"seat": state.order[0]}, reveals=True))
        state.ask(state.order[0], "add_coin")
        return events
    if state.coin_passed:
        return events + reveal(state)
    state.ask(1 - seat, "add_coin")
    return events


def pass_bid(state: PaoloState, seat: Seat, kind: str) -> list[Event]:
    """Add nothing; the other player then decides once more (PP-114, PP-115).

    Raises:
        IllegalMove: the starting coin is due.
    """
    if kind == "start_coin":
        raise IllegalMove("PP-112", "Everybody commits a starting coin of £1, £2 or £3.")
    state.answered(seat)
    events = [Event("coin_pass", {"seat": seat})]
    if state.coin_passed:
        return events + reveal(state)
    state.coin_passed = True
    state.ask(1 - seat, "add_coin")
    return events


def reveal(state: PaoloState) -> list[Event]:
    """Show and pay both totals; the tie goes to the start player (PP-116 to PP-118)."""
    first, second = state.order
    state.totals = tuple(sum(state.coins[seat]) for seat in range(2))
    for seat in range(2):
        state.pay(state.touch(seat), state.totals[seat])
    state.high = second if state.totals[second] > state.totals[first] else first
    low = 1 - state.high
    state.touch(state.high).delivery = state.columns[1]
    state.touch(low).delivery = state.columns[0]
    state.spots = (low, state.high)
    return [
        Event(
            "coins_revealed",
            {
                "totals": state.totals,
                "high": state.high,
                "tie": state.totals[0] == state.totals[1],
                "deliveries": (state.columns[1], state.columns[0]),
            },
            reveals=True,
        )
    ]
