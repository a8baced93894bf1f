"""Budgets of the engines (design, section 8): ``pytest -m bench -s tests/bench/test_engines.py``.

A shared machine is never quiet, so each figure is taken against a calibration loop of plain Python
that ran in the same seconds, and the best of several rounds counts. ``QUIET`` is what that loop
does on the machine on which the budgets were set; figures are scaled to it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import msgspec
import pytest

from engines.core.play import play, start
from engines.core.registry import games
from engines.core.types import State, pack, state_hash
from tests.conformance.hooks import hook

pytestmark = pytest.mark.bench

QUIET = 6_000_000
"""Turns of the calibration loop in a second on a quiet machine."""

MOVES = 20_000
"""Random moves a second, ``legal`` and ``apply`` included, on a quiet machine (tile games)."""

CLONE = 100e-6
"""Seconds for a clone of a position in mid-game."""


def seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def calibrate(turns: int = 200_000) -> float:
    """Turns a second of a loop with the things engines do: calls, dicts, lists, comparisons."""

    def one(found: dict[int, int], number: int) -> int:
        found[number & 63] = number
        return found.get(number & 31, 0)

    def loop() -> int:
        found: dict[int, int] = {}
        total = 0
        for number in range(turns):
            if one(found, number) > total:
                total += 1
        return total

    return turns / seconds(loop)


def playouts(key: str, matches: int) -> int:
    """Random matches by legal and apply alone; the number of moves."""
    game, moves = games()[key], 0
    for number in range(matches):
        seats = game.meta.seats[number % len(game.meta.seats)]
        state, _ = start(game, seats, seed=f"{number:04x}")
        rand = random.Random(number)
        while state.ended is None:
            seat = game.waiting(state)[0]
            found = game.legal(state, seat)
            game.apply(state, seat, found[int(rand.random() * len(found))])
            moves += 1
    return moves


def middle(key: str) -> State:
    """A position in the middle of a random match of the most players."""
    game = games()[key]
    found: list[State] = []
    state, _ = start(game, max(game.meta.seats), seed="5a")
    rand = random.Random(5)
    while state.ended is None:
        found.append(state)
        seat = game.waiting(state)[0]
        state = play(game, state, seat, rand.choice(list(game.legal(state, seat)))).state
    return found[len(found) // 2]


@pytest.mark.parametrize("key", list(games()))
def test_random_playouts(key: str) -> None:
    playouts(key, 2)
    best = 0.0
    for number in range(5):
        speed = calibrate()
        begin = time.perf_counter()
        moves = playouts(key, 20 + number)
        rate = moves / (time.perf_counter() - begin)
        speed = max(speed, calibrate())
        best = max(best, rate / speed)
        print(f"{key}: {rate:,.0f} moves/s at {speed:,.0f} turns/s")
    print(f"{key}: {best * QUIET:,.0f} moves/s on a quiet machine, {best:.4f} of the loop")
    assert best * QUIET >= hook(key, "MOVES_PER_SECOND", MOVES)


def per_call(work: Callable[[], object], times: int = 300) -> float:
    """Seconds for one call, the best of several rounds."""

    def several() -> None:
        for _ in range(times):
            work()

    return min(seconds(several) for _ in range(7)) / times


@pytest.mark.parametrize("key", list(games()))
def test_clone_and_hash(key: str) -> None:
    state = middle(key)
    blob = pack(state)
    decoder = msgspec.msgpack.Decoder(type(state))
    trip = per_call(lambda: decoder.decode(pack(state)))
    clone = per_call(state.clone)
    digest = per_call(lambda: state_hash(state))
    view = per_call(lambda: games()[key].view(state, 0))
    print(
        f"{key}: {len(blob):,} bytes; round trip {trip * 1e6:.1f} µs, clone {clone * 1e6:.1f} µs "
        f"({clone / trip:.2f} of it), hash {digest * 1e6:.1f} µs, view {view * 1e6:.1f} µs"
    )
    assert clone <= max(CLONE, 1.5 * trip)
    assert clone <= 1.5 * trip, "a clone is never slower than a round trip through bytes"


@pytest.mark.parametrize("key", list(games()))
def test_checked_moves(key: str) -> None:
    """The path of the bot: clone, apply, check, hash and forced moves."""
    game = games()[key]
    state, _ = start(game, max(game.meta.seats), seed="5b")
    rand = random.Random(6)
    begin, moves = time.perf_counter(), 0
    while state.ended is None:
        seat = game.waiting(state)[0]
        state = play(game, state, seat, rand.choice(list(game.legal(state, seat)))).state
        moves += 1
    each = (time.perf_counter() - begin) / moves
    print(f"{key}: {each * 1e6:.0f} µs a checked move, {each * calibrate():,.0f} turns of the loop")
    assert each < 0.02
