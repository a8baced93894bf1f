# ruff: noqa: ASYNC240 - a test may block
"""Migrations: from nothing and from every older schema, each whole or not at all.

``schemas/NNNN.sql`` is a database of that version with something in every table. For a new
version: ``python -m tests.storage.test_schema`` writes the file of the newest one.
"""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from pathlib import Path

import pytest

from storage import DatabaseDamaged, NewLog, NewOutbox, NewTimer, Store
from storage.plans import NewPlan
from storage.results import NewResult, SeatResult
from storage.schema import APPLICATION_ID, Migration, load_migrations, migrate
from tests.storage.helpers import Clock, blob, read, script, started, step

SCHEMAS = Path(__file__).with_name("schemas")
VERSIONS = sorted(SCHEMAS.glob("*.sql"))


def schema(path: Path) -> list[tuple[str, str]]:
    return read(path, "SELECT name, sql FROM sqlite_master ORDER BY name")


def new(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def test_every_version_has_a_database() -> None:
    assert [int(file.stem) for file in VERSIONS] == [m.version for m in load_migrations()]


async def test_empty_file(path: Path) -> None:
    path.touch()
    async with await Store.open(path) as store:
        assert await started(store) == 1
    assert read(path, "PRAGMA user_version") == [(len(load_migrations()),)]
    assert read(path, "PRAGMA application_id") == [(APPLICATION_ID,)]


@pytest.mark.parametrize("file", VERSIONS, ids=lambda file: file.stem)
async def test_older_schema(file: Path, path: Path, tmp_path: Path, clock: Clock) -> None:
    old = new(path)
    old.executescript(file.read_text("utf-8"))
    old.close()
    tables = {row[0] for row in read(path, "SELECT name FROM sqlite_master WHERE type = 'table'")}
    counts = {table: read(path, f"SELECT count(*) FROM {table}") for table in tables}
    assert all(count[0][0] for count in counts.values()), "something in every table"

    async with await Store.open(path, clock=clock) as store:
        fresh = tmp_path / "fresh.db"
        await (await Store.open(fresh)).close()
        assert schema(path) == schema(fresh)
        match = await store.match(1)
        assert (match.game, match.status, match.head_seq, match.seed) == (
            "paris_paris",
            "active",
            2,
            "5eed",
        )
        assert [seat.name for seat in await store.seats(1)] == ["Ada", "Bo", "Cy"]
        assert [entry.kind for entry in await store.log(1)] == ["start", "move", "move"]
        assert await store.snapshot(1) == (2, blob(1, 2))
        assert [row.kind for row in await store.pending_outbox(1)] == ["turn"]
        assert await store.seen_interaction(1_000_001)
        assert (await store.player(11)).prefs == '{"lang":"de"}'
        assert await store.guild_settings(9) == '{"ping":true}'
        assert (await store.match(2)).status == "finished"
        timers = [(t.seat, t.kind, t.at) for t in (await store.load(1)).timers]
        assert timers == ([(1, "clock", 5_000_000)] if "timers" in tables else [])
        plans = [(p.seat, p.user_id, p.command) for p in (await store.load(1)).plans]
        assert plans == ([(1, 22, "open")] if "plans" in tables else [])
        assert all(seat.computer is None for seat in await store.seats(1))
        assert await step(store, 1, 2) == 3
    assert read(path, "PRAGMA foreign_key_check") == []


NEXT = Migration(
    len(load_migrations()) + 1, "next", "CREATE TABLE more (a INT); ALTER TABLE guilds ADD b;"
)


def test_migrations_run_once_and_in_order(path: Path) -> None:
    plain = new(path)
    steps = load_migrations()
    assert migrate(plain, path) == 0
    assert migrate(plain, path) == len(steps)
    assert migrate(plain, path, [*steps, NEXT]) == len(steps)
    assert migrate(plain, path, [*steps, NEXT]) == NEXT.version
    plain.close()


def test_failing_migration_leaves_the_version_before(path: Path) -> None:
    plain = new(path)
    migrate(plain, path)
    before = schema(path)
    bad = Migration(NEXT.version, "bad", NEXT.sql + "INSERT INTO nowhere VALUES (1);")
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        migrate(plain, path, [*load_migrations(), bad])
    assert not plain.in_transaction
    assert schema(path) == before
    dangling = Migration(NEXT.version, "dangling", "INSERT INTO interactions VALUES (1, 77, 0);")
    with pytest.raises(DatabaseDamaged, match="refer"):
        migrate(plain, path, [*load_migrations(), dangling])
    assert read(path, "PRAGMA user_version") == [(len(load_migrations()),)]
    assert read(path, "SELECT * FROM interactions") == []
    plain.close()


async def test_killed_while_migrating(tmp_path: Path) -> None:
    count = 0
    while True:
        count += 1
        path = tmp_path / f"{count}.db"
        process = script(["migrate", path, count])
        out, err = process.communicate(timeout=60)
        assert process.returncode in (0, -9), err
        if process.returncode == 0:
            assert out == "done\n"
            break
        # Each step whole or not at all: what is there is exactly some version.
        whole = tmp_path / f"whole{count}.db"
        plain = new(whole)
        migrate(plain, whole, load_migrations()[: read(path, "PRAGMA user_version")[0][0]])
        plain.close()
        assert schema(path) == schema(whole)
        async with await Store.open(path) as store:
            assert await started(store) == 1
    assert count > 15  # so many statements were interrupted


async def sample(path: Path) -> None:
    """Something in every table."""
    async with await Store.open(path, clock=Clock()) as store:
        match_id = await started(store)
        await step(store, match_id, 0)
        row = (await store.pending_outbox(match_id))[0]
        await store.sent_board(row.id, match_id, 1, 555, 1)
        await step(store, match_id, 1)
        other = await started(store, 2)
        end = [NewLog("move", seat=0, move="{}", reveals=True, state_hash="end")]
        await store.commit(
            other,
            0,
            end,
            b"end",
            status="finished",
            outbox=[NewOutbox("notice", nonce="n")],
            result=NewResult(
                9,
                "paris_paris",
                (SeatResult(0, 11, "Ada", 1, 40), SeatResult(1, 12, "Bo", 2, 30)),
            ),
        )
        await store.set_timers(match_id, [NewTimer(1, "clock", 5_000_000)])
        await store.add_plan(match_id, NewPlan(1, 22, "open", '{"tile":"louvre/blue"}', "free"))
        await store.beat(1_000_000, 0)
        await store.set_prefs(11, '{"lang":"de"}')
        await store.set_guild_settings(9, '{"ping":true}')


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sample.db"
        asyncio.run(sample(path))
        plain = new(path)
        plain.execute("INSERT INTO marks VALUES ('copied', 1)")
        version = plain.execute("PRAGMA user_version").fetchone()[0]
        text = "\n".join(plain.iterdump())
        plain.close()
        for pragma, value in (("user_version", version), ("application_id", APPLICATION_ID)):
            text += f"\nPRAGMA {pragma} = {value};"
        (SCHEMAS / f"{version:04}.sql").write_text(text + "\n", "utf-8")
