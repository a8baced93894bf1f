"""The rules of Paris Paris in the order of a round (PR-021).

1 place tiles → 2 open shops → 3 small tour → 4 discard and grand tour → 5 pass the bus; after the
last stack the special tours and the sack. Only phase 2 asks a player; the rest runs by itself.
"""

from __future__ import annotations

from functools import cache

from engines.core.errors import IllegalMove, InvariantError, NotYourTurn
from engines.core.rng import Rng
from engines.core.surface import fold
from engines.core.types import Event, Outcome, Score, Seat, listing
from engines.paris_paris.components import board, tile_parts
from engines.paris_paris.meta import META
from engines.paris_paris.moves import OpenBusiness
from engines.paris_paris.state import SUPPLY, Opening, ParisState, Tour
from engines.paris_paris.tours import Points, grand_tour, small_tour

ROUNDS = {2: 20, 3: 15, 4: 12}
"""Stacks by number of players (PR-015, PR-020)."""


# ---- setup (PR-009 to PR-019) ----------------------------------------------------------------


def setup(seats: int, colours: tuple[str, ...], rng: Rng) -> tuple[ParisState, list[Event]]:
    """Start position; draws in the order of PR-019."""
    first = rng.below("start", seats)
    tiles = rng.shuffle("tiles", board().tiles)
    markers = rng.shuffle("markers", list(board().lines))
    size = seats + 1
    state = ParisState(
        seats=seats,
        colours=colours,
        rng=rng,
        stacks=tuple(tuple(tiles[i : i + size]) for i in range(0, len(tiles), size)),
        markers=tuple(markers[:seats]),
        open_marker=markers[2] if seats == 2 else None,
        first=first,
        bus=first,
        sack=[0] * seats,
        small=[0] * seats,
        grand=[0] * seats,
        special=[0] * seats,
        sacked=[0] * seats,
    )
    events = [
        Event(
            "start",
            {"seat": first, "stacks": len(state.stacks), "marker": state.open_marker or ""},
            reveals=True,
        )
    ]
    events += [
        Event("marker", {"line": state.markers[seat]}, to=(seat,), reveals=True)
        for seat in range(seats)
    ]
    return state, events + place_tiles(state)


# ---- 1 place tiles (PR-025 to PR-027) --------------------------------------------------------


def place_tiles(state: ParisState) -> list[Event]:
    """Turn up the next stack, or end the match if there is none (PR-071)."""
    if state.round == len(state.stacks):
        return finish(state)
    state.face_up = list(state.stacks[state.round])
    state.round += 1
    state.used.clear()
    state.openers.clear()
    state.ask(state.bus, "open_business")
    return [
        Event("placed", {"round": state.round, "tiles": tuple(state.face_up)}, reveals=True),
    ]


# ---- 2 open shops (PR-028 to PR-047) ---------------------------------------------------------

_moves: dict[tuple[str, str | None], OpenBusiness] = {}


def _move(tile: str, remove: str | None) -> OpenBusiness:
    found = _moves.get((tile, remove))
    if found is None:
        found = _moves[(tile, remove)] = OpenBusiness(tile, remove)
    return found


def legal(state: ParisState, seat: Seat) -> list[OpenBusiness]:
    """Every different opening, tiles in the order laid (PR-031, PR-041)."""
    if not state.pending or state.pending[0].seat != seat:
        return []
    moves = []
    for tile in dict.fromkeys(state.face_up):
        stop = tile_parts(tile)[0]
        owners = state.shops.get(stop, ())
        if len(owners) == 2 and owners[0] != owners[1]:
            moves += [_move(tile, state.colours[owner]) for owner in sorted(owners)]
        else:
            moves.append(_move(tile, None))
    return moves


def tile_words(tile: str) -> str:
    """A tile for a sentence: ``Louvre (blue)``."""
    stop, colour = tile_parts(tile)
    return f"{board().stops[stop].name} ({colour})"


@cache
def _stop_ids() -> dict[str, str]:
    """Stop ids by folded name and by folded id."""
    stops = board().stops.values()
    return {fold(s.name): s.id for s in stops} | {fold(s.id): s.id for s in stops}


