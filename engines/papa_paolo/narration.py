"""What happened, in sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines.core.types import Event, listing
from engines.papa_paolo.components import COLOURS, box
from engines.papa_paolo.text import delivery_words, plural, tile_words

Args = dict[str, Any]

_SIDE_WORDS = {"N": "north", "E": "east", "S": "south", "W": "west"}


def _seats(seats: tuple[int, ...]) -> str:
    return listing([f"{{seat:{seat}}}" for seat in seats])


def _who(a: Args) -> str:
    return f"{{seat:{a['seat']}}}"


def _round(a: Args) -> str:
    text = f"**Round {a['round']}.** New tiles and tips lie on the market. Order: "
    text += ", ".join(f"{{seat:{s}}}" for s in a["order"]) + "."
    tiles = listing([delivery_words(t) for t in a["deliveries"]])
    text += f" Delivery tiles: {tiles}."
    if a["removed"]:
        text += f" {a['removed']} went to the box."
    return text


def _start(a: Args) -> str:
    words = [
        f"{{seat:{seat}}} tile {tile} ({COLOURS[box().tiles[f'S{tile}'].colour]})"
        for seat, tile in a["tiles"]
    ]
    return f"Start tiles: {listing(words)}. The lowest number starts."


def _bought(a: Args) -> str:
    free = f", and {a['extra']} free on top if wanted" if a["extra"] else ""
    return f"{_who(a)} pays £{a['price']} for {plural(a['paid'], 'pizza')}{free}."


def _express(a: Args) -> str:
    return (
        f"{_who(a)} pays £{a['fee']} for an express delivery of up to "
        f"{plural(a['most'], 'pizza')} on {plural(a['ways'], 'route')}."
    )


def _stepped(a: Args) -> str:
    what = f"delivers {a['pizzas']}" if a["pizzas"] else "rides through"
    return f"{_who(a)} rides {_SIDE_WORDS[a['direction']]} to {a['to']} and {what}."


def _job_done(a: Args) -> str:
    n = plural(a["pizzas"], "pizza")
    match a["job"]:
        case "buy":
            return f"{_who(a)} has stocked {n}."
        case "blue":
            return f"{_who(a)} has stocked {n} for free."
        case "deliver":
            if not a["pizzas"]:
                return f"{_who(a)} delivers nothing this round."
            return f"{_who(a)} has delivered {n} on {plural(a['routes'], 'route')}."
    return f"{_who(a)} has delivered {n} by express."


def _experience(a: Args) -> str:
    parts = [f"{name} {old} → {new}" for name, old, new in a["gains"]]
    if a["lost"]:
        parts.append(f"{a['lost']} lost at the end of a track")
    return f"{_who(a)} completed {plural(a['tiles'], 'tile')}: {listing(parts)}."


def _tips(a: Args) -> str:
    lines = ", ".join(f"{line} £{coin} {{seat:{seat}}}" for line, coin, seat in a["awards"])
    totals = listing([f"{{seat:{s}}} £{n}" for s, n in enumerate(a["totals"]) if n])
    return f"**Tips:** {totals} ({lines})."


def _bid(a: Args) -> str:
    text = f"{_who(a)} bids £{a['price']} in column {a['column']}, row {a['row']}"
    return f"{text}; {_seats(a['outbid'])} outbid." if a["outbid"] else f"{text}."


def _withdrew(a: Args) -> str:
    why = "can afford no bid and stays out" if a["forced"] else "stays out of the bidding"
    return f"{_who(a)} {why}: spot {a['spot']} in the next round."


def _settled(a: Args) -> str:
    colour = f"the last investment tile, {a['colour']}," if a["auto"] else f"{a['colour']}"
    return f"{_who(a)} pays £{a['price']}, takes {colour} and {delivery_words(a['delivery'])}."


def _coins_revealed(a: Args) -> str:
    totals = listing([f"{{seat:{s}}} £{n}" for s, n in enumerate(a["totals"])])
    tie = " The tie goes to the start player." if a["tie"] else ""
    high, low = a["deliveries"]
    return (
        f"**The coins are revealed:** {totals}, paid to the bank.{tie} {{seat:{a['high']}}} "
        f"chooses first and takes {delivery_words(high)}; {{seat:{1 - a['high']}}} takes "
        f"{delivery_words(low)} and starts the next round."
    )


def _invested(a: Args) -> str:
    if a["from"] == a["to"]:
        return f"{_who(a)} keeps the {a['colour']} investment; {a['track']} is at its end."
    return f"{_who(a)} keeps the {a['colour']} investment: {a['track']} {a['from']} → {a['to']}."


def _discarded(a: Args) -> str:
    b = box()
    effect = {
        "gold": f"receives £{b.gold_money}",
        "blue": f"may stock up to {b.blue_pizzas} free pizzas",
        "red": f"makes a free express delivery of up to {b.red_pizzas} pizzas",
        "green": "has one more delivery route this round",
    }[a["colour"]]
    return f"{_who(a)} discards the {a['colour']} investment and {effect}."


def _delivering(a: Args) -> str:
    parts = []
    if a["seats"]:
        parts.append(f"**Deliveries:** {_seats(a['seats'])} can ride now, in any order.")
    if a["idle"]:
        parts.append(f"{_seats(a['idle'])} cannot deliver anything.")
    return " ".join(parts)


def _standing_set(a: Args) -> str:
    if not a["limit"]:
        return "Your maximum is cancelled."
    return (
        f"Your maximum of £{a['limit']} answers when you are outbid: the cheapest space open to "
        "you, of equal ones the furthest right. Any move of yours cancels it."
    )


def _end(a: Args) -> str:
    verb = "wins" if len(a["winners"]) == 1 else "share the victory"
    points = a["scores"][a["winners"][0]]
    note = f" {a['note']}" if a["note"] else ""
    return f"**{_seats(a['winners'])} {verb}** with {points} points.{note}"


def _two_players(a: Args) -> str:
    return (
        f"Two players: only the {a['left']}-numbered delivery tiles are used. Each keeps one of "
        "two start tiles; both are shown together."
    )


def _dealt(a: Args) -> str:
    words = [f"{t} ({COLOURS[box().tiles[f'S{t}'].colour]} house)" for t in a["tiles"]]
    return f"Start tiles dealt to you: {listing(words)}. Keep one; the lower number starts."


_WORDS: dict[str, Callable[[Args], str]] = {
    "two_players": _two_players,
    "dealt": _dealt,
    "kept_start": lambda a: f"{_who(a)} has chosen a start tile.",
    "kept_start_own": lambda a: f"You keep start tile {a['tile']}.",
    "start": _start,
    "round": _round,
    "placed": lambda a: f"{_who(a)} places a meeple on {a['cell']} ({tile_words(a['tile'])}).",
    "took": lambda a: f"{_who(a)} takes the {tile_words(a['tile'])} and lays it at {a['to']}.",
    "no_action": lambda a: f"{_who(a)} can do nothing there.",
    "sponsor": lambda a: f"{_who(a)} finds a sponsor: £{a['amount']}.",
    "bought": _bought,
    "stocked": lambda a: f"{_who(a)} puts {plural(a['count'], 'pizza')} on {a['pizzeria']}.",
    "express": _express,
    "route_started": lambda a: f"{_who(a)} starts a route at the pizzeria {a['pizzeria']}.",
    "stepped": _stepped,
    "route_ended": lambda a: f"{_who(a)} ends the route: {plural(a['pizzas'], 'pizza')} delivered.",
    "route_cancelled": lambda a: f"{_who(a)} cancels the route; its pizzas go back.",
    "job_done": _job_done,
    "experience": _experience,
    "built": lambda a: f"{_who(a)} builds the £{a['cost']} pizzeria at {a['at']} with 2 pizzas.",
    "tips": _tips,
    "bidding": lambda a: "**Bidding** on the stairs begins.",
    "bid": _bid,
    "standing_answered": lambda a: (
        f"Your maximum answered with £{a['price']}; it still goes up to £{a['limit']}."
    ),
    "standing_set": _standing_set,
    "withdrew": _withdrew,
    "nobody_bid": lambda a: "Nobody bids, so nobody delivers this round.",
    "settled": _settled,
    "leftover_bought": lambda a: f"{_who(a)} buys the {a['colour']} investment for £{a['price']}.",
    "leftover_declined": lambda a: f"{_who(a)} buys no investment.",
    "leftover_skipped": lambda a: f"{_who(a)} cannot pay £1 for an investment.",
    "next_order": lambda a: (
        "Next round's order: " + ", ".join(f"{{seat:{s}}}" for s in a["order"]) + "."
    ),
    "coin_bidding": lambda a: "**Bidding** with sealed coins begins: both add a starting coin.",
    "no_coin": lambda a: f"{_who(a)} has no money and bids £0.",
    "coin": lambda a: f"{_who(a)} has sealed {plural(a['coins'], 'coin')}.",
    "coin_own": lambda a: f"You sealed a £{a['value']} coin; your bid is £{a['total']}.",
    "coins_sealed": lambda a: f"Both starting coins are sealed. {_who(a)} adds a coin or passes.",
    "coin_pass": lambda a: f"{_who(a)} passes.",
    "coins_revealed": _coins_revealed,
    "claimed": lambda a: (
        f"{_who(a)} claims {a['colour']} on the large tile, turned {a['turned']}: "
        f"{listing(a['facing'])} face the other player."
    ),
    "claimed_facing": lambda a: f"{_who(a)} claims {a['colour']}.",
    "investing": lambda a: f"**Investing:** {_seats(a['seats'])} keep or discard, in any order.",
    "invested": _invested,
    "discarded": _discarded,
    "delivering": _delivering,
    "balances": lambda a: (
        "Money left: " + listing([f"{{seat:{s}}} £{n}" for s, n in enumerate(a["money"])]) + "."
    ),
    "end": _end,
}


def narrate(event: Event) -> str:
    """An event as a sentence."""
    words = _WORDS.get(event.kind)
    return words(event.args) if words else ""
