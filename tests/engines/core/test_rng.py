"""Labelled randomness: fixed values, uniformity, independence of labels, scripted deals."""

from __future__ import annotations

from hashlib import blake2b

import msgspec
import pytest

from engines.core.errors import SetupError
from engines.core.rng import Rng, commitment
from engines.core.types import pack


def reference(seed: str, label: str, count: int, n: int) -> int | None:
    """A draw as the design describes it, written once more; None = rejected."""
    block = blake2b(f"{label}\0{count}".encode(), digest_size=8, key=bytes.fromhex(seed)).digest()
    value = int.from_bytes(block, "big")
    return None if value >= 2**64 - 2**64 % n else value % n


def test_known_values() -> None:
    """The same on every machine and Python; a change here breaks every recorded match."""
    rng = Rng(seed="00112233445566778899aabbccddeeff")
    assert [rng.below("die", 6) for _ in range(20)] == DIE
    assert "".join(rng.shuffle("letters", "abcdefghijklmnopqrstuvwxyz")) == LETTERS
    assert rng.below("big", 10**18) == BIG
    assert rng.counters == {"die": 20, "letters": 25, "big": 1}


DIE = [1, 4, 1, 1, 0, 5, 2, 5, 5, 3, 5, 3, 0, 5, 4, 5, 2, 3, 4, 3]
LETTERS = "wdpbinuxkarcgvfojhmzytelsq"
BIG = 861654207372349919


def test_draws_are_what_the_design_says() -> None:
    rng = Rng(seed="c0ffee")
    for n in (1, 2, 3, 7, 60, 1000, 2**63 + 1):
        count = rng.counters.get("x", 0)
        value = rng.below("x", n)
        while (expected := reference("c0ffee", "x", count, n)) is None:
            count += 1
        assert value == expected
        assert rng.counters["x"] == count + 1


def test_the_biased_tail_is_rejected() -> None:
    """With n just above half the span nearly every second block is thrown away."""
    rng = Rng(seed="01")
    n = 2**63 + 1
    values = [rng.below("x", n) for _ in range(200)]
    assert all(0 <= v < n for v in values)
    assert 300 < rng.counters["x"] < 520


def test_uniform() -> None:
    """Chi-squared over 6 and 60 values: far below what a wrong modulus or label would give."""
    rng = Rng(seed="5eed")
    for n, draws, limit in ((6, 6000, 25), (60, 12000, 110)):
        counts = [0] * n
        for _ in range(draws):
            counts[rng.below(f"die {n}", n)] += 1
        expected = draws / n
        assert sum((c - expected) ** 2 / expected for c in counts) < limit


def test_every_order_of_a_shuffle_is_equally_likely() -> None:
    rng = Rng(seed="ab")
    found: dict[str, int] = {}
    for _ in range(2400):
        order = "".join(rng.shuffle("abc", "abc"))
        found[order] = found.get(order, 0) + 1
    assert len(found) == 6
    assert all(320 < n < 480 for n in found.values()), found


def test_labels_are_independent() -> None:
    """Draws under one label do not shift another, whatever the order."""
    one, two = Rng(seed="07"), Rng(seed="07")
    first = [one.below("a", 100) for _ in range(30)]
    for _ in range(17):
        two.below("b", 100)
    mixed = []
    for _ in range(30):
        mixed.append(two.below("a", 100))
        two.shuffle("c", range(9))
    assert mixed == first
    other = [Rng(seed="07").below(f"label {i}", 2**32) for i in range(50)]
    assert len(set(other)) == 50


def test_seeds_differ() -> None:
    orders = {tuple(Rng(seed=f"{i:02x}").shuffle("x", range(20))) for i in range(100)}
    assert len(orders) == 100


def test_copies_go_their_own_way() -> None:
    rng = Rng.scripted({"x": [[1], [2]]}, seed="00")
    rng.below("x", 5)
    copy = rng.copy()
    assert copy == rng
    assert copy.below("x", 5) == 2
    copy.below("y", 5)
    assert rng.uses == {"x": 1}
    assert rng.counters == {}
    assert rng.below("x", 5) == 2


def test_reloading_goes_on_where_it_was() -> None:
    rng = Rng(seed="0d")
    rng.below("x", 10)
    again = msgspec.msgpack.decode(pack(rng), type=Rng)
    assert [again.below("x", 100) for _ in range(5)] == [rng.below("x", 100) for _ in range(5)]


def test_scripted_deals() -> None:
    rng = Rng.scripted({"deck": [["b", "d"], ["c"]], "die": [[3], [0]], "one": [5]}, seed="0c")
    deck = rng.shuffle("deck", "abcd")
    assert deck[:2] == ["b", "d"]
    assert sorted(deck[2:]) == ["a", "c"], "a prefix is enough, the others follow at random"
    assert rng.shuffle("deck", "abcd")[0] == "c"
    assert sorted(rng.shuffle("deck", "abcd")) == list("abcd"), "then chance takes over"
    assert [rng.below("die", 6), rng.below("die", 6)] == [3, 0]
    assert 0 <= rng.below("die", 6) < 6
    assert rng.below("one", 6) == 5
    assert rng.shuffle("twice", ["a", "a", "b"]).count("a") == 2
    keyed = Rng.scripted({"n": ["2", "1"]}).shuffle("n", [1, 2, 3], key=str)
    assert keyed == [2, 1, 3]


@pytest.mark.parametrize(
    "deal",
    [{"die": [6]}, {"die": [-1]}, {"die": ["x"]}, {"die": []}, {"die": ["²"]}, {"die": [1, 2]},
     {"die": ["9" * 5000]}],
)  # fmt: skip
def test_a_deal_may_not_script_an_impossible_number(deal: dict[str, list[object]]) -> None:
    with pytest.raises(SetupError):
        Rng.scripted(deal).below("die", 6)


@pytest.mark.parametrize(
    "deal", [{"deck": 5}, {"deck": "ab"}, {"deck": {"a": 1}}, {"deck": None}, {"deck": [[["a"]]]},
             {"deck": ["a", ["b"]]}, {"deck": [1.5]}],
)  # fmt: skip
def test_a_deal_is_a_table_of_lists(deal: dict[str, object]) -> None:
    with pytest.raises(SetupError):
        Rng.scripted(deal)  # type: ignore[arg-type]


@pytest.mark.parametrize("names", [["x"], ["a", "a"], ["a", "b", "c", "d", "e"]])
def test_a_deal_may_not_name_what_is_not_there(names: list[str]) -> None:
    with pytest.raises(SetupError, match="not left"):
        Rng.scripted({"deck": names}).shuffle("deck", "abcd")


def test_commitment() -> None:
    """SHA-256 of the seed's bytes; the published test value for the bytes of “abc”."""
    assert commitment("616263") == (
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
