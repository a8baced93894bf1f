"""Tables before their match: who sits there, in which colour, with which options."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from storage import steps
from storage.errors import (
    DuplicateInteraction,
    NotSeated,
)
from storage.parts.base import StoreBase
from storage.records import (
    OPEN,
    NewOutbox,
    NewSeat,
)


class LobbyStore(StoreBase):
    """Lobbies."""

    async def create_match(
        self,
        *,
        game: str,
        rules_version: int,
        options: str,
        channel_id: int,
        host_id: int,
        guild_id: int | None = None,
        settings: str = "{}",
        seats: Sequence[NewSeat] = (),
        outbox: Sequence[NewOutbox] = (),
        interaction_id: int | None = None,
    ) -> int:
        """Open a lobby and return the number of the match.

        Args:
            game: registry key.
            rules_version: see :class:`MatchRow`, as for what follows.
            options: JSON object.
            channel_id: the table.
            host_id: who opens it; gets no seat unless named in ``seats``.
            guild_id: None in a direct message.
            settings: JSON object.
            seats: who sits down at once, in order.
            outbox: what to announce.
            interaction_id: what led to it.

        Raises:
            ChannelTaken: the channel has an open match.
            DuplicateInteraction: done already.
            AlreadySeated: the same person twice.
        """
        now = self._clock()

        def work(cursor: sqlite3.Cursor) -> int:
            # Looked up first: a repeated delivery must not be told that the channel is taken.
            if interaction_id is not None and steps.seen(cursor, interaction_id):
                raise DuplicateInteraction(interaction_id)
            try:
                cursor.execute(
                    "INSERT INTO matches (game, rules_version, options, guild_id, channel_id,"
                    " host_id, status, created_at, settings) VALUES (?,?,?,?,?,?,'lobby',?,?)",
                    (game, rules_version, options, guild_id, channel_id, host_id, now, settings),
                )
            except sqlite3.IntegrityError as error:
                raise steps.taken(cursor, channel_id, error) from error
            match_id = cursor.lastrowid
            assert match_id is not None
            steps.claim(cursor, match_id, interaction_id, now)
            steps.sit(cursor, match_id, 0, seats, now)
            steps.announce(cursor, match_id, 0, outbox, now)
            return match_id

        return await self._write("create_match", work)

    async def add_seat(
        self,
        match_id: int,
        user_id: int,
        name: str,
        colour: str | None = None,
        *,
        outbox: Sequence[NewOutbox] = (),
        interaction_id: int | None = None,
    ) -> int:
        """Let somebody join a lobby, after those who have joined; returns the seat.

        Raises:
            NoSuchMatch, WrongStatus: not a lobby.
            AlreadySeated: has a seat.
            DuplicateInteraction: done already.
        """

        def work(cursor: sqlite3.Cursor, now: int) -> int:
            cursor.execute("SELECT count(*) FROM seats WHERE match_id = ?", (match_id,))
            seat = int(cursor.fetchone()[0])
            steps.sit(cursor, match_id, seat, [NewSeat(user_id, name, colour)], now)
            return seat

        return await self._about(
            "add_seat",
            match_id,
            work,
            ("lobby",),
            outbox=outbox,
            interaction_id=interaction_id,
        )

    async def remove_seat(
        self,
        match_id: int,
        seat: int,
        *,
        new_host: int | None = None,
        outbox: Sequence[NewOutbox] = (),
        interaction_id: int | None = None,
    ) -> None:
        """Let somebody leave a lobby; those who joined later move up.

        Args:
            match_id: the match.
            seat: who leaves.
            new_host: becomes host in the same transaction, if the host leaves.
            outbox: what to announce.
            interaction_id: what led to it.

        Raises:
            NoSuchMatch, WrongStatus: not a lobby.
            NotSeated: no such seat.
            DuplicateInteraction: done already.
        """

        def work(cursor: sqlite3.Cursor, now: int) -> None:
            cursor.execute("DELETE FROM seats WHERE match_id = ? AND seat = ?", (match_id, seat))
            if cursor.rowcount == 0:
                raise NotSeated(f"Match {match_id} has no seat {seat}.")
            # In two steps, as SQLite checks the key row by row and would see two of a number.
            cursor.execute(
                "UPDATE seats SET seat = seat + 1000 WHERE match_id = ? AND seat > ?",
                (match_id, seat),
            )
            cursor.execute(
                "UPDATE seats SET seat = seat - 1001 WHERE match_id = ? AND seat > 1000",
                (match_id,),
            )
            if new_host is not None:
                cursor.execute("UPDATE matches SET host_id = ? WHERE id = ?", (new_host, match_id))

        await self._about(
            "remove_seat",
            match_id,
            work,
            ("lobby",),
            outbox=outbox,
            interaction_id=interaction_id,
        )

    async def set_colour(
        self,
        match_id: int,
        seat: int,
        colour: str | None,
        *,
        outbox: Sequence[NewOutbox] = (),
        interaction_id: int | None = None,
    ) -> None:
        """Change the colour that somebody in a lobby asks for; None asks for none.

        Raises:
            NoSuchMatch, WrongStatus: not a lobby.
            NotSeated: no such seat.
            DuplicateInteraction: done already.
        """

        def work(cursor: sqlite3.Cursor, now: int) -> None:
            cursor.execute(
                "UPDATE seats SET colour = ? WHERE match_id = ? AND seat = ?",
                (colour, match_id, seat),
            )
            if cursor.rowcount == 0:
                raise NotSeated(f"Match {match_id} has no seat {seat}.")

        await self._about(
            "set_colour",
            match_id,
            work,
            ("lobby",),
            outbox=outbox,
            interaction_id=interaction_id,
        )

    async def set_host(
        self,
        match_id: int,
        host_id: int,
        *,
        outbox: Sequence[NewOutbox] = (),
        interaction_id: int | None = None,
    ) -> None:
        """Hand the care for an open match to somebody else.

        Raises:
            NoSuchMatch, WrongStatus: not an open match.
            DuplicateInteraction: done already.
        """
        await self._change(
            match_id, "host_id = ?", (host_id,), OPEN, outbox=outbox, interaction_id=interaction_id
        )

    async def update_options(
        self,
        match_id: int,
        options: str,
        *,
        outbox: Sequence[NewOutbox] = (),
        interaction_id: int | None = None,
    ) -> None:
        """Change the options of a lobby (JSON object).

        Raises:
            NoSuchMatch, WrongStatus: not a lobby.
            DuplicateInteraction: done already.
        """
        await self._change(
            match_id,
            "options = ?",
            (options,),
            ("lobby",),
            outbox=outbox,
            interaction_id=interaction_id,
        )
