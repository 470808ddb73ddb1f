"""``exportdb accept``: make what was measured what is expected, after showing the difference."""

from __future__ import annotations

import contextlib
import datetime
import difflib
import shlex
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path

import click
from click.core import ParameterSource

from exportdb import files, plugins, resolve
from exportdb.cases import database
from exportdb.cases.case import SUITE as CASES
from exportdb.cases.case import Case
from exportdb.cases.database import Database, SelectionError
from exportdb.cli import options, output, refusals
from exportdb.cli.report import options_of
from exportdb.prose import plural
from exportdb.records import accept, accepted, surroundings, waiver
from exportdb.records.environment import Environment
from exportdb.records.expectation import Point, Where
from exportdb.records.expectation_files import Expectations
from exportdb.records.record import Record
from exportdb.records.refused import Refused
from exportdb.reports.background import shown_path
from exportdb.reports.words import folded
from exportdb.store.merging import Prefer, merge
from exportdb.store.protocol import StoredRun

Measured = tuple[Record, Where]
#: Lines of a file's difference that are shown: a suite has thousands.
LONGEST_DIFF = 400
#: Options that a proposed command says itself, or that its user decides anew.
_SAID_ANEW = {"exporters", "issue", "note", "until", "until_torch", "dry_run", "as_json"}


@click.command("accept")
@click.argument("patterns", metavar="[CASES]...", nargs=-1, shell_complete=options.complete_cases)
@click.option(
    "--from", "runs", metavar="RUN,...", multiple=True, default=("last",), show_default=True,
    shell_complete=options.complete_runs,
    help="The records: IDs of runs or record files, separated by commas or in several options; "
    "all are used.",
)  # fmt: skip
@options.prefer_option
@options.trees_option
@options.only_option
@click.option(
    "--suite",
    "suites",
    multiple=True,
    metavar="NAME,...",
    shell_complete=options.complete_suites,
    help="Accept the results of these suites into SUITE.jsonl in the folder of expectations; "
    "takes what run --suite takes. Default: cases.",
)
@options.exporters_option(
    "Accept only the results of these exporters; takes what run --exporter takes."
)
@options.devices_option("Accept only the results on these devices.")
@options.new_expectations_option
@click.option(
    "--issue",
    metavar="LINK",
    help="Where wrong or crashed results are reported: a URL or project#number.",
)
@click.option(
    "--until", metavar="DATE",
    help="The last day on which the issue or note excuses them, like 2027-01-31; after that, check "
    "fails.",
)  # fmt: skip
@click.option(
    "--until-torch",
    metavar="VERSION",
    help="The first version of torch for which it no longer excuses them.",
)
@click.option("--note", metavar="TEXT", help="What a reader should know about them.")
@options.home_option
@click.option("--dry-run", is_flag=True, help="Show the difference and write nothing.")
@options.json_option
def command(
    patterns: tuple[str, ...], runs: tuple[str, ...], prefer: Prefer, trees: tuple[Path, ...],
    only: bool, suites: tuple[str, ...], exporters: tuple[str, ...], devices: tuple[str, ...],
    expectations: Path | None, issue: str | None, until: str | None, until_torch: str | None,
    note: str | None, home: Path | None, dry_run: bool, as_json: bool,
) -> int:  # fmt: skip
    """Make measured results the expectations: write the files, and show what changed.

    Errors and flaky results are refused. Wrong and crashed results need a reason: give --issue or
    --note, which is kept with each of them. For an exporter that is wrong by design, give the
    reason once, in a file exporters.yaml in the folder of expectations.

    \b
      exportdb accept --dry-run
      exportdb accept control_flow --exporter make-fx --issue pytorch#12345
      exportdb accept --suite ops --expectations my_expectations

    Exit codes: 0 accepted, 1 some results were refused, 2 there is nothing to accept.
    """
    link = accept.Link(_issue(issue), note, _until(until, until_torch))
    found = options.open_runs(runs, home)
    refs = _exporters(exporters, found)
    names = {r.name for r in refs} if exporters else None
    wanted = resolve.suite_names(suites)
    ours = resolve.own_cases(trees) if only else None
    records = _records(found, prefer, patterns, names, resolve.split(devices), wanted, ours)
    under = {s for _, environment in records for s in environment.switches}
    switched = f" under {', '.join(sorted(under))}" if under else ""
    of_database = [r for r in records if r[0].suite == CASES]
    extends = resolve.declared_extends(refs, home)
    known = resolve.expectations_for(expectations, extends, refs)
    rewrites = _of_suites(records, known.own, link)
    of_cases, refused = _of_cases(of_database, trees, known, _for_public(known, refs), link)
    rewrites += of_cases
    refused += [r for w in rewrites for r in w.refused]
    for made in rewrites:
        if made.changed and not as_json:
            output.put(_diff(made))
        if made.changed and not dry_run:
            files.write_atomically(made.path, made.after)
    if not dry_run:
        _keep_surroundings(of_database, of_cases, trees)
    if as_json:
        output.put_json(_as_json(rewrites, refused, dry_run))
    checked = "review the diff"
    if not refused:  # else the check would fail on what is still to be done
        checked += f", then exportdb check{_measured_by(found)}"
    following = _same_but_written() if dry_run else checked
    _conclude(rewrites, refused, dry_run, switched, following)
    if several := _excused(rewrites, link):
        output.note(several)
    linked = {r.exporter for w in rewrites for r in w.accepted if r.outcome.needs_issue}
    for step in refusals.next_steps(refused, partial(_command_again, refs), linked):
        output.note(f"next: {step}")
    return int(bool(refused))


