"""Mystery bags and what rots (PZ-082 to PZ-095)."""

from __future__ import annotations

import pytest

from engines.pizzachef import GAME
from engines.pizzachef import moves as m
from engines.pizzachef.phases import flow
from engines.pizzachef.state import Wait
from tests.engines.pizzachef.table import allowed, do, refused, step, table, told

MARKET = {"A1": ["...", "T05"], "A2": ["...", "RT"], "A3": ["...", "M02"]}


@pytest.mark.rule("PZ-X12", "PZ-082", "PZ-086", "PZ-087")
def test_a_rotten_bag_takes_the_toppings_taken_with_it() -> None:
    state = table(2, tokens={0: ["T01", "T03"]}, market=MARKET)
    played = step(state, 0, m.TakeToppings("A", "red"))
    taken = played.state
    assert told(played)[0].args["tokens"] == ("T", "rotten:T")
    assert taken.actions_left == 1
    assert taken.queue == (Wait("rot", 0, "T"),)
    assert GAME.waiting(taken) == (0,)
    gone = do(taken, (0, m.RotDiscard()))
    assert gone.tokens[0] == ()
    assert set(gone.discard) == {"T01", "T03", "T05", "RT"}
    kept = do(taken, (0, m.RotKeep()))
    assert kept.tokens[0] == ("RT",)
    assert set(kept.discard) == {"T01", "T03", "T05"}
    assert kept.queue == ()
    assert kept.actions_left == 1


@pytest.mark.rule("PZ-X13", "PZ-087", "PZ-088", "PZ-083", "PZ-085", "PZ-086")
def test_choice_double_and_premium_never_rot() -> None:
    market = {
        "A1": ["...", "P02"], "B1": ["...", "RM"], "C1": ["...", "RP"],
    }  # fmt: skip
    state = table(2, tokens={0: ["XM", "DTM", "C1"]}, market=market, actions=3)
    state = do(state, (0, m.TakeToppings("C", "red")))
    assert state.queue == ()
    state = do(state, (0, m.TakeToppings("B", "green")))
    assert state.queue == ()
    assert set(state.tokens[0]) == {"XM", "DTM", "C1", "RP", "RM"}
    state = do(state, (0, m.TakeToppings("A", "green")))
    assert state.queue == (Wait("rot", 0, "P"),)
    state = do(state, (0, m.RotKeep()))
    assert "P02" in state.discard
    assert "RP" in state.tokens[0]


@pytest.mark.rule("PZ-X14", "PZ-090", "PZ-091")
def test_bin_saves_the_toppings() -> None:
    state = table(2, tokens={0: ["T01", "T03"]}, market=MARKET, chef={0: ["K06"]})
    state = do(state, (0, m.TakeToppings("A", "red")))
    assert allowed(state, 0, m.PlayChef) == [m.PlayChef("bin")]
    state = do(state, (0, m.PlayChef("bin")))
    assert state.drafts[0] is not None
    assert state.drafts[0].picks == ("rotten:T",)
    state = do(state, (0, m.CardFinish()))
    assert state.tokens[0] == ("T01", "T03", "T05")
    assert state.discard == ("RT",)
    assert state.discards["chef"] == ("K06",)
    assert state.queue == ()
    assert GAME.waiting(state) == (0,)


@pytest.mark.rule("PZ-X15", "PZ-089", "PZ-091", "PZ-093")
def test_swap_hands_the_bag_over_and_rots_there_at_once() -> None:
    state = table(
        3,
        tokens={0: ["H01", "H02"], 1: ["F03", "H03", "H05"]},
        market={"B1": ["...", "RH"]},
        chef={0: ["K03"]},
    )
    state = do(state, (0, m.TakeToppings("B", "red")))
    assert state.queue == (Wait("rot", 0, "H"),)
    state = do(state, (0, m.PlayChef("swap")))
    state = do(state, (0, m.CardPick(player="yellow", topping="F")))
    assert set(state.tokens[0]) == {"H01", "H02", "F03"}
    assert state.queue == (Wait("rot", 1, "H"),)
    assert GAME.waiting(state) == (1,)
    refused(state, 0, m.TakeOrders(), "PZ-092", "{seat:1}")
    for answer, left in ((m.RotDiscard(), ()), (m.RotKeep(), ("RH",))):
        after = do(state, (1, answer))
        assert after.tokens[1] == left
        assert {"H03", "H05"} <= set(after.discard)
        assert GAME.waiting(after) == (0,)
        assert after.actions_left == 1


