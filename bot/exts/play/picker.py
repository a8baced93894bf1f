"""*My move*: a private guided picker, made of the same projection of legal moves as the slash
commands. Its whole memory is in its custom ids: match, decision, and short marks of the answers."""

from __future__ import annotations

import re
from base64 import b32encode
from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import discord

from bot.errors import Frozen, TableError
from bot.hearing import hear
from bot.language import later, stacked, tr
from bot.posts import STATES, alt_text
from bot.replies import UNHEARD, attachment, done_text, explain, in_time, say
from bot.service import Table
from bot.ui import NUMBER, PREFIX, Action, need_kept, unkept
from engines.core.errors import StaleDecision
from engines.core.surface import Choice, PickStep, phrases, pick

if TYPE_CHECKING:
    from bot.app import PiazzaBot

PAGE = 25
"""Options of a select (Discord limit)."""

CUSTOM_ID = 100
"""Characters of a custom id (Discord limit)."""

GONE = later("That choice is no longer open. Please start again.")

FREE = "0"
"""Stands for the decision where the seat owes none (moves out of turn)."""


def mark(answer: str) -> str:
    """A short mark of an answer: 25 bits are plenty among the answers to one question."""
    return b32encode(blake2b(answer.encode(), digest_size=4).digest())[:5].decode().lower()


def token_path(path: Sequence[str]) -> str:
    """The answers so far as they stand in a custom id."""
    return "".join(mark(answer) for answer in path)


def follow(table: Table, seat: int, tokens: str) -> tuple[PickStep, list[str]]:
    """Find the answers behind the marks and the question that comes next.

    Raises:
        MoveError: an answer is no longer possible.
    """
    step, full = pick(table.game, table.state, seat, [])
    path: list[str] = []
    for i in range(0, len(tokens), 5):
        token = tokens[i : i + 5]
        if len(path) < len(full) and mark(full[len(path)]) == token:
            path.append(full[len(path)])
            continue
        answers = [("@" + c.value) if step.facet else c.value for c in step.choices]
        found = next((a for a in answers if mark(a) == token), None)
        if found is None or len(path) < len(full):
            raise StaleDecision("", tr(GONE))
        path.append(found)
        step, full = pick(table.game, table.state, seat, path)
    return step, full


def decision_of(table: Table, seat: int) -> str:
    """The seat's open decision as it stands in a custom id."""
    decision = table.state.decision_of(seat)
    return str(decision.id) if decision is not None else FREE


def need_same(table: Table, seat: int, decision: str) -> None:
    """Refuse a picker of an earlier decision.

    Raises:
        StaleDecision: the table has moved on.
    """
    if decision_of(table, seat) != decision:
        raise StaleDecision(
            "",
            tr(
                "The table has moved on since this choice was opened. Press **My move** under the "
                "newest board."
            ),
        )


class Pick(
    discord.ui.DynamicItem[discord.ui.Select[Any]],
    template=re.compile(rf"{PREFIX}:pk:({NUMBER}):({NUMBER}):({NUMBER}):([a-z2-7]*)"),
):
    """The select of one question."""

    def __init__(
        self,
        match_id: int,
        decision: str,
        page: int,
        tokens: str,
        choices: Sequence[Choice] = (),
        placeholder: str = "",
    ) -> None:
        self.match_id, self.decision, self.page, self.tokens = match_id, decision, page, tokens
        options = [
            discord.SelectOption(label=(c.label or "–")[:100], value=c.value[:100] or "-")
            for c in choices
        ]
        super().__init__(
            discord.ui.Select(
                custom_id=f"{PREFIX}:pk:{match_id}:{decision}:{page}:{tokens}",
                placeholder=placeholder[:150] or None,
                options=options or [discord.SelectOption(label="–", value="-")],
            )
        )

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction[Any],
        item: discord.ui.Item[Any],
        match: re.Match[str],
        /,
    ) -> Pick:
        """Called by discord.py for every answer."""
        made = cls(int(match[1]), match[2], int(match[3]), match[4])
        made.item = item  # type: ignore[assignment]
        return made

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Take the answer and ask the next question."""
        hear(interaction)
        try:
            need_kept(interaction)
            bot: PiazzaBot = interaction.client
            table = await bot.service.table(self.match_id)
            seat = ready(table, interaction.user.id)
            need_same(table, seat, self.decision)
            step, full = follow(table, seat, self.tokens)
            given = next(iter(self.item.values), None)
            chosen = next((c for c in step.choices if (c.value[:100] or "-") == given), None)
            if chosen is None:
                raise StaleDecision("", tr(GONE))
            answer = ("@" + chosen.value) if step.facet else chosen.value
            await ask(interaction, bot, table, seat, token_path([*full, answer]))
        except Exception as error:
            await explain(interaction, error)


class Turn(Action, action="pg", shape=rf"{NUMBER}:{NUMBER}:[a-z2-7]*:[a-z]+"):
    """Another page of a long question, or back to its start."""

    label = later("More")

    async def act(self, interaction: discord.Interaction[Any], bot: PiazzaBot) -> None:
        """Show that page."""
        table = await bot.service.table(self.match_id)
        seat = ready(table, interaction.user.id)
        decision, page, tokens, _ = self.parts
        need_same(table, seat, decision)
        await ask(interaction, bot, table, seat, tokens, int(page))


class Confirm(Action, action="ok", shape=rf"{NUMBER}:[a-z2-7]*"):
    """Make the move that was picked."""

    label = later("Confirm")
    style = discord.ButtonStyle.success

    async def act(self, interaction: discord.Interaction[Any], bot: PiazzaBot) -> None:
        """Play it."""
        decision, tokens = self.parts

        def choose(table: Table, seat: int) -> tuple[Any, int | None]:
            need_same(table, seat, decision)
            step, _ = follow(table, seat, tokens)
            if step.move is None:
                raise StaleDecision("", tr(GONE))
            return step.move, None if decision == FREE else int(decision)

        done = await in_time(
            interaction,
            bot.service.pick(
                self.match_id, interaction.user.id, choose, interaction_id=interaction.id
            ),
        )
        text = done_text(done)
        if interaction.response.is_done() or not private(interaction):
            await say(interaction, text)
            return
        try:
            await interaction.response.edit_message(content=text, view=None, attachments=[])
        except UNHEARD:
            await say(interaction, text)


class MyMove(Action, action="move"):
    """Open the picker."""

    label = later("My move")
    style = discord.ButtonStyle.primary

    async def act(self, interaction: discord.Interaction[Any], bot: PiazzaBot) -> None:
        """Ask the first question, privately."""
        table = await bot.service.table(self.match_id)
        seat = ready(table, interaction.user.id)
        await ask(interaction, bot, table, seat, "", fresh=True)


def private(interaction: discord.Interaction[Any]) -> bool:
    """Whether the pressed message is the presser's own, so that choices may be shown in it."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def ready(table: Table, user_id: int) -> int:
    """The seat that may pick a move now.

    Raises:
        TableError: not seated, not running, or nothing to do.
    """
    seat = table.need_seat(user_id)
    if table.match.status == "finished":
        raise TableError(tr("The match is over."))
    if table.match.status == "frozen":
        raise Frozen(table.match.report or "")
    if table.match.status == "ended":
        raise TableError(tr("This match was called off."))
    if table.match.status != "active":
        raise TableError(
            tr(
                "This match is not being played now: it is {state}.",
                state=tr(STATES[table.match.status]),
            )
        )
    if not phrases(table.game, table.state, seat):
        who = ", ".join(table.said[s] for s in table.waiting())
        raise TableError(
            stacked(
                tr("You have nothing to do now. The table waits for {who}.", who=who),
                tr("-# `/match plan` keeps a move for when it is your turn."),
            )
        )
    return seat


