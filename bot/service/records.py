"""What is remembered of a match: log, record, check of the deal."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

from bot.errors import TableError
from bot.language import Text, tr, trn
from bot.logs import get_logger
from bot.service.base import ServiceBase
from bot.service.clocks import rule_of, rule_words
from bot.service.history import return_line
from bot.service.quiet import last_day
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


def care_lines(table: Table, rows: Sequence[LogRow]) -> dict[int, str]:
    """What everybody heard of that was no move, by its entry in the log.

    Args:
        table: the match.
        rows: the log's entries of kind ``care``, oldest first.
    """
    told = [(row, json.loads(row.move or "{}")) for row in rows]
    # Who has given the seat up since is named by a mention, as the table knows the name no more.
    names = list(table.said)
    for _, what in reversed(told):
        for kind in ("substitute", "automatic"):
            if kind in what and what["from"] > 0:
                names[what[kind]] = f"<@{what['from']}>"
    lines: dict[int, str] = {}
    for row, what in told:
        lines[row.seq] = care_line(names, row, what)
        if "substitute" in what:
            names[what["substitute"]] = f"<@{what['to']}>"
    return lines


def care_line(names: Sequence[str], row: LogRow, what: Mapping[str, Any]) -> str:
    """What everybody heard of something that was no move; empty for what nobody was told of.

    Args:
        names: by seat, as they were then.
        row: the entry.
        what: what it says.
    """
    kind = next(iter(what), "")
    seat = what.get("on", row.seat)
    who = names[seat] if seat is not None else ""
    actor, old = (f"<@{user}>" for user in (row.actor_id, what.get("from")))
    if kind == "settled":
        return {
            "skip": tr("A simple automatic move is made for {who}.", who=who),
            "wait": tr("The table gives {who} more time.", who=who),
        }.get(str(what[kind]), "")
    if kind == "vacation":
        if what[kind] is None:
            return tr("{who} is back from vacation.", who=who)
        day = last_day(what[kind])
        return tr("{who} is on vacation until {day}.", who=who, day=day)
    if kind == "paused":
        if what[kind]:
            return tr("{who} paused the match.", who=actor)
        return tr("{who} lets the match go on.", who=actor)
    if kind == "clock":
        rule = rule_of({"clock": what[kind]})
        return tr("The clock of this match: {clock}.", clock=rule_words(rule))
    if kind == "substitute":
        new = f"<@{what['to']}>"
        if what["from"] <= 0:
            return tr("{new} takes over the seat of an automatic player.", new=new)
        return tr("{new} takes over the seat of {old}.", new=new, old=old)
    if kind in ("resigned", "time", "left") and "ranking" in what:
        winner = what["ranking"][0][0]
        return str(early_end(kind, who, names[winner]))
    told = {
        # Who has left the server: that was told before.
        "timeout": "" if "gone" in what else tr("{who} has run out of time.", who=who),
        "automatic": tr("An automatic player has the seat of {old} from here on.", old=old),
        "left": tr("{who} has left the server.", who=who),
        "returned": tr("{who} is back.", who=who),
        "thawed": tr("The match is no longer halted and goes on."),
        "ended": tr("The match is called off."),
    }
    return told.get(kind, "")


def early_end(reason: str, loser: str, winner: str) -> Text:
    """How a match of two ended before its last move, in a sentence."""
    names = {"loser": loser, "winner": winner}
    if reason == "resigned":
        return tr("**{loser}** resigned, so **{winner}** wins.", **names)
    if reason == "left":
        return tr("**{loser}** has left the server, so **{winner}** wins.", **names)
    return tr("**{loser}** ran out of time, so **{winner}** wins.", **names)


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
        """Every public sentence of a match, oldest first, from replaying it, with what the table
        decided in between.

        The replay runs beside the event loop; the record never leaves this process.
        """
        if table.match.seed is None:
            return []
        record = await self._record(table)
        rows = await self.store.log(table.match.id)
        care = [row for row in rows if row.kind == "care" and row.seq <= table.match.head_seq]
        decided = care_lines(table, care)

        by_seq = {entry.seq: entry for entry in record.entries}

        def tell() -> list[str]:
            lines: list[str] = []
            said: dict[int, list[str]] = {}
            for seq, _, events in replay(table.game, record):
                while care and care[0].seq < seq:
                    lines.append(decided[care.pop(0).seq])
                entry = by_seq.get(seq)
                if entry is not None and entry.kind != "move":
                    earlier = [e for e in record.entries if e.seq < seq]
                    if entry.kind == "rollback":
                        lines.append(return_line(table, earlier, entry, said))
                    elif entry.seat is not None:
                        lines += taken_back(table, entry.seat, earlier)
                said[seq] = self._public(table.game, events, table.said)
                lines += said[seq]
            lines += [decided[row.seq] for row in care]
            return [line for line in lines if line]

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
