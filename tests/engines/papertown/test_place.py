"""Buying and placing Blocks."""

from __future__ import annotations

import random

import pytest

from engines.core.play import start
from engines.papertown import GAME
from engines.papertown.grid import NAMES, PLACES
from engines.papertown.moves import (
    BuyBank,
    Claim,
    DrawBlocks,
    FinishTurn,
    KeepBlock,
    Place,
    SwapConstructions,
    SwapGreatStructure,
)
from engines.papertown.phases.place import open_cells
from tests.engines.papertown.positions import (
    cells,
    claims,
    covers,
    do,
    position,
    refused,
    step,
)

START = "M51=L N50=C O49=G"


# ---- the turn --------------------------------------------------------------------------------


@pytest.mark.rule("PT-026", "PT-028", "PT-029")
def test_a_turn_begins_with_one_of_three_actions() -> None:
    state = position(START, bank="LLP", deck="CN03 CN04", gs_deck="GS02")
    assert GAME.legal(state, 0) == [
        BuyBank("P"), BuyBank("L"), DrawBlocks(), SwapConstructions(), SwapGreatStructure(),
    ]  # fmt: skip
    assert GAME.legal(state, 1) == []


@pytest.mark.rule("PT-029")
def test_without_bank_and_decks_the_stack_is_left() -> None:
    assert GAME.legal(position(START), 0) == [DrawBlocks()]


@pytest.mark.rule("PT-027", "PT-050")
def test_the_next_seat_follows_and_the_last_is_followed_by_the_first() -> None:
    state = position(START, seats=3, bank="RIP")
    order = []
    for kind, cell in zip("RIP", ("L50", "L52", "P48"), strict=True):
        seat = state.turn
        order.append(seat)
        state = do(state, seat, BuyBank(kind), Place(cell), FinishTurn())
    assert [*order, state.turn] == [0, 1, 2, 0]


# ---- buying ----------------------------------------------------------------------------------


@pytest.mark.rule("PT-044", "PT-045")
def test_a_bank_block_is_not_replaced() -> None:
    state = do(position(START, bank="LPL"), 0, BuyBank("L"))
    assert (state.bank, state.hand) == ("PL", "L")
    assert len(state.stack) == len(position(START, bank="LPL").stack)


@pytest.mark.rule("PT-044", "PT-046")
def test_a_stack_purchase_keeps_one_and_banks_the_other() -> None:
    state = do(position(START, bank="P", stack="GIRR"), 0, DrawBlocks())
    assert GAME.legal(state, 0) == [KeepBlock("G"), KeepBlock("I")]
    state = do(state, 0, KeepBlock("I"))
    assert (state.hand, state.bank, state.stack) == ("I", "PG", "RR")


@pytest.mark.rule("PT-X33", "PT-046")
def test_two_equal_blocks_are_one_choice() -> None:
    state = do(position(START, bank="L", stack="GGRI"), 0, DrawBlocks())
    assert GAME.legal(state, 0) == [KeepBlock("G")]
    assert state.phase == "keep_block", "it is not played automatically"
    state = do(state, 0, KeepBlock("G"))
    assert (state.hand, state.bank, state.stack) == ("G", "LG", "RI")


@pytest.mark.rule("PT-047")
def test_only_the_buyer_sees_what_was_drawn() -> None:
    played = step(position(START, stack="GIRR"), 0, DrawBlocks())
    assert GAME.view(played.state, 0).drawn_blocks == "GI"
    assert [GAME.view(played.state, v).drawn_blocks for v in (1, None)] == ["", ""]
    told = {e.to: GAME.narrate(e) for e in played.events}
    assert told == {
        None: "{seat:0} draws 2 Blocks from the stack.",
        (0,): "You drew governmental and industrial. Keep one.",
    }
    kept = step(played.state, 0, KeepBlock("G"))
    assert GAME.narrate(kept.events[0]) == (
        "{seat:0} keeps a governmental Block; an industrial Block goes to the bank."
    )
    assert kept.events[0].to is None
    assert kept.steps[0].reveals


@pytest.mark.rule("PT-048")
def test_the_bank_has_no_fixed_size() -> None:
    state = position(START, bank="CCGGRRIIPPLL")
    assert sum(isinstance(m, BuyBank) for m in GAME.legal(state, 0)) == 6
    state = position(START)
    assert state.bank == ""
    assert not any(isinstance(m, BuyBank) for m in GAME.legal(state, 0))