def components(
    table: Table, seat: int, step: PickStep, full: Sequence[str], page: int, *, again: bool
) -> discord.ui.View:
    """The select or the confirm button of a question."""
    ident, decision, tokens = table.match.id, decision_of(table, seat), token_path(full)
    view = unkept()
    if step.move is not None:
        view.add_item(Confirm(ident, decision, tokens))
    else:
        pages = max(1, -(-len(step.choices) // PAGE))
        page %= pages
        shown = step.choices[page * PAGE : (page + 1) * PAGE]
        view.add_item(Pick(ident, decision, page, tokens, shown, question(table, step)))
        if pages > 1:
            for word, other in (("back", (page - 1) % pages), ("more", (page + 1) % pages)):
                where = {"page": other + 1, "pages": pages}
                item = Turn(ident, decision, other, tokens, word)
                item.item.label = (
                    tr("Back ({page} of {pages})", **where)
                    if word == "back"
                    else tr("More ({page} of {pages})", **where)
                )
                view.add_item(item)
    if again:
        over = Turn(ident, decision, 0, "", "again")
        over.item.label = tr("Start over")
        view.add_item(over)
    return view


def question(table: Table, step: PickStep) -> str:
    """What is asked, for the select."""
    if not step.command:
        return tr("What do you want to do?")
    command = next(c for c in table.game.commands() if c.name == step.command)
    param = next((p for p in command.params if p.name == step.param), None)
    return str(param.description if param is not None else command.description)


def candidates(table: Table, seat: int, full: Sequence[str], step: PickStep) -> list[Any]:
    """The moves that are still possible, for marking them in the picture."""
    if step.move is not None:
        return [step.move]
    names = {c.name: c for c in table.game.commands()}
    if not full:
        return [m for _, m in phrases(table.game, table.state, seat)][:200]
    found = []
    answers = [a for a in full[1:] if not a.startswith("@")]
    params = [p.name for p in names[full[0]].params]
    for phrase, move in phrases(table.game, table.state, seat):
        if phrase.command != full[0]:
            continue
        asked = [p for p in params if p in phrase.args]
        if [phrase.args[p] for p in asked[: len(answers)]] == answers:
            found.append(move)
    return found[:200]


async def ask(
    interaction: discord.Interaction[Any],
    bot: PiazzaBot,
    table: Table,
    seat: int,
    tokens: str,
    page: int = 0,
    *,
    fresh: bool = False,
) -> None:
    """Show a question (or the confirmation); its picture follows, so that the answer is quick."""
    step, full = follow(table, seat, tokens)
    view = components(table, seat, step, full, page, again=bool(tokens))
    seen = table.view(seat)
    if step.move is not None:
        text = f"**{table.game.describe(seen, step.move)}?**"
    else:
        prompt = table.game.prompt(seen, seat) if seat in table.waiting() else tr("you may act")
        text = f"{prompt[:1].upper()}{prompt[1:]}.\n**{question(table, step)}**"
    if fresh or not private(interaction):
        await interaction.response.send_message(text, view=view, ephemeral=True)
    else:
        await interaction.response.edit_message(content=text, view=view)
    picture = await bot.pictures.board(
        table.game.meta.key, seen, table.names, moves=candidates(table, seat, full, step)
    )
    now = await bot.service.table(table.match.id)
    if picture is not None and now.seat_of(interaction.user.id) == seat:
        try:
            await interaction.edit_original_response(
                attachments=[attachment(picture, "choices", alt_text(table, seen))]
            )
        except UNHEARD:
            # The text and the select are enough.
            return


async def setup(bot: PiazzaBot) -> None:
    """Register the picker's parts."""
    bot.add_dynamic_items(Pick, Turn, Confirm, MyMove)
