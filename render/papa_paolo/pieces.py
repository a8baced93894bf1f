"""Sprites of Papà Paolo: tiles, pizzerias, pizzas, icons and cards."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from PIL import Image

from engines.papa_paolo.components import COLOURS, box
from render.kit import sprites
from render.kit.cache import Store
from render.kit.palette import (
    ACT,
    CARD,
    GOLD,
    HAIR,
    HALO,
    INK,
    MUTED,
    RGB,
    WHITE,
    dark,
    ink_on,
    light,
)
from render.kit.sprites import Brush
from render.kit.type import word as type_word
from render.papa_paolo.colours import (
    BASIL,
    CHEESE,
    CRUST,
    DASH,
    GROUND,
    LETTERS,
    ROAD,
    SALAMI,
    STONE,
    TRACK,
    TREE,
    TREE_DARK,
)

_made: Store[Image.Image] = Store(40 << 20, lambda i: i.width * i.height * 4)

CORNERS = ((0.235, 0.245), (0.765, 0.765), (0.765, 0.245), (0.235, 0.765))
"""Where the houses of a tile stand, first to third; trees grow in the corners left."""

ROAD_WIDTH = 0.2


def _kept(key: Hashable, make: Callable[[], Image.Image]) -> Image.Image:
    return _made.get(key, make)


# ---- pizza -----------------------------------------------------------------------------------


def _pizza(b: Brush, x: float, y: float, r: float) -> None:
    b.circle(x, y, r, INK)
    b.circle(x, y, r * 0.92, CRUST)
    b.circle(x, y, r * 0.74, CHEESE)
    for dx, dy in ((-0.28, -0.24), (0.34, -0.1), (-0.06, 0.36)):
        b.circle(x + dx * r, y + dy * r, r * 0.19, SALAMI)
    b.circle(x + 0.06 * r, y - 0.42 * r, r * 0.1, BASIL)
    b.circle(x - 0.42 * r, y + 0.2 * r, r * 0.1, BASIL)


def pizza(size: int) -> Image.Image:
    """A pizza with a light rim."""

    def paint(b: Brush) -> None:
        b.circle(size / 2, size / 2, size / 2, HALO)
        _pizza(b, size / 2, size / 2, size / 2 - 1.5)

    return sprites.sprite((size, size), paint, "pizza")


# ---- city tiles ------------------------------------------------------------------------------


def _roads(b: Brush, mask: int, s: float) -> None:
    half, c = s * ROAD_WIDTH / 2, s / 2
    rim = max(1.0, s / 60)
    arms = {
        1: (c - half, 0.0, c + half, c),
        2: (c, c - half, s, c + half),
        4: (c - half, c, c + half, s),
        8: (0.0, c - half, c, c + half),
    }
    dead = mask in (1, 2, 4, 8)
    knob = half * (1.75 if dead else 1.0)
    for bit, (x0, y0, x1, y1) in arms.items():
        if mask & bit:
            grow = (rim, 0.0) if bit in (1, 4) else (0.0, rim)
            b.rect((x0 - grow[0], y0 - grow[1], x1 + grow[0], y1 + grow[1]), INK)
    b.circle(c, c, knob + rim, INK)
    for bit, arm in arms.items():
        if mask & bit:
            b.rect(arm, ROAD)
    b.circle(c, c, knob, ROAD)
    dash, gap = s * 0.075, s * 0.055
    width = max(1.2, s * 0.022)
    for bit in arms:
        if not mask & bit:
            continue
        at = c - half * 1.1
        while at > 0:
            end = max(0.0, at - dash)
            spans = {
                1: ((c, at), (c, end)),
                2: ((s - at, c), (s - end, c)),
                4: ((c, s - at), (c, s - end)),
                8: ((at, c), (end, c)),
            }
            b.line(list(spans[bit]), DASH, width, caps=False)
            at = end - gap
    if dead:
        b.circle(c, c, half * 0.8, STONE, INK, rim)
        b.circle(c, c, half * 0.32, light(TRACK["blue"], 0.35))
    elif mask.bit_count() > 2:
        b.circle(c, c, half * 0.5, DASH)


def _tree(b: Brush, x: float, y: float, r: float) -> None:
    for dx, dy, k in ((-0.42, 0.18, 0.62), (0.42, 0.2, 0.58), (0.0, -0.28, 0.66)):
        b.circle(x + dx * r, y + dy * r, r * k, TREE_DARK)
    for dx, dy, k in ((-0.42, 0.1, 0.46), (0.42, 0.12, 0.42), (0.0, -0.36, 0.5)):
        b.circle(x + dx * r, y + dy * r, r * k, TREE)


def city_tile(tile: str, mask: int, pizzas: int, size: int) -> Image.Image:
    """A city tile or town half with its houses; pizzas cover the first of them."""
    city = box().tiles[tile]
    colour = COLOURS[city.colour]
    key = ("tile", colour, city.houses, mask, pizzas, size, tile[0] == "S")

    def paint(b: Brush) -> None:
        ground = GROUND[colour]
        b.rect((0.5, 0.5, size - 0.5, size - 0.5), dark(ground, 0.42), size * 0.07)
        inset = 2.0
        b.rect((inset, inset, size - inset, size - inset), ground, size * 0.06)
        if tile[0] == "S":
            b.rect((inset, inset, size - inset, size - inset), None, size * 0.06, DASH, 2.5)
        _roads(b, mask, size)
        for x, y in CORNERS[city.houses :]:
            _tree(b, x * size, y * size, size * 0.095)

    def make() -> Image.Image:
        image = sprites.sprite((size, size), paint, key[:4] + key[5:]).copy()
        high = round(size * 0.44)
        roof = sprites.house(TRACK[colour], high, LETTERS[colour], halo=1.5)
        for number, (x, y) in enumerate(CORNERS[: city.houses]):
            left, top = round(x * size - high / 2), round(y * size - high / 2)
            image.paste(roof, (left, top), roof)
            if number < pizzas:
                disc = pizza(round(size * 0.34))
                image.paste(
                    disc,
                    (
                        round(x * size - disc.width / 2),
                        round(y * size - disc.height / 2 + size * 0.045),
                    ),
                    disc,
                )
        return image

    return _kept(key, make)


# ---- pizzerias -------------------------------------------------------------------------------


def pizzeria(
    seat: int, colour: RGB, cost: int, pizzas: int, capacity: int, size: int
) -> Image.Image:
    """A pizzeria with an awning in the player's colour and a place for each pizza."""

    def paint(b: Brush) -> None:
        s = float(size)
        b.rect((0.5, 0.5, s - 0.5, s - 0.5), dark(STONE, 0.42), s * 0.07)
        b.rect((2, 2, s - 2, s - 2), STONE, s * 0.06)
        half, c = s * ROAD_WIDTH / 2, s / 2
        rim = max(1.0, s / 60)
        for box_ in (
            (c - half, 0, c + half, s),
            (0, c - half, s, c + half),
        ):
            x0, y0, x1, y1 = box_
            tall = y1 - y0 > x1 - x0
            b.rect(
                (x0 - rim * tall, y0 - rim * (not tall), x1 + rim * tall, y1 + rim * (not tall)),
                INK,
            )
            b.rect(box_, ROAD)
        x0, x1, top, foot = s * 0.09, s * 0.91, s * 0.1, s * 0.92
        b.rect((x0 - 1.5, top - 1.5, x1 + 1.5, foot + 1.5), INK, s * 0.06)
        b.rect((x0, top, x1, foot), CARD, s * 0.05)
        # Awning: stripes with scallops.
        pale = WHITE if sum(colour) < 720 else light(MUTED, 0.6)
        low, stripes = top + s * 0.24, 6
        wide = (x1 - x0) / stripes
        for i in range(stripes):
            fill = colour if i % 2 == 0 else pale
            left = x0 + i * wide
            b.circle(left + wide / 2, low, wide / 2 + 0.8, INK)
            b.circle(left + wide / 2, low - 0.6, wide / 2 - 0.4, fill)
            b.rect((left, top, left + wide, low), fill)
        b.line([(x0, top), (x1, top)], INK, 1.5, caps=False)
        rows = 2 if capacity > 3 else 1
        columns = (capacity + rows - 1) // rows
        r = s * 0.108
        gap_x = (x1 - x0) / 3
        for number in range(capacity):
            row, column = divmod(number, columns)
            in_row = columns if row == 0 else capacity - columns
            x = c + (column - (in_row - 1) / 2) * gap_x * 0.95
            y = s * (0.545 + 0.235 * row) if rows == 2 else s * 0.66
            b.circle(x, y, r, None, HAIR, 1.5)
            if number < pizzas:
                _pizza(b, x, y, r)

    def make() -> Image.Image:
        key = ("pizzeria", colour, cost, pizzas, capacity)
        image = sprites.sprite((size, size), paint, key).copy()
        if cost:
            tag = sprites.pill(f"£{cost}", GOLD, round(size * 0.27), halo=1, outline=1)
        else:
            tag = sprites.seat_badge(seat, colour, round(size * 0.36), halo=1)
        image.paste(tag, (round((size - tag.width) / 2), round(size * 0.215 - tag.height / 2)), tag)
        return image

    return _kept(("pizzeria", seat, colour, cost, pizzas, capacity, size), make)


