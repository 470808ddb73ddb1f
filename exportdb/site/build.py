"""Builds the whole site: pages of the model and hand-written guides through Sphinx, then the rest.

Owns the folders, and that nothing is made that has not changed. What is remembered for that lies in
a state folder, which may be removed at any time.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import importlib.util
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from exportdb.files import write_whole
from exportdb.site import links
from exportdb.site.load import Inputs, SiteError, load
from exportdb.site.model import Site
from exportdb.site.options import Say, SiteOptions

#: How many broken links are named; the rest is counted.
MOST_LINKS = 20
INSTALL = "pip install 'exportdb[site]'"


@dataclass(frozen=True)
class BuildResult:
    """What was built: pages in all, pages written anew, and what Sphinx warned of."""

    pages: int
    written: int
    warnings: str


def build(inputs: Inputs, options: SiteOptions, say: Say = lambda _: None) -> BuildResult:
    """Build the site. Raises SiteError, and what :func:`exportdb.site.load.load` raises."""
    needed = ("sphinx", "pydata_sphinx_theme", "myst_parser", "jinja2")
    if missing := [name for name in needed if importlib.util.find_spec(name) is None]:
        raise SiteError(f"building the site needs {', '.join(missing)}; install with: {INSTALL}")
    with _alone(options.state, say), _seldom_collecting():
        say("reading cases, expectations and records")
        site = load(inputs, options.state / "memory.sqlite")
        built = _write(site, options, say)
        if options.strict:
            say("checking links")
            if broken := links.check(options.out):
                listed = "\n".join(map(str, broken[:MOST_LINKS]))
                raise SiteError(f"{len(broken)} broken links:\n{listed}")
    return built


def _write(site: Site, options: SiteOptions, say: Say) -> BuildResult:
    """Write what is not as it was, and remove what an earlier build wrote and this one has not."""
    from exportdb.site import extra_files, index, pages, through_sphinx

    say(f"writing the pages of {len(site.cases):,} cases")
    state = options.state / "written.json"
    before = json.loads(state.read_text(encoding="utf-8")) if state.is_file() else {}
    for name, text in index.scripts(site, options.issues).items():
        write_if_changed(options.state / "static" / name, text)
    own = through_sphinx.OwnPages(list(pages.drafts(site)), before, options.jobs, say)
    documents, warnings = through_sphinx.run(site, own, options)
    files = dict(extra_files.files(site, [*own.keys, *documents], options.url))
    for name, text in files.items():
        write_if_changed(options.out / name, text)
    now = {**dict.fromkeys(files, ""), **{f"{d}.html": "" for d in documents},
           **{f"{page}.html": key for page, key in own.keys.items()}}  # fmt: skip
    for gone in before.keys() - now.keys():
        (options.out / gone).unlink(missing_ok=True)
    write_if_changed(state, json.dumps(now))
    return BuildResult(len(own.keys), own.written, warnings)


def write_if_changed(path: Path, text: str) -> bool:
    """Write a file unless it says so already; whether it was written."""
    raw = text.encode("utf-8", "replace")  # a record may hold half a surrogate pair
    if path.is_file() and path.read_bytes() == raw:
        return False
    write_whole(path, raw)
    return True


@contextlib.contextmanager
def _alone(state: Path, say: Say) -> Iterator[None]:
    """Wait until no other process builds from this state: both would write the same files."""
    state.mkdir(parents=True, exist_ok=True)
    with (state / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another build of this site")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def _seldom_collecting() -> Iterator[None]:
    """Let Python look for garbage less often. Left alone it walks the whole model again and again
    and finds nothing; counting frees nearly all that a build throws away.
    """
    before = gc.get_threshold()
    gc.set_threshold(200_000, 5, 5)
    try:
        yield
    finally:
        gc.set_threshold(*before)
