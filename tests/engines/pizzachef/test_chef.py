"""Chef cards: when they may be played and what each does (PZ-041 to PZ-055, dossier 3.4)."""

from __future__ import annotations

import pytest

from engines.pizzachef import GAME
from engines.pizzachef import moves as m
from engines.pizzachef.components import CARDS, CHEF_KEY
from engines.pizzachef.phases import flow
from engines.pizzachef.state import Wait
from tests.engines.pizzachef.table import allowed, do, refused, step, table, told

pick = m.CardPick


# ---- when ------------------------------------------------------------------------------------


@pytest.mark.rule("PZ-X19", "PZ-041", "PZ-042", "PZ-I18")
def test_from_the_next_turn_on() -> None:
    chef = {0: [("K06", 1)]}
    first = table(2, tokens={0: ["T01"]}, chef=chef, turns={0: 1})
    refused(first, 0, m.PlayChef("bin"), "PZ-041", "from the start of your next turn on")
    between = table(2, active=1, tokens={0: ["T01"]}, chef=chef, turns={0: 1})
    refused(between, 0, m.PlayChef("bin"), "PZ-041")
    second = table(2, tokens={0: ["T01"]}, chef=chef, turns={0: 2})
    assert allowed(second, 0, m.PlayChef) == [m.PlayChef("bin")]
    off_turn = table(2, active=1, tokens={0: ["T01"]}, chef=chef, turns={0: 2})
    assert allowed(off_turn, 0, m.PlayChef) == [m.PlayChef("bin")]

    third = table(
        2, tokens={0: ["T01"]}, turns={0: 3}, piles={"chef": ("K09", "K16", "K18", "K20")}
    )
    third = do(third, (0, m.TakeChef()), (0, m.KeepCard("K09")), (0, m.FinishDraw()))
    assert third.chef[0] == (("K09", 3),)
    refused(third, 0, m.PlayChef("fresh_pick"), "PZ-041")
    third = do(third, (0, m.DiscardTopping("T")), (0, m.EndTurn()))
    refused(third, 0, m.PlayChef("fresh_pick"), "PZ-041")
    third = do(third, (1, m.TakeToppings("A", "red")))
    while third.queue:
        third = do(third, (1, m.RotDiscard()))
    third = do(third, (1, m.TakeToppings("B", "red")))
    while third.queue:
        third = do(third, (1, m.RotDiscard()))
    third = do(third, (1, m.EndTurn()))
    assert third.turns_started[0] == 4
    assert m.PlayChef("fresh_pick") in flow.legal(third, 0)


def test_a_setup_card_through_the_first_turns() -> None:
    from tests.engines.pizzachef.test_setup import at_chef, choose

    state = at_chef(2, {"chef": ["K06", "K01", "K02", "K03", "K04"], "start": ["0"]})
    state = choose(choose(state, 0, "K06"), 1)
    assert (state.phase, state.active) == ("play", 0)
    state = do(state, (0, m.TakeToppings("A", state.top_of("A1")[1])))
    while state.queue:
        state = do(state, (0, m.RotDiscard()))
    refused(state, 0, m.PlayChef("bin"), "PZ-041")


@pytest.mark.rule("PZ-043")
def test_a_card_is_used_once_and_discarded() -> None:
    state = table(2, active=1, tokens={0: ["T01", "T02"]}, chef={0: ["K06"]})
    state = do(state, (0, m.PlayChef("bin")), (0, pick(topping="T")), (0, m.CardFinish()))
    assert state.discards["chef"] == ("K06",)
    assert state.chef[0] == ()
    refused(state, 0, m.PlayChef("bin"), "PZ-043", "hold no such")


