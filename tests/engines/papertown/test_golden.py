"""Recorded matches replay with equal hashes and end as they did."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from engines.core.play import Record, replay
from engines.papertown import GAME

FOLDER = Path(__file__).parents[2] / "golden" / "papertown"

ENDS: dict[str, tuple[str, tuple[tuple[int, ...], ...], list[int]]] = {
    "twelfth_meeple_2_players": ("meeples", ((1,), (0,)), [5, 12]),
    "twelfth_meeple_3_players": ("meeples", ((2,), (1,), (0,)), [7, 8, 12]),
    "empty_stack_4_players": ("stack", ((0,), (2,), (1,), (3,)), [6, 5, 6, 1]),
    "shared_win": ("stack", ((0, 1), (2,)), [8, 8, 3]),
    "tie_broken_by_objectives": ("stack", ((2,), (1,), (0,)), [5, 8, 8]),
    "pairs_twelfth_meeple": ("meeples", ((0, 2), (1, 3)), [12, 5, 12, 5]),
    "pairs_empty_stack": ("stack", ((1, 3), (0, 2)), [10, 11, 10, 11]),
    "solo_to_the_end": ("solo_blocks", ((0,),), [1]),
    "solo_complete": ("solo_complete", ((0,),), [0]),
    "solo_stopped": ("solo_stopped", ((0,),), [5]),
}


def load(name: str) -> Record:
    return msgspec.json.decode((FOLDER / f"{name}.json").read_bytes(), type=Record)


def test_every_record_is_listed_and_every_end_recorded() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(ENDS)
    assert {reason for reason, _, _ in ENDS.values()} == set(GAME.meta.end_reasons)


@pytest.mark.rule("PT-025", "PT-087", "PT-088", "PT-091", "PT-106", "PT-121", "PT-122")
@pytest.mark.parametrize("name", list(ENDS))
def test_replays(name: str) -> None:
    record = load(name)
    assert all(entry.hash for entry in record.entries)
    state: Any = None
    for _, state, _ in replay(GAME, record):
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
