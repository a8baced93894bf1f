"""The board as plain text, and a picture's alternative text."""

from __future__ import annotations

from engines.core.types import Seat, listing
from engines.papa_paolo.components import TRACKS, box, exits_of
from engines.papa_paolo.text import LIMIT, mask_of_tile, plural
from engines.papa_paolo.views import AreaView, PaoloView

_LETTERS = "YBRG"

KEY = "Y gold B blue R red G green; G2NS = green, 2 houses, roads N S; B1/3 = 1 of 3 fed"


def _tile(tile: str, exits: int) -> str:
    city = box().tiles[tile]
    return f"{_LETTERS[city.colour]}{city.houses}{exits_of(exits)}"


def _market(view: PaoloView) -> list[str]:
    wide = len(view.columns)
    head = [f"c{c + 1} {a}" + _coin(view.column_coins[c]) for c, a in enumerate(view.columns)]
    rows = [f"Market (S sponsor B buy E express P build) {' | '.join(head)}"]
    for r, letters in enumerate(view.rows):
        words = []
        for c in range(wide):
            index = r * wide + c
            tile = view.grid[index]
            word = _tile(tile, mask_of_tile(tile)) if tile else "–"
            if view.meeples[index] >= 0:
                word += f" #{view.meeples[index] + 1}"
            if view.cells[index] == view.active:
                word += "*"
            words.append(word)
        rows.append(f"r{r + 1} {letters}{_coin(view.row_coins[r])}: {' | '.join(words)}")
    return rows


def _coin(value: int) -> str:
    return f" £{value}" if value else ""


def _stairs(view: PaoloView) -> list[str]:
    words = []
    for column, tile in enumerate(view.deliveries, 1):
        pizzas, reach = box().delivery[tile]
        stack = sorted((row, s) for s, (col, row) in enumerate(view.bids) if col == column)
        bids = " ".join(f"#{s + 1}=£{view.prices[row - 1][column - 1]}(r{row})" for row, s in stack)
        words.append(f"c{column} {tile} {pizzas}@{reach} {bids}".rstrip())
    head = "Delivery tiles (pizzas@distance)" if view.seats == 2 else "Stairs"
    rows = [f"{head}: {' | '.join(words)}"]
    if view.withdrawn:
        rows.append("Out of the bidding: " + " ".join(f"#{s + 1}" for s in view.withdrawn))
    if view.investments and view.seats > 2:
        rows.append(f"Investments: {', '.join(view.investments)}")
    return rows


def _coins(view: PaoloView) -> list[str]:
    if view.totals:
        words = [f"#{s + 1} £{view.totals[s]}" for s in view.order]
        return [f"Bids revealed: {', '.join(words)}"]
    words = [f"#{s + 1} {plural(view.coin_counts[s], 'sealed coin')}" for s in view.order]
    return [", ".join(words) + ("; one has passed" if view.coin_passed else "")]


def _map(area: AreaView) -> str:
    ovens = " ".join(
        f"{p.x},{p.y}" + (f"(£{p.cost})" if p.cost else "") + f" {p.pizzas}/{p.capacity}"
        for p in area.pizzerias
    )
    tiles = []
    for t in area.tiles:
        city = box().tiles[t.tile]
        fed = f"{t.pizzas}/" if t.pizzas else ""
        word = f"{_LETTERS[city.colour]}{fed}{city.houses}{exits_of(t.exits)}"
        tiles.append(f"{t.x},{t.y} {word}")
    return f"pizzerias {ovens}; {'; '.join(tiles)}"


def _job(area: AreaView) -> str:
    if area.job in ("buy", "blue"):
        return f"stocking {area.moved} of {area.most}"
    if not area.job:
        return ""
    text = f"delivering {area.moved} of {area.most}, routes {len(area.routes)} of {area.ways}"
    if area.route is not None:
        stops = [f"{x},{y}+{n}" for x, y, n in area.route.path]
        start = f"{area.route.start[0]},{area.route.start[1]}"
        text += f", open route {' '.join([start, *stops])}"
    return text


