"""Channels that go away and come back: a match waits, says so where it can, and goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord.ext import commands

from bot.language import later, tr
from bot.logs import get_logger
from storage.errors import StorageError

if TYPE_CHECKING:
    from bot.app import PiazzaBot

log = get_logger(__name__)

AGAIN = later("I can post here again. This is where the match stands.")


class Trouble(commands.Cog):
    """What the gateway tells about channels, threads and servers.

    Args:
        bot: the client.
    """

    def __init__(self, bot: PiazzaBot) -> None:
        self._bot = bot

    async def _gone(self, channel_id: int) -> None:
        try:
            row = await self._bot.store.open_match(channel_id)
            if row is None:
                return
            if row.status == "lobby":
                # Nobody could ever find it again.
                await self._bot.service.end(row.id, row.host_id, moderator=True)
                return
            await self._bot.service.lost(row.id, later("it is gone"))
        except StorageError as error:
            log.error("storage failed", error=str(error))

    async def _back(self, channel_id: int) -> None:
        try:
            row = await self._bot.store.open_match(channel_id)
            if row is not None:
                await self._bot.service.back(row.id, tr(AGAIN))
        except StorageError as error:
            log.error("storage failed", error=str(error))

    async def _all_back(self, guild_id: int, *, anew: bool) -> None:
        """Every match of a server; ``anew``: their boards are posted again in any case."""
        try:
            for table in await self._bot.service.open_of(guild_id):
                if anew:
                    await self._bot.service.board_anew(table.match.id, tr(AGAIN))
                else:
                    await self._bot.service.back(table.match.id, tr(AGAIN))
        except StorageError as error:
            log.error("storage failed", error=str(error))

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Tell the players of a match that its channel is gone."""
        await self._gone(channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """The same for a thread."""
        await self._gone(payload.thread_id)

    @commands.Cog.listener()
    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Try again at once what waited for a permission."""
        if before.overwrites != after.overwrites:
            await self._back(after.id)
            for thread in getattr(after, "threads", ()):
                await self._back(thread.id)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Go on in a thread that was opened again."""
        data: Any = payload.data.get("thread_metadata", {})
        if not data.get("archived") and not data.get("locked"):
            await self._back(payload.thread_id)

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """Try again at once what waited for a permission of the whole server."""
        if before.permissions != after.permissions:
            await self._all_back(after.guild.id, anew=False)

    @commands.Cog.listener()
    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """The same when the bot itself gets a role."""
        if after.id == after.guild.me.id and before.roles != after.roles:
            await self._all_back(after.guild.id, anew=False)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Invited again: every match of the server says where it stands."""
        await self._all_back(guild.id, anew=True)


async def setup(bot: PiazzaBot) -> None:
    """Listen."""
    await bot.add_cog(Trouble(bot))
