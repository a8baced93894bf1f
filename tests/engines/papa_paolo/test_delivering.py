"""Phases E and F (PP-075 to PP-089, PP-122)."""

from __future__ import annotations

import pytest

from engines.papa_paolo import GAME
from engines.papa_paolo import moves as m
from engines.papa_paolo.components import at
from engines.papa_paolo.state import PaoloState
from tests.engines.papa_paolo.positions import (
    P,
    T,
    W,
    built,
    crossroads,
    delivering,
    due,
    events,
    fed,
    go,
    kinds,
    lay,
    markers,
    naples,
    played,
    refused,
    ride,
    stocked,
    table,
    whole,
)


def at_home(delivery: int = 1, tile: str = "A3") -> PaoloState:
    """The map of PP-X14 in phase E."""
    state = naples()
    markers(state, P, 1, 1, 1, delivery)
    return delivering(state, {P: tile})


# ---- the rulebook's first map ----------------------------------------------------------------


@pytest.mark.rule("PP-X14", "PP-076", "PP-077", "PP-082", "PP-083", "PP-087")
@pytest.mark.parametrize(
    ("route", "on", "expected"),
    [
        ("E1", {"1,0": 1}, [2, 1, 1, 1]),
        ("S3", {"0,1": 3}, [1, 2, 1, 1]),
        ("N1 E1", {"0,-1": 1, "1,-1": 1}, [1, 3, 1, 1]),
        ("W2 S1", {"-1,0": 2, "-1,1": 1}, [1, 1, 1, 3]),
        ("S2 S1", {"0,1": 2, "0,2": 1}, [1, 1, 2, 1]),
    ],
)
def test_the_five_choices(route: str, on: dict[str, int], expected: list[int]) -> None:
    """A3, one route: pizzas and the markers that phase F advances."""
    state = ride(at_home(), P, route)
    assert whole(state, P) == on
    assert state.areas[P].markers == [1, 1, 1, 1], "not before phase F"
    state = go(state, P, m.Finish())
    assert state.areas[P].markers == expected


@pytest.mark.rule("PP-X14", "PP-077")
def test_the_third_pizza_finds_no_house() -> None:
    """After N1 E1 the route is 2 long; the third pizza stays on the pizzeria."""
    state = go(at_home(), P, m.StartRoute("0,0"), m.Step("N", 1), m.Step("E", 1))
    assert not [x for x in GAME.legal(state, P) if x.kind == "step"]
    assert state.areas[P].pizzas == [1]


@pytest.mark.rule("PP-X15", "PP-077", "PP-I24")
def test_too_far() -> None:
    state = go(at_home(), P, m.StartRoute("0,0"), m.Step("W", 0), m.Step("S", 0))
    rule, text = refused(state, P, m.Step("S", 1))
    assert rule == "PP-077"
    assert "Too far away" in text


@pytest.mark.rule("PP-X15", "PP-076", "PP-I25")
def test_over_the_total() -> None:
    """S3 S1 would be 4 of 3."""
    state = naples()
    stocked(state, P, 5)
    state = delivering(state, {P: "A3"})
    state = go(state, P, m.StartRoute("0,0"), m.Step("S", 3))
    rule, text = refused(state, P, m.Step("S", 1))
    assert rule == "PP-076"
    assert "Pizza limit reached" in text
    state = go(state, P, m.EndRoute())
    markers(state, P, 1, 1, 1, 1)
    state.touch(P).ways = 2
    assert refused(state, P, m.StartRoute("0,0"))[0] == "PP-076"


@pytest.mark.rule("PP-X15", "PP-078", "PP-I26")
def test_no_second_route() -> None:
    state = ride(at_home(), P, "E1")
    rule, text = refused(state, P, m.StartRoute("0,0"))
    assert rule == "PP-078"
    assert "No delivery routes left" in text


@pytest.mark.rule("PP-X16", "PP-078", "PP-085")
def test_two_routes() -> None:
    """N1 E1, then S0 S1: 3 pizzas; both blue tiles on top and the red one are complete."""
    state = ride(at_home(2), P, "N1 E1")
    state = ride(state, P, "S0 S1")
    assert whole(state, P) == {"0,-1": 1, "1,-1": 1, "0,2": 1}
    state = go(state, P, m.Finish())
    assert state.areas[P].markers == [1, 3, 2, 2]


