"""Orders, missions, chef cards, toppings and coins (dossier part 3).

Everything is read once from ``data/*.toml``, checked against the dossier's checksums and offered as
plain tables. Tokens are named by ids such as ``T01`` or ``DTM``; players name them by type: ``T``,
``premium:M``, ``double:TM``, ``choice``, ``rotten:B``.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from engines.core.data import Table, load
from engines.core.errors import InvariantError


class _Constants(Table):
    houses: int
    speed: tuple[int, ...]
    stacking: tuple[int, ...]
    premium: int
    pi: int
    regular: int
    loss_mission: int
    loss_order: int
    loss_topping: int
    markers: int
    hand: int
    solo_hand: int
    draw: int
    solo_actions: int
    solo_pizza: int
    solo_missions: int


class _Kind(Table):
    code: str
    name: str
    short: str
    count: int


class _Board(Table):
    provenance: dict[str, str]
    constants: _Constants
    kind: tuple[_Kind, ...]
    bags: dict[str, dict[str, str]]


class _Order(Table):
    id: str
    name: str
    house: int
    toppings: str
    price: int
    source: str
    fantasia: bool = False


class _Orders(Table):
    provenance: dict[str, str]
    order: tuple[_Order, ...]


class _Mission(Table):
    id: str
    text: str
    tip: int
    rule: str
    source: str
    need: int = 1
    size: int = 0
    topping: str = ""
    houses: tuple[int, ...] = ()
    striped: bool = False


class _Missions(Table):
    provenance: dict[str, str]
    mission: tuple[_Mission, ...]


class _Chef(Table):
    key: str
    ids: tuple[str, ...]
    turn: str
    title: str
    text: str
    yellow: bool = False
    rule: str = ""
    value: int = 0
    topping: str = ""


class _Chefs(Table):
    provenance: dict[str, str]
    card: tuple[_Chef, ...]


class Order(msgspec.Struct, frozen=True):
    """An order card. A Pizza Fantasia has house 0, no printed toppings and price 0."""

    id: str
    name: str
    house: int
    toppings: str
    price: int
    fantasia: bool

    @property
    def title(self) -> str:
        """Its full name: ``Pizza ai funghi``."""
        return f"Pizza {self.name}"


class Mission(msgspec.Struct, frozen=True):
    """A mission card and the values of its condition (see ``missions.py``)."""

    id: str
    text: str
    tip: int
    rule: str
    need: int
    size: int
    topping: str
    houses: tuple[int, ...]
    striped: bool


class ChefCard(msgspec.Struct, frozen=True):
    """A kind of chef card; ``turn`` is any, own or pi (“Play immediately”)."""

    key: str
    ids: tuple[str, ...]
    turn: str
    yellow: bool
    title: str
    text: str
    rule: str
    value: int
    topping: str


_board = load(__package__, "board.toml", _Board)
_orders = load(__package__, "orders.toml", _Orders)
_missions = load(__package__, "missions.toml", _Missions)
_chefs = load(__package__, "chef.toml", _Chefs)

COINS = _board.constants
"""Numbers of the board, the score card and the solo challenge."""

PROVENANCE = {
    "board": _board.provenance,
    "orders": _orders.provenance,
    "missions": _missions.provenance,
    "chef": _chefs.provenance,
}
"""Where each table comes from."""

HOUSES = COINS.houses
ICONS = len(COINS.speed)
MARKERS = COINS.markers
DRAW = COINS.draw

KINDS = "".join(k.code for k in _board.kind)
"""The 8 kinds in their order, T M H P F O G B."""

KIND_NAMES = {k.code: k.name for k in _board.kind}
KIND_SHORT = {k.code: k.short for k in _board.kind}

ORDERS = {
    r.id: Order(r.id, r.name, r.house, r.toppings, r.price, r.fantasia) for r in _orders.order
}
FANTASIAS = tuple(o.id for o in ORDERS.values() if o.fantasia)
REGULAR = tuple(o.id for o in ORDERS.values() if not o.fantasia)

MISSIONS = {
    r.id: Mission(r.id, r.text, r.tip, r.rule, r.need, r.size, r.topping, r.houses, r.striped)
    for r in _missions.mission
}

CARDS = {
    r.key: ChefCard(r.key, r.ids, r.turn, r.yellow, r.title, r.text, r.rule, r.value, r.topping)
    for r in _chefs.card
}
CHEF_KEY = {card_id: card.key for card in CARDS.values() for card_id in card.ids}
"""Key of each of the 27 chef cards."""

CHEF = tuple(sorted(CHEF_KEY))
IS_PI = {card_id: CARDS[key].turn == "pi" for card_id, key in CHEF_KEY.items()}

STALLS = "ABCD"
SLOTS = tuple(f"{stall}{n}" for stall in STALLS for n in (1, 2, 3))
SLOT_INDEX = {slot: i for i, slot in enumerate(SLOTS)}
COLOURS = ("red", "green")


def _tokens() -> tuple[dict[str, str], dict[str, str]]:
    types: dict[str, str] = {}
    colours: dict[str, str] = {}
    for kind in _board.kind:
        for n in range(1, kind.count + 1):
            token = f"{kind.code}{n:02}"
            types[token] = kind.code
            colours[token] = "red" if n % 2 else "green"
    for colour, bags in _board.bags.items():
        for token, kind_of_bag in bags.items():
            types[token] = kind_of_bag
            colours[token] = colour
    order = sorted(types)
    return {t: types[t] for t in order}, {t: colours[t] for t in order}


TYPE, COLOUR = _tokens()
"""Type and background of each of the 99 tokens, in order of their ids."""

TOKENS = tuple(TYPE)


def _type_order() -> tuple[str, ...]:
    rank = {"choice": 1, "double": 2, "premium": 3, "rotten": 4}

    def key(kind: str) -> tuple[int, tuple[int, ...]]:
        head, _, tail = kind.partition(":")
        if len(head) == 1:
            return 0, (KINDS.index(head),)
        return rank[head], tuple(KINDS.index(c) for c in tail)

    return tuple(sorted(dict.fromkeys(TYPE.values()), key=key))


TYPES = _type_order()
"""All types in the order of lists: plain ones, choice, doubles, premiums, rotten."""

TYPE_RANK = {kind: i for i, kind in enumerate(TYPES)}
ROTTEN = {kind: f"R{kind}" for kind in KINDS if f"R{kind}" in TYPE}
"""The rotten bag of each kind that has one."""


def is_bag(token: str) -> bool:
    """Whether the token is a mystery bag."""
    return len(TYPE[token]) > 1


def is_rotten(token: str) -> bool:
    """Whether the token is a bag with a rotten topping."""
    return token[0] == "R"


def halves(kind: str) -> str:
    """What a token of that type puts on a pizza; empty for choice (undecided) and rotten.

    >>> halves("double:TM"), halves("premium:G"), halves("T"), halves("choice")
    ('TM', 'G', 'T', '')
    """
    head, _, tail = kind.partition(":")
    if head in ("choice", "rotten"):
        return ""
    return tail or head


def types_of(tokens: tuple[str, ...] | list[str]) -> list[str]:
    """The different types among tokens, in the order of lists."""
    return list(_types_of(tuple(tokens)))


@lru_cache(maxsize=4096)
def _types_of(tokens: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({TYPE[t] for t in tokens}, key=TYPE_RANK.__getitem__))


def lowest(tokens: tuple[str, ...] | list[str], kind: str) -> str | None:
    """The token of that type with the lowest id (PZ-009), if there is one."""
    return min((t for t in tokens if TYPE[t] == kind), default=None)


def _check() -> None:
    prices = [ORDERS[o].price for o in REGULAR]
    printed = "".join(ORDERS[o].toppings for o in REGULAR)
    tips = [m.tip for m in MISSIONS.values()]
    standard = [t for t in TOKENS if not is_bag(t)]
    sound = (
        len(REGULAR) == 40
        and len(FANTASIAS) == 4
        and all(sum(ORDERS[o].house == h for o in REGULAR) == ICONS for h in range(1, HOUSES + 1))
        and len({"".join(sorted(ORDERS[o].toppings)) for o in REGULAR}) == 40
        and [prices.count(p) for p in range(3, 8)] == [3, 10, 13, 9, 5]
        and [printed.count(k) for k in KINDS] == [32, 37, 15, 14, 14, 15, 18, 18]
        and len(MISSIONS) == 26
        and [tips.count(t) for t in range(5, 11)] == [7, 6, 6, 3, 2, 2]
        and sum(m.striped for m in MISSIONS.values()) == 1
        and len(CHEF) == 27
        and sum(IS_PI.values()) == 6
        and sum(CARDS[CHEF_KEY[c]].yellow for c in CHEF) == 7
        and len(TOKENS) == 99
        and len(standard) == 80
        and sum(COLOUR[t] == "red" for t in TOKENS) == 50
    )
    if not sound:
        raise InvariantError("the tables of Pizzachef break the checksums of the dossier (3.7)")


_check()
