"""Words of Papà Paolo: labels, prompts, descriptions and the text board."""

from __future__ import annotations

from engines.core.types import Hand, Move, Seat, listing
from engines.papa_paolo import moves as m
from engines.papa_paolo.components import COLOURS, TRACKS, box, exits_of, turned
from engines.papa_paolo.phases.placing import ACTIONS
from engines.papa_paolo.rules import DUE
from engines.papa_paolo.views import AreaView, PaoloView, PizzeriaView

LIMIT = 1800
"""Characters of a text board."""

_SHAPES = {
    "cross": "crossroads",
    "t": "T road",
    "straight": "straight road",
    "corner": "bend",
    "dead_end": "dead end",
}

_SHORT = {"S": "Sponsor", "B": "Buy", "E": "Express", "P": "Build"}

_NEXT = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
_SIDES = {"N": "north", "E": "east", "S": "south", "W": "west"}


def plural(n: int, word: str) -> str:
    """A number with its word.

    >>> plural(1, "pizza"), plural(3, "pizza")
    ('1 pizza', '3 pizzas')
    """
    return f"{n} {word}" if n == 1 else f"{n} {word}s"


def tile_words(tile: str) -> str:
    """A tile for people: ``green bend, 2 houses``."""
    city = box().tiles[tile]
    return f"{COLOURS[city.colour]} {_SHAPES[city.shape]}, {plural(city.houses, 'house')}"


def offer_words(letters: str) -> str:
    """The actions of a cell: ``Buy Ingredients or Express delivery``."""
    return listing([ACTIONS[a] for a in letters], "or")


def delivery_words(tile: str) -> str:
    """A delivery tile: ``A3 (3 pizzas, distance 2)``."""
    pizzas, reach = box().delivery[tile]
    return f"{tile} ({plural(pizzas, 'pizza')}, distance {reach})"


def cost_words(cost: int) -> str:
    """A pizzeria by its price."""
    return f"£{cost} pizzeria" if cost else "start pizzeria"


def keep_words(colour: str, markers: tuple[int, ...]) -> str:
    """What keeping an investment does."""
    track = COLOURS.index(colour)
    now = markers[track]
    if now == 5:
        return f"keep: {TRACKS[track]} stays on 5"
    return f"keep: {TRACKS[track]} {now} → {now + 1}"


def discard_words(colour: str) -> str:
    """What discarding an investment does."""
    b = box()
    return {
        "gold": f"discard: receive £{b.gold_money}",
        "blue": f"discard: up to {b.blue_pizzas} free pizzas on your pizzerias",
        "red": f"discard: free express delivery of up to {b.red_pizzas}",
        "green": "discard: 1 more route in this round's deliveries",
    }[colour]


def where_words(x: int, y: int) -> str:
    """A place seen from the start pizzeria: ``2 east, 1 north``."""
    parts = []
    if x:
        parts.append(f"{abs(x)} {'east' if x > 0 else 'west'}")
    if y:
        parts.append(f"{abs(y)} {'south' if y > 0 else 'north'}")
    return ", ".join(parts) or "the start pizzeria"


# ---- options of commands ---------------------------------------------------------------------


def _mine(view: PaoloView) -> AreaView | None:
    return view.areas[view.viewer] if view.viewer is not None else None


def _active_tile(view: PaoloView) -> str | None:
    return view.grid[view.cells.index(view.active)] if view.active else None


def _oven(area: AreaView, value: str) -> PizzeriaView | None:
    return next((p for p in area.pizzerias if f"{p.x},{p.y}" == value), None)


def _cell(view: PaoloView, value: str) -> str:
    if value not in view.cells:
        return value
    index = view.cells.index(value)
    tile = view.grid[index]
    offer = listing([_SHORT[a] for a in view.offers[index]], "or")
    return f"{value} – {tile_words(tile)}; {offer}" if tile else f"{value} – {offer}"


def _rotation(view: PaoloView, value: str) -> str:
    tile = _active_tile(view)
    if tile is None or not value.isdigit():
        return value
    sides = exits_of(turned(mask_of_tile(tile), int(value)))
    return f"{value}° – roads {', '.join(sides)}"


def mask_of_tile(tile: str) -> int:
    """Exits of a tile before it is turned."""
    return box().tiles[tile].masks[0]


def _place(value: str) -> str:
    x, _, y = value.partition(",")
    try:
        return f"{value} – {where_words(int(x), int(y))}"
    except ValueError:
        return value


def _pizzeria(view: PaoloView, value: str) -> str:
    area = _mine(view)
    oven = _oven(area, value) if area else None
    if oven is None:
        return value
    return f"{value} – {cost_words(oven.cost)}, {oven.pizzas} of {oven.capacity} pizzas"


