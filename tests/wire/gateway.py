"""Discord's gateway: one websocket a session, resumable, its events kept for a replay."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiohttp import WSMsgType, web

from tests.wire.model import Guild

if TYPE_CHECKING:
    from tests.wire.server import LoopbackDiscord

Json = dict[str, Any]

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, VOICE, RESUME = 0, 1, 2, 3, 4, 6
RECONNECT, REQUEST_MEMBERS, INVALID_SESSION, HELLO, HEARTBEAT_ACK = 7, 8, 9, 10, 11

GUILDS, GUILD_MEMBERS, GUILD_PRESENCES = 1 << 0, 1 << 1, 1 << 8
GUILD_MESSAGES, DIRECT_MESSAGES, MESSAGE_CONTENT = 1 << 9, 1 << 12, 1 << 15
PRIVILEGED = GUILD_MEMBERS | GUILD_PRESENCES | MESSAGE_CONTENT


def intent_for(event: str, *, in_guild: bool) -> int:
    """The intent that an event needs; 0 for those that always come."""
    if event.startswith("MESSAGE_"):
        return GUILD_MESSAGES if in_guild else DIRECT_MESSAGES
    if event.startswith("GUILD_MEMBER_"):
        return GUILD_MEMBERS
    if event.startswith(("GUILD_", "CHANNEL_", "THREAD_")):
        return GUILDS
    return 0


@dataclass(eq=False)
class Session:
    """What Discord remembers of one IDENTIFY."""

    id: str
    intents: int
    identify: Json
    events: list[Json] = field(default_factory=list)
    connection: Connection | None = None
    dead: bool = False
    resumes: int = 0

    def append(self, event: str, data: Any) -> None:
        number = len(self.events) + 1
        self.events.append({"op": DISPATCH, "t": event, "s": number, "d": data})
        if self.connection:
            self.connection.wake.set()

    @property
    def connected(self) -> bool:
        return self.connection is not None


@dataclass(eq=False)
class Connection:
    """One websocket. Events go out in order from `sent` on, so that a replay needs no more."""

    ws: web.WebSocketResponse
    compress: bool
    transport: asyncio.Transport | None
    sent: int = 0
    closing: int | None = None  # the code that this side closes with
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self.zlib = zlib.compressobj()

    async def send(self, payload: Json) -> None:
        text = json.dumps(payload)
        async with self.lock:
            if not self.compress:
                await self.ws.send_str(text)
                return
            data = self.zlib.compress(text.encode()) + self.zlib.flush(zlib.Z_SYNC_FLUSH)
            await self.ws.send_bytes(data)

    async def pump(self, session: Session) -> None:
        """Send the session's events for as long as the socket lives."""
        while True:
            self.wake.clear()
            while self.sent < len(session.events):
                event = session.events[self.sent]
                self.sent += 1
                await self.send(event)
            await self.wake.wait()


