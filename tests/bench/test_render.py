"""Time to draw and encode a board, against encoding a blank picture of the same size."""

from __future__ import annotations

from time import perf_counter

import pytest
from PIL import Image

from engines.core.registry import game
from render import painter, render_board
from render.kit.encode import LIMIT, encode
from render.kit.palette import PAPER
from tests.render.shots import position

pytestmark = pytest.mark.bench
NAMES = ("Anna", "Bob", "Cora", "Dan", "Eve")


def best(work: object, rounds: int = 15) -> float:
    """The fastest of several calls, in milliseconds."""
    assert callable(work)
    times = []
    for _ in range(rounds):
        began = perf_counter()
        work()
        times.append((perf_counter() - began) * 1000)
    return min(times)


@pytest.mark.parametrize("key", ["paris_paris"])
def test_a_warm_board(key: str) -> None:
    rules = game(key)
    for seats in rules.meta.seats:
        for moves in (0, 20, 99):
            view = rules.view(position(key, seats, moves), None)
            picture = render_board(key, view, NAMES)
            blank = Image.new("RGB", (picture.width, picture.height), PAPER)
            drawing = best(lambda view=view: painter(key).board(view, NAMES))
            whole = best(lambda view=view: render_board(key, view, NAMES))
            empty = best(lambda blank=blank: encode(blank, key))
            print(
                f"{key} {seats} seats, move {moves}: draw {drawing:.1f} ms, with encoding "
                f"{whole:.1f} ms, blank {empty:.1f} ms, ratio {whole / empty:.2f}, "
                f"{len(picture.data) / 1000:.0f} KB"
            )
            assert whole <= 60
            assert whole <= 4 * empty
            assert len(picture.data) <= LIMIT
