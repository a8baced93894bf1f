"""Random matches that remember how they were played, so that a failure can be repeated."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from engines.core.play import (
    Entry,
    Played,
    Record,
    Undo,
    play,
    rollback_plan,
    start,
    undo_plan,
    undone,
)
from engines.core.types import Event, state_hash
from tests.conformance.hooks import Case, hook


class Match:
    """A match with its log, kept as the match service keeps it.

    Attributes:
        state: the position now.
        log: entries so far.
        history: state after each entry; 0 is the start.
        events: what the setup told.
    """

    def __init__(self, case: Case, seed: str) -> None:
        self.case, self.game, self.seed = case, case.game, seed
        self.state, self.events = start(case.game, case.seats, case.options, seed=seed)
        self.log: list[Entry] = []
        self.history: dict[int, Any] = {0: self.state}
        self.start_hash = state_hash(self.state)

    def move(self, seat: int, move: Any, decision: int | None = None) -> Played:
        """Play a move and log its steps."""
        played = play(self.game, self.state, seat, move, decision=decision)
        for step in played.steps:
            seq = len(self.log) + 1
            text = msgspec.json.encode(step.move).decode()
            self.log.append(
                Entry(
                    seq,
                    "move",
                    step.seat,
                    text,
                    step.auto,
                    step.reveals,
                    hash=step.hash,
                    apart=step.apart,
                )
            )
        self.state = played.state
        self.history[len(self.log)] = self.state
        return played

    def undo(self, seat: int) -> Undo:
        """Take the seat's latest step back; returns the entry gone back to and those made again."""
        plan = undo_plan(self.game, self.log, seat)
        again = [self.log[seq - 1] for seq in plan.again]
        self.state = undone(self.game, self.history[plan.to], self.state, again, seat)
        seq = len(self.log) + 1
        self.log.append(
            Entry(seq, "undo", seat, to=plan.to, hash=state_hash(self.state), again=plan.again)
        )
        self.history[seq] = self.state
        return plan

    def rollback(self, seq: int, seat: int | None = None) -> Undo:
        """Go back to just before a move that counts, for the whole table or for one seat."""
        plan = rollback_plan(self.log, seq)
        again = [self.log[number - 1] for number in plan.again]
        self.state = undone(self.game, self.history[plan.to], self.state, again, seat)
        seq = len(self.log) + 1
        self.log.append(
            Entry(seq, "rollback", seat, to=plan.to, hash=state_hash(self.state), again=plan.again)
        )
        self.history[seq] = self.state
        return plan

    def record(self) -> Record:
        """The match as it would be exported."""
        return Record(
            self.game.meta.key,
            self.game.meta.rules_version,
            self.case.seats,
            self.case.options,
            self.seed,
            self.start_hash,
            tuple(self.log),
        )


class Walk:
    """A random match of a case: iterate over its positions, the current one in ``match.state``."""

    def __init__(self, case: Case, number: int = 0) -> None:
        self.case = case
        self.number = number
        self.rand = random.Random(f"{case!r} {number}")
        self.match = Match(case, f"{self.rand.getrandbits(64):016x}")
        self.cap: int = hook(case.key, "STEP_CAP", 3000)
        self.steps = 0

    @property
    def game(self) -> Any:
        return self.case.game

    @property
    def state(self) -> Any:
        return self.match.state

    def choose(self) -> tuple[int, Any]:
        """A random legal move: mostly of a seat that is waited for, now and then of another."""
        seats = list(self.game.waiting(self.state))
        if self.rand.random() < 0.1:
            seats += [
                s
                for s in range(self.case.seats)
                if s not in seats and self.game.legal(self.state, s)
            ]
        seat = self.rand.choice(seats)
        return seat, self.rand.choice(list(self.game.legal(self.state, seat)))

    def step(self) -> Played:
        """Make a random move."""
        self.steps += 1
        assert self.steps <= self.cap, f"no end after {self.cap} moves"
        seat, move = self.choose()
        return self.match.move(seat, move)

    def positions(self, every: int = 1) -> Iterator[Any]:
        """Each position in which somebody is to act (or every so many of them)."""
        while self.state.ended is None:
            if self.steps % every == 0:
                yield self.state
            self.step()

    def story(self) -> str:
        """Everything needed to see the failure again."""
        record = msgspec.json.encode(self.match.record()).decode()
        return f"case {self.case!r}, walk {self.number}, after {self.steps} moves\nreplay: {record}"


@contextmanager
def told(walk: Walk) -> Iterator[None]:
    """Adds the replay to whatever fails inside."""
    try:
        yield
    except BaseException as error:
        error.add_note(walk.story())
        raise


def seen_by(events: list[Event] | tuple[Event, ...], viewer: int | None) -> list[Event]:
    """The events that a viewer hears of."""
    return [e for e in events if e.to is None or (viewer is not None and viewer in e.to)]
