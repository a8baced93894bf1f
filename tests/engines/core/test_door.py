"""The engine's own door: protocol, malformed lines, undo, loading, and no growth."""

from __future__ import annotations

import gc
import json
import random
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.core.door import COMMANDS, MAX_LINE, Door
from engines.core.registry import games

PAGE = Path(__file__).parents[3] / "engines" / "PROTOCOL.md"


def ask(door: Door, cmd: str, **keys: Any) -> Any:
    """The answer's ``ok``."""
    answer = json.loads(door.handle(json.dumps({"cmd": cmd, **keys})))
    assert "ok" in answer, answer
    return answer["ok"]


def refused(door: Door, line: Any) -> dict[str, Any]:
    """The answer's ``error``; checks its form."""
    text = line if isinstance(line, (str, bytes)) else json.dumps(line)
    raw = door.handle(text)
    assert b"\n" not in raw
    answer = json.loads(raw)
    assert answer.keys() == {"id", "error"}, answer
    error: dict[str, Any] = answer["error"]
    assert error.keys() - {"choices"} == {"code", "rule", "text"}
    assert error["text"]
    return error


def transcript() -> list[tuple[str, str]]:
    lines = PAGE.read_text(encoding="utf-8").partition("## A transcript")[2].splitlines()
    sent = [line[2:] for line in lines if line.startswith("> ")]
    answered = [line[2:] for line in lines if line.startswith("< ")]
    return list(zip(sent, answered, strict=True))


def test_the_documented_transcript() -> None:
    door = Door()
    pairs = transcript()
    assert len(pairs) > 15
    for sent, expected in pairs:
        answer = door.handle(sent).decode()
        if expected.endswith("…"):
            assert answer.startswith(expected[:-1]), sent
        else:
            assert answer == expected, sent


def test_the_page_names_every_command_and_code() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f"| `{name}` |" in page
    for code in (
        "illegal_move", "not_your_turn", "stale_decision", "malformed_move", "ambiguous_move",
        "setup", "bad_request", "malformed", "engine_bug",
    ):  # fmt: skip
        assert f"| `{code}` |" in page


def test_a_whole_match_and_its_outcome() -> None:
    """Played to the end through lines alone, by two doors that agree in every answer."""
    for key, game in games().items():
        doors = (Door(), Door())
        seats = min(game.meta.seats)
        for door in doors:
            ask(door, "new", game=key, seats=seats, seed="0bad")
        rand = random.Random(key)
        for _ in range(5000):
            where = ask(doors[0], "waiting")
            if not where["waiting"]:
                break
            seat = where["waiting"][0]
            move = rand.choice(ask(doors[0], "legal", seat=seat))
            line = json.dumps({"cmd": "apply", "seat": seat, "move": move})
            assert doors[0].handle(line) == doors[1].handle(line)
        outcome = ask(doors[0], "outcome")
        assert sorted(s for group in outcome["ranking"] for s in group) == list(range(seats))
        assert outcome == ask(doors[1], "outcome")
        assert ask(doors[0], "legal", seat=0) == []


def test_before_a_match() -> None:
    door = Door()
    for cmd in COMMANDS:
        if cmd == "games":
            assert {g["key"] for g in ask(door, cmd)} == set(games())
        else:
            assert refused(door, {"cmd": cmd, "seat": 0})["code"] in (
                "bad_request", "setup", "malformed",
            )  # fmt: skip


BAD_LINES: list[tuple[Any, str]] = [
    ("", "malformed"),
    ("nonsense", "malformed"),
    ("[]", "malformed"),
    ("null", "malformed"),
    ('{"id": 1}', "malformed"),
    ('{"cmd": 5}', "malformed"),
    (b"\xff\xfe", "malformed"),
    (b'{"cmd":"games","id":"\xff"}', "malformed"),
    ('{"cmd":"\ud800"}', "bad_request"),
    ("[" * 200_000, "malformed"),
    ('{"id":' + "[" * 200_000, "bad_request"),
    ({"cmd": "handle"}, "bad_request"),
    ({"cmd": "__init__"}, "bad_request"),
    ({"cmd": "legal"}, "bad_request"),
    ({"cmd": "legal", "seat": -1}, "bad_request"),
    ({"cmd": "view", "viewer": 2}, "bad_request"),
    ({"cmd": "view", "viewer": "me"}, "malformed"),
    ({"cmd": "apply", "seat": 0}, "malformed_move"),
    ({"cmd": "apply", "seat": 0, "move": 7}, "malformed_move"),
    ({"cmd": "apply", "seat": 0, "move": {"kind": "open_business", "tile": 5}}, "malformed_move"),
    ({"cmd": "new", "game": "go", "seats": 2}, "setup"),
    ({"cmd": "new", "game": "paris_paris", "seats": 1}, "setup"),
    ({"cmd": "new", "game": "paris_paris", "seats": 2, "options": {"x": 1}}, "setup"),
    ({"cmd": "new", "game": "paris_paris", "seats": 2, "deal": {"tiles": 5}}, "setup"),
    ({"cmd": "new", "game": "paris_paris", "seats": 2, "deal": {"tiles": ["x"]}}, "setup"),
    ({"cmd": "new", "game": "paris_paris", "seats": 2, "seed": "xyz"}, "bad_request"),
    ({"cmd": "new", "game": "paris_paris", "seats": 2, "seed": "0"}, "bad_request"),
    ({"cmd": "new", "game": "paris_paris", "seats": 2, "seed": "00" * 65}, "bad_request"),
    ({"cmd": "load", "game": "paris_paris"}, "malformed"),
    ({"cmd": "load", "game": "paris_paris", "state": {}}, "malformed"),
    ({"cmd": "undo", "seat": 0}, "illegal_move"),
    ("{" + " " * MAX_LINE + "}", "bad_request"),
]


