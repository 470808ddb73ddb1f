"""Which results have one cause, as far as a result says, and which of them are a lead at all.

Owns the key of a bucket: what went wrong and how it is worded, without what changes from program to
program. What the database knows of it is left to ``known``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from exportdb.records import findings
from exportdb.records.fingerprint import beginning, steady
from exportdb.records.outcome import Outcome
from exportdb.records.record import ErrorInfo, Record, SampleResult

#: Errors that no exporter raises on purpose to say that it cannot do something.
_INTERNAL = (
    "AssertionError", "KeyError", "IndexError", "AttributeError", "ValueError", "TypeError",
    "NameError", "UnboundLocalError", "RecursionError", "ZeroDivisionError", "StopIteration",
    "OverflowError", "SyntaxError", "NotImplementedError",
)  # fmt: skip
#: Errors of an exporter that carry another, of its own.
_WRAPPING = (
    "InternalTorchDynamoError", "BackendCompilerFailed", "LoweringException", "InductorError",
    "TorchRuntimeError", "SubprocException",
)  # fmt: skip
_BUG = re.compile(
    r"this is a bug|internal assert|please (?:report|file)|should (?:never|not) happen|unreachable"
    r"|codegen|C\+\+ compile error", re.IGNORECASE,
)  # fmt: skip
_NESTED = re.compile(rf"\b({'|'.join(_INTERNAL)})\b:[ \t]*(.*)")
#: What an internal error that says these words is after all: an answer.
_ANSWERS = re.compile(
    r"guard failed|data-dependent|not supported|unsupported|constraints violated|specializ"
    r"|not implemented for|no(?:t| longer) (?:allowed|implemented)|expected.*\bto be (?:a|of)",
    re.IGNORECASE,
)
#: Findings of what is lost beside the values, which explain no wrong one.
_LOSSES = (
    "requires-grad-differs", "strides-differ", "class-differs", "zero-sign-differs",
    "random-state-differs", "settings-differ",
)  # fmt: skip
#: Findings of the range that is published, which one program with a cause has and another has not.
_OF_RANGES = ("range-wider-than-guards",)
#: Phases in which no exporter has a part yet: what hangs or dies there is the program.
_BEFORE = ("setup", "eager")
#: Operators of arithmetic that any program has around its cause: they tell none from another.
_ARITHMETIC = frozenset({
    "add", "mul", "sum", "mean", "sin", "cos", "clone", "reshape", "view", "flatten", "stack",
    "unsqueeze", "ones", "zeros", "full", "eye", "arange", "linspace", "randn", "ones_like",
    "zeros_like", "full_like",
})  # fmt: skip
_NUMBERS = re.compile(r"(?<![A-Za-z_])[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)(?![A-Za-z_])j?")
_NAMES = re.compile(
    r"\b(?:output|args|kwargs|buffers?|v|state|G|x|y|z)(?:_?\d+|_?#|\[[^\]]*\]|\.\w+)*(?!\w)"
)

#: What Python says by itself, of any program: not the words of whoever found something amiss.
_OF_PYTHON = re.compile(
    r"KeyError: \W*(?:s#)?\W*$|\w+: *$"
    r"|\w+: (?:list|tuple|string|range object) (?:assignment )?index out"
    r"|\w+: pop from an? empty|\w+: .*has no attribute|\w+: .*object is not (?:iterable|callable"
    r"|subscriptable|an iterator)|\w+: unsupported operand type|\w+: '.{1,2}' not supported between"
    r"|\w+: .*(?:missing|takes|got an unexpected|got multiple values).*argument"
    r"|\w+: (?:not enough|too many) values to unpack|\w+: .*cannot be interpreted as an integer"
    r"|\w+: maximum recursion depth|\w+: .*division by zero|\w+: .*is not in list"
    r"|\w+: name .* is not defined|\w+: .*local variable|SyntaxError: invalid syntax"
)


@dataclass(frozen=True)
class Bucket:
    """``kind`` is the innermost error, or what disagrees; ``said`` its wording.

    ``operator`` is the first operator that disagrees, "" where it is arithmetic that any program
    has around its cause, or where none is known.
    """

    exporter: str
    outcome: Outcome
    kind: str
    said: str
    operator: str = ""

    @property
    def silent(self) -> bool:
        """Whether the capture went through and answers wrongly."""
        return self.outcome.silent

    def alike(self, other: Bucket) -> bool:
        """Whether another is the same, whoever has it."""
        return replace(other, exporter=self.exporter) == self

    def says_the_same(self, other: Bucket) -> bool:
        """Whether another fails at the same operator, or in the same words; that some numbers are
        others says nothing."""
        told = self.operator or (self.silent and self.said not in _OF_NUMBERS)
        mine, theirs = ((b.outcome, b.said, b.operator) for b in (self, other))
        return bool(told) and mine == theirs

    def __str__(self) -> str:
        at = f" at {self.operator}" if self.operator else ""
        return f"{self.exporter} {self.outcome}: {self.kind}: {self.said}{at}"


def bucket(record: Record) -> Bucket | None:
    """The bucket of a result; None where it is no lead: as it should be, or an honest refusal."""
    outcome, error = record.outcome, record.error
    if not outcome.expectable:
        return None
    if outcome.unfinished:
        if record.phase in _BEFORE:
            return None
        return Bucket(record.exporter, outcome, error.type if error else "", record.phase)
    if outcome.raised:
        told = error or _raised(record)
        found = internal(told) if told else None
        return Bucket(record.exporter, outcome, *found) if found else None
    if outcome.differs_on_accepted and (sample := record.deciding):
        finding = findings.explaining([f.id for f in record.findings if f.id not in _OF_RANGES])
        if outcome is Outcome.WRONG and finding in _LOSSES:
            finding = ""  # another loss beside it, which a smaller program need not have
        how = sample.message.partition("\n")[0]
        kind = f"{_sort(sample)}{', ' + finding if finding else ''}"
        # Of what is lost, the finding says all; the sentence has the structure of one program.
        said = "" if outcome is Outcome.LOSSY and finding else wording(how)
        return Bucket(record.exporter, outcome, kind, said, _operator(record))
    return None


def reason(record: Record) -> str:
    """Why a program could not be tried on a device, in words that others of its kind share."""
    error = record.error
    told = f"{error.type}: {wording(error.message)}" if error else "no reason was given"
    return f"on {record.device}, in {record.phase}: {told}"


def _operator(record: Record) -> str:
    """The first operator that disagrees, without namespace, overload and the underscore of one
    that writes."""
    name = record.departs.operator if record.departs else ""
    name = name.split(".")[1] if name.count(".") > 1 else name
    return "" if name.strip("_").lower() in _ARITHMETIC else name.rstrip("_")


def changed(before: Record, after: Record) -> Bucket | None:
    """The bucket of a program that must do the same as another and does worse; None where it does
    as well, or where that cannot be told."""
    outcome = after.outcome
    told = (before.outcome.expectable, outcome.expectable, outcome.rank > before.outcome.rank)
    if not all(told) or after.phase in _BEFORE:
        return None
    said = after.error or _raised(after)
    sample = after.deciding
    words = f"{said.type}: {beginning(said.message)}" if said else sample.message if sample else ""
    return Bucket(after.exporter, outcome, f"{before.outcome} before the change", wording(words))


def internal(error: ErrorInfo) -> tuple[str, str] | None:
    """The innermost internal error and its wording; None for one that a user is meant to read."""
    text = f"{error.type}: {error.message}"
    nested = [m for m in _NESTED.finditer(text) if not _ANSWERS.search(m[2])]
    first = f"{error.type}: {beginning(error.message)}"
    if error.type in _INTERNAL:
        if _ANSWERS.search(beginning(error.message)):
            return None
        return error.type, wording(beginning(error.message))
    if nested and error.type in _WRAPPING:
        return nested[-1][1], wording(nested[-1][2])
    if error.type == "Unsupported":  # TorchDynamo's own way of saying that it cannot
        return None
    return (error.type, wording(first)) if _BUG.search(error.message[:2000]) else None


def in_words_of_python(kind: str, said: str) -> bool:
    """Whether an error says only what Python itself says.

    >>> in_words_of_python("KeyError", "'…'"), in_words_of_python("AssertionError", "")
    (True, True)
    >>> in_words_of_python("AssertionError", "expected u#, but got s#")
    False
    """
    return bool(_OF_PYTHON.match(f"{kind}: {said}"))


def _raised(record: Record) -> ErrorInfo | None:
    """What the capture raised on a sample that it had to take."""
    sample = next((s for s in record.samples if s.result == "raised"), None)
    if sample is None:
        return None
    kind, _, message = sample.message.partition(": ")
    return ErrorInfo(kind, message)


def wording(text: str) -> str:
    """A message without what one program has and another does not.

    >>> wording("output[1][0] is 0.195 in eager, -1.8e3 in capture (5 of 5 values differ)")
    '… is # in eager, # in capture'
    >>> wording("views of v1 and the state of x.grad"), wording("outputs")
    ('views of … and the … of …', 'outputs')
    """
    text = steady(text).partition("\n")[0]
    text = re.sub(r"\(\d+ of \d+ values differ\)|TensorShape\(.*|tensor\(.*", "", text)
    text = re.sub(r"(?:[su]\d+|zuf\d+)\b", "s#", text)
    text = _NUMBERS.sub("#", _NAMES.sub("…", text))
    return re.sub(r"(#(?:, )?)+", "#", re.sub(r"\s+", " ", text)).strip()[:110]


#: What is said of nearly all values that are wrong.
_OF_NUMBERS = frozenset(wording(f"output is {a} in eager, {b} in capture") for a, b in (
    (1, 2), (True, False), (False, True), (1, True), (True, 1)
))  # fmt: skip


def _sort(sample: SampleResult) -> str:
    """What is special about a sample: nothing, its sizes, its data, the mode."""
    name = sample.name
    if name.startswith("other values"):
        return "values"
    if sample.sizes and min(sample.sizes.values()) < 2:
        return "size 0 or 1"
    return "sizes" if "=" in name else name.partition(":")[0].partition("[")[0]


def on_example(record: Record) -> bool:
    """Whether a capture is wrong on the very inputs that it was made with."""
    sample = record.deciding
    return sample is not None and _sort(sample) == "example"


def same(one: Record, wanted: Bucket) -> bool:
    """Whether a result falls into a bucket."""
    return bucket(one) == wanted
