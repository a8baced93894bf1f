"""Buttons pressed twenty times, too late, by the wrong person, or made up."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bot.table import SELECT, STALE, World, ident, idents, no_undo, parts, private, raw, text

MANY = 20


async def storm(world: World, person: Any, message: Any, custom_id: str) -> list[str]:
    """Press one button many times at once; all are answered privately. Returns the replies."""
    sent = [world.send_press(person, message, custom_id) for _ in range(MANY)]
    await world.env.settle()
    for result in sent:
        assert private(result), result
    return [text(result) for result in sent]


def confirm_of(reply: Any) -> str:
    return next(c["custom_id"] for c in parts(reply.response) if c.get("label") == "Confirm")


# ---- double clicks -------------------------------------------------------------------------------


async def test_join_pressed_twenty_times_seats_once(world: World) -> None:
    await world.people[0].slash(world.channel, "paris new")
    said = await storm(world, world.people[1], world.board, ident(world.board, "Join"))
    assert sum("You sit at the table" in t for t in said) == 1
    assert sum(t == "You already sit at this table." for t in said) == MANY - 1
    assert len((await world.table()).seats) == 2


async def test_start_pressed_twenty_times_starts_once(world: World) -> None:
    await world.people[0].slash(world.channel, "paris new")
    await world.people[1].slash(world.channel, "match join")
    said = await storm(world, world.people[0], world.board, ident(world.board, "Start"))
    assert said.count("The match has begun.") == 1
    assert said.count("The match has already started.") == MANY - 1
    assert sum("Round 1" in m.content for m in world.posts()) == 1


async def test_confirm_pressed_twenty_times_moves_once(world: World) -> None:
    await world.begin()
    person = await world.active()
    reply = await world.pick()
    said = await storm(world, person, reply.response, confirm_of(reply))
    assert sum(t.startswith("Done: ") for t in said) == 1
    assert sum(STALE in t for t in said) == MANY - 1
    assert (await world.table()).match.head_seq == 1
    assert sum("opened a shop" in m.content for m in world.posts()) == 1


async def test_undo_pressed_twenty_times_takes_back_once(world: World) -> None:
    await world.begin()
    person = await world.active()
    await world.click_move()
    said = await storm(world, person, world.board, ident(world.board, "Undo"))
    assert said.count("Your last step is taken back.") == 1
    assert sum(no_undo(t) for t in said) == MANY - 1
    table = await world.table()
    assert table.match.head_seq == 2
    assert world.person(table, table.waiting()[0]) == person


async def test_everybody_presses_at_once(world: World) -> None:
    """All players and a passer-by press My move, Undo and My hand in one moment."""
    await world.begin()
    await world.click_move()
    board = world.board
    sent = [
        world.send_press(person, board, custom_id)
        for person in world.people[:4]
        for custom_id in idents(board)
    ]
    await world.env.settle()
    for result in sent:
        assert private(result), result


@pytest.mark.parametrize("what", ["Join", "Leave", "Start"])
async def test_one_lobby_press_delivered_again_applies_once(world: World, what: str) -> None:
    host, guest = world.people[:2]
    await host.slash(world.channel, "paris new")
    if what != "Join":
        await guest.slash(world.channel, "match join")
    person = host if what == "Start" else guest
    await world.press(person, world.board, ident(world.board, what), times=MANY)
    table = await world.table()
    assert [s.user_id for s in table.seats] == [p.id for p in world.people[:2]][
        : 1 if what == "Leave" else 2
    ]
    assert table.match.status == ("active" if what == "Start" else "lobby")


@pytest.mark.parametrize("what", ["Confirm", "Undo"])
async def test_one_move_press_delivered_again_applies_once(world: World, what: str) -> None:
    await world.begin()
    person = await world.active()
    if what == "Confirm":
        reply = await world.pick()
        result = await world.press(person, reply.response, confirm_of(reply), times=MANY)
        assert text(result).startswith("Done: ")
        assert (await world.table()).match.head_seq == 1
    else:
        await world.click_move()
        result = await world.press(person, world.board, ident(world.board, "Undo"), times=MANY)
        assert text(result) == "Your last step is taken back."
        assert (await world.table()).match.head_seq == 2
    assert len(world.live()) == 1


async def test_buttons_work_for_as_long_as_their_message_stands(world: World) -> None:
    """discord.py forgets private views after a quarter of an hour; ours are made anew."""
    await world.begin()
    person = await world.active()
    picker = await world.pick()
    await world.env.advance_time(3600)
    assert not world.bot.persistent_views
    assert not world.bot._connection._view_store._views
    half = await person.click(world.board, label="My move")
    # Twenty thousand beats of the clockwork would add nothing here.
    world.bot.get_cog("Timer").tick.cancel()
    await world.env.advance_time(14 * 24 * 3600)
    select = next(c for c in parts(half.response) if c["type"] == SELECT)
    again = await person.select(half.response, [select["options"][0]["value"]])
    assert private(again)
    done = await person.click(picker.response, label="Confirm")
    assert text(done).startswith("Done: ")
    undone = await person.click(world.board, label="Undo")
    assert text(undone) == "Your last step is taken back."


# ---- stale ---------------------------------------------------------------------------------------


async def test_old_boards_lose_their_buttons_and_answer_politely(world: World) -> None:
    await world.begin()
    person, old = await world.active(), world.board
    seen = raw(old)
    await world.click_move()
    await world.click_move()
    assert world.live() == [world.board]
    for custom_id in idents(old):
        gone = await world.press(person, old, custom_id)
        assert private(gone)
        assert STALE in text(gone), "the button is no more in the message"
    late = await world.press(person, old, ident(old, "Undo"), components=seen)
    assert private(late)
    assert no_undo(text(late))
    assert (await world.table()).match.head_seq == 2


async def test_an_old_picker_is_refused_after_the_move(world: World) -> None:
    await world.begin()
    person = await world.active()
    one, two = await world.pick(), await world.pick()
    await person.click(one.response, label="Confirm")
    late = await person.click(two.response, label="Confirm")
    assert private(late)
    assert STALE in text(late)
    again = await person.click(two.response, label="Start over")
    assert private(again)
    assert "You have nothing to do now" in text(again)
    assert (await world.table()).match.head_seq == 1


async def test_an_old_picker_is_refused_after_an_undo(world: World) -> None:
    """The same position comes back, but not the same decision."""
    await world.begin()
    person = await world.active()
    old = await world.pick()
    half = await person.click(world.board, label="My move")
    await world.click_move()
    await person.click(world.board, label="Undo")
    for reply in (
        await person.click(old.response, label="Confirm"),
        await person.click(old.response, label="Start over"),
        await person.select(
            half.response,
            [next(c for c in parts(half.response) if c["type"] == SELECT)["options"][0]["value"]],
        ),
    ):
        assert private(reply)
        assert STALE in text(reply)
    assert (await world.table()).match.head_seq == 2
    await world.click_move()


# ---- the wrong person ----------------------------------------------------------------------------


async def test_who_may_not_press_is_told_why(world: World) -> None:
    await world.begin()
    waiting = (await world.others())[0]
    stranger = world.people[5]
    board = world.board
    for label, words in (
        ("My move", "nothing to do now"),
        ("Undo", "no move to take back"),
        ("My hand", "special-route marker"),
        ("Rules", "Paris Paris"),
    ):
        reply = await waiting.click(board, label=label)
        assert private(reply)
        assert words in text(reply)
    for label, words in (
        ("My move", "You do not sit at this table"),
        ("Undo", "You do not sit at this table"),
        ("My hand", "You do not sit at this table"),
        ("Rules", "Paris Paris"),
    ):
        reply = await stranger.click(board, label=label)
        assert private(reply)
        assert words in text(reply)
    assert (await world.table()).match.head_seq == 0


async def test_somebody_elses_picker_is_refused(world: World) -> None:
    await world.begin()
    reply = await world.pick()
    made = confirm_of(reply)
    select = next(
        c
        for c in parts((await (await world.active()).click(world.board, label="My move")).response)
        if c["type"] == SELECT
    )
    for person in (*(await world.others()), world.people[5]):
        forged = await world.forge(person, made)
        assert private(forged)
        assert STALE in text(forged) or "You do not sit" in text(forged)
        forged = await world.forge(
            person, select["custom_id"], SELECT, values=[select["options"][0]["value"]]
        )
        assert private(forged)
        assert "nothing to do now" in text(forged) or "You do not sit" in text(forged)
    assert (await world.table()).match.head_seq == 0


async def test_the_lobby_tells_who_may_not(world: World) -> None:
    host, guest, stranger = world.people[:3]
    await host.slash(world.channel, "paris new")
    await guest.slash(world.channel, "match join")
    for person, label, words in (
        (guest, "Start", "Only the host starts the match; that is Ada."),
        (stranger, "Start", "Only the host starts the match; that is Ada."),
        (stranger, "Leave", "You do not sit at this table"),
        (host, "Join", "You already sit at this table."),
    ):
        reply = await person.click(world.board, label=label)
        assert private(reply)
        assert words in text(reply)
    assert (await world.table()).match.status == "lobby"


# ---- made up -------------------------------------------------------------------------------------

FORGED = (
    "pz1:ok:1",
    "pz1:ok:1:1",
    "pz1:ok:1:1:zzzzz",
    "pz1:ok:1:1:a:b:c",
    "pz1:ok:1:²:aaaaa",
    "pz1:ok:1:0:aaaaa",
    "pz1:ok:1:-1:aaaaa",
    "pz1:ok:77:1:aaaaa",
    "pz1:ok:99999999999999999999999999:1:aaaaa",
    "pz1:pg:1",
    "pz1:pg:1:1:x::again",
    "pz1:pg:1:1:²::again",
    "pz1:pg:1:1:99999999999999999999::again",
    "pz1:pg:1:1:0:aaaaabbbbb:again",
    "pz1:pg:1:999:0::again",
    "pz1:undo:1:²",
    "pz1:undo:1:",
    "pz1:undo:1:99999",
    "pz1:undo:77:0",
    "pz1:move:77:0",
    "pz1:move:١:0",
    "pz1:hand:77",
    "pz1:hand:99999999999999999999999999",
    "pz1:rules:77",
    "pz1:join:77",
    "pz1:leave:77",
    "pz1:start:77",
    "pz1:start:1",
    "pz1:nonsense:1",
    "pz0:move:1:0",
    "pz2:move:1:0",
    "something else",
)

FORGED_SELECTS = (
    "pz1:pk:1:1:0:",
    "pz1:pk:1:1:0:aaaaa",
    "pz1:pk:1:1:0:aaaaabbbbbccccc",
    "pz1:pk:1:1:999999999999:",
    "pz1:pk:1:2:0:",
    "pz1:pk:77:1:0:",
    "pz1:pk:99999999999999999999999999:1:0:",
    "pz1:pk:1",
    "pz0:pk:1:1:0:",
)


@pytest.mark.parametrize("custom_id", FORGED)
async def test_made_up_buttons_change_nothing(world: World, custom_id: str) -> None:
    """Every one gets a polite private answer; none is an error of the bot."""
    await world.begin(players=2)
    before = await world.bot.store.match(1)
    for person in (await world.active(), world.people[5]):
        result = await world.forge(person, custom_id)
        assert private(result), custom_id
        assert text(result)
        assert "report id" not in text(result), text(result)
    after = await world.bot.store.match(1)
    assert after == before


@pytest.mark.parametrize("custom_id", FORGED_SELECTS)
async def test_made_up_selects_change_nothing(world: World, custom_id: str) -> None:
    await world.begin(players=2)
    before = await world.bot.store.match(1)
    for values in (["x"], []):
        for person in (await world.active(), world.people[5]):
            result = await world.forge(person, custom_id, SELECT, values=values)
            assert private(result), custom_id
            assert "report id" not in text(result), text(result)
    assert await world.bot.store.match(1) == before


async def test_a_real_button_under_another_match(world: World) -> None:
    """A custom id of one table pressed by a player of another one."""
    other = world.guild.create_text_channel("other")
    await world.begin(players=2)
    await world.people[2].slash(other, "paris new")
    await world.people[3].slash(other, "match join")
    await world.people[2].slash(other, "match start")
    mine = await world.pick()
    for person in world.people[2:4]:
        result = await world.forge(person, confirm_of(mine))
        assert private(result)
        assert "You do not sit at this table" in text(result)
    assert (await world.table()).match.head_seq == 0
    assert (await world.table(other)).match.head_seq == 0


# ---- over ----------------------------------------------------------------------------------------


async def test_buttons_after_the_end_are_refused(world: World) -> None:
    await world.begin(players=2)
    person = await world.active()
    picker, board = await world.pick(), world.board
    seen = raw(board)
    for one in world.people[:2]:
        await one.slash(world.channel, "match end")
    assert (await world.table()).match.status == "ended"
    late = await person.click(picker.response, label="Confirm")
    assert private(late)
    assert "called off" in text(late)
    for label in ("My move", "Undo"):
        result = await world.press(person, board, ident(board, label), components=seen)
        assert private(result)
        assert "report id" not in text(result)
    assert not world.live()


async def test_buttons_of_a_closed_lobby_are_refused(world: World) -> None:
    host, guest = world.people[:2]
    await host.slash(world.channel, "paris new")
    board = world.board
    seen = raw(board)
    await host.slash(world.channel, "match end")
    assert not world.live()
    for person in (host, guest):
        for label in ("Join", "Leave", "Start"):
            result = await world.press(person, board, ident(board, label), components=seen)
            assert private(result)
            assert "That table is closed." in text(result)
    assert not (await world.table()).match.open
