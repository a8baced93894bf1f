"""Rotten toppings (PZ-086 to PZ-095): what rots, and what becomes of the bag."""

from __future__ import annotations

from engines.core.errors import IllegalMove, NotYourTurn
from engines.core.types import Event, Seat
from engines.pizzachef.components import KIND_NAMES, ROTTEN, TYPE
from engines.pizzachef.moves import RotDiscard, RotKeep
from engines.pizzachef.phases.gate import refuse_queue, refuse_setup
from engines.pizzachef.state import Last, PizzaState, Wait


def queue_rot(state: PizzaState) -> None:
    """Queue every ROT choice that is due: active player first, then clockwise (PZ-092)."""
    waits = []
    for seat in state.clockwise(state.active):
        own = state.tokens[seat]
        for kind, bag in ROTTEN.items():
            if bag in own and any(TYPE[t] == kind for t in own):
                waits.append(Wait("rot", seat, kind))
    state.queue = tuple(waits)


def answer_rot(state: PizzaState, seat: Seat, move: RotKeep | RotDiscard) -> list[Event]:
    """The plain tokens of the kind go; the bag stays or goes with them (PZ-086, PZ-087)."""
    refuse_setup(state)
    if not state.queue or state.queue[0].kind != "rot":
        refuse_queue(state)
        raise IllegalMove("PZ-087", "Nothing is rotting, so there is no bag to decide about.")
    wait = state.queue[0]
    if wait.seat != seat:
        raise NotYourTurn(
            "PZ-092",
            f"Not your toppings: {{seat:{wait.seat}}} decides about {KIND_NAMES[wait.topping]}.",
        )
    gone = [t for t in state.tokens[seat] if TYPE[t] == wait.topping]
    bag_goes = isinstance(move, RotDiscard)
    state.drop_tokens(seat, [*gone, ROTTEN[wait.topping]] if bag_goes else gone)
    queue_rot(state)
    state.last = Last("rot", seat, tokens=tuple(TYPE[t] for t in gone))
    return [
        Event(
            "rotted",
            {"seat": seat, "topping": wait.topping, "n": len(gone), "bag_goes": bag_goes},
        )
    ]
