"""What happens when time passes: reminders, time that runs out, the vote on it."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import msgspec

from bot.errors import Frozen, TableError
from bot.language import later, stacked, tr
from bot.logs import get_logger
from bot.service.care import CareService
from bot.service.clocks import (
    DAY,
    HOUR,
    NUDGES,
    Clock,
    Remind,
    Rule,
    clock_of,
    find,
    kept,
    remind_at,
    remind_of,
    rule_of,
    span,
    timer,
)
from bot.service.moves import More
from bot.service.quiet import awake_for, quiet_until
from bot.service.tables import Done, Table, notice
from engines.core.errors import EngineBug, InvariantError, MoveError
from engines.core.game import QUIET
from engines.core.play import AnyGame, Played, Step, play
from engines.core.types import Seat
from storage.records import NewOutbox, TimerRow
from storage.store import Store

log = get_logger(__name__)

CHOICES = ("skip", "wait", "hand", "win")

MOST_DUE = 50
"""Timers of one match that are carried out in one go; the next minute does the rest."""

FAIR = 3 * HOUR
"""Milliseconds outside quiet hours that each voter has at least, if the table grants as much."""

MOST_MATCHES = 200
"""Matches that one tick looks after."""

FORGET = 8 * DAY
"""Milliseconds after which it is forgotten what was sent and which interactions were carried out.
Longer than an announcement is tried again, and far longer than Discord repeats itself."""

REST = 10 * 60 * 1000
"""Milliseconds after which a match whose timers could not be carried out is tried again."""

MOST_SKIPPED = 40
"""Moves made for an absent player in one go."""


class DueService(CareService):
    """Carrying out what the clocks say."""

    def __init__(self, store: Store, **more: Any) -> None:
        super().__init__(store, **more)
        self._resting: dict[int, int] = {}
        self._pruned = 0

    async def tick(self) -> int:
        """Do what is due, match by match; one that fails does not stop the others.

        Returns:
            How many matches had something due.
        """
        now = self.clock()
        if now - self._pruned >= DAY:
            self._pruned = now
            await self.store.prune(now - FORGET)
        # Those that failed lately keep their timers; many of them must not crowd out the others.
        resting = {ident for ident, until in self._resting.items() if until > now}
        self._resting = {ident: self._resting[ident] for ident in resting}
        found = await self.store.timed_matches(now, MOST_MATCHES + len(resting))
        due = [match_id for match_id in found if match_id not in resting]
        for match_id in due:
            try:
                await self.due(match_id)
            except Exception as error:
                self._resting[match_id] = now + REST
                if isinstance(error, Frozen | TableError):
                    log.info("timer put off", match=match_id, reason=str(error))
                else:
                    self.forget(match_id)
                    log.error("timer failed", match=match_id, exc_info=error)
        return len(due)

    async def due(self, match_id: int) -> None:
        """Do what is due in one match."""
        async with self.locked(match_id):
            now = self.clock()
            for _ in range(MOST_DUE):
                table = await self.table(match_id)
                row = next((t for t in table.timers if t.at is not None and t.at <= now), None)
                if row is None:
                    break
                if table.match.status != "active":
                    await self._rest(table)
                elif row.kind == "vacation":
                    await self._back(table, row)
                elif row.kind == "remind":
                    await self._remind(table, row, now)
                else:
                    await self._clock(table, row, now)
        self.wake(match_id)

    async def _rest(self, table: Table) -> None:
        """Let the clocks of a match stand that is not being played."""
        paused = table.match.status == "paused"
        if table.match.status == "frozen":
            # Its clocks begin afresh one day; who is away by then stays away.
            now = self.clock()
            rows = [t for t in kept(table.timers) if t.kind == "vacation" and (t.at or 0) > now]
            await self._write_timers(table, rows)
            return
        timers = await self._timers(
            table,
            table.state if paused else None,
            owed=table.game.waiting(table.state) if paused else (),
            running=False,
        )
        await self._write_timers(table, timers)

    async def _back(self, table: Table, row: TimerRow) -> None:
        """A vacation is over."""
        timers = await self._timers(table, table.state, owed=table.waiting())
        outbox = []
        if row.seat in table.waiting():
            outbox.append(self._reminder(table, row.seat, "back"))
        await self._write_timers(table, timers, outbox)

    async def _remind(self, table: Table, row: TimerRow, now: int) -> None:
        """Send a reminder, or put it off."""
        state, seat = remind_of(row), row.seat
        clock = find(table.timers, seat, "clock")
        rest: list[TimerRow] = [t for t in table.timers if t != row]
        decision = table.state.decision_of(seat)
        if decision is None or decision.id != state.decision or seat not in table.waiting():
            # Left over from a change that did not mind the timers.
            await self._write_timers(
                table, await self._timers(table, table.state, owed=table.waiting())
            )
            return
        user = table.seats[seat].user_id
        prefs = await self.prefs(user)
        until = quiet_until(prefs, now)
        if until is not None:
            late = timer(seat, "remind", until, state)
            await self._write_timers(table, [*kept(rest), late])
            return
        rule = rule_of(table.settings)
        muted = user in table.settings.get("muted", ()) or prefs.hours <= 0
        spent = rule.kind == "none" and state.stage >= NUDGES
        following = Remind(state.decision, state.stage + 1)
        due = clock.at if clock is not None else None
        at = remind_at(
            following, rule if len(table.people) > 1 else type(rule)(),
            clock_of(clock) if clock is not None else None, due, prefs.hours, now,
        )  # fmt: skip
        if at is not None and at <= now:
            # Quiet hours have eaten the time between two: one is enough.
            following = Remind(state.decision, state.stage + 2)
            at = None
        if muted or spent:
            outbox = [NewOutbox("check", "{}", seat=seat)]
        else:
            outbox = [self._reminder(table, seat, str(state.stage))]
        await self._write_timers(table, [*kept(rest), timer(seat, "remind", at, following)], outbox)

    def _reminder(self, table: Table, seat: Seat, stage: str) -> NewOutbox:
        decision = table.state.decision_of(seat)
        payload = {"decision": decision.id if decision else 0, "stage": stage}
        return NewOutbox("reminder", json.dumps(payload), seat=seat)

    async def _clock(self, table: Table, row: TimerRow, now: int) -> None:
        """A seat's time has run out, or the vote on it closes."""
        clock, seat = clock_of(row), row.seat
        decision = table.state.decision_of(seat)
        if decision is None or decision.id != clock.decision or seat not in table.waiting():
            await self._write_timers(
                table, await self._timers(table, table.state, owed=table.waiting())
            )
            return
        if clock.up:
            await self._close(table, seat, clock)
            return
        rule = rule_of(table.settings)
        clock.up, clock.votes = True, {}
        close = timer(seat, "clock", await self._vote_end(table, seat, rule, now), clock)
        timers = [
            *(t for t in kept(table.timers) if t.seat != seat or t.kind == "vacation"),
            close,
        ]
        entry: dict[str, Any] = {"timeout": seat, "decision": decision.id}
        if clock.gone:
            entry["gone"] = True
        more = More(
            care=[self._care(entry, seat, None)],
            outbox=[
                vote_post(table, seat, clock),
                *await self._tell_late(table, seat, clock),
            ],
            timers=timers,
        )
        await self._commit(table, Played(table.state, ()), None, None, more)

    async def _vote_end(self, table: Table, seat: Seat, rule: Rule, now: int) -> int:
        """When a vote closes: what the table grants to who waits, and for each voter some hours
        that are not quiet ones, at most as many. Who is hardly ever awake is waited for a day."""
        ends = [now + rule.extra]
        for voter in table.people - {seat}:
            prefs = await self.prefs(table.seats[voter].user_id)
            awake = awake_for(prefs, now, min(rule.extra, FAIR))
            ends.append(min(awake, now + rule.extra + DAY))
        return max(ends)

    async def _tell_late(self, table: Table, seat: Seat, clock: Clock) -> list[NewOutbox]:
        """Tell somebody that the own time is up, and look whether they are still there."""
        if clock.gone:
            return []
        rows = [NewOutbox("check", "{}", seat=seat)]
        user = table.seats[seat].user_id
        if user not in table.settings.get("muted", ()) and (await self.prefs(user)).hours > 0:
            rows.append(self._reminder(table, seat, "up"))
        return rows

    # ---- the vote ----------------------------------------------------------------------------

    async def vote(
        self,
        match_id: int,
        user_id: int,
        seat: Seat,
        decision: int,
        choice: str,
        *,
        interaction_id: int | None = None,
    ) -> Done:
        """Say what shall happen with a seat whose time is up; the majority of the other persons
        decides.

        Args:
            match_id: the match.
            user_id: who says so.
            seat: whose time is up.
            decision: the decision that was open then.
            choice: skip, wait, hand (over to the automatic player) or, of two players, win.
            interaction_id: of the press.

        Raises:
            TableError: no business of this person, or settled already.
        """
        async with self.locked(match_id):
            table = await self._fetch(match_id, interaction_id)
            self._need_active(table)
            self._need_open(table)
            mine = table.need_seat(user_id)
            clock = open_vote(table, seat, decision)
            if clock is None:
                raise TableError(
                    tr("That is settled already. The newest board shows where we are.")
                )
            if mine == seat:
                raise TableError(
                    tr(
                        "This is for the others to decide. You may still move, as long as they "
                        "have not."
                    )
                )
            if choice not in CHOICES or (choice == "win" and len(table.seats) != 2):
                raise TableError(tr("There is no such choice."))
            clock.votes = {**clock.votes, str(mine): choice}
            done = await self._count(table, seat, clock, user_id, interaction_id)
        self.wake(match_id)
        table = await self.table(match_id)
        if done is not None:
            return Done(table, tr(SETTLED[done]))
        return Done(table, tr(NOTED[choice]))

    async def _count(
        self,
        table: Table,
        seat: Seat,
        clock: Clock,
        user_id: int | None,
        interaction_id: int | None,
    ) -> str | None:
        """Settle a vote if it can be settled, else write it down."""
        voters = table.people - {seat}
        votes = [c for s, c in clock.votes.items() if int(s) in voters]
        counts = Counter(votes)
        best = max(counts.values(), default=0)
        if best * 2 > len(voters):
            choice = next(c for c in CHOICES if counts[c] == best)
        elif len(votes) == len(voters):
            choice = "wait"  # all have spoken and do not agree
        else:
            row = find(table.timers, seat, "clock")
            timers = [t for t in kept(table.timers) if not (t.seat == seat and t.kind == "clock")]
            timers.append(timer(seat, "clock", row.at, clock))
            more = More(
                care=[self._care({"vote": clock.votes, "on": seat}, None, user_id)], timers=timers
            )
            await self._commit(table, Played(table.state, ()), user_id, interaction_id, more)
            return None
        await self._settled(table, seat, clock, choice, user_id, interaction_id)
        return choice

    async def _close(self, table: Table, seat: Seat, clock: Clock) -> None:
        """The time for a vote is over: what most of those want who spoke; if nobody did, the match
        waits on without a word."""
        voters = table.people - {seat}
        counts = Counter(c for s, c in clock.votes.items() if int(s) in voters)
        if not counts:
            rest = [t for t in kept(table.timers) if not (t.seat == seat and t.kind == "clock")]
            await self._write_timers(table, [*rest, timer(seat, "clock", None, clock)])
            return
        best = max(counts.values())
        leaders = [c for c in CHOICES if counts[c] == best]
        choice = leaders[0] if len(leaders) == 1 else "wait"
        await self._settled(table, seat, clock, choice, None, None)

    async def _settled(
        self,
        table: Table,
        seat: Seat,
        clock: Clock,
        choice: str,
        user_id: int | None,
        interaction_id: int | None,
    ) -> None:
        """Carry a decision of the table out."""
        entry = self._care({"settled": choice, "votes": clock.votes, "on": seat}, seat, user_id)
        if choice == "win" and len(table.seats) == 2:
            reason = "left" if clock.gone else "time"
            await self._win(table, 1 - seat, user_id, interaction_id, reason)
            return
        if choice == "hand":
            why = tr(
                "The table has decided: an automatic player plays on for {who}.",
                who=table.said[seat],
            )
            await self._automate(table, seat, user_id, interaction_id, why, [entry])
            return
        if choice == "wait":
            extra = rule_of(table.settings).extra
            more = More(
                care=[entry],
                intro=[tr("{who} gets {time} more.", who=table.said[seat], time=span(extra))],
                extra={seat: extra},
            )
            await self._commit(table, Played(table.state, ()), user_id, interaction_id, more)
            return
        try:
            played = skipped(table.game, table.state, seat)
        except EngineBug as error:
            raise await self._freeze(table, error) from error
        more = More(
            care=[entry],
            intro=[tr("A simple automatic move is made for {who}.", who=table.said[seat])],
            acted={seat},
        )
        await self._commit(table, played, user_id, interaction_id, more)

    # ---- somebody has left the server --------------------------------------------------------

    async def left(self, match_id: int, user_id: int) -> None:
        """Somebody is not in the server any more: as if their time ran out when they are to act."""
        async with self.locked(match_id):
            table = await self.table(match_id)
            seat = table.seat_of(user_id)
            gone = table.settings.get("gone", ())
            if seat is None or user_id in gone or table.match.status not in ("active", "paused"):
                return
            settings = {**table.settings, "gone": [*gone, user_id]}
            intro = []
            if len(table.people) > 1:
                intro = [
                    tr(
                        "{who} has left the server. `/match substitute` gives the seat to somebody "
                        "else.",
                        who=table.said[seat],
                    )
                ]
            more = More(
                care=[self._care({"left": seat}, seat, None)], settings=settings, intro=intro
            )
            await self._commit(table, Played(table.state, ()), None, None, more)
        self.wake(match_id)


