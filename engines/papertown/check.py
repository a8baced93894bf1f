"""Invariants of a position: nothing is lost or doubled, and the turn makes sense."""

from __future__ import annotations

from engines.core.errors import InvariantError
from engines.papertown.components import BLOCKS_PER_KIND, KINDS, MEEPLES, OBJECTIVES
from engines.papertown.grid import PLACES, SPOTS
from engines.papertown.state import PaperState

_ALL_TILES = sorted(OBJECTIVES)


def _demand(true: bool, what: str) -> None:
    if not true:
        raise InvariantError(f"Papertown: {what}")


def check(state: PaperState) -> None:
    """Blocks, tiles, meeples, hands and the step of the turn are consistent.

    Raises:
        InvariantError: they are not.
    """
    _blocks(state)
    _tiles(state)
    _meeples(state)
    _turn(state)


def _blocks(state: PaperState) -> None:
    everywhere = "".join(
        (
            state.stack, state.bank, state.pool, state.hand, state.drawn,
            *state.shown.values(), *state.under.values(),
        )
    )  # fmt: skip
    for kind in KINDS:
        _demand(
            everywhere.count(kind) == BLOCKS_PER_KIND,
            f"{everywhere.count(kind)} Blocks of kind {kind} (PT-001)",
        )
    _demand(len(everywhere) == BLOCKS_PER_KIND * len(KINDS), "Blocks of no kind (PT-001)")
    _demand(not state.shown.keys() & state.sealed.keys(), "a sealed cell shows a kind (PT-058)")
    city = state.shown.keys() | state.sealed.keys()
    _demand(city <= PLACES.keys(), "a cell is outside the grid (PT-009)")
    _demand(state.under.keys() <= city, "Blocks beneath nothing (PT-010)")
    _demand(all(state.under.values()), "an empty pile of Blocks (PT-010)")
    _demand(all(state.under.get(c) for c in state.sealed), "a tile on no Block (PT-073)")
    for cell, kind in state.shown.items():
        same = any(state.shown.get(n) == kind for n in SPOTS[cell].sides)
        _demand(not same, f"equal kinds side by side at {cell} (PT-053)")


def _tiles(state: PaperState) -> None:
    held = [t for tiles in (*state.constructions, *state.structures) for t in tiles]
    everywhere = (
        *held, *state.drawn_tiles, *state.construction_deck, *state.structure_deck,
        *state.pile, *state.box, *state.sealed.values(),
    )  # fmt: skip
    _demand(sorted(everywhere) == _ALL_TILES, "the 32 objective tiles do not add up (PT-003)")
    rows = [*state.construction_deck, *(t for own in state.constructions for t in own)]
    diamonds = [*state.structure_deck, *(t for own in state.structures for t in own)]
    _demand(not any(OBJECTIVES[t].great for t in rows), "a Great Structure among Constructions")
    _demand(all(OBJECTIVES[t].great for t in diamonds), "a Construction among Great Structures")
    _demand(sum(state.completed) == len(state.sealed), "completed objectives are lost (PT-085)")
    if state.mode == "solo":
        _demand(len(held) <= 3, "more than three revealed objectives (PT-112)")
        _demand(
            len(held) + len(state.claims) == 3 or not state.pile, "an objective is not revealed"
        )
        return
    _demand(not state.pile, "an objective pile outside solo")
    for seat in range(state.seats):
        rows_held, great_held = len(state.constructions[seat]), len(state.structures[seat])
        _demand(rows_held <= state.limit, f"seat {seat} owns {rows_held} Constructions (PT-035)")
        _demand(great_held <= 1, f"seat {seat} owns {great_held} Great Structures (PT-041)")
        if state.phase == "choose":
            full = rows_held == state.limit or not state.construction_deck
            _demand(full, f"seat {seat} lacks a Construction (PT-083)")
            full = great_held == 1 or not state.structure_deck
            _demand(full, f"seat {seat} lacks a Great Structure (PT-083)")


def _meeples(state: PaperState) -> None:
    city = state.shown.keys() | state.sealed.keys()
    _demand(state.meeples.keys() <= city, "a meeple stands outside the city (PT-076)")
    if state.mode == "solo":
        _demand(not state.meeples, "a meeple is in the city of a solo game (PT-110)")
        _demand(state.spare >= 0, "more meeples were spent than there are (PT-117)")
        return
    sides = len(state.completed)
    _demand(all(0 <= s < sides for s in state.meeples.values()), "a meeple of nobody (PT-098)")
    full = [side for side in range(sides) if state.on_city(side) >= MEEPLES]
    _demand(all(state.on_city(s) == MEEPLES for s in full), "more than 12 meeples (PT-002)")
    _demand(bool(full) == (state.ended == "meeples"), "twelve meeples and no end (PT-087)")


def _turn(state: PaperState) -> None:
    if state.ended is not None:
        _demand(not state.pending, "a decision is open after the end (PT-087)")
        return
    _demand(len(state.pending) == 1, "not exactly one decision is open (PT-028)")
    _demand(state.pending[0].seat == state.turn, "the wrong player is to act (PT-027)")
    phase = state.phase
    _demand(bool(state.hand) == (phase == "place"), "a Block is held at the wrong time (PT-049)")
    _demand(bool(state.drawn) == (phase == "keep_block"), "drawn Blocks are left (PT-046)")
    _demand(bool(state.placed) == (phase == "claim"), "no Block was placed, or two (PT-050)")
    swapping = phase in ("keep_constructions", "keep_great_structure")
    _demand(bool(state.drawn_tiles) == swapping, "drawn tiles are left (PT-036)")
    if phase == "choose" and state.mode != "solo":
        _demand(bool(state.stack), "the stack is empty and the match goes on (PT-088)")
        _demand(len(state.stack) % 2 == 0, "an odd number of Blocks in the stack (PT-051)")
