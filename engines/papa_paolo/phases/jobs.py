"""Jobs of several steps: stocking pizzerias, and riding delivery routes (PP-037 to PP-044,
PP-072, PP-073, PP-075 to PP-086, PP-122).

A job touches the player's own area and nothing else, so that players can do theirs side by side.
"""

from __future__ import annotations

from functools import cache

from engines.core.errors import IllegalMove
from engines.core.types import Event, Seat, listing
from engines.papa_paolo.components import DIRECTIONS, STEPS, TRACKS, box, exits_of, spot
from engines.papa_paolo.moves import CancelRoute, EndRoute, Finish, StartRoute, Step, Stock
from engines.papa_paolo.state import Area, PaoloState, Route
from engines.papa_paolo.town import hungry, oven_at, room

LAST = 5
"""Rightmost space of a track."""

QUOTA = {"express": "PP-040", "red": "PP-073", "deliver": "PP-076"}
"""Which rule limits the pizzas of a delivery."""

_FINISH, _END, _CANCEL = Finish(), EndRoute(), CancelRoute()


@cache
def _stock(oven: int, count: int) -> Stock:
    return Stock(spot(oven), count)


@cache
def _start(oven: int) -> StartRoute:
    return StartRoute(spot(oven))


@cache
def _step(side: int, pizzas: int) -> Step:
    return Step(DIRECTIONS[side], pizzas)


def begin(area: Area, job: str, *, least: int, most: int, ways: int = 0, reach: int = 0) -> str:
    """Open a job; returns the kind of decision that it asks for."""
    area.job = job
    area.least, area.most, area.moved = least, most, 0
    area.ways, area.reach = ways, reach
    area.routes = ()
    return kind(area)


def kind(area: Area) -> str:
    """The kind of decision that an open job asks for."""
    if area.job in ("buy", "blue"):
        return "stock"
    return "routes" if area.start < 0 else "route"


def legal(area: Area) -> list[Stock | StartRoute | Step | EndRoute | CancelRoute | Finish]:
    """Every step of the open job."""
    moves: list[Stock | StartRoute | Step | EndRoute | CancelRoute | Finish] = []
    left = area.most - area.moved
    if area.job in ("buy", "blue"):
        left = min(left, area.supply)
        for index, cell in enumerate(area.ovens):
            moves += [_stock(cell, n) for n in range(1, min(left, room(area, index)) + 1)]
        if area.moved >= area.least:
            moves.append(_FINISH)
        return moves
    if area.start < 0:
        if left and len(area.routes) < area.ways:
            moves += [
                _start(cell) for cell, pizzas in zip(area.ovens, area.pizzas, strict=True) if pizzas
            ]
        if area.moved >= area.least:
            moves.append(_FINISH)
        return moves
    path = area.path
    if not area.reach or len(path) < area.reach:
        roads = area.roads
        here = path[-1][0] if path else area.start
        out = roads[here] if path else 15
        left = min(left, area.pizzas[area.ovens.index(area.start)])
        used = [cell for cell, _ in path]
        for side, (bit, step, back) in enumerate(STEPS):
            beyond = here + step
            if out & bit and roads[beyond] & back and beyond not in used:
                for n in range(min(left, hungry(area, beyond)) + 1):
                    moves.append(_step(side, n))
    if any(n for _, n in path):
        moves.append(_END)
    moves.append(_CANCEL)
    return moves


# ---- stocking (PP-037 to PP-039, PP-072) -----------------------------------------------------


