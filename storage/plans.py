"""Moves that players have planned for when it is their turn: rows and the steps that change them.

A plan belongs to one person on one seat. ``offered`` is what a button may still turn into a plan,
``standing`` waits for the turn, ``cancelled`` is kept so that its owner can read why.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Literal

import msgspec

PlanStatus = Literal["offered", "standing", "cancelled"]

OFFERS = 8
"""Offers kept for a person in a match; older buttons are answered as too old."""


class NewPlan(msgspec.Struct, frozen=True):
    """A plan to be remembered.

    Attributes:
        seat: for which seat.
        user_id: whose it is.
        command: subcommand of the game.
        args: option values, JSON object.
        meaning: what the words point at now, see ``Game.meaning``.
    """

    seat: int
    user_id: int
    command: str
    args: str
    meaning: str


class PlanRow(msgspec.Struct, frozen=True):
    """A plan, offer or cancelled plan; see :class:`NewPlan`.

    Attributes:
        id: never used twice; the order of the ids is the order of the plans.
        match_id: the match.
        status: see :data:`PlanStatus`.
        reason: why it was cancelled.
        created_at: when it was made (unix milliseconds).
    """

    id: int
    match_id: int
    seat: int
    user_id: int
    status: PlanStatus
    command: str
    args: str
    meaning: str
    reason: str
    created_at: int


class Settled(msgspec.Struct, frozen=True):
    """What became of plans in a commit.

    Attributes:
        carried: ids of those carried out.
        cancelled: id → why.
    """

    carried: tuple[int, ...] = ()
    cancelled: Mapping[int, str] = {}


_PLAN = ", ".join(PlanRow.__struct_fields__)


def standing(plain: sqlite3.Connection, match_id: int) -> list[PlanRow]:
    """The plans of a match that wait for their turn, in order."""
    rows = plain.execute(
        f"SELECT {_PLAN} FROM plans WHERE match_id = ? AND status = 'standing' ORDER BY id",
        (match_id,),
    )
    return [PlanRow(*row) for row in rows.fetchall()]


def of_person(plain: sqlite3.Connection, match_id: int, user_id: int) -> list[PlanRow]:
    """Everything of one person in a match, in order: offers and cancelled plans too."""
    rows = plain.execute(
        f"SELECT {_PLAN} FROM plans WHERE match_id = ? AND user_id = ? ORDER BY id",
        (match_id, user_id),
    )
    return [PlanRow(*row) for row in rows.fetchall()]


def add(cursor: sqlite3.Cursor, match_id: int, plan: NewPlan, status: PlanStatus, now: int) -> int:
    """Remember a plan or an offer; returns its id. A new plan ends the memory of cancelled ones."""
    if status == "standing":
        cursor.execute(
            "DELETE FROM plans WHERE match_id = ? AND user_id = ? AND status = 'cancelled'",
            (match_id, plan.user_id),
        )
    cursor.execute(
        "INSERT INTO plans (match_id, seat, user_id, status, command, args, meaning, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            match_id,
            plan.seat,
            plan.user_id,
            status,
            plan.command,
            plan.args,
            plan.meaning,
            now,
        ),
    )
    made = cursor.lastrowid
    assert made is not None
    if status == "offered":
        cursor.execute(
            "DELETE FROM plans WHERE match_id = ? AND user_id = ? AND status = 'offered'"
            " AND id NOT IN (SELECT id FROM plans WHERE match_id = ? AND user_id = ?"
            " AND status = 'offered' ORDER BY id DESC LIMIT ?)",
            (match_id, plan.user_id, match_id, plan.user_id, OFFERS),
        )
    return made


def drop(cursor: sqlite3.Cursor, match_id: int, user_id: int, plan_id: int | None) -> int:
    """Forget one row of a person, or (None) all plans but no offers; returns how many."""
    if plan_id is None:
        cursor.execute(
            "DELETE FROM plans WHERE match_id = ? AND user_id = ? AND status <> 'offered'",
            (match_id, user_id),
        )
    else:
        cursor.execute(
            "DELETE FROM plans WHERE match_id = ? AND user_id = ? AND id = ?",
            (match_id, user_id, plan_id),
        )
    return cursor.rowcount


def settle(cursor: sqlite3.Cursor, match_id: int, settled: Settled) -> None:
    """Note in a commit what became of plans."""
    cursor.executemany(
        "DELETE FROM plans WHERE match_id = ? AND id = ?",
        [(match_id, plan) for plan in settled.carried],
    )
    cursor.executemany(
        "UPDATE plans SET status = 'cancelled', reason = ? WHERE match_id = ? AND id = ?",
        [(reason, match_id, plan) for plan, reason in settled.cancelled.items()],
    )


def leave(cursor: sqlite3.Cursor, match_id: int, seat: int | None) -> None:
    """Forget everything of a seat that changes hands, or (None) of a match that is over."""
    if seat is None:
        cursor.execute("DELETE FROM plans WHERE match_id = ?", (match_id,))
    else:
        cursor.execute("DELETE FROM plans WHERE match_id = ? AND seat = ?", (match_id, seat))
