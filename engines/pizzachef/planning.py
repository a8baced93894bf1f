"""What planned words stand for before one's turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.core.types import Phrase
from engines.pizzachef.components import KIND_NAMES, STALLS
from engines.pizzachef.text import place_words
from engines.pizzachef.views import PizzaView

_SIMPLE = ("missions", "orders", "chef")


def meaning(
    view: PizzaView, command: str, args: Mapping[str, str], before: Sequence[Phrase]
) -> str | None:
    """See ``Game.meaning``."""
    match command:
        case "take":
            what = args.get("what", "")
            return "" if what in _SIMPLE else _tops(view, what)
        case "reserve":
            return _slot(view, args.get("slot", ""))
        case "house" | "topping" | "confirm":
            order = _order(view, before)
            return f"delivery of {order}" if order else None
        case "target":
            card = _card(view, before)
            return f"{card}: {_target(view, args.get('target', ''))}" if card else None
        case "done":
            kept = ", ".join(view.my_kept)
            return f"keeping {kept or 'nothing'}" if view.my_drawn else None
        case "rot":
            mine = next((w for w in view.queue if w.seat == view.viewer and w.kind == "rot"), None)
            return f"rotten {KIND_NAMES[mine.topping]}" if mine else None
    return ""


def _tops(view: PizzaView, what: str) -> str:
    """The toppings that taking a colour at a stall brings."""
    stall, _, colour = what.partition("-")
    tops = [
        f"{'mystery bag' if p.face == 'bag' else KIND_NAMES.get(p.face, p.face)} {p.slot}"
        for p in view.market
        if p.slot[0] == stall
        and p.colour == colour
        and p.height
        and p.reserved in (None, view.viewer)
    ]
    return ", ".join(tops) or "nothing"


def _slot(view: PizzaView, slot: str) -> str:
    place = next((p for p in view.market if p.slot == slot), None)
    # How high the stack is makes it no other topping.
    return place_words(place).partition(",")[0].partition(" high")[0] if place is not None else ""


def _target(view: PizzaView, target: str) -> str:
    if target.startswith("stall-"):
        return "; ".join(_slot(view, p.slot) for p in view.market if p.slot[0] == target[-1])
    return _slot(view, target)


def _order(view: PizzaView, before: Sequence[Phrase]) -> str:
    """The order of the own delivery, announced or planned."""
    order = ""
    if view.delivery is not None and view.active == view.viewer:
        order = view.delivery.order
    for phrase in before:
        if phrase.command == "deliver":
            order = phrase.args.get("order", "")
        elif phrase.command == "confirm":
            order = ""
    return order


def _card(view: PizzaView, before: Sequence[Phrase]) -> str:
    """The chef card that is being played, or is planned to be."""
    card = view.my_draft[0] if view.my_draft else ""
    for phrase in before:
        if phrase.command == "card":
            card = phrase.args.get("card", "")
    return card


def foreseen(view: PizzaView, command: str, param: str) -> tuple[str, ...]:
    """See ``Game.foreseen``."""
    if (command, param) == ("take", "what"):
        there = {(p.slot[0], p.colour) for p in view.market if p.height}
        toppings = [f"{s}-{c}" for s in STALLS for c in ("red", "green") if (s, c) in there]
        return (*_SIMPLE, *toppings)
    if (command, param) == ("reveal", "order"):
        return tuple(o.id for o in view.my_orders if not o.open)
    return ()
