"""Builds the whole site: pages of the model and hand-written guides through Sphinx, then the rest.

Owns the folders, and that nothing is written that has not changed: Sphinx then does only what is
needed. Sources and Sphinx's own state live in a folder that may be removed at any time.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from exportdb.site import collector, links
from exportdb.site.load import Inputs, SiteError, load
from exportdb.site.model import Site
from exportdb.site.options import Options, Say
from exportdb.site.page import SUFFIX, Draft

#: How many broken links are named; the rest is counted.
MOST_LINKS = 20
#: For so many new pages it is not worth while to start further processes.
FEW = 200
INSTALL = "pip install 'exportdb[site]'"


@dataclass(frozen=True)
class Built:
    """What was built: pages in all, pages written anew, and what Sphinx warned of."""

    pages: int
    written: int
    warnings: str


def build(inputs: Inputs, options: Options, say: Say = lambda _: None) -> Built:
    """Build the site. Raises SiteError, and what :func:`exportdb.site.load.load` raises."""
    _require()
    with _alone(options.state, say), collector.seldom():
        return _build(inputs, options, say)


def _build(inputs: Inputs, options: Options, say: Say) -> Built:
    from exportdb.site import index, pages, shown, sphinx_run

    say("reading cases, expectations and records")
    site = load(inputs, options.state / "memory.sqlite")
    shown.provide(inputs, site)
    source = options.state / "source"
    say(f"writing the pages of {len(site.cases):,} cases")
    drafts = list(pages.drafts(site))
    written = _write_pages(source, drafts, options.state / "keys.json")
    kept = {source / f"{d.name}{SUFFIX}" for d in drafts}
    guides = documentation()
    for path in guides.rglob("*.md"):
        target = source / path.relative_to(guides)
        written += write_if_changed(target, path.read_text(encoding="utf-8"))
        kept.add(target)
    _remove_others(source, kept)
    write_if_changed(options.state / "static" / index.FILE, index.script(site))
    jobs = options.jobs if written > FEW else 1
    warnings = sphinx_run.run(guides, source, inputs, replace(options, jobs=jobs), say)
    documents = [p.relative_to(source).with_suffix("").as_posix() for p in kept]
    _finish(site, documents, options)
    if options.strict:
        say("checking links")
        if broken := links.check(options.out):
            listed = "\n".join(map(str, broken[:MOST_LINKS]))
            raise SiteError(f"{len(broken)} links do not hold:\n{listed}")
    return Built(len(drafts), written, warnings)


def _finish(site: Site, documents: list[str], options: Options) -> None:
    """Write what stands beside the pages, and remove what an earlier build left."""
    from exportdb.site import finish

    extras = dict(finish.extras(site, documents, options.url))
    for name, text in extras.items():
        write_if_changed(options.out / name, text)
    now = {*extras, *(f"{d}.html" for d in documents)}
    memory = options.state / "files.json"
    before = set(json.loads(memory.read_text(encoding="utf-8"))) if memory.is_file() else set()
    finish.remove_gone(options.out, before, now)
    write_if_changed(memory, json.dumps(sorted(now)))


def _write_pages(source: Path, drafts: list[Draft], memory: Path) -> int:
    """Make the pages that are made from something else than when ``memory`` was written, and write
    those that say something else than before; how many these are.
    """
    before = json.loads(memory.read_text(encoding="utf-8")) if memory.is_file() else {}
    written = 0
    for draft in drafts:
        path = source / f"{draft.name}{SUFFIX}"
        if before.get(draft.name) != draft.key or not path.is_file():
            written += write_if_changed(path, draft.make().dump())
    write_if_changed(memory, json.dumps({d.name: d.key for d in drafts}))
    return written


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


def documentation() -> Path:
    """The folder of the hand-written guides."""
    package = Path(__file__).parent.parent
    installed = package / "documentation"  # in a wheel
    return installed if installed.is_dir() else package.parent / "docs"  # in a checkout


def write_if_changed(path: Path, text: str) -> bool:
    """Write a file unless it says so already; whether it was written."""
    raw = text.encode("utf-8", "replace")  # a record may hold half a surrogate pair
    if path.is_file() and path.read_bytes() == raw:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_bytes(raw)
    temporary.replace(path)
    return True


def _remove_others(folder: Path, kept: set[Path]) -> None:
    for path in folder.rglob("*"):
        if path.is_file() and path not in kept:
            path.unlink()


def _require() -> None:
    import importlib.util

    needed = ("sphinx", "pydata_sphinx_theme", "myst_parser", "jinja2")
    if missing := [name for name in needed if importlib.util.find_spec(name) is None]:
        raise SiteError(f"building the site needs {', '.join(missing)}; install with: {INSTALL}")


def clear(state: Path) -> None:
    """Forget earlier builds, so that the next one makes everything anew."""
    shutil.rmtree(state, ignore_errors=True)
