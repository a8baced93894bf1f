"""Setup (PZ-001 to PZ-022)."""

from __future__ import annotations

from collections import Counter

import pytest

from engines.core.errors import SetupError
from engines.core.play import play, start
from engines.core.types import state_hash
from engines.pizzachef import GAME
from engines.pizzachef import moves as m
from engines.pizzachef.components import CHEF, IS_PI, MISSIONS, REGULAR, SLOTS, TOKENS
from engines.pizzachef.phases import flow
from engines.pizzachef.state import PizzaState
from tests.engines.pizzachef.table import allowed, do, refused, table


def choose(state: PizzaState, seat: int, *cards: str) -> PizzaState:
    return do(state, *[(seat, m.KeepCard(c)) for c in cards], (seat, m.FinishDraw()))


def test_seats() -> None:
    for seats in (1, 2, 3, 4):
        state, _ = start(GAME, seats)
        assert state.seats == seats
    with pytest.raises(SetupError):
        start(GAME, 5)


@pytest.mark.rule("PZ-001")
def test_two_to_four_compete_and_most_money_wins() -> None:
    state = table(3, scores={0: 20, 1: 31, 2: 30}, trigger=1, active=0, actions=0)
    state = do(state, (0, m.EndTurn()))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.ranking == ((1,), (2,), (0,))


@pytest.mark.rule("PZ-003", "PZ-004")
def test_scores_start_at_0_and_may_fall_below() -> None:
    state, _ = start(GAME, 2)
    assert GAME.view(state, None).players[0].score == 0
    state = table(2, missions={0: ["M02", "M03"]}, trigger=1, active=0, actions=0)
    outcome = GAME.outcome(do(state, (0, m.EndTurn())))
    assert outcome is not None
    assert outcome.scores[0].total == -10


@pytest.mark.rule("PZ-010", "PZ-011")
def test_every_player_gets_markers_and_a_fantasia() -> None:
    state, _ = start(GAME, 3, {"colours": ("white", "", "blue")})
    assert state.colours == ("white", "yellow", "blue")
    for seat in range(3):
        assert state.markers_left(seat) == 8
        assert state.orders[seat] == (f"F{seat + 1}",)
        assert GAME.view(state, None).players[seat].marker == ""
    assert state.gone == ("F4",)
    dealt = [c for cards in state.drawn for c in cards]
    assert len(state.piles["orders"]) == 40
    assert len(dealt) == 15


@pytest.mark.rule("PZ-012")
def test_three_piles_with_their_own_discard_piles() -> None:
    state, _ = start(GAME, 2, seed="0a")
    state = choose(state, 0, state.drawn[0][0])
    assert len(state.discards["missions"]) == 4
    assert state.discards["orders"] == state.discards["chef"] == ()
    other, _ = start(GAME, 2, seed="0b")
    assert state.piles["orders"] != other.piles["orders"]


@pytest.mark.rule("PZ-013", "PZ-014", "PZ-015")
def test_twelve_stacks_in_random_places() -> None:
    deal = {"tokens": list(TOKENS), "places": [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]}
    state, _ = start(GAME, 2, deal=deal)
    # Token i lies on pile i mod 12; pile 0 (tokens 0, 12 … 96) went to the last place, D3.
    assert state.stacks[11] == tuple(TOKENS[0::12])
    assert state.stacks[0] == tuple(TOKENS[11::12])
    assert sorted(len(s) for s in state.stacks) == [8] * 9 + [9] * 3
    market = GAME.view(state, None).market
    assert [p.slot for p in market] == list(SLOTS)
    assert SLOTS[0] == "A1"
    assert SLOTS[-1] == "D3"
    # TOKENS[96] is XG, a green premium bag: only its back and its background are shown.
    assert (market[11].face, market[11].colour, market[11].height) == ("bag", "green", 9)


@pytest.mark.rule("PZ-016", "PZ-017", "PZ-018")
def test_sets_are_dealt_one_after_the_other() -> None:
    state, _ = start(GAME, 3, deal={"start": [1], "missions": sorted(MISSIONS)})
    # Dealt from the start player on.
    assert state.drawn[1] == ("M01", "M02", "M03", "M04", "M05")
    assert state.drawn[2] == ("M06", "M07", "M08", "M09", "M10")
    assert state.drawn[0] == ("M11", "M12", "M13", "M14", "M15")
    assert set(GAME.waiting(state)) == {0, 1, 2}
    state = choose(state, 0, "M11", "M12", "M13", "M14", "M15")
    assert state.phase == "missions"
    refused(state, 0, m.FinishDraw(), "PZ-018", "when all players have chosen")
    state = choose(state, 2, "M06")
    state = choose(state, 1, "M05")
    assert state.phase == "orders"
    assert len(state.discards["missions"]) == 8
    assert state.missions == [("M11", "M12", "M13", "M14", "M15"), ("M05",), ("M06",)]
    assert [len(cards) for cards in state.drawn] == [5, 5, 5]
    for seat in (0, 1, 2):
        state = choose(state, seat, state.drawn[seat][0])
    assert state.phase == "chef"
    for seat in (0, 1):
        state = choose(state, seat)
    state = choose(state, 2, state.drawn[2][0])
    assert state.phase == "play"
    assert [len(c) for c in state.chef] == [0, 0, 1]


