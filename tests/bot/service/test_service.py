"""The match service by itself: whole matches, odd words, bugs, cancellation, a full disk."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.errors import Frozen, Repeated, TableError
from bot.service import escape, fill
from engines.core import surface
from engines.core.errors import MoveError
from engines.core.play import apply_one
from engines.core.registry import games
from engines.core.types import state_hash
from storage.errors import DiskFull, StorageError
from tests.bot.service.hall import OTHER, Hall
from tests.conformance.hooks import Case
from tests.conformance.walk import Walk

KEYS = sorted(games())

CAP = 150
"""Moves after which a random match has shown enough; it is then called off."""


@pytest.fixture
def hall() -> Iterator[Hall]:
    made = Hall()
    try:
        yield made
    finally:
        made.close()


# ---- whole matches -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "players"),
    [
        (k, n)
        for k in KEYS
        for n in sorted({min(games()[k].meta.seats), max(games()[k].meta.seats)})
    ],
)
def test_a_random_match(hall: Hall, key: str, players: int) -> None:
    """Random moves by words, some taken back, the service made anew on the way; then the record
    replays, the seed proves the deal and the log tells everything in public."""
    ident = hall.begin(key, players).match.id
    rand = random.Random(f"service {key} {players}")
    for _ in range(CAP):
        table = hall.table(ident)
        if not table.waiting():
            break
        user, command, args = hall.words(table, rand)
        done = hall.run(hall.service.command(ident, user, command, args))
        assert done.text.startswith("Done: ")
        if rand.random() < 0.05:
            with suppress(MoveError, TableError):
                hall.run(hall.service.undo(ident, user))
        if rand.random() < 0.02:
            hall.service = hall.make()
    if hall.table(ident).match.status == "active":
        hall.check()
        hall.run(hall.service.end(ident, 1, moderator=True))
    table = hall.table(ident)
    assert not table.match.open
    hall.check()
    said = hall.run(hall.service.verify(ident))
    assert "every position is the recorded one" in said
    assert "**is not**" not in said
    lines = hall.run(hall.service.public_log(table))
    assert len(lines) > 5
    assert "{seat:" not in "".join(lines)
    again = hall.run(hall.service.record(ident))
    assert again.seed == table.match.seed
    with pytest.raises((MoveError, TableError)):
        hall.run(hall.service.undo(ident, table.seats[0].user_id))


# ---- words ---------------------------------------------------------------------------------------

WORDS = st.one_of(
    st.text(max_size=60),
    st.text(st.characters(codec=None, categories=None), max_size=20),
    st.sampled_from(
        ["", " ", "~", "~1", "x~-1", "x~" + "9" * 40, "louvre/~0", "{seat:0}", "\ud800"]
    ),
    st.integers(-(10**30), 10**30).map(str),
)


@pytest.mark.parametrize("key", KEYS)
def test_any_words_are_refused_in_words(hall: Hall, key: str) -> None:
    """Arbitrary text in every command and option: a refusal with a sentence, never a bug, and the
    match stands as it stood."""
    game = games()[key]
    table = hall.begin(key, max(game.meta.seats))
    ident = table.match.id
    names = [c.name for c in game.commands()]
    options = sorted({p.name for c in game.commands() for p in c.params})
    before = (table.match.head_seq, state_hash(table.state))
    legal = [p.args for p, _ in surface.phrases(game, table.state, table.waiting()[0])]
    known = sorted({v for args in legal for v in args.values()})
    # Legal values alone would make moves; mixed with nonsense they come close to it.
    near = st.sampled_from(known).flatmap(lambda v: st.sampled_from([v + "x", v[:1], "~" + v]))

    @settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(
        user=st.integers(0, max(game.meta.seats) + 1),
        command=st.one_of(st.sampled_from(names), st.text(max_size=10)),
        args=st.dictionaries(
            st.one_of(st.sampled_from(options or ["x"]), st.text(max_size=8)),
            st.one_of(WORDS, near),
            min_size=1,
            max_size=4,
        ),
    )
    def attempt(user: int, command: str, args: dict[str, str]) -> None:
        refusal = None
        try:
            hall.run(hall.service.command(ident, user, command, args))
        except (MoveError, TableError) as error:
            refusal = error
        # A lucky hit is a move; the next example starts from there.
        assert hall.table(ident).match.status in ("active", "finished")
        if refusal is not None:
            assert refusal.text.strip()
            if not any("seat:" in word for word in (command, *args, *args.values())):
                assert "{seat:" not in refusal.text

    attempt()
    now = hall.table(ident)
    hall.check()
    assert now.match.head_seq >= before[0]


def test_names_are_put_in_once() -> None:
    """A name that looks like a placeholder stays a name."""
    names = ["{seat:1}", "Bo"]
    assert fill("{seat:0} and {seat:1}", names) == "{seat:1} and Bo"
    said = [escape(name) for name in names]
    once = fill("{seat:0} hit {seat:1}.", said)
    assert fill(once, said) == once, "also where a text is filled twice"
    assert "Bo hit" not in once


@pytest.mark.parametrize(
    "name",
    ["@everyone", "<@123>", "<#5>", "**x**", "a\nb", "`x`", "~~x~~", "||x||", "x" * 200, "", " "],
)
def test_names_are_plain_text(name: str) -> None:
    said = escape(name)
    assert 1 <= len(said) <= 90
    assert "\n" not in said
    assert "@everyone" not in said
    assert not re.search(r"<[@#]&?!?[0-9]", said)
    assert "**" not in said.replace("\\*", "")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("\u202eadA", "adA"),  # would write the rest of the line the other way round
        ("Ada\u2067\u2066", "Ada"),
        ("שלום", "שלום"),
        ("👩\u200d👧", "👩\u200d👧"),
        ("e\u0301", "e\u0301"),
        *((blank, "?") for blank in ("\u200b", "\ufeff\u200d", "\u202e", "\u0301", "", " \t")),
    ],
)
def test_names_can_be_seen_and_turn_no_line_round(name: str, said: str) -> None:
    assert escape(name) == said


# ---- bugs of the engine --------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["apply raises", "check fails"])
def test_a_bug_halts_that_one_match(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, logged: list[Any], how: str
) -> None:
    good = hall.begin("paris_paris", 3)
    bad = hall.begin("paris_paris", 2, OTHER)
    game = bad.game
    real, sound = game.apply, game.check

    def broken(state: Any, *rest: Any) -> Any:
        if state.seats == 2:
            raise KeyError("no such thing")
        return (real if rest else sound)(state, *rest)

    name = "apply" if how == "apply raises" else "check"
    monkeypatch.setattr(type(game), name, lambda self, *args: broken(*args))
    log = hall.run(hall.plain.log(bad.match.id))
    user, command, args = hall.words(hall.table(bad.match.id), random.Random(1))
    with pytest.raises(Frozen) as caught:
        hall.run(hall.service.command(bad.match.id, user, command, args))
    report = caught.value.report
    row = hall.run(hall.plain.match(bad.match.id))
    assert (row.status, row.report) == ("frozen", report)
    assert report in caught.value.text
    assert hall.run(hall.plain.log(bad.match.id)) == log
    (entry,) = [e for e in logged if e["log_level"] == "error"]
    assert entry["report"] == report
    assert row.seed not in repr({k: v for k, v in entry.items() if k != "exc_info"})
    logged.clear()
    with pytest.raises(Frozen) as later:
        hall.run(hall.service.command(bad.match.id, user, command, args))
    assert later.value.report == report
    with pytest.raises(Frozen):
        hall.run(hall.service.undo(bad.match.id, user))
    user, command, args = hall.words(hall.table(good.match.id), random.Random(1))
    assert hall.run(hall.service.command(good.match.id, user, command, args)).text
    for player in (1, 2):
        hall.run(hall.service.end(bad.match.id, player))
    assert hall.run(hall.plain.match(bad.match.id)).status == "ended", "the table can be cleared"


def test_words_that_break_a_game_freeze_nothing(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug in the wording, not in the position: an error for the mover, and the match goes on."""
    table = hall.begin("paris_paris", 2)
    monkeypatch.setattr(
        type(table.game), "narrate", lambda *_: (_ for _ in ()).throw(KeyError("word"))
    )
    user, command, args = hall.words(table, random.Random(1))
    with pytest.raises(KeyError):
        hall.run(hall.service.command(table.match.id, user, command, args))
    monkeypatch.undo()
    hall.check()
    assert hall.table(table.match.id).match.head_seq == 0
    hall.run(hall.service.command(table.match.id, user, command, args))


