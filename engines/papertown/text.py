"""Words of Papertown: labels, prompts, hands and the text board."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engines.core.types import Hand, Move, Seat, listing
from engines.papertown.components import KIND_NAMES, KINDS, MEEPLES, OBJECTIVES
from engines.papertown.grid import PLACES, RANK, SPOTS, column_name
from engines.papertown.moves import (
    BuyBank,
    Claim,
    DrawBlocks,
    EndSolo,
    KeepBlock,
    KeepConstructions,
    KeepGreatStructure,
    Place,
    SpendMeeple,
    SwapConstructions,
)
from engines.papertown.patterns import matches
from engines.papertown.phases.choose import block_words
from engines.papertown.views import Cell, PaperView

MOST = 25
"""Entries of a picker's list."""

_MIRRORS = {
    "flip4": "It counts as printed, upside down, mirrored, or both; not turned by a quarter.",
    "rot180": "It counts as printed or turned by half; not mirrored or turned by a quarter.",
    "all8": "It counts in every turn and mirror image.",
}


def tiles_words(tiles: Sequence[str]) -> str:
    """Tiles with their kinds: ``School (R-G-P), Dam (G-L-I)``."""
    return ", ".join(OBJECTIVES[t].words for t in tiles)


def diamond_words(tile: str) -> str:
    """A Great Structure's places: ``top lake, right governmental, …``."""
    kinds = [KIND_NAMES[k] for k in OBJECTIVES[tile].kinds]
    return ", ".join(f"{p} {k}" for p, k in zip(_PLACES, kinds, strict=True))


_PLACES = ("top", "right", "bottom", "left")


# ---- labels and facets -----------------------------------------------------------------------


def shown(view: PaperView) -> dict[str, str]:
    """Unsealed city cells and their kinds."""
    return {c.name: c.kind for c in view.cells if c.kind}


def completes(view: PaperView, cell: str) -> list[str]:
    """What the viewer could claim with the Block in hand on this cell, as far as it may see."""
    if view.viewer is None or not view.hand:
        return []
    seat = view.viewer
    tiles = [*view.constructions[seat], *view.structures[seat]]
    if view.mode == "pairs":
        tiles += view.constructions[(seat + 2) % 4]
    city = shown(view)
    return [t for t in tiles if matches(city, cell, view.hand, t, view.symmetry)]


def label(view: PaperView, command: str, param: str, value: str) -> str:
    """How a value of an option is shown."""
    if param == "block" and value in KIND_NAMES:
        text = f"{KIND_NAMES[value]} ({value})"
        if command == "buy_bank":
            return f"{text}, {view.bank.count(value)} in the bank"
        if command == "spend_meeple":
            return f"{text}, {view.pool.count(value)} out of play"
        return text
    if param == "cell":
        words = [value]
        over = next((c.kind for c in view.cells if c.name == value), "")
        if over:
            words.append(f"over the {KIND_NAMES[over]} Block")
        done = completes(view, value)
        if done:
            words.append(f"completes {listing([OBJECTIVES[t].name for t in done])}")
        return ", ".join(words)
    if param == "objective" and value in OBJECTIVES:
        text = OBJECTIVES[value].words
        own = view.viewer is not None and value in (
            *view.constructions[view.viewer],
            *view.structures[view.viewer],
        )
        return text if own else f"{text}, your partner’s: one meeple"
    if param == "seal":
        cell = next((c for c in view.cells if c.name == value and c.kind), None)
        return value if cell is None else f"{value}, {_cell_words(view, cell)}"
    if param in ("keep", "bottom"):
        tiles = value.split()
        if all(t in OBJECTIVES for t in tiles):
            joint = " + " if param == "keep" else ", then "
            return joint.join(OBJECTIVES[t].words for t in tiles)
    return value


def _cell_words(view: PaperView, cell: Cell) -> str:
    text = KIND_NAMES[cell.kind]
    if cell.meeple is not None:
        text += f" with a {_side_colour(view, cell.meeple)} meeple"
    return text


def _side_colour(view: PaperView, side: int) -> str:
    return view.colours[view.sides.index(side)]


def facet(view: PaperView, param: str, value: str) -> str:
    """Column of a cell, so that a picker asks column, then row; covers stand apart.

    Where the city is wider than a list is long, neighbouring columns go together, and where it is
    taller, a column is cut into stretches of rows.
    """
    if param != "cell" or value not in PLACES:
        return ""
    city = tuple(c.name for c in view.cells)
    return "build over a Block" if value in city else _streets(city).get(value, "")


