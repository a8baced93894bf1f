"""Waiting bonus, end of the game, result, undo (PL-004 to PL-006, PL-110 to PL-121)."""

from __future__ import annotations

import pytest

from engines.core.errors import IllegalMove, MoveError
from engines.core.play import play
from engines.palermo import GAME
from engines.palermo.components import find_cell, place
from engines.palermo.moves import (
    AutoWait,
    Collect,
    Finish,
    MoveCell,
    PlaceStart,
    PoliceCell,
    PoliceKeep,
    Step,
)
from tests.conformance.hooks import Case
from tests.conformance.walk import Match
from tests.engines.palermo.positions import (
    BLUE,
    GREEN,
    RED,
    builds,
    city,
    does,
    event,
    fresh,
    listed,
    on,
    passes,
    stops,
    tile,
)
from tests.engines.palermo.test_building import refused

NEAR_HOME = {RED: "C4ne", BLUE: "D3nw", GREEN: "C2sw"}


def waiting(state):
    """A player at home keeps the stone; one on the way walks about near the Start tile."""
    seat = state.acting
    if state.home[seat]:
        return play(GAME, state, seat, PoliceKeep()).state

    def far(move):
        x, y = place(find_cell(move.cell))
        return abs(x - 4) + abs(y - 4)

    return play(GAME, state, seat, min(listed(state, MoveCell), key=far)).state


@pytest.mark.rule("PL-X25", "PL-115", "PL-116", "PL-118", "PL-117")
def test_waiting_bonus():
    state = on(city(), RED, pawns=NEAR_HOME, taken={RED: 11, BLUE: 11, GREEN: 11})
    state = does(state, Finish()).state  # round 15: Red arrives
    assert state.bonus == [0, 0, 0], "none in the turn of the arrival"
    state = waiting(waiting(state))
    assert (state.acting, state.bonus) == (RED, [5, 0, 0])  # round 16
    state = waiting(state)
    state = does(state, Finish()).state  # Blue arrives
    state = waiting(state)
    assert (state.acting, state.bonus) == (RED, [10, 0, 0])  # round 17
    state = waiting(state)
    assert (state.acting, state.bonus) == (BLUE, [10, 5, 0])
    state = waiting(state)
    played = does(state, Finish())
    assert played.state.ended == "home"
    assert played.state.bonus == [10, 5, 0]
    assert event(played, "end").args["reason"] == "home"
    assert GAME.waiting(played.state) == ()
    result = GAME.outcome(played.state)
    for score in result.scores:
        assert score.lines[2] == ("Waiting bonus", [10, 5, 0][score.seat])
        assert score.total == sum(points for _, points in score.lines)


@pytest.mark.rule("PL-115", "PL-X25")
@pytest.mark.parametrize(("seats", "bonus"), [(3, 5), (4, 4), (5, 3)])
def test_the_unit_of_the_bonus(seats, bonus):
    state = fresh(seats, "C3")
    while not state.walking:
        state = play(GAME, state, state.acting, GAME.safest(state, state.acting)).state
    last = seats - 1
    state = on(state, last, home=[RED])
    played = play(GAME, state, last, GAME.safest(state, last))
    assert event(played, "bonus").args["points"] == bonus
    assert played.state.bonus == [bonus] + [0] * last


@pytest.mark.rule("PL-X26", "PL-118", "PL-116")
def test_the_last_seat_first():
    state = on(city(), GREEN, pawns=NEAR_HOME, taken={RED: 11, BLUE: 11, GREEN: 11})
    state = does(state, Finish()).state  # round 15
    assert state.home == [False, False, True]
    state = waiting(waiting(state))
    assert (state.acting, state.bonus) == (GREEN, [0, 0, 5])  # round 16
    state = waiting(state)
    state = does(state, Finish()).state  # round 17: Red, then Blue
    played = does(state, Finish())
    assert played.state.ended == "home"
    assert played.state.bonus == [0, 0, 5]


