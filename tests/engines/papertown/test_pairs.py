"""Two pairs: seats 0 and 2 (blue) against 1 and 3 (grey)."""

from __future__ import annotations

import pytest

from engines.papertown import GAME
from engines.papertown.moves import (
    Claim,
    DrawBlocks,
    FinishTurn,
    KeepBlock,
    KeepConstructions,
    Place,
    SwapConstructions,
)
from engines.papertown.state import PaperState
from tests.engines.papertown.positions import claims, covers, do, position, refused, step


def pairs(city: str, hand: str = "", **more: object) -> PaperState:
    return position(city, seats=4, mode="pairs", hand=hand, **more)


@pytest.mark.rule("PT-X26", "PT-100", "PT-101", "PT-102", "PT-104")
def test_partners_construction() -> None:
    state = pairs("M50=C*grey N50=R*grey", "P", own={2: "CN06"}, deck="CN01 CN02")
    state = do(state, 0, Place("O50"))
    assert FinishTurn() in GAME.legal(state, 0), "it may be left"
    played = step(state, 0, Claim("CN06", "N50"))
    state = played.state
    assert state.meeples == {"N50": 0, "M50": 1}
    assert state.sealed == {"N50": "CN06"}
    assert (state.supply(0), state.supply(1)) == (11, 11)
    assert state.completed == [1, 0]
    assert "a Construction of {seat:2}" in GAME.narrate(played.events[0])
    mine = state.constructions[0]
    state = do(state, 0, FinishTurn())
    assert state.constructions[2] == ("CN01",)
    assert state.constructions[0] == mine
    assert state.turn == 1


@pytest.mark.rule("PT-X27", "PT-099", "PT-098")
def test_own_construction_works_as_usual() -> None:
    state = pairs("M50=C*grey N50=R*blue", "P", own={0: "CN06"})
    state = do(state, 0, Place("O50"), Claim("CN06", "N50"))
    assert state.meeples == {"M50": 0, "N50": 0, "O50": 0}
    assert (state.supply(0), state.supply(1)) == (9, 12)


@pytest.mark.rule("PT-098", "PT-104")
def test_both_partners_use_one_set() -> None:
    state = pairs("M50=C*grey N50=R*blue", "P", own={2: "CN06"}, turn=2)
    state = do(state, 2, Place("O50"), Claim("CN06", "M50"))
    assert state.on_city(0) == 3
    assert state.completed == [1, 0]
    view = GAME.view(state, None)
    assert (view.supplies, view.sides) == ((9, 12), (0, 1, 0, 1))


@pytest.mark.rule("PT-X28", "PT-105")
def test_partners_great_structure() -> None:
    state = do(pairs("N50=C O50=G N51=P", "I", own={2: "GS01"}), 0, Place("O51"))
    assert GAME.legal(state, 0) == [FinishTurn()]


@pytest.mark.rule("PT-X29", "PT-103")
def test_cover_for_the_partners_construction() -> None:
    state = pairs("M50=C N50=L*grey O50=P", "R", own={2: "CN06"})
    assert covers(state) == {"N50"}
    state = do(state, 0, Place("N50"))
    refused(state, 0, FinishTurn(), "PT-072", "Gated Community")
    state = do(state, 0, Claim("CN06", "M50"))
    assert state.meeples == {"M50": 0, "N50": 1}
    assert state.shown["N50"] == "R"
    assert (state.supply(0), state.supply(1)) == (11, 11)
    assert FinishTurn() in GAME.legal(state, 0)


@pytest.mark.rule("PT-103", "PT-102")
def test_a_covered_meeple_goes_home_if_its_cell_is_sealed() -> None:
    state = pairs("M50=C N50=L*grey O50=P", "R", own={2: "CN06"})
    state = do(state, 0, Place("N50"), Claim("CN06", "N50"))
    assert state.meeples == {"N50": 0}
    assert state.supply(1) == 12


@pytest.mark.rule("PT-102")
def test_an_own_pair_meeple_on_the_seal_returns_and_others_stay() -> None:
    state = pairs("M50=C*blue N50=R*blue", "P", own={2: "CN06"})
    state = do(state, 0, Place("O50"), Claim("CN06", "N50"))
    assert state.meeples == {"M50": 0, "N50": 0}
    assert state.supply(0) == 10, "one came back, one was placed"


