"""Chef cards, in the own turn and off-turn (PZ-041 to PZ-055, PZ-091, dossier 3.4).

A card with targets is filled in step by step in a private draft that blocks nobody. Whether it may
be played is judged again by the last step, which executes it.
"""

from __future__ import annotations

from collections.abc import Callable

from engines.core.errors import IllegalMove, MoveError
from engines.core.types import Event, Seat
from engines.pizzachef.components import (
    CARDS,
    CHEF_KEY,
    STALLS,
    TYPE,
    lowest,
    types_of,
)
from engines.pizzachef.moves import CardCancel, CardFinish, CardPick, PlayChef
from engines.pizzachef.phases.gate import card_window
from engines.pizzachef.phases.market import take_tops, takeable
from engines.pizzachef.phases.rot import queue_rot
from engines.pizzachef.state import Draft, Last, PizzaState, Wait

ARMED = ("moped", "regular_customer", "detour", "substitute")
"""Cards that wait for a delivery of the turn (PZ-050)."""

AT_ONCE = (*ARMED, "overtime")
"""Cards without targets."""

ANSWERS = ("swap", "bin")
"""Cards that may answer a ROT choice (PZ-091)."""

HAND_CARDS = tuple(key for key, card in CARDS.items() if card.turn != "pi")


# ---- which cards may be played ---------------------------------------------------------------


def held(state: PizzaState, seat: Seat, key: str) -> list[tuple[str, int]]:
    """The seat's chef cards of a key, lowest id first."""
    return [(card, clock) for card, clock in state.chef[seat] if CHEF_KEY[card] == key]


def ripe(state: PizzaState, seat: Seat, clock: int) -> bool:
    """Whether a card taken at that clock is old enough (PZ-041, PZ-120)."""
    return state.chef_clock(seat) > clock


def refuse_card(state: PizzaState, seat: Seat, key: str) -> None:
    """Raise unless the seat may play a card of the key now, targets not considered."""
    rotting = card_window(state, seat)
    if key not in HAND_CARDS or not held(state, seat, key):
        raise IllegalMove("PZ-043", "You hold no such chef card.")
    card = CARDS[key]
    if rotting and key not in ANSWERS:
        raise IllegalMove(
            "PZ-091", "Only Bin or Swap can save toppings that rot, by giving the bag away."
        )
    if card.turn == "own" and seat != state.active:
        raise IllegalMove("PZ-044", f"{card.title} works only in your own turn.")
    if not any(ripe(state, seat, clock) for _, clock in held(state, seat, key)):
        if state.solo:
            raise IllegalMove(
                "PZ-120", f"Take one more action first; then {card.title} can be played."
            )
        raise IllegalMove(
            "PZ-041", f"You can play {card.title} from the start of your next turn on."
        )
    if key in state.armed:
        raise IllegalMove("PZ-050", f"{card.title} is already waiting for a delivery.")


def playable(state: PizzaState, seat: Seat) -> list[str]:
    """Keys of the cards that the seat may play now and that have a target."""
    if not state.chef[seat]:
        return []
    try:
        rotting = card_window(state, seat)
    except MoveError:
        return []
    clock = state.chef_clock(seat)
    ready = {CHEF_KEY[card] for card, taken in state.chef[seat] if clock > taken}
    return [
        key
        for key in HAND_CARDS
        if key in ready
        and (seat == state.active or CARDS[key].turn == "any")
        and key not in state.armed
        and (not rotting or key in ANSWERS)
        and has_target(state, seat, key)
    ]


def has_target(state: PizzaState, seat: Seat, key: str) -> bool:
    """Whether the card would do anything."""
    if key in AT_ONCE:
        return True
    own = state.tokens[seat]
    if key == "bin":
        return bool(own)
    if key == "swap":
        return bool(own) and any(state.tokens[s] for s in others(state, seat))
    if key == "pickpocket":
        return any(t[0] != "R" for s in others(state, seat) for t in state.tokens[s])
    if key == "open_order":
        return any(state.hidden_regular(s) for s in others(state, seat))
    return bool(takeable(state, seat))


