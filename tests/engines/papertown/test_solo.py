"""The solo game."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engines.core.errors import SetupError
from engines.core.play import start
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
from tests.engines.papertown.positions import claims, covers, do, position, refused, step

PILE = "CN01 CN02 CN03 GS02 CN04 CN05 CN07"


def solo(city: str, hand: str = "", **more: Any) -> PaperState:
    more.setdefault("own", {0: "CN06 CN20 GS01"})
    return position(city, seats=1, mode="solo", hand=hand, **more)


def new(seed: str = "11", **options: Any) -> PaperState:
    return start(GAME, 1, options, seed=seed)[0]


def result_of(state: PaperState) -> Any:
    found = GAME.outcome(state)
    assert found is not None
    return found


@pytest.mark.rule("PT-108", "PT-109", "PT-X34")
def test_blocks_at_the_start() -> None:
    state = new()
    city = "".join(state.shown.values())
    assert (len(city), len(state.bank), len(state.stack)) == (3, 3, 18)
    assert list(state.shown) == ["M51", "N50", "O49"]
    assert Counter(city + state.bank + state.stack) == dict.fromkeys("CGRIPL", 4)
    assert Counter(state.pool) == dict.fromkeys("CGRIPL", 3)
    assert GAME.view(state, None).pool == state.pool


@pytest.mark.rule("PT-110", "PT-124", "PT-125")
def test_meeples_are_an_option() -> None:
    assert new().spare == 3
    assert new(solo_meeples=0).spare == 0
    assert new(solo_meeples=18).spare == 18
    for wrong in (-1, 19):
        with pytest.raises(SetupError, match="solo_meeples"):
            new(solo_meeples=wrong)


@pytest.mark.rule("PT-111", "PT-112", "PT-X34")
def test_the_pile() -> None:
    seen = set()
    for n in range(12):
        state = new(f"{n:02x}")
        assert (len(state.structures[0]), len(state.constructions[0])) == (1, 2)
        order = "".join("G" if t.startswith("GS") else "c" for t in state.pile)
        assert order == "cGcccGccc", "the next is a Construction"
        assert len(state.box) == 20
        seen.add(state.structures[0])
    assert len(seen) > 3, "picked at random"
    hidden = GAME.view(new(), 0)
    assert hidden.pile == 9
    assert not any(t in GAME.board_text(hidden) for t in new().pile)


@pytest.mark.rule("PT-112")
def test_only_revealed_objectives_can_be_claimed() -> None:
    state = do(solo("M50=C N50=R", "P", own={0: "CN01 CN20 GS01"}, pile="CN06"), 0, Place("O50"))
    assert GAME.legal(state, 0) == [FinishTurn()]
    refused(state, 0, Claim("CN06", "O50"), "PT-069", "not your objective")


@pytest.mark.rule("PT-X34", "PT-117", "PT-118", "PT-114")
def test_a_meeple_or_the_bank() -> None:
    state, _ = start(GAME, 1, deal={"blocks": list("LCGRIP" * 4)})
    assert (state.bank, state.shown["M51"]) == ("RIP", "L")
    state = do(state, 0, SpendMeeple("C"))
    assert state.pool.count("C") == 2
    state = do(state, 0, Place("L52"), FinishTurn())
    assert (state.spare, state.bank, len(state.stack)) == (2, "RIP", 18)
    played = step(do(state, 0, BuyBank("I"), Place("K53")), 0, FinishTurn())
    state = played.state
    assert (state.bank, len(state.stack)) == ("RPL", 17), "the next of the stack is L"
    assert [GAME.narrate(e) for e in played.events] == ["New in the bank: a lake Block."]
    assert played.steps[0].reveals


@pytest.mark.rule("PT-X34", "PT-114", "PT-121")
@pytest.mark.parametrize(("meeples", "turns"), [(3, 24), (0, 21)])
def test_how_long_a_game_lasts(meeples: int, turns: int) -> None:
    """Every Block and every meeple makes a turn, if the twelve are not complete before."""
    state = new(solo_meeples=meeples)
    banks = []
    while state.ended is None:
        if state.phase == "choose":
            banks.append(len(state.bank))
        GAME.apply(state, 0, GAME.legal(state, 0)[0])  # without automatic purchases
        GAME.check(state)
    assert state.ended == "solo_blocks"
    assert state.turns == turns
    assert banks[:19] == [3] * 19
    assert banks[19:21] == [2, 1], "it shrinks when the stack is empty"
    assert banks[21:] == [0] * meeples


@pytest.mark.rule("PT-110", "PT-119")
def test_a_claim_lays_a_tile_and_no_meeples() -> None:
    state = solo("M50=C N50=R", "P", pile=PILE)
    state = do(state, 0, Place("O50"), Claim("CN06", "N50"))
    assert state.sealed == {"N50": "CN06"}
    assert (state.meeples, state.completed, state.spare) == ({}, [1], 3)
    assert refused(state, 0, Claim("CN20", "N50"), "PT-063").text


@pytest.mark.rule("PT-072", "PT-122")
def test_claims_are_compulsory() -> None:
    state = do(solo("M50=C N50=R", "P", pile=PILE), 0, Place("O50"))
    refused(state, 0, FinishTurn(), "PT-072", "Gated Community")


@pytest.mark.rule("PT-114", "PT-054")
def test_covers_work_as_usual() -> None:
    assert covers(solo("M50=C N50=L O50=P", "R", pile=PILE)) == {"N50"}


@pytest.mark.rule("PT-120", "PT-084", "PT-I23")
def test_the_next_objective_counts_from_the_next_block() -> None:
    """CN08 (I-C-P) comes up while its row stands: only a new Block completes it."""
    state = solo(
        "M50=C N50=R O48=I O49=C", "P", pile="CN08 CN01", bank="PGL", stack="",
        own={0: "CN06 CN20 GS04"},
    )  # fmt: skip
    state = do(state, 0, Place("O50"), Claim("CN06", "M50"))
    played = step(state, 0, FinishTurn())
    state = played.state
    assert state.constructions[0] == ("CN20", "CN08")
    assert GAME.narrate(played.events[-1]) == "Revealed: Trade Fair (I-C-P)."
    refused(state, 0, Claim("CN08", "O50"), "PT-084", "next Block")
    refused(state, 0, Claim("CN20", "O50"), "PT-070")
    state = do(state, 0, BuyBank("P"), Place("O50"))
    assert {t for t, _ in claims(state)} == {"CN08"}


@pytest.mark.rule("PT-120")
def test_two_claims_reveal_two_and_an_empty_pile_fewer() -> None:
    city = "M50=C N50=R O48=I O49=C"
    state = solo(city, "P", own={0: "CN06 CN08 GS04"}, pile="GS02 CN01 CN02", bank="LLL")
    state = do(state, 0, Place("O50"), Claim("CN06", "M50"), Claim("CN08", "O48"), FinishTurn())
    assert state.structures[0] == ("GS04", "GS02")
    assert (state.constructions[0], state.pile) == (("CN01",), ("CN02",))
    state = solo(city, "P", own={0: "CN06 CN08 GS04"}, pile="GS02", bank="LLL")
    state = do(state, 0, Place("O50"), Claim("CN06", "M50"), Claim("CN08", "O48"), FinishTurn())
    assert (state.structures[0], state.constructions[0]) == (("GS04", "GS02"), ())


@pytest.mark.rule("PT-115", "PT-116", "PT-I30")
def test_no_unseen_draws_and_no_swaps() -> None:
    for state in (new(), do(new(), 0, GAME.legal(new(), 0)[0])):
        for move in (DrawBlocks(), KeepBlock("C")):
            refused(state, 0, move, "PT-115", "solo")
        for swap in (
            SwapConstructions(), SwapGreatStructure(), KeepConstructions(()),
            KeepGreatStructure(""),
        ):  # fmt: skip
            refused(state, 0, swap, "PT-116", "solo")


@pytest.mark.rule("PT-117", "PT-I31")
def test_no_meeple_or_no_block_to_spend_it_for() -> None:
    refused(new(solo_meeples=0), 0, SpendMeeple("C"), "PT-117", "no meeple left")
    state = solo("N50=C", bank="GGG", pool="LLL", stack="CCRRIIPPGG", pile=PILE)
    state.pool, state.under["N50"] = "LLL", state.pool[:-3]
    refused(state, 0, SpendMeeple("G"), "PT-117", "out of play", "3 lake")
    assert SpendMeeple("L") in GAME.legal(state, 0)


@pytest.mark.rule("PT-122", "PT-I32")
def test_no_end_while_blocks_are_there() -> None:
    state = solo("N50=C", bank="G", pool="LLL", pile=PILE)
    refused(state, 0, EndSolo(), "PT-122", "1 governmental")


@pytest.mark.rule("PT-121", "PT-122", "PT-117")
def test_spend_or_end() -> None:
    state = solo("N50=C", spare=2, pool="LLL", pile=PILE)
    assert {m.kind for m in GAME.legal(state, 0)} == {"spend_meeple", "end_solo"}
    ended = step(state, 0, EndSolo())
    assert ended.state.ended == "solo_stopped"
    assert ended.steps[0].reveals
    spent = do(state, 0, SpendMeeple("L"), Place("O51"), FinishTurn())
    assert (spent.ended, spent.spare) == (None, 1)
    spent = do(spent, 0, SpendMeeple("L"), Place("P52"), FinishTurn())
    assert (spent.ended, spent.spare) == ("solo_blocks", 0)


@pytest.mark.rule("PT-X35", "PT-113", "PT-123")
@pytest.mark.parametrize(
    ("left", "pile", "completed", "total"),
    [
        ("CN06 CN20 GS01", "CN01 CN02 CN03 GS02 CN04 CN05 CN07 GS03 CN08", 0, 15),
        ("CN06 GS01 GS02", "CN01 CN02 CN03 CN04", 5, 9),
        ("CN06", "", 11, 1),
    ],
)
def test_score(left: str, pile: str, completed: int, total: int) -> None:
    state = solo("N50=C", own={0: left}, pile=pile, completed=(completed,), pool="LLL")
    result = result_of(do(state, 0, EndSolo()))
    assert result.ranking == ((0,),)
    assert result.scores[0].total == total
    assert sum(points for _, points in result.scores[0].lines) == total
    assert f"score {total}:" in result.note
    assert "0 is perfect" in result.note


@pytest.mark.rule("PT-X35", "PT-122", "PT-123")
def test_all_twelve_end_the_game_at_once() -> None:
    """Blocks and meeples are left, the last claim's turn is still finished."""
    state = solo("M50=C N50=R", "P", own={0: "CN06"}, completed=(11,), bank="GG", pool="LLL")
    state = do(state, 0, Place("O50"), Claim("CN06", "O50"))
    assert state.ended is None
    state = do(state, 0, FinishTurn())
    assert state.ended == "solo_complete"
    result = result_of(state)
    assert result.scores[0].total == 0
    assert "Perfect" in result.note


@pytest.mark.rule("PT-122", "PT-114")
def test_the_bank_is_refilled_before_the_end_is_checked() -> None:
    state = solo("N50=C", "L", stack="R", spare=0, pile=PILE)
    state = do(state, 0, Place("O51"), FinishTurn())
    assert (state.ended, state.stack) == (None, "")
    assert (state.hand, state.phase) == ("R", "place"), "the only possible purchase is made at once"
