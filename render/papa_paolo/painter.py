"""A Papà Paolo view as a picture."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from engines.core.types import Move, Seat, listing
from engines.papa_paolo.components import box
from engines.papa_paolo.meta import META
from engines.papa_paolo.moves import BuildPizzeria, StartRoute, Step, Stock, TakeTile
from engines.papa_paolo.views import AreaView, PaoloView
from render.kit import sprites
from render.kit.canvas import HEADER, MARGIN, Canvas, Panel
from render.kit.contract import Painter
from render.kit.palette import ACT, CARD, HAIR, INK, MUTED, PAPER
from render.kit.type import fit, people, width_of
from render.papa_paolo import market, pieces, town
from render.papa_paolo.colours import TRACK, seat_hue

WIDTH = 1200
GAP = 14
HEAD = 118
"""Height of a neighbourhood's head: name, score, tracks."""
FOOT = 36
HALF = (WIDTH - 2 * MARGIN - GAP) // 2

AREA_MOVES = (TakeTile, BuildPizzeria, StartRoute, Step, Stock)
"""Moves that happen in a neighbourhood."""


class PaoloPainter(Painter[PaoloView, Move]):
    """Draws Papà Paolo."""

    def board(
        self,
        view: PaoloView,
        names: Sequence[str],
        *,
        moves: Sequence[Move] = (),
        focus: Seat | None = None,
    ) -> Image.Image:
        """The middle of the table and every neighbourhood; with ``focus`` one neighbourhood large.

        Candidate moves in the viewer's own neighbourhood bring it up large, too.
        """
        who = people(names, view.seats)
        if (
            focus is None
            and view.viewer is not None
            and any(isinstance(m, AREA_MOVES) for m in moves)
        ):
            focus = view.viewer
        if focus is not None and 0 <= focus < view.seats:
            return _one(view, who, focus, moves)
        return _table(view, who, moves)

    def sheet(self) -> Image.Image | None:
        """A board with everything on it."""
        from render.papa_paolo.sample import sample

        return sample()


PAINTER = PaoloPainter()


# ---- the whole table -------------------------------------------------------------------------


def _cell(area: AreaView) -> int:
    """Size of a neighbourhood's places in a panel of half the width."""
    x0, x1, y0, y1 = town.bounds(area)
    wide, high = x1 - x0 + 1, y1 - y0 + 1
    return 82 if high > 4 else 100 if wide < 5 else 98


def _map_height(area: AreaView) -> int:
    return town.size_of(town.bounds(area), _cell(area))[1]


def _middle(view: PaoloView) -> str:
    """What lies in the middle: market, stairs, coins or nothing."""
    if view.phase in ("starting", "placing", "tipping"):
        return "market" if view.grid else ""
    if view.letter == "C":
        return "coins" if view.seats == 2 else "stairs"
    return "coins" if view.phase == "claiming" else ""


def _middle_size(view: PaoloView, what: str, cell: int) -> tuple[int, int]:
    if what == "market":
        return market.market_size(view, cell)
    return market.stairs_size(view) if what == "stairs" else market.coins_size()


def _draw_middle(
    sheet: Canvas, view: PaoloView, what: str, left: int, top: int, cell: int, moves: Sequence[Move]
) -> None:
    if what == "market":
        market.market(sheet, view, left, top, cell, moves)
    elif what == "stairs":
        market.stairs(sheet, view, left, top, moves)
    elif what == "coins":
        market.coins(sheet, view, left, top)


