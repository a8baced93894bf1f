"""Discarding as an action (PZ-056 to PZ-059)."""

from __future__ import annotations

from engines.core.errors import IllegalMove
from engines.core.types import Event, Seat
from engines.pizzachef.components import ORDERS, TYPE_RANK, lowest
from engines.pizzachef.moves import DiscardMission, DiscardOrder, DiscardTopping
from engines.pizzachef.phases.gate import need_action, need_open, spend
from engines.pizzachef.phases.turn import close_turn
from engines.pizzachef.state import Last, PizzaState


def discard_topping(state: PizzaState, seat: Seat, move: DiscardTopping) -> list[Event]:
    """One token for one action."""
    need_open(state, seat)
    need_action(state, seat)
    token = lowest(state.tokens[seat], move.topping) if move.topping in TYPE_RANK else None
    if token is None:
        raise IllegalMove("PZ-056", "You have no such topping to discard.")
    spend(state)
    state.drop_tokens(seat, [token])
    state.last = Last("discard_topping", seat, tokens=(move.topping,))
    return [Event("discarded_topping", {"seat": seat, "topping": move.topping})]


def discard_order(state: PizzaState, seat: Seat, move: DiscardOrder) -> list[Event]:
    """One own order for one action; a Fantasia leaves the game in view of all (PZ-059)."""
    need_open(state, seat)
    need_action(state, seat)
    order = move.order.upper()
    hidden, laid = state.orders[seat], state.open_orders[seat]
    if order not in hidden and order not in laid:
        raise IllegalMove("PZ-056", "You have no such order to discard.")
    spend(state)
    shown = order in laid or ORDERS[order].fantasia
    state.orders[seat] = tuple(o for o in hidden if o != order)
    state.open_orders[seat] = tuple(o for o in laid if o != order)
    if ORDERS[order].fantasia:
        state.gone = (*state.gone, order)
    else:
        state.discards["orders"] = (*state.discards["orders"], order)
    state.last = Last("discard_order", seat, card=order if shown else "")
    events = [Event("discarded_order", {"seat": seat, "order": order if shown else ""})]
    if not shown:
        events.append(Event("discarded_own", {"kind": "orders", "card": order}, to=(seat,)))
    return events


def discard_mission(state: PizzaState, seat: Seat, move: DiscardMission) -> list[Event]:
    """One mission for two actions; it ends the turn, except in solo (PZ-057, PZ-119)."""
    need_open(state, seat)
    need_action(state, seat, cost=2)
    mission = move.mission.upper()
    if mission not in state.missions[seat]:
        raise IllegalMove("PZ-057", "You have no such mission to discard.")
    spend(state, 2)
    state.missions[seat] = tuple(m for m in state.missions[seat] if m != mission)
    state.discards["missions"] = (*state.discards["missions"], mission)
    state.last = Last("discard_mission", seat)
    events = [
        Event("discarded_mission", {"seat": seat}, reveals=True),
        Event("discarded_own", {"kind": "missions", "card": mission}, to=(seat,)),
    ]
    return events if state.solo else events + close_turn(state)
