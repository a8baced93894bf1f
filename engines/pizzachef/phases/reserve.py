"""Reserving a topping off-turn (PZ-096 to PZ-101)."""

from __future__ import annotations

from engines.core.errors import IllegalMove
from engines.core.types import Event, Seat
from engines.pizzachef.components import SLOT_INDEX, SLOTS
from engines.pizzachef.moves import Reserve
from engines.pizzachef.phases.gate import card_window
from engines.pizzachef.state import UNUSED, Last, PizzaState


def may_reserve(state: PizzaState, seat: Seat) -> bool:
    """Whether the seat still has a marker to use and a turn to take the topping in."""
    return (
        seat != state.active
        and not state.solo
        and state.reserved[seat] == UNUSED
        and state.has_turn_left(seat)
    )


def reservable(state: PizzaState) -> list[str]:
    """Slots whose top nobody has reserved."""
    return [
        slot
        for slot, stack in zip(SLOTS, state.stacks, strict=True)
        if stack and slot not in state.reserved
    ]


def reserve(state: PizzaState, seat: Seat, move: Reserve) -> list[Event]:
    """Put the marker on the top of a stack."""
    if state.solo:
        raise IllegalMove("PZ-113", "There is no reserved marker in the solo challenge.")
    card_window(state, seat, "reservations")
    if state.reserved[seat] != UNUSED:
        raise IllegalMove("PZ-096", "You have used your reserved marker: it serves once a game.")
    if seat == state.active:
        raise IllegalMove(
            "PZ-096", "You reserve only when it is not your turn. Now you can simply take it."
        )
    if not state.has_turn_left(seat):
        raise IllegalMove("PZ-101", "You have no turn left in which to take the topping.")
    slot = move.slot.upper()
    if slot not in SLOT_INDEX or not state.stacks[SLOT_INDEX[slot]]:
        raise IllegalMove("PZ-096", "There is no topping to reserve.", reservable(state))
    if slot in state.reserved:
        raise IllegalMove(
            "PZ-097",
            f"{slot} is already reserved by {{seat:{state.reserved.index(slot)}}}.",
            reservable(state),
        )
    state.reserved[seat] = slot
    face, colour = state.top_of(slot)
    state.last = Last("reserve", seat, slots=(slot,))
    return [
        Event("reserved", {"seat": seat, "slot": slot, "top": face, "colour": colour}, reveals=True)
    ]
