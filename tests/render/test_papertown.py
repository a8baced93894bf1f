"""The paper city as a picture."""

from __future__ import annotations

import threading
from functools import cache
from itertools import combinations
from typing import Any

import msgspec
import pytest

from engines.core.play import play, start
from engines.core.registry import game
from engines.papertown.grid import NAMES as CELLS
from engines.papertown.grid import SPOTS
from engines.papertown.moves import BuyBank, Claim, DrawBlocks, Place, SpendMeeple
from engines.papertown.views import Cell, PaperView
from render import painter, render_board, render_hand
from render.kit import sprites, type
from render.kit.canvas import HEADER, WIDTH, Mark, recording
from render.kit.encode import LIMIT
from render.papertown.colours import KINDS, SEATS
from render.papertown.layout import fit_city
from render.papertown.painter import MOST, _name_size, _won
from tests.render.shots import golden

KEY = "papertown"
NAMES = ("Anna", "Maximilian von und zu Hohenstein-Lindenberg", "🦊 Cléo", "田中さん")
SETS: list[tuple[int, str]] = [(1, "ffa"), (2, "ffa"), (3, "ffa"), (4, "ffa"), (4, "pairs")]


@cache
def state_of(seats: int, mode: str, turns: int, phase: str = "", seed: str = "0007") -> Any:
    """A match of sensible moves after so many turns, in a phase if one is named."""
    rules = game(KEY)
    state, _ = start(rules, seats, {"mode": mode}, seed=seed)
    while state.ended is None and (state.turns < turns or (phase and state.phase != phase)):
        state = play(rules, state, state.turn, rules.safest(state, state.turn)).state
    return state


def seen(
    seats: int, mode: str = "ffa", turns: int = 14, viewer: int | None = None, phase: str = ""
) -> PaperView:
    view = game(KEY).view(state_of(seats, mode, turns, phase), viewer)
    assert isinstance(view, PaperView)
    return view


def drawn(view: PaperView, names: tuple[str, ...] = NAMES, **more: Any) -> list[Mark]:
    with recording() as marks:
        painter(KEY).board(view, names, **more)
    return marks


def named(marks: list[Mark], kind: str) -> list[str]:
    return [m.name for m in marks if m.kind == kind]


def meet(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> bool:
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])


def city_of(cells: list[tuple[int, int]]) -> PaperView:
    """A view with these cells in the city, kinds in turn."""
    view = seen(4)
    ordered = sorted(cells)
    made = tuple(Cell(CELLS[c], "CGRIPL"[i % 6], "", i % 4) for i, c in enumerate(ordered))
    return msgspec.structs.replace(view, cells=made, last=None, placed="")


SPRAWLS: dict[str, list[tuple[int, int]]] = {
    "diagonal down": [(i, i) for i in range(-20, 20)],
    "diagonal across": [(i, -i) for i in range(-20, 20)],
    "street": [(i, 0) for i in range(-2, 39)],
    "block": [(x, y) for x in range(-3, 4) for y in range(-3, 3)],
    "single": [(0, 0)],
}


# ---- layout ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "mode"), SETS)
@pytest.mark.parametrize("turns", [0, 12, 99])
def test_shows_every_cell_meeple_and_open_cell(seats: int, mode: str, turns: int) -> None:
    view = seen(seats, mode, turns)
    marks = drawn(view)
    cells = [c.name for c in view.cells]
    assert sorted(named(marks, "cell")) == sorted(cells)
    assert sorted(named(marks, "name")) == sorted(cells)
    people = [c.name for c in view.cells if c.meeple is not None]
    assert sorted(named(marks, "meeple")) == sorted(people)
    around = {n for c in cells for n in SPOTS[c].around} - set(cells)
    assert sorted(named(marks, "lot")) == sorted(around)
    assert "".join(named(marks, "stock")).count("P") == ("P" in view.bank) + (view.hand == "P")


@pytest.mark.parametrize(("seats", "mode"), SETS)
@pytest.mark.parametrize("turns", [0, 12, 99])
def test_names_of_cells_never_meet(seats: int, mode: str, turns: int) -> None:
    marks = [m for m in drawn(seen(seats, mode, turns)) if m.kind in ("name", "lot")]
    for one, two in combinations(marks, 2):
        assert not meet(one.box, two.box), (one, two)


