"""Automatic help, by positions that can be followed on paper."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import msgspec
import pytest

from bot.errors import Repeated, TableError
from bot.language import unpacked
from bot.service import Done
from bot.service.clocks import Rule
from bot.service.helping import (
    MOST_HELPED,
    Wishes,
    help_along,
    only_move,
    position,
    typed,
)
from bot.service.proposal import proposal_of
from engines.core.errors import IllegalMove, MalformedMove, MoveError
from engines.core.play import play, start
from engines.core.registry import game as find_game
from engines.core.types import Event
from tests.care.desk import HOUR, Desk
from tests.engines.core.test_play import Heap, Nim, Take

# Paris Paris for three with seed 7: seat 0 begins, then 1, 2. Face up lie
NICOLAS, NEUF, VOSGES, PARNASSE = (
    "st-nicolas/green", "pont-neuf/blue", "place-des-vosges/blue", "montparnasse/red",
)  # fmt: skip

PAIR = 19
"""A seed with which seat 2 begins, then 0, 1, and two of four tiles are equal: concorde/blue,
gare-du-nord/green (twice), quartier-latin/orange."""


async def begin(d: Desk, seed: int = 7, seats: int = 3, **more: Any) -> None:
    d.service._new_seed = lambda: f"{seed:064x}"
    await d.begin(seats=seats, **more)


async def take(d: Desk, seat: int, tile: str, **more: Any) -> Any:
    return await d.service.command(d.match, seat + 1, "open", {"tile": tile}, **more)


async def plan(d: Desk, seat: int, tile: str, **more: Any) -> Any:
    return await d.service.plan(d.match, seat + 1, f"open tile:{tile}", **more)


async def moves(d: Desk) -> list[tuple[int | None, str, bool, int | None]]:
    """Seat, tile, automatic and actor of every move in the log."""
    return [
        (r.seat, json.loads(r.move or "{}")["tile"], r.auto, r.actor_id)
        for r in await d.store.log(d.match)
        if r.kind == "move"
    ]


async def newest_post(d: Desk) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((await d.sent("turn"))[-1].payload)
    return found


async def news(d: Desk, seat: int) -> list[str]:
    """What a seat's player was told privately about plans."""
    rows = [r for r in await d.sent("hand") if r.seat == seat]
    found = [json.loads(r.payload) for r in rows]
    return [line for p in found if p.get("user") == seat + 1 for line in unpacked(p["lines"])]


async def standing(d: Desk, seat: int) -> list[str]:
    rows, _ = await d.service.plans(d.match, seat + 1)
    return [typed(r.command, json.loads(r.args)) for r in rows]


async def test_a_plan_is_carried_out_with_the_move_that_brings_the_turn(d: Desk) -> None:
    await begin(d, rule=Rule("bank", 10, 2))
    said = await plan(d, 1, NEUF)
    assert said.text.startswith(f"Planned: `/paris open tile:{NEUF}`.\nIt stands for: Pont Neuf")
    head = (await d.table()).match.head_seq
    d.now += HOUR
    await take(d, 0, PARNASSE)
    table = await d.table()
    assert table.waiting() == (2,)
    assert table.match.head_seq == head + 2, "two entries of one commit"
    assert await moves(d) == [(0, PARNASSE, False, 1), (1, NEUF, False, 2)]
    post = await newest_post(d)
    assert post["ping"] == [2], "who was helped is not called, who follows is"
    assert [line.split(" took ")[0] for line in post["lines"]] == ["Ada", "Bruno"]
    assert await news(d, 1) == [f"Your plan `/paris open tile:{NEUF}` was carried out."]
    assert await standing(d, 1) == []
    # The clock sees a turn that took no time, and adds for it.
    assert await d.left(1) == 12 * HOUR
    assert await d.left(2) == 10 * HOUR


