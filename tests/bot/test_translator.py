"""The commands in the other languages: complete, nothing left over, and as Discord takes them."""

from __future__ import annotations

import unicodedata
from collections.abc import AsyncIterator
from typing import Any

import discord
import pytest
import pytest_asyncio
from discord import app_commands

from bot.language import LANGUAGES, speaking, tr
from bot.mentions import localised
from bot.translator import CommandTranslator, Place, commands_of, places, translated
from engines.core.registry import games
from tests import command_texts

OTHERS = [language for language in LANGUAGES if language != "en"]
LOCALES = {"it": ("it",), "es": ("es-ES", "es-419")}


@pytest_asyncio.fixture
async def tree() -> AsyncIterator[Any]:
    """The bot's commands, with the translator set."""
    async with command_texts.tree() as made:
        await made.set_translator(CommandTranslator(made))
        yield made


async def payload(tree: Any) -> list[Any]:
    """What Discord is sent."""
    return [await c.get_translated_payload(tree, tree.translator) for c in tree.get_commands()]


def levels(command: Any) -> list[Any]:
    """A command with everything in it that has a name, choices too."""
    inner = [*command.get("options", ()), *command.get("choices", ())]
    return [command, *(found for part in inner for found in levels(part))]


@pytest.mark.parametrize("language", OTHERS)
async def test_nothing_is_missing_and_nothing_left_over(tree: Any, language: str) -> None:
    found = list(places(tree))
    assert {p.kind for p in found} == {"name", "description", "option", "about", "choice"}
    missing = [place for place in found if translated(place, language) is None]
    assert not missing, "run `python -m tests.command_texts` and translate what is new"
    catalog = command_texts.read(language)
    used = {(command_texts.context_of(place, catalog), place.text) for place in found}
    listed = {(message.context, message.id) for message in catalog if message.id}
    assert listed - used == set(), "run `python -m tests.command_texts`"
    assert not [message.id for message in catalog if message.fuzzy and message.id]
    path = command_texts.path_of(language)
    fresh = command_texts.updated(found, catalog)
    assert path.read_bytes() == command_texts.written(fresh, language)


async def test_discord_gets_every_text_in_each_of_its_locales(tree: Any) -> None:
    games_named = {game.meta.command for game in games().values()}
    wanted = {locale for found in LOCALES.values() for locale in found}
    count = 0
    for command in await payload(tree):
        for level in levels(command):
            names = level.get("name_localizations") or {}
            if (level["name"] in games_named and level is command) or level["name"].isdecimal():
                assert names == {}
            else:
                assert set(names) == wanted, level["name"]
            if "description" in level:
                assert set(level["description_localizations"]) == wanted, level["name"]
            count += 1
    assert count > 250


async def test_names_are_such_as_discord_takes(tree: Any) -> None:
    def check(siblings: list[Any]) -> None:
        english = [part["name"] for part in siblings]
        for locale in ("it", "es-ES", "es-419"):
            names = [
                part.get("name_localizations", {}).get(locale, part["name"]) for part in siblings
            ]
            assert len(set(names)) == len(names), names
            for number, name in enumerate(names):
                # Otherwise a text could be taken for one in English when it comes a second time.
                assert name not in english[:number] + english[number + 1 :], name
                assert 1 <= len(name) <= 32
                assert name == name.lower() == unicodedata.normalize("NFC", name)
                assert all(c in "-_" or unicodedata.category(c)[0] in "LN" for c in name), name
        for part in siblings:
            check(part.get("options") or [])

    check(await payload(tree))


async def test_descriptions_and_choices_fit(tree: Any) -> None:
    for command in await payload(tree):
        for level in levels(command):
            texts = [*(level.get("description_localizations") or {}).values()]
            if "description" not in level:
                texts += (level.get("name_localizations") or {}).values()
            for text in texts:
                assert 1 <= len(text) <= 100, text
                assert text == text.strip()
                assert "\n" not in text
            for option in level.get("options", ()):
                for locale in ("it", "es-ES"):
                    labels = [
                        c.get("name_localizations", {}).get(locale, c["name"])
                        for c in option.get("choices", ())
                    ]
                    assert len(set(labels)) == len(labels), labels