# ---- failures of the database --------------------------------------------------------------------


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("what", ["move", "undo", "join", "leave", "start", "end"])
def test_a_task_that_is_cancelled_leaves_memory_and_database_agreeing(
    hall: Hall, what: str, when: str
) -> None:
    service = hall.service
    if what in ("move", "undo", "end"):
        ident = hall.begin("paris_paris", 2).match.id
        user, command, args = hall.words(hall.table(ident), random.Random(2))
        if what == "undo":
            hall.run(service.command(ident, user, command, args))
    else:
        done = hall.run(
            service.create("paris_paris", guild_id=1, channel_id=5, host_id=1, host_name="P1")
        )
        ident = done.table.match.id
        hall.run(service.join(ident, 2, "P2"))
    woken = len(hall.woken)

    def work() -> Any:
        return {
            "move": lambda: service.command(ident, user, command, args, interaction_id=9),
            "undo": lambda: service.undo(ident, user, interaction_id=9),
            "join": lambda: service.join(ident, 3, "P3", interaction_id=9),
            "leave": lambda: service.leave(ident, 2, interaction_id=9),
            "start": lambda: service.start(ident, 1, interaction_id=9),
            "end": lambda: service.end(ident, 1, moderator=True, interaction_id=9),
        }[what]()

    async def cancelled() -> None:
        reached = asyncio.Event()

        async def stand() -> None:
            reached.set()
            await asyncio.Event().wait()

        setattr(hall.store, when, stand)
        task = asyncio.ensure_future(work())
        await reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    hall.run(cancelled())
    hall.check()
    if when == "after":
        assert len(hall.woken) > woken, "what was written is announced all the same"
        with pytest.raises((Repeated, TableError, MoveError)):
            hall.run(work())
    else:
        hall.run(work())
    hall.check()


