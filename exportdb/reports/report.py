"""A run that has ended, as every form of report sees it: counts, causes, what to do next.

Owns what is counted as failed and which step is proposed. Pure but for what ``background`` reads.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from exportdb.cases.case import SUITE as CASES
from exportdb.prose import plural
from exportdb.records.jsonl import Header
from exportdb.records.outcome import Outcome, Verdict
from exportdb.records.record import Identity, Record
from exportdb.records.switches import Switches
from exportdb.reports.background import Background, shown_path
from exportdb.reports.causes import Cause, Kind, causes
from exportdb.reports.words import Words, folded
from exportdb.store.protocol import Query, StoredRun

_NEEDS_LINK = "what is wrong or crashed needs --issue LINK or --note TEXT"
#: Cases that a command proposed names one by one, where it could leave them out.
FEW = 5
#: What is counted of the sizes that were asked to be dynamic, see :attr:`Report.dims`.
DIMS = ("requested", "kept", "became constants", "not known", "captures with constants")


@dataclass(frozen=True)
class Report:
    """The report on a run whose ``records`` are briefs; ``stored`` has them in full.

    With ``gate``, the run was a check: what is new has failed as well. ``where`` are the options
    with which ``accept`` finds the run, its cases and its expectations, ``asked`` the exporters as
    the command line named them.
    """

    stored: StoredRun
    records: Sequence[Record]
    background: Background
    gate: bool = False
    where: Sequence[str] = ()
    asked: Sequence[str] = ()

    @property
    def header(self) -> Header:
        """Where and how the records were made."""
        return self.background.header

    @property
    def switches(self) -> Switches:
        """The switches that the run was made under."""
        return self.header.environment.switches

    @cached_property
    def causes(self) -> list[Cause]:
        """What there is something to say about."""
        return causes(self.records)

    def failed(self, record: Record) -> bool:
        """Whether a gate stops on it."""
        new = self.gate and record.verdict is Verdict.NEW
        return new or surprising(record) or record.outcome is Outcome.ERROR

    @cached_property
    def unexpected(self) -> list[Record]:
        """The results that :meth:`failed`, the worst first."""
        order = {v: place for place, v in enumerate(Verdict)}
        return sorted(
            filter(self.failed, self.records),
            key=lambda r: (
                r.outcome is not Outcome.ERROR, order[r.verdict or Verdict.NEW],
                r.label, r.exporter, r.device,
            ),
        )  # fmt: skip

    def words(self, shown: Callable[[Outcome], str] = lambda o: f"{o.glyph} {o}") -> Words:
        """Who says the causes."""
        ours = {r.case for c in self.causes for r in c.records if r.suite == CASES}
        self.background.read_ahead(ours)
        return Words(self.background, shown, self.device, self.one_device)

    @cached_property
    def one_device(self) -> bool:
        """Whether naming the device of a result tells nothing."""
        return len({r.device for r in self.records}) <= 1 and not self.switches

    def device(self, name: str) -> str:
        """A device as a result under switches is named: never like one without."""
        return "+".join((name, *self.switches))

    def in_full(self, some: Sequence[Cause]) -> Mapping[Identity, Record]:
        """The whole records of what changed among these causes, by identity."""
        briefs = [r for c in some for r in c.records if r.verdict is Verdict.CHANGED]
        if not briefs:
            return {}
        query = Query(
            case={b.case for b in briefs}, exporter={b.exporter for b in briefs},
            device={b.device for b in briefs},
        )  # fmt: skip
        wanted = {b.identity for b in briefs}
        return {r.identity: r for r in self.stored.records(query) if r.identity in wanted}

    @property
    def summary(self) -> str:
        """How many results with which verdict, in a line."""
        under = f" under {', '.join(self.switches)}" if self.switches else ""
        return f"{plural(len(self.records), 'result')}{under}: {counts(self.records)}"

    @property
    def dims(self) -> dict[str, list[int]]:
        """Of each exporter: sizes asked to be dynamic, kept so, made constants, those of which
        nothing is known (of what was refused), and in how many captures there are constants."""
        found: dict[str, list[int]] = {}
        for record in self.records:
            if (dims := record.dims).asked:
                counts = found.setdefault(record.exporter, [0] * len(DIMS))
                told = (dims.asked, dims.kept, dims.constants, dims.unknown, dims.constants > 0)
                for i, more in enumerate(told):
                    counts[i] += more
        return dict(sorted(found.items()))

    @property
    def unfinished(self) -> str:
        """What to do where not all that was planned is there; "" where it is."""
        missing = self.header.planned - len(self.records)
        if missing <= 0:
            return ""
        said = f"{plural(missing, 'result')} of {self.header.planned:,} missing"
        if not self.header.arguments:  # put together from several runs, or made from Python
            return said
        return f"{said}; go on with: exportdb run --resume {self.header.run}"

    def next_steps(self) -> Iterator[str]:
        """What to do now: fix, look, ask for more time, or, if nothing is amiss, accept."""
        steps = [*self._amiss(), *self._better(), *self._over()]
        if steps:
            yield from steps
        elif any(_acceptable(r) for r in self.records):
            more = [] if self.gate else ["exportdb check fails on surprises"]
            words = ["--dry-run", *self._adapters]
            if any(map(self._needs_link, self.records)):
                words.append("--issue LINK")
                more.append(_NEEDS_LINK)
            if self.switches:
                more.append(f"these expectations hold under {', '.join(self.switches)} only")
            hint = f"  ({'; '.join(more)})" if more else ""
            meant = "if this is intended: " if any(map(surprising, self.records)) else ""
            yield f"{meant}{self._accept(self.records, *words)}{hint}"
        elif lost := {name for r in self.records if (name := _unusable(r))}:
            yield _ask_doctor(lost)

    @property
    def _adapters(self) -> list[str]:
        """The option that names the exporters again, where one was given as a file: expectations
        may stand beside it."""
        files = any(":" in word for word in self.asked)
        return ["--exporter", ",".join(self.asked)] if files else []

    def _needs_link(self, record: Record) -> bool:
        """Whether ``accept`` would refuse it without a link."""
        defect = record.outcome.needs_issue and _unknown(record)
        return defect and not self.background.explained(record)

    @property
    def _faults(self) -> list[Record]:
        return [r for r in self.records if r.outcome is Outcome.ERROR]

    def _amiss(self) -> Iterator[str]:
        """What keeps these results from being anything to expect."""
        todos = {r.identity: t for r in self._faults for t in self.background.todos(r)}
        if files := list(dict.fromkeys(t.file for t in todos.values())):
            yield f"fill in {folded(files)}, then run again"
        kinds = (Kind.MISSING, Kind.FAULT)
        words = self.words()
        if faults := sum(c.kind in kinds and not words.left_open(c) for c in self.causes):
            shown = "error" if faults == 1 else f"{faults:,} errors"
            yield f"fix the {shown} shown above, then run again"
        if lost := {name for r in self.records if surprising(r) and (name := _unusable(r))}:
            yield _ask_doctor(lost)
        if late := [r for r in self.records if r.outcome is Outcome.TIMEOUT and _unknown(r)]:
            yield f"run again with a longer --timeout: {plural(len(late), 'result')} did not finish"
        flaky = [r for r in self.records if r.verdict is Verdict.FLAKY]
        if often := [r for r in flaky if r.outcomes]:
            several = plural(len(often), "intermittent result")
            command = self._accept(often, "--issue LINK", *self._adapters)
            yield f"{command}  ({several}: expects every outcome seen)"
        if once := [r for r in flaky if not r.outcomes]:
            several = plural(len(once), "result")
            repro = f"{once[0].repro} --repeat-run 10" if once[0].repro else "run again"
            yield f"{repro}  ({several} came out differently when tried again)"

    def _better(self) -> Iterator[str]:
        """For results that are better than expected, the commands that accept just them."""
        groups: dict[tuple[str, str, str, bool], list[Record]] = {}
        for r in self.unexpected:
            if r.verdict is Verdict.IMPROVED and _acceptable(r):
                key = (r.suite, r.exporter, r.device, r.outcome.needs_issue)
                groups.setdefault(key, []).append(r)
        for (_, exporter, device, defect), better in groups.items():
            cases = [r.case for r in better]
            alike = [r for r in self.unexpected if (r.exporter, r.device) == (exporter, device)]
            if len(better) > FEW and len(alike) == len(better):
                cases = []  # nothing else of this exporter would change
            words = [*cases, "--exporter", self._spec(exporter), "--device", device]
            words += ["--issue LINK"] if defect else []
            count = plural(len(better), "result")
            yield f"{self._accept(better, *words)}  ({count} better than expected)"

    def _over(self) -> Iterator[str]:
        """For results whose waiver has ended, the commands that say anew when it does."""
        groups: dict[tuple[str, str, str, str, str], list[Record]] = {}
        for r in self.unexpected:
            known = self.background.expectation(r)
            if known is None or not known.ended or r.outcome is not known.outcome:
                continue
            excuse = [f"--{k} {shlex.quote(known.value[k])}"
                    for k in ("issue", "note") if known.value.get(k)]  # fmt: skip
            by_torch = str(known.value["until"]).startswith("torch")
            end = "--until-torch VERSION" if by_torch else "--until DATE"
            key = (r.suite, r.exporter, r.device, " ".join(excuse), end)
            groups.setdefault(key, []).append(r)
        for (_, exporter, device, told, end), over in groups.items():
            words = [*dict.fromkeys(r.case for r in over), "--exporter", self._spec(exporter)]
            command = self._accept(over, *words, "--device", device, told, end)
            asked = end.partition(" ")[2]
            what = "a later version of torch" if asked == "VERSION" else "a later day"
            whose = "its waiver" if len(over) == 1 else f"the waivers of {len(over):,} results"
            yield (
                f"fix it, or renew the waiver: {command}  "
                f"({whose} ended; {asked} is {what}; {_NEEDS_LINK})"
            )

    def _spec(self, exporter: str) -> str:
        """An exporter as an option names it: by its file, where it was given as one."""
        place = self.background.adapters.get(exporter)
        return f"{shown_path(Path(place.file))}:{place.function}" if place else exporter

    def _accept(self, records: Sequence[Record], *words: str) -> str:
        """The command that makes ``records`` what is expected; ``words`` say which these are."""
        others = sorted({r.suite for r in records} - {CASES})
        suite = ["--suite", ",".join(others)] if others else []
        if others and "--expectations" not in self.where:
            suite.append("--expectations DIR")
        return " ".join(("exportdb accept", *words, *suite, *self.where))


def counts(records: Sequence[Record]) -> str:
    """Errors and verdicts counted, in one line, and how many results are from the cache."""
    errors = sum(r.outcome is Outcome.ERROR for r in records)
    judged = (r for r in records if r.outcome is not Outcome.ERROR)
    found = Counter(r.verdict or Verdict.NEW for r in judged)
    cached = sum(r.cached for r in records)
    gone = sum(r.outcome is Outcome.UNAVAILABLE and surprising(r) for r in records)
    parts = [plural(errors, "error")] if errors else []
    words = ", ".join([*parts, *(f"{found[v]:,} {v}" for v in Verdict if found[v])])
    words = words or "nothing examined"
    words += f", {gone:,} of them because it cannot be tried here" if gone else ""
    return words + (f" ({cached:,} from cache)" if cached else "")


def surprising(record: Record) -> bool:
    """Whether something is known, and this is not it."""
    return record.verdict is not None and record.verdict.differs


def _unusable(record: Record) -> str:
    """The exporter or device that cannot be used here; "" where that is not why."""
    if record.outcome is not Outcome.UNAVAILABLE or record.error is None:
        return ""
    name = record.error.message.partition(": ")[0]
    return name if name in (record.exporter, record.device) else ""


def _ask_doctor(names: Collection[str]) -> str:
    return f"exportdb doctor  (says why {folded(sorted(names))} cannot be used here)"


def _unknown(record: Record) -> bool:
    return record.verdict is None or record.verdict is not Verdict.EXPECTED


def _acceptable(record: Record) -> bool:
    return bool(record.verdict and record.verdict.acceptable and record.outcome.expectable)
