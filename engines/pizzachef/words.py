"""Command words: 26 kinds of moves in 16 subcommands, without losing any."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engines.core.errors import MalformedMove
from engines.core.surface import fold
from engines.core.types import Command, Move, Param, Phrase
from engines.pizzachef import moves as m
from engines.pizzachef.components import (
    COLOURS,
    HOUSES,
    KIND_NAMES,
    MISSIONS,
    ORDERS,
    SLOTS,
    STALLS,
    TYPE_RANK,
)
from engines.pizzachef.names import type_words

COMMANDS = (
    Command(
        "take",
        "Take missions, orders, a chef card or toppings (1 action)",
        (Param("what", "Cards, or a stall and a colour such as A red"),),
    ),
    Command(
        "keep",
        "Keep one of the cards drawn, or put it back",
        (Param("card", "Which of the cards drawn"), Param("keep", "yes or no")),
    ),
    Command("done", "Finish choosing: keep the chosen cards, discard the others"),
    Command(
        "deliver",
        "Announce a delivery; then choose house and toppings, and confirm",
        (Param("order", "Which order"),),
    ),
    Command("house", "Choose the house of your delivery", (Param("house", "House number"),)),
    Command(
        "topping",
        "Put a topping on the pizza you deliver, or take it off",
        (
            Param("do", "add or remove"),
            Param("topping", "Which topping or bag"),
            Param("as", "What a choice bag or substitute stands for", False),
        ),
    ),
    Command("confirm", "Deliver the pizza as it is now"),
    Command(
        "cancel",
        "Call off the delivery, or keep the chef card you are playing",
        (Param("what", "delivery or card", False),),
    ),
    Command(
        "discard",
        "Discard an order or a topping (1 action) or a mission (2 actions, ends the turn)",
        (Param("what", "Which order, topping or mission"),),
    ),
    Command("end", "End your turn"),
    Command(
        "card",
        "Play a chef card, also off-turn where it allows that",
        (Param("card", "Which chef card"),),
    ),
    Command(
        "target",
        "Choose a target of the chef card you are playing",
        (Param("target", "Topping, place or player; “enough” plays Bin with one topping"),),
    ),
    Command(
        "reserve",
        "Off-turn, once a game: reserve a topping of the market until your turn",
        (Param("slot", "Which stack of the market"),),
    ),
    Command(
        "rot",
        "Toppings rot: keep the mystery bag or discard it too",
        (Param("bag", "keep or discard"),),
    ),
    Command("reveal", "Lay one of your orders face up", (Param("order", "Which order"),)),
    Command("giveup", "Give the solo challenge up"),
)
"""In the order in which a picker lists them."""

ENOUGH = "enough"

_SIMPLE: dict[str, type[Move]] = {
    "done": m.FinishDraw,
    "confirm": m.ConfirmDelivery,
    "end": m.EndTurn,
    "giveup": m.GiveUp,
}
_TAKES: dict[str, type[Move]] = {
    "missions": m.TakeMissions,
    "orders": m.TakeOrders,
    "chef": m.TakeChef,
}


def phrase(move: Move) -> Phrase:
    """A move in command words."""
    for name, kind in _SIMPLE.items():
        if isinstance(move, kind):
            return Phrase(name, {})
    for name, kind in _TAKES.items():
        if isinstance(move, kind):
            return Phrase("take", {"what": name})
    match move:
        case m.KeepCard():
            return Phrase("keep", {"card": move.card, "keep": "yes"})
        case m.UnkeepCard():
            return Phrase("keep", {"card": move.card, "keep": "no"})
        case m.TakeToppings():
            return Phrase("take", {"what": f"{move.stall}-{move.colour}"})
        case m.DiscardOrder():
            return Phrase("discard", {"what": move.order})
        case m.DiscardTopping():
            return Phrase("discard", {"what": move.topping})
        case m.DiscardMission():
            return Phrase("discard", {"what": move.mission})
        case m.StartDelivery():
            return Phrase("deliver", {"order": move.order})
        case m.SetHouse():
            return Phrase("house", {"house": str(move.house)})
        case m.AddTopping() | m.RemoveTopping():
            do = "add" if isinstance(move, m.AddTopping) else "remove"
            args = {"do": do, "topping": move.topping}
            return Phrase("topping", args | ({"as": move.counts_as} if move.counts_as else {}))
        case m.CancelDelivery():
            return Phrase("cancel", {"what": "delivery"})
        case m.CardCancel():
            return Phrase("cancel", {"what": "card"})
        case m.PlayChef():
            return Phrase("card", {"card": move.card})
        case m.CardPick():
            return Phrase("target", {"target": _target(move)})
        case m.CardFinish():
            return Phrase("target", {"target": ENOUGH})
        case m.Reserve():
            return Phrase("reserve", {"slot": move.slot})
        case m.RotKeep():
            return Phrase("rot", {"bag": "keep"})
        case m.RotDiscard():
            return Phrase("rot", {"bag": "discard"})
        case m.RevealOrder():
            return Phrase("reveal", {"order": move.order})
    return Phrase(move.kind, {})


def _target(move: m.CardPick) -> str:
    if move.player is not None:
        return f"{move.player}/{move.topping}" if move.topping else move.player
    if move.stall is not None:
        return f"stall-{move.stall}"
    return move.slot or move.topping or ""


def topping_type(word: str) -> str:
    """The token type that a word means: a type, a code or a name.

    >>> topping_type("premium:G"), topping_type("Basil"), topping_type("choice bag")
    ('premium:G', 'B', 'choice')
    """
    folded = fold(word)
    for kind in TYPE_RANK:
        if folded in (fold(kind), fold(type_words(kind))):
            return kind
    return word.strip()


def topping_kind(word: str) -> str:
    """The kind that a word means: its letter or its name."""
    folded = fold(word)
    for kind, name in KIND_NAMES.items():
        if folded in (fold(kind), fold(name)):
            return kind
    return word.strip()


def _take(args: Mapping[str, str]) -> Move:
    word = fold(args["what"]).replace("-", " ")
    names = {
        "mission": "missions", "order": "orders", "chef card": "chef", "chef cards": "chef",
    }  # fmt: skip
    kind = _TAKES.get(names.get(word, word))
    if kind is not None:
        return kind()
    parts = [p for p in word.replace("stall", " ").split() if p not in ("the", "from")]
    stall = next((p.upper() for p in parts if p.upper() in tuple(STALLS)), "")
    colour = next((p for p in parts if p in COLOURS), "")
    if not stall or not colour:
        raise MalformedMove(
            "", "Say what to take: missions, orders, chef, or a stall and a colour such as A red."
        )
    return m.TakeToppings(stall, colour)


def _discard(args: Mapping[str, str]) -> Move:
    word = args["what"].strip()
    if word.upper() in ORDERS:
        return m.DiscardOrder(word.upper())
    if word.upper() in MISSIONS:
        return m.DiscardMission(word.upper())
    return m.DiscardTopping(topping_type(word))


def _house(args: Mapping[str, str]) -> Move:
    word = args["house"].strip()
    if not (word.isascii() and word.isdigit() and len(word) < 4):
        raise MalformedMove("", f"A house is a number from 1 to {HOUSES}.")
    return m.SetHouse(int(word))


def _topping(args: Mapping[str, str]) -> Move:
    do = fold(args["do"])
    kind = topping_type(args["topping"])
    stands = topping_kind(args["as"]) if args.get("as") else None
    if do == "add":
        return m.AddTopping(kind, stands)
    if do == "remove":
        return m.RemoveTopping(kind, stands)
    raise MalformedMove("", "Say add or remove.")


def _yes(args: Mapping[str, str], param: str, yes: str, no: str) -> bool:
    word = fold(args.get(param) or yes)
    if word not in (yes, no):
        raise MalformedMove("", f"Say {yes} or {no}.")
    return word == yes


def _pick(args: Mapping[str, str]) -> Move:
    word = args["target"].strip()
    head, slash, tail = word.partition("/")
    if fold(word) == ENOUGH:
        return m.CardFinish()
    if slash:
        return m.CardPick(player=fold(head), topping=topping_type(tail))
    stall = fold(word).removeprefix("stall").strip("- ").upper()
    if fold(word).startswith("stall") and stall in tuple(STALLS):
        return m.CardPick(stall=stall)
    if word.upper() in SLOTS:
        return m.CardPick(slot=word.upper())
    kind = topping_type(word)
    return m.CardPick(topping=kind) if kind in TYPE_RANK else m.CardPick(player=fold(word))


_PARSERS: dict[str, Callable[[Mapping[str, str]], Move]] = {
    "take": _take,
    "keep": lambda a: (
        m.KeepCard(a["card"].strip().upper())
        if _yes(a, "keep", "yes", "no")
        else m.UnkeepCard(a["card"].strip().upper())
    ),
    "deliver": lambda a: m.StartDelivery(a["order"].strip().upper()),
    "house": _house,
    "topping": _topping,
    "cancel": lambda a: (
        m.CancelDelivery() if _yes(a, "what", "delivery", "card") else m.CardCancel()
    ),
    "discard": _discard,
    "card": lambda a: m.PlayChef(fold(a["card"]).replace(" ", "_")),
    "target": _pick,
    "reserve": lambda a: m.Reserve(a["slot"].strip().upper()),
    "rot": lambda a: m.RotKeep() if _yes(a, "bag", "keep", "discard") else m.RotDiscard(),
    "reveal": lambda a: m.RevealOrder(a["order"].strip().upper()),
}


def parse(command: str, args: Mapping[str, str]) -> Move:
    """The move that the words mean, legal or not.

    Raises:
        MalformedMove: they fit no move.
    """
    known = next((c for c in COMMANDS if c.name == command), None)
    if known is None:
        raise MalformedMove("", f"There is no move called “{command}” in Pizzachef.")
    names = {p.name for p in known.params}
    for name in args:
        if name not in names:
            raise MalformedMove("", f"“{name}” is no option of “{command}”.")
    for param in known.params:
        if param.required and not args.get(param.name):
            raise MalformedMove("", f"“{command}” needs “{param.name}”: {param.description}.")
    if command in _SIMPLE:
        return _SIMPLE[command]()
    return _PARSERS[command](args)
