"""P row, trigger and grand tour (PR-057 to PR-069), examples PR-X14 to PR-X26."""

from __future__ import annotations

import random

import pytest

from engines.core.play import play, start
from engines.paris_paris import GAME
from engines.paris_paris.components import board
from engines.paris_paris.tours import grand_tour
from tests.engines.paris_paris.positions import (
    LINES,
    ROUNDS,
    by_stop,
    event,
    events,
    letters,
    opens,
    points,
    position,
    scored,
    shops,
    shown,
)

X16 = "pompidou=AB, hotel-de-ville=AA, st-nicolas=A, notre-dame=B"
EXAMPLES = [
    ("X14", "odeon=AB, luxembourg=A, quartier-latin=A, pont-neuf=CC", "B les-halles/orange",
     "bastille/grey", "gare-de-lyon/grey", {"A": 3, "B": 1},
     [("odeon", "A", 3), ("odeon", "B", 1)]),
    ("X15", "odeon=AA", "A luxembourg/grey", "gare-de-lyon/grey", "tour-eiffel/grey",
     {"A": 3}, [("odeon", "A", 3)]),
    ("X16", X16, "B quartier-latin/orange", "st-nicolas/green", "gare-du-nord/green",
     {"A": 7, "B": 3},
     [("pompidou", "A", 4), ("pompidou", "B", 1), ("hotel-de-ville", "A", 3),
      ("quartier-latin", "B", 2)]),
    ("X17", "gare-de-lyon=A, luxembourg=A", "A tour-eiffel/grey", "odeon/grey", "luxembourg/grey",
     {}, []),
    ("X18", "opera=A, les-halles=A", "A st-lazare/orange", "pigalle/red", "la-villette/red",
     {"A": 3}, [("opera", "A", 3)]),
    ("X19", "montmartre=A, gare-du-nord=A, la-villette=A", "A pigalle/red", "pompidou/green",
     "notre-dame/green", {"A": 4}, [("montmartre", "A", 4)]),
    ("X19", "montmartre=A, gare-du-nord=A, la-villette=A", "A pigalle/red", "opera/red",
     "invalides/red", {"A": 4}, [("montmartre", "A", 4)]),
    ("X20", "pont-neuf=AA", "A odeon/grey", "luxembourg/grey", "tour-eiffel/grey",
     {"A": 3}, [("odeon", "A", 3)]),
    ("X21", "pont-neuf=AA", "A odeon/grey", "st-lazare/orange", "jardin-des-plantes/orange",
     {"A": 6}, [("odeon", "A", 3), ("pont-neuf", "A", 3)]),
    ("X22", "louvre=A, concorde=B", "B pont-neuf/orange", "bastille/blue", "champs-elysees/blue",
     {"B": 2}, [("pont-neuf", "B", 1), ("concorde", "B", 1)]),
]  # fmt: skip


@pytest.mark.rule(
    "PR-X14", "PR-X15", "PR-X16", "PR-X17", "PR-X18", "PR-X19", "PR-X20", "PR-X21", "PR-X22",
    "PR-059", "PR-060", "PR-061", "PR-062",
)  # fmt: skip
@pytest.mark.parametrize(("rule", "board", "last", "first", "second", "pays", "stops"), EXAMPLES)
def test_examples(
    rule: str, board: str, last: str, first: str, second: str, pays: dict[str, int],
    stops: list[tuple[str, str, int]],
) -> None:  # fmt: skip
    """``first`` lies in the P row, ``second`` remains and sets the tour off."""
    who, tile = last.split()
    played = opens(position(board, to_act=who, up=[tile, second], p_row=[first]), who, tile)
    tour = event(played, "grand_tour")
    assert tour.args["line"] == second.partition("/")[2]
    assert scored(tour) == pays
    assert by_stop(tour) == stops, "crossing by crossing from the arrow on"
    assert letters(played.state.grand) == pays
    assert played.state.p_row == []


