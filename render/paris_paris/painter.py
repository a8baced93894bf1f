"""A Paris Paris view as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgspec
from PIL import Image

from engines.core.types import Seat, listing
from engines.paris_paris.components import board, tile_parts
from engines.paris_paris.meta import META
from engines.paris_paris.moves import OpenBusiness
from engines.paris_paris.state import Opening, Tour
from engines.paris_paris.views import ParisView
from render.kit import sprites
from render.kit.canvas import Canvas, Panel, mark
from render.kit.contract import Painter
from render.kit.palette import ACT, CARD, GOLD, HAIR, INK, MUTED, PAPER, ink_on
from render.kit.sprites import Brush
from render.kit.type import people, width_of
from render.paris_paris import ground
from render.paris_paris.colours import GLOW, LINES, SHOPS, shop_hue
from render.paris_paris.layout import (
    CELL,
    INFO,
    PLAYERS,
    SLOT,
    Spot,
    cell,
    slot,
    spots,
)

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
HOUSE = 52


class ParisPainter(Painter[ParisView, OpenBusiness]):
    """Draws Paris Paris."""

    def board(
        self,
        view: ParisView,
        names: Sequence[str],
        *,
        moves: Sequence[OpenBusiness] = (),
        focus: Seat | None = None,
    ) -> Image.Image:
        """The map with header, players and score track; ``focus`` changes nothing here."""
        tours = fresh_tours(view)
        lit = [t.where for t in tours if t.kind != "small"]
        sheet = Canvas.on(ground.ground(lit))
        ground.note_boxes()
        who = people(names, view.seats)
        panels = _panels(view, who, tours)
        _header(sheet, view, who, panels)
        sheet.players(panels, PLAYERS)
        _info(sheet, view, tours)
        _p_row(sheet, view)
        _rings(sheet, tours)
        _shops(sheet, view)
        _visited(sheet, view, tours)
        _points(sheet, view, tours)
        _tiles(sheet, view)
        _candidates(sheet, view, moves)
        _track(sheet, view)
        return sheet.image

    def hand(self, view: ParisView, names: Sequence[str]) -> Image.Image | None:
        """The secret marker: its line with the crossings at which the bus will stop."""
        if view.my_marker is None:
            return None
        return _marker_card(view.my_marker)

    def sheet(self) -> Image.Image | None:
        """A board in its busiest state."""
        return _sample()


PAINTER = ParisPainter()


def fresh_tours(view: ParisView) -> tuple[Tour, ...]:
    """The tours to highlight: those scored since, until somebody opens the next shop."""
    return view.tours if view.ended is not None or not view.openers else ()


def winners(view: ParisView) -> tuple[Seat, ...]:
    """Who has won a finished match: most points, then fewest shops on the board (PR-078)."""
    owners = [seat for _, there in view.shops for seat in there]
    keys = [(-view.scores[seat], owners.count(seat)) for seat in range(view.seats)]
    return tuple(seat for seat in range(view.seats) if keys[seat] == min(keys))


# ---- top -------------------------------------------------------------------------------------


def _panels(view: ParisView, who: Sequence[str], tours: Sequence[Tour]) -> list[Panel]:
    over = view.ended is not None
    won = winners(view) if over else ()
    owners = [seat for _, there in view.shops for seat in there]
    panels = []
    for seat in range(view.seats):
        extras: list[Image.Image] = []
        gained = sum(p for tour in tours for _, s, p in tour.points if s == seat)
        if gained:
            extras.append(sprites.pill(f"+{gained}", GLOW, 36))
        shops = owners.count(seat)
        note = f"{shops} shop{'s' * (shops != 1)}" if view.seats < 4 else ""
        if view.supplies is not None and not over:
            note = f"{view.supplies[seat]} in supply"
        panels.append(
            Panel(
                seat,
                who[seat],
                shop_hue(view.colours[seat], seat),
                str(view.scores[seat]),
                note=note,
                act=seat == view.to_act,
                icon=sprites.bus(GOLD, 56) if seat == view.bus and not over else None,
                won=seat in won,
                extras=tuple(extras),
                corner=line_disc(view.markers[seat], 40) if view.markers is not None else None,
            )
        )
    return panels


def _header(sheet: Canvas, view: ParisView, who: Sequence[str], panels: Sequence[Panel]) -> None:
    if view.ended is not None:
        won = winners(view)
        verb = "wins" if len(won) == 1 else "share the victory"
        tail = f" {verb} with {view.scores[won[0]]}"
        sheet.header(
            META.title, "Final", message=listing([who[seat] for seat in won]), message_tail=tail
        )
        return
    turn = panels[view.to_act] if view.to_act is not None else None
    sheet.header(META.title, f"Round {view.round} of {view.rounds}", turn=turn)


# ---- boxes in the corners --------------------------------------------------------------------


def line_disc(colour: str, size: int) -> Image.Image:
    """A line's number on a disc of its colour."""
    return sprites.disc(LINES[colour], size, str(board().lines[colour].number))


