"""What holds in every position: nothing was lost or doubled."""

from __future__ import annotations

from engines.core.errors import InvariantError
from engines.palermo.components import (
    ALL_MASK,
    BASE_POINTS,
    CHIPS,
    FOUNTAIN,
    ROOFS,
    SIDE,
    SPACE_MASKS,
    START,
    STREET,
    SUPPLY,
    TILES,
    TYPES,
    spread,
)
from engines.palermo.meta import META
from engines.palermo.phases.building import closed_off
from engines.palermo.state import PalermoState


def _sure(sound: bool, what: str) -> None:
    if not sound:
        raise InvariantError(f"{META.title}: {what}")


def check(state: PalermoState) -> None:
    """Tiles, chips, pawns, stones, points and turn order are consistent."""
    _sure(state.seats in CHIPS and len(state.colours) == state.seats, "number of players (PL-001)")
    _tiles(state)
    _chips(state)
    _pieces(state)
    _turn(state)


def _tiles(state: PalermoState) -> None:
    _sure(len(state.tiles) == len(state.chips) == len(state.builders) == 36, "the 36 spaces")
    used = dict.fromkeys((*TYPES, START, STREET), 0)
    roofs = 0
    for space, name in enumerate(state.tiles):
        if name:
            tile = TILES[name]
            used[tile.type] += 1
            roofs |= ROOFS[space, name]
            _sure(
                (state.builders[space] >= 0) == (tile.door >= 0),
                "a chip was laid with every doorway (PL-022)",
            )
        else:
            _sure(state.builders[space] < 0, "a chip without a tile")
    for kind, total, left in zip(TYPES, SUPPLY, state.supply, strict=True):
        _sure(left >= 0 and used[kind] + left == total, f"the tiles of kind {kind}")
    _sure(int(state.roofs, 16) == roofs, "the roofs")
    _sure(used[START] == (state.start >= 0), "the Start/Finish tile (PL-020)")
    _sure(state.start < 0 or state.tiles[state.start] == START, "the Start/Finish tile (PL-020)")
    _sure(not closed_off(ALL_MASK ^ roofs), "a cell is cut off from the ring (PL-035)")
    if state.walking:
        _sure(all(state.tiles), "phase 2 needs a tile on every space (PL-002)")
        _sure(state.built == state.seats * state.chips_each, "chips were not all laid (PL-023)")


def _chips(state: PalermoState) -> None:
    _sure(state.chips_each == CHIPS[state.seats], "chips of a player (PL-012)")
    laid = [state.builders.count(seat) for seat in range(state.seats)]
    _sure(sum(laid) == state.built, "chips on the board (PL-022)")
    for seat in range(state.seats):
        due = (state.built + (state.first - seat) % state.seats + state.seats - 1) // state.seats
        turn = (seat - state.first) % state.seats
        due = state.built // state.seats + (turn < state.built % state.seats)
        _sure(laid[seat] == due, "the builders' turns (PL-023)")
        on_board = state.chips.count(seat)
        _sure(on_board + state.cards[seat] == laid[seat], "a player's chips do not add up (PL-100)")
    for space, owner in enumerate(state.chips):
        _sure(owner < 0 or owner == state.builders[space], "a chip of someone else (PL-030)")


def _pieces(state: PalermoState) -> None:
    seats, roofs = state.seats, int(state.roofs, 16)
    lists = (
        state.pawns, state.gone, state.home, state.stones, state.cards, state.waits,
        state.income, state.arrival, state.bonus,
    )  # fmt: skip
    _sure(all(len(found) == seats for found in lists), "one of everything per player (PL-011)")
    out = [cell for cell in state.pawns if cell != FOUNTAIN]
    _sure(len(set(out)) == len(out), "two pawns on one cell (PL-065)")
    _sure(not any(roofs >> cell & 1 for cell in out), "a pawn on a roof (PL-061)")
    laid = [cell for cell in state.stones if cell >= 0]
    _sure(len(set(laid)) == len(laid), "two stones on one cell (PL-090)")
    for cell in laid:
        _sure(not roofs >> cell & 1, "a stone on a roof (PL-090)")
        _sure(not SPACE_MASKS[state.start] >> cell & 1, "a stone on the Start tile (PL-092)")
        _sure(all(not spread(1 << cell) >> other & 1 for other in laid), "stones touch (PL-091)")
    for seat in range(seats):
        at_fountain = state.pawns[seat] == FOUNTAIN
        _sure(state.gone[seat] or not state.home[seat], "home before setting out")
        _sure(at_fountain == (state.home[seat] or not state.gone[seat]), "who is at the fountain")
        if state.home[seat]:
            _sure(state.cards[seat] == state.chips_each, "home with chips on the board (PL-110)")
        else:
            _sure(not state.arrival[seat] and not state.bonus[seat], "points for being home")
            _sure(not state.waits[seat], "waiting before being home (PL-119)")
        most = state.cards[seat] * (BASE_POINTS + state.chips_each)
        _sure(0 <= state.income[seat] <= most, "an impossible income (PL-101)")


def _turn(state: PalermoState) -> None:
    for trail in (state.trail, state.last_trip.path if state.last_trip else ()):
        _sure(all(0 <= cell < SIDE * SIDE for cell in trail), "a walk outside the board")
    if state.ended is not None:
        _sure(state.ended in META.end_reasons and not state.pending, "the end")
        _sure(state.walking and not state.trail, "an end in the middle of a move")
        _sure((state.ended == "home") == all(state.home), "an end with pawns on the way (PL-118)")
        return
    _sure(len(state.pending) == 1, "exactly one player is to act")
    if not state.walking:
        due = (state.first + state.built) % state.seats
        _sure(state.turn == 0 and not state.trail, "a pawn moved too early (PL-002)")
    else:
        due = (state.first + state.turn - 1) % state.seats
        _sure(state.turn > 0 and not all(state.home), "the game should be over (PL-118)")
    _sure(state.acting == due, "the wrong player is to act (PL-023, PL-046)")
    if state.trail:
        _sure(0 < state.left <= state.points(state.acting), "points left in a walk (PL-055)")
