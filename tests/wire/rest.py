"""The part of Discord's REST API that a bot such as ours uses."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.wire.interactions import Interaction
from tests.wire.limits import ApiError, check_commands
from tests.wire.model import Channel, Guild, Kind, Message, Perm, User, now

if TYPE_CHECKING:
    from tests.wire.server import LoopbackDiscord, Request

Json = dict[str, Any]
Answer = tuple[int, Any]
Handler = Callable[..., Answer]

_ROUTES: list[tuple[str, str, re.Pattern[str], Handler, bool]] = []


class NoRoute(Exception):
    """Not an operation of this server."""


def route(method: str, template: str, *, auth: bool = True) -> Callable[[Handler], Handler]:
    pattern = re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template))

    def register(handler: Handler) -> Handler:
        _ROUTES.append((method, template, pattern, handler, auth))
        return handler

    return register


def template_of(request: Request) -> str:
    for method, template, pattern, _, _ in _ROUTES:
        if method == request.method and pattern.fullmatch(request.path):
            return f"{method} {template}"
    return f"{request.method} {request.path}"


def bucket_hash(request: Request) -> str:
    return hashlib.blake2b(template_of(request).encode(), digest_size=8).hexdigest()


def serve(discord: LoopbackDiscord, request: Request) -> Answer:
    for method, _, pattern, handler, auth in _ROUTES:
        match = pattern.fullmatch(request.path) if method == request.method else None
        if match is None:
            continue
        if auth and request.headers.get("Authorization") != f"Bot {discord.token}":
            return 401, {"message": "401: Unauthorized", "code": 0}
        return handler(discord, request, **match.groupdict())
    raise NoRoute(request.path)


# who and where


@route("GET", "/gateway", auth=False)
def get_gateway(discord: LoopbackDiscord, request: Request) -> Answer:
    return 200, {"url": discord.gateway_url}


@route("GET", "/gateway/bot")
def get_gateway_bot(discord: LoopbackDiscord, request: Request) -> Answer:
    limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
    return 200, {"url": discord.gateway_url, "shards": 1, "session_start_limit": limit}


@route("GET", "/users/@me")
def get_me(discord: LoopbackDiscord, request: Request) -> Answer:
    extra = {"mfa_enabled": False, "locale": "en-US", "verified": True, "email": None}
    return 200, {**discord.bot_user.payload(), **extra}


@route("GET", "/oauth2/applications/@me")
@route("GET", "/applications/@me")
def get_application(discord: LoopbackDiscord, request: Request) -> Answer:
    return 200, {
        "id": str(discord.application_id),
        "name": discord.bot_user.name,
        "icon": None,
        "description": "",
        "summary": "",
        "type": None,
        "bot_public": False,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "owner": discord.owner.payload(),
        "flags": 0,
        "flags_new": "0",
        "team": None,
        "rpc_origins": [],
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "approximate_guild_count": len(discord.guilds),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "eligible_oauth2_scopes": [],
    }


@route("GET", "/users/{user_id}")
def get_user(discord: LoopbackDiscord, request: Request, user_id: str) -> Answer:
    return 200, _user(discord, user_id).payload()


@route("POST", "/users/@me/channels")
def open_dm(discord: LoopbackDiscord, request: Request) -> Answer:
    user = discord.users.get(int(request.json["recipient_id"]))
    if user is None or user.bot:
        raise ApiError(50033)
    # a closed door shows only when something is sent, as on Discord
    return 200, discord.dm_channel(user).payload()


def _user(discord: LoopbackDiscord, user_id: str) -> User:
    user = discord.users.get(int(user_id))
    if user is None:
        raise ApiError(10013)
    return user


# commands


def _stored_command(
    discord: LoopbackDiscord, raw: Json, old: list[Json], guild_id: str | None
) -> Json:
    kind = raw.get("type") or 1
    same = next((c for c in old if c["name"] == raw["name"] and c["type"] == kind), None)
    permissions = raw.get("default_member_permissions")
    command = {
        "id": same["id"] if same else str(discord.snowflake()),
        "application_id": str(discord.application_id),
        "version": str(discord.snowflake()),
        "type": kind,
        "name": raw["name"],
        "name_localizations": raw.get("name_localizations"),
        "description": raw.get("description") or "",
        "description_localizations": raw.get("description_localizations"),
        "default_member_permissions": None if permissions is None else str(permissions),
        "nsfw": bool(raw.get("nsfw")),
        "integration_types": raw.get("integration_types") or [0],
    }
    if raw.get("options"):
        command["options"] = raw["options"]
    if guild_id:
        command["guild_id"] = guild_id
    else:
        command["contexts"] = raw.get("contexts")
        command["dm_permission"] = raw.get("dm_permission", True)
    return command


@route("GET", "/applications/{application_id}/commands")
def get_commands(discord: LoopbackDiscord, request: Request, application_id: str) -> Answer:
    return 200, discord.global_commands


@route("PUT", "/applications/{application_id}/commands")
def put_commands(discord: LoopbackDiscord, request: Request, application_id: str) -> Answer:
    check_commands(request.json)
    old = discord.global_commands
    discord.global_commands = [_stored_command(discord, c, old, None) for c in request.json]
    return 200, discord.global_commands


@route("GET", "/applications/{application_id}/guilds/{guild_id}/commands")
def get_guild_commands(
    discord: LoopbackDiscord, request: Request, application_id: str, guild_id: str
) -> Answer:
    _guild(discord, guild_id)
    return 200, discord.guild_commands.get(int(guild_id), [])


@route("PUT", "/applications/{application_id}/guilds/{guild_id}/commands")
def put_guild_commands(
    discord: LoopbackDiscord, request: Request, application_id: str, guild_id: str
) -> Answer:
    _guild(discord, guild_id)
    check_commands(request.json)
    old = discord.guild_commands.get(int(guild_id), [])
    stored = [_stored_command(discord, c, old, guild_id) for c in request.json]
    discord.guild_commands[int(guild_id)] = stored
    return 200, stored


# guilds


def _guild(discord: LoopbackDiscord, guild_id: str) -> Guild:
    guild = discord.guilds.get(int(guild_id))
    if guild is None:
        raise ApiError(10004)
    if not guild.has_bot:
        raise ApiError(50001)
    return guild


@route("GET", "/guilds/{guild_id}")
def get_guild(discord: LoopbackDiscord, request: Request, guild_id: str) -> Answer:
    return 200, _guild(discord, guild_id).payload()


@route("GET", "/guilds/{guild_id}/channels")
def get_guild_channels(discord: LoopbackDiscord, request: Request, guild_id: str) -> Answer:
    channels = _guild(discord, guild_id).channels.values()
    return 200, [c.payload() for c in channels if not c.is_thread]


@route("GET", "/guilds/{guild_id}/roles")
def get_guild_roles(discord: LoopbackDiscord, request: Request, guild_id: str) -> Answer:
    return 200, [role.payload() for role in _guild(discord, guild_id).roles.values()]


@route("GET", "/guilds/{guild_id}/members/{user_id}")
def get_member(discord: LoopbackDiscord, request: Request, guild_id: str, user_id: str) -> Answer:
    member = _guild(discord, guild_id).members.get(int(user_id))
    if member is None:
        raise ApiError(10007 if int(user_id) in discord.users else 10013)
    return 200, member.payload()


# channels and threads


def _channel(discord: LoopbackDiscord, channel_id: str) -> Channel:
    channel = discord.channels.get(int(channel_id))
    if channel is None or channel.deleted:
        raise ApiError(10003)
    if channel.guild is not None:
        if not channel.guild.has_bot:
            raise ApiError(50001)
        _need(discord, channel, Perm.view_channel)
    return channel


def _need(discord: LoopbackDiscord, channel: Channel, *needed: Perm) -> None:
    held = channel.permissions_of(discord.bot_user)
    for permission in needed:
        if permission not in held:
            raise ApiError(50001 if permission is Perm.view_channel else 50013)


@route("GET", "/channels/{channel_id}")
def get_channel(discord: LoopbackDiscord, request: Request, channel_id: str) -> Answer:
    return 200, _channel(discord, channel_id).payload()


@route("PATCH", "/channels/{channel_id}")
def patch_channel(discord: LoopbackDiscord, request: Request, channel_id: str) -> Answer:
    channel, changes = _channel(discord, channel_id), request.json
    if channel.is_thread:
        if channel.owner is not discord.bot_user or "locked" in changes:
            _need(discord, channel, Perm.manage_threads)
    else:
        _need(discord, channel, Perm.manage_channels)
    for name in ("name", "topic", "archived", "locked", "auto_archive_duration"):
        if name in changes:
            setattr(channel, name, changes[name])
    if "archived" in changes:
        channel.archive_changed = now()
    event = "THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE"
    discord.dispatch(event, channel.payload(), guild=channel.guild)
    return 200, channel.payload()


@route("DELETE", "/channels/{channel_id}")
def delete_channel(discord: LoopbackDiscord, request: Request, channel_id: str) -> Answer:
    channel = _channel(discord, channel_id)
    _need(discord, channel, Perm.manage_threads if channel.is_thread else Perm.manage_channels)
    data = channel.payload()
    channel.delete()
    return 200, data


@route("POST", "/channels/{channel_id}/typing")
def typing(discord: LoopbackDiscord, request: Request, channel_id: str) -> Answer:
    _channel(discord, channel_id)
    return 204, None


@route("POST", "/channels/{channel_id}/threads")
def start_thread(discord: LoopbackDiscord, request: Request, channel_id: str) -> Answer:
    channel = _channel(discord, channel_id)
    private = request.json.get("type", Kind.private_thread) == Kind.private_thread
    _need(discord, channel, Perm.create_private_threads if private else Perm.create_public_threads)
    thread = channel.add_thread(request.json["name"], owner=discord.bot_user, private=private)
    return 201, thread.payload()


@route("POST", "/channels/{channel_id}/messages/{message_id}/threads")
def start_thread_from_message(
    discord: LoopbackDiscord, request: Request, channel_id: str, message_id: str
) -> Answer:
    channel = _channel(discord, channel_id)
    message = _message(channel, message_id)
    _need(discord, channel, Perm.create_public_threads)
    if message.id in discord.channels:
        raise ApiError(160004)
    thread = channel.add_thread(request.json["name"], owner=discord.bot_user, message=message)
    return 201, thread.payload()


@route("PUT", "/channels/{channel_id}/thread-members/@me")
def join_thread(discord: LoopbackDiscord, request: Request, channel_id: str) -> Answer:
    _channel(discord, channel_id)
    return 204, None


@route("PUT", "/channels/{channel_id}/thread-members/{user_id}")
def add_thread_member(
    discord: LoopbackDiscord, request: Request, channel_id: str, user_id: str
) -> Answer:
    if _channel(discord, channel_id).archived:
        raise ApiError(50083)
    _user(discord, user_id)
    return 204, None


# messages


def _message(channel: Channel, message_id: str) -> Message:
    message = channel.by_id.get(int(message_id))
    if message is None:
        raise ApiError(10008)
    return message


@route("GET", "/channels/{channel_id}/messages")
def get_messages(discord: LoopbackDiscord, request: Request, channel_id: str) -> Answer:
    channel, query = _channel(discord, channel_id), request.query
    _need(discord, channel, Perm.read_message_history)
    found = channel.messages
    if "before" in query:
        found = [m for m in found if m.id < int(query["before"])]
    if "after" in query:
        found = [m for m in found if m.id > int(query["after"])]
    limit = int(query.get("limit", 50))
    found = found[:limit] if "after" in query else found[-limit:]
    return 200, [m.payload() for m in reversed(found)]


@route("POST", "/channels/{channel_id}/messages")
def post_message(discord: LoopbackDiscord, request: Request, channel_id: str) -> Answer:
    channel, payload, bot = _channel(discord, channel_id), request.json or {}, discord.bot_user
    if channel.recipient is not None and not channel.recipient.dms_open:
        raise ApiError(50007)
    if channel.kind is Kind.category:
        raise ApiError(50008)
    if channel.guild is not None:
        send = Perm.send_messages_in_threads if channel.is_thread else Perm.send_messages
        _need(discord, channel, send)
        if request.files:
            _need(discord, channel, Perm.attach_files)
        if payload.get("embeds"):
            _need(discord, channel, Perm.embed_links)
    if channel.archived:
        if channel.locked:
            _need(discord, channel, Perm.manage_threads)
        channel.unarchive()
    nonce = payload.get("nonce")
    if nonce is not None and payload.get("enforce_nonce"):
        existing = discord.message_of_nonce(channel, bot, nonce)
        if existing is not None:
            return 200, existing.payload()
    reply_to = None
    reference = payload.get("message_reference")
    if reference:
        reply_to = channel.by_id.get(int(reference["message_id"]))
        if reply_to is None and reference.get("fail_if_not_exists", True):
            code = {"code": "REPLIES_UNKNOWN_MESSAGE", "message": "Unknown message"}
            raise ApiError(50035, errors={"message_reference": {"_errors": [code]}})
    message = discord.create_message(
        channel, bot, payload, request.uploads, kind=19 if reply_to else 0, reply_to=reply_to
    )
    if nonce is not None:
        discord.remember_nonce(message)
    return 200, message.payload()


@route("GET", "/channels/{channel_id}/messages/{message_id}")
def get_message(
    discord: LoopbackDiscord, request: Request, channel_id: str, message_id: str
) -> Answer:
    channel = _channel(discord, channel_id)
    _need(discord, channel, Perm.read_message_history)
    return 200, _message(channel, message_id).payload()


@route("PATCH", "/channels/{channel_id}/messages/{message_id}")
def patch_message(
    discord: LoopbackDiscord, request: Request, channel_id: str, message_id: str
) -> Answer:
    channel = _channel(discord, channel_id)
    message = _message(channel, message_id)
    if message.author is not discord.bot_user:
        raise ApiError(50005)
    if channel.archived:
        raise ApiError(50083)
    if channel.guild is not None and request.files:
        _need(discord, channel, Perm.attach_files)
    return 200, discord.edit_message(message, request.json or {}, request.uploads).payload()


@route("DELETE", "/channels/{channel_id}/messages/{message_id}")
def delete_message(
    discord: LoopbackDiscord, request: Request, channel_id: str, message_id: str
) -> Answer:
    channel = _channel(discord, channel_id)
    message = _message(channel, message_id)
    if message.author is not discord.bot_user:
        _need(discord, channel, Perm.manage_messages)
    message.delete()
    return 204, None


@route("PUT", "/channels/{channel_id}/messages/pins/{message_id}")
@route("PUT", "/channels/{channel_id}/pins/{message_id}")
def pin(discord: LoopbackDiscord, request: Request, channel_id: str, message_id: str) -> Answer:
    channel = _channel(discord, channel_id)
    _need(discord, channel, Perm.pin_messages)
    _message(channel, message_id).pinned = True
    return 204, None


@route("DELETE", "/channels/{channel_id}/messages/pins/{message_id}")
@route("DELETE", "/channels/{channel_id}/pins/{message_id}")
def unpin(discord: LoopbackDiscord, request: Request, channel_id: str, message_id: str) -> Answer:
    channel = _channel(discord, channel_id)
    _need(discord, channel, Perm.pin_messages)
    _message(channel, message_id).pinned = False
    return 204, None


@route("PUT", "/channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me")
@route("DELETE", "/channels/{channel_id}/messages/{message_id}/reactions/{emoji}/@me")
def react(
    discord: LoopbackDiscord, request: Request, channel_id: str, message_id: str, emoji: str
) -> Answer:
    channel = _channel(discord, channel_id)
    _need(discord, channel, Perm.add_reactions)
    _message(channel, message_id)
    return 204, None


# interactions


@route("POST", "/interactions/{interaction_id}/{token}/callback", auth=False)
def callback(discord: LoopbackDiscord, request: Request, interaction_id: str, token: str) -> Answer:
    interaction = discord.by_token.get(token)
    if interaction is None or str(interaction.id) != interaction_id:
        raise ApiError(10062)
    answer = interaction.respond(request.json, request.uploads)
    if request.query.get("with_response") in ("1", "true"):
        return 200, answer
    return 204, None


def _interaction(discord: LoopbackDiscord, application_id: str, token: str) -> Interaction:
    interaction = discord.by_token.get(token)
    if interaction is None or int(application_id) != discord.application_id:
        raise ApiError(10015)
    if interaction.callback is None:
        raise ApiError(10015)
    if not interaction.token_valid:
        raise ApiError(50027)
    return interaction


@route("POST", "/webhooks/{application_id}/{token}", auth=False)
def follow_up(
    discord: LoopbackDiscord, request: Request, application_id: str, token: str
) -> Answer:
    interaction = _interaction(discord, application_id, token)
    return 200, interaction.follow_up(request.json or {}, request.uploads).payload()


@route("GET", "/webhooks/{application_id}/{token}/messages/{message_id}", auth=False)
def get_webhook_message(
    discord: LoopbackDiscord, request: Request, application_id: str, token: str, message_id: str
) -> Answer:
    return 200, _interaction(discord, application_id, token).find(message_id).payload()


@route("PATCH", "/webhooks/{application_id}/{token}/messages/{message_id}", auth=False)
def patch_webhook_message(
    discord: LoopbackDiscord, request: Request, application_id: str, token: str, message_id: str
) -> Answer:
    message = _interaction(discord, application_id, token).find(message_id)
    return 200, discord.edit_message(message, request.json or {}, request.uploads).payload()


@route("DELETE", "/webhooks/{application_id}/{token}/messages/{message_id}", auth=False)
def delete_webhook_message(
    discord: LoopbackDiscord, request: Request, application_id: str, token: str, message_id: str
) -> Answer:
    _interaction(discord, application_id, token).find(message_id).delete()
    return 204, None