@pytest.mark.rule("PL-118", "PL-I28")
def test_nothing_happens_after_the_end():
    state = on(city(), RED, pawns={RED: "C4ne"}, taken={RED: 11}, home=[BLUE, GREEN])
    state = does(state, Finish()).state
    assert state.ended == "home"
    for seat in range(3):
        assert GAME.legal(state, seat) == []
        refused(state, PoliceKeep(), "PL-118", "over", seat=seat)
        refused(state, AutoWait(True), "PL-118", "over", seat=seat)


@pytest.mark.rule("PL-X29", "PL-120")
def test_stalemate():
    state = on(city(), RED)
    assert state.round == 1
    state = passes(state, 5)
    assert (state.round, state.quiet, state.ended) == (6, 5, None)
    early = passes(state, 1)
    assert early.ended == "stalemate"
    result = GAME.outcome(early)
    assert result.ranking == ((RED, BLUE, GREEN),), "nobody has points: all share"
    assert [s.total for s in result.scores] == [0, 0, 0], "chips on the board count nothing"
    # A chip in the sixth round resets the count.
    moved = state
    while not stops(moved):
        moved = waiting(moved)
        assert moved.ended is None, "somebody stands near a doorway"
    doors = stops(moved)
    moved = does(moved, Collect(next(iter(doors)))).state
    while moved.round == 6:
        moved = waiting(moved)
    assert (moved.quiet, moved.ended) == (0, None)


@pytest.mark.rule("PL-120")
def test_an_arrival_is_progress_and_six_more_rounds_go_on():
    state = on(city(), RED, pawns={RED: "C4ne"}, taken={RED: 11})
    state.quiet = 5
    state = does(state, Finish()).state
    state = passes(state, 1)
    assert state.ended is None
    assert state.quiet == 0
    state = passes(state, 5)
    assert state.ended is None
    state = passes(state, 1)
    assert state.ended == "stalemate"
    assert state.bonus[RED] == 5 * 6, "scores stand, bonus for the rounds waited"
    assert GAME.outcome(state).ranking[0] == (RED,)


@pytest.mark.rule("PL-004", "PL-005", "PL-006")
def test_the_highest_score_wins_and_equal_ones_share():
    state = on(city(), RED, pawns={RED: "C4ne"}, taken={RED: 11}, home=[BLUE, GREEN])
    state.income = [20, 30, 28]
    state.bonus = [0, 3, 5]
    played = does(state, Finish())
    result = GAME.outcome(played.state)
    assert [s.total for s in result.scores] == [33, 33, 33]
    assert result.ranking == ((RED, BLUE, GREEN),)
    assert "shared" in result.note
    assert "share the victory" in GAME.narrate(event(played, "end"))
    state.income = [20, 31, 27]
    result = GAME.outcome(does(state, Finish()).state)
    assert result.ranking == ((BLUE,), (RED,), (GREEN,))
    assert result.note == ""
    assert result.scores[BLUE].lines == (
        ("Income", 31), ("Coming home", 0), ("Waiting bonus", 3),
    )  # fmt: skip


@pytest.mark.rule("PL-110", "PL-114", "PL-103")
def test_last_chip_and_homecoming_take_two_turns():
    state = on(city(), GREEN, pawns={GREEN: "C3nw"}, taken={GREEN: 10}, keep={GREEN: ["C2sw"]})
    state = does(state, Collect("C2sw")).state
    assert not state.home[GREEN]
    assert state.score(GREEN) == 12
    state = waiting(waiting(state))
    assert Finish() in GAME.legal(state, GREEN)
    assert does(state, Finish()).state.arrival[GREEN] == 13


# ---- undo ------------------------------------------------------------------------------------


def match(seats=3):
    return Match(Case("palermo", seats, {"youngest": 1}), "c0de")


