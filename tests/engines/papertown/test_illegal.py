"""Illegal attempts that no other file of this folder covers."""

from __future__ import annotations

import pytest

from engines.core.errors import NotYourTurn
from engines.core.surface import resolve
from engines.papertown import GAME
from engines.papertown.moves import (
    BuyBank,
    Claim,
    DrawBlocks,
    EndSolo,
    FinishTurn,
    KeepBlock,
    KeepConstructions,
    KeepGreatStructure,
    Place,
    SpendMeeple,
    SwapConstructions,
    SwapGreatStructure,
)
from engines.papertown.state import PaperState
from tests.engines.papertown.positions import do, position, refused

START = "M51=L N50=C O49=G"


def after(city: str, hand: str, cell: str, **more: object) -> PaperState:
    """The Block lies, claims are open."""
    return do(position(city, hand=hand, **more), 0, Place(cell))


@pytest.mark.rule("PT-027", "PT-I01")
def test_out_of_turn() -> None:
    state = position(START, seats=3, bank="L", turn=1)
    for seat in (0, 2):
        error = refused(state, seat, BuyBank("L"), "PT-027", "{seat:1} is playing")
        assert isinstance(error, NotYourTurn)


@pytest.mark.rule("PT-029", "PT-I02")
def test_no_pass() -> None:
    refused(position(START, bank="L"), 0, FinishTurn(), "PT-029", "no pass", "Choose an action")


@pytest.mark.rule("PT-045", "PT-I03")
def test_a_kind_that_is_not_in_the_bank() -> None:
    error = refused(position(START, bank="RRP"), 0, BuyBank("L"), "PT-045", "no lake", "2 reside")
    assert set(error.choices) == {"residential", "park"}
    refused(position(START, bank="RRP"), 0, BuyBank("X"), "PT-001", "six are")


@pytest.mark.rule("PT-049", "PT-I04")
def test_another_action_after_drawing() -> None:
    state = position(START, bank="L", stack="GIRR", deck="CN03", gs_deck="GS05")
    state = do(state, 0, DrawBlocks())
    for move in (BuyBank("L"), SwapConstructions(), SwapGreatStructure(), DrawBlocks()):
        refused(state, 0, move, "PT-049", "already drew governmental and industrial")
    for move in (Place("O50"), FinishTurn()):
        refused(state, 0, move, "PT-049")


@pytest.mark.rule("PT-028", "PT-I05")
def test_a_second_action() -> None:
    state = after(START, "R", "O50", bank="L", deck="CN03", gs_deck="GS05")
    for move in (
        BuyBank("L"), DrawBlocks(), SwapConstructions(), SwapGreatStructure(), Place("L50"),
        KeepBlock("R"), SpendMeeple("R"), EndSolo(),
    ):  # fmt: skip
        refused(state, 0, move, "PT-028", "One action a turn")


@pytest.mark.rule("PT-046", "PT-I06")
def test_keeping_what_was_not_drawn() -> None:
    state = do(position(START, stack="GIRR"), 0, DrawBlocks())
    error = refused(state, 0, KeepBlock("R"), "PT-046", "drew governmental and industrial")
    assert error.choices == ("governmental", "industrial")


@pytest.mark.rule("PT-069", "PT-I14")
def test_an_opponents_objective() -> None:
    state = after("M50=C N50=R", "P", "O50", own={0: "CN20", 1: "CN06 GS03"})
    refused(state, 0, Claim("CN06", "N50"), "PT-069", "not your objective", "Fish Farm")
    mine, deck = (refused(state, 0, Claim(t, "N50"), "PT-069").text for t in ("GS03", "GS04"))
    assert mine.replace("Nuclear Plant", "") == deck.replace("Royal Palace", "")
    refused(state, 0, Claim("CN99", "N50"), "PT-005", "no objective")


@pytest.mark.rule("PT-063", "PT-I15")
@pytest.mark.parametrize(
    ("city", "hand", "cell", "pattern"),
    [
        ("M50=C N50=P", "R", "O50", "M50 N50 O50"),
        ("M50=C N50=R", "P", "N51", "M50 N50 N51"),
    ],
)
def test_a_wrong_order_or_a_bend(city: str, hand: str, cell: str, pattern: str) -> None:
    state = after(city, hand, cell)
    words = ("sequence C-R-P", "straight row")
    refused(state, 0, Claim("CN06", cell), "PT-063", *words)
    refused(state, 0, Claim("CN06", cell, tuple(pattern.split())), "PT-063", *words)


