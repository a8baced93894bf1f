"""The frame around the phases: which command goes where, what follows, who decides next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines.core.errors import IllegalMove
from engines.core.game import QUIET
from engines.core.types import Decision, Event, Move, Seat
from engines.pizzachef import moves as m
from engines.pizzachef.components import ROTTEN, types_of
from engines.pizzachef.phases.chef import (
    AT_ONCE,
    card_cancel,
    card_finish,
    card_pick,
    may_finish_card,
    play_chef,
    playable,
    targets,
)
from engines.pizzachef.phases.delivery import (
    add_topping,
    additions,
    cancel_delivery,
    confirm_delivery,
    deliverable,
    houses_open,
    problem,
    removals,
    remove_topping,
    set_house,
    start_delivery,
)
from engines.pizzachef.phases.discarding import discard_mission, discard_order, discard_topping
from engines.pizzachef.phases.draw import (
    can_draw,
    finish_draw,
    keep_card,
    may_finish,
    take_cards,
    too_many,
)
from engines.pizzachef.phases.gate import due
from engines.pizzachef.phases.market import refill, take_toppings, takes
from engines.pizzachef.phases.reserve import may_reserve, reservable, reserve
from engines.pizzachef.phases.reveal import reveal_order
from engines.pizzachef.phases.rot import answer_rot
from engines.pizzachef.phases.scoring import finish
from engines.pizzachef.phases.setup import next_step
from engines.pizzachef.phases.turn import end_turn, give_up, host_skip, may_end
from engines.pizzachef.state import PizzaState

HANDLERS: dict[type[Move], Callable[[PizzaState, Seat, Any], list[Event]]] = {
    m.KeepCard: keep_card,
    m.UnkeepCard: keep_card,
    m.FinishDraw: finish_draw,
    m.TakeMissions: take_cards,
    m.TakeOrders: take_cards,
    m.TakeChef: take_cards,
    m.TakeToppings: take_toppings,
    m.DiscardOrder: discard_order,
    m.DiscardTopping: discard_topping,
    m.DiscardMission: discard_mission,
    m.StartDelivery: start_delivery,
    m.SetHouse: set_house,
    m.AddTopping: add_topping,
    m.RemoveTopping: remove_topping,
    m.ConfirmDelivery: confirm_delivery,
    m.CancelDelivery: cancel_delivery,
    m.EndTurn: end_turn,
    m.PlayChef: play_chef,
    m.CardPick: card_pick,
    m.CardFinish: card_finish,
    m.CardCancel: card_cancel,
    m.Reserve: reserve,
    m.RotKeep: answer_rot,
    m.RotDiscard: answer_rot,
    m.RevealOrder: reveal_order,
    m.GiveUp: give_up,
    m.HostSkip: host_skip,
}
"""Which rule handles which command."""


def apart(state: PizzaState, seat: Seat, move: Move) -> str:
    """What does not stand in the way of other players' undo (PZ-128).

    In setup everybody chooses at the same time; later, choosing among drawn cards and filling in a
    chef card are private, until the last target executes it.
    """
    if state.phase in ("missions", "orders", "chef"):
        return f"setup_{state.phase}"
    if isinstance(move, m.PlayChef):
        return "" if move.card in AT_ONCE else QUIET
    if isinstance(move, m.CardPick):
        draft = state.drafts[seat]
        first = draft is not None and draft.card in ("bin", "swap") and not draft.picks
        only = draft is not None and draft.card == "bin" and len(state.tokens[seat]) == 1
        return QUIET if first and not only else ""
    return QUIET if isinstance(move, (m.CardCancel, m.KeepCard, m.UnkeepCard)) else ""


def apply(state: PizzaState, seat: Seat, move: Move) -> list[Event]:
    """One command and everything that follows from it without a choice."""
    if state.ended is not None:
        raise IllegalMove("PZ-129", "The match is over.")
    setting_up = state.phase != "play"
    events = HANDLERS[type(move)](state, seat, move)
    if state.ended is not None:
        return events
    if setting_up:
        if isinstance(move, m.FinishDraw):
            state.answered(seat)
            events += next_step(state)
        else:
            _renew(state, seat)
        if state.phase != "play":
            return events
    if not state.queue:
        events += refill(state)
        if state.solo and stuck(state):
            return events + finish(state, "solo_actions")
    _ask(state, seat)
    return events


def _renew(state: PizzaState, seat: Seat) -> None:
    """A fresh id for the seat's decision in its place, so that a second press is noticed."""
    for i, d in enumerate(state.pending):
        if d.seat == seat:
            state.pending[i] = Decision(state.next_decision, seat, d.kind)
            state.next_decision += 1


MAIN_KINDS = ("open", "draw", "delivery")
"""Kinds of the active player's decision; the others belong to setup and to the queue."""


def decisions(seats: int) -> tuple[str, ...]:
    """Every kind of decision: in setup, of the active player, and of those who answer the queue
    (Open Order needs another player)."""
    setup = ("setup_missions", "setup_orders", "setup_chef")
    rot = tuple(f"rot_{kind}" for kind in ROTTEN)
    return (*setup, *MAIN_KINDS, *rot, *(("reveal",) if seats > 1 else ()))


