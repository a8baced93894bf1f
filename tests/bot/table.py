"""Short words for what people do at a table in the bot tests."""

from __future__ import annotations

from typing import Any

from bot.service import Table

NAMES = ("Ada", "Bruno", "Carla", "Dario", "Elena")


class World:
    """A simulated server: ``world.channel`` is the table, ``world.people`` sit at it."""

    def __init__(self, env: Any) -> None:
        self.env = env
        self.guild = env.create_guild("Piazza", id=1000)
        self.channel = self.guild.create_text_channel("table")
        self.people = [self.guild.add_member(env.create_user(name)) for name in NAMES]

    @property
    def bot(self) -> Any:
        """The running bot."""
        return self.env.bot

    async def table(self) -> Table:
        """The channel's match."""
        found = await self.bot.service.at(self.channel.id)
        assert found is not None
        return found

    async def begin(self, game: str = "paris", players: int = 3, **options: Any) -> Table:
        """Open a table, seat people and start."""
        host = self.people[0]
        opened = await host.slash(self.channel, f"{game} new", **options)
        assert opened.ephemeral, text(opened)
        for person in self.people[1:players]:
            joined = await person.slash(self.channel, "match join")
            assert "You sit at the table" in text(joined), text(joined)
        started = await host.slash(self.channel, "match start")
        assert text(started) == "The match has begun."
        return await self.table()

    def person(self, table: Table, seat: int) -> Any:
        """Who sits there."""
        return next(p for p in self.people if p.id == table.seats[seat].user_id)

    @property
    def board(self) -> Any:
        """The newest message with buttons."""
        return next(m for m in reversed(self.channel.history()) if m.components)


def text(result: Any) -> str:
    """What a person reads in reply."""
    parts = [m.content for m in (result.response, *result.followups) if m is not None]
    return "\n".join(dict.fromkeys(parts))
