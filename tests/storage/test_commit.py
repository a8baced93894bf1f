"""The commit of a move: all of it or nothing, whatever happens."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from pathlib import Path

import pytest

from storage import (
    AlreadySeated,
    DiskFull,
    DuplicateInteraction,
    HeadMoved,
    NewLog,
    NewOutbox,
    NoSuchMatch,
    NotSeated,
    StorageError,
    Store,
    WrongStatus,
)
from tests.storage.helpers import (
    Clock,
    audit,
    blob,
    dump,
    interaction,
    lobby,
    script,
    started,
    step,
)


async def test_commit(store: Store, clock: Clock) -> None:
    match_id = await started(store)
    clock.now += 7
    entries = [
        NewLog(
            "move",
            seat=1,
            decision=4,
            move='{"kind":"x"}',
            state_hash="a",
            actor_id=22,
            at=1_000_003,
        ),
        NewLog("move", seat=2, move='{"kind":"y"}', auto=True, reveals=True, state_hash="b"),
    ]
    outbox = [NewOutbox("turn", '{"t":1}'), NewOutbox("hand", seat=2, seq=1, next_at=5, nonce="n")]
    assert await store.commit(match_id, 0, entries, b"state", outbox=outbox, interaction_id=77) == 2
    first, second = await store.log(match_id, 1)
    assert (first.seq, first.kind, first.seat, first.decision, first.move) == (
        1,
        "move",
        1,
        4,
        '{"kind":"x"}',
    )
    assert (first.auto, first.reveals, first.at, first.state_hash, first.actor_id) == (
        False,
        False,
        1_000_003,
        "a",
        22,
    )
    assert (second.seq, second.auto, second.reveals, second.at) == (2, True, True, clock.now)
    assert second.auto is True
    turn, hand = await store.pending_outbox(match_id)
    assert (turn.seq, turn.kind, turn.payload, turn.next_at) == (2, "turn", '{"t":1}', clock.now)
    assert len(turn.nonce) == 24
    assert (hand.seq, hand.seat, hand.next_at, hand.nonce) == (1, 2, 5, "n")
    loaded = await store.load(match_id)
    assert (loaded.match.head_seq, loaded.snapshot_seq, loaded.snapshot) == (2, 2, b"state")


async def test_finishing(store: Store, clock: Clock) -> None:
    match_id = await started(store)
    clock.now += 7
    await store.commit(match_id, 0, [NewLog("move")], b"end", status="finished")
    match = await store.match(match_id)
    assert (match.status, match.ended_at, match.head_seq) == ("finished", clock.now, 1)
    with pytest.raises(WrongStatus, match="finished"):
        await store.commit(match_id, 1, [NewLog("move")], b"more")
    await store.commit(
        match_id, 1, [NewLog("rollback", target=0)], blob(match_id, 0), status="active"
    )
    match = await store.match(match_id)
    assert (match.status, match.ended_at, match.head_seq) == ("active", None, 2)
    assert (await store.log(match_id))[-1].target == 0
    await store.commit(match_id, 2, [NewLog("care")], None, status="ended", ended_at=5)
    assert (await store.match(match_id)).ended_at == 5


async def test_head_moved(store: Store, path: Path) -> None:
    match_id = await started(store)
    await step(store, match_id, 0)
    before = dump(path)
    for expected in (0, 2):
        with pytest.raises(HeadMoved) as caught:
            await store.commit(
                match_id,
                expected,
                [NewLog("move")],
                b"",
                interaction_id=5,
                outbox=[NewOutbox("turn")],
            )
        assert (caught.value.expected, caught.value.found) == (expected, 1)
    for interaction_id in (None, 5):
        with pytest.raises(NoSuchMatch):
            await store.commit(99, 0, [NewLog("move")], b"", interaction_id=interaction_id)
    with pytest.raises(ValueError, match="entry"):
        await store.commit(match_id, 1, [], b"")
    assert dump(path) == before


async def test_only_one_of_many_at_once_wins(store: Store, path: Path) -> None:
    match_id = await started(store)
    results = await asyncio.gather(
        *(
            store.commit(match_id, 0, [NewLog("move", seat=n)], b"", interaction_id=n)
            for n in range(20)
        ),
        return_exceptions=True,
    )
    assert results.count(1) == 1
    assert sum(isinstance(result, HeadMoved) for result in results) == 19
    assert len(await store.log(match_id)) == 2


async def test_repeated_delivery(store: Store, path: Path) -> None:
    match_id = await started(store)
    await step(store, match_id, 0)
    before = dump(path)
    with pytest.raises(DuplicateInteraction) as caught:
        await step(store, match_id, 0)  # in preference to HeadMoved
    assert caught.value.interaction_id == interaction(match_id, 1)
    with pytest.raises(DuplicateInteraction):
        await store.commit(
            match_id,
            1,
            [NewLog("move"), NewLog("move")],
            b"other",
            keep_from=1,
            outbox=[NewOutbox("turn")],
            interaction_id=interaction(match_id, 1),
            status="ended",
            supersede=["turn"],
        )
    assert dump(path) == before
    assert await step(store, match_id, 1) == 2
    await store.close()
    audit(path)


async def test_late_failure_rolls_everything_back(store: Store, path: Path) -> None:
    match_id = await started(store)
    await store.commit(match_id, 0, [NewLog("move")], b"", outbox=[NewOutbox("turn", nonce="n")])
    before = dump(path)
    with pytest.raises(StorageError, match="nonce"):  # the last statement of all
        await store.commit(
            match_id,
            1,
            [NewLog("move")],
            b"new",
            keep_from=1,
            interaction_id=5,
            supersede=["turn"],
            outbox=[NewOutbox("hand"), NewOutbox("turn", nonce="n")],
        )
    nothing = [NewLog("move"), NewLog(None)]  # type: ignore[arg-type]
    with pytest.raises(StorageError, match="refused"):
        await store.commit(match_id, 1, nothing, b"new", interaction_id=5)
    assert dump(path) == before


async def test_snapshots(store: Store) -> None:
    match_id = await started(store)
    for head in range(6):
        await store.commit(match_id, head, [NewLog("move")], blob(match_id, head + 1))
    assert [seq for seq, _ in await store.snapshots_from(match_id, 0)] == [0, 1, 2, 3, 4, 5, 6]
    assert await store.snapshot(match_id, 3) == (3, blob(match_id, 3))
    await store.commit(match_id, 6, [NewLog("move")] * 2, blob(match_id, 8), keep_from=4)
    assert [seq for seq, _ in await store.snapshots_from(match_id, 0)] == [4, 5, 6, 8]
    assert await store.snapshots_from(match_id, 6) == [
        (6, blob(match_id, 6)),
        (8, blob(match_id, 8)),
    ]
    assert await store.snapshot(match_id, 7) == (6, blob(match_id, 6))
    assert await store.snapshot(match_id, 3) is None
    # Care touches no state: the newest snapshot stays, even if none is to be kept.
    await store.commit(match_id, 8, [NewLog("care")], None, keep_from=99)
    assert [seq for seq, _ in await store.snapshots_from(match_id, 0)] == [8]
    loaded = await store.load(match_id)
    assert (loaded.match.head_seq, loaded.snapshot_seq) == (9, 8)


async def test_substitute(store: Store, path: Path, clock: Clock) -> None:
    match_id = await started(store)
    entry = NewLog("care", seat=0, move='{"by":44}', actor_id=11)
    before = dump(path)
    for error, arguments in (
        (AlreadySeated, (match_id, 0, 0, 22, "Bo")),
        (NotSeated, (match_id, 0, 7, 44, "Di")),
        (HeadMoved, (match_id, 1, 0, 44, "Di")),
        (NoSuchMatch, (99, 0, 0, 44, "Di")),
        (WrongStatus, (await lobby(store, 2), 0, 0, 44, "Di")),
    ):
        with pytest.raises(error):
            await store.substitute(*arguments, entry, outbox=[NewOutbox("notice")])
    await store.set_status(2, "ended")
    clock.now += 3
    assert (
        await store.substitute(
            match_id, 0, 0, 44, "Di", entry, outbox=[NewOutbox("notice")], interaction_id=5
        )
        == 1
    )
    seat = (await store.seats(match_id))[0]
    assert (seat.user_id, seat.name, seat.colour, seat.joined_at) == (44, "Di", "blue", clock.now)
    assert [m.id for m in await store.matches_of(44)] == [match_id]
    assert await store.matches_of(11) == []
    assert (await store.log(match_id, 1))[0].kind == "care"
    assert await store.snapshot(match_id) == (0, blob(match_id, 0))
    assert len(dump(path)) > len(before)


async def test_cancelled_in_mid_commit(store: Store, path: Path) -> None:
    match_id = await started(store)
    draw = random.Random(4)
    applied = 0
    for _ in range(300):
        head = (await store.match(match_id)).head_seq
        move = asyncio.create_task(step(store, match_id, head))
        for _ in range(draw.randrange(4)):
            await asyncio.sleep(draw.choice([0, 0.0001, 0.0003]))
        move.cancel()
        try:
            await move
        except asyncio.CancelledError:
            pass
        # Whoever reads next sees the commit as a whole, or nothing of it.
        after = (await store.match(match_id)).head_seq
        assert after in (head, head + 1)
        assert not store._connection.in_transaction
        applied += after > head
    assert 0 < applied <= 300
    await store.close()
    assert audit(path) == {match_id: applied}


async def test_many_writers_at_once(store: Store, path: Path) -> None:
    matches = [await started(store, channel) for channel in range(20)]

    async def play(match_id: int) -> None:
        head = 0
        for _ in range(20):
            head = await step(store, match_id, head)

    await asyncio.gather(*map(play, matches))
    await store.close()
    assert audit(path) == dict.fromkeys(matches, 20)


# ------------------------------------------------------------------ no room


async def test_disk_full(store: Store, path: Path) -> None:
    match_id = await started(store)
    await step(store, match_id, 0)

    def limit(plain: sqlite3.Connection, more: int) -> None:
        pages = plain.execute("PRAGMA page_count").fetchone()[0]
        plain.execute(f"PRAGMA max_page_count = {pages + more}")

    await store._read("limit", lambda plain: limit(plain, 3))
    head, before = 1, dump(path)

    async def fill() -> None:
        nonlocal head, before
        while head < 100:
            before = dump(path)
            head = await step(store, match_id, head)

    with pytest.raises(DiskFull, match="Free some disk space"):
        await fill()
    assert dump(path) == before
    assert (await store.match(match_id)).head_seq == head
    await store._read("limit", lambda plain: limit(plain, 1_000_000))
    assert await step(store, match_id, head) == head + 1
    await store.close()
    assert audit(path) == {match_id: head + 1}


async def test_file_cannot_grow(path: Path) -> None:
    async with await Store.open(path) as store:
        match_id = await started(store)
    process = script(["nospace", path])
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    *acknowledged, failure, after = out.splitlines()
    assert acknowledged
    assert failure.startswith("failed: ")
    assert str(path) in failure
    head = len(acknowledged)
    assert acknowledged[-1] == f"{match_id} {head}"
    assert after == f"{match_id} {head + 1}"
    assert audit(path) == {match_id: head + 1}


# ------------------------------------------------------------------ kill -9


async def test_killed_at_every_statement_of_a_commit(path: Path) -> None:
    async with await Store.open(path) as store:
        match_id = await started(store)
        head = 0
        for _ in range(5):
            head = await step(store, match_id, head)
    interrupted = 0
    while True:
        process = script(["statement", path, interrupted + 1])
        out, err = process.communicate(timeout=60)
        assert process.returncode == -9, err
        if out:
            break
        interrupted += 1
        assert audit(path) == {match_id: head}  # no trace of the move
        async with await Store.open(path) as store:
            assert len(await store.pending_outbox(match_id)) == head
    assert interrupted >= 8  # so many statements were interrupted
    assert out == f"{match_id} {head + 1}\n"
    assert audit(path) == {match_id: head + 1}  # the move, and its announcement still to be sent


async def test_killed_at_random(path: Path) -> None:
    async with await Store.open(path) as store:
        for channel in range(5):
            await started(store, channel)
    draw = random.Random()
    total = 0
    for _ in range(8):
        process = script(["loop", path])
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        await asyncio.sleep(draw.uniform(0.01, 0.25))
        process.kill()
        out, _ = process.communicate(timeout=60)
        acknowledged: dict[int, int] = {}
        for line in out.splitlines():
            match_id, head = map(int, line.split())
            acknowledged[match_id] = head
            total += 1
        async with await Store.open(path) as store:  # as the next start of the bot would
            await store.pending_count()
        heads = audit(path)
        for match_id, head in acknowledged.items():
            # What was done and not yet told is one move at most.
            assert heads[match_id] in (head, head + 1)
    assert total > 0