def face_up_tile(state: ParisState, named: str) -> str:
    """The face-up tile that was named by ``stop/colour`` or by its stop alone.

    Raises:
        IllegalMove: none was named, there is no such tile, it is not face up, or it is not clear.
    """
    if named in state.face_up:
        return named
    kinds = list(dict.fromkeys(state.face_up))
    up = [tile_words(t) for t in kinds]
    if not named.strip():
        raise IllegalMove(
            "PR-030", "You must open a shop now: nobody passes or keeps a tile. Choose one.", up
        )
    word, _, colour = named.partition("/")
    colour = fold(colour)
    stop = _stop_ids().get(fold(word), fold(word).replace(" ", "-"))
    if stop not in board().stops:
        raise IllegalMove("PR-007", f"There is no stop “{short(word)}” in Paris.", up)
    name, lines = board().stops[stop].name, board().stops[stop].lines
    if colour and colour not in lines:
        where = listing(lines)
        raise IllegalMove("PR-007", f"There is no such tile: {name} is only on {where}.", up)

    def fits(tile: str) -> bool:
        return tile_parts(tile)[0] == stop and colour in ("", tile_parts(tile)[1])

    found = [t for t in kinds if fits(t)]
    if len(found) == 1:
        return found[0]
    if found:
        colours = listing([tile_parts(t)[1] for t in found], "or")
        raise IllegalMove(
            "PR-033",
            f"Two different tiles lie at {name}: say which colour, {colours}.",
            [tile_words(t) for t in found],
        )
    if any(fits(t) for t in state.used):
        raise IllegalMove("PR-035", "That tile has already been used in this round.", up)
    raise IllegalMove("PR-028", f"No such tile is face up. The tiles are {listing(up)}.", up)


def short(word: str) -> str:
    """A player's own words for quoting in a refusal: one line, 40 characters, no placeholders."""
    word = " ".join(word.replace("{", "(").replace("}", ")").split())
    return word if len(word) <= 40 else word[:39] + "…"


def shop_to_go(state: ParisState, stop: str, remove: str | None) -> Seat | None:
    """Owner of the old shop that goes, None where there is room (PR-036 to PR-041).

    Raises:
        IllegalMove: ``remove`` is missing, not wanted or names a wrong owner.
    """
    owners = state.shops.get(stop, ())
    name = board().stops[stop].name
    if len(owners) < board().stops[stop].places:
        if remove is not None:
            raise IllegalMove("PR-041", f"There is room at {name}; nothing is removed there.")
        return None
    can_go = sorted(set(owners))
    words = [state.colours[seat] for seat in can_go]
    if remove is None:
        if len(can_go) == 1:
            return can_go[0]
        raise IllegalMove(
            "PR-041", f"{name} is full: choose which old shop goes, {listing(words, 'or')}.", words
        )
    if fold(remove) in words:
        return can_go[words.index(fold(remove))]
    if len(owners) == 1:
        raise IllegalMove("PR-039", f"Only the {words[0]} shop can go at {name}.", words)
    raise IllegalMove(
        "PR-040",
        f"Only an old shop can go at {name}, not the new one: {listing(words, 'or')}.",
        words,
    )


def open_business(state: ParisState, seat: Seat, move: OpenBusiness) -> list[Event]:
    """Phase 2 for one player, then whatever follows by itself (PR-081 orders the checks)."""
    if state.ended is not None:
        raise IllegalMove("PR-080", "The game is over.")
    turn = state.pending[0].seat
    if not 0 <= seat < state.seats:
        raise NotYourTurn("PR-081", "You do not play in this match.")
    if seat != turn:
        if seat in state.openers:
            raise NotYourTurn(
                "PR-029",
                f"You have already opened a shop in this round. {{seat:{turn}}} is to act.",
            )
        raise NotYourTurn("PR-022", f"It is not your turn. {{seat:{turn}}} is to act.")
    tile = face_up_tile(state, move.tile)
    stop = tile_parts(tile)[0]
    gone = shop_to_go(state, stop, move.remove)

    owners = list(state.shops.get(stop, ()))
    to = ""
    if gone is not None:
        owners.remove(gone)
        to = "supply"
        if state.seats > 2 and gone != seat:
            state.sack[gone] += 1
            to = "sack"
    state.shops[stop] = tuple(sorted((*owners, seat)))
    state.face_up.remove(tile)
    state.used.append(tile)
    state.boxed.append(tile)
    state.openers.append(seat)
    state.last = Opening(seat, tile, gone, to)
    state.answered(seat)
    events = [
        Event(
            "opened",
            {
                "seat": seat,
                "tile": tile,
                "removed": gone,
                "colour": "" if gone is None else state.colours[gone],
                "to": to,
            },
        )
    ]
    if len(state.openers) < state.seats:
        state.ask((seat + 1) % state.seats, "open_business")
        return events
    remaining = state.face_up.pop()
    events += make_money(state, remaining)
    events += discard(state, remaining)
    events += pass_bus(state)
    return events + place_tiles(state)


