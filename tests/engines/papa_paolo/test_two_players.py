"""What changes with 2 players (PP-105 to PP-121)."""

from __future__ import annotations

import pytest

from engines.core.play import start
from engines.papa_paolo import GAME
from engines.papa_paolo import moves as m
from engines.papa_paolo.components import at
from engines.papa_paolo.phases import coins
from engines.papa_paolo.state import PaoloState
from tests.engines.papa_paolo.positions import (
    ask,
    due,
    events,
    go,
    kinds,
    on_cell,
    purse,
    refused,
    table,
)

S, Q = 0, 1
"""Start player and the other of PP-X27."""


def sealed(money: tuple[int, int]) -> PaoloState:
    """The start of the coin bidding; S is the start player, odd delivery tiles are in play."""
    state = table(2, parity=["even"])
    purse(state, *money)
    state.order = (S, Q)
    ask(state, "bidding")
    coins.begin(state)
    GAME.check(state)
    return state


# ---- start -----------------------------------------------------------------------------------


@pytest.mark.rule("PP-105", "PP-108", "PP-109", "PP-111")
def test_layout() -> None:
    state = table(2)
    assert len(state.grid) == 9
    assert sorted((*state.row_coins, *state.column_coins)) == [1, 1, 2, 2, 3, 3]
    assert state.reserve == [2, 1, 1]  # of cost 2, 4 and 5
    state = on_cell(state, 0, "r3c3")
    offered = {"take_tile", "seek_sponsor", "buy_pizzas", "express", "build_pizzeria"}
    assert kinds(state, 0) == offered


@pytest.mark.rule("PP-111", "PP-022")
def test_only_one_of_two_actions() -> None:
    """r3c1 (row Sponsor or Buy, column Sponsor): buying ends the turn as any act does."""
    state = go(on_cell(table(2), 0, "r3c1"), 0, m.SeekSponsor())
    assert refused(state, 0, m.BuyPizzas(1))[0] == "PP-022"
    assert due(state) == {1: "place_meeple"}


@pytest.mark.rule("PP-106", "PP-107", "PP-019")
def test_start_tiles_are_sealed() -> None:
    """1 and 3 against 2 and 4: nobody sees the other's, nor the choice, until both have chosen."""
    state, told = start(GAME, 2, deal={"start": [3, 1, 4, 2]})
    assert due(state) == {0: "keep_start_tile", 1: "keep_start_tile"}
    assert state.dealt == ((1, 3), (2, 4))
    assert [e.to for e in told if e.kind == "dealt"] == [(0,), (1,)]
    assert GAME.legal(state, 0) == [m.KeepStartTile(1), m.KeepStartTile(3)]
    assert refused(state, 0, m.KeepStartTile(2))[0] == "PP-106"
    state = go(state, 0, m.KeepStartTile(3))
    for viewer in (None, 1):
        view = GAME.view(state, viewer)
        assert view.starts == ()
        assert view.chosen == (True, False)
        assert view.my_start == 0
        assert view.my_dealt == ((2, 4) if viewer == 1 else ())
    assert GAME.view(state, 0).my_start == 3
    assert refused(state, 0, m.KeepStartTile(1))[0] == "PP-123"
    (shown,) = events(state, 1, m.KeepStartTile(2), "start")
    assert shown.reveals
    state = go(state, 1, m.KeepStartTile(2))
    assert GAME.view(state, None).starts == (3, 2)
    assert state.order == (1, 0), "the lower kept number starts"
    assert [area.tiles[at(1, 0)] for area in state.areas] == ["S3", "S2"]


@pytest.mark.rule("PP-110", "PP-121")
def test_every_other_delivery_tile() -> None:
    """Even tiles removed: A1, A3 lie by the stairs, B1, B3 are shown; in G these move up."""
    state = table(2, parity=["even"])
    assert state.columns == ("A1", "A3")
    assert state.coming == ("B1", "B3")
    other = table(2, parity=["odd"])
    assert other.columns == ("A2", "A4")
    ask(state, "delivering", (0, "routes"))
    area = state.touch(0)
    area.job, area.most, area.ways = "deliver", 1, 1
    state.spots = (1, 0)
    state = go(state, 0, m.Finish())
    assert state.columns == ("B1", "B3")
    assert state.coming == ("C1", "C3")
    assert state.order == (1, 0)
    state.round = 4
    ask(state, "delivering", (0, "routes"))
    area = state.touch(0)
    area.job, area.most, area.ways = "deliver", 1, 1
    state.spots = (1, 0)
    state = go(state, 0, m.Finish())
    assert (state.columns, state.coming) == (("E1", "E3"), ())