# ---- icons -----------------------------------------------------------------------------------


def action_icon(letter: str, size: int = 44) -> Image.Image:
    """An action: S a purse with £, B a basket, E a scooter, P a pizzeria."""
    colour = {"S": TRACK["gold"], "B": TRACK["blue"], "E": TRACK["red"], "P": (120, 96, 74)}[letter]

    def paint(b: Brush) -> None:
        s = float(size)
        b.circle(s / 2, s / 2, s / 2, HALO)
        b.circle(s / 2, s / 2, s / 2 - 2, INK)
        b.circle(s / 2, s / 2, s / 2 - 4, colour)
        u = s / 44
        light_ = WHITE
        if letter == "S":
            b.text(s / 2, s / 2, "£", s * 0.56, ink_on(colour))
        elif letter == "B":
            b.arc((14 * u, 10 * u, 30 * u, 30 * u), 180, 360, light_, 2.6 * u)
            b.polygon(
                [(10 * u, 20 * u), (34 * u, 20 * u), (31 * u, 33 * u), (13 * u, 33 * u)], light_
            )
            for x in (17, 22, 27):
                b.line([(x * u, 22 * u), (x * u, 31 * u)], colour, 1.6 * u)
        elif letter == "E":
            b.circle(14 * u, 29 * u, 4.6 * u, light_)
            b.circle(31 * u, 29 * u, 4.6 * u, light_)
            b.circle(14 * u, 29 * u, 1.8 * u, colour)
            b.circle(31 * u, 29 * u, 1.8 * u, colour)
            b.line(
                [(14 * u, 25 * u), (25 * u, 25 * u), (30 * u, 14 * u), (26 * u, 13 * u)],
                light_,
                2.8 * u,
            )
            b.rect((9 * u, 13 * u, 20 * u, 22 * u), light_, 1.5 * u)
            b.line([(30 * u, 15 * u), (32 * u, 27 * u)], light_, 2.4 * u)
        else:
            b.polygon([(9 * u, 21 * u), (22 * u, 10 * u), (35 * u, 21 * u)], light_)
            b.rect((12.5 * u, 20 * u, 31.5 * u, 33 * u), light_)
            b.rect((19 * u, 24 * u, 25 * u, 33 * u), colour)

    return sprites.sprite((size, size), paint, ("action", letter))


