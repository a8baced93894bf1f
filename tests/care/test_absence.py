"""Absence: every way out of a match that somebody has left hanging, in every game."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bot.errors import TableError
from bot.posts import payload_of
from bot.service import due
from bot.service.clocks import Rule, clock_of
from bot.service.due import skipped
from bot.service.moves import automatic
from engines.core.errors import EngineBug, MoveError
from engines.core.play import Played
from engines.core.registry import games
from tests.care.desk import DAY, HOUR, Desk
from tests.care.positions import walk
from tests.conformance.hooks import Case, cases
from tests.conformance.walk import Walk, told

MOVE = Rule("move", 24)

PLAYED = [(key, n) for key, game in games().items() for n in game.meta.seats if n > 1]
SIZES = sorted(
    {(key, f([n for k, n in PLAYED if k == key])) for key, _ in PLAYED for f in (min, max)}
)


async def late(d: Desk) -> tuple[int, list[int]]:
    """Let the time of who is to act run out; returns the seat and the users who decide."""
    await d.service.beat(1 << 60)
    table = await d.table()
    seat = table.waiting()[0]
    d.now += 25 * HOUR
    await d.service.beat(1 << 60)
    await d.service.tick()
    assert await d.up(seat)
    return seat, [s.user_id for s in table.seats if s.seat != seat]


async def test_time_up_asks_the_others_and_tells_it(d: Desk) -> None:
    table = await d.begin(rule=MOVE)
    seat, others = await late(d)
    (post,) = await d.sent("notice")
    assert "has run out of time" in post.payload
    assert all(f"<@{user}>" in post.payload for user in others)
    assert f"<@{table.seats[seat].user_id}>" not in post.payload
    assert {"timeout": seat, "decision": clock_of(await d.timer(seat)).decision} in await d.care()
    await d.later(3 * HOUR)  # asked once
    assert len(await d.sent("notice")) == 1


async def test_the_majority_skips(d: Desk) -> None:
    await d.begin(seats=3, rule=MOVE)
    seat, others = await late(d)
    head = (await d.table()).match.head_seq
    assert "have not decided" in await d.vote(others[0], seat, "skip")
    assert (await d.table()).waiting() == (seat,)
    assert "automatic move" in await d.vote(others[1], seat, "skip")
    table = await d.table()
    assert table.waiting() != (seat,)
    made = [r for r in await d.store.log(d.match, head) if r.kind == "move"]
    assert made[0].auto
    assert made[0].seat == seat
    assert made[0].actor_id is None
    assert await d.left(table.waiting()[0]) == 24 * HOUR
    decided = next(c for c in await d.care() if c.get("settled"))
    assert decided["settled"] == "skip"
    assert decided["on"] == seat


async def test_undo_stops_at_what_the_table_decided(d: Desk) -> None:
    table = await d.begin(seats=3, rule=MOVE)
    before = await d.move()
    seat, others = await late(d)
    for user in others:
        await d.vote(user, seat, "skip")
    for user in (table.seats[seat].user_id, table.seats[before].user_id):
        with pytest.raises(MoveError):
            await d.service.undo(d.match, user)


async def test_undo_of_another_ends_the_vote(d: Desk) -> None:
    table = await d.begin(seats=3, rule=MOVE)
    before = await d.move()
    seat, others = await late(d)
    decision = clock_of(await d.timer(seat)).decision
    await d.service.undo(d.match, table.seats[before].user_id)
    assert (await d.table()).waiting() == (before,)
    with pytest.raises(TableError, match="settled"):
        await d.service.vote(d.match, others[0], seat, decision, "skip")
    await d.move()
    assert not await d.up(seat)
    assert await d.left(seat) == 24 * HOUR


async def test_moving_in_time_ends_the_vote(d: Desk) -> None:
    await d.begin(seats=3, rule=MOVE)
    seat, others = await late(d)
    decision = clock_of(await d.timer(seat)).decision
    await d.vote(others[0], seat, "skip")
    await d.move(seat)
    with pytest.raises(TableError, match="settled"):
        await d.service.vote(d.match, others[1], seat, decision, "skip")


async def test_waiting_grants_another_period(d: Desk) -> None:
    await d.begin(seats=3, rule=MOVE)
    seat, others = await late(d)
    await d.vote(others[0], seat, "wait")
    await d.vote(others[1], seat, "wait")
    assert await d.left(seat) == 24 * HOUR
    assert not await d.up(seat)
    await late(d)  # and then once more
    assert len(await d.sent("notice")) == 2


async def test_those_who_do_not_agree_wait(d: Desk) -> None:
    await d.begin(seats=3, rule=MOVE)
    seat, others = await late(d)
    await d.vote(others[0], seat, "skip")
    assert "more time" in await d.vote(others[1], seat, "hand")
    assert await d.left(seat) == 24 * HOUR


async def test_a_vote_may_be_changed_and_is_settled_in_the_end(d: Desk) -> None:
    await d.begin(seats=4, rule=MOVE)
    seat, others = await late(d)
    await d.vote(others[0], seat, "wait")
    await d.vote(others[0], seat, "hand")
    assert clock_of(await d.timer(seat)).votes.popitem()[1] == "hand"
    await d.later(25 * HOUR, step=HOUR)  # the others stay away: who spoke decides
    assert (await d.table()).seats[seat].user_id == 0


async def test_a_vote_that_nobody_takes_part_in_leaves_the_match_waiting(d: Desk) -> None:
    await d.begin(seats=3, rule=MOVE)
    seat, others = await late(d)
    head = (await d.table()).match.head_seq
    await d.later(20 * DAY, step=6 * HOUR)
    assert (await d.table()).match.head_seq == head
    assert len(await d.sent("notice")) == 1
    assert await d.up(seat)
    await d.vote(others[0], seat, "skip")
    await d.vote(others[1], seat, "skip")
    assert (await d.table()).waiting() != (seat,)


async def test_only_the_others_vote(d: Desk) -> None:
    table = await d.begin(seats=3, rule=MOVE)
    seat, _ = await late(d)
    for user in (table.seats[seat].user_id, 99):
        with pytest.raises(TableError):
            await d.vote(user, seat, "skip")
    with pytest.raises(TableError, match="no such choice"):
        await d.vote(next(s.user_id for s in table.seats if s.seat != seat), seat, "win")


async def test_of_two_the_one_who_waits_decides(d: Desk) -> None:
    await d.begin(seats=2, rule=MOVE)
    seat, (other,) = await late(d)
    await d.vote(other, seat, "skip")
    table = await d.table()
    assert [table.seats[s].user_id for s in table.waiting()] == [other]
    await d.move()
    seat, (other,) = await late(d)
    await d.vote(other, seat, "win")
    table = await d.table()
    assert table.match.status == "finished"
    assert not table.timers
    with pytest.raises(TableError, match="over"):
        await d.move(seat)
    winner = next(s.seat for s in table.seats if s.user_id == other)
    assert table.settings["result"] == {"reason": "time", "ranking": [winner, seat]}


async def test_resigning_of_two_ends_the_match(d: Desk) -> None:
    table = await d.begin(seats=2)
    user = table.seats[0].user_id
    await d.service.resign(d.match, user)
    table = await d.table()
    assert table.match.status == "finished"
    post = (await d.sent("turn"))[-1].payload
    assert "resigned" in post
    assert "wins" in post
    assert "seed" in post
    assert "Replayed" in await d.service.verify(d.match)
    with pytest.raises(TableError):
        await d.service.resign(d.match, table.seats[1].user_id)
    with pytest.raises((TableError, MoveError)):
        await d.service.undo(d.match, user)


async def test_resigning_among_more_lets_the_others_finish(d: Desk) -> None:
    table = await d.begin(seats=3)
    await d.service.resign(d.match, 1)  # the host
    table = await d.table()
    seat = next(s.seat for s in table.seats if s.user_id == 0)
    assert table.seats[seat].computer == "safest"
    assert table.match.host_id in (2, 3)
    with pytest.raises(TableError, match="do not sit"):
        table.need_seat(1)
    for _ in range(500):
        table = await d.table()
        if table.match.status != "active":
            break
        assert seat not in table.waiting()
        await d.move()
    assert table.match.status == "finished"
    assert table.state.ended is not None
    assert "every position is the recorded one" in await d.service.verify(d.match)


async def test_the_new_host_is_somebody_who_is_there(d: Desk) -> None:
    await d.begin(seats=3)
    await d.service.left(d.match, 2)
    await d.service.resign(d.match, 1)
    assert (await d.table()).match.host_id == 3
    await d.service.left(d.match, 3)
    await d.service.resign(d.match, 3)
    assert (await d.table()).match.host_id == 2, "nobody else is left"


async def test_the_last_one_who_resigns_ends_the_match(d: Desk) -> None:
    await d.begin(seats=3)
    await d.service.resign(d.match, 1)
    await d.service.resign(d.match, 2)
    assert (await d.table()).match.status == "active"
    await d.service.resign(d.match, 3)
    assert (await d.table()).match.status == "ended"


async def test_the_last_person_can_call_it_off(d: Desk) -> None:
    await d.begin(seats=3)
    await d.service.resign(d.match, 1)
    await d.service.resign(d.match, 2)
    await d.service.end(d.match, 3)
    assert (await d.table()).match.status == "ended"


async def test_a_substitute_gets_everything_and_the_old_player_nothing(d: Desk) -> None:
    table = await d.begin(seats=3, rule=MOVE)
    seat = table.waiting()[0]
    user = table.seats[seat].user_id
    d.now += 5 * HOUR
    await d.service.substitute(d.match, user, 9, "Zoe")
    table = await d.table()
    assert table.seat_of(user) is None
    assert table.seat_of(9) == seat
    assert await d.left(seat) == 24 * HOUR
    posts = await d.sent("turn")
    assert f'"ping": [{seat}]' in posts[-1].payload
    assert payload_of(posts[-1].payload)["lines"] == ["Zoe takes over the seat of Ada."]
    hands = [r for r in await d.sent("hand") if r.seat == seat]
    assert "it is your turn" in hands[-1].payload
    with pytest.raises(TableError, match="do not sit"):
        await d.service.move(d.match, user, next(iter(table.game.legal(table.state, seat))))
    await d.service.move(d.match, 9, next(iter(table.game.legal(table.state, seat))))
    d.again()
    assert (await d.table()).seats[seat].name == "Zoe"


async def test_who_may_substitute_whom(d: Desk) -> None:
    table = await d.begin(seats=3, rule=MOVE)
    active = table.waiting()[0]
    other = next(s for s in table.seats if s.seat != active and s.user_id != 1)
    with pytest.raises(TableError, match="already sits"):
        await d.service.substitute(d.match, other.user_id, 1, "Ada")
    with pytest.raises(TableError):  # not the own seat, and no time is up
        await d.service.substitute(d.match, 99, 9, "Zoe", moderator=True, seat=active)
    with pytest.raises(TableError):
        await d.service.substitute(d.match, other.user_id, 9, "Zoe", seat=active)
    await late(d)
    with pytest.raises(TableError):
        await d.service.substitute(d.match, other.user_id, 9, "Zoe", seat=active)
    await d.service.substitute(d.match, 99, 9, "Zoe", moderator=True)
    assert (await d.table()).seats[active].user_id == 9
    assert not await d.up(active)


async def test_an_automatic_seat_can_be_taken_again(d: Desk) -> None:
    await d.begin(seats=3)
    await d.service.resign(d.match, 2)
    seat = next(s.seat for s in (await d.table()).seats if s.user_id == 0)
    await d.service.substitute(d.match, 1, 2, "Bruno", seat=seat)
    table = await d.table()
    assert table.seat_of(2) == seat
    assert table.seats[seat].computer is None


async def test_the_host_must_say_which_seat(d: Desk) -> None:
    table = await d.begin(seats=3, rule=MOVE)
    if table.seats[table.waiting()[0]].user_id == 1:
        await d.move()
    await late(d)
    with pytest.raises(TableError, match="which one"):
        await d.service.substitute(d.match, 1, 9, "Zoe")


async def test_who_left_the_server_is_out_of_time(d: Desk) -> None:
    table = await d.begin(seats=3)  # without a clock
    active = table.waiting()[0]
    user = table.seats[active].user_id
    await d.service.left(d.match, user)
    await d.service.left(d.match, user)
    await d.service.tick()
    assert await d.up(active)
    assert "has left the server" in (await d.sent("notice"))[-1].payload
    others = [s.user_id for s in table.seats if s.seat != active]
    for other in others:
        await d.vote(other, active, "wait")
    assert await d.left(active) == DAY
    await d.service.move(d.match, user, next(iter(table.game.legal(table.state, active))))
    assert not (await d.table()).settings["gone"]  # is back after all


async def test_who_left_while_others_act_is_out_of_time_when_due(d: Desk) -> None:
    table = await d.begin(seats=3, rule=MOVE)
    active = table.waiting()[0]
    away = next(s for s in table.seats if s.seat != active)
    await d.service.left(d.match, away.user_id)
    await d.service.tick()
    assert not await d.sent("notice")
    for _ in range(3):
        if away.seat in (await d.table()).waiting():
            break
        await d.move()
    await d.service.tick()
    assert await d.up(away.seat)


async def test_an_interaction_counts_once(d: Desk) -> None:
    await d.begin(seats=3, rule=MOVE)
    ident = d.interaction()
    await d.service.pause(d.match, 1, interaction_id=ident)
    with pytest.raises(TableError, match="already been done"):
        await d.service.resume(d.match, 1, interaction_id=ident)


async def test_who_left_need_not_agree_to_the_end(d: Desk) -> None:
    await d.begin(seats=3)
    await d.service.left(d.match, 3)
    await d.service.end(d.match, 1)
    await d.service.end(d.match, 2)
    assert (await d.table()).match.status == "ended"


async def test_alone_nobody_waits_so_nothing_runs_out(d: Desk) -> None:
    await d.begin(seats=3, rule=MOVE)
    await d.service.resign(d.match, 2)
    await d.service.resign(d.match, 3)
    seat = (await d.table()).seat_of(1)
    assert seat is not None
    await d.later(3 * DAY, step=HOUR)
    assert await d.timer(seat) is None
    assert len(await d.reminders(seat)) == 2


# ---- every game ------------------------------------------------------------------------------


def played_cases() -> list[Case]:
    """One case for each game and number of seats."""
    found: dict[tuple[str, int], Case] = {}
    for case in cases():
        found.setdefault((case.key, case.seats), case)
    return [case for case in found.values() if case.seats > 1]


@pytest.mark.parametrize("case", played_cases(), ids=repr)
def test_each_kind_of_decision_can_be_skipped_and_handed_over(case: Case) -> None:
    """At every kind of pending decision that a random match meets: skipping frees the seat (or lets
    somebody else owe), and so does the automatic player, until a person is to act."""
    walk = Walk(case, 5)
    kinds: dict[str, int] = {}
    with told(walk):
        for state in walk.positions():
            for decision in list(state.pending):
                if kinds.get(decision.kind, 0) >= 3:
                    continue
                kinds[decision.kind] = kinds.get(decision.kind, 0) + 1
                seat = decision.seat
                if seat not in case.game.waiting(state):
                    continue
                done = skipped(case.game, state, seat)
                assert done.steps
                assert all(s.auto and s.reveals for s in done.steps)
                after = done.state
                assert (
                    after.ended is not None
                    or seat not in case.game.waiting(after)
                    or any(d.id not in {x.id for x in state.pending} for d in after.pending)
                )
                handed = automatic(case.game, Played(state, ()), frozenset({seat})).state
                assert handed.ended is not None or seat not in case.game.waiting(handed)
    assert kinds


@pytest.mark.parametrize(("game", "seats"), SIZES)
async def test_every_way_out_in_every_game(game: str, seats: int, d: Desk) -> None:
    """Random moves; at each new kind of decision time runs out, and it is skipped; after that the
    seat goes to a substitute, and at last everybody but one resigns."""
    rand = random.Random(f"{game} {seats}")
    table = await d.begin(game, seats, MOVE)
    met: set[Any] = set()
    extra = 100
    for _ in range(120):
        table = await d.table()
        if table.match.status != "active":
            return
        seat = rand.choice(table.waiting())
        kind = table.state.decision_of(seat).kind
        if kind in met:
            await d.move(seat, rand.choice)
            continue
        met.add(kind)
        d.now += 25 * HOUR
        await d.service.beat(1 << 60)
        await d.service.tick()
        assert all([await d.up(s) for s in table.waiting()])
        if len(met) % 2:
            for voter in sorted((await d.table()).people - {seat}):
                row = await d.timer(seat)
                if row is None or not clock_of(row).up:
                    break
                user = (await d.table()).seats[voter].user_id
                await d.vote(user, seat, "skip")
            now = await d.table()
            if now.match.status == "active" and seat in now.waiting():
                assert not await d.up(seat)
        else:
            extra += 1
            await d.service.substitute(d.match, 999, extra, "Zoe", seat=seat, moderator=True)
            assert not await d.up(seat)
            await d.move(seat, rand.choice)
    for s in (await d.table()).seats[1:]:
        if (await d.table()).match.status == "active":
            await d.service.resign(d.match, s.user_id)
    table = await d.table()
    assert table.match.status == ("finished" if seats == 2 else "active") or table.state.ended
    if table.match.status == "active":
        assert set(table.waiting()) == {0}
        for _ in range(40):
            table = await d.table()
            if table.match.status != "active":
                return
            assert set(table.waiting()) == {0}
            await d.move(0, rand.choice)
        if (await d.table()).match.status == "active":
            await d.service.resign(d.match, table.seats[0].user_id)
            assert (await d.table()).match.status == "ended"


def test_an_automatic_player_that_goes_round_in_circles_is_an_engine_bug() -> None:
    """A game whose safest move leads nowhere: here and back again, for ever. No game of the
    registry is like that; if one were, its match would be frozen with a report."""
    import msgspec

    class Position(msgspec.Struct):
        seats: int = 2
        place: int = 0
        turn: int = 0
        ended: str | None = None

    class Circle:
        class meta:
            key = "circle"

        def waiting(self, state: Any) -> tuple[int, ...]:
            return (state.turn,)

        def safest(self, state: Any, seat: int) -> str:
            return "back" if state.place else "there"

    import bot.service.moves as moves

    def play(game: Any, state: Any, seat: int, move: str) -> Any:
        return Played(Position(place=int(move == "there"), turn=seat), ())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(moves, "play", play)
        with pytest.raises(EngineBug, match="do not come to an end"):
            automatic(Circle(), Played(Position(), ()), frozenset({0}))  # type: ignore[arg-type]


def test_a_skip_ends_with_the_simultaneous_step_that_it_was_about() -> None:
    """The last one to deliver in a round of Papà Paolo may be the first one to place in the next
    round: that turn is not skipped as well."""
    game = games()["papa_paolo"]
    met = 0
    for number in (1, 3, 5):
        for position in walk("papa_paolo", 3, number):
            seat = game.waiting(position.state)[0]
            if len(game.waiting(position.state)) > 1 or position.state.phase != "delivering":
                continue
            done = skipped(game, position.state, seat)
            assert {s.apart for s in done.steps} == {f"E{position.state.round}"}
            met += game.waiting(done.state) == (seat,)
    assert met


async def test_a_match_that_cannot_be_looked_after_crowds_out_nobody(
    d: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One match a tick, and the one that is due first belongs to a game that is gone."""
    monkeypatch.setattr(due, "MOST_MATCHES", 1)
    await d.begin()
    lost = d.match
    d.now += HOUR
    done = await d.service.create(
        "papertown", guild_id=9, channel_id=78, host_id=1, host_name="Ada", seats=2
    )
    d.match = done.table.match.id
    await d.service.join(d.match, 2, "Bruno")
    await d.service.start(d.match, 1)
    await d.store._do("UPDATE matches SET game = 'chess' WHERE id = ?", lost)
    d.again()
    await d.later(24 * HOUR, step=HOUR // 2)
    await d.later(HOUR // 2)
    assert [row.match_id for row in await d.sent()] == [d.match]
    # It is not given up: once the game is back, so are its reminders.
    await d.store._do("UPDATE matches SET game = 'paris_paris' WHERE id = ?", lost)
    await d.later(HOUR)
    d.match = lost
    assert len(await d.sent()) == 1


async def test_a_table_whose_host_is_gone_does_not_block_its_channel(d: Desk) -> None:
    done = await d.service.create(
        "paris_paris", guild_id=9, channel_id=77, host_id=1, host_name="Ada", seats=3
    )
    await d.service.join(done.table.match.id, 2, "Bruno")
    d.now += DAY - 1
    with pytest.raises(TableError, match="A day after it was opened"):
        await d.service.end(done.table.match.id, 2)
    d.now += 1
    with pytest.raises(TableError, match="Only the host"):
        await d.service.end(done.table.match.id, 3)
    await d.service.end(done.table.match.id, 2)
    assert not (await d.service.table(done.table.match.id)).match.open


async def test_a_match_that_all_have_left_is_anybodys_to_end(d: Desk) -> None:
    await d.begin(seats=2)
    await d.service.left(d.match, 1)
    with pytest.raises(TableError, match="Only its players"):
        await d.service.end(d.match, 9)
    await d.service.left(d.match, 2)
    done = await d.service.end(d.match, 9)
    assert done.text == "All its players have left the server."
    assert not (await d.table()).match.open
    await d.service.create(
        "papertown", guild_id=9, channel_id=77, host_id=9, host_name="Ines", seats=2
    )


async def test_who_plays_on_withdraws_an_old_wish_to_stop(d: Desk) -> None:
    table = await d.begin(seats=3)
    seat = table.waiting()[0]
    user, (one, two) = table.seats[seat].user_id, sorted({1, 2, 3} - {table.seats[seat].user_id})
    await d.service.end(d.match, user)
    move = table.game.legal(table.state, seat)[0]
    done = await d.service.move(d.match, user, move)
    assert done.private[-1].startswith("As you play on, your wish")
    await d.service.end(d.match, one)
    left = await d.service.end(d.match, two)
    assert (await d.table()).match.open, "two want it, and the first one no longer does"
    assert table.said[seat] in left.text
    await d.service.end(d.match, user)
    assert not (await d.table()).match.open


async def test_what_was_sent_is_forgotten_after_eight_days(d: Desk) -> None:
    await d.begin()
    first, *rest = await d.store.pending_outbox(d.match)
    await d.store.mark_sent(first.id, 1)
    await d.later(8 * DAY, step=6 * HOUR)
    kept = "SELECT count(*) FROM outbox WHERE id = ?"
    assert (await d.store._rows(kept, first.id))[0][0] == 1
    await d.later(DAY, step=6 * HOUR)
    assert (await d.store._rows(kept, first.id))[0][0] == 0
    # What waits to be sent is not forgotten, nor is the match.
    waiting = {row.id for row in await d.store.pending_outbox(d.match)}
    assert waiting >= {row.id for row in rest}
    assert rest
    assert len(await d.store.log(d.match)) >= 1
    assert (await d.table()).match.open