@pytest.mark.rule("PZ-092")
def test_several_bags_are_settled_one_by_one() -> None:
    market = {"A1": ["...", "RP"], "A2": ["...", "RT"], "A3": ["...", "T05"]}
    state = table(2, tokens={0: ["P02", "T01"]}, market=market, chef={0: ["K06"]})
    state = do(state, (0, m.TakeToppings("A", "red")))
    # Both bags are turned over first; tomato sauce comes before bell pepper.
    assert state.queue == (Wait("rot", 0, "T"), Wait("rot", 0, "P"))
    one = do(state, (0, m.RotDiscard()))
    assert one.queue == (Wait("rot", 0, "P"),)
    assert one.tokens[0] == ("P02", "RP")
    both = do(state, (0, m.PlayChef("bin")), (0, m.CardPick(topping="rotten:P")))
    assert both.queue == ()
    assert both.tokens[0] == ("P02", "T01", "T05")


@pytest.mark.rule("PZ-092")
def test_the_active_player_is_asked_first() -> None:
    # Seat 1 gives M for T: both hold the rotten bag of what they get.
    state = table(3, active=1, tokens={0: ["RM", "T01"], 1: ["RT", "M01"]}, chef={1: ["K03"]})
    state = do(
        state,
        (1, m.PlayChef("swap")),
        (1, m.CardPick(topping="M")),
        (1, m.CardPick(player="blue", topping="T")),
    )
    assert state.queue == (Wait("rot", 1, "T"), Wait("rot", 0, "M"))
    refused(state, 0, m.RotKeep(), "PZ-092", "{seat:1}")
    state = do(state, (1, m.RotKeep()), (0, m.RotDiscard()))
    assert state.tokens == [(), ("RT",), ()]
    assert GAME.waiting(state) == (1,)


@pytest.mark.rule("PZ-I28", "PZ-092", "PZ-053")
def test_nobody_else_acts_while_a_choice_is_pending() -> None:
    state = table(
        3,
        tokens={0: ["T01"], 1: ["F01"]},
        market=MARKET,
        chef={1: ["K06", "K09"], 0: ["K10"]},
    )
    state = do(state, (0, m.TakeToppings("A", "red")))
    refused(state, 1, m.PlayChef("bin"), "PZ-092", "{seat:0}", "tomato sauce")
    refused(state, 1, m.Reserve("B1"), "PZ-092", "{seat:0}")
    refused(state, 1, m.RotDiscard(), "PZ-092", "{seat:0}")
    refused(state, 0, m.PlayChef("fresh_pick"), "PZ-091", "Bin or Swap")
    refused(state, 0, m.TakeOrders(), "PZ-092", "{seat:0}")
    assert flow.legal(state, 1) == []
    opened = table(
        3, orders={1: ["O01", "O07"]}, chef={0: ["K01"], 2: ["K06"]}, tokens={2: ["T01"]}
    )
    opened = do(opened, (0, m.PlayChef("open_order")), (0, m.CardPick(player="yellow")))
    refused(opened, 2, m.PlayChef("bin"), "PZ-053", "{seat:1}")
    refused(opened, 0, m.TakeOrders(), "PZ-053", "{seat:1}")
    refused(opened, 2, m.RevealOrder("O01"), "PZ-053", "{seat:1}")


