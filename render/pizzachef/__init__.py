"""The village square on which Pizzachef is played."""

from __future__ import annotations

from render.pizzachef.painter import PAINTER

__all__ = ["PAINTER"]
