"""The match service: every change of a match takes its one path (design, section 2).

lock → load → play → one commit → result. It knows people by their ids and nothing of Discord, so it
is tested without any stand-in. What is to be announced is written to the outbox in the same
transaction as the move.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from bot.errors import Frozen, Repeated, TableError
from bot.logs import get_logger
from engines.core import surface
from engines.core.errors import EngineBug, MoveError, SetupError
from engines.core.play import (
    AnyGame,
    Entry,
    Played,
    Record,
    play,
    replay,
    restored,
    start,
    undo_target,
)
from engines.core.registry import game as find_game
from engines.core.rng import commitment
from engines.core.types import Event, Hand, Outcome, Seat, State, Viewer, listing, pack, state_hash
from storage.errors import ChannelTaken, DuplicateInteraction, HeadMoved, NoSuchMatch
from storage.records import LogRow, MatchRow, NewLog, NewOutbox, NewSeat, SeatRow
from storage.store import Store

log = get_logger(__name__)

_MARKUP = re.compile(r"([\\\\*_~`|<>\[\]()#])")

WARM = 512
"""Matches kept ready in memory."""

MOVED_ON = "The table has moved on in this moment. Please try again."

KEEP = 40
"""Snapshots kept for undo; one that is older is found by replaying the log."""

PUBLIC_EVENTS = 60
"""Public events told in one post; more are summed up by the picture."""


class Table(msgspec.Struct):
    """A match in memory: its row, its seats and, once started, its state."""

    match: MatchRow
    seats: list[SeatRow]
    game: Any
    state: Any = None

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
                "You do not sit at this table. Everybody may look with `/board`, but only its "
                "players move."
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
            raise TableError("This match has not started yet. The host starts it with `/match start`.")
        return self.game.view(self.state, viewer)

    def hand(self, seat: Seat) -> Hand | None:
        """A seat's hidden things as text."""
        return self.game.hand(self.view(seat)) if self.state is not None else None  # type: ignore[no-any-return]


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
    for seat, name in enumerate(names):
        text = text.replace(f"{{seat:{seat}}}", name)
    return text


def escape(name: str) -> str:
    """A display name as plain text: no markup, no mention, one line, 40 characters at most.

    >>> escape("*Ada* <@1>")
    '\\\\*Ada\\\\* \\\\<\u200b@1\\\\>'
    """
    plain = " ".join(name.split())
    plain = plain if len(plain) <= 40 else plain[:39] + "…"
    return _MARKUP.sub(r"\\\1", plain).replace("@", "\u200b@") or "?"


def now_ms() -> int:
    """Unix milliseconds."""
    return time.time_ns() // 1_000_000


