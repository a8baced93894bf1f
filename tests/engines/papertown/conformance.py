"""Papertown in the conformance suite: what nobody may know, written from the rules alone."""

from __future__ import annotations

import random
from typing import Any

OPTION_SETS: list[tuple[int | None, dict[str, Any]]] = [
    (1, {}),
    (1, {"mode": "solo", "solo_meeples": 18, "gs_symmetry": "all8"}),
    (1, {"solo_meeples": 0}),
    (2, {}),
    (3, {"gs_symmetry": "rot180", "first_player": "2"}),
    (4, {"gs_symmetry": "all8"}),
    (4, {"mode": "pairs"}),
]


class Scrambler:
    """Deals the piles, the Great Structures of others and what was drawn in secret anew.

    Hidden are: the order of the Block stack and, from everybody but the buyer, the two drawn
    Blocks (PT-022, PT-047); the order of both decks (PT-015); every Great Structure but the
    viewer's own, a partner's too, and those drawn in a swap by another (PT-014, PT-038, PT-097);
    in solo which objectives are in the pile and in the box, though their sorts are known (PT-111,
    PT-112); the generator.
    """

    def scramble(self, state: Any, viewer: int | None, rand: random.Random) -> Any:
        copy = state.clone()
        copy.rng.seed = f"{rand.getrandbits(128):032x}"
        acting = viewer is not None and state.pending and state.pending[0].seat == viewer
        step = state.pending[0].kind if state.pending else ""
        self._blocks(copy, rand, hide_drawn=step == "keep_block" and not acting)
        deck = list(state.construction_deck)
        rand.shuffle(deck)
        copy.construction_deck = tuple(deck)
        if state.mode == "solo":
            self._pile(copy, rand)
        elif state.ended is None:
            drawn = step == "keep_great_structure" and not acting
            self._structures(copy, viewer, rand, hide_drawn=drawn)
        else:
            deck = list(state.structure_deck)
            rand.shuffle(deck)
            copy.structure_deck = tuple(deck)
        return copy

    def _blocks(self, copy: Any, rand: random.Random, hide_drawn: bool) -> None:
        letters = list(copy.stack + (copy.drawn if hide_drawn else ""))
        rand.shuffle(letters)
        if hide_drawn:
            copy.drawn = "".join(letters[:2])
            letters = letters[2:]
        copy.stack = "".join(letters)

    def _structures(
        self, copy: Any, viewer: int | None, rand: random.Random, hide_drawn: bool
    ) -> None:
        unseen = [t for s, own in enumerate(copy.structures) if s != viewer for t in own]
        unseen += copy.structure_deck
        if hide_drawn:
            unseen += copy.drawn_tiles
        rand.shuffle(unseen)
        for seat, own in enumerate(copy.structures):
            if seat != viewer:
                copy.structures[seat] = tuple(unseen.pop() for _ in own)
        if hide_drawn:
            copy.drawn_tiles = tuple(unseen.pop() for _ in copy.drawn_tiles)
        copy.structure_deck = tuple(unseen)

    def _pile(self, copy: Any, rand: random.Random) -> None:
        for sort in ("CN", "GS"):
            unseen = [t for t in (*copy.pile, *copy.box) if t.startswith(sort)]
            rand.shuffle(unseen)
            copy.pile = tuple(unseen.pop() if t.startswith(sort) else t for t in copy.pile)
            copy.box = tuple(unseen.pop() if t.startswith(sort) else t for t in copy.box)


def CHOOSE(game: Any, state: Any, rand: random.Random) -> tuple[int, Any]:
    """A seat and its move for the recorded matches."""
    seat = rand.choice(game.waiting(state))
    return seat, choose(game, state, seat, list(game.legal(state, seat)), rand)


def choose(game: Any, state: Any, seat: int, moves: list[Any], rand: random.Random) -> Any:
    """Sensible moves with some random ones among them, more or fewer from match to match; a swap
    now and then. Random play alone completes next to nothing."""
    wild = int(state.rng.seed[:2], 16) % 5 / 10
    swaps = [m for m in moves if m.kind.startswith("swap")]
    if swaps and rand.random() < 0.05:
        return rand.choice(swaps)
    if state.pending[0].kind in ("keep_constructions", "keep_great_structure"):
        return rand.choice(moves)
    if rand.random() < wild:
        return rand.choice([m for m in moves if m not in swaps])
    return game.safest(state, seat)


def _kinds(events: Any) -> list[str]:
    return [e.kind for e in events]


def _claims(events: Any) -> list[Any]:
    return [e.args for e in events if e.kind == "claimed"]


def _twelve(outcome: Any, events: Any) -> bool:
    great = any(a["objective"].startswith("GS") for a in _claims(events))
    swaps = {"kept_constructions", "kept_structure"} <= set(_kinds(events))
    return outcome.reason == "meeples" and great and swaps


def _stack(outcome: Any, events: Any) -> bool:
    alone = len(outcome.ranking[0]) == 1 and "PT-089" in outcome.note
    return outcome.reason == "stack" and alone and len(outcome.ranking) > 2


def _shared(outcome: Any, events: Any) -> bool:
    best = outcome.ranking[0]
    return outcome.reason == "stack" and len(best) == 2 and outcome.scores[best[0]].total > 3


def _broken(outcome: Any, events: Any) -> bool:
    return "PT-090" in outcome.note


def _pair_wins(outcome: Any, events: Any) -> bool:
    """With a partner's Construction claimed on the way."""
    helped = any(a["seat"] != a["owner"] for a in _claims(events))
    return outcome.reason == "meeples" and helped


def _pair_stack(outcome: Any, events: Any) -> bool:
    return outcome.reason == "stack" and len(outcome.ranking) == 2


def _solo_end(outcome: Any, events: Any) -> bool:
    return outcome.reason == "solo_blocks" and outcome.scores[0].total <= 6


def _solo_complete(outcome: Any, events: Any) -> bool:
    return outcome.reason == "solo_complete"


def _solo_stopped(outcome: Any, events: Any) -> bool:
    return outcome.reason == "solo_stopped"


GOLDENS = {
    "twelfth_meeple_2_players": (2, {}, _twelve),
    "twelfth_meeple_3_players": (3, {"gs_symmetry": "all8", "first_player": "3"}, _twelve),
    "empty_stack_4_players": (4, {"gs_symmetry": "rot180"}, _stack),
    "shared_win": (3, {}, _shared),
    "tie_broken_by_objectives": (3, {}, _broken),
    "pairs_twelfth_meeple": (4, {"mode": "pairs"}, _pair_wins),
    "pairs_empty_stack": (4, {"mode": "pairs"}, _pair_stack),
    "solo_to_the_end": (1, {}, _solo_end),
    "solo_complete": (1, {"solo_meeples": 18}, _solo_complete),
    "solo_stopped": (1, {"mode": "solo"}, _solo_stopped),
}
