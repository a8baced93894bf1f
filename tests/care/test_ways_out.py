"""Every way out of a stuck match: from each kind of decision of each game, alone or together with
others, time runs out, the seat is skipped, handed over, given to somebody else, resigned, or its
player has left the server. The match always goes on, and its record holds."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest

from bot.errors import TableError
from bot.posts import payload_of
from bot.service.clocks import Rule, clock_of
from engines.core.errors import MoveError
from engines.core.registry import games
from tests.care.desk import DAY, HOUR, Desk
from tests.care.positions import Position, positions, tables, walk
from tests.care.situation import Watch, active, over, placed, play_on
from tests.conformance.hooks import hook

MOVE = Rule("move", 24)
NEW = 900
"""A person who sits at no table."""

TABLES = tables()
SOLO = [key for key, game in games().items() if 1 in game.meta.seats]


@pytest.mark.parametrize("key", games())
def test_every_kind_of_decision_is_met(key: str) -> None:
    """So that none is left out below without a word."""
    game = games()[key]
    for seats in game.meta.seats:
        met = {kind for kind, _ in positions(key, seats)}
        assert met == set(game.decisions(seats)), seats


def each(key: str, seats: int) -> Iterator[tuple[str, Position]]:
    for (kind, together), position in positions(key, seats).items():
        yield f"{key} {seats} {kind}{' together' * together}", position


@contextmanager
def at(name: str) -> Iterator[None]:
    """Says where it failed."""
    try:
        yield
    except BaseException as error:
        error.add_note(name)
        raise


async def late(d: Desk, watch: Watch, position: Position) -> None:
    """Time runs out for all who are to act; each is put to the others once."""
    owing = (await d.table()).waiting()
    d.now += 25 * HOUR
    await d.service.beat(1 << 60)
    async with watch.deed() as rows:
        await d.service.tick()
    table = await d.table()
    votes = [payload_of(r.payload) for r in rows if r.kind == "notice"]
    assert sorted(v["vote"][0] for v in votes) == sorted(owing)
    for vote in votes:
        seat, decision = vote["vote"]
        assert clock_of(await d.timer(seat)).up
        assert decision == table.state.decision_of(seat).id
        assert vote["mention"] == sorted(table.people - {seat})
        assert f"<@{table.seats[seat].user_id}>" not in vote["text"]
    assert len([r for r in rows if r.kind == "turn"]) <= len(owing)
    assert position.seat in owing


async def decide(d: Desk, watch: Watch, seat: int, choice: str) -> None:
    """The others agree."""
    decision = clock_of(await d.timer(seat)).decision
    others = sorted((await d.table()).people - {seat})
    for voter in others:
        table = await d.table()
        async with watch.deed():
            await d.service.vote(d.match, table.seats[voter].user_id, seat, decision, choice)
        now = await d.table()
        if now.match.head_seq > table.match.head_seq + 1 or not now.match.open:
            return  # settled: the vote and what it led to
        if not clock_of(await d.timer(seat)).up:
            return
    raise AssertionError("the vote is not settled")


async def settled(d: Desk, position: Position) -> None:
    """The decision is made, and whoever owes one now can make it in time."""
    table = await d.table()
    old = position.state.decision_of(position.seat)
    assert old not in table.state.pending
    if table.match.open:
        assert table.waiting()
        for seat, user in active(table):
            assert user > 0
            assert table.game.legal(table.state, seat)


@pytest.mark.parametrize(("key", "seats"), TABLES)
async def test_time_up_and_skipped(key: str, seats: int, d: Desk) -> None:
    for name, position in each(key, seats):
        with at(name):
            watch = await placed(d, key, seats, position, MOVE)
            head = (await d.table()).match.head_seq
            await late(d, watch, position)
            await decide(d, watch, position.seat, "skip")
            await settled(d, position)
            made = [r for r in await d.store.log(d.match, head + 1) if r.kind == "move"]
            assert made
            assert all(r.auto and r.seat == position.seat for r in made[:1])
            table = await d.table()
            if table.match.open and position.seat in table.waiting():
                assert not await d.up(position.seat)
                assert await d.left(position.seat) == 24 * HOUR
            await play_on(d, watch, 4)
            await over(d)


@pytest.mark.parametrize(("key", "seats"), TABLES)
async def test_time_up_and_handed_over(key: str, seats: int, d: Desk) -> None:
    for name, position in each(key, seats):
        with at(name):
            watch = await placed(d, key, seats, position, MOVE)
            old = (await d.table()).seats[position.seat].user_id
            await late(d, watch, position)
            await decide(d, watch, position.seat, "hand")
            await settled(d, position)
            table = await d.table()
            assert table.seats[position.seat].user_id == 0
            await refused(d, old)
            await play_on(d, watch, 3)
            table = await d.table()
            if table.match.open:
                # Somebody new may take the seat again.
                assert position.seat not in table.waiting()
                async with watch.deed() as rows:
                    await d.service.substitute(
                        d.match, 99, NEW, "Zoe", seat=position.seat, moderator=True
                    )
                assert told(rows, position.seat)
                await play_on(d, watch, 2)
            await over(d)


@pytest.mark.parametrize(("key", "seats"), TABLES)
async def test_substituted(key: str, seats: int, d: Desk) -> None:
    """By the player, then, when that one is late too, by the host or a moderator."""
    for name, position in each(key, seats):
        with at(name):
            watch = await placed(d, key, seats, position, MOVE)
            seat = position.seat
            table = await d.table()
            old = table.seats[seat].user_id
            waits = {s: await d.timer(s) for s in table.waiting() if s != seat}
            d.now += HOUR
            async with watch.deed() as rows:
                await d.service.substitute(d.match, old, NEW, "Zoe")
            assert "it is your turn" in told(rows, seat)
            assert await d.left(seat) == 24 * HOUR
            await refused(d, old)
            for other, row in waits.items():
                assert await d.timer(other) == row, "nothing changes for those who owe as well"
            await late(d, watch, position)
            async with watch.deed() as rows:
                await d.service.substitute(d.match, 99, NEW + 1, "Yann", seat=seat, moderator=True)
            assert "it is your turn" in told(rows, seat)
            await refused(d, NEW)
            assert not await d.up(seat)
            table = await d.table()
            decision = table.state.decision_of(seat)
            async with watch.deed():
                await d.service.move(
                    d.match, NEW + 1, table.game.safest(table.state, seat), decision=decision.id
                )
            await over(d)


@pytest.mark.parametrize(("key", "seats"), TABLES)
async def test_resigned(key: str, seats: int, d: Desk) -> None:
    """Of two the other wins; among more the seat plays on, and the last person can finish."""
    longest = max(len(p.steps) for p in positions(key, seats).values())
    for name, position in each(key, seats):
        with at(name):
            watch = await placed(d, key, seats, position, MOVE)
            seat = position.seat
            old = (await d.table()).seats[seat].user_id
            async with watch.deed():
                await d.service.resign(d.match, old)
            table = await d.table()
            await refused(d, old, over=seats == 2)
            if seats == 2:
                assert table.match.status == "finished"
                assert not table.timers
                assert table.settings["result"]["ranking"] == [1 - seat, seat]
                assert "wins" in watch.public[-1] or "wins" in watch.public[-2]
                await over(d)
                continue
            await settled(d, position)
            assert table.match.status == "active"
            assert table.match.host_id in [s.user_id for s in table.seats if s.user_id > 0]
            for other in range(seats):
                table = await d.table()
                if len(table.people) > 1 and other in table.people and table.match.open:
                    async with watch.deed():
                        await d.service.resign(d.match, table.seats[other].user_id)
            # One match of each table to its end; the others are ended by automatic players in
            # tests/conformance/test_away.py.
            await play_on(d, watch, 1000 if len(position.steps) == longest else 3)
            if len(position.steps) == longest:
                assert (await d.table()).match.status == "finished"
            await over(d)


@pytest.mark.parametrize(("key", "seats"), TABLES)
async def test_left_the_server(key: str, seats: int, d: Desk) -> None:
    """Even without a clock the others may decide at once; and who comes back just moves."""
    for name, position in each(key, seats):
        for choice in ("skip", "back", "hand") if len(position.steps) <= 60 else ("hand",):
            with at(f"{name} {choice}"):
                watch = await placed(d, key, seats, position, Rule())
                seat = position.seat
                table = await d.table()
                user = table.seats[seat].user_id
                async with watch.deed():
                    await d.service.left(d.match, user)
                async with watch.deed() as rows:
                    await d.service.tick()
                (vote,) = [payload_of(r.payload) for r in rows if r.kind == "notice"]
                assert "has left the server" in vote["text"]
                assert vote["vote"][0] == seat
                assert vote["mention"] == sorted(table.people - {seat})
                for other in table.waiting():
                    assert (other == seat) == clock_of(await d.timer(other)).up
                if choice == "back":
                    move = table.game.safest(table.state, seat)
                    async with watch.deed():
                        await d.service.move(d.match, user, move)
                    assert not (await d.table()).settings["gone"]
                else:
                    await decide(d, watch, seat, choice)
                await settled(d, position)
                await play_on(d, watch, 2)
                await over(d)


@pytest.mark.parametrize("key", SOLO)
async def test_alone(key: str, d: Desk) -> None:
    """Nobody waits for a solo player: nothing runs out, and the match can be given up, given away
    or ended at every decision."""
    for name, position in each(key, 1):
        with at(name):
            watch = await placed(d, key, 1, position, MOVE)
            async with watch.deed() as rows:
                d.now += 40 * DAY
                await d.service.beat(1 << 60)
                await d.service.tick()
            assert not [r for r in rows if r.kind != "reminder"]
            async with watch.deed():
                await d.service.left(d.match, 1)
                await d.service.tick()
            async with watch.deed() as rows:
                await d.service.substitute(d.match, 1, NEW, "Zoe")
            assert "it is your turn" in told(rows, 0)
            await refused(d, 1)
            table = await d.table()
            async with watch.deed():
                await d.service.move(d.match, NEW, table.game.safest(table.state, 0))
            if (await d.table()).match.open:
                async with watch.deed():
                    await d.service.resign(d.match, NEW)
                assert (await d.table()).match.status == "ended"
            await over(d)


@pytest.mark.parametrize(("key", "seats"), TABLES)
async def test_care_tells_nothing_that_is_hidden(key: str, seats: int, d: Desk) -> None:
    """The same deeds in a position in which all that is hidden was dealt anew make the same public
    posts, word for word."""
    scramble = hook(key, "Scrambler")().scramble
    for name, position in each(key, seats):
        with at(name):
            said = []
            other = scramble(position.state, None, random.Random(name))
            for state in (None, other):
                d.now = 1_800_000_000_000
                watch = await placed(d, key, seats, position, MOVE, state)
                user = (await d.table()).seats[position.seat].user_id
                await late(d, watch, position)
                await decide(d, watch, position.seat, "wait")
                await looked_after(d, watch, user, position.seat)
                said.append(watch.public)
                await d.service.end(d.match, 1, moderator=True)
            assert said[0] == said[1]
            assert len(said[0]) >= 7


async def looked_after(d: Desk, watch: Watch, user: int, seat: int) -> None:
    """What people do for a table without a move."""
    service, match = d.service, d.match
    for care, args in (
        (service.pause, (match, 1)),
        (service.resume, (match, 1)),
        (service.vacation, (match, user, "2 days")),
        (service.vacation, (match, user, "")),
        (partial(service.substitute, seat=seat), (match, user, NEW, "Zoe")),
        (service.left, (match, NEW)),
        (service.tick, ()),
    ):
        async with watch.deed():
            await care(*args)


def told(rows: list[Any], seat: int) -> str:
    """The private text to a seat's new player."""
    (row,) = [
        r for r in rows if r.kind == "hand" and r.seat == seat and "You now play" in r.payload
    ]
    return str(row.payload)


