"""Pawn moves in CITY-3 (PL-047 to PL-084, PL-100 to PL-113)."""

from __future__ import annotations

import pytest

from engines.core.errors import IllegalMove
from engines.palermo import GAME
from engines.palermo.components import SPACES
from engines.palermo.moves import Collect, Finish, MoveCell, PoliceCell, Step, Walk
from tests.engines.palermo.positions import (
    BLUE,
    GREEN,
    RED,
    city,
    does,
    ends,
    event,
    exact_and_back,
    listed,
    names,
    on,
    passes,
    stops,
    walks,
)
from tests.engines.palermo.test_building import refused


@pytest.mark.rule("PL-X08", "PL-055", "PL-101", "PL-056")
def test_greens_first_move():
    state = on(city(), GREEN)
    assert stops(state) == {"C2sw": 2, "C4sw": 0, "D4nw": 1}
    played = does(state, Collect("C2sw"))
    args = event(played, "collected").args
    assert args["path"] == ("C3nw", "C2sw")
    assert (args["points"], args["spent"], args["next"]) == (2, 1, 4)
    after = played.state
    assert after.score(GREEN) == 2
    assert after.points(GREEN) == 4
    assert after.cards[GREEN] == 1
    assert after.acting == RED


@pytest.mark.rule("PL-X09", "PL-102", "PL-100", "PL-049", "PL-048")
def test_reds_first_move_pays_nothing():
    state = on(city(), RED)
    played = does(state, Collect("C1sw"))
    args = event(played, "collected").args
    assert args["path"] == ("C3nw", "C2sw", "C2nw", "C1sw")
    assert args["points"] == 0
    after = played.state
    assert after.chips[SPACES.index("C1")] == -1
    assert (after.score(RED), after.points(RED), after.chips.count(RED)) == (0, 4, 10)


@pytest.mark.rule("PL-X10", "PL-103", "PL-056", "PL-I23")
def test_blues_first_move_collects_one_chip_only():
    state = on(city(), BLUE)
    assert stops(state) == {"B3se": 2, "D3nw": 2}
    for door in ("B3se", "D3nw"):
        after = does(state, Collect(door)).state
        assert after.acting == GREEN, "the stop ends the move"
        assert after.points(BLUE) == 4
        refused(after, MoveCell("C3nw"), "PL-046", seat=BLUE)
    # Walking on over the doorway with the point that the chip would bring.
    refused(state, Walk(("C3sw", "B3se", "C3sw", "C3nw", "C3ne")), "PL-056", "next turn")


@pytest.mark.rule("PL-X11", "PL-062", "PL-060", "PL-061", "PL-063")
def test_red_on_d2nw():
    state = on(city(), RED, pawns={RED: "D2nw"}, taken={RED: 1}, gone={RED: ["D2nw"]})
    assert stops(state) == {"C1sw": 1}
    assert exact_and_back(state) == ({"D2nw", "C1se", "B1se", "C2nw"}, set())
    back = event(does(state, MoveCell("D2nw")), "moved").args["path"]
    assert back[0] == back[-1] == "D2nw"
    assert len(back) == 5, "four steps there and back, a cell entered more than once"


@pytest.mark.rule("PL-X12", "PL-062", "PL-I19", "PL-105")
def test_red_on_c1sw():
    state = on(city(), RED, pawns={RED: "C1sw"}, taken={RED: 1}, gone={RED: ["C1sw"]})
    assert stops(state) == {"D2nw": 1}
    assert exact_and_back(state) == ({"C1sw", "D1sw", "B2ne", "C2sw", "C3ne", "C3sw"}, set())
    refused(state, MoveCell("C3nw"), "PL-062", "1 point would be left")
    refused(state, MoveCell("C2nw"), "PL-062", "3 points would be left")
    refused(state, Walk(("C2nw", "C2sw", "C3nw")), "PL-062", "1 point is left to spend")


@pytest.mark.rule("PL-X13", "PL-080", "PL-081")
def test_a_stone_on_the_way():
    red = {"pawns": {RED: "C3nw"}, "taken": {RED: 1}, "keep": {RED: ["C1sw"]}}
    assert stops(on(city(), RED, **red))["C1sw"] == 1
    assert stops(on(city(), RED, **red, stones={BLUE: "C2nw"}))["C1sw"] == 0
    assert stops(on(city(), RED, **red, stones={RED: "C2nw"}))["C1sw"] == 1
    played = does(on(city(), RED, **red, stones={BLUE: "C2nw"}), Collect("C1sw"))
    assert event(played, "collected").args["points"] == 0