@pytest.mark.parametrize("language", OTHERS)
async def test_values_that_are_typed_stay_as_they_are(tree: Any, language: str) -> None:
    """Words that the game reads are the same in every language; the text has to name them so."""
    words = {
        ("palermo", "wait", "on"): ("on", "off"),
        ("palermo", "build", "door"): ("nw", "ne", "se", "sw"),
        ("pizzachef", "keep", "keep"): ("yes", "no"),
        ("pizzachef", "topping", "do"): ("add", "remove"),
        ("pizzachef", "rot", "bag"): ("keep", "discard"),
        ("paolo", "step", "direction"): ("N", "E", "S", "W"),
    }
    found = {place.path: place for place in places(tree) if place.kind == "about"}
    for path, values in words.items():
        text = translated(found[path], language)
        assert text is not None
        for value in values:
            assert value in text.replace(",", " ").split(), (path, text)


async def test_english_is_what_remains(tree: Any) -> None:
    command = tree.get_command("match").get_command("start")
    where = app_commands.TranslationContext(
        app_commands.TranslationContextLocation.command_name, command
    )
    give = tree.translator.translate
    assert await give(app_commands.locale_str("start"), discord.Locale.italian, where) == "inizia"
    spanish = [discord.Locale.spain_spanish, discord.Locale.latin_american_spanish]
    for locale in spanish:
        assert await give(app_commands.locale_str("start"), locale, where) == "empezar"
    for other in (discord.Locale.british_english, discord.Locale.japanese):
        assert await give(app_commands.locale_str("start"), other, where) is None
    # A command that no catalogue knows yet.
    assert await give(app_commands.locale_str("juggle"), discord.Locale.italian, where) is None


def test_the_most_exact_context_wins() -> None:
    """Palermo’s *start* is a tile, the others’ is a beginning."""
    assert translated(Place("name", ("palermo", "start"), "start"), "it") == "partenza"
    assert translated(Place("name", ("chess", "start"), "start"), "it") == "inizia"
    assert translated(Place("name", ("chess", "start"), "start"), "en") is None
    assert translated(Place("option", ("chess", "start"), "nothing of it"), "es") is None


async def test_every_command_is_found_in_a_text(tree: Any) -> None:
    for path, command in commands_of(tree):
        called = localised(f"Try `/{' '.join(path)}`.", "it").removeprefix("Try `/").split("`")[0]
        names = []
        for length in range(1, len(path) + 1):
            place = Place("name", path[:length], path[length - 1])
            names.append(translated(place, "it") or path[length - 1])
        assert called == " ".join(names), command.qualified_name


@pytest.mark.parametrize(
    ("text", "italian"),
    [
        ("The host starts it with `/match start`.", "The host starts it with `/partita inizia`."),
        (
            "`/match end decide:True` or `/admin end`",
            "`/partita termina decidi:True` or `/admin termina`",
        ),
        ("`/match end decide`", "`/partita termina decidi`"),
        ("`/match`", "`/partita`"),
        ("Say `/rules search:` and a word.", "Say `/regole cerca:` and a word."),
        ("`/match settings clock:bank hours:3`", "`/partita impostazioni orologio:riserva ore:3`"),
        ("such as `/paris new`", "such as `/paris nuova`"),
        ("Command: /palermo start.", "Command: /palermo partenza."),
        ("/palermo build type:2b door:sw.", "/palermo costruisci tipo:2b ingresso:sw."),
        ("/hand\n/board match", "/mano\n/tabellone match"),
        ("(/match join)", "(/partita unisciti)"),
        ("Say `hours:` or `seat:2`", "Say `ore:` or `posto:2`"),
        # No commands:
        ("`juggle:` and hours: 3, `UTC`, `https://x.example`", None),
        ("either/match or https://x.example/match start", None),
        ("`match start`, `/juggle start`, /matches, 1 /2", None),
        ("`/match juggle`", "`/partita juggle`"),
        ("no slash at all", None),
    ],
)
async def test_texts(tree: Any, text: str, italian: str | None) -> None:
    wanted = text if italian is None else italian
    assert localised(text, "it") == wanted
    assert localised(wanted, "it") == wanted, "a second time changes nothing"
    assert localised(text, "en") == text


async def test_what_the_bot_says_names_commands_in_its_language(tree: Any) -> None:
    with speaking("es"):
        assert (
            tr("Use `/{command}` for it.", command="match join") == "Use `/partida unirse` for it."
        )
