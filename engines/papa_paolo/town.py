"""A neighbourhood: where tiles and pizzerias may go, and what roads connect (PP-026 to PP-049)."""

from __future__ import annotations

from engines.core.errors import IllegalMove
from engines.papa_paolo.components import CELLS, STEPS, XS, YS, CityTile, at, box, spot, xy
from engines.papa_paolo.state import Area

LONG, SHORT = 5, 4
"""Sides of the largest neighbourhood (PP-033)."""


def fresh(tile: int) -> Area:
    """The neighbourhood of a start tile with its three pizzas (PP-003, PP-016 to PP-018)."""
    b = box()
    half = at(1, 0)
    ident = f"S{tile}"
    tiles, roads, links = [""] * CELLS, [0] * CELLS, [0] * CELLS
    tiles[half], roads[half], links[half] = ident, b.tiles[ident].masks[0], 1
    return Area(
        money=b.start_money,
        supply=b.pizzas - b.start_pizzas,
        markers=[1, 1, 1, 1],
        cells=[half],
        tiles=tiles,
        roads=roads,
        links=links,
        fed=[0] * CELLS,
        ovens=[at(0, 0)],
        costs=[0],
        pizzas=[b.start_pizzas],
        box=(0, 1, 0, 0),
    )


def fits(bounds: tuple[int, int, int, int], cell: int) -> bool:
    """Whether the neighbourhood stays within 4 × 5 or 5 × 4 with this cell (PP-033, PP-034)."""
    x, y = XS[cell], YS[cell]
    x0, x1, y0, y1 = bounds
    wide = (x1 if x1 > x else x) - (x0 if x0 < x else x) + 1
    high = (y1 if y1 > y else y) - (y0 if y0 < y else y) + 1
    return (wide <= SHORT and high <= LONG) or (wide <= LONG and high <= SHORT)


def _grown(bounds: tuple[int, int, int, int], cell: int) -> tuple[int, int, int, int]:
    x, y = xy(cell)
    x0, x1, y0, y1 = bounds
    return min(x0, x), max(x1, x), min(y0, y), max(y1, y)


def room(area: Area, oven: int) -> int:
    """Pizzas that still fit on a pizzeria (PP-038)."""
    return box().capacity[area.costs[oven]] - area.pizzas[oven]


def rooms(area: Area) -> int:
    """Pizzas that still fit on all pizzerias."""
    capacity = box().capacity
    return sum([capacity[cost] for cost in area.costs]) - sum(area.pizzas)


# ---- placing tiles (PP-029 to PP-034) --------------------------------------------------------


def _around(area: Area, cell: int) -> tuple[int, int, int, int]:
    """Sides of a free cell: where a road must lead on, where none may, where pizzerias are; and
    the pizzerias that the roads around are connected with."""
    roads, links, ovens = area.roads, area.links, area.ovens
    need = ban = sides = linked = 0
    for bit, step, back in STEPS:
        beyond = cell + step
        mask = roads[beyond]
        if not mask:
            if beyond in ovens:
                sides |= bit
        elif mask & back:
            need |= bit
            linked |= links[beyond]
        else:
            ban |= bit
    return need, ban, sides, linked


def _linked(area: Area, cell: int, mask: int, sides: int, linked: int) -> int:
    """Pizzerias that a tile would be connected with."""
    if sides & mask:
        for bit, step, _ in STEPS:
            if sides & mask & bit:
                linked |= 1 << area.ovens.index(cell + step)
    return linked


def _blocked(area: Area, cell: int, mask: int, sides: int, linked: int) -> bool:
    """Whether a blank side faces the only pizzeria that the tile has (PP-032)."""
    for bit, step, _ in STEPS:
        if sides & ~mask & bit and not linked & ~(1 << area.ovens.index(cell + step)):
            return True
    return False


