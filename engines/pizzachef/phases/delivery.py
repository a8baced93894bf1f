"""Delivering a pizza (PZ-060 to PZ-081): announce, choose house and toppings, confirm."""

from __future__ import annotations

import msgspec

from engines.core.errors import IllegalMove
from engines.core.types import Event, Seat
from engines.pizzachef.components import (
    CARDS,
    CHEF_KEY,
    COINS,
    HOUSES,
    ICONS,
    KIND_NAMES,
    KINDS,
    ORDERS,
    TYPE,
    TYPE_RANK,
    ChefCard,
    Order,
    types_of,
)
from engines.pizzachef.missions import completed
from engines.pizzachef.moves import (
    AddTopping,
    CancelDelivery,
    ConfirmDelivery,
    RemoveTopping,
    SetHouse,
    StartDelivery,
)
from engines.pizzachef.names import kinds_words, type_words
from engines.pizzachef.payment import (
    BASE,
    base_of,
    fantasia_payable,
    fit,
    kinds_on,
    missing,
    preselect,
)
from engines.pizzachef.phases.gate import need_open, need_turn
from engines.pizzachef.phases.scoring import finish
from engines.pizzachef.state import Delivered, Delivery, Last, PizzaState

OWN_TURN = "You deliver only in your own turn."


# ---- announcing ------------------------------------------------------------------------------


def free_house(state: PizzaState, house: int) -> bool:
    """Whether a pizza icon of the house is free (PZ-065)."""
    return len(state.houses[house - 1]) < ICONS


def owner_of(state: PizzaState, seat: Seat, order: str) -> Seat | None:
    """Whose order the seat may deliver: an own one, or one laid face up by Open Order."""
    if order in state.orders[seat]:
        return seat
    return next((s for s in range(state.seats) if order in state.open_orders[s]), None)


def deliverable(state: PizzaState, seat: Seat) -> list[tuple[str, Seat]]:
    """Orders that the seat can announce now, with their owners."""
    if not state.markers_left(seat):
        return []
    tokens = state.tokens[seat]
    if not tokens or not any(len(markers) < ICONS for markers in state.houses):
        return []
    substitute = "substitute" in state.armed
    found = []
    for order in (*state.orders[seat], *state.open_orders[seat]):
        if payable(order, tokens, substitute):
            found.append((order, seat))
    for owner in range(state.seats):
        if owner != seat:
            found += [
                (order, owner)
                for order in state.open_orders[owner]
                if payable(order, tokens, substitute)
                and ("detour" in state.armed or free_house(state, ORDERS[order].house))
            ]
    return found


def payable(order: str, tokens: tuple[str, ...], substitute: bool) -> bool:
    """Whether the tokens suffice for the order."""
    if ORDERS[order].fantasia:
        return fantasia_payable(tokens, substitute)
    return not missing(ORDERS[order].toppings, tokens, substitute)


def is_wrong(state: PizzaState, order: Order, house: int) -> bool:
    """Whether bringing the order there is a wrong delivery (PZ-078); no house yet is not."""
    return bool(
        house and not order.fantasia and house != order.house and "detour" not in state.armed
    )


def proposed(state: PizzaState, seat: Seat, order: Order, owner: Seat, house: int) -> Delivery:
    """The announced delivery with the tokens of PZ-068."""
    chosen = preselect(
        BASE if order.fantasia else order.toppings,
        state.tokens[seat],
        wrong=is_wrong(state, order, house),
        substitute="substitute" in state.armed,
    )
    tokens, declared = chosen or ((), ())
    return Delivery(order.id, owner, house, tokens, declared if order.fantasia else ())


