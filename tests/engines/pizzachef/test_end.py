"""The final round, tips and losses (PZ-102 to PZ-112), missions (dossier 3.3)."""

from __future__ import annotations

import pytest

from engines.pizzachef import GAME
from engines.pizzachef import moves as m
from engines.pizzachef.components import MISSIONS
from engines.pizzachef.missions import completed, goal, progress
from engines.pizzachef.phases import flow
from engines.pizzachef.phases.scoring import final, settle_order, sheltered, stacking
from engines.pizzachef.state import PizzaState
from tests.engines.pizzachef.table import allowed, do, pizza, refused, step, table, told

SEVEN = [("O05", 2), ("O06", 3), ("O07", 4), ("O08", 5), ("O09", 6), ("O10", 7), ("O11", 8)]


def last_marker(seats: int = 3, active: int = 1, **more: object) -> PizzaState:
    """The active player can place the 8th marker with 1 action left."""
    return table(
        seats,
        active=active,
        actions=1,
        spent=1,
        tokens={active: ["T01", "M01", "F01"]},
        orders={active: ["O01"]},
        delivered={active: SEVEN},
        **more,  # type: ignore[arg-type]
    )


@pytest.mark.rule("PZ-X18", "PZ-102", "PZ-103", "PZ-028")
def test_the_final_round() -> None:
    state = last_marker(missions={0: ["M01"], 1: ["M02"], 2: ["M03"]})
    state = do(state, (1, m.StartDelivery("O01")))
    played = step(state, 1, m.ConfirmDelivery())
    assert told(played)[-1].kind == "final_round"
    state = played.state
    assert state.trigger_seat == 1
    refused(state, 1, m.EndTurn(), "PZ-028", "compulsory")
    refused(state, 1, m.TakeOrders(), "PZ-034")
    state = do(state, (1, m.TakeChef()))
    hand = next(c for c in state.drawn[1] if c < "K22")
    state = do(state, (1, m.KeepCard(hand)), (1, m.FinishDraw()), (1, m.EndTurn()))
    for seat in (2, 0):
        assert state.active == seat
        assert state.ended is None
        state = do(state, (seat, m.DiscardMission(state.missions[seat][0])))
    assert state.ended == "final_round"
    assert GAME.waiting(state) == ()
    assert flow.legal(state, 0) == []
    assert settle_order(state) == [1, 2, 0]


@pytest.mark.rule("PZ-X18", "PZ-105", "PZ-106")
def test_the_striped_mission_is_for_the_triggering_seat_only() -> None:
    state = table(3, missions={1: ["M01"]}, trigger=1)
    assert final(state, 1).done == ("M01",)
    assert final(state, 1).tips == 8
    state = table(3, missions={2: ["M01"]}, trigger=1)
    assert final(state, 2).missed == ("M01",)


@pytest.mark.rule("PZ-104")
def test_cards_may_be_played_until_the_last_turn_ends() -> None:
    state = table(
        3,
        active=2,
        trigger=0,
        tokens={0: ["T01", "T02"], 1: ["B01"]},
        chef={0: ["K06"], 2: ["K14"]},
    )
    state = do(state, (0, m.PlayChef("bin")), (0, m.CardPick(topping="T")), (0, m.CardFinish()))
    assert state.tokens[0] == ("T02",)
    state = do(state, (2, m.PlayChef("pickpocket")))
    assert m.CardPick(player="blue", topping="T") in flow.legal(state, 2)


@pytest.mark.rule("PZ-X03", "PZ-107")
def test_stacking_bonus() -> None:
    assert stacking((1, 1, 1, 1, 2, 2, 3, 4)) == 10 + 3
    assert stacking((1, 1, 1, 2, 2, 2, 3, 3)) == 6 + 6 + 3
    assert stacking((1, 2, 3, 4, 5, 6, 7, 8)) == 0


