"""A busy board, from which the palette of the pictures is made."""

from __future__ import annotations

import msgspec

from engines.core.rng import Rng
from engines.palermo import GAME
from engines.palermo.meta import PalermoOptions
from engines.palermo.views import BuiltView, PalermoView, PatrolView, TripView


def busy() -> PalermoView:
    """Five players in the middle of phase 2, some spaces shown as still free."""
    state, _ = GAME.setup(5, PalermoOptions(youngest=1), Rng(seed="00"))
    while not state.walking or state.turn < 12:
        seat = GAME.waiting(state)[0]
        GAME.apply(state, seat, GAME.safest(state, seat))
    view = GAME.view(state, None)
    tiles = list(view.tiles)
    for space in (0, 35):
        tiles[space] = ""
    shown: PalermoView = msgspec.structs.replace(
        view,
        tiles=tuple(tiles),
        stones=("R5", "R20", "R33", "R45", "R10"),
        trip=TripView(0, tuple(f"R{k}" for k in range(1, 10)), "stop", 3),
        patrol=PatrolView(1, "R15", "R20"),
        built=BuiltView(0, "3/nw", "C3", "join"),
    )
    return shown
