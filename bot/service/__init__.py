"""The match service: every change of a match takes its one path (design, section 2).

lock → load → play → one commit → result. It knows people by their ids and nothing of Discord, so it
is tested without any stand-in. What is to be announced is written to the outbox in the same
transaction as the move.
"""

from __future__ import annotations

from bot.service.base import PUBLIC_EVENTS, WARM
from bot.service.order import OrderService
from bot.service.planning import PlanService
from bot.service.presence import PresenceService
from bot.service.rollback import RollbackService
from bot.service.tables import (
    Done,
    Table,
    escape,
    fill,
    lobby_post,
    notice,
    now_ms,
    seat_words,
    turn_post,
    whisper,
)

__all__ = [
    "PUBLIC_EVENTS",
    "WARM",
    "Done",
    "MatchService",
    "Table",
    "escape",
    "fill",
    "lobby_post",
    "notice",
    "now_ms",
    "seat_words",
    "turn_post",
    "whisper",
]


class MatchService(PresenceService, RollbackService, PlanService, OrderService):
    """Everything that can be done with matches."""