@pytest.mark.rule("PZ-X04", "PZ-105", "PZ-108", "PZ-109", "PZ-110")
def test_the_losses_of_the_rulebook() -> None:
    state = table(
        2,
        tokens={0: ["T01", "M01", "H01", "O01", "B01"]},
        orders={0: ["O07"]},
        missions={0: ["M01"]},
        scores={0: 40},
        trigger=1,
        actions=0,
    )
    f = final(state, 0)
    assert (f.sheltered, f.leftover) == (3, 2)
    assert (f.missed, f.undelivered) == (("M01",), ("O07",))
    assert f.total == 31
    ended = step(state, 0, m.EndTurn())
    outcome = GAME.outcome(ended.state)
    assert outcome is not None
    assert outcome.scores[0].total == 31
    assert outcome.scores[0].lines == (
        ("Deliveries", 40),
        ("Missions completed (0)", 0),
        ("Stacking bonus", 0),
        ("Missions missed (1)", -5),
        ("Orders not delivered (1)", -2),
        ("Toppings left over (2)", -2),
    )
    settled = [e for e in told(ended) if e.kind == "settled"]
    assert [e.args["seat"] for e in settled] == [1, 0]
    assert "Missed: Deliver your last pizza first." in GAME.narrate(settled[1])


@pytest.mark.rule("PZ-X05", "PZ-110", "PZ-111")
def test_the_best_match_of_leftover_toppings() -> None:
    state = table(
        2, tokens={0: ["G01", "T01", "T02", "C1", "DHF", "RB"]}, orders={0: ["O18", "F1"]}
    )
    f = final(state, 0)
    assert (f.sheltered, f.leftover) == (3, 3)
    assert f.total == -7


@pytest.mark.rule("PZ-110")
def test_sheltering() -> None:
    assert sheltered(("DTM", "T01"), ("O39",)) == 1  # TB: T01, the double has no place left
    assert sheltered(("DTM", "M01"), ("O01",)) == 2  # TMF: M01 as M, the double as T
    assert sheltered(("DTM", "DGB"), ("O18",)) == 1  # GB: one double, once
    assert sheltered(("C1", "C2", "C3"), ("O18",)) == 2
    assert sheltered(("XG", "G01"), ("O18",)) == 1
    assert sheltered(("XG", "G01"), ("O02",)) == 2  # MMGG
    assert sheltered(("RB", "B01"), ("O18",)) == 1
    assert sheltered(("T01",), ()) == 0


@pytest.mark.rule("PZ-110")
def test_sheltering_is_a_best_match() -> None:
    """Against a search over all assignments."""
    from itertools import product

    from engines.pizzachef.components import ORDERS, TOKENS, TYPE, halves

    def best(tokens: tuple[str, ...], need: str) -> int:
        if not tokens:
            return 0
        kind = TYPE[tokens[0]]
        kinds = "TMHPFOGB" if kind == "choice" else halves(kind)
        most = best(tokens[1:], need)
        for k in kinds:
            if k in need:
                most = max(most, 1 + best(tokens[1:], need.replace(k, "", 1)))
        return most

    hands = [tuple(TOKENS[(i * 31 + j * 17) % 99] for j in range(5)) for i in range(40)]
    for hand, orders in product(hands, (("O18",), ("O27", "F1"), ("O06",))):
        need = "".join(ORDERS[o].toppings or "TM" for o in orders)
        assert sheltered(tuple(sorted(hand)), orders) == best(hand, need)


@pytest.mark.rule("PZ-109", "PZ-108")
def test_what_is_left_costs() -> None:
    state = table(
        2,
        tokens={0: ["DTM", "XF", "C1", "RB", "O01"]},
        orders={0: ["F1"]},
        chef={0: ["K06", "K09"]},
        missions={0: ["M02", "M03"]},
    )
    f = final(state, 0)
    # The Fantasia shelters one T and one M: the double and the choice bag.
    assert (f.sheltered, f.leftover) == (2, 3)
    assert f.total == -5 - 5 - 2 - 3


@pytest.mark.rule("PZ-030", "PZ-109")
def test_chef_cards_and_tokens_on_a_fantasia_cost_nothing() -> None:
    state = table(2, tokens={0: ["T01", "M01", "P01"]}, orders={0: ["F1"]}, chef={0: ["K06"]})
    state = do(
        state,
        (0, m.StartDelivery("F1")),
        (0, m.AddTopping("P")),
        (0, m.SetHouse(1)),
        (0, m.ConfirmDelivery()),
    )
    assert final(state, 0).total == 6


