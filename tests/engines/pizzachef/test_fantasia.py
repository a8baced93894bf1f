"""Pizza Fantasia (PZ-071 to PZ-077)."""

from __future__ import annotations

import pytest

from engines.pizzachef import GAME
from engines.pizzachef import moves as m
from engines.pizzachef.missions import completed
from engines.pizzachef.payment import base_of, kinds_on
from engines.pizzachef.state import PizzaState
from tests.engines.pizzachef.table import allowed, do, refused, table


def begin(tokens: str, *, full: dict[int, list[int]] | None = None, armed: str = "") -> PizzaState:
    """A Fantasia that has been announced."""
    state = table(
        2, tokens={0: tokens.split()}, orders={0: ["F1"]}, full=full or {}, armed=armed.split()
    )
    return do(state, (0, m.StartDelivery("F1")))


@pytest.mark.rule("PZ-X08", "PZ-071", "PZ-072", "PZ-073", "PZ-074")
def test_the_third_topping_may_be_tomato_sauce() -> None:
    state = begin("T01 M01 T02", full={5: [1, 1, 1]})
    assert state.delivery is not None
    assert (state.delivery.house, state.delivery.tokens) == (0, ("M01", "T01"))
    state = do(state, (0, m.SetHouse(5)), (0, m.AddTopping("T")), (0, m.ConfirmDelivery()))
    assert state.scores[0] == 3
    assert set(state.discard) == {"T01", "M01"}
    pizza = state.delivered[0][0]
    assert pizza.on_card == ("T02",)
    assert (pizza.kinds, pizza.icon, pizza.wrong) == ("TTM", 4, False)
    assert state.tokens[0] == ()
    assert state.markers_left(0) == 7


@pytest.mark.rule("PZ-X09", "PZ-073", "PZ-076")
def test_five_times_bell_pepper() -> None:
    state = begin("T01 M01 P01 P02 P03 P04 P05")
    for _ in range(5):
        state = do(state, (0, m.AddTopping("P")))
    state = do(state, (0, m.SetHouse(4)), (0, m.ConfirmDelivery()))
    assert state.scores[0] == 7 + 3
    pizza = state.delivered[0][0]
    assert pizza.on_card == ("P01", "P02", "P03", "P04", "P05")
    assert completed("M25", [pizza], False)
    from engines.pizzachef.missions import progress

    assert progress("M16", [pizza], False) == 1
    assert not any("P01" in stack for stack in state.stacks)


@pytest.mark.rule("PZ-X10", "PZ-075", "PZ-077")
def test_premium_double_and_choice() -> None:
    state = begin("T01 XM DPO C1", full={3: [1]})
    assert state.delivery is not None
    assert state.delivery.tokens == ("T01", "XM")
    assert m.AddTopping("choice") not in allowed(state, 0, m.AddTopping)
    refused(state, 0, m.AddTopping("choice"), "PZ-075", "which topping")
    state = do(
        state,
        (0, m.AddTopping("double:PO")),
        (0, m.AddTopping("choice", "B")),
        (0, m.SetHouse(3)),
        (0, m.ConfirmDelivery()),
    )
    assert state.scores[0] == 5 + 2 + 2
    pizza = state.delivered[0][0]
    assert pizza.kinds == "TMPOB"
    assert set(state.discard) == {"T01", "XM"}
    assert pizza.on_card == ("C1", "DPO")


@pytest.mark.rule("PZ-I16", "PZ-071")
def test_tomato_sauce_mozzarella_and_one_more() -> None:
    two = table(2, tokens={0: ["T01", "M01"]}, orders={0: ["F1"]})
    refused(two, 0, m.StartDelivery("F1"), "PZ-071", "1 more topping")
    none = table(2, tokens={0: ["T01", "H01", "B01"]}, orders={0: ["F1"]})
    refused(none, 0, m.StartDelivery("F1"), "PZ-071", "mozzarella")
    state = do(begin("T01 M01 H01 B01"), (0, m.SetHouse(1)))
    refused(state, 0, m.ConfirmDelivery(), "PZ-071", "1 more topping")
    lacking = do(state, (0, m.RemoveTopping("M")), (0, m.AddTopping("H")), (0, m.AddTopping("B")))
    refused(lacking, 0, m.ConfirmDelivery(), "PZ-071", "mozzarella")
    assert do(begin("DTM H01"), (0, m.SetHouse(1)), (0, m.AddTopping("H"))).delivery is not None


