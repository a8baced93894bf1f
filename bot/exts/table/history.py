"""The log of a match in pages, told from the replayed events that everybody may see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from bot.errors import TableError
from bot.language import tr, trn
from bot.posts import CONTENT
from bot.service import Table, fill
from bot.ui import button, row

if TYPE_CHECKING:
    from bot.app import PiazzaBot

PAGE = 1700
"""Characters of a page, room for the heading left."""


def pages_of(lines: list[str]) -> list[str]:
    """Lines in pages that fit a message."""
    pages: list[list[str]] = [[]]
    for line in lines:
        short = line if len(line) <= PAGE else line[: PAGE - 1] + "…"
        if pages[-1] and sum(len(x) + 1 for x in pages[-1]) + len(short) > PAGE:
            pages.append([])
        pages[-1].append(short)
    return ["\n".join(page) for page in pages]


async def log_page(bot: PiazzaBot, table: Table, page: int | None) -> tuple[str, discord.ui.View]:
    """One page of the log, and the buttons that turn it.

    Raises:
        TableError: nothing has happened, or there is no such page.
    """
    lines = await bot.service.public_log(table)
    if not lines:
        raise TableError(tr("Nothing has happened at this table yet."))
    pages = pages_of(lines)
    number = len(pages) if page is None else page
    if not 1 <= number <= len(pages):
        raise TableError(
            trn("The log has one page only.", "The log has {n} pages only.", len(pages))
        )
    heading = tr(
        "**{game}**, log page {page} of {pages}",
        game=table.game.meta.title,
        page=number,
        pages=len(pages),
    )
    text = f"{heading}\n{pages[number - 1]}"
    ident = table.match.id
    back = button("log", ident, max(number - 1, 1), "b")
    forward = button("log", ident, min(number + 1, len(pages)), "n")
    back.item.disabled = number == 1
    forward.item.disabled = number == len(pages)
    return fill(text, table.said)[:CONTENT], row(*([back, forward] if len(pages) > 1 else []))
