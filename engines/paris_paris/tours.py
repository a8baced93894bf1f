"""Scoring of tours: pure functions of the shops on the board (PR-048 to PR-066)."""

from __future__ import annotations

from collections.abc import Mapping

from engines.core.types import Seat
from engines.paris_paris.components import board

Shops = Mapping[str, tuple[Seat, ...]]
Points = tuple[tuple[str, Seat, int], ...]


def small_tour(shops: Shops, stop: str) -> Points:
    """Points of a small tour as (stop, seat, points) (PR-048 to PR-054).

    >>> small_tour({"pont-neuf": (0, 1), "opera": (0,)}, "les-halles")
    (('pont-neuf', 0, 1), ('pont-neuf', 1, 1), ('opera', 0, 1))
    """
    here = shops.get(stop, ())
    if here:
        return _each(stop, here)
    for _, others in board().near[stop]:
        found = [entry for other in others for entry in _each(other, shops.get(other, ()))]
        if found:
            return tuple(found)
    return ()


def grand_tour(shops: Shops, colour: str) -> Points:
    """Points of a grand or special tour as (crossing, seat, points) (PR-059 to PR-066).

    >>> grand_tour({"odeon": (0, 0), "luxembourg": (0,)}, "grey")
    (('odeon', 0, 3),)
    """
    stops = board().stops
    points: list[tuple[str, Seat, int]] = []
    for stop in board().lines[colour].stops:
        owners = shops.get(stop, ())
        if not owners or not stops[stop].crossing:
            continue
        around = [seat for n in stops[stop].neighbours for seat in shops.get(n, ())]
        for seat in sorted(set(owners)):
            points.append((stop, seat, owners.count(seat) + around.count(seat)))
    return tuple(points)


def _each(stop: str, owners: tuple[Seat, ...]) -> Points:
    return tuple((stop, seat, owners.count(seat)) for seat in sorted(set(owners)))
