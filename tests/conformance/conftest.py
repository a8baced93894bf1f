from __future__ import annotations

import pytest

from engines.core.registry import games
from tests.conformance.hooks import cases


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """``case``: every game × seats × options; ``key``: every game."""
    if "case" in metafunc.fixturenames:
        metafunc.parametrize("case", cases(), ids=repr)
    if "key" in metafunc.fixturenames:
        metafunc.parametrize("key", list(games()))
