"""Sprites of Blocks, objective tiles and empty cells: diamonds drawn once for each size."""

from __future__ import annotations

from PIL import Image

from engines.papertown.components import KIND_NAMES
from render.kit.palette import (
    ACT,
    CARD,
    GOLD,
    HALO,
    INK,
    MUTED,
    PAPER,
    RGB,
    WHITE,
    dark,
    light,
)
from render.kit.sprites import Brush, Point, meeple, seat_badge, sprite
from render.papertown.colours import (
    BARK,
    CREAM,
    DEEP,
    FOIL,
    KINDS,
    LEAF,
    LEAF_LIGHT,
    LOT,
    MAT,
    OPEN,
    RUST,
    SEAL,
    STEEL,
    STREET,
)

GAP = 2.5
"""Width of half a street."""


def diamond(x: float, y: float, w: float, h: float, inset: float = 0) -> list[Point]:
    """Corners top, right, bottom, left of a diamond around (x, y), its edges moved inwards."""
    long = (w * w + h * h) ** 0.5
    dx, dy = inset * long / h, inset * long / w
    return [
        (x, y - h / 2 + dy), (x + w / 2 - dx, y), (x, y + h / 2 - dy), (x - w / 2 + dx, y),
    ]  # fmt: skip


# ---- drawings of the kinds -------------------------------------------------------------------


