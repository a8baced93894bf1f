"""``/stats``: who has played what, and how well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import discord
from discord import app_commands

from bot.exts.info.rules import head
from bot.replies import Act, in_time, say
from engines.core.errors import SetupError
from engines.core.registry import game as find_game
from storage.ratings import shown
from storage.results import ALL, Played, RatingRow

if TYPE_CHECKING:
    from bot.app import PiazzaBot

FEW = 5
"""Matches below which a rating is a guess."""


def title(key: str) -> str:
    """A game's title; its key if this Piazza does not have it any more."""
    try:
        return str(find_game(key).meta.title)
    except SetupError:
        return key


def number(count: int, word: str) -> str:
    """A count in words.

    >>> number(1, "match"), number(2, "match"), number(2, "win")
    ('1 match', '2 matches', '2 wins')
    """
    ending = "es" if word.endswith("h") else "s"
    return f"{count} {word}{'' if count == 1 else ending}"


def rating_words(rating: RatingRow | None) -> str:
    """A rating as people read it; empty if there is none."""
    if rating is None:
        return ""
    few = " (few matches yet)" if rating.matches < FEW else ""
    return f"rating {shown(rating.mu, rating.sigma)}{few}"


def game_lines(games: Sequence[Played], rating: RatingRow | None) -> list[str]:
    """One person's results in one game: matches among people first, solo ones apart."""
    lines = []
    rated = [m for m in games if m.seats > 1]
    if rated:
        alone = sum(m.place == 1 and m.tied == 1 for m in rated)
        shared = sum(m.place == 1 and m.tied > 1 for m in rated)
        parts = [number(len(rated), "match"), number(alone, "win")]
        if shared:
            parts.append(f"{number(shared, 'shared win')}")
        places = sorted({m.place for m in rated} - {1})
        parts += [f"{sum(m.place == p for m in rated)}× place {p}" for p in places]
        parts.append(f"best score {max(m.score for m in rated)}")
        parts.append(rating_words(rating))
        lines.append(f"- **{title(games[0].game)}**: {', '.join(p for p in parts if p)}")
    solo = [m for m in games if m.seats == 1]
    if solo:
        won = sum(m.won for m in solo)
        best = max(m.score for m in solo)
        lines.append(
            f"- **{title(games[0].game)}** solo: {number(len(solo), 'match')}, {won} won, "
            f"best score {best}"
        )
    return lines


def person_text(user_id: int, games: Sequence[Played], ratings: Sequence[RatingRow]) -> str:
    """Somebody's statistics on a server."""
    by_key = {row.game: row for row in ratings}
    if not games:
        return f"<@{user_id}> has played no match to its end here yet."
    lines = [f"**Matches of** <@{user_id}> **on this server**"]
    for key in sorted({m.game for m in games}, key=title):
        lines += game_lines([m for m in games if m.game == key], by_key.get(key))
    overall = rating_words(by_key.get(ALL))
    if overall:
        lines.append(f"All games together: {overall}")
    lines.append(EXPLAINED)
    return head(lines)


EXPLAINED = (
    "-# Ratings begin at 1000 and count every place of a match among two or more people, ties as "
    "ties. Solo matches and matches called off do not count."
)


def server_text(counts: Sequence[tuple[str, int, int]], best: Sequence[RatingRow]) -> str:
    """A server's statistics."""
    if not counts:
        return "No match has been played to its end on this server yet."
    total = sum(count for _, count, _ in counts)
    lines = [f"**{number(total, 'match')} played to the end on this server**"]
    for key, count, solo in counts:
        alone = f", {solo} of them solo" if solo else ""
        lines.append(f"- {title(key)}: {count}{alone}")
    if best:
        lines.append("**Best ratings over all games**")
    for place, rating in enumerate(best[:10], 1):
        lines.append(
            f"{place}. <@{rating.user_id}> {rating_words(rating)}, "
            f"{number(rating.matches, 'match')}"
        )
    lines.append(EXPLAINED)
    return head(lines)


async def setup(bot: PiazzaBot) -> None:
    """Register ``/stats``."""

    @app_commands.command(name="stats", description="Matches, results and ratings on this server")
    @app_commands.guild_only()
    @app_commands.describe(
        player="Whose; empty = mine", server="The whole server instead of a person"
    )
    async def stats(
        interaction: Act, player: discord.User | None = None, server: bool = False
    ) -> None:
        guild = interaction.guild_id or 0

        async def find() -> str:
            if server:
                counts = await bot.store.result_counts(guild)
                return server_text(counts, await bot.store.ratings(guild))
            user = (player or interaction.user).id
            games = await bot.store.played(guild, user)
            return person_text(user, games, await bot.store.ratings_of(guild, user))

        await say(interaction, await in_time(interaction, find()))

    bot.tree.add_command(stats)
