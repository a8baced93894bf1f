"""The pawn move (PL-047 to PL-114): destinations, walks of one's own, single steps."""

from __future__ import annotations

from functools import cache, lru_cache

from engines.core.errors import IllegalMove
from engines.core.types import Event, Move, Seat, listing
from engines.palermo.components import (
    ALL_MASK,
    BASE_POINTS,
    CORNERS,
    DOOR_BITS,
    FOUNTAIN,
    NAMES,
    QUARTERS,
    SIDE,
    SPACE_CELLS,
    SPACE_MASKS,
    SPACE_OF,
    SPACES,
    TILES,
    bits,
    find_cell,
)
from engines.palermo.ends import (
    BACK,
    EXACT,
    FINISH,
    STOP,
    Ends,
    Field,
    aims_back,
    edge,
    finish_cell,
    next_steps,
    search,
    way,
)
from engines.palermo.moves import STAY, Collect, Finish, MoveCell, Step, Walk
from engines.palermo.state import PalermoState, Trip

_ROW = (1 << SIDE) - 1
FAR = 60
"""Points with which every street cell is within reach."""


def door_cell(tile: str, space: int) -> int:
    """The doorway's cell of a tile on a space."""
    return SPACE_CELLS[space][TILES[tile].door]


def doorways(state: PalermoState, seat: Seat) -> list[int]:
    """The seat's own doorways, by space."""
    tiles = state.tiles
    return [
        door_cell(tiles[space], space) for space, owner in enumerate(state.chips) if owner == seat
    ]


def field(state: PalermoState, seat: Seat, origin: int | None = None) -> Field:
    """What matters for the seat's walk now; ``origin``: the Start cell chosen for a first move."""
    pawns = stones = chips = 0
    for other in range(state.seats):
        if other != seat:
            cell = state.pawns[other]
            if cell >= 0:
                pawns |= 1 << cell
            cell = state.stones[other]
            if cell >= 0:
                stones |= 1 << cell
    tiles, owners = state.tiles, state.chips
    space = -1
    for _ in range(state.chips_each - state.cards[seat]):
        space = owners.index(seat, space + 1)
        chips |= DOOR_BITS[space][tiles[space]]
    moved = False
    points = state.points(seat)
    if state.trail:
        here = state.trail[-1]
        begin: tuple[int, ...] = (here,)
        moved = state.left < points or len(state.trail) > 1
        points = state.left
    elif state.pawns[seat] != FOUNTAIN:
        begin = (state.pawns[seat],)
    elif origin is not None:
        begin = (origin,)
    else:
        begin = SPACE_CELLS[state.start]
    goal = 0 if chips else SPACE_MASKS[state.start]
    return Field(ALL_MASK ^ int(state.roofs, 16), pawns, stones, chips, goal, begin, points, moved)


# ---- listing ---------------------------------------------------------------------------------


@cache
def _collect(cell: int) -> Collect:
    return Collect(NAMES[cell])


@cache
def _row(row: int, cells: int) -> tuple[MoveCell, ...]:
    return tuple(MoveCell(NAMES[row * SIDE + x]) for x in bits(cells))


@cache
def _step(cell: int) -> Step:
    return Step(NAMES[cell])


_FINISH = Finish()
_STAY = MoveCell(STAY)


def legal(state: PalermoState, seat: Seat) -> list[Move]:
    """Chips to collect, home, other ends, then single steps; ``stay`` if there is no end."""
    return list(_listed(field(state, seat)))


@lru_cache(maxsize=256)
def _listed(ground: Field) -> tuple[Move, ...]:
    ends = search(ground)
    if ends.stuck:
        return (_STAY,)
    moves: list[Move] = [_collect(cell) for cell in sorted(ends.stops)]
    if ends.finish is not None:
        moves.append(_FINISH)
    cells, row = ends.exact | ends.back, 0
    while cells:
        if cells & _ROW:
            moves += _row(row, cells & _ROW)
        cells >>= SIDE
        row += 1
    moves += [_step(cell) for cell in next_steps(ground, ends)]
    return tuple(moves)