def picture(b: Brush, kind: str, x: float, y: float, s: float) -> None:
    """The kind's drawing in a square of half width ``s`` around (x, y)."""

    def at(px: float, py: float) -> Point:
        return x + px * s, y + py * s

    def box(x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        return (*at(x0, y0), *at(x1, y1))

    line = max(1.0, s * 0.085)
    match kind:
        case "R":
            b.polygon([at(0.42, -0.9), at(0.66, -0.9), at(0.66, -0.2), at(0.42, -0.2)], STEEL, INK,
                      line)  # fmt: skip
            b.polygon([at(-0.72, -0.1), at(0.72, -0.1), at(0.72, 0.9), at(-0.72, 0.9)], CREAM, INK,
                      line)  # fmt: skip
            b.polygon([at(-1, 0), at(0, -1), at(1, 0)], RUST, INK, line)
            b.polygon([at(-0.5, 0.25), at(-0.12, 0.25), at(-0.12, 0.9), at(-0.5, 0.9)], BARK, INK,
                      line)  # fmt: skip
            b.polygon([at(0.16, 0.25), at(0.52, 0.25), at(0.52, 0.6), at(0.16, 0.6)], KINDS["L"],
                      INK, line)  # fmt: skip
        case "C":
            b.polygon([at(-0.8, -0.3), at(0.8, -0.3), at(0.8, 0.9), at(-0.8, 0.9)], CREAM, INK,
                      line)  # fmt: skip
            b.polygon([at(-0.55, 0.25), at(0.05, 0.25), at(0.05, 0.68), at(-0.55, 0.68)],
                      KINDS["L"], INK, line)  # fmt: skip
            b.polygon([at(0.25, 0.25), at(0.6, 0.25), at(0.6, 0.9), at(0.25, 0.9)], BARK, INK, line)
            b.polygon([at(-0.72, -0.85), at(0.72, -0.85), at(1, 0), at(-1, 0)], RUST, INK, line)
            for i in (1, 3):
                top, foot = -0.72 + 1.44 * i / 5, -1 + 2 * i / 5
                b.polygon([at(top, -0.85), at(top + 0.288, -0.85), at(foot + 0.4, 0),
                           at(foot, 0)], WHITE)  # fmt: skip
            b.polygon([at(-0.72, -0.85), at(0.72, -0.85), at(1, 0), at(-1, 0)], None, INK, line)
        case "G":
            b.polygon([at(-0.95, 0.62), at(0.95, 0.62), at(0.95, 0.9), at(-0.95, 0.9)], WHITE, INK,
                      line)  # fmt: skip
            for px in (-0.66, -0.22, 0.22, 0.66):
                b.polygon([at(px - 0.13, -0.2), at(px + 0.13, -0.2), at(px + 0.13, 0.62),
                           at(px - 0.13, 0.62)], WHITE, INK, line)  # fmt: skip
            b.polygon([at(-0.98, -0.25), at(0, -0.9), at(0.98, -0.25)], FOIL, INK, line)
        case "I":
            b.polygon([at(0.42, -1), at(0.72, -1), at(0.8, 0.2), at(0.34, 0.2)], RUST, INK, line)
            b.polygon(
                [at(-0.95, 0.9), at(-0.95, -0.1), at(-0.45, -0.5), at(-0.45, -0.1), at(0.05, -0.5),
                 at(0.05, -0.1), at(0.95, -0.1), at(0.95, 0.9)],
                CREAM, INK, line,
            )  # fmt: skip
            for px in (-0.66, -0.16, 0.34):
                b.polygon([at(px, 0.25), at(px + 0.3, 0.25), at(px + 0.3, 0.55), at(px, 0.55)],
                          STEEL, INK, line)  # fmt: skip
        case "P":
            for px, py, r in ((0.42, -0.05, 0.5), (-0.36, -0.34, 0.62)):
                b.polygon([at(px - 0.1, py), at(px + 0.1, py), at(px + 0.12, 0.9),
                           at(px - 0.12, 0.9)], BARK, INK, line)  # fmt: skip
                b.circle(*at(px, py), r * s, LEAF_LIGHT if px > 0 else LEAF, INK, line)
        case _:
            b.polygon([at(-0.06, -0.95), at(-0.06, 0.25), at(-0.75, 0.25)], WHITE, INK, line)
            b.polygon([at(0.1, -0.7), at(0.1, 0.25), at(0.66, 0.25)], RUST, INK, line)
            b.polygon([at(-0.85, 0.34), at(0.85, 0.34), at(0.5, 0.68), at(-0.5, 0.68)], BARK, INK,
                      line)  # fmt: skip
            for px in (-0.62, 0.0, 0.62):
                b.arc(box(px - 0.34, 0.68, px + 0.34, 1.1), 200, 340, DEEP, line * 1.5)


# ---- Blocks and tiles ------------------------------------------------------------------------


def _slab(b: Brush, w: float, h: float, thick: float, face: RGB, rim: RGB = INK) -> None:
    """A thick diamond of paper with a light edge."""
    x, y = w / 2, h / 2
    top, right, bottom, left = diamond(x, y, w, h, GAP)
    sunk = [(px, py + thick) for px, py in (right, bottom, left)]
    b.polygon([left, right, *sunk], dark(face, 0.45), rim, 1.5)
    b.polygon([top, right, bottom, left], face, rim, 1.75)
    b.polygon(diamond(x, y, w, h, GAP + 4.5), None, light(face, 0.5), 1.75)


def thickness(h: int) -> int:
    """How far a Block's front reaches below its diamond."""
    return max(4, round(h * 0.06))


def block(kind: str, w: int, h: int, style: str = "plain") -> Image.Image:
    """A Block.

    Args:
        kind: letter.
        w, h: of its cell.
        style: ``plain`` fills it; ``named`` leaves room for the cell's name below; ``crowded``
            also for a meeple at the right. On small diamonds the letter takes the drawing's place.
    """
    thick = thickness(h)

    def paint(b: Brush) -> None:
        _slab(b, w, h, thick, KINDS[kind])
        small = h < 84
        if style == "plain":
            b.text(w / 2, h * 0.22, kind, min(h * 0.23, w * 0.2), INK)
            picture(b, kind, w / 2, h * 0.59, min(h, w) * 0.225)
        elif style == "named" and small:
            b.text(w * 0.36, h * 0.43, kind, h * 0.37, INK)
            picture(b, kind, w * 0.6, h * 0.42, h * 0.18)
        elif style == "named":
            b.text(w / 2, h * 0.185, kind, min(h * 0.2, w * 0.17), INK)
            picture(b, kind, w / 2, h * 0.475, min(h * 0.2, w * 0.17))
        elif small:
            b.text(w * 0.33, h * 0.46, kind, h * 0.37, INK)
        else:
            b.text(w / 2, h * 0.175, kind, min(h * 0.2, w * 0.17), INK)
            picture(b, kind, w * 0.32, h * 0.48, min(h * 0.18, w * 0.135))

    return sprite((w, h + thick + 1), paint, ("papertown block", kind, style))


def seal(great: bool, w: int, h: int, *, crowded: bool = False) -> Image.Image:
    """The back of an objective tile on its cell: dark, with foil dots in a row or in a diamond."""
    thick = thickness(h)

    def paint(b: Brush) -> None:
        x, y = w / 2, h / 2
        _slab(b, w, h, thick, SEAL)
        b.polygon(diamond(x, y, w, h, GAP + 5), None, FOIL, 2.5)
        s = min(h, w) * 0.115
        middle = (w * (0.31 if crowded else 0.5), h * 0.44)
        spots = ((0, -1), (1.15, 0), (0, 1), (-1.15, 0)) if great else ((-1.2, 0), (0, 0), (1.2, 0))
        for dx, dy in spots:
            b.polygon(
                diamond(middle[0] + dx * s, middle[1] + dy * s, 1.7 * s, 1.5 * s), FOIL, SEAL, 1
            )

    return sprite((w, h + thick + 1), paint, ("papertown seal", great, crowded))


def lot(w: int, h: int, *, candidate: bool = False) -> Image.Image:
    """An empty cell beside the city; a candidate is one where the Block may go."""

    def paint(b: Brush) -> None:
        if candidate:
            b.polygon(diamond(w / 2, h / 2, w, h, GAP + 1), OPEN, ACT, 4)
            return
        b.polygon(diamond(w / 2, h / 2, w, h, GAP + 1), LOT)
        corners = diamond(w / 2, h / 2, w, h, GAP + 2)
        for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], corners[0]], strict=True):
            for i in range(5):  # dashes
                a, z = (i + 0.22) / 5, (i + 0.78) / 5
                b.line(
                    [(x0 + (x1 - x0) * a, y0 + (y1 - y0) * a),
                     (x0 + (x1 - x0) * z, y0 + (y1 - y0) * z)],
                    STREET, 2,
                )  # fmt: skip

    return sprite((w, h), paint, ("papertown lot", candidate))


