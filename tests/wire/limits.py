"""The limits that Discord enforces on values, and the errors it answers with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sized
from typing import Any

from tests.wire.model import ACTION_ROW, BUTTON, COMPONENTS_V2, STRING_SELECT, TEXT_INPUT, walk

Json = dict[str, Any]

# code → (usual status, message)
ERRORS: dict[int, tuple[int, str]] = {
    0: (500, "500: Internal Server Error"),
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10013: (404, "Unknown User"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    10063: (404, "Unknown application command"),
    20028: (429, "The write action you are performing on the channel has hit the write rate limit"),
    30046: (429, "Maximum number of edits to messages older than 1 hour reached. Try again later"),
    40005: (413, "Request entity too large"),
    40060: (400, "Interaction has already been acknowledged."),
    50001: (403, "Missing Access"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50008: (400, "Cannot send messages in a non-text channel"),
    50013: (403, "Missing Permissions"),
    50027: (401, "Invalid Webhook Token"),
    50033: (400, "Invalid Recipient(s)"),
    50035: (400, "Invalid Form Body"),
    50083: (400, "Thread is archived"),
    160004: (400, "A thread has already been created for this message"),
    160005: (403, "Thread is locked"),
}


class ApiError(Exception):
    """An answer that is not a success."""

    def __init__(
        self,
        code: int,
        *,
        status: int | None = None,
        message: str | None = None,
        errors: Json | None = None,
    ) -> None:
        usual, text = ERRORS.get(code, (400, "Error"))
        self.code = code
        self.status = status or usual
        self.body: Json = {"message": message or text, "code": code}
        if errors:
            self.body["errors"] = errors
        super().__init__(f"{self.status} {code} {self.body['message']}")


class Form:
    """Collects what is wrong with a form body, in the shape of Discord's answer."""

    def __init__(self) -> None:
        self.errors: Json = {}

    def error(self, path: str, code: str, message: str) -> None:
        here = self.errors
        for part in path.split("."):
            here = here.setdefault(part, {})
        here.setdefault("_errors", []).append({"code": code, "message": message})

    def length(self, path: str, value: Sized | None, low: int, high: int) -> None:
        if value is None:
            if low:
                self.error(path, "BASE_TYPE_REQUIRED", "This field is required")
        elif not low <= len(value) <= high:
            self.error(path, "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")

    def number(self, path: str, value: Any, low: int, high: int) -> None:
        if value is not None and not low <= value <= high:
            self.error(path, "NUMBER_TYPE_RANGE", f"Must be between {low} and {high}.")

    def unique(self, path: str, values: Iterable[Any], what: str) -> None:
        seen: set[Any] = set()
        for value in values:
            if value in seen:
                self.error(path, f"{what}_DUPLICATED", f"{value!r} occurs twice")
            seen.add(value)

    def finish(self) -> None:
        if self.errors:
            raise ApiError(50035, errors=self.errors)


def check_message(payload: Json, *, flags: int = 0) -> None:
    """A message as it is sent: content, embeds, components, mentions, nonce."""
    form = Form()
    form.length("content", payload.get("content") or "", 0, 2000)
    nonce = payload.get("nonce")
    if isinstance(nonce, str):
        form.length("nonce", nonce, 0, 25)
    embeds = payload.get("embeds") or []
    form.length("embeds", embeds, 0, 10)
    _check_embeds(form, embeds)
    for index, attachment in enumerate(payload.get("attachments") or []):
        form.length(f"attachments.{index}.description", attachment.get("description"), 0, 1024)
    form.length("attachments", payload.get("attachments") or [], 0, 10)
    allowed = payload.get("allowed_mentions") or {}
    for kind in ("users", "roles"):
        form.length(f"allowed_mentions.{kind}", allowed.get(kind) or [], 0, 100)
        if kind in (allowed.get("parse") or []) and allowed.get(kind):
            form.error(
                "allowed_mentions",
                "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                f"parse:[{kind!r}] and {kind}: [ids...] are mutually exclusive.",
            )
    components = payload.get("components") or []
    if flags & COMPONENTS_V2:
        if payload.get("content") or embeds:
            form.error(
                "content" if payload.get("content") else "embeds",
                "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                "The 'content' and 'embeds' fields cannot be used with IS_COMPONENTS_V2",
            )
        parts = list(walk(components))
        form.length("components", parts, 0, 40)
        written = sum(len(part["content"]) for part in parts if part.get("type") == 10)
        form.number("components", written, 0, 4000)
        allowed_kinds = {1, 9, 10, 12, 13, 14, 17}
    else:
        form.length("components", components, 0, 5)
        allowed_kinds = {ACTION_ROW}
    for index, component in enumerate(components):
        if component.get("type") not in allowed_kinds:
            form.error(
                f"components.{index}.type", "UNION_TYPE_CHOICES", "Value of field 'type' is wrong"
            )
    check_components(form, components)
    form.finish()