def _direction(view: PaoloView, value: str) -> str:
    area = _mine(view)
    if area is None or area.route is None or value not in _NEXT:
        return value
    x, y = area.route.path[-1][:2] if area.route.path else area.route.start
    x, y = x + _NEXT[value][0], y + _NEXT[value][1]
    tile = next((t for t in area.tiles if (t.x, t.y) == (x, y)), None)
    if tile is None:
        return f"{value} – {_SIDES[value]}"
    city = box().tiles[tile.tile]
    free = city.houses - tile.pizzas
    return f"{value} – to {x},{y}: {COLOURS[city.colour]}, {free} of {city.houses} houses hungry"


def _column(view: PaoloView, value: str) -> str:
    if not value.isdigit() or not 0 < int(value) <= len(view.deliveries):
        return value
    column = int(value)
    top = max([row for col, row in view.bids if col == column], default=0)
    state = f"taken up to row {top}" if top else "free"
    return f"{value} – {delivery_words(view.deliveries[column - 1])}, {state}"


def _row(view: PaoloView, value: str) -> str:
    if not value.isdigit() or not 0 < int(value) <= len(view.prices):
        return value
    prices = view.prices[int(value) - 1][: len(view.deliveries)]
    words = ", ".join(f"£{p} in column {c}" for c, p in enumerate(prices, 1))
    return f"{value} – {words}"


def _colour(view: PaoloView, value: str) -> str:
    area = _mine(view)
    if area is None or value not in COLOURS:
        return value
    return f"{value} – {keep_words(value, area.markers)}; {discard_words(value)}"


def _turned(view: PaoloView, value: str) -> str:
    step = {"low": "first and second", "high": "second and third"}.get(value)
    order = ", ".join(("gold", "red", "green", "blue"))
    return f"{value} – the other chooses from the {step} colour after yours in {order}"


def _way(view: PaoloView, value: str) -> str:
    area = _mine(view)
    if area is None or not area.investment:
        return value
    if value == "keep":
        return keep_words(area.investment, area.markers)
    return discard_words(area.investment)


def _paid(view: PaoloView, value: str) -> str:
    area = _mine(view)
    if area is None or not value.isdigit() or not 1 <= int(value) <= len(box().buy):
        return value
    extra = box().market[area.markers[1] - 1]
    free = f", up to {extra} free" if extra else ""
    return f"{value} for £{box().buy[int(value) - 1]}{free}"


def _cost(view: PaoloView, value: str) -> str:
    if not value.isdigit() or int(value) not in box().capacity:
        return value
    left = dict(view.reserve).get(int(value), 0)
    return f"£{value} – holds {box().capacity[int(value)]} pizzas, {left} left"


def label(view: PaoloView, command: str, param: str, value: str) -> str:
    """How an option's value is shown."""
    match param:
        case "cell":
            return _cell(view, value)
        case "at":
            return _place(value)
        case "rotation":
            return _rotation(view, value)
        case "pizzeria":
            return _pizzeria(view, value)
        case "direction":
            return _direction(view, value)
        case "column":
            return _column(view, value)
        case "row":
            return _row(view, value)
        case "colour":
            return _colour(view, value)
        case "turned":
            return _turned(view, value)
        case "way":
            return _way(view, value)
        case "paid":
            return _paid(view, value)
        case "cost":
            return _cost(view, value)
        case "pizzas":
            return "0 – ride through" if value == "0" else f"{value} – deliver {value}"
        case "value":
            return f"£{value}"
        case "limit":
            return "0 – cancel the maximum" if value == "0" else f"up to £{value}"
        case "tile":
            half = box().tiles.get(f"S{value}")
            return f"{value} – {COLOURS[half.colour]} house" if half else value
    return value


# ---- a move in words -------------------------------------------------------------------------


