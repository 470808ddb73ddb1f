"""``exportdb history``: the database behind ``log``, ``status``, ``diff``: filled, kept small."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from exportdb import resolve
from exportdb.cli import options, output
from exportdb.prose import plural
from exportdb.store.protocol import StoreError

if TYPE_CHECKING:
    from exportdb.store.history.connection import HistoryDatabase


@click.group("history")
def command() -> None:
    """Import, export and prune recorded results.

    Runs are kept as record files; the history is the database that log, status and diff query.
    Runs of the home folder are imported into its file history.db automatically. A team can name
    a shared database with --history and import into it.
    """


@command.command("import", short_help="Import record files or runs.")
@options.runs_argument
@options.home_option
@options.history_option
def import_(runs: tuple[str, ...], home: Path | None, history: str | None) -> int:
    """Import record files or runs; results that are already there are kept.

    \b
      exportdb history import records-*.jsonl
      exportdb history import last --history postgresql+psycopg://exportdb@server/exportdb

    An import that was interrupted can be repeated.

    Exit codes: 0 imported, 2 cannot import.
    """
    from exportdb.store.history.importing import ImportCounts, add_run

    found = options.open_runs(runs, home)
    database = _opened(home, history)
    total = ImportCounts()
    for run in found:
        total += add_run(database, run)
    words = [plural(len(found), "file"), plural(total.found, "result")]
    words.append(f"{total.added:,} new")
    words += [f"{total.pruned:,} of runs that were pruned"] * bool(total.pruned)
    output.put(f"{', '.join(words)}: {database.location}")
    return 0


@command.command()
@click.argument("runs", metavar="[RUN]...", nargs=-1, shell_complete=options.complete_runs)
@click.option(
    "--out", required=True, metavar="DIR", type=options.Folder(),
    help="The folder to write to, with a file RUN.jsonl for each run.",
)  # fmt: skip
@options.home_option
@options.history_option
def export(runs: tuple[str, ...], out: Path, home: Path | None, history: str | None) -> int:
    """Export runs as record files; by default all of them.

    RUN is the ID of a run, a day (2026-11-01) or a version (torch==2.13).

    \b
      exportdb history export --out kept
    """
    from exportdb.files import write_lines
    from exportdb.store.history.reading import named, run_names

    database = _opened(home, history)
    out.mkdir(parents=True, exist_ok=True)
    count = 0
    for name in runs or run_names(database):
        if (run := named(database, name)) is None:
            raise StoreError(f"nothing of {name} is in the history {database.location}")
        write_lines(out / f"{run.header.run}.jsonl", run.lines())
        count += 1
    output.put(f"{plural(count, 'file')}: {out}")
    return 0


@command.command(short_help="Remove old runs.")
@click.option("--keep-days", type=options.Count(min=0), required=True, metavar="N",
              help="Keep the runs that began in the last N days.")  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Only say what would be removed.")
@click.option("--files", is_flag=True,
              help="Also remove the record files of these runs from the home folder.")  # fmt: skip
@options.home_option
@options.history_option
def prune(
    keep_days: int, dry_run: bool, files: bool, home: Path | None, history: str | None
) -> int:
    """Remove old runs from the history, and the results and texts that only they had.

    \b
      exportdb history prune --keep-days 400 --dry-run
      exportdb history prune --keep-days 400 --files
    """
    from exportdb.store.history import pruning
    from exportdb.store.home import home_path

    database = _opened(home, history)
    before = round((time.time() - keep_days * 86400) * 1000)
    gone = pruning.prune(database, before, dry_run)
    paths = [p for name in gone.runs if (p := home_path(home) / "runs" / f"{name}.jsonl").is_file()]
    for path in paths if files and not dry_run else ():
        path.unlink()
    words = [plural(len(gone.runs), "run"), plural(gone.records, "record")]
    words += [f"{gone.results:,} results and {gone.texts:,} texts that only they had"] * (
        not dry_run
    )
    words += [plural(len(paths), "file")] * files
    verb = "would be removed from" if dry_run else "removed from"
    output.put(f"{', '.join(words)} {verb} {database.location}")
    return 0


@command.command(short_help="Show where the history is and what it holds.")
@options.home_option
@options.history_option
@options.json_option
def info(home: Path | None, history: str | None, as_json: bool) -> int:
    """Show where the history is, how much it holds and which time it covers."""
    from exportdb.store.history.reading import counts

    database = _opened(home, history)
    facts = {"location": database.location, **counts(database)}
    if as_json:
        output.put_json(facts)
    else:
        for name, value in facts.items():
            told = f"{value:,}" if isinstance(value, int) else value
            output.put(f"{name + ':':<14} {told}")
    return 0


def _opened(home: Path | None, given: str | None) -> HistoryDatabase:
    """The history; an empty one where there was never a run. Raises StoreError."""
    if (database := options.open_history(home, given)) is not None:
        return database
    from exportdb.store.history.connection import HistoryDatabase
    from exportdb.store.history.place import history_url
    from exportdb.store.home import home_folder

    return HistoryDatabase(history_url(home_folder(home), given, resolve.configuration().history))
