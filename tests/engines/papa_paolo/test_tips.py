"""Phase B (PP-050 to PP-052)."""

from __future__ import annotations

import pytest

from engines.papa_paolo import GAME
from engines.papa_paolo.phases import tipping
from engines.papa_paolo.phases.tipping import winner
from tests.engines.papa_paolo.positions import O, P, T, W, table


@pytest.mark.rule("PP-050", "PP-051", "PP-052", "PP-X08")
def test_the_rulebooks_totals() -> None:
    """Rows OTOP / WTOT / WPTO / PPWW, coins 2,3,1,3 and 3,2,1,2: P 5, T 5, O 3, W 4."""
    state = table(coins=[[2, 3, 1, 3, 3, 2, 1, 2]])
    letters = {"P": P, "T": T, "O": O, "W": W}
    state.meeples = [letters[c] for c in "OTOPWTOTWPTOPPWW"]
    state.placed = 16
    state.phase = "tipping"
    state.pending = []
    (event,) = tipping.begin(state)
    assert {line: (coin, seat) for line, coin, seat in event.args["awards"]} == {
        "r1": (2, O), "r2": (3, T), "r3": (1, W), "r4": (3, P),
        "c1": (3, W), "c2": (2, T), "c3": (1, O), "c4": (2, P),
    }  # fmt: skip
    assert [area.money - 10 for area in state.areas] == [5, 5, 3, 4]
    assert state.bank == -40 - 17
    assert state.meeples == [-1] * 16
    assert state.row_coins == state.column_coins == (0, 0, 0, 0)
    words = GAME.narrate(event)
    assert "{seat:0} £5" in words
    assert "{seat:2} £3" in words


@pytest.mark.rule("PP-050")
def test_most_meeples_win_a_line_wherever_they_stand() -> None:
    assert winner([0, 1, 1, 2]) == 1


@pytest.mark.rule("PP-051", "PP-052")
def test_a_tie_goes_to_the_nearest_of_the_tied() -> None:
    """Two each of 1 and 2: 1 stands nearer than 2, the single 0 nearest of all does not count."""
    assert winner([0, 1, 2, 2, 1]) == 1
    assert winner([-1, 2, 1, -1]) == 2


@pytest.mark.rule("PP-052")
def test_a_line_without_meeples() -> None:
    """Corner case 8: the coin goes to the bank, nobody gets money."""
    assert winner([-1, -1, -1]) is None
    state = table(2, coins=[[3, 3, 2, 2, 1, 1]])
    state.meeples = [0, 0, 1, -1, -1, -1, 1, 0, 1]
    state.placed = 6
    state.phase = "tipping"
    state.pending = []
    before = sum(a.money for a in state.areas)
    (event,) = tipping.begin(state)
    assert all(line != "r2" for line, _, _ in event.args["awards"])
    # r1 £3 to 0; r3 £2 to 1; columns: c1 0,−,1 tie to 0 (£2), c2 0,−,0 (£1), c3 1,−,1 (£1).
    assert [a.money - 10 for a in state.areas] == [6, 3]
    assert sum(a.money for a in state.areas) == before + 9


@pytest.mark.rule("PP-052", "PP-024")
def test_cells_without_a_tile_count_alike() -> None:
    """Tips look at meeples, not at tiles: an emptied cell still wins its row."""
    state = table(coins=[[3, 1, 1, 2, 2, 2, 3, 3]])
    state.boxed = (str(state.grid[0]),)
    state.grid[0] = None
    state.meeples = [0, 1, 2, 3, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]
    state.phase = "tipping"
    state.pending = []
    (event,) = tipping.begin(state)
    assert ("r1", 3, 0) in event.args["awards"]
