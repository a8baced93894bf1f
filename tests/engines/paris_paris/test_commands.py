"""Order of the checks and undo (PR-081, PR-082), and the dossier's illegal attempts."""

from __future__ import annotations

import msgspec
import pytest

from engines.core.errors import IllegalMove, MalformedMove, MoveError, NotYourTurn, SetupError
from engines.core.play import play, start
from engines.core.surface import resolve
from engines.core.types import state_hash
from engines.paris_paris import GAME
from engines.paris_paris.moves import OpenBusiness
from engines.paris_paris.state import ParisState
from tests.conformance.hooks import Case
from tests.conformance.walk import Match
from tests.engines.paris_paris.positions import opens, position

UP = ["louvre/blue", "concorde/red", "odeon/grey"]


def refusal(state: ParisState, who: int, tile: str, remove: str | None = None) -> MoveError:
    """How a command is refused; checks that it changed nothing."""
    before = state_hash(state)
    with pytest.raises(MoveError) as error:
        play(GAME, state, who, OpenBusiness(tile, remove))
    assert state_hash(state) == before
    return error.value


@pytest.mark.rule("PR-081")
def test_checks_run_in_order() -> None:
    """Each command breaks everything from some check on; the first one speaks."""
    running = position("concorde=BC", up=[*UP[:2], "opera/red"], used=["pigalle/red"])
    over = opens(position("", to_act="C", round=15, up=UP[:2]), "C", "louvre/blue").state
    assert refusal(over, 9, "nonsense", "pink").rule == "PR-080"
    assert refusal(running, 9, "nonsense", "pink").rule == "PR-081"
    assert refusal(running, -1, "nonsense", "pink").rule == "PR-081"
    assert refusal(running, 1, "nonsense", "pink").rule == "PR-022"
    assert refusal(running, 2, "nonsense", "pink").rule == "PR-029", "C has opened in this round"
    assert refusal(running, 0, "nonsense", "pink").rule == "PR-007"
    assert refusal(running, 0, "bastille/blue", "pink").rule == "PR-028"
    assert refusal(running, 0, "pigalle/red", "pink").rule == "PR-035"
    assert refusal(running, 0, "concorde/red", "pink").rule == "PR-040"
    both = position("pompidou=BC", up=["pompidou/green", "pompidou/blue", "opera/red"])
    assert refusal(both, 0, "pompidou", "pink").rule == "PR-033", "colour before remove"


@pytest.mark.rule("PR-082")
def test_undo_of_the_latest_opening() -> None:
    """A opens, B opens; B takes back, then A may as well; new ids, same position."""
    match = Match(Case("paris_paris", 3, {}), "0a0b")
    start_state = match.state
    first, second, third = ((match.state.first + i) % 3 for i in range(3))
    for seat in (first, second):
        match.move(seat, GAME.legal(match.state, seat)[0])
    with pytest.raises(IllegalMove) as error:
        match.undo(first)
    assert error.value.rule == "PR-082", "only the latest opening, by its own player"
    with pytest.raises(IllegalMove):
        match.undo(third)
    match.undo(second)
    assert GAME.waiting(match.state) == (second,)
    assert match.state.openers == [first]
    match.undo(first)
    assert match.state.shops == {}
    assert match.state.face_up == start_state.face_up
    assert match.state.pending[0].id > start_state.pending[0].id
    with pytest.raises(IllegalMove) as error:
        match.undo(first)
    assert error.value.rule == "PR-082"


@pytest.mark.rule("PR-082", "PR-I16")
def test_the_last_opening_of_a_round_is_final() -> None:
    match = Match(Case("paris_paris", 2, {}), "0a0b")
    for _ in range(2):
        (seat,) = GAME.waiting(match.state)
        match.move(seat, GAME.legal(match.state, seat)[0])
    for who in (0, 1):
        with pytest.raises(IllegalMove) as error:
            match.undo(who)
        assert error.value.rule == "PR-082"
        if who == seat:
            assert "revealed" in error.value.text


def state_of_i() -> ParisState:
    return position("louvre=B, concorde=BC", up=UP, used=["pigalle/red"])


@pytest.mark.rule("PR-I01", "PR-I02")
def test_out_of_turn() -> None:
    state = position("", to_act="B", up=UP)
    error = refusal(state, 2, "louvre/blue")
    assert isinstance(error, NotYourTurn)
    assert (error.rule, "{seat:1}" in error.text) == ("PR-022", True)
    error = refusal(state, 0, "louvre/blue")
    assert (error.rule, "already opened" in error.text) == ("PR-029", True)


