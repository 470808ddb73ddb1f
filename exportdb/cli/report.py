"""What a run has to say when it is over: the support table, what surprised, what to do next.

A result under switches never looks like one without: its device is ``cpu+deterministic``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median
from typing import TYPE_CHECKING

from exportdb.cli import output
from exportdb.records.outcome import Outcome, Verdict
from exportdb.records.record import Record
from exportdb.records.switches import Switches
from exportdb.records.telling import one_sample
from exportdb.records.verdict import first_difference, judge

if TYPE_CHECKING:
    from exportdb.runner.result import RunResult

MANY_ROWS = 40  # above this the table shows what is interesting and counts the rest
_CAPTURING = ("capture", "decompose", "lower", "save", "load")


@dataclass(frozen=True)
class Report:
    """The report on the ``records`` of a run, all of it printed by :meth:`print`."""

    run: RunResult
    records: Sequence[Record]

    @property
    def switches(self) -> Switches:
        """The switches that the run was made under."""
        return self.run.environments[0].switches

    def print(self, gate: bool) -> None:
        """Say everything; with ``gate``, surprises have failed the run already."""
        self.support()
        self.reasons()
        self.errors()
        self.surprises()
        under = f" under {', '.join(self.switches)}" if self.switches else ""
        output.put()
        output.put(f"{output.plural(len(self.records), 'result')}{under}: {counts(self.records)}")
        self.cost()
        output.put(f"records: {self.run.stored.location}")
        if any(r.verdict and r.verdict.acceptable for r in self.records):
            more = [] if gate else ["exportdb check fails on surprises"]
            more += [f"these expectations hold{under} only"] if under else []
            hint = f"  ({'; '.join(more)})" if more else ""
            output.put(f"next: exportdb accept --dry-run{hint}")

    def support(self) -> None:
        """The support table: a row per case, a column per exporter (and device, if several)."""
        columns = sorted({self._column(r) for r in self.records})
        rows: dict[str, dict[str, Record]] = {}
        for record in self.records:
            rows.setdefault(record.case, {})[self._column(record)] = record
        chosen = rows
        if len(rows) > MANY_ROWS:
            self._counts(columns)
            interesting = [c for c, cells in rows.items() if any(map(_interesting, cells.values()))]
            chosen = {c: rows[c] for c in interesting[:MANY_ROWS]}
            if not chosen:
                return
            output.put()
        lines = [(case, *(cell(cells.get(c)) for c in columns)) for case, cells in chosen.items()]
        output.table(("case", *columns), sorted(lines))
        if more := len(rows) - len(chosen):
            output.put(f"and {output.plural(more, 'more case')}; --json has them all")
        if any(map(_surprising, self.records)):
            output.put("* not as expected")

    def _counts(self, columns: Sequence[str]) -> None:
        found = Counter((self._column(r), r.outcome) for r in self.records)
        seen = [o for o in Outcome if any(found[c, o] for c in columns)]
        output.table(
            ("exporter", *map(output.shown, seen)),
            [(c, *(str(found[c, o] or ".") for o in seen)) for c in columns],
        )

    def errors(self) -> None:
        """Results where the case or exportdb itself is at fault, each with how to repeat it."""
        faults = [r for r in self.records if r.outcome is Outcome.ERROR]
        not_run = Counter(r.error.message for r in faults if _not_run(r) and r.error)
        for message, count in not_run.items():  # one environment that failed, not each of its cases
            output.put(
                f"\n{message[:1000]}\n  {output.plural(count, 'result')} missing because of it"
            )
        for record in (r for r in faults if not _not_run(r)):
            output.put(f"\nerror: {self._name(record)}, in phase {record.phase}")
            _explain(record)

    def surprises(self, most: int = 20) -> None:
        """What was not as expected, the worst first, each with why and how to repeat it."""
        found = [r for r in self.records if _surprising(r) and r.outcome is not Outcome.ERROR]
        order: list[Verdict | None] = list(Verdict)
        found.sort(key=lambda r: (order.index(r.verdict), r.case, r.exporter))
        for record in self.run.in_full(found[:most]):
            expected = self.run.expectation_of(record)
            judged = judge(record, expected)
            output.put(f"\n{record.verdict}: {self._name(record)}: {judged.reason}")
            if expected is not None and judged.verdict is Verdict.CHANGED:
                output.put(f"  {first_difference(expected.value, record, judged.differs)}")
            _explain(record)
        if more := len(found[most:]):
            output.put(f"\nand {output.plural(more, 'more surprise')}; --json has them all")

    def reasons(self, most_cases: int = 3) -> None:
        """For a handful of cases, what stands behind every outcome that is not a plain yes."""
        if len({r.case for r in self.records}) > most_cases:
            return
        alike: dict[tuple[str, str, str], list[str]] = {}
        for record in sorted(self.records, key=lambda r: (r.case, r.exporter)):
            if record.outcome.full or record.outcome is Outcome.ERROR:
                continue
            if why := reason(record):
                key = (record.case, record.outcome, why)
                alike.setdefault(key, []).append(self._column(record))
        for (case, outcome, why), columns in alike.items():
            output.put(f"\n{output.shown(outcome)}: {case} · {', '.join(columns)}\n  {why}")

    def cost(self, fewest: int = 4) -> None:
        """What captures cost, by exporter; for a handful of cases the slowest alone.

        Seconds are those from a program to something callable; eager, running and comparing are
        not in them. A result from the cache counts with what it took then.
        """
        captured: dict[str, list[Record]] = {}
        for record in self.records:
            if "capture" in record.seconds:
                captured.setdefault(record.exporter, []).append(record)
        if max(map(len, captured.values()), default=0) < fewest:
            self._slowest()
            return
        output.put("\ncost of a capture")
        header = ("exporter", "captures", "mean s", "median s", "max s", "max MiB", "slowest")
        output.table(header, [(name, *_cost(captured[name])) for name in sorted(captured)])
        output.put()

    def _slowest(self, most: int = 3) -> None:
        """Where the time went, among what was examined now."""
        fresh = [(sum(r.seconds.values()), r) for r in self.records if not r.cached]
        fresh.sort(key=lambda pair: -pair[0])
        if fresh and fresh[0][0] >= 1:
            named = (f"{self._name(r)} {seconds:.1f} s" for seconds, r in fresh[:most])
            output.put(f"slowest: {', '.join(named)}")

    def _column(self, record: Record) -> str:
        """Names the results of an exporter: with the device, unless it is the same everywhere."""
        one = len({r.device for r in self.records}) == 1 and not self.switches
        return record.exporter if one else f"{record.exporter} {self._device(record)}"

    def _device(self, record: Record) -> str:
        return "+".join((record.device, *self.switches))

    def _name(self, record: Record) -> str:
        return f"{record.case} · {record.exporter} · {self._device(record)}"


def cell(record: Record | None) -> str:
    """A record as a table shows it, with a star where it is not as expected."""
    if record is None:
        return output.shown(None)
    return output.shown(record.outcome) + ("*" if _surprising(record) else "")


def counts(records: Sequence[Record]) -> str:
    """The verdicts counted, in one line, and how many results are from the cache."""
    found = Counter(r.verdict or Verdict.NEW for r in records)
    cached = sum(r.cached for r in records)
    words = ", ".join(f"{found[v]:,} {v}" for v in Verdict if found[v]) or "nothing examined"
    return words + (f" ({cached:,} from cache)" if cached else "")


def reason(record: Record) -> str:
    """The error, what happened on the first sample that counts against the capture, or the cost."""
    if record.error is not None:
        first = (record.error.message.strip() or "no message").splitlines()[0]
        return f"{record.phase}: {record.error.type}: {first[:200]}"
    for sample in record.samples:
        if sample.counts_against:
            return one_sample(sample)[:300]
    return _not_one_graph(record.cost) if record.outcome is Outcome.DEGRADED else ""


def _not_one_graph(cost: Mapping[str, float]) -> str:
    said = {"graph break": "graph_breaks", "recompilation": "recompilations"}
    return ", ".join(output.plural(int(cost[k]), noun) for noun, k in said.items() if cost.get(k))


def _explain(record: Record) -> None:
    if why := reason(record):
        output.put(f"  {why}")
    if record.repro:
        output.put(f"  repro: {record.repro}")


def _cost(records: Sequence[Record], most: int = 3) -> tuple[str, ...]:
    def capturing(record: Record) -> float:
        return sum(record.seconds.get(phase, 0.0) for phase in _CAPTURING)

    seconds = [capturing(r) for r in records]
    slowest = sorted(records, key=capturing, reverse=True)
    named = list(dict.fromkeys(r.case for r in slowest))[:most]  # one on several devices is one
    mib = max((r.cost.get("peak_mib", 0.0) for r in records), default=0.0)
    return (
        str(len(records)), f"{mean(seconds):.2f}", f"{median(seconds):.2f}",
        f"{max(seconds):.2f}", f"{mib:.0f}", output.listed(named),
    )  # fmt: skip


def _surprising(record: Record) -> bool:
    return record.verdict is not None and record.verdict.differs


def _interesting(record: Record) -> bool:
    return _surprising(record) or (record.verdict is Verdict.NEW and record.outcome.bad)


def _not_run(record: Record) -> bool:
    return record.error is not None and record.error.type == "NotRun"
