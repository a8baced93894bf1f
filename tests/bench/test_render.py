"""Time to draw and encode a board, against encoding a blank picture of the same size."""

from __future__ import annotations

from collections.abc import Callable
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


def fastest(*works: Callable[[], object], rounds: int = 15) -> list[float]:
    """The fastest call of each in milliseconds, taken in turns so that all meet the same load."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for work, list_ in zip(works, times, strict=True):
            began = perf_counter()
            work()
            list_.append((perf_counter() - began) * 1000)
    return [min(list_) for list_ in times]


@pytest.mark.parametrize("key", ["paris_paris"])
def test_a_warm_board(key: str) -> None:
    rules = game(key)
    for seats in rules.meta.seats:
        for moves in (0, 20, 99):
            view = rules.view(position(key, seats, moves), None)
            picture = render_board(key, view, NAMES)
            blank = Image.new("RGB", (picture.width, picture.height), PAPER)
            drawing, whole, empty = fastest(
                lambda view=view: painter(key).board(view, NAMES),  # type: ignore[misc]
                lambda view=view: render_board(key, view, NAMES),  # type: ignore[misc]
                lambda blank=blank: encode(blank, key),  # type: ignore[misc]
            )
            print(
                f"{key} {seats} seats, move {moves}: draw {drawing:.1f} ms, with encoding "
                f"{whole:.1f} ms, blank {empty:.1f} ms, ratio {whole / empty:.2f}, "
                f"{len(picture.data) / 1000:.0f} KB"
            )
            assert whole <= 60
            assert whole <= 4 * empty
            assert len(picture.data) <= LIMIT
