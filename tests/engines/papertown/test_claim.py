"""Claims: tile, meeples, several objectives, replacements."""

from __future__ import annotations

import pytest

from engines.core.errors import AmbiguousMove
from engines.papertown import GAME
from engines.papertown.moves import BuyBank, Claim, FinishTurn, Place
from tests.engines.papertown.positions import cells, claims, do, position, refused, step

ROW = "M50=C N50=R"


def placed(city: str, **more: object) -> object:
    """P on O50."""
    return do(position(city, hand="P", **more), 0, Place("O50"))


@pytest.mark.rule(
    "PT-X20", "PT-073", "PT-074", "PT-075", "PT-076", "PT-081", "PT-082", "PT-085", "PT-035"
)
def test_eviction() -> None:
    state = placed("M50=C*grey N50=R*blue", own={0: "CN06 CN20"}, deck="CN01 CN02")
    played = step(state, 0, Claim("CN06", "M50"))
    state = played.state
    assert state.meeples == {"M50": 0, "N50": 0, "O50": 0}
    assert state.sealed == {"M50": "CN06"}
    assert "M50" not in state.shown
    assert (state.supply(0), state.supply(1)) == (9, 12)
    assert state.completed == [1, 0]
    assert state.constructions[0] == ("CN20",)
    assert GAME.narrate(played.events[0]) == (
        "**{seat:0} completes Gated Community (C-R-P)** on M50, N50 and O50; the tile lies on M50. "
        "Back to supply: grey from M50 and blue from N50. Now blue stands on M50, N50 and O50, 3 "
        "of 12 meeples in the city."
    )
    state = do(state, 0, FinishTurn())
    assert state.constructions[0] == ("CN20", "CN01")
    assert state.construction_deck == ("CN02",)
    assert state.turn == 1


@pytest.mark.rule("PT-073")
@pytest.mark.parametrize("seal", ["M50", "N50", "O50"])
def test_any_cell_may_be_sealed(seal: str) -> None:
    state = do(placed(ROW), 0, Claim("CN06", seal))
    assert state.sealed == {seal: "CN06"}
    assert set(state.shown) == {"M50", "N50", "O50"} - {seal}
    assert set(state.meeples) == {"M50", "N50", "O50"}, "one stands on the tile, too"


@pytest.mark.rule("PT-075", "PT-086")
def test_a_great_structure_brings_four_and_is_named() -> None:
    state = position("N50=C O50=G N51=P", hand="I", own={0: "GS01"}, gs_deck="GS02 GS03")
    state = do(state, 0, Place("O51"))
    played = step(state, 0, Claim("GS01", "O51"))
    assert played.state.meeples == dict.fromkeys(("N50", "O50", "O51", "N51"), 0)
    assert played.steps[0].reveals
    assert "Multinational Headquarters" in GAME.narrate(played.events[0])
    assert "[GS01]" in GAME.board_text(GAME.view(played.state, None))
    done = step(played.state, 0, FinishTurn())
    assert done.state.structures[0] == ("GS02",)
    assert [GAME.narrate(e) for e in done.events if e.to is None] == [
        "{seat:0} draws a new Great Structure."
    ]
    assert [e.to for e in done.events if "Zoo" in GAME.narrate(e)] == [(0,)]


@pytest.mark.rule("PT-078", "PT-057")
@pytest.mark.parametrize("hand", list("CGRIPL"))
def test_a_meeple_on_a_tile_stays(hand: str) -> None:
    """Nothing is built on a sealed cell, so nobody ever sends the meeple home."""
    state = position("M50=[CN06/C]*grey N50=R O50=P", hand=hand, own={0: "CN07 GS05"})
    assert "M50" not in cells(state)
    for cell in sorted(cells(state)):
        assert do(state, 0, Place(cell)).meeples == {"M50": 1}


TWO = "M50=C N50=R O48=I O49=C"


@pytest.mark.rule("PT-X21", "PT-079", "PT-081", "PT-082")
def test_two_claims_with_one_block() -> None:
    state = placed(TWO, own={0: "CN06 CN08"}, deck="CN01 CN02 CN03")
    assert len(claims(state)) == 6
    assert FinishTurn() not in GAME.legal(state, 0)
    state = do(state, 0, Claim("CN06", "M50"))
    assert state.on_city(0) == 3
    assert {c for c, _ in claims(state)} == {"CN08"}
    state = do(state, 0, Claim("CN08", "O49"))
    assert set(state.meeples) == {"M50", "N50", "O48", "O49", "O50"}
    assert (state.on_city(0), state.supply(0), state.completed) == (5, 7, [2, 0])
    assert state.constructions[0] == (), "none is drawn between claims"
    state = do(state, 0, FinishTurn())
    assert state.constructions[0] == ("CN01", "CN02")


