"""Draws the README's picture: ``python -m tests.render.readme_picture``."""

from __future__ import annotations

from pathlib import Path

from engines.core.play import play, start
from engines.core.registry import game
from render import render_board

MOVES = 23


def main() -> None:
    """Play the first legal moves of a fixed match and draw the position."""
    paris = game("paris_paris")
    state, _ = start(paris, 3, seed="6b")
    for turn in range(MOVES):
        (seat,) = paris.waiting(state)
        moves = paris.legal(state, seat)
        state = play(paris, state, seat, moves[(turn * 7) % len(moves)]).state
    picture = render_board("paris_paris", paris.view(state, None), ["Ada", "Bruno", "Carla"])
    target = Path(__file__).parents[2] / "docs" / "paris_paris.png"
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(picture.data)


if __name__ == "__main__":
    main()
