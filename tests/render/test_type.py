"""Names of any kind become words that the font can show."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.kit import type as t


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Anna", "Anna"),
        ("Zoë Ünal Łukasz", "Zoë Ünal Łukasz"),
        ("Анна", "Анна"),
        ("🦊 Cléo 🦊", "Cléo"),
        ("👨‍👩‍👧‍👦 Team", "Team"),
        ("𝓐𝓷𝓷𝓪 Ｂ", "Anna B"),
        ("Z̸̢̛͎a̵̧l̶͓g̴o", "Zalgo"),
        ("e\u0301", "é"),
        ("田中 Kenji", "· Kenji"),
        ("田中さん", "Player"),
        ("\u202eevil\u202c", "evil"),
        ("a\u0000b\nc\td", "ab c d"),
        ("שלום", "םולש"),
        ("محمد", "Player"),
        ("🔥🔥🔥", "Player"),
        ("", "Player"),
        ("★★", "Player"),
        ("★ Bo ★", "★ Bo ★"),
    ],
)
def test_readable(name: str, shown: str) -> None:
    assert t.readable(name, "Player") == shown


@given(st.text(max_size=80))
def test_readable_never_shows_a_box(name: str) -> None:
    shown = t.readable(name, "Player")
    assert shown.strip()
    box = t._shape("\U0010fffe")
    assert all(c == " " or t._shape(c) != box for c in shown)
    assert t.readable(name, "Player") == shown


@given(st.text(min_size=1, max_size=60), st.integers(20, 400), st.sampled_from([18, 28]))
def test_fit_is_as_wide_as_allowed_at_most(name: str, width: int, size: int) -> None:
    text = t.readable(name, "Player")
    cut = t.fit(text, size, width, True)
    assert t.font(size, True).getlength(cut) <= max(width, t.font(size, True).getlength("…"))
    assert cut == text or cut.endswith("…")


def test_wrap_keeps_words_and_cuts_the_rest() -> None:
    text = "the quick brown fox jumps over the lazy dog"
    rows = t.wrap(text, 20, 160)
    assert " ".join(rows) == text
    assert all(t.width_of(r, 20) <= 160 for r in rows)
    short = t.wrap(text, 20, 160, lines=2)
    assert len(short) == 2
    assert short[1].endswith("…")
    assert t.wrap("", 20, 100) == []


def test_people_gives_everyone_a_name() -> None:
    assert t.people(["Anna", "田"], 3) == ("Anna", "Player 2", "Player 3")


def test_words_are_kept_and_have_no_dark_rim() -> None:
    one = t.word("Paris", 28, (200, 40, 30))
    assert t.word("Paris", 28, (200, 40, 30)) is one
    pixels = one.image.load()
    assert pixels is not None
    assert {pixels[x, y][:3] for x in range(one.image.width) for y in range(one.image.height)} == {
        (200, 40, 30)
    }
