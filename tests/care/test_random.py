"""Random care mixed with random moves in every game: no match is ever stuck, clocks and log agree
with the position, each post notifies exactly those who have become active, nothing private is said
in public, and the match is as a ledger of its own tells it."""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest

from bot.errors import TableError
from bot.service.clocks import Rule
from engines.core.errors import MoveError
from engines.core.types import state_hash
from tests.care.chaos import DESK_DEEDS, check_not_stuck, disturb
from tests.care.desk import HOUR, NAMES, Desk
from tests.care.ledger import Ledger, away, lefts
from tests.care.situation import Watch
from tests.care.test_absence import SIZES

EVERYBODY = list(enumerate([*NAMES, "Fay", "Gil"], 1))

SEED = os.environ.get("CARE_SEED", "1")
"""Another one finds other stories."""


class Story:
    """One match at which people do what comes into their heads."""

    def __init__(self, d: Desk, rand: random.Random) -> None:
        self.d, self.rand = d, rand
        self.told: list[str] = []
        self.done: Counter[str] = Counter()
        self.watch = Watch(d)

    async def begin(self, game: str, seats: int, rule: Rule) -> None:
        await self.d.service.beat(180_000)
        self.ledger = Ledger(await self.d.begin(game, seats, rule))
        await self.watch.rows()

    async def act(self) -> None:
        """One deed, and a look at what it did."""
        table = await self.d.table()
        what = self.rand.choice(DESK_DEEDS)
        user = self.rand.choice([s.user_id for s in table.seats if s.user_id > 0])
        self.told.append(f"{what} {user}")
        try:
            if what == "time":
                for _ in range(self.rand.choice([1, 1, 7, 30])):
                    await self.pass_time(self.rand.choice([60_000, HOUR]))
            elif what == "downtime":
                await self.be_down(self.rand.choice([HOUR, 30 * HOUR]))
            elif what == "restart":
                await self.restart()
            else:
                await self.ledger.choices(self.d)
                async with self.watch.deed() as rows:
                    try:
                        await disturb(self.rand, what, table, self.d.service, user, EVERYBODY)
                        self.done[what] += 1
                    except (TableError, MoveError):
                        # A proposal may stand although an answer to it is refused.
                        said = await self.watch.rows()
                        assert not said or what == "rollback", "what is refused says nothing"
                        rows += said
                await self.look(rows)
        finally:
            check_not_stuck(await self.d.table())

    async def look(self, rows: list) -> None:  # type: ignore[type-arg]
        await self.ledger.look(self.d, rows)
        await self.ledger.choices(self.d)

    async def pass_time(self, ms: int) -> None:
        """A step of time. Clocks of who is to act run exactly by it; those of who is away, and all
        clocks of a paused match, stand."""
        d = self.d
        table = await d.table()
        if not table.match.open:
            return
        before, gone = lefts(table, d.now), away(table)
        await self.ledger.choices(d)
        async with self.watch.deed() as rows:
            d.now += ms
            await d.service.beat(ms + 180_000)
            await d.service.tick()
        await self.look(rows)
        after = await d.table()
        if after.match.head_seq != table.match.head_seq or away(after) != gone:
            return
        self.done["time"] += 1
        runs = after.match.status == "active" and "lost" not in after.settings
        for key, left in lefts(after, d.now).items():
            if key in before:
                moving = runs and key[0] in after.waiting() and key[0] not in gone
                assert left == before[key] - (ms if moving else 0), key

    async def be_down(self, ms: int) -> None:
        """Nobody loses time while the bot is not there."""
        d = self.d
        await d.service.beat(180_000)
        before = lefts(await d.table(), d.now)
        d.now += ms
        d.again()
        await d.service.beat(180_000)
        assert lefts(await d.table(), d.now) == before
        assert not await self.watch.rows()
        self.done["downtime"] += 1

    async def restart(self) -> None:
        """Everything is in the database."""
        before = await self.d.table()
        self.d.again()
        after = await self.d.table()
        assert after is not before
        assert state_hash(after.state) == state_hash(before.state)
        assert (after.match, after.seats) == (before.match, before.seats)
        assert sorted(after.timers, key=repr) == sorted(before.timers, key=repr)
        self.done["restart"] += 1


async def replayed(d: Desk) -> str:
    """What the check of the deal says, after calling the match off if it is still going on."""
    if (await d.table()).match.open:
        await d.service.end(d.match, 1, moderator=True)
    return await d.service.verify(d.match)


async def tell(d: Desk, game: str, seats: int, number: int, deeds: int) -> Counter[str]:
    """A whole story; returns how often each deed was done."""
    rand = random.Random(f"{game} {seats} {number} {SEED}")
    story = Story(d, rand)
    try:
        await story.begin(game, seats, [Rule("move", 6), Rule("bank", 8, 2), Rule()][number % 3])
        for _ in range(deeds):
            if not (await d.table()).match.open:
                break
            await story.act()
        assert "every position is the recorded one" in await replayed(d)
    except BaseException as error:
        error.add_note(f"{game} {seats} {number}: " + ", ".join(story.told))
        raise
    return story.done


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize(("game", "seats"), SIZES)
async def test_care_at_random(game: str, seats: int, number: int, d: Desk) -> None:
    assert await tell(d, game, seats, number, 120)


async def test_every_deed_is_in_the_mix(d: Desk) -> None:
    """So that no kind of care is refused every time and left untried without a word."""
    done: Counter[str] = Counter()
    for number in range(12):
        done += await tell(d, "paris_paris", 3, number, 80)
    assert set(done) == set(DESK_DEEDS)
