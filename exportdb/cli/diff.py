"""``exportdb diff``: two runs, two torch versions or two exporters side by side."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from exportdb.cli import options, output
from exportdb.records.environment import Environment
from exportdb.records.jsonl import Header
from exportdb.records.record import Record
from exportdb.store import compare, open_run


@click.command("diff")
@click.argument("before", metavar="A")
@click.argument("after", metavar="[B]", required=False)
@click.option(
    "--exporters",
    "pair",
    nargs=2,
    metavar="X Y",
    default=None,
    shell_complete=options.complete_exporters,
    help="Compare two exporters within the run A.",
)
@click.option("--verbose", "-v", is_flag=True, help="Show how graphs differ.")
@options.home_option
@options.json_option
def command(
    before: str, after: str | None, pair: tuple[str, str] | None, verbose: bool, home: Path | None,
    as_json: bool,
) -> int:  # fmt: skip
    """Compare two record files or runs: what improved, regressed, changed, is new or gone.

    A and B are record files or IDs of runs; `last` is the last run.

    \b
      exportdb diff torch-2.13.jsonl torch-2.15.jsonl
      exportdb diff last --exporters export export-strict -v

    Exit codes: 0 the same, 1 different, 2 cannot compare.
    """
    if (after is None) == (pair is None):
        raise click.UsageError("give a second run to compare with, or --exporters X Y, not both")
    old = open_run(before, home)
    records = list(old.records())
    if pair is not None:
        names = {r.exporter for r in records}
        if missing := [name for name in pair if name not in names]:
            raise click.UsageError(
                f"{old.location} has no result of {missing[0]}; it has {', '.join(sorted(names))}"
            )
        changes = compare.compare_exporters(records, *pair)
    else:
        assert after is not None
        new = open_run(after, home)
        others = list(new.records())
        changes = compare.compare(records, others)
        if not as_json and old.header.environments != new.header.environments:
            output.put(f"A: {_made(old.header, records)}\nB: {_made(new.header, others)}\n")
    if as_json:
        output.put_lines(c.to_json() for c in changes)
    else:
        _print(changes, verbose)
    return int(bool(changes))


def _made(header: Header, records: Sequence[Record]) -> str:
    """Where the records of a run were made, each place once."""
    used = {r.env for r in records}
    places = [e for e in header.environments if e.digest in used] or header.environments
    return "; ".join(dict.fromkeys(map(_told, places)))


def _told(e: Environment) -> str:
    words = [f"torch {e.torch}", f"Python {e.python}", e.platform, *e.switches]
    return ", ".join([*words, e.accelerator] if e.accelerator else words)


def _print(changes: Sequence[compare.Change], verbose: bool) -> None:
    rows = [(c.kind, c.key[1], c.key[2], c.key[3], _what(c)) for c in changes]
    if rows:
        output.table(("change", "case", "exporter", "device", "what"), rows)
    if verbose:
        for change in changes:
            if change.graph_diff:
                output.put(f"\n{' · '.join(change.key[1:])}")
                output.put(textwrap.indent(change.graph_diff.rstrip("\n"), "  "))
    counts = Counter(c.kind for c in changes)
    output.put(
        ", ".join(f"{counts[k]:,} {k}" for k in compare.KINDS if counts[k]) or "no difference"
    )
    if not verbose and any(c.graph_diff for c in changes):
        output.note("-v shows how graphs differ")


def _what(change: compare.Change) -> str:
    if change.before is None or change.after is None:
        one = change.before or change.after
        return one.outcome if one else ""
    if change.before.outcome != change.after.outcome:
        return f"{change.before.outcome} -> {change.after.outcome}"
    return f"{change.after.outcome}: {', '.join(change.differs)}"
