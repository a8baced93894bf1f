"""Card piles, drawing and keeping (PZ-023, PZ-024, PZ-031 to PZ-034, PZ-038 to PZ-040, PZ-115)."""

from __future__ import annotations

from engines.core.errors import IllegalMove, NotYourTurn
from engines.core.types import Event, Seat
from engines.pizzachef.components import CHEF_KEY, DRAW, IS_PI
from engines.pizzachef.moves import (
    FinishDraw,
    KeepCard,
    TakeChef,
    TakeMissions,
    TakeOrders,
    UnkeepCard,
)
from engines.pizzachef.phases.gate import need_action, need_open, refuse_queue, spend, words
from engines.pizzachef.state import Last, PizzaState

KIND_OF: dict[type, str] = {TakeMissions: "missions", TakeOrders: "orders", TakeChef: "chef"}


def draw_cards(state: PizzaState, kind: str, n: int) -> tuple[tuple[str, ...], list[Event]]:
    """The top n cards; an empty pile is made anew from its discard pile when it is needed."""
    pile = state.piles[kind]
    drawn, pile = pile[:n], pile[n:]
    events = []
    if len(drawn) < n and state.discards[kind]:
        pile = tuple(state.rng.shuffle(kind, sorted(state.discards[kind])))
        state.discards[kind] = ()
        events.append(Event("shuffled", {"kind": kind, "n": len(pile)}, reveals=True))
        more = n - len(drawn)
        drawn, pile = (*drawn, *pile[:more]), pile[more:]
    state.piles[kind] = pile
    return drawn, events


def can_draw(state: PizzaState, seat: Seat, kind: str) -> bool:
    """Whether there is a card of that kind and the seat may take it (PZ-024, PZ-034)."""
    if kind == "orders" and not state.markers_left(seat):
        return False
    return bool(state.piles[kind] or state.discards[kind])


def take_cards(
    state: PizzaState, seat: Seat, move: TakeMissions | TakeOrders | TakeChef
) -> list[Event]:
    """Draw 4 cards to choose from."""
    kind = KIND_OF[type(move)]
    need_open(state, seat)
    need_action(state, seat)
    if kind == "orders" and not state.markers_left(seat):
        raise IllegalMove("PZ-034", "You have placed all 8 pizza markers: no more orders for you.")
    if not can_draw(state, seat, kind):
        raise IllegalMove("PZ-024", f"There are no {words(kind)} left to draw.")
    spend(state)
    drawn, events = draw_cards(state, kind, DRAW)
    state.main, state.draw_kind = "draw", kind
    state.drawn[seat], state.kept[seat] = drawn, ()
    state.last = Last(f"take_{kind}", seat)
    return [
        *events,
        Event("took_cards", {"seat": seat, "kind": kind, "n": len(drawn)}, reveals=True),
        Event("drawn", {"kind": kind, "cards": drawn}, to=(seat,), reveals=True),
    ]


def draw_of(state: PizzaState, seat: Seat) -> str:
    """Kind of the cards that the seat is choosing from.

    Raises:
        MoveError: it has none.
    """
    if state.phase != "play":
        if not state.drawn[seat]:
            raise NotYourTurn(
                "PZ-018", "You have chosen. The next cards come when all players have chosen."
            )
        return state.phase
    refuse_queue(state)
    if state.main != "draw" or seat != state.active:
        if seat != state.active:
            raise NotYourTurn("PZ-026", f"It is not your turn. {{seat:{state.active}}} is playing.")
        raise IllegalMove("PZ-129", "You have drawn no cards to choose from.")
    return state.draw_kind


def too_many(state: PizzaState, seat: Seat, kind: str, card: str) -> bool:
    """Whether keeping the card would make a second hand card of a chef draw (PZ-040)."""
    return (
        kind == "chef" and not IS_PI[card] and any(not IS_PI[other] for other in state.kept[seat])
    )


def may_finish(state: PizzaState, seat: Seat, kind: str) -> bool:
    """Whether enough is kept; chef cards in setup and solo may all be turned down."""
    return bool(state.kept[seat]) or (kind == "chef" and (state.phase != "play" or state.solo))


def keep_card(state: PizzaState, seat: Seat, move: KeepCard | UnkeepCard) -> list[Event]:
    """Put a drawn card among those kept, or back."""
    kind = draw_of(state, seat)
    card = move.card.upper()
    if card not in state.drawn[seat]:
        raise IllegalMove("PZ-129", "That card is not among those you have drawn.")
    kept = card in state.kept[seat]
    if isinstance(move, UnkeepCard):
        if not kept:
            raise IllegalMove("PZ-129", "You are not keeping that card.")
        state.kept[seat] = tuple(c for c in state.kept[seat] if c != card)
        return [Event("unkept", {"card": card}, to=(seat,))]
    if kept:
        raise IllegalMove("PZ-129", "You are already keeping that card.")
    if too_many(state, seat, kind, card):
        if state.phase != "play":
            raise IllegalMove(
                "PZ-016", "You keep at most 1 chef card in the setup. Put the other one back first."
            )
        raise IllegalMove(
            "PZ-040",
            "You keep exactly 1 chef card, plus any Play immediately cards. Put the other one back "
            "first.",
        )
    state.kept[seat] = tuple(c for c in state.drawn[seat] if c in state.kept[seat] or c == card)
    return [Event("kept", {"card": card}, to=(seat,))]


def finish_draw(state: PizzaState, seat: Seat, move: FinishDraw) -> list[Event]:
    """Keep what was chosen, discard the rest, lay Play immediately cards out (PZ-039)."""
    kind = draw_of(state, seat)
    if not may_finish(state, seat, kind):
        if kind == "chef":
            raise IllegalMove(
                "PZ-040", "Keep exactly 1 chef card, plus any Play immediately cards you like."
            )
        raise IllegalMove("PZ-031", f"Keep at least 1 of the {kind}.")
    kept = state.kept[seat]
    state.discards[kind] = (
        *state.discards[kind], *(c for c in state.drawn[seat] if c not in kept)
    )  # fmt: skip
    state.drawn[seat] = state.kept[seat] = ()
    hand = tuple(c for c in kept if kind != "chef" or not IS_PI[c])
    open_cards = tuple(c for c in kept if c not in hand)
    if kind == "chef":
        setup = state.phase != "play"
        clock = (0 if state.solo else 1) if setup else state.chef_clock(seat)
        state.chef[seat] = tuple(sorted((*state.chef[seat], *((c, clock) for c in hand))))
        state.pi = (*state.pi, *open_cards)
    else:
        hands = state.missions if kind == "missions" else state.orders
        hands[seat] = tuple(sorted((*hands[seat], *hand)))
    events = [
        Event(
            "kept_cards",
            {"seat": seat, "kind": kind, "n": len(hand)},
            reveals=state.phase != "play",
        )
    ]
    if hand:
        events.append(Event("kept_own", {"kind": kind, "cards": hand}, to=(seat,)))
    for card in open_cards:
        events.append(Event("pi_open", {"seat": seat, "card": CHEF_KEY[card]}, reveals=True))
    if state.phase == "play":
        state.main, state.draw_kind = "open", ""
        state.last = Last(f"keep_{kind}", seat, card=CHEF_KEY[open_cards[-1]] if open_cards else "")
    return events
