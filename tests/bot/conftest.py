"""The real bot on SimCord's offline Discord, with as many players as a test wants."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio
import structlog

simcord = pytest.importorskip("simcord", reason="needs simcord (the dev extra)")

from bot import outbox, pictures  # noqa: E402
from bot.app import PiazzaBot  # noqa: E402
from bot.config import Settings  # noqa: E402
from engines.core.play import start  # noqa: E402
from engines.core.registry import games  # noqa: E402
from render import render_board, render_hand  # noqa: E402
from render.kit.encode import Picture  # noqa: E402
from storage.store import Store  # noqa: E402
from tests.bot.table import World  # noqa: E402

# Half the pause in which SimCord waits for stragglers is plenty for a bot on this machine.
simcord.Env._settle_internal.__kwdefaults__["idle"] = 0.002

DOT = Picture(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010100000000376ef9240000000a49444154789c6368"
        "00000082008177cd72b60000000049454e44ae426082"
    ),
    1,
    1,
)
"""The smallest picture, where a test is not about pictures."""


def virtual_now() -> int:
    """SimCord's time in unix milliseconds."""
    return int(discord.utils.utcnow().timestamp() * 1000)


@pytest.fixture(scope="session")
def warm() -> None:
    """Draw a board of every game once: the first one makes its sprites, and SimCord's patience
    with work in the background is short."""
    for key, game in games().items():
        state, _ = start(game, game.meta.seats[0])
        names = ["Ada", "Bruno", "Carla", "Dario", "Elena"]
        with suppress(ModuleNotFoundError):
            render_board(key, game.view(state, None), names)
            render_hand(key, game.view(state, 0), names)


@pytest.fixture(autouse=True)
def quiet_again() -> Iterator[None]:
    """Take back what a test does to the logs of the whole process."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
def seeds() -> list[str]:
    """Seeds of the matches that a test starts, in order; then ``01``, ``02`` …"""
    return []


@pytest.fixture
def drawn(warm: None) -> None:
    """A test that names this fixture gets real pictures; the others get a dot, which is quicker."""


@pytest.fixture(autouse=True)
def logged(caplog: pytest.LogCaptureFixture) -> Iterator[list[Any]]:
    """What the bot logs. A test fails if there are errors in it at the end, so one that provokes
    them takes them out (``logged.clear()``)."""
    with structlog.testing.capture_logs() as found:
        yield found
    assert not [entry for entry in found if entry["log_level"] in ("error", "critical")]
    loud = [r for r in caplog.get_records("call") if r.levelno >= logging.ERROR]
    assert not [record.getMessage() for record in loud]


@pytest_asyncio.fixture
async def env(
    tmp_path: Path,
    seeds: list[str],
    logged: list[Any],
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[Any]:
    """A running environment; ``env.make`` makes the bot again for a restart."""
    path = tmp_path / "piazza.db"
    stores: list[Store] = []
    count = iter(range(1, 1000))
    # SimCord waits in real time for pauses shorter than its patience, and a cold picture on a busy
    # machine takes seconds.
    drawn = "drawn" in request.fixturenames
    monkeypatch.setattr(outbox, "FIRST_RETRY_MS", 20_000)
    if not drawn:
        monkeypatch.setattr(pictures, "render_board", lambda *args, **more: DOT)
        monkeypatch.setattr(pictures, "render_hand", lambda *args, **more: None)
        monkeypatch.setattr(pictures, "draw_frame", lambda *args: DOT)
        monkeypatch.setattr(pictures, "animate", lambda frames, limit: frames[-1])

    def seed() -> str:
        return seeds.pop(0) if seeds else f"{next(count):064x}"

    async def make() -> PiazzaBot:
        for old in stores:
            await old.close()
        stores.clear()
        stores.append(await Store.open(path, clock=virtual_now))
        settings = Settings(_env_file=None, db=path)  # type: ignore[call-arg]
        return PiazzaBot(settings, stores[0], clock=virtual_now, new_seed=seed)

    made = simcord.Env(await make(), settle_timeout=60 if drawn else 15)
    made.make = make
    try:
        await made.start()
        yield made
    finally:
        bot = made.bot
        await made.shutdown()
        await bot.close()
        for store in stores:
            await store.close()


@pytest.fixture
def world(env: Any) -> World:
    """A server with a channel and people enough for every game."""
    return World(env)
