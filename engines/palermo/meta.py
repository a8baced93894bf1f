"""Facts about Palermo and the options of a match."""

from __future__ import annotations

from pydantic import Field

from engines.core.types import GameMeta, Options

META = GameMeta(
    key="palermo",
    command="palermo",
    title="Palermo",
    prefix="PL",
    seats=(3, 4, 5),
    rules_version=1,
    colours=("red", "blue", "green", "yellow", "black"),
    summary="Build a town together, then walk from business to business and collect the income.",
    minutes="about 60 minutes at a table",
    credits="Designed by Walter Ziser, published by Piatnik in 1992.",
    undo_rule="PL-121",
    seats_rule="PL-001",
    colours_rule="PL-011",
    end_reasons={
        "home": "The last pawn came home.",
        "stalemate": "Six rounds in a row brought neither a chip nor an arrival.",
    },
    reconstructed=(
        "The shapes and numbers of the house tiles, the cells of the ring road, the colours and "
        "the picture are our reconstruction, not the printed game."
    ),
)


class PalermoOptions(Options):
    """What the host may choose."""

    youngest: int = Field(
        default=0,
        ge=0,
        le=5,
        description="Who begins, by order of joining (1 = who joined first); 0 = drawn by lot",
    )
