"""What a post says: pure functions from a table and its outbox rows to text."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bot.language import joined, tr
from bot.service import Table, fill, seat_words
from bot.service.clocks import clock_of, find, rule_of, rule_words, span
from engines.core.types import listing

CONTENT = 2000
"""Characters of a message's content (Discord limit)."""

ALT = 1024
"""Characters of an attachment's description (Discord limit)."""


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
        prompt = f"{table.game.prompt(public, seat)}{time_words(table, seat)}"
        parts.append((prompt, f"<@{table.seats[seat].user_id}>"))
    lines = []
    for prompt in dict.fromkeys(p for p, _ in parts):
        who = listing([mention for p, mention in parts if p == prompt])
        lines.append(f"➤ {who}: {prompt}.")
    return "\n".join(lines)


def time_words(table: Table, seat: int) -> str:
    """How much time a seat has that is to act, to be set behind what it has to do."""
    vacation = find(table.timers, seat, "vacation")
    if vacation is not None:
        return f" (on vacation until <t:{vacation.at // 1000}:D>)"
    row = find(table.timers, seat, "clock")
    if row is None:
        return ""
    if clock_of(row).up:
        return " (the time is up)"
    return f", until <t:{row.at // 1000}:f>, <t:{row.at // 1000}:R>" if row.at is not None else ""


def clock_line(table: Table, seat: int) -> str:
    """What is left in a seat's store of time while it does not run, for lists of players."""
    row = find(table.timers, seat, "clock")
    left = clock_of(row).left if row is not None else None
    if rule_of(table.settings).kind != "bank" or left is None:
        return ""
    return f" – {span(left)} left"


def turn_text(table: Table, lines: Sequence[str]) -> str:
    """The text of a board post."""
    tail = whose_turn(table)
    room = CONTENT - len(tail) - 1
    return "\n".join(part for part in (shorten(lines, room), tail) if part)


def lobby_text(table: Table) -> str:
    """The text of a lobby post."""
    meta = table.game.meta
    if table.state is not None:
        return f"**{meta.title}** has begun with {listing(table.said)}. The board is below."
    if table.match.status != "lobby":
        return f"**{meta.title}** – this table is closed."
    lines = [
        f"## {meta.title}",
        meta.summary,
        f"For {seat_words(table.game, table.wanted)}, {meta.minutes}. {meta.credits}",
    ]
    options = {
        name: value
        for name, value in table.options.items()
        if name in table.game.options_type.model_fields and name != "colours"
    }
    if options:
        chosen = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in options.items())
        lines.append(f"Options: {chosen}")
    rule = rule_of(table.settings)
    if rule.kind != "none":
        lines.append(f"Clock: {rule_words(rule)}")
    most = table.wanted or max(meta.seats)
    lines.append(f"**At the table ({len(table.seats)} of {most})**")
    for seat in table.seats:
        host = " – host" if seat.user_id == table.match.host_id else ""
        colour = f" ({seat.colour})" if seat.colour else ""
        lines.append(f"{seat.seat + 1}. {table.said[seat.seat]}{colour}{host}")
    if meta.reconstructed:
        lines.append(f"-# {meta.reconstructed}")
    return shorten(lines, CONTENT)


def reminder_text(table: Table, seat: int, *, private: bool) -> str:
    """A reminder, for a direct message or with a mention for the channel."""
    prompt = table.game.prompt(table.view(seat if private else None), seat)
    row = find(table.timers, seat, "clock")
    due = f" Time is up <t:{row.at // 1000}:R>." if row is not None and row.at is not None else ""
    what = f"{prompt[:1].upper()}{prompt[1:]}.{due}"
    if not private:
        return f"⏰ <@{table.seats[seat].user_id}>, the table waits for you. {what}"
    return (
        f"⏰ **{table.game.meta.title}** in <#{table.match.channel_id}> waits for you. {what}\n"
        "-# `/settings` changes how often I remind you; `/match mute` there stops it for this "
        "match."
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
    """An outbox row's payload."""
    found: dict[str, object] = json.loads(raw)
    return found