def _check_embeds(form: Form, embeds: list[Json]) -> None:
    total = 0
    for index, embed in enumerate(embeds):
        at = f"embeds.{index}"
        fields = embed.get("fields") or []
        footer = (embed.get("footer") or {}).get("text") or ""
        author = (embed.get("author") or {}).get("name") or ""
        title, description = embed.get("title") or "", embed.get("description") or ""
        form.length(f"{at}.title", title, 0, 256)
        form.length(f"{at}.description", description, 0, 4096)
        form.length(f"{at}.fields", fields, 0, 25)
        form.length(f"{at}.footer.text", footer, 0, 2048)
        form.length(f"{at}.author.name", author, 0, 256)
        total += len(title) + len(description) + len(footer) + len(author)
        for number, entry in enumerate(fields):
            form.length(f"{at}.fields.{number}.name", entry.get("name"), 1, 256)
            form.length(f"{at}.fields.{number}.value", entry.get("value"), 1, 1024)
            total += len(entry.get("name") or "") + len(entry.get("value") or "")
    if total > 6000:
        form.error("embeds", "MAX_EMBED_SIZE_EXCEEDED", "Embed size exceeds maximum size of 6000")


def check_components(form: Form, components: list[Json], at: str = "components") -> None:
    for index, component in enumerate(components):
        _check_component(form, component, f"{at}.{index}")
    ids = [c["custom_id"] for c in walk(components) if c.get("custom_id")]
    form.unique(at, ids, "COMPONENT_CUSTOM_ID")


def _check_component(form: Form, component: Json, at: str) -> None:
    kind = component.get("type")
    if kind == ACTION_ROW:
        inner = component.get("components") or []
        kinds = [c.get("type") for c in inner]
        form.length(f"{at}.components", inner, 1, 5)
        if len(inner) > 1 and any(k != BUTTON for k in kinds):
            form.error(
                f"{at}.components",
                "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
                "Components displayed in the row must be between 1 and 5 in width",
            )
    elif kind == BUTTON:
        _check_button(form, component, at)
    elif kind in (3, 5, 6, 7, 8):
        form.length(f"{at}.custom_id", component.get("custom_id"), 1, 100)
        form.length(f"{at}.placeholder", component.get("placeholder"), 0, 150)
        form.number(f"{at}.min_values", component.get("min_values"), 0, 25)
        form.number(f"{at}.max_values", component.get("max_values"), 1, 25)
        if kind == STRING_SELECT:
            _check_options(form, component, at)
    elif kind == TEXT_INPUT:
        form.length(f"{at}.custom_id", component.get("custom_id"), 1, 100)
        form.length(f"{at}.label", component.get("label"), 0, 45)
        form.length(f"{at}.placeholder", component.get("placeholder"), 0, 100)
        form.length(f"{at}.value", component.get("value"), 0, 4000)
        form.number(f"{at}.min_length", component.get("min_length"), 0, 4000)
        form.number(f"{at}.max_length", component.get("max_length"), 1, 4000)
    elif kind == 18:
        form.length(f"{at}.label", component.get("label"), 1, 45)
        form.length(f"{at}.description", component.get("description"), 0, 100)
    for index, inner in enumerate(component.get("components") or []):
        _check_component(form, inner, f"{at}.components.{index}")
    for key in ("component", "accessory"):
        if component.get(key):
            _check_component(form, component[key], f"{at}.{key}")


def _check_button(form: Form, button: Json, at: str) -> None:
    style = button.get("style")
    form.length(f"{at}.label", button.get("label"), 0, 80)
    if style in (1, 2, 3, 4):
        form.length(f"{at}.custom_id", button.get("custom_id"), 1, 100)
        if button.get("url"):
            form.error(f"{at}.url", "BUTTON_COMPONENT_URL_FORBIDDEN", "A url needs style 5")
    elif style == 5:
        form.length(f"{at}.url", button.get("url"), 1, 512)
        if button.get("custom_id"):
            form.error(
                at,
                "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
                "A custom id and url cannot both be specified",
            )
    elif style != 6:
        form.error(f"{at}.style", "BASE_TYPE_CHOICES", "Value must be one of {1, 2, 3, 4, 5, 6}.")
    if style != 6 and not button.get("label") and not button.get("emoji"):
        form.error(at, "BUTTON_COMPONENT_INVALID", "A label or emoji is required")


