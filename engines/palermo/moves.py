"""The decisions of Palermo.

The staged choices of the dossier (type, space, area) are fields of the move that commits them, so
that nothing of them is known or logged before.
"""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from engines.core.types import Move


class PlaceStart(Move, frozen=True, tag="place_start"):
    """Put the Start/Finish tile on a space"""

    command: ClassVar[str] = "start"

    space: Annotated[str, Meta(description="Space, such as C3")] = ""


class BuildDoor(Move, frozen=True, tag="build_door"):
    """Lay a house tile and put a chip on it"""

    command: ClassVar[str] = "build"

    type: Annotated[str, Meta(description="Kind of tile: 1a, 1b, 2a, 2b or 3 roofs")] = ""
    space: Annotated[str, Meta(description="Free space, such as C4")] = ""
    door: Annotated[str, Meta(description="Quarter with the doorway: nw, ne, se or sw")] = ""


class PoliceCell(Move, frozen=True, tag="police_cell"):
    """Move your police stone, before your pawn"""

    command: ClassVar[str] = "police"

    cell: Annotated[str, Meta(description="Street cell, such as C4nw or R14")] = ""


class PoliceKeep(Move, frozen=True, tag="police_keep"):
    """Leave your police stone where it is (once your pawn is home)"""

    command: ClassVar[str] = "keep"


class Collect(Move, frozen=True, tag="collect"):
    """Walk to one of your doorways and collect the chip"""

    command: ClassVar[str] = "collect"

    doorway: Annotated[str, Meta(description="Your doorway, such as C4nw")] = ""
    origin: Annotated[
        str | None, Meta(description="First move only: the Start cell to begin on (nw, ne, se, sw)")
    ] = msgspec.field(default=None, name="from")


class Finish(Move, frozen=True, tag="finish"):
    """Walk home to the Start/Finish tile, once all your chips are collected"""

    command: ClassVar[str] = "finish"


class MoveCell(Move, frozen=True, tag="move_cell"):
    """Walk to a cell, spending all your points"""

    command: ClassVar[str] = "move"

    cell: Annotated[str, Meta(description="Where the pawn ends, such as C4nw or R14")] = ""
    origin: Annotated[
        str | None, Meta(description="First move only: the Start cell to begin on (nw, ne, se, sw)")
    ] = msgspec.field(default=None, name="from")


class Step(Move, frozen=True, tag="step"):
    """Walk one step; the walk goes on until its points are spent"""

    command: ClassVar[str] = "step"

    cell: Annotated[str, Meta(description="The next cell")] = ""


class Walk(Move, frozen=True, tag="walk"):
    """Walk a way of your own, cell by cell"""

    command: ClassVar[str] = "walk"

    path: Annotated[
        tuple[str, ...], Meta(description="All cells in order, such as: C3nw C2sw C2nw")
    ] = ()


class AutoWait(Move, frozen=True, tag="auto_wait"):
    """Let your turns pass by themselves while you wait at the fountain"""

    command: ClassVar[str] = "wait"

    on: Annotated[bool, Meta(description="on or off")] = True


PalermoMove = (
    PlaceStart | BuildDoor | PoliceCell | PoliceKeep | Collect | Finish | MoveCell | Step | Walk
    | AutoWait
)  # fmt: skip
MOVES: tuple[type[Move], ...] = (
    PlaceStart, BuildDoor, PoliceCell, PoliceKeep, Collect, Finish, MoveCell, Step, Walk, AutoWait,
)  # fmt: skip
STAY = "stay"
"""``MoveCell.cell`` where no legal end exists (PL-069)."""
