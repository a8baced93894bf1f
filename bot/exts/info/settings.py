"""``/settings``: what the bot may do for me."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from discord import app_commands

from bot.replies import Act, say

if TYPE_CHECKING:
    from bot.app import PiazzaBot


async def setup(bot: PiazzaBot) -> None:
    """Register ``/settings``."""

    @app_commands.command(name="settings", description="What the bot does for me; empty shows it")
    @app_commands.describe(direct_messages="Send me my hand as a direct message when it changes")
    async def settings(interaction: Act, direct_messages: bool | None = None) -> None:
        player = await bot.store.player(interaction.user.id)
        prefs = json.loads(player.prefs)
        if direct_messages is not None:
            prefs["dm"] = direct_messages
            await bot.store.set_prefs(interaction.user.id, json.dumps(prefs))
        wanted = prefs.get("dm", True)
        lines = [f"Direct messages with your hand: **{'on' if wanted else 'off'}**."]
        if wanted and player.dm_closed:
            lines.append(
                "The last one was refused: allow direct messages from this server in its privacy "
                "settings if you want them."
            )
        lines.append("`/hand` and the button **My hand** always work.")
        await say(interaction, "\n".join(lines))

    bot.tree.add_command(settings)
