"""Who is there: leaving and coming back, voters in quiet hours, what a late player is told."""

from __future__ import annotations

import json

import pytest

from bot.service.clocks import Rule, clock_of
from bot.service.quiet import Prefs, awake_for
from tests.care.desk import DAY, HOUR, Desk, at

MOVE = Rule("move", 24)

NIGHT = Prefs(quiet=(22 * 60, 7 * 60))


@pytest.mark.parametrize(
    ("now", "hours", "until"),
    [
        ("2026-06-01T12:00:00", 3, "2026-06-01T15:00:00"),
        ("2026-06-01T23:00:00", 3, "2026-06-02T10:00:00"),
        ("2026-06-01T21:00:00", 3, "2026-06-02T09:00:00"),  # one in the evening, two next day
        ("2026-06-01T19:00:00", 3, "2026-06-01T22:00:00"),
        ("2026-06-01T12:00:00", 16, "2026-06-02T13:00:00"),  # 10 and 6
    ],
)
def test_time_that_somebody_is_awake(now: str, hours: int, until: str) -> None:
    assert awake_for(NIGHT, at(now), hours * HOUR) == at(until)


def test_somebody_who_never_rests_and_one_who_hardly_wakes() -> None:
    now = at("2026-06-01T12:00:00")
    assert awake_for(Prefs(), now, 3 * HOUR) == now + 3 * HOUR
    minute = Prefs(quiet=(9 * 60 + 1, 9 * 60))  # awake from 9:00 to 9:01
    assert awake_for(minute, now, 120_000) == at("2026-06-03T09:01:00")


def test_the_night_in_which_clocks_are_put_forward_is_an_hour_shorter() -> None:
    rome = Prefs(zone="Europe/Rome", quiet=(22 * 60, 7 * 60))
    # 21:00 there; quiet from 22:00 (21:00 UTC) until 7:00 (5:00 UTC).
    assert awake_for(rome, at("2026-03-28T20:00:00"), 3 * HOUR) == at("2026-03-29T07:00:00")


async def run_out(d: Desk, hours: int) -> int:
    """Let the time of who is to act run out; returns the seat."""
    seat = (await d.table()).waiting()[0]
    await d.later(hours * HOUR, step=HOUR)
    assert await d.up(seat)
    return seat


async def test_a_vote_leaves_voters_time_when_they_are_awake(d: Desk) -> None:
    """One hour a move is not much at night: 12:00, out at 13:00, Bruno sleeps from 13 to 20."""
    table = await d.begin(rule=Rule("move", 1))
    seat = table.waiting()[0]
    voter = next(s for s in table.seats if s.seat != seat)
    await d.service.choose(voter.user_id, {"quiet_from": 13 * 60, "quiet_to": 20 * 60})
    await run_out(d, 1)
    assert (await d.timer(seat)).at == at("2026-06-01T21:00:00")


async def test_who_is_hardly_ever_awake_does_not_hold_a_vote_up_for_months(d: Desk) -> None:
    """One minute a day outside quiet hours: three hours of those would be half a year."""
    table = await d.begin(rule=MOVE)
    seat = table.waiting()[0]
    voter = next(s for s in table.seats if s.seat != seat)
    await d.service.choose(voter.user_id, {"quiet_from": 1, "quiet_to": 0})
    await run_out(d, 24)
    assert (await d.timer(seat)).at == d.now + 2 * DAY


async def test_a_long_vote_is_not_drawn_out(d: Desk) -> None:
    table = await d.begin(rule=MOVE)
    for user in (1, 2, 3):
        await d.service.choose(user, {"quiet_from": 22 * 60, "quiet_to": 7 * 60})
    seat = table.waiting()[0]
    await run_out(d, 24)
    assert (await d.timer(seat)).at == d.now + DAY


async def test_the_late_player_is_told_once(d: Desk) -> None:
    await d.begin(rule=MOVE)
    seat = await run_out(d, 24)

    async def told() -> list[int | None]:
        return [r.seat for r in await d.sent() if json.loads(r.payload)["stage"] == "up"]

    assert await told() == [seat]
    await d.later(20 * HOUR, step=HOUR)
    assert await told() == [seat]


@pytest.mark.parametrize("how", ["mute", "off"])
async def test_a_late_player_who_wants_no_reminders_is_looked_for_alone(how: str, d: Desk) -> None:
    table = await d.begin(rule=MOVE)
    user = table.seats[table.waiting()[0]].user_id
    if how == "mute":
        await d.service.mute(d.match, user, True)
    else:
        await d.service.choose(user, {"remind_hours": 0})
    seat = await run_out(d, 24)
    assert not await d.sent()
    # at half, at nine tenths, and when the time is up
    assert [
        (r.created_at - (table.match.started_at or 0)) // HOUR for r in await d.sent("check")
    ] == [
        12,
        22,
        24,
    ]
    assert {r.seat for r in await d.sent("check")} == {seat}


