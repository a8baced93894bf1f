"""How far a mission is (PZ-106, dossier 3.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from engines.pizzachef.components import MISSIONS, Mission
from engines.pizzachef.state import Delivered

Pizzas = Sequence[Delivered]


def _stack(m: Mission, pizzas: Pizzas) -> int:
    at = Counter(d.house for d in pizzas)
    if m.need == 1:
        return min(m.size, max(at.values(), default=0))
    return sum(n >= m.size for n in at.values())


_COUNTS: dict[str, Callable[[Mission, Pizzas], int]] = {
    "stack": _stack,
    "different": lambda m, ds: len({d.house for d in ds}),
    "odd": lambda m, ds: sum(d.house % 2 == 1 for d in ds),
    "even": lambda m, ds: sum(d.house % 2 == 0 for d in ds),
    "visit": lambda m, ds: len({d.house for d in ds}.intersection(m.houses)),
    "with": lambda m, ds: sum(m.topping in d.kinds for d in ds),
    "without": lambda m, ds: sum(m.topping not in d.kinds for d in ds),
    "at_most": lambda m, ds: sum(len(d.kinds) <= m.size for d in ds),
    "at_least": lambda m, ds: sum(len(d.kinds) >= m.size for d in ds),
    "fantasia": lambda m, ds: sum(d.fantasia and len(d.kinds) >= m.size for d in ds),
    "first_there": lambda m, ds: sum(d.icon == 1 for d in ds),
}


def goal(mission: str) -> int:
    """How many of what the mission counts are needed."""
    m = MISSIONS[mission]
    if m.rule == "stack" and m.need == 1:
        return m.size
    return len(m.houses) if m.rule == "visit" else m.need


def progress(mission: str, pizzas: Pizzas, triggered: bool) -> int:
    """How many of them there are, at most the goal.

    Args:
        mission: its card.
        pizzas: its holder's delivered pizzas.
        triggered: the holder was the first to place the 8th marker.
    """
    m = MISSIONS[mission]
    if m.rule == "first_done":
        return int(triggered)
    return min(goal(mission), _COUNTS[m.rule](m, pizzas))


def completed(mission: str, pizzas: Pizzas, triggered: bool) -> bool:
    """Whether the mission is completed."""
    return progress(mission, pizzas, triggered) >= goal(mission)