@pytest.mark.rule("PZ-044", "PZ-I20")
def test_own_cards_work_only_in_the_own_turn() -> None:
    own = ["K16", "K18", "K19", "K20", "K21"]
    state = table(2, active=1, chef={0: own})
    for card in own:
        refused(state, 0, m.PlayChef(CHEF_KEY[card]), "PZ-044", "only in your own turn")
    assert {CARDS[k].turn for k in ("open_order", "swap", "bin", "fresh_pick")} == {"any"}
    assert {CARDS[k].turn for k in ("full_basket", "pickpocket")} == {"any"}
    mine = table(2, active=0, chef={0: own})
    assert len(allowed(mine, 0, m.PlayChef)) == 5


@pytest.mark.rule("PZ-045", "PZ-I19")
def test_never_during_a_delivery() -> None:
    state = table(
        2,
        tokens={0: ["T01", "M01", "F01"], 1: ["H01"]},
        orders={0: ["O01"]},
        chef={1: ["K06"], 0: ["K18"]},
    )
    state = do(state, (0, m.StartDelivery("O01")))
    refused(state, 1, m.PlayChef("bin"), "PZ-045", "Wait for the delivery to end")
    refused(state, 1, m.Reserve("A1"), "PZ-045", "Wait for the delivery to end")
    refused(state, 0, m.PlayChef("moped"), "PZ-046", "before a delivery")
    state = do(state, (0, m.ConfirmDelivery()))
    assert m.PlayChef("bin") in flow.legal(state, 1)


@pytest.mark.rule("PZ-045", "PZ-047", "PZ-048")
def test_an_off_turn_card_interrupts_and_the_choice_goes_on_unchanged() -> None:
    state = table(
        2, tokens={1: ["H01", "H02"]}, chef={1: ["K06", "K09"]}, market={"A1": ["...", "T05"]}
    )
    drawing = do(state, (0, m.TakeMissions()))
    card = drawing.drawn[0][2]
    drawing = do(drawing, (0, m.KeepCard(card)))
    before = drawing.decision_of(0)
    after = do(drawing, (1, m.PlayChef("bin")), (1, pick(topping="H")), (1, m.CardFinish()))
    after = do(after, (1, m.Reserve("A1")))
    assert after.decision_of(0) == before
    assert after.drawn[0] == drawing.drawn[0]
    assert after.kept[0] == (card,)
    assert after.actions_left == 1
    assert after.tokens[1] == ("H02",)
    assert do(after, (0, m.FinishDraw())).missions[0] == (card,)


@pytest.mark.rule("PZ-046")
def test_the_active_player_plays_cards_only_in_the_open_turn() -> None:
    state = table(2, tokens={0: ["T01"]}, chef={0: ["K06", "K16"]})
    drawing = do(state, (0, m.TakeMissions()))
    refused(drawing, 0, m.PlayChef("overtime"), "PZ-046", "choose among the missions")
    refused(drawing, 0, m.PlayChef("bin"), "PZ-046")


@pytest.mark.rule("PZ-048")
def test_no_cards_in_setup_and_after_the_end() -> None:
    from engines.core.play import start

    state, _ = start(GAME, 2)
    refused(state, 0, m.PlayChef("bin"), "PZ-048", "still choosing")
    refused(state, 0, m.Reserve("A1"), "PZ-048", "still choosing")
    over = table(2, tokens={1: ["T01"]}, chef={1: ["K06"]}, trigger=1, actions=0)
    over = do(over, (0, m.EndTurn()))
    refused(over, 1, m.PlayChef("bin"), "PZ-129", "over")


@pytest.mark.rule("PZ-049")
def test_a_draft_is_private_blocks_nobody_and_may_be_cancelled() -> None:
    state = table(2, active=1, tokens={0: ["T01", "M01"]}, chef={0: ["K06"]})
    played = step(state, 0, m.PlayChef("bin"))
    assert told(played) == []
    assert [e.kind for e in told(played, 0)] == ["drafting"]
    assert played.state.chef[0] == state.chef[0]
    assert GAME.view(played.state, 1) == GAME.view(state, 1)
    assert GAME.view(played.state, 0).my_draft == ("bin", ())
    played = step(played.state, 0, pick(topping="T"))
    assert told(played) == []
    assert GAME.view(played.state, 0).my_draft == ("bin", ("T",))
    on = do(played.state, (1, m.TakeMissions()))
    assert on.drafts[0] is not None
    cancelled = do(on, (0, m.CardCancel()))
    assert cancelled.drafts[0] is None
    assert cancelled.chef[0] == (("K06", -1),)
    refused(cancelled, 0, m.CardCancel(), "PZ-049", "not playing")
    refused(cancelled, 0, pick(topping="T"), "PZ-049", "not playing")