@pytest.mark.rule("PR-I03")
def test_passing() -> None:
    error = refusal(state_of_i(), 0, "")
    assert error.rule == "PR-030"
    assert "must open a shop now" in error.text
    assert len(error.choices) == 3
    with pytest.raises(MalformedMove):
        GAME.decode_move(b'{"kind":"pass"}')


@pytest.mark.rule("PR-I04", "PR-I05", "PR-I06")
def test_tiles_that_are_not_there() -> None:
    error = refusal(state_of_i(), 0, "bastille/grey")
    assert error.rule == "PR-028"
    assert "Louvre (blue), Concorde (red) and Odéon (grey)" in error.text
    after = opens(position("", up=["louvre/blue", *UP[1:]]), "A", "louvre/blue").state
    error = refusal(after, 1, "louvre/blue")
    assert error.rule == "PR-035"
    assert "already been used" in error.text
    error = refusal(state_of_i(), 0, "louvre/red")
    assert error.rule == "PR-007"
    assert "Louvre is only on blue" in error.text


@pytest.mark.rule("PR-I07")
def test_colour_not_clear() -> None:
    state = position("", up=["pompidou/green", "pompidou/blue", "opera/red"])
    error = refusal(state, 0, "pompidou")
    assert error.rule == "PR-033"
    assert "green or blue" in error.text
    assert error.choices == ("Pompidou (green)", "Pompidou (blue)")


@pytest.mark.rule("PR-I08", "PR-I09", "PR-I10", "PR-I11")
def test_wrong_remove() -> None:
    for board in ("", "concorde=B"):
        state = position(board, up=UP)
        error = refusal(state, 0, "concorde/red", "violet")
        assert (error.rule, "is room" in error.text) == ("PR-041", True)
    assert refusal(position("", up=UP), 0, "louvre/blue", "violet").rule == "PR-041"
    state = state_of_i()
    error = refusal(state, 0, "concorde/red")
    assert (error.rule, error.choices) == ("PR-041", ("violet", "yellow"))
    assert "violet or yellow" in error.text
    error = refusal(state, 0, "concorde/red", "grey")
    assert error.rule == "PR-040"
    assert "Only an old shop can go" in error.text
    assert "violet or yellow" in error.text
    error = refusal(state, 0, "louvre/blue", "yellow")
    assert error.rule == "PR-039"
    assert "Only the violet shop can go" in error.text


@pytest.mark.rule("PR-I12", "PR-I13", "PR-I14", "PR-I15")
def test_asking_for_what_is_hidden_is_no_move() -> None:
    """There is one move; neither JSON nor commands name the sack, a marker, a stack or a tour."""
    state = state_of_i()
    assert [kind.__struct_config__.tag for kind in GAME.move_types] == ["open_business"]
    for kind in ("open_sack", "view_marker", "choose_stack", "grand_tour"):
        with pytest.raises(MalformedMove):
            GAME.decode_move(msgspec.json.encode({"kind": kind}))
        with pytest.raises(MalformedMove):
            resolve(GAME, state, 0, kind, {})
    with pytest.raises(MalformedMove):
        GAME.decode_move(b'{"kind":"open_business","tile":"louvre/blue","stack":3}')
    for viewer in (None, 0, 1, 2):
        view = GAME.view(state, viewer)
        assert (view.sack, view.markers, view.supplies) == (None, None, None)
        assert view.my_marker == (None if viewer is None else state.markers[viewer])
        assert set(view.face_up) == set(UP), "of the stacks only the number is known"
        assert view.stacks_left == 10
    helped = {rule: text for text in GAME.rules_help() for rule in text.ids}
    for rule, words in (
        ("PR-046", "nobody may look into it"),
        ("PR-016", "one secret marker"),
        ("PR-025", "A stack of tiles is turned up"),
        ("PR-058", "If a tile of its colour already lies there"),
    ):
        assert words in helped[rule].text, "the help says why not"


@pytest.mark.rule("PR-I17", "PR-I18")
def test_lobby() -> None:
    with pytest.raises(SetupError) as error:
        start(GAME, 3, {"colours": ["violet", "violet"]})
    assert error.value.rule == "PR-010"
    assert "violet is taken" in error.value.text
    assert "grey, yellow and green" in error.value.text
    for seats in (1, 5):
        with pytest.raises(SetupError) as error:
            start(GAME, seats)
        assert error.value.rule == "PR-001"


