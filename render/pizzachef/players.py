"""What everybody has in public."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from engines.core.types import Seat
from engines.pizzachef.components import MARKERS, ORDERS, TYPE_RANK
from engines.pizzachef.state import SPENT, UNUSED
from engines.pizzachef.views import PizzaView, Player
from render.kit import sprites
from render.kit.canvas import MARGIN, WIDTH, Canvas
from render.kit.palette import ACT, CARD, HAIR, INK, MUTED, RGB
from render.kit.sprites import Brush
from render.kit.type import width_of
from render.pizzachef import icons
from render.pizzachef.colours import CHEF, MISSION, ORDER, piece
from render.pizzachef.layout import CHIP, FOCUS_H, PLAYER_H

TOKENS_X = 590
"""Where a player's toppings begin."""


def rows_height(view: PizzaView, focus: Seat | None) -> int:
    """Height of all players' rows."""
    extra = FOCUS_H if focus is not None and 0 <= focus < view.seats else 0
    return view.seats * PLAYER_H + extra


def rows(sheet: Canvas, view: PizzaView, y: int, who: Sequence[str], focus: Seat | None) -> None:
    """A row for each player."""
    for seat in range(view.seats):
        high = PLAYER_H + (FOCUS_H if seat == focus else 0)
        _row(sheet, view, seat, y, high - 10, who[seat])
        if seat == focus:
            _large_pizzas(sheet, view.players[seat], y + PLAYER_H - 10)
        y += high


def winners(view: PizzaView) -> tuple[Seat, ...]:
    """Who has won a finished match."""
    if not view.finals or (view.solo and view.ended != "solo_won"):
        return ()
    best = max(f.total for f in view.finals)
    return tuple(seat for seat, f in enumerate(view.finals) if f.total == best)


def _row(sheet: Canvas, view: PizzaView, seat: Seat, y: int, high: int, name: str) -> None:
    p = view.players[seat]
    colour = piece(view.colours[seat], seat)
    act = seat in view.waiting
    x0, x1 = MARGIN, WIDTH - MARGIN
    sheet.panel((x0, y, x1, y + high), CARD, 14, ACT if act else HAIR, 5 if act else 2)
    upper, lower = y + 32, y + 84
    sheet.paste(sprites.seat_badge(seat, colour, 58), x0 + 10, y + 57, "lm")
    left = x0 + 76
    narrow = width_of(name, 28, True) > 200
    sheet.text(left, upper, name, 28, INK, bold=True, condensed=narrow, anchor="lm", width=200,
               kind="panel")  # fmt: skip
    if seat in winners(view):
        sheet.paste(sprites.crown(size=44), left + 186, upper)
    total = view.finals[seat].total if view.finals else p.score
    sheet.paste(sprites.coin("", 40), x0 + 344, upper, "rm")
    sheet.text(x0 + 350, upper, str(total), 38, INK, bold=True, anchor="lm", kind="score")
    x = x0 + 424
    for n, fill, what in (
        (p.missions, MISSION, "missions"), (p.orders, ORDER, "orders"), (p.chef, CHEF, "chef"),
    ):  # fmt: skip
        sheet.paste(icons.back(what, n, fill, 44, 54), x, upper + 4, "lm", kind="cards", name=what)
        x += 48
    x = left
    for i in range(MARKERS):
        middle = x + 22
        if i < len(p.delivered):
            d = p.delivered[i]
            sheet.paste(icons.pizza(d.kinds, 46), middle, lower, kind="pizza", name=d.order)
        else:
            sheet.paste(_hollow(colour, seat), middle, lower)
        x += 47
    if not view.solo and p.marker != SPENT:
        faded = p.marker != UNUSED
        art = icons.flag(seat, colour, 44)
        if faded:
            art = sprites.ghost(art, 0.3, ("pz flag", seat, colour))
        sheet.paste(art, x + 34, lower + 5, kind="flag", name=str(seat))
    if view.finals:
        _reckoning(sheet, view, seat, y)
    else:
        _tokens(sheet, p.tokens, y)
    if act:
        sheet.paste(sprites.pill("TO ACT", ACT, 26, halo=0, outline=0), x1 - 18, y + 1, "rm")


