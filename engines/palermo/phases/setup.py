"""Setup (PL-001 to PL-014)."""

from __future__ import annotations

from engines.core.errors import SetupError
from engines.core.rng import Rng
from engines.core.types import Event
from engines.palermo.components import CHIPS, FOUNTAIN, SUPPLY
from engines.palermo.state import PalermoState


def setup(
    seats: int, colours: tuple[str, ...], youngest: int, rng: Rng
) -> tuple[PalermoState, list[Event]]:
    """The empty board; the youngest, or a drawn seat, begins (PL-007, PL-008).

    Raises:
        SetupError: the youngest is not at the table.
    """
    if youngest > seats:
        raise SetupError(
            f"Only {seats} players take part, so player {youngest} cannot be the youngest.",
            "PL-008",
        )
    first = youngest - 1 if youngest else rng.below("first", seats)
    state = PalermoState(
        seats=seats,
        colours=colours,
        rng=rng,
        first=first,
        chips_each=CHIPS[seats],
        tiles=[""] * 36,
        chips=[-1] * 36,
        builders=[-1] * 36,
        supply=list(SUPPLY),
        pawns=[FOUNTAIN] * seats,
        gone=[False] * seats,
        home=[False] * seats,
        stones=[-1] * seats,
        cards=[0] * seats,
        waits=[False] * seats,
        income=[0] * seats,
        arrival=[0] * seats,
        bonus=[0] * seats,
    )
    state.ask(first, "place_start")
    return state, [Event("begin", {"seat": first, "drawn": not youngest, "chips": CHIPS[seats]})]
