"""Events of Palermo as sentences."""

from __future__ import annotations

from typing import Any

from engines.core.types import Event, listing


def _points(n: int) -> str:
    return "1 point" if n == 1 else f"{n} points"


def _who(seat: int) -> str:
    return f"{{seat:{seat}}}"


def _begin(a: dict[str, Any]) -> str:
    how = "begins, drawn by lot" if a["drawn"] else "is the youngest and begins"
    return (
        f"{_who(a['seat'])} {how}: first the Start/Finish tile, then the first house. Everybody "
        f"has {a['chips']} chips."
    )


def _built(a: dict[str, Any]) -> str:
    who, where = _who(a["seat"]), a["space"]
    if a["stage"] == "street":
        return (
            f"No house tile fits any more, so {who} laid a street tile on {where} with a doorway "
            f"at {a['door']}."
        )
    text = f"{who} laid tile {a['type']} on {where}, doorway {a['door']}"
    if a["stage"] == "free" and not a["first"]:
        return text + "; nothing could join, so the space was free to choose."
    return text + "."


def _way(path: Any) -> str:
    """A walk in cells; going to and fro is said once, long walks are cut in the middle."""
    cells, words = list(path), []
    while cells:
        pair, times = cells[:2], 1
        while len(pair) == 2 and cells[2 * times : 2 * times + 2] == pair:
            times += 1
        words += pair if times < 3 else [*pair, f"({times} times)"]
        cells = cells[2 * times if len(pair) == 2 else 1 :]
    if len(words) > 12:
        words = [*words[:5], "…", *words[-5:]]
    return " ".join(words)


def _moved(a: dict[str, Any]) -> str:
    text = f"{_who(a['seat'])} walked to {a['cell']} ({_way(a['path'])})"
    if a["lapsed"]:
        text += " and stayed back from a blocked cell; the last point lapses"
    if a["stone"] is not None:
        text += (
            f". There lies the stone of {_who(a['stone'])}: it is frozen, and the next turn has "
            "1 point less"
        )
    return text + "."


def _collected(a: dict[str, Any]) -> str:
    text = (
        f"{_who(a['seat'])} collected the chip at {a['cell']}: **+{a['points']}** "
        f"({_way(a['path'])}). {a['next']} points a turn from now on"
    )
    if a["stone"] is not None:
        text += f", 1 less next time because of the stone of {_who(a['stone'])}"
    if not a["open"]:
        text += "; all chips are collected, now for home"
    return text + "."


def _bonus(a: dict[str, Any]) -> str:
    text = f"{_who(a['seat'])} waits at the fountain: **+{a['points']}**"
    if a["frozen"] is not None:
        return text + "; the stone is frozen, so the turn passes."
    return text + "."


def _end(a: dict[str, Any]) -> str:
    head = "The last pawn is home." if a["reason"] == "home" else (
        "Six rounds in a row brought neither a chip nor an arrival."
    )  # fmt: skip
    verb = "wins" if len(a["winners"]) == 1 else "share the victory"
    best = max(a["scores"])
    return f"{head} **{listing([_who(s) for s in a['winners']])} {verb}** with {_points(best)}."


def narrate(event: Event) -> str:
    """An event as a sentence with seat placeholders."""
    a = event.args
    match event.kind:
        case "begin":
            return _begin(a)
        case "start_tile":
            return f"{_who(a['seat'])} put the Start/Finish tile on {a['space']}."
        case "built":
            return _built(a)
        case "paved":
            if not a["spaces"]:
                return "**The city is built.** No space is left."
            return f"**The city is built.** Street tiles fill {listing(list(a['spaces']))}."
        case "walking":
            return f"All pawns stand at the fountain. {_who(a['seat'])} sets out first."
        case "police":
            start = f" from {a['from']}" if a["from"] else ""
            return f"{_who(a['seat'])} moved the police stone{start} to {a['to']}."
        case "kept":
            return f"{_who(a['seat'])} left the police stone where it is."
        case "stepped":
            return f"{_who(a['seat'])} is on {a['cell']}, {_points(a['left'])} left."
        case "moved":
            return _moved(a)
        case "collected":
            return _collected(a)
        case "finished":
            return (
                f"{_who(a['seat'])} came home: **+{a['points']}** ({_way(a['path'])}). The pawn "
                "waits at the fountain."
            )
        case "stayed":
            return (
                f"{_who(a['seat'])} could not end anywhere and stays; {_points(a['points'])} lapse."
            )
        case "bonus":
            return _bonus(a)
        case "waits":
            return f"{_who(a['seat'])} switched automatic waiting {'on' if a['on'] else 'off'}."
        case "end":
            return _end(a)
    return ""