def _exporters(words: Sequence[str], runs: Sequence[StoredRun]) -> Sequence[plugins.PluginRef]:
    """The exporters asked for, or the configured ones, or those that the runs were given as files.

    Raises PluginError for one that was asked for and is not there.
    """
    if words or resolve.configuration().exporters:
        return resolve.find_exporters(words)
    named = (word for run in runs for word in options_of(run.header).get("exporters") or ())
    files = [word for word in resolve.split(named) if ":" in word]
    with contextlib.suppress(plugins.PluginError):  # gone, or of a machine that is not this one
        return resolve.find_exporters(files) if files else ()
    return ()


def _for_public(known: Expectations, refs: Sequence[plugins.PluginRef]) -> Expectations:
    """Where what is measured of the public cases is kept, if the user has said nothing: beside the
    cases in the checkout that the user stands in, else in ``expectations`` beside the adapter,
    which is made where it is not there yet."""
    adapters = [Path(r.target.rpartition(":")[0]) for r in refs]
    beside = {a.resolve().parent / "expectations" for a in adapters if a.suffix == ".py"}
    if known.own is not None or database.in_checkout() or len(beside) != 1:
        return known
    return replace(known, own=beside.pop())


def _of_cases(
    records: Sequence[tuple[Record, Environment]], trees: Sequence[Path], known: Expectations,
    public: Expectations, link: accept.Link,
) -> tuple[list[accept.AcceptedFile], list[Refused]]:  # fmt: skip
    """The file of each case, those of the ``public`` ones of their own, and the records that are of
    none. Raises UsageError for what would be written into an installed package."""
    if not records:
        return [], []
    db = resolve.load(trees)
    by_case: dict[str, list[Measured]] = {}
    refused: list[Refused] = []
    for record, environment in records:
        where = Where.of(environment, record.device)
        if record.case not in db.cases or where is None:
            refused.append(Refused(record, _unknown(db, record)))
        else:
            by_case.setdefault(record.case, []).append((record, where))
    rewrites, inside = list[accept.AcceptedFile](), database.in_checkout()
    texts: dict[Path, str] = {}
    for case_id, measured in by_case.items():
        case = db.cases[case_id]
        ours = case.path.is_relative_to(database.builtin_tree())
        kept = public if ours else known
        links = _known_links(db, case, kept.own)
        so_far = texts.get(kept.written_for(case).path)
        made = accept.rewrite(kept, case, measured, link, links, so_far)
        if ours and made.changed and made.path == case.expectations_path and not inside:
            raise click.UsageError(
                f"{made.path.parent} belongs to the installed exportdb, where nothing of yours is "
                "written: give --expectations DIR, or name a folder as `expectations` in the "
                "configuration"
            )
        texts[made.path] = made.after
        rewrites.append(made)
    return rewrites, refused


