"""The bot's own texts in the language of those who read them.

Every text goes through :func:`tr` (or :func:`trn`, where a number decides the form); a text that
must be written down before its reader is known is marked by :func:`later` and goes through
:func:`tr` when it is used. The catalogues are gettext files in ``bot/locale/<language>/``; what
they lack is said in English, the language of the source.

Private texts follow the reader's Discord locale, public ones the server's. The language is kept per
task, so that two conversations at once do not mix: an interaction speaks its user's
(:func:`bot.hearing.hear`), the announcer that of the channel or of the person it writes to.

What a person does is often told to others, who may read another language. So a :class:`Text`
remembers how it was made: it goes into the outbox as :func:`packed` and is said anew by
:func:`unpacked` for whoever reads it. Functions that make public rows take a :class:`Text` and no
``str``; the type checker finds a text that was glued together by hand.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from bot.logs import get_logger
from bot.mentions import localised

log = get_logger(__name__)

LOCALES = Path(__file__).parent / "locale"
"""Where the catalogues are."""

ENGLISH = "en"

NAMES = {ENGLISH: "English", "it": "Italiano", "es": "Español"}
"""Languages that the bot speaks, in their own words."""

LANGUAGES = tuple(NAMES)
"""Languages that the bot speaks."""

_REGIONS = {ENGLISH: "en_GB", "it": "it_IT", "es": "es_ES"}

_now: ContextVar[str] = ContextVar("language", default=ENGLISH)


def language_of(locale: object) -> str:
    """The language for a Discord locale; English for those that the bot does not speak.

    >>> language_of("es-419"), language_of("it"), language_of("ja"), language_of(None)
    ('es', 'it', 'en', 'en')
    """
    tag = str(locale or "").partition("-")[0].casefold()
    return tag if tag in LANGUAGES else ENGLISH


def spoken() -> str:
    """The language of the texts that are being made."""
    return _now.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Make texts in a language.

    Args:
        language: one of :data:`LANGUAGES`, see :func:`language_of`.

    >>> with speaking("it"):
    ...     spoken()
    'it'
    """
    token = _now.set(language)
    try:
        yield
    finally:
        _now.reset(token)


def speak(language: str) -> None:
    """Make texts in a language from here to the end of this task."""
    _now.set(language)


@cache
def catalogue(language: str, domain: str = "messages") -> gettext.NullTranslations:
    """The texts of a language; none for English, or if the file is missing.

    Args:
        language: one of :data:`LANGUAGES`.
        domain: the name of the file, without ``.po``.
    """
    path = LOCALES / language / f"{domain}.po"
    if language == ENGLISH or not path.exists():
        return gettext.NullTranslations()
    with path.open("rb") as file:
        made = read_po(file, locale=language)
    compiled = BytesIO()
    write_mo(compiled, made)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


class Text(str):
    """A text in the language in which it was made, and how it was made.

    Attributes:
        made: the recipe, as JSON has it; see :func:`packed`.
    """

    made: dict[str, Any]


def _text(made: dict[str, Any]) -> Text:
    text = Text(_said(made))
    text.made = made
    return text


def tr(text: str, **words: object) -> Text:
    """A text in the language of its reader.

    Args:
        text: in English, with ``{name}`` where a word goes in. It must stand in the source as it
            is, or be marked by :func:`later` there.
        words: what goes in. A text without any is not formatted.

    >>> tr("{who} lets the match go on.", who="Ada")
    'Ada lets the match go on.'
    """
    return _text({"tr": text, "words": _packed_all(words)} if words else {"tr": text})


def trn(one: str, many: str, n: int, **words: object) -> Text:
    """A text whose form depends on a number, by the plural rules of the language.

    Args:
        one: the English text for one.
        many: the English text for other numbers.
        n: the number; it also goes in as ``{n}``.
        words: what else goes in.

    >>> trn("{n} match", "{n} matches", 2)
    '2 matches'
    """
    return _text({"trn": [one, many], "n": n, "words": _packed_all({"n": n, **words})})


def later(text: str) -> str:
    """Mark a text for the catalogue that :func:`tr` is given when it is used."""
    return text


def joined(items: Sequence[str], last: Literal["and", "or"] = "and") -> Text:
    """A list in words.

    Args:
        items: at least one for a text that makes sense; none gives an empty text.
        last: ``and`` or ``or``.

    >>> joined(["Ada", "Bo", "Cleo"], "or")
    'Ada, Bo or Cleo'
    """
    return _text({"joined": [packed(item) for item in items], "last": last})


def stacked(*lines: str) -> Text:
    """Texts under each other, as one.

    >>> stacked(tr("The match goes on."), "-# #7")
    'The match goes on.\\n-# #7'
    """
    return _text({"stacked": [packed(line) for line in lines]})


def packed(text: str) -> Any:
    """A text for JSON: a :class:`Text` so that it can be said in another language.

    >>> packed(tr("{who} lets the match go on.", who="Ada"))
    {'tr': '{who} lets the match go on.', 'words': {'who': 'Ada'}}
    """
    return text.made if isinstance(text, Text) else str(text)


def unpacked(found: Any) -> Any:
    """What :func:`packed` has made, in the language of this task; lists item by item."""
    if isinstance(found, list):
        return [unpacked(item) for item in found]
    if isinstance(found, dict) and not found.keys().isdisjoint(("tr", "trn", "joined", "stacked")):
        return _text(found)
    return found


def _packed_all(words: Mapping[str, object]) -> dict[str, Any]:
    def one(word: object) -> Any:
        if isinstance(word, int | float):
            return word
        return packed(word if isinstance(word, str) else str(word))

    return {name: one(word) for name, word in words.items()}


def _said(made: Mapping[str, Any]) -> str:
    if "joined" in made:
        items = [unpacked(item) for item in made["joined"]]
        style: Any = "or" if made.get("last") == "or" else "standard"
        return format_list(items, style=style, locale=_REGIONS[spoken()])
    if "stacked" in made:
        return "\n".join(unpacked(line) for line in made["stacked"])
    # A text names commands in English, and may be given the name of one as a word.
    return localised(_gettext(made), spoken())


def _gettext(made: Mapping[str, Any]) -> str:
    words = {name: unpacked(word) for name, word in made.get("words", {}).items()}
    found = catalogue(spoken())
    if "trn" in made:
        (one, many), n = made["trn"], made["n"]
        return _filled(found.ngettext(one, many, n), one if n == 1 else many, words)
    # The empty text is where gettext keeps the head of a catalogue.
    return _filled(found.gettext(made["tr"]), made["tr"], words) if made["tr"] else ""


def _filled(found: str, source: str, words: dict[str, object]) -> str:
    if not words:
        return found
    try:
        return found.format(**words)
    except (KeyError, IndexError, ValueError) as error:
        # A fault of the translation must not cost the answer.
        log.error("translation does not fit", language=spoken(), text=source, error=repr(error))
        return source.format(**words)
