"""Local play: this same bot on a simulated Discord, shown as a page in the browser.

No account, no token, no network. SimCord simulates one server with one channel; every player can be
played from the page by switching the viewer. What the page cannot show is said in the README.
"""

from __future__ import annotations

import asyncio
import logging
import time
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.app import PiazzaBot, stop_on_signals
from bot.config import ConfigError, Settings
from bot.errors import TableError
from bot.language import tr
from bot.logs import get_logger
from engines.core.registry import game as find_game
from storage.store import Store

log = get_logger(__name__)

GUILD, CHANNEL, FIRST_USER = 4_000_000_000_000_001, 4_000_000_000_000_002, 4_000_000_000_000_011
"""Snowflakes that stay the same at every start and are older than any real one of today."""

NAMES = ("Ada", "Bruno", "Carla", "Dario", "Elena")

FORGIVING = frozenset(
    {
        "click",
        "select",
        "modal_submit",
        "run_command",
        "autocomplete_command",
        "send_message",
        "history",
    }
)
"""Actions of the page that are checked against the present message again, so that an older revision
of the page does no harm."""

TICK = 0.25
"""Seconds between two looks at the clock and at new posts."""


def _simcord() -> Any:
    try:
        import simcord
    except ImportError:
        raise ConfigError(
            "Local play needs the simulated Discord: install it with `pip install -e '.[play]'`."
        ) from None
    return simcord


def make_world(env: Any, seats: int) -> tuple[Any, list[Any]]:
    """A server with one channel and its players, with the same ids at every start."""
    simcord = _simcord()
    from simcord.backend import serializers
    from simcord.backend.models import Channel, User

    backend = env.backend
    backend.bot_user.name = "Piazza"
    guild = env.create_guild("Piazza", id=GUILD)
    backend.reserve_id(CHANNEL)
    channel = backend.channels[CHANNEL] = Channel(
        id=CHANNEL, type=0, name="table", guild_id=guild.id, topic="Type / to see the commands"
    )
    backend.messages[CHANNEL] = {}
    guild._guild.channel_ids.append(CHANNEL)
    backend.emit("CHANNEL_CREATE", serializers.channel_payload(backend, channel))
    members = []
    for i, name in enumerate(NAMES[:seats]):
        ident = FIRST_USER + i
        backend.reserve_id(ident)
        backend.users[ident] = User(id=ident, name=name.lower(), global_name=name)
        members.append(guild.add_member(simcord.UserHandle(env, backend.users[ident])))
    return simcord.ChannelHandle(env, guild, channel), members


@contextmanager
def watching(env: Any, previews: list[Any]) -> Iterator[dict[str, int]]:
    """Collects the pages whose channel has changed since they were last shown."""
    dirty: dict[str, int] = {}

    def note(event: str, payload: Any) -> None:
        channel = int(payload.get("channel_id") or 0) if event.startswith("MESSAGE_") else None
        for preview in previews:
            if channel is None or channel == preview.channel.id:
                dirty.update({page.id: page.revision for page in preview._pages.values()})

    env.backend.subscribers.append(note)
    try:
        yield dirty
    finally:
        env.backend.subscribers.remove(note)


async def pump(env: Any, previews: list[Any]) -> None:
    """Let the simulated time follow the real one, and new posts reach the page."""
    simcord = _simcord()
    started, base = time.perf_counter(), env._virtual_time
    with watching(env, previews) as dirty:
        while True:
            await asyncio.sleep(TICK)
            if env._operation_task is not None:
                continue
            try:
                behind = base + (time.perf_counter() - started) - env._virtual_time
                if behind > 0:
                    await env.advance_time(behind)
                env._begin_operation("piazza.publish")
                try:
                    for preview in previews:
                        _publish(preview, dirty)
                finally:
                    env._end_operation()
            except simcord.SetupError:
                continue
            except TimeoutError as error:
                log.warning("the simulated Discord is busy", reason=str(error))


def _publish(preview: Any, dirty: dict[str, int]) -> None:
    pages = [p for p in tuple(preview._pages.values()) if dirty.pop(p.id, -1) == p.revision]
    if pages:
        preview._advance_presentation_time()
    for page in pages:
        if page.id in preview._pages:
            preview._publish(page, reason="refresh")


