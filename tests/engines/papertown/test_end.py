"""The end of competitive games and the result."""

from __future__ import annotations

import pytest

from engines.core.types import Outcome
from engines.papertown import GAME
from engines.papertown.moves import BuyBank, Claim, DrawBlocks, FinishTurn, KeepBlock, Place
from engines.papertown.state import PaperState
from tests.engines.papertown.positions import do, position, refused, step

ROW = "M50=C*blue N50=R*grey"


def last_turn(city: str, **more: object) -> PaperState:
    """The stack is drawn; G is placed, the turn is about to end."""
    state = do(position(city, stack="GI", **more), 0, DrawBlocks(), KeepBlock("G"))
    assert (state.bank, state.stack, state.ended) == ("I", "", None)
    return do(state, 0, Place("M49"))


def result_of(state: PaperState) -> Outcome:
    found = GAME.outcome(state)
    assert found is not None
    return found


@pytest.mark.rule("PT-X25", "PT-088", "PT-089")
def test_the_stack_runs_out() -> None:
    state = last_turn(f"{ROW} O49=L*blue")
    assert GAME.outcome(state) is None
    state = do(state, 0, FinishTurn())
    assert state.ended == "stack"
    result = result_of(state)
    assert result.ranking == ((0,), (1,))
    assert [(s.total, s.lines) for s in result.scores] == [
        (2, (("Meeples in the city", 2),)), (1, (("Meeples in the city", 1),)),
    ]  # fmt: skip
    assert state.bank == "I", "Blocks in the bank do not matter"


@pytest.mark.rule("PT-X25", "PT-090", "PT-091")
@pytest.mark.parametrize(
    ("completed", "ranking", "word"),
    [((1, 2), ((1,), (0,)), "PT-090"), ((2, 2), ((0, 1),), "shared")],
)
def test_ties(completed: tuple[int, int], ranking: object, word: str) -> None:
    state = do(last_turn(ROW, completed=completed), 0, FinishTurn())
    result = result_of(state)
    assert result.ranking == ranking
    assert word in result.note


@pytest.mark.rule("PT-090")
def test_the_tie_break_counts_only_among_those_with_most_meeples() -> None:
    """Seat 2 has completed most but has fewer meeples in the city."""
    state = last_turn(
        "M50=C*blue N50=R*grey L51=P*blue O52=L*grey P48=I*purple", seats=3, completed=(2, 2, 5)
    )
    result = result_of(do(state, 0, FinishTurn()))
    assert result.ranking == ((0, 1), (2,))
    assert "shared" in result.note


@pytest.mark.rule("PT-088", "PT-082")
def test_the_last_turn_is_finished_first() -> None:
    """Claims and replacements still happen in the turn that emptied the stack."""
    state = position("M50=C N50=R", stack="PI", deck="CN01", own={0: "CN06 CN20"})
    state = do(state, 0, DrawBlocks(), KeepBlock("P"), Place("O50"), Claim("CN06", "O50"))
    assert state.ended is None
    state = do(state, 0, FinishTurn())
    assert (state.ended, state.constructions[0]) == ("stack", ("CN20", "CN01"))
    assert result_of(state).scores[0].total == 3


@pytest.mark.rule("PT-092", "PT-087")
def test_twelve_in_the_turn_that_emptied_the_stack() -> None:
    diagonal = "C40=L D41=I E42=L F43=I G44=L H45=I I46=L J47=I K48=L"
    city = " ".join(f"{part}*blue" for part in diagonal.split())
    state = position(f"{city} M50=C N50=R", stack="PG")
    state = do(state, 0, DrawBlocks(), KeepBlock("P"), Place("O50"), Claim("CN06", "O50"))
    assert state.ended == "meeples"
    assert "PT-087" in result_of(state).note


@pytest.mark.rule("PT-088")
def test_with_blocks_left_the_match_goes_on() -> None:
    state = do(position(ROW, stack="GIRR"), 0, DrawBlocks(), KeepBlock("G"), Place("M49"))
    state = do(state, 0, FinishTurn())
    assert (state.ended, state.turn) == (None, 1)


@pytest.mark.rule("PT-129", "PT-014")
def test_great_structures_are_shown_at_the_end() -> None:
    state = last_turn(ROW, own={0: "GS01", 1: "GS02"})
    assert GAME.view(state, None).structures == ((), ())
    played = step(state, 0, FinishTurn())
    assert GAME.view(played.state, None).structures == (("GS01",), ("GS02",))
    told = [GAME.narrate(e) for e in played.events]
    assert told[0] == (
        "Great Structures left in hand: {seat:0} Multinational Headquarters (C-G-I-P) and "
        "{seat:1} Zoo (L-G-P-C)."
    )
    assert told[1].startswith("**{seat:0} and {seat:1} share the victory** with 1")
    assert played.steps[0].reveals


@pytest.mark.rule("PT-087", "PT-I33")
def test_nothing_moves_after_the_end() -> None:
    state = do(last_turn(ROW), 0, FinishTurn())
    for seat in (0, 1):
        assert GAME.legal(state, seat) == []
        for move in (FinishTurn(), BuyBank("I"), DrawBlocks(), Place("O50")):
            refused(state, seat, move, "PT-087", "over")
