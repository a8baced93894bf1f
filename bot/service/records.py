"""What is remembered of a match: log, record, check of the deal."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

from bot.errors import TableError
from bot.language import Text, tr, trn
from bot.logs import get_logger
from bot.service.base import ServiceBase
from bot.service.history import return_line
from bot.service.tables import (
    Table,
)
from engines.core.game import QUIET
from engines.core.play import (
    Entry,
    Record,
    replay,
    standing,
)
from engines.core.rng import commitment
from engines.core.types import Seat, State, state_hash
from storage.records import LogRow

log = get_logger(__name__)


def taken_back(table: Table, seat: Seat, entries: Sequence[Entry], root: int = 0) -> list[Text]:
    """What everybody hears of an undo: nothing, if it took back a private preparation.

    Args:
        table: the match.
        seat: who took a step back.
        entries: the log before the undo, or as much of it as the undo needs.
        root: the entry before them.
    """
    own = [e for e in standing(entries, root) if e.seat == seat and not e.auto]
    if own and own[-1].apart == QUIET:
        return []
    return [tr("{who} took back the last step.", who=table.said[seat])]


class RecordService(ServiceBase):
    """Reading matches back."""

    async def entries(self, match_id: int, after: int = 0) -> list[Entry]:
        """The log as the engine's entries, care left out; with ``after`` those after that one."""
        rows: list[LogRow] = await self.store.log(match_id, since=after + 1)
        return [
            Entry(
                row.seq,
                row.kind,
                row.seat,
                row.move,
                row.auto,
                row.reveals,
                row.target,
                row.state_hash,
                row.apart,
                tuple(json.loads(row.again)) if row.again else (),
            )
            for row in rows
            if row.kind in ("move", "undo", "rollback")
        ]

    async def moves_made(self, table: Table) -> int:
        """How many moves of persons count so far, without those that are theirs alone to know: the
        length of the log would betray private preparations."""
        moves = standing(await self.entries(table.match.id))
        return sum(not entry.auto and entry.apart != QUIET for entry in moves)

    async def record(self, match_id: int) -> Record:
        """The whole match, seed included: only for matches that are over.

        Raises:
            TableError: it is still going on, or never started.
        """
        table = await self.table(match_id)
        if table.match.open:
            raise TableError(
                tr("The record holds the secret seed, so it is given when the match is over.")
            )
        return await self._record(table)

    async def replayable(self, table: Table) -> Record:
        """The whole match, seed included, also while it goes on: for what is drawn or told from it
        as somebody may see it. It must never leave this process.

        Raises:
            TableError: it never started.
        """
        return await self._record(table)

    async def _record(self, table: Table) -> Record:
        if table.match.seed is None:
            raise TableError(tr("This match never started."))
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

    async def _state_at(self, table: Table, seq: int, entries: Sequence[Entry]) -> State:
        """The state after an entry: its snapshot, if that is still kept, else by replaying."""
        kept = await self.store.snapshot(table.match.id, seq)
        hashes = {entry.seq: entry.hash for entry in entries}
        if kept is not None:
            state: State = table.game.decode_state(kept[1])
            if kept[0] == seq or state_hash(state) == hashes.get(seq):
                return state
        record = await self._record(table)

        def find() -> State | None:
            return next((s for found, s, _ in replay(table.game, record) if found == seq), None)

        # Beside the event loop: a long match takes a while.
        found = await asyncio.to_thread(find)
        if found is None:
            raise TableError(tr("That point of the match cannot be found."))
        return found

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
            said: dict[int, list[str]] = {}
            for seq, _, events in replay(table.game, record):
                entry = by_seq.get(seq)
                if entry is not None and entry.kind != "move":
                    earlier = [e for e in record.entries if e.seq < seq]
                    if entry.kind == "rollback":
                        lines.append(return_line(table, earlier, entry, said))
                    elif entry.seat is not None:
                        lines += taken_back(table, entry.seat, earlier)
                said[seq] = self._public(table.game, events, table.said)
                lines += said[seq]
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
            raise TableError(tr("This match has not started yet, so there is no deal to check."))
        if table.match.open:
            return tr(
                "SHA-256 of the secret seed, fixed before the deal:\n`{promise}`\n"
                "When the match is over the seed is posted, and this command replays every move "
                "from it.",
                promise=table.match.commitment,
            )
        record = await self._record(table)
        same = commitment(record.seed) == table.match.commitment
        count = await asyncio.to_thread(lambda: sum(1 for _ in replay(table.game, record)) - 1)
        promise = table.match.commitment
        lines = (
            tr("Seed: `{seed}`", seed=record.seed),
            tr("Its SHA-256 is the one posted at the start: `{promise}`", promise=promise)
            if same
            else tr(
                "Its SHA-256 **is not** the one posted at the start: `{promise}`", promise=promise
            ),
            trn(
                "Replayed {n} log entry from it: every position is the recorded one.",
                "Replayed {n} log entries from it: every position is the recorded one.",
                count,
            ),
        )
        return "\n".join(lines)
