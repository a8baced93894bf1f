"""Phases E and F: delivering side by side, and the experience from it (PP-075 to PP-089)."""

from __future__ import annotations

from engines.core.types import Event
from engines.papa_paolo import town
from engines.papa_paolo.components import box
from engines.papa_paolo.phases import jobs
from engines.papa_paolo.state import PaoloState


def begin(state: PaoloState) -> list[Event]:
    """Open the deliveries; who cannot deliver anything is finished at once (PP-075).

    The event is a barrier for undo, since the step before is closed now (PP-009).
    """
    riders: list[int] = []
    idle: list[int] = []
    for seat in state.order:
        area = state.areas[seat]
        if area.delivery is None:
            continue
        pizzas, reach = box().delivery[area.delivery]
        ways = box().routes[area.markers[3] - 1] + area.bonus
        if not town.can_deliver(area, reach):
            idle.append(seat)
            continue
        jobs.begin(state.touch(seat), "deliver", least=0, most=pizzas, ways=ways, reach=reach)
        state.ask(seat, "routes")
        riders.append(seat)
    if not riders and not idle:
        return []
    return [Event("delivering", {"seats": tuple(riders), "idle": tuple(idle)}, reveals=True)]


def experience(state: PaoloState) -> list[Event]:
    """Phase F: reward the tiles completed in E, after it has closed for all (PP-088)."""
    events: list[Event] = []
    for seat in state.order:
        if state.areas[seat].earned:
            events += jobs.advance(state, seat)
    return events
