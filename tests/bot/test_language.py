"""The bot's texts: complete in every language, and each person reads their own."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import discord
import pytest

from bot import ui
from bot.exts import EXTENSIONS
from bot.language import (
    LANGUAGES,
    Text,
    catalogue,
    joined,
    language_of,
    packed,
    speaking,
    stacked,
    tr,
    trn,
    unpacked,
)
from bot.posts import payload_of, turn_text
from bot.service import notice
from bot.service.clocks import HOUR
from bot.service.quiet import read_until
from engines.core.registry import games
from tests import texts
from tests.bot.table import SELECT, World, ident, parts, private, text

OTHERS = [language for language in LANGUAGES if language != "en"]

SPANISH = "es-419"

# ---- the catalogues ------------------------------------------------------------------------------


def fields(text: str) -> set[str]:
    """The words that go into a text."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def pairs(language: str) -> Iterator[tuple[str, str]]:
    """English texts with what they are in a language, plural forms one by one."""
    for message in texts.catalogue(language):
        if not message.id:
            continue
        if not message.pluralizable:
            yield message.id, message.string
            continue
        one, many = message.id
        yield from ((one if not i else many, form) for i, form in enumerate(message.string))


@pytest.mark.parametrize("language", OTHERS)
def test_nothing_is_missing_and_nothing_left_over(language: str) -> None:
    known = {message.id: message for message in texts.catalogue(language) if message.id}
    wanted = {message.id for message in texts.source() if message.id}
    assert len(wanted) > 300
    assert wanted - known.keys() == set(), "run `python -m tests.texts` and translate what is new"
    assert known.keys() - wanted == set(), "no longer used: run `python -m tests.texts`"
    assert not texts.catalogue(language).obsolete
    assert not [message.id for message in known.values() if message.fuzzy]
    assert not [english for english, said in pairs(language) if not said.strip()]


@pytest.mark.parametrize("language", OTHERS)
def test_plural_forms_are_those_of_the_language(language: str) -> None:
    found = texts.catalogue(language)
    assert found.plural_expr == texts.Catalog(locale=language).plural_expr
    forms = [m.string for m in found if m.id and m.pluralizable]
    assert len(forms) > 20
    assert all(len(form) == found.num_plurals and all(form) for form in forms)


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_same_words_in_it(language: str) -> None:
    for english, said in pairs(language):
        # "one page" need not say the number.
        assert fields(said) - {"n"} == fields(english) - {"n"}, english
        assert "n" not in fields(said) - fields(english) or "n" in fields(english), english
        marks = re.compile(r"`[^`{]*`")
        commands = [mark for mark in marks.findall(english) if mark.startswith("`/")]
        assert [m for m in marks.findall(said) if m.startswith("`/")] == commands, english
        assert said.count("**") == english.count("**"), english
        assert said.count("\n") == english.count("\n"), english
        assert said[:3] == english[:3] or not english.startswith(("-# ", "- ", "➤ ")), english
        assert said[-1:] == english[-1:] or english[-1:] not in ".?", english


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_fit_discord(language: str) -> None:
    with speaking(language):
        labels = {name: tr(made.label) for name, made in ui._made.items() if made.label}
    assert len(labels) > 12
    assert {name: label for name, label in labels.items() if not 1 <= len(label) <= 80} == {}
    if language != "en":
        # Words that go in are short; a list of matches and the like is cut where it is made.
        assert [english for english, said in pairs(language) if len(said) > 700] == []


@pytest.fixture(autouse=True)
def features() -> None:
    """All buttons are known."""
    for name in EXTENSIONS:
        import_module(name)


def test_labels_of_buttons_are_marked() -> None:
    marked = {message.id for message in texts.source()}
    assert {made.label for made in ui._made.values() if made.label} <= marked


# ---- the source ----------------------------------------------------------------------------------

FOR_OPERATORS = ("cli.py", "config.py", "logs.py", "local.py")
"""Files whose texts are for who runs the bot."""

NO_TEXT = re.compile(r"bot(\.\w+)+|https?://\S+")
"""Names of modules, addresses."""

