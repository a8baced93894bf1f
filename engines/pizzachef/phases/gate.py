"""Who may do what now, and what is being waited for (PZ-026, PZ-045 to PZ-048, PZ-129)."""

from __future__ import annotations

from engines.core.errors import IllegalMove, NotYourTurn
from engines.core.types import Seat
from engines.pizzachef.components import KIND_NAMES
from engines.pizzachef.state import PizzaState


def waiting_for(state: PizzaState) -> str:
    """The choice that lies over everything else, for a sentence."""
    first = state.queue[0]
    if first.kind == "rot":
        return f"{{seat:{first.seat}}} decides what happens to rotting {KIND_NAMES[first.topping]}"
    return f"{{seat:{first.seat}}} chooses which order is laid face up"


def refuse_queue(state: PizzaState) -> None:
    """Raise if a ROT or REVEAL choice must be answered first."""
    if state.queue:
        rule = "PZ-092" if state.queue[0].kind == "rot" else "PZ-053"
        raise NotYourTurn(rule, f"First {waiting_for(state)}. Please wait for that answer.")


def refuse_setup(state: PizzaState, rule: str = "PZ-129") -> None:
    """Raise while the players choose their first cards."""
    if state.phase != "play":
        raise IllegalMove(rule, f"The players are still choosing their first {words(state.phase)}.")


def words(kind: str) -> str:
    """Cards of a kind for a sentence."""
    return "chef cards" if kind == "chef" else kind


def need_turn(state: PizzaState, seat: Seat, rule: str = "PZ-026", text: str = "") -> None:
    """Raise unless it is the seat's turn and no choice lies over it."""
    refuse_setup(state)
    if seat != state.active and not state.queue:
        raise NotYourTurn(rule, text or f"It is not your turn. {{seat:{state.active}}} is playing.")
    refuse_queue(state)


def need_open(state: PizzaState, seat: Seat, rule: str = "PZ-026", text: str = "") -> None:
    """Raise unless the seat's turn is open: no cards to choose, no delivery announced."""
    need_turn(state, seat, rule, text)
    if state.main == "draw":
        raise IllegalMove(
            "PZ-129", f"First choose among the {words(state.draw_kind)} you have drawn."
        )
    if state.main == "delivery":
        raise IllegalMove("PZ-129", "First complete the delivery you announced, or call it off.")


def need_action(
    state: PizzaState, seat: Seat, take: tuple[str, str] | None = None, cost: int = 1
) -> None:
    """Raise unless the seat has actions left and no reserved topping is due (PZ-100)."""
    slot = state.reserved_slot(seat)
    if slot is not None and cost == 2:
        raise IllegalMove(
            "PZ-100", f"Take your reserved topping at {slot} first: it is due in this turn."
        )
    if state.actions_left < cost:
        if cost == 2 and state.actions_left:
            raise IllegalMove(
                "PZ-058", "Discarding a mission needs 2 actions, and you have only 1 left."
            )
        if state.solo:
            raise IllegalMove(
                "PZ-114", "You have no action left. Deliver a pizza to gain 3 actions."
            )
        raise IllegalMove(
            "PZ-026",
            "You have no action left in this turn. You may still deliver, play chef cards or end "
            "the turn.",
        )
    if slot is not None and state.actions_spent and take != due(state, slot):
        stall, colour = due(state, slot)
        raise IllegalMove(
            "PZ-100",
            f"Take your reserved topping at {slot} now: {colour} at stall {stall}, or use a chef "
            "card.",
        )


def due(state: PizzaState, slot: str) -> tuple[str, str]:
    """Stall and colour by which the top of a slot is taken."""
    return slot[0], state.top_of(slot)[1]


def spend(state: PizzaState, cost: int = 1) -> None:
    """Pay an action."""
    state.actions_left -= cost
    state.actions_spent += cost


def card_window(state: PizzaState, seat: Seat, what: str = "chef cards") -> str:
    """Raise unless chef cards and reservations are accepted from the seat now (PZ-046, PZ-048).

    Returns:
        The kind that is rotting if the card must answer a ROT choice (PZ-091), else "".
    """
    refuse_setup(state, "PZ-048")
    if state.queue:
        first = state.queue[0]
        if first.kind == "rot" and first.seat == seat and what == "chef cards":
            return first.topping
        refuse_queue(state)
    if state.main == "delivery":
        if seat != state.active:
            raise IllegalMove(
                "PZ-045",
                f"{{seat:{state.active}}} is delivering a pizza. Wait for the delivery to end.",
            )
        raise IllegalMove(
            "PZ-046", "Chef cards are played before a delivery, not in the middle of it."
        )
    if state.main == "draw" and seat == state.active:
        raise IllegalMove(
            "PZ-046", f"First choose among the {words(state.draw_kind)} you have drawn."
        )
    return ""