@lru_cache(maxsize=32)
def _streets(city: tuple[str, ...]) -> dict[str, str]:
    """The part of the city to which each empty cell around it belongs, in a picker's words."""
    around = {n for cell in city for n in SPOTS[cell].around} - set(city)
    columns: dict[int, list[str]] = {}
    for name in sorted(around, key=RANK.__getitem__):
        columns.setdefault(PLACES[name][0], []).append(name)
    narrow = len(columns) <= MOST - 1
    groups: list[list[str]] = []
    for cells in columns.values():
        pieces = [cells[i : i + MOST] for i in range(0, len(cells), MOST)]
        joins = not narrow and groups and len(groups[-1]) + len(cells) <= MOST
        if joins:
            groups[-1] += cells
        else:
            groups += pieces
    found = {}
    for group in groups:
        one, two = (PLACES[group[i]] for i in (0, -1))
        text = f"column {column_name(one[0])}"
        if one[0] != two[0]:
            text = f"columns {column_name(one[0])} to {column_name(two[0])}"
        elif len(columns[one[0]]) > len(group):
            text += f", rows {one[1] + 50} to {two[1] + 50}"
        found.update(dict.fromkeys(group, text))
    return found


# ---- moves and decisions ---------------------------------------------------------------------


def describe(view: PaperView, move: Move) -> str:
    """A move in words."""
    match move:
        case BuyBank():
            return f"Buy {KIND_NAMES.get(move.block, move.block)} from the bank"
        case DrawBlocks():
            return "Draw two Blocks from the stack"
        case KeepBlock():
            return f"Keep {KIND_NAMES.get(move.block, move.block)}"
        case SpendMeeple():
            return f"Spend a meeple for {KIND_NAMES.get(move.block, move.block)}"
        case Place():
            over = next((c.kind for c in view.cells if c.name == move.cell), "")
            block = KIND_NAMES.get(view.hand, "the Block")
            if over:
                return f"Build {block} over {KIND_NAMES[over]} on {move.cell}"
            return f"Place {block} on {move.cell}"
        case Claim():
            tile = OBJECTIVES.get(move.objective)
            text = f"Claim {tile.name if tile else move.objective}, tile on {move.seal}"
            return text if move.pattern is None else f"{text} ({' '.join(move.pattern)})"
        case SwapConstructions():
            return "Swap Constructions"
        case KeepConstructions():
            names = [OBJECTIVES[t].name if t in OBJECTIVES else t for t in move.keep]
            return f"Keep {listing(names)}; below: {', '.join(move.bottom)}"
        case KeepGreatStructure():
            kept = OBJECTIVES.get(move.keep)
            return f"Keep {kept.name if kept else move.keep}; below: {', '.join(move.bottom)}"
        case EndSolo():
            return "End the solo game"
    return "Finish the turn" if move.kind == "finish_turn" else "Swap the Great Structure"


def prompt(view: PaperView, seat: Seat) -> str:
    """What has to be decided; the same whatever the seat holds in secret."""
    match view.phase:
        case "choose":
            if view.mode == "solo":
                if not view.bank and not view.stack:
                    return "spend a meeple for a Block, or end the game"
                return "take a Block from the bank, or spend a meeple for one out of play"
            if view.bank:
                return "buy a Block from the bank or the stack, or swap objectives"
            return "draw Blocks from the stack (the bank is empty), or swap objectives"
        case "keep_block":
            return "choose which drawn Block to keep"
        case "place":
            return f"place the {KIND_NAMES[view.hand]} Block"
        case "claim":
            return "claim what the Block completes, or finish the turn"
        case "keep_constructions":
            count = "one" if view.mode == "pairs" else "two"
            return f"choose the {count} to keep and the order of the others"
        case "keep_great_structure":
            return "choose the Great Structure to keep and the order of the others"
    return ""


def hand(view: PaperView) -> Hand | None:
    """The viewer's own Great Structure, and what it has just drawn."""
    if view.viewer is None or view.mode == "solo":
        return None
    lines: list[str] = []
    own = view.structures[view.viewer]
    title = "You hold no Great Structure"
    for tile in own:
        title = f"Your Great Structure: {OBJECTIVES[tile].name}"
        lines.append(f"{OBJECTIVES[tile].spelled}: {diamond_words(tile)}.")
        lines.append(_MIRRORS[view.symmetry])
    if not own:
        lines.append("The deck was empty when you completed yours.")
    if view.drawn_blocks:
        lines.append(f"Drawn: {listing([KIND_NAMES[k] for k in view.drawn_blocks])}. Keep one.")
    if view.phase == "keep_great_structure":
        lines += [
            f"Drawn: {OBJECTIVES[t].name} ({OBJECTIVES[t].spelled}): {diamond_words(t)}."
            for t in view.drawn_tiles
        ]
    return Hand(title, tuple(lines))


