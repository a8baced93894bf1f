"""Posts under races and failures: each thing is told once, by a post of one position."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from bot.announce import arrived
from bot.app import PiazzaBot
from bot.outbox import Drop, Outbox, Retry
from storage.records import NewOutbox, NewSeat, OutboxRow
from storage.store import Store
from tests.wire.server import LoopbackDiscord
from tests.wire.table import (
    MESSAGES,
    Party,
    boards,
    idle,
    live,
    open_shop,
    piazza,
    rows,
    settled,
    table_at,
)


@pytest.fixture
def party(discord_: LoopbackDiscord) -> Party:
    return Party(discord_)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "piazza.db"


async def all_told(bot: PiazzaBot, party: Party) -> None:
    """No row is without its message, no message without a row."""
    await settled(bot)
    done = await rows(bot)
    assert [row.error for row in done if row.error is not None] == []
    told = {row.message_id for row in done if row.kind != "hand"}
    assert told == {message.id for message in party.channel.messages}


async def move(bot: PiazzaBot, party: Party) -> None:
    """The next move, without waiting for its announcement."""
    table = await table_at(bot, party.channel)
    reply = await open_shop(party.whose(table), party.channel)
    assert reply.content.startswith("Done"), reply.content


# the announcer, on the wire


async def test_a_move_while_the_picture_is_drawn(
    discord_: LoopbackDiscord, party: Party, path: Path
) -> None:
    async with piazza(discord_, path) as bot:
        first = party.whose(await party.begin(bot, 3))
        draw, gate, drawing = bot.pictures.board, asyncio.Event(), asyncio.Event()

        async def slowly(*args: Any, **options: Any) -> Any:
            drawing.set()
            await gate.wait()
            return await draw(*args, **options)

        bot.pictures.board = slowly  # type: ignore[method-assign]
        await move(bot, party)
        await drawing.wait()
        second = party.whose(await table_at(bot, party.channel))
        await move(bot, party)
        third = party.whose(await table_at(bot, party.channel))
        gate.set()
        await settled(bot)
        assert [b.pings for b in boards(party.channel)] == [[first], [second], [third]]
        for board, person in zip(boards(party.channel), (first, second, third), strict=True):
            assert board.content.splitlines()[-1].startswith(f"➤ {person.mention}")
        assert live(party.channel) == [boards(party.channel)[-1]]


async def test_a_post_of_unknown_fate_and_the_next_move(
    discord_: LoopbackDiscord, party: Party, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.outbox.FIRST_RETRY_MS", 60_000)  # the next move wakes it
    async with piazza(discord_, path) as bot:
        first = party.whose(await party.begin(bot, 3))
        discord_.fail_next("POST", MESSAGES, cut=True, applied=True)
        await move(bot, party)
        second = party.whose(await table_at(bot, party.channel))
        await discord_.until(lambda: len(boards(party.channel)) == 2, what="the post")
        await idle(bot)
        await move(bot, party)
        third = party.whose(await table_at(bot, party.channel))
        await all_told(bot, party)
        assert [b.pings for b in boards(party.channel)] == [[first], [second], [third]]
        assert live(party.channel) == [boards(party.channel)[-1]]
        for board in boards(party.channel)[1:]:
            assert board.content.count("opened a shop") == 1


async def test_a_lobby_of_unknown_fate(
    discord_: LoopbackDiscord, party: Party, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.outbox.FIRST_RETRY_MS", 60_000)
    async with piazza(discord_, path) as bot:
        ada, bruno = party.people[:2]
        discord_.fail_next("POST", MESSAGES, cut=True, applied=True)
        await ada.slash(party.channel, "paris new")
        await discord_.until(lambda: party.channel.messages, what="the lobby")
        await idle(bot)
        await bruno.slash(party.channel, "match join")
        await all_told(bot, party)
        (lobby,) = party.channel.messages
        assert "2 of" in lobby.content
        assert "bruno" in lobby.content.lower()


async def test_a_lobby_of_unknown_fate_and_the_start(
    discord_: LoopbackDiscord, party: Party, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.outbox.FIRST_RETRY_MS", 60_000)
    async with piazza(discord_, path) as bot:
        discord_.fail_next("POST", MESSAGES, cut=True, applied=True, times=2)
        await party.people[0].slash(party.channel, "paris new", seats=2)
        await discord_.until(lambda: party.channel.messages, what="the lobby")
        await idle(bot)
        await party.people[1].slash(party.channel, "match join")
        await idle(bot)
        await party.people[0].slash(party.channel, "match start")
        await all_told(bot, party)
        lobby, board = party.channel.messages
        assert "has begun" in lobby.content
        assert not lobby.buttons
        assert live(party.channel) == [board]


async def test_a_hand_of_unknown_fate_and_the_next_one(
    discord_: LoopbackDiscord, party: Party, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.outbox.FIRST_RETRY_MS", 60_000)
    async with piazza(discord_, path) as bot:
        dm = party.people[0].dm
        discord_.fail_next("POST", rf"/channels/{dm.id}/messages", cut=True, applied=True)
        for person, words in ((0, "paris new"), (1, "match join"), (0, "match start")):
            await party.people[person].slash(party.channel, words)
        await discord_.until(lambda: dm.messages, what="the hand")
        await idle(bot)
        table = await table_at(bot, party.channel)
        seat = table.seat_of(party.people[0].id)
        newer = NewOutbox("hand", json.dumps({"lines": ["A new thing."]}), seat=seat)
        await bot.store.update_settings(table.match.id, "{}", outbox=[newer])
        bot.outbox.wake(table.match.id)
        await settled(bot)
        assert "A new thing." not in dm.messages[0].content
        assert "A new thing." in dm.messages[1].content
        assert len(dm.messages) == 2


async def test_a_slow_channel_does_not_hold_hands_back(
    discord_: LoopbackDiscord, party: Party, path: Path
) -> None:
    async with piazza(discord_, path) as bot:
        ada, bruno = party.people[:2]
        await ada.slash(party.channel, "paris new", seats=2)
        await bruno.slash(party.channel, "match join")
        await settled(bot)
        discord_.delay_next("POST", rf"/channels/{party.channel.id}/messages", 0.5)
        await ada.slash(party.channel, "match start")
        await discord_.until(lambda: discord_.dms(ada) and discord_.dms(bruno), within=0.4)
        await settled(bot)


def turn(number: int, *lines: str) -> OutboxRow:
    payload = json.dumps({"what": "turn", "lines": lines, "fresh": True, "owes": [0]})
    return OutboxRow(number, 1, number, "turn", None, payload, "n", 0, 0, 0, None, None, None)


def test_what_an_earlier_attempt_has_told() -> None:
    same = [turn(1, "Ada passes."), turn(2, "Ada passes."), turn(3, "Bo moves.")]
    assert arrived("Ada passes.\n➤ <@1>: move.", same) == 1
    assert arrived("Ada passes.\nAda passes.\n➤ <@1>: move.", same) == 2
    assert arrived("Ada passes.\nAda passes.\nBo moves.\n➤ <@1>: move.", same) == 3
    assert arrived("…\nBo moves.\n➤ <@1>: move.", same) == 3
    assert arrived("An edited text.", same) == 1


# the outbox alone


class Post:
    """Stands in for Discord: notes what is sent, fails where it is told to."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, ...]] = []
        self.failing: dict[str, Exception] = {}
        self.gate: dict[str, asyncio.Event] = {}

    async def __call__(self, batch: list[OutboxRow]) -> int | None:
        names = tuple(row.payload for row in batch)
        for row in batch:
            if row.payload in self.gate:
                await self.gate[row.payload].wait()
            if row.payload in self.failing:
                raise self.failing[row.payload]
        self.sent.append(names)
        return 1


