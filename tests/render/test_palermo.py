"""The Palermo board as a picture."""

from __future__ import annotations

import random
import threading
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from engines.core.play import start
from engines.palermo import GAME
from engines.palermo.components import NAMES as CELLS
from engines.palermo.components import SPACES, TILES
from engines.palermo.moves import (
    BuildDoor,
    Collect,
    Finish,
    MoveCell,
    PlaceStart,
    PoliceCell,
    Step,
)
from engines.palermo.views import PalermoView, preview
from render import painter, render_board
from render.kit.canvas import Mark, recording
from render.kit.encode import LIMIT
from render.kit.palette import closest
from render.palermo import painter as drawing
from render.palermo.colours import SEATS
from render.palermo.layout import BOTTOM, CELL, HEIGHT, LEFT, TOP, WIDTH, middle_of
from tests.engines.palermo.players import eager
from tests.engines.palermo.positions import BLUE, GREEN, RED, city, does, on
from tests.render.shots import golden

KEY = "palermo"
NAMES = ("Anna", "Maximilian von und zu Hohenstein-Lindenberg", "🦊 Cléo", "田中さん", "Öz")


@cache
def state(seats: int, moves: int) -> Any:
    """After so many moves of players who want to collect."""
    rand = random.Random(seats)
    found, _ = start(GAME, seats, {"youngest": 1})
    for _ in range(moves):
        if found.ended is not None:
            break
        seat = found.acting
        GAME.apply(found, seat, eager(found, list(GAME.legal(found, seat)), rand))
    return found


def seen(seats: int, moves: int, viewer: int | None = None) -> PalermoView:
    view = GAME.view(state(seats, moves), viewer)
    assert isinstance(view, PalermoView)
    return view


def drawn(view: PalermoView, names: tuple[str, ...] = NAMES, **more: Any) -> list[Mark]:
    with recording() as marks:
        painter(KEY).board(view, names, **more)
    return marks


def meet(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> bool:
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])


STAGES = [(3, 0), (3, 12), (3, 40), (3, 999), (4, 20), (4, 60), (5, 1), (5, 22), (5, 70), (5, 999)]


@pytest.mark.parametrize(("seats", "moves"), STAGES)
def test_words_stay_inside_and_clear_of_each_other(seats: int, moves: int) -> None:
    drawing._empty_board.cache_clear()
    drawing._town.cache_clear()
    names = ("W" * 60, "Ж" * 60, "i", "🔥", "Quetzalcóatl der Große")
    words = [
        m for m in drawn(seen(seats, moves), names)
        if m.kind in ("header", "panel", "strip", "coordinate", "footnote")
    ]  # fmt: skip
    assert sum(m.kind == "coordinate" for m in words) == 18
    for one in words:
        x0, y0, x1, y1 = one.box
        assert 0 <= x0 <= x1 <= WIDTH, one
        assert 0 <= y0 <= y1 <= HEIGHT, one
    for one, two in combinations(words, 2):
        assert not meet(one.box, two.box), (one, two)


def test_coordinates_are_those_of_the_commands() -> None:
    """A cell's place on the picture follows from its letter, number and quarter."""
    assert middle_of("A1nw") == (LEFT + CELL * 1.5, TOP + CELL * 1.5)
    assert middle_of("F6se") == (LEFT + CELL * 12.5, TOP + CELL * 12.5)
    assert middle_of("R1") == (LEFT + CELL / 2, TOP + CELL / 2)
    assert middle_of("R27") == (LEFT + CELL * 13.5, TOP + CELL * 13.5)
    assert len({middle_of(name) for name in CELLS}) == 196
    assert TOP + 14 * CELL == BOTTOM
    assert CELL / 3 >= 24, "pixels of a cell on a phone"


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_all_pieces_are_there_with_their_letters(seats: int) -> None:
    view = seen(seats, 90)
    assert view.walking
    marks = drawn(view)
    letters = ["RBGYK"[s] for s in range(seats)]
    assert sorted(m.name for m in marks if m.kind == "pawn") == sorted(letters)
    stones = sorted(m.name for m in marks if m.kind == "stone")
    assert stones == sorted(letters[s] for s in range(seats) if view.stones[s])
    chips = sorted(m.name for m in marks if m.kind == "chip")
    assert chips == sorted(letters[o] for o in view.chips if o >= 0)
    assert chips


def test_pieces_lie_on_their_cells() -> None:
    position = on(city(), RED, pawns={RED: "C2nw", BLUE: "R20"}, stones={GREEN: "R33"})
    marks = drawn(GAME.view(position, None))
    places = {(m.kind, m.name): m.box for m in marks}
    for piece, cell in ((("pawn", "R"), "C2nw"), (("pawn", "B"), "R20"), (("stone", "G"), "R33")):
        x, y = middle_of(cell)
        x0, y0, x1, y1 = places[piece]
        assert x0 <= x <= x1, piece
        assert y0 <= y <= y1, piece
        assert x1 - x0 <= CELL
    fountain = places["pawn", "G"]
    assert LEFT + 5 * CELL - 10 < fountain[0] < LEFT + 7 * CELL


