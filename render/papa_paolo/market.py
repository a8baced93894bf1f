"""The middle of the table: market, stairs, coins of two players, and what is on offer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PIL import Image

from engines.core.types import Move
from engines.papa_paolo.components import box
from engines.papa_paolo.moves import (
    Bid,
    BuyInvestment,
    ClaimFacing,
    ClaimLarge,
    PickInvestment,
    PlaceMeeple,
)
from engines.papa_paolo.views import PaoloView
from render.kit import sprites
from render.kit.canvas import Canvas
from render.kit.palette import ACT, CARD, GOLD, HAIR, INK, MUTED, SHADE, dark, light
from render.kit.type import width_of
from render.papa_paolo import pieces
from render.papa_paolo.colours import STEP, seat_hue

GUTTER_X, GUTTER_Y = 154, 108
"""Room for the labels of rows and columns."""

WORDS = {"S": "Sponsor", "B": "Buy", "E": "Express", "P": "Build"}


# ---- the market ------------------------------------------------------------------------------


def market_size(view: PaoloView, cell: int) -> tuple[int, int]:
    """Pixels of the market."""
    return (
        GUTTER_X + len(view.columns) * (cell + 6) + 10,
        GUTTER_Y + len(view.rows) * (cell + 6) + 10,
    )


def market(
    sheet: Canvas, view: PaoloView, left: int, top: int, cell: int, moves: Sequence[Move] = ()
) -> None:
    """Tiles, meeples, actions and tips."""
    wide, high = market_size(view, cell)
    sheet.panel((left, top, left + wide, top + high), CARD, 16)
    step = cell + 6
    for c, letters in enumerate(view.columns):
        x = left + GUTTER_X + c * step + cell / 2
        shift = 24 if view.column_coins[c] else 0
        sheet.text(x - shift, top + 30, f"c{c + 1}", 28, INK, bold=True, anchor="mm",
                   kind="coordinate")  # fmt: skip
        for i, letter in enumerate(letters):
            dx = (i - (len(letters) - 1) / 2) * 46
            sheet.paste(pieces.action_icon(letter, 44), x + dx, top + 80, "mm")
        if view.column_coins[c]:
            coin = pieces.tip(view.column_coins[c], 46)
            sheet.paste(coin, x + 24, top + 30, "mm", kind="tip", name=f"c{c + 1}")
    for r, letters in enumerate(view.rows):
        y = top + GUTTER_Y + r * step + cell / 2
        sheet.text(left + 28, y, f"r{r + 1}", 28, INK, bold=True, anchor="mm", kind="coordinate")
        x = left + 72
        for letter in letters:
            dy = 0 if len(letters) == 1 else -22 if letter == letters[0] else 22
            sheet.paste(pieces.action_icon(letter, 44), x, y + dy, "mm")
        if view.row_coins[r]:
            coin = pieces.tip(view.row_coins[r], 46)
            sheet.paste(coin, left + 122, y, "mm", kind="tip", name=f"r{r + 1}")
    wanted = {m.cell for m in moves if isinstance(m, PlaceMeeple)}
    for index, name in enumerate(view.cells):
        r, c = divmod(index, len(view.columns))
        x, y = left + GUTTER_X + c * step, top + GUTTER_Y + r * step
        tile = view.grid[index]
        if tile is None:
            sheet.paste(pieces.slot(cell), x, y, "lt", kind="cell", name=name)
        else:
            mask = box().tiles[tile].masks[0]
            sheet.paste(pieces.city_tile(tile, mask, 0, cell), x, y, "lt", kind="cell", name=name)
        seat = view.meeples[index]
        if seat >= 0:
            piece = meeple(view, seat, round(cell * 0.66))
            sheet.paste(piece, x + cell / 2, y + cell / 2, "mm", kind="meeple", name=name)
        if name in wanted:
            sheet.paste(pieces.frame(cell, ACT, 4), x, y, "lt", kind="candidate", name=name)
        elif name == view.last_cell:
            sheet.paste(pieces.frame(cell, ACT), x, y, "lt", kind="latest", name=name)


def meeple(view: PaoloView, seat: int, size: int) -> Image.Image:
    """A player's meeple with the seat's number."""
    return sprites.meeple(seat_hue(view.colours[seat], seat), size, str(seat + 1))


# ---- the stairs ------------------------------------------------------------------------------

STAIR_ROW, CARD_HIGH = 48, 104
STAIR_LEFT = 62


def stairs_size(view: PaoloView) -> tuple[int, int]:
    """Pixels of the stairs."""
    return 580, CARD_HIGH + 30 + len(view.prices) * STAIR_ROW + 44


def stairs(sheet: Canvas, view: PaoloView, left: int, top: int, moves: Sequence[Move] = ()) -> None:
    """Prices, delivery tiles and bids; the steps rise towards the piazza."""
    wide, high = stairs_size(view)
    sheet.panel((left, top, left + wide, top + high), CARD, 16)
    count = len(view.deliveries)
    column = (wide - STAIR_LEFT - 14) // 4
    wanted = {(m.column, m.row) for m in moves if isinstance(m, Bid)}
    base = top + CARD_HIGH + 22
    rows = len(view.prices)
    for row in range(rows, 0, -1):
        y = base + (rows - row) * STAIR_ROW
        shade = light(STEP, 0.1 * (row - 1))
        x_end = left + STAIR_LEFT + count * column
        sheet.fill((left + STAIR_LEFT - 6, y, x_end, y + STAIR_ROW - 3), shade)
        sheet.fill(
            (left + STAIR_LEFT - 6, y + STAIR_ROW - 6, x_end, y + STAIR_ROW - 3), dark(STEP, 0.28)
        )
        sheet.text(left + 32, y + 22, f"r{row}", 24, MUTED, bold=True, anchor="mm",
                   kind="coordinate")  # fmt: skip
    for c in range(1, count + 1):
        x = left + STAIR_LEFT + (c - 1) * column
        middle = x + column / 2 - 3
        sheet.text(middle, base + rows * STAIR_ROW + 16, f"c{c}", 26, INK, bold=True, anchor="mm",
                   kind="coordinate")  # fmt: skip
        sheet.paste(pieces.delivery_card(view.deliveries[c - 1], CARD_HIGH - 8), middle,
                    top + 12, "mt", kind="delivery", name=view.deliveries[c - 1])  # fmt: skip
        for row in range(1, rows + 1):
            y = base + (rows - row) * STAIR_ROW + 21
            here = [s for s, at in enumerate(view.bids) if at == (c, row)]
            price = view.prices[row - 1][c - 1]
            if (c, row) in wanted:
                tag = sprites.pill(f"£{price}", ACT, 40, halo=1)
                sheet.paste(tag, middle, y, "mm", kind="candidate", name=f"c{c}r{row}")
            elif not here:
                sheet.text(middle, y, f"£{price}", 26, dark(STEP, 0.62), bold=True, anchor="mm",
                           kind="price")  # fmt: skip
            else:
                seat = here[0]
                sheet.text(middle - 30, y, f"£{price}", 28, INK, bold=True, anchor="mm",
                           kind="price")  # fmt: skip
                piece = meeple(view, seat, 54)
                box_ = sheet.paste(piece, middle + 30, y - 4, "mm", kind="bid", name=f"c{c}r{row}")
                if seat == view.last_bidder:
                    ring = sprites.ring(ACT, 62, 4)
                    sheet.paste(ring, (box_[0] + box_[2]) / 2, (box_[1] + box_[3]) / 2, "mm")


# ---- coins of two players --------------------------------------------------------------------


def coins_size() -> tuple[int, int]:
    """Pixels of the coin bidding."""
    return 580, 330


def coins(sheet: Canvas, view: PaoloView, left: int, top: int) -> None:
    """Sealed coins, then totals, and the delivery tiles that wait for them."""
    wide, high = coins_size()
    sheet.panel((left, top, left + wide, top + high), CARD, 16)
    title = "Bids" if view.totals else "Sealed bids"
    sheet.text(left + 24, top + 32, title, 26, MUTED, bold=True, anchor="lm")
    for number, name in enumerate(view.deliveries):
        card = pieces.delivery_card(name, 104)
        sheet.paste(
            card, left + wide - 240 + number * 118, top + 16, "lt", kind="delivery", name=name
        )
    words = "lower    higher"
    sheet.text(left + wide - 128, top + 140, words, 22, MUTED, anchor="mm")
    for place, seat in enumerate(view.order):
        y = top + 190 + place * 76
        hue = seat_hue(view.colours[seat], seat)
        sheet.paste(sprites.seat_badge(seat, hue, 56), left + 46, y, "mm")
        if view.totals:
            sheet.text(left + 92, y, f"£{view.totals[seat]}", 44, INK, bold=True, anchor="lm")
            tile = view.areas[seat].delivery
            if tile:
                sheet.paste(pieces.delivery_pill(tile, 46), left + 200, y, "lm")
            continue
        count = view.coin_counts[seat]
        mine = view.my_coins if view.viewer == seat else ()
        gap = min(56, 440 / max(1, count))
        for i in range(count):
            coin = pieces.tip(mine[i], 54) if i < len(mine) else pieces.sealed_coin(54)
            sheet.paste(coin, left + 112 + i * gap, y, "mm", kind="coin", name=f"{seat}")
        if not count:
            sheet.text(left + 92, y, "no coin yet", 24, MUTED, anchor="lm")


# ---- what is on offer ------------------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    """A titled group of things: its width, and how to draw it at a corner."""

    title: str
    width: int
    draw: Callable[[Canvas, int, int], None]


BLOCK_HIGH = 106


Things = list[tuple[Image.Image, str, str]]
"""Sprites with what they are and their names."""


def _row(images: Things, gap: int) -> tuple[int, Callable[[Canvas, int, int], None]]:
    width = sum(i.width for i, _, _ in images) + gap * max(0, len(images) - 1)

    def draw(sheet: Canvas, x: int, y: int) -> None:
        for image, kind, name in images:
            sheet.paste(image, x, y, "lm", kind=kind, name=name)
            x += image.width + gap

    return width, draw


def blocks(view: PaoloView, moves: Sequence[Move] = ()) -> list[Block]:
    """Order of play, delivery tiles, pizzerias, investments."""
    found: list[Block] = []

    def add(title: str, images: Things, gap: int = 8) -> None:
        if images:
            width, draw = _row(images, gap)
            found.append(Block(title, width, draw))

    def badges(seats: Sequence[int]) -> Things:
        hues = [seat_hue(view.colours[s], s) for s in seats]
        return [
            (sprites.seat_badge(s, hue, 50), "order", str(s))
            for s, hue in zip(seats, hues, strict=True)
        ]

    add("Order of play", badges(view.order), 4)
    if view.spots:
        add("Next round", badges(view.spots), 4)
    on_stairs = view.letter == "C"
    if not on_stairs and view.phase in ("placing", "tipping"):
        cards = [(pieces.delivery_card(d, 68), "delivery", d) for d in view.deliveries]
        add("Delivery tiles", cards)
    if view.coming:
        add("Coming", [(pieces.delivery_card(d, 70), "coming", d) for d in view.coming])
    if view.phase == "placing":
        add(
            "Pizzerias left",
            [
                (sprites.pill(f"{n}×£{cost}", GOLD if n else SHADE, 44), "reserve", str(cost))
                for cost, n in view.reserve
            ],
            6,
        )
    wanted = {
        m.colour
        for m in moves
        if isinstance(m, (PickInvestment, BuyInvestment, ClaimFacing, ClaimLarge))
    }
    if view.seats == 2 and view.letter == "D" and view.large is not None:
        colour, way = view.large
        sides = (colour, *box().large[colour, way])
        tiles = [(pieces.investment(c, 64), "investment", c) for c in sides]
        add(f"Large tile, turned {way}", tiles, 12)
    elif view.seats == 2 and view.phase == "claiming":
        circle = ("gold", "red", "green", "blue")
        add("Large tile", [(pieces.investment(c, 64), "investment", c) for c in circle])
    elif view.investments and view.seats > 2:
        sizes = {c: 72 if c in wanted else 62 for c in view.investments}
        tiles = [(pieces.investment(c, high), "investment", c) for c, high in sizes.items()]
        add("Investments", tiles)
    bidders = [s for s in view.order if view.bids[s][0]]
    if on_stairs and bidders:
        shown: Things = []
        for s in bidders:
            column, row = view.bids[s]
            over = any(c == column and r > row for c, r in view.bids)
            pounds = f"£{view.prices[row - 1][column - 1]}"
            tag = sprites.pill(pounds, SHADE if over else GOLD, 44)
            shown += [*badges([s]), (tag, "price", str(s))]
        add("Bids; grey is outbid", shown, 6)
    if view.phase == "placing":
        names = [pieces.action_word(letter, word) for letter, word in WORDS.items()]
        add("Actions of rows and columns", [(i, "action", "") for i in names], 10)
    if view.withdrawn and on_stairs:
        add("Stay out", badges(view.withdrawn), 4)
    return found


def flow(
    sheet: Canvas, found: Sequence[Block], left: int, top: int, wide: int, *, measure: bool = False
) -> int:
    """Lay blocks out in lines; returns the height used."""
    x, y, pad = left + 20, top + 8, 24
    for block in found:
        width = max(block.width, width_of(block.title, 23, True, True))
        if x + width > left + wide - 12 and x > left + 20:
            x, y = left + 20, y + BLOCK_HIGH + 14
        if not measure:
            sheet.text(x, y + 18, block.title, 23, MUTED, bold=True, condensed=True, anchor="lm",
                       kind="block")  # fmt: skip
            block.draw(sheet, x, y + 74)
        x += width + pad
    return y + BLOCK_HIGH + 14 - top


def info(
    sheet: Canvas, view: PaoloView, box_: tuple[int, int, int, int], moves: Sequence[Move] = ()
) -> None:
    """The blocks on a card."""
    sheet.panel(box_, CARD, 16, HAIR)
    flow(sheet, blocks(view, moves), box_[0], box_[1] + 4, box_[2] - box_[0])