@pytest.mark.rule("PT-049")
def test_a_bought_block_must_be_placed() -> None:
    state = do(position(START, bank="PP", deck="CN03"), 0, BuyBank("P"))
    assert all(isinstance(m, Place) for m in GAME.legal(state, 0))
    for move in (FinishTurn(), BuyBank("P"), SwapConstructions(), Claim("CN06", "N50")):
        refused(state, 0, move, "PT-049", "place it")


@pytest.mark.rule("PT-051")
def test_the_stack_is_even_between_turns() -> None:
    rand = random.Random(51)
    for seats, mode in ((2, "ffa"), (3, "ffa"), (4, "pairs")):
        state, _ = start(GAME, seats, {"mode": mode}, seed="51")
        sizes = {36}
        while state.ended is None:
            seat = state.turn
            state = do(state, seat, rand.choice(list(GAME.legal(state, seat))))
            if state.phase == "choose":
                sizes.add(len(state.stack))
        assert all(n % 2 == 0 for n in sizes)
        assert len(state.stack) in (0, *sizes)


# ---- placing on empty cells ------------------------------------------------------------------

X03 = [
    "L50",
    "L51",
    "L52",
    "M49",
    "M50",
    "M52",
    "N48",
    "N49",
    "N51",
    "N52",
    "O48",
    "O50",
    "O51",
    "P48",
    "P49",
    "P50",
]  # every free cell


@pytest.mark.rule("PT-X03", "PT-052", "PT-053")
@pytest.mark.parametrize(
    ("hand", "closed"),
    [
        ("R", ""), ("I", ""), ("P", ""),
        ("C", "M50 N49 N51 O50"), ("G", "N49 O48 O50 P49"), ("L", "L51 M50 M52 N51"),
    ],
)  # fmt: skip
def test_the_first_placement(hand: str, closed: str) -> None:
    found = cells(position(START, hand=hand))
    assert found == set(X03) - set(closed.split())
    assert len(X03) == 16


@pytest.mark.rule("PT-X04", "PT-053", "PT-I07", "PT-I08")
def test_corners_and_sides() -> None:
    assert do(position(START, hand="C"), 0, Place("O51")).shown["O51"] == "C"
    refused(position(START, hand="C"), 0, Place("O50"), "PT-053", "commercial", "N50")
    refused(position(START, hand="R"), 0, Place("P51"), "PT-052", "touches no Block")


@pytest.mark.rule("PT-052")
def test_one_corner_is_enough() -> None:
    assert cells(position("N50=C", hand="C")) == {"M49", "M51", "O49", "O51"}
    assert len(cells(position("N50=C", hand="R"))) == 8


@pytest.mark.rule("PT-053")
def test_three_equal_starting_blocks() -> None:
    state = position("M51=C N50=C O49=C", hand="C")
    beside = {"L51", "M50", "M52", "N51", "N49", "O50", "O48", "P49"}
    assert len(beside) == 8
    assert cells(state) == set(X03) - beside


@pytest.mark.rule("PT-058")
def test_a_sealed_cell_shows_no_kind() -> None:
    assert "O50" in cells(position("N50=[CN01/C]", hand="C"))
    assert "O50" not in cells(position("N50=C", hand="C"))


@pytest.mark.rule("PT-059")
def test_a_sealed_cell_is_something_to_touch() -> None:
    assert len(cells(position("N50=[CN01/C]", hand="C"))) == 8


@pytest.mark.rule("PT-060")
def test_a_legal_cell_always_exists() -> None:
    """From the cell with the largest x, then y, (x + 1, y + 1) has no side neighbour."""
    rand = random.Random(60)
    for number in range(20):
        state, _ = start(GAME, 3, seed=f"{number:04x}")
        while state.ended is None:
            seat = state.turn
            moves = list(GAME.legal(state, seat))
            if state.phase == "place":
                x, y = max(PLACES[c] for c in (*state.shown, *state.sealed))
                for kind in "CGRIPL":
                    assert NAMES[x + 1, y + 1] in open_cells(state, kind)
                moves = [m for m in moves if m.cell in state.shown] or moves
            state = do(state, seat, rand.choice(moves))


@pytest.mark.rule("PT-061")
def test_a_block_that_completes_nothing() -> None:
    state = do(position(START, hand="R"), 0, Place("L52"))
    assert GAME.legal(state, 0) == [FinishTurn()]
    assert do(state, 0, FinishTurn()).turn == 1


