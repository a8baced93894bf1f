"""Slash commands, pickers and labels."""

from __future__ import annotations

import random

import pytest

from engines.core.surface import complete, phrases, pick, resolve
from engines.papertown import GAME
from engines.papertown.grid import PLACES
from engines.papertown.moves import Claim, KeepConstructions, Place, SwapConstructions
from engines.papertown.state import PaperState
from tests.engines.papertown.positions import do, position, refused

START = "M51=L N50=C O49=G"


def options(state: PaperState, *path: str) -> list[str]:
    return [c.value for c in pick(GAME, state, 0, list(path))[0].choices]


def test_one_subcommand_for_each_decision() -> None:
    assert [c.name for c in GAME.commands()] == [
        "buy_bank", "draw_blocks", "keep_block", "spend_meeple", "place", "claim", "finish_turn",
        "swap_constructions", "keep_constructions", "swap_great_structure", "keep_great_structure",
        "end_solo",
    ]  # fmt: skip


def test_the_picker_asks_column_then_row_and_sets_covers_apart() -> None:
    wide = "K53=L L52=C M51=G N50=L O49=G P48=C Q47=L M50=P O50=C"
    state = position(wide, hand="R")
    assert len(phrases(GAME, state, 0)) > 25
    columns = options(state)
    assert columns[:3] == ["column J", "column K", "column L"]
    assert columns[-1] == "build over a Block"
    rows = options(state, "place", "@column L")
    assert rows
    assert all(PLACES[cell][0] == PLACES["L50"][0] for cell in rows)
    assert options(state, "place", "@build over a Block") == [], "a single cover is taken at once"
    assert pick(GAME, state, 0, ["place", "@build over a Block"])[0].move == Place("N50")


@pytest.mark.parametrize("shape", ["diagonal", "column", "row", "random"])
def test_picker_lists_never_hold_more_than_25(shape: str) -> None:
    """Even in cities that sprawl as far as 42 Blocks can."""
    rand = random.Random(25)
    steps = {"diagonal": (1, 1), "column": (0, 1), "row": (1, 0)}
    for _ in range(10 if shape == "random" else 1):
        x, y = -19, -19
        cells = [(x, y)]
        while len(cells) < 40:
            dx, dy = steps.get(shape) or rand.choice([(1, 1), (1, -1), (0, 1), (1, 0)])
            x, y = max(-39, x + dx), min(39, y + dy)
            if (x, y) not in cells:
                cells.append((x, y))
        names = {place: name for name, place in PLACES.items()}
        kinds = "CGIPL" if shape == "random" else "CG"
        state = position(" ".join(f"{names[c]}=[CN01]" for c in cells[:1]), hand="R")
        state.shown = {names[c]: kinds[sum(c) % len(kinds)] for c in cells[1:]}
        step, _ = pick(GAME, state, 0, [])
        assert step.facet
        assert len(step.choices) <= 25
        for choice in step.choices:
            inner, _ = pick(GAME, state, 0, ["place", "@" + choice.value])
            assert inner.move is not None or 1 <= len(inner.choices) <= 25


def test_labels_say_what_a_cell_completes() -> None:
    state = position("M50=C N50=L O50=P N51=I", hand="R", own={0: "CN06 CN20"})
    view = GAME.view(state, 0)
    assert GAME.label(view, "place", "cell", "N50") == (
        "N50, over the lake Block, completes Gated Community"
    )
    assert GAME.label(view, "place", "cell", "L51") == "L51"
    public = GAME.view(state, None)
    assert GAME.label(public, "place", "cell", "N50") == "N50, over the lake Block"


def test_labels_of_a_claim() -> None:
    state = position(
        "M50=C*grey N50=R", seats=4, mode="pairs", hand="P", own={0: "GS01", 2: "CN06"}
    )
    view = GAME.view(do(state, 0, Place("O50")), 0)
    assert GAME.label(view, "claim", "objective", "CN06") == (
        "Gated Community (C-R-P), your partner’s: one meeple"
    )
    assert GAME.label(view, "claim", "seal", "M50") == "M50, commercial with a grey meeple"


def test_typed_words_find_moves() -> None:
    state = position(START, bank="LLP", own={0: "CN01 CN02"}, deck="CN03 CN04")
    for typed in ("L", "lake", "Lak", "lake (L), 2 in the bank"):
        move, _ = resolve(GAME, state, 0, "buy_bank", {"block": typed})
        assert GAME.phrase(move).args == {"block": "L"}
    lake = do(state, 0, move)
    assert resolve(GAME, lake, 0, "place", {"cell": "p50"})[0] == Place("P50")
    swap = do(state, 0, SwapConstructions())
    named, _ = resolve(
        GAME, swap, 0, "keep_constructions", {"keep": "cn01, cn03", "bottom": "cn04 cn02"}
    )
    assert do(swap, 0, named).constructions[0] == ("CN01", "CN03")


def test_one_order_is_asked_for_after_the_choice() -> None:
    state = do(position(START, own={0: "CN01 CN02"}, deck="CN03 CN04"), 0, SwapConstructions())
    move, _ = resolve(GAME, state, 0, "keep_constructions", {"keep": "CN01 CN02"})
    assert move == KeepConstructions(("CN01", "CN02"))
    refused(state, 0, move, "PT-033", "every other tile once")


@pytest.mark.rule("PT-085")
def test_a_claim_needs_a_pattern_only_if_there_are_two() -> None:
    one = do(position("M50=C N50=R", hand="P"), 0, Place("O50"))
    assert resolve(GAME, one, 0, "claim", {"objective": "gated", "seal": "N50"})[0] == Claim(
        "CN06", "N50"
    )
    two = do(position("M50=C N50=R P50=R Q50=C", hand="P"), 0, Place("O50"))
    words = {"objective": "CN06", "seal": "O50"}
    assert {c.value for c in complete(GAME, two, 0, "claim", words, "pattern", "")} == {
        "M50 N50 O50", "Q50 P50 O50",
    }  # fmt: skip
    move, _ = resolve(GAME, two, 0, "claim", words)
    refused(two, 0, move, "PT-085", "fits more than once")
    only = resolve(GAME, two, 0, "claim", {"objective": "CN06", "seal": "Q50"})[0]
    assert only == Claim("CN06", "Q50", ("Q50", "P50", "O50")), "the seal tells which"


def test_at_most_nine_choices_begin_a_turn() -> None:
    state = position(START, bank="CGRIPLL", deck="CN03", gs_deck="GS05")
    assert len(GAME.legal(state, 0)) == 9
