"""Small tour (PR-048 to PR-056), examples PR-X01 to PR-X13 and PR-X41.

In every example the last opening of the round completes the board, so that the tour is scored on
the board as it is after it (PR-048).
"""

from __future__ import annotations

import pytest

from engines.paris_paris import GAME
from engines.paris_paris.components import track_place
from engines.paris_paris.tours import small_tour
from tests.engines.paris_paris.positions import (
    event,
    letters,
    opens,
    points,
    position,
    scored,
    shops,
    shown,
)

EXAMPLES = [
    ("X01", "louvre=A", "B pont-neuf/blue", "louvre/blue", {"A": 1}),
    ("X02", "concorde=AB", "C louvre/blue", "concorde/red", {"A": 1, "B": 1}),
    ("X03", "concorde=AA", "C louvre/blue", "concorde/blue", {"A": 2}),
    ("X04", "pont-neuf=AB", "A opera/red", "les-halles/orange", {"A": 2, "B": 1}),
    ("X05", "pompidou=AA, champs-elysees=B", "C bastille/grey", "louvre/blue", {"A": 2, "B": 1}),
    ("X06", "odeon=AA, montparnasse=A", "B montparnasse/grey", "luxembourg/grey", {"A": 3, "B": 1}),
    ("X07", "odeon=AB", "C hotel-de-ville/green", "tour-eiffel/grey", {"A": 1, "B": 1}),
    ("X08", "", "A tour-eiffel/grey", "gare-de-lyon/grey", {"A": 1}),
    ("X09", "place-des-vosges=A, st-nicolas=B", "C notre-dame/green", "pompidou/green",
     {"A": 1, "B": 1}),
    ("X10", "luxembourg=A", "B les-halles/orange", "odeon/orange", {"A": 1}),
    ("X11", "invalides=A, tour-eiffel=B", "C luxembourg/grey", "montparnasse/red",
     {"A": 1, "B": 1, "C": 1}),
    ("X12", "gare-du-nord=A", "B pompidou/blue", "la-villette/red", {}),
]  # fmt: skip


@pytest.mark.rule(
    "PR-X01", "PR-X02", "PR-X03", "PR-X04", "PR-X05", "PR-X06", "PR-X07", "PR-X08", "PR-X09",
    "PR-X10", "PR-X11", "PR-X12", "PR-048", "PR-049", "PR-050", "PR-051",
)  # fmt: skip
@pytest.mark.parametrize(("rule", "board", "last", "remaining", "pays"), EXAMPLES)
def test_examples(rule: str, board: str, last: str, remaining: str, pays: dict[str, int]) -> None:
    who, tile = last.split()
    state = position(board, to_act=who, up=[tile, remaining])
    played = opens(state, who, tile)
    tour = event(played, "small_tour")
    assert scored(tour) == pays
    assert tour.args["tile"] == remaining
    assert letters(points(played.state)) == pays, "points are marked at once"


@pytest.mark.rule("PR-X13", "PR-054")
def test_an_empty_board_pays_nobody() -> None:
    """With no shop at all, and with one that is on none of the stop's lines."""
    assert small_tour({}, "odeon") == ()
    played = opens(
        position("", to_act="C", up=["la-villette/red", "odeon/grey"]), "C", "la-villette/red"
    )
    assert event(played, "small_tour").args["points"] == ()
    assert points(played.state) == [0, 0, 0]
    assert "nobody" in GAME.narrate(event(played, "small_tour"))


@pytest.mark.rule("PR-048")
def test_the_last_opening_counts() -> None:
    """C takes one Louvre tile, the other remains: the fresh shop scores (corner case)."""
    state = position("pont-neuf=A", to_act="C", up=["louvre/blue", "louvre/blue"])
    assert letters(points(opens(state, "C", "louvre/blue").state)) == {"C": 1}
    # And a shop removed by the last opening scores no more.
    state = position("louvre=A", to_act="C", up=["louvre/blue", "louvre/blue"])
    assert letters(points(opens(state, "C", "louvre/blue").state)) == {"C": 1}


