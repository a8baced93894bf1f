"""Undo in simultaneous steps: what others did in the same step, or quietly, stays as it is."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engines.core.errors import IllegalMove, MalformedMove, ReplayMismatch, StaleDecision
from engines.core.game import QUIET, Game
from engines.core.play import (
    Entry,
    Record,
    play,
    replay,
    rollback_plan,
    standing,
    start,
    undo_plan,
    undo_target,
    undone,
)
from engines.core.rng import Rng
from engines.core.types import (
    Event,
    GameMeta,
    Move,
    Options,
    Outcome,
    RuleText,
    Seat,
    State,
    View,
    Viewer,
    state_hash,
)


class Bid(Move, frozen=True, tag="bid"):
    """Bid in secret"""

    n: int


class Sort(Move, frozen=True, tag="sort"):
    """Sort the own hand, which nobody sees"""

    order: str


class Auction(State, kw_only=True):
    round: int = 1
    bids: list[int] = []
    orders: list[str] = []


class AuctionView(View, frozen=True, kw_only=True):
    round: int


class Sealed(Game[Auction, Any, AuctionView]):
    """Rounds of three sealed bids, opened together when the last one is in."""

    meta = GameMeta(
        key="sealed", command="sealed", title="Sealed", prefix="SE", seats=(3,), rules_version=1,
        colours=("red", "blue", "green"), summary="", minutes="", credits="", undo_rule="SE-009",
        end_reasons={"never": "Never."},
    )  # fmt: skip
    state_type, view_type, move_types = Auction, AuctionView, (Bid, Sort)

    def setup(self, seats: int, options: Options, rng: Rng) -> tuple[Auction, list[Event]]:
        state = Auction(seats=3, colours=self.seat_colours(seats, options), rng=rng)
        state.bids, state.orders = [0] * 3, [""] * 3
        for seat in range(3):
            state.ask(seat, "bid")
        return state, []

    def decisions(self, seats: int) -> tuple[str, ...]:
        return ("bid",)

    def legal(self, state: Auction, seat: Seat) -> list[Any]:
        bids = [Bid(1), Bid(2)] if state.decision_of(seat) else []
        return [*bids, Sort("up"), Sort("down")]

    def apply(self, state: Auction, seat: Seat, move: Any) -> list[Event]:
        if isinstance(move, Sort):
            if move.order == "by bid" and not state.bids[seat]:
                raise IllegalMove("SE-003", "There is no bid to sort by.")
            state.orders[seat] = move.order
            return []
        if state.decision_of(seat) is None:
            raise IllegalMove("SE-001", "You have bid.")
        state.bids[seat] = move.n
        state.answered(seat)
        if state.pending:
            return [Event("bid", {"seat": seat})]
        state.round += 1
        state.bids = [0] * 3
        for other in range(3):
            state.ask(other, "bid")
        return [Event("opened", {}, reveals=True)]

    def apart(self, state: Auction, seat: Seat, move: Any) -> str:
        return QUIET if isinstance(move, Sort) else f"round {state.round}"

    def check(self, state: Auction) -> None:
        pass

    def view(self, state: Auction, viewer: Viewer) -> AuctionView:
        return AuctionView(
            viewer=viewer, seats=3, colours=state.colours, waiting=self.waiting(state),
            ended=None, round=state.round,
        )  # fmt: skip

    def outcome(self, state: Auction) -> Outcome | None:
        return None

    def narrate(self, event: Event) -> str:
        return event.kind

    def board_text(self, view: AuctionView) -> str:
        return str(view.round)

    def prompt(self, view: AuctionView, seat: Seat) -> str:
        return "bid"

    def describe(self, view: AuctionView, move: Any) -> str:
        return move.kind

    def rules_help(self) -> list[RuleText]:
        return []


GAME = Sealed()


class Table:
    """A match with its log, kept as the match service keeps it."""

    def __init__(self) -> None:
        self.state: Any = start(GAME, 3)[0]
        self.start_hash = state_hash(self.state)
        self.log: list[Entry] = []
        self.history: dict[int, Any] = {0: self.state}

    def move(self, seat: int, move: Any, decision: int | None = None) -> None:
        for step in (played := play(GAME, self.state, seat, move, decision=decision)).steps:
            text = msgspec.json.encode(step.move).decode()
            self.log.append(
                Entry(len(self.log) + 1, "move", step.seat, text, step.auto, step.reveals,
                      hash=step.hash, apart=step.apart)
            )  # fmt: skip
        self.state = self.history[len(self.log)] = played.state

    def undo(self, seat: int) -> tuple[int, tuple[int, ...]]:
        plan = undo_plan(GAME, self.log, seat)
        again = [self.log[s - 1] for s in plan.again]
        self.state = undone(GAME, self.history[plan.to], self.state, again, seat)
        seq = len(self.log) + 1
        self.log.append(
            Entry(seq, "undo", seat, to=plan.to, hash=state_hash(self.state), again=plan.again)
        )
        self.history[seq] = self.state
        return plan.to, plan.again

    def rollback(self, seq: int, seat: int | None = None) -> tuple[int, tuple[int, ...]]:
        plan = rollback_plan(self.log, seq)
        again = [self.log[s - 1] for s in plan.again]
        self.state = undone(GAME, self.history[plan.to], self.state, again, seat)
        seq = len(self.log) + 1
        self.log.append(
            Entry(seq, "rollback", seat, to=plan.to, hash=state_hash(self.state), again=plan.again)
        )
        self.history[seq] = self.state
        return plan.to, plan.again

    def ids(self) -> dict[int, int]:
        return {d.seat: d.id for d in self.state.pending}

    def replays(self) -> bool:
        record = Record("sealed", 1, 3, {}, "00", self.start_hash, tuple(self.log))
        *_, (_, state, _) = replay(GAME, record)
        return state_hash(state) == state_hash(self.state)


def test_a_bid_is_taken_back_although_another_bid_came_after_it() -> None:
    table = Table()
    assert table.ids() == {0: 1, 1: 2, 2: 3}
    table.move(0, Bid(1))
    table.move(1, Bid(2))
    assert table.undo(0) == (0, (2,)), "back to the start, then seat 1's bid again"
    assert table.state.bids == [0, 2, 0]
    ids = table.ids()
    assert ids[2] == 3, "seat 2's button works on"
    assert ids[0] > 3, "seat 0's old button does not"
    with pytest.raises(StaleDecision):
        table.move(0, Bid(1), decision=1)
    with pytest.raises(IllegalMove):
        undo_target(GAME, table.log, 2)
    assert table.undo(1) == (0, ())
    assert table.state.bids == [0, 0, 0]
    assert table.replays()


def test_undo_after_undo() -> None:
    """A bids, B bids, A takes back and bids anew, C sorts, B takes back, A takes back."""
    table = Table()
    table.move(0, Bid(1))
    table.move(1, Bid(1))
    table.undo(0)
    table.move(0, Bid(2))
    table.move(2, Sort("up"))
    assert table.state.bids == [2, 1, 0]
    to, again = table.undo(1)
    assert (to, again) == (0, (4, 5)), (
        "the bid of seat 1 was made again once, so all from the start"
    )
    assert table.state.bids == [2, 0, 0]
    assert table.state.orders == ["", "", "up"]
    table.undo(0)
    assert table.state.bids == [0, 0, 0]
    assert table.state.orders == ["", "", "up"]
    assert [e.seq for e in standing(table.log)] == [5]
    assert table.replays()


def test_opened_bids_are_final() -> None:
    table = Table()
    for seat in range(3):
        table.move(seat, Bid(1))
    assert table.state.round == 2
    for seat in range(3):
        with pytest.raises(IllegalMove, match="revealed") as error:
            table.undo(seat)
        assert error.value.rule == "SE-009"
    table.move(2, Bid(2))
    with pytest.raises(IllegalMove):
        table.undo(0)
    assert table.undo(2) == (3, ())
    assert table.replays()


def test_quiet_settings_stand_in_nobodys_way() -> None:
    table = Table()
    table.move(0, Bid(1))
    table.move(1, Sort("down"))
    table.move(2, Sort("up"))
    assert table.undo(0) == (0, (2, 3))
    assert table.state.orders == ["", "down", "up"]
    assert table.replays()


def test_an_entry_that_cannot_be_made_again_is_noticed() -> None:
    table = Table()
    table.move(0, Bid(1))
    table.move(1, Bid(2))
    table.undo(0)
    for changes in ({"again": ()}, {"again": (1,)}, {"again": (77,)}, {"again": (3,)}, {"to": 1}):
        log = [*table.log[:-1], msgspec.structs.replace(table.log[-1], **changes)]
        record = Record("sealed", 1, 3, {}, "00", table.start_hash, tuple(log))
        with pytest.raises(ReplayMismatch):
            list(replay(GAME, record))
    # Entries that rest on each other are made again in their order.
    table = Table()
    table.move(0, Bid(1))
    table.move(1, Bid(2))
    table.move(1, Sort("by bid"))
    assert table.undo(0) == (0, (2, 3))
    with pytest.raises(MalformedMove):
        GAME.decode_move(b'{"kind":"raise"}')


def twice_undone() -> Table:
    """A bids, B bids, A takes back and bids anew, C sorts, B takes back: A's bid (entry 4) and C's
    sorting (entry 5) stand, and the match never stood between the two."""
    table = Table()
    table.move(0, Bid(1))
    table.move(1, Bid(1))
    table.undo(0)
    table.move(0, Bid(2))
    table.move(2, Sort("up"))
    table.undo(1)
    return table


def test_going_back_to_where_the_match_never_stood() -> None:
    """Before C's sorting: from the start, with A's bid made again."""
    table = twice_undone()
    before = table.ids()
    assert before.keys() == {1, 2}
    assert table.rollback(5) == (0, (4,))
    assert table.state.bids == [2, 0, 0]
    assert table.state.orders == ["", "", ""]
    assert table.ids()[2] == 3 == before[2], "open all the time"
    assert table.ids()[1] > before[1], "the whole table went back: an older button is refused"
    assert [e.seq for e in standing(table.log)] == [4]
    assert table.rollback(4) == (0, ())
    assert table.state.bids == [0, 0, 0]
    assert table.replays()


def test_who_goes_back_alone_leaves_others_their_buttons() -> None:
    table = twice_undone()
    before = table.ids()
    table.rollback(5, 2)
    assert table.ids()[1] == before[1]
    assert table.replays()


def test_going_back_brings_no_opened_bids_back() -> None:
    """Seats 0, 1, 2 bid, which opens the bids; then back to before seat 1's bid."""
    table = Table()
    for seat in range(3):
        table.move(seat, Bid(1))
    assert table.rollback(2) == (1, ())
    assert (table.state.round, table.state.bids) == (1, [1, 0, 0])
    for gone in (2, 3, 4, 77):
        with pytest.raises(IllegalMove, match="not in the match any more"):
            rollback_plan(table.log, gone)
    table.move(1, Bid(2))
    assert table.replays()
