"""Backups while the bot runs."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import sqlite3
import time
from pathlib import Path

from storage.errors import StorageError, translate
from storage.schema import check_ours


def backup_database(src: Path | str, dst: Path | str, *, busy_timeout_ms: int = 5000) -> None:
    """Copy a database to a new file, also while another process writes to it.

    The copy is one consistent instant, holds everything that was committed before the call, is
    checked, and is a single file (no ``-wal`` beside it). It appears under its name only when it
    is complete. It holds the seeds of open matches, so it gets the permissions of the original.

    Args:
        src: the database.
        dst: the new file; its folder must exist.
        busy_timeout_ms: how long to wait for another program's lock.

    Raises:
        StorageError: there is no such database, the destination exists or cannot be written, or
            the copy is damaged. No destination is left then.
    """
    src, dst = Path(src), Path(dst)
    if not src.is_file():
        raise StorageError(f"There is no database {src}.")
    try:
        # Read-only: a typing error must not create a database, and nothing here may change one.
        source = sqlite3.connect(
            f"{src.resolve().as_uri()}?mode=ro", uri=True, timeout=busy_timeout_ms / 1000
        )
    except sqlite3.Error as error:
        raise translate(error, src) from error
    with contextlib.closing(source):
        try:
            if check_ours(source, src) == 0:
                raise StorageError(f"The database {src} is empty.")
        except sqlite3.Error as error:
            raise translate(error, src) from error
        copy_to_file(source, src, dst)


def copy_to_file(source: sqlite3.Connection, src: Path | str, dst: Path) -> None:
    """Copy an open database to a new file; see :func:`backup_database`.

    Args:
        source: used on the calling thread.
        src: its file, for messages and permissions; ``:memory:`` has none.
        dst: the new file.

    Raises:
        StorageError: see :func:`backup_database`.
    """
    if os.path.lexists(dst):
        raise StorageError(f"{dst} exists already. Choose another name for the backup.")
    temporary = dst.with_name(f".{dst.name}.{secrets.token_hex(4)}.tmp")
    try:
        try:
            os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            _copy(source, temporary)
            if Path(src).is_file():
                shutil.copymode(src, temporary)
            _publish(temporary, dst)
        finally:
            for suffix in ("", "-journal", "-wal", "-shm"):
                temporary.with_name(temporary.name + suffix).unlink(missing_ok=True)
    except FileExistsError as error:
        raise StorageError(f"{dst} exists already. Choose another name for the backup.") from error
    except OSError as error:
        raise StorageError(
            f"The backup {dst} cannot be written ({error.strerror}). Check that its folder exists, "
            "is writable and has room."
        ) from error
    except sqlite3.Error as error:
        raise translate(error, dst) from error


def _copy(source: sqlite3.Connection, temporary: Path) -> None:
    with contextlib.closing(sqlite3.connect(temporary, isolation_level=None)) as target:
        begun = time.time_ns() // 1_000_000
        # All pages in one step: one read transaction, which holds up no writer in WAL mode. In
        # several steps every foreign write would start the copy anew.
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")
        if target.execute("SELECT 1 FROM sqlite_master WHERE name = 'marks'").fetchone():
            # So that a bot that starts from the copy can tell its tables.
            target.execute("INSERT OR REPLACE INTO marks VALUES ('copied', ?)", (begun,))
        result = target.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if result != "ok":
            raise StorageError(f"The backup is damaged ({result}). Check the original.")
        if target.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise StorageError("The backup holds rows that refer to nothing. Check the original.")


def _publish(temporary: Path, dst: Path) -> None:
    fd = os.open(temporary, os.O_RDWR)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
    if os.name == "nt":
        temporary.rename(dst)  # refuses to overwrite
        return
    try:
        os.link(temporary, dst)  # refuses to overwrite, other than rename
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if os.path.lexists(dst):
            raise FileExistsError(dst) from None
        temporary.rename(dst)
    folder = os.open(dst.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