# ---- destinations ----------------------------------------------------------------------------


def _origin(state: PalermoState, seat: Seat, word: str | None) -> int | None:
    """The Start cell that was named for the first move.

    Raises:
        IllegalMove: it is none, or this is no first move.
    """
    if word is None or not word.strip():
        return None
    if state.pawns[seat] != FOUNTAIN or state.trail:
        raise IllegalMove(
            "PL-048", "A Start cell is chosen for the first move only. Your pawn has set out."
        )
    quarter = word.strip().lower().removeprefix(SPACES[state.start].lower())
    if quarter not in QUARTERS:
        raise IllegalMove("PL-048", "Begin on one of the Start cells: nw, ne, se or sw.", QUARTERS)
    return SPACE_CELLS[state.start][QUARTERS.index(quarter)]


def _cell(word: str) -> int:
    cell = find_cell(word)
    if cell is None:
        raise IllegalMove(
            "PL-060", "There is no such cell. Cells are named like C4nw, the ring R1 to R52."
        )
    return cell


def collect(state: PalermoState, seat: Seat, move: Collect) -> list[Event]:
    """Walk to an own doorway with as many points left as possible (PL-100, PL-101)."""
    cell = _cell(move.doorway)
    origin = _origin(state, seat, move.origin)
    ground = field(state, seat, origin)
    if not ground.chips >> cell & 1:
        mine = [NAMES[c] for c in sorted(doorways(state, seat))]
        left = f"Yours are {listing(mine)}." if mine else "You have none left; go home."
        raise IllegalMove("PL-105", f"{NAMES[cell]} is not your open business. {left}", mine)
    _free(state, seat, cell, "PL-107")
    ends = search(ground)
    if cell not in ends.stops:
        raise _too_far(ground, cell)
    left_over = ends.stops[cell]
    return _end(state, seat, STOP, way(ground, ends, cell, left_over), left_over)


def go_home(state: PalermoState, seat: Seat) -> list[Event]:
    """Walk to the Start/Finish tile (PL-110 to PL-112)."""
    open_doors = [NAMES[c] for c in sorted(doorways(state, seat))]
    if open_doors:
        raise IllegalMove(
            "PL-110",
            f"You can go home only when all your chips are collected. Still open: "
            f"{listing(open_doors)}.",
            open_doors,
        )
    ground = field(state, seat)
    ends = search(ground)
    if ends.finish is None:
        need = _distance(ground)
        raise IllegalMove(
            "PL-055", f"Home is out of reach: you have {ground.points} points and need {need}."
        )
    cell = finish_cell(ground, ends)
    return _end(state, seat, FINISH, way(ground, ends, cell, ends.finish), ends.finish)


def move_to(state: PalermoState, seat: Seat, move: MoveCell) -> list[Event]:
    """Walk to a cell with all points (PL-062), or stay back from a blocked one (PL-067)."""
    origin = _origin(state, seat, move.origin)
    ground = field(state, seat, origin)
    ends = search(ground)
    if move.cell.strip().lower() == STAY:
        if not ends.stuck:
            raise IllegalMove("PL-062", "Your pawn can move, so it must, with all its points.")
        return _stay(state, seat)
    cell = _cell(move.cell)
    bit = 1 << cell
    if ends.exact & bit:
        return _end(state, seat, EXACT, way(ground, ends, cell, 0), 0)
    if ends.back & bit:
        return _end(state, seat, BACK, way(ground, ends, cell, 1), 1)
    if cell in ends.stops:
        left_over = ends.stops[cell]
        return _end(state, seat, STOP, way(ground, ends, cell, left_over), left_over)
    if ground.goal & bit and ends.finish is not None:
        return go_home(state, seat)
    name = NAMES[cell]
    if not ground.streets & bit:
        raise IllegalMove("PL-061", f"{name} is a house; pawns walk on street cells only.")
    if ends.stuck:
        raise IllegalMove("PL-069", "Your pawn cannot end anywhere, so it stays.", [STAY])
    _free(state, seat, cell, "PL-065")
    raise _no_end(state, ground, ends, cell)


