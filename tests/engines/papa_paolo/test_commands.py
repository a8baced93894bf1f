"""Slash commands, texts and what they may show."""

from __future__ import annotations

import pytest

from engines.core.errors import MalformedMove, MoveError
from engines.core.play import play
from engines.core.surface import complete, resolve
from engines.core.types import Move
from engines.papa_paolo import GAME
from engines.papa_paolo import moves as m
from engines.papa_paolo.moves import MOVES
from engines.papa_paolo.state import PaoloState
from tests.engines.papa_paolo.positions import (
    P,
    T,
    bidding,
    delivering,
    find,
    go,
    investing,
    naples,
    on_cell,
    table,
)
from tests.engines.papa_paolo.test_bidding import naples_bids
from tests.engines.papa_paolo.test_two_players import Q, S, claiming, sealed


def said(state: PaoloState, seat: int, command: str, **words: str) -> Move:
    return resolve(GAME, state, seat, command, words)[0]


def refusal(state: PaoloState, seat: int, command: str, **words: str) -> str:
    with pytest.raises(MoveError) as error:
        play(GAME, state, seat, said(state, seat, command, **words))
    return error.value.rule


def test_moves_of_one_meaning_share_a_command() -> None:
    """26 kinds in 19 subcommands; pass, claim and invest stand for several."""
    assert len(MOVES) == 26
    assert len(GAME.commands()) == 19
    merged = {
        "pass": (m.NoAction(), m.Withdraw(), m.DeclineInvestment(), m.PassBid()),
        "claim": (
            m.PickInvestment("red"),
            m.BuyInvestment("red"),
            m.ClaimLarge("red", "low"),
            m.ClaimFacing("red"),
        ),
        "invest": (m.InvestKeep(), m.InvestDiscard()),
    }
    for command, moves in merged.items():
        assert {GAME.phrase(move).command for move in moves} == {command}


@pytest.mark.rule("PP-025", "PP-054", "PP-059", "PP-112")
def test_pass_means_what_is_due() -> None:
    """The same word withdraws, declines or passes; where it is not possible the rule says why."""
    bid = bidding(table(), (0, 1, 2, 3), 10, 10, 10, 10)
    assert said(bid, 0, "pass") == m.Withdraw()
    assert refusal(naples_bids(6), P, "pass") == "PP-059"
    assert refusal(naples_bids(1), 2, "pass") == "PP-054"
    coins = sealed((5, 5))
    assert refusal(coins, S, "pass") == "PP-112"
    coins = go(go(coins, S, m.CommitCoin(1)), Q, m.CommitCoin(1))
    assert said(coins, S, "pass") == m.PassBid()
    assert refusal(on_cell(table(), P, "r1c1"), P, "pass") == "PP-025"


@pytest.mark.rule("PP-119", "PP-064")
def test_claim_means_what_is_due() -> None:
    assert said(naples_bids(), T, "claim", colour="Gold") == m.PickInvestment("gold")
    large = claiming()
    assert said(large, S, "claim", colour="gold", turned="low") == m.ClaimLarge("gold", "low")
    facing = go(large, S, m.ClaimLarge("gold", "low"))
    assert said(facing, Q, "claim", colour="red") == m.ClaimFacing("red")
    assert refusal(facing, Q, "claim", colour="blue") == "PP-119"


def test_places_may_be_written_in_several_ways() -> None:
    state = on_cell(table(), P, "r1c1", find(table(), "gold", 1, "NESW"))
    for at in ("0,-1", "(0,-1)", "0 -1", "0/−1"):
        assert said(state, P, "take", at=at, rotation="0°") == m.TakeTile(0, -1, 0)
    with pytest.raises(MalformedMove):
        said(state, P, "take", at="somewhere", rotation="0")
    with pytest.raises(MalformedMove):
        said(state, P, "take", at="1,1", rotation="much")
    with pytest.raises(MalformedMove):
        GAME.parse("take", {"at": "1,1", "colour": "red"})


def test_autocompletion_knows_the_tile_and_the_road() -> None:
    """Rotations show the roads they give, directions the tile they lead to."""
    state = on_cell(table(), P, "r1c1", find(table(), "gold", 1, "NE"))
    turns = complete(GAME, state, P, "take", {"at": "0,-1"}, "rotation", "")
    assert [c.label for c in turns] == ["90° – roads E, S", "180° – roads S, W"]
    ride = go(delivering(naples(), {P: "A3"}), P, m.StartRoute("0,0"))
    ways = complete(GAME, ride, P, "step", {}, "direction", "")
    assert "S – to 0,1: blue, 3 of 3 houses hungry" in [c.label for c in ways]
    rows = complete(GAME, naples_bids(6), P, "bid", {"column": "3"}, "row", "")
    assert rows[0].label.startswith("2 – £3 in column 1, £4 in column 2, £5 in column 3")


def test_labels_say_what_an_investment_does() -> None:
    state = investing(table(), {P: "gold"})
    ways = complete(GAME, state, P, "invest", {}, "way", "")
    assert [c.label for c in ways] == ["keep: Finance 1 → 2", "discard: receive £5"]


@pytest.mark.rule("PP-123")
def test_prompts_and_refusals_name_what_is_due() -> None:
    state = on_cell(table(), P, "r2c1")
    view = GAME.view(state, P)
    wanted = "take the tile on r2c1 or choose Seek Sponsor or Buy Ingredients"
    assert GAME.prompt(view, P) == wanted
    state = go(state, P, m.BuyPizzas(1))
    assert GAME.prompt(GAME.view(state, P), P) == "put 1 pizza on your pizzerias"
    assert refusal(state, P, "route", pizzeria="0,0") == "PP-123"


@pytest.mark.rule("PP-006")
def test_no_text_for_others_holds_a_balance() -> None:
    """£77 shows in the own hand and in nothing that anybody else gets."""
    state = table()
    area = state.touch(P)
    state.bank -= 77 - area.money
    area.money = 77
    assert GAME.hand(GAME.view(state, P)).title == "Your money: £77"  # type: ignore[union-attr]
    for viewer in (None, 1, 2, 3):
        view = GAME.view(state, viewer)
        assert "77" not in GAME.board_text(view) + GAME.alt(view)
        assert view.my_money != 77


def test_the_text_board_is_enough_to_play() -> None:
    """Tiles with roads, tips, meeples, stairs, routes: in the phase that needs them."""
    state = on_cell(table(4, coins=[[1, 2, 3, 3, 2, 1, 2, 3]]), P, "r1c1", "Y03")
    text = GAME.board_text(GAME.view(state, None))
    assert "r1 S £1: Y1NES #1*" in text
    assert "Pizzerias left: 3×£2, 3×£4, 2×£5" in text
    assert "pizzerias 0,0 3/5; 1,0 Y1EW" in text
    stairs = GAME.board_text(GAME.view(naples_bids(4), None))
    assert "c2 A2 2@2 #1=£4(r2) #2=£8(r4)" in stairs
    assert "Market" not in stairs


def test_who_is_away_delivers_what_is_near() -> None:
    """The safe move rides to the nearest house and finishes."""
    state = delivering(naples(), {P: "A3"})
    for _ in range(8):
        if state.round != 1:
            break
        state = go(state, P, GAME.safest(state, P))
    assert state.round == 2
    assert state.areas[P].delivered() > 0
