"""A report as JUnit XML: a suite for each exporter on each device, a test case for each case.

A surprise is a failure, what the case or exportdb is at fault for an error, what is unavailable
skipped. After ``exportdb check`` a new result is a failure too, as it is to that command.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET  # written, never read

from exportdb.records.outcome import Outcome
from exportdb.records.record import Record
from exportdb.reports.causes import Cause
from exportdb.reports.report import Report

#: What XML 1.0 has no way to write.
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report) -> str:
    """The document."""
    suites: dict[tuple[str, str], list[Record]] = {}
    for record in report.records:
        suites.setdefault((record.exporter, record.device), []).append(record)
    root = ET.Element(
        "testsuites", {"name": _legal(report.header.run), **_counted(report, report.records)}
    )
    says = _TestCases(report)
    for (exporter, device), records in sorted(suites.items()):
        name = f"{exporter} · {report.device(device)}"
        suite = ET.SubElement(root, "testsuite", {
            "name": _legal(name), "timestamp": report.header.started[:19],
            **_counted(report, records), "skipped": str(sum(map(_skipped, records))),
        })  # fmt: skip
        properties = ET.SubElement(suite, "properties")
        made = report.header.environment
        for key, value in (
            ("torch", made.torch or ""),
            ("python", made.python),
            ("platform", made.platform),
        ):
            ET.SubElement(properties, "property", {"name": key, "value": _legal(value)})
        for record in sorted(records, key=lambda r: r.label):
            suite.append(says.test(record))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, "unicode") + "\n"


class _TestCases:
    """Makes the test cases of a report."""

    def __init__(self, report: Report) -> None:
        self.report, self.words = report, report.words()
        self.causes = {r.identity: c for c in report.causes for r in c.records}
        self.full = report.in_full(report.causes)

    def test(self, record: Record) -> ET.Element:
        test = ET.Element("testcase", {
            "name": _legal(record.label), "time": _time([record]),
            "classname": _legal(f"{record.exporter}.{self.report.device(record.device)}"),
        })  # fmt: skip
        if _skipped(record):
            said = record.error.message if record.error else str(record.outcome)
            ET.SubElement(test, "skipped", {"message": _legal(said)})
        elif self.report.failed(record):
            kind = "error" if record.outcome is Outcome.ERROR else "failure"
            failure = ET.SubElement(test, kind, {
                "type": str(record.verdict or record.outcome),
                "message": _legal(self.words.in_short(record)[1]),
            })  # fmt: skip
            failure.text = _legal("\n".join(self.told(record)))
        return test

    def told(self, record: Record) -> list[str]:
        """Its own lines, not those of all results with its cause."""
        if (cause := self.causes.get(record.identity)) is None:
            return [self.words.in_short(record)[1]]
        return self.words.body(Cause(cause.kind, (record,)), self.full)


def _counted(report: Report, records: Sequence[Record]) -> dict[str, str]:
    errors = sum(r.outcome is Outcome.ERROR for r in records)
    failed = sum(report.failed(r) and not _skipped(r) for r in records)
    return {
        "tests": str(len(records)), "failures": str(failed - errors), "errors": str(errors),
        "time": _time(records),
    }  # fmt: skip


def _skipped(record: Record) -> bool:
    return record.outcome is Outcome.UNAVAILABLE


def _time(records: Sequence[Record]) -> str:
    return f"{sum(sum(r.seconds.values()) for r in records):.3f}"


def _legal(text: str) -> str:
    return _ILLEGAL.sub("\ufffd", text)
