"""Rows of the database. Times are unix milliseconds; JSON texts and blobs are never looked into."""

from __future__ import annotations

from typing import Literal

import msgspec

from storage.plans import PlanRow

Status = Literal["lobby", "active", "paused", "frozen", "finished", "ended"]
"""Of a match: gathering players; being played; halted by the table; halted by an engine bug;
played to its end; called off."""

OPEN: tuple[Status, ...] = ("lobby", "active", "paused", "frozen")
"""Statuses in which a match occupies its channel."""

LogKind = Literal["start", "move", "undo", "rollback", "care"]
OutboxKind = Literal["turn", "hand", "notice", "reminder", "call", "check"]
TimerKind = Literal["clock", "remind", "vacation"]
"""When a seat's time runs out; when it is reminded next; when it is back."""


class MatchRow(msgspec.Struct, frozen=True):
    """A match.

    Attributes:
        id: number of the match; never used twice.
        game: registry key of the game.
        rules_version: the rules that the match is played by.
        options: JSON object.
        guild_id: Discord server; None in a direct message.
        channel_id: channel or thread that is the table.
        host_id: Discord user who may start and care for the match.
        status: see :data:`Status`.
        seed: hexadecimal, **secret** while the match is open; None before the start.
        commitment: SHA-256 of the seed, public; None before the start.
        head_seq: newest entry of the log; 0 is the start. Means nothing in a lobby.
        created_at: when the lobby was opened.
        started_at: when the match started.
        ended_at: when it was finished or called off.
        board_channel_id: channel of the newest board message.
        board_message_id: newest board message: the one with live buttons.
        board_seq: entry that this board shows.
        report: id of the bug report that froze the match.
        settings: JSON object: deadlines and other things that are no rules.
    """

    id: int
    game: str
    rules_version: int
    options: str
    guild_id: int | None
    channel_id: int
    host_id: int
    status: Status
    seed: str | None
    commitment: str | None
    head_seq: int
    created_at: int
    started_at: int | None
    ended_at: int | None
    board_channel_id: int | None
    board_message_id: int | None
    board_seq: int | None
    report: str | None
    settings: str

    @property
    def open(self) -> bool:
        """Whether the match occupies its channel."""
        return self.status in OPEN

    def __repr__(self) -> str:  # the seed must not reach a log file or a traceback
        return f"<match {self.id} {self.game} {self.status} at {self.head_seq}>"


class NewSeat(msgspec.Struct, frozen=True):
    """A seat to be taken.

    Attributes:
        user_id: Discord user; 0 or below is a computer player.
        name: shown in pictures and texts.
        colour: chosen by the player, if any.
        joined_at: None is now.
        computer: which automatic player it is; None is a person.
    """

    user_id: int
    name: str
    colour: str | None = None
    joined_at: int | None = None
    computer: str | None = None


class SeatRow(msgspec.Struct, frozen=True):
    """A seat and who sits on it; see :class:`NewSeat`."""

    match_id: int
    seat: int
    user_id: int
    name: str
    colour: str | None
    joined_at: int
    computer: str | None = None


class NewTimer(msgspec.Struct, frozen=True):
    """Something that will happen at a table when time passes.

    Attributes:
        seat: whom it is about.
        kind: what it is; one of a kind for each seat.
        at: when it is due (unix milliseconds); None while it stands still.
        data: JSON object.
    """

    seat: int
    kind: TimerKind
    at: int | None
    data: str = "{}"


class TimerRow(msgspec.Struct, frozen=True):
    """A timer of a match; see :class:`NewTimer`."""

    match_id: int
    seat: int
    kind: TimerKind
    at: int | None
    data: str


class NewLog(msgspec.Struct, frozen=True):
    """An entry to be appended to the log.

    Attributes:
        kind: the start, a move, a step taken back by its player, a return that the table agreed
            to, or care (a substitution, a pause: things that do not touch the state).
        seat: who moved; None where nobody did.
        decision: id of the decision that the move answered.
        move: JSON of the move; of care: JSON of what was done.
        target: of undo and rollback: the entry whose state comes back.
        auto: played by the engine.
        reveals: made something hidden known, so that undo stops here.
        state_hash: of the state after it.
        actor_id: Discord user who did it; None for the engine and the clock.
        at: None is now.
        apart: the simultaneous step that a move belongs to; empty for a move in turn.
        again: of undo: JSON list of the entries that were made once more; empty if none.
    """

    kind: LogKind
    seat: int | None = None
    decision: int | None = None
    move: str | None = None
    target: int | None = None
    auto: bool = False
    reveals: bool = False
    state_hash: str = ""
    actor_id: int | None = None
    at: int | None = None
    apart: str = ""
    again: str = ""


class LogRow(msgspec.Struct, frozen=True):
    """An entry of the log; see :class:`NewLog`. The start is entry 0, then 1, 2, 3 …"""

    match_id: int
    seq: int
    kind: LogKind
    seat: int | None
    decision: int | None
    move: str | None
    target: int | None
    auto: bool
    reveals: bool
    at: int
    state_hash: str
    actor_id: int | None
    apart: str
    again: str


class NewOutbox(msgspec.Struct, frozen=True):
    """Something to be sent after the commit.

    Attributes:
        kind: a board for the channel, a hand for one seat, a text for the channel, or a reminder.
        payload: JSON object.
        seat: whom it is for or about.
        seq: the entry it tells about; None is the newest entry of the commit.
        nonce: sent along so that a retry does not post twice; None makes one of 24 characters.
        next_at: not to be sent earlier; None is at once.
    """

    kind: OutboxKind
    payload: str = "{}"
    seat: int | None = None
    seq: int | None = None
    nonce: str | None = None
    next_at: int | None = None


class OutboxRow(msgspec.Struct, frozen=True):
    """Something to be sent; see :class:`NewOutbox`.

    Attributes:
        attempts: how often sending failed.
        created_at: when the row was written.
        done_at: when it was sent or dropped; None while it waits.
        message_id: the message that it became.
        error: why the latest attempt failed, or why it was dropped.
    """

    id: int
    match_id: int
    seq: int
    kind: OutboxKind
    seat: int | None
    payload: str
    nonce: str
    attempts: int
    next_at: int
    created_at: int
    done_at: int | None
    message_id: int | None
    error: str | None


class PlayerRow(msgspec.Struct, frozen=True):
    """What is remembered of a person.

    Attributes:
        prefs: JSON object; ``{}`` for who was never seen.
        dm_closed: the latest direct message was refused.
        updated_at: 0 for who was never seen.
    """

    user_id: int
    prefs: str = "{}"
    dm_closed: bool = False
    updated_at: int = 0


class Loaded(msgspec.Struct, frozen=True):
    """A match with all that is needed to play on, read at one instant.

    Attributes:
        match: the match.
        seats: in order.
        snapshot_seq: the entry after which the newest snapshot was taken. It may be smaller than
            ``match.head_seq`` if only care entries came after it: the state is the same.
        snapshot: the newest snapshot; None in a lobby.
        timers: what time will bring, by seat.
        plans: what players have planned, in order; only their owners may see them.
    """

    match: MatchRow
    seats: list[SeatRow]
    snapshot_seq: int | None
    snapshot: bytes | None
    timers: list[TimerRow] = []
    plans: list[PlanRow] = []
