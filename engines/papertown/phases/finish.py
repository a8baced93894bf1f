"""The end of a turn: replacements, solo's reveals, the next player or the end (PT-081 to PT-092,
PT-104, PT-114 to PT-122)."""

from __future__ import annotations

from engines.core.errors import InvariantError
from engines.core.types import Event, Seat
from engines.papertown.components import BANK, OBJECTIVES
from engines.papertown.endgame import outcome
from engines.papertown.state import PaperState


def end_match(state: PaperState, reason: str) -> list[Event]:
    """The match is over now (PT-087, PT-088, PT-121, PT-122)."""
    state.ended = reason
    state.pending = []
    result = outcome(state)
    if result is None:
        raise InvariantError("a finished match has no outcome")
    events = []
    if state.mode != "solo":
        held = tuple((s, t) for s, tiles in enumerate(state.structures) for t in tiles)
        events.append(Event("structures", {"held": held}, reveals=True))
    events.append(
        Event(
            "end",
            {
                "reason": reason,
                "mode": state.mode,
                "winners": result.ranking[0],
                "score": result.scores[result.ranking[0][0]].total,
                "note": result.note,
            },
            reveals=True,
        )
    )
    return events


def next_turn(state: PaperState) -> list[Event]:
    """The player to the left is next, unless the Block stack ran out (PT-027, PT-088)."""
    state.turns += 1
    state.placed, state.cover, state.claims = "", False, ()
    if state.mode != "solo" and not state.stack:
        return end_match(state, "stack")
    state.answered(state.turn)
    state.turn = (state.turn + 1) % state.seats
    state.ask(state.turn, "choose")
    return []


def finish_turn(state: PaperState, seat: Seat) -> list[Event]:
    """Draw replacements in claim order, then go on (PT-082)."""
    if state.mode == "solo":
        return _finish_solo(state)
    events = []
    for objective, owner in state.claims:
        if OBJECTIVES[objective].great:
            if not state.structure_deck:
                events.append(Event("no_structure", {"seat": owner}))
                continue
            drawn, state.structure_deck = state.structure_deck[0], state.structure_deck[1:]
            state.structures[owner] += (drawn,)
            events.append(Event("new_structure", {"seat": owner}, reveals=True))
            events.append(Event("own_structure", {"tile": drawn}, to=(owner,), reveals=True))
        else:
            if not state.construction_deck:
                events.append(Event("no_construction", {"seat": owner}))
                continue
            drawn, state.construction_deck = state.construction_deck[0], state.construction_deck[1:]
            state.constructions[owner] += (drawn,)
            events.append(Event("new_construction", {"seat": owner, "tile": drawn}, reveals=True))
    return events + next_turn(state)


def _finish_solo(state: PaperState) -> list[Event]:
    """Refill the bank, reveal objectives, then see whether it is over (PT-114, PT-120, PT-122)."""
    events = []
    while len(state.bank) < BANK and state.stack:
        block, state.stack = state.stack[0], state.stack[1:]
        state.bank += block
        events.append(Event("new_block", {"block": block}, reveals=True))
    fresh = state.pile[: len(state.claims)]
    state.pile = state.pile[len(fresh) :]
    state.fresh = fresh
    for tile in fresh:
        held = state.structures if OBJECTIVES[tile].great else state.constructions
        held[0] += (tile,)
    if fresh:
        events.append(Event("revealed", {"tiles": fresh}, reveals=True))
    state.turns += 1
    state.placed, state.cover, state.claims = "", False, ()
    if not state.pile and not state.constructions[0] and not state.structures[0]:
        return events + end_match(state, "solo_complete")
    if not state.bank and not state.stack and not state.spare:
        return events + end_match(state, "solo_blocks")
    state.next_step(0, "choose")
    return events
