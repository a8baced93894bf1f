"""Positions of Papà Paolo, built piece by piece; P, T, O, W of the examples are seats 0 to 3."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from engines.core.errors import MoveError
from engines.core.play import Played, play, start
from engines.core.types import Event, Move
from engines.papa_paolo import GAME
from engines.papa_paolo import moves as m
from engines.papa_paolo.components import COSTS, STEPS, at, box, mask_of, xy
from engines.papa_paolo.state import Area, PaoloState

P, T, O, W = range(4)  # noqa: E741  (the names of the examples)

LETTERS = "YBRG"
COLOURS = ("gold", "blue", "red", "green")


def table(
    seats: int = 4,
    *,
    grid: Iterable[str] = (),
    starts: Iterable[int] = (1, 2, 3, 4),
    seed: str = "00",
    **deal: Any,
) -> PaoloState:
    """A match at its start: by default seat 0 has start tile 1, seat 1 tile 2 and so on.

    Args:
        seats: number of players.
        grid: first tiles of the market.
        starts: start tiles in the order dealt.
        seed: for what is not scripted.
        deal: other scripted draws.
    """
    script = {"tiles": list(grid), "start": list(starts), **deal}
    state, _ = start(GAME, seats, seed=seed, deal=script)
    if seats == 2 and "start" not in deal:
        state = go(state, 0, m.KeepStartTile(min(state.dealt[0])))
        state = go(state, 1, m.KeepStartTile(min(state.dealt[1])))
    return state


def go(state: PaoloState, seat: int, *moves: Move) -> PaoloState:
    """The position after some moves of a seat."""
    for move in moves:
        state = play(GAME, state, seat, move).state
    return state


def played(state: PaoloState, seat: int, move: Move) -> Played:
    """A move with its events."""
    return play(GAME, state, seat, move)


def events(state: PaoloState, seat: int, move: Move, kind: str) -> list[Event]:
    """The events of a kind that a move brings."""
    return [e for e in played(state, seat, move).events if e.kind == kind]


def refused(state: PaoloState, seat: int, move: Move) -> tuple[str, str]:
    """Rule and text of the refusal; the position stays as it was."""
    before = state.clone()
    with pytest.raises(MoveError) as error:
        play(GAME, state, seat, move)
    assert state == before
    assert move not in GAME.legal(state, seat)
    return error.value.rule, error.value.text


def kinds(state: PaoloState, seat: int) -> set[str]:
    """Kinds of the seat's legal moves."""
    return {move.kind for move in GAME.legal(state, seat)}


def due(state: PaoloState) -> dict[int, str]:
    """What each seat owes."""
    return {d.seat: d.kind for d in state.pending}


# ---- changing a position ---------------------------------------------------------------------


def purse(state: PaoloState, *money: int) -> None:
    """Set the money of seats 0, 1, 2 …"""
    for seat, amount in enumerate(money):
        area = state.touch(seat)
        state.bank += area.money - amount
        area.money = amount


def markers(state: PaoloState, seat: int, *spaces: int) -> None:
    """Set Finance, Market, Express and Delivery."""
    state.touch(seat).markers[:] = spaces


def stocked(state: PaoloState, seat: int, *pizzas: int) -> None:
    """Set the pizzas on each pizzeria, from the supply."""
    area = state.touch(seat)
    area.supply += sum(area.pizzas) - sum(pizzas)
    area.pizzas[:] = pizzas


def fed(state: PaoloState, seat: int, x: int, y: int, pizzas: int) -> None:
    """Set the pizzas on a tile, from the supply."""
    area = state.touch(seat)
    area.supply += area.fed[at(x, y)] - pizzas
    area.fed[at(x, y)] = pizzas


def find(state: PaoloState, colour: str, houses: int, exits: str) -> str:
    """A city tile of that kind in the face-down supply; one on the market is exchanged first."""
    mask = mask_of(exits)
    for tile in (*state.deck[state.drawn :], *state.grid):
        city = box().tiles[str(tile)]
        if city.colour == COLOURS.index(colour) and city.houses == houses and mask in city.masks:
            if tile in state.grid:
                other = next(
                    t for t in state.deck[state.drawn :] if box().tiles[t].houses == city.houses
                )
                swap(state, box().sides[state.seats].cells[state.grid.index(tile)], other)
            return str(tile)
    raise AssertionError(f"no {colour} tile with {houses} houses and exits {exits} is left")


def lay(
    state: PaoloState, seat: int, x: int, y: int, colour: str, houses: int, exits: str, on: int = 0
) -> None:
    """Put a tile into a neighbourhood, whatever the rules say; ``on`` pizzas lie on it."""
    tile = find(state, colour, houses, exits)
    state.deck = (tile, *(t for t in state.deck if t != tile))
    state.drawn += 1
    area = state.touch(seat)
    cell = at(x, y)
    area.cells.append(cell)
    area.tiles[cell] = tile
    area.roads[cell] = mask_of(exits)
    connect(area)
    if on:
        fed(state, seat, x, y, on)


def built(state: PaoloState, seat: int, x: int, y: int, cost: int, pizzas: int) -> None:
    """Put a pizzeria into a neighbourhood."""
    state.reserve[COSTS.index(cost)] -= 1
    area = state.touch(seat)
    area.ovens.append(at(x, y))
    area.costs.append(cost)
    area.pizzas.append(pizzas)
    area.supply -= pizzas
    connect(area)


