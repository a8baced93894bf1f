"""The cards in a player's hand."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image

from engines.pizzachef.components import CARDS, CHEF_KEY, MISSIONS, ORDERS
from engines.pizzachef.views import OwnCard, OwnMission, OwnOrder, PizzaView
from render.kit import sprites
from render.kit.canvas import MARGIN, WIDTH, Canvas, mark
from render.kit.palette import ACT, CARD, GOLD, HAIR, INK, MUTED, RGB, WHITE, light
from render.kit.type import Box, width_of, wrap
from render.pizzachef import icons
from render.pizzachef.colours import CHEF, MISSION, OPEN, ORDER

COLUMNS = 4
CARD_W, CARD_H = 280, 200
GAP = 10
TITLE = 54

Draw = Callable[[Canvas, Box], None]


def paint(view: PizzaView) -> Image.Image:
    """Cards to choose from, missions, orders and chef cards, each as a group."""
    groups: list[tuple[str, RGB, list[Draw]]] = []
    if view.my_drawn:
        kind = view.draw_kind or view.phase
        what = "chef cards" if kind == "chef" else kind
        groups.append(
            (f"Choose among these {what}", GOLD, [_drawn(view, c) for c in view.my_drawn])
        )
    if view.my_missions:
        groups.append((f"Missions ({len(view.my_missions)})", MISSION,
                       [_mission(o) for o in view.my_missions]))  # fmt: skip
    if view.my_orders:
        groups.append((f"Orders ({len(view.my_orders)})", ORDER,
                       [_order(o) for o in view.my_orders]))  # fmt: skip
    if view.my_chef:
        groups.append((f"Chef cards ({len(view.my_chef)})", CHEF,
                       [_chef(c, view) for c in view.my_chef]))  # fmt: skip
    if not groups:
        groups.append(("You hold no cards", MUTED, []))
    height = 12
    for _, _, cards in groups:
        height += TITLE + -(-len(cards) // COLUMNS) * (CARD_H + GAP)
    sheet = Canvas(WIDTH, height + 14)
    y = 12
    for title, colour, cards in groups:
        sheet.paste(sprites.pill(title, colour, 42), MARGIN, y + 24, "lm")
        y += TITLE
        for i, draw in enumerate(cards):
            x = MARGIN + (i % COLUMNS) * (CARD_W + GAP)
            top = y + (i // COLUMNS) * (CARD_H + GAP)
            draw(sheet, (x, top, x + CARD_W, top + CARD_H))
        y += -(-len(cards) // COLUMNS) * (CARD_H + GAP)
    return sheet.image


def _blank(sheet: Canvas, box: Box, colour: RGB, head: str, *, chosen: bool = False) -> None:
    """An empty card with a coloured head."""
    sheet.panel(box, CARD, 14, GOLD if chosen else INK, 7 if chosen else 2)
    inset = 6 if chosen else 2
    strip = (box[2] - box[0] - 2 * inset, 38)
    sheet.paste(_head(strip, colour), box[0] + inset, box[1] + inset, "lt")
    size = 23 if width_of(head, 23, True, True) <= CARD_W - 66 else 19
    sheet.text(box[0] + 16, box[1] + 21, head, size, WHITE, bold=True, condensed=True, anchor="lm",
               width=CARD_W - 62, kind="card head")  # fmt: skip
    mark("card", head, box)


def _head(size: tuple[int, int], colour: RGB) -> Image.Image:
    def shape(b: sprites.Brush) -> None:
        b.rect((0, 0, *size), colour, 11)
        b.rect((0, size[1] / 2, *size), colour)

    return sprites.sprite(size, shape, ("pz head", colour))


def _tick(sheet: Canvas, box: Box) -> None:
    sheet.paste(icons.clock(44, True), box[2] - 4, box[1] + 4, "rt")


# ---- kinds of cards --------------------------------------------------------------------------


def _mission(own: OwnMission) -> Draw:
    def draw(sheet: Canvas, box: Box) -> None:
        _mission_card(sheet, box, own.id)
        done = own.have >= own.need
        _progress(sheet, box, own.have, own.need)
        if done:
            _tick(sheet, box)

    return draw


def _mission_card(sheet: Canvas, box: Box, mission: str, *, chosen: bool = False) -> None:
    card = MISSIONS[mission]
    _blank(sheet, box, MISSION, mission, chosen=chosen)
    lines = wrap(card.text, 26, CARD_W - 104, True)
    narrow = len(lines) > 3
    if narrow:
        lines = wrap(card.text, 25, CARD_W - 104, True, True, lines=3)
    for i, line in enumerate(lines):
        sheet.text(box[0] + 16, box[1] + 66 + i * 32, line, 25 if narrow else 26, INK, bold=True,
                   condensed=narrow, anchor="lm", kind="card text")  # fmt: skip
    sheet.paste(sprites.coin(str(card.tip), 68), box[2] - 12, box[1] + 92, "rm")


def _progress(sheet: Canvas, box: Box, have: int, need: int) -> None:
    """A row of dots, full ones for what is done."""
    y = box[3] - 24
    x = box[0] + 26
    for i in range(need):
        sheet.paste(_dot(i < have), x + i * 25, y)
    sheet.text(box[2] - 16, y, f"{have} of {need}", 22, MUTED, bold=True, condensed=True,
               anchor="rm", kind="card text")  # fmt: skip


def _dot(full: bool) -> Image.Image:
    def shape(b: sprites.Brush) -> None:
        b.circle(12, 12, 9, (34, 132, 84) if full else light(HAIR, 0.4), INK, 1.5)

    return sprites.sprite((24, 24), shape, ("pz dot", full))


def _order(own: OwnOrder) -> Draw:
    def draw(sheet: Canvas, box: Box) -> None:
        _order_card(sheet, box, own.id, own.lacking)
        if not own.lacking:
            _tick(sheet, box)
        if own.open:
            sheet.paste(sprites.pill("OPEN", OPEN, 30), box[2] - 52, box[1] + 21, "rm")

    return draw


def _order_card(
    sheet: Canvas, box: Box, order: str, lacking: str | None = None, *, chosen: bool = False
) -> None:
    card = ORDERS[order]
    _blank(sheet, box, ORDER, f"{order}  {card.name}", chosen=chosen)
    kinds = card.toppings or "TM"
    x0, y0 = box[0], box[1]
    sheet.paste(icons.pizza(kinds, 100), x0 + 10, y0 + 92, "lm")
    if card.fantasia:
        sheet.text(x0 + 120, y0 + 72, "any house", 25, INK, bold=True, anchor="lm",
                   kind="card text")  # fmt: skip
        sheet.text(x0 + 120, y0 + 108, "1 coin each", 22, MUTED, bold=True, condensed=True,
                   anchor="lm", kind="card text")  # fmt: skip
    else:
        sheet.paste(icons.house(card.house, (74, 80)), x0 + 118, y0 + 84, "lm")
        sheet.paste(sprites.coin(str(card.price), 64), box[2] - 10, y0 + 82, "rm")
    missing = list(lacking or "")
    shown = list(kinds) + (["+"] if card.fantasia else [])
    marks = []
    for kind in reversed(shown):
        lacks = kind in missing or (kind == "+" and "?" in missing)
        if kind in missing:
            missing.remove(kind)
        marks.append(lacks)
    size = 40
    x = x0 + 10
    for kind, lacks in zip(shown, reversed(marks), strict=True):
        if kind == "+":
            sheet.text(x + 8, box[3] - 30, "+ more", 24, MUTED if lacks else INK, bold=True,
                       condensed=True, anchor="lm", kind="card text")  # fmt: skip
            continue
        show = lacking is not None and lacks
        at = sheet.paste(icons.chip(kind, size, dim=show), x, box[3] - 30, "lm")
        x = at[2] - 2
    if lacking is not None and lacking:
        n = len(lacking)
        sheet.text(box[2] - 12, box[3] - 60, f"{n} missing", 19, ACT, bold=True, condensed=True,
                   anchor="rm", kind="card text")  # fmt: skip


def _chef(own: OwnCard, view: PizzaView) -> Draw:
    def draw(sheet: Canvas, box: Box) -> None:
        drafting = view.my_draft is not None and view.my_draft[0] == own.key
        _chef_card(sheet, box, own.id, chosen=drafting)
        sheet.paste(icons.clock(44, own.ready), box[2] - 4, box[1] + 4, "rt")

    return draw


def _chef_card(sheet: Canvas, box: Box, card_id: str, *, chosen: bool = False) -> None:
    card = CARDS[CHEF_KEY[card_id]]
    colour = OPEN if card.turn == "pi" else CHEF
    _blank(sheet, box, colour, card.title, chosen=chosen)
    for i, line in enumerate(wrap(card.text, 20, CARD_W - 30, lines=5)):
        sheet.text(box[0] + 16, box[1] + 56 + i * 24, line, 20, INK, anchor="lm",
                   kind="card text")  # fmt: skip
    turn = {"any": "any turn", "own": "own turn", "pi": "for everybody"}[card.turn]
    sheet.paste(sprites.pill(turn, colour, 28), box[0] + 12, box[3] - 18, "lm")
    sheet.text(box[2] - 14, box[3] - 18, card_id, 20, MUTED, bold=True, anchor="rm",
               kind="card text")  # fmt: skip


def _drawn(view: PizzaView, card: str) -> Draw:
    """A card to choose; those kept have a golden edge and a tick."""
    kept = card in view.my_kept

    def draw(sheet: Canvas, box: Box) -> None:
        if card in MISSIONS and (view.draw_kind or view.phase) == "missions":
            _mission_card(sheet, box, card, chosen=kept)
        elif card in ORDERS:
            _order_card(sheet, box, card, chosen=kept)
        else:
            _chef_card(sheet, box, card, chosen=kept)
        if kept:
            sheet.paste(icons.clock(52, True), box[2] + 2, box[1] - 2, "rt")

    return draw
