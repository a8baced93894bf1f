"""What a viewer may know of a Pizzachef match (PZ-005 to PZ-007)."""

from __future__ import annotations

import msgspec

from engines.core.types import Seat, View, Viewer
from engines.pizzachef.components import (
    CHEF_KEY,
    ORDERS,
    SLOTS,
    TYPE,
    TYPE_RANK,
)
from engines.pizzachef.missions import goal, progress
from engines.pizzachef.payment import BASE, missing, size_of
from engines.pizzachef.phases.chef import ripe
from engines.pizzachef.phases.delivery import problem, quote
from engines.pizzachef.phases.flow import waiting
from engines.pizzachef.phases.scoring import Final, final
from engines.pizzachef.state import Delivered, Last, PizzaState, Wait


class Place(msgspec.Struct, frozen=True):
    """A place of the market: height of its stack, face of the top (a kind, ``bag`` or empty), its
    background and who has reserved it."""

    slot: str
    height: int
    face: str
    colour: str
    reserved: Seat | None


class Player(msgspec.Struct, frozen=True):
    """What everybody knows of a player.

    Attributes:
        score: money earned.
        markers: pizza markers not yet placed.
        missions, orders, chef: number of hidden cards.
        fantasia: whether the Pizza Fantasia is among the hidden orders.
        tokens: types, in the order of lists.
        open_orders: orders laid face up.
        delivered: pizzas in order.
        marker: reserved marker: unused, a slot, or spent.
        choosing: number of cards the player is choosing from.
    """

    score: int
    markers: int
    missions: int
    orders: int
    fantasia: bool
    chef: int
    tokens: tuple[str, ...]
    open_orders: tuple[str, ...]
    delivered: tuple[Delivered, ...]
    marker: str
    choosing: int


class Announced(msgspec.Struct, frozen=True):
    """The announced delivery: order and its owner, house (0 = none yet), tokens with what they
    stand for, whether it may be confirmed, whether it is wrong, and the coins it would bring."""

    order: str
    owner: Seat
    house: int
    tokens: tuple[tuple[str, str | None], ...]
    ready: bool
    wrong: bool
    coins: int


class OwnMission(msgspec.Struct, frozen=True):
    """An own mission and how far it is."""

    id: str
    have: int
    need: int


class OwnOrder(msgspec.Struct, frozen=True):
    """An own order, the toppings it still lacks, and whether it lies open."""

    id: str
    lacking: str
    open: bool


class OwnCard(msgspec.Struct, frozen=True):
    """An own chef card and whether it is old enough to be played."""

    id: str
    key: str
    ready: bool


class PizzaView(View, frozen=True, kw_only=True):
    """A viewer's picture of the match.

    Attributes:
        phase, main, draw_kind: state of play.
        start, active: seats.
        actions_left, actions_spent: of the turn, in solo of the game.
        queue: choices that lie over everything else.
        players: by seat.
        market: the 12 places.
        houses: markers at each house.
        delivery: announced one.
        pi: keys of open “Play immediately” cards.
        armed: keys of cards that wait for a delivery of the active player.
        piles, discards: (kind, number of cards).
        discard: topping discard pile, (type, number).
        trigger_seat: who began the final round.
        turn_over: by seat, whether the last turn is over.
        last: the latest thing done in public.
        my_missions, my_orders, my_chef: the viewer's own cards.
        my_drawn, my_kept: cards that the viewer is choosing from.
        my_draft: (key, targets chosen so far) of the viewer's chef card being filled in.
        finals: the reckoning, after the end.
    """

    phase: str
    main: str
    draw_kind: str
    start: Seat
    active: Seat
    actions_left: int
    actions_spent: int
    queue: tuple[Wait, ...]
    players: tuple[Player, ...]
    market: tuple[Place, ...]
    houses: tuple[tuple[Seat, ...], ...]
    delivery: Announced | None
    pi: tuple[str, ...]
    armed: tuple[str, ...]
    piles: tuple[tuple[str, int], ...]
    discards: tuple[tuple[str, int], ...]
    discard: tuple[tuple[str, int], ...]
    trigger_seat: Seat | None
    turn_over: tuple[bool, ...]
    last: Last | None
    my_missions: tuple[OwnMission, ...]
    my_orders: tuple[OwnOrder, ...]
    my_chef: tuple[OwnCard, ...]
    my_drawn: tuple[str, ...]
    my_kept: tuple[str, ...]
    my_draft: tuple[str, tuple[str, ...]] | None
    finals: tuple[Final, ...]

    @property
    def solo(self) -> bool:
        """Whether this is the solo challenge."""
        return self.seats == 1