# ---- covers ----------------------------------------------------------------------------------


@pytest.mark.rule("PT-X16", "PT-054", "PT-055", "PT-072")
def test_a_cover_completes_something_and_must_be_claimed() -> None:
    city = "M50=C N50=L O50=P"
    state = position(city, hand="R")
    assert covers(state) == {"N50"}
    state = do(state, 0, Place("N50"))
    refused(state, 0, FinishTurn(), "PT-072", "Gated Community")
    assert claims(state) == {("CN06", "M50"), ("CN06", "N50"), ("CN06", "O50")}
    assert covers(position(city, hand="R", own={0: "CN20", 1: "CN06"})) == set()


@pytest.mark.rule("PT-X17", "PT-055", "PT-071")
@pytest.mark.parametrize(("hand", "cell"), [("C", "M50"), ("R", "N50"), ("P", "O50")])
def test_a_cover_of_the_same_kind(hand: str, cell: str) -> None:
    state = position("M50=C N50=R O50=P", hand=hand)
    assert covers(state) == {cell}
    assert len(claims(do(state, 0, Place(cell)))) == 3


@pytest.mark.rule("PT-X17", "PT-066", "PT-070")
def test_what_stands_is_not_complete() -> None:
    state = do(position("M50=C N50=R O50=P", hand="L"), 0, Place("N51"))
    assert GAME.legal(state, 0) == [FinishTurn()]


@pytest.mark.rule("PT-X18", "PT-056", "PT-058", "PT-I11")
def test_a_cover_obeys_its_neighbours() -> None:
    state = position("M50=C N50=L O50=P N51=R", hand="R")
    assert covers(state) == set()
    refused(state, 0, Place("N50"), "PT-056", "residential", "N51")
    assert covers(position("M50=C N50=L O50=P N51=[CN20/R]", hand="R")) == {"N50"}


@pytest.mark.rule("PT-056", "PT-071")
def test_a_cell_may_be_covered_again_and_again() -> None:
    """Blue lays R over L, then Grey lays L over R and sends Blue’s meeple home."""
    state = position(
        "M50=C N50=L O50=P N49=G N51=I", hand="R", own={0: "CN06", 1: "CN15"}, bank="L"
    )
    state = do(state, 0, Place("N50"), Claim("CN06", "M50"), FinishTurn())
    assert state.meeples["N50"] == 0
    state = do(state, 1, BuyBank("L"), Place("N50"), Claim("CN15", "N49"))
    assert (state.shown["N50"], state.under["N50"]) == ("L", "LR")
    assert state.meeples["N50"] == 1


@pytest.mark.rule("PT-X19", "PT-057", "PT-067", "PT-I12")
def test_sealed_cells_are_never_covered_and_match_nothing() -> None:
    for hand in "CGRIPL":
        state = position("M50=C N50=[CN20/R] O50=P", hand=hand)
        assert covers(state) == set()
        refused(state, 0, Place("N50"), "PT-057", "objective tile")
    city = "M50=[CN01/C] N50=R"
    assert claims(do(position(city, hand="P"), 0, Place("O50"))) == set()
    assert "L50" in cells(position(city, hand="C"))


@pytest.mark.rule("PT-054", "PT-I10")
def test_no_cover_without_an_objective() -> None:
    state = position("M50=C N50=L O50=P", hand="I")
    refused(state, 0, Place("N50"), "PT-054", "only to complete an objective")


@pytest.mark.rule("PT-054", "PT-128")
def test_an_own_secret_great_structure_allows_a_cover() -> None:
    """C over L completes it; the list is the owner's alone."""
    city = "N50=L O50=G O51=I N51=P"
    state = position(city, hand="C", own={0: "GS01"})
    assert covers(state) == {"N50"}
    state = do(state, 0, Place("N50"))
    assert {m.kind for m in GAME.legal(state, 0)} == {"claim"}
    assert GAME.legal(state, 1) == []
    assert covers(position(city, hand="C", own={1: "GS01"})) == set()


@pytest.mark.rule("PT-009", "PT-I09")
@pytest.mark.parametrize("word", ["N5", "N5O", "", "ZZZ50", "BC50"])
def test_no_such_cell(word: str) -> None:
    refused(position(START, hand="R"), 0, Place(word), "PT-009", "letters and two digits", "N50")