@pytest.mark.rule("PZ-I27", "PZ-091")
def test_the_answer_must_use_the_rotten_bag() -> None:
    state = table(
        2, tokens={0: ["T01", "H01", "B01"], 1: ["F01"]}, market=MARKET, chef={0: ["K03", "K06"]}
    )
    swap = do(state, (0, m.PlayChef("swap")), (0, m.CardPick(topping="H")))
    swap = do(swap, (0, m.TakeToppings("A", "red")))
    refused(swap, 0, m.CardPick(player="yellow", topping="F"), "PZ-091", "rotten bag")
    bin_ = do(state, (0, m.PlayChef("bin")), (0, m.CardPick(topping="H")))
    bin_ = do(bin_, (0, m.TakeToppings("A", "red")))
    refused(bin_, 0, m.CardPick(topping="B"), "PZ-091", "rotten bag")
    refused(bin_, 0, m.CardFinish(), "PZ-091", "rotten bag")
    assert allowed(bin_, 0, m.CardPick) == [m.CardPick(topping="rotten:T")]
    done = do(bin_, (0, m.CardPick(topping="rotten:T")))
    assert done.tokens[0] == ("B01", "T01", "T05")
    assert done.queue == ()


@pytest.mark.rule("PZ-088", "PZ-089")
def test_toppings_gained_by_cards_rot_too() -> None:
    state = table(2, tokens={0: ["RT", "H01"], 1: ["T01", "M01"]}, chef={0: ["K14"]})
    state = do(state, (0, m.PlayChef("pickpocket")), (0, m.CardPick(player="yellow", topping="T")))
    assert state.queue == (Wait("rot", 0, "T"),)
    state = do(state, (0, m.RotKeep()))
    assert state.tokens[0] == ("H01", "RT")


@pytest.mark.rule("PZ-093", "PZ-091")
def test_who_is_handed_a_bag_may_swap_it_back_off_turn() -> None:
    state = table(2, tokens={0: ["RH", "T01"], 1: ["F03", "H03"]}, chef={0: ["K03"], 1: ["K04"]})
    state = do(
        state,
        (0, m.PlayChef("swap")),
        (0, m.CardPick(topping="rotten:H")),
        (0, m.CardPick(player="yellow", topping="F")),
    )
    assert state.queue == (Wait("rot", 1, "H"),)
    state = do(state, (1, m.PlayChef("swap")), (1, m.CardPick(player="blue", topping="T")))
    assert state.tokens == [("F03", "RH"), ("H03", "T01")]
    assert state.queue == ()
    assert GAME.waiting(state) == (0,)


@pytest.mark.rule("PZ-094", "PZ-095")
def test_ways_to_lose_a_rotten_bag() -> None:
    state = table(2, tokens={0: ["RT"], 1: ["F01"]}, chef={0: ["K03", "K06"]})
    assert do(state, (0, m.DiscardTopping("rotten:T"))).tokens[0] == ()
    assert do(state, (0, m.PlayChef("bin")), (0, m.CardPick(topping="rotten:T"))).tokens[0] == ()
    given = do(
        state,
        (0, m.PlayChef("swap")),
        (0, m.CardPick(topping="rotten:T")),
        (0, m.CardPick(player="yellow", topping="F")),
    )
    assert given.tokens == [("F01",), ("RT",)]
    with_tokens = table(2, tokens={0: ["RT"]}, market={"A1": ["...", "T05"]})
    with_tokens = do(with_tokens, (0, m.TakeToppings("A", "red")), (0, m.RotDiscard()))
    assert with_tokens.tokens[0] == ()
    assert set(with_tokens.discard) == {"RT", "T05"}


@pytest.mark.rule("PZ-087")
def test_without_anything_rotting_there_is_no_choice() -> None:
    state = table(2, tokens={0: ["RT"]})
    refused(state, 0, m.RotKeep(), "PZ-087", "Nothing is rotting")
    refused(state, 1, m.RotDiscard(), "PZ-087")


@pytest.mark.rule("PZ-082", "PZ-014")
def test_bags_stay_hidden_until_they_are_taken() -> None:
    state = table(2, market={"A1": ["...", "DTM"], "A2": ["...", "XF"]})
    market = GAME.view(state, 0).market
    assert [p.face for p in market[:2]] == ["bag", "bag"]
    state = do(state, (0, m.TakeToppings("A", "red")))
    assert GAME.view(state, 1).players[0].tokens == ("double:TM", "premium:F")
