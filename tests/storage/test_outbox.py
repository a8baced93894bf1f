"""The outbox: nothing is lost, nothing is sent twice, in order, with later attempts."""

from __future__ import annotations

import sqlite3

from storage import NewLog, NewOutbox, OutboxRow, Store
from tests.storage.helpers import Clock, started, step


async def due(store: Store, now: int, **more: int) -> list[int]:
    return [row.id for row in await store.due_outbox(now, **more)]


async def test_order_and_retry(store: Store, clock: Clock) -> None:
    one, two = await started(store, 1), await started(store, 2)
    assert await store.next_due() is None
    for head in range(2):
        await step(store, two, head)
        clock.now += 1
        await step(store, one, head)
        clock.now += 1
    now = clock.now
    assert await due(store, now) == [1, 2, 3, 4]
    assert await due(store, now, limit=2) == [1, 2]
    assert await due(store, now, match_id=one) == [2, 4]
    assert await due(store, now - 3) == [1, 2]
    assert await store.due_matches(now) == [two, one]
    assert await store.next_due() == 1_000_000
    assert await store.pending_count() == 4

    await store.mark_failed(1, "503", now + 50)
    assert await due(store, now) == [2, 3, 4]
    assert await store.due_matches(now) == [one, two]
    assert await store.pending_count() == 4
    assert await store.pending_count(now) == 3
    await store.mark_failed(1, "503 again", now + 60)
    assert await due(store, now + 59) == [2, 3, 4]
    assert await due(store, now + 60) == [1, 2, 3, 4]  # the order is that of writing
    row: OutboxRow = (await store.pending_outbox(two))[0]
    assert (row.id, row.attempts, row.error, row.next_at, row.done_at) == (
        1,
        2,
        "503 again",
        now + 60,
        None,
    )
    nonce = row.nonce

    await store.mark_sent(1, 555)
    assert await due(store, now + 60) == [2, 3, 4]
    await store.drop_outbox(3, "the channel is gone")
    assert await store.pending_outbox(two) == []
    assert await store.due_matches(now) == [one]
    await store.mark_sent(2)
    await store.mark_sent(4)
    assert await store.next_due() is None
    assert await store.pending_count() == 0

    # What is done stays as it is.
    await store.mark_failed(1, "late", 0)
    await store.drop_outbox(1, "late")
    await store.mark_sent(1, 666)
    rows = await store._rows("SELECT id, done_at, message_id, error, nonce FROM outbox")
    assert rows[0] == (1, now, 555, None, nonce)
    assert rows[2][:4] == (3, now, None, "the channel is gone")


async def test_nonces_differ(store: Store) -> None:
    match_id = await started(store)
    for head in range(50):
        await step(store, match_id, head)
    nonces = [row.nonce for row in await store.pending_outbox(match_id)]
    assert len(set(nonces)) == 50
    assert max(map(len, nonces)) <= 25  # Discord's limit


async def test_later_and_superseded(store: Store, clock: Clock) -> None:
    match_id, other = await started(store, 1), await started(store, 2)
    later = clock.now + 86_400_000
    for match in (match_id, other):
        await store.commit(
            match,
            0,
            [NewLog("move")],
            b"",
            outbox=[NewOutbox("turn"), NewOutbox("reminder", seat=1, next_at=later)],
        )
    assert await store.pending_count() == 4
    assert await store.pending_count(clock.now) == 2
    await store.commit(
        match_id,
        1,
        [NewLog("move")],
        b"",
        supersede=["reminder"],
        outbox=[NewOutbox("reminder", seat=2, next_at=later + 5)],
    )
    assert [(r.kind, r.seat) for r in await store.pending_outbox(match_id)] == [
        ("turn", None),
        ("reminder", 2),
    ]
    assert len(await store.pending_outbox(other)) == 2
    await store.set_status(match_id, "paused", supersede=["reminder", "turn"])
    assert await store.pending_outbox(match_id) == []
    assert await store.due_matches(later) == [other]


async def test_sent_board(store: Store) -> None:
    match_id = await started(store)
    await step(store, match_id, 0)
    await step(store, match_id, 1)
    first, second = await store.pending_outbox(match_id)
    assert await store.sent_board(second.id, match_id, 1, 502, second.seq)
    # The first one was tried again and came late: it is sent, but it is not the board.
    assert not await store.sent_board(first.id, match_id, 1, 503, first.seq)
    match = await store.match(match_id)
    assert (match.board_channel_id, match.board_message_id, match.board_seq) == (1, 502, 2)
    assert await store.pending_count() == 0
    await store.set_board(match_id, None, None, None)
    assert await store.sent_board(first.id, match_id, 1, 504, first.seq)
    assert (await store.match(match_id)).board_message_id == 504


async def test_told_by(store: Store) -> None:
    match_id, other = await started(store, 1), await started(store, 2)
    for head in range(3):
        await step(store, match_id, head)
    await step(store, other, 0)
    for outbox_id, message_id in ((2, 500), (1, 500), (3, 501), (4, 500)):
        await store.mark_sent(outbox_id, message_id)
    assert await store.told_by(match_id, 500) == ['{"n":1}', '{"n":2}']
    assert await store.told_by(match_id, 502) == []

    def plan(plain: sqlite3.Connection) -> str:
        sql = "EXPLAIN QUERY PLAN SELECT payload FROM outbox WHERE message_id = 1 ORDER BY id"
        return str(plain.execute(sql).fetchall())

    assert "outbox_told" in await store._read("plan", plan)  # and not all that was ever sent


async def test_prune(store: Store, clock: Clock) -> None:
    match_id = await started(store)
    await step(store, match_id, 0)
    await step(store, match_id, 1)
    await store.mark_sent(1)
    clock.now += 100
    await step(store, match_id, 2)
    assert await store.prune(clock.now) == 3  # a sent row and two interactions
    assert [row.seq for row in await store.pending_outbox(match_id)] == [2, 3]
    assert len(await store.log(match_id)) == 4
