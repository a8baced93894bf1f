"""Short words for what people do at a table in the bot tests."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from typing import Any

from simcord import interactions
from simcord.backend import serializers
from simcord.results import InteractionResult

from bot.service import Table
from engines.core import surface
from engines.core.registry import games

NAMES = ("Ada", "Bruno", "Carla", "Dario", "Elena", "Fatima", "Gino")

BUTTON, SELECT = 2, 3
"""Kinds of components in Discord's numbers."""

STALE = "The table has moved on"

NO_UNDO = (
    STALE,
    "You have acted since that board was posted",
    "Only the latest move can be taken back",
    "no move to take back",
)
"""How an Undo that comes too late is refused."""


class World:
    """A simulated server: ``world.channel`` is the table, ``world.people`` sit at it.

    There is one person more than the largest game seats.
    """

    def __init__(self, env: Any) -> None:
        self.env = env
        self.guild = env.create_guild("Piazza", id=1000)
        self.channel = self.guild.create_text_channel("table")
        self.people = [self.guild.add_member(env.create_user(name)) for name in NAMES]
        self.calls: list[list[int]] = []
        """Who was notified by each message of the server that notified somebody. (An edit does not,
        on Discord.)"""
        env.backend.subscribers.append(self._note)

    def _note(self, event: str, payload: Any) -> None:
        if event == "MESSAGE_CREATE" and payload.get("guild_id"):
            stored = self.env.backend.get_message(int(payload["channel_id"]), int(payload["id"]))
            if stored.ping_user_ids:
                self.calls.append(sorted(stored.ping_user_ids))

    @property
    def bot(self) -> Any:
        """The running bot."""
        return self.env.bot

    async def table(self, channel: Any = None) -> Table:
        """The channel's match."""
        found = await self.bot.service.at((channel or self.channel).id)
        assert found is not None
        return found

    async def begin(
        self, game: str = "paris", players: int = 3, *, channel: Any = None, **options: Any
    ) -> Table:
        """Open a table, seat people and start."""
        host, place = self.people[0], channel or self.channel
        opened = await host.slash(place, f"{game} new", **options)
        assert opened.ephemeral, text(opened)
        for person in self.people[1:players]:
            joined = await person.slash(place, "match join")
            assert "You sit at the table" in text(joined), text(joined)
        started = await host.slash(place, "match start")
        assert text(started) == "The match has begun.", text(started)
        return await self.table(place)

    def person(self, table: Table, seat: int) -> Any:
        """Who sits there."""
        return next(p for p in self.people if p.id == table.seats[seat].user_id)

    async def active(self, channel: Any = None) -> Any:
        """Who is to act (the first of them)."""
        table = await self.table(channel)
        return self.person(table, table.waiting()[0])

    async def others(self) -> list[Any]:
        """The players who are not to act."""
        table = await self.table()
        return [self.person(table, s.seat) for s in table.seats if s.seat not in table.waiting()]

    @property
    def board(self) -> Any:
        """The newest message with buttons."""
        return next(m for m in reversed(self.channel.history()) if m.components)

    def posts(self, channel: Any = None) -> list[Any]:
        """What everybody in the channel sees, oldest first."""
        return [m for m in (channel or self.channel).history() if not m.flags.ephemeral]

    def live(self) -> list[Any]:
        """Public messages that offer more than the rules."""
        return [
            m
            for m in self.posts()
            if {ident.split(":")[1] for ident in idents(m)} - {"rules", "replay"}
        ]

    def pings(self, message: Any) -> list[int]:
        """Who was notified by a message, as it is now (an edit notifies nobody)."""
        stored = self.env.backend.get_message(message.channel.id, message.id)
        return list(stored.ping_user_ids)

    def send_press(
        self,
        person: Any,
        message: Any,
        custom_id: str,
        *,
        kind: int = BUTTON,
        values: Sequence[str] | None = None,
        components: list[dict[str, Any]] | None = None,
        times: int = 1,
    ) -> InteractionResult:
        """Deliver a press without waiting: for presses at once, and for stale or forged ones.

        Args:
            person: who presses.
            message: under which message.
            custom_id: of what is pressed.
            kind: of component.
            values: chosen in a select.
            components: what the presser still saw, if the message was edited since.
            times: how often Discord delivers this one interaction.
        """
        backend = self.env.backend
        where = getattr(message, "channel_id", None) or message.channel.id
        stored = backend.get_message(where, message.id)
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": kind}
        if values is not None:
            data["values"] = list(values)
        record, payload = interactions.base_payload(
            backend,
            type=3,
            channel_id=stored.channel_id,
            guild_id=person.guild.id,
            user_id=person.id,
            data=data,
        )
        payload["message"] = dict(serializers.message_payload(backend, stored))
        if components is not None:
            payload["message"]["components"] = components
        record.source_message_id = stored.id
        for _ in range(times):
            backend.emit("INTERACTION_CREATE", payload)
        return InteractionResult(self.env, record)

    async def press(self, person: Any, message: Any, custom_id: str, **more: Any) -> Any:
        """Deliver a press and wait for what comes of it."""
        result = self.send_press(person, message, custom_id, **more)
        await self.env.settle()
        return result

    async def forge(self, person: Any, custom_id: str, kind: int = BUTTON, **more: Any) -> Any:
        """Press something that the newest board never offered, as if it had."""
        made = {"type": kind, "custom_id": custom_id}
        if kind == BUTTON:
            made |= {"style": 2, "label": "forged"}
        else:
            made |= {"options": [{"label": "x", "value": "x"}]}
            more.setdefault("values", ["x"])
        shown = [{"type": 1, "components": [made]}]
        return await self.press(
            person, self.posts()[-1], custom_id, kind=kind, components=shown, **more
        )

    # ---- playing -----------------------------------------------------------------------------

    async def move(self, rand: random.Random | None = None, *, ask: bool = True) -> str:
        """The player to act makes a move by slash command; returns the reply.

        Args:
            rand: chooses the move; None = the first one.
            ask: let autocompletion offer every value first, as a player would.
        """
        table = await self.table()
        seat = table.waiting()[0]
        person = self.person(table, seat)
        found = surface.phrases(table.game, table.state, seat)
        phrase, _ = found[0] if rand is None else rand.choice(found)
        command = f"{table.game.meta.command} {phrase.command}"
        words: dict[str, str] = {}
        for name in params(table, phrase.command):
            if name not in phrase.args:
                continue
            words[name] = phrase.args[name]
            if ask:
                given = {k: v for k, v in words.items() if k != name}
                choices = await person.autocomplete(
                    self.channel, command, name, phrase.args[name], **given
                )
                assert 1 <= len(choices) <= 25
                fits = [c for c in choices if surface.unstamp(c["value"])[0] == phrase.args[name]]
                assert fits, (phrase, name, choices)
                words[name] = fits[0]["value"]
        reply = await person.slash(self.channel, command, **words)
        said = text(reply)
        assert said.startswith("Done: "), (phrase, said)
        assert reply.ephemeral
        return said

    async def pick(self, rand: random.Random | None = None, person: Any = None) -> Any:
        """Open *My move* and answer its questions up to the confirmation; returns that reply."""
        person = person or await self.active()
        reply = await person.click(self.board, label="My move")
        for _ in range(60):
            assert private(reply), text(reply)
            shown = parts(reply.response)
            if any(c.get("label") == "Confirm" for c in shown):
                return reply
            more = next((c for c in shown if str(c.get("label", "")).startswith("More")), None)
            if more is not None and rand is not None and rand.random() < 0.3:
                reply = await person.click(reply.response, custom_id=more["custom_id"])
                continue
            (select,) = [c for c in shown if c["type"] == SELECT]
            values = [option["value"] for option in select["options"]]
            assert 1 <= len(values) == len(set(values)) <= 25
            value = values[0] if rand is None else rand.choice(values)
            reply = await person.select(reply.response, [value])
        raise AssertionError("the picker asks for ever")

    async def click_move(self, rand: random.Random | None = None) -> str:
        """The player to act makes a move by buttons; returns the reply."""
        person = await self.active()
        ready = await self.pick(rand, person)
        done = await person.click(ready.response, label="Confirm")
        assert text(done).startswith("Done: "), text(done)
        assert not parts(done.response), "a used picker keeps no buttons"
        return text(done)

    async def settled_in(self, seconds: float) -> None:
        """Let simulated time pass, so that retries come due: a few hours at a time, as each step
        has to settle within real seconds and the clockwork beats every minute."""
        while seconds > 0:
            step = min(seconds, 6 * 3600)
            await self.env.advance_time(step)
            await self.env.settle()
            seconds -= step


