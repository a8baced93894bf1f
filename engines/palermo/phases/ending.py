"""The end of a match and its result (PL-004 to PL-006, PL-118, PL-120)."""

from __future__ import annotations

from engines.core.types import Event, Outcome, Score
from engines.palermo.state import PalermoState


def finish(state: PalermoState, reason: str) -> list[Event]:
    """End at once: no further turns, no further bonus."""
    state.ended = reason
    state.pending = []
    totals = tuple(state.score(seat) for seat in range(state.seats))
    best = max(totals)
    winners = tuple(seat for seat, total in enumerate(totals) if total == best)
    return [Event("end", {"reason": reason, "winners": winners, "scores": totals})]


def outcome(state: PalermoState) -> Outcome | None:
    """Ranking by points; equal points share a rank (PL-005, PL-006)."""
    if state.ended is None:
        return None
    totals = [state.score(seat) for seat in range(state.seats)]
    ranking = tuple(
        tuple(seat for seat, total in enumerate(totals) if total == points)
        for points in sorted(set(totals), reverse=True)
    )
    scores = tuple(
        Score(
            seat,
            totals[seat],
            (
                ("Income", state.income[seat]),
                ("Coming home", state.arrival[seat]),
                ("Waiting bonus", state.bonus[seat]),
            ),
        )
        for seat in range(state.seats)
    )
    note = ""
    if len(ranking[0]) > 1:
        note = "The highest points are equal: the victory is shared (PL-006)."
    return Outcome(state.ended, ranking, scores, note)