def frame(w: int, h: int, colour: RGB, width: float = 6) -> Image.Image:
    """A thick diamond line with ink and light edges, laid over a cell."""

    def paint(b: Brush) -> None:
        inset = GAP + width / 2 - 1
        corners = diamond(w / 2, h / 2, w, h, inset)
        b.polygon(corners, None, HALO, width + 4)
        b.polygon(corners, None, INK, width + 1.5)
        b.polygon(corners, None, colour, width)

    return sprite((w, h), paint, ("papertown frame", colour, width))


def chip(kind: str, size: int) -> Image.Image:
    """A small square with the kind's letter over its drawing, for objective cards."""

    def paint(b: Brush) -> None:
        b.rect((1, 1, size - 1, size - 1), KINDS[kind], size * 0.16, INK, 1.5)
        b.text(size / 2, size / 2, kind, size * 0.66, INK)

    return sprite((size, size), paint, ("papertown chip", kind))


def small_diamond(kind: str, w: int, h: int) -> Image.Image:
    """A small diamond with the kind's letter, for Great Structures on cards."""

    def paint(b: Brush) -> None:
        b.polygon(diamond(w / 2, h / 2, w, h, 1.5), KINDS[kind], INK, 1.5)
        b.text(w / 2, h / 2, kind, h * 0.44, INK)

    return sprite((w, h), paint, ("papertown small", kind))


def word_of(kind: str) -> str:
    """The kind in words."""
    return KIND_NAMES[kind]


# ---- piles, cards, captions ------------------------------------------------------------------


