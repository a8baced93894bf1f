"""An animated picture of a whole match, from the boards of its key positions.

Measured for 17 frames of 600 px of Papertown and Paris Paris: GIF 1.5 and 1.1 MB in 0.9 s, APNG
0.8 and 0.8 MB in 0.7 s, WebP (quality 80) 0.8 and 0.4 MB in 3.6 and 1.5 s. Discord shows an APNG as
a still picture, and whether a WebP moves depends on the reader's client; a GIF moves everywhere. So
it is a GIF as long as it fits, and a WebP where a GIF would be too large.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image, features

from engines.core.types import View
from render import painter
from render.kit.encode import Picture

Frame = Image.Image

WIDTH = 600
FIRST_MS, EACH_MS, LAST_MS = 1500, 900, 5000
"""How long the frames stand."""


def draw_frame(game_key: str, view: View, names: Sequence[str]) -> Frame:
    """A board, scaled down for an animation; may be called from several threads at once."""
    image = painter(game_key).board(view, names).convert("RGB")
    factor = image.width // WIDTH
    if factor > 1:
        image = image.reduce(factor)
    return image


def animate(frames: Sequence[Frame], limit: int) -> Picture | None:
    """Frames as an animated picture; every other one is left out until it is small enough.

    Equal frames give equal bytes.

    Args:
        frames: one or more, of any sizes: smaller ones are set on the colour of their corner.
        limit: bytes.

    Returns:
        None if not even two frames fit.
    """
    width, height = (max(frame.size[i] for frame in frames) for i in (0, 1))
    ready = [_fitted(frame, width, height) for frame in frames]
    while True:
        for make, ext in ((_gif, "gif"), (_webp, "webp")):
            if ext == "webp" and not features.check("webp"):
                continue
            data = make(ready)
            if len(data) <= limit:
                return Picture(data, width, height, ext)
        if len(ready) <= 2:
            return None
        ready = [*ready[:-1:2], ready[-1]]


def _fitted(frame: Frame, width: int, height: int) -> Frame:
    if frame.size == (width, height):
        return frame
    ground = Image.new("RGB", (width, height), frame.getpixel((2, 2)))
    ground.paste(frame, (0, 0))
    return ground


def _durations(count: int) -> list[int]:
    return [FIRST_MS, *[EACH_MS] * (count - 2), LAST_MS][-count:]


def _gif(frames: Sequence[Frame]) -> bytes:
    # One palette for all, so that what stays the same is stored once.
    chosen = {0, len(frames) // 2, len(frames) - 1}
    width, height = frames[0].size
    sheet = Image.new("RGB", (width, height * len(chosen)))
    for place, number in enumerate(sorted(chosen)):
        sheet.paste(frames[number], (0, place * height))
    palette = sheet.quantize(255, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    flat = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    out = io.BytesIO()
    flat[0].save(
        out,
        "GIF",
        save_all=True,
        append_images=flat[1:],
        duration=_durations(len(flat)),
        loop=0,
        disposal=1,
    )
    return out.getvalue()


def _webp(frames: Sequence[Frame]) -> bytes:
    out = io.BytesIO()
    # Each save has images of its own, as Pillow keeps options on them.
    copies = [frame.copy() for frame in frames]
    copies[0].save(
        out,
        "WEBP",
        save_all=True,
        append_images=copies[1:],
        duration=_durations(len(copies)),
        loop=0,
        quality=80,
        method=2,
    )
    return out.getvalue()