@pytest.mark.rule("PT-X22", "PT-080", "PT-072")
def test_sealing_the_new_block_ends_claiming() -> None:
    state = do(placed(TWO, own={0: "CN06 CN08"}), 0, Claim("CN06", "O50"))
    assert GAME.legal(state, 0) == [FinishTurn()]


@pytest.mark.rule("PT-X23", "PT-084", "PT-070", "PT-069")
def test_a_replacement_waits_for_the_next_block() -> None:
    state = placed(TWO, own={0: "CN06 CN20"}, deck="CN08 CN01", bank="PL")
    state = do(state, 0, Claim("CN06", "M50"))
    assert GAME.legal(state, 0) == [FinishTurn()]
    state = do(state, 0, FinishTurn())
    assert state.constructions[0] == ("CN20", "CN08")
    assert state.completed[0] == 1
    refused_later = do(state, 1, BuyBank("L"), Place("L49"), FinishTurn())
    refused(refused_later, 0, Claim("CN08", "O48"), "PT-070")
    state = do(refused_later, 0, BuyBank("P"), Place("O50"))
    assert {seal for _, seal in claims(state)} == {"O48", "O49", "O50"}


@pytest.mark.rule("PT-069", "PT-070")
def test_another_players_block_completes_nothing_of_mine() -> None:
    state = position(ROW, hand="P", turn=1, own={0: "CN06"}, bank="LL")
    state = do(state, 1, Place("O50"))
    assert GAME.legal(state, 1) == [FinishTurn()]
    state = do(state, 1, FinishTurn())
    assert state.completed == [0, 0]
    refused(state, 0, Claim("CN06", "N50"), "PT-070", "only by placing")


@pytest.mark.rule("PT-074")
def test_completing_over_own_meeples_gains_the_difference() -> None:
    state = placed("M50=C*blue N50=R*blue")
    state = do(state, 0, Claim("CN06", "N50"))
    assert state.on_city(0) == 3
    full = position("M50=C*blue N50=R*blue O50=P*blue", hand="R")
    assert do(full, 0, Place("N50"), Claim("CN06", "N50")).on_city(0) == 3, "no gain at all"


@pytest.mark.rule("PT-074", "PT-055")
def test_a_meeple_on_a_covered_block_goes_home() -> None:
    state = do(position("M50=C N50=L*grey O50=P", hand="R"), 0, Place("N50"))
    assert state.meeples == {"N50": 1}
    state = do(state, 0, Claim("CN06", "O50"))
    assert (state.meeples["N50"], state.supply(1)) == (0, 12)


@pytest.mark.rule("PT-085", "PT-I22")
def test_the_same_objective_twice_with_one_block() -> None:
    """P on O50 makes C-R-P from both sides: one claim, and the pattern is named."""
    state = placed("M50=C N50=R P50=R Q50=C")
    both = {("M50", "N50", "O50"), ("Q50", "P50", "O50")}
    listed = [m for m in GAME.legal(state, 0) if isinstance(m, Claim)]
    assert {m.pattern for m in listed} == both
    assert len(listed) == 6
    error = refused(state, 0, Claim("CN06", "O50"), "PT-085", "M50 N50 O50", "Q50 P50 O50")
    assert isinstance(error, AmbiguousMove)
    assert set(error.choices) == {"M50 N50 O50", "Q50 P50 O50"}
    state = do(state, 0, Claim("CN06", "M50", ("M50", "N50", "O50")))
    assert state.completed == [1, 0]
    refused(state, 0, Claim("CN06", "Q50", ("Q50", "P50", "O50")), "PT-085", "already in the city")
    assert GAME.legal(state, 0) == [FinishTurn()]


@pytest.mark.rule("PT-083")
def test_with_one_tile_left_the_last_claim_gets_none() -> None:
    state = placed(TWO, own={0: "CN06 CN08"}, deck="CN01")
    state = do(state, 0, Claim("CN08", "O49"), Claim("CN06", "M50"))
    played = step(state, 0, FinishTurn())
    assert played.state.constructions[0] == ("CN01",)
    assert [e.kind for e in played.events] == ["new_construction", "no_construction"]
    assert "No Construction is left" in GAME.narrate(played.events[1])


