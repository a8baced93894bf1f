"""Words: fonts, measuring, shortening, and finished text as cached sprites."""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from render.kit.cache import Store
from render.kit.palette import INK, RGB

Box = tuple[int, int, int, int]
ELLIPSIS = "…"
HOLE = "·"

_FILES = {
    (False, False): "DejaVuSans.ttf",
    (True, False): "DejaVuSans-Bold.ttf",
    (True, True): "DejaVuSansCondensed-Bold.ttf",
    (False, True): "DejaVuSansCondensed-Bold.ttf",
}


@cache
def _file(name: str) -> bytes:
    return files("render.kit").joinpath("fonts", name).read_bytes()


@lru_cache(maxsize=256)
def font(size: int, bold: bool = False, condensed: bool = False) -> ImageFont.FreeTypeFont:
    """DejaVu Sans of that pixel size; condensed is always bold."""
    return ImageFont.truetype(
        io.BytesIO(_file(_FILES[bold, condensed])), size, layout_engine=ImageFont.Layout.BASIC
    )


@cache
def cap_height(size: int, bold: bool = False, condensed: bool = False) -> int:
    """Height of a capital letter."""
    return round(-font(size, bold, condensed).getbbox("H", anchor="ls")[1])


def width_of(text: str, size: int, bold: bool = False, condensed: bool = False) -> int:
    """Advance width in pixels."""
    return round(font(size, bold, condensed).getlength(text))


# ---- what the font can show ------------------------------------------------------------------


@cache
def _shape(char: str) -> tuple[tuple[int, int], bytes]:
    mask = font(24).getmask(char)
    return mask.size, bytes(mask)


@lru_cache(maxsize=4096)
def _known(char: str) -> bool:
    return char == " " or _shape(char) != _shape("\U0010fffe")


@lru_cache(maxsize=2048)
def readable(name: str, fallback: str = "?") -> str:
    """The name in characters that the font can show, never boxes.

    Look-alike letters (𝓐, Ａ) become plain ones, accents stay where a composed letter exists,
    emoji, controls and stacked accents go, and a run of foreign letters becomes one dot. Hebrew is
    put in visual order; scripts whose letters join are not drawn.

    >>> readable("🔥 Ａnna\\u202e 🔥"), readable("田中 Kenji"), readable("田中", "Player 2")
    ('Anna', '· Kenji', 'Player 2')

    Args:
        name: any text.
        fallback: used when no letter or digit is left.
    """
    out: list[str] = []
    for char in unicodedata.normalize("NFC", name[:200]):
        out.append(_plain(char))
    text = "".join(out)
    while HOLE * 2 in text:
        text = text.replace(HOLE * 2, HOLE)
    text = " ".join(text.split())
    if not any(c.isalnum() for c in text):
        return fallback
    return _visual(text)


def _plain(char: str) -> str:
    kind = unicodedata.category(char)
    if char.isspace():
        return " "
    if kind[0] == "C" or kind[0] == "M":
        return ""
    joined = unicodedata.bidirectional(char) == "AL"
    if not joined and _known(char):
        return char
    simple = unicodedata.normalize("NFKC", char)
    if not joined and simple != char and all(_known(c) for c in simple):
        return simple
    return HOLE if kind[0] in "LN" else ""


def _visual(text: str) -> str:
    out: list[str] = []
    run: list[str] = []
    for char in text:
        if unicodedata.bidirectional(char) == "R" or (run and char == " "):
            run.insert(0, char)
            continue
        while run and run[0] == " ":
            out.append(run.pop(0))
        out += [*run, char]
        run = []
    return "".join(out + run)


def people(names: Sequence[str], seats: int) -> tuple[str, ...]:
    """A readable name for every seat; nameless ones become ``Player 2``."""
    given = list(names)[:seats] + [""] * (seats - len(names))
    return tuple(readable(name, f"Player {seat + 1}") for seat, name in enumerate(given))


