"""The line of a program that a result is owed to, where neither an error nor an operator names it.

Owns two ways to know it: which branch eager takes on a sample and not on the example, by which the
capture was made, and which line made the shape engine assume what an error complains of. Like a
first difference it explains an outcome and never makes one.
"""

from __future__ import annotations

import linecache
import re
import traceback
from collections.abc import Callable, Iterable

import torch

from exportdb.conformance.sampling import branches
from exportdb.conformance.sampling.constants import codes_of
from exportdb.records.record import FirstDifference
from exportdb.symbolic.assumed import Assumed

#: Runs something under the call that is given, and gives what that raised.
Followed = Callable[[], BaseException | None]

#: How messages of torch call an input, and the size of one.
_INPUT, _SHAPE = re.compile(r"(?:L|inputs)\['(\w+)'\]"), re.compile(r"\.shape\[")
#: What a message speaks of that complains of assumptions and names no size.
_OF_SIZES = re.compile(r"\bDim\b|[Cc]onstraint")


def other_branch(
    module: torch.nn.Module, file: str, example: Followed, sample: Followed
) -> FirstDifference | None:
    """Where eager goes another way on a sample than on the example: the first branch in ``file``
    that comes out otherwise, or else the line on which it raises. None where it does neither.

    ``torch.cond`` is no such branch: a capture has both of its sides.
    """
    jumps = branches.jumps_of(codes_of(module))
    own = {jump.branch for found in jumps.values() for jump in found.values()}
    known = branches.taken(jumps, example)
    raised: list[BaseException | None] = []
    sides = branches.taken(jumps, lambda: raised.append(sample()))
    new = [b.line for b, _ in sides - known if b in own and b.file == file]
    asked = {b for b, _ in known}
    # What stands in a branch that the example never came to follows from the one before it.
    lines = [b.line for b, _ in sides - known if b in own and b.file == file and b in asked] or new
    if lines:
        return _at(file, min(lines))
    passed = [f for e in raised if e for f in traceback.extract_tb(e.__traceback__)]
    stopped = [f.lineno for f in passed if f.filename == file and f.lineno]
    return _at(file, stopped[-1]) if stopped else None


def assumption_line(message: str, assumed: Iterable[Assumed]) -> int:
    """The line of the program's file that made the shape engine assume what ``message`` complains
    of; 0 where that is not certain.

    >>> assumed = [(7, "x.size()[0] > 4", ("x.size()[0]",), ""), (9, "n == 2", ("n",), "")]
    >>> assumption_line("Guard failed: x.size()[0] >= 5", assumed)
    7
    >>> assumption_line("L['n'] and L['x'].size()[0]", assumed)
    9
    >>> assumption_line("out of memory", assumed)
    0
    """
    plain = _SHAPE.sub(".size()[", _INPUT.sub(r"\1", message))
    here = [a for a in assumed if not a[3]]
    about = [a for a in here if any(_names(plain, size) for size in a[2])]
    if not about and _OF_SIZES.search(message):
        about = here
    told = [a for a in about if a[1] in plain]
    for chosen in (told, [a for a in about if " == " in a[1]], about):
        if len(lines := {a[0] for a in chosen}) == 1:
            return lines.pop()
    return 0


def _names(text: str, size: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(size)}(?![\w(])", text) is not None


def at_line(file: str, line: int) -> FirstDifference | None:
    """A line as a first difference; None for none."""
    return _at(file, line) if line else None


def _at(file: str, line: int) -> FirstDifference:
    return FirstDifference("", line, linecache.getline(file, line).strip())
