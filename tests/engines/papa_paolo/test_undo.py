"""Taking back (PP-009), in turns and in simultaneous steps; and matches kept as records."""

from __future__ import annotations

import random

import pytest

from engines.core.errors import IllegalMove, StaleDecision
from engines.core.play import replay
from engines.core.types import Move, state_hash
from engines.papa_paolo import GAME
from engines.papa_paolo import moves as m
from engines.papa_paolo.state import PaoloState
from tests.conformance.hooks import Case
from tests.conformance.walk import Match
from tests.engines.papa_paolo.positions import (
    O,
    P,
    T,
    W,
    bidding,
    due,
    investing,
    naples,
    table,
    whole,
)


class Kept(Match):
    """A match with its log that begins in a given position."""

    def __init__(self, state: PaoloState) -> None:
        super().__init__(Case("papa_paolo", state.seats, {}), "00")
        self.state = state
        self.history = {0: state}

    def go(self, seat: int, *moves: Move) -> None:
        for move in moves:
            self.move(seat, move)

    def refused(self, seat: int) -> str:
        before = self.state
        with pytest.raises(IllegalMove) as error:
            self.undo(seat)
        assert error.value.rule == "PP-009"
        assert self.state is before
        return error.value.text


@pytest.mark.rule("PP-009")
def test_the_latest_decision_until_somebody_acts() -> None:
    match = Kept(table())
    match.go(P, m.PlaceMeeple("r1c1"), m.SeekSponsor())
    assert match.state.areas[P].money == 13
    match.undo(P)
    assert match.state.areas[P].money == 10
    assert due(match.state) == {P: "act"}
    match.undo(P)
    assert due(match.state) == {P: "place_meeple"}
    match.go(P, m.PlaceMeeple("r1c1"), m.SeekSponsor())
    match.go(T, m.PlaceMeeple("r1c2"))
    match.refused(P)


@pytest.mark.rule("PP-009", "PP-039", "PP-086")
def test_abandoning_an_open_action() -> None:
    """Undo to before buy_pizzas returns money and pizzas."""
    match = Kept(table())
    match.go(P, m.PlaceMeeple("r2c2"))
    before = match.state.areas[P]
    match.go(P, m.BuyPizzas(2), m.Stock("0,0", 1))
    match.undo(P)
    match.undo(P)
    assert match.state.areas[P] == before
    assert due(match.state) == {P: "act"}


@pytest.mark.rule("PP-009", "PP-I35")
def test_too_late_after_new_tiles() -> None:
    match = Kept(investing(table(), {P: "gold"}))
    match.go(P, m.InvestDiscard())
    assert match.state.round == 2
    assert "Too late to undo" in match.refused(P)


@pytest.mark.rule("PP-009")
def test_a_forced_withdrawal_is_a_later_decision() -> None:
    """P bids; T cannot afford anything and is out at once. P's bid stays."""
    match = Kept(bidding(table(), (P, T, O, W), 10, 0, 10, 10))
    match.go(P, m.Bid(1, 1))
    assert match.state.withdrawn == (T,)
    match.refused(P)


@pytest.mark.rule("PP-009")
def test_an_automatic_pass_is_not() -> None:
    """W's bid outbids P; O's turn passes by itself in between. W may still take it back."""
    match = Kept(bidding(table(), (W, O, T, P), 10, 10, 10, 10))
    match.go(W, m.Bid(1, 1))
    match.go(O, m.Bid(2, 1))
    match.go(T, m.Bid(3, 1))
    match.go(P, m.Bid(1, 2))
    match.go(W, m.Bid(1, 3))
    assert due(match.state) == {P: "rebid"}  # O and T passed by themselves
    match.undo(W)
    assert due(match.state) == {W: "rebid"}


@pytest.mark.rule("PP-009")
def test_d_decisions_of_others_do_not_count() -> None:
    """P keeps gold, T keeps red, then P takes back and discards: T's choice stays, and T's and W's
    buttons go on working."""
    match = Kept(investing(table(), {P: "gold", T: "red", W: "blue"}))
    waiting = match.state.decision_of(W)
    assert waiting is not None
    old = match.state.decision_of(P)
    match.go(P, m.InvestKeep())
    match.go(T, m.InvestKeep())
    match.undo(P)
    assert match.state.areas[P].markers == [1, 1, 1, 1]
    assert match.state.areas[T].markers == [1, 1, 2, 1]
    assert set(due(match.state)) == {P, W}
    assert match.state.decision_of(W) == waiting
    assert old is not None
    with pytest.raises(StaleDecision):
        match.move(P, m.InvestKeep(), decision=old.id)
    match.go(P, m.InvestDiscard())
    assert match.state.areas[P].money == 15
    # T's own undo afterwards touches only T, though the old log lines lie before P's undo.
    match.undo(T)
    assert match.state.areas[T].markers == [1, 1, 1, 1]
    assert match.state.areas[P].money == 15
    assert set(due(match.state)) == {T, W}


@pytest.mark.rule("PP-009")
def test_a_closed_step_stays_closed() -> None:
    """The last decision of D opens E: nobody takes back anything of D."""
    state = naples()
    state.touch(P).delivery = "A3"
    match = Kept(investing(state, {P: "gold", T: "red"}))
    match.go(P, m.InvestKeep())
    match.go(T, m.InvestKeep())
    assert due(match.state) == {P: "routes"}
    for seat in (P, T):
        assert "closed a step" in match.refused(seat)


