"""Undo, and who is called when: one mention for each change of the active player, no more."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engines.core import surface
from tests.bot.table import STALE, World, ident, idents, no_undo, private, raw, sizes, text

MOVES = 30
"""Moves of a match that are watched."""


@pytest.mark.parametrize(("game", "players"), sizes())
async def test_one_mention_for_each_change_of_the_active_player(
    world: World, game: str, players: int
) -> None:
    table = await world.begin(game, players, seats=players)
    ids = [seat.user_id for seat in table.seats]
    owing = table.waiting()
    expected = [sorted(ids[s] for s in owing)]
    rand = random.Random(f"mentions {game} {players}")
    for _ in range(MOVES):
        if not owing:
            break
        await world.move(rand, ask=False)
        now = (await world.table()).waiting()
        if set(now) - set(owing):
            # Who was to act before and still is has just moved: no news for them.
            expected.append(sorted(ids[s] for s in set(now) - set(owing)))
        owing = now
    assert world.calls == expected
    for message in world.posts():
        # Whoever is called is named in the post; nobody else is, not even as text.
        if not message.components:
            continue
        assert set(message.raw_mentions) == {ids[s] for s in owing}


async def test_the_active_player_is_called_once_when_moves_overtake_the_picture(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move is made while the picture of the one before is drawn."""
    table = await world.begin()
    service, pictures = world.bot.service, world.bot.pictures
    draw, hasty = pictures.board, [2]

    async def slowly(*args: Any, **more: Any) -> Any:
        made = await draw(*args, **more)
        if hasty[0]:
            hasty[0] -= 1
            now = await service.table(1)
            (seat,) = now.waiting()
            _, move = surface.phrases(now.game, now.state, seat)[0]
            await service.move(1, now.seats[seat].user_id, move)
        return made

    monkeypatch.setattr(pictures, "board", slowly)
    first = [seat.user_id for seat in table.seats]
    start = table.waiting()[0]
    await world.move()
    turns = [first[(start + i) % 3] for i in range(3)]
    table = await world.table()
    assert table.match.head_seq == 3
    last = table.seats[table.waiting()[0]].user_id
    assert world.calls == [[turns[0]], [turns[1]], [turns[2]], [last]]
    posts = [m for m in world.posts() if "opened a shop" in m.content]
    assert len(posts) == 3
    for message, who in zip(posts, (*turns[1:], last), strict=True):
        assert message.raw_mentions == [who], "text, mention and picture are of one position"
    assert world.live() == [posts[-1]]


async def test_undo_by_the_button_and_by_the_command(world: World) -> None:
    await world.begin()
    person = await world.active()
    for how in ("button", "command"):
        before = await world.table()
        hidden = before.state
        await world.move()
        assert await world.active() != person
        if how == "button":
            reply = await person.click(world.board, label="Undo")
        else:
            reply = await person.slash(world.channel, "match undo")
        assert private(reply)
        assert text(reply) == "Your last step is taken back."
        after = await world.table()
        assert await world.active() == person
        assert after.state.face_up == hidden.face_up
        last = world.posts()[-1]
        assert "took back the last step" in last.content
        assert world.pings(last) == [person.id]
        assert world.live() == [last]


async def test_a_chain_of_undos(world: World) -> None:
    """PR-082: the latest move, then nothing, as the one before was another player's."""
    table = await world.begin(players=2)
    # The player with the bus of round 2 moves twice running: last of round 1, first of round 2.
    await world.move()
    second = await world.active()
    await world.move()
    assert await world.active() == second
    refused = await second.slash(world.channel, "match undo")
    assert private(refused)
    assert "revealed something" in text(refused)
    assert "PR-082" in text(refused)
    await world.move()
    undone = await second.slash(world.channel, "match undo")
    assert text(undone) == "Your last step is taken back."
    again = await second.slash(world.channel, "match undo")
    assert "revealed something" in text(again)
    assert (await world.table()).match.head_seq == 4
    assert table.match.id == 1
    await world.click_move()


async def test_nothing_to_take_back(world: World) -> None:
    await world.begin()
    person = await world.active()
    reply = await person.slash(world.channel, "match undo")
    assert "no move to take back" in text(reply)
    assert "PR-082" in text(reply)


async def test_another_players_move_is_not_taken_back(world: World) -> None:
    await world.begin()
    mover = await world.active()
    await world.move()
    for person in await world.others():
        if person == mover:
            continue
        reply = await person.click(world.board, label="Undo")
        assert private(reply)
        assert "by the player who made it" in text(reply)
    following = await world.active()
    reply = await following.slash(world.channel, "match undo")
    assert "by the player who made it" in text(reply)
    await world.move()
    reply = await mover.slash(world.channel, "match undo")
    assert "by the player who made it" in text(reply)
    assert (await world.table()).match.head_seq == 2


async def test_undo_again_and_again(world: World) -> None:
    """Move and undo ten times: decisions never recur, the deal stays what it was."""
    await world.begin()
    person = await world.active()
    tiles = (await world.table()).state.face_up
    seen = set()
    for _ in range(10):
        table = await world.table()
        decision = table.state.pending[0].id
        assert decision not in seen
        seen.add(decision)
        assert table.state.face_up == tiles
        await world.move()
        seen.add((await world.table()).state.pending[0].id)
        await person.slash(world.channel, "match undo")
    assert (await world.table()).match.head_seq == 20
    told = text(await person.slash(world.channel, "match log"))
    assert told.count("took back the last step") == 10


async def test_values_offered_before_an_undo_are_stale(world: World) -> None:
    await world.begin()
    person = await world.active()
    offered = await person.autocomplete(world.channel, "paris open", "tile", "")
    await world.move()
    await person.slash(world.channel, "match undo")
    reply = await person.slash(world.channel, "paris open", tile=offered[0]["value"])
    assert private(reply)
    assert STALE in text(reply)
    plain = surface.unstamp(offered[0]["value"])[0]
    reply = await person.slash(world.channel, "paris open", tile=plain)
    assert text(reply).startswith("Done: ")


async def test_an_old_undo_does_not_take_back_a_newer_move(world: World) -> None:
    """Move, undo, move: the Undo under the first move's board means that move alone."""
    await world.begin()
    person = await world.active()
    await world.move()
    old, seen = world.board, raw(world.board)
    await person.slash(world.channel, "match undo")
    await world.move()
    late = await world.press(person, old, ident(old, "Undo"), components=seen)
    assert no_undo(text(late))
    assert (await world.table()).match.head_seq == 3


async def test_only_the_newest_board_is_live(world: World) -> None:
    await world.begin()
    for _ in range(4):
        await world.move()
        person = world.person(await world.table(), (await world.table()).waiting()[0])
        assert world.live() == [world.posts()[-1]]
        reply = await person.click(world.board, label="Rules")
        assert private(reply)
    buttons = [i.split(":")[1] for i in idents(world.board)]
    assert buttons == ["move", "hand", "undo", "rules"]
