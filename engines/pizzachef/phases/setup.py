"""Setup (PZ-008 to PZ-022, PZ-113, PZ-114)."""

from __future__ import annotations

from engines.core.rng import Rng
from engines.core.types import Event
from engines.pizzachef.components import (
    CARDS,
    CHEF,
    CHEF_KEY,
    COINS,
    FANTASIAS,
    HOUSES,
    IS_PI,
    MISSIONS,
    REGULAR,
    TOKENS,
)
from engines.pizzachef.phases.draw import draw_cards
from engines.pizzachef.phases.market import lay_out
from engines.pizzachef.phases.turn import begin_turn
from engines.pizzachef.state import SPENT, UNUSED, PizzaState

STEPS = ("missions", "orders", "chef")
"""The sets of cards in the order in which they are dealt (PZ-016)."""


def setup(seats: int, colours: tuple[str, ...], rng: Rng) -> tuple[PizzaState, list[Event]]:
    """The position in which everybody chooses first missions; draws in the order of PZ-008."""
    solo = seats == 1
    start = rng.below("start", seats)
    chef = [c for c in CHEF if not (solo and CARDS[CHEF_KEY[c]].yellow)]
    missions = [m for m in sorted(MISSIONS) if not (solo and MISSIONS[m].striped)]
    piles = {
        "missions": tuple(rng.shuffle("missions", missions)),
        "orders": tuple(rng.shuffle("orders", sorted(REGULAR))),
        "chef": tuple(rng.shuffle("chef", chef)),
    }
    used = (*missions, *chef, *FANTASIAS[:seats])
    state = PizzaState(
        seats=seats,
        colours=colours,
        rng=rng,
        phase="missions",
        start=start,
        active=start,
        piles=piles,
        discards=dict.fromkeys(STEPS, ()),
        stacks=[],
        scores=[0] * seats,
        missions=[()] * seats,
        orders=[(FANTASIAS[seat],) for seat in range(seats)],
        open_orders=[()] * seats,
        chef=[()] * seats,
        tokens=[()] * seats,
        delivered=[()] * seats,
        reserved=[SPENT if solo else UNUSED] * seats,
        drafts=[None] * seats,
        houses=[()] * HOUSES,
        drawn=[()] * seats,
        kept=[()] * seats,
        turns_started=[0] * seats,
        last_turn_over=[False] * seats,
        gone=tuple(c for c in (*sorted(MISSIONS), *CHEF, *FANTASIAS) if c not in used),
    )
    lay_out(state, TOKENS)
    events = [Event("start", {"seat": start, "solo": solo}, reveals=True)]
    return state, events + deal(state)


def deal(state: PizzaState) -> list[Event]:
    """Deal the set of the phase, seat by seat from the start player on (PZ-018)."""
    kind = state.phase
    n = COINS.solo_hand if state.solo else COINS.hand
    events = [Event("dealing", {"kind": kind, "n": n})]
    for seat in state.clockwise(state.start):
        cards: list[str] = []
        while len(cards) < n:
            drawn, _ = draw_cards(state, kind, 1)
            if kind == "chef" and IS_PI[drawn[0]]:
                state.set_aside = (*state.set_aside, *drawn)
            else:
                cards += drawn
        state.drawn[seat], state.kept[seat] = tuple(cards), ()
        state.ask(seat, f"setup_{kind}")
        events.append(
            Event("drawn", {"kind": kind, "cards": tuple(cards)}, to=(seat,), reveals=True)
        )
    if state.set_aside:
        rest = sorted((*state.piles["chef"], *state.set_aside))
        state.piles["chef"] = tuple(state.rng.shuffle("pi_return", rest))
        state.set_aside = ()
    return events


def next_step(state: PizzaState) -> list[Event]:
    """Deal the next set once the last player has chosen, then begin the first turn."""
    if state.pending:
        return []
    step = STEPS.index(state.phase) + 1
    if step < len(STEPS):
        state.phase = STEPS[step]  # type: ignore[assignment]
        return deal(state)
    state.phase = "play"
    return begin_turn(state, state.start)
