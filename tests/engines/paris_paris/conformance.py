"""Paris Paris in the conformance suite: what nobody may know, written from the rules alone."""

from __future__ import annotations

import random
from typing import Any

LINES = ("green", "red", "blue", "grey", "orange")
SHOPS = 19


class Scrambler:
    """Deals the unrevealed stacks, the unknown markers, the sack and the seed anew.

    Hidden are: tiles in unrevealed stacks (PR-015), every marker but the viewer's own and the
    face-up one of two players (PR-016 to PR-018), the sack's contents (PR-046, PR-047), and the
    generator (PR-019). What went into the sack was announced, so a player could keep count; but the
    rules forbid to show it, so here any contents are as good as any other.
    """

    def scramble(self, state: Any, viewer: int | None, rand: random.Random) -> Any:
        copy = state.clone()
        copy.rng.seed = f"{rand.getrandbits(128):032x}"
        if state.ended is not None:
            return copy  # all was shown: markers, sack, and there is no stack left
        known = set() if viewer is None else {state.markers[viewer]}
        known |= {state.open_marker} - {None}
        unseen = [line for line in LINES if line not in known]
        rand.shuffle(unseen)
        copy.markers = tuple(
            state.markers[seat] if seat == viewer else unseen.pop() for seat in range(state.seats)
        )
        size = state.seats + 1
        hidden = [tile for stack in state.stacks[state.round :] for tile in stack]
        rand.shuffle(hidden)
        copy.stacks = state.stacks[: state.round] + tuple(
            tuple(hidden[i : i + size]) for i in range(0, len(hidden), size)
        )
        if state.seats > 2:
            for seat in range(state.seats):
                out = sum(owners.count(seat) for owners in state.shops.values())
                copy.sack[seat] = rand.randint(0, SHOPS - 1 - out)  # one is left to be opened
        return copy


MATCHES = 3


def _clear(outcome: Any, events: Any) -> bool:
    return len(outcome.ranking) > 1 and not outcome.note


def _sack_pays(outcome: Any, events: Any) -> bool:
    return any(e.kind == "sack" and e.args["winner"] is not None for e in events)


def _shared(outcome: Any, events: Any) -> bool:
    return len(outcome.ranking[0]) > 1 and "PR-079" in outcome.note


def _fewest_shops(outcome: Any, events: Any) -> bool:
    totals = [outcome.scores[group[0]].total for group in outcome.ranking]
    return "PR-078" in outcome.note and totals[0] == totals[1]


GOLDENS = {
    "two_players": (2, {}, _clear),
    "three_players_sack": (3, {}, _sack_pays),
    "four_players_colours": (4, {"colours": ["green", "grey", "yellow", "violet"]}, _sack_pays),
    "shared_victory": (2, {}, _shared),
    "tie_broken_by_shops": (4, {}, _fewest_shops),
}
