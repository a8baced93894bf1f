"""RULES.md of every game: complete, cited by tests, and naming things that exist."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engines.core.registry import games
from tests import rules_coverage

ROOT = Path(__file__).parents[2]


def dossiers() -> Path | None:
    """The folder with the games' rules dossiers: in ``$PIAZZA_SHARED``, or beside the checkout."""
    places = [ROOT.parent / "shared", ROOT.parent.parent / "shared"]
    if "PIAZZA_SHARED" in os.environ:
        places.insert(0, Path(os.environ["PIAZZA_SHARED"]))
    return next((p / "games" for p in places if (p / "games").is_dir()), None)


def test_every_rule_is_cited(key: str) -> None:
    assert rules_coverage.listed(key), f"engines/{key}/RULES.md lists no rule"
    assert rules_coverage.uncited(key) == []
    assert rules_coverage.unlisted(key) == []


def test_the_script_runs() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.rules_coverage"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    gaps = any(
        rules_coverage.uncited(key)
        or rules_coverage.unlisted(key)
        or not rules_coverage.listed(key)
        for key in games()
    )
    assert done.returncode == int(gaps), done.stdout + done.stderr
    assert all(key in done.stdout for key in games())


def test_rules_list_the_whole_dossier(key: str) -> None:
    """Every ID of the dossier has a row; illegal attempt 7 of Paris Paris is PR-I07."""
    folder = dossiers()
    if folder is None or not (folder / f"{key}.md").exists():
        pytest.skip("the rules dossiers are not part of the repository and not at hand")
    text = (folder / f"{key}.md").read_text(encoding="utf-8")
    prefix = games()[key].meta.prefix
    wanted = set(re.findall(rf"\b{prefix}-(?:\d{{3}}|X\d{{2}})\b", text))
    section = re.search(r"^## [^\n]*illegal[^\n]*$(.*?)(?=^## |\Z)", text, re.M | re.S | re.I)
    assert section, "the dossier has a section on illegal attempts"
    numbers = re.findall(r"^\|\s*[A-Z]?(\d+)\s*\|", section[1], re.M)
    assert numbers
    wanted |= {f"{prefix}-I{int(n):02d}" for n in numbers}
    rows = rules_coverage.listed(key)
    assert sorted(wanted - rows.keys()) == []
    assert sorted(rows.keys() - wanted) == [], "RULES.md lists rules that the dossier has not"


def test_rules_name_tests_that_exist(key: str) -> None:
    known = rules_coverage.names_of_tests()
    for rule, row in rules_coverage.listed(key).items():
        for name in re.findall(r"\btest_\w+(?!\w*\.py)\b", row):
            if f"{name}.py" not in row:
                assert name in known, f"{rule}: there is no test {name}"


def test_marks_are_read_from_source(tmp_path: Path) -> None:
    """The scan sees decorators, several IDs, module marks and marks of parameters."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_x.py").write_text(
        "import pytest\n"
        "pytestmark = pytest.mark.rule('ZZ-001')\n"
        "@pytest.mark.rule('ZZ-002', 'ZZ-X01')\n"
        "def test_a(): ...\n"
        "@pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.rule('ZZ-I01'))])\n"
        "def test_b(x): ...\n"
    )
    folder = tmp_path / "engines" / "zz"
    folder.mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "RULES.md").write_text(
        "| rule | where | test |\n|---|---|---|\n| ZZ-001 | f | t |\n| ZZ-X01 | f | t |\n"
        "| ZZ-I01 | f | t |\n| ZZ-003 | f | t |\n"
    )
    assert rules_coverage.game_keys(tmp_path) == ["zz"]
    assert set(rules_coverage.cited(tmp_path)) == {"ZZ-001", "ZZ-002", "ZZ-X01", "ZZ-I01"}
    assert rules_coverage.uncited("zz", tmp_path) == ["ZZ-003"]
    assert rules_coverage.unlisted("zz", tmp_path) == ["ZZ-002"]
    assert rules_coverage.names_of_tests(tmp_path) == {"test_a", "test_b"}
