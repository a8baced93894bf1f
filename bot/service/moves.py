"""Moves and undo: the one path that changes a running match."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from bot.errors import Repeated, TableError
from bot.logs import get_logger
from bot.service.base import KEEP
from bot.service.endings import recap_post, result_of
from bot.service.records import RecordService
from bot.service.tables import (
    Done,
    Table,
    fill,
    turn_post,
)
from engines.core import surface
from engines.core.errors import EngineBug, MoveError
from engines.core.game import QUIET
from engines.core.play import (
    Played,
    play,
    undo_plan,
    undone,
)
from engines.core.types import Seat, pack, state_hash
from storage.errors import DuplicateInteraction, HeadMoved
from storage.records import NewLog

log = get_logger(__name__)


MOVED_ON = "The table has moved on in this moment. Please try again."


class MoveService(RecordService):
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
            await self._commit(table, played, user_id, interaction_id)
        self.wake(match_id)
        private = tuple(
            fill(line, table.said)
            for e in played.events
            if e.to is not None and seat in e.to and (line := table.game.narrate(e))
        )
        return Done(table, f"Done: {words}.", private)

    async def _need_new(self, interaction_id: int | None) -> None:
        """Before a refusal: what was delivered twice is told so, not that it is no longer legal.
        What is not refused need not be looked up, as the commit takes each id once.

        Raises:
            Repeated: it has been carried out.
        """
        if interaction_id is not None and await self.store.seen_interaction(interaction_id):
            raise Repeated

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
                apart=step.apart,
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
        outbox = []
        # A private preparation changes nothing that others see: no post betrays its hour.
        if lines or over or set(owes) != owed or any(s.apart != QUIET for s in played.steps):
            fresh = over or bool(set(owes) - owed)
            outbox.append(turn_post(lines, fresh=fresh, owes=owes, over=over))
        outbox += self._hand_posts(table, before, after, played.events)
        outcome = game.outcome(after) if over else None
        if outcome is not None:
            outbox.append(recap_post())
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
                result=result_of(table, outcome) if outcome is not None else None,
            )
        except DuplicateInteraction:
            raise Repeated from None
        except HeadMoved:
            self.forget(table.match.id)
            raise TableError(MOVED_ON) from None
        except BaseException:
            self.doubt(table.match.id)
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
            entries = await self.entries(match_id)
            if head is not None and any(e.seq > head and e.seat == seat for e in entries):
                raise TableError(
                    "The table has moved on since that board. Use the newest one, or `/match undo`."
                )
            try:
                plan = undo_plan(game, entries, seat)
            except MoveError as error:
                raise self._named(error, table) from error
            self._need_active(table)
            if not table.match.open:
                raise TableError("The match is over, so nothing can be taken back.")
            again = [entry for entry in entries if entry.seq in plan.again]
            again.sort(key=lambda entry: plan.again.index(entry.seq))
            try:
                old = await self._state_at(table, plan.to, entries)
                after = undone(game, old, before, again, seat)
            except MoveError as error:
                raise self._named(error, table) from error
            except EngineBug as error:
                raise await self._freeze(table, error) from error
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
                            target=plan.to,
                            again=json.dumps(plan.again) if plan.again else "",
                            state_hash=state_hash(after),
                            actor_id=user_id,
                        )
                    ],
                    pack(after),
                    keep_from=None,
                    outbox=[
                        turn_post([line], fresh=fresh, owes=owes),
                        *self._hand_posts(table, before, after, []),
                    ],
                    interaction_id=interaction_id,
                )
            except DuplicateInteraction:
                raise Repeated from None
            except BaseException:
                self.doubt(match_id)
                raise
            table.match = msgspec.structs.replace(table.match, head_seq=table.match.head_seq + 1)
            table.state = after
            self._keep(table)
        self.wake(match_id)
        return Done(table, "Your last step is taken back.")
