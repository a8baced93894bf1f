"""Toppings, bags, pizzas, houses and stalls, drawn once and kept."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

from PIL import Image

from render.kit import sprites
from render.kit.palette import ACT, GOLD, INK, RGB, WHITE, dark, ink_on, light
from render.kit.sprites import Brush, Point, polygon_points
from render.pizzachef.colours import (
    AWNINGS,
    BACK,
    BAG,
    BAG_DARK,
    CHEESE,
    CREAM,
    CRUST,
    ROOF,
    SAUCE,
    WALLS,
    WOOD,
    WOOD_DARK,
)

Draw = Callable[[Brush, float, float, float], None]


def _spot(x: float, y: float, r: float) -> Callable[[float, float], Point]:
    """From a unit circle around (x, y) to pixels."""
    return lambda u, v: (x + u * r, y + v * r)


# ---- the eight toppings ----------------------------------------------------------------------


def _tomato(b: Brush, x: float, y: float, r: float) -> None:
    at = _spot(x, y, r)
    red, line = (214, 52, 40), max(1.2, r * 0.09)
    b.circle(x, y + r * 0.08, r * 0.88, INK)
    b.circle(x, y + r * 0.08, r * 0.88 - line, red)
    b.ellipse((*at(-0.58, -0.34), *at(-0.2, -0.02)), light(red, 0.62))
    leaf = (44, 128, 62)
    for turn in range(5):
        angle = -pi / 2 + (turn - 2) * 0.72
        tip = at(0.62 * cos(angle), -0.62 + 0.5 * sin(angle) + 0.5)
        b.line([at(0, -0.62), tip], INK, r * 0.3)
    for turn in range(5):
        angle = -pi / 2 + (turn - 2) * 0.72
        tip = at(0.58 * cos(angle), -0.62 + 0.46 * sin(angle) + 0.48)
        b.line([at(0, -0.62), tip], leaf, r * 0.17)
    b.line([at(0, -0.62), at(0.08, -0.96)], INK, r * 0.24)
    b.line([at(0, -0.62), at(0.07, -0.92)], leaf, r * 0.13)


def _mozzarella(b: Brush, x: float, y: float, r: float) -> None:
    at = _spot(x, y, r)
    line = max(1.2, r * 0.09)
    b.circle(x - r * 0.12, y - r * 0.06, r * 0.8, INK)
    b.circle(x - r * 0.12, y - r * 0.06, r * 0.8 - line, WHITE)
    b.arc((*at(-0.78, -0.72), *at(0.5, 0.58)), 20, 100, (206, 214, 226), r * 0.14)
    for dx, dy in ((0.3, 0.42), (0.56, 0.2)):
        b.ellipse((*at(dx - 0.36, dy - 0.36), *at(dx + 0.36, dy + 0.36)), INK)
        b.ellipse(
            (x + (dx - 0.36) * r + line, y + (dy - 0.36) * r + line,
             x + (dx + 0.36) * r - line, y + (dy + 0.36) * r - line), (238, 243, 250),
        )  # fmt: skip


def _ham(b: Brush, x: float, y: float, r: float) -> None:
    at = _spot(x, y, r)
    pink, fat = (236, 130, 138), (255, 232, 226)
    shape = [
        (-0.86, -0.1), (-0.62, -0.62), (-0.1, -0.84), (0.5, -0.72), (0.88, -0.24), (0.8, 0.34),
        (0.36, 0.62), (-0.06, 0.86), (-0.62, 0.66),
    ]  # fmt: skip
    b.polygon([at(u, v) for u, v in shape], INK, INK, r * 0.24)
    b.polygon([at(u, v) for u, v in shape], fat, fat, r * 0.06)
    b.polygon([at(u * 0.78, v * 0.78) for u, v in shape], pink, pink, r * 0.1)
    b.circle(*at(0.18, -0.16), r * 0.25, WHITE, (196, 84, 96), r * 0.08)
    b.line([at(-0.5, 0.02), at(-0.22, 0.4)], light(pink, 0.5), r * 0.11)
    b.line([at(-0.16, 0.22), at(0.06, 0.5)], light(pink, 0.5), r * 0.11)


def _pepper(b: Brush, x: float, y: float, r: float) -> None:
    at = _spot(x, y, r)
    skin, stem = (238, 168, 30), (56, 124, 52)
    body = [
        (-0.74, -0.34), (-0.6, -0.58), (-0.3, -0.64), (0, -0.52), (0.3, -0.64), (0.6, -0.58),
        (0.74, -0.34), (0.72, 0.1), (0.56, 0.62), (0.36, 0.9), (0.12, 0.78), (0, 0.86),
        (-0.12, 0.78), (-0.36, 0.9), (-0.56, 0.62), (-0.72, 0.1),
    ]  # fmt: skip
    b.polygon([at(u, v) for u, v in body], INK, INK, r * 0.26)
    b.polygon([at(u, v) for u, v in body], skin, skin, r * 0.08)
    crease = dark(skin, 0.4)
    b.line([at(-0.2, -0.42), at(-0.3, 0.1), at(-0.14, 0.66)], crease, r * 0.08)
    b.line([at(0.2, -0.42), at(0.3, 0.1), at(0.14, 0.66)], crease, r * 0.08)
    b.line([at(-0.55, -0.22), at(-0.54, 0.16)], light(skin, 0.7), r * 0.14)
    b.line([at(0, -0.5), at(0.02, -0.8), at(0.26, -0.96)], INK, r * 0.34)
    b.line([at(-0.2, -0.5), at(0.2, -0.5)], INK, r * 0.3)
    b.line([at(0, -0.5), at(0.02, -0.8), at(0.26, -0.96)], stem, r * 0.19)
    b.line([at(-0.2, -0.5), at(0.2, -0.5)], stem, r * 0.16)


def _mushroom(b: Brush, x: float, y: float, r: float) -> None:
    at = _spot(x, y, r)
    cap, flesh = (164, 112, 72), (250, 236, 212)
    b.rect((*at(-0.34, -0.1), *at(0.34, 0.94)), INK, r * 0.26)
    b.rect((*at(-0.24, -0.1), *at(0.24, 0.84)), flesh, r * 0.18)
    dome = [(0.94 * cos(pi + i * pi / 16), 0.92 * sin(pi + i * pi / 16) + 0.1) for i in range(17)]
    b.polygon([at(u, v) for u, v in dome], INK, INK, r * 0.2)
    b.polygon([at(u * 0.93, v * 0.93) for u, v in dome], cap, cap, r * 0.08)
    b.line([at(-0.7, 0.06), at(0.7, 0.06)], flesh, r * 0.16)
    b.ellipse((*at(-0.5, -0.5), *at(-0.14, -0.24)), light(cap, 0.5))
    b.circle(*at(0.3, -0.34), r * 0.1, light(cap, 0.5))


def _olive(b: Brush, x: float, y: float, r: float) -> None:
    at = _spot(x, y, r)
    skin = (70, 62, 92)
    for u, v, k in ((0.3, -0.34, 0.54), (-0.28, 0.28, 0.64)):
        cx, cy = at(u, v)
        b.circle(cx, cy, k * r, INK)
        b.circle(cx, cy, k * r - max(1.0, r * 0.08), skin)
        b.circle(cx, cy, k * r * 0.44, INK)
        b.circle(cx, cy, k * r * 0.36, (222, 62, 44))
        b.arc((cx - k * r * 0.72, cy - k * r * 0.72, cx + k * r * 0.72, cy + k * r * 0.72),
              190, 260, light(skin, 0.6), r * 0.1)  # fmt: skip


def _parmesan(b: Brush, x: float, y: float, r: float) -> None:
    at = _spot(x, y, r)
    face, rind, top = (250, 204, 70), (210, 142, 40), (255, 228, 132)
    outline = [(-0.92, 0.14), (0.5, -0.78), (0.92, -0.34), (0.92, 0.46), (-0.92, 0.78)]
    b.polygon([at(u, v) for u, v in outline], INK, INK, r * 0.2)
    b.polygon([at(-0.9, 0.14), at(0.5, -0.76), at(0.9, -0.32)], top)
    b.polygon([at(-0.9, 0.14), at(0.9, -0.32), at(0.9, 0.44), at(-0.9, 0.76)], face)
    b.polygon([at(0.5, -0.76), at(0.9, -0.32), at(0.9, -0.12), at(0.68, -0.5)], rind)
    b.line([at(-0.9, 0.14), at(0.9, -0.32)], rind, r * 0.06)
    for u, v, k in ((-0.5, 0.42, 0.12), (0.04, 0.34, 0.15), (0.54, 0.12, 0.12), (0.5, -0.48, 0.07)):
        b.circle(*at(u, v), k * r, rind)


def _leaf(b: Brush, base: Point, tip: Point, width: float, fill: RGB, line: float) -> None:
    (x0, y0), (x1, y1) = base, tip
    dx, dy = x1 - x0, y1 - y0
    n = 12

    def side(sign: float, grow: float) -> list[Point]:
        points = []
        for i in range(n + 1):
            t = i / n
            w = sign * (width * sin(pi * t**0.8) + grow)
            points.append((x0 + dx * t - dy * w, y0 + dy * t + dx * w))
        return points

    length = (dx * dx + dy * dy) ** 0.5
    grow = line / length
    b.polygon(side(1, grow) + side(-1, grow)[::-1], INK, INK, line)
    b.polygon(side(1, 0) + side(-1, 0)[::-1], fill)
    b.line([base, (x0 + dx * 0.82, y0 + dy * 0.82)], light(fill, 0.55), line * 0.8)


def _basil(b: Brush, x: float, y: float, r: float) -> None:
    at = _spot(x, y, r)
    line = max(1.0, r * 0.08)
    green = (66, 152, 60)
    _leaf(b, at(0, 0.72), at(-0.92, -0.12), 0.34, dark(green, 0.18), line)
    _leaf(b, at(0, 0.72), at(0.92, -0.12), 0.34, dark(green, 0.18), line)
    _leaf(b, at(0, 0.86), at(0, -0.92), 0.3, green, line)


TOPPING: dict[str, Draw] = {
    "T": _tomato, "M": _mozzarella, "H": _ham, "P": _pepper, "F": _mushroom, "O": _olive,
    "G": _parmesan, "B": _basil,
}  # fmt: skip


def _bag(b: Brush, x: float, y: float, r: float) -> None:
    at = _spot(x, y, r)
    top = [(-0.66, -0.86), (-0.44, -0.72), (-0.22, -0.88), (0, -0.72), (0.22, -0.88), (0.44, -0.72),
           (0.66, -0.86)]  # fmt: skip
    shape = [*top, (0.72, 0.9), (-0.72, 0.9)]
    b.polygon([at(u, v) for u, v in shape], INK, INK, r * 0.2)
    b.polygon([at(u, v) for u, v in shape], BAG)
    b.polygon([at(u, v) for u, v in ((0.3, -0.7), (0.66, -0.84), (0.72, 0.9), (0.3, 0.9))],
              BAG_DARK)  # fmt: skip
    b.line([at(-0.66, -0.48), at(0.66, -0.48)], BAG_DARK, r * 0.07)
    b.text(x - r * 0.1, y + r * 0.2, "?", r * 1.02, INK)


# ---- tokens ----------------------------------------------------------------------------------


def _letter(b: Brush, size: float, text: str) -> None:
    """A code in a light tab at the lower right."""
    side = size * 0.32
    x1, y1 = size - 3, size - 3
    b.rect((x1 - side * (1 + 0.42 * (len(text) - 1)), y1 - side, x1, y1), INK, side * 0.3)
    b.text(x1 - side * (1 + 0.42 * (len(text) - 1)) / 2, y1 - side / 2, text, side * 0.78, WHITE)


def face(kind: str, colour: str, size: int, *, glow: bool = False) -> Image.Image:
    """A token on the market: round on red, square on green; ``bag`` for an unopened bag."""
    back = BACK[colour]
    m = size / 2

    def shape(b: Brush) -> None:
        if colour == "red":
            b.circle(m, m, m - 5, 255)
        else:
            b.rect((6, 6, size - 6, size - 6), 255, size * 0.14)

    def details(b: Brush) -> None:
        if colour == "red":
            b.circle(m, m, m - 12, CREAM)
        else:
            b.rect((14, 14, size - 14, size - 14), CREAM, size * 0.1)
        if kind == "bag":
            _bag(b, m, m, m * 0.56)
        else:
            TOPPING[kind](b, m, m - 1, m * 0.6)
            _letter(b, size, kind)

    return sprites.figure(
        (size, size), shape, back, ("pz face", kind, colour), details=details,
        halo=3, glow=ACT if glow else WHITE,
    )  # fmt: skip


def chip(kind: str, size: int, *, dim: bool = False) -> Image.Image:
    """A token before a player, by type: plain, choice, double, premium or rotten."""
    head, _, tail = kind.partition(":")
    m = size / 2
    ground = {"choice": (255, 236, 170), "premium": (255, 224, 120)}.get(head, CREAM)
    if head == "rotten":
        ground = (196, 204, 168)
    w = round(size * 1.62) if head == "double" else size

    def shape(b: Brush) -> None:
        b.rect((4, 4, w - 4, size - 4), 255, size * 0.24)

    def details(b: Brush) -> None:
        r = m * 0.6
        if head == "choice":
            for i in range(6):
                hue = ((214, 52, 40), (240, 152, 26), (250, 204, 70), (66, 152, 60), (70, 98, 160),
                       (164, 84, 168))[i]  # fmt: skip
                a = i * pi / 3
                b.circle(m + cos(a) * r * 0.72, m + sin(a) * r * 0.72, r * 0.32, hue, INK, 1)
            b.text(m, m, "?", size * 0.42, INK)
        elif head == "double":
            TOPPING[tail[0]](b, m * 0.98, m, r * 0.92)
            TOPPING[tail[1]](b, w - m * 0.98, m, r * 0.92)
            b.circle(w / 2, m, size * 0.17, INK)
            b.text(w / 2, m, "+", size * 0.3, WHITE)
        elif head == "premium":
            TOPPING[tail](b, m, m + 1, r)
            star = polygon_points(size * 0.76, size * 0.26, size * 0.19, 5)
            inner = polygon_points(size * 0.76, size * 0.26, size * 0.09, 5, 36)
            pts = [p for pair in zip(star, inner, strict=True) for p in pair]
            b.polygon(pts, GOLD, INK, 1.2)
        elif head == "rotten":
            TOPPING[tail](b, m, m, r)
            b.line([(size * 0.2, size * 0.8), (size * 0.8, size * 0.2)], WHITE, size * 0.13)
            b.line([(size * 0.2, size * 0.8), (size * 0.8, size * 0.2)], ACT, size * 0.075)
            b.circle(size * 0.76, size * 0.74, size * 0.17, ACT, INK, 1.2)
            b.text(size * 0.76, size * 0.74, "!", size * 0.26, WHITE)
        else:
            TOPPING[head](b, m, m, r * 1.06)

    made = sprites.figure((w, size), shape, ground, ("pz chip", kind), details=details, outline=1.5)
    return sprites.ghost(made, 0.34, ("pz chip", kind, size)) if dim else made


def count(n: int, height: int = 26) -> Image.Image:
    """How many of something."""
    return sprites.pill(f"×{n}", INK, height, halo=1.5, outline=0)


# ---- pizzas, houses, stalls ------------------------------------------------------------------


def pizza(kinds: str, size: int) -> Image.Image:
    """A pizza with its toppings around the middle."""

    def shape(b: Brush) -> None:
        b.circle(size / 2, size / 2, size / 2 - 4, 255)

    def details(b: Brush) -> None:
        m = size / 2
        r = m - 4
        b.circle(m, m, r * 0.86, SAUCE if "T" in kinds else (238, 214, 150))
        b.circle(m, m, r * 0.78, CHEESE if "M" in kinds or "G" in kinds else (232, 120, 84))
        shown = kinds[:9]
        n = len(shown)
        for i, kind in enumerate(shown):
            angle = -pi / 2 + 2 * pi * i / max(1, n)
            spread = r * (0.5 if n > 1 else 0)
            small = r * (0.3 if n < 5 else 0.26 if n < 7 else 0.2)
            TOPPING[kind](b, m + cos(angle) * spread, m + sin(angle) * spread, small)

    return sprites.figure((size, size), shape, CRUST, ("pz pizza", kinds), details=details)


def slice_icon(size: int, coins: int) -> Image.Image:
    """A free pizza icon with its speed bonus."""

    def paint(b: Brush) -> None:
        m = size / 2
        b.circle(m, m, m - 1.5, (255, 250, 238), dark(CRUST, 0.2), 2)
        b.arc((5, 5, size - 5, size - 5), 0, 359, light(CRUST, 0.25), 3)
        b.text(m, m, f"+{coins}" if coins else "0", size * 0.42, dark(CRUST, 0.62))

    return sprites.sprite((size, size), paint, ("pz icon", coins))


def house(number: int, size: tuple[int, int]) -> Image.Image:
    """A house of the village with its number."""
    w, h = size
    wall = WALLS[number % len(WALLS)]

    def shape(b: Brush) -> None:
        b.polygon([(w / 2, 5), (w - 5, h * 0.38), (w - 5, h * 0.46), (5, h * 0.46), (5, h * 0.38)],
                  255)  # fmt: skip
        b.rect((w * 0.12, h * 0.4, w * 0.88, h - 5), 255)

    def details(b: Brush) -> None:
        b.polygon([(w / 2, 5), (w - 5, h * 0.38), (w - 5, h * 0.46), (5, h * 0.46), (5, h * 0.38)],
                  ROOF)  # fmt: skip
        for i in range(1, 4):
            y = h * (0.12 + 0.085 * i)
            half = (w / 2 - 8) * (y - 5) / (h * 0.33)
            b.line([(w / 2 - half, y), (w / 2 + half, y)], dark(ROOF, 0.24), 1.5, caps=False)
        b.line([(5, h * 0.46), (w - 5, h * 0.46)], INK, 2, caps=False)
        b.rect((w * 0.2, h * 0.56, w * 0.8, h * 0.9), CREAM, 6, INK, 2)
        b.text(w / 2, h * 0.73, str(number), h * (0.3 if number < 10 else 0.26), INK)

    return sprites.figure((w, h), shape, wall, ("pz house", number), details=details)


def awning(stall: int, size: tuple[int, int]) -> Image.Image:
    """The striped roof of a market stall, with its letter."""
    w, h = size
    colour = AWNINGS[stall]

    def shape(b: Brush) -> None:
        b.rect((4, 4, w - 4, h * 0.62), 255, 8)
        n = 8
        step = (w - 8) / n
        for i in range(n):
            b.ellipse((4 + i * step, h * 0.3, 4 + (i + 1) * step, h - 5), 255)

    def details(b: Brush) -> None:
        n = 8
        step = (w - 8) / n
        for i in range(n):
            fill = colour if i % 2 else CREAM
            b.rect((4 + i * step, 5, 4 + (i + 1) * step, h * 0.66), fill)
            b.ellipse((4 + i * step, h * 0.3, 4 + (i + 1) * step, h - 5), fill)
        b.circle(w / 2, h * 0.45, h * 0.44, CREAM, INK, 2)
        b.text(w / 2, h * 0.45, "ABCD"[stall], h * 0.56, INK)

    return sprites.figure((w, h), shape, colour, ("pz awning", stall), details=details)


def counter(size: tuple[int, int]) -> Image.Image:
    """The wooden table of a stall."""
    w, h = size

    def paint(b: Brush) -> None:
        b.rect((0, 0, w, h), WOOD_DARK, 10)
        b.rect((3, 3, w - 3, h - 3), WOOD, 8)
        for i in range(1, 4):
            b.line([(8, h * i / 4), (w - 8, h * i / 4)], light(WOOD, 0.16), 2, caps=False)

    return sprites.sprite(size, paint, "pz counter")


def stack_edge(size: int, layers: int) -> Image.Image:
    """What is seen of the tokens below the top."""

    def paint(b: Brush) -> None:
        for i in reversed(range(layers)):
            d = 2.5 * (i + 1)
            b.rect((8, 8 + d, size - 8, size - 8 + d), (232, 223, 203), size * 0.2, INK, 1.5)

    return sprites.sprite((size, size + 10), paint, ("pz edge", layers))


def empty_place(size: int) -> Image.Image:
    """A place of the market without a stack."""

    def paint(b: Brush) -> None:
        b.rect((6, 6, size - 6, size - 6), dark(WOOD, 0.16), size * 0.2, WOOD_DARK, 2)

    return sprites.sprite((size, size), paint, "pz empty")


def flag(seat: int, colour: RGB, size: int) -> Image.Image:
    """A reserved marker: a flag in the player's colour with the number."""

    def shape(b: Brush) -> None:
        b.rect((size * 0.16, 5, size * 0.26, size - 4), 255, 2)
        b.rect((size * 0.26, 6, size - 5, size * 0.62), 255, 3)

    def details(b: Brush) -> None:
        b.rect((size * 0.16, 5, size * 0.26, size - 4), INK, 2)
        b.text(size * 0.6, size * 0.34, str(seat + 1), size * 0.4, ink_on(colour))

    return sprites.figure((size, size), shape, colour, ("pz flag", seat), details=details)