def _check_options(form: Form, select: Json, at: str) -> None:
    options = select.get("options") or []
    form.length(f"{at}.options", options, 1, 25)
    for index, option in enumerate(options):
        form.length(f"{at}.options.{index}.label", option.get("label"), 1, 100)
        form.length(f"{at}.options.{index}.value", option.get("value"), 1, 100)
        form.length(f"{at}.options.{index}.description", option.get("description"), 0, 100)
    form.unique(f"{at}.options", [o.get("value") for o in options], "SELECT_COMPONENT_OPTION_VALUE")
    if (select.get("max_values") or 1) > max(1, len(options)):
        form.error(f"{at}.max_values", "NUMBER_TYPE_MAX", "More than there are options")


def check_modal(data: Json) -> None:
    form = Form()
    form.length("data.title", data.get("title"), 1, 45)
    form.length("data.custom_id", data.get("custom_id"), 1, 100)
    components = data.get("components") or []
    form.length("data.components", components, 1, 5)
    check_components(form, components, "data.components")
    form.finish()


def check_choices(data: Json) -> None:
    form = Form()
    choices = data.get("choices") or []
    form.length("data.choices", choices, 0, 25)
    for index, choice in enumerate(choices):
        form.length(f"data.choices.{index}.name", choice.get("name"), 1, 100)
        if isinstance(choice.get("value"), str):
            form.length(f"data.choices.{index}.value", choice["value"], 1, 100)
    form.finish()


SUBCOMMAND, GROUP = 1, 2
_NAME = re.compile(r"[-_'\w]{1,32}")


def check_commands(commands: list[Json]) -> None:
    form = Form()
    chat = [c for c in commands if c.get("type", 1) in (1, None)]
    if len(chat) > 100:
        raise ApiError(30032, message="Maximum number of application commands reached (100).")
    form.unique("0", [(c.get("type", 1), c["name"]) for c in commands], "APPLICATION_COMMANDS_NAME")
    for index, command in enumerate(commands):
        at = str(index)
        if command.get("type", 1) in (1, None):
            _check_name(form, command.get("name", ""), f"{at}.name")
            form.length(f"{at}.description", command.get("description") or None, 1, 100)
        else:
            form.length(f"{at}.name", command.get("name"), 1, 32)
        _check_command_options(form, command.get("options") or [], at)
        written = characters(command)
        if written > 8000:
            form.error(at, "APPLICATION_COMMAND_TOO_LARGE", f"{written} characters, 8000 at most")
    form.finish()


def characters(command: Json) -> int:
    """The combined name, description and value of a command and all that is in it."""
    total = len(command.get("name") or "") + len(command.get("description") or "")
    for choice in command.get("choices") or []:
        total += len(choice["name"]) + len(str(choice["value"]))
    return total + sum(characters(option) for option in command.get("options") or [])


def _check_name(form: Form, name: str, at: str) -> None:
    if not _NAME.fullmatch(name) or name != name.lower():
        form.error(at, "APPLICATION_COMMAND_INVALID_NAME", f"{name!r} is not a command name")


def _check_command_options(form: Form, options: list[Json], at: str) -> None:
    form.length(f"{at}.options", options, 0, 25)
    form.unique(
        f"{at}.options", [o.get("name") for o in options], "APPLICATION_COMMAND_OPTIONS_NAME"
    )
    optional_seen = False
    for index, option in enumerate(options):
        here = f"{at}.options.{index}"
        _check_name(form, option.get("name", ""), f"{here}.name")
        form.length(f"{here}.description", option.get("description"), 1, 100)
        if option.get("type") in (SUBCOMMAND, GROUP):
            _check_command_options(form, option.get("options") or [], here)
            continue
        if option.get("required") and optional_seen:
            form.error(
                here,
                "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                "Required options must be placed before non-required options",
            )
        optional_seen = optional_seen or not option.get("required")
        choices = option.get("choices") or []
        form.length(f"{here}.choices", choices, 0, 25)
        for number, choice in enumerate(choices):
            form.length(f"{here}.choices.{number}.name", choice.get("name"), 1, 100)
            form.length(f"{here}.choices.{number}.value", str(choice.get("value")), 1, 100)
        if choices and option.get("autocomplete"):
            form.error(here, "APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE", "Not with choices")
