"""Phase 1: building the city (PL-020 to PL-039)."""

from __future__ import annotations

import pytest

from engines.core.errors import IllegalMove, NotYourTurn
from engines.core.play import play, start
from engines.palermo import GAME
from engines.palermo.components import SPACES
from engines.palermo.moves import BuildDoor, PlaceStart, PoliceKeep, Step
from engines.palermo.phases.building import options
from tests.engines.palermo.positions import (
    BLUE,
    CITY_3,
    EMERGENCY_5,
    GREEN,
    RED,
    builds,
    city,
    event,
    fresh,
    listed,
    tile,
)

ROWS = """
.G ## ## ## ## ##
## #B R. G# .B R.
## G. .# R# B. ..
R# ## G# ## #. ..
G# .# ** B# #R #R
.# .B ** .. #. ##
R# ## #. G. ## ##
## #B G. ## #B R#
## ## #. .# #B ##
G# .R #R .B .. #G
## #. ## .. .# #B
#R B. G. .. .G ..
"""


def refused(state, move, rule, *words, seat=None):
    """The move is refused by the rule, and the message says these words."""
    with pytest.raises((IllegalMove, NotYourTurn)) as error:
        play(GAME, state, state.acting if seat is None else seat, move)
    assert error.value.rule == rule, error.value
    for word in words:
        assert word in error.value.text, error.value.text
    return error.value


@pytest.mark.rule("PL-X01", "PL-002", "PL-023", "PL-038", "PL-046", "PL-045")
def test_the_city_of_the_dossier():
    state = fresh(3, "C3")
    for number, word in enumerate(CITY_3.split()):
        assert state.acting == number % 3
        played = builds(state, word)
        assert event(played, "built").args["stage"] == ("free" if number == 0 else "join")
        state = played.state
    assert event(played, "paved").args["spaces"] == ("F2", "D6")
    assert state.walking
    assert state.acting == RED
    assert [state.score(s) for s in range(3)] == [0, 0, 0]
    assert GAME.view(state, None).pawns == ("fountain",) * 3
    from engines.palermo.text import plan

    shown = [row[2:] for row in plan(GAME.view(state, None))[1:]]
    assert shown == ROWS.strip().splitlines()


@pytest.mark.rule("PL-020", "PL-X02", "PL-031", "PL-026", "PL-024")
def test_start_tile_then_any_house():
    state = fresh()
    assert {m.space for m in GAME.legal(state, RED)} == set(SPACES)
    refused(state, tile("C3:3/nw"), "PL-020")
    played = play(GAME, state, RED, PlaceStart("C3"))
    state = played.state
    assert state.acting == RED, "the house is laid in the same turn"
    moves = listed(state, BuildDoor)
    assert len(moves) == 700
    assert options(state).stage == "free"
    assert {m.type for m in moves} == {"1a", "1b", "2a", "2b", "3"}
    assert {m.door for m in moves if m.space == "A1" and m.type == "2b"} == {"nw", "ne", "se", "sw"}
    refused(state, PlaceStart("A1"), "PL-020")


@pytest.mark.rule("PL-X03", "PL-027", "PL-028", "PL-I08", "PL-030", "PL-022")
def test_one_roof_to_join():
    played = builds(fresh(3, "C3"), "D3:1a/ne")
    state = played.state
    assert state.chips[SPACES.index("D3")] == RED
    assert state.acting == BLUE
    moves = listed(state, BuildDoor)
    assert {(m.type, m.door) for m in moves} == {
        ("3", "nw"), ("3", "ne"), ("3", "se"), ("2a", "nw"), ("2a", "ne"), ("2b", "ne"),
        ("2b", "se"), ("1a", "nw"), ("1b", "se"),
    }  # fmt: skip
    assert {m.space for m in moves} == {"D2"}
    assert len(moves) == 9
    error = refused(state, tile("C2:1a/sw"), "PL-028", "corner")
    assert error.choices == ("D2",)
    after = builds(state, "D2:3/nw").state
    assert after.chips[SPACES.index("D2")] == BLUE, "Blue joined Red's house and owns the new door"
    assert after.chips[SPACES.index("D3")] == RED


