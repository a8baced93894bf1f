"""What people do with a bot: slash commands, autocomplete, buttons, selects, modals."""

from __future__ import annotations

import copy
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.wire.limits import ApiError, check_choices, check_modal
from tests.wire.model import (
    ACTION_ROW,
    BUTTON,
    EPHEMERAL,
    LOADING,
    STRING_SELECT,
    TEXT_INPUT,
    Channel,
    Guild,
    Message,
    Perm,
    Role,
    User,
    walk,
)

if TYPE_CHECKING:
    from tests.wire.server import LoopbackDiscord, Upload

Json = dict[str, Any]

# interaction types
COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 2, 3, 4, 5
# callback types
MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9

_ALLOWED_CALLBACKS = {
    COMMAND: {MESSAGE, DEFERRED_MESSAGE, MODAL},
    COMPONENT: {MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE, MODAL},
    AUTOCOMPLETE: {CHOICES},
    MODAL_SUBMIT: {MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE},
}


class Choice(NamedTuple):
    name: str
    value: str | int | float


class Unanswered(AssertionError):
    """The bot let an interaction pass: "The application did not respond"."""


@dataclass(eq=False)
class Interaction:
    """One interaction and, as they come in, the bot's answers to it."""

    discord: LoopbackDiscord = field(repr=False)
    id: int
    token: str = field(repr=False)
    kind: int
    user: User
    channel: Channel
    data: Json
    source: Message | None = None  # the message whose component was used
    dispatched_at: float = 0.0
    acked_at: float | None = None
    callback: int | None = None
    ephemeral: bool = False
    original: Message | None = None
    followups: list[Message] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    modal: Json | None = None

    @property
    def guild(self) -> Guild | None:
        return self.channel.guild

    @property
    def ack_seconds(self) -> float | None:
        """From the dispatch to the first callback."""
        return None if self.acked_at is None else self.acked_at - self.dispatched_at

    @property
    def deferred(self) -> bool:
        return self.callback in (DEFERRED_MESSAGE, DEFERRED_UPDATE)

    @property
    def updated(self) -> bool:
        """Whether the answer edits the message that the component sits on."""
        return self.callback in (UPDATE, DEFERRED_UPDATE)

    @property
    def message(self) -> Message:
        """The response, or for an update the message that it changed."""
        assert self.original is not None, f"no message in the answer (callback {self.callback})"
        return self.original

    @property
    def content(self) -> str:
        return self.message.content

    @property
    def text(self) -> str:
        return self.message.text

    async def followup(self, number: int = 0) -> Message:
        """Wait for the follow-up of that number (the first is 0)."""
        await self.discord.until(
            lambda: len(self.followups) > number, what=f"follow-up {number} to {self.data}"
        )
        return self.followups[number]

    async def answered(self) -> Interaction:
        """Wait for the callback and, after "is thinking …", for what follows."""
        try:
            await self.discord.until(lambda: self.callback is not None, what="a callback")
            if self.callback == DEFERRED_MESSAGE:
                await self.discord.until(
                    lambda: not self.message.loading or self.message.deleted,
                    what="an answer after a deferral",
                )
        except AssertionError as error:
            raise Unanswered(f"{self.user.name}: {self.data}: {error}") from None
        return self

    def metadata(self) -> Json:
        data: Json = {
            "id": str(self.id),
            "type": self.kind,
            "user": self.user.payload(),
            "authorizing_integration_owners": self._owners(),
        }
        if self.kind == COMPONENT and self.source is not None:
            data["interacted_message_id"] = str(self.source.id)
        if self.kind == MODAL_SUBMIT:
            data["triggering_interaction_metadata"] = {**data, "type": COMMAND}
        return data

    def _owners(self) -> Json:
        return {"0": str(self.guild.id) if self.guild else "0"}

    def payload(self) -> Json:
        """The INTERACTION_CREATE event."""
        discord, guild, channel = self.discord, self.guild, self.channel
        user_permissions = channel.permissions_of(self.user)
        event: Json = {
            "id": str(self.id),
            "application_id": str(discord.application_id),
            "type": self.kind,
            "token": self.token,
            "version": 1,
            "data": self.data,
            "channel_id": str(channel.id),
            "channel": {**channel.payload(), "permissions": str(int(user_permissions))},
            "app_permissions": str(int(channel.permissions_of(discord.bot_user))),
            "locale": self.user.locale,
            "entitlements": [],
            "authorizing_integration_owners": self._owners(),
            "context": 0 if guild else 1,
            "attachment_size_limit": discord.attachment_size_limit,
        }
        if guild is not None:
            member = guild.members[self.user.id].payload()
            event |= {
                "guild_id": str(guild.id),
                "guild_locale": guild.preferred_locale,
                "guild": {"id": str(guild.id), "locale": guild.preferred_locale, "features": []},
                "member": {**member, "permissions": str(int(user_permissions))},
            }
        else:
            event["user"] = self.user.payload()
        if self.source is not None:
            event["message"] = self.source.payload()
        return event

    # the bot's answers, called by the REST handlers

    @property
    def token_valid(self) -> bool:
        age = time.monotonic() - self.dispatched_at
        return self.callback is not None and age < self.discord.token_seconds

    def respond(self, payload: Json, files: dict[int, Upload]) -> Json:
        """The first callback. Returns the body of the answer to `with_response`."""
        discord = self.discord
        if self.callback is not None:
            raise ApiError(40060)
        if time.monotonic() - self.dispatched_at > discord.ack_seconds:
            raise ApiError(10062)
        callback, data = payload["type"], payload.get("data") or {}
        if callback not in _ALLOWED_CALLBACKS[self.kind] or (
            callback in (UPDATE, DEFERRED_UPDATE) and self.source is None
        ):
            raise ApiError(
                50035,
                errors={"type": {"_errors": [{"code": "UNION_TYPE_CHOICES", "message": "wrong"}]}},
            )
        if callback == MESSAGE:
            self.ephemeral = bool(data.get("flags", 0) & EPHEMERAL)
            self.original = self._message(data, files)
        elif callback == DEFERRED_MESSAGE:
            self.ephemeral = bool(data.get("flags", 0) & EPHEMERAL)
            self.original = self._message({"flags": LOADING | data.get("flags", 0)}, {})
        elif callback in (UPDATE, DEFERRED_UPDATE):
            assert self.source is not None
            self.original = self.source
            self.ephemeral = self.source.ephemeral
            if callback == UPDATE:
                discord.edit_message(self.source, data, files)
        elif callback == CHOICES:
            check_choices(data)
            self.choices = [Choice(c["name"], c["value"]) for c in data.get("choices") or []]
        elif callback == MODAL:
            check_modal(data)
            self.modal = copy.deepcopy(data)
            _number(self.modal["components"])
        self.callback = callback
        self.acked_at = time.monotonic()
        answer: Json = {"interaction": {"id": str(self.id), "type": self.kind}}
        if self.original is not None:
            answer["interaction"] |= {
                "response_message_id": str(self.original.id),
                "response_message_loading": self.original.loading,
                "response_message_ephemeral": self.original.ephemeral,
            }
        if callback in (MESSAGE, UPDATE) and self.original is not None:
            answer["resource"] = {"type": callback, "message": self.original.payload()}
        return answer

    def follow_up(self, payload: Json, files: dict[int, Upload]) -> Message:
        """A POST to the interaction's webhook. The first one after a deferral fills it in."""
        original = self.original
        if self.callback == DEFERRED_MESSAGE and original and original.loading:
            self.discord.edit_message(original, payload, files)
            return original
        message = self._message(payload, files)
        self.followups.append(message)
        return message

    def find(self, message_id: str) -> Message:
        if message_id == "@original":
            found = self.original
        else:
            mine = [self.original, *self.followups]
            found = next((m for m in mine if m and m.id == int(message_id)), None)
        if found is None or found.deleted:
            raise ApiError(10008)
        return found

    def _message(self, data: Json, files: dict[int, Upload]) -> Message:
        loading = bool(data.get("flags", 0) & LOADING)
        kind = 20 if self.kind == COMMAND else 19 if self.source else 0
        return self.discord.create_message(
            self.channel,
            self.discord.bot_user,
            data,
            files,
            kind=kind,
            interaction=self,
            reply_to=self.source if kind == 19 else None,
            visible_to=self.user if data.get("flags", 0) & EPHEMERAL else None,
            may_be_empty=loading,
        )


