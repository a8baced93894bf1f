"""Automatic help: moves that players have planned, and only moves made for those who want it so.

Both are made in the commit of the move that brings the turn, in a chain with the automatic players,
until somebody owes a decision for whom nothing is planned and who has a choice.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import msgspec

from bot.errors import TableError
from bot.language import Text, packed, tr
from bot.logs import get_logger
from engines.core import surface
from engines.core.errors import AmbiguousMove, EngineBug, MalformedMove, MoveError
from engines.core.play import AnyGame, Played, Step, play
from engines.core.types import Command, Phrase, Seat, State, state_hash
from storage.plans import NewPlan, PlanRow, Settled
from storage.records import NewOutbox

log = get_logger(__name__)

MOST_PLANS = 5
"""Plans of a person in a match."""

MOST_HELPED = 200
"""Only moves made in one commit. After so many the players go on by hand."""

LONGEST_VALUE = 200
"""Characters of an option's value in a plan."""

OWN = "own"
PLANNED = "planned"
FORCED = "forced"
MACHINE = "machine"
ENGINE = "engine"


class Wishes(msgspec.Struct, frozen=True):
    """What help a table's players want.

    Attributes:
        plans: seat → its plans in order.
        forced: seats for which only moves are made.
        fresh: seats that have somebody new on them: their open decisions count as new.
        undo: who has just taken a step back: nothing is played for that seat now, or the step would
            be made again at once.
        rollback: the table has gone back to an earlier position, so no plan fits any more.
    """

    plans: Mapping[Seat, Sequence[PlanRow]] = {}
    forced: frozenset[Seat] = frozenset()
    fresh: Collection[Seat] = ()
    undo: Seat | None = None
    rollback: bool = False


class Ended(msgspec.Struct, frozen=True):
    """A plan that came to its end.

    Attributes:
        plan: the plan.
        reason: why it was cancelled; empty if it was carried out.
    """

    plan: PlanRow
    reason: str = ""


class Helped(msgspec.Struct, frozen=True):
    """A position after all help.

    Attributes:
        played: all steps, those before the help first.
        by: for each step, who made it: its player (``own``), a plan, the wish to have only moves
            made (``forced``), an automatic player or the engine after one of these.
        ended: what became of plans, in order.
        idle: seats that owed nothing at some moment at which help was given to another: if they are
            to act in the end, it is their turn anew.
    """

    played: Played
    by: tuple[str, ...]
    ended: tuple[Ended, ...] = ()
    idle: frozenset[Seat] = frozenset()


def help_along(
    game: AnyGame,
    before: State,
    played: Played,
    wishes: Wishes,
    machines: Callable[[Played], Played],
) -> Helped:
    """Let automatic players and helped ones move until somebody has to decide.

    Args:
        game: the rules.
        before: the position before the commit: decisions that were open then are not new.
        played: what the commit plays so far.
        wishes: what help the players want.
        machines: lets the automatic players move.

    Raises:
        EngineBug: an automatic player's move is refused.
    """
    known = {d.id for d in before.pending}
    steps: list[Step] = list(played.steps)
    by = [OWN] * len(steps)
    plans = {seat: list(rows) for seat, rows in wishes.plans.items()}
    ended: list[Ended] = []
    idle: set[Seat] = set()
    seen: set[str] = set()
    state = played.state
    if wishes.undo is not None and plans.get(wishes.undo):
        ended += cancelled(plans.pop(wishes.undo), tr("you took a step back"))
    if wishes.rollback:
        for rows in plans.values():
            ended += cancelled(rows, tr("the match has gone back to an earlier position"))
        plans.clear()
    for count in range(MOST_HELPED + 1):
        moved = machines(Played(state, tuple(steps)))
        by += [MACHINE] * (len(moved.steps) - len(steps))
        state, steps = moved.state, list(moved.steps)
        if state.ended is not None or count == MOST_HELPED:
            break
        now = game.waiting(state)
        for seat in now:
            only = None
            if seat in wishes.forced and seat != wishes.undo:
                due = [d for d in state.pending if d.seat == seat]
                if seat in wishes.fresh or any(d.id not in known for d in due):
                    only = only_move(game, state, seat)
                if only is not None and (key := f"{seat} {position(state)}") in seen:
                    only = None  # it goes round in circles: the player has to see that
                elif only is not None:
                    seen.add(key)
            made, how = _next(game, state, seat, plans.get(seat, []), only, ended)
            if made is not None:
                break
        else:
            break
        assert made is not None
        idle |= set(range(state.seats)) - set(now)
        by += [how, *[ENGINE] * (len(made.steps) - 1)]
        steps += made.steps
        state = made.state
    return Helped(Played(state, tuple(steps)), tuple(by), tuple(ended), frozenset(idle))