def _info(sheet: Canvas, view: ParisView, tours: Sequence[Tour]) -> None:
    """Progress, markers that the viewer knows, and what happened last."""

    def badge(seat: Seat) -> Image.Image:
        return sprites.seat_badge(seat, shop_hue(view.colours[seat], seat), 30)

    rows: list[tuple[str, list[Image.Image | str]]] = []
    if view.open_marker is not None and view.ended is None:
        rows.append(("Open marker", [line_disc(view.open_marker, 36)]))
    if view.my_marker is not None and view.markers is None:
        rows.append(("Your marker", [line_disc(view.my_marker, 36)]))
    if view.last is not None:
        rows.append(("New", [badge(view.last.seat), _stop_name(view.last.tile)]))
    for tour in tours:
        if tour.kind == "small":
            rows.append(("Tour", [board().stops[tour.where].name]))
        elif tour.kind == "grand":
            rows.append(("Grand tour", [line_disc(tour.where, 36)]))
    special: list[Image.Image | str] = [
        line_disc(tour.where, 36) for tour in tours if tour.kind == "special"
    ]
    if special:
        rows.append(("Specials", special))
    if view.sack is not None:
        parts = [part for seat, n in enumerate(view.sack) for part in (badge(seat), str(n))]
        rows.append(("Sack", parts))

    x0, y0, x1, _ = INFO
    head = view.ended is None
    sheet.panel((x0, y0, x1, y0 + 18 + 29 * (len(rows) + head)), CARD, 12, HAIR)
    y = y0 + 25
    if head:
        left = view.stacks_left
        words = "last stack" if left == 0 else f"{left} stack{'s' * (left != 1)} left"
        sheet.paste(_stack_icon(), x0 + 12, y, "lm")
        sheet.text(x0 + 56, y, words, 24, INK, condensed=True, bold=True, anchor="lm")
        y += 29
    for label, parts in rows:
        box = sheet.text(x0 + 14, y, label, 22, MUTED, condensed=True, bold=True, anchor="lm")
        x = box[2] + 6
        for part in parts:
            if isinstance(part, str):
                box = sheet.text(x, y, part, 22, INK, condensed=True, bold=True, anchor="lm",
                                 width=x1 - 8 - x)  # fmt: skip
                x = box[2] + 1
            else:
                x = sheet.paste(part, x - 2, y, "lm")[2]
        y += 29


def _stop_name(tile: str) -> str:
    return board().stops[tile_parts(tile)[0]].name


def _stack_icon() -> Image.Image:
    def shape(b: Brush) -> None:
        for i in range(3):
            b.rect((4 + i * 3, 10 - i * 3, 28 + i * 3, 32 - i * 3), 255, 4)

    def details(b: Brush) -> None:
        for i in range(3):
            b.rect((4 + i * 3, 10 - i * 3, 28 + i * 3, 32 - i * 3), CARD, 4, INK, 1.5)
        b.text(22, 15, "P", 15, INK)

    return sprites.figure((38, 36), shape, CARD, "stack", details=details, outline=1, halo=0)


def _p_row(sheet: Canvas, view: ParisView) -> None:
    for number, tile in enumerate(view.p_row):
        stop, colour = tile_parts(tile)
        x, y = slot(number)
        sheet.paste(sprites.panel(SLOT, LINES[colour], 8, INK, 2), x, y, "lt")
        fill = ink_on(LINES[colour])
        middle = y + SLOT[1] / 2
        sheet.text(x + 18, middle, str(board().lines[colour].number), 25, fill, bold=True,
                   anchor="mm", kind="p row")  # fmt: skip
        name = board().stops[stop].name
        room = SLOT[0] - 42
        size = next((s for s in (22, 20, 19) if width_of(name, s, True, True) <= room), 19)
        sheet.text(x + 36, middle, name, size, fill, condensed=True, bold=True,
                   anchor="lm", width=room, kind="p row")  # fmt: skip


# ---- on the map ------------------------------------------------------------------------------


