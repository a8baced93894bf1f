"""Draws the views of Papertown."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from engines.core.types import Move, Seat, listing
from engines.papertown.components import KINDS, MEEPLES, OBJECTIVES
from engines.papertown.grid import PLACES
from engines.papertown.moves import BuyBank, Claim, KeepBlock, Place, SpendMeeple
from engines.papertown.views import Cell, PaperView
from render.kit import sprites
from render.kit.canvas import HEADER, MARGIN, WIDTH, Canvas, Panel, mark
from render.kit.contract import Painter
from render.kit.palette import ACT, CARD, GOLD, HAIR, INK, MUTED, PAPER, RGB, hue, light
from render.kit.type import readable, width_of
from render.papertown import blocks
from render.papertown.colours import FOIL, MAT, NAME, OPEN, SEAL, SEATS
from render.papertown.colours import KINDS as KINDS_OF
from render.papertown.layout import City, fit_city, height_of

LEAST, MOST = 620, 980
"""Height of the city's part of the picture."""
SHELF = 118
"""Height of the row with bank, hand and piles."""
ROW = 178
"""Height of a player's panel."""


def colour_of(view: PaperView, seat: Seat) -> RGB:
    """Colour of a seat's meeples."""
    return SEATS.get(view.colours[seat], hue(view.colours[seat], seat))


def side_mark(view: PaperView, side: int) -> str:
    """What stands on a side's meeples: the seat's number, or the pair's letter."""
    return "AB"[side] if view.mode == "pairs" else str(side + 1)


