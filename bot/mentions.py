"""The names of commands in texts: called as the reader finds them on Discord.

Texts name commands in English. :class:`bot.translator.CommandTranslator` notes at the start what
each is called in the other languages; :func:`bot.language.tr` and :func:`bot.replies.say` put these
names into what they say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass
class Called:
    """What a command or group is called in a language, and what is in it, by the English names."""

    name: str = ""
    commands: dict[str, Called] = field(default_factory=dict)
    options: dict[str, str] = field(default_factory=dict)
    """At the top those that are called the same wherever they are."""
    choices: dict[str, dict[str, str]] = field(default_factory=dict)
    """Option → choice → what it is called."""


CALLED: dict[str, Called] = {}
"""By language, what the commands of the last bot that was started are called; every bot of this
version has the same ones."""

_MENTION = re.compile(
    r"(?P<code>`/[^`\n]+`)|(?P<option>`[\w-]+:[^`\s]*`)"
    r"|(?:^|(?<=[\s(]))/(?P<prose>[\w-]+(?: [\w-]+(?::[\w-]*)?)*)",
    re.MULTILINE,
)


def localised(text: str, language: str) -> str:
    """A text with the commands in it called as its reader finds them on Discord.

    Args:
        text: names commands in English, as ``/match start`` after a space or in backticks.
            Options may follow, outside of backticks with a colon (``/rules search:``), and may
            stand alone, with a colon in backticks, if all commands call them the same. What is no
            command stays as it is, so a text may come here twice.
        language: one of :data:`bot.language.LANGUAGES`.
    """
    root = CALLED.get(language)
    if root is None or ("/" not in text and ":" not in text):
        return text

    def put(found: re.Match[str]) -> str:
        if found["code"]:
            return f"`/{_renamed(root, found['code'][2:-1].split(' '), code=True)}`"
        if found["option"]:
            return f"`{_option(root, found['option'][1:-1])}`"
        return f"/{_renamed(root, found['prose'].split(' '), code=False)}"

    return _MENTION.sub(put, text)


def option_called(path: tuple[str, ...], option: str, language: str) -> str:
    """What an option of a command is called.

    Args:
        path: the English names that lead to the command.
        option: its English name.
        language: one of :data:`bot.language.LANGUAGES`.
    """
    node = _at(path, language)
    return node.options.get(option, option) if node is not None else option


def choice_called(path: tuple[str, ...], option: str, choice: str, language: str) -> str:
    """What a choice of an option is called.

    Args:
        path: the English names that lead to the command.
        option: the option's English name.
        choice: the choice's English name.
        language: one of :data:`bot.language.LANGUAGES`.
    """
    node = _at(path, language)
    return node.choices.get(option, {}).get(choice, choice) if node is not None else choice


def in_english(text: str, group: str, language: str) -> str:
    """A move that was typed with the names that its writer's Discord shows, in the English ones;
    English ones stay.

    Args:
        text: like ``apri tessera:louvre/blue``; the group may stand before it.
        group: English name of the game's group.
        language: one of :data:`bot.language.LANGUAGES`.
    """
    node = _at((group,), language)
    words = text.strip().removeprefix("/").split()
    if node is None or not words:
        return text
    if len(words) > 1 and words[0] in (group, node.name):
        words = words[1:]
    found = next((name for name, c in node.commands.items() if c.name == words[0]), words[0])
    called = node.commands.get(found, Called())
    options = {local: name for name, local in called.options.items()}
    rest = []
    for word in words[1:]:
        name, colon, value = word.partition(":")
        rest.append(f"{options.get(name, name)}{colon}{value}" if colon else word)
    return " ".join([found, *rest])


def _at(path: tuple[str, ...], language: str) -> Called | None:
    node = CALLED.get(language)
    for word in path:
        node = node.commands.get(word) if node is not None else None
    return node


def _renamed(root: Called, words: list[str], *, code: bool) -> str:
    node, out = root, list[str]()
    while len(out) < len(words) and words[len(out)] in node.commands:
        node = node.commands[words[len(out)]]
        out.append(node.name)
    rest = words[len(out) :]
    if out:
        rest = [_option(node, word) if code or ":" in word else word for word in rest]
    return " ".join([*out, *rest])


def _option(node: Called, word: str) -> str:
    name, colon, value = word.partition(":")
    if name not in node.options:
        return word
    choices: Mapping[str, str] = node.choices.get(name, {})
    return f"{node.options[name]}{colon}{choices.get(value, value)}"
