"""A Pizzachef view as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from PIL import Image

from engines.core.types import Seat, listing
from engines.pizzachef.components import KIND_NAMES
from engines.pizzachef.meta import META
from engines.pizzachef.moves import AnyMove
from engines.pizzachef.views import PizzaView
from render.kit.canvas import Canvas, Panel
from render.kit.contract import Painter
from render.kit.type import fit, people
from render.pizzachef import hands, players, sample, village
from render.pizzachef.colours import piece
from render.pizzachef.layout import DELIVERY_H


class PizzaPainter(Painter[PizzaView, AnyMove]):
    """Draws Pizzachef."""

    def board(
        self,
        view: PizzaView,
        names: Sequence[str],
        *,
        moves: Sequence[AnyMove] = (),
        focus: Seat | None = None,
    ) -> Image.Image:
        """The village and the players; ``focus`` shows a player's pizzas large."""
        who = people(names, view.seats)
        chips = village.chips_of(view, who)
        end = village.village_end(len(chips))
        band = DELIVERY_H if view.delivery is not None else 0
        height = end + 8 + band + players.rows_height(view, focus) + 26
        sheet = Canvas.on(village.ground(height, end))
        _header(sheet, view, who)
        village.houses(sheet, view, len(chips))
        village.market(sheet, view)
        village.strip(sheet, view, chips)
        village.candidates(sheet, view, moves, len(chips))
        y = village.delivery(sheet, view, end + 8, who)
        players.rows(sheet, view, y, who, focus)
        sheet.footnote("Cards, houses and numbers of toppings are our reconstruction.")
        return sheet.image

    def hand(self, view: PizzaView, names: Sequence[str]) -> Image.Image | None:
        """The viewer's cards."""
        return hands.paint(view) if view.viewer is not None else None

    def sheet(self) -> Image.Image | None:
        """A board and a hand in their busiest state."""
        return _sample()


PAINTER = PizzaPainter()


def _header(sheet: Canvas, view: PizzaView, who: Sequence[str]) -> None:
    if view.ended is not None:
        won = players.winners(view)
        if view.solo:
            text = META.end_reasons[view.ended]
            text = f"Challenge won: {view.finals[0].total}" if won else "Challenge lost"
        else:
            verb = "wins" if len(won) == 1 else "share the win"
            short = [fit(who[seat], 30, 420 // len(won), True) for seat in won]
            text = f"{listing(short)} {verb} with {view.finals[won[0]].total}"
        sheet.header(META.title, "Final position", message=text)
        return
    waiting = view.waiting[0] if view.waiting else view.active
    panel = Panel(waiting, who[waiting], piece(view.colours[waiting], waiting))
    if view.phase != "play":
        what = {"missions": "missions", "orders": "orders"}.get(view.phase, "chef cards")
        if len(view.waiting) == 1:
            sheet.header(META.title, f"Setup: {what}", turn=panel, turn_text="to choose")
        else:
            sheet.header(META.title, f"Setup: {what}", message="everybody chooses")
        return
    status = f"Actions left: {view.actions_left}"
    if view.trigger_seat is not None:
        status += ", final round"
    text = "to act"
    if view.queue:
        first = view.queue[0]
        text = f"{KIND_NAMES[first.topping]} rots" if first.kind == "rot" else "opens an order"
    elif view.main == "draw":
        text = "is choosing"
    elif view.main == "delivery":
        text = "is delivering"
    sheet.header(META.title, status, turn=panel, turn_text=text)


@cache
def _sample() -> Image.Image:
    view = sample.busy()
    board = PAINTER.board(view, ("Anna", "Bob", "Cora", "Dan"), focus=1)
    cards = hands.paint(view)
    both = Image.new("RGB", (board.width + cards.width, max(board.height, cards.height)))
    both.paste(board, (0, 0))
    both.paste(cards, (board.width, 0))
    return both
