"""The decisions of Papertown, named as in the rules."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from engines.core.types import Move


class BuyBank(Move, frozen=True, tag="buy_bank"):
    """Buy a Block that lies face up in the bank"""

    block: Annotated[str, Meta(description="Kind of Block")]


class DrawBlocks(Move, frozen=True, tag="draw_blocks"):
    """Draw two unseen Blocks from the stack; you keep one, the other goes to the bank"""


class KeepBlock(Move, frozen=True, tag="keep_block"):
    """Keep one of the two Blocks you drew"""

    block: Annotated[str, Meta(description="Kind of Block to keep")]


class SpendMeeple(Move, frozen=True, tag="spend_meeple"):
    """Solo: spend a meeple for a Block that is out of play"""

    block: Annotated[str, Meta(description="Kind of Block")]


class Place(Move, frozen=True, tag="place"):
    """Place your Block on a cell of the city"""

    cell: Annotated[str, Meta(description="Cell, such as N50")]


class Claim(Move, frozen=True, tag="claim"):
    """Claim an objective that your Block completes"""

    objective: Annotated[str, Meta(description="Objective tile")]
    seal: Annotated[str, Meta(description="Cell on which the tile is laid")]
    pattern: Annotated[
        tuple[str, ...] | None,
        Meta(description="Its cells in order, only if the tile fits more than once"),
    ] = None


class FinishTurn(Move, frozen=True, tag="finish_turn"):
    """End your turn after placing a Block"""


class SwapConstructions(Move, frozen=True, tag="swap_constructions"):
    """Draw two Constructions instead of building; then choose which to keep"""


class KeepConstructions(Move, frozen=True, tag="keep_constructions"):
    """Choose the Constructions you keep after a swap"""

    keep: Annotated[tuple[str, ...], Meta(description="The tiles you keep")]
    bottom: Annotated[
        tuple[str, ...], Meta(description="The others, in the order they go under the deck")
    ] = ()


class SwapGreatStructure(Move, frozen=True, tag="swap_great_structure"):
    """Draw two Great Structures instead of building; then secretly choose one"""


class KeepGreatStructure(Move, frozen=True, tag="keep_great_structure"):
    """Choose the Great Structure you keep after a swap"""

    keep: Annotated[str, Meta(description="The tile you keep")]
    bottom: Annotated[
        tuple[str, ...], Meta(description="The others, in the order they go under the deck")
    ] = ()


class EndSolo(Move, frozen=True, tag="end_solo"):
    """Solo: stop when no Block is available"""


MOVES: tuple[type[Move], ...] = (
    BuyBank,
    DrawBlocks,
    KeepBlock,
    SpendMeeple,
    Place,
    Claim,
    FinishTurn,
    SwapConstructions,
    KeepConstructions,
    SwapGreatStructure,
    KeepGreatStructure,
    EndSolo,
)
"""All of them, in the order of commands and pickers."""
