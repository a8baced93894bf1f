"""The end: tips, losses, result (PZ-102 to PZ-112, PZ-123 to PZ-126)."""

from __future__ import annotations

from collections import Counter

import msgspec

from engines.core.types import Event, Outcome, Score, Seat
from engines.pizzachef.components import COINS, KINDS, MISSIONS, ORDERS, TYPE, halves
from engines.pizzachef.missions import completed
from engines.pizzachef.payment import BASE
from engines.pizzachef.state import PizzaState


class Final(msgspec.Struct, frozen=True):
    """A player's final reckoning.

    Attributes:
        earned: money of the match itself.
        done, missed: missions completed and not.
        tips, stacking: coins for them and for houses with several own pizzas.
        undelivered: orders not delivered.
        sheltered: leftover tokens that undelivered orders shelter.
        leftover: tokens that cost a coin.
        actions: the actions left of a solo challenge that was won.
    """

    earned: int
    done: tuple[str, ...]
    missed: tuple[str, ...]
    tips: int
    stacking: int
    undelivered: tuple[str, ...]
    sheltered: int
    leftover: int
    actions: int

    @property
    def lines(self) -> tuple[tuple[str, int], ...]:
        """The reckoning as (label, coins)."""
        lines = [
            ("Deliveries", self.earned),
            (f"Missions completed ({len(self.done)})", self.tips),
            ("Stacking bonus", self.stacking),
            (f"Missions missed ({len(self.missed)})", -COINS.loss_mission * len(self.missed)),
            (
                f"Orders not delivered ({len(self.undelivered)})",
                -COINS.loss_order * len(self.undelivered),
            ),
            (f"Toppings left over ({self.leftover})", -COINS.loss_topping * self.leftover),
        ]
        if self.actions:
            lines.append(("Actions left", self.actions))
        return tuple(lines)

    @property
    def total(self) -> int:
        """The final score."""
        return sum(coins for _, coins in self.lines)


def sheltered(tokens: tuple[str, ...], orders: tuple[str, ...]) -> int:
    """How many leftover tokens undelivered orders shelter at most (PZ-110, PZ-111).

    Tokens that fit one kind go first, then doubles, whose pairs of kinds do not overlap, then
    choice bags, which fit anything: no other way shelters more.
    """
    need = Counter("".join(BASE if ORDERS[o].fantasia else ORDERS[o].toppings for o in orders))
    kept = 0
    later: list[str] = []
    for token in tokens:
        kind = halves(TYPE[token])
        if len(kind) != 1:
            later.append(token)
        elif need[kind]:
            need[kind] -= 1
            kept += 1
    for token in later:
        kinds = [k for k in halves(TYPE[token]) if need[k]]
        if kinds:
            need[kinds[0]] -= 1
            kept += 1
    choices = sum(TYPE[t] == "choice" for t in tokens)
    return kept + min(choices, sum(need[k] for k in KINDS))


def stacking(houses: tuple[int, ...]) -> int:
    """The stacking bonus for the houses of a player's pizzas (PZ-107)."""
    return sum(COINS.stacking[n] for n in Counter(houses).values())


def final(state: PizzaState, seat: Seat) -> Final:
    """The reckoning of a seat as if the match ended now."""
    pizzas = state.delivered[seat]
    first = state.trigger_seat == seat
    done = tuple(m for m in state.missions[seat] if completed(m, pizzas, first))
    missed = tuple(m for m in state.missions[seat] if m not in done)
    undelivered = (*state.orders[seat], *state.open_orders[seat])
    kept = sheltered(state.tokens[seat], undelivered)
    return Final(
        earned=state.scores[seat],
        done=done,
        missed=missed,
        tips=sum(MISSIONS[m].tip for m in done),
        stacking=stacking(tuple(d.house for d in pizzas)),
        undelivered=undelivered,
        sheltered=kept,
        leftover=len(state.tokens[seat]) - kept,
        actions=state.actions_left if state.ended == "solo_won" else 0,
    )


def settle_order(state: PizzaState) -> list[Seat]:
    """Seats in the order in which they are settled: the triggering one first (PZ-105)."""
    return state.clockwise(state.trigger_seat or 0)


def finish(state: PizzaState, reason: str) -> list[Event]:
    """The match ends; everything is settled and shown."""
    state.ended = reason
    state.phase, state.main = "over", "open"
    state.delivery, state.queue, state.armed = None, (), ()
    if state.draw_kind:
        state.discards[state.draw_kind] = (
            *state.discards[state.draw_kind], *state.drawn[state.active]
        )  # fmt: skip
    state.drawn = [()] * state.seats
    state.kept = [()] * state.seats
    state.drafts = [None] * state.seats
    state.draw_kind = ""
    state.pending = []
    events = []
    for seat in settle_order(state):
        f = final(state, seat)
        events.append(
            Event(
                "settled",
                {
                    "seat": seat, "lines": f.lines, "total": f.total, "done": f.done,
                    "missed": f.missed, "undelivered": f.undelivered, "leftover": f.leftover,
                },
                reveals=True,
            )
        )  # fmt: skip
    result = outcome(state)
    if result is not None:
        events.append(
            Event(
                "end",
                {
                    "reason": reason, "winners": result.ranking[0] if result.won else (),
                    "total": result.scores[result.ranking[0][0]].total,
                },
                reveals=True,
            )
        )  # fmt: skip
    return events


def outcome(state: PizzaState) -> Outcome | None:
    """Most money wins, ties are shared (PZ-112); solo is won or lost (PZ-123)."""
    if state.ended is None:
        return None
    finals = [final(state, seat) for seat in range(state.seats)]
    scores = tuple(Score(seat, f.total, f.lines) for seat, f in enumerate(finals))
    totals = sorted({f.total for f in finals}, reverse=True)
    ranking = tuple(
        tuple(seat for seat, f in enumerate(finals) if f.total == total) for total in totals
    )
    if state.solo:
        won = state.ended == "solo_won"
        n = len(state.delivered[0])
        note = f"{n} of 8 pizzas delivered, {len(finals[0].done)} missions completed."
        return Outcome(state.ended, ranking, scores, note, won)
    note = "The highest scores are equal: the win is shared." if len(ranking[0]) > 1 else ""
    return Outcome(state.ended, ranking, scores, note)
