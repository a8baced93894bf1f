"""The end of a match: its ranking in words, its result for the statistics, its recap."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bot.language import tr
from bot.service.tables import Table, escape, fill
from engines.core.types import Outcome, Seat
from storage.records import NewOutbox, NewSeat
from storage.results import NewResult, SeatResult

GIVEN_UP = "given_up"
"""Setting of a match: seat → who gave it up to the automatic player, as number and name."""


def ranking(table: Table, outcome: Outcome, *, breakdown: bool) -> list[str]:
    """The final ranking, a line for each seat; equal ones share a place.

    Args:
        table: the match.
        outcome: its end.
        breakdown: say also what the scores are made of.
    """
    lines = []
    place = 1
    for group in outcome.ranking:
        for seat in group:
            score = outcome.scores[seat]
            parts = ", ".join(f"{label} {points}" for label, points in score.lines)
            tail = f" ({parts})" if parts and breakdown else ""
            lines.append(f"{place}. **{table.said[seat]}** {score.total}{tail}")
        place += len(group)
    if outcome.note:
        lines.append(fill(outcome.note, table.said))
    return lines


def result_of(
    table: Table, outcome: Outcome, changed: Mapping[Seat, NewSeat], settings: Mapping[str, Any]
) -> NewResult:
    """A match's result for the statistics, to be written with its last move.

    Who gave a seat up to the automatic player is last, wherever that player has come, and those
    behind it move up: nobody keeps a rating by leaving.

    Args:
        table: the match before that move.
        outcome: its end.
        changed: seats that change hands with it.
        settings: the match's settings after it.
    """
    sitting = {s.seat: (s.user_id, s.name) for s in table.seats}
    sitting.update({seat: (new.user_id, new.name) for seat, new in changed.items()})
    left: list[Seat] = []
    for seat, (user, name) in sorted(
        (int(s), who) for s, who in settings.get(GIVEN_UP, {}).items()
    ):
        # Somebody who is back on another seat is counted there.
        if sitting[seat][0] <= 0 and user not in {other for other, _ in sitting.values()}:
            sitting[seat] = (user, name)
            left.append(seat)
    groups = [[seat for seat in group if seat not in left] for group in outcome.ranking]
    seats = []
    place = 1
    for group in [*groups, left]:
        for seat in group:
            user, name = sitting[seat]
            score = outcome.scores[seat].total
            seats.append(SeatResult(seat, user, escape(name), place, score))
        place += len(group)
    seats.sort(key=lambda s: s.seat)
    return NewResult(table.match.guild_id or 0, table.match.game, tuple(seats), outcome.won)


def early_ranking(table: Table, winner: Seat, reason: str) -> list[str]:
    """The places of a match of two that ended before its last move."""
    names = {"who": table.said[1 - winner]}
    second = {
        "resigned": tr("2. **{who}** (resigned)", **names),
        "left": tr("2. **{who}** (left the server)", **names),
    }.get(reason, tr("2. **{who}** (out of time)", **names))
    return [f"1. **{table.said[winner]}**", second]


def early_result(table: Table, winner: Seat, reason: str) -> NewResult:
    """The result of a match of two that ended before its last move: places without scores."""
    seats = tuple(
        SeatResult(s.seat, s.user_id, escape(s.name), 1 if s.seat == winner else 2, 0)
        for s in table.seats
    )
    return NewResult(table.match.guild_id or 0, table.match.game, seats, reason=reason)


def recap_post() -> NewOutbox:
    """An outbox row for the recap, which is made when it is sent."""
    return NewOutbox("notice", json.dumps({"what": "recap"}))
