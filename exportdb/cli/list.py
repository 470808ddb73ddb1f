"""``exportdb list``: which cases, tags, exporters and devices there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from exportdb import plugins, resolve
from exportdb.cases.case import Case
from exportdb.cli import options, output


@click.command("list")
@options.selecting
@options.outcome_option
@click.option("--tags", "what", flag_value="tags", help="List tags instead of cases.")
@click.option("--exporters", "what", flag_value="exporters", help="List exporters instead.")
@click.option("--devices", "what", flag_value="devices", help="List devices instead.")
@options.json_option
def command(
    patterns: tuple[str, ...], tags: tuple[str, ...], trees: tuple[Path, ...],
    outcomes: tuple[str, ...], what: str | None, as_json: bool,
) -> int:  # fmt: skip
    """List cases; CASES are IDs, globs, topics or files.

    \b
      exportdb list control_flow
      exportdb list --tag torch.dynamic-shape '*cond*'
      exportdb list --outcome wrong
    """
    if what in ("exporters", "devices"):
        return _plugins(plugins.EXPORTERS if what == "exporters" else plugins.DEVICES, as_json)
    selection = resolve.select(patterns, tags, trees)
    cases = selection.cases
    if outcomes:
        from exportdb.cli import expected  # reads the expectations, which no other list needs

        cases = expected.with_outcome(cases, resolve.parse_outcomes(outcomes))
    if what == "tags":
        _tags(cases, as_json)
    elif as_json:
        output.put_json([_as_json(c) for c in cases])
    else:
        output.table(("case", "title"), [(c.id, c.meta.title) for c in cases])
        output.note(f"{output.plural(len(cases), 'case')}; exportdb show CASE tells more")
    for error in selection.broken.values():
        output.note(f"exportdb: {error}")
    return 2 if selection.broken else 0


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
