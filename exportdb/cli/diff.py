"""``exportdb diff``: two runs, two torch versions or two exporters side by side."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import click

from exportdb import resolve
from exportdb.cli import options, output
from exportdb.cli.status import without_collections
from exportdb.prose import plural
from exportdb.records.environment import Environment
from exportdb.records.jsonl import Header
from exportdb.records.record import Identity, Record, label
from exportdb.store import compare
from exportdb.store.merging import Prefer, merge
from exportdb.store.protocol import EVERYTHING, Query, StoredRun, StoreError

#: What results are chosen by.
_NAMES = ("suite", "exporter", "device")


@click.command("diff")
@click.argument("before", metavar="A", shell_complete=options.complete_runs)
@click.argument("after", metavar="[B]", required=False, shell_complete=options.complete_runs)
@click.option(
    "--exporters",
    "pair",
    nargs=2,
    metavar="X Y",
    default=None,
    shell_complete=options.complete_exporters,
    help="Compare two exporters within the run A.",
)
@click.option(
    "--devices",
    "places",
    nargs=2,
    metavar="X Y",
    default=None,
    shell_complete=options.complete_devices,
    help="Compare two devices within the run A.",
)
@click.option(
    "--suite",
    "suites",
    multiple=True,
    metavar="NAME,...",
    shell_complete=options.complete_suites,
    help="Only results of these suites.",
)
@options.exporters_option("Only results of these exporters, named as in the records.")
@options.devices_option("Only results on these devices.")
@click.option("--common", is_flag=True, help="Compare only the results that both have.")
@click.option("--verbose", "-v", is_flag=True, help="Show how graphs differ.")
@options.prefer_option
@options.home_option
@options.history_option
@options.json_option
def command(
    before: str, after: str | None, pair: tuple[str, str] | None, places: tuple[str, str] | None,
    suites: tuple[str, ...], exporters: tuple[str, ...], devices: tuple[str, ...], common: bool,
    verbose: bool, prefer: Prefer, home: Path | None, history: str | None, as_json: bool,
) -> int:  # fmt: skip
    """Compare two record files or runs: what improved, regressed, changed, is new or gone.

    A and B are record files or IDs of runs, several of them separated by commas; `last` is the last
    run, 2026-11-01 the latest results on that day, torch==2.13 the latest with that version. Cases
    that only the larger run has are summed up in one line.

    \b
      exportdb diff torch-2.13.jsonl torch-2.15.jsonl
      exportdb diff nightly.jsonl shard-1.jsonl,shard-2.jsonl --common
      exportdb diff last --exporters export export-strict -v
      exportdb diff 2026-11-01 2026-11-08 --suite ops --exporter export
      exportdb diff last --devices cpu cuda

    Exit codes: 0 the same, 1 different, 2 cannot compare.
    """
    if [after, pair, places].count(None) != 2:
        raise click.UsageError(
            "give a second run to compare with, --exporters X Y or --devices X Y: one of the three"
        )
    only = Query(*(
        frozenset(resolve.split(words)) or None for words in (suites, (), exporters, devices)
    ))  # fmt: skip
    sides = [options.open_runs([named], home, history) for named in (before, after) if named]
    asked = _of_both(_of_both(only, "exporter", pair), "device", places)
    with without_collections():
        old, new = _read(sides, prefer, asked)
    for field in _NAMES:
        _check([old, new], field, getattr(only, field) or ())
    if pair is not None:
        _check([old], "exporter", pair)
        changes = compare.compare_exporters(old.records, *pair)
    elif places is not None:
        _check([old], "device", places)
        changes = compare.compare_devices(old.records, *places)
    if after is None:
        if _switches(old) and not as_json:
            output.put(f"under {', '.join(_switches(old))}\n")
    else:
        output.note(f"comparing A ({old.location}) with B ({new.location})")
        changes = compare.compare(old.records, new.records)
        if common:
            changes = [c for c in changes if c.before and c.after]
        differ = old.environments != new.environments
        if not as_json and (differ or _switches(old) or _switches(new)):
            output.put(f"A: {_places(old)}\nB: {_places(new)}\n")
    if as_json:
        under = {"before": _switches(old), "after": _switches(new)}
        output.put_lines({**c.to_json(), "switches": under} for c in changes)
    else:
        _print(changes, verbose, _of_one_run(changes, old, new))
    return int(bool(changes))


def _of_both(only: Query, field: str, sides: tuple[str, str] | None) -> Query:
    """What is asked for, of the two sides of a run alone."""
    if sides is None:
        return only
    asked = getattr(only, field)
    return replace(only, **{field: frozenset(sides) if asked is None else asked & {*sides}})


@dataclass(frozen=True)
class _HeldRun:
    """What was asked for of a run, read once."""

    location: str
    header: Header
    held: Sequence[Record]

    def records(self, query: Query = EVERYTHING) -> Iterator[Record]:
        """Those of it that a query asks for."""
        return iter(self.held) if query == EVERYTHING else filter(query.matches, self.held)


@dataclass(frozen=True)
class _SelectedRun:
    """What was asked for of a run, or of several as one."""

    location: str
    environments: tuple[Environment, ...]
    records: tuple[Record, ...]
    stored: Sequence[StoredRun]
    #: What the other run says just so; its records were not read.
    alike_in_all: Set[Identity]
    #: Those of them that were asked for.
    alike: Set[Identity]

    @staticmethod
    def read(
        runs: Sequence[StoredRun], prefer: Prefer, only: Query, alike: Set[Identity] = frozenset()
    ) -> _SelectedRun:
        """Raises StoreError, RecordFileError."""
        location = ", ".join(r.location for r in runs)
        found: dict[Identity, tuple[Record, Environment]] = {}
        held = [_HeldRun(r.location, r.header, tuple(r.records(only))) for r in runs]
        read = merge(held, prefer)
        for record, environment in read.records():
            if (other := found.setdefault(record.identity, (record, environment)))[0] != record:
                raise StoreError(
                    f"{location} has {record.label} · {record.exporter} · {record.device} in two "
                    f"environments "
                    f"({_in_words(other[1])}; {_in_words(environment)}); compare one at a time"
                )
        records = tuple(r for r, _ in found.values())
        also = alike if only == EVERYTHING else {*filter(only.may_have, alike)}
        return _SelectedRun(location, read.environments, records, runs, alike, also)

    def has(self, field: str, name: str) -> bool:
        """Whether there is a result of a suite, an exporter or a device, asked for or not."""
        return any(getattr(r, field) == name for r in self.records) or name in self.names(field)

    def names(self, field: str) -> set[str]:
        """The suites, exporters or devices of all of its results: all of it is read."""
        at = ("suite", "case", "exporter", "device").index(field)
        said = {getattr(r, field) for run in self.stored for r in run.records()}
        return said | {identity[at] for identity in self.alike_in_all}

    @cached_property
    def cases(self) -> frozenset[tuple[str, str]]:
        """Suite and ID of the cases that it has results of."""
        read = ((r.suite, r.case) for r in self.records)
        return frozenset([*read, *((suite, case) for suite, case, *_ in self.alike)])


def _read(
    sides: Sequence[Sequence[StoredRun]], prefer: Prefer, only: Query
) -> tuple[_SelectedRun, _SelectedRun]:
    """The two sides, one run twice if no other is given. Raises RecordFileError, StoreError."""
    old, *others = sides
    if not others:
        return (one := _SelectedRun.read(old, prefer, only)), one
    (new,) = others
    if len(old) > 1 or len(new) > 1:
        return _SelectedRun.read(old, prefer, only), _SelectedRun.read(new, prefer, only)
    (a, left_out), (b, also) = old[0].unlike(new[0]), new[0].unlike(old[0])
    return _SelectedRun.read([a], prefer, only, left_out), _SelectedRun.read(
        [b], prefer, only, also
    )


def _check(runs: Sequence[_SelectedRun], field: str, asked: Iterable[str]) -> None:
    """Raises UsageError for a suite, an exporter or a device of which none of the runs has any."""
    for name in asked:
        if not any(run.has(field, name) for run in runs):
            known = set[str]().union(*(run.names(field) for run in runs))
            where = " and ".join(dict.fromkeys(run.location for run in runs))
            raise click.UsageError(
                f"there is no result of the {field} {name} in {where}; "
                f"there are {', '.join(sorted(known)) or 'none at all'}"
            )


def _of_one_run(
    changes: Sequence[compare.RecordChange], old: _SelectedRun, new: _SelectedRun
) -> list[compare.RecordChange]:
    """The changes that only say that one run has fewer cases than the other."""
    smaller, kind = (new, compare.GONE) if len(new.cases) < len(old.cases) else (old, compare.NEW)
    if len(new.cases) == len(old.cases):
        return []
    return [c for c in changes if c.kind == kind and c.key[:2] not in smaller.cases]


def _switches(found: _SelectedRun) -> list[str]:
    """The switches that a run was made under."""
    return sorted({s for e in found.environments for s in e.switches})


def _places(found: _SelectedRun) -> str:
    """Where the records of a run were made, each place once."""
    used = dict.fromkeys(r.env for r in found.records)
    read = [e for e in found.environments if e.digest in used]
    places = found.environments if found.alike else read or found.environments
    return "; ".join(dict.fromkeys(map(_in_words, places)))


def _in_words(e: Environment) -> str:
    words = [f"torch {e.torch}", f"Python {e.python}", e.platform, *e.switches]
    return ", ".join([*words, e.accelerator] if e.accelerator else words)


def _print(
    changes: Sequence[compare.RecordChange], verbose: bool, absent: Sequence[compare.RecordChange]
) -> None:
    told = [c for c in changes if c not in absent]
    rows = [(c.kind, label(*c.key[:2]), c.key[2], c.key[3], _change_in_words(c)) for c in told]
    if rows:
        output.table(("change", "case", "exporter", "device", "what"), rows)
    if absent:
        smaller, larger = ("A", "B") if absent[0].kind == compare.NEW else ("B", "A")
        cases = list(dict.fromkeys(label(*c.key[:2]) for c in absent))
        output.put(
            f"{smaller} has fewer cases: {plural(len(cases), 'case')} "
            f"({plural(len(absent), 'result')}) only in {larger}, "
            f"like {output.listed(cases, 3)}; --common leaves them out"
        )
    if verbose:
        for change in changes:
            if change.graph_diff:
                output.put(f"\n{' · '.join((label(*change.key[:2]), *change.key[2:]))}")
                output.put(textwrap.indent(change.graph_diff.rstrip("\n"), "  "))
    counts = Counter(c.kind for c in changes)
    output.put(
        ", ".join(f"{counts[k]:,} {k}" for k in compare.KINDS if counts[k]) or "no difference"
    )
    if not verbose and any(c.graph_diff for c in changes):
        output.note("-v shows how graphs differ")


def _change_in_words(change: compare.RecordChange) -> str:
    if change.before is None or change.after is None:
        one = change.before or change.after
        return one.outcome if one else ""
    if change.before.outcome != change.after.outcome:
        return f"{change.before.outcome} -> {change.after.outcome}"
    return f"{change.after.outcome}: {', '.join(change.differs)}"
