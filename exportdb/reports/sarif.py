"""A report as SARIF 2.1.0, which code scanning and editors show beside the lines it is about.

A rule is an entry of the catalogue or, where none explains it, an outcome; a result is a result
that there is something to say about. Its fingerprint stays the same from run to run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import msgspec

import exportdb
from exportdb.records.outcome import Outcome
from exportdb.records.record import Record, digest
from exportdb.records.text import plain
from exportdb.reports.annotations import level, places
from exportdb.reports.causes import Cause
from exportdb.reports.report import Report

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "notice": "note"}


def render(report: Report) -> str:
    """The document."""
    rules: dict[str, dict[str, Any]] = {}
    results = []
    words, full = report.words(), report.in_full(report.causes)
    for cause in report.causes:
        for record in cause.records:
            alone = Cause(cause.kind, (record,))
            rule = _rule(report, record)
            rules.setdefault(rule["id"], rule)
            said = "\n".join([words.heading(alone), *words.body(alone, full)])
            results.append({
                "ruleId": rule["id"],
                "ruleIndex": list(rules).index(rule["id"]),
                "level": _LEVELS[level(report, alone)],
                "message": {"text": said},
                "locations": _locations(report, alone),
                "partialFingerprints": {"exportdbResult/v1": _fingerprint(record)},
                "properties": {
                    "suite": record.suite, "case": record.case,
                    "exporter": record.exporter, "device": record.device,
                    "outcome": str(record.outcome), "verdict": str(record.verdict or "new"),
                },
            })  # fmt: skip
    driver = {"name": "exportdb", "version": exportdb.__version__, "rules": list(rules.values())}
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"exportdb/{report.header.run}"},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    document = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return msgspec.json.format(msgspec.json.encode(plain(document)), indent=2).decode() + "\n"


def _rule(report: Report, record: Record) -> dict[str, Any]:
    entry = report.background.entry(record)
    if entry is not None:
        return {
            "id": entry.id,
            "shortDescription": {"text": entry.title},
            "fullDescription": {"text": entry.meaning},
            "help": {"text": entry.remedy},
        }
    outcome: Outcome = record.outcome
    return {
        "id": str(outcome),
        "shortDescription": {"text": str(outcome)},
        "fullDescription": {"text": outcome.meaning},
    }


def _locations(report: Report, cause: Cause) -> list[Mapping[str, Any]]:
    """The lines it is about; a case that is not below the current folder by its whole path."""
    found = [place for place in places(report, cause) if place[0]]
    case = report.background.case(cause.first)
    if not found and case is not None:
        found = [(case.path.as_uri(), case.program_line)]
    return [
        {"physicalLocation": {
            "artifactLocation": {"uri": uri if ":" in uri else quote(uri)},
            "region": {"startLine": line},
        }}
        for uri, line in found
    ]  # fmt: skip


def _fingerprint(record: Record) -> str:
    """What names the fact: whose result it is, and which."""
    error = record.error.fingerprint if record.error else ""
    return digest("\n".join([*record.identity, record.outcome, error]))
