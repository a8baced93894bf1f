"""What planned words stand for before one's turn, and which decisions everybody can foresee."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.core.types import Phrase
from engines.papertown.components import KIND_NAMES
from engines.papertown.views import PaperView

OPEN = frozenset({"choose", "place", "keep_constructions"})
"""Phases whose possible answers everybody can work out. Drawn Blocks and Great Structures are
hidden, and so is whether something can be claimed."""


def meaning(
    view: PaperView, command: str, args: Mapping[str, str], before: Sequence[Phrase]
) -> str | None:
    """See ``Game.meaning``."""
    if command not in ("place", "claim"):
        return ""
    hand = view.hand if view.to_act == view.viewer else ""
    placed: dict[str, str] = {}
    for phrase in before:
        if phrase.command in ("buy_bank", "keep_block", "spend_meeple"):
            hand = phrase.args.get("block", "")
        elif phrase.command == "place":
            placed[phrase.args.get("cell", "")] = hand
            hand = ""
    where = args.get("cell" if command == "place" else "seal", "")
    cell = next((c for c in view.cells if c.name == where), None)
    kind = placed.get(where) or (cell.kind if cell is not None else "")
    there = f"the {KIND_NAMES[kind]} Block" if kind in KIND_NAMES else ""
    if command == "claim":
        return f"laid on {there or 'a free cell'}"
    if not hand:
        # A turn begins with getting a Block; which one this would be is not known.
        return None
    if cell is not None and cell.tile:
        there = "an objective tile"
    return f"{KIND_NAMES.get(hand, hand)} on {there or 'a free cell'}"


def foreseen(view: PaperView, command: str, param: str) -> tuple[str, ...]:
    """See ``Game.foreseen``."""
    if (command, param) == ("buy_bank", "block"):
        return tuple(dict.fromkeys(view.bank))
    if (command, param) == ("claim", "objective") and view.viewer is not None:
        own = [*view.constructions[view.viewer], *view.structures[view.viewer]]
        if view.mode == "pairs":
            own += view.constructions[(view.viewer + 2) % 4]
        return tuple(own)
    return ()
