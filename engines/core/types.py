"""What every game is made of: states, moves, views, events, outcomes and their encoding."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, TypeVar

import msgspec
from pydantic import BaseModel, ConfigDict, Field

from engines.core.rng import Rng

Seat = int
"""0 … n-1 in the order of play; never a Discord id."""

Viewer = int | None
"""Who looks: a seat, or None for what the whole channel may see."""

_packer = msgspec.msgpack.Encoder(order="deterministic")
_StateT = TypeVar("_StateT", bound="State")
_decoders: dict[type, msgspec.msgpack.Decoder[Any]] = {}


def pack(value: Any) -> bytes:
    """Canonical MessagePack bytes: equal values give equal bytes on every machine."""
    return _packer.encode(value)


def unpack(blob: bytes, kind: type[_StateT]) -> _StateT:
    """The state that :func:`pack` wrote.

    Raises:
        msgspec.ValidationError: the bytes are no such state.
    """
    decoder = _decoders.get(kind)
    if decoder is None:
        decoder = _decoders[kind] = msgspec.msgpack.Decoder(kind)
    state: _StateT = decoder.decode(blob)
    return state


def state_hash(state: State) -> str:
    """128-bit BLAKE2b of the canonical bytes, as 32 hex digits."""
    return blake2b(_packer.encode(state), digest_size=16).hexdigest()


class Decision(msgspec.Struct, frozen=True):
    """A choice that a seat owes.

    Attributes:
        id: never used twice in a match, not even after an undo, so that old buttons are noticed.
        seat: who decides.
        kind: the phase or step it belongs to, in the game's own words.
    """

    id: int
    seat: Seat
    kind: str


class State(msgspec.Struct, kw_only=True):
    """Everything about a position, secrets included. Subclasses hold ints, strings, enums, lists,
    dicts and tuples; no floats, no sets.

    Attributes:
        seats: number of players.
        colours: each seat's colour, by the game's own names.
        rng: the secret generator.
        pending: decisions that are owed, in order; several = simultaneous.
        next_decision: id of the next decision.
        ended: key of the end reason once the match is over.
    """

    seats: int
    colours: tuple[str, ...]
    rng: Rng
    pending: list[Decision] = []
    next_decision: int = 1
    ended: str | None = None

    def ask(self, seat: Seat, kind: str) -> None:
        """Let a seat owe a decision."""
        self.pending.append(Decision(self.next_decision, seat, kind))
        self.next_decision += 1

    def answered(self, seat: Seat) -> None:
        """Take away every decision that the seat owes."""
        self.pending = [d for d in self.pending if d.seat != seat]

    def decision_of(self, seat: Seat) -> Decision | None:
        """The seat's first open decision."""
        return next((d for d in self.pending if d.seat == seat), None)

    def renumber(self, first: int) -> None:
        """Give all open decisions fresh ids from ``first`` on (after an undo)."""
        first = max(first, self.next_decision)
        self.pending = [Decision(first + i, d.seat, d.kind) for i, d in enumerate(self.pending)]
        self.next_decision = first + len(self.pending)

    def clone(self: _StateT) -> _StateT:
        """An independent copy. Subclasses may share what is never changed in place."""
        return unpack(_packer.encode(self), type(self))


