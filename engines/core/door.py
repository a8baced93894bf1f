"""The engine's own door: JSON lines in, JSON lines out, as chess engines speak UCI.

:class:`Door` is pure; ``piazza engine`` feeds it from stdin. See ``engines/PROTOCOL.md``.
"""

from __future__ import annotations

from typing import Any

import msgspec

from engines.core.errors import EngineBug, MoveError, PiazzaError, SetupError
from engines.core.play import AnyGame, Entry, play, start, undo_plan, undone
from engines.core.registry import game as find_game
from engines.core.registry import games
from engines.core.types import Seat, State, Viewer, state_hash

MAX_LINE = 4_000_000
"""Characters of one request line."""


class Request(msgspec.Struct):
    """One request line; what each command reads is in ``engines/PROTOCOL.md``."""

    cmd: str
    id: Any = None
    game: str = ""
    rules_version: int | None = None
    seats: int = 0
    options: dict[str, Any] = {}
    seed: str = "00"
    deal: dict[str, Any] = {}
    seat: Seat | None = None
    viewer: Viewer = None
    move: msgspec.Raw = msgspec.Raw(b"")
    decision: int | None = None
    state: msgspec.Raw = msgspec.Raw(b"")


class _Ident(msgspec.Struct):
    """Only the id of a request, so that an answer to a malformed one still finds its sender."""

    id: Any = None


class Refused(PiazzaError):
    """A request that makes no sense now."""


