"""In which language somebody speaks to the bot."""

from __future__ import annotations

from typing import Any

import discord

from bot.language import language_of, speak


def hear(interaction: discord.Interaction[Any]) -> None:
    """Answer in the language of this person's Discord from here to the end of the task, and let the
    bot remember it for the direct messages that come later.

    To be called first wherever discord.py hands over an interaction: by the command tree, a button,
    a select, a modal.
    """
    language = language_of(interaction.locale)
    speak(language)
    interaction.client.meet(interaction.user.id, language)
