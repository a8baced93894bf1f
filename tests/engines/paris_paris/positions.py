"""Positions of Paris Paris from the dossier's notation: ``louvre=A, odeon=AB``; A is seat 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engines.core.play import Played, play, start
from engines.core.rng import Rng
from engines.core.types import Event
from engines.paris_paris import GAME
from engines.paris_paris.components import board
from engines.paris_paris.moves import OpenBusiness
from engines.paris_paris.state import ParisState

LETTERS = "ABCD"
ROUNDS = {2: 20, 3: 15, 4: 12}
LINES = ("green", "red", "blue", "grey", "orange")


def seat(letter: str) -> int:
    return LETTERS.index(letter)


def shops(text: str) -> dict[str, tuple[int, ...]]:
    """``louvre=A, odeon=AB`` as stops with owners."""
    found: dict[str, tuple[int, ...]] = {}
    for word in text.replace(" ", "").split(","):
        if word:
            stop, _, owners = word.partition("=")
            found[stop] = tuple(sorted(seat(letter) for letter in owners))
    return found


def shown(state: ParisState) -> dict[str, str]:
    """Stops with their owners' letters."""
    return {s: "".join(LETTERS[o] for o in owners) for s, owners in state.shops.items()}


def letters(amounts: Mapping[int, int] | Sequence[int]) -> dict[str, int]:
    """Amounts by letter, zeros left out: ``{"A": 3}``."""
    pairs = amounts.items() if isinstance(amounts, Mapping) else enumerate(amounts)
    return {LETTERS[s]: n for s, n in pairs if n}


def position(
    board_text: str = "",
    *,
    seats: int = 3,
    to_act: str = "A",
    up: Sequence[str],
    used: Sequence[str] | None = None,
    p_row: Sequence[str] = (),
    round: int = 5,
    points: Sequence[int] | None = None,
    sack: Sequence[int] | None = None,
    markers: Sequence[str] = LINES,
    open_marker: str = "grey",
) -> ParisState:
    """A sound position in phase 2.

    Args:
        board_text: the shops.
        seats: number of players.
        to_act: whose turn it is.
        up: face-up tiles; two of them = the last opening of the round.
        used: tiles taken in this round; by default some of other kinds.
        p_row: tiles of the P row.
        round: which round it is.
        points: scores so far.
        sack: shops in the sack.
        markers: secret markers.
        open_marker: the face-up one of two players.
    """
    opened = seats + 1 - len(up)
    bus = (seat(to_act) - opened) % seats
    pool = list(board().tiles)
    for tile in (*up, *p_row, *(used or ())):
        pool.remove(tile)
    if used is None:
        busy = {t.partition("/")[0] for t in up}
        used = [t for t in pool if t.partition("/")[0] not in busy][:opened]
        for tile in used:
            pool.remove(tile)
    assert len(used) == opened
    size = seats + 1
    boxed = [pool.pop() for _ in range((round - 1) * size - len(p_row))]
    tiles = [*boxed, *p_row, *used, *up, *pool]
    state = ParisState(
        seats=seats,
        colours=GAME.meta.colours[:seats],
        rng=Rng(seed="00"),
        stacks=tuple(tuple(tiles[i : i + size]) for i in range(0, 60, size)),
        markers=tuple(markers[:seats]),
        open_marker=open_marker if seats == 2 else None,
        first=(bus - round + 1) % seats,
        bus=bus,
        round=round,
        face_up=list(up),
        used=list(used),
        openers=[(bus + i) % seats for i in range(opened)],
        shops=shops(board_text),
        sack=list(sack or [0] * seats),
        p_row=list(p_row),
        boxed=[*boxed, *used],
        small=list(points or [0] * seats),
        grand=[0] * seats,
        special=[0] * seats,
        sacked=[0] * seats,
    )
    state.ask(seat(to_act), "open_business")
    GAME.check(state)
    return state


def opens(state: ParisState, who: str, tile: str, remove: str | None = None) -> Played:
    """Let a player open a shop; ``remove`` is a letter, or a colour's name."""
    if remove is not None and remove in LETTERS:
        remove = GAME.meta.colours[seat(remove)]
    return play(GAME, state, seat(who), OpenBusiness(tile, remove))


def events(played: Played, kind: str) -> list[Event]:
    return [e for e in played.events if e.kind == kind]


def event(played: Played, kind: str) -> Event:
    """The one event of a kind."""
    found = events(played, kind)
    assert len(found) == 1, [e.kind for e in played.events]
    return found[0]


def scored(found: Event) -> dict[str, int]:
    """Points of a tour by letter."""
    total: dict[int, int] = {}
    for _, owner, amount in found.args["points"]:
        total[owner] = total.get(owner, 0) + amount
    return letters(dict(sorted(total.items())))


def by_stop(found: Event) -> list[tuple[str, str, int]]:
    """Points of a tour in the order scored, owners as letters."""
    return [(stop, LETTERS[owner], amount) for stop, owner, amount in found.args["points"]]


def dealt(seats: int, *rounds: str, first: int = 0, markers: Sequence[str] = ()) -> ParisState:
    """A match whose first rounds turn up the given tiles."""
    deal: dict[str, Any] = {"start": [first], "tiles": " ".join(rounds).split()}
    if markers:
        deal["markers"] = list(markers)
    state, _ = start(GAME, seats, deal=deal)
    return state


def points(state: ParisState) -> list[int]:
    return [state.score(s) for s in range(state.seats)]
