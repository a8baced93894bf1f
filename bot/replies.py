"""Answers to interactions: always private, always in time, and one handler for all errors."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Sequence
from io import BytesIO
from typing import Any, TypeVar

import aiohttp
import discord
from discord import app_commands

from bot.errors import Repeated, TableError
from bot.language import joined, later, spoken, tr, trn
from bot.logs import get_logger
from bot.mentions import localised
from bot.posts import CONTENT
from bot.service import Done
from engines.core.errors import MoveError, PiazzaError
from render.kit.encode import Picture
from storage.errors import StorageError

log = get_logger(__name__)
T = TypeVar("T")

UNHEARD = (discord.HTTPException, aiohttp.ClientError, OSError)
"""A reply that Discord refuses (too late, gone, given already) or that the network loses."""

PATIENCE = 1.5
"""Seconds of work after which the reply is deferred; Discord drops an interaction after 3."""

Act = discord.Interaction[Any]


async def in_time(interaction: Act, work: Awaitable[T]) -> T:
    """Wait for work, deferring the (private) reply if it takes long.

    The work itself is never cancelled: a committed move stays committed.
    """
    task = asyncio.ensure_future(work)
    done, _ = await asyncio.wait({task}, timeout=PATIENCE)
    if not done and not interaction.response.is_done():
        try:
            await interaction.response.defer(ephemeral=True, thinking=True)
        except UNHEARD as error:
            log.warning("deferral lost", reason=type(error).__name__)
    return await task


async def say(
    interaction: Act,
    text: str,
    *,
    view: discord.ui.View | None = None,
    picture: Picture | None = None,
    name: str = "picture",
    alt: str = "",
    file: discord.File | None = None,
) -> None:
    """Reply privately, whether or not the interaction has been answered before.

    A reply that does not arrive is logged: what was done stays done.
    """
    # The rules and a game's refusals may name commands, too.
    text = localised(text, spoken())
    text = text if len(text) <= CONTENT else text[: CONTENT - 1] + "…"
    extra: dict[str, Any] = {}
    if view is not None:
        extra["view"] = view
    if picture is not None:
        extra["file"] = attachment(picture, name, alt)
    elif file is not None:
        extra["file"] = file
    try:
        if interaction.response.is_done():
            await interaction.followup.send(
                text, ephemeral=True, allowed_mentions=discord.AllowedMentions.none(), **extra
            )
        else:
            await interaction.response.send_message(
                text, ephemeral=True, allowed_mentions=discord.AllowedMentions.none(), **extra
            )
    except UNHEARD as error:
        log.warning("reply lost", reason=type(error).__name__, code=getattr(error, "code", None))


def attachment(picture: Picture, name: str, alt: str) -> discord.File:
    """A picture as a file; the name says nothing about the position."""
    return discord.File(
        BytesIO(picture.data), filename=f"{name}.{picture.ext}", description=alt[:1024] or None
    )


def done_text(done: Done) -> str:
    """A service result as a reply."""
    return "\n".join((done.text, *done.private))


def refusal(error: MoveError) -> str:
    """A refused move as a reply: why, and what is possible instead."""
    text = error.text
    missing = [c for c in error.choices if c not in text]
    if missing:
        shown: list[str] = [f"- {c}" for c in error.choices[:12]]
        if len(error.choices) > 12:
            shown.append(trn("- … and {n} more", "- … and {n} more", len(error.choices) - 12))
        text = "\n".join((text, *shown))
    if not error.rule:
        return text
    hint = tr("-# Rule {rule}. Look it up with `/rules`.", rule=error.rule)
    return f"{text}\n{hint}"


async def explain(interaction: Act, error: Exception) -> None:
    """The one error handler: every failure becomes a private sentence, unknown ones a report."""
    while isinstance(error, app_commands.CommandInvokeError | app_commands.TransformerError):
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else None
        if not isinstance(cause, Exception):
            break
        error = cause
    if isinstance(error, Repeated):
        log.info("repeated interaction")
        await say(interaction, error.text)
    elif isinstance(error, MoveError):
        await say(interaction, refusal(error))
    elif isinstance(error, TableError):
        await say(interaction, error.text)
    elif isinstance(error, app_commands.TransformerError):
        await say(
            interaction,
            tr("“{word}” is no such thing. Choose one from the list.", word=error.value),
        )
    elif isinstance(error, app_commands.NoPrivateMessage):
        await say(interaction, tr("That works in a server's channel, not in a direct message."))
    elif isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
        await say(
            interaction,
            tr("This command has just changed. Wait a minute, or restart Discord, and try again."),
        )
    elif isinstance(error, app_commands.MissingPermissions):
        needed = [tr(MAY.get(n, n.replace("_", " "))) for n in error.missing_permissions]
        await say(interaction, tr("That is for people who may {what} here.", what=joined(needed)))
    elif isinstance(error, app_commands.CheckFailure):
        await say(interaction, tr("You may not use this command here."))
    elif isinstance(error, StorageError):
        log.error("storage failed", error=str(error))
        await say(
            interaction,
            tr(
                "Your match could not be saved just now, and nothing has changed. Please try again "
                "in a minute; the people who run the bot can see why in its log."
            ),
        )
    else:
        report = secrets.token_hex(4)
        log.error("interaction failed", report=report, exc_info=error)
        what = str(error) if isinstance(error, PiazzaError) else tr("Something went wrong")
        await say(
            interaction,
            tr(
                "{what}. Nothing has been lost. If it happens again, give the people who run the "
                "bot this report id: `{report}`.",
                what=what.rstrip("."),
                report=report,
            ),
        )


REQUIRED = ("view_channel", "send_messages", "attach_files", "read_message_history")
NAMES = {
    "view_channel": later("View Channel"),
    "send_messages": later("Send Messages"),
    "send_messages_in_threads": later("Send Messages in Threads"),
    "attach_files": later("Attach Files"),
    "read_message_history": later("Read Message History"),
}
"""Permissions as Discord calls them in its settings."""

MAY = {"manage_channels": later("manage channels")}
"""Permissions as what somebody may do."""


def missing_permissions(interaction: Act) -> list[str]:
    """Names of the permissions that the bot lacks in this channel."""
    return lacking(interaction.app_permissions, isinstance(interaction.channel, discord.Thread))


def lacking(found: discord.Permissions, thread: bool) -> list[str]:
    """Names of the permissions that a table needs and that are not among these.

    Args:
        found: what the bot may do in a channel.
        thread: the channel is a thread.
    """
    needed: Sequence[str] = REQUIRED
    if thread:
        needed = [n if n != "send_messages" else "send_messages_in_threads" for n in REQUIRED]
    return [tr(NAMES[name]) for name in needed if not getattr(found, name)]
