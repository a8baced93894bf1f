"""The position of a Paris Paris match."""

from __future__ import annotations

import msgspec

from engines.core.types import Seat, State

SUPPLY = 19
"""Shops of a player besides the score marker (PR-011)."""


class Opening(msgspec.Struct, frozen=True):
    """The latest opening: who, with which tile, whose shop went and where to (sack or supply)."""

    seat: Seat
    tile: str
    removed: Seat | None = None
    to: str = ""


class Tour(msgspec.Struct, frozen=True):
    """A tour that was scored.

    Attributes:
        kind: ``small``, ``grand`` or ``special``.
        where: stop of a small tour, colour of the line of a grand or special one.
        points: (stop, seat, points) in the order scored.
        owner: whose marker sent a special tour; None for the open marker or other tours.
    """

    kind: str
    where: str
    points: tuple[tuple[str, Seat, int], ...]
    owner: Seat | None = None


class ParisState(State, kw_only=True):
    """Everything about a match.

    Attributes:
        stacks: all stacks in the order in which they are used; never changed.
        round: 1 …, the stack in use.
        first: starting player of round 1.
        bus: starting player of this round.
        face_up: tiles not yet taken in this round.
        used: tiles taken in this round, in order.
        openers: who has opened in this round, in order.
        shops: owners at each stop that has shops.
        sack: shops in the sack by owner.
        p_row: tiles beside the score track, in the order laid.
        boxed: tiles out of the game, in the order they went.
        small, grand, special, sacked: points by seat and source.
        markers: secret special-route marker of each seat.
        open_marker: the face-up one of two players.
        last: latest opening.
        tours: scored since the last round's end.
    """

    stacks: tuple[tuple[str, ...], ...]
    markers: tuple[str, ...]
    open_marker: str | None
    first: Seat
    bus: Seat
    round: int = 0
    face_up: list[str] = []
    used: list[str] = []
    openers: list[Seat] = []
    shops: dict[str, tuple[Seat, ...]] = {}
    sack: list[int] = []
    p_row: list[str] = []
    boxed: list[str] = []
    small: list[int] = []
    grand: list[int] = []
    special: list[int] = []
    sacked: list[int] = []
    last: Opening | None = None
    tours: tuple[Tour, ...] = ()

    def clone(self) -> ParisState:
        """An independent copy that shares what is never changed in place."""
        return ParisState(
            seats=self.seats,
            colours=self.colours,
            rng=self.rng.copy(),
            pending=self.pending.copy(),
            next_decision=self.next_decision,
            ended=self.ended,
            stacks=self.stacks,
            markers=self.markers,
            open_marker=self.open_marker,
            first=self.first,
            bus=self.bus,
            round=self.round,
            face_up=self.face_up.copy(),
            used=self.used.copy(),
            openers=self.openers.copy(),
            shops=self.shops.copy(),
            sack=self.sack.copy(),
            p_row=self.p_row.copy(),
            boxed=self.boxed.copy(),
            small=self.small.copy(),
            grand=self.grand.copy(),
            special=self.special.copy(),
            sacked=self.sacked.copy(),
            last=self.last,
            tours=self.tours,
        )

    def score(self, seat: Seat) -> int:
        """A seat's points so far."""
        return self.small[seat] + self.grand[seat] + self.special[seat] + self.sacked[seat]

    def on_board(self, seat: Seat) -> int:
        """A seat's shops on the board, score marker not counted."""
        return sum(owners.count(seat) for owners in self.shops.values())

    def supply(self, seat: Seat) -> int:
        """A seat's shops not in play (PR-034)."""
        return max(0, SUPPLY - self.on_board(seat) - self.sack[seat])
