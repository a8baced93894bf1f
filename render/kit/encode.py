"""Turning an image into the bytes that are posted."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from PIL import Image, ImageChops

LIMIT = 300_000
"""Bytes a board may have; Discord allows more, phones on slow networks do not like it."""

EXACT = 96
"""Most frequent colours of a contact sheet that enter its palette as they are."""

VISIBLE = 40
"""A channel that is off by more than this is seen …"""

SHARE = 0.002
"""… if it happens in more than this share of the pixels."""

_palettes: dict[str, Image.Image] = {}
_lock = Lock()


@dataclass(frozen=True)
class Picture:
    """An encoded picture."""

    data: bytes
    width: int
    height: int
    ext: str = "png"


def palette_from(sheet: Image.Image) -> Image.Image:
    """A palette of 256 colours for pictures like this one.

    The most frequent colours are taken over exactly, so that flat areas stay as designed; the
    others share what is left by maximum coverage.
    """
    half = (max(1, sheet.width // 2), max(1, sheet.height // 2))
    sheet = sheet.convert("RGB").resize(half, Image.Resampling.NEAREST)
    counted = sheet.getcolors(1 << 16) or []  # a larger limit costs a large table on each call
    common = sorted((-count, colour) for count, colour in counted if isinstance(colour, tuple))
    exact = [colour for _, colour in common[:EXACT]]
    rest = sheet.quantize(256 - len(exact), Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    colours = exact + [c for c in _triples(rest.getpalette() or []) if c not in exact]
    colours = (colours + exact)[:256]
    flat = [int(v) for colour in colours for v in colour[:3]]
    holder = Image.new("P", (1, 1))
    holder.putpalette(flat + flat[:3] * (256 - len(colours)))
    return holder


def _triples(flat: list[int]) -> list[tuple[int, ...]]:
    return [tuple(flat[i : i + 3]) for i in range(0, len(flat) - 2, 3)]


def _palette(key: str, sheet: Callable[[], Image.Image | None] | None) -> Image.Image | None:
    found = _palettes.get(key)
    if found is not None or sheet is None:
        return found
    with _lock:
        if key not in _palettes:
            source = sheet()
            if source is None:
                return None
            _palettes[key] = palette_from(source)
        return _palettes[key]


def encode(
    image: Image.Image, palette_key: str, sheet: Callable[[], Image.Image | None] | None = None
) -> Picture:
    """A PNG: quickly with the game's fixed palette, in true colour where that would be seen.

    Equal images give equal bytes.

    Args:
        image: not changed; each call saves an image object of its own.
        palette_key: the game; its palette is made once.
        sheet: paints what the palette is made from; without it true colour is used.
    """
    flat = image.convert("RGB") if image.mode != "RGB" else image
    palette = _palette(palette_key, sheet)
    if palette is not None:
        small = flat.quantize(palette=palette, dither=Image.Dither.NONE)
        if not differs(flat, small):
            data = _png(small, 1)
            if len(data) > LIMIT:
                data = _png(small.copy(), 6)
            return Picture(data, image.width, image.height)
    return Picture(_png(flat.copy(), 6), image.width, image.height)


def differs(image: Image.Image, small: Image.Image) -> bool:
    """Whether people would see the difference (judged on every ninth pixel)."""
    size = (max(1, image.width // 3), max(1, image.height // 3))
    one = image.resize(size, Image.Resampling.NEAREST)
    two = small.resize(size, Image.Resampling.NEAREST).convert("RGB")
    counts = ImageChops.difference(one, two).histogram()
    worst = max(sum(counts[256 * band + VISIBLE : 256 * (band + 1)]) for band in range(3))
    return worst > SHARE * size[0] * size[1]


def _png(image: Image.Image, level: int) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=level)
    return out.getvalue()
