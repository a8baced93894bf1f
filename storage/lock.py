"""One process a database: an advisory lock on a file beside it.

The operating system drops the lock when the process ends in whatever way, so nothing is to be
cleaned up after a crash. The file itself stays: deleting it would let two processes lock two files
of the same name.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from storage.errors import DatabaseInUse, StorageError

_BYTE = 1 << 30
"""Windows locks bytes, and nobody may read a locked one: lock one far behind the text."""

if sys.platform == "win32":
    import msvcrt

    def _lock(fd: int) -> None:
        os.lseek(fd, _BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(str(error)) from error
        finally:
            os.lseek(fd, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(fd: int) -> None:
        # flock and not lockf: a lockf lock is lost as soon as anything in this process opens and
        # closes the file, and does not refuse a second Store in the same process.
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """Holds the lock from construction to :meth:`release`.

    Args:
        database: the database; the lock file is ``<database>.lock``.

    Raises:
        DatabaseInUse: another process, or another store of this one, holds it.
        StorageError: the lock file cannot be written.
    """

    def __init__(self, database: Path) -> None:
        self.path = database.with_name(database.name + ".lock")
        try:
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StorageError(
                f"The database {database} cannot be opened: {self.path} cannot be written "
                f"({error.strerror}). Check that the folder exists and is writable."
            ) from error
        try:
            _lock(fd)
            with contextlib.suppress(
                OSError
            ):  # no room for the number: the lock holds all the same
                os.ftruncate(fd, 0)
                os.write(fd, f"{os.getpid()}\n".encode())
        except BlockingIOError as error:
            holder = os.read(fd, 32).decode("ascii", "replace").strip()
            os.close(fd)
            raise DatabaseInUse(
                f"The database {database} is in use by another Piazza process"
                f"{f' (number {holder})' if holder else ''}. Stop that one first, or give this "
                "one a database of its own."
            ) from error
        except OSError as error:
            os.close(fd)
            raise StorageError(
                f"The file {self.path} cannot be locked ({error.strerror}). Put the database on "
                "a local disk."
            ) from error
        self._fd: int | None = fd

    def release(self) -> None:
        """Let go; again is harmless."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None
