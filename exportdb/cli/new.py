"""``exportdb new``: begin a case, or an exporter of one's own."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import click

from exportdb import plugins, resolve
from exportdb.cases import database, scaffold
from exportdb.cases.extract import extract
from exportdb.cases.frontmatter import parse_case
from exportdb.cases.modules import file_of
from exportdb.cli import options, output
from exportdb.exporters import scaffold as exporter_scaffold
from exportdb.suites.written import inputs_text


@click.command("new")
@click.argument("case_id", metavar="TOPIC/NAME", required=False)
@click.option("--title", help="The title; without it a TODO is left in its place.")
@click.option(
    "--from",
    "source",
    metavar="FILE.py:CLASS",
    help="Start from your module class (or MODULE:CLASS), with everything it needs from its file "
    "and the files that this imports; or from FILE.py, a program in the format of a case, or the "
    "folder of a draft.",
)
@click.option(
    "--inputs",
    "sample",
    metavar="FILE.py:FUNCTION|FILE.pt",
    help="Example inputs for the module of --from: a function that returns them, or a file "
    "written by torch.save, of which only shapes and dtypes are used.",
)
@click.option(
    "--exporter",
    metavar="NAME|FILE.py:CLASS",
    help="Start an exporter instead: adapter, expectations, configuration, CI workflow, readme; "
    "or everything around an adapter that you already have.",
)
@click.option(
    "--into",
    metavar="DIR",
    type=options.Folder(),
    help="The folder of the new exporter. Default: a new one with its name, or that of the "
    "adapter.",
)
@click.option(
    "--cases", "trees", multiple=True, metavar="DIR",
    type=options.Folder(),
    help="The folder of cases to write into. Default: the first of the configuration, or cases.",
)  # fmt: skip
@options.json_option
def command(
    case_id: str | None, title: str | None, source: str | None, sample: str | None,
    exporter: str | None, into: Path | None, trees: tuple[Path, ...], as_json: bool,
) -> int:  # fmt: skip
    """Write a new case, with TODOs for you to fill in, or a new exporter.

    \b
      exportdb new control_flow/branch_on_sign --title "Branch on the sign of a sum"
      exportdb new mine/encoder --from my_package/model.py:Encoder --cases my_cases
      exportdb new mine/encoder --from my_package.model:Encoder --inputs data.py:batch
      exportdb new --exporter my-compiler
      exportdb new --exporter adapter.py:MyCompiler

    The files of --from are read, never run. Nothing is ever overwritten.
    """
    if (case_id is None) == (exporter is None):
        raise click.UsageError("give the ID of a case, or --exporter NAME")
    if exporter is not None:
        return _exporter(exporter, into, as_json)
    assert case_id is not None
    if sample is not None and source is None:
        raise click.UsageError("--inputs goes with --from")
    tree = _tree(trees)
    public = tree.resolve() == database.builtin_tree().resolve()
    text, theirs = _text(case_id, title, source, sample, public)
    path = scaffold.write(tree, case_id, text)
    left = scaffold.todos(text, theirs)
    if as_json:
        output.put_json({"case": case_id, "path": str(path),
                         "todo": [{"line": n, "text": t} for n, t in left]})  # fmt: skip
        return 0
    shown = os.path.relpath(path)
    output.put(shown)
    for number, line in left:
        output.note(f"{shown}:{number}: {line}")
    configured = [database.builtin_tree(), *resolve.configuration().cases]
    known = tree.resolve() in [folder.resolve() for folder in configured]
    more = "" if known else f" --cases {os.path.relpath(tree)}"
    first = "fill these in, then " if left else ""
    verb = "lint" if public else "run"
    output.note(f"next: {first}exportdb {verb} {case_id}{more}")
    return 0


def _exporter(name: str, into: Path | None, as_json: bool) -> int:
    file, colon, kind = name.rpartition(":")
    if colon:
        adapter, name = Path(file), plugins.find(plugins.EXPORTERS, name).name
        folder = into or adapter.parent
        written = exporter_scaffold.write_around(name, adapter, kind, folder)
    else:
        folder = into or Path(name)
        written = exporter_scaffold.write(name, folder)
    if as_json:
        output.put_json({"exporter": name, "paths": [str(p) for p in written]})
        return 0
    for path in written:
        output.put(str(path))
    there = "" if folder.resolve() == Path.cwd() else f"cd {folder} && "
    output.note(f"next: {there}exportdb run control_flow  (then exportdb run, accept and check: CI "
                "checks the whole database)")  # fmt: skip
    return 0


def _text(
    case_id: str, title: str | None, source: str | None, sample: str | None, public: bool
) -> tuple[str, str]:
    """The text of the case, and what of it the user wrote."""
    if source is None:
        return scaffold.blank(case_id, title, public), ""
    if (draft := Path(source) / scaffold.PROGRAM).is_file():
        source = str(draft)
    file, colon, name = source.rpartition(":")
    if not colon and source.endswith(".py"):
        text = scaffold.copied(case_id, Path(source), title)
        models = parse_case(case_id, Path(source), text).meta.models
        return text, scaffold.written(text, models)
    path = _file(file) if colon else None
    if path is None:
        said = (
            "give a file and a class, like model.py:Net, a module and a class, a case's file, "
            "or a draft's folder"
        )
        raise click.BadParameter(said, param_hint="--from")
    if sample is None or not sample.endswith((".pt", ".pth")):
        found = extract(path, name, _function(sample))
    else:
        found = extract(path, name)
        found = replace(found, sample=inputs_text(Path(sample), found.takes))
    return scaffold.around(case_id, found, title, public), found.code


def _file(where: str) -> Path | None:
    """A file from its path, or from the name of the module that it is."""
    return Path(where) if where.endswith(".py") else file_of(where)


def _function(sample: str | None) -> tuple[Path, str] | None:
    if sample is None:
        return None
    file, _, name = sample.rpartition(":")
    path = _file(file)
    if path is None:
        said = "give a file and a function, like data.py:batch, or what torch.save wrote"
        raise click.BadParameter(said, param_hint="--inputs")
    return path, name


def _tree(trees: tuple[Path, ...]) -> Path:
    """Where a new case belongs: --cases, the configured tree, the database of the checkout that
    the user stands in, or the folder "cases" here."""
    if own := [*trees, *resolve.configuration().cases]:
        return own[0]
    return database.builtin_tree() if database.in_checkout() else Path("cases")
