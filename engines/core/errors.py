"""Error classes of the whole project (design, section 3).

A :class:`MoveError` is a player's mistake: it becomes a private reply that names the rule and
says what is possible instead. An :class:`EngineBug` is ours: it freezes one match.
"""

from __future__ import annotations

from collections.abc import Sequence


class PiazzaError(Exception):
    """Base of every error that Piazza raises on purpose."""


class MoveError(PiazzaError):
    """A move that cannot be made.

    Args:
        rule: ID of the rule that refuses it, such as ``"PR-041"``; empty where no rule is meant.
        text: one or two sentences for the player; may hold ``{seat:0}`` placeholders.
        choices: what is possible instead, as short labels; may be empty.

    The text is shown to the mover alone, so it may use what that seat knows and nothing more.
    """

    def __init__(self, rule: str, text: str, choices: Sequence[str] = ()) -> None:
        super().__init__(f"{rule}: {text}" if rule else text)
        self.rule = rule
        self.text = text
        self.choices = tuple(choices)

    @property
    def code(self) -> str:
        """Stable machine name of the kind of error, e.g. ``"illegal_move"``."""
        return _CODES.get(type(self), "move_error")


class IllegalMove(MoveError):
    """The rules forbid this move now."""


class NotYourTurn(MoveError):
    """The sender owes no decision now."""


class StaleDecision(MoveError):
    """The move answers a decision that is no longer open."""


class AmbiguousMove(MoveError):
    """The words fit several moves; ``choices`` lists them."""


class MalformedMove(MoveError):
    """The words fit no move of the game."""


class SetupError(PiazzaError):
    """A match cannot be set up like this (seat count, options, colours)."""

    def __init__(self, text: str, rule: str = "") -> None:
        super().__init__(f"{rule}: {text}" if rule else text)
        self.rule = rule
        self.text = text


class EngineBug(PiazzaError):
    """Something that must never happen: the match is frozen and its log kept."""


class InvariantError(EngineBug):
    """A position breaks an invariant (components, money or points got lost)."""


class ReplayMismatch(EngineBug):
    """A recorded match does not replay to the recorded state hash."""


_CODES: dict[type[MoveError], str] = {
    IllegalMove: "illegal_move",
    NotYourTurn: "not_your_turn",
    StaleDecision: "stale_decision",
    AmbiguousMove: "ambiguous_move",
    MalformedMove: "malformed_move",
}
