"""Pizzachef in the conformance suite: what nobody may know, written from the rules alone."""

from __future__ import annotations

import random
from typing import Any

from tests.engines.pizzachef.greedy import choose

STEP_CAP = 30_000


def CHOOSE(game: Any, state: Any, rand: random.Random) -> tuple[int, Any]:
    """A seat and its move for the recorded matches."""
    return choose(state, rand)


def _shows(reason: str, *kinds: str) -> Any:
    """A match that ended for the reason and told of all these events."""

    def wanted(outcome: Any, events: list[Any]) -> bool:
        return outcome.reason == reason and {e.kind for e in events} >= set(kinds)

    return wanted


def _shared(outcome: Any, events: list[Any]) -> bool:
    return len(outcome.ranking[0]) > 1


def _busy(outcome: Any, events: list[Any]) -> bool:
    """Off-turn cards, a reservation, rot, an opened order, a refill and a wrong delivery."""
    turn = None
    off_turn = False
    wrong = False
    for event in events:
        if event.kind == "turn":
            turn = event.args["seat"]
        off_turn = off_turn or (event.kind == "card" and event.args["seat"] != turn)
        wrong = wrong or (event.kind == "delivered" and event.args["wrong"])
    kinds = {e.kind for e in events}
    return off_turn and wrong and kinds >= {"reserved", "rotted", "opened", "refill", "pi_open"}


GOLDENS = {
    "solo_won": (1, {}, _shows("solo_won")),
    "solo_too_few_missions": (1, {}, _shows("solo_missions")),
    "solo_no_actions_left": (1, {}, _shows("solo_actions")),
    "solo_given_up": (1, {}, _shows("solo_given_up", "delivered")),
    "two_players": (2, {}, _shows("final_round", "reserved", "card")),
    "two_players_shared_win": (2, {}, _shared),
    "three_players_busy": (3, {}, _busy),
    "four_players": (4, {"colours": ["white", "purple", "", "blue"]},
                     _shows("final_round", "rotted", "shuffled", "lapsed")),
}  # fmt: skip
"""Matches of the simple player, one per end and mode."""

KIND_CARDS = ("missions", "orders", "chef")


def is_pi(card: str) -> bool:
    """“Play immediately” cards are K22 to K27."""
    return card >= "K22"


def is_bag(token: str) -> bool:
    """C1 … C5, doubles, premiums and rotten bags; plain tokens have a kind and two digits."""
    return not token[-2:].isdigit()


class Scrambler:
    """Deals piles, hands of others, hidden tokens, drafts of others and the seed anew.

    Hidden are: the generator (PZ-008); others' missions, undelivered orders and chef cards, and
    what they are choosing from (PZ-005); the order of piles, the faces in the three card discard
    piles, tokens below stack tops and the contents of bags on the market (PZ-006); cards being
    filled in by others (PZ-049). Known are the Fantasias (PZ-059), open orders, an announced order
    and open Play immediately cards. After the end missions and orders have been shown.
    """

    def scramble(self, state: Any, viewer: int | None, rand: random.Random) -> Any:
        copy = state.clone()
        copy.rng.seed = f"{rand.getrandbits(128):032x}"
        over = state.ended is not None
        others = [seat for seat in range(state.seats) if seat != viewer]
        for kind in KIND_CARDS:
            self._cards(copy, kind, [] if over and kind != "chef" else others, rand)
        self._tokens(copy, rand)
        for seat in others:
            copy.drafts[seat] = None
        return copy

    def _cards(self, copy: Any, kind: str, others: list[int], rand: random.Random) -> None:
        choosing = copy.phase == kind or (copy.phase == "play" and copy.draw_kind == kind)
        shown = copy.delivery.order if copy.delivery is not None else ""
        pool = [*copy.piles[kind], *copy.discards[kind]]
        for seat in others:
            pool += self._hand(copy, kind, seat, shown)
            if choosing:
                pool += copy.drawn[seat]
        rand.shuffle(pool)

        def deal(n: int, *, plain: bool) -> list[str]:
            """n cards of the pool; ``plain``: no Play immediately card."""
            taken: list[str] = []
            for card in list(pool):
                if len(taken) < n and not (plain and kind == "chef" and is_pi(card)):
                    taken.append(card)
                    pool.remove(card)
            assert len(taken) == n
            return taken

        for seat in others:
            old = self._hand(copy, kind, seat, shown)
            self._give(copy, kind, seat, old, deal(len(old), plain=True))
        for seat in others:
            if choosing and copy.drawn[seat]:
                marks = [card in copy.kept[seat] for card in copy.drawn[seat]]
                plain = copy.phase != "play"
                copy.drawn[seat] = tuple(deal(len(copy.drawn[seat]), plain=plain))
                kept = [c for c, mark in zip(copy.drawn[seat], marks, strict=True) if mark]
                copy.kept[seat] = () if kind == "chef" else tuple(kept)
        size = len(copy.piles[kind])
        copy.piles[kind], copy.discards[kind] = tuple(pool[:size]), tuple(pool[size:])

    def _hand(self, copy: Any, kind: str, seat: int, shown: str) -> list[str]:
        if kind == "missions":
            return list(copy.missions[seat])
        if kind == "orders":
            return [o for o in copy.orders[seat] if o[0] == "O" and o != shown]
        return [card for card, _ in copy.chef[seat]]

    def _give(self, copy: Any, kind: str, seat: int, old: list[str], new: list[str]) -> None:
        if kind == "missions":
            copy.missions[seat] = tuple(sorted(new))
        elif kind == "orders":
            rest = [o for o in copy.orders[seat] if o not in old]
            copy.orders[seat] = tuple(sorted([*rest, *new]))
        else:
            clocks = [clock for _, clock in copy.chef[seat]]
            copy.chef[seat] = tuple(sorted(zip(new, clocks, strict=True)))

    def _tokens(self, copy: Any, rand: random.Random) -> None:
        def face(token: str) -> tuple[str, bool]:
            red = self._red(token)
            return ("bag" if is_bag(token) else token[0], red)

        pool = [t for stack in copy.stacks for t in stack]
        rand.shuffle(pool)
        tops: dict[int, str] = {}
        for slot, stack in enumerate(copy.stacks):
            if stack:
                tops[slot] = next(t for t in pool if face(t) == face(stack[-1]))
                pool.remove(tops[slot])
        stacks = []
        for slot, stack in enumerate(copy.stacks):
            below = [pool.pop() for _ in stack[1:]]
            stacks.append((*below, tops[slot]) if stack else ())
        copy.stacks = stacks

    def _red(self, token: str) -> bool:
        """Backgrounds by the dossier's table 3.5."""
        if is_bag(token):
            return token in ("C1", "C3", "C5", "DTM", "DPO", "XM", "XF", "RT", "RH", "RP")
        return int(token[1:]) % 2 == 1
