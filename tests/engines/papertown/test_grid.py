"""Cells, names and neighbours."""

from __future__ import annotations

import pytest

from engines.papertown.grid import NAMES, PLACES, RANK, SPOTS, cell_name, read_cell
from engines.papertown.moves import Claim, FinishTurn, Place
from engines.papertown.phases.place import open_cells
from tests.engines.papertown.positions import cells, do, position


@pytest.mark.rule("PT-009", "PT-X01")
def test_names() -> None:
    named = {
        (0, 0): "N50", (-1, 1): "M51", (1, -1): "O49", (-13, 0): "A50", (12, 0): "Z50",
        (13, -40): "AA10", (40, 0): "BB50", (-14, 40): "ZZ90", (-39, 0): "ZA50", (-40, 0): "YZ50",
    }  # fmt: skip
    for (x, y), name in named.items():
        assert cell_name(x, y) == name
        assert PLACES[name] == (x, y)


@pytest.mark.rule("PT-006", "PT-009")
def test_the_grid_has_6561_different_names() -> None:
    assert len(PLACES) == len(NAMES) == 81 * 81 == 6561
    assert list(RANK) == [NAMES[place] for place in sorted(NAMES)], "by column, then row"
    assert all(read_cell(name.lower()) == name for name in PLACES)


@pytest.mark.rule("PT-009")
@pytest.mark.parametrize(
    "word", ["", "N5", "N5O", "50N", "N050", "BC50", "YY50", "N09", "N91", "Ñ50"]
)
def test_no_cells(word: str) -> None:
    assert read_cell(word) is None


@pytest.mark.rule("PT-007")
def test_side_neighbours() -> None:
    assert set(SPOTS["N50"].sides) == {"M50", "O50", "N49", "N51"}


@pytest.mark.rule("PT-008")
def test_corner_neighbours() -> None:
    spot = SPOTS["N50"]
    assert set(spot.around) - set(spot.sides) == {"M49", "M51", "O49", "O51"}


@pytest.mark.rule("PT-009")
def test_the_edge_of_the_grid_has_fewer_neighbours() -> None:
    corner = SPOTS["YZ10"]
    assert set(corner.sides) == {"ZA10", "YZ11"}
    assert set(corner.around) == {"ZA10", "YZ11", "ZA11"}
    assert [quad is None for quad in corner.quads] == [False, True, True, True]


@pytest.mark.rule("PT-006", "PT-009")
def test_names_stay_while_the_city_grows() -> None:
    state = do(position("M50=C N50=R", hand="L"), 0, Place("l49"))
    assert state.shown == {"M50": "C", "N50": "R", "L49": "L"}


@pytest.mark.rule("PT-010")
def test_only_the_top_block_shows() -> None:
    """R covers L on N50: lakes may then lie beside it, residential Blocks not, and L stays beneath
    to the end."""
    state = do(position("M50=C N50=L O50=P", hand="R"), 0, Place("N50"))
    assert (state.shown["N50"], state.under) == ("R", {"N50": "L"})
    state = do(state, 0, Claim("CN06", "O50"), FinishTurn())
    for kind, free in (("L", True), ("R", False)):
        assert ("N51" in open_cells(state, kind)) is free
    assert state.under["N50"] == "L"


@pytest.mark.rule("PT-011")
def test_a_sealed_cell_belongs_to_the_city() -> None:
    """A Block may lie at the corner of a sealed cell that touches nothing else."""
    assert "P51" in cells(position("N50=C O50=[CN01]", hand="C"))
