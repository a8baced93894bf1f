"""Facts about Papà Paolo."""

from __future__ import annotations

from engines.core.types import GameMeta

META = GameMeta(
    key="papa_paolo",
    command="paolo",
    title="Papà Paolo",
    prefix="PP",
    seats=(2, 3, 4),
    rules_version=1,
    colours=("purple", "teal", "orange", "white"),
    summary="Lay roads round your pizzerias in Naples, stock them, bid, and deliver pizzas.",
    minutes="60 to 90 minutes at a table",
    credits=(
        "Designed by Fabrice Vandenbogaerde, art by David Cochard, "
        "graphic design by Rafaël Theunis."
    ),
    undo_rule="PP-009",
    stale_rule="PP-123",
    seats_rule="PP-010",
    colours_rule="PP-016",
    end_reasons={"rounds": "The fifth round is over and the pizzas are counted."},
    reconstructed=(
        "The roads on the city tiles, most delivery tiles, the experience steps, the pizzerias' "
        "capacities, where the actions lie, stairs rows 5 to 7, the start tiles, three investment "
        "effects and the large tile's order are our reconstruction, not the printed values."
    ),
    secrets="money",
)
