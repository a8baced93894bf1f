"""The store: everything that Piazza remembers. One object, one process, one writer.

Every method that changes something is one transaction: it happens as a whole or not at all. The
methods that a player's interaction leads to take ``interaction_id``, so that a repeated delivery
applies once, and ``outbox``, so that what is to be announced is written with what happened.

A call whose task is cancelled while it waits is nevertheless carried out as a whole or refused as a
whole; whoever goes on afterwards reads the match again.
"""

from __future__ import annotations

from storage.parts.base import MEMORY, wall_clock
from storage.parts.care import CareStore
from storage.parts.lobby import LobbyStore
from storage.parts.order import OrderStore
from storage.parts.outbox import OutboxStore
from storage.parts.people import PeopleStore
from storage.parts.play import PlayStore
from storage.parts.reading import ReadingStore

__all__ = ["MEMORY", "Store", "wall_clock"]


class Store(LobbyStore, PlayStore, CareStore, ReadingStore, OutboxStore, PeopleStore, OrderStore):
    """The database. Made by :meth:`open`, to be closed by :meth:`close` or ``async with``.

    Every method may raise :class:`StorageError`; those that a caller should tell apart are named
    with the method.

    Attributes:
        path: the file, or ``:memory:``.
    """
