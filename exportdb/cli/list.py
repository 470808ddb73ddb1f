"""``exportdb list``: which cases, tags, exporters and devices there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from exportdb import plugins, resolve
from exportdb.cases import search
from exportdb.cases.case import Case
from exportdb.cli import options, output


@click.command("list")
@options.selecting
@options.outcome_option
@click.option(
    "--search",
    "text",
    metavar="TEXT",
    help="Select cases that have all these words in ID, title, description, tags, program or "
    "recorded errors, the best first. A word finds what begins with it.",
)
@click.option("--tags", "what", flag_value="tags", help="List tags instead of cases.")
@click.option("--exporters", "what", flag_value="exporters", help="List exporters instead.")
@click.option("--devices", "what", flag_value="devices", help="List devices instead.")
@options.json_option
def command(
    patterns: tuple[str, ...], tags: tuple[str, ...], trees: tuple[Path, ...],
    outcomes: tuple[str, ...], text: str | None, what: str | None, as_json: bool,
) -> int:  # fmt: skip
    """List cases; CASES are IDs, globs, topics or files.

    \b
      exportdb list control_flow
      exportdb list --tag torch.dynamic-shape '*cond*'
      exportdb list --outcome wrong
      exportdb list --search 'cond with closures'
    """
    if what in ("exporters", "devices"):
        return _plugins(plugins.EXPORTERS if what == "exporters" else plugins.DEVICES, as_json)
    selection = resolve.select(patterns, tags, trees)
    cases = selection.cases
    if outcomes:
        from exportdb.cli import expected  # reads the expectations, which no other list needs

        cases = expected.with_outcome(cases, resolve.parse_outcomes(outcomes))
    where: dict[str, tuple[str, ...]] = {}
    if text is not None:
        found = _search(text, cases)
        cases, where = [f.case for f in found], {f.case.id: f.fields for f in found}
    if what == "tags":
        _tags(cases, as_json)
    elif as_json:
        output.put_json([_as_json(c) | _found_in(where, c) for c in cases])
    elif where:
        rows = [(c.id, c.meta.title, ", ".join(where[c.id])) for c in cases]
        output.table(("case", "title", "found in"), rows)
        output.note(f"{output.plural(len(cases), 'case')}, the best first")
    else:
        output.table(("case", "title"), [(c.id, c.meta.title) for c in cases])
        output.note(f"{output.plural(len(cases), 'case')}; exportdb show CASE tells more")
    for error in selection.broken.values():
        output.note(f"exportdb: {error}")
    return 2 if selection.broken else 0


def _search(text: str, cases: Sequence[Case]) -> list[search.Found]:
    """The cases that have the words. Raises SelectionError."""
    own = resolve.own_expectations(None)
    files = {c.id: [c.expectations_path, *([own / f"{c.id}.yaml"] if own else [])] for c in cases}
    return search.search(text, cases, search.recorded_errors(files))


def _found_in(where: Mapping[str, tuple[str, ...]], case: Case) -> dict[str, object]:
    return {"found_in": list(where[case.id])} if where else {}


def _as_json(case: Case) -> dict[str, object]:
    return {
        "case": case.id,
        "title": case.meta.title,
        "tags": list(case.meta.tags),
        "path": str(case.path),
        "case_digest": case.digest,
    }


def _tags(cases: Sequence[Case], as_json: bool) -> None:
    counts = sorted(Counter(t for c in cases for t in c.meta.tags).items())
    if as_json:
        output.put_json([{"tag": tag, "cases": count} for tag, count in counts])
    else:
        output.table(("tag", "cases"), [(tag, str(count)) for tag, count in counts])


def _plugins(group: str, as_json: bool) -> int:
    refs = plugins.installed(group).values()
    if as_json:
        output.put_json(
            [{"name": r.name, "target": r.target, "distribution": r.distribution} for r in refs]
        )
    else:
        header = ("name", "from", "is")
        output.table(header, [(r.name, r.distribution, r.target) for r in refs])
        output.note("exportdb doctor tells which of them can be used here, or why not")
    return 0
