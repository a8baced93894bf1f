"""Boards from which the fixed palette of Papà Paolo is made."""

from __future__ import annotations

from PIL import Image

from engines.core.play import play, start
from engines.core.rng import Rng
from engines.papa_paolo import GAME
from render.papa_paolo.painter import PAINTER

SHOTS = (("0e", 4, 60), ("0e", 4, 150), ("0e", 4, 260), ("0e", 2, 40))
"""Seed, seats and moves of each board; market, stairs, deliveries, coins."""


def sample() -> Image.Image:
    """Several boards below each other."""
    made = []
    for seed, seats, moves in SHOTS:
        state, _ = start(GAME, seats, seed=seed)
        draw = Rng(seed=seed)
        for _ in range(moves):
            waiting = GAME.waiting(state)
            if not waiting:
                break
            legal = GAME.legal(state, waiting[0])
            state = play(GAME, state, waiting[0], legal[draw.below("move", len(legal))]).state
        names = [f"Player {seat + 1}" for seat in range(seats)]
        made.append(PAINTER.board(GAME.view(state, 0), names))
    sheet = Image.new("RGB", (max(i.width for i in made), sum(i.height for i in made)))
    y = 0
    for image in made:
        sheet.paste(image, (0, y))
        y += image.height
    return sheet
