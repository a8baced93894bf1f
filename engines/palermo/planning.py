"""What planned words stand for before one's turn."""

from __future__ import annotations

from collections.abc import Mapping

from engines.palermo.components import find_cell
from engines.palermo.ends import search
from engines.palermo.moves import STAY, Collect, Finish, MoveCell
from engines.palermo.phases import trips
from engines.palermo.text import points_word
from engines.palermo.views import PalermoView, position


def meaning(view: PalermoView, command: str, args: Mapping[str, str]) -> str:
    """What a walk brings and whether it stays back: others change both by their stones and pawns.
    All other names stand for places of the board."""
    if command not in (Collect.command, Finish.command, MoveCell.command):
        return ""
    seat = view.viewer
    if not view.walking or seat is None or view.home[seat]:
        return "not on a walk"
    state = position(view)
    if view.to_act != seat:
        state.trail = ()
    ends = search(trips.field(state, seat))
    if command == Finish.command:
        return f"for {points_word(ends.finish)}" if ends.finish is not None else "not in reach"
    word = args.get("doorway" if command == Collect.command else "cell", "")
    cell = None if word == STAY else find_cell(word)
    if cell is None:
        return ""
    if command == Collect.command:
        return f"for {points_word(ends.stops[cell])}" if cell in ends.stops else "not in reach"
    return "staying back from a blocked cell" if ends.back >> cell & 1 else ""


def foreseen(view: PalermoView, command: str, param: str) -> tuple[str, ...]:
    """On or off; what else may be chosen is known only in its turn."""
    return ("on", "off") if param == "on" else ()
