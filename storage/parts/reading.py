"""Reading matches."""

from __future__ import annotations

import sqlite3
from typing import Any

from storage import plans
from storage.errors import (
    NoSuchMatch,
)
from storage.parts.base import StoreBase
from storage.records import (
    Loaded,
    LogRow,
    MatchRow,
    SeatRow,
    TimerRow,
)
from storage.steps import IS_OPEN, LOG

_MATCH = ", ".join(MatchRow.__struct_fields__)
_SEAT = ", ".join(SeatRow.__struct_fields__)
_TIMER = ", ".join(TimerRow.__struct_fields__)


class ReadingStore(StoreBase):
    """Matches, seats, logs and snapshots."""

    async def match(self, match_id: int) -> MatchRow:
        """A match.

        Raises:
            NoSuchMatch: there is none.
        """
        rows = await self._rows(f"SELECT {_MATCH} FROM matches WHERE id = ?", match_id)
        if not rows:
            raise NoSuchMatch(match_id)
        return MatchRow(*rows[0])

    async def load(self, match_id: int) -> Loaded:
        """A match with seats and newest snapshot: what a move needs, in one call.

        Raises:
            NoSuchMatch: there is none.
        """

        def work(plain: sqlite3.Connection) -> Loaded:
            # One function on the only writing thread: nothing changes between the reads.
            row = plain.execute(
                f"SELECT {_MATCH} FROM matches WHERE id = ?", (match_id,)
            ).fetchone()
            if row is None:
                raise NoSuchMatch(match_id)
            seats = plain.execute(
                f"SELECT {_SEAT} FROM seats WHERE match_id = ? ORDER BY seat", (match_id,)
            ).fetchall()
            snapshot = plain.execute(
                "SELECT seq, blob FROM snapshots WHERE match_id = ? ORDER BY seq DESC LIMIT 1",
                (match_id,),
            ).fetchone()
            timers = plain.execute(
                f"SELECT {_TIMER} FROM timers WHERE match_id = ? ORDER BY seat, kind", (match_id,)
            ).fetchall()
            seq, blob = snapshot or (None, None)
            return Loaded(
                MatchRow(*row),
                [SeatRow(*seat) for seat in seats],
                seq,
                blob,
                [TimerRow(*timer) for timer in timers],
                plans.standing(plain, match_id),
            )

        return await self._read("load", work)

    async def open_match(self, channel_id: int) -> MatchRow | None:
        """The open match of a channel, if there is one."""
        rows = await self._rows(
            f"SELECT {_MATCH} FROM matches WHERE channel_id = ? AND {IS_OPEN}", channel_id
        )
        return MatchRow(*rows[0]) if rows else None

    async def last_match(self, channel_id: int) -> MatchRow | None:
        """The newest match of a channel, whatever its status."""
        rows = await self._rows(
            f"SELECT {_MATCH} FROM matches WHERE channel_id = ? ORDER BY id DESC LIMIT 1",
            channel_id,
        )
        return MatchRow(*rows[0]) if rows else None

    async def seats(self, match_id: int) -> list[SeatRow]:
        """The seats of a match, in order; none if there is no such match."""
        rows = await self._rows(
            f"SELECT {_SEAT} FROM seats WHERE match_id = ? ORDER BY seat", match_id
        )
        return [SeatRow(*row) for row in rows]

    async def log(self, match_id: int, since: int = 0) -> list[LogRow]:
        """The entries of a match from ``since`` on, that one included, in order."""

        def work(plain: sqlite3.Connection) -> list[LogRow]:
            rows = plain.execute(
                f"SELECT {LOG} FROM log WHERE match_id = ? AND seq >= ? ORDER BY seq",
                (match_id, since),
            )
            return [_log_row(*row) for row in rows]

        return await self._read("log", work)

    async def snapshot(self, match_id: int, seq: int | None = None) -> tuple[int, bytes] | None:
        """The newest snapshot, or the newest one at or before entry ``seq``.

        Returns:
            The entry that it was taken after, and the bytes; None if there is none.
        """
        if seq is None:
            rows = await self._rows(
                "SELECT seq, blob FROM snapshots WHERE match_id = ? ORDER BY seq DESC LIMIT 1",
                match_id,
            )
        else:
            rows = await self._rows(
                "SELECT seq, blob FROM snapshots WHERE match_id = ? AND seq <= ?"
                " ORDER BY seq DESC LIMIT 1",
                match_id,
                seq,
            )
        return (rows[0][0], rows[0][1]) if rows else None

    async def snapshots_from(self, match_id: int, seq: int) -> list[tuple[int, bytes]]:
        """The snapshots that are kept from entry ``seq`` on, oldest first."""
        return [
            (row[0], row[1])
            for row in await self._rows(
                "SELECT seq, blob FROM snapshots WHERE match_id = ? AND seq >= ? ORDER BY seq",
                match_id,
                seq,
            )
        ]

    async def matches_of(
        self, user_id: int, open_only: bool = True, *, limit: int = 100
    ) -> list[MatchRow]:
        """The matches in which somebody has a seat, newest first."""
        condition = f" AND {IS_OPEN}" if open_only else ""
        rows = await self._rows(
            f"SELECT {_MATCH} FROM matches WHERE id IN"
            f" (SELECT match_id FROM seats WHERE user_id = ?){condition} ORDER BY id DESC LIMIT ?",
            user_id,
            limit,
        )
        return [MatchRow(*row) for row in rows]

    async def open_matches(
        self, guild_id: int | None = None, after_id: int = 0, limit: int = 100
    ) -> list[MatchRow]:
        """A page of open matches, by number.

        Args:
            guild_id: of one server; None is of all.
            after_id: the last number of the page before.
            limit: size of a page.
        """
        if guild_id is None:
            rows = await self._rows(
                f"SELECT {_MATCH} FROM matches WHERE {IS_OPEN} AND id > ? ORDER BY id LIMIT ?",
                after_id,
                limit,
            )
        else:
            rows = await self._rows(
                f"SELECT {_MATCH} FROM matches WHERE guild_id = ? AND {IS_OPEN} AND id > ?"
                " ORDER BY id LIMIT ?",
                guild_id,
                after_id,
                limit,
            )
        return [MatchRow(*row) for row in rows]

    async def seen_interaction(self, interaction_id: int) -> bool:
        """Whether an interaction was applied already."""
        return bool(
            await self._rows("SELECT 1 FROM interactions WHERE interaction_id = ?", interaction_id)
        )


def _log_row(*row: Any) -> LogRow:
    match_id, seq, kind, seat, decision, move, target, auto, reveals, at, state_hash, *rest = row
    return LogRow(
        match_id,
        seq,
        kind,
        seat,
        decision,
        move,
        target,
        bool(auto),
        bool(reveals),
        at,
        state_hash,
        *rest,
    )
