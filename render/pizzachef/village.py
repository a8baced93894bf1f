"""The village: houses, market, open cards, the announced delivery."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from PIL import Image

from engines.pizzachef import moves as m
from engines.pizzachef.components import CARDS, COINS, HOUSES, ORDERS, SLOTS
from engines.pizzachef.views import PizzaView
from render.kit import sprites
from render.kit.canvas import MARGIN, WIDTH, Canvas, mark
from render.kit.palette import ACT, CARD, GOLD, HAIR, INK, MUTED, WHITE, light
from render.kit.sprites import Brush
from render.kit.type import Box, width_of
from render.pizzachef import icons
from render.pizzachef.colours import CHEF, COBBLE, MISSION, OPEN, ORDER, SQUARE, piece
from render.pizzachef.layout import (
    AWNING,
    CHIPS,
    CHIPS_H,
    DELIVERY_H,
    STALL_H,
    STALL_W,
    TOKEN,
    TOP,
    house_box,
    icon_middle,
    slot_middle,
    stall_box,
    village_end,
)

PI_SHORT = {
    "pi_house_3": "house 3", "pi_house_8": "house 8", "pi_big": "5+ toppings",
    "pi_no_ham": "no ham", "pi_basil": "basil", "pi_fantasia": "Fantasia",
}  # fmt: skip
PILE_W = 84
"""Room for a pile of cards."""
LAST_HOUSE = ("delivered", "set_house", "start_delivery")


@cache
def ground(height: int, village: int) -> Image.Image:
    """Paper with the cobbled square down to ``village``."""
    sheet = Canvas(WIDTH, height)

    def paint(b: Brush) -> None:
        w, h = b.width, b.height
        b.rect((0, 0, w, h), SQUARE, 22, HAIR, 2)
        row = 0
        y = 14.0
        while y < h - 14:
            x = 16.0 + (row % 2) * 19
            while x < w - 34:
                b.rect((x, y, x + 32, y + 17), COBBLE, 8)
                x += 39
            y += 25
            row += 1

    square = sprites.sprite((WIDTH - 16, village - TOP + 2), paint, "pz square")
    sheet.paste(square, 8, TOP - 6, "lt")
    return sheet.image


def chips_of(view: PizzaView, who: Sequence[str]) -> list[list[Image.Image]]:
    """Open cards, open orders, armed cards and piles as rows of chips."""
    found: list[Image.Image] = []
    for key in view.pi:
        found.append(_chip(f"+{COINS.pi}  {PI_SHORT[key]}", OPEN))
    for seat, player in enumerate(view.players):
        for order in player.open_orders:
            card = ORDERS[order]
            found.append(
                _order_chip(order, card.toppings, card.house, card.price, seat, view.colours[seat])
            )
    for key in view.armed:
        found.append(_chip(f"{CARDS[key].title} ready", ACT))
    if view.last is not None and view.last.kind == "card" and view.last.card not in view.armed:
        found.append(_chip(f"{CARDS[view.last.card].title} played", CHEF))
    rows: list[list[Image.Image]] = [[]]
    room = WIDTH - 2 * MARGIN - 4 * PILE_W - 12
    used = 0
    for chip in found:
        if used + chip.width > room and rows[-1]:
            rows.append([])
            used, room = 0, WIDTH - 2 * MARGIN
        rows[-1].append(chip)
        used += chip.width + 8
    return rows


def _chip(text: str, colour: tuple[int, int, int]) -> Image.Image:
    return sprites.pill(text, colour, 42)


def _order_chip(
    order: str, kinds: str, house: int, price: int, seat: int, colour: str
) -> Image.Image:
    """An order that lies open, with its owner's badge, toppings, house and price."""
    n = len(kinds)
    w = 60 + n * 34 + 128
    badge = sprites.seat_badge(seat, piece(colour, seat), 40)

    def paint(b: Brush) -> None:
        b.rect((1, 2, w - 1, 46), CARD, 12, ORDER, 3)
        for i, kind in enumerate(kinds):
            icons.TOPPING[kind](b, 62 + i * 34, 24, 15)
        b.text(w - 96, 24, f"→{house}", 24, INK)
        b.circle(w - 34, 24, 19, GOLD, INK, 2)
        b.text(w - 34, 24, str(price), 24, INK)

    made = sprites.sprite((w, 48), paint, ("pz open order", order))
    out = made.copy()
    out.alpha_composite(badge, (3, 4))
    return out