def stock(area: Area, seat: Seat, move: Stock) -> list[Event]:
    """Put pizzas on a pizzeria.

    Raises:
        IllegalMove: PP-007, PP-037, PP-038 or PP-072 forbids it.
    """
    index = oven_at(area, move.pizzeria)
    if index < 0:
        raise IllegalMove(
            "PP-038",
            f"You have no pizzeria at “{move.pizzeria}”. Yours are {_names(area)}.",
        )
    if move.count < 1:
        raise IllegalMove("PP-038", "Put at least 1 pizza there, or finish.")
    if area.moved + move.count > area.most:
        left = area.most - area.moved
        if area.job == "blue":
            raise IllegalMove("PP-072", f"Too many free pizzas: {left} of {area.most} are left.")
        extra = area.most - area.least
        raise IllegalMove(
            "PP-037",
            f"Too many free pizzas: you paid for {area.least} and your Market level adds "
            f"{extra} at most; {left} can still be placed.",
        )
    if move.count > room(area, index):
        raise IllegalMove(
            "PP-038",
            f"That pizzeria has no room: {move.pizzeria} takes {room(area, index)} more.",
        )
    if move.count > area.supply:
        raise IllegalMove("PP-007", f"Your supply holds only {area.supply} pizzas.")
    area.supply -= move.count
    area.pizzas[index] += move.count
    area.moved += move.count
    area.latest = area.ovens[index]
    return [Event("stocked", {"seat": seat, "pizzeria": move.pizzeria, "count": move.count})]


def _names(area: Area) -> str:
    return listing([spot(cell) for cell in area.ovens])


# ---- routes (PP-079 to PP-086, PP-122) -------------------------------------------------------


def start_route(area: Area, seat: Seat, move: StartRoute) -> list[Event]:
    """Open a route at a pizzeria.

    Raises:
        IllegalMove: no routes, pizzas or limits are left, or there is no such pizzeria.
    """
    index = oven_at(area, move.pizzeria)
    if len(area.routes) >= area.ways:
        if area.job == "deliver":
            raise IllegalMove(
                "PP-078", f"No delivery routes left: you may ride {area.ways} in this phase."
            )
        raise IllegalMove(
            "PP-042",
            f"No delivery routes left: your Delivery level allows {area.ways} in an express "
            "delivery.",
        )
    if area.moved >= area.most:
        raise IllegalMove(
            QUOTA[area.job], f"Pizza limit reached: all {area.most} are delivered. Finish."
        )
    if index < 0:
        raise IllegalMove(
            "PP-079",
            f"A route starts at one of your pizzerias: {_names(area)}. "
            f"There is none at “{move.pizzeria}”.",
        )
    if not area.pizzas[index]:
        raise IllegalMove("PP-084", f"That pizzeria is out of pizzas: {move.pizzeria} has none.")
    area.start = area.ovens[index]
    area.path = ()
    return [Event("route_started", {"seat": seat, "pizzeria": move.pizzeria, "job": area.job})]


def step(area: Area, seat: Seat, move: Step) -> list[Event]:
    """Ride to the next tile and deliver there.

    Raises:
        IllegalMove: the road, the path or a limit forbids it.
    """
    if move.direction not in DIRECTIONS:
        raise IllegalMove("PP-079", "Ride N, E, S or W.")
    bit, by, back = STEPS[DIRECTIONS.index(move.direction)]
    path = area.path
    here = path[-1][0] if path else area.start
    beyond = here + by
    tile = area.tiles[beyond]
    road_out = area.roads[here] if path else 15
    if (
        not road_out & bit
        or (not tile and beyond not in area.ovens)
        or (tile and not area.roads[beyond] & back)
    ):
        where = "there" if path else "out of the pizzeria there"
        sides = exits_of(road_out)
        hint = f" The road at {spot(here)} leads {', '.join(sides)}." if path else ""
        raise IllegalMove("PP-079", f"No road {where}: {move.direction} of {spot(here)}.{hint}")
    came = path[-2][0] if len(path) > 1 else area.start
    if path and beyond == came:
        raise IllegalMove("PP-080", f"A route cannot be retraced: you came from {spot(beyond)}.")
    if beyond == area.start or any(cell == beyond for cell, _ in path):
        raise IllegalMove(
            "PP-122", f"A route may not cross itself: it has already been at {spot(beyond)}."
        )
    if not tile:
        raise IllegalMove("PP-081", f"You cannot pass a pizzeria: one stands at {spot(beyond)}.")
    if area.reach and len(path) >= area.reach:
        raise IllegalMove(
            "PP-077", f"Too far away: your tile allows {area.reach} city tiles on a route."
        )
    if move.pizzas < 0:
        raise IllegalMove("PP-083", "Deliver 0 or more pizzas.")
    free = hungry(area, beyond)
    if move.pizzas > free:
        raise IllegalMove("PP-083", f"Not enough hungry houses: {spot(beyond)} has {free} free.")
    if area.moved + move.pizzas > area.most:
        left = area.most - area.moved
        raise IllegalMove(
            QUOTA[area.job],
            f"Pizza limit reached: {left} of {area.most} can still be delivered.",
        )
    index = area.ovens.index(area.start)
    if move.pizzas > area.pizzas[index]:
        raise IllegalMove(
            "PP-084",
            f"That pizzeria is out of pizzas: {spot(area.start)} has {area.pizzas[index]} left.",
        )
    if move.pizzas:
        area.pizzas[index] -= move.pizzas
        area.fed[beyond] += move.pizzas
        area.moved += move.pizzas
    area.path = (*path, (beyond, move.pizzas))
    return [
        Event(
            "stepped",
            {"seat": seat, "direction": move.direction, "to": spot(beyond), "pizzas": move.pizzas},
        )
    ]


