"""What a game's picture module offers (design, section 6)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from PIL import Image

from engines.core.types import Move, Seat, View

V = TypeVar("V", bound=View)
M = TypeVar("M", bound=Move)


class Painter(ABC, Generic[V, M]):
    """Draws a game's views. A module ``render/<game key>`` offers one as ``PAINTER``.

    A picture depends on its arguments alone: equal arguments give equal pixels, so that a view that
    hides something cannot betray it. Painters hold nothing but caches of sprites and may be called
    from two threads at once.
    """

    @abstractmethod
    def board(
        self, view: V, names: Sequence[str], *, moves: Sequence[M] = (), focus: Seat | None = None
    ) -> Image.Image:
        """The board, about 1200 px wide, legible at 400 px.

        Args:
            view: public, or a seat's own.
            names: display name of each seat; any text, the painter shortens it.
            moves: mark these candidate moves on the board (private pictures only).
            focus: show this player's own area large, where the game has one.
        """

    def hand(self, view: V, names: Sequence[str]) -> Image.Image | None:
        """The viewer's hidden things as a picture; None if text is enough."""
        return None

    def sheet(self) -> Image.Image | None:
        """A picture with every colour that boards of this game use, for the fixed palette.

        A busy board does well. None: boards are encoded in true colour, which is slower.
        """
        return None
