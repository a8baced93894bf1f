"""Commands, labels and texts."""

from __future__ import annotations

import random

import pytest

from engines.core.errors import MalformedMove
from engines.core.play import start
from engines.core.surface import complete, pick, resolve
from engines.pizzachef import GAME
from engines.pizzachef import moves as m
from engines.pizzachef.components import TYPE
from tests.engines.pizzachef.table import do, step, table, told
from tests.engines.pizzachef.test_random import play_on, universe


def test_at_most_24_commands_without_losing_a_move() -> None:
    names = [c.name for c in GAME.commands()]
    assert len(names) == 16
    state, _ = start(GAME, 2)
    for move in universe(state):
        phrase = GAME.phrase(move)
        assert phrase.command in names
        assert GAME.parse(phrase.command, phrase.args) == move
    for counts_as in (None, "B"):
        move = m.RemoveTopping("choice", counts_as)
        phrase = GAME.phrase(move)
        assert GAME.parse(phrase.command, phrase.args) == move


@pytest.mark.parametrize(
    ("command", "args", "move"),
    [
        ("take", {"what": "Orders"}, m.TakeOrders()),
        ("take", {"what": "chef card"}, m.TakeChef()),
        ("take", {"what": "b green"}, m.TakeToppings("B", "green")),
        ("take", {"what": "red from stall C"}, m.TakeToppings("C", "red")),
        ("discard", {"what": "basil"}, m.DiscardTopping("B")),
        ("discard", {"what": "o07"}, m.DiscardOrder("O07")),
        ("discard", {"what": "premium Parmesan"}, m.DiscardTopping("premium:G")),
        ("topping", {"do": "add", "topping": "choice", "as": "Basil"}, m.AddTopping("choice", "B")),
        ("keep", {"card": "m05", "keep": "no"}, m.UnkeepCard("M05")),
        ("card", {"card": "Fresh Pick"}, m.PlayChef("fresh_pick")),
        ("target", {"target": "yellow/ham"}, m.CardPick(player="yellow", topping="H")),
        ("target", {"target": "stall B"}, m.CardPick(stall="B")),
        ("target", {"target": "b1"}, m.CardPick(slot="B1")),
        ("target", {"target": "enough"}, m.CardFinish()),
        ("cancel", {"what": "card"}, m.CardCancel()),
        ("house", {"house": "7"}, m.SetHouse(7)),
        ("rot", {"bag": "keep"}, m.RotKeep()),
    ],
)
def test_free_text(command: str, args: dict[str, str], move: m.AnyMove) -> None:
    assert GAME.parse(command, args) == move


@pytest.mark.parametrize(
    ("command", "args"),
    [
        ("take", {"what": "everything"}),
        ("take", {}),
        ("house", {"house": "first"}),
        ("topping", {"do": "eat", "topping": "T"}),
        ("keep", {"card": "M05", "keep": "maybe"}),
        ("end", {"now": "yes"}),
        ("fly", {}),
    ],
)
def test_words_that_fit_no_move(command: str, args: dict[str, str]) -> None:
    with pytest.raises(MalformedMove):
        GAME.parse(command, args)


def test_autocompletion_of_targets() -> None:
    state = table(
        3, tokens={0: ["T01"], 1: ["XM", "B01"], 2: ["RB", "T03"]}, chef={0: ["K03", "K14"]}
    )
    state = do(state, (0, m.PlayChef("pickpocket")))
    offered = complete(GAME, state, 0, "target", {}, "target", "")
    assert [(c.value, c.label) for c in offered] == [
        ("yellow/B", "basil of yellow"),
        ("yellow/premium:M", "premium mozzarella of yellow"),
        ("purple/T", "tomato sauce of purple"),
    ]
    move, _ = resolve(GAME, state, 0, "target", {"target": "tomato"})
    assert move == m.CardPick(player="purple", topping="T")


def test_a_long_list_is_split() -> None:
    tokens = list(TYPE)
    state = table(
        3,
        tokens={
            1: [t for t in tokens[::2] if t[0] != "R"],
            2: [t for t in tokens[1::2] if t[0] != "R"],
        },
        chef={0: ["K14"]},
    )
    state = do(state, (0, m.PlayChef("pickpocket")))
    found, _ = pick(GAME, state, 0, ["target"])
    assert found.facet
    assert [c.value for c in found.choices] == ["yellow", "purple"]


