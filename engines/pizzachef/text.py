"""Words of Pizzachef: prompts, labels, the text board and the hand."""

from __future__ import annotations

from engines.core.types import Hand, Seat, listing
from engines.pizzachef import moves as m
from engines.pizzachef.components import (
    CARDS,
    CHEF_KEY,
    KIND_NAMES,
    MISSIONS,
    ORDERS,
    TYPE_RANK,
)
from engines.pizzachef.names import (
    card_words,
    kinds_words,
    mission_words,
    order_words,
    short,
    shorts,
    type_list,
    type_words,
)
from engines.pizzachef.state import UNUSED
from engines.pizzachef.views import PizzaView, Place

KEY = "T tomato, M mozzarella, H ham, P pepper, F mushrooms, O olives, G Parmesan, B basil"
"""What the codes of the text board mean."""


# ---- prompts ---------------------------------------------------------------------------------


def prompt(view: PizzaView, seat: Seat) -> str:
    """What the seat has to decide."""
    if view.phase != "play":
        what = {"missions": "missions", "orders": "orders"}.get(view.phase)
        return f"choose which {what} to keep" if what else "keep one chef card, or none"
    if view.queue:
        first = view.queue[0]
        if first.kind == "rot":
            return f"your {KIND_NAMES[first.topping]} rots: discard the bag too, or keep it"
        return "choose which of your orders is laid face up"
    if view.main == "draw":
        cards = "chef card" if view.draw_kind == "chef" else view.draw_kind
        return f"choose which {cards} to keep"
    if view.main == "delivery":
        if view.delivery and not view.delivery.house:
            return "choose the house of your delivery"
        return "check house and toppings, then confirm the delivery"
    if view.actions_left:
        n = view.actions_left
        return f"{n} action{'s' * (n != 1)} left; deliveries and chef cards are free"
    if view.solo:
        return "no action left: deliver a pizza to gain 3"
    return "deliver, play chef cards, or end your turn"


# ---- values and moves ------------------------------------------------------------------------


def place_words(place: Place) -> str:
    """What lies on top of a stack."""
    what = "mystery bag" if place.face == "bag" else KIND_NAMES.get(place.face, "empty")
    return f"{what} ({place.colour}, {place.height} high)" if place.height else "empty"


def _card_label(value: str) -> str:
    if value in MISSIONS:
        return mission_words(value)
    if value in ORDERS:
        return order_words(value)
    if value in CHEF_KEY:
        card = CARDS[CHEF_KEY[value]]
        kind = " (Play immediately)" if card.turn == "pi" else ""
        return f"{value} · {card.title}{kind}: {card.text}"
    return value


def _mission_or_order(view: PizzaView, value: str) -> str:
    if value in MISSIONS:
        own = next((o for o in view.my_missions if o.id == value), None)
        done = f" – {own.have} of {own.need}" if own else ""
        return mission_words(value) + done
    return _card_label(value)


def _takes(view: PizzaView, value: str) -> str:
    simple = {
        "missions": "Missions: draw 4, keep at least 1",
        "orders": "Orders: draw 4, keep at least 1",
        "chef": "Chef cards: draw 4, keep 1",
    }
    if value in simple:
        return simple[value]
    stall, _, colour = value.partition("-")
    tops = [
        f"{'mystery bag' if p.face == 'bag' else KIND_NAMES[p.face]} {p.slot}"
        for p in view.market
        if p.slot[0] == stall
        and p.colour == colour
        and p.height
        and p.reserved in (None, view.viewer)
    ]
    return f"{stall} {colour}: {', '.join(tops)}"


def _house(view: PizzaView, value: str) -> str:
    if not value.isdigit() or not 0 < int(value) <= len(view.houses):
        return value
    there = len(view.houses[int(value) - 1])
    text = f"House {value}: {there} of 4 pizzas"
    d = view.delivery
    if d is None or ORDERS[d.order].fantasia:
        return text
    if int(value) == ORDERS[d.order].house:
        return text + ", the one on the order"
    return text + (", with Detour" if "detour" in view.armed else ", wrong: no money")


def _target(view: PizzaView, value: str) -> str:
    if value == "enough":
        return "Only the one chosen"
    if value.startswith("stall-"):
        stall = value[-1]
        tops = [place_words(p).split(" (")[0] for p in view.market if p.slot[0] == stall]
        return f"Stall {stall}: {', '.join(tops)}"
    place = next((p for p in view.market if p.slot == value), None)
    if place is not None:
        return f"{value}: {place_words(place)}"
    head, slash, tail = value.partition("/")
    if slash:
        return f"{type_words(tail)} of {head}"
    if value in view.colours:
        n = view.players[view.colours.index(value)].orders
        return f"{value} ({n} hidden orders)"
    return type_words(value)


