"""The bot as a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sqlite3
import sys
from pathlib import Path

from tests.wire.server import LoopbackDiscord

TOKEN = f"{'M' * 24}.{'G' * 6}.{'s' * 38}"
"""Looks like a token and is none."""

ROOT = Path(__file__).resolve().parents[2]


class Process:
    """``piazza run`` as a subprocess, its output kept in files.

    Args:
        discord_: where it connects to.
        folder: for the database and the output.
        environment: more settings.
    """

    def __init__(self, discord_: LoopbackDiscord, folder: Path, **environment: str) -> None:
        self.discord = discord_
        self.folder = folder
        self.db = folder / "piazza.db"
        self.environment = environment
        self.child: asyncio.subprocess.Process | None = None
        self.starts = 0

    def _environment(self) -> dict[str, str]:
        plain = {k: v for k, v in os.environ.items() if not k.startswith("PIAZZA_")}
        paths = {"PYTHONPATH": str(ROOT), "PIAZZA_DB": str(self.db), "PIAZZA_TOKEN": TOKEN}
        return {**plain, **paths, **self.environment}

    async def spawn(self, *arguments: str, name: str) -> asyncio.subprocess.Process:
        """Start ``piazza`` with these arguments."""
        with (
            (self.folder / f"{name}.out").open("wb") as out,
            (self.folder / f"{name}.err").open("wb") as err,
        ):
            return await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tests.wire.launch",
                self.discord.api_url, self.discord.gateway_url, *arguments,
                cwd=self.folder, env=self._environment(), stdout=out, stderr=err,
            )  # fmt: skip

    async def start(self) -> None:
        """Start it and wait until it is connected."""
        self.starts += 1
        name = f"run-{self.starts}"
        self.child = await self.spawn("run", name=name)
        ready = asyncio.ensure_future(self.discord.ready())
        ended = asyncio.ensure_future(self.child.wait())
        await asyncio.wait({ready, ended}, return_when=asyncio.FIRST_COMPLETED)
        if not ready.done():
            ready.cancel()
            raise AssertionError(f"it ended:\n{self.output()}")
        ended.cancel()
        await ready

    async def kill(self) -> None:
        """kill −9; what Discord knew of the connection is gone."""
        assert self.child is not None
        self.child.kill()
        await self.child.wait()
        self.discord.gateway.forget_sessions()

    async def terminate(self, within: float = 10.0) -> int:
        """SIGTERM; returns the exit code."""
        assert self.child is not None
        self.child.send_signal(signal.SIGTERM)
        async with asyncio.timeout(within):
            return await self.child.wait()

    async def stop(self) -> None:
        """At the end of a test, however it went."""
        if self.child is not None and self.child.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self.child.kill()
            await self.child.wait()

    def output(self) -> str:
        """All that its processes have written."""
        return "".join(
            path.read_text(errors="replace")
            for path in sorted(self.folder.iterdir())
            if path.suffix in (".out", ".err")
        )

    def query(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        """Look into the database from outside, reading only."""
        with contextlib.closing(
            sqlite3.connect(f"file:{self.db}?mode=ro", uri=True, timeout=5)
        ) as plain:
            return plain.execute(sql, values).fetchall()

    async def quiet(self, within: float = 20.0) -> None:
        """Wait until nothing is left to be sent."""
        async with asyncio.timeout(within):
            while self.query(  # noqa: ASYNC110
                "SELECT 1 FROM outbox WHERE done_at IS NULL LIMIT 1"
            ):
                await asyncio.sleep(0.02)
