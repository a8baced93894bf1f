"""Paris Paris: shops at the bus stops, and who is there when the bus comes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.core.data import load_rules
from engines.core.game import Game, command_of
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
from engines.paris_paris import planning, rules, text, views
from engines.paris_paris.components import tile_parts
from engines.paris_paris.meta import META
from engines.paris_paris.moves import OpenBusiness
from engines.paris_paris.state import ParisState
from engines.paris_paris.views import ParisView


class ParisParis(Game[ParisState, OpenBusiness, ParisView]):
    """The game of the dossier's rules PR-001 to PR-082."""

    meta = META
    state_type = ParisState
    view_type = ParisView
    move_types = (OpenBusiness,)

    def setup(self, seats: int, options: Options, rng: Rng) -> tuple[ParisState, list[Event]]:
        return rules.setup(seats, self.seat_colours(seats, options), rng)

    def legal(self, state: ParisState, seat: Seat) -> Sequence[OpenBusiness]:
        return rules.legal(state, seat)

    def apply(self, state: ParisState, seat: Seat, move: OpenBusiness) -> list[Event]:
        return rules.open_business(state, seat, move)

    def view(self, state: ParisState, viewer: Viewer) -> ParisView:
        return views.view(state, viewer)

    def outcome(self, state: ParisState) -> Outcome | None:
        return rules.outcome(state)

    def check(self, state: ParisState) -> None:
        rules.check(state)

    def decisions(self, seats: int) -> tuple[str, ...]:
        return ("open_business",)

    def safest(self, state: ParisState, seat: Seat) -> OpenBusiness:
        """An opening that removes no own shop, at a free place if there is one."""

        def cost(move: OpenBusiness) -> int:
            stop = tile_parts(move.tile)[0]
            gone = rules.shop_to_go(state, stop, move.remove)
            return 0 if gone is None else 2 if gone == seat else 1

        return min(rules.legal(state, seat), key=cost)

    def commands(self) -> tuple[Command, ...]:
        made = command_of(OpenBusiness)
        tile, remove = made.params
        return (
            Command(made.name, made.description, (type(tile)(tile.name, tile.description), remove)),
        )

    def narrate(self, event: Event) -> str:
        return text.narrate(event)

    def board_text(self, view: ParisView) -> str:
        return text.board_text(view)

    def alt(self, view: ParisView) -> str:
        return text.alt(view)

    def prompt(self, view: ParisView, seat: Seat) -> str:
        return text.prompt(view, seat)

    def describe(self, view: ParisView, move: OpenBusiness) -> str:
        return text.describe(view, move)

    def label(self, view: ParisView, command: str, param: str, value: str) -> str:
        return text.label(view, param, value)

    def hand(self, view: ParisView) -> Hand | None:
        return text.hand(view)

    def open_choice(self, state: ParisState, seat: Seat) -> bool:
        """Tiles and shops lie open; the secret markers limit nothing."""
        return True

    def meaning(
        self,
        view: ParisView,
        command: str,
        args: Mapping[str, str],
        before: Sequence[Phrase] = (),
    ) -> str | None:
        return planning.meaning(view, args)

    def foreseen(self, view: ParisView, command: str, param: str) -> Sequence[str]:
        return planning.foreseen(view, param)

    def rules_help(self) -> Sequence[RuleText]:
        return load_rules(__package__)


GAME = ParisParis()
