"""Pictures of views. Pillow lives here and nowhere else."""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

from render.kit.contract import Painter


@cache
def painter(key: str) -> Painter[Any, Any]:
    """The painter of a game, by its key.

    Raises:
        ModuleNotFoundError: the game has no picture module.
    """
    found: Painter[Any, Any] = importlib.import_module(f"render.{key}").PAINTER
    return found
