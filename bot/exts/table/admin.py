"""``/admin``: order on the server, for those who may manage channels."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import discord
from discord import app_commands

from bot.errors import TableError
from bot.exts.info.mygames import link
from bot.exts.info.rules import head
from bot.exts.table.match import status_text
from bot.exts.table.replay import turn
from bot.language import LANGUAGES, NAMES, joined, later, speaking, spoken, tr, trn
from bot.mentions import option_called
from bot.posts import STATES
from bot.replies import (
    UNHEARD,
    Act,
    done_text,
    in_time,
    lacking,
    say,
)
from bot.service import Table
from bot.service.order import House, default_value, option_names, option_values
from bot.ui import NUMBER, Action, row
from engines.core.errors import SetupError
from engines.core.play import AnyGame
from engines.core.registry import game as find_game
from engines.core.registry import games

if TYPE_CHECKING:
    from bot.app import PiazzaBot


class AnyPlace(app_commands.Transformer):
    """A channel, thread or category in which people can meet; only its number matters, so one that
    the bot cannot see is as good."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        """A channel, for Discord."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """What Discord offers for it."""
        kinds = discord.ChannelType
        return [
            kinds.text,
            kinds.news,
            kinds.voice,
            kinds.forum,
            kinds.category,
            kinds.public_thread,
            kinds.private_thread,
            kinds.news_thread,
        ]

    async def transform(self, interaction: Act, value: Any, /) -> Any:
        """The channel as Discord names it."""
        return value


class Admin(app_commands.Group):
    """The group, with its check: a server may have given the command to others."""

    async def interaction_check(self, interaction: Act) -> bool:
        """Refuse who may not manage channels."""
        if interaction.guild_id is None or not interaction.permissions.manage_channels:
            # Of a check only Discord's own kind of error reaches the error handler.
            raise app_commands.MissingPermissions(["manage_channels"])
        return True


def known_game(word: str) -> AnyGame:
    """The game of that key, command or title.

    Raises:
        TableError: there is none.
    """
    try:
        return find_game(word)
    except SetupError:
        for game in games().values():
            if game.meta.title.casefold() == word.strip().casefold():
                return game
    titles = joined([game.meta.title for game in games().values()])
    raise TableError(
        tr("There is no game “{word}”. There are {games}.", word=word[:50], games=titles)
    )


def new_option(game: AnyGame, option: str) -> str:
    """What an option of a game's new command is called on the Discord of whom we speak to."""
    return option_called((game.meta.command, "new"), option, spoken())


def house_text(house: House) -> str:
    """A server's rules in words."""
    off = [known.meta.title for known in games().values() if known.meta.key in house.games_off]
    lines: list[str] = [
        tr("**Order on this server**"),
        tr("Games not played here: {games}.", games=joined(off) or tr("none")),
    ]
    if house.channels_only:
        only = joined([f"<#{ident}>" for ident in house.channels_only[:30]], "or")
        lines.append(tr("Tables are opened in {channels} alone.", channels=only))
    if house.channels_off:
        never = joined([f"<#{ident}>" for ident in house.channels_off[:30]], "or")
        lines.append(tr("No tables are opened in {channels}.", channels=never))
    if not house.channels_only and not house.channels_off:
        lines.append(tr("Tables are opened in every channel."))
    for key, values in sorted(house.defaults.items()):
        if key in games() and values:
            words = joined([f"{name.replace('_', ' ')} {value}" for name, value in values.items()])
            lines.append(
                tr(
                    "{game} begins with {options}, if nothing else is said.",
                    game=games()[key].meta.title,
                    options=words,
                )
            )
            if values.get("clock", "none") != "none" and "hours" not in values:
                lines.append(
                    tr("-# The clock of {game} needs `hours` too.", game=games()[key].meta.title)
                )
    if house.language in NAMES:
        lines.append(tr("Posts are in {language}.", language=NAMES[house.language]))
    else:
        lines.append(tr("Posts are in the language that this server has on Discord."))
    return head(lines)


