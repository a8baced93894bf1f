"""Words of Palermo: labels, prompts, narration and the text board."""

from __future__ import annotations

from engines.core.errors import MalformedMove
from engines.core.types import Move, Seat
from engines.palermo import narration
from engines.palermo.components import (
    BASE_POINTS,
    LETTERS,
    NAMES,
    SPACE_CELLS,
    SPACE_OF,
    START,
    STEPS,
    TILES,
    TYPES,
    find_cell,
    find_space,
    side_of,
)
from engines.palermo.ends import Ends, edge, search
from engines.palermo.moves import (
    STAY,
    AutoWait,
    BuildDoor,
    Collect,
    Finish,
    MoveCell,
    PlaceStart,
    PoliceCell,
    PoliceKeep,
    Step,
    Walk,
)
from engines.palermo.phases import trips
from engines.palermo.state import PalermoState
from engines.palermo.views import AT_FOUNTAIN, PalermoView, position

narrate = narration.narrate

_ROOF_WORDS = {
    "1a": "1 roof, door clockwise of it",
    "1b": "1 roof, door anticlockwise of it",
    "2a": "2 roofs, door clockwise of them",
    "2b": "2 roofs, door anticlockwise of them",
    "3": "3 roofs around the door",
}
_WHERE = {"nw": "north-west", "ne": "north-east", "se": "south-east", "sw": "south-west"}


def points_word(n: int) -> str:
    """``1 point``, ``2 points``."""
    return "1 point" if n == 1 else f"{n} points"


def switch(word: str) -> bool:
    """On or off.

    Raises:
        MalformedMove: neither.
    """
    folded = word.strip().lower()
    if folded in ("on", "true", "yes", "1"):
        return True
    if folded in ("off", "false", "no", "0"):
        return False
    raise MalformedMove("", "Automatic waiting is “on” or “off”.")


# ---- what a move would do ---------------------------------------------------------------------


class _Known:
    """The ends of the walker in the view that was asked about last."""

    __slots__ = ("ends", "state", "view")

    def __init__(self, view: PalermoView) -> None:
        self.view = view
        self.state: PalermoState = position(view)
        self.ends: Ends | None = None
        if view.walking and view.to_act is not None and not view.home[view.to_act]:
            self.ends = search(trips.field(self.state, view.to_act))


_known: list[_Known] = []


def _of(view: PalermoView) -> _Known:
    found = _known[0] if _known else None
    if found is None or found.view is not view:
        found = _Known(view)
        _known[:] = [found]
    return found


def _notes(view: PalermoView, cell: int, *, door: bool = True) -> list[str]:
    """What lies on a cell: a doorway, another player's stone."""
    notes = []
    space = SPACE_OF[cell]
    name = NAMES[cell]
    if door and space >= 0 and view.tiles[space] and TILES[view.tiles[space]].door >= 0:
        owner = view.chips[space]
        if SPACE_CELLS[space][TILES[view.tiles[space]].door] == cell:
            notes.append(f"{view.colours[owner]}’s doorway" if owner >= 0 else "emptied doorway")
    for owner, stone in enumerate(view.stones):
        if stone == name and owner != view.to_act:
            notes.append(f"on {view.colours[owner]}’s police stone")
    return notes


# ---- prompts and labels ----------------------------------------------------------------------


def prompt(view: PalermoView, seat: Seat) -> str:
    """What the seat has to decide."""
    if not view.walking:
        if not view.start:
            return "put the Start/Finish tile on any space, then lay a house tile"
        return f"lay a house tile with your chip ({view.to_lay[seat]} to lay)"
    if view.home[seat]:
        return "move your police stone or keep it while you wait at the fountain"
    if view.trail:
        return f"walk on from {view.trail[-1]}, {points_word(view.left)} left"
    walk = f"walk with {points_word(view.points[seat])}"
    if not view.chips.count(seat):
        walk = f"go home, {points_word(view.points[seat])}"
    if view.policed or view.frozen[seat] >= 0:
        return walk
    return f"move your police stone if you like, then {walk}"


def facet(param: str, value: str) -> str:
    """Column of a space or city cell, side of a ring cell."""
    if param in ("cell", "doorway"):
        cell = find_cell(value)
        if cell is None:
            return ""
        side = side_of(cell)
        return f"Ring road {side}" if side else f"Column {value[0].upper()}"
    if param == "space" and find_space(value) is not None:
        return f"Column {value[0].upper()}"
    return ""


