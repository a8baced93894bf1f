"""The store: everything that Piazza remembers. One object, one process, one writer.

Every method that changes something is one transaction: it happens as a whole or not at all. The
methods that a player's interaction leads to take ``interaction_id``, so that a repeated delivery
applies once, and ``outbox``, so that what is to be announced is written with what happened.

A call whose task is cancelled while it waits is nevertheless carried out as a whole or refused as a
whole; whoever goes on afterwards reads the match again.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import aiosqlite

from storage import backup, plans, results, steps, worker
from storage.errors import (
    AlreadySeated,
    DuplicateInteraction,
    NoSuchMatch,
    NotSeated,
    StorageError,
    translate,
)
from storage.lock import FileLock
from storage.records import (
    OPEN,
    Loaded,
    LogRow,
    MatchRow,
    NewLog,
    NewOutbox,
    NewSeat,
    NewTimer,
    OutboxKind,
    OutboxRow,
    PlayerRow,
    SeatRow,
    Status,
    TimerRow,
)
from storage.schema import migrate
from storage.steps import IS_OPEN, LOG

T = TypeVar("T")

MEMORY = ":memory:"

_MATCH = ", ".join(MatchRow.__struct_fields__)
_SEAT = ", ".join(SeatRow.__struct_fields__)
_OUTBOX = ", ".join(OutboxRow.__struct_fields__)
_TIMER = ", ".join(TimerRow.__struct_fields__)


def wall_clock() -> int:
    """Unix time in milliseconds."""
    return time.time_ns() // 1_000_000


class Store:
    """The database. Made by :meth:`open`, to be closed by :meth:`close` or ``async with``.

    Every method may raise :class:`StorageError`; those that a caller should tell apart are named
    with the method.

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
    ) -> Store:
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

    async def __aenter__(self) -> Store:
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

    # ------------------------------------------------------------------ lobby

    async def create_match(
        self,
        *,
        game: str,
        rules_version: int,
        options: str,
        channel_id: int,
        host_id: int,
        guild_id: int | None = None,
        settings: str = "{}",
        seats: Sequence[NewSeat] = (),
        outbox: Sequence[NewOutbox] = (),
        interaction_id: int | None = None,
    ) -> int:
        """Open a lobby and return the number of the match.

        Args:
            game: registry key.
            rules_version: see :class:`MatchRow`, as for what follows.
            options: JSON object.
            channel_id: the table.
            host_id: who opens it; gets no seat unless named in ``seats``.
            guild_id: None in a direct message.
            settings: JSON object.
            seats: who sits down at once, in order.
            outbox: what to announce.
            interaction_id: what led to it.

        Raises:
            ChannelTaken: the channel has an open match.
            DuplicateInteraction: done already.
            AlreadySeated: the same person twice.
        """
        now = self._clock()

        def work(cursor: sqlite3.Cursor) -> int:
            # Looked up first: a repeated delivery must not be told that the channel is taken.
            if interaction_id is not None and steps.seen(cursor, interaction_id):
                raise DuplicateInteraction(interaction_id)
            try:
                cursor.execute(
                    "INSERT INTO matches (game, rules_version, options, guild_id, channel_id,"
                    " host_id, status, created_at, settings) VALUES (?,?,?,?,?,?,'lobby',?,?)",
                    (game, rules_version, options, guild_id, channel_id, host_id, now, settings),
                )
            except sqlite3.IntegrityError as error:
                raise steps.taken(cursor, channel_id, error) from error
            match_id = cursor.lastrowid
            assert match_id is not None
            steps.claim(cursor, match_id, interaction_id, now)
            steps.sit(cursor, match_id, 0, seats, now)
            steps.announce(cursor, match_id, 0, outbox, now)
            return match_id

        return await self._write("create_match", work)

    async def add_seat(
        self,
        match_id: int,
        user_id: int,
        name: str,
        colour: str | None = None,
        *,
        outbox: Sequence[NewOutbox] = (),
        interaction_id: int | None = None,
    ) -> int:
        """Let somebody join a lobby, after those who have joined; returns the seat.

        Raises:
            NoSuchMatch, WrongStatus: not a lobby.
            AlreadySeated: has a seat.
            DuplicateInteraction: done already.
        """
        now = self._clock()

        def work(cursor: sqlite3.Cursor) -> int:
            steps.claim(cursor, match_id, interaction_id, now)
            steps.require(cursor, match_id, ("lobby",))
            cursor.execute("SELECT count(*) FROM seats WHERE match_id = ?", (match_id,))
            seat = int(cursor.fetchone()[0])
            steps.sit(cursor, match_id, seat, [NewSeat(user_id, name, colour)], now)
            steps.announce(cursor, match_id, 0, outbox, now)
            return seat

        return await self._write("add_seat", work)

    async def remove_seat(
        self,
        match_id: int,
        seat: int,
        *,
        new_host: int | None = None,
        outbox: Sequence[NewOutbox] = (),
        interaction_id: int | None = None,
    ) -> None:
        """Let somebody leave a lobby; those who joined later move up.

        Args:
            match_id: the match.
            seat: who leaves.
            new_host: becomes host in the same transaction, if the host leaves.
            outbox: what to announce.
            interaction_id: what led to it.

        Raises:
            NoSuchMatch, WrongStatus: not a lobby.
            NotSeated: no such seat.
            DuplicateInteraction: done already.
        """
        now = self._clock()

        def work(cursor: sqlite3.Cursor) -> None:
            steps.claim(cursor, match_id, interaction_id, now)
            steps.require(cursor, match_id, ("lobby",))
            cursor.execute("DELETE FROM seats WHERE match_id = ? AND seat = ?", (match_id, seat))
            if cursor.rowcount == 0:
                raise NotSeated(f"Match {match_id} has no seat {seat}.")
            # In two steps, as SQLite checks the key row by row and would see two of a number.
            cursor.execute(
                "UPDATE seats SET seat = seat + 1000 WHERE match_id = ? AND seat > ?",
                (match_id, seat),
            )
            cursor.execute(
                "UPDATE seats SET seat = seat - 1001 WHERE match_id = ? AND seat > 1000",
                (match_id,),
            )
            if new_host is not None:
                cursor.execute("UPDATE matches SET host_id = ? WHERE id = ?", (new_host, match_id))
            steps.announce(cursor, match_id, 0, outbox, now)

        await self._write("remove_seat", work)

    async def set_colour(
        self,
        match_id: int,
        seat: int,
        colour: str | None,
        *,
        outbox: Sequence[NewOutbox] = (),
        interaction_id: int | None = None,
    ) -> None:
        """Change the colour that somebody in a lobby asks for; None asks for none.

        Raises:
            NoSuchMatch, WrongStatus: not a lobby.
            NotSeated: no such seat.
            DuplicateInteraction: done already.
        """
        now = self._clock()

        def work(cursor: sqlite3.Cursor) -> None:
            steps.claim(cursor, match_id, interaction_id, now)
            steps.require(cursor, match_id, ("lobby",))
            cursor.execute(
                "UPDATE seats SET colour = ? WHERE match_id = ? AND seat = ?",
                (colour, match_id, seat),
            )
            if cursor.rowcount == 0:
                raise NotSeated(f"Match {match_id} has no seat {seat}.")
            steps.announce(cursor, match_id, 0, outbox, now)

        await self._write("set_colour", work)

    async def set_host(
        self,
        match_id: int,
        host_id: int,
        *,
        outbox: Sequence[NewOutbox] = (),
        interaction_id: int | None = None,
    ) -> None:
        """Hand the care for an open match to somebody else.

        Raises:
            NoSuchMatch, WrongStatus: not an open match.
            DuplicateInteraction: done already.
        """
        await self._change(
            match_id, "host_id = ?", (host_id,), OPEN, outbox=outbox, interaction_id=interaction_id
        )

    async def update_options(
        self,
        match_id: int,
        options: str,
        *,
        outbox: Sequence[NewOutbox] = (),
        interaction_id: int | None = None,
    ) -> None:
        """Change the options of a lobby (JSON object).

        Raises:
            NoSuchMatch, WrongStatus: not a lobby.
            DuplicateInteraction: done already.
        """
        await self._change(
            match_id,
            "options = ?",
            (options,),
            ("lobby",),
            outbox=outbox,
            interaction_id=interaction_id,
        )

    # ---------------------------------------------------------------- playing

    async def start_match(
        self,
        match_id: int,
        *,
        seats: Sequence[NewSeat],
        seed: str,
        commitment: str,
        log: NewLog,
        snapshot: bytes,
        rules_version: int | None = None,
        outbox: Sequence[NewOutbox] = (),
        interaction_id: int | None = None,
        timers: Sequence[NewTimer] | None = None,
    ) -> None:
        """Turn a lobby into an active match. The start is entry 0 of the log.

        Args:
            match_id: the match.
            seats: the final order; replaces the lobby's seats.
            seed: hexadecimal, secret.
            commitment: SHA-256 of the seed.
            log: the entry of kind ``start``.
            snapshot: the state after setup.
            rules_version: pins the rules at the start, if they changed since the lobby opened.
            outbox: what to announce.
            interaction_id: what led to it.
            timers: what time will bring.

        Raises:
            NoSuchMatch, WrongStatus: not a lobby.
            AlreadySeated: the same person twice.
            DuplicateInteraction: done already.
        """
        now = self._clock()

        def work(cursor: sqlite3.Cursor) -> None:
            steps.claim(cursor, match_id, interaction_id, now)
            steps.require(cursor, match_id, ("lobby",))
            cursor.execute(
                "SELECT user_id, joined_at FROM seats WHERE match_id = ? AND user_id > 0",
                (match_id,),
            )
            joined = dict(cursor.fetchall())
            cursor.execute("DELETE FROM seats WHERE match_id = ?", (match_id,))
            steps.sit(cursor, match_id, 0, seats, now, joined)
            cursor.execute(
                "UPDATE matches SET status = 'active', head_seq = 0, seed = ?, commitment = ?,"
                " started_at = ?, rules_version = coalesce(?, rules_version) WHERE id = ?",
                (seed, commitment, now, rules_version, match_id),
            )
            steps.append(cursor, match_id, 0, [log], now)
            steps.snap(cursor, match_id, 0, snapshot)
            steps.set_timers(cursor, match_id, timers, now)
            steps.announce(cursor, match_id, 0, outbox, now)

        await self._write("start_match", work)

    async def commit(
        self,
        match_id: int,
        expected_head: int,
        entries: Sequence[NewLog],
        snapshot: bytes | None,
        *,
        keep_from: int | None = None,
        outbox: Sequence[NewOutbox] = (),
        interaction_id: int | None = None,
        status: Status | None = None,
        ended_at: int | None = None,
        supersede: Iterable[OutboxKind] = (),
        timers: Sequence[NewTimer] | None = None,
        seats: Mapping[int, NewSeat] | None = None,
        host_id: int | None = None,
        settings: str | None = None,
        result: results.NewResult | None = None,
        settled: plans.Settled | None = None,
    ) -> int:
        """Append to the log of a match: the one way in which a match moves on.

        Args:
            match_id: the match.
            expected_head: newest entry that the caller knows.
            entries: at least one; they become ``expected_head + 1`` and so on.
            snapshot: the state after the last of them; None if they do not touch the state.
            keep_from: forget snapshots of entries before this one, except the newest snapshot.
                None forgets none.
            outbox: what to announce.
            interaction_id: what led to it.
            status: the new status. Without it the match must be active or paused.
            ended_at: when it ended; None is now, if ``status`` is finished or ended.
            supersede: drop what still waits in the outbox of this match and is of these kinds.
            timers: take the place of all timers of the match; None leaves them.
            seats: seats that go to somebody else; they keep their colours.
            host_id: a new host.
            settings: new settings of the match (JSON object).
            result: how the match ended, for the statistics.
            settled: what became of plans; those of seats that go to somebody else, and all when
                the match ends, are forgotten in any case.

        Returns:
            The new head.

        Raises:
            HeadMoved: the match is not at ``expected_head``.
            DuplicateInteraction: done already; told in preference to HeadMoved.
            NoSuchMatch, WrongStatus: cannot move on.
            ChannelTaken: ``status`` opens the match again and the channel has another one.
            AlreadySeated, NotSeated: ``seats`` cannot be changed like that.
        """
        if not entries:
            raise ValueError("a commit needs an entry")
        now = self._clock()
        head = expected_head + len(entries)
        kinds = tuple(supersede)

        def work(cursor: sqlite3.Cursor) -> int:
            steps.claim(cursor, match_id, interaction_id, now)
            steps.advance(cursor, match_id, expected_head, head, status, ended_at, now)
            steps.append(cursor, match_id, expected_head + 1, entries, now)
            if snapshot is not None:
                steps.snap(cursor, match_id, head, snapshot)
            if keep_from is not None:
                cursor.execute(
                    "DELETE FROM snapshots WHERE match_id = ? AND seq < min(?,"
                    " (SELECT max(seq) FROM snapshots WHERE match_id = ?))",
                    (match_id, keep_from, match_id),
                )
            steps.reseat(cursor, match_id, seats or {}, now)
            if host_id is not None:
                cursor.execute("UPDATE matches SET host_id = ? WHERE id = ?", (host_id, match_id))
            if settings is not None:
                cursor.execute("UPDATE matches SET settings = ? WHERE id = ?", (settings, match_id))
            steps.set_timers(cursor, match_id, timers, now)
            if result is not None:
                results.note(cursor, match_id, result, now)
            if settled is not None:
                plans.settle(cursor, match_id, settled)
            steps.supersede(cursor, match_id, kinds, now)
            steps.announce(cursor, match_id, head, outbox, now)
            return head

        return await self._write("commit", work)

    async def substitute(
        self,
        match_id: int,
        expected_head: int,
        seat: int,
        user_id: int,
        name: str,
        entry: NewLog,
        *,
        outbox: Sequence[NewOutbox] = (),
        interaction_id: int | None = None,
        supersede: Iterable[OutboxKind] = (),
    ) -> int:
        """Give a seat of a running match to somebody else; returns the new head.

        Args:
            match_id: an active or paused match.
            expected_head: newest entry that the caller knows.
            seat: the seat; it keeps its colour.
            user_id: who sits down.
            name: of that person.
            entry: of kind ``care``: what was done.
            outbox: what to announce.
            interaction_id: what led to it.
            supersede: see :meth:`commit`.

        Raises:
            HeadMoved, NoSuchMatch, WrongStatus, DuplicateInteraction: see :meth:`commit`.
            NotSeated: no such seat.
            AlreadySeated: that person has a seat in this match.
        """
        now = self._clock()
        head = expected_head + 1
        kinds = tuple(supersede)

        def work(cursor: sqlite3.Cursor) -> int:
            steps.claim(cursor, match_id, interaction_id, now)
            steps.advance(cursor, match_id, expected_head, head, None, None, now)
            try:
                cursor.execute(
                    "UPDATE seats SET user_id = ?, name = ?, joined_at = ?, computer = NULL"
                    " WHERE match_id = ? AND seat = ?",
                    (user_id, name, now, match_id, seat),
                )
            except sqlite3.IntegrityError as error:
                raise AlreadySeated(match_id, user_id) from error
            if cursor.rowcount == 0:
                raise NotSeated(f"Match {match_id} has no seat {seat}.")
            plans.leave(cursor, match_id, seat)
            steps.append(cursor, match_id, head, [entry], now)
            steps.supersede(cursor, match_id, kinds, now)
            steps.announce(cursor, match_id, head, outbox, now)
            return head

        return await self._write("substitute", work)

    # ------------------------------------------------------------------- care

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
        now = self._clock()
        kinds = tuple(supersede)

        def work(cursor: sqlite3.Cursor) -> None:
            steps.claim(cursor, match_id, interaction_id, now)
            head, channel_id = steps.require(cursor, match_id, allowed)
            try:
                cursor.execute(
                    f"UPDATE matches SET {assignments} WHERE id = ?", (*values, match_id)
                )
            except sqlite3.IntegrityError as error:
                if assignments.startswith("channel_id"):
                    channel_id = values[0]
                raise steps.taken(cursor, channel_id, error) from error
            steps.set_timers(cursor, match_id, timers, now)
            steps.supersede(cursor, match_id, kinds, now)
            steps.announce(cursor, match_id, head, outbox, now)

        await self._write(assignments, work)

    # ---------------------------------------------------------------- reading

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

    # ----------------------------------------------------------------- outbox

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

    # ------------------------------------------------------------------- time

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
        now = self._clock()

        def work(cursor: sqlite3.Cursor) -> None:
            steps.claim(cursor, match_id, interaction_id, now)
            head, _ = steps.require(cursor, match_id, None)
            steps.set_timers(cursor, match_id, timers, now)
            steps.announce(cursor, match_id, head, outbox, now)

        await self._write("set_timers", work)

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

    # ----------------------------------------------------- players and guilds

    async def player(self, user_id: int) -> PlayerRow:
        """What is remembered of a person; an empty row for who was never seen."""
        rows = await self._rows(
            "SELECT prefs, dm_closed, updated_at FROM players WHERE user_id = ?", user_id
        )
        if not rows:
            return PlayerRow(user_id)
        return PlayerRow(user_id, rows[0][0], bool(rows[0][1]), rows[0][2])

    async def set_prefs(self, user_id: int, prefs: str) -> None:
        """Remember somebody's preferences (JSON object)."""
        await self._remember("players", "user_id", user_id, "prefs", prefs)

    async def set_dm_closed(self, user_id: int, closed: bool) -> None:
        """Remember whether somebody refuses direct messages."""
        await self._remember("players", "user_id", user_id, "dm_closed", int(closed))

    async def guild_settings(self, guild_id: int) -> str:
        """The settings of a Discord server (JSON object), ``{}`` at first."""
        rows = await self._rows("SELECT settings FROM guilds WHERE guild_id = ?", guild_id)
        return str(rows[0][0]) if rows else "{}"

    async def set_guild_settings(self, guild_id: int, settings: str) -> None:
        """Remember the settings of a Discord server (JSON object)."""
        await self._remember("guilds", "guild_id", guild_id, "settings", settings)

    async def _remember(
        self, table: str, key: str, owner: int, column: str, value: str | int
    ) -> None:
        await self._do(
            f"INSERT INTO {table} ({key}, {column}, updated_at) VALUES (?, ?, ?)"
            f" ON CONFLICT ({key}) DO UPDATE SET {column} = excluded.{column},"
            " updated_at = excluded.updated_at",
            owner,
            value,
            self._clock(),
        )

    # ------------------------------------------------------------------ plans

    async def plans_of(self, match_id: int, user_id: int) -> list[plans.PlanRow]:
        """Plans, offers and cancelled plans of one person in a match, in order."""
        return await self._read("plans_of", lambda plain: plans.of_person(plain, match_id, user_id))

    async def add_plan(
        self,
        match_id: int,
        plan: plans.NewPlan,
        status: plans.PlanStatus = "standing",
        *,
        offer: int | None = None,
        interaction_id: int | None = None,
    ) -> int:
        """Remember a plan or an offer; returns its id.

        Args:
            match_id: an active or paused match.
            plan: what to remember.
            status: ``standing`` or ``offered``.
            offer: the offer that it was made of, which is used up.
            interaction_id: what led to it.

        Raises:
            NoSuchMatch, WrongStatus: not being played.
            DuplicateInteraction: done already.
        """
        now = self._clock()

        def work(cursor: sqlite3.Cursor) -> int:
            steps.claim(cursor, match_id, interaction_id, now)
            steps.require(cursor, match_id, ("active", "paused"))
            if offer is not None:
                plans.drop(cursor, match_id, plan.user_id, offer)
            return plans.add(cursor, match_id, plan, status, now)

        return await self._write("add_plan", work)

    async def drop_plans(
        self,
        match_id: int,
        user_id: int,
        plan_id: int | None = None,
        *,
        interaction_id: int | None = None,
    ) -> int:
        """Forget a plan of a person, or (None) all of them in a match; returns how many.

        Raises:
            DuplicateInteraction: done already.
        """
        now = self._clock()

        def work(cursor: sqlite3.Cursor) -> int:
            steps.claim(cursor, match_id, interaction_id, now)
            return plans.drop(cursor, match_id, user_id, plan_id)

        return await self._write("drop_plans", work)

    # ---------------------------------------------------------------- results

    async def played(self, guild_id: int, user_id: int) -> list[results.Played]:
        """Everything that somebody has played to its end on a server, oldest first."""
        return await self._read("played", lambda plain: results.played(plain, guild_id, user_id))

    async def ratings(self, guild_id: int, game: str = results.ALL) -> list[results.RatingRow]:
        """The best-rated people of a server in a game, best first; see :mod:`storage.results`."""
        return await self._read("ratings", lambda plain: results.ratings(plain, guild_id, game))

    async def ratings_of(self, guild_id: int, user_id: int) -> list[results.RatingRow]:
        """Somebody's ratings on a server."""
        return await self._read(
            "ratings_of", lambda plain: results.ratings_of(plain, guild_id, user_id)
        )

    async def result_counts(self, guild_id: int) -> list[tuple[str, int, int]]:
        """Matches of a server played to their end: (game, how many, of these solo)."""
        return await self._read("counts", lambda plain: results.counts(plain, guild_id))

    async def rebuild_ratings(self) -> int:
        """Make all ratings anew from the results; returns how many results there are."""
        return await self._write("rebuild_ratings", results.rebuild)

    # ------------------------------------------------------------------ order

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

    # ----------------------------------------------------------------- backup

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
