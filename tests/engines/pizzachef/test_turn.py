"""Turns, empty piles, taking and discarding (PZ-023 to PZ-040, PZ-056 to PZ-059)."""

from __future__ import annotations

import pytest

from engines.pizzachef import GAME
from engines.pizzachef import moves as m
from engines.pizzachef.components import SLOTS, TYPE
from engines.pizzachef.phases import flow
from tests.engines.pizzachef.table import allowed, do, refused, step, table, told

MISSION_PILE = ("M05", "M06", "M07", "M08")


# ---- turns -----------------------------------------------------------------------------------


@pytest.mark.rule("PZ-026", "PZ-I04")
def test_two_actions_in_any_order_and_no_third() -> None:
    state = table(3, market={"A1": ["...", "T05"], "A2": ["...", "M01"], "B1": ["...", "H01"]})
    state = do(state, (0, m.TakeToppings("A", "red")), (0, m.TakeToppings("B", "red")))
    assert state.actions_left == 0
    refused(state, 0, m.TakeOrders(), "PZ-026", "no action left")
    state = do(state, (0, m.EndTurn()))
    assert state.active == 1
    assert GAME.waiting(state) == (1,)
    assert (state.actions_left, state.actions_spent) == (2, 0)


@pytest.mark.rule("PZ-026", "PZ-I06")
def test_commands_of_the_active_player_are_refused_out_of_turn() -> None:
    state = table(2, tokens={1: ["T01"]}, orders={1: ["O01"]}, missions={1: ["M02"]})
    for move in (
        m.TakeMissions(), m.TakeOrders(), m.TakeChef(), m.TakeToppings("A", "red"),
        m.DiscardOrder("O01"), m.DiscardTopping("T"), m.DiscardMission("M02"), m.EndTurn(),
        m.FinishDraw(), m.KeepCard("O01"),
    ):  # fmt: skip
        refused(state, 1, move, "PZ-026", "not your turn")


@pytest.mark.rule("PZ-027")
def test_what_actions_cost() -> None:
    state = table(
        2,
        tokens={0: ["T01", "M01", "F01", "B01"]},
        orders={0: ["O01", "O02"]},
        missions={0: ["M02"]},
        chef={0: ["K18"]},
    )
    for move, cost in (
        (m.TakeMissions(), 1), (m.TakeOrders(), 1), (m.TakeChef(), 1),
        (m.TakeToppings("A", "red"), 1), (m.DiscardOrder("O02"), 1), (m.DiscardTopping("B"), 1),
        (m.PlayChef("moped"), 0), (m.StartDelivery("O01"), 0),
    ):  # fmt: skip
        after = do(state, (0, move))
        assert state.actions_left - after.actions_left == cost, move
    after = do(state, (0, m.StartDelivery("O01")), (0, m.ConfirmDelivery()))
    assert after.actions_left == 2
    assert do(state, (0, m.DiscardMission("M02"))).active == 1


@pytest.mark.rule("PZ-028", "PZ-I05")
def test_both_actions_are_compulsory() -> None:
    state = table(2)
    refused(state, 0, m.EndTurn(), "PZ-028", "2 actions are compulsory")
    state = do(state, (0, m.TakeToppings("A", "red")))
    if state.queue:
        state = do(state, (0, m.RotDiscard()))
    refused(state, 0, m.EndTurn(), "PZ-028", "2 actions are compulsory")


@pytest.mark.rule("PZ-028")
def test_a_turn_ends_early_when_no_action_is_possible() -> None:
    state = table(2, actions=1)
    for kind in ("missions", "orders", "chef"):
        state.missions[1] += state.piles["missions"] if kind == "missions" else ()
        if kind == "orders":
            state.open_orders[1] = state.piles["orders"]
        if kind == "chef":
            hand = [c for c in state.piles["chef"] if c < "K22"]
            state.chef[1] = tuple((c, 9) for c in hand)
            state.pi = tuple(c for c in state.piles["chef"] if c >= "K22")
        state.piles[kind] = ()
    state.add_tokens(1, [t for s in state.stacks for t in s if t[0] != "R"])
    state.discard = tuple(t for s in state.stacks for t in s if t[0] == "R")
    state.stacks = [()] * 12
    GAME.check(state)
    # Nothing to draw, nothing on the market, nothing to discard.
    assert flow.legal(state, 0) == [m.EndTurn()]
    assert do(state, (0, m.EndTurn())).active == 1


