"""Positions of Palermo from the dossier's notation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engines.core.play import Played, play, start
from engines.core.types import Event
from engines.palermo import GAME
from engines.palermo.components import NAMES, find_cell
from engines.palermo.ends import Ends, search
from engines.palermo.moves import (
    BuildDoor,
    MoveCell,
    PlaceStart,
    PoliceKeep,
    Walk,
)
from engines.palermo.phases import trips
from engines.palermo.state import PalermoState

RED, BLUE, GREEN, YELLOW, BLACK = range(5)

CITY_3 = """
F1:2b/sw E1:2a/se D1:3/sw  C1:2b/sw B1:3/se  A1:2b/ne D2:3/nw  D3:1b/nw C2:2a/sw A2:3/sw  E2:1a/nw
B2:2a/nw E3:2a/ne B3:1a/se A3:2b/nw A4:3/nw  B4:3/se  C4:1b/sw B5:2a/se E4:3/se  D4:2a/nw F4:3/sw
D5:1a/se A5:3/sw  F3:3/ne  E5:1a/ne F5:3/se  A6:3/se  F6:1a/ne E6:1a/se C5:2b/se B6:1b/sw C6:2b/sw
"""
EMERGENCY_5 = """
F6:1b/nw F5:1b/ne B6:1b/sw B5:1a/nw A5:1b/ne A6:1a/se D2:1a/ne C2:1b/nw C1:1b/ne D1:1a/nw B4:1a/nw
A4:1a/sw B3:2a/ne B2:2a/ne B1:2b/ne A1:2a/sw A2:2b/nw E6:2a/ne D6:2a/se D5:2b/nw E5:2b/ne C6:2a/sw
D4:2b/ne E4:2b/se C4:3/nw  C3:3/ne  D3:3/se  F2:3/ne  F3:3/nw  E2:3/ne  F1:3/se  F4:3/nw
"""


def tile(word: str) -> BuildDoor:
    """``D3:1a/ne`` as a move."""
    space, _, rest = word.partition(":")
    kind, _, door = rest.partition("/")
    return BuildDoor(kind, space, door)


def fresh(seats: int = 3, at: str = "", words: str = "") -> PalermoState:
    """A match in phase 1: Red is the youngest; Start/Finish and tiles are laid in turn."""
    state, _ = start(GAME, seats, {"youngest": 1})
    if at:
        state = play(GAME, state, RED, PlaceStart(at)).state
    for word in words.split():
        state = builds(state, word).state
    return state


def builds(state: PalermoState, word: str) -> Played:
    """The player whose turn it is lays a tile."""
    return play(GAME, state, state.acting, tile(word))


_city: dict[str, PalermoState] = {}


def city() -> PalermoState:
    """CITY-3 at the start of phase 2, Red to move."""
    if "3" not in _city:
        _city["3"] = fresh(3, "C3", CITY_3)
    return _city["3"].clone()


def cell(name: str) -> int:
    found = find_cell(name)
    assert found is not None, name
    return found


def on(
    state: PalermoState,
    turn: int,
    *,
    pawns: dict[int, str] | None = None,
    stones: dict[int, str] | None = None,
    taken: dict[int, int] | None = None,
    gone: dict[int, Sequence[str]] | None = None,
    keep: dict[int, Sequence[str]] | None = None,
    home: Iterable[int] = (),
) -> PalermoState:
    """A position of phase 2.

    Args:
        state: the city.
        turn: whose turn it is.
        pawns: cells of pawns that have left the fountain.
        stones: cells of police stones.
        taken: chips on movement cards.
        gone: doorways whose chips are among those taken.
        keep: doorways whose chips must still lie there.
        home: players who have arrived.
    """
    state = state.clone()
    for seat in home:
        state.home[seat] = state.gone[seat] = True
        take(state, seat, state.chips_each, (), ())
    for seat, count in (taken or {}).items():
        take(state, seat, count, (gone or {}).get(seat, ()), (keep or {}).get(seat, ()))
    for seat, where in (pawns or {}).items():
        state.pawns[seat] = cell(where)
        state.gone[seat] = True
    for seat, where in (stones or {}).items():
        state.stones[seat] = cell(where)
    while (state.first + state.turn - 1) % state.seats != turn:
        state.turn += 1
    state.pending = []
    state.ask(turn, "wait" if state.home[turn] else "turn")
    GAME.check(state)
    return state


def take(
    state: PalermoState, seat: int, count: int, gone: Sequence[str], keep: Sequence[str]
) -> None:
    """Put chips of a player onto the movement card, named doorways first."""
    mine = [(trips.door_cell(state.tiles[s], s), s) for s, o in enumerate(state.chips) if o == seat]
    first = [s for c, s in mine if NAMES[c] in gone]
    assert len(first) == len(gone)
    rest = [s for c, s in mine if NAMES[c] not in (*gone, *keep)]
    chosen = (first + rest)[:count]
    assert len(chosen) == count
    for space in chosen:
        state.chips[space] = -1
    state.cards[seat] += count


def ends(state: PalermoState) -> Ends:
    """The ends of the player to move."""
    return search(trips.field(state, state.acting))


def stops(state: PalermoState) -> dict[str, int]:
    """Income by doorway."""
    return {NAMES[c]: r for c, r in sorted(ends(state).stops.items())}


def names(mask: int) -> set[str]:
    """A set of cells by name."""
    return {NAMES[c] for c in range(196) if mask >> c & 1}


def listed(state: PalermoState, kind: type[Any], seat: int | None = None) -> list[Any]:
    """The legal moves of a kind."""
    who = state.acting if seat is None else seat
    return [m for m in GAME.legal(state, who) if isinstance(m, kind)]


def exact_and_back(state: PalermoState) -> tuple[set[str], set[str]]:
    """EXACT and BACK ends, which together are the cells offered."""
    found = ends(state)
    assert names(found.exact | found.back) == {m.cell for m in listed(state, MoveCell)}
    return names(found.exact), names(found.back)


def does(state: PalermoState, move: Any, seat: int | None = None) -> Played:
    """Let the player to act (or another) make a move."""
    return play(GAME, state, state.acting if seat is None else seat, move)


def walks(state: PalermoState, path: str) -> Played:
    """A walk of one's own."""
    return does(state, Walk(tuple(path.split())))


def event(played: Played, kind: str) -> Event:
    """The one event of a kind."""
    found = [e for e in played.events if e.kind == kind]
    assert len(found) == 1, [e.kind for e in played.events]
    return found[0]


def passes(state: PalermoState, rounds: int = 1) -> PalermoState:
    """Whole rounds in which pawns walk without collecting and home players keep their stones."""
    for _ in range(rounds * state.seats):
        if state.ended is not None:
            break
        seat = state.acting
        if state.home[seat]:
            state = play(GAME, state, seat, PoliceKeep()).state
        else:
            state = play(GAME, state, seat, listed(state, MoveCell)[0]).state
    return state