def _keep_surroundings(
    records: Sequence[tuple[Record, Environment]], made: Sequence[accept.AcceptedFile],
    trees: Sequence[Path],
) -> None:  # fmt: skip
    """Add what the accepted records were measured with to the file of their tree."""
    taken = {id(record): rewrite.path for rewrite in made for record in rewrite.accepted}
    for tree in resolve.load(trees).trees:
        places = (
            Where.of(environment, record.device)
            for record, environment in records
            if id(record) in taken and taken[id(record)].is_relative_to(tree)
        )
        path = tree / surroundings.FILE
        known = surroundings.read(path)
        if (found := surroundings.merged(known, filter(None, places))) != known:
            files.write_atomically(path, surroundings.render(found))


def _of_suites(
    records: Sequence[tuple[Record, Environment]], own: Path | None, link: accept.Link
) -> list[accept.AcceptedFile]:
    """The file of each suite but the cases, which have one each. Raises UsageError."""
    suites = dict.fromkeys(r.suite for r, _ in records if r.suite != CASES)
    if suites and own is None:
        raise click.UsageError("expectations of a suite are kept in a folder of your own; give "
                               "--expectations DIR, or name it in the configuration")  # fmt: skip
    if suites and link.until:
        raise click.UsageError("--until is for cases; accepted results of a suite do not expire")
    return [
        accepted.rewrite(own / f"{suite}.jsonl", [r for r in records if r[0].suite == suite], link)
        for suite in suites if own is not None
    ]  # fmt: skip


def _records(
    runs: Sequence[StoredRun], prefer: Prefer, patterns: Sequence[str],
    exporters: Collection[str] | None, devices: Sequence[str], suites: Collection[str],
    ours: Collection[str] | None,
) -> list[tuple[Record, Environment]]:  # fmt: skip
    """The results that are to be accepted, each with where it was made. Raises SelectionError."""

    def wanted(r: Record) -> bool:
        return (
            r.suite in suites
            and (ours is None or r.case in ours)
            and (not patterns or any(database.means(p, r.case) for p in patterns))
            and (exporters is None or r.exporter in exporters)
            and (not devices or r.device in devices)
        )

    read = ", ".join(r.location for r in runs)
    output.note(f"reading {read}")
    if records := list(merge(runs, prefer, wanted, _point).records()):
        return records
    raise SelectionError(f"{read}: {_why_nothing(runs, patterns)}")


def _why_nothing(runs: Sequence[StoredRun], patterns: Sequence[str]) -> str:
    """Why there is nothing to accept, and what to do."""
    for pattern in patterns:
        if pattern.endswith(".jsonl"):
            return f"there is no such result; next: exportdb accept --from {pattern}"
    if not any(True for run in runs for _ in run.records()):
        return "there are no results at all; name another run with --from, or run again"
    asked = f" of {', '.join(patterns)}" if patterns else ""
    return f"there is no such result{asked}; name another run with --from, or run that first"


def _point(record: Record, environment: Environment) -> Point | None:
    """What expectations tell results of the same examination apart by."""
    where = Where.of(environment, record.device)
    return None if where is None else where.point


def _issue(text: str | None) -> str | None:
    try:
        return accept.issue(text) if text is not None else None
    except ValueError as e:
        raise click.BadParameter(str(e), param_hint="--issue") from None


def _until(day: str | None, torch: str | None) -> str | None:
    if day is not None and torch is not None:
        raise click.UsageError("give --until or --until-torch, not both")
    last = _day(day) if day is not None else None
    until = str(last) if last else f"torch {torch}" if torch else None
    if torch is not None and waiver.mistake(f"torch {torch}"):
        said = f"{torch!r} is not a version like 2.16"
        raise click.BadParameter(said, param_hint="--until-torch")
    return until


def _day(text: str) -> datetime.date:
    """The last day of a waiver. Raises BadParameter for a text that is none, and for a past day."""
    try:
        day = datetime.date.fromisoformat(text)
    except ValueError:
        said = f"{text!r} is not a day like 2027-01-31"
        raise click.BadParameter(said, param_hint="--until") from None
    if day < datetime.date.today():
        raise click.BadParameter(f"{day} is past; give a later day", param_hint="--until")
    return day


def _unknown(db: Database, record: Record) -> str:
    if record.case in db.broken:
        return str(db.broken[record.case])
    return "there is no such case any more; add its folder with --cases"


def _known_links(db: Database, case: Case, own: Path | None) -> dict[str, accept.Link]:
    """What the trees say of exporters that are unsound by design, one's own tree last."""
    roots = [r for r in db.trees if case.path.is_relative_to(r)]
    links: dict[str, accept.Link] = {}
    for root in [*roots, *([own] if own else [])]:
        links |= accept.known_links(root / "exporters.yaml")
    return links


