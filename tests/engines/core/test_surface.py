"""From words to moves: matching, completion, ambiguity, and arbitrary text."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.core.errors import AmbiguousMove, MalformedMove, MoveError
from engines.core.play import play, start
from engines.core.registry import games
from engines.core.surface import (
    Choice,
    begins,
    complete,
    fold,
    match_value,
    pick,
    resolve,
    unstamp,
)
from engines.paris_paris import GAME
from engines.paris_paris.moves import OpenBusiness
from tests.engines.core.test_play import NIM, Take
from tests.engines.paris_paris.positions import position

STOPS = [
    Choice("louvre/blue", "Louvre – line 3 (blue)"),
    Choice("hotel-de-ville/grey", "Hôtel de Ville – line 4 (grey)"),
    Choice("hotel-de-ville/green", "Hôtel de Ville – line 1 (green)"),
    Choice("odeon/orange", "Odéon – line 5 (orange)"),
]


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("  Hôtel   de\tVille ", "hotel de ville"),
        ("CHAMPS-ÉLYSÉES", "champs-elysees"),
        ("Straße", "strasse"),
        ("ﬁn", "fin"),
        ("", ""),
        ("\u0301", ""),
    ],
)
def test_fold(text: str, folded: str) -> None:
    assert fold(text) == folded
    assert fold(folded) == folded


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("louvre/blue", "louvre/blue"),
        ("LOUVRE", "louvre/blue"),
        ("lou", "louvre/blue"),
        ("Odeon – line", "odeon/orange"),
        ("Hôtel de Ville – line 1 (green)", "hotel-de-ville/green"),
        ("hotel", None),
        ("hotel-de-ville/gre", None),
        ("hotel-de-ville/gree", "hotel-de-ville/green"),
        ("", None),
        ("  ", None),
        ("ouvre", None),
    ],
)
def test_match_value(typed: str, value: str | None) -> None:
    assert match_value(typed, STOPS) == value


def test_a_typed_number_is_never_completed_to_another() -> None:
    numbers = [Choice(n, n) for n in ("10", "12", "3")]
    assert match_value("1", numbers) is None
    assert match_value("3", numbers) == "3"
    assert match_value("1", numbers[:1]) is None, "the only legal 10 is not what 1 means"
    assert match_value("a1", [Choice("a10", "a10")]) is None
    assert match_value("a", [Choice("a10", "a10")]) == "a10"
    assert match_value("-1", [Choice("-13/4", "-13/4")]) is None
    assert begins("a10 mill", "a10")


def test_exact_words_come_before_prefixes() -> None:
    choices = [Choice("park", "Park"), Choice("parking", "Parking")]
    assert match_value("park", choices) == "park"
    assert match_value("PARK", choices) == "park"
    assert match_value("parki", choices) == "parking"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("louvre/blue~12", ("louvre/blue", 12)),
        ("a~b~3", ("a~b", 3)),
        ("louvre~", ("louvre~", None)),
        ("louvre~x", ("louvre~x", None)),
        ("louvre~²", ("louvre~²", None)),
        ("louvre~-1", ("louvre~-1", None)),
        ("~5", ("", 5)),
        ("x~" + "9" * 5000, ("x~" + "9" * 5000, None)),
    ],
)
def test_unstamp(text: str, parts: tuple[str, int | None]) -> None:
    assert unstamp(text) == parts


UP = ["louvre/blue", "hotel-de-ville/grey", "hotel-de-ville/green"]


def test_completion_ranks() -> None:
    """Exact, then beginnings, then beginnings of a word, then anywhere; nothing else."""
    state = position("", up=UP)

    def offered(typed: str, limit: int = 25) -> list[str]:
        return [c.value for c in complete(GAME, state, 0, "open", {}, "tile", typed, limit)]

    assert offered("") == UP
    assert offered("", 2) == UP[:2]
    assert offered("hotel-de-ville/green") == ["hotel-de-ville/green"]
    assert offered("HÔTEL") == UP[1:]
    assert offered("ville") == UP[1:]
    assert offered("ouv") == ["louvre/blue"]
    assert offered("zzz") == []
    assert complete(GAME, state, 1, "open", {}, "tile", "") == [], "not his turn"
    assert complete(GAME, state, 0, "no command", {}, "tile", "") == []
    assert complete(GAME, state, 0, "open", {}, "no option", "") == []


def test_completion_knows_the_other_options() -> None:
    """At Concorde only B's or C's shop can go, at Louvre nothing is offered."""
    state = position("concorde=BC", up=["louvre/blue", "concorde/red", "odeon/grey"])
    given_words = {"tile": "concorde/red~4"}
    found = complete(GAME, state, 0, "open", given_words, "remove", "")
    assert [c.value for c in found] == ["violet", "yellow"]
    assert complete(GAME, state, 0, "open", {"tile": "louvre"}, "remove", "") == []
    tiles = complete(GAME, state, 0, "open", {"remove": "violet"}, "tile", "")
    assert [c.value for c in tiles] == ["concorde/red"]


def test_resolve() -> None:
    state = position("concorde=BC", up=["louvre/blue", "concorde/red", "odeon/grey"])
    assert resolve(GAME, state, 0, "open", {"tile": "lou~9"}) == (OpenBusiness("louvre/blue"), 9)
    move, _ = resolve(GAME, state, 0, "open", {"tile": "conc", "remove": "VIO"})
    assert move == OpenBusiness("concorde/red", "violet")
    # Incomplete or illegal words still make a move, so that the engine names the rule.
    for words, rule in (
        ({"tile": "concorde"}, "PR-041"),
        ({"tile": "concorde", "remove": "grey"}, "PR-040"),
        ({"tile": "bastille/grey"}, "PR-028"),
        ({"tile": "paris"}, "PR-007"),
    ):
        move, decision = resolve(GAME, state, 0, "open", words)
        assert decision is None
        with pytest.raises(MoveError) as error:
            play(GAME, state, 0, move)
        assert error.value.rule == rule
    for command, args in (
        ("fly", {}),
        ("open", {"tile": "louvre", "wings": "2"}),
    ):
        with pytest.raises(MalformedMove):
            resolve(GAME, state, 0, command, args)


def test_missing_options_are_filled_in_only_where_one_move_fits() -> None:
    state = position("concorde=BC", up=["louvre/blue", "concorde/red", "odeon/grey"])
    move, decision = resolve(GAME, state, 0, "open", {"remove": "yellow~8"})
    assert (move, decision) == (OpenBusiness("concorde/red", "yellow"), 8)
    heap, _ = start(NIM, 2)
    with pytest.raises(AmbiguousMove) as error:
        resolve(NIM, heap, 0, "take", {})
    assert error.value.choices == ("take 1", "take 2", "take 3")
    heap.heap = 2
    with pytest.raises(AmbiguousMove) as error:
        resolve(NIM, heap, 0, "take", {})
    assert error.value.choices == ("take 1", "take 2")
    heap.heap = 1
    assert resolve(NIM, heap, 0, "take", {}) == (Take(1), None)
    with pytest.raises(MalformedMove):
        resolve(NIM, heap, 1, "take", {})


def test_picker_refuses_what_is_gone() -> None:
    state = position("concorde=BC", up=["louvre/blue", "concorde/red", "odeon/grey"])
    step, path = pick(GAME, state, 0, [])
    assert path == ["open"]
    assert [c.value for c in step.choices] == ["louvre/blue", "concorde/red", "odeon/grey"]
    step, path = pick(GAME, state, 0, ["open", "concorde/red"])
    assert (step.param, [c.value for c in step.choices]) == ("remove", ["violet", "yellow"])
    assert path == ["open", "concorde/red"]
    step, path = pick(GAME, state, 0, [*path, "yellow"])
    assert path == ["open", "concorde/red", "yellow"]
    assert step.move == OpenBusiness("concorde/red", "yellow")
    for wrong in (["fly"], ["open", "opera/red"], ["open", "concorde/red", "grey"], ["open", "@x"]):
        with pytest.raises(AmbiguousMove):
            pick(GAME, state, 0, wrong)
    with pytest.raises(AmbiguousMove):
        pick(GAME, state, 1, [])


def test_picker_splits_long_lists_by_facet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values without a facet stay reachable among those with one."""
    state = position("", up=UP)
    monkeypatch.setattr(
        type(GAME),
        "facet",
        lambda self, view, command, param, value: "hotel" if value.startswith("hotel") else "",
    )
    step, path = pick(GAME, state, 0, [], most=2)
    assert (step.facet, [c.value for c in step.choices]) == (True, ["…", "hotel"])
    step, _ = pick(GAME, state, 0, [*path, "@hotel"], most=2)
    assert [c.value for c in step.choices] == UP[1:]
    step, _ = pick(GAME, state, 0, [*path, "@…"], most=2)
    assert step.move == OpenBusiness("louvre/blue")


