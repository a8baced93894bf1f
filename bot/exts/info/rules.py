"""``/rules``: our own short help texts, by word or rule ID."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord import app_commands

from bot.errors import TableError
from bot.language import tr, trn
from bot.posts import CONTENT, shorten
from bot.replies import Act, say
from engines.core.errors import SetupError
from engines.core.play import AnyGame
from engines.core.registry import game as find_game
from engines.core.registry import games
from engines.core.surface import fold
from engines.core.types import RuleText

if TYPE_CHECKING:
    from bot.app import PiazzaBot


def overview(game: AnyGame) -> str:
    """The game in a few lines and the topics of its rules."""
    meta = game.meta
    lines = [f"**{meta.title}** – {meta.summary}"]
    lines += [f"- **{rule.title}** ({rule.ids[0]})" for rule in game.rules_help()]
    lines.append(tr("Read one with `/rules search:` and a word or a rule ID."))
    if meta.reconstructed:
        lines.append(f"-# {meta.reconstructed}")
    return head(lines)


def head(lines: list[str]) -> str:
    """The first lines that fit a message."""
    kept: list[str] = []
    for line in lines:
        if sum(len(k) + 1 for k in kept) + len(line) + 2 > CONTENT:
            kept.append("…")
            break
        kept.append(line)
    return "\n".join(kept)


def search(game: AnyGame, words: str) -> list[RuleText]:
    """The rules that fit, best first: by ID, then by title, then by text."""
    wanted = fold(words)
    if not wanted:
        return []
    ident = wanted.upper().replace(" ", "-")
    rules = list(game.rules_help())
    exact = [rule for rule in rules if ident in rule.ids]
    if exact:
        return exact
    parts = wanted.split()

    def rank(rule: RuleText) -> int | None:
        title, text = fold(rule.title), fold(rule.text)
        if all(part in title for part in parts):
            return 0
        if all(part in title or part in text for part in parts):
            return 1
        return 2 if any(len(part) > 3 and part in title + " " + text for part in parts) else None

    ranked = [(r, i, rule) for i, rule in enumerate(rules) if (r := rank(rule)) is not None]
    best = min((r for r, _, _ in ranked), default=0)
    return [rule for r, _, rule in sorted(ranked, key=lambda x: x[:2]) if r < 2 or best == 2]


def answer(game: AnyGame, words: str) -> str:
    """A reply to a search."""
    found = search(game, words)
    if not found:
        nothing = tr(
            "Nothing in the rules of {game} fits “{words}”.", game=game.meta.title, words=words[:60]
        )
        return f"{nothing}\n{overview(game)}"
    lines: list[str] = []
    for rule in found[:6]:
        lines.append(f"**{rule.title}** ({', '.join(rule.ids)})\n{rule.text}")
    if len(found) > 6:
        lines.append(
            trn(
                "… and {n} more; say it more exactly.",
                "… and {n} more; say it more exactly.",
                len(found) - 6,
            )
        )
    return head(lines) if len("\n".join(lines)) > CONTENT else shorten(lines, CONTENT)


async def setup(bot: PiazzaBot) -> None:
    """Register ``/rules``."""

    @app_commands.command(name="rules", description="Look a rule up, by word or rule ID")
    @app_commands.describe(
        search="A word, or a rule ID such as PR-041", game="Which game, if not this channel's"
    )
    async def rules(interaction: Act, search: str = "", game: str = "") -> None:
        chosen: Any = None
        if game:
            try:
                chosen = find_game(game)
            except SetupError as error:
                raise TableError(error.text) from error
        else:
            table = await bot.service.at(interaction.channel_id or 0)
            if table is not None:
                chosen = table.game
            else:
                prefix = search.strip().upper().partition("-")[0]
                chosen = next((g for g in games().values() if g.meta.prefix == prefix), None)
        if chosen is None:
            names = [f"- **{g.meta.title}**: {g.meta.summary}" for g in games().values()]
            which = tr("Which game? Say `/rules game:`. There are")
            await say(interaction, "\n".join((which, *names)))
            return
        await say(interaction, answer(chosen, search) if search.strip() else overview(chosen))

    @rules.autocomplete("game")
    async def which(interaction: Act, current: str) -> list[app_commands.Choice[str]]:
        word = fold(current)
        return [
            app_commands.Choice(name=g.meta.title, value=g.meta.key)
            for g in games().values()
            if word in fold(g.meta.title)
        ][:25]

    @rules.autocomplete("search")
    async def topics(interaction: Act, current: str) -> list[app_commands.Choice[str]]:
        key = interaction.namespace.game
        table = None if key else await bot.service.at(interaction.channel_id or 0)
        chosen = table.game if table else games().get(key or "")
        if chosen is None:
            return []
        found = search(chosen, current) if current.strip() else list(chosen.rules_help())
        return [
            app_commands.Choice(name=f"{rule.title} ({rule.ids[0]})"[:100], value=rule.ids[0])
            for rule in found[:25]
        ]

    bot.tree.add_command(rules)
