"""Through Discord: planning by the button under a refusal, showing and cancelling, only moves."""

from __future__ import annotations

from typing import Any

from bot.language import speaking, tr
from bot.mentions import CALLED, in_english
from tests.bot.table import World, parts, private, text

SEVEN = f"{7:064x}"
"""Paris Paris for three: seat 0 begins, then 1, 2; face up lie these."""

NICOLAS, NEUF, VOSGES, PARNASSE = (
    "st-nicolas/green", "pont-neuf/blue", "place-des-vosges/blue", "montparnasse/red",
)  # fmt: skip

BUTTON = "Do it when it is my turn"


async def table(world: World, seeds: list[str], seed: str = SEVEN) -> list[Any]:
    """A match of three; who sits on each seat."""
    seeds.append(seed)
    found = await world.begin("paris", 3)
    return [world.person(found, seat) for seat in range(3)]


async def take(world: World, person: Any, tile: str) -> Any:
    return await person.slash(world.channel, "paris open", tile=tile)


def dms(person: Any) -> list[str]:
    channel = person.user.dm_channel
    return [m.content for m in channel.history()] if channel is not None else []


def labels(result: Any) -> list[str]:
    return [str(c.get("label")) for c in parts(result.response)]


def public(world: World) -> str:
    """Everything that is to be read in the channel."""
    return "\n".join(m.content for m in world.posts())


async def test_a_refused_command_is_planned_by_a_button(world: World, seeds: list[str]) -> None:
    ada, bruno, carla = await table(world, seeds)
    refused = await take(world, bruno, "pont neuf")
    assert private(refused)
    assert "It is not your turn" in text(refused)
    assert labels(refused) == [BUTTON]
    before = public(world)
    planned = await bruno.click(refused.response, label=BUTTON)
    assert private(planned)
    assert text(planned).startswith(
        f"Planned: `/paris open tile:{NEUF}`.\nIt stands for: Pont Neuf"
    )
    assert public(world) == before, "nobody else sees it"
    again = await bruno.click(refused.response, label=BUTTON)
    assert "has been used, or it is too old" in text(again)

    world.calls.clear()
    await take(world, ada, PARNASSE)
    assert (await world.table()).waiting() == (2,)
    assert world.calls == [[carla.id]], "one mention, of who is to act now"
    post = world.posts()[-1].content
    assert "Ada took" in post
    assert "Bruno took Pont Neuf" in post
    assert "plan" not in post.casefold()
    assert f"Your plan `/paris open tile:{NEUF}` was carried out." in dms(bruno)[-1]
    assert not any("plan" in m for p in (ada, carla) for m in dms(p))
    assert "You have no plans here" in text(await bruno.slash(world.channel, "match plans"))


async def test_the_button_works_after_a_restart_and_for_nobody_else(
    world: World, seeds: list[str]
) -> None:
    ada, bruno, carla = await table(world, seeds)
    refused = await take(world, bruno, NEUF)
    (ident,) = [c["custom_id"] for c in parts(refused.response)]
    assert len(ident) <= 100
    assert NEUF not in ident
    await world.env.restart_bot(await world.env.make())
    for person in (ada, carla, world.people[5]):
        stolen = await world.forge(person, ident)
        assert private(stolen)
        assert "Planned" not in text(stolen)
    planned = await bruno.click(refused.response, label=BUTTON)
    assert "Planned" in text(planned)
    await world.env.restart_bot(await world.env.make())
    await take(world, ada, PARNASSE)
    assert (await world.table()).waiting() == (2,)


async def test_a_plan_is_cancelled_with_the_reason(world: World, seeds: list[str]) -> None:
    ada, bruno, carla = await table(world, seeds)
    planned = await bruno.slash(world.channel, "match plan", move=f"open tile:{NEUF}")
    assert "Planned" in text(planned)
    world.calls.clear()
    await take(world, ada, NEUF)
    assert world.calls == [[bruno.id]]
    why = "That tile has already been used in this round."
    assert f"Your plan `/paris open tile:{NEUF}` was cancelled: {why}" in dms(bruno)[-1]
    shown = await bruno.slash(world.channel, "match plans")
    assert private(shown)
    assert f"was cancelled: {why}" in text(shown)
    assert "cancelled" not in public(world)
    assert not any("cancelled" in m for p in (ada, carla) for m in dms(p))
    log = await carla.slash(world.channel, "match log")
    assert "cancelled" not in text(log)


