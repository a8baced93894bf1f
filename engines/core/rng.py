"""Labelled, reproducible randomness.

Every draw is BLAKE2b(key=seed, label, counter) with rejection of the biased tail, so a draw under
one label never shifts another, and the same seed gives the same match on every machine and
Python version. The generator is part of the state and is never shown before the match ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b, sha256
from typing import Any, TypeVar

import msgspec

from engines.core.errors import SetupError

T = TypeVar("T")

_SPAN = 1 << 64


def commitment(seed: str) -> str:
    """SHA-256 (hex) of the seed's bytes; posted at the start so that the deal can be checked.

    >>> commitment("00ff")
    '06eb7d6a69ee19e5fbdf749018d3d2abfa04bcbd1365db312eb86dc7169389b8'

    Args:
        seed: hexadecimal, an even number of digits.
    """
    return sha256(bytes.fromhex(seed)).hexdigest()


@lru_cache(maxsize=64)
def _keyed(seed: str) -> blake2b:
    """BLAKE2b that has taken in the seed; draws go on from copies of it."""
    return blake2b(key=bytes.fromhex(seed), digest_size=8)


class Rng(msgspec.Struct):
    """Random draws of a match: seeded, or scripted by a *deal*.

    Attributes:
        seed: hexadecimal secret of up to 64 bytes.
        counters: how many blocks each label has used.
        deal: for each label the results of its first uses in order: item keys for a shuffle (a
            prefix is enough, the others follow at random), one number for :meth:`below`.
        uses: how many uses of the deal each label has had.
    """

    seed: str
    counters: dict[str, int] = {}
    deal: dict[str, list[list[str]]] = {}
    uses: dict[str, int] = {}

    @classmethod
    def scripted(cls, deal: Mapping[str, Sequence[Any]], seed: str = "00") -> Rng:
        """A generator whose first draws are given.

        Args:
            deal: label → one use (a flat list of keys, or a number in a list), or a list of uses.
            seed: for everything the deal leaves open.

        Raises:
            SetupError: the deal is no table of lists.

        >>> Rng.scripted({"tiles": ["b", "a"]}).shuffle("tiles", ["a", "b", "c"])
        ['b', 'a', 'c']
        """
        uses: dict[str, list[list[str]]] = {}
        for label, value in deal.items():
            if not isinstance(value, (list, tuple)):
                raise SetupError(f"The deal for {label!r} must be a list.")
            nested = bool(value) and all(isinstance(v, (list, tuple)) for v in value)
            rows = value if nested else [value]
            if not all(isinstance(key, (str, int)) for row in rows for key in row):
                raise SetupError(f"The deal for {label!r} may hold words and numbers only.")
            uses[label] = [[str(key) for key in row] for row in rows]
        return cls(seed=seed, deal=uses)

    def copy(self) -> Rng:
        """An independent copy; the deal, never written, is shared."""
        return Rng(self.seed, dict(self.counters), self.deal, dict(self.uses))

    def _script(self, label: str) -> list[str] | None:
        rows = self.deal.get(label)
        if rows is None:
            return None
        use = self.uses.get(label, 0)
        if use >= len(rows):
            return None
        self.uses[label] = use + 1
        return rows[use]

    def _draw(self, label: str, n: int) -> int:
        limit = _SPAN - _SPAN % n
        while True:
            count = self.counters.get(label, 0)
            self.counters[label] = count + 1
            block = _keyed(self.seed).copy()
            block.update(f"{label}\x00{count}".encode())
            value = int.from_bytes(block.digest(), "big")
            if value < limit:
                return value % n

    def below(self, label: str, n: int) -> int:
        """A number 0 … n-1, all equally likely.

        Raises:
            SetupError: the deal scripts a number outside that range.
        """
        script = self._script(label)
        if script is None:
            return self._draw(label, n)
        word = script[0] if len(script) == 1 else ""
        value = int(word) if word.isascii() and word.isdigit() and len(word) < 10 else -1
        if not 0 <= value < n:
            raise SetupError(f"The deal for {label!r} must be a number from 0 to {n - 1}.")
        return value

    def shuffle(self, label: str, items: Sequence[T], key: Callable[[T], str] = str) -> list[T]:
        """A shuffled copy (Fisher–Yates from the end).

        Args:
            label: names the kind of draw.
            items: in a fixed order; equal items are interchangeable.
            key: an item's name in a deal.

        Raises:
            SetupError: the deal names an item that is not there.
        """
        rest = list(items)
        first: list[T] = []
        for name in self._script(label) or ():
            place = next((i for i, item in enumerate(rest) if key(item) == name), None)
            if place is None:
                raise SetupError(f"The deal for {label!r} names {name!r}, which is not left.")
            first.append(rest.pop(place))
        if first:
            return first + (rest if len(rest) < 2 else self._mix(label, rest))
        return self._mix(label, rest)

    def _mix(self, label: str, items: list[T]) -> list[T]:
        for i in range(len(items) - 1, 0, -1):
            j = self._draw(label, i + 1)
            items[i], items[j] = items[j], items[i]
        return items
