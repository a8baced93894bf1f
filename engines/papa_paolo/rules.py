"""A Papà Paolo round in order, and which decision is due when (PP-001, PP-002, PP-123)."""

from __future__ import annotations

from collections.abc import Callable

from engines.core.errors import IllegalMove, InvariantError, MoveError, NotYourTurn
from engines.core.types import Event, Move, Seat
from engines.papa_paolo.moves import (
    Bid,
    BuildPizzeria,
    BuyInvestment,
    BuyPizzas,
    CancelRoute,
    ClaimFacing,
    ClaimLarge,
    CommitCoin,
    DeclineInvestment,
    EndRoute,
    Express,
    Finish,
    InvestDiscard,
    InvestKeep,
    KeepStartTile,
    NoAction,
    PassBid,
    PickInvestment,
    PlaceMeeple,
    SeekSponsor,
    StandingBid,
    StartRoute,
    Step,
    Stock,
    TakeTile,
    Withdraw,
)
from engines.papa_paolo.phases import (
    bidding,
    coins,
    delivering,
    investing,
    jobs,
    placing,
    preparing,
    settling,
    starting,
    tipping,
)
from engines.papa_paolo.state import PaoloState

ROUND: tuple[tuple[str, str, Callable[[PaoloState], list[Event]]], ...] = (
    ("preparing", "G", preparing.begin),  # lays out round 1 too, and ends the match after 5
    ("placing", "A", placing.begin),
    ("tipping", "B", tipping.begin),
    ("bidding", "C", bidding.begin),
    ("settling", "C", settling.begin),
    ("leftovers", "C", settling.begin_leftovers),
    ("claiming", "D", settling.begin_claims),
    ("investing", "D", investing.begin),
    ("delivering", "E", delivering.begin),
    ("experience", "F", delivering.experience),
)
"""The steps of a round: name, letter of the phase, and what opens it."""

LETTER = {name: letter for name, letter, _ in ROUND} | {"starting": "setup"}

_PLACES = {name: i for i, (name, _, _) in enumerate(ROUND)}

APART = {"investing": "D", "delivering": "E"}
"""Steps that players take side by side."""

DUE = {
    "keep_start_tile": "keep one of your two start tiles",
    "place_meeple": "put a meeple on a market tile",
    "act": "take the tile under your meeple or perform an action it offers",
    "stock": "put the pizzas on your pizzerias, then finish",
    "routes": "start a delivery route or finish",
    "route": "ride on, end the route or cancel it",
    "bid": "place your first bid or withdraw",
    "rebid": "place a new bid",
    "pick_investment": "choose an investment tile",
    "buy_investment": "buy a left-over investment tile for £1 or decline",
    "start_coin": "seal your starting coin",
    "add_coin": "add one coin or pass",
    "claim_large": "choose a colour of the large tile and its orientation",
    "claim_facing": "choose one of the two colours that face you",
    "invest": "keep or discard your investment tile",
}
"""What each kind of decision asks for."""


def proceed(state: PaoloState) -> list[Event]:
    """Go on to the next step of the round until somebody has to decide."""
    events: list[Event] = []
    while not state.pending and state.ended is None:
        place = _PLACES.get(state.phase, len(ROUND) - 1)
        name, _, opens = ROUND[(place + 1) % len(ROUND)]
        state.phase = name
        events += opens(state)
    return events


def legal(state: PaoloState, seat: Seat) -> list[Move]:
    """Every move open to the seat, a standing bid while others are on turn included."""
    due = state.decision_of(seat)
    if due is None:
        return list(bidding.legal_standing(state, seat)) if state.ended is None else []
    match due.kind:
        case "place_meeple":
            return list(placing.legal_places(state))
        case "act":
            return placing.legal_acts(state, seat)
        case "stock" | "routes" | "route":
            return list(jobs.legal(state.areas[seat]))
        case "bid" | "rebid":
            return bidding.legal(state, seat, due.kind)
        case "pick_investment":
            return list(settling.legal_picks(state))
        case "buy_investment":
            return [*settling.legal_leftovers(state), DeclineInvestment()]
        case "invest":
            return investing.legal(state, seat)
        case "start_coin" | "add_coin":
            return coins.legal(state, seat, due.kind)
        case "claim_large":
            return list(settling.legal_large())
        case "claim_facing":
            return list(settling.legal_facing(state))
        case "keep_start_tile":
            return list(starting.legal(state, seat))
    raise InvariantError(f"unknown decision {due.kind}")


