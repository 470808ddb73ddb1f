"""The report of a run as text: the support table, why, what it cost, what to do next.

Owns tables and the order of parts; what there is to say comes from ``exportdb.reports``. A result
under switches never looks like one without: its device is ``cpu+deterministic``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, median

from exportdb.cli import output
from exportdb.prose import plural
from exportdb.records.outcome import Outcome, Verdict
from exportdb.records.record import Record
from exportdb.reports.causes import Kind
from exportdb.reports.report import DIMS, Report, surprising

MANY_ROWS = 40  # above this the table shows what is interesting and counts the rest
MANY_RESULTS = 20  # as many that are not as expected are named at the end
MOST_CAUSES = 15  # of each kind
_CAPTURING = ("capture", "decompose", "lower", "save", "load")


@dataclass(frozen=True)
class TextReport:
    """A report as text, all of it printed by :meth:`print`."""

    report: Report

    @property
    def records(self) -> Sequence[Record]:
        """What it is on."""
        return self.report.records

    def print(self) -> None:
        """Say everything."""
        self.support()
        self.causes()
        output.put()
        output.put(self.report.summary)
        self.cost()
        output.put(f"records: {self.report.stored.location}")
        self.unexpected()
        for step in self.report.next_steps():
            output.put(f"next: {step}")

    def support(self) -> None:
        """The support table: a row per case, a column per exporter (and device, if several)."""
        columns = sorted({self._column(r) for r in self.records})
        rows: dict[str, dict[str, Record]] = {}
        for record in self.records:
            rows.setdefault(record.label, {})[self._column(record)] = record
        if not rows:
            return
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
            named = plural(more, "more case")
            output.put(f"and {named}; exportdb report --format json has them all")
        if any(map(surprising, self.records)):
            output.put("* not as expected")

    def _counts(self, columns: Sequence[str]) -> None:
        found = Counter((self._column(r), r.outcome) for r in self.records)
        seen = [o for o in Outcome if any(found[c, o] for c in columns)]
        output.table(
            ("exporter", *map(output.shown, seen)),
            [(c, *(str(found[c, o] or ".") for o in seen)) for c in columns],
        )

    def causes(self) -> None:
        """Every cause, the most telling first, with why and what to do; long lists are cut."""
        words = self.report.words(output.shown)
        # What is still to be filled in is said by the lines at the end, and once is enough.
        found = [c for c in self.report.causes if not words.left_open(c)]
        chosen = [c for kind in Kind for c in [c for c in found if c.kind is kind][:MOST_CAUSES]]
        full = self.report.in_full(chosen)
        for cause in chosen:
            output.put(f"\n{words.heading(cause)}")
            for line in words.body(cause, full):
                output.put(f"  {line}")
        if more := len(found) - len(chosen):
            named = self.report.stored.location
            output.put(
                f"\nand {plural(more, 'more cause')}; "
                f"exportdb report {named} --format markdown has them all"
            )

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
        if dims := self.report.dims:
            output.put("sizes requested to be dynamic")
            rows = [(name, *map("{:,}".format, told)) for name, told in dims.items()]
            output.table(("exporter", *DIMS), rows)
            output.put()

    def unexpected(self, most: int = MANY_RESULTS) -> None:
        """What is not as expected, in lines: whoever reads the end of a log reads this."""
        if not (found := self.report.unexpected):
            return
        output.put(f"\nnot as expected: {len(found):,} of {plural(len(self.records), 'result')}")
        lines = self.report.words(output.shown).lines(found)
        for line, _ in lines[:most]:
            output.put(f"  {line}")
        if (more := sum(count for _, count in lines[most:])) > 0:
            output.put(f"  and {more:,} more")
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
        if self.report.one_device:
            return record.exporter
        return f"{record.exporter} {self.report.device(record.device)}"

    def _name(self, record: Record) -> str:
        return f"{record.label} · {record.exporter} · {self.report.device(record.device)}"


def cell(record: Record | None) -> str:
    """A record as a table shows it, with a star where it is not as expected."""
    if record is None:
        return output.shown(None)
    return output.shown(record.outcome) + ("*" if surprising(record) else "")


def _cost(records: Sequence[Record], most: int = 3) -> tuple[str, ...]:
    def capturing(record: Record) -> float:
        return sum(record.seconds.get(phase, 0.0) for phase in _CAPTURING)

    seconds = [capturing(r) for r in records]
    slowest = sorted(records, key=capturing, reverse=True)
    named = list(dict.fromkeys(r.label for r in slowest))[:most]  # one on several devices is one
    mib = max((r.cost.get("peak_mib", 0.0) for r in records), default=0.0)
    return (
        str(len(records)), f"{mean(seconds):.2f}", f"{median(seconds):.2f}",
        f"{max(seconds):.2f}", f"{mib:.0f}", output.listed(named),
    )  # fmt: skip


def _interesting(record: Record) -> bool:
    return surprising(record) or (record.verdict is Verdict.NEW and record.outcome.bad)
