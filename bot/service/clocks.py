"""Clocks and reminders as pure functions: what was and what happened in, new timers out.

A seat has at most three timers: ``clock`` (when its time runs out; once it has, when the vote on it
closes), ``remind`` (when it is reminded next) and ``vacation`` (when it is back). They are written
in the same transaction as the move that makes them so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from bot.language import Text, tr, trn
from engines.core.types import Seat
from storage.records import NewTimer, TimerKind, TimerRow

HOUR = 3_600_000
DAY = 24 * HOUR

LONGEST = 24 * 90
"""Hours that a clock may give at most."""

FRACTIONS = ((1, 2), (1, 10))
"""Reminders of a clock: when this part of the time is left (half, a tenth)."""

NUDGES = 4
"""Reminders without a clock, each after twice the pause of the one before; then silence."""

CHECKS = 24
"""Hours between two looks, instead of reminders, whether somebody is still there who wants none."""

ClockKind = Literal["none", "move", "bank"]
Choice = Literal["skip", "wait", "hand", "win"]


class Rule(msgspec.Struct, frozen=True):
    """How time is counted at a table.

    Attributes:
        kind: not at all; anew for each move; or a store of time that each turn adds to.
        hours: for a move, or in the store at the beginning.
        increment: hours that the end of a turn adds to the store.
    """

    kind: ClockKind = "none"
    hours: int = 0
    increment: int = 0

    @property
    def period(self) -> int:
        """Milliseconds for a move, or in the store at the beginning."""
        return self.hours * HOUR

    @property
    def extra(self) -> int:
        """Milliseconds that a table grants which decides to wait."""
        if self.kind == "move":
            return self.period
        if self.kind == "bank":
            return max(self.increment * HOUR, self.period // 4, HOUR)
        return DAY


def rule_of(settings: Mapping[str, Any]) -> Rule:
    """The clock in a table's settings."""
    return msgspec.convert(settings.get("clock") or {}, Rule)


def rule_words(rule: Rule) -> Text:
    """A clock in words.

    >>> rule_words(Rule("bank", 72, 12))
    'a store of 3 days each, and 12 hours more after each turn'
    """
    if rule.kind == "move":
        return tr("{time} for each move", time=span(rule.period))
    if rule.kind == "bank" and rule.increment:
        return tr(
            "a store of {time} each, and {more} more after each turn",
            time=span(rule.period),
            more=span(rule.increment * HOUR),
        )
    if rule.kind == "bank":
        return tr("a store of {time} each", time=span(rule.period))
    return tr("no clock")


