"""Whether a program whose text was rewritten still does what it did, on inputs that tell.

Owns the comparison in eager: with the weights of the original, on the example, on other sizes and
on values moved and scaled, so that each side of a branch that was rewritten is taken. Runs where
torch is.
"""

from __future__ import annotations

import copy
import inspect
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from exportdb.diagnose.change import Change
from exportdb.diagnose.files import is_users
from exportdb.diagnose.program import ChangedProgram

#: How often which line of which file was run.
Visits = Counter[tuple[str, int]]

#: Seconds after which no other inputs are compared, and how many there are at least.
_ENOUGH, _LEAST = 8.0, 4

#: The largest size that is compared.
_LARGE = 512


def difference(program: ChangedProgram) -> str:
    """How ``program`` differs from itself without the rewrites; "" where it was seen not to."""
    rewritten = [c for c in program.changes if c.kind in ("replace", "warm")]
    if not rewritten:
        return ""
    import torch

    rest = tuple(c for c in program.changes if c.kind not in ("replace", "insert", "warm"))
    torch.manual_seed(0)
    after = program.subject()
    own = copy.deepcopy(after.made.module.state_dict())
    torch.manual_seed(0)
    before = replace(program, changes=rest).subject()
    if not any(c.kind == "warm" for c in rewritten):
        after.made.module.load_state_dict(before.made.module.state_dict(), strict=False)
    elif own.keys() != before.made.module.state_dict().keys():
        return "the first call changes which parameters and buffers there are"
    inputs: list[Any] = []
    runs, began = [], time.monotonic()
    reads_sizes = any(c.data.get("sizes") for c in rewritten)
    example, other_sizes = _shapes(before.inputs()), list[object]()
    for args, kwargs in _inputs(before):
        if len(inputs) >= _LEAST and time.monotonic() - began > _ENOUGH:
            break
        lines: Visits = Counter()
        expected = _ran(before.made.module, [(args, kwargs)], lines)
        found = _ran(after.made.module, [(args, kwargs)], Counter())
        runs.append(lines)
        same = _same(expected, found)
        if reads_sizes and _shapes((args, kwargs)) != example:
            other_sizes.append("stops" if isinstance(expected, Exception) else same)
            if not same or isinstance(expected, Exception):
                continue
        inputs.append((args, kwargs))
        if not same:
            return "the rewritten program does something else in eager"
    # A size that was written as a number is the example's only where others were no good.
    if False in other_sizes and "stops" not in other_sizes:
        return "the rewritten program does something else in eager at other sizes"
    # What is kept from one call for the next shows in a second one.
    if not _same(*(_ran(s.made.module, inputs, Counter()) for s in (before, after))):
        return "the rewritten program does something else when it is called again"
    decided = [c for c in rewritten if _decides(c)]
    modules = before.made.module, after.made.module
    if decided and inputs and (said := _where_little_is_left(*modules, inputs[0], runs)):
        return said
    if not _all_both_ways(decided, program, runs) and inputs:
        said = _with_other_weights(*modules, inputs[0], runs)
        if said or not _all_both_ways(decided, program, runs):
            return said or "no input took both sides of the branch that was rewritten"
    return ""


def _shapes(inputs: Any) -> list[Any]:
    from torch.utils import _pytree as pytree

    return [getattr(leaf, "shape", None) for leaf in pytree.tree_leaves(inputs)]


def _decides(change: Change) -> bool:
    """Whether a branch was written otherwise, so that both its sides have to be seen."""
    return bool(change.data.get("decides") or change.data.get("sides"))


def _all_both_ways(decided: Sequence[Change], program: ChangedProgram, runs: list[Visits]) -> bool:
    return all(_both_ways(c, c.file or program.where, runs) for c in decided)


def _with_other_weights(before: Any, after: Any, inputs: Any, runs: list[Visits]) -> str:
    """The same with parameters moved: where a norm or a softmax stands before a branch, no input
    alone takes its other side."""
    for times, plus in ((0, -3), (0, 3), (-1, 0), (3, 0), (1, -3), (1, 3)):
        if said := _with_weights(before, after, inputs, runs, times, plus):
            return said
    return ""


def _where_little_is_left(before: Any, after: Any, inputs: Any, runs: list[Visits]) -> str:
    """The same with small weights and small inputs. A branch that ends something where little is
    left to do is taken at all zeros, too, but there nothing tells whether it matters."""
    for times in (1, 0.01):
        small = _moved(copy.deepcopy(inputs), times, 0)
        if said := _with_weights(before, after, small, runs, 0.01, 0):
            return said
    return ""


def _with_weights(
    before: Any, after: Any, inputs: Any, runs: list[Visits], times: float, plus: float
) -> str:
    import torch

    modules = copy.deepcopy((before, after))
    with torch.no_grad():
        for parameter in (p for m in modules for p in m.parameters()):
            if parameter.is_floating_point():
                parameter.mul_(times).add_(plus)
    lines: Visits = Counter()
    expected = _ran(modules[0], [inputs], lines)
    runs.append(lines)
    if not _same(expected, _ran(modules[1], [inputs], Counter())):
        return "the rewritten program does something else in eager"
    return ""


