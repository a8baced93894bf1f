"""What a viewer may know of a Papertown match (PT-126, PT-128, PT-129)."""

from __future__ import annotations

import msgspec

from engines.core.types import Seat, View, Viewer
from engines.papertown.grid import RANK
from engines.papertown.state import Last, PaperState


class Cell(msgspec.Struct, frozen=True):
    """A city cell.

    Attributes:
        name: such as ``N50``.
        kind: letter on top; empty where an objective tile lies.
        tile: objective tile that seals it; empty if none.
        meeple: side whose meeple stands there.
    """

    name: str
    kind: str
    tile: str = ""
    meeple: int | None = None


class PaperView(View, frozen=True, kw_only=True):
    """A viewer's picture of the match.

    Attributes:
        mode, symmetry: variant and how Great Structures may be read.
        first: starting player.
        to_act: whose turn it is; None once the match is over.
        phase: what is decided now.
        turns: turns finished.
        cells: the city by column and row.
        bank: face-up Blocks.
        stack, construction_deck, structure_deck, pile: how many lie face down.
        pool: solo, the Blocks out of play.
        hand: the Block that is to be placed.
        constructions: face-up Constructions by seat; solo: the revealed ones.
        structure_counts: how many Great Structures each seat owns.
        structures: the Great Structures that the viewer may see, by seat.
        drawn_tiles: objectives drawn in a swap, if the viewer may see them.
        drawn_blocks: Blocks drawn from the stack, if the viewer may see them.
        sides: side of each seat.
        supplies, on_city, completed: by side.
        spare: solo, meeples left to spend.
        placed: cell of this turn's Block, while claims are open.
        cover: whether that Block was built over another.
        claims: objectives claimed this turn.
        last: the latest turn.
    """

    mode: str
    symmetry: str
    first: Seat
    to_act: Seat | None
    phase: str
    turns: int
    cells: tuple[Cell, ...]
    bank: str
    stack: int
    construction_deck: int
    structure_deck: int
    pile: int
    pool: str
    hand: str
    constructions: tuple[tuple[str, ...], ...]
    structure_counts: tuple[int, ...]
    structures: tuple[tuple[str, ...], ...]
    drawn_tiles: tuple[str, ...]
    drawn_blocks: str
    sides: tuple[int, ...]
    supplies: tuple[int, ...]
    on_city: tuple[int, ...]
    completed: tuple[int, ...]
    spare: int
    placed: str
    cover: bool
    claims: tuple[str, ...]
    last: Last | None


def view(state: PaperState, viewer: Viewer) -> PaperView:
    """Build a view field by field."""
    solo = state.mode == "solo"
    over = state.ended is not None
    mine = viewer is not None and viewer == state.turn
    names = sorted([*state.shown, *state.sealed], key=RANK.__getitem__)
    sides = range(len(state.completed))
    open_tiles = state.phase == "keep_constructions" or (
        state.phase == "keep_great_structure" and mine
    )
    return PaperView(
        viewer=viewer,
        seats=state.seats,
        colours=state.colours,
        waiting=tuple(d.seat for d in state.pending),
        ended=state.ended,
        mode=state.mode,
        symmetry=state.symmetry,
        first=state.first,
        to_act=None if over else state.turn,
        phase=state.phase,
        turns=state.turns,
        cells=tuple(
            Cell(n, state.shown.get(n, ""), state.sealed.get(n, ""), state.meeples.get(n))
            for n in names
        ),
        bank=state.bank,
        stack=len(state.stack),
        construction_deck=len(state.construction_deck),
        structure_deck=len(state.structure_deck),
        pile=len(state.pile),
        pool=state.pool if solo else "",
        hand=state.hand,
        constructions=tuple(state.constructions),
        structure_counts=tuple(len(own) for own in state.structures),
        structures=tuple(
            own if solo or over or seat == viewer else ()
            for seat, own in enumerate(state.structures)
        ),
        drawn_tiles=state.drawn_tiles if open_tiles else (),
        drawn_blocks=state.drawn if mine else "",
        sides=tuple(state.side(s) for s in range(state.seats)),
        supplies=tuple(state.supply(s) for s in sides),
        on_city=tuple(state.on_city(s) for s in sides),
        completed=tuple(state.completed),
        spare=state.spare,
        placed=state.placed,
        cover=state.cover,
        claims=tuple(t for t, _ in state.claims),
        last=state.last,
    )
