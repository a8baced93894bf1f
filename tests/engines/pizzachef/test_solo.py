"""The solo challenge (PZ-113 to PZ-126)."""

from __future__ import annotations

import pytest

from engines.core.play import start
from engines.pizzachef import GAME
from engines.pizzachef import moves as m
from engines.pizzachef.components import CARDS, CHEF_KEY
from engines.pizzachef.phases import flow
from engines.pizzachef.phases.scoring import final
from tests.engines.pizzachef.table import do, refused, step, table, told

HOUSES = [("O02", 1), ("O05", 3), ("O06", 5), ("O07", 7), ("O08", 9), ("O09", 2)]


@pytest.mark.rule("PZ-113", "PZ-114", "PZ-I29")
def test_setup() -> None:
    state, _ = start(GAME, 1)
    assert len(state.drawn[0]) == 6
    assert len(state.piles["missions"]) == 25 - 6
    assert "M01" in state.gone
    assert len(state.piles["chef"]) == 20
    assert not any(CARDS[CHEF_KEY[c]].yellow for c in state.piles["chef"])
    for least in (1, 1, 0):
        assert len(state.drawn[0]) == 6
        if least:
            refused(state, 0, m.FinishDraw(), "PZ-031", "at least 1")
            state = do(state, (0, m.KeepCard(state.drawn[0][0])))
        state = do(state, (0, m.FinishDraw()))
    assert state.phase == "play"
    assert state.actions_left == 7
    refused(state, 0, m.Reserve("A1"), "PZ-113", "solo")
    assert not any(isinstance(move, m.Reserve) for move in flow.legal(state, 0))


@pytest.mark.rule("PZ-115", "PZ-116")
def test_later_draws() -> None:
    state = table(1, actions=3, piles={"chef": ("K06", "K09", "K22", "K26")})
    begun = do(state, (0, m.TakeChef()))
    assert len(begun.drawn[0]) == 4
    assert do(begun, (0, m.FinishDraw())).chef[0] == ()
    both = do(begun, (0, m.KeepCard("K22")), (0, m.KeepCard("K06")), (0, m.FinishDraw()))
    assert both.pi == ("K22",)
    assert [c for c, _ in both.chef[0]] == ["K06"]
    refused(do(begun, (0, m.KeepCard("K06"))), 0, m.KeepCard("K09"), "PZ-040", "1 chef card")
    orders = do(state, (0, m.TakeOrders()))
    refused(orders, 0, m.FinishDraw(), "PZ-031", "at least 1")


@pytest.mark.rule("PZ-117", "PZ-118", "PZ-119")
def test_the_action_pawn() -> None:
    state = table(
        1,
        actions=3,
        tokens={0: ["T01", "M01", "F01", "T02", "M02", "B01", "G01", "B02"]},
        orders={0: ["O01", "O18", "F1"]},
        missions={0: ["M02", "M03"]},
        chef={0: ["K16"]},
    )
    assert do(state, (0, m.TakeMissions())).actions_left == 2
    discarded = do(state, (0, m.DiscardMission("M02")))
    assert (discarded.actions_left, discarded.active, discarded.ended) == (1, 0, None)
    refused(discarded, 0, m.DiscardMission("M03"), "PZ-058", "needs 2 actions")
    assert do(state, (0, m.PlayChef("overtime"))).actions_left == 4
    for order, house in (("O01", 1), ("O18", 2)):  # the second goes wrong
        state = do(state, (0, m.StartDelivery(order)))
        if state.delivery and state.delivery.house != house:
            state = do(state, (0, m.SetHouse(house)))
        state = do(state, (0, m.ConfirmDelivery()))
    assert state.delivered[0][1].wrong
    assert state.actions_left == 9
    state = do(
        state,
        (0, m.StartDelivery("F1")),
        (0, m.SetHouse(4)),
        (0, m.AddTopping("B")),
        (0, m.ConfirmDelivery()),
    )
    assert state.actions_left == 12


@pytest.mark.rule("PZ-119")
def test_the_whole_game_is_one_turn() -> None:
    state = table(1, actions=2, chef={0: ["K18"]})
    refused(state, 0, m.EndTurn(), "PZ-119", "one long turn")
    state = do(state, (0, m.PlayChef("moped")))
    state = do(state, (0, m.TakeToppings("A", state.top_of("A1")[1])))
    while state.queue:
        state = do(state, (0, m.RotDiscard()))
    assert state.armed == ("moped",)
    assert m.EndTurn() not in flow.legal(state, 0)


