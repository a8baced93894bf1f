"""Sprites, canvas and encoding."""

from __future__ import annotations

import io
import threading

import pytest
from PIL import Image, ImageChops

from render.kit import encode, sprites
from render.kit.cache import Store
from render.kit.canvas import Canvas, Panel, recording
from render.kit.palette import HUES, PAPER, SEATS


def test_store_keeps_the_budget_and_the_recent() -> None:
    store: Store[bytes] = Store(30, len)
    for key in "abc":
        store.get(key, lambda: bytes(10))
    store.get("a", lambda: bytes(10))
    store.get("d", lambda: bytes(10))
    calls: list[str] = []
    for key in "acdb":
        store.get(key, lambda key=key: calls.append(key) or bytes(10))  # type: ignore[misc]
    assert calls == ["b"]
    assert len(store) == 3


def test_sprites_are_kept_and_equal_when_made_again() -> None:
    one = sprites.house(SEATS[0], 44, "1", 0)
    assert sprites.house(SEATS[0], 44, "1", 0) is one
    data = one.tobytes()
    sprites._store.clear()
    assert sprites.house(SEATS[0], 44, "1", 0).tobytes() == data


@pytest.mark.parametrize("size", [24, 36, 60])
def test_seat_badges_differ_without_colour(size: int) -> None:
    badges = [sprites.seat_badge(s, (120, 120, 120), size, text="").convert("LA") for s in range(6)]
    for i, one in enumerate(badges):
        for two in badges[i + 1 :]:
            assert ImageChops.difference(one.getchannel("A"), two.getchannel("A")).getbbox()


def test_every_piece_has_an_outline_and_stays_inside() -> None:
    blue = HUES["blue"]
    pieces = [
        sprites.house(blue, 44, "1", 0), sprites.meeple(blue, 44, "2"), sprites.pawn(blue, 44, "3"),
        sprites.disc(blue, 36, "4"), sprites.token(blue, 40, "5"),
        sprites.tile(blue, (60, 40), "6"),
        sprites.card((80, 120), blue), sprites.card_back((80, 120), blue, "A"), sprites.bus(),
        sprites.coin("5"), sprites.pill("+12", blue), sprites.arrow(blue, 60),
        sprites.arrow(blue, 60, turn=30), sprites.star(), sprites.lock(), sprites.crown(),
        *(sprites.seat_badge(s, blue, 40) for s in range(6)),
    ]  # fmt: skip
    for piece in pieces:
        box = piece.getchannel("A").point([255 if v > 60 else 0 for v in range(256)]).getbbox()
        assert box is not None
        assert box[2] - box[0] > piece.width * 0.5
        edge = piece.getchannel("A")
        w, h = piece.size
        rim = [edge.getpixel((x, y)) for x, y in ((0, 0), (w - 1, 0), (0, h - 1), (w - 1, h - 1))]
        assert all(isinstance(v, int) and v < 90 for v in rim)


def test_header_and_panels_hold_any_name() -> None:
    names = ["Maximilian von und zu Hohenstein-Lindenberg-Waldburg" * 2, "W" * 40, "i", "Ω" * 32]
    for count in (1, 2, 3, 4, 5):
        sheet = Canvas(1200, 240)
        panels = [
            Panel(s, names[s % 4], SEATS[s], "188", note="14 in supply", act=True, won=True,
                  icon=sprites.bus(size=56), extras=(sprites.pill("+20", SEATS[1], 36),),
                  corner=sprites.disc(SEATS[0], 40, "3"))
            for s in range(count)
        ]  # fmt: skip
        with recording() as marks:
            sheet.header("Paris Paris", "Round 12 of 15", turn=panels[0])
            sheet.players(panels, 96)
        width = (1152 - 14 * (count - 1)) / count
        for mark in marks:
            assert mark.box[0] >= 0
            assert mark.box[2] <= 1200
            if mark.kind == "panel":
                seat = int((mark.box[0] - 24) // (width + 14))
                assert mark.box[2] <= 24 + seat * (width + 14) + width
    with recording() as marks:
        Canvas(1200, 200).header("P", "Final", message="N" * 90, message_tail=" wins with 116")
    assert marks[-1].name.endswith("… wins with 116")
    assert marks[-1].box[0] > marks[-2].box[2]


def test_encoding_uses_the_fixed_palette_and_falls_back_to_true_colour() -> None:
    flat = Image.new("RGB", (300, 200), PAPER)
    flat.paste(HUES["red"], (20, 20, 90, 90))
    picture = encode.encode(flat, "test flat", lambda: flat)
    back = Image.open(io.BytesIO(picture.data))
    assert (picture.width, picture.height, picture.ext) == (300, 200, "png")
    assert back.mode == "P"
    assert back.convert("RGB").tobytes() == flat.tobytes()
    rainbow = Image.merge("RGB", [Image.linear_gradient("L").resize((300, 200))] * 3)
    wild = ImageChops.add(rainbow, Image.new("RGB", (300, 200), (0, 90, 0)))
    fallback = encode.encode(wild, "test flat")
    assert Image.open(io.BytesIO(fallback.data)).mode == "RGB"
    assert encode.encode(wild, "no such palette").data == fallback.data


def test_one_image_may_be_encoded_by_many_threads() -> None:
    sheet = Canvas(600, 400)
    sheet.header("Title", "Round 1", message="hello")
    results: list[bytes] = []

    def work() -> None:
        for _ in range(20):
            results.append(encode.encode(sheet.image, "test threads", lambda: sheet.image).data)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 60
    assert len(set(results)) == 1
