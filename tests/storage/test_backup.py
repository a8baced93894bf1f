"""Backups: whole, checked, while the bot plays on, and never over something."""

# ruff: noqa: ASYNC240 - a test may block
from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from storage import DatabaseDamaged, StorageError, Store, backup_database
from tests.storage.helpers import audit, dump, script, started, step


async def test_backup_of_a_running_store(store: Store, path: Path, tmp_path: Path) -> None:
    match_id = await started(store)
    stop = False

    async def play() -> int:
        head = 0
        while not stop:
            head = await step(store, match_id, head)
        return head

    player = asyncio.create_task(play())
    heads = []
    for number in range(5):
        await asyncio.sleep(0.05)
        known = (await store.match(match_id)).head_seq
        copy = tmp_path / f"{number}.db"
        await store.backup(copy)
        heads.append(audit(copy)[match_id])
        assert heads[-1] >= known
    stop = True
    assert await player >= heads[-1]
    assert heads == sorted(set(heads)), "moves went on between the backups"


async def test_backup_while_another_process_writes(path: Path, tmp_path: Path) -> None:
    async with await Store.open(path) as store:
        for channel in range(5):
            await started(store, channel)
    process = script(["loop", path])
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        heads = []
        for number in range(5):
            copy = tmp_path / f"{number}.db"
            await asyncio.to_thread(backup_database, path, copy)
            heads.append(sum(audit(copy).values()))
            await asyncio.sleep(0.05)
        assert process.poll() is None
    finally:
        process.kill()
        process.communicate()
    assert heads[0] < heads[-1]


async def test_backup_is_a_single_file_that_plays_on(path: Path, tmp_path: Path) -> None:
    async with await Store.open(path) as store:
        match_id = await started(store)
    path.chmod(0o640)
    folder = tmp_path / "backups & more #1?"
    folder.mkdir()
    copy = folder / "copy.db"
    backup_database(str(path), str(copy))
    assert [file.name for file in folder.iterdir()] == ["copy.db"]
    assert copy.stat().st_mode & 0o777 == 0o640
    marked = [line for line in dump(copy) if line not in dump(path)]
    assert len(marked) == 1, "the copy says that it is one, and nothing else differs"
    assert "'copied'" in marked[0]
    assert set(dump(path)) < set(dump(copy))
    again = folder / "again.db"
    backup_database(copy, again)
    async with await Store.open(again) as store:
        assert await step(store, match_id, 0) == 1
    assert audit(again) == {match_id: 1}


async def test_never_over_something(store: Store, path: Path, tmp_path: Path) -> None:
    await started(store)
    taken = tmp_path / "taken"
    taken.write_text("precious")
    dangling = tmp_path / "dangling"
    dangling.symlink_to(tmp_path / "nowhere")
    before = {file.name for file in tmp_path.iterdir()}
    for target in (taken, dangling, path, tmp_path):
        with pytest.raises(StorageError, match="exists already"):
            await store.backup(target)
    with pytest.raises(StorageError, match="folder exists"):
        await store.backup(tmp_path / "none" / "copy.db")
    assert taken.read_text() == "precious"
    assert {file.name for file in tmp_path.iterdir()} == before


def test_nothing_to_copy(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="no database"):
        backup_database(tmp_path / "none.db", tmp_path / "copy.db")
    other = tmp_path / "other.db"
    plain = sqlite3.connect(other)
    plain.execute("CREATE TABLE recipes (name TEXT)")
    plain.close()
    text = tmp_path / "text.db"
    text.write_text("no database" * 100)
    for file in (other, text):
        with pytest.raises(DatabaseDamaged):
            backup_database(file, tmp_path / "copy.db")
    empty = tmp_path / "empty.db"
    empty.touch()
    with pytest.raises(StorageError, match="is empty"):
        backup_database(empty, tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()


async def test_damage_is_found(path: Path, tmp_path: Path) -> None:
    async with await Store.open(path) as store:
        await started(store)
    plain = sqlite3.connect(path)
    (root,) = plain.execute(
        "SELECT rootpage FROM sqlite_master WHERE name = 'matches_channel'"
    ).fetchone()
    plain.close()
    content = bytearray(path.read_bytes())
    content[(root - 1) * 4096 : root * 4096] = b"\xff" * 4096
    path.write_bytes(content)
    before = {file.name for file in tmp_path.iterdir()}
    with pytest.raises(StorageError, match="damaged"):
        backup_database(path, tmp_path / "copy.db")
    left = {file.name for file in tmp_path.iterdir()} - before
    assert left <= {"piazza.db-wal", "piazza.db-shm"}
