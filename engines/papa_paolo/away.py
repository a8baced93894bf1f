"""Moves that the game makes by itself: forced ones, and those for a player who is away."""

from __future__ import annotations

from engines.core.types import Move, Seat
from engines.papa_paolo import moves as m
from engines.papa_paolo.components import DIRECTIONS, STEPS, box, spot
from engines.papa_paolo.phases.bidding import cheapest
from engines.papa_paolo.state import Area, PaoloState
from engines.papa_paolo.town import hungry, way_to_house


def forced(state: PaoloState, move: Move) -> bool:
    """Whether an only move is made automatically: the last market cell, and doing nothing where
    nothing is possible. Not the act of the last meeple, which closes phase A."""
    if isinstance(move, m.PlaceMeeple):
        return True
    return isinstance(move, m.NoAction) and state.placed < box().meeples * state.seats


def safest(state: PaoloState, seat: Seat, legal: list[Move]) -> Move:
    """A sensible move from what the seat itself may know: take money or the tile, bid little, keep
    investments, deliver to the nearest houses."""
    due = state.decision_of(seat)
    kind = due.kind if due else ""
    area = state.areas[seat]
    if kind == "place_meeple":
        cells, offers = box().sides[state.seats].cells, box().sides[state.seats].offers
        return next(
            (
                move
                for move in legal
                if isinstance(move, m.PlaceMeeple) and "S" in offers[cells.index(move.cell)]
            ),
            legal[0],
        )
    if kind == "act":
        return next((move for move in legal if isinstance(move, m.SeekSponsor)), legal[0])
    if kind in ("bid", "rebid"):
        spaces = [(move.column, move.row) for move in legal if isinstance(move, m.Bid)]
        return m.Bid(*cheapest(spaces))
    if kind == "add_coin":
        return m.PassBid()
    if kind in ("routes", "route"):
        return _ride(area, legal)
    return legal[0]


def _ride(area: Area, legal: list[Move]) -> Move:
    """Deliver to the nearest house that can be reached, else finish."""
    if area.start < 0:
        for move in legal:
            if isinstance(move, m.StartRoute):
                oven = next(cell for cell in area.ovens if spot(cell) == move.pizzeria)
                if way_to_house(area, oven, (), area.reach) >= 0:
                    return move
        return legal[-1]
    used = (area.start, *(cell for cell, _ in area.path))
    here = used[-1]
    left = area.reach - len(area.path) if area.reach else 0
    stock = area.pizzas[area.ovens.index(area.start)]
    side = -1
    if area.moved < area.most and stock and (left or not area.reach):
        side = way_to_house(area, here, used, left)
    if side >= 0:
        there = here + STEPS[side][1]
        return m.Step(DIRECTIONS[side], min(hungry(area, there), stock, area.most - area.moved))
    return next((move for move in legal if isinstance(move, m.EndRoute)), m.CancelRoute())
