"""The things a Discord holds: users, guilds, channels, messages, permissions."""

from __future__ import annotations

import enum
import re
import struct
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.wire.interactions import Choice, Interaction
    from tests.wire.server import LoopbackDiscord

Json = dict[str, Any]

DISCORD_EPOCH_MS = 1_420_070_400_000

EPHEMERAL = 1 << 6
LOADING = 1 << 7
COMPONENTS_V2 = 1 << 15

ACTION_ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4


class Perm(enum.IntFlag):
    create_instant_invite = 1 << 0
    kick_members = 1 << 1
    ban_members = 1 << 2
    administrator = 1 << 3
    manage_channels = 1 << 4
    manage_guild = 1 << 5
    add_reactions = 1 << 6
    view_channel = 1 << 10
    send_messages = 1 << 11
    send_tts_messages = 1 << 12
    manage_messages = 1 << 13
    embed_links = 1 << 14
    attach_files = 1 << 15
    read_message_history = 1 << 16
    mention_everyone = 1 << 17
    use_external_emojis = 1 << 18
    connect = 1 << 20
    speak = 1 << 21
    change_nickname = 1 << 26
    manage_roles = 1 << 28
    manage_webhooks = 1 << 29
    use_application_commands = 1 << 31
    manage_threads = 1 << 34
    create_public_threads = 1 << 35
    create_private_threads = 1 << 36
    send_messages_in_threads = 1 << 38
    use_external_apps = 1 << 50
    pin_messages = 1 << 51

    @classmethod
    def of(cls, names: Iterable[str]) -> Perm:
        flags = cls(0)
        for name in names:
            flags |= cls[name]
        return flags


EVERYTHING = Perm.of(p.name for p in Perm if p.name)
EVERYONE_DEFAULT = (
    Perm.add_reactions
    | Perm.view_channel
    | Perm.send_messages
    | Perm.embed_links
    | Perm.attach_files
    | Perm.read_message_history
    | Perm.use_external_emojis
    | Perm.connect
    | Perm.speak
    | Perm.change_nickname
    | Perm.use_application_commands
    | Perm.create_public_threads
    | Perm.create_private_threads
    | Perm.send_messages_in_threads
)


class Kind(enum.IntEnum):
    text = 0
    dm = 1
    voice = 2
    category = 4
    news = 5
    public_thread = 11
    private_thread = 12


class Snowflakes:
    """Ids that carry the present time, as Discord's do, and never repeat."""

    def __init__(self) -> None:
        self._last = 0

    def __call__(self) -> int:
        now = (int(time.time() * 1000) - DISCORD_EPOCH_MS) << 22
        self._last = max(self._last + 1, now)
        return self._last


def iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def now() -> datetime:
    return datetime.now(UTC)


@dataclass(eq=False)
class User:
    """Somebody on this Discord. The bot is one too; people act through the methods."""

    discord: LoopbackDiscord = field(repr=False)
    id: int
    name: str
    global_name: str | None = None
    bot: bool = False
    locale: str = "en-US"
    dms_open: bool = True

    def payload(self) -> Json:
        return {
            "id": str(self.id),
            "username": self.name,
            "global_name": self.global_name,
            "discriminator": "0001" if self.bot else "0",
            "avatar": None,
            "avatar_decoration_data": None,
            "bot": self.bot,
            "system": False,
            "public_flags": 0,
            "flags": 0,
            "banner": None,
            "accent_color": None,
            "collectibles": None,
            "primary_guild": None,
        }

    @property
    def mention(self) -> str:
        return f"<@{self.id}>"

    @property
    def dm(self) -> Channel:
        """The direct channel between this user and the bot."""
        return self.discord.dm_channel(self)

    async def slash(self, channel: Channel, command: str, /, **options: Any) -> Interaction:
        """Run a slash command (`"paris open"`) and wait for the answer."""
        return await self.discord.act.slash(self, channel, command, options)

    async def autocomplete(
        self, channel: Channel, command: str, /, *, focused: str, value: Any = "", **others: Any
    ) -> list[Choice]:
        """What the bot offers while the option `focused` is being typed."""
        return await self.discord.act.autocomplete(self, channel, command, focused, value, others)

    async def click(
        self,
        message: Message | Interaction,
        custom_id: str | None = None,
        /,
        *,
        label: str | None = None,
    ) -> Interaction:
        """Press a button, found by its custom_id (exact) or its label."""
        return await self.discord.act.click(self, message, custom_id, label)

    async def select(
        self, message: Message | Interaction, custom_id: str, values: Iterable[str], /
    ) -> Interaction:
        return await self.discord.act.select(self, message, custom_id, list(values))

    async def submit_modal(
        self, opened: Interaction, answers: Mapping[str, Any] | None = None, /, **more: Any
    ) -> Interaction:
        """Fill in the modal that `opened` was answered with: custom_id → text or values."""
        return await self.discord.act.submit_modal(self, opened, {**(answers or {}), **more})


