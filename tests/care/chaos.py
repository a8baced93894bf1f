"""What people may do at a table at random, and what must hold afterwards."""

from __future__ import annotations

import random
from typing import Any

from bot.service import Table
from bot.service.clocks import Rule, clock_of, find, rule_of
from bot.service.proposal import missing, proposal_of

DEEDS = (
    ["move"] * 8
    + ["time"] * 4
    + ["vote"] * 5
    + ["undo"] * 2
    + ["rollback"]
    + ["pause", "resume", "resume", "vacation", "back", "substitute", "late"]
    + ["mute", "clock", "restart", "left", "returned", "resign"]
    + ["host", "settings", "lost", "found", "end"]
)

DESK_DEEDS = [*DEEDS, "downtime", "downtime"]
"""With what a desk can do by itself: be down for a while."""


CHOICES: list[dict[str, Any]] = [
    {"quiet_from": 22 * 60, "quiet_to": 7 * 60, "time_zone": "UTC"},
    {"quiet_from": 13 * 60, "quiet_to": 14 * 60, "time_zone": "Europe/Rome"},
    {"quiet_from": None, "quiet_to": None},
    {"remind_hours": 0},
    {"remind_hours": 3},
    {"remind_hours": None},
]
"""What people choose with ``/settings``."""


async def disturb(
    rand: random.Random,
    what: str,
    table: Table,
    service: Any,
    user: int,
    everybody: list[tuple[int, str]],
) -> None:
    """Do one thing; raises what the table or the rules object."""
    match = table.match.id
    if what == "move" and table.waiting():
        seat = rand.choice(table.waiting())
        move = rand.choice(list(table.game.legal(table.state, seat)))
        await service.move(match, table.seats[seat].user_id, move)
    elif what == "undo":
        await service.undo(match, user)
    elif what == "rollback":
        await go_back(rand, table, service, user)
    elif what == "pause":
        await service.pause(match, user, moderator=rand.random() < 0.5)
    elif what == "resume":
        await service.resume(match, user)
    elif what == "vacation":
        await service.vacation(match, user, rand.choice(["1 day", "3 days"]))
    elif what == "back":
        await service.vacation(match, user, "")
    elif what in ("substitute", "late"):
        free = [p for p in everybody if table.seat_of(p[0]) is None]
        new_id, new_name = rand.choice(free or everybody)
        seat = rand.randrange(len(table.seats)) if what == "late" else None
        await service.substitute(match, user, new_id, new_name, seat=seat, moderator=what == "late")
    elif what == "host":
        await service.substitute(match, table.match.host_id, *rand.choice(everybody))
    elif what == "settings":
        await service.choose(user, rand.choice(CHOICES))
        await service.retime(user)
    elif what == "lost":
        await service.lost(match, rand.choice(["the channel is gone", "I may not write there"]))
    elif what == "found":
        await service.found(match)
        await service.back(match, "Here we are again.")
    elif what == "end" and rand.random() < 0.3:
        await service.end(match, user)
    elif what == "mute":
        await service.mute(match, user, rand.random() < 0.5)
    elif what == "clock":
        rules = [Rule("move", 6), Rule("bank", 8, 2), Rule("move", 3)]
        await service.set_clock(match, user, rand.choice(rules), moderator=True)
    elif what == "left" and rand.random() < 0.5:
        await service.left(match, user)
    elif what == "returned":
        await service.returned(table.match.guild_id, user)
    elif what == "resign" and rand.random() < 0.3:
        await service.resign(match, user)
    elif what == "vote":
        open_ = [row for row in table.timers if row.kind == "clock" and clock_of(row).up]
        if open_:
            row = rand.choice(open_)
            choice = rand.choice(["skip", "skip", "wait", "hand", "win"])
            await service.vote(match, user, row.seat, clock_of(row).decision, choice)


async def go_back(rand: random.Random, table: Table, service: Any, user: int) -> None:
    """Propose to go back to one of the newest points; mostly all agree."""
    match = table.match.id
    points = await service.points(table, user)
    if not points:
        return
    preview = await service.preview(match, user, rand.choice(points[:8])[0])
    await service.propose(match, user, preview.goal.place, preview.changes)
    now = await service.table(match)
    proposal = proposal_of(now.settings)
    for seat in missing(now, proposal) if proposal is not None else ():
        agree = rand.random() < 0.9
        await service.answer(match, now.seats[seat].user_id, proposal.number, agree)
        if not agree:
            return


async def went_back(service: Any, match: int, since: int) -> bool:
    """Whether the match has gone back since a log entry."""
    return any(row.kind == "rollback" for row in await service.store.log(match, since + 1))


def check_not_stuck(table: Table) -> None:
    """Somebody can do something."""
    assert table.match.status in ("active", "paused", "finished", "ended")
    if table.match.status != "active":
        assert all(t.at is None or t.kind == "vacation" for t in table.timers)
        return
    waiting = table.waiting()
    assert waiting
    assert set(waiting) <= table.people
    for seat in waiting:
        assert table.game.legal(table.state, seat)
        row = find(table.timers, seat, "clock")
        if len(table.people) > 1 and rule_of(table.settings).kind != "none":
            assert row is not None
            stands = "lost" in table.settings or find(table.timers, seat, "vacation")
            assert row.at is not None or clock_of(row).up or stands
    for row in table.timers:
        assert row.seat in table.people
        if row.kind == "clock" and row.seat not in waiting:
            assert row.at is None
