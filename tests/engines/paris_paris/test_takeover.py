"""Takeover (PR-036 to PR-047) and the dossier's examples PR-X27 to PR-X34."""

from __future__ import annotations

import pytest

from engines.core.errors import IllegalMove
from engines.core.play import play
from engines.paris_paris import GAME
from engines.paris_paris.moves import OpenBusiness
from engines.paris_paris.state import ParisState
from tests.engines.paris_paris.positions import event, opens, position, shown

UP = ["louvre/blue", "concorde/red", "tour-eiffel/grey"]


def before(
    text: str, seats: int = 3, to_act: str = "A", sack: list[int] | None = None
) -> ParisState:
    return position(text, seats=seats, to_act=to_act, up=UP, sack=sack)


@pytest.mark.rule(
    "PR-X27", "PR-X28", "PR-X29", "PR-X30", "PR-X31", "PR-X32", "PR-X33", "PR-X34", "PR-042"
)
@pytest.mark.parametrize(
    ("rule", "shops", "tile", "remove", "after", "sack", "supplies"),
    [
        ("X27", "louvre=B", "louvre/blue", None, "louvre=A", [0, 1, 0], [18, 18, 19]),
        ("X28", "louvre=A", "louvre/blue", None, "louvre=A", [0, 0, 0], [18, 19, 19]),
        ("X29", "concorde=B", "concorde/red", None, "concorde=AB", [0, 0, 0], [18, 18, 19]),
        ("X30", "concorde=BC", "concorde/red", "B", "concorde=AC", [0, 1, 0], [18, 18, 18]),
        ("X31", "concorde=AB", "concorde/red", "A", "concorde=AB", [0, 0, 0], [18, 18, 19]),
        ("X32", "concorde=AB", "concorde/red", "B", "concorde=AA", [0, 1, 0], [17, 18, 19]),
        ("X33", "concorde=BB", "concorde/red", None, "concorde=AB", [0, 1, 0], [18, 17, 19]),
        ("X34", "concorde=AA", "concorde/red", None, "concorde=AA", [0, 0, 0], [17, 19, 19]),
    ],
)  # fmt: skip
def test_examples(
    rule: str, shops: str, tile: str, remove: str | None, after: str, sack: list[int],
    supplies: list[int],
) -> None:  # fmt: skip
    state = before(shops)
    played = opens(state, "A", tile, remove)
    assert ", ".join(f"{s}={o}" for s, o in shown(played.state).items()) == after
    assert played.state.sack == sack
    assert [played.state.supply(s) for s in range(3)] == supplies
    told = event(played, "opened").args
    if rule == "X29":
        assert told["removed"] is None
    else:
        assert told["to"] == ("sack" if any(sack) else "supply")
        assert told["removed"] == (1 if any(sack) else 0)


@pytest.mark.rule("PR-X27", "PR-044")
def test_two_players_put_removed_shops_back_into_the_supply() -> None:
    state = before("louvre=B", seats=2)
    assert state.supply(1) == 18
    played = opens(state, "A", "louvre/blue")
    assert shown(played.state) == {"louvre": "A"}
    assert played.state.sack == [0, 0]
    assert [played.state.supply(s) for s in (0, 1)] == [18, 19]
    assert event(played, "opened").args["to"] == "supply"
    crossing = opens(before("concorde=BB", seats=2), "A", "concorde/red").state
    assert [crossing.supply(s) for s in (0, 1)] == [18, 18]
    assert crossing.sack == [0, 0]


@pytest.mark.rule("PR-036", "PR-037", "PR-038", "PR-045")
def test_room_for_one_or_two() -> None:
    """At Concorde the first two shops join, the third replaces exactly one; Louvre holds one."""
    state = opens(before(""), "A", "concorde/red").state
    assert shown(state) == {"concorde": "A"}
    assert shown(opens(before("concorde=A"), "A", "concorde/red").state) == {"concorde": "AA"}
    assert shown(opens(before("concorde=B"), "A", "concorde/red").state) == {"concorde": "AB"}
    assert shown(opens(before("concorde=BB"), "A", "concorde/red").state) == {"concorde": "AB"}
    assert shown(opens(before("louvre=C"), "A", "louvre/blue").state) == {"louvre": "A"}


@pytest.mark.rule("PR-045")
def test_no_order_among_two_shops() -> None:
    """B beside A and A beside B are the same position of the board."""
    one = opens(before("concorde=A", to_act="B"), "B", "concorde/red").state
    two = opens(before("concorde=B", to_act="A"), "A", "concorde/red").state
    assert one.shops == two.shops == {"concorde": (0, 1)}