# ---- 3 small tour (PR-048 to PR-056) ---------------------------------------------------------


def _pay(account: list[int], points: Points) -> None:
    for _, seat, amount in points:
        account[seat] += amount


def make_money(state: ParisState, remaining: str) -> list[Event]:
    """The small tour at the remaining tile's stop."""
    stop = tile_parts(remaining)[0]
    points = small_tour(state.shops, stop)
    _pay(state.small, points)
    state.tours = (Tour("small", stop, points),)
    return [Event("small_tour", {"tile": remaining, "stop": stop, "points": points})]


# ---- 4 discard and grand tour (PR-057 to PR-069) ---------------------------------------------


def discard(state: ParisState, remaining: str) -> list[Event]:
    """Lay the tile into the P row; the second of a colour sets off a grand tour."""
    colour = tile_parts(remaining)[1]
    pair = [t for t in state.p_row if tile_parts(t)[1] == colour]
    state.p_row.append(remaining)
    if not pair:
        return [Event("discarded", {"tile": remaining, "colour": colour})]
    points = grand_tour(state.shops, colour)
    _pay(state.grand, points)
    state.tours = (*state.tours, Tour("grand", colour, points))
    both = [*pair, remaining]
    state.p_row = [t for t in state.p_row if t not in both]
    state.boxed += both
    return [Event("grand_tour", {"tile": remaining, "line": colour, "points": points})]


# ---- 5 pass the bus (PR-070) -----------------------------------------------------------------


def pass_bus(state: ParisState) -> list[Event]:
    """The left neighbour starts the next round."""
    state.bus = (state.bus + 1) % state.seats
    return [Event("bus", {"seat": state.bus})]


# ---- game end (PR-071 to PR-080) -------------------------------------------------------------


def finish(state: ParisState) -> list[Event]:
    """Special tours, sack, result."""
    order = [(state.bus + i) % state.seats for i in range(state.seats)]
    events = [
        Event(
            "markers",
            {"markers": tuple((seat, state.markers[seat]) for seat in order)},
            reveals=True,
        )
    ]
    drives: list[tuple[str, Seat | None]] = [(state.markers[seat], seat) for seat in order]
    if state.open_marker is not None:
        drives.append((state.open_marker, None))
    for line, owner in drives:
        points = grand_tour(state.shops, line)
        _pay(state.special, points)
        state.tours = (*state.tours, Tour("special", line, points, owner))
        events.append(Event("special_tour", {"line": line, "owner": owner, "points": points}))
    if state.seats > 2:
        winner = sack_winner(state.sack)
        if winner is not None:
            state.sacked[winner] += state.sack[winner]
        events.append(Event("sack", {"counts": tuple(state.sack), "winner": winner}, reveals=True))
    state.ended = "stacks"
    result = outcome(state)
    if result is None:
        raise InvariantError("a finished match has no outcome")
    events.append(
        Event(
            "end", {"winners": result.ranking[0], "scores": tuple(s.total for s in result.scores)}
        )
    )
    return events


def sack_winner(counts: list[int]) -> Seat | None:
    """Who has strictly more shops in the sack than every other player (PR-076, PR-077).

    >>> sack_winner([3, 2, 2]), sack_winner([3, 3, 1])
    (0, None)
    """
    most = max(counts)
    return counts.index(most) if most and counts.count(most) == 1 else None


