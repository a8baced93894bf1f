"""Which rows and diamonds complete an objective."""

from __future__ import annotations

from itertools import permutations

import pytest

from engines.papertown.patterns import completing, matches
from tests.engines.papertown.positions import matched

# ---- Constructions ---------------------------------------------------------------------------


@pytest.mark.rule("PT-X05", "PT-X06", "PT-X07", "PT-X08", "PT-X09", "PT-062")
@pytest.mark.parametrize(
    ("city", "hand", "cell", "pattern"),
    [
        pytest.param("M50=C N50=R", "P", "O50", "M50 N50 O50", id="X05"),
        pytest.param("M50=P N50=R", "C", "O50", "O50 N50 M50", id="X06"),
        pytest.param("N49=C N50=R", "P", "N51", "N49 N50 N51", id="X07"),
        pytest.param("N49=P N50=R", "C", "N51", "N51 N50 N49", id="X08"),
        pytest.param("M50=C O50=P N51=L", "R", "N50", "M50 N50 O50", id="X09"),
    ],
)
def test_gated_community(city: str, hand: str, cell: str, pattern: str) -> None:
    assert matched(city, hand, cell) == {("CN06", *pattern.split())}


@pytest.mark.rule("PT-X10", "PT-X11", "PT-063")
@pytest.mark.parametrize(
    ("city", "hand", "cell"),
    [
        pytest.param("M50=C N50=P", "R", "O50", id="order C-P-R"),
        pytest.param("M50=R N50=C", "P", "O50", id="order R-C-P"),
        pytest.param("M50=C N50=R", "P", "N51", id="bend"),
        pytest.param("M49=C N50=R", "P", "O51", id="corners only"),
        pytest.param("M50=C N50=R O51=L", "P", "P50", id="gap"),
    ],
)
def test_no_gated_community(city: str, hand: str, cell: str) -> None:
    assert matched(city, hand, cell) == set()


@pytest.mark.rule("PT-062", "PT-063")
def test_exactly_four_ways_through_each_place() -> None:
    """Of all ways to lay C, R, P on N50 and two cells around it, twelve make the row: four with N50
    first, four with it in the middle, four with it last."""
    around = [f"{c}{r}" for c in "LMNOP" for r in range(48, 53)]
    found = {
        matches({a: x, b: y}, "N50", z, "CN06", "flip4")[0]
        for a, b in permutations([c for c in around if c != "N50"], 2)
        for x, y, z in permutations("CRP")
        if matches({a: x, b: y}, "N50", z, "CN06", "flip4")
    }
    assert len(found) == 12
    assert [sum(p[i] == "N50" for p in found) for i in range(3)] == [4, 4, 4]


@pytest.mark.rule("PT-068")
def test_meeples_do_not_matter() -> None:
    assert matched("M50=C*grey N50=R*blue", "P", "O50") == {("CN06", "M50", "N50", "O50")}


# ---- Great Structures ------------------------------------------------------------------------


def diamond(kinds: str) -> tuple[str, str, str]:
    """City, Block and cell: N50, O50, N51 lie there, the fourth is placed on O51."""
    top, right, left, bottom = kinds
    return f"N50={top} O50={right} N51={left}", bottom, "O51"


HEADQUARTERS = {("GS01", "N50", "O50", "O51", "N51")}


@pytest.mark.rule("PT-X12", "PT-064")
def test_headquarters_as_printed() -> None:
    assert matched(*diamond("CGPI"), own={0: "GS01"}) == HEADQUARTERS


@pytest.mark.rule("PT-X13", "PT-X14", "PT-X15", "PT-065")
@pytest.mark.parametrize(
    ("kinds", "accepted"),
    [
        ("CGPI", "rot180 flip4 all8"),
        ("IGPC", "flip4 all8"),
        ("CPGI", "flip4 all8"),
        ("IPGC", "rot180 flip4 all8"),
        ("PCIG", "all8"), ("GICP", "all8"), ("GCIP", "all8"), ("PICG", "all8"),
        ("CIPG", ""), ("GCPI", ""),
    ],
)  # fmt: skip
@pytest.mark.parametrize("symmetry", ["rot180", "flip4", "all8"])
def test_headquarters_inverted_and_turned(kinds: str, accepted: str, symmetry: str) -> None:
    found = matched(*diamond(kinds), own={0: "GS01"}, symmetry=symmetry)
    assert found == (HEADQUARTERS if symmetry in accepted.split() else set())


@pytest.mark.rule("PT-064")
@pytest.mark.parametrize(
    ("city", "hand", "cell"),
    [
        ("N50=C O50=G O51=I", "P", "N51"), ("N50=C N51=P O51=I", "G", "O50"),
        ("N51=P O50=G O51=I", "C", "N50"),
    ],
)  # fmt: skip
def test_any_of_the_four_may_be_the_last(city: str, hand: str, cell: str) -> None:
    assert matched(city, hand, cell, own={0: "GS01"}) == HEADQUARTERS


@pytest.mark.rule("PT-064")
def test_four_in_a_row_are_no_diamond() -> None:
    assert matched("N50=C O50=G P50=I", "P", "Q50", own={0: "GS01"}) == set()


@pytest.mark.rule("PT-067")
def test_a_sealed_cell_is_in_no_pattern() -> None:
    assert matched("N50=[CN20/C] O50=G N51=P", "I", "O51", own={0: "GS01"}) == set()
    assert matched("M50=C N50=[CN20/R]", "P", "O50") == set()


@pytest.mark.rule("PT-066")
def test_a_pattern_needs_the_new_block() -> None:
    """C-R-P stands on M50 N50 O50 and a second one is completed on M52 N52 O52."""
    found = matched("M50=C N50=R O50=P M52=C N52=R", "P", "O52")
    assert found == {("CN06", "M52", "N52", "O52")}


@pytest.mark.rule("PT-054", "PT-062", "PT-064")
@pytest.mark.parametrize("tile", ["CN06", "CN13", "GS01", "GS09"])
def test_where_a_block_would_complete_something(tile: str) -> None:
    """The search over the city and the test of a single cell agree on all cells around it."""
    city = {
        "M50": "C", "N50": "R", "O50": "P", "M51": "G", "N51": "L", "O51": "I", "N49": "C",
        "O49": "G", "P50": "L", "P51": "C", "M52": "I", "N52": "R", "O52": "P", "P49": "R",
    }  # fmt: skip
    cells = [f"{c}{r}" for c in "KLMNOPQR" for r in range(47, 55)]
    for kind in "CGRIPL":
        slow = {c for c in cells if matches(city, c, kind, tile, "all8")}
        assert set(completing(city, kind, tile, "all8")) == slow
