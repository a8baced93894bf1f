"""The days on which clocks change, and downtime, carried through the match service: hand-worked in
UTC. In Rome it is 2026-03-29 2:00 → 3:00 (1:00 UTC) and 2026-10-25 3:00 → 2:00 (1:00 UTC)."""

from __future__ import annotations

import pytest

from bot.service.clocks import Rule
from bot.service.quiet import read_until
from tests.care.desk import DAY, HOUR, Desk, at

MOVE = Rule("move", 24)
ROME = {"time_zone": "Europe/Rome"}
NIGHT = {**ROME, "quiet_from": 22 * 60, "quiet_to": 7 * 60}


@pytest.mark.parametrize(
    ("begins", "due", "sent"),
    [
        # Half of 24 hours is at 23:00 UTC: midnight in Rome; 7:00 is 5:00 UTC that morning.
        ("2026-03-28T11:00:00", "2026-03-28T23:00:00", "2026-03-29T05:00:00"),
        # A day earlier and a day later it is 6:00 and 5:00 UTC.
        ("2026-03-27T11:00:00", "2026-03-27T23:00:00", "2026-03-28T06:00:00"),
        ("2026-03-29T11:00:00", "2026-03-29T23:00:00", "2026-03-30T05:00:00"),
        # In autumn: 7:00 is 6:00 UTC, the night before it was 5:00.
        ("2026-10-24T11:00:00", "2026-10-24T23:00:00", "2026-10-25T06:00:00"),
        ("2026-10-23T11:00:00", "2026-10-23T23:00:00", "2026-10-24T05:00:00"),
    ],
)
async def test_a_reminder_waits_for_the_morning(begins: str, due: str, sent: str, d: Desk) -> None:
    d.now = at(begins)
    table = await d.begin(rule=MOVE)
    first = table.waiting()[0]
    await d.service.choose(table.seats[first].user_id, NIGHT)
    assert (await d.timer(first, "remind")).at == at(due)
    while d.now < at(sent) + HOUR:
        await d.later(HOUR // 4, step=HOUR // 4)
    (reminder,) = [r for r in await d.sent() if r.seat == first]
    assert reminder.created_at == at(sent)


@pytest.mark.parametrize("change", ["2026-03-29T01:00:00", "2026-10-25T01:00:00"])
async def test_a_day_on_the_clock_is_24_hours_whatever_the_wall_says(change: str, d: Desk) -> None:
    d.now = at(change) - 12 * HOUR
    table = await d.begin(rule=MOVE)
    first = table.waiting()[0]
    await d.service.choose(table.seats[first].user_id, ROME)
    await d.later(24 * HOUR - 1, step=HOUR)
    assert not await d.up(first)
    await d.later(1)
    assert await d.up(first)


@pytest.mark.parametrize(
    ("zone", "now", "said", "until"),
    [
        # To the end of the day on which clocks change, or of the one before or after it.
        ("Europe/Rome", "2026-03-27T12:00:00", "2026-03-28", "2026-03-28T23:00:00"),
        ("Europe/Rome", "2026-03-27T12:00:00", "2026-03-29", "2026-03-29T22:00:00"),
        ("Europe/Rome", "2026-03-27T12:00:00", "3 days", "2026-03-30T22:00:00"),
        ("Europe/Rome", "2026-10-23T12:00:00", "2026-10-24", "2026-10-24T22:00:00"),
        ("Europe/Rome", "2026-10-23T12:00:00", "2026-10-25", "2026-10-25T23:00:00"),
        ("Europe/Rome", "2026-10-23T12:00:00", "1 week", "2026-10-30T23:00:00"),
        ("America/New_York", "2026-03-07T12:00:00", "2026-03-08", "2026-03-09T04:00:00"),
        # In Beirut midnight itself is missing: that day begins at 1:00, which is 22:00 UTC.
        ("Asia/Beirut", "2026-03-27T12:00:00", "2026-03-28", "2026-03-28T22:00:00"),
        # In Havana it is there twice (4:00 and 5:00 UTC): the day is over at the first.
        ("America/Havana", "2026-10-31T12:00:00", "2026-10-31", "2026-11-01T04:00:00"),
    ],
)
async def test_a_vacation_ends_with_the_day_at_home(
    zone: str, now: str, said: str, until: str, d: Desk
) -> None:
    assert read_until(said, at(now), zone) == at(until)
    d.now = at(now)
    table = await d.begin(rule=MOVE)
    first = table.waiting()[0]
    user = table.seats[first].user_id
    await d.service.choose(user, {"time_zone": zone})
    d.now += HOUR
    await d.service.vacation(d.match, user, said)
    assert (await d.timer(first, "vacation")).at == at(until)
    await d.later(at(until) - d.now - 60_000, step=HOUR)
    assert await d.left(first) == 23 * HOUR
    await d.later(60_000)
    assert await d.timer(first, "vacation") is None
    await d.later(HOUR)
    assert await d.left(first) == 22 * HOUR


# ---- downtime --------------------------------------------------------------------------------


@pytest.mark.parametrize("change", ["2026-03-29T01:00:00", "2026-10-25T01:00:00"])
async def test_downtime_over_the_change_counts_in_hours_that_pass(change: str, d: Desk) -> None:
    """Down for a night with a restart: 23, 24 or 25 hours of the wall are 12 of the clock."""
    d.now = at(change) - 6 * HOUR
    table = await d.begin(rule=MOVE)
    first = table.waiting()[0]
    await d.service.choose(table.seats[first].user_id, NIGHT)
    await d.service.beat(180_000)
    d.now += 12 * HOUR
    d.again()
    assert await d.service.beat(180_000) == 12 * HOUR
    await d.service.tick()
    assert await d.left(first) == 24 * HOUR
    assert (await d.timer(first, "remind")).at == d.now + 12 * HOUR
    assert not await d.sent()


async def test_downtime_puts_off_the_end_of_a_vote(d: Desk) -> None:
    table = await d.begin(rule=MOVE)
    first = table.waiting()[0]
    await d.later(24 * HOUR, step=HOUR)
    assert await d.up(first)
    closes = (await d.timer(first)).at
    d.now += 3 * DAY
    d.again()
    gap = await d.service.beat(180_000)
    await d.service.tick()
    assert await d.up(first)
    assert (await d.timer(first)).at == closes + gap


async def test_downtime_does_not_lengthen_a_vacation_nor_eat_the_clock_behind_it(d: Desk) -> None:
    table = await d.begin(rule=MOVE)
    first = table.waiting()[0]
    await d.service.vacation(d.match, table.seats[first].user_id, "2 days")
    back = (await d.timer(first, "vacation")).at
    await d.service.beat(180_000)
    d.now = back + 10 * HOUR  # down from before its end until after it
    d.again()
    await d.service.beat(180_000)
    await d.service.tick()
    assert await d.timer(first, "vacation") is None
    assert await d.left(first) == 24 * HOUR
    await d.later(HOUR)
    assert await d.left(first) == 23 * HOUR


async def test_downtime_of_a_paused_match_changes_nothing(d: Desk) -> None:
    table = await d.begin(rule=Rule("bank", 48, 6))
    first = table.waiting()[0]
    d.now += 5 * HOUR
    await d.service.beat(1 << 60)
    await d.service.pause(d.match, 1)
    d.now += 5 * DAY
    d.again()
    await d.service.beat(180_000)
    await d.service.tick()
    await d.service.resume(d.match, 1)
    assert await d.left(first) == 43 * HOUR


async def test_a_pause_between_two_beats_within_patience_is_no_downtime(d: Desk) -> None:
    table = await d.begin(rule=MOVE)
    first = table.waiting()[0]
    await d.service.beat(180_000)
    d.now += 180_000
    assert await d.service.beat(180_000) == 0
    assert await d.left(first) == 24 * HOUR - 180_000
    d.now += 180_001
    assert await d.service.beat(180_000) == 180_001
    assert await d.left(first) == 24 * HOUR - 180_000
