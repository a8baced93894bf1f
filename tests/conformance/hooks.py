"""What a game may add to the conformance suite: ``tests/engines/<key>/conformance.py``.

The suite runs over every game of the registry by itself. The hook module may offer:

``Scrambler`` (needed)
    A class without arguments for its constructor and with one method::

        def scramble(self, state, viewer, rand):
            '''A copy of the state: what the viewer may not know is dealt anew.'''

    It is written from the rules, *never* by looking at ``view``: order of draw piles, hands of the
    others, face-down pieces, sealed choices, the random generator with its seed. What the viewer
    knows or can see on the table stays; totals stay consistent, so that the copy passes
    ``game.check``. ``viewer`` is a seat or None (the channel). ``rand`` is a ``random.Random``.
    ``test_leaks.py`` demands that view, legal moves and all texts are the same for both states, and
    that the copy was a different state whenever the match goes on. A game in which nothing at all
    is hidden still scrambles the seed.

``OPTION_SETS`` (default: ``[(None, {})]``)
    A list of ``(seats, options)``; seats None means every seat count.

``STEP_CAP`` (default 3,000)
    Moves within which every random match must have ended.

``MATCHES`` (default 1)
    Random matches per case in the full walks; the suite of one game should take under 20 s.

``OPEN_GAME`` (default False)
    True for a game in which nothing but the seed is hidden from anybody.

``MOVES_PER_SECOND`` (default 20,000)
    Budget of random play-outs in ``tests/bench``, for games heavier than laying tiles.

``GOLDENS`` (default none)
    Whole matches to record, see ``tests/golden/make.py``.

``choose`` (default: at random)
    Picks the moves of recorded matches, where random play hardly reaches the ends wanted.
"""

from __future__ import annotations

import importlib
import importlib.util
import random
from typing import Any, Protocol

from engines.core.registry import games


class Scrambler(Protocol):
    """Deals anew what a viewer may not know."""

    def scramble(self, state: Any, viewer: int | None, rand: random.Random) -> Any: ...


def hook(key: str, name: str, default: Any = None) -> Any:
    """A value of the game's hook module, or the default if it (or the module) is missing."""
    module = f"tests.engines.{key}.conformance"
    try:
        if importlib.util.find_spec(module) is None:
            return default
    except ModuleNotFoundError:
        return default
    return getattr(importlib.import_module(module), name, default)


class Case:
    """A game with a seat count and options."""

    def __init__(self, key: str, seats: int, options: dict[str, Any]) -> None:
        self.key, self.seats, self.options = key, seats, options
        self.game = games()[key]

    def __repr__(self) -> str:
        words = [f"{k}={v}" for k, v in self.options.items()]
        return "-".join([self.key, str(self.seats), *words])


def cases() -> list[Case]:
    """Every game × seat count × option set."""
    found = []
    for key, game in games().items():
        for seats, options in hook(key, "OPTION_SETS", [(None, {})]):
            for count in game.meta.seats if seats is None else (seats,):
                found.append(Case(key, count, options))
    return found
