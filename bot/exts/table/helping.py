"""Automatic help: ``/match plan``, ``/match plans``, ``/match forced``, and the button under a
refusal that turns the refused command into a plan."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

import discord
from discord import app_commands

from bot.errors import TableError
from bot.exts.info.look import MATCH, chosen, my_matches
from bot.language import later, spoken, tr, unpacked
from bot.mentions import in_english
from bot.replies import Act, done_text, in_time, refusal, say
from bot.service import Table
from bot.service.helping import bare, choices, plan_words, read_plan, typed
from bot.ui import NUMBER, Action, row
from engines.core import surface
from engines.core.errors import MoveError, PiazzaError
from storage.plans import PlanRow

if TYPE_CHECKING:
    from bot.app import PiazzaBot

ALL = 0
"""Stands for all plans in a button."""


class PlanIt(Action, action="planit", shape=NUMBER):
    """Do what was refused when it is the presser's turn."""

    label = later("Do it when it is my turn")
    style = discord.ButtonStyle.primary

    async def act(self, interaction: Act, bot: PiazzaBot) -> None:
        """Make a plan of it."""
        done = await in_time(
            interaction,
            bot.service.accept(
                self.match_id,
                interaction.user.id,
                int(self.parts[0]),
                interaction_id=interaction.id,
            ),
        )
        await say(interaction, done_text(done))


class Unplan(Action, action="unplan", shape=NUMBER):
    """Cancel a plan, or all."""

    label = later("Cancel")

    async def act(self, interaction: Act, bot: PiazzaBot) -> None:
        """Cancel it, and show what is left."""
        ident = int(self.parts[0])
        done = await in_time(
            interaction,
            bot.service.unplan(
                self.match_id,
                interaction.user.id,
                ident if ident != ALL else None,
                interaction_id=interaction.id,
            ),
        )
        await say(interaction, done_text(done))


async def refused(
    interaction: Act,
    bot: PiazzaBot,
    table: Table,
    command: str,
    args: Mapping[str, str],
    error: MoveError,
) -> None:
    """Answer a refused slash command: why, and the offer to do it when it is the player's turn.

    Raises:
        MoveError: the same one, where there is nothing to offer.
    """
    offer = await bot.service.offer(table.match.id, interaction.user.id, command, args, error)
    if offer is None:
        raise error
    await say(interaction, refusal(error), view=row(PlanIt(table.match.id, offer)))


def suggested(
    table: Table, seat: int, command: str, param: str, begun: str
) -> list[surface.Choice]:
    """What an option may stand for while it is not one's turn, for a player who plans ahead."""
    word = surface.fold(surface.unstamp(begun)[0])
    found = choices(table.game, table.view(seat), command, param)
    return [
        c for c in found if word in surface.fold(c.value) or word in surface.fold(c.label)
    ][:25]  # fmt: skip


def whole_plans(table: Table, seat: int, current: str) -> list[app_commands.Choice[str]]:
    """At most 25 whole plans for what somebody has typed."""
    game = table.game
    try:
        name, given = read_plan(game, current)
    except PiazzaError:
        word = current.strip().casefold()
        found = []
        for command in game.commands():
            start = typed(command.name, {p.name: "" for p in command.params[:1]})
            if word in command.name:
                text = f"{start} – {command.description}"[:100]
                found.append(app_commands.Choice(name=text, value=start[:100]))
        return found[:25]
    command = next(c for c in game.commands() if c.name == name)
    open_ = [p.name for p in command.params if p.name not in given and p.required]
    # What stands last may be half typed.
    asked = open_[0] if open_ else next(reversed(given), "")
    made = []
    for choice in suggested(table, seat, name, asked, given.get(asked, "")):
        text = typed(name, {**given, asked: choice.value})
        if len(text) <= 100:
            shown = typed(name, {**given, asked: choice.label})
            made.append(app_commands.Choice(name=shown[:100], value=text))
    if not made and current.strip():
        made.append(app_commands.Choice(name=current.strip()[:100], value=current.strip()[:100]))
    return made