# ---- refusals for the wrong moment (PP-002, PP-022, PP-054, PP-059, PP-075, PP-123) ----------

_ACTS = (TakeTile, SeekSponsor, BuyPizzas, Express, BuildPizzeria, NoAction)
_RIDES = (StartRoute, Step, EndRoute, CancelRoute, Finish)
_PASSES = (NoAction, Withdraw, DeclineInvestment, PassBid)


def _turn(state: PaoloState) -> str:
    who = " and ".join(f"{{seat:{d.seat}}}" for d in state.pending)
    return f"It is not your turn. {who} {'is' if len(state.pending) == 1 else 'are'} to act."


def _idle(state: PaoloState, seat: Seat, move: Move) -> MoveError:
    """Why a seat that owes nothing cannot make the move."""
    if state.ended is not None:
        return IllegalMove("PP-093", "The game is over.")
    if state.phase == "placing" and state.actor == seat and isinstance(move, _ACTS):
        return IllegalMove(
            "PP-022",
            "Choose either the tile or one action: your meeple has acted, and it is not your turn.",
        )
    if (
        state.phase == "bidding"
        and isinstance(move, (Bid, *_PASSES))
        and state.bids[seat][0]
        and not bidding.outbid(state, seat)
    ):
        return IllegalMove(
            "PP-054", "Your bid still stands: it is moved only when you are outbid and on turn."
        )
    if state.phase == "delivering":
        if state.areas[seat].delivery is None and isinstance(move, _RIDES):
            return IllegalMove("PP-075", "You have no delivery tile this round.")
        return IllegalMove(
            "PP-123", "You are done in this phase. It closes when all players have finished."
        )
    if state.phase == "investing":
        return IllegalMove("PP-123", "You have no investment tile to activate now.")
    if state.phase == "starting":
        return IllegalMove("PP-123", "You have chosen your start tile; the other player is due.")
    return NotYourTurn("PP-002", _turn(state))


def _moment(state: PaoloState, seat: Seat, kind: str, move: Move) -> MoveError:
    """Why a seat that owes another decision cannot make the move."""
    due = DUE[kind]
    if isinstance(move, _PASSES):
        if kind == "act":
            return IllegalMove("PP-025", f"You can still take the tile or act: {due}.")
        if kind == "rebid":
            return IllegalMove("PP-059", "You are outbid: place a new bid.")
        if kind == "start_coin":
            return IllegalMove("PP-112", "Everybody commits a starting coin of £1, £2 or £3.")
    if kind == "claim_facing" and isinstance(move, (ClaimLarge, PickInvestment)):
        return IllegalMove("PP-119", f"That option does not face you: {due}.")
    if kind == "claim_large" and isinstance(move, (ClaimFacing, PickInvestment)):
        return IllegalMove("PP-119", f"You choose first: {due}, low or high.")
    if state.phase == "placing" and state.areas[seat].job and isinstance(move, _ACTS):
        return IllegalMove(
            "PP-022", f"Choose either the tile or one action: yours is under way. Now {due}."
        )
    if kind == "route" and isinstance(move, Finish):
        return IllegalMove("PP-123", "A route is open: end it or cancel it before you finish.")
    return IllegalMove("PP-123", f"That is not possible now: {due}.")


# ---- making a move ---------------------------------------------------------------------------