@pytest.mark.rule("PL-029")
def test_corner_contact_is_harmless_where_an_edge_joins():
    state = fresh(3, "A6", "C3:1a/ne")
    state = builds(state, "C2:1b/se").state  # roofs C3nw and C2sw share an edge
    # C2sw and the roof B3ne touch at a corner, C3nw and B3ne along an edge.
    played = builds(state, "B3:1b/nw")
    assert event(played, "built").args["stage"] == "join"


@pytest.mark.rule("PL-X04", "PL-032", "PL-033")
def test_nothing_can_join():
    state = fresh(3, "C3", "A1:1a/ne")
    assert options(state).stage == "free"
    assert len(listed(state, BuildDoor)) == 680
    played = builds(state, "F6:2a/nw")
    assert event(played, "built").args["stage"] == "free"
    assert "free to choose" in GAME.narrate(event(played, "built"))


@pytest.mark.rule("PL-I07", "PL-027", "PL-033")
def test_must_join_while_one_can():
    state = fresh(3, "C3", "D3:1a/ne")
    error = refused(state, tile("F6:3/nw"), "PL-027", "must join", "D2")
    assert error.choices == ("D2",)
    refused(state, tile("F6:2b/nw"), "PL-027")
    assert all(m.space == "D2" for m in listed(state, BuildDoor)), (
        "one joining placement is enough to rule out all others"
    )


@pytest.mark.rule("PL-X05", "PL-034", "PL-I09")
def test_doors_stay_open():
    state = fresh(3, "C3", "D3:3/se D4:2b/sw")
    refused(state, tile("E3:3/ne"), "PL-034", "D3se")
    refused(state, tile("E3:2b/se"), "PL-034", "D3se")
    assert event(builds(state, "E3:3/sw"), "built").args["stage"] == "join"
    legal = {(m.type, m.door) for m in listed(state, BuildDoor) if m.space == "E3"}
    assert ("3", "sw") in legal
    assert not legal & {("3", "ne"), ("2b", "se")}


@pytest.mark.rule("PL-X06", "PL-035", "PL-I10")
def test_no_closed_courtyards():
    state = fresh(3, "F6", "A2:2b/nw A1:2b/nw B1:2b/ne C1:2a/ne C2:2a/ne C3:2a/ne")
    refused(state, tile("B3:2a/se"), "PL-035", "B2")
    assert event(builds(state, "B3:2b/nw"), "built").args["stage"] == "join"


@pytest.mark.rule("PL-036")
def test_even_a_free_tile_may_wall_nothing_in():
    """Stage free, and still a new door must find a way out: F1 is closed from two sides."""
    state = fresh(5, "A3", EMERGENCY_5)
    assert options(state).stage == "street"
    refused(state, tile("E1:3/nw"), "PL-034")
    refused(state, tile("C5:3/nw"), "PL-034")


@pytest.mark.rule("PL-X07", "PL-037", "PL-039")
def test_emergency_street_tile():
    state = fresh(5, "A3", EMERGENCY_5)
    moves = listed(state, BuildDoor)
    assert len(moves) == 12
    assert {m.space for m in moves} == {"C5", "E1", "E3"}
    assert {m.type for m in moves} == {"street"}
    assert {m.door for m in moves} == {"nw", "ne", "se", "sw"}
    assert state.supply == [0, 0, 0, 0, 4]
    seat = state.acting
    played = builds(state, "E3:street/se")
    state = played.state
    assert state.chips[SPACES.index("E3")] == seat
    assert event(played, "built").args["door"] == "E3se"
    assert state.supply == [0, 0, 0, 0, 4], "street tiles come on top of the supply"
    for word in ("C5:street/nw", "E1:street/ne"):
        state = builds(state, word).state
    assert state.walking
    assert all(state.tiles)
    from engines.palermo.phases import trips

    assert {trips.door_cell(state.tiles[s], s) for s in range(36) if state.chips[s] == seat} >= {
        trips.door_cell("street/se", SPACES.index("E3"))
    }, "its doorway is an ordinary own doorway"


