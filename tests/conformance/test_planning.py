"""Planning ahead: words mean the same only if the move is the same, and what is played by itself
because it is the only move was plain to everybody."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engines.core.surface import canonical, phrases, values
from tests.conformance.hooks import Case, hook
from tests.conformance.test_moves import good_text, sampled, samples
from tests.conformance.walk import Walk, told

CHANGING = {("pizzachef", "confirm")}
"""Commands whose description also tells what they would bring at the moment."""


def test_words_mean_the_same_only_for_the_same_move(case: Case) -> None:
    """Where two legal moves of the same words are described differently, their meaning differs."""
    game = case.game
    known: dict[tuple[int, str, str], tuple[str, str]] = {}
    pool: dict[int, list[Any]] = {seat: [] for seat in range(case.seats)}
    compared = 0
    for number in range(2):
        walk = Walk(case, 2000 + number)
        with told(walk):
            for state in sampled(walk, samples(case, 160), 4):
                due = game.waiting(state)
                for seat in range(case.seats):
                    view = game.view(state, seat)
                    if seat in due:
                        found = phrases(game, state, seat)
                        if len(found) > 60:
                            found = walk.rand.sample(found, 60)
                        for phrase, move in found:
                            meaning = game.meaning(view, phrase.command, phrase.args)
                            assert meaning is not None, f"{phrase} is there and means nothing"
                            good_text(meaning, case.seats, 300)
                            words = game.describe(view, move)
                            key = (seat, phrase.command, repr(sorted(phrase.args.items())))
                            if key in known and (case.key, phrase.command) not in CHANGING:
                                compared += 1
                                before = known[key]
                                if before[0] != words:
                                    assert before[1] != meaning, (
                                        f"{phrase}: “{before[0]}” and “{words}” mean “{meaning}”"
                                    )
                            known[key] = (words, meaning)
                            assert canonical(game, phrase.command, phrase.args) == phrase.args
                        pool[seat] += [p for p, _ in found[:5]]
                    elif pool[seat]:
                        # Not to act: whatever was said before can be looked at, and never fails.
                        ahead = walk.rand.sample(pool[seat], min(2, len(pool[seat])))
                        phrase = walk.rand.choice(pool[seat])
                        meaning = game.meaning(view, phrase.command, phrase.args, ahead)
                        good_text(meaning or "", case.seats, 300)
    assert compared


def test_what_is_foreseen_holds_what_is_legal(case: Case) -> None:
    """Values that may be planned are those of the moment, and none that is legal is missing."""
    game = case.game
    walk = Walk(case, 2100)
    with told(walk):
        for state in sampled(walk, samples(case, 60), 10):
            for seat in range(case.seats):
                view = game.view(state, seat)
                found = phrases(game, state, seat) if seat in game.waiting(state) else []
                for command in game.commands():
                    for param in command.params:
                        seen = list(game.foreseen(view, command.name, param.name))
                        assert len(set(seen)) == len(seen)
                        for value in seen:
                            good_text(
                                game.label(view, command.name, param.name, value), case.seats, 4000
                            )
                        legal = [
                            c.value for c in values(game, view, found, command.name, param.name)
                        ]
                        if seen:
                            assert set(legal) <= set(seen), (command.name, param.name)


def test_open_choices_are_open(case: Case) -> None:
    """However the hidden things lie, such a decision has the same moves."""
    make = hook(case.key, "Scrambler")
    if make is None:
        pytest.fail("no scrambler")
    scrambler, game = make(), case.game
    walk = Walk(case, 2200)
    with told(walk):
        for state in sampled(walk, samples(case, 80), 6):
            for seat in game.waiting(state):
                if not game.open_choice(state, seat):
                    continue
                real = [p for p, _ in phrases(game, state, seat)]
                for _ in range(3):
                    rand = random.Random(walk.rand.getrandbits(32))
                    other = scrambler.scramble(state, None, rand)
                    fake = [p for p, _ in phrases(game, other, seat)]
                    assert fake == real, f"seat {seat} could not do the same with another hand"
