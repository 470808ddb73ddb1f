"""``exportdb report``: the report of a run that has ended, again, in the form that is asked for."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exportdb.cli import options, output

if TYPE_CHECKING:
    from exportdb.cli.running import Params
    from exportdb.explain.reading import Place
    from exportdb.records.expectation import Expectations
    from exportdb.records.jsonl import Header
    from exportdb.records.record import Record
    from exportdb.reports.report import Report
    from exportdb.store.protocol import StoredRun

#: The forms, each with its module in ``exportdb.reports``; ``text`` and ``json`` need none.
FORMS = {
    "text": "", "markdown": "markdown", "github": "annotations", "junit": "junit",
    "sarif": "sarif", "json": "",
}  # fmt: skip


@click.command("report")
@click.argument("named", metavar="[RUN]", default="last")
@click.option(
    "--format", "form", type=click.Choice(list(FORMS)), default="text", show_default=True,
    help="text: what the run printed at its end; markdown: for a CI summary or an issue; github: "
    "annotations of a GitHub workflow; junit: JUnit XML; sarif: SARIF 2.1.0; json: the records.",
)  # fmt: skip
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
    help="Write the report to this file.",
)  # fmt: skip
@options.trees_option
@options.expectations_option
@options.home_option
def command(
    named: str, form: str, out: Path | None, trees: tuple[Path, ...], expectations: Path | None,
    home: Path | None,
) -> int:  # fmt: skip
    """Print the report of a finished run again.

    RUN is the ID of a run or a file of records; default: the last run. Cases and expectations are
    looked up where the run found them; --cases and --expectations add to that.

    \b
      exportdb report
      exportdb report --format markdown >> "$GITHUB_STEP_SUMMARY"
      exportdb report records.jsonl --format junit --out junit.xml

    Exit codes: 0 printed, 2 there is no such run.
    """
    from exportdb.store import open_run

    stored = open_run(named, home)
    with _to(out):
        if form == "json":
            for line in stored.lines():
                output.put(line.rstrip("\n"))
            return 0
        report = _read(stored, trees, expectations)
        if form == "text":
            from exportdb.cli.text_report import TextReport

            TextReport(report).print()
            if report.unfinished:
                output.note(report.unfinished)
        else:
            module = importlib.import_module(f"exportdb.reports.{FORMS[form]}")
            output.put(module.render(report).rstrip("\n"))
    return 0


def report_on(
    stored: StoredRun, briefs: Sequence[Record], params: Params, known: Expectations, gate: bool
) -> Report:
    """The report on a run that was made with these options of the command line."""
    from exportdb import resolve
    from exportdb.reports.background import Background
    from exportdb.reports.report import Report

    files = [Path(p) for p in params.get("patterns") or () if p.endswith(".py")]
    background = Background(
        stored.header,
        known,
        trees=[*resolve.configuration().cases, *(params.get("trees") or ())],
        files=files,
        adapters=_adapters(params.get("exporters") or ()),
    )
    return Report(stored, briefs, background, gate)


def _read(stored: StoredRun, trees: Sequence[Path], expectations: Path | None) -> Report:
    """The report on a run, made from what is stored. Raises RecordFileError."""
    from exportdb.cli import expected

    params = _options_of(stored.header)
    own = expectations or params.get("expectations")
    params["trees"] = [*(params.get("trees") or ()), *trees]
    briefs = tuple(r.brief() for r in stored.records())
    gate = stored.header.arguments[:1] == ("check",)
    return report_on(stored, briefs, params, expected.shelf(own), gate)


def _options_of(header: Header) -> dict[str, Any]:
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


def _adapters(words: Sequence[str]) -> dict[str, Place]:
    """Where the exporters among ``words`` that are files of one's own are defined, by name."""
    from exportdb import plugins, resolve
    from exportdb.explain.reading import Place

    found = {}
    for spec in resolve.split(words):
        path, _, name = spec.rpartition(":")
        if not path.endswith(".py"):
            continue
        with contextlib.suppress(plugins.PluginError, OSError, ValueError):
            lines = Path(path).read_text("utf-8").splitlines()
            begins = (f"class {name}", f"def {name}", f"{name} =")
            line = next((n for n, text in enumerate(lines, 1) if text.startswith(begins)), 1)
            found[plugins.find(plugins.EXPORTERS, spec).name] = Place(path, line, name, "")
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
