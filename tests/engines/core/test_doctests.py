"""The examples in docstrings of the engines are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import engines

MODULES = sorted(m.name for m in pkgutil.walk_packages(engines.__path__, "engines."))


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    found = sum(
        len(test.examples)
        for name in MODULES
        for test in finder.find(importlib.import_module(name))
    )
    assert found >= 10
