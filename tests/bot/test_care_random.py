"""Random care mixed with random moves, through Discord: no match is stuck, nobody reads what is
not theirs, and who becomes active is notified exactly once."""

from __future__ import annotations

import os
import random

import pytest

from bot.errors import TableError
from bot.posts import hand_text
from bot.service import Table
from engines.core.errors import MoveError
from engines.core.registry import games
from tests.bot.table import World
from tests.care.chaos import DEEDS, check_not_stuck, disturb, went_back

SEED = os.environ.get("CARE_SEED", "1")
"""Another one finds other stories."""

GAMES = [(key, max(n for n in game.meta.seats if n < 5)) for key, game in games().items()]


class Chaos:
    """One match, at which people do what comes into their heads."""

    def __init__(self, world: World, rand: random.Random) -> None:
        self.world, self.rand = world, rand
        self.told: list[str] = []

    async def table(self) -> Table:
        return await self.world.table()

    def someone(self, table: Table) -> int:
        return int(self.rand.choice([s.user_id for s in table.seats if s.user_id > 0]))

    async def act(self) -> None:
        """One thing; what the table refuses is no harm."""
        table = await self.table()
        service = self.world.bot.service
        user = self.someone(table)
        what = self.rand.choice(DEEDS)
        self.told.append(f"{what} {user}")
        if what == "time":
            await self.world.env.advance_time(self.rand.choice([60, 3600, 5 * 3600]))
            return
        if what == "restart":
            await self.world.env.restart_bot(await self.world.env.make())
            return
        with self.world.env._bot_scope():
            try:
                await disturb(
                    self.rand,
                    what,
                    table,
                    service,
                    user,
                    [(p.id, p.user.name) for p in self.world.people],
                )
            except (TableError, MoveError):
                pass
        await self.world.env.settle()

    def active(self, table: Table) -> set[int]:
        return {table.seats[seat].user_id for seat in table.waiting()}


@pytest.mark.parametrize(("game", "seats"), GAMES)
async def test_care_at_random(game: str, seats: int, world: World) -> None:
    rand = random.Random(f"care {game} {SEED}")
    meta = games()[game].meta
    await world.begin(meta.command, seats, clock="move", hours=6)
    chaos = Chaos(world, rand)
    backend = world.env.backend
    try:
        for _ in range(45):
            table = await chaos.table()
            if not table.match.open:
                break
            before, head = chaos.active(table), table.match.head_seq
            seen = {m.id for m in world.channel.history()}
            private = {p.id: {m.id for m in p.user.dm_channel.history()} for p in world.people}
            await chaos.act()
            table = await chaos.table()
            check_not_stuck(table)
            boards = [m for m in world.channel.history() if m.id not in seen and "➤" in m.content]
            notified = [
                user
                for m in boards
                for user in backend.get_message(m.channel.id, m.id).ping_user_ids
            ]
            if await went_back(world.bot.service, table.match.id, head):
                before = set()  # whoever is to act is called to another position
            if "time" not in chaos.told[-1]:
                assert sorted(notified) == sorted(chaos.active(table) - before), "notified once"
            check_private(world, table, private)
    except BaseException as error:
        error.add_note(f"{game}: " + ", ".join(chaos.told))
        raise


def check_private(world: World, table: Table, before: dict[int, set[int]]) -> None:
    """Direct messages went to players only, and tell the hand of the seat they hold."""
    for person in world.people:
        new = [m for m in person.user.dm_channel.history() if m.id not in before[person.id]]
        seat = table.seat_of(person.id)
        if seat is None:
            assert not new, f"{person.id} does not play"
            continue
        for message in new:
            if message.content.startswith("⏰"):
                continue
            hand = table.hand(seat)
            whole = hand_text(table, seat, (), f"<#{table.match.channel_id}>")
            if hand is not None and new[-1] is message:
                assert message.content.endswith(whole.split("\n", 1)[1])
