"""The tables of the dossier's section 3 and its checksums, from the data file alone."""

from __future__ import annotations

from collections import Counter

import pytest

from engines.papa_paolo.components import COLOURS, box, exits_of


@pytest.mark.rule("PP-010", "PP-023", "PP-111", "PP-103", "PP-X22")
def test_offers_by_cell() -> None:
    """Section 3.1, written out."""
    four = ["S", "SB", "SE", "SP", "SB", "B", "BE", "BP"]
    four += ["SE", "BE", "E", "EP", "SP", "BP", "EP", "P"]
    three = ["S", "SB", "SEP", "SB", "B", "BEP", "SE", "BE", "EP", "SP", "BP", "EP"]
    two = ["SE", "BE", "EP", "SP", "BP", "EP", "SB", "SB", "SBEP"]
    assert list(box().sides[4].offers) == four
    assert list(box().sides[3].offers) == three
    assert list(box().sides[2].offers) == two


@pytest.mark.rule("PP-053")
def test_stairs() -> None:
    """2(r − 1) + c; 28 spaces, prices sum to 238."""
    prices = box().prices
    assert prices[0] == (1, 2, 3, 4)
    assert prices[6] == (13, 14, 15, 16)
    assert all(prices[r - 1][c - 1] == 2 * (r - 1) + c for r in range(1, 8) for c in range(1, 5))
    assert sum(map(sum, prices)) == 238


@pytest.mark.rule("PP-026")
def test_city_tiles() -> None:
    """84 tiles, 21 a colour, 42 houses a colour, the shapes of section 3.5."""
    tiles = [box().tiles[t] for t in box().deck]
    assert Counter(COLOURS[t.colour] for t in tiles) == dict.fromkeys(COLOURS, 21)
    for colour in range(4):
        assert sum(t.houses for t in tiles if t.colour == colour) == 42
    assert Counter(t.shape for t in tiles) == {
        "cross": 12, "t": 24, "straight": 20, "corner": 20, "dead_end": 8,
    }  # fmt: skip
    assert (box().tiles["B08"].shape, box().tiles["B08"].houses) == ("cross", 2)
    assert (box().tiles["G15"].shape, box().tiles["G15"].houses) == ("t", 3)
    assert [exits_of(mask) for mask in box().tiles["R07"].masks] == ["NE", "ES", "SW", "NW"]


@pytest.mark.rule("PP-035", "PP-003")
def test_town_halves() -> None:
    """Start tiles 1 to 4: gold, blue, red, green, one house, a road from west to east."""
    for number, colour in enumerate(COLOURS, 1):
        half = box().tiles[f"S{number}"]
        assert (COLOURS[half.colour], half.houses, exits_of(half.masks[0])) == (colour, 1, "EW")


@pytest.mark.rule("PP-014", "PP-076", "PP-077")
def test_delivery_tiles() -> None:
    """20 tiles, 106 pizzas in all; A3 = 3 at 2, E3 = 9 at 4."""
    assert len(box().delivery) == 20
    assert sum(pizzas for pizzas, _ in box().delivery.values()) == 106
    assert box().delivery["A3"] == (3, 2)
    assert box().delivery["E3"] == (9, 4)
    assert box().delivery["C1"] == (4, 3)


@pytest.mark.rule("PP-015", "PP-101", "PP-109", "PP-012", "PP-100", "PP-108")
def test_pizzerias_and_coins() -> None:
    """8 pizzerias costing £28, 6 costing £19, 4 costing £13; tips of £17, £14 and £12."""
    sums = {n: sum(c * k for c, k in box().sides[n].pizzerias.items()) for n in (4, 3, 2)}
    assert sums == {4: 28, 3: 19, 2: 13}
    assert {n: sum(box().sides[n].coins) for n in (4, 3, 2)} == {4: 17, 3: 14, 2: 12}
    assert {n: len(box().sides[n].coins) for n in (4, 3, 2)} == {4: 8, 3: 7, 2: 6}
    assert box().capacity == {0: 5, 2: 3, 4: 5, 5: 6}


@pytest.mark.rule("PP-036", "PP-037", "PP-040", "PP-078", "PP-095")
def test_tracks() -> None:
    assert box().finance == (3, 4, 5, 6, 7)
    assert box().market == (0, 1, 2, 3, 4)
    assert box().express == (1, 2, 3, 4, 5)
    assert box().routes == (1, 2, 3, 4, 5)
    assert box().diversity == (0, 1, 2, 3, 4)
    assert box().buy == (2, 3, 5, 7, 9)


@pytest.mark.rule("PP-X23", "PP-119")
def test_large_tile() -> None:
    """Section 3.7; gold low leaves red or green, gold high green or blue."""
    assert box().large == {
        ("gold", "low"): ("red", "green"), ("gold", "high"): ("green", "blue"),
        ("red", "low"): ("green", "blue"), ("red", "high"): ("blue", "gold"),
        ("green", "low"): ("blue", "gold"), ("green", "high"): ("gold", "red"),
        ("blue", "low"): ("gold", "red"), ("blue", "high"): ("red", "green"),
    }  # fmt: skip


def test_every_table_has_a_provenance() -> None:
    assert set(box().provenance) == {
        "lines", "stairs", "delivery", "tracks", "pizzerias", "tiles", "start", "investments",
        "large", "coins",
    }  # fmt: skip