def _next(
    game: AnyGame,
    state: State,
    seat: Seat,
    plans: list[PlanRow],
    only: Any,
    ended: list[Ended],
) -> tuple[Played | None, str]:
    """The next move that is made for a seat, if there is one; plans are taken off their list."""
    if plans:
        try:
            made = carry_out(game, state, seat, plans[0])
        except Elsewhere as error:
            ended += cancelled(plans, error.text)
            plans.clear()
        except MoveError as error:
            if only is None:
                ended += cancelled(plans, error.text)
                plans.clear()
            # Else: first the only move of this decision, then the plan for the next one.
        else:
            ended.append(Ended(plans.pop(0)))
            return made, PLANNED
    if only is None:
        return None, ""
    try:
        made = play(game, state, seat, only)
    except (MoveError, EngineBug) as error:
        # What cannot be made by itself is left to the player, and then it is told as usual.
        log.error("only move refused", game=game.meta.key, reason=str(error))
        return None, ""
    steps = tuple(msgspec.structs.replace(step, auto=True) for step in made.steps)
    return Played(made.state, steps), FORCED


def only_move(game: AnyGame, state: State, seat: Seat) -> Any:
    """The only move of a seat, if everybody can see that there is no other one; else None.

    A move made at once says that there was no choice. Where that follows from a hidden hand it
    would betray something of it (:meth:`Game.open_choice`), so the player is asked.
    """
    if not game.open_choice(state, seat):
        return None
    moves = game.legal(state, seat)
    return moves[0] if len(moves) == 1 else None


def position(state: State) -> str:
    """What a position is, but for the numbers of its decisions, which never recur."""
    bare_state = state.clone()
    bare_state.pending, bare_state.next_decision = [], 0
    return state_hash(bare_state)


class Elsewhere(MoveError):
    """The words are possible, but they do not mean any more what they meant."""


def carry_out(game: AnyGame, state: State, seat: Seat, plan: PlanRow) -> Played:
    """Make a planned move, if its words still mean the same.

    Raises:
        Elsewhere: the rules allow it, but it is another move by now.
        MoveError: the rules refuse it.
    """
    args: dict[str, str] = json.loads(plan.args)
    move = find_move(game, state, seat, plan.command, args)
    try:
        made = play(game, state, seat, move)
    except EngineBug as error:
        # The position is as before; the player may try by hand, and then it is looked into.
        log.error("planned move failed", game=game.meta.key, exc_info=error)
        raise MalformedMove("", tr("it could not be carried out")) from error
    need_same(game, state, seat, plan)
    return made


def find_move(
    game: AnyGame, state: State, seat: Seat, command: str, args: Mapping[str, str]
) -> Any:
    """The move that canonical words stand for: as a slash command finds it, but nothing is guessed.
    One that no legal move fits is still built, so that the engine refuses it by its rule.

    Raises:
        MoveError: the words fit no move, or several.
    """
    fits = [
        (phrase, move)
        for phrase, move in surface.phrases(game, state, seat)
        if phrase.command == command and all(phrase.args.get(k) == v for k, v in args.items())
    ]
    exact = [move for phrase, move in fits if phrase.args == args]
    if exact or len(fits) == 1:
        return exact[0] if exact else fits[0][1]
    if fits:
        view = game.view(state, seat)
        raise AmbiguousMove(
            "",
            tr("That fits several moves. Say which one you mean."),
            [game.describe(view, move) for _, move in fits[:10]],
        )
    return game.parse(command, args)


