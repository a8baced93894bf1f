"""Facts and commands of every game, held against Discord's limits (design, section 9)."""

from __future__ import annotations

import importlib
import re
import typing

import msgspec
import pytest

from engines.core.errors import MalformedMove, SetupError
from engines.core.game import command_name
from engines.core.play import start
from engines.core.registry import game as find_game
from engines.core.registry import games
from engines.core.types import Move

NAME = re.compile(r"[a-z0-9_-]{1,32}")
RESERVED = {"match", "board", "hand", "rules", "mygames", "settings", "play", "new"}


def test_the_registry_finds_the_folders() -> None:
    assert games(), "no game found"
    for key, game in games().items():
        assert game.meta.key == key
        assert importlib.import_module(f"engines.{key}").GAME is game
        assert find_game(key) is game
        assert find_game(game.meta.command) is game
    with pytest.raises(SetupError):
        find_game("no such game")


def test_names_are_unique_across_games() -> None:
    metas = [game.meta for game in games().values()]
    for names in ([m.command for m in metas], [m.prefix for m in metas], [m.title for m in metas]):
        assert len(set(names)) == len(names)
    assert not {m.command for m in metas} & RESERVED


def test_meta(key: str) -> None:
    meta = games()[key].meta
    assert NAME.fullmatch(meta.command)
    assert re.fullmatch(r"[A-Z]{2}", meta.prefix)
    assert meta.seats
    assert list(meta.seats) == sorted(set(meta.seats))
    assert min(meta.seats) >= 1
    assert len(meta.colours) >= max(meta.seats)
    assert len(set(meta.colours)) == len(meta.colours)
    assert meta.rules_version >= 1
    assert meta.end_reasons
    assert all(meta.end_reasons.values())
    assert re.fullmatch(meta.prefix + r"-\d{3}", meta.undo_rule)
    for words in (meta.title, meta.summary, meta.minutes, meta.credits):
        assert 0 < len(words) <= 1000


def test_commands_fit_discord(key: str) -> None:
    game = games()[key]
    commands = game.commands()
    names = [c.name for c in commands]
    assert commands
    assert len(set(names)) == len(names)
    assert "new" not in names
    assert len(names) + 1 <= 25, "the group also holds “new”"
    size = len(game.meta.command) + len(game.meta.summary)
    for command in commands:
        assert NAME.fullmatch(command.name)
        assert 1 <= len(command.description) <= 100, command
        assert len(command.params) <= 25
        params = [p.name for p in command.params]
        assert len(set(params)) == len(params)
        required = [p.required for p in command.params]
        assert required == sorted(required, reverse=True), "Discord wants required options first"
        for param in command.params:
            assert NAME.fullmatch(param.name)
            assert 1 <= len(param.description) <= 100, param
            assert param.description != param.name, f"{command.name} {param.name} is not described"
            size += len(param.name) + len(param.description)
        size += len(command.name) + len(command.description)
    for name, field in game.options_type.model_fields.items():
        assert NAME.fullmatch(name)
        assert field.description, f"option {name} has no description"
        assert len(field.description) <= 100
        values = [str(v) for v in typing.get_args(field.annotation)]
        assert len(values) <= 25
        size += len(name) + len(field.description) + 2 * sum(len(v) for v in values)
    assert len(game.options_type.model_fields) <= 24, "“new” also takes the seat count"
    assert size <= 8000, "Discord counts the characters of a whole command"


def test_moves_are_declared_well(key: str) -> None:
    game = games()[key]
    tags = [kind.__struct_config__.tag for kind in game.move_types]
    assert len(set(tags)) == len(tags)
    known = {c.name for c in game.commands()}
    for kind in game.move_types:
        assert issubclass(kind, Move)
        assert kind.__struct_config__.frozen
        assert kind.__struct_config__.forbid_unknown_fields
        assert kind.__doc__
        # Either the type is a command of its own, or the game merges it into another one.
        assert command_name(kind) in known or type(game).phrase is not type(game).__mro__[1].phrase
    with pytest.raises(MalformedMove):
        game.decode_move(b'{"kind":"cheat"}')
    with pytest.raises(MalformedMove):
        game.decode_move(b'{"no kind":1}')
    with pytest.raises(MalformedMove):
        game.parse("no such command", {})


def test_types_are_structs_without_floats_or_sets(key: str) -> None:
    game = games()[key]
    queue: list[typing.Any] = [game.state_type, game.view_type, *game.move_types]
    seen: set[typing.Any] = set()
    while queue:
        kind = queue.pop()
        if kind in seen:
            continue
        seen.add(kind)
        assert kind not in (float, set, frozenset), "no floats and no sets in states and views"
        assert typing.get_origin(kind) not in (set, frozenset)
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            queue += typing.get_type_hints(kind).values()
        queue += [a for a in typing.get_args(kind) if a is not Ellipsis]
    assert game.view_type.__struct_config__.frozen


def test_help_texts(key: str) -> None:
    game = games()[key]
    texts = game.rules_help()
    assert texts
    titles = [t.title for t in texts]
    assert len(set(titles)) == len(titles)
    for text in texts:
        assert text.ids
        assert all(re.fullmatch(game.meta.prefix + r"-\d{3}", i) for i in text.ids)
        assert 1 <= len(text.title) <= 100
        assert 1 <= len(text.text) <= 1024


def test_setup_refuses_what_cannot_start(key: str) -> None:
    game = games()[key]
    for seats in (0, -1, max(game.meta.seats) + 1, min(game.meta.seats) - 1):
        with pytest.raises(SetupError) as error:
            start(game, seats)
        assert error.value.text
    seats = max(game.meta.seats)
    with pytest.raises(SetupError):
        start(game, seats, {"no such option": 1})
    with pytest.raises(SetupError):
        start(game, seats, {"colours": ["no such colour"]})
    if seats > 1:
        with pytest.raises(SetupError):
            start(game, seats, {"colours": [game.meta.colours[0]] * 2})
    state, _ = start(game, seats, {"colours": [game.meta.colours[-1]]})
    assert state.colours[0] == game.meta.colours[-1]
    assert len(set(state.colours)) == seats