def action_word(letter: str, word: str, high: int = 44) -> Image.Image:
    """An action's icon with its name."""

    def make() -> Image.Image:
        icon, text = action_icon(letter, high), type_word(word, 24, INK, condensed=True, bold=True)
        image = Image.new("RGBA", (high + 6 + text.width, high), (0, 0, 0, 0))
        image.paste(icon, (0, 0), icon)
        at = (high + 6 - text.left, round(high / 2 + text.cap / 2) - text.up)
        image.paste(text.image, at, text.image)
        return image

    return _kept(("action word", letter, word, high), make)


def tip(value: int, size: int = 46) -> Image.Image:
    """A coin of the tips."""
    return sprites.coin(f"{value}", size)


def track_disc(colour: str, size: int = 34) -> Image.Image:
    """The letter of a track on its colour."""
    return sprites.disc(TRACK[colour], size, LETTERS[colour])


def track(colour: str, space: int, wide: int, high: int = 34) -> Image.Image:
    """A track of five spaces with the marker on one of them."""

    def paint(b: Brush) -> None:
        b.text(high * 1.36, high / 2, str(space), high * 0.78, INK)
        left = high * 1.75
        step = (wide - left) / 5
        for number in range(1, 6):
            x0 = left + (number - 1) * step + 1.5
            x1 = left + number * step - 1.5
            fill = TRACK[colour] if number <= space else light(TRACK[colour], 0.78)
            b.rect((x0, high * 0.28, x1, high * 0.72), fill, 3, dark(TRACK[colour], 0.2), 1.2)

    def make() -> Image.Image:
        image = sprites.sprite((wide, high), paint, ("track", colour, space)).copy()
        disc = track_disc(colour, high)
        image.paste(disc, (0, 0), disc)
        return image

    return _kept(("track", colour, space, wide, high), make)


