"""Recorded matches of all games replay with equal hashes, events and outcomes."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from engines.core.play import replay
from engines.core.registry import game as find_game
from engines.core.registry import games
from engines.core.types import state_hash
from tests.conformance.hooks import hook
from tests.golden.make import HERE, Golden, digest, path

FILES = sorted(HERE.glob("*/*.json"))


def read(file: Path) -> Golden:
    return msgspec.json.decode(file.read_bytes(), type=Golden)


@pytest.mark.parametrize("file", FILES, ids=lambda f: f"{f.parent.name}-{f.stem}")
def test_golden(file: Path) -> None:
    golden = read(file)
    game = find_game(golden.record.game)
    assert all(entry.hash for entry in golden.record.entries), "a hash per entry"
    events, state = digest(game, golden.record)
    assert events == golden.events
    assert game.outcome(state) == golden.outcome
    assert state.ended == golden.outcome.reason


@pytest.mark.parametrize("key", list(games()))
def test_goldens_are_there(key: str) -> None:
    """Every promised match is on file, and the rules version of the day has one."""
    assert hook(key, "GOLDENS"), "every game has whole matches on file"
    for name, (seats, _, _) in hook(key, "GOLDENS").items():
        golden = read(path(key, name))
        assert golden.record.seats == seats
        assert golden.record.game == key
    versions = {read(f).record.rules_version for f in FILES if f.parent.name == key}
    assert games()[key].meta.rules_version in versions
    reasons = {read(f).outcome.reason for f in FILES if f.parent.name == key}
    assert reasons == set(games()[key].meta.end_reasons), "one match per end reason"


@pytest.mark.parametrize("file", FILES[:1], ids=lambda f: f.stem)
def test_a_changed_golden_is_noticed(file: Path) -> None:
    golden = read(file)
    entries = list(golden.record.entries)
    entries[-1] = msgspec.structs.replace(entries[-1], hash="0" * 32)
    record = msgspec.structs.replace(golden.record, entries=tuple(entries))
    game = find_game(record.game)
    found = []
    with pytest.raises(Exception, match="recorded was 000"):
        found += [state_hash(state) for _, state, _ in replay(game, record)]