@pytest.mark.rule("PZ-029")
def test_the_turn_stays_open_for_deliveries_and_cards() -> None:
    state = table(
        2, tokens={0: ["T01", "M01", "F01"]}, orders={0: ["O01"]}, chef={0: ["K18"]}, actions=0
    )
    assert allowed(state, 0, m.StartDelivery) == [m.StartDelivery("O01")]
    assert allowed(state, 0, m.PlayChef) == [m.PlayChef("moped")]
    assert m.EndTurn() in flow.legal(state, 0)
    state = do(state, (0, m.StartDelivery("O01")), (0, m.ConfirmDelivery()))
    assert state.active == 0


@pytest.mark.rule("PZ-030")
def test_no_hand_limits() -> None:
    plain = [t for t, kind in TYPE.items() if len(kind) == 1]
    state = table(
        2,
        tokens={0: plain[:60]},
        missions={0: [f"M{i:02}" for i in range(2, 18)]},
        orders={0: [f"O{i:02}" for i in range(1, 31)]},
        chef={0: [f"K{i:02}" for i in range(6, 14)]},
    )
    state = do(state, (0, m.TakeOrders()))
    for card in state.drawn[0]:
        state = do(state, (0, m.KeepCard(card)))
    state = do(state, (0, m.FinishDraw()), (0, m.TakeChef()))
    card = next(c for c in state.drawn[0] if c < "K22")
    state = do(state, (0, m.KeepCard(card)), (0, m.FinishDraw()))
    assert len(state.orders[0]) == 34
    assert len(state.chef[0]) == 9


# ---- empty piles -----------------------------------------------------------------------------


@pytest.mark.rule("PZ-X23", "PZ-023", "PZ-024")
def test_a_pile_is_rebuilt_when_a_card_is_needed() -> None:
    state = table(2, missions={1: [f"M{i:02}" for i in range(1, 20)]})
    pile = state.piles["missions"]
    assert len(pile) == 7
    state.piles["missions"], state.discards["missions"] = pile[:2], pile[2:]
    played = step(state, 0, m.TakeMissions())
    assert [e.kind for e in told(played)] == ["shuffled", "took_cards"]
    state = played.state
    assert state.drawn[0][:2] == pile[:2]
    assert set(state.drawn[0][2:]) < set(pile[2:])
    assert len(state.piles["missions"]) == 3
    assert state.discards["missions"] == ()
    state = do(state, (0, m.KeepCard(pile[0])), (0, m.FinishDraw()))
    assert len(state.discards["missions"]) == 3


@pytest.mark.rule("PZ-024")
def test_a_pile_of_exactly_four_is_not_rebuilt_and_none_is_illegal() -> None:
    state = table(2, missions={1: [f"M{i:02}" for i in range(1, 20)]})
    pile = state.piles["missions"]
    state.piles["missions"], state.discards["missions"] = pile[:4], pile[4:]
    state = do(state, (0, m.TakeMissions()))
    assert state.piles["missions"] == ()
    assert len(state.discards["missions"]) == 3
    state = table(2, missions={1: [f"M{i:02}" for i in range(1, 25)]})
    state = do(state, (0, m.TakeMissions()))
    assert state.drawn[0] == ("M25", "M26")
    state = table(2, missions={1: [f"M{i:02}" for i in range(1, 27)]})
    refused(state, 0, m.TakeMissions(), "PZ-024", "no missions left")


@pytest.mark.rule("PZ-X24", "PZ-023", "PZ-025")
def test_the_market_is_refilled_from_the_discard_pile() -> None:
    rotten = ["RT", "RM", "RH", "RF", "RP", "RB"]
    plain = [t for t, kind in TYPE.items() if len(kind) == 1 and t != "T05"]
    discard = [*rotten, "C1", *plain[:19]]
    rest = [t for t in TYPE if t not in (*discard, "T05")]
    state = table(2, tokens={1: rest}, market={"A1": ["T05"]}, discard=discard)
    assert len(state.discard) == 26
    played = step(state, 0, m.TakeToppings("A", "red"))
    assert [e.kind for e in told(played)][-1] == "refill"
    assert told(played)[-1].reveals
    after = played.state
    assert sorted(len(s) for s in after.stacks) == [2] * 10 + [3] * 2
    assert after.discard == ()
    faces = [p.face for p in GAME.view(after, None).market]
    hidden = [after.stacks[i][-1] for i, face in enumerate(faces) if face == "bag"]
    assert all(len(TYPE[t]) > 1 for t in hidden)


