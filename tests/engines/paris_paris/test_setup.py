"""Setup (PR-001, PR-009 to PR-019, PR-037)."""

from __future__ import annotations

import msgspec
import pytest

from engines.core.errors import SetupError
from engines.core.play import start
from engines.paris_paris import GAME
from engines.paris_paris.components import board
from tests.engines.paris_paris.positions import LINES, dealt, points

MARKERS = ["orange", "grey", "blue", "red", "green"]


@pytest.mark.rule("PR-001")
@pytest.mark.parametrize("seats", [0, 1, 5, 6])
def test_only_two_to_four_play(seats: int) -> None:
    with pytest.raises(SetupError) as error:
        start(GAME, seats)
    assert error.value.rule == "PR-001"
    assert "2, 3, 4" in error.value.text


@pytest.mark.rule("PR-X37", "PR-015", "PR-020", "PR-017", "PR-018", "PR-014")
@pytest.mark.parametrize(
    ("seats", "stacks", "size", "open_markers"), [(2, 20, 3, 1), (3, 15, 4, 0), (4, 12, 5, 0)]
)
def test_stacks_markers_supply(seats: int, stacks: int, size: int, open_markers: int) -> None:
    state, _ = start(GAME, seats, seed="a1")
    assert len(state.stacks) == stacks
    assert {len(s) for s in state.stacks} == {size}
    tiles = [t for s in state.stacks for t in s]
    assert sorted(tiles) == sorted(board().tiles), "no tile is left over"
    assert len(state.markers) == seats
    assert (state.open_marker is not None) == bool(open_markers)
    known = {*state.markers, state.open_marker} - {None}
    assert len(known) == seats + open_markers, "all different"
    assert len(set(LINES) - known) == {2: 2, 3: 2, 4: 1}[seats], "the unseen ones in the box"
    assert [state.supply(s) for s in range(seats)] == [19] * seats
    view = GAME.view(state, None)
    assert view.rounds == stacks
    assert view.stacks_left == stacks - 1, "the first stack lies face up"
    assert view.has_sack == (seats > 2)
    assert view.open_marker == state.open_marker


@pytest.mark.rule("PR-009", "PR-011")
def test_everybody_sees_the_empty_board_and_zero_points() -> None:
    state, _ = start(GAME, 4, seed="b2")
    view = GAME.view(state, None)
    assert view.shops == ()
    assert view.scores == (0, 0, 0, 0)
    assert view.p_row == ()
    assert len(view.face_up) == 5
    text = GAME.board_text(view)
    assert all(stop.name in text for stop in board().stops.values())


@pytest.mark.rule("PR-010")
def test_colours_differ() -> None:
    state, _ = start(GAME, 3, {"colours": ["green", "", "grey"]})
    assert state.colours == ("green", "violet", "grey"), "the free ones follow in default order"
    with pytest.raises(SetupError) as error:
        start(GAME, 2, {"colours": ["green", "green"]})
    assert error.value.rule == "PR-010"
    with pytest.raises(SetupError) as error:
        start(GAME, 2, {"colours": ["pink"]})
    assert error.value.rule == "PR-010"


@pytest.mark.rule("PR-012")
def test_the_starting_player_is_drawn() -> None:
    """Every seat starts about equally often; he has the bus and opens first."""
    starts = [0, 0, 0]
    for number in range(600):
        state, _ = start(GAME, 3, seed=f"{number:04x}")
        assert state.bus == state.first == GAME.waiting(state)[0]
        starts[state.first] += 1
    assert all(150 <= n <= 250 for n in starts), starts


@pytest.mark.rule("PR-013")
def test_clockwise_is_the_next_seat_and_the_last_is_followed_by_the_first() -> None:
    state = dealt(3, "louvre/blue opera/red odeon/grey bastille/blue", first=1)
    order = []
    for tile in ("louvre/blue", "opera/red", "odeon/grey"):
        (seat,) = GAME.waiting(state)
        order.append(seat)
        draft = state.clone()
        move = next(m for m in GAME.legal(state, seat) if m.tile == tile)
        GAME.apply(draft, seat, move)
        state = draft
    assert order == [1, 2, 0]


@pytest.mark.rule("PR-016")
def test_a_marker_is_its_owners_alone() -> None:
    state, events = start(GAME, 3, deal={"markers": MARKERS}, seed="01")
    assert [GAME.view(state, s).my_marker for s in range(3)] == ["orange", "grey", "blue"]
    assert GAME.view(state, None).my_marker is None
    assert GAME.view(state, None).markers is None
    assert GAME.hand(GAME.view(state, None)) is None
    assert "line 5 (orange)" in GAME.hand(GAME.view(state, 0)).title
    told = [(e.to, e.args["line"]) for e in events if e.kind == "marker"]
    assert told == [((0,), "orange"), ((1,), "grey"), ((2,), "blue")]
    public = msgspec.json.encode([e for e in events if e.to is None]).decode()
    assert 'marker":""' in public, "three players have no face-up marker"


@pytest.mark.rule("PR-017", "PR-018")
def test_boxed_markers_are_seen_by_nobody() -> None:
    """With two players the third marker is face up; the box markers are in no view at all."""
    for seats, hidden in ((2, ["red", "green"]), (3, ["red", "green"]), (4, ["green"])):
        state, _ = start(GAME, seats, deal={"markers": MARKERS, "tiles": ["louvre/blue"]})
        assert state.open_marker == ("blue" if seats == 2 else None)
        assert not set(hidden) & {*state.markers, state.open_marker}
        for viewer in (None, *range(seats)):
            view = GAME.view(state, viewer)
            assert {view.my_marker, view.open_marker}.isdisjoint(hidden)
            assert view.markers is None


@pytest.mark.rule("PR-019")
def test_draws_follow_the_table_and_stay_hidden() -> None:
    """Stack k is the k-th block, seat i gets marker i, with two players the third is face up."""
    order = [t for t in board().tiles if "orange" in t] + [
        t for t in board().tiles if "orange" not in t
    ]
    state, _ = start(GAME, 2, deal={"start": [1], "tiles": order, "markers": MARKERS})
    assert [t for s in state.stacks for t in s] == order
    assert state.stacks[0] == tuple(order[:3])
    assert state.stacks[19] == tuple(order[57:])
    assert state.markers == ("orange", "grey")
    assert state.open_marker == "blue"
    assert state.first == 1
    seeded, _ = start(GAME, 4, seed="5eed")
    assert set(seeded.rng.counters) == {"start", "tiles", "markers"}, "one label a kind of draw"
    for viewer in (None, 0):
        assert "5eed" not in msgspec.json.encode(GAME.view(seeded, viewer)).decode()
        names = {f.name for f in msgspec.structs.fields(GAME.view_type)}
        assert not names & {"rng", "stacks", "seed"}


@pytest.mark.rule("PR-019")
def test_the_deal_of_a_seed_never_changes() -> None:
    """Fixed values: a change here breaks every recorded match."""
    state, _ = start(GAME, 3, seed="0123456789abcdef")
    assert state.first == 1
    assert state.markers == ("red", "blue", "grey")
    assert " ".join(state.stacks[0]) == (
        "concorde/red hotel-de-ville/green quartier-latin/orange odeon/grey"
    )
    assert " ".join(state.stacks[14]) == "odeon/orange bastille/blue pigalle/red odeon/orange"


def test_points_start_at_zero() -> None:
    assert points(dealt(2)) == [0, 0]
