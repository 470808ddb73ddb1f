"""``exportdb show``: one case, as a reader wants it: what it is, its program, what is expected.

An entry of the error catalogue is shown by ``entry``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from exportdb import resolve
from exportdb.cases.case import SUITE as CASES
from exportdb.cases.case import Case
from exportdb.cases.database import SelectionError
from exportdb.cases.declared import samples
from exportdb.cli import options, output
from exportdb.prose import filled, plural
from exportdb.records.outcome import Outcome

#: What is meant as the ID of an entry; no case has such an ID.
_ENTRY_ID = re.compile(r"E\d+|e\d{4}")


@click.command("show")
@click.argument(
    "pattern", metavar="CASE_OR_ENTRY", shell_complete=options.complete_cases_and_entries
)
@options.trees_option
@options.only_option
@options.suites_option
@options.expectations_option
@options.json_option
def command(
    pattern: str, trees: tuple[Path, ...], only: bool, suites: tuple[str, ...],
    suite_options: tuple[str, ...], expectations: Path | None, as_json: bool,
) -> int:  # fmt: skip
    """Show a case: its description, program, samples and expected outcomes.

    The ID of an entry of the error catalogue shows what the error means, what to do, and the cases
    that explain it, with their rewrites.

    \b
      exportdb show dynamic_shapes/derived_dim_double
      exportdb show path/to/case.py
      exportdb show --suite upstream dynamic_shape_round
      exportdb show E0002
    """
    if _ENTRY_ID.fullmatch(pattern):
        from exportdb.cli import entry  # reads the catalogue, which no case needs

        entry.show(pattern.upper(), trees, as_json)
        return 0
    from exportdb.records.outcome_index import here  # no entry needs it

    asked = resolve.SuiteRequest(suites, suite_options, note=output.note)
    readable = resolve.select_programs([pattern], (), trees, asked, only or None).readable
    if len(readable) != 1:
        few = output.listed([c.id for _, c in readable])
        raise SelectionError(f"{pattern!r} names {plural(len(readable), 'case')}: {few}")
    suite, case = readable[0]
    if suite != CASES:
        _print_listed(suite, case, as_json)
        return 0
    outcomes = resolve.expectations_for(expectations).outcomes(case, here())
    if as_json:
        output.put_json(_as_json(case, outcomes))
    else:
        _print(case, outcomes)
    return 0


def _print_listed(suite: str, case: Case, as_json: bool) -> None:
    """A program of another suite: what that says of it, and its text."""
    meta = case.meta
    if as_json:
        output.put_json({
            "suite": suite, "case": case.id, "case_digest": case.digest, "title": meta.title,
            "description": meta.description, "tags": list(meta.tags), "program": case.source,
        })  # fmt: skip
        return
    output.put(f"{case.id}  (suite {suite})\n{meta.title}\n")
    if meta.description != meta.title:
        output.put(filled(" ".join(meta.description.split())) + "\n")
    if meta.tags:
        output.put(f"tags:        {', '.join(meta.tags)}")
    output.put(f"\n{_highlighted(case.source)}")
    output.put(f"examine it: exportdb run --suite {suite} '{case.id}' --exporter export")


def _as_json(case: Case, outcomes: dict[str, Outcome]) -> dict[str, Any]:
    meta = case.meta
    return {
        "case": case.id,
        "path": str(case.path),
        "case_digest": case.digest,
        "title": meta.title,
        "description": meta.description,
        "tags": list(meta.tags),
        "rewrites": list(meta.rewrites),
        "narrower": dict(meta.narrower),
        "advice": meta.advice,
        "pitfalls": list(meta.pitfalls),
        "references": list(meta.references),
        "errors": list(meta.errors),
        "requires": list(meta.requires),
        "breaks_contract": meta.breaks_contract,
        "models": list(meta.models),
        "train": meta.train,
        "dims": {n: {"min": d.min, "max": d.max} for n, d in meta.dims.items()},
        "samples": samples(case),
        "expected": outcomes,
        "program": case.program,
    }


def _print(case: Case, outcomes: dict[str, Outcome]) -> None:
    meta = case.meta
    output.put(f"{case.id}\n{meta.title}\n")
    output.put(filled(" ".join(meta.description.split())) + "\n")
    facts = {
        "tags": meta.tags, "rewrites": meta.rewrites,
        "to do": (" ".join((meta.advice or "").split()),) * bool(meta.advice),
        "narrower": tuple(f"{r} refuses {what}" for r, what in meta.narrower.items()),
        "pitfalls": meta.pitfalls,
        "errors": meta.errors, "references": meta.references, "needs": meta.requires,
        "at fault": (f"the program: {meta.breaks_contract}",) * bool(meta.breaks_contract),
        "file": (str(case.path),),
    }  # fmt: skip
    for name, values in facts.items():
        if values:
            output.put(f"{name + ':':<12} {', '.join(values)}")
    output.put(f"\n{_highlighted(case.program)}")
    output.put("samples:")
    for line in samples(case):
        output.put(f"  {line}")
    output.put("\nexpected on the CPU:" if outcomes else "\nexpected: nothing yet")
    output_rows = [(name, output.shown(outcome)) for name, outcome in outcomes.items()]
    if output_rows:
        output.table(("  exporter", "outcome"), [(f"  {n}", o) for n, o in output_rows])
    asked = case.id if case.topic else str(case.path)
    output.put(f"\nexamine it: exportdb run {asked} --exporter export")


def _highlighted(program: str) -> str:
    """The program as it stands; coloured on a terminal."""
    if not output.on_terminal():
        return program
    from rich.console import Console
    from rich.syntax import Syntax

    console = Console()
    with console.capture() as captured:
        console.print(Syntax(program, "python", theme="ansi_dark", background_color="default"))
    return captured.get()
