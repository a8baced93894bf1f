"""A Discord for each test; at its end the test answers for what was sent."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.wire import openapi
from tests.wire.server import LoopbackDiscord


@pytest.fixture
async def discord_() -> AsyncIterator[LoopbackDiscord]:
    async with LoopbackDiscord() as server:
        with server.patched():
            yield server
        server.check_clean()


@pytest.fixture(scope="session")
def description() -> openapi.OpenAPI:
    """Discord's published OpenAPI description, or a skip that says why not."""
    path, reason = openapi.find_description()
    if path is None:
        pytest.skip(reason)
    return openapi.load(path)
