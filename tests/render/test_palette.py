"""Colours stay apart for every kind of colour vision."""

from __future__ import annotations

from itertools import combinations

import pytest

from render.kit import palette as p
from render.paris_paris import colours


def test_ciede2000_agrees_with_published_values() -> None:
    # Sharma, Wu and Dalal (2005), pairs 1, 7, 17, 20, 24 and 33
    pairs = [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 0, 0), (50, -1, 2), 2.3669),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((50, 2.5, 0), (58, 24, 15), 19.4535),
        ((50, 2.5, 0), (50, 3.2592, 0.3350), 1.0),
        ((6.7747, -0.2908, -2.4247), (5.8714, -0.0985, -2.2286), 0.6377),
    ]
    for one, two, expected in pairs:
        assert p._ciede2000(one, two) == pytest.approx(expected, abs=1e-4)


def test_simulation_keeps_greys_and_merges_what_it_should() -> None:
    for vision in p.VISIONS:
        assert all(abs(c - 128) <= 1 for c in p.seen((128, 128, 128), vision))
    red, green = (190, 70, 40), (110, 110, 40)
    apart = p.difference(red, green)
    assert p.difference(p.seen(red, "deutan"), p.seen(green, "deutan")) < apart / 2


def test_player_colours_keep_their_distance() -> None:
    assert p.closest(p.OKABE_ITO).distance >= 12
    five = dict(list(p.OKABE_ITO.items())[:5])
    assert p.closest(five).distance >= 19.9
    assert list(p.OKABE_ITO) == ["blue", "yellow", "vermillion", "black", "sky blue", "purple"]


def test_paris_lines_and_shops_keep_their_distance() -> None:
    lines = {f"line {k}": v for k, v in colours.LINES.items()}
    shops = {f"shop {k}": v for k, v in colours.SHOPS.items()}
    assert p.closest(lines).distance >= 14
    assert p.closest(shops).distance >= 20
    assert p.closest({**lines, **shops}).distance >= 12.5


def test_ink_is_readable_on_every_hue() -> None:
    for colour in [*p.HUES.values(), *colours.LINES.values(), *colours.SHOPS.values()]:
        assert p.contrast(p.ink_on(colour), colour) >= 3.9
    assert p.contrast(p.MUTED, p.PAPER) >= 4.5
    assert p.contrast(p.ACT, p.PAPER) >= 4.5


def test_closest_names_the_pair() -> None:
    pair = p.closest({"a": (0, 0, 0), "b": (250, 250, 250), "c": (2, 2, 2)})
    assert {pair.one, pair.two} == {"a", "c"}
    assert pair.vision in p.VISIONS
    assert len(list(combinations(p.VISIONS, 2))) == 6
