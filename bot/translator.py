"""The slash commands in the languages of the bot: names, descriptions, options and choices.

The catalogues are ``bot/locale/<language>/commands.po``. Each text has a context: its kind
(``name`` and ``description`` of a command or group, ``option`` and ``about`` for an option's name
and description, ``choice``) and the path of the command, such as ``option paris open tile``. The
longest beginning of such a context that the catalogue has is taken, so that an option that many
commands have is translated once (context ``option``), and a word that means something else in one
game is translated apart (``option pizzachef``). What is missing stays English.

Discord sends the English names in every interaction, so nothing that handles commands knows of
this. Texts that name a command are put right by :func:`bot.mentions.localised`.
"""

from __future__ import annotations

import copy
import gettext
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import discord
from discord import app_commands
from discord.app_commands import TranslationContextLocation as Location

from bot.language import ENGLISH, LANGUAGES, catalogue, language_of
from bot.mentions import CALLED, Called
from engines.core.registry import games

DOMAIN = "commands"
"""The name of the catalogues."""

SPOKEN = {
    locale: language_of(locale) for locale in discord.Locale if language_of(locale) != ENGLISH
}
"""Discord's locales that have a catalogue; discord.py asks for each text in all of them."""

AnyTree = app_commands.CommandTree[Any]
AnyCommand = app_commands.Command[Any, ..., Any] | app_commands.Group | app_commands.ContextMenu


class Place(NamedTuple):
    """A text of the commands and where it stands."""

    kind: str
    """``name``, ``description``, ``option``, ``about`` or ``choice``."""
    path: tuple[str, ...]
    """Names from the top: groups and command, then the option, then the choice."""
    text: str
    """In English."""

    def contexts(self) -> list[str]:
        """The contexts under which a catalogue may have it, the most exact one first.

        >>> Place("option", ("paris", "open", "tile"), "tile").contexts()
        ['option paris open tile', 'option paris open', 'option paris', 'option']
        """
        return [
            " ".join((self.kind, *self.path[:length])) for length in range(len(self.path), -1, -1)
        ]


class _Nothing(gettext.NullTranslations):
    """Says that a text is missing, where gettext would give the English one back."""

    def pgettext(self, context: str, message: str) -> str:
        return ""


@cache
def _catalogue(language: str) -> gettext.NullTranslations:
    found = copy.copy(catalogue(language, DOMAIN))
    found.add_fallback(_Nothing())
    return found


@cache
def translated(place: Place, language: str) -> str | None:
    """A text of the commands in a language; None if there is no translation.

    Args:
        place: the text.
        language: one of :data:`bot.language.LANGUAGES`.
    """
    if language == ENGLISH:
        return None
    words = _catalogue(language)
    return next(
        (found for context in place.contexts() if (found := words.pgettext(context, place.text))),
        None,
    )


# ---- the texts of a tree -------------------------------------------------------------------------


def commands_of(
    parent: AnyTree | app_commands.Group,
) -> Iterator[tuple[tuple[str, ...], AnyCommand]]:
    """All groups and commands with their paths, parents first."""
    for command in parent.commands if isinstance(parent, app_commands.Group) else tops(parent):
        yield path_of(command), command
        if isinstance(command, app_commands.Group):
            yield from commands_of(command)


def tops(tree: AnyTree) -> list[AnyCommand]:
    """What stands at the top of a tree."""
    return list(tree.get_commands())


def path_of(command: AnyCommand) -> tuple[str, ...]:
    """The names that lead to a command, its own included."""
    return tuple(command.qualified_name.split(" "))


def is_game(path: tuple[str, ...]) -> bool:
    """Whether a path is a game's group, whose name is the same in all languages."""
    return len(path) == 1 and any(game.meta.command == path[0] for game in games().values())


def places(tree: AnyTree) -> Iterator[Place]:
    """Every text of a tree that is to be translated: no names of games, no numbers."""
    for path, command in commands_of(tree):
        if not is_game(path):
            yield Place("name", path, command.name)
        if isinstance(command, app_commands.ContextMenu):
            continue
        yield Place("description", path, command.description)
        if isinstance(command, app_commands.Group):
            continue
        for option in command.parameters:
            inner = (*path, option.display_name)
            yield Place("option", inner, option.display_name)
            yield Place("about", inner, str(option.description))
            for choice in option.choices:
                if not choice.name.isdecimal():
                    yield Place("choice", (*inner, choice.name), choice.name)


# ---- for Discord ---------------------------------------------------------------------------------


class CommandTranslator(app_commands.Translator):
    """Gives discord.py the translations when the commands are registered.

    Args:
        tree: the bot's commands, all of which have to be there when the translator is set.
    """

    def __init__(self, tree: AnyTree) -> None:
        self._tree = tree
        self._choices: dict[int, Place] = {}

    async def load(self) -> None:
        """Note where each choice belongs (discord.py does not say), and how each command is called
        for :func:`bot.mentions.localised`."""
        for path, command in commands_of(self._tree):
            if isinstance(command, app_commands.Command):
                for option in command.parameters:
                    for choice in option.choices:
                        inner = (*path, option.display_name, choice.name)
                        self._choices[id(choice)] = Place("choice", inner, choice.name)
        for language in LANGUAGES:
            if language != ENGLISH:
                CALLED[language] = called(self._tree, language)

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """One text for one of Discord's locales; None if the bot does not speak it."""
        language = SPOKEN.get(locale)
        if language is None:
            return None
        place = self._place(str(string), context)
        return translated(place, language) if place is not None else None

    def _place(self, text: str, context: app_commands.TranslationContextTypes) -> Place | None:
        where, data = context.location, context.data
        if where is Location.choice_name:
            return self._choices.get(id(data))
        if isinstance(data, app_commands.Parameter):
            kind = "option" if where is Location.parameter_name else "about"
            return Place(kind, (*path_of(data.command), data.display_name), text)
        if not isinstance(
            data, app_commands.Command | app_commands.Group | app_commands.ContextMenu
        ):
            return None
        path = path_of(data)
        if where in (Location.command_name, Location.group_name):
            return None if is_game(path) else Place("name", path, text)
        return Place("description", path, text)


# ---- for texts that name a command ---------------------------------------------------------------


def called(tree: AnyTree, language: str) -> Called:
    """What the commands of a tree are called in a language."""
    root = Called()
    options: dict[str, set[str]] = {}
    for place in places(tree):
        name = translated(place, language) or place.text
        if place.kind in ("name", "option", "choice"):
            _note(root, place, name)
        if place.kind == "option":
            options.setdefault(place.text, set()).add(name)
    root.options = {option: min(names) for option, names in options.items() if len(names) == 1}
    return root


def _note(root: Called, place: Place, name: str) -> None:
    inner = {"name": 0, "option": 1, "choice": 2}[place.kind]
    path, rest = place.path[: len(place.path) - inner], place.path[len(place.path) - inner :]
    node = root
    for word in path:
        node = node.commands.setdefault(word, Called(word))
    if place.kind == "name":
        node.name = name
    elif place.kind == "option":
        node.options[rest[0]] = name
    else:
        node.choices.setdefault(rest[0], {})[rest[1]] = name
