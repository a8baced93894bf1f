"""Papertown: one city built together, lined up for one's own objectives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.core.data import load_rules
from engines.core.game import Game
from engines.core.rng import Rng
from engines.core.types import Event, Hand, Move, Options, Outcome, Phrase, RuleText, Seat, Viewer
from engines.papertown import advice, check, endgame, narration, phases, planning, text, views
from engines.papertown.meta import META, PapertownOptions
from engines.papertown.moves import MOVES, BuyBank
from engines.papertown.phases.setup import own_wishes, setup
from engines.papertown.state import PaperState
from engines.papertown.views import PaperView


class Papertown(Game[PaperState, Move, PaperView]):
    """The game of the rules PT-001 to PT-129."""

    meta = META
    state_type = PaperState
    view_type = PaperView
    move_types = MOVES
    options_type = PapertownOptions

    def setup(self, seats: int, options: Options, rng: Rng) -> tuple[PaperState, list[Event]]:
        chosen = PapertownOptions.model_validate(options.model_dump())
        free = Options(colours=own_wishes(chosen))
        return setup(seats, self.seat_colours(seats, free), chosen, rng)

    def legal(self, state: PaperState, seat: Seat) -> Sequence[Move]:
        return phases.legal(state, seat)

    def apply(self, state: PaperState, seat: Seat, move: Move) -> list[Event]:
        return phases.apply(state, seat, move)

    def view(self, state: PaperState, viewer: Viewer) -> PaperView:
        return views.view(state, viewer)

    def outcome(self, state: PaperState) -> Outcome | None:
        return endgame.outcome(state)

    def check(self, state: PaperState) -> None:
        check.check(state)

    def decisions(self, seats: int) -> tuple[str, ...]:
        always = ("choose", "place", "claim")
        if seats == 1:
            return always
        return (*always, "keep_block", "keep_constructions", "keep_great_structure")

    def forced(self, state: PaperState, seat: Seat, move: Move) -> bool:
        """Only solo's last kind of Block. An end of the turn played by itself would tell that a
        secret Great Structure is not complete (PT-127), and keeping a Block shows both."""
        return state.mode == "solo" and isinstance(move, BuyBank)

    def safest(self, state: PaperState, seat: Seat) -> Move:
        return advice.safest(state, seat)

    def narrate(self, event: Event) -> str:
        return narration.narrate(event)

    def board_text(self, view: PaperView) -> str:
        return text.board_text(view)

    def prompt(self, view: PaperView, seat: Seat) -> str:
        return text.prompt(view, seat)

    def describe(self, view: PaperView, move: Move) -> str:
        return text.describe(view, move)

    def label(self, view: PaperView, command: str, param: str, value: str) -> str:
        return text.label(view, command, param, value)

    def facet(self, view: PaperView, command: str, param: str, value: str) -> str:
        return text.facet(view, param, value)

    def hand(self, view: PaperView) -> Hand | None:
        return text.hand(view)

    def alt(self, view: PaperView) -> str:
        return text.alt(view)

    def open_choice(self, state: PaperState, seat: Seat) -> bool:
        return state.phase in planning.OPEN

    def meaning(
        self,
        view: PaperView,
        command: str,
        args: Mapping[str, str],
        before: Sequence[Phrase] = (),
    ) -> str | None:
        return planning.meaning(view, command, args, before)

    def foreseen(self, view: PaperView, command: str, param: str) -> Sequence[str]:
        return planning.foreseen(view, command, param)

    def rules_help(self) -> Sequence[RuleText]:
        return load_rules(__package__)


GAME = Papertown()
