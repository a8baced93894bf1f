"""How a result changes ratings: the Plackett–Luce model of openskill, made for more than two
players and for ties. Pure arithmetic on what the results table holds."""

from __future__ import annotations

from collections.abc import Sequence

from openskill.models import PlackettLuce

_MODEL = PlackettLuce()

MU, SIGMA = 25.0, 25.0 / 3
"""Of somebody who has not played: skill and how unsure it is."""


def rated(
    before: Sequence[tuple[float, float]], places: Sequence[int]
) -> list[tuple[float, float]]:
    """New (mu, sigma) of everybody after a match.

    Args:
        before: (mu, sigma) of everybody; two players or more.
        places: 1 is the best; equal places are ties.
    """
    teams = [[_MODEL.rating(mu=mu, sigma=sigma)] for mu, sigma in before]
    after = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return [(team[0].mu, team[0].sigma) for team in after]


def shown(mu: float, sigma: float) -> int:
    """A rating as one number for people: 1000 for a newcomer, about 2000 for an average player who
    is well known. It is the skill that is as good as certain (mu − 3 sigma), so it also grows as
    more is known.

    >>> shown(25.0, 25.0 / 3)
    1000
    """
    return round(1000 + 40 * (mu - 3 * sigma))
