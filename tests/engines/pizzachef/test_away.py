"""A player who is away, undo, and what is being waited for (PZ-127 to PZ-129)."""

from __future__ import annotations

import pytest

from engines.core.errors import MoveError
from engines.core.play import Entry, Undo, play, start, undo_plan, undo_target
from engines.core.types import state_hash
from engines.pizzachef import GAME
from engines.pizzachef import moves as m
from engines.pizzachef.components import ORDERS
from engines.pizzachef.state import SPENT, PizzaState
from tests.engines.pizzachef.table import do, refused, table

MARKET = {"A1": ["...", "T05"], "A2": ["...", "RT"]}


def away(state: PizzaState, seat: int) -> m.AnyMove:
    return GAME.skip(state, seat)


@pytest.mark.rule("PZ-127")
def test_cards_are_chosen_by_the_lowest_id() -> None:
    state, _ = start(GAME, 2, deal={"start": [0], "missions": ["M09", "M03", "M07", "M20", "M11"]})
    assert away(state, 0) == m.KeepCard("M03")
    state = do(state, (0, m.KeepCard("M03")))
    assert away(state, 0) == m.FinishDraw()
    while state.phase != "chef":
        for seat in GAME.waiting(state):
            state = do(state, (seat, away(state, seat)))
    assert away(state, 0) == m.FinishDraw()
    draw = do(table(2, piles={"orders": ("O09", "O05", "O30", "O31")}), (0, m.TakeOrders()))
    assert away(draw, 0) == m.KeepCard("O05")


@pytest.mark.rule("PZ-127")
def test_choices_that_lie_over_the_turn() -> None:
    rot = do(table(2, tokens={0: ["T01"]}, market=MARKET), (0, m.TakeToppings("A", "red")))
    assert away(rot, 0) == m.RotDiscard()
    opened = table(2, orders={1: ["O03", "O13", "O01", "O21"]}, chef={0: ["K01"]})
    opened = do(opened, (0, m.PlayChef("open_order")), (0, m.CardPick(player="yellow")))
    # O01 and O13 both cost 4; the lower id is opened.
    assert away(opened, 1) == m.RevealOrder("O01")
    delivering = table(2, tokens={0: ["T01", "M01", "F01"]}, orders={0: ["O01"]})
    delivering = do(delivering, (0, m.StartDelivery("O01")))
    assert away(delivering, 0) == m.CancelDelivery()


@pytest.mark.rule("PZ-127")
def test_an_open_turn_is_ended_for_a_player_who_is_away() -> None:
    state = table(3, market=MARKET, reserved={0: "A1"}, armed=["moped"])
    assert away(state, 0) == m.HostSkip()
    played = play(GAME, state, 0, m.HostSkip())
    assert played.state.active == 1
    assert played.state.reserved[0] == SPENT
    assert played.state.armed == ()
    assert played.steps[0].reveals
    assert "2 actions are forfeited" in GAME.narrate(played.events[0])
    assert away(table(2, actions=0), 0) == m.EndTurn()
    solo = table(1, actions=3)
    refused(solo, 0, m.HostSkip(), "PZ-127", "solo")
    refused(state, 1, m.HostSkip(), "PZ-026")


@pytest.mark.rule("PZ-127")
def test_what_a_player_may_do_is_safe_by_the_rules() -> None:
    """Where no host acts, the safest move is a listed one and costs nothing at the end."""
    state = table(2)
    assert GAME.safest(state, 0) == m.TakeChef()
    assert m.HostSkip() not in GAME.legal(state, 0)
    due = table(3, market=MARKET, reserved={0: "A1"}, spent=1, actions=1)
    assert GAME.safest(due, 0) == m.TakeToppings("A", "red")
    assert GAME.safest(table(2, actions=0), 0) == m.EndTurn()
    solo = table(1, actions=3)
    assert GAME.safest(solo, 0) in GAME.legal(solo, 0)
    assert GAME.skip(solo, 0) in GAME.legal(solo, 0)


