"""A proposal to go back, as it waits in a match's settings for those who have to agree.

It is there as long as it can be answered: a commit that changes the position takes it away.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from bot.language import Text, joined, stacked, tr, unpacked
from bot.service.tables import Table, notice
from engines.core.types import Seat
from storage.records import NewOutbox

KEY, COUNT = "rollback", "rollbacks"
"""In the settings: the open proposal; the number of the newest one."""


class Proposal(msgspec.Struct, frozen=True, omit_defaults=True):
    """A proposal to go back.

    Attributes:
        number: counts the proposals of a match, so that buttons of an older one are noticed.
        by: Discord user who made it.
        place: the move before which the match would stand, see ``Told.place``.
        what: that move in words, :func:`packed`; empty if no move is taken back.
        asked: the seats whose people have to agree.
        agreed: Discord users who have.
    """

    number: int
    by: int
    place: int
    what: Any
    asked: tuple[Seat, ...]
    agreed: tuple[int, ...] = ()


def proposal_of(settings: Mapping[str, Any]) -> Proposal | None:
    """The open proposal in a match's settings."""
    found = settings.get(KEY)
    return msgspec.convert(found, Proposal) if found else None


def with_proposal(settings: Mapping[str, Any], proposal: Proposal) -> dict[str, Any]:
    """The settings with a proposal in the place of any other."""
    made = msgspec.to_builtins(proposal)
    return {**settings, KEY: made, COUNT: proposal.number}


def without_proposal(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings without a proposal."""
    return {key: value for key, value in settings.items() if key != KEY}


def missing(table: Table, proposal: Proposal) -> list[Seat]:
    """The seats whose people have not agreed yet. Who holds a seat now counts; automatic players
    and people who have left the server are not waited for."""
    gone = table.settings.get("gone", ())
    return [
        seat
        for seat in proposal.asked
        if (user := table.seats[seat].user_id) > 0
        and user not in gone
        and user not in proposal.agreed
    ]


def proposal_line(table: Table) -> str:
    """What the status of a match says of an open proposal; empty if there is none."""
    proposal = proposal_of(table.settings)
    if proposal is None or table.match.status not in ("active", "paused", "frozen"):
        return ""
    names = joined([table.said[seat] for seat in missing(table, proposal)])
    line = _what(table, proposal)
    return f"{line} {tr('Still to agree: {names}.', names=names)}" if names else line


def _what(table: Table, proposal: Proposal) -> Text:
    who = asker(table, proposal)
    if not proposal.what:
        return tr("{who} proposes to let the match go on.", who=who)
    what = unpacked(proposal.what)
    return tr("{who} proposes to go back to before this: “{what}”", who=who, what=what)


def proposal_again(table: Table) -> NewOutbox | None:
    """The open proposal in short, with its buttons, for a channel that has not seen it; None if
    nobody is waited for."""
    proposal = proposal_of(table.settings)
    waiting = missing(table, proposal) if proposal is not None else []
    if proposal is None or not waiting:
        return None
    names = " ".join(f"<@{table.seats[seat].user_id}>" for seat in waiting)
    ask = tr(
        "{names}: do you agree? One refusal is enough to stay. The proposal also ends "
        "when somebody plays on.",
        names=names,
    )
    return notice(stacked(_what(table, proposal), ask), waiting, rollback=proposal.number)


def asker(table: Table, proposal: Proposal) -> str:
    """Who made a proposal, by name where that is known."""
    seat = table.seat_of(proposal.by)
    return table.said[seat] if seat is not None else f"<@{proposal.by}>"