@pytest.mark.rule("PL-X14", "PL-082", "PL-080", "PL-I22", "PL-055")
def test_ending_on_a_stone():
    state = on(city(), RED, stones={BLUE: "C2nw"})
    assert "C1sw" not in stops(state)
    refused(state, Collect("C1sw"), "PL-055", "you have 3 points and need 4")
    refused(state, Walk(("C3nw", "C2sw", "C2nw", "C1sw")), "PL-055", "needs 4", "have 3")
    assert "C2nw" in exact_and_back(state)[0]
    played = does(state, MoveCell("C2nw"))
    args = event(played, "moved").args
    assert args["path"] == ("C3nw", "C2sw", "C2nw")
    assert (args["stone"], args["spent"], args["lapsed"]) == (BLUE, 3, 0)
    assert "1 point less" in GAME.narrate(event(played, "moved"))


@pytest.mark.rule("PL-X15", "PL-057", "PL-084", "PL-086", "PL-I17")
def test_the_penalty_carries_into_the_next_turn():
    state = on(city(), RED, stones={BLUE: "C2nw"})
    state = does(state, MoveCell("C2nw")).state
    assert state.acting == BLUE
    assert listed(state, PoliceCell) == []
    refused(state, PoliceCell("R14"), "PL-086", "{seat:0}")
    state = does(state, Collect("B3se")).state
    state = does(state, Collect("D4nw")).state
    assert state.acting == RED
    assert state.points(RED) == 2
    assert stops(state) == {"C1sw": 1}
    assert exact_and_back(state) == ({"B2nw", "B1se", "C1se", "C3nw"}, {"B2ne", "C2sw"})
    state = does(state, Collect("C1sw")).state
    assert (state.score(RED), state.points(RED)) == (1, 4)
    assert len(listed(state, PoliceCell)) > 50, "Blue's stone is free again"


@pytest.mark.rule("PL-X16", "PL-083", "PL-067", "PL-I25")
def test_staying_back_from_a_stone():
    state = on(city(), RED, pawns={RED: "C3ne"}, stones={BLUE: "C2nw"})
    exact, back = exact_and_back(state)
    assert "C2sw" in back
    assert "C2nw" not in exact | back
    refused(state, MoveCell("C2nw"), "PL-083", "needs 2 points")
    for played in (walks(state, "C3nw C2sw C2nw"), does(state, MoveCell("C2sw"))):
        args = event(played, "moved").args
        assert (args["cell"], args["lapsed"], args["points"]) == ("C2sw", 1, 0)
        after = played.state
        assert after.points(RED) == 3, "no penalty"
        assert after.frozen_by(BLUE) is None
        assert after.score(RED) == 0


@pytest.mark.rule("PL-X17", "PL-066", "PL-065", "PL-I24")
def test_staying_back_from_a_pawn():
    state = on(city(), RED, pawns={RED: "C3ne", GREEN: "C2nw"})
    exact, back = exact_and_back(state)
    assert "C2sw" in back
    assert "C2nw" not in exact | back
    refused(state, MoveCell("C2nw"), "PL-065", "{seat:2}")
    played = walks(state, "C3nw C2sw C2nw")
    assert event(played, "moved").args["cell"] == "C2sw"
    assert event(played, "moved").args["lapsed"] == 1
    exact, back = exact_and_back(on(city(), RED, pawns={RED: "C3ne"}))
    assert "C2nw" in exact
    assert "C2sw" not in exact | back


@pytest.mark.rule("PL-X18", "PL-085", "PL-064")
def test_a_pawn_on_a_stone_may_be_passed_for_two():
    pieces = {"pawns": {RED: "C3nw", GREEN: "C2nw"}, "stones": {BLUE: "C2nw"}}
    state = on(city(), RED, **pieces)
    exact, back = exact_and_back(state)
    assert "C2nw" not in exact | back
    assert "C1sw" not in stops(state)
    state = on(city(), RED, **pieces, taken={RED: 1}, keep={RED: ["C1sw"]})
    assert stops(state)["C1sw"] == 0
    assert walks(state, "C2sw C2nw C1sw").state.score(RED) == 0


