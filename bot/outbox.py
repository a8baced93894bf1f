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


Send = Callable[[OutboxRow, bool], Awaitable[int | None]]
"""Sends a row; the flag says that no newer board row of the match waits. Returns the message id."""


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
        waiting = await self._store.due_matches(1 << 62)
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

    async def _pass(self, rows: list[OutboxRow], now: int) -> tuple[bool, int]:
        """Send what is due; a row of the channel that has to wait holds back those after it.

        Returns:
            Whether something was sent or dropped, and milliseconds until the next is due.
        """
        blocked: set[object] = set()
        moved = False
        wait = LONGEST_RETRY_MS
        newest = max((row.id for row in rows if row.kind == "turn"), default=0)
        for row in rows:
            lane: object = row.seat if row.kind in ("hand", "reminder") else "channel"
            if lane in blocked:
                continue
            if row.next_at > now:
                blocked.add(lane)
                wait = min(wait, row.next_at - now)
                continue
            if self._closed:
                break
            done, pause = await self._one(row, row.kind != "turn" or row.id == newest)
            moved = moved or done
            if not done:
                blocked.add(lane)
                wait = min(wait, pause)
        return moved, wait

    async def _one(self, row: OutboxRow, newest: bool) -> tuple[bool, int]:
        try:
            message_id = await self._send(row, newest)
        except Retry as error:
            return await self._failed(row, str(error), error.after_ms)
        except (Drop, TableError) as error:
            log.info("not sent", match=row.match_id, kind=row.kind, reason=str(error))
            await self._store.drop_outbox(row.id, str(error)[:200])
            return True, 0
        except asyncio.CancelledError:
            raise
        except StorageError:
            raise
        except Exception as error:
            log.error("outbox row failed", match=row.match_id, kind=row.kind, exc_info=error)
            return await self._failed(row, type(error).__name__, None)
        await self._store.mark_sent(row.id, message_id)
        return True, 0

    async def _failed(self, row: OutboxRow, reason: str, after: int | None) -> tuple[bool, int]:
        now = self._clock()
        if now - row.created_at > GIVE_UP_MS:
            await self._store.drop_outbox(row.id, f"gave up: {reason}"[:200])
            return True, 0
        pause = max(after or 0, min(FIRST_RETRY_MS << min(row.attempts, 11), LONGEST_RETRY_MS))
        log.warning(
            "will send again", match=row.match_id, kind=row.kind, reason=reason, seconds=pause / 1000
        )
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

    async def close(self, seconds: float = 8.0) -> None:
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