# ---- houses ----------------------------------------------------------------------------------


def houses(sheet: Canvas, view: PizzaView, chips: int) -> None:
    """Ten houses with their icons and markers."""
    last = view.last.house if view.last and view.last.kind in LAST_HOUSE else 0
    chosen = view.delivery.house if view.delivery else 0
    for number in range(1, HOUSES + 1):
        box = house_box(number, chips)
        sheet.panel(box, light(SQUARE, 0.55), 16, HAIR, 2)
        sheet.paste(icons.house(number, (102, 116)), box[0] + 5, (box[1] + box[3]) / 2, "lm")
        markers = view.houses[number - 1]
        for icon, coins in enumerate(COINS.speed):
            x, y = icon_middle(box, icon)
            if icon < len(markers):
                seat = markers[icon]
                art = sprites.seat_badge(seat, piece(view.colours[seat], seat), 56)
                sheet.paste(art, x, y, kind="marker", name=f"{number}/{icon + 1}")
            else:
                sheet.paste(icons.slice_icon(50, coins), x, y, kind="icon", name=f"{number}")
        if number in (last, chosen):
            ring(sheet, box, GOLD if number == chosen else ACT)


def ring(sheet: Canvas, box: Box, colour: tuple[int, int, int], radius: float = 18) -> None:
    """A ring around a box."""
    size = (box[2] - box[0] + 8, box[3] - box[1] + 8)
    sheet.paste(icons.frame(size, radius, colour), box[0] - 4, box[1] - 4, "lt")


# ---- market ----------------------------------------------------------------------------------