@pytest.mark.parametrize("shape", list(SPRAWLS))
def test_any_city_fits(shape: str) -> None:
    """Every cell and every name stays inside the mat, however the city sprawls."""
    view = city_of(SPRAWLS[shape])
    with recording() as marks:
        image = painter(KEY).board(view, NAMES)
    boxes = [m.box for m in marks if m.kind in ("cell", "lot", "name")]
    assert min(b[0] for b in boxes) >= 0
    assert max(b[2] for b in boxes) <= WIDTH
    assert min(b[1] for b in boxes) >= HEADER
    assert image.width == WIDTH
    assert image.height <= HEADER + MOST + 560
    low = max(b[3] for b in boxes)
    assert low <= min(m.box[1] for m in marks if m.kind == "panel")


@pytest.mark.parametrize(("seats", "mode"), SETS)
def test_names_can_be_read_on_a_phone(seats: int, mode: str) -> None:
    """At a third of the size capitals are still five pixels high, in the fullest cities, too."""
    for seed in ("0001", "0002", "0003"):
        state = state_of(seats, mode, 99, seed=seed)
        city = fit_city([*state.shown, *state.sealed], (8, 0, WIDTH - 8, MOST))
        assert type.cap_height(_name_size(city)) >= 15


def test_cells_lie_as_the_rules_say() -> None:
    """x + 1 is lower right, y + 1 lower left; a cell keeps its size in one picture."""
    city = fit_city(["M51", "N50", "O49"], (0, 0, 1200, 700))
    (x, y), right, left = city.at("N50"), city.at("O50"), city.at("N51")
    assert right == (x + city.w / 2, y + city.h / 2)
    assert left == (x - city.w / 2, y + city.h / 2)
    assert city.at("M51")[1] == y == city.at("O49")[1], "the first three form a horizontal line"


@pytest.mark.parametrize(("seats", "mode"), SETS)
@pytest.mark.parametrize("turns", [9, 99])
def test_no_text_leaves_the_picture(seats: int, mode: str, turns: int) -> None:
    with recording() as marks:
        image = painter(KEY).board(seen(seats, mode, turns), ("W" * 60, "Ж" * 60, "i", "🔥"))
    for m in marks:
        x0, y0, x1, y1 = m.box
        assert x0 >= 0, m
        assert y0 >= 0, m
        assert x1 <= WIDTH, m
        assert y1 <= image.height, m


@pytest.mark.parametrize(("seats", "mode"), SETS)
def test_panel_texts_do_not_meet(seats: int, mode: str) -> None:
    marks = [m for m in drawn(seen(seats, mode, 99)) if m.kind in ("panel", "card", "legend")]
    for one, two in combinations(marks, 2):
        assert not meet(one.box, two.box), (one, two)


# ---- marks -----------------------------------------------------------------------------------


def test_marks_where_the_block_may_go() -> None:
    state = state_of(2, "ffa", 8, "place")
    moves = game(KEY).legal(state, state.turn)
    marks = drawn(game(KEY).view(state, state.turn), moves=moves)
    assert sorted(named(marks, "candidate")) == sorted(m.cell for m in moves)
    assert named(drawn(game(KEY).view(state, state.turn)), "candidate") == []


def test_marks_covers_and_seals_apart() -> None:
    view = seen(3, turns=14, viewer=0)
    here = [c.name for c in view.cells if c.kind][:2]
    marks = drawn(view, moves=[Place(here[0]), Claim("CN06", here[1])])
    assert sorted(named(marks, "pill")) == sorted(here)


@pytest.mark.parametrize("seats", [1, 2])
def test_marks_blocks_to_take(seats: int) -> None:
    view = msgspec.structs.replace(seen(seats, turns=5, phase="choose"), bank="CCL", hand="")
    plain = render_board(KEY, view, NAMES).data
    assert render_board(KEY, view, NAMES, [BuyBank("L")]).data != plain
    if seats == 1:
        assert render_board(KEY, view, NAMES, [SpendMeeple("G")]).data != plain


def test_frames_the_latest_block_and_what_it_completed() -> None:
    for turns in range(6, 30):
        view = seen(2, turns=turns)
        if view.last is not None and view.last.claims:
            framed = named(drawn(view), "frame")
            assert sorted(framed) == sorted({view.last.cell, *view.last.claims[0][1]})
            return
    raise AssertionError("no claim in thirty turns")


@pytest.mark.parametrize(("seats", "mode"), SETS[1:])
def test_the_crown_is_the_winners(seats: int, mode: str) -> None:
    state = state_of(seats, mode, 99)
    outcome = game(KEY).outcome(state)
    view = game(KEY).view(state, None)
    assert outcome is not None
    assert tuple(s for s in range(seats) if _won(view, s)) == outcome.ranking[0]


# ---- colours ---------------------------------------------------------------------------------


