"""A thousand tables that look after themselves for months, and what a tick costs.

``SOAK_MATCHES`` sets another number of matches.
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.errors import TableError
from bot.outbox import Drop, Outbox, Retry
from bot.service import WARM, MatchService, Table
from bot.service.clocks import Clock, Rule, clock_of
from engines.core.errors import MoveError
from engines.core.registry import games
from storage import NewTimer
from storage.records import OutboxRow
from storage.store import Store
from tests.bench.test_bot import copies, durability, memory, middle, open_match
from tests.care.desk import DAY, HOUR, at

pytestmark = pytest.mark.bench

MATCHES = int(os.environ.get("SOAK_MATCHES", "1000"))

SHARES = {"paris_paris": 30, "palermo": 25, "papertown": 20, "papa_paolo": 15, "pizzachef": 10}
"""Of a hundred matches: long games are rarer, so that the soak comes to its end."""

CLOCKS = [Rule("move", 24), Rule("move", 6), Rule("bank", 72, 6), Rule()]

PATIENCE = 56 * DAY
"""After this long somebody who may manage the channel calls a match off."""


class Town:
    """People at many tables, on a clock that is turned by hours.

    Attributes:
        counts: what happened how often.
        waiting: rows of the outbox, after each hour.
        sizes: MiB of the process, week by week.
    """

    def __init__(self, store: Store) -> None:
        self.now = at("2026-03-01T00:00:00")
        self.store = store
        store._clock = lambda: self.now
        self.rand = random.Random(7)
        self.seeds = (f"{self.rand.getrandbits(256):064x}" for _ in iter(int, 1))
        self.service = MatchService(
            store, clock=lambda: self.now, new_seed=lambda: next(self.seeds), wake=self.wake
        )
        self.outbox = Outbox(store, self.send, lambda: self.now)
        self.counts: Counter[str] = Counter()
        self.waiting: list[int] = []
        self.sizes: list[float] = []
        self.ghosts: set[int] = set()
        """People who never come back."""
        self.silent: dict[int, int] = {}
        """match → until when its channel is out of reach."""
        self.open: set[int] = set()
        self.message = 0

    def wake(self, match_id: int) -> None:
        self.outbox.wake(match_id)

    async def send(self, rows: list[OutboxRow]) -> int:
        """Discord: it mostly works."""
        row = rows[-1]
        table = await self.service.table(row.match_id)
        if row.kind in ("turn", "notice") and self.silent.get(row.match_id, 0) > self.now:
            await self.service.lost(row.match_id, "it has been archived")
            raise Retry("archived", HOUR)
        if row.kind in ("turn", "notice") and "lost" in table.settings:
            await self.service.found(row.match_id)
        if self.rand.random() < 0.01:
            self.counts["failed"] += 1
            raise Retry("500")
        if row.seat is not None:
            user = table.seats[row.seat].user_id
            if user in self.ghosts and self.rand.random() < 0.3:
                await self.service.left(row.match_id, user)
                self.counts["left"] += 1
                raise Drop("has left the server")
        self.message += 1
        payload = json.loads(row.payload)
        if row.kind == "turn":
            self.counts["mentions"] += len(payload.get("ping") or ())
            if payload.get("what") == "turn":
                await self.service.board_is(table, row.id, self.message)
        self.counts["mentions"] += len(payload.get("mention") or ())
        self.counts[row.kind] += len(rows)
        return self.message

    async def drained(self) -> None:
        """Send what is due by now."""
        for match_id in await self.store.due_matches(self.now, limit=1 << 31):
            self.outbox.wake(match_id)
        while tasks := list(self.outbox._running.values()):
            await asyncio.gather(*tasks)

    # ---- people ------------------------------------------------------------------------------

    async def begin(self, number: int) -> None:
        (key,) = self.rand.choices(list(SHARES), list(SHARES.values()))
        game = games()[key]
        seats = self.rand.choice([n for n in game.meta.seats if n > 1])
        users = [1_000_000 + number * 10 + seat for seat in range(seats)]
        done = await self.service.create(
            game.meta.key, guild_id=1 + number % 50, channel_id=5_000_000 + number,
            host_id=users[0], host_name="Player 0", seats=seats,
            clock=self.rand.choice(CLOCKS),
        )  # fmt: skip
        match = done.table.match.id
        for place, user in enumerate(users[1:], 1):
            await self.service.join(match, user, f"Player {place}")
        await self.service.start(match, users[0])
        self.open.add(match)
        for user in users:
            chance = self.rand.random()
            if chance < 0.1:
                self.ghosts.add(user)
            elif chance < 0.3:
                quiet = {"quiet_from": 22 * 60, "quiet_to": 7 * 60, "time_zone": "Europe/Rome"}
                await self.service.choose(user, quiet)

    async def hour(self) -> None:
        """An hour: a beat and a tick, then some people look at their tables."""
        self.now += HOUR
        began = time.perf_counter()
        await self.service.beat(2 * HOUR)
        self.counts["due"] += await self.service.tick()
        self.counts["tick ms"] += round(1000 * (time.perf_counter() - began))
        self.counts["ticks"] += 1
        for match in sorted(self.open):
            if self.rand.random() < 0.12:
                try:
                    await self.visit(await self.service.table(match))
                except (TableError, MoveError):
                    self.counts["refused"] += 1
        await self.drained()
        self.waiting.append(await self.store.pending_count())

    async def visit(self, table: Table) -> None:
        """Somebody comes by and does what there is to do."""
        match, rand, service = table.match.id, self.rand, self.service
        people = [s.user_id for s in table.seats if s.user_id > 0 and s.user_id not in self.ghosts]
        if not table.match.open:
            self.open.discard(match)
            self.counts[table.match.status] += 1
            return
        if not people or self.now - (table.match.started_at or 0) > PATIENCE:
            await service.end(match, 1, moderator=True)
            return
        user = rand.choice(people)
        if table.match.status == "paused":
            await service.resume(match, user)
            return
        what = rand.random()
        if what < 0.004:
            await service.pause(match, user)
        elif what < 0.008:
            await service.vacation(match, user, rand.choice(["2 days", "1 week"]))
        elif what < 0.009:
            await service.resign(match, user)
        elif what < 0.012:
            self.silent[match] = self.now + rand.choice([HOUR, 2 * DAY, 9 * DAY])
        elif what < 0.015:
            newcomer = 9_000_000 + self.counts["substitutes"]
            self.counts["substitutes"] += 1
            await service.substitute(match, user, newcomer, "Newcomer")
        elif what < 0.018:
            await service.undo(match, user)
        elif what < 0.02 and user not in self.ghosts:
            self.ghosts.add(user)
        for row in table.timers:
            if row.kind == "clock" and clock_of(row).up:
                choice = rand.choice(["skip", "wait", "hand", "win"])
                if choice == "win" and len(table.seats) > 2:
                    choice = "hand"
                voter = rand.choice(people)
                await service.vote(match, voter, row.seat, clock_of(row).decision, choice)
                self.counts["votes"] += 1
                return
        await self.play(match)

    async def play(self, match: int) -> None:
        """Who is there plays on, as long as it is their turn."""
        for _ in range(12):
            table = await self.service.table(match)
            owing = [s for s in table.waiting() if table.seats[s].user_id not in self.ghosts]
            if not owing:
                return
            seat = owing[0]
            move = table.game.safest(table.state, seat)
            await self.service.move(match, table.seats[seat].user_id, move)
            self.counts["moves"] += 1
            if self.rand.random() < 0.4:
                return

    def line(self) -> str:
        week = len(self.waiting) / 24 / 7
        last = self.waiting[-24 * 7 :]
        return (
            f"week {week:4.1f}: {len(self.open):4} open, {self.counts['moves']:6} moves, "
            f"{self.counts['mentions']:6} mentions, outbox longest {max(last):4}, "
            f"now {last[-1]:4}, RSS {memory():.0f} MiB"
        )


@pytest.mark.timeout(3600)
async def test_soak_of_months(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)  # what pytest remembers of failed sends is not the bot's
    async with await Store.open(tmp_path / "piazza.db") as store:
        await durability(store, "OFF")
        town = Town(store)
        began = time.monotonic()
        await town.service.beat(2 * HOUR)
        for number in range(MATCHES):
            await town.begin(number)
        await town.drained()
        print(f"\n{len(town.open)} matches begun, RSS {memory():.0f} MiB")
        while town.open:
            for _ in range(24 * 7):
                await town.hour()
            gc.collect()
            town.sizes.append(memory())
            print(town.line(), flush=True)
            assert len(town.service._tables) <= WARM
            assert len(town.waiting) < 24 * 7 * 30, "matches do not come to an end"
        # Channels come back and pauses between attempts pass: all that waits is sent or given up.
        town.silent.clear()
        for _ in range(24 * 9):
            await town.hour()
        await town.outbox.close()
        seconds = time.monotonic() - began
        left = {
            "locks": len(town.service._locks),
            "tasks": len(town.outbox._running),
            "alarms": len(town.outbox._timers),
            "outbox": await store.pending_count(),
            "timers": (await store._rows("SELECT count(*) FROM timers"))[0][0],
            "open": len(await town.service.open_of(None)),
        }
        tables, channels = len(town.service._tables), len(town.service._channels)
    counts = town.counts
    print(
        f"{MATCHES} matches over {len(town.waiting) / 24 / 7:.1f} virtual weeks, {seconds:.0f} s: "
        f"{counts['moves']} moves, {counts['ticks']} ticks of "
        f"{counts['tick ms'] / counts['ticks']:.1f} ms that found {counts['due']} matches due, "
        f"{counts['mentions']} mentions, {counts['reminder']} reminders, {counts['votes']} votes, "
        f"{counts['left']} times somebody had left, {counts['failed']} failed sends; "
        f"{counts['finished']} finished, {counts['ended']} called off; outbox longest "
        f"{max(town.waiting)}, at the end {left['outbox']}; {tables} tables in memory"
    )
    assert not any(left.values()), left
    assert counts["finished"] + counts["ended"] == MATCHES
    assert channels == 0
    warm = town.sizes[1] if len(town.sizes) > 2 else town.sizes[0]
    assert max(town.sizes) < 1.5 * warm + 30, town.sizes


# ---- one tick --------------------------------------------------------------------------------


async def timed(store: Store, numbers: Iterator[int], due: int) -> None:
    """Give each match a clock and a reminder that are due then."""
    clock = msgspec.json.encode(Clock(decision=1, total=DAY, begun=DAY)).decode()
    rows: list[tuple[Any, ...]] = []
    for number in numbers:
        rows += [(number, 0, "clock", due, clock), (number, 0, "remind", due, '{"decision":1}')]

    def work(plain: Any) -> None:
        plain.execute("BEGIN")
        plain.execute("DELETE FROM timers")
        plain.executemany("INSERT INTO timers VALUES (?, ?, ?, ?, ?, 0)", rows)
        plain.execute("COMMIT")

    await store._read("timers", work)


async def test_a_tick_among_10_000_open_matches(tmp_path: Path) -> None:
    """A tick with nothing due costs the same however many matches are open, and one with 20 due
    costs what those 20 cost."""
    found: dict[int, tuple[float, float]] = {}
    for count in (1000, 10_000):
        async with await Store.open(tmp_path / f"{count}.db") as store:
            now = at("2026-03-01T00:00:00")
            service = MatchService(store, clock=lambda: now)  # noqa: B023
            numbers = await copies(store, await open_match(service, 1), count)
            service.forget(numbers[0])
            far = now + 30 * DAY
            await timed(store, iter(numbers), far)
            idle: list[float] = []
            for _ in range(50):
                begin = time.perf_counter()
                assert await service.tick() == 0
                idle.append(time.perf_counter() - begin)
            busy: list[float] = []
            for turn in range(10):
                some = numbers[turn * 20 : turn * 20 + 20]
                for number in some:
                    await store.set_timers(
                        number, [NewTimer(0, "remind", now - 1, '{"decision":1}')]
                    )
                    service.forget(number)
                begin = time.perf_counter()
                assert await service.tick() == 20
                busy.append(time.perf_counter() - begin)
            found[count] = (middle(idle), middle(busy))
    few, many = found[1000], found[10_000]
    print(
        f"\na tick: {few[0]:.0f} µs with 1,000 open matches, {many[0]:.0f} with 10,000; "
        f"with 20 due {few[1] / 1000:.1f} ms and {many[1] / 1000:.1f} ms"
    )
    assert many[0] < 3 * few[0] + 500
    assert many[1] < 2 * few[1]
