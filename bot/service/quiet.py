"""When somebody may be reminded: personal intervals and quiet hours in their own time zone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import msgspec

from bot.errors import TableError
from bot.language import LANGUAGES, tr

REMIND_HOURS = 24
"""Hours between reminders for who has not chosen."""


class Prefs(msgspec.Struct, frozen=True):
    """What a person has chosen with ``/settings``.

    Attributes:
        dm: direct messages are welcome.
        zone: IANA time zone.
        quiet: minutes after midnight at which quiet hours begin and end; None = no quiet hours.
        hours: hours between reminders where there is no clock; 0 = no reminders at all.
        forced: only moves are made for them.
        language: in which they have Discord, as far as it was seen; None = never.
    """

    dm: bool = True
    zone: str = "UTC"
    quiet: tuple[int, int] | None = None
    hours: int = REMIND_HOURS
    forced: bool = False
    language: str | None = None


def prefs_of(raw: str) -> Prefs:
    """A person's choices from the JSON in the database; what is damaged counts as not chosen."""
    found: Mapping[str, Any] = json.loads(raw)
    start, end = found.get("quiet_from"), found.get("quiet_to")
    quiet = (start, end) if isinstance(start, int) and isinstance(end, int) else None
    hours = found.get("remind_hours")
    zone = found.get("time_zone")
    language = found.get("language")
    return Prefs(
        dm=found.get("dm") is not False,
        zone=zone if isinstance(zone, str) and zone in zones() else "UTC",
        quiet=quiet if quiet is not None and start != end else None,
        hours=hours if isinstance(hours, int) else REMIND_HOURS,
        forced=found.get("forced") is True,
        language=language if isinstance(language, str) and language in LANGUAGES else None,
    )


@cache
def zones() -> frozenset[str]:
    """The time zones that this machine knows."""
    return frozenset(available_timezones()) | {"UTC"}


