"""The poster of Paris on which Paris Paris is played."""

from __future__ import annotations

from render.paris_paris.painter import PAINTER

__all__ = ["PAINTER"]
