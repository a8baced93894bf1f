"""Events of Pizzachef as sentences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines.core.types import Event, listing
from engines.pizzachef.components import CARDS, CHEF_KEY, KIND_NAMES, MISSIONS, ORDERS
from engines.pizzachef.names import (
    card_words,
    kinds_words,
    mission_words,
    order_words,
    type_list,
    type_words,
)

CARD_NAMES = {"missions": "mission", "orders": "order", "chef": "chef card"}


def _count(n: int, kind: str) -> str:
    word = CARD_NAMES[kind]
    return f"{n} {word}" if n == 1 else f"{n} {word}s"


def coins(n: int) -> str:
    """Money for a sentence."""
    return f"{n} coin" if abs(n) == 1 else f"{n} coins"


def card_line(kind: str, card: str) -> str:
    """A card that only its owner may see."""
    if kind == "missions":
        return mission_words(card)
    if kind == "orders":
        return order_words(card)
    return f"{card} · {card_words(CHEF_KEY[card])}"


def _start(a: dict[str, Any]) -> str:
    if a["solo"]:
        return "The solo challenge begins. First choose the cards to start with."
    return f"{{seat:{a['seat']}}} will begin. First everybody chooses cards, in secret."


def _dealing(a: dict[str, Any]) -> str:
    least = "at most 1" if a["kind"] == "chef" else "at least 1"
    return f"Dealt to each player: {_count(a['n'], a['kind'])}. Keep {least}."


def _kept(a: dict[str, Any]) -> str:
    if not a["n"]:
        return f"{{seat:{a['seat']}}} kept no card."
    return f"{{seat:{a['seat']}}} kept {_count(a['n'], a['kind'])}."


def _turn(a: dict[str, Any]) -> str:
    last = " It is the last one." if a["last"] else ""
    return f"**{{seat:{a['seat']}}}’s turn**, {a['actions']} actions.{last}"


def _took(a: dict[str, Any]) -> str:
    return (
        f"{{seat:{a['seat']}}} took {a['colour']} at stall {a['stall']}: {type_list(a['tokens'])}."
    )


def _rotted(a: dict[str, Any]) -> str:
    bag = "discarded the bag too" if a["bag_goes"] else "keeps the rotten bag"
    name = KIND_NAMES[a["topping"]]
    what = name if a["n"] == 1 else f"{a['n']} × {name}"
    return (
        f"{what[0].upper()}{what[1:]} of {{seat:{a['seat']}}} rotted; {{seat:{a['seat']}}} {bag}."
    )


def _discarded_order(a: dict[str, Any]) -> str:
    what = ORDERS[a["order"]].title if a["order"] else "an order"
    return f"{{seat:{a['seat']}}} discarded {what}."


def _delivering(a: dict[str, Any]) -> str:
    card = ORDERS[a["order"]]
    whose = "" if a["owner"] == a["seat"] else f" (the open order of {{seat:{a['owner']}}})"
    where = f" for house {card.house}" if card.house else ""
    return f"{{seat:{a['seat']}}} is delivering {card.title}{whose}{where}."


def _house(a: dict[str, Any]) -> str:
    wrong = ", a wrong delivery without money" if a["wrong"] else ""
    return f"It goes to house {a['house']}{wrong}."


def _delivered(a: dict[str, Any]) -> str:
    card = ORDERS[a["order"]]
    head = f"**{{seat:{a['seat']}}} delivered {card.title} to house {a['house']}**"
    if card.fantasia:
        head += f" with {kinds_words(a['kinds'])}"
    if a["wrong"]:
        return f"{head}, the wrong one: no money."
    lines = " + ".join(f"{n} {label}" for label, n in a["lines"])
    return f"{head}: {lines} = {coins(a['coins'])}, now {a['score']}."


def _card(a: dict[str, Any]) -> str:
    key, seat = a["card"], f"{{seat:{a['seat']}}}"
    head = f"{seat} played **{CARDS[key].title}**"
    match key:
        case "open_order":
            return f"{head}: {{seat:{a['other']}}} lays an order face up."
        case "swap":
            return (
                f"{head}: {type_words(a['gave'])} to {{seat:{a['other']}}} for "
                f"{type_words(a['got'])}."
            )
        case "bin":
            return f"{head}: {type_list(a['toppings'])} discarded."
        case "pickpocket":
            return f"{head}: {type_words(a['got'])} from {{seat:{a['other']}}}."
        case "fresh_pick" | "full_basket":
            return f"{head} and took {type_list(a['tokens'])} from {listing(a['slots'])}."
        case "overtime":
            return f"{head}: one more action."
    return f"{head}. {CARDS[key].text}"


def _reserved(a: dict[str, Any]) -> str:
    what = "a mystery bag" if a["top"] == "bag" else KIND_NAMES[a["top"]]
    return f"{{seat:{a['seat']}}} reserved {what} at {a['slot']} until their turn."


def _settled(a: dict[str, Any]) -> str:
    parts = [f"{label} {n:+}" for label, n in a["lines"] if n]
    text = f"{{seat:{a['seat']}}}: {', '.join(parts) or 'nothing'} = **{coins(a['total'])}**."
    if a["done"]:
        text += f" Completed: {listing([MISSIONS[m].text for m in a['done']])}."
    if a["missed"]:
        text += f" Missed: {listing([MISSIONS[m].text for m in a['missed']])}."
    return text


def _end(a: dict[str, Any]) -> str:
    match a["reason"]:
        case "solo_won":
            return f"**Challenge won** with {coins(a['total'])}. You are the new pizza chef!"
        case "solo_missions":
            return (
                "All pizzas are delivered, but too few missions are completed: **challenge lost** "
                f"({coins(a['total'])})."
            )
        case "solo_actions":
            return f"No action is left: **challenge lost** ({coins(a['total'])})."
        case "solo_given_up":
            return f"**Challenge given up** ({coins(a['total'])})."
    who = listing([f"{{seat:{seat}}}" for seat in a["winners"]])
    if len(a["winners"]) == 1:
        return f"**{who} wins** with {coins(a['total'])} and is the new pizza chef!"
    return f"**{who} share the win** with {coins(a['total'])} each."


def _picked(a: dict[str, Any]) -> str:
    return f"{CARDS[a['card']].title}: {type_words(a['topping'])} chosen. Now the next target."


def _drafting(a: dict[str, Any]) -> str:
    if a["bag"]:
        return f"You are playing {CARDS[a['card']].title} with the {type_words(a['bag'])} bag."
    return f"You are playing {CARDS[a['card']].title}: choose a target. Nobody sees it yet."


def _topping(sign: str) -> Callable[[dict[str, Any]], str]:
    def tell(a: dict[str, Any]) -> str:
        stands = f" as {KIND_NAMES[a['as']]}" if a["as"] else ""
        return f"{sign} {type_words(a['topping'])}{stands}."

    return tell


_TELL: dict[str, Callable[[dict[str, Any]], str]] = {
    "start": _start,
    "dealing": _dealing,
    "drawn": lambda a: "You drew:\n" + "\n".join(card_line(a["kind"], c) for c in a["cards"]),
    "kept": lambda a: "",
    "unkept": lambda a: "",
    "kept_cards": _kept,
    "kept_own": lambda a: "You kept: " + listing([card_line(a["kind"], c) for c in a["cards"]]),
    "turn": _turn,
    "lapsed": lambda a: f"{listing([CARDS[k].title for k in a['cards']])} went unused.",
    "took_cards": lambda a: f"{{seat:{a['seat']}}} drew {_count(a['n'], a['kind'])}.",
    "shuffled": lambda a: f"The discarded {CARD_NAMES[a['kind']]}s were shuffled into a new pile.",
    "pi_open": lambda a: f"**Play immediately**, for everybody: {card_words(a['card'])}",
    "took_toppings": _took,
    "refill": lambda a: f"The market was empty: {a['n']} discarded toppings form 12 new stacks.",
    "rotted": _rotted,
    "discarded_topping": lambda a: f"{{seat:{a['seat']}}} discarded {type_words(a['topping'])}.",
    "discarded_order": _discarded_order,
    "discarded_mission": lambda a: f"{{seat:{a['seat']}}} discarded a mission for 2 actions.",
    "discarded_own": lambda a: f"You discarded {card_line(a['kind'], a['card'])}.",
    "delivering": _delivering,
    "house": _house,
    "added": _topping("On it:"),
    "removed": _topping("Off it:"),
    "cancelled": lambda a: f"{{seat:{a['seat']}}} called off {ORDERS[a['order']].title}.",
    "delivered": _delivered,
    "mission_done": lambda a: (
        f"You have completed a mission: {mission_words(a['mission'])}. Keep it to yourself."
    ),
    "final_round": lambda a: (
        f"**{{seat:{a['seat']}}} has placed the 8th pizza marker.** After this turn every other "
        "player has one more."
    ),
    "drafting": _drafting,
    "picked": _picked,
    "card_kept": lambda a: f"{CARDS[a['card']].title} stays in your hand.",
    "card": _card,
    "opened": lambda a: (
        f"Open for everybody, from {{seat:{a['seat']}}}: {order_words(a['order'])}."
    ),
    "reserved": _reserved,
    "skipped": lambda a: (
        f"{{seat:{a['seat']}}} is away; the turn was ended for them"
        + (f", {a['actions']} actions are forfeited." if a["actions"] else ".")
    ),
    "settled": _settled,
    "end": _end,
}


def narrate(event: Event) -> str:
    """An event as a sentence; empty if it is not worth telling."""
    tell = _TELL.get(event.kind)
    return tell(event.args) if tell else ""