async def test_a_plan_is_cancelled_when_its_tile_is_gone(d: Desk) -> None:
    await begin(d)
    await plan(d, 1, NEUF)
    await plan(d, 1, VOSGES)
    await take(d, 0, NEUF)
    table = await d.table()
    assert table.waiting() == (1,)
    assert len(await moves(d)) == 1
    assert (await newest_post(d))["ping"] == [1], "then the turn is announced as ever"
    first, second = await news(d, 1)
    assert first.startswith(f"Your plan `/paris open tile:{NEUF}` was cancelled: ")
    assert first.endswith(": That tile has already been used in this round.")
    assert second == "The plans after it were cancelled too."
    rows, gone = await d.service.plans(d.match, 2)
    assert rows == []
    assert [unpacked(json.loads(g.reason)) for g in gone][1] == "the plan before it was cancelled"
    await take(d, 1, VOSGES)


async def test_a_plan_is_cancelled_when_it_is_another_move_now(d: Desk) -> None:
    """Seed 103: seat 2 begins, two tiles of Concorde lie there. When it has taken one, the other
    would evict its shop, which was not so when seat 0 planned it."""
    await begin(d, 103)
    await plan(d, 0, "concorde/blue")
    await take(d, 2, "concorde/blue")
    table = await d.table()
    assert table.waiting() == (0,)
    assert "concorde/blue" in table.view(None).face_up, "the tile is still there"
    (told,) = await news(d, 0)
    assert "it meant “Concorde – line" in told
    assert "no shop there” and now that is “Concorde" in told.replace("”,", "”")
    await take(d, 0, "concorde/blue")  # it is allowed all the same


async def test_plans_of_several_players_chain(d: Desk) -> None:
    await begin(d)
    await plan(d, 2, VOSGES)
    await plan(d, 1, NEUF)
    posts = len(await d.sent("turn"))
    await take(d, 0, PARNASSE)
    assert [m[:2] for m in await moves(d)] == [(0, PARNASSE), (1, NEUF), (2, VOSGES)]
    table = await d.table()
    (next_,) = table.waiting()
    assert (await newest_post(d))["ping"] == [next_], "called anew, though it may be who moved"
    assert len(await d.sent("turn")) == posts + 1, "told in one post"


async def test_who_moved_and_is_to_act_again_is_called(d: Desk) -> None:
    """Seats 2, 0, 1 open in this round, and seat 0 begins the next one. It has moved, seat 1 has
    planned: so it is seat 0's turn anew, and it may not have noticed."""
    await begin(d, PAIR)
    await plan(d, 1, "gare-du-nord/green")
    await two_left(d)
    assert [m[0] for m in await moves(d)] == [2, 0, 1]
    assert (await d.table()).waiting() == (0,)
    post = await newest_post(d)
    assert (post["ping"], post["fresh"]) == ([0], True)


async def test_it_is_planned_only_before_the_turn(d: Desk) -> None:
    await begin(d)
    with pytest.raises(TableError, match="It is your turn"):
        await plan(d, 0, NEUF)
    with pytest.raises(TableError, match="do not sit"):
        await d.service.plan(d.match, 99, f"open tile:{NEUF}")
    with pytest.raises(TableError, match="A plan begins with a command of Paris Paris: `open`"):
        await d.service.plan(d.match, 2, "shop louvre")
    with pytest.raises(MalformedMove, match="Say also `tile`"):
        await d.service.plan(d.match, 2, "open")
    with pytest.raises(MoveError, match="does not name one thing that is there now"):
        await plan(d, 1, "louvre/blue")
    await d.service.end(d.match, 1, moderator=True)
    with pytest.raises(TableError, match="match is already over"):
        await plan(d, 1, NEUF)
    assert (await d.store.plans_of(d.match, 2)) == []


async def test_five_plans_are_enough(d: Desk) -> None:
    await begin(d)
    for _ in range(5):
        await plan(d, 1, NEUF)
    with pytest.raises(TableError, match="5 plans"):
        await plan(d, 1, NEUF)
    assert len(await standing(d, 1)) == 5


async def test_plans_are_shown_to_their_player_and_cancelled(d: Desk) -> None:
    await begin(d)
    await plan(d, 1, NEUF)
    await plan(d, 1, VOSGES)
    rows, _ = await d.service.plans(d.match, 2)
    assert (await d.service.plans(d.match, 3)) == ([], [])
    with pytest.raises(TableError, match="not there any more"):
        await d.service.unplan(d.match, 3, rows[0].id)
    await d.service.unplan(d.match, 2, rows[0].id)
    assert await standing(d, 1) == [f"open tile:{VOSGES}"]
    d.again()
    assert await standing(d, 1) == [f"open tile:{VOSGES}"]
    await d.service.unplan(d.match, 2, None)
    await take(d, 0, PARNASSE)
    assert (await d.table()).waiting() == (1,)


