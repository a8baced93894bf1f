"""Claiming what the placed Block completes (PT-066 to PT-080, PT-099 to PT-105)."""

from __future__ import annotations

from engines.core.errors import AmbiguousMove, IllegalMove
from engines.core.types import Event, Move, Seat, listing
from engines.papertown.components import KIND_NAMES, MEEPLES, OBJECTIVES, forms, objective_of
from engines.papertown.grid import read_cell
from engines.papertown.moves import Claim, FinishTurn
from engines.papertown.patterns import Pattern, in_a_diamond, in_a_row, matches
from engines.papertown.phases.finish import end_match
from engines.papertown.state import PaperState

_finish = FinishTurn()


def claimable(state: PaperState, seat: Seat) -> list[tuple[str, Seat]]:
    """Objectives that a seat may claim, with their owner: own ones, then the partner's
    Constructions (PT-069, PT-100, PT-105)."""
    found = [(t, seat) for t in state.constructions[seat]]
    found += [(t, seat) for t in state.structures[seat]]
    partner = state.partner(seat)
    if partner is not None:
        found += [(t, partner) for t in state.constructions[partner]]
    return found


def open_claims(state: PaperState, seat: Seat) -> list[tuple[str, Seat, list[Pattern]]]:
    """What can be claimed now: objective, owner, patterns that hold the placed Block."""
    kind = state.shown.get(state.placed)
    if kind is None:  # its cell has been sealed (PT-080)
        return []
    return [
        (objective, owner, found)
        for objective, owner in claimable(state, seat)
        if (found := matches(state.shown, state.placed, kind, objective, state.symmetry))
    ]


def may_finish(state: PaperState, seat: Seat, found: list[tuple[str, Seat, list[Pattern]]]) -> bool:
    """Whether the turn may end: nothing own is left and a cover has its claim (PT-072)."""
    return not (state.cover and not state.claims) and all(owner != seat for _, owner, _ in found)


def legal(state: PaperState, seat: Seat) -> list[Move]:
    """Every claim with every cell for the tile, and the end of the turn if it is allowed."""
    found = open_claims(state, seat)
    moves: list[Move] = []
    for objective, _, patterns in found:
        for pattern in patterns:
            named = pattern if len(patterns) > 1 else None
            moves += [Claim(objective, seal, named) for seal in pattern]
    if may_finish(state, seat, found):
        moves.append(_finish)
    return moves


def claim(state: PaperState, seat: Seat, move: Claim) -> list[Event]:
    """Lay the tile, send meeples home, populate (PT-073 to PT-078, PT-099 to PT-103)."""
    objective = _objective(state, seat, move.objective)
    pattern = _pattern(state, objective, move)
    seal = read_cell(move.seal) or ""
    if seal not in pattern:
        raise IllegalMove(
            "PT-073",
            f"Lay the tile on one of its own cells: choose {listing(pattern, 'or')}.",
            pattern,
        )
    owner = next(o for t, o in claimable(state, seat) if t == objective)
    side = state.side(seat)
    order = (seal, *[c for c in pattern if c != seal]) if owner == seat else (seal,)
    returned = tuple((c, state.colours[state.meeples[c]]) for c in order if c in state.meeples)
    populated: list[str] = []
    if state.mode != "solo":
        for cell in order:
            state.meeples.pop(cell, None)
        populated.extend(order[: state.supply(side)])
        for cell in populated:
            state.meeples[cell] = side
    state.under[seal] = state.under.get(seal, "") + state.shown.pop(seal)
    state.sealed[seal] = objective
    tiles = state.structures if OBJECTIVES[objective].great else state.constructions
    tiles[owner] = tuple(t for t in tiles[owner] if t != objective)
    state.completed[side] += 1
    state.claims += ((objective, owner),)
    if state.last is not None:
        state.last = type(state.last)(
            seat,
            state.last.kind,
            state.last.block,
            state.last.cell,
            state.last.cover,
            (*state.last.claims, (objective, pattern, seal)),
        )
    on_city = state.on_city(side)
    over = state.mode != "solo" and on_city == MEEPLES
    events = [
        Event(
            "claimed",
            {
                "seat": seat,
                "owner": owner,
                "objective": objective,
                "cells": pattern,
                "seal": seal,
                "returned": returned,
                "populated": tuple(populated),
                "colour": state.colours[seat],
                "on_city": on_city,
                "solo": state.mode == "solo",
            },
            reveals=over or (OBJECTIVES[objective].great and state.mode != "solo"),
        )
    ]
    if over:
        return events + end_match(state, "meeples")
    state.next_step(seat, "claim")
    return events


