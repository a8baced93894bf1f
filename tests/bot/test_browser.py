"""``piazza play`` in a real browser: what a new user sees first."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

sync_api = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed (the dev extra has it)"
)

CHROMIUM = next(
    (p for name in ("chromium", "chromium-browser", "google-chrome") if (p := shutil.which(name))),
    None,
)

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="there is no Chromium (Debian: apt-get install chromium)"
)

ROOT = Path(__file__).parents[2]
PATIENCE = 60_000
"""Milliseconds to wait for something on the page; a busy machine draws slowly."""

ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def playing(db: Path, *more: str) -> Iterator[str]:
    """``piazza play`` in a process of its own; yields the page's address, then Ctrl-C."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("PIAZZA_")}
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "bot.cli", "play", "--no-browser", "--db", str(db), *more],
        cwd=db.parent,
        env=env | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    timer = threading.Timer(240, process.kill)
    timer.start()
    try:
        assert process.stdout is not None
        address = None
        for line in process.stdout:
            found = re.search(r"http://127\.0\.0\.1:\d+/#\S+", line)
            if found:
                address = found[0]
            if "Ctrl-C" in line:
                break
        assert address, "no address was printed"
        yield address
    finally:
        timer.cancel()
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 0, err
    assert "Traceback" not in err
    assert "start again with the same --db" in out


class Page:
    """The preview page of one browser tab."""

    def __init__(self, browser: Any, address: str, width: int, height: int) -> None:
        self.page = browser.new_page(bypass_csp=True, viewport={"width": width, "height": height})
        self.page.set_default_timeout(PATIENCE)
        self.page.goto(address)
        self.page.wait_for_function("window.simcordPreview && window.simcordPreview.ready")

    @property
    def messages(self) -> Any:
        return self.page.locator("article.channel-message")

    @property
    def board(self) -> Any:
        """The newest post with live buttons."""
        return self.messages.filter(has=self.page.get_by_role("button", name="My move")).last

    def turn(self) -> str:
        """Who is called by the newest board."""
        found = re.findall(r"➤ @?(\w+)", self.board.inner_text())
        return str(found[-1])

    def become(self, name: str) -> None:
        """Switch the viewer."""
        self.page.locator("#viewer-picker").select_option(label=name)
        self.page.wait_for_timeout(700)

    def slash(self, command: str, **options: str) -> None:
        """Type a command; options take the first suggestion for what is typed."""
        box = self.page.locator("#channel-composer-input")
        box.click()
        box.fill("/" + command)
        self.page.locator(
            ".command-entry", has=self.page.locator("strong", has_text="/" + command)
        ).first.click()
        form = self.page.locator("#channel-composer")
        for name, value in options.items():
            field = form.locator(f'.command-option-input[data-option="{name}"]')
            if not field.count():
                form.locator(".command-ghost").click()
                self.page.locator(
                    "#command-suggestion-listbox [role=option]", has_text=name
                ).first.click()
            field.click()
            field.fill(value)
            offered = self.page.locator("#command-suggestion-listbox [role=option]")
            offered.first.wait_for()
            offered.first.click()
        self.page.locator("#send-message").click()
        form.locator(".command-chip").wait_for(state="detached")

    def picture(self) -> str:
        """The alternative text of the board's picture, once it is there."""
        image = self.board.locator("img[alt^='Map of Paris']").last
        image.wait_for()
        self.page.wait_for_function(
            "e => e.complete && e.naturalWidth > 600", arg=image.element_handle()
        )
        return str(image.get_attribute("alt"))

    def next_turn(self, before: str) -> str:
        """Wait until somebody else is called."""
        for _ in range(PATIENCE // 250):
            if self.board.count() and self.turn() != before:
                return self.turn()
            self.page.wait_for_timeout(250)
        raise AssertionError(f"{before} is still called")

    def pick(self) -> None:
        """My move → the first answers → Confirm."""
        self.board.get_by_role("button", name="My move").click()
        for _ in range(8):
            last = self.messages.last
            last.get_by_role("combobox").or_(
                last.get_by_role("button", name="Confirm")
            ).first.wait_for()
            confirm = last.get_by_role("button", name="Confirm")
            if confirm.count():
                confirm.click()
                return
            self.choose(last.get_by_role("combobox"))
            self.page.wait_for_timeout(900)
        raise AssertionError("no Confirm")

    def choose(self, select: Any) -> None:
        """The first answer; the list closes if the message changes while it is open."""
        options = self.page.locator("[role=option]:visible")
        for _ in range(10):
            try:
                select.click(timeout=5000)
                options.first.click(timeout=3000)
            except sync_api.TimeoutError:
                continue
            return
        raise AssertionError("the select cannot be used")

    def shot(self, path: Path) -> None:
        """A screenshot, newest post in sight."""
        self.board.scroll_into_view_if_needed()
        self.page.wait_for_timeout(600)
        self.page.screenshot(path=str(path))
        assert path.stat().st_size > 10_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield made
        made.close()


@pytest.mark.timeout(420)
def test_local_play_in_the_browser(browser: Any, tmp_path: Path) -> None:
    db = tmp_path / "local.db"
    with playing(db) as address:
        page = Page(browser, address, 1280, 900)
        page.board.wait_for()
        shown = page.picture()
        assert "round 1 of 15" in shown
        tile = re.findall(r"Face up: ([^(]+) \(", shown)[0]

        # A slash command with a suggested value.
        first = page.turn()
        page.become(first)
        page.slash("paris open", tile=tile[:4])
        second = page.next_turn(first)
        page.messages.filter(has_text="Done: Open a shop").first.wait_for()
        page.shot(tmp_path / "desktop.png")

        # The next player by buttons.
        page.become(second)
        assert not page.messages.filter(has_text="Done: Open a shop").count(), "private to Ada"
        page.pick()
        third = page.next_turn(second)
        page.messages.filter(has_text="Done: Open a shop").first.wait_for()
        assert len({first, second, third}) == 3

        # A hand, and a refusal.
        page.board.get_by_role("button", name="My hand").click()
        page.messages.filter(has_text="special-route marker").last.wait_for()
        page.board.get_by_role("button", name="My move").click()
        page.messages.filter(has_text="You have nothing to do now").last.wait_for()

        # A phone.
        phone = Page(browser, address, 400, 800)
        phone.board.wait_for()
        phone.picture()
        phone.shot(tmp_path / "phone.png")
        wide = phone.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 400, "nothing sticks out on a phone"
        phone.page.close()
        page.page.close()
    with playing(db) as address:
        page = Page(browser, address, 1280, 900)
        page.board.wait_for()
        assert page.turn() == third, "the match goes on where it stood"
        assert "stands as you left it" in page.board.inner_text()
        page.become(third)
        page.pick()
        page.next_turn(third)
        page.shot(tmp_path / "again.png")
        page.page.close()
    keep = os.environ.get("PIAZZA_SCREENSHOTS")
    if keep:
        for shot in tmp_path.glob("*.png"):
            shutil.copy(shot, keep)
