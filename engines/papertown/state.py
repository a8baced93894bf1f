"""The position of a Papertown match."""

from __future__ import annotations

import msgspec

from engines.core.types import Seat, State
from engines.papertown.components import MEEPLES


class Last(msgspec.Struct, frozen=True):
    """The latest turn, as far as everybody saw it.

    Attributes:
        seat: whose turn.
        kind: ``placed``, ``swapped_constructions`` or ``swapped_great_structure``.
        block: kind placed.
        cell: where.
        cover: whether a Block lies beneath.
        claims: (objective, cells in pattern order, sealed cell) in claim order.
    """

    seat: Seat
    kind: str
    block: str = ""
    cell: str = ""
    cover: bool = False
    claims: tuple[tuple[str, tuple[str, ...], str], ...] = ()


class PaperState(State, kw_only=True):
    """Everything about a match. Blocks are letters (``CGRIPL``), cells are names (``N50``).

    Attributes:
        mode: ``ffa``, ``pairs`` or ``solo``.
        symmetry: which readings of a Great Structure count (PT-065).
        first: starting player.
        turn: whose turn it is.
        stack: face-down Blocks, top first.
        bank: face-up Blocks, in the order they came.
        pool: Blocks out of play; only solo has any.
        hand: the Block to place now, if any.
        drawn: Blocks drawn from the stack while one is chosen.
        shown: unsealed city cells and the kind on top.
        sealed: city cells under an objective tile.
        under: Blocks that no longer show, by cell: covered ones and those beneath a tile.
        meeples: side that populates a cell.
        constructions: face-up Constructions of each seat; solo: the revealed ones.
        structures: Great Structures of each seat; solo: the revealed ones.
        drawn_tiles: objectives drawn in a swap while the choice is open.
        construction_deck, structure_deck: face down, top first.
        pile: solo's objective pile, top first.
        box: objectives out of the game.
        completed: objectives completed by each side.
        placed: cell of this turn's Block, once it lies.
        cover: whether that was a cover.
        claims: (objective, owner) claimed this turn, in order.
        fresh: solo objectives revealed at the end of the last turn.
        spare: solo meeples left to spend.
        turns: turns finished.
        last: latest turn.
    """

    mode: str
    symmetry: str
    first: Seat
    turn: Seat
    stack: str
    bank: str
    constructions: list[tuple[str, ...]]
    structures: list[tuple[str, ...]]
    completed: list[int]
    pool: str = ""
    hand: str = ""
    drawn: str = ""
    shown: dict[str, str] = {}
    sealed: dict[str, str] = {}
    under: dict[str, str] = {}
    meeples: dict[str, int] = {}
    drawn_tiles: tuple[str, ...] = ()
    construction_deck: tuple[str, ...] = ()
    structure_deck: tuple[str, ...] = ()
    pile: tuple[str, ...] = ()
    box: tuple[str, ...] = ()
    placed: str = ""
    cover: bool = False
    claims: tuple[tuple[str, Seat], ...] = ()
    fresh: tuple[str, ...] = ()
    spare: int = 0
    turns: int = 0
    last: Last | None = None

    def clone(self) -> PaperState:
        """An independent copy that shares what is never changed in place."""
        return PaperState(
            seats=self.seats,
            colours=self.colours,
            rng=self.rng.copy(),
            pending=self.pending.copy(),
            next_decision=self.next_decision,
            ended=self.ended,
            mode=self.mode,
            symmetry=self.symmetry,
            first=self.first,
            turn=self.turn,
            stack=self.stack,
            bank=self.bank,
            constructions=self.constructions.copy(),
            structures=self.structures.copy(),
            completed=self.completed.copy(),
            pool=self.pool,
            hand=self.hand,
            drawn=self.drawn,
            shown=self.shown.copy(),
            sealed=self.sealed.copy(),
            under=self.under.copy(),
            meeples=self.meeples.copy(),
            drawn_tiles=self.drawn_tiles,
            construction_deck=self.construction_deck,
            structure_deck=self.structure_deck,
            pile=self.pile,
            box=self.box,
            placed=self.placed,
            cover=self.cover,
            claims=self.claims,
            fresh=self.fresh,
            spare=self.spare,
            turns=self.turns,
            last=self.last,
        )

    @property
    def phase(self) -> str:
        """What is decided now; empty once the match is over."""
        return self.pending[0].kind if self.pending else ""

    @property
    def limit(self) -> int:
        """Constructions that a player owns (PT-035, PT-096)."""
        return 1 if self.mode == "pairs" else 2

    def side(self, seat: Seat) -> int:
        """The set of meeples a seat uses: its own, or its pair's (PT-098)."""
        return seat % 2 if self.mode == "pairs" else seat

    def on_city(self, side: int) -> int:
        """A side's meeples in the city."""
        return sum(s == side for s in self.meeples.values())

    def supply(self, side: int) -> int:
        """A side's meeples that are not in the city (PT-005)."""
        return 0 if self.mode == "solo" else MEEPLES - self.on_city(side)

    def partner(self, seat: Seat) -> Seat | None:
        """The other player of the pair (PT-094)."""
        return (seat + 2) % 4 if self.mode == "pairs" else None

    def next_step(self, seat: Seat, kind: str) -> None:
        """The seat has answered and owes the next decision of the turn."""
        self.answered(seat)
        self.ask(seat, kind)
