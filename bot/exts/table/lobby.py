"""The lobby's buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord

from bot.language import later
from bot.replies import done_text, in_time, say
from bot.ui import Action

if TYPE_CHECKING:
    from bot.app import PiazzaBot


class Join(Action, action="join"):
    """Take a seat."""

    label = later("Join")
    style = discord.ButtonStyle.success

    async def act(self, interaction: discord.Interaction[Any], bot: PiazzaBot) -> None:
        """Sit down at the table."""
        done = await in_time(
            interaction,
            bot.service.join(
                self.match_id,
                interaction.user.id,
                interaction.user.display_name,
                interaction_id=interaction.id,
            ),
        )
        await say(interaction, done_text(done))


class Leave(Action, action="leave"):
    """Give the seat up."""

    label = later("Leave")

    async def act(self, interaction: discord.Interaction[Any], bot: PiazzaBot) -> None:
        """Get up from the table."""
        done = await in_time(
            interaction,
            bot.service.leave(self.match_id, interaction.user.id, interaction_id=interaction.id),
        )
        await say(interaction, done_text(done))


class Start(Action, action="start"):
    """Begin the match."""

    label = later("Start")
    style = discord.ButtonStyle.primary

    async def act(self, interaction: discord.Interaction[Any], bot: PiazzaBot) -> None:
        """The host begins."""
        done = await in_time(
            interaction,
            bot.service.start(self.match_id, interaction.user.id, interaction_id=interaction.id),
        )
        await say(interaction, done_text(done))


async def setup(bot: PiazzaBot) -> None:
    """Register the buttons."""
    bot.add_dynamic_items(Join, Leave, Start)
