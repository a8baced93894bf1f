"""Facts about Paris Paris."""

from __future__ import annotations

from engines.core.types import GameMeta

META = GameMeta(
    key="paris_paris",
    command="paris",
    title="Paris Paris",
    prefix="PR",
    seats=(2, 3, 4),
    rules_version=1,
    colours=("grey", "violet", "yellow", "green"),
    summary="Open shops at the bus stops of Paris and be where the sightseeing bus passes.",
    minutes="30 to 45 minutes at a table",
    credits="Designed by Michael Schacht.",
    undo_rule="PR-082",
    stale_rule="PR-029",
    seats_rule="PR-001",
    colours_rule="PR-010",
    end_reasons={"stacks": "All stacks of tiles were used, and the special tours were driven."},
    reconstructed=(
        "The bus lines red and orange, some stop names and places, the tile colours and the "
        "picture are our reconstruction, not the printed board."
    ),
    secrets="special-route marker",
)
