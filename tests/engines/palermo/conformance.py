"""Palermo in the conformance suite: everything is open (PL-003), only the generator is not."""

from __future__ import annotations

import random
from typing import Any

OPEN_GAME = True
"""Nothing but the seed is hidden from anybody."""

OPTION_SETS: list[tuple[int | None, dict[str, Any]]] = [(None, {}), (3, {"youngest": 2})]
STEP_CAP = 20_000


class Scrambler:
    """The generator is used for one draw at most, that of the first seat (PL-008); its seed is
    secret until the end. All else lies on the table."""

    def scramble(self, state: Any, viewer: int | None, rand: random.Random) -> Any:
        copy = state.clone()
        copy.rng.seed = f"{rand.getrandbits(128):032x}"
        return copy