def clock(size: int, ready: bool) -> Image.Image:
    """Whether a chef card may be played yet: a tick or a clock."""

    def shape(b: Brush) -> None:
        b.circle(size / 2, size / 2, size / 2 - 4, 255)

    def details(b: Brush) -> None:
        m = size / 2
        if ready:
            b.line([(m * 0.6, m), (m * 0.9, m * 1.34), (m * 1.46, m * 0.64)], WHITE, size * 0.12)
        else:
            b.line([(m, m * 0.5), (m, m), (m * 1.36, m * 1.2)], INK, size * 0.08)

    fill = (34, 132, 84) if ready else (232, 223, 203)
    return sprites.figure((size, size), shape, fill, ("pz clock", ready), details=details)


def _symbol(b: Brush, what: str, x: float, y: float, r: float) -> None:
    """What a card is: a star, a pizza, a cook's hat, or a crossed-out topping."""
    if what == "missions":
        outer, inner = polygon_points(x, y, r, 5), polygon_points(x, y, r * 0.46, 5, 36)
        b.polygon([p for pair in zip(outer, inner, strict=True) for p in pair], GOLD, INK, 1)
    elif what == "orders":
        b.circle(x, y, r, CRUST, INK, 1)
        b.circle(x, y, r * 0.74, CHEESE)
        for u, v in ((-0.3, -0.25), (0.34, -0.06), (-0.08, 0.36)):
            b.circle(x + u * r, y + v * r, r * 0.2, SAUCE)
    elif what == "chef":
        for u in (-0.5, 0, 0.5):
            b.circle(x + u * r, y - r * (0.24 if u else 0.44), r * 0.5, WHITE)
        b.rect((x - r * 0.6, y - r * 0.1, x + r * 0.6, y + r * 0.84), WHITE, 2)
        b.line([(x - r * 0.6, y + r * 0.46), (x + r * 0.6, y + r * 0.46)], INK, 1, caps=False)
    else:
        b.circle(x, y, r * 0.86, CREAM, INK, 1)
        b.line([(x - r * 0.5, y + r * 0.5), (x + r * 0.5, y - r * 0.5)], ACT, r * 0.24)