# ---- the rulebook's second map ---------------------------------------------------------------


@pytest.mark.rule("PP-X17", "PP-085", "PP-082", "PP-087", "PP-084")
def test_nine_pizzas_on_three_routes() -> None:
    """9@4, 3 routes, two pizzerias; F: Finance +1, Market +1, Express +1, Delivery +2."""
    state = delivering(crossroads(), {T: "E3"})
    state = ride(state, T, "N1 E2")
    state = ride(state, T, "S2")
    state = ride(state, T, "E2 E2", "1,-2")
    assert state.areas[T].moved == 9
    assert state.areas[T].pizzas == [0, 0]
    state = go(state, T, m.Finish())
    assert state.areas[T].markers == [2, 2, 2, 5]


@pytest.mark.rule("PP-X18", "PP-080", "PP-I27")
def test_no_way_back_over_the_crossroads() -> None:
    state = delivering(crossroads(), {T: "E3"})
    state = go(state, T, m.StartRoute("0,0"), m.Step("N", 1), m.Step("E", 2))
    rule, text = refused(state, T, m.Step("W", 0))
    assert rule == "PP-080"
    assert "A route cannot be retraced" in text


@pytest.mark.rule("PP-080")
def test_no_way_back_into_the_pizzeria() -> None:
    state = delivering(crossroads(), {T: "E3"})
    state = go(state, T, m.StartRoute("0,0"), m.Step("N", 1))
    assert refused(state, T, m.Step("S", 0))[0] == "PP-080"


# ---- limits and refusals ---------------------------------------------------------------------


@pytest.mark.rule("PP-075", "PP-I23", "PP-002")
def test_without_a_delivery_tile() -> None:
    state = delivering(naples(), {P: "A3", T: "A1"})
    assert due(state) == {P: "routes", T: "routes"}
    rule, text = refused(state, W, m.StartRoute("0,0"))
    assert rule == "PP-075"
    assert "You have no delivery tile this round" in text


@pytest.mark.rule("PP-075")
def test_delivering_is_optional() -> None:
    state = at_home()
    assert m.Finish() in GAME.legal(state, P)
    after = go(state, P, m.Finish())
    assert whole(after, P) == {}
    assert after.areas[P].markers == [1, 1, 1, 1]


@pytest.mark.rule("PP-075")
def test_who_cannot_deliver_is_finished() -> None:
    """Corner case 17: no pizzas; or no house within the distance."""
    state = table()
    stocked(state, P, 0)
    fed(state, T, 1, 0, 1)
    for x, exits in ((-1, "EW"), (-2, "EW")):
        lay(state, T, x, 0, "gold", -x, exits, -x)
    lay(state, T, -3, 0, "red", 2, "EW")
    state = delivering(state, {P: "A1", T: "A2", W: "A3"})
    assert due(state) == {W: "routes"}
    rule, _ = refused(state, T, m.StartRoute("0,0"))
    assert rule == "PP-123"


@pytest.mark.rule("PP-079", "PP-I29")
def test_no_road() -> None:
    """From (0,−1), exits E and S, there is none to the west or north."""
    state = go(at_home(), P, m.StartRoute("0,0"), m.Step("N", 0))
    for side in "WN":
        rule, text = refused(state, P, m.Step(side, 0))
        assert rule == "PP-079"
        assert "No road there" in text
    assert refused(at_home(), P, m.StartRoute("1,0"))[0] == "PP-079"


@pytest.mark.rule("PP-079")
def test_both_tiles_need_an_exit_on_the_shared_side() -> None:
    """(1,−1) EW lies above the town half: no road between them, from either side."""
    state = go(at_home(), P, m.StartRoute("0,0"), m.Step("E", 0))
    assert refused(state, P, m.Step("N", 0))[0] == "PP-079"


@pytest.mark.rule("PP-081", "PP-I28")
def test_not_through_a_pizzeria() -> None:
    state = table()
    built(state, P, 2, 0, 4, 2)
    lay(state, P, 3, 0, "gold", 1, "EW")
    state = delivering(state, {P: "A3"})
    state = go(state, P, m.StartRoute("0,0"), m.Step("E", 1))
    rule, text = refused(state, P, m.Step("E", 0))
    assert rule == "PP-081"
    assert "You cannot pass a pizzeria" in text


