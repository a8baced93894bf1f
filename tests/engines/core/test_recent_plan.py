"""The newest part of a log tells the same of an undo as the whole log, or that it is not enough."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from engines.core.errors import MoveError
from engines.core.play import AnyGame, Entry, play, recent_plan, standing, start, undo_plan, undone
from engines.core.registry import game as find_game
from tests.engines.core.test_simultaneous import GAME as SEALED


def played(game: AnyGame, seats: int, rand: random.Random, length: int) -> list[Entry]:
    """A log of moves and undos."""
    state: Any = start(game, seats)[0]
    log: list[Entry] = []
    history = {0: state}
    while len(log) < length and state.ended is None:
        seat = rand.randrange(seats)
        if rand.random() < 0.35:
            try:
                plan = undo_plan(game, log, seat)
                again = [log[seq - 1] for seq in plan.again]
                state = undone(game, history[plan.to], state, again, seat)
            except MoveError:
                continue
            log.append(Entry(len(log) + 1, "undo", seat, to=plan.to, again=plan.again))
        elif moves := list(game.legal(state, seat)):
            for step in (made := play(game, state, seat, rand.choice(moves))).steps:
                text = msgspec.json.encode(step.move).decode()
                log.append(
                    Entry(len(log) + 1, "move", step.seat, text, step.auto, step.reveals,
                          apart=step.apart)
                )  # fmt: skip
            state = made.state
        else:
            continue
        history[len(log)] = state
    return log


def answer(game: AnyGame, log: Sequence[Entry], root: int, seat: int) -> Any:
    try:
        return recent_plan(game, log[root:], root, seat)
    except MoveError as error:
        return str(error)


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("key", ["sealed", "palermo", "papertown", "pizzachef", "papa_paolo"])
def test_a_part_of_the_log_tells_the_same(key: str, number: int) -> None:
    game: Any = SEALED if key == "sealed" else find_game(key)
    seats = 3
    rand = random.Random(f"{key} {number}")
    log = played(game, seats, rand, 70)
    kinds = Counter(entry.kind for entry in log)
    assert kinds["undo"] >= 2
    known = 0
    for end in range(len(log), 0, -7):
        whole = standing(log[:end])
        for seat in range(seats):
            try:
                right: Any = undo_plan(game, log[:end], seat)
            except MoveError as error:
                right = str(error)
            for root in range(end):
                found = answer(game, log[:end], root, seat)
                assert found is None or found == right, (root, end, seat)
                known += found is not None and root > 0
                if found is not None and not isinstance(found, str):
                    part = standing(log[root:end], root)
                    assert part == whole[len(whole) - len(part) :]
    assert known > 100, "mostly a part is enough"


def test_what_a_part_cannot_tell() -> None:
    move = Entry(1, "move", 0, "{}")
    log = [move, msgspec.structs.replace(move, seq=2), msgspec.structs.replace(move, seq=3)]
    game = find_game("paris_paris")
    assert recent_plan(game, log[2:], 2, 0) is None, "what was before it may be entry 2 or not"
    assert recent_plan(game, [], 3, 0) is None
    found = recent_plan(game, log[1:], 1, 0)
    assert found is not None
    assert found.to == 2
    # An undo names the entry that came back, however far away it is.
    log.append(Entry(4, "undo", 0, to=1))
    log.append(msgspec.structs.replace(move, seq=5))
    assert recent_plan(game, log[3:], 3, 0) == undo_plan(game, log, 0)
    assert recent_plan(game, log[4:], 4, 0) is None
