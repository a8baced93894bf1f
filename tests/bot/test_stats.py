"""Results, ratings, `/stats` and the recap."""

from __future__ import annotations

import io
import random
from typing import Any

import pytest
from openskill.models import PlackettLuce
from PIL import Image

from bot.exts.info.stats import game_lines, person_text, server_text
from bot.recap import recap_text, upload_limit
from bot.service.endings import ranking, result_of
from engines.core.play import play, start
from engines.core.registry import games
from engines.core.types import Outcome, Score
from render.recap import animate
from storage import NewLog, Store
from storage.ratings import MU, SIGMA, rated, shown
from storage.results import ALL, NewResult, Played, SeatResult
from tests.bot.table import World, private, text
from tests.storage.helpers import started

# ---- ratings -------------------------------------------------------------------------------------


def test_ratings_are_openskill_s() -> None:
    """Three newcomers, two of them tied at the top: by openskill itself."""
    model = PlackettLuce()
    teams = model.rate([[model.rating()] for _ in range(3)], ranks=[1, 1, 3])
    assert rated([(MU, SIGMA)] * 3, [1, 1, 3]) == [(t[0].mu, t[0].sigma) for t in teams]
    one, two, three = rated([(MU, SIGMA)] * 3, [1, 1, 3])
    assert one == two
    assert one[0] > MU > three[0]
    assert one[1] < SIGMA
    assert round(one[0], 4) == 25.7173
    assert round(three[0], 4) == 23.5655


def test_equal_places_move_nobody_apart() -> None:
    assert len(set(rated([(MU, SIGMA)] * 4, [1, 1, 1, 1]))) == 1


def test_shown() -> None:
    assert shown(MU, SIGMA) == 1000
    assert shown(30.0, 2.0) == 1960


def seats(*people: tuple[int, int, int]) -> tuple[SeatResult, ...]:
    """(user, place, score) in seat order."""
    return tuple(SeatResult(i, u, f"P{u}", p, s) for i, (u, p, s) in enumerate(people))


async def finish(store: Store, channel: int, result: NewResult, head: int = 0) -> int:
    ident = await started(store, channel)
    await store.commit(
        ident,
        head,
        [NewLog("move", seat=0, move="{}", state_hash="x")],
        b"end",
        status="finished",
        result=result,
    )
    return ident


async def test_results_and_ratings_in_one_transaction(tmp_path: Any) -> None:
    rand = random.Random(4)
    async with await Store.open(tmp_path / "a.db") as store:
        for number in range(30):
            people = rand.sample(range(1, 7), rand.choice([1, 2, 3, 4, 5]))
            places = sorted(rand.randint(1, 3) for _ in people)
            found = [(u, p, rand.randint(0, 99)) for u, p in zip(people, places, strict=True)]
            result = NewResult(rand.choice([7, 8]), rand.choice(["a", "b"]), seats(*found))
            await finish(store, number + 1, result)
        before = [await store.ratings(g, k) for g in (7, 8) for k in ("a", "b", ALL)]
        assert all(before)
        assert await store.rebuild_ratings() == 30
        after = [await store.ratings(g, k) for g in (7, 8) for k in ("a", "b", ALL)]
        assert after == before, "to the last digit"


async def test_what_does_not_count(tmp_path: Any) -> None:
    async with await Store.open(tmp_path / "a.db") as store:
        await finish(store, 1, NewResult(7, "a", seats((1, 1, 50)), won=False))
        assert await store.ratings(7) == [], "solo"
        await finish(store, 2, NewResult(7, "a", seats((1, 1, 50), (0, 2, 3))))
        assert await store.ratings(7) == [], "one person and a computer player"
        await finish(store, 3, NewResult(7, "a", seats((1, 1, 9), (0, 1, 9), (2, 3, 4))))
        first, second = await store.ratings(7)
        assert (first.user_id, second.user_id) == (1, 2)
        assert [(first.mu, first.sigma), (second.mu, second.sigma)] == rated(
            [(MU, SIGMA)] * 2, [1, 3]
        )
        assert await store.ratings(8) == [], "of another server"
        mine = await store.played(7, 1)
        assert [(m.seats, m.won, m.place, m.tied) for m in mine] == [
            (1, False, 1, 1),
            (2, True, 1, 1),
            (3, True, 1, 2),
        ]
        assert await store.result_counts(7) == [("a", 3, 1)]


