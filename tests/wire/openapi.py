"""Requests against Discord's published OpenAPI description.

The description is not part of this repository. It is looked for in the folder that the
environment variable PIAZZA_SHARED names, then as `shared/discord-openapi/openapi.json` in
each folder above the repository. Without it the loopback server works and checks nothing here.

The published schemas leave unknown fields open. A misspelt field is a bug all the same, so
`properties` is read strictly: a field that no branch of the schema knows is a violation.
"""

from __future__ import annotations

import functools
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jsonschema
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

Json = dict[str, Any]

_URI = "urn:discord"
_RELATIVE = Path("discord-openapi") / "openapi.json"


@dataclass(frozen=True)
class Violation:
    """One way in which a request differs from the published description."""

    method: str
    path: str
    operation: str
    where: str
    problem: str

    def __str__(self) -> str:
        return f"{self.method} {self.path} ({self.operation}) at {self.where}: {self.problem}"


@dataclass(frozen=True)
class Exemption:
    """A difference that Discord itself accepts, with the reason why."""

    operation: str  # a pattern of operation ids
    where: str  # a pattern of places, as in `body.tts`
    problem: str
    reason: str

    def covers(self, violation: Violation) -> bool:
        return bool(
            re.fullmatch(self.operation, violation.operation)
            and re.fullmatch(self.where, violation.where)
            and re.search(self.problem, violation.problem)
        )


_NUMERIC_ID = r"body(\.\w+)*\.(users\[\d+\]|roles\[\d+\]|\w+_id|attachments\[\d+\]\.id)"

EXEMPTIONS: tuple[Exemption, ...] = (
    Exemption(
        ".*",
        _NUMERIC_ID,
        r"^\d+ is not of type 'string'$",
        "discord.py writes some snowflakes as numbers, and Discord takes them",
    ),
    Exemption(
        "update_message|update_webhook_message|update_original_webhook_message|"
        "create_interaction_response",
        r"body(\.data)?\.tts",
        "is not a field",
        "discord.py sends `tts: false` with each message, edits included; Discord ignores it there",
    ),
    Exemption(
        ".*",
        r"body(\.data)?\.embeds\[\d+\]\.(flags|type)",
        "is not a field",
        "fields of a received embed, which discord.py sends back; Discord ignores them",
    ),
    Exemption(
        "bulk_set_(application|guild_application)_commands",
        r"body\[\d+\]\.nsfw",
        "is not a field",
        "a documented field of a command, which discord.py always sends; the description has it "
        "in the answer only",
    ),
)


def find_description() -> tuple[Path | None, str]:
    """The description's path, or None and the reason why there is none."""
    named = os.environ.get("PIAZZA_SHARED")
    if named:
        path = Path(named) / _RELATIVE
        if path.is_file():
            return path, ""
        return None, f"PIAZZA_SHARED names a folder without {_RELATIVE.as_posix()}"
    root = Path(__file__).resolve().parents[2]
    for folder in root.parents:
        path = folder / "shared" / _RELATIVE
        if path.is_file():
            return path, ""
    return None, (
        f"Discord's OpenAPI description is not here: no shared/{_RELATIVE.as_posix()} above the "
        "repository, and PIAZZA_SHARED is not set"
    )


@functools.cache
def load(path: Path) -> OpenAPI:
    return OpenAPI(json.loads(path.read_text(encoding="utf-8")))


def load_if_present() -> OpenAPI | None:
    path, _ = find_description()
    return load(path) if path else None


def _strict_properties(
    validator: Any, properties: Mapping[str, Any], instance: Any, schema: Mapping[str, Any]
) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    for name, subschema in properties.items():
        if name in instance:
            yield from validator.descend(instance[name], subschema, path=name, schema_path=name)
    if "additionalProperties" in schema or "patternProperties" in schema:
        return
    for name in instance:
        if name not in properties:
            error = ValidationError("is not a field of this object")
            error.path.appendleft(name)
            yield error


def _pointer(*parts: str) -> str:
    escaped = (part.replace("~", "~0").replace("/", "~1") for part in parts)
    return f"{_URI}#/" + "/".join(quote(part, safe="~@") for part in escaped)


def _place(prefix: str, path: Iterable[str | int]) -> str:
    for part in path:
        prefix += f"[{part}]" if isinstance(part, int) else f".{part}"
    return prefix


