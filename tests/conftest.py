"""What all tests share."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the budgets out unless they are asked for with ``-m bench``."""
    if "bench" in (config.option.markexpr or ""):
        return
    slow = [item for item in items if item.get_closest_marker("bench")]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]
