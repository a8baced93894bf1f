"""The decisions of Papà Paolo, named as in the rules."""

from __future__ import annotations

from engines.core.types import Move


class KeepStartTile(Move, frozen=True, tag="keep_start_tile"):
    """Keep one of your two start tiles (2 players)"""

    tile: int = 0


class PlaceMeeple(Move, frozen=True, tag="place_meeple"):
    """Put a meeple on a city tile of the market"""

    cell: str = ""


class TakeTile(Move, frozen=True, tag="take_tile"):
    """Take the tile under your meeple into your neighbourhood"""

    x: int
    y: int
    rotation: int = 0


class SeekSponsor(Move, frozen=True, tag="seek_sponsor"):
    """Take money for your Finance level"""


class BuyPizzas(Move, frozen=True, tag="buy_pizzas"):
    """Pay for 1 to 5 pizzas"""

    paid: int = 0


class Stock(Move, frozen=True, tag="stock"):
    """Put bought or free pizzas on one of your pizzerias"""

    pizzeria: str = ""
    count: int = 0


class Express(Move, frozen=True, tag="express"):
    """Pay the fee and deliver at once"""


class BuildPizzeria(Move, frozen=True, tag="build_pizzeria"):
    """Build a pizzeria in your neighbourhood"""

    cost: int
    x: int
    y: int


class NoAction(Move, frozen=True, tag="no_action"):
    """Do nothing with the meeple, where nothing is possible"""


class Bid(Move, frozen=True, tag="bid"):
    """Put or move your meeple on the stairs"""

    column: int = 0
    row: int = 0


class Withdraw(Move, frozen=True, tag="withdraw"):
    """Stay out of the bidding"""


class StandingBid(Move, frozen=True, tag="standing_bid"):
    """Let a private maximum answer for you when you are outbid; 0 cancels it"""

    limit: int = 0


class PickInvestment(Move, frozen=True, tag="pick_investment"):
    """Choose an investment tile for your bid"""

    colour: str = ""


class BuyInvestment(Move, frozen=True, tag="buy_investment"):
    """Buy a left-over investment tile"""

    colour: str = ""


class DeclineInvestment(Move, frozen=True, tag="decline_investment"):
    """Buy no left-over investment tile"""


class CommitCoin(Move, frozen=True, tag="commit_coin"):
    """Add a sealed coin to your bid (2 players)"""

    value: int = 0


class PassBid(Move, frozen=True, tag="pass_bid"):
    """Add no coin (2 players)"""


class ClaimLarge(Move, frozen=True, tag="claim_large"):
    """Choose a colour of the large tile and its orientation (2 players)"""

    colour: str = ""
    turned: str = ""


class ClaimFacing(Move, frozen=True, tag="claim_facing"):
    """Choose one of the two colours that face you (2 players)"""

    colour: str = ""


class InvestKeep(Move, frozen=True, tag="invest_keep"):
    """Keep your investment: its marker advances"""


class InvestDiscard(Move, frozen=True, tag="invest_discard"):
    """Discard your investment for its effect"""


class StartRoute(Move, frozen=True, tag="start_route"):
    """Start a delivery route at a pizzeria"""

    pizzeria: str = ""


class Step(Move, frozen=True, tag="step"):
    """Ride on to the next city tile and deliver there"""

    direction: str = ""
    pizzas: int = 0


class EndRoute(Move, frozen=True, tag="end_route"):
    """End the open route"""


class CancelRoute(Move, frozen=True, tag="cancel_route"):
    """Give up the open route; its pizzas go back"""


class Finish(Move, frozen=True, tag="finish"):
    """Finish buying, stocking or delivering"""


MOVES: tuple[type[Move], ...] = (
    KeepStartTile, PlaceMeeple, TakeTile, SeekSponsor, BuyPizzas, Stock, Express, BuildPizzeria,
    NoAction, Bid, Withdraw, StandingBid, PickInvestment, BuyInvestment, DeclineInvestment,
    CommitCoin, PassBid, ClaimLarge, ClaimFacing, InvestKeep, InvestDiscard, StartRoute, Step,
    EndRoute, CancelRoute, Finish,
)  # fmt: skip