UNSAID = frozenset(
    {
        *texts.KEYWORDS,
        # For the log.
        *("info", "warning", "error", "exception", "Drop", "Retry", "drop_outbox"),
        # For programmers.
        *("AssertionError", "InvariantError", "compile", "get_logger"),
        # Names and descriptions of commands: :mod:`bot.translator`.
        *("command", "describe", "Group", "Admin", "ContextMenu", "made_command"),
    }
)
"""Calls whose texts are marked, or that people do not read."""

OF_COMMANDS = {
    "How many players; empty = whoever joins",
    "Your own colour; empty = a free one",
    "Hours for each move, or in the bank at the start",
    "Hours that a turn adds to the bank; empty = a tenth",
    "none, move (time for each move) or bank (a store of time that turns add to)",
    "no rule",
    "the server's own on Discord",
    "Which match, outside its channel",
}
"""More of :mod:`bot.translator`."""

WORDS = re.compile(r"[A-Za-z]{2,}[ ,:.]+[A-Za-z<]")


def called(node: ast.AST) -> str:
    """The name of what is called."""
    if not isinstance(node, ast.Call):
        return ""
    return str(getattr(node.func, "id", getattr(node.func, "attr", "")))


def unmarked(source: str) -> Iterator[tuple[int, str]]:
    """Texts of some words that go through no catalogue, with their lines."""
    tree = ast.parse(source)
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            continue
        if not WORDS.search(node.value) or NO_TEXT.fullmatch(node.value):
            continue
        line: list[ast.AST] = [node]
        while line[-1] in above:
            line.append(above[line[-1]])
        described = isinstance(line[1], ast.Expr)
        if not described and not UNSAID & {called(n) for n in line}:
            yield node.lineno, node.value


def test_every_text_goes_through_the_catalogue() -> None:
    found = [
        (str(file.relative_to(texts.BOT)), line, words)
        for file in sorted(texts.BOT.rglob("*.py"))
        if file.name not in FOR_OPERATORS
        for line, words in unmarked(file.read_text(encoding="utf-8"))
        if words not in OF_COMMANDS and not words.startswith("Discord says")
    ]
    assert found == []


def test_the_search_for_unmarked_texts_finds_them() -> None:
    assert list(unmarked('raise TableError("That is over.")')) == [(1, "That is over.")]
    assert list(unmarked('x = f"{who} is back."')) == [(1, " is back.")]
    assert list(unmarked('def f():\n    """Do it well."""\n    raise E(tr("That is over."))')) == []


def test_what_is_marked_stands_there_as_it_is() -> None:
    """A text that is put together before it is marked is in no catalogue."""
    glued = [
        where
        for where, call in texts.calls()
        if any(
            isinstance(given, ast.JoinedStr | ast.BinOp)
            for given in call.args[: texts.KEYWORDS[called(call)]]
        )
    ]
    assert glued == []


# ---- the words -----------------------------------------------------------------------------------


def test_a_missing_text_is_said_in_english() -> None:
    with speaking("it"):
        assert tr("The match goes on.") == "La partita continua."
        assert tr("No catalogue has {what}.", what="this") == "No catalogue has this."
        assert trn("{n} gnu", "{n} gnus", 1) == "1 gnu"
        assert trn("{n} gnu", "{n} gnus", 3) == "3 gnus"
        assert tr("") == ""
    assert catalogue("xx").gettext("The match goes on.") == "The match goes on."


def test_a_translation_with_a_fault_does_not_cost_the_answer(
    monkeypatch: pytest.MonkeyPatch, logged: list[Any]
) -> None:
    class Faulty(discord.utils.MISSING.__class__):  # type: ignore[name-defined, misc]
        """A catalogue with a word that is not there."""

        def gettext(self, text: str) -> str:
            return "{nonsense} continua."

    monkeypatch.setattr("bot.language.catalogue", lambda language: Faulty())
    assert tr("{who} is back.", who="Ada") == "Ada is back."
    assert [entry["event"] for entry in logged] == ["translation does not fit"]
    logged.clear()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["0 matches", "1 match", "2 matches", "1000000 matches"]),
        ("it", ["0 partite", "1 partita", "2 partite", "1000000 partite"]),
        ("es", ["0 partidas", "1 partida", "2 partidas", "1000000 partidas"]),
    ],
)
def test_numbers_decide_the_form(language: str, said: list[str]) -> None:
    with speaking(language):
        assert [trn("{n} match", "{n} matches", n) for n in (0, 1, 2, 1_000_000)] == said


