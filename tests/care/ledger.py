"""What a match must look like, told from its log and from what people chose: a model of its own,
which asks the match service for nothing but the facts to compare."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from bot.service import Table
from bot.service.clocks import clock_of, find
from storage.records import LogRow, OutboxRow
from tests.care.desk import Desk


class Ledger:
    """Follows one match from its start.

    Attributes:
        users: who sits where; 0 is an automatic player.
        paused, over: what became of the match.
        gone: who is not in the server.
    """

    def __init__(self, table: Table) -> None:
        self.users = [s.user_id for s in table.seats]
        self.paused = self.over = False
        self.gone: set[int] = set()
        self.seq = table.match.head_seq
        self.reminded: set[tuple[int, int, str, int]] = set()
        self.prefs: dict[int, dict[str, Any]] = {}
        self.muted: set[int] = set()

    # ---- what people chose -------------------------------------------------------------------

    async def choices(self, d: Desk) -> None:
        """Read what is chosen now, before the next deed."""
        table = await d.table()
        self.muted = set(table.settings.get("muted", ()))
        for user in self.users:
            if user > 0:
                self.prefs[user] = json.loads((await d.store.player(user)).prefs)

    def quiet(self, user: int, ms: int) -> bool:
        """Whether it is quiet time for somebody, read off the clock on their wall."""
        chosen = self.prefs.get(user, {})
        start, end = chosen.get("quiet_from"), chosen.get("quiet_to")
        if start is None or end is None:
            return False
        zone = ZoneInfo(chosen.get("time_zone", "UTC"))
        here = datetime.fromtimestamp(ms / 1000, UTC).astimezone(zone)
        minute = here.hour * 60 + here.minute
        return start <= minute < end if start < end else minute >= start or minute < end

    # ---- what happened -----------------------------------------------------------------------

    def enter(self, row: LogRow) -> None:
        """Note a log entry."""
        if row.kind != "care":
            return
        what = json.loads(row.move or "{}")
        if "substitute" in what:
            assert self.users[what["substitute"]] == what["from"]
            assert what["to"] not in self.users, "one person, one seat"
            self.users[what["substitute"]] = what["to"]
            self.gone -= {what["from"], what["to"]}
        elif "automatic" in what:
            assert self.users[what["automatic"]] == what["from"]
            self.users[what["automatic"]] = 0
            self.gone.discard(what["from"])
        elif "paused" in what:
            assert what["paused"] != self.paused
            self.paused = what["paused"]
        elif "ended" in what or "resigned" in what or ("time" in what and "ranking" in what):
            assert not self.over
            self.over = True
        elif "left" in what:
            self.gone.add(self.users[what["left"]])
        elif "returned" in what:
            self.gone.discard(self.users[what["returned"]])

    def remind(self, row: OutboxRow, table: Table) -> None:
        """A reminder goes to a person who wants it, once for each occasion, never at night."""
        assert row.seat is not None
        user = self.users[row.seat]
        assert user > 0
        stage = json.loads(row.payload)["stage"]
        if stage == "back":
            return
        assert user not in self.muted
        assert self.prefs.get(user, {}).get("remind_hours") != 0
        if stage.isdigit():
            assert not self.quiet(user, row.created_at)

    async def look(self, d: Desk, rows: list[OutboxRow]) -> None:
        """Compare with the match as it stands."""
        for entry in await d.store.log(d.match, self.seq + 1):
            self.seq = entry.seq
            self.enter(entry)
        table = await d.table()
        assert [s.user_id for s in table.seats] == self.users
        people = [u for u in self.users if u > 0]
        assert len(set(people)) == len(people)
        assert not people or table.match.host_id in people, "a host who plays"
        over = self.over or table.state.ended is not None
        expected = {"finished", "ended"} if over else {"paused"} if self.paused else {"active"}
        assert table.match.status in expected
        assert set(table.settings.get("gone", ())) <= self.gone
        for row in rows:
            if row.kind == "reminder":
                self.remind(row, table)
        if over:
            assert not table.timers


def lefts(table: Table, now: int) -> dict[tuple[int, int], int]:
    """(seat, decision) → milliseconds left, of those whose time is not up."""
    found = {}
    for seat in range(len(table.seats)):
        row = find(table.timers, seat, "clock")
        if row is None or clock_of(row).up:
            continue
        left = row.at - now if row.at is not None else clock_of(row).left
        found[seat, clock_of(row).decision] = left or 0
    return found


def away(table: Table) -> set[int]:
    """The seats on vacation."""
    return {t.seat for t in table.timers if t.kind == "vacation"}
