"""The round and its phases (PR-020 to PR-035, PR-045, PR-057, PR-070)."""

from __future__ import annotations

import random

import pytest

from engines.core.errors import IllegalMove, NotYourTurn, StaleDecision
from engines.core.play import play, start
from engines.core.surface import resolve
from engines.paris_paris import GAME
from engines.paris_paris.moves import OpenBusiness
from tests.engines.paris_paris.positions import (
    ROUNDS,
    dealt,
    event,
    opens,
    position,
    seat,
    shown,
)

FIRST = "louvre/blue opera/red odeon/grey bastille/blue"
SECOND = "les-halles/orange notre-dame/green pigalle/red tour-eiffel/grey"


@pytest.mark.rule("PR-020")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_each_round_uses_one_stack(seats: int) -> None:
    """20, 15 or 12 rounds; 40, 45 or 48 openings in all, as many for each player as rounds."""
    rand = random.Random(seats)
    state, _ = start(GAME, seats, seed="33")
    openings = [0] * seats
    seen = []
    while state.ended is None:
        if not state.openers:
            seen.append(state.round)
            assert tuple(state.face_up) == state.stacks[state.round - 1]
        (who,) = GAME.waiting(state)
        openings[who] += 1
        state = play(GAME, state, who, rand.choice(GAME.legal(state, who))).state
    assert seen == list(range(1, ROUNDS[seats] + 1))
    assert openings == [ROUNDS[seats]] * seats
    assert sum(openings) == {2: 40, 3: 45, 4: 48}[seats]


@pytest.mark.rule("PR-021", "PR-024", "PR-025", "PR-022")
def test_phases_in_order_without_a_question() -> None:
    """After the last opening everything else runs at once, in the order of the round."""
    state = dealt(3, FIRST, SECOND)
    played = opens(state, "A", "louvre/blue")
    assert [e.kind for e in played.events] == ["opened"]
    played = opens(played.state, "B", "opera/red")
    assert [e.kind for e in played.events] == ["opened"]
    played = opens(played.state, "C", "odeon/grey")
    kinds = [e.kind for e in played.events]
    assert kinds == ["opened", "small_tour", "discarded", "bus", "placed"]
    after = played.state
    assert after.round == 2
    assert after.face_up == SECOND.split()
    assert after.openers == []
    assert GAME.waiting(after) == (1,), "clockwise, beginning with the new starting player"
    assert event(played, "placed").reveals


@pytest.mark.rule("PR-024", "PR-025")
def test_first_tiles_lie_face_up_at_the_start() -> None:
    state, events = start(GAME, 3, deal={"start": [2], "tiles": FIRST.split()})
    assert state.face_up == FIRST.split(), "the whole stack, one tile more than players"
    assert [e.kind for e in events if e.to is None] == ["start", "placed"]
    assert GAME.waiting(state) == (2,)


@pytest.mark.rule("PR-023")
def test_two_players_open_twice_in_a_row() -> None:
    state = dealt(2, "louvre/blue opera/red odeon/grey", "louvre/blue pigalle/red odeon/grey")
    state = opens(state, "A", "louvre/blue").state
    decision = state.pending[0].id
    again = opens(state, "B", "opera/red").state
    assert again.round == 2
    assert GAME.waiting(again) == (1,), "the last opener of a round starts the next"
    # The same command once more, made for round 1, must not count as the opening of round 2.
    with pytest.raises(StaleDecision) as error:
        play(GAME, again, 1, OpenBusiness("louvre/blue"), decision=decision)
    assert error.value.rule == "PR-029"
    assert play(GAME, again, 1, OpenBusiness("louvre/blue"), decision=again.pending[0].id)


@pytest.mark.rule("PR-023")
@pytest.mark.parametrize("seats", [3, 4])
def test_three_or_four_never_open_twice_in_a_row(seats: int) -> None:
    state, _ = start(GAME, seats, seed="77")
    last = -1
    while state.ended is None:
        (who,) = GAME.waiting(state)
        assert who != last
        last = who
        state = play(GAME, state, who, GAME.legal(state, who)[-1]).state


@pytest.mark.rule("PR-026")
def test_stacks_come_in_order() -> None:
    """The engine takes stacks 1, 2, 3 …; no move names a stack."""
    state = dealt(3, FIRST, SECOND)
    assert state.stacks[0] == tuple(FIRST.split())
    for who, tile in (("A", "louvre/blue"), ("B", "opera/red"), ("C", "odeon/grey")):
        state = opens(state, who, tile).state
    assert tuple(state.face_up) == state.stacks[1] == tuple(SECOND.split())
    assert OpenBusiness.__struct_fields__ == ("tile", "remove")


