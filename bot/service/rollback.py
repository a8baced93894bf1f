"""Going back beyond one's own step: to a chosen point, if all agree whose moves it takes back.

What was revealed stays known, so a return across it is labelled, and everybody at the table has to
agree to it. It is not refused: draws come from the match's seed, so the same ones come again in the
same order, and nobody can try for better ones; all that anybody gains is what all agreed to.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import msgspec

from bot.errors import TableError
from bot.language import Text, joined, later, packed, stacked, tr, trn
from bot.service.care import CareService
from bot.service.clocks import rule_of
from bot.service.history import History, Told, ago, history_of, went_back
from bot.service.moves import MOVED_ON, More
from bot.service.proposal import (
    COUNT,
    Proposal,
    asker,
    missing,
    proposal_of,
    with_proposal,
    without_proposal,
)
from bot.service.tables import Done, Table, fill, notice, whisper
from engines.core.errors import EngineBug, MoveError
from engines.core.play import Entry, Played, Undo, apply_one, restored, rollback_plan, undone
from engines.core.types import Seat, State, state_hash
from storage.errors import ChannelTaken
from storage.records import NewLog, NewOutbox
from storage.store import Store

OFFERED = 25
"""Points that autocompletion shows (Discord limit)."""

LISTED = 1000
"""Characters of the list of moves that would be taken back."""

KEPT = 64
"""Matches whose history is kept in memory, for the next key that somebody presses."""

REVEALED = later(
    "⚠ **Something hidden has been revealed since then.** Everybody keeps what they know, and what "
    "was drawn comes again in the same order."
)


class Return(msgspec.Struct, frozen=True):
    """What going back to a point would mean.

    Attributes:
        place: the point is just before this move, see ``Told.place``; one more than there are
            moves is where the match stands.
        seq: the log entry of that move; None for where the match stands.
        gone: the moves that it takes back, private ones included.
        revealed: something hidden became known by one of them.
        asked: whose agreement it needs, besides that of who asks.
    """

    place: int
    seq: int | None
    gone: tuple[Told, ...]
    revealed: bool
    asked: tuple[Seat, ...]

    @property
    def seen(self) -> list[Told]:
        """The moves of persons that everybody knows of."""
        return [move for move in self.gone if move.place]


class Preview(msgspec.Struct, frozen=True):
    """What somebody sees before proposing to go back.

    Attributes:
        table: the match.
        goal: what it would mean.
        changes: see :class:`History`; the proposal is refused if it is another one by then.
        view: the position there, as that person may see it.
        text: all of it in words.
        at_once: nobody else has to agree.
    """

    table: Table
    goal: Return
    changes: int
    view: Any
    text: str
    at_once: bool


class RollbackService(CareService):
    """Proposing, agreeing and going back."""

    def __init__(self, store: Store, **more: Any) -> None:
        super().__init__(store, **more)
        self._told: OrderedDict[int, tuple[int, History]] = OrderedDict()
        self._telling = asyncio.Semaphore(1)

    # ---- points ------------------------------------------------------------------------------

    async def history(self, table: Table) -> History:
        """What has happened, replayed beside the event loop.

        Raises:
            TableError: the match is halted, and its log does not replay.
        """
        ident, head = table.match.id, table.match.head_seq
        async with self._telling:
            found = self._told.get(ident)
            if found is None or found[0] != head:
                record = await self._record(table)
                times = {row.seq: row.at for row in await self.store.log(ident)}
                try:
                    made = await asyncio.to_thread(history_of, table.game, record, times)
                except EngineBug:
                    if table.match.status != "frozen":
                        raise
                    raise TableError(
                        tr("This match cannot be played again from its log, so there is no way "
                           "back. `/match end` calls it off.")
                    ) from None  # fmt: skip
                found = self._told[ident] = (head, made)
            self._told.move_to_end(ident)
            while len(self._told) > KEPT:
                self._told.popitem(last=False)
            return found[1]

    async def points(
        self, table: Table, user_id: int, *, moderator: bool = False
    ) -> list[tuple[int, str]]:
        """The points that somebody may choose from, newest first: (place, words).

        Raises:
            TableError: this person may not go back here, or nobody may.
        """
        self._need_return(table, user_id, moderator)
        history = await self.history(table)
        now, names = self.clock(), table.names
        found: list[tuple[int, str]] = []
        if table.match.status == "frozen":
            found.append((history.places + 1, tr("where the match stands now")))
        for move in reversed(offered(table, history)):
            back = history.places - move.place + 1
            tail = f" · {ago(now - move.at)}"
            head = trn("{n} move back, before: {what}", "{n} moves back, before: {what}", back,
                       what=move.words(names).replace("**", ""))  # fmt: skip
            room = 100 - len(tail)
            short = head if len(head) <= room else f"{head[: room - 1]}…"
            found.append((move.place, short + tail))
        return found

    async def place_named(
        self, table: Table, user_id: int, text: str, *, moderator: bool = False
    ) -> int:
        """The point that somebody means: its value or words from the list, or how many moves back.

        Raises:
            TableError: there is no such point, or several.
        """
        points = await self.points(table, user_id, moderator=moderator)
        if not points:
            raise TableError(tr("There is no move to take back yet."))
        places = {place for place, _ in points}
        plain = text.strip().casefold()
        number = plain.removeprefix("@")
        if number.isascii() and number.isdecimal() and len(number) < 10:
            history = await self.history(table)
            wanted = int(number) if plain != number else history.places + 1 - int(number)
            if wanted in places:
                return wanted
        elif plain:
            found = [place for place, words in points if words.casefold() == plain]
            found = found or [place for place, words in points if plain in words.casefold()]
            if len(found) == 1:
                return found[0]
        raise TableError(
            tr("Choose the point from the list, or say how many moves back, like `3`.")
        )

    async def preview(
        self, match_id: int, user_id: int, place: int, *, moderator: bool = False
    ) -> Preview:
        """What going back to a point would mean, for one person.

        Raises:
            TableError: this person may not, or there is no such point.
        """
        table = await self.table(match_id)
        self._need_return(table, user_id, moderator)
        history = await self.history(table)
        goal = self._goal(table, history, user_id, place)
        _, state, _ = await self._there(table, goal, None)
        machines = [
            table.said[seat]
            for seat in table.game.waiting(state)
            if table.seats[seat].user_id <= 0
        ]  # fmt: skip
        lines: list[str] = [self._question(table, goal), *told_moves(goal, table.said, LISTED)]
        if goal.revealed:
            lines.append(tr(REVEALED))
        if machines:
            names = joined(machines)
            lines.append(
                tr("From there play goes on at once, automatically, for {names}.", names=names)
            )
        if goal.asked:
            names = joined([table.said[seat] for seat in goal.asked])
            lines.append(tr("To agree: {names}. One refusal is enough to stay.", names=names))
        else:
            lines.append(tr("Nobody else has to agree."))
        lines += self._effects(table, goal)
        lines.append(tr("-# The picture shows how you would see that position."))
        return Preview(
            table,
            goal,
            history.changes,
            table.game.view(state, table.seat_of(user_id)),
            "\n".join(lines),
            not goal.asked,
        )

    # ---- proposing ---------------------------------------------------------------------------

    async def propose(
        self,
        match_id: int,
        user_id: int,
        place: int,
        changes: int,
        *,
        moderator: bool = False,
        interaction_id: int | None = None,
    ) -> Done:
        """Propose to go back, or do it at once if nobody else has to agree.

        Args:
            match_id: the match.
            user_id: who proposes it.
            place: the point, see :class:`Return`.
            changes: of the preview that the person has seen.
            moderator: the person may manage the channel.
            interaction_id: of the press.

        Raises:
            TableError: this person may not, or the match has moved on since the preview.
        """
        async with self.locked(match_id):
            table = await self._fetch(match_id, interaction_id)
            self._need_return(table, user_id, moderator)
            history = await self.history(table)
            if history.changes != changes:
                raise TableError(
                    tr("The table has moved on since then. Please choose the point anew.")
                )
            other = proposal_of(table.settings)
            if other is not None and other.by != user_id and missing(table, other):
                raise TableError(
                    tr(
                        "{who} has proposed to go back already. Answer that proposal first, or "
                        "just play on.",
                        who=asker(table, other),
                    )
                )
            goal = self._goal(table, history, user_id, place)
            if not goal.asked:
                seat = table.seat_of(user_id)
                alone = seat if not goal.revealed and table.match.status == "active" else None
                await self._return(table, goal, user_id, alone, interaction_id)
                text = tr("Done: the match stands where it stood before that.")
            else:
                # The own seat too: if it changes hands, whoever has it then is asked.
                mine = table.seat_of(user_id)
                everyone = {*goal.asked, *([mine] if mine is not None else [])}
                proposal = Proposal(
                    int(table.settings.get(COUNT, 0)) + 1,
                    user_id,
                    goal.place,
                    packed(goal.seen[0].words(table.said)) if goal.seen else "",
                    tuple(sorted(everyone)),
                    (user_id,),
                )
                settings = with_proposal(table.settings, proposal)
                post = self._proposal_post(table, goal, proposal)
                await self._settle(table, settings, [post], interaction_id)
                names = joined([table.said[seat] for seat in missing(table, proposal)])
                text = tr("Proposed. Still to agree: {names}.", names=names)
        self.wake(match_id)
        return Done(await self.table(match_id), text)

    def _proposal_post(self, table: Table, goal: Return, proposal: Proposal) -> NewOutbox:
        waiting = missing(table, proposal)
        lines: list[str] = [self._question(table, goal, asker(table, proposal))]
        lines += told_moves(goal, table.said, LISTED)
        if goal.revealed:
            lines.append(tr(REVEALED))
        lines += self._effects(table, goal)
        names = " ".join(f"<@{table.seats[seat].user_id}>" for seat in waiting)
        lines.append(
            tr(
                "{names}: do you agree? One refusal is enough to stay. The proposal also ends "
                "when somebody plays on.",
                names=names,
            )
        )
        return notice(stacked(*lines), waiting, rollback=proposal.number)

    def _question(self, table: Table, goal: Return, who: str = "") -> Text:
        """What is proposed, and by whom if everybody reads it."""
        if goal.seq is None:
            if who:
                return tr("↩ **{who} proposes to let this halted match go on as it stands.**",
                          who=who)  # fmt: skip
            return tr("**Let this halted match go on as it stands?**")
        count = len(goal.seen)
        if who:
            return trn(
                "↩ **{who} proposes to go back by {n} move.** Taken back would be:",
                "↩ **{who} proposes to go back by {n} moves.** Taken back would be:",
                count,
                who=who,
            )
        return trn(
            "**Go back by {n} move?** Taken back would be:",
            "**Go back by {n} moves?** Taken back would be:",
            count,
        )

    def _effects(self, table: Table, goal: Return) -> list[Text]:
        """What else happens, said whether or not there is anything private."""
        lines = []
        if goal.seq is not None and goal.asked:
            lines.append(tr("-# What anybody has prepared in private since then goes too."))
        if goal.asked and rule_of(table.settings).kind != "none":
            lines.append(tr("-# All clocks begin afresh."))
        return lines

    # ---- answering ---------------------------------------------------------------------------

    async def answer(
        self,
        match_id: int,
        user_id: int,
        number: int,
        agree: bool,
        *,
        interaction_id: int | None = None,
    ) -> Done:
        """Agree to a proposal or refuse it; who made it takes it back by refusing.

        Args:
            match_id: the match.
            user_id: who answers.
            number: of the proposal that the person has seen.
            agree: whether they agree.
            interaction_id: of the press.

        Raises:
            TableError: not asked, or the proposal is settled.
        """
        async with self.locked(match_id):
            table = await self._fetch(match_id, interaction_id)
            proposal = proposal_of(table.settings)
            if proposal is None or proposal.number != number:
                raise TableError(
                    tr("This proposal is settled, or the match went on since. The newest board "
                       "shows where we are.")
                )  # fmt: skip
            if table.match.status != "frozen":
                self._need_active(table)
            seat = table.seat_of(user_id)
            # Who proposed it and has no seat (any more) is a manager, and that in a halted match.
            manager = user_id == proposal.by and table.match.status == "frozen"
            if not manager and (seat is None or seat not in proposal.asked):
                able = [s for s in proposal.asked if s in table.people]
                names = joined([table.said[s] for s in able], "or")
                raise TableError(tr("This is for {names} to answer.", names=names))
            if not agree:
                return await self._refused(table, proposal, user_id, interaction_id)
            new = msgspec.structs.replace(
                proposal, agreed=tuple(dict.fromkeys([*proposal.agreed, user_id]))
            )
            waiting = missing(table, new)
            if waiting and user_id in proposal.agreed:
                names = joined([table.said[s] for s in waiting])
                raise TableError(
                    tr("You have already agreed. Still to agree: {others}.", others=names)
                )
            if waiting:
                settings = with_proposal(table.settings, new)
                await self._settle(table, settings, [], interaction_id)
                names = joined([table.said[s] for s in waiting])
                text = tr("Noted. Still to agree: {others}.", others=names)
            else:
                history = await self.history(table)
                goal = self._goal(table, history, proposal.by, proposal.place, check=False)
                await self._return(table, goal, proposal.by, None, interaction_id, new)
                text = tr("All have agreed: the match stands where it stood before that.")
        self.wake(match_id)
        return Done(await self.table(match_id), text)

    async def _refused(
        self, table: Table, proposal: Proposal, user_id: int, interaction_id: int | None
    ) -> Done:
        who = self._who(table, user_id)
        if user_id == proposal.by:
            line = tr("{who} withdraws the proposal to go back.", who=who)
        else:
            line = tr("{who} would rather stay. The match goes on as it stands.", who=who)
        rest = without_proposal(table.settings)
        await self._settle(table, rest, [notice(line)], interaction_id)
        self.wake(table.match.id)
        return Done(await self.table(table.match.id), tr("The match stays as it is."))

    # ---- going back --------------------------------------------------------------------------

    def _need_return(self, table: Table, user_id: int, moderator: bool) -> None:
        """Whether somebody may go back here: its players in a running match; in one that a bug has
        halted also who may manage the channel.

        Raises:
            TableError: no.
        """
        if not table.match.open:
            raise TableError(tr("The match is over, so nothing can be taken back."))
        if table.match.status == "frozen":
            if not moderator:
                table.need_seat(user_id)
            return
        table.need_seat(user_id)
        self._need_active(table)

    def _goal(
        self, table: Table, history: History, user_id: int, place: int, *, check: bool = True
    ) -> Return:
        """What going back to a place means and who has to agree to it.

        Everybody whose moves it takes back; everybody at the table, where something hidden was
        revealed since, where a bug has halted the match, or where a move is among them whose seat
        nobody is left to speak for.

        Raises:
            TableError: there is no such point.
        """
        me = table.seat_of(user_id)
        halted = table.match.status == "frozen"
        gone = table.settings.get("gone", ())
        here = {seat for seat in table.people if table.seats[seat].user_id not in gone}
        if halted and place == history.places + 1:
            asked = tuple(sorted(here - {me}))
            return Return(place, None, (), False, asked)
        at = next((i for i, move in enumerate(history.moves) if move.place == place), None)
        allowed = {move.place for move in offered(table, history)}
        if place < 1 or at is None or (check and place not in allowed):
            raise TableError(tr("There is no such point (any more). Choose one from the list."))
        taken = history.moves[at:]
        movers = {move.seat for move in taken if move.place}
        closes = any(move.closes for move in taken)
        everybody = closes or halted or not movers - {me} <= here
        asked = tuple(sorted((here if everybody else movers) - {me}))
        revealed = any(move.reveals for move in taken)
        return Return(place, taken[0].seq, taken, revealed, asked)

    async def _there(
        self, table: Table, goal: Return, alone: Seat | None
    ) -> tuple[Undo, State, set[Seat]]:
        """The position that the match goes back to.

        Args:
            table: the match.
            goal: the point.
            alone: who goes back without asking anybody. Then what others have prepared in private
                is made again where that is possible, as an undo does it.

        Returns:
            What to write into the log, the position, and the seats that lose a preparation.

        Raises:
            TableError: the moves before it cannot be made again.
            EngineBug: the log does not replay.
        """
        entries = await self.entries(table.match.id)
        by_seq = {entry.seq: entry for entry in entries}
        if goal.seq is None:
            newest = entries[-1].seq if entries else 0
            return Undo(newest), restored(table.state, table.state), set()
        try:
            plan = rollback_plan(entries, goal.seq)
            old = await self._state_at(table, plan.to, entries)
            again = [by_seq[seq] for seq in plan.again]
            kept, lost = self._kept(table, goal, old, again, by_seq, alone)
            state = undone(table.game, old, table.state, [*again, *kept], alone)
        except MoveError as error:
            raise TableError(
                tr("That point cannot be reached any more. Choose another one.")
            ) from error
        plan = Undo(plan.to, (*plan.again, *(entry.seq for entry in kept)))
        return plan, state, lost

    def _kept(
        self,
        table: Table,
        goal: Return,
        old: State,
        again: Sequence[Entry],
        by_seq: dict[int, Entry],
        alone: Seat | None,
    ) -> tuple[list[Entry], set[Seat]]:
        """Private preparations among the moves taken back: those made again, and whose are lost."""
        private = [move for move in goal.gone if not move.seen and not move.auto]
        if alone is None:
            return [], {move.seat for move in private}
        state = undone(table.game, old, table.state, again, alone)
        kept, lost = [], set()
        for move in private:
            entry = by_seq[move.seq]
            if move.seat == alone:
                lost.add(move.seat)
                continue
            try:
                made = table.game.decode_move(entry.move or "")
                state, _ = apply_one(table.game, state, move.seat, made)
            except (MoveError, EngineBug):
                # It rests on what is taken back.
                lost.add(move.seat)
            else:
                kept.append(entry)
        return kept, lost

    async def _return(
        self,
        table: Table,
        goal: Return,
        user_id: int,
        alone: Seat | None,
        interaction_id: int | None,
        proposal: Proposal | None = None,
    ) -> None:
        """Go back: one commit.

        Args:
            table: the match.
            goal: the point.
            user_id: who proposed it.
            alone: the seat, if it takes back nothing but its own moves.
            interaction_id: of the last agreement.
            proposal: as all agreed to it.
        """
        try:
            plan, after, lost = await self._there(table, goal, alone)
        except EngineBug as error:
            raise await self._freeze(table, error) from error
        what = goal.seen[0].words(table.said) if goal.seen else ""
        intro = [went_back(table.said[alone] if alone is not None else None, what)]
        if proposal is not None:
            intro.append(
                tr("-# Proposed by {who}, and all agreed who were asked.",
                   who=asker(table, proposal))
            )  # fmt: skip
        if goal.revealed:
            intro.append(tr(REVEALED))
        told = tr("The match went back, so what you had prepared in private since then is gone.")
        more = More(
            care=[
                NewLog(
                    "rollback",
                    seat=alone,
                    target=plan.to,
                    again=json.dumps(plan.again) if plan.again else "",
                    state_hash=state_hash(after),
                    actor_id=user_id,
                )
            ],
            intro=intro,
            settings=without_proposal(table.settings),
            status="active" if table.match.status == "frozen" else None,
            outbox=[whisper(seat, [told]) for seat in sorted(lost & table.people)],
            # Who goes back alone gets no time for it; where all agreed, nobody loses any.
            undo=alone,
            anew=alone is None,
            fresh=True,
            call=True,
        )
        try:
            await self._commit(table, Played(after, ()), user_id, interaction_id, more)
        except ChannelTaken:
            raise TableError(tr(MOVED_ON)) from None


def offered(table: Table, history: History) -> list[Told]:
    """The moves before which the match may go back, oldest first: those that everybody noticed and
    a person made who still plays; of a simultaneous step the first one."""
    found: list[Told] = []
    steps: set[str] = set()
    for move in history.moves:
        if not move.place or (move.apart and move.apart in steps):
            continue
        if move.apart:
            steps.add(move.apart)
            same = {m.seat for m in history.moves if m.place and m.apart == move.apart}
        else:
            same = {move.seat}
        if same & table.people:
            found.append(move)
    return found


def told_moves(goal: Return, names: Sequence[str], room: int) -> list[str]:
    """What would be taken back, a line for each thing that everybody heard, oldest first; a long
    list is cut in the middle."""
    lines: list[str] = []
    for move in goal.gone:
        heard = [fill(line, names) for line in move.lines] or [move.words(names)]
        if move.seen:
            lines += [
                tr("- {what}", what=line if len(line) <= 200 else f"{line[:199]}…")
                for line in heard
            ]
    if sum(len(line) + 1 for line in lines) <= room:
        return lines
    head: list[str] = []
    tail: list[str] = []
    left = room
    while len(head) + len(tail) < len(lines):
        line = lines[len(head)] if len(head) <= len(tail) else lines[-1 - len(tail)]
        left -= len(line) + 1
        if left < 0:
            break
        if len(head) <= len(tail):
            head.append(line)
        else:
            tail.insert(0, line)
    cut = len(lines) - len(head) - len(tail)
    return [*head, trn("- … and {n} line more …", "- … and {n} lines more …", cut), *tail]