def queue_actions(env: Any, preview: Any) -> None:
    """Let actions of the page wait for each other, where SimCord would refuse the second."""
    action, lock = preview._action, asyncio.Lock()

    async def patient(context_id: str, body: Any) -> Any:
        async with lock:
            while env._operation_task is not None:  # noqa: ASYNC110 - SimCord has no event for it
                await asyncio.sleep(0.005)
            page = preview._pages.get(context_id)
            if (
                page is not None
                and isinstance(body, dict)
                and body.get("kind") in FORGIVING
                and "published_revision" in body
            ):
                body = {**body, "published_revision": page.revision}
            return await action(context_id, body)

    preview._action = patient


async def prepare(bot: PiazzaBot, game_key: str | None, members: list[Any]) -> None:
    """Show the match that was left, or seat everybody and begin a new one."""
    service = bot.service
    table = await service.at(CHANNEL)
    if table is not None and table.match.open:
        await service.show_again(table.match.id, tr("The table stands as you left it."))
        return
    key = game_key or "paris_paris"
    try:
        done = await service.create(
            key,
            guild_id=GUILD,
            channel_id=CHANNEL,
            host_id=members[0].id,
            host_name=NAMES[0],
            seats=len(members) if len(members) in find_game(key).meta.seats else None,
        )
        ident = done.table.match.id
        for member, name in zip(members[1:], NAMES[1:], strict=False):
            await service.join(ident, member.id, name)
        await service.start(ident, members[0].id)
    except TableError as error:
        raise ConfigError(error.text) from error


async def play(
    settings: Settings,
    *,
    game_key: str | None = None,
    seats: int | None = None,
    db: Path,
    port: int = 0,
    browser: bool = True,
) -> None:
    """Run local play until the page is closed for good or Ctrl-C.

    Args:
        settings: the token is not used.
        game_key: game of a new match; an open match in ``db`` goes on instead.
        seats: number of players of a new match.
        db: database file; the match in it survives a stop.
        port: of the page on 127.0.0.1; 0 = any free one.
        browser: open the page, not only print its address.

    Raises:
        ConfigError: SimCord is missing, or the game cannot be played like that.
    """
    # Notes on voice and intents are about features that a board game bot does not use.
    logging.getLogger("discord").setLevel(logging.ERROR)
    simcord = _simcord()
    simcord.Env._settle_internal.__kwdefaults__["idle"] = 0.005
    game = find_game(game_key or "paris_paris")
    count = seats or (3 if 3 in game.meta.seats else game.meta.seats[0])
    if count not in game.meta.seats:
        allowed = ", ".join(str(n) for n in game.meta.seats)
        raise ConfigError(f"{game.meta.title} is for {allowed} players, not {count}.")
    stop = asyncio.Event()
    stop_on_signals(stop)
    async with await Store.open(db) as store:
        open_match = await store.open_match(CHANNEL)
        if open_match is not None:
            count = max(count, len(await store.seats(open_match.id)))
        bot = PiazzaBot(settings, store)
        env = simcord.Env(bot, check_errors=False, settle_timeout=10)
        # Ids hold the time, so they must not begin again where an earlier start began.
        env.backend.clock._epoch = datetime.now(UTC).replace(microsecond=0)
        channel, members = make_world(env, count)
        try:
            await env.start()
            with env._bot_scope():
                await prepare(bot, game_key, members)
            await env.settle()
            async with env.preview(
                channel, viewers=members, layout="channel", port=port
            ) as preview:
                queue_actions(env, preview)
                print(f"{game.meta.title} is on the table. Open this page:\n\n  {preview.url}\n")
                print("Choose the player at the top of the page. Ctrl-C ends it.", flush=True)
                if browser:
                    webbrowser.open(preview.url)
                await _until_over(env, preview, stop)
        finally:
            await env.shutdown()
            await bot.close()
    print(f"The match is kept in {db}; start again with the same --db to go on.")


async def _until_over(env: Any, preview: Any, stop: asyncio.Event) -> None:
    ends = [asyncio.create_task(preview.wait_closed()), asyncio.create_task(stop.wait())]
    pumping = asyncio.create_task(pump(env, [preview]))
    await asyncio.wait([*ends, pumping], return_when=asyncio.FIRST_COMPLETED)
    for task in (*ends, pumping):
        task.cancel()
    await asyncio.gather(*ends, pumping, return_exceptions=True)