def _objective(state: PaperState, seat: Seat, word: str) -> str:
    """The claimable objective that was named.

    Raises:
        IllegalMove: there is none of that name, or it is not the seat's to claim. What is said
            about a Great Structure never depends on who holds it (PT-014, PT-097).
    """
    mine = [t for t, _ in claimable(state, seat)]
    words = [OBJECTIVES[t].words for t in mine]
    objective = objective_of(word)
    if objective is None:
        raise IllegalMove(
            "PT-005",
            f"There is no objective “{word.strip()[:40]}”. Yours: {listing(words)}.",
            words,
        )
    if objective in state.sealed.values():
        raise IllegalMove("PT-085", f"{OBJECTIVES[objective].name} is already in the city.")
    if objective not in mine:
        if state.mode == "pairs" and OBJECTIVES[objective].great:
            raise IllegalMove(
                "PT-105",
                f"{OBJECTIVES[objective].name} is not an objective you can claim: of the Great "
                "Structures only your own.",
            )
        raise IllegalMove(
            "PT-069", f"{OBJECTIVES[objective].name} is not your objective. Yours: "
            f"{listing(words) or 'none'}.", words,
        )  # fmt: skip
    return objective


def _pattern(state: PaperState, objective: str, move: Claim) -> Pattern:
    """The cells that are claimed.

    Raises:
        AmbiguousMove: the objective fits more than once and no pattern was named.
        IllegalMove: it fits nowhere, or not there.
    """
    tile = OBJECTIVES[objective]
    kind = state.shown.get(state.placed)
    found = (
        [] if kind is None else matches(state.shown, state.placed, kind, objective, state.symmetry)
    )
    if move.pattern is None:
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousMove(
                "PT-085",
                f"{tile.name} fits more than once, but the tile is laid only once. Name the "
                f"pattern: {listing([' '.join(p) for p in found], 'or')}.",
                [" ".join(p) for p in found],
            )
    else:
        cells = tuple(read_cell(word) or word for word in move.pattern)
        for pattern in found:
            if set(pattern) == set(cells) and len(cells) == len(pattern):
                return pattern
        _refuse_cells(state, objective, cells)
    if kind is None:
        raise IllegalMove(
            "PT-080",
            f"Your new Block on {state.placed} is already covered by an objective tile, so it "
            "completes nothing more.",
        )
    _refuse_elsewhere(state, objective, kind)
    if tile.great:
        if matches(state.shown, state.placed, kind, objective, "all8"):
            raise IllegalMove("PT-065", _turned(objective))
        raise IllegalMove(
            "PT-064",
            f"Your Block on {state.placed} does not complete {tile.words}: four Blocks in a "
            "diamond, read top, right, bottom, left.",
        )
    raise IllegalMove(
        "PT-063",
        f"Your Block on {state.placed} does not complete {tile.name}: it needs the sequence "
        f"{tile.spelled} in a straight row, side by side.",
    )


def _turned(objective: str) -> str:
    tile = OBJECTIVES[objective]
    return (
        f"{tile.name} ({tile.spelled}: top, right, bottom, left) may be inverted, not turned: the "
        "Blocks at the top and bottom must be in the same street corners as on the tile."
    )


def _refuse_elsewhere(state: PaperState, objective: str, kind: str) -> None:
    """Say so if the pattern stands elsewhere, or would stand but for a sealed cell."""
    tile = OBJECTIVES[objective]
    bare = {cell: letters[-1] for cell, letters in state.under.items() if cell in state.sealed}
    beneath = matches({**state.shown, **bare}, state.placed, kind, objective, state.symmetry)
    if beneath:
        closed = [c for c in beneath[0] if c in state.sealed]
        raise IllegalMove("PT-067", f"{listing(closed)} is covered by an objective tile.")
    for cell, shown in state.shown.items():
        if matches(state.shown, cell, shown, objective, state.symmetry):
            raise IllegalMove(
                "PT-066",
                f"{tile.name} stands in the city already, but the Block you just placed on "
                f"{state.placed} must be part of it.",
            )


def _refuse_cells(state: PaperState, objective: str, cells: tuple[str, ...]) -> None:
    """Say what is wrong with the cells that were named; returns if their order alone is."""
    tile = OBJECTIVES[objective]
    for word in cells:
        cell = read_cell(word)
        if cell is None:
            raise IllegalMove("PT-009", f"There is no cell “{word[:20]}”.")
    closed = [c for c in cells if c in state.sealed and c != state.placed]
    if closed:
        raise IllegalMove("PT-067", f"{listing(closed)} is covered by an objective tile.")
    if state.placed in state.sealed:
        return
    if state.placed not in cells:
        raise IllegalMove(
            "PT-066", f"The Block you just placed on {state.placed} must be part of the pattern."
        )
    kinds = [KIND_NAMES.get(state.shown.get(c, ""), "nothing") for c in cells]
    shows = f"{listing(cells)} show {listing(kinds)}"
    if not tile.great:
        row = in_a_row(cells)
        raise IllegalMove(
            "PT-063",
            f"{shows}{'' if row else ', and they are not in a straight row'}; {tile.name} needs "
            f"the sequence {tile.spelled} in a straight row.",
        )
    quad = in_a_diamond(cells)
    if quad is not None:
        reading = "".join(state.shown.get(c, " ") for c in quad)
        if reading in forms(objective, "all8"):
            raise IllegalMove("PT-065", _turned(objective))
    raise IllegalMove(
        "PT-064",
        f"{shows}; {tile.words} needs four Blocks in a diamond, read top, right, bottom, left.",
    )