def outcome(state: ParisState) -> Outcome | None:
    """Ranking by points, then fewest shops on the board, then shared (PR-078, PR-079)."""
    if state.ended is None:
        return None
    keys = {seat: (-state.score(seat), state.on_board(seat)) for seat in range(state.seats)}
    ranking = tuple(
        tuple(seat for seat in range(state.seats) if keys[seat] == key)
        for key in sorted(set(keys.values()))
    )
    scores = []
    for seat in range(state.seats):
        lines = [
            ("Small tours", state.small[seat]),
            ("Grand tours", state.grand[seat]),
            ("Special tours", state.special[seat]),
        ]
        if state.seats > 2:
            lines.append(("Sack", state.sacked[seat]))
        scores.append(Score(seat, state.score(seat), tuple(lines)))
    best = ranking[0][0]
    tied = [s for s in range(state.seats) if keys[s][0] == keys[best][0]]
    note = ""
    if len(tied) > len(ranking[0]):
        note = "The tie was broken by fewest shops on the board (PR-078)."
    elif len(ranking[0]) > 1:
        note = "Points and shops on the board are equal: the victory is shared (PR-079)."
    return Outcome(state.ended, ranking, tuple(scores), note)


def check(state: ParisState) -> None:
    """Tiles, shops, markers and turn order are consistent (checksums of the dossier)."""

    def sure(sound: bool, what: str) -> None:
        if not sound:
            raise InvariantError(f"{META.title}: {what}")

    seats, shops = state.seats, state.shops
    rounds = ROUNDS.get(seats, 0)
    sure(rounds > 0 and len(state.colours) == seats, "wrong number of players (PR-001)")
    sure(
        len(state.stacks) == rounds and all(len(s) == seats + 1 for s in state.stacks),
        "the stacks have wrong sizes (PR-015)",
    )
    sure(1 <= state.round <= rounds, "there is no such round (PR-020)")
    tiles = [t for stack in state.stacks[state.round :] for t in stack]
    tiles += state.face_up + state.p_row + state.boxed
    sure(sorted(tiles) == _sorted_tiles(), "the 60 tiles do not add up")
    colours = {tile_parts(t)[1] for t in state.p_row}
    sure(len(colours) == len(state.p_row), "the P row holds two tiles of a colour (PR-068)")

    on_board = [0] * seats
    for stop, owners in shops.items():
        sure(
            stop in board().stops and 0 < len(owners) <= board().stops[stop].places,
            f"{stop} holds {len(owners)} shops (PR-036)",
        )
        for owner in owners:
            sure(0 <= owner < seats, f"{stop} holds a shop of nobody (PR-010)")
            on_board[owner] += 1
    accounts = (state.sack, state.small, state.grand, state.special, state.sacked)
    sure(all(len(a) == seats and min(a) >= 0 for a in accounts), "an account is wrong (PR-056)")
    for seat in range(seats):
        most = SUPPLY + (on_board[seat] == SUPPLY + 1)
        sure(
            on_board[seat] + state.sack[seat] <= most,
            f"seat {seat} has more than {most} shops (PR-034)",
        )
    sure(seats > 2 or not any(state.sack), "two players have no sack (PR-014)")

    markers = [*state.markers, *([] if state.open_marker is None else [state.open_marker])]
    sure(
        len(state.markers) == seats
        and (state.open_marker is not None) == (seats == 2)
        and len(set(markers)) == len(markers)
        and all(m in board().lines for m in markers),
        "the markers are wrong (PR-016, PR-018)",
    )
    sure(0 <= state.first < seats, "there is no such starting player (PR-012)")
    over = state.ended is not None
    bus = (state.first + state.round - (not over)) % seats
    sure(state.bus == bus, "the wrong player has the bus (PR-070)")
    if over:
        sure(not state.pending and not state.face_up, "something is left to do (PR-080)")
        sure(state.ended in META.end_reasons and state.round == rounds, "no such end (PR-071)")
        return
    opened = len(state.openers)
    order = [(bus + i) % seats for i in range(seats)]
    sure(state.openers == order[:opened], "the turns are out of order (PR-022)")
    sure(
        opened < seats and [d.seat for d in state.pending] == [order[opened]],
        "nobody, several or the wrong player are to act (PR-024)",
    )
    sure(
        len(state.face_up) == seats + 1 - opened and len(state.used) == opened,
        "wrong number of face-up tiles (PR-031)",
    )


@cache
def _sorted_tiles() -> list[str]:
    return sorted(board().tiles)