def label(view: PalermoView, command: str, param: str, value: str) -> str:
    """A value with what it means now."""
    if param == "type":
        left = dict(view.supply).get(value)
        if left is None:
            return f"{value} – open street with your doorway"
        return f"{value} – {_ROOF_WORDS[value]}, {left} left"
    if param == "door":
        return f"{value} – doorway in the {_WHERE.get(value, value)}"
    if param not in ("cell", "doorway"):
        return value
    cell = find_cell(value)
    if cell is None:
        return "stay – no legal end can be reached" if value == STAY else value
    name = NAMES[cell]
    if command == Collect.command:
        ends = _of(view).ends
        if ends is None or cell not in ends.stops or view.to_act is None:
            return name
        then = BASE_POINTS + view.cards[view.to_act] + 1
        return f"{name} – {points_word(ends.stops[cell])} income, then {then} a turn"
    notes = _notes(view, cell)
    if command == MoveCell.command:
        ends = _of(view).ends
        if ends is not None and ends.back >> cell & 1:
            notes.append("stays back, 1 point lapses")
    if command == Step.command and view.to_act is not None:
        notes = [_step_note(view, cell), *notes]
    notes = [n for n in notes if n]
    return f"{name} – {', '.join(notes)}" if notes else name


def _step_note(view: PalermoView, cell: int) -> str:
    known = _of(view)
    if view.to_act is None:
        return ""
    ground = trips.field(known.state, view.to_act)
    here = ground.begin[0]
    if len(ground.begin) > 1:
        return "begin here, free of charge"
    found = edge(ground, here, cell)
    if found is None:
        return ""
    left = ground.points - found[0]
    blocked = ground.points == 1 and (ground.pawns | ground.stones) >> cell & 1
    if left < 0 or blocked:
        return f"blocked, you stay on {NAMES[here]}"
    jump = "" if cell in STEPS[here] else "jump, "
    return f"{jump}{points_word(left)} left"


def describe(view: PalermoView, move: Move) -> str:
    """A move in words (80 characters at most)."""
    match move:
        case PlaceStart():
            return f"Put the Start/Finish tile on {move.space}"
        case BuildDoor():
            what = "a street tile" if move.type not in TYPES else f"tile {move.type}"
            return f"Lay {what} on {move.space}, doorway {move.door}"
        case PoliceCell():
            return f"Move your police stone to {move.cell}"
        case PoliceKeep():
            return "Leave your police stone where it is"
        case Collect():
            cell = find_cell(move.doorway)
            ends = _of(view).ends
            if cell is not None and ends is not None and cell in ends.stops:
                return f"Collect at {NAMES[cell]} for {points_word(ends.stops[cell])}"
            return f"Collect at {move.doorway}"
        case Finish():
            ends = _of(view).ends
            if ends is not None and ends.finish is not None:
                return f"Go home for {points_word(ends.finish)}"
            return "Go home"
        case MoveCell():
            if move.cell == STAY:
                return "Stay: no legal end can be reached"
            cell = find_cell(move.cell)
            ends = _of(view).ends
            if cell is not None and ends is not None and ends.back >> cell & 1:
                return f"Walk to {move.cell} and stay back from a blocked cell"
            return f"Walk to {move.cell} with all points"
        case Step():
            return f"Step to {move.cell}"
        case Walk():
            way = " ".join(move.path)
            return f"Walk {way}" if len(way) <= 74 else f"Walk {way[:73]}…"
        case AutoWait():
            return f"Switch automatic waiting {'on' if move.on else 'off'}"
    return move.kind


# ---- the board in text -----------------------------------------------------------------------


def _sign(view: PalermoView, cell: int) -> str:
    space = SPACE_OF[cell]
    name = view.tiles[space]
    if not name:
        return "_"
    tile = TILES[name]
    quarter = SPACE_CELLS[space].index(cell)
    if quarter in tile.roofs:
        return "#"
    if quarter == tile.door:
        owner = view.chips[space]
        if owner >= 0:
            return LETTERS[view.colours[owner]]
        return LETTERS[view.colours[view.builders[space]]].lower()
    return "*" if tile.type == START else "."