def back(what: str, n: int, colour: RGB, width: int, height: int = 50) -> Image.Image:
    """A pile of cards, or cards in a hand: its symbol and how many there are."""

    def paint(b: Brush) -> None:
        b.rect((3, 2, width, height), dark(colour, 0.5), 7)
        b.rect((0, 0, width - 3, height - 2), colour, 7, INK, 1.5)
        r = height * 0.24
        b_x = (width - 3) * (0.29 if width > height else 0.5)
        if width > height:
            _symbol(b, what, b_x, height / 2 - 1, r * 1.15)
            b.text((width - 3) * 0.69, height / 2 - 1, str(n), height * 0.5, WHITE)
        else:
            _symbol(b, what, b_x, height * 0.26, r * 0.8)
            b.text(b_x, height * 0.67, str(n), height * 0.5, WHITE)

    return sprites.sprite((width, height), paint, ("pz back", what, n, colour))


def frame(size: tuple[int, int], radius: float, colour: RGB, width: float = 5) -> Image.Image:
    """A coloured ring around something, with light and ink edges."""
    w, h = size

    def paint(b: Brush) -> None:
        b.rect((0.5, 0.5, w - 0.5, h - 0.5), None, radius, WHITE, width + 4)
        b.rect((2, 2, w - 2, h - 2), None, radius - 1.5, INK, width + 1.6)
        b.rect((2.8, 2.8, w - 2.8, h - 2.8), None, radius - 2.3, colour, width)

    return sprites.sprite(size, paint, ("pz frame", radius, colour, width))