@pytest.mark.rule("PZ-049")
def test_a_draft_may_be_cancelled_while_cards_are_refused() -> None:
    state = table(
        2, tokens={0: ["T01", "M01", "F01"], 1: ["H01"]}, orders={0: ["O01"]}, chef={1: ["K06"]}
    )
    state = do(state, (1, m.PlayChef("bin")), (0, m.StartDelivery("O01")))
    refused(state, 1, pick(topping="H"), "PZ-045")
    assert flow.legal(state, 1) == [m.CardCancel()]
    assert do(state, (1, m.CardCancel())).drafts[1] is None


@pytest.mark.rule("PZ-049", "PZ-047")
def test_a_target_that_is_gone_is_refused_and_the_card_stays() -> None:
    state = table(
        2,
        tokens={0: ["T01", "M01"], 1: ["H01"]},
        chef={0: ["K03"], 1: ["K14"]},
        actions=2,
    )
    state = do(state, (0, m.PlayChef("swap")), (0, pick(topping="T")))
    state = do(state, (1, m.PlayChef("pickpocket")), (1, pick(player="blue", topping="T")))
    refused(state, 0, pick(player="yellow", topping="H"), "PZ-049", "no longer yours")
    assert allowed(state, 0, pick) == []
    assert state.chef[0] == (("K03", -1),)
    assert m.CardCancel() in flow.legal(state, 0)
    fresh = table(2, chef={1: ["K09"]}, market={"A1": ["T05"], "B1": ["...", "M02"]})
    fresh = do(fresh, (1, m.PlayChef("fresh_pick")), (0, m.TakeToppings("A", "red")))
    refused(fresh, 1, pick(slot="A1"), "PZ-049", "no longer")
    assert fresh.chef[1] == (("K09", -1),)


@pytest.mark.rule("PZ-049")
def test_a_new_card_replaces_the_draft() -> None:
    state = table(2, tokens={0: ["T01", "M01"]}, chef={0: ["K06", "K09", "K16"]})
    state = do(state, (0, m.PlayChef("bin")), (0, m.PlayChef("fresh_pick")))
    assert state.drafts[0] is not None
    assert state.drafts[0].card == "fresh_pick"
    state = do(state, (0, m.PlayChef("overtime")))
    assert state.drafts[0] is None


@pytest.mark.rule("PZ-050")
def test_armed_cards_lapse_and_are_not_armed_twice() -> None:
    state = table(2, chef={0: ["K18"]}, actions=0)
    played = step(state, 0, m.PlayChef("moped"))
    assert not played.steps[0].reveals
    assert played.state.armed == ("moped",)
    played.state.chef[0] = (("K18", -1),)
    played.state.discards["chef"] = ()
    refused(played.state, 0, m.PlayChef("moped"), "PZ-050", "already waiting")
    ended = step(played.state, 0, m.EndTurn())
    assert ended.state.armed == ()
    assert told(ended)[0].kind == "lapsed"


# ---- Play immediately ------------------------------------------------------------------------


@pytest.mark.rule("PZ-X20", "PZ-051", "PZ-066")
def test_all_matching_open_cards_pay() -> None:
    state = table(
        2, tokens={0: ["T01", "M01", "P01", "G01", "B01"]}, orders={0: ["O10"]}, pi=["K22", "K26"]
    )
    state = do(state, (0, m.StartDelivery("O10")), (0, m.ConfirmDelivery()))
    assert state.scores[0] == 6 + 3 + 3 + 3
    assert state.pi == ()
    assert sorted(state.discards["chef"]) == ["K22", "K26"]


