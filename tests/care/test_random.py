"""Random care mixed with random moves in every game: no match is ever stuck, clocks and log agree
with the position, and each post notifies exactly those who have become active."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest

from bot.errors import TableError
from bot.service.clocks import Rule
from engines.core.errors import MoveError
from tests.care.chaos import DEEDS, check_not_stuck, disturb, went_back
from tests.care.desk import HOUR, NAMES, Desk
from tests.care.test_absence import SIZES

EVERYBODY = list(enumerate([*NAMES, "Fay", "Gil"], 1))


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize(("game", "seats"), SIZES)
async def test_care_at_random(game: str, seats: int, number: int, d: Desk) -> None:
    rand = random.Random(f"{game} {seats} {number}")
    rule = [Rule("move", 6), Rule("bank", 8, 2), Rule()][number]
    await d.begin(game, seats, rule)
    told: list[str] = []
    done: Counter[str] = Counter()
    newest = max(r.id for r in await d.sent("turn"))
    try:
        for _ in range(150):
            table = await d.table()
            if not table.match.open:
                break
            before = {(s, table.seats[s].user_id) for s in table.waiting()}
            head = table.match.head_seq
            what = rand.choice(DEEDS)
            user = rand.choice([s.user_id for s in table.seats if s.user_id > 0])
            told.append(f"{what} {user}")
            try:
                if what == "time":
                    await d.later(rand.choice([60_000, HOUR, 7 * HOUR]), step=HOUR)
                elif what == "restart":
                    d.again()
                else:
                    await disturb(rand, what, table, d.service, user, EVERYBODY)
                done[what] += 1
            except (TableError, MoveError):
                pass
            table = await d.table()
            check_not_stuck(table)
            turns = [r for r in await d.sent("turn") if r.id > newest]
            newest = max([newest, *(r.id for r in turns)])
            if what != "time":
                after = {(s, table.seats[s].user_id) for s in table.waiting()}
                if await went_back(d.service, d.match, head):
                    before = set()  # whoever is to act is called to another position
                pinged = [s for r in turns for s in json.loads(r.payload).get("ping", ())]
                assert sorted(pinged) == sorted(s for s, _ in after - before)
        assert "every position is the recorded one" in await replayed(d)
    except BaseException as error:
        error.add_note(", ".join(told))
        raise
    assert done


async def replayed(d: Desk) -> str:
    """What the check of the deal says, after calling the match off if it is still going on."""
    if (await d.table()).match.open:
        await d.service.end(d.match, 1, moderator=True)
    return await d.service.verify(d.match)