@pytest.mark.rule("PR-X23", "PR-X24", "PR-X25", "PR-058", "PR-067")
@pytest.mark.parametrize(
    ("row", "remaining", "line", "after"),
    [
        ("st-nicolas/green pigalle/red", "pompidou/green", "green", "pigalle/red"),
        ("st-nicolas/green", "pompidou/blue", None, "st-nicolas/green pompidou/blue"),
        (
            "st-nicolas/green pigalle/red louvre/blue odeon/grey les-halles/orange",
            "opera/red",
            "red",
            "st-nicolas/green louvre/blue odeon/grey les-halles/orange",
        ),
    ],
)
def test_trigger(row: str, remaining: str, line: str | None, after: str) -> None:
    """Only the tile's own colour counts; both tiles of the pair go to the box."""
    state = position("", to_act="C", up=["tour-eiffel/grey", remaining], p_row=row.split())
    played = opens(state, "C", "tour-eiffel/grey")
    assert played.state.p_row == after.split()
    tours = events(played, "grand_tour")
    assert [e.args["line"] for e in tours] == ([] if line is None else [line])
    if line is not None:
        boxed = played.state.boxed[len(state.boxed) :]
        assert sorted(boxed) == sorted(
            ["tour-eiffel/grey", remaining, *(t for t in row.split() if t.endswith(line))]
        )
        view = GAME.view(played.state, None)
        assert not any(t.endswith(line) for t in view.p_row)


@pytest.mark.rule("PR-X26", "PR-066")
def test_small_before_grand() -> None:
    """Small tour at Pigalle B 1; grand tour red: Opéra A 2 (with Concorde), Concorde A 2 (with
    Opéra) and B 1. A 4, B 2, although C opened and nobody of them caused it."""
    state = position(
        "opera=A, pigalle=B, concorde=AB", to_act="C", up=["gare-de-lyon/grey", "pigalle/red"],
        p_row=["invalides/red"],
    )  # fmt: skip
    played = opens(state, "C", "gare-de-lyon/grey")
    kinds = [e.kind for e in played.events]
    assert kinds.index("small_tour") < kinds.index("grand_tour")
    assert scored(event(played, "small_tour")) == {"B": 1}
    assert by_stop(event(played, "grand_tour")) == [
        ("opera", "A", 2), ("concorde", "A", 2), ("concorde", "B", 1),
    ]  # fmt: skip
    assert points(played.state) == [4, 2, 0]
    assert played.state.p_row == []


@pytest.mark.rule("PR-059", "PR-060")
def test_the_bus_stops_at_four_crossings_from_the_arrow_on() -> None:
    """All 25 stops with a shop of A: each line stops at its four crossings, in driving order."""
    full = dict.fromkeys((stop for line in LINES for stop in board().lines[line].stops), (0,))
    found = {line: [stop for stop, _, _ in grand_tour(full, line)] for line in LINES}
    assert found == {
        "green": ["montmartre", "pompidou", "hotel-de-ville", "quartier-latin"],
        "red": ["montmartre", "opera", "concorde", "montparnasse"],
        "blue": ["bastille", "pompidou", "pont-neuf", "concorde"],
        "grey": ["bastille", "hotel-de-ville", "odeon", "montparnasse"],
        "orange": ["quartier-latin", "odeon", "pont-neuf", "opera"],
    }


@pytest.mark.rule("PR-061")
def test_two_owners_at_a_crossing_and_an_empty_one() -> None:
    assert grand_tour(shops("opera=AB, montparnasse=CC"), "red") == (
        ("opera", 0, 1), ("opera", 1, 1), ("montparnasse", 2, 2),
    )  # fmt: skip
    assert grand_tour({}, "red") == ()


@pytest.mark.rule("PR-062")
def test_a_neighbouring_crossing_can_give_two() -> None:
    """Odéon 1 and two own shops at the neighbouring crossing Hôtel de Ville: 3; then Hôtel de
    Ville 2 and Odéon 1: 3. The other line's neighbours count: Pont Neuf is orange only here."""
    assert grand_tour(shops("odeon=A, hotel-de-ville=AA"), "grey") == (
        ("hotel-de-ville", 0, 3), ("odeon", 0, 3),
    )  # fmt: skip
    assert grand_tour(shops("odeon=A, pont-neuf=A"), "grey") == (("odeon", 0, 2),)


