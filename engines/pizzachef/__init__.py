"""Pizzachef: collect toppings on the market, deliver pizzas, earn the most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from engines.core.data import load_rules
from engines.core.game import Game
from engines.core.rng import Rng
from engines.core.types import (
    Command,
    Event,
    Hand,
    Options,
    Outcome,
    Phrase,
    RuleText,
    Seat,
    Viewer,
)
from engines.pizzachef import narration, planning, text, views, words
from engines.pizzachef.meta import META
from engines.pizzachef.moves import MOVE_TYPES, AnyMove
from engines.pizzachef.phases import away, flow, scoring, setup, upkeep
from engines.pizzachef.state import PizzaState
from engines.pizzachef.views import PizzaView


class Pizzachef(Game[PizzaState, AnyMove, PizzaView]):
    """The game of the dossier's rules PZ-001 to PZ-129."""

    meta = META
    state_type = PizzaState
    view_type = PizzaView
    move_types = MOVE_TYPES

    def setup(self, seats: int, options: Options, rng: Rng) -> tuple[PizzaState, list[Event]]:
        return setup.setup(seats, self.seat_colours(seats, options), rng)

    def waiting(self, state: PizzaState) -> tuple[Seat, ...]:
        return flow.waiting(state)

    def decisions(self, seats: int) -> tuple[str, ...]:
        return flow.decisions(seats)

    def legal(self, state: PizzaState, seat: Seat) -> Sequence[AnyMove]:
        return flow.legal(state, seat)

    def apply(self, state: PizzaState, seat: Seat, move: AnyMove) -> list[Event]:
        return flow.apply(state, seat, move)

    def view(self, state: PizzaState, viewer: Viewer) -> PizzaView:
        return views.view(state, viewer)

    def outcome(self, state: PizzaState) -> Outcome | None:
        return scoring.outcome(state)

    def check(self, state: PizzaState) -> None:
        upkeep.check(state)

    def safest(self, state: PizzaState, seat: Seat) -> AnyMove:
        return away.safest(state, seat)

    def skip(self, state: PizzaState, seat: Seat) -> AnyMove:
        return away.skip(state, seat)

    def apart(self, state: PizzaState, seat: Seat, move: AnyMove) -> str:
        return flow.apart(state, seat, move)

    def commands(self) -> tuple[Command, ...]:
        return words.COMMANDS

    def phrase(self, move: AnyMove) -> Phrase:
        return words.phrase(move)

    def parse(self, command: str, args: Mapping[str, str]) -> AnyMove:
        return cast(AnyMove, words.parse(command, args))

    def narrate(self, event: Event) -> str:
        return narration.narrate(event)

    def board_text(self, view: PizzaView) -> str:
        return text.board_text(view)

    def prompt(self, view: PizzaView, seat: Seat) -> str:
        return text.prompt(view, seat)

    def describe(self, view: PizzaView, move: AnyMove) -> str:
        return text.describe(view, move)

    def label(self, view: PizzaView, command: str, param: str, value: str) -> str:
        return text.label(view, command, param, value)

    def facet(self, view: PizzaView, command: str, param: str, value: str) -> str:
        return text.facet(view, command, param, value)

    def hand(self, view: PizzaView) -> Hand | None:
        return text.hand(view)

    def alt(self, view: PizzaView) -> str:
        return text.alt(view)

    def meaning(
        self,
        view: PizzaView,
        command: str,
        args: Mapping[str, str],
        before: Sequence[Phrase] = (),
    ) -> str | None:
        return planning.meaning(view, command, args, before)

    def foreseen(self, view: PizzaView, command: str, param: str) -> Sequence[str]:
        return planning.foreseen(view, command, param)

    def rules_help(self) -> Sequence[RuleText]:
        return load_rules(__package__)


GAME = Pizzachef()