@pytest.mark.rule("PZ-051")
@pytest.mark.parametrize(
    ("card", "order", "tokens", "pays"),
    [
        ("K22", "O11", "M01 G01", True),
        ("K22", "O28", "T01 M01 B01", False),
        ("K23", "O29", "M01 G01 B01", True),
        ("K24", "O20", "T01 M01 P01 F01 O01", True),
        ("K24", "O19", "T01 M01 P01", False),
        ("K25", "O19", "T01 M01 P01", True),
        ("K25", "O13", "T01 M01 H01", False),
        ("K26", "O18", "G01 B01", True),
        ("K26", "O11", "M01 G01", False),
        ("K27", "O11", "M01 G01", False),
    ],
)
def test_conditions_of_play_immediately_cards(
    card: str, order: str, tokens: str, pays: bool
) -> None:
    state = table(2, tokens={0: tokens.split()}, orders={0: [order]}, pi=[card])
    state = do(state, (0, m.StartDelivery(order)), (0, m.ConfirmDelivery()))
    from engines.pizzachef.components import ORDERS

    assert state.scores[0] == ORDERS[order].price + 3 + 3 * pays
    assert (state.pi == ()) == pays


@pytest.mark.rule("PZ-051")
def test_a_card_laid_out_in_the_same_turn_pays() -> None:
    state = table(
        2,
        tokens={0: ["G01", "B01"]},
        orders={0: ["O18"]},
        piles={"chef": ("K26", "K06", "K09", "K16")},
    )
    state = do(state, (0, m.TakeChef()), (0, m.KeepCard("K26")), (0, m.FinishDraw()))
    state = do(state, (0, m.StartDelivery("O18")), (0, m.ConfirmDelivery()))
    assert state.scores[0] == 3 + 3 + 3


# ---- the cards -------------------------------------------------------------------------------


@pytest.mark.rule("PZ-X25", "PZ-052", "PZ-053", "PZ-054", "PZ-055")
def test_open_order() -> None:
    state = table(
        3,
        tokens={2: ["T01", "M01", "H01", "G01"]},
        orders={1: ["O01", "O07"]},
        chef={0: ["K01"]},
        actions=0,
    )
    begun = do(state, (0, m.PlayChef("open_order")))
    assert allowed(begun, 0, pick) == [pick(player="yellow")]
    played = step(begun, 0, pick(player="yellow"))
    state = played.state
    assert state.queue == (Wait("reveal", 1),)
    assert GAME.waiting(state) == (1,)
    assert flow.legal(state, 1) == [m.RevealOrder("O01"), m.RevealOrder("O07")]
    state = do(state, (1, m.RevealOrder("O07")))
    assert state.open_orders[1] == ("O07",)
    assert GAME.view(state, None).players[1].open_orders == ("O07",)
    assert GAME.waiting(state) == (0,)
    state = do(state, (0, m.EndTurn()))
    assert allowed(state, 1, m.StartDelivery) == []
    for move in allowed(state, 1, m.TakeToppings)[:1]:
        state = do(state, (1, move))
    while state.queue:
        state = do(state, (1, m.RotDiscard()))
    state.actions_left = 0
    state = do(state, (1, m.EndTurn()), (2, m.StartDelivery("O07")), (2, m.ConfirmDelivery()))
    assert state.scores[2] == 5 + 3
    assert state.delivered[2][0].order == "O07"
    assert state.open_orders[1] == ()
    from engines.pizzachef.phases.scoring import final

    assert final(state, 1).undelivered == ("O01",)


