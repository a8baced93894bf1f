"""The loopback Discord, proved with a small bot on the unmodified discord.py client."""

from __future__ import annotations

import asyncio
import io
import re
import struct
import threading
import zlib
from collections.abc import Callable
from typing import Any

import aiohttp
import discord
import pytest
from discord import app_commands
from discord.ext import commands

from tests.wire.interactions import Unanswered, names
from tests.wire.limits import ApiError, check_commands
from tests.wire.model import Channel, Guild, Message, User
from tests.wire.openapi import OpenAPI, Violation
from tests.wire.server import REALISTIC, LoopbackDiscord, RateLimit, Upload

MESSAGES = r"/channels/\d+/messages"
ONE_MESSAGE = r"/channels/\d+/messages/\d+"
CALLBACK = r"/interactions/.*/callback"
TILES = ["louvre/blue", "louvre/red", "opera/blue", "opera/red", *(f"gare/{n}" for n in range(40))]


def png(shade: int, size: int = 8) -> bytes:
    """A grey square, made without Pillow."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        crc = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc)

    head = struct.pack(">IIBBBBB", size, size, 8, 0, 0, 0, 0)
    rows = b"".join(b"\0" + bytes([shade]) * size for _ in range(size))
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


class Press(
    discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"pz1:(?P<match>\d+):(?P<verb>\w+)"
):
    """A button that holds no memory: all it needs is in its custom_id."""

    def __init__(self, match: int, verb: str) -> None:
        self.match, self.verb = match, verb
        super().__init__(
            discord.ui.Button(label=verb.capitalize(), custom_id=f"pz1:{match}:{verb}")
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Press:
        return cls(int(match["match"]), match["verb"])

    async def callback(self, interaction: discord.Interaction) -> None:
        if self.verb == "hand":
            await interaction.response.send_message("A Zoo and a Metro.", ephemeral=True)
        elif self.verb == "next":
            await interaction.response.edit_message(
                content=f"Board {self.match + 1}", view=panel(self.match + 1)
            )
        elif self.verb == "ask":
            await interaction.response.send_modal(Question())
        elif self.verb == "survey":
            await interaction.response.send_modal(Survey())
        elif self.verb == "pick":
            select: discord.ui.Select[Any] = discord.ui.Select(
                custom_id="where",
                options=[discord.SelectOption(label=w, value=w) for w in ("north", "south")],
            )

            async def chosen(inner: discord.Interaction) -> None:
                await inner.response.edit_message(content=f"went {select.values[0]}", view=None)

            select.callback = chosen  # type: ignore[method-assign,assignment]
            view = discord.ui.View(timeout=60)
            view.add_item(select)
            await interaction.response.send_message("Where to?", view=view, ephemeral=True)


class Question(discord.ui.Modal, title="One question"):
    answer: discord.ui.TextInput[Any] = discord.ui.TextInput(
        label="Answer", custom_id="answer", max_length=20
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"You say {self.answer.value}", ephemeral=True)


def panel(match: int) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    for verb in ("hand", "next", "ask", "pick"):
        view.add_item(Press(match, verb))
    return view


class SmallBot(commands.Bot):
    def __init__(self, **options: Any) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            guild_ready_timeout=0.05,
            **options,
        )
        self.board: discord.Message | None = None
        self.errors: list[BaseException] = []

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Press)
        self.tree.add_command(Paris())
        self.tree.on_error = self.on_tree_error  # type: ignore[method-assign]
        await self.tree.sync()

    async def on_tree_error(
        self, interaction: discord.Interaction, error: app_commands.AppCommandError
    ) -> None:
        self.errors.append(error.__cause__ or error)


class Paris(app_commands.Group, name="paris", description="A game"):
    care = app_commands.Group(name="care", description="Look after a match")

    @app_commands.command(description="Open a tile")
    async def open(
        self, interaction: discord.Interaction, tile: str, times: app_commands.Range[int, 1, 3] = 1
    ) -> None:
        await interaction.response.send_message(f"{tile} x{times}", ephemeral=True)

    @open.autocomplete("tile")
    async def tiles(
        self, interaction: discord.Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        fitting = [tile for tile in TILES if typed in tile]
        if interaction.namespace.times == 2:
            fitting = [tile for tile in fitting if "blue" in tile]
        return [app_commands.Choice(name=tile, value=tile) for tile in fitting[:25]]

    @app_commands.command(description="Start a match")
    async def new(self, interaction: discord.Interaction) -> None:
        may = interaction.app_permissions.attach_files
        await interaction.response.send_message("ready" if may else "attach_files is missing")

    @care.command(description="Put somebody in somebody's place")
    async def substitute(
        self, interaction: discord.Interaction, old: discord.Member, new: discord.Member
    ) -> None:
        await interaction.response.send_message(f"{old.name} goes, {new.name} comes")

    @app_commands.command(description="Post a board")
    async def board(self, interaction: discord.Interaction) -> None:
        await interaction.response.defer(ephemeral=True)
        assert isinstance(interaction.channel, discord.abc.Messageable)
        bot = interaction.client
        assert isinstance(bot, SmallBot)
        bot.board = await interaction.channel.send(
            f"Board 1 for {interaction.user.mention}",
            file=discord.File(io.BytesIO(png(10)), "board.png", description="An empty board"),
            view=panel(1),
            allowed_mentions=discord.AllowedMentions(users=[interaction.user]),
            nonce="match-1-1",
        )
        await interaction.followup.send("Posted.")

    @app_commands.command(description="Take a file")
    async def load(self, interaction: discord.Interaction, match: discord.Attachment) -> None:
        data = await match.read()
        await interaction.response.send_message(f"{match.filename}: {len(data)} bytes")

    @app_commands.command(description="Say it privately")
    async def whisper(self, interaction: discord.Interaction) -> None:
        try:
            await interaction.user.send("Psst")
        except discord.Forbidden as error:
            await interaction.response.send_message(f"closed: {error.code}", ephemeral=True)
        else:
            await interaction.response.send_message("sent", ephemeral=True)

    @app_commands.command(description="Answer twice")
    async def twice(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message("once")
        interaction.response._response_type = None  # as another process would not know either
        await interaction.response.send_message("twice")

    @app_commands.command(description="Never answer")
    async def sleep(self, interaction: discord.Interaction) -> None:
        pass

    @app_commands.command(description="Say much")
    async def talk(self, interaction: discord.Interaction) -> None:
        await interaction.response.defer()
        original = await interaction.edit_original_response(
            content="first", attachments=[discord.File(io.BytesIO(png(1)), "one.png")]
        )
        private = await interaction.followup.send("second", ephemeral=True, wait=True)
        third = await interaction.followup.send(
            "third", file=discord.File(io.BytesIO(png(3)), "three.png"), wait=True
        )
        await private.edit(content="second, changed")
        await third.edit(content="third, changed", attachments=[])
        assert (await interaction.original_response()).id == original.id
        await interaction.delete_original_response()
        await interaction.followup.send("last")

    @app_commands.command(description="Show a layout")
    async def layout(self, interaction: discord.Interaction) -> None:
        view = discord.ui.LayoutView(timeout=None)
        gallery = discord.ui.MediaGallery[Any](discord.MediaGalleryItem("attachment://b.png"))
        row = discord.ui.ActionRow[Any](Press(7, "hand"), Press(7, "survey"))
        view.add_item(discord.ui.Container(discord.ui.TextDisplay("# Board 7"), gallery, row))
        await interaction.response.send_message(
            view=view, file=discord.File(io.BytesIO(png(7)), "b.png")
        )


class Survey(discord.ui.Modal, title="A survey"):
    where = discord.ui.Label[Any](
        text="Where to?",
        component=discord.ui.Select(
            custom_id="where",
            options=[discord.SelectOption(label=w, value=w) for w in ("north", "south")],
        ),
    )
    why = discord.ui.Label[Any](
        text="Why?", component=discord.ui.TextInput(custom_id="why", required=False)
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.where.component, discord.ui.Select)
        assert isinstance(self.why.component, discord.ui.TextInput)
        text = f"{self.where.component.values[0]}: {self.why.component.value!r}"
        await interaction.response.send_message(text, ephemeral=True)


class Table:
    def __init__(self, server: LoopbackDiscord) -> None:
        self.alice: User = server.add_user("alice")
        self.bob: User = server.add_user("bob")
        self.guild: Guild = server.add_guild("Rialto")
        self.channel: Channel = self.guild.add_text_channel("table")


@pytest.fixture
def table(discord_: LoopbackDiscord) -> Table:
    return Table(discord_)


async def first_error(bot: SmallBot) -> discord.HTTPException:
    async with asyncio.timeout(5):
        while not bot.errors:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    [error] = bot.errors
    assert isinstance(error, discord.HTTPException)
    return error


async def post_board(table: Table) -> Message:
    await table.alice.slash(table.channel, "paris board")
    return table.channel.last


# starting


async def test_boot_and_sync(discord_: LoopbackDiscord, table: Table) -> None:
    bot = SmallBot()
    async with discord_.running(bot):
        assert [c["name"] for c in discord_.global_commands] == ["paris"]
        await bot.wait_until_ready()
        guild = bot.get_guild(table.guild.id)
        assert guild is not None
        assert guild.name == "Rialto"
        assert [c.name for c in guild.text_channels] == ["table"]
        assert guild.me.guild_permissions.attach_files
        assert [m.name for m in guild.members] == ["piazza"]  # no privileged intent, no members
        fetched = await guild.fetch_member(table.alice.id)
        assert fetched.name == "alice"
        assert (await bot.tree.fetch_commands())[0].name == "paris"
    assert [r.path for r in discord_.requests[:3]] == [
        "/users/@me",
        "/oauth2/applications/@me",
        f"/applications/{discord_.application_id}/commands",
    ]
    assert len(discord_.gateway.identifies) == 1
    assert len(discord_.gateway.closes) == 1


async def test_guild_joined_and_left_while_running(discord_: LoopbackDiscord, table: Table) -> None:
    bot = SmallBot()
    async with discord_.running(bot):
        late = discord_.add_guild("Campo", members=[table.bob])
        channel = late.add_text_channel("tavolo")
        reply = await table.bob.slash(channel, "paris open", tile="opera/red")
        assert reply.content == "opera/red x1"
        assert bot.get_channel(channel.id) is not None
        late.remove_bot()
        with pytest.raises(discord.Forbidden):
            await bot.http.get_message(channel.id, 1)


async def test_wrong_token(discord_: LoopbackDiscord) -> None:
    discord_.token = "another"
    bot = SmallBot()
    with pytest.raises(discord.LoginFailure):
        await bot.start("token")
    await bot.close()


async def test_nothing_is_left_behind() -> None:
    from discord.gateway import DiscordWebSocket
    from discord.http import Route

    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    tasks = asyncio.all_tasks()
    async with LoopbackDiscord() as server:
        table = Table(server)
        with server.patched():
            assert before != (Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY)
            async with server.running(SmallBot()):
                await table.alice.slash(table.channel, "paris open", tile="x")
    assert before == (Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY)
    async with asyncio.timeout(5):
        while asyncio.all_tasks() != tasks:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        while any("keep-alive" in t.name for t in threading.enumerate()):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


# commands


async def test_slash_with_ephemeral_reply(discord_: LoopbackDiscord, table: Table) -> None:
    async with discord_.running(SmallBot()):
        reply = await table.alice.slash(table.channel, "paris open", tile="louvre/blue", times=2)
    assert reply.content == "louvre/blue x2"
    assert reply.ephemeral
    assert reply.message.visible_to is table.alice
    assert table.channel.messages == []
    assert reply.ack_seconds is not None
    assert 0 < reply.ack_seconds < 3
    [callback] = discord_.sent("POST", CALLBACK)
    assert callback.query == {"with_response": "1"}
    assert callback.status == 200


async def test_subcommand_group_and_resolved_users(discord_: LoopbackDiscord, table: Table) -> None:
    async with discord_.running(SmallBot()):
        reply = await table.alice.slash(
            table.channel, "paris care substitute", old=table.alice, new=table.bob
        )
    assert reply.content == "alice goes, bob comes"
    assert table.channel.messages == [reply.message]


async def test_a_slash_command_in_a_direct_channel_and_in_a_thread(
    discord_: LoopbackDiscord, table: Table
) -> None:
    thread = table.channel.add_thread("match 1")
    async with discord_.running(SmallBot()):
        assert (await table.alice.slash(table.alice.dm, "paris open", tile="a")).text == "a x1"
        assert (await table.alice.slash(thread, "paris open", tile="b")).text == "b x1"
        board = await thread_board(table, thread)
        assert board.channel is thread


async def thread_board(table: Table, thread: Channel) -> Message:
    await table.alice.slash(thread, "paris board")
    return thread.last


async def test_only_what_discord_would_send(discord_: LoopbackDiscord, table: Table) -> None:
    """Mistakes in a test are told apart from mistakes of the bot."""
    async with discord_.running(SmallBot()):
        alice, channel = table.alice, table.channel
        with pytest.raises(LookupError, match="registered no /rome"):
            await alice.slash(channel, "rome open")
        with pytest.raises(LookupError, match="no 'shut' among"):
            await alice.slash(channel, "paris shut")
        with pytest.raises(LookupError, match="needs one of"):
            await alice.slash(channel, "paris")
        with pytest.raises(LookupError, match="no option 'door'"):
            await alice.slash(channel, "paris open", tile="a", door=1)
        with pytest.raises(AssertionError, match="needs"):
            await alice.slash(channel, "paris open")
        with pytest.raises(AssertionError, match="above 3"):
            await alice.slash(channel, "paris open", tile="a", times=9)
        stranger = discord_.add_user("stranger")
        with pytest.raises(AssertionError, match="not in this guild"):
            await stranger.slash(channel, "paris open", tile="a")
    assert discord_.interactions == []


async def test_autocomplete(discord_: LoopbackDiscord, table: Table) -> None:
    async with discord_.running(SmallBot()):
        alice = table.alice
        found = await alice.autocomplete(table.channel, "paris open", focused="tile", value="lou")
        assert names(found) == ["louvre/blue", "louvre/red"]
        found = await alice.autocomplete(
            table.channel, "paris open", focused="tile", value="lou", times=2
        )
        assert names(found) == ["louvre/blue"]
        assert len(await alice.autocomplete(table.channel, "paris open", focused="tile")) == 25


async def test_app_permissions(discord_: LoopbackDiscord, table: Table) -> None:
    table.channel.set_permissions(discord_.bot_user, deny=["attach_files"])
    async with discord_.running(SmallBot()) as bot:
        assert isinstance(bot, SmallBot)
        reply = await table.alice.slash(table.channel, "paris new")
        assert reply.content == "attach_files is missing"
        discord_.patience = 0.5
        with pytest.raises(Unanswered):
            await table.alice.slash(table.channel, "paris board")
        assert (await first_error(bot)).code == 50013
        discord_.patience = 10
        table.channel.set_permissions(discord_.bot_user)
        reply = await table.alice.slash(table.channel, "paris new")
        assert reply.content == "ready"


async def test_attachment_option(discord_: LoopbackDiscord, table: Table) -> None:
    async with discord_.running(SmallBot()):
        upload = Upload("match 1.json", b"[1, 2]", "application/json")
        reply = await table.alice.slash(table.channel, "paris load", match=upload)
    assert reply.content == "match 1.json: 6 bytes"


async def test_an_interaction_that_is_never_answered(
    discord_: LoopbackDiscord, table: Table
) -> None:
    async with discord_.running(SmallBot()):
        discord_.patience = 0.3
        with pytest.raises(Unanswered, match="alice"):
            await table.alice.slash(table.channel, "paris sleep")


async def test_double_ack(discord_: LoopbackDiscord, table: Table) -> None:
    async with discord_.running(SmallBot()) as bot:
        assert isinstance(bot, SmallBot)
        reply = await table.alice.slash(table.channel, "paris twice")
        assert reply.content == "once"
        assert (await first_error(bot)).code == 40060
    assert [r.status for r in discord_.sent("POST", CALLBACK)] == [200, 400]


async def test_late_ack(discord_: LoopbackDiscord, table: Table) -> None:
    discord_.ack_seconds = 0.0
    discord_.patience = 0.5
    async with discord_.running(SmallBot()) as bot:
        assert isinstance(bot, SmallBot)
        with pytest.raises(Unanswered):
            await table.alice.slash(table.channel, "paris open", tile="a")
        assert (await first_error(bot)).code == 10062


async def test_unknown_webhook_token(discord_: LoopbackDiscord, table: Table) -> None:
    async with discord_.running(SmallBot()) as bot:
        assert isinstance(bot, SmallBot)
        hook = discord.Webhook.partial(discord_.application_id, "no-such-token", client=bot)
        with pytest.raises(discord.NotFound) as caught:
            await hook.send("hello", wait=True)
        assert caught.value.code == 10015


# components


async def test_button_after_a_restart(discord_: LoopbackDiscord, table: Table) -> None:
    async with discord_.running(SmallBot()):
        board = await post_board(table)
        reply = await table.bob.click(board, label="Hand")
        assert reply.content == "A Zoo and a Metro."
        assert reply.ephemeral
    with pytest.raises(AssertionError, match="no bot is connected"):
        await table.bob.click(board, label="Hand")
    async with discord_.running(SmallBot()):
        reply = await table.bob.click(board, "pz1:1:hand")
        assert reply.content == "A Zoo and a Metro."
        reply = await table.bob.click(board, "pz1:1:next")
        assert reply.updated
        assert board.content == "Board 2"
        assert board.custom_ids[0] == "pz1:2:hand"
        assert len(board.attachments) == 1
        with pytest.raises(LookupError, match="pz1:1:next"):
            await table.bob.click(board, "pz1:1:next")
    assert len(discord_.gateway.identifies) == 2


async def test_modal(discord_: LoopbackDiscord, table: Table) -> None:
    async with discord_.running(SmallBot()):
        board = await post_board(table)
        opened = await table.bob.click(board, label="Ask")
        assert opened.modal is not None
        assert opened.modal["title"] == "One question"
        with pytest.raises(AssertionError, match="1 to 20"):
            await table.bob.submit_modal(opened, answer="x" * 21)
        reply = await table.bob.submit_modal(opened, {"answer": "north"})
        assert reply.content == "You say north"


async def test_select_on_an_ephemeral_message(discord_: LoopbackDiscord, table: Table) -> None:
    async with discord_.running(SmallBot()):
        board = await post_board(table)
        asked = await table.bob.click(board, label="Pick")
        with pytest.raises(AssertionError, match="somebody else"):
            await table.alice.select(asked, "where", ["north"])
        with pytest.raises(AssertionError, match="not among"):
            await table.bob.select(asked, "where", ["up"])
        reply = await table.bob.select(asked, "where", ["south"])
        assert reply.updated
        assert asked.content == "went south"
        assert asked.message.components == []


async def test_layout_view_and_a_modal_with_labels(discord_: LoopbackDiscord, table: Table) -> None:
    async with discord_.running(SmallBot()):
        reply = await table.alice.slash(table.channel, "paris layout")
        assert reply.text == "# Board 7"
        assert reply.message.attachments[0].data == png(7)
        assert (await table.bob.click(reply, label="Hand")).content == "A Zoo and a Metro."
        opened = await table.bob.click(reply, label="Survey")
        done = await table.bob.submit_modal(opened, where=["south"], why="rain")
        assert done.content == "south: 'rain'"
        opened = await table.bob.click(reply, label="Survey")
        assert (await table.bob.submit_modal(opened, where=["north"])).content == "north: ''"


async def test_follow_ups(discord_: LoopbackDiscord, table: Table) -> None:
    async with discord_.running(SmallBot()):
        reply = await table.alice.slash(table.channel, "paris talk")
        assert reply.deferred
        last = await reply.followup(2)
        original = reply.message
        private, third, _ = reply.followups
    assert (original.content, original.deleted) == ("first", True)
    assert (private.content, private.visible_to) == ("second, changed", table.alice)
    assert (third.content, third.attachments) == ("third, changed", [])
    assert table.channel.messages == [third, last]


# messages


async def test_multipart_picture(discord_: LoopbackDiscord, table: Table) -> None:
    async with discord_.running(SmallBot()) as bot:
        assert isinstance(bot, SmallBot)
        reply = await table.alice.slash(table.channel, "paris board")
        assert reply.deferred
        assert reply.content == "Posted."
        assert reply.ephemeral
        [post] = discord_.sent("POST", MESSAGES)
        assert post.multipart
        assert post.uploads[0].data == png(10)
        board = table.channel.last
        [picture] = board.attachments
        assert picture.data == png(10)
        assert picture.filename == "board.png"
        assert picture.description == "An empty board"
        assert board.pings == [table.alice]
        assert bot.board is not None
        [seen] = bot.board.attachments
        assert (seen.width, seen.height, seen.size) == (8, 8, len(png(10)))
        assert await seen.read() == png(10)


async def test_edit_in_place(discord_: LoopbackDiscord, table: Table) -> None:
    async with discord_.running(SmallBot()) as bot:
        assert isinstance(bot, SmallBot)
        board = await post_board(table)
        assert bot.board is not None
        edited = await bot.board.edit(
            content=f"Board 2 for {table.bob.mention}",
            attachments=[discord.File(io.BytesIO(png(20)), "board.png")],
            view=panel(2),
        )
        assert table.channel.messages == [board]
        assert board.edits == 1
        assert board.content.startswith("Board 2")
        assert [a.data for a in board.attachments] == [png(20)]
        assert board.custom_ids[0] == "pz1:2:hand"
        assert board.pings == [table.alice]  # an edit notifies nobody
        await edited.edit(content="Board 3")
        assert [a.data for a in board.attachments] == [png(20)]
        await edited.delete()
        assert table.channel.messages == []
        with pytest.raises(discord.NotFound) as caught:
            await edited.edit(content="Board 4")
        assert caught.value.code == 10008


async def test_picture_in_an_embed(discord_: LoopbackDiscord, table: Table) -> None:
    async with discord_.running(SmallBot()) as bot:
        assert isinstance(bot, SmallBot)
        channel = bot.get_partial_messageable(table.channel.id)
        embed = discord.Embed(title="Paris", description="Board").set_image(
            url="attachment://board.png"
        )
        sent = await channel.send(embed=embed, file=discord.File(io.BytesIO(png(3)), "board.png"))
        assert sent.attachments == []  # Discord shows it in the embed only
        assert sent.embeds[0].image.url == table.channel.last.attachments[0].url


async def test_direct_message_and_closed_door(discord_: LoopbackDiscord, table: Table) -> None:
    async with discord_.running(SmallBot()):
        assert (await table.alice.slash(table.channel, "paris whisper")).content == "sent"
        assert [m.content for m in discord_.dms(table.alice)] == ["Psst"]
        table.bob.dms_open = False
        reply = await table.bob.slash(table.channel, "paris whisper")
        assert reply.content == "closed: 50007"
        assert discord_.dms(table.bob) == []


async def test_limits_of_values(discord_: LoopbackDiscord, table: Table) -> None:
    async with discord_.running(SmallBot()) as bot:
        assert isinstance(bot, SmallBot)
        channel = bot.get_partial_messageable(table.channel.id)

        async def refused(code: int, **fields: Any) -> discord.HTTPException:
            with pytest.raises(discord.HTTPException) as caught:
                await channel.send(**fields)
            assert caught.value.code == code
            return caught.value

        error = await refused(50035, content="x" * 2001)
        assert "content" in str(error)
        await refused(50006, content=" ")
        twins = discord.ui.View()
        twins.add_item(discord.ui.Button(label="a", custom_id="same"))
        twins.add_item(discord.ui.Button(label="b", custom_id="same"))
        await refused(50035, content="x", view=twins)
        await refused(50035, content="x", embed=discord.Embed(description="x" * 4097))
        discord_.attachment_size_limit = 100
        big = discord.File(io.BytesIO(bytes(101)), "big.bin")
        await refused(40005, file=big)
        table.channel.delete()
        await refused(10003, content="x")
    # of these limits a schema can express only one
    assert {v.where for v in discord_.violations} <= {"body.embeds[0].description"}
    discord_.violations.clear()


def test_limits_of_commands() -> None:
    def command(**changes: Any) -> dict[str, Any]:
        return {"name": "paris", "description": "A game", "type": 1, "options": [], **changes}

    check_commands([command()])
    option = {"type": 3, "name": "tile", "description": "Which"}
    wrong: list[list[dict[str, Any]]] = [
        [command(name="Paris")],
        [command(description="")],
        [command(), command()],
        [command(options=[{**option, "name": f"o{n}"} for n in range(26)])],
        [command(options=[option, {**option, "name": "second", "required": True}])],
        [command(options=[{**option, "choices": [{"name": "n" * 101, "value": "v"}]}])],
        [
            command(
                options=[
                    {
                        **option,
                        "name": f"o{n}",
                        "choices": [{"name": f"{m}" * 50, "value": "v" * 50} for m in range(9)],
                    }
                    for n in range(10)
                ]
            )
        ],
        [command(name=f"c{n}") for n in range(101)],
    ]
    for commands_ in wrong:
        with pytest.raises(ApiError):
            check_commands(commands_)


async def test_threads(discord_: LoopbackDiscord, table: Table) -> None:
    async with discord_.running(SmallBot()) as bot:
        assert isinstance(bot, SmallBot)
        channel = await bot.fetch_channel(table.channel.id)
        assert isinstance(channel, discord.TextChannel)
        thread = await channel.create_thread(name="match 1", type=discord.ChannelType.public_thread)
        message = await thread.send("hello")
        mine = discord_.channels[thread.id]
        mine.archive()
        with pytest.raises(discord.HTTPException) as caught:
            await message.edit(content="changed")
        assert caught.value.code == 50083
        await thread.send("this wakes it up")
        assert not mine.archived
        mine.archive(locked=True)
        with pytest.raises(discord.Forbidden):
            await thread.send("but not a locked one")


# the gateway


@pytest.mark.parametrize("abort", [False, True], ids=["closed", "cut"])
async def test_resume_with_a_missed_interaction(
    discord_: LoopbackDiscord, table: Table, abort: bool
) -> None:
    async with discord_.running(SmallBot()):
        first = await table.alice.slash(table.channel, "paris open", tile="before")
        async with discord_.outage(abort=abort):
            assert not discord_.gateway.connected
            missed = asyncio.create_task(
                table.alice.slash(table.channel, "paris open", tile="meanwhile")
            )
            await asyncio.sleep(0.05)
            assert not missed.done()
        reply = await missed
        assert (first.content, reply.content) == ("before x1", "meanwhile x1")
        assert len(discord_.gateway.identifies) == 1
        [resume] = discord_.gateway.resumes
        assert resume["ok"]
        after = await table.alice.slash(table.channel, "paris open", tile="after")
        assert after.content == "after x1"
    assert len(discord_.sent("POST", CALLBACK)) == 3


async def test_reconnect_on_request(discord_: LoopbackDiscord, table: Table) -> None:
    async with discord_.running(SmallBot()):
        await discord_.gateway.ask_to_reconnect()
        await discord_.until(lambda: discord_.gateway.resumes, what="a resume")
        await discord_.ready()
        reply = await table.alice.slash(table.channel, "paris open", tile="a")
        assert reply.content == "a x1"
    assert len(discord_.gateway.identifies) == 1


async def test_a_session_that_is_lost(discord_: LoopbackDiscord, table: Table) -> None:
    class Hasty(SmallBot):
        async def before_identify_hook(
            self, shard_id: int | None, *, initial: bool = False
        ) -> None:
            return  # the library would wait five seconds

    async with discord_.running(Hasty()):
        discord_.gateway.forget_sessions()
        await discord_.drop_gateway()
        await discord_.until(lambda: len(discord_.gateway.identifies) == 2, what="an identify")
        await discord_.ready()
        reply = await table.alice.slash(table.channel, "paris open", tile="a")
        assert reply.content == "a x1"
    assert [r["ok"] for r in discord_.gateway.resumes] == [False]


async def test_privileged_intents_are_refused(discord_: LoopbackDiscord) -> None:
    client = discord.Client(intents=discord.Intents(guilds=True, members=True))
    with pytest.raises(discord.PrivilegedIntentsRequired):
        await client.start("token")
    await client.close()


# trouble


async def test_rate_limit_with_a_retry(discord_: LoopbackDiscord, table: Table) -> None:
    discord_.fail_next("POST", MESSAGES, status=429, retry_after=0.1, times=2)
    async with discord_.running(SmallBot()):
        await post_board(table)
    posts = discord_.sent("POST", MESSAGES)
    assert [r.status for r in posts] == [429, 429, 200]
    assert posts[2].time - posts[0].time >= 0.2
    assert all(r.uploads[0].data == png(10) for r in posts)
    assert len(table.channel.messages) == 1
    assert discord_.rate_limited == []


async def test_a_429_without_via_is_final(discord_: LoopbackDiscord, table: Table) -> None:
    discord_.fail_next("PATCH", ONE_MESSAGE, code=30046)
    async with discord_.running(SmallBot()) as bot:
        assert isinstance(bot, SmallBot)
        await post_board(table)
        assert bot.board is not None
        with pytest.raises(discord.HTTPException) as caught:
            await bot.board.edit(content="old")
        assert (caught.value.status, caught.value.code) == (429, 30046)


async def test_server_error_with_a_retry(discord_: LoopbackDiscord, table: Table) -> None:
    discord_.fail_next("POST", MESSAGES, status=500)
    async with discord_.running(SmallBot()):
        await post_board(table)
    assert [r.status for r in discord_.sent("POST", MESSAGES)] == [500, 200]
    assert len(table.channel.messages) == 1


async def test_nonce_makes_a_retry_harmless(discord_: LoopbackDiscord, table: Table) -> None:
    """The post succeeds, its answer is lost, the client retries: one message."""
    discord_.fail_next("POST", MESSAGES, status=502, applied=True)
    async with discord_.running(SmallBot()) as bot:
        assert isinstance(bot, SmallBot)
        board = await post_board(table)
        assert [r.status for r in discord_.sent("POST", MESSAGES)] == [502, 200]
        assert table.channel.messages == [board]
        channel = bot.get_partial_messageable(table.channel.id)
        again = await channel.send("something else", nonce="match-1-1")
        assert again.id == board.id
        other = await channel.send("something else", nonce="match-1-2")
        assert other.id != board.id
        discord_.nonce_seconds = 0
        third = await channel.send("something else", nonce="match-1-2")
        assert third.id != other.id


async def test_a_connection_cut_in_the_middle(discord_: LoopbackDiscord, table: Table) -> None:
    discord_.fail_next("PATCH", ONE_MESSAGE, cut=True, applied=True)
    async with discord_.running(SmallBot()) as bot:
        assert isinstance(bot, SmallBot)
        board = await post_board(table)
        assert bot.board is not None
        with pytest.raises((aiohttp.ClientError, OSError)):
            await bot.board.edit(content="changed")
        assert board.content == "changed"


async def test_realistic_rate_limits(discord_: LoopbackDiscord, table: Table) -> None:
    """The client keeps within the limits by itself, once it has seen the headers."""
    discord_.rate_limits = [RateLimit("POST", re.compile(MESSAGES), 2, 0.3), *REALISTIC]
    async with discord_.running(SmallBot()) as bot:
        assert isinstance(bot, SmallBot)
        channel = bot.get_partial_messageable(table.channel.id)
        await asyncio.gather(*(channel.send(f"{n}") for n in range(5)))
    posts = discord_.sent("POST", MESSAGES)
    assert len(table.channel.messages) == 5
    assert max(r.time for r in posts) - min(r.time for r in posts) >= 0.5


async def test_slow_answers(discord_: LoopbackDiscord, table: Table) -> None:
    discord_.delay_next("POST", MESSAGES, 0.2)
    async with discord_.running(SmallBot()):
        await post_board(table)
    [post] = discord_.sent("POST", MESSAGES)
    assert post.seconds >= 0.2


# the published description


Check = Callable[..., list[Violation]]


@pytest.fixture
def check(description: OpenAPI) -> Check:
    def run(method: str, path: str, body: Any = None, **query: str) -> list[Violation]:
        return description.check(method, path, query, body, has_body=body is not None)

    return run


def test_description_accepts_good_requests(check: Check) -> None:
    row = {"type": 1, "components": [{"type": 2, "style": 1, "label": "a", "custom_id": "b"}]}
    assert check("POST", "/channels/1/messages", {"content": "hi", "components": [row]}) == []
    assert check("GET", "/channels/1/messages", limit="50", before="12") == []
    assert check("PATCH", "/webhooks/1/abc/messages/@original", {"content": None}) == []
    body = {"type": 8, "data": {"choices": [{"name": "n", "value": "v"}]}}
    assert check("POST", "/interactions/1/t/callback", body, with_response="1") == []


@pytest.mark.parametrize(
    ("method", "path", "body", "query", "where"),
    [
        ("POST", "/channels/1/mesages", {"content": "x"}, {}, "path"),
        ("GET", "/channels/one/two", None, {}, "path"),
        ("POST", "/channels/1/messages", {"contents": "x"}, {}, "body.contents"),
        ("POST", "/channels/1/messages", {"content": 5}, {}, "body.content"),
        ("POST", "/channels/1/messages", {"content": "x" * 4001}, {}, "body.content"),
        ("POST", "/channels/1/messages", {"nonce": "n" * 26}, {}, "body.nonce"),
        ("POST", "/channels/1/messages", None, {}, "body"),
        (
            "POST",
            "/channels/1/messages",
            {"components": [{"type": 1, "components": [{"type": 2, "label": "no style"}]}]},
            {},
            "body.components[0].components[0]",
        ),
        (
            "POST",
            "/channels/1/messages",
            {"components": [{"type": 1, "components": [
                {"type": 2, "style": 1, "custom_id": "c" * 101}]}]},
            {},
            "body.components[0].components[0].custom_id",
        ),
        ("GET", "/channels/1/messages", None, {"limit": "many"}, "query.limit"),
        ("GET", "/channels/1/messages", None, {"page": "2"}, "query.page"),
        ("POST", "/interactions/1/t/callback", {"type": 4, "dat": {}}, {}, "body.dat"),
        ("PUT", "/applications/1/commands", [{"name": "n" * 33}], {}, "body[0].name"),
    ],
)  # fmt: skip
def test_description_catches_bad_requests(
    check: Check, method: str, path: str, body: Any, query: dict[str, str], where: str
) -> None:
    found = check(method, path, body, **query)
    assert where in [violation.where for violation in found], [str(v) for v in found]


async def test_a_bad_request_on_the_wire(
    discord_: LoopbackDiscord, table: Table, description: OpenAPI
) -> None:
    async with aiohttp.ClientSession(headers={"Authorization": "Bot token"}) as session:
        url = f"{discord_.api_url}/channels/{table.channel.id}/messages"
        body = {"content": "hello", "embed": {"title": "of API version 8"}}
        async with session.post(url, json=body) as answer:
            assert answer.status == 200
        async with session.get(f"{discord_.api_url}/nowhere") as answer:
            assert answer.status == 404
        async with session.post(f"{discord_.api_url}/users/@me/channels", json={}) as answer:
            assert answer.status == 400
    assert [v.where for v in discord_.violations] == ["body.embed", "path"]
    with pytest.raises(AssertionError, match=r"body\.embed(.|\n)*not served here(.|\n)*KeyError"):
        discord_.check_clean()
    discord_.violations.clear()
    discord_.unknown_routes.clear()
    discord_.crashes.clear()
