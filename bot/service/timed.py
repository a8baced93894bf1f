"""What the match service needs to know of people and time when a match changes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Mapping
from typing import Any

from bot.service.base import ServiceBase
from bot.service.clocks import Seen, next_timers, rule_of
from bot.service.quiet import Prefs, prefs_of
from bot.service.tables import Table
from engines.core.types import Seat, State
from storage.records import NewSeat, NewTimer, TimerRow
from storage.store import Store

REMEMBERED = 4096
"""People whose choices are kept in memory."""


class TimedService(ServiceBase):
    """Timers that go with a change of a match, and the personal choices that they depend on."""

    def __init__(self, store: Store, **more: Any) -> None:
        super().__init__(store, **more)
        self._known: dict[int, Prefs] = {}
        self._choosing = asyncio.Lock()
        self._choices = 0

    async def prefs(self, user_id: int) -> Prefs:
        """What a person has chosen; from memory where possible, as every move asks for it."""
        found = self._known.get(user_id)
        while found is None:
            before = self._choices
            row = await self.store.player(user_id)
            if before != self._choices:
                continue  # somebody chose meanwhile; what was read may be older
            found = prefs_of(row.prefs)
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[user_id] = found
        return found

    async def choose(self, user_id: int, changes: Mapping[str, Any]) -> Prefs:
        """Remember what a person has chosen; None takes a choice back."""
        async with self._choosing:
            raw = json.loads((await self.store.player(user_id)).prefs)
            merged = {k: v for k, v in {**raw, **changes}.items() if v is not None}
            await self.store.set_prefs(user_id, json.dumps(merged))
            self._choices += 1
            self._known.pop(user_id, None)
        return await self.prefs(user_id)

    async def beat(self, patience: int) -> int:
        """Note that the bot is there; see :meth:`Store.beat`.

        Returns:
            Milliseconds for which it was not.
        """
        gap = await self.store.beat(self.clock(), patience)
        if gap:
            for match_id in list(self._tables):
                self.forget(match_id)
        return gap

    async def _timers(
        self,
        table: Table,
        after: State | None,
        *,
        owed: Collection[Seat],
        seats: Mapping[Seat, NewSeat] | None = None,
        settings: Mapping[str, Any] | None = None,
        running: bool = True,
        old: list[TimerRow] | list[NewTimer] | None = None,
        **more: Any,
    ) -> list[NewTimer]:
        """The timers after a change.

        Args:
            table: the match before it.
            after: the position after it; None or an ended one has no timers.
            owed: who owed a decision before.
            seats: seats that change hands.
            settings: the match's settings after it, if they change.
            running: the match is active after it.
            old: timers before it, if not those of the table.
            more: see :class:`Seen`.
        """
        if after is None or after.ended is not None:
            return []
        users = {s.seat: s.user_id for s in table.seats}
        users.update({seat: new.user_id for seat, new in (seats or {}).items()})
        people = {seat: user for seat, user in users.items() if user > 0}
        chosen = table.settings if settings is None else settings
        gone = set(chosen.get("gone", ()))
        decisions = {}
        for seat in table.game.waiting(after):
            decision = after.decision_of(seat)
            decisions[seat] = decision.id if decision is not None else 0
        seen = Seen(
            rule=rule_of(chosen),
            people=frozenset(people),
            owed=frozenset(owed),
            decisions=decisions,
            gone=frozenset(seat for seat, user in people.items() if user in gone),
            hours={seat: (await self.prefs(user)).hours for seat, user in people.items()},
            # While the table cannot be told what happens, time counts against nobody.
            running=running and "lost" not in chosen,
            fresh=frozenset(seats or ()),
            **more,
        )
        return next_timers(table.timers if old is None else old, seen, self.clock())


def rows_of(table: Table, timers: list[NewTimer]) -> list[TimerRow]:
    """Timers as they stand in the database once they are written."""
    return [TimerRow(table.match.id, t.seat, t.kind, t.at, t.data) for t in timers]
