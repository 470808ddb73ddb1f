"""What a run has to say when it is over: the support table, what surprised, what to do next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import mean, median

from exportdb.cli import output
from exportdb.records.expectation import Expectation
from exportdb.records.outcome import Outcome, Verdict
from exportdb.records.record import Record
from exportdb.records.verdict import first_difference, judge

MANY_ROWS = 40  # above this the table shows what is interesting and counts the rest
_CAPTURING = ("capture", "decompose", "lower", "save", "load")

#: What is expected of a record; None if nothing is.
Known = Callable[[Record], Expectation | None]


def support(records: Sequence[Record]) -> None:
    """The support table: a row per case, a column per exporter (and device, if several)."""
    column = _columns(records)
    columns = sorted({column(r) for r in records})
    rows: dict[str, dict[str, Record]] = {}
    for record in records:
        rows.setdefault(record.case, {})[column(record)] = record
    chosen = rows
    if len(rows) > MANY_ROWS:
        _counts(records, column, columns)
        interesting = [c for c, cells in rows.items() if any(map(_interesting, cells.values()))]
        chosen = {c: rows[c] for c in interesting[:MANY_ROWS]}
        if not chosen:
            return
        output.put()
    output.table(
        ("case", *columns),
        [(case, *(_cell(cells.get(c)) for c in columns)) for case, cells in sorted(chosen.items())],
    )
    if len(chosen) < len(rows):
        output.put(
            f"and {output.plural(len(rows) - len(chosen), 'more case')}; --json has them all"
        )
    if any(_surprising(r) for r in records):
        output.put("* not as expected")


def _columns(records: Sequence[Record]) -> Callable[[Record], str]:
    """Names the results of an exporter: with the device, where there are several."""
    if len({r.device for r in records}) > 1:
        return lambda r: f"{r.exporter} {r.device}"
    return lambda r: r.exporter


def _counts(
    records: Sequence[Record], column: Callable[[Record], str], columns: Sequence[str]
) -> None:
    counts = Counter((column(r), r.outcome) for r in records)
    seen = [o for o in Outcome if any(counts[c, o] for c in columns)]
    output.table(
        ("exporter", *map(output.shown, seen)),
        [(c, *(str(counts[c, o] or ".") for o in seen)) for c in columns],
    )


def _cell(record: Record | None) -> str:
    if record is None:
        return output.shown(None)
    return output.shown(record.outcome) + ("*" if _surprising(record) else "")


def _surprising(record: Record) -> bool:
    return record.verdict is not None and record.verdict.differs


def _interesting(record: Record) -> bool:
    return _surprising(record) or (record.verdict is Verdict.NEW and record.outcome.bad)


def errors(records: Sequence[Record]) -> None:
    """Records that say that the case or exportdb itself is at fault, each with how to repeat it."""
    faults = [r for r in records if r.outcome is Outcome.ERROR]
    not_run = Counter(r.error.message for r in faults if _not_run(r) and r.error)
    for message, count in not_run.items():  # one environment that failed, not each of its cases
        output.put(f"\n{message[:1000]}\n  {output.plural(count, 'result')} not there for it")
    for record in (r for r in faults if not _not_run(r)):
        output.put(f"\nerror: {_name(record)}, in phase {record.phase}")
        _explain(record)


def _not_run(record: Record) -> bool:
    return record.error is not None and record.error.type == "NotRun"


def surprises(records: Sequence[Record], known: Known, most: int = 20) -> None:
    """What was not as expected, the worst first, each with why and how to repeat it."""
    found = [r for r in records if _surprising(r) and r.outcome is not Outcome.ERROR]
    order: list[Verdict | None] = list(Verdict)
    found.sort(key=lambda r: (order.index(r.verdict), r.case, r.exporter))
    for record in found[:most]:
        expected = known(record)
        judged = judge(record, expected)
        output.put(f"\n{record.verdict}: {_name(record)}: {judged.reason}")
        if expected is not None and judged.verdict is Verdict.CHANGED:
            output.put(f"  {first_difference(expected.value, record, judged.differs)}")
        _explain(record)
    if len(found) > most:
        output.put(
            f"\nand {output.plural(len(found) - most, 'more surprise')}; --json has them all"
        )


def reasons(records: Sequence[Record], most_cases: int = 3) -> None:
    """For a handful of cases, what stands behind every outcome that is not a plain yes."""
    if len({r.case for r in records}) > most_cases:
        return
    column = _columns(records)
    alike: dict[tuple[str, str, str], list[str]] = {}
    for record in sorted(records, key=lambda r: (r.case, r.exporter)):
        if record.outcome.full or record.outcome is Outcome.ERROR:
            continue
        if reason := _reason(record):
            alike.setdefault((record.case, record.outcome, reason), []).append(column(record))
    for (case, outcome, reason), columns in alike.items():
        output.put(f"\n{output.shown(outcome)}: {case} · {', '.join(columns)}\n  {reason}")


def _reason(record: Record) -> str:
    """The error, or what happened on the first sample that counts against the capture."""
    if record.error is not None:
        first = (record.error.message.strip() or "no message").splitlines()[0]
        return f"{record.phase}: {record.error.type}: {first[:200]}"
    for sample in record.samples:
        if sample.counts_against:
            return f"{sample.role} {sample.name}: {sample.result}: {sample.message[:200]}"
    return ""


def _explain(record: Record) -> None:
    if reason := _reason(record):
        output.put(f"  {reason}")
    if record.repro:
        output.put(f"  repro: {record.repro}")


def cost(records: Sequence[Record], fewest: int = 4) -> None:
    """What captures cost, by exporter; for a handful of cases the slowest alone.

    Seconds are those from a program to something callable; eager, running and comparing are not
    in them. A result of an earlier run counts with what it took then.
    """
    captured: dict[str, list[tuple[float, Record]]] = {}
    for record in records:
        if "capture" in record.seconds:
            captured.setdefault(record.exporter, []).append((_capturing(record), record))
    if max(map(len, captured.values()), default=0) < fewest:
        _slowest(records)
        return
    output.put("\ncost of a capture")
    header = ("exporter", "captures", "mean s", "median s", "max s", "max MiB", "slowest")
    output.table(header, [_cost(name, captured[name]) for name in sorted(captured)])
    output.put()


def _capturing(record: Record) -> float:
    return sum(record.seconds.get(phase, 0.0) for phase in _CAPTURING)


def _cost(name: str, captured: Sequence[tuple[float, Record]], most: int = 3) -> tuple[str, ...]:
    seconds = [s for s, _ in captured]
    slowest = sorted(captured, key=lambda pair: -pair[0])
    named = list(dict.fromkeys(r.case for _, r in slowest))[:most]  # one on several devices is one
    mib = max((r.cost.get("peak_mib", 0.0) for _, r in captured), default=0.0)
    return (
        name, str(len(captured)), f"{mean(seconds):.2f}", f"{median(seconds):.2f}",
        f"{max(seconds):.2f}", f"{mib:.0f}", output.listed(named),
    )  # fmt: skip


def _slowest(records: Sequence[Record], most: int = 3) -> None:
    """Where the time went, among what was examined now."""
    fresh = [(sum(r.seconds.values()), r) for r in records if not r.cached]
    fresh.sort(key=lambda pair: -pair[0])
    if fresh and fresh[0][0] >= 1:
        named = (f"{_name(r)} {seconds:.1f} s" for seconds, r in fresh[:most])
        output.put(f"slowest: {', '.join(named)}")


def counts(records: Sequence[Record]) -> str:
    """The verdicts counted, in one line."""
    found = Counter(r.verdict or Verdict.NEW for r in records)
    return ", ".join(f"{found[v]:,} {v}" for v in Verdict if found[v]) or "nothing examined"


def accept_hint(records: Sequence[Record]) -> str | None:
    """The next command, when there is something to accept."""
    if any(r.verdict and r.verdict.acceptable for r in records):
        return "exportdb accept --dry-run"
    return None


def _name(record: Record) -> str:
    return f"{record.case} · {record.exporter} · {record.device}"