def market(sheet: Canvas, view: PizzaView) -> None:
    """Four stalls of three stacks."""
    taken = view.last.slots if view.last is not None else ()
    for stall in range(4):
        x0, y0, _, _ = stall_box(stall)
        sheet.paste(icons.counter((STALL_W, STALL_H - 22)), x0, y0 + 22, "lt")
        sheet.paste(icons.awning(stall, (STALL_W, AWNING + 4)), x0, y0, "lt")
    for place in view.market:
        x, y = slot_middle(place.slot)
        if place.height:
            if place.height > 1:
                back = icons.stack_edge(TOKEN, min(3, place.height - 1))
                sheet.paste(back, x, y + 3)
            art = icons.face(place.face, place.colour, TOKEN)
            sheet.paste(art, x, y, kind="token", name=place.slot)
        else:
            sheet.paste(icons.empty_place(TOKEN), x, y)
        label = y + TOKEN // 2 + 18
        shift = 0 if place.height else 16
        sheet.text(x - 6 + shift, label, place.slot, 25, WHITE, bold=True, condensed=True,
                   anchor="rm", kind="slot", outline=INK, outline_width=2)  # fmt: skip
        if place.height:
            sheet.text(x + 3, label, f"×{place.height}", 21, WHITE, bold=True, anchor="lm",
                       kind="height", outline=INK, outline_width=2)  # fmt: skip
        if place.slot in taken:
            box = (x - TOKEN // 2 - 1, y - TOKEN // 2 - 1, x + TOKEN // 2 + 1, y + TOKEN // 2 + 1)
            ring(sheet, box, ACT, 22)
        if place.reserved is not None:
            seat = place.reserved
            flag = icons.flag(seat, piece(view.colours[seat], seat), 50)
            sheet.paste(flag, x - TOKEN // 2 + 16, y - TOKEN // 2 + 12, kind="flag",
                        name=place.slot)  # fmt: skip


# ---- chips and piles -------------------------------------------------------------------------


def strip(sheet: Canvas, view: PizzaView, rows: Sequence[Sequence[Image.Image]]) -> None:
    """Open cards at the left, piles at the right."""
    for row, chips in enumerate(rows):
        x, y = MARGIN, CHIPS + row * CHIPS_H + CHIPS_H // 2
        for chip in chips:
            x = sheet.paste(chip, x, y, "lm", kind="chip", name="")[2] + 8
        if not chips and row == 0:
            sheet.text(x + 6, y, "No open cards", 24, MUTED, anchor="lm", kind="strip")
    piles = dict(view.piles)
    right = WIDTH - MARGIN
    y = CHIPS + CHIPS_H // 2
    out = sum(n for _, n in view.discard)
    for what, n, colour in (
        ("waste", out, MUTED),
        ("chef", piles["chef"], CHEF),
        ("orders", piles["orders"], ORDER),
        ("missions", piles["missions"], MISSION),
    ):
        art = icons.back(what, n, colour, PILE_W - 6)
        right = sheet.paste(art, right, y, "rm", kind="pile", name=what)[0] - 6


# ---- the announced delivery ------------------------------------------------------------------


def delivery(sheet: Canvas, view: PizzaView, y: int, who: Sequence[str]) -> int:
    """A band with the order, its toppings and what it brings; returns its lower edge."""
    d = view.delivery
    if d is None:
        return y
    card = ORDERS[d.order]
    box = (MARGIN, y, WIDTH - MARGIN, y + DELIVERY_H - 10)
    sheet.panel(box, CARD, 16, GOLD, 5)
    middle = (box[1] + box[3]) // 2
    kinds = card.toppings or "".join((s or k) for k, s in d.tokens if len(s or k) == 1) or "TM"
    sheet.paste(icons.pizza(kinds, 100), box[0] + 12, middle, "lm")
    x = box[0] + 124
    narrow = width_of(card.title, 28, True) > 380
    sheet.text(x, middle - 26, card.title, 28, INK, bold=True, condensed=narrow, anchor="lm",
               width=380, kind="delivery")  # fmt: skip
    where = f"to house {d.house}" if d.house else "no house chosen yet"
    if d.house and d.wrong:
        where += " – wrong, no money"
    sheet.text(x, middle + 22, where, 25, ACT if d.wrong or not d.house else INK, bold=True,
               condensed=True, anchor="lm", width=380, kind="delivery")  # fmt: skip
    x += 392
    size = 56 if len(d.tokens) <= 7 else 44
    for kind, stands in d.tokens:
        art = icons.chip(kind, size)
        if x + art.width > box[2] - 130:
            sheet.text(x + 4, middle, "…", 30, INK, bold=True, anchor="lm", kind="delivery")
            break
        at = sheet.paste(art, x, middle, "lm", kind="on pizza", name=kind)
        if stands:
            sheet.paste(sprites.pill(f"={stands}", INK, 26), (at[0] + at[2]) / 2, middle + 34)
        x = at[2] + 2
    if d.ready:
        sheet.paste(sprites.coin(f"{d.coins}", 84), box[2] - 18, middle, "rm")
    else:
        sheet.paste(sprites.pill("not ready", MUTED, 40), box[2] - 16, middle, "rm")
    return y + DELIVERY_H


# ---- candidate moves -------------------------------------------------------------------------


def candidates(sheet: Canvas, view: PizzaView, moves: Sequence[m.AnyMove], chips: int) -> None:
    """Rings around the places and houses that the moves name."""
    slots: dict[str, None] = {}
    homes: dict[int, None] = {}
    for move in moves:
        match move:
            case m.TakeToppings():
                for p in view.market:
                    free = p.reserved in (None, view.viewer)
                    if p.slot[0] == move.stall and p.colour == move.colour and free:
                        slots[p.slot] = None
            case m.Reserve():
                slots[move.slot] = None
            case m.CardPick():
                if move.slot:
                    slots[move.slot] = None
                if move.stall:
                    for p in view.market:
                        if p.slot[0] == move.stall and p.height and p.reserved in (
                            None, view.viewer
                        ):  # fmt: skip
                            slots[p.slot] = None
            case m.SetHouse():
                homes[move.house] = None
            case m.StartDelivery():
                house = ORDERS[move.order].house if move.order in ORDERS else 0
                if house:
                    homes[house] = None
    for slot in slots:
        if slot in SLOTS:
            x, y = slot_middle(slot)
            half = TOKEN // 2 + 1
            ring(sheet, (x - half, y - half, x + half, y + half), GOLD, 22)
            mark("candidate", slot, (x - half, y - half, x + half, y + half))
    for number in homes:
        if 1 <= number <= HOUSES:
            box = house_box(number, chips)
            ring(sheet, box, GOLD)
            mark("candidate", str(number), box)


__all__ = [
    "candidates", "chips_of", "delivery", "ground", "houses", "market", "ring", "strip",
    "village_end",
]  # fmt: skip
