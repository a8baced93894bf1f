"""A view in which everything that can be drawn is drawn, for the fixed palette."""

from __future__ import annotations

from engines.pizzachef.components import SLOTS, TYPES
from engines.pizzachef.state import Delivered, Last
from engines.pizzachef.views import (
    Announced,
    OwnCard,
    OwnMission,
    OwnOrder,
    PizzaView,
    Place,
    Player,
)

FACES = "TMHPFOGB"


def busy() -> PizzaView:
    """Four players in the middle of a match, with a delivery announced."""
    pizzas = tuple(
        Delivered(f"O{i * 3 + 1:02}", i + 1, 1, kinds, False, False, 6)
        for i, kinds in enumerate(("TMF", "TMHFOB", "TMPP", "MMGG", "TOB"))
    )
    players = tuple(
        Player(
            score=12 + seat, markers=3, missions=3, orders=4, fantasia=True, chef=2,
            tokens=tuple(TYPES[seat * 3 :]) + TYPES[:4], open_orders=("O07",) if seat == 2 else (),
            delivered=pizzas[: 5 - seat], marker=("", "A1", "spent", "")[seat], choosing=0,
        )
        for seat in range(4)
    )  # fmt: skip
    market = tuple(
        Place(slot, 8 - i % 8, "bag" if i % 5 == 4 else FACES[i % 8], ("red", "green")[i % 2],
              1 if slot == "A1" else None)
        for i, slot in enumerate(SLOTS)
    )  # fmt: skip
    houses = tuple(tuple((h + i) % 4 for i in range(h % 5)) for h in range(10))
    return PizzaView(
        viewer=0, seats=4, colours=("blue", "yellow", "purple", "white"), waiting=(1,), ended=None,
        phase="play", main="delivery", draw_kind="orders", start=0, active=1, actions_left=1,
        actions_spent=1, queue=(), players=players, market=market, houses=houses,
        delivery=Announced("O01", 1, 1, (("T", None), ("choice", "M"), ("double:HF", None)), True,
                           False, 9),
        pi=("pi_house_3", "pi_no_ham"), armed=("moped",),
        piles=(("chef", 9), ("missions", 8), ("orders", 20)),
        discards=(("chef", 1), ("missions", 2), ("orders", 3)), discard=(("T", 4),),
        trigger_seat=None, turn_over=(False,) * 4,
        last=Last("take_toppings", 1, slots=("B1", "B3")),
        my_missions=(OwnMission("M02", 2, 4), OwnMission("M14", 2, 2)),
        my_orders=(OwnOrder("O01", "", False), OwnOrder("O25", "HPP", True),
                   OwnOrder("F1", "M?", False)),
        my_chef=(OwnCard("K06", "bin", True), OwnCard("K16", "overtime", False)),
        my_drawn=("O02", "O17", "O36"), my_kept=("O17",), my_draft=("bin", ("T",)), finals=(),
    )  # fmt: skip