@pytest.mark.rule("PZ-025")
def test_one_empty_stack_stays_empty_and_refilling_waits_for_discards() -> None:
    state = table(2, market={"A1": ["T05"], "B1": ["...", "M02"]}, discard=["H01"])
    state = do(state, (0, m.TakeToppings("A", "red")))
    assert state.stacks[0] == ()
    assert state.discard == ("H01",)
    # The last stack goes while nothing is discarded: the next discard refills.
    plain = [t for t, kind in TYPE.items() if t[0] != "R" and t != "T05"]
    state = table(2, tokens={0: plain}, market={"A1": ["T05"]})
    state.tokens[1] = state.discard
    state.discard = ()
    state = do(state, (0, m.TakeToppings("A", "red")))
    assert not any(state.stacks)
    assert allowed(state, 0, m.TakeToppings) == []
    played = step(state, 0, m.DiscardTopping("T"))
    assert told(played)[-1].kind == "refill"
    assert sum(len(s) for s in played.state.stacks) == 1


# ---- missions and orders ---------------------------------------------------------------------


@pytest.mark.rule("PZ-031", "PZ-I01")
def test_draw_four_keep_at_least_one() -> None:
    state = table(2, piles={"missions": MISSION_PILE})
    played = step(state, 0, m.TakeMissions())
    state = played.state
    assert state.drawn[0] == MISSION_PILE
    assert [e.kind for e in told(played)] == ["took_cards"]
    assert [e.args["cards"] for e in told(played, 0) if e.kind == "drawn"] == [MISSION_PILE]
    refused(state, 0, m.FinishDraw(), "PZ-031", "at least 1")
    refused(state, 0, m.EndTurn(), "PZ-129", "choose among the missions")
    state = do(state, (0, m.KeepCard("M08")), (0, m.KeepCard("M06")), (0, m.FinishDraw()))
    assert state.missions[0] == ("M06", "M08")
    assert state.discards["missions"] == ("M05", "M07")
    assert state.main == "open"


@pytest.mark.rule("PZ-032")
def test_a_completed_mission_is_told_to_its_owner_alone() -> None:
    state = table(
        2,
        tokens={0: ["T01", "M01", "F01"]},
        orders={0: ["O01"]},
        missions={0: ["M14"]},
        delivered={0: [("O37", 10, 5)]},
    )
    played = step(do(state, (0, m.StartDelivery("O01"))), 0, m.ConfirmDelivery())
    private = [e for e in played.events if e.kind == "mission_done"]
    assert [(e.args["mission"], e.to) for e in private] == [("M14", (0,))]
    assert all("M14" not in str(e.args) for e in told(played))
    assert GAME.view(played.state, None).players[0].score == 5 + 4 + 3
    assert "M14" not in GAME.board_text(GAME.view(played.state, 1))


@pytest.mark.rule("PZ-034", "PZ-I07")
def test_no_more_orders_after_the_eighth_marker() -> None:
    orders = [f"O{i:02}" for i in range(2, 10)]
    state = table(
        2, delivered={0: [(o, 1 + i) for i, o in enumerate(orders)]}, trigger=0, actions=1
    )
    refused(state, 0, m.TakeOrders(), "PZ-034", "no more orders for you")
    assert m.TakeMissions() in flow.legal(state, 0)


# ---- toppings --------------------------------------------------------------------------------


@pytest.mark.rule("PZ-035", "PZ-036", "PZ-I08")
def test_all_tops_of_a_colour_in_a_stall() -> None:
    market = {
        "A1": ["...", "M01", "T05"], "A2": ["...", "H02", "C1"], "A3": ["...", "M02"],
        "B1": ["...", "P01"],
    }  # fmt: skip
    state = table(2, market=market)
    found = {(t.stall, t.colour) for t in allowed(state, 0, m.TakeToppings)}
    assert found == {("A", "red"), ("A", "green"), ("B", "red")}
    refused(state, 0, m.TakeToppings("B", "green"), "PZ-036", "nothing green")
    refused(state, 0, m.TakeToppings("C", "red"), "PZ-036", "nothing red")
    played = step(state, 0, m.TakeToppings("A", "red"))
    assert played.state.tokens[0] == ("C1", "T05")
    # M01 below T05 is red too, but it was uncovered by the take and stays.
    assert GAME.view(played.state, None).market[0].face == "M"
    assert GAME.view(played.state, None).market[0].colour == "red"
    assert told(played)[0].args["tokens"] == ("T", "choice")


