"""Locates where a wrong capture first differs from eager, and which line a refusal is owed to.

Owns which sample is asked, and in which order: the operator (``first_difference``), the line of an
effect (``effects``), the branch (``cause_line.other_branch``), the line that settled a size
(``cause_line.assumption_line``).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from exportdb.conformance import cause_line
from exportdb.conformance.eager import Expected
from exportdb.conformance.trial import Trial
from exportdb.records.record import FirstDifference, SampleResult
from exportdb.symbolic.assumed import listening


@contextlib.contextmanager
def assumptions_of(file: str, names: Sequence[str]) -> Iterator[Callable[[str], int]]:
    """Listen to what the shape engine assumes in ``file``; gives what tells a message's line by it.

    ``names`` are those of the leaves of the inputs.
    """
    with listening(file, file.__eq__) as heard:
        yield lambda message: cause_line.assumption_line(message, heard.assumed(list(names)))


def sample_to_explain(results: Sequence[SampleResult]) -> SampleResult | None:
    """The sample that shows best that a capture differs from eager, if one does."""
    against = [r for r in results if r.counts_against and r.result != "lossy"]
    return min(against, key=lambda r: (r.role == "rejects", r.result != "disagrees"), default=None)


def first_difference(
    shown: SampleResult,
    tried: Sequence[Expected],
    trial: Trial,
    file: str,
    line: Callable[[str], int],
    kind: str = "",
) -> FirstDifference | None:
    """Where the capture first differs from eager on the sample ``shown``: at an operator, or where
    what differs, of this ``kind``, is stored or made differentiable, or where eager goes another
    way than on the example, or where ``line`` says that what the capture raises comes from.
    ``tried`` are the samples with what eager does, the example first.
    """
    expected = next((e for e in tried if e.sample.name == shown.name), None)
    if expected is None:
        return None
    found, effect = None, partial(trial.effect, expected, file, kind, shown.message)
    if file and kind == "state-mutation" and not trial.captured.in_sight:
        found = cause_line.at_line(file, effect())
    if found is None and shown.result == "disagrees":
        found = trial.first_difference(expected, file or None, shown.message)
    if file and (found is None or found.line is None):
        found = cause_line.at_line(file, effect()) or found
    if file and (found is None or found.line is None):
        found = trial.other_branch(tried[0], expected, file) or found
    if file and found is None and shown.result == "raised":
        found = cause_line.at_line(file, line(shown.message))
    return found
