"""Saving, reloading, taking back and replaying, for every game."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engines.core.errors import MoveError, ReplayMismatch, StaleDecision
from engines.core.play import Record, Undo, apply_one, replay, standing, start
from engines.core.types import Event, pack, state_hash
from tests.conformance.hooks import Case
from tests.conformance.test_moves import sampled, samples
from tests.conformance.walk import Match, Walk, told


def test_round_trips(case: Case) -> None:
    """States, moves, views and events survive JSON and MessagePack unchanged."""
    game = case.game
    walk = Walk(case, 500)
    with told(walk):
        check_events(game, walk.match.events)
        for state in sampled(walk, samples(case, 60)):
            check_state(game, case, state)
            for seat in game.waiting(state):
                moves = list(game.legal(state, seat))
                move = walk.rand.choice(moves)
                assert game.decode_move(msgspec.json.encode(move)) == move
                assert msgspec.msgpack.decode(pack(move), type=type(move)) == move
                _, step = apply_one(game, state, seat, move)
                check_events(game, step.events)
        while walk.state.ended is None:
            walk.step()
        check_state(game, case, walk.state)


def check_state(game: Any, case: Case, state: Any) -> None:
    blob = pack(state)
    assert pack(game.decode_state(blob)) == blob
    assert game.decode_state(blob) == state
    text = msgspec.json.encode(state)
    again = msgspec.json.decode(text, type=game.state_type)
    assert state_hash(again) == state_hash(state)
    for viewer in (None, *range(case.seats)):
        view = game.view(state, viewer)
        assert msgspec.json.decode(msgspec.json.encode(view), type=game.view_type) == view
        assert msgspec.msgpack.decode(pack(view), type=game.view_type) == view


def check_events(game: Any, events: Any) -> None:
    for event in events:
        for again in (
            msgspec.json.decode(msgspec.json.encode(event), type=Event),
            msgspec.msgpack.decode(pack(event), type=Event),
        ):
            assert pack(again) == pack(event)
            assert game.narrate(again) == game.narrate(event), "a stored event tells the same"


def test_clones_are_independent(case: Case) -> None:
    """Playing on a copy never shows in the original, to the end of the match."""
    game = case.game
    walk = Walk(case, 600)
    with told(walk):
        kept = []
        for state in sampled(walk, samples(case, 20)):
            assert state.clone() == state
            assert pack(state.clone()) == pack(state)
            kept.append((state, pack(state)))
            draft = state.clone()
            for _ in range(12):
                if draft.ended is not None:
                    break
                seat = game.waiting(draft)[0]
                game.apply(draft, seat, walk.rand.choice(list(game.legal(draft, seat))))
                assert pack(state) == kept[-1][1], "a copy shares something that moves change"
        while walk.state.ended is None:
            walk.step()
        assert all(pack(state) == blob for state, blob in kept)


def bare(state: Any) -> bytes:
    """A state without its decision ids."""
    copy = state.clone()
    copy.pending = [msgspec.structs.replace(d, id=0) for d in copy.pending]
    copy.next_decision = 0
    return pack(copy)


def attempt_undo(match: Match, seat: int) -> tuple[Undo, MoveError | None]:
    """The entry gone back to, or the refusal."""
    try:
        return match.undo(seat), None
    except MoveError as refusal:
        return Undo(0), refusal


def try_undo(walk: Walk, asked: dict[int, Any]) -> bool:
    """Ask for an undo from every seat in turn; true if one was granted."""
    match, game = walk.match, walk.game
    for seat in range(walk.case.seats):
        log = len(match.log)
        old = match.state
        counted = standing(match.log)
        plan, refusal = attempt_undo(match, seat)
        if refusal is not None:
            assert refusal.rule == game.meta.undo_rule
            assert refusal.text
            assert match.state is old
            assert len(match.log) == log
            continue
        after = {e.seq for e in standing(match.log)}
        gone = [e for e in counted if e.seq not in after]
        assert not any(e.reveals for e in gone), "an undo crossed a reveal"
        assert {e.seat for e in gone if not e.auto} == {seat}, "an undo took another seat's move"
        if not plan.again:
            assert bare(match.state) == bare(match.history[plan.to]), "the old position is back"
        open_before = {d.id: d for d in old.pending}
        for decision in match.state.pending:
            if decision.id in open_before:
                assert decision == open_before[decision.id], "a decision changed"
                assert decision.seat != seat, "an old button works again"
            else:
                assert decision.id not in asked, "an old button works again"
            asked[decision.id] = decision
        if plan.again and gone[0].apart:
            kept = {d for d in old.pending if d.seat != seat}
            assert kept == {d for d in match.state.pending if d.seat != seat}, "a button was lost"
        stale = [d for d in old.pending if d.id not in {x.id for x in match.state.pending}]
        for decision in stale:
            with pytest.raises(StaleDecision):
                match.move(decision.seat, None, decision=decision.id)
        return True
    return False


UNDO_STEPS = 500
"""Moves after which the undo test has seen enough: each undo looks at the whole log."""


def test_undo_and_replay(case: Case) -> None:
    """A match with many undos replays to equal hashes; what was revealed stays final."""
    walk = Walk(case, 700)
    asked: dict[int, Any] = {d.id: d for d in walk.state.pending}
    granted = 0
    with told(walk):
        assert not try_undo(walk, asked), "nothing to take back at the start"
        while walk.state.ended is None and walk.steps < UNDO_STEPS:
            played = walk.step()
            for decision in walk.state.pending:
                assert asked.setdefault(decision.id, decision) == decision
            if walk.rand.random() < 0.35:
                again = try_undo(walk, asked)
                granted += again
                if any(e.reveals for e in played.events):
                    assert not again, "an undo after a reveal"
        record = walk.match.record()
        hashes = [state_hash(state) for _, state, _ in replay(case.game, record)]
        assert hashes == [record.start_hash, *(e.hash for e in record.entries)]
        text = msgspec.json.encode(record)
        again = msgspec.json.decode(text, type=Record)
        assert msgspec.json.encode(again) == text
        assert [state_hash(s) for _, s, _ in replay(case.game, again)] == hashes
        broken = msgspec.structs.replace(record, start_hash="0" * 32)
        with pytest.raises(ReplayMismatch):
            list(replay(case.game, broken))
    print(f"{case!r}: {granted} undos in {walk.steps} moves")


ROLLBACKS = 12
"""Returns in each match: they make it longer, and each one looks at the whole log."""


def test_rollback_and_replay(case: Case) -> None:
    """Undos and returns at random, also to moves that an undo has made stand anew: the position
    before the chosen move is back but for the numbers of decisions, old buttons are refused, the
    record replays to equal hashes, and the match can be played to its end."""
    walk = Walk(case, 750)
    match, rand = walk.match, walk.rand
    asked: dict[int, Any] = {d.id: d for d in walk.state.pending}
    back = exact = 0
    with told(walk):
        while back < ROLLBACKS and walk.state.ended is None:
            for _ in range(rand.randrange(1, 16)):
                if walk.state.ended is None:
                    walk.step()
                    asked.update({d.id: d for d in walk.state.pending})
            if back > ROLLBACKS // 3 and rand.random() < 0.5:
                try_undo(walk, asked)
            counted = standing(match.log)
            if not counted or walk.state.ended is not None:
                continue
            place = max(0, len(counted) - rand.randrange(1, 30))
            goal, old = counted[place], match.state
            seat = rand.choice([None, goal.seat])
            match.rollback(goal.seq, seat)
            back += 1
            assert [e.seq for e in standing(match.log)] == [e.seq for e in counted[:place]]
            if not any(entry.again for entry in match.log):
                # What a move was made from is what stood after the entry before it. (An undo in a
                # simultaneous step may leave a move standing on something else.)
                assert bare(match.state) == bare(match.history[goal.seq - 1])
                exact += 1
            open_before = {d.id: d for d in old.pending}
            for decision in match.state.pending:
                assert decision == asked.get(decision.id, decision), "a number was used twice"
                if decision.id in asked and decision.id not in open_before:
                    raise AssertionError("an old button works again")
                asked[decision.id] = decision
            # The chosen move can be made again, from the same position to the same one.
            if place and rand.random() < 0.3:
                assert goal.seat is not None
                assert goal.move is not None
                apply_one(case.game, match.state, goal.seat, case.game.decode_move(goal.move))
        while walk.state.ended is None:
            walk.step()
        record = walk.match.record()
        hashes = [state_hash(state) for _, state, _ in replay(case.game, record)]
        assert hashes == [record.start_hash, *(e.hash for e in record.entries)]
    assert exact or not back
    print(f"{case!r}: {back} returns in {walk.steps} moves, {exact} compared with what was")


def test_reloading_in_the_middle(case: Case) -> None:
    """A match saved and reloaded before each move goes the same way as one kept in memory."""
    game = case.game
    walk = Walk(case, 800)
    with told(walk):
        while walk.state.ended is None:
            walk.step()
        record = walk.match.record()
        state, _ = start(game, case.seats, case.options, seed=record.seed)
        for entry in record.entries:
            if entry.seq % 2:
                state = game.decode_state(pack(state))
            else:
                state = msgspec.json.decode(msgspec.json.encode(state), type=game.state_type)
            assert entry.seat is not None
            assert entry.move is not None
            state, step = apply_one(game, state, entry.seat, game.decode_move(entry.move))
            assert step.hash == entry.hash
        assert game.outcome(state) == game.outcome(walk.state)


def test_same_seed_same_match(case: Case) -> None:
    first, second = Match(case, "c0ffee"), Match(case, "c0ffee")
    other = Match(case, "c0ffef")
    assert first.start_hash == second.start_hash
    assert first.start_hash != other.start_hash
    assert pack(list(first.events)) == pack(list(second.events))


DIGEST = """
import sys
from engines.core.types import pack, state_hash
from tests.conformance.hooks import cases
from tests.conformance.walk import Walk
from hashlib import sha256
for case in cases():
    if case.key == sys.argv[1]:
        walk = Walk(case, 900)
        digest = sha256(walk.match.start_hash.encode())
        for state in walk.positions():
            for seat in range(case.seats):
                digest.update(pack(list(case.game.legal(state, seat))))
            view = case.game.view(state, 0)
            digest.update(pack(view) + case.game.board_text(view).encode())
        digest.update(state_hash(walk.state).encode())
        print(repr(case), walk.steps, digest.hexdigest())
"""


def test_processes_agree(key: str) -> None:
    """Equal hashes, move lists, views and texts whatever ``PYTHONHASHSEED`` is."""
    found = []
    for seed in ("0", "4242"):
        done = subprocess.run(
            [sys.executable, "-c", DIGEST, key],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found.append(done.stdout)
    assert found[0] == found[1]
    assert found[0]


def test_a_match_is_set_up_again_with_the_colours_that_it_was_played_with(case: Case) -> None:
    """The match service keeps each seat's colour, not who had a wish; the record starts alike."""
    first, _ = start(case.game, case.seats, case.options, seed="c0ffee")
    options = {**case.options, "colours": list(first.colours)}
    again, _ = start(case.game, case.seats, options, seed="c0ffee")
    assert state_hash(again) == state_hash(first)