def _table(view: PaoloView, who: Sequence[str], moves: Sequence[Move]) -> Image.Image:
    what = _middle(view)
    cell = 96
    seats = range(view.seats)
    heights = [HEAD + _map_height(view.areas[s]) + 16 for s in seats]
    three = view.seats == 3
    full = WIDTH - 2 * MARGIN
    blocks = market.blocks(view, moves) if view.ended is None and view.phase != "starting" else []
    blank = Canvas(8, 8)
    y = HEADER + GAP
    plan: list[tuple[str, int, int, int, int]] = []
    if what and not three:
        wide, high = _middle_size(view, what, cell)
        beside = full - wide - GAP
        high = max(high, market.flow(blank, blocks, 0, 0, beside, measure=True) + 8)
        plan.append(("middle", MARGIN, y, wide, high))
        plan.append(("info", MARGIN + wide + GAP, y, beside, high))
        y += high + GAP
    elif blocks:
        high = market.flow(blank, blocks, 0, 0, full, measure=True) - 4
        plan.append(("info", MARGIN, y, full, high))
        y += high + GAP
    if three and what:
        wide, high = _middle_size(view, what, cell)
        row = max(high, heights[0])
        plan.append(("middle", MARGIN, y, HALF, row))
        plan.append(("0", MARGIN + HALF + GAP, y, HALF, row))
        y += row + GAP
        rest = [1, 2]
    else:
        rest = list(seats)
    for start in range(0, len(rest), 2):
        pair = rest[start : start + 2]
        row = max(heights[s] for s in pair)
        for place, seat in enumerate(pair):
            plan.append((str(seat), MARGIN + place * (HALF + GAP), y, HALF, row))
        y += row + GAP
    sheet = Canvas(WIDTH, y + FOOT - GAP, PAPER)
    _header(sheet, view, who)
    for name, left, top, wide, high in plan:
        if name == "middle":
            inner = _middle_size(view, what, cell)[0]
            _draw_middle(sheet, view, what, left + (wide - inner) // 2, top, cell, moves)
        elif name == "info":
            market.info(sheet, view, (left, top, left + wide, top + high), moves)
        else:
            _panel(sheet, view, who, int(name), (left, top, left + wide, top + high), moves)
    sheet.footnote("Roads, steps and most numbers are reconstructed; see /rules.")
    return sheet.image


def _one(view: PaoloView, who: Sequence[str], seat: int, moves: Sequence[Move]) -> Image.Image:
    """One neighbourhood large."""
    area = view.areas[seat]
    mine = moves if seat == view.viewer else ()
    limits = town.bounds(area, mine)
    columns, rows = limits[1] - limits[0] + 1, limits[3] - limits[2] + 1
    full = WIDTH - 2 * MARGIN
    cell = min(190, (full - town.AXIS - 40) // columns, 900 // rows)
    wide, high = town.size_of(limits, cell)
    top = HEADER + GAP
    tile = view.grid[view.cells.index(view.active)] if view.active else None
    shown = tile is not None and any(isinstance(m, TakeTile) for m in mine)
    bottom = top + HEAD + high + 30 + (150 if shown else 0)
    sheet = Canvas(WIDTH, bottom + FOOT, PAPER)
    _header(sheet, view, who)
    _head(sheet, view, who, seat, (MARGIN, top, WIDTH - MARGIN, bottom))
    town.draw(
        sheet, view, seat, seat_hue(view.colours[seat], seat),
        MARGIN + (full - wide) // 2 - town.AXIS // 2, top + HEAD + 6, cell, mine,
    )  # fmt: skip
    if tile is not None and shown:
        middle = bottom - 86
        words = f"The tile on {view.active}, as it lies (0°):"
        sheet.text(WIDTH / 2 + 40, middle, words, 28, MUTED, bold=True, anchor="rm")
        image = pieces.city_tile(tile, box().tiles[tile].masks[0], 0, 130)
        sheet.paste(image, WIDTH / 2 + 70, middle, "lm", kind="hand", name=tile)
    sheet.footnote("Places are x,y from the start pizzeria at 0,0.")
    return sheet.image


# ---- parts -----------------------------------------------------------------------------------

PHASES = {
    "starting": "Start tiles",
    "placing": "A Tiles and actions",
    "tipping": "B Tips",
    "bidding": "C Bidding",
    "settling": "C Paying",
    "leftovers": "C Left-overs",
    "claiming": "D Investing",
    "investing": "D Investing",
    "delivering": "E Delivering",
    "experience": "F Experience",
    "preparing": "G Next round",
}


def winners(view: PaoloView) -> tuple[Seat, ...]:
    """Who has won a finished match: most points, then most money (PP-098)."""
    if view.scores is None or view.money is None:
        return ()
    keys = [(view.scores[s].total, view.money[s]) for s in range(view.seats)]
    return tuple(s for s in range(view.seats) if keys[s] == max(keys))


def _header(sheet: Canvas, view: PaoloView, who: Sequence[str]) -> None:
    title = META.title
    if view.ended is not None:
        won = winners(view)
        verb = "wins" if len(won) == 1 else "share the victory"
        short = [fit(who[seat], 30, 420 // len(won), True) for seat in won]
        points = view.scores[won[0]].total if view.scores else 0
        sheet.header(title, "Final position", message=f"{listing(short)} {verb} with {points}")
        return
    status = PHASES.get(view.phase, "")
    if view.round:
        status = f"Round {view.round} of {view.rounds} · {status}"
    if len(view.waiting) == 1:
        seat = view.waiting[0]
        turn = Panel(seat, who[seat], seat_hue(view.colours[seat], seat), act=True)
        sheet.header(title, status, turn=turn)
    else:
        sheet.header(title, status, message=f"{len(view.waiting)} players to act")


def _notes(view: PaoloView, seat: int) -> list[str]:
    """What the player is doing or has, the longest wording first."""
    area = view.areas[seat]
    if view.scores is not None:
        one, two, three, four = (points for _, points in view.scores[seat].lines)
        sums = f"{one} + {two} + {three} − {-four}"
        money = f", £{view.money[seat]}" if view.money else ""
        return [f"{sums} points{money} left", f"{sums}{money}", sums]
    if area.job in ("buy", "blue"):
        return [f"stocking {area.moved} of {area.most}", f"stocks {area.moved}/{area.most}"]
    if area.job:
        riding = len(area.routes) + (area.route is not None)
        short = f"{area.moved}/{area.most}, route {riding}/{area.ways}"
        return [f"delivering {short}", short]
    supply, waiting = f"{area.supply} in supply", f"{area.waiting} on pizzerias"
    return [f"{supply}, {waiting}", supply, f"{area.supply}"]


def _head(
    sheet: Canvas, view: PaoloView, who: Sequence[str], seat: int, edge: tuple[int, int, int, int]
) -> None:
    """Card, name, what the player holds, delivered pizzas, and the four tracks."""
    area = view.areas[seat]
    x0, y0, x1, _ = edge
    act = seat in view.waiting
    hue = seat_hue(view.colours[seat], seat)
    won = seat in winners(view)
    sheet.panel(edge, CARD, 16, ACT if act else HAIR, 5 if act else 2)
    sheet.paste(
        sprites.seat_badge(seat, hue, 58), x0 + 14, y0 + 38, "lm", kind="badge", name=str(seat)
    )
    right = x1 - 18
    score = view.scores[seat].total if view.scores is not None else area.delivered
    at = sheet.text(right, y0 + 38, str(score).replace("-", "−"), 46, INK, bold=True, anchor="rm",
                    kind="score")  # fmt: skip
    right = at[0] - 8
    if view.scores is None:
        right = sheet.paste(pieces.pizza(42), right, y0 + 38, "rm")[0] - 10
    elif won:
        right = sheet.paste(sprites.crown(size=48), right, y0 + 38, "rm")[0] - 10
    if view.my_money is not None and seat == view.viewer and view.ended is None:
        tag = sprites.pill(f"£{view.my_money}", (120, 96, 74), 40)
        right = sheet.paste(tag, right, y0 + 38, "rm", kind="money", name=str(seat))[0] - 8
    if area.investment and view.ended is None:
        image = pieces.investment(area.investment, 52)
        right = sheet.paste(image, right, y0 + 38, "rm", kind="holds", name=area.investment)[0] - 8
    if area.delivery and view.ended is None:
        image = pieces.delivery_pill(area.delivery, 42)
        right = sheet.paste(image, right, y0 + 38, "rm", kind="delivery", name=area.delivery)[0] - 8
    left = x0 + 80
    room = right - left
    narrow = width_of(who[seat], 28, True) > room
    sheet.text(left, y0 + 26, who[seat], 28, INK, bold=True, condensed=narrow, anchor="lm",
               width=room, kind="name")  # fmt: skip
    notes = _notes(view, seat)
    note = next((n for n in notes if width_of(n, 22) <= room), notes[-1])
    sheet.text(left, y0 + 56, note, 22, ACT if act and area.job else MUTED, anchor="lm",
               width=room, kind="note")  # fmt: skip
    wide = (x1 - x0 - 36 - 3 * 12) // 4
    for number, (colour, space) in enumerate(zip(TRACK, area.markers, strict=True)):
        image = pieces.track(colour, space, min(wide, 220), 36)
        sheet.paste(image, x0 + 18 + number * (wide + 12), y0 + 94, "lm", kind="track", name=colour)


def _panel(
    sheet: Canvas,
    view: PaoloView,
    who: Sequence[str],
    seat: int,
    edge: tuple[int, int, int, int],
    moves: Sequence[Move],
) -> None:
    _head(sheet, view, who, seat, edge)
    area = view.areas[seat]
    cell = _cell(area)
    wide, _ = town.size_of(town.bounds(area), cell)
    left = edge[0] + (edge[2] - edge[0] - wide - town.AXIS // 2) // 2
    mine = moves if seat == view.viewer else ()
    inner = [m for m in mine if not isinstance(m, (TakeTile, BuildPizzeria))]
    town.draw(
        sheet, view, seat, seat_hue(view.colours[seat], seat), left, edge[1] + HEAD, cell, inner
    )
