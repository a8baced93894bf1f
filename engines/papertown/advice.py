"""The move made for a player who is away, from what that seat knows."""

from __future__ import annotations

from engines.core.types import Move, Seat
from engines.papertown.components import KINDS, OBJECTIVES
from engines.papertown.grid import RANK, SPOTS
from engines.papertown.moves import (
    BuyBank,
    Claim,
    DrawBlocks,
    KeepBlock,
    KeepConstructions,
    KeepGreatStructure,
    Place,
    SpendMeeple,
)
from engines.papertown.patterns import completing
from engines.papertown.phases import legal
from engines.papertown.phases.claim import claimable, open_claims
from engines.papertown.phases.place import beside
from engines.papertown.state import PaperState


def safest(state: PaperState, seat: Seat) -> Move:
    """Complete something if a Block allows it; otherwise build where it helps rivals least."""
    moves = legal(state, seat)
    match state.phase:
        case "choose":
            return min(moves, key=lambda m: _choice(state, seat, m))
        case "keep_block":
            return min(moves, key=lambda m: _wish(state, seat, _block(m)))
        case "place":
            mine = _targets(state, state.hand, [t for t, o in claimable(state, seat) if o == seat])
            theirs = _targets(state, state.hand, _rivals(state, seat))
            return min(moves, key=lambda m: _cell(state, seat, m, mine, theirs))
        case "claim":
            return min(moves, key=lambda m: _claim(state, seat, m))
        case "keep_constructions":
            old = set(state.constructions[seat])
            return min(
                moves, key=lambda m: isinstance(m, KeepConstructions) and len(old - set(m.keep))
            )
        case _:
            own = state.structures[seat]
            return min(moves, key=lambda m: isinstance(m, KeepGreatStructure) and m.keep not in own)


def _block(move: Move) -> str:
    return move.block if isinstance(move, (BuyBank, KeepBlock, SpendMeeple)) else ""


def _targets(state: PaperState, kind: str, tiles: list[str]) -> set[str]:
    """Where a Block of this kind completes one of the tiles."""
    found: set[str] = set()
    for tile in tiles:
        found.update(completing(state.shown, kind, tile, state.symmetry))
    return found - beside(state, kind) - state.sealed.keys()


def _wish(state: PaperState, seat: Seat, kind: str) -> int:
    own = [t for t, o in claimable(state, seat) if o == seat]
    if _targets(state, kind, own):
        return 0
    return 1 if any(kind in OBJECTIVES[t].kinds for t in own) else 2


def _choice(state: PaperState, seat: Seat, move: Move) -> tuple[int, int]:
    """A Block that completes something, then any of the bank, then the stack; a solo meeple only
    to complete something; a swap never while a Block can be had."""
    block = _block(move)
    if block:
        wish = _wish(state, seat, block)
        spends = isinstance(move, SpendMeeple)
        return (2 * wish + spends if wish == 0 or not spends else 7, KINDS.index(block))
    return (6 if isinstance(move, DrawBlocks) else 8, 0)


def _cell(
    state: PaperState, seat: Seat, move: Move, mine: set[str], theirs: set[str]
) -> tuple[bool, bool, int, int, int]:
    """A cell that completes something; else one that leads to it and helps no rival."""
    cell = move.cell if isinstance(move, Place) else ""
    if cell in mine:
        return (False, False, 0, 0, RANK[cell])
    city = {**state.shown, cell: state.hand}
    own = [t for t, o in claimable(state, seat) if o == seat]
    gain = _openings(city, own, state) - _openings(city, _rivals(state, seat), state)
    neighbours = sum(n in state.shown for n in SPOTS[cell].sides)
    return (True, cell in theirs, -gain, -neighbours, RANK[cell])


def _openings(city: dict[str, str], tiles: list[str], state: PaperState) -> int:
    """How many single Blocks would complete one of the tiles."""
    return sum(
        len(completing(city, kind, tile, state.symmetry))
        for tile in tiles
        for kind in OBJECTIVES[tile].kinds
    )


def _rivals(state: PaperState, seat: Seat) -> list[str]:
    """The Constructions of the other sides, which everybody sees."""
    return [
        t
        for other, own in enumerate(state.constructions)
        if state.side(other) != state.side(seat)
        for t in own
    ]


def _claim(state: PaperState, seat: Seat, move: Move) -> tuple[int, int, int]:
    """The larger objective first, the new Block's own cell sealed only if nothing else is left."""
    if not isinstance(move, Claim):
        return (1 if any(o == seat for _, o, _ in open_claims(state, seat)) else 0, 0, 0)
    own = any(t == move.objective and o == seat for t, o in claimable(state, seat))
    meeple = state.meeples.get(move.seal)
    return (
        -len(OBJECTIVES[move.objective].kinds) if own else 2,
        move.seal == state.placed,
        meeple == state.side(seat),
    )
