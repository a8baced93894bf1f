"""A bounded store for finished sprites."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Store(Generic[T]):
    """Least recently used things go first once their sizes add up to more than the budget.

    A thing that several threads want at once is made by one of them while the others wait. The
    making of one thing may ask for another, but never in a circle.
    """

    def __init__(self, budget: int, size: Callable[[T], int]) -> None:
        """``budget`` in bytes; ``size`` measures a thing."""
        self._budget = budget
        self._size = size
        self._held = 0
        self._items: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = Lock()
        self._making: dict[Hashable, Lock] = {}

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The thing of that key, made now if it is not there."""
        with self._lock:
            found = self._items.get(key)
            if found is not None:
                self._items.move_to_end(key)
                return found
            gate = self._making.setdefault(key, Lock())
        with gate:
            with self._lock:
                found = self._items.get(key)
            if found is not None:
                return found
            made = make()
            with self._lock:
                self._items[key] = made
                self._held += self._size(made)
                self._making.pop(key, None)
                while self._held > self._budget and len(self._items) > 1:
                    _, gone = self._items.popitem(last=False)
                    self._held -= self._size(gone)
        return made

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._items.clear()
            self._held = 0

    def __len__(self) -> int:
        return len(self._items)
