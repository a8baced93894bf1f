"""Sends what the commits have left to be sent: at least once, in order, and not twice.

A task is started when there is something to send and ends when there is nothing more; what has to
wait is woken by a timer. No task waits for ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from bot.errors import TableError
from bot.logs import get_logger
from storage.errors import StorageError
from storage.records import OutboxRow
from storage.store import Store

log = get_logger(__name__)

FIRST_RETRY_MS = 2_000
LONGEST_RETRY_MS = 3_600_000
ALONE = frozenset({"notice", "call"})
"""Kinds of rows that are never told together in one message."""

HEAD_START = 20
"""Rounds of the event loop that a commit's own acknowledgement gets before its board is drawn: the
answer to the player is on the wire by then."""

GIVE_UP_MS = 7 * 24 * 3_600_000
"""A post that could not be delivered for a week is dropped; the match itself waits on."""


class Retry(Exception):
    """Sending failed for now.

    Args:
        reason: for the log and the row.
        after_ms: not earlier than this; None = the usual growing pause.
    """

    def __init__(self, reason: str, after_ms: int | None = None) -> None:
        super().__init__(reason)
        self.after_ms = after_ms


class Drop(Exception):
    """Sending will never succeed (a closed DM, a deleted channel)."""


Send = Callable[[list[OutboxRow]], Awaitable[int | None]]
"""Sends rows of one kind and lane as one message, the newest last. Returns the message id."""


def lane_of(row: OutboxRow) -> object:
    """Rows of one lane keep their order: a seat's private ones, or the channel's."""
    if row.kind == "reminder":
        return ("reminder", row.seat)  # it may wait for the end of quiet hours
    if row.kind in ("call", "check"):
        return (row.kind, row.seat)
    return row.seat if row.kind == "hand" else "channel"


def batches(rows: list[OutboxRow]) -> list[list[OutboxRow]]:
    """Rows in order, with those of a lane that can be told in one message together."""
    made: list[list[OutboxRow]] = []
    open_: dict[object, list[OutboxRow]] = {}
    for row in rows:
        batch = open_.get(lane_of(row))
        if batch is not None and batch[0].kind == row.kind and row.kind not in ALONE:
            batch.append(row)
            continue
        batch = open_[lane_of(row)] = [row]
        made.append(batch)
    return made


class Outbox:
    """Drains outbox rows, one task a match.

    Args:
        store: the database.
        send: does the sending; raises :class:`Retry` or :class:`Drop`.
        clock: unix milliseconds.
    """

    def __init__(self, store: Store, send: Send, clock: Callable[[], int]) -> None:
        self._store = store
        self._send = send
        self._clock = clock
        self._running: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._closed = False

    def wake(self, match_id: int) -> None:
        """Something of this match is to be sent."""
        if self._closed:
            return
        if match_id in self._running:
            self._again.add(match_id)
            return
        timer = self._timers.pop(match_id, None)
        if timer is not None:
            timer.cancel()
        task = asyncio.get_running_loop().create_task(
            self._drain(match_id), name=f"outbox-{match_id}"
        )
        self._running[match_id] = task
        task.add_done_callback(lambda _: self._ended(match_id))

    async def resume(self) -> int:
        """Wake every match that has something to be sent (after a start).

        Returns:
            How many matches were woken.
        """
        waiting = await self._store.due_matches(1 << 62, limit=1 << 31)
        for match_id in waiting:
            self.wake(match_id)
        return len(waiting)

    def _ended(self, match_id: int) -> None:
        self._running.pop(match_id, None)
        if match_id in self._again:
            self._again.discard(match_id)
            self.wake(match_id)

    async def _drain(self, match_id: int) -> None:
        try:
            for _ in range(HEAD_START):
                await asyncio.sleep(0)
            while not self._closed:
                rows = await self._store.pending_outbox(match_id)
                if not rows:
                    return
                now = self._clock()
                sent, wait = await self._pass(rows, now)
                if not sent:
                    self._later(match_id, wait)
                    return
        except StorageError as error:
            log.error("outbox stopped", match=match_id, error=str(error))
            self._later(match_id, FIRST_RETRY_MS)
        except Exception as error:
            # Whatever it was, the match must not fall silent until its next move.
            log.error("outbox stopped", match=match_id, exc_info=error)
            self._later(match_id, LONGEST_RETRY_MS)

    async def _pass(self, rows: list[OutboxRow], now: int) -> tuple[bool, int]:
        """Send what is due, each lane in its order and no lane waiting for another.

        Returns:
            Whether something was sent or dropped, and milliseconds until the next is due.
        """
        lanes: dict[object, list[list[OutboxRow]]] = {}
        for batch in batches(rows):
            lanes.setdefault(lane_of(batch[0]), []).append(batch)
        ends = await asyncio.gather(
            *(self._lane(waiting, now) for waiting in lanes.values()), return_exceptions=True
        )
        moved = False
        wait = LONGEST_RETRY_MS
        for end in ends:
            if isinstance(end, BaseException):
                raise end
            moved = moved or end[0]
            wait = min(wait, end[1])
        return moved, wait

    async def _lane(self, waiting: list[list[OutboxRow]], now: int) -> tuple[bool, int]:
        """Send the batches of one lane; one that has to wait holds back those after it.

        A batch is due when any row of it is: what is new brings along what failed before, so that
        a move after a long outage need not wait for the end of a pause that has grown to an hour.
        """
        moved = False
        for batch in waiting:
            if self._closed:
                break
            due = min(row.next_at for row in batch)
            if due > now:
                return moved, due - now
            done, pause = await self._one(batch)
            if not done:
                return moved, pause
            moved = True
        return moved, LONGEST_RETRY_MS

    async def _one(self, batch: list[OutboxRow]) -> tuple[bool, int]:
        row = batch[-1]
        try:
            message_id = await self._send(batch)
        except Retry as error:
            return await self._failed(batch, str(error), error.after_ms)
        except (Drop, TableError) as error:
            log.info("not sent", match=row.match_id, kind=row.kind, reason=str(error))
            for old in batch:
                await self._store.drop_outbox(old.id, str(error)[:200])
            return True, 0
        except StorageError:
            raise
        except Exception as error:
            log.error("outbox row failed", match=row.match_id, kind=row.kind, exc_info=error)
            return await self._failed(batch, type(error).__name__, None)
        # The oldest one last: its nonce went with the message, so after a crash in between it is
        # the one that finds the message again.
        for old in reversed(batch):
            await self._store.mark_sent(old.id, message_id)
        return True, 0

    async def _failed(
        self, batch: list[OutboxRow], reason: str, after: int | None
    ) -> tuple[bool, int]:
        now = self._clock()
        first = batch[0]
        if now - first.created_at > GIVE_UP_MS:
            for row in batch:
                await self._store.drop_outbox(row.id, f"gave up: {reason}"[:200])
            return True, 0
        growing = min(FIRST_RETRY_MS << min(first.attempts, 11), LONGEST_RETRY_MS)
        pause = max(after or 0, growing)
        log.warning(
            "will send again",
            match=first.match_id,
            kind=first.kind,
            reason=reason,
            seconds=pause / 1000,
        )
        for row in batch:
            await self._store.mark_failed(row.id, reason[:200], now + pause)
        return False, pause

    def _later(self, match_id: int, wait_ms: int) -> None:
        if self._closed:
            return
        old = self._timers.pop(match_id, None)
        if old is not None:
            old.cancel()
        self._timers[match_id] = asyncio.get_running_loop().call_later(
            max(wait_ms, 50) / 1000, self._timer, match_id
        )

    def _timer(self, match_id: int) -> None:
        self._timers.pop(match_id, None)
        self.wake(match_id)

    async def close(self, seconds: float = 7.0) -> None:
        """Finish what is being sent, then stop; the rest is sent after the next start.

        Args:
            seconds: longest time to wait.
        """
        self._closed = True
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        tasks = list(self._running.values())
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