def plans_text(table: Table, standing: list[PlanRow], gone: list[PlanRow]) -> str:
    """Somebody's own plans, and why earlier ones were cancelled."""
    lines: list[str] = []
    if standing:
        lines.append(tr("When it is your turn, I do for you, in this order:"))
        for number, plan in enumerate(standing, 1):
            words = plan_words(table.game, plan)
            lines.append(f"{number}. `{words}`" + (f" – {plan.meaning}" if plan.meaning else ""))
    else:
        lines.append(
            tr(
                "You have no plans here. Give a command while it is not your turn, and the button "
                "under my answer plans it; or use `/match plan`."
            )
        )
    for plan in gone:
        words = plan_words(table.game, plan)
        why = bare(unpacked(json.loads(plan.reason)))
        lines.append(tr("Your plan `{plan}` was cancelled: {why}.", plan=words, why=why))
    return "\n".join(lines)


async def show_plans(interaction: Act, bot: PiazzaBot, table: Table) -> None:
    """Reply with the asker's own plans, and buttons to cancel them."""
    standing, gone = await bot.service.plans(table.match.id, interaction.user.id)
    buttons = []
    for number, plan in enumerate(standing, 1):
        button = Unplan(table.match.id, plan.id)
        button.item.label = tr("Cancel {n}", n=number)
        buttons.append(button)
    if len(standing) > 1:
        button = Unplan(table.match.id, ALL)
        button.item.label = tr("Cancel all")
        buttons.append(button)
    view = row(*buttons) if buttons else None
    await say(interaction, plans_text(table, standing, gone), view=view)


async def setup(bot: PiazzaBot) -> None:
    """Register the buttons and add the commands to ``/match``."""
    bot.add_dynamic_items(PlanIt, Unplan)
    service = bot.service
    group = bot.tree.get_command("match")
    assert isinstance(group, app_commands.Group)

    @group.command(
        name="plan", description="Plan a move for when it is my turn; nobody else sees it"
    )
    @app_commands.describe(
        move="A command with its options, like open tile:…; empty shows my plans", match=MATCH
    )
    async def plan(interaction: Act, move: str = "", match: str = "") -> None:
        table = await chosen(bot, interaction, match)
        if not move.strip():
            await show_plans(interaction, bot, table)
            return
        done = await in_time(
            interaction,
            service.plan(
                table.match.id,
                interaction.user.id,
                in_english(move, table.game.meta.command, spoken()),
                interaction_id=interaction.id,
            ),
        )
        await say(interaction, done_text(done))

    @plan.autocomplete("move")
    async def moves(interaction: Act, current: str) -> list[app_commands.Choice[str]]:
        try:
            table = await chosen(bot, interaction, interaction.namespace.match or "")
        except TableError:
            return []
        seat = table.seat_of(interaction.user.id)
        if seat is None or table.match.status not in ("active", "paused"):
            return []
        words = in_english(current, table.game.meta.command, spoken())
        return whole_plans(table, seat, words)

    @group.command(name="plans", description="Show and cancel what I have planned")
    @app_commands.describe(match=MATCH)
    async def plans(interaction: Act, match: str = "") -> None:
        await show_plans(interaction, bot, await chosen(bot, interaction, match))

    @group.command(name="forced", description="Make my only possible moves for me in this match")
    @app_commands.describe(
        play="on: others may notice that I had no choice; default: as in my /settings",
        match=MATCH,
    )
    async def forced(
        interaction: Act, play: Literal["on", "off", "default"], match: str = ""
    ) -> None:
        table = await chosen(bot, interaction, match)
        done = await in_time(
            interaction,
            service.set_forced(
                table.match.id, interaction.user.id, play, interaction_id=interaction.id
            ),
        )
        await say(interaction, done_text(done))

    @plan.autocomplete("match")
    @plans.autocomplete("match")
    @forced.autocomplete("match")
    async def matches(interaction: Act, current: str) -> list[app_commands.Choice[str]]:
        return await my_matches(bot, interaction, current)