def test_bad_lines_are_answered_and_change_nothing() -> None:
    door = Door()
    ask(door, "new", game="paris_paris", seats=2)
    before = ask(door, "state")
    for line, code in BAD_LINES:
        error = refused(door, line)
        assert error["code"] == code, (str(line)[:80], error)
        assert ask(door, "state") == before


@pytest.mark.parametrize("ident", [None, 0, "x", [1, {"a": None}], 2**70, "ü~\u2028", 1.5])
def test_ids_come_back(ident: Any) -> None:
    door = Door()
    for line in ({"cmd": "games"}, {"cmd": "fly"}, {"cmd": 3}, {"cmd": "new", "seats": "two"}):
        assert json.loads(door.handle(json.dumps({**line, "id": ident})))["id"] == ident


def test_undo_through_the_door() -> None:
    """Undo goes back step by step, never behind a reveal, also after other undos."""
    door = Door()
    ask(door, "new", game="paris_paris", seats=3, deal={"start": [0]})
    start = ask(door, "state")["state"]

    def step(seat: int) -> Any:
        return ask(door, "apply", seat=seat, move=ask(door, "legal", seat=seat)[0])

    step(0)
    step(1)
    assert refused(door, {"cmd": "undo", "seat": 0})["rule"] == "PR-082"
    assert ask(door, "undo", seat=1)["to"] == 1
    step(1)
    assert ask(door, "undo", seat=1)["to"] == 1
    assert ask(door, "undo", seat=0)["to"] == 0
    again = ask(door, "state")["state"]
    ids = [d["id"] for d in again["pending"]]
    assert ids
    assert ids[0] > start["pending"][0]["id"]
    for state in (again, start):
        state["pending"], state["next_decision"] = [], 0
    assert again == start
    for seat in (0, 1, 2):
        step(seat)
    for seat in (0, 1, 2):
        assert refused(door, {"cmd": "undo", "seat": seat})["rule"] == "PR-082"
    step(1)
    assert ask(door, "undo", seat=1)["to"] == 9


def test_load_goes_on_where_state_was_taken() -> None:
    for key, game in games().items():
        one, two = Door(), Door()
        ask(one, "new", game=key, seats=max(game.meta.seats), seed="0c")
        rand = random.Random(key)
        for number in range(12):
            if number == 6:
                saved = ask(one, "state")
                where = ask(two, "load", **saved)
                assert where["waiting"] == ask(one, "waiting")["waiting"]
                seat = where["waiting"][0]
                refused(two, {"cmd": "undo", "seat": seat})
            seat = ask(one, "waiting")["waiting"][0]
            move = rand.choice(ask(one, "legal", seat=seat))
            line = {"cmd": "apply", "seat": seat, "move": move}
            hashed = json.loads(one.handle(json.dumps(line)))["ok"]["hash"]
            if number >= 6:
                assert json.loads(two.handle(json.dumps(line)))["ok"]["hash"] == hashed


