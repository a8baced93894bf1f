"""Answering Open Order (PZ-052 to PZ-055)."""

from __future__ import annotations

from engines.core.errors import IllegalMove, NotYourTurn
from engines.core.types import Event, Seat
from engines.pizzachef.components import ORDERS
from engines.pizzachef.moves import RevealOrder
from engines.pizzachef.phases.chef import lay_open
from engines.pizzachef.phases.gate import refuse_queue, refuse_setup
from engines.pizzachef.state import PizzaState


def reveal_order(state: PizzaState, seat: Seat, move: RevealOrder) -> list[Event]:
    """The targeted player chooses which hidden regular order is laid face up."""
    refuse_setup(state)
    if not state.queue or state.queue[0].kind != "reveal":
        refuse_queue(state)
        raise IllegalMove("PZ-053", "Nobody asked you to lay an order face up.")
    if state.queue[0].seat != seat:
        raise NotYourTurn(
            "PZ-053", f"Not yours to choose: {{seat:{state.queue[0].seat}}} lays an order face up."
        )
    order = move.order.upper()
    if order not in state.hidden_regular(seat):
        known = order in ORDERS and ORDERS[order].fantasia
        raise IllegalMove(
            "PZ-053",
            "The Pizza Fantasia is never laid face up; choose a regular order."
            if known
            else "Choose one of your hidden regular orders.",
        )
    state.queue = ()
    return lay_open(state, seat, order)
