"""``/match rollback`` on a simulated Discord: preview, proposal, agreement, who may read what."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from bot.cli import main
from bot.service import rollback
from engines.core.game import QUIET
from engines.core.play import standing
from tests.bot.table import World, ident, idents, parts, private, raw, text
from tests.bot.test_care import dms
from tests.bot.test_leaks import Watch, secrets_of
from tests.bot.test_presence import sleep
from tests.bot.test_replay import call_off, exported
from tests.conformance.test_records import bare

COMMAND = "match rollback"


async def points(world: World, person: Any, current: str = "") -> list[dict[str, Any]]:
    return list(await person.autocomplete(world.channel, COMMAND, "to", current))


async def look(world: World, person: Any, to: str) -> Any:
    """Ask for a preview."""
    reply = await person.slash(world.channel, COMMAND, to=to)
    assert private(reply), text(reply)
    return reply


async def propose(world: World, person: Any, to: str) -> Any:
    """Propose to go back; returns the public post."""
    reply = await look(world, person, to)
    done = await person.click(reply.response, label="Propose")
    assert text(done).startswith("Proposed."), text(done)
    return posted(world)


def posted(world: World) -> Any:
    """The newest proposal."""
    return next(m for m in reversed(world.posts()) if "proposes to" in m.content)


async def turns(world: World, count: int) -> None:
    """So many times somebody plays until somebody else is to act."""
    for _ in range(count):
        seat = (await world.table()).waiting()[0]
        while seat in (await world.table()).waiting():
            await world.move(ask=False)


async def kinds(world: World) -> list[str]:
    return [row.kind for row in await world.bot.store.log((await world.table()).match.id)]


# ---- the whole way -------------------------------------------------------------------------------


async def test_the_way_back(world: World, tmp_path: Path, capsys: Any) -> None:
    """Points, preview, proposal, two agreements, a restart in between; then on to the end."""
    table = await world.begin("paris", 3)
    first = table.state
    await turns(world, 3)
    before = await world.table()
    asker = world.person(before, before.waiting()[0])
    others = [p for p in world.people[:3] if p is not asker]
    offered = await points(world, asker)
    assert 3 <= len(offered) <= 25
    assert all(len(choice["name"]) <= 100 for choice in offered)
    assert offered[0]["name"].startswith("1 move back, before: ")
    assert offered[0]["name"].endswith(" · just now")
    assert await points(world, asker, "no such words") == []
    seen = len(world.posts())
    reply = await look(world, asker, offered[-1]["value"])
    assert len(world.posts()) == seen, "the preview is private"
    shown = reply.response.content
    for other in others:
        assert before.said[before.seat_of(other.id)] in shown
    assert "Taken back would be:" in shown
    assert shown.count("\n- ") >= 3
    assert [a.filename for a in reply.response.attachments] == ["position.png"]
    assert [c["label"] for c in parts(reply.response)] == ["Propose", "Never mind"]
    done = await asker.click(reply.response, label="Propose")
    assert text(done).startswith("Proposed. Still to agree: ")
    assert not parts(done.response)
    post = posted(world)
    assert sorted(world.pings(post)) == sorted(p.id for p in others)
    assert idents(post) == [f"pz1:rbyes:{table.match.id}:1", f"pz1:rbno:{table.match.id}:1"]
    status = text(await asker.slash(world.channel, "match status"))
    assert "proposes to go back to before this" in status
    assert "Still to agree" in status
    assert (await kinds(world)).count("rollback") == 0
    noted = await others[0].click(post, label="Agree")
    assert private(noted)
    assert text(noted).startswith("Noted. Still to agree: ")
    await world.env.restart_bot(await world.env.make())
    calls = len(world.calls)
    boards = len(world.posts())
    agreed = await others[1].click(post, label="Agree")
    assert private(agreed)
    assert "All have agreed" in text(agreed)
    after = await world.table()
    assert bare(after.state) == bare(first)
    assert (await kinds(world))[-1] == "rollback"
    new = world.posts()[boards:]
    assert len(new) == 1, "one fresh post"
    assert "went back to before this" in new[0].content
    assert new[0].attachments
    active = world.person(after, after.waiting()[0])
    assert world.calls[calls:] == [[active.id]], "one mention, of who is to act now"
    assert not idents(next(m for m in world.posts() if m.id == post.id)), "the buttons are gone"
    assert "proposes" not in text(await asker.slash(world.channel, "match status"))
    assert "went back to before this" in text(await asker.slash(world.channel, "match log"))
    assert private(await asker.slash(world.channel, "match replay"))
    while (await world.table()).waiting():
        await world.move(ask=False)
    checked = text(await asker.slash(world.channel, "match verify"))
    assert "every position is the recorded one" in checked
    path = await exported(world, tmp_path)
    assert main(["replay", str(path)]) == 0
    assert "every position as recorded" in capsys.readouterr().out
    assert "over" in text(await asker.slash(world.channel, COMMAND, to="1"))


@pytest.mark.parametrize(("game", "players"), [("paolo", 3), ("pizzachef", 3)])
async def test_simultaneous_decisions_and_hidden_hands(
    world: World, game: str, players: int, tmp_path: Path, capsys: Any
) -> None:
    """Back over simultaneous steps: no public text tells what is in a hand, hands are sent again,
    the record replays and the match goes on."""
    watch = Watch(world)
    table = await world.begin(game, players, seats=players)
    rand = random.Random(f"rollback {game}")
    back = 0
    for number in range(60):
        await world.move(rand, ask=False)
        table = await world.table()
        if number % 12 != 11 or not table.waiting():
            continue
        asker = rand.choice(world.people[:players])
        offered = await points(world, asker)
        if not offered:
            continue
        before = {seat: secrets_of(table, seat) for seat in range(players)}
        hands = {seat: table.hand(seat) for seat in range(players)}
        told = {p.id: len(p.user.dm_channel.history()) for p in world.people[:players]}
        watch.collect()
        watch.public.clear()
        choice = rand.choice(offered[1:6] or offered)
        reply = await look(world, asker, choice["value"])
        words = [text(reply), *(c["name"] for c in offered)]
        mine = table.seat_of(asker.id)
        for seat, lines in before.items():
            for line in lines:
                assert seat == mine or not any(line in said for said in words), line
        button = parts(reply.response)[0]["label"]
        done = await asker.click(reply.response, label=button)
        if button == "Propose":
            post = posted(world)
            for person in world.people[:players]:
                if person is not asker and idents(post_now(world, post)):
                    reply = await person.click(post, label="Agree")
                    assert private(reply)
        else:
            assert button == "Go back"
            assert text(done).startswith("Done:")
        assert (await kinds(world)).count("rollback") == back + 1
        back += 1
        now = await world.table()
        watch.collect()
        for seat in range(players):
            for line in {*before[seat]} & {*secrets_of(now, seat)}:
                assert not any(line in body for body in watch.public), line
            if now.hand(seat) != hands[seat]:
                person = world.person(now, seat)
                assert len(person.user.dm_channel.history()) == told[person.id] + 1
    assert back >= 2
    await call_off(world)
    path = await exported(world, tmp_path)
    assert main(["replay", str(path)]) == 0
    assert "every position as recorded" in capsys.readouterr().out


def post_now(world: World, post: Any) -> Any:
    return next(m for m in world.posts() if m.id == post.id)


# ---- answers that change nothing -----------------------------------------------------------------


async def test_never_mind(world: World) -> None:
    await world.begin("paris", 2)
    await turns(world, 2)
    reply = await look(world, world.people[0], "1")
    done = await world.people[0].click(reply.response, label="Never mind")
    assert text(done) == "Nothing has changed."
    assert not parts(done.response)
    assert "rollback" not in (await world.table()).settings


async def test_a_refusal_and_those_who_are_not_asked(world: World) -> None:
    table = await world.begin("paris", 3)
    await turns(world, 2)
    before = await world.table()
    movers = {e.seat for e in await world.bot.service.entries(table.match.id)}
    idle = world.person(before, ({0, 1, 2} - movers).pop())
    one, two = (world.person(before, seat) for seat in sorted(movers))
    post = await propose(world, one, (await points(world, one))[-1]["value"])
    assert world.pings(post) == [two.id]
    for person in (idle, world.people[5]):
        for label in ("Agree", "Refuse"):
            answer = await person.click(post, label=label)
            assert private(answer)
            assert "to answer" in text(answer)
    assert idents(post_now(world, post)), "still open"
    refused = await two.click(post, label="Refuse")
    assert text(refused) == "The match stays as it is."
    assert not idents(post_now(world, post))
    assert "would rather stay" in world.posts()[-1].content
    assert world.pings(world.posts()[-1]) == []
    late = await world.press(
        two, post, f"pz1:rbyes:{table.match.id}:1", components=raw(post)
    )  # fmt: skip
    assert "settled" in text(late)
    assert "rollback" not in await kinds(world)


async def test_stale_and_forged_presses(world: World) -> None:
    table = await world.begin("paris", 2)
    await turns(world, 2)
    ada, bruno = world.people[:2]
    reply = await look(world, ada, "@1")
    post = await propose(world, ada, "@1")
    await world.move()
    assert "The proposal to go back is off" in "\n".join(m.content for m in world.posts())
    stale = await bruno.click(post, label="Agree")
    assert "settled, or the match went on since" in text(stale)
    assert not idents(post_now(world, post))
    old = await ada.click(reply.response, label="Propose")
    assert "moved on" in text(old)
    number = table.match.id
    for custom_id in (
        f"pz1:rbyes:{number}:77",
        f"pz1:rbno:{number}:0",
        "pz1:rbyes:999999:1",
        f"pz1:rbgo:{number}:0:0",
        f"pz1:rbgo:{number}:{10**17}:1",
    ):
        forged = await world.forge(ada, custom_id)
        assert private(forged)
        assert "report id" not in text(forged), text(forged)
    for custom_id in (f"pz1:rbyes:{number}:x", f"pz1:rbgo:{number}:1", f"pz1:rbno:{number}"):
        assert "another version" in text(await world.forge(ada, custom_id))
    assert "rollback" not in await kinds(world)


async def test_two_presses_at_once_go_back_once(world: World) -> None:
    await world.begin("paris", 2)
    await turns(world, 2)
    ada, bruno = world.people[:2]
    post = await propose(world, ada, "@1")
    custom_id = ident(post, "Agree")
    first = world.send_press(bruno, post, custom_id, times=2)
    second = world.send_press(bruno, post, custom_id)
    await world.env.settle()
    assert private(first)
    assert private(second)
    assert (await kinds(world)).count("rollback") == 1


async def test_a_substitute_answers(world: World) -> None:
    await world.begin("paris", 2)
    await turns(world, 2)
    ada, bruno, new = world.people[0], world.people[1], world.people[4]
    post = await propose(world, ada, "@1")
    await bruno.slash(world.channel, "match substitute", user=new)
    assert "to answer" in text(await bruno.click(post, label="Agree"))
    assert "All have agreed" in text(await new.click(post, label="Agree"))
    assert (await world.table()).seat_of(new.id) == 1


# ---- label and private things --------------------------------------------------------------------


async def test_the_label_is_there_when_something_was_revealed_and_only_then(world: World) -> None:
    """Paris Paris draws nothing in the first turns; in Papertown every turn ends with a draw."""
    await world.begin("paris", 3)
    await turns(world, 2)
    plain = await look(world, world.people[0], "@1")
    assert "revealed" not in text(plain)
    room = world.guild.create_text_channel("papertown")
    await world.people[0].slash(room, "papertown new", seats=2)
    await world.people[1].slash(room, "match join")
    await world.people[0].slash(room, "match start")
    service = world.bot.service
    for _ in range(12):
        table = await world.table(room)
        seat = table.waiting()[0]
        move = table.game.legal(table.state, seat)[0]
        with world.env._bot_scope():
            await service.move(table.match.id, table.seats[seat].user_id, move)
        await world.env.settle()
    labelled = await world.people[0].slash(room, COMMAND, to="@1")
    assert "Something hidden has been revealed since then" in text(labelled)
    done = await world.people[0].click(labelled.response, label="Propose")
    assert text(done).startswith("Proposed."), text(done)
    post = next(m for m in reversed(world.posts(room)) if "proposes to" in m.content)
    assert "Something hidden has been revealed since then" in post.content


async def test_a_private_preparation_shows_nowhere(world: World) -> None:
    """Points, preview and status are the same before and after it; the proposal stands; when all
    have agreed its owner is told by direct message, and nobody else."""
    await world.begin("paolo", 3, seats=3)
    rand = random.Random("private")
    found = None
    for _ in range(200):
        table = await world.table()
        found = next(
            (
                (seat, move)
                for seat in range(3)
                if seat not in table.waiting()
                for move in table.game.legal(table.state, seat)
                if table.game.apart(table.state, seat, move) == QUIET
            ),
            None,
        )
        if found is not None:
            break
        await world.move(rand, ask=False)
    assert found is not None
    seat, move = found
    owner = world.person(table, seat)
    asker = next(p for p in world.people[:3] if p is not owner)
    offered = await points(world, asker)
    goal = offered[min(3, len(offered) - 1)]["value"]
    shown = text(await look(world, asker, goal))
    post = await propose(world, asker, goal)
    status = text(await asker.slash(world.channel, "match status"))
    seen = [(m.id, m.content) for m in world.posts()]
    with world.env._bot_scope():
        await world.bot.service.move(table.match.id, owner.id, move)
    await world.env.settle()
    assert [(m.id, m.content) for m in world.posts()] == seen
    assert await points(world, asker) == offered
    assert text(await look(world, asker, goal)) == shown
    assert "proposes" in status
    assert text(await asker.slash(world.channel, "match status")) == status
    before = {p.id: len(p.user.dm_channel.history()) for p in world.people[:3]}
    for person in world.people[:3]:
        if idents(post_now(world, post)) and person is not asker:
            await person.click(post, label="Agree")
    assert (await kinds(world))[-1] == "rollback"
    told = {
        p.id
        for p in world.people[:3]
        for m in p.user.dm_channel.history()[before[p.id] :]
        if "prepared in private since then is gone" in m.content
    }
    assert told == {owner.id}
    entries = await world.bot.service.entries(table.match.id)
    assert not any(e.apart == QUIET and e.seq == entries[-2].seq for e in standing(entries))


# ---- who may, and where --------------------------------------------------------------------------


async def test_strangers_are_offered_nothing(world: World) -> None:
    assert await points(world, world.people[0]) == []
    await world.people[0].slash(world.channel, "paris new")
    assert await points(world, world.people[0]) == []
    await world.people[1].slash(world.channel, "match join")
    await world.people[0].slash(world.channel, "match start")
    nothing = await world.people[0].slash(world.channel, COMMAND, to="1")
    assert text(nothing) == "There is no move to take back yet."
    await turns(world, 1)
    assert await points(world, world.people[5]) == []
    refused = await world.people[5].slash(world.channel, COMMAND, to="@1")
    assert private(refused)
    assert "You do not sit at this table" in text(refused)
    wrong = await world.people[0].slash(world.channel, COMMAND, to="the moon")
    assert "Choose the point from the list" in text(wrong)


async def test_the_preview_is_drawn_as_the_asker_sees_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.begin("pizzachef", 2, seats=2)
    rand = random.Random("preview")
    for _ in range(10):
        await world.move(rand, ask=False)
    drawn: list[Any] = []
    board = world.bot.pictures.board

    async def note(key: str, view: Any, *rest: Any, **more: Any) -> Any:
        drawn.append(view)
        return await board(key, view, *rest, **more)

    monkeypatch.setattr(world.bot.pictures, "board", note)
    for person in world.people[:2]:
        offered = await points(world, person)
        drawn.clear()
        await look(world, person, offered[0]["value"])
        seat = (await world.table()).seat_of(person.id)
        assert [view.viewer for view in drawn] == [seat]


async def test_alone_it_is_done_at_once(world: World) -> None:
    """Own steps need no agreement: the button says so, and nobody is asked."""
    await world.begin("pizzachef", 2, seats=2)
    rand = random.Random("alone")
    for _ in range(150):
        table = await world.table()
        history = await world.bot.service.history(table)
        last = history.moves[-1] if history.moves else None
        if last is not None and last in rollback.offered(table, history):
            person = world.person(table, last.seat)
            preview = await world.bot.service.preview(table.match.id, person.id, last.place)
            if preview.at_once:
                break
        await world.move(rand, ask=False)
    else:
        raise AssertionError("no such step")
    reply = await look(world, person, f"@{last.place}")
    assert "Nobody else has to agree." in text(reply)
    assert [c["label"] for c in parts(reply.response)] == ["Go back", "Never mind"]
    calls = len(world.calls)
    done = await person.click(reply.response, label="Go back")
    assert text(done) == "Done: the match stands where it stood before that."
    assert (await kinds(world))[-1] == "rollback"
    now = await world.table()
    assert world.calls[calls:] == [[now.seats[s].user_id for s in now.waiting()]]


async def test_a_halted_match_goes_on(world: World) -> None:
    table = await world.begin("paris", 2)
    await turns(world, 2)
    await world.bot.store.freeze(table.match.id, "abcd")
    world.bot.service.forget(table.match.id)
    ada, bruno = world.people[:2]
    assert "abcd" in text(await ada.slash(world.channel, "match status"))
    offered = await points(world, ada)
    assert offered[0]["name"] == "where the match stands now"
    reply = await look(world, ada, offered[0]["value"])
    assert "Let this halted match go on as it stands?" in text(reply)
    await ada.click(reply.response, label="Propose")
    post = posted(world)
    assert "halted match" in post.content
    await bruno.click(post, label="Agree")
    assert (await world.table()).match.status == "active"
    assert "➤" in world.board.content
    await world.move()


async def test_a_proposal_lets_sleepers_sleep(world: World) -> None:
    table = await world.begin("paris", 3)
    await turns(world, 3)
    asker, awake, asleep = [world.person(table, seat) for seat in range(3)]
    await sleep(world, asleep, "22:00", "8:00")
    before = len(dms(asleep))
    post = await propose(world, asker, "3")  # 0:00
    assert world.pings(post) == [awake.id]
    assert f"<@{asleep.id}>" in post.content, "named all the same"
    assert "Noted" in text(await awake.click(post, label="Agree"))
    await world.settled_in(7.5 * 3600)
    assert len(dms(asleep)) == before
    await world.settled_in(3600)
    (call,) = dms(asleep)[before:]
    assert "proposes to go back to before this" in call.content
    assert call.content.endswith("Do you agree?")
    assert f"<#{world.channel.id}>" in call.content
    assert "All have agreed" in text(await asleep.user.click(call, label="Agree"))
    assert (await kinds(world))[-1] == "rollback"


async def test_a_proposal_that_is_off_wakes_nobody(world: World) -> None:
    table = await world.begin("paris", 3)
    await turns(world, 3)
    asker, awake, asleep = [world.person(table, seat) for seat in range(3)]
    await sleep(world, asleep, "22:00", "8:00")
    before = len(dms(asleep))
    await awake.click(await propose(world, asker, "3"), label="Refuse")
    await world.settled_in(9 * 3600)
    assert len(dms(asleep)) == before