def _hollow(colour: RGB, seat: Seat) -> Image.Image:
    """A pizza marker not placed yet."""

    def paint(b: Brush) -> None:
        b.circle(20, 20, 16, None, (196, 186, 165), 2.5)
        b.circle(20, 20, 9, colour, (150, 140, 120), 1.5)

    return sprites.sprite((40, 40), paint, ("pz hollow", colour, seat))


def _tokens(sheet: Canvas, tokens: Sequence[str], y: int) -> None:
    kinds = sorted(dict.fromkeys(tokens), key=TYPE_RANK.__getitem__)
    if not kinds:
        sheet.text(TOKENS_X, y + 57, "no toppings", 24, MUTED, anchor="lm", kind="tokens")
        return
    width = WIDTH - MARGIN - 12 - TOKENS_X
    size = CHIP
    lines = _flow(kinds, size, width)
    if len(lines) == 1:
        size = 62
        lines = _flow(kinds, size, width)
        if len(lines) > 1:
            size = CHIP
            lines = _flow(kinds, size, width)
    while len(lines) > 2:
        size -= 4
        lines = _flow(kinds, size, width)
    for row, line in enumerate(lines):
        middle = y + 57 if len(lines) == 1 else y + 32 + row * 51
        x = TOKENS_X
        for kind in line:
            n = tokens.count(kind)
            at = sheet.paste(icons.chip(kind, size), x, middle, "lm", kind="token", name=kind)
            if n > 1:
                sheet.paste(icons.count(n, 26 if size > 50 else 23), at[2] + 3, at[3] + 2, "rb")
            x = at[2] + 2


def _flow(kinds: Sequence[str], size: int, width: int) -> list[list[str]]:
    lines: list[list[str]] = [[]]
    used = 0
    for kind in kinds:
        wide = (round(size * 1.62) if kind.startswith("double") else size) + 2
        if used + wide > width and lines[-1]:
            lines.append([])
            used = 0
        lines[-1].append(kind)
        used += wide
    return lines


def _reckoning(sheet: Canvas, view: PizzaView, seat: Seat, y: int) -> None:
    """The final score line by line."""
    parts = [(label, n) for label, n in view.finals[seat].lines if n]
    for i, (label, n) in enumerate(parts[:6]):
        x = TOKENS_X + (i % 2) * 292
        middle = y + 24 + (i // 2) * 34
        box = sheet.text(x, middle, f"{n:+}", 24, ACT if n < 0 else INK, bold=True, anchor="lm",
                         kind="final")  # fmt: skip
        sheet.text(max(box[2] + 8, x + 58), middle, _short(label), 21, MUTED, bold=True,
                   condensed=True, anchor="lm", width=226, kind="final")  # fmt: skip


def _short(label: str) -> str:
    """A line of the reckoning in fewer words."""
    for long, brief in (
        ("Missions completed", "Missions done"),
        ("Orders not delivered", "Orders missed"),
        ("Toppings left over", "Toppings left"),
    ):
        label = label.replace(long, brief)
    return label


def _large_pizzas(sheet: Canvas, p: Player, y: int) -> None:
    """The delivered pizzas of the player in focus with house and coins."""
    if not p.delivered:
        sheet.text(MARGIN + 76, y + 50, "No pizza delivered yet", 24, MUTED, anchor="lm",
                   kind="focus")  # fmt: skip
    for i, d in enumerate(p.delivered):
        x = MARGIN + 14 + i * 142
        sheet.paste(icons.pizza(d.kinds, 96), x, y + 50, "lm")
        sheet.paste(sprites.pill(f"→{d.house}", INK, 30), x + 100, y + 24, "lm")
        text = f"+{d.coins}"
        sheet.text(x + 100, y + 62, text, 22, ACT if d.wrong else INK, bold=True, condensed=True,
                   anchor="lm", kind="focus")  # fmt: skip
        sheet.text(x + 48, y + 110, ORDERS[d.order].name, 18, MUTED, bold=True, condensed=True,
                   anchor="mm", width=136, kind="focus")  # fmt: skip
