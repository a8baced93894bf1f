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
from engines.core.game import QUIET, Game
from engines.core.rng import Rng
from engines.core.types import Decision, Event, Seat, State, state_hash

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
        apart: the simultaneous step that it belongs to, see ``Game.apart``.
    """

    seat: Seat
    move: Any
    auto: bool
    decision: int | None
    events: tuple[Event, ...]
    reveals: bool
    hash: str
    apart: str = ""


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
        apart = game.apart(draft, seat, move)
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
        apart,
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


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of a match's log.

    Attributes:
        seq: 1, 2, 3 …; the start itself is 0.
        kind: a move, or a return to the state after entry ``to``.
        seat: who moved or took back; None where the table agreed to go back.
        move: JSON of the move.
        auto: played by the engine.
        reveals: made something hidden known.
        to: the entry whose state is restored (0 = the start).
        hash: of the state after it.
        apart: the simultaneous step that a move belongs to, see ``Game.apart``.
        again: entries made once more after ``to`` was restored: what others did meanwhile.
    """

    seq: int
    kind: Literal["move", "undo", "rollback"]
    seat: Seat | None
    move: str | None = None
    auto: bool = False
    reveals: bool = False
    to: int | None = None
    hash: str = ""
    apart: str = ""
    again: tuple[int, ...] = ()


class Undo(msgspec.Struct, frozen=True):
    """What taking back a step means.

    Attributes:
        to: the entry whose state comes back first (0 = the start).
        again: entries that are then made once more, in order; empty in games of turns.
    """

    to: int
    again: tuple[int, ...] = ()


class _Node:
    """A standing move, the one before it, and the entry after which the match stood like this;
    None if it never did, because an earlier move was taken back since."""

    __slots__ = ("anchor", "before", "entry")

    def __init__(self, entry: Entry, before: _Node | None, anchor: int | None) -> None:
        self.entry, self.before, self.anchor = entry, before, anchor


BEFORE = Entry(0, "move", None)
"""In the place of moves of which it is not known here what they were."""


def _line(entries: Sequence[Entry], root: int = 0) -> list[_Node]:
    """The moves that still count, in order.

    Args:
        entries: every entry after ``root``.
        root: 0, the start; or else what stands before the entries is a :data:`BEFORE` here.

    Raises:
        KeyError: the entries are not enough.
    """
    tips: dict[int, _Node | None] = {0: None}
    by_seq = {entry.seq: entry for entry in entries}
    tip = _Node(BEFORE, None, None) if root else None
    for entry in entries:
        if entry.kind == "move":
            tip = _Node(entry, tip, entry.seq)
        else:
            to = entry.to or 0
            tip = _Node(BEFORE, None, to) if 0 < to <= root else tips[to]
            for place, seq in enumerate(entry.again, 1):
                anchor = entry.seq if place == len(entry.again) else None
                tip = _Node(by_seq[seq], tip, anchor)
        tips[entry.seq] = tip
    found: list[_Node] = []
    while tip is not None:
        found.append(tip)
        tip = tip.before
    return found[::-1]


def standing(entries: Sequence[Entry], root: int = 0) -> list[Entry]:
    """The moves that still count: those not taken back, in order. With ``root`` the entries are
    those after that one, see :func:`recent_plan`.

    Returning to an entry also returns to what counted then, so going back to a moment before an
    undo brings the moves back that the undo took.
    """
    return [node.entry for node in _line(entries, root) if node.entry is not BEFORE]


def undo_target(game: AnyGame, entries: Sequence[Entry], seat: Seat) -> int:
    """The entry whose state comes back when the seat takes back its latest step, where nothing of
    others has to be made again; :func:`undo_plan` is the general form.

    Raises:
        MoveError: nothing may be taken back; names the game's own undo rule.
    """
    plan = undo_plan(game, entries, seat)
    if plan.again:
        raise IllegalMove(game.meta.undo_rule, NOT_LATEST)
    return plan.to


NOT_LATEST = "Only the latest move can be taken back, by the player who made it."


def undo_plan(game: AnyGame, entries: Sequence[Entry], seat: Seat) -> Undo:
    """What it takes to take back the seat's latest step.

    A step may be taken back by the seat that made it, until something hidden was revealed or
    another seat acted; automatic moves after it go with it. What other seats did in the same
    simultaneous step, or quietly, does not count and stays (``Game.apart``).

    Raises:
        MoveError: nothing may be taken back; names the game's own undo rule.
    """
    plan = recent_plan(game, entries, 0, seat)
    assert plan is not None
    return plan


