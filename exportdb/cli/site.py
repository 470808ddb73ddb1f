"""``exportdb site``: the database and records as a static site."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from exportdb import resolve
from exportdb.cli import options, output
from exportdb.prose import plural

if TYPE_CHECKING:
    from exportdb.store.status import Course


@click.command("site")
@click.option(
    "--records", "records", multiple=True, metavar="FILE|DIR|RUN",
    type=click.Path(path_type=Path),
    help="A record file, a folder of them, or the ID of a run (`last` is the last); repeatable. "
    "A cell shows the latest run, and its history every run. Without a record, a cell shows what "
    "is expected.",
)  # fmt: skip
@click.option(
    "--out", required=True, metavar="DIR", type=options.Folder(),
    help="The folder to write the site to.",
)  # fmt: skip
@click.option("--url", default="", metavar="URL", help="The address the site will have: adds a "
              "sitemap and canonical links.")  # fmt: skip
@click.option("--repository", default="", metavar="URL",
              help="The address of the code on GitHub or a similar host (.../tree/BRANCH if not "
              "main); pages then link to their source. Default: `repository` in the "
              "configuration.")  # fmt: skip
@click.option("--status", "with_status", is_flag=True,
              help="Add a status page (see exportdb status), with its course over time, from the "
              "history.")  # fmt: skip
@options.history_option
@click.option("--jobs", "-j", default=1, show_default=True, type=options.Count(1), metavar="N",
              help="Number of processes.")  # fmt: skip
@click.option("--strict", is_flag=True, help="Fail on warnings and on broken links.")
@options.trees_option
@options.expectations_option
@options.home_option
@options.json_option
def command(
    records: tuple[Path, ...], out: Path, url: str, repository: str, with_status: bool,
    history: str | None, jobs: int, strict: bool, trees: tuple[Path, ...],
    expectations: Path | None, home: Path | None, as_json: bool,
) -> int:  # fmt: skip
    """Build a static site to browse, search and compare results; it needs no server.

    \b
      exportdb site --out site
      exportdb site --records torch-2.13.jsonl --records torch-2.15.jsonl --out site
      exportdb site --records .exportdb --status --out site

    Exit codes: 0 built, 2 cannot build.
    """
    from exportdb.site.build import build
    from exportdb.site.load import Inputs
    from exportdb.site.options import SiteOptions
    from exportdb.store import open_run
    from exportdb.store.home import home_folder

    config = resolve.configuration()
    files = tuple(
        (p if p.exists() else Path(open_run(str(p), home).location)).resolve() for p in records
    )
    if files:
        output.note(f"reading {', '.join(map(str, files))}")
    state = home_folder(home) / "site-state" / hashlib.sha256(bytes(out.resolve())).hexdigest()[:12]
    built = build(
        Inputs(
            files,
            tuple(t.resolve() for t in (*config.cases, *trees)),
            expectations or config.expectations,
            course=_course(trees, expectations, home, history) if with_status else None,
        ),
        SiteOptions(
            out.resolve(),
            state.resolve(),
            jobs,
            url,
            strict,
            repository or config.repository,
            _issues(repository or config.repository),
        ),
        output.note,
    )
    if built.warnings:
        output.note(built.warnings.rstrip())
    if as_json:
        output.put_json({
            "path": str(out / "index.html"), "pages": built.pages, "written": built.written,
            "warnings": built.warnings.splitlines(),
        })  # fmt: skip
        return 0
    output.put(f"{plural(built.pages, 'page')}, {built.written:,} new: {out / 'index.html'}")
    return 0


def _issues(repository: str) -> str:
    """Where an error that nothing explains is reported: what the environment names, else the page
    of the code's repository."""
    from exportdb.explain.answer import issues_page
    from exportdb.site import addresses

    named = issues_page()
    return named if named.startswith(("https://", "http://")) else addresses.issues(repository)


def _course(
    trees: tuple[Path, ...], expectations: Path | None, home: Path | None, history: str | None
) -> Course:
    """The status of the history with its past. Raises StoreError where nothing was measured."""
    from exportdb.cli.status import last_status, without_collections
    from exportdb.store.history.statuses import course_of

    with without_collections():
        database, status = last_status(None, None, trees, expectations, home, history)
        return course_of(database, status)
