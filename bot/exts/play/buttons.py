"""The buttons under the board: hand, undo, rules. *My move* is in :mod:`bot.exts.play.picker`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord

from bot.exts.info.rules import overview
from bot.language import later
from bot.replies import done_text, in_time, say
from bot.ui import NUMBER, Action

if TYPE_CHECKING:
    from bot.app import PiazzaBot


class MyHand(Action, action="hand"):
    """Look at one's own hidden things."""

    label = later("My hand")

    async def act(self, interaction: discord.Interaction[Any], bot: PiazzaBot) -> None:
        """Show them to the presser alone."""
        from bot.exts.info.look import show_hand

        await show_hand(interaction, bot, await bot.service.table(self.match_id))


class Undo(Action, action="undo", shape=NUMBER):
    """Take the latest step back."""

    label = later("Undo")

    async def act(self, interaction: discord.Interaction[Any], bot: PiazzaBot) -> None:
        """Undo, if the table is still as the presser saw it."""
        done = await in_time(
            interaction,
            bot.service.undo(
                self.match_id,
                interaction.user.id,
                head=int(self.parts[0]),
                interaction_id=interaction.id,
            ),
        )
        await say(interaction, done_text(done))


class Rules(Action, action="rules"):
    """A short introduction to the game."""

    label = later("Rules")

    async def act(self, interaction: discord.Interaction[Any], bot: PiazzaBot) -> None:
        """List the topics."""
        table = await bot.service.table(self.match_id)
        await say(interaction, overview(table.game))


async def setup(bot: PiazzaBot) -> None:
    """Register the buttons."""
    bot.add_dynamic_items(MyHand, Undo, Rules)