def test_a_chip_stays_visible_under_a_stone_and_a_pawn() -> None:
    position = on(city(), GREEN, pawns={RED: "B3se"}, stones={GREEN: "C1sw"})
    marks = drawn(GAME.view(position, None))
    for kind, name, at in (("pawn", "R", "B3se"), ("stone", "G", "C1sw")):
        x, y = middle_of(at)
        piece = next(m.box for m in marks if m.kind == kind and m.name == name)
        chip = min(
            (m.box for m in marks if m.kind == "chip"),
            key=lambda b: abs((b[0] + b[2]) / 2 - x) + abs((b[1] + b[3]) / 2 - y),
        )
        apart = abs(chip[0] + chip[2] - piece[0] - piece[2]) / 2 + (
            abs(chip[1] + chip[3] - piece[1] - piece[3]) / 2
        )
        assert apart >= 30


def test_exactly_one_move_draws_its_way() -> None:
    position = on(city(), GREEN)
    view = GAME.view(position, GREEN)
    for move in (Collect("C2sw"), MoveCell("C2nw", "ne"), Step("C3nw")):
        shown = preview(view, GREEN, move)
        assert shown is not None
        path = shown.trail or (shown.trip.path if shown.trip else ())
        walks = [m.name for m in drawn(view, moves=[move]) if m.kind == "walk"]
        assert walks == ([" ".join(path)] if len(path) > 1 else [])
        assert [m.name for m in drawn(view, moves=[move]) if m.kind == "target"] == [path[-1]]
    stone = drawn(view, moves=[PoliceCell("R14")])
    assert [m.name for m in stone if m.kind == "target"] == ["R14"]
    home = on(city(), RED, pawns={RED: "C4ne"}, taken={RED: 11})
    marks = drawn(GAME.view(home, RED), moves=[Finish()])
    assert [m.name for m in marks if m.kind == "walk"] == ["C4ne C3se"]


def test_the_last_walk_is_drawn_for_everybody() -> None:
    after = does(on(city(), GREEN), Collect("C2sw")).state
    marks = drawn(GAME.view(after, None))
    assert [m.name for m in marks if m.kind == "walk"] == ["C3nw C2sw"]


def test_several_moves_mark_their_ends() -> None:
    position = on(city(), RED, pawns={RED: "C1sw"}, taken={RED: 1}, gone={RED: ["C1sw"]})
    moves = [m for m in GAME.legal(position, RED) if isinstance(m, MoveCell)]
    marks = drawn(GAME.view(position, RED), moves=moves)
    targets = sorted(m.name for m in marks if m.kind == "target")
    assert targets == sorted(m.cell for m in moves)
    police = [m for m in GAME.legal(position, RED) if isinstance(m, PoliceCell)]
    marks = drawn(GAME.view(position, RED), moves=police)
    assert len([m for m in marks if m.kind == "target"]) == len(police)


def test_building_moves_are_marked() -> None:
    position = state(3, 9)
    seat = position.acting
    moves = [m for m in GAME.legal(position, seat) if isinstance(m, BuildDoor)]
    view = GAME.view(position, seat)
    marks = drawn(view, moves=moves)
    assert {m.name for m in marks if m.kind == "target"} == {m.space for m in moves}
    marks = drawn(view, moves=moves[:1])
    assert [m.name for m in marks if m.kind == "target"] == [moves[0].space]
    before = drawn(view)
    assert sum(m.kind == "chip" for m in marks) == sum(m.kind == "chip" for m in before) + 1
    fresh, _ = start(GAME, 3, {"youngest": 1})
    starts = [PlaceStart(s) for s in SPACES]
    marks = drawn(GAME.view(fresh, 0), moves=starts)
    assert {m.name for m in marks if m.kind == "target"} == set(SPACES)


@pytest.mark.parametrize(("seats", "moves"), STAGES)
def test_size_and_equal_pixels(seats: int, moves: int) -> None:
    view = seen(seats, moves)
    one = render_board(KEY, view, NAMES)
    assert one.width == WIDTH
    assert len(one.data) <= LIMIT
    assert render_board(KEY, seen(seats, moves), NAMES).data == one.data


def test_threads_draw_the_same() -> None:
    views = [seen(3, 40), seen(5, 70), seen(4, 20)]
    plain = [render_board(KEY, view, NAMES).data for view in views]
    found: dict[int, list[bytes]] = {}

    def work(number: int) -> None:
        found[number] = [render_board(KEY, view, NAMES).data for view in views]

    threads = [threading.Thread(target=work, args=(n,)) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {0: plain, 1: plain}


def test_colours_can_be_told_apart() -> None:
    pair = closest(SEATS)
    assert pair.distance >= 15, pair
    assert set(SEATS) == set(GAME.meta.colours)


def test_every_tile_can_be_drawn() -> None:
    """Each tile on a space of its own, doorways and all."""
    names = [name for name in TILES if name not in ("start",)]
    view = seen(3, 0)
    import msgspec

    tiles = [*names, *[""] * (36 - len(names))]
    owners = [0 if name and TILES[name].door >= 0 else -1 for name in tiles]
    full = msgspec.structs.replace(
        view, tiles=tuple(tiles), chips=tuple(owners), builders=tuple(owners)
    )
    marks = drawn(full)
    assert sum(m.kind == "chip" for m in marks) == 24


@pytest.mark.parametrize(
    ("name", "seats", "moves"),
    [("palermo_building", 4, 18), ("palermo_walking", 5, 75), ("palermo_end", 3, 999)],
)
def test_golden(name: str, seats: int, moves: int) -> None:
    golden(name, render_board(KEY, seen(seats, moves), NAMES))
