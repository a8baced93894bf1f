"""The Papà Paolo board as a picture."""

from __future__ import annotations

import random
import threading
from functools import cache
from itertools import combinations
from typing import Any

import msgspec
import pytest

from engines.core.play import play, start
from engines.papa_paolo import GAME
from engines.papa_paolo import moves as m
from engines.papa_paolo.components import TRACKS
from engines.papa_paolo.state import PaoloState
from engines.papa_paolo.views import PaoloView
from render import painter, render_board
from render.kit.canvas import Mark, recording
from render.kit.encode import LIMIT
from render.papa_paolo.painter import winners
from tests.engines.papa_paolo import positions
from tests.engines.papa_paolo.test_bidding import naples_bids
from tests.engines.papa_paolo.test_two_players import sealed
from tests.render.shots import golden

KEY = "papa_paolo"
NAMES = ("Anna", "Maximilian von und zu Hohenstein-Lindenberg", "🦊 Cléo", "田中さん")


@cache
def played(seats: int, round_: int, phase: str, seed: int = 3) -> PaoloState:
    """A match in which people mostly take tiles and deliver, up to a step of a round."""
    rand = random.Random(seed)
    state, _ = start(GAME, seats, seed=f"{seed:02x}")
    while state.ended is None and (state.round, state.phase) != (round_, phase):
        seat = rand.choice(GAME.waiting(state))
        legal = list(GAME.legal(state, seat))
        tiles = [x for x in legal if x.kind == "take_tile"]
        if legal[0].kind in ("start_route", "step"):
            move = GAME.safest(state, seat)
        else:
            move = rand.choice(tiles if tiles and rand.random() < 0.7 else legal)
        state = play(GAME, state, seat, move).state
    return state


def drawn(view: PaoloView, **more: Any) -> list[Mark]:
    with recording() as marks:
        painter(KEY).board(view, NAMES[: view.seats], **more)
    return marks


def names_of(marks: list[Mark], kind: str) -> list[str]:
    return [mark.name for mark in marks if mark.kind == kind]


def meet(a: Mark, b: Mark, slack: int = 0) -> bool:
    one, two = a.box, b.box
    return (
        min(one[2], two[2]) - max(one[0], two[0]) > slack
        and min(one[3], two[3]) - max(one[1], two[1]) > slack
    )


# ---- what is shown ---------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "cells"), [(2, 9), (3, 12), (4, 16)])
def test_the_market(seats: int, cells: int) -> None:
    """Every cell, coordinate and tip, one mark for each meeple."""
    view = GAME.view(played(seats, 3, "placing"), None)
    marks = drawn(view)
    assert len(names_of(marks, "cell")) == cells
    rows, columns = len(view.rows), len(view.columns)
    wanted = [f"c{c + 1}" for c in range(columns)] + [f"r{r + 1}" for r in range(rows)]
    assert sorted(names_of(marks, "coordinate")) == sorted(wanted)
    assert len(names_of(marks, "tip")) == rows + columns
    state = positions.go(
        positions.table(seats), positions.table(seats).order[0], m.PlaceMeeple("r1c1")
    )
    assert names_of(drawn(GAME.view(state, None)), "meeple") == ["r1c1"]


def test_the_stairs() -> None:
    """PP-X09: four bids at their spaces, the delivery tiles above, nobody's market."""
    marks = drawn(GAME.view(naples_bids(), None))
    assert sorted(names_of(marks, "bid")) == ["c1r1", "c2r4", "c3r2", "c4r3"]
    assert names_of(marks, "cell") == []
    assert names_of(marks, "delivery")[:4] == ["A1", "A2", "A3", "A4"]
    assert {f"r{n}" for n in range(1, 8)} <= set(names_of(marks, "coordinate"))