# ---- the text board --------------------------------------------------------------------------


def _city(view: PaperView) -> list[str]:
    """The city by columns."""
    columns: dict[int, list[str]] = {}
    for cell in view.cells:
        x, y = PLACES[cell.name]
        word = f"{y + 50} {cell.kind or '[' + cell.tile + ']'}"
        if cell.meeple is not None:
            word += f"*{_side_colour(view, cell.meeple)}"
        columns.setdefault(x, []).append(word)
    return [f"{column_name(x)}: {', '.join(words)}" for x, words in columns.items()]


def _last(view: PaperView) -> str:
    last = view.last
    if last is None:
        return ""
    if last.kind != "placed":
        what = "Constructions" if last.kind == "swapped_constructions" else "the Great Structure"
        return f"Last: {{seat:{last.seat}}} swapped {what}"
    over = ", over another Block" if last.cover else ""
    text = f"Last: {{seat:{last.seat}}} placed {KIND_NAMES[last.block]} on {last.cell}{over}"
    for tile, cells, seal in last.claims:
        text += f"; completed {OBJECTIVES[tile].name} on {' '.join(cells)}, tile on {seal}"
    return text


def _head(view: PaperView) -> str:
    if view.ended is not None:
        return "Papertown, final position"
    return f"Papertown, turn {view.turns + 1}: {{seat:{view.to_act}}} to {_short(view)}"


def _short(view: PaperView) -> str:
    words = {
        "choose": "choose an action",
        "keep_block": "keep one of the drawn Blocks",
        "place": f"place {KIND_NAMES.get(view.hand, 'a Block')}",
        "claim": "claim or finish",
        "keep_constructions": "keep Constructions",
        "keep_great_structure": "keep a Great Structure",
    }
    return words[view.phase]


def _supplies(view: PaperView) -> list[str]:
    rows = [f"Bank: {block_words(view.bank)}. Stack: {view.stack} Blocks"]
    if view.mode == "solo":
        rows.append(f"Out of play: {block_words(view.pool)}. Meeples to spend: {view.spare}")
        rows.append(f"Objectives to come: {view.pile}. Completed: {view.completed[0]} of 12")
    else:
        rows[0] += (
            f". Decks: {view.construction_deck} Constructions, "
            f"{view.structure_deck} Great Structures"
        )
    if view.drawn_blocks:
        rows.append(f"You drew {listing([KIND_NAMES[k] for k in view.drawn_blocks])}")
    if view.drawn_tiles:
        rows.append(f"Drawn: {tiles_words(view.drawn_tiles)}")
    return rows


def _players(view: PaperView) -> list[str]:
    if view.mode == "solo":
        return [f"Revealed: {tiles_words((*view.constructions[0], *view.structures[0]))}"]
    rows = []
    for seat in range(view.seats):
        side = view.sides[seat]
        words = [
            f"{view.on_city[side]} of {MEEPLES} meeples in the city, "
            f"{view.completed[side]} completed",
            f"Constructions {tiles_words(view.constructions[seat]) or 'none'}",
        ]
        if view.structures[seat]:
            words.append(f"Great Structure {tiles_words(view.structures[seat])}")
        else:
            words.append(f"{view.structure_counts[seat]} hidden Great Structure")
        rows.append(f"{{seat:{seat}}} ({view.colours[seat]}): {'; '.join(words)}")
    return rows


def board_text(view: PaperView) -> str:
    """The whole view as text."""
    rows = [_head(view), "City (column: row kind, [tile], *meeple):", *_city(view)]
    rows += [*_supplies(view), *_players(view)]
    last = _last(view)
    if last:
        rows.append(last)
    rows.append(", ".join(f"{k} {KIND_NAMES[k]}" for k in KINDS))
    return "\n".join(rows)


def alt(view: PaperView) -> str:
    """A shorter text beside the picture."""
    groups: dict[str, list[str]] = {}
    people: dict[str, list[str]] = {}
    for cell in view.cells:
        groups.setdefault(cell.kind or "tiles", []).append(cell.name)
        if cell.meeple is not None:
            people.setdefault(_side_colour(view, cell.meeple), []).append(cell.name)
    rows = [_head(view)]
    for kind in (*KINDS, "tiles"):
        if kind in groups:
            rows.append(f"{KIND_NAMES.get(kind, 'objective tiles')}: {' '.join(groups[kind])}")
    rows += [f"{colour} meeples: {' '.join(cells)}" for colour, cells in people.items()]
    rows.append(f"Bank: {block_words(view.bank)}, stack {view.stack}")
    last = _last(view)
    if last:
        rows.append(last)
    return "\n".join(rows)[:1000]