# ---- arbitrary text ---------------------------------------------------------------------------

WORDS = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        ["louvre", "louvre/blue~3", "1", "-1", "true", "{seat:0}", "\ud800", "[", "9" * 400]
    ),
    st.text(alphabet="0123456789~@-/{}[]\",: ", max_size=30),
)  # fmt: skip
STATES = [
    (game, start(game, seats, seed="1f")[0])
    for game in games().values()
    for seats in game.meta.seats
]  # fmt: skip
NAMES = sorted(
    {c.name for g in games().values() for c in g.commands()}
    | {p.name for g in games().values() for c in g.commands() for p in c.params}
)
ARGS = st.dictionaries(st.one_of(st.sampled_from(NAMES), st.text(max_size=8)), WORDS, max_size=4)
COMMANDS = st.one_of(st.sampled_from(NAMES), st.text(max_size=12))


def only_move_errors(work: Any) -> Any:
    try:
        return work()
    except MoveError as error:
        refusal = error
    assert refusal.text
    return None


@settings(max_examples=300, deadline=None)
@given(where=st.sampled_from(STATES), command=COMMANDS, args=ARGS, data=st.data())
def test_any_words_give_a_move_or_a_refusal(
    where: Any, command: str, args: dict[str, str], data: st.DataObject
) -> None:
    game, state = where
    seat = data.draw(st.integers(0, state.seats - 1))
    found = only_move_errors(lambda: resolve(game, state, seat, command, args))
    if found is not None:
        only_move_errors(lambda: play(game, state, seat, found[0]))
    only_move_errors(lambda: game.parse(command, args))
    focused = data.draw(st.sampled_from(NAMES))
    choices = complete(game, state, seat, command, args, focused, data.draw(WORDS))
    assert len(choices) <= 25
    path = data.draw(st.lists(st.one_of(WORDS, st.sampled_from(NAMES)), max_size=4))
    only_move_errors(lambda: pick(game, state, seat, path))


@settings(max_examples=300, deadline=None)
@given(
    where=st.sampled_from(STATES),
    text=st.one_of(
        WORDS,
        st.binary(max_size=40),
        st.recursive(
            st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5)),
            lambda inner: st.one_of(
                st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)
            ),
            max_leaves=6,
        ).map(json.dumps),
    ),
)
def test_any_json_gives_a_move_or_a_refusal(where: Any, text: str | bytes) -> None:
    game, state = where
    move = only_move_errors(lambda: game.decode_move(text))
    if move is not None:
        only_move_errors(lambda: play(game, state, 0, move))


def test_deep_json_is_refused() -> None:
    for game in games().values():
        for text in ("[" * 100_000, '{"kind":' * 50_000, "9" * 100_000):
            with pytest.raises(MalformedMove):
                game.decode_move(text)
