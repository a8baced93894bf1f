"""Phase A: meeples and laying tiles (PP-020 to PP-035)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engines.papa_paolo import GAME
from engines.papa_paolo import moves as m
from engines.papa_paolo.components import at, box, exits_of
from engines.papa_paolo.town import build_cells, placements
from tests.engines.papa_paolo.positions import (
    P,
    built,
    due,
    find,
    go,
    kinds,
    lay,
    on_cell,
    purse,
    refused,
    table,
)


def tile_in_hand(
    state: Any, seat: int, colour: str, houses: int, exits: str, cell: str = "r4c4"
) -> Any:
    """The seat stands on a cell with such a tile."""
    return on_cell(state, seat, cell, find(state, colour, houses, exits))


# ---- the meeple ------------------------------------------------------------------------------


@pytest.mark.rule("PP-020")
def test_one_meeple_a_turn_until_all_have_four() -> None:
    state = table()
    state = go(state, 0, m.PlaceMeeple("r1c1"), m.SeekSponsor())
    assert due(state) == {1: "place_meeple"}
    assert state.placed == 1


@pytest.mark.rule("PP-021", "PP-I02")
def test_occupied_cell() -> None:
    state = go(table(), 0, m.PlaceMeeple("r1c1"), m.SeekSponsor())
    rule, text = refused(state, 1, m.PlaceMeeple("r1c1"))
    assert rule == "PP-021"
    assert "That spot is already occupied" in text
    assert "{seat:0}" in text
    assert refused(state, 1, m.PlaceMeeple("r5c1"))[0] == "PP-021"


@pytest.mark.rule("PP-022", "PP-I03")
def test_tile_or_action_not_both() -> None:
    """After the tile the same meeple cannot act, nor take the tile after acting."""
    state = table()
    state = tile_in_hand(state, 0, "gold", 1, "NESW", "r1c1")
    after_tile = go(state, 0, m.TakeTile(0, -1, 0))
    rule, text = refused(after_tile, 0, m.SeekSponsor())
    assert rule == "PP-022"
    assert "Choose either the tile or one action" in text
    after_action = go(state, 0, m.SeekSponsor())
    assert refused(after_action, 0, m.TakeTile(0, -1, 0))[0] == "PP-022"


@pytest.mark.rule("PP-022")
def test_a_second_act_while_the_first_is_under_way() -> None:
    state = on_cell(table(), 0, "r2c1")
    state = go(state, 0, m.BuyPizzas(1))
    rule, text = refused(state, 0, m.SeekSponsor())
    assert rule == "PP-022"
    assert "Choose either the tile or one action" in text


@pytest.mark.rule("PP-023", "PP-X01", "PP-I04")
def test_offers_of_a_cell() -> None:
    """r2c1: row Buy, column Sponsor."""
    state = on_cell(table(), 0, "r2c1")
    assert kinds(state, 0) == {"take_tile", "buy_pizzas", "seek_sponsor"}
    for move in (m.Express(), m.BuildPizzeria(2, 1, 1)):
        rule, text = refused(state, 0, move)
        assert rule == "PP-023"
        assert "This spot does not offer that action" in text
        assert "Seek Sponsor or Buy Ingredients" in text


@pytest.mark.rule("PP-023")
def test_equal_row_and_column_offer_one_action() -> None:
    state = on_cell(table(), 0, "r1c1")
    assert kinds(state, 0) == {"take_tile", "seek_sponsor"}


@pytest.mark.rule("PP-024")
def test_tile_and_meeple_stay_or_the_cell_is_empty() -> None:
    """Either way the cell is occupied for the rest of the phase."""
    state = on_cell(table(), 0, "r1c1")
    tile = state.grid[0]
    acted = go(state, 0, m.SeekSponsor())
    assert acted.grid[0] == tile
    assert acted.meeples[0] == 0
    taken = go(state, 0, next(x for x in GAME.legal(state, 0) if x.kind == "take_tile"))
    assert taken.grid[0] is None
    assert taken.meeples[0] == 0
    assert tile in taken.areas[0].tiles
    for after in (acted, taken):
        assert m.PlaceMeeple("r1c1") not in GAME.legal(after, 1)
        assert refused(after, 1, m.PlaceMeeple("r1c1"))[0] == "PP-021"


@pytest.mark.rule("PP-025", "PP-I05")
def test_no_action_only_where_nothing_is_possible() -> None:
    """r4c4 offers building alone; without money and without a fitting tile nothing is left."""
    state = table()
    rich = tile_in_hand(state, 0, "gold", 3, "N")
    rule, text = refused(rich, 0, m.NoAction())
    assert rule == "PP-025"
    assert "You can still take the tile or act" in text
    # Every side of P's road is closed: only the pizzeria's own sides are open, then closed too.
    closed = table()
    lay(closed, P, 0, -1, "red", 3, "S")
    lay(closed, P, 0, 1, "red", 3, "N")
    lay(closed, P, -1, 0, "gold", 3, "E")
    lay(closed, P, 2, 0, "blue", 3, "W")
    purse(closed, 1, 10, 10, 10)
    closed = on_cell(closed, P, "r4c4")
    # The match goes on by itself: no action was the only choice, and the meeple counts for tips.
    assert due(closed) == {1: "place_meeple"}
    assert closed.meeples[15] == P
    assert closed.grid[15] is not None
    assert closed.placed == 1


@pytest.mark.rule("PP-025")
def test_the_last_cell_must_be_used() -> None:
    """Corner case 1: with one cell left the last player gets it without a choice."""
    state = table()
    state.meeples = [0, 1, 2, 3] * 3 + [0, 1, 2, -1]
    state.placed = 15
    state.order = (0, 1, 2, 3)
    state.pending = []
    state.ask(3, "place_meeple")
    assert GAME.legal(state, 3) == [m.PlaceMeeple("r4c4")]
    assert GAME.forced(state, 3, m.PlaceMeeple("r4c4"))


# ---- roads (PP-027 to PP-032) ----------------------------------------------------------------


@pytest.mark.rule("PP-027")
def test_every_rotation_is_accepted_and_equal_ones_listed_once() -> None:
    """A straight at (−1,0) needs its road east-west: 90 is listed, 270 accepted as the same."""
    state = tile_in_hand(table(), P, "gold", 1, "NS")
    spots = [x for x in GAME.legal(state, P) if isinstance(x, m.TakeTile) and x.x == -1]
    assert spots == [m.TakeTile(-1, 0, 90)]
    assert go(state, P, m.TakeTile(-1, 0, 270)) == go(state, P, m.TakeTile(-1, 0, 90))
    assert refused(state, P, m.TakeTile(-1, 0, 45))[0] == "PP-027"


@pytest.mark.rule("PP-028")
def test_nothing_placed_moves_again() -> None:
    """No kind of move takes a tile, a pizzeria or a delivered pizza off a neighbourhood: whatever a
    player does in a random match, what lay there lies there still."""
    rand = random.Random(28)
    state = table(3)
    before = [area.copy() for area in state.areas]
    while state.ended is None:
        seat = state.pending[0].seat
        move = rand.choice(GAME.legal(state, seat))
        riding = state.areas[seat].start >= 0
        state = go(state, seat, move)
        for old, new in zip(before, state.areas, strict=True):
            assert new.cells[: len(old.cells)] == old.cells
            assert new.ovens[: len(old.ovens)] == old.ovens
            assert all(new.roads[c] == old.roads[c] for c in old.cells)
            if not riding and new.start < 0:
                assert all(new.fed[c] >= old.fed[c] for c in old.cells)
        if not riding:
            before = [area.copy() for area in state.areas]


@pytest.mark.rule("PP-029", "PP-030", "PP-I06", "PP-X02")
def test_a_tile_needs_a_road_to_a_pizzeria() -> None:
    """(1,1) below the town half: no road leads there."""
    state = tile_in_hand(table(), P, "gold", 1, "NS")
    rule, text = refused(state, P, m.TakeTile(1, 1, 90))
    assert rule == "PP-030"
    assert "must connect by road to your pizzeria" in text


@pytest.mark.rule("PP-030")
def test_the_chain_does_not_pass_a_pizzeria() -> None:
    """A new pizzeria at (2,0) ends the road; a tile beyond it hangs on that pizzeria alone."""
    state = table()
    built(state, P, 2, 0, 4, 2)
    lay(state, P, 3, 0, "gold", 1, "EW")
    area = state.areas[P]
    assert area.links[at(3, 0)] == 0b10
    assert area.links[at(1, 0)] == 0b11
    GAME.check(state)


@pytest.mark.rule("PP-031", "PP-I07", "PP-X03")
def test_no_road_is_interrupted() -> None:
    state = tile_in_hand(table(), P, "gold", 1, "NES")
    state = go(state, P, m.TakeTile(0, -1, 0))
    cross = tile_in_hand(state, P, "blue", 1, "NESW", "r4c3")
    rule, text = refused(cross, P, m.TakeTile(1, -1, 0))
    assert rule == "PP-031"
    assert "That would interrupt a road" in text
    straight = tile_in_hand(state, P, "blue", 1, "NS", "r4c3")
    after = go(straight, P, m.TakeTile(1, -1, 90))
    assert exits_of(after.areas[P].roads[at(1, -1)]) == "EW"


@pytest.mark.rule("PP-032", "PP-I09", "PP-X24")
def test_a_blank_side_before_the_only_pizzeria() -> None:
    """Corner (0,−1) S,W; corner (−1,−1) E,S; a dead-end at (−1,0) faces (0,0) with its blank E."""
    state = table()
    lay(state, P, 0, -1, "gold", 1, "SW")
    lay(state, P, -1, -1, "gold", 2, "ES")
    hand = tile_in_hand(state, P, "red", 3, "N")
    rule, text = refused(hand, P, m.TakeTile(-1, 0, 0))
    assert rule == "PP-032"
    assert "may only block a pizzeria if linked to another one" in text


@pytest.mark.rule("PP-032", "PP-X24")
def test_a_blank_side_is_fine_with_another_pizzeria() -> None:
    """The same place with a T at (−1,−1) and a pizzeria at (−2,−1)."""
    state = table()
    lay(state, P, 0, -1, "gold", 1, "SW")
    lay(state, P, -1, -1, "gold", 1, "ESW")
    built(state, P, -2, -1, 4, 2)
    hand = tile_in_hand(state, P, "red", 3, "N")
    after = go(hand, P, m.TakeTile(-1, 0, 0))
    assert exits_of(after.areas[P].roads[at(-1, 0)]) == "N"


@pytest.mark.rule("PP-049", "PP-030")
def test_a_blank_side_may_face_a_new_pizzeria_and_join_later() -> None:
    """Corner case 3: (1,1) lies beside the town half's blank side alone. A bend that leads from it
    to the east is then linked with that pizzeria."""
    state = table()
    built(state, P, 1, 1, 2, 2)
    assert state.areas[P].links[at(1, 0)] == 0b01
    hand = tile_in_hand(state, P, "gold", 1, "NS")
    after = go(hand, P, m.TakeTile(1, 2, 0))
    assert after.areas[P].links[at(1, 2)] == 0b10


# ---- limits (PP-033, PP-034) -----------------------------------------------------------------


@pytest.mark.rule("PP-033", "PP-I08", "PP-X04")
def test_five_wide_and_no_wider() -> None:
    state = table()
    for x in (2, 3):
        lay(state, P, x, 0, "gold", 1 if x == 2 else 2, "EW")
    hand = tile_in_hand(state, P, "gold", 3, "NS")
    fifth = go(hand, P, m.TakeTile(4, 0, 90))
    assert fifth.areas[P].box == (0, 4, 0, 0)
    sixth = tile_in_hand(fifth, P, "blue", 3, "NS", "r3c4")
    rule, text = refused(sixth, P, m.TakeTile(5, 0, 90))
    assert rule == "PP-033"
    assert "4×5 at most" in text


@pytest.mark.rule("PP-033", "PP-034", "PP-I08")
def test_no_five_by_five() -> None:
    """Five columns allow four rows: with rows 0 to 3 in use, row 4 is outside, −1 too. A pizzeria
    counts for the rectangle like a tile."""
    state = table()
    lay(state, P, 2, 0, "gold", 1, "EW")
    lay(state, P, 3, 0, "gold", 1, "ESW")
    built(state, P, 4, 0, 5, 2)
    for y, exits in ((1, "NES"), (2, "NS"), (3, "NESW")):
        lay(state, P, 3, y, "blue", 1, exits)
    assert state.areas[P].box == (0, 4, 0, 3)
    hand = tile_in_hand(state, P, "red", 1, "NS")
    rule, _ = refused(hand, P, m.TakeTile(3, 4, 0))
    assert rule == "PP-033"
    assert refused(hand, P, m.TakeTile(0, -1, 0))[0] == "PP-033"
    assert m.TakeTile(2, 3, 90) in GAME.legal(hand, P)


@pytest.mark.rule("PP-034")
def test_exits_may_point_outside() -> None:
    """A cross in the last column points beyond the limit; with both ways round still open nothing
    is fixed: from 2×1 one may grow to 5 wide or to 5 high."""
    state = table()
    for x in (2, 3):
        lay(state, P, x, 0, "gold", 1 if x == 2 else 2, "EW")
    hand = tile_in_hand(state, P, "gold", 1, "NESW")
    assert m.TakeTile(4, 0, 0) in GAME.legal(hand, P)
    tall = table()
    for y in (-1, -2, -3):
        lay(tall, P, 0, y, "blue", -y, "NS")
    hand = tile_in_hand(tall, P, "gold", 1, "NESW")
    after = go(hand, P, m.TakeTile(0, -4, 0))
    assert after.areas[P].box == (0, 1, -4, 0)


@pytest.mark.rule("PP-003", "PP-I10")
def test_a_used_place() -> None:
    state = tile_in_hand(table(), P, "gold", 1, "NESW")
    for x, y in ((1, 0), (0, 0)):
        rule, text = refused(state, P, m.TakeTile(x, y, 0))
        assert rule == "PP-003"
        assert "That place is already taken" in text
        rule, text = refused(state, P, m.BuildPizzeria(2, x, y))
        assert rule == "PP-003"
        assert "That place is already taken" in text


@pytest.mark.rule("PP-X25")
@pytest.mark.parametrize(
    ("exits", "count"), [("NESW", 4), ("NES", 12), ("NS", 4), ("NE", 8), ("N", 4)]
)
def test_placements_beside_the_start_tile(exits: str, count: int) -> None:
    houses = 3 if exits == "N" else 1
    state = tile_in_hand(table(), P, "gold", houses, exits)
    takes = [x for x in GAME.legal(state, P) if isinstance(x, m.TakeTile)]
    assert len(takes) == count


@pytest.mark.rule("PP-X25", "PP-047", "PP-048")
def test_building_places_beside_the_start_tile() -> None:
    state = on_cell(table(), P, "r4c4")
    cells = {(x.x, x.y) for x in GAME.legal(state, P) if isinstance(x, m.BuildPizzeria)}
    assert cells == {(1, -1), (1, 1), (2, 0)}


@pytest.mark.rule("PP-033", "PP-034")
def test_a_full_neighbourhood_takes_nothing_more() -> None:
    """Corner case 2: all 20 places of 4 × 5 are used; nothing can be laid or built."""
    state = table()
    colours = ("gold", "blue", "red", "green")
    places = [(x, y) for y in range(5) for x in range(4) if (x, y) not in ((0, 0), (1, 0))]
    for number, (x, y) in enumerate(places):
        lay(state, P, x, y, colours[number % 4], 1 if number < 12 else 2, "NES")
    area = state.areas[P]
    assert area.box == (0, 3, 0, 4)
    assert len(area.cells) + len(area.ovens) == 20
    assert build_cells(area) == []
    assert placements(area, box().tiles["B01"]) == []