async def test_a_repeated_delivery_plans_once(d: Desk) -> None:
    await begin(d)
    await plan(d, 1, NEUF, interaction_id=50)
    with pytest.raises(Repeated):
        await plan(d, 1, NEUF, interaction_id=50)
    assert await standing(d, 1) == [f"open tile:{NEUF}"]


async def test_an_offer_becomes_a_plan(d: Desk) -> None:
    await begin(d)
    with pytest.raises(MoveError) as caught:
        await take(d, 1, "Pont Neuf")
    offer = await d.service.offer(d.match, 2, "open", {"tile": "Pont Neuf"}, caught.value)
    assert offer is not None
    assert await standing(d, 1) == [], "an offer is no plan"
    d.again()
    done = await d.service.accept(d.match, 2, offer, interaction_id=9)
    assert done.text.startswith(f"Planned: `/paris open tile:{NEUF}`")
    with pytest.raises(Repeated):
        await d.service.accept(d.match, 2, offer, interaction_id=9)
    with pytest.raises(TableError, match="has been used"):
        await d.service.accept(d.match, 2, offer, interaction_id=10)
    with pytest.raises(TableError, match="has been used"):
        await d.service.accept(d.match, 3, offer, interaction_id=11)
    assert await standing(d, 1) == [f"open tile:{NEUF}"]


async def test_nothing_is_offered_where_no_plan_can_be_made(d: Desk) -> None:
    await begin(d)
    error = IllegalMove("", "no")
    assert await d.service.offer(d.match, 1, "open", {"tile": NEUF}, error) is None, "on turn"
    assert await d.service.offer(d.match, 9, "open", {"tile": NEUF}, error) is None
    assert await d.service.offer(d.match, 2, "open", {"tile": "Rome"}, error) is None
    malformed = MalformedMove("", "no")
    assert await d.service.offer(d.match, 2, "open", {"tile": NEUF}, malformed) is None


async def test_an_offer_pressed_on_turn_is_the_move_if_it_means_the_same(d: Desk) -> None:
    await begin(d, 103)  # see above: seat 2, then 0; two tiles of Concorde
    error = IllegalMove("", "not your turn")
    shop = await d.service.offer(d.match, 1, "open", {"tile": "concorde/blue"}, error)
    other = await d.service.offer(d.match, 1, "open", {"tile": "pont-neuf/orange"}, error)
    assert shop is not None
    assert other is not None
    await take(d, 2, "concorde/blue")
    with pytest.raises(MoveError, match="Not done: it meant"):
        await d.service.accept(d.match, 1, shop)
    done, again = await asyncio.gather(
        d.service.accept(d.match, 1, other), d.service.accept(d.match, 1, other),
        return_exceptions=True,
    )  # fmt: skip
    assert isinstance(done, Done)
    assert done.text.startswith("Done: Open a shop at Pont Neuf")
    assert isinstance(again, TableError), "pressed twice, done once, planned never"
    assert await standing(d, 0) == []
    assert [m[0] for m in await moves(d)] == [2, 0]


async def test_an_offer_waits_out_a_pause(d: Desk) -> None:
    """Pressed on turn in a paused match it is refused and not used up."""
    await begin(d)
    offer = await d.service.offer(d.match, 2, "open", {"tile": NEUF}, IllegalMove("", "no"))
    assert offer is not None
    await take(d, 0, NICOLAS)
    await d.service.pause(d.match, 1)
    with pytest.raises(TableError, match="paused"):
        await d.service.accept(d.match, 2, offer)
    await d.service.resume(d.match, 2)
    assert (await d.service.accept(d.match, 2, offer)).text.startswith("Done: ")
    assert await moves(d) == [(0, NICOLAS, False, 1), (1, NEUF, False, 2)]


