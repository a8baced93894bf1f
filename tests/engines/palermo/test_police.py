"""Police moves (PL-050, PL-051, PL-085 to PL-095)."""

from __future__ import annotations

import pytest

from engines.palermo import GAME
from engines.palermo.moves import AutoWait, Collect, MoveCell, PoliceCell, PoliceKeep
from tests.engines.palermo.positions import (
    BLUE,
    GREEN,
    RED,
    city,
    does,
    event,
    listed,
    on,
)
from tests.engines.palermo.test_building import refused


def offered(state):
    return {m.cell for m in listed(state, PoliceCell)}


@pytest.mark.rule("PL-X27", "PL-090", "PL-091", "PL-092", "PL-I13", "PL-I15", "PL-I16")
def test_where_a_stone_may_go():
    state = on(city(), RED, stones={BLUE: "C4se"})
    cells = offered(state)
    assert not cells & {"C4ne", "C4sw", "C5ne", "C4se", "C4nw", "C3nw", "C3ne", "C3se", "C3sw"}
    assert cells >= {"C5se", "F6ne", "R27", "D4nw", "F2nw"}
    for cell in ("C4ne", "C4sw", "C5ne"):
        refused(state, PoliceCell(cell), "PL-091", "{seat:1}", "C4se")
    refused(state, PoliceCell("C4se"), "PL-090", "occupied", "{seat:1}")
    refused(state, PoliceCell("C4nw"), "PL-090", "house")
    refused(state, PoliceCell("C3nw"), "PL-092", "Start/Finish")
    refused(state, PoliceCell("R53"), "PL-090", "no such cell")
    played = does(state, PoliceCell("C5se"))
    args = event(played, "police").args
    assert (args["from"], args["to"]) == ("", "C5se"), "the first move puts it on the board"


@pytest.mark.rule("PL-014", "PL-090")
def test_stones_start_beside_the_board_and_go_anywhere():
    state = city()
    assert state.stones == [-1, -1, -1]
    assert GAME.view(state, None).stones == ("", "", "")
    # 196 cells − 33 tiles' roofs; the four Start cells are not allowed, pawns are at the fountain.
    roofs = int(state.roofs, 16).bit_count()
    assert len(offered(state)) == 196 - roofs - 4
    state = does(state, PoliceCell("R52")).state
    state = does(state, MoveCell(listed(state, MoveCell)[0].cell)).state
    assert state.stones[RED] >= 0


@pytest.mark.rule("PL-050", "PL-051", "PL-I12")
def test_once_a_turn_and_before_the_pawn():
    state = on(city(), GREEN)
    state = does(state, PoliceCell("R14")).state
    assert state.acting == GREEN
    assert offered(state) == set()
    refused(state, PoliceCell("R15"), "PL-050", "has moved")
    state = does(state, Collect("C2sw")).state
    assert state.acting == RED
    refused(state, PoliceCell("R15"), "PL-051", "before the pawn", seat=GREEN)
    refused(state, PoliceCell("R15"), "PL-046", "{seat:0}", seat=BLUE)
    direct = does(on(city(), GREEN), Collect("C2sw")).state
    assert direct.stones[GREEN] == -1, "not moved, so it stays"
    refused(direct, PoliceCell("R14"), "PL-051", seat=GREEN)


@pytest.mark.rule("PL-046")
def test_pawns_move_in_turn():
    state = on(city(), RED)
    refused(state, Collect("C2sw"), "PL-046", "{seat:0}", seat=GREEN)
    assert GAME.legal(state, GREEN) == []


@pytest.mark.rule("PL-093", "PL-090", "PL-I14")
def test_pawns_are_in_the_way_the_own_one_too():
    state = on(city(), RED, pawns={RED: "C2nw", BLUE: "R20"})
    assert not offered(state) & {"C2nw", "R20"}
    refused(state, PoliceCell("C2nw"), "PL-093", "Your own pawn")
    refused(state, PoliceCell("R20"), "PL-090", "{seat:1}")


@pytest.mark.rule("PL-I18", "PL-095")
def test_to_another_cell_only():
    state = on(city(), RED, stones={RED: "R14"})
    refused(state, PoliceCell("R14"), "PL-095", "another cell")
    assert "R14" not in offered(state)
    assert "R15" in offered(state), "its own place does not count as a neighbour"
    refused(state, PoliceCell(""), "PL-090")


