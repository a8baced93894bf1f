"""Writes the golden matches of a game: ``python -m tests.golden.make paris_paris``.

A golden is a :class:`engines.core.play.Record` with a comment: a whole match with the hash of the
state after each entry, its events' digest and its outcome. Goldens are made once and then kept: if
one no longer replays, either the change is wrong, or ``rules_version`` must rise and the old rules
stay for old matches. A new rules version gets new goldens beside the old ones.

Each game says what it wants in ``tests/engines/<key>/conformance.py``::

    GOLDENS = {"name": (seats, options, wanted)}

where ``wanted(outcome, events)`` looks at a finished match and says whether it shows what the name
promises. Seeds are tried in order; computer moves are random, with some undos, or come from the
module's ``CHOOSE(game, state, rand)``, which returns (seat, move), where random play would hardly
show it.
"""

from __future__ import annotations

import random
import sys
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from engines.core.play import Record, replay
from engines.core.types import Outcome, pack
from tests.conformance.hooks import Case, hook
from tests.conformance.walk import Match

HERE = Path(__file__).parent
TRIES = 20_000


class Golden(msgspec.Struct, frozen=True):
    """A recorded match and how it ended.

    Attributes:
        about: what it shows.
        record: the match.
        events: BLAKE2b of every event of every entry in order, as 32 hex digits.
        outcome: the result.
    """

    about: str
    record: Record
    events: str
    outcome: Outcome


def digest(game: Any, record: Record) -> tuple[str, Any]:
    """Replay; the events' digest and the last state."""
    found = blake2b(digest_size=16)
    for _, state, events in replay(game, record):  # noqa: B007
        found.update(pack(list(events)))
    return found.hexdigest(), state


def any_move(game: Any, state: Any, rand: random.Random) -> tuple[int, Any]:
    """Any legal move of anybody who is to act."""
    seat = rand.choice(game.waiting(state))
    return seat, rand.choice(list(game.legal(state, seat)))


def random_match(case: Case, number: int) -> tuple[Match, list[Any]]:
    """A random match with an undo now and then."""
    rand = random.Random(f"golden {case!r} {number}")
    match = Match(case, f"{rand.getrandbits(64):016x}")
    events = list(match.events)
    choose = hook(case.key, "CHOOSE", any_move)
    while match.state.ended is None:
        seat, move = choose(case.game, match.state, rand)
        played = match.move(seat, move)
        events += played.events
        if rand.random() < 0.05 and not any(step.reveals for step in played.steps):
            match.undo(seat)
    return match, events


def make(key: str, name: str) -> Golden:
    """Search for a match that shows what the name promises."""
    seats, options, wanted = hook(key, "GOLDENS")[name]
    case = Case(key, seats, options)
    for number in range(TRIES):
        match, events = random_match(case, number)
        outcome = case.game.outcome(match.state)
        if wanted(outcome, events):
            record = match.record()
            return Golden(name, record, digest(case.game, record)[0], outcome)
    raise SystemExit(f"{key}: no match in {TRIES} shows {name}")


def path(key: str, name: str) -> Path:
    return HERE / key / f"{name}.json"


def encode(golden: Golden) -> bytes:
    """Readable and stable: one entry a line."""
    text = msgspec.json.format(msgspec.json.encode(golden, order="deterministic"), indent=1)
    return text + b"\n"


def main(keys: list[str]) -> int:
    """Write the goldens that are missing."""
    for key in keys:
        for name in hook(key, "GOLDENS", {}):
            file = path(key, name)
            if file.exists():
                print(f"{file.name}: kept")
                continue
            golden = make(key, name)
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(encode(golden))
            print(f"{file.name}: {len(golden.record.entries)} entries, {golden.outcome.ranking}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
