"""Phase B: tips (PP-050 to PP-052)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.core.types import Event, Seat
from engines.papa_paolo.components import box
from engines.papa_paolo.state import PaoloState


def winner(line: Sequence[int]) -> Seat | None:
    """Who gets a line's coin: most meeples, on a tie the one standing first in the line.

    >>> winner([2, 0, 2, 3]), winner([1, 0, 2, 3]), winner([-1, -1])
    (2, 1, None)
    """
    counts: dict[int, int] = {}
    for seat in line:
        if seat >= 0:
            counts[seat] = counts.get(seat, 0) + 1
    if not counts:
        return None
    most = max(counts.values())
    return next(seat for seat in line if seat >= 0 and counts[seat] == most)


def begin(state: PaoloState) -> list[Event]:
    """Award every coin, then take the meeples back."""
    wide = len(box().sides[state.seats].columns)
    high = len(box().sides[state.seats].rows)
    awards: list[tuple[str, int, Seat]] = []
    for r in range(high):
        seat = winner(state.meeples[r * wide : (r + 1) * wide])
        if seat is not None:
            awards.append((f"r{r + 1}", state.row_coins[r], seat))
    for c in range(wide):
        seat = winner(state.meeples[c::wide])
        if seat is not None:
            awards.append((f"c{c + 1}", state.column_coins[c], seat))
    totals = [0] * state.seats
    for _, coin, seat in awards:
        totals[seat] += coin
    for seat, total in enumerate(totals):
        if total:
            state.pay(state.touch(seat), -total)
    state.meeples = [-1] * len(state.meeples)
    state.row_coins = (0,) * high
    state.column_coins = (0,) * wide
    return [Event("tips", {"awards": tuple(awards), "totals": tuple(totals)})]
