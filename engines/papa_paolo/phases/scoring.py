"""The end of the match (PP-093 to PP-098)."""

from __future__ import annotations

from engines.core.types import Event, Outcome, Score, Seat
from engines.papa_paolo.components import box
from engines.papa_paolo.phases.jobs import LAST
from engines.papa_paolo.state import PaoloState


def score(state: PaoloState, seat: Seat) -> Score:
    """Victory points of a seat with their sources (PP-094 to PP-097)."""
    area = state.areas[seat]
    lines = (
        ("Delivered pizzas", area.delivered()),
        ("Diversity trophy", box().diversity[min(area.markers) - 1]),
        ("Expert tracks", box().expert * area.markers.count(LAST)),
        ("Pizzas left over", -area.waiting()),
    )
    return Score(seat, sum(points for _, points in lines), lines)


def finish(state: PaoloState) -> list[Event]:
    """Count the points and show the money."""
    state.ended = "rounds"
    result = _result(state)
    return [
        Event("balances", {"money": tuple(a.money for a in state.areas)}, reveals=True),
        Event(
            "end",
            {
                "winners": result.ranking[0],
                "scores": tuple(s.total for s in result.scores),
                "note": result.note,
            },
        ),
    ]


def outcome(state: PaoloState) -> Outcome | None:
    """Ranking by points, then money, then shared (PP-098)."""
    return None if state.ended is None else _result(state)


def _result(state: PaoloState) -> Outcome:
    scores = tuple(score(state, seat) for seat in range(state.seats))
    keys = {seat: (-scores[seat].total, -state.areas[seat].money) for seat in range(state.seats)}
    ranking = tuple(
        tuple(seat for seat in range(state.seats) if keys[seat] == key)
        for key in sorted(set(keys.values()))
    )
    best = ranking[0]
    tied = [s for s in range(state.seats) if scores[s].total == scores[best[0]].total]
    note = ""
    if len(best) > 1:
        note = "Points and money are equal: the victory is shared (PP-098)."
    elif len(tied) > 1:
        note = "The tie on points was broken by money (PP-098)."
    return Outcome("rounds", ranking, scores, note)
