"""The position of a Palermo match."""

from __future__ import annotations

import msgspec

from engines.core.types import Seat, State
from engines.palermo.components import BASE_POINTS, FOUNTAIN


class Built(msgspec.Struct, frozen=True):
    """The latest tile: who, tile, space, and in which building stage."""

    seat: Seat
    tile: str
    space: int
    stage: str


class Trip(msgspec.Struct, frozen=True):
    """A pawn's latest walk.

    Attributes:
        seat: whose.
        path: cells in order, the first one included; a BACK's path ends where the pawn stays.
        kind: ``stop``, ``finish``, ``exact``, ``back`` or ``stay``.
        points: scored, if any.
    """

    seat: Seat
    path: tuple[int, ...]
    kind: str
    points: int = 0


class Patrol(msgspec.Struct, frozen=True):
    """The latest police move: whose, from (−1 = beside the board) and to."""

    seat: Seat
    start: int
    end: int


class PalermoState(State, kw_only=True):
    """Everything about a match. Cells are numbers, see ``components``; −1 is no cell.

    Attributes:
        first: who begins both phases.
        chips_each: chips of a player at the start.
        tiles: tile on each space by name; empty = free.
        chips: owner of the chip on each space; −1 = none.
        builders: who laid the tile on each space; −1 = nobody.
        supply: house tiles left by type.
        start: space of the Start/Finish tile; −1 before it lies.
        roofs: all roof cells, one bit a cell, as hexadecimal digits.
        built: house tiles (or emergency street tiles) laid so far.
        walking: phase 2 has begun.
        turn: turns of phase 2 begun so far, the running one included.
        pawns: cell of each pawn; −1 at the fountain.
        gone: the pawn has left the fountain for the first time.
        home: the pawn has arrived.
        stones: cell of each police stone; −1 = beside the board.
        cards: chips on each movement card.
        waits: automatic waiting is on.
        policed: the police move of this turn is made.
        trail: cells walked so far in a move made step by step; the first is where it began.
        left: points left in it.
        income, arrival, bonus: points by seat and source.
        progress: this round brought a chip or an arrival.
        quiet: complete rounds in a row without one.
        last_built, last_trip, last_patrol: what was done last, for the picture.
    """

    first: Seat
    chips_each: int
    tiles: list[str]
    chips: list[int]
    builders: list[int]
    supply: list[int]
    start: int = -1
    roofs: str = "0"
    built: int = 0
    walking: bool = False
    turn: int = 0
    pawns: list[int] = []
    gone: list[bool] = []
    home: list[bool] = []
    stones: list[int] = []
    cards: list[int] = []
    waits: list[bool] = []
    policed: bool = False
    trail: tuple[int, ...] = ()
    left: int = 0
    income: list[int] = []
    arrival: list[int] = []
    bonus: list[int] = []
    progress: bool = False
    quiet: int = 0
    last_built: Built | None = None
    last_trip: Trip | None = None
    last_patrol: Patrol | None = None

    def clone(self) -> PalermoState:
        """An independent copy that shares what is never changed in place."""
        return PalermoState(
            seats=self.seats,
            colours=self.colours,
            rng=self.rng.copy(),
            pending=self.pending.copy(),
            next_decision=self.next_decision,
            ended=self.ended,
            first=self.first,
            chips_each=self.chips_each,
            tiles=self.tiles.copy(),
            chips=self.chips.copy(),
            builders=self.builders.copy(),
            supply=self.supply.copy(),
            start=self.start,
            roofs=self.roofs,
            built=self.built,
            walking=self.walking,
            turn=self.turn,
            pawns=self.pawns.copy(),
            gone=self.gone.copy(),
            home=self.home.copy(),
            stones=self.stones.copy(),
            cards=self.cards.copy(),
            waits=self.waits.copy(),
            policed=self.policed,
            trail=self.trail,
            left=self.left,
            income=self.income.copy(),
            arrival=self.arrival.copy(),
            bonus=self.bonus.copy(),
            progress=self.progress,
            quiet=self.quiet,
            last_built=self.last_built,
            last_trip=self.last_trip,
            last_patrol=self.last_patrol,
        )

    @property
    def acting(self) -> Seat:
        """Whose turn it is; −1 once the match is over."""
        return self.pending[0].seat if self.pending else -1

    @property
    def round(self) -> int:
        """Round of phase 2: 1 …; 0 before it."""
        return (self.turn - 1) // self.seats + 1 if self.turn else 0

    def score(self, seat: Seat) -> int:
        """A seat's points so far."""
        return self.income[seat] + self.arrival[seat] + self.bonus[seat]

    def penalty(self, seat: Seat) -> int:
        """1 if the pawn begins its turn on an opposing stone (PL-057)."""
        cell = self.pawns[seat]
        if cell == FOUNTAIN or cell not in self.stones:
            return 0
        return int(self.stones.index(cell) != seat)

    def points(self, seat: Seat) -> int:
        """Movement points of the seat's next turn (PL-055, PL-057)."""
        return BASE_POINTS + self.cards[seat] - self.penalty(seat)

    def frozen_by(self, seat: Seat) -> Seat | None:
        """Whose pawn stands on the seat's stone (PL-086, PL-087)."""
        cell = self.stones[seat]
        if cell < 0 or cell not in self.pawns:
            return None
        return self.pawns.index(cell)