@pytest.mark.rule("PT-100", "PT-079", "PT-072")
def test_own_and_partners_construction_with_one_block() -> None:
    """C-R-P is the partner's, I-C-P the player's own: that one is compulsory, in any order."""
    state = pairs("M50=C N50=R O48=I O49=C", "P", own={0: "CN08", 2: "CN06"})
    state = do(state, 0, Place("O50"))
    assert FinishTurn() not in GAME.legal(state, 0)
    assert len(claims(state)) == 6
    first = do(state, 0, Claim("CN06", "M50"))
    assert FinishTurn() not in GAME.legal(first, 0)
    both = do(first, 0, Claim("CN08", "O48"))
    assert both.on_city(0) == 4
    other = do(state, 0, Claim("CN08", "O48"))
    assert FinishTurn() in GAME.legal(other, 0)
    assert do(other, 0, Claim("CN06", "O50")).meeples["O50"] == 0


@pytest.mark.rule("PT-X30", "PT-106", "PT-087")
def test_the_twelfth_meeple_of_a_pair() -> None:
    diagonal = "C40=L D41=I E42=L F43=I G44=L H45=I I46=L J47=I K48=L L49=I Q55=G"
    city = " ".join(f"{part}*blue" for part in diagonal.split())
    state = pairs(f"{city} M50=C*grey N50=R", "P", own={2: "CN06"})
    assert state.supply(0) == 1
    state = do(state, 0, Place("O50"), Claim("CN06", "M50"))
    assert state.ended == "meeples"
    result = GAME.outcome(state)
    assert result is not None
    assert result.ranking == ((0, 2), (1, 3))
    assert [s.total for s in result.scores] == [12, 0, 12, 0]


@pytest.mark.rule("PT-106")
@pytest.mark.parametrize(
    ("city", "completed", "ranking"),
    [
        ("M50=C*grey N50=R*grey P52=L*blue", (5, 0), ((1, 3), (0, 2))),
        ("M50=C*grey N50=R*blue", (2, 1), ((0, 2), (1, 3))),
        ("M50=C*grey N50=R*blue", (1, 1), ((0, 1, 2, 3),)),
    ],
)
def test_pairs_are_compared_when_the_stack_runs_out(
    city: str, completed: tuple[int, int], ranking: object
) -> None:
    state = pairs(city, stack="GI", completed=completed, own={0: "GS01"})
    state = do(state, 0, DrawBlocks(), KeepBlock("G"), Place("M49"), FinishTurn())
    result = GAME.outcome(state)
    assert result is not None
    assert (result.reason, result.ranking) == ("stack", ranking)


@pytest.mark.rule("PT-096", "PT-I28")
def test_the_limit_is_one_construction() -> None:
    state = pairs("M50=C N50=R", own={0: "CN01"}, deck="CN03 CN04 CN05")
    state = do(state, 0, SwapConstructions())
    assert len(GAME.legal(state, 0)) == 6
    refused(state, 0, KeepConstructions(("CN01", "CN03"), ("CN04",)), "PT-096", "exactly 1")
    state = do(state, 0, KeepConstructions(("CN03",), ("CN04", "CN01")))
    assert state.constructions[0] == ("CN03",)
    assert state.construction_deck == ("CN05", "CN04", "CN01")


@pytest.mark.rule("PT-097", "PT-014", "PT-I27")
def test_a_great_structure_is_hidden_from_the_partner() -> None:
    state = pairs("M50=C N50=R", own={0: "GS01", 1: "GS02", 2: "GS03", 3: "GS04"})
    for viewer in (0, 1, 2, 3, None):
        shown = GAME.view(state, viewer).structures
        assert [bool(own) for own in shown] == [seat == viewer for seat in range(4)]
    text = GAME.board_text(GAME.view(state, 0))
    assert "Multinational" in text
    assert not any(name in text for name in ("Zoo", "Nuclear", "Royal"))


@pytest.mark.rule("PT-105", "PT-I29")
def test_the_same_words_for_every_great_structure_of_others() -> None:
    """The partner's, an opponent's, or one in the deck: nothing can be learnt by asking."""
    told = set()
    for holder in ({2: "GS01"}, {1: "GS01"}, {3: "GS05"}):
        state = pairs("N50=C O50=G N51=P", "I", own={0: "GS02", **holder})
        state = do(state, 0, Place("O51"))
        told.add(refused(state, 0, Claim("GS01", "N50"), "PT-105", "not an objective you can").text)
    assert len(told) == 1
