"""Buttons that survive restarts: each carries what it needs in a versioned custom id.

``pz1:<action>:<match>[:…]``; a later version keeps answering older ids or says politely that the
button is too old.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar

import discord

from bot.errors import TableError
from bot.hearing import hear
from bot.language import later, tr
from bot.replies import explain

if TYPE_CHECKING:
    from bot.app import PiazzaBot
    from bot.service import Table

PREFIX = "pz1"

NUMBER = "[0-9]{1,18}"
"""A number in a custom id: as many digits as SQLite and Discord have."""

TOO_OLD = later(
    "This button comes from another version of the bot. Please use the newest board, or "
    "`/match status`."
)

LOST = later(
    "This is from a part of the match that was lost when the bot was restored from a copy. Please "
    "use the newest board, or `/match status`."
)

_made: dict[str, type[Action]] = {}


class Action(discord.ui.DynamicItem[discord.ui.Button[Any]], template=rf"{PREFIX}:base"):
    """A button made anew from its custom id at every press.

    Subclasses are declared with ``action=`` (the word in the custom id) and override :meth:`act`.
    The groups of the custom id after the action and the match are in ``parts``; a subclass says
    with ``shape=`` how they look, and another shape is answered as a button of another version.
    ``label`` is marked by :func:`bot.language.later`; a button is made in the language of whoever
    sees it.
    """

    action: ClassVar[str] = ""
    shape: ClassVar[str] = ".*"
    label: ClassVar[str] = ""
    emoji: ClassVar[str | None] = None
    style: ClassVar[discord.ButtonStyle] = discord.ButtonStyle.secondary

    def __init_subclass__(cls, *, action: str, shape: str = ".*", **kwargs: Any) -> None:
        cls.action, cls.shape = action, shape
        template = rf"{PREFIX}:{action}:(?P<match>{NUMBER})(?P<rest>(?::[^:]*)*)"
        super().__init_subclass__(template=re.compile(template), **kwargs)
        _made[action] = cls

    def __init__(self, match_id: int, *parts: object, disabled: bool = False) -> None:
        self.match_id = match_id
        self.parts = tuple(str(part) for part in parts)
        custom_id = ":".join((PREFIX, self.action, str(match_id), *self.parts))
        super().__init__(
            discord.ui.Button(
                label=tr(self.label),
                emoji=self.emoji,
                style=self.style,
                custom_id=custom_id,
                disabled=disabled,
            )
        )

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction[Any],
        item: discord.ui.Item[Any],
        match: re.Match[str],
        /,
    ) -> Action:
        """Called by discord.py for every press."""
        rest = match["rest"]
        return cls(int(match["match"]), *(rest.split(":")[1:] if rest else ()))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Act; whatever goes wrong is explained privately."""
        hear(interaction)
        try:
            need_kept(interaction)
            if re.fullmatch(self.shape, ":".join(self.parts)) is None:
                raise TableError(tr(TOO_OLD))
            await self.act(interaction, interaction.client)
        except Exception as error:
            await explain(interaction, error)

    async def act(self, interaction: discord.Interaction[Any], bot: PiazzaBot) -> None:
        """What the button does."""
        raise AssertionError(f"{type(self).__name__} does nothing")


def need_kept(interaction: discord.Interaction[Any]) -> None:
    """Refuse a press under a message of a time that is lost.

    Raises:
        TableError: a backup was restored that is older than the message.
    """
    bot: PiazzaBot = interaction.client
    message = interaction.message
    if message is None:
        return
    age = interaction.created_at - message.created_at
    if bot.service.was_lost(age // timedelta(milliseconds=1)):
        raise TableError(tr(LOST))


def unkept() -> discord.ui.View:
    """An empty view that discord.py keeps in no memory: dynamic items are found by their ids alone.
    (It would hold every private one, with a timer, for 15 minutes.)"""
    view = discord.ui.View(timeout=None)
    view.stop()
    return view


def row(*items: Action) -> discord.ui.View:
    """A view of buttons."""
    view = unkept()
    for item in items:
        view.add_item(item)
    return view


def button(action: str, match_id: int, *parts: object) -> Action:
    """A button by its action word, so that posts need not import the features behind it."""
    return _made[action](match_id, *parts)


def board_view(table: Table) -> discord.ui.View:
    """The buttons under the current board."""
    ident, head = table.match.id, table.match.head_seq
    if table.match.status != "active":
        return row(button("rules", ident))
    items = [button("move", ident, head)]
    if table.game.meta.secrets:
        items.append(button("hand", ident))
    return row(*items, button("undo", ident, head), button("rules", ident))


def vote_view(table: Table, seat: int, decision: int) -> discord.ui.View:
    """The buttons under the news that a seat's time is up."""
    choices = ["skip", "wait", "hand", *(["win"] if len(table.seats) == 2 else [])]
    return row(*(button(f"v{choice}", table.match.id, seat, decision) for choice in choices))


def proposal_view(match_id: int, number: int) -> discord.ui.View:
    """The buttons under a proposal to go back."""
    return row(button("rbyes", match_id, number), button("rbno", match_id, number))


def lobby_view(table: Table) -> discord.ui.View | None:
    """The buttons of a lobby; None once it is closed."""
    if table.match.status != "lobby":
        return None
    ident = table.match.id
    return row(
        button("join", ident),
        button("leave", ident),
        button("start", ident),
        button("rules", ident),
    )