def others(state: PizzaState, seat: Seat) -> list[Seat]:
    """The other players, clockwise from the seat."""
    return state.clockwise(seat)[1:]


# ---- targets ---------------------------------------------------------------------------------


def targets(state: PizzaState, seat: Seat) -> list[CardPick]:
    """Every target that the seat's draft may take next."""
    draft = state.drafts[seat]
    if draft is None or draft.card not in playable(state, seat):
        return []
    own = state.tokens[seat]
    match draft.card:
        case "open_order":
            return [
                CardPick(player=state.colours[s])
                for s in others(state, seat)
                if state.hidden_regular(s)
            ]
        case "fresh_pick":
            return [CardPick(slot=slot) for slot in takeable(state, seat)]
        case "full_basket":
            stalls = {slot[0] for slot in takeable(state, seat)}
            return [CardPick(stall=stall) for stall in STALLS if stall in stalls]
        case "pickpocket":
            return [
                CardPick(player=state.colours[s], topping=kind)
                for s in others(state, seat)
                for kind in types_of(state.tokens[s])
                if not kind.startswith("rotten:")
            ]
    must = must_include(state, seat)
    if not draft.picks:
        kinds = types_of(own)
        if must and draft.card == "swap":
            kinds = [must]
        return [CardPick(topping=kind) for kind in kinds]
    first = lowest(own, draft.picks[0])
    if first is None:
        return []
    if draft.card == "swap":
        if must not in ("", draft.picks[0]):
            return []
        return [
            CardPick(player=state.colours[s], topping=kind)
            for s in others(state, seat)
            for kind in types_of(state.tokens[s])
        ]
    rest = types_of([t for t in own if t != first])
    if must not in ("", draft.picks[0]):
        rest = [must]
    return [CardPick(topping=kind) for kind in rest]


def must_include(state: PizzaState, seat: Seat) -> str:
    """Type of the rotten bag that a Bin or Swap must give away now (PZ-091), else empty."""
    if state.queue and state.queue[0].kind == "rot" and state.queue[0].seat == seat:
        return f"rotten:{state.queue[0].topping}"
    return ""


def may_finish_card(state: PizzaState, seat: Seat) -> bool:
    """Whether a Bin with one topping chosen may be played like that."""
    draft = state.drafts[seat]
    return (
        draft is not None
        and draft.card == "bin"
        and len(draft.picks) == 1
        and must_include(state, seat) in ("", draft.picks[0])
        and lowest(state.tokens[seat], draft.picks[0]) is not None
        and "bin" in playable(state, seat)
    )


# ---- playing ---------------------------------------------------------------------------------


def play_chef(state: PizzaState, seat: Seat, move: PlayChef) -> list[Event]:
    """Play a card without targets, or begin a private draft."""
    key = move.card
    refuse_card(state, seat, key)
    if not has_target(state, seat, key):
        raise IllegalMove(NO_TARGET.get(key, "PZ-049"), f"{CARDS[key].title} has no target now.")
    if key in AT_ONCE:
        events = execute(state, seat, key, {})
        if key == "overtime":
            state.actions_left += 1
        else:
            state.armed = (*state.armed, key)
        return events
    must = must_include(state, seat)
    state.drafts[seat] = Draft(key, (must,) if must else ())
    return [Event("drafting", {"card": key, "bag": must}, to=(seat,))]


NO_TARGET = {"open_order": "PZ-053"}
"""Rules by which a card without any target is refused."""


def current_draft(state: PizzaState, seat: Seat) -> Draft:
    """The seat's draft.

    Raises:
        IllegalMove: there is none.
    """
    draft = state.drafts[seat]
    if draft is None:
        raise IllegalMove("PZ-049", "You are not playing a chef card. Choose one first.")
    return draft