async def refused(d: Desk, user: int, *, over: bool = False) -> None:
    """Somebody who does not sit at the table any more can do and see nothing there."""
    table = await d.table()
    assert (table.seat_of(user) is None) != over
    if not table.match.open:
        return
    service, match = d.service, d.match
    seat = table.waiting()[0]
    move = table.game.legal(table.state, seat)[0]
    head = table.match.head_seq
    for deed in (
        service.move(match, user, move),
        service.undo(match, user),
        service.resign(match, user),
        service.vacation(match, user, "2 days"),
        service.substitute(match, user, NEW + 50, "Xenia"),
        service.mute(match, user, True),
        service.end(match, user),
    ):
        with pytest.raises((TableError, MoveError)):
            await deed
    with pytest.raises(TableError, match="do not sit"):
        table.need_seat(user)
    if user != table.match.host_id:
        for deed in (service.pause(match, user), service.set_clock(match, user, MOVE)):
            with pytest.raises(TableError):
                await deed
    assert (await d.table()).match.head_seq == head


@pytest.mark.bench
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("key", "seats"), TABLES)
async def test_anywhere(key: str, seats: int, d: Desk) -> None:
    """The same at positions of many matches, each time to the end: skipped, then handed over, then
    the others finish or resign."""
    rand = random.Random(f"{key} {seats}")
    tried = 0
    for number in range(8):
        for position in list(walk(key, seats, number))[:: rand.randint(25, 45)]:
            with at(f"{key} {seats} walk {number}, {len(position.steps)} steps"):
                watch = await placed(d, key, seats, position, MOVE)
                await late(d, watch, position)
                await decide(d, watch, position.seat, "skip")
                await settled(d, position)
                await play_on(d, watch, 5)
                table = await d.table()
                if table.match.open:
                    seat = rand.choice(table.waiting())
                    d.now += 25 * HOUR
                    await d.service.beat(1 << 60)
                    async with watch.deed():
                        await d.service.tick()
                    await decide(d, watch, seat, "hand")
                    await play_on(d, watch, 1000)
                assert (await d.table()).match.status == "finished"
                await over(d)
                tried += 1
    assert tried >= 8
