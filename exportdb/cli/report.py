"""``exportdb report``: the report of a run that has ended, again, in the form that is asked for."""

from __future__ import annotations

import contextlib
import importlib
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exportdb import resolve
from exportdb.cli import options, output

if TYPE_CHECKING:
    from exportdb.cli.options import Params
    from exportdb.explain.frames import UserLine
    from exportdb.records.expectation import Extends
    from exportdb.records.expectation_files import Expectations
    from exportdb.records.jsonl import Header
    from exportdb.records.record import Record
    from exportdb.reports.report import Report
    from exportdb.store.merging import Prefer
    from exportdb.store.protocol import StoredRun

#: The forms, each with its function in ``exportdb.reports``; ``text`` and ``json`` need none.
FORMS = {
    "text": "", "markdown": "markdown.render", "github": "annotations.render",
    "junit": "junit.render", "sarif": "sarif.render", "badge": "badge.render",
    "badge-json": "badge.endpoint", "json": "",
}  # fmt: skip


@click.command("report")
@click.argument("named", metavar="[RUN]...", nargs=-1, shell_complete=options.complete_runs)
@click.option(
    "--format", "form", type=click.Choice(list(FORMS)), default="text", show_default=True,
    help="text: what the run printed at its end; markdown: for a CI summary or an issue; github: "
    "annotations of a GitHub workflow; junit: JUnit XML; sarif: SARIF 2.1.0; badge: SVG; "
    "badge-json: what badge services read; json: the records.",
)  # fmt: skip
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Write the report to this file.",
)  # fmt: skip
@options.prefer_option
@options.trees_option
@options.only_option
@options.expectations_option
@options.home_option
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def command(
    named: tuple[str, ...], form: str, out: Path | None, prefer: Prefer, trees: tuple[Path, ...],
    only: bool, expectations: Path | None, home: Path | None, as_json: bool,
) -> int:  # fmt: skip
    """Print the report of a finished run again, or one report on several runs.

    RUN is the ID of a run or a file of records; default: the last run. Cases and expectations are
    looked up where the run found them; --cases and --expectations add to that.

    \b
      exportdb report
      exportdb report shard-*.jsonl
      exportdb report --format markdown >> "$GITHUB_STEP_SUMMARY"
      exportdb report records.jsonl --format junit --out junit.xml

    Exit codes: 0 printed, 2 there is no such run.
    """
    from exportdb.store.merging import MergedRun, merge

    runs = options.open_runs(named or ("last",), home)
    if named:
        output.note(f"reading {', '.join(run.location for run in runs)}")
    name = "+".join(run.header.run for run in runs)
    stored = runs[0]
    if only:
        ours = resolve.own_cases(_trees(runs, trees))
        stored = MergedRun(name, merge(runs, prefer, lambda r: r.case in ours))
    elif runs[1:]:
        stored = MergedRun(name, merge(runs, prefer))
    with _to(out):
        if as_json or form == "json":
            for line in stored.lines():
                output.put(line.rstrip("\n"))
            return 0
        where = {"named": named, "home": home}
        report = _read(stored, [run.header for run in runs], trees, expectations, where)
        if form == "text":
            from exportdb.cli.text_report import TextReport

            TextReport(report).print()
            if report.unfinished:
                output.note(report.unfinished)
        else:
            module, _, function = FORMS[form].partition(".")
            render = getattr(importlib.import_module(f"exportdb.reports.{module}"), function)
            output.put(render(report).rstrip("\n"))
    return 0


def _trees(runs: Sequence[StoredRun], more: Sequence[Path]) -> list[Path]:
    """The folders of cases that the runs were given, and these."""
    given = [tree for run in runs for tree in options_of(run.header).get("trees") or ()]
    return list(dict.fromkeys([*given, *more]))


def report_on(
    stored: StoredRun, briefs: Sequence[Record], params: Params, known: Expectations, gate: bool
) -> Report:
    """The report on a run that was made with these options of the command line."""
    from exportdb.cases.case import SUITE as CASES
    from exportdb.reports.background import Background
    from exportdb.reports.report import Report

    files = [Path(p) for p in params.get("patterns") or () if p.endswith(".py")]
    background = Background(
        stored.header,
        known,
        trees=[*resolve.configuration().cases, *(params.get("trees") or ())],
        files=files,
        adapters=_adapters(params.get("exporters") or resolve.configuration().exporters),
        seen={(r.case, r.exporter, r.device): r.outcome for r in briefs if r.suite == CASES},
    )
    asked = tuple(params.get("exporters") or ())
    return Report(stored, briefs, background, gate, _where(params), asked)


