"""Anything in any order, failures of the database included: a match is always what its log says."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.errors import TableError
from engines.core.errors import MoveError
from engines.core.registry import games
from storage.errors import DiskFull, StorageError
from tests.bot.service.hall import CHANNEL, OTHER, Hall, Lost

USERS = st.integers(1, 5)
CHANNELS = st.sampled_from([CHANNEL, OTHER])
TROUBLE = st.sampled_from(["", "", "", "before", "after", "full"])
"""Of the database: none, a failure before or after the work is done, a full disk."""


class Tables(RuleBasedStateMachine):
    """Five people and two channels."""

    def __init__(self) -> None:
        super().__init__()
        self.hall = Hall()
        self.ids = iter(range(1, 10**6))
        self.past: list[tuple[Any, int]] = []
        self.broken = False

    def teardown(self) -> None:
        self.hall.close()

    @initialize(game=st.sampled_from(sorted(games())), data=st.data())
    def begin(self, game: str, data: Any) -> None:
        """One match is running, so that much of the time goes into what matters most."""
        seats = [n for n in games()[game].meta.seats if n <= 5]
        self.hall.begin(game, data.draw(st.sampled_from(seats)))

    def do(self, call: Any) -> bool:
        """Carry out ``call(interaction_id)``; whether it went well."""
        ident = next(self.ids)
        try:
            self.hall.run(call(ident))
        except (TableError, MoveError):
            return False
        except (StorageError, Lost):
            assert self.broken, "the database was in order"
            return False
        finally:
            self.broken = self.hall.store.before is not None or self.hall.store.after is not None
        self.past.append((call, ident))
        return True

    def at(self, channel: int) -> Any:
        return self.hall.run(self.hall.service.at(channel))

    @rule(user=USERS, channel=CHANNELS, game=st.sampled_from(sorted(games())), data=st.data())
    def create(self, user: int, channel: int, game: str, data: Any) -> None:
        seats = data.draw(st.sampled_from([None, *games()[game].meta.seats]))
        service = self.hall.service
        self.do(
            lambda ident: service.create(
                game,
                guild_id=1,
                channel_id=channel,
                host_id=user,
                host_name=f"P{user}",
                seats=seats,
                interaction_id=ident,
            )
        )

    @rule(user=USERS, channel=CHANNELS)
    def join(self, user: int, channel: int) -> None:
        table = self.at(channel)
        if table is not None:
            service = self.hall.service
            self.do(lambda i: service.join(table.match.id, user, f"P{user}", interaction_id=i))

    @rule(user=USERS, channel=CHANNELS)
    def leave(self, user: int, channel: int) -> None:
        table = self.at(channel)
        if table is not None:
            service = self.hall.service
            self.do(lambda i: service.leave(table.match.id, user, interaction_id=i))

    @rule(channel=CHANNELS, user=st.one_of(st.none(), USERS))
    def start(self, channel: int, user: int | None) -> None:
        table = self.at(channel)
        if table is not None:
            who, service = user or table.match.host_id, self.hall.service
            self.do(lambda i: service.start(table.match.id, who, interaction_id=i))

    @rule(channel=CHANNELS)
    def fill_and_start(self, channel: int) -> None:
        """Shortest way to a running match, so that many examples have one."""
        table = self.at(channel)
        if table is None or table.match.status != "lobby":
            return
        wanted = table.wanted or min(table.game.meta.seats)
        for user in range(1, 6):
            now = self.at(channel)
            if len(now.seats) < wanted and now.seat_of(user) is None:
                self.join(user, channel)
        self.start(channel, None)

    @rule(
        channel=CHANNELS,
        seed=st.integers(0, 2**32),
        troubles=st.lists(TROUBLE, min_size=1, max_size=5),
    )
    def move(self, channel: int, seed: int, troubles: list[str]) -> None:
        """Some moves; the database fails in some of them."""
        rand = random.Random(seed)
        for trouble in troubles:
            self.break_the_next_write(trouble)
            table = self.at(channel)
            if table is None or not table.waiting():
                return
            user, command, args = self.hall.words(table, rand)
            head, broken = table.match.head_seq, self.broken
            call = partial(self.hall.service.command, table.match.id, user, command, args)
            done = self.do(lambda i, call=call: call(interaction_id=i))
            if not broken:
                assert done, "a legal move was refused"
                assert self.at(channel).match.head_seq > head

    @rule(user=USERS, channel=CHANNELS)
    def wrong_move(self, user: int, channel: int) -> None:
        table = self.at(channel)
        if table is not None:
            service = self.hall.service
            self.do(lambda i: service.command(table.match.id, user, "open", {}, interaction_id=i))

    @rule(user=USERS, channel=CHANNELS)
    def undo(self, user: int, channel: int) -> None:
        table = self.at(channel)
        if table is not None:
            service = self.hall.service
            self.do(lambda i: service.undo(table.match.id, user, interaction_id=i))

    @rule(user=USERS, channel=CHANNELS, moderator=st.booleans())
    def end(self, user: int, channel: int, moderator: bool) -> None:
        table = self.at(channel)
        if table is not None:
            service = self.hall.service
            self.do(
                lambda i: service.end(table.match.id, user, moderator=moderator, interaction_id=i)
            )

    @rule(channel=CHANNELS)
    def forget(self, channel: int) -> None:
        table = self.at(channel)
        if table is not None:
            self.hall.service.forget(table.match.id)

    @rule()
    def restart(self) -> None:
        self.hall.service = self.hall.make()

    @precondition(lambda self: self.past)
    @rule(data=st.data())
    def deliver_again(self, data: Any) -> None:
        """Discord delivers an interaction a second time: nothing happens twice."""
        call, ident = data.draw(st.sampled_from(self.past))
        before = self.dump()
        try:
            self.hall.run(call(ident))
        except (TableError, MoveError):
            pass
        except (StorageError, Lost):
            assert self.broken
        else:
            raise AssertionError("a repeated interaction was carried out")
        finally:
            self.broken = self.hall.store.before is not None or self.hall.store.after is not None
        assert self.dump() == before

    def dump(self) -> Any:
        store = self.hall.plain
        return [
            self.hall.run(store._rows(f"SELECT * FROM {table}"))
            for table in ("matches", "seats", "log", "outbox")
        ]

    @rule(trouble=TROUBLE)
    def break_the_next_write(self, trouble: str) -> None:
        async def fail() -> None:
            raise DiskFull("no room") if trouble == "full" else Lost("gone")

        if trouble == "after":
            self.hall.store.after = fail
        elif trouble:
            self.hall.store.before = fail
        self.broken = self.hall.store.before is not None or self.hall.store.after is not None

    @invariant()
    def sound(self) -> None:
        self.hall.check()


TestTables = Tables.TestCase
TestTables.settings = settings(
    max_examples=25,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
