"""Invariants: every card and topping is in exactly one place, always."""

from __future__ import annotations

from collections import Counter

from engines.core.errors import InvariantError
from engines.pizzachef.components import (
    CHEF,
    FANTASIAS,
    HOUSES,
    ICONS,
    IS_PI,
    MARKERS,
    MISSIONS,
    REGULAR,
    ROTTEN,
    SLOT_INDEX,
    TOKENS,
    TYPE,
)
from engines.pizzachef.state import SPENT, UNUSED, PizzaState


def _fail(text: str) -> None:
    raise InvariantError(f"Pizzachef: {text}")


def check(state: PizzaState) -> None:
    """Raise if a piece, a coin or a decision got lost or doubled."""
    _cards(state)
    _tokens(state)
    _markers(state)
    _decisions(state)


def _cards(state: PizzaState) -> None:
    kind = state.phase if state.phase in state.piles else state.draw_kind
    drawn = [c for cards in state.drawn for c in cards]
    if drawn and not kind:
        _fail("cards are drawn, but nobody is choosing")
    places: dict[str, list[str]] = {
        k: [*state.piles[k], *state.discards[k], *(drawn if k == kind else ())]
        for k in ("missions", "orders", "chef")
    }
    places["chef"] += [*state.pi, *state.set_aside]
    for seat in range(state.seats):
        places["missions"] += state.missions[seat]
        places["orders"] += [*state.orders[seat], *state.open_orders[seat]]
        places["orders"] += [d.order for d in state.delivered[seat]]
        places["chef"] += [card for card, _ in state.chef[seat]]
    everything = [c for cards in places.values() for c in cards] + list(state.gone)
    if sorted(everything) != sorted((*MISSIONS, *REGULAR, *FANTASIAS, *CHEF)):
        _fail("the 97 cards do not add up")
    if not set(places["missions"]) <= set(MISSIONS) or not set(places["chef"]) <= set(CHEF):
        _fail("a card lies in a pile of another kind")
    if any(IS_PI[card] for cards in state.chef for card, _ in cards):
        _fail("a Play immediately card is in a hand (PZ-039)")
    if not all(IS_PI[card] for card in state.pi):
        _fail("a hand card lies open as Play immediately")
    if any(o in FANTASIAS for o in (*state.piles["orders"], *state.discards["orders"])):
        _fail("a Fantasia is in the order pile (PZ-011, PZ-059)")
    for seat in range(state.seats):
        if not set(state.kept[seat]) <= set(state.drawn[seat]):
            _fail("a card is kept that was not drawn")


def _tokens(state: PizzaState) -> None:
    found = [*state.discard, *(t for stack in state.stacks for t in stack)]
    for seat in range(state.seats):
        found += state.tokens[seat]
        found += [t for d in state.delivered[seat] for t in d.on_card]
    if sorted(found) != sorted(TOKENS):
        _fail("the 99 toppings do not add up")
    rotting = []
    for seat in range(state.seats):
        own = state.tokens[seat]
        if list(own) != sorted(own):
            _fail("toppings are out of order")
        for kind, bag in ROTTEN.items():
            if bag in own and any(TYPE[t] == kind for t in own):
                rotting.append((seat, kind))
    queued = [(w.seat, w.topping) for w in state.queue if w.kind == "rot"]
    if state.ended is None and sorted(rotting) != sorted(queued):
        _fail("a rotten bag lies beside a topping of its kind without a choice (PZ-095)")


def _markers(state: PizzaState) -> None:
    if len(state.houses) != HOUSES or any(len(h) > ICONS for h in state.houses):
        _fail("a house has too many markers (PZ-065)")
    for seat in range(state.seats):
        placed = Counter({h + 1: m.count(seat) for h, m in enumerate(state.houses)})
        pizzas = state.delivered[seat]
        if +placed != Counter(d.house for d in pizzas) or len(pizzas) > MARKERS:
            _fail("markers and delivered pizzas differ")
        if any(state.houses[d.house - 1][d.icon - 1] != seat for d in pizzas):
            _fail("a marker is on a wrong icon")
        if state.scores[seat] != sum(d.coins for d in pizzas):
            _fail("a score differs from the money received")
        if any(d.wrong and d.coins for d in pizzas):
            _fail("a wrong delivery was paid (PZ-079)")
    on_market = [mark for mark in state.reserved if mark not in (UNUSED, SPENT)]
    if len(set(on_market)) != len(on_market):
        _fail("two reserved markers lie on one topping (PZ-097)")
    if any(not state.stacks[SLOT_INDEX[slot]] for slot in on_market):
        _fail("a reserved marker lies on an empty place")


def _decisions(state: PizzaState) -> None:
    if state.ended is not None:
        if state.pending or state.queue:
            _fail("somebody is to decide after the end")
        return
    if not state.pending:
        _fail("nobody is to decide")
    if state.phase != "play":
        if {d.seat for d in state.pending} != {s for s in range(state.seats) if state.drawn[s]}:
            _fail("the wrong players are to choose cards")
        return
    wanted = [state.queue[0].seat if state.queue else state.active]
    suspended = [state.active] if state.queue and len(state.pending) == 2 else []
    if [d.seat for d in state.pending] != wanted + suspended:
        _fail("the wrong player is to decide")
    if (state.main == "delivery") != (state.delivery is not None):
        _fail("a delivery is announced outside its state")
    if state.delivery and not set(state.delivery.tokens) <= set(state.tokens[state.active]):
        _fail("a pizza uses toppings that its player does not own")
    if (state.main == "draw") != bool(state.drawn[state.active]):
        _fail("cards are drawn outside their state")