def recent_plan(game: AnyGame, entries: Sequence[Entry], root: int, seat: Seat) -> Undo | None:
    """The same as :func:`undo_plan`, from the newest part of a log.

    Args:
        game: the rules.
        entries: every entry after ``root``, in order.
        root: the entry before them; 0 is the start, and then they are the whole log.
        seat: who takes back.

    Returns:
        None if it takes more of the log to tell.

    Raises:
        MoveError: nothing may be taken back, whatever went before.
    """
    rule = game.meta.undo_rule
    try:
        line = _line(entries, root)
    except KeyError:
        if not root:
            raise
        return None
    target = len(line) - 1
    kept: list[int] = []
    autos: list[int] = []
    while target >= 0:
        entry = line[target].entry
        if entry is BEFORE:
            return None
        if entry.auto:
            autos.append(target)
        elif entry.seat == seat:
            break
        elif entry.apart:
            kept += [*autos, target]
            autos = []
        else:
            raise IllegalMove(rule, NOT_LATEST)
        target -= 1
    if target < 0:
        raise IllegalMove(rule, "There is no move to take back yet.")
    step = line[target].entry.apart
    others = [line[i].entry for i in kept if not line[i].entry.auto]
    if any(entry.apart != QUIET and entry.apart != step for entry in others):
        raise IllegalMove(rule, NOT_LATEST)
    if any(node.entry.reveals for node in line[target:]):
        raise IllegalMove(
            rule,
            "Too late to undo: that move has revealed something that was hidden, or closed a step "
            "of the game for everybody, so it cannot be taken back.",
        )
    base = target - 1
    while base >= 0 and line[base].anchor is None:
        base -= 1
    if base < 0 and line[0].entry is BEFORE:
        return None
    again = [*range(base + 1, target), *sorted(kept)]
    anchor = line[base].anchor if base >= 0 else 0
    return Undo(anchor or 0, tuple(line[i].entry.seq for i in again))


def rollback_plan(entries: Sequence[Entry], seq: int) -> Undo:
    """What it takes to go back to just before a move, whoever made it and what came after.

    Args:
        entries: the log.
        seq: the move, one of those that still count.

    Raises:
        IllegalMove: that move does not count (any more).
    """
    line = _line(entries)
    target = next((place for place, node in enumerate(line) if node.entry.seq == seq), None)
    if target is None:
        raise IllegalMove("", "That move is not in the match any more.")
    base = target - 1
    while base >= 0 and line[base].anchor is None:
        base -= 1
    anchor = line[base].anchor if base >= 0 else 0
    return Undo(anchor or 0, tuple(node.entry.seq for node in line[base + 1 : target]))


def restored(old: State, now: State) -> State:
    """The state of an earlier entry, with fresh decision ids, so that no old button works; a
    decision that was open all the time keeps its id."""
    state = old.clone()
    first = max(now.next_decision, state.next_decision)
    pending = []
    for decision in state.pending:
        if decision in now.pending:
            pending.append(decision)
        else:
            pending.append(Decision(first, decision.seat, decision.kind))
            first += 1
    state.pending = pending
    state.next_decision = first
    return state


def undone(
    game: AnyGame, old: State, now: State, again: Sequence[Entry], seat: Seat | None
) -> State:
    """The state after a step was taken back: the earlier one, with what others did meanwhile made
    again. Their open decisions keep their ids, so that their buttons go on working; not so when
    the whole table goes back.

    Args:
        game: the rules.
        old: the state after the entry that :class:`Undo` names.
        now: the state before the undo.
        again: the entries that it names, in order.
        seat: who takes back; None is the whole table.

    Raises:
        IllegalMove: a private preparation of another seat rests on what would be taken back.
        EngineBug: a move of a simultaneous step cannot be made again.
    """
    state = restored(old, now)
    for entry in again:
        if entry.seat is None or entry.move is None:
            raise ReplayMismatch(f"entry {entry.seq} has no seat or move")
        try:
            state, _ = apply_one(
                game, state, entry.seat, game.decode_move(entry.move), auto=entry.auto
            )
        except MoveError as error:
            if entry.apart == QUIET:
                raise IllegalMove(game.meta.undo_rule, NOT_LATEST) from error
            raise InvariantError(
                f"{game.meta.key}: entry {entry.seq} does not stand apart: {error}"
            ) from error
    if again and seat is not None:
        for other in range(state.seats):
            mine = [d for d in state.pending if d.seat == other]
            theirs = [d for d in now.pending if d.seat == other]
            if other != seat and [d.kind for d in mine] == [d.kind for d in theirs]:
                swap = dict(zip(mine, theirs, strict=True))
                state.pending = [swap.get(d, d) for d in state.pending]
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
    by_seq = {entry.seq: entry for entry in record.entries}
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
            try:
                again = [by_seq[seq] for seq in entry.again]
                state = undone(game, history[entry.to], state, again, entry.seat)
            except (KeyError, MoveError) as error:
                raise ReplayMismatch(f"entry {entry.seq} makes again what cannot be") from error
        _compare(entry.hash, state, entry.seq)
        history[entry.seq] = state
        yield entry.seq, state, happened


def _compare(expected: str, state: State, seq: int) -> None:
    found = state_hash(state)
    if expected and found != expected:
        raise ReplayMismatch(f"after entry {seq} the state is {found}, recorded was {expected}")
