"""What ``run``, ``check`` and ``matrix`` share: their options, and the way to a reported run.

Owns turning options into a request and settings, and a finished run into an exit code. What the
options mean is left to ``exportdb.resolve``, examining to the runner, words to ``report``.
"""

from __future__ import annotations

import importlib
import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from exportdb import resolve
from exportdb.cases.database import SelectionError
from exportdb.cli import options, output
from exportdb.cli.options import Params

if TYPE_CHECKING:
    from exportdb.runner.request import Request
    from exportdb.runner.result import RunResult
    from exportdb.runner.run import Settings

#: The options of a command that makes several runs.
several = options.combined(
    options.requesting,
    click.option("--jobs", "-j", type=options.Count(min=1), metavar="N",
                 help="Examinations at a time. Default: one per core."),
    click.option("--timeout", type=options.TimeLimit(), metavar="SECONDS",
                 help="Time limit of one examination. Default: 60; a case may set its own, and "
                 "exporters that compile get a multiple."),
    click.option("--fresh", is_flag=True, help="Ignore cached results."),
    options.home_option,
    options.json_option,
)  # fmt: skip
#: The options of a command that makes one.
one = options.combined(
    several,
    click.option("--python", type=click.Path(exists=True, dir_okay=False, path_type=Path),
                 metavar="PYTHON", help="Run in this interpreter instead of the current one; "
                 "it needs torch and the requirements of exportdb."),
    click.option("--shard", metavar="I/N[@FILE]",
                 help="Run the I-th of N parts of about equal size; the split is stable. With "
                 "files of records (a glob, or separated by commas), the parts take about "
                 "equally long by the times in them."),
    options.cluster_option("Run"),
    click.option("--repeat-run", type=options.Count(min=1), metavar="N", default=1,
                 show_default=True, help="Examine N times, each time in a new process, and say how "
                 "often each outcome was seen; accept then expects all of them."),
    click.option("--resume", is_flag=False, flag_value="last", metavar="RUN",
                 help="Resume an interrupted run, by default the last, with its options; only "
                 "--jobs, --cluster, --json and --out can be changed."),
    click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
                 help="Also write the records to this file."),
)  # fmt: skip


def execute(params: Params, gate: bool) -> int:
    """Examine what was asked for, report it, and say how it went as an exit code.

    With ``gate``, anything but the verdict ``expected`` is 1. An ``error`` record and a case that
    cannot be read are 2 either way; an interrupted run is 130.
    """
    words = tuple(click.get_current_context().find_root().obj or ())
    if params["resume"] is not None:
        params, words = _resumed(params)
    if (own := params["expectations"]) is not None and not own.is_dir():
        if gate:  # against nothing, most likely because of a typing error
            raise SelectionError(f"there is no folder {own}")
        output.note(f"there is no folder {own} yet: it holds no expectations")
    run = examine(request_of(params), settings_of(params, words))
    if params["out"] is not None:
        params["out"].parent.mkdir(parents=True, exist_ok=True)
        with params["out"].open("w", encoding="utf-8") as out:
            out.writelines(run.stored.lines())
    records = run.briefs
    if params["as_json"]:
        for line in run.stored.lines():
            output.put(line.rstrip("\n"))
    else:
        from exportdb.cli.report import report_on
        from exportdb.cli.text_report import TextReport

        known = run.judge.expectations
        TextReport(report_on(run.stored, records, params, known, gate)).print()
    if run.interrupted:
        output.note(how_to_resume(run.id, params))
        return 130
    if any(r.outcome == "error" for r in records):
        return 2
    return int(gate and any(r.verdict != "expected" for r in records))


def how_to_resume(run: str, params: Params) -> str:
    """The line that ends an interrupted run."""
    home = f" --home {shlex.quote(str(params['home']))}" if params.get("home") else ""
    return f"interrupted; resume it with: exportdb run --resume {run}{home}"


def _resumed(params: Params) -> tuple[Params, tuple[str, ...]]:
    """The options of the run to resume, with the few that may be changed; also its words."""
    from exportdb.store import open_run

    header = open_run(params["resume"], params["home"]).header
    verb, *words = arguments = header.arguments or ("run",)
    command = importlib.import_module(f"exportdb.cli.{verb}").command
    then = command.make_context(verb, list(words)).params
    now = {k: params[k] for k in ("jobs", "cluster", "out", "home", "as_json")}
    return {**then, **now, "resume": header.run}, tuple(arguments)


def request_of(params: Params) -> Request:
    """What is asked for."""
    names = resolve.request.__kwdefaults__ or {}
    given = {k: v for k, v in params.items() if k in names}
    return resolve.request(**given, note=output.note)


def settings_of(params: Params, words: Sequence[str]) -> Settings:
    """How the run is to go; ``words`` are what it is resumed with."""
    from exportdb.runner.run import Settings

    return Settings(
        jobs=params["jobs"] or len(os.sched_getaffinity(0)),
        timeout=params["timeout"] or Settings.timeout,
        fresh=params["fresh"],
        home=params["home"],
        resume=params.get("resume"),
        cluster=params.get("cluster"),
        arguments=tuple(words),
    )


def examine(request: Request, settings: Settings) -> RunResult:
    """Make a run, and show how it goes."""
    from exportdb.cli.progress import RunProgress
    from exportdb.runner.run import run

    with RunProgress() as progress:
        return run(request, settings, progress)
