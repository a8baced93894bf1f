"""Finds the games: every folder in ``engines/`` but ``core`` that offers a ``GAME``."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any

import engines
from engines.core.errors import SetupError
from engines.core.game import Game


@cache
def games() -> dict[str, Game[Any, Any, Any]]:
    """All games by key, in alphabetical order."""
    found: dict[str, Game[Any, Any, Any]] = {}
    for module in sorted(pkgutil.iter_modules(engines.__path__), key=lambda m: m.name):
        if module.ispkg and module.name != "core":
            game = importlib.import_module(f"engines.{module.name}").GAME
            found[game.meta.key] = game
    return found


def game(key: str) -> Game[Any, Any, Any]:
    """The game of that key or command name.

    Raises:
        SetupError: there is none.
    """
    for candidate in games().values():
        if key in (candidate.meta.key, candidate.meta.command):
            return candidate
    raise SetupError(f"There is no game “{key}”; there are {', '.join(games())}.")