@pytest.mark.rule("PP-105", "PP-090")
def test_one_cell_stays_free() -> None:
    """Corner case 21: 8 meeples on 9 cells; the free tile is boxed in G."""
    state = table(2)
    for turn in range(8):
        seat = state.order[turn % 2]
        state = go(state, seat, GAME.legal(state, seat)[0])
        while state.pending and state.pending[0].seat == seat and state.phase == "placing":
            state = go(state, seat, GAME.safest(state, seat))
    assert state.phase == "bidding"
    free = state.grid[8]
    assert free is not None
    while state.round == 1:
        seat = state.pending[0].seat
        state = go(state, seat, GAME.safest(state, seat))
    assert free in state.boxed


# ---- sealed coins ----------------------------------------------------------------------------


@pytest.mark.rule("PP-112", "PP-114", "PP-115", "PP-116", "PP-117", "PP-118", "PP-X27")
def test_the_whole_auction() -> None:
    """S £7, Q £5: S3, Q2; S 2 (5), Q 3 (5); S passes; Q can only pass. The tie is S's."""
    state = sealed((7, 5))
    assert due(state) == {S: "start_coin", Q: "start_coin"}
    state = go(state, Q, m.CommitCoin(2))
    assert due(state) == {S: "start_coin"}
    state = go(state, S, m.CommitCoin(3))
    assert due(state) == {S: "add_coin"}
    state = go(state, S, m.CommitCoin(2))
    state = go(state, Q, m.CommitCoin(3))
    state = go(state, S, m.PassBid())
    assert GAME.legal(state, Q) == [m.PassBid()]
    assert not GAME.forced(state, Q, m.PassBid()), "an automatic pass would betray the total"
    (shown,) = events(state, Q, m.PassBid(), "coins_revealed")
    assert shown.reveals
    assert shown.args["totals"] == (5, 5)
    assert "start player" in GAME.narrate(shown)
    state = go(state, Q, m.PassBid())
    assert [area.money for area in state.areas] == [2, 0]
    assert [area.delivery for area in state.areas] == ["A3", "A1"]
    assert state.spots == (Q, S)
    assert due(state) == {S: "claim_large"}


@pytest.mark.rule("PP-117")
def test_the_higher_total() -> None:
    state = sealed((10, 10))
    state = go(go(state, S, m.CommitCoin(1)), Q, m.CommitCoin(3))
    state = go(go(state, S, m.PassBid()), Q, m.PassBid())
    assert [area.money for area in state.areas] == [9, 7]
    assert [area.delivery for area in state.areas] == ["A1", "A3"]
    assert state.spots == (S, Q)
    assert due(state) == {Q: "claim_large"}


@pytest.mark.rule("PP-112")
def test_the_starting_coin_is_due() -> None:
    state = sealed((10, 10))
    assert kinds(state, S) == {"commit_coin"}
    assert refused(state, S, m.PassBid())[0] == "PP-112"


@pytest.mark.rule("PP-113", "PP-I33", "PP-005")
def test_coins_within_the_money() -> None:
    """With £4 and 3 sealed only a £1 coin fits; nobody seals £4."""
    state = sealed((4, 10))
    rule, text = refused(state, S, m.CommitCoin(4))
    assert rule == "PP-113"
    assert "You cannot commit that coin" in text
    assert refused(state, S, m.CommitCoin(0))[0] == "PP-113"
    state = go(go(state, S, m.CommitCoin(3)), Q, m.CommitCoin(1))
    rule, text = refused(state, S, m.CommitCoin(2))
    assert rule == "PP-113"
    assert "£1" in text
    assert GAME.legal(state, S) == [m.CommitCoin(1), m.PassBid()]


@pytest.mark.rule("PP-113", "PP-006")
def test_only_the_number_of_coins_shows() -> None:
    state = sealed((10, 10))
    told = events(state, S, m.CommitCoin(3), "coin_own")
    assert told[0].to == (S,)
    state = go(state, S, m.CommitCoin(3))
    for viewer in (None, Q):
        view = GAME.view(state, viewer)
        assert view.coin_counts == (1, 0)
        assert view.my_coins == ()
        assert view.totals == ()
    assert GAME.view(state, S).my_coins == (3,)
    hand = GAME.hand(GAME.view(state, S))
    assert hand is not None
    assert any("£3" in line for line in hand.lines)