@pytest.mark.rule("PZ-I01", "PZ-031")
def test_at_least_one_mission_and_order_in_setup() -> None:
    state, _ = start(GAME, 2)
    refused(state, 0, m.FinishDraw(), "PZ-031", "at least 1")
    state = choose(choose(state, 0, state.drawn[0][0]), 1, state.drawn[1][0])
    assert state.phase == "orders"
    refused(state, 0, m.FinishDraw(), "PZ-031", "at least 1")


@pytest.mark.rule("PZ-I02", "PZ-016")
def test_at_most_one_chef_card_in_setup() -> None:
    state = at_chef(2)
    first, second, *_ = state.drawn[0]
    state = do(state, (0, m.KeepCard(first)))
    refused(state, 0, m.KeepCard(second), "PZ-016", "at most 1 chef card")
    state = do(state, (0, m.UnkeepCard(first)), (0, m.KeepCard(second)), (0, m.FinishDraw()))
    assert state.chef[0] == ((second, 1),)


def at_chef(seats: int, deal: dict[str, list[str]] | None = None, seed: str = "00") -> PizzaState:
    """The position in which everybody chooses chef cards."""
    state, _ = start(GAME, seats, deal=deal, seed=seed)
    while state.phase != "chef":
        for seat in GAME.waiting(state):
            state = choose(state, seat, state.drawn[seat][0])
    return state


@pytest.mark.rule("PZ-019", "PZ-020")
def test_play_immediately_cards_are_replaced_and_return_to_the_pile() -> None:
    order = ["K22", "K01", "K23", "K02", "K03", "K04", "K05"]
    deal = {"chef": order, "start": ["0"], "pi_return": ["K23", "K22"]}
    state = at_chef(2, deal)
    assert state.drawn[0] == ("K01", "K02", "K03", "K04", "K05")
    assert all(not IS_PI[c] for cards in state.drawn for c in cards)
    assert state.set_aside == ()
    assert state.piles["chef"][:2] == ("K23", "K22")
    assert len(state.piles["chef"]) == 27 - 10
    assert sum(IS_PI[c] for c in state.piles["chef"]) == 6


@pytest.mark.rule("PZ-020")
def test_nothing_is_shuffled_back_without_set_aside_cards() -> None:
    hand = [c for c in CHEF if not IS_PI[c]]
    state = at_chef(2, {"chef": hand})
    assert state.piles["chef"][:11] == tuple(hand[10:])
    assert "pi_return" not in state.rng.counters


def test_after_a_setup_of_four_one_hand_card_is_left() -> None:
    state = at_chef(4)
    pile = state.piles["chef"]
    assert len(pile) == 7
    assert sum(not IS_PI[c] for c in pile) == 1


@pytest.mark.rule("PZ-022")
def test_the_start_seat_is_drawn() -> None:
    starts = Counter(start(GAME, 4, seed=f"{i:02x}")[0].start for i in range(60))
    assert set(starts) == {0, 1, 2, 3}
    state, events = start(GAME, 4, deal={"start": [2]})
    assert state.start == 2
    assert events[0].args["seat"] == 2


@pytest.mark.rule("PZ-008")
def test_one_seed_gives_one_match_and_inputs_are_sorted() -> None:
    one, _ = start(GAME, 3, seed="beef")
    two, _ = start(GAME, 3, seed="beef")
    assert state_hash(one) == state_hash(two)
    assert list(one.rng.counters) == ["start", "missions", "orders", "chef", "tokens", "places"]
    assert sorted(one.piles["orders"]) == sorted(REGULAR)


@pytest.mark.rule("PZ-005", "PZ-006", "PZ-007")
def test_views_show_what_is_public_and_nothing_else() -> None:
    state = table(
        2,
        tokens={0: ["T01", "RB"], 1: ["C1"]},
        orders={0: ["O01", "F1"], 1: ["O02"]},
        open_orders={1: ["O05"]},
        missions={0: ["M02"], 1: ["M03", "M04"]},
        chef={0: ["K06"], 1: ["K18", "K19"]},
        delivered={0: [("O03", 1, 9)]},
        pi=["K22"],
        market={"A1": ["...", "T03"], "A2": ["...", "RT"]},
        discard=["B01", "B02"],
    )
    public = GAME.view(state, None)
    one, two = public.players
    assert (one.score, one.markers, one.missions, one.orders, one.chef) == (9, 7, 1, 2, 1)
    assert (two.missions, two.orders, two.chef, two.open_orders) == (2, 1, 2, ("O05",))
    assert one.fantasia
    assert not two.fantasia
    assert one.tokens == ("T", "rotten:B")
    assert public.pi == ("pi_house_3",)
    assert public.discard == (("B", 2),)
    assert dict(public.piles)["missions"] == 23
    a1, a2 = public.market[:2]
    assert (a1.face, a1.colour) == ("T", "red")
    assert (a2.face, a2.colour) == ("bag", "red")
    assert public.my_missions == public.my_orders == public.my_chef == ()
    mine = GAME.view(state, 1)
    assert [x.id for x in mine.my_missions] == ["M03", "M04"]
    assert [x.id for x in mine.my_orders] == ["O02", "O05"]
    assert [x.key for x in mine.my_chef] == ["moped", "regular_customer"]


def test_setup_moves_of_others_do_not_disturb() -> None:
    state, _ = start(GAME, 2)
    mine = state.decision_of(0)
    assert mine is not None
    other = state.drawn[1][0]
    state = play(GAME, state, 1, m.KeepCard(other)).state
    assert state.decision_of(0) == mine
    assert allowed(state, 1, m.UnkeepCard) == [m.UnkeepCard(other)]
    assert len(flow.legal(state, 0)) == 5
