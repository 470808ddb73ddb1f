"""Finds the first of a row of versions that is bad, asking as few of them as it can.

Pure but for the question itself. A version that cannot be asked is left out; where that keeps the
first bad one from being told, the answer says between which it lies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Bisection:
    """The last version known to be good, the first known to be bad, and what lies between.

    ``skipped`` are the versions between the two that could not be asked.
    """

    good: str
    bad: str
    skipped: tuple[str, ...]


def bisect(versions: Sequence[str], is_bad: Callable[[str], bool | None]) -> Bisection:
    """Where ``versions``, of which the first is good and the last is bad, become bad.

    ``is_bad`` is asked about some of those between; None says that it cannot be told.

    >>> bisect(["1", "2", "3", "4", "5"], lambda v: v >= "4")
    Bisection(good='3', bad='4', skipped=())
    >>> bisect(["1", "2", "3", "4"], lambda v: None if v == "3" else v >= "3")
    Bisection(good='2', bad='4', skipped=('3',))
    """
    good, bad = 0, len(versions) - 1
    skipped: set[int] = set()
    while left := [i for i in range(good + 1, bad) if i not in skipped]:
        middle = min(left, key=lambda i: abs(2 * i - good - bad))
        answer = is_bad(versions[middle])
        if answer is None:
            skipped.add(middle)
        elif answer:
            bad = middle
        else:
            good = middle
    between = sorted(i for i in skipped if good < i < bad)
    return Bisection(versions[good], versions[bad], tuple(versions[i] for i in between))