def test_a_full_disk_changes_nothing(hall: Hall) -> None:
    ident = hall.begin("paris_paris", 2).match.id
    before = [
        hall.run(hall.plain._rows(f"SELECT * FROM {t}")) for t in ("matches", "log", "outbox")
    ]
    state = state_hash(hall.table(ident).state)

    async def full() -> None:
        raise DiskFull("No room is left on the disk.")

    user, command, args = hall.words(hall.table(ident), random.Random(3))
    hall.store.before = full
    with pytest.raises(StorageError):
        hall.run(hall.service.command(ident, user, command, args, interaction_id=4))
    after = [hall.run(hall.plain._rows(f"SELECT * FROM {t}")) for t in ("matches", "log", "outbox")]
    assert after == before
    assert state_hash(hall.table(ident).state) == state
    assert hall.run(hall.service.command(ident, user, command, args, interaction_id=4)).text


# ---- at once -------------------------------------------------------------------------------------


def test_moves_at_once_are_made_one_after_the_other(hall: Hall) -> None:
    """All players send the same number of moves at once: each is made, or refused as not theirs."""
    ident = hall.begin("paris_paris", 4).match.id
    rand = random.Random(4)

    async def attempt(user: int, number: int) -> bool:
        table = await hall.service.table(ident)
        seat = table.seat_of(user)
        assert seat is not None
        found = surface.phrases(table.game, table.state, table.waiting()[0])
        phrase, _ = rand.choice(found)
        try:
            await hall.service.command(
                ident, user, phrase.command, phrase.args, interaction_id=number
            )
        except (MoveError, TableError):
            return False
        return True

    async def storm() -> int:
        return sum(await asyncio.gather(*(attempt(n % 4 + 1, n) for n in range(40))))

    made = hall.run(storm())
    hall.check()
    assert hall.table(ident).match.head_seq == made > 0
    assert not hall.service._locks, "no lock is kept"


