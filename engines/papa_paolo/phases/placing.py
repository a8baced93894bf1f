"""Phase A: a meeple, then the tile or one action (PP-020 to PP-049)."""

from __future__ import annotations

from functools import cache

from engines.core.errors import IllegalMove
from engines.core.types import Event, Move, Seat, listing
from engines.papa_paolo import town
from engines.papa_paolo.components import COSTS, at, box, inside, spot, xy
from engines.papa_paolo.moves import (
    BuildPizzeria,
    BuyPizzas,
    Express,
    NoAction,
    PlaceMeeple,
    SeekSponsor,
    TakeTile,
)
from engines.papa_paolo.phases import jobs
from engines.papa_paolo.state import Area, PaoloState

ACTIONS = {
    "S": "Seek Sponsor",
    "B": "Buy Ingredients",
    "E": "Express delivery",
    "P": "Build a Pizzeria",
}

_SPONSOR, _EXPRESS, _NOTHING = SeekSponsor(), Express(), NoAction()


@cache
def _place(cell: str) -> PlaceMeeple:
    return PlaceMeeple(cell)


@cache
def _take(cell: int, rotation: int) -> TakeTile:
    return TakeTile(*xy(cell), rotation)


@cache
def _build(cost: int, cell: int) -> BuildPizzeria:
    return BuildPizzeria(cost, *xy(cell))


@cache
def _buy(paid: int) -> BuyPizzas:
    return BuyPizzas(paid)


def begin(state: PaoloState) -> list[Event]:
    """Ask the first player."""
    state.ask(state.order[0], "place_meeple")
    return []


def end_turn(state: PaoloState, seat: Seat) -> None:
    """Pass the turn on; after the last meeple nobody is asked (PP-020)."""
    state.active = -1
    state.actor = seat
    state.answered(seat)
    if state.placed < box().meeples * state.seats:
        state.ask(state.order[state.placed % state.seats], "place_meeple")


# ---- the meeple (PP-020 to PP-025) -----------------------------------------------------------


def legal_places(state: PaoloState) -> list[PlaceMeeple]:
    """Market cells with a tile and no meeple (PP-021)."""
    cells = box().sides[state.seats].cells
    return [
        _place(cells[i])
        for i, tile in enumerate(state.grid)
        if tile is not None and state.meeples[i] < 0
    ]


def place_meeple(state: PaoloState, seat: Seat, move: PlaceMeeple) -> list[Event]:
    """Put a meeple on a market cell.

    Raises:
        IllegalMove: there is no such cell, or it is occupied.
    """
    cells = box().sides[state.seats].cells
    if move.cell not in cells:
        raise IllegalMove(
            "PP-021",
            f"There is no market cell “{move.cell}”: they run from {cells[0]} to {cells[-1]}.",
        )
    index = cells.index(move.cell)
    if state.meeples[index] >= 0:
        raise IllegalMove(
            "PP-021",
            f"That spot is already occupied: {{seat:{state.meeples[index]}}} stands on "
            f"{move.cell}.",
        )
    state.meeples[index] = seat
    state.active = state.last_cell = index
    state.placed += 1
    state.reask(seat, "act")
    return [Event("placed", {"seat": seat, "cell": move.cell, "tile": state.grid[index] or ""})]


def offers(state: PaoloState) -> str:
    """Action letters of the active cell (PP-023)."""
    return box().sides[state.seats].offers[state.active]


def affordable(state: PaoloState, area: Area) -> list[int]:
    """Costs of pizzerias that are left and not too dear (PP-045)."""
    return [
        cost for cost, left in zip(COSTS, state.reserve, strict=True) if left and cost <= area.money
    ]


def legal_acts(state: PaoloState, seat: Seat) -> list[Move]:
    """What the placed meeple may do."""
    area = state.areas[seat]
    tile = state.grid[state.active]
    moves: list[Move] = []
    if tile is not None:
        moves += [_take(cell, rot) for cell, rot in town.placements(area, box().tiles[tile])]
    for letter in offers(state):
        if letter == "S":
            moves.append(_SPONSOR)
        elif letter == "B":
            most = min(5, area.supply, town.rooms(area))
            moves += [_buy(n) for n, price in enumerate(box().buy[:most], 1) if price <= area.money]
        elif letter == "E":
            if area.money >= box().express_fee and town.can_deliver(area):
                moves.append(_EXPRESS)
        elif area.supply >= box().new_pizzas:
            costs = affordable(state, area)
            cells = town.build_cells(area) if costs else []
            moves += [_build(cost, cell) for cost in costs for cell in cells]
    return moves or [_NOTHING]


def _offered(state: PaoloState, letter: str) -> None:
    if letter not in offers(state):
        words = listing([ACTIONS[a] for a in offers(state)], "or")
        cell = box().sides[state.seats].cells[state.active]
        raise IllegalMove(
            "PP-023", f"This spot does not offer that action: {cell} offers {words}, or its tile."
        )


