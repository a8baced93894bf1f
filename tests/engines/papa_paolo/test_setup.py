"""Setup and the order of a round (PP-001 to PP-019)."""

from __future__ import annotations

import pytest

from engines.core.errors import SetupError
from engines.core.play import start
from engines.papa_paolo import GAME
from engines.papa_paolo import moves as m
from engines.papa_paolo.components import at, box
from engines.papa_paolo.rules import ROUND
from tests.engines.papa_paolo.positions import due, go, refused, table


@pytest.mark.rule("PP-001", "PP-002")
def test_a_round_runs_a_to_g_in_turn_order() -> None:
    """Sequential phases follow the order; four sponsors each bring the bidding after the tips."""
    assert "".join(dict.fromkeys(letter for _, letter, _ in ROUND)) == "GABCDEF"
    state = table(4, starts=(3, 1, 4, 2))
    # Start tiles 1, 2, 3, 4 lie with seats 1, 3, 0, 2.
    assert state.order == (1, 3, 0, 2)
    for turn in range(15):
        seat = state.order[turn % 4]
        assert state.phase == "placing"
        assert due(state) == {seat: "place_meeple"}
        free = GAME.legal(state, seat)
        assert len(free) == 16 - turn
        state = go(state, seat, free[0])
        while state.pending[0].seat == seat:
            state = go(state, seat, GAME.safest(state, seat))
    # The last meeple has one cell left and is put there by itself.
    assert due(state) == {state.order[3]: "act"}
    state = go(state, state.order[3], GAME.safest(state, state.order[3]))
    assert state.phase == "bidding"
    assert due(state) == {1: "bid"}


@pytest.mark.rule("PP-I01", "PP-002")
def test_acting_out_of_turn() -> None:
    state = table()
    rule, text = refused(state, 2, m.PlaceMeeple("r1c1"))
    assert rule == "PP-002"
    assert "It is not your turn." in text
    assert "{seat:0}" in text


@pytest.mark.rule("PP-003", "PP-018")
def test_start_of_a_neighbourhood() -> None:
    """Pizzeria at (0,0) with 3 of 36 pizzas, town half at (1,0), markers on space 1."""
    state = table()
    for area in state.areas:
        assert area.ovens == [at(0, 0)]
        assert area.cells == [at(1, 0)]
        assert area.pizzas == [3]
        assert area.supply == 33
        assert area.markers == [1, 1, 1, 1]


@pytest.mark.rule("PP-010", "PP-011", "PP-012", "PP-013", "PP-014", "PP-015")
def test_four_player_layout() -> None:
    state = table(4, grid=["Y01", "B01", "R01"])
    assert box().sides[4].cells[0] == "r1c1"
    assert box().sides[4].cells[-1] == "r4c4"
    assert state.grid[:3] == ["Y01", "B01", "R01"]
    assert len(state.grid) == 16
    assert len(state.deck) - state.drawn == 84 - 16
    coins = [*state.row_coins, *state.column_coins]
    assert len(state.row_coins) == len(state.column_coins) == 4
    assert sorted(coins) == [1, 1, 2, 2, 2, 3, 3, 3]
    assert state.investments == ("gold", "blue", "red", "green")
    assert state.columns == ("A1", "A2", "A3", "A4")
    assert state.reserve == [3, 3, 2]  # of cost 2, 4 and 5


@pytest.mark.rule("PP-016")
def test_money_and_colours() -> None:
    state, _ = start(GAME, 3, {"colours": ["white", "", "purple"]})
    assert state.colours == ("white", "teal", "purple")
    assert [area.money for area in state.areas] == [10, 10, 10]
    assert all(sum(a.pizzas) + a.supply == 36 for a in state.areas)
    with pytest.raises(SetupError) as error:
        start(GAME, 3, {"colours": ["white", "white"]})
    assert error.value.rule == "PP-016"


@pytest.mark.rule("PP-017", "PP-019")
def test_start_tiles_fix_the_first_order() -> None:
    state = table(4, starts=(2, 4, 1, 3))
    assert [area.tiles[at(1, 0)] for area in state.areas] == ["S2", "S4", "S1", "S3"]
    assert state.order == (2, 0, 3, 1)


@pytest.mark.rule("PP-008")
def test_draws_go_where_the_rule_says() -> None:
    """Tiles row by row, coins to rows then columns, start tiles in seat order, from the seed."""
    state = table(3, grid=["G01", "G02", "G03", "G04"], starts=(4, 2, 3), coins=[[3, 2, 1, 2, 3]])
    assert state.grid[:4] == ["G01", "G02", "G03", "G04"]
    assert state.row_coins == (3, 2, 1, 2)
    assert state.column_coins[0] == 3
    assert state.starts == [4, 2, 3]
    one, _ = start(GAME, 4, seed="beef")
    two, _ = start(GAME, 4, seed="beef")
    other, _ = start(GAME, 4, seed="beee")
    assert one == two
    assert one.deck != other.deck


@pytest.mark.rule("PP-004", "PP-006")
def test_money_is_private_and_the_bank_endless() -> None:
    """A sponsor is told in pounds; the balance shows to its owner alone; the bank may owe more than
    the 141 lira in the box."""
    state = table(2)
    for area in (state.touch(0), state.touch(1)):
        state.bank += area.money - 500
        area.money = 500
    GAME.check(state)
    assert GAME.view(state, None).money is None
    assert GAME.view(state, None).my_money is None
    assert GAME.view(state, 1).my_money == 500
    assert "£500" not in GAME.board_text(GAME.view(state, 0))


@pytest.mark.rule("PP-123")
def test_commands_out_of_their_moment() -> None:
    """The refusal says what is due."""
    state = table()
    for move in (m.Bid(1, 1), m.Finish(), m.SeekSponsor(), m.InvestKeep(), m.StartRoute("0,0")):
        rule, text = refused(state, 0, move)
        assert rule == "PP-123"
        assert "put a meeple on a market tile" in text
    state = go(state, 0, m.PlaceMeeple("r1c1"))
    rule, text = refused(state, 0, m.PlaceMeeple("r1c2"))
    assert rule == "PP-123"
    assert "take the tile under your meeple" in text
