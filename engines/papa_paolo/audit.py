"""Invariants of a Papà Paolo match: nothing is lost or doubled."""

from __future__ import annotations

from engines.core.errors import InvariantError
from engines.papa_paolo.components import COLOURS, COSTS, STEPS, at, box, xy
from engines.papa_paolo.meta import META
from engines.papa_paolo.state import Area, PaoloState
from engines.papa_paolo.town import LONG, SHORT


def check(state: PaoloState) -> None:
    """All components, the money and the turn order are consistent (dossier, section 3.8).

    Raises:
        InvariantError: something is not.
    """
    _components(state)
    for seat, area in enumerate(state.areas):
        _pizzas(seat, area)
        _map(seat, area)
    _decisions(state)


def _need(sound: bool, text: str) -> None:
    if not sound:
        raise InvariantError(f"{META.title}: {text}")


def _components(state: PaoloState) -> None:
    side = box().sides[state.seats]
    tiles = list(state.deck[state.drawn :]) + [t for t in state.grid if t is not None]
    tiles += list(state.boxed)
    halves: list[str] = []
    for area in state.areas:
        for tile in [area.tiles[cell] for cell in area.cells]:
            (halves if tile[0] == "S" else tiles).append(tile)
    _need(sorted(tiles) == sorted(box().deck), "the 84 city tiles do not add up")
    if state.phase != "starting":
        starts = sorted(f"S{tile}" for tile in state.starts)
        _need(sorted(halves) == starts and len(set(starts)) == state.seats, "wrong start tiles")
    money = sum(area.money for area in state.areas)
    _need(money + state.bank == 0, f"£{money + state.bank} appeared from nowhere")
    _need(all(area.money >= 0 for area in state.areas), "somebody has less than £0 (PP-005)")
    built = [cost for area in state.areas for cost in area.costs[1:]]
    for cost, number in side.pizzerias.items():
        left = state.reserve[COSTS.index(cost)]
        _need(left >= 0 and left + built.count(cost) == number, "the pizzerias do not add up")
    if state.grid:
        _need(len(state.grid) == len(side.cells), "wrong number of market cells")
        on_market = sum(seat >= 0 for seat in state.meeples)
        _need(
            on_market == (state.placed if state.phase == "placing" else 0),
            "the action meeples do not add up",
        )
    held = [a.delivery for a in state.areas if a.delivery]
    _need(len(held) == len(set(held)) and set(held) <= set(state.columns), "delivery tiles")
    if state.seats > 2:
        taken = [a.investment for a in state.areas if a.investment]
        both = taken + list(state.investments)
        _need(len(both) == len(set(both)) and set(both) <= set(COLOURS), "investment tiles")
    _need(
        sum(len(a.kept) for a in state.areas) <= state.seats * state.round,
        "more kept investments than rounds",
    )


def _pizzas(seat: int, area: Area) -> None:
    total = area.supply + area.waiting() + area.delivered()
    _need(total == box().pizzas and area.supply >= 0, f"seat {seat} has {total} pizzas (PP-007)")
    for cost, pizzas in zip(area.costs, area.pizzas, strict=True):
        _need(0 <= pizzas <= box().capacity[cost], f"seat {seat}: overfull pizzeria (PP-038)")
    for cell in area.cells:
        pizzas, houses = area.fed[cell], box().tiles[area.tiles[cell]].houses
        _need(0 <= pizzas <= houses, f"a tile of seat {seat} holds {pizzas} pizzas (PP-083)")
    _need(all(1 <= m <= 5 for m in area.markers), f"a marker of seat {seat} is off its track")
    if area.job not in ("", "buy", "blue"):
        given = sum(n for route in area.routes for _, n in route.path)
        given += sum(n for _, n in area.path)
        _need(given == area.moved <= area.most, f"seat {seat} delivers {given} of {area.most}")
        riding = len(area.routes) + (area.start >= 0)
        _need(riding <= area.ways, f"seat {seat} rides too many routes (PP-078)")
        for path in (*(r.path for r in area.routes), area.path):
            cells = [cell for cell, _ in path]
            _need(len(cells) == len(set(cells)), f"a route of seat {seat} crosses itself (PP-122)")
            _need(not area.reach or len(cells) <= area.reach, "a route is too long (PP-077)")


def _map(seat: int, area: Area) -> None:
    cells = [*area.cells, *area.ovens]
    _need(len(cells) == len(set(cells)), f"two things on a cell of seat {seat} (PP-003)")
    _need(area.ovens[0] == at(0, 0) and area.cells[0] == at(1, 0), "the start tile has moved")
    xs = [xy(cell)[0] for cell in cells]
    ys = [xy(cell)[1] for cell in cells]
    wide, high = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
    _need(min(wide, high) <= SHORT and max(wide, high) <= LONG, f"seat {seat}'s map (PP-033)")
    _need(area.box == (min(xs), max(xs), min(ys), max(ys)), f"bounds of seat {seat}")
    for dense in (area.tiles, area.roads, area.links):
        used = [cell for cell, value in enumerate(dense) if value]
        _need(used == sorted(area.cells), f"roads of seat {seat}")
    linked: dict[int, int] = {}
    for number, oven in enumerate(area.ovens):
        todo = []
        for _, step, back in STEPS:
            _need(oven + step not in area.ovens, "pizzerias are adjacent (PP-048)")
            if area.roads[oven + step] & back:
                todo.append(oven + step)
        seen: dict[int, None] = {}
        while todo:
            cell = todo.pop()
            if cell in seen:
                continue
            seen[cell] = None
            linked[cell] = linked.get(cell, 0) | 1 << number
            for bit, step, back in STEPS:
                if area.roads[cell] & bit and area.roads[cell + step] & back:
                    todo.append(cell + step)
    _need(
        all(linked.get(c, 0) == area.links[c] for c in area.cells), f"links of seat {seat} (PP-030)"
    )
    for cell in area.cells:
        mask = area.roads[cell]
        _need(mask in box().tiles[area.tiles[cell]].masks, f"exits of a tile of seat {seat}")
        for bit, step, back in STEPS:
            other = area.roads[cell + step]
            if other:
                _need(bool(mask & bit) == bool(other & back), "a road is interrupted (PP-031)")


def _decisions(state: PaoloState) -> None:
    seats = [d.seat for d in state.pending]
    _need((state.ended is None) == bool(seats), "nobody is to act, or the match is over")
    _need(len(seats) == len(set(seats)), "a seat owes two decisions")
    side_by_side = {"starting", "investing", "delivering"}
    start_coins = all(d.kind == "start_coin" for d in state.pending)
    if state.phase not in side_by_side and not start_coins:
        _need(len(seats) <= 1, "several players are to act in turn (PP-002)")
    ids = [d.id for d in state.pending]
    _need(all(i < state.next_decision for i in ids), "a decision id is from the future")
    if state.order:
        _need(sorted(state.order) == list(range(state.seats)), "the turn order is no order")
    if state.ended is None:
        _need(1 <= state.round <= box().rounds or state.phase == "starting", "no such round")
