"""What the logs never hold."""

from __future__ import annotations

import logging

import pytest
import structlog

from bot.logs import configure, get_logger


def test_no_level_lets_database_statements_through() -> None:
    """aiosqlite would log the values that are written, seeds and snapshots among them."""
    configure("debug")
    assert not logging.getLogger("aiosqlite").isEnabledFor(logging.DEBUG)
    assert not logging.getLogger("discord.http").isEnabledFor(logging.DEBUG)


def test_secret_fields_are_masked(capsys: pytest.CaptureFixture[str]) -> None:
    structlog.reset_defaults()
    configure("info", "json")
    get_logger("piazza.test").info("a match begins", match=7, seed="c0ffee", token="abc.def")
    shown = capsys.readouterr().err
    assert '"match": 7' in shown
    assert "c0ffee" not in shown
    assert "abc.def" not in shown