def test_tables_opened_at_once_in_a_channel(hall: Hall) -> None:
    async def storm() -> list[Any]:
        return await asyncio.gather(
            *(
                hall.service.create(
                    "paris_paris", guild_id=1, channel_id=5, host_id=user, host_name=f"P{user}"
                )
                for user in range(1, 9)
            ),
            return_exceptions=True,
        )

    found = hall.run(storm())
    assert sum(not isinstance(r, BaseException) for r in found) == 1
    for refused in found:
        if isinstance(refused, BaseException):
            assert isinstance(refused, TableError)
            assert "already open in this channel" in refused.text
    hall.check()


def test_seats_taken_at_once(hall: Hall) -> None:
    done = hall.run(
        hall.service.create("paris_paris", guild_id=1, channel_id=5, host_id=1, host_name="P1")
    )
    ident = done.table.match.id

    async def storm() -> list[Any]:
        return await asyncio.gather(
            *(hall.service.join(ident, user, f"P{user}", colour="green") for user in range(2, 9)),
            return_exceptions=True,
        )

    found = hall.run(storm())
    assert sum(not isinstance(r, BaseException) for r in found) == 1, "one colour, one player"
    hall.check()


def test_many_matches_do_not_stay_in_memory(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    from bot.service import base

    monkeypatch.setattr(base, "WARM", 3)
    idents = [hall.begin("paris_paris", 2, channel).match.id for channel in range(100, 110)]
    assert len(hall.service._tables) == 3
    rand = random.Random(5)
    for ident in idents:
        user, command, args = hall.words(hall.table(ident), rand)
        hall.run(hall.service.command(ident, user, command, args))
    for ident, channel in zip(idents, range(100, 110), strict=True):
        found = hall.run(hall.service.at(channel))
        assert found is not None
        assert found.match.id == ident
        assert found.match.head_seq == 1
    assert len(hall.service._tables) == 3
    assert len(hall.service._channels) <= 3
    hall.check()


def test_an_undo_past_the_kept_snapshots(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long chain of undos and moves goes further back than snapshots are kept."""
    from bot.service import moves

    monkeypatch.setattr(moves, "KEEP", 1)
    ident = hall.begin("paris_paris", 3).match.id
    rand = random.Random(6)
    for _ in range(6):
        user, command, args = hall.words(hall.table(ident), rand)
        hall.run(hall.service.command(ident, user, command, args))
        hall.run(hall.service.undo(ident, user))
        hall.check()
    assert hall.table(ident).match.head_seq == 12


@pytest.mark.parametrize("recent", [1, 2, 3, 5])
def test_an_undo_reads_the_end_of_the_log(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, recent: int
) -> None:
    """However little of it is read at first, what is taken back is the same."""
    from bot.service import moves

    monkeypatch.setattr(moves, "RECENT", recent)
    ident = hall.begin("papa_paolo", 3).match.id
    rand = random.Random(8)
    taken = 0
    for _ in range(40):
        user, command, args = hall.words(hall.table(ident), rand)
        hall.run(hall.service.command(ident, user, command, args))
        before = hall.table(ident).match.head_seq
        for _ in range(rand.randrange(3)):
            try:
                hall.run(hall.service.undo(ident, user))
                taken += 1
            except MoveError:
                break
        hall.check()
        assert hall.table(ident).match.head_seq >= before
    assert taken > 5


@pytest.mark.parametrize("key", KEYS)
def test_a_move_out_of_turn_confirmed_twice_counts_once(key: str) -> None:
    """A picker out of turn carries no decision that a second press could miss: the rules themselves
    must refuse the same move again, or leave the position as it is."""
    for players in sorted({min(games()[key].meta.seats), max(games()[key].meta.seats)}):
        walk = Walk(Case(key, players, {}), 3)
        game = walk.game
        for state in walk.positions(every=3):
            if walk.steps > 120:
                break
            for seat in range(players):
                if state.decision_of(seat) is not None:
                    continue
                for move in list(game.legal(state, seat))[:6]:
                    once, _ = apply_one(game, state, seat, move)
                    try:
                        twice, _ = apply_one(game, once, seat, move)
                    except MoveError:
                        continue
                    assert state_hash(twice) == state_hash(once), move
