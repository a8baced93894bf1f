"""The contract that every game fulfils (design, section 3)."""

from __future__ import annotations

import types
import typing
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
import pydantic

from engines.core.errors import MalformedMove, SetupError
from engines.core.rng import Rng
from engines.core.types import (
    Command,
    Event,
    GameMeta,
    Hand,
    Move,
    Options,
    Outcome,
    Param,
    Phrase,
    RuleText,
    Seat,
    State,
    View,
    Viewer,
    listing,
    unpack,
)

S = TypeVar("S", bound=State)
M = TypeVar("M", bound=Move)
V = TypeVar("V", bound=View)


QUIET = "*"
"""What :meth:`Game.apart` answers for a private setting that nobody else notices."""


class Game(ABC, Generic[S, M, V]):
    """A game's rules. Instances hold no match: everything about a match is in its state.

    Class attributes:
        meta: facts about the game.
        state_type, view_type, options_type: its structs and its options model.
        move_types: its moves, in the order in which commands and pickers list them.
    """

    meta: ClassVar[GameMeta]
    state_type: ClassVar[type[State]]
    view_type: ClassVar[type[View]]
    move_types: ClassVar[tuple[type[Move], ...]]
    options_type: ClassVar[type[Options]] = Options

    # ---- rules -------------------------------------------------------------------------------

    @abstractmethod
    def setup(self, seats: int, options: Options, rng: Rng) -> tuple[S, list[Event]]:
        """The starting position and what happened while it was made.

        Raises:
            SetupError: this number of players or these options cannot start.
        """

    def waiting(self, state: S) -> tuple[Seat, ...]:
        """Who owes a decision, in order, each seat once; several = simultaneous, none = over."""
        return tuple(dict.fromkeys(d.seat for d in state.pending))

    @abstractmethod
    def decisions(self, seats: int) -> tuple[str, ...]:
        """Every kind of decision (``Decision.kind``) that a match of so many seats may ask for, in
        the order in which they come up. Tests hold the game to it, and whoever looks after absent
        players can be tried at each of them."""

    @abstractmethod
    def legal(self, state: S, seat: Seat) -> Sequence[M]:
        """Every move open to the seat now, optional off-turn ones too, in a stable order.

        Equivalent moves are listed once, in canonical form.
        """

    @abstractmethod
    def apply(self, state: S, seat: Seat, move: M) -> list[Event]:
        """Make a move on a draft, in place; the caller drops the draft if this raises.

        Raises:
            MoveError: the move is refused; names the rule.
        """

    @abstractmethod
    def view(self, state: S, viewer: Viewer) -> V:
        """What the viewer may know: the only way out for information."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """The result, or None while the match goes on."""

    @abstractmethod
    def check(self, state: S) -> None:
        """Invariants: nothing was lost or doubled.

        Raises:
            InvariantError: one is broken.
        """

    def forced(self, state: S, seat: Seat, move: M) -> bool:
        """Whether this only legal move may be played automatically: it must reveal nothing and
        give nothing away. Default: never."""
        return False

    def safest(self, state: S, seat: Seat) -> M:
        """The move made for a player who is away: one that uses no hidden information of others
        and harms the own position least. Default: the first legal one that is owed."""
        return self.legal(state, seat)[0]

    def skip(self, state: S, seat: Seat) -> M:
        """The move that a host makes for a player who is away. Default: the safest one.

        A game whose rules give the host more than a player may do (ending a turn without its
        compulsory actions) names a move here that ``apply`` takes and ``legal`` does not list.
        """
        return self.safest(state, seat)

    def apart(self, state: S, seat: Seat, move: M) -> str:
        """The simultaneous step that a move of the seat would belong to, by a name that is unique
        in the match; such moves touch nothing of others. ``QUIET`` for a private setting that
        changes nothing for others. Default: empty, a move in turn.

        It decides what undo may take back: moves that other seats made in the same simultaneous
        step, or quietly, do not stand in the way and stay as they are. Closing such a step must be
        an event with ``reveals``.
        """
        return ""

    def open_choice(self, state: S, seat: Seat) -> bool:
        """Whether which moves the seat has now follows from what everybody sees. Then an only move
        that is made at once, because the player wants it so, tells the others nothing new; else it
        would say something of a hidden hand, and is left to the player.

        Default: only in games in which nobody holds anything hidden.
        """
        return not self.meta.secrets

    # ---- words -------------------------------------------------------------------------------

    @abstractmethod
    def narrate(self, event: Event) -> str:
        """An event as a sentence with ``{seat:0}`` placeholders; empty = not worth telling."""

    @abstractmethod
    def board_text(self, view: V) -> str:
        """The whole view as plain text for readers without pictures (≤ 1,800 characters)."""

    @abstractmethod
    def prompt(self, view: V, seat: Seat) -> str:
        """What the seat has to decide, as a short sentence without its name ("choose a tile")."""

    @abstractmethod
    def describe(self, view: V, move: M) -> str:
        """A move in words, e.g. for the confirm button (≤ 80 characters)."""

    def label(self, view: V, command: str, param: str, value: str) -> str:
        """How a value of a command's option is shown (≤ 100 characters)."""
        return value

    def facet(self, view: V, command: str, param: str, value: str) -> str:
        """A coarse key of a value (its column, its district), by which a picker splits lists of
        more than 25 values; empty = do not split."""
        return ""

    def hand(self, view: V) -> Hand | None:
        """The viewer's own hidden things as text; None if there are none."""
        return None

    def alt(self, view: V) -> str:
        """A picture's alternative text (≤ 1,024 characters). Default: as many whole lines of the
        text board as fit."""
        text = self.board_text(view)
        if len(text) <= 1024:
            return text
        cut = text.rfind("\n", 0, 1025)
        return text[:cut] if cut > 0 else text[:1024].rpartition("{seat:")[0] or text[:1024]

    @abstractmethod
    def rules_help(self) -> Sequence[RuleText]:
        """Our own short help texts, in the order of the rules."""

    # ---- commands ----------------------------------------------------------------------------

    def commands(self) -> tuple[Command, ...]:
        """The move subcommands. Default: one for each move type, its fields as options."""
        return tuple(command_of(kind) for kind in self.move_types)

    def phrase(self, move: M) -> Phrase:
        """A canonical move in command words. Default: the fields that are not None."""
        args = {
            f: _word(getattr(move, f))
            for f in move.__struct_fields__
            if getattr(move, f) is not None
        }
        return Phrase(command_name(type(move)), args)

    def parse(self, command: str, args: Mapping[str, str]) -> M:
        """The move that the words mean, legal or not.

        Raises:
            MalformedMove: the words fit no move of this game.
        """
        for kind in self.move_types:
            if command_name(kind) == command:
                return typing.cast(M, build_move(kind, args))
        raise MalformedMove("", f"There is no move called “{command}” in {self.meta.title}.")

    # ---- planning ahead ----------------------------------------------------------------------

    def meaning(
        self, view: V, command: str, args: Mapping[str, str], before: Sequence[Phrase] = ()
    ) -> str | None:
        """What a move's words point at as the table stands, in words for the viewer: a plan is
        carried out only if they still mean the same when its turn comes.

        It says what a name such as a market cell stands for (``green bend, 2 houses``), nothing
        that changes without making it another move (how many are left, what it would score), and
        it is the same whether or not the viewer is to act. Two moments with the same answer mean
        the same move by the same words.

        Args:
            view: of the player.
            command: subcommand.
            args: canonical option values, as :meth:`phrase` writes them.
            before: moves that the player has planned to make just before this one.

        Returns:
            The words; empty where names mean the same for ever; None if it cannot be said before
            the moment has come, so that it cannot be planned.
        """
        return ""

    def foreseen(self, view: V, command: str, param: str) -> Sequence[str]:
        """The values that an option could have as the table stands, for somebody who is not to act
        yet; canonical, best first. Empty: not known, any value may be planned."""
        return ()

    # ---- helpers -----------------------------------------------------------------------------

    def decode_state(self, blob: bytes) -> S:
        """The state that ``pack`` wrote."""
        return typing.cast(S, unpack(blob, self.state_type))

    def decode_move(self, data: str | bytes) -> M:
        """A move from its JSON.

        Raises:
            MalformedMove: no move of this game.
        """
        try:
            union: Any = typing.Union.__getitem__(self.move_types)
            return typing.cast(M, msgspec.json.decode(data, type=union))
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise MalformedMove("", f"That is no move of {self.meta.title}: {error}.") from error

    def options(self, raw: Mapping[str, Any]) -> Options:
        """Checked options.

        Raises:
            SetupError: an option is unknown or has no such value.
        """
        try:
            return self.options_type.model_validate(dict(raw))
        except pydantic.ValidationError as error:
            first = error.errors()[0]
            name = ".".join(str(part) for part in first["loc"]) or "options"
            raise SetupError(f"Option “{name}”: {first['msg']}.") from error

    def seat_colours(self, seats: int, options: Options) -> tuple[str, ...]:
        """Each seat's colour: those chosen, then the free ones in default order.

        Raises:
            SetupError: wrong number of seats, an unknown colour or one chosen twice.
        """
        if seats not in self.meta.seats:
            allowed = ", ".join(str(n) for n in self.meta.seats)
            raise SetupError(
                f"{self.meta.title} takes {allowed} players, not {seats}.", self.meta.seats_rule
            )
        chosen = [c for c in options.colours[:seats] if c]
        left = [c for c in self.meta.colours if c not in chosen]
        for place, colour in enumerate(chosen):
            if colour not in self.meta.colours:
                raise SetupError(
                    f"There is no colour “{colour}”; there are {listing(self.meta.colours)}.",
                    self.meta.colours_rule,
                )
            if colour in chosen[:place]:
                raise SetupError(
                    f"The colour {colour} is taken; free are {listing(left)}.",
                    self.meta.colours_rule,
                )
        free = iter(left)
        given = list(options.colours[:seats]) + [""] * (seats - len(options.colours))
        return tuple(c or next(free) for c in given)


