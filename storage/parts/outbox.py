"""What is to be sent, and what became of it."""

from __future__ import annotations

import sqlite3

from storage import steps
from storage.parts.base import StoreBase
from storage.records import (
    OutboxRow,
)

_OUTBOX = ", ".join(OutboxRow.__struct_fields__)


class OutboxStore(StoreBase):
    """The outbox."""

    async def due_outbox(
        self, now: int, match_id: int | None = None, limit: int = 100
    ) -> list[OutboxRow]:
        """What is to be sent by now, in the order in which it was written.

        A row whose next attempt is later is left out, so a later row may come before it.
        :meth:`pending_outbox` shows what else waits.

        Args:
            now: unix milliseconds.
            match_id: of one match only.
            limit: at most so many.
        """
        if match_id is None:
            rows = await self._rows(
                f"SELECT {_OUTBOX} FROM outbox WHERE done_at IS NULL AND next_at <= ?"
                " ORDER BY id LIMIT ?",
                now,
                limit,
            )
        else:
            rows = await self._rows(
                f"SELECT {_OUTBOX} FROM outbox WHERE done_at IS NULL AND next_at <= ?"
                " AND match_id = ? ORDER BY id LIMIT ?",
                now,
                match_id,
                limit,
            )
        return [OutboxRow(*row) for row in rows]

    async def pending_outbox(self, match_id: int) -> list[OutboxRow]:
        """Everything of a match that waits, due or not, in the order in which it was written."""
        rows = await self._rows(
            f"SELECT {_OUTBOX} FROM outbox WHERE done_at IS NULL AND match_id = ? ORDER BY id",
            match_id,
        )
        return [OutboxRow(*row) for row in rows]

    async def told_by(self, match_id: int, message_id: int) -> list[str]:
        """The payloads of a match that one message tells, in order, but for those pruned since."""
        rows = await self._rows(
            "SELECT payload FROM outbox WHERE message_id = ? AND match_id = ? ORDER BY id",
            message_id,
            match_id,
        )
        return [row[0] for row in rows]

    async def due_matches(self, now: int, limit: int = 1000) -> list[int]:
        """The matches with something to be sent by now, longest due first."""
        rows = await self._rows(
            "SELECT match_id FROM outbox WHERE done_at IS NULL AND next_at <= ?"
            " GROUP BY match_id ORDER BY min(next_at), match_id LIMIT ?",
            now,
            limit,
        )
        return [row[0] for row in rows]

    async def next_due(self) -> int | None:
        """When the next row is to be sent (unix milliseconds, may be past); None if none waits."""
        rows = await self._rows("SELECT min(next_at) FROM outbox WHERE done_at IS NULL")
        due: int | None = rows[0][0]
        return due

    async def pending_count(self, now: int | None = None) -> int:
        """How many rows wait; with ``now``, how many of them are due."""
        rows = await self._rows(
            "SELECT count(*) FROM outbox WHERE done_at IS NULL AND next_at <= coalesce(?, next_at)",
            now,
        )
        return int(rows[0][0])

    async def mark_sent(self, outbox_id: int, message_id: int | None = None) -> None:
        """Note that a row was sent and which message it became; harmless if it is done already."""
        now = self._clock()
        await self._write(
            "mark_sent", lambda cursor: steps.sent(cursor, outbox_id, message_id, now)
        )

    async def sent_board(
        self, outbox_id: int, match_id: int, channel_id: int, message_id: int, seq: int
    ) -> bool:
        """Note that a row was sent and became the board of its match.

        Returns:
            False if a board of a later entry stands already: then that one stays the board.
        """
        now = self._clock()

        def work(cursor: sqlite3.Cursor) -> bool:
            steps.sent(cursor, outbox_id, message_id, now)
            cursor.execute(
                "UPDATE matches SET board_channel_id = ?, board_message_id = ?, board_seq = ?"
                " WHERE id = ? AND (board_seq IS NULL OR board_seq <= ?)",
                (channel_id, message_id, seq, match_id, seq),
            )
            return cursor.rowcount == 1

        return await self._write("sent_board", work)

    async def mark_failed(self, outbox_id: int, error: str, next_at: int) -> None:
        """Note that sending failed and when to try again (unix milliseconds)."""
        await self._do(
            "UPDATE outbox SET attempts = attempts + 1, error = ?, next_at = ?"
            " WHERE id = ? AND done_at IS NULL",
            error,
            next_at,
            outbox_id,
        )

    async def drop_outbox(self, outbox_id: int, reason: str) -> None:
        """Give a row up; harmless if it is done already."""
        await self._do(
            "UPDATE outbox SET done_at = ?, error = ? WHERE id = ? AND done_at IS NULL",
            self._clock(),
            reason,
            outbox_id,
        )

    async def prune(self, before: int) -> int:
        """Forget sent announcements and applied interactions from before a time.

        Matches and their logs stay for ever. Discord delivers an interaction again within
        minutes, if at all; a week is plenty.

        Args:
            before: unix milliseconds.

        Returns:
            How many rows went.
        """

        def work(cursor: sqlite3.Cursor) -> int:
            cursor.execute("DELETE FROM outbox WHERE done_at < ?", (before,))
            count = cursor.rowcount
            cursor.execute("DELETE FROM interactions WHERE at < ?", (before,))
            return count + cursor.rowcount

        return await self._write("prune", work)
