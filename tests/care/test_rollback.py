"""Going back to a chosen point, with a clock that the tests turn and without Discord."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from bot.errors import TableError
from bot.language import unpacked
from bot.service.clocks import Rule
from bot.service.history import ago
from bot.service.proposal import missing, proposal_line, proposal_of
from bot.service.rollback import offered
from engines.core.errors import MoveError
from engines.core.game import QUIET
from engines.core.play import replay, standing
from engines.core.types import state_hash
from tests.care.desk import HOUR, Desk
from tests.care.test_random import replayed
from tests.conformance.test_records import bare


async def play(d: Desk, turns: int, rand: random.Random | None = None) -> None:
    """Some moves by whoever is to act."""
    for _ in range(turns):
        if (await d.table()).waiting():
            await d.move(choose=rand.choice if rand else None)


async def until_passed(d: Desk, seat: int) -> None:
    """The seat plays until somebody else is to act."""
    while seat in (await d.table()).waiting():
        await d.move(seat)


async def places(d: Desk, user: int) -> list[int]:
    return [place for place, _ in await d.service.points(await d.table(), user)]


async def propose(d: Desk, user: int, place: int, **more: Any) -> str:
    preview = await d.service.preview(d.match, user, place, **more)
    done = await d.service.propose(d.match, user, place, preview.changes, **more)
    return done.text


async def number(d: Desk) -> int:
    proposal = proposal_of((await d.table()).settings)
    assert proposal is not None
    return proposal.number


async def open_proposal(d: Desk) -> Any:
    return proposal_of((await d.table()).settings)


async def last_turn(d: Desk) -> Any:
    found = json.loads((await d.sent("turn"))[-1].payload)
    return {**found, "lines": unpacked(found["lines"])}


async def last_notice(d: Desk) -> Any:
    found = json.loads((await d.sent("notice"))[-1].payload)
    return {**found, "text": unpacked(found["text"])}


async def three_turns(d: Desk, game: str = "paris_paris", rule: Rule | None = None) -> Any:
    """Each of three has had a turn; returns the position at the start."""
    await d.begin(game, 3, rule)
    first = (await d.table()).state
    for _ in range(3):
        await until_passed(d, (await d.table()).waiting()[0])
    return first


# ---- agreement -----------------------------------------------------------------------------------


async def test_all_whose_moves_it_takes_back_agree(d: Desk) -> None:
    first = await three_turns(d)
    table = await d.table()
    head = table.match.head_seq
    asker = table.seats[table.waiting()[0]].user_id
    text = await propose(d, asker, (await places(d, asker))[-1])
    assert text.startswith("Proposed. Still to agree:")
    assert (await d.table()).match.head_seq == head, "nothing has happened yet"
    proposal = await open_proposal(d)
    others = [u for u in (1, 2, 3) if u != asker]
    to_agree = missing(table, proposal)
    assert [table.seats[s].user_id for s in to_agree] == others
    post = await last_notice(d)
    assert post["mention"] == to_agree
    assert post["rollback"] == 1
    assert all(f"<@{user}>" in post["text"] for user in others)
    assert f"<@{asker}>" not in post["text"]
    noted = await d.service.answer(d.match, others[0], 1, True)
    assert noted.text.startswith("Noted. Still to agree:")
    with pytest.raises(TableError, match="You have already agreed"):
        await d.service.answer(d.match, others[0], 1, True)
    d.again()
    done = await d.service.answer(d.match, others[1], 1, True)
    assert "stands where it stood" in done.text
    after = await d.table()
    assert bare(after.state) == bare(first)
    assert await open_proposal(d) is None
    log = await d.store.log(d.match)
    assert [row.kind for row in log[head + 1 :]] == ["rollback"]
    assert log[-1].actor_id == asker
    assert log[-1].seat is None
    told = await last_turn(d)
    assert told["ping"] == list(after.waiting()), "who is to act is called, also who was before"
    assert told["fresh"] is True
    assert "went back to before this" in told["lines"][0]
    with pytest.raises(TableError, match="settled"):
        await d.service.answer(d.match, others[1], 1, True)
    lines = await d.service.public_log(await d.table())
    assert told["lines"][0] in lines
    await play(d, 500)
    assert (await d.table()).match.status == "finished"
    assert "every position is the recorded one" in await d.service.verify(d.match)


async def test_the_moves_of_two_concern_these_two(d: Desk) -> None:
    await d.begin()
    await until_passed(d, (await d.table()).waiting()[0])
    await until_passed(d, (await d.table()).waiting()[0])
    table = await d.table()
    history = await d.service.history(table)
    assert not any(move.closes for move in history.moves), "nothing drawn in the first two turns"
    movers = {move.seat for move in history.moves if move.place}
    idle = next(s.seat for s in table.seats if s.seat not in movers)
    one, two = sorted(movers)
    text = await propose(d, table.seats[one].user_id, 1)
    assert text == f"Proposed. Still to agree: {table.said[two]}."
    with pytest.raises(TableError, match="to answer"):
        await d.service.answer(d.match, table.seats[idle].user_id, 1, True)
    with pytest.raises(TableError, match="to answer"):
        await d.service.answer(d.match, 99, 1, False)
    assert await open_proposal(d) is not None
    await d.service.answer(d.match, table.seats[two].user_id, 1, True)
    assert (await d.table()).state.pending[0].seat == history.moves[0].seat


async def test_one_refusal_ends_it(d: Desk) -> None:
    await three_turns(d)
    before = state_hash((await d.table()).state)
    await propose(d, 1, 1)
    done = await d.service.answer(d.match, 2, 1, False)
    assert done.text == "The match stays as it is."
    for user in (1, 2, 3):
        with pytest.raises(TableError, match="settled"):
            await d.service.answer(d.match, user, 1, True)
    assert state_hash((await d.table()).state) == before
    said = await last_notice(d)
    assert "would rather stay" in said["text"]
    assert said["mention"] == []
    # The next proposal has a number of its own, and the old buttons do not answer it.
    await propose(d, 1, 1)
    assert await number(d) == 2
    with pytest.raises(TableError, match="settled"):
        await d.service.answer(d.match, 2, 1, True)
    # Who proposed takes it back.
    await d.service.answer(d.match, 1, 2, False)
    assert await open_proposal(d) is None
    assert "withdraws" in (await last_notice(d))["text"]


async def test_playing_on_ends_it(d: Desk) -> None:
    await three_turns(d)
    await propose(d, 1, 1)
    await d.move()
    assert await open_proposal(d) is None
    assert "The proposal to go back is off" in (await last_turn(d))["lines"][-1]
    with pytest.raises(TableError, match="settled"):
        await d.service.answer(d.match, 2, 1, True)
    await d.move()
    assert "proposal" not in " ".join((await last_turn(d))["lines"])


async def test_an_undo_ends_it_and_care_does_not(d: Desk) -> None:
    await d.begin()
    for _ in range(2):
        await until_passed(d, (await d.table()).waiting()[0])
    table = await d.table()
    history = await d.service.history(table)
    latest = history.moves[-1].seat
    user = table.seats[latest].user_id
    await propose(d, user, 1)
    await d.service.set_clock(d.match, 1, Rule("move", 6))
    await d.service.vacation(d.match, 1, "3 days")
    assert await open_proposal(d) is not None
    await d.service.undo(d.match, user)
    assert await open_proposal(d) is None


async def test_a_preview_of_the_past_is_refused(d: Desk) -> None:
    await three_turns(d)
    preview = await d.service.preview(d.match, 1, 1)
    await d.move()
    with pytest.raises(TableError, match="moved on"):
        await d.service.propose(d.match, 1, 1, preview.changes)
    assert await open_proposal(d) is None


async def test_one_proposal_at_a_time(d: Desk) -> None:
    await three_turns(d)
    await propose(d, 1, 1)
    preview = await d.service.preview(d.match, 2, 1)
    with pytest.raises(TableError, match="has proposed to go back already"):
        await d.service.propose(d.match, 2, 1, preview.changes)
    await propose(d, 1, (await places(d, 1))[0])
    assert await number(d) == 2, "one's own is replaced"


async def test_pressing_twice_goes_back_once(d: Desk) -> None:
    await three_turns(d)
    preview = await d.service.preview(d.match, 1, 1)
    await d.service.propose(d.match, 1, 1, preview.changes, interaction_id=5)
    with pytest.raises(TableError, match="already been done"):
        await d.service.propose(d.match, 1, 1, preview.changes, interaction_id=5)
    await d.service.answer(d.match, 2, 1, True, interaction_id=6)
    await d.service.answer(d.match, 3, 1, True, interaction_id=7)
    with pytest.raises(TableError, match="already been done"):
        await d.service.answer(d.match, 3, 1, True, interaction_id=7)
    assert sum(row.kind == "rollback" for row in await d.store.log(d.match)) == 1


# ---- who speaks for a seat -----------------------------------------------------------------------


async def test_who_holds_the_seat_now_agrees(d: Desk) -> None:
    await three_turns(d)
    await propose(d, 1, 1)
    await d.service.substitute(d.match, 2, 8, "Hugo")
    assert await open_proposal(d) is not None
    with pytest.raises(TableError, match="to answer"):
        await d.service.answer(d.match, 2, 1, True)
    await d.service.answer(d.match, 8, 1, True)
    await d.service.answer(d.match, 3, 1, True)
    table = await d.table()
    assert table.seat_of(8) == 1, "the seat stays with who holds it now"
    assert sum(row.kind == "rollback" for row in await d.store.log(d.match)) == 1


async def test_a_substitute_of_the_proposer_is_asked_too(d: Desk) -> None:
    """The agreement of who made the proposal does not go with the seat to somebody else."""
    await three_turns(d)
    await propose(d, 1, 1)
    await d.service.substitute(d.match, 1, 8, "Hugo")
    with pytest.raises(TableError, match="to answer"):
        await d.service.answer(d.match, 7, 1, True)
    await d.service.answer(d.match, 2, 1, True)
    left = await d.service.answer(d.match, 3, 1, True)
    assert left.text == "Noted. Still to agree: Hugo."
    for agree in (True, False):
        with pytest.raises(TableError, match="This is for Hugo, Bruno or Carla to answer"):
            await d.service.answer(d.match, 1, 1, agree)  # gave the seat away
    await d.service.answer(d.match, 8, 1, True)
    assert (await d.store.log(d.match))[-1].kind == "rollback"


async def test_for_an_automatic_player_all_others_speak(d: Desk) -> None:
    """Seat 2 has moved and then resigned: its moves go back only if both others agree, it is not
    asked, and nobody can choose a point at which it would play on by itself."""
    await d.begin()
    order = []
    for _ in range(3):
        order.append((await d.table()).waiting()[0])
        await until_passed(d, order[-1])
    await d.service.resign(d.match, order[1] + 1)
    table = await d.table()
    assert table.seats[order[1]].user_id <= 0
    history = await d.service.history(table)
    allowed = {move.seat for move in offered(table, history)}
    assert order[1] not in allowed
    user = order[0] + 1
    theirs = next(m.place for m in history.moves if m.place and m.seat == order[1])
    with pytest.raises(TableError, match="no such point"):
        await d.service.preview(d.match, user, theirs)
    await propose(d, user, 1)
    assert missing(await d.table(), await open_proposal(d)) == [order[2]]
    await d.service.answer(d.match, order[2] + 1, 1, True)
    after = await d.table()
    assert after.waiting() == (order[0],)
    assert after.seats[order[1]].user_id <= 0, "a seat that was handed over stays so"
    assert "every position is the recorded one" in await replayed(d)


async def test_who_has_left_the_server_is_not_waited_for(d: Desk) -> None:
    await three_turns(d)
    await d.service.left(d.match, 2)
    await propose(d, 1, 1)
    proposal = await open_proposal(d)
    assert missing(await d.table(), proposal) == [2]
    await d.service.answer(d.match, 3, 1, True)
    assert (await d.store.log(d.match))[-1].kind == "rollback"


# ---- alone ---------------------------------------------------------------------------------------


async def own_steps(d: Desk) -> tuple[int, Any, Any]:
    """Several steps of one player on one turn, nothing revealed: the seat, and the positions before
    the first one and the last one."""
    await d.begin("pizzachef", 2)
    rand = random.Random("own steps")
    for _ in range(400):
        table = await d.table()
        if table.state.phase == "play":
            history = await d.service.history(table)
            mine = []
            for move in reversed(history.moves):
                if move.seat != history.moves[-1].seat or move.closes or not move.place:
                    break
                mine.append(move)
            if len(mine) >= 2:
                return mine[0].seat, mine[-1], mine[0]
        await d.move(choose=rand.choice)
    raise AssertionError("no such turn")


async def test_own_steps_need_nobody(d: Desk) -> None:
    seat, oldest, newest = await own_steps(d)
    assert oldest.place < newest.place
    table = await d.table()
    entries = await d.service.entries(d.match)
    before = {s: v for s, v, _ in replay(table.game, await d.service.replayable(table))}
    user = table.seats[seat].user_id
    preview = await d.service.preview(d.match, user, oldest.place)
    assert preview.at_once
    assert "Nobody else has to agree." in preview.text
    assert "revealed" not in preview.text
    text = await propose(d, user, oldest.place)
    assert text == "Done: the match stands where it stood before that."
    after = await d.table()
    assert bare(after.state) == bare(before[oldest.seq - 1])
    log = (await d.store.log(d.match))[-1]
    assert (log.kind, log.seat) == ("rollback", seat)
    assert len(await d.service.entries(d.match)) == len(entries) + 1
    assert (await last_turn(d))["lines"][0].startswith(f"↩ {after.said[seat]} went back")
    assert await d.sent("notice") == [] or "rollback" not in (await d.sent("notice"))[-1].payload
    # Somebody else would have to ask.
    assert "every position is the recorded one" in await replayed(d)


# ---- what was revealed ---------------------------------------------------------------------------


async def drawn(d: Desk) -> Any:
    """A match of Papertown just after a move that drew a tile; returns the revealing move."""
    await d.begin("papertown", 2)
    for _ in range(60):
        await d.move()
        history = await d.service.history(await d.table())
        if history.moves[-1].reveals and history.moves[-1].place:
            return history.moves[-1]
    raise AssertionError("nothing drawn")


async def test_what_was_revealed_is_labelled_and_everybody_agrees(d: Desk) -> None:
    move = await drawn(d)
    table = await d.table()
    drawn_state = state_hash(table.state)
    user = table.seats[move.seat].user_id
    preview = await d.service.preview(d.match, user, move.place)
    assert "Something hidden has been revealed since then" in preview.text
    assert not preview.at_once, "one's own move, but now one knows what comes"
    other = 3 - user
    assert (await propose(d, user, move.place)).startswith("Proposed.")
    assert "revealed" in (await last_notice(d))["text"]
    await d.service.answer(d.match, other, 1, True)
    assert any("revealed" in line for line in (await last_turn(d))["lines"])
    # The same move brings the same draw: nobody can try for a better one.
    again = (await d.table()).game.decode_move(
        next(e.move for e in await d.service.entries(d.match) if e.seq == move.seq)
    )
    await d.service.move(d.match, user, again)
    now = await d.table()
    assert state_hash(now.state) != drawn_state, "old buttons stay old"
    assert bare(now.state) == bare(table.state)


# ---- private preparations ------------------------------------------------------------------------


async def prepared(d: Desk) -> tuple[Any, int]:
    """A private preparation by somebody who is not to act; returns it and the seat."""
    await d.begin("papa_paolo", 3)
    rand = random.Random("prepared")
    for _ in range(300):
        table = await d.table()
        for seat in range(3):
            if seat in table.waiting():
                continue
            for move in table.game.legal(table.state, seat):
                if table.game.apart(table.state, seat, move) == QUIET:
                    return move, seat
        await d.move(choose=rand.choice)
    raise AssertionError("nothing to prepare")


async def test_a_private_preparation_is_neither_offered_nor_betrayed(d: Desk) -> None:
    """Before and after it the list of points, the preview and the proposal are word for word the
    same; the proposal stands, and a preview from before it can still be proposed."""
    move, seat = await prepared(d)
    table = await d.table()
    user = next(s.user_id for s in table.seats if s.seat != seat)
    points = await d.service.points(table, user)
    assert len(points) > 2
    place = points[1][0]
    preview = await d.service.preview(d.match, user, place)
    await propose(d, user, place)
    line = proposal_line(await d.table())
    turns = len(await d.sent("turn"))
    await d.service.move(d.match, seat + 1, move)
    assert (await d.service.entries(d.match))[-1].apart == QUIET
    assert await d.service.points(await d.table(), user) == points
    again = await d.service.preview(d.match, user, place)
    assert (again.text, again.changes, again.at_once) == (
        preview.text,
        preview.changes,
        preview.at_once,
    )
    assert proposal_line(await d.table()) == line
    assert len(await d.sent("turn")) == turns
    await d.service.undo(d.match, seat + 1)
    assert (await d.service.preview(d.match, user, place)).changes == preview.changes
    assert await open_proposal(d) is not None
    await d.service.move(d.match, seat + 1, move)
    # All agree; the preparation is gone, and its owner alone is told.
    hands = {r.id for r in await d.sent("hand")}
    for waiting in missing(await d.table(), await open_proposal(d)):
        await d.service.answer(d.match, waiting + 1, await number(d), True)
    counted = [e.seq for e in standing(await d.service.entries(d.match))]
    prepared_at = (await d.service.entries(d.match))[-2].seq
    assert prepared_at not in counted
    told = [
        r.seat
        for r in await d.sent("hand")
        if r.id not in hands and "prepared in private" in r.payload
    ]
    assert told == [seat]
    assert "prepared" not in " ".join((await last_turn(d))["lines"])
    assert "every position is the recorded one" in await replayed(d)


async def test_only_people_are_named_as_those_who_answer(d: Desk) -> None:
    await three_turns(d)
    await propose(d, 1, 1)
    await d.service.resign(d.match, 3)
    with pytest.raises(TableError, match=r"^This is for Ada or Bruno to answer\.$"):
        await d.service.answer(d.match, 7, 1, True)


async def test_a_seat_that_plays_by_itself_by_now_is_told_nothing(d: Desk) -> None:
    """Its player prepared something in private and then resigned; whoever takes the seat later has
    nothing to do with it."""
    move, seat = await prepared(d)
    table = await d.table()
    others = [s.user_id for s in table.seats if s.seat != seat]
    place = (await d.service.points(table, others[0]))[1][0]
    await d.service.move(d.match, seat + 1, move)
    await d.service.resign(d.match, seat + 1)
    hands = {r.id for r in await d.sent("hand")}
    await propose(d, others[0], place)
    proposal = await open_proposal(d)
    for waiting in missing(await d.table(), proposal) if proposal is not None else ():
        user = (await d.table()).seats[waiting].user_id
        await d.service.answer(d.match, user, await number(d), True)
    assert any(r.kind == "rollback" for r in await d.store.log(d.match))
    told = [r for r in await d.sent("hand") if r.id not in hands and "prepared" in r.payload]
    assert not told


# ---- clocks --------------------------------------------------------------------------------------


async def test_nobody_loses_time_by_what_all_agreed_to(d: Desk) -> None:
    await three_turns(d, rule=Rule("move", 24))
    await d.later(20 * HOUR, step=HOUR)
    await propose(d, 1, 1)
    await d.service.answer(d.match, 2, 1, True)
    await d.service.answer(d.match, 3, 1, True)
    seat = (await d.table()).waiting()[0]
    assert await d.left(seat) == 24 * HOUR
    assert all([await d.left(s) in (None, 24 * HOUR) for s in range(3)])


async def test_an_open_vote_on_lost_time_ends_with_it(d: Desk) -> None:
    await three_turns(d, rule=Rule("move", 6))
    late = (await d.table()).waiting()[0]
    await d.later(7 * HOUR)
    assert await d.up(late)
    await propose(d, 1, 1)
    for user in (2, 3):
        await d.service.answer(d.match, user, 1, True)
    seat = (await d.table()).waiting()[0]
    assert not await d.up(seat)
    assert await d.left(seat) == 6 * HOUR


# ---- where it makes no sense ---------------------------------------------------------------------


async def test_where_there_is_no_way_back(d: Desk) -> None:
    done = await d.service.create(
        "paris_paris", guild_id=9, channel_id=78, host_id=1, host_name="Ada", seats=2
    )
    with pytest.raises(TableError, match="has not started"):
        await d.service.points(done.table, 1)
    await three_turns(d)
    with pytest.raises(TableError, match="do not sit"):
        await d.service.points(await d.table(), 99)
    with pytest.raises(TableError, match="do not sit"):
        await d.service.preview(d.match, 99, 1, moderator=True)
    for wrong in (0, 10**6):
        with pytest.raises(TableError, match="no such point"):
            await d.service.preview(d.match, 1, wrong)
    for words in ("", "x", "@0", "@99999", "0", "-1", "²", "9" * 30):
        with pytest.raises(TableError, match="Choose the point"):
            await d.service.place_named(await d.table(), 1, words)
    newest = (await places(d, 1))[0]
    assert await d.service.place_named(await d.table(), 1, "1") == newest
    assert await d.service.place_named(await d.table(), 1, f"@{newest}") == newest
    words = (await d.service.points(await d.table(), 1))[0][1]
    assert await d.service.place_named(await d.table(), 1, words) == newest
    await propose(d, 1, 1)
    await d.service.pause(d.match, 1)
    with pytest.raises(TableError, match="paused"):
        await d.service.answer(d.match, 2, 1, True)
    with pytest.raises(TableError, match="paused"):
        await d.service.points(await d.table(), 1)
    await d.service.resume(d.match, 1)
    await d.service.answer(d.match, 2, 1, True)
    await d.service.end(d.match, 1, moderator=True)
    with pytest.raises(TableError, match="over"):
        await d.service.answer(d.match, 3, 1, True)
    with pytest.raises(TableError, match="over"):
        await d.service.points(await d.table(), 1)


async def test_the_start_has_nothing_to_take_back(d: Desk) -> None:
    await d.begin()
    assert await places(d, 1) == []
    with pytest.raises(TableError, match="no move to take back"):
        await d.service.place_named(await d.table(), 1, "1")


@pytest.mark.parametrize("back", [True, False])
async def test_a_halted_match_can_be_got_going(d: Desk, back: bool) -> None:
    """From where it stands, which costs nobody anything, or from an earlier point; in either case
    everybody agrees."""
    await three_turns(d, rule=Rule("move", 24))
    before = (await d.table()).state
    await d.store.freeze(d.match, "bad")
    d.again()
    table = await d.table()
    points = await d.service.points(table, 1)
    assert points[0][1] == "where the match stands now"
    place = points[1 if back else 0][0]
    with pytest.raises(TableError, match="do not sit"):
        await d.service.points(table, 99)
    await propose(d, 99, place, moderator=True)
    assert (await open_proposal(d)).asked == (0, 1, 2)
    for user in (1, 2, 3):
        assert (await d.table()).match.status == "frozen"
        await d.service.answer(d.match, user, 1, True)
    table = await d.table()
    assert table.match.status == "active"
    assert (bare(table.state) == bare(before)) is not back
    assert await d.left(table.waiting()[0]) == 24 * HOUR
    await play(d, 500)
    assert (await d.table()).match.status == "finished"
    assert "every position is the recorded one" in await d.service.verify(d.match)


# ---- at random -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "seats"),
    [("paris_paris", 3), ("papertown", 3), ("palermo", 3), ("pizzachef", 2), ("papa_paolo", 3)],
)
async def test_returns_at_random(game: str, seats: int, d: Desk) -> None:
    """Moves, undos and returns in any order, played to the end: the log replays."""
    rand = random.Random(f"returns {game}")
    await d.begin(game, seats)
    back = 0
    for _ in range(25):
        await play(d, rand.randrange(1, 8), rand)
        table = await d.table()
        if table.match.status != "active":
            break
        user = rand.randrange(1, seats + 1)
        if rand.random() < 0.3:
            try:
                await d.service.undo(d.match, user)
            except MoveError:
                pass
        choices = await places(d, user)
        if not choices:
            continue
        await propose(d, user, rand.choice(choices[:12]))
        proposal = await open_proposal(d)
        for seat in missing(await d.table(), proposal) if proposal else ():
            await d.service.answer(d.match, seat + 1, proposal.number, rand.random() < 0.95)
            if await open_proposal(d) is None:
                break
        back = sum(row.kind == "rollback" for row in await d.store.log(d.match))
        if back > 8:
            break
    assert back > 3
    if game != "pizzachef":  # at random it takes thousands of moves
        await play(d, 1000, rand)
        assert (await d.table()).match.status == "finished"
    assert "every position is the recorded one" in await replayed(d)


def test_how_long_ago() -> None:
    assert ago(59_999) == "just now"
    assert ago(3_599_999) == "59 minutes ago"
    assert ago(3_600_000) == "1 hour ago"
    assert ago(48 * 3_600_000) == "2 days ago"