@pytest.mark.rule("PP-009")
def test_routes_side_by_side() -> None:
    """Two players ride in turns of days; each takes back the own steps only."""
    state = naples()
    for seat in (P, T):
        state.touch(seat).delivery = ("A3", "A1")[seat]
    state.investments = ()
    for seat, colour in ((P, "gold"), (T, "blue")):
        state.touch(seat).investment = colour
    match = Kept(investing(state, {P: "gold", T: "blue"}))
    match.go(T, m.InvestKeep())
    match.go(P, m.InvestKeep())
    match.go(P, m.StartRoute("0,0"))
    match.go(T, m.StartRoute("0,0"), m.Step("E", 1))
    match.go(P, m.Step("S", 2))
    match.go(T, m.EndRoute())
    match.go(P, m.Step("S", 1))
    match.undo(P)
    match.undo(P)
    assert whole(match.state, P) == {}
    assert match.state.areas[P].start >= 0
    assert whole(match.state, T) == {"1,0": 1}
    assert due(match.state) == {P: "route", T: "routes"}
    match.undo(T)
    assert due(match.state) == {P: "route", T: "route"}
    assert whole(match.state, T) == {"1,0": 1}
    match.undo(P)
    assert due(match.state) == {P: "routes", T: "route"}
    match.go(T, m.EndRoute(), m.Finish())
    assert due(match.state) == {P: "routes"}
    match.undo(T)
    assert due(match.state) == {P: "routes", T: "routes"}


@pytest.mark.rule("PP-009")
def test_a_c_decision_after_d_has_begun() -> None:
    """Corner case 25: after W's pick, the last one, everybody may activate; once P has, the pick
    stays; when P takes that back, W may take back the pick."""
    state = bidding(table(), (P, T, O, W), 10, 10, 10, 10)
    match = Kept(state)
    for seat, column in ((P, 4), (T, 1), (O, 3), (W, 2)):
        match.go(seat, m.Bid(column, 1))
    for colour in ("gold", "blue", "red"):
        match.go(match.state.pending[0].seat, m.PickInvestment(colour))
    assert set(due(match.state).values()) == {"invest"}
    assert match.log[-1].seat == W
    match.go(P, m.InvestKeep())
    match.refused(W)
    match.undo(P)
    match.undo(W)
    assert due(match.state) == {W: "pick_investment"}


@pytest.mark.rule("PP-009", "PP-054")
def test_a_private_maximum_does_not_show_in_undo() -> None:
    """P leaves a maximum after T's bid; T takes the bid back as if nothing had been; the maximum
    stays."""
    match = Kept(bidding(table(), (P, T, O, W), 10, 10, 10, 10))
    match.go(P, m.Bid(1, 1))
    match.go(T, m.Bid(2, 1))
    match.go(P, m.StandingBid(8))
    match.undo(T)
    assert due(match.state) == {T: "bid"}
    assert match.state.limits == [8, 0, 0, 0]
    match.undo(P)
    assert match.state.limits == [0, 0, 0, 0]
    assert due(match.state) == {T: "bid"}
    match.go(P, m.StandingBid(6))
    match.go(T, m.Bid(3, 1))
    match.refused(P)


@pytest.mark.rule("PP-009", "PP-054")
def test_a_maximum_that_answered_is_a_later_decision() -> None:
    match = Kept(bidding(table(3), (P, T, O), 10, 10, 10))
    match.go(P, m.Bid(1, 1))
    match.go(P, m.StandingBid(8))
    match.go(T, m.Bid(2, 1))
    match.go(O, m.Bid(1, 2))
    assert match.state.bids[P] == (3, 1)
    match.refused(O)
    match.refused(P)


@pytest.mark.rule("PP-009", "PP-107", "PP-112")
def test_sealed_steps_of_two_players() -> None:
    """A sealed choice may be taken back until the other's closes the step."""
    match = Match(Case("papa_paolo", 2, {}), "0a")
    first = match.game.legal(match.state, 0)
    match.move(0, first[0])
    match.undo(0)
    assert set(due(match.state)) == {0, 1}
    match.move(0, first[1])
    match.move(1, match.game.legal(match.state, 1)[0])
    for seat in (0, 1):
        with pytest.raises(IllegalMove):
            match.undo(seat)


@pytest.mark.rule("PP-009")
def test_records_with_such_undos_replay() -> None:
    """A whole match with undos in every step replays to equal hashes, entry for entry."""
    rand = random.Random(9)
    match = Match(Case("papa_paolo", 3, {}), "feed")
    redone = 0
    while match.state.ended is None:
        seat = rand.choice(GAME.waiting(match.state))
        move = rand.choice(GAME.legal(match.state, seat))
        match.move(seat, move)
        if match.state.phase in ("investing", "delivering") and rand.random() < 0.4:
            try:
                redone += bool(match.undo(rand.randrange(3)).again)
            except IllegalMove:
                continue
    record = match.record()
    hashes = [state_hash(state) for _, state, _ in replay(GAME, record)]
    assert hashes == [record.start_hash, *(entry.hash for entry in record.entries)]
    assert redone > 3