def _both_ways(change: Change, path: str, runs: list[Visits]) -> bool:
    """Whether the first line inside of a statement was run in some runs and not in others, or, in a
    loop, in some rounds and not in others."""
    first, count = int(change.data["before"]), int(change.data["count"])
    if count == 1:  # lines do not tell the sides apart
        return "sides" not in change.data
    inside = int(change.data.get("sides", first + 1))
    asked, taken = (sum(lines[path, line] for lines in runs) for line in (first, inside))
    if "sides" in change.data and asked > taken > 0:
        return True
    reached = [lines for lines in runs if (path, first) in lines]
    return {(path, inside) in lines for lines in reached} == {True, False}


def _inputs(subject: Any) -> Iterator[tuple[Any, Any]]:
    import torch

    yield subject.inputs()
    yield from _without_optional(subject.made.module, *subject.inputs())
    for seed in range(3):
        torch.manual_seed(seed)
        sizes = {
            name: min(bounds.max or 7, max(bounds.min, 2) + seed)
            for name, bounds in subject.asked.dims.items()
        }
        yield subject.inputs(**sizes) if sizes else subject.inputs()
    if large := _largest(subject):
        yield subject.inputs(**large)
    nan = float("nan")  # a branch may be there for just that
    for times, plus in ((-1, 0), (1, 3), (1, -3), (10, 0), (0, 0), (0, 1), (0, -1), (1, nan)):
        yield _moved(subject.inputs(), times, plus)
    yield _balanced(subject.inputs())


def _largest(subject: Any) -> dict[str, int]:
    """The largest sizes that are declared and soon computed, {} where they say nothing new."""
    dims = subject.asked.dims
    found = {name: min(b.max or _LARGE, _LARGE) for name, b in dims.items() if b.min <= _LARGE}
    return found if any(size > subject.sizes.get(name, 0) for name, size in found.items()) else {}


def _balanced(inputs: Any) -> Any:
    """Ones of both signs in turn: a sum of nothing at all, that is not all zeros."""
    import torch
    from torch.utils import _pytree as pytree

    def balanced(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor) or not leaf.is_floating_point():
            return leaf
        if leaf.layout is not torch.strided:
            return leaf
        signs = 1 - 2 * (torch.arange(leaf.numel(), device=leaf.device) % 2)
        made = signs.to(leaf.dtype).reshape(leaf.shape)
        if leaf.numel() % 2:
            made.view(-1)[-1] = 0
        return made.requires_grad_(leaf.requires_grad)

    return pytree.tree_map(balanced, inputs)


def _without_optional(module: Any, args: Any, kwargs: Any) -> Iterator[tuple[Any, Any]]:
    """The inputs without each argument in turn that ``forward`` has a default for."""
    for at, parameter in enumerate(inspect.signature(module.forward).parameters.values()):
        if parameter.default is parameter.empty:
            continue
        if parameter.name in kwargs:
            yield args, {k: v for k, v in kwargs.items() if k != parameter.name}
        elif at < len(args) and parameter.kind is not parameter.KEYWORD_ONLY:
            yield args[:at], kwargs


def _moved(inputs: Any, times: float, plus: float) -> Any:
    from torch.utils import _pytree as pytree

    def moved(leaf: Any) -> Any:
        floating = hasattr(leaf, "is_floating_point") and leaf.is_floating_point()
        if not floating:
            return leaf
        return (leaf.detach() * times + plus).requires_grad_(leaf.requires_grad)

    return pytree.tree_map(moved, inputs)


def _ran(module: Any, calls: Sequence[Any], lines: Visits) -> Any:
    """What calls of one copy of a module give and leave, or the exception; ``lines`` get those of
    the user's files that ran."""
    import torch

    def line(frame: Any, event: str, _: Any) -> Any:
        if event == "line":
            lines[frame.f_code.co_filename, frame.f_lineno] += 1
        return line

    def call(frame: Any, _event: str, _: Any) -> Any:
        return line if is_users(frame.f_code.co_filename) else None

    own, inputs = copy.deepcopy((module, list(calls)))
    traced = sys.gettrace()
    sys.settrace(call)
    try:
        torch.manual_seed(0)
        outputs = [own(*args, **kwargs) for args, kwargs in inputs]
        return outputs, dict(own.state_dict()), inputs, _gradients(own, inputs[0], outputs[0])
    except Exception as e:
        return e
    finally:
        sys.settrace(traced)


def _gradients(module: Any, inputs: Any, output: Any) -> Any:
    """What reaches parameters and inputs, where gradients are wanted: both sides of a branch are
    computed then, and the one that is not chosen may give NaN."""
    import torch
    from torch.utils import _pytree as pytree

    leaves = [x for x in pytree.tree_leaves(inputs) if isinstance(x, torch.Tensor)]
    wanted = [x for x in leaves if x.requires_grad and x.is_leaf]
    if module.training or wanted:
        wanted += [p for p in module.parameters() if p.requires_grad]
    given = [x for x in pytree.tree_leaves(output) if isinstance(x, torch.Tensor)]
    given = [x for x in given if x.requires_grad and not x.is_complex()]
    if not wanted or not given:
        return ()
    total = sum(x.sum() for x in given)
    return torch.autograd.grad(total, wanted, allow_unused=True, materialize_grads=True)


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
        if not isinstance(a, torch.Tensor):
            if isinstance(a, int | float | str) and a != b and a == a:
                return False
        else:
            if a.shape != b.shape or a.dtype != b.dtype:
                return False
            if not torch.allclose(a, b, equal_nan=True):
                return False
    return True
