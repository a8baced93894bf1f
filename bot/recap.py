"""The post after a match: ranking with its breakdown, and the match as an animated picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.language import tr
from bot.logs import get_logger
from bot.posts import CONTENT, shorten
from bot.replies import attachment
from bot.service import Table
from bot.service.endings import early_ranking, ranking
from bot.ui import button, row
from engines.core.errors import PiazzaError

if TYPE_CHECKING:
    from bot.app import PiazzaBot
    from render.kit.encode import Picture

log = get_logger(__name__)

FRAMES = 20
"""Key positions in the animation."""

AIM = 4_000_000
"""Bytes of an animation that loads quickly on a phone."""

SMALLEST_LIMIT = 10 * 1024 * 1024
"""Bytes that every server takes."""

ROOM = 64 * 1024
"""Bytes of a request besides the picture."""

TOO_LARGE = 40005
"""Discord: request entity too large."""


def recap_text(table: Table) -> str:
    """The words of the recap."""
    row = table.match
    outcome = table.game.outcome(table.state)
    lines: list[str] = [tr("**{game}: how it went**", game=table.game.meta.title)]
    early = table.settings.get("result")
    if outcome is not None:
        lines += ranking(table, outcome, breakdown=True)
        reason = table.game.meta.end_reasons.get(outcome.reason)
        if reason:
            lines.append(reason)
    elif early:
        lines += early_ranking(table, early["ranking"][0], early["reason"])
    if row.started_at is not None and row.ended_at is not None:
        # Discord writes both in the reader's own time zone.
        lines.append(
            tr(
                "-# From {start} to {end}.",
                start=f"<t:{row.started_at // 1000}:f>",
                end=f"<t:{row.ended_at // 1000}:f>",
            )
        )
    lines.append(
        tr("-# Look back with **Replay** or `/match replay`; take it along: `/match export`.")
    )
    return shorten(lines, CONTENT)


def upload_limit(bot: PiazzaBot, table: Table) -> int:
    """Bytes that a file may have at this table."""
    guild = bot.get_guild(table.match.guild_id or 0)
    limit = SMALLEST_LIMIT if guild is None else guild.filesize_limit
    return min(AIM, limit - ROOM)


async def animation(bot: PiazzaBot, table: Table) -> Picture | None:
    """The match as an animated picture; None if that fails, for whatever reason."""
    try:
        views = await bot.replays.public(table, FRAMES)
    except (PiazzaError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        log.error("no recap picture", match=table.match.id, exc_info=error)
        return None
    return await bot.pictures.recap(
        table.game.meta.key, views, table.names, upload_limit(bot, table)
    )


async def post_recap(
    bot: PiazzaBot, table: Table, channel: discord.abc.Messageable, nonce: str
) -> discord.Message:
    """Send the recap; without its picture, if that cannot be made or is not taken.

    Raises:
        discord.HTTPException: not even the words are taken.
    """
    text = recap_text(table)
    buttons = row(button("replay", table.match.id), button("rules", table.match.id))
    picture = await animation(bot, table)
    if picture is not None:
        alt: str = tr(
            "The match of {game} as an animation, from the start to the end. {board}",
            game=table.game.meta.title,
            board=table.game.alt(table.view(None)),
        )
        for seat, name in enumerate(table.names):
            alt = alt.replace(f"{{seat:{seat}}}", name)
        try:
            return await channel.send(
                text, file=attachment(picture, "recap", alt), view=buttons, nonce=nonce
            )
        except discord.HTTPException as error:
            refused = error.status in (400, 403, 413) or error.code == TOO_LARGE
            if not refused:
                raise
            log.warning("recap picture refused", match=table.match.id, code=error.code)
            buttons = row(button("replay", table.match.id), button("rules", table.match.id))
    return await channel.send(text, view=buttons, nonce=nonce)