@pytest.mark.rule("PR-I19")
def test_moves_after_the_result() -> None:
    over = opens(position("", to_act="C", round=15, up=UP[:2]), "C", "louvre/blue").state
    error = refusal(over, 0, "concorde/red")
    assert error.rule == "PR-080"
    assert "over" in error.text


def test_check_notices_what_is_wrong() -> None:
    """Each broken position is refused by check()."""
    from engines.core.errors import InvariantError

    def broken(**changes: object) -> ParisState:
        state = position("louvre=A, odeon=AB", up=UP, p_row=["opera/red"], sack=[1, 0, 0])
        return msgspec.structs.replace(state, **changes)

    good = broken()
    GAME.check(good)
    over = {"ended": "stacks", "pending": [], "face_up": []}
    for part, changes in (
        ("wrong number of players", {"seats": 5}),
        ("wrong number of players", {"colours": ("grey", "violet")}),
        ("stacks have wrong sizes", {"stacks": good.stacks[:5]}),
        ("stacks have wrong sizes", {"stacks": (good.stacks[0][:3], *good.stacks[1:])}),
        ("no such round", {"round": 99}),
        ("no such round", {"round": 0}),
        ("60 tiles", {"face_up": UP[:2]}),
        ("60 tiles", {"boxed": good.boxed[1:]}),
        ("60 tiles", {"p_row": ["opera/red", "opera/red"]}),
        ("two tiles of a colour", two_of_a_colour(good)),
        ("louvre holds 2 shops", {"shops": {"louvre": (0, 1)}}),
        ("louvre holds 0 shops", {"shops": {"louvre": ()}}),
        ("paris holds 1 shops", {"shops": {"paris": (0,)}}),
        ("shop of nobody", {"shops": {"louvre": (7,)}}),
        ("seat 0 has more than 19", {"sack": [18, 0, 0]}),
        ("an account is wrong", {"sack": [0, 0]}),
        ("an account is wrong", {"grand": [-1, 0, 0]}),
        ("markers are wrong", {"markers": ("red", "red", "blue")}),
        ("markers are wrong", {"markers": ("red", "pink", "blue")}),
        ("markers are wrong", {"markers": ("red", "blue")}),
        ("markers are wrong", {"open_marker": "orange"}),
        ("no such starting player", {"first": 5}),
        ("wrong player has the bus", {"bus": 0}),
        ("out of order", {"openers": [0]}),
        ("wrong player are to act", {"pending": []}),
        ("wrong player are to act", {"pending": [*good.pending, *good.pending]}),
        ("wrong number of face-up tiles", {"used": []}),
        ("wrong number of face-up tiles", {
            "face_up": [*UP, good.boxed[0]], "boxed": good.boxed[1:],
        }),
        ("wrong player has the bus", over | {"boxed": [*good.boxed, *UP]}),
        ("something is left to do", {"ended": "stacks", "bus": (good.first + 5) % 3}),
        ("no such end", over | {"bus": (good.first + 5) % 3, "boxed": [*good.boxed, *UP]}),
    ):  # fmt: skip
        with pytest.raises(InvariantError) as error:
            GAME.check(broken(**changes))
        assert part in str(error.value), (changes, str(error.value))
    two = msgspec.structs.replace(position("", seats=2, up=UP), sack=[1, 0])
    with pytest.raises(InvariantError, match="have no sack"):
        GAME.check(two)


def two_of_a_colour(good: ParisState) -> dict[str, object]:
    """Move two orange tiles from the box into the P row."""
    two = [t for t in good.boxed if t.endswith("/orange")][:2]
    boxed = list(good.boxed)
    for tile in two:
        boxed.remove(tile)
    return {"p_row": [*good.p_row, *two], "boxed": boxed}


def test_refusals_quote_briefly() -> None:
    """A player's own words come back short, in one line and without placeholders."""
    error = refusal(position("", up=UP), 0, "{seat:1}\n" + "x" * 80)
    assert "“(seat:1) xxxx" in error.text
    quoted = error.text.partition("“")[2].partition("”")[0]
    assert len(quoted) == 40
    assert refusal(position("", up=UP), 0, "y" * 40).text.count("y") == 40


def test_safest_move_keeps_own_shops() -> None:
    """Free place before a foreign shop, and a foreign one before an own one."""
    state = position("louvre=A, concorde=AB", up=["louvre/blue", "concorde/red", "odeon/grey"])
    assert GAME.safest(state, 0) == OpenBusiness("odeon/grey")
    state = position("louvre=A, concorde=AB, odeon=AA", up=UP)
    assert GAME.safest(state, 0) == OpenBusiness("concorde/red", "violet")