@pytest.mark.rule("PZ-127")
def test_a_seat_that_plays_by_itself_delivers() -> None:
    """O01 is a pizza of tomato, mozzarella and mushrooms for house 1; what one step begins, the
    next one ends, and never the other way round."""
    state = table(2, tokens={0: ["T01", "M01", "F01"]}, orders={0: ["O01"]})
    assert GAME.safest(state, 0) == m.StartDelivery("O01")
    announced = do(state, (0, m.StartDelivery("O01")))
    assert GAME.safest(announced, 0) == m.ConfirmDelivery()
    assert GAME.skip(announced, 0) == m.CancelDelivery(), "the host earns nobody money"
    done = do(announced, (0, m.ConfirmDelivery()))
    assert not done.orders[0]
    assert done.scores[0] > 0
    # What the player had begun otherwise is put right, or called off.
    wrong = do(announced, (0, m.SetHouse(9)))
    assert GAME.safest(wrong, 0) == m.SetHouse(ORDERS["O01"].house)
    lacking = do(announced, (0, m.RemoveTopping("T")))
    assert GAME.safest(lacking, 0) == m.CancelDelivery()


@pytest.mark.rule("PZ-127")
def test_a_seat_that_plays_by_itself_never_announces_what_earns_nothing() -> None:
    """The house of O01 is full, so that it could only be delivered wrongly."""
    house = ORDERS["O01"].house
    tokens = ["T01", "M01", "F01"]
    full = table(2, tokens={0: tokens}, orders={0: ["O01"]}, full={house: [1, 1, 1, 1]})
    assert m.StartDelivery("O01") in GAME.legal(full, 0)
    assert GAME.safest(full, 0) == m.TakeChef()
    stranded = table(
        1, tokens={0: tokens}, orders={0: ["O01"]}, full={house: [0, 0, 0, 0]}, actions=0
    )
    made = []
    while stranded.ended is None and not any(isinstance(x, m.ConfirmDelivery) for x in made):
        made.append(GAME.safest(stranded, 0))
        stranded = do(stranded, (0, made[-1]))
    assert [type(x) for x in made] == [m.StartDelivery, m.SetHouse, m.ConfirmDelivery]


@pytest.mark.rule("PZ-127")
def test_a_seat_that_plays_by_itself_takes_what_its_order_lacks() -> None:
    """Only mushrooms are lacking; they lie in stall B."""
    market = {"A1": ["...", "H02"], "B1": ["...", "F02"]}
    state = table(2, tokens={0: ["T01", "M01"]}, orders={0: ["O01"]}, market=market)
    assert GAME.safest(state, 0) == next(
        move
        for move in GAME.legal(state, 0)
        if isinstance(move, m.TakeToppings) and move.stall == "B"
    )


def log_of(state: PizzaState, *steps: tuple[int, m.AnyMove]) -> tuple[PizzaState, list[Entry]]:
    """The position after some moves, and their log."""
    log: list[Entry] = []
    import msgspec

    for seat, move in steps:
        played = play(GAME, state, seat, move)
        state = played.state
        for done in played.steps:
            text = msgspec.json.encode(done.move).decode()
            seq = len(log) + 1
            log.append(
                Entry(seq, "move", done.seat, text, done.auto, done.reveals, apart=done.apart)
            )
    return state, log


@pytest.mark.rule("PZ-128")
def test_undo_one_by_one_until_a_barrier() -> None:
    state = table(2, tokens={0: ["T01", "M01", "F01", "B01"]}, orders={0: ["O01"]})
    _, log = log_of(
        state,
        (0, m.TakeMissions()),
        (0, m.KeepCard(state.piles["missions"][0])),
        (0, m.FinishDraw()),
        (0, m.DiscardTopping("B")),
        (0, m.StartDelivery("O01")),
        (0, m.ConfirmDelivery()),
    )
    for last in range(5, 0, -1):
        assert undo_target(GAME, log[: last + 1], 0) == last
    with pytest.raises(MoveError) as error:
        undo_target(GAME, log[:1], 0)
    assert error.value.rule == "PZ-128"
    _, log = log_of(table(2, actions=0), (0, m.EndTurn()))
    with pytest.raises(MoveError):
        undo_target(GAME, log, 0)


