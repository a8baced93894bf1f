"""``/mygames``: which tables wait for me."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands

from bot.exts.info.rules import head
from bot.posts import time_words
from bot.replies import Act, in_time, say
from bot.service import Table

if TYPE_CHECKING:
    from bot.app import PiazzaBot


def link(table: Table) -> str:
    """A jump link to the newest board, or a mention of the channel."""
    row = table.match
    where = row.guild_id if row.guild_id is not None else "@me"
    if row.board_message_id is None or row.board_channel_id is None:
        return f"<#{row.channel_id}>"
    return f"https://discord.com/channels/{where}/{row.board_channel_id}/{row.board_message_id}"


def line(table: Table, user_id: int) -> str:
    """One match in a line."""
    seat = table.seat_of(user_id)
    name = f"`#{table.match.id}` **{table.game.meta.title}**"
    if table.match.status == "lobby":
        return f"{name}: waiting for players – {link(table)}"
    if seat in table.waiting() and seat is not None:
        what = f"{table.game.prompt(table.view(seat), seat)}{time_words(table, seat)}"
        return f"➤ {name}: your turn, {what} – {link(table)}"
    if table.match.status != "active":
        return f"{name}: {table.match.status} – {link(table)}"
    who = ", ".join(table.said[s] for s in table.waiting()) or "nobody"
    return f"{name}: waiting for {who} – {link(table)}"


async def setup(bot: PiazzaBot) -> None:
    """Register ``/mygames``."""

    @app_commands.command(name="mygames", description="Which tables wait for me")
    async def mygames(interaction: Act) -> None:
        user = interaction.user.id
        tables = await in_time(interaction, bot.service.mine(user))
        if not tables:
            await say(
                interaction,
                "You sit at no table. Open one with a game's `new` command, such as `/paris new`.",
            )
            return
        tables.sort(key=lambda t: (t.seat_of(user) not in t.waiting(), t.match.id))
        mine = sum(t.seat_of(user) in t.waiting() for t in tables)
        first = "Nobody waits for you." if not mine else (
            "One table waits for you." if mine == 1 else f"{mine} tables wait for you."
        )  # fmt: skip
        await say(interaction, head([first, *(line(t, user) for t in tables)]))

    bot.tree.add_command(mygames)