def _number(components: list[Json]) -> None:
    """Discord gives each component an id."""
    for number, part in enumerate(walk(components), start=1):
        part.setdefault("id", number)


class Actions:
    """Makes interactions the way Discord's own client does, and refuses what it would refuse."""

    def __init__(self, discord: LoopbackDiscord) -> None:
        self.discord = discord

    async def send(
        self, user: User, channel: Channel, kind: int, data: Json, source: Message | None = None
    ) -> Interaction:
        discord = self.discord
        if channel.guild is not None:
            assert user.id in channel.guild.members, f"{user.name} is not in this guild"
            assert Perm.view_channel in channel.permissions_of(user), "the user cannot see this"
        session = discord.gateway.session
        assert session is not None, "no bot has connected"
        assert not session.dead, "no bot is connected"
        interaction = Interaction(
            discord,
            discord.snowflake(),
            secrets.token_urlsafe(48),
            kind,
            user,
            channel,
            data,
            source,
        )
        discord.interactions.append(interaction)
        discord.by_token[interaction.token] = interaction
        interaction.dispatched_at = time.monotonic()
        session.append("INTERACTION_CREATE", interaction.payload())
        return await interaction.answered()

    # commands

    async def slash(self, user: User, channel: Channel, path: str, options: Json) -> Interaction:
        builder = CommandData(self.discord, user, channel, path)
        return await self.send(user, channel, COMMAND, builder.full(options))

    async def autocomplete(
        self, user: User, channel: Channel, path: str, focused: str, value: Any, others: Json
    ) -> list[Choice]:
        builder = CommandData(self.discord, user, channel, path)
        data = builder.partial(focused, value, others)
        return (await self.send(user, channel, AUTOCOMPLETE, data)).choices

    # components

    def _source(self, user: User, target: Message | Interaction) -> Message:
        message = target.message if isinstance(target, Interaction) else target
        assert not message.deleted, "the message has been deleted"
        assert message.visible_to in (None, user), "an ephemeral message of somebody else"
        return message

    async def click(
        self,
        user: User,
        target: Message | Interaction,
        custom_id: str | None,
        label: str | None,
    ) -> Interaction:
        message = self._source(user, target)
        button = message.component(custom_id, label=label)
        assert button["type"] == BUTTON, f"not a button: {button}"
        assert not button.get("disabled"), f"a disabled button: {button}"
        data = {
            "component_type": BUTTON,
            "custom_id": button["custom_id"],
            "id": button["id"],
        }
        return await self.send(user, message.channel, COMPONENT, data, message)

    async def select(
        self, user: User, target: Message | Interaction, custom_id: str, values: list[str]
    ) -> Interaction:
        message = self._source(user, target)
        part = message.component(custom_id)
        assert not part.get("disabled"), f"a disabled select: {part}"
        _check_selection(part, values)
        data = {
            "component_type": part["type"],
            "custom_id": custom_id,
            "id": part["id"],
            "values": values,
        }
        return await self.send(user, message.channel, COMPONENT, data, message)

    async def submit_modal(self, user: User, opened: Interaction, values: Json) -> Interaction:
        modal = opened.modal
        assert modal is not None, "this interaction was not answered with a modal"
        assert opened.user is user, "a modal opens for one user only"
        rest = dict(values)

        def fill(component: Json) -> Json:
            kind = component["type"]
            filled: Json = {"type": kind, "id": component["id"]}
            if kind == ACTION_ROW:
                filled["components"] = [fill(inner) for inner in component["components"]]
            elif kind == 18:
                filled["component"] = fill(component["component"])
            elif kind == TEXT_INPUT:
                text = rest.pop(component["custom_id"], component.get("value") or "")
                low = component.get("min_length") or 0
                if component.get("required", True):
                    low = max(low, 1)
                high = component.get("max_length") or 4000
                assert low <= len(text) <= high, f"{component['custom_id']}: {low} to {high} long"
                filled |= {"custom_id": component["custom_id"], "value": text}
            elif component.get("custom_id"):
                chosen = list(rest.pop(component["custom_id"], []))
                _check_selection(component, chosen)
                filled |= {"custom_id": component["custom_id"], "values": chosen}
            return filled

        components = [fill(component) for component in modal["components"]]
        assert not rest, f"the modal has no {sorted(rest)}"
        data = {"custom_id": modal["custom_id"], "components": components}
        return await self.send(user, opened.channel, MODAL_SUBMIT, data, opened.source)


