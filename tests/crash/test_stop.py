"""``piazza run`` as a process: how it stops, what it writes, and who may share its database."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.wire.process import TOKEN, Process
from tests.wire.server import LoopbackDiscord
from tests.wire.table import MESSAGES, Party, boards, open_shop, start_match, tile_args

SECONDS = 10.0


@contextlib.asynccontextmanager
async def running(tmp_path: Path, **environment: str) -> AsyncIterator[tuple[Party, Process]]:
    """A process that is connected and has a match of three going."""
    async with LoopbackDiscord(token=TOKEN) as discord_:
        process = Process(discord_, tmp_path, **environment)
        party = Party(discord_)
        try:
            await process.start()
            await start_match(party.people[:3], party.channel)
            await process.quiet()
            yield party, process
        finally:
            await process.stop()
        discord_.check_clean()
        assert TOKEN not in process.output()
        assert "Traceback" not in process.output()


async def move(party: Party) -> None:
    for person in party.people[:3]:
        if await tile_args(person, party.channel):
            reply = await open_shop(person, party.channel)
            assert reply.content.startswith("Done"), reply.content
            return
    raise AssertionError("nobody can move")


async def test_a_post_under_way_is_finished(tmp_path: Path) -> None:
    async with running(tmp_path) as (party, process):
        fault = party.discord.delay_next("POST", MESSAGES, 1.0)
        await move(party)
        await party.discord.until(lambda: fault.hits, what="the post")
        began = time.monotonic()
        assert await process.terminate(SECONDS) == 0
        assert 0.5 < time.monotonic() - began < SECONDS
        assert len(boards(party.channel)) == 2
        waiting = process.query("SELECT count(*) FROM outbox WHERE done_at IS NULL")
        assert waiting == [(0,)], "the post is noted as sent"
        await process.start()
        await asyncio.sleep(0.3)
        assert len(boards(party.channel)) == 2
        await move(party)
        await process.quiet()
        assert len(boards(party.channel)) == 3


async def test_a_post_that_hangs_is_sent_after_the_next_start(tmp_path: Path) -> None:
    async with running(tmp_path) as (party, process):
        fault = party.discord.delay_next("POST", MESSAGES, 60.0)
        await move(party)
        await party.discord.until(lambda: fault.hits, what="the post")
        assert await process.terminate(SECONDS) == 0
        await process.start()
        await process.quiet()
        assert len(boards(party.channel)) == 2, "its nonce found what had arrived"


@pytest.mark.parametrize("level", ["info", "debug"])
async def test_the_token_is_written_nowhere(tmp_path: Path, level: str) -> None:
    async with running(tmp_path, PIAZZA_LOG_LEVEL=level) as (party, process):
        party.discord.fail_next("POST", MESSAGES, status=503)
        await move(party)
        await process.quiet()
        await party.discord.drop_gateway()
        await party.discord.until(lambda: party.discord.gateway.resumes, what="a resume")
        await party.discord.ready()
        assert await process.terminate(SECONDS) == 0
        assert "stopped" in process.output()
        seed = process.query("SELECT seed FROM matches")[0][0]
        assert str(seed) not in process.output()


async def test_json_logs(tmp_path: Path) -> None:
    import json

    async with running(tmp_path, PIAZZA_LOG_FORMAT="json") as (_, process):
        assert await process.terminate(SECONDS) == 0
        lines = process.output().splitlines()
        assert lines
        assert all("event" in json.loads(line) for line in lines)


async def test_a_second_process_is_refused(tmp_path: Path) -> None:
    async with running(tmp_path) as (party, process):
        second = await process.spawn("run", name="second")
        assert await asyncio.wait_for(second.wait(), SECONDS) == 2
        said = (tmp_path / "second.err").read_text()
        assert said.startswith("piazza: The database")
        assert "in use by another Piazza process" in said
        assert len(said.splitlines()) == 1
        assert (tmp_path / "second.out").read_text() == ""
        assert len(party.discord.gateway.identifies) == 1
        await move(party)


async def test_a_refused_token_is_one_sentence(tmp_path: Path) -> None:
    async with LoopbackDiscord(token="another") as discord_:
        process = Process(discord_, tmp_path, PIAZZA_LOG_LEVEL="warning")
        child = await process.spawn("run", name="refused")
        assert await asyncio.wait_for(child.wait(), SECONDS) == 2
        said = (tmp_path / "refused.err").read_text()
        assert said.startswith("piazza: Discord refuses PIAZZA_TOKEN")
        assert len(said.splitlines()) == 1
        assert TOKEN not in process.output()


async def test_no_network_is_one_sentence(tmp_path: Path) -> None:
    async with LoopbackDiscord(token=TOKEN) as discord_:
        process = Process(discord_, tmp_path, PIAZZA_LOG_LEVEL="warning")
    child = await process.spawn("run", name="offline")
    assert await asyncio.wait_for(child.wait(), SECONDS) == 1
    said = (tmp_path / "offline.err").read_text()
    assert "Traceback" not in said
    assert said.startswith("piazza: Discord cannot be reached")
    assert len(said.splitlines()) == 1


async def test_backup_while_it_runs(tmp_path: Path) -> None:
    async with running(tmp_path) as (party, process):
        moving = asyncio.create_task(several(party, 6))
        copier = await process.spawn("backup", str(tmp_path / "copy.db"), name="backup")
        assert await asyncio.wait_for(copier.wait(), SECONDS) == 0, process.output()
        await moving
        await process.quiet()
        with contextlib.closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
            assert copy.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            ((head,),) = copy.execute("SELECT head_seq FROM matches").fetchall()
            log = copy.execute("SELECT seq FROM log ORDER BY seq").fetchall()
        assert [seq for (seq,) in log] == list(range(head + 1))
        again = await process.spawn("backup", str(tmp_path / "copy.db"), name="again")
        assert await asyncio.wait_for(again.wait(), SECONDS) == 2
        assert len((tmp_path / "again.err").read_text().splitlines()) == 1
        # the copy is a database to go on with
        assert await process.terminate(SECONDS) == 0
        process.db = tmp_path / "copy.db"
        await process.start()
        await move(party)


async def several(party: Party, count: int) -> None:
    for _ in range(count):
        await move(party)


async def test_leaving_a_gateway_that_does_not_answer(tmp_path: Path) -> None:
    """A farewell that nobody answers does not keep the process."""
    async with running(tmp_path) as (party, process):
        deaf = party.discord.gateway._connections
        for connection in list(deaf):
            assert connection.transport is not None
            connection.transport.pause_reading()
        began = time.monotonic()
        assert await process.terminate(SECONDS) == 0
        assert time.monotonic() - began < SECONDS
