"""What a post says: pure functions from a table and its outbox rows to text."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bot.language import joined, later, tr, unpacked
from bot.service import Table, fill, seat_words
from bot.service.clocks import clock_of, find, rule_of, rule_words, span
from bot.service.quiet import last_day

CONTENT = 2000
"""Characters of a message's content (Discord limit)."""

ALT = 1024
"""Characters of an attachment's description (Discord limit)."""


STATES = {
    "lobby": later("waiting for players"),
    "active": later("being played"),
    "paused": later("paused"),
    "frozen": later("halted"),
    "finished": later("finished"),
    "ended": later("called off"),
}
"""What a match is, by its status in the database."""


def shorten(lines: Sequence[str], limit: int) -> str:
    """Lines joined; if they are too long, the oldest go first.

    >>> shorten(["one", "two", "three"], 12)
    '…\\ntwo\\nthree'
    """
    kept = list(lines)
    if sum(len(line) + 1 for line in kept) - 1 <= limit:
        return "\n".join(kept)
    while len(kept) > 1 and sum(len(line) + 1 for line in kept) + 1 > limit:
        kept.pop(0)
    text = "\n".join(["…", *kept])
    return text if len(text) <= limit else text[: limit - 1] + "…"


def whose_turn(table: Table) -> str:
    """Who is to act and what for, with mentions; empty if nobody is."""
    waiting = table.waiting()
    if not waiting:
        return ""
    # Everybody reads this, so it is told from what everybody may see.
    public = table.view(None)
    parts = []
    for seat in waiting:
        task = task_words(table, seat, table.game.prompt(public, seat))
        parts.append((task, f"<@{table.seats[seat].user_id}>"))
    lines = []
    for task in dict.fromkeys(t for t, _ in parts):
        who = joined([mention for t, mention in parts if t == task])
        lines.append(tr("➤ {who}: {task}.", who=who, task=task))
    return "\n".join(lines)


def task_words(table: Table, seat: int, task: str) -> str:
    """What a seat has to do that is to act, and how much time it has for that.

    Args:
        table: the match.
        seat: who is to act.
        task: what for, in the game's words.
    """
    vacation = find(table.timers, seat, "vacation")
    if vacation is not None:
        day = last_day(vacation.at)
        return tr("{task} (on vacation until {day})", task=task, day=day)
    row = find(table.timers, seat, "clock")
    if row is None:
        return task
    if clock_of(row).up:
        if row.at is None:
            return tr("{task} (the time is up)", task=task)
        ends = f"<t:{row.at // 1000}:R>"
        return tr("{task} (the time is up; the vote on it ends {when})", task=task, when=ends)
    if row.at is None:
        return task
    moment, left = f"<t:{row.at // 1000}:f>", f"<t:{row.at // 1000}:R>"
    return tr("{task}, until {moment}, {left}", task=task, moment=moment, left=left)


def clock_line(table: Table, seat: int) -> str:
    """What is left in a seat's store of time while it does not run, for lists of players."""
    row = find(table.timers, seat, "clock")
    left = clock_of(row).left if row is not None else None
    if rule_of(table.settings).kind != "bank" or left is None:
        return ""
    words = tr("{time} left", time=span(left))
    return f" – {words}"


def turn_text(table: Table, lines: Sequence[str]) -> str:
    """The text of a board post."""
    tail = whose_turn(table)
    room = CONTENT - len(tail) - 1
    return "\n".join(part for part in (shorten(lines, room), tail) if part)