def start_delivery(state: PizzaState, seat: Seat, move: StartDelivery) -> list[Event]:
    """Show the order and propose house and tokens (PZ-062)."""
    need_open(state, seat, "PZ-061", OWN_TURN)
    if not state.markers_left(seat):
        raise IllegalMove("PZ-061", "You have no pizza marker left: all 8 are placed.")
    owner = owner_of(state, seat, move.order.upper())
    if owner is None:
        raise IllegalMove("PZ-060", "You have no such order, and no such order lies open.")
    order = ORDERS[move.order.upper()]
    substitute = "substitute" in state.armed
    tokens = state.tokens[seat]
    if not payable(order.id, tokens, substitute):
        if order.fantasia:
            raise IllegalMove(
                "PZ-071", "A Pizza Fantasia needs tomato sauce, mozzarella and 1 more topping."
            )
        lacking = missing(order.toppings, tokens, substitute)
        raise IllegalMove("PZ-060", f"For {order.title} you still need {kinds_words(lacking)}.")
    free = [h for h in range(1, HOUSES + 1) if free_house(state, h)]
    if owner != seat and "detour" not in state.armed and order.house not in free:
        raise IllegalMove("PZ-065", f"House {order.house} is full: it takes 4 pizzas.")
    if not free:
        raise IllegalMove("PZ-065", "All houses are full.")
    house = order.house if order.house in free else 0
    state.delivery = proposed(state, seat, order, owner, house)
    state.main = "delivery"
    state.last = Last("start_delivery", seat, house=house, card=order.id)
    return [Event("delivering", {"seat": seat, "order": order.id, "owner": owner, "house": house})]


# ---- changing house and tokens ---------------------------------------------------------------


def announced(state: PizzaState, seat: Seat) -> Delivery:
    """The seat's announced delivery.

    Raises:
        MoveError: there is none.
    """
    need_turn(state, seat, "PZ-061", OWN_TURN)
    if state.main != "delivery" or state.delivery is None:
        raise IllegalMove("PZ-129", "First announce which order you deliver.")
    return state.delivery


def houses_open(state: PizzaState, seat: Seat) -> list[int]:
    """Houses to which the announced pizza may go, without the one chosen."""
    d = state.delivery
    if d is None:
        return []
    order = ORDERS[d.order]
    anywhere = order.fantasia or d.owner == seat or "detour" in state.armed
    return [
        h
        for h in range(1, HOUSES + 1)
        if h != d.house and free_house(state, h) and (anywhere or h == order.house)
    ]


def set_house(state: PizzaState, seat: Seat, move: SetHouse) -> list[Event]:
    """Choose the house; a change between right and wrong proposes tokens anew (PZ-069)."""
    d = announced(state, seat)
    order = ORDERS[d.order]
    house = move.house
    if not 1 <= house <= HOUSES:
        raise IllegalMove("PZ-069", f"There are houses 1 to {HOUSES}.")
    if not free_house(state, house):
        raise IllegalMove("PZ-065", f"House {house} is full: it takes 4 pizzas.")
    if house == d.house:
        raise IllegalMove("PZ-069", f"House {house} is already chosen.")
    if house not in houses_open(state, seat):
        raise IllegalMove(
            "PZ-081",
            f"Only own orders may go to a wrong house; this one goes to house {order.house}.",
        )
    if is_wrong(state, order, house) != is_wrong(state, order, d.house):
        state.delivery = proposed(state, seat, order, d.owner, house)
    else:
        state.delivery = Delivery(d.order, d.owner, house, d.tokens, d.declared)
    wrong = is_wrong(state, order, house)
    state.last = Last("set_house", seat, house=house, card=order.id)
    return [Event("house", {"seat": seat, "house": house, "wrong": wrong})]


def additions(state: PizzaState, seat: Seat) -> list[tuple[str, str | None]]:
    """(type, kind it stands for) of every token that may be added."""
    d = state.delivery
    if d is None:
        return []
    rest = [t for t in state.tokens[seat] if t not in d.tokens and t[0] != "R"]
    fantasia = ORDERS[d.order].fantasia
    swap = fantasia and "substitute" in state.armed and not substituted(d)
    found: list[tuple[str, str | None]] = []
    for kind in types_of(rest):
        if fantasia and kind == "choice":
            found += [(kind, k) for k in KINDS]
            continue
        found.append((kind, None))
        if swap and len(kind) == 1:
            found += [(kind, k) for k in KINDS if k != kind]
    return found


def substituted(d: Delivery) -> str | None:
    """The plain token on a Fantasia that stands for another kind."""
    return next((t for t, _ in d.declared if len(TYPE[t]) == 1), None)


