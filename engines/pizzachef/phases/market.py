"""The market: stacks, taking toppings, refilling (PZ-013 to PZ-015, PZ-025, PZ-035 to PZ-037)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.core.errors import IllegalMove
from engines.core.types import Event, Seat
from engines.pizzachef.components import (
    COLOUR,
    COLOURS,
    SLOT_INDEX,
    SLOTS,
    STALLS,
    TYPE,
)
from engines.pizzachef.moves import TakeToppings
from engines.pizzachef.phases.gate import need_action, need_open, spend
from engines.pizzachef.phases.rot import queue_rot
from engines.pizzachef.state import SPENT, Last, PizzaState


def lay_out(state: PizzaState, tokens: Sequence[str]) -> None:
    """Make 12 stacks of shuffled tokens and put them on random places (PZ-015)."""
    shuffled = state.rng.shuffle("tokens", sorted(tokens))
    places = state.rng.shuffle("places", list(range(len(SLOTS))))
    state.stacks = [tuple(shuffled[place :: len(SLOTS)]) for place in places]


def refill(state: PizzaState) -> list[Event]:
    """Turn the topping discard pile into 12 new stacks once all stacks are empty (PZ-023)."""
    if not state.discard or any(state.stacks):
        return []
    tokens, state.discard = state.discard, ()
    lay_out(state, tokens)
    return [Event("refill", {"n": len(tokens)}, reveals=True)]


def takeable(state: PizzaState, seat: Seat) -> list[str]:
    """Slots whose top the seat may take: not empty, not reserved by another player."""
    blocked = [mark for s, mark in enumerate(state.reserved) if mark and s != seat]
    return [
        slot
        for slot, stack in zip(SLOTS, state.stacks, strict=True)
        if stack and slot not in blocked
    ]


def takes(state: PizzaState, seat: Seat) -> dict[tuple[str, str], list[str]]:
    """The slots of every (stall, colour) with a takeable top, in market order."""
    found: dict[tuple[str, str], list[str]] = {}
    for stall in STALLS:
        for colour in COLOURS:
            found[stall, colour] = []
    for slot in takeable(state, seat):
        found[slot[0], COLOUR[state.stacks[SLOT_INDEX[slot]][-1]]].append(slot)
    return {key: slots for key, slots in found.items() if slots}


def take_tops(state: PizzaState, seat: Seat, slots: Sequence[str]) -> tuple[str, ...]:
    """Give the tops of some slots to a seat, turn bags over and queue what rots.

    Returns:
        The types taken, in the order of the slots.
    """
    taken = []
    for slot in slots:
        index = SLOT_INDEX[slot]
        taken.append(state.stacks[index][-1])
        state.stacks[index] = state.stacks[index][:-1]
        if state.reserved[seat] == slot:
            state.reserved[seat] = SPENT
    state.add_tokens(seat, taken)
    queue_rot(state)
    return tuple(TYPE[t] for t in taken)


def take_toppings(state: PizzaState, seat: Seat, move: TakeToppings) -> list[Event]:
    """All tops of one colour in one stall at once (PZ-035)."""
    need_open(state, seat)
    key = move.stall.upper(), move.colour.lower()
    if key[0] not in STALLS or len(key[0]) != 1 or key[1] not in COLOURS:
        raise IllegalMove("PZ-035", "Choose a stall from A to D and a colour, red or green.")
    need_action(state, seat, take=key)
    slots = takes(state, seat).get(key)
    if not slots:
        raise IllegalMove(
            "PZ-036",
            f"There is nothing {key[1]} to take at stall {key[0]}.",
            [f"{stall} {colour}" for stall, colour in takes(state, seat)],
        )
    spend(state)
    types = take_tops(state, seat, slots)
    state.last = Last("take_toppings", seat, slots=tuple(slots), tokens=types)
    return [
        Event(
            "took_toppings",
            {"seat": seat, "stall": key[0], "colour": key[1], "tokens": types},
            reveals=True,
        )
    ]
