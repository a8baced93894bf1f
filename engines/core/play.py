"""Making moves, taking them back, and replaying recorded matches.

A match is its log: a list of :class:`Entry`. Undo and rollback are entries too, so nothing is ever
deleted, and the state after each entry is determined by the log alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from engines.core.errors import (
    EngineBug,
    IllegalMove,
    InvariantError,
    MoveError,
    NotYourTurn,
    ReplayMismatch,
    StaleDecision,
)
from engines.core.game import Game
from engines.core.rng import Rng
from engines.core.types import Event, Seat, State, state_hash

AnyGame = Game[Any, Any, Any]

MAX_FORCED = 1000
"""Automatic moves in a row after which the engine is surely in a loop."""


class Step(msgspec.Struct, frozen=True):
    """One applied move.

    Attributes:
        seat: who moved.
        move: the move.
        auto: played by the engine because it was the only one.
        decision: id of the decision it answered, if any was open for the seat.
        events: what happened.
        reveals: something hidden became known, so undo stops here.
        hash: of the state after it.
    """

    seat: Seat
    move: Any
    auto: bool
    decision: int | None
    events: tuple[Event, ...]
    reveals: bool
    hash: str


class Played(msgspec.Struct, frozen=True):
    """A new state and the steps that led to it: the move, then automatic ones."""

    state: Any
    steps: tuple[Step, ...]

    @property
    def events(self) -> list[Event]:
        """All events in order."""
        return [event for step in self.steps for event in step.events]


def apply_one(
    game: AnyGame, state: State, seat: Seat, move: Any, *, auto: bool = False
) -> tuple[State, Step]:
    """Apply one move to a clone and check it; the given state never changes.

    Raises:
        MoveError: the rules refuse it.
        EngineBug: the engine failed; the state before is still good.
    """
    draft = state.clone()
    decision = draft.decision_of(seat)
    try:
        events = game.apply(draft, seat, move)
        game.check(draft)
    except (MoveError, EngineBug):
        raise
    except Exception as error:
        raise InvariantError(f"{game.meta.key}: {type(error).__name__}: {error}") from error
    step = Step(
        seat,
        move,
        auto,
        decision.id if decision else None,
        tuple(events),
        any(event.reveals for event in events),
        state_hash(draft),
    )
    return draft, step


def play(
    game: AnyGame, state: State, seat: Seat, move: Any, *, decision: int | None = None
) -> Played:
    """Make a move, then every forced one that gives nothing away.

    Args:
        game: the rules.
        state: the position; not changed.
        seat: who moves.
        move: the move.
        decision: the decision that the mover saw; refused if it is no longer open.

    Raises:
        StaleDecision: that decision was answered or taken back meanwhile.
        MoveError: the rules refuse the move.
        EngineBug: the engine failed.
    """
    if decision is not None and all(d.id != decision for d in state.pending):
        raise StaleDecision(
            game.meta.stale_rule,
            "The table has moved on since then. Look at the newest board and choose again.",
        )
    if decision is not None and all(d.seat != seat for d in state.pending if d.id == decision):
        raise NotYourTurn("", "That decision belongs to another player.")
    state, step = apply_one(game, state, seat, move)
    steps = [step]
    while (forced := forced_move(game, state)) is not None:
        if len(steps) > MAX_FORCED:
            raise InvariantError(f"{game.meta.key}: more than {MAX_FORCED} forced moves in a row")
        try:
            state, step = apply_one(game, state, forced[0], forced[1], auto=True)
        except MoveError as error:
            raise InvariantError(f"{game.meta.key}: a forced move is refused: {error}") from error
        steps.append(step)
    return Played(state, tuple(steps))


def forced_move(game: AnyGame, state: State) -> tuple[Seat, Any] | None:
    """The move that the engine plays by itself now, if there is one."""
    if state.ended is not None:
        return None
    for seat in game.waiting(state):
        moves = game.legal(state, seat)
        if len(moves) == 1 and game.forced(state, seat, moves[0]):
            return seat, moves[0]
    return None


_Node = tuple["Entry", "_Node"] | None


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of a match's log.

    Attributes:
        seq: 1, 2, 3 …; the start itself is 0.
        kind: a move, or a return to the state after entry ``to``.
        seat: who moved or took back.
        move: JSON of the move.
        auto: played by the engine.
        reveals: made something hidden known.
        to: the entry whose state is restored (0 = the start).
        hash: of the state after it.
    """

    seq: int
    kind: Literal["move", "undo", "rollback"]
    seat: Seat | None
    move: str | None = None
    auto: bool = False
    reveals: bool = False
    to: int | None = None
    hash: str = ""


