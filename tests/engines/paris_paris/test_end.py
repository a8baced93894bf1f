"""Game end (PR-071 to PR-080), examples PR-X35 to PR-X40 and PR-X42."""

from __future__ import annotations

import pytest

from engines.core.errors import MoveError
from engines.core.play import Played, play
from engines.paris_paris import GAME
from engines.paris_paris.moves import OpenBusiness
from engines.paris_paris.rules import sack_winner
from engines.paris_paris.state import ParisState
from tests.engines.paris_paris.positions import (
    ROUNDS,
    by_stop,
    dealt,
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


def play_round(state: ParisState, *openings: str) -> Played:
    """``"A pompidou"`` or ``"A hotel-de-ville C"`` (C's shop goes), in turn; the last result."""
    for opening in openings:
        who, tile, *remove = opening.split()
        played = opens(state, who, tile, *remove)
        state = played.state
    return played


@pytest.mark.rule("PR-X35")
def test_opening_of_two_players() -> None:
    state = dealt(
        2,
        "louvre/blue pompidou/green montmartre/red",
        "pompidou/blue opera/red pompidou/green",
        "pont-neuf/orange opera/red louvre/blue",
    )
    played = play_round(state, "A pompidou", "B louvre")
    # Montmartre is green 1 and red 2; Pompidou is green 4: three stops away.
    assert by_stop(event(played, "small_tour")) == [("pompidou", "A", 1)]
    assert points(played.state) == [1, 0]
    played = play_round(played.state, "B pompidou/blue", "A opera")
    assert by_stop(event(played, "small_tour")) == [("pompidou", "A", 1), ("pompidou", "B", 1)]
    assert points(played.state) == [2, 1]
    assert played.state.p_row == ["montmartre/red", "pompidou/green"]
    assert shown(played.state) == {"pompidou": "AB", "louvre": "B", "opera": "A"}
    first = opens(played.state, "A", "louvre")
    assert event(first, "opened").args["to"] == "supply"
    played = opens(first.state, "B", "pont-neuf")
    assert event(played, "small_tour").args["tile"] == "opera/red"
    assert scored(event(played, "small_tour")) == {"A": 1}
    assert by_stop(event(played, "grand_tour")) == [("opera", "A", 1)]
    after = played.state
    assert points(after) == [4, 1]
    assert after.p_row == ["pompidou/green"]
    assert GAME.view(after, None).supplies == (16, 17)
    assert shown(after) == {"pompidou": "AB", "louvre": "A", "opera": "A", "pont-neuf": "B"}
    assert after.round == 4
    assert GAME.waiting(after) == (1,), "B starts round 4"


@pytest.mark.rule("PR-X36")
def test_opening_of_three_players() -> None:
    state = dealt(
        3,
        "hotel-de-ville/green odeon/grey louvre/blue concorde/red",
        "odeon/orange louvre/blue opera/red hotel-de-ville/grey",
        "odeon/grey hotel-de-ville/green tour-eiffel/grey odeon/orange",
        "luxembourg/grey notre-dame/green bastille/blue notre-dame/green",
    )
    played = play_round(state, "A hotel-de-ville", "B odeon", "C louvre")
    assert by_stop(event(played, "small_tour")) == [("louvre", "C", 1)]
    played = play_round(played.state, "B odeon", "C hotel-de-ville", "A louvre")
    assert shown(played.state) == {"hotel-de-ville": "AC", "odeon": "BB", "louvre": "A"}
    assert played.state.sack == [0, 0, 1]
    # Opéra is orange 6 and red 4; nothing on red; Odéon is orange 3.
    assert by_stop(event(played, "small_tour")) == [("odeon", "B", 2)]
    tour = event(played, "grand_tour")
    assert (tour.args["line"], tour.args["points"]) == ("red", ())
    assert played.state.p_row == []
    played = play_round(played.state, "C odeon/orange", "A hotel-de-ville/green C", "B tour-eiffel")
    assert played.state.sack == [0, 1, 2]
    assert scored(event(played, "small_tour")) == {"B": 1, "C": 1}
    assert shown(played.state) == {
        "hotel-de-ville": "AA", "odeon": "BC", "louvre": "A", "tour-eiffel": "B",
    }  # fmt: skip
    played = play_round(played.state, "A notre-dame", "B notre-dame", "C bastille")
    assert played.state.sack == [1, 1, 2]
    assert by_stop(event(played, "small_tour")) == [("odeon", "B", 1), ("odeon", "C", 1)]
    assert by_stop(event(played, "grand_tour")) == [
        ("bastille", "C", 1), ("hotel-de-ville", "A", 2), ("odeon", "B", 1), ("odeon", "C", 1),
    ]  # fmt: skip
    assert points(played.state) == [2, 5, 5]
    assert played.state.p_row == []
    assert played.state.round == 5


X16 = "pompidou=AB, hotel-de-ville=AA, notre-dame=B, quartier-latin=B"


@pytest.mark.rule("PR-X38", "PR-071", "PR-072", "PR-073", "PR-074", "PR-075")
def test_special_tours_of_two_players() -> None:
    """The board of X16 after A's last opening at St-Nicolas; A started round 1."""
    state = position(
        X16, seats=2, to_act="A", round=20, up=["st-nicolas/green", "la-villette/red"],
        markers=["red", "green"], open_marker="grey",
    )  # fmt: skip
    assert state.first == 0, "20 is a multiple of 2"
    played = opens(state, "A", "st-nicolas/green")
    assert event(played, "bus").args["seat"] == 0, "who started round 1 has the bus again"
    assert [e.kind for e in played.events if e.kind == "placed"] == [], "no stack is left"
    tours = events(played, "special_tour")
    assert [(e.args["line"], e.args["owner"], scored(e)) for e in tours] == [
        ("red", 0, {}), ("green", 1, {"A": 7, "B": 3}), ("grey", None, {"A": 3}),
    ]  # fmt: skip
    after = played.state
    assert after.special == [10, 3]
    assert events(played, "sack") == [], "no sack with two players"
    assert after.sacked == [0, 0]
    assert after.shops == shops(X16 + ", st-nicolas=A"), "special tours move nothing"
    assert after.ended == "stacks"


@pytest.mark.rule("PR-072", "PR-073")
@pytest.mark.parametrize("seats", [3, 4])
def test_special_tours_go_clockwise_from_the_bus(seats: int) -> None:
    """Whoever starts round 1 also holds the bus at the end and drives first; all are paid."""
    last = "ABCD"[seats - 2]  # then the first seat of the last round is the last letter
    markers = ["red", "orange", "green", "blue"]
    state = position(
        "opera=AB, odeon=C", seats=seats, to_act=last, round=ROUNDS[seats], markers=markers,
        up=["gare-de-lyon/grey", "luxembourg/grey"],
    )  # fmt: skip
    played = opens(state, last, "gare-de-lyon/grey")
    assert played.state.bus == state.first
    order = [(state.first + i) % seats for i in range(seats)]
    tours = events(played, "special_tour")
    assert [e.args["owner"] for e in tours] == order
    assert [e.args["line"] for e in tours] == [markers[s] for s in order]
    by_line = {e.args["line"]: scored(e) for e in tours}
    assert by_line["red"] == {"A": 1, "B": 1}, "Opéra"
    assert by_line["orange"] == {"A": 1, "B": 1, "C": 1}, "Odéon and Opéra"
    assert by_line["green"] == {}, "nothing on green"


@pytest.mark.rule("PR-075")
def test_the_order_of_special_tours_does_not_matter() -> None:
    totals = set()
    for markers in (
        ["red", "orange", "grey"],
        ["grey", "red", "orange"],
        ["orange", "grey", "red"],
    ):
        state = position(
            "opera=AB, odeon=C, pigalle=A", to_act="C", round=15, markers=markers,
            up=["gare-de-lyon/grey", "luxembourg/grey"],
        )  # fmt: skip
        after = opens(state, "C", "gare-de-lyon/grey").state
        totals.add(tuple(after.special))
        assert len(after.shops) == 4
        assert after.p_row == ["luxembourg/grey"]
    # red: Opéra A 2, B 1; orange: Odéon C 1, Opéra A 2, B 1; grey: Odéon C 1.
    assert totals == {(4, 2, 2)}


@pytest.mark.rule("PR-071")
def test_the_end_comes_when_no_stack_is_left_at_the_beginning_of_a_round() -> None:
    for number in (14, 15):
        state = position("", to_act="C", round=number, up=["gare-de-lyon/grey", "louvre/blue"])
        after = opens(state, "C", "louvre/blue").state
        assert (after.ended is not None) == (number == 15)
        assert bool(after.face_up) == (number == 14)


@pytest.mark.rule("PR-X39", "PR-076", "PR-077")
@pytest.mark.parametrize(
    ("sack", "gains"),
    [
        ([3, 2, 2], [3, 0, 0]),
        ([3, 3, 1], [0, 0, 0]),
        ([0, 1, 0], [0, 1, 0]),
        ([0, 0, 0], [0, 0, 0]),
    ],
)
def test_sack(sack: list[int], gains: list[int]) -> None:
    state = position("", to_act="C", round=15, sack=sack, up=["gare-de-lyon/grey", "louvre/blue"])
    played = opens(state, "C", "gare-de-lyon/grey")
    assert played.state.sacked == gains
    assert event(played, "sack").args["counts"] == tuple(sack)
    result = GAME.outcome(played.state)
    assert [dict(s.lines)["Sack"] for s in result.scores] == gains
    assert GAME.view(played.state, None).sack == tuple(sack), "shown after the end"


@pytest.mark.rule("PR-077")
def test_two_on_top_cancel_and_the_next_gets_nothing() -> None:
    assert sack_winner([4, 4, 3, 0]) is None
    assert sack_winner([4, 5, 3, 0]) == 1


PLAIN = [
    "gare-du-nord",
    "st-nicolas",
    "notre-dame",
    "la-villette",
    "pigalle",
    "invalides",
    "place-des-vosges",
    "louvre",
    "champs-elysees",
    "gare-de-lyon",
    "luxembourg",
    "tour-eiffel",
    "jardin-des-plantes",
    "les-halles",
    "st-lazare",
]


@pytest.mark.rule("PR-X40", "PR-078", "PR-079")
@pytest.mark.parametrize(
    ("extra", "scores", "ranking", "note"),
    [
        # C's two shops at Pompidou (green, blue): no special tour of red, grey, orange comes there.
        ("pompidou=CC", [30, 31, 30], ((1,), (0,), (2,)), "PR-078"),
        # B has an eighth shop beside C; C's other one at Montparnasse gets 1 on red, 1 on grey.
        ("pompidou=BC, montparnasse=C", [30, 31, 28], ((0, 1), (2,)), "PR-079"),
    ],
)
def test_winner(
    extra: str, scores: list[int], ranking: tuple[tuple[int, ...], ...], note: str
) -> None:
    """A 31 points with 8 shops, B 31 with 7 (or 8), C 30 with 2: A's shops are the first seven
    plain stops and St-Lazare, which he opens last; the tile left over is Gare du Nord, A 1."""
    a = ", ".join(f"{stop}=A" for stop in PLAIN[:7])
    b = ", ".join(f"{stop}=B" for stop in PLAIN[7:14])
    state = position(
        f"{a}, {b}, {extra}", to_act="A", round=15, points=scores,
        markers=["red", "grey", "orange"], up=["st-lazare/orange", "gare-du-nord/green"],
    )  # fmt: skip
    after = opens(state, "A", "st-lazare/orange").state
    assert points(after) == [31, 31, 30]
    assert after.on_board(0) == 8
    assert after.on_board(1) == (7 if note == "PR-078" else 8)
    assert after.on_board(2) == 2
    result = GAME.outcome(after)
    assert result.ranking == ranking
    assert note in result.note
    assert [s.total for s in result.scores] == [31, 31, 30]


@pytest.mark.rule("PR-078")
def test_the_highest_score_wins_whatever_stands_on_the_board() -> None:
    state = position("odeon=AA, louvre=A", to_act="C", round=15, points=[9, 3, 0],
                     markers=["red", "green", "blue"],
                     up=["gare-de-lyon/grey", "tour-eiffel/grey"])  # fmt: skip
    result = GAME.outcome(opens(state, "C", "gare-de-lyon/grey").state)
    # Small tour Tour Eiffel: Odéon is three stops away on grey: A 2; nothing else.
    assert [s.total for s in result.scores] == [11, 3, 0]
    assert result.ranking == ((0,), (1,), (2,))
    assert result.note == ""


@pytest.mark.rule("PR-079")
def test_score_markers_are_not_shops_on_the_board() -> None:
    state = position("louvre=A", up=["opera/red", "odeon/grey", "bastille/blue"])
    assert [state.on_board(s) for s in range(3)] == [1, 0, 0]


@pytest.mark.rule("PR-X42", "PR-034")
def test_the_twentieth_shop() -> None:
    """Round 20 of 2 players: 19 shops of A (ten crossings, nine plain stops) and one more."""
    crossings = [
        "montmartre",
        "pompidou",
        "hotel-de-ville",
        "quartier-latin",
        "opera",
        "concorde",
        "montparnasse",
        "bastille",
        "pont-neuf",
        "odeon",
    ]
    state = position(
        ", ".join(f"{s}=A" for s in [*crossings, *PLAIN[:9]]), seats=2, to_act="A", round=20,
        up=["opera/red", "les-halles/orange", "luxembourg/grey"],
    )  # fmt: skip
    assert state.on_board(0) == 19
    assert GAME.view(state, 0).supplies == (0, 19)
    after = opens(state, "A", "opera/red").state
    assert after.on_board(0) == 20
    assert GAME.view(after, 0).supplies == (0, 19)
    GAME.check(after)


@pytest.mark.rule("PR-080", "PR-047")
def test_after_the_end() -> None:
    state = position("louvre=A", to_act="C", round=15, sack=[2, 0, 1],
                     up=["gare-de-lyon/grey", "tour-eiffel/grey"])  # fmt: skip
    after = opens(state, "C", "gare-de-lyon/grey").state
    for seat in range(3):
        with pytest.raises(MoveError) as error:
            play(GAME, after, seat, OpenBusiness("tour-eiffel/grey"))
        assert error.value.rule == "PR-080"
        assert GAME.legal(after, seat) == []
    view = GAME.view(after, None)
    assert view.markers == ("green", "red", "blue"), "all markers are shown"
    assert view.sack == (2, 0, 1)
    assert view.supplies == (16, 19, 17)
    assert letters(view.scores), "somebody has points"
