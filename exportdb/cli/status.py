"""``exportdb status``: what is supported now, and what changed since the last run and last week."""

from __future__ import annotations

import contextlib
import gc
import importlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from exportdb import resolve
from exportdb.cli import options, output
from exportdb.store.protocol import StoreError

if TYPE_CHECKING:
    from exportdb.store.history.connection import HistoryDatabase
    from exportdb.store.status import Status, Waiver

#: The forms; all but ``text`` and ``json`` are modules of ``exportdb.reports.status``.
FORMS = ("text", "markdown", "json", "atom", "prometheus")
#: How many changes a terminal is told of.
MOST = 20


@click.command("status")
@click.option("--torch", metavar="VERSION",
              help="The minor version of torch to report on. Default: that of the last run.",
)  # fmt: skip
@click.option("--format", "form", type=click.Choice(FORMS), default="text", show_default=True,
              help="markdown: for a post; json: see exportdb schema status; atom: a feed of "
              "changes; prometheus: metrics.")  # fmt: skip
@click.option("--scored", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              metavar="FILE", help="A list of cases to score, one ID per line, instead of the "
              "one frozen with the last release.")  # fmt: skip
@click.option(
    "--alert", is_flag=True, help="Exit 1 if anything came out worse than in the last run."
)
@options.trees_option
@options.expectations_option
@options.home_option
@options.history_option
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def command(
    torch: str | None, form: str, scored: Path | None, alert: bool, trees: tuple[Path, ...],
    expectations: Path | None, home: Path | None, history: str | None, as_json: bool,
) -> int:  # fmt: skip
    """Show what is supported now, and what changed since the last run and last week.

    Runs that began within half a day before the last one count as part of it, like the shards of a
    night. Only results that both nights have are compared.

    \b
      exportdb status
      exportdb status --format markdown > status.md
      exportdb status --alert

    Exit codes: 0 shown, 1 something came out worse (with --alert), 2 nothing was measured.
    """
    with without_collections():
        _, status = last_status(torch, scored, trees, expectations, home, history)
    from exportdb.reports.status import alerts

    form = "json" if as_json else form
    if form == "text":
        _print(status)
    elif form == "json":
        output.put_json(status.to_json())
    else:
        module = importlib.import_module(f"exportdb.reports.status.{form}")
        output.put(module.render(status).rstrip("\n"))
    if alert and (found := alerts(status)):
        for line in found:
            output.note(f"alert: {line}")
        return 1
    return 0


@contextlib.contextmanager
def without_collections() -> Iterator[None]:
    """What a night measured is kept to the end: looking for garbage in it costs a fifth of the
    time, and finds none."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def last_status(
    torch: str | None, scored: Path | None, trees: tuple[Path, ...], expectations: Path | None,
    home: Path | None, history: str | None,
) -> tuple[HistoryDatabase, Status]:  # fmt: skip
    """The history that is meant, and the status of its last measurement. Raises StoreError."""
    from exportdb.cases.database import builtin_tree, redirects
    from exportdb.records.expectation_files import Expectations
    from exportdb.store import score
    from exportdb.store.waivers import waivers

    database = options.open_history(home, history)
    tree = builtin_tree()
    listed = score.newest_list(tree)
    if scored:
        listed = scored.stem, score.read_list(scored, redirects(tree))
    found = None
    if database is not None:
        from exportdb.store.history.statuses import status_of

        def held(version: str) -> tuple[Waiver, ...]:
            known = Expectations({}, resolve.own_expectations(expectations))
            return waivers(resolve.load(trees), known, version)

        found = status_of(database, torch, listed, held)
    if database is None or found is None:
        about = f" with torch {torch}" if torch else ""
        raise StoreError(f"nothing was measured{about} yet; begin with exportdb run")
    return database, found


def _print(status: Status) -> None:
    from exportdb.reports import status as words

    output.put(f"{words.title(status)}\n{words.compared(status)}\n")
    rows = [words.cells(row) for row in status.rows]
    used = [i for i in range(len(words.HEADER)) if any(row[i] not in ("", ".") for row in rows)]
    output.table([words.HEADER[i] for i in used], [[row[i] for i in used] for row in rows])
    if status.scores:
        output.put(f"\nscores over the list {status.scores[0].cases}:")
        header = ("exporter", "score", "compared", "weakest areas")
        output.table(header, [words.told_score(s) for s in status.scores])
    for name, lines in words.lists(status).items():
        _list(name, lines)
    if status.newly_failing:
        one = status.newly_failing[0]
        output.put(f"\nnext: exportdb log {one.case} --exporter {one.exporter}")


def _list(name: str, lines: Sequence[str]) -> None:
    if lines:
        output.put(f"\n{name} ({len(lines):,}):")
        for line in lines[:MOST]:
            output.put(f"  {line}")
        if len(lines) > MOST:
            output.put(f"  and {len(lines) - MOST:,} more")
