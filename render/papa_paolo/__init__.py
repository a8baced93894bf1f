"""The piazza, the stairs and the neighbourhoods of Papà Paolo."""

from __future__ import annotations

from render.papa_paolo.painter import PAINTER

__all__ = ["PAINTER"]
