"""Reading a game's data files: TOML in the package, checked by pydantic."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from engines.core.errors import SetupError
from engines.core.types import RuleText

T = TypeVar("T", bound=BaseModel)


class Table(BaseModel):
    """Base of the models of component files: unknown keys are refused, values are frozen."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def load(package: str, name: str, model: type[T]) -> T:
    """A checked component file.

    Args:
        package: the game's package, ``__package__``.
        name: file in its ``data`` folder.
        model: what the file must look like.

    Raises:
        SetupError: the file does not fit; names the first wrong entry.
    """
    raw = tomllib.loads(files(package).joinpath("data", name).read_text(encoding="utf-8"))
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise SetupError(f"{package}: data/{name}: {where}: {first['msg']}") from error


def load_rules(package: str, name: str = "rules.toml") -> tuple[RuleText, ...]:
    """The help texts of ``data/rules.toml``: a list of ``[[rule]]`` with ids, title and text."""
    raw = tomllib.loads(files(package).joinpath("data", name).read_text(encoding="utf-8"))
    return tuple(
        RuleText(tuple(r["ids"]), r["title"], " ".join(r["text"].split())) for r in raw["rule"]
    )