@pytest.mark.rule("PR-063")
def test_two_shops_do_not_double_the_neighbours() -> None:
    """Opéra AA with Pigalle and Les Halles: 2 + 1 + 1 = 4, not 6."""
    assert grand_tour(shops("opera=AA, pigalle=A, les-halles=A"), "red") == (("opera", 0, 4),)


@pytest.mark.rule("PR-064")
def test_no_shop_at_the_crossing_no_points() -> None:
    """B's Pigalle and Les Halles are next to Opéra, where only A is."""
    assert grand_tour(shops("opera=A, pigalle=B, les-halles=B"), "red") == (("opera", 0, 1),)


@pytest.mark.rule("PR-065")
def test_a_shop_scores_several_times() -> None:
    """A's shop at Notre Dame counts at Hôtel de Ville and at Quartier Latin; those two are not
    neighbours of each other. 2 + 2."""
    assert grand_tour(shops("hotel-de-ville=A, notre-dame=A, quartier-latin=A"), "green") == (
        ("hotel-de-ville", 0, 2), ("quartier-latin", 0, 2),
    )  # fmt: skip


@pytest.mark.rule("PR-066")
def test_everybody_scores_whoever_caused_it() -> None:
    """The same tour set off by each of four players pays the same to all."""
    for who in "ABCD":
        state = position(
            "opera=AB, montparnasse=CD, pigalle=B", seats=4, to_act=who,
            up=["gare-de-lyon/grey", "invalides/red"], p_row=["la-villette/red"],
        )  # fmt: skip
        played = opens(state, who, "gare-de-lyon/grey")
        assert played.state.grand == [1, 2, 1, 1]


@pytest.mark.rule("PR-068")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_p_row_and_number_of_grand_tours(seats: int) -> None:
    """At most one tile a colour between rounds; grand tours = (rounds - tiles left) / 2."""
    for number in range(12):
        rand = random.Random(f"{seats} {number}")
        state, _ = start(GAME, seats, seed=f"{number:02x}")
        tours = 0
        while state.ended is None:
            (who,) = GAME.waiting(state)
            played = play(GAME, state, who, rand.choice(GAME.legal(state, who)))
            tours += len(events(played, "grand_tour"))
            state = played.state
            colours = [t.partition("/")[2] for t in state.p_row]
            assert len(set(colours)) == len(colours) <= 5
        assert 2 * tours == ROUNDS[seats] - len(state.p_row)
        low, high = {2: (8, 10), 3: (5, 7), 4: (4, 6)}[seats]
        assert low <= tours <= high


@pytest.mark.rule("PR-069")
def test_the_last_round_can_set_off_a_grand_tour() -> None:
    """Round 15 of 3 players; afterwards the tile left in the P row does nothing."""
    state = position(
        "opera=A", to_act="C", round=15, up=["gare-de-lyon/grey", "invalides/red"],
        p_row=["pigalle/red", "louvre/blue"], markers=["green", "blue", "grey"],
    )  # fmt: skip
    played = opens(state, "C", "gare-de-lyon/grey")
    assert [e.kind for e in played.events] == [
        "opened", "small_tour", "grand_tour", "bus", "markers", "special_tour", "special_tour",
        "special_tour", "sack", "end",
    ]  # fmt: skip
    assert played.state.grand == [1, 0, 0]
    assert played.state.p_row == ["louvre/blue"]
    assert played.state.special == [0, 0, 0], "Opéra is on red and orange, not on these lines"


@pytest.mark.rule("PR-057", "PR-058")
def test_the_first_tile_of_a_colour_sets_nothing_off() -> None:
    """The other line of a crossing tile triggers nothing: Montparnasse red beside grey ones."""
    state = position("", to_act="C", up=["louvre/blue", "montparnasse/red"], p_row=["odeon/grey"])
    played = opens(state, "C", "louvre/blue")
    assert events(played, "grand_tour") == []
    assert event(played, "discarded").args["tile"] == "montparnasse/red"
    assert played.state.p_row == ["odeon/grey", "montparnasse/red"]
    assert shown(played.state) == {"louvre": "C"}