def test_sealed_coins_show_their_number_alone() -> None:
    """Two sealed coins are two marks; other values give the same pixels."""
    state = positions.go(sealed((9, 9)), 0, m.CommitCoin(3))
    other = positions.go(sealed((9, 9)), 0, m.CommitCoin(1))
    for viewer in (None, 1):
        one = painter(KEY).board(GAME.view(state, viewer), NAMES[:2])
        two = painter(KEY).board(GAME.view(other, viewer), NAMES[:2])
        assert one.tobytes() == two.tobytes()
    assert names_of(drawn(GAME.view(state, None)), "coin") == ["0"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_neighbourhood(seats: int) -> None:
    """All tiles, pizzerias with pizzas, four tracks and the score of everybody."""
    view = GAME.view(played(seats, 4, "delivering"), None)
    marks = drawn(view)
    tiles = [f"{s}:{t.x},{t.y}" for s, a in enumerate(view.areas) for t in a.tiles]
    ovens = [f"{s}:{p.x},{p.y}" for s, a in enumerate(view.areas) for p in a.pizzerias]
    assert sorted(names_of(marks, "tile")) == sorted(tiles)
    assert sorted(names_of(marks, "pizzeria")) == sorted(ovens)
    assert len(names_of(marks, "track")) == len(TRACKS) * seats
    assert names_of(marks, "score") == [str(a.delivered) for a in view.areas]


def test_money_is_on_no_public_picture() -> None:
    state = played(4, 2, "placing")
    for viewer in (None, *range(4)):
        shown = names_of(drawn(GAME.view(state, viewer)), "money")
        assert shown == ([] if viewer is None else [str(viewer)])


def test_a_route_grows() -> None:
    """The route is drawn from its pizzeria on, with what each tile got."""
    state = positions.delivering(positions.naples(), {0: "A3"})
    state = positions.go(state, 0, m.StartRoute("0,0"), m.Step("S", 2))
    marks = drawn(GAME.view(state, None))
    assert names_of(marks, "route") == ["A"]
    assert names_of(marks, "given") == ["2"]
    state = positions.go(state, 0, m.Step("S", 1))
    assert names_of(drawn(GAME.view(state, None)), "given") == ["2", "1"]


def test_candidates_of_a_step_are_shown_large() -> None:
    state = positions.delivering(positions.naples(), {0: "A3"})
    state = positions.go(state, 0, m.StartRoute("0,0"))
    view = GAME.view(state, 0)
    marks = drawn(view, moves=GAME.legal(state, 0))
    assert sorted(names_of(marks, "candidate")) == ["E", "N", "S", "W"]
    assert len(names_of(marks, "score")) == 1, "only the own neighbourhood"


def test_candidates_of_a_tile() -> None:
    """Places in question; a single one shows the turned tile itself."""
    state = positions.on_cell(positions.table(), 0, "r1c1", "Y03")
    view = GAME.view(state, 0)
    takes = [x for x in GAME.legal(state, 0) if isinstance(x, m.TakeTile)]
    marks = drawn(view, moves=takes)
    assert sorted(names_of(marks, "candidate")) == sorted({f"{x.x},{x.y}" for x in takes})
    assert names_of(marks, "hand") == ["Y03"]
    assert names_of(drawn(view, moves=takes[:1]), "candidate") == [f"{takes[0].x},{takes[0].y}"]


def test_candidates_on_the_table() -> None:
    state = positions.bidding(positions.table(), (0, 1, 2, 3), 3, 9, 9, 9)
    marks = drawn(GAME.view(state, 0), moves=GAME.legal(state, 0))
    assert sorted(names_of(marks, "candidate")) == ["c1r1", "c1r2", "c2r1", "c3r1"]


def test_focus() -> None:
    """One neighbourhood large, for anybody to see."""
    view = GAME.view(played(4, 4, "delivering"), None)
    for seat in range(4):
        marks = drawn(view, focus=seat)
        tiles = [mark for mark in marks if mark.kind == "tile"]
        assert len(tiles) == len(view.areas[seat].tiles)
        small = next(mark for mark in drawn(view) if mark.name == tiles[0].name)
        assert tiles[0].box[2] - tiles[0].box[0] > 1.5 * (small.box[2] - small.box[0])


# ---- layout ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    "phase", ["placing", "bidding", "settling", "claiming", "investing", "delivering"]
)
def test_nothing_overlaps_or_leaves_the_sheet(seats: int, phase: str) -> None:
    state = played(seats, 4, phase)
    for viewer in (None, 0):
        view = GAME.view(state, viewer)
        with recording() as marks:
            image = painter(KEY).board(view, NAMES[:seats])
        assert image.width == 1200
        for mark in marks:
            assert mark.box[0] >= 0, mark
            assert mark.box[1] >= 0, mark
            assert mark.box[2] <= image.width, mark
            assert mark.box[3] <= image.height, mark
        words = (
            "name",
            "note",
            "score",
            "header",
            "axis",
            "coordinate",
            "block",
            "footnote",
            "price",
        )
        things = (*words, "money", "holds", "delivery", "track", "badge", "tip", "cell", "reserve")
        kept = [mark for mark in marks if mark.kind in (*things, "tile", "pizzeria", "investment")]
        for one, two in combinations(kept, 2):
            if one.kind in words or two.kind in words:
                assert not meet(one, two, 2), (one, two)


def test_any_name() -> None:
    view = GAME.view(played(4, 2, "placing"), None)
    for names in (("", "", "", ""), ("W" * 80,) * 4, ("\u202e", "‮x", "\n", "a\tb"), ("x",)):
        painter(KEY).board(view, names)


def test_the_end_shows_winners_and_sums() -> None:
    state = played(3, 9, "over")
    view = GAME.view(state, None)
    result = GAME.outcome(state)
    assert result is not None
    assert winners(view) == result.ranking[0]
    marks = drawn(view)
    scores = [str(s.total).replace("-", "−") for s in result.scores]
    assert names_of(marks, "score") == scores
    assert names_of(marks, "delivery") == []
    assert any("wins" in n or "share" in n for n in names_of(marks, "header"))


# ---- files -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "phase"), [(4, "placing"), (4, "settling"), (4, "delivering"), (2, "claiming")]
)
def test_size_and_bytes(seats: int, phase: str) -> None:
    state = played(seats, 4, phase)
    view = GAME.view(state, None)
    one = render_board(KEY, view, NAMES[:seats])
    assert one.ext == "png"
    assert len(one.data) <= LIMIT
    assert one.height <= 2000
    assert render_board(KEY, view, NAMES[:seats]).data == one.data
    again = msgspec.json.decode(msgspec.json.encode(view), type=PaoloView)
    assert render_board(KEY, again, NAMES[:seats]).data == one.data


def test_threads() -> None:
    views = [GAME.view(played(4, r, "placing"), None) for r in (1, 3)]
    wanted = [render_board(KEY, v, NAMES).data for v in views]
    found: list[bool] = []

    def work(number: int) -> None:
        for _ in range(3):
            found.append(render_board(KEY, views[number], NAMES).data == wanted[number])

    threads = [threading.Thread(target=work, args=(n % 2,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 12


@pytest.mark.parametrize(
    ("seats", "phase"), [(4, "placing"), (3, "bidding"), (4, "delivering"), (2, "claiming")]
)
def test_goldens(seats: int, phase: str) -> None:
    view = GAME.view(played(seats, 3, phase), None)
    golden(f"papa_paolo_{seats}_{phase}", render_board(KEY, view, NAMES[:seats]))
