"""``/match rollback``: going back to a chosen point, and the buttons of the proposal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.errors import TableError
from bot.exts.info.look import MATCH, chosen, my_matches
from bot.exts.table.care import manages
from bot.language import later, tr
from bot.posts import CONTENT, alt_text, board_words
from bot.replies import UNHEARD, Act, done_text, in_time, say
from bot.service.proposal import proposal_of
from bot.service.rollback import OFFERED, Preview
from bot.ui import NUMBER, Action, row
from render.kit.encode import Picture

if TYPE_CHECKING:
    from bot.app import PiazzaBot


class Propose(Action, action="rbgo", shape=f"{NUMBER}:{NUMBER}"):
    """Propose what the preview shows: the point, and what had happened by then."""

    label = later("Propose")
    style = discord.ButtonStyle.primary

    async def act(self, interaction: Act, bot: PiazzaBot) -> None:
        """Propose it, or do it if nobody else has to agree."""
        place, changes = (int(part) for part in self.parts)
        table = await bot.service.table(self.match_id)
        done = await in_time(
            interaction,
            bot.service.propose(
                self.match_id,
                interaction.user.id,
                place,
                changes,
                moderator=manages(interaction, table),
                interaction_id=interaction.id,
            ),
        )
        await instead(interaction, done_text(done))


class NeverMind(Action, action="rbnot"):
    """Drop a preview."""

    label = later("Never mind")

    async def act(self, interaction: Act, bot: PiazzaBot) -> None:
        """Say that nothing has happened."""
        await instead(interaction, tr("Nothing has changed."))


class Agree(Action, action="rbyes", shape=NUMBER):
    """Agree to a proposal."""

    label = later("Agree")
    style = discord.ButtonStyle.success

    async def act(self, interaction: Act, bot: PiazzaBot) -> None:
        """Agree."""
        await answer(interaction, bot, self, agree=True)


class Refuse(Action, action="rbno", shape=NUMBER):
    """Refuse a proposal, or take one's own back."""

    label = later("Refuse")

    async def act(self, interaction: Act, bot: PiazzaBot) -> None:
        """Refuse."""
        await answer(interaction, bot, self, agree=False)


async def answer(interaction: Act, bot: PiazzaBot, button: Action, *, agree: bool) -> None:
    """Answer a proposal, and take the buttons away once it is settled."""
    number = int(button.parts[0])
    try:
        done = await in_time(
            interaction,
            bot.service.answer(
                button.match_id, interaction.user.id, number, agree, interaction_id=interaction.id
            ),
        )
        await say(interaction, done_text(done))
    finally:
        table = await bot.service.find(button.match_id)
        proposal = proposal_of(table.settings) if table is not None else None
        settled = proposal is None or proposal.number != number
        if settled and interaction.message is not None:
            try:
                await interaction.message.edit(view=None)
            except UNHEARD:
                pass  # pressing them is answered all the same


async def instead(interaction: Act, text: str) -> None:
    """Put a text in the place of the private preview, picture and buttons included."""
    message = interaction.message
    if interaction.response.is_done() or message is None or not message.flags.ephemeral:
        await say(interaction, text)
        return
    try:
        await interaction.response.edit_message(content=text, view=None, attachments=[])
    except UNHEARD:
        await say(interaction, text)


def preview_buttons(preview: Preview) -> discord.ui.View:
    """Propose it, or not."""
    ident = preview.table.match.id
    go = Propose(ident, preview.goal.place, preview.changes)
    if preview.at_once:
        go.item.label = tr("Go back")
    return row(go, NeverMind(ident))


async def setup(bot: PiazzaBot) -> None:
    """Register the buttons and add the command to ``/match``."""
    bot.add_dynamic_items(Propose, NeverMind, Agree, Refuse)
    service = bot.service
    group = bot.tree.get_command("match")
    assert isinstance(group, app_commands.Group)

    async def look(interaction: Act, to: str, match: str) -> tuple[Preview, Picture | None]:
        table = await chosen(bot, interaction, match)
        user, moderator = interaction.user.id, manages(interaction, table)
        place = await service.place_named(table, user, to, moderator=moderator)
        preview = await service.preview(table.match.id, user, place, moderator=moderator)
        names = preview.table.names
        picture = await bot.pictures.board(preview.table.game.meta.key, preview.view, names)
        # The picture took time: the seat may be somebody else's by now.
        now = await service.table(table.match.id)
        if now.seat_of(user) != preview.view.viewer:
            raise TableError(tr("You do not sit at this table any more."))
        return preview, picture

    @group.command(name="rollback", description="Go back to an earlier point, if all agree")
    @app_commands.describe(
        to="Before which move; choose from the list, or say how many moves back", match=MATCH
    )
    async def rollback(interaction: Act, to: str, match: str = "") -> None:
        preview, picture = await in_time(interaction, look(interaction, to, match))
        text = preview.text
        words = board_words(preview.table, preview.view)
        if picture is None and len(text) + len(words) < CONTENT:
            text = f"{text}\n{words}"
        await say(
            interaction,
            text,
            view=preview_buttons(preview),
            picture=picture,
            name="position",
            alt=alt_text(preview.table, preview.view),
        )

    @rollback.autocomplete("to")
    async def points(interaction: Act, current: str) -> list[app_commands.Choice[str]]:
        try:
            table: Any = await chosen(bot, interaction, interaction.namespace.match or "")
            user, moderator = interaction.user.id, manages(interaction, table)
            found = await service.points(table, user, moderator=moderator)
        except TableError:
            return []
        plain = current.strip().casefold()
        return [
            app_commands.Choice(name=words, value=f"@{place}")
            for place, words in found
            if plain in words.casefold() or plain == f"@{place}"
        ][:OFFERED]

    @rollback.autocomplete("match")
    async def matches(interaction: Act, current: str) -> list[app_commands.Choice[str]]:
        return await my_matches(bot, interaction, current)