def placements(area: Area, tile: CityTile) -> list[tuple[int, int]]:
    """(cell, rotation) of every different legal placement, from north-west to south-east."""
    roads, ovens, bounds = area.roads, area.ovens, area.box
    near: dict[int, None] = {}
    for cell in area.cells:
        mask = roads[cell]
        for bit, step, _ in STEPS:
            if mask & bit and not roads[cell + step]:
                near[cell + step] = None
    for cell in ovens:
        for _, step, _ in STEPS:
            if not roads[cell + step]:
                near[cell + step] = None
    found: list[tuple[int, int]] = []
    for cell in sorted(near):
        if cell in ovens or not fits(bounds, cell):
            continue
        need, ban, sides, tied = _around(area, cell)
        for rotation, mask in tile.distinct:
            if mask & ban or need & ~mask:
                continue
            if not sides:
                if tied:
                    found.append((cell, rotation))
                continue
            linked = _linked(area, cell, mask, sides, tied)
            if linked and not (sides & ~mask and _blocked(area, cell, mask, sides, linked)):
                found.append((cell, rotation))
    return found


def can_place(area: Area, tile: CityTile) -> bool:
    """Whether the tile fits anywhere."""
    return bool(placements(area, tile))


def place(area: Area, tile: CityTile, cell: int, rotation: int) -> None:
    """Add a city tile.

    Raises:
        IllegalMove: PP-003, PP-030, PP-031, PP-032 or PP-033 forbids it.
    """
    where = spot(cell)
    if area.roads[cell] or cell in area.ovens:
        raise IllegalMove("PP-003", f"That place is already taken: {where} is not empty.")
    if not fits(area.box, cell):
        raise IllegalMove(
            "PP-033",
            f"Your neighbourhood may be 4×5 at most, lying or standing; {where} is outside.",
        )
    mask = tile.masks[rotation // 90 % 4]
    need, ban, sides, tied = _around(area, cell)
    if mask & ban or need & ~mask:
        raise IllegalMove(
            "PP-031",
            f"That would interrupt a road: at {where} every side shared with another tile must "
            "be road against road or blank against blank.",
        )
    linked = _linked(area, cell, mask, sides, tied)
    if not linked:
        raise IllegalMove(
            "PP-030",
            f"The tile must connect by road to your pizzeria; at {where} it would not.",
        )
    if _blocked(area, cell, mask, sides, linked):
        raise IllegalMove(
            "PP-032",
            f"It may only block a pizzeria if linked to another one; at {where} a blank side "
            "would face its only pizzeria.",
        )
    area.cells.append(cell)
    area.tiles[cell] = tile.id
    area.roads[cell] = mask
    area.links[cell] = linked
    area.box = _grown(area.box, cell)
    area.latest = cell
    _spread(area, cell)


def _spread(area: Area, cell: int) -> None:
    """Give the whole road of a tile the same pizzerias."""
    roads, links = area.roads, area.links
    chain, todo = {cell: None}, [cell]
    linked = 0
    while todo:
        here = todo.pop()
        linked |= links[here]
        mask = roads[here]
        for bit, step, back in STEPS:
            beyond = here + step
            if mask & bit and beyond not in chain and roads[beyond] & back:
                chain[beyond] = None
                todo.append(beyond)
    for here in chain:
        links[here] = linked


# ---- building (PP-045 to PP-049) -------------------------------------------------------------


def build_cells(area: Area) -> list[int]:
    """Cells where a pizzeria may go, from north-west to south-east."""
    roads, ovens = area.roads, area.ovens
    near: dict[int, None] = {}
    for cell in area.cells:
        for _, step, _ in STEPS:
            if not roads[cell + step]:
                near[cell + step] = None
    banned = {cell + step for cell in ovens for _, step, _ in STEPS}
    return [c for c in sorted(near) if c not in banned and c not in ovens and fits(area.box, c)]


def build(area: Area, cost: int, cell: int) -> None:
    """Add a pizzeria with its first pizzas from the supply.

    Raises:
        IllegalMove: PP-003, PP-033, PP-047 or PP-048 forbids it.
    """
    where = spot(cell)
    if area.roads[cell] or cell in area.ovens:
        raise IllegalMove("PP-003", f"That place is already taken: {where} is not empty.")
    sides = [cell + step for _, step, _ in STEPS]
    if any(beyond in area.ovens for beyond in sides):
        raise IllegalMove(
            "PP-048", f"Pizzerias may not be adjacent; {where} lies beside one. Corners may touch."
        )
    if not any(area.roads[beyond] for beyond in sides):
        raise IllegalMove(
            "PP-047", f"A pizzeria must stand beside one of your tiles; {where} is not."
        )
    if not fits(area.box, cell):
        raise IllegalMove(
            "PP-033",
            f"Your neighbourhood may be 4×5 at most, lying or standing; {where} is outside.",
        )
    pizzas = box().new_pizzas
    area.supply -= pizzas
    area.ovens.append(cell)
    area.costs.append(cost)
    area.pizzas.append(pizzas)
    area.box = _grown(area.box, cell)
    area.latest = cell
    number = 1 << len(area.ovens) - 1
    for _, step, back in STEPS:
        beyond = cell + step
        if area.roads[beyond] & back:
            area.links[beyond] |= number
            _spread(area, beyond)


def oven_at(area: Area, name: str) -> int:
    """Index of the pizzeria of that name (``0,0``), -1 = none.

    >>> oven_at(fresh(1), "0,0"), oven_at(fresh(1), "1,0"), oven_at(fresh(1), "there")
    (0, -1, -1)
    """
    for index, cell in enumerate(area.ovens):
        if spot(cell) == name:
            return index
    return -1


# ---- who can be reached ----------------------------------------------------------------------


def hungry(area: Area, cell: int) -> int:
    """Free houses on a city tile (PP-083)."""
    return box().tiles[area.tiles[cell]].houses - area.fed[cell]


def can_deliver(area: Area, reach: int = 0) -> bool:
    """Whether any pizza can get to any free house, within ``reach`` tiles (0 = any)."""
    stocked = 0
    for index, pizzas in enumerate(area.pizzas):
        if pizzas:
            stocked |= 1 << index
    if not stocked:
        return False
    links = area.links
    if not any(links[cell] & stocked and hungry(area, cell) for cell in area.cells):
        return False
    if not reach:
        return True
    return any(
        _near_house(area, area.ovens[index], reach)
        for index, pizzas in enumerate(area.pizzas)
        if pizzas
    )


def _near_house(area: Area, oven: int, reach: int) -> bool:
    roads = area.roads
    seen: dict[int, None] = {}
    edge = [oven + step for _, step, back in STEPS if roads[oven + step] & back]
    for _ in range(reach):
        beyond: list[int] = []
        for cell in edge:
            if cell in seen:
                continue
            if hungry(area, cell):
                return True
            seen[cell] = None
            mask = roads[cell]
            beyond += [
                cell + step for bit, step, back in STEPS if mask & bit and roads[cell + step] & back
            ]
        edge = beyond
    return False


def way_to_house(area: Area, here: int, used: tuple[int, ...], reach: int) -> int:
    """Side of the first step from a pizzeria or tile towards the nearest free house, -1 = none.

    Args:
        area: the neighbourhood.
        here: where the route stands.
        used: cells that it may not enter again.
        reach: city tiles that it may still enter, 0 = any number.
    """
    roads = area.roads
    edge = [(here, roads[here] or 15, -1)]
    seen = dict.fromkeys((*used, here))
    depth = 0
    while edge and (not reach or depth < reach):
        depth += 1
        beyond: list[tuple[int, int, int]] = []
        for cell, mask, first in edge:
            for side, (bit, step, back) in enumerate(STEPS):
                there = cell + step
                if mask & bit and there not in seen and roads[there] & back:
                    begun = side if first < 0 else first
                    if hungry(area, there):
                        return begun
                    seen[there] = None
                    beyond.append((there, roads[there], begun))
        edge = beyond
    return -1