@pytest.mark.rule("PR-027")
def test_equal_stops_are_separate_choices() -> None:
    """Four tiles of Pompidou: three openings in a row there, and the fourth decides the tour."""
    up = ["pompidou/green", "pompidou/green", "pompidou/blue", "pompidou/blue"]
    state = position(up=up)
    assert {m.tile for m in GAME.legal(state, 0)} == {"pompidou/green", "pompidou/blue"}
    state = opens(state, "A", "pompidou/green").state
    assert state.face_up == ["pompidou/green", "pompidou/blue", "pompidou/blue"]
    state = opens(state, "B", "pompidou/green").state
    assert {m.tile for m in GAME.legal(state, 2)} == {"pompidou/blue"}
    played = opens(state, "C", "pompidou/blue", remove="A")
    assert shown(played.state) == {"pompidou": "BC"}
    assert event(played, "small_tour").args["stop"] == "pompidou"
    assert played.state.p_row == ["pompidou/blue"]


@pytest.mark.rule("PR-028")
def test_a_turn_is_tile_shop_box() -> None:
    state = position(up=["louvre/blue", "opera/red", "odeon/grey", "bastille/blue"])
    boxed = len(state.boxed)
    after = opens(state, "A", "louvre/blue").state
    assert shown(after) == {"louvre": "A"}
    assert after.supply(0) == 18, "the shop came from the supply"
    assert after.face_up == ["opera/red", "odeon/grey", "bastille/blue"]
    assert after.boxed[boxed:] == ["louvre/blue"]
    with pytest.raises(IllegalMove) as error:
        opens(state, "A", "pigalle/red")
    assert error.value.rule == "PR-028"


@pytest.mark.rule("PR-029")
def test_one_turn_a_round_leaves_one_tile() -> None:
    state = dealt(3, FIRST, SECOND)
    state = opens(state, "A", "louvre/blue").state
    with pytest.raises(NotYourTurn) as error:
        opens(state, "A", "opera/red")
    assert error.value.rule == "PR-029"
    state = opens(state, "B", "opera/red").state
    played = opens(state, "C", "odeon/grey")
    assert event(played, "small_tour").args["tile"] == "bastille/blue"


@pytest.mark.rule("PR-030", "PR-031")
def test_every_tile_is_legal_and_nothing_else() -> None:
    """The k-th player of a round has players + 2 - k tiles; nobody may pass."""
    for seats in (2, 3, 4):
        state, _ = start(GAME, seats, seed="0a")
        for k in range(1, seats + 1):
            (who,) = GAME.waiting(state)
            moves = GAME.legal(state, who)
            assert len(state.face_up) == seats + 2 - k
            assert {m.tile for m in moves} == set(state.face_up)
            with pytest.raises(IllegalMove) as error:
                play(GAME, state, who, OpenBusiness(""))
            assert error.value.rule == "PR-030"
            state = play(GAME, state, who, moves[0]).state


@pytest.mark.rule("PR-031")
def test_own_and_full_stops_are_legal() -> None:
    state = position("louvre=A, opera=AA", up=["louvre/blue", "opera/red", "odeon/grey"])
    assert {m.tile for m in GAME.legal(state, 0)} == {"louvre/blue", "opera/red", "odeon/grey"}


@pytest.mark.rule("PR-032")
def test_spoiling_a_tour_is_legal() -> None:
    """B takes the green tile so that no grand tour pays A; with the other one it would come."""
    state = position(
        "pompidou=A, hotel-de-ville=A, odeon=B", to_act="B", p_row=["st-nicolas/green"],
        up=["notre-dame/green", "odeon/grey"],
    )  # fmt: skip
    spoiled = opens(state, "B", "notre-dame/green")
    assert [e.kind for e in spoiled.events].count("grand_tour") == 0
    assert spoiled.state.p_row == ["st-nicolas/green", "odeon/grey"]
    assert sum(spoiled.state.grand) == 0
    let = opens(state, "B", "odeon/grey")
    assert [e.kind for e in let.events].count("grand_tour") == 1
    assert let.state.grand[0] > 0


