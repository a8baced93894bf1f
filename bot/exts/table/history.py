"""The log of a match in pages, told from the replayed events that everybody may see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.errors import TableError
from bot.posts import CONTENT
from bot.service import Table, fill

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


async def log_page(bot: PiazzaBot, table: Table, page: int | None) -> str:
    """One page of the log.

    Raises:
        TableError: nothing has happened, or there is no such page.
    """
    lines = await bot.service.public_log(table)
    if not lines:
        raise TableError("Nothing has happened at this table yet.")
    pages = pages_of(lines)
    number = len(pages) if page is None else page
    if number > len(pages):
        raise TableError(f"The log has {len(pages)} pages only.")
    text = f"**{table.game.meta.title}**, log page {number} of {len(pages)}\n{pages[number - 1]}"
    return fill(text, table.said)[:CONTENT]