@pytest.mark.rule("PL-X19", "PL-088", "PL-057", "PL-086")
def test_a_stone_on_an_own_doorway():
    state = on(city(), RED, pawns={RED: "C2nw"}, stones={BLUE: "C1sw"})
    assert stops(state)["C1sw"] == 1
    state = does(state, Collect("C1sw")).state
    assert (state.score(RED), state.points(RED)) == (1, 3)
    assert state.frozen_by(BLUE) == RED
    assert listed(state, PoliceCell) == []


@pytest.mark.rule("PL-X20", "PL-107", "PL-064", "PL-I24")
def test_a_pawn_on_an_own_doorway():
    state = on(city(), RED, pawns={RED: "C2nw", GREEN: "C1sw"})
    assert "C1sw" not in stops(state)
    refused(state, Collect("C1sw"), "PL-107", "{seat:2}")
    assert "D1sw" in exact_and_back(state)[0]
    assert event(walks(state, "C1sw C1se D1sw"), "moved").args["cell"] == "D1sw"


@pytest.mark.rule("PL-X21", "PL-071", "PL-072", "PL-070", "PL-073")
def test_a_corner_jump():
    blue = {"pawns": {BLUE: "R14"}, "taken": {BLUE: 2}, "keep": {BLUE: ["F6ne"]}}
    state = on(city(), BLUE, **blue)
    assert stops(state) == {"F6ne": 1}
    args = event(does(state, Collect("F6ne")), "collected").args
    assert args["path"] == ("R14", "R27", "R26", "R25", "F6ne")
    assert args["points"] == 1
    # A pawn between the corners does not matter.
    crowded = {**blue, "pawns": {BLUE: "R14", RED: "R20"}}
    assert stops(on(city(), BLUE, **crowded)) == {"F6ne": 1}
    # Step by step along the side it is 11 steps to R25 and one to the doorway.
    side = [f"R{k}" for k in range(15, 26)]
    refused(state, Walk((*side, "F6ne")), "PL-055", "needs 12", "have 5")


@pytest.mark.rule("PL-X22", "PL-073", "PL-080", "PL-081")
@pytest.mark.parametrize(
    ("stones", "income"),
    [({RED: "R20"}, 0), ({RED: "R27"}, 0), ({BLUE: "R20"}, 1), ({RED: "R20", GREEN: "R22"}, None)],
)
def test_stones_under_a_jump(stones, income):
    state = on(city(), BLUE, pawns={BLUE: "R14"}, taken={BLUE: 2}, keep={BLUE: ["F6ne"]},
               stones=stones)  # fmt: skip
    assert stops(state).get("F6ne") == income


@pytest.mark.rule("PL-X23", "PL-072", "PL-070", "PL-I26")
def test_costs_on_the_ring():
    def left(begin, end):
        state = on(city(), RED, pawns={RED: begin}, taken={RED: 7})
        found = ends(state)
        return 10 - max(r for r, layer in enumerate(found.layers) if end in names(layer))

    assert left("R1", "R27") == 2
    assert left("R1", "R40") == 1
    assert left("R2", "R14") == 2
    assert left("R2", "R1") == 1
    state = on(city(), RED, pawns={RED: "R1"})
    refused(state, Walk(("R27", "R28", "R29")), "PL-072", "next corner")
    state = on(city(), RED, pawns={RED: "R2"})
    refused(state, Walk(("R14", "R15", "R16")), "PL-071", "no jump")
    assert event(walks(state, "R1 R14 R15"), "moved").args["cell"] == "R15"


@pytest.mark.rule("PL-X24", "PL-111", "PL-112", "PL-110", "PL-114")
@pytest.mark.parametrize("green", [None, "C3se"])
def test_coming_home(green):
    pawns = {RED: "C4ne"} | ({GREEN: green} if green else {})
    state = on(city(), RED, pawns=pawns, taken={RED: 11})
    assert state.points(RED) == 14
    assert ends(state).finish == 13
    assert listed(state, Finish) == [Finish()]
    played = does(state, Finish())
    args = event(played, "finished").args
    assert (args["points"], args["path"]) == (13, ("C4ne", "C3se"))
    after = played.state
    assert after.home[RED]
    assert after.score(RED) == 13
    assert GAME.view(after, None).pawns[RED] == "fountain"
    assert walks(state, "C3se").state.score(RED) == 13
    refused(state, Walk(("C3se", "C3sw")), "PL-112", "home")


