"""Players, colours, first seat, setup, texts for everybody (PL-001 to PL-014)."""

from __future__ import annotations

import pytest

from engines.core.errors import SetupError
from engines.core.play import start
from engines.palermo import GAME
from engines.palermo.components import (
    CORNERS,
    JUMPS,
    NAMES,
    PROVENANCE,
    RING,
    SPACE_CELLS,
    STEPS,
    SUPPLY,
    TILES,
    TYPES,
    find_cell,
    place,
    tile_picture,
)
from tests.engines.palermo.positions import city


@pytest.mark.rule("PL-001", "PL-I01")
@pytest.mark.parametrize("seats", [1, 2, 6])
def test_three_to_five_players(seats):
    with pytest.raises(SetupError) as error:
        start(GAME, seats)
    assert error.value.rule == "PL-001"
    assert "3, 4, 5" in error.value.text


@pytest.mark.rule("PL-011", "PL-I02")
def test_colours_differ():
    with pytest.raises(SetupError) as error:
        start(GAME, 3, {"colours": ["green", "green"]})
    assert error.value.rule == "PL-011"
    assert "green is taken" in error.value.text
    assert "red, blue, yellow and black" in error.value.text
    state, _ = start(GAME, 5, {"colours": ["black"]})
    assert sorted(state.colours) == ["black", "blue", "green", "red", "yellow"]
    assert state.colours[0] == "black"


@pytest.mark.rule("PL-011", "PL-012", "PL-010", "PL-014")
@pytest.mark.parametrize(("seats", "chips"), [(3, 11), (4, 8), (5, 7)])
def test_what_everybody_gets(seats, chips):
    state, events = start(GAME, seats)
    view = GAME.view(state, None)
    assert view.to_lay == (chips,) * seats
    assert events[0].args["chips"] == chips
    assert view.pawns == ("fountain",) * seats
    assert view.stones == ("",) * seats
    assert view.scores == (0,) * seats
    assert view.cards == (0,) * seats
    assert view.tiles == ("",) * 36
    assert dict(view.supply) == {"1a": 6, "1b": 6, "2a": 6, "2b": 6, "3": 12}


@pytest.mark.rule("PL-008", "PL-007")
def test_the_host_names_the_youngest_or_a_seat_is_drawn():
    for number in (1, 2, 3):
        state, events = start(GAME, 3, {"youngest": number})
        assert (state.first, state.acting) == (number - 1, number - 1)
        assert "youngest" in GAME.narrate(events[0])
        assert not state.rng.counters, "nothing is drawn"
    with pytest.raises(SetupError) as error:
        start(GAME, 3, {"youngest": 4})
    assert error.value.rule == "PL-008"
    with pytest.raises(SetupError):
        start(GAME, 3, {"youngest": 6})
    state, events = start(GAME, 4, deal={"first": [2]})
    assert (state.first, state.acting) == (2, 2)
    assert "drawn" in GAME.narrate(events[0])
    drawn = {start(GAME, 5, seed=f"{n:02x}")[0].first for n in range(40)}
    assert drawn == {0, 1, 2, 3, 4}


@pytest.mark.rule("PL-003")
def test_everything_is_open():
    state = city()
    shown = [GAME.view(state, viewer) for viewer in (None, 0, 1, 2)]
    import msgspec

    assert len({msgspec.json.encode(msgspec.structs.replace(v, viewer=None)) for v in shown}) == 1
    assert all(GAME.hand(v) is None for v in shown)
    assert GAME.meta.secrets == ""


@pytest.mark.rule("PL-010", "PL-024")
def test_tiles_of_the_supply():
    assert sum(SUPPLY) == 36
    pictures = {
        "1a": "d./#. #d/.. .#/.d ../d#", "1b": "d#/.. .d/.# ../#d #./d.",
        "2a": "d./## #d/#. ##/.d .#/d#", "2b": "d#/.# .d/## #./#d ##/d.",
        "3": "d#/## #d/## ##/#d ##/d#",
    }  # fmt: skip
    for kind, rows in pictures.items():
        shown = [tile_picture(f"{kind}/{q}") for q in ("nw", "ne", "se", "sw")]
        assert shown == rows.split(), kind
    roofs = sum(n * len(TILES[f"{t}/nw"].roofs) for t, n in zip(TYPES, SUPPLY, strict=True))
    assert roofs == 72
    assert "reconstructed" in PROVENANCE["tiles"]
    assert "reconstruction" in GAME.meta.reconstructed


@pytest.mark.rule("PL-070", "PL-071", "PL-060")
def test_the_board():
    """Coordinates of the dossier: ring clockwise from the north-west, four corners."""
    assert len({*RING}) == 52
    assert len(NAMES) == 196
    assert [place(find_cell(n)) for n in ("R1", "R14", "R27", "R40")] == [
        (-1, -1), (12, -1), (12, 12), (-1, 12),
    ]  # fmt: skip
    for ring, city_cell in (
        ("R2", "A1nw"), ("R13", "F1ne"), ("R15", "F1ne"), ("R26", "F6se"), ("R28", "F6se"),
        ("R39", "A6sw"), ("R41", "A6sw"), ("R52", "A1nw"), ("R20", "F3se"),
    ):  # fmt: skip
        assert find_cell(city_cell) in STEPS[find_cell(ring)], (ring, city_cell)
    assert place(find_cell("C4nw")) == (4, 6)
    assert place(find_cell("A1ne")) == (1, 0)
    for corner in CORNERS:
        assert all(n in RING for n in STEPS[corner])
        assert len(STEPS[corner]) == 2
    assert len(JUMPS) == 8
    assert all(jump.between.bit_count() == 12 for jump in JUMPS)
    for cell, steps in enumerate(STEPS):
        x, y = place(cell)
        for other in steps:
            a, b = place(other)
            assert abs(a - x) + abs(b - y) == 1
            assert (a + b + x + y) % 2 == 1
    assert [NAMES[c] for c in SPACE_CELLS[0]] == ["A1nw", "A1ne", "A1se", "A1sw"]


@pytest.mark.rule("PL-130", "PL-131")
def test_hints_stand_in_the_help():
    texts = " ".join(t.text for t in GAME.rules_help())
    hinted = [t for t in GAME.rules_help() if {"PL-130", "PL-131"} & set(t.ids)]
    assert hinted
    assert "narrow" in texts
    assert "points left" in texts or "left over" in texts
    covered = {i for t in GAME.rules_help() for i in t.ids}
    assert len(covered) > 60
