"""Who was missed and shows up: any command or press in the server tells that somebody is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord.ext import commands

from bot.logs import get_logger
from bot.replies import Act
from bot.service.presence import gone
from storage.errors import StorageError

if TYPE_CHECKING:
    from bot.app import PiazzaBot

log = get_logger(__name__)


class Presence(commands.Cog):
    """Watches who acts in channels with a match.

    Args:
        bot: the client.
    """

    def __init__(self, bot: PiazzaBot) -> None:
        self._bot = bot

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Act) -> None:
        """Note that somebody is back who had left the server."""
        guild, channel = interaction.guild_id, interaction.channel_id
        if interaction.type is discord.InteractionType.autocomplete or not (guild and channel):
            return
        user = interaction.user.id
        try:
            table = await self._bot.service.at(channel)
            if table is not None and gone(table.settings, user):
                await self._bot.service.returned(guild, user)
        except StorageError as error:
            log.error("storage failed", error=str(error))


async def setup(bot: PiazzaBot) -> None:
    """Listen."""
    await bot.add_cog(Presence(bot))
