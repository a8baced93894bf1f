"""Deliveries, right and wrong (PZ-060 to PZ-070, PZ-078 to PZ-081)."""

from __future__ import annotations

import pytest

from engines.pizzachef import GAME
from engines.pizzachef import moves as m
from engines.pizzachef.components import TYPE
from engines.pizzachef.payment import fit, missing, preselect
from engines.pizzachef.phases import flow
from tests.engines.pizzachef.table import allowed, do, refused, step, table, told


@pytest.mark.rule("PZ-X01", "PZ-060", "PZ-062", "PZ-063", "PZ-064", "PZ-066", "PZ-070", "PZ-083")
def test_the_delivery_of_the_rulebook() -> None:
    state = table(
        2,
        tokens={0: ["T01", "F01", "C1"]},
        orders={0: ["O01"]},
        full={1: [1, 1]},
        scores={0: 12},
    )
    assert state.scores[0] == 12
    announced = step(state, 0, m.StartDelivery("O01"))
    d = announced.state.delivery
    assert d is not None
    assert (d.house, d.tokens) == (1, ("C1", "F01", "T01"))
    assert told(announced)[0].args["order"] == "O01"
    played = step(announced.state, 0, m.ConfirmDelivery())
    after = played.state
    assert after.scores[0] == 17
    assert after.houses[0] == (1, 1, 0)
    assert after.delivered[0][-1].icon == 3
    assert after.delivered[0][-1].coins == 5
    assert sorted(after.discard) == ["C1", "F01", "T01"]
    assert after.delivered[0][-1].order == "O01"
    assert after.orders[0] == ()
    assert after.actions_left == 2
    assert after.main == "open"


@pytest.mark.rule("PZ-X02", "PZ-065", "PZ-070", "PZ-I13")
def test_speed_bonus_and_a_full_house() -> None:
    tokens = [f"T{i:02}" for i in range(1, 4)] + [f"M{i:02}" for i in range(1, 7)]
    tokens += ["B01", "B02", "H01", "H02", "F01", "G01", "P01", "P02", "O01"]
    state = table(2, tokens={0: tokens}, orders={0: ["O28", "O27", "O26", "O25", "O18"]})
    coins = []
    for order in ("O28", "O27", "O26", "O25"):
        before = state.scores[0]
        state = do(state, (0, m.StartDelivery(order)), (0, m.ConfirmDelivery()))
        coins.append(state.scores[0] - before)
    assert coins == [7, 7, 6, 7]
    assert state.houses[6] == (0, 0, 0, 0)
    state.add_tokens(0, ["G02", "B03"])
    state.stacks = [tuple(t for t in s if t not in ("G02", "B03")) for s in state.stacks]
    state = do(state, (0, m.StartDelivery("O18")))
    refused(state, 0, m.SetHouse(7), "PZ-065", "full")


@pytest.mark.rule("PZ-060", "PZ-I12")
def test_all_toppings_are_needed() -> None:
    state = table(2, tokens={0: ["T01", "M02", "H01"]}, orders={0: ["O01"]})
    refused(state, 0, m.StartDelivery("O01"), "PZ-060", "mushrooms")
    green = table(2, tokens={0: ["T02", "M02", "F02"]}, orders={0: ["O01"]})
    assert allowed(green, 0, m.StartDelivery) == [m.StartDelivery("O01")]
    refused(green, 0, m.StartDelivery("O02"), "PZ-060", "no such order")


@pytest.mark.rule("PZ-061", "PZ-I10", "PZ-I11")
def test_only_in_the_own_turn_and_while_markers_remain() -> None:
    state = table(2, tokens={1: ["T01", "M01", "F01"]}, orders={1: ["O01"]})
    refused(state, 1, m.StartDelivery("O01"), "PZ-061", "only in your own turn")
    refused(state, 1, m.ConfirmDelivery(), "PZ-061", "only in your own turn")
    orders = [f"O{i:02}" for i in range(2, 10)]
    state = table(
        2,
        tokens={0: ["T01", "M01", "F01"]},
        orders={0: ["O01"]},
        delivered={0: [(o, i + 2) for i, o in enumerate(orders)]},
        trigger=0,
    )
    refused(state, 0, m.StartDelivery("O01"), "PZ-061", "no pizza marker left")


