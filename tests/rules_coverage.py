"""Which rules no test cites: ``python -m tests.rules_coverage``.

Every game lists its rules in ``engines/<key>/RULES.md``, in a table whose first column is the ID:
``PR-001`` for rules, ``PR-X01`` for worked examples, ``PR-I01`` for illegal attempts. A test cites
them with ``@pytest.mark.rule("PR-001", "PR-X01")``; the IDs must be literal strings, for they are
read from the source without running it.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
ID = r"[A-Z]{2}-(?:\d{3}|[XI]\d{2})"


def listed(key: str, root: Path = ROOT) -> dict[str, str]:
    """Rule IDs of a game's RULES.md and the table row of each."""
    page = root / "engines" / key / "RULES.md"
    if not page.exists():
        return {}
    rows = {}
    for line in page.read_text(encoding="utf-8").splitlines():
        found = re.match(rf"\|\s*`?({ID})`?\s*\|", line)
        if found:
            rows[found[1]] = line
    return rows


def citations(tree: ast.AST) -> Iterator[str]:
    """Literal IDs in every ``pytest.mark.rule(…)`` of a module."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "rule"
            and isinstance(node.func.value, ast.Attribute)
            and node.func.value.attr == "mark"
        ):
            for arg in node.args:
                if isinstance(arg, ast.Constant) and isinstance(arg.value, str):
                    yield arg.value


@cache
def _trees(root: Path) -> dict[str, ast.AST]:
    return {
        str(path.relative_to(root)): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted((root / "tests").rglob("test_*.py"))
    }


def cited(root: Path = ROOT) -> dict[str, list[str]]:
    """Every cited ID with the files that cite it."""
    found: dict[str, list[str]] = {}
    for path, tree in _trees(root).items():
        for rule in citations(tree):
            found.setdefault(rule, []).append(path)
    return found


def names_of_tests(root: Path = ROOT) -> set[str]:
    """Names of all test functions."""
    return {
        node.name
        for tree in _trees(root).values()
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and node.name.startswith("test_")
    }


def game_keys(root: Path = ROOT) -> list[str]:
    """Folders of games."""
    return sorted(
        path.parent.name
        for path in (root / "engines").glob("*/__init__.py")
        if path.parent.name != "core"
    )


def uncited(key: str, root: Path = ROOT) -> list[str]:
    """Listed rules that no test cites."""
    known = cited(root)
    return [rule for rule in listed(key, root) if rule not in known]


def unlisted(key: str, root: Path = ROOT) -> list[str]:
    """Cited IDs of a game that its RULES.md does not list."""
    rows = listed(key, root)
    prefixes = {rule[:2] for rule in rows}
    return sorted(r for r in cited(root) if r[:2] in prefixes and r not in rows)


def main() -> int:
    """Print a line a game and every gap; 1 if there is one."""
    gaps = 0
    for key in game_keys():
        rows = listed(key)
        missing, strange = uncited(key), unlisted(key)
        gaps += len(missing) + len(strange) + (not rows)
        print(f"{key}: {len(rows) - len(missing)} of {len(rows)} rules are cited by a test")
        if not rows:
            print("  RULES.md lists no rule")
        for rule in missing:
            print(f"  not cited: {rule}")
        for rule in strange:
            print(f"  cited but not in RULES.md: {rule}")
    return 1 if gaps else 0


if __name__ == "__main__":
    sys.exit(main())
