"""A match service on a clock that tests turn, without Discord."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

from bot.service import MatchService, Table
from bot.service.clocks import Rule, clock_of, find
from engines.core.registry import game as find_game
from storage.records import OutboxRow
from storage.store import Store

HOUR = 3_600_000
DAY = 24 * HOUR
NAMES = ("Ada", "Bruno", "Carla", "Dario", "Elena")


class Desk:
    """People 1, 2, 3 … at one table; ``now`` is unix milliseconds."""

    def __init__(self, store: Store) -> None:
        self.now = at("2026-06-01T12:00:00")
        self.store = store
        self.service = MatchService(store, clock=lambda: self.now, new_seed=lambda: f"{7:064x}")
        store._clock = lambda: self.now
        self.match = 0
        self.next_interaction = 1000

    def again(self) -> None:
        """A restart: nothing is in memory."""
        self.service = MatchService(
            self.store, clock=lambda: self.now, new_seed=lambda: f"{8:064x}"
        )

    async def begin(
        self, game: str = "paris_paris", seats: int = 3, rule: Rule | None = None
    ) -> Table:
        done = await self.service.create(
            game, guild_id=9, channel_id=77, host_id=1, host_name="Ada", seats=seats, clock=rule
        )  # fmt: skip
        self.match = done.table.match.id
        for user in range(2, seats + 1):
            await self.service.join(self.match, user, NAMES[user - 1])
        await self.service.start(self.match, 1)
        return await self.table()

    async def table(self) -> Table:
        return await self.service.table(self.match)

    def interaction(self) -> int:
        self.next_interaction += 1
        return self.next_interaction

    async def move(self, seat: int | None = None, choose: Any = None) -> int:
        """Somebody who is to act makes a move; returns the seat."""
        table = await self.table()
        seat = table.waiting()[0] if seat is None else seat
        moves = list(table.game.legal(table.state, seat))
        move = choose(moves) if choose else moves[0]
        await self.service.move(self.match, table.seats[seat].user_id, move)
        return seat

    async def later(self, ms: int, *, step: int = 60_000) -> None:
        """Let time pass with a tick a step."""
        end = self.now + ms
        while self.now < end:
            self.now = min(end, self.now + step)
            await self.service.beat(180_000 if step <= 180_000 else step + 1)
            await self.service.tick()

    async def timer(self, seat: int, kind: str = "clock") -> Any:
        return find((await self.table()).timers, seat, kind)  # type: ignore[arg-type]

    async def left(self, seat: int) -> int | None:
        """Milliseconds left of a seat's clock, running or not."""
        row = await self.timer(seat)
        if row is None:
            return None
        return row.at - self.now if row.at is not None else clock_of(row).left

    async def up(self, seat: int) -> bool:
        return clock_of(await self.timer(seat)).up

    async def sent(self, kind: str = "reminder") -> list[OutboxRow]:
        return [r for r in await self.store.pending_outbox(self.match) if r.kind == kind]

    async def reminders(self, seat: int) -> list[int]:
        """When reminders for a seat were written, in hours since the start of the match."""
        begun = (await self.table()).match.started_at or 0
        rows = [r for r in await self.sent() if r.seat == seat]
        return [(r.created_at - begun) // HOUR for r in rows]

    async def vote(self, user: int, seat: int, choice: str) -> str:
        row = await self.timer(seat)
        decision = clock_of(row).decision
        done = await self.service.vote(self.match, user, seat, decision, choice)
        return done.text

    async def care(self) -> list[dict[str, Any]]:
        return [
            json.loads(r.move or "{}") for r in await self.store.log(self.match) if r.kind == "care"
        ]


def at(text: str) -> int:
    """A moment in UTC as unix milliseconds."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@asynccontextmanager
async def desk() -> AsyncIterator[Desk]:
    async with await Store.open(":memory:") as store:
        yield Desk(store)


def meta(game: str) -> Any:
    return find_game(game).meta
