"""What a viewer may know of a Palermo match: everything but the generator (PL-003)."""

from __future__ import annotations

import msgspec

from engines.core.errors import MoveError
from engines.core.rng import Rng
from engines.core.types import Decision, Move, Seat, View, Viewer
from engines.palermo import rules
from engines.palermo.components import (
    CHIPS,
    FOUNTAIN,
    NAMES,
    ROOFS,
    SPACES,
    TYPES,
)
from engines.palermo.state import Built, PalermoState, Patrol, Trip

AT_FOUNTAIN = "fountain"


class BuiltView(msgspec.Struct, frozen=True):
    """The latest tile: who, tile (``2b/sw``), space, building stage."""

    seat: Seat
    tile: str
    space: str
    stage: str


class TripView(msgspec.Struct, frozen=True):
    """The latest walk: who, cells in order, how it ended (``stop``, ``finish``, ``exact``,
    ``back``, ``stay``) and the points scored."""

    seat: Seat
    path: tuple[str, ...]
    kind: str
    points: int


class PatrolView(msgspec.Struct, frozen=True):
    """The latest police move: who, from (empty = beside the board), to."""

    seat: Seat
    start: str
    end: str


class PalermoView(View, frozen=True, kw_only=True):
    """The match as anyone sees it.

    Attributes:
        first: who begins both phases.
        walking: phase 2 has begun.
        start: space of the Start/Finish tile; empty before it lies.
        tiles: the tile on each space, A1, B1 … F6; empty = free.
        chips: owner of the chip on each space; −1 = none.
        builders: who laid the tile on each space; −1 = nobody.
        supply: (type, house tiles left).
        to_lay: chips that each player still has to lay.
        round, turn: of phase 2; 0 before it.
        to_act: whose turn it is; None once the match is over.
        policed: the police move of this turn is made.
        pawns: cell of each pawn, or ``fountain``.
        gone, home: has set out; has arrived.
        stones: cell of each police stone; empty = beside the board.
        frozen: whose pawn stands on each stone; −1 = nobody's.
        cards: chips on each movement card.
        points: movement points of each player's next turn.
        waits: who waits automatically.
        trail, left: cells walked so far in a move made step by step, and the points left.
        income, arrival, bonus, scores: points by seat.
        quiet: complete rounds in a row without a chip or an arrival.
        progress: this round has brought one.
        built, trip, patrol: the latest of each kind.
    """

    first: Seat
    walking: bool
    start: str
    tiles: tuple[str, ...]
    chips: tuple[int, ...]
    builders: tuple[int, ...]
    supply: tuple[tuple[str, int], ...]
    to_lay: tuple[int, ...]
    round: int
    turn: int
    to_act: Seat | None
    policed: bool
    pawns: tuple[str, ...]
    gone: tuple[bool, ...]
    home: tuple[bool, ...]
    stones: tuple[str, ...]
    frozen: tuple[int, ...]
    cards: tuple[int, ...]
    points: tuple[int, ...]
    waits: tuple[bool, ...]
    trail: tuple[str, ...]
    left: int
    income: tuple[int, ...]
    arrival: tuple[int, ...]
    bonus: tuple[int, ...]
    scores: tuple[int, ...]
    quiet: int
    progress: bool
    built: BuiltView | None
    trip: TripView | None
    patrol: PatrolView | None