def test_lists_in_words() -> None:
    names = ["Ada", "Bo", "Cleo"]
    said = []
    for language in LANGUAGES:
        with speaking(language):
            said += [joined(names), joined(names[:2], "or")]
    assert said == ["Ada, Bo and Cleo", "Ada or Bo", "Ada, Bo e Cleo", "Ada o Bo",
                    "Ada, Bo y Cleo", "Ada o Bo"]  # fmt: skip
    assert (joined([]), joined(["Ada"])) == ("", "Ada")


def test_a_text_that_was_written_down_is_said_in_the_readers_language() -> None:
    with speaking("it"):
        when = trn("{n} day", "{n} days", 2)
        line = tr("{who} gets {time} more.", who=joined(["{seat:0}", "Bo"]), time=when)
        row = notice(stacked(line, tr("The match goes on."), "-# #7"))
        assert line == "{seat:0} e Bo riceve 2 giorni in più."
    with speaking("es"):
        said = payload_of(row.payload)["text"]
        assert said == "{seat:0} y Bo recibe 2 días más.\nLa partida sigue.\n-# #7"
        assert isinstance(said, Text)
        assert unpacked(packed(said)) == said
    said = payload_of(row.payload)["text"]
    assert said == "{seat:0} and Bo gets 2 days more.\nThe match goes on.\n-# #7"


def test_locales_of_discord() -> None:
    spoken = {str(locale): language_of(locale) for locale in discord.Locale}
    assert {tag for tag, language in spoken.items() if language == "it"} == {"it"}
    assert {tag for tag, language in spoken.items() if language == "es"} == {"es-ES", "es-419"}
    assert spoken["ja"] == language_of(None) == language_of("nonsense") == "en"


def test_days_are_understood_in_every_language() -> None:
    now = 1_780_000_000_000
    week = read_until("1 week", now, "UTC")
    assert {read_until(words, now, "UTC") for words in ("7 giorni", "1 settimana", "7 días",
            "1 semana", "7 d")} == {week}  # fmt: skip
    assert {read_until(words, now, "UTC") for words in ("domani", "mañana", "1 day", "1 giorno",
            "1 día")} == {week - 6 * 24 * HOUR}  # fmt: skip


# ---- at the table --------------------------------------------------------------------------------


class Babel:
    """A server where Ada has Discord in Italian, Bruno in Spanish, and everybody else in English.

    Args:
        world: the server.
        here: its own language.
    """

    def __init__(self, world: World, here: str = "en-US") -> None:
        self.world = world
        self.locales = {world.people[0].id: "it", world.people[1].id: SPANISH}
        backend = world.env.backend
        emit = backend.emit

        def spoken(event: str, payload: Mapping[str, Any]) -> None:
            if event == "INTERACTION_CREATE":
                user = (payload.get("member") or payload)["user"]
                payload = {**payload, "locale": self.locales.get(int(user["id"]), "en-GB")}
            emit(event, payload)

        backend.emit = spoken
        backend.edit_guild(world.guild.id, {"preferred_locale": here})

    async def begin(self, game: str = "paris", players: int = 3) -> Any:
        """Everybody sits down, and the match begins; its replies are given back."""
        world = self.world
        replies = [text(await world.people[0].slash(world.channel, f"{game} new"))]
        for person in world.people[1:players]:
            replies.append(text(await person.slash(world.channel, "match join")))
        replies.append(text(await world.people[0].slash(world.channel, "match start")))
        return replies


def labels(message: Any) -> list[str]:
    """What the buttons of a public message say."""
    return [c.label for line in message.components for c in line.children]