@dataclass(frozen=True)
class Operation:
    id: str
    method: str
    template: str
    pattern: re.Pattern[str]
    query: Mapping[str, Json]
    required_query: frozenset[str]
    body: str | None  # the media type whose schema a JSON body must satisfy
    body_required: bool
    answers: Mapping[str, str]  # status → pointer of the schema of the JSON answer


class OpenAPI:
    def __init__(self, document: Json) -> None:
        self.document = document
        resource = Resource.from_contents(document, default_specification=DRAFT202012)
        registry: Any = Registry().with_resource(_URI, resource)
        self._resolver = registry.resolver(_URI)
        self._targets: dict[str, Any] = {}
        self._validators: dict[tuple[str, bool], Any] = {}
        self._known: dict[tuple[str, str], list[tuple[str, str]]] = {}
        rules = {"$ref": self._ref, "oneOf": self._union, "anyOf": self._union}
        self._loose = jsonschema.validators.extend(Draft202012Validator, rules)
        self._strict = jsonschema.validators.extend(
            Draft202012Validator, {**rules, "properties": _strict_properties}
        )
        self.operations = list(self._operations())

    def _operations(self) -> Iterator[Operation]:
        for template, item in self.document["paths"].items():
            pattern = re.compile(re.sub(r"\\{.+?\\}", "[^/]+", re.escape(template)))
            shared = item.get("parameters", [])
            for method, operation in item.items():
                if method == "parameters":
                    continue
                query = {
                    p["name"]: p
                    for p in [*shared, *operation.get("parameters", [])]
                    if p["in"] == "query"
                }
                body = operation.get("requestBody", {})
                answers = {
                    status: _pointer(
                        "paths", template, method, "responses", status, "content",
                        "application/json", "schema",
                    )
                    for status, answer in operation["responses"].items()
                    if "application/json" in answer.get("content", {})
                }  # fmt: skip
                yield Operation(
                    id=operation["operationId"],
                    method=method.upper(),
                    template=template,
                    pattern=pattern,
                    query=query,
                    required_query=frozenset(n for n, p in query.items() if p.get("required")),
                    body=next(
                        (m for m in ("application/json", "multipart/form-data")
                         if m in body.get("content", {})),
                        None,
                    ),
                    body_required=bool(body.get("required")),
                    answers=answers,
                )  # fmt: skip

    def find(self, method: str, path: str) -> Operation | None:
        """The operation of a request; a literal part of a path beats a parameter."""
        found = [o for o in self.operations if o.method == method and o.pattern.fullmatch(path)]
        return min(found, key=lambda o: o.template.count("{"), default=None)

    def check(
        self, method: str, path: str, query: Mapping[str, str], body: Any, *, has_body: bool
    ) -> list[Violation]:
        """What is wrong with a request. `body` is the JSON, or the payload_json of a form."""
        operation = self.find(method, path)
        if operation is None:
            return [Violation(method, path, "?", "path", "is not an operation of Discord's API")]

        def violation(where: str, problem: str) -> Violation:
            return Violation(method, path, operation.id, where, problem)

        found = [violation(*problem) for problem in self._query_problems(operation, query)]
        if has_body and operation.body is None:
            found.append(violation("body", "this operation takes none"))
        elif has_body:
            found += [violation(*p) for p in self._body_problems(operation, body)]
        elif operation.body_required:
            found.append(violation("body", "is missing"))
        return [v for v in found if not any(e.covers(v) for e in EXEMPTIONS)]

    def check_answer(self, method: str, path: str, status: int, body: Any) -> list[Violation]:
        """What is wrong with the loopback server's own answer. Unknown fields are let pass."""
        operation = self.find(method, path)
        if operation is None or str(status) not in operation.answers:
            return []
        validator = self._validator(operation.answers[str(status)], strict=False)
        return [
            Violation(method, path, operation.id, where, problem)
            for where, problem in _problems(validator, body, "answer")
        ]

    def _validator(self, pointer: str, *, strict: bool) -> Any:
        key = (pointer, strict)
        if key not in self._validators:
            kind: Callable[..., Any] = self._strict if strict else self._loose
            self._validators[key] = kind(self._target(pointer))
        return self._validators[key]

    def _target(self, ref: str) -> Any:
        if ref not in self._targets:
            self._targets[ref] = self._resolver.lookup(ref).contents
        return self._targets[ref]

    def _ref(
        self, validator: Any, ref: str, instance: Any, schema: Any
    ) -> Iterator[ValidationError]:
        yield from validator.descend(instance, self._target(ref))

    def _union(
        self, validator: Any, branches: list[Any], instance: Any, schema: Mapping[str, Any]
    ) -> Iterator[ValidationError]:
        """oneOf and anyOf. Where objects tell their kind by `type`, only that branch is read."""
        kind = instance.get("type") if isinstance(instance, dict) else None
        if kind is not None:
            kinds = [self._kinds(branch) for branch in branches]
            meant = [b for b, k in zip(branches, kinds, strict=True) if k is None or kind in k]
            if len(meant) == 1:
                yield from validator.descend(instance, meant[0])
                return
        keyword = "oneOf" if schema.get("oneOf") is branches else "anyOf"
        yield from Draft202012Validator.VALIDATORS[keyword](validator, branches, instance, schema)

    def _kinds(self, branch: Any) -> tuple[Any, ...] | None:
        """The values that a branch allows for `type`; None if it does not say."""
        while "$ref" in branch:
            branch = self._target(branch["$ref"])
        if branch.get("type") == "null":
            return ()
        values = branch.get("properties", {}).get("type", {}).get("enum")
        return None if values is None else tuple(values)

    def _body_problems(self, operation: Operation, body: Any) -> Iterator[tuple[str, str]]:
        pointer = _pointer(
            "paths", operation.template, operation.method.lower(), "requestBody", "content",
            str(operation.body), "schema",
        )  # fmt: skip
        validator = self._validator(pointer, strict=True)
        text = json.dumps(body)
        if len(text) < 4000:
            yield from _problems(validator, body, "body")
            return
        key = (operation.id, text)  # a large body is one that each start sends again: commands
        if key not in self._known:
            self._known[key] = list(_problems(validator, body, "body"))
        yield from self._known[key]

    def _query_problems(
        self, operation: Operation, query: Mapping[str, str]
    ) -> Iterator[tuple[str, str]]:
        for name, text in query.items():
            parameter = operation.query.get(name)
            if parameter is None:
                yield f"query.{name}", "is not a parameter of this operation"
                continue
            problem = self._scalar_problem(text, parameter["schema"])
            if problem:
                yield f"query.{name}", problem
        for name in operation.required_query - query.keys():
            yield f"query.{name}", "is missing"

    def _scalar_problem(self, text: str, schema: Json) -> str | None:
        """Query parameters are text: read them as the first type that the schema allows."""
        candidates: list[Any] = [text]
        if text in ("0", "1", "true", "false"):
            candidates.append(text in ("1", "true"))
        if re.fullmatch(r"-?\d+", text):
            candidates.append(int(text))
        candidates.append([text])
        validator = self._loose(schema)
        if any(validator.is_valid(candidate) for candidate in candidates):
            return None
        return f"{text!r} does not fit {json.dumps(schema)}"


def _problems(validator: Any, body: Any, root: str) -> Iterator[tuple[str, str]]:
    for error in validator.iter_errors(body):
        for leaf in _leaves(error):
            message = leaf.message if len(leaf.message) < 300 else leaf.message[:300] + "…"
            yield _place(root, leaf.absolute_path), message


def _leaves(error: ValidationError) -> Iterator[ValidationError]:
    """The errors of the branch that was meant, in place of 'not valid under any of …'."""
    if error.validator not in ("oneOf", "anyOf") or not error.context:
        yield error
        return
    branches: dict[int, list[ValidationError]] = {}
    for inner in error.context:
        branches.setdefault(int(inner.schema_path[0]), []).append(inner)

    def distance(errors: list[ValidationError]) -> tuple[bool, bool, int]:
        other_kind = any(
            (e.validator == "type" and not e.path)
            or (e.validator in ("enum", "const") and list(e.path) == ["type"])
            for e in errors
        )
        null = any(e.validator == "type" and e.validator_value == "null" for e in errors)
        return null, other_kind, len(errors)

    for inner in min(branches.values(), key=distance):
        yield from _leaves(inner)
