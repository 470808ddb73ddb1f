"""The record of one examination: what it holds, as typed data.

Owns the fields and the schema number. Filling a record is left to ``exportdb.conformance`` (and,
for processes that died, to ``exportdb.runner``), files of records to ``exportdb.records.jsonl``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from itertools import chain
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from exportdb.cases.case import SUITE
from exportdb.cases.data import Data, DataError, Text, says
from exportdb.records.outcome import Outcome, Phase, Verdict
from exportdb.records.text import encode

#: What names an examination within a run: suite, case, exporter, device.
Identity = tuple[str, str, str, str]

#: Versions of the schema that are read.
Schema = Literal[1, 2]
SCHEMA: Schema = 2  # raised when a field changes its meaning or goes

Role = Literal["example", "accepts", "rejects"]
Result = Literal["agrees", "refused", "raised", "lossy", "disagrees", "unguarded", "eager-failed"]


class DimCounts(NamedTuple):
    """How many sizes were asked to be dynamic, were kept so, and of how many nothing is known."""

    asked: int
    kept: int
    unknown: int

    @property
    def known(self) -> int:
        """Of how many it is known whether they were kept."""
        return self.asked - self.unknown

    @property
    def constants(self) -> int:
        """How many became constants."""
        return self.known - self.kept


class ErrorInfo(Data, frozen=True):
    """An exception, or the end of a process, as data."""

    type: Annotated[str, says("Class of the exception, name of the signal, Exit or Timeout.")]
    message: Annotated[
        str, says("Its text, bounded; for a process that died, with the end of what it printed.")
    ]
    fingerprint: Annotated[
        str, says("Digest of the text without what changes from run to run.")
    ] = ""
    catalogue: Annotated[
        str | None, says("ID of the entry of the error catalogue that it matches.")
    ] = None


class SampleResult(Data, frozen=True):
    """What happened on one sample.

    ``result`` says it: both ran and agree (``agrees``), differ in something else than values
    (``lossy``) or in values (``disagrees``), both raised (``refused``), only the capture raised
    (``raised``), only eager did (``unguarded``), or eager raised on inputs that the case accepts
    (``eager-failed``).
    """

    role: Annotated[
        Role,
        says("The capture was made with these inputs, must run on them, or must raise on them."),
    ]
    name: Annotated[str, says("How the inputs were chosen.")]
    result: Annotated[
        Result,
        says("agrees: both ran and agree; refused: both raised; raised: only the capture raised; "
             "lossy: both ran, values are right, and something else is lost; "
             "disagrees: both ran and differ; unguarded: only eager raised; eager-failed: eager "
             "raised on inputs that the case accepts."),
    ]  # fmt: skip
    sizes: Annotated[
        Mapping[str, int], says("Sizes of the case's dims, for inputs made from them.")
    ] = {}
    message: Annotated[str, says("The difference or the error, if there was one.")] = ""

    @property
    def outside(self) -> bool:
        """Whether the capture ran on sizes outside of those that the case declares."""
        ran = self.result not in ("refused", "raised")
        return self.role == "rejects" and bool(self.sizes) and ran

    @property
    def counts_against(self) -> bool:
        """Whether it counts against the capture."""
        if self.role == "rejects":  # what need not run may lose what it will
            return self.result in ("disagrees", "unguarded")
        return self.result != "agrees"


class Finding(Data, frozen=True):
    """A fact worth knowing that does not decide the outcome."""

    id: Annotated[str, says("Stable ID of the kind of fact.", pattern="^[a-z0-9][a-z0-9_-]*$")]
    message: Annotated[str, says("What was found.")]


class FirstDifference(Data, frozen=True):
    """Where a capture first differs from eager."""

    operator: Annotated[
        str,
        says("The operator, as torch's dispatcher names it; empty where eager goes another way in "
             "that line than on the example, raises there, or had a size settled there."),
    ]  # fmt: skip
    line: Annotated[
        int | None, says("The line of the program's file that calls it; null where none does.")
    ] = None
    code: Annotated[str, says("The text of that line.")] = ""

    def __str__(self) -> str:
        """
        >>> print(FirstDifference("aten.mul.Tensor", 17, "return x * n"))
        aten.mul.Tensor in line 17: return x * n
        >>> print(FirstDifference("", 16, "if n > 4:"))
        line 16: if n > 4:
        """
        where = f"line {self.line}: {self.code}" if self.line else ""
        return " in ".join(filter(None, (self.operator, where)))


Seconds = Annotated[float, msgspec.Meta(ge=0)]
#: A count or MiB: a history keeps it in 32 bits.
Cost = Annotated[int, msgspec.Meta(le=2**31 - 1)] | Annotated[float, msgspec.Meta(le=2**31 - 1)]


class Record(Data, frozen=True, tag_field="kind", tag="record"):
    """The result of examining one case with one exporter on one device."""

    case: Annotated[Text, says("ID of the case.")]
    exporter: Annotated[Text, says("Name of the exporter.")]
    device: Annotated[Text, says("Name of the device.")]
    outcome: Annotated[Outcome, says("What was measured.")]
    phase: Annotated[Phase, says("Where it stopped, or `compare` when it went through.")]
    run: Annotated[str, says("ID of the run that reported it.")] = ""
    suite: Annotated[str, says("Where the program comes from; `cases` for the database.")] = SUITE
    case_digest: Annotated[
        str, says("Digest of the case when it was examined; empty when it could not be read.")
    ] = ""
    exporter_version: Annotated[str, says("Version of the exporter's adapter.")] = ""
    env: Annotated[str, says("Digest of the environment: the `env` of one of the first lines.")] = (
        ""
    )
    error: Annotated[
        ErrorInfo | None, says("What ended or degraded it; null when nothing did.")
    ] = None
    samples: Annotated[
        tuple[SampleResult, ...],
        says("What happened on each set of inputs, in the order they were tried."),
    ] = ()
    left_out: Annotated[
        int, says("How many further samples could be made, and were not tried for lack of time.")
    ] = 0
    untaken: Annotated[
        tuple[str, ...],
        says("Sides of branches of the program's own code that no sample takes: what the capture "
             "makes of them is not known."),
    ] = ()  # fmt: skip
    findings: Annotated[
        tuple[Finding, ...], says("Facts worth knowing that do not decide the outcome.")
    ] = ()
    departs: Annotated[
        FirstDifference | None,
        says("The first operator of eager whose result the capture does not have, on the first "
             "sample that disagrees; null where none does, or it cannot be followed."),
    ] = None  # fmt: skip
    graph: Annotated[str | None, says("Canonical text of the captured graph.")] = None
    graph_digest: Annotated[str | None, says("Digest of the canonical text.")] = None
    graph_readable: Annotated[
        str | None, says("The graph as the exporter prints it, which differs from run to run.")
    ] = None
    ranges: Annotated[
        Mapping[str, tuple[str, str]],
        says("Published range of each symbolic size, by its source: lower and upper bound."),
    ] = {}
    facts: Annotated[
        Mapping[str, Any],
        says("What the symbolic-shape engine recorded: symbols, guards, assertions, counts."),
    ] = {}
    outcomes: Annotated[
        Mapping[str, int],
        says(
            "How often each outcome was seen, where it was examined several times (--repeat-run)."
        ),
    ] = {}
    seconds: Annotated[Mapping[str, Seconds], says("Seconds spent, by phase.")] = {}
    cost: Annotated[
        Mapping[str, Cost],
        says("What the capture took, as far as it can be counted, and MiB; never compared."),
    ] = {}
    expected: Annotated[
        Outcome | None, says("Outcome that was expected; null when nothing was.")
    ] = None
    verdict: Annotated[
        Verdict | None, says("Observed against expected; null when it was not compared.")
    ] = None
    repro: Annotated[str, says("A command that repeats just this.")] = ""
    cached: Annotated[bool, says("Whether it was measured by an earlier run and reused.")] = False
    schema: Annotated[Schema, says("Version of this schema.")] = SCHEMA

    def __post_init__(self) -> None:
        """Texts that name an outcome or a verdict become what they name. Raises ValueError."""
        for name, kind in (("outcome", Outcome), ("expected", Outcome), ("verdict", Verdict)):
            value = getattr(self, name)
            if type(value) is str:
                msgspec.structs.force_setattr(self, name, kind(value))

    def __repr__(self) -> str:
        return f"<Record {self.case} · {self.exporter} · {self.device}: {self.outcome}>"

    def __str__(self) -> str:
        from exportdb.records.display import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        """What a notebook shows where it ends a cell."""
        from exportdb.records.display import as_html

        return as_html(self)

    @property
    def identity(self) -> Identity:
        """What names it within a run."""
        return (self.suite, self.case, self.exporter, self.device)

    @property
    def label(self) -> str:
        """What it is called among the records of several suites: ``ops:op/add/float32/auto/0``."""
        return label(self.suite, self.case)

    @property
    def dims(self) -> DimCounts:
        """What became of the sizes that were asked to be dynamic."""
        asked, kept, unknown = (int(self.cost.get(f"dims_{w}", 0)) for w in DimCounts._fields)
        return DimCounts(asked, kept, unknown)

    @property
    def deciding(self) -> SampleResult | None:
        """The first sample that made the outcome, or else the first that counts against it."""
        against = [s for s in self.samples if s.counts_against]
        made = (s for s in against if self.outcome.made_by(s.role, s.result))
        return next(chain(made, against), None)

    def brief(self) -> Record:
        """It without what is long: graphs, facts, ranges, and samples that tell nothing."""
        against = tuple(s for s in self.samples if s.counts_against)
        return self.with_(graph=None, graph_readable=None, facts={}, ranges={}, samples=against)

    def encode(self) -> bytes:
        """One line of JSON, without its end."""
        return encode(self)

    @staticmethod
    def decode(line: bytes | str) -> Record:
        """A record from :meth:`encode`. Raises DataError."""
        try:
            return _DECODER.decode(line)
        except msgspec.ValidationError:
            return Record.from_json(msgspec.json.decode(line))
        except (msgspec.DecodeError, RecursionError) as e:
            raise DataError(f"is not JSON ({e})") from None


_DECODER = msgspec.json.Decoder(Record)


def label(suite: str, case: str) -> str:
    """A program by its ID, and by its suite where that is another than that of the cases."""
    return case if suite == SUITE else f"{suite}:{case}"


def digest(text: str | bytes) -> str:
    """Sixteen hex digits that name a text."""
    raw = text.encode(errors="backslashreplace") if isinstance(text, str) else text
    return hashlib.sha256(raw).hexdigest()[:16]