def add_topping(state: PizzaState, seat: Seat, move: AddTopping) -> list[Event]:
    """One more token on the pizza."""
    d = announced(state, seat)
    kind, stands = move.topping, move.counts_as
    if kind.startswith("rotten:"):
        raise IllegalMove("PZ-084", "A rotten bag is no topping; it cannot go on a pizza.")
    rest = [t for t in state.tokens[seat] if t not in d.tokens]
    if kind not in TYPE_RANK or all(TYPE[t] != kind for t in rest):
        raise IllegalMove("PZ-069", "You have no such topping left to add.")
    if (kind, stands) not in additions(state, seat):
        if ORDERS[d.order].fantasia and kind == "choice":
            raise IllegalMove("PZ-075", "Say which topping the choice bag stands for.", KIND_LIST)
        raise IllegalMove(
            "PZ-075",
            "That topping stands for itself. Only a choice bag on a Pizza Fantasia, or one plain "
            "topping with Substitute, stands for another kind.",
        )
    token = min(t for t in rest if TYPE[t] == kind)
    declared = d.declared if stands is None else (*d.declared, (token, stands))
    state.delivery = Delivery(
        d.order, d.owner, d.house, tuple(sorted((*d.tokens, token))), declared
    )
    return [Event("added", {"seat": seat, "topping": kind, "as": stands})]


KIND_LIST = tuple(KIND_NAMES.values())


def removals(state: PizzaState) -> list[tuple[str, str | None]]:
    """(type, kind it stands for) of every token that may be removed."""
    d = state.delivery
    if d is None:
        return []
    said = dict(d.declared)
    pairs = {(TYPE[t], said.get(t)) for t in d.tokens}
    return sorted(pairs, key=lambda p: (TYPE_RANK[p[0]], KINDS.index(p[1]) if p[1] else -1))


def remove_topping(state: PizzaState, seat: Seat, move: RemoveTopping) -> list[Event]:
    """A token comes off the pizza; without a kind named, the one with the lowest id."""
    d = announced(state, seat)
    said = dict(d.declared)
    fits = [t for t in d.tokens if TYPE[t] == move.topping]
    if move.counts_as is not None:
        fits = [t for t in fits if said.get(t) == move.counts_as]
    else:
        fits = [t for t in fits if t not in said] or fits
    if not fits:
        raise IllegalMove("PZ-069", "There is no such topping on this pizza.")
    token = min(fits)
    state.delivery = Delivery(
        d.order,
        d.owner,
        d.house,
        tuple(t for t in d.tokens if t != token),
        tuple(pair for pair in d.declared if pair[0] != token),
    )
    return [Event("removed", {"seat": seat, "topping": move.topping, "as": said.get(token)})]


def cancel_delivery(state: PizzaState, seat: Seat, move: CancelDelivery) -> list[Event]:
    """Nothing happens, except that all have seen the order."""
    d = announced(state, seat)
    state.delivery, state.main = None, "open"
    state.last = Last("cancel_delivery", seat, card=d.order)
    return [Event("cancelled", {"seat": seat, "order": d.order})]


# ---- delivering ------------------------------------------------------------------------------


def problem(state: PizzaState) -> tuple[str, str] | None:
    """(rule, sentence) of what keeps the announced delivery from being confirmed."""
    d = state.delivery
    if d is None:
        return "PZ-129", "First announce which order you deliver."
    if not d.house:
        return "PZ-069", "First choose a house."
    order = ORDERS[d.order]
    if order.fantasia:
        kinds = kinds_on(d.tokens, d.declared)
        if "T" not in kinds or "M" not in kinds or len(kinds) < 3:
            return (
                "PZ-071",
                "A Pizza Fantasia needs tomato sauce, mozzarella and 1 more topping.",
            )
        return None
    fault, detail = fit(order.toppings, d.tokens, "substitute" in state.armed)
    if fault == "missing":
        return "PZ-067", f"The pizza still lacks {kinds_words(detail)}."
    if fault == "superfluous":
        return (
            "PZ-067",
            f"One {type_words(TYPE[detail])} is superfluous: {order.title} has no use for it.",
        )
    return None


def pi_matches(card: ChefCard, house: int, kinds: str, fantasia: bool) -> bool:
    """Whether a delivery meets a Play immediately card (PZ-051)."""
    if card.rule == "house":
        return house == card.value
    if card.rule == "at_least":
        return len(kinds) >= card.value
    if card.rule == "with":
        return card.topping in kinds
    if card.rule == "without":
        return card.topping not in kinds
    return fantasia


