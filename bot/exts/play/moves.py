"""One command group a game, built from its move types: ``/paris new``, ``/paris open`` …"""

from __future__ import annotations

import inspect
import keyword
import typing
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, cast

import annotated_types
from discord import app_commands
from pydantic.fields import FieldInfo

from bot.errors import TableError
from bot.exts.table.helping import refused, suggested
from bot.language import joined, trn
from bot.replies import Act, done_text, in_time, missing_permissions, say
from bot.service.care import checked_rule
from bot.service.clocks import LONGEST, ClockKind, Rule
from bot.service.order import CLOCK
from engines.core import surface
from engines.core.errors import MoveError
from engines.core.play import AnyGame
from engines.core.registry import games
from engines.core.types import Command

if TYPE_CHECKING:
    from bot.app import PiazzaBot

MOST_SUBCOMMANDS = 25
"""Of a group (Discord limit)."""

Run = Callable[[Act, Mapping[str, Any]], Awaitable[None]]


def made_command(
    name: str,
    description: str,
    params: Mapping[str, tuple[Any, str, bool]],
    run: Run,
) -> app_commands.Command[Any, Any, Any]:
    """A slash command from data.

    Args:
        name: of the subcommand.
        description: shown by Discord.
        params: option name → (annotation, description, required).
        run: gets the interaction and the options that were filled in.
    """

    # Python's own words ("as", "from") are fine as Discord options, not as parameter names.
    safe = {option: python_name(option) for option in params}
    names = {word: option for option, word in safe.items()}

    async def callback(interaction: Act, **options: Any) -> None:
        await run(interaction, {names[k]: v for k, v in options.items() if v is not None})

    signature = [
        inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Act)
    ]
    ordered = sorted(params.items(), key=lambda item: not item[1][2])
    for option, (annotation, _, required) in ordered:
        signature.append(
            inspect.Parameter(
                safe[option],
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                annotation=annotation if required else annotation | None,
                default=inspect.Parameter.empty if required else None,
            )
        )
    callback.__signature__ = inspect.Signature(signature)  # type: ignore[attr-defined]
    made: Any = callback
    if params:
        made = app_commands.describe(**{safe[o]: text[:100] for o, (_, text, _) in params.items()})(
            made
        )
        made = app_commands.rename(**{word: o for o, word in safe.items() if word != o})(made)
    return app_commands.Command(name=name, description=description[:100], callback=made)


def python_name(option: str) -> str:
    """An option's name as a parameter name.

    >>> python_name("as"), python_name("tile")
    ('as_', 'tile')
    """
    return f"{option}_" if keyword.iskeyword(option) else option


def option_type(field: FieldInfo) -> Any:
    """The Discord option type of an option of the game: choices, a switch or a bounded number."""
    kind = field.annotation
    arms = [arm for arm in typing.get_args(kind) if arm is not type(None)]
    if typing.get_origin(kind) is not Literal and arms and type(None) in typing.get_args(kind):
        kind = arms[0]
    if kind is bool or typing.get_origin(kind) is Literal:
        return kind
    if kind is int:
        low = next((m.ge for m in field.metadata if isinstance(m, annotated_types.Ge)), None)
        high = next((m.le for m in field.metadata if isinstance(m, annotated_types.Le)), None)
        return app_commands.Range[int, low, high]
    return str