async def test_an_offer_is_not_planned_twice_for_a_seat_that_came_back(d: Desk) -> None:
    """Plans and offers go with the seat, and do not come back with it."""
    await begin(d)
    await plan(d, 1, NEUF)
    offer = await d.service.offer(d.match, 2, "open", {"tile": VOSGES}, IllegalMove("", "no"))
    await d.service.substitute(d.match, 2, 9, "Hugo")
    await d.service.substitute(d.match, 9, 2, "Bruno")
    d.again()
    assert await standing(d, 1) == []
    with pytest.raises(TableError, match="too old"):
        await d.service.accept(d.match, 2, offer or 0)
    await take(d, 0, NICOLAS)
    assert await moves(d) == [(0, NICOLAS, False, 1)]


async def test_the_planner_undoes_a_planned_move_like_any_other(d: Desk) -> None:
    await begin(d)
    await plan(d, 1, NEUF)
    await plan(d, 1, NEUF)  # for the turn after, say
    await take(d, 0, PARNASSE)
    with pytest.raises(MoveError, match="Only the latest move"):
        await d.service.undo(d.match, 1)
    await d.service.undo(d.match, 2)
    table = await d.table()
    assert table.waiting() == (1,), "nothing was made again at once"
    assert await standing(d, 1) == []
    assert "you took a step back" in (await news(d, 1))[-1]
    await take(d, 1, VOSGES)
    assert (await d.table()).waiting() == (2,)
    await d.service.end(d.match, 1, moderator=True)
    assert "every position is the recorded one" in await d.service.verify(d.match)


async def test_going_back_ends_all_plans(d: Desk) -> None:
    """The table goes back before the move of seat 0: what others planned was for another table."""
    await begin(d)
    await plan(d, 2, VOSGES)
    await take(d, 0, PARNASSE)
    ((place, _),) = await d.service.points(await d.table(), 1)
    preview = await d.service.preview(d.match, 1, place)
    await d.service.propose(d.match, 1, place, preview.changes)
    table = await d.table()
    assert table.waiting() == (0,)
    assert table.plans == []
    assert await standing(d, 2) == []
    (told,) = await news(d, 2)
    assert told.endswith("was cancelled: the match has gone back to an earlier position.")


async def test_going_back_to_an_only_move_leaves_it_to_the_player(d: Desk) -> None:
    await begin(d, PAIR)
    await two_left(d)
    await take(d, 1, "gare-du-nord/green")
    await d.service.set_forced(d.match, 2, "on")
    points = await d.service.points(await d.table(), 2)
    place = next(place for place, words in points if "Bruno" in words)
    preview = await d.service.preview(d.match, 2, place)
    await d.service.propose(d.match, 2, place, preview.changes)
    for user in (1, 3):
        proposal = proposal_of((await d.table()).settings)
        if proposal is not None:
            await d.service.answer(d.match, user, proposal.number, True)
    table = await d.table()
    assert table.waiting() == (1,)
    assert only_move(table.game, table.state, 1) is not None


async def test_plans_do_not_go_to_a_substitute(d: Desk) -> None:
    await begin(d)
    await plan(d, 1, NEUF)
    error = IllegalMove("", "not your turn")
    offer = await d.service.offer(d.match, 2, "open", {"tile": VOSGES}, error)
    await d.service.substitute(d.match, 2, 9, "Zoe")
    assert (await d.service.plans(d.match, 9)) == ([], [])
    with pytest.raises(TableError, match="do not sit"):
        await d.service.plans(d.match, 2)
    for user in (2, 9):
        with pytest.raises(TableError):
            await d.service.accept(d.match, user, offer or 0)
    await take(d, 0, PARNASSE)
    assert (await d.table()).waiting() == (1,)
    assert await d.store.plans_of(d.match, 2) == []


async def test_plans_end_with_resignation_and_machines_chain_with_plans(d: Desk) -> None:
    await begin(d)
    await plan(d, 1, NEUF)
    await plan(d, 2, VOSGES)
    await d.service.resign(d.match, 2)  # seat 1
    await take(d, 0, PARNASSE)
    made = await moves(d)
    assert [m[0] for m in made][:3] == [0, 1, 2]
    assert made[1][2:] == (True, None), "an automatic player, without the plan"
    left = {NICOLAS, NEUF, VOSGES} - {made[1][1]}
    if VOSGES in left:
        assert made[2] == (2, VOSGES, False, 3)


