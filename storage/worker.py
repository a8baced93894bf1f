"""Whole transactions on aiosqlite's thread.

aiosqlite hands every single call to its thread and back, 40–150 µs each, and a task that is
cancelled between two calls leaves a transaction open. So a transaction is one function that runs
on that thread from BEGIN to COMMIT. aiosqlite has no public call for that (``_execute`` is
private), but it passes the ``factory`` of :func:`sqlite3.connect` through, and
``execute_fetchall(x)`` calls ``x`` on our own connection class: :class:`Job` is a text that this
class runs as a function instead of executing it as SQL. Only public names are used.

What follows from one thread with a queue:

- Writers are in line without any lock, and a read sees every write that was asked for before it.
- A function that is in the queue runs to its end, whether or not the task that asked for it is
  still waiting. Cancellation never leaves half a transaction.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable
from typing import Any, TypeVar, cast

import aiosqlite

T = TypeVar("T")


class Job(str):
    """A function in the place of an SQL text; the text is its name in debug logs."""

    __slots__ = ("result", "work")

    work: Callable[[sqlite3.Connection], object]
    result: object


class WorkerConnection(sqlite3.Connection):
    """A connection that runs a :class:`Job` where it is given one instead of SQL."""

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Run the job, or the SQL."""
        if isinstance(sql, Job):
            sql.result = sql.work(self)
            return self.cursor()
        return super().execute(sql, parameters)


async def run(
    connection: aiosqlite.Connection, name: str, work: Callable[[sqlite3.Connection], T]
) -> T:
    """Run a function on the connection's thread.

    Args:
        connection: made with ``factory=WorkerConnection``.
        name: for debug logs.
        work: gets the plain connection, and may use nothing else that belongs to another thread.

    Returns:
        What ``work`` returned. An exception of it is raised here.
    """
    job = Job(name)
    job.work = work
    await connection.execute_fetchall(job)
    return cast(T, job.result)


def transaction(connection: sqlite3.Connection, work: Callable[[sqlite3.Cursor], T]) -> T:
    """Run a function in one transaction, on the thread of the connection.

    IMMEDIATE takes the write lock first, so that no read in it can be out of date at its end.

    Raises:
        Exception: what ``work`` or SQLite raised, after everything was rolled back.
    """
    cursor = connection.cursor()
    cursor.execute("BEGIN IMMEDIATE")
    try:
        result = work(cursor)
        cursor.execute("COMMIT")
    except BaseException:
        # SQLite itself has rolled back after some errors (a full disk, for one).
        with contextlib.suppress(sqlite3.Error):
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        raise
    finally:
        cursor.close()
    return result
