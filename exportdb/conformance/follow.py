"""Follows a wrong capture to where it departs from eager, and a refusal to the line it is owed to.

Owns which sample is followed, and in which order it is asked: the operator (``departure``), the
line of an effect (``effects``), the branch (``blame.parting``), the line that settled a size
(``blame.settled``).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from exportdb.conformance import blame
from exportdb.conformance.eager import Expected
from exportdb.conformance.trial import Trial
from exportdb.records.record import Departure, SampleResult
from exportdb.symbolic.assumed import listening


@contextlib.contextmanager
def told_of(file: str, names: Sequence[str]) -> Iterator[Callable[[str], int]]:
    """Listen to what the shape engine assumes in ``file``; gives what tells a message's line by it.

    ``names`` are those of the leaves of the inputs.
    """
    with listening(file, file.__eq__) as heard:
        yield lambda message: blame.settled(message, heard.assumed(list(names)))


def shown(results: Sequence[SampleResult]) -> SampleResult | None:
    """The sample that shows best that a capture departs from eager, if one does."""
    against = [r for r in results if r.counts_against and r.result != "lossy"]
    return min(against, key=lambda r: (r.role == "rejects", r.result != "disagrees"), default=None)


def departs(
    shown: SampleResult,
    tried: Sequence[Expected],
    trial: Trial,
    file: str,
    line: Callable[[str], int],
    kind: str = "",
) -> Departure | None:
    """Where the capture departs from eager on the sample ``shown``: at an operator, or where what
    differs, of this ``kind``, is stored or made differentiable, or where eager goes another way
    than on the example, or where ``line`` says that what the capture raises comes from. ``tried``
    are the samples with what eager does, the example first.
    """
    expected = next((e for e in tried if e.sample.name == shown.name), None)
    if expected is None:
        return None
    found, effect = None, partial(trial.effect, expected, file, kind, shown.message)
    if file and kind == "state-mutation" and not trial.captured.in_sight:
        found = blame.at_line(file, effect())
    if found is None and shown.result == "disagrees":
        found = trial.departure(expected, file or None, shown.message)
    if file and (found is None or found.line is None):
        found = blame.at_line(file, effect()) or found
    if file and (found is None or found.line is None):
        found = trial.parting(tried[0], expected, file) or found
    if file and found is None and shown.result == "raised":
        found = blame.at_line(file, line(shown.message))
    return found