def view(state: PalermoState, viewer: Viewer) -> PalermoView:
    """Build a view field by field; all viewers see the same."""
    seats = range(state.seats)
    frozen = [state.frozen_by(seat) for seat in seats]
    return PalermoView(
        viewer=viewer,
        seats=state.seats,
        colours=state.colours,
        waiting=tuple(d.seat for d in state.pending),
        ended=state.ended,
        first=state.first,
        walking=state.walking,
        start=SPACES[state.start] if state.start >= 0 else "",
        tiles=tuple(state.tiles),
        chips=tuple(state.chips),
        builders=tuple(state.builders),
        supply=tuple(zip(TYPES, state.supply, strict=True)),
        to_lay=tuple(state.chips_each - state.builders.count(seat) for seat in seats),
        round=state.round,
        turn=state.turn,
        to_act=state.pending[0].seat if state.pending else None,
        policed=state.policed,
        pawns=tuple(AT_FOUNTAIN if c == FOUNTAIN else NAMES[c] for c in state.pawns),
        gone=tuple(state.gone),
        home=tuple(state.home),
        stones=tuple(NAMES[c] if c >= 0 else "" for c in state.stones),
        frozen=tuple(-1 if by is None else by for by in frozen),
        cards=tuple(state.cards),
        points=tuple(state.points(seat) for seat in seats),
        waits=tuple(state.waits),
        trail=tuple(NAMES[c] for c in state.trail),
        left=state.left,
        income=tuple(state.income),
        arrival=tuple(state.arrival),
        bonus=tuple(state.bonus),
        scores=tuple(state.score(seat) for seat in seats),
        quiet=state.quiet,
        progress=state.progress,
        built=_built(state.last_built),
        trip=_trip(state.last_trip),
        patrol=_patrol(state.last_patrol),
    )


def _built(found: Built | None) -> BuiltView | None:
    if found is None:
        return None
    return BuiltView(found.seat, found.tile, SPACES[found.space], found.stage)


def _trip(found: Trip | None) -> TripView | None:
    if found is None:
        return None
    return TripView(found.seat, tuple(NAMES[c] for c in found.path), found.kind, found.points)


def _patrol(found: Patrol | None) -> PatrolView | None:
    if found is None:
        return None
    start = NAMES[found.start] if found.start >= 0 else ""
    return PatrolView(found.seat, start, NAMES[found.end])


def position(view: PalermoView) -> PalermoState:
    """The position that a view shows, for working out what its moves would do."""
    roofs = 0
    for space, tile in enumerate(view.tiles):
        if tile:
            roofs |= ROOFS[space, tile]
    cell = {name: number for number, name in enumerate(NAMES)}
    cell[AT_FOUNTAIN] = FOUNTAIN
    cell[""] = -1
    return PalermoState(
        seats=view.seats,
        colours=view.colours,
        rng=Rng(seed="00"),
        pending=[Decision(1, seat, "view") for seat in view.waiting],
        next_decision=2,
        ended=view.ended,
        first=view.first,
        chips_each=CHIPS[view.seats],
        tiles=list(view.tiles),
        chips=list(view.chips),
        builders=list(view.builders),
        supply=[count for _, count in view.supply],
        start=SPACES.index(view.start) if view.start else -1,
        roofs=f"{roofs:x}",
        built=sum(b >= 0 for b in view.builders),
        walking=view.walking,
        turn=view.turn,
        pawns=[cell[name] for name in view.pawns],
        gone=list(view.gone),
        home=list(view.home),
        stones=[cell[name] for name in view.stones],
        cards=list(view.cards),
        waits=list(view.waits),
        policed=view.policed,
        trail=tuple(cell[name] for name in view.trail),
        left=view.left,
        income=list(view.income),
        arrival=list(view.arrival),
        bonus=list(view.bonus),
        progress=view.progress,
        quiet=view.quiet,
    )


class Preview(msgspec.Struct, frozen=True):
    """What a move would do: the walk, or the unfinished one of a step; the tile; the stone."""

    trip: TripView | None = None
    trail: tuple[str, ...] = ()
    left: int = 0
    built: BuiltView | None = None
    patrol: PatrolView | None = None


def preview(shown: PalermoView, seat: Seat, move: Move) -> Preview | None:
    """What a move would do on the position that a view shows; None if it is not possible."""
    draft = position(shown)
    try:
        rules.apply(draft, seat, move)
    except MoveError:
        return None
    after = view(draft, shown.viewer)
    if draft.trail:
        return Preview(trail=after.trail, left=after.left)
    return Preview(trip=after.trip, built=after.built, patrol=after.patrol)