class Move(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """One decision as the engine takes it. Subclasses set ``tag`` to the dossier's name of the
    decision and describe each field with ``msgspec.Meta(description=…)``; the docstring's first
    line is the slash command's description (100 characters at most)."""

    @property
    def kind(self) -> str:
        """The decision's name in the dossier."""
        return str(self.__struct_config__.tag)


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What one viewer may know. Subclasses are built field by field, never from a state dump.

    Attributes:
        viewer: for whom it was made.
        seats: number of players.
        colours: each seat's colour.
        waiting: who owes a decision.
        ended: key of the end reason once the match is over.
    """

    viewer: Viewer
    seats: int
    colours: tuple[str, ...]
    waiting: tuple[Seat, ...]
    ended: str | None


class Event(msgspec.Struct, frozen=True):
    """Something that happened, for those who may know it.

    Attributes:
        kind: the game's name for it; ``Game.narrate`` turns it into a sentence.
        args: numbers, strings and tuples of them.
        to: the seats that may see it; None = everybody.
        reveals: it made something known that was hidden, so no undo may cross it.
    """

    kind: str
    args: dict[str, Any] = {}
    to: tuple[Seat, ...] | None = None
    reveals: bool = False


class Score(msgspec.Struct, frozen=True):
    """A seat's final score: total and (label, points) lines that add up to it."""

    seat: Seat
    total: int
    lines: tuple[tuple[str, int], ...] = ()


class Outcome(msgspec.Struct, frozen=True):
    """How a match ended.

    Attributes:
        reason: key into ``GameMeta.end_reasons``.
        ranking: groups of equal rank, best first; every seat once.
        scores: one per seat, in seat order.
        note: a sentence more (tie-break used, quality of a solo result); may be empty.
        won: False for a solo or cooperative match that was lost.
    """

    reason: str
    ranking: tuple[tuple[Seat, ...], ...]
    scores: tuple[Score, ...]
    note: str = ""
    won: bool = True


class Hand(msgspec.Struct, frozen=True):
    """What a seat holds in secret, as text: a title and short lines."""

    title: str
    lines: tuple[str, ...]


class RuleText(msgspec.Struct, frozen=True):
    """A short help text of our own on one or more rules."""

    ids: tuple[str, ...]
    title: str
    text: str


class Options(BaseModel):
    """Options of a match; subclasses add fields with descriptions, Literal or bounded types.

    Fields marked ``json_schema_extra={"lobby": True}`` come from the lobby, not from ``new``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    colours: tuple[str, ...] = Field(
        default=(), description="Colour of each seat", json_schema_extra={"lobby": True}
    )


class GameMeta(msgspec.Struct, frozen=True, kw_only=True):
    """Facts about a game that the bot and the tests read.

    Attributes:
        key: name of the game's folder.
        command: name of its slash command group.
        title: as players call it.
        prefix: of its rule IDs, such as ``PR``.
        seats: possible numbers of players.
        rules_version: raised when a recorded match would replay differently.
        colours: seat colours in default order.
        summary: one sentence for the lobby.
        minutes: rough length at a table, in words.
        credits: authors and publisher of the printed game, as far as known.
        undo_rule: ID of the rule that limits undo.
        stale_rule, seats_rule, colours_rule: IDs of the rules on late commands, on the number of
            players and on colours; empty where the game has none.
        end_reasons: key → sentence.
        reconstructed: what in our data is reconstructed, in a sentence for users; empty if nothing.
        secrets: what a hand is called in this game ("special-route marker"); empty = no hands.
    """

    key: str
    command: str
    title: str
    prefix: str
    seats: tuple[int, ...]
    rules_version: int
    colours: tuple[str, ...]
    summary: str
    minutes: str
    credits: str
    undo_rule: str
    end_reasons: dict[str, str]
    stale_rule: str = ""
    seats_rule: str = ""
    colours_rule: str = ""
    reconstructed: str = ""
    secrets: str = ""


class Param(msgspec.Struct, frozen=True):
    """An option of a move command: the name and description shown, and whether it is required."""

    name: str
    description: str
    required: bool = True


class Command(msgspec.Struct, frozen=True):
    """A move subcommand: one kind of move, or several of one meaning."""

    name: str
    description: str
    params: tuple[Param, ...] = ()


class Phrase(msgspec.Struct, frozen=True):
    """A move in command words: subcommand name and option values, all strings."""

    command: str
    args: dict[str, str]


def listing(words: Sequence[str], last: str = "and") -> str:
    """Words as an English list.

    >>> listing(["green", "blue", "red"], "or")
    'green, blue or red'
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
