"""Everything that is registered with Discord or sent to it keeps within Discord's limits."""

from __future__ import annotations

import importlib
import pkgutil
import random
from typing import Any

import discord
import pytest
from discord import app_commands

import bot.exts
from bot.exts import EXTENSIONS
from bot.exts.play.picker import FREE, components, mark, token_path
from bot.service import Table
from bot.ui import board_view, lobby_view
from engines.core import surface
from engines.core.registry import games
from engines.core.types import GameMeta
from storage.records import MatchRow, SeatRow
from tests.bot.table import World, private, text
from tests.conformance.hooks import Case, cases
from tests.conformance.walk import Walk, told

for _name in EXTENSIONS:
    importlib.import_module(_name)  # they declare the buttons

LARGE = 10**15
"""A match number and a decision larger than any that will ever be."""


def longest(part: Any, field: str) -> int:
    """Characters of a text in the language in which it is longest: Discord counts that one."""
    others = (part.get(f"{field}_localizations") or {}).values()
    return max(map(len, (part.get(field, ""), *others)))


def size_of(command: Any) -> int:
    """Characters that Discord counts: names, descriptions, choices, of all levels."""
    total = longest(command, "name") + longest(command, "description")
    for choice in command.get("choices", ()):
        total += longest(choice, "name") + len(str(choice["value"]))
    return total + sum(size_of(option) for option in command.get("options", ()))


def test_size_is_that_of_the_longest_language() -> None:
    choice = {"name": "red", "name_localizations": {"it": "rosso"}, "value": "red"}
    option = {"name": "colour", "name_localizations": {"es-ES": "color"}, "choices": [choice]}
    names = {"it": "unisciti", "es-ES": "unirse"}
    command = {
        "name": "join",
        "name_localizations": names,
        "description": "Sit",
        "options": [option],
    }
    assert size_of(command) == len("unisciti") + len("Sit") + len("colour") + len("rosso" + "red")


def levels(command: Any) -> list[Any]:
    return [command, *(inner for o in command.get("options", ()) for inner in levels(o))]


async def test_commands_fit(world: World) -> None:
    tree = world.bot.tree
    assert tree.translator is not None
    registered = [
        await c.get_translated_payload(tree, tree.translator) for c in tree.get_commands()
    ]
    assert 0 < len(registered) <= 100
    names = [c["name"] for c in registered]
    assert len(names) == len(set(names))
    for game in games().values():
        assert game.meta.command in names
    for command in registered:
        assert size_of(command) <= 8000, command["name"]
        for level in levels(command):
            assert 1 <= len(level["name"]) <= 32
            assert level["name"] == level["name"].lower()
            assert " " not in level["name"]
            assert 1 <= len(level["description"]) <= 100, level
            assert level["description"].strip() == level["description"]
            assert "\n" not in level["description"]
            assert '"""' not in level["description"]
            assert level["description"] != "…", f"{level['name']} has no description"
            options = level.get("options", ())
            assert len(options) <= 25
            assert len({o["name"] for o in options}) == len(options)
            wanted = [bool(o.get("required")) for o in options if o["type"] > 2]
            assert wanted == sorted(wanted, reverse=True), "required options come first"
            choices = level.get("choices", ())
            assert len(choices) <= 25
            for choice in choices:
                assert 1 <= len(choice["name"]) <= 100
                assert 1 <= len(str(choice["value"])) <= 100
            assert not (choices and level.get("autocomplete"))


def test_every_extension_is_listed_and_every_listed_one_exists() -> None:
    found = {
        module.name
        for module in pkgutil.walk_packages(bot.exts.__path__, "bot.exts.")
        if not module.ispkg
    }
    listed = set(EXTENSIONS)
    assert listed <= found
    helpers = found - listed
    for name in helpers:
        module = __import__(name, fromlist=["setup"])
        assert not hasattr(module, "setup"), f"{name} has a setup, but nobody loads it"


async def test_every_extension_is_loaded(world: World) -> None:
    assert set(EXTENSIONS) <= set(world.bot.extensions)


def table_of(walk: Walk, meta: GameMeta) -> Table:
    """A running table of a walk, with a match number as large as can be."""
    row = MatchRow(
        id=LARGE,
        guild_id=LARGE,
        channel_id=LARGE,
        host_id=1,
        game=meta.key,
        rules_version=meta.rules_version,
        options="{}",
        seed="00",
        commitment="",
        status="active",
        head_seq=LARGE,
        settings="{}",
        board_channel_id=None,
        board_message_id=None,
        board_seq=None,
        created_at=0,
        started_at=0,
        ended_at=None,
        report=None,
    )
    seats = [
        SeatRow(LARGE, i, i + 1, f"Player {i}", colour, 0)
        for i, colour in enumerate(walk.state.colours)
    ]
    return Table(row, seats, walk.game, walk.state)


def check_view(view: discord.ui.View) -> None:
    """A message's components within the limits."""
    rows = view.to_components()
    assert len(rows) <= 5
    seen = []
    for line in rows:
        inside: Any = line["components"]
        assert len(inside) <= 5
        for part in inside:
            seen.append(part["custom_id"])
            assert 1 <= len(part["custom_id"]) <= 100, part["custom_id"]
            if part["type"] == 2:
                assert 1 <= len(part["label"]) <= 80
            else:
                assert len(inside) == 1
                assert 1 <= len(part["options"]) <= 25
                assert len(part.get("placeholder") or "") <= 150
                values = [o["value"] for o in part["options"]]
                assert len(set(values)) == len(values)
                for option in part["options"]:
                    assert 1 <= len(option["label"]) <= 100
                    assert 1 <= len(option["value"]) <= 100
    assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("case", cases(), ids=repr)