def plan(view: PalermoView) -> list[str]:
    """The city as thirteen lines of signs."""
    rows = ["  " + "".join(f" {c} " for c in "ABCDEF").rstrip()]
    for y in range(12):
        words = []
        for column in range(6):
            cells = SPACE_CELLS[6 * (y // 2) + column]
            pair = cells[:2] if y % 2 == 0 else (cells[3], cells[2])
            words.append("".join(_sign(view, c) for c in pair))
        rows.append(f"{y // 2 + 1 if y % 2 == 0 else ' '} {' '.join(words)}")
    return rows


def _status(view: PalermoView) -> str:
    if view.ended is not None:
        return "final position"
    if not view.walking:
        return f"building, {sum(view.to_lay)} tiles to lay"
    return f"collecting, round {view.round}"


def _player(view: PalermoView, seat: Seat) -> str:
    letter = LETTERS[view.colours[seat]]
    words = []
    if not view.walking:
        words.append(f"{view.to_lay[seat]} chips to lay")
    else:
        words.append(points_word(view.scores[seat]))
        words.append(f"{view.cards[seat]} chips, {view.chips.count(seat)} open")
        if view.home[seat]:
            words.append("home, waits by itself" if view.waits[seat] else "home")
        else:
            at = view.pawns[seat]
            words.append("pawn at the fountain" if at == AT_FOUNTAIN else f"pawn {at}")
            words.append(f"{view.points[seat]} a turn")
        stone = view.stones[seat] or "aside"
        words.append(f"stone {stone}" + (" (frozen)" if view.frozen[seat] >= 0 else ""))
    if seat == view.to_act:
        words.append("to act")
    return f"{{seat:{seat}}} ({view.colours[seat]} {letter}): {', '.join(words)}"


def board_text(view: PalermoView) -> str:
    """The whole view as text."""
    rows = [f"Palermo, {_status(view)}", *plan(view)]
    signs = "# roof, . street, * Start"
    if view.walking:
        signs += ", capital doorway with its owner’s chip, small letter emptied"
    else:
        signs += ", capital doorway with its owner’s chip, _ free"
    rows.append(signs + ".")
    rows += [_player(view, seat) for seat in range(view.seats)]
    if not view.walking:
        rows.append("Tiles left: " + ", ".join(f"{t} ×{n}" for t, n in view.supply))
        if view.built:
            rows.append(f"Last tile: {view.built.tile} on {view.built.space}.")
    elif view.trail:
        rows.append(f"On the way: {' '.join(view.trail)}, {points_word(view.left)} left.")
    elif view.trip and view.trip.path:
        who = view.colours[view.trip.seat]
        rows.append(f"Last walk ({who}): {' '.join(view.trip.path)}")
    if view.walking:
        rows.append("Ring R1–R52 clockwise, corners R1 NW, R14 NE, R27 SE, R40 SW.")
        if view.quiet and view.ended is None:
            rows.append(f"Rounds in a row without a chip or an arrival: {view.quiet} of 6.")
    return "\n".join(rows)


def alt(view: PalermoView) -> str:
    """What the picture shows: whose turn, points, pieces, open doorways."""
    names = view.colours
    rows = [f"Map of Palermo, {_status(view)}."]
    if view.to_act is not None:
        rows.append(f"{names[view.to_act].capitalize()} is to act.")
    if view.walking:
        rows.append(f"Points: {', '.join(f'{c} {view.scores[s]}' for s, c in enumerate(names))}.")
        pawns = [f"{c} {view.pawns[s]}" for s, c in enumerate(names)]
        rows.append(f"Pawns: {', '.join(pawns)}.")
        stones = [f"{c} {view.stones[s]}" for s, c in enumerate(names) if view.stones[s]]
        rows.append(f"Police stones: {', '.join(stones) or 'none on the board'}.")
        rows.append(
            "Points a turn: "
            + ", ".join(f"{c} {view.points[s]}" for s, c in enumerate(names))
            + "."
        )
    else:
        rows.append(f"Tiles left: {', '.join(f'{t} {n}' for t, n in view.supply)}.")
        if view.built:
            rows.append(f"Last tile: {view.built.tile} on {view.built.space}.")
    for seat, colour in enumerate(names):
        doors = [
            NAMES[trips.door_cell(view.tiles[space], space)]
            for space, owner in enumerate(view.chips)
            if owner == seat
        ]
        rows.append(f"{colour.capitalize()} doorways: {' '.join(doors) or 'none'}.")
    return "\n".join(rows)


__all__ = [
    "alt", "board_text", "describe", "facet", "label", "narrate", "plan", "prompt", "switch",
]  # fmt: skip
