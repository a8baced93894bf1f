"""The bot's sense of time: once a minute it notes that it is there and does what is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord.ext import commands, tasks

from bot.logs import get_logger
from storage.errors import StorageError

if TYPE_CHECKING:
    from bot.app import PiazzaBot

log = get_logger(__name__)

TICK = 60
"""Seconds."""

PATIENCE_MS = 3 * TICK * 1000
"""A longer pause between two beats was downtime, which counts against nobody."""


class Timer(commands.Cog):
    """Beats while the bot is connected with Discord: while it is not, no clock runs."""

    def __init__(self, bot: PiazzaBot) -> None:
        self.bot = bot
        self.connected = False

    async def cog_load(self) -> None:
        """Put off what was running while the bot was away, before anybody can move."""
        await self.bot.service.beat(PATIENCE_MS)
        self.tick.start()

    async def cog_unload(self) -> None:
        """Stop."""
        self.tick.cancel()

    @commands.Cog.listener()
    async def on_disconnect(self) -> None:
        """The connection is lost: discord.py tries to get it back."""
        self.connected = False

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Connected anew."""
        await self._back()

    @commands.Cog.listener()
    async def on_resumed(self) -> None:
        """Connected again, in the same session."""
        await self._back()

    async def _back(self) -> None:
        if not self.connected:
            self.connected = True
            await self.beat()

    async def beat(self) -> None:
        """Note that the bot is there."""
        gap = await self.bot.service.beat(PATIENCE_MS)
        if gap:
            log.info("clocks put off", seconds=gap // 1000)
            await self.bot.outbox.resume()

    @tasks.loop(seconds=TICK)
    async def tick(self) -> None:
        """Beat, then do what is due."""
        if not self.connected:
            return
        try:
            await self.beat()
            await self.bot.service.tick()
        except StorageError as error:
            log.error("tick failed", error=str(error))


async def setup(bot: PiazzaBot) -> None:
    """Start the clockwork."""
    await bot.add_cog(Timer(bot))
