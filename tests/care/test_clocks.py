"""Clocks: each rule with values worked out by hand, on a clock that the test turns."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from bot.errors import TableError
from bot.posts import turn_text
from bot.service.care import checked_rule
from bot.service.clocks import Rule, clock_of
from bot.service.quiet import Prefs, quiet_until, read_until, wall, zone_of
from tests.care.desk import DAY, HOUR, Desk, at

MOVE = Rule("move", 24)
BANK = Rule("bank", 48, 6)


async def test_no_clock_has_no_deadline(d: Desk) -> None:
    table = await d.begin()
    (seat,) = table.waiting()
    assert await d.timer(seat) is None
    assert "<t:" not in turn_text(table, [])


async def test_time_per_move_begins_anew_with_each_turn(d: Desk) -> None:
    table = await d.begin(rule=MOVE)
    first = table.waiting()[0]
    assert await d.left(first) == 24 * HOUR
    due = (d.now + 24 * HOUR) // 1000
    assert f"until <t:{due}:f>, <t:{due}:R>" in turn_text(table, [])
    d.now += 10 * HOUR
    await d.move()
    second = (await d.table()).waiting()[0]
    assert second != first
    assert await d.left(second) == 24 * HOUR
    assert (await d.timer(first)).at is None


async def test_bank_runs_down_and_each_turn_adds(d: Desk) -> None:
    table = await d.begin(rule=BANK)
    first = table.waiting()[0]
    d.now += 10 * HOUR
    await d.move()
    assert await d.left(first) == (48 - 10 + 6) * HOUR
    second = (await d.table()).waiting()[0]
    d.now += 1 * HOUR
    assert await d.left(second) == 47 * HOUR
    assert await d.left(first) == 44 * HOUR  # stands still


async def test_undo_gives_no_time_back_and_takes_the_increment(d: Desk) -> None:
    table = await d.begin(rule=BANK)
    first = table.waiting()[0]
    d.now += 10 * HOUR
    await d.move()
    second = (await d.table()).waiting()[0]
    d.now += 5 * HOUR
    await d.service.undo(d.match, table.seats[first].user_id)
    assert await d.left(first) == 38 * HOUR
    # It never was the second one's turn.
    assert await d.left(second) == 48 * HOUR


async def test_undo_of_a_timed_move_gives_no_fresh_time(d: Desk) -> None:
    table = await d.begin(rule=MOVE)
    first = table.waiting()[0]
    d.now += 20 * HOUR
    await d.move()
    d.now += HOUR
    await d.service.undo(d.match, table.seats[first].user_id)
    assert await d.left(first) == 4 * HOUR


async def test_simultaneous_seats_have_their_own_clocks(d: Desk) -> None:
    """Found in whichever game lets several owe at once."""
    from engines.core.registry import games

    for game in games().values():
        for seats in game.meta.seats:
            if seats < 3:
                continue
            e = Desk(d.store)
            e.now = d.now
            try:
                table = await e.begin(game.meta.key, seats, MOVE)
            except TableError:
                continue
            if len(table.waiting()) > 1:
                for seat in table.waiting():
                    assert await e.left(seat) == 24 * HOUR
                late = table.waiting()[-1]
                e.now += HOUR
                for _ in range(60):
                    table = await e.table()
                    if late not in table.waiting() or len(table.waiting()) == 1:
                        break
                    await e.move(table.waiting()[0])
                if late in (await e.table()).waiting():
                    assert await e.left(late) == 23 * HOUR
            await e.service.end(e.match, 1, moderator=True)


async def test_downtime_counts_against_nobody(d: Desk) -> None:
    table = await d.begin(rule=MOVE)
    first = table.waiting()[0]
    await d.service.beat(180_000)
    await d.later(2 * HOUR, step=HOUR // 60)
    assert await d.left(first) == 22 * HOUR
    d.now += 30 * HOUR  # down: longer than the clock
    d.again()
    assert await d.service.beat(180_000) == 30 * HOUR
    await d.service.tick()
    assert await d.left(first) == 22 * HOUR
    assert not await d.up(first)
    # The reminder at half of the time was put off as well.
    assert (await d.timer(first, "remind")).at == d.now + 10 * HOUR


async def test_what_was_written_after_the_last_beat_is_put_off_by_less(d: Desk) -> None:
    await d.service.beat(180_000)
    d.now += 60_000
    table = await d.begin(rule=MOVE)
    d.now += 10 * HOUR
    d.again()
    await d.service.beat(180_000)
    assert await d.left(table.waiting()[0]) == 24 * HOUR


async def test_restart_without_downtime_changes_nothing(d: Desk) -> None:
    table = await d.begin(rule=MOVE)
    await d.service.beat(180_000)
    d.now += 100_000
    d.again()
    assert await d.service.beat(180_000) == 0
    assert await d.left(table.waiting()[0]) == 24 * HOUR - 100_000


async def test_pause_stops_clocks_and_resume_goes_on(d: Desk) -> None:
    table = await d.begin(rule=MOVE)
    first = table.waiting()[0]
    d.now += 4 * HOUR
    await d.service.pause(d.match, 1)
    assert (await d.table()).match.status == "paused"
    d.now += 100 * HOUR
    await d.service.tick()
    with pytest.raises(TableError, match="paused"):
        await d.move(first)
    await d.service.resume(d.match, 3)
    assert await d.left(first) == 20 * HOUR
    await d.move(first)


async def test_pause_needs_the_host_or_everybody(d: Desk) -> None:
    await d.begin(rule=MOVE)
    with pytest.raises(TableError, match="do not sit"):
        await d.service.pause(d.match, 99)
    await d.service.pause(d.match, 2)
    assert (await d.table()).match.status == "active"
    await d.service.pause(d.match, 3)
    assert (await d.table()).match.status == "active"
    await d.service.pause(d.match, 1)
    assert (await d.table()).match.status == "paused"
    with pytest.raises(TableError, match="do not sit"):
        await d.service.resume(d.match, 99)
    await d.service.resume(d.match, 99, moderator=True)


async def test_vacation_stops_the_own_clock_only(d: Desk) -> None:
    table = await d.begin(rule=MOVE)
    first = table.waiting()[0]
    user = table.seats[first].user_id
    d.now += 4 * HOUR
    await d.service.vacation(d.match, user, "2026-06-05")
    table = await d.table()
    back = at("2026-06-06T00:00:00")
    last = at("2026-06-05T23:59:00")
    assert f"on vacation until <t:{last // 1000}:D>" in turn_text(table, [])
    await d.later(3 * DAY, step=HOUR)
    assert not await d.reminders(first)
    assert await d.left(first) == 20 * HOUR
    d.now = back + 60_000
    await d.service.beat(1 << 60)
    await d.service.tick()
    assert await d.left(first) == 20 * HOUR
    assert len(await d.sent()) == 1  # told that the clock runs again


async def test_one_may_move_on_vacation_and_come_back_early(d: Desk) -> None:
    table = await d.begin(rule=MOVE)
    first = table.waiting()[0]
    user = table.seats[first].user_id
    await d.service.vacation(d.match, user, "5 days")
    await d.service.vacation(d.match, user, "")
    assert await d.left(first) == 24 * HOUR
    await d.service.vacation(d.match, user, "5 days")
    await d.move(first)
    with pytest.raises(TableError, match="30 days"):
        await d.service.vacation(d.match, user, "60 days")
    with pytest.raises(TableError, match="past"):
        await d.service.vacation(d.match, user, "2026-05-01")


async def test_a_vacation_outlasts_a_halted_match(d: Desk) -> None:
    table = await d.begin(rule=MOVE)
    seat = table.waiting()[0]
    user = table.seats[seat].user_id
    other = table.seats[1 - seat].user_id
    await d.service.vacation(d.match, user, "10 days")
    await d.service.vacation(d.match, other, "1 day")
    await d.store.freeze(d.match, "bad")
    d.again()
    await d.later(5 * DAY, step=HOUR)
    assert [t.seat for t in (await d.table()).timers] == [seat], "the other one is back"
    await d.service.thaw(d.match, 1)
    await d.later(3 * DAY, step=HOUR)
    assert await d.left(seat) == 24 * HOUR, "the clock stands"
    await d.later(4 * DAY, step=HOUR)
    assert await d.up(seat)


async def test_vacation_has_a_budget(d: Desk) -> None:
    table = await d.begin(rule=MOVE)
    user = table.seats[0].user_id
    for _ in range(2):
        await d.service.vacation(d.match, user, "29 days")
        d.now += 29 * DAY
        await d.service.beat(1 << 60)
        await d.service.tick()
        await d.service.vacation(d.match, user, "") if await d.timer(0, "vacation") else None
    with pytest.raises(TableError, match="2 days of vacation left"):
        await d.service.vacation(d.match, user, "29 days")


async def test_settings_change_the_clock_for_all(d: Desk) -> None:
    table = await d.begin()
    with pytest.raises(TableError, match="host"):
        await d.service.set_clock(d.match, 2, MOVE)
    await d.service.set_clock(d.match, 1, MOVE)
    first = table.waiting()[0]
    assert await d.left(first) == 24 * HOUR
    d.now += 5 * HOUR
    await d.service.set_clock(d.match, 1, Rule("bank", 10, 1))
    assert await d.left(first) == 10 * HOUR
    await d.service.set_clock(d.match, 1, Rule())
    assert await d.timer(first) is None


def test_rules_are_checked() -> None:
    assert checked_rule(Rule("bank", 30)) == Rule("bank", 30, 3)
    assert checked_rule(Rule("bank", 4)) == Rule("bank", 4, 1)
    assert checked_rule(Rule("none", 4)) == Rule()
    for bad in (Rule("move"), Rule("move", 99999), Rule("bank", 0, 3)):
        with pytest.raises(TableError):
            checked_rule(bad)


# ---- reminders and quiet hours ---------------------------------------------------------------


async def test_reminders_at_half_and_nine_tenths_once(d: Desk) -> None:
    table = await d.begin(rule=Rule("move", 100))
    first = table.waiting()[0]
    await d.later(99 * HOUR, step=HOUR // 2)
    d.again()  # a restart sends nothing twice
    await d.service.tick()
    assert await d.reminders(first) == [50, 90]


async def test_without_a_clock_reminders_back_off_and_stop(d: Desk) -> None:
    table = await d.begin()
    first = table.waiting()[0]
    await d.later(60 * DAY, step=2 * HOUR)
    # after 1 day, then 2, 4 and 8 days later
    assert await d.reminders(first) == [24, 72, 168, 360]


async def test_personal_interval(d: Desk) -> None:
    await d.service.choose(1, {"remind_hours": 6})
    await d.service.choose(2, {"remind_hours": 0})
    table = await d.begin()
    first, second = table.seat_of(1), table.seat_of(2)
    assert first is not None
    assert second is not None
    while (await d.table()).waiting()[0] != first:
        await d.move()
    begun = d.now
    await d.later(3 * DAY, step=HOUR)
    mine = [(row.created_at - begun) // HOUR for row in await d.sent() if row.seat == first]
    assert mine == [6, 18, 42]
    while (await d.table()).waiting()[0] != second:
        await d.move()
    await d.later(5 * DAY, step=HOUR)
    assert not await d.reminders(second)


async def test_a_changed_interval_counts_at_once(d: Desk) -> None:
    table = await d.begin()
    first = table.waiting()[0]
    user = table.seats[first].user_id
    await d.service.choose(user, {"remind_hours": 2})
    await d.service.retime(user)
    await d.later(3 * HOUR, step=HOUR)
    assert await d.reminders(first) == [2]


async def test_mute_is_for_one_match_and_one_player(d: Desk) -> None:
    table = await d.begin(rule=Rule("move", 100))
    first = table.waiting()[0]
    user = table.seats[first].user_id
    await d.service.mute(d.match, user, True)
    await d.later(60 * HOUR, step=HOUR)
    assert not await d.reminders(first)
    await d.service.mute(d.match, user, False)
    await d.later(35 * HOUR, step=HOUR)
    assert await d.reminders(first) == [90]
    with pytest.raises(TableError):
        await d.service.mute(d.match, 99, True)


async def test_quiet_hours_put_a_reminder_off(d: Desk) -> None:
    table = await d.begin(rule=Rule("move", 24))  # 12:00 UTC, half at midnight
    first = table.waiting()[0]
    user = table.seats[first].user_id
    await d.service.choose(user, {"quiet_from": 22 * 60, "quiet_to": 7 * 60, "time_zone": "UTC"})
    await d.later(23 * HOUR, step=HOUR // 4)
    assert await d.reminders(first) == [19, 21]  # 7:00, and nine tenths at 9:36


async def test_quiet_hours_may_eat_one_reminder_of_two(d: Desk) -> None:
    table = await d.begin(rule=Rule("move", 10))  # half at 17:00, nine tenths at 21:00
    first = table.waiting()[0]
    user = table.seats[first].user_id
    await d.service.choose(user, {"quiet_from": 16 * 60, "quiet_to": 21 * 60 + 30})
    await d.later(10 * HOUR - 1, step=HOUR // 4)
    assert await d.reminders(first) == [9]


ROME = Prefs(zone="Europe/Rome", quiet=(22 * 60, 7 * 60))


@pytest.mark.parametrize(
    ("now", "until"),
    [
        ("2026-01-10T20:59:00", None),  # 21:59
        ("2026-01-10T21:00:00", "2026-01-11T06:00:00"),
        ("2026-01-11T05:59:00", "2026-01-11T06:00:00"),
        ("2026-01-11T06:00:00", None),
        # Spring: at 2:00 it is 3:00, so 7:00 is 5:00 UTC.
        ("2026-03-28T21:30:00", "2026-03-29T05:00:00"),
        ("2026-03-29T04:59:00", "2026-03-29T05:00:00"),
        # Autumn: 3:00 is 2:00 again, so 7:00 is 6:00 UTC.
        ("2026-10-24T20:00:00", "2026-10-25T06:00:00"),
        ("2026-10-25T05:30:00", "2026-10-25T06:00:00"),
        ("2026-07-01T20:00:00", "2026-07-02T05:00:00"),
    ],
)
def test_quiet_hours_follow_the_clock_on_the_wall(now: str, until: str | None) -> None:
    assert quiet_until(ROME, at(now)) == (at(until) if until else None)


def test_quiet_hours_that_end_in_the_hour_that_is_missing_or_double() -> None:
    prefs = Prefs(zone="Europe/Rome", quiet=(60, 150))  # 1:00 to 2:30
    assert quiet_until(prefs, at("2026-03-29T00:30:00")) == at("2026-03-29T01:00:00")
    assert quiet_until(prefs, at("2026-10-24T23:30:00")) == at("2026-10-25T00:30:00")
    # The second time that it is 2:10 on that night.
    assert quiet_until(prefs, at("2026-10-25T01:10:00")) == at("2026-10-25T01:30:00")


def test_quiet_hours_are_never_without_end() -> None:
    for zone in ("Europe/Rome", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"):
        for start, end in ((0, 1), (1439, 0), (120, 150), (1320, 420), (150, 120)):
            prefs = Prefs(zone=zone, quiet=(start, end))
            for hour in range(0, 24 * 366, 5):
                now = at("2026-01-01T00:00:00") + hour * HOUR + 7 * 60_000
                until = quiet_until(prefs, now)
                if until is not None:
                    assert now < until <= now + 26 * HOUR
                    here = datetime.fromtimestamp(until / 1000, UTC).astimezone(zone_of(zone))
                    missing = wall(here.date(), end, zone_of(zone)) == until
                    assert (here.hour * 60 + here.minute == end) or missing


def test_dates() -> None:
    now = at("2026-06-01T12:00:00")
    assert read_until("2026-06-10", now, "UTC") == at("2026-06-11T00:00:00")
    assert read_until("10.6.", now, "Europe/Rome") == at("2026-06-10T22:00:00")
    assert read_until("3 days", now, "UTC") == at("2026-06-05T00:00:00")
    assert read_until("2 weeks", now, "UTC") == at("2026-06-16T00:00:00")
    assert read_until("1.5.", now, "UTC") == wall(date(2027, 5, 2), 0, zone_of("UTC"))
    for bad in ("", "soon", "99 moons", "2026-13-01", "31.2.", "²", "9999999999 days", "-3 days"):
        with pytest.raises(TableError):
            read_until(bad, now, "UTC")


async def test_clock_state_survives_the_database(d: Desk) -> None:
    table = await d.begin(rule=BANK)
    first = table.waiting()[0]
    d.now += HOUR
    await d.move()
    d.again()
    assert clock_of(await d.timer(first)).prior == 47 * HOUR