@pytest.mark.rule("PT-065", "PT-064", "PT-I16")
def test_a_quarter_turn() -> None:
    state = after("N50=P O50=C N51=I", "G", "O51", own={0: "GS01"})
    refused(state, 0, Claim("GS01", "O51"), "PT-065", "inverted, not turned")
    four = ("N50", "O50", "O51", "N51")
    refused(state, 0, Claim("GS01", "O51", four), "PT-065", "inverted, not turned")
    state = after("N50=C O50=I N51=P", "G", "O51", own={0: "GS01"})
    refused(state, 0, Claim("GS01", "O51"), "PT-064", "diamond")
    refused(state, 0, Claim("GS01", "O51", four), "PT-064", "diamond")


@pytest.mark.rule("PT-066", "PT-I17")
def test_a_pattern_without_the_new_block() -> None:
    state = after("M50=C N50=R O50=P", "L", "N51")
    row = ("M50", "N50", "O50")
    refused(state, 0, Claim("CN06", "N50", row), "PT-066", "just placed on N51")
    refused(state, 0, Claim("CN06", "N50"), "PT-066", "just placed on N51")


@pytest.mark.rule("PT-070", "PT-I18")
def test_what_stood_before() -> None:
    state = position("M50=C N50=R O50=P", bank="L")
    refused(state, 0, Claim("CN06", "N50"), "PT-070", "only by placing one of its Blocks")


@pytest.mark.rule("PT-067", "PT-I19")
def test_a_sealed_cell() -> None:
    state = after("M50=C N50=[CN20/R]", "P", "O50")
    refused(state, 0, Claim("CN06", "O50"), "PT-067", "N50 is covered by an objective tile")
    row = ("M50", "N50", "O50")
    refused(state, 0, Claim("CN06", "O50", row), "PT-067", "N50 is covered by an objective tile")


@pytest.mark.rule("PT-080", "PT-I20")
def test_after_the_new_block_was_sealed() -> None:
    state = after("M50=C N50=R O48=I O49=C", "P", "O50", own={0: "CN06 CN08"})
    state = do(state, 0, Claim("CN06", "O50"))
    refused(state, 0, Claim("CN08", "O48"), "PT-080", "already covered")
    named = Claim("CN08", "O48", ("O48", "O49", "O50"))
    refused(state, 0, named, "PT-080", "already covered")


@pytest.mark.rule("PT-073", "PT-I21")
@pytest.mark.parametrize("seal", ["N51", "L50", "nowhere", ""])
def test_a_seal_outside_the_pattern(seal: str) -> None:
    state = after("M50=C N50=R N51=L", "P", "O50")
    refused(state, 0, Claim("CN06", seal), "PT-073", "choose M50, N50 or O50")


@pytest.mark.rule("PT-072", "PT-128", "PT-I13")
def test_finishing_with_something_to_claim() -> None:
    """Told to the acting player alone, a secret tile included: the error is theirs."""
    state = after("N50=C O50=G N51=P", "I", "O51", own={0: "GS01"})
    refused(state, 0, FinishTurn(), "PT-072", "First claim", "Multinational Headquarters")
    refused(state, 1, FinishTurn(), "PT-027")
    state = after("M50=C N50=L O50=P", "R", "N50")
    refused(state, 0, FinishTurn(), "PT-072", "First claim", "Gated Community")


def test_steps_of_a_swap_that_was_not_begun() -> None:
    state = position(START, bank="L")
    refused(state, 0, KeepBlock("L"), "PT-046")
    refused(state, 0, KeepConstructions(("CN06",)), "PT-030")
    refused(state, 0, KeepGreatStructure("GS01"), "PT-038")
    refused(state, 0, Place("O50"), "PT-028", "take one first")
    refused(state, 0, SpendMeeple("L"), "PT-117", "solo")
    refused(state, 0, EndSolo(), "PT-122", "solo")


@pytest.mark.rule("PT-009", "PT-063")
def test_strange_patterns() -> None:
    state = after("M50=C N50=R", "P", "O50")
    refused(state, 0, Claim("CN06", "O50", ("M50", "N50", "Q")), "PT-009")
    refused(state, 0, Claim("CN06", "O50", ("O50",)), "PT-063")
    refused(state, 0, Claim("CN06", "O50", ("O50", "O50", "O50")), "PT-063")
    refused(state, 0, Claim("CN06", "O50", ()), "PT-066")
    named = Claim("CN06", "M50", ("o50", "n50", "m50"))
    assert do(state, 0, named) == do(state, 0, Claim("CN06", "M50")), "cells in any order"


def test_words_of_a_slash_command_are_refused_by_their_rule() -> None:
    """What fits no legal move reaches the engine as it was typed."""
    state = position(START, hand="C")
    move, _ = resolve(GAME, state, 0, "place", {"cell": "o50"})
    refused(state, 0, move, "PT-053")
    bank = position(START, bank="RRP")
    move, _ = resolve(GAME, bank, 0, "buy_bank", {"block": "Lake"})
    refused(bank, 0, move, "PT-045")
