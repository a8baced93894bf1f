"""Absence: clocks, pause, vacation, resignation, substitution."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

import msgspec

from bot.errors import Repeated, TableError
from bot.language import Text, joined, tr, trn
from bot.service.clocks import DAY, LONGEST, Rule, clock_of, find, rule_words
from bot.service.endings import GIVEN_UP, early_result
from bot.service.lobby import LobbyService
from bot.service.moves import More, MoveService
from bot.service.quiet import last_day, read_until
from bot.service.records import early_end
from bot.service.tables import Done, Table, escape, lobby_post, notice, whisper
from engines.core.play import Played
from engines.core.types import Seat
from storage.errors import DuplicateInteraction
from storage.records import NewLog, NewOutbox, NewSeat, NewTimer

COMPUTER = "safest"
"""The engine's simple automatic player."""

VACATION = 30 * DAY
"""Longest vacation at a time."""

VACATIONS = 60 * DAY
"""Vacation of a player in one match, all in all."""


def stamp(ms: int, style: str = "R") -> str:
    """A moment as Discord shows it to each reader in their own time and words."""
    return f"<t:{ms // 1000}:{style}>"


class CareService(LobbyService, MoveService):
    """What keeps a match going while people are away."""

    # ---- settings ----------------------------------------------------------------------------

    async def set_clock(
        self,
        match_id: int,
        user_id: int,
        rule: Rule,
        *,
        moderator: bool = False,
        interaction_id: int | None = None,
    ) -> Done:
        """Change how time is counted; all clocks begin anew.

        Raises:
            TableError: not the host, or no such clock.
        """
        rule = checked_rule(rule)
        async with self.locked(match_id):
            table = await self._fetch(match_id, interaction_id)
            self._need_care(table, user_id, moderator)
            settings = {**table.settings, "clock": msgspec.to_builtins(rule)}
            text = tr("The clock of this match: {clock}.", clock=rule_words(rule))
            if table.state is None:
                await self._settle(table, settings, [lobby_post()], interaction_id)
            else:
                more = More(
                    care=[self._care({"clock": settings["clock"]}, None, user_id)],
                    settings=settings,
                    anew=True,
                    intro=[text],
                )
                await self._commit(table, Played(table.state, ()), user_id, interaction_id, more)
        self.wake(match_id)
        return Done(await self.table(match_id), text)

    async def mute(
        self, match_id: int, user_id: int, on: bool, *, interaction_id: int | None = None
    ) -> Done:
        """Stop or allow reminders of this match for one player.

        Raises:
            TableError: not at this table.
        """
        async with self.locked(match_id):
            table = await self._fetch(match_id, interaction_id)
            table.need_seat(user_id)
            muted = {u for u in table.settings.get("muted", ()) if u != user_id}
            settings = {**table.settings, "muted": sorted(muted | ({user_id} if on else set()))}
            await self._settle(table, settings, [], interaction_id)
        return Done(
            await self.table(match_id),
            tr(
                "I will not remind you of this match any more. Its clock, if it has one, keeps "
                "running."
            )
            if on
            else tr("I will remind you of this match again."),
        )

    async def retime(self, user_id: int) -> None:
        """Plan a person's reminders anew after they have changed their choices."""
        for table in await self.mine(user_id):
            async with self.locked(table.match.id):
                current = await self.table(table.match.id)
                seat = current.seat_of(user_id)
                if seat is None or current.match.status != "active":
                    continue
                timers = await self._timers(
                    current, current.state, owed=current.waiting(), again=frozenset({seat})
                )
                await self._write_timers(current, timers)

    # ---- pause -------------------------------------------------------------------------------

    async def pause(
        self,
        match_id: int,
        user_id: int,
        *,
        moderator: bool = False,
        interaction_id: int | None = None,
    ) -> Done:
        """Halt a match and its clocks: the host decides, other players agree with each other.

        Raises:
            TableError: not running, or no business of this person.
        """
        async with self.locked(match_id):
            table = await self._fetch(match_id, interaction_id)
            if table.match.status == "paused":
                raise TableError(tr("The match is paused already."))
            self._need_active(table)
            self._need_open(table)
            settings = {k: v for k, v in table.settings.items() if k != "pause_votes"}
            if not (moderator or user_id == table.match.host_id):
                seat = table.need_seat(user_id)
                votes = {*table.settings.get("pause_votes", ()), user_id}
                missing = [
                    escape(s.name)
                    for s in table.seats
                    if s.user_id > 0 and s.user_id not in votes
                    and s.user_id not in table.settings.get("gone", ())
                ]  # fmt: skip
                if missing and user_id in table.settings.get("pause_votes", ()):
                    raise TableError(
                        tr(
                            "You have already agreed. Still to agree: {others}.",
                            others=joined(missing),
                        )
                    )
                if missing:
                    settings["pause_votes"] = sorted(votes)
                    line = trn(
                        "{who} would like to pause this match. It pauses when {others} also uses "
                        "`/match pause`, or when the host does.",
                        "{who} would like to pause this match. It pauses when {others} also use "
                        "`/match pause`, or when the host does.",
                        len(missing),
                        who=table.said[seat],
                        others=joined(missing),
                    )
                    await self._settle(table, settings, [notice(line)], interaction_id)
                    self.wake(match_id)
                    return Done(
                        await self.table(match_id),
                        tr("Noted. Still to agree: {others}.", others=joined(missing)),
                    )
            who = self._who(table, user_id)
            more = More(
                care=[self._care({"paused": True}, table.seat_of(user_id), user_id)],
                intro=[
                    tr(
                        "{who} paused the match: no clock runs. `/match resume` lets it go on.",
                        who=who,
                    )
                ],
                settings=settings,
                status="paused",
                fresh=True,
            )
            await self._commit(table, Played(table.state, ()), user_id, interaction_id, more)
        self.wake(match_id)
        return Done(await self.table(match_id), tr("The match is paused, and so are its clocks."))

    async def thaw(self, match_id: int, user_id: int, *, interaction_id: int | None = None) -> Done:
        """Let a match go on that a bug had halted, because that has been put right; its clocks
        begin anew. If it has not been, the next move halts it again.

        Raises:
            TableError: it is not halted.
        """
        async with self.locked(match_id):
            table = await self._fetch(match_id, interaction_id)
            if table.match.status != "frozen":
                raise TableError(tr("That match is not halted."))
            more = More(
                care=[self._care({"thawed": table.match.report}, None, user_id)],
                intro=[tr("The match is no longer halted and goes on.")],
                status="active",
                fresh=True,
                anew=True,
            )
            await self._commit(table, Played(table.state, ()), user_id, interaction_id, more)
        self.wake(match_id)
        return Done(await self.table(match_id), tr("The match goes on."))

    async def resume(
        self,
        match_id: int,
        user_id: int,
        *,
        moderator: bool = False,
        interaction_id: int | None = None,
    ) -> Done:
        """Let a paused match go on; any of its players may.

        Raises:
            TableError: not paused, or no business of this person.
        """
        async with self.locked(match_id):
            table = await self._fetch(match_id, interaction_id)
            if table.match.status != "paused":
                self._need_active(table)
                raise TableError(tr("The match is not paused."))
            if not (moderator or user_id == table.match.host_id):
                table.need_seat(user_id)
            who = self._who(table, user_id)
            more = More(
                care=[self._care({"paused": False}, table.seat_of(user_id), user_id)],
                intro=[tr("{who} lets the match go on.", who=who)],
                status="active",
                fresh=True,
            )
            await self._commit(table, Played(table.state, ()), user_id, interaction_id, more)
        self.wake(match_id)
        return Done(await self.table(match_id), tr("The match goes on."))

    async def vacation(
        self, match_id: int, user_id: int, until: str, *, interaction_id: int | None = None
    ) -> Done:
        """Stop one's own clock until the end of a day; an empty ``until`` ends the vacation.

        Raises:
            TableError: no such day, too long, or one's time is up.
        """
        zone = (await self.prefs(user_id)).zone
        async with self.locked(match_id):
            table = await self._fetch(match_id, interaction_id)
            if table.match.status != "paused":
                self._need_active(table)
            self._need_open(table)
            seat = table.need_seat(user_id)
            now = self.clock()
            old = find(table.timers, seat, "vacation")
            rest = [t for t in table.timers if not (t.seat == seat and t.kind == "vacation")]
            timers = [NewTimer(t.seat, t.kind, t.at, t.data) for t in rest]
            used = dict(table.settings.get("vacation", {}))
            spent = int(used.get(str(user_id), 0))
            if old is not None:
                spent -= max(0, old.at - now)  # what is given back
            if not until.strip():
                if old is None:
                    raise TableError(tr("You are not on vacation in this match."))
                line = tr("{who} is back from vacation.", who=table.said[seat])
                what: dict[str, Any] = {"vacation": None}
                text = tr("Welcome back. Your clock runs again when it is your turn.")
            else:
                end = read_until(until, now, zone)
                if clock_of(find(table.timers, seat, "clock")).up:
                    raise TableError(
                        tr(
                            "Your time is up, so a vacation does not help any more. You may still "
                            "move, or name somebody for your seat with `/match substitute`."
                        )
                    )
                if end - now > VACATION + DAY:
                    raise TableError(
                        trn(
                            "A vacation may last {n} day at most.",
                            "A vacation may last {n} days at most.",
                            VACATION // DAY,
                        )
                    )
                if spent + end - now > VACATIONS + DAY:
                    raise TableError(
                        trn(
                            "You have {n} day of vacation left in this match. If you are away for "
                            "longer, `/match substitute` gives your seat to somebody else.",
                            "You have {n} days of vacation left in this match. If you are away for "
                            "longer, `/match substitute` gives your seat to somebody else.",
                            max(0, VACATIONS - spent) // DAY,
                        )
                    )
                spent += end - now
                timers.append(NewTimer(seat, "vacation", end))
                line = tr(
                    "{who} is on vacation until {day}.",
                    who=table.said[seat],
                    day=last_day(end),
                )
                what = {"vacation": end}
                text = tr(
                    "Your clock stands until {moment}, and no reminders come. You may move all the "
                    "same. `/match vacation` without a date ends it earlier.",
                    moment=stamp(end, "f"),
                )
            used[str(user_id)] = max(0, spent)
            more = More(
                care=[self._care(what, seat, user_id)],
                intro=[line],
                settings={**table.settings, "vacation": used},
                timers=timers,
            )
            await self._commit(table, Played(table.state, ()), user_id, interaction_id, more)
        self.wake(match_id)
        return Done(await self.table(match_id), text)

    # ---- giving up a seat --------------------------------------------------------------------

    async def resign(
        self, match_id: int, user_id: int, *, interaction_id: int | None = None
    ) -> Done:
        """Give up. Of two players the other one wins; among more the seat plays on by itself.

        Raises:
            TableError: not at this table, or the match is not running.
        """
        async with self.locked(match_id):
            table = await self._fetch(match_id, interaction_id)
            self._need_running(table)
            seat = table.need_seat(user_id)
            others = sorted(table.people - {seat})
            if not others:
                return await self._end(
                    table, user_id, interaction_id, tr("Nobody is left at the table.")
                )
            if len(table.seats) == 2:
                await self._win(table, others[0], user_id, interaction_id, "resigned")
                text = tr("You have resigned. Thank you for the game.")
            else:
                why = tr(
                    "{who} has resigned. An automatic player plays on for that seat.",
                    who=table.said[seat],
                )
                await self._automate(table, seat, user_id, interaction_id, why)
                text = tr(
                    "You have resigned. An automatic player finishes your seat for the others."
                )
        self.wake(match_id)
        return Done(await self.table(match_id), text)

    async def _win(
        self,
        table: Table,
        winner: Seat,
        user_id: int | None,
        interaction_id: int | None,
        reason: str,
    ) -> None:
        """End a match of two without its last move."""
        loser = 1 - winner
        why = early_end(reason, table.said[loser], table.said[winner])
        more = More(
            care=[self._care({reason: loser, "ranking": [[winner], [loser]]}, loser, user_id)],
            intro=[why, self._seed_line(table)],
            status="finished",
            settings={**table.settings, "result": {"reason": reason, "ranking": [winner, loser]}},
            fresh=True,
            over=True,
            result=early_result(table, winner, reason),
        )
        await self._commit(table, Played(table.state, ()), user_id, interaction_id, more)

    async def _automate(
        self,
        table: Table,
        seat: Seat,
        user_id: int | None,
        interaction_id: int | None,
        why: Text,
        care: Collection[NewLog] = (),
    ) -> None:
        """Let the engine's automatic player have a seat; ``why`` tells the table."""
        old = table.seats[seat]
        name = f"{old.name[:32]} (auto)"
        entry = {"automatic": seat, "from": old.user_id}
        settings = self._settings_without(table, old.user_id)
        who = {str(seat): [old.user_id, old.name]}
        settings[GIVEN_UP] = {**settings.get(GIVEN_UP, {}), **who}
        more = More(
            care=[*care, self._care(entry, seat, user_id)],
            intro=[why],
            seats={seat: NewSeat(0, name, computer=COMPUTER)},
            host=self._host_without(table, old.user_id),
            settings=settings,
            timers=self._timers_without(table, seat),
        )
        await self._commit(table, Played(table.state, ()), user_id, interaction_id, more)

    async def substitute(
        self,
        match_id: int,
        user_id: int,
        new_id: int,
        new_name: str,
        *,
        seat: Seat | None = None,
        moderator: bool = False,
        interaction_id: int | None = None,
    ) -> Done:
        """Give a seat to somebody else, at once.

        Args:
            match_id: the match.
            user_id: who asks: the seat's own player; or the host or a moderator, for a seat whose
                time is up, whose player has left, or that plays by itself.
            new_id: who takes the seat.
            new_name: their name.
            seat: which seat; None is the own one, or the only one that may be given away.
            moderator: the asker may manage the channel.
            interaction_id: what led to it.

        Raises:
            TableError: not allowed, or that person sits here already.
        """
        async with self.locked(match_id):
            table = await self._fetch(match_id, interaction_id)
            self._need_running(table)
            own = table.seat_of(user_id)
            cares = moderator or user_id == table.match.host_id
            free = self._free_seats(table) if cares else []
            may = sorted({*free, *([own] if own is not None else [])})
            if seat is None and len(may) > 1:
                names = joined([table.said[s] for s in may], "or")
                raise TableError(tr("Say with `seat:` which one you mean: {names}.", names=names))
            if seat is None and may:
                seat = may[0]
            if seat is None or seat not in may:
                raise TableError(
                    tr(
                        "You can hand over your own seat. The host, and people who may manage this "
                        "channel, can hand over a seat whose time is up, whose player has left the "
                        "server, or that an automatic player holds. There is no such seat now."
                    )
                    if not free
                    else trn(
                        "Only {names} can be replaced now.",
                        "Only {names} can be replaced now.",
                        len(free),
                        names=joined([table.said[s] for s in free]),
                    )
                )
            if table.seat_of(new_id) is not None:
                raise TableError(tr("{who} already sits at this table.", who=escape(new_name)))
            old = table.seats[seat]
            settings = self._settings_without(table, old.user_id)
            settings["gone"] = [u for u in settings.get("gone", ()) if u != new_id]
            settings[GIVEN_UP] = {
                s: who for s, who in settings.get(GIVEN_UP, {}).items() if s != str(seat)
            }
            before = table.said[seat]
            owes = seat in table.waiting()
            told = (
                tr("You now play the seat of {old}, and it is your turn.", old=before)
                if owes
                else tr("You now play the seat of {old}.", old=before)
            )
            outbox = [whisper(seat, [told])]
            both = {"new": escape(new_name), "old": before}
            intro = [tr("{new} takes over the seat of {old}.", **both)]
            if not owes:
                line = tr("{new} takes over the seat of {old}.", new=f"<@{new_id}>", old=before)
                outbox.append(notice(line, mention=[seat]))
                intro = []
            entry = {"substitute": seat, "from": old.user_id, "to": new_id}
            more = More(
                care=[self._care(entry, seat, user_id)],
                intro=intro,
                seats={seat: NewSeat(new_id, new_name)},
                host=new_id if old.user_id == table.match.host_id else None,
                settings=settings,
                timers=self._timers_without(table, seat),
                outbox=outbox,
            )
            await self._commit(table, Played(table.state, ()), user_id, interaction_id, more)
        self.wake(match_id)
        return Done(await self.table(match_id), tr("{who} has the seat now.", who=escape(new_name)))

    def _free_seats(self, table: Table) -> list[Seat]:
        """The seats that the host may give to somebody else."""
        gone = table.settings.get("gone", ())
        return [
            s.seat
            for s in table.seats
            if s.user_id <= 0
            or s.user_id in gone
            or clock_of(find(table.timers, s.seat, "clock")).up
        ]

    # ---- small things ------------------------------------------------------------------------

    def _care(self, what: dict[str, Any], seat: Seat | None, user_id: int | None) -> NewLog:
        return NewLog("care", seat=seat, move=json.dumps(what), actor_id=user_id)

    def _who(self, table: Table, user_id: int) -> str:
        seat = table.seat_of(user_id)
        return table.said[seat] if seat is not None else f"<@{user_id}>"

    async def _fetch(self, match_id: int, interaction_id: int | None) -> Table:
        table = await self.table(match_id)
        if interaction_id is not None and await self.store.seen_interaction(interaction_id):
            raise Repeated
        if not table.match.open:
            raise TableError(tr("That match is already over."))
        return table

    def _need_care(self, table: Table, user_id: int, moderator: bool) -> None:
        if not (moderator or user_id == table.match.host_id):
            raise TableError(
                tr(
                    "Only the host of this table, or people who may manage this channel, can "
                    "change that."
                )
            )

    def _need_open(self, table: Table) -> None:
        if not table.match.open:
            raise TableError(tr("That match is already over."))

    def _need_running(self, table: Table) -> None:
        if table.match.status == "lobby":
            raise TableError(
                tr("The match has not started yet. Leave the table with `/match leave`.")
            )
        if table.match.status != "paused":
            self._need_active(table)
        self._need_open(table)

    def _host_without(self, table: Table, user_id: int) -> int | None:
        """Who becomes host when somebody goes, if possible somebody who is still in the server;
        None if nobody has to."""
        if table.match.host_id != user_id:
            return None
        gone = table.settings.get("gone", ())
        rest = [s.user_id for s in table.seats if s.user_id > 0 and s.user_id != user_id]
        return next((user for user in rest if user not in gone), rest[0] if rest else None)

    def _settings_without(self, table: Table, user_id: int) -> dict[str, Any]:
        """The settings without what they say of somebody who goes."""
        settings = dict(table.settings)
        for key in ("gone", "muted", "end_votes", "pause_votes"):
            if key in settings:
                settings[key] = [u for u in settings[key] if u != user_id]
        if "forced" in settings:
            settings["forced"] = {
                u: on for u, on in settings["forced"].items() if u != str(user_id)
            }
        return settings

    def _timers_without(self, table: Table, seat: Seat) -> list[NewTimer]:
        """The timers without the votes of a seat that changes hands."""
        made = []
        for row in table.timers:
            data = row.data
            if row.kind == "clock":
                clock = clock_of(row)
                if str(seat) in clock.votes:
                    clock.votes = {k: v for k, v in clock.votes.items() if k != str(seat)}
                    data = msgspec.json.encode(clock).decode()
            made.append(NewTimer(row.seat, row.kind, row.at, data))
        return made

    async def _settle(
        self,
        table: Table,
        settings: dict[str, Any],
        outbox: list[NewOutbox],
        interaction_id: int | None,
    ) -> None:
        """Write new settings, where nothing else changes."""
        try:
            await self.store.update_settings(
                table.match.id, json.dumps(settings), outbox=outbox, interaction_id=interaction_id
            )
        except DuplicateInteraction:
            raise Repeated from None
        finally:
            self.forget(table.match.id)

    async def _write_timers(
        self, table: Table, timers: list[NewTimer], outbox: Collection[NewOutbox] = ()
    ) -> None:
        """Write new timers, where nothing else changes."""
        try:
            await self.store.set_timers(table.match.id, timers, outbox=list(outbox))
        finally:
            self.forget(table.match.id)


def checked_rule(rule: Rule) -> Rule:
    """A clock that makes sense.

    Raises:
        TableError: hours are missing or out of bounds.
    """
    if rule.kind == "none":
        return Rule()
    if not 1 <= rule.hours <= LONGEST:
        raise TableError(tr("A clock needs `hours:` between 1 and {most}.", most=LONGEST))
    if rule.kind == "move":
        return Rule("move", rule.hours)
    increment = rule.increment if rule.increment else max(1, rule.hours // 10)
    if increment > LONGEST:
        raise TableError(
            trn(
                "The increment may be {n} hour at most.",
                "The increment may be {n} hours at most.",
                LONGEST,
            )
        )
    return Rule("bank", rule.hours, increment)
