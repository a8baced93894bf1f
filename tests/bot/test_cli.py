"""The command line as a user meets it: exit codes, sentences instead of tracebacks, no token."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.cli import COMMANDS, main, parser
from bot.config import ConfigError, Settings, checked_token, load_settings
from engines.core.registry import games
from storage.store import Store
from tests.conformance.hooks import Case
from tests.conformance.walk import Walk

ROOT = Path(__file__).parents[2]
GOOD_TOKEN = ".".join(("M" * 24, "abcdef", "x" * 38))
SECRET = "Zm9vYmFyYmF6cXV4c2VjcmV0"


def piazza(
    *args: str, cwd: Path, env: dict[str, str] | None = None, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run ``piazza`` as a user would, without any setting of this machine."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("PIAZZA_")}
    clean |= {"PYTHONPATH": str(ROOT), "COLUMNS": "100"}
    return subprocess.run(
        [sys.executable, "-m", "bot.cli", *args],
        cwd=cwd,
        env=clean | (env or {}),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No ``.env`` and no settings of this machine."""
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith("PIAZZA_"):
            monkeypatch.delenv(name)


def refused(args: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Run in this process and expect exit code 2 with one sentence."""
    assert main(args) == 2
    out, err = capsys.readouterr()
    assert not out
    lines = err.strip().splitlines()
    assert len(lines) == 1, err
    assert lines[0].startswith("piazza: ")
    assert lines[0].endswith(".")
    assert "Traceback" not in err
    return lines[0]


# ---- settings ------------------------------------------------------------------------------------


def test_a_missing_token(capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(["run"], capsys)
    assert "PIAZZA_TOKEN is missing" in said
    assert ".env.example" in said


@pytest.mark.parametrize(
    "token", [SECRET, f"Bot {SECRET}", f"{SECRET}.{SECRET}", f'"{GOOD_TOKEN}', f"{GOOD_TOKEN} x"]
)
def test_a_malformed_token_is_not_repeated(
    token: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIAZZA_TOKEN", token)
    said = refused(["run"], capsys)
    assert "does not look like a bot token" in said
    assert SECRET not in said
    assert "M" * 24 not in said


def test_a_token_is_never_shown() -> None:
    settings = Settings(_env_file=None, token=GOOD_TOKEN)  # type: ignore[call-arg, arg-type]
    assert GOOD_TOKEN not in repr(settings)
    assert GOOD_TOKEN not in str(settings.model_dump())
    assert checked_token(settings) == GOOD_TOKEN


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("PIAZZA_LOG_LEVEL", "loud", "PIAZZA_LOG_LEVEL"),
        ("PIAZZA_LOG_FORMAT", "xml", "PIAZZA_LOG_FORMAT"),
        ("PIAZZA_GUILD", "my server", "PIAZZA_GUILD"),
        ("PIAZZA_RENDER_THREADS", "0", "PIAZZA_RENDER_THREADS"),
        ("PIAZZA_RENDER_THREADS", "many", "PIAZZA_RENDER_THREADS"),
        ("PIAZZA_DB", ".", "is a folder"),
        ("PIAZZA_DB", "no/such/folder/piazza.db", "does not exist"),
    ],
)
def test_a_wrong_setting_is_named(
    name: str,
    value: str,
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PIAZZA_TOKEN", GOOD_TOKEN)
    monkeypatch.setenv(name, value)
    said = refused(["run"], capsys)
    assert words in said
    assert GOOD_TOKEN not in said


def test_settings_come_from_the_file_and_the_environment_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text(
        "PIAZZA_LOG_LEVEL=DEBUG\nPIAZZA_GUILD=\nPIAZZA_DB=a.db\n", encoding="utf-8"
    )
    monkeypatch.setenv("PIAZZA_DB", "b.db")
    found = load_settings()
    assert (found.log_level, found.guild, found.db) == ("debug", None, Path("b.db"))
    assert load_settings(db=Path("c.db")).db == Path("c.db")


def test_a_settings_file_that_is_no_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".env").write_bytes(b"PIAZZA_TOKEN=\xff\xfe\x00\n")
    assert ".env" in refused(["run"], capsys)


def test_the_example_names_every_setting() -> None:
    """``.env.example`` documents each field, its default, and nothing that does not exist."""
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    named = dict(re.findall(r"^#? ?(PIAZZA_[A-Z_]+)=(.*)$", text, re.MULTILINE))
    fields = {f"PIAZZA_{name.upper()}": field for name, field in Settings.model_fields.items()}
    assert named.keys() == fields.keys()
    for name, value in named.items():
        default = fields[name].get_default()
        shown = "" if default is None else str(default)
        assert value == (shown if name != "PIAZZA_TOKEN" else ""), name
    assert not re.search(r"^PIAZZA_TOKEN=.+$", text, re.MULTILINE)


def test_the_example_can_be_used_as_it_is(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text((ROOT / ".env.example").read_text(encoding="utf-8"))
    assert load_settings() == Settings(_env_file=None)  # type: ignore[call-arg]


# ---- help ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        main([*([command] if command else []), "--help"])
    assert done.value.code == 0
    said = capsys.readouterr().out
    assert "usage: piazza" in said
    if not command:
        assert all(name in said for name in COMMANDS)


def test_every_command_is_implemented() -> None:
    sub = next(a for a in parser()._actions if a.dest == "command")
    assert set(sub.choices) == set(COMMANDS)  # type: ignore[arg-type]


@pytest.mark.parametrize("args", [[], ["dance"], ["replay"], ["play", "--seats", "x"]])
def test_wrong_arguments(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        main(args)
    assert done.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["play", "--game", "chess"], "There is no game"),
        (["play", "--game", "paris_paris", "--seats", "9"], "is for 2, 3, 4 players, not 9"),
        (["play", "--db", "no/such/place.db"], "does not exist"),
        (["play", "--db", "."], "folder"),
    ],
)
def test_local_play_refuses_in_words(
    args: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert words in refused([*args, "--no-browser"], capsys)


def test_the_installed_command_in_a_process_of_its_own(tmp_path: Path) -> None:
    done = piazza("run", cwd=tmp_path, env={"PIAZZA_TOKEN": SECRET})
    assert done.returncode == 2
    assert done.stderr.startswith("piazza: PIAZZA_TOKEN does not look like")
    assert SECRET not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"


# ---- replay --------------------------------------------------------------------------------------


def export(key: str, path: Path) -> dict[str, Any]:
    """A finished random match in a file; returns it as JSON."""
    walk = Walk(Case(key, min(games()[key].meta.seats), {}), 5)
    for _ in walk.positions():
        pass
    path.write_bytes(msgspec.json.encode(walk.match.record()))
    found: dict[str, Any] = json.loads(path.read_bytes())
    return found


@pytest.mark.parametrize("key", sorted(games()))
def test_replay_of_a_good_export(
    key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = export(key, tmp_path / "match.json")
    assert main(["replay", str(tmp_path / "match.json")]) == 0
    out, err = capsys.readouterr()
    assert f"{len(record['entries'])} log entries replayed" in out
    assert not err


def tampered(record: dict[str, Any], how: str) -> Any:
    entries = record["entries"]
    middle = entries[len(entries) // 2]
    match how:
        case "hash":
            middle["hash"] = "0" * 32
        case "seed":
            record["seed"] = "ab" * 8
        case "start":
            record["start_hash"] = "0" * 32
        case "order":
            entries[0], entries[1] = entries[1], entries[0]
        case "left out":
            del entries[len(entries) // 2]
        case "seat":
            middle["seat"] = 99
        case "move":
            middle["move"] = '{"kind": "castle"}'
        case "no move":
            middle["move"] = None
        case "undo":
            middle.update(kind="undo", to=10**6)
        case "again":
            middle.update(kind="undo", to=0, again=[10**6])
    return record


@pytest.mark.parametrize(
    "how",
    ["hash", "seed", "start", "order", "left out", "seat", "move", "no move", "undo", "again"],
)
def test_replay_of_a_tampered_export(
    how: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "match.json"
    path.write_text(json.dumps(tampered(export("paris_paris", path), how)))
    assert main(["replay", str(path)]) == 1
    out, err = capsys.readouterr()
    assert err.startswith("Differs: ")
    assert "replayed" not in out


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[]",
        b"nonsense",
        b"\xff\xfe",
        b'{"game": "chess", "rules_version": 1, "seats": 2, "options": {}, "seed": "00",'
        b' "start_hash": "", "entries": []}',
        b'{"game": "paris_paris", "rules_version": 1, "seats": 99, "options": {}, "seed": "00",'
        b' "start_hash": "", "entries": []}',
        b'{"game": "paris_paris", "rules_version": 1, "seats": 2, "options": {}, "seed": "xyz",'
        b' "start_hash": "", "entries": []}',
        b'{"game": "paris_paris", "rules_version": 1, "seats": 2, "options": {"x": 1}, "seed":'
        b' "00", "start_hash": "", "entries": []}',
        b'{"game": "paris_paris", "rules_version": 1, "seats": 2, "options": {}, "seed": "00",'
        b' "start_hash": "", "entries": [], "deal": {"tiles": [["x"]]}}',
    ],
)
def test_replay_of_something_else(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "match.json"
    path.write_bytes(content)
    assert refused(["replay", str(path)], capsys)


def test_replay_of_a_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "cannot be read" in refused(["replay", str(tmp_path / "no.json")], capsys)
    assert "cannot be read" in refused(["replay", str(tmp_path)], capsys)


# ---- backup --------------------------------------------------------------------------------------


async def test_backup_while_a_bot_holds_the_database(tmp_path: Path) -> None:
    path, copy = tmp_path / "piazza.db", tmp_path / "copy.db"
    async with await Store.open(path) as store:
        await store.create_match(
            game="paris_paris", rules_version=1, options="{}", channel_id=5, host_id=1
        )
        done = piazza("backup", str(copy), "--db", str(path), cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "Copied" in done.stdout
        busy = piazza("run", "--db", str(path), cwd=tmp_path, env={"PIAZZA_TOKEN": GOOD_TOKEN})
        assert busy.returncode == 2, "a second bot on one database is refused"
        assert "Traceback" not in busy.stderr
        again = piazza("backup", str(copy), "--db", str(path), cwd=tmp_path)
        assert again.returncode == 2
        assert "Traceback" not in again.stderr
    async with await Store.open(copy) as store:
        assert (await store.match(1)).game == "paris_paris"


def test_backup_of_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(["backup", str(tmp_path / "c.db"), "--db", str(tmp_path / "no.db")], capsys)
    assert not (tmp_path / "c.db").exists()
    (tmp_path / "text.db").write_text("no database at all, but long enough to be one " * 50)
    assert refused(["backup", str(tmp_path / "c.db"), "--db", str(tmp_path / "text.db")], capsys)


# ---- engine --------------------------------------------------------------------------------------


def test_the_engine_door(tmp_path: Path) -> None:
    """A match of a few moves over stdin and stdout, with lines that make no sense in between."""
    lines = [
        json.dumps({"id": 1, "cmd": "new", "game": "paris_paris", "seats": 2, "seed": "05"}),
        "this is no JSON",
        "",
        json.dumps({"id": 2, "cmd": "dance"}),
        json.dumps({"id": 3, "cmd": "waiting"}),
        json.dumps({"id": 4, "cmd": "legal", "seat": 7}),
        json.dumps({"id": 5, "cmd": "apply", "seat": 0, "move": {"kind": "castle"}}),
        json.dumps([1, 2]),
        "\x00",
        json.dumps({"id": 6, "cmd": "legal", "seat": 0}),
        json.dumps({"id": 7, "cmd": "legal", "seat": 1}),
    ]
    done = piazza("engine", cwd=tmp_path, stdin="\n".join(lines) + "\n")
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len([line for line in lines if line])
    by_id = {a["id"]: a for a in answers if a["id"] is not None}
    assert "ok" in by_id[1]
    for number in (2, 4, 5):
        assert by_id[number]["error"]["text"]
    assert sum("error" in a for a in answers if a["id"] is None) == 3
    moves = by_id[6]["ok"] or by_id[7]["ok"]
    assert len(moves) == 3


def test_the_engine_door_survives_noise() -> None:
    from engines.core.door import Door

    door, rand = Door(), random.Random(1)
    door.handle(json.dumps({"cmd": "new", "game": "paris_paris", "seats": 2}))
    for _ in range(300):
        noise = bytes(rand.randrange(256) for _ in range(rand.randrange(60)))
        assert b"error" in door.handle(noise)
    assert b"ok" in door.handle(b'{"cmd": "waiting"}')


def test_configuration_errors_are_sentences() -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings(log_level="loud")
    assert "loud" not in str(caught.value)
