"""What a viewer may know of a Paris Paris match."""

from __future__ import annotations

from engines.core.types import Seat, View, Viewer
from engines.paris_paris.components import board
from engines.paris_paris.state import Opening, ParisState, Tour


class ParisView(View, frozen=True, kw_only=True):
    """A viewer's picture of the match.

    Attributes:
        round, rounds, stacks_left: progress; ``stacks_left`` are still face down.
        bus: starting player of this round.
        first: starting player of round 1.
        to_act: who is to open a shop; None once the match is over.
        openers: who has opened in this round, in order.
        face_up: tiles (``stop/colour``) that can be taken.
        used: tiles taken in this round.
        p_row: tiles beside the score track.
        shops: (stop, owners) for every stop with shops, in board order.
        scores: points by seat.
        supplies: shops in supply by seat; None with 3 or 4 players until the end (PR-047).
        has_sack: whether this match has one.
        sack: shops in it by seat; None until the end.
        open_marker: line of the face-up marker of two players.
        my_marker: the viewer's own secret line.
        markers: every seat's line, after the end.
        last: latest opening.
        tours: scored since the last round's end.
    """

    round: int
    rounds: int
    stacks_left: int
    bus: Seat
    first: Seat
    to_act: Seat | None
    openers: tuple[Seat, ...]
    face_up: tuple[str, ...]
    used: tuple[str, ...]
    p_row: tuple[str, ...]
    shops: tuple[tuple[str, tuple[Seat, ...]], ...]
    scores: tuple[int, ...]
    supplies: tuple[int, ...] | None
    has_sack: bool
    sack: tuple[int, ...] | None
    open_marker: str | None
    my_marker: str | None
    markers: tuple[str, ...] | None
    last: Opening | None
    tours: tuple[Tour, ...]


def view(state: ParisState, viewer: Viewer) -> ParisView:
    """Build a view field by field (PR-016 to PR-018, PR-046, PR-047, PR-080)."""
    over = state.ended is not None
    seats = range(state.seats)
    return ParisView(
        viewer=viewer,
        seats=state.seats,
        colours=state.colours,
        waiting=tuple(d.seat for d in state.pending),
        ended=state.ended,
        round=state.round,
        rounds=len(state.stacks),
        stacks_left=len(state.stacks) - state.round,
        bus=state.bus,
        first=state.first,
        to_act=state.pending[0].seat if state.pending else None,
        openers=tuple(state.openers),
        face_up=tuple(state.face_up),
        used=tuple(state.used),
        p_row=tuple(state.p_row),
        shops=tuple((stop, state.shops[stop]) for stop in board().stops if stop in state.shops),
        scores=tuple(state.score(seat) for seat in seats),
        supplies=(
            tuple(state.supply(seat) for seat in seats) if over or state.seats == 2 else None
        ),
        has_sack=state.seats > 2,
        sack=tuple(state.sack) if over and state.seats > 2 else None,
        open_marker=state.open_marker,
        my_marker=state.markers[viewer] if viewer is not None else None,
        markers=state.markers if over else None,
        last=state.last,
        tours=state.tours,
    )
