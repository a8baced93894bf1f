"""Draws a Palermo match: the town, its doorways, pawns, stones, walks and what everybody has."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from math import cos, pi, sin

from PIL import Image

from engines.core.types import Move, Seat
from engines.palermo.components import (
    LETTERS,
    NAMES,
    RING,
    SPACE_CELLS,
    SPACE_OF,
    SPACES,
    TILES,
    find_cell,
    place,
    tile_picture,
)
from engines.palermo.ends import search
from engines.palermo.moves import (
    AutoWait,
    BuildDoor,
    Collect,
    Finish,
    MoveCell,
    PlaceStart,
    PoliceCell,
    PoliceKeep,
    Step,
)
from engines.palermo.phases import trips
from engines.palermo.views import AT_FOUNTAIN, PalermoView, Preview, position, preview
from render.kit import sprites
from render.kit.canvas import Canvas, Panel
from render.kit.contract import Painter
from render.kit.palette import ACT, CARD, GOLD, HAIR, INK, MUTED, RGB, light
from render.kit.type import people, width_of
from render.palermo import ground, ways
from render.palermo.colours import SEATS, SLATE
from render.palermo.layout import (
    BOTTOM,
    CELL,
    HEIGHT,
    LEFT,
    PANEL_HEIGHT,
    PANELS,
    STRIP,
    STRIP_HEIGHT,
    TOP,
    WIDTH,
    corner_of,
    middle,
    middle_of,
    space_corner,
    space_middle,
)

_ASIDE = ((0, -1), (1, 0), (0, 1), (-1, 0))


class PalermoPainter(Painter[PalermoView, Move]):
    """One board for both phases."""

    def board(
        self,
        view: PalermoView,
        names: Sequence[str],
        *,
        moves: Sequence[Move] = (),
        focus: Seat | None = None,
    ) -> Image.Image:
        """The board; of exactly one candidate move the walk, tile or stone is drawn as well."""
        shown = people(names, view.seats)
        canvas = Canvas.on(_town(view.tiles))
        _header(canvas, view, shown)
        _panels(canvas, view, shown, focus)
        seat = view.viewer if view.viewer is not None else view.to_act
        one = None
        if len(moves) == 1 and seat is not None:
            one = preview(view, seat, moves[0])
        if one is None:
            _last(canvas, view)
        _doorways(canvas, view)
        if len(moves) > 1:
            _candidates(canvas, view, moves)
        if one is not None and seat is not None:
            _one_walk(canvas, view, seat, one)
        _stones(canvas, view)
        _pawns(canvas, view)
        if one is not None and seat is not None:
            _one_piece(canvas, view, seat, one)
        _strip(canvas, view, shown)
        return canvas.image

    def sheet(self) -> Image.Image | None:
        """A busy board with all colours of the game."""
        from render.palermo.sample import busy

        return self.board(busy(), ["Ada", "Ben", "Cleo", "Dora", "Emil"])


# ---- frame -----------------------------------------------------------------------------------


@cache
def _empty_board() -> Image.Image:
    """Paper, ring road, letters and numbers, free spaces."""
    canvas = Canvas(WIDTH, HEIGHT)
    edge = 6
    canvas.fill((LEFT - edge, TOP - edge, LEFT + 14 * CELL + edge, BOTTOM + edge), INK)
    for number, cell in enumerate(RING, 1):
        x, y = place(cell)
        inner = ""
        if number not in (1, 14, 27, 40):
            inner = "s" if y < 0 else "w" if x > 11 else "n" if y > 11 else "e"
        canvas.paste(ground.road(number, inner), *corner_of(cell), "lt")
    for space, name in enumerate(SPACES):
        canvas.paste(ground.plot(name), *space_corner(space), "lt")
    for k in range(6):
        x = LEFT + CELL + (2 * k + 1) * CELL
        canvas.text(x, TOP - 12, "ABCDEF"[k], 38, INK, bold=True, anchor="ms", kind="coordinate")
        y = TOP + CELL + (2 * k + 1) * CELL
        for side in (LEFT / 2 - 2, WIDTH - LEFT / 2 + 2):
            canvas.text(side, y, str(k + 1), 38, INK, bold=True, anchor="mm", kind="coordinate")
    return canvas.image


def _colour(view: PalermoView, seat: Seat) -> RGB:
    return SEATS[view.colours[seat]]


def _letter(view: PalermoView, seat: Seat) -> str:
    return LETTERS[view.colours[seat]]


def _header(canvas: Canvas, view: PalermoView, shown: Sequence[str]) -> None:
    if view.ended is not None:
        best = max(view.scores)
        winners = [shown[s] for s in range(view.seats) if view.scores[s] == best]
        verb = "wins" if len(winners) == 1 else "share the victory"
        canvas.header("Palermo", f"Round {view.round}", message=f"{' & '.join(winners)} {verb}")
        return
    if view.walking:
        status = f"Income · round {view.round}"
        if view.quiet:
            status += f" · {view.quiet}/6 quiet"
    else:
        status = f"Building · {sum(view.to_lay)} tiles to lay"
    turn = None
    if view.to_act is not None:
        turn = Panel(
            view.to_act, shown[view.to_act], _colour(view, view.to_act),
            letter=_letter(view, view.to_act),
        )  # fmt: skip
    canvas.header("Palermo", status, turn=turn)


def _panels(canvas: Canvas, view: PalermoView, shown: Sequence[str], focus: Seat | None) -> None:
    gap = 12
    wide = (WIDTH - 48 - gap * (view.seats - 1)) / view.seats
    for seat in range(view.seats):
        x0 = round(24 + seat * (wide + gap))
        _player(canvas, view, seat, shown[seat], (x0, PANELS, round(x0 + wide),
                PANELS + PANEL_HEIGHT), focus == seat)  # fmt: skip


def _player(
    canvas: Canvas,
    view: PalermoView,
    seat: Seat,
    name: str,
    box: tuple[int, int, int, int],
    focus: bool,
) -> None:
    x0, y0, x1, y1 = box
    act = seat == view.to_act
    colour = _colour(view, seat)
    canvas.panel(box, light(GOLD, 0.7) if focus else CARD, 14, ACT if act else HAIR,
                 5 if act else 2)  # fmt: skip
    small = view.seats == 5
    badge = 50 if small else 60
    canvas.paste(ground.chip(seat, colour, _letter(view, seat), badge), x0 + 6, y0 + 36, "lm")
    left, right = x0 + badge + 8, x1 - 12
    size = 27 if small else 29
    narrow = width_of(name, size, True) > right - left
    canvas.text(left, y0 + 36, name, size, INK, bold=True, condensed=narrow, anchor="lm",
                width=right - left, kind="panel")  # fmt: skip
    if not view.walking:
        count = view.to_lay[seat]
        word = "chip to lay" if count == 1 else "chips to lay"
        box_ = canvas.text(x0 + 18, y1 - 36, str(count), 46, INK, bold=True, anchor="lm",
                           kind="panel")  # fmt: skip
        canvas.text(box_[2] + 12, y1 - 32, word, 24, MUTED, anchor="lm", kind="panel",
                    width=x1 - 12 - box_[2] - 12)  # fmt: skip
        return
    score = canvas.text(right, y1 - 34, str(view.scores[seat]), 52, INK, bold=True, anchor="rm",
                        kind="panel")  # fmt: skip
    if view.ended is not None and view.scores[seat] == max(view.scores):
        canvas.paste(sprites.crown(size=44), x0 + 6 + badge / 2, y0 + 6, "mm")
    total = view.cards[seat] + view.chips.count(seat)
    low = y1 - 50
    chips = f"{view.cards[seat]}/{total} chips"
    canvas.text(x0 + 16, low, chips, 23 if small else 25, MUTED, condensed=True, bold=True,
                anchor="lm", kind="panel")  # fmt: skip
    if view.home[seat]:
        text, tone = ("home, waits" if view.waits[seat] and not small else "home"), ACT
    else:
        text, tone = f"{view.points[seat]} {'a turn' if small else 'points a turn'}", INK
    canvas.text(x0 + 16, y1 - 21, text, 23 if small else 25, tone, condensed=True, bold=True,
                anchor="lm", kind="panel", width=score[0] - x0 - 22)  # fmt: skip


# ---- town ------------------------------------------------------------------------------------


def _is_roof(tiles: tuple[str, ...], x: int, y: int) -> int:
    """1 + space of the roof at city coordinates; 0 if there is none."""
    if not (0 <= x < 12 and 0 <= y < 12):
        return 0
    space = 6 * (y // 2) + x // 2
    name = tiles[space]
    if not name:
        return 0
    quarter = (0, 1, 3, 2)[2 * (y % 2) + x % 2]
    return space + 1 if quarter in TILES[name].roofs else 0


@lru_cache(maxsize=6)
def _town(tiles: tuple[str, ...]) -> Image.Image:
    """The board with the tiles that lie; the same all through phase 2."""
    canvas = Canvas.on(_empty_board())
    for space, name in enumerate(tiles):
        if not name:
            continue
        if name == "start":
            canvas.paste(ground.plaza(), *space_corner(space), "lt", kind="start", name=name)
            continue
        for cell in SPACE_CELLS[space]:
            x, y = place(cell)
            here = _is_roof(tiles, x, y)
            if here:
                around = [_is_roof(tiles, x + dx, y + dy) for dx, dy in _ASIDE]
                kinds = tuple(
                    ground.OPEN if not a else ground.SAME if a == here else ground.OTHER
                    for a in around
                )
                tile = ground.roof((space * 7 + space // 6) % 3, (kinds[0], kinds[1], kinds[2],
                                   kinds[3]))  # fmt: skip
            else:
                shade = (_is_roof(tiles, x, y - 1) > 0, _is_roof(tiles, x - 1, y) > 0)
                tile = ground.street(shade, (y % 2 == 0, x % 2 == 0))
            canvas.paste(tile, *corner_of(cell), "lt")
    return canvas.image


def _wall(tile: str, space: int) -> int:
    """Direction (north, east, south, west) from a doorway to the wall with its chip; −1 without."""
    found = TILES[tile]
    if found.chip < 0:
        return -1
    x, y = place(SPACE_CELLS[space][found.door])
    a, b = place(SPACE_CELLS[space][found.chip])
    return _ASIDE.index((a - x, b - y))


def _doorways(canvas: Canvas, view: PalermoView) -> None:
    for space, name in enumerate(view.tiles):
        if name and TILES[name].door >= 0:
            _doorway(canvas, view, space, name, view.chips[space], view.builders[space])


def _doorway(
    canvas: Canvas, view: PalermoView, space: int, tile: str, owner: int, builder: int
) -> None:
    cell = SPACE_CELLS[space][TILES[tile].door]
    colour = _colour(view, builder)
    wall = _wall(tile, space)
    name = NAMES[cell]
    taken = name in view.pawns or name in view.stones
    x, y = middle(cell)
    if wall >= 0:
        canvas.paste(ground.doorway(colour, wall, owner >= 0), *corner_of(cell), "lt")
        away = 26 if taken else 14
        x += _ASIDE[wall][0] * away
        y += _ASIDE[wall][1] * away
    elif taken:
        x, y = x - 22, y - 22
    if owner >= 0:
        size = 42 if taken else 50
        canvas.paste(ground.chip(owner, colour, _letter(view, owner), size), x, y, kind="chip",
                     name=_letter(view, owner))  # fmt: skip
    else:
        canvas.paste(ground.emptied(builder, colour), x, y)


# ---- pieces ----------------------------------------------------------------------------------


def _off_wall(view: PalermoView, name: str) -> tuple[float, float]:
    """Where a pawn stands on a cell, so that the chip of a doorway stays visible."""
    x, y = middle_of(name)
    cell = find_cell(name)
    space = SPACE_OF[cell] if cell is not None else -1
    if space >= 0 and view.tiles[space] and TILES[view.tiles[space]].door >= 0:
        tile = view.tiles[space]
        if SPACE_CELLS[space][TILES[tile].door] == cell:
            wall = _wall(tile, space)
            if wall >= 0:
                return x - _ASIDE[wall][0] * 12, y - _ASIDE[wall][1] * 12
            return x + 10, y + 8
    return x, y


def _stones(canvas: Canvas, view: PalermoView) -> None:
    for seat, name in enumerate(view.stones):
        if name:
            x, y = _off_wall(view, name)
            shift = 15 if name in view.pawns else 0
            piece = ground.stone(_colour(view, seat), _letter(view, seat), 48)
            canvas.paste(piece, x - shift, y + shift, kind="stone", name=_letter(view, seat))


def _pawns(canvas: Canvas, view: PalermoView) -> None:
    waiting = [seat for seat in range(view.seats) if view.pawns[seat] == AT_FOUNTAIN]
    for seat, name in enumerate(view.pawns):
        if name == AT_FOUNTAIN:
            continue
        x, y = _off_wall(view, name)
        shift = 13 if name in view.stones else 0
        _pawn(canvas, view, seat, x + shift, y - shift, 58)
    if not view.start:
        return
    x, y = space_middle(SPACES.index(view.start))
    if not view.walking:
        return
    for k, seat in enumerate(waiting):
        turn = 2 * pi * k / max(3, len(waiting)) - pi / 2
        _pawn(canvas, view, seat, x + 50 * cos(turn), y + 50 * sin(turn), 50)


def _pawn(
    canvas: Canvas, view: PalermoView, seat: Seat, x: float, y: float, size: int = 62
) -> None:
    piece = sprites.pawn(_colour(view, seat), size, _letter(view, seat))
    canvas.paste(piece, x, y, kind="pawn", name=_letter(view, seat))


# ---- what happened last, what may happen -------------------------------------------------------


def _last(canvas: Canvas, view: PalermoView) -> None:
    if not view.walking:
        if view.built:
            canvas.paste(ground.frame(2 * CELL + 8, ACT), *space_middle(_space(view.built.space)))
        return
    if view.trail and view.to_act is not None:
        ways.draw(canvas, view.trail, _colour(view, view.to_act))
        canvas.paste(ground.target(ACT), *middle_of(view.trail[-1]))
        return
    trip = view.trip
    if trip and len(trip.path) > 1:
        ways.draw(canvas, trip.path, _colour(view, trip.seat))
        if trip.kind == "stop":
            canvas.paste(ground.target(_colour(view, trip.seat)), *middle_of(trip.path[-1]))
    if view.patrol:
        canvas.paste(ground.frame(CELL, ACT, 5), *middle_of(view.patrol.end))


def _space(name: str) -> int:
    return SPACES.index(name)


def _candidates(canvas: Canvas, view: PalermoView, moves: Sequence[Move]) -> None:
    """Marks for several possible moves."""
    ends = None
    if view.walking and view.to_act is not None and not view.home[view.to_act]:
        ends = search(trips.field(position(view), view.to_act))
    kinds = {type(m) for m in moves}
    drop: set[type[Move]] = set()
    if kinds - {PoliceCell, PoliceKeep, AutoWait}:
        drop.add(PoliceCell)  # the whole town would be dotted
    if MoveCell in kinds:
        drop.add(Step)
    spaces: dict[str, int] = {}
    pills: list[tuple[str, str]] = []
    for move in moves:
        if type(move) in drop:
            continue
        match move:
            case PlaceStart():
                spaces[move.space] = 1
            case BuildDoor():
                spaces[move.space] = spaces.get(move.space, 0) + 1
            case Collect():
                cell = find_cell(move.doorway)
                income = ends.stops.get(cell, 0) if ends and cell is not None else 0
                pills.append((move.doorway, f"+{income}"))
            case Finish():
                if view.start:
                    x, y = space_middle(_space(view.start))
                    left = ends.finish if ends and ends.finish is not None else 0
                    canvas.label(x, y - 20, f"+{left}", ACT, 46)
            case MoveCell() | PoliceCell() | Step():
                _target(canvas, view, move.cell, isinstance(move, PoliceCell))
            case _:
                pass
    for name in spaces:
        canvas.paste(ground.frame(2 * CELL - 4, ACT), *space_middle(_space(name)), kind="target",
                     name=name)  # fmt: skip
        if view.start and len(moves) <= 4 and len(spaces) == 1:
            _doors(canvas, moves)
    for name, text in pills:
        x, y = middle_of(name)
        canvas.label(x, y, text, ACT, 46)


def _target(canvas: Canvas, view: PalermoView, name: str, police: bool) -> None:
    """A ring on a cell; small and in its corner where something else is to be seen."""
    cell = find_cell(name)
    if cell is None:
        return
    x, y = middle(cell)
    space = SPACE_OF[cell]
    tile = view.tiles[space] if space >= 0 else ""
    door = tile and TILES[tile].door >= 0 and SPACE_CELLS[space][TILES[tile].door] == cell
    if police or space < 0 or door or name in view.pawns or name in view.stones:
        piece = ground.target(SLATE if police else ACT, 26)
        x, y = x + 24, y - 24
    else:
        piece = ground.target(ACT, 40)
    canvas.paste(piece, x, y, kind="target", name=name)


def _doors(canvas: Canvas, moves: Sequence[Move]) -> None:
    for move in moves:
        if isinstance(move, BuildDoor):
            cell = find_cell(move.space + move.door)
            if cell is not None:
                canvas.label(*middle(cell), move.door, ACT, 40)


def _one_walk(canvas: Canvas, view: PalermoView, seat: Seat, one: Preview) -> None:
    path = one.trail or (one.trip.path if one.trip else ())
    if len(path) > 1:
        ways.draw(canvas, path, ACT, 18)
        ways.numbers(canvas, path, ACT)


def _one_piece(canvas: Canvas, view: PalermoView, seat: Seat, one: Preview) -> None:
    """The end of the only candidate: pawn, stone or tile."""
    colour, letter = _colour(view, seat), _letter(view, seat)
    if one.trail or one.trip:
        path = one.trail or (one.trip.path if one.trip else ())
        if not path:
            return
        x, y = middle_of(path[-1])
        piece = sprites.pawn(colour, 66, letter)
        canvas.paste(ground.target(ACT, 72), *middle_of(path[-1]), kind="target", name=path[-1])
        canvas.paste(piece, x, y - 6)
        text = ""
        if one.trail:
            text = f"{one.left} left"
        elif one.trip and one.trip.kind in ("stop", "finish"):
            text = f"+{one.trip.points}"
        elif one.trip and one.trip.kind == "back":
            text = "stays back"
        if text:
            above = len(path) > 1 and middle_of(path[-2])[1] > y
            if y < TOP + CELL or y > BOTTOM - CELL:
                above = y > BOTTOM - CELL
            below = y - 64 if above else y + 60
            canvas.label(min(max(x, LEFT + 60), WIDTH - LEFT - 60), below, text, ACT, 44)
    elif one.patrol:
        x, y = middle_of(one.patrol.end)
        canvas.paste(ground.frame(CELL, ACT, 6), x, y, kind="target", name=one.patrol.end)
        canvas.paste(ground.stone(colour, letter), x, y)
    elif one.built:
        space = _space(one.built.space)
        for cell in SPACE_CELLS[space]:
            quarter = SPACE_CELLS[space].index(cell)
            solid = quarter in TILES[one.built.tile].roofs
            tile = (
                ground.roof(0, (0, 0, 0, 0))
                if solid
                else ground.street((False, False), (False, False))
            )
            canvas.paste(tile, *corner_of(cell), "lt")
        _doorway(canvas, view, space, one.built.tile, seat, seat)
        canvas.paste(ground.frame(2 * CELL + 8, ACT), *space_middle(space), kind="target",
                     name=one.built.space)  # fmt: skip


# ---- strip below -----------------------------------------------------------------------------


def _strip(canvas: Canvas, view: PalermoView, shown: Sequence[str]) -> None:
    canvas.paste(ground.compass(STRIP_HEIGHT - 8), LEFT - 6, STRIP + 4, "lt")
    left = LEFT + STRIP_HEIGHT + 12
    if not view.walking:
        x = left
        for kind, count in view.supply:
            picture = ground.mini(tile_picture(f"{kind}/nw"), 66)
            if not count:
                picture = sprites.ghost(picture, 0.3, ("pl mini", kind, "none"))
            canvas.paste(picture, x, STRIP + 18, "lt")
            canvas.text(x + 78, STRIP + 42, kind, 31, INK, bold=True, anchor="lm", kind="strip")
            canvas.text(x + 78, STRIP + 74, f"×{count}", 28, MUTED, anchor="lm", kind="strip")
            x += 148
        if view.built:
            canvas.text(WIDTH - LEFT, STRIP + 42, "Last tile", 26, MUTED, anchor="rm",
                        kind="strip")  # fmt: skip
            word = f"{view.built.tile} on {view.built.space}"
            canvas.text(WIDTH - LEFT, STRIP + 74, word, 27, INK, bold=True, condensed=True,
                        anchor="rm", kind="strip")  # fmt: skip
    else:
        for row, line in enumerate(_news(view, shown)):
            canvas.text(left, STRIP + 34 + 42 * row, line, 29, INK if row == 0 else MUTED,
                        anchor="lm", width=WIDTH - LEFT - left, bold=row == 0, condensed=True,
                        kind="strip")  # fmt: skip
    canvas.footnote("Tile shapes, ring cells and colours are our reconstruction.")


def _news(view: PalermoView, shown: Sequence[str]) -> list[str]:
    rows = []
    trip, patrol = view.trip, view.patrol
    if view.trail and view.to_act is not None:
        rows.append(f"{shown[view.to_act]} is on the way: {view.left} left at {view.trail[-1]}")
    elif trip:
        who = shown[trip.seat]
        end = trip.path[-1] if trip.path else "the fountain"
        begin = trip.path[0] if trip.path else ""
        words = {
            "stop": f"{who}: {begin} → {end}, collected for {trip.points}",
            "finish": f"{who}: {begin} → home for {trip.points}",
            "exact": f"{who}: {begin} → {end}",
            "back": f"{who}: {begin} → {end}, stayed back",
            "stay": f"{who} stays: no way to end",
        }
        rows.append(words[trip.kind])
    else:
        rows.append("All pawns set out from the fountain.")
    if patrol:
        start = patrol.start or "aside"
        rows.append(f"Latest police move: {shown[patrol.seat]}, {start} → {patrol.end}")
    elif not any(view.stones):
        rows.append("Police stones lie beside the board.")
    return rows


PAINTER = PalermoPainter()
