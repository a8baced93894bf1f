"""What is done for a player who is away (PZ-127)."""

from __future__ import annotations

from engines.core.types import Seat
from engines.pizzachef import moves as m
from engines.pizzachef.components import ORDERS
from engines.pizzachef.phases.flow import legal
from engines.pizzachef.state import PizzaState


def safest(state: PizzaState, seat: Seat) -> m.AnyMove:
    """The move of PZ-127: it uses nothing that the seat may not know.

    Cards: keep the lowest id (in setup no chef card). Rot: the bag goes. Open Order: the cheapest
    order. Delivery: called off. Turn: ended, with :class:`~engines.pizzachef.moves.HostSkip` if
    actions are left. A solo challenge is not moved on; its first legal move is named.
    """
    if state.drawn[seat]:
        kind = state.phase if state.phase != "play" else state.draw_kind
        if state.kept[seat] or (kind == "chef" and state.phase != "play"):
            return m.FinishDraw()
        return m.KeepCard(min(state.drawn[seat]))
    if state.queue and state.queue[0].seat == seat:
        if state.queue[0].kind == "rot":
            return m.RotDiscard()
        cheapest = min(state.hidden_regular(seat), key=lambda o: (ORDERS[o].price, o))
        return m.RevealOrder(cheapest)
    if state.main == "delivery" and seat == state.active:
        return m.CancelDelivery()
    moves = legal(state, seat)
    if m.EndTurn() in moves or state.solo or seat != state.active:
        return m.EndTurn() if m.EndTurn() in moves else moves[0]
    return m.HostSkip()
