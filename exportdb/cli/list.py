"""``exportdb list``: which cases, tags, exporters, devices and suites there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from exportdb import plugins, resolve
from exportdb.cases import search, vocabulary
from exportdb.cases.case import SUITE as CASES
from exportdb.cases.case import Case
from exportdb.cases.vocabulary import Vocabulary
from exportdb.cli import options, output
from exportdb.prose import plural


@click.command("list")
@options.selecting
@options.suites_option
@options.outcome_option
@click.option(
    "--search",
    "text",
    metavar="TEXT",
    help="Select cases that have all these words in ID, title, description, tags, program or "
    "recorded errors, the best first. A word also matches longer words that begin with it.",
)
@click.option("--tags", "what", flag_value="tags", help="List tags instead of cases.")
@click.option("--exporters", "what", flag_value="exporters", help="List exporters instead.")
@click.option("--devices", "what", flag_value="devices", help="List devices instead.")
@click.option("--suites", "what", flag_value="suites", help="List suites instead.")
@options.json_option
def command(
    patterns: tuple[str, ...], tags: tuple[str, ...], trees: tuple[Path, ...], only: bool,
    suites: tuple[str, ...], suite_options: tuple[str, ...], outcomes: tuple[str, ...],
    text: str | None, what: str | None, as_json: bool,
) -> int:  # fmt: skip
    """List cases; CASES are IDs, globs, topics or files.

    \b
      exportdb list control_flow
      exportdb list --tag torch.dynamic-shape '*cond*'
      exportdb list --outcome wrong
      exportdb list --search 'cond with closures'
      exportdb list --suite ops 'op/nn.functional.*' --tag dims.named
    """
    if what in _GROUPS:
        return _plugins(_GROUPS[what], as_json)
    asked = resolve.SuiteRequest(suites, suite_options, note=output.note)
    selection = resolve.select_programs(patterns, tags, trees, asked, only)
    readable = selection.readable
    suite_of, cases = {id(c): s for s, c in readable}, [c for _, c in readable]
    if outcomes:
        if selection.listed:
            raise click.UsageError("--outcome selects cases; what was accepted of other suites is "
                                   "looked up when they are run")  # fmt: skip
        from exportdb.records.outcome_index import here, outcomes_by_case  # of use to no other list

        wanted = set(resolve.parse_outcomes(outcomes))
        found_of = outcomes_by_case(resolve.expectations_for(), cases, here())
        cases = [c for c in cases if found_of[c.id] & wanted]
    where: dict[int, tuple[str, ...]] = {}
    if text is not None:
        found = _search(text, cases, selection.cases)
        cases, where = [f.case for f in found], {id(f.case): f.fields for f in found}
    if what == "tags":
        _tags(cases, vocabulary.load([*resolve.configuration().cases, *trees]), as_json)
    elif as_json:
        output.put_json([_as_json(c, suite_of[id(c)]) | _found_in(where, c) for c in cases])
    else:
        several = len(set(suite_of.values())) > 1
        header = ("suite",) * several + ("case", "title") + ("found in",) * bool(where)
        output.table(header, [
            ((suite_of[id(c)],) * several + (c.id, c.meta.title)
             + ((", ".join(where[id(c)]),) if where else ()))
            for c in cases
        ])  # fmt: skip
        more = "the best first" if where else "exportdb show CASE tells more"
        output.note(f"{plural(len(cases), 'case')}{', ' if where else '; '}{more}")
    for error in selection.broken.values():
        output.note(f"exportdb: {error}")
    return 2 if selection.broken else 0


#: What else can be listed, by its option.
_GROUPS = {
    "exporters": plugins.EXPORTERS, "devices": plugins.DEVICES, "suites": plugins.SUITES,
}  # fmt: skip


def _search(text: str, cases: Sequence[Case], ours: Sequence[Case]) -> list[search.SearchHit]:
    """The cases that have the words; of ``ours``, recorded errors too. Raises SelectionError."""
    from exportdb.records.expectation_files import Expectations  # other lists are quicker without

    known = Expectations({}, resolve.own_expectations(None))
    parts = {case.id: known.parts_of(case) for case in ours}
    return search.search(text, cases, search.recorded_errors(parts))


def _found_in(where: Mapping[int, tuple[str, ...]], case: Case) -> dict[str, object]:
    return {"found_in": list(where[id(case)])} if where else {}


def _as_json(case: Case, suite: str) -> dict[str, object]:
    return {
        "suite": suite,
        "case": case.id,
        "title": case.meta.title,
        "tags": list(case.meta.tags),
        "path": str(case.path) if suite == CASES else None,
        "case_digest": case.digest,
    }


def _tags(cases: Sequence[Case], known: Vocabulary, as_json: bool) -> None:
    """Each tag with what it means; one that no vocabulary has is said to be unknown."""
    counts = sorted(Counter(t for c in cases for t in c.meta.tags).items())
    means = {tag: known.tags[tag].description if tag in known.tags else "" for tag, _ in counts}
    if as_json:
        output.put_json([{"tag": t, "cases": n, "description": means[t]} for t, n in counts])
    else:
        unknown = "not in tags.yaml"
        output.table(
            ("tag", "cases", "means"), [(t, str(n), means[t] or unknown) for t, n in counts]
        )


def _plugins(group: str, as_json: bool) -> int:
    if group == plugins.SUITES:
        return _suites(as_json)
    refs = plugins.installed(group).values()
    if as_json:
        output.put_json([_plugin(r) for r in refs])
    else:
        header = ("name", "from", "is")
        output.table(header, [(r.name, r.distribution, r.target) for r in refs])
        output.note("exportdb doctor shows which of them work here, and why others do not")
    return 0


def _plugin(ref: plugins.PluginRef) -> dict[str, object]:
    return {"name": ref.name, "target": ref.target, "distribution": ref.distribution}


def _suites(as_json: bool) -> int:
    """What the suites say they are, and the options that --suite-option sets."""
    from exportdb.runner.listing import described

    refs = plugins.installed(plugins.SUITES).values()
    told = described(refs)
    if as_json:
        said = [{"description": told[r.name][0], "options": told[r.name][1]} for r in refs]
        output.put_json([_plugin(r) | more for r, more in zip(refs, said, strict=True)])
    else:
        rows = [
            (r.name, r.distribution, told[r.name][0],
             " ".join(f"{name}={value}" for name, value in told[r.name][1].items()))
            for r in refs
        ]  # fmt: skip
        output.table(("name", "from", "programs", "options and their defaults"), rows)
    return 0