@pytest.mark.rule("PZ-037")
def test_taken_toppings_are_public_and_serve_once() -> None:
    state = table(
        2, tokens={0: ["T01", "M01", "F01"]}, orders={0: ["O01", "O13"]}, actions=0
    )  # O13: TMH
    assert GAME.view(state, 1).players[0].tokens == ("T", "M", "F")
    state = do(state, (0, m.StartDelivery("O01")), (0, m.ConfirmDelivery()))
    assert state.tokens[0] == ()
    refused(state, 0, m.StartDelivery("O13"), "PZ-060", "tomato sauce")


# ---- chef cards ------------------------------------------------------------------------------


@pytest.mark.rule("PZ-038", "PZ-039", "PZ-040", "PZ-X22", "PZ-I03")
def test_keep_one_chef_card_and_any_play_immediately_cards() -> None:
    state = do(table(2, piles={"chef": ("K06", "K09", "K22", "K26")}), (0, m.TakeChef()))
    refused(state, 0, m.FinishDraw(), "PZ-040", "exactly 1")
    one = do(state, (0, m.KeepCard("K06")))
    refused(one, 0, m.KeepCard("K09"), "PZ-040", "exactly 1")
    one = do(one, (0, m.FinishDraw()))
    assert one.chef[0] == (("K06", 5),)
    assert sorted(one.discards["chef"]) == ["K09", "K22", "K26"]
    assert one.pi == ()
    only = do(state, (0, m.KeepCard("K22")), (0, m.FinishDraw()))
    assert only.pi == ("K22",)
    assert only.chef[0] == ()
    played = step(
        do(state, (0, m.KeepCard("K09")), (0, m.KeepCard("K26")), (0, m.KeepCard("K22"))),
        0,
        m.FinishDraw(),
    )
    assert played.state.pi == ("K22", "K26")
    assert played.state.chef[0] == (("K09", 5),)
    public = [(e.kind, e.args.get("card")) for e in told(played)]
    assert public == [
        ("kept_cards", None), ("pi_open", "pi_house_3"), ("pi_open", "pi_basil"),
    ]  # fmt: skip
    assert GAME.view(played.state, 1).pi == ("pi_house_3", "pi_basil")


# ---- discarding ------------------------------------------------------------------------------


@pytest.mark.rule("PZ-056")
def test_discarding_an_order_or_a_token() -> None:
    state = table(
        2, tokens={0: ["T01", "T02", "RB"]}, orders={0: ["O01"]}, open_orders={0: ["O02"]}
    )
    played = step(state, 0, m.DiscardTopping("T"))
    assert played.state.discard == ("T01",)
    assert do(state, (0, m.DiscardTopping("rotten:B"))).discard == ("RB",)
    played = step(state, 0, m.DiscardOrder("O01"))
    assert played.state.discards["orders"] == ("O01",)
    assert all("O01" not in str(e.args) for e in told(played))
    played = step(state, 0, m.DiscardOrder("O02"))
    assert told(played)[0].args["order"] == "O02"
    refused(state, 0, m.DiscardTopping("G"), "PZ-056", "no such topping")
    refused(state, 0, m.DiscardOrder("O09"), "PZ-056", "no such order")
    assert GAME.outcome(state) is None


@pytest.mark.rule("PZ-057", "PZ-058", "PZ-I09")
def test_discarding_a_mission_costs_two_and_ends_the_turn() -> None:
    state = table(2, missions={0: ["M02", "M03"]})
    played = step(state, 0, m.DiscardMission("M02"))
    assert played.state.active == 1
    assert played.state.discards["missions"] == ("M02",)
    assert all("M02" not in str(e.args) for e in told(played))
    one = table(2, missions={0: ["M02"]}, actions=1, spent=1)
    refused(one, 0, m.DiscardMission("M02"), "PZ-058", "needs 2 actions")
    three = table(2, missions={0: ["M02"]}, chef={0: ["K16"]})
    three = do(three, (0, m.PlayChef("overtime")))
    assert three.actions_left == 3
    assert do(three, (0, m.DiscardMission("M02"))).active == 1


@pytest.mark.rule("PZ-059")
def test_a_discarded_fantasia_leaves_the_game_in_view_of_all() -> None:
    state = table(2, orders={0: ["F1", "O01"]})
    played = step(state, 0, m.DiscardOrder("F1"))
    assert "F1" in played.state.gone
    assert played.state.discards["orders"] == ()
    assert told(played)[0].args["order"] == "F1"
    assert not GAME.view(played.state, 1).players[0].fantasia
    assert GAME.view(state, 1).players[0].fantasia


def test_slots_are_named_by_stall_and_number() -> None:
    assert SLOTS == ("A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3", "D1", "D2", "D3")
