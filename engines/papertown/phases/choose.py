"""The choice of a turn and the way to a Block (PT-028, PT-044 to PT-049, PT-114 to PT-118)."""

from __future__ import annotations

from engines.core.errors import IllegalMove
from engines.core.types import Event, Move, Seat, listing
from engines.papertown.components import KIND_NAMES, KINDS, kind_of
from engines.papertown.moves import (
    BuyBank,
    DrawBlocks,
    EndSolo,
    KeepBlock,
    SpendMeeple,
    SwapConstructions,
    SwapGreatStructure,
)
from engines.papertown.phases.finish import end_match
from engines.papertown.state import PaperState

BUY = {k: BuyBank(k) for k in KINDS}
KEEP = {k: KeepBlock(k) for k in KINDS}
SPEND = {k: SpendMeeple(k) for k in KINDS}


def legal(state: PaperState) -> list[Move]:
    """What a turn may be: a Block from the bank or the stack, or a swap; solo has its own."""
    moves: list[Move] = [BUY[k] for k in KINDS if k in state.bank]
    if state.mode == "solo":
        if state.spare:
            moves += [SPEND[k] for k in KINDS if k in state.pool]
        if not state.bank and not state.stack:
            moves.append(EndSolo())
        return moves
    if state.stack:
        moves.append(DrawBlocks())
    if state.construction_deck:
        moves.append(SwapConstructions())
    if state.structure_deck:
        moves.append(SwapGreatStructure())
    return moves


def legal_keep(state: PaperState) -> list[Move]:
    """One of the drawn Blocks."""
    return [KEEP[k] for k in KINDS if k in state.drawn]


def kind(word: str) -> str:
    """The kind that a player named.

    Raises:
        IllegalMove: there is no such kind.
    """
    found = kind_of(word)
    if found is None:
        names = [f"{name} ({letter})" for letter, name in KIND_NAMES.items()]
        raise IllegalMove(
            "PT-001", f"There is no such kind of Block. The six are {listing(names)}.", names
        )
    return found


def block_words(letters: str) -> str:
    """Blocks for a sentence: ``2 lake, 1 park``.

    >>> block_words("LPL"), block_words("")
    ('2 lake and 1 park', 'nothing')
    """
    counted = {k: letters.count(k) for k in dict.fromkeys(letters)}
    return listing([f"{n} {KIND_NAMES[k]}" for k, n in counted.items()]) or "nothing"


def buy_bank(state: PaperState, seat: Seat, move: BuyBank) -> list[Event]:
    """Take a face-up Block; the bank is not refilled (PT-045)."""
    block = kind(move.block)
    if block not in state.bank:
        raise IllegalMove(
            "PT-045",
            f"There is no {KIND_NAMES[block]} Block in the bank; it holds "
            f"{block_words(state.bank)}.",
            [KIND_NAMES[k] for k in KINDS if k in state.bank],
        )
    state.bank = state.bank.replace(block, "", 1)
    state.hand = block
    state.next_step(seat, "place")
    return [Event("bought", {"seat": seat, "block": block})]


def draw_blocks(state: PaperState, seat: Seat, move: DrawBlocks) -> list[Event]:
    """Draw two unseen Blocks (PT-046)."""
    if state.mode == "solo":
        raise IllegalMove("PT-115", "In the solo game you cannot draw unseen Blocks.")
    state.drawn, state.stack = state.stack[:2], state.stack[2:]
    state.next_step(seat, "keep_block")
    return [
        Event("drew_blocks", {"seat": seat, "count": len(state.drawn)}, reveals=True),
        Event("own_blocks", {"blocks": state.drawn}, to=(seat,), reveals=True),
    ]


def keep_block(state: PaperState, seat: Seat, move: KeepBlock) -> list[Event]:
    """Keep one, put the other into the bank (PT-046, PT-047)."""
    block = kind(move.block)
    if block not in state.drawn:
        drawn = [KIND_NAMES[k] for k in state.drawn]
        raise IllegalMove("PT-046", f"You drew {listing(drawn)}: keep one of these.", drawn)
    other = state.drawn.replace(block, "", 1)
    state.hand, state.drawn = block, ""
    state.bank += other
    state.next_step(seat, "place")
    return [Event("kept_block", {"seat": seat, "block": block, "other": other}, reveals=True)]


def spend_meeple(state: PaperState, seat: Seat, move: SpendMeeple) -> list[Event]:
    """Solo: take any Block that is out of play (PT-117)."""
    if state.mode != "solo":
        raise IllegalMove("PT-117", "Meeples are spent for Blocks in the solo game only.")
    block = kind(move.block)
    if not state.spare:
        raise IllegalMove("PT-117", "You have no meeple left to spend.")
    if block not in state.pool:
        raise IllegalMove(
            "PT-117",
            f"No {KIND_NAMES[block]} Block is out of play any more; there are "
            f"{block_words(state.pool)}.",
        )
    state.spare -= 1
    state.pool = state.pool.replace(block, "", 1)
    state.hand = block
    state.next_step(seat, "place")
    return [Event("spent", {"seat": seat, "block": block, "left": state.spare})]


def end_solo(state: PaperState, seat: Seat, move: EndSolo) -> list[Event]:
    """Solo: stop with meeples left (PT-122)."""
    if state.mode != "solo":
        raise IllegalMove("PT-122", "Only the solo game can be ended like this.")
    if state.bank or state.stack:
        raise IllegalMove(
            "PT-122",
            f"Blocks are still available: the bank holds {block_words(state.bank)}.",
        )
    return [Event("stopped", {"seat": seat}), *end_match(state, "solo_stopped")]