def command_name(kind: type[Move]) -> str:
    """The subcommand of a move type: its ``command`` attribute, else its tag."""
    return str(getattr(kind, "command", kind.__struct_config__.tag))


def command_of(kind: type[Move]) -> Command:
    """A subcommand made from a move type's docstring, fields and field descriptions."""
    params = []
    hints = typing.get_type_hints(kind, include_extras=True)
    for field in msgspec.structs.fields(kind):
        meta = next(
            (
                m
                for m in getattr(hints[field.name], "__metadata__", ())
                if hasattr(m, "description")
            ),
            None,
        )
        text = (meta.description if meta else None) or field.name
        params.append(Param(field.name, text, field.required))
    line = (kind.__doc__ or "").strip().splitlines()
    return Command(command_name(kind), (line or [kind.__name__])[0].rstrip("."), tuple(params))


def build_move(kind: type[Move], args: Mapping[str, str]) -> Move:
    """A move from option values given as words; numbers, booleans and lists are read from them.

    Raises:
        MalformedMove: an option is missing, unknown or of the wrong type.
    """
    names = {f.name for f in msgspec.structs.fields(kind)}
    extra = sorted(set(args) - names)
    if extra:
        raise MalformedMove("", f"“{extra[0]}” is no option of “{command_name(kind)}”.")
    hints = typing.get_type_hints(kind)
    values: dict[str, Any] = {}
    for name, word in args.items():
        hint = hints[name]
        union = typing.get_origin(hint) in (typing.Union, types.UnionType)
        plain = typing.get_args(hint) if union else (hint,)
        listy = any((typing.get_origin(t) or t) in (list, tuple) for t in plain)
        values[name] = [w for w in word.replace(",", " ").split() if w] if listy else word
    try:
        return msgspec.convert(values, kind, strict=False)
    except msgspec.ValidationError as error:
        raise MalformedMove("", f"“{command_name(kind)}” does not fit: {error}.") from error


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list)):
        return " ".join(_word(v) for v in value)
    return str(value)
