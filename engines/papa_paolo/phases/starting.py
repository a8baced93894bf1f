"""Setup, and the start tiles of two players (PP-010 to PP-019, PP-105 to PP-110)."""

from __future__ import annotations

from engines.core.errors import IllegalMove
from engines.core.rng import Rng
from engines.core.types import Event, Seat, listing
from engines.papa_paolo.components import COSTS, box
from engines.papa_paolo.moves import KeepStartTile
from engines.papa_paolo.state import PaoloState
from engines.papa_paolo.town import fresh


def setup(seats: int, colours: tuple[str, ...], rng: Rng) -> tuple[PaoloState, list[Event]]:
    """The start: everything drawn that lasts the whole match (PP-008)."""
    deck = tuple(rng.shuffle("tiles", box().deck))
    starts = rng.shuffle("start", [1, 2, 3, 4])
    state = PaoloState(
        seats=seats,
        colours=colours,
        rng=rng,
        deck=deck,
        starts=[0] * seats,
        areas=[fresh(1) for _ in range(seats)],
        reserve=[box().sides[seats].pizzerias[cost] for cost in COSTS],
        bank=-box().start_money * seats,
        phase="starting",
    )
    events: list[Event] = []
    if seats == 2:
        state.parity = rng.shuffle("parity", ["odd", "even"])[1]
        state.dealt = (tuple(sorted(starts[:2])), tuple(sorted(starts[2:])))
        events.append(Event("two_players", {"left": state.parity}))
        for seat in range(2):
            state.ask(seat, "keep_start_tile")
            events.append(Event("dealt", {"tiles": state.dealt[seat]}, to=(seat,), reveals=True))
        return state, events
    state.dealt = tuple((starts[seat],) for seat in range(seats))
    for seat in range(seats):
        state.starts[seat] = starts[seat]
    return state, lay_out(state)


def lay_out(state: PaoloState) -> list[Event]:
    """Lay the start tiles and take their order (PP-017 to PP-019, PP-106)."""
    for seat, tile in enumerate(state.starts):
        state.areas[seat] = fresh(tile)
    state.order = tuple(sorted(range(state.seats), key=lambda seat: state.starts[seat]))
    return [
        Event(
            "start",
            {
                "tiles": tuple((seat, state.starts[seat]) for seat in range(state.seats)),
                "order": state.order,
            },
            reveals=True,
        )
    ]


def legal(state: PaoloState, seat: Seat) -> list[KeepStartTile]:
    """The two tiles dealt."""
    return [KeepStartTile(tile) for tile in state.dealt[seat]]


def keep(state: PaoloState, seat: Seat, move: KeepStartTile) -> list[Event]:
    """Keep one, discard the other; both are shown once both players chose (PP-106, PP-107).

    Raises:
        IllegalMove: that tile was not dealt to the seat.
    """
    if move.tile not in state.dealt[seat]:
        words = listing([str(tile) for tile in state.dealt[seat]], "or")
        raise IllegalMove("PP-106", f"You were not dealt that start tile: keep {words}.")
    state.starts[seat] = move.tile
    state.answered(seat)
    events = [
        Event("kept_start", {"seat": seat}),
        Event("kept_start_own", {"tile": move.tile}, to=(seat,)),
    ]
    return events if state.pending else events + lay_out(state)