@pytest.mark.rule("PL-I11", "PL-037")
def test_no_street_tile_while_a_house_fits():
    refused(fresh(3, "C3"), tile("D3:street/nw"), "PL-037", "House tiles still fit")
    refused(fresh(3, "C3", "D3:3/nw"), tile("D4:street/nw"), "PL-037")


@pytest.mark.rule("PL-I03", "PL-007", "PL-023")
def test_building_out_of_turn():
    state = fresh(3, "C3", "D3:3/se")
    for seat in (RED, GREEN):
        refused(state, tile("D4:3/nw"), "PL-023", "{seat:1}", seat=seat)
        assert GAME.legal(state, seat) == []
    assert builds(state, "D4:2b/sw").state.acting == GREEN
    late, _ = start(GAME, 3, {"youngest": 3})
    assert late.acting == GREEN, "the youngest begins"
    late = play(GAME, late, GREEN, PlaceStart("C3")).state
    assert builds(late, "D3:3/se").state.acting == RED, "the first seat follows the last"


@pytest.mark.rule("PL-I04", "PL-023")
def test_nobody_passes():
    state = fresh(3, "C3", "D3:3/se")
    refused(state, BuildDoor(), "PL-023", "must be laid")
    refused(state, PoliceKeep(), "PL-023", "must be laid")
    refused(state, Step("C3nw"), "PL-002")


@pytest.mark.rule("PL-I05", "PL-024")
def test_supply_runs_out():
    state = fresh(5, "A3", " ".join(EMERGENCY_5.split()[:12]))
    assert state.supply == [0, 0, 6, 6, 12]
    error = refused(state, tile("B3:1a/nw"), "PL-024", "2a (6 left)")
    assert error.choices == ("2a (6 left)", "2b (6 left)", "3 (12 left)")
    assert {m.type for m in listed(state, BuildDoor)} <= {"2a", "2b", "3"}
    refused(state, tile("B3:4/nw"), "PL-024")


@pytest.mark.rule("PL-I06", "PL-026")
def test_spaces_are_taken_for_good():
    state = fresh(3, "C3", "D3:3/se")
    refused(state, tile("C3:3/nw"), "PL-026", "C3")
    error = refused(state, tile("D3:1a/nw"), "PL-026", "D3")
    assert "D3" not in error.choices
    assert "D4" in error.choices
    refused(state, tile("G7:1a/nw"), "PL-026")
    refused(state, tile("D4:1a/up"), "PL-026", "nw, ne, se or sw")


@pytest.mark.rule("PL-038", "PL-012", "PL-022")
@pytest.mark.parametrize(("seats", "chips", "rest"), [(3, 11, 2), (4, 8, 3), (5, 7, 0)])
def test_how_many_tiles(seats, chips, rest):
    """Everybody lays as many tiles as chips; what is left of 36 spaces becomes street."""
    state, _ = start(GAME, seats, {"youngest": 1})
    count = 0
    state = play(GAME, state, RED, PlaceStart("D4")).state
    while not state.walking:
        played = play(GAME, state, state.acting, GAME.safest(state, state.acting))
        state = played.state
        count += 1
    assert count == seats * chips
    assert [state.builders.count(seat) for seat in range(seats)] == [chips] * seats
    assert len(event(played, "paved").args["spaces"]) == rest
    assert sum(name == "street" for name in state.tiles) == rest


@pytest.mark.rule("PL-046", "PL-002")
def test_no_building_after_the_city_is_built():
    state = city()
    refused(state, tile("D6:3/nw"), "PL-002")
    refused(state, PlaceStart("D6"), "PL-002")


@pytest.mark.rule("PL-021")
@pytest.mark.parametrize("where", ["A1", "F6", "C4"])
def test_the_fountain_lies_on_the_start_tile(where):
    state = fresh(3, where)
    while not state.walking:
        state = play(GAME, state, state.acting, GAME.safest(state, state.acting)).state
    begin = {m.cell for m in GAME.legal(state, RED) if isinstance(m, Step)}
    assert begin <= {where + q for q in ("nw", "ne", "se", "sw")}
    assert begin