def _player(view: PaoloView, seat: Seat, maps: bool) -> str:
    area = view.areas[seat]
    tracks = "".join(f"{name[0]}{n}" for name, n in zip(TRACKS, area.markers, strict=True))
    words = [f"#{seat + 1} {{seat:{seat}}} ({view.colours[seat]}) {tracks}"]
    words.append(f"delivered {area.delivered}, supply {area.supply}")
    if view.money is not None:
        words.append(f"£{view.money[seat]}")
    if view.scores is not None:
        words.append(f"{view.scores[seat].total} points")
    if area.delivery:
        pizzas, reach = box().delivery[area.delivery]
        words.append(f"tile {area.delivery} {pizzas}@{reach}" + ("+1 route" * area.bonus))
    if area.investment:
        words.append(f"holds {area.investment}")
    if _job(area):
        words.append(_job(area))
    if maps:
        words.append(_map(area))
    return ", ".join(words)


def board_text(view: PaoloView) -> str:
    """The whole view as text; what matters least in the phase goes first if it grows too long."""
    for level in range(4):
        text = _text(view, level)
        if len(text) <= LIMIT:
            return text
    return text[: LIMIT - 1] + "…"


def _text(view: PaoloView, level: int) -> str:
    if view.ended is not None:
        rows = ["Papà Paolo, final position"]
    elif view.phase == "starting":
        rows = ["Papà Paolo: choosing start tiles"]
    else:
        rows = [f"Papà Paolo, round {view.round} of {view.rounds}, phase {view.letter}"]
        order = " ".join(f"#{s + 1}" for s in view.order)
        rows[0] += f". Order {order}"
        if view.spots:
            rows[0] += ", next " + " ".join(f"#{s + 1}" for s in view.spots)
    if view.due:
        rows.append("To act: " + " ".join(f"#{seat + 1}" for seat, _ in view.due))
    if view.phase == "placing":
        rows += _market(view)
        rows.append("Pizzerias left: " + ", ".join(f"{n}×£{cost}" for cost, n in view.reserve))
    if view.ended is None and view.deliveries and (level < 2 or view.letter == "C"):
        rows += _stairs(view)
        if view.seats == 2 and (view.totals or any(view.coin_counts) or view.phase == "bidding"):
            rows += _coins(view)
        if view.coming and level == 0:
            rows.append(f"Next round's delivery tiles: {', '.join(view.coming)}")
    if view.large is not None and view.letter == "D":
        rows.append(f"Large tile: {view.large[0]}, turned {view.large[1]}")
    for seat in range(view.seats):
        mine = view.viewer is None or seat == view.viewer
        rows.append(_player(view, seat, level < 3 or mine))
    if level < 2:
        rows.append(KEY)
    return "\n".join(rows)


def alt(view: PaoloView) -> str:
    """A picture's alternative text."""
    if view.ended is not None:
        parts = ["Papà Paolo, final position."]
    elif view.phase == "starting":
        parts = ["Papà Paolo: both players choose a start tile."]
    else:
        parts = [f"Papà Paolo, round {view.round} of {view.rounds}, phase {view.letter}."]
    if view.due:
        who = listing([f"{{seat:{seat}}}" for seat, _ in view.due])
        parts.append(f"{who} {'is' if len(view.due) == 1 else 'are'} to act.")
    if view.phase == "placing":
        free = sum(
            tile is not None and who < 0 for tile, who in zip(view.grid, view.meeples, strict=True)
        )
        parts.append(f"Market with {plural(free, 'free tile')}.")
    elif view.letter == "C" and view.seats > 2:
        bids = [
            f"{{seat:{s}}} £{view.prices[row - 1][col - 1]} in column {col}"
            for s, (col, row) in enumerate(view.bids)
            if col
        ]
        parts.append(f"Bids on the stairs: {listing(bids)}." if bids else "No bids yet.")
    for seat, area in enumerate(view.areas):
        score = f", {view.scores[seat].total} points" if view.scores is not None else ""
        tracks = ", ".join(f"{n} {v}" for n, v in zip(TRACKS, area.markers, strict=True))
        parts.append(
            f"{{seat:{seat}}}, {view.colours[seat]}: {plural(len(area.tiles), 'tile')}, "
            f"{plural(len(area.pizzerias), 'pizzeria')}, {area.delivered} delivered, "
            f"{area.waiting} waiting; {tracks}{score}."
        )
    return " ".join(parts)[:1024]