async def test_a_plan_waits_out_a_pause_and_follows_a_skip(d: Desk) -> None:
    await begin(d, rule=Rule("move", 5))
    await plan(d, 1, NEUF)
    await d.service.pause(d.match, 1)
    await plan(d, 2, VOSGES)  # also while it is paused
    await d.service.resume(d.match, 2)
    assert await moves(d) == []
    await d.later(6 * HOUR, step=HOUR)
    for user in (2, 3):
        await d.vote(user, 0, "skip")
    made = await moves(d)
    assert [m[0] for m in made][:2] == [0, 1]
    assert made[0][2], "the simple automatic move"
    if made[0][1] != NEUF:
        assert made[1][1:] == (NEUF, False, 2)


async def test_nobody_else_learns_of_a_plan(d: Desk) -> None:
    await begin(d)
    before = [r.id for kind in ("turn", "notice", "hand") for r in await d.sent(kind)]
    log = await d.store.log(d.match)
    settings = (await d.table()).match.settings
    await plan(d, 1, VOSGES)
    with pytest.raises(MoveError):
        await take(d, 1, NEUF)
    await d.service.offer(d.match, 2, "open", {"tile": NEUF}, IllegalMove("", "no"))
    assert await d.store.log(d.match) == log
    assert (await d.table()).match.settings == settings
    after = [r.id for kind in ("turn", "notice", "hand") for r in await d.sent(kind)]
    assert after == before, "nothing is posted"
    await take(d, 0, VOSGES)  # so it is cancelled
    public = [r.payload for kind in ("turn", "notice") for r in await d.sent(kind)]
    assert not any("plan" in text.casefold() for text in public)
    assert not any("cancel" in text.casefold() for text in public)
    rows = [r for r in await d.sent("hand") if "user" in r.payload]
    assert [(r.seat, json.loads(r.payload)["user"]) for r in rows] == [(1, 2)]
    table = await d.table()
    assert "cancel" not in "".join(await d.service.public_log(table))
    await d.service.end(d.match, 1, moderator=True)
    record = msgspec.json.encode(await d.service.record(d.match)).decode()
    assert "cancel" not in record
    assert await d.store.plans_of(d.match, 2) == [], "gone with the match"


# ---- only moves ----------------------------------------------------------------------------------


async def two_left(d: Desk) -> None:
    """Seats 2 and 0 have taken: for seat 1 two equal tiles are left."""
    await take(d, 2, "concorde/blue")
    await take(d, 0, "quartier-latin/orange")


async def test_an_only_move_is_made_for_who_wants_it(d: Desk) -> None:
    await begin(d, PAIR)
    await d.service.set_forced(d.match, 2, "on")
    await two_left(d)
    made = await moves(d)
    assert made[-1] == (1, "gare-du-nord/green", True, 2), "automatic, and for whom"
    table = await d.table()
    post = await newest_post(d)
    assert any("Bruno took" in str(line) for line in post["lines"])
    assert post["ping"] == list(table.waiting())
    assert await news(d, 1) == []
    await d.service.end(d.match, 1, moderator=True)
    assert "every position is the recorded one" in await d.service.verify(d.match)


async def test_only_moves_are_left_to_who_does_not_want_it(d: Desk) -> None:
    await begin(d, PAIR)
    await d.service.set_forced(d.match, 1, "on")  # another one
    await two_left(d)
    assert (await d.table()).waiting() == (1,)
    await d.service.set_forced(d.match, 2, "on")
    assert (await d.table()).waiting() == (1,), "from the next decision on"
    await d.service.mute(d.match, 2, True)
    await d.service.pause(d.match, 1)
    await d.service.resume(d.match, 1)
    assert (await d.table()).waiting() == (1,)


@pytest.mark.parametrize(("everywhere", "here", "made"), [
    (True, None, True), (True, "off", False), (False, "on", True), (True, "default", True),
    (False, "default", False),
])  # fmt: skip
async def test_the_choice_for_one_match_comes_first(
    everywhere: bool, here: Any, made: bool, d: Desk
) -> None:
    await begin(d, PAIR)
    await d.service.choose(2, {"forced": everywhere})
    if here is not None:
        if here == "default":
            await d.service.set_forced(d.match, 2, "off")
        await d.service.set_forced(d.match, 2, here)
    d.again()
    await two_left(d)
    assert (len(await moves(d)) == 3) == made


