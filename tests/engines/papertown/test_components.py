"""Blocks, tiles and where their values come from."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest

from engines.core.play import start
from engines.papertown import GAME
from engines.papertown.components import (
    CONSTRUCTIONS,
    KIND_NAMES,
    KINDS,
    OBJECTIVES,
    SOURCES,
    STRUCTURES,
    Symmetry,
    forms,
)


@pytest.mark.rule("PT-001")
def test_blocks() -> None:
    state, _ = start(GAME, 2, seed="01")
    blocks = Counter(state.stack + state.bank + "".join(state.shown.values()))
    assert blocks == dict.fromkeys("CGRIPL", 7)
    assert KINDS == "CGRIPL"
    assert list(KIND_NAMES.values()) == [
        "commercial", "governmental", "residential", "industrial", "park", "lake",
    ]  # fmt: skip


@pytest.mark.rule("PT-003")
def test_constructions() -> None:
    rows = [OBJECTIVES[t].kinds for t in CONSTRUCTIONS]
    assert len(rows) == 20
    assert len({frozenset(row) for row in rows}) == 20, "each set of three kinds once"
    assert Counter("".join(rows)) == dict.fromkeys(KINDS, 10)
    middles = Counter(row[1] for row in rows)
    assert middles == {"P": 4, "L": 4, "C": 3, "G": 3, "R": 3, "I": 3}


@pytest.mark.rule("PT-004")
def test_great_structures() -> None:
    diamonds = [OBJECTIVES[t].kinds for t in STRUCTURES]
    assert len({frozenset(d) for d in diamonds}) == 12
    missing = {frozenset("CGPR"), frozenset("CILP"), frozenset("GILR")}
    assert not missing & {frozenset(d) for d in diamonds}
    assert Counter(d[i] for d in diamonds for i in (0, 2)) == dict.fromkeys(KINDS, 4)
    assert Counter(d[i] for d in diamonds for i in (1, 3)) == dict.fromkeys(KINDS, 4)


@pytest.mark.rule("PT-065")
@pytest.mark.parametrize(("symmetry", "count"), [("rot180", 24), ("flip4", 48), ("all8", 96)])
def test_forms_are_distinct(symmetry: Symmetry, count: int) -> None:
    assert len({form for t in STRUCTURES for form in forms(t, symmetry)}) == count


@pytest.mark.rule("PT-005")
def test_objectives_are_both_sorts() -> None:
    assert list(OBJECTIVES) == [*CONSTRUCTIONS, *STRUCTURES]
    assert [t.great for t in OBJECTIVES.values()] == [False] * 20 + [True] * 12


@pytest.mark.rule("PT-003", "PT-004")
@pytest.mark.parametrize(
    ("tiles", "digest"), [(CONSTRUCTIONS, "ab600aca7ace486a"), (STRUCTURES, "8349e5abe98d94a3")]
)
def test_tables_are_those_of_the_rules(tiles: tuple[str, ...], digest: str) -> None:
    lines = "\n".join(f"{t}|{OBJECTIVES[t].name}|{OBJECTIVES[t].kinds}" for t in tiles)
    assert sha256(lines.encode()).hexdigest()[:16] == digest


def test_only_one_sequence_is_printed() -> None:
    """Reconstructed values are never passed off as printed ones."""
    kinds = {t: source.get("sequence") or source["layout"] for t, source in SOURCES.items()}
    assert [t for t, source in kinds.items() if source != "reconstructed"] == ["CN06"]
    named = {t for t, source in SOURCES.items() if source["name"] != "reconstructed"}
    assert named == {"CN06", "CN10", "CN19", "GS01", "GS02", "GS03", "GS04"}
    assert "reconstruction" in GAME.meta.reconstructed
