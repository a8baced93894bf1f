"""What every part of the store rests on: the connection, and the transactions."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import aiosqlite

from storage import steps, worker
from storage.errors import (
    StorageError,
    translate,
)
from storage.lock import FileLock
from storage.records import (
    NewOutbox,
    NewTimer,
    OutboxKind,
    Status,
)
from storage.schema import migrate

T = TypeVar("T")

MEMORY = ":memory:"


def wall_clock() -> int:
    """Unix time in milliseconds."""
    return time.time_ns() // 1_000_000


class StoreBase:
    """The connection, and how it is read and written.

    Attributes:
        path: the file, or ``:memory:``.
    """

    def __init__(
        self,
        path: Path | str,
        connection: aiosqlite.Connection,
        lock: FileLock | None,
        clock: Callable[[], int],
    ) -> None:
        self.path = path
        self._connection = connection
        self._lock = lock
        self._clock = clock
        self._closing: asyncio.Future[None] | None = None

    @classmethod
    async def open(
        cls,
        path: Path | str,
        *,
        clock: Callable[[], int] = wall_clock,
        busy_timeout_ms: int = 2000,
    ) -> Self:
        """Open a database, make it if it does not exist, and bring its schema up to date.

        Args:
            path: the file; its folder must exist. ``:memory:`` is a database that is lost at the
                end and needs no lock.
            clock: gives unix milliseconds.
            busy_timeout_ms: how long to wait for another program that holds the file locked.
                Shorter than the 3 s that Discord waits, so that the player hears of it.

        Raises:
            DatabaseInUse: another process has it open.
            SchemaTooNew: a newer version of Piazza wrote it.
            DatabaseDamaged: the file is damaged or is something else.
            DatabaseLocked: another program keeps it locked.
            StorageError: it cannot be opened for another reason, told in one sentence.
        """
        path, lock = _reserve(path)
        connection = aiosqlite.connect(
            path,
            factory=worker.WorkerConnection,
            isolation_level=None,
            timeout=busy_timeout_ms / 1000,
            cached_statements=256,
        )
        try:
            try:
                await connection
                await worker.run(connection, "open", lambda plain: _prepare(plain, path))
            except sqlite3.Error as error:
                raise translate(error, path) from error
        except BaseException:
            # Shielded: the lock must not be released before the connection is closed.
            await asyncio.shield(asyncio.ensure_future(_shut(connection, lock)))
            raise
        return cls(path, connection, lock, clock)

    async def close(self) -> None:
        """Finish what was asked for, close the file and let go of the lock; again is harmless."""
        if self._closing is None:
            self._closing = asyncio.ensure_future(_shut(self._connection, self._lock))
        await asyncio.shield(self._closing)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def _read(self, name: str, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._closing is not None:
            raise StorageError(f"The database {self.path} is closed.")
        try:
            return await worker.run(self._connection, name, work)
        except sqlite3.Error as error:
            raise translate(error, self.path) from error

    async def _write(self, name: str, work: Callable[[sqlite3.Cursor], T]) -> T:
        return await self._read(name, lambda plain: worker.transaction(plain, work))

    async def _do(self, sql: str, *values: Any) -> None:
        def work(cursor: sqlite3.Cursor) -> None:
            cursor.execute(sql, values)

        await self._write(sql, work)

    async def _rows(self, sql: str, *values: Any) -> list[Any]:
        return await self._read(sql, lambda plain: plain.execute(sql, values).fetchall())

    async def _about(
        self,
        name: str,
        match_id: int,
        work: Callable[[sqlite3.Cursor, int], T],
        allowed: Sequence[Status] | None = None,
        *,
        enter: Callable[[sqlite3.Cursor, int], int] | None = None,
        outbox: Sequence[NewOutbox] = (),
        interaction_id: int | None = None,
        supersede: Iterable[OutboxKind] = (),
        timers: Sequence[NewTimer] | None = None,
    ) -> T:
        """One transaction about a match, in the order that all of them have: the interaction is
        claimed, the match is found fit for it, the work is done, and what is to be announced is
        written with it.

        Args:
            name: for debug logs.
            match_id: the match.
            work: gets the cursor and the time (unix milliseconds).
            allowed: statuses that the match may have; None = any.
            enter: takes the place of the check of the status; returns the head that the
                announcements belong to.
            outbox: what to announce.
            interaction_id: what led to it.
            supersede: what still waits to be sent and is of these kinds is dropped.
            timers: take the place of all timers of the match; None leaves them.

        Raises:
            DuplicateInteraction: done already.
            NoSuchMatch, WrongStatus: not fit.
        """
        now = self._clock()
        kinds = tuple(supersede)

        def whole(cursor: sqlite3.Cursor) -> T:
            steps.claim(cursor, match_id, interaction_id, now)
            if enter is None:
                head, _ = steps.require(cursor, match_id, allowed)
            else:
                head = enter(cursor, now)
            result = work(cursor, now)
            steps.set_timers(cursor, match_id, timers, now)
            steps.supersede(cursor, match_id, kinds, now)
            steps.announce(cursor, match_id, head, outbox, now)
            return result

        return await self._write(name, whole)

    async def _change(
        self,
        match_id: int,
        assignments: str,
        values: tuple[Any, ...],
        allowed: Sequence[Status] | None,
        *,
        outbox: Sequence[NewOutbox] = (),
        interaction_id: int | None = None,
        supersede: Iterable[OutboxKind] = (),
        timers: Sequence[NewTimer] | None = None,
    ) -> None:
        """Set columns of a match.

        Args:
            match_id: the match.
            assignments: SQL.
            values: for its question marks.
            allowed: statuses that the match may have; None = any.
            outbox, interaction_id, supersede, timers: see :meth:`_about`.
        """

        def work(cursor: sqlite3.Cursor, now: int) -> None:
            try:
                cursor.execute(
                    f"UPDATE matches SET {assignments} WHERE id = ?", (*values, match_id)
                )
            except sqlite3.IntegrityError as error:
                channel_id = steps.require(cursor, match_id, None)[1]
                if assignments.startswith("channel_id"):
                    channel_id = values[0]
                raise steps.taken(cursor, channel_id, error) from error

        await self._about(
            assignments,
            match_id,
            work,
            allowed,
            outbox=outbox,
            interaction_id=interaction_id,
            supersede=supersede,
            timers=timers,
        )


def _reserve(path: Path | str) -> tuple[Path | str, FileLock | None]:
    if str(path) == MEMORY:
        return MEMORY, None
    try:
        path = Path(path).resolve()  # so that two names of one file share a lock
        folder = path.is_dir()
    except OSError as error:
        raise StorageError(
            f"The database {path} cannot be opened ({error.strerror}). "
            "Check that its folder exists and is writable."
        ) from error
    if folder:
        raise StorageError(f"{path} is a folder. Name a file for the database.")
    return path, FileLock(path)


def _prepare(plain: sqlite3.Connection, path: Path | str) -> None:
    # Foreign keys are off by default, as migrate() wants it; it refuses foreign files before
    # anything is written. WAL is a property of the file, the rest of the connection.
    migrate(plain, path)
    mode = plain.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal" and path != MEMORY:
        raise StorageError(
            f"The database {path} cannot be switched to write-ahead logging. "
            "Put it on a local disk."
        )
    plain.execute("PRAGMA synchronous = FULL")
    plain.execute("PRAGMA foreign_keys = ON")
    # After a burst the log file shrinks again.
    plain.execute("PRAGMA journal_size_limit = 16777216")
    # SQLite opens a write-protected file for reading only, and would tell at the first move.
    plain.execute("UPDATE guilds SET settings = settings WHERE 0")


async def _shut(connection: aiosqlite.Connection, lock: FileLock | None) -> None:
    try:
        await connection.close()
    finally:
        if lock is not None:
            lock.release()
