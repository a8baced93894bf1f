"""Phase D: activating investments, all players at once (PP-068 to PP-074, PP-120)."""

from __future__ import annotations

from engines.core.errors import IllegalMove
from engines.core.types import Event, Move, Seat
from engines.papa_paolo import town
from engines.papa_paolo.components import COLOURS, TRACKS, box
from engines.papa_paolo.moves import InvestDiscard, InvestKeep
from engines.papa_paolo.phases import jobs
from engines.papa_paolo.phases.placing import open_express
from engines.papa_paolo.state import Area, PaoloState

_KEEP, _DISCARD = InvestKeep(), InvestDiscard()


def begin(state: PaoloState) -> list[Event]:
    """Ask everybody who holds a new tile."""
    asked = [seat for seat in state.order if state.areas[seat].investment]
    for seat in asked:
        state.ask(seat, "invest")
    return [Event("investing", {"seats": tuple(asked)})] if asked else []


def can_discard(area: Area) -> bool:
    """Whether discarding would do something that the rules demand (PP-072, PP-073)."""
    if area.investment == "blue":
        return area.supply > 0 and town.rooms(area) > 0
    if area.investment == "red":
        return town.can_deliver(area)
    return True


def legal(state: PaoloState, seat: Seat) -> list[Move]:
    """Keep, and discard where it is possible."""
    return [_KEEP, _DISCARD] if can_discard(state.areas[seat]) else [_KEEP]


def keep(state: PaoloState, seat: Seat) -> list[Event]:
    """The marker advances at once (PP-069, PP-070)."""
    area = state.touch(seat)
    colour = area.investment or ""
    track = COLOURS.index(colour)
    before = area.markers[track]
    area.markers[track] = min(jobs.LAST, before + 1)
    area.kept = (*area.kept, colour)
    area.investment = None
    state.answered(seat)
    return [
        Event(
            "invested",
            {
                "seat": seat,
                "colour": colour,
                "track": TRACKS[track],
                "from": before,
                "to": area.markers[track],
            },
        )
    ]


def discard(state: PaoloState, seat: Seat) -> list[Event]:
    """Use the tile's effect.

    Raises:
        IllegalMove: nothing could be placed or delivered.
    """
    area = state.touch(seat)
    colour = area.investment or ""
    if not can_discard(area):
        if colour == "blue":
            raise IllegalMove(
                "PP-072", "Not even 1 free pizza would fit on your pizzerias. Keep the tile."
            )
        raise IllegalMove(
            "PP-043", "No pizza can be delivered, so the red tile cannot be discarded. Keep it."
        )
    area.investment = None
    event = Event("discarded", {"seat": seat, "colour": colour})
    if colour == "gold":
        state.pay(area, -box().gold_money)
    elif colour == "green":
        area.bonus += box().green_routes
    elif colour == "blue":
        state.reask(seat, jobs.begin(area, "blue", least=1, most=box().blue_pizzas))
        return [event]
    else:
        state.reask(seat, open_express(area, "red", box().red_pizzas))
        return [event]
    state.answered(seat)
    return [event]
