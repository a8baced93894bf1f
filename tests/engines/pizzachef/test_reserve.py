"""Reserving a topping (PZ-096 to PZ-101)."""

from __future__ import annotations

import pytest

from engines.pizzachef import GAME
from engines.pizzachef import moves as m
from engines.pizzachef.phases import flow
from engines.pizzachef.state import SPENT, PizzaState
from tests.engines.pizzachef.table import allowed, do, refused, step, table, told

MARKET = {
    "A1": ["...", "T05"], "A2": ["...", "H01"], "A3": ["...", "M02"], "B1": ["...", "P02"],
}  # fmt: skip


def reserved_by_two() -> PizzaState:
    """Seat 2 has reserved A1; seat 1 took A red; now it is seat 2's turn."""
    state = table(3, market=MARKET, actions=0, chef={2: ["K09", "K16"]}, missions={2: ["M02"]})
    state = do(state, (2, m.Reserve("A1")), (0, m.EndTurn()))
    state = do(state, (1, m.TakeToppings("A", "red")))
    assert state.tokens[1] == ("H01",)
    state = do(state, (1, m.DiscardTopping("H")), (1, m.EndTurn()))
    assert state.active == 2
    return state


@pytest.mark.rule("PZ-X16", "PZ-096", "PZ-097", "PZ-098", "PZ-099", "PZ-101")
def test_the_reserved_topping_waits_for_its_owner() -> None:
    state = table(3, market=MARKET, actions=0)
    played = step(state, 2, m.Reserve("A1"))
    assert told(played)[0].kind == "reserved"
    assert GAME.view(played.state, None).market[0].reserved == 2
    assert GAME.view(played.state, None).players[2].marker == "A1"
    state = reserved_by_two()
    # H01 was on A2; below it lies another token of the stacks.
    a2_red = state.top_of("A2")[1] == "red"
    state = do(state, (2, m.TakeToppings("A", "red")))
    assert "T05" in state.tokens[2]
    assert len(state.tokens[2]) == 1 + a2_red
    assert state.reserved[2] == SPENT


@pytest.mark.rule("PZ-X17", "PZ-100", "PZ-I26", "PZ-101")
def test_it_must_be_taken_by_the_second_action() -> None:
    state = reserved_by_two()
    refused(state, 2, m.EndTurn(), "PZ-100", "reserved topping at A1")
    refused(state, 2, m.DiscardMission("M02"), "PZ-100", "reserved topping at A1")
    state = do(state, (2, m.TakeOrders()))
    card = state.drawn[2][0]
    state = do(state, (2, m.KeepCard(card)), (2, m.FinishDraw()))
    refused(state, 2, m.TakeToppings("B", "green"), "PZ-100", "reserved topping at A1")
    refused(state, 2, m.TakeChef(), "PZ-100", "reserved topping")
    refused(state, 2, m.DiscardOrder(card), "PZ-100", "reserved topping")
    refused(state, 2, m.EndTurn(), "PZ-100", "reserved topping")
    assert allowed(state, 2, m.TakeToppings) == [m.TakeToppings("A", "red")]
    state = do(state, (2, m.PlayChef("fresh_pick")), (2, m.CardPick(slot="A1")))
    assert state.reserved[2] == SPENT
    assert state.actions_left == 1
    assert m.TakeToppings("B", "green") in flow.legal(state, 2)


@pytest.mark.rule("PZ-100")
def test_overtime_makes_only_the_third_action_free() -> None:
    state = do(reserved_by_two(), (2, m.PlayChef("overtime")))
    assert state.actions_left == 3
    state = do(state, (2, m.TakeToppings("B", "green")))
    while state.queue:
        state = do(state, (2, m.RotDiscard()))
    refused(state, 2, m.TakeOrders(), "PZ-100")
    refused(state, 2, m.DiscardMission("M02"), "PZ-100")
    state = do(state, (2, m.TakeToppings("A", "red")))
    while state.queue:
        state = do(state, (2, m.RotDiscard()))
    assert m.TakeOrders() in flow.legal(state, 2)


@pytest.mark.rule("PZ-101")
def test_an_early_card_takes_it_off_turn() -> None:
    state = table(3, market=MARKET, chef={2: ["K09", "K12"]})
    state = do(state, (2, m.Reserve("A1")), (2, m.PlayChef("full_basket")))
    state = do(state, (2, m.CardPick(stall="A")))
    assert state.tokens[2] == ("H01", "M02", "T05")
    assert state.reserved[2] == SPENT
    assert state.active == 0


@pytest.mark.rule("PZ-098")
def test_a_bag_may_be_reserved_unseen() -> None:
    state = table(2, market={"A1": ["...", "RT"]}, actions=0, tokens={1: ["T01"]})
    played = step(state, 1, m.Reserve("A1"))
    assert GAME.narrate(told(played)[0]) == (
        "{seat:1} reserved a mystery bag at A1 until their turn."
    )
    state = do(played.state, (0, m.EndTurn()), (1, m.TakeToppings("A", "red")))
    assert state.queue[0].topping == "T"


@pytest.mark.rule("PZ-I24", "PZ-096")
def test_only_off_turn_and_once() -> None:
    state = table(3, market=MARKET)
    refused(state, 0, m.Reserve("A1"), "PZ-096", "not your turn")
    state = do(state, (1, m.Reserve("A1")))
    refused(state, 1, m.Reserve("B1"), "PZ-096", "once a game")
    refused(state, 2, m.Reserve("C1"), "PZ-096", "no topping")
    spent = table(3, market=MARKET, reserved={1: SPENT})
    refused(spent, 1, m.Reserve("A1"), "PZ-096", "once a game")


@pytest.mark.rule("PZ-097")
def test_others_skip_the_reserved_token_but_take_the_rest() -> None:
    state = table(3, market=MARKET, reserved={2: "A1", 1: "B1"})
    assert allowed(state, 0, m.TakeToppings) == [
        m.TakeToppings("A", "red"),
        m.TakeToppings("A", "green"),
    ]
    state = do(state, (0, m.TakeToppings("A", "red")))
    assert state.tokens[0] == ("H01",)
    refused(state, 0, m.TakeToppings("B", "green"), "PZ-036", "nothing green")


@pytest.mark.rule("PZ-I25", "PZ-101")
def test_without_a_turn_left_nothing_is_reserved() -> None:
    state = table(3, active=2, market=MARKET, trigger=1, actions=0)
    refused(state, 1, m.Reserve("A1"), "PZ-101", "no turn left")
    assert m.Reserve("A1") in flow.legal(state, 0)
    state = do(state, (2, m.EndTurn()))
    refused(state, 2, m.Reserve("A1"), "PZ-101", "no turn left")
