"""Positions of a match as one viewer may see them: for ``/match replay`` and for the recap."""

from __future__ import annotations

import asyncio
import zlib
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import msgspec

from bot.errors import TableError
from bot.language import tr
from bot.service import MatchService, Table
from engines.core.play import AnyGame, Record, replay
from engines.core.types import Viewer, pack

LARGEST = 24_000_000
"""Bytes of packed positions that are kept in memory, over all matches."""


class Line(msgspec.Struct):
    """The positions of a match, packed.

    Attributes:
        head: newest log entry when it was made.
        states: a packed state after the start and after each entry.
        seen: for each viewer the positions that differ to them from the one before.
    """

    head: int
    states: list[bytes]
    seen: dict[Viewer, list[int]]

    @property
    def size(self) -> int:
        """Bytes."""
        return sum(map(len, self.states))


class Shown(msgspec.Struct, frozen=True):
    """A position as somebody sees it.

    Attributes:
        place: 0 is the start of the match.
        last: the newest place.
        view: what the viewer may know of it.
    """

    place: int
    last: int
    view: Any


class Replays:
    """Finds positions by replaying the log beside the event loop, and keeps some.

    Where a step changed nothing that a viewer may know (somebody's private preparation, say),
    there is no position of its own for that viewer: not even its existence is told.

    Args:
        service: where matches are read.
        largest: bytes to keep.
    """

    def __init__(self, service: MatchService, largest: int = LARGEST) -> None:
        self._service = service
        self._largest = largest
        self._kept: OrderedDict[int, Line] = OrderedDict()
        self._gate = asyncio.Semaphore(1)

    async def at(self, table: Table, viewer: Viewer, place: int | None) -> Shown:
        """A position.

        Args:
            table: the match.
            viewer: who looks; the seats are those of ``table``.
            place: 0 is the start; None, or one too large, is the newest.

        Raises:
            TableError: the match has not started.
            EngineBug: its log does not replay.
        """
        line = await self._line(table)
        seen = line.seen.get(viewer)
        if seen is None:
            # Kept for this line alone: after the next move there is another one.
            seen = await asyncio.to_thread(differing, table.game, line.states, viewer)
            line.seen[viewer] = seen
        last = len(seen) - 1
        place = last if place is None else min(max(place, 0), last)
        state = table.game.decode_state(zlib.decompress(line.states[seen[place]]))
        return Shown(place, last, table.game.view(state, viewer))

    async def public(self, table: Table, most: int) -> list[Any]:
        """Public views of the key positions, the start and the end among them: one for each time
        that somebody else became due, evenly thinned out.

        Args:
            table: the match.
            most: how many views at most, 2 or more.
        """
        line = await self._line(table)
        return await asyncio.to_thread(key_views, table.game, line.states, most)

    async def _line(self, table: Table) -> Line:
        ident = table.match.id
        async with self._gate:
            found = self._kept.get(ident)
            if found is None or found.head != table.match.head_seq:
                record = await self._service.replayable(table)
                states = await asyncio.to_thread(packed, table.game, record)
                found = Line(table.match.head_seq, states, {})
                self._kept[ident] = found
            self._kept.move_to_end(ident)
            while len(self._kept) > 1 and sum(x.size for x in self._kept.values()) > self._largest:
                self._kept.popitem(last=False)
            return found


def packed(game: AnyGame, record: Record) -> list[bytes]:
    """Every position of a record."""
    return [zlib.compress(pack(state), 1) for _, state, _ in replay(game, record)]


def differing(game: AnyGame, states: Sequence[bytes], viewer: Viewer) -> list[int]:
    """Which positions a viewer can tell from the one before."""
    seen: list[int] = []
    before: bytes | None = None
    for number, blob in enumerate(states):
        view = pack(game.view(game.decode_state(zlib.decompress(blob)), viewer))
        if view != before:
            seen.append(number)
        before = view
    return seen


def key_views(game: AnyGame, states: Sequence[bytes], most: int) -> list[Any]:
    """See :meth:`Replays.public`."""
    views: list[Any] = []
    last: Any = None
    for blob in states:
        view = game.view(game.decode_state(zlib.decompress(blob)), None)
        # The position in which a turn ended is the one before somebody else is due.
        if last is not None and view.waiting != last.waiting and (not views or views[-1] != last):
            views.append(last)
        last = view
    if not views or views[-1] != last:
        views.append(last)
    if len(views) > most:
        views = [views[i * (len(views) - 1) // (most - 1)] for i in range(most)]
    return views


def need_started(table: Table) -> None:
    """Refuse a match without positions.

    Raises:
        TableError: it never started.
    """
    if table.state is None:
        raise TableError(
            tr("This match has not started yet, so there is nothing to look back on.")
            if table.match.open
            else tr("That table was closed before a match began.")
        )
