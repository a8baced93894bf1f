"""``/match replay`` and ``/match export``: looking back on a match."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any, ClassVar

import discord
import msgspec
from discord import app_commands

from bot.errors import TableError
from bot.exts.info.look import my_matches, named
from bot.exts.play.picker import private
from bot.exts.table.history import log_page
from bot.language import later, tr
from bot.posts import alt_text, board_words
from bot.replays import need_started
from bot.replies import UNHEARD, Act, attachment, in_time, say
from bot.service import Table
from bot.ui import NUMBER, Action, row

if TYPE_CHECKING:
    from bot.app import PiazzaBot

NEWEST = 10**9
"""A place after every position there will ever be."""


class Step(Action, action="step", shape=rf"{NUMBER}:[fbnl]"):
    """Go to a position. The letter is the button's: several may lead to one place."""

    LABELS: ClassVar = {
        "f": later("First"),
        "b": later("Back"),
        "n": later("Forward"),
        "l": later("Last"),
    }

    def __init__(self, match_id: int, *parts: object, disabled: bool = False) -> None:
        super().__init__(match_id, *parts, disabled=disabled)
        self.item.label = tr(self.LABELS.get(str(parts[-1]) if parts else "", "–"))

    async def act(self, interaction: discord.Interaction[Any], bot: PiazzaBot) -> None:
        """Show it in place of the position before."""
        table = await bot.service.table(self.match_id)
        need_look(table, interaction)
        await turn(interaction)
        await show_position(interaction, bot, table, int(self.parts[0]))


class LogPage(Action, action="log", shape=rf"{NUMBER}:[bn]"):
    """Turn a page of the log."""

    LABELS: ClassVar = {"b": later("Back"), "n": later("Forward")}

    def __init__(self, match_id: int, *parts: object, disabled: bool = False) -> None:
        super().__init__(match_id, *parts, disabled=disabled)
        self.item.label = tr(self.LABELS.get(str(parts[-1]) if parts else "", "–"))

    async def act(self, interaction: discord.Interaction[Any], bot: PiazzaBot) -> None:
        """Show it in place of the page before."""
        table = await bot.service.table(self.match_id)
        need_look(table, interaction)
        await turn(interaction)
        text, view = await log_page(bot, table, int(self.parts[0]))
        await interaction.edit_original_response(content=text, view=view)


class Replay(Action, action="replay"):
    """Look back on a match from its start (under the recap)."""

    label = later("Replay")

    async def act(self, interaction: discord.Interaction[Any], bot: PiazzaBot) -> None:
        """Open the first position, privately."""
        table = await bot.service.table(self.match_id)
        need_look(table, interaction)
        need_started(table)
        await interaction.response.defer(ephemeral=True, thinking=True)
        await show_position(interaction, bot, table, 0)


async def turn(interaction: Act) -> None:
    """Acknowledge a press at once; what is found then takes the place of the private reply."""
    if private(interaction):
        await interaction.response.defer()
    else:
        await interaction.response.defer(ephemeral=True, thinking=True)


def need_look(table: Table, interaction: Act) -> None:
    """Let players look from anywhere, and others in the match's channel alone: that channel may be
    closed to them.

    Raises:
        TableError: somebody else, elsewhere.
    """
    seated = table.seat_of(interaction.user.id) is not None
    if not seated and interaction.channel_id != table.match.channel_id:
        raise TableError(
            tr("You do not sit at that table; it can be looked at in its own channel.")
        )


def step_buttons(ident: int, place: int, last: int) -> discord.ui.View:
    """First, back, forward, last; those that lead nowhere are off."""
    return row(
        Step(ident, 0, "f", disabled=place == 0),
        Step(ident, max(place - 1, 0), "b", disabled=place == 0),
        Step(ident, min(place + 1, last), "n", disabled=place == last),
        # Of a running match the last position is the present one, whenever it is pressed.
        Step(ident, NEWEST, "l", disabled=place == last),
    )


async def show_position(interaction: Act, bot: PiazzaBot, table: Table, place: int | None) -> None:
    """Put a position into the reply, which is deferred already."""
    viewer = table.seat_of(interaction.user.id)
    shown = await bot.replays.at(table, viewer, place)
    picture = await bot.pictures.board(table.game.meta.key, shown.view, table.names)
    # Both took time: the seat may be somebody else's by now.
    now = await bot.service.table(table.match.id)
    if viewer is not None and now.seat_of(interaction.user.id) != viewer:
        raise TableError(tr("You do not sit at this table any more."))
    where = tr("the start")
    if shown.place:
        where = tr("position {place} of {last}", place=shown.place, last=shown.last)
    words = {"game": table.game.meta.title, "id": table.match.id, "position": where}
    text: str = (
        tr("**{game}** (match #{id}), {position}, as you saw it", **words)
        if viewer is not None
        else tr("**{game}** (match #{id}), {position}, as everybody saw it", **words)
    )
    files = []
    if picture is None:
        text += f"\n{board_words(table, shown.view)}"
    else:
        files = [attachment(picture, "position", alt_text(table, shown.view))]
    try:
        await interaction.edit_original_response(
            content=text[:2000],
            attachments=files,
            view=step_buttons(table.match.id, shown.place, shown.last),
            allowed_mentions=discord.AllowedMentions.none(),
        )
    except UNHEARD:
        # Gone or too late; the next press tries again.
        return


async def setup(bot: PiazzaBot) -> None:
    """Register the buttons and add the commands to ``/match``."""
    bot.add_dynamic_items(Step, LogPage, Replay)
    group = bot.tree.get_command("match")
    assert isinstance(group, app_commands.Group)

    @group.command(name="replay", description="Step through the positions of the match")
    @app_commands.describe(
        position="Where to begin; 0 is the start; empty = the start",
        match="Which match, outside its channel or before the newest one",
    )
    async def replay(
        interaction: Act, position: app_commands.Range[int, 0, NEWEST] = 0, match: str = ""
    ) -> None:
        table = await named(bot, interaction, match)
        need_started(table)
        await interaction.response.defer(ephemeral=True, thinking=True)
        await show_position(interaction, bot, table, position)

    @group.command(name="export", description="The record of a match that is over, as a file")
    @app_commands.describe(match="Which match, outside its channel or before the newest one")
    async def export(interaction: Act, match: str = "") -> None:
        table = await named(bot, interaction, match)
        if not table.match.open:
            need_started(table)
        record = await in_time(interaction, bot.service.record(table.match.id))
        data = msgspec.json.format(msgspec.json.encode(record), indent=1)
        name = f"{table.match.game}-{table.match.id}.json"
        await say(
            interaction,
            tr(
                "The record of match #{id}: seed and every move. `piazza replay {file}` checks it "
                "on any machine, position by position.",
                id=table.match.id,
                file=name,
            ),
            file=discord.File(BytesIO(data), filename=name),
        )

    @replay.autocomplete("match")
    @export.autocomplete("match")
    async def matches(interaction: Act, current: str) -> list[app_commands.Choice[str]]:
        return await my_matches(bot, interaction, current)