def standing(entries: Sequence[Entry]) -> list[Entry]:
    """The moves that still count: those not taken back, in order.

    Returning to an entry also returns to what counted then, so going back to a moment before an
    undo brings the moves back that the undo took.
    """
    nodes: dict[int, _Node] = {0: None}
    now: _Node = None
    for entry in entries:
        now = (entry, now) if entry.kind == "move" else nodes[entry.to or 0]
        nodes[entry.seq] = now
    moves: list[Entry] = []
    while now is not None:
        entry, now = now
        moves.append(entry)
    return moves[::-1]


def undo_target(game: AnyGame, entries: Sequence[Entry], seat: Seat) -> int:
    """The entry whose state comes back when the seat takes back its latest step.

    A step may be taken back by the seat that made it, until something hidden was revealed or
    another seat acted; automatic moves after it go with it.

    Raises:
        MoveError: nothing may be taken back; names the game's own undo rule.
    """
    rule = game.meta.undo_rule
    stack = standing(entries)
    last = len(stack) - 1
    while last >= 0 and stack[last].auto:
        last -= 1
    if last < 0:
        raise IllegalMove(rule, "There is no move to take back yet.")
    if stack[last].seat != seat:
        raise IllegalMove(
            rule, "Only the latest move can be taken back, by the player who made it."
        )
    if any(entry.reveals for entry in stack[last:]):
        raise IllegalMove(
            rule, "That move has revealed something that was hidden, so it cannot be taken back."
        )
    return stack[last - 1].seq if last else 0


def restored(old: State, now: State) -> State:
    """The state of an earlier entry, with fresh decision ids, so that no old button works."""
    state = old.clone()
    state.renumber(now.next_decision)
    return state


class Record(msgspec.Struct, frozen=True):
    """A match as it is exported: enough to replay it anywhere.

    Attributes:
        game: key.
        rules_version: the rules it was played by.
        seats: number of players.
        options: JSON-ready options.
        seed: hexadecimal.
        start_hash: of the state after setup.
        entries: the log.
        deal: scripted draws, if the match was set up from a real table.
    """

    game: str
    rules_version: int
    seats: int
    options: dict[str, Any]
    seed: str
    start_hash: str
    entries: tuple[Entry, ...]
    deal: dict[str, list[list[str]]] = {}


def start(
    game: AnyGame,
    seats: int,
    options: dict[str, Any] | None = None,
    *,
    seed: str = "00",
    deal: dict[str, Any] | None = None,
) -> tuple[Any, list[Event]]:
    """Set a match up, checked.

    Raises:
        SetupError: seats or options do not fit.
    """
    rng = Rng.scripted(deal, seed) if deal else Rng(seed=seed)
    state, events = game.setup(seats, game.options(options or {}), rng)
    game.check(state)
    return state, events


def replay(game: AnyGame, record: Record) -> Iterator[tuple[int, State, tuple[Event, ...]]]:
    """Play a record again; yields (seq, state, events), the start as seq 0.

    Raises:
        ReplayMismatch: a state hash differs, or a recorded move is refused.
    """
    state, events = start(
        game, record.seats, record.options, seed=record.seed, deal=dict(record.deal) or None
    )
    _compare(record.start_hash, state, 0)
    history: dict[int, State] = {0: state}
    yield 0, state, tuple(events)
    for entry in record.entries:
        happened: tuple[Event, ...] = ()
        if entry.kind == "move":
            if entry.seat is None or entry.move is None:
                raise ReplayMismatch(f"entry {entry.seq} has no seat or move")
            try:
                state, step = apply_one(
                    game, state, entry.seat, game.decode_move(entry.move), auto=entry.auto
                )
            except MoveError as error:
                raise ReplayMismatch(f"entry {entry.seq} is refused: {error}") from error
            happened = step.events
        else:
            if entry.to not in history:
                raise ReplayMismatch(f"entry {entry.seq} returns to unknown entry {entry.to}")
            state = restored(history[entry.to], state)
        _compare(entry.hash, state, entry.seq)
        history[entry.seq] = state
        yield entry.seq, state, happened


def _compare(expected: str, state: State, seq: int) -> None:
    found = state_hash(state)
    if expected and found != expected:
        raise ReplayMismatch(f"after entry {seq} the state is {found}, recorded was {expected}")
