"""The Paris Paris board as a picture."""

from __future__ import annotations

import threading
from itertools import combinations, pairwise
from typing import Any

import msgspec
import pytest

from engines.core.registry import game
from engines.paris_paris.components import board
from engines.paris_paris.moves import OpenBusiness
from engines.paris_paris.state import Opening, Tour
from engines.paris_paris.views import ParisView
from render import painter, render_board, render_hand
from render.kit import sprites, type
from render.kit.canvas import Mark, recording
from render.kit.encode import LIMIT
from render.paris_paris import ground
from render.paris_paris.layout import HEIGHT, INFO, MAP, P_ROW, WIDTH, spots
from render.paris_paris.painter import fresh_tours, winners
from tests.render.shots import golden, position

KEY = "paris_paris"
NAMES = ("Anna", "Maximilian von und zu Hohenstein-Lindenberg", "🦊 Cléo", "田中さん")


def seen(seats: int, moves: int, viewer: int | None = None, seed: str = "00") -> ParisView:
    view = game(KEY).view(position(KEY, seats, moves, seed), viewer)
    assert isinstance(view, ParisView)
    return view


def drawn(view: ParisView, names: tuple[str, ...] = NAMES, **more: Any) -> list[Mark]:
    with recording() as marks:
        painter(KEY).board(view, names, **more)
    return marks


def boxes(marks: list[Mark], kind: str) -> dict[str, tuple[int, int, int, int]]:
    return {m.name: m.box for m in marks if m.kind == kind}


def meet(a: tuple[int, int, int, int], b: tuple[int, int, int, int], slack: int = 0) -> bool:
    return min(a[2], b[2]) - max(a[0], b[0]) > slack and min(a[3], b[3]) - max(a[1], b[1]) > slack


# ---- layout ----------------------------------------------------------------------------------


def test_names_are_clear_of_each_other_and_of_shops_tiles_badges() -> None:
    marks = drawn(seen(2, 0))
    names, places, tiles = (boxes(marks, kind) for kind in ("name", "place", "tiles"))
    badges = boxes(marks, "badge")
    assert len(names) == len(places) == len(tiles) == 25
    assert len(badges) == 5
    for one, two in combinations(names, 2):
        assert not meet(names[one], names[two]), (one, two)
    for key, box in names.items():
        assert box[0] >= 0
        assert box[2] <= WIDTH
        assert MAP[1] <= box[1] < box[3] <= MAP[3]
        others = {
            **{f"place {k}": v for k, v in places.items()},
            **{f"tiles {k}": v for k, v in tiles.items()},
            **{f"badge {k}": v for k, v in badges.items()},
            "P row": P_ROW,
            "info": INFO,
        }
        for what, other in others.items():
            assert not meet(box, other), (key, what)


def test_names_are_clear_of_lines() -> None:
    stroke = 9
    for key, spot in spots().items():
        x0, y0, x1, y1 = spot.name_box
        for line in board().lines.values():
            for (ax, ay), (bx, by) in pairwise(ground.path(line)):
                on = [(ax + (bx - ax) * i / 200, ay + (by - ay) * i / 200) for i in range(201)]
                assert not any(
                    x0 - stroke < x < x1 + stroke and y0 - stroke < y < y1 + stroke for x, y in on
                ), (key, line.colour)


def test_tiles_have_room_for_four_and_shops_for_two() -> None:
    marks = drawn(seen(2, 0))
    tiles, places, badges = (boxes(marks, kind) for kind in ("tiles", "place", "badge"))
    for one, two in combinations(tiles, 2):
        assert not meet(tiles[one], tiles[two], 1), (one, two)
        assert not meet(places[one], places[two]), (one, two)
    for key, box in tiles.items():
        assert box[0] >= 0
        assert box[2] <= WIDTH
        assert not any(meet(box, places[o], 2) for o in places if o != key), key
        assert not any(meet(box, b) for b in (*badges.values(), P_ROW, INFO)), key
    full = msgspec.structs.replace(
        seen(4, 5), face_up=("odeon/grey", "odeon/orange", "odeon/grey", "odeon/orange")
    )
    found = [m for m in drawn(full) if m.kind == "tile"]
    assert len(found) == 4
    assert len({m.box for m in found}) == 4


