"""Structured logs: text for people or JSON for machines, never a token or a hidden thing."""

from __future__ import annotations

import logging
import sys
from typing import Any

import structlog

# Also before `configure` is called: no traceback shows local variables,
# which may hold hidden things.
structlog.configure(
    processors=[
        structlog.stdlib.add_log_level,
        structlog.processors.format_exc_info,
        structlog.dev.ConsoleRenderer(
            colors=False, exception_formatter=structlog.dev.plain_traceback
        ),
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
)

_SECRET_KEYS = frozenset({"token", "seed", "state", "snapshot", "move", "hand", "authorization"})


def _mask(_: Any, __: str, event: Any) -> Any:
    for key in _SECRET_KEYS & set(event):
        event[key] = "…"
    return event


def configure(level: str = "info", form: str = "text") -> None:
    """Send all logs, discord.py's included, to stderr.

    Args:
        level: debug, info, warning or error.
        form: ``text``, or ``json`` for one object a line.
    """
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _mask,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    renderer: Any = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if form == "json"
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    )
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                renderer,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # discord.py's HTTP log names every request at debug level, bodies included.
    logging.getLogger("discord").setLevel(max(logging.INFO, root.level))
    logging.getLogger("discord.http").setLevel(logging.WARNING)
    # aiosqlite's names every statement with its values, seeds and snapshots included.
    logging.getLogger("aiosqlite").setLevel(logging.WARNING)
    logging.getLogger("PIL").setLevel(logging.WARNING)


def get_logger(name: str) -> Any:
    """A structured logger; pass facts as keywords (``match=12``)."""
    return structlog.stdlib.get_logger(name)