def confirm_delivery(state: PizzaState, seat: Seat, move: ConfirmDelivery) -> list[Event]:
    """Tokens to the discard pile, marker on the house, coins to the score (PZ-062 to PZ-064)."""
    d = announced(state, seat)
    fault = problem(state)
    if fault is not None:
        raise IllegalMove(*fault)
    order = ORDERS[d.order]
    wrong = is_wrong(state, order, d.house)
    icon = len(state.houses[d.house - 1]) + 1
    bill = quote(state, d)
    coins = bill.coins
    state.armed = tuple(key for key in state.armed if key not in bill.used)

    owner = d.owner
    state.orders[owner] = tuple(o for o in state.orders[owner] if o != order.id)
    state.open_orders[owner] = tuple(o for o in state.open_orders[owner] if o != order.id)
    gone = base_of(d.tokens, d.declared) if order.fantasia else d.tokens
    on_card = tuple(t for t in d.tokens if t not in gone)
    state.tokens[seat] = tuple(t for t in state.tokens[seat] if t not in d.tokens)
    state.discard = (*state.discard, *gone)
    state.houses[d.house - 1] = (*state.houses[d.house - 1], seat)
    before = state.delivered[seat]
    pizza = Delivered(order.id, d.house, icon, bill.kinds, order.fantasia, wrong, coins, on_card)
    state.delivered[seat] = (*before, pizza)
    state.scores[seat] += coins
    state.pi = tuple(c for c in state.pi if c not in bill.paying)
    state.discards["chef"] = (*state.discards["chef"], *bill.paying)
    state.delivery, state.main = None, "open"
    state.last = Last(
        "delivered", seat, house=d.house, card=order.id, tokens=tuple(TYPE[t] for t in d.tokens)
    )
    events = [
        Event(
            "delivered",
            {
                "seat": seat, "order": order.id, "owner": owner, "house": d.house, "icon": icon,
                "kinds": bill.kinds, "wrong": wrong, "lines": bill.lines, "coins": coins,
                "score": state.scores[seat], "tokens": tuple(TYPE[t] for t in d.tokens),
            },
        )
    ]  # fmt: skip
    if state.solo:
        state.actions_left += COINS.solo_pizza
    first = not state.markers_left(seat) and state.trigger_seat is None
    if first:
        state.trigger_seat = seat
    events += [
        Event("mission_done", {"mission": m}, to=(seat,))
        for m in state.missions[seat]
        if completed(m, state.delivered[seat], state.trigger_seat == seat)
        and not completed(m, before, state.trigger_seat == seat and not first)
    ]
    if first:
        if state.solo:
            done = sum(completed(m, state.delivered[0], True) for m in state.missions[0])
            won = done >= COINS.solo_missions
            return events + finish(state, "solo_won" if won else "solo_missions")
        events.append(Event("final_round", {"seat": seat}))
    return events


class Bill(msgspec.Struct, frozen=True):
    """What an announced delivery would bring.

    Attributes:
        kinds: toppings that missions and Play immediately cards look at.
        lines: coins by source.
        paying: Play immediately cards that pay.
        used: armed cards that it uses up.
    """

    kinds: str
    lines: tuple[tuple[str, int], ...]
    paying: tuple[str, ...]
    used: tuple[str, ...]

    @property
    def coins(self) -> int:
        """All coins."""
        return sum(n for _, n in self.lines)


def quote(state: PizzaState, d: Delivery) -> Bill:
    """Price, speed bonus, premiums and cards of a delivery whose house is chosen (PZ-066)."""
    order = ORDERS[d.order]
    kinds = kinds_on(d.tokens, d.declared) if order.fantasia else order.toppings
    used = []
    if order.fantasia:
        if substituted(d):
            used.append("substitute")
    elif fit(order.toppings, d.tokens, "substitute" in state.armed) == ("", "S"):
        used.append("substitute")
    if is_wrong(state, order, d.house):
        return Bill(kinds, (), (), tuple(used))
    moped = "moped" in state.armed
    icon = min(ICONS, len(state.houses[d.house - 1]) + 1)
    lines = [
        ("price", len(kinds) if order.fantasia else order.price),
        ("speed bonus", COINS.speed[0 if moped else icon - 1]),
        ("premium", COINS.premium * sum(t[0] == "X" for t in d.tokens)),
    ]
    if moped:
        used.append("moped")
    if "regular_customer" in state.armed:
        used.append("regular_customer")
        lines.append((CARDS["regular_customer"].title, COINS.regular))
    if not order.fantasia and d.house != order.house:
        used.append("detour")
    paying = tuple(
        c for c in state.pi if pi_matches(CARDS[CHEF_KEY[c]], d.house, kinds, order.fantasia)
    )
    lines += [(CARDS[CHEF_KEY[c]].title, COINS.pi) for c in paying]
    return Bill(kinds, tuple(line for line in lines if line[1]), paying, tuple(used))