def connect(area: Area) -> None:
    """Work out bounds and which pizzerias each tile is linked with, from scratch."""
    places = [xy(cell) for cell in (*area.cells, *area.ovens)]
    area.box = (
        min(x for x, _ in places),
        max(x for x, _ in places),
        min(y for _, y in places),
        max(y for _, y in places),
    )
    for cell in area.cells:
        area.links[cell] = 0
    for number, oven in enumerate(area.ovens):
        reached: list[int] = []
        todo = [oven + step for _, step, back in STEPS if area.roads[oven + step] & back]
        while todo:
            cell = todo.pop()
            if cell in reached:
                continue
            reached.append(cell)
            area.links[cell] |= 1 << number
            todo += [
                cell + step
                for bit, step, back in STEPS
                if area.roads[cell] & bit and area.roads[cell + step] & back
            ]


def ask(state: PaoloState, phase: str, *owed: tuple[int, str]) -> None:
    """Be in a phase with these decisions open."""
    state.phase = phase
    state.pending = []
    state.active = -1
    if phase != "placing":
        state.meeples = [-1] * len(state.meeples)
        state.placed = 0
    for seat, kind in owed:
        state.ask(seat, kind)


def bidding(state: PaoloState, order: Iterable[int], *money: int) -> PaoloState:
    """The start of the bidding with this turn order and money."""
    from engines.papa_paolo.phases import bidding as phase

    purse(state, *money)
    state.order = tuple(order)
    ask(state, "bidding")
    phase.begin(state)
    GAME.check(state)
    return state


def delivering(
    state: PaoloState, tiles: dict[int, str], bonus: dict[int, int] | None = None
) -> PaoloState:
    """The start of phase E with these delivery tiles."""
    from engines.papa_paolo import rules

    state.columns = tuple(sorted({*state.columns, *tiles.values()}))
    for seat, tile in tiles.items():
        area = state.touch(seat)
        area.delivery = tile
        area.bonus = (bonus or {}).get(seat, 0)
    ask(state, "investing")
    rules.proceed(state)
    GAME.check(state)
    return state


def investing(state: PaoloState, held: dict[int, str]) -> PaoloState:
    """The start of phase D with these investments; nobody has a delivery tile yet."""
    state.investments = ()
    for seat, colour in held.items():
        state.touch(seat).investment = colour
    ask(state, "investing", *((seat, "invest") for seat in state.order if seat in held))
    GAME.check(state)
    return state


def on_cell(state: PaoloState, seat: int, cell: str, tile: str | None = None) -> PaoloState:
    """The seat, on turn, has put a meeple on a market cell; ``tile`` lies there."""
    if tile is not None:
        swap(state, cell, tile)
    ask(state, "placing", (seat, "place_meeple"))
    state.order = (seat, *(s for s in range(state.seats) if s != seat))
    return go(state, seat, m.PlaceMeeple(cell))


def swap(state: PaoloState, cell: str, tile: str) -> None:
    """Lay a certain tile on a market cell; the one there goes under the supply."""
    index = box().sides[state.seats].cells.index(cell)
    old = state.grid[index]
    if old == tile:
        return
    deck = list(state.deck)
    if tile in state.grid:
        other = state.grid.index(tile)
        state.grid[other], state.grid[index] = old, tile
        return
    one, two = deck.index(tile), deck.index(str(old))
    deck[one], deck[two] = deck[two], deck[one]
    state.deck = tuple(deck)
    state.grid[index] = tile


def ride(state: PaoloState, seat: int, text: str, oven: str = "0,0") -> PaoloState:
    """A whole route in the dossier's words: ``N1 E2``."""
    state = go(state, seat, m.StartRoute(oven))
    for word in text.split():
        state = go(state, seat, m.Step(word[0], int(word[1:])))
    return go(state, seat, m.EndRoute())


def naples(seats: int = 4) -> PaoloState:
    """The map of PP-X14 with P's three pizzas on the start pizzeria."""
    state = table(seats)
    for x, y, colour, houses, exits in (
        (0, -1, "blue", 1, "ES"),
        (1, -1, "blue", 1, "EW"),
        (-1, 0, "green", 2, "ES"),
        (-1, 1, "green", 1, "NS"),
        (-1, 2, "gold", 3, "N"),
        (0, 1, "blue", 3, "NS"),
        (0, 2, "red", 1, "NS"),
    ):
        lay(state, P, x, y, colour, houses, exits)
    return state


def crossroads() -> PaoloState:
    """The map of PP-X17: T has tile E3, Delivery 3, 5 and 4 pizzas on two pizzerias."""
    state = table()
    for x, y, colour, houses, exits, on in (
        (0, -1, "gold", 1, "NESW", 0),
        (1, -1, "green", 2, "EW", 0),
        (-1, -1, "green", 3, "E", 0),
        (0, 1, "blue", 2, "NS", 0),
        (2, -2, "green", 2, "EW", 0),
        (3, -2, "red", 2, "SW", 0),
    ):
        lay(state, T, x, y, colour, houses, exits, on)
    built(state, T, 1, -2, 4, 0)
    fed(state, T, 1, 0, 1)
    stocked(state, T, 5, 4)
    markers(state, T, 1, 1, 1, 3)
    return state


def whole(state: PaoloState, seat: int) -> dict[str, int]:
    """Pizzas on tiles by place, empty ones left out."""
    area = state.areas[seat]
    return {f"{xy(cell)[0]},{xy(cell)[1]}": area.fed[cell] for cell in area.cells if area.fed[cell]}
