"""The paper city on which Papertown is played."""

from __future__ import annotations

from render.papertown.painter import PAINTER

__all__ = ["PAINTER"]
