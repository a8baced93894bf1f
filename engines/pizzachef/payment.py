"""Which tokens pay for which pizza (PZ-060, PZ-067, PZ-068, PZ-071, PZ-077)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

from engines.pizzachef.components import KINDS, TYPE, halves

Declared = tuple[tuple[str, str], ...]

BASE = "TM"
"""What every Pizza Fantasia needs besides one more topping (PZ-071)."""


@lru_cache(maxsize=4096)
def _stock(tokens: tuple[str, ...]) -> tuple[dict[str, int], dict[str, int], int]:
    """Of each kind what plain, premium and double tokens offer; of each the plain ones; bags of
    choice."""
    offer: dict[str, int] = {}
    plain: dict[str, int] = {}
    choice = 0
    for token in tokens:
        if token in ("C1", "C2", "C3", "C4", "C5"):
            choice += 1
            continue
        kind = TYPE[token]
        if len(kind) == 1:
            plain[kind] = plain.get(kind, 0) + 1
        for half in halves(kind):
            offer[half] = offer.get(half, 0) + 1
    return offer, plain, choice


@lru_cache(maxsize=16384)
def missing(recipe: str, tokens: tuple[str, ...], substitute: bool = False) -> str:
    """What the tokens cannot supply of a recipe; empty = payable.

    A topping that a choice bag or the substitute supplies is not missing; the last ones in the
    recipe are those named.
    """
    offer, plain, choice = _stock(tokens)
    lacking = ""
    for kind in dict.fromkeys(recipe):
        lacking += kind * max(0, recipe.count(kind) - offer.get(kind, 0))
    if len(lacking) <= choice:
        return ""
    if substitute and any(offer[k] > recipe.count(k) for k in plain):
        choice += 1
    return lacking[choice:]


def size_of(tokens: Sequence[str]) -> int:
    """Toppings that the tokens make on a Fantasia: doubles count twice, rotten bags nothing."""
    return sum(2 if t[0] == "D" else t[0] != "R" for t in tokens)


def fantasia_payable(tokens: tuple[str, ...], substitute: bool = False) -> bool:
    """Whether tomato sauce, mozzarella and one more topping are owned."""
    return size_of(tokens) >= 3 and not missing(BASE, tokens, substitute)


class _Best:
    """The best set found so far by the order of PZ-068."""

    def __init__(self, wrong: bool) -> None:
        self.wrong = wrong
        self.key: tuple[int, int, int, int, int, list[str]] | None = None
        self.declared: Declared = ()

    def offer(
        self, used: list[str], declared: Declared, substituted: int, choices: int, lost: int
    ) -> None:
        premiums = sum(t[0] == "X" for t in used)
        doubles = sum(t[0] == "D" for t in used)
        key = (
            substituted, choices, premiums if self.wrong else -premiums, doubles, lost, sorted(used)
        )  # fmt: skip
        if self.key is None or key < self.key:
            self.key = key
            self.declared = declared


@lru_cache(maxsize=2048)
def preselect(
    recipe: str, tokens: tuple[str, ...], *, wrong: bool = False, substitute: bool = False
) -> tuple[tuple[str, ...], Declared] | None:
    """The tokens proposed for a recipe, and what choice bags and a substitute stand for.

    Args:
        recipe: toppings to fill, each exactly once.
        tokens: the player's.
        wrong: for a delivery to a wrong house premium tokens are spared.
        substitute: one plain token may stand for any other kind.

    Returns:
        None if the tokens do not suffice.
    """
    if missing(recipe, tokens, substitute):
        return None
    need = {k: recipe.count(k) for k in KINDS}
    plain = {k: sorted(t for t in tokens if TYPE[t] == k) for k in KINDS}
    choices = sorted(t for t in tokens if TYPE[t] == "choice")
    best = _Best(wrong)
    extras: list[list[tuple[str, str]]] = []
    for token in sorted(tokens):
        kinds = "".join(k for k in halves(TYPE[token]) if need[k])
        if token[0] == "X" and kinds:
            extras.append([("", ""), (token, kinds)])
        elif token[0] == "D" and kinds:
            options = [("", "")] + [(token, k) for k in kinds]
            extras.append(options + ([(token, kinds)] if len(kinds) == 2 else []))
    for picked in product(*extras):
        left = dict(need)
        used: list[str] = []
        lost = 0
        for token, kinds in picked:
            if token:
                used.append(token)
                lost += (token[0] == "D") * (2 - len(kinds))
                for k in kinds:
                    left[k] -= 1
        if min(left.values()) < 0:
            continue
        spare: list[str] = []
        open_kinds = ""
        for k in KINDS:
            n = min(left[k], len(plain[k]))
            used += plain[k][:n]
            spare += plain[k][n : n + 1]
            open_kinds += k * (left[k] - n)
        if len(open_kinds) <= len(choices):
            taken = choices[: len(open_kinds)]
            best.offer(
                used + taken, tuple(zip(taken, open_kinds, strict=True)), 0, len(taken), lost
            )
        if substitute and 0 < len(open_kinds) <= len(choices) + 1:
            taken = choices[: len(open_kinds) - 1]
            # The substituted piece comes last, so that choice bags stand for the first kinds.
            for piece in spare:
                pairs = (*zip(taken, open_kinds, strict=False), (piece, open_kinds[-1]))
                best.offer([*used, *taken, piece], pairs, 1, len(taken), lost)
    if best.key is None:
        return None
    return tuple(best.key[5]), best.declared


def fit(recipe: str, tokens: Sequence[str], substitute: bool = False) -> tuple[str, str]:
    """How a chosen set fits a recipe by PZ-067.

    Returns:
        (problem, detail): ``("", "")`` if it fits, ``("", "S")`` if it fits only with the
        substitute; else ``missing`` with the kinds lacking, or ``superfluous`` with a token that
        fills nothing.
    """
    return _fit(recipe, tuple(tokens), substitute)


@lru_cache(maxsize=8192)
def _fit(recipe: str, tokens: tuple[str, ...], substitute: bool) -> tuple[str, str]:
    need = {k: recipe.count(k) for k in KINDS}
    plain: dict[str, str] = {}
    choices: list[str] = []
    doubles: list[str] = []
    for token in tokens:
        kind = TYPE[token]
        if kind == "choice":
            choices.append(token)
        elif token[0] == "D":
            doubles.append(token)
        elif token[0] == "R":
            return "superfluous", token
        else:
            need[halves(kind)] -= 1
            if len(kind) == 1:
                plain[kind] = token
    found: list[tuple[int, str, str]] = []
    for uses in product(*((*halves(TYPE[t]), halves(TYPE[t])) for t in doubles)):
        left = dict(need)
        for use in uses:
            for k in use:
                left[k] -= 1
        over = "".join(k * -left[k] for k in KINDS)
        lacking = "".join(k * left[k] for k in KINDS)
        if not over and len(lacking) == len(choices):
            return "", ""
        if len(over) == 1 and over in plain and len(lacking) == len(choices) + 1 and substitute:
            found.append((0, "", "S"))
        elif len(lacking) > len(choices):
            found.append((len(over) + 1, "missing", lacking[len(choices) :]))
        elif over:
            extra = [t for t in tokens if over[0] in halves(TYPE[t])]
            found.append((len(over), "superfluous", plain.get(over[0]) or extra[-1]))
        else:
            found.append((1, "superfluous", choices[-1]))
    _, problem, detail = min(found, key=lambda f: f[0])
    return problem, detail


def kinds_on(tokens: Sequence[str], declared: Declared) -> str:
    """The actual toppings of a Fantasia, in the order of kinds (PZ-075)."""
    said = dict(declared)
    found = "".join(said.get(t) or halves(TYPE[t]) for t in tokens)
    return "".join(k * found.count(k) for k in KINDS)


def base_of(tokens: Sequence[str], declared: Declared) -> tuple[str, ...]:
    """The tokens of a Fantasia that are discarded for its tomato sauce and mozzarella (PZ-077)."""
    said = dict(declared)

    def rank(token: str, kind: str) -> int:
        """Standard, premium, choice, substituted, double; 9 if the token is not of the kind."""
        if token in said:
            return 9 if said[token] != kind else 2 if TYPE[token] == "choice" else 3
        if kind not in halves(TYPE[token]):
            return 9
        return {"X": 1, "D": 4}.get(token[0], 0)

    gone: list[str] = []
    for kind in BASE:
        best = min(((rank(t, kind), t) for t in tokens), default=(9, ""))
        if best[0] < 9 and best[1] not in gone:
            gone.append(best[1])
    return tuple(gone)