@pytest.mark.rule("PZ-X30", "PZ-120", "PZ-121", "PZ-I29")
def test_a_chef_card_waits_for_one_more_action() -> None:
    state = table(1, actions=7, tokens={0: ["T01", "T02"]}, chef={0: [("K06", 0)]})
    refused(state, 0, m.PlayChef("bin"), "PZ-120", "one more action")
    state = do(state, (0, m.DiscardTopping("T")))
    assert m.PlayChef("bin") in flow.legal(state, 0)
    fifth = table(
        1, actions=3, spent=4, piles={"chef": ("K09", "K16", "K18", "K20")}, missions={0: ["M02"]}
    )
    fifth = do(fifth, (0, m.TakeChef()), (0, m.KeepCard("K09")), (0, m.FinishDraw()))
    refused(fifth, 0, m.PlayChef("fresh_pick"), "PZ-120", "one more action")
    sixth = do(fifth, (0, m.TakeMissions()))
    sixth = do(sixth, (0, m.KeepCard(sixth.drawn[0][0])), (0, m.FinishDraw()))
    assert m.PlayChef("fresh_pick") in flow.legal(sixth, 0)
    # A mission discard counts too.
    assert m.PlayChef("fresh_pick") in flow.legal(do(fifth, (0, m.DiscardMission("M02"))), 0)


@pytest.mark.rule("PZ-I29", "PZ-114", "PZ-122")
def test_at_0_actions_only_deliveries_and_cards() -> None:
    state = table(
        1, actions=0, tokens={0: ["T01", "M01", "F01"]}, orders={0: ["O01"]}, chef={0: ["K06"]}
    )
    refused(state, 0, m.TakeToppings("A", "red"), "PZ-114", "no action left")
    kinds = {type(move) for move in flow.legal(state, 0)}
    assert kinds == {m.StartDelivery, m.PlayChef, m.GiveUp}


@pytest.mark.rule("PZ-X28", "PZ-123", "PZ-125", "PZ-126", "PZ-118")
def test_a_challenge_won() -> None:
    pizzas = [
        ("O02", 1, 44),
        ("O05", 3),
        ("O06", 5),
        ("O07", 7),
        ("O08", 9),
        ("O09", 2),
        ("O10", 4),
    ]
    state = table(
        1,
        actions=1,
        tokens={0: ["T01", "M01", "F01", "T02", "G01", "H01"]},
        orders={0: ["O01", "O33"]},
        delivered={0: pizzas},
        missions={0: ["M06", "M07", "M08"]},
    )
    state = do(state, (0, m.StartDelivery("O01")))
    played = step(state, 0, m.ConfirmDelivery())
    state = played.state
    assert state.scores[0] == 50
    assert state.actions_left == 4
    assert state.ended == "solo_won"
    f = final(state, 0)
    assert f.done == ("M06", "M07")
    assert (f.leftover, f.sheltered) == (1, 2)
    assert f.total == 50 + 6 + 5 - 5 + 3 - 2 - 1 + 4 == 60
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.won
    assert outcome.scores[0].total == 60
    assert told(played)[-1].kind == "end"


@pytest.mark.rule("PZ-X29", "PZ-123", "PZ-126")
def test_lost_with_too_few_missions() -> None:
    state = table(
        1,
        actions=6,
        tokens={0: ["T01", "M01", "F01"]},
        orders={0: ["O01"]},
        delivered={0: [*HOUSES, ("O10", 4)]},
        missions={0: ["M06", "M02"]},
    )
    state = do(state, (0, m.StartDelivery("O01")), (0, m.ConfirmDelivery()))
    assert state.actions_left == 9
    assert state.ended == "solo_missions"
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert not outcome.won
    # No bonus for actions: 4 + 2 earned, M06 +6, stacking 3, M02 missed −5.
    assert outcome.scores[0].total == 6 + 6 + 3 - 5


@pytest.mark.rule("PZ-X29", "PZ-122", "PZ-124")
def test_with_0_actions_a_delivery_is_still_possible() -> None:
    state = table(1, actions=0, tokens={0: ["T01", "M01", "F01"]}, orders={0: ["O01"]})
    assert state.ended is None
    state = do(state, (0, m.StartDelivery("O01")), (0, m.ConfirmDelivery()))
    assert state.actions_left == 3
    assert state.ended is None


@pytest.mark.rule("PZ-123", "PZ-124")
def test_lost_when_the_actions_run_out() -> None:
    state = table(1, actions=1, tokens={0: ["T01"]}, orders={0: ["O01"]})
    played = step(state, 0, m.DiscardTopping("T"))
    assert played.state.ended == "solo_actions"
    assert GAME.outcome(played.state) is not None
    # A playable chef card keeps the challenge alive.
    alive = table(1, actions=1, tokens={0: ["T01"]}, chef={0: ["K16"]})
    assert do(alive, (0, m.DiscardTopping("T"))).ended is None


@pytest.mark.rule("PZ-124", "PZ-126")
def test_giving_up() -> None:
    state = table(1, actions=4, missions={0: ["M02"]}, piles={"chef": ("K06", "K22", "K23", "K09")})
    state = do(state, (0, m.TakeChef()), (0, m.KeepCard("K06")))
    state = do(state, (0, m.GiveUp()))
    assert state.ended == "solo_given_up"
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.won, outcome.scores[0].total) == (False, -5)
    refused(table(2), 0, m.GiveUp(), "PZ-124", "solo")
    fresh, _ = start(GAME, 1)
    refused(fresh, 0, m.GiveUp(), "PZ-129")
