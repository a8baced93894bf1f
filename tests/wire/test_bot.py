"""The real bot on the unmodified discord.py client and real sockets."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.app import PiazzaBot
from bot.errors import Repeated
from tests.wire.interactions import COMMAND, CommandData
from tests.wire.openapi import OpenAPI
from tests.wire.server import LoopbackDiscord
from tests.wire.table import (
    CALLBACK,
    MESSAGES,
    ONE_MESSAGE,
    Party,
    boards,
    idle,
    live,
    open_shop,
    piazza,
    pick_shop,
    picture_of,
    rows,
    settled,
    table_at,
    tile_args,
)


@pytest.fixture(autouse=True)
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.outbox.FIRST_RETRY_MS", 60)


@pytest.fixture
def party(discord_: LoopbackDiscord) -> Party:
    return Party(discord_)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "piazza.db"


async def moved(bot: PiazzaBot, party: Party) -> None:
    """The next move, and all that it announces."""
    table = await table_at(bot, party.channel)
    reply = await open_shop(party.whose(table), party.channel)
    assert reply.content.startswith("Done: Open a shop"), reply.content
    await settled(bot)


# boot


async def test_boot_and_commands(discord_: LoopbackDiscord, party: Party, path: Path) -> None:
    async with piazza(discord_, path):
        (sync,) = discord_.sent("PUT", r"/applications/\d+/commands")
        assert sync.status == 200
        names = {command["name"] for command in discord_.global_commands}
        assert {"paris", "match", "board", "hand", "rules", "mygames", "settings"} <= names
        (identify,) = discord_.gateway.identifies
        assert identify["intents"] == 1, "guilds and nothing else"
        assert not discord_.sent("POST", MESSAGES)


async def test_commands_against_the_description(
    discord_: LoopbackDiscord, party: Party, path: Path, description: OpenAPI
) -> None:
    async with piazza(discord_, path):
        (sync,) = discord_.sent("PUT", r"/applications/\d+/commands")
        found = description.check(sync.method, sync.path, {}, sync.json, has_body=True)
        assert found == []


# playing


async def test_rounds_by_slash_commands(
    discord_: LoopbackDiscord, party: Party, path: Path
) -> None:
    async with piazza(discord_, path) as bot:
        await party.begin(bot, 3)
        lobby, first = party.channel.messages
        assert "has begun" in lobby.content
        assert not lobby.buttons
        assert first.pings == [party.whose(await table_at(bot, party.channel))]
        for number in range(8):
            table = await table_at(bot, party.channel)
            actor = party.whose(table)
            idle = next(p for p in party.people[:3] if p is not actor)
            assert await tile_args(idle, party.channel) == {}
            await moved(bot, party)
            board = boards(party.channel)[-1]
            picture_of(board)
            after = party.whose(await table_at(bot, party.channel))
            if after is actor:
                continue  # with three players nobody moves twice, but for the bus
            assert len(boards(party.channel)) == number + 2
            assert board.pings == [after]
            assert not board.pings_everyone
            assert board.edits == 0
        assert live(party.channel) == [boards(party.channel)[-1]]
        # multipart, the picture in it, the nonce enforced
        for post in discord_.sent("POST", MESSAGES):
            assert post.json["enforce_nonce"] is True
            assert post.json["allowed_mentions"]["parse"] == []
        assert all(p.multipart for p in discord_.sent("POST", MESSAGES)[1:])


async def test_moves_by_buttons(discord_: LoopbackDiscord, party: Party, path: Path) -> None:
    async with piazza(discord_, path) as bot:
        await party.begin(bot, 2)
        for _ in range(4):
            before = await table_at(bot, party.channel)
            head, person = before.match.head_seq, party.whose(before)
            done = await pick_shop(person, boards(party.channel)[-1])
            assert done.updated
            assert done.content.startswith("Done: Open a shop"), done.content
            assert not done.message.buttons
            await settled(bot)
            assert (await table_at(bot, party.channel)).match.head_seq > head
        # the picker shows the board with the choices marked
        person = party.whose(await table_at(bot, party.channel))
        opened = await person.click(boards(party.channel)[-1], label="My move")
        await discord_.until(lambda: opened.message.attachments, what="the picker's picture")
        picture_of(opened.message)


async def test_a_whole_turn_of_two_moves_is_one_post(
    discord_: LoopbackDiscord, party: Party, path: Path
) -> None:
    """Where the same player stays to act, the board is edited in place and nobody is pinged."""
    async with piazza(discord_, path) as bot:
        await party.begin(bot, 2)
        again = 0
        for _ in range(12):
            actor = party.whose(await table_at(bot, party.channel))
            before = boards(party.channel)
            edits = before[-1].edits
            await moved(bot, party)
            after = boards(party.channel)
            if party.whose(await table_at(bot, party.channel)) is actor:
                again += 1
                assert after == before
                assert after[-1].edits == edits + 1
                picture_of(after[-1])
                assert after[-1].pings == [actor], "from its posting, once"
            else:
                assert len(after) == len(before) + 1
                assert len(after[-1].pings) == 1
            assert live(party.channel) == [after[-1]]
        assert again, "no turn of two moves in this match"


async def test_undo_edits_and_names_nothing(
    discord_: LoopbackDiscord, party: Party, path: Path
) -> None:
    async with piazza(discord_, path) as bot:
        table = await party.begin(bot, 3)
        actor = party.whose(table)
        await moved(bot, party)
        undone = await actor.click(boards(party.channel)[-1], label="Undo")
        assert undone.content == "Your last step is taken back."
        await settled(bot)
        assert party.whose(await table_at(bot, party.channel)) is actor
        assert boards(party.channel)[-1].pings == [actor]
        stale = boards(party.channel)[-2]
        assert not stale.buttons


async def test_hands_are_private(discord_: LoopbackDiscord, party: Party, path: Path) -> None:
    async with piazza(discord_, path) as bot:
        table = await party.begin(bot, 3)
        for seat in range(3):
            person = party.at_seat(table, seat)
            (dm,) = discord_.dms(person)
            assert "marker" in dm.content
            shown = await person.click(boards(party.channel)[-1], label="My hand")
            assert shown.ephemeral
            line = dm.content.splitlines()[-1]
            assert line in shown.content
            for public in party.channel.messages:
                assert line not in public.text
        outsider = party.people[4]
        refused = await outsider.click(boards(party.channel)[-1], label="My hand")
        assert refused.ephemeral
        assert "do not sit" in refused.content


async def test_a_stale_button_is_refused_politely(
    discord_: LoopbackDiscord, party: Party, path: Path
) -> None:
    async with piazza(discord_, path) as bot:
        table = await party.begin(bot, 2)
        person = party.whose(table)
        opened = await person.click(boards(party.channel)[-1], label="My move")
        select = next(part for part in opened.message.parts if part["type"] == 3)
        await moved(bot, party)
        late = await person.select(opened, select["custom_id"], [select["options"][0]["value"]])
        assert late.ephemeral
        # in a turn of two moves the same person may be asked anew; otherwise they are told why not
        assert "table" in late.content.lower()
        assert (await table_at(bot, party.channel)).match.head_seq == table.match.head_seq


# the gateway


@pytest.mark.parametrize("abort", [False, True], ids=["closed", "cut"])
async def test_a_move_during_an_outage(
    discord_: LoopbackDiscord, party: Party, path: Path, abort: bool
) -> None:
    async with piazza(discord_, path) as bot:
        table = await party.begin(bot, 3)
        head = table.match.head_seq
        person = party.whose(table)
        args = await tile_args(person, party.channel)
        async with discord_.outage(abort=abort):
            missed = asyncio.create_task(person.slash(party.channel, "paris open", **args))
            await asyncio.sleep(0.1)
            assert not missed.done()
            assert (await table_at(bot, party.channel)).match.head_seq == head
        reply = await missed
        assert reply.content.startswith("Done: Open a shop")
        [resume] = discord_.gateway.resumes
        assert resume["ok"]
        await settled(bot)
        log = await bot.store.log(table.match.id)
        assert [entry.actor_id for entry in log[1:]] == [person.id]
        assert len(boards(party.channel)) == 2


async def test_an_interaction_delivered_twice_applies_once(
    discord_: LoopbackDiscord, party: Party, path: Path
) -> None:
    async with piazza(discord_, path) as bot:
        table = await party.begin(bot, 2)
        person = party.whose(table)
        reply = await open_shop(person, party.channel)
        await settled(bot)
        count = len(await bot.store.log(table.match.id))
        session = discord_.gateway.session
        assert session is not None
        callbacks = len(discord_.sent("POST", CALLBACK))
        session.append("INTERACTION_CREATE", reply.payload())
        await discord_.until(
            lambda: len(discord_.sent("POST", CALLBACK)) > callbacks, what="an answer"
        )
        assert discord_.sent("POST", CALLBACK)[-1].status == 400  # acknowledged already
        await settled(bot)
        assert len(await bot.store.log(table.match.id)) == count
        # refused as done, whether or not the move would be legal now
        for someone in party.people[:2]:
            with pytest.raises(Repeated):
                await bot.service.pick(
                    table.match.id,
                    someone.id,
                    lambda t, seat: (t.game.legal(t.state, t.waiting()[0])[0], None),
                    interaction_id=reply.id,
                )


# trouble with posts


async def check_told_once(bot: PiazzaBot, party: Party) -> None:
    """Every row is told, by a message that exists, and no message is without a row."""
    await settled(bot)
    done = await rows(bot)
    assert [(r.kind, r.payload, r.error) for r in done if r.done_at is None or r.error] == []
    told = {row.message_id for row in done if row.kind in ("turn", "notice")}
    assert told == {message.id for message in party.channel.messages}


async def test_429_on_the_board_post(discord_: LoopbackDiscord, party: Party, path: Path) -> None:
    async with piazza(discord_, path) as bot:
        await party.begin(bot, 3)
        fault = discord_.fail_next("POST", MESSAGES, status=429, retry_after=0.1, times=2)
        await moved(bot, party)
        assert len(fault.hits) == 2
        await check_told_once(bot, party)
        assert len(boards(party.channel)) == 2


@pytest.mark.parametrize("applied", [False, True], ids=["lost", "applied"])
async def test_500_on_the_board_post(
    discord_: LoopbackDiscord, party: Party, path: Path, applied: bool
) -> None:
    async with piazza(discord_, path) as bot:
        await party.begin(bot, 3)
        discord_.fail_next("POST", MESSAGES, status=500, applied=applied)
        await moved(bot, party)
        await check_told_once(bot, party)
        assert len(boards(party.channel)) == 2
        assert len(boards(party.channel)[-1].pings) == 1


@pytest.mark.parametrize("applied", [False, True], ids=["lost", "applied"])
@pytest.mark.parametrize("how", ["503", "cut"])
async def test_a_post_of_unknown_fate(
    discord_: LoopbackDiscord, party: Party, path: Path, how: str, applied: bool
) -> None:
    """discord.py does not try again; the outbox does, and the nonce keeps it from doubling."""
    async with piazza(discord_, path) as bot:
        await party.begin(bot, 3)
        fault = (
            discord_.fail_next("POST", MESSAGES, status=503, applied=applied, times=2)
            if how == "503"
            else discord_.fail_next("POST", MESSAGES, cut=True, applied=applied, times=2)
        )
        await moved(bot, party)
        assert len(fault.hits) == 2
        nonces = {request.json["nonce"] for request in fault.hits}
        assert len(nonces) == 1
        await check_told_once(bot, party)
        assert len(boards(party.channel)) == 2
        assert live(party.channel) == [boards(party.channel)[-1]]


@pytest.mark.parametrize("code", [10008, 30046])
async def test_a_board_that_cannot_be_edited(
    discord_: LoopbackDiscord, party: Party, path: Path, code: int
) -> None:
    async with piazza(discord_, path) as bot:
        await party.begin(bot, 2)
        for _ in range(12):  # until a turn of two moves
            table = await table_at(bot, party.channel)
            actor = party.whose(table)
            posts = len(boards(party.channel))
            fault = discord_.fail_next("PATCH", ONE_MESSAGE, code=code)
            old = boards(party.channel)[-1]
            await moved(bot, party)
            discord_.faults.remove(fault)
            if party.whose(await table_at(bot, party.channel)) is actor:
                break
        else:
            raise AssertionError("no turn of two moves in this match")
        assert fault.hits
        assert len(boards(party.channel)) == posts + 1
        picture_of(boards(party.channel)[-1])
        assert boards(party.channel)[-1] is not old
        await moved(bot, party)


async def test_a_moderator_deletes_the_board(
    discord_: LoopbackDiscord, party: Party, path: Path
) -> None:
    async with piazza(discord_, path) as bot:
        await party.begin(bot, 2)
        for _ in range(6):
            boards(party.channel)[-1].delete()
            await moved(bot, party)
            picture_of(party.channel.last)
            assert live(party.channel) == [party.channel.last]


async def test_a_deleted_channel_harms_nobody(discord_: LoopbackDiscord, path: Path) -> None:
    party = Party(discord_, channels=2)
    async with piazza(discord_, path) as bot:
        lost = await party.begin(bot, 2)
        await party.begin(bot, 2, channel=party.channels[1])
        args = await tile_args(party.whose(lost), party.channel)
        # the command is on its way when the channel goes
        discord_.delay_next("POST", CALLBACK, 0.05)
        reply = asyncio.create_task(party.whose(lost).slash(party.channel, "paris open", **args))
        await discord_.until(lambda: discord_.faults[-1].hits, what="the answer")
        party.channel.delete()
        assert (await reply).content.startswith("Done")
        await settled(bot)
        dropped = [row for row in await rows(bot) if row.match_id == lost.match.id][-1]
        assert dropped.error is None or "gone" in dropped.error
        after = await bot.service.table(lost.match.id)
        assert after.match.status == "active"
        assert after.match.head_seq > 0
        other = await table_at(bot, party.channels[1])
        done = await open_shop(party.whose(other), party.channels[1])
        assert done.content.startswith("Done")
        mine = await party.people[0].slash(party.channels[1], "mygames")
        assert f"#{lost.match.id}" in mine.content


async def test_lost_permissions_hold_the_post_back_only(
    discord_: LoopbackDiscord, party: Party, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with piazza(discord_, path) as bot:
        await party.begin(bot, 3)
        party.channel.set_permissions(discord_.bot_user, deny=["send_messages"])
        table = await table_at(bot, party.channel)
        reply = await open_shop(party.whose(table), party.channel)
        assert reply.content.startswith("Done")
        await discord_.until(
            lambda: any(r.status == 403 for r in discord_.sent("POST", MESSAGES)),
            what="a refusal",
        )
        await idle(bot)
        assert await bot.store.pending_count() == 1
        # the next move tries again at once, and one post tells both
        party.channel.set_permissions(discord_.bot_user, allow=["send_messages"])
        await moved(bot, party)
        assert len(boards(party.channel)) == 2
        assert boards(party.channel)[-1].content.count("opened a shop") == 2


# trouble with direct messages and answers


async def test_closed_direct_messages(discord_: LoopbackDiscord, party: Party, path: Path) -> None:
    async with piazza(discord_, path) as bot:
        party.people[0].dms_open = party.people[1].dms_open = False
        table = await party.begin(bot, 3)
        assert discord_.dms(party.people[0]) == []
        hints = [m for m in party.channel.messages if "direct messages" in m.content]
        assert len(hints) == 1, "told once, whoever it is"
        assert not hints[0].pings
        assert not any(p.mention in hints[0].content for p in party.people)
        assert len(discord_.dms(party.people[2])) == 1
        person = party.at_seat(table, table.seat_of(party.people[0].id) or 0)
        hand = await person.slash(party.channel, "hand")
        assert hand.ephemeral
        assert "marker" in hand.content
        await moved(bot, party)


async def test_a_hand_of_unknown_fate(discord_: LoopbackDiscord, party: Party, path: Path) -> None:
    async with piazza(discord_, path) as bot:
        dm = party.people[0].dm
        discord_.fail_next("POST", rf"/channels/{dm.id}/messages", cut=True, applied=True, times=2)
        await party.begin(bot, 2)
        for person in party.people[:2]:
            assert len(discord_.dms(person)) == 1


async def test_an_answer_that_is_cut(discord_: LoopbackDiscord, party: Party, path: Path) -> None:
    """The move stands and is announced, and nobody is told that something went wrong."""
    async with piazza(discord_, path) as bot:
        table = await party.begin(bot, 3)
        discord_.fail_next("POST", CALLBACK, cut=True, applied=True, times=1)
        person = party.whose(table)
        builder = CommandData(discord_, person, party.channel, "paris open")
        tiles = builder.full({"tile": table.view(None).face_up[0]})
        reply = await discord_.act.send(person, party.channel, COMMAND, tiles)
        assert reply.content.startswith("Done"), reply.content
        await settled(bot)
        assert len(boards(party.channel)) == 2
        assert len(discord_.sent("POST", CALLBACK)) == 5  # new, two joins, start and this one
