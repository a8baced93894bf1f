"""Commands, labels, texts."""

from __future__ import annotations

import keyword

import pytest

from engines.core.errors import MalformedMove
from engines.core.surface import complete, pick, resolve
from engines.palermo import GAME
from engines.palermo.moves import (
    AutoWait,
    BuildDoor,
    Collect,
    Finish,
    MoveCell,
    PlaceStart,
    PoliceCell,
    PoliceKeep,
    Step,
    Walk,
)
from engines.palermo.views import preview
from tests.engines.palermo.players import eager
from tests.engines.palermo.positions import (
    BLUE,
    EMERGENCY_5,
    GREEN,
    RED,
    city,
    does,
    event,
    fresh,
    on,
)
from tests.engines.palermo.test_building import refused


def said(state, command, **words):
    """The move that a command means."""
    return resolve(GAME, state, state.acting, command, words)[0]


def test_options_can_be_declared_in_python():
    for command in GAME.commands():
        for param in command.params:
            assert param.name.isidentifier()
            assert not keyword.iskeyword(param.name)


def test_build_in_words():
    state = fresh(3)
    assert said(state, "start", space="c3") == PlaceStart("C3")
    state = fresh(3, "C3", "D3:1a/ne")
    assert said(state, "build", type="2a", space="D2", door="nw") == BuildDoor("2a", "D2", "nw")
    # The only space need not be said; the label of a kind does as well as its name.
    label = GAME.label(GAME.view(state, BLUE), "build", "type", "1b")
    assert label == "1b – 1 roof, door anticlockwise of it, 6 left"
    assert said(state, "build", type=label) == BuildDoor("1b", "D2", "se")
    # What does not fit is still understood, so that the rules can refuse it.
    wrong = said(state, "build", type="1a", space="C2", door="sw")
    refused(state, wrong, "PL-028")
    offered = complete(GAME, state, BLUE, "build", {"type": "3"}, "door", "")
    assert [c.value for c in offered] == ["nw", "ne", "se"]


def test_walks_in_words():
    state = on(city(), RED)
    for text in ("C3nw C2sw C2nw C1sw", "c3nw → c2sw → c2nw → c1sw", "C3NW,C2SW,C2NW,C1SW",
                 "C3nw>C2sw>C2nw>C1sw"):  # fmt: skip
        move = said(state, "walk", path=text)
        assert event(does(state, move), "collected").args["cell"] == "C1sw"
    move = said(state, "move", cell="c2NW", begin="se")
    assert isinstance(move, MoveCell)
    assert move.origin == "se"
    with pytest.raises(MalformedMove):
        GAME.parse("walk", {"way": "C3nw"})
    with pytest.raises(MalformedMove):
        GAME.parse("wait", {"on": "perhaps"})
    assert GAME.parse("wait", {"on": "Off"}) == AutoWait(False)


def test_moves_as_data():
    move = GAME.decode_move(b'{"kind":"collect","doorway":"C2sw","from":"nw"}')
    assert move == Collect("C2sw", "nw")
    assert GAME.decode_move(b'{"kind":"walk","path":["C3nw","C2sw"]}') == Walk(("C3nw", "C2sw"))
    assert [kind.__struct_config__.tag for kind in GAME.move_types] == [
        "place_start", "build_door", "police_cell", "police_keep", "collect", "finish",
        "move_cell", "step", "walk", "auto_wait",
    ]  # fmt: skip


def test_labels_say_what_a_destination_brings():
    state = on(city(), GREEN, stones={BLUE: "C2nw"}, pawns={RED: "C4sw"})
    view = GAME.view(state, GREEN)
    assert GAME.label(view, "collect", "doorway", "C2sw") == (
        "C2sw – 2 points income, then 4 a turn"
    )
    assert "blue’s police stone" in GAME.label(view, "move", "cell", "C2nw")
    assert GAME.label(view, "move", "cell", "B3se") == "B3se – blue’s doorway"
    assert GAME.label(view, "step", "cell", "C3nw") == "C3nw – begin here, free of charge"
    assert GAME.describe(view, Collect("C2sw")) == "Collect at C2sw for 2 points"
    back = on(city(), RED, pawns={RED: "C3ne"}, stones={BLUE: "C2nw"})
    shown = GAME.view(back, RED)
    assert GAME.label(shown, "move", "cell", "C2sw").endswith("stays back, 1 point lapses")
    assert "stay back" in GAME.describe(shown, MoveCell("C2sw"))
    home = on(city(), RED, pawns={RED: "C4ne"}, taken={RED: 11})
    assert GAME.describe(GAME.view(home, RED), Finish()) == "Go home for 13 points"
    ring = on(city(), BLUE, pawns={BLUE: "R14"})
    assert GAME.label(GAME.view(ring, BLUE), "step", "cell", "R27") == "R27 – jump, 2 points left"
    street = fresh(5, "A3", EMERGENCY_5)
    assert "open street" in GAME.label(GAME.view(street, 0), "build", "type", "street")


def test_long_lists_are_split_by_column_and_side():
    state = on(city(), RED)
    step, _ = pick(GAME, state, RED, ["police"])
    assert step.facet
    keys = [c.value for c in step.choices]
    assert keys[0] == "Ring road north"
    assert {f"Column {c}" for c in "ABCDEF"} < set(keys)
    assert len(keys) == 10
    for key in keys:
        step, _ = pick(GAME, state, RED, ["police", f"@{key}"])
        assert len(step.choices) <= 25
    assert GAME.facet(GAME.view(state, RED), "police", "cell", "R14") == "Ring road east"
    assert GAME.facet(GAME.view(state, RED), "build", "space", "C4") == "Column C"