@pytest.mark.rule("PZ-061")
def test_as_often_as_wanted() -> None:
    state = table(
        2, tokens={0: ["T01", "T02", "B01", "B02", "G01"]}, orders={0: ["O39", "O33"]}, actions=0
    )
    for order in ("O39", "O33"):
        state = do(state, (0, m.StartDelivery(order)), (0, m.ConfirmDelivery()))
    assert len(state.delivered[0]) == 2


@pytest.mark.rule("PZ-X06", "PZ-068", "PZ-084", "PZ-085")
def test_what_is_proposed() -> None:
    tokens = ["T01", "M01", "H01", "G01", "B01", "XM", "DHF", "C1", "C2"]
    state = table(2, tokens={0: tokens}, orders={0: ["O21"]}, full={6: [1]})
    state = do(state, (0, m.StartDelivery("O21")))
    assert state.delivery is not None
    assert state.delivery.tokens == ("B01", "DHF", "G01", "T01", "XM")
    paid = do(state, (0, m.ConfirmDelivery()))
    assert paid.scores[0] == 7 + 2 + 2
    wrong = do(state, (0, m.SetHouse(5)))
    assert wrong.delivery is not None
    assert wrong.delivery.tokens == ("B01", "DHF", "G01", "M01", "T01")
    wrong = do(wrong, (0, m.ConfirmDelivery()))
    assert wrong.scores[0] == 0
    assert wrong.delivered[0][-1].wrong


@pytest.mark.rule("PZ-X07", "PZ-I14", "PZ-067", "PZ-084")
def test_a_superfluous_token_is_refused() -> None:
    state = table(2, tokens={0: ["T01", "M01", "P01", "DPO", "O01"]}, orders={0: ["O06"]})
    state = do(state, (0, m.StartDelivery("O06")))
    assert state.delivery is not None
    assert state.delivery.tokens == ("DPO", "M01", "P01", "T01")
    more = do(state, (0, m.AddTopping("O")))
    refused(more, 0, m.ConfirmDelivery(), "PZ-067", "olives", "superfluous")
    fewer = do(state, (0, m.RemoveTopping("P")))
    refused(fewer, 0, m.ConfirmDelivery(), "PZ-067", "still lacks bell pepper")
    done = do(more, (0, m.RemoveTopping("O")), (0, m.ConfirmDelivery()))
    assert done.tokens[0] == ("O01",)
    assert "DPO" in done.discard


@pytest.mark.rule("PZ-067")
def test_sets_of_tokens() -> None:
    assert fit("TMPP", ["DPO", "M01", "P01", "T01"]) == ("", "")
    assert fit("TMPP", ["C1", "M01", "P01", "T01"]) == ("", "")
    assert fit("TMPP", ["C1", "M01", "P01", "P02", "T01"]) == ("superfluous", "C1")
    assert fit("TMPP", ["M01", "P01", "T01"]) == ("missing", "P")
    assert fit("TMPP", ["M01", "P01", "P02", "P03", "T01"])[0] == "superfluous"
    # Both halves of a double on one pizza, or one of them.
    assert fit("TMF", ["DTM", "F01"]) == ("", "")
    assert fit("TMF", ["DTM", "F01", "T01"]) == ("", "")
    assert fit("GB", ["DTM", "B01", "G01"])[0] == "superfluous"
    # The substitute stands in once.
    assert fit("TMF", ["T01", "T02", "M01"])[0] == "missing"
    assert fit("TMF", ["T01", "T02", "M01"], True) == ("", "S")
    assert fit("TMF", ["T01", "T02", "T03"], True)[0] == "missing"
    assert fit("TMFB", ["C1", "T01", "T02", "M01"], True) == ("", "S")
    assert fit("TMF", ["T01", "XM", "F01"], True) == ("", "")


