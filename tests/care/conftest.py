from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.care.desk import Desk, desk


@pytest_asyncio.fixture
async def d() -> AsyncIterator[Desk]:
    async with desk() as made:
        yield made