@pytest.mark.rule("PL-111")
def test_coming_home_with_the_last_point():
    state = on(city(), RED, pawns={RED: "D4nw"}, taken={RED: 11})
    played = walks(state, "C4ne D4nw " * 6 + "C4ne C3se")
    args = event(played, "finished").args
    assert (args["spent"], args["points"]) == (14, 0)
    assert played.state.home[RED]
    assert played.state.score(RED) == 0


@pytest.mark.rule("PL-X28", "PL-069", "PL-058")
def test_no_end_at_all():
    state = on(city(), BLUE, pawns={BLUE: "D2nw", RED: "D1sw", GREEN: "C1se"},
               stones={GREEN: "D2nw"})  # fmt: skip
    assert state.points(BLUE) == 2
    assert ends(state).stuck
    pawn = [m for m in GAME.legal(state, BLUE) if not isinstance(m, PoliceCell)]
    assert pawn == [MoveCell("stay")]
    refused(state, MoveCell("C1sw"), "PL-069")
    played = does(state, MoveCell("stay"))
    assert event(played, "stayed").args == {"seat": BLUE, "cell": "D2nw", "points": 2}
    after = played.state
    assert after.pawns[BLUE] == state.pawns[BLUE]
    assert after.points(BLUE) == 2, "the lapsed points do not come back"


@pytest.mark.rule("PL-052", "PL-062", "PL-I29")
def test_the_pawn_must_move():
    from engines.palermo.moves import PoliceKeep

    state = on(city(), RED, pawns={RED: "C3ne"})
    refused(state, PoliceKeep(), "PL-052", "must move")
    refused(state, MoveCell("stay"), "PL-062", "must")
    refused(state, Walk(()), "PL-060")


@pytest.mark.rule("PL-I20", "PL-105")
def test_stopping_early_only_at_an_own_open_doorway():
    state = on(city(), GREEN, pawns={GREEN: "C3nw"})
    refused(state, MoveCell("B3se"), "PL-105", "not your open business", "1 point left")
    refused(state, Collect("B3se"), "PL-105", "not your open business", "C2sw")
    taken = on(city(), GREEN, pawns={GREEN: "C3ne"}, taken={GREEN: 1}, gone={GREEN: ["C2sw"]})
    assert taken.points(GREEN) == 4
    assert "C2sw" in exact_and_back(taken)[0], "an emptied doorway is an ordinary street cell"
    refused(taken, Collect("C2sw"), "PL-105", "not your open business")
    refused(taken, Walk(("C3nw", "C2sw")), "PL-062", "2 points are left")
    taken = on(city(), GREEN, pawns={GREEN: "C3nw"}, taken={GREEN: 1}, gone={GREEN: ["C2sw"]})
    refused(taken, MoveCell("C2sw"), "PL-105", "3 points left")


@pytest.mark.rule("PL-I21", "PL-060", "PL-061")
def test_no_diagonal_steps_and_no_houses():
    state = on(city(), RED, pawns={RED: "C3nw"})
    refused(state, Walk(("C3se", "C4ne", "C3se")), "PL-060", "do not share an edge")
    refused(state, Walk(("C2se", "C2ne", "C1se")), "PL-061", "house")
    refused(state, Walk(("C3ne", "Z9xx")), "PL-060", "no such cell")
    refused(state, MoveCell("C4nw"), "PL-061", "house")


@pytest.mark.rule("PL-I27", "PL-110", "PL-113", "PL-106")
def test_no_way_home_with_open_businesses():
    state = on(city(), RED, pawns={RED: "C4ne"}, taken={RED: 10}, keep={RED: ["C1sw"]})
    assert listed(state, Finish) == []
    refused(state, Finish(), "PL-110", "C1sw")
    exact, _ = exact_and_back(state)
    assert "C3nw" in exact | {"C3nw"}
    assert exact & {"C3nw", "C3ne", "C3se", "C3sw"}, "Start cells are ordinary street cells"
    cell = sorted(exact & {"C3nw", "C3ne", "C3se", "C3sw"})[0]
    after = does(state, MoveCell(cell)).state
    assert not after.home[RED]
    assert GAME.view(after, None).pawns[RED] == cell, "it occupies that cell"
    # Businesses may be visited in any order: a later one of Red's is offered as well.
    assert len(stops(on(city(), GREEN))) == 3


