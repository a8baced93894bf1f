"""What is changed of a match besides moves: status, settings, channel, timers."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from storage.parts.base import StoreBase
from storage.records import (
    OPEN,
    NewOutbox,
    NewTimer,
    OutboxKind,
    Status,
)


class CareStore(StoreBase):
    """The care of a match."""

    async def set_status(
        self,
        match_id: int,
        status: Status,
        *,
        ended_at: int | None = None,
        outbox: Sequence[NewOutbox] = (),
        interaction_id: int | None = None,
        supersede: Iterable[OutboxKind] = (),
    ) -> None:
        """Change the status without a log entry. Which change makes sense is for the caller.

        Args:
            match_id: the match.
            status: the new one; an open one clears ``ended_at``.
            ended_at: when it ended; None is now, if ``status`` is finished or ended.
            outbox: what to announce.
            interaction_id: what led to it.
            supersede: see :meth:`commit`.

        Raises:
            NoSuchMatch: there is none.
            ChannelTaken: ``status`` opens the match again and the channel has another one.
            DuplicateInteraction: done already.
        """
        ended = None if status in OPEN else self._clock() if ended_at is None else ended_at
        await self._change(
            match_id,
            "status = ?, ended_at = ?",
            (status, ended),
            None,
            outbox=outbox,
            interaction_id=interaction_id,
            supersede=supersede,
        )

    async def freeze(self, match_id: int, report: str, *, outbox: Sequence[NewOutbox] = ()) -> None:
        """Halt an open match because of a bug, and note the id of the report.

        Raises:
            NoSuchMatch, WrongStatus: not an open match.
        """
        await self._change(
            match_id, "status = 'frozen', report = ?", (report,), OPEN, outbox=outbox
        )

    async def update_settings(
        self,
        match_id: int,
        settings: str,
        *,
        outbox: Sequence[NewOutbox] = (),
        interaction_id: int | None = None,
        timers: Sequence[NewTimer] | None = None,
    ) -> None:
        """Change the settings of a match (JSON object), and its timers if they are given.

        Raises:
            NoSuchMatch: there is none.
            DuplicateInteraction: done already.
        """
        await self._change(
            match_id,
            "settings = ?",
            (settings,),
            None,
            outbox=outbox,
            interaction_id=interaction_id,
            timers=timers,
        )

    async def rebind_channel(
        self,
        match_id: int,
        channel_id: int,
        *,
        guild_id: int | None = None,
        outbox: Sequence[NewOutbox] = (),
        interaction_id: int | None = None,
    ) -> None:
        """Move a match to another channel; its board is forgotten.

        Args:
            match_id: the match.
            channel_id: the new table.
            guild_id: the server of that channel; None keeps the old one.
            outbox: what to announce there.
            interaction_id: what led to it.

        Raises:
            NoSuchMatch: there is none.
            ChannelTaken: an open match cannot move to a channel that has one.
            DuplicateInteraction: done already.
        """
        await self._change(
            match_id,
            "channel_id = ?, guild_id = coalesce(?, guild_id), board_channel_id = NULL,"
            " board_message_id = NULL, board_seq = NULL",
            (channel_id, guild_id),
            None,
            outbox=outbox,
            interaction_id=interaction_id,
        )

    async def set_board(
        self, match_id: int, channel_id: int | None, message_id: int | None, seq: int | None
    ) -> None:
        """Note which message is the newest board and which entry it shows; None forgets it.

        Raises:
            NoSuchMatch: there is none.
        """
        await self._change(
            match_id,
            "board_channel_id = ?, board_message_id = ?, board_seq = ?",
            (channel_id, message_id, seq),
            None,
        )

    async def set_timers(
        self,
        match_id: int,
        timers: Sequence[NewTimer],
        *,
        outbox: Sequence[NewOutbox] = (),
        interaction_id: int | None = None,
    ) -> None:
        """Replace the timers of a match, where nothing else of it changes.

        Raises:
            NoSuchMatch: there is none.
            DuplicateInteraction: done already.
        """
        await self._about(
            "set_timers",
            match_id,
            lambda cursor, now: None,
            outbox=outbox,
            interaction_id=interaction_id,
            timers=timers,
        )

    async def timed_matches(self, now: int, limit: int = 200) -> list[int]:
        """The matches with a timer that is due by now, longest due first."""
        rows = await self._rows(
            "SELECT match_id FROM timers WHERE at IS NOT NULL AND at <= ?"
            " GROUP BY match_id ORDER BY min(at), match_id LIMIT ?",
            now,
            limit,
        )
        return [row[0] for row in rows]

    async def beat(self, now: int, patience: int) -> int:
        """Note that the bot is there; time in which it was not counts against nobody.

        If the last beat is longer ago than ``patience``, running timers are put off by the time
        since then (or since they were written, if that is later). A vacation ends on its date all
        the same. Boards that show a deadline are to be brought up to date then.

        Args:
            now: unix milliseconds.
            patience: milliseconds between two beats that are no downtime.

        Returns:
            The downtime in milliseconds; 0 if there was none.
        """

        def work(cursor: sqlite3.Cursor) -> int:
            cursor.execute("SELECT at FROM heartbeat WHERE id = 1")
            row = cursor.fetchone()
            cursor.execute("INSERT OR REPLACE INTO heartbeat (id, at) VALUES (1, ?)", (now,))
            if row is None or now - row[0] <= patience:
                return 0
            last = int(row[0])
            cursor.execute(
                "UPDATE timers SET at = at + max(0, ? - max(?, set_at)), set_at = ?"
                " WHERE at IS NOT NULL AND kind <> 'vacation'",
                (now, last, now),
            )
            cursor.execute(
                "INSERT INTO outbox (match_id, seq, kind, payload, nonce, next_at, created_at)"
                " SELECT id, head_seq, 'turn', ?, lower(hex(randomblob(12))), ?, ? FROM matches"
                " WHERE status = 'active' AND board_message_id IS NOT NULL AND id IN"
                " (SELECT match_id FROM timers WHERE kind = 'clock' AND at IS NOT NULL)",
                ('{"what": "turn", "lines": [], "fresh": false, "owes": []}', now, now),
            )
            return now - last

        return await self._write("beat", work)