async def test_the_wish_goes_with_the_player(d: Desk) -> None:
    await begin(d, PAIR)
    await d.service.set_forced(d.match, 2, "on")
    await d.service.substitute(d.match, 2, 9, "Zoe")
    await two_left(d)
    assert (await d.table()).waiting() == (1,)
    assert (await d.table()).settings["forced"] == {}


async def test_somebody_new_on_the_seat_gets_help_at_once(d: Desk) -> None:
    await begin(d, PAIR)
    await d.service.choose(9, {"forced": True})
    await two_left(d)
    await d.service.substitute(d.match, 2, 9, "Zoe")
    assert (await moves(d))[-1] == (1, "gare-du-nord/green", True, 9)


async def test_a_plan_comes_before_an_only_move(d: Desk) -> None:
    await begin(d, PAIR)
    await d.service.set_forced(d.match, 2, "on")
    await plan(d, 1, "gare-du-nord/green")
    await two_left(d)
    assert (await moves(d))[-1] == (1, "gare-du-nord/green", False, 2)


async def test_a_plan_for_later_survives_an_only_move(d: Desk) -> None:
    """The plan is for a tile that seat 0 takes; but this decision has one move only, and the plan
    may be for the next."""
    await begin(d, PAIR)
    await d.service.set_forced(d.match, 2, "on")
    await plan(d, 1, "quartier-latin/orange")
    await two_left(d)
    made = await moves(d)
    assert made[2] == (1, "gare-du-nord/green", True, 2)
    # Its next decision is in the next round, where that tile is not.
    while (await d.table()).waiting() != (1,):
        await d.move()
    assert await standing(d, 1) == []
    assert "was cancelled" in (await news(d, 1))[-1]


def paolo(seed: int) -> tuple[Any, Any]:
    game = find_game("papa_paolo")
    return game, start(game, 3, seed=f"{seed:064x}")[0]


def find_pass(kind: str) -> tuple[Any, Any, int, Any]:
    """A position of Papà Paolo in which a move leads to a decision of the same seat with one move
    only, of this kind: the position, the seat and the move."""
    for seed in range(1, 40):
        game, state = paolo(seed)
        rand = random.Random(seed)
        while state.ended is None:
            seat = game.waiting(state)[0]
            for move in list(game.legal(state, seat))[:12]:
                made = play(game, state, seat, move)
                due = made.state.decision_of(seat)
                if (
                    len(made.steps) == 1
                    and not made.steps[0].reveals
                    and due is not None
                    and due.kind == kind
                    and only_move(game, made.state, seat) is not None
                ):
                    return game, state, seat, move
            state = play(game, state, seat, rand.choice(list(game.legal(state, seat)))).state
    raise AssertionError("no such position")


async def until_stuck_in(d: Desk, kind: str) -> tuple[int, Any]:
    """Play Papà Paolo at random up to a move that brings the same seat a decision of this kind with
    one move only; returns the seat and that move."""
    d.service._new_seed = lambda: f"{4:064x}"
    await d.begin("papa_paolo", 3)
    rand = random.Random(4)
    while True:
        table = await d.table()
        seat = table.waiting()[0]
        for move in list(table.game.legal(table.state, seat))[:12]:
            made = play(table.game, table.state, seat, move)
            due = made.state.decision_of(seat)
            quiet = len(made.steps) == 1 and not made.steps[0].reveals
            same = quiet and due is not None and due.kind == kind
            if same and only_move(table.game, made.state, seat) is not None:
                return seat, move
        await d.move(seat, rand.choice)


async def test_undo_takes_the_only_move_back_with_the_step_before_it(d: Desk) -> None:
    seat, move = await until_stuck_in(d, "route")
    await d.service.set_forced(d.match, seat + 1, "on")
    before = (await d.table()).state
    head = (await d.table()).match.head_seq
    await d.service.move(d.match, seat + 1, move)
    rows = [r for r in await d.store.log(d.match, head + 1) if r.kind == "move"]
    assert [(r.auto, r.actor_id) for r in rows[:2]] == [(False, seat + 1), (True, seat + 1)]
    await d.service.undo(d.match, seat + 1)
    table = await d.table()
    assert position(table.state) == position(before), "nothing was made again"
    assert [r.kind for r in await d.store.log(d.match)][-1] == "undo"


