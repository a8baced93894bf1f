"""The steps that transactions are made of. All run on the worker's thread, inside a transaction."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Mapping, Sequence

from storage import plans
from storage.errors import (
    AlreadySeated,
    ChannelTaken,
    DuplicateInteraction,
    HeadMoved,
    NoSuchMatch,
    NotSeated,
    WrongStatus,
)
from storage.records import (
    OPEN,
    LogRow,
    NewLog,
    NewOutbox,
    NewSeat,
    NewTimer,
    OutboxKind,
    Status,
)

LOG = ", ".join(LogRow.__struct_fields__)
IS_OPEN = "status IN ('lobby', 'active', 'paused', 'frozen')"
"""Word for word as in the partial indexes, or SQLite would not use them."""


def seen(cursor: sqlite3.Cursor, interaction_id: int) -> bool:
    """Whether an interaction was applied already."""
    cursor.execute("SELECT 1 FROM interactions WHERE interaction_id = ?", (interaction_id,))
    return cursor.fetchone() is not None


def claim(cursor: sqlite3.Cursor, match_id: int, interaction_id: int | None, now: int) -> None:
    """First of all steps: a repeated delivery is told so, and not that the match has moved on."""
    if interaction_id is None:
        return
    try:
        cursor.execute("INSERT INTO interactions VALUES (?, ?, ?)", (interaction_id, match_id, now))
    except sqlite3.IntegrityError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
            raise NoSuchMatch(match_id) from error
        raise DuplicateInteraction(interaction_id) from error


def require(
    cursor: sqlite3.Cursor, match_id: int, allowed: Sequence[Status] | None
) -> tuple[int, int]:
    """Head and channel of a match that has one of the statuses (None: any)."""
    cursor.execute("SELECT status, head_seq, channel_id FROM matches WHERE id = ?", (match_id,))
    row = cursor.fetchone()
    if row is None:
        raise NoSuchMatch(match_id)
    if allowed is not None and row[0] not in allowed:
        raise WrongStatus(match_id, row[0])
    return row[1], row[2]


def taken(cursor: sqlite3.Cursor, channel_id: int, error: sqlite3.IntegrityError) -> Exception:
    """What a violated constraint of ``matches`` means."""
    cursor.execute(f"SELECT id FROM matches WHERE channel_id = ? AND {IS_OPEN}", (channel_id,))
    row = cursor.fetchone()
    if error.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_UNIQUE or row is None:
        return error
    return ChannelTaken(channel_id, row[0])


def advance(
    cursor: sqlite3.Cursor,
    match_id: int,
    expected: int,
    head: int,
    status: Status | None,
    ended_at: int | None,
    now: int,
) -> None:
    """Move the head of a match, and its status if one is given; see ``Store.commit``."""
    if status is None:
        cursor.execute(
            "UPDATE matches SET head_seq = ? WHERE id = ? AND head_seq = ?"
            " AND status IN ('active', 'paused')",
            (head, match_id, expected),
        )
    else:
        ended = None if status in OPEN else now if ended_at is None else ended_at
        try:
            cursor.execute(
                "UPDATE matches SET head_seq = ?, status = ?, ended_at = ?"
                " WHERE id = ? AND head_seq = ? AND status <> 'lobby'",
                (head, status, ended, match_id, expected),
            )
        except sqlite3.IntegrityError as error:
            channel_id = require(cursor, match_id, None)[1]
            raise taken(cursor, channel_id, error) from error
    if cursor.rowcount == 1:
        if status in ("finished", "ended"):
            plans.leave(cursor, match_id, None)
        return
    cursor.execute("SELECT status, head_seq FROM matches WHERE id = ?", (match_id,))
    row = cursor.fetchone()
    if row is None:
        raise NoSuchMatch(match_id)
    if row[0] != "lobby" and row[1] != expected:
        raise HeadMoved(match_id, expected, row[1])
    raise WrongStatus(match_id, row[0])


def sit(
    cursor: sqlite3.Cursor,
    match_id: int,
    first: int,
    seats: Sequence[NewSeat],
    now: int,
    joined: dict[int, int] | None = None,
) -> None:
    """Let people sit down from seat ``first`` on; ``joined``: when they did, where known."""
    for number, seat in enumerate(seats, first):
        at = seat.joined_at
        if at is None:
            at = (joined or {}).get(seat.user_id, now)
        try:
            cursor.execute(
                "INSERT INTO seats (match_id, seat, user_id, name, colour, joined_at, computer)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (match_id, number, seat.user_id, seat.name, seat.colour, at, seat.computer),
            )
        except sqlite3.IntegrityError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_UNIQUE:
                raise
            raise AlreadySeated(match_id, seat.user_id) from error


def reseat(cursor: sqlite3.Cursor, match_id: int, seats: Mapping[int, NewSeat], now: int) -> None:
    """Give seats of a running match to others; a seat keeps its colour."""
    for number, seat in seats.items():
        try:
            cursor.execute(
                "UPDATE seats SET user_id = ?, name = ?, joined_at = ?, computer = ?"
                " WHERE match_id = ? AND seat = ?",
                (seat.user_id, seat.name, now, seat.computer, match_id, number),
            )
        except sqlite3.IntegrityError as error:
            raise AlreadySeated(match_id, seat.user_id) from error
        if cursor.rowcount == 0:
            raise NotSeated(f"Match {match_id} has no seat {number}.")
        plans.leave(cursor, match_id, number)


def set_timers(
    cursor: sqlite3.Cursor, match_id: int, timers: Sequence[NewTimer] | None, now: int
) -> None:
    """Replace the timers of a match; None leaves them as they are."""
    if timers is None:
        return
    cursor.execute("DELETE FROM timers WHERE match_id = ?", (match_id,))
    cursor.executemany(
        "INSERT INTO timers (match_id, seat, kind, at, data, set_at) VALUES (?,?,?,?,?,?)",
        [(match_id, t.seat, t.kind, t.at, t.data, now) for t in timers],
    )


def append(
    cursor: sqlite3.Cursor, match_id: int, first: int, entries: Sequence[NewLog], now: int
) -> None:
    """Append to the log from entry ``first`` on."""
    cursor.executemany(
        f"INSERT INTO log ({LOG}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        [
            (
                match_id,
                seq,
                entry.kind,
                entry.seat,
                entry.decision,
                entry.move,
                entry.target,
                entry.auto,
                entry.reveals,
                now if entry.at is None else entry.at,
                entry.state_hash,
                entry.actor_id,
                entry.apart,
                entry.again,
            )
            for seq, entry in enumerate(entries, first)
        ],
    )


def snap(cursor: sqlite3.Cursor, match_id: int, seq: int, snapshot: bytes) -> None:
    """Keep the state after an entry."""
    cursor.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)", (match_id, seq, snapshot))


def supersede(cursor: sqlite3.Cursor, match_id: int, kinds: Sequence[OutboxKind], now: int) -> None:
    """Drop what still waits and is of these kinds."""
    for kind in kinds:
        cursor.execute(
            "UPDATE outbox SET done_at = ?, error = 'superseded'"
            " WHERE match_id = ? AND kind = ? AND done_at IS NULL",
            (now, match_id, kind),
        )


def announce(
    cursor: sqlite3.Cursor, match_id: int, head: int, outbox: Sequence[NewOutbox], now: int
) -> None:
    """Write what is to be sent."""
    if not outbox:
        return
    cursor.executemany(
        "INSERT INTO outbox (match_id, seq, kind, seat, payload, nonce, next_at, created_at)"
        " VALUES (?,?,?,?,?,?,?,?)",
        [
            (
                match_id,
                head if row.seq is None else row.seq,
                row.kind,
                row.seat,
                row.payload,
                # Discord takes 25 characters.
                secrets.token_hex(12) if row.nonce is None else row.nonce,
                now if row.next_at is None else row.next_at,
                now,
            )
            for row in outbox
        ],
    )


def sent(cursor: sqlite3.Cursor, outbox_id: int, message_id: int | None, now: int) -> None:
    """Note that a row was sent."""
    cursor.execute(
        "UPDATE outbox SET done_at = ?, message_id = ?, error = NULL"
        " WHERE id = ? AND done_at IS NULL",
        (now, message_id, outbox_id),
    )