def card_pick(state: PizzaState, seat: Seat, move: CardPick) -> list[Event]:
    """Choose the next target; the last one executes the card."""
    draft = current_draft(state, seat)
    refuse_card(state, seat, draft.card)
    if move not in targets(state, seat):
        raise _bad_target(state, seat, draft, move)
    if draft.card in ("bin", "swap") and not draft.picks:
        kind = move.topping or ""
        if draft.card == "bin" and len(state.tokens[seat]) == 1:
            return _bin(state, seat, [kind])
        state.drafts[seat] = Draft(draft.card, (kind,))
        return [Event("picked", {"card": draft.card, "topping": kind}, to=(seat,))]
    return EFFECTS[draft.card](state, seat, draft, move)


def _bad_target(state: PizzaState, seat: Seat, draft: Draft, move: CardPick) -> IllegalMove:
    """Why a target is refused."""
    must = must_include(state, seat)
    if must and must != move.topping and must not in draft.picks:
        return IllegalMove("PZ-091", "This must use the rotten bag: choose it, or keep the card.")
    if draft.picks and lowest(state.tokens[seat], draft.picks[0]) is None:
        return IllegalMove(
            "PZ-049",
            "The topping you chose first is no longer yours. Your card stays in hand: keep it, or "
            "play it again.",
        )
    match draft.card:
        case "open_order":
            return IllegalMove("PZ-053", "Choose another player who has a hidden regular order.")
        case "pickpocket":
            if (move.topping or "").startswith("rotten:"):
                return IllegalMove(
                    "PZ-049", "Pickpocket takes no rotten bag. Choose another topping."
                )
        case "fresh_pick":
            by = state.reserver((move.slot or "").upper())
            if by is not None and by != seat:
                return IllegalMove("PZ-097", f"{move.slot} is already reserved by {{seat:{by}}}.")
    return IllegalMove("PZ-049", "That is not possible, or no longer. Choose another target.")


def card_finish(state: PizzaState, seat: Seat, move: CardFinish) -> list[Event]:
    """Play Bin with one topping."""
    draft = current_draft(state, seat)
    refuse_card(state, seat, draft.card)
    if draft.card != "bin" or not draft.picks:
        raise IllegalMove("PZ-049", "Only Bin with one topping chosen can be played like that.")
    if must_include(state, seat) not in ("", draft.picks[0]):
        raise IllegalMove("PZ-091", "This must use the rotten bag: choose it as the second one.")
    if not may_finish_card(state, seat):
        raise IllegalMove(
            "PZ-049",
            "The topping you chose is no longer yours. Your card stays in hand: keep it, or play "
            "it again.",
        )
    return _bin(state, seat, [draft.picks[0]])


def card_cancel(state: PizzaState, seat: Seat, move: CardCancel) -> list[Event]:
    """Drop the draft; the card stays in hand."""
    draft = current_draft(state, seat)
    state.drafts[seat] = None
    return [Event("card_kept", {"card": draft.card}, to=(seat,))]


# ---- effects ---------------------------------------------------------------------------------


def execute(state: PizzaState, seat: Seat, key: str, told: dict[str, object]) -> list[Event]:
    """The card leaves the hand for the discard pile; an older draft is dropped."""
    card = next(c for c, clock in held(state, seat, key) if ripe(state, seat, clock))
    state.chef[seat] = tuple(pair for pair in state.chef[seat] if pair[0] != card)
    state.discards["chef"] = (*state.discards["chef"], card)
    state.drafts[seat] = None
    state.last = Last("card", seat, card=key)
    return [Event("card", {"seat": seat, "card": key, **told}, reveals=key not in AT_ONCE)]


def seat_of(state: PizzaState, move: CardPick) -> Seat:
    """The player whom the pick names."""
    return state.colours.index(move.player or "")


def _one(state: PizzaState, seat: Seat, kind: str) -> str:
    token = lowest(state.tokens[seat], kind)
    if token is None:
        raise IllegalMove("PZ-049", "That topping is not there any more.")
    return token


