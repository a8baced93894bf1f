"""A match put into a given position, and somebody who watches what each deed makes public."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from bot.posts import payload_of
from bot.service import Table, fill
from bot.service.clocks import Rule
from bot.service.moves import More
from engines.core.play import Played, apply_one
from engines.core.types import state_hash
from storage.records import NewLog, OutboxRow
from tests.care.desk import Desk
from tests.care.positions import Position

PEOPLE = ("Ada", "Bruno", "Carla", "Dario", "Elena")


class Watch:
    """Looks at every deed from outside: from the log, the outbox and the rules alone."""

    def __init__(self, d: Desk) -> None:
        self.d = d
        self.last = 0
        self.public: list[str] = []
        """Every public text so far."""

    async def rows(self) -> list[OutboxRow]:
        """What was written to the outbox since it was last asked."""
        found = [r for r in await self.d.store.pending_outbox(self.d.match) if r.id > self.last]
        self.last = max([self.last, *(r.id for r in found)])
        return found

    @asynccontextmanager
    async def deed(self) -> AsyncIterator[list[OutboxRow]]:
        """What happens inside is one deed; its outbox rows are in the list afterwards.

        Who becomes active is notified exactly once, nobody else; nothing that only some seats may
        know is in a public text; private texts go to seats that persons hold.
        """
        before = await self.d.table()
        was = set(active(before))
        head = before.match.head_seq
        state, names = before.state, before.said
        seen: list[OutboxRow] = []
        yield seen
        seen += await self.rows()
        table = await self.d.table()
        log = await self.d.store.log(self.d.match, head + 1)
        if any(row.kind == "rollback" for row in log):
            was = set()  # whoever is to act is called to another position
        pinged = [s for r in seen for s in called(r)]
        assert sorted(pinged) == sorted(s for s, user in active(table) if (s, user) not in was)
        private: set[str] = set()
        public: set[str] = set()
        for row in log:
            if row.kind in ("undo", "rollback"):
                state = None  # comes from further back; the record is checked at the end
            elif row.kind == "move" and state is not None:
                move = table.game.decode_move(row.move or "")
                state, step = apply_one(table.game, state, row.seat or 0, move, auto=row.auto)
                assert row.state_hash == step.hash
                for event in step.events:
                    line = fill(table.game.narrate(event), names)
                    (public if event.to is None else private).add(line)
        assert state is None or state_hash(state) == state_hash(table.state)
        for row in seen:
            if row.kind in ("turn", "notice"):
                self.public.append(row.payload)
                lines = payload_of(row.payload).get("lines", [])
                assert not set(lines) & (private - public - {""})
            elif row.kind == "hand":
                assert row.seat in table.people


def called(row: OutboxRow) -> list[int]:
    """The seats that a board notifies: those named, else all who are to act."""
    payload = json.loads(row.payload)
    if row.kind != "turn" or not payload["fresh"]:
        return []
    found: list[int] = payload.get("ping", payload["owes"])
    return found


def active(table: Table) -> list[tuple[int, int]]:
    """(seat, user) of everybody who is to act."""
    return [(seat, table.seats[seat].user_id) for seat in table.waiting()]


async def placed(
    d: Desk, key: str, seats: int, position: Position, rule: Rule, state: Any = None
) -> Watch:
    """A new match of persons 1, 2, 3 … in the position; another match of the desk is over before.

    Args:
        d: the desk.
        key: of the game.
        seats: number of players.
        position: where it stands.
        rule: its clock.
        state: stands in for the state of the position, where it does not come from its log.
    """
    d.service._new_seed = lambda: position.seed
    await d.service.beat(1 << 60)
    done = await d.service.create(
        key, guild_id=9, channel_id=1000 + d.interaction(), host_id=1, host_name=PEOPLE[0],
        seats=seats, options=position.options, clock=rule,
    )  # fmt: skip
    d.match = done.table.match.id
    for user in range(2, seats + 1):
        await d.service.join(d.match, user, PEOPLE[user - 1])
    await d.service.start(d.match, 1)
    table = await d.table()
    stands = position.state if state is None else state
    if position.steps or state is not None:
        more = More(care=[] if position.steps else [NewLog("care", move="{}")])
        await d.service._commit(table, Played(stands, position.steps), 1, None, more)
    table = await d.table()
    assert state_hash(table.state) == state_hash(stands)
    assert table.waiting() == table.game.waiting(stands)
    watch = Watch(d)
    await watch.rows()
    return watch


async def over(d: Desk) -> None:
    """The match is called off, if it still goes on, and its record holds."""
    if (await d.table()).match.open:
        await d.service.end(d.match, 1, moderator=True)
    assert "every position is the recorded one" in await d.service.verify(d.match)


async def play_on(d: Desk, watch: Watch, moves: int) -> None:
    """Whoever is to act makes simple moves, as persons do; each tells who is next."""
    for _ in range(moves):
        table = await d.table()
        if not table.match.open:
            return
        seat, user = active(table)[0]
        async with watch.deed():
            await d.service.move(d.match, user, table.game.safest(table.state, seat))
