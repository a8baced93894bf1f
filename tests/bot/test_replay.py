"""Looking back: positions by buttons, the log in pages, the export and its check elsewhere."""

from __future__ import annotations

import json
import random
import zlib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.cli import main
from bot.exts.table import history
from bot.replays import Replays, differing, key_views, packed
from engines.core.play import Record, replay
from engines.core.registry import games
from tests.bot.table import World, parts, private, sizes, text
from tests.conformance.hooks import Case, cases
from tests.conformance.walk import Walk


def labels(message: Any) -> dict[str, bool]:
    """Buttons of a reply and whether they are on."""
    return {c["label"]: not c.get("disabled", False) for c in parts(message)}


async def call_off(world: World) -> None:
    for seat in (await world.table()).seats:
        await world.person(await world.table(), seat.seat).slash(world.channel, "match end")


# ---- /match replay -------------------------------------------------------------------------------


async def test_stepping_through_a_running_match(world: World) -> None:
    await world.begin()
    for _ in range(3):
        await world.move()
    person = world.people[0]
    opened = await person.slash(world.channel, "match replay")
    assert private(opened)
    reply = opened.response
    assert "the start" in reply.content
    assert labels(reply) == {"First": False, "Back": False, "Forward": True, "Last": True}
    assert [a.filename for a in reply.attachments] == ["position.png"]
    told = []
    for label in ("Forward", "Forward", "Back", "Last", "First", "Last"):
        done = await person.click(reply, label=label)
        assert done.acknowledged
        reply = done.response or reply
        shown = world.channel.history(viewer=person)[-1]
        assert len(shown.attachments) == 1, "one picture, not one more each time"
        told.append(shown.content.split("), ")[1].split(",")[0])
        reply = shown
    assert told == [
        "position 1 of 3",
        "position 2 of 3",
        "position 1 of 3",
        "position 3 of 3",
        "the start",
        "position 3 of 3",
    ]
    await world.move()
    assert labels(raw_of(world, reply))["Last"] is False
    seed = (await world.table()).match.seed
    assert seed not in reply.content
    assert seed not in str(reply.attachments[0].description)


def raw_of(world: World, message: Any) -> Any:
    return world.env.backend.get_message(message.channel.id, message.id)


async def test_buttons_survive_a_restart_and_lead_to_the_present(world: World) -> None:
    await world.begin()
    await world.move()
    person = world.people[1]
    reply = (await person.slash(world.channel, "match replay")).response
    await world.move()
    await world.env.restart_bot(await world.env.make())
    await person.click(reply, label="Last")
    shown = next(m for m in world.channel.history(viewer=person) if m.id == reply.id)
    assert "position 2 of 2" in shown.content


async def test_who_may_look(world: World) -> None:
    table = await world.begin()
    await world.move()
    stranger, elsewhere = world.people[5], world.guild.create_text_channel("elsewhere")
    ident = table.match.id
    seen = await stranger.slash(world.channel, "match replay")
    assert "as everybody saw it" in text(seen)
    for command in ("match replay", "match export"):
        refused = await stranger.slash(elsewhere, command, match=str(ident))
        assert "You sit at no match with that number" in text(refused)
    mine = await world.people[0].slash(elsewhere, "match replay", match=str(ident))
    assert "as you saw it" in text(mine)
    forged = await world.forge(stranger, f"pz1:step:{ident}:1:n")
    assert private(forged)
    await elsewhere_press(world, stranger, elsewhere, ident)
    odd = await world.forge(stranger, f"pz1:step:{ident}:1:z")
    assert "another version" in text(odd)


async def elsewhere_press(world: World, stranger: Any, channel: Any, ident: int) -> None:
    opened = await stranger.slash(channel, "mygames")
    made = {"type": 2, "style": 2, "label": "x", "custom_id": f"pz1:step:{ident}:1:n"}
    refused = await world.press(
        stranger,
        opened.response,
        made["custom_id"],
        components=[{"type": 1, "components": [made]}],
    )
    assert "You do not sit at that table" in text(refused)


async def test_nothing_to_look_back_on(world: World) -> None:
    host = world.people[0]
    assert "no match here" in text(await host.slash(world.channel, "match replay"))
    await host.slash(world.channel, "paris new")
    assert "not started" in text(await host.slash(world.channel, "match replay"))
    assert "when the match is over" in text(await host.slash(world.channel, "match export"))
    await host.slash(world.channel, "match end")
    assert "closed before" in text(await host.slash(world.channel, "match replay"))
    assert "closed before" in text(await host.slash(world.channel, "match export"))


async def test_with_real_pictures(drawn: None, world: World) -> None:
    await world.begin()
    await world.move()
    reply = (await world.people[0].slash(world.channel, "match replay", position=1)).response
    assert len(await reply.attachments[0].read()) > 20_000
    assert "Map of Paris" in reply.attachments[0].description


@pytest.mark.parametrize("case", cases(), ids=repr)
def test_a_viewer_steps_through_what_that_viewer_could_see(case: Case) -> None:
    """Neighbouring positions differ to the viewer, and key positions are few and whole."""
    walk = Walk(case, 5)
    game = case.game
    states = packed_walk(walk)
    for viewer in (None, 0, case.seats - 1):
        seen = differing(game, states, viewer)
        assert seen[0] == 0
        views = [view_of(game, states[n], viewer) for n in seen]
        everything = [view_of(game, blob, viewer) for blob in states]
        assert views == [v for i, v in enumerate(everything) if i == 0 or v != everything[i - 1]]
    keys = key_views(game, states, 6)
    assert 1 <= len(keys) <= 6
    assert keys[-1] == view_of(game, states[-1], None)


