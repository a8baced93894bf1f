"""Phase 2, turn by turn: who is to move, the waiting bonus, what is open to whom (PL-045 to
PL-052, PL-115 to PL-119)."""

from __future__ import annotations

from engines.core.errors import IllegalMove
from engines.core.types import Event, Move, Seat
from engines.palermo.components import BONUS, STALEMATE
from engines.palermo.moves import AutoWait, PoliceKeep
from engines.palermo.phases import police, trips
from engines.palermo.phases.ending import finish
from engines.palermo.state import PalermoState


def begin(state: PalermoState) -> list[Event]:
    """All pawns stand at the fountain; the first player begins (PL-045, PL-046)."""
    state.walking = True
    return [Event("walking", {"seat": state.first}), *next_turn(state)]


def next_turn(state: PalermoState) -> list[Event]:
    """Start the next turn; turns of waiting players may pass by themselves (PL-119)."""
    happened: list[Event] = []
    while True:
        if state.turn and state.turn % state.seats == 0:
            state.quiet = 0 if state.progress else state.quiet + 1
            state.progress = False
            if state.quiet >= STALEMATE:
                return happened + finish(state, "stalemate")
        seat = (state.first + state.turn) % state.seats
        state.turn += 1
        state.policed = False
        if state.home[seat]:
            state.bonus[seat] += BONUS[state.seats]
            frozen = state.frozen_by(seat)
            passes = state.waits[seat] or frozen is not None
            happened.append(
                Event(
                    "bonus",
                    {
                        "seat": seat, "points": BONUS[state.seats], "passes": passes,
                        "frozen": None if state.waits[seat] else frozen,
                    },
                )
            )  # fmt: skip
            if passes:
                continue
        state.ask(seat, "wait" if state.home[seat] else "turn")
        return happened


_ON, _OFF, _KEEP = AutoWait(True), AutoWait(False), PoliceKeep()


def legal(state: PalermoState, seat: Seat) -> list[Move]:
    """Every move open to the seat: pawn, then police; a home player's police and waiting."""
    acts = state.acting == seat
    if not state.home[seat]:
        if not acts:
            return []
        return [*trips.legal(state, seat), *police.legal(state, seat)]
    if not acts:
        return [_OFF if state.waits[seat] else _ON]
    moves: list[Move] = [*police.legal(state, seat), _KEEP, _ON]
    if state.waits[seat]:
        moves.append(_OFF)
    return moves


def keep(state: PalermoState, seat: Seat) -> list[Event]:
    """A home player leaves the stone: the turn is over (PL-117)."""
    if not state.home[seat]:
        raise IllegalMove(
            "PL-052",
            "Your pawn must move in every turn until it is home. The stone stays where it is by "
            "itself if you do not move it.",
        )
    state.answered(seat)
    return [Event("kept", {"seat": seat}), *next_turn(state)]


def auto_wait(state: PalermoState, seat: Seat, move: AutoWait) -> list[Event]:
    """Switch automatic waiting (PL-119); on in the own turn passes it."""
    if not state.home[seat]:
        raise IllegalMove("PL-119", "Only a player whose pawn is home can wait automatically.")
    acts = state.acting == seat
    if move.on == state.waits[seat] and not (acts and move.on):
        word = "on" if move.on else "off"
        raise IllegalMove("PL-119", f"Automatic waiting is {word} already.")
    state.waits[seat] = move.on
    happened = [Event("waits", {"seat": seat, "on": move.on})]
    if acts and move.on:
        state.answered(seat)
        happened += next_turn(state)
    return happened


def after_police(state: PalermoState, seat: Seat) -> list[Event]:
    """The pawn's part of the turn, or the next turn if the pawn is home."""
    state.answered(seat)
    if state.home[seat]:
        return next_turn(state)
    state.policed = True
    state.ask(seat, "turn")
    return []


def after_trip(state: PalermoState, seat: Seat) -> list[Event]:
    """The next turn, or the end if nobody is left to come home (PL-118)."""
    state.answered(seat)
    if all(state.home):
        return finish(state, "home")
    return next_turn(state)