def test_autocompletion_of_a_destination():
    state = on(city(), RED, pawns={RED: "C1sw"}, taken={RED: 1}, gone={RED: ["C1sw"]})
    assert [c.value for c in complete(GAME, state, RED, "move", {}, "cell", "c3")] == [
        "C3ne", "C3sw",
    ]  # fmt: skip
    assert [c.value for c in complete(GAME, state, RED, "collect", {}, "doorway", "")] == ["D2nw"]


def test_a_preview_shows_exactly_what_happens():
    state = on(city(), GREEN)
    view = GAME.view(state, GREEN)
    shown = preview(view, GREEN, Collect("C2sw"))
    assert shown.trip.path == ("C3nw", "C2sw")
    assert (shown.trip.kind, shown.trip.points) == ("stop", 2)
    after = GAME.view(does(state, Collect("C2sw")).state, None)
    assert after.trip == shown.trip
    walked = preview(view, GREEN, Walk(("C3nw", "C2sw")))
    assert walked.trip.path == ("C3nw", "C2sw")
    partly = preview(view, GREEN, Step("C3nw"))
    assert (partly.trail, partly.left) == (("C3nw",), 3)
    stone = preview(view, GREEN, PoliceCell("R14"))
    assert (stone.patrol.end, stone.patrol.start) == ("R14", "")
    assert preview(view, GREEN, Finish()) is None
    tile = preview(GAME.view(fresh(3, "C3"), RED), RED, BuildDoor("3", "D3", "sw"))
    assert (tile.built.tile, tile.built.space) == ("3/sw", "D3")


def test_the_text_board_can_be_played_from():
    state = on(city(), RED, pawns={BLUE: "D3nw"}, stones={GREEN: "R20"}, home=[GREEN])
    text = GAME.board_text(GAME.view(state, None))
    assert "1 .g ## ## ## ## ##" in text, "small letters are emptied doorways"
    assert "    ## #B R. g# .B R." not in text
    assert "{seat:0} (red R): 0 points, 0 chips, 11 open, pawn at the fountain, 3 a turn" in text
    assert "pawn D3nw" in text
    assert "stone R20" in text
    assert "{seat:2} (green G): 0 points, 11 chips, 0 open, home" in text
    alt = GAME.alt(GAME.view(state, None))
    assert "Red is to act." in alt
    assert "Blue doorways: " in alt
    assert "Green doorways: none." in alt
    building = GAME.board_text(GAME.view(fresh(3, "C3", "D3:3/se"), None))
    assert "1a ×6, 1b ×6, 2a ×6, 2b ×6, 3 ×11" in building
    assert "Last tile: 3/se on D3." in building


def test_prompts():
    assert "Start/Finish" in GAME.prompt(GAME.view(fresh(3), RED), RED)
    assert GAME.prompt(GAME.view(fresh(3, "C3"), RED), RED) == (
        "lay a house tile with your chip (11 to lay)"
    )
    assert GAME.prompt(GAME.view(city(), RED), RED) == (
        "move your police stone if you like, then walk with 3 points"
    )
    moved = does(city(), PoliceCell("R1")).state
    assert GAME.prompt(GAME.view(moved, RED), RED) == "walk with 3 points"
    home = on(city(), RED, home=[RED])
    assert "wait at the fountain" in GAME.prompt(GAME.view(home, RED), RED)
    assert GAME.describe(GAME.view(home, RED), PoliceKeep()).startswith("Leave")


def test_the_story_of_a_match():
    """Every kind of event is told in plain sentences."""
    import random

    from engines.core.play import start

    told = {}
    for seed in range(2):
        rand = random.Random(seed)
        state, events = start(GAME, 3, seed=f"{seed:02x}")
        for e in events:
            told.setdefault(e.kind, GAME.narrate(e))
        while state.ended is None:
            moves = list(GAME.legal(state, state.acting))
            for e in GAME.apply(state, state.acting, eager(state, moves, rand)):
                told.setdefault(e.kind, GAME.narrate(e))
    assert set(told) >= {
        "begin", "start_tile", "built", "paved", "walking", "police", "kept", "stepped", "moved",
        "collected", "finished", "bonus", "waits", "end",
    }  # fmt: skip
    for kind, text in told.items():
        assert text, kind
        assert text.endswith((".", "**")), text
        assert len(text) < 300, text


def test_the_absent_player_does_something_sensible():
    assert GAME.safest(fresh(3), RED) == PlaceStart("C3")
    near = GAME.safest(fresh(3, "C3"), RED)
    assert near.space in {"C2", "B3", "D3", "C4"}
    assert GAME.safest(on(city(), GREEN), GREEN) == Collect("C2sw"), "the best income"
    assert GAME.safest(on(city(), RED, home=[RED]), RED) == PoliceKeep()
    home = on(city(), RED, pawns={RED: "C4ne"}, taken={RED: 11})
    assert GAME.safest(home, RED) == Finish()


def test_going_to_and_fro_is_said_once():
    state = on(city(), RED, pawns={RED: "D4nw"}, taken={RED: 11})
    played = does(state, Walk(tuple(("C4ne D4nw " * 6 + "C4ne C3se").split())))
    text = GAME.narrate(event(played, "finished"))
    assert "(D4nw C4ne (7 times) C3se)" in text
    short = does(on(city(), GREEN), Collect("C2sw"))
    assert "(C3nw C2sw)" in GAME.narrate(event(short, "collected"))
