"""Who has won, and what a solo game scores (PT-087 to PT-092, PT-106, PT-121 to PT-123)."""

from __future__ import annotations

from engines.core.types import Outcome, Score
from engines.papertown.components import OBJECTIVES
from engines.papertown.state import PaperState

_GRADES = (
    (0, "Perfect: every objective stands"),
    (2, "Superb, almost everything stands"),
    (4, "Very good, a city to be proud of"),
    (6, "Good, about what a quick eye reaches"),
    (9, "Fair, the city has room for more"),
    (12, "Modest: a small town so far"),
    (15, "A village of paper: try again"),
)
"""Highest score of each grade and its words."""


def grade(score: int) -> str:
    """How good a solo score is, in our own words.

    >>> grade(0), grade(9)
    ('Perfect: every objective stands', 'Fair, the city has room for more')
    """
    return next(words for most, words in _GRADES if score <= most)


def missing(state: PaperState) -> tuple[int, int]:
    """Solo: uncompleted Constructions and Great Structures, revealed or not (PT-123)."""
    left = (*state.constructions[0], *state.structures[0], *state.pile)
    great = sum(OBJECTIVES[t].great for t in left)
    return len(left) - great, great


def outcome(state: PaperState) -> Outcome | None:
    """The result: meeples in the city, then completed objectives, then shared."""
    if state.ended is None:
        return None
    if state.mode == "solo":
        rows, great = missing(state)
        total = rows + 2 * great
        lines = (
            (f"Constructions not completed: {rows}", rows),
            (f"Great Structures not completed: {great}, 2 each", 2 * great),
        )
        note = f"{grade(total)}. Solo score {total}: 0 is perfect, 15 the worst (PT-123)."
        return Outcome(state.ended, ((0,),), (Score(0, total, lines),), note)
    seats = range(state.seats)
    count = [state.on_city(side) for side in range(len(state.completed))]
    keys = [(-count[state.side(s)], -state.completed[state.side(s)]) for s in seats]
    ranking = tuple(tuple(s for s in seats if keys[s] == key) for key in sorted(set(keys)))
    scores = tuple(
        Score(s, count[state.side(s)], (("Meeples in the city", count[state.side(s)]),))
        for s in seats
    )
    return Outcome(state.ended, ranking, scores, _note(state, count))


def _note(state: PaperState, count: list[int]) -> str:
    """Which comparison decided."""
    if state.ended == "meeples":
        return "The twelfth meeple ends the game at once (PT-087)."
    best = [side for side, n in enumerate(count) if n == max(count)]
    if len(best) == 1:
        return "The stack is empty; most meeples in the city win (PT-089)."
    most = max(state.completed[side] for side in best)
    if sum(state.completed[side] == most for side in best) == 1:
        return f"The tie was broken by completed objectives: {most} (PT-090)."
    return "Meeples and completed objectives are equal: the victory is shared (PT-091)."