def _no_end(state: PalermoState, ground: Field, ends: Ends, cell: int) -> IllegalMove:
    """Why a free street cell is no end."""
    name, bit = NAMES[cell], 1 << cell
    lefts = [r for r, layer in enumerate(ends.layers) if layer & bit]
    if not ground.moved and lefts and lefts[-1] == ground.points:
        lefts.pop()
    around = any(edge(ground, c, cell) for c in bits(ends.layers[1])) if ends.layers[1:] else False
    if ground.stones & bit and not lefts and around:
        return IllegalMove(
            "PL-083",
            f"A police stone of another player lies on {name}: entering it needs 2 points, and "
            "only 1 would be left before it. Aim at the cell before it to stay one back.",
        )
    if not lefts:
        return _too_far(ground, cell)
    left = lefts[-1]
    word = "1 point" if left == 1 else f"{left} points"
    space = SPACE_OF[cell]
    if (
        space >= 0
        and TILES[state.tiles[space]].door >= 0
        and door_cell(state.tiles[space], space) == cell
    ):
        return IllegalMove(
            "PL-105",
            f"{name} is not your open business, so you cannot stop there with {word} left to "
            "spend.",
        )
    return IllegalMove(
        "PL-062",
        f"You cannot end on {name}: {word} would be left to spend, and all must be spent except "
        "on an own doorway.",
    )


def _free(state: PalermoState, seat: Seat, cell: int, rule: str) -> None:
    for other, where in enumerate(state.pawns):
        if other != seat and where == cell:
            raise IllegalMove(
                rule, f"The pawn of {{seat:{other}}} stands on {NAMES[cell]}; you may pass it, "
                "but not end there."
            )  # fmt: skip


def _distance(ground: Field, cell: int | None = None) -> int:
    """Fewest points to a cell, or home."""
    far = Field(
        ground.streets, ground.pawns, ground.stones, ground.chips if cell is None else 0,
        ground.goal if cell is None else 0, ground.begin, FAR, ground.moved,
    )  # fmt: skip
    ends = search(far)
    if cell is None:
        return FAR - (ends.finish or 0)
    return FAR - max((r for r, layer in enumerate(ends.layers) if layer >> cell & 1), default=0)


def _too_far(ground: Field, cell: int) -> IllegalMove:
    need = _distance(ground, cell)
    return IllegalMove(
        "PL-055",
        f"{NAMES[cell]} is out of reach: you have {ground.points} points and need {need}.",
    )


# ---- walks of one's own ----------------------------------------------------------------------