@pytest.mark.rule("PP-082")
def test_full_tiles_may_be_passed() -> None:
    state = naples()
    fed(state, P, 0, -1, 1)
    state = ride(delivering(state, {P: "A3"}), P, "N0 E1")
    assert whole(state, P) == {"0,-1": 1, "1,-1": 1}


@pytest.mark.rule("PP-083", "PP-I30")
def test_more_than_hungry_houses() -> None:
    state = go(at_home(), P, m.StartRoute("0,0"))
    rule, text = refused(state, P, m.Step("E", 2))
    assert rule == "PP-083"
    assert "Not enough hungry houses" in text
    assert refused(state, P, m.Step("E", -1))[0] == "PP-083"


@pytest.mark.rule("PP-084", "PP-I31")
def test_more_than_the_pizzeria_holds() -> None:
    state = naples()
    stocked(state, P, 2)
    state = delivering(state, {P: "A3"})
    state = go(state, P, m.StartRoute("0,0"))
    rule, text = refused(state, P, m.Step("S", 3))
    assert rule == "PP-084"
    assert "That pizzeria is out of pizzas" in text


@pytest.mark.rule("PP-084")
def test_an_empty_pizzeria_starts_no_route() -> None:
    state = naples()
    built(state, P, 1, 1, 2, 2)
    stocked(state, P, 0, 2)
    lay(state, P, 2, 1, "gold", 1, "EW")
    state = delivering(state, {P: "A3"})
    rule, text = refused(state, P, m.StartRoute("0,0"))
    assert rule == "PP-084"
    assert "out of pizzas" in text


@pytest.mark.rule("PP-086", "PP-I32", "PP-123")
def test_a_route_delivers_or_is_cancelled() -> None:
    state = go(at_home(), P, m.StartRoute("0,0"), m.Step("S", 0))
    rule, text = refused(state, P, m.EndRoute())
    assert rule == "PP-086"
    assert "Deliver at least one pizza or cancel" in text
    rule, text = refused(state, P, m.Finish())
    assert rule == "PP-123"
    assert "A route is open" in text


@pytest.mark.rule("PP-086", "PP-078")
def test_cancelling_gives_everything_back() -> None:
    """Route and pizzas return; the cancelled route is not counted."""
    state = at_home()
    tried = go(state, P, m.StartRoute("0,0"), m.Step("S", 2), m.Step("S", 1))
    assert whole(tried, P) == {"0,1": 2, "0,2": 1}
    back = go(tried, P, m.CancelRoute())
    assert whole(back, P) == {}
    assert back.areas[P] == state.areas[P]
    assert whole(ride(back, P, "E1"), P) == {"1,0": 1}


@pytest.mark.rule("PP-122", "PP-I37")
def test_a_loop() -> None:
    """Four bends round (0,0), (1,…): north, east over crosses, and back to a used tile."""
    state = table()
    for x, y, exits in ((0, -1, "NESW"), (0, -2, "ES"), (1, -2, "SW"), (1, -1, "NW")):
        lay(state, P, x, y, "gold" if exits != "NW" else "blue", 1 if y == -1 else 2, exits)
    state = delivering(state, {P: "E4"})
    state = go(state, P, m.StartRoute("0,0"))
    state = go(state, P, m.Step("N", 0), m.Step("N", 0), m.Step("E", 0), m.Step("S", 0))
    rule, text = refused(state, P, m.Step("W", 0))
    assert rule == "PP-122"
    assert "A route may not cross itself" in text


@pytest.mark.rule("PP-122", "PP-I37")
def test_a_loop_back_to_the_start_pizzeria() -> None:
    """North, west, south, then east would enter (0,0) again."""
    state = table()
    lay(state, P, 0, -1, "gold", 1, "NESW")
    lay(state, P, -1, -1, "gold", 2, "ES")
    lay(state, P, -1, 0, "blue", 1, "NESW")
    state = delivering(state, {P: "E4"})
    state = go(state, P, m.StartRoute("0,0"))
    state = go(state, P, m.Step("N", 1), m.Step("W", 0), m.Step("S", 0))
    rule, text = refused(state, P, m.Step("E", 0))
    assert rule == "PP-122"
    assert "A route may not cross itself" in text