def test_the_delivery_picker_says_what_it_would_bring() -> None:
    state = table(2, tokens={0: ["T01", "XM", "F01", "C1"]}, orders={0: ["O01"]}, pi=["K25"])
    state = do(state, (0, m.StartDelivery("O01")))
    view = GAME.view(state, 0)
    # 4 + 3 + premium 2 + no ham 3
    assert GAME.describe(view, m.ConfirmDelivery()) == (
        "Deliver Pizza ai funghi to house 1: 12 coins"
    )
    assert GAME.label(view, "house", "house", "1") == "House 1: 0 of 4 pizzas, the one on the order"
    assert GAME.label(view, "house", "house", "2") == "House 2: 0 of 4 pizzas, wrong: no money"
    wrong = GAME.view(do(state, (0, m.SetHouse(4))), 0)
    assert "no money" in GAME.describe(wrong, m.ConfirmDelivery())


@pytest.mark.rule("PZ-005", "PZ-032")
def test_nothing_public_names_a_hidden_card() -> None:
    """Through whole matches: public texts never name a card that lies hidden."""
    from engines.pizzachef.components import MISSIONS, ORDERS

    rand = random.Random(3)
    for seats in (2, 4):
        state, _ = start(GAME, seats, seed="0dd0")
        for _ in range(600):
            if state.ended is not None:
                break
            seat, move = play_on(state, rand)
            played = step(state, seat, move)
            state = played.state
            public = "\n".join(GAME.narrate(e) for e in told(played))
            board = GAME.board_text(GAME.view(state, None)) + GAME.alt(GAME.view(state, None))
            if state.ended is not None:
                break
            for owner in range(seats):
                for mission in state.missions[owner]:
                    assert MISSIONS[mission].text not in public + board
                for order in state.hidden_regular(owner):
                    shown = state.delivery is not None and state.delivery.order == order
                    cancelled = isinstance(move, m.CancelDelivery)
                    if not shown and not cancelled:
                        assert ORDERS[order].title + " " not in public + " "
                        assert f"{order} " not in board


def test_hands_fit_a_post_however_many_cards() -> None:
    state = table(
        2,
        missions={0: [f"M{i:02}" for i in range(1, 27)]},
        orders={0: [f"O{i:02}" for i in range(1, 41)] + ["F1"]},
        chef={0: [f"K{i:02}" for i in range(1, 22)]},
    )
    hand = GAME.hand(GAME.view(state, 0))
    assert hand is not None
    assert len("\n".join(hand.lines)) <= 1800
    assert "more cards" in hand.lines[-1]
    small = GAME.hand(GAME.view(table(2, orders={0: ["O01", "F1"]}, tokens={0: ["T01"]}), 0))
    assert small is not None
    assert small.lines == (
        "Order F1 · Pizza Fantasia: tomato sauce, mozzarella + 1 or more; any house, 1 coin each"
        " – needs mozzarella and 1 more",
        "Order O01 · Pizza ai funghi, house 1, 4 coins: TMF – needs mozzarella and mushrooms",
    )


def test_board_text_of_a_crowded_table_fits() -> None:
    types = list(TYPE)
    state = table(
        4,
        tokens={s: [t for t in types[s::4] if t[0] != "R"] for s in range(4)},
        delivered={
            s: [(f"O{s * 8 + i + 1:02}", (i * 4 + s) % 10 + 1, 3) for i in range(7)]
            for s in range(4)
        },
        open_orders={0: ["O33", "O34", "O35"], 1: ["O36", "O37"]},
        pi=["K22", "K23", "K24", "K25", "K26", "K27"],
        armed=["moped", "regular_customer", "detour", "substitute"],
    )
    text = GAME.board_text(GAME.view(state, None))
    assert len(text) <= 1800
    assert "Open for all" in text
    assert text.endswith("!B rotten")
    assert len(GAME.alt(GAME.view(state, None))) <= 1024
