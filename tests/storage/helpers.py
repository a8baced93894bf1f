"""What the storage tests share: matches whose content can be predicted, and an audit of a file."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from storage import NewLog, NewOutbox, NewSeat, Store

ROOT = Path(__file__).resolve().parents[2]
PLAYERS = [NewSeat(11, "Ada", "blue"), NewSeat(22, "Bo"), NewSeat(33, "Cy")]


class Clock:
    """Unix milliseconds that a test sets."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


def blob(match_id: int, seq: int) -> bytes:
    """The state of a match after an entry: a few pages that nobody can mistake."""
    seed = blake2b(f"{match_id}:{seq}".encode(), digest_size=32).digest()
    return seed * (150 + seq % 60)


def interaction(match_id: int, seq: int) -> int:
    return match_id * 1_000_000 + seq


async def lobby(store: Store, channel_id: int = 1, **more: Any) -> int:
    """A lobby in which three people sit."""
    arguments: dict[str, Any] = {
        "game": "paris_paris",
        "rules_version": 1,
        "options": "{}",
        "guild_id": 9,
        "host_id": 11,
        "seats": PLAYERS,
    }
    return await store.create_match(channel_id=channel_id, **(arguments | more))


async def started(store: Store, channel_id: int = 1, **more: Any) -> int:
    """A match at its start."""
    match_id = await lobby(store, channel_id, **more)
    await store.start_match(
        match_id,
        seats=PLAYERS,
        seed="5eed",
        commitment="c0ffee",
        log=NewLog("start", state_hash="h0"),
        snapshot=blob(match_id, 0),
    )
    return match_id


async def step(store: Store, match_id: int, head: int) -> int:
    """The move after ``head``: one entry, its snapshot, its announcement, its interaction."""
    seq = head + 1
    return await store.commit(
        match_id,
        head,
        [NewLog("move", seat=seq % 3, decision=seq, move=f'{{"n":{seq}}}', state_hash=f"h{seq}")],
        blob(match_id, seq),
        keep_from=seq - 3,
        outbox=[NewOutbox("turn", f'{{"n":{seq}}}')],
        interaction_id=interaction(match_id, seq),
    )


def read(path: Path, sql: str, *values: Any) -> list[Any]:
    with contextlib.closing(sqlite3.connect(path)) as plain:
        return plain.execute(sql, values).fetchall()


def dump(path: Path) -> list[str]:
    """Everything in a file, as text."""
    with contextlib.closing(sqlite3.connect(path)) as plain:
        return list(plain.iterdump())


def audit(path: Path) -> dict[int, int]:
    """Check that log, head, snapshots, outbox and interactions agree; match -> head.

    Every match must have come about by :func:`started` and :func:`step` alone.
    """
    heads: dict[int, int] = {}
    with contextlib.closing(sqlite3.connect(path)) as plain:
        assert plain.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert plain.execute("PRAGMA foreign_key_check").fetchall() == []
        for match_id, head in plain.execute("SELECT id, head_seq FROM matches").fetchall():
            heads[match_id] = head

            def column(sql: str, match_id: int = match_id) -> list[Any]:
                return [row[0] for row in plain.execute(sql, (match_id,))]

            entries = list(range(head + 1))
            assert column("SELECT seq FROM log WHERE match_id = ? ORDER BY seq") == entries
            assert column("SELECT state_hash FROM log WHERE match_id = ? ORDER BY seq") == [
                f"h{seq}" for seq in entries
            ]
            assert (
                column("SELECT seq FROM outbox WHERE match_id = ? ORDER BY seq, id") == entries[1:]
            )
            assert column(
                "SELECT interaction_id FROM interactions WHERE match_id = ? ORDER BY 1"
            ) == [interaction(match_id, seq) for seq in entries[1:]]
            snapshots = plain.execute(
                "SELECT seq, blob FROM snapshots WHERE match_id = ? ORDER BY seq", (match_id,)
            ).fetchall()
            assert [seq for seq, _ in snapshots] == entries[max(0, head - 3) :]
            for seq, content in snapshots:
                assert content == blob(match_id, seq)
    return heads


def script(arguments: Sequence[object], **more: Any) -> subprocess.Popen[str]:
    """A run of ``tests/storage/process.py`` in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.storage.process", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )
