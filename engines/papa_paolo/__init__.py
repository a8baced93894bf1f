"""Papà Paolo: roads, pizzerias and deliveries in Naples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.core.data import load_rules
from engines.core.game import QUIET, Game
from engines.core.rng import Rng
from engines.core.types import (
    Command,
    Event,
    Hand,
    Move,
    Options,
    Outcome,
    Phrase,
    RuleText,
    Seat,
    Viewer,
)
from engines.papa_paolo import (
    audit,
    away,
    board_text,
    narration,
    planning,
    rules,
    surface,
    text,
    views,
)
from engines.papa_paolo.meta import META
from engines.papa_paolo.moves import MOVES, StandingBid
from engines.papa_paolo.phases import scoring, starting
from engines.papa_paolo.state import PaoloState
from engines.papa_paolo.views import PaoloView


class PapaPaolo(Game[PaoloState, Move, PaoloView]):
    """The game of the dossier's rules PP-001 to PP-123."""

    meta = META
    state_type = PaoloState
    view_type = PaoloView
    move_types = MOVES

    def setup(self, seats: int, options: Options, rng: Rng) -> tuple[PaoloState, list[Event]]:
        state, events = starting.setup(seats, self.seat_colours(seats, options), rng)
        return state, events + rules.proceed(state)

    def legal(self, state: PaoloState, seat: Seat) -> Sequence[Move]:
        return rules.legal(state, seat)

    def apply(self, state: PaoloState, seat: Seat, move: Move) -> list[Event]:
        return rules.apply(state, seat, move)

    def view(self, state: PaoloState, viewer: Viewer) -> PaoloView:
        return views.view(state, viewer)

    def outcome(self, state: PaoloState) -> Outcome | None:
        return scoring.outcome(state)

    def check(self, state: PaoloState) -> None:
        audit.check(state)

    def decisions(self, seats: int) -> tuple[str, ...]:
        always = ("place_meeple", "act", "stock", "invest", "routes", "route")
        if seats == 2:
            return (*always, "keep_start_tile", "start_coin", "add_coin", "claim_large",
                    "claim_facing")  # fmt: skip
        return (*always, "bid", "rebid", "pick_investment", "buy_investment")

    def forced(self, state: PaoloState, seat: Seat, move: Move) -> bool:
        return away.forced(state, move)

    def safest(self, state: PaoloState, seat: Seat) -> Move:
        return away.safest(state, seat, rules.legal(state, seat))

    def apart(self, state: PaoloState, seat: Seat, move: Move) -> str:
        """Phases D and E are simultaneous; a maximum left while others are on turn is private."""
        if isinstance(move, StandingBid):
            return "" if state.decision_of(seat) else QUIET
        letter = rules.APART.get(state.phase)
        return f"{letter}{state.round}" if letter else ""

    def narrate(self, event: Event) -> str:
        return narration.narrate(event)

    def board_text(self, view: PaoloView) -> str:
        return board_text.board_text(view)

    def alt(self, view: PaoloView) -> str:
        return board_text.alt(view)

    def prompt(self, view: PaoloView, seat: Seat) -> str:
        return text.prompt(view, seat)

    def describe(self, view: PaoloView, move: Move) -> str:
        return text.describe(view, move)

    def label(self, view: PaoloView, command: str, param: str, value: str) -> str:
        return text.label(view, command, param, value)

    def hand(self, view: PaoloView) -> Hand | None:
        return text.hand(view)

    def open_choice(self, state: PaoloState, seat: Seat) -> bool:
        due = state.decision_of(seat)
        return due is not None and due.kind in planning.OPEN

    def meaning(
        self,
        view: PaoloView,
        command: str,
        args: Mapping[str, str],
        before: Sequence[Phrase] = (),
    ) -> str | None:
        return planning.meaning(view, command, args, before)

    def foreseen(self, view: PaoloView, command: str, param: str) -> Sequence[str]:
        return planning.foreseen(view, command, param)

    def rules_help(self) -> Sequence[RuleText]:
        return load_rules(__package__)

    def commands(self) -> tuple[Command, ...]:
        return surface.COMMANDS

    def phrase(self, move: Move) -> Phrase:
        return surface.phrase(move)

    def parse(self, command: str, args: Mapping[str, str]) -> Move:
        return surface.parse(command, args)


GAME = PapaPaolo()
