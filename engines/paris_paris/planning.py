"""What planned words stand for before one's turn."""

from __future__ import annotations

from collections.abc import Mapping

from engines.core.types import listing
from engines.paris_paris.components import tile_parts
from engines.paris_paris.text import line_words, stop_name
from engines.paris_paris.views import ParisView


def meaning(view: ParisView, args: Mapping[str, str]) -> str:
    """The tile, and whose shops stand at its stop: opening there may replace one of them."""
    tile = args.get("tile", "")
    if "/" not in tile:
        return ""
    stop, colour = tile_parts(tile)
    if tile not in view.face_up:
        return f"{stop_name(stop)} – {line_words(colour)}, not face up"
    owners = dict(view.shops).get(stop, ())
    there = f"shops of {listing([view.colours[s] for s in owners])}" if owners else "no shop"
    return f"{stop_name(stop)} – {line_words(colour)}, {there} there"


def foreseen(view: ParisView, param: str) -> tuple[str, ...]:
    """The tiles that lie face up."""
    return tuple(dict.fromkeys(view.face_up)) if param == "tile" else ()
