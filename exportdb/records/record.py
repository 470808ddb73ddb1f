"""The record of one examination, as data: what it holds and how it is written as one JSON line.

Owns the field names and the schema number. Filling a record is left to ``exportdb.conformance``
(and, for processes that died, to ``exportdb.runner``).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from exportdb.records.outcome import Outcome

#: What names an examination within a run: suite, case, exporter, device.
Identity = tuple[str, str, str, str]

SCHEMA = 2  # raised when a field changes its meaning or goes


@dataclass(frozen=True)
class ErrorInfo:
    """An exception as data: ``type`` is its class name, ``message`` its text (bounded).

    ``fingerprint`` is a short digest of the message without what changes from run to run;
    ``catalogue`` the ID of the error catalogue entry that matches it, if one does.
    """

    type: str
    message: str
    fingerprint: str = ""
    catalogue: str | None = None


@dataclass(frozen=True)
class SampleResult:
    """What happened on one sample.

    ``role`` is ``example``, ``accepts`` or ``rejects``. ``result`` is one of

    - ``agrees``: eager and capture both ran and agree;
    - ``refused``: eager raised and so did the capture;
    - ``raised``: eager ran, the capture raised;
    - ``disagrees``: both ran, and differ;
    - ``unguarded``: eager raised, the capture ran;
    - ``eager-failed``: eager raised on a sample that the case accepts.

    ``sizes`` holds the sizes of the case's dims for a sample made from them.
    """

    role: str
    name: str
    result: str
    sizes: Mapping[str, int] = field(default_factory=dict)
    message: str = ""

    @property
    def outside(self) -> bool:
        """Whether the capture ran on sizes outside of those that the case declares."""
        return bool(self.role == "rejects" and self.sizes) and self.result not in (
            "refused",
            "raised",
        )

    @property
    def telling(self) -> bool:
        """Whether it counts against the capture."""
        if self.role == "rejects":
            return self.result in ("disagrees", "unguarded")
        return self.result != "agrees"


@dataclass(frozen=True)
class Finding:
    """A fact worth knowing that does not decide the outcome; ``id`` is stable."""

    id: str
    message: str


@dataclass(frozen=True)
class Record:
    """The result of examining one case with one exporter on one device."""

    case: str
    exporter: str
    device: str
    outcome: Outcome
    phase: str
    run: str = ""
    suite: str = "cases"
    case_digest: str = ""
    exporter_version: str = ""
    env: str = ""
    error: ErrorInfo | None = None
    samples: tuple[SampleResult, ...] = ()
    findings: tuple[Finding, ...] = ()
    graph: str | None = None  # canonical text
    graph_digest: str | None = None
    graph_readable: str | None = None  # as the exporter prints it, for display only
    ranges: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    cost: Mapping[str, float] = field(default_factory=dict)
    expected: str | None = None
    verdict: str | None = None
    repro: str = ""
    cached: bool = False
    schema: int = SCHEMA

    def __post_init__(self) -> None:
        if type(self.outcome) is not Outcome:
            object.__setattr__(self, "outcome", Outcome(self.outcome))

    @property
    def identity(self) -> Identity:
        """What names it within a run."""
        return (self.suite, self.case, self.exporter, self.device)

    def to_json(self) -> dict[str, Any]:
        """The record as JSON-ready data, with ``kind: record`` first.

        What is nested is not copied (``asdict`` would, and be most of the cost of a run in which
        nothing changed): the data is for writing, not for changing.
        """
        return {
            "kind": "record",
            **vars(self),
            "error": self.error and vars(self.error),
            "samples": [vars(sample) for sample in self.samples],
            "findings": [vars(finding) for finding in self.findings],
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Record:
        """Rebuild a record from :meth:`to_json` data; unknown keys are an error (TypeError)."""
        rest = {k: v for k, v in data.items() if k != "kind"}
        if unknown := rest.keys() - _FIELDS:
            raise TypeError(f"unknown record fields: {', '.join(sorted(unknown))}")
        if rest.get("error") is not None:
            rest["error"] = ErrorInfo(**rest["error"])
        rest["samples"] = tuple(SampleResult(**s) for s in rest.get("samples", ()))
        rest["findings"] = tuple(Finding(**f) for f in rest.get("findings", ()))
        rest["ranges"] = {k: (v[0], v[1]) for k, v in rest.get("ranges", {}).items()}
        return Record(**rest)

    def with_(self, **changes: Any) -> Record:
        """A copy with some fields changed."""
        return replace(self, **changes)


_FIELDS = frozenset(f.name for f in fields(Record))


def digest(text: str | bytes) -> str:
    """Sixteen hex digits that name a text."""
    raw = text.encode() if isinstance(text, str) else text
    return hashlib.sha256(raw).hexdigest()[:16]


def dump_line(data: Mapping[str, Any]) -> str:
    """One JSON Lines line, newline included."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"
