"""``exportdb new``: begin a case, or an exporter of one's own."""

from __future__ import annotations

import os
from pathlib import Path

import click

from exportdb import resolve
from exportdb.cases import database, scaffold
from exportdb.cases.extract import extract
from exportdb.cli import options, output
from exportdb.exporters import scaffold as exporter_scaffold


@click.command("new")
@click.argument("case_id", metavar="TOPIC/NAME", required=False)
@click.option("--title", help="The title; left to be filled in where it is not given.")
@click.option(
    "--from",
    "source",
    metavar="FILE.py:CLASS",
    help="Start from a module class of yours, with what it needs of its file.",
)
@click.option(
    "--exporter",
    metavar="NAME",
    help="Begin an exporter instead: adapter, expectations, configuration, CI job, readme.",
)
@click.option(
    "--into",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of the new exporter. Default: one of its name.",
)
@options.trees_option
@options.json_option
def command(
    case_id: str | None, title: str | None, source: str | None, exporter: str | None,
    into: Path | None, trees: tuple[Path, ...], as_json: bool,
) -> int:  # fmt: skip
    """Write a new case, with TODO where only you know what belongs there, or a new exporter.

    \b
      exportdb new control_flow/branch_on_sign --title "Branch on the sign of a sum"
      exportdb new mine/encoder --from my_package/model.py:Encoder --cases my_cases
      exportdb new --exporter my-compiler

    The file of --from is read, never run. Nothing is ever overwritten.
    """
    if (case_id is None) == (exporter is None):
        raise click.UsageError("give the ID of a case, or --exporter NAME")
    if exporter is not None:
        return _exporter(exporter, into or Path(exporter), as_json)
    assert case_id is not None
    text = _text(case_id, title, source)
    path = scaffold.write(_tree(trees), case_id, text)
    left = scaffold.todos(text)
    if as_json:
        output.put_json({"case": case_id, "path": str(path),
                         "todo": [{"line": n, "text": t} for n, t in left]})  # fmt: skip
        return 0
    shown = os.path.relpath(path)
    output.put(shown)
    for number, line in left:
        output.note(f"{shown}:{number}: {line}")
    more = f" --cases {os.path.relpath(trees[0])}" if trees else ""
    output.note(f"next: fill these in, then exportdb lint {case_id}{more}")
    return 0


def _exporter(name: str, folder: Path, as_json: bool) -> int:
    written = exporter_scaffold.write(name, folder)
    if as_json:
        output.put_json({"exporter": name, "paths": [str(p) for p in written]})
        return 0
    for path in written:
        output.put(str(path))
    output.note(f"next: cd {folder} && exportdb run control_flow")
    return 0


def _text(case_id: str, title: str | None, source: str | None) -> str:
    if source is None:
        return scaffold.blank(case_id, title)
    file, colon, name = source.rpartition(":")
    if not colon or not file.endswith(".py"):
        raise click.BadParameter("give a file and a class, like model.py:Net", param_hint="--from")
    return scaffold.around(case_id, extract(Path(file), name), title)


def _tree(trees: tuple[Path, ...]) -> Path:
    """Where a new case belongs: --cases, the configured tree, or the database of a checkout."""
    if own := [*trees, *resolve.configuration().cases]:
        return own[0]
    builtin = database.builtin_tree()
    if builtin.name == "database":
        raise click.UsageError("say with --cases DIR which folder of cases it belongs to")
    return builtin