def waiting(state: PizzaState) -> tuple[Seat, ...]:
    """Who owes a decision: in setup several, then the first in the queue, else the active player.

    The active player's own decision stays among the pending ones while others answer the queue, for
    nothing about it has changed; but nobody waits for it.
    """
    if state.queue:
        return (state.queue[0].seat,)
    return tuple(d.seat for d in state.pending)


def _ask(state: PizzaState, actor: Seat) -> None:
    """Ask who decides next. A decision gets a fresh id when its own player has done something."""
    top = state.pending[0] if state.pending else None
    lying_over = top is not None and top.kind not in MAIN_KINDS
    main = next((d for d in state.pending if d.kind in MAIN_KINDS), None)
    if main is not None and (main.seat, main.kind) != (state.active, state.main):
        main = None
    if actor == state.active and not lying_over:
        main = None
    state.pending = []
    if state.queue:
        first = state.queue[0]
        kind = f"{first.kind}_{first.topping}" if first.topping else first.kind
        if top and lying_over and (top.seat, top.kind) == (first.seat, kind) and actor != top.seat:
            state.pending.append(top)
        else:
            state.ask(first.seat, kind)
        if main is not None:
            state.pending.append(main)
    elif main is not None:
        state.pending.append(main)
    else:
        state.ask(state.active, state.main)


# ---- legal moves -----------------------------------------------------------------------------


def legal(state: PizzaState, seat: Seat) -> list[m.AnyMove]:
    """Every command open to the seat in the order in which it would think of them."""
    if state.ended is not None:
        return []
    if state.phase != "play":
        return _choosing(state, seat, state.phase) if state.drawn[seat] else []
    found: list[m.AnyMove] = []
    if state.queue:
        first = state.queue[0]
        if first.seat == seat:
            if first.kind == "rot":
                found += [m.RotDiscard(), m.RotKeep()]
            else:
                found += [m.RevealOrder(o) for o in state.hidden_regular(seat)]
    elif seat == state.active:
        if state.main == "draw":
            found += _choosing(state, seat, state.draw_kind)
        elif state.main == "delivery":
            found += _delivering(state, seat)
        else:
            found += _acting(state, seat)
    elif state.main != "delivery" and may_reserve(state, seat):
        found += [m.Reserve(slot) for slot in reservable(state)]
    found += _cards(state, seat)
    if state.solo:
        found.append(m.GiveUp())
    return found


def _choosing(state: PizzaState, seat: Seat, kind: str) -> list[m.AnyMove]:
    found: list[m.AnyMove] = []
    for card in state.drawn[seat]:
        if card in state.kept[seat]:
            found.append(m.UnkeepCard(card))
        elif not too_many(state, seat, kind, card):
            found.append(m.KeepCard(card))
    if may_finish(state, seat, kind):
        found.append(m.FinishDraw())
    return found


def _delivering(state: PizzaState, seat: Seat) -> list[m.AnyMove]:
    found: list[m.AnyMove] = []
    if problem(state) is None:
        found.append(m.ConfirmDelivery())
    found += [m.SetHouse(h) for h in houses_open(state, seat)]
    found += [m.AddTopping(kind, stands) for kind, stands in additions(state, seat)]
    found += [m.RemoveTopping(kind, stands) for kind, stands in removals(state)]
    found.append(m.CancelDelivery())
    return found


def _acting(state: PizzaState, seat: Seat) -> list[m.AnyMove]:
    found: list[m.AnyMove] = [m.StartDelivery(o) for o, _ in deliverable(state, seat)]
    slot = state.reserved_slot(seat)
    if state.actions_left:
        if slot is not None and state.actions_spent:
            return [*found, m.TakeToppings(*due(state, slot))]
        found += [m.TakeToppings(stall, colour) for stall, colour in takes(state, seat)]
        if can_draw(state, seat, "orders"):
            found.append(m.TakeOrders())
        if can_draw(state, seat, "missions"):
            found.append(m.TakeMissions())
        if can_draw(state, seat, "chef"):
            found.append(m.TakeChef())
        own = state.tokens[seat]
        found += [m.DiscardTopping(kind) for kind in types_of(own)]
        found += [m.DiscardOrder(o) for o in (*state.orders[seat], *state.open_orders[seat])]
        if state.actions_left > 1 and slot is None:
            found += [m.DiscardMission(c) for c in state.missions[seat]]
    if may_end(state, seat):
        found.append(m.EndTurn())
    return found


def _cards(state: PizzaState, seat: Seat) -> list[m.AnyMove]:
    found: list[m.AnyMove] = []
    if state.drafts[seat] is not None:
        found += targets(state, seat)
        if may_finish_card(state, seat):
            found.append(m.CardFinish())
        found.append(m.CardCancel())
    found += [m.PlayChef(key) for key in playable(state, seat)]
    return found


def stuck(state: PizzaState) -> bool:
    """Whether a solo challenge can go on no further (PZ-124)."""
    return (
        state.main == "open"
        and state.actions_left == 0
        and not deliverable(state, 0)
        and not playable(state, 0)
    )