def end_route(area: Area, seat: Seat) -> list[Event]:
    """Close the open route.

    Raises:
        IllegalMove: it delivered nothing (PP-086).
    """
    given = sum(n for _, n in area.path)
    if not given:
        raise IllegalMove(
            "PP-086", "Deliver at least one pizza or cancel: this route has delivered none."
        )
    area.routes = (*area.routes, Route(area.start, area.path))
    area.start = -1
    area.path = ()
    return [
        Event(
            "route_ended",
            {"seat": seat, "pizzas": given, "left": area.ways - len(area.routes), "job": area.job},
        )
    ]


def cancel_route(area: Area, seat: Seat) -> list[Event]:
    """Undo the open route."""
    index = area.ovens.index(area.start)
    for cell, pizzas in area.path:
        if pizzas:
            area.pizzas[index] += pizzas
            area.moved -= pizzas
            area.fed[cell] -= pizzas
    area.start = -1
    area.path = ()
    return [Event("route_cancelled", {"seat": seat})]


# ---- the end of a job ------------------------------------------------------------------------


def finish(area: Area, seat: Seat) -> list[Event]:
    """Close the job; an express delivery is rewarded at once (PP-044).

    Raises:
        IllegalMove: something is still owed.
    """
    if area.moved < area.least:
        owed = area.least - area.moved
        if area.job == "buy":
            raise IllegalMove(
                "PP-039", f"All paid pizzas must be placed: put {owed} more on your pizzerias."
            )
        if area.job == "blue":
            raise IllegalMove("PP-072", "Place at least 1 of the free pizzas.")
        raise IllegalMove(
            "PP-043", "An express delivery must deliver at least 1 pizza. Start a route."
        )
    job, moved = area.job, area.moved
    done = completed(area)
    area.job = ""
    area.least = area.most = area.moved = area.ways = area.reach = 0
    events = [
        Event("job_done", {"seat": seat, "job": job, "pizzas": moved, "routes": len(area.routes)})
    ]
    if job == "deliver":
        area.earned = done
    elif job in ("express", "red"):
        events += reward(area, seat, done)
    return events


def completed(area: Area) -> tuple[int, ...]:
    """Tiles that the job's routes have completed (PP-087)."""
    served = [cell for route in area.routes for cell, pizzas in route.path if pizzas]
    return tuple(cell for cell in dict.fromkeys(served) if not hungry(area, cell))


def reward(area: Area, seat: Seat, cells: tuple[int, ...]) -> list[Event]:
    """Advance a marker for each completed tile, never beyond the last space (PP-087, PP-089)."""
    if not cells:
        return []
    before = area.markers.copy()
    lost = 0
    for cell in cells:
        track = box().tiles[area.tiles[cell]].colour
        if area.markers[track] < LAST:
            area.markers[track] += 1
        else:
            lost += 1
    gains = tuple(
        (TRACKS[t], before[t], area.markers[t]) for t in range(4) if before[t] != area.markers[t]
    )
    return [Event("experience", {"seat": seat, "tiles": len(cells), "gains": gains, "lost": lost})]


def advance(state: PaoloState, seat: Seat) -> list[Event]:
    """Reward the tiles that were completed in phase E."""
    area = state.touch(seat)
    cells, area.earned = area.earned, ()
    return reward(area, seat, cells)