NOTED = {
    "skip": later("Noted: skip this turn. The others have not decided yet."),
    "wait": later("Noted: wait. The others have not decided yet."),
    "hand": later("Noted: hand the seat over. The others have not decided yet."),
    "win": later("Noted: take the win. The others have not decided yet."),
}
SETTLED = {
    "skip": later("Settled: a simple automatic move is made."),
    "wait": later("Settled: there is more time."),
    "hand": later("Settled: an automatic player has the seat."),
    "win": later("Settled: the match is over."),
}


def vote_post(table: Table, seat: Seat, clock: Clock) -> NewOutbox:
    """An outbox row for the news that a seat's time is up, with the buttons of the vote."""
    voters = sorted(table.people - {seat})
    who = " ".join(f"<@{table.seats[s].user_id}>" for s in voters)
    late = table.said[seat]
    why = (
        tr("⏳ **{late}** has left the server.", late=late)
        if clock.gone
        else tr("⏳ **{late}** has run out of time.", late=late)
    )
    rule = (
        tr("{who}: you decide what happens.", who=who)
        if len(voters) == 1
        else tr("{who}: the majority of you decides what happens.", who=who)
    )
    lines = [
        tr("{why} {rule}", why=why, rule=rule),
        tr("- **Skip**: a simple automatic move is made for this turn."),
        tr("- **Wait**: {time} more.", time=span(rule_of(table.settings).extra)),
        tr("- **Hand over**: an automatic player has the seat from now on."),
    ]
    if len(table.seats) == 2:
        lines.append(tr("- **Take the win**: the match ends here."))
    if not clock.gone:
        lines.append(tr("-# Until then {late} may still move.", late=late))
    return notice(stacked(*lines), voters, vote=[seat, clock.decision])