def label(view: PizzaView, command: str, param: str, value: str) -> str:
    """How a value is shown (100 characters at most)."""
    text = value
    match command, param:
        case "take", "what":
            text = _takes(view, value)
        case "keep", "card":
            text = _card_label(value)
        case "keep", "keep":
            text = "keep it" if value == "yes" else "put it back"
        case ("discard", "what"):
            text = type_words(value) if value in TYPE_RANK else _mission_or_order(view, value)
        case ("deliver", "order") | ("reveal", "order"):
            text = order_words(value)
        case "house", "house":
            text = _house(view, value)
        case "topping", "topping":
            text = type_words(value)
        case "topping", "as":
            text = KIND_NAMES.get(value, value)
        case "card", "card":
            text = card_words(value) if value in CARDS else value
        case "target", "target":
            text = _target(view, value)
        case "reserve", "slot":
            place = next((p for p in view.market if p.slot == value), None)
            text = f"{value}: {place_words(place)}" if place else value
        case "rot", "bag":
            text = "keep the bag" if value == "keep" else "discard the bag too"
    return text if len(text) <= 100 else text[:99] + "…"


def facet(view: PizzaView, command: str, param: str, value: str) -> str:
    """A coarse key for lists of more than 25 values."""
    if command == "discard":
        if value in MISSIONS:
            return f"Missions worth {MISSIONS[value].tip} coins"
        return "Toppings" if value in TYPE_RANK else _order_facet(value)
    if param == "order" and value in ORDERS:
        return _order_facet(value)
    if command == "target" and "/" in value:
        return value.partition("/")[0]
    return ""


def _order_facet(order: str) -> str:
    card = ORDERS.get(order)
    if card is None:
        return ""
    return f"Orders for house {card.house}" if card.house else "Pizza Fantasia"


def _stands(kind: str | None) -> str:
    return f" as {KIND_NAMES.get(kind, kind)}" if kind else ""


def _pick_words(move: m.CardPick) -> str:
    if move.player is not None:
        return f"{type_words(move.topping)} of {move.player}" if move.topping else move.player
    if move.stall is not None:
        return f"stall {move.stall}"
    return move.slot or type_words(move.topping or "")


def _named(card: str) -> str:
    if card in MISSIONS:
        return f"“{MISSIONS[card].text}”"
    if card in ORDERS:
        return ORDERS[card].title
    if card in CHEF_KEY:
        return CARDS[CHEF_KEY[card]].title
    return card


def describe(view: PizzaView, move: m.AnyMove) -> str:
    """A move in words (80 characters at most)."""
    return _describe(view, move)[:80]


def _describe(view: PizzaView, move: m.AnyMove) -> str:
    match move:
        case m.KeepCard():
            return f"Keep {_named(move.card)}"
        case m.UnkeepCard():
            return f"Put {_named(move.card)} back"
        case m.FinishDraw():
            n = len(view.my_kept)
            return f"Done: keep {n} card{'s' * (n != 1)}, discard the others"
        case m.TakeMissions():
            return "Draw 4 missions"
        case m.TakeOrders():
            return "Draw 4 orders"
        case m.TakeChef():
            return "Draw 4 chef cards"
        case m.TakeToppings():
            return f"Take {move.colour} at stall {move.stall}"
        case m.DiscardOrder():
            return f"Discard {_named(move.order)}"
        case m.DiscardTopping():
            return f"Discard {type_words(move.topping)}"
        case m.DiscardMission():
            return f"Discard {_named(move.mission)}"
        case m.StartDelivery():
            return f"Deliver {_named(move.order)}"
        case m.SetHouse():
            return f"To house {move.house}"
        case m.AddTopping():
            return f"Add {type_words(move.topping)}{_stands(move.counts_as)}"
        case m.RemoveTopping():
            return f"Remove {type_words(move.topping)}{_stands(move.counts_as)}"
        case m.ConfirmDelivery():
            d = view.delivery
            if d is None:
                return "Deliver the pizza"
            money = "no money" if d.wrong else f"{d.coins} coins"
            return f"Deliver {_named(d.order)} to house {d.house}: {money}"
        case m.CancelDelivery():
            return "Call the delivery off"
        case m.EndTurn() | m.HostSkip():
            return "End the turn"
        case m.PlayChef():
            return f"Play {CARDS[move.card].title}" if move.card in CARDS else "Play a chef card"
        case m.CardPick():
            return f"Choose {_pick_words(move)}"
        case m.CardFinish():
            return "Bin only the topping chosen"
        case m.CardCancel():
            return "Keep the chef card"
        case m.Reserve():
            return f"Reserve {move.slot}"
        case m.RotKeep():
            return "Keep the rotten bag"
        case m.RotDiscard():
            return "Discard the rotten bag too"
        case m.RevealOrder():
            return f"Lay {_named(move.order)} face up"
        case m.GiveUp():
            return "Give the challenge up"