@pytest.mark.rule("PZ-075")
def test_choice_bags_are_declared_one_by_one() -> None:
    state = begin("T01 C1 C2 C3")
    assert state.delivery is not None
    assert state.delivery.tokens == ("C1", "T01")
    assert state.delivery.declared == (("C1", "M"),)
    state = do(state, (0, m.AddTopping("choice", "G")), (0, m.AddTopping("choice", "P")))
    assert state.delivery is not None
    assert state.delivery.declared == (("C1", "M"), ("C2", "G"), ("C3", "P"))
    found = allowed(state, 0, m.RemoveTopping)
    assert m.RemoveTopping("choice", "G") in found
    state = do(state, (0, m.RemoveTopping("choice", "G")))
    assert state.delivery is not None
    assert state.delivery.tokens == ("C1", "C3", "T01")
    assert [x.counts_as for x in allowed(state, 0, m.AddTopping)] == list("TMHPFOGB")


@pytest.mark.rule("PZ-077")
def test_which_tokens_are_discarded_for_the_base() -> None:
    # Standard before premium, choice, substituted, double; then the lowest id.
    assert base_of(["DTM", "M03", "M05", "T02", "XM"], ()) == ("T02", "M03")
    assert base_of(["DTM", "H01", "XM"], ()) == ("DTM", "XM")
    assert base_of(["C1", "DTM", "H01"], (("C1", "T"),)) == ("C1", "DTM")
    assert base_of(["DTM", "H01"], ()) == ("DTM",)
    assert base_of(["H01", "H02", "M01"], (("H01", "T"),)) == ("H01", "M01")
    assert base_of(["C1", "H01", "M01"], (("C1", "T"), ("H01", "T"))) == ("C1", "M01")
    assert kinds_on(["C1", "DPO", "T01", "XM"], (("C1", "B"),)) == "TMPOB"


@pytest.mark.rule("PZ-076")
def test_tokens_on_the_card_are_out_of_play() -> None:
    state = begin("T01 M01 P01 P02")
    state = do(
        state,
        (0, m.AddTopping("P")),
        (0, m.AddTopping("P")),
        (0, m.SetHouse(2)),
        (0, m.ConfirmDelivery()),
    )
    assert state.delivered[0][0].on_card == ("P01", "P02")
    outcome_view = GAME.view(state, 1).players[0]
    assert outcome_view.tokens == ()
    assert outcome_view.delivered[0].on_card == ("P01", "P02")


@pytest.mark.rule("PZ-074")
def test_a_fantasia_is_never_wrong_and_gets_all_bonuses() -> None:
    state = table(
        2, tokens={0: ["T01", "M01", "P01"]}, orders={0: ["F1"]}, pi=["K27"], armed=["moped"]
    )
    state = do(
        state,
        (0, m.StartDelivery("F1")),
        (0, m.AddTopping("P")),
        (0, m.SetHouse(9)),
        (0, m.ConfirmDelivery()),
    )
    assert state.scores[0] == 3 + 3 + 3
    assert state.pi == ()
    assert state.armed == ()


@pytest.mark.rule("PZ-075")
def test_substitute_on_a_fantasia() -> None:
    state = begin("T01 H01 H02 P01", armed="substitute")
    assert state.delivery is not None
    # One of the spare tokens stands for the mozzarella: the lowest id list has H01.
    assert state.delivery.tokens == ("H01", "T01")
    assert state.delivery.declared == (("H01", "M"),)
    refused(state, 0, m.AddTopping("P", "G"), "PZ-075", "stands for itself")
    state = do(state, (0, m.RemoveTopping("H", "M")), (0, m.AddTopping("H", "M")))
    state = do(state, (0, m.AddTopping("H")), (0, m.SetHouse(9)), (0, m.ConfirmDelivery()))
    assert state.delivered[0][0].kinds == "TMH"
    assert state.armed == ()
    assert state.scores[0] == 3 + 3