async def test_without_a_clock_looking_goes_on_after_the_last_reminder(d: Desk) -> None:
    table = await d.begin()
    first = table.waiting()[0]
    await d.later(50 * DAY, step=6 * HOUR)
    assert await d.reminders(first) == [24, 72, 168, 360]
    begun = table.match.started_at or 0
    # 16 days after the last reminder, and again
    assert [(r.created_at - begun) // DAY for r in await d.sent("check")] == [31, 47]


async def test_leaving_and_coming_back_touches_every_match_of_the_server(d: Desk) -> None:
    first = await d.begin(rule=MOVE)
    done = await d.service.create(
        "paris_paris", guild_id=9, channel_id=78, host_id=1, host_name="Ada", seats=2
    )
    other = done.table.match.id
    await d.service.join(other, 2, "Bruno")
    await d.service.start(other, 1)
    done = await d.service.create(
        "paris_paris", guild_id=10, channel_id=79, host_id=2, host_name="Bruno", seats=2
    )
    elsewhere = done.table.match.id
    await d.service.join(elsewhere, 1, "Ada")
    await d.service.start(elsewhere, 2)
    await d.service.left_server(9, 2)

    async def gone(match: int) -> list[int]:
        found: list[int] = (await d.service.table(match)).settings.get("gone", [])
        return found

    assert [await gone(m) for m in (first.match.id, other, elsewhere)] == [[2], [2], []]
    await d.service.returned(10, 2)
    assert [await gone(m) for m in (first.match.id, other)] == [[2], [2]]
    await d.service.returned(9, 2)
    assert [await gone(m) for m in (first.match.id, other)] == [[], []]
    assert {"returned": first.seat_of(2)} in await d.care()


@pytest.mark.parametrize(
    ("rule", "hours", "left"),
    [
        (MOVE, 10, 14 * HOUR),
        (Rule("bank", 48, 2), 10, 38 * HOUR),
        (Rule("bank", 10, 2), 9.5, HOUR),  # half an hour is too little to look around
        (Rule(), 10, None),
    ],
)
async def test_who_comes_back_has_the_time_that_was_left(
    rule: Rule, hours: float, left: int | None, d: Desk
) -> None:
    table = await d.begin(rule=rule)
    seat = table.waiting()[0]
    user = table.seats[seat].user_id
    await d.later(int(hours * HOUR), step=HOUR // 2)
    await d.service.left_server(9, user)
    await d.service.tick()
    assert await d.up(seat)
    decision = clock_of(await d.timer(seat)).decision
    await d.later(3 * HOUR, step=HOUR)
    await d.service.returned(9, user)
    assert not await d.up(seat)
    assert await d.left(seat) == left
    await d.service.tick()
    assert not await d.up(seat)
    with pytest.raises(Exception, match="settled already"):
        await d.service.vote(d.match, user % 3 + 1, seat, decision, "skip")


async def test_leaving_after_the_time_ran_out_and_coming_back_stops_no_vote(d: Desk) -> None:
    table = await d.begin(rule=MOVE)
    seat = await run_out(d, 24)
    user = table.seats[seat].user_id
    await d.service.left_server(9, user)
    await d.service.returned(9, user)
    assert await d.up(seat)


async def test_who_left_and_moves_keeps_what_was_left_in_the_store(d: Desk) -> None:
    table = await d.begin(rule=Rule("bank", 48, 2))
    seat = table.waiting()[0]
    await d.later(10 * HOUR, step=HOUR)
    await d.service.left_server(9, table.seats[seat].user_id)
    await d.service.tick()
    await d.move(seat)
    assert await d.left(seat) == 40 * HOUR  # 38 and the increment


async def test_sleeping_voters_are_called_once(d: Desk) -> None:
    table = await d.begin(rule=MOVE)
    seat = await run_out(d, 24)
    decision = clock_of(await d.timer(seat)).decision
    others = [s.seat for s in table.seats if s.seat != seat]
    await d.service.call_later(d.match, seat, decision, others[:1])
    await d.service.call_later(d.match, seat, decision, others)
    assert [r.seat for r in await d.sent("call")] == others
    await d.service.call_later(d.match, seat, decision + 1, others)
    assert len(await d.sent("call")) == 2
