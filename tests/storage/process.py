"""A process of its own that uses a database, to be killed or starved by a test.

hold PATH           open it, say so, and wait
loop PATH           move all matches on for ever, and print each move once it is acknowledged
statement PATH N    make one move and die at the N-th statement of it; say so if it was done before
migrate PATH N      make the schema and die at the N-th statement of it
nospace PATH        move on under a tiny limit of file size, then without
readonly PATH       open it as a user who may not write there
"""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

from storage import StorageError, Store
from storage.schema import load_migrations, migrate
from tests.storage.helpers import step


def say(text: str) -> None:
    os.write(1, f"{text}\n".encode())  # one write: a killed process says a line or nothing


def die_at(count: int) -> Callable[[str], None]:
    left = count

    def trace(statement: str) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return trace


async def hold(path: Path) -> None:
    async with await Store.open(path):
        say("open")
        await asyncio.sleep(60)


async def loop(path: Path) -> None:
    async def play(store: Store, match_id: int, head: int) -> None:
        while True:
            head = await step(store, match_id, head)
            say(f"{match_id} {head}")

    async with await Store.open(path) as store:
        say("open")
        matches = await store.open_matches()
        await asyncio.gather(*(play(store, row.id, row.head_seq) for row in matches))


async def statement(path: Path, count: int) -> None:
    async with await Store.open(path) as store:
        row = (await store.open_matches())[0]
        await store._connection.set_trace_callback(die_at(count))
        head = await step(store, row.id, row.head_seq)
        say(f"{row.id} {head}")
        os.kill(os.getpid(), signal.SIGKILL)


def create(path: Path, count: int) -> None:
    plain = sqlite3.connect(path, isolation_level=None)
    plain.set_trace_callback(die_at(count))
    migrate(plain, path)
    say("done")


async def nospace(path: Path) -> None:
    import resource

    async with await Store.open(path) as store:
        row = (await store.open_matches())[0]
        head = row.head_seq
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        size = path.with_name(path.name + "-wal").stat().st_size
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100_000, hard))
        try:
            while True:
                head = await step(store, row.id, head)
                say(f"{row.id} {head}")
        except StorageError as error:
            say(f"failed: {error}")
        assert (await store.match(row.id)).head_seq == head
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        head = await step(store, row.id, head)
        say(f"{row.id} {head}")


async def readonly(path: Path) -> None:
    load_migrations()  # imports what the other user may not be able to read
    if os.getuid() == 0:
        os.setuid(65534)
    say("ready")
    try:
        async with await Store.open(path):
            say("open")
    except StorageError as error:
        say(f"refused: {error}")


if __name__ == "__main__":
    what, where, *rest = sys.argv[1:]
    match what:
        case "hold":
            asyncio.run(hold(Path(where)))
        case "loop":
            asyncio.run(loop(Path(where)))
        case "statement":
            asyncio.run(statement(Path(where), int(rest[0])))
        case "migrate":
            create(Path(where), int(rest[0]))
        case "nospace":
            asyncio.run(nospace(Path(where)))
        case "readonly":
            asyncio.run(readonly(Path(where)))
