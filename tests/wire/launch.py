"""``piazza`` against another Discord: ``python -m tests.wire.launch API GATEWAY COMMAND …``.

Nothing but the two addresses, and the outbox's first pause so that tests are quick, differs from
the command itself.
"""

from __future__ import annotations

import os
import sys

import discord.gateway
import discord.http
import yarl

import bot.outbox
from bot.cli import main

if __name__ == "__main__":
    api, gateway, *arguments = sys.argv[1:]
    discord.http.Route.BASE = api
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
    bot.outbox.FIRST_RETRY_MS = int(os.environ.get("TEST_FIRST_RETRY_MS", "100"))
    sys.exit(main(arguments))