def need_same(game: AnyGame, state: State, seat: Seat, plan: PlanRow) -> None:
    """Refuse planned words that stand for something else than when they were said.

    Raises:
        Elsewhere: they do.
    """
    means = game.meaning(game.view(state, seat), plan.command, json.loads(plan.args))
    if means != plan.meaning:
        raise Elsewhere("", changed(plan.meaning, means))


def changed(meant: str, means: str | None) -> str:
    """Why words that mean something else are not followed."""
    if meant and means:
        return tr("it meant “{before}”, and now that is “{now}”", before=meant, now=means)
    if meant:
        return tr("it meant “{before}”, and that is not there now", before=meant)
    return tr("its words now mean something else")


def cancelled(plans: Sequence[PlanRow], reason: str) -> list[Ended]:
    """Plans that end together because of the first one."""
    return [
        Ended(plan, reason if place == 0 else tr("the plan before it was cancelled"))
        for place, plan in enumerate(plans)
    ]


def settled(ended: Sequence[Ended]) -> Settled:
    """What became of plans, for the database."""
    return Settled(
        tuple(end.plan.id for end in ended if not end.reason),
        {end.plan.id: json.dumps(packed(end.reason)) for end in ended if end.reason},
    )


def plan_posts(game: AnyGame, ended: Sequence[Ended]) -> list[NewOutbox]:
    """Direct messages to those whose plans came to an end. They name the person, too: if the seat
    changes hands before they are sent, the new player must not read them."""
    posts = []
    for seat, user in dict.fromkeys((end.plan.seat, end.plan.user_id) for end in ended):
        lines = told(game, [end for end in ended if end.plan.user_id == user])
        payload = {"lines": [packed(line) for line in lines], "user": user}
        posts.append(NewOutbox("hand", json.dumps(payload, ensure_ascii=False), seat=seat))
    return posts


# ---- words ---------------------------------------------------------------------------------------


def typed(command: str, args: Mapping[str, str]) -> str:
    """A plan as it can be typed: ``open tile:louvre/blue``."""
    return " ".join([command, *(f"{name}:{value}" for name, value in args.items())])


def plan_words(game: AnyGame, plan: PlanRow | NewPlan) -> str:
    """A plan to be read: ``/paris open tile:louvre/blue``. Between backticks its reader finds the
    names of commands and options in their own language."""
    words = f"/{game.meta.command} {typed(plan.command, json.loads(plan.args))}"
    return words.replace("`", "'")


def told(game: AnyGame, ended: Sequence[Ended]) -> list[Text]:
    """What a player privately hears of the own plans."""
    lines = []
    gone = [end for end in ended if end.reason]
    for end in ended:
        words = plan_words(game, end.plan)
        if not end.reason:
            lines.append(tr("Your plan `{plan}` was carried out.", plan=words))
        elif end is gone[0]:
            lines.append(
                tr("Your plan `{plan}` was cancelled: {why}.", plan=words, why=bare(end.reason))
            )
    if len(gone) > 1:
        lines.append(tr("The plans after it were cancelled too."))
    return lines


def bare(sentence: str) -> str:
    """A sentence without its last full stop, so that it can stand inside another.

    >>> bare("That is taken.")
    'That is taken'
    """
    # Our own texts have none.
    return sentence if isinstance(sentence, Text) else sentence.strip().rstrip(".")


def grammar(game: AnyGame, command: Command) -> str:
    """How a command is written: ``/paris open tile: … (remove: …)``."""
    parts = [f"{p.name}: …" if p.required else f"({p.name}: …)" for p in command.params]
    return " ".join([f"/{game.meta.command} {command.name}", *parts])