async def test_pickers_fit(case: Case) -> None:
    """Random matches, every question of random picks: limits, and no two answers with one mark."""
    walk = Walk(case, 77)
    rand = random.Random(f"limits {case!r}")
    count = 0
    with told(walk):
        for state in walk.positions(every=7):
            state.renumber(LARGE)
            table = table_of(walk, case.game.meta)
            check_view(board_view(table))
            for seat in range(case.seats):
                if not case.game.legal(state, seat):
                    continue
                for _ in range(3):
                    check_picker(table, seat, rand)
                count += 1
            if count > 25:
                return


def check_picker(table: Table, seat: int, rand: random.Random) -> None:
    path: list[str] = []
    while True:
        step, full = surface.pick(table.game, table.state, seat, path)
        for page in range(max(1, -(-len(step.choices) // 25))):
            check_view(components(table, seat, step, full, page, again=bool(path)))
        if step.move is not None:
            return
        assert step.choices
        answers = [("@" + c.value) if step.facet else c.value for c in step.choices]
        marks = [mark(a) for a in answers]
        assert len(set(marks)) == len(marks), f"two answers have one mark: {answers}"
        path = [*full, rand.choice(answers)]
        assert len(token_path(path)) <= 60


@pytest.mark.parametrize("case", cases(), ids=repr)
async def test_autocompleted_values_fit(case: Case) -> None:
    walk = Walk(case, 78)
    count = 0
    with told(walk):
        for state in walk.positions(every=9):
            for seat in case.game.waiting(state):
                names = {c.name: c for c in case.game.commands()}
                found = surface.phrases(case.game, state, seat)
                for command in dict.fromkeys(p.command for p, _ in found):
                    for param in names[command].params:
                        choices = surface.complete(
                            case.game, state, seat, command, {}, param.name, ""
                        )
                        assert len(choices) <= 25
                        for choice in choices:
                            assert 1 <= len(choice.label or choice.value) <= 100
                            stamped = f"{choice.value}{surface.STAMP}{10**6}"
                            assert len(choice.value) >= 1
                            assert len(stamped) <= 100, "the stamp must not be cut off"
            count += 1
            if count > 20:
                return


async def test_lobby_buttons_fit(world: World) -> None:
    for game in games().values():
        room = world.guild.create_text_channel(game.meta.command)
        await world.people[0].slash(room, f"{game.meta.command} new")
        table = await world.table(room)
        view = lobby_view(table)
        assert view is not None
        check_view(view)
        assert len(world.posts(room)[-1].content) <= 2000


def test_free_is_no_decision() -> None:
    """Decisions are numbered from 1, so “none” cannot be mistaken for one."""
    assert FREE == "0"


# ---- every command answers, and privately --------------------------------------------------------


def subcommands(tree: Any) -> list[tuple[str, Any]]:
    found = []
    for command in tree.get_commands():
        if isinstance(command, app_commands.Group):
            found += [(f"{command.name} {c.name}", c) for c in command.commands]
        else:
            found.append((command.name, command))
    return found


def odd(option: Any, word: str) -> Any:
    """Something to say for a required option."""
    kind = option.type
    if option.choices:
        return option.choices[0].value
    if kind in (discord.AppCommandOptionType.integer, discord.AppCommandOptionType.number):
        return 1
    if kind is discord.AppCommandOptionType.boolean:
        return True
    return word


@pytest.mark.parametrize("stage", ["nothing", "lobby", "running", "over"])
async def test_every_command_answers_privately(world: World, stage: str) -> None:
    """Without a table, in a lobby, in a match and after it, from a player and a stranger, with
    words that fit and words that do not: one private answer, never an error."""
    host, stranger = world.people[0], world.people[5]
    commands = subcommands(world.bot.tree)
    assert len(commands) > 10
    words: tuple[str, ...] = ("x",)
    if stage == "running":
        words = ("x", "²", "#", "9" * 24, "~1", "a~" + "9" * 20, "\x00" * 3)
    for synced in await world.bot.tree.fetch_commands():
        if synced.default_member_permissions is not None:
            # Discord itself keeps others out, unless a server has given the command to them.
            world.guild.set_command_permissions(synced, {stranger: True, host: True})
    for number, (name, command) in enumerate(commands):
        if stage == "nothing" and name.endswith(" new"):
            continue
        room = world.guild.create_text_channel(f"{stage}-{number}")
        if stage != "nothing":
            await host.slash(room, "paris new")
            if stage != "lobby":
                await world.people[1].slash(room, "match join")
                await host.slash(room, "match start")
            if stage == "over":
                for person in world.people[:2]:
                    await person.slash(room, "match end")
        for person in (stranger, host):
            for word in words if command.parameters else words[:1]:
                for every in (False, True) if len(words) == 1 else (True,):
                    options = {
                        o.display_name: stranger
                        if o.type is discord.AppCommandOptionType.user
                        else room
                        if o.channel_types
                        else odd(o, word)
                        for o in command.parameters
                        if o.required or (every and o.type is not discord.AppCommandOptionType.user)
                    }
                    reply = await person.slash(room, name, **options)
                    assert private(reply), (name, options, reply)
                    assert 0 < len(text(reply)) <= 4000
                    assert "report id" not in text(reply), (name, options, text(reply))
