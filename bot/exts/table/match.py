"""``/match``: the lobby and the care of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.errors import TableError
from bot.exts.info.look import MATCH, chosen, my_matches
from bot.exts.info.mygames import link
from bot.exts.info.rules import head
from bot.exts.table.care import care_commands
from bot.exts.table.history import log_page
from bot.language import spoken, tr
from bot.mentions import choice_called
from bot.posts import STATES, clock_line, whose_turn
from bot.replies import Act, done_text, in_time, say
from bot.service import Table, seat_words
from bot.service.clocks import rule_of, rule_words
from bot.service.proposal import proposal_line

if TYPE_CHECKING:
    from bot.app import PiazzaBot


def status_text(table: Table) -> str:
    """Where a match stands."""
    meta = table.game.meta
    state = tr(STATES[table.match.status])
    if table.match.status == "frozen":
        state = tr("halted, report id {report}", report=table.match.report)
    lines: list[str] = [
        tr(
            "**{game}** (match #{id}): {state}. {link}",
            game=meta.title,
            id=table.match.id,
            state=state,
            link=link(table),
        )
    ]
    if table.match.status == "lobby":
        lines.append(tr("For {players}.", players=seat_words(table.game, table.wanted)))
    as_host = tr("host")
    for seat in table.seats:
        host = f" – {as_host}" if seat.user_id == table.match.host_id else ""
        colour = f" ({seat.colour})" if seat.colour else ""
        left = clock_line(table, seat.seat)
        lines.append(f"{seat.seat + 1}. {table.said[seat.seat]}{colour}{host}{left}")
    if rule_of(table.settings).kind != "none":
        lines.append(tr("Clock: {clock}.", clock=rule_words(rule_of(table.settings))))
    if table.match.started_at is not None:
        # Nothing is counted here: a number would betray who has prepared something in private.
        lines.append(tr("Begun {when}.", when=f"<t:{table.match.started_at // 1000}:R>"))
    turn = whose_turn(table)
    if turn:
        lines.append(turn)
    proposed = proposal_line(table)
    if proposed:
        lines.append(proposed)
    return head(lines)


def colour_called(table: Table, colour: str) -> str:
    """A colour as the game's new command offers it on the Discord of whom we speak to."""
    return choice_called((table.game.meta.command, "new"), "colour", colour, spoken())


async def setup(bot: PiazzaBot) -> None:
    """Register ``/match``."""
    # In direct messages too: there its players name the match.
    group = app_commands.Group(name="match", description="The table in this channel")
    service = bot.service

    async def here(interaction: Act, match: str = "") -> Table:
        return await chosen(bot, interaction, match)

    @group.command(name="join", description="Sit down at this channel's table")
    @app_commands.describe(colour="Your colour; empty = a free one")
    async def join(interaction: Act, colour: str = "") -> None:
        table = await here(interaction)
        word = colour.strip().casefold()
        known = table.game.meta.colours
        chosen = next((c for c in known if word == colour_called(table, c)), word)
        done = await in_time(
            interaction,
            service.join(
                table.match.id,
                interaction.user.id,
                interaction.user.display_name,
                colour=chosen or None,
                interaction_id=interaction.id,
            ),
        )
        await say(interaction, done_text(done))

    @join.autocomplete("colour")
    async def colours(interaction: Act, current: str) -> list[app_commands.Choice[str]]:
        table = await service.at(interaction.channel_id or 0)
        if table is None or table.match.status != "lobby":
            return []
        taken = {s.colour for s in table.seats if s.user_id != interaction.user.id}
        free = [c for c in table.game.meta.colours if c not in taken]
        return [
            app_commands.Choice(name=name, value=c)
            for c in free
            if current.casefold() in (name := colour_called(table, c)) or current.casefold() in c
        ]

    @group.command(name="leave", description="Get up from the table before the match starts")
    async def leave(interaction: Act) -> None:
        table = await here(interaction)
        done = await in_time(
            interaction,
            service.leave(table.match.id, interaction.user.id, interaction_id=interaction.id),
        )
        await say(interaction, done_text(done))

    @group.command(name="start", description="Begin the match (its host)")
    async def start(interaction: Act) -> None:
        table = await here(interaction)
        done = await in_time(
            interaction,
            service.start(table.match.id, interaction.user.id, interaction_id=interaction.id),
        )
        await say(interaction, done_text(done))

    @group.command(name="status", description="Where the match stands and who is to act")
    @app_commands.describe(match=MATCH)
    async def status(interaction: Act, match: str = "") -> None:
        table = await here(interaction, match)
        await say(interaction, status_text(table))

    @group.command(name="undo", description="Take back my latest step")
    @app_commands.describe(match=MATCH)
    async def undo(interaction: Act, match: str = "") -> None:
        table = await here(interaction, match)
        done = await in_time(
            interaction,
            service.undo(table.match.id, interaction.user.id, interaction_id=interaction.id),
        )
        await say(interaction, done_text(done))

    @group.command(name="log", description="What has happened, newest last")
    @app_commands.describe(page="Which page; empty = the newest", match=MATCH)
    async def log(
        interaction: Act, page: app_commands.Range[int, 1, 999] | None = None, match: str = ""
    ) -> None:
        table = await here(interaction, match)
        text, buttons = await in_time(interaction, log_page(bot, table, page))
        await say(interaction, text, view=buttons)

    @group.command(name="end", description="Close the lobby, or agree to call the match off")
    @app_commands.describe(decide="Call it off without the players' votes (needs Manage Channels)")
    async def end(interaction: Act, decide: bool = False) -> None:
        table = await here(interaction)
        user = interaction.user
        manager = isinstance(user, discord.Member) and interaction.permissions.manage_channels
        if decide and not manager:
            # Not taken for a vote: that is not what was asked for.
            raise TableError(
                tr(
                    "Only people who may manage this channel decide that. Without `decide`, "
                    "`/match end` agrees to call the match off."
                )
            )
        done = await in_time(
            interaction,
            service.end(
                table.match.id,
                user.id,
                moderator=decide,
                interaction_id=interaction.id,
            ),
        )
        await say(interaction, done_text(done))

    @group.command(name="verify", description="Check that the deal was fair")
    @app_commands.describe(match=MATCH)
    async def verify(interaction: Act, match: str = "") -> None:
        table = await here(interaction, match)
        await say(interaction, await in_time(interaction, service.verify(table.match.id)))

    async def matches(interaction: Act, current: str) -> list[app_commands.Choice[str]]:
        return await my_matches(bot, interaction, current)

    several: list[app_commands.Command[Any, Any, Any]] = [status, undo, log, verify]
    for command in several:
        command.autocomplete("match")(matches)
    for command in care_commands(bot):
        group.add_command(command)
    bot.tree.add_command(group)
