"""Fixtures of the storage tests: a database file and an open store on it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from storage import Store
from tests.storage.helpers import Clock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "piazza.db"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def store(path: Path, clock: Clock) -> AsyncIterator[Store]:
    async with await Store.open(path, clock=clock, busy_timeout_ms=200) as store:
        yield store
