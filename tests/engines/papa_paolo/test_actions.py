"""Phase A: the four actions (PP-036 to PP-049)."""

from __future__ import annotations

import pytest

from engines.core.errors import MoveError
from engines.core.types import Move
from engines.papa_paolo import GAME
from engines.papa_paolo import moves as m
from engines.papa_paolo.components import at, box
from engines.papa_paolo.state import PaoloState
from tests.engines.papa_paolo.positions import (
    COLOURS,
    O,
    P,
    T,
    ask,
    built,
    due,
    fed,
    go,
    kinds,
    lay,
    markers,
    on_cell,
    purse,
    refused,
    ride,
    stocked,
    table,
    whole,
)


def at_cell(state: PaoloState, seat: int, cell: str) -> None:
    """The seat's meeple stands on a market cell, in a map that breaks rules of placing."""
    index = box().sides[state.seats].cells.index(cell)
    ask(state, "placing", (seat, "act"))
    state.meeples[index], state.active, state.placed = seat, index, 1


def attempt(state: PaoloState, seat: int, move: Move) -> str:
    """The rule that refuses the move."""
    with pytest.raises(MoveError) as error:
        GAME.apply(state.clone(), seat, move)
    return error.value.rule


# ---- Seek Sponsor ----------------------------------------------------------------------------


@pytest.mark.rule("PP-036", "PP-X05", "PP-004")
@pytest.mark.parametrize(("seat", "finance", "amount"), [(O, 1, 3), (T, 5, 7)])
def test_sponsor(seat: int, finance: int, amount: int) -> None:
    state = table()
    markers(state, seat, finance, 1, 1, 1)
    state = on_cell(state, seat, "r1c1")
    after = go(state, seat, m.SeekSponsor())
    assert after.areas[seat].money == 10 + amount
    assert after.bank == state.bank - amount


# ---- Buy Ingredients -------------------------------------------------------------------------


@pytest.mark.rule("PP-037", "PP-038", "PP-X06", "PP-I12")
@pytest.mark.parametrize(("seat", "market", "most"), [(O, 3, 4), (T, 1, 2)])
def test_buying_two_with_extras(seat: int, market: int, most: int) -> None:
    """O places 2 + 2, T 2 + 0; both pay £3."""
    state = table()
    markers(state, seat, 1, market, 1, 1)
    stocked(state, seat, 1)  # room for 4
    state = on_cell(state, seat, "r2c2")
    state = go(state, seat, m.BuyPizzas(2))
    assert state.areas[seat].money == 7
    if most > 2:
        rule, text = refused(state, seat, m.Stock("0,0", most + 1))
        assert rule == "PP-037"
        assert "Too many free pizzas" in text
    full = go(state, seat, m.Stock("0,0", most))
    assert full.areas[seat].pizzas == [1 + most]
    assert full.areas[seat].supply == 35 - most


@pytest.mark.rule("PP-I12", "PP-037")
def test_no_extras_on_market_1() -> None:
    state = on_cell(table(), T, "r2c2")
    stocked(state, T, 0)
    state = go(state, T, m.BuyPizzas(2))
    rule, text = refused(state, T, m.Stock("0,0", 3))
    assert rule == "PP-037"
    assert "Too many free pizzas" in text


@pytest.mark.rule("PP-037", "PP-I11")
def test_paying_for_one_to_five_within_the_money() -> None:
    """With £4 two pizzas (£3) are possible, three (£5) are not; nobody buys six."""
    state = table()
    stocked(state, P, 0)
    purse(state, 4, 10, 10, 10)
    state = on_cell(state, P, "r2c2")
    buys = [x.paid for x in GAME.legal(state, P) if isinstance(x, m.BuyPizzas)]
    assert buys == [1, 2]
    for paid in (3, 6, 0):
        rule, text = refused(state, P, m.BuyPizzas(paid))
        assert rule == "PP-037"
        assert "1–5 pizzas you can afford" in text


@pytest.mark.rule("PP-037")
@pytest.mark.parametrize(("paid", "price"), [(1, 2), (2, 3), (3, 5), (4, 7), (5, 9)])
def test_prices(paid: int, price: int) -> None:
    state = table()
    stocked(state, P, 0)
    state = go(on_cell(state, P, "r2c2"), P, m.BuyPizzas(paid))
    assert state.areas[P].money == 10 - price


@pytest.mark.rule("PP-038", "PP-I13")
def test_split_freely_but_within_capacity() -> None:
    """The start pizzeria holds 5, the £2 one 3."""
    state = table()
    built(state, P, 2, 0, 2, 2)
    state = go(on_cell(state, P, "r2c2"), P, m.BuyPizzas(3))
    rule, text = refused(state, P, m.Stock("0,0", 3))
    assert rule == "PP-038"
    assert "That pizzeria has no room" in text
    assert refused(state, P, m.Stock("5,5", 1))[0] == "PP-038"
    state = go(state, P, m.Stock("2,0", 1))
    state = go(state, P, m.Stock("0,0", 1))
    assert due(state) == {P: "stock"}
    state = go(state, P, m.Stock("0,0", 1))
    assert state.areas[P].pizzas == [5, 3]
    assert GAME.legal(state, P) == [m.Finish()]
    assert due(go(state, P, m.Finish())) == {1: "place_meeple"}