async def match(store: Store, *waiting: NewOutbox, channel: int = 1) -> int:
    return await store.create_match(
        game="paris_paris",
        rules_version=1,
        options="{}",
        channel_id=channel,
        host_id=1,
        seats=[NewSeat(1, "Ada")],
        outbox=waiting,
    )


async def drained(outbox: Outbox) -> None:
    while outbox._running:  # noqa: ASYNC110
        await asyncio.sleep(0.001)


@pytest.fixture
def post() -> Post:
    return Post()


async def test_lanes_do_not_wait_for_each_other(post: Post) -> None:
    async with await Store.open(":memory:") as store:
        outbox = Outbox(store, post, lambda: 1 << 50)
        post.gate["board"] = asyncio.Event()
        number = await match(
            store,
            NewOutbox("turn", "board"),
            NewOutbox("notice", "after it"),
            NewOutbox("hand", "mine", seat=0),
            NewOutbox("hand", "yours", seat=1),
        )
        outbox.wake(number)
        await asyncio.sleep(0.05)
        assert sorted(post.sent) == [("mine",), ("yours",)]
        post.gate["board"].set()
        await drained(outbox)
        assert post.sent[2:] == [("board",), ("after it",)]


async def test_a_new_row_does_not_wait_for_an_old_pause(post: Post) -> None:
    async with await Store.open(":memory:", clock=lambda: 1000) as store:
        outbox = Outbox(store, post, lambda: 1000)
        post.failing["old"] = Retry("not allowed", 3_000_000)
        number = await match(store, NewOutbox("turn", "old"))
        outbox.wake(number)
        await drained(outbox)
        assert post.sent == []
        del post.failing["old"]
        outbox.wake(number)
        await drained(outbox)
        assert post.sent == [], "nothing new, so it waits"
        await store.update_settings(number, "{}", outbox=[NewOutbox("turn", "new")])
        outbox.wake(number)
        await drained(outbox)
        assert post.sent == [("old", "new")]
        assert await store.pending_count() == 0
        await outbox.close()