def test_names_are_large_enough_for_a_phone() -> None:
    assert type.cap_height(26) + 7 >= 22
    assert WIDTH == 1200
    assert HEIGHT <= 1100


@pytest.mark.parametrize(("seats", "moves"), [(2, 7), (2, 99), (3, 20), (3, 99), (4, 31), (4, 99)])
def test_no_text_leaves_the_picture(seats: int, moves: int) -> None:
    for mark in drawn(seen(seats, moves), names=("W" * 60, "Ж" * 60, "i", "🔥")):
        if mark.kind in ("header", "panel", "text", "p row", "footnote", "name", "points"):
            x0, y0, x1, y1 = mark.box
            assert x0 >= 0, mark
            assert y0 >= 0, mark
            assert x1 <= WIDTH, mark
            assert y1 <= HEIGHT, mark
        if mark.kind == "p row":
            assert mark.box[2] <= P_ROW[2]


# ---- content ---------------------------------------------------------------------------------


def test_shows_every_shop_tile_and_marker() -> None:
    view = seen(3, 23)
    marks = drawn(view)
    assert sum(m.kind == "shop" for m in marks) == sum(len(o) for _, o in view.shops)
    assert sorted(m.name for m in marks if m.kind == "tile") == sorted(view.face_up)
    assert {m.name for m in marks if m.kind == "marker"} == {"0", "1", "2"}
    for m in marks:
        if m.kind == "shop":
            assert meet(m.box, spots()[m.name].place)


def test_marks_candidate_moves() -> None:
    view = msgspec.structs.replace(
        seen(3, 23),
        shops=(("odeon", (0, 1)), ("louvre", (2,))),
        face_up=("odeon/grey", "louvre/blue"),
    )
    moves = [
        OpenBusiness("odeon/grey", "grey"),
        OpenBusiness("odeon/grey", "violet"),
        OpenBusiness("louvre/blue"),
        OpenBusiness("pigalle/red"),
    ]
    marks = drawn(view, moves=moves)
    assert [m.name for m in marks if m.kind == "candidate"] == ["odeon/grey", "louvre/blue"]
    plain = render_board(KEY, view, NAMES).data
    assert render_board(KEY, view, NAMES, moves).data != plain


TOURS = [
    (),
    (Tour("small", "louvre", (("louvre", 0, 1),)),),
    (Tour("small", "odeon", ()),),
    (Tour("small", "odeon", (("odeon", 0, 1), ("odeon", 1, 1))),),
    (
        Tour("small", "louvre", (("louvre", 0, 1),)),
        Tour("grand", "grey", (("odeon", 0, 3), ("odeon", 1, 1))),
    ),
    (Tour("grand", "red", ()),),
    tuple(Tour("special", c, (("odeon", 1, 5),), i) for i, c in enumerate(board().lines)),
]


@pytest.mark.parametrize("tours", TOURS)
@pytest.mark.parametrize("openers", [(), (1,)])
def test_every_highlight_renders(tours: tuple[Tour, ...], openers: tuple[int, ...]) -> None:
    view = msgspec.structs.replace(
        seen(3, 9), shops=(("louvre", (0,)), ("odeon", (0, 1))), tours=tours, openers=openers
    )
    marks = drawn(view)
    shown = {m.name for m in marks if m.kind == "points"}
    expected = {s for t in tours for s, _, _ in t.points} if not openers else set()
    assert shown == expected
    assert fresh_tours(view) == (() if openers else tours)
    small = [t for t in tours if t.kind == "small" and not openers]
    assert [m.name for m in marks if m.kind == "bus"] == [t.where for t in small]