def _frame(size: tuple[int, int], radius: float, colour: tuple[int, int, int]) -> Image.Image:
    """A ring in the shape of what it surrounds."""

    def paint(b: Brush) -> None:
        w, h = size
        b.rect((0.5, 0.5, w - 0.5, h - 0.5), None, radius, PAPER, 8.5)
        b.rect((2, 2, w - 2, h - 2), None, radius - 1.5, INK, 6.5)
        b.rect((3, 3, w - 3, h - 3), None, radius - 2.5, colour, 4.5)

    return sprites.sprite(size, paint, ("frame", radius, colour))


def _rings(sheet: Canvas, tours: Sequence[Tour]) -> None:
    """Rings around stops that have scored."""
    scored = {stop for tour in tours for stop, _, _ in tour.points}
    for stop in sorted(scored):
        spot = spots()[stop]
        size = (120, 72) if spot.crossing else (68, 68)
        sheet.paste(_frame(size, size[1] / 2, GLOW), spot.x, spot.y)


def _visited(sheet: Canvas, view: ParisView, tours: Sequence[Tour]) -> None:
    """A bus where the small tour went: on the empty stop, or beside it."""
    scored = {stop for tour in tours for stop, _, _ in tour.points}
    for tour in tours:
        if tour.kind == "small":
            spot = spots()[tour.where]
            x0, y0, x1, y1 = spot.tiles
            x, y = (x0 + x1) / 2, (y0 + y1) / 2
            if tour.where not in scored:
                x, y = spot.x, spot.y
            elif any(tile_parts(tile)[0] == tour.where for tile in view.face_up):
                x, y = spot.place[0] + 8, spot.place[1] + 2
            else:
                _stem(sheet, spot, [(x, y)])
            sheet.paste(sprites.bus(GOLD, 56), x, y, kind="bus", name=tour.where)


def _seen_order(owners: Sequence[Seat]) -> list[Seat]:
    return sorted(owners)


def _shops(sheet: Canvas, view: ParisView) -> None:
    for stop, owners in view.shops:
        spot = spots()[stop]
        fresh = _fresh_place(view.last, stop, _seen_order(owners))
        for place, seat in enumerate(_seen_order(owners)):
            colour = shop_hue(view.colours[seat], seat)
            new = place == fresh
            art = sprites.house(colour, HOUSE + 6 if new else HOUSE, str(seat + 1), seat,
                                halo=5 if new else 2, glow=ACT if new else PAPER)  # fmt: skip
            sheet.paste(art, spot.shop_x(place), spot.y - 1, kind="shop", name=stop)
    last = view.last
    if last is not None and last.removed is not None:
        spot = spots()[tile_parts(last.tile)[0]]
        colour = shop_hue(view.colours[last.removed], last.removed)
        sheet.paste(_gone(colour, last.removed), spot.place[0] + 4, spot.place[1] + 2)


def _fresh_place(last: Opening | None, stop: str, owners: Sequence[Seat]) -> int | None:
    if last is None or tile_parts(last.tile)[0] != stop or last.seat not in owners:
        return None
    return owners.index(last.seat)


def _gone(colour: tuple[int, int, int], seat: Seat) -> Image.Image:
    """A small crossed-out shop."""
    base = sprites.house(colour, 38, str(seat + 1), seat)

    def paint(b: Brush) -> None:
        for x in (8.0, 30.0):
            b.line([(x, 8), (38 - x, 30)], PAPER, 7)
        for x in (8.0, 30.0):
            b.line([(x, 8), (38 - x, 30)], ACT, 4)

    cross = sprites.sprite((38, 38), paint, "cross")
    out = base.copy()
    out.alpha_composite(cross)
    return out


def _points(sheet: Canvas, view: ParisView, tours: Sequence[Tour]) -> None:
    totals: dict[tuple[str, Seat], int] = {}
    for tour in tours:
        for stop, seat, points in tour.points:
            totals[stop, seat] = totals.get((stop, seat), 0) + points
    shops = dict(view.shops)
    for (stop, seat), points in sorted(totals.items()):
        spot = spots()[stop]
        order = _seen_order(shops.get(stop, ()))
        places = [i for i, owner in enumerate(order) if owner == seat] or [0]
        x = sum(spot.shop_x(place) for place in places) / len(places)
        badge = sprites.pill(f"+{points}", GLOW, 34)
        sheet.paste(badge, x, spot.y + 31, kind="points", name=stop)


