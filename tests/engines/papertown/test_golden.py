"""What the recorded matches of this game show; ``tests/golden`` replays them by event and hash."""

from __future__ import annotations

from typing import Any

import pytest

from engines.core.play import Record, replay
from engines.papertown import GAME
from tests.golden.make import HERE, path
from tests.golden.test_golden import read

ENDS: dict[str, tuple[str, tuple[tuple[int, ...], ...], list[int]]] = {
    "empty_stack_4_players": ("stack", ((1,), (2,), (0, 3)), [0, 11, 9, 0]),
    "pairs_empty_stack": ("stack", ((1, 3), (0, 2)), [4, 9, 4, 9]),
    "pairs_twelfth_meeple": ("meeples", ((0, 2), (1, 3)), [12, 6, 12, 6]),
    "shared_win": ("stack", ((0, 1), (2,)), [8, 8, 7]),
    "solo_complete": ("solo_complete", ((0,),), [0]),
    "solo_stopped": ("solo_stopped", ((0,),), [5]),
    "solo_to_the_end": ("solo_blocks", ((0,),), [6]),
    "tie_broken_by_objectives": ("stack", ((0,), (1,), (2,)), [11, 11, 7]),
    "twelfth_meeple_2_players": ("meeples", ((0,), (1,)), [12, 7]),
    "twelfth_meeple_3_players": ("meeples", ((0,), (1,), (2,)), [12, 8, 4]),
}


def load(name: str) -> Record:
    return read(path("papertown", name)).record


def test_every_record_is_listed() -> None:
    assert {file.stem for file in (HERE / "papertown").glob("*.json")} == set(ENDS)


@pytest.mark.rule("PT-025", "PT-087", "PT-088", "PT-091", "PT-106", "PT-121", "PT-122")
@pytest.mark.parametrize("name", list(ENDS))
def test_replays(name: str) -> None:
    state: Any = None
    for _, state, _ in replay(GAME, load(name)):
        GAME.check(state)
    result = GAME.outcome(state)
    assert result is not None
    assert (result.reason, result.ranking, [s.total for s in result.scores]) == ENDS[name]


def test_the_records_hold_every_kind_of_move_and_undos() -> None:
    records = [load(name) for name in ENDS]
    moves = [
        GAME.decode_move(e.move).kind for r in records for e in r.entries if e.move is not None
    ]
    assert set(moves) == {kind.__struct_config__.tag for kind in GAME.move_types}
    assert sum(e.kind == "undo" for r in records for e in r.entries) > 20