def _check_selection(select: Json, values: list[str]) -> None:
    low, high = select.get("min_values"), select.get("max_values")
    low, high = 1 if low is None else low, 1 if high is None else high
    assert low <= len(values) <= high, f"choose {low} to {high} values"
    if select["type"] == STRING_SELECT:
        offered = [option["value"] for option in select["options"]]
        assert set(values) <= set(offered), f"{values} are not among {offered}"


_STRING, _INTEGER, _BOOLEAN, _USER, _CHANNEL, _ROLE, _MENTIONABLE = 3, 4, 5, 6, 7, 8, 9
_NUMBER, _ATTACHMENT = 10, 11


class CommandData:
    """The `data` of a command interaction, built from the commands that the bot registered."""

    def __init__(self, discord: LoopbackDiscord, user: User, channel: Channel, path: str) -> None:
        self.discord, self.channel = discord, channel
        name, *self.steps = path.removeprefix("/").split()
        self.command = discord.command(name, channel.guild)
        self._may_use(user)
        node = self.command
        for step in self.steps:
            found = [o for o in node.get("options") or [] if o["name"] == step and o["type"] < 3]
            if not found:
                known = [o["name"] for o in node.get("options") or []]
                raise LookupError(f"/{path}: no {step!r} among {known}")
            node = found[0]
        inner = [o for o in node.get("options") or [] if o["type"] < 3]
        if inner:
            raise LookupError(f"/{path} needs one of {[o['name'] for o in inner]}")
        self.options: dict[str, Json] = {o["name"]: o for o in node.get("options") or []}
        self.path = path
        self.resolved: dict[str, Json] = {}

    def _may_use(self, user: User) -> None:
        contexts = self.command.get("contexts")
        here = 0 if self.channel.guild else 1
        if contexts is not None:
            assert here in contexts, f"/{self.command['name']} is not offered here"
        elif here == 1:
            assert self.command.get("dm_permission") is not False, "not offered in DMs"
        needed = self.command.get("default_member_permissions")
        if needed is not None and self.channel.guild is not None:
            held = self.channel.permissions_of(user)
            assert int(needed) & ~int(held) == 0, f"/{self.command['name']} is hidden from them"

    def full(self, values: Json) -> Json:
        missing = [n for n, o in self.options.items() if o.get("required") and n not in values]
        assert not missing, f"/{self.path} needs {missing}"
        return self._nest([self._value(name, value) for name, value in values.items()])

    def partial(self, focused: str, value: Any, others: Json) -> Json:
        option = self._option(focused)
        assert option.get("autocomplete"), f"{focused} has no autocomplete"
        typed = {"name": focused, "type": option["type"], "value": value, "focused": True}
        given = {name: self._value(name, other) for name, other in others.items()}
        order: Callable[[Json], int] = lambda o: list(self.options).index(o["name"])  # noqa: E731
        return self._nest(sorted([*given.values(), typed], key=order))

    def _option(self, name: str) -> Json:
        if name not in self.options:
            raise LookupError(f"/{self.path} has no option {name!r} among {list(self.options)}")
        return self.options[name]

    def _nest(self, options: list[Json]) -> Json:
        node = options
        kinds = [1] if len(self.steps) == 1 else [2, 1]
        for step, kind in zip(reversed(self.steps), reversed(kinds), strict=False):
            node = [{"name": step, "type": kind, "options": node}]
        data: Json = {
            "id": self.command["id"],
            "name": self.command["name"],
            "type": 1,
            "options": node,
        }
        if self.command.get("guild_id"):
            data["guild_id"] = self.command["guild_id"]
        if self.resolved:
            data["resolved"] = self.resolved
        return data

    def _value(self, name: str, value: Any) -> Json:
        option = self._option(name)
        return {"name": name, "type": option["type"], "value": self._convert(option, value)}

    def _convert(self, option: Json, value: Any) -> Any:
        kind, name = option["type"], option["name"]
        if kind in (_USER, _MENTIONABLE) and isinstance(value, User):
            self._resolve("users", value.id, value.payload())
            guild = self.channel.guild
            if guild is not None and value.id in guild.members:
                member = guild.members[value.id].payload()
                held = self.channel.permissions_of(value)
                member = {k: v for k, v in member.items() if k not in ("user", "deaf", "mute")}
                self._resolve("members", value.id, {**member, "permissions": str(int(held))})
            return str(value.id)
        if kind in (_ROLE, _MENTIONABLE) and isinstance(value, Role):
            self._resolve("roles", value.id, value.payload())
            return str(value.id)
        if kind == _CHANNEL and isinstance(value, Channel):
            self._resolve("channels", value.id, {**value.payload(), "permissions": "0"})
            return str(value.id)
        if kind == _ATTACHMENT:
            attachment = self.discord.store_upload(self.channel, value)
            self._resolve("attachments", attachment.id, attachment.payload())
            return str(attachment.id)
        types: dict[int, tuple[type, ...]] = {
            _STRING: (str,), _INTEGER: (int,), _BOOLEAN: (bool,), _NUMBER: (int, float)
        }  # fmt: skip
        assert isinstance(value, types[kind]), f"{name}: {value!r} is not of type {kind}"
        if option.get("choices"):
            offered = [choice["value"] for choice in option["choices"]]
            assert value in offered, f"{name}: {value!r} is not among {offered}"
        size: Any = len(value) if isinstance(value, str) else value
        low = option.get("min_length" if kind == _STRING else "min_value")
        high = option.get("max_length" if kind == _STRING else "max_value")
        assert low is None or size >= low, f"{name}: {value!r} is below {low}"
        assert high is None or size <= high, f"{name}: {value!r} is above {high}"
        return value

    def _resolve(self, group: str, key: int, payload: Json) -> None:
        self.resolved.setdefault(group, {})[str(key)] = payload


def names(choices: Iterable[Choice]) -> list[str]:
    return [choice.name for choice in choices]
