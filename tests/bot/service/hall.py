"""The match service with a real database and no Discord: helpers for its tests."""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from bot.service import MatchService, Table
from engines.core import surface
from engines.core.game import QUIET
from engines.core.play import replay
from engines.core.types import state_hash
from storage.store import Store

T = TypeVar("T")

CHANNEL, OTHER = 7001, 7002
"""Two tables."""


class Lost(Exception):
    """The answer of the database was lost; whether it did as it was told is unknown."""


class Shaky:
    """A store whose next writing call fails before or after it has done its work.

    ``trouble`` is called with the method's name before and after each of :data:`WRITES`.
    """

    WRITES = frozenset(
        {
            "create_match",
            "add_seat",
            "remove_seat",
            "set_colour",
            "start_match",
            "commit",
            "set_status",
            "update_settings",
            "freeze",
        }
    )

    def __init__(self, store: Store) -> None:
        self._store = store
        self.before: Callable[[], Awaitable[None]] | None = None
        self.after: Callable[[], Awaitable[None]] | None = None

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if name not in self.WRITES:
            return found

        async def call(*args: Any, **more: Any) -> Any:
            before, after = self.before, self.after
            self.before = self.after = None
            if before is not None:
                await before()
            done = await found(*args, **more)
            if after is not None:
                await after()
            return done

        return call


class Hall:
    """A service on a temporary file, with an event loop of its own.

    Attributes:
        woken: matches with something to be sent, as the service reported them.
    """

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._folder = tempfile.TemporaryDirectory()
        self.path = Path(self._folder.name) / "piazza.db"
        self.plain = self.run(Store.open(self.path))
        self.store = Shaky(self.plain)
        self.woken: list[int] = []
        self._seeds = iter(range(1, 10**6))
        self.service = self.make()

    def make(self) -> MatchService:
        """A service that remembers nothing, as after a start."""
        return MatchService(
            self.store,  # type: ignore[arg-type]
            new_seed=lambda: f"{next(self._seeds):064x}",
            wake=self.woken.append,
        )

    def run(self, work: Awaitable[T]) -> T:
        """Wait for work."""
        return self.loop.run_until_complete(work)  # type: ignore[arg-type]

    def close(self) -> None:
        """Close the file and the loop."""
        self.run(self.plain.close())
        self.loop.close()
        self._folder.cleanup()

    def begin(self, game: str, players: int, channel: int = CHANNEL) -> Table:
        """A running match; people have the ids 1 … and the host is 1."""

        async def work() -> Table:
            done = await self.service.create(
                game, guild_id=1, channel_id=channel, host_id=1, host_name="P1", seats=players
            )
            ident = done.table.match.id
            for user in range(2, players + 1):
                await self.service.join(ident, user, f"P{user}")
            return (await self.service.start(ident, 1)).table

        return self.run(work())

    def table(self, match_id: int) -> Table:
        """The match as the service knows it."""
        return self.run(self.service.table(match_id))

    def words(self, table: Table, rand: random.Random) -> tuple[int, str, dict[str, str]]:
        """A random legal move as (user, command, options)."""
        seats = list(table.waiting())
        if rand.random() < 0.1:
            seats += [s.seat for s in table.seats if table.game.legal(table.state, s.seat)]
        seat = rand.choice(seats)
        phrase, _ = rand.choice(surface.phrases(table.game, table.state, seat))
        return table.seats[seat].user_id, phrase.command, dict(phrase.args)

    def check(self) -> None:
        """What must hold at any moment, for every match of the database."""
        self.run(self._check())

    async def _check(self) -> None:
        rows = await self.plain._rows("SELECT id FROM matches ORDER BY id")
        open_channels: list[int] = []
        for (ident,) in rows:
            loaded = await self.plain.load(ident)
            match = loaded.match
            if match.open:
                open_channels.append(match.channel_id)
            table = await self.service.table(ident)
            assert table.match.status == match.status, "memory and database disagree"
            assert table.match.head_seq == match.head_seq
            assert table.match.host_id == match.host_id
            assert [s.user_id for s in table.seats] == [s.user_id for s in loaded.seats]
            assert len({s.user_id for s in loaded.seats}) == len(loaded.seats)
            if match.open:
                assert loaded.seats, "nobody sits at an open table"
                assert match.host_id in {s.user_id for s in loaded.seats}
            if match.seed is not None:
                await self._check_started(table, loaded)
        assert len(open_channels) == len(set(open_channels)), "two open matches in a channel"

    async def _check_started(self, table: Table, loaded: Any) -> None:
        ident = table.match.id
        log = await self.plain.log(ident)
        assert [row.seq for row in log] == list(range(table.match.head_seq + 1))
        if loaded.match.status == "finished":
            assert table.state.ended is not None
        last = None
        for _, state, _ in replay(table.game, await self.service._record(table)):
            last = state
        assert last is not None
        game = table.game
        assert state_hash(last) == state_hash(table.state), "memory is not what the log says"
        assert loaded.snapshot is not None
        assert state_hash(game.decode_state(loaded.snapshot)) == state_hash(last)
        posts = await self.plain._rows(
            "SELECT count(*) FROM outbox WHERE match_id = ? AND kind = 'turn'", ident
        )
        commits = sum(
            row.kind in ("start", "undo") or (row.kind == "move" and not row.auto)
            for row in log
            if row.apart != QUIET
        )
        assert posts[0][0] >= commits, "a commit without an announcement"
