"""Lobbies, seats, statuses, and what is found where."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage import (
    AlreadySeated,
    ChannelTaken,
    DuplicateInteraction,
    NewLog,
    NewOutbox,
    NewSeat,
    NoSuchMatch,
    NotSeated,
    Status,
    StorageError,
    Store,
    WrongStatus,
)
from tests.storage.helpers import PLAYERS, Clock, blob, dump, lobby, started, step

OPEN: list[Status] = ["lobby", "active", "paused", "frozen"]
OVER: list[Status] = ["finished", "ended"]


async def test_create_match(store: Store) -> None:
    notice = NewOutbox("notice", '{"text":"come"}')
    match_id = await lobby(store, 5, outbox=[notice], interaction_id=7, settings='{"days":3}')
    match = await store.match(match_id)
    assert (match.status, match.channel_id, match.guild_id, match.host_id) == ("lobby", 5, 9, 11)
    assert (match.created_at, match.started_at, match.ended_at) == (1_000_000, None, None)
    assert (match.seed, match.settings, match.open) == (None, '{"days":3}', True)
    assert [(s.seat, s.user_id, s.colour) for s in await store.seats(match_id)] == [
        (0, 11, "blue"),
        (1, 22, None),
        (2, 33, None),
    ]
    assert [row.payload for row in await store.pending_outbox(match_id)] == ['{"text":"come"}']
    assert await store.seen_interaction(7)
    assert not await store.seen_interaction(8)


async def test_the_seed_is_not_in_the_repr(store: Store) -> None:
    match = await store.match(await started(store))
    assert match.seed == "5eed"
    assert "5eed" not in f"{match!r} {match} {(await store.load(match.id))!r}"


@pytest.mark.parametrize("status", OPEN)
async def test_one_open_match_a_channel(store: Store, status: Status) -> None:
    first = await started(store, 5)
    await store.set_status(first, status)
    with pytest.raises(ChannelTaken) as caught:
        await lobby(store, 5, interaction_id=3, outbox=[NewOutbox("notice")])
    assert (caught.value.channel_id, caught.value.match_id) == (5, first)
    assert not await store.seen_interaction(3)
    assert await store.pending_count() == 0
    await lobby(store, 6)


@pytest.mark.parametrize("status", OVER)
async def test_a_channel_is_free_afterwards(store: Store, clock: Clock, status: Status) -> None:
    first = await started(store, 5)
    clock.now += 60_000
    await store.set_status(first, status)
    assert (await store.match(first)).ended_at == clock.now
    assert await store.open_match(5) is None
    second = await lobby(store, 5)
    assert second > first
    found = await store.last_match(5)
    assert found is not None
    assert found.id == second
    with pytest.raises(ChannelTaken) as caught:
        await store.set_status(first, "active")
    assert caught.value.match_id == second
    with pytest.raises(ChannelTaken):
        await store.commit(first, 0, [NewLog("rollback", target=0)], b"", status="active")
    assert (await store.match(first)).head_seq == 0
    await store.set_status(second, "ended")
    await store.set_status(first, "active")
    assert (await store.match(first)).ended_at is None


async def test_repeated_new_is_a_duplicate_and_not_a_taken_channel(store: Store) -> None:
    await lobby(store, 5, interaction_id=7)
    with pytest.raises(DuplicateInteraction):
        await lobby(store, 5, interaction_id=7)
    with pytest.raises(DuplicateInteraction):
        await lobby(store, 6, interaction_id=7)


async def test_joining(store: Store, clock: Clock) -> None:
    match_id = await lobby(store, seats=[])
    assert await store.add_seat(match_id, 44, "Di", "red", interaction_id=1) == 0
    clock.now += 5
    assert await store.add_seat(match_id, 55, "Ed", interaction_id=2) == 1
    with pytest.raises(DuplicateInteraction):
        await store.add_seat(match_id, 66, "Flo", interaction_id=2)
    with pytest.raises(AlreadySeated):
        await store.add_seat(match_id, 44, "Di", interaction_id=3, outbox=[NewOutbox("notice")])
    assert not await store.seen_interaction(3)
    assert [(s.name, s.joined_at) for s in await store.seats(match_id)] == [
        ("Di", 1_000_000),
        ("Ed", 1_000_005),
    ]
    for interaction_id in (None, 4):
        with pytest.raises(NoSuchMatch):
            await store.add_seat(99, 44, "Di", interaction_id=interaction_id)


async def test_computers_may_hold_several_seats(store: Store) -> None:
    match_id = await lobby(store)
    for _ in range(2):
        await store.add_seat(match_id, 0, "Computer")
    assert len(await store.seats(match_id)) == 5


async def test_leaving(store: Store) -> None:
    match_id = await lobby(store)
    await store.remove_seat(match_id, 0, new_host=22, outbox=[NewOutbox("notice")])
    assert [(s.seat, s.name) for s in await store.seats(match_id)] == [(0, "Bo"), (1, "Cy")]
    assert (await store.match(match_id)).host_id == 22
    assert await store.pending_count() == 1
    with pytest.raises(NotSeated):
        await store.remove_seat(match_id, 2, interaction_id=1)
    assert not await store.seen_interaction(1)


@given(leaving=st.permutations(range(6)))
async def test_leaving_in_any_order_keeps_the_order_of_joining(leaving: list[int]) -> None:
    async with await Store.open(":memory:") as store:
        match_id = await lobby(store, seats=[NewSeat(n + 1, str(n)) for n in range(6)])
        left = [str(n) for n in range(6)]
        for who in leaving:
            await store.remove_seat(match_id, left.index(str(who)))
            left.remove(str(who))
            assert [(s.seat, s.name) for s in await store.seats(match_id)] == list(enumerate(left))


async def test_colours(store: Store) -> None:
    match_id = await lobby(store)
    await store.set_colour(match_id, 1, "red", outbox=[NewOutbox("notice")], interaction_id=1)
    await store.set_colour(match_id, 0, None)
    assert [s.colour for s in await store.seats(match_id)] == [None, "red", None]
    assert await store.pending_count() == 1
    with pytest.raises(NotSeated):
        await store.set_colour(match_id, 3, "red")
    with pytest.raises(DuplicateInteraction):
        await store.set_colour(match_id, 2, "red", interaction_id=1)


async def test_a_started_match_is_no_lobby(store: Store) -> None:
    match_id = await started(store)
    for call in (
        store.add_seat(match_id, 44, "Di"),
        store.remove_seat(match_id, 0),
        store.set_colour(match_id, 0, "red"),
        store.update_options(match_id, "{}"),
        store.start_match(
            match_id, seats=PLAYERS, seed="", commitment="", log=NewLog("start"), snapshot=b""
        ),
    ):
        with pytest.raises(WrongStatus, match="active"):
            await call
    with pytest.raises(WrongStatus, match="lobby"):
        await store.commit(await lobby(store, 2), 0, [NewLog("move")], b"")


async def test_host_options_settings(store: Store) -> None:
    match_id = await lobby(store)
    await store.set_host(match_id, 22, interaction_id=1)
    await store.update_options(match_id, '{"x":1}', interaction_id=2, outbox=[NewOutbox("notice")])
    await store.update_settings(match_id, '{"y":2}', interaction_id=3)
    match = await store.match(match_id)
    assert (match.host_id, match.options, match.settings) == (22, '{"x":1}', '{"y":2}')
    assert await store.pending_count() == 1
    with pytest.raises(DuplicateInteraction):
        await store.set_host(match_id, 33, interaction_id=1)
    await store.set_status(match_id, "ended")
    with pytest.raises(WrongStatus):
        await store.set_host(match_id, 33)
    with pytest.raises(NoSuchMatch):
        await store.update_settings(99, "{}")


async def test_start(store: Store, clock: Clock) -> None:
    match_id = await lobby(store)
    clock.now += 9
    order = [PLAYERS[2], PLAYERS[0], NewSeat(0, "Computer"), NewSeat(0, "Computer")]
    await store.start_match(
        match_id,
        seats=order,
        seed="5eed",
        commitment="c0ffee",
        log=NewLog("start", state_hash="h0", actor_id=11),
        snapshot=blob(match_id, 0),
        rules_version=2,
        outbox=[NewOutbox("turn"), NewOutbox("hand", seat=1)],
        interaction_id=5,
    )
    loaded = await store.load(match_id)
    assert (loaded.match.status, loaded.match.seed, loaded.match.commitment) == (
        "active",
        "5eed",
        "c0ffee",
    )
    assert (loaded.match.started_at, loaded.match.rules_version) == (clock.now, 2)
    assert [(s.user_id, s.joined_at) for s in loaded.seats] == [
        (33, 1_000_000),
        (11, 1_000_000),
        (0, clock.now),
        (0, clock.now),
    ]
    assert (loaded.snapshot_seq, loaded.snapshot) == (0, blob(match_id, 0))
    assert [(e.seq, e.kind, e.actor_id) for e in await store.log(match_id)] == [(0, "start", 11)]
    assert [(r.seq, r.kind, r.seat) for r in await store.pending_outbox(match_id)] == [
        (0, "turn", None),
        (0, "hand", 1),
    ]


async def test_failed_start_leaves_the_lobby(store: Store, path: Path) -> None:
    match_id = await lobby(store)
    before = dump(path)
    with pytest.raises(AlreadySeated):
        await store.start_match(
            match_id,
            seats=[PLAYERS[0], PLAYERS[0]],
            seed="5eed",
            commitment="",
            log=NewLog("start"),
            snapshot=b"",
            interaction_id=5,
        )
    assert dump(path) == before
    loaded = await store.load(match_id)
    assert (loaded.snapshot_seq, loaded.snapshot) == (None, None)


async def test_freeze(store: Store) -> None:
    match_id = await started(store)
    await store.freeze(match_id, "R-1", outbox=[NewOutbox("notice")])
    match = await store.match(match_id)
    assert (match.status, match.report, match.open) == ("frozen", "R-1", True)
    with pytest.raises(WrongStatus, match="frozen"):
        await step(store, match_id, 0)
    undo = [NewLog("rollback", target=0)]
    assert await store.commit(match_id, 0, undo, blob(match_id, 0), status="active") == 1
    await store.set_status(match_id, "ended")
    with pytest.raises(WrongStatus):
        await store.freeze(match_id, "R-2")


async def test_rebind_channel(store: Store) -> None:
    match_id = await started(store, 1)
    await store.set_board(match_id, 1, 555, 0)
    other = await started(store, 2)
    with pytest.raises(ChannelTaken) as caught:
        await store.rebind_channel(match_id, 2)
    assert (caught.value.channel_id, caught.value.match_id) == (2, other)
    assert (await store.match(match_id)).board_message_id == 555
    await store.rebind_channel(match_id, 3, outbox=[NewOutbox("turn")])
    match = await store.match(match_id)
    assert (match.channel_id, match.guild_id) == (3, 9)
    assert (match.board_channel_id, match.board_message_id, match.board_seq) == (None, None, None)
    await store.rebind_channel(match_id, 4, guild_id=8)
    assert (await store.match(match_id)).guild_id == 8
    await lobby(store, 1)


async def test_unknown_status_is_refused(store: Store) -> None:
    match_id = await started(store)
    with pytest.raises(StorageError, match="CHECK"):
        await store.set_status(match_id, "asleep")  # type: ignore[arg-type]
    assert (await store.match(match_id)).status == "active"


async def test_finding_matches(store: Store) -> None:
    ids = [await lobby(store, channel, guild_id=channel % 2) for channel in range(10)]
    await store.set_status(ids[4], "ended")
    await store.set_status(ids[5], "finished")
    still = [*ids[:4], *ids[6:]]
    pages, after = [], 0
    while page := await store.open_matches(after_id=after, limit=3):
        pages.append(page)
        after = page[-1].id
    assert [len(page) for page in pages] == [3, 3, 2]
    assert [match.id for page in pages for match in page] == still
    assert [m.id for m in await store.open_matches(1)] == [i for i in still if ids.index(i) % 2]
    assert [m.id for m in await store.open_matches(1, after_id=ids[3], limit=1)] == [ids[7]]
    assert [m.id for m in await store.matches_of(22)] == still[::-1]
    assert [m.id for m in await store.matches_of(22, open_only=False)] == ids[::-1]
    assert [m.id for m in await store.matches_of(22, limit=2)] == still[:-3:-1]
    assert await store.matches_of(99) == []
    found = await store.open_match(3)
    assert found is not None
    assert found.id == ids[3]
    assert await store.open_match(4) is None
    assert await store.last_match(99) is None
    assert await store.seats(99) == []
    assert await store.log(99) == []
    assert await store.snapshot(99) is None
    for call in (store.match(99), store.load(99), store.set_board(99, 1, 1, 1)):
        with pytest.raises(NoSuchMatch, match="99"):
            await call


async def test_players_and_guilds(store: Store, clock: Clock) -> None:
    player = await store.player(11)
    assert (player.user_id, player.prefs, player.dm_closed, player.updated_at) == (
        11,
        "{}",
        False,
        0,
    )
    await store.set_dm_closed(11, True)
    clock.now += 1
    await store.set_prefs(11, '{"a":1}')
    player = await store.player(11)
    assert (player.prefs, player.dm_closed, player.updated_at) == ('{"a":1}', True, clock.now)
    await store.set_dm_closed(11, False)
    assert not (await store.player(11)).dm_closed
    assert await store.guild_settings(9) == "{}"
    await store.set_guild_settings(9, '{"b":2}')
    await store.set_guild_settings(9, '{"b":3}')
    assert await store.guild_settings(9) == '{"b":3}'