def test_load_refuses_positions_that_make_no_sense() -> None:
    door = Door()
    ask(door, "new", game="paris_paris", seats=3)
    saved = ask(door, "state")
    good = saved["state"]
    for changes in (
        {"seats": 2}, {"seats": 99}, {"seats": -1}, {"bus": 7}, {"markers": []},
        {"markers": ["red", "red", "red"]}, {"stacks": []}, {"face_up": []}, {"pending": []},
        {"colours": []}, {"shops": {"louvre": [9]}}, {"shops": {"x": [0]}}, {"sack": []},
        {"rng": {"seed": "zz"}}, {"rng": {"seed": "00" * 65}}, {"ended": "stacks"},
        {"next_decision": 1}, {"round": 0}, {"small": [0, 0]}, {"first": -1},
        {"pending": [{"id": 1, "seat": 9, "kind": "open_business"}]},
        {"openers": [0, 1, 2]}, {"shops": "no"}, {"p_row": ["louvre/blue"]},
    ):  # fmt: skip
        error = refused(door, {"cmd": "load", "game": "paris_paris", "state": {**good, **changes}})
        assert error["code"] in ("malformed", "engine_bug", "bad_request"), changes
        assert ask(door, "state") == saved, changes
    error = refused(door, {"cmd": "load", **saved, "rules_version": 99})
    assert "version 1" in error["text"]


def test_without_a_seed_the_match_is_always_the_same() -> None:
    answers = []
    for line in ({}, {}, {"seed": "00"}, {"seed": "01"}):
        answers.append(ask(Door(), "new", game="paris_paris", seats=2, **line))
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["seed"] == "00"
    assert answers[0]["hash"] != answers[3]["hash"]


KEYS = st.sampled_from(
    ["cmd", "id", "game", "seats", "options", "seed", "deal", "seat", "viewer", "move", "decision",
     "state", "rules_version"]
)  # fmt: skip
VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-3, 9), st.integers(), st.floats(allow_nan=False),
        st.text(max_size=6), st.sampled_from([*COMMANDS, *games(), "00", "open_business"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(KEYS, st.text(max_size=5)), inner, max_size=3),
    ),
    max_leaves=5,
)  # fmt: skip
LINES = st.one_of(
    st.text(max_size=40),
    st.binary(max_size=40),
    st.fixed_dictionaries(
        {"cmd": st.sampled_from(COMMANDS)},
        optional={
            "game": st.sampled_from([*games(), "x"]), "seats": st.integers(-1, 6),
            "seat": st.integers(-1, 5), "viewer": st.one_of(st.none(), st.integers(-1, 5)),
            "move": VALUES, "state": VALUES, "options": VALUES, "deal": VALUES, "id": VALUES,
            "seed": st.sampled_from(["00", "1", "zz", ""]), "decision": st.integers(-1, 9),
        },
    ).map(json.dumps),
    st.dictionaries(KEYS, VALUES, max_size=5).map(json.dumps),
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(LINES, min_size=1, max_size=12))
def test_any_lines_are_answered(lines: list[str | bytes]) -> None:
    """Each line gets one answer in the documented form, and never an engine bug."""
    door = Door()
    for line in lines:
        raw = door.handle(line)
        assert b"\n" not in raw
        answer = json.loads(raw)
        assert "id" in answer
        assert len(answer) == 2
        if "error" in answer:
            assert answer["error"]["code"] != "engine_bug", answer
        else:
            assert "ok" in answer


def one_match(door: Door, number: int, rand: random.Random) -> None:
    seats = 2 + number % 3
    where = ask(door, "new", game="paris_paris", seats=seats, seed=f"{number:08x}")
    while where["waiting"]:
        seat = where["waiting"][0]
        moves = ask(door, "legal", seat=seat)
        where = ask(door, "apply", seat=seat, move=moves[int(rand.random() * len(moves))])
    assert ask(door, "outcome")["scores"]


def blocks() -> int:
    """Memory blocks that the interpreter holds, rubbish collected."""
    gc.collect()
    return sys.getallocatedblocks()


def grown(matches: int) -> int:
    """Memory blocks more after the last match than after a warm-up that fills every cache."""
    door, rand = Door(), random.Random(1)
    for number in range(80):
        one_match(door, number, rand)
    before = blocks()
    for number in range(80, matches):
        one_match(door, number, rand)
    return blocks() - before


def test_many_matches_through_one_door_do_not_grow_it() -> None:
    """300 matches leave fewer blocks behind than one match holds in its state and log."""
    more = grown(300)
    print(f"300 matches: {more:+,} memory blocks")
    assert more < 300


def test_bytes_do_not_grow_either() -> None:
    door, rand = Door(), random.Random(2)
    for number in range(10):
        one_match(door, number, rand)
    tracemalloc.start()
    try:
        one_match(door, 10, rand)
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for number in range(11, 35):
            one_match(door, number, rand)
        one_match(door, 10, rand)
        gc.collect()
        more = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    print(f"25 matches: {more:+,} bytes")
    assert more < 50_000


@pytest.mark.bench
@pytest.mark.timeout(1800)
def test_ten_thousand_matches_through_one_door() -> None:
    more = grown(10_000)
    print(f"10,000 matches: {more:+,} memory blocks")
    assert more < 300