def packed_walk(walk: Walk) -> list[bytes]:
    from engines.core.types import pack

    found = []
    for state in walk.positions(every=1):
        found.append(zlib.compress(pack(state), 1))
        if len(found) == 60:
            break
    return found


def view_of(game: Any, blob: bytes, viewer: int | None) -> Any:
    return game.view(game.decode_state(zlib.decompress(blob)), viewer)


async def test_the_cache_is_bounded(world: World) -> None:
    tables = []
    for number in range(3):
        room = world.guild.create_text_channel(f"room-{number}")
        tables.append(await world.begin("paris", 2, channel=room))
    small = Replays(world.bot.service, largest=1)
    for table in tables:
        assert (await small.at(table, None, None)).last == 0
    assert len(small._kept) == 1
    large = Replays(world.bot.service)
    for table in tables:
        await large.at(table, None, 0)
    assert len(large._kept) == 3


# ---- /match log ----------------------------------------------------------------------------------


async def test_log_pages_turn_by_buttons(world: World, monkeypatch: Any) -> None:
    monkeypatch.setattr(history, "PAGE", 150)
    await world.begin()
    for _ in range(4):
        await world.move()
    person = world.people[5]
    reply = (await person.slash(world.channel, "match log")).response
    assert labels(reply) == {"Back": True, "Forward": False}
    newest = reply.content
    await person.click(reply, label="Back")
    shown = world.channel.history(viewer=person)[-1]
    assert shown.content != newest
    await person.click(shown, label="Forward")
    assert world.channel.history(viewer=person)[-1].content == newest
    first = (await person.slash(world.channel, "match log", page=1)).response
    assert labels(first) == {"Back": False, "Forward": True}
    assert "only" in text(await person.slash(world.channel, "match log", page=99))
    assert private(await world.forge(person, f"pz1:log:{(await world.table()).match.id}:0:b"))


async def test_a_short_log_needs_no_buttons(world: World) -> None:
    await world.begin()
    assert not parts((await world.people[0].slash(world.channel, "match log")).response)


# ---- /match export -------------------------------------------------------------------------------


async def exported(world: World, tmp_path: Path) -> Path:
    reply = await world.people[0].slash(world.channel, "match export")
    assert private(reply), text(reply)
    (file,) = reply.response.attachments
    path = tmp_path / file.filename
    path.write_bytes(await file.read())
    return path


@pytest.mark.parametrize(("game", "players"), sizes())
async def test_an_export_replays_elsewhere(
    world: World, game: str, players: int, tmp_path: Path, capsys: Any
) -> None:
    await world.begin(game, players, seats=players)
    rand = random.Random(f"export {game} {players}")
    for _ in range(12):
        if (await world.table()).waiting():
            await world.move(rand, ask=False)
    table = await world.table()
    if table.match.status == "active":
        early = await world.people[0].slash(world.channel, "match export")
        assert "when the match is over" in text(early)
        assert not early.response.attachments
        await call_off(world)
    path = await exported(world, tmp_path)
    assert main(["replay", str(path)]) == 0
    told = capsys.readouterr().out
    assert "every position as recorded" in told
    assert table.match.commitment in told
    record = msgspec.json.decode(path.read_bytes(), type=Record)
    entries = await world.bot.service.entries(table.match.id)
    hashes = [entry.hash for entry in entries]
    assert [entry.hash for entry in record.entries] == hashes
    assert len(list(replay(games()[record.game], record))) == len(hashes) + 1


async def test_a_tampered_export_is_found_out(world: World, tmp_path: Path, capsys: Any) -> None:
    await world.begin()
    for _ in range(4):
        await world.move()
    await call_off(world)
    path = await exported(world, tmp_path)
    good = json.loads(path.read_text())

    def check(change: Any) -> str:
        record = json.loads(json.dumps(good))
        change(record)
        path.write_text(json.dumps(record))
        assert main(["replay", str(path)]) in (1, 2)
        said = capsys.readouterr()
        assert "every position as recorded" not in said.out
        return str(said.err)

    def other_move(record: Any) -> None:
        one, two = record["entries"][0], record["entries"][1]
        one["move"], two["move"] = two["move"], one["move"]

    assert "Differs" in check(other_move)
    assert "Differs" in check(lambda r: r.update(seed="ff" * 32))
    assert "Differs" in check(lambda r: r["entries"].pop(1))
    assert "Differs" in check(lambda r: r["entries"][2].update(seat=7))
    assert "Differs" in check(lambda r: r["entries"][2].update(move='{"kind":"nothing"}'))
    assert "Differs" in check(lambda r: r["entries"][2].update(hash="0" * 32))
    assert "without a hash" in check(lambda r: r["entries"][2].pop("hash"))
    assert "Option “nonsense”" in check(lambda r: r["options"].update(nonsense=1))
    assert "players, not 9" in check(lambda r: r.update(seats=9))
    assert "no exported match" in check(lambda r: r.pop("entries"))
    assert "no game" in check(lambda r: r.update(game="chess"))


def test_packed_is_the_whole_record() -> None:
    """Hashes of what is kept are those of the record."""
    from engines.core.play import Entry
    from engines.core.types import pack, state_hash

    case = cases()[0]
    from engines.core.play import start

    state, _ = start(case.game, case.seats, case.options, seed="01")
    record = Record(
        case.game.meta.key,
        case.game.meta.rules_version,
        case.seats,
        case.options,
        "01",
        state_hash(state),
        tuple[Entry, ...](),
    )
    (blob,) = packed(case.game, record)
    assert zlib.decompress(blob) == pack(state)