@dataclass(eq=False)
class Role:
    id: int
    name: str
    permissions: Perm
    position: int = 0
    managed_by: User | None = None

    def payload(self) -> Json:
        return {
            "id": str(self.id),
            "name": self.name,
            "description": None,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "icon": None,
            "unicode_emoji": None,
            "position": self.position,
            "permissions": str(int(self.permissions)),
            "managed": self.managed_by is not None,
            "mentionable": False,
            "flags": 0,
            **({"tags": {"bot_id": str(self.managed_by.id)}} if self.managed_by else {}),
        }


@dataclass(eq=False)
class Member:
    guild: Guild = field(repr=False)
    user: User
    nick: str | None = None
    roles: list[Role] = field(default_factory=list)
    joined_at: datetime = field(default_factory=now)

    def payload(self) -> Json:
        return {
            "user": self.user.payload(),
            "nick": self.nick,
            "avatar": None,
            "banner": None,
            "roles": [str(role.id) for role in self.roles],
            "joined_at": iso(self.joined_at),
            "premium_since": None,
            "deaf": False,
            "mute": False,
            "flags": 0,
            "pending": False,
            "communication_disabled_until": None,
        }


@dataclass(eq=False)
class Guild:
    discord: LoopbackDiscord = field(repr=False)
    id: int
    name: str
    owner: User
    everyone: Role
    bot_role: Role
    preferred_locale: str = "en-US"
    members: dict[int, Member] = field(default_factory=dict, repr=False)
    channels: dict[int, Channel] = field(default_factory=dict, repr=False)
    roles: dict[int, Role] = field(default_factory=dict, repr=False)
    has_bot: bool = True
    created: datetime = field(default_factory=now)

    # what a test does to a guild

    def add_member(
        self, user: User, *, roles: Iterable[Role] = (), nick: str | None = None
    ) -> Member:
        member = self.members[user.id] = Member(self, user, nick, list(roles))
        self.discord.dispatch(
            "GUILD_MEMBER_ADD", {**member.payload(), "guild_id": str(self.id)}, guild=self
        )
        return member

    def remove_member(self, user: User) -> None:
        del self.members[user.id]
        data = {"guild_id": str(self.id), "user": user.payload()}
        self.discord.dispatch("GUILD_MEMBER_REMOVE", data, guild=self)

    def add_role(self, name: str, *permissions: str) -> Role:
        role = Role(self.discord.snowflake(), name, Perm.of(permissions), len(self.roles))
        self.roles[role.id] = role
        data = {"guild_id": str(self.id), "role": role.payload()}
        self.discord.dispatch("GUILD_ROLE_CREATE", data, guild=self)
        return role

    def add_text_channel(self, name: str, *, kind: Kind = Kind.text) -> Channel:
        channel = Channel(
            self.discord, self.discord.snowflake(), kind, name, self, position=len(self.channels)
        )
        self.channels[channel.id] = channel
        self.discord.channels[channel.id] = channel
        self.discord.dispatch("CHANNEL_CREATE", channel.payload(), guild=self)
        return channel

    def remove_bot(self) -> None:
        """Somebody removes the bot from the guild."""
        self.has_bot = False
        self.members.pop(self.discord.bot_user.id, None)
        self.discord.dispatch("GUILD_DELETE", {"id": str(self.id)}, guild=self, always=True)

    # what Discord computes

    def base_permissions(self, user: User) -> Perm:
        if user is self.owner:
            return EVERYTHING
        member = self.members.get(user.id)
        if member is None:
            return Perm(0)
        flags = self.everyone.permissions
        for role in member.roles:
            flags |= role.permissions
        return EVERYTHING if Perm.administrator in flags else flags

    def payload(self) -> Json:
        return {
            "id": str(self.id),
            "name": self.name,
            "icon": None,
            "description": None,
            "home_header": None,
            "splash": None,
            "discovery_splash": None,
            "features": [],
            "banner": None,
            "owner_id": str(self.owner.id),
            "application_id": None,
            "region": "rotterdam",
            "afk_channel_id": None,
            "afk_timeout": 300,
            "system_channel_id": None,
            "system_channel_flags": 0,
            "widget_enabled": False,
            "widget_channel_id": None,
            "verification_level": 0,
            "roles": [role.payload() for role in self.roles.values()],
            "default_message_notifications": 1,
            "mfa_level": 0,
            "explicit_content_filter": 0,
            "max_presences": None,
            "max_members": 500_000,
            "max_stage_video_channel_users": 50,
            "max_video_channel_users": 25,
            "vanity_url_code": None,
            "premium_tier": 0,
            "premium_subscription_count": 0,
            "preferred_locale": self.preferred_locale,
            "rules_channel_id": None,
            "safety_alerts_channel_id": None,
            "public_updates_channel_id": None,
            "premium_progress_bar_enabled": False,
            "nsfw": False,
            "nsfw_level": 0,
            "emojis": [],
            "stickers": [],
        }

    def gateway_payload(self, *, all_members: bool) -> Json:
        """GUILD_CREATE: without the members intent Discord sends only the bot's own member."""
        me = self.discord.bot_user.id
        threads = [c for c in self.channels.values() if c.is_thread and not c.archived]
        return {
            **self.payload(),
            "joined_at": iso(self.created),
            "large": False,
            "unavailable": False,
            "member_count": len(self.members),
            "members": [m.payload() for i, m in self.members.items() if all_members or i == me],
            "channels": [c.payload() for c in self.channels.values() if not c.is_thread],
            "threads": [c.payload() for c in threads],
            "presences": [],
            "voice_states": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
        }


