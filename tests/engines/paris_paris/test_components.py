"""Board, tiles and parts against the dossier's tables (PR-002 to PR-008)."""

from __future__ import annotations

import pytest

from engines.core.errors import InvariantError
from engines.paris_paris import GAME
from engines.paris_paris.components import _check, board, tile_parts
from engines.paris_paris.tours import grand_tour
from tests.engines.paris_paris.positions import letters

LINES = {
    "green": "montmartre* gare-du-nord st-nicolas pompidou* hotel-de-ville* notre-dame "
    "quartier-latin*",
    "red": "la-villette montmartre* pigalle opera* concorde* invalides montparnasse*",
    "blue": "bastille* place-des-vosges pompidou* pont-neuf* louvre concorde* champs-elysees",
    "grey": "gare-de-lyon bastille* hotel-de-ville* odeon* luxembourg montparnasse* tour-eiffel",
    "orange": "jardin-des-plantes quartier-latin* odeon* pont-neuf* les-halles opera* st-lazare",
}
"""The dossier's table of lines; * is a crossing."""

TILES = """
montmartre green 1 red 2 / gare-du-nord green 2 / st-nicolas green 2 / pompidou green 2 blue 2 /
hotel-de-ville green 2 grey 2 / notre-dame green 2 / quartier-latin green 1 orange 2 /
la-villette red 1 / pigalle red 2 / opera red 2 orange 2 / concorde red 2 blue 2 / invalides red 2 /
montparnasse red 1 grey 2 / bastille blue 1 grey 2 / place-des-vosges blue 2 /
pont-neuf blue 2 orange 2 / louvre blue 2 / champs-elysees blue 1 / gare-de-lyon grey 1 /
odeon grey 2 orange 2 / luxembourg grey 2 / tour-eiffel grey 1 / jardin-des-plantes orange 1 /
les-halles orange 2 / st-lazare orange 1
"""
"""The dossier's column “tiles by colour”."""


def tile_table() -> dict[str, dict[str, int]]:
    table = {}
    for row in TILES.split("/"):
        stop, *words = row.split()
        table[stop] = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    return table


@pytest.mark.rule("PR-002")
def test_material() -> None:
    parts = board()
    assert len(parts.tiles) == 60
    assert parts.shops == 20
    assert parts.shops * len(GAME.meta.colours) == 80
    assert GAME.meta.colours == ("grey", "violet", "yellow", "green")
    assert [line.number for line in parts.lines.values()] == [1, 2, 3, 4, 5]
    assert parts.p_row == 6
    assert parts.track == 46


@pytest.mark.rule("PR-003")
def test_lines_and_crossings() -> None:
    parts = board()
    assert list(parts.lines) == list(LINES)
    assert len(parts.stops) == 25
    for colour, row in LINES.items():
        words = row.split()
        assert [w.rstrip("*") for w in words] == list(parts.lines[colour].stops)
        for word in words:
            stop = parts.stops[word.rstrip("*")]
            assert stop.crossing == word.endswith("*")
            assert stop.places == (2 if stop.crossing else 1)
    crossings = [s for s in parts.stops.values() if s.crossing]
    assert len(crossings) == 10
    assert all(len(s.lines) == 2 for s in crossings)
    assert sum(s.places for s in parts.stops.values()) == 35
    for one in LINES:
        for two in LINES:
            if one < two:
                common = set(parts.lines[one].stops) & set(parts.lines[two].stops)
                assert len(common) == 1, f"{one} and {two} share one stop"


@pytest.mark.rule("PR-004")
def test_a_shop_at_a_crossing_is_on_both_lines() -> None:
    """One shop at Odéon is stopped at by the grey bus and by the orange one, by no other."""
    tours = {
        line: letters({owner: n for _, owner, n in grand_tour({"odeon": (0,)}, line)})
        for line in LINES
    }
    assert tours == {"green": {}, "red": {}, "blue": {}, "grey": {"A": 1}, "orange": {"A": 1}}


@pytest.mark.rule("PR-005")
def test_neighbours() -> None:
    stops = board().stops
    assert set(stops["odeon"].neighbours) == {
        "hotel-de-ville", "luxembourg", "quartier-latin", "pont-neuf",
    }  # fmt: skip
    assert set(stops["montmartre"].neighbours) == {"gare-du-nord", "la-villette", "pigalle"}
    assert set(stops["louvre"].neighbours) == {"pont-neuf", "concorde"}
    assert set(stops["tour-eiffel"].neighbours) == {"montparnasse"}
    counts = [len(s.neighbours) for s in stops.values()]
    assert [counts.count(n) for n in (1, 2, 3, 4)] == [6, 9, 4, 6]
    assert all(len(s.neighbours) in ((3, 4) if s.crossing else (1, 2)) for s in stops.values())
    assert all(a.id in stops[b].neighbours for a in stops.values() for b in a.neighbours)


@pytest.mark.rule("PR-006")
def test_distance_counts_positions_on_a_line() -> None:
    near = {d: set(stops) for d, stops in board().near["louvre"]}
    assert near == {
        1: {"pont-neuf", "concorde"},
        2: {"pompidou", "champs-elysees"},
        3: {"place-des-vosges"},
        4: {"bastille"},
    }
    assert dict(board().near["gare-de-lyon"])[6] == ("tour-eiffel",)
    # Les Halles lies 90 points from Pont Neuf in the picture and Opéra 163: both are one stop away.
    assert set(dict(board().near["les-halles"])[1]) == {"pont-neuf", "opera"}


@pytest.mark.rule("PR-007")
def test_tiles_show_a_stop_and_a_line_through_it() -> None:
    assert len(board().kinds) == 35
    for tile in board().tiles:
        stop, colour = tile_parts(tile)
        assert stop in [w.rstrip("*") for w in LINES[colour].split()]


@pytest.mark.rule("PR-008")
def test_tile_distribution() -> None:
    table = tile_table()
    assert sum(sum(row.values()) for row in table.values()) == 60
    tiles = list(board().tiles)
    for stop, row in table.items():
        found = {c: tiles.count(f"{stop}/{c}") for c in LINES if f"{stop}/{c}" in tiles}
        assert found == row
        place = board().stops[stop]
        assert sum(row.values()) == len(place.neighbours)
        assert sum(row.values()) in ((3, 4) if place.crossing else (1, 2))
    for colour in LINES:
        assert sum(t.endswith(f"/{colour}") for t in tiles) == 12


def test_full_board_of_one_player() -> None:
    """The dossier's calculator test: all 35 places taken by one player."""
    full = {s.id: (0,) * s.places for s in board().stops.values()}
    totals = {line: sum(n for _, _, n in grand_tour(full, line)) for line in LINES}
    assert totals == {"green": 28, "red": 24, "blue": 29, "grey": 29, "orange": 30}


def test_a_wrong_table_is_noticed() -> None:
    import msgspec

    short = msgspec.structs.replace(board(), tiles=board().tiles[:-1])
    with pytest.raises(InvariantError, match=r"board\.toml"):
        _check(short)


def test_table_order_is_the_order_of_the_draw() -> None:
    """PR-019 lists tiles by stop table and line order; the shuffle starts from that list."""
    assert board().tiles[:3] == ("montmartre/green", "montmartre/red", "montmartre/red")
    assert board().tiles[7:11] == ("pompidou/green",) * 2 + ("pompidou/blue",) * 2
    assert board().tiles[-4:] == (
        "jardin-des-plantes/orange", "les-halles/orange", "les-halles/orange", "st-lazare/orange",
    )  # fmt: skip
