"""What planned words stand for before one's turn, and which decisions everybody can foresee."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.core.types import Phrase
from engines.papa_paolo.components import box, exits_of
from engines.papa_paolo.text import delivery_words, mask_of_tile, tile_words
from engines.papa_paolo.views import PaoloView

OPEN = frozenset({"place_meeple", "pick_investment", "stock", "routes", "route"})
"""Kinds of decision whose possible answers everybody can work out: the market, the investments and
the neighbourhoods lie open. Money and coins do not."""

_NEXT = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def meaning(
    view: PaoloView, command: str, args: Mapping[str, str], before: Sequence[Phrase]
) -> str | None:
    """See ``Game.meaning``."""
    match command:
        case "place":
            tile = _tile(view, args.get("cell", ""))
            return tile_words(tile) if tile else "no tile"
        case "take":
            return _taken(view, before)
        case "pass" | "finish":
            # One word for staying out of the bidding, for buying nothing, for doing nothing.
            return f"round {view.round}, {view.phase}"
        case "buy":
            # What comes on top follows from the own marker, which an investment may have moved.
            mine = view.areas[view.viewer].markers[1] if view.viewer is not None else 1
            return f"up to {box().market[mine - 1]} free on top"
        case "bid":
            column = args.get("column", "")
            known = column.isdigit() and 0 < int(column) <= len(view.deliveries)
            return f"tile {delivery_words(view.deliveries[int(column) - 1])}" if known else ""
        case "claim":
            # The same tile costs money where it is left over.
            return "left over, for £1" if view.viewer in view.withdrawn else "for your bid"
        case "invest":
            held = view.areas[view.viewer].investment if view.viewer is not None else None
            return f"your {held} investment" if held else None
        case "step":
            place = _rider(view, before)
            return f"from {place[0]},{place[1]}" if place else None
    return ""


def _tile(view: PaoloView, cell: str) -> str | None:
    return view.grid[view.cells.index(cell)] if cell in view.cells else None


def _taken(view: PaoloView, before: Sequence[Phrase]) -> str | None:
    """The tile under the own meeple, if it stands or shall stand somewhere."""
    tile = None
    if before and before[-1].command == "place":
        tile = _tile(view, before[-1].args.get("cell", ""))
    elif view.active and view.meeples[view.cells.index(view.active)] == view.viewer:
        tile = _tile(view, view.active)
    if tile is None:
        return None
    return f"{tile_words(tile)}, roads {', '.join(exits_of(mask_of_tile(tile)))} before it turns"


def _rider(view: PaoloView, before: Sequence[Phrase]) -> tuple[int, int] | None:
    """Where the own delivery route stands, or will after what is planned before."""
    area = view.areas[view.viewer] if view.viewer is not None else None
    place = None
    if area is not None and area.route is not None:
        place = area.route.path[-1][:2] if area.route.path else area.route.start
    for phrase in before:
        if phrase.command == "route":
            x, _, y = phrase.args.get("pizzeria", "").partition(",")
            try:
                place = (int(x), int(y))
            except ValueError:
                return None
        elif phrase.command == "step" and place is not None:
            dx, dy = _NEXT.get(phrase.args.get("direction", ""), (0, 0))
            place = (place[0] + dx, place[1] + dy)
        elif phrase.command in ("end", "cancel"):
            place = None
    return place


def foreseen(view: PaoloView, command: str, param: str) -> tuple[str, ...]:
    """See ``Game.foreseen``."""
    if (command, param) == ("place", "cell"):
        return tuple(
            cell
            for cell, tile, seat in zip(view.cells, view.grid, view.meeples, strict=False)
            if tile is not None and seat < 0
        )
    if (command, param) == ("bid", "column"):
        return tuple(str(n) for n in range(1, len(view.deliveries) + 1))
    if (command, param) == ("bid", "row"):
        return tuple(str(n) for n in range(1, len(view.prices) + 1))
    if (command, param) == ("buy", "paid"):
        return tuple(str(n) for n in range(1, len(box().buy) + 1))
    if (command, param) == ("invest", "way"):
        return ("keep", "discard")
    return ()