async def test_plans_are_shown_and_cancelled_by_buttons(world: World, seeds: list[str]) -> None:
    ada, bruno, carla = await table(world, seeds)
    for tile in (NEUF, VOSGES):
        await bruno.slash(world.channel, "match plan", move=f"open tile:{tile}")
    shown = await bruno.slash(world.channel, "match plan")
    assert private(shown)
    assert f"1. `/paris open tile:{NEUF}` – Pont Neuf" in text(shown)
    assert labels(shown) == ["Cancel 1", "Cancel 2", "Cancel all"]
    idents = [c["custom_id"] for c in parts(shown.response)]
    for ident in idents:
        assert "Cancelled" not in text(await world.forge(carla, ident))
    assert text(await bruno.click(shown.response, label="Cancel 1")) == "Cancelled."
    gone = await bruno.click(shown.response, label="Cancel 1")
    assert "not there any more" in text(gone)
    await bruno.click(shown.response, label="Cancel all")
    await take(world, ada, PARNASSE)
    assert (await world.table()).waiting() == (1,)
    other = await carla.slash(world.channel, "match plans")
    assert "You have no plans here" in text(other)
    stranger = await world.people[5].slash(world.channel, "match plans")
    assert "do not sit at this table" in text(stranger)


async def test_what_cannot_be_planned_is_explained(world: World, seeds: list[str]) -> None:
    ada, bruno, _ = await table(world, seeds)
    for move, why in (
        ("shop here", "A plan begins with a command of Paris Paris: `open`"),
        ("open", "Say also `tile`"),
        ("open tile:Rome", "does not name one thing that is there now"),
        ("open tile:louvre/blue", "does not name one thing that is there now"),
    ):
        reply = await bruno.slash(world.channel, "match plan", move=move)
        assert private(reply)
        assert why in text(reply)
    now = await ada.slash(world.channel, "match plan", move=f"open tile:{NEUF}")
    assert "It is your turn, so you need no plan" in text(now)
    refused = await take(world, bruno, "Rome")
    assert labels(refused) == [], "what is nothing is not offered for later"


async def test_players_who_wait_are_offered_what_lies_there(world: World, seeds: list[str]) -> None:
    _, bruno, _ = await table(world, seeds)
    offered = await bruno.autocomplete(world.channel, "paris open", "tile", "pont")
    assert [c["value"] for c in offered] == [NEUF]
    plans = await bruno.autocomplete(world.channel, "match plan", "move", "")
    assert [c["value"] for c in plans] == ["open tile:"]
    plans = await bruno.autocomplete(world.channel, "match plan", "move", "open tile:pl")
    assert [c["value"] for c in plans] == [f"open tile:{VOSGES}"]
    nobody = world.people[5]
    assert await nobody.autocomplete(world.channel, "match plan", "move", "open tile:") == []


async def test_two_plans_and_an_only_move_in_one_go(world: World, seeds: list[str]) -> None:
    """Seats 2, 0, 1; of the four tiles two are equal, so that seat 1 has no choice in the end."""
    ada, bruno, carla = await table(world, seeds, f"{19:064x}")
    chosen = await bruno.slash(world.channel, "match forced", play="on")
    assert private(chosen)
    assert "others may notice that you had no choice" in text(chosen)
    await ada.slash(world.channel, "match plan", move="open tile:quartier-latin/orange")
    world.calls.clear()
    await take(world, carla, "concorde/blue")
    post = world.posts()[-1].content
    for name in ("Carla", "Ada", "Bruno"):
        assert f"{name} took" in post
    assert (await world.table()).waiting() == (0,)
    assert world.calls == [[ada.id]], "the next round is Ada's, and she is called once"
    assert len(dms(bruno)) == len([m for m in dms(bruno) if "plan" not in m]), "no news of help"