def _bin(state: PizzaState, seat: Seat, kinds: list[str]) -> list[Event]:
    tokens: list[str] = []
    for kind in kinds:
        rest = [t for t in state.tokens[seat] if t not in tokens]
        token = lowest(rest, kind)
        if token is None:
            raise IllegalMove("PZ-049", "That topping is not there any more.")
        tokens.append(token)
    state.drop_tokens(seat, tokens)
    events = execute(state, seat, "bin", {"toppings": tuple(TYPE[t] for t in tokens)})
    state.last = Last("card", seat, card="bin", tokens=tuple(TYPE[t] for t in tokens))
    queue_rot(state)
    return events


def _bin_two(state: PizzaState, seat: Seat, draft: Draft, move: CardPick) -> list[Event]:
    return _bin(state, seat, [draft.picks[0], move.topping or ""])


def _swap(state: PizzaState, seat: Seat, draft: Draft, move: CardPick) -> list[Event]:
    other = seat_of(state, move)
    mine = _one(state, seat, draft.picks[0])
    theirs = _one(state, other, move.topping or "")
    state.tokens[seat] = tuple(t for t in state.tokens[seat] if t != mine)
    state.tokens[other] = tuple(t for t in state.tokens[other] if t != theirs)
    state.add_tokens(seat, [theirs])
    state.add_tokens(other, [mine])
    events = execute(state, seat, "swap", {"other": other, "gave": TYPE[mine], "got": TYPE[theirs]})
    state.last = Last("card", seat, card="swap", tokens=(TYPE[mine], TYPE[theirs]))
    queue_rot(state)
    return events


def _pickpocket(state: PizzaState, seat: Seat, draft: Draft, move: CardPick) -> list[Event]:
    other = seat_of(state, move)
    token = _one(state, other, move.topping or "")
    state.tokens[other] = tuple(t for t in state.tokens[other] if t != token)
    state.add_tokens(seat, [token])
    events = execute(state, seat, "pickpocket", {"other": other, "got": TYPE[token]})
    state.last = Last("card", seat, card="pickpocket", tokens=(TYPE[token],))
    queue_rot(state)
    return events


def _take(state: PizzaState, seat: Seat, key: str, slots: list[str]) -> list[Event]:
    types = take_tops(state, seat, slots)
    events = execute(state, seat, key, {"slots": tuple(slots), "tokens": types})
    state.last = Last("card", seat, card=key, slots=tuple(slots), tokens=types)
    return events


def _fresh_pick(state: PizzaState, seat: Seat, draft: Draft, move: CardPick) -> list[Event]:
    return _take(state, seat, "fresh_pick", [move.slot or ""])


def _full_basket(state: PizzaState, seat: Seat, draft: Draft, move: CardPick) -> list[Event]:
    slots = [slot for slot in takeable(state, seat) if slot[0] == move.stall]
    return _take(state, seat, "full_basket", slots)


def _open_order(state: PizzaState, seat: Seat, draft: Draft, move: CardPick) -> list[Event]:
    other = seat_of(state, move)
    events = execute(state, seat, "open_order", {"other": other})
    hidden = state.hidden_regular(other)
    if len(hidden) == 1:
        return events + lay_open(state, other, hidden[0])
    state.queue = (Wait("reveal", other),)
    return events


def lay_open(state: PizzaState, owner: Seat, order: str) -> list[Event]:
    """An order lies face up from now on (PZ-052)."""
    state.orders[owner] = tuple(o for o in state.orders[owner] if o != order)
    state.open_orders[owner] = (*state.open_orders[owner], order)
    state.last = Last("opened", owner, card=order)
    return [Event("opened", {"seat": owner, "order": order}, reveals=True)]


EFFECTS: dict[str, Callable[[PizzaState, Seat, Draft, CardPick], list[Event]]] = {
    "open_order": _open_order,
    "swap": _swap,
    "bin": _bin_two,
    "fresh_pick": _fresh_pick,
    "full_basket": _full_basket,
    "pickpocket": _pickpocket,
}
"""What each card with targets does, once its last target is chosen."""
