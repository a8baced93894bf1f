"""The real bot on real sockets, and people who play Paris Paris with it."""

from __future__ import annotations

import asyncio
import contextlib
import io
import itertools
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from bot.app import PiazzaBot
from bot.config import Settings
from bot.service import Table
from engines.core.surface import STAMP
from storage.records import OutboxRow
from storage.store import Store
from tests.wire.interactions import Interaction
from tests.wire.model import Channel, Guild, Message, User
from tests.wire.server import LoopbackDiscord

NAMES = ("Ada", "Bruno", "Carla", "Dario", "Elena")
BOARD_BYTES = 300 * 1024
ALT = 1024

MESSAGES = r"/channels/\d+/messages"
ONE_MESSAGE = r"/channels/\d+/messages/\d+"
CALLBACK = r"/interactions/.*/callback"


def settings(path: Path) -> Settings:
    """Settings that no environment of the machine reaches."""
    return Settings(_env_file=None, db=path, token="", guild=None)  # type: ignore[call-arg]


@contextlib.asynccontextmanager
async def piazza(discord_: LoopbackDiscord, path: Path) -> AsyncIterator[PiazzaBot]:
    """The bot, connected; its seeds are 1, 2, 3 …"""
    count = itertools.count(1)
    async with await Store.open(path) as store:
        bot = PiazzaBot(settings(path), store, new_seed=lambda: f"{next(count):064x}")
        async with discord_.running(bot):
            yield bot


async def settled(bot: PiazzaBot, within: float = 20.0) -> None:
    """Wait until nothing is left to be sent."""
    async with asyncio.timeout(within):
        while await bot.store.pending_count() or bot.outbox._running:  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def idle(bot: PiazzaBot) -> None:
    """Wait until nothing is being sent, though something may wait for another attempt."""
    while bot.outbox._running:  # noqa: ASYNC110
        await asyncio.sleep(0.005)


async def rows(bot: PiazzaBot) -> list[OutboxRow]:
    """The whole outbox, sent rows included."""
    names = ", ".join(OutboxRow.__struct_fields__)
    found = await bot.store._rows(f"SELECT {names} FROM outbox ORDER BY id")
    return [OutboxRow(*row) for row in found]


class Party:
    """A server with five people and a channel to play in."""

    def __init__(self, discord_: LoopbackDiscord, channels: int = 1) -> None:
        self.discord = discord_
        self.people: list[User] = [discord_.add_user(name) for name in NAMES]
        self.guild: Guild = discord_.add_guild("Rialto")
        self.channels: list[Channel] = [
            self.guild.add_text_channel(f"table-{n}") for n in range(channels)
        ]
        self.channel = self.channels[0]

    async def begin(
        self, bot: PiazzaBot, players: int = 2, *, channel: Channel | None = None
    ) -> Table:
        """Open a table, seat people, start, and wait until all that has been told."""
        where = channel or self.channel
        await start_match(self.people[:players], where)
        await settled(bot)
        return await table_at(bot, where)

    def whose(self, table: Table) -> User:
        """Who is to act."""
        return self.at_seat(table, table.waiting()[0])

    def at_seat(self, table: Table, seat: int) -> User:
        """Who sits there."""
        return self.discord.users[table.seats[seat].user_id]


async def table_at(bot: PiazzaBot, channel: Channel) -> Table:
    """The channel's match."""
    found = await bot.service.at(channel.id)
    assert found is not None
    return found


async def start_match(people: Sequence[User], channel: Channel) -> None:
    """By slash commands and the lobby's button."""
    opened = await people[0].slash(channel, "paris new", seats=len(people))
    assert "is open" in opened.content, opened.content
    for person in people[1:]:
        joined = await person.slash(channel, "match join")
        assert "You sit at the table" in joined.content, joined.content
    started = await people[0].slash(channel, "match start")
    assert started.content == "The match has begun.", started.content


async def tile_args(person: User, channel: Channel) -> dict[str, Any]:
    """What autocomplete offers first; empty if it is not this person's turn."""
    tiles = await person.autocomplete(channel, "paris open", focused="tile")
    # Who is not to act is offered what can be planned, which bears no decision's stamp.
    if not tiles or STAMP not in tiles[0].value:
        return {}
    args: dict[str, Any] = {"tile": tiles[0].value}
    owners = await person.autocomplete(channel, "paris open", focused="remove", **args)
    if owners:
        args["remove"] = owners[0].value
    return args


async def open_shop(person: User, channel: Channel) -> Interaction:
    """A move by slash command and autocomplete."""
    args = await tile_args(person, channel)
    assert args, f"{person.name} has no move"
    reply = await person.slash(channel, "paris open", **args)
    assert reply.ephemeral
    return reply


async def pick_shop(person: User, board: Message) -> Interaction:
    """A move by *My move*, selects and *Confirm*."""
    opened = await person.click(board, label="My move")
    assert opened.ephemeral
    step = opened
    for _ in range(6):
        labels = [button.get("label") for button in step.message.buttons]
        if "Confirm" in labels:
            return await person.click(step, label="Confirm")
        (select,) = [part for part in step.message.parts if part["type"] == 3]
        step = await person.select(step, select["custom_id"], [select["options"][0]["value"]])
        assert step.updated
    raise AssertionError("the picker asks without end")


def picture_of(message: Message) -> Image.Image:
    """The one picture of a post, checked as every picture is."""
    (attachment,) = message.attachments
    assert attachment.filename.endswith(".png")
    assert attachment.size <= BOARD_BYTES
    assert attachment.description
    assert len(attachment.description) <= ALT
    image = Image.open(io.BytesIO(attachment.data))
    image.load()
    assert image.format == "PNG"
    assert image.width >= 800
    return image


def boards(channel: Channel) -> list[Message]:
    """The posts with a picture, oldest first."""
    return [message for message in channel.messages if message.attachments]


def live(channel: Channel) -> list[Message]:
    """The posts on which *My move* can be pressed."""
    return [
        m for m in channel.messages if any(b.get("label") == "My move" for b in m.buttons)
    ]  # fmt: skip
