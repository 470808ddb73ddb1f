"""Which sides of its branches the code of a program takes in a call.

Owns reading the branches off what Python compiled, and following a call instruction by instruction.
A branch is a test of an ``if``, ``while``, ``assert``'s kin: an ``and`` or ``or``, a conditional
expression, a filter of a comprehension; not whether an exception is caught, or a loop is at its
end. ``torch.cond`` is one, too: while a call is followed it is Python's, which also saves compiling
it.
"""

from __future__ import annotations

import dis
import linecache
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import torch

#: Tests that are the same in eager whatever the inputs.
_OF_THE_CAPTURE = re.compile(
    r"\bis_(compiling|exporting|dynamo_compiling|torchdynamo_compiling|tracing|scripting)\b"
    r"|\bTYPE_CHECKING\b"
)
#: A test that holds where nothing is None; the jumps of both say only which of the two they are.
_IS_NOT_NONE = re.compile(r"\bis\s+not\s+None\W*$")
_SHORT = 60  # characters of a test that are shown
#: What may stand between a test and its jump.
_BEFORE_JUMP = frozenset(("EXTENDED_ARG", "CACHE", "COPY", "TO_BOOL"))


@dataclass(frozen=True)
class Branch:
    """A test in the code of a program, which comes out true or false."""

    file: str
    line: int
    columns: tuple[int, int]
    end_line: int

    @property
    def test(self) -> str:
        """Its text; "" where the source is not at hand, or it spans several lines."""
        if self.line != self.end_line:
            return ""
        text = linecache.getline(self.file, self.line).encode()
        first, last = self.columns
        return text[first:last].decode(errors="replace")


def _branch(file: str, at: dis.Positions) -> Branch:
    first = at.lineno or 0
    columns = (at.col_offset or 0, at.end_col_offset or 0)
    return Branch(file, first, columns, at.end_lineno or first)


#: A branch and how it came out.
Side = tuple[Branch, bool]


@dataclass(frozen=True)
class _Jump:
    branch: Branch
    target: int
    when_taken: bool  # what the test is when the jump is taken


Jumps = Mapping[CodeType, Mapping[int, _Jump]]


def jumps_of(codes: Iterable[CodeType]) -> Jumps:
    """Every branch of ``codes``, by the offsets at which the interpreter stands before it."""
    found = {code: _jumps_in(code) for code in codes}
    return {code: jumps for code, jumps in found.items() if jumps}


#: What was found in a code, with the code itself, by its ``id``: codes of other files may be equal.
_found: dict[int, tuple[CodeType, Mapping[int, _Jump]]] = {}


def _jumps_in(code: CodeType) -> Mapping[int, _Jump]:
    """Those of one code: asked again for each sample, and a library has hundreds of codes."""
    if id(code) not in _found:
        _found[id(code)] = code, dict(_jumps(code))
    return _found[id(code)][1]


def _jumps(code: CodeType) -> Iterable[tuple[int, _Jump]]:
    steps = list(dis.get_instructions(code))
    for i, step in enumerate(steps):
        if "JUMP" not in step.opname or "_IF_" not in step.opname:
            continue
        previous = steps[i - 1].opname
        behind = next((s.opname for s in steps[i + 1 :] if s.opname != "NOT_TAKEN"), "")
        if previous in ("CHECK_EXC_MATCH", "WITH_EXCEPT_START") or "ASSERTION" in behind:
            continue
        if step.positions is None or step.positions.lineno is None:
            continue
        branch = _branch(code.co_filename, _test_position(steps, i))
        if _OF_THE_CAPTURE.search(branch.test):
            continue
        sense = "IF_FALSE" not in step.opname
        if "NONE" in step.opname:
            sense = ("NOT_NONE" in step.opname) == bool(_IS_NOT_NONE.search(branch.test))
        jump = _Jump(branch, step.argval, sense)
        yield step.offset, jump
        while i and steps[i - 1].opname == "EXTENDED_ARG":  # the interpreter stands before these
            i -= 1
            yield steps[i].offset, jump


def _test_position(steps: Sequence[dis.Instruction], i: int) -> dis.Positions:
    """Where the test of a jump stands: what was loaded just before. In Python 3.11 the jump on a
    bare name or an element stands where the whole statement does, and all jumps of one ``if`` at
    one place. A jump on None tests in itself."""
    jump = steps[i].positions or dis.Positions()
    if "NONE" in steps[i].opname:
        return jump
    while i and steps[i - 1].opname in _BEFORE_JUMP:
        i -= 1
    loaded = steps[i - 1].positions if i else None
    return jump if loaded is None or loaded.lineno is None else loaded


def taken(jumps: Jumps, call: Callable[[], Any]) -> set[Side]:
    """The sides that are taken during ``call``, whatever it raises."""
    found: set[Side] = set()
    last: dict[FrameType, int] = {}

    def step(frame: FrameType, event: str, _: Any) -> Any:
        if event == "opcode":
            jump = jumps[frame.f_code].get(last.get(frame, -1))
            if jump is not None:
                jumped = frame.f_lasti == jump.target
                found.add((jump.branch, jump.when_taken == jumped))
            last[frame] = frame.f_lasti
        elif event == "return":
            last.pop(frame, None)
        return step

    def enter(frame: FrameType, event: str, _: Any) -> Any:
        if event != "call" or frame.f_code not in jumps:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return step

    before, cond = sys.gettrace(), torch.cond
    torch.cond = _followed(cond, found)
    sys.settrace(enter)
    try:
        call()
    except Exception:  # what it took before it raised is taken
        pass
    finally:
        sys.settrace(before)
        torch.cond = cond
    return found


def _followed(cond: Callable[..., Any], found: set[Side]) -> Callable[..., Any]:
    """``torch.cond`` that calls one of its branches, and notes which."""

    def followed(pred: Any, true_fn: Any, false_fn: Any, operands: Any = ()) -> Any:
        try:
            came = bool(pred)
        except Exception:  # under a transform of torch.func it is no single value
            return cond(pred, true_fn, false_fn, operands)
        caller = sys._getframe(1)
        at = list(caller.f_code.co_positions())[caller.f_lasti // 2]
        found.add((_branch(caller.f_code.co_filename, dis.Positions(*at)), came))
        return (true_fn if came else false_fn)(*operands)

    return followed


def other_sides(sides: Iterable[Side]) -> list[Side]:
    """The sides not taken of branches of which one was, in the order of the code."""
    known = set(sides)
    missing = [(b, not came) for b, came in known if (b, not came) not in known]
    return sorted(missing, key=lambda side: (side[0].file, side[0].line, side[0].columns, side[1]))


def told(side: Side, file: str = "") -> str:
    """A side that was not taken, in words; the file is named where it is not the program's own."""
    branch, came = side
    test = branch.test
    shown = f"`{test}`" if 0 < len(test) <= _SHORT else "a condition"
    where = "" if branch.file == file else f"{Path(branch.file).name}, "
    return f"{where}line {branch.line}: {shown} is never {str(came).lower()}"
