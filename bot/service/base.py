"""What every part of the match service needs: locks, matches in memory, words."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from bot.errors import Frozen, TableError
from bot.language import Text, tr
from bot.logs import get_logger
from bot.service.endings import ranking
from bot.service.tables import (
    Table,
    fill,
    notice,
    now_ms,
    whisper,
)
from engines.core.errors import MoveError
from engines.core.play import (
    AnyGame,
)
from engines.core.registry import game as find_game
from engines.core.types import Event, Outcome, Seat, State
from storage.errors import NoSuchMatch
from storage.records import NewOutbox
from storage.store import Store

log = get_logger(__name__)


WARM = 512
"""Matches kept ready in memory."""

KEEP = 40
"""Snapshots kept for undo; one that is older is found by replaying the log."""

PUBLIC_EVENTS = 60
"""Public events told in one post; more are summed up by the picture."""


class ServiceBase:
    """Loading, locking and wording, for all that is done with matches.

    Args:
        store: the database.
        clock: unix milliseconds; tests pass their own.
        new_seed: 64 hex digits; tests pass their own.
        wake: called after a commit that left something to be sent, with the match's id.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], int] = now_ms,
        new_seed: Callable[[], str] = lambda: secrets.token_hex(32),
        wake: Callable[[int], None] = lambda match_id: None,
    ) -> None:
        self.store = store
        self.clock = clock
        self.wake = wake
        self._new_seed = new_seed
        self._tables: OrderedDict[int, Table] = OrderedDict()
        self._channels: dict[int, int] = {}
        # A lock lives as long as somebody holds it or waits for it.
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    # ---- loading -----------------------------------------------------------------------------

    @asynccontextmanager
    async def locked(self, key: int) -> AsyncIterator[None]:
        """Hold a match's lock (or, before there is a match, a channel's)."""
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()
        async with lock:
            yield

    async def table(self, match_id: int) -> Table:
        """The match, from memory if it is warm.

        Raises:
            TableError: there is none.
        """
        found = self._tables.get(match_id)
        if found is None:
            try:
                loaded = await self.store.load(match_id)
            except NoSuchMatch:
                raise TableError(tr("That match does not exist any more.")) from None
            game = find_game(loaded.match.game)
            state = game.decode_state(loaded.snapshot) if loaded.snapshot is not None else None
            found = Table(
                loaded.match,
                list(loaded.seats),
                game,
                state,
                list(loaded.timers),
                list(loaded.plans),
            )
        self._keep(found)
        return found

    async def find(self, match_id: int) -> Table | None:
        """The match, or None if there is none of that number."""
        try:
            return await self.table(match_id)
        except TableError:
            return None

    def _keep(self, table: Table) -> None:
        self._tables[table.match.id] = table
        self._tables.move_to_end(table.match.id)
        if table.match.open:
            self._channels[table.match.channel_id] = table.match.id
        elif self._channels.get(table.match.channel_id) == table.match.id:
            del self._channels[table.match.channel_id]
        while len(self._tables) > WARM:
            _, old = self._tables.popitem(last=False)
            self._channels.pop(old.match.channel_id, None)

    def forget(self, match_id: int) -> None:
        """Drop a match from memory; it is read again when needed."""
        found = self._tables.pop(match_id, None)
        if found is not None:
            self._channels.pop(found.match.channel_id, None)

    def doubt(self, match_id: int) -> None:
        """After a write, whatever its fate: if its answer was lost (the task was cancelled), it is
        unknown whether it was done. What counts is in the database, announcements included."""
        self.forget(match_id)
        self.wake(match_id)

    async def at(self, channel_id: int) -> Table | None:
        """The open match of a channel or thread, else its newest one, else None."""
        known = self._channels.get(channel_id)
        if known is not None:
            return await self.table(known)
        row = await self.store.open_match(channel_id) or await self.store.last_match(channel_id)
        return await self.table(row.id) if row is not None else None

    async def need(self, channel_id: int, game: str | None = None) -> Table:
        """The match of a channel.

        Args:
            channel_id: channel or thread.
            game: registry key that it must be of.

        Raises:
            TableError: there is none, or of another game.
        """
        found = await self.at(channel_id)
        if found is None:
            raise TableError(
                tr(
                    "There is no match in this channel. Open a table with a game's `new` command, "
                    "for example `/paris new`."
                )
            )
        if game is not None and found.match.game != game:
            raise TableError(
                tr(
                    "The match in this channel is {game}. Use `/{command}` for it.",
                    game=found.game.meta.title,
                    command=found.game.meta.command,
                )
            )
        return found

    async def mine(self, user_id: int) -> list[Table]:
        """The open matches of a person."""
        rows = await self.store.matches_of(user_id, open_only=True)
        return [await self.table(row.id) for row in rows]

    async def _freeze(self, table: Table, error: Exception) -> Frozen:
        report = secrets.token_hex(4)
        log.error(
            "engine bug", match=table.match.id, game=table.match.game, report=report, exc_info=error
        )
        text = tr(
            "⚠ Something went wrong inside the rules, so this match is halted. Its log is kept, "
            "and every other match goes on. Report id for the people who run the bot: `{report}`. "
            "Who may manage channels can let it go on once that is put right (`/admin resume`), "
            "or call it off (`/admin end`).",
            report=report,
        )
        await self.store.freeze(table.match.id, report, outbox=[notice(text)])
        self.forget(table.match.id)
        self.wake(table.match.id)
        return Frozen(report)

    def _need_active(self, table: Table) -> None:
        status = table.match.status
        if status == "active":
            return
        if status == "lobby":
            raise TableError(
                tr("This match has not started yet. The host starts it with `/match start`.")
            )
        if status == "frozen":
            raise Frozen(table.match.report or "")
        if status == "paused":
            raise TableError(
                tr("This match is paused. Any of its players lets it go on with `/match resume`.")
            )
        if status == "finished":
            if table.state is not None and table.state.ended is None:
                raise TableError(tr("The match is over: it ended before its last move."))
            # The engine's own refusal names the rule.
            return
        raise TableError(tr("This match was called off."))

    # ---- what the announcer notes ------------------------------------------------------------

    async def board_is(self, table: Table, outbox_id: int, message_id: int) -> None:
        """Note that an outbox row was sent and which message is the match's board now."""
        channel, head = table.match.channel_id, table.match.head_seq
        if not await self.store.sent_board(outbox_id, table.match.id, channel, message_id, head):
            return
        current = self._tables.get(table.match.id, table)
        current.match = msgspec.structs.replace(
            current.match,
            board_channel_id=channel,
            board_message_id=message_id,
            board_seq=head,
        )

    async def tell_once(self, table: Table, key: str, row: NewOutbox) -> None:
        """Announce something at a table once in its life."""
        async with self.locked(table.match.id):
            current = await self.table(table.match.id)
            if current.settings.get(key):
                return
            await self.store.update_settings(
                table.match.id, json.dumps({**current.settings, key: True}), outbox=[row]
            )
            self.forget(table.match.id)
        self.wake(table.match.id)

    # ---- words -------------------------------------------------------------------------------

    def _public(self, game: AnyGame, events: Sequence[Event], names: Sequence[str]) -> list[str]:
        lines = [fill(game.narrate(e), names) for e in events if e.to is None]
        lines = [line for line in lines if line]
        return lines[-PUBLIC_EVENTS:]

    def _describe(self, game: AnyGame, view: Any, move: Any) -> str:
        try:
            words = game.describe(view, move)
        except Exception:  # a move that the engine is about to refuse may not be describable
            return tr("your move")
        return words

    def _result(self, table: Table, outcome: Outcome | None) -> list[str]:
        if outcome is None:
            return []
        # What the scores are made of is told by the recap.
        lines: list[str] = [tr("**Final ranking**"), *ranking(table, outcome, breakdown=False)]
        lines.append(self._seed_line(table))
        return lines

    def _seed_line(self, table: Table) -> Text:
        return tr(
            "-# The deal’s seed: `{seed}`. Check it with `/match verify`.", seed=table.match.seed
        )

    def _hand_posts(
        self,
        table: Table,
        before: State | None,
        after: State,
        events: Sequence[Event],
        *,
        everybody: bool = False,
        moved: Collection[Seat] = (),
    ) -> list[NewOutbox]:
        """Direct messages to seats whose hand has changed or who were told something.

        Args:
            table: the match.
            before: the position before; None at the start.
            after: the position now.
            events: what happened.
            everybody: to each seat that has a hand.
            moved: seats that change hands just now; they are told by who changes them.
        """
        posts = []
        for seat in range(after.seats):
            if seat in moved or table.seats[seat].user_id <= 0:
                continue
            told = [
                fill(line, table.said)
                for e in events
                if e.to is not None and seat in e.to and (line := table.game.narrate(e))
            ]
            new = table.game.hand(table.game.view(after, seat))
            old = table.game.hand(table.game.view(before, seat)) if before is not None else None
            if (new != old and new is not None) or told or (everybody and new is not None):
                posts.append(whisper(seat, told))
        return posts

    def _named(self, error: MoveError, table: Table) -> MoveError:
        """The same refusal with names in place of seats."""
        error.text = fill(error.text, table.said)
        error.choices = tuple(fill(c, table.said) for c in error.choices)
        return error
