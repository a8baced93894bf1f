"""Setup of the competitive and pairs games; options."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import msgspec
import pytest

from engines.core.door import Door
from engines.core.errors import SetupError
from engines.core.play import start
from engines.core.types import state_hash
from engines.papertown import GAME
from engines.papertown.components import CONSTRUCTIONS, STRUCTURES
from tests.engines.papertown.positions import position

BLOCKS = "CGRIPL" * 7


def deal(**more: Any) -> dict[str, Any]:
    """Piles in table order."""
    return {
        "blocks": list(BLOCKS),
        "constructions": list(CONSTRUCTIONS),
        "structures": list(STRUCTURES),
        **more,
    }


@pytest.mark.rule("PT-X02", "PT-013", "PT-014", "PT-016", "PT-018", "PT-021", "PT-022", "PT-025")
def test_three_players() -> None:
    state, _ = start(GAME, 3, deal=deal(start=[1]))
    assert state.shown == {"M51": "C", "N50": "G", "O49": "R"}
    assert (state.bank, len(state.stack)) == ("IPL", 36)
    assert state.constructions == [("CN01", "CN02"), ("CN03", "CN04"), ("CN05", "CN06")]
    assert state.structures == [("GS01",), ("GS02",), ("GS03",)]
    assert (len(state.construction_deck), len(state.structure_deck)) == (14, 9)
    view = GAME.view(state, None)
    assert view.supplies == (12, 12, 12)
    assert view.to_act == 1


@pytest.mark.rule("PT-024", "PT-015")
def test_dealing_order() -> None:
    state, _ = start(GAME, 2, deal=deal())
    assert state.stack == BLOCKS[6:]
    assert state.construction_deck == CONSTRUCTIONS[4:]
    assert state.structure_deck == STRUCTURES[2:]


@pytest.mark.rule("PT-012", "PT-095")
@pytest.mark.parametrize(
    ("seats", "mode", "decks"),
    [(2, "ffa", (16, 10)), (3, "ffa", (14, 9)), (4, "ffa", (12, 8)), (4, "pairs", (16, 8))],
)
def test_deck_sizes(seats: int, mode: str, decks: tuple[int, int]) -> None:
    state, _ = start(GAME, seats, {"mode": mode}, seed="02")
    assert (len(state.construction_deck), len(state.structure_deck)) == decks
    assert len(state.stack) == 36
    assert {len(own) for own in state.constructions} == {1 if mode == "pairs" else 2}
    assert {len(own) for own in state.structures} == {1}
    assert state.meeples == {}


@pytest.mark.rule("PT-002", "PT-016", "PT-017")
def test_colours_by_seat() -> None:
    state, _ = start(GAME, 4, seed="02")
    assert state.colours == ("blue", "grey", "purple", "yellow")
    assert sum(GAME.view(state, None).supplies) == 48
    chosen, _ = start(GAME, 3, {"colours": ["", "yellow"]}, seed="02")
    assert chosen.colours == ("blue", "yellow", "grey")


@pytest.mark.rule("PT-012")
def test_players_counts() -> None:
    for seats in (0, 5):
        with pytest.raises(SetupError, match="PT-012"):
            start(GAME, seats)


@pytest.mark.rule("PT-019")
def test_the_first_three_cells() -> None:
    state, _ = start(GAME, 2, seed="03")
    assert list(state.shown) == ["M51", "N50", "O49"]


@pytest.mark.rule("PT-020")
def test_equal_starting_blocks_stay() -> None:
    state, _ = start(GAME, 2, deal={"blocks": ["C", "C", "C"]})
    assert set(state.shown.values()) == {"C"}
    assert len(state.stack) == 36


@pytest.mark.rule("PT-023")
def test_first_player() -> None:
    drawn = Counter(start(GAME, 4, seed=f"{n:04x}")[0].turn for n in range(60))
    assert set(drawn) == {0, 1, 2, 3}, "every seat is drawn now and then"
    for seat in (1, 2, 3, 4):
        state, _ = start(GAME, 4, {"first_player": str(seat)}, seed="04")
        assert state.turn == state.first == seat - 1
        assert GAME.waiting(state) == (seat - 1,)
    with pytest.raises(SetupError, match="PT-023"):
        start(GAME, 2, {"first_player": "3"})


@pytest.mark.rule("PT-025")
def test_one_seed_one_deal() -> None:
    one, two = (start(GAME, 3, seed="0badcafe")[0] for _ in range(2))
    assert state_hash(one) == state_hash(two)
    assert state_hash(start(GAME, 3, seed="0badcaff")[0]) != state_hash(one)


@pytest.mark.rule("PT-025")
def test_a_seed_never_deals_otherwise() -> None:
    """Recorded matches depend on it."""
    state, _ = start(GAME, 2, seed="00")
    assert (state.first, state.bank) == (1, "PII")
    assert state.stack == "GGCILRRPIRLLPPLCGCCLIGGIPCPGRRRILRLC"
    assert state.constructions == [("CN07", "CN19"), ("CN15", "CN02")]
    assert state.structures == [("GS06",), ("GS08",)]


@pytest.mark.rule("PT-025")
def test_a_state_from_the_middle_is_taken() -> None:
    """Through the door, as analysis tools do it."""
    state = position("M50=C N50=R", hand="P")
    door = Door()
    line = {"cmd": "load", "game": "papertown", "state": msgspec.Raw(msgspec.json.encode(state))}
    answer = json.loads(door.handle(msgspec.json.encode(line)))
    assert answer["ok"]["hash"] == state_hash(state)
    moves = json.loads(door.handle(b'{"cmd": "legal", "seat": 0}'))["ok"]
    assert {"kind": "place", "cell": "O50"} in moves


@pytest.mark.rule("PT-093", "PT-094", "PT-098")
def test_pairs_need_four_and_share_colours() -> None:
    state, _ = start(GAME, 4, {"mode": "pairs"}, seed="05")
    assert state.colours == ("blue", "grey", "blue", "grey")
    assert [state.side(s) for s in range(4)] == [0, 1, 0, 1]
    assert GAME.view(state, None).supplies == (12, 12)
    for seats in (1, 2, 3):
        with pytest.raises(SetupError, match="PT-093"):
            start(GAME, seats, {"mode": "pairs"})
    wished, _ = start(GAME, 4, {"mode": "pairs", "colours": ["", "blue", "yellow", ""]}, seed="05")
    assert wished.colours == ("yellow", "blue", "yellow", "blue")
    both = {"mode": "pairs", "colours": ["yellow", "blue", "yellow", "blue"]}
    assert start(GAME, 4, both, seed="05")[0] == wished
    for taken in (["yellow", "yellow"], ["yellow", "blue", "blue", "blue"]):
        with pytest.raises(SetupError, match="taken"):
            start(GAME, 4, {"mode": "pairs", "colours": taken})


@pytest.mark.rule("PT-107")
def test_partners_are_reminded_not_to_talk() -> None:
    _, events = start(GAME, 4, {"mode": "pairs"}, seed="05")
    told = [GAME.narrate(e) for e in events if e.to is None]
    assert any("not to talk" in line for line in told)
    _, events = start(GAME, 4, {}, seed="05")
    assert not any("not to talk" in GAME.narrate(e) for e in events)


def test_solo_is_for_one() -> None:
    assert start(GAME, 1, {}, seed="06")[0].mode == "solo"
    assert start(GAME, 1, {"mode": "solo"}, seed="06")[0].mode == "solo"
    with pytest.raises(SetupError, match="one player"):
        start(GAME, 2, {"mode": "solo"})


@pytest.mark.rule("PT-065")
def test_symmetry_is_an_option() -> None:
    assert start(GAME, 2, seed="07")[0].symmetry == "flip4"
    assert start(GAME, 2, {"gs_symmetry": "all8"}, seed="07")[0].symmetry == "all8"
    with pytest.raises(SetupError):
        start(GAME, 2, {"gs_symmetry": "none"})
