"""Moves and undo: the one path that changes a running match."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from bot.errors import Repeated, TableError
from bot.language import Text, later, tr
from bot.logs import get_logger
from bot.service.base import KEEP
from bot.service.endings import recap_post, result_of
from bot.service.helping import (
    FORCED,
    OWN,
    PLANNED,
    Ended,
    Helped,
    Wishes,
    help_along,
    plan_posts,
    settled,
)
from bot.service.proposal import proposal_of, without_proposal
from bot.service.records import RecordService, taken_back
from bot.service.tables import (
    Done,
    Table,
    fill,
    turn_post,
)
from bot.service.timed import TimedService, rows_of
from engines.core import surface
from engines.core.errors import EngineBug, InvariantError, MoveError
from engines.core.game import QUIET
from engines.core.play import (
    AnyGame,
    Played,
    Step,
    play,
    recent_plan,
    undo_plan,
    undone,
)
from engines.core.types import Seat, pack, state_hash
from storage.errors import AlreadySeated, DuplicateInteraction, HeadMoved
from storage.plans import PlanRow
from storage.records import NewLog, NewOutbox, NewSeat, NewTimer, Status
from storage.results import NewResult

log = get_logger(__name__)


RECENT = 48
"""Newest entries of a log that tell what an undo means, but for rare cases."""

MOVED_ON = later("The table has moved on in this moment. Please try again.")


class MoveService(RecordService, TimedService):
    """Making moves and taking them back."""

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
            before = table.state
            try:
                self._need_active(table)
                seat = table.need_seat(user_id)
                move, decision = choose(table, seat)
                view = table.game.view(before, seat)
                words = self._describe(table.game, view, move)
                played = play(table.game, before, seat, move, decision=decision)
            except (MoveError, TableError) as error:
                await self._need_new(interaction_id)
                raise self._named(error, table) if isinstance(error, MoveError) else error from None
            except EngineBug as error:
                raise await self._freeze(table, error) from error
            more = More()
            gone = table.settings.get("gone", ())
            if user_id in gone:  # back again
                more.settings = {**table.settings, "gone": [u for u in gone if u != user_id]}
            played = await self._commit(table, played, user_id, interaction_id, more)
        self.wake(match_id)
        private = tuple(
            fill(line, table.said)
            for e in played.events
            if e.to is not None and seat in e.to and (line := table.game.narrate(e))
        )
        return Done(table, tr("Done: {what}.", what=words), private)

    async def _need_new(self, interaction_id: int | None) -> None:
        """Before a refusal: what was delivered twice is told so, not that it is no longer legal.
        What is not refused need not be looked up, as the commit takes each id once.

        Raises:
            Repeated: it has been carried out.
        """
        if interaction_id is not None and await self.store.seen_interaction(interaction_id):
            raise Repeated

    async def _commit(
        self,
        table: Table,
        played: Played,
        user_id: int | None,
        interaction_id: int | None,
        more: More,
    ) -> Played:
        """The one commit: log, position, timers, seats and announcements together.

        Args:
            table: the match before; brought up to date.
            played: the new position and the steps that led there, if any.
            user_id: who did it; None for the clock.
            interaction_id: what led to it.
            more: what changes besides.

        Returns:
            The steps, with those of automatic players.
        """
        game, before = table.game, table.state
        head, was = table.match.head_seq, table.match.status
        status = more.status or was
        users = {s.seat: s.user_id for s in table.seats}
        users.update({seat: new.user_id for seat, new in more.seats.items()})
        if status == "active":
            machines = frozenset(seat for seat, user in users.items() if user <= 0)
            wishes = await self._wishes(table, users, more)
            try:
                helped = help_along(
                    game, before, played, wishes, lambda made: automatic(game, made, machines)
                )
            except EngineBug as error:
                raise await self._freeze(table, error) from error
        else:
            helped = Helped(played, (OWN,) * len(played.steps))
        played = helped.played
        after = played.state
        ended = [
            end if isinstance(end.reason, Text) else Ended(end.plan, fill(end.reason, table.said))
            for end in helped.ended
        ]
        entries = [*more.care]
        entries += [
            NewLog(
                "move",
                seat=step.seat,
                decision=step.decision,
                move=msgspec.json.encode(step.move).decode(),
                auto=step.auto,
                reveals=step.reveals,
                state_hash=step.hash,
                apart=step.apart,
                actor_id=actor(step, by, users, user_id),
            )
            for step, by in zip(played.steps, helped.by, strict=True)
        ]
        lines = [*more.intro, *self._public(game, played.events, table.said), *more.outro]
        over = after.ended is not None
        owed = set(game.waiting(before)) if was == "active" else set()
        owes = game.waiting(after) if status == "active" else ()
        if over:
            lines += self._result(table, game.outcome(after))
            status = "finished"
        ping = [
            seat
            for seat in owes
            if more.call or seat not in owed or seat in more.seats or seat in helped.idle
        ]
        if proposal_of(table.settings) is not None and noticed(game, before, played, more):
            # It was made for another position.
            rest = table.settings if more.settings is None else more.settings
            if proposal_of(rest) is not None:
                lines.append(tr("-# The proposal to go back is off, as the match went on."))
            more.settings = without_proposal(rest)
        outbox = [*more.outbox]
        # A private preparation changes nothing that others see: no post betrays its hour.
        if lines or over or set(owes) != owed or any(s.apart != QUIET for s in played.steps):
            fresh = over or bool(ping) or more.fresh
            outbox.append(
                turn_post(lines, fresh=fresh, owes=owes, over=over or more.over, ping=ping)
            )
        outbox += self._hand_posts(table, before, after, played.events, moved=more.seats)
        outbox += plan_posts(game, ended)
        acted = {step.seat for step in played.steps if not step.auto} | more.acted
        timers = await self._timers(
            table,
            after if status in ("active", "paused") else None,
            owed=game.waiting(before),
            seats=more.seats,
            settings=more.settings,
            running=status == "active",
            old=more.timers,
            acted=frozenset(acted),
            passed=frozenset(seat for seat in acted if passed(played.steps, seat)),
            undo=more.undo,
            anew=more.anew,
            extra=more.extra,
        )
        outcome = game.outcome(after) if over else None
        result = more.result
        if outcome is not None:
            rest = table.settings if more.settings is None else more.settings
            result = result_of(table, outcome, more.seats, rest)
        if result is not None:
            outbox.append(recap_post())
        # Undo never crosses a reveal; older snapshots than KEEP are found again by replaying.
        reveals = any(step.reveals for step in played.steps)
        keep = head + len(entries) if reveals else max(0, head - KEEP)
        try:
            await self.store.commit(
                table.match.id,
                head,
                entries,
                pack(after) if after is not before else None,
                keep_from=keep if played.steps else None,
                outbox=outbox,
                interaction_id=interaction_id,
                status=status if status != was else None,
                timers=timers,
                seats=more.seats,
                host_id=more.host,
                settings=json.dumps(more.settings) if more.settings is not None else None,
                result=result,
                settled=settled(ended) if ended else None,
            )
        except DuplicateInteraction:
            raise Repeated from None
        except AlreadySeated:
            raise TableError(tr("That person already sits at this table.")) from None
        except HeadMoved:
            self.forget(table.match.id)
            raise TableError(tr(MOVED_ON)) from None
        except BaseException:
            self.doubt(table.match.id)
            raise
        row = msgspec.structs.replace(table.match, head_seq=head + len(entries), status=status)
        if status in ("finished", "ended"):
            row = msgspec.structs.replace(row, ended_at=self.clock())
        if more.settings is not None:
            row = msgspec.structs.replace(row, settings=json.dumps(more.settings))
        if more.host is not None:
            row = msgspec.structs.replace(row, host_id=more.host)
        if more.seats:
            table.seats = [
                msgspec.structs.replace(
                    s,
                    user_id=more.seats[s.seat].user_id,
                    name=more.seats[s.seat].name,
                    computer=more.seats[s.seat].computer,
                    joined_at=self.clock(),
                )
                if s.seat in more.seats
                else s
                for s in table.seats
            ]
        table.match, table.state, table.timers = row, after, rows_of(table, timers)
        done = {end.plan.id for end in ended}
        table.plans = [
            plan
            for plan in table.plans
            if row.open and plan.id not in done and plan.seat not in more.seats
        ]
        self._keep(table)
        return played

    async def _wishes(self, table: Table, users: Mapping[Seat, int], more: More) -> Wishes:
        """What help the players want in a commit."""
        choices = (more.settings if more.settings is not None else table.settings).get(FORCED, {})
        forced = set()
        for seat, user in users.items():
            if user > 0:
                chosen = choices.get(str(user))
                if chosen if chosen is not None else (await self.prefs(user)).forced:
                    forced.add(seat)
        plans: dict[Seat, list[PlanRow]] = {}
        for plan in table.plans:
            if plan.seat not in more.seats and users.get(plan.seat) == plan.user_id:
                plans.setdefault(plan.seat, []).append(plan)
        rollback = any(entry.kind == "rollback" for entry in more.care)
        if rollback:
            forced.clear()  # the table wanted that very position
        return Wishes(plans, frozenset(forced), frozenset(more.seats), more.undo, rollback)

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
            head: newest log entry that the person saw; refused if the person has acted since.
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
            game, before = table.game, table.state
            if before is None or (table.match.open and table.match.status != "active"):
                self._need_active(table)
            root = max(0, table.match.head_seq - RECENT)
            root = root if head is None else max(0, min(root, head))
            entries = await self.entries(match_id, root)
            unknown = head is not None and head > table.match.head_seq
            if unknown or (
                head is not None and any(e.seq > head and e.seat == seat for e in entries)
            ):
                raise TableError(
                    tr(
                        "The table has moved on since that board. Use the newest one, or "
                        "`/match undo`."
                    )
                )
            try:
                plan = recent_plan(game, entries, root, seat)
                if plan is None:
                    root, entries = 0, await self.entries(match_id)
                    plan = undo_plan(game, entries, seat)
            except MoveError as error:
                raise self._named(error, table) from error
            self._need_active(table)
            if not table.match.open:
                raise TableError(tr("The match is over, so nothing can be taken back."))
            again = [entry for entry in entries if entry.seq in plan.again]
            again.sort(key=lambda entry: plan.again.index(entry.seq))
            try:
                old = await self._state_at(table, plan.to, entries)
                after = undone(game, old, before, again, seat)
            except MoveError as error:
                raise self._named(error, table) from error
            except EngineBug as error:
                raise await self._freeze(table, error) from error
            more = More(
                care=[
                    NewLog(
                        "undo",
                        seat=seat,
                        target=plan.to,
                        again=json.dumps(plan.again) if plan.again else "",
                        state_hash=state_hash(after),
                        actor_id=user_id,
                    )
                ],
                intro=taken_back(table, seat, entries, root),
                undo=seat,
            )
            await self._commit(table, Played(after, ()), user_id, interaction_id, more)
        self.wake(match_id)
        return Done(table, tr("Your last step is taken back."))


class More(msgspec.Struct):
    """What a commit changes besides the position.

    Attributes:
        care: log entries before those of the steps.
        intro, outro: lines of the post before and after what the steps tell; everybody reads them,
            so they are said in the language of the server.
        seats: seats that change hands.
        host: a new host.
        settings: the match's new settings.
        status: its new status.
        outbox: further announcements.
        timers: the timers before it, if they are not those of the table any more.
        undo: who took a step back.
        acted: seats whose turn counts as played, though nobody played it.
        anew: all clocks begin afresh.
        extra: seat → milliseconds that the table grants.
        fresh: a new post, even if nobody new is to act.
        call: everybody who is to act is notified, also who was before.
        over: the match has ended without its last move.
        result: how it ended then.
    """

    care: list[NewLog] = []
    intro: list[Text] = []
    outro: list[Text] = []
    seats: dict[Seat, NewSeat] = {}
    host: int | None = None
    settings: dict[str, Any] | None = None
    status: Status | None = None
    outbox: list[NewOutbox] = []
    timers: list[NewTimer] | None = None
    undo: Seat | None = None
    acted: set[Seat] = set()
    anew: bool = False
    extra: dict[Seat, int] = {}
    fresh: bool = False
    call: bool = False
    over: bool = False
    result: NewResult | None = None


def actor(step: Step, by: str, users: Mapping[Seat, int], user_id: int | None) -> int | None:
    """Who stands behind a step in the log: its player also where a plan or the wish to have only
    moves made was carried out; nobody where the engine or an automatic player moved."""
    if by in (PLANNED, FORCED):
        return users.get(step.seat)
    return None if step.auto else user_id


MOST_AUTOMATIC = 3000
"""Moves of automatic players in a row after which the engine is surely in a loop: alone they end
any match within a third of it (``tests/conformance/test_away.py``)."""


def automatic(game: AnyGame, played: Played, seats: frozenset[Seat]) -> Played:
    """Let the automatic players move, until a person owes a decision or the match is over.

    Raises:
        EngineBug: a move of theirs is refused, or they never end.
    """
    state, steps = played.state, list(played.steps)
    count = 0
    while seats and state.ended is None:
        seat = next((s for s in game.waiting(state) if s in seats), None)
        if seat is None:
            break
        count += 1
        if count > MOST_AUTOMATIC:
            raise InvariantError(f"{game.meta.key}: automatic players do not come to an end")
        try:
            made = play(game, state, seat, game.safest(state, seat))
        except MoveError as error:
            raise InvariantError(
                f"{game.meta.key}: an automatic player's move is refused: {error}"
            ) from error
        state = made.state
        steps += [msgspec.structs.replace(step, auto=True) for step in made.steps]
    return Played(state, tuple(steps))


def noticed(game: AnyGame, before: Any, played: Played, more: More) -> bool:
    """Whether a commit changes anything that everybody can see of the position."""
    if any(entry.kind in ("undo", "rollback") for entry in more.care) and more.intro:
        return True
    if any(event.to is None and game.narrate(event) for event in played.events):
        return True
    return pack(game.view(before, None)) != pack(game.view(played.state, None))


def passed(steps: Sequence[Step], seat: Seat) -> bool:
    """Whether somebody else moved after the seat's own last move."""
    last = max((i for i, step in enumerate(steps) if step.seat == seat), default=-1)
    return last >= 0 and any(step.seat != seat for step in steps[last + 1 :])