@pytest.mark.rule("PL-121", "PL-I30")
def test_steps_are_taken_back_one_by_one_until_another_acts():
    game = match()
    game.move(RED, PlaceStart("C3"))
    game.move(RED, tile("D3:3/se"))
    assert game.undo(RED).to == 1
    assert game.state.acting == RED
    assert game.state.built == 0
    assert game.undo(RED).to == 0
    assert game.state.start == -1
    game.move(RED, PlaceStart("C3"))
    game.move(RED, tile("D3:3/se"))
    game.move(BLUE, tile("D4:2b/sw"))
    with pytest.raises(MoveError) as error:
        game.undo(RED)
    assert error.value.rule == "PL-121"
    game.undo(BLUE)
    assert game.state.acting == BLUE
    game.undo(RED)
    assert game.state.acting == RED, "a step taken back counts as never made"


@pytest.mark.rule("PL-121")
def test_what_followed_by_itself_is_taken_back_with_it():
    """The last tile brings street tiles and phase 2; an arrival brings the bonus of others."""
    game = match()
    while not game.state.walking:
        seat = game.state.acting
        game.move(seat, GAME.safest(game.state, seat))
    game.undo(GREEN)
    assert not game.state.walking
    assert game.state.tiles.count("") == 3
    game.move(GREEN, GAME.safest(game.state, GREEN))
    assert game.state.acting == RED
    stone = listed(game.state, PoliceCell)[0]
    game.move(RED, stone)
    game.move(RED, GAME.safest(game.state, RED))
    game.undo(RED)
    assert game.state.policed, "first the pawn move is taken back"
    game.undo(RED)
    assert (game.state.policed, game.state.stones[RED]) == (False, -1)


@pytest.mark.rule("PL-121")
def test_automatic_waiting_is_a_setting_not_an_act():
    state = on(city(), GREEN, home=[RED])
    assert GAME.apart(state, RED, AutoWait(True)) == "*"
    assert GAME.apart(state, RED, AutoWait(False)) == "*"
    for move in (PoliceKeep(), PoliceCell("R1"), Step("C3nw"), Finish(), tile("A1:3/nw")):
        assert GAME.apart(state, RED, move) == ""
    game = match()
    game.state = state
    game.history = {0: state}
    game.move(GREEN, Collect("C2sw"))
    assert game.state.bonus == [5, 0, 0], "it is Red's turn, who waits"
    game.move(RED, AutoWait(True))
    assert game.state.acting == BLUE, "and whose turn passes at once"
    game.undo(GREEN)
    assert game.state.acting == GREEN
    assert game.state.score(GREEN) == 0
    assert game.state.bonus == [0, 0, 0], "the bonus is taken back with it"
    assert game.state.waits == [True, False, False], "Red's wish stays"
    game.move(GREEN, Collect("C2sw"))
    assert game.state.acting == BLUE
    with pytest.raises(MoveError):
        game.undo(BLUE)


@pytest.mark.rule("PL-121", "PL-I30")
def test_keeping_the_stone_is_a_step():
    game = match()
    state = on(city(), RED, home=[RED])
    game.state, game.history = state, {0: state}
    game.move(RED, PoliceKeep())
    assert game.state.acting == BLUE
    game.undo(RED)
    assert game.state.acting == RED
    game.move(RED, PoliceKeep())
    game.move(BLUE, GAME.safest(game.state, BLUE))
    with pytest.raises(MoveError) as error:
        game.undo(RED)
    assert error.value.rule == "PL-121"


@pytest.mark.rule("PL-121")
def test_single_steps_are_taken_back_one_by_one():
    game = match()
    state = on(city(), GREEN)
    game.state, game.history = state, {0: state}
    game.move(GREEN, Step("C3nw"))
    game.move(GREEN, Step("C2sw"))
    game.undo(GREEN)
    assert game.state.left == 3
    game.undo(GREEN)
    assert (game.state.trail, game.state.acting) == ((), GREEN)
    assert listed(game.state, PoliceCell), "the stone may be moved again"


@pytest.mark.rule("PL-121", "PL-I30")
def test_no_undo_before_anything_was_done():
    game = match()
    with pytest.raises(IllegalMove) as error:
        game.undo(RED)
    assert error.value.rule == "PL-121"


def test_building_goes_on_after_undo():
    state = builds(fresh(3, "C3"), "D3:3/se").state
    assert state.acting == BLUE
