"""The decisions of Pizzachef (dossier part 4).

Players are named by colour, tokens by type, cards by id (chef cards by key), market places by slot.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from engines.core.types import Move


def _about(text: str) -> msgspec.Meta:
    return msgspec.Meta(description=text)


Card = Annotated[str, _about("Which of the cards drawn")]
OwnOrder = Annotated[str, _about("Which order")]
Topping = Annotated[str, _about("Which topping or bag")]


class KeepCard(Move, frozen=True, tag="keep_card"):
    """Keep one of the cards drawn"""

    card: Card = ""


class UnkeepCard(Move, frozen=True, tag="unkeep_card"):
    """Put a kept card back among the cards drawn"""

    card: Card = ""


class FinishDraw(Move, frozen=True, tag="finish_draw"):
    """Keep the chosen cards and discard the others"""


class TakeMissions(Move, frozen=True, tag="take_missions"):
    """Draw 4 missions, keep at least 1"""


class TakeOrders(Move, frozen=True, tag="take_orders"):
    """Draw 4 orders, keep at least 1"""


class TakeChef(Move, frozen=True, tag="take_chef"):
    """Draw 4 chef cards, keep 1"""


class TakeToppings(Move, frozen=True, tag="take_toppings"):
    """Take all top toppings of one colour from one stall"""

    stall: Annotated[str, _about("Stall A, B, C or D")] = ""
    colour: Annotated[str, _about("Background: red or green")] = ""


class DiscardOrder(Move, frozen=True, tag="discard_order"):
    """Discard one of your orders (1 action)"""

    order: OwnOrder = ""


class DiscardTopping(Move, frozen=True, tag="discard_topping"):
    """Discard one of your toppings or bags (1 action)"""

    topping: Topping = ""


class DiscardMission(Move, frozen=True, tag="discard_mission"):
    """Discard one of your missions (2 actions, ends the turn)"""

    mission: Annotated[str, _about("Which of your missions")] = ""


class StartDelivery(Move, frozen=True, tag="start_delivery"):
    """Announce a delivery"""

    order: OwnOrder = ""


class SetHouse(Move, frozen=True, tag="set_house"):
    """Choose the house of the delivery"""

    house: Annotated[int, _about("House number")] = 0


class AddTopping(Move, frozen=True, tag="add_topping"):
    """Put one more topping on the pizza"""

    topping: Topping = ""
    counts_as: Annotated[str | None, _about("What a choice bag or substitute stands for")] = None


class RemoveTopping(Move, frozen=True, tag="remove_topping"):
    """Take a topping off the pizza again"""

    topping: Topping = ""
    counts_as: Annotated[str | None, _about("What it stood for, if that was chosen")] = None


class ConfirmDelivery(Move, frozen=True, tag="confirm_delivery"):
    """Deliver the pizza"""


class CancelDelivery(Move, frozen=True, tag="cancel_delivery"):
    """Call the delivery off"""


class EndTurn(Move, frozen=True, tag="end_turn"):
    """End your turn"""


class PlayChef(Move, frozen=True, tag="play_chef"):
    """Play a chef card"""

    card: Annotated[str, _about("Which chef card")] = ""


class CardPick(Move, frozen=True, tag="card_pick"):
    """Choose a target of the chef card you are playing"""

    player: Annotated[str | None, _about("Which player, by colour")] = None
    topping: Annotated[str | None, _about("Which topping or bag")] = None
    slot: Annotated[str | None, _about("Which stack of the market")] = None
    stall: Annotated[str | None, _about("Which stall of the market")] = None


class CardFinish(Move, frozen=True, tag="card_finish"):
    """Play Bin with only the topping chosen so far"""


class CardCancel(Move, frozen=True, tag="card_cancel"):
    """Keep the chef card after all"""


class Reserve(Move, frozen=True, tag="reserve"):
    """Reserve the top of a stack until your turn (once a game)"""

    slot: Annotated[str, _about("Which stack of the market")] = ""


class RotKeep(Move, frozen=True, tag="rot_keep"):
    """Let the toppings rot and keep the bag"""


class RotDiscard(Move, frozen=True, tag="rot_discard"):
    """Let the toppings rot and discard the bag too"""


class RevealOrder(Move, frozen=True, tag="reveal_order"):
    """Lay this order face up"""

    order: OwnOrder = ""


class GiveUp(Move, frozen=True, tag="give_up"):
    """Give the solo challenge up"""


class HostSkip(Move, frozen=True, tag="host_skip"):
    """End the turn of a player who is away; never offered to players (PZ-127)"""


AnyMove = (
    KeepCard | UnkeepCard | FinishDraw | TakeMissions | TakeOrders | TakeChef | TakeToppings
    | DiscardOrder | DiscardTopping | DiscardMission | StartDelivery | SetHouse | AddTopping
    | RemoveTopping | ConfirmDelivery | CancelDelivery | EndTurn | PlayChef | CardPick | CardFinish
    | CardCancel | Reserve | RotKeep | RotDiscard | RevealOrder | GiveUp | HostSkip
)  # fmt: skip
"""Every decision."""

MOVE_TYPES: tuple[type[Move], ...] = (
    KeepCard, UnkeepCard, FinishDraw, TakeMissions, TakeOrders, TakeChef, TakeToppings,
    DiscardOrder, DiscardTopping, DiscardMission, StartDelivery, SetHouse, AddTopping,
    RemoveTopping, ConfirmDelivery, CancelDelivery, EndTurn, PlayChef, CardPick, CardFinish,
    CardCancel, Reserve, RotKeep, RotDiscard, RevealOrder, GiveUp, HostSkip,
)  # fmt: skip
"""In the order in which commands list them."""