@pytest.mark.rule("PZ-I22", "PZ-053")
def test_open_order_hits_only_hidden_regular_orders() -> None:
    state = table(
        3, orders={1: ["F2"], 2: ["O05", "O06", "F3"]}, open_orders={1: ["O09"]}, chef={0: ["K01"]}
    )
    state = do(state, (0, m.PlayChef("open_order")))
    refused(state, 0, pick(player="yellow"), "PZ-053", "hidden regular order")
    refused(state, 0, pick(player="blue"), "PZ-053")
    state = do(state, (0, pick(player="purple")))
    refused(state, 2, m.RevealOrder("F3"), "PZ-053", "Pizza Fantasia")
    nobody = table(2, orders={1: ["F2"]}, chef={0: ["K01"]})
    refused(nobody, 0, m.PlayChef("open_order"), "PZ-053", "no target")


@pytest.mark.rule("PZ-053")
def test_a_single_order_is_opened_at_once() -> None:
    state = table(2, active=1, orders={1: ["F2", "O05"]}, chef={0: ["K02"]})
    before = state.decision_of(1)
    state = do(state, (0, m.PlayChef("open_order")), (0, pick(player="yellow")))
    assert state.open_orders[1] == ("O05",)
    assert state.queue == ()
    assert state.decision_of(1) == before


@pytest.mark.rule("PZ-053", "PZ-047")
def test_the_active_players_decision_survives_a_reveal() -> None:
    state = table(3, active=1, orders={2: ["O05", "O06"]}, chef={0: ["K02"]})
    before = state.decision_of(1)
    asked = do(state, (0, m.PlayChef("open_order")), (0, pick(player="purple")))
    assert GAME.waiting(asked) == (2,)
    # The suspended choice keeps its id, but nobody waits for it and a press says what is going on.
    assert asked.decision_of(1) == before
    refused(asked, 1, m.TakeOrders(), "PZ-053", "{seat:2}")
    done = do(asked, (2, m.RevealOrder("O06")))
    assert GAME.waiting(done) == (1,)
    assert done.decision_of(1) == before


@pytest.mark.rule("PZ-055")
def test_an_open_order_is_its_owners_to_discard_and_to_shelter_with() -> None:
    state = table(2, tokens={0: ["G01"]}, open_orders={0: ["O18"]})
    assert do(state, (0, m.DiscardOrder("O18"))).discards["orders"] == ("O18",)
    refused(table(2, open_orders={1: ["O18"]}), 0, m.DiscardOrder("O18"), "PZ-056")
    from engines.pizzachef.phases.scoring import final

    assert final(state, 0).leftover == 0
    assert final(state, 0).total == -2


def test_swap() -> None:
    state = table(
        3,
        active=2,
        tokens={0: ["T01", "T03", "C1"], 1: ["XM", "B01"], 2: ["RB"]},
        chef={0: ["K03"]},
    )
    state = do(state, (0, m.PlayChef("swap")))
    assert allowed(state, 0, pick) == [pick(topping="T"), pick(topping="choice")]
    state = do(state, (0, pick(topping="T")))
    assert allowed(state, 0, pick) == [
        pick(player="yellow", topping="B"),
        pick(player="yellow", topping="premium:M"),
        pick(player="purple", topping="rotten:B"),
    ]
    refused(state, 0, pick(player="yellow", topping="G"), "PZ-049")
    refused(state, 0, pick(player="blue", topping="T"), "PZ-049")
    played = step(state, 0, pick(player="yellow", topping="premium:M"))
    assert played.state.tokens[:2] == [("C1", "T03", "XM"), ("B01", "T01")]
    assert played.state.chef[0] == ()
    assert played.steps[0].reveals
    alone = table(2, tokens={0: ["T01"]}, chef={0: ["K03"]})
    refused(alone, 0, m.PlayChef("swap"), "PZ-049", "no target")


