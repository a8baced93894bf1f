"""``/stats``: who has played what, and how well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import discord
from discord import app_commands

from bot.exts.info.rules import head
from bot.language import Text, later, tr, trn
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


def matches(count: int) -> Text:
    """A number of matches in words.

    >>> matches(1), matches(2)
    ('1 match', '2 matches')
    """
    return trn("{n} match", "{n} matches", count)


def rating_words(rating: RatingRow | None) -> str:
    """A rating as people read it; empty if there is none."""
    if rating is None:
        return ""
    value = shown(rating.mu, rating.sigma)
    if rating.matches < FEW:
        return tr("rating {rating} (few matches yet)", rating=value)
    return tr("rating {rating}", rating=value)


def game_lines(games: Sequence[Played], rating: RatingRow | None) -> list[str]:
    """One person's results in one game: matches among people first, solo ones apart."""
    lines: list[str] = []
    rated = [m for m in games if m.seats > 1]
    if rated:
        alone = sum(m.place == 1 and m.tied == 1 for m in rated)
        shared = sum(m.place == 1 and m.tied > 1 for m in rated)
        parts: list[str] = [matches(len(rated)), trn("{n} win", "{n} wins", alone)]
        if shared:
            parts.append(trn("{n} shared win", "{n} shared wins", shared))
        for place in sorted({m.place for m in rated} - {1}):
            times = sum(m.place == place for m in rated)
            parts.append(tr("{times}× place {place}", times=times, place=place))
        early = sum(bool(m.reason) for m in rated)
        if early:
            # Given up or out of time: a place, but no score.
            parts.append(trn("{n} not played out", "{n} not played out", early))
        if early < len(rated):
            best = max(m.score for m in rated if not m.reason)
            parts.append(tr("best score {score}", score=best))
        parts.append(rating_words(rating))
        lines.append(f"- **{title(games[0].game)}**: {', '.join(p for p in parts if p)}")
    solo = [m for m in games if m.seats == 1]
    if solo:
        won = sum(m.won for m in solo)
        lines.append(
            tr(
                "- **{game}** solo: {matches}, {won}, best score {score}",
                game=title(games[0].game),
                matches=matches(len(solo)),
                won=trn("{n} won", "{n} won", won),
                score=max(m.score for m in solo),
            )
        )
    return lines


def person_text(user_id: int, games: Sequence[Played], ratings: Sequence[RatingRow]) -> str:
    """Somebody's statistics on a server."""
    by_key = {row.game: row for row in ratings}
    if not games:
        return tr("{who} has played no match to its end here yet.", who=f"<@{user_id}>")
    lines: list[str] = [tr("**Matches of** {who} **on this server**", who=f"<@{user_id}>")]
    for key in sorted({m.game for m in games}, key=title):
        lines += game_lines([m for m in games if m.game == key], by_key.get(key))
    overall = rating_words(by_key.get(ALL))
    if overall:
        lines.append(tr("All games together: {rating}", rating=overall))
    lines.append(tr(EXPLAINED))
    return head(lines)


EXPLAINED = later(
    "-# Ratings begin at 1000 and count every place of a match among two or more people, ties as "
    "ties. Of two, who resigns or loses on time is second. Solo matches and matches called off do "
    "not count."
)


def server_text(counts: Sequence[tuple[str, int, int]], best: Sequence[RatingRow]) -> str:
    """A server's statistics."""
    if not counts:
        return tr("No match has been played to its end on this server yet.")
    total = sum(count for _, count, _ in counts)
    lines: list[str] = [
        trn(
            "**{n} match with a result on this server**",
            "**{n} matches with a result on this server**",
            total,
        )
    ]
    for key, count, solo in counts:
        if solo:
            words = tr("{count}, {solo} of them solo", count=count, solo=solo)
            lines.append(f"- {title(key)}: {words}")
        else:
            lines.append(f"- {title(key)}: {count}")
    if best:
        lines.append(tr("**Best ratings over all games**"))
    for place, rating in enumerate(best[:10], 1):
        who = f"<@{rating.user_id}>"
        lines.append(f"{place}. {who} {rating_words(rating)}, {matches(rating.matches)}")
    lines.append(tr(EXPLAINED))
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
