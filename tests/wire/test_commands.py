"""The commands in the reader's language: registered so, and named so in what the bot says."""

from __future__ import annotations

from pathlib import Path

from tests.wire.server import LoopbackDiscord
from tests.wire.table import Party, boards, piazza, settled, table_at


async def test_commands_are_registered_in_every_language(
    discord_: LoopbackDiscord, tmp_path: Path
) -> None:
    async with piazza(discord_, tmp_path / "piazza.db"):
        match = next(c for c in discord_.global_commands if c["name"] == "match")
        partida = {"es-ES": "partida", "es-419": "partida"}
        assert match["name_localizations"] == {"it": "partita", **partida}
        start = next(o for o in match["options"] if o["name"] == "start")
        assert start["name_localizations"]["it"] == "inizia"
        paris = next(c for c in discord_.global_commands if c["name"] == "paris")
        assert not paris["name_localizations"], "a game keeps its name"
        assert "fermate di Parigi" in paris["description_localizations"]["it"]
        new = next(o for o in paris["options"] if o["name"] == "new")
        colour = next(o for o in new["options"] if o["name"] == "colour")
        grey = next(c for c in colour["choices"] if c["value"] == "grey")
        assert grey["name_localizations"]["es-419"] == "gris"


async def test_each_reader_finds_the_commands_under_their_own_names(
    discord_: LoopbackDiscord, tmp_path: Path
) -> None:
    readers = {
        locale: discord_.add_user(f"Reader {locale}", locale=locale)
        for locale in ("it", "es-419", "ja")
    }
    party = Party(discord_)
    async with piazza(discord_, tmp_path / "piazza.db"):
        for locale, command in {
            "it": "`/paris nuova`",
            "es-419": "`/paris nueva`",
            "ja": "`/paris new`",
        }.items():
            # Discord sends the English names, whatever somebody has typed.
            told = await readers[locale].slash(party.channel, "match status")
            assert command in told.content


async def test_a_rule_that_names_a_command(discord_: LoopbackDiscord, tmp_path: Path) -> None:
    reader = discord_.add_user("Reader", locale="it")
    party = Party(discord_)
    async with piazza(discord_, tmp_path / "piazza.db"):
        told = await reader.slash(party.channel, "rules", game="palermo", search="PL-022")
        assert "/palermo costruisci tipo:2b spazio:C4 ingresso:sw" in told.content
        assert "/palermo build" not in told.content


async def test_a_channel_reads_the_servers_names(discord_: LoopbackDiscord, tmp_path: Path) -> None:
    party = Party(discord_)
    party.guild.preferred_locale = "es-ES"
    async with piazza(discord_, tmp_path / "piazza.db") as bot:
        await party.begin(bot, 2)
        for person in party.people[:2]:
            await person.slash(party.channel, "match end")
        await settled(bot)
        assert "`/partida verificar`" in boards(party.channel)[-1].content


async def test_a_default_is_set_by_the_name_that_a_manager_sees(
    discord_: LoopbackDiscord, tmp_path: Path
) -> None:
    party = Party(discord_)
    party.guild.owner.locale = "it"
    async with piazza(discord_, tmp_path / "piazza.db") as bot:
        boss = party.guild.owner
        offered = await boss.autocomplete(
            party.channel, "admin default", focused="option", value="gioc", game="paris_paris"
        )
        assert [(c.name, c.value) for c in offered] == [("giocatori", "seats")]
        await boss.slash(
            party.channel, "admin default", game="paris_paris", option="Giocatori", value="4"
        )
        house = await bot.service.house(party.guild.id)
        assert house.defaults == {"paris_paris": {"seats": 4}}


async def test_colours_are_offered_and_understood_in_the_readers_language(
    discord_: LoopbackDiscord, tmp_path: Path
) -> None:
    party = Party(discord_)
    host, guest, other = party.people[:3]
    guest.locale = "it"
    async with piazza(discord_, tmp_path / "piazza.db") as bot:
        await host.slash(party.channel, "paris new", colour="grey")
        offered = await guest.autocomplete(
            party.channel, "match join", focused="colour", value="viol"
        )
        assert [(c.name, c.value) for c in offered] == [("violetto", "violet")]
        english = await other.autocomplete(party.channel, "match join", focused="colour")
        assert [(c.name, c.value) for c in english] == [
            (colour, colour) for colour in ("violet", "yellow", "green")
        ]
        await guest.slash(party.channel, "match join", colour="Giallo")
        table = await table_at(bot, party.channel)
        assert [seat.colour for seat in table.seats] == ["grey", "yellow"]
