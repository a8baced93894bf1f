# ruff: noqa: ASYNC240 - a test may block
"""Opening: one process a file, and one clear sentence where it cannot be opened."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from pathlib import Path

import pytest

from storage import (
    DatabaseDamaged,
    DatabaseInUse,
    DatabaseLocked,
    SchemaTooNew,
    StorageError,
    Store,
)
from tests.storage.helpers import lobby, read, script, started, step


async def test_pragmas(store: Store, path: Path) -> None:
    def pragmas(plain: sqlite3.Connection) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        return [plain.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    assert await store._read("pragmas", pragmas) == ["wal", 2, 1, 200]


async def test_second_process_is_refused_until_the_first_is_killed(path: Path) -> None:
    holder = script(["hold", path])
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        with pytest.raises(DatabaseInUse, match=str(holder.pid)) as caught:
            await Store.open(path)
        assert str(path) in str(caught.value)
    finally:
        holder.kill()
        holder.communicate()
    async with await Store.open(path) as store:
        await lobby(store)


async def test_second_store_and_second_name_are_refused(store: Store, path: Path) -> None:
    other = path.with_name("other.db")
    other.symlink_to(path)
    for name in (path, other, str(path)):
        with pytest.raises(DatabaseInUse):
            await Store.open(name)


async def test_reopening(path: Path) -> None:
    async with await Store.open(path) as store:
        match_id = await started(store)
    await store.close()
    with pytest.raises(StorageError, match="closed"):
        await store.match(match_id)
    with pytest.raises(StorageError, match="closed"):
        await store.backup(path.with_name("copy.db"))
    async with await Store.open(path) as store:
        assert (await store.match(match_id)).status == "active"


async def test_closing_finishes_what_was_asked_for(path: Path) -> None:
    store = await Store.open(path)
    match_id = await started(store)
    move = asyncio.create_task(step(store, match_id, 0))
    await asyncio.sleep(0)
    await store.close()
    assert await move == 1
    assert read(path, "SELECT head_seq FROM matches") == [(1,)]


async def test_memory_needs_no_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with await Store.open(":memory:") as one, await Store.open(":memory:") as two:
        assert await started(one) == await started(two) == 1
        await one.backup("copy.db")
    assert [file.name for file in tmp_path.iterdir()] == ["copy.db"]
    async with await Store.open("copy.db") as store:
        assert (await store.match(1)).status == "active"


async def test_missing_folder_and_folder_as_file(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="folder exists"):
        await Store.open(tmp_path / "none" / "piazza.db")
    with pytest.raises(StorageError, match="is a folder"):
        await Store.open(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("what", ["folder", "file", "hidden"])
async def test_unwritable(what: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "piazza.db"
        await (await Store.open(path)).close()
        before = path.read_bytes()
        path.with_name("piazza.db.lock").chmod(0o666)
        path.chmod(0o444)
        folder.chmod({"folder": 0o555, "file": 0o777, "hidden": 0o600}[what])
        if what == "folder":
            path = folder / "new.db"
        process = script(["readonly", path])
        out, err = process.communicate(timeout=60)
        folder.chmod(0o755)
        if "ready\n" not in out:
            pytest.skip(f"another user cannot run Python here: {err}")
        assert out.startswith("ready\nrefused: "), (out, err)
        assert "writable" in out
        assert (folder / "piazza.db").read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"no database at all" * 1000, b"SQLite format 3\0" + b"x" * 5000]
)
async def test_no_database(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(DatabaseDamaged):
        await Store.open(path)
    assert path.read_bytes() == content
    path.unlink()
    await (await Store.open(path)).close()  # the lock was given back


async def test_damaged_database(path: Path) -> None:
    async with await Store.open(path) as store:
        for channel in range(50):
            await started(store, channel)
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(DatabaseDamaged, match="Restore a backup"):
        await Store.open(path)


async def test_damaged_page(path: Path) -> None:
    async with await Store.open(path) as store:
        match_id = await started(store)
    root = read(path, "SELECT rootpage FROM sqlite_master WHERE name = 'matches'")[0][0]
    content = bytearray(path.read_bytes())
    content[(root - 1) * 4096 : root * 4096] = b"\xff" * 4096
    path.write_bytes(content)
    async with await Store.open(path) as store:
        with pytest.raises(DatabaseDamaged, match="Restore a backup"):
            await store.match(match_id)


async def test_somebody_elses_database(path: Path) -> None:
    plain = sqlite3.connect(path)
    plain.execute("CREATE TABLE recipes (name TEXT)")
    plain.close()
    before = path.read_bytes()
    with pytest.raises(DatabaseDamaged, match="not one of Piazza"):
        await Store.open(path)
    assert path.read_bytes() == before


async def test_newer_schema(path: Path) -> None:
    await (await Store.open(path)).close()
    plain = sqlite3.connect(path)
    plain.execute("PRAGMA user_version = 99")
    plain.close()
    with pytest.raises(SchemaTooNew, match="99") as caught:
        await Store.open(path)
    assert caught.value.found == 99
    assert read(path, "PRAGMA user_version") == [(99,)]


async def test_locked_by_another_program(store: Store, path: Path) -> None:
    match_id = await started(store)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(DatabaseLocked, match="Another program"):
        await step(store, match_id, 0)
    assert (await store.match(match_id)).head_seq == 0  # reading goes on
    other.execute("ROLLBACK")
    other.close()
    assert await step(store, match_id, 0) == 1


async def test_cancelled_opening_gives_the_lock_back(path: Path) -> None:
    for turns in range(6):
        opening = asyncio.create_task(Store.open(path))
        for _ in range(turns):
            await asyncio.sleep(0.0005)
        opening.cancel()
        try:
            await (await opening).close()
        except asyncio.CancelledError:
            pass
        for _ in range(100):
            try:
                store = await Store.open(path)
                break
            except DatabaseInUse:  # what was cancelled is still closing
                await asyncio.sleep(0.01)
        else:
            pytest.fail("the lock is still held")
        await store.close()