class PapertownPainter(Painter[PaperView, Move]):
    """The city in the middle, bank and piles above it, the players' open tiles below."""

    def board(
        self,
        view: PaperView,
        names: Sequence[str],
        *,
        moves: Sequence[Move] = (),
        focus: Seat | None = None,
    ) -> Image.Image:
        known = [readable(n, f"Player {i + 1}") for i, n in enumerate(names)]
        rows = 1 if view.seats < 3 else 2
        city = height_of([c.name for c in view.cells], WIDTH - 16, LEAST, MOST)
        foot = HEADER + SHELF + city
        sheet = Canvas(WIDTH, foot + rows * (ROW + 10) + 44, PAPER)
        top = self._header(sheet, view, known)
        top = self._shelf(sheet, view, top, moves)
        self._city(sheet, view, (0, top, WIDTH, foot), moves)
        if view.mode == "solo":
            self._solo(sheet, view, foot + 10, moves)
        else:
            self._players(sheet, view, known, foot + 10)
        sheet.footnote("Tiles and layouts partly reconstructed, not the printed ones")
        return sheet.image

    # ---- header and shelf --------------------------------------------------------------------

    def _header(self, sheet: Canvas, view: PaperView, names: Sequence[str]) -> int:
        if view.ended is not None:
            return sheet.header("Papertown", "final position", message=_result(view, names))
        status = f"turn {view.turns + 1}"
        if view.to_act is None:
            return sheet.header("Papertown", status)
        turn = Panel(view.to_act, names[view.to_act], colour_of(view, view.to_act), act=True)
        return sheet.header("Papertown", status, turn=turn, turn_text=_TURN[view.phase])

    def _shelf(self, sheet: Canvas, view: PaperView, top: int, moves: Sequence[Move]) -> int:
        """Bank, Block in hand, piles."""
        low = top + SHELF
        sheet.fill((0, top, WIDTH, low), CARD)
        sheet.fill((0, low - 3, WIDTH, low), HAIR)
        marked = {m.block for m in moves if isinstance(m, BuyBank)}
        x = _caption(sheet, "BANK", MARGIN, top)
        for kind in KINDS:
            count = view.bank.count(kind)
            if count:
                x = self._stock(sheet, kind, count, x, top, kind in marked)
        if not view.bank:
            sheet.text(x + 8, top + SHELF / 2, "empty", 28, MUTED, anchor="lm")
            x += 110
        held = view.hand or view.drawn_blocks
        if held:
            chosen = {m.block for m in moves if isinstance(m, KeepBlock)}
            x = _caption(sheet, "IN HAND" if view.hand else "DRAWN", x + 16, top)
            for kind in held:
                x = self._stock(sheet, kind, 1, x, top, kind in chosen)
        self._piles(sheet, view, top)
        return low

    def _stock(
        self, sheet: Canvas, kind: str, count: int, x: float, top: int, marked: bool
    ) -> float:
        """A Block of the bank with how many there are."""
        w, h = 108, 92
        sheet.paste(blocks.block(kind, w, h), x, top + 10, "lt", kind="stock", name=kind)
        if marked:
            sheet.paste(blocks.frame(w, h, ACT, 5), x, top + 10, "lt")
        if count > 1:
            sheet.paste(sprites.pill(f"×{count}", INK, 38), x + w - 14, top + 88, "mm")
            return x + w + 12
        return x + w + 2

    def _piles(self, sheet: Canvas, view: PaperView, top: int) -> None:
        """Stack and decks at the right."""
        piles = [("STACK", view.stack, "stack")]
        if view.mode == "solo":
            piles.append(("TO COME", view.pile, "row"))
        else:
            piles += [("CONSTR.", view.construction_deck, "row"),
                      ("GREAT", view.structure_deck, "great")]  # fmt: skip
        x = WIDTH - MARGIN - 116 * len(piles)
        for label, count, kind in piles:
            middle = x + 62
            image = blocks.pile(kind, 96, 70)
            sheet.paste(image, middle, top + 46, "mm", kind="pile", name=kind)
            colour = INK if kind == "stack" else FOIL
            sheet.text(middle, top + 42, str(count), 34, colour, bold=True, anchor="mm")
            sheet.text(middle, top + 104, label, 20, MUTED, bold=True, condensed=True, anchor="ms")
            x += 116

    # ---- the city ----------------------------------------------------------------------------

    def _city(
        self, sheet: Canvas, view: PaperView, box: tuple[int, int, int, int], moves: Sequence[Move]
    ) -> None:
        sheet.fill(box, MAT)
        city = fit_city([c.name for c in view.cells], (box[0] + 8, box[1] + 6, box[2] - 8, box[3]))
        open_cells = {m.cell for m in moves if isinstance(m, Place)}
        size = _name_size(city)
        for name in city.lots:
            x, y = city.at(name)
            able = name in open_cells
            sheet.paste(blocks.lot(city.w, city.h, candidate=able), x, y, "mm")
            if able:
                mark("candidate", name, _around(x, y, city))
            sheet.text(
                x, y, name, size + (2 if able else 0), INK if able else NAME, bold=able,
                condensed=not able and len(name) > 3, anchor="mm", kind="lot",
            )  # fmt: skip
        cells = sorted(view.cells, key=lambda c: (sum(PLACES[c.name]), PLACES[c.name]))
        for cell in cells:
            self._block(sheet, city, cell)
        self._frames(sheet, view, city, moves)
        for cell in cells:
            self._name(sheet, view, city, cell)
        for name, word in _marked(view, moves).items():
            x, y = city.at(name)
            pill = sprites.pill(word, ACT, max(26, city.h // 4))
            sheet.paste(pill, x, y - city.h * 0.36, "mm", kind="pill", name=name)

    def _block(self, sheet: Canvas, city: City, cell: Cell) -> None:
        """A Block or an objective tile."""
        x, y = city.at(cell.name)
        crowded = cell.meeple is not None
        if cell.kind:
            style = "crowded" if crowded else "named"
            image = blocks.block(cell.kind, city.w, city.h, style)
        else:
            great = OBJECTIVES[cell.tile].great
            image = blocks.seal(great, city.w, city.h, crowded=crowded)
        left, top = round(x - city.w / 2), round(y - city.h / 2)
        sheet.paste(image, left, top, "lt", kind="cell", name=cell.name)

    def _name(self, sheet: Canvas, view: PaperView, city: City, cell: Cell) -> None:
        """A cell's name, and the meeple that stands there."""
        x, y = city.at(cell.name)
        if cell.meeple is not None:
            seat = view.sides.index(cell.meeple)
            size = round(min(city.h * 0.56, city.w * 0.44))
            image = sprites.meeple(colour_of(view, seat), size, side_mark(view, cell.meeple))
            sheet.paste(
                image, x + city.w * 0.16, y - city.h * 0.1, "mm", kind="meeple", name=cell.name
            )
        fill, rim = (INK, light(KINDS_OF[cell.kind], 0.35)) if cell.kind else (FOIL, SEAL)
        sheet.text(
            x, y + city.h * 0.27, cell.name, _name_size(city), fill, bold=True, condensed=True,
            anchor="mm", outline=rim, outline_width=2, kind="name",
        )  # fmt: skip

    def _frames(self, sheet: Canvas, view: PaperView, city: City, moves: Sequence[Move]) -> None:
        """Around the latest Block, what it completed, and what may be covered or sealed."""
        last = view.last
        framed: dict[str, RGB] = {}
        if last is not None and last.cell:
            for _, cells, _ in last.claims:
                framed.update(dict.fromkeys(cells, GOLD))
            framed[last.cell] = ACT
        thick = max(3.0, city.w / 30)
        for name, colour in framed.items():
            self._frame(sheet, city, name, colour, thick, "frame")
        for name in _marked(view, moves):
            self._frame(sheet, city, name, OPEN, thick * 1.5, "candidate")

    def _frame(
        self, sheet: Canvas, city: City, name: str, colour: RGB, width: float, kind: str
    ) -> None:
        x, y = city.at(name)
        image = blocks.frame(city.w, city.h, colour, width)
        left, top = round(x - city.w / 2), round(y - city.h / 2)
        sheet.paste(image, left, top, "lt", kind=kind, name=name)

    # ---- players -----------------------------------------------------------------------------

    def _players(self, sheet: Canvas, view: PaperView, names: Sequence[str], top: int) -> None:
        wide = (WIDTH - 2 * MARGIN - 14) // 2
        order = [0, 2, 1, 3] if view.mode == "pairs" else list(range(view.seats))
        for place, seat in enumerate(order):
            column, row = place % 2, place // 2
            x = MARGIN + column * (wide + 14)
            y = top + row * (ROW + 10)
            self._player(sheet, view, seat, names[seat], (x, y, x + wide, y + ROW))
        if view.seats == 3:
            self._legend(sheet, MARGIN + wide + 14, top + ROW + 10, wide)

    def _legend(self, sheet: Canvas, left: int, top: int, wide: int) -> None:
        """What the letters mean, where a fourth player would be."""
        for place, kind in enumerate(KINDS):
            x = left + 20 + place % 2 * (wide // 2)
            y = top + 32 + place // 2 * 56
            sheet.paste(blocks.chip(kind, 44), x, y, "lm")
            sheet.text(x + 56, y, blocks.word_of(kind), 27, INK, anchor="lm", kind="legend")

    def _player(
        self, sheet: Canvas, view: PaperView, seat: Seat, name: str,
        box: tuple[int, int, int, int],
    ) -> None:  # fmt: skip
        """Name, meeples in the city, completed objectives, open tiles."""
        x0, y0, x1, y1 = box
        act = seat == view.to_act
        sheet.panel(box, CARD, 14, ACT if act else HAIR, 5 if act else 2)
        side = view.sides[seat]
        colour = colour_of(view, seat)
        line = y0 + 31
        sheet.paste(sprites.seat_badge(seat, colour, 48), x0 + 8, line, "lm")
        left = x0 + 62
        right = x1 - 14
        done = str(view.completed[side])
        right = sheet.text(right, line, done, 32, INK, bold=True, anchor="rm", kind="panel")[0] - 6
        right = sheet.paste(blocks.stamp(34), right, line, "rm")[0] - 16
        count = f"{view.on_city[side]}/{MEEPLES}"
        right = sheet.text(right, line, count, 34, INK, bold=True, anchor="rm", kind="panel")[0] - 4
        figure = sprites.meeple(colour, 46, side_mark(view, side))
        right = sheet.paste(figure, right, line, "rm")[0] - 10
        if view.ended is not None and _won(view, seat):
            right = sheet.paste(sprites.crown(size=42), right, line, "rm")[0] - 6
        room = max(40, round(right - left))
        sheet.text(
            left, line, name, 29, INK, bold=True, condensed=width_of(name, 29, True) > room,
            anchor="lm", width=room, kind="panel",
        )  # fmt: skip
        y = y0 + 60
        card = 196
        x = float(x0 + 10)
        for tile in view.constructions[seat]:
            self._row_card(sheet, tile, (round(x), y, round(x) + card, y1 - 8))
            x += card + 6
        great = (x1 - 10 - 143, y, x1 - 10, y1 - 8)
        if view.mode == "pairs":
            pill = sprites.pill(f"PAIR {side_mark(view, side)}", INK, 46)
            sheet.paste(pill, (x0 + 10 + card + great[0]) / 2, (y + y1 - 8) / 2, "mm")
        if view.structures[seat]:
            self._great_card(sheet, view.structures[seat][0], great)
        elif view.structure_counts[seat]:
            self._hidden_card(sheet, great)

    def _row_card(self, sheet: Canvas, tile: str, box: tuple[int, int, int, int]) -> None:
        """A Construction: three kinds in a row and its name."""
        sheet.panel(box, PAPER, 9, HAIR, 1.5)
        x = (box[0] + box[2]) / 2 - 62
        for kind in OBJECTIVES[tile].kinds:
            sheet.paste(blocks.chip(kind, 60), x, box[1] + 8, "mt", kind="chip", name=kind)
            x += 62
        _tile_name(sheet, tile, box, 22)

    def _great_card(self, sheet: Canvas, tile: str, box: tuple[int, int, int, int]) -> None:
        """A Great Structure that the viewer may see: four kinds in a diamond and its name."""
        sheet.panel(box, PAPER, 9, SEAL, 2.5)
        w, h = 66, 41
        x, y = (box[0] + box[2]) / 2, box[1] + 44
        for kind, dx, dy in zip(OBJECTIVES[tile].kinds, (0, 0.5, 0, -0.5), (-0.5, 0, 0.5, 0),
                                strict=True):  # fmt: skip
            sheet.paste(blocks.small_diamond(kind, w, h), x + dx * w, y + dy * h, "mm")
        _tile_name(sheet, tile, box, 20)

    def _hidden_card(self, sheet: Canvas, box: tuple[int, int, int, int]) -> None:
        """The back of a Great Structure."""
        sheet.paste(blocks.back(box[2] - box[0], box[3] - box[1]), box[0], box[1], "lt")

    def _solo(self, sheet: Canvas, view: PaperView, top: int, moves: Sequence[Move]) -> None:
        """Revealed objectives, meeples to spend, Blocks out of play."""
        box = (MARGIN, top, WIDTH - MARGIN, top + ROW)
        sheet.panel(box, CARD, 14, HAIR, 2)
        x = box[0] + 12
        sheet.text(x + 2, top + 32, "TO COMPLETE", 22, MUTED, bold=True, condensed=True,
                   anchor="lm")  # fmt: skip
        for tile in view.constructions[0]:
            self._row_card(sheet, tile, (x, top + 54, x + 196, top + ROW - 10))
            x += 202
        for tile in view.structures[0]:
            self._great_card(sheet, tile, (x, top + 54, x + 143, top + ROW - 10))
            x += 149
        right = box[2] - 14
        line = top + 32
        done = f"{view.completed[0]}/12"
        right = sheet.text(right, line, done, 34, INK, bold=True, anchor="rm", kind="panel")[0] - 6
        right = sheet.paste(blocks.stamp(38), right, line, "rm")[0] - 24
        right = sheet.text(right, line, str(view.spare), 34, INK, bold=True, anchor="rm",
                           kind="panel")[0] - 4  # fmt: skip
        sheet.paste(sprites.meeple(colour_of(view, 0), 46, ""), right, line, "rm")
        sheet.text(right - 54, line, "to spend", 24, MUTED, anchor="rm")
        marked = {m.block for m in moves if isinstance(m, SpendMeeple)}
        self._pool(sheet, view, box[2] - 14, top + 86, marked)

    def _pool(self, sheet: Canvas, view: PaperView, right: int, top: int, marked: set[str]) -> None:
        """Solo: Blocks out of play, by kind."""
        x = right - 6 * 66 + 6
        sheet.text(x, top - 4, "OUT OF PLAY", 20, MUTED, bold=True, condensed=True, anchor="ls")
        for kind in KINDS:
            count = view.pool.count(kind)
            image = blocks.chip(kind, 44)
            if kind in marked:
                sheet.panel((x - 5, top - 1, x + 49, top + 53), CARD, 10, ACT, 4)
            if not count:
                image = sprites.ghost(image, 0.3, ("papertown chip", kind))
            sheet.paste(image, x, top + 4, "lt")
            sheet.text(x + 22, top + 71, f"×{count}", 22, INK, bold=True, anchor="ms")
            x += 66

    # ---- hands and palette -------------------------------------------------------------------

    def hand(self, view: PaperView, names: Sequence[str]) -> Image.Image | None:
        """The viewer's Great Structure, large; during a swap also those drawn."""
        if view.viewer is None or view.mode == "solo":
            return None
        own = list(view.structures[view.viewer])
        drawn = list(view.drawn_tiles) if view.phase == "keep_great_structure" else []
        tiles = [(t, "YOURS") for t in own] + [(t, "DRAWN") for t in drawn]
        if not tiles and not view.drawn_blocks:
            return None
        wide = 560
        columns = max(1, len(tiles))
        high = 560 if tiles else 30
        extra = 190 if view.drawn_blocks else 0
        sheet = Canvas(wide * columns + 20, high + extra, PAPER)
        for place, (tile, word) in enumerate(tiles):
            self._large(sheet, tile, word if drawn else "", 10 + place * wide, wide)
        if view.drawn_blocks:
            x = 40.0
            sheet.text(x, high + 84, "Drawn:", 34, INK, bold=True, anchor="lm")
            for place, kind in enumerate(view.drawn_blocks):
                sheet.paste(blocks.block(kind, 180, 152), x + 150 + place * 190, high + 8, "lt")
        return sheet.image

    def _large(self, sheet: Canvas, tile: str, word: str, left: int, wide: int) -> None:
        objective = OBJECTIVES[tile]
        box = (left + 8, 14, left + wide - 8, 546)
        sheet.panel(box, CARD, 20, SEAL, 4)
        middle = (box[0] + box[2]) / 2
        sheet.text(middle, 66, objective.name, 38, INK, bold=True, condensed=True, anchor="mm",
                   width=box[2] - box[0] - 40)  # fmt: skip
        if word:
            sheet.paste(sprites.pill(word, ACT if word == "YOURS" else INK, 34), middle, 106, "mm")
        w, h = 236, 188
        x, y = middle, 320
        for kind, dx, dy in sorted(
            zip(objective.kinds, (0, 0.5, 0, -0.5), (-0.5, 0, 0.5, 0), strict=True),
            key=lambda item: item[2],
        ):
            left_, top = round(x + dx * w - w / 2), round(y + dy * h - h / 2)
            sheet.paste(blocks.block(kind, w, h), left_, top, "lt")

    def sheet(self) -> Image.Image | None:
        """Every kind, tile, meeple and mark at two sizes, for the palette."""
        return blocks.contact_sheet(list(SEATS.values()))


_TURN = {
    "choose": "to act",
    "keep_block": "keeps a Block",
    "place": "places",
    "claim": "claims or ends",
    "keep_constructions": "is swapping",
    "keep_great_structure": "is swapping",
}


def _tile_name(sheet: Canvas, tile: str, box: tuple[int, int, int, int], size: int) -> None:
    """A tile's name at the foot of its card, smaller if it is long."""
    room = box[2] - box[0] - 10
    text = OBJECTIVES[tile].name
    while size > 16 and width_of(text, size, True, True) > room:
        size -= 1
    sheet.text(
        (box[0] + box[2]) / 2, box[3] - 8, text, size, INK, condensed=True, bold=True,
        anchor="ms", width=room, kind="card",
    )  # fmt: skip


def _caption(sheet: Canvas, text: str, x: float, top: int) -> float:
    """A turned label at the left of a group; returns where the group begins."""
    image = blocks.caption(text, SHELF - 14)
    sheet.paste(image, x, top + (SHELF - 4) / 2, "lm")
    return x + image.width + 8


def _marked(view: PaperView, moves: Sequence[Move]) -> dict[str, str]:
    """City cells that some moves name, with a word on each."""
    taken = {c.name for c in view.cells}
    found = {m.cell: "OVER" for m in moves if isinstance(m, Place) and m.cell in taken}
    found.update({m.seal: "TILE" for m in moves if isinstance(m, Claim) and m.seal in taken})
    return found


def _name_size(city: City) -> int:
    """Size of cell names on its diamonds."""
    return max(15, min(28, round(city.w * 0.2), round(city.h * 0.29)))


def _around(x: float, y: float, city: City) -> tuple[int, int, int, int]:
    return (
        round(x - city.w / 2), round(y - city.h / 2), round(x + city.w / 2), round(y + city.h / 2),
    )  # fmt: skip


def _won(view: PaperView, seat: Seat) -> bool:
    """Whether the seat's side won, from what everybody sees."""
    keys = [(n, c) for n, c in zip(view.on_city, view.completed, strict=True)]
    return keys[view.sides[seat]] == max(keys)


def _result(view: PaperView, names: Sequence[str]) -> str:
    if view.mode == "solo":
        return f"{view.completed[0]} of 12 objectives completed"
    won = [names[s] for s in range(view.seats) if _won(view, s)]
    verb = "wins" if len(won) == 1 else "win"
    return f"{listing(won)} {verb}"


PAINTER = PapertownPainter()