# ---- the text board --------------------------------------------------------------------------


def _state_line(view: PizzaView) -> str:
    if view.ended is not None:
        return "Pizzachef, final position"
    if view.phase != "play":
        who = listing([f"{{seat:{s}}}" for s in view.waiting])
        return f"Pizzachef, setup: {who} choose {view.phase}"
    text = f"Pizzachef, turn of {{seat:{view.active}}}, actions left: {view.actions_left}"
    if view.queue:
        first = view.queue[0]
        what = f"{KIND_NAMES[first.topping]} rots" if first.kind == "rot" else "opens an order"
        text += f"; waiting for {{seat:{first.seat}}} ({what})"
    elif view.main == "draw":
        text += f"; choosing {view.draw_kind}"
    if view.trigger_seat is not None and not view.solo:
        text += "; final round"
    return text


def _market_line(view: PizzaView, stall: str) -> str:
    words = []
    for p in view.market:
        if p.slot[0] != stall:
            continue
        if not p.height:
            words.append(f"{p.slot} –")
            continue
        face = "bag" if p.face == "bag" else p.face
        mark = f" [{view.colours[p.reserved]}]" if p.reserved is not None else ""
        words.append(f"{p.slot} {face} {p.colour} ×{p.height}{mark}")
    return " | ".join(words)


def _player_line(view: PizzaView, seat: Seat) -> str:
    p = view.players[seat]
    words = [f"{p.score} coins", f"{p.markers} markers"]
    words.append(f"{p.missions} missions, {p.orders} orders, {p.chef} chef cards")
    words.append(f"toppings {shorts(p.tokens)}" if p.tokens else "no toppings")
    if p.open_orders:
        words.append(f"open {' '.join(_open(o) for o in p.open_orders)}")
    if not view.solo and p.marker == UNUSED:
        words.append("can reserve")
    text = f"{{seat:{seat}}} ({view.colours[seat]}): {'; '.join(words)}"
    if p.delivered:
        done = " ".join(f"{d.kinds}→{d.house}" for d in p.delivered)
        text += f". Delivered {done}"
    return text


def _open(order: str) -> str:
    card = ORDERS[order]
    return f"{order} {card.toppings} to {card.house} for {card.price}"


def board_text(view: PizzaView) -> str:
    """The whole view as text (1,800 characters at most)."""
    rows = [_state_line(view)]
    rows += [_market_line(view, stall) for stall in "ABCD"]
    houses = []
    for number, markers in enumerate(view.houses, 1):
        initials = "".join(view.colours[s][0].upper() for s in markers)
        houses.append(f"{number} {initials or '–'}")
    rows.append("Houses: " + ", ".join(houses))
    rows += [_player_line(view, seat) for seat in range(view.seats)]
    if view.delivery is not None:
        rows.append(_delivery_line(view))
    if view.pi:
        rows.append("Open for all (+3): " + ", ".join(CARDS[k].title for k in view.pi))
    if view.armed:
        rows.append("Armed: " + ", ".join(CARDS[k].title for k in view.armed))
    piles = dict(view.piles)
    rows.append(
        f"Piles: {piles['missions']} missions, {piles['orders']} orders, {piles['chef']} chef; "
        f"discarded toppings {sum(n for _, n in view.discard)}"
    )
    rows += [f"{{seat:{seat}}} final: {f.total} coins" for seat, f in enumerate(view.finals)]
    tail = f"{KEY}. ? choice, T+M double, G* premium, !B rotten"
    rows.append(tail)
    text = "\n".join(rows)
    return text if len(text) <= 1800 else text[:1799] + "…"