def lobby_text(table: Table) -> str:
    """The text of a lobby post."""
    meta = table.game.meta
    if table.state is not None:
        return tr(
            "**{game}** has begun with {players}. The board is below.",
            game=meta.title,
            players=joined(table.said),
        )
    if table.match.status != "lobby":
        return tr("**{game}** – this table is closed.", game=meta.title)
    lines = [
        f"## {meta.title}",
        meta.summary,
        tr(
            "For {players}, {minutes}. {credits}",
            players=seat_words(table.game, table.wanted),
            minutes=meta.minutes,
            credits=meta.credits,
        ),
    ]
    options = {
        name: value
        for name, value in table.options.items()
        if name in table.game.options_type.model_fields and name != "colours"
    }
    if options:
        chosen = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in options.items())
        lines.append(tr("Options: {options}", options=chosen))
    rule = rule_of(table.settings)
    if rule.kind != "none":
        lines.append(tr("Clock: {clock}", clock=rule_words(rule)))
    most = table.wanted or max(meta.seats)
    lines.append(tr("**At the table ({n} of {most})**", n=len(table.seats), most=most))
    as_host = tr("host")
    for seat in table.seats:
        host = f" – {as_host}" if seat.user_id == table.match.host_id else ""
        colour = f" ({seat.colour})" if seat.colour else ""
        lines.append(f"{seat.seat + 1}. {table.said[seat.seat]}{colour}{host}")
    if meta.reconstructed:
        lines.append(f"-# {meta.reconstructed}")
    return shorten(lines, CONTENT)


def reminder_text(table: Table, seat: int, *, private: bool) -> str:
    """A reminder, for a direct message or with a mention for the channel."""
    prompt = table.game.prompt(table.view(seat if private else None), seat)
    row = find(table.timers, seat, "clock")
    task = f"{prompt[:1].upper()}{prompt[1:]}."
    if row is not None and row.at is not None:
        task = tr("{task} Time is up {when}.", task=task, when=f"<t:{row.at // 1000}:R>")
    if not private:
        who = f"<@{table.seats[seat].user_id}>"
        return tr("⏰ {who}, the table waits for you. {task}", who=who, task=task)
    return tr(
        "⏰ **{game}** in {channel} waits for you. {task}\n"
        "-# `/settings` changes how often I remind you; `/match mute` there stops it for this "
        "match.",
        game=table.game.meta.title,
        channel=f"<#{table.match.channel_id}>",
        task=task,
    )


def late_text(table: Table, seat: int, *, private: bool) -> str:
    """What somebody hears whose time has run out, as a direct message or with a mention."""
    extra = span(rule_of(table.settings).extra)
    ways = [
        tr("make a simple automatic move for you"),
        tr("give you {time} more", time=extra),
        tr("let an automatic player have your seat"),
    ]
    if len(table.seats) == 2:
        ways.append(tr("take the win"))
    what = tr(
        "your time has run out. You may still move, until the others decide what happens. They can "
        "{ways}.",
        ways=joined(ways, "or"),
    )
    if not private:
        return f"⏰ <@{table.seats[seat].user_id}>, {what}"
    where = f"**{table.game.meta.title}**, <#{table.match.channel_id}>"
    hint = tr("`/match substitute` there gives your seat to somebody else.")
    return f"⏰ {where}: {what}\n-# {hint}"


def call_text(table: Table, seat: int, late: int, *, private: bool) -> str:
    """What a voter hears later who was not to be disturbed when a vote began."""
    what = tr(
        "{who} has run out of time or has left, and the table decides what happens. Your vote is "
        "missing.",
        who=f"**{table.said[late]}**",
    )
    if not private:
        return f"⏰ <@{table.seats[seat].user_id}>: {what}"
    return f"⏰ **{table.game.meta.title}**, <#{table.match.channel_id}>: {what}"


def hand_text(table: Table, seat: int, told: Sequence[str], link: str) -> str:
    """The text of a private hand, for a direct message or a private reply."""
    hand = table.hand(seat)
    lines = [f"**{table.game.meta.title}** – {link}"] if link else []
    lines += list(told)
    if hand is not None:
        lines.append(f"**{fill(hand.title, table.said)}**")
        lines += [f"- {fill(line, table.said)}" for line in hand.lines]
    return shorten(lines, CONTENT)


def alt_text(table: Table, view: object) -> str:
    """Alternative text of a board picture."""
    text = fill(table.game.alt(view), table.names)
    return text if len(text) <= ALT else text[: ALT - 1] + "…"


def board_words(table: Table, view: object) -> str:
    """The text board in a code block."""
    text = fill(table.game.board_text(view), table.names).replace("```", "'''")
    return f"```\n{text[: CONTENT - 10]}\n```"


def payload_of(raw: str) -> dict[str, object]:
    """An outbox row's payload, its texts in the language of this task."""
    return {name: unpacked(value) for name, value in json.loads(raw).items()}