def zone_of(name: str) -> ZoneInfo:
    """A time zone by its name; UTC if this machine does not know it (any more)."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def quiet_until(prefs: Prefs, now: int) -> int | None:
    """When the quiet hours end that are running now; None if none are.

    Hours are those of the wall clock: on the days on which clocks change, the quiet time is an hour
    shorter or longer, and it ends when the clock on the wall says so.

    Args:
        prefs: of the person.
        now: unix milliseconds.

    Returns:
        Unix milliseconds.
    """
    if prefs.quiet is None:
        return None
    zone = zone_of(prefs.zone)
    here = datetime.fromtimestamp(now / 1000, UTC).astimezone(zone)
    start, end = prefs.quiet
    minute = here.hour * 60 + here.minute
    over_midnight = start > end
    inside = (minute >= start or minute < end) if over_midnight else start <= minute < end
    if not inside:
        return None
    day = here.date() + timedelta(days=1 if over_midnight and minute >= start else 0)
    until = wall(day, end, zone)
    if until <= now:  # the hour that is there twice in autumn: this is its second round
        until = wall(day, end, zone, second=True)
    return until if until > now else wall(day + timedelta(days=1), end, zone)


def awake_for(prefs: Prefs, now: int, need: int) -> int:
    """When somebody has had a length of time outside their quiet hours.

    Args:
        prefs: of the person.
        now: unix milliseconds; counted from here.
        need: milliseconds.

    Returns:
        Unix milliseconds.
    """
    at = now
    while True:
        at = quiet_until(prefs, at) or at
        begins = quiet_from(prefs, at)
        if begins is None or begins - at >= need:
            return at + need
        need -= begins - at
        at = begins


def quiet_from(prefs: Prefs, now: int) -> int | None:
    """When the next quiet hours begin after a moment; None if there are none."""
    if prefs.quiet is None:
        return None
    zone = zone_of(prefs.zone)
    today = datetime.fromtimestamp(now / 1000, UTC).astimezone(zone).date()
    days = (wall(today + timedelta(days=n), prefs.quiet[0], zone) for n in range(3))
    return next(at for at in days if at > now)


def wall(day: date, minute: int, zone: ZoneInfo, *, second: bool = False) -> int:
    """The moment at which clocks on the wall show a time; in the hour that spring leaves out, the
    moment at which the clocks are put forward.

    Args:
        day: the date there.
        minute: after midnight.
        zone: where the wall is.
        second: of the two moments in autumn, the later one.
    """
    local = datetime.combine(day, time(minute // 60, minute % 60), zone)
    moment = local.replace(fold=int(second)).astimezone(UTC)
    back = moment.astimezone(zone)
    if (back.hour, back.minute) != (minute // 60, minute % 60):
        # No such time on this day: find the minute in which the clocks change.
        moment = min(local.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
        offset = moment.astimezone(zone).utcoffset()
        for _ in range(24 * 60):
            moment += timedelta(minutes=1)
            if moment.astimezone(zone).utcoffset() != offset:
                break
    return round(moment.timestamp() * 1000)


def read_clock(text: str) -> int:
    """A time of day as minutes after midnight.

    >>> read_clock("22:30"), read_clock("7"), read_clock("9 pm")
    (1350, 420, 1260)

    Raises:
        TableError: no time of day.
    """
    plain = text.strip().casefold().replace(".", ":")
    half = 0
    for word, hours in (("am", 0), ("pm", 12)):
        if plain.endswith(word):
            plain, half = plain.removesuffix(word).strip(), hours
            if plain.partition(":")[0] == "12":
                half -= 12
    hour, _, minute = plain.partition(":")
    minute = minute or "0"
    if hour.isdecimal() and minute.isdecimal() and len(hour) < 3 and len(minute) < 3:
        value = (int(hour) + half) * 60 + int(minute)
        if 0 <= value <= 24 * 60 and int(minute) < 60:
            return value % (24 * 60)
    raise TableError(
        tr("“{word}” is no time of day. Write it like `22:30` or `7`.", word=text[:40])
    )


def clock_words(minute: int) -> str:
    """Minutes after midnight as a time of day.

    >>> clock_words(1350)
    '22:30'
    """
    return f"{minute // 60:02}:{minute % 60:02}"


UNITS = {
    **dict.fromkeys(("d", "day", "days", "g", "giorno", "giorni", "día", "días", "dia", "dias"), 1),
    **dict.fromkeys(("w", "week", "weeks", "settimana", "settimane", "s", "semana", "semanas"), 7),
}
"""Days in what people write after a number, in the languages of the bot."""

TOMORROW = ("tomorrow", "domani", "mañana", "manana")


def last_day(end: int) -> str:
    """The last day of a vacation, as Discord shows it to each reader.

    Args:
        end: unix milliseconds: midnight after that day, where its player lives.

    >>> last_day(1_780_704_000_000)  # midnight between the 5th and 6th of June 2026
    '<t:1780703940:D>'
    """
    return f"<t:{end // 1000 - 60}:D>"


def read_until(text: str, now: int, zone: str) -> int:
    """The end of a day that somebody names: ``2026-08-31``, ``31.8.``, ``10 days``, ``2 weeks``.

    Args:
        text: what they wrote.
        now: unix milliseconds.
        zone: their time zone.

    Returns:
        Unix milliseconds: midnight after that day, there.

    Raises:
        TableError: no such day, or it is past.
    """
    where = zone_of(zone)
    today = datetime.fromtimestamp(now / 1000, UTC).astimezone(where).date()
    words = text.strip().casefold().split()
    day: date | None = None
    try:
        if words and words[0].isdecimal() and len(words) <= 2:
            days = UNITS.get(words[1]) if len(words) == 2 else 1
            if days is not None:
                day = today + timedelta(days=int(words[0]) * days)
        elif len(words) == 1 and words[0] in TOMORROW:
            day = today + timedelta(days=1)
        elif len(words) == 1 and words[0].count("-") == 2:
            day = date.fromisoformat(words[0])
        elif len(words) == 1 and "." in words[0]:
            parts = [int(part) for part in words[0].split(".") if part]
            if len(parts) == 3:
                day = date(parts[2] if parts[2] > 99 else 2000 + parts[2], parts[1], parts[0])
            elif len(parts) == 2:
                day = date(today.year, parts[1], parts[0])
                if day < today:
                    day = date(today.year + 1, parts[1], parts[0])
    except (ValueError, OverflowError):
        day = None
    if day is None:
        raise TableError(
            tr(
                "“{word}” is no date that I understand. Write it like `2026-08-31`, `31.8.` or "
                "`10 days`.",
                word=text[:40],
            )
        )
    if day < today:
        raise TableError(tr("That day is past."))
    if day - today > timedelta(days=3660):
        raise TableError(tr("That day is too far away."))
    return wall(day + timedelta(days=1), 0, where)
