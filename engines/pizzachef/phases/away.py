"""What is done for a player who is away (PZ-127), and how a seat plays on by itself."""

from __future__ import annotations

from engines.core.types import Seat
from engines.pizzachef import moves as m
from engines.pizzachef.components import COLOUR, KINDS, ORDERS, SLOT_INDEX
from engines.pizzachef.payment import BASE, kinds_on, missing
from engines.pizzachef.phases.delivery import deliverable, free_house, is_wrong
from engines.pizzachef.phases.flow import legal
from engines.pizzachef.phases.market import takeable
from engines.pizzachef.state import PizzaState


def skip(state: PizzaState, seat: Seat) -> m.AnyMove:
    """The host's move of PZ-127.

    Cards: keep the lowest id (in setup no chef card). Rot: the bag goes. Open Order: the cheapest
    order. Delivery: called off. An open turn ends, with
    :class:`~engines.pizzachef.moves.HostSkip` if actions are left. A solo challenge is not ended.
    """
    found = _choice(state, seat)
    if found is not None:
        return found
    if _delivering(state, seat):
        return m.CancelDelivery()
    moves = legal(state, seat)
    if m.EndTurn() in moves:
        return m.EndTurn()
    if state.solo or seat != state.active:
        return safest(state, seat)
    return m.HostSkip()


def safest(state: PizzaState, seat: Seat) -> m.AnyMove:
    """A listed move that uses nothing the seat may not know, costs nothing at the end and leads on
    towards it: no two such moves ever cancel each other.

    What can be delivered to its own house is delivered. Otherwise a reserved topping is taken if it
    is due, then toppings that the nearest order lacks, then a chef card, for unplayed chef cards
    lose no money (PZ-030), then an order if none can be filled.
    """
    found = _choice(state, seat)
    if found is not None:
        return found
    moves = legal(state, seat)
    if _delivering(state, seat):
        return _deliver(state, seat, moves)
    takes = [move for move in moves if isinstance(move, m.TakeToppings)]
    if state.reserved_slot(seat) is not None and state.actions_spent and takes:
        return takes[0]
    ready = next((o for o, owner in deliverable(state, seat) if _right(state, seat, o, owner)), "")
    if m.StartDelivery(ready) in moves:
        return m.StartDelivery(ready)
    if m.EndTurn() in moves:
        return m.EndTurn()
    lacks = _lacks(state, seat)
    useful = max(takes, key=lambda move: _gain(state, seat, move, lacks), default=None)
    if useful is not None and _gain(state, seat, useful, lacks):
        return useful
    wanted: list[m.AnyMove] = [m.TakeChef(), *(takes if lacks else ()), m.TakeOrders(), *takes]
    others = [move for move in moves if not isinstance(move, (m.StartDelivery, m.GiveUp))]
    return next((move for move in wanted if move in moves), (others or moves)[0])


def _delivering(state: PizzaState, seat: Seat) -> bool:
    return state.main == "delivery" and seat == state.active and not state.queue


def _right(state: PizzaState, seat: Seat, order: str, owner: Seat) -> bool:
    """Whether an order can be delivered for money."""
    house = ORDERS[order].house
    return owner != seat or not house or free_house(state, house) or "detour" in state.armed


def _deliver(state: PizzaState, seat: Seat, moves: list[m.AnyMove]) -> m.AnyMove:
    """Complete a delivery as it was proposed, to a house that pays; call any other one off.

    A solo player without actions has nothing else to do, and even a wrong delivery gives some.
    """
    d = state.delivery
    if d is None:
        return moves[0]
    order = ORDERS[d.order]
    stranded = state.solo and not state.actions_left

    def good(house: int) -> bool:
        return house > 0 and (stranded or not is_wrong(state, order, house))

    if not good(d.house):
        houses = [move for move in moves if isinstance(move, m.SetHouse) and good(move.house)]
        return houses[0] if houses else m.CancelDelivery()
    if m.ConfirmDelivery() in moves:
        return m.ConfirmDelivery()
    on = kinds_on(d.tokens, d.declared)
    more = [move for move in moves if isinstance(move, m.AddTopping)]
    if order.fantasia and more and not missing(BASE, d.tokens) and len(on) < 3:
        return more[0]
    return m.CancelDelivery()


def _lacks(state: PizzaState, seat: Seat) -> str:
    """The toppings that the nearest of the own orders lacks; empty if none can be delivered."""
    found = []
    for order in (*state.orders[seat], *state.open_orders[seat]):
        if _right(state, seat, order, seat):
            recipe = BASE if ORDERS[order].fantasia else ORDERS[order].toppings
            found.append(missing(recipe, state.tokens[seat]) or KINDS)
    return min(found, key=len, default="") if state.markers_left(seat) else ""


def _gain(state: PizzaState, seat: Seat, move: m.TakeToppings, lacks: str) -> int:
    """How many of the tops that the move takes are lacking."""
    return sum(
        state.top_of(slot)[0] in lacks
        for slot in takeable(state, seat)
        if slot[0] == move.stall and COLOUR[state.stacks[SLOT_INDEX[slot]][-1]] == move.colour
    )


def _choice(state: PizzaState, seat: Seat) -> m.AnyMove | None:
    """What both do with cards to choose, rotten bags and Open Order."""
    if state.drawn[seat]:
        setup_chef = state.phase == "chef"
        if state.kept[seat] or setup_chef:
            return m.FinishDraw()
        return m.KeepCard(min(state.drawn[seat]))
    if state.queue and state.queue[0].seat == seat:
        if state.queue[0].kind == "rot":
            return m.RotDiscard()
        hidden = state.hidden_regular(seat)
        return m.RevealOrder(min(hidden, key=lambda o: (ORDERS[o].price, o)))
    return None
