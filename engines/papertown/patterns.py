"""Which rows and diamonds of Blocks complete an objective (PT-062 to PT-068).

``shown`` maps every unsealed city cell to the kind on top. Kinds within a tile all differ, so a
Block can have only one place in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from engines.papertown.components import OBJECTIVES, forms
from engines.papertown.grid import SPOTS

Pattern = tuple[str, ...]
"""Cells in pattern order: a Construction's printed order; top, right, bottom, left."""

Others = tuple[tuple[int, str], ...]


@cache
def _places(structure: str, symmetry: str, kind: str) -> tuple[tuple[int, Others], ...]:
    """In each form: the place of the kind, and the other places with their kinds."""
    found = []
    for form in forms(structure, symmetry):
        place = form.find(kind)
        if place >= 0:
            found.append((place, tuple((i, k) for i, k in enumerate(form) if i != place)))
    return tuple(found)


def matches(
    shown: Mapping[str, str], cell: str, kind: str, objective: str, symmetry: str
) -> list[Pattern]:
    """Every pattern of an objective that a Block of this kind on this cell is part of."""
    tile = OBJECTIVES[objective]
    if kind not in tile.kinds:
        return []
    spot = SPOTS[cell]
    get = shown.get
    if not tile.great:
        a, b, c = tuple(tile.kinds)
        if kind == b:
            return [(p, cell, q) for p, q in spot.mids if get(p) == a and get(q) == c]
        if kind == a:
            return [(cell, p, q) for p, q in spot.rays if get(p) == b and get(q) == c]
        return [(q, p, cell) for p, q in spot.rays if get(p) == b and get(q) == a]
    found: list[Pattern] = []
    for place, others in _places(objective, symmetry, kind):
        quad = spot.quads[place]
        if quad is not None and all(get(quad[i]) == k for i, k in others):
            found.append(quad)
    return found


def completing(shown: Mapping[str, str], kind: str, objective: str, symmetry: str) -> list[str]:
    """Every cell, empty or not, on which a Block of this kind would complete the objective.

    Cells may repeat and come in no particular order.
    """
    tile = OBJECTIVES[objective]
    if kind not in tile.kinds:
        return []
    get = shown.get
    if not tile.great:
        a, b, c = tuple(tile.kinds)
        if kind == b:
            return [
                p for cell, k in shown.items() if k == a for p, q in SPOTS[cell].rays if get(q) == c
            ]
        end = c if kind == a else a
        return [
            p for cell, k in shown.items() if k == b for p, q in SPOTS[cell].mids if get(q) == end
        ]
    found = []
    for place, others in _places(objective, symmetry, kind):
        (i, first), (j, second), (m, third) = others
        for cell, k in shown.items():
            if k == first:
                quad = SPOTS[cell].quads[i]
                if quad is not None and get(quad[j]) == second and get(quad[m]) == third:
                    found.append(quad[place])
    return found


def in_a_row(cells: tuple[str, ...]) -> bool:
    """Whether three cells lie side by side in a straight line, in this order."""
    return len(cells) == 3 and cells[1:] in SPOTS[cells[0]].rays


def in_a_diamond(cells: tuple[str, ...]) -> tuple[str, ...] | None:
    """Four cells as top, right, bottom, left, or None if they form no diamond."""
    for quad in SPOTS[cells[0]].quads if cells else ():
        if quad is not None and set(quad) == set(cells) and len(cells) == 4:
            return quad
    return None
