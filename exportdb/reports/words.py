"""What a report says of one cause, in lines: results, why, whose line, what to do.

The same lines serve a terminal and a Markdown page. Owns the words; which results are one cause is
left to ``causes``, what is known beside them to ``background``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from exportdb import prose
from exportdb.explain.frames import UserLine
from exportdb.explain.messages import NO_MESSAGE, essential_lines
from exportdb.prose import plural
from exportdb.records import waiver
from exportdb.records.display import one_sample
from exportdb.records.outcome import Outcome, Verdict, how_often
from exportdb.records.record import ErrorInfo, Identity, Record
from exportdb.records.verdict import first_difference, judge, unmeasured
from exportdb.reports.background import Background, Rewrite
from exportdb.reports.causes import Cause, Kind, explaining

#: Cases that are named; results that are shown one by one.
NAMED, ONE_BY_ONE = 3, 20
#: Exporters that are named in a line.
EXPORTERS = 8
#: Cases of one cause whose lines are shown.
LINES = 5
#: Characters of what happened on one sample.
LONGEST = 600
#: Characters of the message of an error where it has to fit into a line.
LONGEST_LINE = 300


def folded(names: Sequence[str], most: int = NAMED) -> str:
    """A few names and how many more there are.

    >>> folded(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


#: What a program that opens a file by a relative path has to know.
_FROM_BESIDE = (
    "what to do: programs run in an empty folder; put the file beside the case and open "
    "Path(__file__).with_name(...)"
)
#: Why eager itself fails on an input that the case accepts, for the same reasons as L051.
_NOT_ACCEPTED = (
    "what to do: fix the program, or narrow the declared range (without min it begins at 0), or "
    "move the sample to rejects()"
)


@dataclass(frozen=True)
class Words:
    """Says causes. ``device_of`` names the device of a record, where that is worth saying.

    ``shown`` writes an outcome; ``one_device`` is whether naming the device tells nothing.
    """

    background: Background
    shown: Callable[[Outcome], str]
    device_of: Callable[[str], str]
    one_device: bool

    def heading(self, cause: Cause) -> str:
        """Whose results these are, in a line."""
        one, cases = cause.first, folded(cause.cases)
        match cause.kind:
            case Kind.MISSING:
                return essential_lines(one.error.message if one.error else "")[0]
            case Kind.FAULT:
                return f"error: {cases} · {self._who(cause)}, in phase {one.phase}"
            case Kind.UNAVAILABLE:
                return f"{self.shown(one.outcome)} here: {cases} · {self._who(cause)}"
            case Kind.SURPRISE:
                said = folded(list(dict.fromkeys(map(self._surprise, cause.records))))
                return f"{one.verdict}: {cases} · {self._who(cause)}: {said}"
        columns = dict.fromkeys(
            r.exporter if self.one_device else f"{r.exporter} {self.device_of(r.device)}"
            for r in cause.records
        )
        return f"{self.shown(one.outcome)}: {cases} · {', '.join(columns)}"

    def body(self, cause: Cause, full: Mapping[Identity, Record]) -> list[str]:
        """Why, and what to do. ``full`` has the whole records of what changed, by identity."""
        why = list(self._why(cause, full))
        todo = any(map(self.background.todos, _each_case(cause)))
        if todo or cause.kind in (Kind.MISSING, Kind.UNAVAILABLE):
            return why
        repro = cause.first.repro if cause.kind in (Kind.FAULT, Kind.SURPRISE) else ""
        return [*why, *self._advice(cause), *([f"repro: {repro}"] if repro else [])]

    def left_open(self, cause: Cause) -> bool:
        """Whether all that is amiss is that the cases are still to be filled in."""
        return all(map(self.background.todos, _each_case(cause)))

    def lines(self, records: Sequence[Record]) -> list[tuple[str, int]]:
        """Results that are not as expected, a line for those of one case that are so in the same
        way, with how many these are. An error that says the same of several cases is one line."""
        alike: dict[tuple[str, str, str, str], list[Record]] = {}
        for r in records:
            case = "" if r.outcome is Outcome.ERROR else r.label
            key = (*self.in_short(r), case, self.device_of(r.device))
            alike.setdefault(key, []).append(r)
        return [
            (f"{verdict}: {_named(found)} · {device}: {what}", len(found))
            for (verdict, what, _, device), found in alike.items()
        ]

    def in_short(self, record: Record) -> tuple[str, str]:
        """The verdict on a result, and what there is to say of it, in a line."""
        if record.outcome is Outcome.ERROR:
            if todos := self.background.todos(record):
                return "error", "; ".join(map(_left_open, todos))
            error = record.error
            said = _shortened(essential_lines(error.message)[0]) if error else ""
            return "error", error.type if error and said == NO_MESSAGE else said
        if record.verdict is Verdict.NEW:
            return "new", unmeasured(record, record.expected)
        return str(record.verdict), self._surprise(record)

    def _who(self, cause: Cause) -> str:
        return f"{', '.join(cause.exporters)} · {', '.join(map(self.device_of, cause.devices))}"

    def _surprise(self, record: Record) -> str:
        if len(record.outcomes) > 1:
            return how_often(record.outcomes)
        if record.verdict is Verdict.FLAKY:
            return f"{record.outcome}, but not when it was tried again"
        if record.expected is not None and record.expected is not record.outcome:
            return f"{record.expected} was expected, {record.outcome} seen"
        known = self.background.expectation(record)
        if known is not None and known.ended:
            return waiver.in_words(known.value)
        return f"{record.outcome} as expected, but not in the same way"

    def _why(self, cause: Cause, full: Mapping[Identity, Record]) -> Iterator[str]:
        """The error, or result by result what differs."""
        if todos := [t for r in _each_case(cause) for t in self.background.todos(r)]:
            yield from map(_left_open, todos)
            return
        if cause.kind is Kind.UNAVAILABLE:
            expected = dict.fromkeys(str(r.expected) for r in cause.records)
            yield f"{' or '.join(expected)} was expected, and it cannot be tried here"
        error = cause.first.error
        if error is not None:
            yield from self._error(cause, error)
        yield from self._one_by_one(cause, full)
        if error is None and (finding := explaining(cause.first)):
            yield f"{finding.id}: {finding.message}"

    @staticmethod
    def _error(cause: Cause, error: ErrorInfo) -> Iterator[str]:
        """The message of the first, how many there are, and whether others say it otherwise."""
        first, *more = essential_lines(error.message)
        if cause.kind is Kind.MISSING:
            yield from (*more, f"{plural(len(cause.records), 'result')} missing because of it")
            return
        times = f"{len(cause.records):,} x " if len(cause.records) > 1 else ""
        yield f"{times}{cause.first.phase}: {error.type}: {first}"
        yield from (f"  {line}" for line in more)
        said = {essential_lines(r.error.message)[0] for r in cause.records if r.error}
        if len(said) > 1:
            yield f"  and {plural(len(said) - 1, 'other message')} of the same kind"

    def _one_by_one(self, cause: Cause, full: Mapping[Identity, Record]) -> Iterator[str]:
        """What differs in each result; those in which the same does are one."""
        alike: dict[str, list[Record]] = {}
        for record in cause.records:
            if said := self._difference(record, full):
                alike.setdefault(said, []).append(record)
        for said, records in list(alike.items())[:ONE_BY_ONE]:
            whose = folded(list(dict.fromkeys(r.label for r in records)))
            yield said if len(records) == len(cause.records) else f"{whose}: {said}"
        if (more := len(alike) - ONE_BY_ONE) > 0:
            yield f"and {more:,} more; exportdb report --format json has them all"

    def _difference(self, record: Record, full: Mapping[Identity, Record]) -> str:
        """What differs in one result, where an error does not say it for all of them."""
        if record.verdict is Verdict.CHANGED and record.identity in full:
            known = self.background.expectation(record)
            if known is not None and known.outcome is record.expected:
                differs = judge(full[record.identity], known).differs
                return (
                    first_difference(known.value, full[record.identity], differs) if differs else ""
                )
        if record.verdict is Verdict.FLAKY:
            again = [f.message for f in record.findings if f.id == "differs-on-second-try"]
            return again[0] if again else ""
        if record.error is not None:
            return ""
        if sample := record.deciding:
            return one_sample(sample)[:LONGEST]
        return _not_one_graph(record) if record.outcome is Outcome.DEGRADED else ""

    def _advice(self, cause: Cause) -> Iterator[str]:
        """The user's line, the entry of the catalogue with its remedy, the best rewrite."""
        places = self.background.places(cause)
        for place in places[:LINES]:
            yield f"your line: {place}"
            if place.source:
                yield f"    {place.source}"
        if (more := len(places) - LINES) > 0:
            yield f"and {plural(more, 'more line')}"
        if cause.kind is Kind.FAULT:
            error = cause.first.error
            if error and _missed_beside(error):
                yield _FROM_BESIDE
            elif error and error.type == "EagerFailed":
                yield from prose.lines(_NOT_ACCEPTED, "  ", first="", margin=2)
            return
        if not cause.first.outcome.faultless:
            for case, broken in self.background.broken_contracts(cause).items():
                of = f" of {case}" if len(cause.cases) > 1 else ""
                said = f"at fault is the program{of}, not the exporter: {broken}"
                yield from prose.lines(said, "  ", first="", margin=2)
        if entry := self.background.entry(cause.first):
            yield f"{entry.id}: {entry.title}"
            yield from prose.lines(f"what to do: {entry.remedy}", "  ", first="", margin=2)
        if (
            cause.first.verdict in (Verdict.IMPROVED, Verdict.FLAKY)
            or cause.first.outcome.faultless
        ):
            return
        if found := self.background.rewrite(cause):
            yield _rewritten(found, "rewrite", len(cause.cases) > 1)
        elif found := self.background.rewrite_alike(cause):
            yield _rewritten(found, "rewrite of a case with this error", True)


def _missed_beside(error: ErrorInfo) -> bool:
    """Whether a file was looked for in the folder that the program runs in.

    >>> missing = "[Errno 2] No such file or directory: '{}'".format
    >>> names = ("words.txt", "data/words", "/data/words.txt", "gcc")
    >>> [_missed_beside(ErrorInfo("FileNotFoundError", missing(n))) for n in names]
    [True, True, False, False]
    """
    found = re.search(r"No such file or directory: '([^']+)'", error.message)
    if error.type != "FileNotFoundError" or found is None:
        return False
    path = PurePath(found[1])  # one word alone may be a program that is not installed
    return not path.is_absolute() and (bool(path.suffix) or len(path.parts) > 1)


def _rewritten(found: Rewrite, what: str, named: bool) -> str:
    of = f" in place of {found.case}" if named else ""
    known = f", which {found.by} supports" if found.by else ""
    return f"{what}{'' if found.by else ' to try'}: exportdb show {found.rewrite}{of}{known}"


def _left_open(place: UserLine) -> str:
    said = "still has its TODO" if place.source else "is still to be filled in"
    return f"{place.function}() {said}, line {place.line} of {place.file}"


def _named(records: Sequence[Record]) -> str:
    """The cases and exporters of some results, each once."""
    cases = list(dict.fromkeys(r.label for r in records))
    exporters = list(dict.fromkeys(r.exporter for r in records))
    return f"{folded(cases)} · {folded(exporters, EXPORTERS)}"


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]} ..."


def _each_case(cause: Cause) -> list[Record]:
    return list({r.label: r for r in cause.records}.values())


def _not_one_graph(record: Record) -> str:
    said = {"graph break": "graph_breaks", "recompilation": "recompilations"}
    return ", ".join(plural(int(record.cost[k]), n) for n, k in said.items() if record.cost.get(k))