@pytest.mark.rule("PR-039", "PR-043")
def test_at_a_plain_stop_the_only_shop_goes_even_the_own_one() -> None:
    (move,) = (m for m in GAME.legal(before("louvre=A"), 0) if m.tile == "louvre/blue")
    assert move.remove is None, "nothing to choose"
    after = opens(before("louvre=A", sack=[2, 0, 0]), "A", "louvre/blue").state
    assert after.sack == [2, 0, 0], "own shops never go into the sack"
    assert after.supply(0) == 16
    assert opens(before("louvre=B"), "A", "louvre/blue").state.sack == [0, 1, 0]


@pytest.mark.rule("PR-040")
def test_at_a_crossing_the_opener_chooses() -> None:
    moves = [m for m in GAME.legal(before("concorde=BC"), 0) if m.tile == "concorde/red"]
    assert [m.remove for m in moves] == ["violet", "yellow"]
    assert opens(before("concorde=BC"), "A", "concorde/red", "C").state.sack == [0, 0, 1]
    own = [m for m in GAME.legal(before("concorde=AB"), 0) if m.tile == "concorde/red"]
    assert [m.remove for m in own] == ["grey", "violet"], "the own old shop may go as well"
    same = [m for m in GAME.legal(before("concorde=BB"), 0) if m.tile == "concorde/red"]
    assert [m.remove for m in same] == [None]


@pytest.mark.rule("PR-041")
def test_remove_is_given_exactly_where_it_means_something() -> None:
    for shops, tile, remove, rule in (
        ("louvre=B", "louvre/blue", "B", None),
        ("concorde=BB", "concorde/red", "B", None),
        ("louvre=A", "louvre/blue", "A", None),
        ("louvre=B", "louvre/blue", "A", "PR-039"),
        ("louvre=B", "louvre/blue", "pink", "PR-039"),
        ("concorde=BB", "concorde/red", "C", "PR-040"),
        ("concorde=BC", "concorde/red", None, "PR-041"),
        ("concorde=B", "concorde/red", "B", "PR-041"),
        ("", "louvre/blue", "B", "PR-041"),
        ("", "louvre/blue", "", "PR-041"),
    ):
        state = before(shops)
        if rule is None:
            named = opens(state, "A", tile, remove).state
            assert named == opens(state, "A", tile).state, "naming the only one changes nothing"
        else:
            words = None if remove is None else {"A": "grey", "B": "violet", "C": "yellow"}.get(
                remove, remove
            )  # fmt: skip
            with pytest.raises(IllegalMove) as error:
                play(GAME, state, 0, OpenBusiness(tile, words))
            assert error.value.rule == rule, (shops, remove)


@pytest.mark.rule("PR-042", "PR-043")
@pytest.mark.parametrize("seats", [3, 4])
def test_the_sack_counts_by_owner(seats: int) -> None:
    """B and C fall to A, then C's own shop to himself: the sack holds B 1, C 1."""
    state = position(
        "louvre=B, concorde=CC, tour-eiffel=C", seats=seats, to_act="A", up=UP[:2] + UP[2:]
    )  # fmt: skip
    one = opens(state, "A", "louvre/blue").state
    assert one.sack[:3] == [0, 1, 0]
    two = opens(state, "A", "concorde/red").state
    assert two.sack[:3] == [0, 0, 1]
    own = position("tour-eiffel=C", seats=seats, to_act="C", up=UP)
    assert sum(opens(own, "C", "tour-eiffel/grey").state.sack) == 0


@pytest.mark.rule("PR-046", "PR-047")
def test_removals_are_told_and_counts_are_not_shown() -> None:
    played = opens(before("louvre=B", sack=[1, 4, 2]), "A", "louvre/blue")
    told = event(played, "opened")
    assert told.to is None
    assert (told.args["removed"], told.args["to"]) == (1, "sack")
    assert "sack" in GAME.narrate(told)
    for viewer in (None, 0, 1, 2):
        view = GAME.view(played.state, viewer)
        assert view.sack is None
        assert view.supplies is None
        assert "suppl" not in GAME.board_text(view)
    two = GAME.view(opens(before("louvre=B", seats=2), "A", "louvre/blue").state, None)
    assert two.supplies == (18, 19), "two players have no sack to betray"
    assert two.has_sack is False
