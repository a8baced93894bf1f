"""The tables and their checksums (dossier part 3), toppings and their types."""

from __future__ import annotations

from collections import Counter

import pytest

from engines.pizzachef.components import (
    CARDS,
    CHEF,
    CHEF_KEY,
    COINS,
    COLOUR,
    FANTASIAS,
    IS_PI,
    MISSIONS,
    ORDERS,
    PROVENANCE,
    REGULAR,
    TOKENS,
    TYPE,
    TYPES,
    lowest,
)


def test_orders_add_up() -> None:
    regular = [ORDERS[o] for o in REGULAR]
    assert len(regular) == 40
    assert FANTASIAS == ("F1", "F2", "F3", "F4")
    assert Counter(o.house for o in regular) == dict.fromkeys(range(1, 11), 4)
    assert len({tuple(sorted(o.toppings)) for o in regular}) == 40
    assert Counter(o.price for o in regular) == {3: 3, 4: 10, 5: 13, 6: 9, 7: 5}
    assert sum(o.price for o in regular) == 203
    assert Counter("".join(o.toppings for o in regular)) == {
        "T": 32, "M": 37, "H": 15, "P": 14, "F": 14, "O": 15, "G": 18, "B": 18,
    }  # fmt: skip
    by_house = [sum(o.price for o in regular if o.house == h) for h in range(1, 11)]
    assert by_house == [21, 20, 20, 20, 20, 20, 21, 20, 20, 21]


@pytest.mark.rule("PZ-033")
def test_an_order_carries_name_house_price_and_toppings() -> None:
    card = ORDERS["O01"]
    assert (card.title, card.house, card.price, card.toppings) == ("Pizza ai funghi", 1, 4, "TMF")
    card = ORDERS["O25"]
    assert (card.title, card.house, card.price) == ("Pizza Calabrese", 7, 7)
    assert card.toppings == "TMHPPO"


@pytest.mark.rule("PZ-032")
def test_missions_are_worth_5_to_10() -> None:
    tips = Counter(m.tip for m in MISSIONS.values())
    assert tips == {5: 7, 6: 6, 7: 6, 8: 3, 9: 2, 10: 2}
    assert sum(m.tip for m in MISSIONS.values()) == 175
    assert [m.id for m in MISSIONS.values() if m.striped] == ["M01"]


def test_chef_cards_add_up() -> None:
    assert len(CHEF) == 27
    assert sum(IS_PI.values()) == 6
    assert sum(CARDS[CHEF_KEY[c]].yellow for c in CHEF) == 7
    numbers = {key: len(card.ids) for key, card in CARDS.items() if card.turn != "pi"}
    assert numbers == {
        "open_order": 2, "swap": 3, "bin": 3, "fresh_pick": 3, "full_basket": 2, "pickpocket": 2,
        "overtime": 2, "moped": 1, "regular_customer": 1, "detour": 1, "substitute": 1,
    }  # fmt: skip


@pytest.mark.rule("PZ-002")
def test_toppings_add_up() -> None:
    assert len(TOKENS) == 99
    plain = Counter(kind for kind in TYPE.values() if len(kind) == 1)
    assert plain == {"T": 16, "M": 16, "H": 8, "P": 8, "F": 8, "O": 8, "G": 8, "B": 8}
    bags = Counter(kind.partition(":")[0] for kind in TYPE.values() if len(kind) > 1)
    assert bags == {"choice": 5, "double": 4, "premium": 4, "rotten": 6}
    assert Counter(COLOUR.values()) == {"red": 50, "green": 49}
    bag_colours = Counter(COLOUR[t] for t in TOKENS if len(TYPE[t]) > 1)
    assert bag_colours == {"red": 10, "green": 9}
    assert len(TYPES) == 23


@pytest.mark.rule("PZ-009")
def test_tokens_are_named_by_type_and_the_lowest_id_is_meant() -> None:
    assert lowest(("T05", "T03", "XM", "C4", "C2"), "T") == "T03"
    assert lowest(("T05", "T03", "XM", "C4", "C2"), "choice") == "C2"
    assert lowest(("T05", "T03", "XM"), "premium:M") == "XM"
    assert lowest(("T05",), "B") is None


@pytest.mark.rule("PZ-021")
def test_the_score_card_is_in_the_help() -> None:
    from engines.pizzachef import GAME

    words = next(r for r in GAME.rules_help() if "PZ-021" in r.ids).text
    assert "3, 2, 1, 0" in words
    assert "3, 6 or 10" in words
    assert COINS.speed == (3, 2, 1, 0)
    assert COINS.stacking == (0, 0, 3, 6, 10)
    assert (COINS.loss_mission, COINS.loss_order, COINS.loss_topping) == (5, 2, 1)


def test_reconstructed_tables_say_so() -> None:
    assert "reconstructed" in PROVENANCE["orders"]["rest"]
    assert "reconstructed" in PROVENANCE["missions"]["rest"]
    assert "reconstructed" in PROVENANCE["chef"]["rest"]
    assert "reconstructed" in PROVENANCE["board"]["numbers"]