def delivery_card(name: str, high: int = 96) -> Image.Image:
    """A delivery tile: its name, pizzas and distance."""
    pizzas, reach = box().delivery[name]
    wide = round(high * 0.98)

    def paint(b: Brush) -> None:
        w, h = float(wide), float(high)
        b.rect((0, 0, w, h), INK, 9)
        b.rect((2, 2, w - 2, h - 2), CARD, 8)
        b.rect((2, 2, w - 2, h * 0.34), (120, 96, 74), 8)
        b.rect((2, h * 0.22, w - 2, h * 0.34), (120, 96, 74))
        b.text(w / 2, h * 0.18, name, h * 0.25, WHITE)
        _pizza(b, w * 0.28, h * 0.52, h * 0.14)
        b.text(w * 0.7, h * 0.52, str(pizzas), h * 0.27, INK)
        y = h * 0.83
        b.line([(w * 0.1, y), (w * 0.44, y)], ACT, h * 0.05, caps=False)
        b.polygon([(w * 0.38, y - h * 0.09), (w * 0.5, y), (w * 0.38, y + h * 0.09)], ACT)
        b.text(w * 0.7, y, str(reach), h * 0.27, INK)

    return sprites.sprite((wide, high), paint, ("delivery", name))


def delivery_pill(name: str, high: int = 40) -> Image.Image:
    """A delivery tile in a line: name, pizzas, distance."""
    pizzas, reach = box().delivery[name]
    wide = round(high * (3.9 if pizzas < 10 else 4.3))

    def paint(b: Brush) -> None:
        w, h = float(wide), float(high)
        b.rect((0, 0, w, h), INK, h * 0.24)
        b.rect((1.5, 1.5, w - 1.5, h - 1.5), CARD, h * 0.22)
        b.rect((1.5, 1.5, h * 1.15, h - 1.5), (120, 96, 74), h * 0.2)
        b.text(h * 0.58, h / 2, name, h * 0.48, WHITE)
        _pizza(b, h * 1.52, h / 2, h * 0.26)
        x = h * (2.02 if pizzas < 10 else 2.2)
        b.text(x, h / 2, str(pizzas), h * 0.5, INK)
        x += h * (0.42 if pizzas < 10 else 0.6)
        b.line([(x, h / 2), (x + h * 0.5, h / 2)], ACT, h * 0.1, caps=False)
        b.polygon([(x + h * 0.42, h * 0.3), (x + h * 0.7, h / 2), (x + h * 0.42, h * 0.7)], ACT)
        b.text(x + h * 1.06, h / 2, str(reach), h * 0.5, INK)

    return sprites.sprite((wide, high), paint, ("delivery pill", name))


def investment(colour: str, high: int = 76) -> Image.Image:
    """An investment tile."""
    wide = round(high * 0.86)

    def paint(b: Brush) -> None:
        w, h = float(wide), float(high)
        b.rect((0, 0, w, h), INK, 9)
        b.rect((2, 2, w - 2, h - 2), TRACK[colour], 8)
        b.rect((5, 5, w - 5, h - 5), None, 6, light(TRACK[colour], 0.55), 1.5)
        b.text(w / 2, h * 0.4, LETTERS[colour], h * 0.42, ink_on(TRACK[colour]))
        b.text(w / 2, h * 0.78, "+1", h * 0.24, ink_on(TRACK[colour]))

    return sprites.sprite((wide, high), paint, ("investment", colour))


def sealed_coin(size: int = 48) -> Image.Image:
    """A coin face down."""

    def paint(b: Brush) -> None:
        b.circle(size / 2, size / 2, size / 2, HALO)
        b.circle(size / 2, size / 2, size / 2 - 2, INK)
        b.circle(size / 2, size / 2, size / 2 - 4, (150, 136, 112))
        b.circle(size / 2, size / 2, size / 2 - 8, None, (196, 184, 160), 1.5)
        b.text(size / 2, size / 2, "?", size * 0.46, WHITE)

    return sprites.sprite((size, size), paint, "sealed coin")


def slot(size: int) -> Image.Image:
    """A market cell whose tile is gone."""

    def paint(b: Brush) -> None:
        b.rect((3, 3, size - 3, size - 3), (236, 226, 204), size * 0.07, HAIR, 2)
        for i in range(4):
            x = size * (0.2 + 0.2 * i)
            b.line([(x, size * 0.2), (x, size * 0.8)], (226, 214, 188), 2)

    return sprites.sprite((size, size), paint, "slot")


def frame(size: int, colour: RGB, width: float = 5) -> Image.Image:
    """A frame around a cell."""

    def paint(b: Brush) -> None:
        b.rect((0, 0, size, size), None, size * 0.1, HALO, width + 3)
        b.rect((1.5, 1.5, size - 1.5, size - 1.5), None, size * 0.1, colour, width)

    return sprites.sprite((size, size), paint, ("frame", colour, width))


def spot(size: int, text: str) -> Image.Image:
    """A place that a tile or pizzeria may take."""

    def paint(b: Brush) -> None:
        b.rect((2, 2, size - 2, size - 2), (255, 240, 226), size * 0.1, ACT, 4)
        b.text(size / 2, size / 2, text, size * (0.28 if len(text) < 5 else 0.24), ACT)

    return sprites.sprite((size, size), paint, ("spot", text))