def params(table: Table, command: str) -> list[str]:
    """The options of a move command, in order."""
    return [p.name for c in table.game.commands() if c.name == command for p in c.params]


def parts(message: Any) -> list[dict[str, Any]]:
    """The components of a response, flat."""
    if message is None:
        return []
    return [c for line in message.components for c in line["components"]]


def idents(message: Any) -> list[str]:
    """The custom ids of a public message."""
    return [c.custom_id for line in message.components for c in line.children]


def raw(message: Any) -> list[dict[str, Any]]:
    """A public message's components as they go over the wire."""
    return [line.to_dict() for line in message.components]


def ident(message: Any, label: str) -> str:
    """The custom id of a button of a public message."""
    return next(c.custom_id for line in message.components for c in line.children
                if c.label == label)  # fmt: skip


def private(result: Any) -> bool:
    """Whether the press or command was answered, and to that person alone."""
    found = [m for m in (result.response, *result.followups) if m is not None]
    return bool(result.acknowledged and found and all(m.ephemeral for m in found))


def no_undo(words: str) -> bool:
    """Whether an undo was refused as too late."""
    return any(known in words for known in NO_UNDO)


def text(result: Any) -> str:
    """What a person reads in reply."""
    found = [m.content for m in (result.response, *result.followups) if m is not None]
    return "\n".join(dict.fromkeys(found))


def sizes() -> list[tuple[str, int]]:
    """Every game of the registry with its smallest and its largest table."""
    return [
        (game.meta.command, seats)
        for game in games().values()
        for seats in sorted({min(game.meta.seats), max(game.meta.seats)})
    ]


async def undisturbed(*work: Any) -> list[Any]:
    """Run things at once and return what came of each, exceptions included."""
    return list(await asyncio.gather(*work, return_exceptions=True))
