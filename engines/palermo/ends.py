"""Where a pawn can end its move: an exact search over (cell, points left).

The search goes down in points, one layer of cells at a time. A layer is a set of cells as one
integer, so that all its cells take a step at once; fees of opposing stones and jumps along the ring
move cells two or more layers down. What the layers hold is exact, so an end is offered if and only
if some walk leads there, and a way to it is found by going back up.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from engines.palermo.components import (
    ALL_MASK,
    CORNER_MASK,
    JUMPS,
    JUMPS_FROM,
    NOT_EAST,
    NOT_WEST,
    RING_MASK,
    SIDE,
    STEPS,
    Jump,
    bits,
)

STOP, FINISH, EXACT, BACK = "stop", "finish", "exact", "back"


class Field(msgspec.Struct, frozen=True):
    """What matters for one pawn's walk, as sets of cells.

    Attributes:
        streets: cells that may be entered.
        pawns: cells of other pawns.
        stones: cells of opposing stones.
        chips: own doorways.
        goal: the Start cells, if no own chip is left on the board; else empty.
        begin: the cells to begin on: the pawn's, or several Start cells.
        points: points left there.
        moved: at least one step was made before.
    """

    streets: int
    pawns: int
    stones: int
    chips: int
    goal: int
    begin: tuple[int, ...]
    points: int
    moved: bool = False

    def cost(self, cell: int, between: int = 0) -> int:
        """Points for entering a cell, and for crossing those between two corners."""
        fee = self.stones >> cell & 1
        return 1 + fee + (self.stones & between).bit_count()


class Ends(msgspec.Struct, frozen=True):
    """All legal ends of a move.

    Attributes:
        stops: own doorways and the points left there at best, by cell.
        finish: points left on arriving home at best; None if home is out of reach.
        exact: cells where the last point is spent.
        back: cells where the pawn stays back from a blocked one.
        layers: cells reached with 0, 1, … points left.
    """

    stops: dict[int, int]
    finish: int | None
    exact: int
    back: int
    layers: list[int]

    @property
    def stuck(self) -> bool:
        """No legal end at all (PL-069)."""
        return not (self.stops or self.exact or self.back) and self.finish is None


_PLAIN = tuple((1 << j.start, 1 << j.end, 1) for j in JUMPS)
_JUMPS = tuple((1 << j.start, 1 << j.end, 1 << j.end | j.between) for j in JUMPS)


def _jumps(field: Field) -> tuple[tuple[int, int, int], ...]:
    """From, to and cost of each jump."""
    stones = field.stones
    if not stones & RING_MASK:
        return _PLAIN
    return tuple([(a, z, 1 + (stones & paid).bit_count()) for a, z, paid in _JUMPS])


def blocked_neighbours(field: Field) -> int:
    """Cells from which the last point can be aimed at a blocked cell (PL-067)."""
    aims = (field.pawns | field.stones) & field.streets & ~field.goal
    found = _around(aims) & field.streets
    if aims & CORNER_MASK:
        for j in JUMPS:
            if aims >> j.end & 1 and not field.stones & j.between:
                found |= 1 << j.start
    return found


def _around(mask: int) -> int:
    return mask >> SIDE | mask << SIDE & ALL_MASK | (mask & NOT_EAST) << 1 | (mask & NOT_WEST) >> 1


@lru_cache(maxsize=256)
def search(field: Field) -> Ends:
    """All ends of the field's pawn (PL-055 to PL-114). The latest answers are kept, for a move is
    listed, described and made on the same field, and an own police move does not change it."""
    n = field.points
    plain = field.streets & ~field.stones
    fee = field.streets & field.stones
    layers = [0] * (n + 1)
    begin = 0
    for cell in field.begin:
        begin |= 1 << cell
    layers[n] = begin
    stop_mask = field.chips & ~field.pawns
    stops: dict[int, int] = {}
    finish: int | None = None
    jumps: tuple[tuple[int, int, int], ...] = ()
    for r in range(n, -1, -1):
        layer = layers[r]
        if not layer:
            continue
        moved = r < n or field.moved
        if moved:
            arrived = layer & field.goal
            if arrived:
                if finish is None:
                    finish = r
                layer ^= arrived
            found = layer & stop_mask
            if found:
                for cell in bits(found):
                    if cell not in stops:
                        stops[cell] = r
        if not r or not layer:
            continue
        around = _around(layer)
        layers[r - 1] |= around & plain
        if fee and r > 1:
            layers[r - 2] |= around & fee
        corners = layer & CORNER_MASK
        if corners:
            if not jumps:
                jumps = _jumps(field)
            for start, end, cost in jumps:
                if corners & start and cost <= r:
                    layers[r - cost] |= end
    free = ~(field.pawns | field.chips | field.goal)
    exact = layers[0] & free
    if not (n or field.moved):
        exact = 0
    back = 0
    if layers[1:] and layers[1] & free and (n > 1 or field.moved):
        back = layers[1] & free & ~exact & blocked_neighbours(field)
    return Ends(stops, finish, exact, back, layers)


def _before(field: Field, cell: int) -> list[tuple[int, int]]:
    """Cells from which one step or jump leads to the cell, with its cost."""
    fee = field.cost(cell)
    found = [(c, fee) for c in STEPS[cell] if field.streets >> c & 1]
    for j in JUMPS_FROM.get(cell, ()):
        found.append((j.end, field.cost(cell, j.between)))
    return found


def way(field: Field, ends: Ends, cell: int, left: int) -> tuple[int, ...]:
    """A walk that reaches the cell with so many points left, its first cell included."""
    path = [cell]
    layers, n = ends.layers, field.points
    while left < n:
        for before, cost in _before(field, cell):
            r = left + cost
            if r <= n and layers[r] >> before & 1:
                passed_home = field.goal >> before & 1 and (r < n or field.moved)
                if not passed_home:
                    cell, left = before, r
                    break
        else:  # pragma: no cover - layers hold nothing without a way to it
            raise AssertionError("no way back")
        path.append(cell)
    return tuple(reversed(path))


def finish_cell(field: Field, ends: Ends) -> int:
    """The Start cell at which a homecoming arrives."""
    assert ends.finish is not None
    return next(bits(ends.layers[ends.finish] & field.goal))


def _completable(field: Field, top: int) -> list[int]:
    """For 0 … ``top`` points left the cells from which a walk under way can still end legally."""
    streets, stones, goal = field.streets, field.stones, field.goal
    ending = field.chips & ~field.pawns | goal
    plain = streets & ~stones
    fee = streets & stones
    jumps = _jumps(field)
    good = [streets & ~field.pawns | goal]
    for r in range(1, top + 1):
        below = good[r - 1]
        # A cell is good if a step from it enters a good cell one point lower, or two with a fee.
        mask = ending | _around(below & plain)
        if r == 1:
            mask |= blocked_neighbours(field) & ~field.pawns
        elif fee:
            mask |= _around(good[r - 2] & fee)
        if jumps is _PLAIN and below & CORNER_MASK == CORNER_MASK:
            mask |= CORNER_MASK
        else:
            for start, end, cost in jumps:
                if cost <= r and good[r - cost] & end:
                    mask |= start
        good.append(mask & streets)
    return good


def next_steps(field: Field, ends: Ends | None = None) -> list[int]:
    """Cells to which the next step may go so that the walk can still end legally: at the fountain
    the Start cells, else neighbours and corners. A blocked cell is aimed at with the last point.

    With ``ends``, the result of :func:`search` on the same field, walks that meet no pawn are
    not searched again: on a cell without a pawn a walk can always end, if only by turning back.
    """
    n = field.points
    alone = False
    if ends is not None:
        reached = 0
        for layer in ends.layers:
            reached |= layer
        alone = not reached & field.pawns
    good = None if alone else _completable(field, n)
    if len(field.begin) > 1:
        return [c for c in field.begin if good is None or _can_start(field, good, c)]
    here = field.begin[0]
    found: list[int] = []
    for cell, cost, between in edges(field, here):
        if (cost <= n and (good is None or good[n - cost] >> cell & 1)) or aims_back(
            field, here, cell, between
        ):
            found.append(cell)
    return found


def _can_start(field: Field, good: Sequence[int], cell: int) -> bool:
    n = field.points
    return any(cost <= n and good[n - cost] >> c & 1 for c, cost, _ in edges(field, cell))


def edges(field: Field, cell: int) -> list[tuple[int, int, int]]:
    """Steps and jumps from a cell: target, cost, cells crossed."""
    streets, stones = field.streets, field.stones
    found = [(c, 1 + (stones >> c & 1), 0) for c in STEPS[cell] if streets >> c & 1]
    if cell in JUMPS_FROM:
        found += [(j.end, field.cost(j.end, j.between), j.between) for j in JUMPS_FROM[cell]]
    return found


def aims_back(field: Field, here: int, cell: int, between: int = 0) -> bool:
    """Whether the last point may be aimed at a blocked cell, so that the pawn stays on ``here``
    (PL-066, PL-067, PL-083)."""
    if field.points != 1 or not field.moved:
        return False
    bit = 1 << here
    return bool(
        (field.pawns | field.stones) >> cell & 1
        and not field.goal >> cell & 1
        and not field.stones & between
        and not (field.pawns | field.chips) & bit
    )


def edge(field: Field, here: int, cell: int) -> tuple[int, int] | None:
    """Cost and cells crossed of the step or jump between two cells; None if there is none."""
    return next(((w, b) for c, w, b in edges(field, here) if c == cell), None)


__all__ = [
    "BACK", "EXACT", "FINISH", "STOP", "Ends", "Field", "Jump", "aims_back",
    "blocked_neighbours", "edge", "edges", "finish_cell", "next_steps", "search", "way",
]  # fmt: skip
