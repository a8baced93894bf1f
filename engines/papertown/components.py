"""Blocks, Constructions and Great Structures (PT-001 to PT-005) from ``data/tiles.toml``."""

from __future__ import annotations

from typing import Literal

import msgspec

from engines.core.data import Table, load
from engines.core.errors import InvariantError
from engines.core.surface import fold


class _Counts(Table):
    blocks_per_kind: int
    meeples: int
    bank: int
    solo_blocks_per_kind: int
    solo_constructions: int
    solo_great_structures: int


class _Kind(Table):
    letter: str
    name: str


class _Start(Table):
    cells: tuple[str, ...]
    source: str


class _Tile(Table):
    id: str
    name: str
    kinds: str
    source: dict[str, str]


class _Tiles(Table):
    provenance: dict[str, str]
    counts: _Counts
    start: _Start
    kind: tuple[_Kind, ...]
    construction: tuple[_Tile, ...]
    great_structure: tuple[_Tile, ...]


class Objective(msgspec.Struct, frozen=True):
    """An objective tile.

    Attributes:
        id: ``CN…`` or ``GS…``.
        name: as printed or reconstructed.
        kinds: letters; a Construction's row, a Great Structure's top, right, bottom, left.
        great: whether it is a Great Structure.
    """

    id: str
    name: str
    kinds: str
    great: bool

    @property
    def spelled(self) -> str:
        """The kinds with dashes: ``C-R-P``."""
        return "-".join(self.kinds)

    @property
    def words(self) -> str:
        """Name and kinds: ``Gated Community (C-R-P)``."""
        return f"{self.name} ({self.spelled})"


_raw = load(__package__, "tiles.toml", _Tiles)

KINDS = "".join(k.letter for k in _raw.kind)
"""Letters of the six kinds, in their fixed order."""

KIND_NAMES: dict[str, str] = {k.letter: k.name for k in _raw.kind}
"""Letter → word."""

BLOCKS_PER_KIND = _raw.counts.blocks_per_kind
SOLO_BLOCKS_PER_KIND = _raw.counts.solo_blocks_per_kind
MEEPLES = _raw.counts.meeples
BANK = _raw.counts.bank
SOLO_CONSTRUCTIONS = _raw.counts.solo_constructions
SOLO_STRUCTURES = _raw.counts.solo_great_structures
START_CELLS = _raw.start.cells
PROVENANCE = _raw.provenance

CONSTRUCTIONS: tuple[str, ...] = tuple(t.id for t in _raw.construction)
STRUCTURES: tuple[str, ...] = tuple(t.id for t in _raw.great_structure)
OBJECTIVES: dict[str, Objective] = {
    t.id: Objective(t.id, t.name, t.kinds, great)
    for tiles, great in ((_raw.construction, False), (_raw.great_structure, True))
    for t in tiles
}
"""All 32 objective tiles by id, Constructions first."""

SOURCES: dict[str, dict[str, str]] = {
    t.id: t.source for t in (*_raw.construction, *_raw.great_structure)
}
"""Where each objective tile's name and kinds come from."""

Symmetry = Literal["flip4", "rot180", "all8"]

_TURNS: dict[str, tuple[tuple[int, ...], ...]] = {
    "rot180": ((0, 1, 2, 3), (2, 3, 0, 1)),
    "flip4": ((0, 1, 2, 3), (2, 1, 0, 3), (0, 3, 2, 1), (2, 3, 0, 1)),
    "all8": (
        (0, 1, 2, 3), (2, 1, 0, 3), (0, 3, 2, 1), (2, 3, 0, 1),
        (1, 2, 3, 0), (3, 0, 1, 2), (1, 0, 3, 2), (3, 2, 1, 0),
    ),
}  # fmt: skip


def forms(structure: str, symmetry: str) -> tuple[str, ...]:
    """The readings of a Great Structure that complete it, as top-right-bottom-left (PT-065).

    >>> forms("GS01", "flip4")
    ('CGIP', 'IGCP', 'CPIG', 'IPCG')
    """
    kinds = OBJECTIVES[structure].kinds
    return tuple("".join(kinds[i] for i in turn) for turn in _TURNS[symmetry])


def kind_of(word: str) -> str | None:
    """The kind that a letter, a name or the start of a name means.

    >>> kind_of("l"), kind_of("Gov"), kind_of("x")
    ('L', 'G', None)
    """
    if word in KIND_NAMES:
        return word
    text = fold(word)
    if text.upper() in KIND_NAMES:
        return text.upper()
    hits = [k for k, name in KIND_NAMES.items() if text and name.startswith(text)]
    return hits[0] if len(hits) == 1 else None


def objective_of(word: str) -> str | None:
    """The objective tile that an id or a name means.

    >>> objective_of("cn06"), objective_of("the Zoo"), objective_of("zoo")
    ('CN06', None, 'GS02')
    """
    return word if word in OBJECTIVES else _WORDS.get(fold(word))


_WORDS: dict[str, str] = {
    fold(word): tile.id for tile in OBJECTIVES.values() for word in (tile.id, tile.name)
}


def _check() -> None:
    rows = [OBJECTIVES[i].kinds for i in CONSTRUCTIONS]
    diamonds = [OBJECTIVES[i].kinds for i in STRUCTURES]
    sound = (
        len(KINDS) == 6
        and len({frozenset(r) for r in rows}) == len(rows) == 20
        and all(len(set(r)) == len(r) == 3 and set(r) <= set(KINDS) for r in rows)
        and len({frozenset(d) for d in diamonds}) == len(diamonds) == 12
        and all(len(set(d)) == len(d) == 4 and set(d) <= set(KINDS) for d in diamonds)
    )
    if not sound:
        raise InvariantError("data/tiles.toml breaks PT-003 or PT-004")


_check()