async def test_a_substitute_learns_nothing_of_plans(world: World, seeds: list[str]) -> None:
    ada, bruno, _ = await table(world, seeds)
    zoe = world.people[4]
    refused = await take(world, bruno, VOSGES)
    await bruno.slash(world.channel, "match plan", move=f"open tile:{NEUF}")
    await bruno.slash(world.channel, "match substitute", user=zoe)
    assert "You have no plans here" in text(await zoe.slash(world.channel, "match plans"))
    assert "do not sit" in text(await bruno.slash(world.channel, "match plans"))
    pressed = await bruno.click(refused.response, label=BUTTON)
    assert "do not sit" in text(pressed)
    await take(world, ada, PARNASSE)
    assert (await world.table()).waiting() == (1,)
    assert not any("plan" in m for m in dms(zoe))


async def test_news_of_a_plan_do_not_reach_who_has_the_seat_after(
    world: World, seeds: list[str]
) -> None:
    """Discord fails just then; when the message goes out, the seat is somebody else's."""
    ada, bruno, _ = await table(world, seeds)
    zoe = world.people[4]
    await bruno.slash(world.channel, "match plan", move=f"open tile:{NEUF}")
    dm = f"/channels/{bruno.user.dm_channel.id}/messages"
    world.env.inject_error("POST", dm, status=500, times=None)
    await take(world, ada, NEUF)
    await bruno.slash(world.channel, "match substitute", user=zoe)
    world.env.backend.faults.clear()
    await world.settled_in(600)
    assert not any("plan" in m for m in dms(zoe))
    assert any("You now play the seat of Bruno" in m for m in dms(zoe))


async def test_the_wish_is_kept_in_settings(world: World, seeds: list[str]) -> None:
    _, bruno, _ = await table(world, seeds)
    shown = await bruno.slash(world.channel, "settings")
    assert "Your only possible moves: **left to you**." in text(shown)
    await bruno.slash(world.channel, "settings", play_forced=True)
    assert "**made for you**" in text(await bruno.slash(world.channel, "settings"))
    off = await bruno.slash(world.channel, "match forced", play="off")
    assert text(off) == "You make all your moves yourself, also where there is only one."
    default = await bruno.slash(world.channel, "match forced", play="default")
    assert "moves are made for you" in text(default)


async def test_an_undo_takes_a_planned_move_back(world: World, seeds: list[str]) -> None:
    ada, bruno, carla = await table(world, seeds)
    await bruno.slash(world.channel, "match plan", move=f"open tile:{NEUF}")
    await take(world, ada, PARNASSE)
    late = await ada.slash(world.channel, "match undo")
    assert "Only the latest move can be taken back" in text(late)
    world.calls.clear()
    back = await bruno.click(world.board, label="Undo")
    assert "Your last step is taken back" in text(back)
    assert (await world.table()).waiting() == (1,)
    assert world.calls == [[bruno.id]]
    assert carla.id not in world.calls[0]


async def test_plans_are_typed_and_read_in_ones_own_language(
    world: World, seeds: list[str]
) -> None:
    """With the names that Discord shows: ``/paris apri tessera:…``; English ones stay good."""
    await table(world, seeds)
    paris = CALLED["it"].commands["paris"]
    opening = paris.commands["open"]
    assert opening.name != "open"
    words = f"{opening.name} {opening.options['tile']}:{NEUF}"
    for said in (words, f"/{paris.name} {words}", f"open tile:{NEUF}", f"/paris open tile:{NEUF}"):
        assert in_english(said, "paris", "it").removeprefix("/paris ") == f"open tile:{NEUF}"
    assert in_english(words, "paris", "en") == words
    with speaking("it"):
        told = tr("Your plan `{plan}` was carried out.", plan=f"/paris open tile:{NEUF}")
    assert f"`/{paris.name} {words}`" in told


async def test_who_waits_is_told_of_planning(world: World, seeds: list[str]) -> None:
    _, bruno, _ = await table(world, seeds)
    reply = await bruno.click(world.board, label="My move")
    assert "`/match plan` keeps a move for when it is your turn" in text(reply)


async def test_plans_by_direct_message(world: World, seeds: list[str]) -> None:
    """Where the news of plans come, they can be looked at, too."""
    ada, bruno, _ = await table(world, seeds)
    made = await bruno.user.slash("match plan", move=f"open tile:{NEUF}")
    assert "Planned" in text(made)
    assert f"1. `/paris open tile:{NEUF}`" in text(await bruno.user.slash("match plans"))
    await take(world, ada, PARNASSE)
    assert (await world.table()).waiting() == (2,)