def walk(state: PalermoState, seat: Seat, move: Walk) -> list[Event]:
    """A whole walk, cell by cell; it must end as a destination would."""
    cells = [_cell(word) for word in move.path]
    if not cells:
        raise IllegalMove("PL-060", "Name the cells of the walk in order, such as C3nw C2sw C2nw.")
    ground = field(state, seat)
    path: list[int] = []
    if len(ground.begin) > 1:
        if cells[0] not in ground.begin:
            raise IllegalMove(
                "PL-048",
                "A first move begins on a Start cell: name it first, it costs nothing.",
                [NAMES[c] for c in ground.begin],
            )
        path = [cells.pop(0)]
    else:
        path = [ground.begin[0]]
    ground = _from(ground, path[0], ground.points, ground.moved)
    crossed = False
    for place, cell in enumerate(cells):
        here = path[-1]
        if not ground.points:
            raise _spent(state, seat, len(cells) - place, crossed)
        cost, between = _edge(ground, here, cell)
        if place == len(cells) - 1 and ground.points == 1 and ground.moved:
            kind = _aimed(state, seat, ground, here, cell, between)
            if kind:
                return _end(state, seat, kind, tuple(path), 1)
        if cost > ground.points:
            if cost == 2 and ground.points == 1 and ground.stones >> cell & 1:
                raise IllegalMove(
                    "PL-083",
                    f"A police stone lies on {NAMES[cell]}: entering it needs 2 points, you have "
                    "1 left.",
                )
            raise _spent(state, seat, cost - ground.points, crossed)
        path.append(cell)
        ground = _from(ground, cell, ground.points - cost, True)
        crossed = crossed or bool(ground.chips >> cell & 1)
        if ground.goal >> cell & 1:
            if place < len(cells) - 1:
                raise IllegalMove(
                    "PL-112", f"Your pawn is home on {NAMES[cell]}; the walk ends there."
                )
            return _end(state, seat, FINISH, tuple(path), ground.points)
    here = path[-1]
    if ground.moved and ground.chips >> here & 1:
        _free(state, seat, here, "PL-107")
        return _end(state, seat, STOP, tuple(path), ground.points)
    if ground.points:
        if search(field(state, seat)).stuck:
            raise IllegalMove("PL-069", "Your pawn cannot end anywhere, so it stays.", [STAY])
        word = "1 point is" if ground.points == 1 else f"{ground.points} points are"
        raise IllegalMove(
            "PL-062", f"{word} left to spend on {NAMES[here]}, which is no open business of yours."
        )
    _free(state, seat, here, "PL-065")
    return _end(state, seat, EXACT, tuple(path), 0)


def _from(ground: Field, cell: int, points: int, moved: bool) -> Field:
    """The same ground with the pawn further on its way."""
    return Field(
        ground.streets, ground.pawns, ground.stones, ground.chips, ground.goal, (cell,), points,
        moved,
    )  # fmt: skip


def _spent(state: PalermoState, seat: Seat, more: int, crossed: bool) -> IllegalMove:
    has = state.points(seat)
    text = f"That walk needs {has + more} points, you have {has}."
    if crossed:
        return IllegalMove(
            "PL-056",
            f"{text} A chip ends the move when you stop at it, and raises your points from the "
            "next turn on.",
        )
    return IllegalMove("PL-055", text)


def _edge(ground: Field, here: int, cell: int) -> tuple[int, int]:
    """Cost and cells crossed of the next step of a walk.

    Raises:
        IllegalMove: no step or jump leads there.
    """
    found = edge(ground, here, cell)
    if found is not None:
        return found
    a, b = NAMES[here], NAMES[cell]
    if not ground.streets >> cell & 1:
        raise IllegalMove("PL-061", f"{b} is a house; pawns walk on street cells only.")
    if SPACE_OF[here] < 0 and SPACE_OF[cell] < 0:
        if here in CORNERS and cell in CORNERS:
            raise IllegalMove(
                "PL-072", f"A jump goes to the next corner; from {a} to {b} takes two jumps."
            )
        raise IllegalMove(
            "PL-071", f"Jumps go from one corner of the ring to the next; {a} to {b} is no jump."
        )
    raise IllegalMove("PL-060", f"{a} and {b} do not share an edge.")


def _aimed(
    state: PalermoState, seat: Seat, ground: Field, here: int, cell: int, between: int
) -> str:
    """How a walk ends whose last point is aimed at a blocked cell; empty if it is not blocked."""
    if aims_back(ground, here, cell, between):
        return BACK
    blocked = (ground.pawns | ground.stones) >> cell & 1 and not ground.goal >> cell & 1
    if not blocked or ground.stones & between:
        return ""
    _free(state, seat, here, "PL-067")
    return STOP if ground.chips >> here & 1 else ""


# ---- single steps ----------------------------------------------------------------------------