def read_plan(game: AnyGame, text: str) -> tuple[str, dict[str, str]]:
    """A typed plan as command and options: ``open tile:louvre/blue``, also ``/paris open …``. The
    name of an option may be left out where they stand in order.

    Raises:
        TableError: it names no command; says which there are.
    """
    words = text.strip().removeprefix("/").split()
    commands = {c.name: c for c in game.commands()}
    if words and words[0] == game.meta.command and len(words) > 1 and words[1] in commands:
        words = words[1:]
    if not words or words[0] not in commands:
        listed = ", ".join(f"`{name}`" for name in commands)
        raise TableError(
            tr(
                "A plan begins with a command of {game}: {commands}. For example: `{example}`.",
                game=game.meta.title,
                commands=listed,
                example=grammar(game, next(iter(commands.values()))).partition(" ")[2],
            )
        )
    command = commands[words[0]]
    given: dict[str, list[str]] = {}
    names = [p.name for p in command.params]
    current = ""
    for word in words[1:]:
        name, colon, rest = word.partition(":")
        if colon and name.casefold() in names and name.casefold() not in given:
            current = name.casefold()
            given[current] = [rest] if rest else []
        elif current:
            given[current].append(word)
        else:
            free = [n for n in names if n not in given]
            if not free:
                raise TableError(
                    tr("“{word}” does not fit: `{grammar}`.", word=word[:40],
                       grammar=grammar(game, command))
                )  # fmt: skip
            # Without names: a word an option, the last option takes the rest.
            given[free[0]] = [word]
            current = free[0] if len(free) == 1 else ""
    return command.name, {name: " ".join(found) for name, found in given.items() if found}


def ahead(
    game: AnyGame,
    state: State,
    seat: Seat,
    command: str,
    given: Mapping[str, str],
    before: Sequence[PlanRow] = (),
) -> tuple[dict[str, str], str]:
    """A plan's canonical option values and what they mean now, as far as can be said before it is
    the seat's turn. Nothing is looked at but the seat's own view.

    Raises:
        MoveError: the words can never be such a move, or point at nothing now.
    """
    known = next((c for c in game.commands() if c.name == command), None)
    if known is None:
        raise MalformedMove("", tr("There is no command “{name}” here.", name=command[:40]))
    how = grammar(game, known)
    names = [p.name for p in known.params]
    unknown = [name for name in given if name not in names]
    missing = [p.name for p in known.params if p.required and not given.get(p.name, "").strip()]
    if unknown:
        raise MalformedMove(
            "", tr("“{name}” is no option of it: `{grammar}`.", name=unknown[0][:40], grammar=how)
        )
    if missing:
        raise MalformedMove("", tr("Say also `{name}`: `{grammar}`.", name=missing[0], grammar=how))
    view = game.view(state, seat)
    words: dict[str, str] = {}
    for name, said in given.items():
        value = surface.unstamp(said)[0].strip()
        if len(value) > LONGEST_VALUE:
            raise MalformedMove("", tr("That is too long for a plan."))
        there = choices(game, view, command, name)
        if there:
            found = surface.match_value(value, there)
            if found is None:
                shown = "\n".join(f"- {c.label}"[:120] for c in there[:12])
                raise AmbiguousMove(
                    "",
                    tr(
                        "“{value}” does not name one thing that is there now. There are:\n{list}",
                        value=value[:60],
                        list=shown,
                    ),
                )
            value = found
        words[name] = value
    try:
        words = surface.canonical(game, command, words)
    except MoveError as error:
        error.text = f"{error.text}\n-# `{how}`"
        raise
    phrases = [Phrase(row.command, json.loads(row.args)) for row in before]
    meaning = game.meaning(view, command, words, phrases)
    if meaning is None:
        raise MalformedMove(
            "",
            tr("What that stands for is known only when it is your turn, so it cannot be planned."),
        )
    return words, meaning


def choices(game: AnyGame, view: Any, command: str, param: str) -> list[surface.Choice]:
    """What an option may stand for before the turn; empty if it is not known."""
    return [
        surface.Choice(value, game.label(view, command, param, value)[:100])
        for value in game.foreseen(view, command, param)
    ]
