"""The sheet a board is drawn on, and the parts that make all boards one family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from PIL import Image

from render.kit import sprites
from render.kit.palette import ACT, CARD, HAIR, INK, MUTED, PAPER, RGB, ink_on, light
from render.kit.type import Box, fit, place, width_of, word

WIDTH = 1200
MARGIN = 24
HEADER = 84
"""Height of the header band."""
PANEL = 104
"""Height of a player panel."""

_record: ContextVar[list[Mark] | None] = ContextVar("marks", default=None)


@dataclass(frozen=True)
class Mark:
    """Something drawn, for tests: what it is, the text or name, and its pixel box."""

    kind: str
    name: str
    box: Box


@contextmanager
def recording() -> Iterator[list[Mark]]:
    """Collects what is drawn inside the block."""
    marks: list[Mark] = []
    token = _record.set(marks)
    try:
        yield marks
    finally:
        _record.reset(token)


def mark(kind: str, name: str, box: Box) -> None:
    """Note something drawn, if a test listens."""
    marks = _record.get()
    if marks is not None:
        marks.append(Mark(kind, name, box))


@dataclass(frozen=True)
class Panel:
    """What a player's panel shows.

    Attributes:
        seat: 0 …
        name: readable.
        colour: of the player's pieces.
        score: large, at the right; empty for none.
        note: a short second line.
        act: it is this player's turn.
        icon: sprite beside the name, such as the starting player's bus.
        won: shows a crown.
        extras: sprites at the right of the second line.
        corner: sprite at the right of the name.
        letter: on the badge instead of the seat's number.
    """

    seat: int
    name: str
    colour: RGB
    score: str = ""
    note: str = ""
    act: bool = False
    icon: Image.Image | None = None
    won: bool = False
    extras: tuple[Image.Image, ...] = ()
    corner: Image.Image | None = None
    letter: str | None = None


class Canvas:
    """An RGB image with the few operations that boards need. Everything drawn comes from caches."""

    def __init__(self, width: int = WIDTH, height: int = 900, ground: RGB = PAPER) -> None:
        """A blank sheet."""
        self.image = Image.new("RGB", (width, height), ground)

    @classmethod
    def on(cls, image: Image.Image) -> Canvas:
        """A sheet that begins as a copy of a finished background."""
        sheet = cls.__new__(cls)
        sheet.image = image.copy()
        return sheet

    @property
    def width(self) -> int:
        """In pixels."""
        return self.image.width

    @property
    def height(self) -> int:
        """In pixels."""
        return self.image.height

    # ---- placing -----------------------------------------------------------------------------

    def paste(
        self,
        sprite: Image.Image,
        x: float,
        y: float,
        anchor: str = "mm",
        *,
        kind: str = "",
        name: str = "",
    ) -> Box:
        """Put a sprite down; returns its box.

        Args:
            sprite: RGBA or RGB.
            x, y: where its anchor goes.
            anchor: l, m, r for the side and t, m, b for the level.
            kind, name: noted for tests if given.
        """
        dx = {"l": 0.0, "m": sprite.width / 2, "r": float(sprite.width)}[anchor[0]]
        dy = {"t": 0.0, "m": sprite.height / 2, "b": float(sprite.height)}[anchor[1]]
        left, top = round(x - dx), round(y - dy)
        self.image.paste(sprite, (left, top), sprite if sprite.mode == "RGBA" else None)
        box = (left, top, left + sprite.width, top + sprite.height)
        if kind:
            mark(kind, name, box)
        return box

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: int,
        fill: RGB = INK,
        *,
        bold: bool = False,
        condensed: bool = False,
        anchor: str = "ls",
        width: int | None = None,
        outline: RGB | None = None,
        outline_width: int = 3,
        spacing: int = 0,
        kind: str = "text",
    ) -> Box:
        """Write one line; returns the box of its ink.

        Args:
            x, y: where its anchor goes.
            text: already readable.
            size, fill, bold, condensed, outline, outline_width, spacing: see ``type.word``.
            anchor: l, m, r for the side and t, m, s, b for the level, see ``type.place``.
            width: shorten to this.
            kind: noted for tests.
        """
        if width is not None:
            text = fit(text, size, width, bold, condensed)
        w = word(
            text, size, fill, bold=bold, condensed=condensed, outline=outline,
            outline_width=outline_width, spacing=spacing,
        )  # fmt: skip
        bx, by = place(w, x, y, anchor)
        self.image.paste(w.image, (bx - w.left, by - w.up), w.image)
        box = (bx + w.ink[0], by + w.ink[1], bx + w.ink[2], by + w.ink[3])
        mark(kind, text, box)
        return box

    def fill(self, box: Box, colour: RGB) -> None:
        """A plain rectangle."""
        self.image.paste(colour, box)

    def panel(
        self,
        box: Box,
        fill: RGB = CARD,
        radius: float = 12,
        outline: RGB | None = HAIR,
        width: float = 2,
    ) -> None:
        """A rounded panel."""
        size = (box[2] - box[0], box[3] - box[1])
        self.paste(sprites.panel(size, fill, radius, outline, width), box[0], box[1], "lt")

    # ---- the family --------------------------------------------------------------------------

    def header(
        self,
        title: str,
        status: str,
        *,
        turn: Panel | None = None,
        turn_text: str = "to act",
        message: str = "",
        message_tail: str = "",
        accent: RGB = ACT,
    ) -> int:
        """The band at the top: title, progress, and whose turn it is; returns its lower edge.

        Args:
            title: of the game.
            status: such as ``Round 3 of 12``.
            turn: the player to act.
            turn_text: what follows that player's name.
            message: shown instead of the player, such as the winner's name; shortened if needed.
            message_tail: follows the message and is never shortened.
            accent: colour of the stripe below the band.
        """
        self.fill((0, 0, self.width, HEADER - 6), INK)
        self.fill((0, HEADER - 6, self.width, HEADER), accent)
        middle = (HEADER - 6) / 2
        box = self.text(
            MARGIN, middle, title.upper(), 38, PAPER, condensed=True, bold=True, anchor="lm",
            spacing=4, kind="header",
        )  # fmt: skip
        left = box[2] + 36
        if status:
            box = self.text(left, middle, status, 27, light(MUTED, 0.62), anchor="lm",
                            kind="header")  # fmt: skip
            left = box[2] + 36
        right = self.width - MARGIN
        if message or message_tail:
            tail = width_of(message_tail, 30, True)
            words = fit(message, 30, right - left - tail, True) + message_tail
            self.text(right, middle, words, 30, PAPER, bold=True, anchor="rm", kind="header")
        elif turn is not None:
            tail = width_of(turn_text, 30) + 12
            room = right - left - 58 - tail - 24
            name = fit(turn.name, 30, room, True)
            wide = width_of(name, 30, True) + 58 + tail + 20
            self.panel((right - wide, 9, right, HEADER - 15), PAPER, 27, None)
            x = right - wide + 8
            self.paste(sprites.seat_badge(turn.seat, turn.colour, 46, turn.letter), x, middle, "lm")
            box = self.text(x + 52, middle, name, 30, INK, bold=True, anchor="lm", kind="header")
            self.text(x + 52 + width_of(name, 30, True) + 10, middle, turn_text, 30, ACT,
                      anchor="lm", kind="header")  # fmt: skip
        return HEADER

    def players(
        self,
        panels: Sequence[Panel],
        y: int,
        *,
        left: int = MARGIN,
        right: int | None = None,
        height: int = PANEL,
    ) -> int:
        """A row of player panels; returns its lower edge."""
        end = self.width - MARGIN if right is None else right
        gap = 14
        wide = (end - left - gap * (len(panels) - 1)) / max(1, len(panels))
        for place_, panel in enumerate(panels):
            x0 = round(left + place_ * (wide + gap))
            self._player(panel, (x0, y, round(x0 + wide), y + height))
        return y + height

    def _player(self, panel: Panel, box: Box) -> None:
        x0, y0, x1, y1 = box
        high = y1 - y0
        self.panel(box, CARD, 14, ACT if panel.act else HAIR, 5 if panel.act else 2)
        badge = min(58, high - 24)
        shape = sprites.seat_badge(panel.seat, panel.colour, badge, panel.letter)
        self.paste(shape, x0 + 10, (y0 + y1) / 2, "lm")
        left, right = x0 + 10 + badge + 8, x1 - 16
        upper, lower = y0 + high * 0.29, y0 + high * 0.7
        room = right - left
        if panel.corner is not None:
            self.paste(panel.corner, right + 4, upper, "rm")
            room -= panel.corner.width
        narrow = width_of(panel.name, 28, True) > room
        self.text(left, upper, panel.name, 28, INK, bold=True, condensed=narrow, anchor="lm",
                  width=room, kind="panel")  # fmt: skip
        if panel.score:
            at = self.text(right, lower, panel.score, 42, INK, bold=True, anchor="rm",
                           kind="panel")  # fmt: skip
            right = at[0] - 12
        if panel.won:
            right = self.paste(sprites.crown(size=44), right, lower, "rm")[0] - 6
        for sprite in reversed(panel.extras):
            right = self.paste(sprite, right, lower, "rm")[0] - 4
        if panel.icon is not None:
            left = self.paste(panel.icon, left - 4, lower, "lm")[2] + 6
        if panel.note and width_of(panel.note, 22) <= right - left:
            self.text(left, lower, panel.note, 22, MUTED, anchor="lm", kind="panel")
        elif panel.note and right - left > 90:
            self.text(left, lower, panel.note, 22, MUTED, bold=True, condensed=True, anchor="lm",
                      width=right - left, kind="panel")  # fmt: skip
        if panel.act:
            self.paste(sprites.pill("TO ACT", ACT, 26, halo=0, outline=0), x1 - 18, y0 + 1, "rm")

    def label(
        self, x: float, y: float, text: str, colour: RGB, height: int = 32, anchor: str = "mm"
    ) -> Box:
        """A pill with words on it."""
        return self.paste(sprites.pill(text, colour, height), x, y, anchor)

    def footnote(self, text: str, y: int | None = None) -> None:
        """A small line at the lower edge, such as what is reconstructed in our data."""
        line = self.height - 12 if y is None else y
        self.text(
            self.width / 2, line, text, 19, MUTED, anchor="ms", width=self.width - 2 * MARGIN,
            kind="footnote",
        )  # fmt: skip


__all__ = [
    "HEADER", "MARGIN", "PANEL", "WIDTH", "Canvas", "Mark", "Panel", "ink_on", "mark", "recording",
]  # fmt: skip