@dataclass(eq=False)
class Channel:
    discord: LoopbackDiscord = field(repr=False)
    id: int
    kind: Kind
    name: str
    guild: Guild | None = None
    parent: Channel | None = None
    recipient: User | None = None
    owner: User | None = None
    topic: str | None = None
    position: int = 0
    overwrites: dict[int, tuple[int, Perm, Perm]] = field(default_factory=dict)  # type, allow, deny
    archived: bool = False
    locked: bool = False
    auto_archive_duration: int = 1440
    archive_changed: datetime = field(default_factory=now)
    deleted: bool = False
    by_id: dict[int, Message] = field(default_factory=dict, repr=False)

    @property
    def messages(self) -> list[Message]:
        """Everything posted here that everyone may see, oldest first."""
        return list(self.by_id.values())

    @property
    def last(self) -> Message:
        return self.messages[-1]

    @property
    def is_thread(self) -> bool:
        return self.kind in (Kind.public_thread, Kind.private_thread)

    @property
    def mention(self) -> str:
        return f"<#{self.id}>"

    # what a test does to a channel

    def set_permissions(
        self, target: User | Role, *, allow: Iterable[str] = (), deny: Iterable[str] = ()
    ) -> None:
        kind = 0 if isinstance(target, Role) else 1
        self.overwrites[target.id] = (kind, Perm.of(allow), Perm.of(deny))
        self._updated()

    def add_thread(
        self,
        name: str,
        *,
        owner: User | None = None,
        private: bool = False,
        message: Message | None = None,
    ) -> Channel:
        """Start a thread; one that starts from a message has the message's id."""
        assert self.guild is not None
        kind = Kind.private_thread if private else Kind.public_thread
        identity = message.id if message else self.discord.snowflake()
        thread = Channel(self.discord, identity, kind, name, self.guild, self, owner=owner)
        self.guild.channels[thread.id] = self.discord.channels[thread.id] = thread
        data = {**thread.payload(), "newly_created": True}
        self.discord.dispatch("THREAD_CREATE", data, guild=self.guild)
        return thread

    def archive(self, *, locked: bool = False) -> None:
        self.archived, self.locked, self.archive_changed = True, locked, now()
        self._updated()

    def unarchive(self) -> None:
        self.archived, self.locked, self.archive_changed = False, False, now()
        self._updated()

    def delete(self) -> None:
        data = self.payload()
        self.deleted = True
        self.discord.channels.pop(self.id, None)
        if self.guild:
            self.guild.channels.pop(self.id, None)
            for child in [c for c in self.guild.channels.values() if c.parent is self]:
                child.delete()
        event = "THREAD_DELETE" if self.is_thread else "CHANNEL_DELETE"
        self.discord.dispatch(event, data, guild=self.guild)

    def post(self, author: User, content: str) -> Message:
        """A person writes something here."""
        return self.discord.create_message(self, author, {"content": content})

    def _updated(self) -> None:
        event = "THREAD_UPDATE" if self.is_thread else "CHANNEL_UPDATE"
        self.discord.dispatch(event, self.payload(), guild=self.guild)

    # what Discord computes

    def permissions_of(self, user: User) -> Perm:
        if self.guild is None:
            return EVERYONE_DEFAULT
        base = self.guild.base_permissions(user)
        if Perm.administrator in base:
            return EVERYTHING
        member = self.guild.members.get(user.id)
        overwrites = (self.parent or self).overwrites if self.is_thread else self.overwrites
        groups: list[list[int]] = [[self.guild.everyone.id]]
        if member:
            groups.append([role.id for role in member.roles])
        groups.append([user.id])
        for group in groups:
            allow = deny = Perm(0)
            for target in group:
                _, allowed, denied = overwrites.get(target, (0, Perm(0), Perm(0)))
                allow |= allowed
                deny |= denied
            base = (base & ~deny) | allow
        return base

    def payload(self) -> Json:
        last = str(max(self.by_id)) if self.by_id else None
        data: Json = {
            "id": str(self.id),
            "type": int(self.kind),
            "last_message_id": last,
            "flags": 0,
            "last_pin_timestamp": None,
        }
        if self.recipient is not None:
            return {**data, "recipients": [self.recipient.payload()]}
        assert self.guild is not None
        data |= {
            "guild_id": str(self.guild.id),
            "name": self.name,
            "parent_id": str(self.parent.id) if self.parent else None,
            "rate_limit_per_user": 0,
        }
        if self.is_thread:
            owner = self.owner or self.guild.owner
            return {
                **data,
                "owner_id": str(owner.id),
                "message_count": len(self.by_id),
                "member_count": 2,
                "total_message_sent": len(self.by_id),
                "thread_metadata": {
                    "archived": self.archived,
                    "archive_timestamp": iso(self.archive_changed),
                    "auto_archive_duration": self.auto_archive_duration,
                    "locked": self.locked,
                    "create_timestamp": iso(self.archive_changed),
                    **({"invitable": True} if self.kind is Kind.private_thread else {}),
                },
            }
        data |= {
            "position": self.position,
            "topic": self.topic,
            "nsfw": False,
            "permission_overwrites": [
                {
                    "id": str(target),
                    "type": kind,
                    "allow": str(int(allow)),
                    "deny": str(int(deny)),
                }
                for target, (kind, allow, deny) in self.overwrites.items()
            ],
        }
        if self.kind is Kind.voice:
            data |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
        return data


