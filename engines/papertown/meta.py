"""Facts about Papertown and its options."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from engines.core.types import GameMeta, Options

META = GameMeta(
    key="papertown",
    command="papertown",
    title="Papertown",
    prefix="PT",
    seats=(1, 2, 3, 4),
    rules_version=1,
    colours=("blue", "grey", "purple", "yellow"),
    summary="Build one city together, but line its Blocks up for your own objectives.",
    minutes="about 30 minutes at a table",
    credits="After the published Papertown rulebook.",
    undo_rule="PT-127",
    seats_rule="PT-012",
    colours_rule="PT-017",
    stale_rule="PT-027",
    end_reasons={
        "meeples": "All twelve meeples of one set are in the city.",
        "stack": "The Block stack is empty.",
        "solo_blocks": "No Block is available and no meeple is left.",
        "solo_complete": "All twelve objectives are complete.",
        "solo_stopped": "The player stopped with no Block available.",
    },
    reconstructed=(
        "Only Gated Community is a printed sequence. The other objective tiles’ sequences and "
        "layouts, most of their names and the start line are our reconstruction."
    ),
    secrets="Great Structure",
)


class PapertownOptions(Options):
    """What the host may set before the start."""

    mode: Literal["ffa", "pairs", "solo"] = Field(
        default="ffa",
        description="Each for themselves (alone: the solo game), two pairs of four, or solo",
    )
    gs_symmetry: Literal["flip4", "rot180", "all8"] = Field(
        default="flip4",
        description="Great Structures: mirrored (flip4), half turn only (rot180), any turn (all8)",
    )
    first_player: Literal["random", "1", "2", "3", "4"] = Field(
        default="random", description="Who begins: drawn at random, or the player of that seat"
    )
    solo_meeples: int = Field(
        default=3, ge=0, le=18, description="Solo: meeples to spend, more is easier"
    )
