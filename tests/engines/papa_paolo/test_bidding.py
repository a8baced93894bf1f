"""Phase C on the stairs (PP-053 to PP-061)."""

from __future__ import annotations

import pytest

from engines.papa_paolo import GAME
from engines.papa_paolo import moves as m
from engines.papa_paolo.phases.bidding import price
from tests.engines.papa_paolo.positions import (
    O,
    P,
    T,
    W,
    bidding,
    due,
    events,
    go,
    refused,
    table,
)


def naples_bids(upto: int = 9):
    """The rulebook's example: order O, W, P, T, £10 each; ``upto`` bids are made."""
    state = bidding(table(), (O, W, P, T), 10, 10, 10, 10)
    bids = [
        (O, 1, 1), (W, 4, 1), (P, 2, 2), (T, 2, 4), (P, 4, 2), (W, 4, 3), (P, 3, 2),
    ]  # fmt: skip
    for seat, column, row in bids[:upto]:
        state = go(state, seat, m.Bid(column, row))
    return state


@pytest.mark.rule("PP-054", "PP-055", "PP-056", "PP-061", "PP-X09")
def test_the_rulebooks_auction() -> None:
    """Prices 1, 4, 4, 8, 6, 8, 5; who is not outbid passes without being asked."""
    state = bidding(table(), (O, W, P, T), 10, 10, 10, 10)
    for seat, column, row, pounds, outbid, then in (
        (O, 1, 1, 1, (), W),
        (W, 4, 1, 4, (), P),
        (P, 2, 2, 4, (), T),
        (T, 2, 4, 8, (P,), P),
        (P, 4, 2, 6, (W,), W),
        (W, 4, 3, 8, (P,), P),
    ):
        assert due(state)[seat] in ("bid", "rebid")
        (event,) = events(state, seat, m.Bid(column, row), "bid")
        assert (event.args["price"], event.args["outbid"]) == (pounds, outbid)
        state = go(state, seat, m.Bid(column, row))
        assert list(due(state)) == [then]
    state = go(state, P, m.Bid(3, 2))
    assert state.phase == "settling"
    assert state.bids == [(3, 2), (2, 4), (1, 1), (4, 3)]


@pytest.mark.rule("PP-X10", "PP-056", "PP-057", "PP-059", "PP-I19", "PP-I36")
def test_legal_spaces_of_the_outbid_player() -> None:
    """Before P's last bid: nine spaces, none below row 2; withdrawing is refused."""
    state = naples_bids(6)
    bids = [x for x in GAME.legal(state, P) if isinstance(x, m.Bid)]
    prices = {c: [price(x.column, x.row) for x in bids if x.column == c] for c in (1, 2, 3, 4)}
    assert prices == {1: [3, 5, 7, 9], 2: [10], 3: [5, 7, 9], 4: [10]}
    rule, text = refused(state, P, m.Bid(3, 1))
    assert rule == "PP-056"
    assert "You may not move down" in text
    rule, text = refused(state, P, m.Withdraw())
    assert rule == "PP-059"
    assert "You are outbid: place a new bid" in text


@pytest.mark.rule("PP-053")
def test_no_such_space() -> None:
    state = bidding(table(), (O, W, P, T), 10, 10, 10, 10)
    assert refused(state, O, m.Bid(1, 8))[0] == "PP-053"
    assert refused(state, O, m.Bid(0, 1))[0] == "PP-053"
    assert refused(state, O, m.Bid(5, 1))[0] == "PP-053"


@pytest.mark.rule("PP-054", "PP-I21")
def test_a_standing_bid_is_not_moved() -> None:
    """O's £1 stands while W is to act; it can neither be moved nor withdrawn."""
    state = naples_bids(1)
    for move in (m.Bid(1, 2), m.Withdraw()):
        rule, text = refused(state, O, move)
        assert rule == "PP-054"
        assert "Your bid still stands" in text


@pytest.mark.rule("PP-055", "PP-I18")
def test_above_every_meeple_of_the_column() -> None:
    """T stands on row 4 of column 2."""
    state = naples_bids(4)
    for row in (3, 4):
        rule, text = refused(state, P, m.Bid(2, row))
        assert rule == "PP-055"
        assert "Bid above the highest meeple there" in text
    assert m.Bid(2, 5) in GAME.legal(state, P)


