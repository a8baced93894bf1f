"""Random matches of every seat count: invariants, and legality held from both sides."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engines.core.errors import MoveError
from engines.core.play import start
from engines.core.types import state_hash
from engines.pizzachef import GAME
from engines.pizzachef import moves as m
from engines.pizzachef.components import CARDS, CHEF, KINDS, MISSIONS, ORDERS, SLOTS, STALLS, TYPES
from engines.pizzachef.state import PizzaState

EAGER = (m.StartDelivery, m.ConfirmDelivery, m.FinishDraw, m.EndTurn)


def play_on(state: PizzaState, rand: random.Random) -> tuple[int, m.AnyMove]:
    """A random move, eager to deliver, now and then off-turn; nobody gives up."""
    seats = [d.seat for d in state.pending]
    if rand.random() < 0.15:
        seats = [rand.randrange(state.seats)]
    moves = [x for x in GAME.legal(state, rand.choice(seats)) if not isinstance(x, m.GiveUp)]
    if not moves:
        seats = [d.seat for d in state.pending]
    seat = rand.choice(seats)
    moves = [x for x in GAME.legal(state, seat) if not isinstance(x, m.GiveUp)]
    eager = [x for x in moves if isinstance(x, EAGER)]
    return seat, rand.choice(eager if eager and rand.random() < 0.5 else moves)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_random_matches_keep_every_card_and_topping(seats: int) -> None:
    kinds: Counter[str] = Counter()
    for number in range(3):
        rand = random.Random(f"pizza {seats} {number}")
        state, _ = start(GAME, seats, seed=f"{number:04x}")
        for _ in range(20_000):
            if state.ended is not None:
                break
            seat, move = play_on(state, rand)
            kinds[move.kind] += 1
            GAME.apply(state, seat, move)
            GAME.check(state)
        assert state.ended is not None
        outcome = GAME.outcome(state)
        assert outcome is not None
        assert state.ended in GAME.meta.end_reasons
    assert kinds["confirm_delivery"] > 0 or seats == 1
    if seats > 2:
        wanted = {t.__struct_config__.tag for t in GAME.move_types} - {"give_up", "host_skip"}
        assert set(kinds) == wanted, wanted - set(kinds)


def universe(state: PizzaState) -> list[m.AnyMove]:
    """Every move in canonical form that could ever be legal."""
    cards = [*MISSIONS, *ORDERS, *CHEF]
    found: list[m.AnyMove] = [
        m.FinishDraw(), m.TakeMissions(), m.TakeOrders(), m.TakeChef(), m.ConfirmDelivery(),
        m.CancelDelivery(), m.EndTurn(), m.CardFinish(), m.CardCancel(), m.RotKeep(),
        m.RotDiscard(), m.GiveUp(),
    ]  # fmt: skip
    found += [kind(c) for c in cards for kind in (m.KeepCard, m.UnkeepCard)]
    found += [m.TakeToppings(s, c) for s in STALLS for c in ("red", "green")]
    found += [m.DiscardMission(c) for c in MISSIONS]
    for order in ORDERS:
        found += [m.DiscardOrder(order), m.StartDelivery(order), m.RevealOrder(order)]
    found += [m.SetHouse(h) for h in range(12)]
    for kind in TYPES:
        found += [m.DiscardTopping(kind), m.CardPick(topping=kind)]
        found += [m.AddTopping(kind, k) for k in (None, *KINDS)]
        found += [m.CardPick(player=c, topping=kind) for c in state.colours]
    found += [m.PlayChef(key) for key in CARDS]
    found += [m.CardPick(player=c) for c in state.colours]
    found += [m.CardPick(stall=s) for s in STALLS]
    for slot in SLOTS:
        found += [m.CardPick(slot=slot), m.Reserve(slot)]
    return found


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_legal_lists_exactly_what_apply_accepts(seats: int) -> None:
    """All 700 conceivable moves are tried in positions of a random match."""
    rand = random.Random(f"universe {seats}")
    every = 3 if seats == 1 else 23
    tried = 0
    for number in range(20):
        state, _ = start(GAME, seats, seed=f"{number:02x}")
        steps = 0
        while state.ended is None and tried < 40:
            steps += 1
            if steps % every == 1 or (state.queue and rand.random() < 0.3):
                tried += 1
                before = state_hash(state)
                for seat in range(seats):
                    listed = set(GAME.legal(state, seat))
                    for move in universe(state):
                        accepted = accepts(state, seat, move)
                        assert accepted == (move in listed), (state.main, state.queue, move)
                assert state_hash(state) == before
            seat, move = play_on(state, rand)
            GAME.apply(state, seat, move)
    assert tried == 40


def accepts(state: PizzaState, seat: int, move: m.AnyMove) -> bool:
    """Whether the engine takes the move; a refusal names a rule."""
    try:
        GAME.apply(state.clone(), seat, move)
    except MoveError as error:
        if not error.rule.startswith("PZ-"):
            raise
        return False
    return True


def test_equal_seeds_give_equal_matches() -> None:
    def run() -> str:
        rand = random.Random(7)
        state, _ = start(GAME, 3, seed="abcd")
        for _ in range(400):
            if state.ended is None:
                seat, move = play_on(state, rand)
                GAME.apply(state, seat, move)
        return state_hash(state)

    assert run() == run()


def test_clones_share_nothing_that_changes() -> None:
    rand = random.Random(11)
    state, _ = start(GAME, 4, seed="c10e")
    for _ in range(300):
        copy, before = state.clone(), state_hash(state)
        assert state_hash(copy) == before
        seat, move = play_on(state, rand)
        GAME.apply(copy, seat, move)
        assert state_hash(state) == before
        state = copy
        if state.ended is not None:
            break
