"""What is public, what can be taken back, and the texts."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engines.core.play import start
from engines.papertown import GAME
from engines.papertown.moves import (
    BuyBank,
    Claim,
    DrawBlocks,
    FinishTurn,
    KeepBlock,
    KeepConstructions,
    KeepGreatStructure,
    Place,
    SwapConstructions,
    SwapGreatStructure,
)
from engines.papertown.state import PaperState
from tests.engines.papertown.positions import do, position, step

CITY = "M50=C*grey N50=R O50=[CN20/I]*blue"


@pytest.mark.rule("PT-126")
def test_public_facts() -> None:
    state = position(
        CITY, hand="P", own={0: "CN06 CN07 GS01", 1: "CN08 CN09 GS02"}, deck="CN01 CN02",
        gs_deck="GS03", bank="LLG", stack="RRII",
    )  # fmt: skip
    view = GAME.view(state, None)
    cells = {c.name: (c.kind, c.tile, c.meeple) for c in view.cells}
    assert cells == {"M50": ("C", "", 1), "N50": ("R", "", None), "O50": ("", "CN20", 0)}
    assert (view.bank, view.stack, view.construction_deck, view.structure_deck) == ("LLG", 4, 2, 1)
    assert view.constructions == (("CN06", "CN07"), ("CN08", "CN09"))
    assert (view.supplies, view.on_city, view.completed) == ((11, 11), (1, 1), (0, 1))
    assert (view.to_act, view.phase, view.hand) == (0, "place", "P")
    assert (view.structure_counts, view.structures) == ((1, 1), ((), ()))
    text = GAME.board_text(view)
    for word in ("50 C*grey", "50 [CN20]*blue", "2 lake and 1 governmental", "Gated Community"):
        assert word in text


@pytest.mark.rule("PT-014", "PT-I27")
def test_a_great_structure_is_its_owners_alone() -> None:
    state = position(CITY, own={0: "GS01", 1: "GS02"})
    assert GAME.view(state, 0).structures == (("GS01",), ())
    assert GAME.view(state, 1).structures == ((), ("GS02",))
    assert GAME.view(state, None).structures == ((), ())
    hand = GAME.hand(GAME.view(state, 0))
    assert hand is not None
    assert hand.title == "Your Great Structure: Multinational Headquarters"
    assert (
        hand.lines[0]
        == "C-G-I-P: top commercial, right governmental, bottom industrial, left park."
    )
    assert GAME.hand(GAME.view(state, None)) is None


@pytest.mark.rule("PT-013")
def test_constructions_are_open_to_everybody() -> None:
    state, events = start(GAME, 3, seed="13")
    dealt = next(e for e in events if e.kind == "dealt")
    assert dealt.to is None
    for viewer in (0, 1, 2, None):
        assert GAME.view(state, viewer).constructions == tuple(state.constructions)


@pytest.mark.rule("PT-015", "PT-022")
def test_piles_show_their_size_only() -> None:
    """The same view whatever their order."""
    state, _ = start(GAME, 2, seed="15")
    other = state.clone()
    other.stack = other.stack[::-1]
    other.construction_deck = other.construction_deck[::-1]
    other.structure_deck = other.structure_deck[::-1]
    for viewer in (0, 1, None):
        assert GAME.view(state, viewer) == GAME.view(other, viewer)


BASE: dict[str, Any] = {
    "bank": "LP", "stack": "GIRR", "deck": "CN01 CN02 CN03", "gs_deck": "GS05 GS07",
}  # fmt: skip
OWN = {0: "CN06 CN20 GS01"}


def moved(city: str, *moves: Any) -> bool:
    """Whether the last of the moves may not be taken back."""
    state: PaperState = position(city, own=OWN, **BASE)
    state = do(state, 0, *moves[:-1])
    return step(state, 0, moves[-1]).steps[0].reveals


@pytest.mark.rule("PT-047", "PT-086", "PT-127")
@pytest.mark.parametrize(
    ("city", "moves", "stop"),
    [
        ("M50=C N50=R", [BuyBank("P")], False),
        ("M50=C N50=R", [DrawBlocks()], True),
        ("M50=C N50=R", [DrawBlocks(), KeepBlock("G")], True),
        ("M50=C N50=R", [SwapConstructions()], True),
        ("M50=C N50=R",
         [SwapConstructions(), KeepConstructions(("CN06", "CN20"), ("CN01", "CN02"))], False),
        ("M50=C N50=R", [SwapGreatStructure()], True),
        ("M50=C N50=R",
         [SwapGreatStructure(), KeepGreatStructure("GS01", ("GS05", "GS07"))], False),
        ("M50=C N50=R", [BuyBank("P"), Place("O50")], False),
        ("M50=C N50=R", [BuyBank("P"), Place("O50"), Claim("CN06", "O50")], False),
        ("N50=C O50=G O51=I", [BuyBank("P"), Place("N51"), Claim("GS01", "O50")], True),
        ("M50=C N50=R", [BuyBank("P"), Place("O51"), FinishTurn()], False),
        ("M50=C N50=R", [BuyBank("P"), Place("O50"), Claim("CN06", "O50"), FinishTurn()], True),
    ],
)  # fmt: skip
def test_what_can_be_taken_back(city: str, moves: list[Any], stop: bool) -> None:
    assert moved(city, *moves) is stop


def late_position() -> PaperState:
    """Four players, a full city that sprawls, long names everywhere."""
    rand = random.Random(7)
    state, _ = start(GAME, 4, seed="77")
    while state.ended is None:
        seat = state.turn
        moves = [m for m in GAME.legal(state, seat) if "swap" not in m.kind]
        after = do(state, seat, rand.choice(moves))
        if after.ended:
            return state
        state = after
    raise AssertionError


def test_texts_fit_with_real_names() -> None:
    """Placeholders become names of up to 32 characters."""
    state = late_position()
    for viewer in (None, 0):
        view = GAME.view(state, viewer)
        long = {f"{{seat:{s}}}": "W" * 32 for s in range(4)}
        for text, most in ((GAME.board_text(view), 1800), (GAME.alt(view), 1024)):
            for mark, name in long.items():
                text = text.replace(mark, name)
            assert len(text) <= most


def test_the_absent_player_plays_on_and_completes() -> None:
    """Matches of moves made for absent players end, mostly by the twelfth meeple."""
    ends = []
    for n in range(4):
        state, _ = start(GAME, 2, seed=f"{n:02x}")
        for _ in range(400):
            if state.ended is not None:
                break
            seat = state.turn
            move = GAME.safest(state, seat)
            assert move in GAME.legal(state, seat)
            assert "swap" not in move.kind
            state = do(state, seat, move)
        ends.append(state.ended)
    assert ends.count("meeples") >= 3
    assert None not in ends


def test_the_absent_player_uses_only_what_the_seat_knows() -> None:
    """The Great Structure of another changes nothing."""
    city = "N50=C O50=G N51=P"
    chosen = {
        GAME.safest(position(city, hand="I", own={0: "CN06", 1: tile}), 0)
        for tile in ("GS01", "GS02", "GS05")
    }
    assert len(chosen) == 1


def test_only_a_last_purchase_of_solo_is_forced() -> None:
    state = position("N50=C", seats=1, mode="solo", bank="GG", spare=0)
    assert GAME.legal(state, 0) == [BuyBank("G")]
    assert GAME.forced(state, 0, BuyBank("G"))
    claim = do(position("M50=C", hand="I"), 0, Place("N50"))
    assert GAME.legal(claim, 0) == [FinishTurn()]
    assert not GAME.forced(claim, 0, FinishTurn())
