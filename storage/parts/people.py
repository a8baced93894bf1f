"""People and servers: choices, plans, results, ratings."""

from __future__ import annotations

import sqlite3

from storage import plans, results, steps
from storage.parts.base import StoreBase
from storage.records import (
    PlayerRow,
)


class PeopleStore(StoreBase):
    """What is remembered of people and servers."""

    async def player(self, user_id: int) -> PlayerRow:
        """What is remembered of a person; an empty row for who was never seen."""
        rows = await self._rows(
            "SELECT prefs, dm_closed, updated_at FROM players WHERE user_id = ?", user_id
        )
        if not rows:
            return PlayerRow(user_id)
        return PlayerRow(user_id, rows[0][0], bool(rows[0][1]), rows[0][2])

    async def set_prefs(self, user_id: int, prefs: str) -> None:
        """Remember somebody's preferences (JSON object)."""
        await self._remember("players", "user_id", user_id, "prefs", prefs)

    async def set_dm_closed(self, user_id: int, closed: bool) -> None:
        """Remember whether somebody refuses direct messages."""
        await self._remember("players", "user_id", user_id, "dm_closed", int(closed))

    async def guild_settings(self, guild_id: int) -> str:
        """The settings of a Discord server (JSON object), ``{}`` at first."""
        rows = await self._rows("SELECT settings FROM guilds WHERE guild_id = ?", guild_id)
        return str(rows[0][0]) if rows else "{}"

    async def set_guild_settings(self, guild_id: int, settings: str) -> None:
        """Remember the settings of a Discord server (JSON object)."""
        await self._remember("guilds", "guild_id", guild_id, "settings", settings)

    async def _remember(
        self, table: str, key: str, owner: int, column: str, value: str | int
    ) -> None:
        await self._do(
            f"INSERT INTO {table} ({key}, {column}, updated_at) VALUES (?, ?, ?)"
            f" ON CONFLICT ({key}) DO UPDATE SET {column} = excluded.{column},"
            " updated_at = excluded.updated_at",
            owner,
            value,
            self._clock(),
        )

    async def plans_of(self, match_id: int, user_id: int) -> list[plans.PlanRow]:
        """Plans, offers and cancelled plans of one person in a match, in order."""
        return await self._read("plans_of", lambda plain: plans.of_person(plain, match_id, user_id))

    async def add_plan(
        self,
        match_id: int,
        plan: plans.NewPlan,
        status: plans.PlanStatus = "standing",
        *,
        offer: int | None = None,
        interaction_id: int | None = None,
    ) -> int:
        """Remember a plan or an offer; returns its id.

        Args:
            match_id: an active or paused match.
            plan: what to remember.
            status: ``standing`` or ``offered``.
            offer: the offer that it was made of, which is used up.
            interaction_id: what led to it.

        Raises:
            NoSuchMatch, WrongStatus: not being played.
            DuplicateInteraction: done already.
        """

        def work(cursor: sqlite3.Cursor, now: int) -> int:
            if offer is not None:
                plans.drop(cursor, match_id, plan.user_id, offer)
            return plans.add(cursor, match_id, plan, status, now)

        return await self._about(
            "add_plan", match_id, work, ("active", "paused"), interaction_id=interaction_id
        )

    async def drop_plans(
        self,
        match_id: int,
        user_id: int,
        plan_id: int | None = None,
        *,
        interaction_id: int | None = None,
    ) -> int:
        """Forget a plan of a person, or (None) all of them in a match; returns how many.

        Raises:
            DuplicateInteraction: done already.
        """
        now = self._clock()

        def work(cursor: sqlite3.Cursor) -> int:
            steps.claim(cursor, match_id, interaction_id, now)
            return plans.drop(cursor, match_id, user_id, plan_id)

        return await self._write("drop_plans", work)

    async def played(self, guild_id: int, user_id: int) -> list[results.Played]:
        """Everything that somebody has played to its end on a server, oldest first."""
        return await self._read("played", lambda plain: results.played(plain, guild_id, user_id))

    async def ratings(self, guild_id: int, game: str = results.ALL) -> list[results.RatingRow]:
        """The best-rated people of a server in a game, best first; see :mod:`storage.results`."""
        return await self._read("ratings", lambda plain: results.ratings(plain, guild_id, game))

    async def ratings_of(self, guild_id: int, user_id: int) -> list[results.RatingRow]:
        """Somebody's ratings on a server."""
        return await self._read(
            "ratings_of", lambda plain: results.ratings_of(plain, guild_id, user_id)
        )

    async def result_counts(self, guild_id: int) -> list[tuple[str, int, int]]:
        """Matches of a server played to their end: (game, how many, of these solo)."""
        return await self._read("counts", lambda plain: results.counts(plain, guild_id))

    async def rebuild_ratings(self) -> int:
        """Make all ratings anew from the results; returns how many results there are."""
        return await self._write("rebuild_ratings", results.rebuild)
