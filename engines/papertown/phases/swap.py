"""Swapping objectives (PT-030 to PT-043, PT-096)."""

from __future__ import annotations

from itertools import combinations, permutations

from engines.core.errors import IllegalMove
from engines.core.types import Event, Move, Seat, listing
from engines.papertown.components import OBJECTIVES, objective_of
from engines.papertown.moves import (
    KeepConstructions,
    KeepGreatStructure,
    SwapConstructions,
    SwapGreatStructure,
)
from engines.papertown.phases.finish import next_turn
from engines.papertown.state import Last, PaperState


def names(tiles: tuple[str, ...]) -> list[str]:
    """Tiles for a sentence."""
    return [OBJECTIVES[t].name for t in tiles]


def swap_constructions(state: PaperState, seat: Seat, move: SwapConstructions) -> list[Event]:
    """Draw two Constructions, open to all (PT-030, PT-031)."""
    if state.mode == "solo":
        raise IllegalMove("PT-116", "In the solo game objectives cannot be swapped.")
    if not state.construction_deck:
        raise IllegalMove(
            "PT-037", "The deck of Constructions is empty: there is nothing left to draw."
        )
    state.drawn_tiles = state.construction_deck[:2]
    state.construction_deck = state.construction_deck[2:]
    state.next_step(seat, "keep_constructions")
    return [Event("drew_constructions", {"seat": seat, "tiles": state.drawn_tiles}, reveals=True)]


def swap_great_structure(state: PaperState, seat: Seat, move: SwapGreatStructure) -> list[Event]:
    """Draw two Great Structures in secret (PT-038)."""
    if state.mode == "solo":
        raise IllegalMove("PT-116", "In the solo game objectives cannot be swapped.")
    if not state.structure_deck:
        raise IllegalMove(
            "PT-043", "The deck of Great Structures is empty: there is nothing left to draw."
        )
    state.drawn_tiles = state.structure_deck[:2]
    state.structure_deck = state.structure_deck[2:]
    state.next_step(seat, "keep_great_structure")
    return [
        Event("drew_structures", {"seat": seat, "count": len(state.drawn_tiles)}, reveals=True),
        Event("own_structures", {"tiles": state.drawn_tiles}, to=(seat,), reveals=True),
    ]


def legal_constructions(state: PaperState, seat: Seat) -> list[Move]:
    """Every set to keep, with every order of the rest; at most twelve."""
    tiles = (*state.constructions[seat], *state.drawn_tiles)
    count = min(state.limit, len(tiles))
    moves: list[Move] = []
    for keep in combinations(tiles, count):
        rest = tuple(t for t in tiles if t not in keep)
        moves += [KeepConstructions(keep, order) for order in permutations(rest)]
    return moves


def legal_structures(state: PaperState, seat: Seat) -> list[Move]:
    """Every tile to keep, with every order of the rest; at most six."""
    tiles = (*state.structures[seat], *state.drawn_tiles)
    return [
        KeepGreatStructure(keep, order)
        for keep in tiles
        for order in permutations([t for t in tiles if t != keep])
    ]


def _split(
    owned: tuple[str, ...],
    keep: tuple[str, ...],
    bottom: tuple[str, ...],
    count: int,
    rules: tuple[str, str],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tiles kept, in the order owned, and the others in the order named.

    Args:
        owned: old and drawn tiles.
        keep, bottom: tiles as named by the player.
        count: how many are kept.
        rules: what refuses a wrong choice to keep and a wrong rest.

    Raises:
        IllegalMove: not exactly ``count`` own tiles are kept, or the rest is not named right.
    """
    kept = [objective_of(word) for word in keep]
    if len(kept) != count or len(set(kept)) != count or any(t not in owned for t in kept):
        raise IllegalMove(
            rules[0], f"Keep exactly {count} of {listing(names(owned))}.", names(owned)
        )
    rest = tuple(t for t in owned if t not in kept)
    order = tuple(objective_of(word) or "" for word in bottom)
    if sorted(rest) != sorted(order):
        raise IllegalMove(
            rules[1],
            "Name every other tile once, in the order they go under the deck: "
            f"{listing(names(rest))}.",
            names(rest),
        )
    return tuple(t for t in owned if t in kept), order


def keep_constructions(state: PaperState, seat: Seat, move: KeepConstructions) -> list[Event]:
    """Keep two (pairs: one), the others go under the deck; the turn ends (PT-032 to PT-036)."""
    owned = (*state.constructions[seat], *state.drawn_tiles)
    rules = ("PT-096" if state.mode == "pairs" else "PT-032", "PT-033")
    keep, bottom = _split(owned, move.keep, move.bottom, min(state.limit, len(owned)), rules)
    state.constructions[seat] = keep
    state.construction_deck += bottom
    state.drawn_tiles = ()
    state.last = Last(seat, "swapped_constructions")
    event = Event("kept_constructions", {"seat": seat, "keep": keep, "bottom": bottom})
    return [event, *next_turn(state)]


def keep_great_structure(state: PaperState, seat: Seat, move: KeepGreatStructure) -> list[Event]:
    """Secretly keep one, the others go under the deck; the turn ends (PT-039 to PT-042)."""
    owned = (*state.structures[seat], *state.drawn_tiles)
    keep, bottom = _split(owned, (move.keep,), move.bottom, 1, ("PT-039", "PT-039"))
    state.structures[seat] = keep
    state.structure_deck += bottom
    state.drawn_tiles = ()
    state.last = Last(seat, "swapped_great_structure")
    return [
        Event("kept_structure", {"seat": seat}),
        Event("own_kept", {"tile": keep[0], "bottom": bottom}, to=(seat,)),
        *next_turn(state),
    ]
