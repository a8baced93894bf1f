"""Starting a match, moving it on, giving its seats away."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from storage import plans, results, steps
from storage.errors import (
    AlreadySeated,
    NotSeated,
)
from storage.parts.base import StoreBase
from storage.records import (
    NewLog,
    NewOutbox,
    NewSeat,
    NewTimer,
    OutboxKind,
    Status,
)


class PlayStore(StoreBase):
    """The log of a match and what goes with it."""

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

        def work(cursor: sqlite3.Cursor, now: int) -> None:
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

        await self._about(
            "start_match",
            match_id,
            work,
            ("lobby",),
            outbox=outbox,
            interaction_id=interaction_id,
            timers=timers,
        )

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
        head = expected_head + len(entries)

        def enter(cursor: sqlite3.Cursor, now: int) -> int:
            steps.advance(cursor, match_id, expected_head, head, status, ended_at, now)
            return head

        def work(cursor: sqlite3.Cursor, now: int) -> int:
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
            if result is not None:
                results.note(cursor, match_id, result, now)
            if settled is not None:
                plans.settle(cursor, match_id, settled)
            return head

        return await self._about(
            "commit",
            match_id,
            work,
            enter=enter,
            outbox=outbox,
            interaction_id=interaction_id,
            supersede=supersede,
            timers=timers,
        )

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
        head = expected_head + 1

        def enter(cursor: sqlite3.Cursor, now: int) -> int:
            steps.advance(cursor, match_id, expected_head, head, None, None, now)
            return head

        def work(cursor: sqlite3.Cursor, now: int) -> int:
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
            return head

        return await self._about(
            "substitute",
            match_id,
            work,
            enter=enter,
            outbox=outbox,
            interaction_id=interaction_id,
            supersede=supersede,
        )
