"""Papà Paolo in the conformance suite: what nobody may know, written from the rules alone."""

from __future__ import annotations

import random
from typing import Any

STEP_CAP = 1500


class Scrambler:
    """Deals anew: the face-down city tiles (PP-011), the generator with the tips and removed tiles
    of later rounds (PP-008), the balances of others (PP-006), and what they have sealed: start
    tiles (PP-107), coins (PP-113) and standing maximums.

    Balances of others stay large enough for what they have bid or sealed on the table. All money
    was announced, so a player could keep count; but nothing may show it.
    """

    def scramble(self, state: Any, viewer: int | None, rand: random.Random) -> Any:
        copy = state.clone()
        copy.rng.seed = f"{rand.getrandbits(128):032x}"
        hidden = list(copy.deck[copy.drawn :])
        rand.shuffle(hidden)
        copy.deck = (*copy.deck[: copy.drawn], *hidden)
        if state.seats == 2:
            self._start_tiles(copy, viewer, rand)
        if state.ended is not None:
            return copy  # the money has been shown
        for seat in range(state.seats):
            if seat != viewer:
                self._purse(copy, seat, rand)
        return copy

    def _start_tiles(self, copy: Any, viewer: int | None, rand: random.Random) -> None:
        kept = list(copy.starts)
        shown = copy.round > 0
        if not shown and viewer is None:
            deal = [1, 2, 3, 4]
            rand.shuffle(deal)
            copy.dealt = (tuple(sorted(deal[:2])), tuple(sorted(deal[2:])))
        elif shown and viewer is None:
            # Only the two discarded tiles are unknown: either player may have had either.
            rest = [tile for tile in (1, 2, 3, 4) if tile not in kept]
            rand.shuffle(rest)
            copy.dealt = tuple(tuple(sorted((kept[s], rest[s]))) for s in range(2))
        if not shown:
            for seat in range(2):
                if seat != viewer and kept[seat]:
                    copy.starts[seat] = rand.choice(copy.dealt[seat])

    def _purse(self, copy: Any, seat: int, rand: random.Random) -> None:
        area = copy.touch(seat)
        least = 0
        if copy.round == 0:
            return  # everybody starts with £10
        if copy.phase in ("bidding", "settling", "leftovers"):
            if copy.seats == 2 and not copy.totals:
                coins = tuple(rand.randint(1, 3) for _ in copy.coins[seat])
                copy.coins[seat] = coins
                least = sum(coins)
                if not coins and copy.decision_of(seat):
                    least = 1
            elif copy.seats > 2:
                column, row = copy.bids[seat]
                unpaid = area.investment is None
                least = 2 * (row - 1) + column if column and unpaid else 0
        due = copy.decision_of(seat)
        if due and due.kind == "buy_investment":
            least = max(least, 1)
        if due and due.kind in ("bid", "rebid"):
            least = 17  # at least one space is open to the player
        money = least + rand.randint(0, 12)
        copy.bank += area.money - money
        area.money = money
        if copy.phase == "bidding" and copy.seats > 2:
            copy.limits[seat] = 0
            if copy.bids[seat][0] and rand.random() < 0.5:
                copy.limits[seat] = rand.randint(0, min(16, money))


def _shows(events: list[Any], kind: str, **args: Any) -> bool:
    return any(
        e.kind == kind and all(e.args.get(k) == value for k, value in args.items()) for e in events
    )


GOLDENS = {
    "two_players_coin_tie": (2, {}, lambda o, e: _shows(e, "coins_revealed", tie=True)),
    "two_players_shared_win": (2, {}, lambda o, e: len(o.ranking[0]) == 2),
    "three_players_standing_maximum": (3, {}, lambda o, e: _shows(e, "standing_answered")),
    "three_players_money_breaks_the_tie": (3, {}, lambda o, e: "money" in o.note),
    "four_players_forced_withdrawal_and_leftovers": (
        4,
        {},
        lambda o, e: _shows(e, "withdrew", forced=True) and _shows(e, "leftover_bought"),
    ),
    "four_players_many_deliveries": (
        4,
        {},
        lambda o, e: sum(s.lines[0][1] for s in o.scores) >= 16,
    ),
    "four_players_shared_win": (4, {}, lambda o, e: len(o.ranking[0]) > 1),
}
