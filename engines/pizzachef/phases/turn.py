"""Turns (PZ-026 to PZ-029, PZ-102 to PZ-104, PZ-119, PZ-127)."""

from __future__ import annotations

from engines.core.errors import IllegalMove
from engines.core.types import Event, Seat
from engines.pizzachef.components import COINS
from engines.pizzachef.moves import EndTurn, GiveUp, HostSkip
from engines.pizzachef.phases.draw import can_draw
from engines.pizzachef.phases.gate import need_open, refuse_setup
from engines.pizzachef.phases.market import takes
from engines.pizzachef.phases.scoring import finish
from engines.pizzachef.state import SPENT, PizzaState

ACTIONS = 2
"""Actions a turn (PZ-026)."""


def begin_turn(state: PizzaState, seat: Seat) -> list[Event]:
    """The seat's turn starts."""
    state.active = seat
    state.turns_started[seat] += 1
    state.actions_left = COINS.solo_actions if state.solo else ACTIONS
    state.actions_spent = 0
    state.main = "open"
    last = state.trigger_seat is not None
    return [
        Event(
            "turn",
            {"seat": seat, "actions": state.actions_left, "last": last},
            reveals=True,
        )
    ]


def any_action(state: PizzaState, seat: Seat) -> bool:
    """Whether the seat can still perform an action."""
    if state.actions_left < 1:
        return False
    return bool(
        any(can_draw(state, seat, kind) for kind in ("missions", "orders", "chef"))
        or state.orders[seat]
        or state.open_orders[seat]
        or state.tokens[seat]
        or (state.actions_left > 1 and state.missions[seat])
        or takes(state, seat)
    )


def may_end(state: PizzaState, seat: Seat) -> bool:
    """Whether the open turn may be ended (PZ-028, PZ-100, PZ-119)."""
    return not (state.solo or state.reserved_slot(seat) or any_action(state, seat))


def end_turn(state: PizzaState, seat: Seat, move: EndTurn | None = None) -> list[Event]:
    """The player ends the turn."""
    need_open(state, seat)
    if state.solo:
        raise IllegalMove("PZ-119", "The solo challenge is one long turn: it is never ended.")
    slot = state.reserved_slot(seat)
    if slot is not None:
        raise IllegalMove(
            "PZ-100", f"Take your reserved topping at {slot} first: it is due in this turn."
        )
    if any_action(state, seat):
        raise IllegalMove(
            "PZ-028",
            "2 actions are compulsory, and you have "
            f"{state.actions_left} left: take cards or toppings, or discard something.",
        )
    return close_turn(state)


def close_turn(state: PizzaState) -> list[Event]:
    """Armed cards lapse; the next turn begins, or the match ends (PZ-050, PZ-102)."""
    seat = state.active
    events = []
    if state.armed:
        events.append(Event("lapsed", {"seat": seat, "cards": state.armed}))
        state.armed = ()
    if state.trigger_seat is not None:
        state.last_turn_over[seat] = True
    following = (seat + 1) % state.seats
    if following == state.trigger_seat:
        return events + finish(state, "final_round")
    return events + begin_turn(state, following)


def host_skip(state: PizzaState, seat: Seat, move: HostSkip) -> list[Event]:
    """A turn ends for a player who is away: actions are forfeited, a reservation is lifted."""
    need_open(state, seat)
    if state.solo:
        raise IllegalMove("PZ-127", "A solo challenge waits for its player; it can be given up.")
    forfeited = state.actions_left
    if state.reserved_slot(seat) is not None:
        state.reserved[seat] = SPENT
    return [
        Event("skipped", {"seat": seat, "actions": forfeited}, reveals=True),
        *close_turn(state),
    ]


def give_up(state: PizzaState, seat: Seat, move: GiveUp) -> list[Event]:
    """The solo player gives up (PZ-124)."""
    if not state.solo:
        raise IllegalMove("PZ-124", "Only the solo challenge can be given up like this.")
    refuse_setup(state)
    return finish(state, "solo_given_up")
