"""What players ask of the automatic help: plans for their next turns, only moves made for them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from bot.errors import Repeated, TableError
from bot.language import tr
from bot.service.care import CareService
from bot.service.helping import (
    FORCED,
    MOST_PLANS,
    Elsewhere,
    ahead,
    find_move,
    need_same,
    plan_words,
    read_plan,
)
from bot.service.tables import Done, Table
from engines.core.errors import AmbiguousMove, MalformedMove, MoveError
from engines.core.types import Seat
from storage.errors import DuplicateInteraction
from storage.plans import NewPlan, PlanRow

ForcedChoice = Literal["on", "off", "default"]


class PlanService(CareService):
    """Planning ahead. Everything here is known to its player alone: no log, no post, no export
    tells of a plan, and what becomes of it is said by direct message."""

    async def plan(
        self,
        match_id: int,
        user_id: int,
        text: str,
        *,
        interaction_id: int | None = None,
    ) -> Done:
        """Plan a move that was typed: ``open tile:louvre/blue``.

        Raises:
            MoveError: the words can never be such a move, or point at nothing now.
            TableError: it is the player's turn, there are too many plans, or the table objects.
        """
        async with self.locked(match_id):
            table = await self._fetch(match_id, interaction_id)
            self._need_running(table)
            seat = table.need_seat(user_id)
            command, args = read_plan(table.game, text)
            plan = self._ahead(table, seat, command, args)
            return await self._plan(table, seat, plan, None, interaction_id)

    async def offer(
        self, match_id: int, user_id: int, command: str, args: Mapping[str, str], error: MoveError
    ) -> int | None:
        """Keep refused words for a button that plans them, where that makes sense: it is not the
        player's turn, and the words can be such a move.

        Returns:
            The number for the button; None if no plan can be made of them.
        """
        if isinstance(error, AmbiguousMove | MalformedMove):
            return None
        async with self.locked(match_id):
            table = await self.table(match_id)
            seat = table.seat_of(user_id)
            if table.match.status != "active" or seat is None or self._due(table, seat):
                return None
            if len(self._mine(table, user_id)) >= MOST_PLANS:
                return None
            try:
                plan = self._ahead(table, seat, command, args)
            except MoveError:
                return None
            return await self.store.add_plan(match_id, plan, "offered")

    async def accept(
        self, match_id: int, user_id: int, offer: int, *, interaction_id: int | None = None
    ) -> Done:
        """Make a plan of an offer; if the turn has come meanwhile, make the move.

        Raises:
            MoveError: the words have come to mean something else, or the rules refuse the move.
            TableError: the offer is gone, there are too many plans, or the table objects.
        """
        async with self.locked(match_id):
            table = await self._fetch(match_id, interaction_id)
            self._need_running(table)
            seat = table.need_seat(user_id)
            rows = await self.store.plans_of(match_id, user_id)
            row = next((r for r in rows if r.id == offer and r.status == "offered"), None)
            if row is None or row.seat != seat:
                raise TableError(
                    tr("This button has been used, or it is too old. Give the command again.")
                )
            if not self._due(table, seat):
                plan = self._ahead(table, seat, row.command, json.loads(row.args))
                if plan.meaning != row.meaning:
                    raise TableError(
                        tr(
                            "The table has changed since you gave that command: it meant "
                            "“{before}”, and now that is “{now}”. Give the command again if you "
                            "still want it.",
                            before=row.meaning or "–",
                            now=plan.meaning or "–",
                        )
                    )
                return await self._plan(table, seat, plan, offer, interaction_id)
            self._need_active(table)
            # Used up before the move is made: a second press must not do it, or plan it, again.
            await self.store.drop_plans(match_id, user_id, offer)

        def choose(table: Table, seat: Seat) -> tuple[Any, int | None]:
            try:
                need_same(table.game, table.state, seat, row)
            except Elsewhere as error:
                raise Elsewhere("", tr("Not done: {why}.", why=error.text)) from None
            found = find_move(table.game, table.state, seat, row.command, json.loads(row.args))
            return found, None

        return await self.pick(match_id, user_id, choose, interaction_id=interaction_id)

    async def _plan(
        self,
        table: Table,
        seat: Seat,
        plan: NewPlan,
        offer: int | None,
        interaction_id: int | None,
    ) -> Done:
        """Write a plan down; the lock is held."""
        if self._due(table, seat):
            raise TableError(
                tr(
                    "It is your turn, so you need no plan: use `/{game} {command}` or the button "
                    "**My move**.",
                    game=table.game.meta.command,
                    command=plan.command,
                )
            )
        if len(self._mine(table, plan.user_id)) >= MOST_PLANS:
            raise TableError(
                tr(
                    "You have {n} plans in this match, and there is no room for more. "
                    "`/match plans` shows and cancels them.",
                    n=MOST_PLANS,
                )
            )
        try:
            await self.store.add_plan(
                table.match.id, plan, offer=offer, interaction_id=interaction_id
            )
        except DuplicateInteraction:
            raise Repeated from None
        finally:
            self.forget(table.match.id)
        table = await self.table(table.match.id)
        words = plan_words(table.game, plan)
        count = len(self._mine(table, plan.user_id))
        lines = [
            tr("Planned: `{plan}`.", plan=words)
            if count == 1
            else tr("Planned after what you have planned before: `{plan}`.", plan=words)
        ]
        if plan.meaning:
            lines.append(tr("It stands for: {what}.", what=plan.meaning))
        lines.append(
            tr(
                "It is done as soon as it is your turn, if it is then allowed and still means the "
                "same; if not, all your plans here are cancelled and you are told why. Nobody else "
                "sees it. `/match plans` shows and cancels plans."
            )
        )
        return Done(table, "\n".join(lines))

    async def plans(self, match_id: int, user_id: int) -> tuple[list[PlanRow], list[PlanRow]]:
        """Somebody's own plans in order, and those that were cancelled lately.

        Raises:
            TableError: not at this table.
        """
        table = await self.table(match_id)
        table.need_seat(user_id)
        rows = await self.store.plans_of(match_id, user_id)
        return (
            [row for row in rows if row.status == "standing"],
            [row for row in rows if row.status == "cancelled"],
        )

    async def unplan(
        self,
        match_id: int,
        user_id: int,
        plan_id: int | None,
        *,
        interaction_id: int | None = None,
    ) -> Done:
        """Cancel one of one's own plans, or (None) all.

        Raises:
            TableError: there is no such plan any more.
        """
        async with self.locked(match_id):
            try:
                count = await self.store.drop_plans(
                    match_id, user_id, plan_id, interaction_id=interaction_id
                )
            except DuplicateInteraction:
                raise Repeated from None
            finally:
                self.forget(match_id)
            table = await self.table(match_id)
            if not count:
                raise TableError(
                    tr("That plan is not there any more: it was carried out or cancelled.")
                )
            text = tr("Cancelled.") if plan_id is not None else tr("All your plans are cancelled.")
            return Done(table, text)

    async def set_forced(
        self,
        match_id: int,
        user_id: int,
        choice: ForcedChoice,
        *,
        interaction_id: int | None = None,
    ) -> Done:
        """Let only moves be made for a player in one match, or not; ``default`` follows
        ``/settings``.

        Raises:
            TableError: not at this table, or the match is over.
        """
        async with self.locked(match_id):
            table = await self._fetch(match_id, interaction_id)
            table.need_seat(user_id)
            chosen = {
                user: on
                for user, on in table.settings.get(FORCED, {}).items()
                if user != str(user_id)
            }
            if choice != "default":
                chosen[str(user_id)] = choice == "on"
            settings = {**table.settings, FORCED: chosen}
            await self._settle(table, settings, [], interaction_id)
            table = await self.table(match_id)
        on = chosen.get(str(user_id))
        if on is None:
            on = (await self.prefs(user_id)).forced
        return Done(table, forced_on() if on else forced_off())

    # ---- small things ------------------------------------------------------------------------

    def _due(self, table: Table, seat: Seat) -> bool:
        """Whether the seat owes a decision, paused or not."""
        return table.state is not None and seat in table.game.waiting(table.state)

    def _mine(self, table: Table, user_id: int) -> list[PlanRow]:
        return [plan for plan in table.plans if plan.user_id == user_id]

    def _ahead(self, table: Table, seat: Seat, command: str, args: Mapping[str, str]) -> NewPlan:
        user_id = table.seats[seat].user_id
        before = self._mine(table, user_id)
        try:
            words, meaning = ahead(table.game, table.state, seat, command, args, before)
        except MoveError as error:
            raise self._named(error, table) from error
        packed = json.dumps(words, ensure_ascii=False)
        return NewPlan(seat, user_id, command, packed, meaning)


def forced_on() -> str:
    """What the help with only moves does."""
    return tr(
        "From your next decision on, moves are made for you where you have only one, and where "
        "everybody can see that. The others may notice that you had no choice. A step that you "
        "take back is not made again by itself."
    )


def forced_off() -> str:
    """What being without it means."""
    return tr("You make all your moves yourself, also where there is only one.")
