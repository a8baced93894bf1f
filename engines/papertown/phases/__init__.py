"""The phases of a turn, in order.

``choose`` → (``keep_block`` →) ``place`` → ``claim`` → next player; or ``choose`` →
``keep_constructions`` or ``keep_great_structure`` → next player (PT-028).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines.core.errors import IllegalMove, NotYourTurn
from engines.core.types import Event, Move, Seat, listing
from engines.papertown.components import KIND_NAMES, OBJECTIVES, objective_of
from engines.papertown.moves import (
    BuyBank,
    Claim,
    DrawBlocks,
    EndSolo,
    FinishTurn,
    KeepBlock,
    KeepConstructions,
    KeepGreatStructure,
    Place,
    SpendMeeple,
    SwapConstructions,
    SwapGreatStructure,
)
from engines.papertown.phases import choose, finish, place, swap
from engines.papertown.phases import claim as claims
from engines.papertown.state import PaperState


def _finish(state: PaperState, seat: Seat, move: FinishTurn) -> list[Event]:
    found = claims.open_claims(state, seat)
    if not claims.may_finish(state, seat, found):
        due = [t for t, owner, _ in found if owner == seat] or [t for t, _, _ in found]
        words = [OBJECTIVES[t].words for t in due]
        raise IllegalMove(
            "PT-072", f"First claim what your Block completes: {listing(words)}.", words
        )
    return finish.finish_turn(state, seat)


Act = Callable[[PaperState, Seat, Any], list[Event]]

PHASES: dict[str, dict[type[Move], Act]] = {
    "choose": {
        BuyBank: choose.buy_bank,
        DrawBlocks: choose.draw_blocks,
        SwapConstructions: swap.swap_constructions,
        SwapGreatStructure: swap.swap_great_structure,
        SpendMeeple: choose.spend_meeple,
        EndSolo: choose.end_solo,
    },
    "keep_block": {KeepBlock: choose.keep_block},
    "place": {Place: place.place},
    "claim": {Claim: claims.claim, FinishTurn: _finish},
    "keep_constructions": {KeepConstructions: swap.keep_constructions},
    "keep_great_structure": {KeepGreatStructure: swap.keep_great_structure},
}
"""Which moves each phase takes, and what makes them."""


def legal(state: PaperState, seat: Seat) -> list[Move]:
    """Every move of the seat in this phase."""
    if not state.pending or state.pending[0].seat != seat:
        return []
    match state.pending[0].kind:
        case "choose":
            return choose.legal(state)
        case "keep_block":
            return choose.legal_keep(state)
        case "place":
            return place.legal(state, seat)
        case "claim":
            return claims.legal(state, seat)
        case "keep_constructions":
            return swap.legal_constructions(state, seat)
        case _:
            return swap.legal_structures(state, seat)


def apply(state: PaperState, seat: Seat, move: Move) -> list[Event]:
    """Make a move in place."""
    if state.ended is not None:
        raise IllegalMove("PT-087", "The game is over.")
    if seat != state.turn:
        raise NotYourTurn("PT-027", f"It is not your turn. {{seat:{state.turn}}} is playing.")
    act = PHASES[state.phase].get(type(move))
    if act is None:
        raise _wrong_step(state, move)
    return act(state, seat, move)


def _wrong_step(state: PaperState, move: Move) -> IllegalMove:
    """Why this kind of move is not possible in this step of the turn."""
    if state.mode == "solo":
        if isinstance(move, (DrawBlocks, KeepBlock)):
            return IllegalMove("PT-115", "In the solo game you cannot draw unseen Blocks.")
        if isinstance(
            move, (SwapConstructions, KeepConstructions, SwapGreatStructure, KeepGreatStructure)
        ):
            return IllegalMove("PT-116", "In the solo game objectives cannot be swapped.")
    match state.phase:
        case "choose":
            return _not_begun(state, move)
        case "keep_block":
            drawn = [KIND_NAMES[k] for k in state.drawn]
            return IllegalMove(
                "PT-049",
                f"You already drew {listing(drawn)}: choose the one to keep, then place it.",
                drawn,
            )
        case "place":
            return IllegalMove(
                "PT-049",
                f"You already have a {KIND_NAMES[state.hand]} Block: place it in the city first.",
            )
        case "claim":
            return IllegalMove(
                "PT-028",
                "One action a turn: your Block is placed. Claim what it completes, or finish "
                "your turn.",
            )
        case "keep_constructions":
            return IllegalMove(
                "PT-028", "One action a turn: you are swapping. Choose which Constructions to keep."
            )
        case _:
            return IllegalMove(
                "PT-028", "One action a turn: you are swapping. Choose the Great Structure to keep."
            )


def _not_begun(state: PaperState, move: Move) -> IllegalMove:
    """Why a later step cannot be the first of a turn."""
    match move:
        case FinishTurn():
            return IllegalMove("PT-029", "There is no pass. Choose an action: buy a Block or swap.")
        case Place():
            return IllegalMove("PT-028", "You have no Block to place yet: take one first.")
        case Claim():
            if state.mode == "solo" and objective_of(move.objective) in state.fresh:
                return IllegalMove("PT-084", "New objectives count only from your next Block on.")
            return IllegalMove(
                "PT-070",
                "An objective is completed only by placing one of its Blocks in this turn. What "
                "stands already does not count.",
            )
        case KeepBlock():
            return IllegalMove("PT-046", "You have not drawn any Blocks.")
        case KeepConstructions():
            return IllegalMove("PT-030", "You have not drawn any Constructions.")
        case _:
            return IllegalMove("PT-038", "You have not drawn any Great Structures.")
