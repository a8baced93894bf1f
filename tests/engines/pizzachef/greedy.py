"""A simple player for whole matches: it delivers what it can, takes what its orders lack, and now
and then does something off-turn or at random."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from engines.pizzachef import GAME
from engines.pizzachef import moves as m
from engines.pizzachef.components import KINDS, ORDERS
from engines.pizzachef.missions import completed, goal, progress
from engines.pizzachef.payment import missing
from engines.pizzachef.state import PizzaState
from tests.engines.pizzachef.table import pizza

EASY = ("M23", "M21", "M06", "M07", "M08", "M14", "M26", "M22", "M04", "M19", "M20", "M11", "M12")


def choose(state: PizzaState, rand: random.Random) -> tuple[int, m.AnyMove]:
    """Who moves, and how."""
    seats = list(GAME.waiting(state))
    seat = rand.choice(seats)
    if rand.random() < 0.12:
        others = [s for s in range(state.seats) if s not in seats and GAME.legal(state, s)]
        seat = rand.choice(others or seats)
    moves: list[Any] = list(GAME.legal(state, seat))
    if state.solo and rand.random() < 0.002 and m.GiveUp() in moves:
        return seat, m.GiveUp()
    moves = [move for move in moves if not isinstance(move, m.GiveUp)] or moves
    if not state.solo and rand.random() < 0.1:
        return seat, rand.choice(moves)
    best = max(moves, key=lambda move: (value(state, seat, move), rand.random()))
    return seat, best


def lack(state: PizzaState, seat: int) -> Counter[str]:
    """What the orders of the seat lack, the nearest one counted most."""
    wanted: Counter[str] = Counter()
    for order in (*state.orders[seat], *state.open_orders[seat]):
        card = ORDERS[order]
        gone = missing(card.toppings or "TMB", state.tokens[seat])
        for kind in gone:
            wanted[kind] += 6 - min(5, len(gone))
    return wanted


def value(state: PizzaState, seat: int, move: m.AnyMove) -> float:
    """How good a move looks."""
    match move:
        case m.ConfirmDelivery():
            return 100
        case m.StartDelivery():
            return 60 + ORDERS[move.order].price
        case m.SetHouse():
            return _house(state, seat, move.house)
        case m.AddTopping():
            d = state.delivery
            short = d is not None and ORDERS[d.order].fantasia and len(d.tokens) < 3
            return 40 if short else -10
        case m.KeepCard():
            return _keep(state, seat, move.card)
        case m.FinishDraw():
            return 8
        case m.TakeToppings():
            wanted = lack(state, seat)
            gain = 0.0
            for slot in (f"{move.stall}{n}" for n in (1, 2, 3)):
                face, colour = state.top_of(slot)
                if colour == move.colour:
                    gain += 2.5 if face == "bag" else min(wanted[face], 5) or -0.5
            return gain
        case m.TakeOrders():
            return 5.0 if len(state.orders[seat]) < 3 else 1.2
        case m.TakeMissions():
            return 1.4 if len(state.missions[seat]) < 2 else 0
        case m.TakeChef():
            return 1.1 if not state.solo else 0.2
        case m.PlayChef():
            return 9 if move.card in ("overtime", "moped", "regular_customer") else 4
        case m.CardPick():
            return 20
        case m.CardFinish():
            return 10
        case m.Reserve():
            face, _ = state.top_of(move.slot)
            return 3 if face in KINDS and lack(state, seat)[face] else -1
        case m.RotDiscard():
            return 6
        case m.EndTurn():
            return 7
        case m.RevealOrder():
            return -float(ORDERS[move.order].price)
    return -5


def _house(state: PizzaState, seat: int, house: int) -> float:
    """Where no house is chosen yet, the one that helps missions most."""
    d = state.delivery
    if d is None or d.house:
        return -20
    card = ORDERS[d.order]
    return 50 + _gain(state, seat, house, card.toppings or "TMB")


def _gain(state: PizzaState, seat: int, house: int, kinds: str) -> float:
    after = (*state.delivered[seat], pizza("O01", house, 1, kinds))
    total = 0.0
    for mission in state.missions[seat]:
        before = progress(mission, state.delivered[seat], False)
        total += (progress(mission, after, False) - before) / goal(mission)
        total += completed(mission, after, False)
    return total


def _keep(state: PizzaState, seat: int, card: str) -> float:
    kind = state.phase if state.phase != "play" else state.draw_kind
    kept = len(state.kept[seat])
    if kind == "missions":
        return 12 - kept * 3 - (EASY.index(card) / 3 if card in EASY else 9)
    if kind == "orders":
        gone = len(missing(ORDERS[card].toppings, state.tokens[seat]))
        room = 2.5 if state.solo else 3
        return 14 - kept * room - gone
    return 9 if not kept else 7.5
