"""Phase C: paying, investment and delivery tiles, next turn order (PP-062 to PP-067); and the large
tile of two players (PP-119)."""

from __future__ import annotations

from engines.core.errors import IllegalMove
from engines.core.types import Event, Seat, listing
from engines.papa_paolo.components import COLOURS, box
from engines.papa_paolo.moves import BuyInvestment, ClaimFacing, ClaimLarge, PickInvestment
from engines.papa_paolo.phases.bidding import price
from engines.papa_paolo.state import PaoloState

# ---- bidders, highest row first (PP-062 to PP-064) -------------------------------------------


def begin(state: PaoloState) -> list[Event]:
    """Queue the bidders and ask the first."""
    if state.seats == 2:
        return []
    bidders = [seat for seat in range(state.seats) if state.bids[seat][0]]
    bidders.sort(key=lambda seat: (-state.bids[seat][1], -price(*state.bids[seat])))
    state.queue = tuple(bidders)
    numbers = {seat: state.columns[state.bids[seat][0] - 1] for seat in bidders}
    state.spots = (*state.spots, *sorted(bidders, key=lambda seat: numbers[seat]))
    return _next_bidder(state)


def _next_bidder(state: PaoloState) -> list[Event]:
    events: list[Event] = []
    while state.queue:
        if len(state.investments) > 1:
            state.ask(state.queue[0], "pick_investment")
            break
        events += _settle(state, state.queue[0], state.investments[0], auto=True)
    return events


def _settle(state: PaoloState, seat: Seat, colour: str, *, auto: bool) -> list[Event]:
    column, row = state.bids[seat]
    area = state.touch(seat)
    state.pay(area, price(column, row))
    area.investment = colour
    area.delivery = state.columns[column - 1]
    state.investments = tuple(c for c in state.investments if c != colour)
    state.queue = state.queue[1:]
    return [
        Event(
            "settled",
            {
                "seat": seat,
                "price": price(column, row),
                "colour": colour,
                "delivery": area.delivery,
                "auto": auto,
            },
        )
    ]


def legal_picks(state: PaoloState) -> list[PickInvestment]:
    """The tiles that are left."""
    return [PickInvestment(colour) for colour in state.investments]


def _available(state: PaoloState, colour: str, rule: str) -> None:
    if colour not in state.investments:
        words = listing(list(state.investments), "or")
        raise IllegalMove(rule, f"That investment tile is not there. Choose {words}.")


def pick(state: PaoloState, seat: Seat, move: PickInvestment) -> list[Event]:
    """Pay the bid and choose (PP-064)."""
    _available(state, move.colour, "PP-064")
    state.answered(seat)
    return [*_settle(state, seat, move.colour, auto=False), *_next_bidder(state)]


# ---- withdrawn players (PP-065) --------------------------------------------------------------


def begin_leftovers(state: PaoloState) -> list[Event]:
    """Offer what is left to the withdrawn players, in turn order."""
    if state.seats == 2:
        return []
    state.queue = tuple(seat for seat in state.order if seat in state.withdrawn)
    return _next_leftover(state)


def _next_leftover(state: PaoloState) -> list[Event]:
    events: list[Event] = []
    while state.queue:
        seat = state.queue[0]
        if state.investments and state.areas[seat].money >= box().leftover_price:
            state.ask(seat, "buy_investment")
            return events
        if state.investments:
            events.append(Event("leftover_skipped", {"seat": seat}, reveals=True))
        state.queue = state.queue[1:]
    # PP-066: what nobody took leaves the game.
    state.investments = ()
    events.append(Event("next_order", {"order": state.spots}))
    return events


def legal_leftovers(state: PaoloState) -> list[BuyInvestment]:
    """The tiles that are left."""
    return [BuyInvestment(colour) for colour in state.investments]


def buy(state: PaoloState, seat: Seat, move: BuyInvestment) -> list[Event]:
    """Buy a left-over tile."""
    _available(state, move.colour, "PP-065")
    area = state.touch(seat)
    state.pay(area, box().leftover_price)
    area.investment = move.colour
    state.investments = tuple(c for c in state.investments if c != move.colour)
    state.queue = state.queue[1:]
    state.answered(seat)
    return [
        Event(
            "leftover_bought",
            {"seat": seat, "colour": move.colour, "price": box().leftover_price},
        ),
        *_next_leftover(state),
    ]


def decline(state: PaoloState, seat: Seat) -> list[Event]:
    """Buy nothing."""
    state.queue = state.queue[1:]
    state.answered(seat)
    return [Event("leftover_declined", {"seat": seat}), *_next_leftover(state)]


# ---- the large tile of two players (PP-119) --------------------------------------------------


def begin_claims(state: PaoloState) -> list[Event]:
    """The higher bidder chooses first."""
    if state.seats == 2:
        state.ask(state.high, "claim_large")
        return [Event("next_order", {"order": state.spots})]
    return []


def legal_large() -> list[ClaimLarge]:
    """Every colour, both ways round."""
    return [ClaimLarge(colour, way) for colour in COLOURS for way in ("low", "high")]


def claim_large(state: PaoloState, seat: Seat, move: ClaimLarge) -> list[Event]:
    """Choose a colour and the orientation."""
    if (move.colour, move.turned) not in box().large:
        raise IllegalMove(
            "PP-119", f"Choose {listing(COLOURS, 'or')}, and the orientation low or high."
        )
    state.large = (move.colour, move.turned)
    state.touch(seat).investment = move.colour
    state.answered(seat)
    state.ask(1 - seat, "claim_facing")
    facing = box().large[state.large]
    return [
        Event(
            "claimed",
            {"seat": seat, "colour": move.colour, "turned": move.turned, "facing": facing},
        )
    ]


def facing(state: PaoloState) -> tuple[str, ...]:
    """The two colours that face the other player."""
    return box().large[state.large] if state.large else ()


def legal_facing(state: PaoloState) -> list[ClaimFacing]:
    """The two colours that face the player."""
    return [ClaimFacing(colour) for colour in facing(state)]


def claim_facing(state: PaoloState, seat: Seat, move: ClaimFacing) -> list[Event]:
    """Choose one of them."""
    if move.colour not in facing(state):
        words = listing(facing(state), "or")
        raise IllegalMove("PP-119", f"That option does not face you. Choose {words}.")
    state.touch(seat).investment = move.colour
    state.answered(seat)
    return [Event("claimed_facing", {"seat": seat, "colour": move.colour})]