@pytest.mark.rule("PZ-068")
def test_the_order_of_preference() -> None:
    def chosen(recipe: str, tokens: str, *, wrong: bool = False, substitute: bool = False) -> str:
        found = preselect(recipe, tuple(sorted(tokens.split())), wrong=wrong, substitute=substitute)
        return " ".join(found[0]) if found else ""

    # No substitute if avoidable, even at the price of a choice bag.
    assert chosen("TMF", "T01 T02 M01 C1", substitute=True) == "C1 M01 T01"
    assert chosen("TMF", "T01 T02 M01", substitute=True) == "M01 T01 T02"
    # Fewest choice bags come before premiums, premiums before doubles.
    assert chosen("MG", "XM M01 G01 C1") == "G01 XM"
    assert chosen("MG", "XM M01 G01 C1", wrong=True) == "G01 M01"
    assert chosen("TM", "DTM T01 M01") == "M01 T01"
    assert chosen("TM", "DTM T01 C1") == "DTM"
    # Fewest lost halves, then the lowest ids.
    assert chosen("HFP", "DHF H01 P03 P02") == "DHF P02"
    assert chosen("TB", "T03 T02 B05") == "B05 T02"
    assert chosen("TB", "T03 T02") == ""
    assert missing("TB", ("T02", "T03")) == "B"


@pytest.mark.rule("PZ-069")
def test_house_and_tokens_may_change_until_confirmed_and_cancelling_changes_nothing() -> None:
    state = table(2, tokens={0: ["T01", "M01", "XM", "F01"]}, orders={0: ["O01"]}, full={2: [1]})
    begun = do(state, (0, m.StartDelivery("O01")))
    assert begun.delivery is not None
    assert begun.delivery.tokens == ("F01", "T01", "XM")
    changed = do(begun, (0, m.RemoveTopping("premium:M")), (0, m.AddTopping("M")))
    assert changed.delivery is not None
    assert changed.delivery.tokens == ("F01", "M01", "T01")
    # From the printed house to a wrong one and on to another wrong one.
    wrong = do(begun, (0, m.SetHouse(4)))
    assert wrong.delivery is not None
    assert wrong.delivery.tokens == ("F01", "M01", "T01")
    custom = do(
        wrong, (0, m.RemoveTopping("M")), (0, m.AddTopping("premium:M")), (0, m.SetHouse(5))
    )
    assert custom.delivery is not None
    assert custom.delivery.tokens == ("F01", "T01", "XM")
    back = do(wrong, (0, m.SetHouse(1)))
    assert back.delivery is not None
    assert back.delivery.tokens == ("F01", "T01", "XM")
    cancelled = do(wrong, (0, m.CancelDelivery()))
    assert cancelled.tokens == state.tokens
    assert cancelled.orders == state.orders
    assert cancelled.houses == state.houses
    assert (cancelled.main, cancelled.delivery) == ("open", None)


@pytest.mark.rule("PZ-069", "PZ-065", "PZ-078")
def test_a_full_printed_house_leaves_only_a_wrong_one() -> None:
    state = table(
        2, tokens={0: ["T01", "M01", "XM", "F01"]}, orders={0: ["O01"]}, full={1: [1, 1, 1, 1]}
    )
    state = do(state, (0, m.StartDelivery("O01")))
    assert state.delivery is not None
    assert state.delivery.house == 0
    assert state.delivery.tokens == ("F01", "T01", "XM")
    refused(state, 0, m.ConfirmDelivery(), "PZ-069", "choose a house")
    refused(state, 0, m.SetHouse(1), "PZ-065", "full")
    state = do(state, (0, m.SetHouse(2)), (0, m.ConfirmDelivery()))
    assert state.delivered[0][-1].wrong
    assert state.tokens[0] == ("XM",)


@pytest.mark.rule("PZ-I15", "PZ-084")
def test_a_rotten_bag_is_no_topping() -> None:
    state = table(2, tokens={0: ["T01", "M01", "F01", "RB"]}, orders={0: ["O01"]})
    state = do(state, (0, m.StartDelivery("O01")))
    refused(state, 0, m.AddTopping("rotten:B"), "PZ-084", "no topping")


@pytest.mark.rule("PZ-X11", "PZ-078", "PZ-079", "PZ-080")
def test_a_wrong_delivery_earns_nothing_but_counts() -> None:
    state = table(
        2,
        tokens={0: ["T01", "XM", "F01"], 1: ["T02", "M02", "P02"]},
        orders={0: ["O01"], 1: ["O19"]},
        actions=0,
    )
    state = do(state, (0, m.StartDelivery("O01")), (0, m.SetHouse(5)), (0, m.ConfirmDelivery()))
    assert state.scores[0] == 0
    assert state.houses[4] == (0,)
    pizza = state.delivered[0][0]
    assert (pizza.order, pizza.house, pizza.icon, pizza.kinds) == ("O01", 5, 1, "TMF")
    assert state.markers_left(0) == 7
    state = do(state, (0, m.EndTurn()), (1, m.StartDelivery("O19")), (1, m.ConfirmDelivery()))
    assert state.scores[1] == 4 + 2


