"""Numbered migrations: ``migrations/0001_name.sql`` leads from version 0 to 1, and so on.

A file that was released is never changed again; a change is a new file. A file holds plain
statements without BEGIN or COMMIT. Each runs in one transaction together with the new
``user_version``, with foreign keys off (so that tables can be rebuilt) and checked before the
commit. A crash in between leaves the version before.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

import msgspec

from storage.errors import DatabaseDamaged, SchemaTooNew, StorageError

APPLICATION_ID = 0x50495A41
"""``PIZA``, in the header of every database of ours; migration 1 writes it."""

_NAME = re.compile(r"(\d{4})_\w+\.sql")


class Migration(msgspec.Struct, frozen=True):
    """One step of the schema.

    Attributes:
        version: schema version after it.
        name: name of the file.
        sql: the statements.
    """

    version: int
    name: str
    sql: str


def load_migrations() -> tuple[Migration, ...]:
    """The migrations of this version of Piazza, in order.

    Raises:
        StorageError: the numbers are not 1, 2, 3 …: the installation is damaged.
    """
    found = []
    for file in resources.files("storage.migrations").iterdir():
        if match := _NAME.fullmatch(file.name):
            found.append(Migration(int(match[1]), file.name, file.read_text("utf-8")))
    found.sort(key=lambda migration: migration.version)
    if not found or [m.version for m in found] != list(range(1, len(found) + 1)):
        raise StorageError(
            "The migrations of the database are not numbered without a gap. Install Piazza again."
        )
    return tuple(found)


def check_ours(connection: sqlite3.Connection, path: Path | str) -> int:
    """The schema version of a database; 0 for an empty one.

    Raises:
        DatabaseDamaged: a database, but not one of Piazza.
        sqlite3.Error: no database at all, or unreadable.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    application = int(connection.execute("PRAGMA application_id").fetchone()[0])
    if application == APPLICATION_ID and version > 0:
        return version
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if application or version or tables:
        raise DatabaseDamaged(f"The file {path} is a database, but not one of Piazza.")
    return 0


def migrate(
    connection: sqlite3.Connection,
    path: Path | str,
    migrations: Sequence[Migration] | None = None,
) -> int:
    """Bring a database to the newest version.

    Args:
        connection: in autocommit mode (``isolation_level=None``) with foreign keys off.
        path: the file, for messages.
        migrations: None takes those of this version of Piazza.

    Returns:
        The version that the database had before.

    Raises:
        SchemaTooNew: the database was written by a newer Piazza; nothing is changed.
        DatabaseDamaged: not a database of Piazza, or rows would refer to nothing.
        sqlite3.Error: a statement failed; the database is at the last version that succeeded.
    """
    steps = load_migrations() if migrations is None else migrations
    before = check_ours(connection, path)
    if before > len(steps):
        raise SchemaTooNew(path, before, len(steps))
    for step in steps[before:]:
        try:
            connection.executescript(f"BEGIN IMMEDIATE;\n{step.sql}")
            if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
                raise DatabaseDamaged(
                    f"The database {path} cannot be brought to version {step.version}: "
                    "rows refer to rows that do not exist. Restore a backup."
                )
            connection.execute(f"PRAGMA user_version = {step.version}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    return before
