"""Swapping Constructions and the Great Structure."""

from __future__ import annotations

import pytest

from engines.papertown import GAME
from engines.papertown.moves import (
    BuyBank,
    FinishTurn,
    KeepConstructions,
    KeepGreatStructure,
    Place,
    SwapConstructions,
    SwapGreatStructure,
)
from tests.engines.papertown.positions import do, position, refused, step

START = "M51=L N50=C O49=G"


def swapping(deck: str = "CN03 CN04 CN05", **more: object) -> object:
    return position(START, own={0: "CN01 CN02"}, deck=deck, bank="P", **more)


@pytest.mark.rule("PT-X31", "PT-030", "PT-032", "PT-033", "PT-034", "PT-035", "PT-036")
def test_constructions() -> None:
    state = do(swapping(), 0, SwapConstructions())
    assert state.construction_deck == ("CN05",)
    moves = GAME.legal(state, 0)
    assert len(moves) == 12
    assert KeepConstructions(("CN01", "CN02"), ("CN03", "CN04")) in moves, "the old ones may stay"
    state = do(state, 0, KeepConstructions(("CN01", "CN03"), ("CN04", "CN02")))
    assert state.constructions[0] == ("CN01", "CN03")
    assert state.construction_deck == ("CN05", "CN04", "CN02")
    assert (state.turn, state.phase) == (1, "choose")


@pytest.mark.rule("PT-X31", "PT-037")
def test_the_last_construction_of_the_deck() -> None:
    state = do(swapping("CN03"), 0, SwapConstructions())
    assert state.drawn_tiles == ("CN03",)
    assert len(GAME.legal(state, 0)) == 3
    state = do(state, 0, KeepConstructions(("CN01", "CN03"), ("CN02",)))
    assert state.construction_deck == ("CN02",)


@pytest.mark.rule("PT-031", "PT-034", "PT-126")
def test_a_construction_swap_is_public() -> None:
    played = step(swapping(), 0, SwapConstructions())
    assert GAME.view(played.state, None).drawn_tiles == ("CN03", "CN04")
    assert played.steps[0].reveals
    assert GAME.narrate(played.events[0]) == (
        "{seat:0} swaps Constructions and draws Central Square (C-P-G), Customs House (C-G-L)."
    )
    kept = step(played.state, 0, KeepConstructions(("CN01", "CN04"), ("CN02", "CN03")))
    assert GAME.narrate(kept.events[0]) == (
        "{seat:0} keeps Municipal Market (G-C-R), Customs House (C-G-L). "
        "Under the deck: Stock Exchange, then Central Square."
    )
    assert not kept.steps[0].reveals, "the choice can be taken back"


@pytest.mark.rule("PT-032", "PT-I25")
def test_keep_exactly_two() -> None:
    state = do(swapping(), 0, SwapConstructions())
    for keep in (("CN01",), ("CN01", "CN02", "CN03"), ("CN01", "CN20"), ("CN01", "CN01"), ()):
        refused(state, 0, KeepConstructions(keep, ("CN04",)), "PT-032", "exactly 2", "Market")


@pytest.mark.rule("PT-033", "PT-I26")
def test_every_other_tile_goes_below_once() -> None:
    state = do(swapping(), 0, SwapConstructions())
    for bottom in ((), ("CN02",), ("CN02", "CN02"), ("CN01", "CN02"), ("CN02", "CN04", "CN04")):
        refused(
            state, 0, KeepConstructions(("CN01", "CN03"), bottom), "PT-033", "every other tile once"
        )


def test_tiles_may_be_named_and_kept_in_any_order() -> None:
    state = do(swapping(), 0, SwapConstructions())
    named = KeepConstructions(("central square", "cn01"), ("Customs House", "CN02"))
    one = do(state, 0, named)
    assert one == do(state, 0, KeepConstructions(("CN01", "CN03"), ("CN04", "CN02")))


