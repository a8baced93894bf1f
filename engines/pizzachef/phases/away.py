"""What is done for a player who is away (PZ-127)."""

from __future__ import annotations

from engines.core.types import Seat
from engines.pizzachef import moves as m
from engines.pizzachef.components import ORDERS
from engines.pizzachef.phases.flow import legal
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
    moves = legal(state, seat)
    if m.EndTurn() in moves:
        return m.EndTurn()
    if state.solo or seat != state.active:
        return safest(state, seat)
    return m.HostSkip()


def safest(state: PizzaState, seat: Seat) -> m.AnyMove:
    """A listed move that uses nothing the seat may not know and costs nothing at the end.

    In an open turn a reserved topping is taken if it is due, else a chef card, for unplayed chef
    cards lose no money (PZ-030).
    """
    found = _choice(state, seat)
    if found is not None:
        return found
    moves = legal(state, seat)
    slot = state.reserved_slot(seat)
    if slot is None or not state.actions_spent:
        for move in (m.EndTurn(), m.TakeChef()):
            if move in moves:
                return move
    takes = [move for move in moves if isinstance(move, m.TakeToppings)]
    return takes[0] if takes else moves[0]


def _choice(state: PizzaState, seat: Seat) -> m.AnyMove | None:
    """What both do with cards to choose, rotten bags, Open Order and a delivery."""
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
    if state.main == "delivery" and seat == state.active and not state.queue:
        return m.CancelDelivery()
    return None