@pytest.mark.rule("PP-056")
def test_the_same_or_a_higher_row_and_a_lower_price_are_fine() -> None:
    """P, outbid on £4 (row 2, column 2), may go to £3 (row 2, column 1)."""
    state = naples_bids(4)
    after = go(state, P, m.Bid(1, 2))
    assert after.bids[P] == (1, 2)
    assert price(1, 2) == 3


@pytest.mark.rule("PP-057", "PP-I20")
def test_a_bid_may_take_all_the_money_and_no_more() -> None:
    state = bidding(table(), (O, W, P, T), 10, 10, 8, 10)
    rule, text = refused(state, O, m.Bid(3, 4))
    assert rule == "PP-057"
    assert "You cannot afford that bid" in text
    assert m.Bid(2, 4) in GAME.legal(state, O)  # £8 exactly


@pytest.mark.rule("PP-058", "PP-060")
def test_forced_withdrawal_when_outbid() -> None:
    """Corner case 9: P bids £4 with £5; T goes over it; every space left costs more than £5 but
    row 2 of column 1 and column 3; with those taken P is out and pays nothing."""
    state = bidding(table(), (P, T, O, W), 5, 10, 10, 10)
    state = go(state, P, m.Bid(2, 2))
    state = go(state, T, m.Bid(1, 3))
    state = go(state, O, m.Bid(3, 3))
    (event,) = events(state, W, m.Bid(2, 3), "withdrew")
    assert event.args == {"seat": P, "forced": True, "spot": 1}
    assert event.reveals
    state = go(state, W, m.Bid(2, 3))
    assert state.areas[P].money == 5
    assert state.withdrawn == (P,)
    assert state.bids[P] == (0, 0)
    assert state.spots[0] == P


@pytest.mark.rule("PP-059", "PP-060")
def test_withdrawing_instead_of_the_first_bid() -> None:
    state = bidding(table(), (O, W, P, T), 10, 10, 10, 10)
    state = go(state, O, m.Withdraw())
    assert state.spots == (O,)
    assert state.areas[O].money == 10
    assert list(due(state)) == [W]
    assert refused(state, O, m.Bid(1, 1))[0] == "PP-002"


@pytest.mark.rule("PP-061")
def test_bidding_ends_at_once() -> None:
    """Four bids in four columns: T's is the last and nobody is asked again."""
    state = bidding(table(), (O, W, P, T), 10, 10, 10, 10)
    for seat, column in ((O, 1), (W, 2), (P, 3)):
        state = go(state, seat, m.Bid(column, 1))
    assert state.phase == "bidding"
    state = go(state, T, m.Bid(4, 1))
    assert state.phase == "settling"


@pytest.mark.rule("PP-002", "PP-I01")
def test_bidding_out_of_turn() -> None:
    state = bidding(table(), (O, W, P, T), 10, 10, 10, 10)
    rule, text = refused(state, T, m.Bid(1, 1))
    assert rule == "PP-002"
    assert "It is not your turn." in text


# ---- the private maximum ---------------------------------------------------------------------


@pytest.mark.rule("PP-054", "PP-055", "PP-056", "PP-057")
def test_a_maximum_answers_with_the_cheapest_space() -> None:
    """P bid £4 on row 2, column 2 and left £5. T goes above it. Row 2 or higher up to £5: £3 in
    column 1 is the cheapest, and it is taken at once, before O is asked."""
    state = bidding(table(), (P, T, O, W), 10, 10, 10, 10)
    state = go(state, P, m.Bid(2, 2))
    state = go(state, P, m.StandingBid(5))
    state = go(state, T, m.Bid(2, 3))
    state = go(state, O, m.Bid(3, 1))
    assert state.bids[P] == (2, 2), "an answer waits for P's turn"
    done = go(state, W, m.Bid(4, 1))
    assert done.bids[P] == (1, 2)
    assert done.phase == "settling"
    assert done.limits == [0, 0, 0, 0]


@pytest.mark.rule("PP-056", "PP-057")
def test_equally_cheap_spaces_go_to_the_right() -> None:
    """£5 lies in column 1 row 3 and column 3 row 2: column 3 it is."""
    state = bidding(table(), (P, T, O, W), 10, 10, 10, 10)
    state = go(state, P, m.Bid(2, 2))
    state = go(state, P, m.StandingBid(5))
    state = go(state, T, m.Bid(1, 2))
    state = go(state, O, m.Bid(2, 3))
    state = go(state, W, m.Bid(4, 1))
    assert state.bids[P] == (3, 2)


