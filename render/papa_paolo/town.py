"""A neighbourhood as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from engines.core.types import Move
from engines.papa_paolo.components import box
from engines.papa_paolo.moves import BuildPizzeria, StartRoute, Step, Stock, TakeTile
from engines.papa_paolo.views import AreaView, PaoloView, RouteView
from render.kit import sprites
from render.kit.canvas import Canvas, mark
from render.kit.palette import ACT, HALO, INK, MUTED, RGB
from render.kit.sprites import Brush
from render.papa_paolo import pieces

AXIS = 40
"""Room for the coordinates beside a map."""

ROUTE_COLOURS: tuple[RGB, ...] = ((196, 40, 28), (24, 92, 168), (122, 52, 148), (30, 120, 70))
ROUTE_LETTERS = "ABCDEFGH"

_SIDES = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}

Bounds = tuple[int, int, int, int]


def bounds(area: AreaView, moves: Sequence[Move] = ()) -> Bounds:
    """Least and greatest x, least and greatest y of what is drawn."""
    places = [(t.x, t.y) for t in area.tiles] + [(p.x, p.y) for p in area.pizzerias]
    places += [(m.x, m.y) for m in moves if isinstance(m, (TakeTile, BuildPizzeria))]
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return min(xs), max(xs), min(ys), max(ys)


def size_of(limits: Bounds, cell: int) -> tuple[int, int]:
    """Pixels of a map with its coordinates."""
    x0, x1, y0, y1 = limits
    return (x1 - x0 + 1) * cell + AXIS, (y1 - y0 + 1) * cell + AXIS


def draw(
    sheet: Canvas,
    view: PaoloView,
    seat: int,
    colour: RGB,
    left: int,
    top: int,
    cell: int,
    moves: Sequence[Move] = (),
) -> None:
    """Draw a neighbourhood with its coordinates; (left, top) is the corner of everything."""
    area = view.areas[seat]
    limits = bounds(area, moves)
    x0, x1, y0, y1 = limits
    ox, oy = left + AXIS, top + AXIS

    def corner(x: int, y: int) -> tuple[int, int]:
        return ox + (x - x0) * cell, oy + (y - y0) * cell

    size = 24 if cell < 130 else 30
    for x in range(x0, x1 + 1):
        sheet.text(corner(x, y0)[0] + cell / 2, top + AXIS / 2, _number(x), size, MUTED, bold=True,
                   anchor="mm", kind="axis")  # fmt: skip
    for y in range(y0, y1 + 1):
        sheet.text(ox - 8, corner(x0, y)[1] + cell / 2, _number(y), size, MUTED, bold=True,
                   anchor="rm", kind="axis")  # fmt: skip
    for t in area.tiles:
        cx, cy = corner(t.x, t.y)
        sheet.paste(pieces.city_tile(t.tile, t.exits, t.pizzas, cell), cx, cy, "lt", kind="tile",
                    name=f"{seat}:{t.x},{t.y}")  # fmt: skip
    for p in area.pizzerias:
        cx, cy = corner(p.x, p.y)
        image = pieces.pizzeria(seat, colour, p.cost, p.pizzas, p.capacity, cell)
        sheet.paste(image, cx, cy, "lt", kind="pizzeria", name=f"{seat}:{p.x},{p.y}")
    busy = view.phase == "placing" or area.job in ("buy", "blue")
    if area.latest is not None and busy:
        cx, cy = corner(*area.latest)
        sheet.paste(pieces.frame(cell, ACT), cx, cy, "lt", kind="latest", name=f"{seat}")
    routes = [*area.routes, *([area.route] if area.route else [])]
    if view.ended is not None:
        routes = []
    for number, route in enumerate(routes):
        points = [route.start, *((x, y) for x, y, _ in route.path)]
        line = [(corner(x, y)[0] + cell // 2, corner(x, y)[1] + cell // 2) for x, y in points]
        _route(sheet, line, route, number, cell, open_=route is area.route)
    _candidates(sheet, view, seat, moves, corner, cell)


def _number(value: int) -> str:
    return str(value).replace("-", "−")


# ---- routes ----------------------------------------------------------------------------------


@lru_cache(maxsize=128)
def _line(points: tuple[tuple[int, int], ...], colour: RGB, width: float) -> Image.Image:
    pad = round(width * 1.6) + 4
    wide = max(x for x, _ in points) - min(x for x, _ in points) + 2 * pad
    high = max(y for _, y in points) - min(y for _, y in points) + 2 * pad
    dx, dy = pad - min(x for x, _ in points), pad - min(y for _, y in points)
    moved = [(float(x + dx), float(y + dy)) for x, y in points]

    def paint(b: Brush) -> None:
        (ax, ay), (bx, by) = moved[-2], moved[-1]
        length = max(1.0, abs(bx - ax) + abs(by - ay))
        ux, uy = (bx - ax) / length, (by - ay) / length
        head = width * 2.1

        def arrow(grow: float) -> list[tuple[float, float]]:
            r = width * 1.25 + grow
            tip = head * 0.62 + grow * 1.4
            return [
                (bx + ux * tip, by + uy * tip),
                (bx - ux * (head * 0.5 + grow) - uy * r, by - uy * (head * 0.5 + grow) + ux * r),
                (bx - ux * (head * 0.5 + grow) + uy * r, by - uy * (head * 0.5 + grow) - ux * r),
            ]

        for grow, ink in ((4.5, HALO), (2.0, INK), (0.0, colour)):
            b.line(moved, ink, width + 2 * grow)
            b.polygon(arrow(grow), ink)

    return sprites.sprite((wide, high), paint, ("route", tuple(moved), colour, width))


def _route(
    sheet: Canvas,
    line: list[tuple[int, int]],
    route: RouteView,
    number: int,
    cell: int,
    *,
    open_: bool,
) -> None:
    colour = ROUTE_COLOURS[number % len(ROUTE_COLOURS)]
    width = cell * (0.085 if open_ else 0.06)
    shift = round((number % 3 - 1) * cell * 0.05) if number else 0
    moved = tuple((x + shift, y + shift) for x, y in line)
    if len(moved) > 1:
        image = _line(moved, colour, width)
        pad = round(width * 1.6) + 4
        sheet.paste(
            image, min(x for x, _ in moved) - pad, min(y for _, y in moved) - pad, "lt",
            kind="route", name=ROUTE_LETTERS[number % 8],
        )  # fmt: skip
    badge = round(cell * 0.3)
    for (_, _, pizzas), (x, y) in zip(route.path, moved[1:], strict=True):
        if pizzas:
            tag = sprites.pill(f"+{pizzas}", colour, badge, halo=1.5, outline=1)
            sheet.paste(tag, x + cell * 0.26, y + cell * 0.3, "mm", kind="given", name=str(pizzas))
    start = sprites.disc(colour, round(cell * 0.34), ROUTE_LETTERS[number % 8])
    sheet.paste(start, moved[0][0] - cell * (0.34 - 0.26 * number), moved[0][1] + cell * 0.34, "mm")


# ---- candidate moves -------------------------------------------------------------------------


def _candidates(
    sheet: Canvas,
    view: PaoloView,
    seat: int,
    moves: Sequence[Move],
    corner: object,
    cell: int,
) -> None:
    area = view.areas[seat]
    at = corner
    assert callable(at)
    takes: dict[tuple[int, int], list[int]] = {}
    for move in moves:
        if isinstance(move, TakeTile):
            takes.setdefault((move.x, move.y), []).append(move.rotation)
    tile = view.grid[view.cells.index(view.active)] if view.active else None
    for (x, y), rotations in takes.items():
        cx, cy = at(x, y)
        if len(takes) == 1 and len(rotations) == 1 and tile is not None:
            mask = box().tiles[tile].masks[rotations[0] // 90]
            image = pieces.city_tile(tile, mask, 0, cell)
            sheet.paste(image, cx, cy, "lt", kind="candidate", name=f"{x},{y}")
            sheet.paste(pieces.frame(cell, ACT), cx, cy, "lt")
            continue
        sheet.paste(pieces.spot(cell, f"{_number(x)},{_number(y)}"), cx, cy, "lt",
                    kind="candidate", name=f"{x},{y}")  # fmt: skip
    for x, y in dict.fromkeys((m.x, m.y) for m in moves if isinstance(m, BuildPizzeria)):
        cx, cy = at(x, y)
        sheet.paste(pieces.spot(cell, f"{_number(x)},{_number(y)}"), cx, cy, "lt",
                    kind="candidate", name=f"{x},{y}")  # fmt: skip
    ovens = dict.fromkeys(m.pizzeria for m in moves if isinstance(m, (Stock, StartRoute)))
    for p in area.pizzerias:
        if f"{p.x},{p.y}" in ovens:
            cx, cy = at(p.x, p.y)
            sheet.paste(pieces.frame(cell, ACT, 7), cx, cy, "lt", kind="candidate",
                        name=f"{p.x},{p.y}")  # fmt: skip
    for side in dict.fromkeys(m.direction for m in moves if isinstance(m, Step)):
        if area.route is None or side not in _SIDES:
            continue
        fx, fy = area.route.path[-1][:2] if area.route.path else area.route.start
        cx, cy = at(fx + _SIDES[side][0], fy + _SIDES[side][1])
        sheet.paste(pieces.frame(cell, ACT, 7), cx, cy, "lt", kind="candidate", name=side)
        tag = sprites.token(ACT, round(cell * 0.42), side)
        sheet.paste(tag, cx + cell / 2, cy + cell / 2, "mm")
        mark("text", side, (cx, cy, cx + cell, cy + cell))
