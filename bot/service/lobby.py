"""Before and after a match: open, join, leave, start, end."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from bot.errors import Repeated, TableError
from bot.language import Text, joined, tr, trn
from bot.logs import get_logger
from bot.service.clocks import Rule
from bot.service.tables import (
    Done,
    Table,
    escape,
    lobby_post,
    notice,
    seat_words,
    turn_post,
)
from bot.service.timed import TimedService
from engines.core.errors import EngineBug, SetupError
from engines.core.play import (
    start,
)
from engines.core.registry import game as find_game
from engines.core.rng import commitment
from engines.core.types import Seat, pack, state_hash
from storage.errors import ChannelTaken, DuplicateInteraction
from storage.records import NewLog, NewSeat

log = get_logger(__name__)


FORGOTTEN = 24 * 3600 * 1000
"""Milliseconds after which a table that has not started is not its host's alone any more: one whose
host is gone must not block the channel."""


class LobbyService(TimedService):
    """Opening, filling, starting and ending tables."""

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
        clock: Rule | None = None,
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
            raise TableError(
                tr(
                    "{game} is for {players}, not {n}.",
                    game=game.meta.title,
                    players=seat_words(game),
                    n=seats,
                )
            )
        if colour is not None and colour not in game.meta.colours:
            raise TableError(tr("The colours are {colours}.", colours=joined(game.meta.colours)))
        settings: dict[str, Any] = {"seats": seats} if seats else {}
        if clock is not None and clock.kind != "none":
            settings["clock"] = msgspec.to_builtins(clock)
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
                    settings=json.dumps(settings),
                    outbox=[lobby_post()],
                    interaction_id=interaction_id,
                )
            except ChannelTaken:
                taken = await self.need(channel_id)
                raise TableError(
                    tr(
                        "A match of {game} is already open in this channel, and a channel holds "
                        "one table. Finish that match, end it with `/match end`, or open a thread "
                        "for the new one.",
                        game=taken.game.meta.title,
                    )
                ) from None
            except DuplicateInteraction:
                raise Repeated from None
        log.info("match created", match=match_id, game=game.meta.key)
        self.wake(match_id)
        table = await self.table(match_id)
        return Done(
            table,
            trn(
                "The table for {game} is open. Others join with the button or `/match join`; you "
                "start with `/match start` when {players} is there.",
                "The table for {game} is open. Others join with the button or `/match join`; you "
                "start with `/match start` when {players} are there.",
                seats or max(game.meta.seats),
                game=game.meta.title,
                players=seat_words(game, seats),
            ),
        )

    async def _change_lobby(self, table: Table, change: Callable[[], Any]) -> Table:
        try:
            await change()
        except DuplicateInteraction:
            raise Repeated from None
        finally:
            self.doubt(table.match.id)
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
                    trn(
                        "The table is full: {n} of {most} seats is taken.",
                        "The table is full: {n} of {most} seats are taken.",
                        len(table.seats),
                        most=most,
                    )
                )
            if colour is not None:
                self._need_colour(table, colour, seat)
            if seat is not None and colour in (None, table.seats[seat].colour):
                raise TableError(tr("You already sit at this table."))

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
        text: str = tr("You sit at the table ({n} of {most}).", n=len(table.seats), most=most)
        if colour:
            chosen = tr("Your colour is {colour}.", colour=colour)
            text = f"{text} {chosen}"
        return Done(table, text)

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
                return await self._end(table, user_id, interaction_id, tr("Everybody has left."))

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
        if was_host:
            text = tr("You have left the table. {who} is the host now.", who=table.said[0])
        else:
            text = tr("You have left the table.")
        return Done(table, text)

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
                    (escape(s.name) for s in table.seats if s.user_id == table.match.host_id),
                    f"<@{table.match.host_id}>",
                )
                raise TableError(tr("Only the host starts the match; that is {host}.", host=host))
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
                tr(
                    "**{game}** begins with {players}.",
                    game=table.game.meta.title,
                    players=joined(table.said),
                ),
                *self._public(table.game, events, table.said),
                tr(
                    "-# Proof that the deal is fair: SHA-256 `{promise}…`, see `/match verify`.",
                    promise=promise[:16],
                ),
            ]
            outbox = [turn_post(intro, fresh=True, owes=table.game.waiting(state), first=True)]
            outbox += self._hand_posts(table, None, state, events, everybody=True)
            timers = await self._timers(table, state, owed=())
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
                    timers=timers,
                )
            except DuplicateInteraction:
                raise Repeated from None
            finally:
                self.doubt(match_id)
            table = await self.table(match_id)
        log.info("match started", match=match_id, game=table.match.game, seats=count)
        self.wake(match_id)
        return Done(table, tr("The match has begun."))

    def _need_lobby(self, table: Table, verb: str = "join") -> None:
        if table.match.status == "lobby":
            return
        if verb == "leave" and table.match.open:
            raise TableError(
                tr(
                    "The match has started, so a seat cannot simply be left. The table can call it "
                    "off with `/match end`."
                )
            )
        if not table.match.open:
            raise TableError(
                tr(
                    "That table is closed. Open a new one with `/{command} new`.",
                    command=table.game.meta.command,
                )
            )
        raise TableError(tr("The match has already started."))

    def _need_count(self, table: Table, count: int) -> None:
        allowed = [table.wanted] if table.wanted else list(table.game.meta.seats)
        if count in allowed:
            return
        more = [n for n in allowed if n > count]
        rule = trn(
            "{game} here is for {players}, and {n} sits at the table.",
            "{game} here is for {players}, and {n} sit at the table.",
            count,
            game=table.game.meta.title,
            players=seat_words(table.game, table.wanted),
        )
        if more:
            missing = trn(
                "{n} more player is missing", "{n} more players are missing", min(more) - count
            )
            raise TableError(f"{missing}: {rule}")
        raise TableError(tr("Too many players: {rule}", rule=rule))

    def _need_colour(self, table: Table, colour: str, seat: Seat | None) -> None:
        taken = {s.colour for s in table.seats if s.colour and s.seat != seat}
        free = [c for c in table.game.meta.colours if c not in taken]
        if colour not in table.game.meta.colours:
            raise TableError(
                tr(
                    "There is no colour “{colour}”. Free are {free}.",
                    colour=colour,
                    free=joined(free),
                )
            )
        if colour in taken:
            raise TableError(
                tr(
                    "The colour {colour} is taken. Free are {free}.",
                    colour=colour,
                    free=joined(free),
                )
            )

    async def end(
        self,
        match_id: int,
        user_id: int,
        *,
        moderator: bool = False,
        interaction_id: int | None = None,
    ) -> Done:
        """Close a lobby (its host, or after a day whoever sits at it), or call a running match off
        (all its players agree, or somebody who may manage the channel decides; once they have all
        left the server, anybody may).

        Raises:
            TableError: the person may not.
        """
        async with self.locked(match_id):
            table = await self.table(match_id)
            if not table.match.open:
                raise TableError(tr("That match is already over."))
            seat = table.seat_of(user_id)
            forgotten = self.clock() - table.match.created_at >= FORGOTTEN and seat is not None
            host = user_id == table.match.host_id or forgotten
            if moderator or (table.match.status == "lobby" and host):
                return await self._end(
                    table, user_id, interaction_id, tr("The match is called off.")
                )
            gone = table.settings.get("gone", ())
            people = [s for s in table.seats if s.user_id > 0 and s.user_id not in gone]
            if not people:
                # Its channel would be taken for ever.
                return await self._end(
                    table, user_id, interaction_id, tr("All its players have left the server.")
                )
            if seat is None or table.match.status == "lobby":
                raise TableError(
                    tr(
                        "Only the host closes a table before the start. A day after it was opened, "
                        "anybody who sits at it may."
                    )
                    if table.match.status == "lobby"
                    else tr("Only its players, or people who may manage this channel, end a match.")
                )
            votes = set(table.settings.get("end_votes", ()))
            votes.add(user_id)
            missing = [escape(s.name) for s in people if s.user_id not in votes]
            if not missing:
                return await self._end(
                    table, user_id, interaction_id, tr("All players agreed to call the match off.")
                )
            if user_id in table.settings.get("end_votes", ()):
                raise TableError(
                    tr(
                        "You have already agreed. Still to agree: {others}.",
                        others=joined(missing),
                    )
                )
            settings = {**table.settings, "end_votes": sorted(votes)}
            line = trn(
                "{who} would like to call this match off. It ends when {others} also uses "
                "`/match end`.",
                "{who} would like to call this match off. It ends when {others} also use "
                "`/match end`.",
                len(missing),
                who=table.said[seat],
                others=joined(missing),
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
                self.doubt(match_id)
            table = await self.table(match_id)
        self.wake(match_id)
        return Done(table, tr("Noted. Still to agree: {others}.", others=joined(missing)))

    async def _end(
        self, table: Table, user_id: int, interaction_id: int | None, reason: Text
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
                    timers=(),
                )
            else:
                await self.store.set_status(
                    table.match.id, "ended", outbox=[lobby_post()], interaction_id=interaction_id
                )
        except DuplicateInteraction:
            raise Repeated from None
        finally:
            self.doubt(table.match.id)
        table = await self.table(table.match.id)
        log.info("match ended", match=table.match.id)
        self.wake(table.match.id)
        return Done(table, reason)

    async def show_again(self, match_id: int, text: Text) -> None:
        """Post the match's board (or lobby) anew, e.g. after the channel has lost its messages."""
        async with self.locked(match_id):
            table = await self.table(match_id)
            started = table.state is not None
            row = turn_post([text], fresh=True, owes=table.waiting()) if started else lobby_post()
            await self.store.rebind_channel(match_id, table.match.channel_id, outbox=[row])
            self.doubt(match_id)
        self.wake(match_id)
