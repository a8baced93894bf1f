"""Phase C: paying, tiles and the next order (PP-062 to PP-067)."""

from __future__ import annotations

import pytest

from engines.papa_paolo import GAME
from engines.papa_paolo import moves as m
from tests.engines.papa_paolo.positions import O, P, T, W, bidding, due, events, go, refused, table
from tests.engines.papa_paolo.test_bidding import naples_bids


@pytest.mark.rule("PP-062", "PP-064", "PP-067", "PP-X11")
def test_settling_the_rulebooks_auction() -> None:
    """T pays 8, W 8, P 5, O 1; tiles A2, A4, A3, A1; the last investment goes by itself; next
    order O, T, P, W."""
    state = naples_bids()
    assert due(state) == {T: "pick_investment"}
    state = go(state, T, m.PickInvestment("gold"))
    assert due(state) == {W: "pick_investment"}
    state = go(state, W, m.PickInvestment("green"))
    (event,) = [
        e for e in events(state, P, m.PickInvestment("blue"), "settled") if e.args["seat"] == O
    ]
    assert event.args == {"seat": O, "price": 1, "colour": "red", "delivery": "A1", "auto": True}
    state = go(state, P, m.PickInvestment("blue"))
    assert [area.money for area in state.areas] == [5, 2, 9, 2]
    assert [area.delivery for area in state.areas] == ["A3", "A2", "A1", "A4"]
    assert [area.investment for area in state.areas] == ["blue", "gold", "red", "green"]
    assert state.spots == (O, T, P, W)
    assert state.order == (O, W, P, T), "the new order waits for the next phase A"


@pytest.mark.rule("PP-063", "PP-062")
def test_rows_first_then_prices() -> None:
    """Corner case 11: £8 on row 4 beats £8 on row 3; on one row the dearer bid is first."""
    state = bidding(table(), (P, T, O, W), 10, 10, 10, 10)
    for seat, column, row in ((P, 4, 3), (T, 2, 4), (O, 1, 1), (W, 3, 1)):
        state = go(state, seat, m.Bid(column, row))
    order = []
    while state.phase == "settling":
        (seat,) = due(state)
        order.append(seat)
        state = go(state, seat, GAME.legal(state, seat)[0])
    assert order == [T, P, W]  # O, on row 1 with £1, comes after W's £3 and gets the last by itself


@pytest.mark.rule("PP-064")
def test_a_taken_investment() -> None:
    state = go(naples_bids(), T, m.PickInvestment("gold"))
    rule, text = refused(state, W, m.PickInvestment("gold"))
    assert rule == "PP-064"
    assert "blue, red or green" in text


@pytest.mark.rule("PP-065", "PP-067", "PP-058", "PP-X12")
def test_the_rulebooks_poor_players() -> None:
    """Players 3 and 4 (£2, £1) are out; 2 settles before 1; 3, then 4 buy for £1; both skip E;
    next order 3, 4, 1, 2."""
    state = bidding(table(), (P, T, O, W), 10, 10, 2, 1)
    state = go(state, P, m.Bid(1, 1))
    withdrawn = events(state, T, m.Bid(2, 1), "withdrew")
    assert [e.args["seat"] for e in withdrawn] == [O, W]
    state = go(state, T, m.Bid(2, 1))
    assert due(state) == {T: "pick_investment"}
    state = go(state, T, m.PickInvestment("gold"))
    state = go(state, P, m.PickInvestment("blue"))
    assert due(state) == {O: "buy_investment"}
    assert refused(state, O, m.BuyInvestment("gold"))[0] == "PP-065"
    state = go(state, O, m.BuyInvestment("red"))
    assert [x.kind for x in GAME.legal(state, W)] == ["buy_investment", "decline_investment"]
    state = go(state, W, m.BuyInvestment("green"))
    assert [area.money for area in state.areas] == [9, 8, 1, 0]
    assert [area.delivery for area in state.areas] == ["A1", "A2", None, None]
    assert state.spots == (O, W, P, T)
    for seat in range(4):
        state = go(state, seat, m.InvestKeep())
    assert set(due(state)) == {P, T}, "only bidders deliver"


@pytest.mark.rule("PP-065", "PP-066")
def test_who_has_nothing_is_skipped_and_leftovers_go() -> None:
    """Corner case 12: O has £0 and is passed over, W declines; two tiles leave the game."""
    state = bidding(table(), (P, T, O, W), 10, 10, 0, 1)
    state = go(state, P, m.Bid(1, 1))
    state = go(state, T, m.Bid(2, 1))
    state = go(state, T, m.PickInvestment("gold"))
    (skipped,) = events(state, P, m.PickInvestment("blue"), "leftover_skipped")
    assert skipped.args == {"seat": O}
    state = go(state, P, m.PickInvestment("blue"))
    assert due(state) == {W: "buy_investment"}
    state = go(state, W, m.DeclineInvestment())
    assert state.investments == ()
    assert [area.investment for area in state.areas] == ["blue", "gold", None, None]


@pytest.mark.rule("PP-066", "PP-067", "PP-065")
def test_everybody_withdraws() -> None:
    """Corner case 10: turn order = withdrawal order, £1 purchases in the current order, nobody
    delivers and the next round follows."""
    state = bidding(table(), (T, P, W, O), 10, 10, 10, 10)
    for seat in (T, P, W, O):
        state = go(state, seat, m.Withdraw())
    assert state.spots == (T, P, W, O)
    for seat, colour in ((T, "gold"), (P, "blue"), (W, "red")):
        assert due(state) == {seat: "buy_investment"}
        state = go(state, seat, m.BuyInvestment(colour))
    state = go(state, O, m.DeclineInvestment())
    for seat in (T, P, W):
        state = go(state, seat, m.InvestKeep())
    assert state.round == 2
    assert state.order == (T, P, W, O)
    assert due(state) == {T: "place_meeple"}


@pytest.mark.rule("PP-059")
def test_withdrawing_by_choice() -> None:
    """W, first to act with money, may stay out and then buy for £1."""
    state = bidding(table(), (W, P, T, O), 10, 10, 10, 10)
    state = go(state, W, m.Withdraw())
    for seat, column in ((P, 1), (T, 2), (O, 3)):
        state = go(state, seat, m.Bid(column, 1))
    for seat, colour in ((O, "gold"), (T, "blue"), (P, "red")):
        state = go(state, seat, m.PickInvestment(colour))
    assert due(state) == {W: "buy_investment"}
    state = go(state, W, m.BuyInvestment("green"))
    assert state.areas[W].money == 9
    assert state.spots == (W, P, T, O)
