"""What ``run`` and ``check`` share: their options, and the way from those to a reported run.

Owns turning a command line into a plan for ``exportdb.runner`` and a finished run into an exit
code. What is examined how is left to the runner; what is said about it to ``exportdb.cli.report``.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from exportdb.cases.case import Case
from exportdb.cases.database import SelectionError
from exportdb.cli import expected, options, output, report
from exportdb.records.record import Record

if TYPE_CHECKING:
    from exportdb.runner.plan import Examination
    from exportdb.runner.run import Run

F = TypeVar("F", bound=Callable[..., Any])


class _Shard(click.ParamType):
    name = "shard"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        index, _, count = str(value).partition("/")
        if not (index.isdecimal() and count.isdecimal() and 1 <= int(index) <= int(count)):
            self.fail(f"{value!r} is no shard; give its number and how many there are, like 2/5")
        return int(index), int(count)


def running(command: F) -> F:
    """The options of a command that examines."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    options.selecting,
    options.outcome_option,
    options.exporters_option,
    options.devices_option,
    options.expectations_option,
    click.option("--jobs", "-j", type=click.IntRange(min=1), metavar="N",
                 help="Examinations at a time. Default: one per core."),
    click.option("--timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
                 help="Time one examination may take, unless its case says otherwise."),
    click.option("--fresh", is_flag=True, help="Examine again what is known already."),
    click.option("--shard", type=_Shard(), metavar="I/N", help="Just the I-th of N equal parts."),
    click.option("--resume", is_flag=False, flag_value="last", metavar="RUN",
                 help="Go on with a run that was interrupted; by default the last."),
    click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                 help="Also write the records to this file."),
    options.json_option,
)  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """The options of one ``run`` or ``check``, as click hands them over."""

    patterns: tuple[str, ...]
    tags: tuple[str, ...]
    trees: tuple[Path, ...]
    outcomes: tuple[str, ...]
    exporters: tuple[str, ...]
    devices: tuple[str, ...]
    expectations: Path | None
    jobs: int | None
    timeout: float | None
    fresh: bool
    shard: tuple[int, int] | None
    resume: str | None
    out: Path | None
    as_json: bool


def execute(asked: Asked, gate: bool) -> int:
    """Examine what was asked for, report it, and say how it went as an exit code.

    With ``gate``, anything but the verdict ``expected`` is 1. An ``error`` record and a case that
    cannot be read are 2 either way; an interrupted run is 130.
    """
    selection = options.select(asked.patterns, asked.tags, asked.trees)
    for error in selection.broken:
        output.note(f"exportdb: {error}")
    run, known = _examine(asked, selection.cases)
    if asked.out is not None:
        asked.out.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(run.path, asked.out)
    if asked.as_json:
        with run.path.open(encoding="utf-8") as lines:
            for line in lines:
                output.put(line.rstrip("\n"))
    else:
        _report(run, known, gate)
    if run.interrupted:
        output.note(f"interrupted; go on with: exportdb run --resume {run.id}")
        return 130
    if selection.broken or any(r.outcome == "error" for r in run.records):
        return 2
    return int(gate and any(r.verdict != "expected" for r in run.records))


def _examine(asked: Asked, cases: Sequence[Case]) -> tuple[Run, report.Known]:
    from exportdb.cli.progress import Progress
    from exportdb.runner import run as runner
    from exportdb.runner.settings import Settings

    plan = _plan(asked, cases)
    shelf = expected.shelf(asked.expectations)
    given = {"jobs": asked.jobs, "timeout": asked.timeout, "resume": asked.resume}
    settings = Settings(fresh=asked.fresh, **{k: v for k, v in given.items() if v is not None})  # type: ignore[arg-type]
    with Progress() as progress:
        run = runner.run(plan, settings, expected.judging(shelf, cases), progress)
    by_id = {c.id: c for c in cases}
    return run, lambda record: expected.expectation_of(shelf, by_id, record)


def _plan(asked: Asked, cases: Sequence[Case]) -> list[Examination]:
    from exportdb.conformance.options import Options
    from exportdb.runner.plan import Examination

    exporters = options.exporter_refs(asked.exporters)
    devices = options.device_refs(asked.devices)
    plan = [
        Examination(case, exporter, device, Options(), case.meta.timeout or asked.timeout)
        for case in cases
        for exporter in exporters
        for device in devices
    ]
    if asked.outcomes:
        shelf = expected.shelf(asked.expectations)
        plan = [
            e for e in plan
            if expected.outcomes(shelf, e.case, e.device.name).get(e.exporter.name) in asked.outcomes
        ]  # fmt: skip
        if not plan:
            raise SelectionError(f"nothing selected is expected to be {' or '.join(asked.outcomes)}")
    return plan


def _report(run: Run, known: report.Known, gate: bool) -> None:
    records: list[Record] = list(run.records)
    report.support(records)
    report.errors(records)
    report.surprises(records, known)
    output.put()
    output.put(f"{output.plural(len(records), 'result')}: {report.counts(records)}")
    report.slowest(records)
    output.put(f"records: {run.path}")
    if hint := report.accept_hint(records):
        output.put(f"next: {hint}" + ("" if gate else "  (exportdb check gates on surprises)"))
