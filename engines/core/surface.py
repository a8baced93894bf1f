"""From words to moves: slash options, autocompletion and guided pickers, all projections of
``legal``, so that they never offer what the engine would refuse nor show what a seat may not know.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engines.core.errors import AmbiguousMove, MalformedMove, MoveError
from engines.core.game import Game
from engines.core.types import Phrase, Seat, State, View

AnyGame = Game[Any, Any, Any]

REST = "…"
"""The facet of values that have none, where others of the same list have one."""

STAMP = "~"
"""Separates an autocompleted value from the decision it was offered for (``louvre/blue~12``)."""


class Choice(msgspec.Struct, frozen=True):
    """A value of an option and how it is shown."""

    value: str
    label: str


def fold(text: str) -> str:
    """Text for comparing: no accents, no case, single spaces.

    >>> fold("  Hôtel de   Ville ")
    'hotel de ville'
    """
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return " ".join(plain.casefold().split())


def phrases(game: AnyGame, state: State, seat: Seat) -> list[tuple[Phrase, Any]]:
    """The seat's legal moves in command words, in the engine's order."""
    if state.ended is not None:
        return []
    return [(game.phrase(move), move) for move in game.legal(state, seat)]


def begins(text: str, word: str) -> bool:
    """Whether text starts with the word, numbers taken whole.

    >>> begins("louvre/blue", "lou"), begins("a10", "a"), begins("a10", "a1")
    (True, True, False)
    """
    return text.startswith(word) and not (
        word[-1:].isdigit() and text[len(word) : len(word) + 1].isdigit()
    )


def match_value(typed: str, choices: Sequence[Choice]) -> str | None:
    """The value that typed text means: a value, a label, or a unique prefix of either. A prefix
    does not end inside a number, so that an illegal “1” never becomes the only legal “10”.

    Returns:
        The value, or None if the text fits none or several.
    """
    word = fold(typed)
    for exact in (lambda c: c.value == typed, lambda c: word in (fold(c.value), fold(c.label))):
        hits = list(dict.fromkeys(c.value for c in choices if exact(c)))
        if len(hits) == 1:
            return hits[0]
    if not word:
        return None
    hits = list(
        dict.fromkeys(
            c.value for c in choices if begins(fold(c.value), word) or begins(fold(c.label), word)
        )
    )
    return hits[0] if len(hits) == 1 else None


def unstamp(value: str) -> tuple[str, int | None]:
    """Split an autocompleted value from its decision id.

    >>> unstamp("louvre/blue~12")
    ('louvre/blue', 12)
    >>> unstamp("louvre")
    ('louvre', None)
    """
    head, mark, tail = value.rpartition(STAMP)
    if mark and tail.isascii() and tail.isdigit() and len(tail) < 19:
        return head, int(tail)
    return value, None


def values(
    game: AnyGame,
    view: View,
    found: Sequence[tuple[Phrase, Any]],
    command: str,
    param: str,
) -> list[Choice]:
    """The distinct values of an option among some phrases, in their order."""
    seen = dict.fromkeys(
        p.args[param] for p, _ in found if p.command == command and param in p.args
    )
    return [Choice(v, game.label(view, command, param, v)[:100]) for v in seen]


def narrow(
    game: AnyGame,
    view: View,
    found: Sequence[tuple[Phrase, Any]],
    command: str,
    given: Mapping[str, str],
) -> tuple[list[tuple[Phrase, Any]], dict[str, str]]:
    """Keep the phrases that fit the given options.

    Returns:
        The phrases left, and the given options with every recognised value made canonical; options
        that fit no phrase keep the typed text and do not narrow.
    """
    left = [(p, m) for p, m in found if p.command == command]
    canonical: dict[str, str] = {}
    for param, typed in given.items():
        value = match_value(typed, values(game, view, left, command, param))
        if value is None:
            canonical[param] = typed
            continue
        canonical[param] = value
        left = [(p, m) for p, m in left if p.args.get(param) == value]
    return left, canonical


def complete(
    game: AnyGame,
    state: State,
    seat: Seat,
    command: str,
    given: Mapping[str, str],
    focused: str,
    typed: str,
    limit: int = 25,
) -> list[Choice]:
    """Autocompletion: the legal values of the focused option, best match first.

    Args:
        game: the rules.
        state: the position.
        seat: whose moves; only this seat may see the answer.
        command: subcommand.
        given: the other options already filled in.
        focused: the option being typed.
        typed: what was typed so far.
        limit: number of choices Discord takes.
    """
    view = game.view(state, seat)
    left, _ = narrow(
        game,
        view,
        phrases(game, state, seat),
        command,
        {k: unstamp(v)[0] for k, v in given.items()},
    )
    choices = values(game, view, left, command, focused)
    word = fold(typed)
    if not word:
        return choices[:limit]

    def rank(choice: Choice) -> int:
        value, label = fold(choice.value), fold(choice.label)
        if word in (value, label):
            return 0
        if value.startswith(word) or label.startswith(word):
            return 1
        if any(part.startswith(word) for part in label.split()):
            return 2
        return 3 if word in value or word in label else 4

    ranked = sorted(((rank(c), i, c) for i, c in enumerate(choices)), key=lambda r: r[:2])
    return [c for r, _, c in ranked if r < 4][:limit]


def resolve(
    game: AnyGame, state: State, seat: Seat, command: str, given: Mapping[str, str]
) -> tuple[Any, int | None]:
    """The move that a slash command means.

    A move that no legal one fits is still built, so that the engine refuses it by its rule.

    Returns:
        The move and the decision id its values were offered for, if they came from autocompletion.

    Raises:
        MalformedMove: the words fit no move of the game.
        AmbiguousMove: they fit several legal moves and the engine has no word on it.
    """
    words: dict[str, str] = {}
    decision: int | None = None
    for param, value in given.items():
        words[param], stamp = unstamp(value)
        decision = stamp if stamp is not None else decision
    view = game.view(state, seat)
    left, canonical = narrow(game, view, phrases(game, state, seat), command, words)
    fits = [(p, m) for p, m in left if all(p.args.get(k) == v for k, v in canonical.items())]
    exact = [m for p, m in fits if p.args == canonical]
    if exact:
        return exact[0], decision
    if len(fits) == 1:
        return fits[0][1], decision
    try:
        return game.parse(command, canonical), decision
    except AmbiguousMove:
        raise
    except Exception:
        if len(fits) > 1:
            raise AmbiguousMove(
                "",
                "That fits several moves. Say which one you mean.",
                [game.describe(view, m) for _, m in fits[:10]],
            ) from None
        raise


def canonical(game: AnyGame, command: str, args: Mapping[str, str]) -> dict[str, str]:
    """Option values as :meth:`Game.phrase` writes them, as far as the words alone tell.

    Raises:
        MalformedMove: the words fit no move of the game.
    """
    try:
        made = game.phrase(game.parse(command, args))
    except MoveError:
        raise
    except Exception as error:
        raise MalformedMove("", f"That is no “{command}”.") from error
    if made.command != command:
        return dict(args)
    return {name: made.args.get(name, value) for name, value in args.items()}


class PickStep(msgspec.Struct, frozen=True):
    """The next question of a guided picker.

    Attributes:
        command: chosen subcommand; empty while that is the question.
        param: option asked for; empty if the command, a facet or nothing is asked.
        choices: possible answers.
        facet: the answers are coarse keys (columns, districts) of the option's values.
        move: the complete move, once nothing is left to ask.
    """

    command: str
    param: str
    choices: tuple[Choice, ...]
    facet: bool = False
    move: Any = None


def pick(
    game: AnyGame, state: State, seat: Seat, path: Sequence[str], most: int = 25
) -> tuple[PickStep, list[str]]:
    """Follow a guided picker's answers to the next question.

    Args:
        game: the rules.
        state: the position.
        seat: who picks.
        path: answers so far: command, then values (a facet's answer is ``"@" + key``).
        most: list length above which values are split by facet.

    Returns:
        The next question and the path with every forced answer filled in.

    Raises:
        AmbiguousMove: an answer is no longer possible.
    """
    view = game.view(state, seat)
    left = phrases(game, state, seat)
    given = list(path)
    full: list[str] = []
    names = {c.name: c for c in game.commands()}

    def gone() -> AmbiguousMove:
        return AmbiguousMove("", "That choice is no longer open. Please start again.")

    commands = list(dict.fromkeys(p.command for p, _ in left))
    if not commands:
        raise gone()
    if given:
        command = given.pop(0)
    elif len(commands) == 1:
        command = commands[0]
    else:
        listed = [Choice(c, names[c].description[:100]) for c in names if c in commands]
        return PickStep("", "", tuple(listed)), full
    if command not in commands:
        raise gone()
    full.append(command)
    left = [(p, m) for p, m in left if p.command == command]
    for param in (p.name for p in names[command].params):
        choices = values(game, view, left, command, param)
        without = [(p, m) for p, m in left if param not in p.args]
        if not choices:
            continue
        if without:
            choices.append(Choice("", "—"))
        facets = {c.value: c.value and game.facet(view, command, param, c.value) for c in choices}
        if given and given[0].startswith("@"):
            key = given.pop(0)[1:]
            full.append("@" + key)
            choices = [c for c in choices if (facets[c.value] or REST) == key]
        elif len(choices) > most and not given:
            keys = dict.fromkeys(facets[c.value] or REST for c in choices)
            if len(keys) > 1:
                return (
                    PickStep(command, param, tuple(Choice(k, k) for k in keys), facet=True),
                    full,
                )
        if given:
            answer = given.pop(0)
            if all(c.value != answer for c in choices):
                raise gone()
        elif len(choices) == 1:
            answer = choices[0].value
        elif not choices:
            raise gone()
        else:
            return PickStep(command, param, tuple(choices)), full
        full.append(answer)
        left = [(p, m) for p, m in left if p.args.get(param, "") == answer]
    if not left:
        raise gone()
    return PickStep(command, "", (), move=left[0][1]), full
