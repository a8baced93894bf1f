"""``/mygames``: which tables wait for me."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands

from bot.exts.info.rules import head
from bot.language import tr, trn
from bot.posts import STATES, task_words
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
        return tr("{match}: waiting for players – {link}", match=name, link=link(table))
    if seat in table.waiting() and seat is not None:
        return tr(
            "➤ {match}: your turn, {task} – {link}",
            match=name,
            task=task_words(table, seat, table.game.prompt(table.view(seat), seat)),
            link=link(table),
        )
    if table.match.status != "active":
        state = tr(STATES[table.match.status])
        return f"{name}: {state} – {link(table)}"
    who = ", ".join(table.said[s] for s in table.waiting())
    return tr(
        "{match}: waiting for {who} – {link}",
        match=name,
        who=who or tr("nobody"),
        link=link(table),
    )


async def setup(bot: PiazzaBot) -> None:
    """Register ``/mygames``."""

    @app_commands.command(name="mygames", description="Which tables wait for me")
    async def mygames(interaction: Act) -> None:
        user = interaction.user.id
        tables = await in_time(interaction, bot.service.mine(user))
        if not tables:
            await say(
                interaction,
                tr(
                    "You sit at no table. Open one with a game's `new` command, such as "
                    "`/paris new`."
                ),
            )
            return
        tables.sort(key=lambda t: (t.seat_of(user) not in t.waiting(), t.match.id))
        mine = sum(t.seat_of(user) in t.waiting() for t in tables)
        first = trn("One table waits for you.", "{n} tables wait for you.", mine)
        if not mine:
            first = tr("Nobody waits for you.")
        await say(interaction, head([first, *(line(t, user) for t in tables)]))

    bot.tree.add_command(mygames)