def new_command(bot: PiazzaBot, game: AnyGame) -> app_commands.Command[Any, Any, Any]:
    """``/<game> new``: its options are the fields of the game's options model."""
    meta = game.meta
    params: dict[str, tuple[Any, str, bool]] = {}
    if len(meta.seats) > 1:
        seats = Literal.__getitem__(tuple(meta.seats))
        params["seats"] = (seats, "How many players; empty = whoever joins", False)
    colours = Literal.__getitem__(tuple(meta.colours))
    params["colour"] = (colours, "Your own colour; empty = a free one", False)
    for name, field in game.options_type.model_fields.items():
        extra = field.json_schema_extra
        if isinstance(extra, dict) and extra.get("lobby"):
            continue
        params[name] = (option_type(field), field.description or name, False)
    params["clock"] = (Literal["none", "move", "bank"], CLOCK_TEXT, False)
    hours = app_commands.Range[int, 1, LONGEST]
    params["hours"] = (hours, "Hours for each move, or in the bank at the start", False)
    params["increment"] = (hours, "Hours that a turn adds to the bank; empty = a tenth", False)

    async def run(interaction: Act, options: Mapping[str, Any]) -> None:
        missing = missing_permissions(interaction)
        if missing:
            raise TableError(
                trn(
                    "I cannot hold a table in this channel: I lack the permission {permissions} "
                    "here. Somebody who manages the server can grant it.",
                    "I cannot hold a table in this channel: I lack the permissions {permissions} "
                    "here. Somebody who manages the server can grant them.",
                    len(missing),
                    permissions=joined(missing),
                )
            )
        parent = getattr(interaction.channel, "parent_id", None)
        category = getattr(interaction.channel, "category_id", None)
        rest = await bot.service.opening(
            game,
            interaction.guild_id,
            tuple(c for c in (interaction.channel_id, parent, category) if c is not None),
            options,
        )
        clock = clock_from(*(rest.pop(name, None) for name in CLOCK))
        done = await in_time(
            interaction,
            bot.service.create(
                meta.key,
                guild_id=interaction.guild_id,
                channel_id=interaction.channel_id or 0,
                host_id=interaction.user.id,
                host_name=interaction.user.display_name,
                seats=rest.pop("seats", None),
                colour=rest.pop("colour", None),
                clock=clock,
                options=rest,
                interaction_id=interaction.id,
            ),
        )
        await say(interaction, done_text(done))

    return made_command("new", f"Open a table for {meta.title} in this channel", params, run)


CLOCK_TEXT = "none, move (time for each move) or bank (a store of time that turns add to)"


def clock_from(
    kind: str | None, hours: int | None = None, increment: int | None = None
) -> Rule | None:
    """The clock that options ask for; None if they ask for none.

    Raises:
        TableError: they do not go together.
    """
    if kind is None and (hours or increment):
        kind = "bank" if increment else "move"
    rule = Rule(cast(ClockKind, kind), hours or 0, increment or 0)
    return checked_rule(rule) if kind else None


def move_command(
    bot: PiazzaBot, game: AnyGame, command: Command
) -> app_commands.Command[Any, Any, Any]:
    """A move as a slash command, with autocompletion of what is legal."""

    async def run(interaction: Act, options: Mapping[str, Any]) -> None:
        table = await bot.service.need(interaction.channel_id or 0, game.meta.key)
        args = {name: str(value) for name, value in options.items()}
        try:
            done = await in_time(
                interaction,
                bot.service.command(
                    table.match.id,
                    interaction.user.id,
                    command.name,
                    args,
                    interaction_id=interaction.id,
                ),
            )
        except MoveError as error:
            await refused(interaction, bot, table, command.name, args, error)
            return
        await say(interaction, done_text(done))

    params = {p.name: (str, p.description, p.required) for p in command.params}
    made = made_command(command.name, command.description, params, run)
    for param in command.params:
        made.autocomplete(python_name(param.name))(completer(bot, game, command, param.name))
    return made


def completer(bot: PiazzaBot, game: AnyGame, command: Command, focused: str) -> Any:
    """Autocompletion of one option: the legal values, stamped with the decision; for a player who
    is not to act, what may be planned."""

    async def complete(interaction: Act, current: str) -> list[app_commands.Choice[str]]:
        table = await bot.service.at(interaction.channel_id or 0)
        if table is None or table.match.game != game.meta.key or table.match.status != "active":
            return []
        seat = table.seat_of(interaction.user.id)
        if seat is None:
            return []
        given = {
            p.name: str(value)
            for p in command.params
            if p.name != focused and (value := getattr(interaction.namespace, p.name, None))
        }
        choices = surface.complete(game, table.state, seat, command.name, given, focused, current)
        if not choices and seat not in table.waiting():
            choices = suggested(table, seat, command.name, focused, current)
        decision = table.state.decision_of(seat)
        stamp = f"{surface.STAMP}{decision.id}" if decision is not None else ""
        return [
            app_commands.Choice(name=c.label or c.value, value=f"{c.value}{stamp}"[:100])
            for c in choices
        ]

    return complete


def group_of(bot: PiazzaBot, game: AnyGame) -> app_commands.Group:
    """A game's whole command group."""
    group = app_commands.Group(
        name=game.meta.command, description=game.meta.summary[:100], guild_only=True
    )
    group.add_command(new_command(bot, game))
    for command in game.commands():
        group.add_command(move_command(bot, game, command))
    return group


async def setup(bot: PiazzaBot) -> None:
    """Register a group for every game in the registry."""
    for game in games().values():
        bot.tree.add_command(group_of(bot, game))