async def test_a_refused_commit_leaves_no_result(tmp_path: Any) -> None:
    async with await Store.open(tmp_path / "a.db") as store:
        with pytest.raises(Exception, match="not at entry 5"):
            await finish(store, 1, NewResult(7, "a", seats((1, 1, 1), (2, 2, 0))), head=5)
        assert await store.ratings(7) == []
        assert await store.result_counts(7) == []


# ---- words ---------------------------------------------------------------------------------------


def test_ranking_and_places_with_ties() -> None:
    game = games()["paris_paris"]
    from tests.bot.test_limits import table_of
    from tests.conformance.hooks import Case
    from tests.conformance.walk import Walk

    table = table_of(Walk(Case("paris_paris", 4, {}), 1), game.meta)
    scores = tuple(Score(s, t, (("lines", t),)) for s, t in enumerate((7, 9, 7, 3)))
    outcome = Outcome("end", ((1,), (0, 2), (3,)), scores, note="{seat:1} rules.")
    assert ranking(table, outcome, breakdown=True) == [
        "1. **Player 1** 9 (lines 9)",
        "2. **Player 0** 7 (lines 7)",
        "2. **Player 2** 7 (lines 7)",
        "4. **Player 3** 3 (lines 3)",
        "Player 1 rules.",
    ]
    assert ranking(table, outcome, breakdown=False)[0] == "1. **Player 1** 9"
    assert [
        (s.seat, s.user_id, s.place, s.score) for s in result_of(table, outcome, {}, {}).seats
    ] == [
        (0, 1, 2, 7),
        (1, 2, 1, 9),
        (2, 3, 2, 7),
        (3, 4, 4, 3),
    ]


def test_stats_in_words() -> None:
    def part(place: int, tied: int, score: int, seats: int = 3, won: bool = True) -> Played:
        return Played(1, "paris_paris", seats, won, 0, place, score, tied)

    (line,) = game_lines([part(1, 1, 40), part(1, 2, 38), part(3, 1, 41)], None)
    assert line == ("- **Paris Paris**: 3 matches, 1 win, 1 shared win, 1× place 3, best score 41")
    many, solo = game_lines([part(2, 1, 9), part(1, 1, 5, 1, False), part(1, 1, 8, 1)], None)
    assert many == "- **Paris Paris**: 1 match, 0 wins, 1× place 2, best score 9"
    assert solo == "- **Paris Paris** solo: 2 matches, 1 won, best score 8"
    assert "no match" in person_text(5, [], [])
    assert "No match" in server_text([], [])
    assert "- gone: 3, 1 of them solo" in server_text([("gone", 3, 1)], [])


# ---- at the table --------------------------------------------------------------------------------


async def played_out(world: World, game: str = "paris", players: int = 2) -> Any:
    await world.begin(game, players, seats=players)
    rand = random.Random(3)
    for _ in range(400):
        if not (await world.table()).waiting():
            break
        await world.move(rand, ask=False)
    table = await world.table()
    assert table.match.status == "finished"
    return table


async def test_stats_after_a_match(world: World) -> None:
    person, stranger = world.people[0], world.people[5]
    assert "no match" in text(await person.slash(world.channel, "stats"))
    assert "No match" in text(await person.slash(world.channel, "stats", server=True))
    table = await played_out(world)
    outcome = table.game.outcome(table.state)
    rows = await world.bot.store.ratings(world.guild.id, "paris_paris")
    assert {row.user_id for row in rows} == {s.user_id for s in table.seats}
    if len(outcome.ranking) == 2:
        assert rows[0].user_id == table.seats[outcome.ranking[0][0]].user_id
    mine = await person.slash(world.channel, "stats")
    assert private(mine)
    assert "Paris Paris" in text(mine)
    assert "1 match" in text(mine)
    assert "rating" in text(mine)
    theirs = await stranger.slash(world.channel, "stats", player=person)
    assert text(theirs) == text(mine)
    server = text(await stranger.slash(world.channel, "stats", server=True))
    assert server.startswith("**1 match with a result")
    assert all(f"<@{s.user_id}>" in server for s in table.seats)
    assert world.pings(world.posts()[-1]) == []


async def test_a_match_called_off_does_not_count(world: World) -> None:
    await world.begin("paris", 2)
    for person in world.people[:2]:
        await person.slash(world.channel, "match end")
    assert "no match" in text(await world.people[0].slash(world.channel, "stats"))
    assert not [m for m in world.posts() if "how it went" in m.content], "nor has it a recap"


