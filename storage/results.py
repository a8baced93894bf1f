"""How matches ended, and the ratings that follow: steps of transactions, and reading."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

import msgspec

from storage.ratings import MU, SIGMA, rated

ALL = ""
"""In the place of a game: all of them together."""


class SeatResult(msgspec.Struct, frozen=True):
    """How somebody did.

    Attributes:
        seat: the seat.
        user_id: who sat there at the end; 0 or below is a computer player.
        name: of that person.
        place: 1 is the best; equal ones are ties.
        score: final score.
    """

    seat: int
    user_id: int
    name: str
    place: int
    score: int


class NewResult(msgspec.Struct, frozen=True):
    """How a match ended.

    Attributes:
        guild_id: the server; 0 outside one.
        game: registry key.
        seats: everybody.
        won: False for a solo or cooperative match that was lost.
        reason: why it was over before its last move (resigned, time, left); then the scores
            mean nothing. Empty for one that was played to its end.
    """

    guild_id: int
    game: str
    seats: tuple[SeatResult, ...]
    won: bool = True
    reason: str = ""


class Played(msgspec.Struct, frozen=True):
    """One person's part in one match: see :class:`NewResult` and :class:`SeatResult`."""

    match_id: int
    game: str
    seats: int
    won: bool
    ended_at: int
    place: int
    score: int
    tied: int
    """How many share the place, that person included."""
    reason: str = ""


class RatingRow(msgspec.Struct, frozen=True):
    """A rating; ``game`` is empty for all games together."""

    guild_id: int
    user_id: int
    game: str
    mu: float
    sigma: float
    matches: int


def note(cursor: sqlite3.Cursor, match_id: int, result: NewResult, now: int) -> None:
    """Write a result and bring the ratings up to date; again for the same match is harmless."""
    cursor.execute(
        "INSERT OR IGNORE INTO results (match_id, guild_id, game, seats, won, ended_at, reason)"
        " VALUES (?,?,?,?,?,?,?)",
        (match_id, result.guild_id, result.game, len(result.seats), result.won, now, result.reason),
    )
    if cursor.rowcount != 1:
        return
    ident = cursor.lastrowid
    cursor.executemany(
        "INSERT INTO result_seats VALUES (?,?,?,?,?,?)",
        [(ident, s.seat, s.user_id, s.name, s.place, s.score) for s in result.seats],
    )
    rate(cursor, result.guild_id, result.game, [(s.user_id, s.place) for s in result.seats])


def rate(
    cursor: sqlite3.Cursor, guild_id: int, game: str, seats: Iterable[tuple[int, int]]
) -> None:
    """Let a result change the ratings of its people, in this game and over all games.

    Computer players and matches with fewer than two people change nothing.
    """
    people = [(user, place) for user, place in seats if user > 0]
    if len(people) < 2:
        return
    for key in (game, ALL):
        before, counts = [], []
        for user, _ in people:
            cursor.execute(
                "SELECT mu, sigma, matches FROM ratings"
                " WHERE guild_id = ? AND user_id = ? AND game = ?",
                (guild_id, user, key),
            )
            mu, sigma, count = cursor.fetchone() or (MU, SIGMA, 0)
            before.append((mu, sigma))
            counts.append(count)
        after = rated(before, [place for _, place in people])
        cursor.executemany(
            "INSERT OR REPLACE INTO ratings VALUES (?,?,?,?,?,?)",
            [
                (guild_id, user, key, mu, sigma, count + 1)
                for (user, _), (mu, sigma), count in zip(people, after, counts, strict=True)
            ],
        )


def rebuild(cursor: sqlite3.Cursor) -> int:
    """Make all ratings anew from the results, in their order; returns how many results there are.

    The same results give the same ratings, to the last digit.
    """
    cursor.execute("DELETE FROM ratings")
    cursor.execute("SELECT id, guild_id, game FROM results ORDER BY id")
    every = cursor.fetchall()
    for ident, guild_id, game in every:
        cursor.execute(
            "SELECT user_id, place FROM result_seats WHERE result_id = ? ORDER BY seat", (ident,)
        )
        rate(cursor, guild_id, game, cursor.fetchall())
    return len(every)


def played(plain: sqlite3.Connection, guild_id: int, user_id: int) -> list[Played]:
    """Everything that somebody has played to its end on a server, oldest first."""
    rows = plain.execute(
        "SELECT r.match_id, r.game, r.seats, r.won, r.ended_at, s.place, s.score,"
        " (SELECT count(*) FROM result_seats t WHERE t.result_id = r.id AND t.place = s.place),"
        " r.reason"
        " FROM result_seats s JOIN results r ON r.id = s.result_id"
        " WHERE s.user_id = ? AND r.guild_id = ? ORDER BY r.id",
        (user_id, guild_id),
    )
    return [Played(m, g, n, bool(won), at, *rest) for m, g, n, won, at, *rest in rows]


def ratings(
    plain: sqlite3.Connection, guild_id: int, game: str = ALL, limit: int = 25
) -> list[RatingRow]:
    """The best-rated people of a server in a game, best first."""
    rows = plain.execute(
        "SELECT guild_id, user_id, game, mu, sigma, matches FROM ratings"
        " WHERE guild_id = ? AND game = ? ORDER BY mu - 3 * sigma DESC, user_id LIMIT ?",
        (guild_id, game, limit),
    )
    return [RatingRow(*row) for row in rows]


def ratings_of(plain: sqlite3.Connection, guild_id: int, user_id: int) -> list[RatingRow]:
    """Somebody's ratings on a server, one a game and one over all of them."""
    rows = plain.execute(
        "SELECT guild_id, user_id, game, mu, sigma, matches FROM ratings"
        " WHERE guild_id = ? AND user_id = ? ORDER BY game",
        (guild_id, user_id),
    )
    return [RatingRow(*row) for row in rows]


def counts(plain: sqlite3.Connection, guild_id: int) -> list[tuple[str, int, int]]:
    """Games of a server that were played to their end: (game, matches, of these solo)."""
    return plain.execute(
        "SELECT game, count(*), sum(seats = 1) FROM results WHERE guild_id = ?"
        " GROUP BY game ORDER BY count(*) DESC, game",
        (guild_id,),
    ).fetchall()
