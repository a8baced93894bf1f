"""Words of Paris Paris: narration, labels, prompts and the text board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.core.types import Event, Hand, Seat, listing
from engines.paris_paris.components import board, tile_parts
from engines.paris_paris.moves import OpenBusiness
from engines.paris_paris.rules import tile_words
from engines.paris_paris.views import ParisView


def stop_name(stop: str) -> str:
    """A stop's name for people."""
    return board().stops[stop].name


def line_words(colour: str) -> str:
    """A line for people, number and colour: ``line 3 (blue)``."""
    return f"line {board().lines[colour].number} ({colour})"


def _totals(points: Sequence[tuple[str, Seat, int]]) -> str:
    total: dict[Seat, int] = {}
    for _, seat, amount in points:
        total[seat] = total.get(seat, 0) + amount
    return listing([f"{{seat:{s}}} +{total[s]}" for s in sorted(total)])


def _by_stop(points: Sequence[tuple[str, Seat, int]]) -> str:
    stops: dict[str, list[str]] = {}
    for stop, seat, amount in points:
        stops.setdefault(stop, []).append(f"{{seat:{seat}}} {amount}")
    return "; ".join(f"{stop_name(stop)} {', '.join(who)}" for stop, who in stops.items())


def _opened(a: dict[str, Any]) -> str:
    text = f"{{seat:{a['seat']}}} took {tile_words(a['tile'])} and opened a shop there"
    if a["removed"] is None:
        return text + "."
    if a["removed"] == a["seat"]:
        return text + ", replacing an own one, which went back to the supply."
    where = "into the sack" if a["to"] == "sack" else "back to its supply"
    return text + f"; the {a['colour']} shop of {{seat:{a['removed']}}} went {where}."


def _small(a: dict[str, Any]) -> str:
    name = stop_name(a["stop"])
    head = f"**Small tour** to {name} (left over: {tile_words(a['tile'])}): "
    if not a["points"]:
        return head + "no shop on its lines, nobody scores."
    if a["points"][0][0] == a["stop"]:
        return head + _totals(a["points"]) + "."
    near = listing(list(dict.fromkeys(stop_name(stop) for stop, _, _ in a["points"])))
    return head + f"no shop there, the nearest at {near}: {_totals(a['points'])}."


def _grand(head: str, points: Sequence[tuple[str, Seat, int]]) -> str:
    if not points:
        return head + "no shop at its crossings, nobody scores."
    return head + f"{_totals(points)} ({_by_stop(points)})."


def narrate(event: Event) -> str:
    """An event as a sentence."""
    a = event.args
    match event.kind:
        case "start":
            text = f"{{seat:{a['seat']}}} starts with the bus. {a['stacks']} stacks of tiles wait."
            if a["marker"]:
                text += f" The face-up special-route marker shows {line_words(a['marker'])}."
            return text
        case "marker":
            return (
                f"Your secret special-route marker: {line_words(a['line'])}. "
                "At the end a tour of that line is driven for it."
            )
        case "placed":
            tiles = listing([tile_words(t) for t in a["tiles"]])
            return f"**Round {a['round']}.** Face up: {tiles}."
        case "opened":
            return _opened(a)
        case "small_tour":
            return _small(a)
        case "discarded":
            return (
                f"{tile_words(a['tile'])} goes to the P row. The next {a['colour']} tile left over "
                f"sets off a grand tour of {line_words(a['colour'])}."
            )
        case "grand_tour":
            return _grand(f"**Grand tour** of {line_words(a['line'])}: ", a["points"])
        case "bus":
            return ""
        case "markers":
            shown = [f"{{seat:{seat}}} {line_words(line)}" for seat, line in a["markers"]]
            return f"**The last stack is used.** The secret markers: {listing(shown)}."
        case "special_tour":
            whose = (
                "the face-up marker" if a["owner"] is None else f"{{seat:{a['owner']}}}’s marker"
            )
            return _grand(f"**Special tour** of {line_words(a['line'])} for {whose}: ", a["points"])
        case "sack":
            counts = listing([f"{{seat:{seat}}} {n}" for seat, n in enumerate(a["counts"])])
            if a["winner"] is None:
                return f"**The sack** holds {counts}: nobody has the most alone, no points."
            won = a["counts"][a["winner"]]
            return f"**The sack** holds {counts}: {{seat:{a['winner']}}} +{won}."
        case "end":
            who = listing([f"{{seat:{seat}}}" for seat in a["winners"]])
            points = a["scores"][a["winners"][0]]
            verb = "wins" if len(a["winners"]) == 1 else "share the victory"
            return f"**{who} {verb}** with {points} points."
    return ""


