"""Draws the README's picture: ``python -m tests.render.readme_picture``."""

from __future__ import annotations

from pathlib import Path

from engines.core.registry import game
from render import render_board
from tests.render.shots import position


def main() -> None:
    """Draw a position of Paris Paris in mid-match."""
    view = game("paris_paris").view(position("paris_paris", 3, 23, "6b"), None)
    picture = render_board("paris_paris", view, ["Ada", "Bruno", "Carla"])
    target = Path(__file__).parents[2] / "docs" / "paris_paris.png"
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(picture.data)


if __name__ == "__main__":
    main()
