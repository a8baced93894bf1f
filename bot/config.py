"""Settings from the environment and ``.env`` (see ``.env.example``)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from engines.core.errors import PiazzaError

_TOKEN = re.compile(r"[A-Za-z0-9_-]{18,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]{20,}")


class ConfigError(PiazzaError):
    """A setting is missing or wrong; the text is one sentence for whoever starts the bot."""


class Settings(BaseSettings):
    """The bot's settings; each field is ``PIAZZA_`` + its name in upper case."""

    model_config = SettingsConfigDict(
        env_prefix="PIAZZA_", env_file=".env", env_file_encoding="utf-8", extra="ignore"
    )

    token: SecretStr = Field(default=SecretStr(""), description="Bot token")
    db: Path = Field(default=Path("piazza.db"), description="Database file")
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["text", "json"] = "text"
    guild: int | None = Field(default=None, description="Register commands in this server alone")
    render_threads: int = Field(default=2, ge=1, le=16)

    @field_validator("guild", mode="before")
    @classmethod
    def _empty_is_none(cls, value: object) -> object:
        return None if value == "" else value

    @field_validator("log_level", "log_format", mode="before")
    @classmethod
    def _lower(cls, value: object) -> object:
        return value.lower() if isinstance(value, str) else value


def load_settings(**overrides: object) -> Settings:
    """Settings from the environment, ``.env`` and overrides (None = not given).

    Raises:
        ConfigError: a value is wrong (names the variable, never its value), or ``.env`` cannot be
            read.
    """
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        return Settings(**given)  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        name = "_".join(str(part) for part in first["loc"]).upper()
        raise ConfigError(f"PIAZZA_{name} is wrong: {first['msg']}. See .env.example.") from None
    except UnicodeDecodeError:
        raise ConfigError("The file .env is no text in UTF-8: copy .env.example again.") from None
    except OSError as error:
        raise ConfigError(f"The file .env cannot be read: {error.strerror}.") from None


def checked_token(settings: Settings) -> str:
    """The token, if it looks like one.

    Raises:
        ConfigError: it is missing or malformed; its value is not repeated.
    """
    token = settings.token.get_secret_value().strip()
    if not token:
        raise ConfigError(
            "PIAZZA_TOKEN is missing: copy .env.example to .env and put the bot's token there."
        )
    if not _TOKEN.fullmatch(token):
        raise ConfigError(
            "PIAZZA_TOKEN does not look like a bot token (three parts joined by dots): copy it "
            "again from the Discord developer portal, page “Bot”."
        )
    return token


def checked_db(path: Path) -> Path:
    """The database path, if a file can be there.

    Raises:
        ConfigError: its folder is missing, or it is a folder.
    """
    if path.is_dir():
        raise ConfigError(f"PIAZZA_DB must be a file, but {path} is a folder.")
    if not path.absolute().parent.is_dir():
        raise ConfigError(f"PIAZZA_DB: the folder of {path} does not exist.")
    return path
