"""Timers: what is due is found by an index, however many matches there are."""

from __future__ import annotations

import sqlite3

from storage import NewTimer, Store
from tests.storage.helpers import PLAYERS


async def test_due_matches_are_found_by_an_index(store: Store) -> None:
    """The very statement that a tick sends is asked for its plan."""
    number = await store.create_match(
        game="test", rules_version=1, options="{}", guild_id=1, channel_id=7, host_id=11,
        seats=PLAYERS,
    )  # fmt: skip
    await store.set_timers(number, [NewTimer(0, "clock", 50), NewTimer(1, "clock", None)])
    sent: list[str] = []

    def listen(plain: sqlite3.Connection) -> None:
        plain.set_trace_callback(sent.append)

    await store._read("listen", listen)
    assert await store.timed_matches(49) == []
    assert await store.timed_matches(50) == [number]
    statements = [sql for sql in sent if sql.startswith("SELECT")]
    assert len(statements) == 2
    for sql in statements:
        plan = await store._rows(f"EXPLAIN QUERY PLAN {sql}")
        steps = [str(row[3]) for row in plan]
        assert any("INDEX timers_due" in step for step in steps), (sql, steps)
        assert not any(step.startswith("SCAN") for step in steps), (sql, steps)