def take_tile(state: PaoloState, seat: Seat, move: TakeTile) -> list[Event]:
    """Take the tile into the neighbourhood (PP-024, PP-027).

    Raises:
        IllegalMove: it does not fit there.
    """
    tile = state.grid[state.active]
    if tile is None:
        raise IllegalMove("PP-021", "There is no tile on that spot.")
    if move.rotation not in (0, 90, 180, 270):
        raise IllegalMove("PP-027", "Turn the tile by 0, 90, 180 or 270 degrees.")
    if not inside(move.x, move.y):
        raise IllegalMove("PP-033", "Your neighbourhood may be 4×5 at most, lying or standing.")
    city = box().tiles[tile]
    town.place(state.touch(seat), city, at(move.x, move.y), move.rotation)
    state.grid[state.active] = None
    end_turn(state, seat)
    rotation = city.rotation(city.masks[move.rotation // 90])
    return [
        Event(
            "took",
            {"seat": seat, "tile": tile, "to": f"{move.x},{move.y}", "rotation": rotation},
        )
    ]


def no_action(state: PaoloState, seat: Seat) -> list[Event]:
    """Do nothing.

    Raises:
        IllegalMove: something is possible (PP-025).
    """
    if legal_acts(state, seat) != [_NOTHING]:
        raise IllegalMove("PP-025", "You can still take the tile or act, so you may not pass.")
    end_turn(state, seat)
    return [Event("no_action", {"seat": seat})]


# ---- the actions (PP-036 to PP-049) ----------------------------------------------------------


def seek_sponsor(state: PaoloState, seat: Seat) -> list[Event]:
    """Take money for the Finance level (PP-036)."""
    _offered(state, "S")
    area = state.touch(seat)
    amount = box().finance[area.markers[0] - 1]
    state.pay(area, -amount)
    end_turn(state, seat)
    return [Event("sponsor", {"seat": seat, "amount": amount})]


def buy_pizzas(state: PaoloState, seat: Seat, move: BuyPizzas) -> list[Event]:
    """Pay for pizzas; stocking follows (PP-037, PP-039).

    Raises:
        IllegalMove: not offered, too dear, or they do not all fit.
    """
    _offered(state, "B")
    area = state.touch(seat)
    prices = box().buy
    if not 1 <= move.paid <= len(prices) or prices[move.paid - 1] > area.money:
        able = [str(n) for n, price in enumerate(prices, 1) if price <= area.money]
        most = f"you can pay for {able[-1]} at most now" if able else "you cannot pay for any now"
        raise IllegalMove("PP-037", f"You can pay for 1–5 pizzas you can afford; {most}.")
    if move.paid > area.supply:
        raise IllegalMove("PP-007", f"Your supply holds only {area.supply} pizzas.")
    if move.paid > town.rooms(area):
        raise IllegalMove(
            "PP-039",
            f"All paid pizzas must fit: your pizzerias have room for {town.rooms(area)}.",
        )
    price = prices[move.paid - 1]
    state.pay(area, price)
    extra = box().market[area.markers[1] - 1]
    state.reask(seat, jobs.begin(area, "buy", least=move.paid, most=move.paid + extra))
    return [Event("bought", {"seat": seat, "paid": move.paid, "price": price, "extra": extra})]


def express(state: PaoloState, seat: Seat) -> list[Event]:
    """Pay the fee; routes follow (PP-040 to PP-043).

    Raises:
        IllegalMove: not offered, no money, or nothing can be delivered.
    """
    _offered(state, "E")
    area = state.touch(seat)
    fee = box().express_fee
    if area.money < fee:
        raise IllegalMove("PP-005", f"An express delivery costs £{fee}; you have £{area.money}.")
    if not town.can_deliver(area):
        raise IllegalMove("PP-043", f"No pizza can be delivered: {_why_not(area)}")
    state.pay(area, fee)
    state.reask(seat, open_express(area, "express", box().express[area.markers[2] - 1]))
    return [Event("express", {"seat": seat, "fee": fee, "most": area.most, "ways": area.ways})]


def open_express(area: Area, job: str, most: int) -> str:
    """Open an express delivery; its limits are those of now (PP-041, PP-042, PP-044)."""
    ways = box().routes[area.markers[3] - 1]
    return jobs.begin(area, job, least=1, most=most, ways=ways)


def _why_not(area: Area) -> str:
    if not area.waiting():
        return "there is none on your pizzerias."
    return "no hungry house is linked by road to a pizzeria with pizzas."


def build_pizzeria(state: PaoloState, seat: Seat, move: BuildPizzeria) -> list[Event]:
    """Build a pizzeria with its first two pizzas (PP-045 to PP-048).

    Raises:
        IllegalMove: not offered, not available, too dear, or not allowed there.
    """
    _offered(state, "P")
    area = state.touch(seat)
    if move.cost not in affordable(state, area):
        able = [f"£{c}" for c in affordable(state, area)]
        words = f"you can build for {listing(able, 'or')}" if able else "you cannot build any now"
        raise IllegalMove("PP-045", f"Not available or not affordable: {words}.")
    if area.supply < box().new_pizzas:
        raise IllegalMove(
            "PP-046", f"A new pizzeria takes 2 pizzas; your supply holds {area.supply}."
        )
    if not inside(move.x, move.y):
        raise IllegalMove("PP-033", "Your neighbourhood may be 4×5 at most, lying or standing.")
    cell = at(move.x, move.y)
    town.build(area, move.cost, cell)
    state.reserve[COSTS.index(move.cost)] -= 1
    state.pay(area, move.cost)
    end_turn(state, seat)
    return [Event("built", {"seat": seat, "cost": move.cost, "at": spot(cell)})]
