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
