"""Plans: written and forgotten in one transaction with what makes them so."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage import DuplicateInteraction, NewLog, NewSeat, Store, WrongStatus
from storage.plans import OFFERS, NewPlan, Settled
from tests.storage.helpers import blob, lobby, started


def plan(seat: int, user: int, tile: str) -> NewPlan:
    return NewPlan(seat, user, "open", f'{{"tile":"{tile}"}}', "")


async def said(store: Store, match_id: int) -> list[tuple[int, str]]:
    return [(p.seat, p.args) for p in (await store.load(match_id)).plans]


async def test_plans_stand_in_order_and_offers_do_not(path: Path) -> None:
    async with await Store.open(path) as store:
        match = await started(store)
        await store.add_plan(match, plan(1, 22, "a"))
        offer = await store.add_plan(match, plan(1, 22, "b"), "offered")
        await store.add_plan(match, plan(2, 33, "c"))
        assert await said(store, match) == [(1, '{"tile":"a"}'), (2, '{"tile":"c"}')]
        await store.add_plan(match, plan(1, 22, "b"), offer=offer, interaction_id=5)
        assert [p.args for p in (await store.load(match)).plans] == [
            '{"tile":"a"}', '{"tile":"c"}', '{"tile":"b"}',
        ]  # fmt: skip
        assert all(p.id != offer for p in await store.plans_of(match, 22))
        with pytest.raises(DuplicateInteraction):
            await store.add_plan(match, plan(1, 22, "b"), interaction_id=5)


async def test_only_the_newest_offers_are_kept(path: Path) -> None:
    async with await Store.open(path) as store:
        match = await started(store)
        made = [
            await store.add_plan(match, plan(1, 22, str(i)), "offered") for i in range(OFFERS + 3)
        ]
        other = await store.add_plan(match, plan(2, 33, "x"), "offered")
        assert [p.id for p in await store.plans_of(match, 22)] == made[3:]
        assert [p.id for p in await store.plans_of(match, 33)] == [other]


async def test_a_commit_settles_plans_with_the_move(path: Path) -> None:
    async with await Store.open(path) as store:
        match = await started(store)
        ids = [await store.add_plan(match, plan(1, 22, t)) for t in "abc"]
        entry = [NewLog("move", seat=1, move="{}", state_hash="h1")]
        with pytest.raises(Exception, match="1"):
            await store.commit(match, 7, entry, None, settled=Settled((ids[0],), {}))
        assert len((await store.load(match)).plans) == 3, "refused as a whole"
        settled = Settled((ids[0],), {ids[1]: "gone", ids[2]: "after it"})
        await store.commit(match, 0, entry, blob(match, 1), settled=settled)
        assert (await store.load(match)).plans == []
        left = [(p.id, p.status, p.reason) for p in await store.plans_of(match, 22)]
        assert left == [(ids[1], "cancelled", "gone"), (ids[2], "cancelled", "after it")]
        await store.add_plan(match, plan(1, 22, "d"))
        assert [p.status for p in await store.plans_of(match, 22)] == ["standing"]


async def test_plans_go_with_the_seat_and_with_the_match(path: Path) -> None:
    async with await Store.open(path) as store:
        match = await started(store)
        await store.add_plan(match, plan(1, 22, "a"))
        await store.add_plan(match, plan(1, 22, "b"), "offered")
        await store.add_plan(match, plan(2, 33, "c"))
        care = [NewLog("care", seat=1, move="{}")]
        await store.commit(match, 0, care, None, seats={1: NewSeat(44, "Di")})
        assert await store.plans_of(match, 22) == []
        assert await said(store, match) == [(2, '{"tile":"c"}')]
        await store.commit(match, 1, care, None, status="finished")
        assert await store.plans_of(match, 33) == []
        with pytest.raises(WrongStatus):
            await store.add_plan(match, plan(2, 33, "c"))
        waiting = await lobby(store, 5)
        with pytest.raises(WrongStatus):
            await store.add_plan(waiting, plan(2, 33, "c"))


async def test_nobody_drops_the_plans_of_others(path: Path) -> None:
    async with await Store.open(path) as store:
        match = await started(store)
        mine = await store.add_plan(match, plan(1, 22, "a"))
        offer = await store.add_plan(match, plan(1, 22, "b"), "offered")
        assert await store.drop_plans(match, 33, mine) == 0
        assert await store.drop_plans(match, 33) == 0
        assert await store.drop_plans(match, 22) == 1
        assert [p.id for p in await store.plans_of(match, 22)] == [offer]