@pytest.mark.rule("PZ-080", "PZ-102", "PZ-103")
def test_a_wrong_delivery_may_be_the_eighth_marker() -> None:
    orders = [f"O{i:02}" for i in range(5, 12)]
    state = table(
        2,
        tokens={0: ["T01", "M01", "F01"]},
        orders={0: ["O01"]},
        missions={0: ["M01"]},
        delivered={0: [(o, i + 2) for i, o in enumerate(orders)]},
    )
    state = do(state, (0, m.StartDelivery("O01")), (0, m.SetHouse(9)))
    played = step(state, 0, m.ConfirmDelivery())
    assert played.state.trigger_seat == 0
    assert [e.args["mission"] for e in played.events if e.kind == "mission_done"] == ["M01"]


@pytest.mark.rule("PZ-081")
def test_extra_pay_is_not_used_up_by_a_wrong_delivery() -> None:
    state = table(
        2,
        tokens={0: ["T01", "T02", "B01", "B02"]},
        orders={0: ["O39", "F1"]},
        armed=["moped", "regular_customer"],
        pi=["K26"],
    )
    state = do(state, (0, m.StartDelivery("O39")), (0, m.SetHouse(2)), (0, m.ConfirmDelivery()))
    assert state.scores[0] == 0
    assert state.armed == ("moped", "regular_customer")
    assert state.pi == ("K26",)


@pytest.mark.rule("PZ-I17", "PZ-081")
def test_an_open_order_of_another_player_goes_to_its_house() -> None:
    state = table(2, tokens={0: ["T01", "M01", "F01"]}, open_orders={1: ["O01"]})
    state = do(state, (0, m.StartDelivery("O01")))
    refused(state, 0, m.SetHouse(4), "PZ-081", "Only own orders")
    full = table(
        2, tokens={0: ["T01", "M01", "F01"]}, open_orders={1: ["O01"]}, full={1: [1, 1, 1, 1]}
    )
    refused(full, 0, m.StartDelivery("O01"), "PZ-065", "full")


@pytest.mark.rule("PZ-054", "PZ-055")
def test_own_open_orders_may_go_wrong() -> None:
    state = table(2, tokens={0: ["T01", "M01", "F01"]}, open_orders={0: ["O01"]})
    state = do(state, (0, m.StartDelivery("O01")), (0, m.SetHouse(4)), (0, m.ConfirmDelivery()))
    assert state.delivered[0][0].wrong
    assert state.open_orders[0] == ()


def test_every_payable_order_has_a_proposal_that_may_be_confirmed() -> None:
    """Payability, the proposal and the final check agree for many hands of tokens."""
    names = list(TYPE)
    for i in range(60):
        hand = tuple(sorted(names[(i * 7 + j * 13) % 99] for j in range(12)))
        for recipe in ("TMF", "TMPP", "TMHFGB", "GB", "TMHPPO"):
            for substitute in (False, True):
                found = preselect(recipe, hand, substitute=substitute)
                assert (found is None) == bool(missing(recipe, hand, substitute))
                if found:
                    assert fit(recipe, found[0], substitute)[0] == ""


def test_announcing_and_confirming_give_events_without_reveal() -> None:
    state = table(2, tokens={0: ["T01", "M01", "F01"]}, orders={0: ["O01"]})
    played = step(state, 0, m.StartDelivery("O01"))
    assert not any(e.reveals for e in played.events)
    assert GAME.narrate(played.events[0]) == "{seat:0} is delivering Pizza ai funghi for house 1."
    played = step(played.state, 0, m.ConfirmDelivery())
    assert not any(e.reveals for e in played.events)
    assert GAME.narrate(told(played)[0]) == (
        "**{seat:0} delivered Pizza ai funghi to house 1**: 4 price + 3 speed bonus = 7 coins, "
        "now 7."
    )
    assert m.ConfirmDelivery() not in flow.legal(played.state, 0)