@pytest.mark.rule("PR-048")
def test_a_small_tour_in_every_round() -> None:
    """Also in a round with a grand tour, and in the last one."""
    for number in (1, 7, 15):
        state = position("opera=A", to_act="C", round=number, up=["louvre/blue", "pigalle/red"],
                         p_row=["opera/red"] if number > 1 else [])  # fmt: skip
        played = opens(state, "C", "louvre/blue")
        assert scored(event(played, "small_tour")) == {"A": 1}


@pytest.mark.rule("PR-050")
def test_equally_near_crossing_pays_both_shops() -> None:
    """Invalides is empty: Concorde (A, B) and Montparnasse (C) are one stop away on red."""
    tour = small_tour(shops("concorde=AB, montparnasse=C, opera=C"), "invalides")
    assert tour == (("concorde", 0, 1), ("concorde", 1, 1), ("montparnasse", 2, 1))


@pytest.mark.rule("PR-051")
def test_both_lines_of_a_crossing_are_searched_together() -> None:
    """Pont Neuf is blue 4 and orange 4. Distance 2: Pompidou is 1 on blue, so only it pays;
    without it, Concorde (blue 2), Quartier Latin (orange 2) and Opéra (orange 2) pay together."""
    far = "concorde=A, quartier-latin=B, opera=C, bastille=C"
    assert small_tour(shops(far + ", pompidou=B"), "pont-neuf") == (("pompidou", 1, 1),)
    pays = {stop: owner for stop, owner, _ in small_tour(shops(far), "pont-neuf")}
    assert pays == {"concorde": 0, "quartier-latin": 1, "opera": 2}


@pytest.mark.rule("PR-052")
@pytest.mark.parametrize("colour", ["grey", "orange"])
def test_the_tiles_colour_does_not_matter(colour: str) -> None:
    """Odéon empty, A at Luxembourg (grey, 1) and B at Les Halles (orange, 2): A 1 for both."""
    state = position(
        "luxembourg=A, les-halles=B", to_act="C", up=["la-villette/red", f"odeon/{colour}"]
    )
    assert letters(points(opens(state, "C", "la-villette/red").state)) == {"A": 1}


@pytest.mark.rule("PR-053")
def test_the_search_never_changes_lines() -> None:
    """From Louvre along blue: A at Opéra would be two stops away by way of Concorde and red, but
    only B at Bastille, four stops away on blue, counts."""
    assert small_tour(shops("opera=A, bastille=B"), "louvre") == (("bastille", 1, 1),)
    assert small_tour(shops("opera=A"), "louvre") == ()


@pytest.mark.rule("PR-054")
def test_no_distance_limit() -> None:
    assert small_tour(shops("tour-eiffel=A"), "gare-de-lyon") == (("tour-eiffel", 0, 1),)
    assert small_tour(shops("quartier-latin=B"), "montmartre") == (("quartier-latin", 1, 1),)


@pytest.mark.rule("PR-049")
def test_an_occupied_stop_pays_nobody_else() -> None:
    assert small_tour(shops("odeon=A, luxembourg=B, hotel-de-ville=C"), "odeon") == (
        ("odeon", 0, 1),
    )


@pytest.mark.rule("PR-X41", "PR-055", "PR-056")
@pytest.mark.parametrize(
    ("total", "space", "passes"), [(0, 0, 0), (45, 45, 0), (46, 0, 1), (49, 3, 1), (92, 0, 2)]
)
def test_score_track(total: int, space: int, passes: int) -> None:
    assert track_place(total) == (space, passes)


@pytest.mark.rule("PR-X41", "PR-055")
def test_points_go_on_beyond_the_track() -> None:
    """44 + 5 = 49: A gets 1 on the small tour at Opéra and 4 on the red grand tour, for Opéra and
    Concorde are next to each other (1 + 1 at each)."""
    state = position(
        "opera=A, concorde=A", to_act="C", points=[44, 0, 0],
        up=["tour-eiffel/grey", "opera/red"], p_row=["la-villette/red"],
    )  # fmt: skip
    played = opens(state, "C", "tour-eiffel/grey")
    assert played.state.score(0) == 49
    view = GAME.view(played.state, None)
    assert view.scores == (49, 0, 0)
    assert track_place(view.scores[0]) == (3, 1)
    assert "49 points" in GAME.board_text(view), "the total is printed"
    assert shown(played.state)["opera"] == "A"