def _player(state: PizzaState, seat: Seat) -> Player:
    return Player(
        score=state.scores[seat],
        markers=state.markers_left(seat),
        missions=len(state.missions[seat]),
        orders=len(state.orders[seat]),
        fantasia=any(ORDERS[o].fantasia for o in state.orders[seat]),
        chef=len(state.chef[seat]),
        tokens=tuple(sorted((TYPE[t] for t in state.tokens[seat]), key=TYPE_RANK.__getitem__)),
        open_orders=state.open_orders[seat],
        delivered=state.delivered[seat],
        marker=state.reserved[seat],
        choosing=len(state.drawn[seat]),
    )


def _place(state: PizzaState, index: int, slot: str) -> Place:
    face, colour = state.top_of(slot)
    return Place(slot, len(state.stacks[index]), face, colour, state.reserver(slot))


def _announced(state: PizzaState) -> Announced | None:
    d = state.delivery
    if d is None:
        return None
    said = dict(d.declared)
    wrong = bool(
        d.house
        and not ORDERS[d.order].fantasia
        and d.house != ORDERS[d.order].house
        and "detour" not in state.armed
    )
    ready = problem(state) is None
    return Announced(
        d.order,
        d.owner,
        d.house,
        tuple(
            sorted(
                ((TYPE[t], said.get(t)) for t in d.tokens),
                key=lambda pair: (TYPE_RANK[pair[0]], pair[1] or ""),
            )
        ),
        ready,
        wrong,
        quote(state, d).coins if ready else 0,
    )


def lacking(state: PizzaState, seat: Seat, order: str) -> str:
    """Kinds that the seat's tokens do not supply for the order; ``?`` = one more of any kind."""
    tokens = state.tokens[seat]
    card = ORDERS[order]
    if not card.fantasia:
        return missing(card.toppings, tokens)
    base = missing(BASE, tokens)
    return base + "?" * max(0, 3 - len(base) - size_of(tokens))


def view(state: PizzaState, viewer: Viewer) -> PizzaView:
    """Build a view field by field."""
    seats = range(state.seats)
    over = state.ended is not None
    mine = viewer
    draft = state.drafts[mine] if mine is not None else None
    totals: dict[str, int] = {}
    for token in state.discard:
        totals[TYPE[token]] = totals.get(TYPE[token], 0) + 1
    return PizzaView(
        viewer=viewer,
        seats=state.seats,
        colours=state.colours,
        waiting=waiting(state),
        ended=state.ended,
        phase=state.phase,
        main=state.main,
        draw_kind=state.draw_kind,
        start=state.start,
        active=state.active,
        actions_left=state.actions_left,
        actions_spent=state.actions_spent,
        queue=state.queue,
        players=tuple(_player(state, seat) for seat in seats),
        market=tuple(_place(state, i, slot) for i, slot in enumerate(SLOTS)),
        houses=tuple(state.houses),
        delivery=_announced(state),
        pi=tuple(CHEF_KEY[c] for c in state.pi),
        armed=state.armed,
        piles=tuple((kind, len(pile)) for kind, pile in sorted(state.piles.items())),
        discards=tuple((kind, len(pile)) for kind, pile in sorted(state.discards.items())),
        discard=tuple(sorted(totals.items(), key=lambda item: TYPE_RANK[item[0]])),
        trigger_seat=state.trigger_seat,
        turn_over=tuple(state.last_turn_over),
        last=state.last,
        my_missions=()
        if mine is None
        else tuple(
            OwnMission(m, progress(m, state.delivered[mine], state.trigger_seat == mine), goal(m))
            for m in state.missions[mine]
        ),
        my_orders=()
        if mine is None
        else tuple(
            OwnOrder(o, lacking(state, mine, o), o in state.open_orders[mine])
            for o in (*state.orders[mine], *state.open_orders[mine])
        ),
        my_chef=()
        if mine is None
        else tuple(
            OwnCard(c, CHEF_KEY[c], ripe(state, mine, clock)) for c, clock in state.chef[mine]
        ),
        my_drawn=() if mine is None else state.drawn[mine],
        my_kept=() if mine is None else state.kept[mine],
        my_draft=(draft.card, draft.picks) if draft is not None else None,
        finals=tuple(final(state, seat) for seat in seats) if over else (),
    )
