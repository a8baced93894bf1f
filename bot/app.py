"""The Discord client: puts service, outbox, pictures and extensions together."""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import Callable, Sequence
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.announce import Announcer
from bot.config import Settings
from bot.errors import TableError
from bot.exts import EXTENSIONS
from bot.hearing import hear
from bot.language import ENGLISH, language_of, tr
from bot.logs import get_logger
from bot.outbox import HEAD_START, Outbox
from bot.pictures import Pictures
from bot.replays import Replays
from bot.replies import Act, explain
from bot.service import MatchService, now_ms
from bot.translator import CommandTranslator
from bot.ui import TOO_OLD
from storage.errors import StorageError
from storage.store import Store

log = get_logger(__name__)

MET = 4096
"""People whose language is kept in memory."""


class Tree(app_commands.CommandTree[Any]):
    """The command tree with Piazza's error handler, speaking the user's language."""

    async def interaction_check(self, interaction: Act) -> bool:
        """Called in the task of every command and autocompletion before anything else."""
        hear(interaction)
        return True

    async def on_error(self, interaction: Act, error: app_commands.AppCommandError) -> None:
        """Hand every failure to the one handler."""
        await explain(interaction, error)


class PiazzaBot(commands.Bot):
    """The bot. It needs the guilds intent and nothing privileged.

    Args:
        settings: see :class:`Settings`.
        store: an open database; the caller closes it.
        clock: unix milliseconds; tests pass their own.
        new_seed: seeds of new matches; tests pass their own.
        sync: register the commands with Discord at the start.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        *,
        clock: Callable[[], int] = now_ms,
        new_seed: Callable[[], str] | None = None,
        sync: bool = True,
    ) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            tree_cls=Tree,
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
        )
        self.settings = settings
        self.store = store
        self.clock = clock
        self.pictures = Pictures(settings.render_threads)
        seeds: dict[str, Any] = {} if new_seed is None else {"new_seed": new_seed}
        self.service = MatchService(store, clock=clock, wake=self._wake, **seeds)
        self.replays = Replays(self.service)
        self.announcer = Announcer(self, self.service, self.pictures)
        self.outbox = Outbox(store, self.announcer.send, clock)
        self._sync = sync
        self._met: dict[int, str] = {}
        self._remembering: set[asyncio.Task[None]] = set()
        self._buttons: list[re.Pattern[str]] = []

    def _wake(self, match_id: int) -> None:
        self.outbox.wake(match_id)

    async def tongue(self, guild_id: int | None) -> str:
        """The language of the posts in a server's channels: what its managers have set, else the
        one that it has on Discord."""
        if guild_id is None:
            return ENGLISH
        chosen = await self.service.language(guild_id)
        if chosen is not None:
            return chosen
        guild = self.get_guild(guild_id)
        return language_of(guild.preferred_locale) if guild is not None else ENGLISH

    def meet(self, user_id: int, language: str) -> None:
        """Remember the language of somebody who uses the bot, for direct messages; not before the
        answer to what they did is on its way."""
        if self._met.get(user_id) == language or self.is_closed():
            return
        if len(self._met) >= MET:
            self._met.clear()
        self._met[user_id] = language
        task = asyncio.get_running_loop().create_task(self._remember(user_id, language))
        self._remembering.add(task)
        task.add_done_callback(self._remembering.discard)

    async def _remember(self, user_id: int, language: str) -> None:
        for _ in range(HEAD_START):
            await asyncio.sleep(0)
        try:
            if (await self.service.prefs(user_id)).language != language:
                await self.service.choose(user_id, {"language": language})
        except StorageError as error:
            self._met.pop(user_id, None)
            log.warning("language not remembered", reason=str(error))

    async def setup_hook(self) -> None:
        """Load the extensions, register the commands, send what a stop left unsent."""
        for name in EXTENSIONS:
            await self.load_extension(name)
        await self.tree.set_translator(CommandTranslator(self.tree))
        if self._sync:
            await self._register()
        await self.service.restored()
        waiting = await self.outbox.resume()
        log.info("ready to play", unsent=waiting)

    async def _register(self) -> None:
        if self.settings.guild is not None:
            guild = discord.Object(self.settings.guild)
            self.tree.copy_global_to(guild=guild)
            await self.tree.sync(guild=guild)
        else:
            await self.tree.sync()

    async def on_interaction(self, interaction: Act) -> None:
        """Answer presses of buttons that their message has no more (it was edited meanwhile), and
        of buttons of another version: discord.py would leave them without an answer."""
        if interaction.type is not discord.InteractionType.component:
            return
        hear(interaction)
        data: Any = interaction.data or {}
        pressed = data.get("custom_id")
        message = interaction.message
        if message is None or pressed in custom_ids(message.components):
            if not any(item.fullmatch(str(pressed)) for item in self._buttons):
                await explain(interaction, TableError(tr(TOO_OLD)))
            return
        await explain(
            interaction,
            TableError(tr("The table has moved on since then. Please use the newest board.")),
        )

    def add_dynamic_items(self, *items: type[discord.ui.DynamicItem[Any]]) -> None:
        """Register buttons, and remember which custom ids are answered by them."""
        super().add_dynamic_items(*items)
        self._buttons += [item.__discord_ui_compiled_template__ for item in items]

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """Log a failing event handler; the bot goes on."""
        log.exception("event failed", event=event_method)

    async def close(self) -> None:
        """Finish what is being sent, then leave Discord."""
        for task in self._remembering:
            task.cancel()
        await asyncio.gather(*self._remembering, return_exceptions=True)
        await self.outbox.close()
        self.pictures.close()
        await super().close()


def custom_ids(rows: Sequence[Any]) -> set[str]:
    """The custom ids of a message's components."""
    found: set[str] = set()
    for item in rows:
        found |= custom_ids(getattr(item, "children", ()))
        ident = getattr(item, "custom_id", None)
        if ident is not None:
            found.add(ident)
    return found


def stop_on_signals(stop: asyncio.Event) -> None:
    """Set an event when the process is asked to end, by Ctrl-C or SIGTERM."""
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(name, stop.set)
        except NotImplementedError:
            # The event loops of Windows have no signal handlers of their own.
            signal.signal(name, lambda *_: loop.call_soon_threadsafe(stop.set))


async def run(settings: Settings, token: str, stop: asyncio.Event) -> None:
    """Be on Discord until ``stop`` is set.

    Raises:
        discord.LoginFailure: the token is refused.
        StorageError: the database cannot be opened.
    """
    async with await Store.open(settings.db) as store:
        bot = PiazzaBot(settings, store)
        async with bot:
            client = asyncio.create_task(bot.start(token))
            waiter = asyncio.create_task(stop.wait())
            await asyncio.wait({client, waiter}, return_when=asyncio.FIRST_COMPLETED)
            waiter.cancel()
            if client.done():
                client.result()
            await bot.close()
            client.cancel()
            await asyncio.gather(client, return_exceptions=True)
    log.info("stopped")
