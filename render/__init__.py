"""Pictures of views. Pillow lives here and nowhere else."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache
from typing import Any

from engines.core.types import Move, Seat, View
from render.kit.contract import Painter
from render.kit.encode import Picture, encode

__all__ = ["Painter", "Picture", "painter", "render_board", "render_hand"]


@cache
def painter(key: str) -> Painter[Any, Any]:
    """The painter of a game, by its key.

    Raises:
        ModuleNotFoundError: the game has no picture module.
    """
    found: Painter[Any, Any] = importlib.import_module(f"render.{key}").PAINTER
    return found


def render_board(
    game_key: str,
    view: View,
    names: Sequence[str],
    moves: Sequence[Move] = (),
    focus: Seat | None = None,
) -> Picture:
    """The encoded picture of a board; may be called from several threads at once.

    Equal arguments give equal bytes.

    Args:
        game_key: the game.
        view: public, or a seat's own.
        names: display name of each seat; any text.
        moves: candidate moves to mark (private pictures only).
        focus: show this player's own area large, where the game has one.
    """
    artist = painter(game_key)
    image = artist.board(view, names, moves=moves, focus=focus)
    return encode(image, game_key, artist.sheet)


def render_hand(game_key: str, view: View, names: Sequence[str]) -> Picture | None:
    """The encoded picture of the viewer's hidden things; None if text is enough."""
    artist = painter(game_key)
    image = artist.hand(view, names)
    return None if image is None else encode(image, game_key, artist.sheet)
