"""Boards from which the fixed palette of Papà Paolo is made."""

from __future__ import annotations

from PIL import Image

from engines.core.play import play, start
from engines.core.rng import Rng
from engines.papa_paolo import GAME
from render.papa_paolo.painter import PAINTER

PLANS: tuple[tuple[str, int, str], ...] = (
    ("0e", 4, "placing"),
    ("0e", 4, "settling"),
    ("0e", 4, "delivering"),
    ("0e", 2, "claiming"),
)
"""Seed, seats and the step of round 3 that each board shows."""


def sample() -> Image.Image:
    """Several boards below each other."""
    made = []
    for seed, seats, phase in PLANS:
        state, _ = start(GAME, seats, seed=seed)
        draw = Rng(seed=seed)
        while state.ended is None:
            moved = state.placed > 9 or phase != "placing"
            if state.round == 3 and state.phase == phase and moved:
                break
            seat = GAME.waiting(state)[0]
            legal = GAME.legal(state, seat)
            if legal[0].kind in ("start_route", "step"):
                move = GAME.safest(state, seat)
            else:
                move = legal[draw.below("move", len(legal))]
            state = play(GAME, state, seat, move).state
        names = [f"Player {seat + 1}" for seat in range(seats)]
        made.append(PAINTER.board(GAME.view(state, 0), names))
    sheet = Image.new("RGB", (max(i.width for i in made), sum(i.height for i in made)))
    y = 0
    for image in made:
        sheet.paste(image, (0, y))
        y += image.height
    return sheet