@pytest.mark.rule("PP-054", "PP-009")
def test_two_maximums_fight_it_out_by_the_rules() -> None:
    """Both want any column up to a sum; the answers go on until one is too low for the cheapest
    space, and that player is asked as usual."""
    state = bidding(table(3), (P, T, O), 10, 10, 10)
    state = go(state, P, m.Bid(1, 1))
    state = go(state, P, m.StandingBid(3))
    state = go(state, T, m.Bid(2, 1))
    state = go(state, T, m.StandingBid(10))
    # O takes P's column: P answers on row 1 with £3 in column 3; the bidding is over.
    done = go(state, O, m.Bid(1, 2))
    assert done.bids == [(3, 1), (2, 1), (1, 2)]
    # O goes over column 3 instead: nobody is outbid.
    calm = go(state, O, m.Bid(3, 1))
    assert calm.bids == [(1, 1), (2, 1), (3, 1)]


@pytest.mark.rule("PP-054")
def test_a_maximum_that_is_too_low_asks() -> None:
    """P left £2; outbid, the cheapest space from row 1 up is £2 in column 2, taken by T: £3."""
    state = bidding(table(), (P, T, O, W), 10, 10, 10, 10)
    state = go(state, P, m.Bid(1, 1))
    state = go(state, P, m.StandingBid(2))
    state = go(state, T, m.Bid(2, 1))
    state = go(state, O, m.Bid(3, 1))
    state = go(state, W, m.Bid(1, 2))
    assert due(state) == {P: "rebid"}
    assert state.bids[P] == (1, 1)
    assert state.limits[P] == 2


@pytest.mark.rule("PP-054")
def test_a_maximum_is_private_and_ends_with_an_own_move() -> None:
    state = bidding(table(), (P, T, O, W), 10, 10, 10, 10)
    state = go(state, P, m.Bid(1, 1))
    (event,) = events(state, P, m.StandingBid(8), "standing_set")
    assert event.to == (P,)
    after = go(state, P, m.StandingBid(8))
    assert GAME.view(after, P).my_limit == 8
    for viewer in (None, T, O, W):
        view = GAME.view(after, viewer)
        assert view.my_limit == 0
        assert "8" not in GAME.board_text(view).split("Stairs")[1].split("\n")[0].replace("r", "")
    cancelled = go(after, P, m.StandingBid(0))
    assert cancelled.limits[P] == 0
    after = go(after, T, m.Bid(2, 1))
    after = go(after, O, m.Bid(3, 1))
    after = go(go(after, P, m.StandingBid(0)), W, m.Bid(1, 2))
    assert due(after) == {P: "rebid"}
    moved = go(after, P, m.Bid(4, 1))
    assert moved.limits[P] == 0


@pytest.mark.rule("PP-054")
def test_a_maximum_when_outbid_and_on_turn_answers_now() -> None:
    state = naples_bids(6)  # P is outbid on row 2 and has £10
    after = go(state, P, m.StandingBid(4))
    assert after.bids[P] == (1, 2)  # £3
    assert due(after) == {O: "rebid"}
    assert after.limits[P] == 4


@pytest.mark.rule("PP-123", "PP-005", "PP-054", "PP-060")
def test_when_a_maximum_is_refused() -> None:
    state = bidding(table(), (P, T, O, W), 6, 10, 10, 10)
    assert refused(state, T, m.StandingBid(3))[0] == "PP-054"  # before the first bid
    state = go(state, P, m.Bid(1, 1))
    limits = [x.limit for x in GAME.legal(state, P) if isinstance(x, m.StandingBid)]
    assert limits == [2, 3, 4, 5, 6]  # the cheapest space costs £2, the purse holds £6
    assert refused(state, P, m.StandingBid(7))[0] == "PP-057"
    assert refused(state, P, m.StandingBid(1))[0] == "PP-055"
    assert refused(state, P, m.StandingBid(0))[0] == "PP-054"
    state = go(state, T, m.Withdraw())
    assert refused(state, T, m.StandingBid(3))[0] == "PP-060"
    assert refused(table(), P, m.StandingBid(3))[0] == "PP-123"