@pytest.mark.rule("PP-114", "PP-115")
def test_one_more_coin_after_the_first_pass() -> None:
    state = sealed((10, 10))
    state = go(go(state, S, m.CommitCoin(2)), Q, m.CommitCoin(1))
    state = go(state, S, m.CommitCoin(1))
    state = go(state, Q, m.PassBid())
    assert due(state) == {S: "add_coin"}
    state = go(state, S, m.CommitCoin(3))
    assert state.totals == (6, 1)
    assert due(state) == {S: "claim_large"}


@pytest.mark.rule("PP-115")
def test_both_pass_at_once() -> None:
    """Corner case 23."""
    state = sealed((10, 10))
    state = go(go(state, S, m.CommitCoin(1)), Q, m.CommitCoin(2))
    state = go(go(state, S, m.PassBid()), Q, m.PassBid())
    assert state.totals == (1, 2)


@pytest.mark.rule("PP-116", "PP-118")
def test_without_money() -> None:
    """Corner case 22: both have £0; 0–0, S counts as higher; both invest and deliver."""
    state = sealed((0, 0))
    assert due(state) == {S: "add_coin"}
    assert GAME.legal(state, S) == [m.PassBid()]
    state = go(go(state, S, m.PassBid()), Q, m.PassBid())
    assert state.totals == (0, 0)
    assert state.high == S
    assert [area.delivery for area in state.areas] == ["A3", "A1"]


@pytest.mark.rule("PP-116")
def test_one_player_without_money_takes_part() -> None:
    """Q has £0: only S seals a starting coin; Q then passes by hand."""
    state = sealed((5, 0))
    assert due(state) == {S: "start_coin"}
    state = go(go(state, S, m.CommitCoin(2)), S, m.PassBid())
    assert due(state) == {Q: "add_coin"}
    assert GAME.legal(state, Q) == [m.PassBid()]
    state = go(state, Q, m.PassBid())
    assert state.totals == (2, 0)


# ---- the large tile --------------------------------------------------------------------------


def claiming() -> PaoloState:
    """S has won the bidding."""
    state = sealed((10, 10))
    state = go(go(state, S, m.CommitCoin(3)), Q, m.CommitCoin(1))
    return go(go(state, S, m.PassBid()), Q, m.PassBid())


@pytest.mark.rule("PP-119", "PP-X23", "PP-I34")
@pytest.mark.parametrize(
    ("turned", "facing", "hidden"),
    [("low", {"red", "green"}, "blue"), ("high", {"green", "blue"}, "red")],
)
def test_what_faces_the_other_player(turned: str, facing: set[str], hidden: str) -> None:
    state = claiming()
    assert len(GAME.legal(state, S)) == 8
    state = go(state, S, m.ClaimLarge("gold", turned))
    assert due(state) == {Q: "claim_facing"}
    assert {x.colour for x in GAME.legal(state, Q)} == facing  # type: ignore[attr-defined]
    for colour in (hidden, "gold"):
        rule, text = refused(state, Q, m.ClaimFacing(colour))
        assert rule == "PP-119"
        assert "That option does not face you" in text


@pytest.mark.rule("PP-119")
def test_no_such_claim() -> None:
    state = claiming()
    assert refused(state, S, m.ClaimLarge("pink", "low"))[0] == "PP-119"
    assert refused(state, S, m.ClaimLarge("gold", "sideways"))[0] == "PP-119"
    assert refused(state, S, m.ClaimFacing("gold"))[0] == "PP-119"


@pytest.mark.rule("PP-120", "PP-069", "PP-071", "PP-068")
def test_both_activate_their_colour() -> None:
    """The usual effects, side by side; nothing is for sale."""
    state = go(claiming(), S, m.ClaimLarge("gold", "low"))
    state = go(state, Q, m.ClaimFacing("green"))
    assert due(state) == {S: "invest", Q: "invest"}
    state = go(state, Q, m.InvestKeep())
    state = go(state, S, m.InvestDiscard())
    assert state.areas[S].money == 10 - 3 + 5
    assert state.areas[Q].markers == [1, 1, 1, 2]
    assert set(due(state)) == {S, Q}
    assert set(due(state).values()) == {"routes"}
    assert all(area.investment is None for area in state.areas)
