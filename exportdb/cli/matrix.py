"""``exportdb matrix``: the same cases under several torch versions, side by side."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from exportdb.cli import output, running, text_report
from exportdb.cli.versions import VERSION, column_of, parsed
from exportdb.environments.wanted import EnvironmentTrouble
from exportdb.prose import plural
from exportdb.records.outcome import Outcome
from exportdb.records.record import Record
from exportdb.reports.report import counts

if TYPE_CHECKING:
    from exportdb.runner.result import RunResult

#: Where the words besides ``--torch`` are kept, in click's ``meta``.
_OTHERS = "exportdb.matrix.others"
MANY_ROWS = 40


class TorchVersions(click.Command):
    """Lets one ``--torch`` take all versions that follow it: ``--torch 2.11 2.13``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        spread: list[str] = []
        others: list[str] = []  # of a run of just one of them
        words = list(args)
        while words:
            word = words.pop(0)
            if word != "--torch":
                (spread if word.startswith("--torch=") else others).append(word)
                continue
            first = True
            while words and (first or VERSION.fullmatch(words[0])):
                spread += ["--torch", words.pop(0)]
                first = False
        ctx.meta[_OTHERS] = [word for word in others if word != "--check"]
        return super().parse_args(ctx, [*spread, *others])


@click.command("matrix", cls=TorchVersions)
@click.option(
    "--torch", "versions", multiple=True, required=True, metavar="VERSION[=PYTHON]...",
    help="One or more torch versions, each in an environment created for it, or with the "
    "interpreter named here or under `torch` in the configuration.",
)  # fmt: skip
@click.option("--check", "gate", is_flag=True, help="Exit 1 on any result not as expected.")
@running.several
@click.pass_context
def command(ctx: click.Context, /, versions: tuple[str, ...], gate: bool, **params: Any) -> int:
    """Examine cases with several torch versions, and show where they differ.

    \b
      exportdb matrix --torch 2.11 2.13 2.15
      exportdb matrix control_flow --torch 2.13 2.15=/opt/nightly/bin/python

    Each version is a separate run, compared with the expectations for that version; `exportdb diff`
    compares two of them in full.

    Exit codes: 0 all ran, 1 surprises (with --check), 2 one could not run, or a record is an error.
    """
    columns = [parsed(text, "--torch") for text in dict.fromkeys(versions)]
    runs: dict[str, RunResult] = {}
    failed = 0
    for name, python in columns:
        try:
            column = column_of(name, python)
            if not params["as_json"]:
                output.note(f"torch {name}: {column.python}")
            words = ("run", *ctx.meta[_OTHERS], "--python", str(column.python))
            settings = running.settings_of(params, words)
            # What a suite has is asked of the torch that it is examined on.
            request = running.request_of({**params, "python": column.python.absolute()})
            run = running.examine(request, settings)
        except (EnvironmentTrouble, OSError) as e:
            output.note(
                f"torch {name} cannot be used: {e}; "
                f"next: name another version, or an interpreter: --torch {name}=/path/to/python"
            )
            failed = 2
            continue
        runs[name] = run
        if run.interrupted:
            output.note(running.how_to_resume(run.id, params))
            return 130
    records = {name: list(run.briefs) for name, run in runs.items()}
    if params["as_json"]:
        _put_json(runs, records)
    else:
        _put(runs, records)
    every = [r for found in records.values() for r in found]
    if failed or any(r.outcome is Outcome.ERROR for r in every):
        return 2
    return int(gate and any(r.verdict != "expected" for r in every))


Key = tuple[str, str, str]


def _outcomes(records: dict[str, list[Record]]) -> dict[Key, dict[str, Record]]:
    """The records by program, exporter and device, then by version."""
    rows: dict[Key, dict[str, Record]] = {}
    for name, found in records.items():
        for r in found:
            rows.setdefault((r.label, r.exporter, r.device), {})[name] = r
    return rows


def _differing(rows: dict[Key, dict[str, Record]], count: int) -> dict[Key, dict[str, Record]]:
    return {
        key: cells
        for key, cells in sorted(rows.items())
        if len({r.outcome for r in cells.values()}) > 1 or len(cells) < count
    }


def _put(runs: dict[str, RunResult], records: dict[str, list[Record]]) -> None:
    rows = _outcomes(records)
    shown = _differing(rows, len(runs)) if len(rows) > MANY_ROWS else dict(sorted(rows.items()))
    several = len({key[2] for key in rows}) > 1
    if shown:
        output.table(
            ("case", "exporter", *("+".join((f"torch {n}", *r.environments[0].switches))
                                   for n, r in runs.items())),
            [
                (case, f"{exporter} {device}" if several else exporter,
                 *(text_report.cell(cells.get(name)) for name in runs))
                for (case, exporter, device), cells in shown.items()
            ],
        )  # fmt: skip
    same = len(rows) - len(_differing(rows, len(runs)))
    if rows:
        output.put(f"{same:,} of {plural(len(rows), 'result')} the same on all\n")
    for name, run in runs.items():
        output.put(f"torch {name}: {counts(records[name])}; records: {run.stored.location}")
    for older, newer in zip(list(runs.values()), list(runs.values())[1:], strict=False):
        output.put(f"next: exportdb diff {older.id} {newer.id}")


def _put_json(runs: dict[str, RunResult], records: dict[str, list[Record]]) -> None:
    output.put_json({
        "runs": [
            {"torch": name, "run": run.id, "records": run.stored.location,
             "environment": run.environments[0].to_json(),
             "verdicts": dict(Counter(r.verdict for r in records[name]))}
            for name, run in runs.items()
        ],
        "results": [
            {"case": case, "exporter": exporter, "device": device,
             "outcomes": {name: r.outcome for name, r in cells.items()}}
            for (case, exporter, device), cells in sorted(_outcomes(records).items())
        ],
    })  # fmt: skip