@pytest.mark.rule("PL-104", "PL-063")
def test_own_doorways_may_be_crossed():
    state = on(city(), GREEN)
    played = walks(state, "C3nw C2sw C2nw C2sw")
    assert event(played, "collected").args["points"] == 0, "ending there always collects"
    state = on(city(), GREEN, taken={GREEN: 1}, keep={GREEN: ["C2sw", "D4nw"]})
    played = walks(state, "C3nw C2sw C2nw C2sw C3nw")
    assert event(played, "moved").args["cell"] == "C3nw"
    assert played.state.chips.count(GREEN) == 10


@pytest.mark.rule("PL-048", "PL-049", "PL-047")
def test_the_first_move_begins_on_any_start_cell():
    state = on(city(), RED, pawns={BLUE: "C3nw"})
    assert {m.cell for m in listed(state, Step)} == {"C3nw", "C3ne", "C3se", "C3sw"}
    played = does(state, Step("C3nw"))
    assert event(played, "stepped").args["left"] == 3, "free, though Blue's pawn stands there"
    refused(state, Walk(("C2sw", "C2nw", "C1sw")), "PL-048", "Start cell")
    chosen = does(state, MoveCell("C3ne", "sw"))
    assert event(chosen, "moved").args["path"][0] == "C3sw"
    refused(state, MoveCell("C3ne", "north"), "PL-048")
    later = on(city(), RED, pawns={RED: "C3ne"})
    refused(later, MoveCell("C3nw", "nw"), "PL-048", "first move only")
    # All three pawns may stand at the fountain: nobody is in the way there.
    assert on(city(), RED).pawns == [-1, -1, -1]
    assert ends(on(city(), RED)).exact


@pytest.mark.rule("PL-068", "PL-067")
def test_staying_back_on_an_own_doorway_is_a_stop():
    state = on(city(), GREEN, pawns={GREEN: "C3ne", RED: "C2nw"})
    # C3nw, C2sw (own doorway, 1 left), last point aimed at Red's pawn on C2nw.
    played = walks(state, "C3nw C2sw C2nw")
    assert event(played, "collected").args["points"] == 1
    assert exact_and_back(state)[1] & {"C2sw"} == set(), "a STOP, not offered as BACK"
    assert stops(state)["C2sw"] == 1


@pytest.mark.rule("PL-067")
def test_staying_back_needs_a_step_and_a_free_cell():
    state = on(city(), RED, pawns={RED: "C3ne", GREEN: "C2nw", BLUE: "C2sw"})
    assert "C2sw" not in exact_and_back(state)[1], "Blue's pawn stands where Red would stay"
    refused(state, Walk(("C3nw", "C2sw", "C2nw")), "PL-067")
    refused(state, Walk(("C3nw", "C2sw")), "PL-062")


@pytest.mark.rule("PL-067", "PL-066")
def test_a_blocked_corner_counts_as_blocked_unless_a_stone_lies_between():
    state = on(city(), RED, pawns={RED: "R4", BLUE: "R14"})
    assert "R1" not in exact_and_back(state)[1], "R1 needs all three points: none is left to aim"
    state = on(city(), RED, pawns={RED: "R3", BLUE: "R14"})
    assert "R1" in exact_and_back(state)[1], "1 point left on R1, R14 is blocked"
    assert event(walks(state, "R2 R1 R14"), "moved").args["cell"] == "R1"
    state = on(city(), RED, pawns={RED: "R3", BLUE: "R14"}, stones={GREEN: "R8"})
    assert "R1" not in exact_and_back(state)[1], "too dear because of the stone: no aim"
    with pytest.raises(IllegalMove):
        walks(state, "R2 R1 R14")