def _where(params: Params) -> list[str]:
    """The options with which ``accept`` finds the same cases and expectations as these did."""
    words = []
    for option, name in (("--cases", "trees"), ("--expectations", "expectations"),
                         ("--from", "named"), ("--home", "home")):  # fmt: skip
        given = params.get(name) or ()
        for word in given if isinstance(given, (list, tuple)) else (given,):
            words += [option, shlex.quote(str(word))]
    for folder in _folders_of_files(params):
        words += ["--cases", shlex.quote(folder)]
    return words


def _folders_of_files(params: Params) -> list[str]:
    """The folders of cases that were given as files and are of no tree: as trees they have the same
    cases."""
    from exportdb.cases.database import builtin_tree

    known = [builtin_tree(), *resolve.configuration().cases, *(params.get("trees") or ())]
    roots = [root.resolve() for root in known]
    files = [Path(p) for p in params.get("patterns") or () if p.endswith(".py")]
    own = [f for f in files if not any(f.resolve().is_relative_to(root) for root in roots)]
    return list(dict.fromkeys(str(f.parent) for f in own))


def _read(
    stored: StoredRun, made: Sequence[Header], trees: Sequence[Path], expectations: Path | None,
    where: Params,
) -> Report:  # fmt: skip
    """The report on a run, made from what is stored. Raises RecordFileError.

    ``made`` are the headers of the runs that it is put together from, which say what they were
    asked for; ``where`` is what `accept` needs to find the run.
    """
    from exportdb import plugins
    from exportdb.executors.error import RunnerError

    asked = [options_of(header) for header in made]
    params: dict[str, Any] = {
        key: [*dict.fromkeys(word for one in asked for word in one.get(key) or ())]
        for key in ("patterns", "exporters", "trees")
    }
    params["trees"] = list(dict.fromkeys([*params["trees"], *trees]))
    own = expectations or next((e for one in asked if (e := one.get("expectations"))), None)
    params |= {**where, "expectations": own}
    exporters: Sequence[plugins.PluginRef] = ()
    extends: Extends = {}
    with contextlib.suppress(plugins.PluginError, RunnerError):  # the adapter may not be here
        exporters = resolve.find_exporters(params["exporters"])
        extends = resolve.declared_extends(exporters, where["home"])
    known = resolve.expectations_for(own, extends, exporters)
    briefs = tuple(r.brief() for r in stored.records())
    gate = any(header.arguments[:1] == ("check",) for header in made)
    return report_on(stored, briefs, params, known, gate)


def options_of(header: Header) -> dict[str, Any]:
    """The options that a run was made with; none where its words mean nothing here."""
    verb, *words = header.arguments or ("",)
    if verb not in ("run", "check"):
        return {}
    command = importlib.import_module(f"exportdb.cli.{verb}").command
    try:
        with command.make_context(verb, list(words), resilient_parsing=True) as context:
            return dict(context.params)
    except click.ClickException:
        return {}


def _adapters(words: Sequence[str]) -> dict[str, UserLine]:
    """Where the exporters among ``words`` that are files of one's own are defined, by name."""
    from exportdb import plugins
    from exportdb.explain.frames import UserLine

    found = {}
    for spec in resolve.split(words):
        path, _, name = spec.rpartition(":")
        if not path.endswith(".py"):
            continue
        with contextlib.suppress(plugins.PluginError, OSError, ValueError):
            lines = Path(path).read_text("utf-8").splitlines()
            begins = (f"class {name}", f"def {name}", f"{name} =")
            line = next((n for n, text in enumerate(lines, 1) if text.startswith(begins)), 1)
            found[plugins.find(plugins.EXPORTERS, spec).name] = UserLine(path, line, name, "")
    return found


@contextlib.contextmanager
def _to(out: Path | None) -> Iterator[None]:
    """Everything said within goes to a file, if one is given. Raises OSError."""
    if out is None:
        yield
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("w", encoding="utf-8", newline="\n") as file, contextlib.redirect_stdout(file):
        yield
    print(f"written: {out}", file=sys.stderr)
