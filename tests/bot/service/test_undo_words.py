"""What the channel hears of an undo."""

from __future__ import annotations

from typing import Any, cast

from bot.service.records import taken_back
from bot.service.tables import Table
from engines.core.game import QUIET
from engines.core.play import Entry
from storage.records import SeatRow


def table() -> Table:
    seats = [SeatRow(1, seat, 10 + seat, name, None, 0) for seat, name in enumerate(("Ada", "Bo"))]
    return Table(cast(Any, None), seats, None)


def test_an_undone_step_is_told() -> None:
    entries = [Entry(1, "move", 0, "{}"), Entry(2, "move", 1, "{}")]
    assert taken_back(table(), 1, entries) == ["Bo took back the last step."]


def test_an_undone_private_preparation_is_not() -> None:
    entries = [Entry(1, "move", 0, "{}", apart=QUIET), Entry(2, "move", 1, "{}")]
    assert taken_back(table(), 0, entries) == []
    assert taken_back(table(), 1, entries) == ["Bo took back the last step."]


def test_what_was_taken_back_before_does_not_count() -> None:
    entries = [
        Entry(1, "move", 0, "{}", apart=QUIET),
        Entry(2, "move", 0, "{}"),
        Entry(3, "undo", 0, to=1),
    ]
    assert taken_back(table(), 0, entries) == []
