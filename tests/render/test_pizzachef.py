"""The Pizzachef board and hands as pictures."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest

from engines.core.play import start
from engines.pizzachef import GAME
from engines.pizzachef import moves as m
from engines.pizzachef.components import SLOTS, TYPE
from engines.pizzachef.views import PizzaView
from render import painter, render_board, render_hand
from render.kit.canvas import WIDTH, Mark, recording
from render.kit.encode import LIMIT
from render.pizzachef import icons, sample
from tests.engines.pizzachef.conformance import Scrambler
from tests.engines.pizzachef.greedy import choose
from tests.engines.pizzachef.table import do, table
from tests.render.shots import golden

KEY = "pizzachef"
NAMES = ("Anna", "Maximilian von und zu Hohenstein-Lindenberg", "🦊 Cléo", "田中さん")


def states(seats: int, seed: str = "7a") -> list[Any]:
    """Positions all through a match, the end included."""
    rand = random.Random(f"shots {seats}")
    state, _ = start(GAME, seats, seed=seed)
    found = [state]
    steps = 0
    while state.ended is None and steps < 2000:
        seat, move = choose(state, rand)
        state = state.clone()
        GAME.apply(state, seat, move)
        steps += 1
        if steps % 12 == 0 or state.queue or state.ended is not None:
            found.append(state)
    return found


def drawn(view: PizzaView, **more: Any) -> tuple[list[Mark], tuple[int, int]]:
    with recording() as marks:
        image = painter(KEY).board(view, NAMES, **more)
    return marks, image.size


def meet(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> bool:
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_texts_are_inside_and_clear_of_each_other(seats: int) -> None:
    for state in states(seats)[::3]:
        marks, size = drawn(GAME.view(state, None), focus=0)
        texts = [mark for mark in marks if mark.kind in WORDS]
        assert len(texts) > 20
        for mark in texts:
            assert mark.box[0] >= 0, mark
            assert mark.box[2] <= size[0], mark
            assert mark.box[3] <= size[1], mark
        for one, two in combinations(texts, 2):
            assert not meet(one.box, two.box), (one, two)


WORDS = (
    "header", "slot", "height", "panel", "score", "tokens", "final", "focus", "strip", "delivery",
)  # fmt: skip


def test_every_place_house_and_marker_is_shown() -> None:
    state = table(
        3,
        delivered={0: [("O01", 1, 7), ("O02", 1)], 1: [("O05", 2, 7)], 2: [("O39", 10, 6)]},
        tokens={0: ["T01", "T02", "XM", "DTM", "C1", "RB"]},
        reserved={1: "B2"},
    )
    marks, _ = drawn(GAME.view(state, None))
    named = {(mark.kind, mark.name) for mark in marks}
    assert {("slot", slot) for slot in SLOTS} <= named
    assert {("token", slot) for slot in SLOTS} <= named
    assert ("flag", "B2") in named
    markers = sorted(name for kind, name in named if kind == "marker")
    assert markers == ["1/1", "1/2", "10/1", "2/1"]
    kinds = {name for kind, name in named if kind == "token"} - set(SLOTS)
    assert kinds == {"T", "premium:M", "double:TM", "choice", "rotten:B"}
    assert ("score", "7") in named
    words = {mark.name for mark in marks if mark.kind == "header"}
    assert {"PIZZACHEF", "Actions left: 2", "Anna"} <= words


def test_a_player_may_hold_every_kind_of_token() -> None:
    one_of_each = {kind: token for token, kind in TYPE.items() if kind not in ("T", "M")}
    tokens = [t for t in one_of_each.values() if t[0] != "R"] + ["RT", "RM"]
    state = table(2, tokens={0: tokens})
    marks, size = drawn(GAME.view(state, None))
    shown = [mark for mark in marks if mark.kind == "token" and mark.name not in SLOTS]
    assert len(shown) == len(tokens)
    assert all(mark.box[2] <= size[0] - 24 for mark in shown)
    for one, two in combinations(shown, 2):
        assert not meet(one.box, two.box), (one, two)


def test_the_announced_delivery_is_shown() -> None:
    state = table(2, tokens={0: ["T01", "M01", "F01"]}, orders={0: ["O01"]})
    before, size = drawn(GAME.view(state, None))
    marks, taller = drawn(GAME.view(do(state, (0, m.StartDelivery("O01"))), None))
    assert taller[1] > size[1]
    words = [mark.name for mark in marks if mark.kind == "delivery"]
    assert words == ["Pizza ai funghi", "to house 1"]
    assert sum(mark.kind == "on pizza" for mark in marks) == 3
    assert not any(mark.kind == "delivery" for mark in before)


def test_candidate_moves_are_marked() -> None:
    market = {"A1": ["...", "T05"], "A2": ["...", "M02"], "B1": ["...", "H01"]}
    state = table(2, market=market, tokens={0: ["T01", "M01", "F01"]}, orders={0: ["O01"]})
    view = GAME.view(state, 0)
    marks, _ = drawn(view, moves=[m.TakeToppings("A", "red")])
    assert [mark.name for mark in marks if mark.kind == "candidate"] == ["A1"]
    marks, _ = drawn(view, moves=[m.StartDelivery("O01"), m.Reserve("B1")])
    assert {mark.name for mark in marks if mark.kind == "candidate"} == {"1", "B1"}
    everything, _ = drawn(view, moves=list(GAME.legal(state, 0)))
    assert any(mark.kind == "candidate" for mark in everything)
    assert painter(KEY).board(view, NAMES).tobytes() == painter(KEY).board(view, NAMES).tobytes()


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_size_and_format(seats: int) -> None:
    for state in states(seats)[::9]:
        picture = render_board(KEY, GAME.view(state, None), NAMES[:seats])
        assert picture.width == WIDTH
        assert picture.height < 1500
        assert len(picture.data) < LIMIT


@pytest.mark.rule("PZ-005", "PZ-006", "PZ-098")
def test_pictures_do_not_betray_what_is_hidden() -> None:
    scrambler = Scrambler()
    for number, state in enumerate(states(3)[:-1:5]):
        for viewer in (None, 0, 1):
            other = scrambler.scramble(state, viewer, random.Random(number))
            one, two = GAME.view(state, viewer), GAME.view(other, viewer)
            assert (
                painter(KEY).board(one, NAMES).tobytes() == painter(KEY).board(two, NAMES).tobytes()
            )
            mine, theirs = painter(KEY).hand(one, NAMES), painter(KEY).hand(two, NAMES)
            assert (mine is None) == (viewer is None)
            if mine is not None and theirs is not None:
                assert mine.tobytes() == theirs.tobytes()


def test_the_board_of_a_player_shows_nothing_more_than_the_public_one() -> None:
    state = table(2, orders={0: ["O01"]}, missions={0: ["M02"]}, chef={0: ["K06"]})
    public = painter(KEY).board(GAME.view(state, None), NAMES).tobytes()
    assert painter(KEY).board(GAME.view(state, 0), NAMES).tobytes() == public


# ---- hands -----------------------------------------------------------------------------------


def hand_marks(view: PizzaView) -> list[Mark]:
    with recording() as marks:
        painter(KEY).hand(view, NAMES)
    return marks


def test_a_hand_shows_every_card() -> None:
    state = table(
        2,
        missions={0: ["M02", "M25"]},
        orders={0: ["O01", "O35", "F1"]},
        open_orders={0: ["O14"]},
        chef={0: ["K06", "K01"]},
        tokens={0: ["T01", "M01", "F01"]},
    )
    marks = hand_marks(GAME.view(state, 0))
    heads = [mark.name for mark in marks if mark.kind == "card"]
    assert heads == [
        "M02", "M25", "F1  Fantasia", "O01  ai funghi", "O35  Prosciutto e funghi",
        "O14  Mediterranea", "Open Order", "Bin",
    ]  # fmt: skip
    words = {mark.name for mark in marks if mark.kind == "card text"}
    assert {"0 of 4", "0 of 1", "1 missing", "3 missing"} <= words
    for one, two in combinations([x for x in marks if x.kind == "card"], 2):
        assert not meet(one.box, two.box)


def test_cards_to_choose_from_come_first_and_kept_ones_are_marked() -> None:
    state = table(2, piles={"chef": ("K06", "K22", "K09", "K16")}, orders={0: ["O01"]})
    state = do(state, (0, m.TakeChef()))
    before = painter(KEY).hand(GAME.view(state, 0), NAMES)
    heads = [mark.name for mark in hand_marks(GAME.view(state, 0)) if mark.kind == "card"]
    assert heads == ["Bin", "Hungry at No. 3", "Fresh Pick", "Overtime", "O01  ai funghi"]
    kept = painter(KEY).hand(GAME.view(do(state, (0, m.KeepCard("K09"))), 0), NAMES)
    assert before is not None
    assert kept is not None
    assert before.tobytes() != kept.tobytes()
    assert painter(KEY).hand(GAME.view(state, None), NAMES) is None


def test_large_hands_fit() -> None:
    state = table(
        2,
        missions={0: [f"M{i:02}" for i in range(1, 27)]},
        orders={0: [f"O{i:02}" for i in range(1, 41)]},
        chef={0: [f"K{i:02}" for i in range(1, 22)]},
    )
    picture = render_hand(KEY, GAME.view(state, 0), NAMES)
    assert picture is not None
    assert sum(mark.kind == "card" for mark in hand_marks(GAME.view(state, 0))) == 87
    assert len(picture.data) < 2 * LIMIT
    texts = [x for x in hand_marks(GAME.view(state, 0)) if x.kind in ("card text", "card head")]
    for one, two in combinations(texts, 2):
        assert not meet(one.box, two.box), (one, two)


# ---- looks -----------------------------------------------------------------------------------


def test_red_and_green_tokens_differ_in_shape() -> None:
    red, green = (icons.face("T", colour, 90).getchannel("A") for colour in ("red", "green"))
    corner = (9, 9)
    assert red.getpixel(corner) == 0
    assert green.getpixel(corner) == 255


def test_the_sheet_holds_a_busy_board() -> None:
    sheet = painter(KEY).sheet()
    assert sheet is not None
    assert sheet.width > WIDTH
    assert len(sample.busy().my_drawn) == 3


def test_looks() -> None:
    state = table(
        4,
        active=2,
        tokens={0: ["T01", "T03", "M02", "C1"], 2: ["T02", "M01", "G01", "H02", "XG"], 3: ["RB"]},
        orders={2: ["O07", "O21", "F3"], 0: ["O01"]},
        open_orders={1: ["O19"]},
        missions={2: ["M04", "M14"]},
        chef={2: ["K18", ("K06", 5)]},
        delivered={0: [("O02", 1, 8), ("O11", 3, 6)], 1: [("O03", 1, 8)], 2: [("O28", 7, 7)]},
        pi=["K22", "K26"],
        reserved={3: "C2"},
    )
    state = do(state, (2, m.StartDelivery("O07")))
    golden("pizzachef_delivery", render_board(KEY, GAME.view(state, None), NAMES))
    picture = render_hand(KEY, GAME.view(state, 2), NAMES)
    assert picture is not None
    golden("pizzachef_hand", picture)
