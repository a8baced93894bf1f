"""Votes and proposals that a pause or a move to another channel comes between."""

from __future__ import annotations

from typing import Any

from bot.language import tr
from bot.service import notice
from tests.bot.table import World, idents, text
from tests.bot.test_care import dms, late, said
from tests.bot.test_order import boss  # noqa: F401
from tests.bot.test_presence import sleep
from tests.bot.test_rollback import propose, turns

HOUR = 3600

VOTE = {"vskip", "vwait", "vhand"}


def actions(message: Any) -> set[str]:
    """The words of a message's buttons."""
    return {found.split(":")[1] for found in idents(message)}


def again(world: World, post: Any) -> Any:
    """A post as it stands now."""
    return next(m for m in world.posts() if m.id == post.id)


async def test_a_press_during_a_pause_leaves_the_vote_its_buttons(world: World) -> None:
    await world.begin("paris", 3, clock="move", hours=24)
    who, others, post = await late(world)
    await world.people[0].slash(world.channel, "match pause")
    assert "paused" in text(await others[0].click(post, label="Skip"))
    await others[0].slash(world.channel, "match resume")
    assert actions(again(world, post)) == VOTE
    await others[0].click(again(world, post), label="Skip")
    assert "Settled" in text(await others[1].click(again(world, post), label="Skip"))
    assert not idents(again(world, post))
    assert await world.active() is not who


async def test_a_vote_whose_post_was_held_back_until_the_pause_can_be_cast_after_it(
    world: World,
) -> None:
    await world.begin("paris", 3, clock="move", hours=24)
    world.env.inject_error(
        "POST", f"/channels/{world.channel.id}/messages", status=500, code=0, times=None
    )
    table = await world.table()
    seat = table.waiting()[0]
    await world.settled_in(25 * HOUR)
    assert not said(world, "has run out of time")
    await world.people[0].slash(world.channel, "match pause")
    world.env.backend.faults.clear()
    await world.settled_in(2 * HOUR)
    await world.people[0].slash(world.channel, "match resume")
    (post,) = said(world, "has run out of time")
    first, second = [world.person(table, s.seat) for s in table.seats if s.seat != seat]
    await first.click(post, label="Skip")
    assert "Settled" in text(await second.click(post, label="Skip"))


async def test_who_sleeps_into_a_pause_is_called_after_it(world: World) -> None:
    table = await world.begin("paris", 3, clock="move", hours=24)
    seat = table.waiting()[0]
    _, asleep = [world.person(table, s.seat) for s in table.seats if s.seat != seat]
    await sleep(world, asleep, "22:00", "8:00")
    await late(world)  # 1:00
    await world.people[0].slash(world.channel, "match pause")
    await world.settled_in(8 * HOUR)  # 9:00
    assert not [m for m in dms(asleep) if "Your vote is missing" in m.content]
    await world.people[0].slash(world.channel, "match resume")
    await world.settled_in(2 * HOUR)
    (call,) = [m for m in dms(asleep) if "Your vote is missing" in m.content]
    assert actions(call) == VOTE


async def test_an_open_vote_of_a_paused_match_goes_along(
    world: World,
    boss: Any,  # noqa: F811
) -> None:
    table = await world.begin("paris", 3, clock="move", hours=24)
    office = world.guild.create_text_channel("office")
    await late(world)
    await world.people[0].slash(world.channel, "match pause")
    await boss.slash(office, "admin move", channel=office, match=str(table.match.id))
    world.channel = office
    (post,) = said(world, "has run out of time")
    assert actions(post) == VOTE


async def test_an_open_proposal_goes_along(world: World, boss: Any) -> None:  # noqa: F811
    await world.begin("paris", 3)
    await turns(world, 3)
    table = await world.table()
    asker = world.person(table, table.waiting()[0])
    await propose(world, asker, "3")
    first, second = [p for p in world.people[:3] if p is not asker]
    await first.click(world.posts()[-1], label="Agree")
    office = world.guild.create_text_channel("office")
    world.env.backend.delete_channel(world.channel.id)
    await world.env.settle()
    await boss.slash(office, "admin move", channel=office, match=str(table.match.id))
    world.channel = office
    (post,) = said(world, "proposes to go back")
    assert actions(post) == {"rbyes", "rbno"}
    assert world.pings(post) == [second.id], "who has agreed is not asked again"
    assert "All have agreed" in text(await second.click(post, label="Agree"))


async def test_a_call_that_comes_late_names_no_seat_that_plays_by_itself(world: World) -> None:
    """Two are asked to agree; one of them has resigned before the post can be sent."""
    await world.begin("paris", 3)
    ada, bruno, carla = world.people[:3]
    table = await world.table()
    world.env.inject_error(
        "POST", f"/channels/{world.channel.id}/messages", status=500, code=0, times=None
    )
    calls = " ".join(f"<@{person.id}>" for person in (ada, bruno, carla))
    row = notice(tr("Hello {who}.", who=calls), mention=[0, 1, 2])
    with world.env._bot_scope():
        await world.bot.service.tell_once(table, "hello", row)
    await world.env.settle()
    await world.bot.service.resign(table.match.id, carla.id)
    world.env.backend.faults.clear()
    await world.settled_in(HOUR)
    (post,) = [m for m in world.posts() if m.content == f"Hello {calls}."]
    assert sorted(world.pings(post)) == sorted([ada.id, bruno.id])
