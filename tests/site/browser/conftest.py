"""A real browser, and one site for it: the whole database, and cases that mean harm.

The browser is the system's own Chromium. Where there is none the tests are skipped, unless
EXPORTDB_REQUIRE_BROWSER is set: then that is a failure.
"""

from __future__ import annotations

import functools
import http.server
import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from exportdb.cases import database
from exportdb.cases.database import Database
from exportdb.site import build
from exportdb.site.load import Inputs
from exportdb.site.options import SiteOptions
from tests.site.conftest import with_guides

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

#: The page on which issues with the site's database are opened.
ISSUES = "https://issues.example/new"

#: What must never run, as a title, a description, an error text.
SCRIPT = "<script>window.harmed = true</script>"
IMAGE = "<img src=x onerror='window.harmed = true'>"

HOSTILE = f'''"""
title: "{IMAGE} in a title"
description: "{SCRIPT} & <b>bold</b>"
tags: [torch.dynamic-shape]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x + len("{SCRIPT}</pre>")


def inputs():
    return (torch.ones(3),)
'''

HOSTILE_EXPECTED = f"""\
export:
  - outcome: refused
    phase: capture
    error:
      type: HostileError
      fingerprint: 00ff
      message: "{IMAGE} {SCRIPT} */ ]]> </textarea> ${{window.harmed}}"
    measured: [2.15/cpu]
"""

LONG = '''"""
title: "A_very_long_name_that_nothing_can_break_{words}"
description: "{words}"
tags: [torch.dynamic-shape]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1  # {words}


def inputs():
    return (torch.ones(3),)
'''


@pytest.fixture(scope="session")
def site(shared: Path, whole_memory: Path) -> Path:
    """The folder of a site, built once for all processes of the test run."""
    out, done = shared / "browser-site", shared / "browser-site-done"
    with FileLock(shared / "browser-site.lock"):
        if not done.exists():
            tree = shared / "browser-tree" / "hostile"
            tree.mkdir(parents=True)
            (tree / "markup.py").write_text(HOSTILE)
            (tree / "markup.yaml").write_text(HOSTILE_EXPECTED)
            (tree / "long.py").write_text(LONG.format(words="without_end_" * 30))
            options = SiteOptions(out, shared / "browser-state", strict=True, issues=ISSUES)
            with_guides(options)
            shutil.copy(whole_memory, options.state / "memory.sqlite")
            build.build(Inputs(trees=(tree.parent,)), options)
            done.touch()
    return out


@functools.cache
def whole_database() -> Database:
    """The database, read once."""
    return database.load()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        say = pytest.fail if os.environ.get("EXPORTDB_REQUIRE_BROWSER") else pytest.skip
        say(f"needs a browser: one of {', '.join(BROWSERS)}", pytrace=False)
    with sync_playwright() as playwright:
        # A container's root may not use the sandbox; the pages are our own.
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@dataclass
class Visit:
    """A page of the site in the browser, with what it asked for and complained of."""

    page: Page
    root: str
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def go(self, name: str) -> Page:
        """Open a page of the site by its address in it."""
        self.page.goto(self.root + name)
        return self.page

    def titles(self) -> list[str]:
        """The titles of the cases in the explorer's table, in order."""
        return self.page.locator("a.xdb-case").all_text_contents()

    def ids(self) -> list[str]:
        """The IDs of the cases in the explorer's table, in order."""
        return self.page.locator("#xdb-cases tbody th > code").all_text_contents()

    def said(self) -> str:
        """What the explorer says it found."""
        return self.page.locator("[role=status]").inner_text()

    def paste(self, selector: str, text: str) -> None:
        """Paste a text as a user does."""
        self.page.locator(selector).focus()
        self.page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
        self.page.keyboard.press("ControlOrMeta+V")


Open = Callable[..., Visit]


@pytest.fixture
def visit(browser: Browser, site: Path) -> Iterator[Open]:
    """Opens a window on the site. When the test is over no page may have asked for anything outside
    the site or complained of anything."""
    contexts: list[BrowserContext] = []
    visits: list[Visit] = []

    def open_window(root: str = site.as_uri() + "/", **options: Any) -> Visit:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        contexts.append(context)
        seen = Visit(context.new_page(), root)
        seen.page.on("request", lambda request: seen.requests.append(request.url))
        seen.page.on("pageerror", lambda error: seen.complaints.append(str(error)))
        seen.page.on(
            "console",
            lambda said: said.type in ("error", "warning") and seen.complaints.append(said.text),
        )
        visits.append(seen)
        return seen

    yield open_window
    for seen in visits:
        assert seen.complaints == []
        assert [url for url in seen.requests if not url.startswith((seen.root, "data:"))] == []
        assert seen.page.evaluate("window.harmed") is None
    for context in contexts:
        context.close()


@pytest.fixture
def hosted(site: Path) -> Iterator[str]:
    """The address of the site on a server of its own, in a folder of the host."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def send_error(self, code: int, *_: Any, **__: Any) -> None:
            """As hosts do: the page for what is missing, whatever was asked for."""
            said = (site / "404.html").read_bytes()
            self.send_response(code)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(said)

    handler = functools.partial(Quiet, directory=str(site.parent))
    with http.server.ThreadingHTTPServer(("localhost", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_address[1]}/{site.name}/"
        server.shutdown()


def kind_of(site: Path, path: Path) -> str:
    """The kind of a page: what it says of itself, or where it lies; "" for what is no page."""
    text = path.read_text(encoding="utf-8")
    if "<body" not in text or 'http-equiv="refresh"' in text or "_static" in path.parts:
        return ""
    if found := re.search(r'<body[^>]* data-kind="([^"]*)"', text):
        return found[1]
    name = path.relative_to(site).as_posix()
    return name if name in ("search.html", "genindex.html", "py-modindex.html") else "guide"


def _columns(path: Path) -> int:
    """The most cells in a row of a page."""
    return max(row.count("<td") for row in path.read_text(encoding="utf-8").split("<tr"))


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[str, list[Path]]:
    """The pages of the site by kind, the shortest first."""
    found: dict[str, list[Path]] = {}
    for path in sorted(site.rglob("*.html"), key=lambda p: p.stat().st_size):
        if kind := kind_of(site, path):
            found.setdefault(kind, []).append(path)
    return found


@pytest.fixture(scope="session")
def kinds(site: Path, pages: dict[str, list[Path]]) -> dict[str, str]:
    """The address of a page of each kind, by kind: the longest, as it has most on it; and that of
    the ``widest`` case, whose support matrix has most columns.
    """
    found = {kind: paths[-1] for kind, paths in pages.items()}
    found["widest"] = max(site.glob("cases/**/*.html"), key=_columns)
    return {kind: path.relative_to(site).as_posix() for kind, path in found.items()}


@pytest.fixture(scope="session")
def typical(site: Path, pages: dict[str, list[Path]]) -> dict[str, str]:
    """The address of a page of each kind, by kind: the one of middle length."""
    middle = {kind: paths[len(paths) // 2] for kind, paths in pages.items()}
    return {kind: path.relative_to(site).as_posix() for kind, path in middle.items()}