def _diff(made: accept.AcceptedFile) -> str:
    lines = difflib.unified_diff(
        made.before.splitlines(), made.after.splitlines(),
        f"{made.path} (before)", f"{made.path} (after)", lineterm="", n=2,
    )  # fmt: skip
    shown = list(islice(lines, LONGEST_DIFF))
    more = sum(line[:1] in "+-" for line in lines)
    return "\n".join([*shown, f"... and {plural(more, 'more line')}"] if more else shown)


def _measured_by(runs: Sequence[StoredRun]) -> str:
    """The options that examine the same again, from a blank on; "" where there is no telling."""
    verb, *words = runs[0].header.arguments or ("",)
    if len(runs) > 1 or verb not in ("run", "check"):
        return ""
    words = [word for word in words if not word.startswith("--out=")]
    if "--out" in words:  # the records are there already
        at = words.index("--out")
        words = words[:at] + words[at + 2 :]
    cases = len(options_of(runs[0].header).get("patterns") or ())
    if cases > refusals.MOST_CASES:
        return f" on the {cases:,} cases of that run"
    return "".join(f" {shlex.quote(word)}" for word in words)


def _excused(rewrites: Sequence[accept.AcceptedFile], link: accept.Link) -> str:
    """Which results one link was put on, where these are several: each may be a defect of its own.
    "" where there is nothing to say."""
    excused = [r for w in rewrites if w.changed for r in w.accepted if r.outcome.needs_issue]
    if not link or len(excused) < 2:
        return ""
    named = folded(sorted({r.label for r in excused}))
    return (
        f"{link.issue or 'the note'} is now given for {len(excused):,} results: {named}; for a "
        "link of its own, accept a case by its name"
    )


def _same_but_written() -> str:
    """This command once more, without --dry-run."""
    words = click.get_current_context().find_root().obj or ("accept",)
    return shlex.join(["exportdb", *(word for word in words if word != "--dry-run")])


def _command_again(refs: Sequence[plugins.PluginRef], cases: Sequence[str], exporter: str) -> str:
    """This command once more for these cases of one exporter, without what is decided anew."""
    specs = {ref.name: ref.target for ref in refs if not ref.distribution}
    words = ["exportdb", "accept", *cases, "--exporter", _shown_spec(specs.get(exporter, exporter))]
    context = click.get_current_context()
    for option in context.command.params:
        name = option.name or ""
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and isinstance(option, click.Option) and name not in _SAID_ANEW:
            value = context.params[name]
            for each in value if option.multiple else (value,):
                words += [option.opts[0], str(each)]
    return shlex.join(words)


def _shown_spec(spec: str) -> str:
    """An exporter as one would type it here: a file by its path from here."""
    location, colon, name = spec.rpartition(":")
    return f"{shown_path(Path(location))}:{name}" if colon and location.endswith(".py") else spec


def _as_json(
    rewrites: Sequence[accept.AcceptedFile], refused: Sequence[Refused], dry_run: bool
) -> dict[str, object]:
    return {
        "dry_run": dry_run,
        "accepted": [_named(record) for made in rewrites for record in made.accepted],
        "refused": [_named(r.record) | {"reason": r.reason} for r in refused],
        "changed": list(dict.fromkeys(str(made.path) for made in rewrites if made.changed)),
    }


def _named(record: Record) -> dict[str, str]:
    return {
        "suite": record.suite, "case": record.case, "exporter": record.exporter,
        "device": record.device, "outcome": str(record.outcome),
    }  # fmt: skip


def _conclude(
    rewrites: Sequence[accept.AcceptedFile],
    refused: Sequence[Refused],
    dry_run: bool,
    under: str,
    following: str,
) -> None:
    """Say what was refused and why, what was accepted, and what to do next."""
    changed = {w.path for w in rewrites if w.changed}
    taken = sum(len(w.accepted) for w in rewrites)
    for line in refusals.lines(refused, under):
        output.note(line)
    verb = "would change" if dry_run else "changed"
    output.note(
        f"{plural(taken, 'result')}{under} accepted; "
        f"{plural(len(changed), 'file')} {verb}"
        + (f"; {len(refused):,} refused" if refused else "")
    )
    if changed:
        output.note(f"next: {following}")