async def test_every_match_is_woken_at_a_start(post: Post) -> None:
    async with await Store.open(":memory:") as store:
        first = await match(store, NewOutbox("notice", "hello"))

        def copies(plain: Any) -> None:
            fields = "seq, kind, seat, payload, next_at, created_at"
            for number in range(first + 1, 1201):
                plain.execute(
                    "INSERT INTO matches (id, channel_id, game, rules_version, options, host_id,"
                    " status, created_at) VALUES (?, ?, 'paris_paris', 1, '{}', 1, 'active', 0)",
                    (number, number),
                )
                plain.execute(
                    f"INSERT INTO outbox (match_id, nonce, {fields}) SELECT ?, ?, {fields}"
                    " FROM outbox WHERE match_id = ?",
                    (number, str(number), first),
                )

        await store._read("copies", copies)
        outbox = Outbox(store, post, lambda: 1 << 50)
        assert await outbox.resume() == 1200
        await drained(outbox)
        assert len(post.sent) == 1200


async def test_a_wake_up_during_the_last_look_is_not_lost(post: Post) -> None:
    async with await Store.open(":memory:") as store:
        outbox = Outbox(store, post, lambda: 1 << 50)
        number = await match(store)
        for count in range(50):
            outbox.wake(number)
            for _ in range(count % 5):
                await asyncio.sleep(0)
            row = NewOutbox("notice", str(count))
            await store.update_settings(number, "{}", outbox=[row])
            outbox.wake(number)
        await drained(outbox)
        assert post.sent == [(str(count),) for count in range(50)]


async def test_what_is_refused_for_good_holds_nobody_back(post: Post) -> None:
    async with await Store.open(":memory:") as store:
        outbox = Outbox(store, post, lambda: 1 << 50)
        post.failing["gone"] = Drop("gone")
        number = await match(store, NewOutbox("notice", "gone"), NewOutbox("notice", "next"))
        outbox.wake(number)
        await drained(outbox)
        assert post.sent == [("next",)]


async def test_the_row_whose_nonce_was_sent_is_marked_last(post: Post) -> None:
    """A crash between two marks must leave the row that finds the message again."""
    async with await Store.open(":memory:") as store:
        outbox = Outbox(store, post, lambda: 1 << 50)
        number = await match(store, *(NewOutbox("turn", name) for name in "abc"))
        marked: list[int] = []
        mark = store.mark_sent

        async def noting(outbox_id: int, message_id: int | None = None) -> None:
            marked.append(outbox_id)
            await mark(outbox_id, message_id)

        store.mark_sent = noting  # type: ignore[method-assign]
        outbox.wake(number)
        await drained(outbox)
        assert post.sent == [("a", "b", "c")]
        assert marked == sorted(marked, reverse=True)


async def test_trouble_of_its_own_does_not_silence_a_match(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.outbox.LONGEST_RETRY_MS", 60)
    async with await Store.open(":memory:") as store:
        outbox = Outbox(store, post, lambda: 1 << 50)
        number = await match(store, NewOutbox("notice", "hello"))
        look, failures = store.pending_outbox, iter([ValueError("no active connection")])

        async def sometimes(match_id: int) -> list[OutboxRow]:
            for error in failures:
                raise error
            return await look(match_id)

        store.pending_outbox = sometimes  # type: ignore[method-assign]
        outbox.wake(number)
        await asyncio.sleep(0.3)
        assert post.sent == [("hello",)]
