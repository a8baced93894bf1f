"""Positions for the tests of Pizzachef: what a test names is placed as said, the rest is put where
it does no harm, so that every card and topping is in exactly one place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import pytest

from engines.core.errors import MoveError
from engines.core.play import Played, play, start
from engines.core.types import Event, state_hash
from engines.pizzachef import GAME
from engines.pizzachef import moves as m
from engines.pizzachef.components import (
    CARDS,
    CHEF,
    CHEF_KEY,
    FANTASIAS,
    MISSIONS,
    ORDERS,
    REGULAR,
    SLOTS,
    TOKENS,
)
from engines.pizzachef.phases import flow
from engines.pizzachef.state import Delivered, PizzaState

BySeat = Mapping[int, Sequence[Any]]

NONE: Mapping[Any, Any] = MappingProxyType({})


def table(
    seats: int = 2,
    *,
    active: int = 0,
    actions: int = 2,
    spent: int = 0,
    tokens: BySeat = NONE,
    orders: BySeat = NONE,
    open_orders: BySeat = NONE,
    missions: BySeat = NONE,
    chef: BySeat = NONE,
    market: Mapping[str, Sequence[str]] | None = None,
    discard: Sequence[str] = (),
    delivered: BySeat = NONE,
    full: Mapping[int, Sequence[int]] = NONE,
    scores: Mapping[int, int] = NONE,
    pi: Sequence[str] = (),
    armed: Sequence[str] = (),
    reserved: Mapping[int, str] = NONE,
    piles: Mapping[str, Sequence[str]] = NONE,
    trigger: int | None = None,
    turns: Mapping[int, int] = NONE,
) -> PizzaState:
    """A position in the middle of a match, the active player's turn open.

    Args:
        chef: cards that may be played; a pair (card, n) was taken in the owner's turn n (the
            default turn is 5).
        orders: hidden ones; a Fantasia that is not named has left the game.
        market: stacks by slot, the top last; without it the toppings left over are spread over
            all slots, with it they lie under the stacks that are named with a leading ``...``, or
            on the discard pile.
        delivered: (order, house) or (order, house, coins); markers are placed in this order.
        full: markers on houses before that, by house; filled with wrong deliveries.
        piles: top cards of piles; other cards follow below.
    """
    state, _ = start(GAME, seats)
    state.phase, state.main, state.active, state.start = "play", "open", active, 0
    state.actions_left, state.actions_spent = actions, spent
    state.turns_started = [turns.get(s, 5) for s in range(seats)]
    state.drawn = [()] * seats
    state.kept = [()] * seats
    named = {o for group in (orders, open_orders) for cards in group.values() for o in cards}
    named |= {d[0] for pizzas in delivered.values() for d in pizzas}
    named |= set(piles.get("orders", ()))
    filler = iter([o for o in REGULAR if o not in named])
    state.houses = [()] * 10
    state.delivered = [()] * seats
    for house, owners in full.items():
        for seat in owners:
            _place(state, seat, next(filler), house, 0, wrong=True)
    for seat, pizzas in delivered.items():
        for order, house, *coins in pizzas:
            _place(state, seat, order, house, coins[0] if coins else 0)
    for seat, score in scores.items():
        gap = score - sum(d.coins for d in state.delivered[seat])
        if gap and not state.delivered[seat]:
            _place(state, seat, next(filler), 10, gap)
        elif gap:
            first, *rest = state.delivered[seat]
            paid = Delivered(
                first.order, first.house, first.icon, first.kinds, first.fantasia, False,
                first.coins + gap, first.on_card,
            )  # fmt: skip
            state.delivered[seat] = (paid, *rest)
    state.scores = [sum(d.coins for d in state.delivered[s]) for s in range(seats)]
    state.orders = [tuple(sorted(orders.get(s, ()))) for s in range(seats)]
    state.open_orders = [tuple(open_orders.get(s, ())) for s in range(seats)]
    state.missions = [tuple(sorted(missions.get(s, ()))) for s in range(seats)]
    state.chef = [
        tuple(sorted(c if isinstance(c, tuple) else (c, -1) for c in chef.get(s, ())))
        for s in range(seats)
    ]
    state.pi, state.armed, state.trigger_seat = tuple(pi), tuple(armed), trigger
    for seat, slot in reserved.items():
        state.reserved[seat] = slot
    state.tokens = [tuple(sorted(tokens.get(s, ()))) for s in range(seats)]
    _spread(state, market, discard)
    _pile_cards(state, piles)
    state.pending = []
    state.ask(active, "open")
    GAME.check(state)
    return state


def _place(
    state: PizzaState, seat: int, order: str, house: int, coins: int, *, wrong: bool = False
) -> None:
    card = ORDERS[order]
    assert not card.fantasia
    state.houses[house - 1] = (*state.houses[house - 1], seat)
    icon = len(state.houses[house - 1])
    pizza = Delivered(order, house, icon, card.toppings, False, wrong and not coins, coins)
    state.delivered[seat] = (*state.delivered[seat], pizza)


def _spread(
    state: PizzaState, market: Mapping[str, Sequence[str]] | None, discard: Sequence[str]
) -> None:
    shown = [t for stack in (market or {}).values() for t in stack if t != "..."]
    used = {t for own in state.tokens for t in own} | set(shown) | set(discard)
    rest = [t for t in TOKENS if t not in used]
    if market is None:
        state.stacks = [tuple(rest[i::12]) for i in range(12)]
        state.discard = tuple(discard)
        return
    below = [slot for slot, stack in market.items() if stack and stack[0] == "..."]
    stacks = []
    for slot in SLOTS:
        stack = [t for t in market.get(slot, ()) if t != "..."]
        if slot in below:
            stack = rest[below.index(slot) :: len(below)] + stack
        stacks.append(tuple(stack))
    state.stacks = stacks
    state.discard = tuple(discard) if below else (*discard, *rest)


def _pile_cards(state: PizzaState, piles: Mapping[str, Sequence[str]]) -> None:
    seats = range(state.seats)
    delivered = [d.order for s in seats for d in state.delivered[s]]
    orders = [o for s in seats for o in (*state.orders[s], *state.open_orders[s])]
    held = {
        "missions": [c for s in seats for c in state.missions[s]],
        "orders": orders + delivered,
        "chef": [c for s in seats for c, _ in state.chef[s]] + list(state.pi),
    }
    yellow = [c for c in CHEF if CARDS[CHEF_KEY[c]].yellow and c not in held["chef"]]
    striped = [c for c in MISSIONS if MISSIONS[c].striped and c not in held["missions"]]
    gone = [*(yellow + striped if state.seats == 1 else [])]
    gone += [f for f in FANTASIAS if f not in held["orders"]]
    everything = {"missions": tuple(MISSIONS), "orders": REGULAR, "chef": CHEF}
    for kind, cards in everything.items():
        top = list(piles.get(kind, ()))
        rest = [c for c in cards if c not in held[kind] and c not in top and c not in gone]
        state.piles[kind] = (*top, *rest)
        state.discards[kind] = ()
    state.gone = tuple(gone)


def do(state: PizzaState, *steps: tuple[int, m.AnyMove]) -> PizzaState:
    """The position after some moves."""
    for seat, move in steps:
        state = play(GAME, state, seat, move).state
    return state


def step(state: PizzaState, seat: int, move: m.AnyMove) -> Played:
    """One move with its events."""
    return play(GAME, state, seat, move)


def told(played: Played, viewer: int | None = None) -> list[Event]:
    """The events that a viewer may see."""
    return [e for e in played.events if e.to is None or (viewer is not None and viewer in e.to)]


def refused(state: PizzaState, seat: int, move: m.AnyMove, rule: str, *words: str) -> str:
    """Assert that a move is refused by a rule with a sentence that holds some words, that it is not
    listed, and that the position stays as it was."""
    before = state_hash(state)
    with pytest.raises(MoveError) as error:
        play(GAME, state, seat, move)
    assert error.value.rule == rule, (error.value.rule, error.value.text)
    for word in words:
        assert word in error.value.text, error.value.text
    assert state_hash(state) == before
    assert move not in flow.legal(state, seat)
    return error.value.text


def allowed(state: PizzaState, seat: int, kind: type) -> list[Any]:
    """The seat's legal moves of a kind."""
    return [move for move in flow.legal(state, seat) if isinstance(move, kind)]


def pizza(order: str, house: int, icon: int = 1, kinds: str = "", coins: int = 0) -> Delivered:
    """A delivered pizza for tests of missions alone."""
    card = ORDERS[order]
    return Delivered(order, house, icon, kinds or card.toppings, card.fantasia, False, coins)