class MatchService:
    """Everything that can be done with matches.

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
        self._locks: dict[int, asyncio.Lock] = {}

    # ---- loading -----------------------------------------------------------------------------

    @asynccontextmanager
    async def locked(self, key: int) -> AsyncIterator[None]:
        """Hold a match's lock (or, before there is a match, a channel's)."""
        lock = self._locks.setdefault(key, asyncio.Lock())
        try:
            async with lock:
                yield
        finally:
            waiters = getattr(lock, "_waiters", None)
            if not lock.locked() and not waiters:
                self._locks.pop(key, None)

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
                raise TableError("That match does not exist any more.") from None
            game = find_game(loaded.match.game)
            state = game.decode_state(loaded.snapshot) if loaded.snapshot is not None else None
            found = Table(loaded.match, list(loaded.seats), game, state)
        self._keep(found)
        return found

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
                "There is no match in this channel. Open a table with a game's `new` command, "
                "for example `/paris new`."
            )
        if game is not None and found.match.game != game:
            raise TableError(
                f"The match in this channel is {found.game.meta.title}. Use "
                f"`/{found.game.meta.command}` for it."
            )
        return found

    async def mine(self, user_id: int) -> list[Table]:
        """The open matches of a person."""
        rows = await self.store.matches_of(user_id, open_only=True)
        return [await self.table(row.id) for row in rows]

    # ---- lobby -------------------------------------------------------------------------------

    async def create(
        self,
        game_key: str,
        *,
        guild_id: int | None,
        channel_id: int,
        host_id: int,
        host_name: str,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        colour: str | None = None,
        interaction_id: int | None = None,
    ) -> Done:
        """Open a table; the host takes the first seat.

        Raises:
            TableError: the channel is taken or an option does not fit.
        """
        game = find_game(game_key)
        raw = {k: v for k, v in (options or {}).items() if v is not None}
        try:
            game.options(raw)
        except SetupError as error:
            raise TableError(error.text) from error
        if seats is not None and seats not in game.meta.seats:
            raise TableError(f"{game.meta.title} is for {seat_words(game)}, not {seats}.")
        if colour is not None and colour not in game.meta.colours:
            raise TableError(f"The colours are {listing(game.meta.colours)}.")
        async with self.locked(-channel_id):
            try:
                match_id = await self.store.create_match(
                    game=game.meta.key,
                    rules_version=game.meta.rules_version,
                    options=json.dumps(raw),
                    guild_id=guild_id,
                    channel_id=channel_id,
                    host_id=host_id,
                    seats=[NewSeat(host_id, host_name, colour)],
                    settings=json.dumps({"seats": seats} if seats else {}),
                    outbox=[lobby_post()],
                    interaction_id=interaction_id,
                )
            except ChannelTaken:
                taken = await self.need(channel_id)
                raise TableError(
                    f"A match of {taken.game.meta.title} is already open in this channel. One table "
                    "a channel: finish it, end it with `/match end`, or open a thread."
                ) from None
            except DuplicateInteraction:
                raise Repeated from None
        table = await self.table(match_id)
        log.info("match created", match=match_id, game=game.meta.key)
        self.wake(match_id)
        return Done(
            table,
            f"The table for {game.meta.title} is open. Others join with the button or "
            f"`/match join`; you start with `/match start` when {seat_words(game, seats)} are there.",
        )

    async def _change_lobby(self, table: Table, change: Callable[[], Any]) -> Table:
        try:
            await change()
        except DuplicateInteraction:
            raise Repeated from None
        finally:
            self.forget(table.match.id)
        self.wake(table.match.id)
        return await self.table(table.match.id)

    async def join(
        self,
        match_id: int,
        user_id: int,
        name: str,
        *,
        colour: str | None = None,
        interaction_id: int | None = None,
    ) -> Done:
        """Take a seat, or change one's colour.

        Raises:
            TableError: the match has started, is full, or the colour is taken.
        """
        async with self.locked(match_id):
            table = await self.table(match_id)
            self._need_lobby(table)
            seat = table.seat_of(user_id)
            most = table.wanted or max(table.game.meta.seats)
            if seat is None and len(table.seats) >= most:
                raise TableError(
                    f"The table is full: {len(table.seats)} of {most} seats are taken."
                )
            if colour is not None:
                self._need_colour(table, colour, seat)
            if seat is not None and colour in (None, table.seats[seat].colour):
                raise TableError("You already sit at this table.")

            async def change() -> None:
                if seat is not None:
                    await self.store.set_colour(
                        match_id, seat, colour, outbox=[lobby_post()], interaction_id=interaction_id
                    )
                else:
                    await self.store.add_seat(
                        match_id,
                        user_id,
                        name,
                        colour,
                        outbox=[lobby_post()],
                        interaction_id=interaction_id,
                    )

            table = await self._change_lobby(table, change)
        return Done(table, f"You sit at the table ({len(table.seats)} of {most})." + (
            f" Your colour is {colour}." if colour else ""
        ))  # fmt: skip

    async def leave(
        self, match_id: int, user_id: int, *, interaction_id: int | None = None
    ) -> Done:
        """Give up a seat before the start; the last one to leave closes the table.

        Raises:
            TableError: not seated, or the match has started.
        """
        async with self.locked(match_id):
            table = await self.table(match_id)
            self._need_lobby(table, "leave")
            seat = table.need_seat(user_id)
            if len(table.seats) == 1:
                return await self._end(table, user_id, interaction_id, "Everybody has left.")

            async def change() -> None:
                host = table.match.host_id == user_id
                others = [s.user_id for s in table.seats if s.user_id != user_id]
                await self.store.remove_seat(
                    match_id,
                    seat,
                    new_host=others[0] if host else None,
                    outbox=[lobby_post()],
                    interaction_id=interaction_id,
                )

            was_host = table.match.host_id == user_id
            table = await self._change_lobby(table, change)
        text = "You have left the table."
        return Done(table, text + (f" {table.said[0]} is the host now." if was_host else ""))

    async def start(
        self, match_id: int, user_id: int, *, interaction_id: int | None = None
    ) -> Done:
        """Begin the match; only its host may.

        Raises:
            TableError: not the host, or too few or too many players.
        """
        async with self.locked(match_id):
            table = await self.table(match_id)
            self._need_lobby(table, "start")
            if user_id != table.match.host_id:
                host = next(
                    (escape(s.name) for s in table.seats if s.user_id == table.match.host_id), "the host"
                )
                raise TableError(f"Only the host starts the match; that is {host}.")
            count = len(table.seats)
            self._need_count(table, count)
            seed = self._new_seed()
            options = {**table.options, "colours": [s.colour or "" for s in table.seats]}
            try:
                state, events = start(table.game, count, options, seed=seed)
            except SetupError as error:
                raise TableError(error.text) from error
            except EngineBug as error:
                raise await self._freeze(table, error) from error
            promise = commitment(seed)
            intro = [
                f"**{table.game.meta.title}** begins with {listing(table.said)}.",
                *self._public(table.game, events, table.said),
                f"-# Check of the deal: SHA-256 `{promise[:16]}…`, see `/match verify`.",
            ]
            outbox = [turn_post(intro, fresh=True, owes=table.game.waiting(state))]
            outbox += self._hand_posts(table, None, state, events, everybody=True)
            try:
                await self.store.start_match(
                    match_id,
                    seed=seed,
                    commitment=promise,
                    seats=[
                        NewSeat(s.user_id, s.name, colour)
                        for s, colour in zip(table.seats, state.colours, strict=True)
                    ],
                    log=NewLog("start", state_hash=state_hash(state), actor_id=user_id),
                    snapshot=pack(state),
                    outbox=outbox,
                    interaction_id=interaction_id,
                )
            except DuplicateInteraction:
                raise Repeated from None
            finally:
                self.forget(match_id)
            table = await self.table(match_id)
        log.info("match started", match=match_id, game=table.match.game, seats=count)
        self.wake(match_id)
        return Done(table, "The match has begun.")

    def _need_lobby(self, table: Table, verb: str = "join") -> None:
        if table.match.status == "lobby":
            return
        if verb == "leave" and table.match.open:
            raise TableError(
                "The match has started, so a seat cannot simply be left. The table can call it "
                "off with `/match end`."
            )
        if not table.match.open:
            raise TableError(
                f"That table is closed. Open a new one with `/{table.game.meta.command} new`."
            )
        raise TableError("The match has already started.")

    def _need_count(self, table: Table, count: int) -> None:
        allowed = [table.wanted] if table.wanted else list(table.game.meta.seats)
        if count in allowed:
            return
        more = [n for n in allowed if n > count]
        if more:
            missing = min(more) - count
            people = "player is" if missing == 1 else "players are"
            raise TableError(
                f"{missing} more {people} missing: {table.game.meta.title} here is for "
                f"{seat_words(table.game, table.wanted)}, and {count} "
                f"{'sits' if count == 1 else 'sit'} at the table."
            )
        raise TableError(
            f"Too many players: {table.game.meta.title} here is for "
            f"{seat_words(table.game, table.wanted)}, and {count} sit at the table."
        )

    def _need_colour(self, table: Table, colour: str, seat: Seat | None) -> None:
        taken = {s.colour for s in table.seats if s.colour and s.seat != seat}
        free = [c for c in table.game.meta.colours if c not in taken]
        if colour not in table.game.meta.colours:
            raise TableError(f"There is no colour “{colour}”. Free are {listing(free)}.")
        if colour in taken:
            raise TableError(f"The colour {colour} is taken. Free are {listing(free)}.")

    # ---- moves -------------------------------------------------------------------------------

    async def command(
        self,
        match_id: int,
        user_id: int,
        command: str,
        args: Mapping[str, str],
        *,
        interaction_id: int | None = None,
    ) -> Done:
        """Make the move that a slash command means.

        Raises:
            MoveError: the rules or the words refuse it.
            TableError: the table does.
        """

        def choose(table: Table, seat: Seat) -> tuple[Any, int | None]:
            return surface.resolve(table.game, table.state, seat, command, args)

        return await self._act(match_id, user_id, choose, interaction_id)

    async def move(
        self,
        match_id: int,
        user_id: int,
        move: Any,
        *,
        decision: int | None = None,
        interaction_id: int | None = None,
    ) -> Done:
        """Make a move, for the decision that the mover saw.

        Raises:
            MoveError: the rules refuse it, or the decision is no longer open.
            TableError: the table does.
        """
        return await self._act(match_id, user_id, lambda t, s: (move, decision), interaction_id)

    async def pick(
        self,
        match_id: int,
        user_id: int,
        choose: Callable[[Table, Seat], tuple[Any, int | None]],
        *,
        interaction_id: int | None = None,
    ) -> Done:
        """Make the move that ``choose`` finds at the table under its lock; see :meth:`move`."""
        return await self._act(match_id, user_id, choose, interaction_id)

    async def _act(
        self,
        match_id: int,
        user_id: int,
        choose: Callable[[Table, Seat], tuple[Any, int | None]],
        interaction_id: int | None,
    ) -> Done:
        async with self.locked(match_id):
            table = await self.table(match_id)
            if interaction_id is not None and await self.store.seen_interaction(interaction_id):
                raise Repeated
            self._need_active(table)
            seat = table.need_seat(user_id)
            before = table.state
            try:
                move, decision = choose(table, seat)
                view = table.game.view(before, seat)
                words = self._describe(table.game, view, move)
                played = play(table.game, before, seat, move, decision=decision)
            except MoveError as error:
                raise self._named(error, table) from error
            except EngineBug as error:
                raise await self._freeze(table, error) from error
            await self._commit(table, played, user_id, interaction_id)
        self.wake(match_id)
        private = tuple(
            fill(line, table.said)
            for e in played.events
            if e.to is not None and seat in e.to and (line := table.game.narrate(e))
        )
        return Done(table, f"Done: {words}.", private)

    async def _commit(
        self, table: Table, played: Played, user_id: int | None, interaction_id: int | None
    ) -> None:
        game, before, after = table.game, table.state, played.state
        head = table.match.head_seq
        entries = [
            NewLog(
                "move",
                seat=step.seat,
                decision=step.decision,
                move=msgspec.json.encode(step.move).decode(),
                auto=step.auto,
                reveals=step.reveals,
                state_hash=step.hash,
                actor_id=None if step.auto else user_id,
            )
            for step in played.steps
        ]
        lines = self._public(game, played.events, table.said)
        over = after.ended is not None
        owed = set(game.waiting(before))
        owes = game.waiting(after)
        if over:
            lines += self._result(table, game.outcome(after))
        outbox = [turn_post(lines, fresh=over or bool(set(owes) - owed), owes=owes, over=over)]
        outbox += self._hand_posts(table, before, after, played.events)
        # Undo never crosses a reveal; older snapshots than KEEP are found again by replaying.
        reveals = any(step.reveals for step in played.steps)
        keep = head + len(entries) if reveals else max(0, head - KEEP)
        try:
            await self.store.commit(
                table.match.id,
                head,
                entries,
                pack(after),
                keep_from=keep,
                outbox=outbox,
                interaction_id=interaction_id,
                status="finished" if over else None,
            )
        except DuplicateInteraction:
            raise Repeated from None
        except HeadMoved:
            self.forget(table.match.id)
            raise TableError(MOVED_ON) from None
        except BaseException:
            # Whether it was written is unknown: what counts is in the database.
            self.forget(table.match.id)
            raise
        row = msgspec.structs.replace(table.match, head_seq=head + len(entries))
        if over:
            row = msgspec.structs.replace(row, status="finished", ended_at=self.clock())
        table.match, table.state = row, after
        self._keep(table)

    async def undo(
        self,
        match_id: int,
        user_id: int,
        *,
        head: int | None = None,
        interaction_id: int | None = None,
    ) -> Done:
        """Take back the person's latest step.

        Args:
            match_id: the match.
            user_id: who asks.
            head: newest log entry that the person saw; refused if the table has moved on.
            interaction_id: of the press or command.

        Raises:
            MoveError: it may not be taken back; names the rule.
            TableError: not at this table, or the match is not running.
        """
        async with self.locked(match_id):
            table = await self.table(match_id)
            if interaction_id is not None and await self.store.seen_interaction(interaction_id):
                raise Repeated
            seat = table.need_seat(user_id)
            if head is not None and head != table.match.head_seq:
                raise TableError(
                    "The table has moved on since that board. Use the newest board, or `/match undo`."
                )
            game, before = table.game, table.state
            if before is None or (table.match.open and table.match.status != "active"):
                self._need_active(table)
            try:
                target = undo_target(game, await self.entries(match_id), seat)
            except MoveError as error:
                raise self._named(error, table) from error
            self._need_active(table)
            if not table.match.open:
                raise TableError("The match is over, so nothing can be taken back.")
            blob = await self.store.snapshot(match_id, target)
            old = (
                game.decode_state(blob[1])
                if blob is not None
                else await self._state_at(table, target)
            )
            after = restored(old, before)
            line = f"{table.said[seat]} took back the last step."
            owes = game.waiting(after)
            fresh = bool(set(owes) - set(game.waiting(before)))
            try:
                await self.store.commit(
                    match_id,
                    table.match.head_seq,
                    [
                        NewLog(
                            "undo",
                            seat=seat,
                            target=target,
                            state_hash=state_hash(after),
                            actor_id=user_id,
                        )
                    ],
                    pack(after),
                    keep_from=None,
                    outbox=[turn_post([line], fresh=fresh, owes=owes)]
                    + self._hand_posts(table, before, after, []),
                    interaction_id=interaction_id,
                )
            except DuplicateInteraction:
                raise Repeated from None
            except BaseException:
                self.forget(match_id)
                raise
            table.match = msgspec.structs.replace(table.match, head_seq=table.match.head_seq + 1)
            table.state = after
            self._keep(table)
        self.wake(match_id)
        return Done(table, "Your last step is taken back.")

    # ---- ending ------------------------------------------------------------------------------

    async def end(
        self,
        match_id: int,
        user_id: int,
        *,
        moderator: bool = False,
        interaction_id: int | None = None,
    ) -> Done:
        """Close a lobby (its host), or call a running match off (all its players agree, or somebody
        who may manage the channel decides).

        Raises:
            TableError: the person may not.
        """
        async with self.locked(match_id):
            table = await self.table(match_id)
            if not table.match.open:
                raise TableError("That match is already over.")
            seat = table.seat_of(user_id)
            if moderator or (table.match.status == "lobby" and user_id == table.match.host_id):
                return await self._end(table, user_id, interaction_id, "The match is called off.")
            if seat is None or table.match.status == "lobby":
                raise TableError(
                    "Only the host closes a table before the start."
                    if table.match.status == "lobby"
                    else "Only players of this match, or people who may manage this channel, end it."
                )
            votes = set(table.settings.get("end_votes", ()))
            votes.add(user_id)
            missing = [escape(s.name) for s in table.seats if s.user_id not in votes]
            if not missing:
                return await self._end(
                    table, user_id, interaction_id, "All players agreed to call the match off."
                )
            if user_id in table.settings.get("end_votes", ()):
                raise TableError(f"You have already agreed. Still to agree: {listing(missing)}.")
            settings = {**table.settings, "end_votes": sorted(votes)}
            line = (
                f"{table.said[seat]} would like to call this match off. It ends when "
                f"{listing(missing)} also {'uses' if len(missing) == 1 else 'use'} `/match end`."
            )
            try:
                await self.store.update_settings(
                    match_id,
                    json.dumps(settings),
                    outbox=[notice(line)],
                    interaction_id=interaction_id,
                )
            except DuplicateInteraction:
                raise Repeated from None
            finally:
                self.forget(match_id)
            table = await self.table(match_id)
        self.wake(match_id)
        return Done(table, f"Noted. Still to agree: {listing(missing)}.")

    async def _end(
        self, table: Table, user_id: int, interaction_id: int | None, reason: str
    ) -> Done:
        started = table.state is not None
        lines = [reason] + ([self._seed_line(table)] if started else [])
        try:
            if started:
                await self.store.commit(
                    table.match.id,
                    table.match.head_seq,
                    [NewLog("care", move=json.dumps({"ended": reason}), actor_id=user_id)],
                    None,
                    outbox=[turn_post(lines, fresh=True, owes=(), over=True)],
                    interaction_id=interaction_id,
                    status="ended",
                )
            else:
                await self.store.set_status(
                    table.match.id, "ended", outbox=[lobby_post()], interaction_id=interaction_id
                )
        except DuplicateInteraction:
            raise Repeated from None
        finally:
            self.forget(table.match.id)
        table = await self.table(table.match.id)
        log.info("match ended", match=table.match.id)
        self.wake(table.match.id)
        return Done(table, reason)

    async def _freeze(self, table: Table, error: Exception) -> Frozen:
        report = secrets.token_hex(4)
        log.error(
            "engine bug", match=table.match.id, game=table.match.game, report=report, exc_info=error
        )
        await self.store.freeze(table.match.id, report)
        self.forget(table.match.id)
        return Frozen(report)

    def _need_active(self, table: Table) -> None:
        status = table.match.status
        if status == "active":
            return
        if status == "lobby":
            raise TableError("This match has not started yet. The host starts it with `/match start`.")
        if status == "frozen":
            raise Frozen(table.match.report or "")
        if status == "paused":
            raise TableError("This match is paused.")
        if status == "finished":
            # The engine's own refusal names the rule.
            return
        raise TableError("This match was called off.")

    async def show_again(self, match_id: int, text: str) -> None:
        """Post the match's board (or lobby) anew, e.g. after the channel has lost its messages."""
        async with self.locked(match_id):
            table = await self.table(match_id)
            started = table.state is not None
            row = turn_post([text], fresh=True, owes=table.waiting()) if started else lobby_post()
            await self.store.rebind_channel(match_id, table.match.channel_id, outbox=[row])
            self.forget(match_id)
        self.wake(match_id)

    # ---- records -----------------------------------------------------------------------------

    async def entries(self, match_id: int) -> list[Entry]:
        """The log as the engine's entries, care left out."""
        rows: list[LogRow] = await self.store.log(match_id, since=1)
        return [
            Entry(
                row.seq, row.kind, row.seat, row.move, row.auto, row.reveals, row.target,
                row.state_hash,
            )
            for row in rows
            if row.kind in ("move", "undo", "rollback")
        ]  # type: ignore[arg-type]  # fmt: skip

    async def record(self, match_id: int) -> Record:
        """The whole match, seed included: only for matches that are over.

        Raises:
            TableError: it is still going on, or never started.
        """
        table = await self.table(match_id)
        if table.match.open:
            raise TableError("The record holds the secret seed, so it is given when the match is over.")
        return await self._record(table)

    async def _record(self, table: Table) -> Record:
        if table.match.seed is None:
            raise TableError("This match never started.")
        first = (await self.store.log(table.match.id, since=0))[0]
        return Record(
            table.match.game,
            table.match.rules_version,
            len(table.seats),
            {**table.options, "colours": [s.colour or "" for s in table.seats]},
            table.match.seed,
            first.state_hash,
            tuple(await self.entries(table.match.id)),
        )

    async def _state_at(self, table: Table, seq: int) -> State:
        record = await self._record(table)
        for found, state, _ in replay(table.game, record):
            if found == seq:
                return state
        raise TableError("That point of the match cannot be found.")

    async def public_log(self, table: Table) -> list[str]:
        """Every public sentence of a match, oldest first, from replaying it.

        The replay runs beside the event loop; the record never leaves this process.
        """
        if table.match.seed is None:
            return []
        record = await self._record(table)

        by_seq = {entry.seq: entry for entry in record.entries}

        def tell() -> list[str]:
            lines: list[str] = []
            for seq, _, events in replay(table.game, record):
                entry = by_seq.get(seq)
                if entry is not None and entry.kind != "move" and entry.seat is not None:
                    lines.append(f"{table.said[entry.seat]} took back the last step.")
                lines += self._public(table.game, events, table.said)
            return lines

        return await asyncio.to_thread(tell)

    async def verify(self, match_id: int) -> str:
        """Replay a finished match from its seed and say whether everything fits.

        Raises:
            TableError: the match has not started.
            ReplayMismatch: the record does not fit.
        """
        table = await self.table(match_id)
        if table.match.commitment is None:
            raise TableError("This match has not started yet, so there is no deal to check.")
        if table.match.open:
            return (
                f"SHA-256 of the secret seed, fixed before the deal:\n`{table.match.commitment}`\n"
                "When the match is over the seed is posted, and this command replays every move "
                "from it."
            )
        record = await self._record(table)
        same = commitment(record.seed) == table.match.commitment
        count = await asyncio.to_thread(lambda: sum(1 for _ in replay(table.game, record)) - 1)
        return (
            f"Seed: `{record.seed}`\nIts SHA-256 {'is' if same else '**is not**'} the one posted at "
            f"the start: `{table.match.commitment}`\nReplayed {count} log entries from it: every "
            "position is the recorded one."
        )

    # ---- what the announcer notes ------------------------------------------------------------

    async def board_is(self, table: Table, outbox_id: int, message_id: int) -> None:
        """Note that an outbox row was sent and which message is the match's board now."""
        channel, head = table.match.channel_id, table.match.head_seq
        if not await self.store.sent_board(
            outbox_id, table.match.id, channel, message_id, head
        ):
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
            return "your move"
        return words

    def _result(self, table: Table, outcome: Outcome | None) -> list[str]:
        if outcome is None:
            return []
        lines = ["**Final ranking**"]
        place = 1
        for group in outcome.ranking:
            for seat in group:
                score = outcome.scores[seat]
                parts = ", ".join(f"{label} {points}" for label, points in score.lines)
                tail = f" ({parts})" if parts else ""
                lines.append(f"{place}. **{table.said[seat]}** {score.total}{tail}")
            place += len(group)
        if outcome.note:
            lines.append(fill(outcome.note, table.said))
        lines.append(self._seed_line(table))
        return lines

    def _seed_line(self, table: Table) -> str:
        return f"-# The deal’s seed: `{table.match.seed}`. Check it with `/match verify`."

    def _hand_posts(
        self,
        table: Table,
        before: State | None,
        after: State,
        events: Sequence[Event],
        *,
        everybody: bool = False,
    ) -> list[NewOutbox]:
        """Direct messages to seats whose hand has changed or who were told something."""
        posts = []
        for seat in range(after.seats):
            told = [
                fill(line, table.said)
                for e in events
                if e.to is not None and seat in e.to and (line := table.game.narrate(e))
            ]
            new = table.game.hand(table.game.view(after, seat))
            old = table.game.hand(table.game.view(before, seat)) if before is not None else None
            if (new != old and new is not None) or told or (everybody and new is not None):
                posts.append(
                    NewOutbox("hand", json.dumps({"lines": told}, ensure_ascii=False), seat=seat)
                )
        return posts

    def _named(self, error: MoveError, table: Table) -> MoveError:
        """The same refusal with names in place of seats."""
        error.text = fill(error.text, table.said)
        error.choices = tuple(fill(c, table.said) for c in error.choices)
        return error


def seat_words(game: AnyGame, wanted: int | None = None) -> str:
    """The possible numbers of players in words."""
    if wanted:
        return f"{wanted} player{'s' if wanted > 1 else ''}"
    return f"{listing([str(n) for n in game.meta.seats], 'or')} players"


def turn_post(
    lines: Sequence[str], *, fresh: bool, owes: Sequence[Seat], over: bool = False
) -> NewOutbox:
    """An outbox row for the board: what happened, and whether somebody new is to act."""
    payload = {"what": "turn", "lines": list(lines), "fresh": fresh, "owes": list(owes)}
    if over:
        payload["over"] = True
    return NewOutbox("turn", json.dumps(payload, ensure_ascii=False))


def lobby_post() -> NewOutbox:
    """An outbox row for the lobby's post."""
    return NewOutbox("turn", json.dumps({"what": "lobby"}))


def notice(text: str, mention: Sequence[Seat] = ()) -> NewOutbox:
    """An outbox row for a text in the channel."""
    payload = {"text": text, "mention": list(mention)}
    return NewOutbox("notice", json.dumps(payload, ensure_ascii=False))