def test_bin() -> None:
    state = table(2, tokens={0: ["T01", "T02", "RB"]}, chef={0: ["K06", "K07"]})
    begun = do(state, (0, m.PlayChef("bin")))
    refused(begun, 0, m.CardFinish(), "PZ-049")
    refused(begun, 0, pick(topping="M"), "PZ-049")
    one = do(begun, (0, pick(topping="T")))
    assert allowed(one, 0, pick) == [pick(topping="T"), pick(topping="rotten:B")]
    two = do(one, (0, pick(topping="T")))
    assert two.tokens[0] == ("RB",)
    assert two.discard == ("T01", "T02")
    # The card with the lowest id goes first; a single token needs a single pick.
    assert two.chef[0] == (("K07", -1),)
    last = do(two, (0, m.PlayChef("bin")), (0, pick(topping="rotten:B")))
    assert last.tokens[0] == ()
    assert last.chef[0] == ()
    assert last.actions_left == 2
    refused(last, 0, m.PlayChef("bin"), "PZ-043")
    empty = table(2, chef={0: ["K06"]})
    refused(empty, 0, m.PlayChef("bin"), "PZ-049", "no target")


@pytest.mark.rule("PZ-I23", "PZ-097", "PZ-098")
def test_fresh_pick() -> None:
    market = {"A1": ["...", "T05"], "A2": ["...", "RT"], "C3": ["...", "C2"]}
    state = table(3, market=market, chef={0: ["K09"]}, reserved={1: "A1"}, tokens={0: ["T01"]})
    begun = do(state, (0, m.PlayChef("fresh_pick")))
    assert allowed(begun, 0, pick) == [pick(slot="A2"), pick(slot="C3")]
    refused(begun, 0, pick(slot="A1"), "PZ-097", "already reserved")
    refused(begun, 2, m.Reserve("A1"), "PZ-097", "already reserved")
    refused(begun, 0, pick(slot="B1"), "PZ-049")
    after = do(begun, (0, pick(slot="C3")))
    assert after.tokens[0] == ("C2", "T01")
    assert after.actions_left == 2
    rotting = do(begun, (0, pick(slot="A2")))
    assert rotting.queue == (Wait("rot", 0, "T"),)


@pytest.mark.rule("PZ-098")
def test_full_basket() -> None:
    market = {
        "A1": ["...", "T05"], "A2": ["...", "M02"], "A3": ["...", "C2"], "C1": ["...", "F01"],
    }  # fmt: skip
    state = table(3, market=market, chef={0: ["K12"]}, reserved={1: "A2", 2: "C1"})
    begun = do(state, (0, m.PlayChef("full_basket")))
    assert allowed(begun, 0, pick) == [pick(stall="A")]
    refused(begun, 0, pick(stall="B"), "PZ-049")
    refused(begun, 0, pick(stall="C"), "PZ-049")
    after = do(begun, (0, pick(stall="A")))
    assert after.tokens[0] == ("C2", "T05")
    assert GAME.view(after, None).market[1].face == "M"


@pytest.mark.rule("PZ-I21")
def test_pickpocket() -> None:
    state = table(3, tokens={1: ["RB", "DTM"], 2: ["T01", "T03"]}, chef={0: ["K14"]})
    begun = do(state, (0, m.PlayChef("pickpocket")))
    assert allowed(begun, 0, pick) == [
        pick(player="yellow", topping="double:TM"),
        pick(player="purple", topping="T"),
    ]
    refused(begun, 0, pick(player="yellow", topping="rotten:B"), "PZ-049", "no rotten bag")
    refused(begun, 0, pick(player="yellow", topping="T"), "PZ-049")
    after = do(begun, (0, pick(player="purple", topping="T")))
    assert after.tokens == [("T01",), ("DTM", "RB"), ("T03",)]
    only_rotten = table(2, tokens={1: ["RB"]}, chef={0: ["K14"]})
    refused(only_rotten, 0, m.PlayChef("pickpocket"), "PZ-049", "no target")


def test_overtime() -> None:
    state = table(2, chef={0: ["K16", "K17"]}, actions=0, spent=2)
    played = step(state, 0, m.PlayChef("overtime"))
    assert played.state.actions_left == 1
    assert not played.steps[0].reveals
    refused(played.state, 0, m.EndTurn(), "PZ-028")
    twice = do(played.state, (0, m.PlayChef("overtime")))
    assert twice.actions_left == 2


