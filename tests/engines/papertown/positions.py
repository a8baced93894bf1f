"""Positions for tests, in the short hand of the rules: ``M50=C*grey N50=[CN01]``."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engines.core.errors import MoveError
from engines.core.play import Played, play
from engines.core.rng import Rng
from engines.core.types import state_hash
from engines.papertown import GAME
from engines.papertown.moves import Claim, FinishTurn, Place
from engines.papertown.state import PaperState

COLOURS = ("blue", "grey", "purple", "yellow")
KINDS = "CGRIPL"
CONSTRUCTIONS = [f"CN{n:02d}" for n in range(1, 21)]
STRUCTURES = [f"GS{n:02d}" for n in range(1, 13)]
FAR = [f"{c}10" for c in "ACEGIKMOQSUWY"]
"""Cells far from everything, for objectives completed earlier."""

_CELL = re.compile(r"([A-Z]+\d\d)=(?:([CGRIPL])|\[((?:CN|GS)\d\d)(?:/([CGRIPL]))?\])(?:\*(\w+))?")


def position(
    city: str,
    *,
    seats: int = 2,
    mode: str = "ffa",
    turn: int = 0,
    hand: str = "",
    own: dict[int, str] | None = None,
    deck: str = "",
    gs_deck: str = "",
    bank: str = "",
    stack: str | None = None,
    completed: tuple[int, ...] | None = None,
    symmetry: str = "flip4",
    spare: int = 3,
    pile: str = "",
    pool: str | None = None,
) -> PaperState:
    """A sound position; what is not mentioned lies out of play.

    Args:
        city: cells. ``N50=[CN20/R]`` is sealed with R beneath (any kind if not said).
        hand: the Block to place; without one the turn begins.
        own: objectives by seat; seat 0 owns CN06 unless said otherwise. Where a deck is not
            empty, hands are filled up.
        deck, gs_deck, pile: tiles, top first.
        stack: Blocks, top first; else what is left over, an even number.
        completed: by side; objectives for it lie far away.
        pool: solo, Blocks out of play; else all that is left over.
    """
    sides = 2 if mode == "pairs" else seats
    colours = COLOURS[:sides] * 2 if mode == "pairs" else COLOURS[:seats]
    shown: dict[str, str] = {}
    sealed: dict[str, str] = {}
    under: dict[str, str] = {}
    meeples: dict[str, int] = {}
    parts = city.split()
    left = [k for _ in range(7) for k in KINDS]
    for k in bank + hand + (stack or "") + (pool or ""):
        left.remove(k)
    for part in parts:
        found = _CELL.fullmatch(part)
        assert found, part
        cell, kind, tile, beneath, colour = found.groups()
        if kind:
            shown[cell] = kind
            left.remove(kind)
        else:
            sealed[cell] = tile
            if beneath:
                under[cell] = beneath
                left.remove(beneath)
        if colour:
            meeples[cell] = COLOURS.index(colour)
    owned = {seat: tiles.split() for seat, tiles in (own or {0: "CN06"}).items()}
    decks = (deck.split(), gs_deck.split())
    used = [t for tiles in owned.values() for t in tiles]
    used += [*decks[0], *decks[1], *pile.split(), *sealed.values()]
    assert len(set(used)) == len(used), used
    spare_tiles = {
        sort: [t for t in tiles if t not in used]
        for sort, tiles in (("CN", CONSTRUCTIONS), ("GS", STRUCTURES))
    }
    limit = {"CN": 1 if mode == "pairs" else 2, "GS": 1}
    for sort, rest in (("CN", decks[0]), ("GS", decks[1])):
        for seat in range(seats):
            mine = owned.setdefault(seat, [])
            while rest and sum(t.startswith(sort) for t in mine) < limit[sort]:
                mine.append(spare_tiles[sort].pop())
    counts = list(completed or (0,) * sides)
    if completed is None:
        counts[-1] = len(sealed)
    for cell in FAR[: sum(counts) - len(sealed)]:
        sealed[cell] = spare_tiles["CN"].pop()
    for cell in sealed:
        if cell not in under:
            under[cell] = left.pop()
    if stack is None and mode != "solo":
        stack = "".join(left[: len(left) // 2 * 2])
        left = left[len(stack) :]
    state = PaperState(
        seats=seats,
        colours=tuple(colours),
        rng=Rng(seed="00"),
        mode=mode,
        symmetry=symmetry,
        first=0,
        turn=turn,
        stack=stack or "",
        bank=bank,
        pool="".join(left) + (pool or ""),
        hand=hand,
        shown=shown,
        sealed=sealed,
        under=under,
        meeples=meeples,
        constructions=[
            tuple(t for t in owned.get(s, ()) if t.startswith("CN")) for s in range(seats)
        ],
        structures=[tuple(t for t in owned.get(s, ()) if t.startswith("GS")) for s in range(seats)],
        construction_deck=tuple(decks[0]),
        structure_deck=tuple(decks[1]),
        pile=tuple(pile.split()),
        box=(*spare_tiles["CN"], *spare_tiles["GS"]),
        completed=counts,
        spare=spare if mode == "solo" else 0,
    )
    state.ask(turn, "place" if hand else "choose")
    GAME.check(state)
    return state


def do(state: PaperState, seat: int, *moves: Any) -> PaperState:
    """The position after moves of one seat."""
    for move in moves:
        state = play(GAME, state, seat, move).state
    return state


def step(state: PaperState, seat: int, move: Any) -> Played:
    """A move with its events."""
    return play(GAME, state, seat, move)


def refused(state: PaperState, seat: int, move: Any, rule: str, *words: str) -> MoveError:
    """Assert that a move is refused by a rule, says these words, and changes nothing."""
    before = state_hash(state)
    assert move not in GAME.legal(state, seat)
    with pytest.raises(MoveError) as refusal:
        play(GAME, state, seat, move)
    error = refusal.value
    assert error.rule == rule, error
    for word in words:
        assert word in error.text, error.text
    assert state_hash(state) == before
    return error


def claims(state: PaperState, seat: int = 0) -> set[tuple[str, str]]:
    """Objective and seal of every claim that is listed."""
    return {(m.objective, m.seal) for m in GAME.legal(state, seat) if isinstance(m, Claim)}


def cells(state: PaperState, seat: int = 0) -> set[str]:
    """Where the Block may go."""
    return {m.cell for m in GAME.legal(state, seat) if isinstance(m, Place)}


def covers(state: PaperState, seat: int = 0) -> set[str]:
    """Where the Block may be built over another."""
    return cells(state, seat) & state.shown.keys()


def matched(city: str, hand: str, cell: str, **more: Any) -> set[tuple[str, ...]]:
    """The patterns that placing a Block completes, from the claims listed after it."""
    state = do(position(city, hand=hand, **more), 0, Place(cell))
    found = set()
    for objective in {m.objective for m in GAME.legal(state, 0) if isinstance(m, Claim)}:
        seals = tuple(
            m.seal
            for m in GAME.legal(state, 0)
            if isinstance(m, Claim) and m.objective == objective
        )
        found.add((objective, *seals))
    assert bool(found) != (FinishTurn() in GAME.legal(state, 0))
    return found
