"""Phase D (PP-068 to PP-074)."""

from __future__ import annotations

import pytest

from engines.papa_paolo import GAME
from engines.papa_paolo import moves as m
from tests.engines.papa_paolo.positions import (
    P,
    T,
    W,
    built,
    delivering,
    due,
    fed,
    go,
    investing,
    kinds,
    lay,
    markers,
    on_cell,
    refused,
    ride,
    stocked,
    table,
)


@pytest.mark.rule("PP-068", "PP-002")
def test_holders_decide_side_by_side() -> None:
    """Players without a tile have no decision; the others act in any order."""
    state = investing(table(), {P: "gold", T: "green", W: "gold"} | {W: "blue"})
    assert due(state) == {P: "invest", T: "invest", W: "invest"}
    assert refused(state, 2, m.InvestKeep())[0] == "PP-123"
    state = go(state, W, m.InvestKeep())
    state = go(state, P, m.InvestDiscard())
    assert due(state) == {T: "invest"}


@pytest.mark.rule("PP-069", "PP-071", "PP-X13", "PP-036")
def test_gold_kept_or_discarded() -> None:
    """£5 once, or Finance 2, so that the next sponsor gives £4."""
    state = investing(table(), {W: "gold", P: "red"})
    spent = go(state, W, m.InvestDiscard())
    assert spent.areas[W].money == 15
    assert spent.areas[W].markers == [1, 1, 1, 1]
    kept = go(state, W, m.InvestKeep())
    assert kept.areas[W].markers == [2, 1, 1, 1]
    assert kept.areas[W].kept == ("gold",)
    after = go(on_cell(kept, W, "r1c1"), W, m.SeekSponsor())
    assert after.areas[W].money == 14


@pytest.mark.rule("PP-069")
@pytest.mark.parametrize(
    ("colour", "expected"),
    [
        ("gold", [2, 1, 1, 1]),
        ("blue", [1, 2, 1, 1]),
        ("red", [1, 1, 2, 1]),
        ("green", [1, 1, 1, 2]),
    ],
)
def test_the_marker_of_the_colour_advances(colour: str, expected: list[int]) -> None:
    state = go(
        investing(table(), {P: colour, T: "gold" if colour != "gold" else "red"}), P, m.InvestKeep()
    )
    assert state.areas[P].markers == expected
    assert state.areas[P].investment is None


@pytest.mark.rule("PP-070", "PP-078")
def test_a_kept_green_tile_counts_in_this_e() -> None:
    """Corner case 15: Delivery 2 gives two routes at once; and the kept tile does nothing more."""
    state = table()
    state = investing(state, {P: "green"})
    state.touch(P).delivery = "A3"
    state = go(state, P, m.InvestKeep())
    assert due(state) == {P: "routes"}
    assert state.areas[P].ways == 2
    assert state.areas[P].bonus == 0


@pytest.mark.rule("PP-072")
def test_blue_discard() -> None:
    """Up to 3 within capacity, at least 1; Market extras do not apply."""
    state = table()
    markers(state, P, 1, 4, 1, 1)
    stocked(state, P, 1)
    state = go(investing(state, {P: "blue", T: "red"}), P, m.InvestDiscard())
    assert due(state)[P] == "stock"
    assert refused(state, P, m.Finish())[0] == "PP-072"
    rule, text = refused(state, P, m.Stock("0,0", 4))
    assert rule == "PP-072"
    assert "Too many free pizzas" in text
    one = go(state, P, m.Stock("0,0", 1), m.Finish())
    assert one.areas[P].pizzas == [2]
    assert one.areas[P].money == 10
    three = go(state, P, m.Stock("0,0", 3))
    assert GAME.legal(three, P) == [m.Finish()]


@pytest.mark.rule("PP-072", "PP-039")
def test_blue_discard_where_nothing_fits() -> None:
    """Corner case 4: keep it."""
    state = table()
    stocked(state, P, 5)
    state = investing(state, {P: "blue"})
    assert kinds(state, P) == {"invest_keep"}
    assert refused(state, P, m.InvestDiscard())[0] == "PP-072"


@pytest.mark.rule("PP-073", "PP-041", "PP-044")
def test_red_discard() -> None:
    """Free, up to 2 pizzas instead of the Express number 1, any distance, rewarded at once."""
    state = table()
    lay(state, P, -1, 0, "gold", 1, "EW")
    lay(state, P, -2, 0, "gold", 2, "EW")
    lay(state, P, -3, 0, "red", 2, "EW")
    state = go(investing(state, {P: "red", T: "gold"}), P, m.InvestDiscard())
    assert state.areas[P].money == 10
    started = go(state, P, m.StartRoute("0,0"), m.Step("W", 1), m.Step("W", 1))
    rule, text = refused(started, P, m.Step("W", 1))
    assert rule == "PP-073"
    assert "Pizza limit reached" in text
    state = ride(state, P, "W1 W1")
    assert refused(state, P, m.StartRoute("0,0"))[0] == "PP-042"
    state = go(state, P, m.Finish())
    assert state.areas[P].markers == [2, 1, 1, 1]  # the 1-house tile is complete, the other not


@pytest.mark.rule("PP-073", "PP-043")
def test_red_discard_where_nothing_can_be_delivered() -> None:
    state = table()
    fed(state, P, 1, 0, 1)
    state = investing(state, {P: "red"})
    assert kinds(state, P) == {"invest_keep"}
    assert refused(state, P, m.InvestDiscard())[0] == "PP-043"


@pytest.mark.rule("PP-074", "PP-078")
def test_green_discard() -> None:
    """One more route in this E, and no more in the next round."""
    state = investing(table(), {P: "green"})
    state.touch(P).delivery = "A2"
    state = go(state, P, m.InvestDiscard())
    assert state.areas[P].ways == 2
    assert state.areas[P].markers == [1, 1, 1, 1]
    state = go(state, P, m.Finish())
    assert state.round == 2
    assert state.areas[P].bonus == 0


@pytest.mark.rule("PP-074", "PP-075")
def test_green_discard_without_a_delivery_tile() -> None:
    """Corner case 13: allowed, no effect; the next round follows."""
    state = go(investing(table(), {P: "green"}), P, m.InvestDiscard())
    assert state.round == 2
    assert state.areas[P].money == 10


@pytest.mark.rule("PP-089", "PP-069")
def test_keeping_on_space_5() -> None:
    """Corner case 14: the advance is lost."""
    state = table()
    markers(state, P, 5, 1, 1, 1)
    state = go(investing(state, {P: "gold", T: "red"}), P, m.InvestKeep())
    assert state.areas[P].markers == [5, 1, 1, 1]


@pytest.mark.rule("PP-042", "PP-043", "PP-073")
def test_red_discard_on_two_routes() -> None:
    """With Delivery 2 the two pizzas may go on two routes from two pizzerias."""
    state = table()
    built(state, P, 2, 0, 4, 1)
    lay(state, P, 0, -1, "gold", 3, "S")
    markers(state, P, 1, 1, 1, 2)
    state = go(investing(state, {P: "red", T: "gold"}), P, m.InvestDiscard())
    state = ride(state, P, "N1")
    state = ride(state, P, "W1", "2,0")
    assert state.areas[P].pizzas == [2, 0]
    assert GAME.legal(state, P) == [m.Finish()]
    assert delivering(table(), {P: "A1"}).areas[P].ways == 1
