"""Facts about Pizzachef."""

from __future__ import annotations

from engines.core.types import GameMeta

META = GameMeta(
    key="pizzachef",
    command="pizzachef",
    title="Pizzachef",
    prefix="PZ",
    seats=(1, 2, 3, 4),
    rules_version=1,
    colours=("blue", "yellow", "purple", "white"),
    summary="Collect toppings on the market, deliver pizzas in the village, earn the most.",
    minutes="45 to 75 minutes at a table",
    credits="The printed game's credits are not known to us.",
    undo_rule="PZ-128",
    end_reasons={
        "final_round": "Somebody placed the 8th pizza marker and the final round has been played.",
        "solo_won": "All 8 pizzas are delivered with enough missions completed: challenge won.",
        "solo_missions": "All 8 pizzas are delivered, but too few missions are completed.",
        "solo_actions": "The actions ran out before the challenge was done.",
        "solo_given_up": "The challenge was given up.",
    },
    reconstructed=(
        "The rulebook shows its cards only as pictures. Orders, missions, chef cards (except Open "
        "Order), the numbers of toppings and the houses are our reconstruction, not the printed "
        "cards."
    ),
    secrets="hand",
)
