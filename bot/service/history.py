"""The moves of a match that still count, as everybody knows them: in public words, with what
everybody could notice of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from bot.language import Text, tr, trn
from bot.service.tables import Table, fill
from engines.core.game import QUIET
from engines.core.play import AnyGame, Entry, Record, replay, standing
from engines.core.types import Seat, pack


class Told(msgspec.Struct, frozen=True):
    """A move that still counts.

    Attributes:
        seq: its entry in the log.
        seat: who made it.
        at: when (unix milliseconds).
        auto: the engine or an automatic player made it.
        apart: the simultaneous step that it belongs to, see ``Game.apart``.
        seen: everybody could notice it.
        closes: undo stops at it.
        reveals: it made something known that was hidden.
        lines: what everybody heard, with ``{seat:0}`` placeholders.
        place: its number among the moves of persons that everybody could notice, from 1; 0 for
            other ones. Unlike ``seq`` it betrays no private preparations.
    """

    seq: int
    seat: Seat
    at: int
    auto: bool
    apart: str
    seen: bool
    closes: bool
    reveals: bool
    lines: tuple[str, ...]
    place: int

    def words(self, names: Sequence[str]) -> str:
        """The move in one sentence."""
        if self.lines:
            return fill(self.lines[0], names)
        return tr("{who} made a move.", who=names[self.seat])


class History(msgspec.Struct, frozen=True):
    """What has happened in a match.

    Attributes:
        moves: those that still count, in order.
        changes: how often anything has happened that everybody could notice, taken back or not.
    """

    moves: tuple[Told, ...]
    changes: int

    @property
    def places(self) -> int:
        """How many moves have a place."""
        return max((move.place for move in self.moves), default=0)


def history_of(game: AnyGame, record: Record, times: Mapping[int, int]) -> History:
    """Tell a match by playing it again.

    Args:
        game: the rules.
        record: the match.
        times: when each entry was written (unix milliseconds).

    Raises:
        ReplayMismatch: the record does not replay.
    """
    lines: dict[int, tuple[str, ...]] = {}
    seen: set[int] = set()
    reveals: set[int] = set()
    before = b""
    for seq, state, events in replay(game, record):
        view = pack(game.view(state, None))
        lines[seq] = tuple(text for e in events if e.to is None and (text := game.narrate(e)))
        if seq and (lines[seq] or view != before):
            seen.add(seq)
        if any(event.reveals for event in events):
            reveals.add(seq)
        before = view
    moves: list[Told] = []
    place = 0
    for entry in standing(record.entries):
        noticed = entry.seq in seen and entry.apart != QUIET
        counts = noticed and not entry.auto
        place += counts
        moves.append(
            Told(
                entry.seq,
                entry.seat or 0,
                times.get(entry.seq, 0),
                entry.auto,
                entry.apart,
                noticed,
                entry.reveals and entry.apart != QUIET,
                entry.seq in reveals and entry.apart != QUIET,
                lines[entry.seq],
                place if counts else 0,
            )
        )
    return History(tuple(moves), len(seen))


def went_back(who: str | None, what: str) -> Text:
    """What everybody hears of a return.

    Args:
        who: took back moves of their own; None if the table agreed.
        what: the first move that was taken back, in words; empty if none was.
    """
    if not what:
        return tr("↩ The match goes on from where it stood.")
    if who is None:
        return tr("↩ The table went back to before this: “{what}”", what=what)
    return tr("↩ {who} went back to before this: “{what}”", who=who, what=what)


def return_line(
    table: Table, earlier: Sequence[Entry], entry: Entry, said: Mapping[int, Sequence[str]]
) -> Text:
    """What the log tells of a return.

    Args:
        table: the match.
        earlier: the entries before it.
        entry: the return.
        said: what everybody heard of each entry, with names.
    """
    left = {e.seq for e in standing([*earlier, entry])}
    gone = [e.seq for e in standing(earlier) if e.seq not in left and e.apart != QUIET]
    first = next((said[seq][0] for seq in gone if said.get(seq)), "")
    who = table.said[entry.seat] if entry.seat is not None else None
    if gone and not first:
        first = tr("a move without words")
    return went_back(who, first)


def ago(ms: int) -> Text:
    """How long something is past, in words (autocompletion shows no native timestamps).

    >>> ago(30_000), ago(60_000), ago(7_300_000), ago(200_000_000)
    ('just now', '1 minute ago', '2 hours ago', '2 days ago')
    """
    minutes = ms // 60_000
    if minutes < 1:
        return tr("just now")
    if minutes < 60:
        return trn("{n} minute ago", "{n} minutes ago", minutes)
    if minutes < 48 * 60:
        return trn("{n} hour ago", "{n} hours ago", minutes // 60)
    return trn("{n} day ago", "{n} days ago", minutes // (24 * 60))
