"""``/match`` for absence, and the buttons of the vote on a seat whose time is up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import discord
from discord import app_commands

from bot.errors import TableError
from bot.exts.info.look import MATCH, chosen, my_matches
from bot.exts.play.moves import CLOCK_TEXT, clock_from
from bot.language import later, tr, trn
from bot.replies import UNHEARD, Act, done_text, in_time, say
from bot.service import Done, Table, escape
from bot.service.clocks import LONGEST, rule_of, rule_words
from bot.service.due import standing_vote
from bot.service.quiet import read_until
from bot.ui import NUMBER, Action, row

if TYPE_CHECKING:
    from bot.app import PiazzaBot

Command = app_commands.Command[Any, Any, Any]


def manages(interaction: Act, table: Table) -> bool:
    """Whether the person may manage the match's channel, as far as that is known: from another
    channel nobody does."""
    return (
        isinstance(interaction.user, discord.Member)
        and interaction.channel_id == table.match.channel_id
        and interaction.permissions.manage_channels
    )


def care_commands(bot: PiazzaBot) -> list[Command]:
    """The subcommands of ``/match`` that keep a table going."""
    service = bot.service

    async def here(interaction: Act, match: str = "") -> Table:
        return await chosen(bot, interaction, match)

    @app_commands.command(name="settings", description="The clock of this match (its host)")
    @app_commands.describe(
        clock=CLOCK_TEXT,
        hours="Hours for each move, or in the bank at the start",
        increment="Hours that a turn adds to the bank; empty = a tenth of it",
    )
    async def settings(
        interaction: Act,
        clock: Literal["none", "move", "bank"] | None = None,
        hours: app_commands.Range[int, 1, LONGEST] | None = None,
        increment: app_commands.Range[int, 1, LONGEST] | None = None,
    ) -> None:
        table = await here(interaction)
        rule = clock_from(clock, hours or 0, increment or 0)
        if rule is None:
            words = rule_words(rule_of(table.settings))
            await say(interaction, tr("The clock of this match: {clock}.", clock=words))
            return
        done = await in_time(
            interaction,
            service.set_clock(
                table.match.id,
                interaction.user.id,
                rule,
                moderator=manages(interaction, table),
                interaction_id=interaction.id,
            ),
        )
        await say(interaction, done_text(done))

    @app_commands.command(name="mute", description="No reminders of this match for me")
    @app_commands.describe(on="False = remind me again", match=MATCH)
    async def mute(interaction: Act, on: bool = True, match: str = "") -> None:
        table = await here(interaction, match)
        done = await in_time(
            interaction,
            service.mute(
                table.match.id, interaction.user.id, on, interaction_id=interaction.id
            ),
        )  # fmt: skip
        await say(interaction, done_text(done))

    @app_commands.command(name="pause", description="Halt the match and its clocks")
    @app_commands.describe(match=MATCH)
    async def pause(interaction: Act, match: str = "") -> None:
        table = await here(interaction, match)
        done = await in_time(
            interaction,
            service.pause(
                table.match.id,
                interaction.user.id,
                moderator=manages(interaction, table),
                interaction_id=interaction.id,
            ),
        )
        await say(interaction, done_text(done))

    @app_commands.command(name="resume", description="Let a paused match go on")
    @app_commands.describe(match=MATCH)
    async def resume(interaction: Act, match: str = "") -> None:
        table = await here(interaction, match)
        done = await in_time(
            interaction,
            service.resume(
                table.match.id,
                interaction.user.id,
                moderator=manages(interaction, table),
                interaction_id=interaction.id,
            ),
        )
        await say(interaction, done_text(done))

    @app_commands.command(name="vacation", description="Stop my clock in this match until a day")
    @app_commands.describe(
        until="Last day, like 2026-08-31 or 10 days; empty = I am back", match=MATCH
    )
    async def vacation(interaction: Act, until: str = "", match: str = "") -> None:
        table = await here(interaction, match)
        done = await in_time(
            interaction,
            service.vacation(
                table.match.id, interaction.user.id, until, interaction_id=interaction.id
            ),
        )
        await say(interaction, done_text(done))

    @vacation.autocomplete("until")
    async def days(interaction: Act, current: str) -> list[app_commands.Choice[str]]:
        typed = current.strip()
        # What is sent is understood in every language, so only its name is in the reader's.
        words = {typed: typed} if typed else {}
        words["3 days"] = trn("{n} day", "{n} days", 3)
        words["1 week"] = trn("{n} week", "{n} weeks", 1)
        words |= {f"{n} weeks": trn("{n} week", "{n} weeks", n) for n in (2, 4)}
        zone = (await service.prefs(interaction.user.id)).zone
        found: list[app_commands.Choice[str]] = []
        for word, name in words.items():
            try:
                read_until(word, bot.clock(), zone)
            except TableError:
                continue
            found.append(app_commands.Choice(name=name[:100], value=word[:100]))
        return found

    @app_commands.command(name="resign", description="Give up; the others can finish the match")
    @app_commands.describe(match=MATCH)
    async def resign(interaction: Act, match: str = "") -> None:
        table = await here(interaction, match)
        table.need_seat(interaction.user.id)
        if table.match.status == "lobby" or not table.match.open:
            # It says why not.
            await service.resign(table.match.id, interaction.user.id)
            return
        title = table.game.meta.title
        others = table.people - {table.seat_of(interaction.user.id)}
        text: str = (
            tr(
                "Give up this match of {game}? Nobody else is left at the table, so it ends, and "
                "there is no way back.",
                game=title,
            )
            if not others
            else tr(
                "Give up this match of {game}? Then your opponent wins, and there is no way back. "
                "If somebody else would like to play on for you: `/match substitute`.",
                game=title,
            )
            if len(table.seats) == 2
            else tr(
                "Give up this match of {game}? Then an automatic player finishes your seat, you "
                "count as last in `/stats`, and there is no way back. If somebody else would like "
                "to play on for you: `/match substitute`.",
                game=title,
            )
        )
        await say(interaction, text, view=row(Resign(table.match.id)))

    @app_commands.command(name="substitute", description="Give a seat to somebody else")
    @app_commands.describe(
        user="Who takes the seat",
        seat="Which seat; empty = your own, or the one that is free to be given",
    )
    async def substitute(interaction: Act, user: discord.User, seat: str = "") -> None:
        table = await here(interaction)
        if user.bot:
            raise TableError(tr("A bot cannot take a seat."))
        if not isinstance(user, discord.Member):
            raise TableError(tr("{who} is not in this server.", who=escape(user.display_name)))
        room = interaction.channel
        if isinstance(room, discord.abc.GuildChannel | discord.Thread) and (
            not room.permissions_for(user).view_channel
        ):
            raise TableError(tr("{who} cannot see this channel.", who=escape(user.display_name)))
        done = await in_time(
            interaction,
            service.substitute(
                table.match.id,
                interaction.user.id,
                user.id,
                user.display_name,
                seat=seat_named(table, seat),
                moderator=manages(interaction, table),
                interaction_id=interaction.id,
            ),
        )
        await say(interaction, done_text(done))

    @substitute.autocomplete("seat")
    async def seats(interaction: Act, current: str) -> list[app_commands.Choice[str]]:
        table = await service.at(interaction.channel_id or 0)
        if table is None or table.match.status not in ("active", "paused"):
            return []
        return [
            app_commands.Choice(name=f"{s.seat + 1}. {s.name}"[:100], value=str(s.seat + 1))
            for s in table.seats
            if current.casefold() in f"{s.seat + 1}. {s.name}".casefold()
        ]

    async def matches(interaction: Act, current: str) -> list[app_commands.Choice[str]]:
        return await my_matches(bot, interaction, current)

    several: list[Command] = [mute, pause, resume, vacation, resign]
    for command in several:
        command.autocomplete("match")(matches)
    return [settings, mute, pause, resume, vacation, resign, substitute]


def seat_named(table: Table, text: str) -> int | None:
    """A seat by its number (from 1) or its player's name; None if nothing is named.

    Raises:
        TableError: there is no such seat, or several.
    """
    plain = text.strip().casefold()
    if not plain:
        return None
    number = plain.partition(".")[0]
    if number.isdecimal() and len(number) < 4 and 1 <= int(number) <= len(table.seats):
        return int(number) - 1
    found = [s.seat for s in table.seats if s.name.casefold() == plain]
    found = found or [s.seat for s in table.seats if s.name.casefold().startswith(plain)]
    if len(found) != 1:
        raise TableError(tr("Choose the seat from the list, or give its number."))
    return found[0]


class Resign(Action, action="resign"):
    """Give up, after a second thought."""

    label = later("Yes, I give up")
    style = discord.ButtonStyle.danger

    async def act(self, interaction: Act, bot: PiazzaBot) -> None:
        """Resign."""
        done = await in_time(
            interaction,
            bot.service.resign(self.match_id, interaction.user.id, interaction_id=interaction.id),
        )
        await say(interaction, done_text(done))


async def cast_vote(interaction: Act, bot: PiazzaBot, button: Action, choice: str) -> None:
    """Vote, and take the buttons away once it is settled."""
    seat, decision = (int(part) for part in button.parts)
    try:
        done: Done = await in_time(
            interaction,
            bot.service.vote(
                button.match_id,
                interaction.user.id,
                seat,
                decision,
                choice,
                interaction_id=interaction.id,
            ),
        )
        await say(interaction, done_text(done))
    finally:
        table = await bot.service.table(button.match_id)
        if standing_vote(table, seat, decision) is None and interaction.message is not None:
            try:
                await interaction.message.edit(view=None)
            except UNHEARD:
                pass  # pressing them is answered all the same


class Skip(Action, action="vskip", shape=f"{NUMBER}:{NUMBER}"):
    """Vote for an automatic move."""

    label = later("Skip")
    style = discord.ButtonStyle.primary

    async def act(self, interaction: Act, bot: PiazzaBot) -> None:
        """Vote."""
        await cast_vote(interaction, bot, self, "skip")


class Wait(Action, action="vwait", shape=f"{NUMBER}:{NUMBER}"):
    """Vote for more time."""

    label = later("Wait")

    async def act(self, interaction: Act, bot: PiazzaBot) -> None:
        """Vote."""
        await cast_vote(interaction, bot, self, "wait")


class HandOver(Action, action="vhand", shape=f"{NUMBER}:{NUMBER}"):
    """Vote for the automatic player."""

    label = later("Hand over")

    async def act(self, interaction: Act, bot: PiazzaBot) -> None:
        """Vote."""
        await cast_vote(interaction, bot, self, "hand")


class Win(Action, action="vwin", shape=f"{NUMBER}:{NUMBER}"):
    """Of two players: end the match."""

    label = later("Take the win")

    async def act(self, interaction: Act, bot: PiazzaBot) -> None:
        """Win by time."""
        await cast_vote(interaction, bot, self, "win")


async def setup(bot: PiazzaBot) -> None:
    """Register the buttons; the commands are put into ``/match`` by its own module."""
    bot.add_dynamic_items(Resign, Skip, Wait, HandOver, Win)