def step(state: PalermoState, seat: Seat, move: Step) -> list[Event]:
    """One step of a walk made step by step; the last one ends the move."""
    cell = _cell(move.cell)
    ground = field(state, seat)
    if not state.trail and len(ground.begin) > 1:
        if cell not in ground.begin:
            raise IllegalMove(
                "PL-048",
                "Choose the Start cell to begin on; that costs nothing.",
                [NAMES[c] for c in next_steps(ground)],
            )
        if cell not in next_steps(ground):
            raise IllegalMove("PL-062", f"No walk from {NAMES[cell]} can end legally now.")
        return _stepped(state, seat, (cell,), ground.points)
    here = ground.begin[0]
    cost, between = _edge(ground, here, cell)
    trail = state.trail or (here,)
    if aims_back(ground, here, cell, between):
        return _end(state, seat, BACK, (here,), 1)
    if cost > ground.points:
        if ground.stones >> cell & 1 and ground.points == 1:
            raise IllegalMove(
                "PL-083", f"Entering the police stone on {NAMES[cell]} needs 2 points."
            )
        raise IllegalMove(
            "PL-055",
            f"That step needs {cost} points, you have {ground.points} left.",
        )
    if cell not in next_steps(ground):
        if ground.points == cost:
            _free(state, seat, cell, "PL-065")
        raise IllegalMove("PL-062", f"From {NAMES[cell]} the move could not be ended legally.")
    left = ground.points - cost
    bit = 1 << cell
    if ground.goal & bit:
        return _end(state, seat, FINISH, (here, cell), left)
    if not left:
        kind = STOP if ground.chips & bit else EXACT
        return _end(state, seat, kind, (here, cell), 0)
    return _stepped(state, seat, (*trail, cell), left)


def _stepped(state: PalermoState, seat: Seat, trail: tuple[int, ...], left: int) -> list[Event]:
    state.trail = trail
    state.left = left
    state.answered(seat)
    state.ask(seat, "walk")
    return [Event("stepped", {"seat": seat, "cell": NAMES[trail[-1]], "left": left})]


# ---- the end of a move -----------------------------------------------------------------------


def _end(
    state: PalermoState, seat: Seat, kind: str, path: tuple[int, ...], left: int
) -> list[Event]:
    """Put the pawn down, collect, score (PL-100 to PL-102, PL-111)."""
    whole = (*state.trail[:-1], *path)
    cell = path[-1]
    points = left if kind in (STOP, FINISH) else 0
    spent = state.points(seat) - left
    state.trail = ()
    state.left = 0
    state.gone[seat] = True
    state.last_trip = Trip(seat, whole, kind, points)
    args = {
        "seat": seat, "cell": NAMES[cell], "path": tuple(NAMES[c] for c in whole),
        "spent": spent, "points": points,
    }  # fmt: skip
    if kind == FINISH:
        state.pawns[seat] = FOUNTAIN
        state.home[seat] = True
        state.arrival[seat] += points
        state.progress = True
        return [Event("finished", args)]
    state.pawns[seat] = cell
    stone = state.stones.index(cell) if cell in state.stones else None
    args["stone"] = None if stone == seat else stone
    if kind == STOP:
        state.chips[SPACE_OF[cell]] = -1
        state.cards[seat] += 1
        state.income[seat] += points
        state.progress = True
        args["next"] = BASE_POINTS + state.cards[seat]
        args["open"] = state.chips.count(seat)
        return [Event("collected", args)]
    args["lapsed"] = left
    return [Event("moved", args)]


def _stay(state: PalermoState, seat: Seat) -> list[Event]:
    """No legal end at all: the pawn stays and its points lapse (PL-069)."""
    cell = state.pawns[seat]
    state.last_trip = Trip(seat, (cell,) if cell >= 0 else (), "stay")
    return [
        Event(
            "stayed",
            {
                "seat": seat, "cell": NAMES[cell] if cell >= 0 else "",
                "points": state.points(seat),
            },
        )
    ]  # fmt: skip