def apply(state: PaoloState, seat: Seat, move: Move) -> list[Event]:
    """Make a move and go on until somebody has to decide.

    Raises:
        MoveError: it is refused; names the rule.
    """
    due = state.decision_of(seat)
    if isinstance(move, StandingBid) and state.ended is None:
        events = bidding.standing_bid(state, seat, move)
    elif due is None:
        raise _idle(state, seat, move)
    else:
        events = _handle(state, seat, move, due.kind)
    if not state.pending:
        events += proceed(state)
    return events


def _handle(state: PaoloState, seat: Seat, move: Move, kind: str) -> list[Event]:
    match kind:
        case "place_meeple":
            if isinstance(move, PlaceMeeple):
                return placing.place_meeple(state, seat, move)
        case "act":
            return _act(state, seat, move)
        case "stock" | "routes" | "route":
            return _job(state, seat, move, kind)
        case "bid" | "rebid":
            if isinstance(move, Bid):
                return bidding.bid(state, seat, move)
            if isinstance(move, Withdraw):
                return bidding.withdraw(state, seat, kind)
        case "pick_investment":
            if isinstance(move, PickInvestment):
                return settling.pick(state, seat, move)
        case "buy_investment":
            if isinstance(move, BuyInvestment):
                return settling.buy(state, seat, move)
            if isinstance(move, DeclineInvestment):
                return settling.decline(state, seat)
        case "invest":
            if isinstance(move, InvestKeep):
                return investing.keep(state, seat)
            if isinstance(move, InvestDiscard):
                return investing.discard(state, seat)
        case "start_coin" | "add_coin":
            if isinstance(move, CommitCoin):
                return coins.commit(state, seat, move, kind)
            if isinstance(move, PassBid):
                return coins.pass_bid(state, seat, kind)
        case "claim_large":
            if isinstance(move, ClaimLarge):
                return settling.claim_large(state, seat, move)
        case "claim_facing":
            if isinstance(move, ClaimFacing):
                return settling.claim_facing(state, seat, move)
        case "keep_start_tile":
            if isinstance(move, KeepStartTile):
                return starting.keep(state, seat, move)
    raise _moment(state, seat, kind, move)


def _act(state: PaoloState, seat: Seat, move: Move) -> list[Event]:
    if isinstance(move, TakeTile):
        return placing.take_tile(state, seat, move)
    if isinstance(move, SeekSponsor):
        return placing.seek_sponsor(state, seat)
    if isinstance(move, BuyPizzas):
        return placing.buy_pizzas(state, seat, move)
    if isinstance(move, Express):
        return placing.express(state, seat)
    if isinstance(move, BuildPizzeria):
        return placing.build_pizzeria(state, seat, move)
    if isinstance(move, NoAction):
        return placing.no_action(state, seat)
    raise _moment(state, seat, "act", move)


def _job(state: PaoloState, seat: Seat, move: Move, kind: str) -> list[Event]:
    """A step of stocking or delivering; the last one closes the seat's part of the phase."""
    if kind == "stock":
        if isinstance(move, Stock):
            events = jobs.stock(state.touch(seat), seat, move)
        elif isinstance(move, Finish):
            return _finish(state, seat)
        else:
            raise _moment(state, seat, kind, move)
    elif kind == "routes":
        if isinstance(move, StartRoute):
            events = jobs.start_route(state.touch(seat), seat, move)
        elif isinstance(move, Finish):
            return _finish(state, seat)
        else:
            raise _moment(state, seat, kind, move)
    elif isinstance(move, Step):
        events = jobs.step(state.touch(seat), seat, move)
    elif isinstance(move, EndRoute):
        events = jobs.end_route(state.touch(seat), seat)
    elif isinstance(move, CancelRoute):
        events = jobs.cancel_route(state.touch(seat), seat)
    else:
        raise _moment(state, seat, kind, move)
    state.reask(seat, jobs.kind(state.areas[seat]))
    return events


def _finish(state: PaoloState, seat: Seat) -> list[Event]:
    events = jobs.finish(state.touch(seat), seat)
    if state.phase == "placing":
        placing.end_turn(state, seat)
    else:
        state.answered(seat)
    return events