async def test_private_replies_are_the_readers_and_posts_the_servers(world: World) -> None:
    babel = Babel(world, "es-ES")
    opened, bruno, carla, started = await babel.begin()
    assert opened.startswith("Il tavolo di Paris Paris è aperto.")
    assert bruno == "Te sientas en la mesa (2 de 4)."
    assert carla == "You sit at the table (3 of 4)."
    assert started == "La partita è cominciata."
    lobby, board = world.posts()
    assert lobby.content == (
        "La partida de **Paris Paris** ha empezado con Ada, Bruno y Carla. El tablero está abajo."
    )
    assert "**Paris Paris** empieza con Ada, Bruno y Carla." in board.content
    assert {"Mi jugada", "Deshacer", "Reglas"} <= set(labels(board))


async def test_errors_are_told_in_the_readers_language(world: World) -> None:
    babel = Babel(world, "es-ES")
    await babel.begin()
    ada, bruno, carla = world.people[:3]
    said = [text(await p.slash(world.channel, "match resume")) for p in (ada, bruno, carla)]
    assert said == [
        "La partita non è in pausa.",
        "La partida no está en pausa.",
        "The match is not paused.",
    ]
    # Buttons that the message has no more, and that no version ever had.
    stale = await world.press(ada, world.board, "pz1:undo:1:99")
    assert text(stale) == "Nel frattempo la partita è andata avanti. Usa la plancia più recente."
    odd = await world.forge(bruno, "pz1:nonsense:1")
    assert text(odd).startswith("Este botón es de otra versión del bot.")
    refused = await bruno.slash(world.channel, "match end", decide=True)
    assert text(refused).startswith("Eso lo decide solo quien puede gestionar el canal.")
    assert "`/partida " in text(refused)


async def test_pickers_are_made_for_who_presses(world: World) -> None:
    babel = Babel(world, "es-ES")
    await babel.begin()
    active = await world.active()
    confirm = {"it": "Conferma", SPANISH: "Confirmar", "de": "Confirm"}
    again = {"it": "Ricomincia", SPANISH: "Empezar de nuevo", "de": "Start over"}
    for locale in confirm:
        babel.locales[active.id] = locale
        # The board itself speaks the language of the server.
        reply = await world.press(active, world.board, ident(world.board, "Mi jugada"))
        while not any(c.get("label") in confirm.values() for c in parts(reply.response)):
            assert private(reply)
            (select,) = [c for c in parts(reply.response) if c["type"] == SELECT]
            reply = await active.select(reply.response, [select["options"][0]["value"]])
        shown = {c["label"] for c in parts(reply.response)}
        assert shown == {confirm[locale], again[locale]}
    babel.locales[active.id] = "it"
    done = await active.click(reply.response, label="Confirm")
    assert text(done).startswith("Fatto: ")


async def test_hands_come_in_the_persons_own_language(world: World) -> None:
    babel = Babel(world, "es-ES")
    await babel.begin("palermo", 3)
    ada, _, carla = world.people[:3]
    table = await world.table()
    given = world.people[3:5]
    seat = table.seat_of(ada.id)
    # Dario has never spoken to the bot: he is told in the language of the server.
    reply = await ada.slash(world.channel, "match substitute", user=given[0])
    assert text(reply) == "Ora il posto è di Dario."
    await world.env.settle()
    told = [m.content for m in given[0].user.dm_channel.history()]
    assert any("Ahora juegas en el asiento de Ada" in words for words in told), told
    # Elena has: in English.
    await given[1].slash(world.channel, "mygames")
    await carla.slash(world.channel, "match substitute", user=given[1])
    told = [m.content for m in given[1].user.dm_channel.history()]
    assert any("You now play the seat of Carla" in words for words in told), told
    # And Ada takes her seat back: in Italian.
    babel.locales[given[0].id] = "it"
    reply = await given[0].slash(world.channel, "match substitute", user=ada)
    assert text(reply) == "Ora il posto è di Ada."
    told = [m.content for m in ada.user.dm_channel.history()]
    assert any("Ora giochi al posto di Dario" in words for words in told), told
    assert (await world.table()).seat_of(ada.id) == seat
    assert world.posts()[-1].content.count("ocupa el asiento de") >= 1