@pytest.mark.rule("PP-039", "PP-I14")
def test_all_paid_pizzas_must_fit() -> None:
    """Room for 3: buying 4 is refused; with 2 paid and 2 extras one extra is forgone."""
    state = table()
    stocked(state, P, 2)
    markers(state, P, 1, 3, 1, 1)
    state = on_cell(state, P, "r2c2")
    rule, text = refused(state, P, m.BuyPizzas(4))
    assert rule == "PP-039"
    assert "All paid pizzas must fit" in text
    state = go(state, P, m.BuyPizzas(2))
    short = go(state, P, m.Stock("0,0", 1))
    rule, _ = refused(short, P, m.Finish())
    assert rule == "PP-039"
    paid = go(short, P, m.Stock("0,0", 1))
    assert m.Finish() in GAME.legal(paid, P)
    after = go(paid, P, m.Finish())
    assert after.areas[P].pizzas == [4]
    assert after.areas[P].money == 7
    assert due(after) == {1: "place_meeple"}


@pytest.mark.rule("PP-039", "PP-072")
def test_all_pizzerias_full() -> None:
    """Corner case 4."""
    state = table()
    stocked(state, P, 5)
    state = on_cell(state, P, "r2c2")
    assert "buy_pizzas" not in kinds(state, P)
    assert refused(state, P, m.BuyPizzas(1))[0] == "PP-039"


@pytest.mark.rule("PP-007", "PP-046")
def test_the_supply_is_the_limit() -> None:
    """Corner case 6: with 33 delivered and 2 on the pizzeria 1 is left to buy, too few to build."""
    state = table()
    places = [(x, y) for y in (1, 2, 3) for x in (0, 1, 2, 3)][:11]
    for number, (x, y) in enumerate(places):
        exits = "NS" if number < 8 else "NE"
        lay(state, P, x, y, COLOURS[number % 4], 3, exits, 3)
    stocked(state, P, 2)
    assert state.areas[P].supply == 36 - 33 - 2
    at_cell(state, P, "r2c4")
    assert [x.paid for x in GAME.legal(state, P) if isinstance(x, m.BuyPizzas)] == [1]
    assert attempt(state, P, m.BuyPizzas(2)) == "PP-007"
    assert "build_pizzeria" not in kinds(state, P)
    assert attempt(state, P, m.BuildPizzeria(2, 2, 0)) == "PP-046"


# ---- Express delivery ------------------------------------------------------------------------


@pytest.mark.rule("PP-040", "PP-X07")
@pytest.mark.parametrize(("seat", "level", "most"), [(O, 1, 1), (T, 2, 2)])
def test_express_number(seat: int, level: int, most: int) -> None:
    state = table()
    lay(state, seat, 0, -1, "gold", 3, "S")
    markers(state, seat, 1, 1, level, 1)
    state = go(on_cell(state, seat, "r3c3"), seat, m.Express(), m.StartRoute("0,0"))
    assert state.areas[seat].money == 8
    north = [x.pizzas for x in GAME.legal(state, seat) if getattr(x, "direction", "") == "N"]
    assert north == list(range(most + 1))
    rule, text = refused(state, seat, m.Step("N", most + 1))
    assert rule == "PP-040"
    assert "Pizza limit reached" in text


@pytest.mark.rule("PP-005", "PP-123")
def test_express_needs_the_fee() -> None:
    state = table()
    purse(state, 1, 10, 10, 10)
    state = on_cell(state, P, "r3c3")
    rule, text = refused(state, P, m.Express())
    assert rule == "PP-005"
    assert "£2" in text


@pytest.mark.rule("PP-041")
def test_express_has_no_distance_limit() -> None:
    """Four tiles to the west, the house is at distance 4."""
    state = table()
    for x, exits in ((-1, "EW"), (-2, "EW"), (-3, "ES")):
        lay(state, P, x, 0, "blue", 1 if x == -1 else 2, exits)
    lay(state, P, -3, 1, "gold", 3, "N")
    state = go(on_cell(state, P, "r3c3"), P, m.Express())
    state = ride(state, P, "W0 W0 W0 S1")
    assert whole(state, P) == {"-3,1": 1}


@pytest.mark.rule("PP-042", "PP-X19")
def test_express_on_one_route() -> None:
    """Express 2, Delivery 1: a route with one pizza ends the riding."""
    state = table()
    lay(state, P, 0, -1, "gold", 3, "S")
    markers(state, P, 1, 1, 2, 1)
    state = go(on_cell(state, P, "r3c3"), P, m.Express())
    state = ride(state, P, "E1")
    rule, text = refused(state, P, m.StartRoute("0,0"))
    assert rule == "PP-042"
    assert "No delivery routes left" in text