def pile(kind: str, w: int, h: int) -> Image.Image:
    """A pile of face-down Blocks (``stack``) or objective tiles (``row``, ``great``)."""

    def paint(b: Brush) -> None:
        face = (222, 206, 172) if kind == "stack" else SEAL
        for i in (3, 2, 1, 0):
            b.polygon(diamond(w / 2, (h - 12) / 2 + i * 4, w, h - 12, 2), face, INK, 1.5)
        if kind != "stack":
            b.polygon(diamond(w / 2, (h - 12) / 2, w, h - 12, 6), None, FOIL, 1.75)

    return sprite((w, h), paint, ("papertown pile", kind))


def back(w: int, h: int) -> Image.Image:
    """The back of a hidden Great Structure: foil diamond and a question mark."""

    def paint(b: Brush) -> None:
        b.rect((0, 0, w, h), SEAL, 9)
        b.rect((4, 4, w - 4, h - 4), None, 6, FOIL, 1.75)
        b.polygon(diamond(w / 2, h / 2, w * 0.66, h * 0.72), None, FOIL, 2)
        b.text(w / 2, h / 2, "?", h * 0.4, FOIL)

    return sprite((w, h), paint, "papertown back")


def stamp(size: int) -> Image.Image:
    """The mark of completed objectives: a small sealed tile."""

    def paint(b: Brush) -> None:
        b.polygon(diamond(size / 2, size / 2, size, size, 1.5), SEAL, INK, 1.5)
        b.polygon(diamond(size / 2, size / 2, size, size, 4.5), None, FOIL, 2)
        b.polygon(diamond(size / 2, size / 2, size * 0.28, size * 0.28), FOIL)

    return sprite((size, size), paint, "papertown stamp")


def caption(text: str, length: int) -> Image.Image:
    """Small words turned upright, read from below."""

    def paint(b: Brush) -> None:
        b.turned(13, length / 2, text, 21, MUTED, 90)

    return sprite((26, length), paint, ("papertown caption", text))


def contact_sheet(seats: list[RGB]) -> Image.Image:
    """Everything that boards show, on the grounds on which they show it."""
    sheet = Image.new("RGB", (1200, 1000), PAPER)
    sheet.paste(MAT, (0, 110, 1200, 1000))
    sheet.paste(CARD, (0, 0, 1200, 110))
    sheet.paste(INK, (0, 0, 1200, 30))
    x = 0
    for row, (w, h) in enumerate(((120, 96), (88, 66), (60, 46))):
        x = 0
        for kind in KINDS:
            for crowded in (False, True):
                image = block(kind, w, h, "crowded" if crowded else "named")
                sheet.paste(image, (x, 120 + row * 110), image)
                if crowded:
                    figure = meeple(seats[row % len(seats)], round(h * 0.56), "1")
                    sheet.paste(figure, (x + w // 2, 120 + row * 110), figure)
                x += w - 22
    images = [lot(120, 96), lot(120, 96, candidate=True), seal(True, 120, 96), seal(False, 120, 96)]
    images += [frame(120, 96, c, 6) for c in (ACT, GOLD, OPEN)]
    images += [pile("stack", 96, 70), pile("row", 96, 70), back(143, 90), stamp(38)]
    x = 0
    for image in images:
        sheet.paste(image, (x, 460), image)
        x += image.width + 6
    x = 0
    for i, colour in enumerate(seats):
        for image in (meeple(colour, 60, str(i + 1)), seat_badge(i, colour, 52)):
            sheet.paste(image, (x, 580), image)
            x += 70
        for ground in (*KINDS.values(), SEAL):
            figure = meeple(colour, 44, str(i + 1))
            sheet.paste(ground, (x, 580 + i * 8, x + 30, 640))
            sheet.paste(figure, (x - 8, 586), figure)
            x += 30
    x = 0
    for kind in KINDS:
        for image in (chip(kind, 54), small_diamond(kind, 58, 36), chip(kind, 44)):
            sheet.paste(image, (x, 680), image)
            x += 62
    return sheet
