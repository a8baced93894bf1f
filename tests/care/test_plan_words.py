"""What the words of a plan mean: in every game they point at the thing that lay there."""

from __future__ import annotations

import json

import pytest

from bot.errors import TableError
from bot.service.helping import (
    Elsewhere,
    Wishes,
    ahead,
    carry_out,
    help_along,
    read_plan,
)
from engines.core import surface
from engines.core.errors import IllegalMove, MalformedMove, MoveError
from engines.core.play import Played, play, start
from engines.core.registry import game as find_game
from engines.core.types import state_hash
from storage.plans import PlanRow
from tests.care.desk import Desk
from tests.care.test_helping import NEUF, paolo, standing


def row(seat: int, command: str, args: dict[str, str], meaning: str) -> PlanRow:
    return PlanRow(1, 1, seat, seat + 1, "standing", command, json.dumps(args), meaning, "", 0)


def test_a_market_cell_is_the_tile_on_it() -> None:
    """Papà Paolo: a plan for r1c1 is for the tile that lay there, also if another one lies there
    by the time; and for the tile under a meeple that a plan before it puts there."""
    game, state = paolo(1)
    while state.decision_of(game.waiting(state)[0]).kind != "place_meeple":
        seat = game.waiting(state)[0]
        state = play(game, state, seat, game.legal(state, seat)[0]).state
    seat = game.waiting(state)[0]
    other = (seat + 1) % 3
    view = game.view(state, other)
    cell = game.foreseen(view, "place", "cell")[0]
    args, meaning = ahead(game, state, other, "place", {"cell": cell.upper()})
    assert args == {"cell": cell}
    place = row(other, "place", args, meaning)
    taking, tile = ahead(game, state, other, "take", {"at": "1,0", "rotation": "0"}, [place])
    assert taking == {"at": "1,0", "rotation": "0"}
    assert tile.startswith(meaning)
    with pytest.raises(MalformedMove, match="known only when it is your turn"):
        ahead(game, state, other, "take", {"at": "1,0", "rotation": "0"})
    # The seat's turn comes, and the tile is the same: carried out.
    state = state.clone()
    state.pending = []
    state.ask(other, "place_meeple")
    assert carry_out(game, state, other, place).steps[0].move.cell == cell
    # Another tile lies there: allowed, but not what was meant.
    index = view.cells.index(cell)
    swap = next(i for i, t in enumerate(state.grid) if t and t[:3] != state.grid[index][:3]
                and game.meaning(game.view(state, other), "place", {"cell": view.cells[i]})
                != meaning)  # fmt: skip
    grid = list(state.grid)
    grid[index], grid[swap] = grid[swap], grid[index]
    state.grid = type(state.grid)(grid)
    with pytest.raises(Elsewhere, match="it meant"):
        carry_out(game, state, other, place)


def test_a_plan_never_guesses() -> None:
    """A beginning that fitted one tile when it was typed does not fit another one later."""
    game = find_game("paris_paris")
    state, _ = start(game, 3, seed=f"{7:064x}")
    args, meaning = ahead(game, state, 1, "open", {"tile": "Pont"})
    assert args == {"tile": NEUF}
    state = play(game, state, 0, surface.resolve(game, state, 0, "open", {"tile": NEUF})[0]).state
    with pytest.raises(IllegalMove):
        carry_out(game, state, 1, row(1, "open", args, meaning))
    before = state_hash(state)
    with pytest.raises(MoveError):
        carry_out(game, state, 1, row(1, "open", {"tile": "st-n"}, ""))
    assert state_hash(state) == before


@pytest.mark.parametrize(("text", "command", "args"), [
    ("open tile:louvre/blue", "open", {"tile": "louvre/blue"}),
    ("/paris open tile: louvre/blue remove:red", "open", {"tile": "louvre/blue", "remove": "red"}),
    ("open louvre/blue", "open", {"tile": "louvre/blue"}),
    ("open tile:Pont Neuf – line 3", "open", {"tile": "Pont Neuf – line 3"}),
])  # fmt: skip
def test_plans_are_read(text: str, command: str, args: dict[str, str]) -> None:
    assert read_plan(find_game("paris_paris"), text) == (command, args)


def test_what_cannot_be_read_is_explained() -> None:
    chef = find_game("pizzachef")
    assert read_plan(chef, "topping add premium:G") == (
        "topping", {"do": "add", "topping": "premium:G"},
    )  # fmt: skip
    assert read_plan(chef, "end") == ("end", {})
    with pytest.raises(TableError, match="does not fit"):
        read_plan(chef, "end now")
    with pytest.raises(TableError, match="begins with a command"):
        read_plan(chef, "")


async def test_two_steps_of_one_turn(d: Desk) -> None:
    """Papà Paolo: place a meeple and seek a sponsor, planned together, made together."""
    d.service._new_seed = lambda: f"{2:064x}"
    await d.begin("papa_paolo", 3)
    table = await d.table()
    while table.state.decision_of(table.waiting()[0]).kind != "place_meeple":
        await d.move()
        table = await d.table()
    game, (seat,) = table.game, table.waiting()
    after = table.state.order[(table.state.order.index(seat) + 1) % 3]
    view = game.view(table.state, after)
    offers = dict(zip(view.cells, view.offers, strict=True))
    cell = next(c for c in game.foreseen(view, "place", "cell") if "S" in offers[c])
    await d.service.plan(d.match, after + 1, f"place cell:{cell}")
    await d.service.plan(d.match, after + 1, "sponsor")
    other = next(m for m in game.legal(table.state, seat) if m.cell != cell)
    await d.service.move(d.match, seat + 1, other)
    table = await d.table()
    act = next(m for m in game.legal(table.state, seat))
    head = table.match.head_seq
    await d.service.move(d.match, seat + 1, act)
    while (await d.table()).waiting() == (seat,):  # finishing what the act began
        head = (await d.table()).match.head_seq
        await d.move()
    rows = [r for r in await d.store.log(d.match, head + 1) if r.kind == "move"]
    mine = [json.loads(r.move or "{}")["kind"] for r in rows if r.seat == after]
    assert mine == ["place_meeple", "seek_sponsor"]
    assert all(not r.auto and r.actor_id == after + 1 for r in rows if r.seat == after)
    assert await standing(d, after) == []


def test_a_finished_match_is_left_alone() -> None:
    game = find_game("paris_paris")
    state, _ = start(game, 2, seed=f"{1:064x}")
    while state.ended is None:
        seat = game.waiting(state)[0]
        state = play(game, state, seat, game.legal(state, seat)[0]).state
    helped = help_along(
        game, state, Played(state, ()), Wishes(forced=frozenset({0, 1})), lambda p: p
    )
    assert helped.played.steps == ()
