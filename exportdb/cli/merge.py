"""``exportdb merge``: record files of shards, machines or exporters as one file."""

from __future__ import annotations

from pathlib import Path

import click

from exportdb.cli import options, output
from exportdb.files import write_lines
from exportdb.prose import plural
from exportdb.store.merging import MergedRun, Prefer, merge


@click.command("merge")
@options.runs_argument
@click.option(
    "--out", required=True, metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write; it may be one of those that are read.",
)  # fmt: skip
@options.prefer_option
@options.home_option
@options.json_option
def command(
    runs: tuple[str, ...], out: Path, prefer: Prefer, home: Path | None, as_json: bool
) -> int:
    """Merge record files of shards, machines or exporters into one.

    FILE is a record file or the ID of a run. A result that several files have is written once;
    different results of the same case, exporter, device and environment are an error. The
    environments of all files are kept.

    \b
      exportdb merge shard-*.jsonl --out records.jsonl
      exportdb merge records.jsonl again.jsonl --prefer newest --out records.jsonl

    Exit codes: 0 merged, 2 cannot be merged.
    """
    found = options.open_runs(runs, home)
    merged = merge(found, prefer)
    run = MergedRun(out.stem, merged)
    header = run.header
    out.parent.mkdir(parents=True, exist_ok=True)
    write_lines(out, run.lines())
    doubles, missing = len(merged.left_out), header.planned - len(merged)
    if as_json:
        output.put_json({
            "path": str(out), "read": [run.location for run in found], "results": len(merged),
            "doubles": doubles, "missing": max(missing, 0),
        })  # fmt: skip
        return 0
    told = [plural(len(found), "file"), plural(len(merged), "result")]
    told += [f"{plural(doubles, 'double')} left out"] * bool(doubles)
    told += [f"{missing:,} planned but not run"] * bool(missing)
    output.put(f"{', '.join(told)}: {out}")
    return 0