@pytest.mark.parametrize(
    "last",
    [None, Opening(0, "louvre/blue"), Opening(0, "odeon/grey", 1, "sack"),
     Opening(1, "odeon/grey", 1, "supply"), Opening(2, "pigalle/red", 0, "sack")],
)  # fmt: skip
def test_every_last_opening_renders(last: Opening | None) -> None:
    view = msgspec.structs.replace(
        seen(3, 10), shops=(("louvre", (0,)), ("odeon", (0, 1))), last=last
    )
    assert len(render_board(KEY, view, NAMES).data) <= LIMIT


def test_score_goes_round_the_track() -> None:
    view = msgspec.structs.replace(seen(4, 10), scores=(45, 46, 138, 0))
    marks = [m for m in drawn(view) if m.kind == "marker"]
    assert [m.name for m in marks] == ["0", "1", "2", "3"]
    where = {m.name: ((m.box[0] + m.box[2]) // 2 - 25, (m.box[1] + m.box[3]) // 2) for m in marks}
    assert where["0"][0] // 50 == 22
    assert where["1"][0] // 50 == where["2"][0] // 50 == where["3"][0] // 50 == 0
    assert where["0"][1] > where["1"][1] + 40


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_winners_are_those_of_the_rules(seats: int) -> None:
    for seed in ("00", "01", "02"):
        state = position(KEY, seats, 99, seed)
        outcome = game(KEY).outcome(state)
        assert outcome is not None
        assert winners(game(KEY).view(state, None)) == tuple(sorted(outcome.ranking[0]))


def test_shared_victory_names_everybody() -> None:
    view = msgspec.structs.replace(seen(3, 99), scores=(30, 30, 30), shops=())
    assert winners(view) == (0, 1, 2)
    assert any(m.name.endswith("share the victory with 30") for m in drawn(view))


def test_public_pictures_do_not_depend_on_secrets() -> None:
    state = position(KEY, 3, 20)
    public = render_board(KEY, game(KEY).view(state, None), NAMES).data
    other = state.clone()
    other.markers = tuple(reversed(state.markers))
    assert render_board(KEY, game(KEY).view(other, None), NAMES).data == public
    mine = [render_board(KEY, game(KEY).view(s, 0), NAMES).data for s in (state, other)]
    assert (mine[0] == mine[1]) == (state.markers[0] == other.markers[0])


def test_hand_shows_the_marker_of_its_viewer_alone() -> None:
    assert render_hand(KEY, seen(3, 4), NAMES) is None
    pictures = [render_hand(KEY, seen(4, 4, seat), NAMES) for seat in range(4)]
    assert len({p.data for p in pictures if p is not None}) == 4
    for colour in board().lines:
        view = msgspec.structs.replace(seen(3, 4, 0), my_marker=colour)
        with recording() as marks:
            assert painter(KEY).hand(view, NAMES) is not None
        assert all(m.box[0] >= 12 and m.box[2] <= 888 for m in marks), colour


# ---- bytes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "moves"), [(2, 30), (3, 99), (4, 40)])
def test_small_and_repeatable(seats: int, moves: int) -> None:
    view = seen(seats, moves)
    first = render_board(KEY, view, NAMES)
    assert first.width == WIDTH
    assert len(first.data) <= LIMIT
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(view), type=ParisView)
    assert render_board(KEY, again, NAMES).data == first.data
    sprites._store.clear()
    type._words.clear()
    ground._grounds.clear()
    assert render_board(KEY, again, NAMES).data == first.data


def test_two_threads_draw_the_same_bytes() -> None:
    views = [seen(2, 30), seen(3, 45), seen(4, 12), seen(4, 99)]
    alone = [render_board(KEY, view, NAMES).data for view in views]
    wrong: list[int] = []

    def work() -> None:
        for i in range(20):
            if render_board(KEY, views[i % 4], NAMES).data != alone[i % 4]:
                wrong.append(i)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize(
    ("name", "seats", "moves"), [("paris_middle", 4, 21), ("paris_end", 3, 99)]
)
def test_looks_as_before(name: str, seats: int, moves: int) -> None:
    golden(name, render_board(KEY, seen(seats, moves), NAMES))