def span(ms: int) -> Text:
    """A length of time in words, rounded to hours.

    >>> span(26 * 3_600_000), span(48 * 3_600_000), span(3_600_000)
    ('26 hours', '2 days', '1 hour')
    """
    hours = max(1, round(ms / HOUR))
    if hours % 24 == 0:
        return trn("{n} day", "{n} days", hours // 24)
    return trn("{n} hour", "{n} hours", hours)


class Clock(msgspec.Struct, omit_defaults=True):
    """The state of a seat's clock, beside the moment at which it runs out.

    Attributes:
        decision: the open decision that it runs for; 0 if none is owed.
        total: milliseconds of the present period.
        left: milliseconds left while it stands still; None while it runs.
        begun: milliseconds that were left when it began to run.
        prior: milliseconds that were left when the own last turn ended, before anything was added:
            an undo gives back no more.
        up: the time has run out; ``votes`` are open.
        votes: choice by seat.
        gone: it ran out because the player has left the server.
        before: milliseconds that were left then; the player gets them back on coming back.
    """

    decision: int = 0
    total: int = 0
    left: int | None = None
    begun: int = 0
    prior: int | None = None
    up: bool = False
    votes: dict[str, str] = {}
    gone: bool = False
    before: int = 0


class Remind(msgspec.Struct, omit_defaults=True):
    """Which reminder is next: ``stage`` counts those that are past."""

    decision: int = 0
    stage: int = 0


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What the clocks need to know of a table after something has happened there.

    Attributes:
        rule: how time is counted.
        people: the seats that persons hold.
        owed: who owed a decision before.
        decisions: who owes one now → its id.
        acted: who made a move of their own.
        passed: who made one and somebody else a move after it: a new turn began.
        undo: who took a step back, if that is what happened.
        gone: seats whose player has left the server.
        hours: seat → hours between reminders without a clock; 0 = nothing is sent.
        running: time counts: the match is active.
        anew: start every clock afresh: the rule has changed.
        fresh: seats that have somebody new on them.
        again: seats whose reminders begin anew.
        extra: seat → milliseconds that the table grants.
    """

    rule: Rule
    people: frozenset[Seat]
    owed: frozenset[Seat] = frozenset()
    decisions: Mapping[Seat, int] = {}
    acted: frozenset[Seat] = frozenset()
    passed: frozenset[Seat] = frozenset()
    undo: Seat | None = None
    gone: frozenset[Seat] = frozenset()
    hours: Mapping[Seat, int] = {}
    running: bool = True
    anew: bool = False
    fresh: frozenset[Seat] = frozenset()
    again: frozenset[Seat] = frozenset()
    extra: Mapping[Seat, int] = {}


def clock_of(row: TimerRow | NewTimer | None) -> Clock:
    """The state in a ``clock`` timer; that of a clock which never ran without one."""
    return msgspec.json.decode(row.data, type=Clock) if row is not None else Clock()


def remind_of(row: TimerRow | NewTimer | None) -> Remind:
    """The state in a ``remind`` timer."""
    return msgspec.json.decode(row.data, type=Remind) if row is not None else Remind()


def timer(seat: Seat, kind: TimerKind, at: int | None, data: msgspec.Struct) -> NewTimer:
    """A timer with its state."""
    return NewTimer(seat, kind, at, msgspec.json.encode(data).decode())


def find(timers: Sequence[TimerRow | NewTimer], seat: Seat, kind: TimerKind) -> Any:
    """A seat's timer of a kind, or None."""
    return next((t for t in timers if t.seat == seat and t.kind == kind), None)


def kept(timers: Sequence[TimerRow | NewTimer]) -> list[NewTimer]:
    """Timers as they are, to be written again."""
    return [NewTimer(t.seat, t.kind, t.at, t.data) for t in timers]


def next_timers(old: Sequence[TimerRow | NewTimer], seen: Seen, now: int) -> list[NewTimer]:
    """The timers of a match after something has happened.

    Args:
        old: those before.
        seen: what has happened.
        now: unix milliseconds.
    """
    alone = len(seen.people) < 2
    if alone:
        # Nobody waits for the only person.
        seen = msgspec.structs.replace(seen, rule=Rule(), gone=frozenset(), extra={})
    made: list[NewTimer] = []
    for seat in sorted(seen.people):
        vacation = find(old, seat, "vacation")
        if vacation is not None and (seat in seen.fresh or vacation.at <= now):
            vacation = None
        if vacation is not None:
            made.append(NewTimer(seat, "vacation", vacation.at, vacation.data))
        kept_clock = not alone and not seen.anew and seat not in seen.fresh
        row = find(old, seat, "clock") if kept_clock else None
        runs = seen.running and vacation is None
        clock, due = _clock(row, seat, seen, now, runs=runs)
        if clock is not None:
            made.append(timer(seat, "clock", due, clock))
        if runs and seat in seen.decisions and not (clock is not None and clock.up):
            made.append(_remind(find(old, seat, "remind"), seat, seen, clock, due, now))
    return made


def _clock(
    row: TimerRow | NewTimer | None, seat: Seat, seen: Seen, now: int, *, runs: bool
) -> tuple[Clock | None, int | None]:
    """A seat's clock and when it is due."""
    rule, clock = seen.rule, clock_of(row)
    at = row.at if row is not None else None
    owes, decision = seat in seen.decisions, seen.decisions.get(seat, 0)
    same = owes and row is not None and decision == clock.decision and seat not in seen.acted
    # The player is back, or what was owed is owed no more: it never ran out.
    returns = clock.gone and not (owes and seat in seen.gone)
    if clock.up and same and not returns and seat not in seen.extra and seen.undo != seat:
        # The vote goes on.
        return clock, (now + rule.extra if at is None else at) if runs else None
    left = 0 if clock.up else at - now if at is not None else clock.left
    if returns:
        left = max(clock.before, HOUR) if owes else clock.before
        clock.up = False
    if left is None or row is None:
        left = rule.period
    left, begins = _left(max(0, left), clock, seat, seen)
    if seat in seen.extra:
        left, begins = left + seen.extra[seat], True
    elif seat in seen.gone and owes and not (same and clock.gone):
        clock.before, left = left, 0
    elif rule.kind == "none" and (returns or not same or clock.up or row is None):
        return None, None
    if begins or not clock.total:
        clock.total = clock.begun = left
    clock.gone = owes and seat in seen.gone
    clock.up, clock.votes, clock.decision = False, {}, decision
    clock.left = None if owes and runs else left
    return clock, now + left if owes and runs else None


def _left(left: int, clock: Clock, seat: Seat, seen: Seen) -> tuple[int, bool]:
    """The time that is left after what happened, and whether a new period begins."""
    rule = seen.rule
    owes, owed = seat in seen.decisions, seat in seen.owed
    if seen.undo == seat and owes:
        return (left if clock.prior is None else min(left, clock.prior)), not owed
    if seat in seen.acted:
        passed = not owes or seat in seen.passed
        clock.prior = left if passed or clock.prior is None else min(clock.prior, left)
        if rule.kind == "move":
            return rule.period, True
        return (left + rule.increment * HOUR if passed else left), passed
    if owes and not owed:
        clock.prior = None
        return (rule.period if rule.kind == "move" else left), True
    if owed and not owes:
        if rule.kind == "move":
            return rule.period, False
        # Somebody took the step back that made it this seat's turn: that turn never was.
        return (left if seen.undo is None else clock.begun), False
    return left, False


def _remind(
    row: TimerRow | NewTimer | None,
    seat: Seat,
    seen: Seen,
    clock: Clock | None,
    due: int | None,
    now: int,
) -> NewTimer:
    """A seat's next reminder; it stands still when none comes any more."""
    decision = seen.decisions[seat]
    state = remind_of(row)
    if (
        row is not None
        and state.decision == decision
        and seat in seen.owed
        and seat not in seen.acted | seen.fresh | seen.again | frozenset(seen.extra)
        and not seen.anew
        and seen.undo != seat
    ):
        return NewTimer(seat, "remind", row.at, row.data)
    state = Remind(decision)
    hours = seen.hours.get(seat, 24)
    if seen.rule.kind != "none" and clock is not None and due is not None:
        while state.stage < len(FRACTIONS) and moment(state.stage, clock, due) <= now:
            state.stage += 1
    return timer(seat, "remind", remind_at(state, seen.rule, clock, due, hours, now), state)


def moment(stage: int, clock: Clock, due: int) -> int:
    """When a clock's reminder comes."""
    part, of = FRACTIONS[stage]
    return due - clock.total * part // of


def remind_at(
    state: Remind, rule: Rule, clock: Clock | None, due: int | None, hours: int, now: int
) -> int | None:
    """When the next reminder comes, or the next look whether the player is still there where
    nothing is to be sent; None if there is none any more.

    Args:
        state: which one is next.
        rule: how time is counted.
        clock: of the seat.
        due: when it runs out.
        hours: between reminders without a clock; 0 = nothing is sent.
        now: unix milliseconds.
    """
    if rule.kind == "none":
        return now + ((hours or CHECKS) * HOUR << min(state.stage, NUDGES))
    if clock is None or due is None or state.stage >= len(FRACTIONS):
        return None
    return max(now, moment(state.stage, clock, due))