@pytest.mark.rule("PR-033")
def test_naming_a_tile() -> None:
    """The stop is enough while all its face-up tiles have one colour; equal ones are the same."""
    state = position(up=["hotel-de-ville/grey", "hotel-de-ville/grey", "opera/red", "opera/orange"])
    for words in ("hotel-de-ville", "Hôtel de Ville", "HOTEL DE VILLE", "Hôtel de Ville/grey"):
        assert opens(state, "A", words).state.face_up[:1] == ["hotel-de-ville/grey"]
        assert shown(opens(state, "A", words).state) == {"hotel-de-ville": "A"}
    with pytest.raises(IllegalMove) as error:
        opens(state, "A", "opera")
    assert error.value.rule == "PR-033"
    assert opens(state, "A", "opera/orange").state.used[-1] == "opera/orange"
    # The same through the words of a slash command.
    move, _ = resolve(GAME, state, 0, "open", {"tile": "hotel"})
    assert move == OpenBusiness("hotel-de-ville/grey")
    move, _ = resolve(GAME, state, 0, "open", {"tile": "opera"})
    with pytest.raises(IllegalMove) as error:
        play(GAME, state, 0, move)
    assert error.value.rule == "PR-033"


@pytest.mark.rule("PR-034")
def test_supply() -> None:
    """19 - board - sack; B has 2 on the board and 3 in the sack."""
    state = position("louvre=B, odeon=AB", up=["opera/red", "bastille/blue"], sack=[0, 3, 1])
    assert [state.supply(s) for s in range(3)] == [18, 14, 18]


@pytest.mark.rule("PR-035")
def test_used_tiles_never_return() -> None:
    state = position(up=["louvre/blue", "opera/red", "odeon/grey"], used=["pigalle/red"])
    with pytest.raises(IllegalMove) as error:
        opens(state, "A", "pigalle/red")
    assert error.value.rule == "PR-035"
    with pytest.raises(IllegalMove) as error:
        opens(state, "A", "invalides/red")
    assert error.value.rule == "PR-028", "not face up and not used in this round"
    with pytest.raises(IllegalMove) as error:
        opens(state, "A", "eiffelturm")
    assert error.value.rule == "PR-007", "no such stop"
    with pytest.raises(IllegalMove) as error:
        opens(state, "A", "  ")
    assert error.value.rule == "PR-030"


@pytest.mark.rule("PR-035")
def test_every_tile_is_used_once_in_a_match() -> None:
    """60 tiles: each is opened with or left over exactly once, and that is public."""
    state, events = start(GAME, 2, seed="abcd")
    told = list(events)
    while state.ended is None:
        (who,) = GAME.waiting(state)
        played = play(GAME, state, who, GAME.legal(state, who)[0])
        told += played.events
        state = played.state
    public = [e for e in told if e.to is None]
    used = [e.args["tile"] for e in public if e.kind in ("opened", "small_tour")]
    placed = [t for e in public if e.kind == "placed" for t in e.args["tiles"]]
    assert len(used) == 60
    assert sorted(used) == sorted(placed)


@pytest.mark.rule("PR-057")
def test_the_remaining_tile_goes_to_the_p_row() -> None:
    """The row lists its tiles in the order laid."""
    state = position(to_act="C", up=["louvre/blue", "opera/red"], p_row=["odeon/grey"])
    after = opens(state, "C", "louvre/blue").state
    assert after.p_row == ["odeon/grey", "opera/red"]
    assert GAME.view(after, None).p_row == ("odeon/grey", "opera/red")


@pytest.mark.rule("PR-070")
@pytest.mark.parametrize(
    ("seats", "last", "bus"), [(2, "B", 1), (3, "C", 1), (4, "D", 1), (3, "B", 0)]
)
def test_the_bus_goes_left(seats: int, last: str, bus: int) -> None:
    """C of three is last, so A had the bus and B gets it; B last: C had it and A gets it."""
    state = position(seats=seats, to_act=last, up=["louvre/blue", "opera/red"])
    played = opens(state, last, "louvre/blue")
    assert played.state.bus == bus
    assert event(played, "bus").args["seat"] == bus
    assert GAME.waiting(played.state) == (bus,)


@pytest.mark.rule("PR-022")
def test_only_the_player_to_act_has_moves() -> None:
    state = position(seats=4, to_act="C", up=["louvre/blue", "opera/red", "odeon/grey"])
    assert [bool(GAME.legal(state, s)) for s in range(4)] == [False, False, True, False]
    with pytest.raises(NotYourTurn) as error:
        opens(state, "D", "louvre/blue")
    assert error.value.rule == "PR-022"
    assert f"{{seat:{seat('C')}}}" in error.value.text