@pytest.mark.rule("PT-083", "PT-041")
def test_with_an_empty_deck_one_goes_on_without_a_great_structure() -> None:
    state = position("N50=C O50=G N51=P", hand="I", own={0: "GS01"}, bank="L")
    played = step(do(state, 0, Place("O51"), Claim("GS01", "N50")), 0, FinishTurn())
    assert played.state.structures[0] == ()
    assert GAME.view(played.state, None).structure_counts[0] == 0
    hand = GAME.hand(GAME.view(played.state, 0))
    assert hand is not None
    assert hand.title == "You hold no Great Structure"


@pytest.mark.rule("PT-077", "PT-X24", "PT-087")
def test_the_twelfth_meeple_ends_the_game_in_mid_turn() -> None:
    """Ten blue meeples on a diagonal; the supply of two goes to the seal, then in pattern order.

    (The printed example has ten lakes; there are seven, so industrial Blocks take turns here.)"""
    diagonal = "C40=L D41=I E42=L F43=I G44=L H45=I I46=L J47=I K48=L L49=I"
    city = " ".join(f"{part}*blue" for part in diagonal.split())
    state = placed(f"{city} {ROW}", own={0: "CN06"}, deck="")
    assert state.supply(0) == 2
    played = step(state, 0, Claim("CN06", "O50"))
    state = played.state
    assert {"O50", "M50"} <= state.meeples.keys()
    assert "N50" not in state.meeples
    assert (state.ended, state.pending) == ("meeples", [])
    result = GAME.outcome(state)
    assert result is not None
    assert result.ranking == ((0,), (1,))
    assert [s.total for s in result.scores] == [12, 0]
    assert not any(e.kind.startswith("new_") for e in played.events)
    assert played.steps[0].reveals
    refused(state, 0, FinishTurn(), "PT-087", "over")


@pytest.mark.rule("PT-077")
def test_pattern_order_of_a_great_structure_is_top_right_bottom_left() -> None:
    diagonal = "C40=L D41=R E42=L F43=R G44=L H45=R I46=L J47=R K48=L"
    city = " ".join(f"{part}*blue" for part in diagonal.split())
    state = position(f"{city} N50=I O50=P N51=G", hand="C", own={0: "GS01"})
    state = do(state, 0, Place("O51"), Claim("GS01", "N51"))  # both inversions: I P C G
    assert {"N51", "N50", "O50"} <= state.meeples.keys()
    assert "O51" not in state.meeples, "nine and three make twelve; the bottom is left bare"


@pytest.mark.rule("PT-079", "PT-087")
def test_no_further_claim_after_the_twelfth() -> None:
    diagonal = "C40=L D41=G E42=L F43=G G44=L H45=G I46=L J47=G K48=L"
    city = " ".join(f"{part}*blue" for part in diagonal.split())
    state = placed(f"{city} {TWO}", own={0: "CN06 CN08"})
    state = do(state, 0, Claim("CN06", "M50"))
    assert state.ended == "meeples"
    assert state.constructions[0] == ("CN08",)
    refused(state, 0, Claim("CN08", "O49"), "PT-087", "over")


@pytest.mark.rule("PT-127", "PT-061")
def test_every_placement_ends_with_finish_turn() -> None:
    """Also with nothing to claim, and it is never played automatically: the public view after a
    placement is the same whether or not a secret Great Structure is complete."""
    city = "N50=C O50=G N51=P"
    views = []
    for tile in ("GS01", "GS02"):
        played = step(position(city, hand="I", own={0: tile}), 0, Place("O51"))
        assert len(played.steps) == 1
        assert played.state.phase == "claim"
        views.append((GAME.view(played.state, None), [GAME.narrate(e) for e in played.events]))
        assert GAME.prompt(views[-1][0], 0) == "claim what the Block completes, or finish the turn"
    assert views[0] == views[1]


@pytest.mark.rule("PT-070", "PT-128")
def test_nobody_is_told_that_a_secret_tile_was_finished_by_another() -> None:
    """Seat 1 completes the diamond that seat 0 holds."""
    told = []
    for tile in ("GS01", "GS05"):
        state = position("N50=C O50=G N51=P", hand="I", turn=1, own={0: tile})
        played = step(state, 1, Place("O51"))
        told.append([(e.to, GAME.narrate(e)) for e in played.events])
        assert GAME.legal(played.state, 1) == [FinishTurn()]
    assert told[0] == told[1]
