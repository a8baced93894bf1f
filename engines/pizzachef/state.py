"""The position of a Pizzachef match.

Everything a player holds is a tuple in a list by seat, so that a clone copies the lists and shares
the tuples.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from engines.core.types import Seat, State
from engines.pizzachef.components import COLOUR, MARKERS, SLOT_INDEX, TYPE

Phase = Literal["missions", "orders", "chef", "play", "over"]
Main = Literal["open", "draw", "delivery"]

UNUSED, SPENT = "", "spent"
"""A reserved marker that has not been used, and one turned face down; else it is on a slot."""


BAG = "bag"
"""What the market shows of a mystery bag."""


class Delivery(msgspec.Struct, frozen=True):
    """A delivery that has been announced.

    Attributes:
        order: the order card.
        owner: whose order it is (another seat's if it was opened, PZ-052).
        house: chosen house, 0 = none yet.
        tokens: on the pizza so far, in order of their ids.
        declared: (token, kind) for choice bags and a substitute on a Pizza Fantasia.
    """

    order: str
    owner: Seat
    house: int
    tokens: tuple[str, ...]
    declared: tuple[tuple[str, str], ...] = ()


class Delivered(msgspec.Struct, frozen=True):
    """A delivered pizza.

    Attributes:
        order: the order card.
        house, icon: where it went, and the icon 1 to 4 that the marker took.
        kinds: toppings that missions count: the printed ones, for a Fantasia the actual ones.
        fantasia: whether it is a Pizza Fantasia.
        wrong: delivered to a wrong house for no money.
        coins: money received.
        on_card: tokens that stay on a Fantasia's card.
    """

    order: str
    house: int
    icon: int
    kinds: str
    fantasia: bool
    wrong: bool
    coins: int
    on_card: tuple[str, ...] = ()


class Wait(msgspec.Struct, frozen=True):
    """A choice that lies over everything else: ``rot`` of a kind, or ``reveal`` of an order."""

    kind: Literal["rot", "reveal"]
    seat: Seat
    topping: str = ""


class Draft(msgspec.Struct, frozen=True):
    """A chef card that is being filled in: its key and the targets chosen so far (types)."""

    card: str
    picks: tuple[str, ...] = ()


class Last(msgspec.Struct, frozen=True):
    """The latest thing done in public, for the picture.

    Attributes:
        kind: what it was.
        seat: who did it.
        slots: market places concerned.
        house: house concerned, 0 = none.
        tokens: types of the tokens concerned.
        card: key of the chef card, or id of the order, shown.
    """

    kind: str
    seat: Seat
    slots: tuple[str, ...] = ()
    house: int = 0
    tokens: tuple[str, ...] = ()
    card: str = ""


class PizzaState(State, kw_only=True):
    """Everything about a match.

    Attributes:
        phase: setup of missions, orders, chef cards; then play; then over.
        start: starting seat.
        active: whose turn it is.
        main: what the active player is doing.
        draw_kind: kind of cards being drawn.
        drawn, kept: by seat, cards to choose from and those kept so far.
        delivery: the announced delivery.
        queue: choices that lie over ``main``; the first must be answered.
        actions_left, actions_spent: of this turn; in solo of the whole game.
        turns_started: by seat.
        last_turn_over: by seat, whether the final round has passed it.
        trigger_seat: who placed the 8th marker first.
        armed: keys of chef cards that wait for a delivery of this turn.
        scores: money earned by seat.
        missions, orders, open_orders: by seat; ``orders`` are hidden, a Fantasia among them.
        chef: by seat, (card, ``turns_started`` or ``actions_spent`` when it was taken).
        tokens: by seat, in order of their ids.
        delivered: by seat, in order.
        reserved: by seat, the reserved marker.
        drafts: by seat, a chef card being filled in.
        houses: markers at house 1, 2 … from the top icon down.
        pi: open “Play immediately” cards in the order laid.
        piles, discards: missions, orders and chef cards; the first is on top.
        set_aside: “Play immediately” cards met in the setup (PZ-020).
        stacks: 12 stacks by slot, the last token is on top.
        discard: topping discard pile in order.
        gone: cards out of the game.
        last: the latest thing done in public.
    """

    phase: Phase
    start: Seat
    active: Seat
    piles: dict[str, tuple[str, ...]]
    discards: dict[str, tuple[str, ...]]
    stacks: list[tuple[str, ...]]
    scores: list[int]
    missions: list[tuple[str, ...]]
    orders: list[tuple[str, ...]]
    open_orders: list[tuple[str, ...]]
    chef: list[tuple[tuple[str, int], ...]]
    tokens: list[tuple[str, ...]]
    delivered: list[tuple[Delivered, ...]]
    reserved: list[str]
    drafts: list[Draft | None]
    houses: list[tuple[Seat, ...]]
    drawn: list[tuple[str, ...]]
    kept: list[tuple[str, ...]]
    turns_started: list[int]
    last_turn_over: list[bool]
    main: Main = "open"
    draw_kind: str = ""
    delivery: Delivery | None = None
    queue: tuple[Wait, ...] = ()
    actions_left: int = 0
    actions_spent: int = 0
    trigger_seat: Seat | None = None
    armed: tuple[str, ...] = ()
    pi: tuple[str, ...] = ()
    set_aside: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    last: Last | None = None

    def clone(self) -> PizzaState:
        """An independent copy that shares what is never changed in place."""
        return PizzaState(
            seats=self.seats,
            colours=self.colours,
            rng=self.rng.copy(),
            pending=self.pending.copy(),
            next_decision=self.next_decision,
            ended=self.ended,
            phase=self.phase,
            start=self.start,
            active=self.active,
            piles=self.piles.copy(),
            discards=self.discards.copy(),
            stacks=self.stacks.copy(),
            scores=self.scores.copy(),
            missions=self.missions.copy(),
            orders=self.orders.copy(),
            open_orders=self.open_orders.copy(),
            chef=self.chef.copy(),
            tokens=self.tokens.copy(),
            delivered=self.delivered.copy(),
            reserved=self.reserved.copy(),
            drafts=self.drafts.copy(),
            houses=self.houses.copy(),
            drawn=self.drawn.copy(),
            kept=self.kept.copy(),
            turns_started=self.turns_started.copy(),
            last_turn_over=self.last_turn_over.copy(),
            main=self.main,
            draw_kind=self.draw_kind,
            delivery=self.delivery,
            queue=self.queue,
            actions_left=self.actions_left,
            actions_spent=self.actions_spent,
            trigger_seat=self.trigger_seat,
            armed=self.armed,
            pi=self.pi,
            set_aside=self.set_aside,
            discard=self.discard,
            gone=self.gone,
            last=self.last,
        )

    # ---- questions that many rules ask -------------------------------------------------------

    @property
    def solo(self) -> bool:
        """Whether this is the solo challenge."""
        return self.seats == 1

    def markers_left(self, seat: Seat) -> int:
        """Pizza markers not yet on a house."""
        return MARKERS - len(self.delivered[seat])

    def clockwise(self, first: Seat) -> list[Seat]:
        """All seats from ``first`` on."""
        return [(first + i) % self.seats for i in range(self.seats)]

    def hidden_regular(self, seat: Seat) -> tuple[str, ...]:
        """Regular orders that lie hidden in the seat's hand."""
        return tuple(o for o in self.orders[seat] if o[0] == "O")

    def reserver(self, slot: str) -> Seat | None:
        """Whose reserved marker lies on the slot."""
        return self.reserved.index(slot) if slot in self.reserved else None

    def reserved_slot(self, seat: Seat) -> str | None:
        """The slot on which the seat's reserved marker lies."""
        mark = self.reserved[seat]
        return mark if mark in SLOT_INDEX else None

    def top_of(self, slot: str) -> tuple[str, str]:
        """What a slot shows: (type or ``bag``, background); empty strings if it is empty."""
        stack = self.stacks[SLOT_INDEX[slot]]
        if not stack:
            return "", ""
        kind = TYPE[stack[-1]]
        return (kind if len(kind) == 1 else BAG), COLOUR[stack[-1]]

    def has_turn_left(self, seat: Seat) -> bool:
        """Whether the seat will have another turn after the running one (PZ-101)."""
        return self.trigger_seat is None or (
            seat != self.trigger_seat and not self.last_turn_over[seat]
        )

    def chef_clock(self, seat: Seat) -> int:
        """What a chef card's age is measured by (PZ-041, PZ-120)."""
        return self.actions_spent if self.solo else self.turns_started[seat]

    def add_tokens(self, seat: Seat, tokens: tuple[str, ...] | list[str]) -> None:
        """Put tokens before a player."""
        self.tokens[seat] = tuple(sorted((*self.tokens[seat], *tokens)))

    def drop_tokens(self, seat: Seat, tokens: tuple[str, ...] | list[str]) -> None:
        """Put a player's tokens on the discard pile."""
        self.tokens[seat] = tuple(t for t in self.tokens[seat] if t not in tokens)
        self.discard = (*self.discard, *tokens)