@pytest.mark.rule("PZ-128")
def test_private_drafts_of_others_are_no_barrier() -> None:
    state = table(
        2, tokens={0: ["B01"], 1: ["H01", "H02"]}, chef={1: ["K06"], 0: ["K16"]}, market=MARKET
    )
    _, log = log_of(
        state,
        (0, m.DiscardTopping("B")),
        (1, m.PlayChef("bin")),
        (1, m.CardPick(topping="H")),
        (1, m.CardCancel()),
    )
    # Seat 1's draft is made again after the undo, as if nothing had happened.
    assert undo_plan(GAME, log, 0) == Undo(0, (2, 3, 4))
    assert undo_target(GAME, log, 1) == 3
    # Executing the card, reserving and Overtime are public: they stop others.
    _, log = log_of(
        state,
        (0, m.DiscardTopping("B")),
        (1, m.PlayChef("bin")),
        (1, m.CardPick(topping="H")),
        (1, m.CardFinish()),
    )
    for seat in (0, 1):
        with pytest.raises(MoveError):
            undo_target(GAME, log, seat)
    _, log = log_of(state, (1, m.Reserve("A1")))
    with pytest.raises(MoveError):
        undo_target(GAME, log, 1)
    _, log = log_of(state, (0, m.PlayChef("overtime")))
    assert undo_target(GAME, log, 0) == 0
    with pytest.raises(MoveError):
        undo_target(GAME, log, 1)


@pytest.mark.rule("PZ-128", "PZ-018")
def test_choosing_in_setup_does_not_stand_in_the_way() -> None:
    state, _ = start(GAME, 2)
    _, log = log_of(state, (0, m.KeepCard(state.drawn[0][0])), (1, m.KeepCard(state.drawn[1][0])))
    assert undo_plan(GAME, log, 0) == Undo(0, (2,))
    _, log = log_of(
        state,
        (0, m.KeepCard(state.drawn[0][0])),
        (0, m.FinishDraw()),
        (1, m.KeepCard(state.drawn[1][0])),
    )
    with pytest.raises(MoveError) as error:
        undo_plan(GAME, log, 0)
    assert error.value.rule == "PZ-128"


@pytest.mark.rule("PZ-129")
def test_refusals_say_what_is_waited_for() -> None:
    state = table(2, tokens={0: ["T01", "M01", "F01"]}, orders={0: ["O01"]})
    drawing = do(state, (0, m.TakeOrders()))
    refused(drawing, 0, m.TakeOrders(), "PZ-129", "choose among the orders")
    refused(drawing, 0, m.StartDelivery("O01"), "PZ-129", "choose among the orders")
    refused(drawing, 0, m.ConfirmDelivery(), "PZ-129", "announce")
    refused(drawing, 0, m.KeepCard("M05"), "PZ-129", "not among")
    delivering = do(state, (0, m.StartDelivery("O01")))
    refused(delivering, 0, m.EndTurn(), "PZ-129", "call it off")
    refused(delivering, 0, m.FinishDraw(), "PZ-129", "drawn no cards")
    refused(state, 0, m.SetHouse(3), "PZ-129", "announce")
    refused(state, 0, m.RevealOrder("O01"), "PZ-053", "Nobody asked")
    fresh, _ = start(GAME, 2)
    refused(fresh, 0, m.TakeOrders(), "PZ-129", "still choosing")


@pytest.mark.rule("PZ-047")
def test_a_decision_is_renewed_by_its_own_moves_only() -> None:
    state = table(2, tokens={0: ["B01"], 1: ["H01", "H02"]}, chef={1: ["K06"]})
    first = state.decision_of(0)
    assert first is not None
    off = do(state, (1, m.PlayChef("bin")), (1, m.CardPick(topping="H")), (1, m.CardFinish()))
    assert off.decision_of(0) == first
    on = do(off, (0, m.DiscardTopping("B")))
    now = on.decision_of(0)
    assert now is not None
    assert now.id > first.id
    with pytest.raises(MoveError):
        play(GAME, on, 0, m.TakeOrders(), decision=first.id)
    assert state_hash(on) != state_hash(off)