async def trouble(bot: PiazzaBot, table: Table) -> str:
    """What keeps a match from being posted; empty if nothing is known."""
    waiting = await bot.store.pending_outbox(table.match.id)
    errors = [row.error for row in waiting if row.error and row.kind in ("turn", "notice")]
    guild = bot.get_guild(table.match.guild_id or 0)
    if guild is not None:
        channel = guild.get_channel_or_thread(table.match.channel_id)
        if channel is None:
            return tr("its channel is not in sight (deleted, archived or closed to me)")
        missing = lacking(channel.permissions_for(guild.me), isinstance(channel, discord.Thread))
        if missing:
            return tr("I lack {permissions} there", permissions=joined(missing))
    return tr("a post waits: {reason}", reason=errors[-1]) if errors else ""


async def list_page(bot: PiazzaBot, guild_id: int, page: int) -> tuple[str, discord.ui.View]:
    """One page of the open matches of a server, and the buttons that turn it.

    Args:
        bot: the client.
        guild_id: the server.
        page: from 1; one that is not there (any more) is the last one.
    """
    rows = await bot.service.open_rows(guild_id)
    if not rows:
        return tr("No match is open on this server."), row()
    pages = -(-len(rows) // LISTED)
    number = min(max(page, 1), pages)
    lines: list[str] = [
        trn("**{n} open on this server**", "**{n} open on this server**", len(rows))
        if pages == 1
        else tr(
            "**{n} open on this server**, page {page} of {pages}",
            n=len(rows),
            page=number,
            pages=pages,
        )
    ]
    for found in rows[(number - 1) * LISTED : number * LISTED]:
        table = await bot.service.table(found.id)
        who = short(joined([table.said[seat] for seat in table.waiting()]))
        since = (found.started_at or found.created_at) // 1000
        line = tr(
            "`#{id}` {game}, {state}, since {when} – {link}",
            id=found.id,
            game=table.game.meta.title,
            state=tr("waiting for {who}", who=who) if who else tr(STATES[found.status]),
            when=f"<t:{since}:R>",
            link=link(table),
        )
        problem = short(await trouble(bot, table))
        lines.append(line + (f" ⚠ {problem}" if problem else ""))
    back = ListPage(0, max(number - 1, 1), "b", disabled=number == 1)
    forward = ListPage(0, min(number + 1, pages), "n", disabled=number == pages)
    return head(lines), row(*([back, forward] if pages > 1 else []))


LISTED = 6
"""Matches on a page: with long names and reasons they still fit a message."""


def short(text: str) -> str:
    """A text of 80 characters at most."""
    return text if len(text) <= 80 else text[:79] + "…"


class ListPage(Action, action="al", shape=rf"{NUMBER}:[bn]"):
    """Turn a page of the list of matches; of no match, so its id names match 0."""

    LABELS: ClassVar = {"b": later("Back"), "n": later("Forward")}

    def __init__(self, match_id: int, *parts: object, disabled: bool = False) -> None:
        super().__init__(match_id, *parts, disabled=disabled)
        self.item.label = tr(self.LABELS.get(str(parts[-1]) if parts else "", "–"))

    async def act(self, interaction: discord.Interaction[Any], bot: PiazzaBot) -> None:
        """Show it in place of the page before, to who may (still) see it."""
        guild = interaction.guild_id
        if guild is None or not interaction.permissions.manage_channels:
            raise app_commands.MissingPermissions(["manage_channels"])
        await turn(interaction)
        text, view = await list_page(bot, guild, int(self.parts[0]))
        await interaction.edit_original_response(content=text, view=view)


async def setup(bot: PiazzaBot) -> None:
    """Register ``/admin``."""
    group = Admin(
        name="admin",
        description="Order on this server, for people who manage its channels",
        guild_only=True,
        default_permissions=discord.Permissions(manage_channels=True),
    )
    service = bot.service

    async def of(interaction: Act, match: str) -> Table:
        """The match that was named, else the channel's; of this server."""
        if match.strip():
            number = re.match(r"\s*#?\s*([0-9]{1,18})(?![0-9])", match)
            table = await service.find(int(number[1])) if number else None
        else:
            table = await service.at(interaction.channel_id or 0)
        if table is None or table.match.guild_id != interaction.guild_id:
            raise TableError(tr("There is no such match on this server; `/admin list` shows them."))
        return table

    @group.command(name="list", description="The open matches of this server")
    async def list_(interaction: Act) -> None:
        text, buttons = await in_time(interaction, list_page(bot, interaction.guild_id or 0, 1))
        await say(interaction, text, view=buttons)

    @group.command(name="status", description="Where one match stands, and what is in its way")
    @app_commands.describe(match="Which match; empty = this channel's")
    async def status(interaction: Act, match: str = "") -> None:
        table = await of(interaction, match)
        problem = await trouble(bot, table) if table.match.open else ""
        text = status_text(table)
        await say(interaction, text + (f"\n⚠ {problem}" if problem else ""))

    @group.command(name="pause", description="Halt a match and its clocks")
    @app_commands.describe(match="Which match; empty = this channel's")
    async def pause(interaction: Act, match: str = "") -> None:
        table = await of(interaction, match)
        done = await in_time(
            interaction,
            service.pause(
                table.match.id,
                interaction.user.id,
                moderator=True,
                interaction_id=interaction.id,
            ),
        )
        await say(interaction, done_text(done))

    @group.command(name="resume", description="Let a paused match go on, or one that a bug halted")
    @app_commands.describe(match="Which match; empty = this channel's")
    async def resume(interaction: Act, match: str = "") -> None:
        table = await of(interaction, match)
        ident, user = table.match.id, interaction.user.id
        if table.match.status == "frozen":
            work = service.thaw(ident, user, interaction_id=interaction.id)
        else:
            work = service.resume(ident, user, moderator=True, interaction_id=interaction.id)
        await say(interaction, done_text(await in_time(interaction, work)))

    @group.command(name="end", description="Call a match off, without its players' votes")
    @app_commands.describe(match="Which match; empty = this channel's")
    async def end(interaction: Act, match: str = "") -> None:
        table = await of(interaction, match)
        done = await in_time(
            interaction,
            service.end(
                table.match.id,
                interaction.user.id,
                moderator=True,
                interaction_id=interaction.id,
            ),
        )
        await say(interaction, done_text(done))

    @group.command(name="move", description="Let a match go on in another channel or thread")
    @app_commands.describe(
        channel="Where; it must have no open match", match="Which match; empty = this channel's"
    )
    async def move(
        interaction: Act, channel: discord.TextChannel | discord.Thread, match: str = ""
    ) -> None:
        table = await of(interaction, match)
        guild = interaction.guild
        if guild is not None and guild.me is not None:
            missing = lacking(
                channel.permissions_for(guild.me), isinstance(channel, discord.Thread)
            )
            if missing:
                raise TableError(
                    trn(
                        "I cannot hold a table in {channel}: I lack the permission {permissions} "
                        "there.",
                        "I cannot hold a table in {channel}: I lack the permissions {permissions} "
                        "there.",
                        len(missing),
                        channel=f"<#{channel.id}>",
                        permissions=joined(missing),
                    )
                )
        if isinstance(channel, discord.Thread) and channel.locked:
            raise TableError(
                tr(
                    "{channel} is locked. Open it first, or choose another one.",
                    channel=f"<#{channel.id}>",
                )
            )
        old = table.match
        done = await in_time(
            interaction,
            service.move_table(old.id, channel.id, interaction_id=interaction.id),
        )
        await say(interaction, done_text(done))
        if old.board_message_id is not None:
            # The old board keeps no live buttons; if the channel is gone, so is it.
            where = bot.get_partial_messageable(
                old.board_channel_id or old.channel_id, guild_id=old.guild_id
            )
            with speaking(await bot.tongue(old.guild_id)):
                text = tr("This table has moved to {channel}.", channel=f"<#{channel.id}>")
            try:
                await where.get_partial_message(old.board_message_id).edit(content=text, view=None)
            except UNHEARD:
                return

    @group.command(name="game", description="Allow or forbid a game on this server")
    @app_commands.describe(game="Which game", rule="May it be opened here?")
    async def game_(interaction: Act, game: str, rule: Literal["allowed", "forbidden"]) -> None:
        key = known_game(game).meta.key
        house = await service.house(interaction.guild_id)
        house.games_off = [k for k in house.games_off if k != key]
        if rule == "forbidden":
            house.games_off.append(key)
        await service.set_house(interaction.guild_id or 0, house)
        await say(interaction, "\n".join((house_text(house), tr("Matches that are open go on."))))

    @group.command(name="channel", description="Say where tables may be opened")
    @app_commands.describe(
        channel="Which channel, thread or category",
        rule="only here (and in others marked so), never here, or no rule of its own",
    )
    async def channel_(
        interaction: Act,
        channel: app_commands.Transform[app_commands.AppCommandChannel, AnyPlace],
        rule: Literal["only", "never", "no rule"],
    ) -> None:
        house = await service.house(interaction.guild_id)
        house.channels_only = [c for c in house.channels_only if c != channel.id]
        house.channels_off = [c for c in house.channels_off if c != channel.id]
        if rule == "only":
            house.channels_only.append(channel.id)
        elif rule == "never":
            house.channels_off.append(channel.id)
        await service.set_house(interaction.guild_id or 0, house)
        await say(interaction, "\n".join((house_text(house), tr("Matches that are open go on."))))

    @group.command(name="default", description="What a game's new command takes if nothing is said")
    @app_commands.describe(
        game="Which game", option="Which option of its new command", value="Empty = no default"
    )
    async def default(interaction: Act, game: str, option: str, value: str = "") -> None:
        found = known_game(game)
        key, word = found.meta.key, option.strip().casefold().replace(" ", "_")
        names = option_names(found)
        name = next((n for n in names if word == new_option(found, n)), word)
        house = await service.house(interaction.guild_id)
        values = dict(house.defaults.get(key, {}))
        if value.strip():
            values[name] = default_value(key, name, value.strip())
        elif values.pop(name, None) is None:
            raise TableError(
                tr(
                    "“{option}” has no default for {game}.",
                    option=option[:50],
                    game=found.meta.title,
                )
            )
        house.defaults = {**house.defaults, key: values}
        await service.set_house(interaction.guild_id or 0, house)
        await say(interaction, house_text(house))

    @group.command(name="language", description="In which language I post on this server")
    @app_commands.describe(language="Private replies follow each person's own Discord")
    @app_commands.choices(
        language=[
            app_commands.Choice(name="the server's own on Discord", value="server"),
            *(app_commands.Choice(name=NAMES[found], value=found) for found in LANGUAGES),
        ]
    )
    async def language_(interaction: Act, language: app_commands.Choice[str]) -> None:
        house = await service.house(interaction.guild_id)
        house.language = language.value if language.value in LANGUAGES else ""
        await service.set_house(interaction.guild_id or 0, house)
        await say(interaction, house_text(house))

    @group.command(name="show", description="Which rules this server has set")
    async def show(interaction: Act) -> None:
        await say(interaction, house_text(await service.house(interaction.guild_id)))

    @game_.autocomplete("game")
    @default.autocomplete("game")
    async def titles(interaction: Act, current: str) -> list[app_commands.Choice[str]]:
        return [
            app_commands.Choice(name=g.meta.title, value=g.meta.key)
            for g in games().values()
            if current.casefold() in g.meta.title.casefold()
        ][:25]

    @default.autocomplete("option")
    async def options(interaction: Act, current: str) -> list[app_commands.Choice[str]]:
        try:
            found = known_game(str(getattr(interaction.namespace, "game", "")))
        except TableError:
            return []
        return [
            app_commands.Choice(name=called, value=name)
            for name in option_names(found)
            if current.casefold() in (called := new_option(found, name)) or current in name
        ][:25]

    async def matches(interaction: Act, current: str) -> list[app_commands.Choice[str]]:
        if not interaction.permissions.manage_channels:
            return []
        made = []
        for table in await service.open_of(interaction.guild_id):
            name = f"#{table.match.id} {table.game.meta.title}: {', '.join(table.names)}"
            if current.casefold() in name.casefold():
                made.append(app_commands.Choice(name=name[:100], value=str(table.match.id)))
        return made[:25]

    @default.autocomplete("value")
    async def values(interaction: Act, current: str) -> list[app_commands.Choice[str]]:
        try:
            found = known_game(str(getattr(interaction.namespace, "game", "")))
        except TableError:
            return []
        option = str(getattr(interaction.namespace, "option", "")).strip().casefold()
        return [
            app_commands.Choice(name=value, value=value)
            for value in option_values(found, option.replace(" ", "_"))
            if current.casefold() in value.casefold()
        ][:25]

    status.autocomplete("match")(matches)
    pause.autocomplete("match")(matches)
    resume.autocomplete("match")(matches)
    end.autocomplete("match")(matches)
    move.autocomplete("match")(matches)
    bot.tree.add_command(group)
    bot.add_dynamic_items(ListPage)
