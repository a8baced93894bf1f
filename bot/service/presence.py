"""Who is there: people who leave the server and come back, voters who sleep."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

from bot.language import tr
from bot.service.due import DueService, open_vote
from bot.service.moves import More
from bot.service.proposal import proposal_of
from bot.service.tables import Table
from engines.core.play import Played
from engines.core.types import Seat
from storage.records import NewOutbox


class PresenceService(DueService):
    """What the table learns of its people's presence."""

    async def left_server(self, guild_id: int, user_id: int) -> None:
        """Somebody has left a server: see :meth:`left`, for each of their matches there."""
        for table in await self.mine(user_id):
            if table.match.guild_id == guild_id:
                await self.left(table.match.id, user_id)

    async def returned(self, guild_id: int, user_id: int) -> None:
        """Somebody is in the server again: each of their matches there goes on as if they had never
        left. What was decided meanwhile stays."""
        for found in await self.mine(user_id):
            if found.match.guild_id != guild_id or not gone(found.settings, user_id):
                continue
            async with self.locked(found.match.id):
                table = await self.table(found.match.id)
                seat = table.seat_of(user_id)
                if seat is None or not table.match.open or not gone(table.settings, user_id):
                    continue
                rest = [u for u in table.settings["gone"] if u != user_id]
                more = More(
                    care=[self._care({"returned": seat}, seat, user_id)],
                    intro=[tr("{who} is back.", who=table.said[seat])],
                    settings={**table.settings, "gone": rest},
                )
                await self._commit(table, Played(table.state, ()), user_id, None, more)
            self.wake(found.match.id)

    async def call_later(
        self, match_id: int, late: Seat, decision: int, seats: Collection[Seat]
    ) -> None:
        """Let voters who are not to be disturbed now be told of a vote when their quiet hours end.

        Args:
            match_id: the match.
            late: whose time is up.
            decision: the decision that was open then.
            seats: the voters. Who is to be told already is not told twice.
        """
        async with self.locked(match_id):
            table = await self.table(match_id)
            if open_vote(table, late, decision) is not None:
                await self._call_later(table, {"vote": [late, decision]}, seats)
        self.wake(match_id)

    async def ask_later(self, match_id: int, number: int, seats: Collection[Seat]) -> None:
        """Let people who are not to be disturbed now be told of a proposal to go back when their
        quiet hours end.

        Args:
            match_id: the match.
            number: of the proposal.
            seats: theirs. Who is to be told already is not told twice.
        """
        async with self.locked(match_id):
            table = await self.table(match_id)
            proposal = proposal_of(table.settings)
            if proposal is not None and proposal.number == number:
                await self._call_later(table, {"rollback": number}, seats)
        self.wake(match_id)

    async def _call_later(
        self, table: Table, what: Mapping[str, object], seats: Collection[Seat]
    ) -> None:
        payload = json.dumps(what)
        waiting = await self.store.pending_outbox(table.match.id)
        told = {r.seat for r in waiting if r.kind == "call" and r.payload == payload}
        rows = [NewOutbox("call", payload, seat=s) for s in sorted(set(seats) - told)]
        if rows:
            await self.store.update_settings(table.match.id, table.match.settings, outbox=rows)


def gone(settings: dict[str, object], user_id: int) -> bool:
    """Whether somebody is known to have left the server."""
    found = settings.get("gone")
    return isinstance(found, list) and user_id in found
