"""Whether a program whose text was rewritten still does what it did, on inputs that tell.

Owns the comparison in eager: with the weights of the original, on the example, on other sizes and
on values moved and scaled, so that each side of a branch that was rewritten is taken. Runs where
torch is.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from exportdb.diagnose.program import ChangedProgram


def difference(program: ChangedProgram) -> str:
    """How ``program`` differs from itself without the rewrites; "" where it was seen not to."""
    rewritten = [c.data for c in program.changes if c.kind == "replace"]
    if not rewritten:
        return ""
    import torch

    rest = tuple(c for c in program.changes if c.kind not in ("replace", "insert"))
    torch.manual_seed(0)
    before = replace(program, changes=rest).subject()
    torch.manual_seed(0)
    after = program.subject()
    after.made.module.load_state_dict(before.made.module.state_dict(), strict=False)
    runs = []
    for args, kwargs in _inputs(before):
        lines: set[int] = set()
        expected = _ran(before.made.module, args, kwargs, program.where, lines)
        found = _ran(after.made.module, args, kwargs, program.where, set())
        runs.append(lines)
        if not _same(expected, found):
            return "the rewritten program does something else in eager"
    for data in rewritten:
        if "torch.where" in data["text"] and not _both_ways(data, runs):
            return "no input took both sides of the branch that was rewritten"
    return ""


def _both_ways(data: Mapping[str, Any], runs: list[set[int]]) -> bool:
    """Whether the first line inside of a statement was run in some runs and not in others."""
    first, count = int(data["before"]), int(data["count"])
    if count == 1:  # a conditional expression: lines do not tell its sides apart
        return True
    reached = [lines for lines in runs if first in lines]
    inside = {first + 1 in lines for lines in reached}
    return inside == {True, False}


def _inputs(subject: Any) -> Iterator[tuple[Any, Any]]:
    import torch

    yield subject.inputs()
    for seed in range(3):
        torch.manual_seed(seed)
        sizes = {
            name: min(bounds.max or 7, max(bounds.min, 2) + seed)
            for name, bounds in subject.asked.dims.items()
        }
        yield subject.inputs(**sizes) if sizes else subject.inputs()
    for times, plus in ((-1, 0), (1, 3), (1, -3), (10, 0), (0, 0), (0, 1), (0, -1)):
        yield _moved(subject.inputs(), times, plus)


def _moved(inputs: Any, times: int, plus: int) -> Any:
    from torch.utils import _pytree as pytree

    def moved(leaf: Any) -> Any:
        floating = hasattr(leaf, "is_floating_point") and leaf.is_floating_point()
        return (leaf.detach() * times + plus) if floating else leaf

    return pytree.tree_map(moved, inputs)


def _ran(module: Any, args: Any, kwargs: Any, path: str, lines: set[int]) -> Any:
    """What a call gives and leaves, or the exception; ``lines`` get those of the file it ran."""
    import torch

    def line(frame: Any, event: str, _: Any) -> Any:
        if event == "line":
            lines.add(frame.f_lineno)
        return line

    def call(frame: Any, _event: str, _: Any) -> Any:
        return line if frame.f_code.co_filename == path else None

    own, inputs = copy.deepcopy((module, (args, kwargs)))
    traced = sys.gettrace()
    sys.settrace(call)
    try:
        torch.manual_seed(0)
        return own(*inputs[0], **inputs[1]), dict(own.state_dict()), inputs
    except Exception as e:
        return e
    finally:
        sys.settrace(traced)


def _same(expected: Any, found: Any) -> bool:
    import torch
    from torch.utils import _pytree as pytree

    if isinstance(expected, Exception) or isinstance(found, Exception):
        return isinstance(expected, Exception) and isinstance(found, Exception)
    (first, spec), (second, other) = pytree.tree_flatten(expected), pytree.tree_flatten(found)
    if spec != other:
        return False
    for a, b in zip(first, second, strict=True):
        if isinstance(a, torch.Tensor) != isinstance(b, torch.Tensor):
            return False
        if isinstance(a, torch.Tensor):
            if a.shape != b.shape or a.dtype != b.dtype:
                return False
            if not torch.allclose(a, b, equal_nan=True):
                return False
    return True