def prompt(view: ParisView, seat: Seat) -> str:
    """What the seat has to decide."""
    if len(view.openers) == view.seats - 1:
        return "choose a tile and open a shop; the other tile decides the small tour"
    return "choose a tile and open a shop"


def label(view: ParisView, param: str, value: str) -> str:
    """A tile with its line and what stands at its stop, or a shop's owner colour."""
    if param != "tile" or "/" not in value:
        return value
    stop, colour = tile_parts(value)
    text = f"{stop_name(stop)} – {line_words(colour)}"
    owners = dict(view.shops).get(stop, ())
    if owners:
        text += f", now {listing([view.colours[seat] for seat in owners])}"
    return text


def describe(view: ParisView, move: OpenBusiness) -> str:
    """The move in words."""
    text = f"Open a shop at {tile_words(move.tile)}"
    return f"{text}, {move.remove} goes" if move.remove else text


def hand(view: ParisView) -> Hand | None:
    """The viewer's secret marker."""
    if view.my_marker is None:
        return None
    stops = [stop_name(s) for s in board().lines[view.my_marker].stops if board().stops[s].crossing]
    return Hand(
        f"Your special-route marker: {line_words(view.my_marker)}",
        (
            f"At the end the bus drives {line_words(view.my_marker)} for you.",
            f"It stops at {listing(stops)}.",
            "Everybody scores on it, so own shops at and around these crossings.",
        ),
    )


def board_text(view: ParisView) -> str:
    """The whole view as text."""
    shops = dict(view.shops)
    rows = []
    if view.ended is None:
        rows.append(f"Paris Paris, round {view.round} of {view.rounds}")
    else:
        rows.append("Paris Paris, final position")
    for colour, line in board().lines.items():
        words = []
        for stop in line.stops:
            mark = "*" if board().stops[stop].crossing else ""
            owners = "+".join(view.colours[seat] for seat in shops.get(stop, ()))
            words.append(f"{stop_name(stop)}{mark}" + (f" [{owners}]" if owners else ""))
        rows.append(f"{line.number} {colour}: {', '.join(words)}")
    if view.face_up:
        rows.append("Face up: " + ", ".join(tile_words(t) for t in view.face_up))
    row = ", ".join(tile_words(t) for t in view.p_row) or "empty"
    rows.append(f"P row: {row}")
    for seat in range(view.seats):
        words = [f"{view.scores[seat]} points"]
        if view.supplies is not None:
            words.append(f"{view.supplies[seat]} shops in supply")
        if view.sack is not None:
            words.append(f"{view.sack[seat]} in the sack")
        if view.markers is not None:
            words.append(f"marker {line_words(view.markers[seat])}")
        if seat == view.bus and view.ended is None:
            words.append("has the bus")
        if seat == view.to_act:
            words.append("to act")
        rows.append(f"{{seat:{seat}}} ({view.colours[seat]}): {', '.join(words)}")
    if view.open_marker:
        rows.append(f"Face-up marker: {line_words(view.open_marker)}")
    if view.ended is None:
        rows.append(f"Stacks left: {view.stacks_left}. * = crossing")
    return "\n".join(rows)


def alt(view: ParisView) -> str:
    """What the picture shows, shortest first: whose turn, points, tiles, shops."""
    names = view.colours
    if view.ended is None:
        head = f"Map of Paris, round {view.round} of {view.rounds}."
    else:
        head = "Map of Paris, final position."
    rows = [head]
    if view.to_act is not None:
        rows.append(f"{names[view.to_act].capitalize()} is to act; {names[view.bus]} has the bus.")
    rows.append(f"Points: {', '.join(f'{c} {view.scores[s]}' for s, c in enumerate(names))}.")
    if view.face_up:
        rows.append(f"Face up: {', '.join(tile_words(t) for t in view.face_up)}.")
    row = ", ".join(tile_words(t) for t in view.p_row) or "empty"
    rows.append(f"P row: {row}.")
    shops = [f"{stop_name(s)} {'+'.join(names[o] for o in owners)}" for s, owners in view.shops]
    rows.append(f"Shops: {', '.join(shops) or 'none'}.")
    return "\n".join(rows)