@pytest.mark.rule("PL-094", "PL-091")
def test_corners_are_not_adjacent_corner_contact_is_allowed():
    state = on(city(), RED, stones={BLUE: "R14"})
    assert {"R1", "R27"} <= offered(state)
    assert not offered(state) & {"R13", "R15"}
    state = on(city(), RED, stones={BLUE: "C2sw"})
    assert "B2ne" in offered(state), "C2sw and B2ne touch at a corner"
    assert "C2nw" not in offered(state)


@pytest.mark.rule("PL-086", "PL-087", "PL-I17")
def test_frozen_stones():
    state = on(city(), BLUE, pawns={RED: "R20"}, stones={BLUE: "R20"})
    assert offered(state) == set()
    refused(state, PoliceCell("R1"), "PL-086", "{seat:0}")
    state = on(city(), BLUE, pawns={BLUE: "R20"}, stones={BLUE: "R20"})
    assert offered(state) == set()
    refused(state, PoliceCell("R1"), "PL-087", "your own pawn")
    assert state.points(BLUE) == 3, "the own stone takes no point"
    state = on(city(), BLUE, pawns={RED: "R21"}, stones={BLUE: "R20"})
    assert len(offered(state)) > 50, "free again when the pawn has left"


@pytest.mark.rule("PL-085")
def test_pawn_and_stone_may_share_a_cell():
    state = on(city(), RED, stones={BLUE: "C2nw"})
    state = does(state, MoveCell("C2nw")).state
    assert state.pawns[RED] == state.stones[BLUE]


@pytest.mark.rule("PL-117", "PL-I28", "PL-119")
def test_players_at_home_move_only_the_stone():
    state = on(city(), RED, home=[RED], stones={RED: "R20"})
    kinds = {type(m) for m in GAME.legal(state, RED)}
    assert kinds == {PoliceCell, PoliceKeep, AutoWait}
    refused(state, MoveCell("C3ne"), "PL-117", "home")
    refused(state, Collect("C1sw"), "PL-117")
    after = does(state, PoliceCell("R1")).state
    assert after.acting == BLUE, "that is the whole turn"
    after = does(state, PoliceKeep()).state
    assert after.acting == BLUE
    assert after.stones[RED] == state.stones[RED]


@pytest.mark.rule("PL-119", "PL-086", "PL-116")
def test_a_frozen_stone_passes_the_turn_of_a_player_at_home():
    state = on(city(), GREEN, home=[RED], pawns={BLUE: "R20"}, stones={RED: "R20"})
    played = does(state, Collect("C2sw"))
    assert played.state.acting == BLUE
    args = event(played, "bonus").args
    assert (args["seat"], args["points"], args["frozen"]) == (RED, 5, BLUE)


@pytest.mark.rule("PL-119")
def test_automatic_waiting():
    state = on(city(), GREEN, home=[RED, BLUE])
    state = does(state, AutoWait(True), seat=BLUE).state
    assert state.acting == GREEN, "switched out of turn"
    assert AutoWait(False) in GAME.legal(state, BLUE)
    refused(state, AutoWait(True), "PL-119", "on already", seat=BLUE)
    refused(state, AutoWait(True), "PL-119", "home", seat=GREEN)
    state = does(state, Collect("C2sw")).state
    assert state.acting == RED
    played = does(state, AutoWait(True))
    assert played.state.acting == GREEN, "Red's turn passes at once, Blue's by itself"
    assert [e.args["seat"] for e in played.events if e.kind == "bonus"] == [BLUE]
    state = does(played.state, AutoWait(False), seat=RED).state
    state = does(state, MoveCell(listed(state, MoveCell)[0].cell)).state
    assert state.acting == RED, "switched off, so Red is asked again"
    assert state.bonus == [10, 5, 0]


@pytest.mark.rule("PL-119")
def test_nobody_waits_while_the_city_is_built():
    from tests.engines.palermo.positions import fresh

    refused(fresh(3, "C3"), AutoWait(True), "PL-119")
