"""Game end and scoring (PP-093 to PP-098)."""

from __future__ import annotations

import pytest

from engines.papa_paolo import GAME
from engines.papa_paolo import moves as m
from engines.papa_paolo.phases.scoring import score
from engines.papa_paolo.state import PaoloState
from tests.engines.papa_paolo.positions import (
    COLOURS,
    P,
    delivering,
    events,
    go,
    lay,
    markers,
    played,
    purse,
    refused,
    ride,
    stocked,
    table,
)


def last_phase(seats: int = 4) -> PaoloState:
    """Phase E of round 5: P with tile A1 and its three pizzas is to deliver."""
    state = table(seats)
    state.round = 5
    state.touch(P)
    return delivering(state, {P: "A3"})


@pytest.mark.rule("PP-093", "PP-088")
def test_round_5_ends_after_phase_f() -> None:
    """Corner case 18: the fifth experience counts, no new tiles are turned up."""
    state = ride(last_phase(), P, "E1")
    drawn = state.drawn
    result = played(state, P, m.Finish())
    assert [e.kind for e in result.events] == ["job_done", "experience", "balances", "end"]
    after = result.state
    assert after.ended == "rounds"
    assert after.areas[P].markers == [2, 1, 1, 1]
    assert after.drawn == drawn
    assert GAME.waiting(after) == ()
    assert GAME.view(after, None).money == (10, 10, 10, 10)


@pytest.mark.rule("PP-093")
def test_nothing_after_the_end() -> None:
    state = go(last_phase(), P, m.Finish())
    assert refused(state, P, m.PlaceMeeple("r1c1"))[0] == "PP-093"


@pytest.mark.rule("PP-094", "PP-095", "PP-096", "PP-097", "PP-X21")
def test_the_rulebooks_final_count() -> None:
    """22 delivered, markers 5, 3, 3, 4, two pizzas left: 22 + 2 + 2 − 2 = 24. The town half's
    pizza is among the 22."""
    state = table()
    left = 22
    for number in range(7):
        x, y = number % 4, 1 + number // 4
        lay(state, P, x, y, COLOURS[number % 4], 3, "NS", 3)
        left -= 3
    state.touch(P).fed[state.areas[P].cells[0]] = left
    assert left == 1
    state.touch(P).supply -= 1
    stocked(state, P, 2)
    markers(state, P, 5, 3, 3, 4)
    found = score(state, P)
    assert [points for _, points in found.lines] == [22, 2, 2, -2]
    assert found.total == 24


@pytest.mark.rule("PP-095", "PP-096")
def test_four_experts() -> None:
    """Corner case 19: diversity 4 + 4 × 2 = 12."""
    state = table()
    stocked(state, P, 0)
    markers(state, P, 5, 5, 5, 5)
    assert score(state, P).total == 12
    markers(state, P, 5, 5, 5, 4)
    assert score(state, P).total == 3 + 6


@pytest.mark.rule("PP-097")
def test_totals_may_be_negative() -> None:
    assert score(table(), P).total == -3


@pytest.mark.rule("PP-098")
def test_most_points_win() -> None:
    state = ride(last_phase(), P, "E1")
    after = go(state, P, m.Finish())
    result = GAME.outcome(after)
    assert result is not None
    # P: 1 delivered, 2 left: −1. The others: −3 each, £10 each.
    assert [s.total for s in result.scores] == [-1, -3, -3, -3]
    assert result.ranking == ((P,), (1, 2, 3))
    assert result.note == ""


@pytest.mark.rule("PP-098")
def test_money_breaks_the_tie() -> None:
    """Corner case 20: all have −3; seat 2 has the most money, 1 and 3 come next together."""
    state = last_phase()
    purse(state, 3, 7, 9, 7)
    after = go(state, P, m.Finish())
    result = GAME.outcome(after)
    assert result is not None
    assert result.ranking == ((2,), (1, 3), (0,))
    assert "money" in result.note


@pytest.mark.rule("PP-098")
def test_a_shared_victory_of_exactly_those_tied() -> None:
    state = last_phase()
    purse(state, 8, 7, 8, 2)
    (end,) = events(state, P, m.Finish(), "end")
    assert end.args["winners"] == (0, 2)
    assert "{seat:0} and {seat:2} share the victory" in GAME.narrate(end)
    result = GAME.outcome(go(state, P, m.Finish()))
    assert result is not None
    assert result.ranking == ((0, 2), (1,), (3,))
    assert "shared" in result.note
