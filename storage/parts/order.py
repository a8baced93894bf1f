"""Lost channels, restored backups, and the making of backups."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from storage import backup, steps
from storage.errors import (
    StorageError,
)
from storage.parts.base import MEMORY, StoreBase
from storage.records import (
    NewOutbox,
)


class OrderStore(StoreBase):
    """Order on a server."""

    async def hurry(self, match_id: int) -> int:
        """Let what waits to be sent be tried again at once; returns how many rows wait."""
        now = self._clock()

        def work(cursor: sqlite3.Cursor) -> int:
            cursor.execute(
                "UPDATE outbox SET next_at = ? WHERE match_id = ? AND done_at IS NULL"
                " AND attempts > 0 AND next_at > ?",
                (now, match_id, now),
            )
            cursor.execute(
                "SELECT count(*) FROM outbox WHERE match_id = ? AND done_at IS NULL", (match_id,)
            )
            return int(cursor.fetchone()[0])

        return await self._write("hurry", work)

    async def board_given_up(self, match_id: int) -> bool:
        """Whether the newest board of a match was never posted, and no longer waits to be."""
        rows = await self._rows(
            "SELECT done_at IS NOT NULL AND message_id IS NULL FROM outbox"
            " WHERE match_id = ? AND kind = 'turn' ORDER BY id DESC LIMIT 1",
            match_id,
        )
        return bool(rows and rows[0][0])

    async def copied_at(self) -> int | None:
        """When this file was made as a backup, if the tables have not been told yet (unix
        milliseconds)."""
        rows = await self._rows("SELECT value FROM marks WHERE name = 'copied'")
        return int(rows[0][0]) if rows else None

    async def lost_spans(self) -> list[tuple[int, int]]:
        """The times that are lost because a backup was restored: from when it was made until the
        bot began with it (unix milliseconds)."""
        rows = await self._rows("SELECT substr(name, 6), value FROM marks WHERE name LIKE 'lost:%'")
        return [(int(since), until) for since, until in rows]

    async def restored(self, boards: Mapping[int, NewOutbox]) -> None:
        """Let open matches post their boards anew after a backup was restored, once; what was
        played since it was made is a lost time.

        Args:
            boards: match → what to announce there. What it still had to post is superseded.
        """
        now = self._clock()

        def work(cursor: sqlite3.Cursor) -> None:
            cursor.execute(
                "INSERT OR REPLACE INTO marks SELECT 'lost:' || value, max(value, ?) FROM marks"
                " WHERE name = 'copied'",
                (now,),
            )
            cursor.execute("DELETE FROM marks WHERE name = 'copied'")
            if cursor.rowcount != 1:
                return
            for match_id, row in boards.items():
                head, _ = steps.require(cursor, match_id, None)
                steps.supersede(cursor, match_id, ("turn",), now)
                steps.announce(cursor, match_id, head, [row], now)

        await self._write("restored", work)

    async def backup(self, path: Path | str) -> None:
        """Copy the database to a new file while matches go on; see :func:`backup_database`.

        Raises:
            StorageError: the file exists or cannot be written.
        """
        if isinstance(self.path, Path):
            if self._closing is not None:
                raise StorageError(f"The database {self.path} is closed.")
            # On a connection and a thread of its own, so that no move waits for it.
            await asyncio.to_thread(backup.backup_database, self.path, path)
        else:
            await self._read("backup", lambda plain: backup.copy_to_file(plain, MEMORY, Path(path)))
