"""``/board`` and ``/hand``: looking at a match, privately."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import discord
from discord import app_commands

from bot.errors import TableError
from bot.language import tr
from bot.posts import alt_text, board_words, hand_text
from bot.replies import Act, say
from bot.service import Table, escape

if TYPE_CHECKING:
    from bot.app import PiazzaBot


MATCH = "Which match, outside its channel"
"""Describes the option that names one."""


async def show_board(
    interaction: Act, bot: PiazzaBot, table: Table, *, focus: int | None = None, text: bool = False
) -> None:
    """Reply with the board as the asker may see it."""
    view = table.view(table.seat_of(interaction.user.id))
    if text:
        await say(interaction, board_words(table, view))
        return
    await interaction.response.defer(ephemeral=True, thinking=True)
    picture = await bot.pictures.board(table.game.meta.key, view, table.names, focus=focus)
    if view.viewer is not None:
        now = await bot.service.table(table.match.id)
        if now.seat_of(interaction.user.id) != view.viewer:
            raise TableError(tr("You do not sit at this table any more."))
    if picture is None:
        await say(interaction, board_words(table, view))
        return
    title = tr("**{game}**, as you see it", game=table.game.meta.title)
    await say(interaction, title, picture=picture, name="board", alt=alt_text(table, view))


async def show_hand(interaction: Act, bot: PiazzaBot, table: Table) -> None:
    """Reply with the asker's own hidden things."""
    seat = table.need_seat(interaction.user.id)
    text = hand_text(table, seat, (), "")
    view = table.view(seat)
    if not text:
        raise TableError(
            tr("There is nothing hidden in your hand in {game} now.", game=table.game.meta.title)
        )
    await interaction.response.defer(ephemeral=True, thinking=True)
    picture = await bot.pictures.hand(table.game.meta.key, view, table.names)
    # The picture took time: the seat may be somebody else's by now.
    if (await bot.service.table(table.match.id)).seat_of(interaction.user.id) != seat:
        raise TableError(tr("You do not sit at this table any more."))
    await say(interaction, text, picture=picture, name="hand", alt=text)


async def named(bot: PiazzaBot, interaction: Act, match: str) -> Table:
    """The match that was named, else the channel's, else the asker's only one.

    A match of another channel is shown to its players alone: that channel may be closed to the
    asker.

    Raises:
        TableError: none of them, or several.
    """
    if match.strip():
        found = re.match(r"\s*#?\s*([0-9]{1,18})(?![0-9])", match)
        if found is None:
            raise TableError(tr("Name the match by its number, as `/mygames` shows it."))
        named_ = await bot.service.find(int(found[1]))
        if named_ is None or (
            named_.seat_of(interaction.user.id) is None
            and named_.match.channel_id != interaction.channel_id
        ):
            raise TableError(
                tr(
                    "You sit at no match with that number; `/mygames` lists those where you do. "
                    "Others can be seen in their own channel."
                )
            )
        return named_
    table = await bot.service.at(interaction.channel_id or 0)
    if table is not None:
        return table
    mine = [t for t in await bot.service.mine(interaction.user.id) if t.state is not None]
    if len(mine) == 1:
        return mine[0]
    if not mine:
        raise TableError(tr("There is no match here, and you sit in no other one."))
    listed = "\n".join(
        tr(
            "- `{id}` {game} in {channel}",
            id=t.match.id,
            game=t.game.meta.title,
            channel=f"<#{t.match.channel_id}>",
        )
        for t in mine[:20]
    )
    ask = tr("You sit in several matches. Say which with `match:`")
    raise TableError(f"{ask}\n{listed}")


async def chosen(bot: PiazzaBot, interaction: Act, match: str) -> Table:
    """The match that a command of ``/match`` is about: the channel's; in a direct message, or where
    one is named, see :func:`named`.

    Raises:
        TableError: none, or several.
    """
    if match.strip() or interaction.guild_id is None:
        return await named(bot, interaction, match)
    return await bot.service.need(interaction.channel_id or 0)


async def my_matches(bot: PiazzaBot, interaction: Act, current: str) -> list[
    app_commands.Choice[str]
]:  # fmt: skip
    """Autocompletion: the asker's open matches."""
    found = []
    for table in await bot.service.mine(interaction.user.id):
        name = f"#{table.match.id} {table.game.meta.title}"
        if table.match.channel_id == interaction.channel_id:
            name = tr("{match} (here)", match=name)
        if current.casefold() in name.casefold():
            found.append(app_commands.Choice(name=name[:100], value=str(table.match.id)))
    return found[:25]


async def setup(bot: PiazzaBot) -> None:
    """Register the commands."""

    @app_commands.command(name="board", description="Show the board to me alone")
    @app_commands.describe(
        player="Show this player's own area large",
        text="As text instead of a picture",
        match=MATCH,
    )
    async def board(
        interaction: Act, player: discord.User | None = None, text: bool = False, match: str = ""
    ) -> None:
        table = await named(bot, interaction, match)
        focus = None
        if player is not None:
            focus = table.seat_of(player.id)
            if focus is None:
                raise TableError(
                    tr("{who} does not sit at this table.", who=escape(player.display_name))
                )
        await show_board(interaction, bot, table, focus=focus, text=text)

    @app_commands.command(name="hand", description="Show my own hidden things, to me alone")
    @app_commands.describe(match=MATCH)
    async def hand(interaction: Act, match: str = "") -> None:
        await show_hand(interaction, bot, await named(bot, interaction, match))

    @board.autocomplete("match")
    @hand.autocomplete("match")
    async def matches(interaction: Act, current: str) -> list[app_commands.Choice[str]]:
        return await my_matches(bot, interaction, current)

    bot.tree.add_command(board)
    bot.tree.add_command(hand)
