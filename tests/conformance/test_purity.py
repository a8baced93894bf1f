"""Who may import whom, and what the rules may not use (design, section 1), read from the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BANNED = {
    "random", "secrets", "time", "datetime", "os", "uuid", "asyncio", "threading", "socket",
    "subprocess", "sqlite3", "pathlib", "logging",
}  # fmt: skip
"""Modules that bring chance, clocks or the outside world into the rules."""

PACKAGES = ("bot", "engines", "render", "storage")
ALONE = {"discord": "bot", "simcord": "bot", "PIL": "render", "aiosqlite": "storage"}
"""Third-party modules and the one package that may use them."""

ALLOWED = {
    "engines": {"engines"},
    "render": {"render", "engines"},
    "storage": {"storage", "engines"},
    "bot": {"bot", "engines", "render", "storage"},
}


def sources(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and dotted name of every import, wherever in the file it stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"


def unordered(node: ast.AST) -> bool:
    """Whether an expression is a set: its order must not reach a result."""
    if isinstance(node, (ast.Set, ast.SetComp)):
        return True
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitAnd, ast.BitOr, ast.Sub)):
        return unordered(node.left) or unordered(node.right)
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("set", "frozenset")
    )


def impure(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and fault of everything that the rules may not do."""
    for line, name in imports(tree):
        if name.split(".")[0] in BANNED:
            yield line, f"imports {name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            yield node.lineno, "a float"
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            yield node.lineno, "a division that makes floats"
        if isinstance(node, (ast.For, ast.comprehension)) and unordered(node.iter):
            yield node.iter.lineno, "iterates over a set"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if name in ("hash", "id", "open", "print", "input", "float"):
                yield node.lineno, f"calls {name}()"
            ordering = name in ("list", "tuple", "enumerate", "iter")
            if ordering and node.args and unordered(node.args[0]):
                yield node.lineno, f"{name}() of a set"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            joins = node.func.attr == "join"
            if joins and node.args and unordered(node.args[0]):
                yield node.lineno, "joins a set"


@pytest.mark.parametrize("path", sources("engines"), ids=lambda p: str(p.relative_to(ROOT)))
def test_engines_are_pure(path: Path) -> None:
    faults = list(impure(ast.parse(path.read_text(encoding="utf-8"))))
    assert faults == [], f"{path.relative_to(ROOT)}: {faults}"


def test_the_scan_sees_what_it_looks_for() -> None:
    """Each fault is found, so an empty list means something."""
    for code in (
        "import random", "from os import path", "def f():\n import time", "x = 0.5", "x = 1 / 2",
        "for a in {1, 2}: pass", "[a for a in set(b)]", "list({1})", "for a in set(b) - c: pass",
        "hash('a')", "open('x')", "', '.join({a for a in b})",
    ):  # fmt: skip
        assert list(impure(ast.parse(code))), code
    for code in (
        "import msgspec",
        "x = 1 // 2",
        "for a in sorted({1}): pass",
        "len({1})",
        "1 in {1}",
    ):
        assert not list(impure(ast.parse(code))), code


def test_games_do_not_know_each_other() -> None:
    for path in sources("engines"):
        parts = path.relative_to(ROOT / "engines").parts
        here = parts[0] if len(parts) > 1 else ""
        for line, name in imports(ast.parse(path.read_text(encoding="utf-8"))):
            words = name.split(".")
            if words[0] == "engines" and len(words) > 1:
                allowed = {"core", here} if here != "core" else {"core"}
                assert words[1] in allowed, f"{path.relative_to(ROOT)}:{line} imports {name}"


@pytest.mark.parametrize("package", PACKAGES)
def test_layers(package: str) -> None:
    for path in sources(package):
        for line, name in imports(ast.parse(path.read_text(encoding="utf-8"))):
            top = name.split(".")[0]
            where = f"{path.relative_to(ROOT)}:{line} imports {name}"
            if top in PACKAGES:
                assert top in ALLOWED[package], where
            assert top != "tests", where
            if top in ALONE:
                assert ALONE[top] == package, where
