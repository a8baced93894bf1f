"""What can go wrong with the database, each with one sentence that says what to do."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from engines.core.errors import PiazzaError


class StorageError(PiazzaError):
    """The database did not do what it was asked to; nothing was changed."""


class DatabaseInUse(StorageError):
    """Another process holds this database."""


class SchemaTooNew(StorageError):
    """The database was written by a newer version of Piazza.

    Args:
        path: the file.
        found: schema version of the file.
        known: newest schema version of this code.
    """

    def __init__(self, path: Path | str, found: int, known: int) -> None:
        super().__init__(
            f"The database {path} has schema version {found}, and this version of Piazza knows "
            f"versions up to {known} only. Install the newer Piazza, or restore an older backup."
        )
        self.found = found
        self.known = known


class DatabaseDamaged(StorageError):
    """The file is damaged, or is no database of Piazza."""


class DatabaseLocked(StorageError):
    """Some other program kept the database locked for longer than the busy timeout."""


class DiskFull(StorageError):
    """No room is left to write."""


class NoSuchMatch(StorageError):
    """There is no match with this number.

    Args:
        match_id: the number asked for.
    """

    def __init__(self, match_id: int) -> None:
        super().__init__(f"There is no match number {match_id}.")
        self.match_id = match_id


class HeadMoved(StorageError):
    """The match has moved on since it was read: read it again.

    Args:
        match_id: the match.
        expected: the newest entry, as the caller knew it.
        found: the newest entry in the database.
    """

    def __init__(self, match_id: int, expected: int, found: int) -> None:
        super().__init__(
            f"Match {match_id} is at entry {found}, and not at entry {expected} as expected."
        )
        self.match_id = match_id
        self.expected = expected
        self.found = found


class WrongStatus(StorageError):
    """The match is not in a status that allows this.

    Args:
        match_id: the match.
        status: its status.
    """

    def __init__(self, match_id: int, status: str) -> None:
        super().__init__(f"Match {match_id} is {status}, which does not allow this.")
        self.match_id = match_id
        self.status = status


class DuplicateInteraction(StorageError):
    """This interaction was applied already.

    Args:
        interaction_id: its id.
    """

    def __init__(self, interaction_id: int) -> None:
        super().__init__(f"Interaction {interaction_id} was applied already.")
        self.interaction_id = interaction_id


class ChannelTaken(StorageError):
    """The channel has an open match already.

    Args:
        channel_id: the channel.
        match_id: the open match there.
    """

    def __init__(self, channel_id: int, match_id: int) -> None:
        super().__init__(f"Channel {channel_id} has an open match already, number {match_id}.")
        self.channel_id = channel_id
        self.match_id = match_id


class AlreadySeated(StorageError):
    """This person has a seat in the match already.

    Args:
        match_id: the match.
        user_id: the person.
    """

    def __init__(self, match_id: int, user_id: int) -> None:
        super().__init__(f"User {user_id} has a seat in match {match_id} already.")
        self.match_id = match_id
        self.user_id = user_id


class NotSeated(StorageError):
    """No such seat, or this person has none in the match."""


def translate(error: sqlite3.Error, path: Path | str) -> StorageError:
    """The storage error for what SQLite reports, with one sentence that says what to do.

    Args:
        error: from :mod:`sqlite3`.
        path: the database, for the sentence.
    """
    # The low byte is the primary code; the rest refines it.
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    match code:
        case sqlite3.SQLITE_FULL:
            return DiskFull(f"No room is left to write the database {path}. Free some disk space.")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return DatabaseLocked(
                f"Another program keeps the database {path} locked. Close it and try again."
            )
        case sqlite3.SQLITE_NOTADB:
            return DatabaseDamaged(f"The file {path} is no SQLite database.")
        case sqlite3.SQLITE_CORRUPT:
            return DatabaseDamaged(f"The database {path} is damaged. Restore a backup.")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return StorageError(
                f"The database {path} cannot be opened for writing ({error}). "
                "Check that its folder exists and that the file and the folder are writable."
            )
        case sqlite3.SQLITE_IOERR:
            return StorageError(
                f"The disk failed while using the database {path} ({error}). "
                "Check free space, quotas and the disk."
            )
        case _:
            return StorageError(f"The database {path} refused: {error}.")