# ---- experience ------------------------------------------------------------------------------


@pytest.mark.rule("PP-088", "PP-X20")
def test_a_completed_green_tile_does_not_help_in_the_same_e() -> None:
    state = delivering(table(), {W: "A3"})  # W's town half is green
    state = ride(state, W, "E1")
    rule, _ = refused(state, W, m.StartRoute("0,0"))
    assert rule == "PP-078"
    assert state.areas[W].markers == [1, 1, 1, 1]
    state = go(state, W, m.Finish())
    assert state.areas[W].markers == [1, 1, 1, 2]


@pytest.mark.rule("PP-088", "PP-002")
def test_experience_waits_for_everybody() -> None:
    state = delivering(table(), {P: "A1", W: "A3"})
    state = go(ride(state, W, "E1"), W, m.Finish())
    assert state.areas[W].markers == [1, 1, 1, 1]
    assert due(state) == {P: "routes"}
    state = go(state, P, m.Finish())
    assert state.areas[W].markers == [1, 1, 1, 2]
    assert state.round == 2


@pytest.mark.rule("PP-089")
def test_each_tile_counts_once() -> None:
    """Corner case 16: an express left 1 pizza on a 2-house tile; E completes it: one space. A tile
    completed earlier and ridden over again counts no more."""
    state = naples()
    fed(state, P, -1, 0, 1)
    fed(state, P, 0, -1, 1)
    markers(state, P, 1, 1, 1, 2)
    state = delivering(state, {P: "A3"})
    state = ride(ride(state, P, "W1"), P, "N0 E1")
    (event,) = events(state, P, m.Finish(), "experience")
    assert event.args["tiles"] == 2
    state = go(state, P, m.Finish())
    assert state.areas[P].markers == [1, 2, 1, 3]


@pytest.mark.rule("PP-089", "PP-087")
def test_beyond_space_5() -> None:
    """Two blue tiles with Market on 4: one advance is lost."""
    state = naples()
    markers(state, P, 1, 4, 1, 1)
    state = ride(delivering(state, {P: "A3"}), P, "N1 E1")
    (event,) = events(state, P, m.Finish(), "experience")
    assert (event.args["gains"], event.args["lost"]) == ((("Market", 4, 5),), 1)
    assert "1 lost" in GAME.narrate(event)
    assert go(state, P, m.Finish()).areas[P].markers == [1, 5, 1, 1]


@pytest.mark.rule("PP-090", "PP-091", "PP-092")
def test_the_next_round_is_laid_out() -> None:
    """Left tiles go to the box, the grid is refilled in order, the same coins lie anew, B tiles."""
    state = at_home()
    left = [tile for tile in state.grid if tile]
    coming = state.deck[state.drawn : state.drawn + 16]
    (event,) = events(state, P, m.Finish(), "round")
    assert event.reveals
    after = go(state, P, m.Finish())
    assert after.round == 2
    assert list(after.boxed) == left
    assert tuple(after.grid) == coming
    assert sorted((*after.row_coins, *after.column_coins)) == [1, 1, 2, 2, 2, 3, 3, 3]
    assert after.columns == ("B1", "B2", "B3", "B4")
    assert after.investments == ("gold", "blue", "red", "green")
    assert all(area.delivery is None for area in after.areas)
    assert after.areas[P].routes == ()


@pytest.mark.rule("PP-040", "PP-076")
def test_narration_tells_the_route() -> None:
    state = go(at_home(), P, m.StartRoute("0,0"))
    (event,) = played(state, P, m.Step("S", 2)).events
    assert GAME.narrate(event) == "{seat:0} rides south to 0,1 and delivers 2."
    view = GAME.view(go(state, P, m.Step("S", 2)), None)
    assert view.areas[P].route is not None
    assert view.areas[P].route.path == ((0, 1, 2),)
    assert "open route 0,0 0,1+2" in GAME.board_text(view)
    assert kinds(state, P) == {"step", "cancel_route"}
    assert at(0, 1) in go(state, P, m.Step("S", 2)).areas[P].cells
