"""The town of Palermo, seen from above."""

from __future__ import annotations

from render.palermo.painter import PAINTER

__all__ = ["PAINTER"]
