"""play(), forced moves, undo, rollback, records and replays, on a small game made for it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engines.core.errors import (
    EngineBug,
    IllegalMove,
    InvariantError,
    NotYourTurn,
    ReplayMismatch,
    StaleDecision,
)
from engines.core.game import Game
from engines.core.play import (
    Entry,
    Record,
    play,
    replay,
    restored,
    standing,
    start,
    undo_target,
)
from engines.core.rng import Rng
from engines.core.types import (
    Event,
    GameMeta,
    Move,
    Options,
    Outcome,
    RuleText,
    Score,
    Seat,
    State,
    View,
    Viewer,
    state_hash,
)


class Take(Move, frozen=True, tag="take"):
    """Take counters from the heap"""

    n: int


class Heap(State, kw_only=True):
    heap: int = 12
    taken: list[int] = []


class HeapView(View, frozen=True, kw_only=True):
    heap: int


class Nim(Game[Heap, Take, HeapView]):
    """Take 1 to 3 in turn; who empties the heap wins. The last counter is taken by force. A heap
    of 5 reveals a secret, of 7 breaks an invariant, of 8 is a bug in the engine."""

    meta = GameMeta(
        key="nim", command="nim", title="Nim", prefix="NI", seats=(2,), rules_version=1,
        colours=("red", "blue"), summary="", minutes="", credits="", undo_rule="NI-009",
        end_reasons={"empty": "The heap is empty."}, stale_rule="NI-008",
    )  # fmt: skip
    state_type, view_type, move_types = Heap, HeapView, (Take,)

    def setup(self, seats: int, options: Options, rng: Rng) -> tuple[Heap, list[Event]]:
        state = Heap(seats=seats, colours=self.seat_colours(seats, options), rng=rng)
        state.ask(0, "take")
        return state, []

    def decisions(self, seats: int) -> tuple[str, ...]:
        return ("take",)

    def legal(self, state: Heap, seat: Seat) -> list[Take]:
        if state.decision_of(seat) is None:
            return []
        return [Take(n) for n in (1, 2, 3) if n <= state.heap]

    def apply(self, state: Heap, seat: Seat, move: Take) -> list[Event]:
        if state.decision_of(seat) is None:
            raise NotYourTurn("NI-001", "Not your turn.")
        if not 1 <= move.n <= min(3, state.heap):
            raise IllegalMove("NI-002", "Take 1 to 3.")
        state.heap -= move.n
        state.taken.append(move.n)
        state.answered(seat)
        if state.heap == 8:
            raise KeyError("bug")
        if state.heap:
            state.ask(1 - seat, "take")
        else:
            state.ended = "empty"
        return [Event("took", {"n": move.n}, reveals=state.heap == 5)]

    def forced(self, state: Heap, seat: Seat, move: Take) -> bool:
        return True

    def check(self, state: Heap) -> None:
        if state.heap == 7:
            raise InvariantError("seven")

    def view(self, state: Heap, viewer: Viewer) -> HeapView:
        return HeapView(
            viewer=viewer, seats=2, colours=state.colours, waiting=self.waiting(state),
            ended=state.ended, heap=state.heap,
        )  # fmt: skip

    def outcome(self, state: Heap) -> Outcome | None:
        if state.ended is None:
            return None
        return Outcome("empty", ((0,), (1,)), (Score(0, 1), Score(1, 0)))

    def narrate(self, event: Event) -> str:
        return "took"

    def board_text(self, view: HeapView) -> str:
        return str(view.heap)

    def prompt(self, view: HeapView, seat: Seat) -> str:
        return "take"

    def describe(self, view: HeapView, move: Take) -> str:
        return f"take {move.n}"

    def rules_help(self) -> list[RuleText]:
        return []


NIM = Nim()


class Table:
    """A match of Nim with its log."""

    def __init__(self) -> None:
        self.state: Any = start(NIM, 2)[0]
        self.start_hash = state_hash(self.state)
        self.log: list[Entry] = []
        self.history: dict[int, Any] = {0: self.state}

    def take(self, seat: int, n: int) -> None:
        played = play(NIM, self.state, seat, Take(n))
        for step in played.steps:
            seq = len(self.log) + 1
            text = msgspec.json.encode(step.move).decode()
            self.log.append(
                Entry(seq, "move", step.seat, text, step.auto, step.reveals, hash=step.hash)
            )
        self.state = self.history[len(self.log)] = played.state

    def back(self, to: int, kind: Any = "rollback", seat: int | None = None) -> None:
        self.state = restored(self.history[to], self.state)
        seq = len(self.log) + 1
        self.log.append(Entry(seq, kind, seat, to=to, hash=state_hash(self.state)))
        self.history[seq] = self.state

    def undo(self, seat: int) -> None:
        self.back(undo_target(NIM, self.log, seat), "undo", seat)

    def record(self) -> Record:
        return Record("nim", 1, 2, {}, "00", self.start_hash, tuple(self.log))


def test_a_move_leaves_the_old_state_alone() -> None:
    table = Table()
    before = table.state
    table.take(0, 2)
    assert (before.heap, before.taken, table.state.heap) == (12, [], 10)
    assert table.state.pending[0].id == 2


def test_refusals_leave_everything_alone() -> None:
    table = Table()
    with pytest.raises(IllegalMove) as error:
        play(NIM, table.state, 0, Take(4))
    assert (error.value.rule, error.value.code) == ("NI-002", "illegal_move")
    with pytest.raises(NotYourTurn):
        play(NIM, table.state, 1, Take(1))
    assert state_hash(table.state) == table.start_hash


def test_bugs_are_told_from_refusals() -> None:
    table = Table()
    table.take(0, 2)
    before = state_hash(table.state)
    with pytest.raises(InvariantError, match="seven"):
        play(NIM, table.state, 1, Take(3))
    with pytest.raises(InvariantError, match="KeyError"):
        play(NIM, table.state, 1, Take(2))
    assert issubclass(InvariantError, EngineBug)
    assert state_hash(table.state) == before


def test_decisions_guard_moves() -> None:
    table = Table()
    table.take(0, 1)
    with pytest.raises(StaleDecision) as error:
        play(NIM, table.state, 0, Take(1), decision=1)
    assert error.value.rule == "NI-008"
    with pytest.raises(NotYourTurn):
        play(NIM, table.state, 0, Take(1), decision=2)
    assert play(NIM, table.state, 1, Take(1), decision=2).state.heap == 10


def test_forced_moves_are_played_and_marked() -> None:
    """12 - 3 - 3 - 2 - 3 = 1: the last counter goes by itself."""
    table = Table()
    for seat, n in ((0, 3), (1, 3), (0, 2), (1, 3)):
        table.take(seat, n)
    assert table.state.ended == "empty"
    assert [(e.seat, e.auto) for e in table.log[-2:]] == [(1, False), (0, True)]
    # The automatic move goes back together with the move before it.
    table.undo(1)
    assert table.state.heap == 4
    assert table.state.ended is None
    assert [e.seq for e in standing(table.log)] == [1, 2, 3]


def test_undo_belongs_to_the_latest_mover() -> None:
    table = Table()
    with pytest.raises(IllegalMove) as error:
        undo_target(NIM, table.log, 0)
    assert error.value.rule == "NI-009"
    table.take(0, 2)
    table.take(1, 1)
    with pytest.raises(IllegalMove):
        undo_target(NIM, table.log, 0)
    table.undo(1)
    table.undo(0)
    assert table.state.heap == 12
    assert table.state.pending[0].id == 5, "3 was open, 4 after the first undo"
    with pytest.raises(IllegalMove):
        undo_target(NIM, table.log, 0)


def test_undo_stops_at_what_was_revealed() -> None:
    """12 - 2 - 1 - 3 = 6, and 6 - 1 = 5 reveals."""
    table = Table()
    for seat, n in ((0, 2), (1, 1), (0, 3)):
        table.take(seat, n)
    table.undo(0)
    table.take(0, 3)
    table.take(1, 1)
    with pytest.raises(IllegalMove, match="revealed"):
        undo_target(NIM, table.log, 1)
    table.take(0, 1)
    table.undo(0)
    with pytest.raises(IllegalMove, match="revealed"):
        undo_target(NIM, table.log, 1)


def test_going_back_before_an_undo_brings_its_moves_back() -> None:
    table = Table()
    table.take(0, 2)
    table.take(1, 1)
    table.undo(1)
    table.back(2)
    assert [e.seq for e in standing(table.log)] == [1, 2]
    assert table.state.heap == 9
    table.undo(1)
    assert table.state.heap == 10
    table.back(0)
    assert standing(table.log) == []
    assert [s.heap for _, s, _ in replay(NIM, table.record())] == [12, 10, 9, 10, 9, 10, 12]


def test_records_replay_and_notice_changes() -> None:
    table = Table()
    for seat, n in ((0, 2), (1, 1), (0, 3)):
        table.take(seat, n)
    table.undo(0)
    table.take(0, 3)
    record = table.record()
    found = [(seq, s.heap) for seq, s, _ in replay(NIM, record)]
    assert found == [(0, 12), (1, 10), (2, 9), (3, 6), (4, 9), (5, 6)]
    entries = list(record.entries)

    def changed(at: int, **new: Any) -> Record:
        copy = list(entries)
        copy[at] = msgspec.structs.replace(copy[at], **new)
        return msgspec.structs.replace(record, entries=tuple(copy))

    for wrong in (
        changed(0, move='{"kind":"take","n":1}'),
        changed(1, move='{"kind":"take","n":9}'),
        changed(1, move="nonsense"),
        changed(1, move=None),
        changed(1, seat=0),
        changed(1, hash="0" * 32),
        changed(3, to=1),
        changed(3, to=77),
        msgspec.structs.replace(record, start_hash="0" * 32),
    ):
        with pytest.raises(ReplayMismatch):
            list(replay(NIM, wrong))
    # Without hashes a record still replays: they are a proof, not an input.
    bare = tuple(msgspec.structs.replace(e, hash="") for e in entries)
    loose = msgspec.structs.replace(record, entries=bare, start_hash="")
    assert len(list(replay(NIM, loose))) == 6


def test_a_refused_forced_move_is_an_engine_bug() -> None:
    class Liar(Nim):
        def forced(self, state: Heap, seat: Seat, move: Take) -> bool:
            return True

        def legal(self, state: Heap, seat: Seat) -> list[Take]:
            return [Take(9)] if state.heap == 11 else super().legal(state, seat)

    state, _ = start(Liar(), 2)
    with pytest.raises(InvariantError, match="forced move is refused"):
        play(Liar(), state, 0, Take(1))