def _tile(colour: str) -> Image.Image:
    """A face-up tile: its line's number on the line's colour."""
    side = 50
    fill = LINES[colour]

    def shape(b: Brush) -> None:
        b.rect((4, 4, side - 4, side - 4), 255, 7)

    def details(b: Brush) -> None:
        b.rect((7, 7, side - 7, side - 7), None, 5, ink_on(fill), 1.6)
        b.text(side / 2, side / 2, str(board().lines[colour].number), 28, ink_on(fill))

    return sprites.figure((side, side), shape, fill, ("paris tile", colour), details=details)


def _piles(view: ParisView) -> dict[str, dict[str, int]]:
    """Face-up tiles as stop → colour → how many."""
    piles: dict[str, dict[str, int]] = {}
    for tile in view.face_up:
        stop, colour = tile_parts(tile)
        there = piles.setdefault(stop, {})
        there[colour] = there.get(colour, 0) + 1
    return piles


def _pile_places(spot: Spot, colours: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Middles of the piles of a stop: one in the middle, two side by side."""
    x0, y0, x1, y1 = spot.tiles
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    toward = spot.x - x
    if len(colours) == 1:
        if spot.crossing and abs(toward) > 60 and abs(spot.y - y) < 40:
            x += 25 if toward > 0 else -25
        return {colours[0]: (x, y)}
    return {c: (x + (i * 2 - 1) * 26, y) for i, c in enumerate(colours)}


def _stem(sheet: Canvas, spot: Spot, piles: Sequence[tuple[float, float]]) -> None:
    """A thin line from a stop to its tiles, so that nobody takes them for a neighbour's."""
    x = sum(p[0] for p in piles) / len(piles)
    y = sum(p[1] for p in piles) / len(piles)
    dx, dy = round(x - spot.x), round(y - spot.y)
    half = (55.0, 31.0) if spot.crossing else (28.0, 28.0)
    leave = min(half[0] / abs(dx) if dx else 9.0, half[1] / abs(dy) if dy else 9.0)
    if leave >= 0.9:
        return
    w, h = abs(dx) + 12, abs(dy) + 12

    def paint(b: Brush) -> None:
        def at(share: float) -> tuple[float, float]:
            return w / 2 + dx * (share - 0.5), h / 2 + dy * (share - 0.5)

        b.line([at(leave), at(1)], PAPER, 8)
        b.line([at(leave), at(1)], INK, 4)

    art = sprites.sprite((w, h), paint, ("stem", dx, dy, leave))
    sheet.paste(art, spot.x + dx / 2, spot.y + dy / 2)


def _tiles(sheet: Canvas, view: ParisView) -> None:
    for stop, piles in _piles(view).items():
        spot = spots()[stop]
        colours = [c for c in LINES if c in piles]
        places = _pile_places(spot, colours)
        _stem(sheet, spot, list(places.values()))
        for colour, (x, y) in places.items():
            art = _tile(colour)
            count = piles[colour]
            for i in reversed(range(count)):
                sheet.paste(art, x + 5 * i, y - 5 * i, kind="tile", name=f"{stop}/{colour}")
            if count > 1:
                sheet.paste(sprites.pill(f"×{count}", INK, 28), x - 15, y + 22)


def _candidates(sheet: Canvas, view: ParisView, moves: Sequence[OpenBusiness]) -> None:
    """Rings and letters at the tiles of the given moves, in their order."""
    letters: dict[str, list[str]] = {}
    for letter, move in zip(LETTERS, moves, strict=False):
        letters.setdefault(move.tile, []).append(letter)
    piles = _piles(view)
    for tile, marks in letters.items():
        stop, colour = tile_parts(tile)
        if colour not in piles.get(stop, {}):
            continue
        spot = spots()[stop]
        colours = [c for c in LINES if c in piles[stop]]
        x, y = _pile_places(spot, colours)[colour]
        aside = 14 if piles[stop][colour] > 1 else 0
        sheet.paste(_frame((62, 62), 15, ACT), x, y)
        sheet.paste(sprites.pill("/".join(marks), ACT, 40), x + aside, y + 32)
        mark("candidate", tile, (round(x - 31), round(y - 31), round(x + 31), round(y + 31)))
    shops = dict(view.shops)
    for letter, move in zip(LETTERS, moves, strict=False):
        if move.remove is None or move.remove not in view.colours:
            continue
        stop = tile_parts(move.tile)[0]
        seat = view.colours.index(move.remove)
        order = _seen_order(shops.get(stop, ()))
        if seat in order:
            spot = spots()[stop]
            sheet.paste(
                sprites.pill(f"−{letter}", ACT, 34), spot.shop_x(order.index(seat)), spot.y + 30
            )


# ---- score track -----------------------------------------------------------------------------


def _track(sheet: Canvas, view: ParisView) -> None:
    """Markers on score mod 46, with a badge for each time round (PR-056)."""
    spaces: dict[int, list[Seat]] = {}
    for seat, score in enumerate(view.scores):
        spaces.setdefault(score % board().track, []).append(seat)
    for space, seats in spaces.items():
        x, y = cell(space)
        cx, cy = x + CELL[0] / 2, y + CELL[1] / 2
        spread = {
            1: ((0, 0),),
            2: ((-11, 0), (11, 0)),
            3: ((-11, -10), (11, -10), (0, 11)),
        }.get(len(seats), ((-11, -11), (11, -11), (-11, 11), (11, 11)))
        size = 44 if len(seats) == 1 else 30
        for seat, (dx, dy) in zip(seats, spread, strict=False):
            badge = sprites.seat_badge(seat, shop_hue(view.colours[seat], seat), size)
            sheet.paste(badge, cx + dx, cy + dy, kind="marker", name=str(seat))
            rounds = view.scores[seat] // board().track
            if rounds:
                sheet.paste(sprites.pill(f"×{rounds}", INK, 22), cx + dx + 12, cy + dy - 14)


# ---- hand ------------------------------------------------------------------------------------


def _marker_card(colour: str) -> Image.Image:
    line = board().lines[colour]
    sheet = Canvas(900, 300)
    sheet.panel((12, 12, 888, 288), CARD, 16, HAIR)
    sheet.paste(sprites.lock(GOLD, 44), 32, 54, "lm")
    sheet.text(84, 54, "Your special-route marker", 30, INK, bold=True, anchor="lm")
    badge = ground.line_badge(line)
    sheet.paste(badge, 868, 54, "rm")
    xs = [105 + i * 115 for i in range(len(line.stops))]
    sheet.paste(ground.ribbon(line, [(x, 24.0) for x in xs], (900, 48)), 0, 160, "lm")
    for i, (middle, stop) in enumerate(zip(xs, line.stops, strict=True)):
        crossing = board().stops[stop].crossing
        sheet.paste(ground.place_sprite(crossing), middle, 160)
        name = board().stops[stop].name
        half = width_of(name, 22, True, True) / 2
        x = min(max(middle, 24 + half), 876 - half)
        sheet.text(x, 106 if i % 2 else 222, name, 22, INK if crossing else MUTED,
                   condensed=True, bold=True, anchor="mm")  # fmt: skip
    sheet.text(450, 268, "The bus stops at the four wide stops. Everybody scores there.", 22, MUTED,
               anchor="ms")  # fmt: skip
    return sheet.image


# ---- palette ---------------------------------------------------------------------------------


@cache
def _sample() -> Image.Image:
    """A board with all lines lit, all kinds of shops, tiles and markers."""
    stops = list(board().stops)
    seats = len(SHOPS)
    tours = tuple(
        Tour("grand", c, tuple((s, i % 4, 2) for i, s in enumerate(line.stops)))
        for c, line in board().lines.items()
    )
    view = ParisView(
        viewer=None, seats=seats, colours=tuple(SHOPS), waiting=(1,), ended=None, round=3,
        rounds=12, stacks_left=9, bus=0, first=0, to_act=1, openers=(),
        face_up=tuple(f"{line.stops[3]}/{c}" for c, line in board().lines.items()), used=(),
        p_row=tuple(f"{line.stops[2]}/{c}" for c, line in board().lines.items()),
        shops=tuple(
            (s, (i % 4, (i + 1) % 4) if board().stops[s].crossing else (i % 4,))
            for i, s in enumerate(stops[:21])
        ),
        scores=(7, 16, 51, 30), supplies=None, has_sack=True, sack=None, open_marker=None,
        my_marker=None, markers=None, last=Opening(0, f"{stops[0]}/green", 1, "sack"),
        tours=(),
    )  # fmt: skip
    busy = PAINTER.board(view, ("Anna", "Bob", "Cora", "Dan"))
    lit = PAINTER.board(msgspec.structs.replace(view, tours=tours), ("Anna", "Bob", "Cora", "Dan"))
    both = Image.new("RGB", (busy.width * 2, busy.height))
    both.paste(busy, (0, 0))
    both.paste(lit, (busy.width, 0))
    return both
