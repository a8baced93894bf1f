"""Moves of every game: what is listed applies, what is not is refused (design, section 10)."""

from __future__ import annotations

import random
import re
from typing import Any

import msgspec
import pytest

from engines.core.errors import MoveError
from engines.core.play import apply_one, forced_move, play
from engines.core.surface import REST, complete, phrases, pick, resolve, values
from engines.core.types import pack, state_hash
from tests.conformance.hooks import Case, cases, hook
from tests.conformance.walk import Walk, told

PLACEHOLDER = re.compile(r"\{seat:(\d+)\}")


def samples(case: Case, total: int) -> int:
    """A share of ``total`` for one case, so that a game with many cases takes no longer."""
    return max(2, total // sum(c.key == case.key for c in cases()))


def sampled(walk: Walk, count: int, most_between: int = 25) -> Any:
    """About ``count`` positions spread over a random match, early ones first."""
    every = 1
    for taken, state in enumerate(walk.positions()):
        if taken % every == 0:
            count -= 1
            if count < 0:
                return
            yield state
            every = walk.rand.randint(1, most_between)


def good_text(text: str, seats: int, longest: int) -> None:
    """Text that can be posted: right length, only seat placeholders with seats that exist."""
    assert isinstance(text, str)
    assert len(text) <= longest, f"{len(text)} characters: {text!r}"
    rest = PLACEHOLDER.sub("", text)
    assert "{" not in rest, f"a placeholder other than {{seat:N}}: {text!r}"
    assert "}" not in rest, text
    assert all(int(n) < seats for n in PLACEHOLDER.findall(text)), text


def test_whole_matches(case: Case) -> None:
    """Legal moves exist exactly for who may act, every move keeps the invariants, matches end."""
    game = case.game
    for number in range(hook(case.key, "MATCHES", 1)):
        walk = Walk(case, number)
        asked: dict[int, Any] = {}
        with told(walk):
            for event in walk.match.events:
                good_text(game.narrate(event), case.seats, 1500)
            while walk.state.ended is None:
                state = walk.state
                waiting = game.waiting(state)
                assert waiting
                assert len(set(waiting)) == len(waiting)
                assert all(0 <= s < case.seats for s in waiting)
                assert game.outcome(state) is None
                assert forced_move(game, state) is None, "play() leaves no forced move behind"
                for seat in waiting:
                    moves = list(game.legal(state, seat))
                    assert moves, f"seat {seat} owes a decision and has no move"
                    assert len({pack(m) for m in moves}) == len(moves), "a move is listed twice"
                    assert state.decision_of(seat) is not None
                for decision in state.pending:
                    assert decision.kind in game.decisions(case.seats)
                    assert asked.setdefault(decision.id, decision) == decision, "id used again"
                    assert decision.id < state.next_decision
                before = state_hash(state)
                open_before = {d.id for d in state.pending}
                played = walk.step()
                assert state_hash(state) == before, "a move changed the position before it"
                assert played.steps[0].auto is False
                for step in played.steps[1:]:
                    assert step.auto
                    assert not step.reveals, "a forced move must reveal nothing"
                game.check(walk.state)
                for event in played.events:
                    good_text(game.narrate(event), case.seats, 1500)
                fresh = {d.id for d in walk.state.pending} - open_before
                assert not fresh & asked.keys(), "a decision id came back"
            ended(game, case, walk.state)
            for seat in range(case.seats):
                assert not game.legal(walk.state, seat), "a move is listed after the end"
                with pytest.raises(MoveError) as refusal:
                    play(game, walk.state, seat, game.decode_move(walk.match.log[-1].move or ""))
                assert refusal.value.rule.startswith(game.meta.prefix + "-")


def ended(game: Any, case: Case, state: Any) -> None:
    """The result covers everybody and its sums are right."""
    assert game.waiting(state) == ()
    result = game.outcome(state)
    assert result is not None
    assert result.reason == state.ended
    assert result.reason in game.meta.end_reasons
    ranked = [seat for group in result.ranking for seat in group]
    assert sorted(ranked) == list(range(case.seats)), "every seat has one rank"
    assert all(result.ranking), "no empty rank"
    assert [s.seat for s in result.scores] == list(range(case.seats))
    for score in result.scores:
        if score.lines:
            assert score.total == sum(points for _, points in score.lines)
    best = [result.scores[group[0]].total for group in result.ranking]
    assert best == sorted(best, reverse=True), "better ranks have at least as many points"
    good_text(result.note, case.seats, 500)


def test_listed_moves_apply(case: Case) -> None:
    """Every listed move applies on a copy; the list is stable; the safe move is in it."""
    game = case.game
    walk = Walk(case, 100)
    with told(walk):
        for state in sampled(walk, samples(case, 120)):
            before = state_hash(state)
            for seat in range(case.seats):
                moves = list(game.legal(state, seat))
                assert moves == list(game.legal(state.clone(), seat)), "the list is not stable"
                reloaded = game.decode_state(pack(state))
                assert moves == list(game.legal(reloaded, seat)), "the list depends on the object"
                if not moves:
                    continue
                if seat in game.waiting(state):
                    assert game.safest(state, seat) in moves
                view = game.view(state, seat)
                for move in walk.rand.sample(moves, min(len(moves), 60)):
                    words = game.describe(view, move)
                    assert words
                    good_text(words, case.seats, 80)
                    apply_one(game, state, seat, move)
            assert state_hash(state) == before


def test_words_lead_to_moves(case: Case) -> None:
    """Phrases, labels, autocompletion and the guided picker reach every legal move."""
    game = case.game
    walk = Walk(case, 200)
    known = {c.name: [p.name for p in c.params] for c in game.commands()}
    with told(walk):
        for state in sampled(walk, samples(case, 72)):
            for seat in range(case.seats):
                found = phrases(game, state, seat)
                if not found:
                    continue
                view = game.view(state, seat)
                assert len({(p.command, *sorted(p.args.items())) for p, _ in found}) == len(found)
                for phrase, _ in found:
                    assert set(phrase.args) <= set(known[phrase.command])
                    assert all(1 <= len(v) <= 90 for v in phrase.args.values()), phrase
                for phrase, move in walk.rand.sample(found, min(len(found), 20)):
                    given = dict(phrase.args)
                    assert resolve(game, state, seat, phrase.command, given) == (move, None)
                    follow(game, state, seat, phrase, move)
                    labels = check_options(game, state, seat, view, found, phrase, known)
                    assert resolve(game, state, seat, phrase.command, labels)[0] == move, labels
                    stamped = {k: f"{v}~77" for k, v in given.items()}
                    expected = 77 if given else None
                    assert resolve(game, state, seat, phrase.command, stamped) == (move, expected)


def check_options(
    game: Any, state: Any, seat: int, view: Any, found: Any, phrase: Any, known: Any
) -> dict[str, str]:
    """Labels are unique and short, and autocompletion offers the value; returns the labels."""
    labels: dict[str, str] = {}
    given: dict[str, str] = {}
    left = [(p, m) for p, m in found if p.command == phrase.command]
    for param in known[phrase.command]:
        if param not in phrase.args:
            continue
        value = phrase.args[param]
        choices = values(game, view, left, phrase.command, param)
        shown = [c.label for c in choices]
        assert len(set(shown)) == len(shown), f"labels are not unique: {shown}"
        assert all(1 <= len(label) <= 100 for label in shown), shown
        offered = complete(game, state, seat, phrase.command, given, param, value)
        assert len(offered) <= 25
        assert offered[0].value == value, f"{param}: {value} is not the best match of itself"
        if len(choices) <= 25:
            everything = complete(game, state, seat, phrase.command, given, param, "")
            assert everything == choices
        labels[param] = next(c.label for c in choices if c.value == value)
        given[param] = value
        left = [(p, m) for p, m in left if p.args.get(param) == value]
    return labels


def follow(game: Any, state: Any, seat: int, phrase: Any, move: Any) -> None:
    """Walk the guided picker to the move."""
    view = game.view(state, seat)
    path: list[str] = []
    for _ in range(30):
        step, path = pick(game, state, seat, path)
        if step.move is not None:
            assert step.move == move
            return
        assert 1 <= len(step.choices) <= 25, f"a Discord list holds 25: {step}"
        assert len({c.value for c in step.choices}) == len(step.choices)
        offered = [c.value for c in step.choices]
        if not step.command:
            answer = phrase.command
        elif step.facet:
            value = phrase.args.get(step.param, "")
            answer = (value and game.facet(view, step.command, step.param, value)) or REST
        else:
            answer = phrase.args.get(step.param, "")
        assert answer in offered, f"the picker does not lead to {phrase}: {step}"
        path = [*path, "@" + answer if step.facet else answer]
    raise AssertionError(f"the picker never ends on the way to {phrase}")


def mutations(move: Any, pool: dict[tuple[str, str], list[Any]], rand: random.Random) -> list[Any]:
    """Moves like this one with one field changed to something else of the same type."""
    found = []
    for field in move.__struct_fields__:
        value = getattr(move, field)
        others = list(pool.get((move.kind, field), ()))
        tries = rand.sample(others, min(3, len(others)))
        if isinstance(value, bool):
            tries.append(not value)
        elif isinstance(value, int):
            tries += [value + 1, -1, 99]
        elif isinstance(value, str):
            tries += ["nonsense", ""]
        elif isinstance(value, tuple):
            tries += [(), value[1:], value + value]
        for other in tries:
            if other != value:
                found.append(msgspec.structs.replace(move, **{field: other}))
    return found


def attempt(game: Any, state: Any, seat: int, move: Any) -> tuple[Any, MoveError | None]:
    """The state after a move, or the refusal."""
    try:
        return apply_one(game, state, seat, move)[0], None
    except MoveError as refusal:
        return None, refusal


def test_unlisted_moves_are_refused(case: Case) -> None:
    """Moves of other seats, of earlier positions and with changed fields are refused by a rule.

    An engine may accept other names of a listed move; then the result must be that move's.
    """
    game = case.game
    walk = Walk(case, 300)
    pool: dict[tuple[str, str], list[Any]] = {}
    earlier: list[Any] = []
    refused = 0
    with told(walk):
        for state in sampled(walk, samples(case, 120)):
            before = state_hash(state)
            listed = {seat: list(game.legal(state, seat)) for seat in range(case.seats)}
            everything = [m for moves in listed.values() for m in moves]
            for seat, moves in listed.items():
                tries = walk.rand.sample(everything, min(4, len(everything)))
                tries += walk.rand.sample(earlier, min(6, len(earlier)))
                for move in walk.rand.sample(moves, min(4, len(moves))):
                    tries += mutations(move, pool, walk.rand)
                for move in tries:
                    if move in moves:
                        continue
                    result, refusal = attempt(game, state, seat, move)
                    if refusal is not None:
                        refused += 1
                        where = (seat, move, refusal.rule, refusal.text)
                        assert re.fullmatch(game.meta.prefix + r"-\d{3}", refusal.rule), where
                        good_text(refusal.text, case.seats, 1500)
                        assert refusal.text
                    else:
                        same = [apply_one(game, state, seat, m)[0] for m in moves]
                        assert state_hash(result) in {state_hash(s) for s in same}, (
                            f"seat {seat}: {move} is accepted and not listed"
                        )
                    assert state_hash(state) == before
            for move in walk.rand.sample(everything, min(10, len(everything))):
                earlier.append(move)
                for field in move.__struct_fields__:
                    options = pool.setdefault((move.kind, field), [])
                    if getattr(move, field) not in options:
                        options.append(getattr(move, field))
    assert refused > 20, "the test hardly tried anything"


def test_texts(case: Case) -> None:
    """Board text, alt text, prompt and hand exist and fit, all through a match."""
    game = case.game
    walk = Walk(case, 400)
    every = max(1, 40 // samples(case, 40))
    with told(walk):
        for state in walk.positions(every):
            check_texts(game, case, state)
        check_texts(game, case, walk.state)


def check_texts(game: Any, case: Case, state: Any) -> None:
    for viewer in (None, *range(case.seats)):
        view = game.view(state, viewer)
        assert view.viewer == viewer
        assert view.seats == case.seats
        assert view.waiting == game.waiting(state)
        good_text(game.board_text(view), case.seats, 1800)
        assert game.board_text(view).strip()
        good_text(game.alt(view), case.seats, 1024)
        assert game.alt(view).strip()
        hand = game.hand(view)
        if viewer is None:
            assert hand is None, "the channel has no hand"
        elif hand is not None:
            assert game.meta.secrets, "meta.secrets names what a hand is"
            good_text(hand.title, case.seats, 256)
            good_text("\n".join(hand.lines), case.seats, 1800)
    for seat in game.waiting(state):
        text = game.prompt(game.view(state, seat), seat)
        assert text.strip()
        good_text(text, case.seats, 300)