@pytest.mark.rule("PZ-X26", "PZ-106")
def test_missions_of_the_example() -> None:
    delivered = [
        pizza("O01", 1, 1), pizza("O02", 1, 2), pizza("O03", 1, 3), pizza("O11", 3, 1),
        pizza("O10", 3, 2), pizza("O18", 5, 1), pizza("O31", 8, 1),
        pizza("F1", 10, 1, "TMPPPPO"),
    ]  # fmt: skip
    done = {mission for mission in MISSIONS if completed(mission, delivered, False)}
    assert done == {
        "M04", "M07", "M14", "M19", "M21", "M22", "M23", "M24", "M25", "M26",
    }  # fmt: skip
    assert completed("M01", delivered, True)


@pytest.mark.rule("PZ-106")
@pytest.mark.parametrize(
    ("mission", "houses", "have"),
    [
        ("M02", "1111", 4), ("M02", "1112", 3), ("M03", "111222", 2), ("M03", "1112223", 2),
        ("M03", "11112", 1), ("M05", "112233", 3), ("M05", "1122", 2), ("M06", "1234567", 7),
        ("M06", "11234", 4), ("M08", "24682", 5), ("M09", "1357913", 7), ("M10", "2468246", 7),
        ("M10", "246824", 6), ("M11", "12", 2), ("M11", "123", 3), ("M12", "456", 3),
        ("M13", "789", 3), ("M13", "777", 1), ("M14", "1", 1),
    ],
)  # fmt: skip
def test_missions_of_houses(mission: str, houses: str, have: int) -> None:
    delivered = [pizza("O01", int(h)) for h in houses]
    assert progress(mission, delivered, False) == have
    assert completed(mission, delivered, False) == (have >= goal(mission))


@pytest.mark.rule("PZ-106")
@pytest.mark.parametrize(
    ("mission", "kinds", "have"),
    [
        ("M15", "HH H TMH MHP", 4), ("M16", "P TP MP OP", 4), ("M17", "F F F T", 3),
        ("M18", "O O O O", 4), ("M20", "BB B B T", 3), ("M21", "T T T T T H M", 6),
        ("M22", "MG TB OB FG", 3), ("M23", "MG TB TMF TMFO", 3), ("M24", "TMHPO TMFOG TMHPFO", 3),
        ("M24", "TMHP", 0),
    ],
)  # fmt: skip
def test_missions_of_toppings(mission: str, kinds: str, have: int) -> None:
    delivered = [pizza("O01", 1, kinds=k) for k in kinds.split()]
    assert progress(mission, delivered, False) == have


@pytest.mark.rule("PZ-X27", "PZ-105", "PZ-112")
def test_a_shared_win() -> None:
    # A: 50 earned, M14 of 5 and M07 of 5 done, M02 missed, two pizzas at house 1 (stacking 3).
    a = [("O01", 1, 50), ("O02", 1), ("O05", 3), ("O06", 5), ("O39", 10), ("O07", 7)]
    state = table(
        2,
        delivered={0: a, 1: [("O13", 4, 61)]},
        missions={0: ["M02", "M07", "M14"]},
        orders={1: ["O18"]},
        tokens={1: ["T01"]},
        trigger=1,
        actions=0,
    )
    state = do(state, (0, m.EndTurn()))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert [s.total for s in outcome.scores] == [58, 58]
    assert outcome.ranking == ((0, 1),)
    assert "shared" in outcome.note
    assert [label for label, n in outcome.scores[0].lines if n] == [
        "Deliveries", "Missions completed (2)", "Stacking bonus", "Missions missed (1)",
    ]  # fmt: skip


def test_the_final_view_shows_everything_and_moves_are_refused() -> None:
    state = table(2, missions={1: ["M02"]}, orders={1: ["O05"]}, trigger=1, actions=0)
    assert GAME.view(state, None).finals == ()
    state = do(state, (0, m.EndTurn()))
    finals = GAME.view(state, None).finals
    assert finals[1].missed == ("M02",)
    assert finals[1].undelivered == ("O05",)
    refused(state, 0, m.TakeOrders(), "PZ-129", "over")
    assert allowed(state, 0, m.EndTurn) == []