@pytest.mark.rule("PZ-X21", "PZ-050", "PZ-070")
def test_moped_and_regular_customer() -> None:
    state = table(
        2,
        tokens={0: ["T01", "M01", "F01", "G01", "B01"]},
        orders={0: ["O01", "O18"]},
        full={1: [1, 1, 1]},
        chef={0: ["K18", "K19"]},
    )
    state = do(state, (0, m.PlayChef("moped")), (0, m.PlayChef("regular_customer")))
    state = do(state, (0, m.StartDelivery("O01")), (0, m.ConfirmDelivery()))
    assert state.scores[0] == 4 + 3 + 3
    assert state.armed == ()
    state = do(state, (0, m.StartDelivery("O18")), (0, m.ConfirmDelivery()))
    assert state.scores[0] == 10 + 3 + 3


@pytest.mark.rule("PZ-X21", "PZ-078")
def test_detour() -> None:
    state = table(
        2,
        tokens={0: ["T01", "M01", "F01", "T02", "B01"]},
        orders={0: ["O01", "O39"]},
        chef={0: ["K20"]},
    )
    state = do(state, (0, m.PlayChef("detour")))
    # To its printed house, the card stays armed.
    first = do(state, (0, m.StartDelivery("O39")), (0, m.ConfirmDelivery()))
    assert first.armed == ("detour",)
    second = do(first, (0, m.StartDelivery("O01")), (0, m.SetHouse(9)), (0, m.ConfirmDelivery()))
    assert second.scores[0] == 3 + 3 + 4 + 3
    assert not second.delivered[0][-1].wrong
    assert second.armed == ()


def test_detour_for_the_open_order_of_another_player() -> None:
    state = table(
        2,
        tokens={0: ["T01", "M01", "F01"]},
        open_orders={1: ["O01"]},
        full={1: [1, 1, 1, 1]},
        chef={0: ["K20"]},
    )
    refused(state, 0, m.StartDelivery("O01"), "PZ-065", "full")
    state = do(state, (0, m.PlayChef("detour")), (0, m.StartDelivery("O01")))
    state = do(state, (0, m.SetHouse(2)), (0, m.ConfirmDelivery()))
    assert state.scores[0] == 4 + 3


def test_substitute() -> None:
    state = table(
        2,
        tokens={0: ["T01", "M01", "B01", "B02", "G01"]},
        orders={0: ["O01", "O18"]},
        chef={0: ["K21"]},
    )
    refused(state, 0, m.StartDelivery("O01"), "PZ-060", "mushrooms")
    state = do(state, (0, m.PlayChef("substitute")))
    # A delivery that does not need it leaves it armed.
    plain = do(state, (0, m.StartDelivery("O18")), (0, m.ConfirmDelivery()))
    assert plain.armed == ("substitute",)
    used = do(plain, (0, m.StartDelivery("O01")))
    assert used.delivery is not None
    assert used.delivery.tokens == ("B02", "M01", "T01")
    used = do(used, (0, m.ConfirmDelivery()))
    assert used.scores[0] == 3 + 3 + 4 + 3
    assert used.armed == ()
    assert used.delivered[0][-1].kinds == "TMF"


def test_substitute_also_for_a_wrong_delivery_but_for_plain_tokens_only() -> None:
    state = table(
        2, tokens={0: ["T01", "M01", "XH", "DGB"]}, orders={0: ["O01"]}, armed=["substitute"]
    )
    refused(state, 0, m.StartDelivery("O01"), "PZ-060", "mushrooms")
    state = table(2, tokens={0: ["T01", "M01", "H01"]}, orders={0: ["O01"]}, armed=["substitute"])
    state = do(state, (0, m.StartDelivery("O01")), (0, m.SetHouse(3)), (0, m.ConfirmDelivery()))
    assert state.armed == ()
    assert state.scores[0] == 0