def test_meeples_differ_in_grey_scale_by_what_stands_on_them() -> None:
    """Two colours may look alike; the number on the figure never does."""
    grey = {
        name: sprites.meeple(colour, 60, str(i)).convert("L").tobytes()
        for i, (name, colour) in enumerate(SEATS.items())
    }
    assert len(set(grey.values())) == 4
    plain = [
        sprites.meeple((150, 150, 150), 60, t).convert("L").tobytes() for t in ("1", "2", "3", "4")
    ]
    assert len(set(plain)) == 4


def test_an_objective_tile_is_darker_than_every_block() -> None:
    from render.kit.palette import luminance
    from render.papertown.colours import SEAL

    assert min(luminance(c) for c in KINDS.values()) > 5 * luminance(SEAL)


# ---- secrets ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "mode"), [(2, "ffa"), (4, "pairs")])
def test_public_pictures_do_not_depend_on_secrets(seats: int, mode: str) -> None:
    state = state_of(seats, mode, 10)
    other = state.clone()
    other.structures = other.structures[1:] + other.structures[:1]
    other.stack = other.stack[::-1]
    for viewer in (None, 0):
        mine = other.clone()
        if viewer is not None:
            mine.structures = state.structures[:1] + state.structures[:0:-1]
        one, two = (render_board(KEY, game(KEY).view(s, viewer), NAMES).data for s in (state, mine))
        assert one == two


def test_hands() -> None:
    """Only the owner gets one; a swap shows three tiles, drawn Blocks are shown, too."""
    assert render_hand(KEY, seen(2), NAMES) is None
    assert render_hand(KEY, seen(1, viewer=0), NAMES) is None
    pictures = [render_hand(KEY, seen(4, viewer=seat), NAMES) for seat in range(4)]
    assert len({p.data for p in pictures if p is not None}) == 4
    view = seen(2, turns=4, viewer=0, phase="choose")
    one = render_hand(KEY, view, NAMES)
    three = render_hand(
        KEY,
        msgspec.structs.replace(view, phase="keep_great_structure", drawn_tiles=("GS11", "GS12")),
        NAMES,
    )
    blocks = render_hand(KEY, msgspec.structs.replace(view, drawn_blocks="LP"), NAMES)
    assert one is not None
    assert three is not None
    assert blocks is not None
    assert three.width > 2 * one.width
    assert blocks.height > one.height
    none = msgspec.structs.replace(view, structures=((), ()))
    assert render_hand(KEY, none, NAMES) is None


# ---- bytes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "mode"), SETS)
def test_small_and_repeatable(seats: int, mode: str) -> None:
    view = seen(seats, mode, 99)
    first = render_board(KEY, view, NAMES)
    assert (first.width, first.ext) == (WIDTH, "png")
    assert len(first.data) <= LIMIT
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(view), type=PaperView)
    sprites._store.clear()
    type._words.clear()
    assert render_board(KEY, again, NAMES).data == first.data


def test_two_threads_draw_the_same_bytes() -> None:
    views = [seen(2), seen(3, turns=20), seen(4, turns=99), seen(1, turns=9)]
    alone = [render_board(KEY, view, NAMES).data for view in views]
    wrong: list[int] = []

    def work() -> None:
        for i in range(12):
            if render_board(KEY, views[i % 4], NAMES).data != alone[i % 4]:
                wrong.append(i)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize(
    ("name", "seats", "mode", "turns"),
    [
        ("papertown_middle", 3, "ffa", 15),
        ("papertown_end", 4, "ffa", 99),
        ("papertown_pairs", 4, "pairs", 12),
        ("papertown_solo", 1, "ffa", 9),
    ],
)
def test_looks_as_before(name: str, seats: int, mode: str, turns: int) -> None:
    golden(name, render_board(KEY, seen(seats, mode, turns), NAMES))


def test_every_phase_renders() -> None:
    rules = game(KEY)
    state = state_of(2, "ffa", 4, "choose")
    drawing = play(rules, state, state.turn, DrawBlocks()).state
    assert drawing.phase == "keep_block"
    mine = drawn(rules.view(drawing, drawing.turn), moves=rules.legal(drawing, drawing.turn))
    public = drawn(rules.view(drawing, None))
    assert len(named(mine, "stock")) == len(named(public, "stock")) + 2
    for move in rules.legal(state, state.turn):
        after = play(rules, state, state.turn, move).state
        for viewer in (None, state.turn):
            marks = drawn(rules.view(after, viewer), moves=rules.legal(after, state.turn))
            assert len(named(marks, "cell")) == len(after.shown) + len(after.sealed)