@pytest.mark.rule("PP-043", "PP-I15")
def test_express_needs_something_to_deliver() -> None:
    """The only house is full; then, with a hungry one, the pizzeria is empty."""
    state = table()
    fed(state, P, 1, 0, 1)
    full = on_cell(state, P, "r3c3")
    rule, text = refused(full, P, m.Express())
    assert rule == "PP-043"
    assert "No pizza can be delivered" in text
    state = table()
    stocked(state, P, 0)
    empty = on_cell(state, P, "r3c3")
    assert refused(empty, P, m.Express())[0] == "PP-043"
    assert "express" not in kinds(empty, P)


@pytest.mark.rule("PP-043")
def test_an_express_delivers_at_least_one() -> None:
    state = go(on_cell(table(), P, "r3c3"), P, m.Express())
    assert refused(state, P, m.Finish())[0] == "PP-043"


@pytest.mark.rule("PP-044", "PP-087", "PP-089")
def test_express_is_rewarded_at_once_by_the_limits_from_before() -> None:
    """The town half is red (start tile 3): Express goes to 2, this delivery's quota stays 1."""
    state = table()
    state = on_cell(state, O, "r3c3")
    state = go(state, O, m.Express())
    assert state.areas[O].most == 1
    state = go(ride(state, O, "E1"), O, m.Finish())
    assert state.areas[O].markers == [1, 1, 2, 1]
    assert due(state) == {P: "place_meeple"}


@pytest.mark.rule("PP-044", "PP-042")
def test_a_green_tile_adds_no_route_to_the_same_express() -> None:
    """W's town half is green; its first route completes it, and the express still has one route."""
    state = table()
    lay(state, 3, 0, -1, "gold", 3, "S")
    markers(state, 3, 1, 1, 3, 1)
    state = go(on_cell(state, 3, "r3c3"), 3, m.Express())
    state = ride(state, 3, "E1")
    assert refused(state, 3, m.StartRoute("0,0"))[0] == "PP-042"
    state = go(state, 3, m.Finish())
    assert state.areas[3].markers == [1, 1, 3, 2]
    assert whole(state, 3) == {"1,0": 1}


# ---- Build a Pizzeria ------------------------------------------------------------------------


@pytest.mark.rule("PP-045", "PP-046", "PP-047")
@pytest.mark.parametrize("cost", [2, 4, 5])
def test_building(cost: int) -> None:
    """The price goes to the bank, two pizzas come from the supply."""
    state = on_cell(table(), P, "r4c4")
    after = go(state, P, m.BuildPizzeria(cost, 2, 0))
    area = after.areas[P]
    assert area.money == 10 - cost
    assert area.ovens[1] == at(2, 0)
    assert area.pizzas == [3, 2]
    assert area.supply == 31
    assert sum(after.reserve) == 7
    assert area.links[at(1, 0)] == 0b11


@pytest.mark.rule("PP-045", "PP-I17")
def test_sold_out_or_too_dear() -> None:
    """Corner case 7."""
    state = table()
    purse(state, 4, 10, 10, 10)
    built(state, T, 2, 0, 4, 0)
    built(state, T, 1, 1, 4, 0)
    built(state, O, 2, 0, 4, 0)
    state = on_cell(state, P, "r4c4")
    assert {x.cost for x in GAME.legal(state, P) if isinstance(x, m.BuildPizzeria)} == {2}
    for cost in (4, 5, 3):
        rule, text = refused(state, P, m.BuildPizzeria(cost, 2, 0))
        assert rule == "PP-045"
        assert "Not available or not affordable" in text


@pytest.mark.rule("PP-047")
def test_a_pizzeria_stands_beside_a_tile() -> None:
    state = on_cell(table(), P, "r4c4")
    rule, text = refused(state, P, m.BuildPizzeria(2, 3, 0))
    assert rule == "PP-047"
    assert "beside one of your tiles" in text
    assert refused(state, P, m.BuildPizzeria(2, 40, 0))[0] == "PP-033"


@pytest.mark.rule("PP-048", "PP-I16")
def test_pizzerias_may_touch_at_a_corner_only() -> None:
    """(1,1) touches (0,0) at a corner; (0,1) lies beside it."""
    state = table()
    lay(state, P, -1, 1, "gold", 1, "NESW")
    lay(state, P, -1, 0, "gold", 1, "NESW")
    state = on_cell(state, P, "r4c4")
    rule, text = refused(state, P, m.BuildPizzeria(2, 0, 1))
    assert rule == "PP-048"
    assert "Pizzerias may not be adjacent" in text
    assert m.BuildPizzeria(2, 1, 1) in GAME.legal(state, P)


@pytest.mark.rule("PP-049", "PP-029")
def test_building_needs_no_road() -> None:
    """(1,−1) lies north of the town half's blank side: legal and not connected."""
    state = go(on_cell(table(), P, "r4c4"), P, m.BuildPizzeria(2, 1, -1))
    assert state.areas[P].links[at(1, 0)] == 0b01
