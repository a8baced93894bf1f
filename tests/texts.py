"""The catalogues of the bot's texts: which texts the source has, which a language has.

``python -m tests.texts`` brings ``bot/locale/<language>/messages.po`` up to date: new texts come in
empty, texts that are gone go out, translations stay. ``python -m tests.texts pt`` begins another
language.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog
from babel.messages.pofile import read_po, write_po

from bot.language import ENGLISH, LANGUAGES, LOCALES

BOT = LOCALES.parent

KEYWORDS = {"tr": 1, "trn": 2, "later": 1}
"""Functions whose texts are translated, and how many of their arguments are texts."""

HEAD = """# Piazza in another language: the bot's own texts.
# Brought up to date by `python -m tests.texts`; see CONTRIBUTING.md.
msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plural}\\n"

"""


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Every call of a marking function in ``bot/``, with the file and line where it is."""
    for file in sorted(BOT.rglob("*.py")):
        if file.name == "language.py":
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in KEYWORDS:
                yield f"{file.relative_to(BOT.parent).as_posix()}:{node.lineno}", node


def texts_of(call: ast.Call) -> tuple[str, ...]:
    """The texts that a call marks; none if it is given one that is marked elsewhere."""
    assert isinstance(call.func, ast.Name)
    given = call.args[: KEYWORDS[call.func.id]]
    found = [a.value for a in given if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    return tuple(found) if len(found) == KEYWORDS[call.func.id] else ()


def source() -> Catalog:
    """Every text that is marked in ``bot/``."""
    made = Catalog(fuzzy=False)
    for where, call in calls():
        texts = texts_of(call)
        if texts:
            known = made.get(texts[0])
            places = {place for place, _ in known.locations} if known else set()
            fresh = {where.partition(":")[0]} - places
            made.add(texts if len(texts) > 1 else texts[0], locations=[(f, 0) for f in fresh])
    return made


def path(language: str) -> Path:
    """Where a language's texts are."""
    return LOCALES / language / "messages.po"


def catalogue(language: str) -> Catalog:
    """A language's texts as they are written down."""
    with path(language).open("rb") as file:
        return read_po(file, locale=language)


def update(language: str) -> Catalog:
    """Bring a language's file up to date, or begin it."""
    made = catalogue(language) if path(language).exists() else Catalog(locale=language)
    made.update(source(), no_fuzzy_matching=True)
    made.obsolete.clear()
    path(language).parent.mkdir(parents=True, exist_ok=True)
    body = BytesIO()
    write_po(body, made, width=100, include_lineno=False, sort_by_file=True, omit_header=True)
    head = HEAD.format(language=language, plural=made.plural_forms)
    path(language).write_text(head + body.getvalue().decode(), encoding="utf-8")
    return made


def main() -> None:
    """Update the files of the languages named, else of all."""
    for language in sys.argv[1:] or [found for found in LANGUAGES if found != ENGLISH]:
        made = update(language)
        empty = sum(not all(m.string if m.pluralizable else [m.string]) for m in made if m.id)
        print(f"{path(language).relative_to(BOT.parent)}: {len(made)} texts, {empty} to translate")


if __name__ == "__main__":
    main()