class Door:
    """One match behind JSON lines. A new match replaces the old one; a line that is refused leaves
    everything as it was."""

    def __init__(self) -> None:
        self._game: AnyGame | None = None
        self._state: State | None = None
        self._log: list[Entry] = []
        self._history: dict[int, State] = {}
        self._encoder = msgspec.json.Encoder(order="deterministic")
        self._decoder = msgspec.json.Decoder(Request)

    def handle(self, line: str | bytes) -> bytes:
        """Answer one line; never raises for bad input.

        Returns:
            ``{"id": …, "ok": …}`` or ``{"id": …, "error": {"code", "rule", "text"}}``.
        """
        ident: Any = None
        try:
            if len(line) > MAX_LINE:
                raise Refused("The line is too long.")
            request = self._decoder.decode(line)
            ident = request.id
            if request.cmd not in COMMANDS:
                raise Refused(f"Unknown cmd; there are {', '.join(COMMANDS)}.")
            command = getattr(self, f"do_{request.cmd}")
            return self._encoder.encode({"id": ident, "ok": command(request)})
        except MoveError as error:
            found = {"code": error.code, "rule": error.rule, "text": error.text}
            if error.choices:
                return self._encoder.encode(
                    {"id": ident, "error": {**found, "choices": error.choices}}
                )
        except SetupError as error:
            found = {"code": "setup", "rule": error.rule, "text": error.text}
        except EngineBug as error:
            found = {"code": "engine_bug", "rule": "", "text": str(error)}
        except Refused as error:
            found = {"code": "bad_request", "rule": "", "text": str(error)}
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            ident = ident if ident is not None else _ident(line)
            found = {"code": "malformed", "rule": "", "text": str(error)}
        except (ValueError, RecursionError) as error:
            found = {"code": "bad_request", "rule": "", "text": str(error)}
        except Exception as error:
            # Whatever a loaded position does to an engine, the next line is answered.
            found = {"code": "engine_bug", "rule": "", "text": f"{type(error).__name__}: {error}"}
        return self._encoder.encode({"id": ident, "error": found})

    def _match(self) -> tuple[AnyGame, State]:
        if self._game is None or self._state is None:
            raise Refused("There is no match; send “new” or “load” first.")
        return self._game, self._state

    def _seat(self, request: Request) -> Seat:
        _, state = self._match()
        if request.seat is None or not 0 <= request.seat < state.seats:
            raise Refused(f"“seat” must be 0 to {state.seats - 1}.")
        return request.seat

    def do_games(self, request: Request) -> Any:
        return [
            {"key": g.meta.key, "title": g.meta.title, "seats": g.meta.seats,
             "rules_version": g.meta.rules_version,
             "options": g.options_type.model_json_schema()["properties"]}
            for g in games().values()
        ]  # fmt: skip

    def do_new(self, request: Request) -> Any:
        game = find_game(request.game)
        _check_seed(request.seed)
        state, events = start(
            game, request.seats, request.options, seed=request.seed, deal=request.deal or None
        )
        self._game, self._state, self._log, self._history = game, state, [], {0: state}
        return {"seq": 0, "seed": request.seed, "events": events, **self._where()}

    def _where(self) -> dict[str, Any]:
        game, state = self._match()
        return {"waiting": game.waiting(state), "hash": state_hash(state), "ended": state.ended}

    def do_legal(self, request: Request) -> Any:
        game, state = self._match()
        return list(game.legal(state, self._seat(request))) if state.ended is None else []

    def do_apply(self, request: Request) -> Any:
        game, state = self._match()
        seat = self._seat(request)
        played = play(
            game, state, seat, game.decode_move(bytes(request.move)), decision=request.decision
        )
        seq = len(self._log)
        for step in played.steps:
            seq += 1
            self._log.append(
                Entry(
                    seq,
                    "move",
                    step.seat,
                    self._encoder.encode(step.move).decode(),
                    step.auto,
                    step.reveals,
                    hash=step.hash,
                    apart=step.apart,
                )
            )
            if step.reveals:
                self._history.clear()
        self._state = played.state
        # Automatic moves in between are never a target of undo, so the last state is enough.
        self._history[seq] = played.state
        return {
            "seq": seq,
            "moves": [{"seat": s.seat, "move": s.move, "auto": s.auto} for s in played.steps],
            "events": played.events,
            **self._where(),
        }

    def do_view(self, request: Request) -> Any:
        game, state = self._match()
        if request.viewer is not None and not 0 <= request.viewer < state.seats:
            raise Refused(f"“viewer” must be null or 0 to {state.seats - 1}.")
        return game.view(state, request.viewer)

    def do_waiting(self, request: Request) -> Any:
        game, state = self._match()
        return {
            "waiting": game.waiting(state),
            "decisions": [{"id": d.id, "seat": d.seat, "kind": d.kind} for d in state.pending],
        }

    def do_outcome(self, request: Request) -> Any:
        game, state = self._match()
        return game.outcome(state)

    def do_undo(self, request: Request) -> Any:
        game, state = self._match()
        seat = self._seat(request)
        plan = undo_plan(game, self._log, seat)
        again = [self._log[s - 1] for s in plan.again]
        self._state = undone(game, self._history[plan.to], state, again, seat)
        seq = len(self._log) + 1
        self._log.append(
            Entry(seq, "undo", seat, to=plan.to, hash=state_hash(self._state), again=plan.again)
        )
        self._history[seq] = self._state
        return {"seq": seq, "to": plan.to, "again": plan.again, **self._where()}

    def do_state(self, request: Request) -> Any:
        game, state = self._match()
        return {"game": game.meta.key, "rules_version": game.meta.rules_version, "state": state}

    def do_load(self, request: Request) -> Any:
        game = find_game(request.game)
        if request.rules_version not in (None, game.meta.rules_version):
            raise Refused(f"That is a state of other rules than version {game.meta.rules_version}.")
        state = msgspec.json.decode(bytes(request.state), type=game.state_type)
        _check_seed(state.rng.seed)
        try:
            _probe(game, state)
        except EngineBug:
            raise
        except Exception as error:
            raise Refused(f"That state makes no sense: {type(error).__name__}.") from error
        self._game, self._state, self._log, self._history = game, state, [], {0: state}
        return {"seq": 0, **self._where()}


def _ident(line: str | bytes) -> Any:
    try:
        return msgspec.json.decode(line, type=_Ident).id
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def _check_seed(seed: str) -> None:
    """Refuse what the generator could not use later."""
    if len(bytes.fromhex(seed)) > 64:
        raise Refused("A seed has at most 64 bytes.")


def _probe(game: AnyGame, state: State) -> None:
    """Do with a loaded state what other commands will do, so that they do not fail later."""
    game.check(state)
    ids = [d.id for d in state.pending]
    if len(set(ids)) < len(ids) or any(i >= state.next_decision for i in ids):
        raise Refused("That state has decision ids that would recur.")
    if state.ended is None:
        if not all(game.legal(state, seat) for seat in game.waiting(state)):
            raise Refused("In that state a seat owes a decision and has no move.")
    elif game.outcome(state) is None:
        raise Refused("That state is over and has no outcome.")
    for viewer in (None, *range(state.seats)):
        game.view(state, viewer)


COMMANDS = (
    "games", "new", "legal", "apply", "view", "waiting", "outcome", "undo", "state", "load",
)  # fmt: skip
