"""Nobody learns what is hidden: whatever the viewer may not know is dealt anew, and nothing that
the viewer gets to see may change (design, sections 3 and 10; ``hooks.py`` says how a game joins).
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from engines.core.errors import MoveError
from engines.core.play import apply_one
from engines.core.registry import games
from engines.core.surface import complete, phrases, pick
from engines.core.types import pack, state_hash
from tests.conformance.hooks import Case, hook
from tests.conformance.test_moves import mutations, sampled, samples
from tests.conformance.walk import Walk, seen_by, told


def test_every_game_has_a_scrambler(key: str) -> None:
    assert hook(key, "Scrambler") is not None, (
        f"tests/engines/{key}/conformance.py must offer a Scrambler, see tests/conformance/hooks.py"
    )


def words_of(game: Any, state: Any, viewer: int | None, rand: random.Random) -> dict[str, Any]:
    """Everything that a viewer can get out of the engine in a position."""
    view = game.view(state, viewer)
    found: dict[str, Any] = {
        "view": pack(view),
        "waiting": game.waiting(state),
        "board text": game.board_text(view),
        "alt text": game.alt(view),
        "hand": game.hand(view),
        "result": pack(game.outcome(state)),
        "prompts": [game.prompt(view, seat) for seat in game.waiting(state)],
    }
    if viewer is None:
        return found
    moves = list(game.legal(state, viewer))
    found["legal"] = pack(moves)
    found["described"] = [game.describe(view, move) for move in moves[:60]]
    known = phrases(game, state, viewer)
    for phrase, _ in rand.sample(known, min(4, len(known))):
        given: dict[str, str] = {}
        for param in sorted(phrase.args):
            found[f"completing {phrase.command} {param} {given}"] = complete(
                game, state, viewer, phrase.command, given, param, phrase.args[param][:1]
            )
            given[param] = phrase.args[param]
    if known:
        found["picker"] = pack(pick(game, state, viewer, []))
    wrong = [
        w for move in rand.sample(moves, min(3, len(moves))) for w in mutations(move, {}, rand)
    ]
    for number, move in enumerate(wrong):
        try:
            apply_one(game, state, viewer, move)
        except MoveError as refusal:
            found[f"refusal {number}"] = (
                refusal.code, refusal.rule, refusal.text, refusal.choices,
            )  # fmt: skip
    if viewer in game.waiting(state):
        found["safest"] = pack(game.safest(state, viewer))
    return found


def until_revealed(events: Any, viewer: int | None) -> list[Any]:
    """What a viewer hears of, up to the first event that is meant to reveal something."""
    told_so_far = []
    for event in seen_by(events, viewer):
        if event.reveals:
            break
        told_so_far.append(event)
    return told_so_far


def test_nothing_hidden_shows(case: Case) -> None:
    """The same words for a viewer, however the hidden things lie; and something did lie
    otherwise in every position of a running match."""
    make = hook(case.key, "Scrambler")
    if make is None:
        pytest.fail("no scrambler")
    scrambler, game = make(), case.game
    walk = Walk(case, 1000)
    dealt = 0
    with told(walk):
        for state in sampled(walk, samples(case, 90)):
            seat, move = walk.choose()
            for viewer in (None, *range(case.seats)):
                seed = walk.rand.getrandbits(32)
                before = state_hash(state)
                other = scrambler.scramble(state, viewer, random.Random(seed))
                assert state_hash(state) == before, "the scrambler must work on a copy"
                game.check(other)
                if state_hash(other) != before:
                    dealt += 1
                real = words_of(game, state, viewer, random.Random(seed))
                fake = words_of(game, other, viewer, random.Random(seed))
                assert real.keys() == fake.keys()
                for what, text in real.items():
                    assert fake[what] == text, f"viewer {viewer} can tell from: {what}"
                if move in game.legal(other, seat):
                    here = apply_one(game, state, seat, move)[1].events
                    there = apply_one(game, other, seat, move)[1].events
                    assert pack(until_revealed(here, viewer)) == pack(
                        until_revealed(there, viewer)
                    ), f"viewer {viewer} can tell from the events of {move}"
        assert dealt, "the scrambler never changed anything"


def test_scramblers_deal_everything_anew(case: Case) -> None:
    """Not only the seed: states differ beyond the generator for the channel and for each seat,
    unless the game says that nothing is hidden from anybody."""
    make = hook(case.key, "Scrambler")
    if make is None:
        pytest.fail("no scrambler")
    scrambler, game = make(), case.game
    walk = Walk(case, 1100)
    changed: dict[int | None, int] = dict.fromkeys((None, *range(case.seats)), 0)
    with told(walk):
        for state in sampled(walk, 6):
            for viewer in changed:
                other = scrambler.scramble(state, viewer, random.Random(walk.rand.getrandbits(32)))
                assert other.rng.seed != state.rng.seed, "the seed is a secret too"
                other.rng = state.rng
                changed[viewer] += pack(other) != pack(state)
    if not hook(case.key, "OPEN_GAME", False):
        assert all(changed.values()), f"nothing hidden was dealt anew for {changed}"
    assert game.meta.key == case.key


def test_pictures_do_not_betray(case: Case) -> None:
    """Equal pixels whatever is hidden."""
    from render import painter

    make = hook(case.key, "Scrambler")
    if make is None:
        pytest.fail("no scrambler")
    scrambler, game = make(), case.game
    names = [f"Player {seat}" for seat in range(case.seats)]
    walk = Walk(case, 1200)
    with told(walk):
        for state in sampled(walk, 2, most_between=40):
            for viewer in (None, 0):
                other = scrambler.scramble(state, viewer, random.Random(1))
                one = painter(case.key).board(game.view(state, viewer), names)
                two = painter(case.key).board(game.view(other, viewer), names)
                assert one.tobytes() == two.tobytes(), f"viewer {viewer} can tell from the picture"


def test_viewers_differ_only_in_what_is_theirs() -> None:
    """The suite above means something: each game's views of two seats are not the same object
    with a number changed, unless the game has no secrets at all."""
    for key, game in games().items():
        if not game.meta.secrets:
            continue
        case = Case(key, max(game.meta.seats), {})
        walk = Walk(case, 1300)
        hands = set()
        for state in sampled(walk, 8):
            hands |= {pack(game.hand(game.view(state, seat))) for seat in range(case.seats)}
        assert len(hands) > 1, f"{key} names secrets but every hand is the same"