# ---- the recap -----------------------------------------------------------------------------------


async def test_recap_with_the_real_animation(drawn: None, world: World) -> None:
    table = await played_out(world)
    recap = world.posts()[-1]
    assert recap.content == recap_text(table)
    (file,) = recap.attachments
    data = await file.read()
    assert len(data) < 4_000_000
    assert file.filename == "recap.gif"
    moving = Image.open(io.BytesIO(data))
    assert moving.width == 600
    assert 3 <= moving.n_frames <= 20  # type: ignore[attr-defined]
    assert "animation" in file.description
    assert "{seat" not in file.description
    opened = await world.people[5].click(recap, label="Replay")
    assert private(opened)
    assert "the start" in world.channel.history(viewer=world.people[5])[-1].content


async def test_a_recap_without_its_picture(
    world: World, logged: list[Any], monkeypatch: Any
) -> None:
    def broken(*args: Any) -> None:
        raise ValueError("no")

    monkeypatch.setattr("bot.pictures.draw_frame", broken)
    await played_out(world)
    recap = world.posts()[-1]
    assert "how it went" in recap.content
    assert not recap.attachments
    assert await world.bot.store.pending_count() == 0
    logged.clear()


@pytest.mark.parametrize(("status", "code"), [(413, 40005), (403, 50013)])
async def test_a_picture_that_is_not_taken(world: World, status: int, code: int) -> None:
    """The board is posted, the recap's first attempt is refused: the words follow alone."""
    await world.begin("paris", 2, seats=2)
    rand = random.Random(3)
    table = await world.table()
    seen: list[Any] = []

    class Refusing:
        async def send(self, text: str, **more: Any) -> Any:
            seen.append(more)
            if "file" in more:
                import discord

                class Answer:
                    reason = "no"

                Answer.status = status  # type: ignore[attr-defined]
                raise discord.HTTPException(Answer(), {"code": code, "message": "no"})  # type: ignore[arg-type]
            return text

    await world.move(rand)
    from bot.recap import post_recap

    said = await post_recap(world.bot, table, Refusing(), "n")  # type: ignore[arg-type]
    assert "how it went" in str(said)
    assert ["file" in more for more in seen] == [True, False]
    assert upload_limit(world.bot, table) == 4_000_000


async def test_a_refused_recap_is_sent_later(world: World) -> None:
    table = await world.begin("paris", 2, seats=2)
    await world.bot.store.rebuild_ratings()
    from bot.service.endings import recap_post

    path = f"/channels/{world.channel.id}/messages"
    world.env.inject_error("POST", path, status=500, code=0, times=1)
    await world.bot.store.update_settings(table.match.id, "{}", outbox=[recap_post()])
    with world.env._bot_scope():
        world.bot.outbox.wake(table.match.id)
    await world.env.settle()
    assert "how it went" not in world.posts()[-1].content
    await world.settled_in(100)
    assert "how it went" in world.posts()[-1].content


def test_an_animation_keeps_to_its_limit() -> None:
    rand = random.Random(1)
    frames = [
        Image.frombytes("RGB", (60 + n, 40), rand.randbytes((60 + n) * 40 * 3)) for n in range(8)
    ]
    whole = animate(frames, 10**9)
    assert whole is not None
    assert (whole.width, whole.height, whole.ext) == (67, 40, "gif")
    assert Image.open(io.BytesIO(whole.data)).n_frames == 8  # type: ignore[attr-defined]
    assert animate(frames, 10**9) == whole, "equal frames give equal bytes"
    small = animate(frames, len(whole.data) // 3)
    assert small is not None
    assert len(small.data) <= len(whole.data) // 3
    assert animate(frames, 100) is None
    still = animate(frames[:1], 10**6)
    assert still is not None


def test_replayed_outcomes_have_places_for_everybody() -> None:
    """Every game's outcome can be written as a result."""
    for game in games().values():
        count = game.meta.seats[0]
        state, _ = start(game, count, seed="05")
        rand = random.Random(5)
        for _ in range(3000):
            if not game.waiting(state):
                break
            seat = game.waiting(state)[0]
            state = play(game, state, seat, rand.choice(list(game.legal(state, seat)))).state
        outcome = game.outcome(state)
        assert outcome is not None, game.meta.key
        assert sorted(s for group in outcome.ranking for s in group) == list(range(count))
