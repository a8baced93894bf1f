"""A Discord on 127.0.0.1: REST and gateway, for the unmodified discord.py client.

    async with LoopbackDiscord() as discord_:
        alice = discord_.add_user("alice")
        guild = discord_.add_guild("Piazza", members=[alice])
        table = guild.add_text_channel("table")
        with discord_.patched():
            async with discord_.running(client):
                reply = await alice.slash(table, "paris open", tile="louvre/blue")
                await alice.click(table.last, label="My hand")

What the client sends is recorded in `requests`, checked against Discord's published OpenAPI
description where that is at hand (`violations`), and answered as Discord answers: with its limits,
its permissions, its rate limits and its error codes.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import json
import mimetypes
import re
import time
import traceback
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar
from urllib.parse import quote

import aiohttp
from aiohttp import web

from tests.wire import openapi, rest
from tests.wire.gateway import Gateway, Session
from tests.wire.interactions import Actions, Interaction
from tests.wire.limits import ERRORS, ApiError, check_message
from tests.wire.model import (
    COMPONENTS_V2,
    EPHEMERAL,
    EVERYONE_DEFAULT,
    LOADING,
    Attachment,
    Channel,
    Guild,
    Kind,
    Member,
    Message,
    Perm,
    Role,
    Snowflakes,
    User,
    now,
    picture_size,
    pinged,
    walk,
)
from tests.wire.openapi import Violation

Json = dict[str, Any]
T = TypeVar("T")

API = "/api/v10"


class Client(Protocol):
    """As much of discord.Client as `running` needs."""

    async def start(self, token: str) -> None: ...
    async def close(self) -> None: ...


@dataclass(frozen=True)
class Upload:
    """A file of a multipart request, or one that a user gives to a command."""

    filename: str
    data: bytes = field(repr=False)
    content_type: str = "application/octet-stream"
    field: str = ""


@dataclass(eq=False)
class Request:
    """One request of the client, and what it was answered."""

    method: str
    path: str  # without /api/v10
    query: dict[str, str]
    headers: Mapping[str, str] = field(repr=False)  # case does not matter
    json: Any = None  # the JSON body, or a form's payload_json
    files: list[Upload] = field(default_factory=list)
    multipart: bool = False
    time: float = 0.0
    status: int = 0
    answer: Any = field(default=None, repr=False)
    seconds: float = 0.0
    injected: bool = False  # answered with an error that a test asked for

    @property
    def uploads(self) -> dict[int, Upload]:
        """The files by their number, the N of `files[N]`."""
        found = {}
        for file in self.files:
            number = re.fullmatch(r"files\[(\d+)\]", file.field)
            if number:
                found[int(number[1])] = file
        return found

    def __str__(self) -> str:
        return f"{self.method} {self.path} → {self.status or 'pending'}"


@dataclass(eq=False)
class Fault:
    """An error to be injected, see `LoopbackDiscord.fail_next`."""

    method: str
    path: re.Pattern[str]
    times: int
    status: int
    code: int
    retry_after: float
    scope_global: bool
    via: bool
    applied: bool
    cut: bool
    delay: float
    hits: list[Request] = field(default_factory=list)


@dataclass(frozen=True)
class RateLimit:
    """`limit` requests in `per` seconds for each channel, guild or webhook."""

    method: str
    path: re.Pattern[str]
    limit: int
    per: float


@dataclass(eq=False)
class _Bucket:
    rule: RateLimit
    started: float = 0.0
    used: int = 0

    def take(self) -> bool:
        clock = time.monotonic()
        if clock - self.started >= self.rule.per:
            self.started, self.used = clock, 0
        self.used += 1
        return self.used <= self.rule.limit

    @property
    def reset_after(self) -> float:
        return max(0.0, self.started + self.rule.per - time.monotonic())


GENEROUS = (RateLimit("*", re.compile(".*"), 200, 1.0),)
# Those that a game meets, as they are seen in the headers of the real service.
REALISTIC = (
    RateLimit("POST", re.compile(r"/channels/\d+/messages"), 5, 5.0),
    RateLimit("PATCH", re.compile(r"/channels/\d+/messages/\d+"), 5, 5.0),
    RateLimit("DELETE", re.compile(r"/channels/\d+/messages/\d+"), 5, 1.0),
    RateLimit("*", re.compile(r"/webhooks/.*"), 5, 2.0),
    RateLimit("*", re.compile(".*"), 50, 1.0),
)


def _parsed(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return None


class LoopbackDiscord:
    def __init__(
        self,
        *,
        token: str = "token",
        rate_limits: Iterable[RateLimit] = GENEROUS,
        patience: float = 10.0,
    ) -> None:
        self.token = token
        self.patience = patience  # how long a helper waits for the bot
        self.ack_seconds = 3.0
        self.token_seconds = 15 * 60.0
        self.nonce_seconds = 5 * 60.0
        self.attachment_size_limit = 10 * 1024 * 1024
        self.rate_limits = list(rate_limits)

        self.snowflake = Snowflakes()
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.files: dict[str, bytes] = {}
        self.global_commands: list[Json] = []
        self.guild_commands: dict[int, list[Json]] = {}
        self.bot_user = self.add_user("piazza", bot=True)
        self.application_id = self.bot_user.id
        self.owner = self.add_user("owner")

        self.requests: list[Request] = []
        self.unknown_routes: list[Request] = []
        self.crashes: list[str] = []  # requests that a handler of this server stumbled over
        self.rate_limited: list[Request] = []  # real 429s; an injected one does not count
        self.interactions: list[Interaction] = []
        self.by_token: dict[str, Interaction] = {}
        self.faults: list[Fault] = []
        self.api = openapi.load_if_present()
        self.act = Actions(self)
        self.gateway = Gateway(self)

        self._violations: list[Violation] = []
        self._answer_violations: list[Violation] = []
        self._unchecked: list[tuple[Request, bytes | None, bytes | None]] = []
        self._nonces: dict[tuple[int, int, str], tuple[float, Message]] = {}
        self._dms: dict[int, Channel] = {}
        self._buckets: dict[tuple[RateLimit, str, str], _Bucket] = {}
        self._tick = asyncio.Event()
        self._runner: web.AppRunner | None = None
        self._port = 0

    # life

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_get("/gateway", self.gateway.handle)
        app.router.add_get("/gateway/", self.gateway.handle)
        app.router.add_get("/attachments/{path:.*}", self._serve_file)
        app.router.add_route("*", API + "/{path:.*}", self._serve_api)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.gateway.close()
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def api_url(self) -> str:
        return self.url + API

    @property
    def gateway_url(self) -> str:
        return f"ws://127.0.0.1:{self._port}/gateway"

    @contextlib.contextmanager
    def patched(self) -> Iterator[None]:
        """Point discord.py at this server, and back where it was."""
        import discord.gateway
        import discord.http
        import yarl

        route, socket = discord.http.Route, discord.gateway.DiscordWebSocket
        before = route.BASE, socket.DEFAULT_GATEWAY
        route.BASE, socket.DEFAULT_GATEWAY = self.api_url, yarl.URL(self.gateway_url)
        try:
            yield
        finally:
            route.BASE, socket.DEFAULT_GATEWAY = before

    async def ready(self) -> Session:
        """Wait until a bot is connected and has been sent all it needs."""

        def greeted() -> Session | None:
            session = self.gateway.session
            if session is None or not self.gateway.connected or session.connection is None:
                return None
            return session if session.connection.sent == len(session.events) else None

        session = await self.until(greeted, what="the bot to connect")
        assert session is not None
        return session

    @contextlib.asynccontextmanager
    async def running(self, client: Client) -> AsyncIterator[Client]:
        """Run a client until the block ends; its own failure to start is raised here."""
        starting = asyncio.create_task(client.start(self.token), name="client")
        waiting = asyncio.create_task(self.ready(), name="ready")
        try:
            await asyncio.wait({starting, waiting}, return_when=asyncio.FIRST_COMPLETED)
            if not waiting.done():
                await starting
                raise AssertionError("the client stopped before it was ready")
            await waiting
            yield client
        finally:
            waiting.cancel()
            await client.close()
            if not starting.done():
                done, _ = await asyncio.wait({starting}, timeout=self.patience)
                if not done:
                    starting.cancel()
            await asyncio.gather(starting, waiting, return_exceptions=True)
            # discord.py means to close with 1000 and closes with 4000, which alone would leave
            # a session that waits for a resume
            self.gateway.forget_sessions()

    # waiting

    def changed(self) -> None:
        """Something happened: let those who wait look again."""
        self._tick.set()
        self._tick = asyncio.Event()

    async def until(
        self, predicate: Callable[[], T], *, within: float | None = None, what: str = "it"
    ) -> T:
        """Wait until the predicate holds; it is asked again whenever something happened."""
        limit = self.patience if within is None else within
        deadline = time.monotonic() + limit
        while True:
            tick = self._tick
            value = predicate()
            if value:
                return value
            left = deadline - time.monotonic()
            if left <= 0:
                recent = "; ".join(str(request) for request in self.requests[-8:])
                raise AssertionError(f"waited {limit:g} s for {what}. Last requests: {recent}")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(tick.wait(), left)

    # the world

    def add_user(
        self,
        name: str,
        *,
        bot: bool = False,
        dms_open: bool = True,
        locale: str = "en-US",
        global_name: str | None = None,
    ) -> User:
        user = User(self, self.snowflake(), name, global_name, bot, locale, dms_open)
        self.users[user.id] = user
        return user

    def add_guild(
        self,
        name: str = "Piazza",
        *,
        members: Iterable[User] | None = None,
        owner: User | None = None,
        permissions: Perm = EVERYONE_DEFAULT,
    ) -> Guild:
        """A guild with the bot in it. Without `members`, all users so far join."""
        identity = self.snowflake()
        everyone = Role(identity, "@everyone", permissions)
        bot_role = Role(self.snowflake(), "piazza", Perm(0), 1, managed_by=self.bot_user)
        guild = Guild(self, identity, name, owner or self.owner, everyone, bot_role)
        guild.roles = {everyone.id: everyone, bot_role.id: bot_role}
        guild.members[self.bot_user.id] = Member(guild, self.bot_user, roles=[bot_role])
        joining = list(self.users.values()) if members is None else [guild.owner, *members]
        for user in joining:
            guild.members.setdefault(user.id, Member(guild, user))
        self.guilds[guild.id] = guild
        self.dispatch(
            "GUILD_CREATE",
            lambda session: guild.gateway_payload(all_members=bool(session.intents & 2)),
            guild=guild,
        )
        return guild

    def dm_channel(self, user: User) -> Channel:
        if user.id not in self._dms:
            channel = Channel(self, self.snowflake(), Kind.dm, "", recipient=user)
            self._dms[user.id] = self.channels[channel.id] = channel
        return self._dms[user.id]

    def dms(self, user: User) -> list[Message]:
        """What the bot and this user wrote to each other."""
        return self.dm_channel(user).messages

    def command(self, name: str, guild: Guild | None) -> Json:
        for command in [
            *self.guild_commands.get(guild.id if guild else 0, []),
            *self.global_commands,
        ]:
            if command["name"] == name and command["type"] == 1:
                return command
        known = [command["name"] for command in self.global_commands]
        raise LookupError(f"the bot has registered no /{name}; global ones: {known}")

    def dispatch(
        self,
        event: str,
        data: Any,
        *,
        guild: Guild | None = None,
        always: bool = False,
    ) -> None:
        self.gateway.dispatch(event, data, guild=guild, always=always)
        self.changed()

    # messages

    def create_message(
        self,
        channel: Channel,
        author: User,
        payload: Json,
        files: dict[int, Upload] | None = None,
        *,
        kind: int = 0,
        interaction: Interaction | None = None,
        reply_to: Message | None = None,
        visible_to: User | None = None,
        may_be_empty: bool = False,
    ) -> Message:
        flags = int(payload.get("flags") or 0)
        if visible_to is None:
            flags &= ~EPHEMERAL
        check_message(payload, flags=flags)
        message = Message(
            self,
            self.snowflake(),
            channel,
            author,
            flags=flags & (4 | EPHEMERAL | LOADING | 1 << 12 | COMPONENTS_V2),
            kind=kind,
            tts=bool(payload.get("tts")),
            nonce=payload.get("nonce"),
            interaction=interaction,
            reply_to=reply_to,
            visible_to=visible_to,
        )
        self._fill(message, payload, files or {})
        if not may_be_empty and self._is_empty(message, payload):
            raise ApiError(50006)
        if visible_to is None:
            channel.by_id[message.id] = message
            self._message_event("MESSAGE_CREATE", message)
        self.changed()
        return message

    def edit_message(self, message: Message, payload: Json, files: dict[int, Upload]) -> Message:
        flags = message.flags | (int(payload.get("flags") or 0) & COMPONENTS_V2)
        check_message(payload, flags=flags)
        filled = message.loading  # only a message that was "thinking" still notifies
        draft = copy.copy(message)
        draft.flags = flags & ~LOADING
        self._fill(draft, payload, files)
        if self._is_empty(draft, payload):
            raise ApiError(50006)
        for name in ("flags", "content", "mentions", "embeds", "components", "attachments"):
            setattr(message, name, getattr(draft, name))
        if filled:
            message.pings, message.pings_everyone = draft.pings, draft.pings_everyone
        message.edited = now()
        message.edits += 1
        if not message.ephemeral:
            self._message_event("MESSAGE_UPDATE", message)
        self.changed()
        return message

    def _fill(self, message: Message, payload: Json, files: dict[int, Upload]) -> None:
        if "content" in payload:
            message.content = payload["content"] or ""
            guild = message.channel.guild
            members = [m.user for m in guild.members.values()] if guild else self.users.values()
            message.pings, message.pings_everyone = pinged(
                message.content, payload.get("allowed_mentions"), members
            )
            message.mentions = message.pings
        if "components" in payload:
            message.components = copy.deepcopy(payload["components"] or [])
            for number, part in enumerate(walk(message.components), start=1):
                part.setdefault("id", number)
        if "embeds" in payload:
            message.embeds = [
                {"type": "rich", **embed} for embed in copy.deepcopy(payload["embeds"] or [])
            ]
        self._attach(message, payload, files)

    def _attach(self, message: Message, payload: Json, files: dict[int, Upload]) -> None:
        described = {str(a["id"]): a for a in payload.get("attachments") or []}
        kept = message.attachments
        if payload.get("attachments") is not None:
            kept = [a for a in kept if str(a.id) in described]
        fresh = []
        for number, upload in sorted(files.items()):
            about = described.get(str(number), {})
            attachment = self.store_upload(message.channel, upload, about)
            attachment.ephemeral = message.ephemeral
            fresh.append(attachment)
        message.attachments = [*kept, *fresh]
        if len(message.attachments) > 10:
            raise ApiError(30015, message="Maximum number of attachments reached (10)")
        by_name = {f"attachment://{a.filename}": a for a in message.attachments}
        for embed in message.embeds:
            for key in ("image", "thumbnail"):
                shown = by_name.get((embed.get(key) or {}).get("url", ""))
                if shown is not None:
                    embed[key] = {"url": shown.url, "proxy_url": shown.url}
                    shown.in_embed = True
        for part in walk(message.components):
            for item in [part, *part.get("items", ())]:
                media = item.get("media") or item.get("file")
                if isinstance(media, dict):
                    self._resolve_media(item, media, by_name.get(media["url"]))

    def _resolve_media(self, item: Json, media: Json, attachment: Attachment | None) -> None:
        """Say where the picture of a gallery, a thumbnail or a file component is."""
        if "id" in media:
            return
        item.setdefault("description", None)
        media |= {"id": str(self.snowflake()), "proxy_url": media["url"]}
        if attachment is not None:
            width, height = picture_size(attachment.data)
            media |= {
                "url": attachment.url,
                "proxy_url": attachment.url,
                "content_type": attachment.content_type,
                "attachment_id": str(attachment.id),
                **({"width": width, "height": height} if width else {}),
            }

    def store_upload(
        self, channel: Channel, upload: Upload, about: Json | None = None
    ) -> Attachment:
        about = about or {}
        if len(upload.data) > self.attachment_size_limit:
            raise ApiError(40005)
        identity = self.snowflake()
        filename = about.get("filename") or upload.filename
        path = f"{channel.id}/{identity}/{quote(filename)}"
        self.files[path] = upload.data
        return Attachment(
            identity,
            filename,
            upload.data,
            f"{self.url}/attachments/{path}",
            mimetypes.guess_type(filename)[0] or "application/octet-stream",
            about.get("description"),
        )

    def _is_empty(self, message: Message, payload: Json) -> bool:
        return not (
            message.content.strip()
            or message.embeds
            or message.attachments
            or message.components
            or payload.get("sticker_ids")
            or payload.get("poll")
        )

    def _message_event(self, event: str, message: Message) -> None:
        guild = message.channel.guild
        extra: Json = {"channel_type": int(message.channel.kind)}
        if guild is not None:
            extra["guild_id"] = str(guild.id)
            member = guild.members.get(message.author.id)
            if member is not None:
                extra["member"] = {k: v for k, v in member.payload().items() if k != "user"}

        def payload(session: Session) -> Json:
            data = {**message.payload(), **extra}
            named = self.bot_user in message.pings or message.author is self.bot_user
            if guild is not None and not named and not session.intents & 1 << 15:
                data |= {"content": "", "embeds": [], "attachments": [], "components": []}
            return data

        self.dispatch(event, payload, guild=guild)

    def remember_nonce(self, message: Message) -> None:
        key = (message.channel.id, message.author.id, str(message.nonce))
        self._nonces[key] = (time.monotonic(), message)

    def message_of_nonce(self, channel: Channel, author: User, nonce: object) -> Message | None:
        found = self._nonces.get((channel.id, author.id, str(nonce)))
        if found and time.monotonic() - found[0] < self.nonce_seconds:
            return found[1]
        return None

    # trouble

    def fail_next(
        self,
        method: str,
        path: str,
        *,
        status: int | None = None,
        code: int = 0,
        times: int = 1,
        retry_after: float = 0.05,
        scope_global: bool = False,
        via: bool | None = None,
        applied: bool = False,
        cut: bool = False,
    ) -> Fault:
        """Answer the next requests with an error instead.

        `path` is a pattern for the whole path without /api/v10. A known `code` brings its usual
        status along. With `applied` the request takes effect all the same and only its answer is
        an error; with `cut` there is no answer at all, the connection is cut.
        """
        status = status or ERRORS.get(code, (500, ""))[0]
        via = code == 0 if via is None else via
        fault = Fault(
            method, re.compile(path), times, status, code, retry_after, scope_global, via,
            applied, cut, 0.0,
        )  # fmt: skip
        self.faults.append(fault)
        return fault

    def delay_next(self, method: str, path: str, seconds: float, *, times: int = 1) -> Fault:
        """Answer the next requests late."""
        fault = Fault(method, re.compile(path), times, 0, 0, 0.0, False, True, True, False, seconds)
        self.faults.append(fault)
        return fault

    async def drop_gateway(self, *, code: int = 4000, abort: bool = False) -> None:
        """Close the websocket; the client resumes by itself."""
        await self.gateway.drop(code=code, abort=abort)

    @contextlib.asynccontextmanager
    async def outage(self, *, code: int = 4000, abort: bool = False) -> AsyncIterator[None]:
        """The gateway is gone for the length of the block; then the client can come back."""
        self.gateway.hold()
        try:
            await self.gateway.drop(code=code, abort=abort)
            yield
        finally:
            self.gateway.release()

    # records

    def sent(self, method: str, path: str) -> list[Request]:
        """The recorded requests whose whole path (without /api/v10) fits the pattern."""
        return [r for r in self.requests if r.method == method and re.fullmatch(path, r.path)]

    @property
    def violations(self) -> list[Violation]:
        """Where a request differs from Discord's published description."""
        self._check()
        return self._violations

    @property
    def answer_violations(self) -> list[Violation]:
        """Where this server itself does not answer as Discord's description says."""
        self._check()
        return self._answer_violations

    def _check(self) -> None:
        """Checking takes milliseconds, so it waits until somebody asks: no ack is slower for it."""
        pending, self._unchecked = self._unchecked, []
        if self.api is None:
            return
        for request, body, answer in pending:
            self._violations += self.api.check(
                request.method,
                request.path,
                request.query,
                None if body is None else _parsed(body),
                has_body=body is not None,
            )
            if answer is not None and not request.injected:
                self._answer_violations += self.api.check_answer(
                    request.method, request.path, request.status, _parsed(answer)
                )

    def check_clean(self) -> None:
        """Nothing was sent that Discord's description does not allow, nothing left unserved."""
        problems = [str(v) for v in [*self.violations, *self.answer_violations]]
        problems += [f"not served here: {request}" for request in self.unknown_routes]
        problems += self.crashes
        unused = [f for f in self.faults if f.times > 0]
        problems += [f"a fault that never struck: {f.method} {f.path.pattern}" for f in unused]
        assert not problems, "\n".join(problems)

    # HTTP

    async def _serve_file(self, request: web.Request) -> web.Response:
        data = self.files.get(quote(request.match_info["path"]))
        if data is None:
            return web.Response(status=404)
        return web.Response(body=data, content_type="application/octet-stream")

    async def _serve_api(self, http: web.Request) -> web.Response:
        started = time.monotonic()
        request = Request(
            http.method,
            "/" + http.match_info["path"],
            dict(http.query),
            http.headers,
            time=started,
        )
        raw = await self._read_body(http, request)
        self.requests.append(request)
        fault = self._fault_for(request)
        bucket = self._bucket_for(request)
        within_limit = bucket.take()
        headers = self._limit_headers(bucket, request)
        body: Any
        if fault is not None and not fault.applied:
            request.injected = True
            status, body = self._fault_answer(fault, headers)
        elif not within_limit:
            self.rate_limited.append(request)
            status, body = self._too_many(headers, bucket.reset_after)
        else:
            status, body = await self._answer(request)
            if fault is not None and fault.delay:
                await asyncio.sleep(fault.delay)
            elif fault is not None:
                request.injected = True
                status, body = self._fault_answer(fault, headers)
        request.status, request.answer = status, body
        request.seconds = time.monotonic() - started
        self.changed()
        answer = None if status == 204 else json.dumps(body).encode()
        self._unchecked.append((request, raw, answer))
        if fault is not None and fault.cut:
            if http.transport is not None:
                http.transport.abort()
            return web.Response(status=500)
        if answer is None:
            return web.Response(status=204, headers=headers)
        # exactly this content type: with a charset discord.py would not read it as JSON
        headers["Content-Type"] = "application/json"
        return web.Response(status=status, body=answer, headers=headers)

    async def _read_body(self, http: web.Request, request: Request) -> bytes | None:
        """Fill in what the request carries; returns its JSON as it came."""
        raw: bytes | None = None
        if http.content_type.startswith("multipart/"):
            request.multipart = True
            raw = b"{}"
            async for part in await http.multipart():
                assert isinstance(part, aiohttp.BodyPartReader)
                data = bytes(await part.read(decode=False))
                name = part.name or ""
                if name == "payload_json":
                    raw = data
                else:
                    kind = part.headers.get("Content-Type", "application/octet-stream")
                    request.files.append(Upload(part.filename or "", data, kind, name))
        elif http.can_read_body:
            raw = await http.read() or None
        if raw is not None:
            request.json = _parsed(raw)
        return raw

    async def _answer(self, request: Request) -> tuple[int, Any]:
        try:
            return rest.serve(self, request)
        except ApiError as error:
            return error.status, error.body
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            # a body that no handler expects; said aloud at the end, for it may be a bug here
            trace = "".join(traceback.format_exception(error))
            self.crashes.append(f"{request}: {trace}")
            return 400, ApiError(50035).body
        except rest.NoRoute:
            self.unknown_routes.append(request)
            return 404, {"message": "404: Not Found", "code": 0}

    def _fault_for(self, request: Request) -> Fault | None:
        for fault in self.faults:
            fits = fault.method in ("*", request.method) and fault.path.fullmatch(request.path)
            if fits and fault.times > 0:
                fault.times -= 1
                fault.hits.append(request)
                return fault
        return None

    def _fault_answer(self, fault: Fault, headers: dict[str, str]) -> tuple[int, Json]:
        if fault.status == 429:
            status, body = self._too_many(
                headers, fault.retry_after, scope_global=fault.scope_global, via=fault.via
            )
            if fault.code:
                body |= {"code": fault.code, "message": ERRORS[fault.code][1]}
            return status, body
        message = ERRORS[fault.code][1] if fault.code in ERRORS else f"{fault.status}: Error"
        return fault.status, {"message": message, "code": fault.code}

    def _too_many(
        self,
        headers: dict[str, str],
        retry_after: float,
        *,
        scope_global: bool = False,
        via: bool = True,
    ) -> tuple[int, Json]:
        if via:  # without it discord.py takes the answer for a ban by Cloudflare
            headers["Via"] = "1.1 google"
        headers["Retry-After"] = str(max(1, round(retry_after)))
        headers["X-RateLimit-Scope"] = "global" if scope_global else "user"
        if scope_global:
            headers["X-RateLimit-Global"] = "true"
        body = {
            "message": "You are being rate limited.",
            "retry_after": retry_after,
            "global": scope_global,
        }
        return 429, body

    def _bucket_for(self, request: Request) -> _Bucket:
        rule = next(
            (
                rule
                for rule in self.rate_limits
                if rule.method in ("*", request.method) and rule.path.fullmatch(request.path)
            ),
            GENEROUS[0],
        )
        major = re.match(r"/(channels|guilds|webhooks|interactions)/[^/]+(/[^/]+)?", request.path)
        scope = ""
        if major:
            with_token = major[1] in ("webhooks", "interactions")
            scope = major[0] if with_token else "/".join(major[0].split("/")[:3])
        key = (rule, rest.template_of(request), scope)
        return self._buckets.setdefault(key, _Bucket(rule))

    def _limit_headers(self, bucket: _Bucket, request: Request) -> dict[str, str]:
        after = bucket.reset_after
        reset = datetime.now(UTC).timestamp() + after
        return {
            "X-RateLimit-Limit": str(bucket.rule.limit),
            "X-RateLimit-Remaining": str(max(0, bucket.rule.limit - bucket.used)),
            "X-RateLimit-Reset": f"{reset:.3f}",
            "X-RateLimit-Reset-After": f"{after:.3f}",
            "X-RateLimit-Bucket": rest.bucket_hash(request),
        }
