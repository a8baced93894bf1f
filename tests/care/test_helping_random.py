"""Random plans and wishes mixed with moves, undo and care, in every game: no match is ever stuck,
nothing is played twice, only the right people are called and told, and every log replays."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from bot.errors import TableError
from bot.service.clocks import Rule
from engines.core.errors import MoveError
from engines.core.surface import phrases
from engines.core.types import Phrase
from tests.care.chaos import check_not_stuck, disturb
from tests.care.desk import HOUR, Desk
from tests.care.test_absence import SIZES
from tests.care.test_random import EVERYBODY, replayed

DEEDS = (
    ["move"] * 10
    + ["plan"] * 9
    + ["forced"] * 2
    + ["undo"] * 2
    + ["vote", "time", "unplan", "pause", "resume", "resume", "substitute", "restart", "resign"]
)


def words(rand: random.Random, table: Any, seat: int, pool: list[Phrase]) -> str:
    """A plan that may come true: something legal earlier, or something that lies there now."""
    game, view = table.game, table.view(seat)
    made = []
    for command in game.commands():
        values = {
            p.name: rand.choice(seen)
            for p in command.params
            if (seen := game.foreseen(view, command.name, p.name))
        }
        made += [Phrase(command.name, values)] if values else []
    chosen = rand.choice([*pool[-12:], *made * 3] or [Phrase(game.commands()[-1].name, {})])
    return " ".join([chosen.command, *(f"{k}:{v}" for k, v in chosen.args.items())])


async def check_plans(d: Desk) -> None:
    """Memory is what the database says, and only seated people who are not to act have plans."""
    table = await d.table()
    loaded = await d.store.load(d.match)
    assert [p.id for p in table.plans] == [p.id for p in loaded.plans]
    for plan in table.plans:
        assert table.match.open
        assert table.seats[plan.seat].user_id == plan.user_id
        if table.match.status == "active":
            assert plan.seat not in table.waiting(), "a plan that is due was neither done nor ended"
    for seat in table.seats:
        assert sum(p.seat == seat.seat for p in table.plans) <= 5


@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize(("game", "seats"), SIZES)
async def test_help_at_random(game: str, seats: int, number: int, d: Desk) -> None:
    rand = random.Random(f"help {game} {seats} {number}")
    await d.begin(game, seats, [Rule("bank", 8, 2), Rule()][number])
    told: list[str] = []
    pool: dict[int, list[Phrase]] = {s: [] for s in range(seats)}
    newest = max(r.id for r in await d.sent("turn"))
    carried = 0
    try:
        for _ in range(240):
            table = await d.table()
            if not table.match.open:
                break
            for seat in table.waiting():
                found = phrases(table.game, table.state, seat)
                pool[seat] += [p for p, _ in rand.sample(found, min(3, len(found)))]
            before = {(s, table.seats[s].user_id) for s in table.waiting()}
            planned = {p.id: p for p in table.plans}
            head = table.match.head_seq
            heard = max((r.id for r in await d.sent("hand")), default=0)
            what = rand.choice(DEEDS)
            user = rand.choice([s.user_id for s in table.seats if s.user_id > 0])
            told.append(f"{what} {user}")
            try:
                if what == "plan":
                    idle = sorted(table.people - set(table.waiting()))
                    if idle and rand.random() < 0.8:
                        user = table.seats[rand.choice(idle)].user_id
                    seat = table.seat_of(user) or 0
                    text = words(rand, table, seat, pool[seat])
                    told[-1] += f" {text}"
                    await d.service.plan(d.match, user, text)
                elif what == "forced":
                    await d.service.set_forced(
                        d.match, user, rand.choice(["on", "on", "off", "default"])
                    )
                elif what == "unplan":
                    await d.service.unplan(d.match, user, None)
                elif what == "move" and table.waiting() and rand.random() < 0.6:
                    # So that turns come to an end also where at random they would take long.
                    seat = rand.choice(table.waiting())
                    user = table.seats[seat].user_id
                    await d.service.move(d.match, user, table.game.safest(table.state, seat))
                elif what == "time":
                    await d.later(rand.choice([60_000, HOUR, 7 * HOUR]), step=HOUR)
                elif what == "restart":
                    d.again()
                else:
                    await disturb(rand, what, table, d.service, user, EVERYBODY)
            except (TableError, MoveError):
                pass
            table = await d.table()
            check_not_stuck(table)
            await check_plans(d)
            turns = [r for r in await d.sent("turn") if r.id > newest]
            newest = max([newest, *(r.id for r in turns)])
            if what == "time":
                continue
            rows = [r for r in await d.store.log(d.match, head + 1) if r.kind == "move"]
            after = {(s, table.seats[s].user_id) for s in table.waiting()}
            pinged = [s for r in turns for s in json.loads(r.payload).get("ping", ())]
            assert len(pinged) == len(set(pinged)), "called twice"
            assert {s for s, _ in after - before} <= set(pinged) <= {s for s, _ in after}
            helped = {r.seat for r in rows if r.actor_id not in (None, user)} | {
                r.seat for r in rows if r.auto and r.actor_id is not None
            }
            if not helped:
                assert sorted(pinged) == sorted(s for s, _ in after - before)
            # A plan is carried out once, as its owner's own move, and its owner alone is told.
            news = [
                (r.seat, json.loads(r.payload))
                for r in await d.sent("hand")
                if '"user"' in r.payload and r.id > heard
            ]
            for seat, payload in news:
                assert payload["user"] in {p.user_id for p in planned.values() if p.seat == seat}
            lines = [line["tr"] for _, payload in news for line in payload["lines"]]
            done = sum("carried out" in line for line in lines)
            own = [r for r in rows if not r.auto and r.actor_id is not None]
            if what == "move":
                assert len(own) - 1 == done or not own
                carried += done
            for row in rows:
                if row.actor_id is not None:
                    assert table.seats[row.seat or 0].user_id == row.actor_id
        assert "every position is the recorded one" in await replayed(d)
        assert await d.store._rows("SELECT count(*) FROM plans") == [(0,)]
    except BaseException as error:
        error.add_note("\n".join(told))
        raise
    COUNT[game] = COUNT.get(game, 0) + carried


COUNT: dict[str, int] = {}


def test_plans_were_carried_out() -> None:
    """The test above has tested something."""
    if len(COUNT) == len({game for game, _ in SIZES}):
        assert all(COUNT.values()), COUNT
        assert sum(COUNT.values()) > 15