@dataclass(eq=False)
class Attachment:
    id: int
    filename: str
    data: bytes = field(repr=False)
    url: str
    content_type: str
    description: str | None = None
    ephemeral: bool = False
    in_embed: bool = False

    @property
    def size(self) -> int:
        return len(self.data)

    def payload(self) -> Json:
        width, height = picture_size(self.data)
        data: Json = {
            "id": str(self.id),
            "filename": self.filename,
            "size": self.size,
            "url": self.url,
            "proxy_url": self.url,
            "content_type": self.content_type,
        }
        if self.description is not None:
            data["description"] = self.description
        if width:
            data |= {"width": width, "height": height}
        if self.ephemeral:
            data["ephemeral"] = True
        return data


def picture_size(data: bytes) -> tuple[int, int]:
    """Width and height of a PNG; zeros for anything else."""
    if data[:8] != b"\x89PNG\r\n\x1a\n" or data[12:16] != b"IHDR":
        return 0, 0
    width, height = struct.unpack(">II", data[16:24])
    return width, height


@dataclass(eq=False)
class Message:
    discord: LoopbackDiscord = field(repr=False)
    id: int
    channel: Channel
    author: User
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    flags: int = 0
    kind: int = 0
    tts: bool = False
    nonce: str | int | None = None
    mentions: list[User] = field(default_factory=list)
    pings: list[User] = field(default_factory=list)  # whom it notified: an edit notifies nobody
    pings_everyone: bool = False
    reply_to: Message | None = None
    interaction: Interaction | None = field(default=None, repr=False)
    visible_to: User | None = None  # an ephemeral message: for this user only
    created: datetime = field(default_factory=now)
    edited: datetime | None = None
    edits: int = 0
    pinned: bool = False
    deleted: bool = False

    @property
    def ephemeral(self) -> bool:
        return self.visible_to is not None

    @property
    def loading(self) -> bool:
        return bool(self.flags & LOADING)

    @property
    def parts(self) -> list[Json]:
        """Every component, nested ones included."""
        return list(walk(self.components))

    @property
    def buttons(self) -> list[Json]:
        return [c for c in self.parts if c["type"] == BUTTON]

    @property
    def custom_ids(self) -> list[str]:
        return [c["custom_id"] for c in self.parts if c.get("custom_id")]

    @property
    def text(self) -> str:
        """All that can be read in it: content, text displays, titles and bodies of embeds."""
        lines = [self.content] if self.content else []
        lines += [c["content"] for c in self.parts if c["type"] == 10]
        for embed in self.embeds:
            lines += [embed[key] for key in ("title", "description") if embed.get(key)]
            for entry in embed.get("fields", []):
                lines += [entry["name"], entry["value"]]
            if embed.get("footer"):
                lines.append(embed["footer"]["text"])
        return "\n".join(lines)

    def component(self, custom_id: str | None = None, *, label: str | None = None) -> Json:
        for part in self.parts:
            if custom_id is not None and part.get("custom_id") == custom_id:
                return part
            if custom_id is None and label is not None and part.get("label") == label:
                return part
        raise LookupError(
            f"no component {custom_id or label!r} on this message; it has "
            f"{[(c.get('custom_id'), c.get('label')) for c in self.parts if c.get('custom_id')]}"
        )

    def delete(self) -> None:
        """A moderator deletes the message."""
        self.deleted = True
        self.channel.by_id.pop(self.id, None)
        data: Json = {"id": str(self.id), "channel_id": str(self.channel.id)}
        if self.channel.guild:
            data["guild_id"] = str(self.channel.guild.id)
        if not self.ephemeral:
            self.discord.dispatch("MESSAGE_DELETE", data, guild=self.channel.guild)
        self.discord.changed()

    def payload(self) -> Json:
        data: Json = {
            "id": str(self.id),
            "type": self.kind,
            "channel_id": str(self.channel.id),
            "author": self.author.payload(),
            "content": self.content,
            "timestamp": iso(self.created),
            "edited_timestamp": iso(self.edited),
            "tts": self.tts,
            "mention_everyone": self.pings_everyone,
            "mentions": [user.payload() for user in self.mentions],
            "mention_roles": [],
            "attachments": [a.payload() for a in self.attachments if not a.in_embed],
            "embeds": self.embeds,
            "components": self.components,
            "pinned": self.pinned,
            "flags": self.flags,
        }
        if self.author.bot:
            data["application_id"] = str(self.discord.application_id)
        if self.nonce is not None:
            data["nonce"] = self.nonce
        if self.reply_to is not None:
            data["message_reference"] = {
                "type": 0,
                "channel_id": str(self.reply_to.channel.id),
                "message_id": str(self.reply_to.id),
                **({"guild_id": str(self.channel.guild.id)} if self.channel.guild else {}),
            }
        if self.interaction is not None:
            data["webhook_id"] = str(self.discord.application_id)
            data["interaction_metadata"] = self.interaction.metadata()
        return data


def walk(components: Iterable[Json]) -> Iterator[Json]:
    for component in components:
        yield component
        yield from walk(component.get("components", ()))
        for key in ("component", "accessory"):
            if component.get(key):
                yield from walk([component[key]])


def pinged(content: str, allowed: Json | None, members: Iterable[User]) -> tuple[list[User], bool]:
    """Whom a content notifies under these allowed_mentions (None: everybody it names)."""
    named = {int(found) for found in re.findall(r"<@!?(\d+)>", content)}
    everyone = bool(re.search(r"@(everyone|here)\b", content))
    if allowed is not None:
        parse = allowed.get("parse", [])
        if "users" not in parse:
            named &= {int(user) for user in allowed.get("users", [])}
        everyone = everyone and "everyone" in parse
    return [user for user in members if user.id in named], everyone
