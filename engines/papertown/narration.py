"""Events of Papertown as sentences."""

from __future__ import annotations

from typing import Any

from engines.core.types import Event, listing
from engines.papertown.components import KIND_NAMES, MEEPLES, OBJECTIVES
from engines.papertown.phases.choose import block_words
from engines.papertown.text import diamond_words, tiles_words


def a_block(kind: str) -> str:
    """A Block for a sentence.

    >>> a_block("I"), a_block("L")
    ('an industrial Block', 'a lake Block')
    """
    name = KIND_NAMES[kind]
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name} Block"


def _start(a: dict[str, Any]) -> str:
    city = listing([f"{KIND_NAMES[k]} on {c}" for c, k in a["city"]])
    text = f"**Papertown** begins with {city}. The bank holds {block_words(a['bank'])}."
    if a["mode"] == "solo":
        return f"{text} Complete as many of the twelve objectives as you can."
    if a["mode"] == "pairs":
        one, two = a["colours"][:2]
        text += (
            f" {{seat:0}} and {{seat:2}} play {one} together, {{seat:1}} and {{seat:3}} play {two}."
        )
    return f"{text} {{seat:{a['first']}}} begins."


def _claimed(a: dict[str, Any]) -> str:
    tile = OBJECTIVES[a["objective"]]
    text = f"**{{seat:{a['seat']}}} completes {tile.words}** on {listing(a['cells'])}"
    if a["owner"] != a["seat"]:
        text += f", a Construction of {{seat:{a['owner']}}}"
    text += f"; the tile lies on {a['seal']}."
    if a["solo"]:
        return text
    if a["returned"]:
        home = listing([f"{colour} from {cell}" for cell, colour in a["returned"]])
        text += f" Back to supply: {home}."
    where = f" Now {a['colour']} stands on {listing(a['populated'])}" if a["populated"] else ""
    return f"{text}{where}, {a['on_city']} of {MEEPLES} meeples in the city."


def _end(a: dict[str, Any]) -> str:
    if a["mode"] == "solo":
        return f"**The game is over.** {a['note']}"
    who = listing([f"{{seat:{s}}}" for s in a["winners"]])
    if a["mode"] == "pairs" and len(a["winners"]) == 2:
        return f"**{who} win as a pair** with {a['score']} meeples in the city. {a['note']}"
    verb = "wins" if len(a["winners"]) == 1 else "share the victory"
    return f"**{who} {verb}** with {a['score']} meeples in the city. {a['note']}"


def _swaps(kind: str, a: dict[str, Any]) -> str:
    who = f"{{seat:{a['seat']}}}" if "seat" in a else ""
    match kind:
        case "drew_constructions":
            return f"{who} swaps Constructions and draws {tiles_words(a['tiles'])}."
        case "kept_constructions":
            below = ", then ".join(OBJECTIVES[t].name for t in a["bottom"])
            return f"{who} keeps {tiles_words(a['keep'])}. Under the deck: {below}."
        case "drew_structures":
            return f"{who} swaps the Great Structure and draws {a['count']} in secret."
        case "own_structures":
            drawn = [f"{OBJECTIVES[t].name} ({diamond_words(t)})" for t in a["tiles"]]
            return f"You drew {listing(drawn)}. Keep one Great Structure."
        case "kept_structure":
            return f"{who} has chosen a Great Structure."
        case "own_kept":
            below = ", then ".join(OBJECTIVES[t].name for t in a["bottom"])
            return f"You keep {OBJECTIVES[a['tile']].name}. Under the deck: {below}."
    return ""


def _deals(kind: str, a: dict[str, Any]) -> str:
    match kind:
        case "dealt":
            rows = [f"{{seat:{s}}} {tiles_words(own)}" for s, own in enumerate(a["tiles"])]
            return f"Constructions: {'; '.join(rows)}. Everybody holds a secret Great Structure."
        case "own_structure":
            tile = OBJECTIVES[a["tile"]]
            return f"Your Great Structure: {tile.name}: {diamond_words(a['tile'])}."
        case "silence":
            return "Partners are asked not to talk about the game with each other."
        case "new_structure":
            return f"{{seat:{a['seat']}}} draws a new Great Structure."
        case "new_construction":
            return f"{{seat:{a['seat']}}} draws {tiles_words((a['tile'],))}."
        case "no_structure":
            return f"No Great Structure is left to draw for {{seat:{a['seat']}}}."
        case "no_construction":
            return f"No Construction is left to draw for {{seat:{a['seat']}}}."
        case "revealed":
            return f"Revealed: {tiles_words(a['tiles'])}."
        case "new_block":
            return f"New in the bank: {a_block(a['block'])}."
        case "structures":
            held = [f"{{seat:{s}}} {OBJECTIVES[t].words}" for s, t in a["held"]]
            return f"Great Structures left in hand: {listing(held)}." if held else ""
    return ""


def _blocks(kind: str, a: dict[str, Any]) -> str:
    who = f"{{seat:{a['seat']}}}" if "seat" in a else ""
    match kind:
        case "bought":
            return f"{who} takes {a_block(a['block'])} from the bank."
        case "drew_blocks":
            return f"{who} draws {a['count']} Blocks from the stack."
        case "own_blocks":
            return f"You drew {listing([KIND_NAMES[k] for k in a['blocks']])}. Keep one."
        case "kept_block":
            other = f"; {a_block(a['other'])} goes to the bank" if a["other"] else ""
            return f"{who} keeps {a_block(a['block'])}{other}."
        case "spent":
            return f"{who} spends a meeple for {a_block(a['block'])}; {a['left']} left."
        case "placed":
            over = f", over {a_block(a['over'])}" if a["over"] else ""
            return f"{who} places {a_block(a['block'])} on {a['cell']}{over}."
        case "stopped":
            return f"{who} ends the game."
    return ""


def narrate(event: Event) -> str:
    """An event as a sentence."""
    if event.kind == "start":
        return _start(event.args)
    if event.kind == "claimed":
        return _claimed(event.args)
    if event.kind == "end":
        return _end(event.args)
    for words in (_blocks, _swaps, _deals):
        found = words(event.kind, event.args)
        if found:
            return found
    return ""
