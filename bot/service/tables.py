"""A match in memory, what people get to hear, and the rows that announce it."""

from __future__ import annotations

import json
import re
import time
import unicodedata
from collections.abc import Sequence
from typing import Any

import msgspec

from bot.errors import TableError
from bot.language import Text, joined, packed, tr, trn
from bot.logs import get_logger
from engines.core.play import (
    AnyGame,
)
from engines.core.types import Hand, Seat, Viewer
from storage.plans import PlanRow
from storage.records import MatchRow, NewOutbox, SeatRow, TimerRow

log = get_logger(__name__)


_MARKUP = re.compile(r"([\\\\*_~`|<>\[\]()#])")
_TURNS = re.compile(r"[\u202a-\u202e\u2066-\u2069]")
"""Characters that write what follows them the other way round."""
_LIVE = re.compile(r"(@|:(?=//)|\{(?=seat:))")
_SEAT = re.compile(r"\{seat:([0-9]{1,3})\}")


class Table(msgspec.Struct):
    """A match in memory: its row, its seats, its timers, what its players have planned and, once
    started, its state. A plan is for its owner's eyes alone."""

    match: MatchRow
    seats: list[SeatRow]
    game: Any
    state: Any = None
    timers: list[TimerRow] = []
    plans: list[PlanRow] = []

    @property
    def names(self) -> list[str]:
        """Display names by seat."""
        return [seat.name for seat in self.seats]

    @property
    def said(self) -> list[str]:
        """Display names by seat, safe inside a Discord text."""
        return [escape(seat.name) for seat in self.seats]

    @property
    def settings(self) -> dict[str, Any]:
        """Settings of the table that are no rules."""
        found: dict[str, Any] = json.loads(self.match.settings or "{}")
        return found

    @property
    def options(self) -> dict[str, Any]:
        """Options of the game."""
        found: dict[str, Any] = json.loads(self.match.options or "{}")
        return found

    @property
    def wanted(self) -> int | None:
        """Seats that the host asked for; None = whoever comes."""
        return self.settings.get("seats")

    @property
    def people(self) -> frozenset[Seat]:
        """The seats that persons hold, not automatic players."""
        return frozenset(s.seat for s in self.seats if s.user_id > 0)

    def seat_of(self, user_id: int) -> Seat | None:
        """The seat of a person, or None."""
        return next((s.seat for s in self.seats if s.user_id == user_id), None)

    def need_seat(self, user_id: int) -> Seat:
        """The seat of a person.

        Raises:
            TableError: they do not play here.
        """
        seat = self.seat_of(user_id)
        if seat is None:
            raise TableError(
                tr(
                    "You do not sit at this table. Everybody may look with `/board`, but only its "
                    "players move."
                )
            )
        return seat

    def waiting(self) -> tuple[Seat, ...]:
        """Who owes a decision."""
        if self.state is None or self.match.status != "active":
            return ()
        return tuple(self.game.waiting(self.state))

    def view(self, viewer: Viewer) -> Any:
        """The engine's view.

        Raises:
            TableError: the match has not started.
        """
        if self.state is None:
            raise TableError(
                tr("This match has not started yet. The host starts it with `/match start`.")
            )
        return self.game.view(self.state, viewer)

    def hand(self, seat: Seat) -> Hand | None:
        """A seat's hidden things as text."""
        return self.game.hand(self.view(seat)) if self.state is not None else None


class Done(msgspec.Struct, frozen=True):
    """What a person gets to hear after acting.

    Attributes:
        table: the match afterwards.
        text: one or two sentences for that person.
        private: what only that person may know of what happened.
    """

    table: Table
    text: str
    private: tuple[str, ...] = ()


def fill(text: str, names: Sequence[str]) -> str:
    """Put names in for ``{seat:0}`` placeholders.

    >>> fill("{seat:1} starts.", ["Ada", "Bo"])
    'Bo starts.'
    """

    def name(found: re.Match[str]) -> str:
        seat = int(found[1])
        return names[seat] if seat < len(names) else found[0]

    return _SEAT.sub(name, text)


def escape(name: str) -> str:
    """A display name as plain text: no markup, no mention, one line, 40 characters at most.

    >>> escape("*Ada* <@1>")
    '\\\\*Ada\\\\* \\\\<@\\u200b1\\\\>'
    """
    plain = " ".join(_TURNS.sub("", name).split())
    if all(unicodedata.category(c) in ("Cc", "Cf", "Mn") for c in plain):
        return "?"  # nothing of it would be seen
    plain = plain if len(plain) <= 40 else plain[:39] + "…"
    plain = _MARKUP.sub(r"\\\1", plain)
    # A space without width ends a mention, an address, and what looks like a placeholder.
    return _LIVE.sub("\\1\u200b", plain)


def now_ms() -> int:
    """Unix milliseconds."""
    return time.time_ns() // 1_000_000


def seat_words(game: AnyGame, wanted: int | None = None) -> Text:
    """The possible numbers of players in words."""
    counts = [wanted] if wanted else list(game.meta.seats)
    return trn(
        "{counts} player",
        "{counts} players",
        max(counts),
        counts=joined([str(n) for n in counts], "or"),
    )


def turn_post(
    lines: Sequence[str],
    *,
    fresh: bool,
    owes: Sequence[Seat],
    over: bool = False,
    first: bool = False,
    ping: Sequence[Seat] | None = None,
) -> NewOutbox:
    """An outbox row for the board.

    Args:
        lines: what happened; a :class:`Text` is said in the language of the server.
        fresh: somebody new is to act, so a new post is made and they are mentioned.
        owes: who is to act.
        over: the match has ended.
        first: the match has begun, so the lobby's post is brought to its end.
        ping: who is notified; None = all who are to act.
    """
    payload = {
        "what": "turn",
        "lines": [packed(line) for line in lines],
        "fresh": fresh,
        "owes": list(owes),
    }
    if ping is not None:
        payload["ping"] = list(ping)
    if over:
        payload["over"] = True
    if first:
        payload["first"] = True
    return NewOutbox("turn", json.dumps(payload, ensure_ascii=False))


def lobby_post() -> NewOutbox:
    """An outbox row for the lobby's post."""
    return NewOutbox("turn", json.dumps({"what": "lobby"}))


def notice(text: Text, mention: Sequence[Seat] = (), **more: Any) -> NewOutbox:
    """An outbox row for a text in the channel, in the language of the server.

    Args:
        text: the text.
        mention: seats whose players are notified.
        more: what else the row says.
    """
    payload = {"text": packed(text), "mention": list(mention), **more}
    return NewOutbox("notice", json.dumps(payload, ensure_ascii=False))


def whisper(seat: Seat, lines: Sequence[str]) -> NewOutbox:
    """An outbox row for a direct message to a seat's player, in their own language."""
    payload = {"lines": [packed(line) for line in lines]}
    return NewOutbox("hand", json.dumps(payload, ensure_ascii=False), seat=seat)