def open_vote(table: Table, seat: Seat, decision: int) -> Clock | None:
    """The clock that a vote is open about; None if it is settled, or the match is paused."""
    return standing_vote(table, seat, decision) if table.match.status == "active" else None


def standing_vote(table: Table, seat: Seat, decision: int) -> Clock | None:
    """The same, but a pause does not hide it: the vote goes on after that."""
    if table.match.status not in ("active", "paused"):
        return None
    if table.state is None or seat not in table.game.waiting(table.state):
        return None
    clock = clock_of(find(table.timers, seat, "clock"))
    owed = table.state.decision_of(seat)
    if not clock.up or clock.decision != decision or owed is None or owed.id != decision:
        return None
    return clock


def skipped(game: AnyGame, state: Any, seat: Seat) -> Played:
    """Play an absent seat's turn by the engine's move for such cases: until it owes nothing more,
    somebody else is to act, or the simultaneous step that it was about is over. The steps are
    automatic, and no undo crosses them: the table wanted it so.

    Raises:
        EngineBug: the engine refuses its own move.
    """
    together = ""
    known = {d.id for d in state.pending if d.seat != seat}
    steps: list[Step] = []
    while len(steps) < MOST_SKIPPED and seat in game.waiting(state):
        if steps and any(d.seat != seat and d.id not in known for d in state.pending):
            break
        if any(step.seat != seat for step in steps):
            break
        move = game.skip(state, seat)
        if together and game.apart(state, seat, move) != together:
            break
        try:
            made = play(game, state, seat, move)
        except MoveError as error:
            raise InvariantError(
                f"{game.meta.key}: the move to skip is refused: {error}"
            ) from error
        if not steps and made.steps[0].apart != QUIET:
            together = made.steps[0].apart
        state = made.state
        steps += [msgspec.structs.replace(s, auto=True, reveals=True) for s in made.steps]
    return Played(state, tuple(steps))
