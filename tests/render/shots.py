"""Positions to draw, and comparison with stored pictures."""

from __future__ import annotations

import io
import os
from functools import cache
from pathlib import Path
from typing import Any

from PIL import Image, ImageChops, ImageStat

from engines.core.play import play, start
from engines.core.registry import game
from engines.core.rng import Rng
from render.kit.encode import Picture

GOLDENS = Path(__file__).parent / "goldens"


@cache
def position(key: str, seats: int, moves: int, seed: str = "00") -> Any:
    """The state after that many moves drawn at random from the legal ones."""
    rules = game(key)
    state, _ = start(rules, seats, seed=seed)
    draw = Rng(seed=seed)
    for _ in range(moves):
        waiting = rules.waiting(state)
        if not waiting:
            break
        legal = rules.legal(state, waiting[0])
        choice = legal[draw.below("move", len(legal))]
        state = play(rules, state, waiting[0], choice).state
    return state


def golden(name: str, picture: Picture) -> None:
    """The picture, at 400 px, looks like the stored one; UPDATE_GOLDENS=1 stores it anew."""
    image = Image.open(io.BytesIO(picture.data)).convert("RGB")
    small = image.resize((400, round(image.height * 400 / image.width)), Image.Resampling.BOX)
    path = GOLDENS / f"{name}.png"
    if os.environ.get("UPDATE_GOLDENS"):
        small.quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)
    stored = Image.open(path).convert("RGB")
    assert stored.size == small.size
    difference = ImageChops.difference(stored, small)
    assert max(ImageStat.Stat(difference).mean) < 3
    far = sum(difference.convert("L").histogram()[60:])
    assert far < 0.004 * small.width * small.height