@pytest.mark.rule("PT-036", "PT-042", "PT-I05")
def test_a_swap_is_the_whole_turn() -> None:
    state = do(swapping(), 0, SwapConstructions())
    for move in (Place("N51"), BuyBank("P"), FinishTurn()):
        refused(state, 0, move, "PT-028", "One action a turn")
    after = do(state, 0, KeepConstructions(("CN01", "CN02"), ("CN03", "CN04")))
    refused(after, 0, Place("N51"), "PT-027")
    state = do(position(START, own={0: "GS01"}, gs_deck="GS02"), 0, SwapGreatStructure())
    refused(state, 0, Place("N51"), "PT-028", "One action a turn")


@pytest.mark.rule("PT-037", "PT-043", "PT-I24")
def test_nothing_left_to_draw() -> None:
    state = position(START, own={0: "CN01 GS01"})
    refused(state, 0, SwapConstructions(), "PT-037", "nothing left to draw")
    refused(state, 0, SwapGreatStructure(), "PT-043", "nothing left to draw")


# ---- Great Structures ------------------------------------------------------------------------


def great(deck: str = "GS02 GS03 GS04") -> object:
    return position(START, own={0: "GS01"}, gs_deck=deck)


@pytest.mark.rule("PT-X32", "PT-038", "PT-039", "PT-040", "PT-041", "PT-042")
def test_great_structure() -> None:
    drawn = step(great(), 0, SwapGreatStructure())
    public = [GAME.narrate(e) for e in drawn.events if e.to is None]
    assert public == ["{seat:0} swaps the Great Structure and draws 2 in secret."]
    assert len(GAME.legal(drawn.state, 0)) == 6
    assert KeepGreatStructure("GS01", ("GS02", "GS03")) in GAME.legal(drawn.state, 0)
    state = do(drawn.state, 0, KeepGreatStructure("GS03", ("GS01", "GS02")))
    assert state.structures[0] == ("GS03",)
    assert state.structure_deck == ("GS04", "GS01", "GS02")
    assert (state.turn, state.phase) == (1, "choose")


@pytest.mark.rule("PT-038", "PT-040", "PT-128")
def test_only_the_swapper_sees_the_tiles_drawn_kept_and_returned() -> None:
    drawn = step(great(), 0, SwapGreatStructure())
    assert drawn.steps[0].reveals
    for viewer in (1, None):
        view = GAME.view(drawn.state, viewer)
        assert (view.drawn_tiles, view.structures[0]) == ((), ())
        assert view.structure_counts[0] == 1
        assert not any(t in GAME.board_text(view) for t in ("Zoo", "Nuclear", "Multinational"))
    assert GAME.view(drawn.state, 0).drawn_tiles == ("GS02", "GS03")
    kept = step(drawn.state, 0, KeepGreatStructure("GS03", ("GS01", "GS02")))
    told = {e.to: GAME.narrate(e) for e in kept.events}
    assert told == {
        None: "{seat:0} has chosen a Great Structure.",
        (0,): "You keep Nuclear Plant. Under the deck: Multinational Headquarters, then Zoo.",
    }
    assert not kept.steps[0].reveals


@pytest.mark.rule("PT-043")
def test_the_last_great_structure_of_the_deck() -> None:
    state = do(great("GS02"), 0, SwapGreatStructure())
    assert GAME.legal(state, 0) == [
        KeepGreatStructure("GS01", ("GS02",)), KeepGreatStructure("GS02", ("GS01",)),
    ]  # fmt: skip


@pytest.mark.rule("PT-039", "PT-I26")
def test_a_wrong_great_structure_choice() -> None:
    state = do(great(), 0, SwapGreatStructure())
    refused(state, 0, KeepGreatStructure("GS04", ("GS01", "GS02")), "PT-039", "exactly 1")
    for bottom in ((), ("GS01",), ("GS01", "GS01"), ("GS03", "GS01")):
        refused(state, 0, KeepGreatStructure("GS03", bottom), "PT-039", "every other tile once")
