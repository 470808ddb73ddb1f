"""What ``run`` and ``check`` share: their options, and the way from those to a reported run.

Owns turning a command line into a plan for ``exportdb.runner`` and a finished run into an exit
code. What is examined how is left to the runner; what is said about it to ``exportdb.cli.report``.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from exportdb.cases.database import SelectionError
from exportdb.cli import options, output, report
from exportdb.records.outcome import Outcome

if TYPE_CHECKING:
    from exportdb.runner.request import Request
    from exportdb.runner.result import RunResult

F = TypeVar("F", bound=Callable[..., Any])

#: Where the command's words are kept for a run to be resumed, in click's ``meta``.
WORDS = "exportdb.words"


def running(command: F) -> F:
    """The options of a command that examines."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def several(command: F) -> F:
    """The options of a command that makes several runs."""
    for option in reversed(_SHARED):
        command = option(command)
    return command


_SHARED: tuple[Callable[[Any], Any], ...] = (
    options.selecting,
    options.outcome_option,
    options.exporters_option,
    options.devices_option,
    options.new_expectations_option,
    options.switches_option,
    click.option("--repeat", type=click.IntRange(min=1), metavar="N", default=1,
                 show_default=True,
                 help="Capture so many times; another graph is the finding "
                 "graph-differs-on-rerun."),
    click.option("--jobs", "-j", type=click.IntRange(min=1), metavar="N",
                 help="Examinations at a time. Default: one per core."),
    click.option("--timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
                 help="Time one examination may take, unless its case says otherwise."),
    click.option("--fresh", is_flag=True, help="Examine again what is known already."),
    options.home_option,
    options.json_option,
)  # fmt: skip

_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    *_SHARED,
    click.option("--python", type=click.Path(exists=True, dir_okay=False, path_type=Path),
                 metavar="PYTHON", help="Examine with this interpreter instead of our own; "
                 "it needs torch and what exportdb itself requires."),
    click.option("--shard", metavar="I/N",
                 help="Just the I-th of N parts of about one size; what is in one stays in it."),
    click.option("--resume", is_flag=False, flag_value="last", metavar="RUN",
                 help="Go on with an interrupted run, by default the last, with its options; "
                 "of those given now, just --jobs, --json and --out count."),
    click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                 help="Also write the records to this file."),
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
    switches: tuple[str, ...]
    repeat: int
    jobs: int | None
    timeout: float | None
    fresh: bool
    home: Path | None
    as_json: bool
    shard: str | None = None
    resume: str | None = None
    out: Path | None = None
    python: Path | None = None


def execute(asked: Asked, gate: bool) -> int:
    """Examine what was asked for, report it, and say how it went as an exit code.

    With ``gate``, anything but the verdict ``expected`` is 1. An ``error`` record and a case that
    cannot be read are 2 either way; an interrupted run is 130.
    """
    if asked.resume is not None:
        asked = _as_before(asked)
    if asked.expectations is not None and not asked.expectations.is_dir():
        lacking = f"there is no folder {asked.expectations}"
        if gate:  # against nothing, most likely because of a slip of the pen
            raise SelectionError(lacking)
        output.note(f"{lacking} yet: nothing of your own is expected")
    run = examine(asked, resolved(asked))
    if asked.out is not None:
        asked.out.parent.mkdir(parents=True, exist_ok=True)
        with asked.out.open("w", encoding="utf-8") as out:
            out.writelines(run.stored.lines())
    if asked.as_json:
        for line in run.stored.lines():
            output.put(line.rstrip("\n"))
    else:
        _report(run, gate)
    if run.interrupted:
        output.note(f"interrupted; go on with: exportdb run --resume {run.id}")
        return 130
    if any(r.outcome is Outcome.ERROR for r in run.briefs):
        return 2
    return int(gate and any(r.verdict != "expected" for r in run.briefs))


def _as_before(asked: Asked) -> Asked:
    """The options of the run to resume, with the few that may be others now."""
    from exportdb.store import open_run

    assert asked.resume is not None
    header = open_run(asked.resume, asked.home).header
    verb, *words = header.arguments or ("run",)
    params = (
        importlib.import_module(f"exportdb.cli.{verb}").command.make_context(verb, words).params
    )
    now = {"resume": header.run, "jobs": asked.jobs, "out": asked.out, "home": asked.home}
    return Asked(**{**params, **now, "as_json": asked.as_json})


def resolved(asked: Asked) -> Request:
    """What was asked for, with every name of it found and the configuration taken into account."""
    from exportdb.conformance.options import Options
    from exportdb.runner.request import Request, Shard

    selection = options.select(asked.patterns, asked.tags, asked.trees)
    return Request(
        cases=tuple(selection.cases),
        exporters=tuple(options.exporter_refs(asked.exporters)),
        devices=tuple(options.device_refs(asked.devices)),
        options=Options(switches=options.switches(asked.switches), repeat=asked.repeat),
        expectations=options.own_expectations(asked.expectations),
        broken=selection.broken,
        outcomes=asked.outcomes,
        shard=None if asked.shard is None else Shard.parse(asked.shard),
        python=asked.python and asked.python.absolute(),
    )


def examine(asked: Asked, request: Request) -> RunResult:
    """Make the run that was asked for."""
    from exportdb.cli.progress import Progress
    from exportdb.runner.run import Settings, run

    settings = Settings(
        jobs=asked.jobs or len(os.sched_getaffinity(0)),
        timeout=asked.timeout or Settings.timeout,
        fresh=asked.fresh,
        home=asked.home,
        resume=asked.resume,
        arguments=tuple(click.get_current_context().find_root().meta.get(WORDS, ())),
    )
    with Progress() as progress:
        return run(request, settings, progress)


def _report(run: RunResult, gate: bool) -> None:
    records = run.briefs
    report.support(records)
    report.reasons(records)
    report.errors(records)
    report.surprises(run)
    output.put()
    cached = sum(r.cached for r in records)
    known = f" ({cached:,} from cache)" if cached else ""
    output.put(f"{output.plural(len(records), 'result')}: {report.counts(records)}{known}")
    report.cost(records)
    if switches := run.environments[0].switches:
        output.put(f"switches: {', '.join(switches)}")
    output.put(f"records: {run.stored.location}")
    if hint := report.accept_hint(records):
        output.put(f"next: {hint}" + ("" if gate else "  (exportdb check gates on surprises)"))
