"""Bring the catalogues of the slash commands up to date: ``python -m tests.command_texts``.

Writes ``bot/locale/<language>/commands.po`` anew from the commands that the bot registers: what is
new gets an empty translation, what is gone goes, translations stay. A text is listed once in its
most general context, unless the catalogue has it in a more exact one, which a translator may add by
hand; see :mod:`bot.translator`. With ``--check`` nothing is written, and the exit status tells
whether something would change or is missing. ``python -m tests.command_texts pt`` begins another
language.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from bot.app import PiazzaBot
from bot.config import Settings
from bot.exts import EXTENSIONS
from bot.language import ENGLISH, LANGUAGES, LOCALES
from bot.translator import DOMAIN, Place, places
from storage.store import Store

HEADER = """\
msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""

SHOWN = 3
"""Of the places where a text stands, for translators."""


@asynccontextmanager
async def tree() -> AsyncIterator[Any]:
    """The commands of the bot, without Discord."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "piazza.db"
        async with await Store.open(path) as store:
            settings = Settings(_env_file=None, db=path)  # type: ignore[call-arg]
            async with PiazzaBot(settings, store, sync=False) as bot:
                for name in EXTENSIONS:
                    await bot.load_extension(name)
                yield bot.tree


async def texts() -> list[Place]:
    """Every text that is to be translated."""
    async with tree() as commands:
        return list(places(commands))


def path_of(language: str) -> Path:
    """Where a catalogue is."""
    return LOCALES / language / f"{DOMAIN}.po"


def read(language: str) -> Catalog:
    """A catalogue as it is; an empty one if there is none."""
    path = path_of(language)
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def context_of(place: Place, catalog: Catalog) -> str:
    """The most exact context in which a catalogue lists a text; the general one if it does not."""
    contexts = place.contexts()
    return next((c for c in contexts if catalog.get(place.text, c) is not None), contexts[-1])


def updated(found: Iterable[Place], old: Catalog) -> Catalog:
    """A catalogue of these texts with the translations of another one."""
    standing: dict[tuple[str, str], list[str]] = {}
    for place in found:
        key = (context_of(place, old), place.text)
        standing.setdefault(key, []).append("/" + " ".join(place.path))
    made = Catalog(locale=old.locale)
    for (context, text), paths in standing.items():
        before = old.get(text, context)
        more = " …" if len(paths) > SHOWN else ""
        made.add(
            text,
            string=before.string if before is not None else "",
            context=context,
            flags=before.flags if before is not None else (),
            user_comments=before.user_comments if before is not None else (),
            auto_comments=[", ".join(paths[:SHOWN]) + more],
        )
    return made


def written(catalog: Catalog, language: str) -> bytes:
    """A catalogue as a file: no dates in it, so that it changes only with its texts."""
    body = BytesIO()
    write_po(body, catalog, width=100, omit_header=True)
    return HEADER.format(language=language).encode() + body.getvalue()


def main(arguments: list[str] | None = None) -> int:
    """Update or check all catalogues.

    Returns:
        The exit status: 1 if texts are missing, or with ``--check`` if a file is not up to date.
    """
    parser = argparse.ArgumentParser(description="Update the catalogues of the slash commands.")
    parser.add_argument("--check", action="store_true", help="write nothing")
    parser.add_argument("language", nargs="*", help="empty = all that the bot speaks")
    given = parser.parse_args(arguments)
    check: bool = given.check
    found = asyncio.run(texts())
    status = 0
    for language in given.language or (known for known in LANGUAGES if known != ENGLISH):
        path, catalog = path_of(language), updated(found, read(language))
        new = written(catalog, language)
        if not path.exists() or path.read_bytes() != new:
            state = "is not up to date" if check else "brought up to date"
            print(f"{path.relative_to(LOCALES.parent.parent)} {state}")
            if not check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(new)
        missing = [message.id for message in catalog if message.id and not message.string]
        print(f"{language}: {len(catalog)} texts, {len(missing)} without a translation")
        status |= bool(missing)
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
