"""Moves in command words: 19 subcommands, moves of one meaning share one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engines.core.errors import MalformedMove
from engines.core.surface import fold
from engines.core.types import Command, Move, Param, Phrase
from engines.papa_paolo import moves as m

COMMANDS = (
    Command(
        "keep",
        "Keep one of your two start tiles (2 players)",
        (Param("tile", "Number of the start tile"),),
    ),
    Command(
        "place",
        "Put a meeple on a market tile",
        (Param("cell", "Market cell such as r2c3"),),
    ),
    Command(
        "take",
        "Take the tile under your meeple into your neighbourhood",
        (
            Param("at", "Where it goes, as x,y from your start pizzeria at 0,0"),
            Param("rotation", "Clockwise turn in degrees"),
        ),
    ),
    Command("sponsor", "Seek a sponsor: take money for your Finance level"),
    Command(
        "buy",
        "Buy ingredients: pay for pizzas, then stock them",
        (Param("paid", "How many pizzas you pay for; free ones come on top"),),
    ),
    Command(
        "stock",
        "Put bought or free pizzas on one of your pizzerias",
        (Param("pizzeria", "Which pizzeria, by its place"), Param("count", "How many pizzas")),
    ),
    Command("express", "Pay £2 and deliver at once, whatever the distance"),
    Command(
        "build",
        "Build a pizzeria; two pizzas come with it",
        (Param("cost", "Which pizzeria, by its price"), Param("at", "Where it goes, as x,y")),
    ),
    Command("pass", "Do nothing: no action, no bid, no coin or no investment"),
    Command(
        "bid",
        "Put or move your meeple on the stairs",
        (
            Param("column", "Column of the stairs: the delivery tile you would get"),
            Param("row", "Row of the stairs, 1 is the lowest"),
        ),
    ),
    Command(
        "maximum",
        "Leave a private maximum that bids the cheapest space for you when you are outbid",
        (Param("limit", "Up to how many pounds; 0 cancels it"),),
    ),
    Command("coin", "Add a sealed coin to your bid (2 players)", (Param("value", "£1, £2 or £3"),)),
    Command(
        "claim",
        "Choose an investment tile or a side of the large one",
        (
            Param("colour", "Which colour"),
            Param("turned", "Orientation of the large tile (2 players, higher bid)", False),
        ),
    ),
    Command(
        "invest",
        "Keep or discard your investment tile",
        (Param("way", "Keep it for its track, or discard it for its effect"),),
    ),
    Command(
        "route",
        "Start a delivery route",
        (Param("pizzeria", "Which pizzeria it starts at, by its place"),),
    ),
    Command(
        "step",
        "Ride on to the next city tile and deliver there",
        (
            Param("direction", "N, E, S or W"),
            Param("pizzas", "How many pizzas you deliver there, 0 to ride through"),
        ),
    ),
    Command("end", "End the open delivery route"),
    Command("cancel", "Give up the open delivery route; its pizzas go back"),
    Command("finish", "Finish stocking or delivering"),
)

_NAMES: dict[type[Move], str] = {
    m.KeepStartTile: "keep",
    m.PlaceMeeple: "place",
    m.TakeTile: "take",
    m.SeekSponsor: "sponsor",
    m.BuyPizzas: "buy",
    m.Stock: "stock",
    m.Express: "express",
    m.BuildPizzeria: "build",
    m.NoAction: "pass",
    m.Bid: "bid",
    m.Withdraw: "pass",
    m.StandingBid: "maximum",
    m.PickInvestment: "claim",
    m.BuyInvestment: "claim",
    m.DeclineInvestment: "pass",
    m.CommitCoin: "coin",
    m.PassBid: "pass",
    m.ClaimLarge: "claim",
    m.ClaimFacing: "claim",
    m.InvestKeep: "invest",
    m.InvestDiscard: "invest",
    m.StartRoute: "route",
    m.Step: "step",
    m.EndRoute: "end",
    m.CancelRoute: "cancel",
    m.Finish: "finish",
}


def phrase(move: Move) -> Phrase:
    """A move in command words."""
    args: dict[str, str] = {}
    if isinstance(move, m.TakeTile):
        args = {"at": f"{move.x},{move.y}", "rotation": str(move.rotation)}
    elif isinstance(move, m.BuildPizzeria):
        args = {"cost": str(move.cost), "at": f"{move.x},{move.y}"}
    elif isinstance(move, (m.InvestKeep, m.InvestDiscard)):
        args = {"way": "keep" if isinstance(move, m.InvestKeep) else "discard"}
    else:
        args = {name: str(getattr(move, name)) for name in move.__struct_fields__}
    return Phrase(_NAMES[type(move)], args)


def _number(args: Mapping[str, str], name: str, default: str | None = None) -> int:
    word = args.get(name, default)
    if word is None:
        raise MalformedMove("", f"Say which {name} you mean.")
    plain = word.strip().lstrip("£+").rstrip("°").replace("−", "-").replace("–", "-")
    digits = plain[1:] if plain.startswith("-") else plain
    if not (digits.isascii() and digits.isdigit() and len(digits) < 6):
        raise MalformedMove("", f"“{word}” is no number for “{name}”.")
    return int(plain)


def _spot(args: Mapping[str, str], name: str) -> tuple[int, int]:
    word = args.get(name)
    if word is None:
        raise MalformedMove("", f"Say where, as x,y in “{name}”.")
    parts = word.strip("() ").replace(",", " ").replace("/", " ").replace(";", " ").split()
    if len(parts) != 2:
        raise MalformedMove("", f"“{word}” is no place: write x,y such as 1,-1.")
    return _number({"x": parts[0]}, "x"), _number({"y": parts[1]}, "y")


def _word(args: Mapping[str, str], name: str) -> str:
    word = args.get(name)
    if word is None:
        raise MalformedMove("", f"Say which {name} you mean.")
    return fold(word)


def _take(args: Mapping[str, str]) -> Move:
    x, y = _spot(args, "at")
    return m.TakeTile(x, y, _number(args, "rotation", "0"))


def _build(args: Mapping[str, str]) -> Move:
    x, y = _spot(args, "at")
    return m.BuildPizzeria(_number(args, "cost"), x, y)


def _oven(args: Mapping[str, str]) -> str:
    x, y = _spot(args, "pizzeria")
    return f"{x},{y}"


def _claim(args: Mapping[str, str]) -> Move:
    colour = _word(args, "colour")
    if args.get("turned"):
        return m.ClaimLarge(colour, _word(args, "turned"))
    return m.PickInvestment(colour)


def _invest(args: Mapping[str, str]) -> Move:
    way = _word(args, "way")
    if way not in ("keep", "discard"):
        raise MalformedMove("", "Say keep or discard.")
    return m.InvestKeep() if way == "keep" else m.InvestDiscard()


def _step(args: Mapping[str, str]) -> Move:
    side = _word(args, "direction")[:1].upper()
    return m.Step(side, _number(args, "pizzas", "0"))


_PARSERS: dict[str, Callable[[Mapping[str, str]], Move]] = {
    "keep": lambda a: m.KeepStartTile(_number(a, "tile")),
    "place": lambda a: m.PlaceMeeple(_word(a, "cell").replace(" ", "")),
    "take": _take,
    "sponsor": lambda a: m.SeekSponsor(),
    "buy": lambda a: m.BuyPizzas(_number(a, "paid")),
    "stock": lambda a: m.Stock(_oven(a), _number(a, "count")),
    "express": lambda a: m.Express(),
    "build": _build,
    "pass": lambda a: m.NoAction(),
    "bid": lambda a: m.Bid(_number(a, "column"), _number(a, "row")),
    "maximum": lambda a: m.StandingBid(_number(a, "limit")),
    "coin": lambda a: m.CommitCoin(_number(a, "value")),
    "claim": _claim,
    "invest": _invest,
    "route": lambda a: m.StartRoute(_oven(a)),
    "step": _step,
    "end": lambda a: m.EndRoute(),
    "cancel": lambda a: m.CancelRoute(),
    "finish": lambda a: m.Finish(),
}


def parse(command: str, args: Mapping[str, str]) -> Move:
    """The move that the words mean; where several kinds share a command, one of them, so that the
    engine can refuse it by the rule of the moment.

    Raises:
        MalformedMove: the words fit no move.
    """
    maker = _PARSERS.get(command)
    if maker is None:
        raise MalformedMove("", f"There is no move called “{command}” in Papà Paolo.")
    known = next(c for c in COMMANDS if c.name == command)
    extra = sorted(set(args) - {p.name for p in known.params})
    if extra:
        raise MalformedMove("", f"“{extra[0]}” is no option of “{command}”.")
    return maker(args)
