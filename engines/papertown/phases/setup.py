"""Setup (PT-012 to PT-025, PT-095, PT-108 to PT-112)."""

from __future__ import annotations

from engines.core.errors import SetupError
from engines.core.rng import Rng
from engines.core.types import Event
from engines.papertown.components import (
    BANK,
    BLOCKS_PER_KIND,
    CONSTRUCTIONS,
    KINDS,
    SOLO_BLOCKS_PER_KIND,
    SOLO_CONSTRUCTIONS,
    SOLO_STRUCTURES,
    START_CELLS,
    STRUCTURES,
)
from engines.papertown.meta import META, PapertownOptions
from engines.papertown.state import PaperState


def mode_of(seats: int, options: PapertownOptions) -> str:
    """The variant that these options and players mean; alone it is always the solo game.

    Raises:
        SetupError: they do not fit together.
    """
    if seats not in META.seats:
        raise SetupError(f"Papertown takes 1 to 4 players, not {seats}.", "PT-012")
    if options.mode == "pairs" and seats != 4:
        raise SetupError(f"The pairs game needs exactly 4 players, not {seats}.", "PT-093")
    if options.mode == "solo" and seats != 1:
        raise SetupError(f"The solo game is for one player, not {seats}.", "PT-108")
    return "solo" if seats == 1 else options.mode


def own_wishes(options: PapertownOptions) -> tuple[str, ...]:
    """The colours asked for, without those that a partner has asked for already: partners share
    one (PT-094), and a match is replayed with the colours that it was played with."""
    wishes = list(options.colours)
    if options.mode == "pairs":
        for seat in range(2, len(wishes)):
            if wishes[seat] == wishes[seat - 2]:
                wishes[seat] = ""
    return tuple(wishes)


def side_colours(mode: str, given: tuple[str, ...], chosen: tuple[str, ...]) -> tuple[str, ...]:
    """Colour of each seat; partners share one (PT-017, PT-094, PT-098).

    Args:
        mode: variant.
        given: every seat's colour as if all played for themselves.
        chosen: what was asked for in the lobby; empty words are no wish.
    """
    if mode != "pairs":
        return given
    wish = tuple(chosen) + ("",) * 4
    sides: list[str] = []
    for a, b in ((0, 2), (1, 3)):
        sides.append(wish[a] or wish[b])
    for side in (0, 1):
        if not sides[side]:
            sides[side] = next(c for c in META.colours if c not in sides)
    return (sides[0], sides[1], sides[0], sides[1])


def setup(
    seats: int, given: tuple[str, ...], options: PapertownOptions, rng: Rng
) -> tuple[PaperState, list[Event]]:
    """The starting position, dealt in the order of PT-024."""
    mode = mode_of(seats, options)
    if options.first_player != "random":
        first = int(options.first_player) - 1
        if first >= seats:
            raise SetupError(f"There is no seat {first + 1} among {seats} players.", "PT-023")
    else:
        first = rng.below("start", seats) if seats > 1 else 0
    solo = mode == "solo"
    each = SOLO_BLOCKS_PER_KIND if solo else BLOCKS_PER_KIND
    blocks = "".join(rng.shuffle("blocks", [k for k in KINDS for _ in range(each)]))
    constructions = tuple(rng.shuffle("constructions", CONSTRUCTIONS))
    structures = tuple(rng.shuffle("structures", STRUCTURES))
    city = len(START_CELLS)
    state = PaperState(
        seats=seats,
        colours=side_colours(mode, given, options.colours),
        rng=rng,
        mode=mode,
        symmetry=options.gs_symmetry,
        first=first,
        turn=first,
        shown=dict(zip(START_CELLS, blocks, strict=False)),
        bank=blocks[city : city + BANK],
        stack=blocks[city + BANK :],
        constructions=[()] * seats,
        structures=[()] * seats,
        completed=[0] * (2 if mode == "pairs" else seats),
    )
    events = [
        Event(
            "start",
            {
                "mode": mode,
                "first": first,
                "city": tuple(state.shown.items()),
                "bank": state.bank,
                "colours": state.colours,
            },
            reveals=True,
        )
    ]
    if solo:
        events += _deal_solo(state, options.solo_meeples, constructions, structures)
    else:
        events += _deal(state, constructions, structures)
    state.ask(first, "choose")
    return state, events


def _deal(
    state: PaperState, constructions: tuple[str, ...], structures: tuple[str, ...]
) -> list[Event]:
    """Two Constructions (pairs: one) and a Great Structure for everybody."""
    limit = state.limit
    for seat in range(state.seats):
        state.constructions[seat] = constructions[seat * limit : (seat + 1) * limit]
        state.structures[seat] = structures[seat : seat + 1]
    state.construction_deck = constructions[state.seats * limit :]
    state.structure_deck = structures[state.seats :]
    events = [Event("dealt", {"tiles": tuple(state.constructions)}, reveals=True)]
    events += [
        Event("own_structure", {"tile": state.structures[seat][0]}, to=(seat,), reveals=True)
        for seat in range(state.seats)
    ]
    if state.mode == "pairs":
        events.append(Event("silence"))
    return events


def _deal_solo(
    state: PaperState, meeples: int, constructions: tuple[str, ...], structures: tuple[str, ...]
) -> list[Event]:
    """Twelve objectives in the order 1 Great Structure, 3 Constructions; three are revealed."""
    pile: list[str] = []
    each = SOLO_CONSTRUCTIONS // SOLO_STRUCTURES
    for i in range(SOLO_STRUCTURES):
        pile += [structures[i], *constructions[i * each : (i + 1) * each]]
    state.structures[0] = tuple(t for t in pile[:3] if t in STRUCTURES)
    state.constructions[0] = tuple(t for t in pile[:3] if t in CONSTRUCTIONS)
    state.pile = tuple(pile[3:])
    state.box = (*constructions[SOLO_CONSTRUCTIONS:], *structures[SOLO_STRUCTURES:])
    state.pool = "".join(k * (BLOCKS_PER_KIND - SOLO_BLOCKS_PER_KIND) for k in KINDS)
    state.spare = meeples
    return [Event("revealed", {"tiles": tuple(pile[:3])}, reveals=True)]