def _delivery_line(view: PizzaView) -> str:
    d = view.delivery
    if d is None:
        return ""
    parts = [short(kind) + (f"={stands}" if stands else "") for kind, stands in d.tokens]
    where = f"house {d.house}" if d.house else "no house yet"
    money = "wrong, no money" if d.wrong else f"{d.coins} coins" if d.ready else "not ready"
    return f"Delivering {_named(d.order)}: {where}, {' '.join(parts)} ({money})"


def alt(view: PizzaView) -> str:
    """Alternative text of the picture (1,024 characters at most)."""
    rows = [_state_line(view)]
    for seat in range(view.seats):
        p = view.players[seat]
        rows.append(
            f"{{seat:{seat}}} ({view.colours[seat]}): {p.score} coins, {8 - p.markers} pizzas, "
            f"toppings {shorts(p.tokens) or 'none'}"
        )
    tops = [f"{p.slot} {p.face} {p.colour}" for p in view.market if p.height]
    rows.append("Market: " + ", ".join(tops))
    rows.append(
        "Houses with pizzas: "
        + (
            ", ".join(
                f"{n} ({' '.join(view.colours[s] for s in markers)})"
                for n, markers in enumerate(view.houses, 1)
                if markers
            )
            or "none"
        )
    )
    text = "\n".join(rows)
    return text if len(text) <= 1024 else text[:1023] + "…"


# ---- the hand --------------------------------------------------------------------------------


def hand(view: PizzaView) -> Hand | None:
    """The viewer's own cards."""
    if view.viewer is None:
        return None
    lines = []
    if view.my_drawn:
        lines.append("Choosing from:")
        for card in view.my_drawn:
            lines.append(f"{'✔' if card in view.my_kept else '–'} {_card_label(card)}")
    for own in view.my_missions:
        done = "done" if own.have >= own.need else f"{own.have} of {own.need}"
        lines.append(f"Mission {mission_words(own.id)}: {done}")
    for order in view.my_orders:
        wild = order.lacking.count("?")
        lacks = order.lacking.replace("?", "")
        need = kinds_words(lacks) + (f"{' and ' if lacks else ''}{wild} more" if wild else "")
        state = f"needs {need}" if need else "ready"
        lines.append(f"Order {order_words(order.id)} – {state}{' (open)' if order.open else ''}")
    for held in view.my_chef:
        when = "playable" if held.ready else ("after an action" if view.solo else "from next turn")
        turn = "any turn" if CARDS[held.key].turn == "any" else "own turn"
        lines.append(f"Chef card {card_words(held.key)} ({turn}, {when})")
    if view.my_draft:
        key, picks = view.my_draft
        chosen = f": {type_list(picks)} chosen" if picks else ""
        lines.append(f"You are playing {CARDS[key].title}{chosen}.")
    n = len(view.my_missions), len(view.my_orders), len(view.my_chef)
    title = f"Your hand: {n[0]} missions, {n[1]} orders, {n[2]} chef cards"
    return Hand(title, _within(lines, _brief_lines(view)))


LIMIT = 1700
"""Characters of a hand's lines, a little less than may be posted."""


def _within(lines: list[str], brief: list[str]) -> tuple[str, ...]:
    """The lines, or the brief ones if there are too many words, cut if even those are too long."""
    if sum(map(len, lines)) + len(lines) <= LIMIT:
        return tuple(lines)
    kept: list[str] = []
    for line in brief:
        if sum(map(len, kept)) + len(kept) + len(line) > LIMIT:
            return (*kept, f"… and {len(brief) - len(kept)} more cards; the picture shows them all")
        kept.append(line)
    return tuple(kept)


def _brief_lines(view: PizzaView) -> list[str]:
    lines = []
    if view.my_drawn:
        chosen = [("✔" if c in view.my_kept else "") + _named(c) for c in view.my_drawn]
        lines.append(f"Choosing from: {', '.join(chosen)}")
    for own in view.my_missions:
        lines.append(f"{MISSIONS[own.id].text} ({MISSIONS[own.id].tip}): {own.have}/{own.need}")
    for order in view.my_orders:
        card = ORDERS[order.id]
        what = card.toppings or "TM+"
        lack = f"lacks {order.lacking}" if order.lacking else "ready"
        lines.append(f"{order.id} {what}→{card.house or 'any'} for {card.price}: {lack}")
    for held in view.my_chef:
        lines.append(f"{CARDS[held.key].title}{'' if held.ready else ' (not yet)'}")
    return lines
