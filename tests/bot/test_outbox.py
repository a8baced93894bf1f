"""The outbox by itself: order, pauses, giving up, waking and stopping. Its clock is set by hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any

import pytest_asyncio

from bot.errors import TableError
from bot.outbox import (
    FIRST_RETRY_MS,
    GIVE_UP_MS,
    LONGEST_RETRY_MS,
    Drop,
    Outbox,
    Retry,
    batches,
)
from storage.errors import DiskFull
from storage.records import NewOutbox, OutboxRow
from storage.store import Store

START = 1_000_000


class Bench:
    """An outbox with a real store, a clock and a sender that a test can script."""

    def __init__(self, store: Store, clock: list[int]) -> None:
        self.store, self.clock = store, clock
        self.sent: list[list[str]] = []
        self.answers: list[Any] = []
        self.timers: list[tuple[int, int]] = []
        self.gate: asyncio.Event | None = None
        self.outbox = Outbox(store, self.send, lambda: clock[0])
        self.outbox._later = self.later  # type: ignore[method-assign]

    def later(self, match_id: int, wait_ms: int) -> None:
        """Instead of a timer of the event loop: the test turns the clock."""
        self.timers.append((match_id, wait_ms))

    async def send(self, rows: list[OutboxRow]) -> int | None:
        if self.gate is not None:
            await self.gate.wait()
        answer = self.answers.pop(0) if self.answers else None
        if isinstance(answer, BaseException):
            raise answer
        if callable(answer):
            await answer()
        self.sent.append([row.payload for row in rows])
        return 77

    async def put(self, match: int, *rows: tuple[str, str] | tuple[str, str, int]) -> None:
        made = [
            NewOutbox(row[0], row[1], seat=row[2] if len(row) > 2 else None)  # type: ignore[arg-type, misc]
            for row in rows
        ]
        await self.store.update_settings(match, "{}", outbox=made)

    async def run(self, match: int = 1) -> None:
        """Wake and wait until the drain has ended."""
        self.outbox.wake(match)
        await self.idle()

    async def idle(self) -> None:
        while self.outbox._running:
            await asyncio.gather(*self.outbox._running.values())
            await asyncio.sleep(0)

    async def left(self, match: int = 1) -> list[str]:
        return [row.payload for row in await self.store.pending_outbox(match)]


@pytest_asyncio.fixture
async def bench() -> AsyncIterator[Bench]:
    clock = [START]
    async with await Store.open(":memory:", clock=lambda: clock[0]) as store:
        for channel in (5, 6):
            await store.create_match(
                game="paris_paris", rules_version=1, options="{}", channel_id=channel, host_id=1
            )
        yield Bench(store, clock)


async def test_rows_go_out_in_order(bench: Bench) -> None:
    await bench.put(1, ("turn", "a"), ("notice", "b"), ("turn", "c"), ("notice", "d"))
    await bench.run()
    assert bench.sent == [["a"], ["b"], ["c"], ["d"]]
    assert await bench.left() == []
    assert not bench.timers


async def test_what_can_be_told_together_is(bench: Bench) -> None:
    await bench.put(1, ("turn", "a"), ("hand", "h0", 0), ("turn", "b"), ("hand", "h1", 1))
    await bench.put(1, ("hand", "h00", 0), ("notice", "n"), ("notice", "m"), ("turn", "c"))
    await bench.run()
    assert bench.sent == [["a", "b"], ["h0", "h00"], ["h1"], ["n"], ["m"], ["c"]]


async def test_a_failed_row_holds_back_its_lane_and_no_other(bench: Bench) -> None:
    await bench.put(1, ("turn", "a"), ("hand", "h", 0), ("notice", "n"))
    bench.answers = [Retry("not now")]
    await bench.run()
    assert bench.sent == [["h"]], "hands do not wait for the channel"
    assert await bench.left() == ["a", "n"]
    assert bench.timers == [(1, FIRST_RETRY_MS)]
    await bench.run()
    assert bench.sent == [["h"]], "too early"
    bench.clock[0] += FIRST_RETRY_MS
    await bench.run()
    assert bench.sent == [["h"], ["a"], ["n"]]


async def test_pauses_grow_up_to_a_limit(bench: Bench) -> None:
    await bench.put(1, ("turn", "a"))
    pauses = []
    for _ in range(16):
        bench.answers = [Retry("no")]
        await bench.run()
        pauses.append(bench.timers[-1][1])
        bench.clock[0] += pauses[-1]
    assert pauses[0] == FIRST_RETRY_MS
    assert pauses == sorted(pauses)
    assert all(b <= 2 * a for a, b in pairwise(pauses))
    assert pauses[-1] == LONGEST_RETRY_MS
    await bench.run()
    assert bench.sent == [["a"]]


async def test_a_longer_pause_that_discord_asks_for(bench: Bench) -> None:
    await bench.put(1, ("turn", "a"))
    bench.answers = [Retry("slow down", 123_456)]
    await bench.run()
    assert bench.timers == [(1, 123_456)]


async def test_a_dropped_row_does_not_come_back(bench: Bench, logged: list[Any]) -> None:
    await bench.put(1, ("turn", "a"), ("notice", "b"))
    bench.answers = [Drop("gone")]
    await bench.run()
    assert bench.sent == [["b"]]
    assert await bench.left() == []
    (row,) = await bench.store._rows("SELECT error, done_at, message_id FROM outbox WHERE id = 1")
    assert row[0] == "gone"
    assert row[1] is not None
    assert row[2] is None
    assert [e["event"] for e in logged] == ["not sent"]


async def test_a_match_that_is_gone_drops_its_rows(bench: Bench) -> None:
    await bench.put(1, ("turn", "a"))
    bench.answers = [TableError("no such match")]
    await bench.run()
    assert await bench.left() == []


async def test_a_bug_while_sending_is_tried_again(bench: Bench, logged: list[Any]) -> None:
    await bench.put(1, ("turn", "a"))
    bench.answers = [KeyError("oops")]
    await bench.run()
    assert await bench.left() == ["a"]
    assert [e["event"] for e in logged if e["log_level"] == "error"] == ["outbox row failed"]
    logged.clear()
    bench.clock[0] += FIRST_RETRY_MS
    await bench.run()
    assert bench.sent == [["a"]]


async def test_after_a_week_it_gives_up(bench: Bench) -> None:
    await bench.put(1, ("turn", "a"))
    bench.answers = [Retry("no")]
    await bench.run()
    bench.clock[0] += GIVE_UP_MS + 1
    await bench.put(1, ("notice", "new"))
    bench.answers = [Retry("still no"), Retry("still no")]
    await bench.run()
    assert bench.sent == []
    assert await bench.left() == ["new"], "what is younger goes on being tried"


async def test_a_wake_while_sending_is_not_lost(bench: Bench) -> None:
    """A row written while the last one is sent, at any moment of it, goes out without a timer."""
    await bench.put(1, ("turn", "a"))

    async def meanwhile() -> None:
        await bench.put(1, ("notice", "b"))
        bench.outbox.wake(1)

    bench.answers = [meanwhile]
    await bench.run()
    assert bench.sent == [["a"], ["b"]]
    assert not bench.outbox._again


async def test_a_wake_as_the_drain_ends(bench: Bench) -> None:
    """The row is written after the drain has looked and before it has ended."""
    look = bench.store.pending_outbox
    late = True

    async def pending(match_id: int) -> list[OutboxRow]:
        nonlocal late
        rows = await look(match_id)
        if not rows and late:
            late = False
            await bench.put(1, ("turn", "late"))
            bench.outbox.wake(1)
        return rows

    bench.store.pending_outbox = pending  # type: ignore[method-assign]
    await bench.run()
    assert bench.sent == [["late"]]


async def test_many_wakes_make_one_task(bench: Bench) -> None:
    bench.gate = asyncio.Event()
    await bench.put(1, ("turn", "a"))
    for _ in range(50):
        bench.outbox.wake(1)
    assert len(bench.outbox._running) == 1
    bench.gate.set()
    await bench.idle()
    assert bench.sent == [["a"]]


async def test_matches_do_not_wait_for_each_other(bench: Bench) -> None:
    await bench.put(1, ("turn", "slow"))
    await bench.put(2, ("turn", "quick"))
    release = asyncio.Event()
    bench.answers = [release.wait]
    bench.outbox.wake(1)
    await asyncio.sleep(0.05)
    await asyncio.wait_for(self_drain(bench, 2), 5)
    assert bench.sent == [["quick"]]
    release.set()
    await bench.idle()
    assert bench.sent == [["quick"], ["slow"]]


async def self_drain(bench: Bench, match: int) -> None:
    bench.outbox.wake(match)
    await bench.outbox._running[match]


async def test_resume_wakes_what_waits(bench: Bench) -> None:
    await bench.put(1, ("turn", "a"))
    await bench.put(2, ("turn", "b"))
    assert await bench.outbox.resume() == 2
    await bench.idle()
    assert sorted(bench.sent) == [["a"], ["b"]]
    assert await bench.outbox.resume() == 0


async def test_resume_knows_no_limit(bench: Bench) -> None:
    """More matches than one page of the query wait after a long outage."""
    for channel in range(100, 1110):
        await bench.store.create_match(
            game="paris_paris",
            rules_version=1,
            options="{}",
            channel_id=channel,
            host_id=1,
            outbox=[NewOutbox("turn", str(channel))],
        )
    assert await bench.outbox.resume() == 1010
    await bench.idle()
    assert len(bench.sent) == 1010


async def test_a_storage_failure_is_tried_again(bench: Bench, logged: list[Any]) -> None:
    await bench.put(1, ("turn", "a"))
    real = bench.store.pending_outbox

    async def full(match_id: int) -> list[OutboxRow]:
        raise DiskFull("no room")

    bench.store.pending_outbox = full  # type: ignore[method-assign]
    await bench.run()
    assert bench.timers == [(1, FIRST_RETRY_MS)]
    assert [e["event"] for e in logged if e["log_level"] == "error"] == ["outbox stopped"]
    logged.clear()
    bench.store.pending_outbox = real  # type: ignore[method-assign]
    await bench.run()
    assert bench.sent == [["a"]]


# ---- stopping ------------------------------------------------------------------------------------


async def test_close_finishes_what_is_being_sent(bench: Bench) -> None:
    bench.gate = asyncio.Event()
    await bench.put(1, ("turn", "a"), ("notice", "b"))
    bench.outbox.wake(1)
    await asyncio.sleep(0.05)
    closing = asyncio.ensure_future(bench.outbox.close())
    await asyncio.sleep(0.05)
    assert not closing.done()
    bench.gate.set()
    await closing
    assert bench.sent == [["a"]], "no new one is begun"
    assert await bench.left() == ["b"]


async def test_close_does_not_wait_for_ever(bench: Bench) -> None:
    bench.gate = asyncio.Event()
    await bench.put(1, ("turn", "a"))
    bench.outbox.wake(1)
    await asyncio.sleep(0.05)
    await asyncio.wait_for(bench.outbox.close(seconds=0.05), 5)
    assert await bench.left() == ["a"], "it is sent after the next start"
    assert not bench.outbox._running


async def test_nothing_starts_after_close(bench: Bench) -> None:
    await bench.put(1, ("turn", "a"))
    await bench.outbox.close()
    bench.outbox.wake(1)
    assert not bench.outbox._running
    assert bench.sent == []


async def test_the_timer_wakes_by_itself() -> None:
    """With the event loop's own timer, once."""
    clock = [START]
    async with await Store.open(":memory:", clock=lambda: clock[0]) as store:
        await store.create_match(
            game="paris_paris",
            rules_version=1,
            options="{}",
            channel_id=5,
            host_id=1,
            outbox=[NewOutbox("turn", "a", next_at=START + 60)],
        )
        sent = asyncio.Event()

        async def send(rows: list[OutboxRow]) -> int | None:
            sent.set()
            return 1

        def now() -> int:
            clock[0] += 20
            return clock[0]

        outbox = Outbox(store, send, now)
        outbox.wake(1)
        await asyncio.wait_for(sent.wait(), 10)
        await outbox.close()
        assert not outbox._timers


def row(number: int, kind: str, seat: int | None = None) -> OutboxRow:
    made = dict.fromkeys(OutboxRow.__struct_fields__, 0) | {
        "id": number, "kind": kind, "seat": seat, "payload": "", "nonce": "", "error": None,
    }  # fmt: skip
    return OutboxRow(**made)


def test_batches_keep_every_row_and_each_lanes_order() -> None:
    rows = [
        row(i, kind, seat)
        for i, (kind, seat) in enumerate(
            [("turn", None), ("hand", 1), ("notice", None), ("hand", 0), ("hand", 1)] * 4
        )
    ]
    made = batches(rows)
    flat = [r.id for batch in made for r in batch]
    assert sorted(flat) == [r.id for r in rows]
    for lane in (("turn", "notice"), 0, 1):
        mine = [
            r.id
            for batch in made
            for r in batch
            if (r.kind in lane if isinstance(lane, tuple) else r.seat == lane)
        ]
        assert mine == sorted(mine)