async def test_an_undo_is_not_swallowed(d: Desk) -> None:
    """A step that was the only one possible, made by hand, is taken back; with the wish on it is
    not made again at once, nor by what others do."""
    seat, move = await until_stuck_in(d, "route")
    await d.service.move(d.match, seat + 1, move)
    before = (await d.table()).state
    await d.move(seat)  # the only one, by hand
    await d.service.set_forced(d.match, seat + 1, "on")
    await d.service.undo(d.match, seat + 1)
    table = await d.table()
    assert position(table.state) == position(before)
    assert only_move(table.game, table.state, seat) is not None
    await d.service.pause(d.match, 1)
    await d.service.resume(d.match, 1)
    assert position((await d.table()).state) == position(before)
    await d.service.undo(d.match, seat + 1)  # and further back
    assert position((await d.table()).state) != position(before)


def test_only_moves_chain_and_end() -> None:
    game, state, seat, move = find_pass("stock")
    made = play(game, state, seat, move)
    helped = help_along(game, state, made, Wishes(forced=frozenset({seat})), lambda p: p)
    assert helped.by[:2] == ("own", "forced")
    assert helped.played.steps[1].auto
    assert [s.seat for s in helped.played.steps[:2]] == [seat, seat]
    last = helped.played.state
    due = last.decision_of(seat)
    assert due is None or due.id in {d.id for d in state.pending} or not only_move(game, last, seat)
    none = help_along(game, state, made, Wishes(), lambda p: p)
    assert none.played.steps == made.steps


def test_a_position_that_recurs_ends_the_help() -> None:
    """Starting a route that can only be given up, and nothing but starting it: round in circles."""
    game, state, seat, move = find_pass("route")
    made = play(game, state, seat, move)
    helped = help_along(game, state, made, Wishes(forced=frozenset({seat})), lambda p: p)
    steps = helped.played.steps[1:]
    assert steps[0].move.kind == "cancel_route"
    seen = {(step.seat, step.move.kind) for step in steps}
    assert len(steps) <= 2 * len(seen), [step.move for step in steps]


class Ring(Nim):
    """Two players who can only ever do the same; with ``step`` the position changes each time."""

    step = 0

    def legal(self, state: Heap, seat: int) -> list[Take]:
        return [Take(1)] if state.decision_of(seat) is not None else []

    def apply(self, state: Heap, seat: int, move: Take) -> list[Event]:
        state.heap += self.step
        state.answered(seat)
        state.ask(1 - seat, "take")
        return []

    def forced(self, state: Heap, seat: int, move: Take) -> bool:
        return False


class Line(Ring):
    step = 10


@pytest.mark.parametrize(("game", "count"), [(Ring(), 2), (Line(), MOST_HELPED)])
def test_only_moves_for_ever_come_to_an_end(game: Any, count: int) -> None:
    """Round in circles: once round. On and on: as far as is sensible. Then the players see it."""
    state, _ = start(game, 2)
    made = play(game, state, 0, Take(1))
    both = Wishes(forced=frozenset({0, 1}))
    helped = help_along(game, state, made, both, lambda p: p)
    assert len(helped.played.steps) == 1 + count
    assert all(step.auto for step in helped.played.steps[1:])
    assert game.waiting(helped.played.state)


def test_hidden_hands_are_not_betrayed() -> None:
    """Papertown's turn ends by itself for nobody: whether something can be claimed depends on a
    secret Great Structure."""
    game = find_game("papertown")
    state, _ = start(game, 2, seed=f"{3:064x}")
    rand = random.Random(1)
    single = 0
    for _ in range(400):
        if state.ended is not None:
            break
        seat = game.waiting(state)[0]
        legal = list(game.legal(state, seat))
        if state.phase == "claim" and len(legal) == 1:
            single += 1
            assert only_move(game, state, seat) is None
        state = play(game, state, seat, rand.choice(legal)).state
    assert single > 20
