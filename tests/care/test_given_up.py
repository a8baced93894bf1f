"""Who gives a seat up comes last in the statistics, wherever the automatic player comes."""

from __future__ import annotations

from bot.service.endings import GIVEN_UP, result_of
from engines.core.types import Outcome, Score
from storage.records import NewSeat
from tests.care.desk import Desk


async def finish(d: Desk) -> None:
    while (await d.table()).match.open:
        await d.move()


async def test_who_resigned_is_last(d: Desk) -> None:
    await d.begin(seats=3)
    await d.service.resign(d.match, 2)
    await finish(d)
    (his,) = await d.store.played(9, 2)
    assert (his.place, his.seats) == (3, 3)
    places = {user: (await d.store.played(9, user))[0].place for user in (1, 3)}
    assert set(places.values()) <= {1, 2, 3}
    rated = {row.user_id: row for row in await d.store.ratings(9)}
    assert set(rated) == {1, 2, 3}
    # Three people played their first match, so who is last has lost and the best of them has won.
    best = min(places, key=lambda user: places[user])
    assert rated[2].mu < 25 < rated[best].mu


async def test_who_gets_the_seat_afterwards_is_counted_in_its_place(d: Desk) -> None:
    await d.begin(seats=3)
    await d.service.resign(d.match, 2)
    await d.service.substitute(d.match, 1, 8, "Hugo", seat=(await seat_of(d, 0)))
    await finish(d)
    assert await d.store.played(9, 2) == []
    assert len(await d.store.played(9, 8)) == 1


async def seat_of(d: Desk, user: int) -> int:
    return next(s.seat for s in (await d.table()).seats if s.user_id == user)


async def test_the_automatic_players_win_is_nobodys(d: Desk) -> None:
    """By hand: seat 0 (given up by 1) has 30 points, seat 1 20, seat 2 10."""
    table = await d.begin(seats=3)
    users = [seat.user_id for seat in table.seats]
    scores = (Score(0, 30), Score(1, 20), Score(2, 10))
    outcome = Outcome("last_round", ((0,), (1,), (2,)), scores)
    changed = {0: NewSeat(0, "x (auto)", computer="safest")}
    settings = {GIVEN_UP: {"0": [users[0], "x"]}}
    found = result_of(table, outcome, changed, settings)
    assert [(s.user_id, s.place, s.score) for s in found.seats] == [
        (users[0], 3, 30), (users[1], 1, 20), (users[2], 2, 10),
    ]  # fmt: skip
    # Somebody who is back on another seat is counted there alone.
    changed[2] = NewSeat(users[0], "x")
    found = result_of(table, outcome, changed, settings)
    assert [(s.user_id, s.place) for s in found.seats] == [(0, 1), (users[1], 2), (users[0], 3)]
