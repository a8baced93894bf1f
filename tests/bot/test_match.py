"""Whole matches through the bot."""

from __future__ import annotations

from typing import Any

from tests.bot.table import World, text


async def test_a_whole_match_by_slash_commands(world: World) -> None:
    table = await world.begin("paris", 3)
    for _ in range(45):
        table = await world.table()
        (seat,) = table.waiting()
        person = world.person(table, seat)
        choices = await person.autocomplete(world.channel, "paris open", "tile", "")
        args: dict[str, Any] = {"tile": choices[0]["value"]}
        who = await person.autocomplete(world.channel, "paris open", "remove", "", **args)
        if who:
            args["remove"] = who[0]["value"]
        reply = await person.slash(world.channel, "paris open", **args)
        assert text(reply).startswith("Done: Open a shop at"), text(reply)
    table = await world.table()
    assert table.match.status == "finished"
    last = world.channel.last_message
    assert "Final ranking" in last.content
    assert last.attachments
