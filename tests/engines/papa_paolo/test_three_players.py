"""What changes with 3 players (PP-099 to PP-104)."""

from __future__ import annotations

import pytest

from engines.papa_paolo import GAME
from engines.papa_paolo import moves as m
from engines.papa_paolo.components import box
from tests.engines.papa_paolo.positions import (
    O,
    P,
    T,
    bidding,
    due,
    go,
    kinds,
    on_cell,
    refused,
    table,
)


@pytest.mark.rule("PP-099", "PP-100", "PP-101")
def test_layout() -> None:
    state = table(3)
    assert len(state.grid) == 12
    assert box().sides[3].cells[-1] == "r4c3"
    assert (len(state.row_coins), len(state.column_coins)) == (4, 3)
    assert sorted((*state.row_coins, *state.column_coins)) == [1, 1, 2, 2, 2, 3, 3]
    assert state.reserve == [3, 2, 1]  # of cost 2, 4 and 5
    assert len(set(state.starts)) == 3


@pytest.mark.rule("PP-102", "PP-104", "PP-X26")
def test_the_boxed_delivery_tile() -> None:
    """A2 removed: columns 1, 2, 3 carry A1, A3, A4; the column-2 bidder gets A3."""
    state = table(3, delivery=[["A2"]])
    assert state.columns == ("A1", "A3", "A4")
    state = bidding(state, (P, T, O), 10, 10, 10)
    for seat, column in ((P, 2), (T, 3), (O, 1)):
        state = go(state, seat, m.Bid(column, 1))
    for colour in ("gold", "blue", "red"):
        state = go(state, state.pending[0].seat, m.PickInvestment(colour))
    assert [area.delivery for area in state.areas] == ["A3", "A4", "A1"]
    assert state.spots == (O, P, T), "by the numbers on the tiles: 1, 3, 4"
    assert state.phase == "investing"


@pytest.mark.rule("PP-102", "PP-I22")
def test_column_4_is_not_used() -> None:
    state = bidding(table(3), (P, T, O), 10, 10, 10)
    rule, text = refused(state, P, m.Bid(4, 1))
    assert rule == "PP-102"
    assert "Column 4 is not used" in text


@pytest.mark.rule("PP-103", "PP-X22")
def test_the_last_column() -> None:
    """r1c3 offers Sponsor, Express, Build; r3c3 Express, Build."""
    state = on_cell(table(3), P, "r1c3")
    assert kinds(state, P) == {"take_tile", "seek_sponsor", "express", "build_pizzeria"}
    state = on_cell(table(3), P, "r3c3")
    assert kinds(state, P) == {"take_tile", "express", "build_pizzeria"}


@pytest.mark.rule("PP-104", "PP-066")
def test_the_investment_left_over_is_discarded() -> None:
    """The third bidder still chooses between two; the last one leaves the game."""
    state = bidding(table(3), (P, T, O), 10, 10, 10)
    for seat, column in ((P, 1), (T, 2), (O, 3)):
        state = go(state, seat, m.Bid(column, 1))
    state = go(state, O, m.PickInvestment("gold"))
    state = go(state, T, m.PickInvestment("blue"))
    assert due(state) == {P: "pick_investment"}
    assert len(GAME.legal(state, P)) == 2
    state = go(state, P, m.PickInvestment("green"))
    assert state.investments == ()
    assert "red" not in [area.investment for area in state.areas]