# ---- fitting ---------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def fit(text: str, size: int, width: int, bold: bool = False, condensed: bool = False) -> str:
    """The text, shortened with an ellipsis to at most that many pixels."""
    measure = font(size, bold, condensed).getlength
    if measure(text) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if measure(text[:middle].rstrip() + ELLIPSIS) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + ELLIPSIS if low else ELLIPSIS


def wrap(
    text: str, size: int, width: int, bold: bool = False, condensed: bool = False, lines: int = 99
) -> list[str]:
    """The text broken at spaces; what does not fit in ``lines`` is cut with an ellipsis."""
    rows: list[str] = []
    row = ""
    words = text.split()
    for place, word in enumerate(words):
        longer = f"{row} {word}" if row else word
        if not row or width_of(longer, size, bold, condensed) <= width:
            row = longer
        elif len(rows) == lines - 1:
            row = " ".join([row, *words[place:]])
            break
        else:
            rows.append(row)
            row = word
    if row:
        rows.append(row)
    return [fit(r, size, width, bold, condensed) for r in rows]


# ---- finished text ---------------------------------------------------------------------------


class Word(NamedTuple):
    """A text ready to paste.

    Attributes:
        image: RGBA.
        left, up: from the image's corner to the start of the baseline.
        width: advance.
        cap: height of a capital.
        ink: box of the drawn pixels, relative to the start of the baseline.
    """

    image: Image.Image
    left: int
    up: int
    width: int
    cap: int
    ink: Box


_words: Store[Word] = Store(24 << 20, lambda w: w.image.width * w.image.height * 4)


def word(
    text: str,
    size: int,
    fill: RGB = INK,
    *,
    bold: bool = False,
    condensed: bool = False,
    outline: RGB | None = None,
    outline_width: int = 3,
    spacing: int = 0,
) -> Word:
    """The text as a cached sprite.

    Args:
        text: one line, already readable.
        size: pixels.
        fill: colour.
        bold: weight.
        condensed: narrower letters.
        outline: colour of a rim around the letters.
        outline_width: of that rim.
        spacing: extra pixels between letters.
    """
    key = (text, size, fill, bold, condensed, outline, outline_width, spacing)

    def make() -> Word:
        face = font(size, bold, condensed)
        rim = outline_width if outline else 0
        left, top, right, bottom = face.getbbox(text or " ", anchor="ls", stroke_width=rim)
        extra = spacing * max(0, len(text) - 1)
        x0, y0 = int(left) - 1, int(top) - 1
        width, height = int(right) + extra - x0 + 2, int(bottom) - y0 + 2
        image = Image.new("RGBA", (width, height), (*(outline or fill), 0))
        draw = ImageDraw.Draw(image)
        parts: list[tuple[float, str]] = [(0.0, text)]
        if spacing:
            parts, at = [], 0.0
            for char in text:
                parts.append((at, char))
                at += face.getlength(char) + spacing
        for inner in (False, True) if outline else (True,):
            for at, part in parts:
                draw.text(
                    (at - x0, -y0),
                    part,
                    font=face,
                    anchor="ls",
                    fill=fill if inner else outline,
                    stroke_width=0 if inner else rim,
                )
        return Word(
            image,
            -x0,
            -y0,
            round(face.getlength(text)) + extra,
            cap_height(size, bold, condensed),
            (int(left), int(top), int(right) + extra, int(bottom)),
        )

    return _words.get(key, make)


def place(w: Word, x: float, y: float, anchor: str) -> tuple[int, int]:
    """Where the baseline starts so that the word's anchor lies at (x, y).

    The anchor is two letters: l, m, r for the side, then t (top of capitals), m (middle of
    capitals), s (baseline) or b (bottom of what is drawn).
    """
    side, level = anchor[0], anchor[1]
    x -= {"l": 0.0, "m": w.width / 2, "r": float(w.width)}[side]
    y += {"t": float(w.cap), "m": w.cap / 2, "s": 0.0, "b": -float(w.ink[3])}[level]
    return round(x), round(y)
