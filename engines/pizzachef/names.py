"""Names of toppings, cards and places for sentences."""

from __future__ import annotations

from collections.abc import Sequence

from engines.core.types import listing
from engines.pizzachef.components import CARDS, KIND_NAMES, MISSIONS, ORDERS, TYPE_RANK


def kinds_words(kinds: str) -> str:
    """Toppings for a sentence: ``2 olives and basil``."""
    words = []
    for kind in dict.fromkeys(kinds):
        n = kinds.count(kind)
        words.append(KIND_NAMES[kind] if n == 1 else f"{n} × {KIND_NAMES[kind]}")
    return listing(words)


def type_words(kind: str) -> str:
    """A token type for a sentence.

    >>> type_words("double:TM"), type_words("premium:G"), type_words("B")
    ('double bag (tomato sauce + mozzarella)', 'premium Parmesan', 'basil')
    """
    head, _, tail = kind.partition(":")
    if head == "choice":
        return "choice bag"
    if head == "double":
        return f"double bag ({' + '.join(KIND_NAMES[k] for k in tail)})"
    if head in ("premium", "rotten"):
        return f"{head} {KIND_NAMES[tail]}"
    return KIND_NAMES.get(kind, kind)


def type_list(types: Sequence[str]) -> str:
    """Tokens for a sentence, equal ones counted.

    >>> type_list(["B", "T", "T", "rotten:H"])
    '2 × tomato sauce, basil and rotten ham'
    """
    words = []
    for kind in sorted(dict.fromkeys(types), key=TYPE_RANK.__getitem__):
        n = types.count(kind)
        words.append(type_words(kind) if n == 1 else f"{n} × {type_words(kind)}")
    return listing(words)


def short(kind: str) -> str:
    """A token type as a code for crowded lines.

    >>> short("T"), short("choice"), short("double:TM"), short("premium:G"), short("rotten:B")
    ('T', '?', 'T+M', 'G*', '!B')
    """
    head, _, tail = kind.partition(":")
    if head == "choice":
        return "?"
    if head == "double":
        return f"{tail[0]}+{tail[1]}"
    return {"premium": f"{tail}*", "rotten": f"!{tail}"}.get(head, kind)


def shorts(types: Sequence[str]) -> str:
    """Tokens as codes, equal ones counted.

    >>> shorts(["T", "T", "B", "rotten:H"])
    '2T B !H'
    """
    words = []
    for kind in sorted(dict.fromkeys(types), key=TYPE_RANK.__getitem__):
        n = types.count(kind)
        words.append(short(kind) if n == 1 else f"{n}{short(kind)}")
    return " ".join(words)


def order_words(order: str) -> str:
    """An order with all that is printed on it."""
    card = ORDERS[order]
    if card.fantasia:
        return (
            f"{order} · {card.title}: tomato sauce, mozzarella + 1 or more; any house, 1 coin each"
        )
    return f"{order} · {card.title}, house {card.house}, {card.price} coins: {card.toppings}"


def mission_words(mission: str) -> str:
    """A mission with its tip."""
    card = MISSIONS[mission]
    return f"{mission} · {card.text} ({card.tip} coins)"


def card_words(key: str) -> str:
    """A chef card with its text."""
    return f"{CARDS[key].title}: {CARDS[key].text}"


def kinds_spelled(kinds: str) -> str:
    """Toppings spelled out with commas."""
    return ", ".join(KIND_NAMES[k] for k in kinds)