class Gateway:
    def __init__(self, discord: LoopbackDiscord) -> None:
        self.discord = discord
        self.sessions: dict[str, Session] = {}
        self.session: Session | None = None  # the newest one
        self.identifies: list[Json] = []
        self.resumes: list[Json] = []  # with `ok`: whether the session could be resumed
        self.heartbeats = 0
        self.closes: list[int | None] = []  # the codes that clients closed with
        self.heartbeat_interval = 41.25
        self.privileged_intents = 0  # those that the developer portal has switched on
        self._open = asyncio.Event()
        self._open.set()
        self._connections: set[Connection] = set()

    # what a test does to the gateway

    def hold(self) -> None:
        """Let nobody connect until `release()`."""
        self._open.clear()

    def release(self) -> None:
        self._open.set()

    @property
    def connected(self) -> bool:
        return self.session is not None and self.session.connected and not self.session.dead

    async def drop(self, *, code: int = 4000, abort: bool = False) -> None:
        """Close every socket: with a close code, or (`abort`) by cutting the connection."""
        for connection in list(self._connections):
            if abort and connection.transport is not None:
                connection.transport.abort()
            else:
                connection.closing = code
                with contextlib.suppress(ConnectionError):
                    await connection.ws.close(code=code)
        await self.discord.until(lambda: not self._connections, what="sockets to close")

    async def ask_to_reconnect(self) -> None:
        """Opcode 7, which Discord sends every few hours."""
        for connection in list(self._connections):
            await connection.send({"op": RECONNECT, "d": None})

    def forget_sessions(self) -> None:
        """No session can be resumed from now on."""
        for session in self.sessions.values():
            session.dead = True

    # events

    def dispatch(
        self,
        event: str,
        data: Any | Callable[[Session], Any],
        *,
        guild: Guild | None = None,
        always: bool = False,
    ) -> None:
        if guild is not None and not guild.has_bot and not always:
            return
        need = intent_for(event, in_guild=guild is not None)
        for session in self.sessions.values():
            if not session.dead and session.intents & need == need:
                session.append(event, data(session) if callable(data) else data)

    # the socket

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        await self._open.wait()
        ws = web.WebSocketResponse(compress=False, max_msg_size=0)
        await ws.prepare(request)
        connection = Connection(
            ws, request.query.get("compress") == "zlib-stream", request.transport
        )
        self._connections.add(connection)
        session: Session | None = None
        pump: asyncio.Task[None] | None = None
        try:
            interval = int(self.heartbeat_interval * 1000)
            await connection.send({"op": HELLO, "d": {"heartbeat_interval": interval}})
            async for message in ws:
                if message.type is not WSMsgType.TEXT:
                    await ws.close(code=4002)
                    break
                payload = json.loads(message.data)
                op = payload.get("op")
                if op == HEARTBEAT:
                    self.heartbeats += 1
                    await connection.send({"op": HEARTBEAT_ACK})
                elif op == IDENTIFY:
                    session = await self._identify(connection, payload["d"])
                elif op == RESUME:
                    session = await self._resume(connection, payload["d"])
                elif op not in (PRESENCE, VOICE, REQUEST_MEMBERS):
                    await ws.close(code=4001)
                if session is not None and pump is None:
                    pump = asyncio.create_task(connection.pump(session))
                self.discord.changed()
        except ConnectionError:
            pass
        finally:
            self._connections.discard(connection)
            if session is not None and session.connection is connection:
                session.connection = None
                if connection.closing is None and ws.close_code in (1000, 1001):
                    session.dead = True  # closed for good by the client
            if pump is not None:
                pump.cancel()
                await asyncio.gather(pump, return_exceptions=True)
            if connection.closing is None:
                self.closes.append(ws.close_code)
            else:  # whoever closes first decides on the code, and aiohttp's own would be 1000
                await ws.close(code=connection.closing)
            self.discord.changed()
        return ws

    async def _identify(self, connection: Connection, data: Json) -> Session | None:
        discord = self.discord
        self.identifies.append(data)
        if data["token"] != discord.token:
            await connection.ws.close(code=4004)
            return None
        intents = data["intents"]
        if intents & PRIVILEGED & ~self.privileged_intents:
            await connection.ws.close(code=4014)
            return None
        session = Session(secrets.token_hex(16), intents, data, connection=connection)
        self.sessions[session.id] = self.session = session
        guilds = [guild for guild in discord.guilds.values() if guild.has_bot]
        ready = {
            "v": 10,
            "user": {**discord.bot_user.payload(), "verified": True, "mfa_enabled": False},
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": discord.gateway_url,
            "session_type": "normal",
            "private_channels": [],
            "relationships": [],
            "application": {"id": str(discord.application_id), "flags": 0},
        }
        if "shard" in data:
            ready["shard"] = data["shard"]
        session.append("READY", ready)
        if intents & GUILDS:
            for guild in guilds:
                everybody = bool(intents & GUILD_MEMBERS)
                session.append("GUILD_CREATE", guild.gateway_payload(all_members=everybody))
        return session

    async def _resume(self, connection: Connection, data: Json) -> Session | None:
        session = self.sessions.get(data["session_id"])
        ok = session is not None and not session.dead and data["token"] == self.discord.token
        self.resumes.append({**data, "ok": ok})
        if not ok or session is None:
            await connection.send({"op": INVALID_SESSION, "d": False})
            return None
        connection.sent = int(data["seq"] or 0)
        session.connection = connection
        session.resumes += 1
        session.append("RESUMED", {"_trace": []})
        self.session = session
        return session

    async def close(self) -> None:
        self.release()
        self.forget_sessions()
        for connection in list(self._connections):
            if connection.transport is not None:
                connection.transport.abort()