def describe(view: PaoloView, move: Move) -> str:
    """The move in words, for a confirm button."""
    if isinstance(move, m.TakeTile):
        tile = _active_tile(view)
        words = tile_words(tile) if tile else "tile"
        return f"Take the {words} to {move.x},{move.y}, turned {move.rotation}°"
    if isinstance(move, m.PlaceMeeple):
        tile = view.grid[view.cells.index(move.cell)] if move.cell in view.cells else None
        return f"Place a meeple on {move.cell}" + (f" ({tile_words(tile)})" if tile else "")
    if isinstance(move, m.Bid):
        price = 0
        if 0 < move.row <= len(view.prices) and 0 < move.column <= 4:
            price = view.prices[move.row - 1][move.column - 1]
        prize = view.deliveries[move.column - 1] if 0 < move.column <= len(view.deliveries) else ""
        return f"Bid £{price}: column {move.column}, row {move.row} (tile {prize})"
    if isinstance(move, m.Step):
        where = _direction(view, move.direction).partition(" – ")[2].partition(":")[0]
        what = f"deliver {move.pizzas}" if move.pizzas else "ride through"
        return f"Ride {move.direction} {where}, {what}"
    if isinstance(move, m.BuildPizzeria):
        return f"Build the £{move.cost} pizzeria at {move.x},{move.y}"
    if isinstance(move, m.Stock):
        return f"Put {plural(move.count, 'pizza')} on the pizzeria at {move.pizzeria}"
    if isinstance(move, m.BuyPizzas):
        return f"Buy {_paid(view, str(move.paid))}"
    if isinstance(move, m.StandingBid):
        if not move.limit:
            return "Cancel your maximum"
        return f"Answer for me up to £{move.limit}, cheapest space first"
    if isinstance(move, m.KeepStartTile):
        return f"Keep start tile {label(view, '', 'tile', str(move.tile))}"
    if isinstance(move, (m.PickInvestment, m.BuyInvestment, m.ClaimFacing)):
        cost = " for £1" if isinstance(move, m.BuyInvestment) else ""
        return f"Take the {move.colour} investment{cost}"
    if isinstance(move, m.ClaimLarge):
        left = box().large.get((move.colour, move.turned), ())
        return f"Claim {move.colour}, turned {move.turned}: {listing(left, 'or')} left"
    if isinstance(move, m.StartRoute):
        return f"Start a route at the pizzeria {move.pizzeria}"
    if isinstance(move, m.CommitCoin):
        return f"Add a sealed £{move.value} coin"
    if isinstance(move, (m.InvestKeep, m.InvestDiscard)):
        way = "keep" if isinstance(move, m.InvestKeep) else "discard"
        words = _way(view, way)
        return words[:1].upper() + words[1:]
    return _PLAIN.get(type(move), str(move.kind))


_PLAIN: dict[type[Move], str] = {
    m.SeekSponsor: "Seek a sponsor",
    m.Express: "Express delivery for £2",
    m.NoAction: "No action",
    m.Withdraw: "Stay out of the bidding",
    m.DeclineInvestment: "Buy no investment",
    m.PassBid: "Pass",
    m.EndRoute: "End the route",
    m.CancelRoute: "Cancel the route",
    m.Finish: "Finish",
}


def prompt(view: PaoloView, seat: Seat) -> str:
    """What the seat has to decide."""
    kind = dict(view.due).get(seat, "")
    area = view.areas[seat]
    if kind == "act":
        index = view.cells.index(view.active)
        return f"take the tile on {view.active} or choose {offer_words(view.offers[index])}"
    if kind == "stock":
        if area.moved < area.least:
            return f"put {plural(area.least - area.moved, 'pizza')} on your pizzerias"
        left = area.most - area.moved
        return f"put up to {left} more on your pizzerias, or finish" if left else "finish stocking"
    if kind in ("routes", "route"):
        left = area.most - area.moved
        what = "deliver" if area.job == "deliver" else "express delivery"
        routes = area.ways - len(area.routes)
        if kind == "routes":
            return f"{what}: {plural(left, 'pizza')}, {plural(routes, 'route')} left; or finish"
        return f"{what}: ride on ({plural(left, 'pizza')} left), end or cancel the route"
    if kind == "invest":
        return f"keep or discard your {area.investment} investment"
    return DUE.get(kind, "wait")


def hand(view: PaoloView) -> Hand | None:
    """The viewer's own money and sealed things."""
    if view.my_money is None:
        return None
    lines = []
    if view.phase == "starting":
        words = listing([label(view, "", "tile", str(t)) for t in view.my_dealt], "and")
        lines.append(f"Start tiles dealt to you: {words}.")
        if view.my_start:
            lines.append(f"You keep tile {view.my_start}.")
    if view.my_coins:
        coins = listing([f"£{c}" for c in view.my_coins])
        lines.append(f"Sealed coins: {coins}, £{sum(view.my_coins)} in all.")
        if not view.totals:
            lines.append(f"£{view.my_money - sum(view.my_coins)} can still be committed.")
    if view.my_limit:
        lines.append(
            f"Your maximum answers up to £{view.my_limit}, cheapest space first. "
            "Any move of yours cancels it."
        )
    if view.ended is None:
        lines.append("Only you see your money; it breaks ties at the end.")
    return Hand(f"Your money: £{view.my_money}", tuple(lines))