@pytest.mark.rule("PL-065", "PL-113", "PL-112")
def test_a_pawn_on_a_start_cell_blocks_others_but_no_homecoming():
    state = on(city(), RED, pawns={RED: "C2nw", GREEN: "C3nw"})
    refused(state, MoveCell("C3nw"), "PL-065", "{seat:2}")
    state = on(city(), RED, pawns={RED: "C2sw", GREEN: "C3nw"}, taken={RED: 11})
    assert event(does(state, Finish()), "finished").args["path"] == ("C2sw", "C3nw")


@pytest.mark.rule("PL-080", "PL-063")
def test_stepping_off_a_stone_and_back():
    state = on(city(), RED, pawns={RED: "C2nw"}, stones={BLUE: "C2nw"}, taken={RED: 1},
               keep={RED: ["C1sw"]})  # fmt: skip
    assert state.points(RED) == 3, "3 + 1 chip − 1 for the stone"
    args = event(walks(state, "C2sw C2nw"), "moved").args
    assert (args["cell"], args["spent"], args["stone"]) == ("C2nw", 3, BLUE)
    after = walks(state, "C2sw C2nw").state
    assert after.points(RED) == 3, "again 1 less"


@pytest.mark.rule("PL-055")
def test_points_grow_with_chips():
    for chips in (0, 1, 5, 11):
        state = on(city(), RED, pawns={RED: "C4ne"}, taken={RED: chips})
        assert state.points(RED) == 3 + chips


@pytest.mark.rule("PL-058")
def test_points_never_carry_over():
    state = does(on(city(), GREEN), Collect("C2sw")).state
    state = passes(state)
    assert state.acting == RED
    assert state.points(GREEN) == 4


def test_single_steps_amount_to_a_walk():
    """Steps end the move by themselves; a chip is collected by saying so; undo is a step back."""
    state = on(city(), GREEN)
    state = does(state, Step("C3nw")).state
    assert state.acting == GREEN
    refused(state, PoliceCell("R14"), "PL-051", "set out")
    state = does(state, Step("C2sw")).state
    assert (state.left, state.trail[-1]) == (2, ends(state).layers[2].bit_length() - 1)
    assert Collect("C2sw") in GAME.legal(state, GREEN)
    stopped = does(state, Collect("C2sw"))
    assert event(stopped, "collected").args["path"] == ("C3nw", "C2sw")
    assert event(stopped, "collected").args["points"] == 2
    state = does(state, Step("C2nw")).state
    refused(state, Collect("C2nw"), "PL-105")
    played = does(state, Step("B2ne"))
    assert event(played, "moved").args["path"] == ("C3nw", "C2sw", "C2nw", "B2ne")
    assert played.state.acting == RED


def test_steps_never_lead_where_no_end_is():
    """Whatever steps are chosen, the walk can be ended."""
    state = on(city(), RED, pawns={RED: "C3ne", GREEN: "C2nw", BLUE: "C2sw"},
               stones={BLUE: "D1sw"})  # fmt: skip

    def follow(state):
        if state.acting != RED:
            return
        steps = listed(state, Step)
        assert steps or listed(state, Collect) or listed(state, MoveCell)
        for move in steps:
            follow(does(state, move).state)

    follow(state)


@pytest.mark.rule("PL-X16")
def test_the_last_step_aims_at_a_blocked_cell():
    state = on(city(), RED, pawns={RED: "C3ne"}, stones={BLUE: "C2nw"})
    state = does(does(state, Step("C3nw")).state, Step("C2sw")).state
    assert state.left == 1
    assert "blocked, you stay on C2sw" in GAME.label(GAME.view(state, RED), "step", "cell", "C2nw")
    played = does(state, Step("C2nw"))
    assert event(played, "moved").args["cell"] == "C2sw"
    assert event(played, "moved").args["lapsed"] == 1


def test_homecoming_by_single_steps_stops_at_once():
    state = on(city(), RED, pawns={RED: "C2nw"}, taken={RED: 11})
    state = does(state, Step("C2sw")).state
    played = does(state, Step("C3nw"))
    assert event(played, "finished").args["points"] == 12


def test_a_doorway_named_as_destination_collects():
    played = does(on(city(), GREEN), MoveCell("C2sw"))
    assert event(played, "collected").args["points"] == 2
    home = on(city(), RED, pawns={RED: "C4ne"}, taken={RED: 11})
    assert event(does(home, MoveCell("C3se")), "finished").args["points"] == 13
