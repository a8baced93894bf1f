"""Palermo: build a town, then walk through it and collect the income."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engines.core.data import load_rules
from engines.core.game import QUIET, Game, command_of
from engines.core.rng import Rng
from engines.core.types import (
    Command,
    Event,
    Move,
    Options,
    Outcome,
    Param,
    Phrase,
    RuleText,
    Seat,
    Viewer,
)
from engines.palermo import invariants, planning, rules, text, views
from engines.palermo.meta import META, PalermoOptions
from engines.palermo.moves import MOVES, AutoWait, Collect, MoveCell, Walk
from engines.palermo.phases import ending, setup
from engines.palermo.state import PalermoState
from engines.palermo.views import PalermoView

BEGIN = "begin"
"""The option of the slash commands for the moves' field ``from``, which is a word of Python."""


class Palermo(Game[PalermoState, Move, PalermoView]):
    """The game of the dossier's rules PL-001 to PL-131."""

    meta = META
    state_type = PalermoState
    view_type = PalermoView
    move_types = MOVES
    options_type = PalermoOptions

    def setup(self, seats: int, options: Options, rng: Rng) -> tuple[PalermoState, list[Event]]:
        youngest = options.youngest if isinstance(options, PalermoOptions) else 0
        return setup.setup(seats, self.seat_colours(seats, options), youngest, rng)

    def legal(self, state: PalermoState, seat: Seat) -> Sequence[Move]:
        return rules.legal(state, seat)

    def apply(self, state: PalermoState, seat: Seat, move: Move) -> list[Event]:
        return rules.apply(state, seat, move)

    def view(self, state: PalermoState, viewer: Viewer) -> PalermoView:
        return views.view(state, viewer)

    def outcome(self, state: PalermoState) -> Outcome | None:
        return ending.outcome(state)

    def check(self, state: PalermoState) -> None:
        invariants.check(state)

    def decisions(self, seats: int) -> tuple[str, ...]:
        return ("place_start", "build", "turn", "walk", "wait")

    def forced(self, state: PalermoState, seat: Seat, move: Move) -> bool:
        """An only move is played by itself: nothing is hidden and nothing else is possible. What a
        waiting player may switch is a wish, not a duty."""
        return not isinstance(move, AutoWait)

    def safest(self, state: PalermoState, seat: Seat) -> Move:
        found: Move = rules.safest(state, seat)
        return found

    def apart(self, state: PalermoState, seat: Seat, move: Move) -> str:
        """Automatic waiting is a setting; others may take back their steps past it (PL-121)."""
        return QUIET if isinstance(move, AutoWait) else ""

    # ---- commands ----------------------------------------------------------------------------

    def commands(self) -> tuple[Command, ...]:
        made = []
        for kind in MOVES:
            command = command_of(kind)
            params = tuple(
                Param(BEGIN if p.name == "origin" else p.name, p.description, p.name != "origin")
                for p in command.params
            )
            made.append(Command(command.name, command.description, params))
        return tuple(made)

    def phrase(self, move: Move) -> Phrase:
        plain = super().phrase(move)
        if isinstance(move, AutoWait):
            return Phrase(plain.command, {"on": "on" if move.on else "off"})
        args = {(BEGIN if k == "origin" else k): v for k, v in plain.args.items()}
        return Phrase(plain.command, args)

    def parse(self, command: str, args: Mapping[str, str]) -> Move:
        words = dict(args)
        origin = words.pop(BEGIN, None) if command in (Collect.command, MoveCell.command) else None
        if command == Walk.command and "path" in words:
            for sign in ("→", "->", ">", "-", ";"):
                words["path"] = words["path"].replace(sign, " ")
        if command == AutoWait.command and "on" in words:
            words["on"] = "true" if text.switch(words["on"]) else "false"
        move = super().parse(command, words)
        if origin is not None and isinstance(move, (Collect, MoveCell)):
            return msgspec.structs.replace(move, origin=origin)
        return move

    # ---- words -------------------------------------------------------------------------------

    def narrate(self, event: Event) -> str:
        return text.narrate(event)

    def board_text(self, view: PalermoView) -> str:
        return text.board_text(view)

    def alt(self, view: PalermoView) -> str:
        return text.alt(view)

    def prompt(self, view: PalermoView, seat: Seat) -> str:
        return text.prompt(view, seat)

    def describe(self, view: PalermoView, move: Move) -> str:
        return text.describe(view, move)

    def label(self, view: PalermoView, command: str, param: str, value: str) -> str:
        return text.label(view, command, param, value)

    def facet(self, view: PalermoView, command: str, param: str, value: str) -> str:
        return text.facet(param, value)

    def meaning(
        self,
        view: PalermoView,
        command: str,
        args: Mapping[str, str],
        before: Sequence[Phrase] = (),
    ) -> str | None:
        return planning.meaning(view, command, args)

    def foreseen(self, view: PalermoView, command: str, param: str) -> Sequence[str]:
        return planning.foreseen(view, command, param)

    def rules_help(self) -> Sequence[RuleText]:
        return load_rules(__package__)


GAME: Game[Any, Any, Any] = Palermo()