async def test_two_people_at_once_do_not_mix_languages(world: World) -> None:
    babel = Babel(world)
    await babel.begin()
    board, (ada, bruno, carla) = world.board, world.people[:3]
    presses = [
        world.send_press(person, board, custom_id)
        for person in (ada, bruno, carla)
        for custom_id in [ident(board, "Rules")] * 4
    ]
    await world.env.settle()
    ends = [text(result) for result in presses]
    assert all("Leggine una con" in words for words in ends[:4])
    assert all("Lee una con" in words for words in ends[4:8])
    assert all("Read one with" in words for words in ends[8:])


async def test_managers_choose_the_language_of_the_posts(world: World) -> None:
    Babel(world, "es-ES")
    carla = world.people[2]
    member = world.env.backend.get_guild(world.guild.id)
    member.owner_id = carla.id  # an owner may do everything
    reply = await carla.slash(world.channel, "admin language", language="it")
    assert text(reply).endswith("Posts are in Italiano.")
    await carla.slash(world.channel, "paris new")
    assert "**Al tavolo (1 di 4)**" in world.posts()[-1].content
    assert labels(world.posts()[-1])[:3] == ["Unisciti", "Esci", "Inizia"]
    reply = await carla.slash(world.channel, "admin language", language="server")
    assert text(reply).endswith("Posts are in the language that this server has on Discord.")
    await world.people[3].slash(world.channel, "match join")
    assert "**En la mesa (2 de 4)**" in world.posts()[-1].content


async def test_a_language_is_remembered_beside_other_choices(world: World) -> None:
    babel = Babel(world)
    ada = world.people[0]
    service = world.bot.service
    await ada.slash(world.channel, "settings", quiet_from="22:00", quiet_to="8:00")
    prefs = await service.prefs(ada.id)
    assert (prefs.language, prefs.quiet) == ("it", (22 * 60, 8 * 60))
    babel.locales[ada.id] = "fr"
    await ada.slash(world.channel, "mygames")
    prefs = await service.prefs(ada.id)
    assert (prefs.language, prefs.quiet) == ("en", (22 * 60, 8 * 60))


async def test_votes_are_in_the_language_of_the_server(world: World) -> None:
    babel = Babel(world, "it")
    await babel.begin(players=3)
    await world.people[0].slash(world.channel, "match settings", clock="move", hours=1)
    assert "L’orologio di questa partita: 1 ora per ogni mossa." in world.posts()[-1].content
    table = await world.table()
    late = table.waiting()[0]
    person = world.person(table, late)
    reminded = {"it": "ti aspetta.", SPANISH: "te espera."}
    await world.settled_in(3700)
    await world.settled_in(120)
    told = [m.content for m in person.user.dm_channel.history()]
    words = reminded.get(babel.locales.get(person.id, ""), "waits for you.")
    assert [line for line in told if line.startswith("⏰") and words in line], told
    vote = world.posts()[-1]
    assert "ha esaurito il tempo" in vote.content
    assert labels(vote) == ["Salta", "Aspetta", "Cedi il posto"]
    voter = next(p for p in world.people[:3] if p.id != table.seats[late].user_id)
    babel.locales[voter.id] = SPANISH
    said = text(await voter.click(vote, label="Salta"))
    assert said == "Anotado: saltar este turno. Los demás aún no han decidido."


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_game_speaks_every_language(world: World, language: str) -> None:
    """The frames of posts and status in each language, for each game at its largest table."""
    from bot.exts.table.match import status_text
    from bot.posts import lobby_text, reminder_text

    for game in games().values():
        channel = world.guild.create_text_channel(f"{game.meta.command}-{language}")
        table = await world.begin(game.meta.command, max(game.meta.seats), channel=channel)
        with speaking(language):
            seat = table.waiting()[0]
            made = [
                status_text(table),
                lobby_text(table),
                turn_text(table, ["x" * 1900]),
                reminder_text(table, seat, private=True),
                reminder_text(table, seat, private=False),
            ]
        assert all(0 < len(words) <= 2000 for words in made)
        english = {"en": True}.get(language, False)
        assert ("match" in made[0]) is english
        assert ("waits for you" in made[3]) is english
