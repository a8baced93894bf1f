"""kill −9 at random moments: no acknowledged move is lost, none is made twice, all is announced."""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter
from collections.abc import Awaitable
from pathlib import Path
from typing import TypeVar

from bot.posts import payload_of
from bot.service import MatchService
from engines.core.play import replay
from engines.core.types import state_hash
from storage.records import MatchRow, OutboxRow
from storage.store import Store
from tests.wire.model import Channel, Message, User
from tests.wire.process import TOKEN, Process
from tests.wire.server import LoopbackDiscord
from tests.wire.table import MESSAGES, Party, start_match, tile_args

T = TypeVar("T")

MOVES = 200
KILLS = 10
TABLES = 4
SEED = int(os.environ.get("CRASH_SEED", "20"))


class Killed(Exception):
    """The bot was killed while somebody waited for it."""


class Play:
    """People who play on, whatever happens to the bot."""

    def __init__(self, discord_: LoopbackDiscord, process: Process) -> None:
        self.discord = discord_
        self.process = process
        self.party = Party(discord_, channels=TABLES)
        self.up = asyncio.Event()
        self.down = asyncio.Event()
        self.acknowledged: list[int] = []
        self.unanswered = 0

    async def alive(self, doing: Awaitable[T]) -> T:
        """Wait for an answer, or for the bot's death.

        Raises:
            Killed: it came first.
        """
        task = asyncio.ensure_future(doing)
        death = asyncio.ensure_future(self.down.wait())
        await asyncio.wait({task, death}, return_when=asyncio.FIRST_COMPLETED)
        death.cancel()
        if not task.done() or (task.exception() is not None and self.down.is_set()):
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            raise Killed
        return task.result()

    async def table(self, channel: Channel) -> None:
        """Play in a channel, one match after another."""
        while len(self.acknowledged) < MOVES:
            await self.up.wait()
            try:
                await self.alive(self.step(self.party.people[:2], channel))
            except Killed:
                self.unanswered += 1

    async def step(self, people: list[User], channel: Channel) -> None:
        """One move, or the next match."""
        for person in people:
            args = await tile_args(person, channel)
            if args:
                reply = await person.slash(channel, "paris open", **args)
                if reply.content.startswith("Done: "):
                    self.acknowledged.append(reply.id)
                return
        try:
            await start_match(people, channel)
        except AssertionError:  # half of it was done before a crash
            if self.down.is_set():
                raise
            host, other = people
            await other.slash(channel, "match join")
            await host.slash(channel, "match start")

    async def murder(self, draw: random.Random) -> None:
        """Kill the bot ten times on the way, and start it again."""
        for target in sorted(draw.sample(range(8, MOVES - 8), KILLS)):
            while len(self.acknowledged) < target:  # noqa: ASYNC110
                await asyncio.sleep(0.002)
            await asyncio.sleep(draw.uniform(0, 0.12))
            self.up.clear()
            self.down.set()
            await self.process.kill()
            await asyncio.sleep(0)
            self.down.clear()
            await self.process.start()
            self.up.set()


async def test_ten_kills_in_two_hundred_moves(tmp_path: Path) -> None:
    async with LoopbackDiscord(token=TOKEN) as discord_:
        process = Process(discord_, tmp_path, PIAZZA_LOG_LEVEL="warning")
        play = Play(discord_, process)
        try:
            await process.start()
            play.up.set()
            async with asyncio.timeout(150), asyncio.TaskGroup() as group:
                group.create_task(play.murder(random.Random(SEED)))
                for channel in play.party.channels:
                    group.create_task(play.table(channel))
            await process.quiet()
            assert await process.terminate() == 0, process.output()
        finally:
            await process.stop()
        assert process.starts == KILLS + 1
        discord_.check_clean()
        async with await Store.open(process.db) as store:
            await check_moves(store, play)
            await check_posts(store, play)
        tries = Counter(r.json["nonce"] for r in discord_.sent("POST", MESSAGES))
        print(
            f"\nseed {SEED}: {len(play.acknowledged)} moves acknowledged, {play.unanswered} steps "
            f"cut off by {KILLS} kills, {sum(n > 1 for n in tries.values())} posts tried again"
        )


async def check_moves(store: Store, play: Play) -> None:
    applied = {row[0] for row in await store._rows("SELECT interaction_id FROM interactions")}
    lost = set(play.acknowledged) - applied
    assert not lost, f"acknowledged and lost: {lost}"
    asked = {
        interaction.id
        for interaction in play.discord.interactions
        if interaction.data.get("name") == "paris"
        and interaction.data["options"][0]["name"] == "open"
    }
    service = MatchService(store)
    by_people = 0
    for (match_id,) in await store._rows("SELECT id FROM matches WHERE status <> 'lobby'"):
        table = await service.table(match_id)
        log = await store.log(match_id)
        assert [entry.seq for entry in log] == list(range(table.match.head_seq + 1))
        by_people += sum(entry.kind == "move" and not entry.auto for entry in log)
        positions = list(replay(table.game, await service._record(table)))  # compares each hash
        assert len(positions) == len(log)
        assert state_hash(positions[-1][1]) == state_hash(table.state)
    assert by_people == len(asked & applied)
    assert by_people >= MOVES


async def check_posts(store: Store, play: Play) -> None:
    fields = ", ".join(OutboxRow.__struct_fields__)
    rows = [OutboxRow(*row) for row in await store._rows(f"SELECT {fields} FROM outbox")]
    channels = {match.id: match.channel_id for match in await all_matches(store)}
    posts: dict[int, Message] = {}
    for channel in play.discord.channels.values():
        for message in channel.messages:
            posts[message.id] = message
        nonces = Counter(message.nonce for message in channel.messages)
        assert max(nonces.values(), default=1) == 1, "a nonce was posted twice"
    told: set[int] = set()
    for row in rows:
        assert row.done_at is not None
        if row.message_id is None:
            assert row.error == "the lobby is over", row
            continue
        told.add(row.message_id)
        post = posts[row.message_id]
        if row.kind != "hand":
            assert post.channel.id == channels[row.match_id]
        for line in payload_of(row.payload).get("lines", []):  # type: ignore[attr-defined]
            assert line in post.content or post.content.startswith("…"), (line, post.content)
    twice = [post for ident, post in posts.items() if ident not in told]
    assert not twice, [post.content for post in twice]


async def all_matches(store: Store) -> list[MatchRow]:
    ids = await store._rows("SELECT id FROM matches")
    return [await store.match(row[0]) for row in ids]
