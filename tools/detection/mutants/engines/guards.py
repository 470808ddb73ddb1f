"""What an engine takes from the example for good: sizes, numbers, equalities, one row."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import torch
from torch.fx import GraphModule, Node
from torch.utils import _pytree as pytree

from detection.captures import once
from detection.graphs import Call, calls, graphs_of
from detection.kind import Kind
from detection.mutant import Hit, NothingToBreak
from detection.mutants.engines.around import every_call, instead
from detection.wrapping import flat, like_example, tensors
from exportdb.exporters.protocol import Program

kind = Kind("engine: guards")


def _hint(value: Any) -> Any:
    """The size of the example where a node stands for a size, else the value itself."""
    if isinstance(value, Node):
        val = value.meta.get("val")
        if isinstance(val, torch.SymInt):
            hint = getattr(val.node, "hint", None)
            return hint if isinstance(hint, int) else value
    return value


def _baked(says: str, names: str) -> None:
    """A pass that gives the operators ``names`` the sizes of the example for those of the input."""

    @kind.graph_pass(says)
    def _(graph: GraphModule) -> int:
        changed = 0
        for node in calls(graph, *names.split()):
            new = pytree.tree_map(_hint, (node.args, dict(node.kwargs)))
            if str(new) != str((node.args, dict(node.kwargs))):
                node.args, node.kwargs = tuple(new[0]), new[1]
                changed += 1
        return changed


_baked("reshaping goes to the sizes of the example", "view reshape unflatten")
_baked("ranges end where the example's did", "arange linspace")
_baked("tensors are expanded to the sizes of the example", "expand broadcast_to repeat tile")
_baked("tensors are made in the sizes of the example", "zeros ones full empty eye tril_indices "
       "rand randn new_zeros new_ones new_full")  # fmt: skip
_baked("slices end where the example's did", "slice narrow select split split_with_sizes")
_baked("padding is as wide as the example's", "pad constant_pad_nd roll")
_baked("sizes that divide or multiply are those of the example",
       "div mul sub add true_divide pow floor_divide")  # fmt: skip
_baked("pooling and resizing are to the sizes of the example",
       "adaptive_avg_pool2d adaptive_avg_pool1d upsample_bilinear2d upsample_nearest2d interpolate "
       "avg_pool2d max_pool2d upsample_nearest1d upsample_linear1d")  # fmt: skip


def _arithmetic(says: str, names: tuple[str, ...], wrong: Callable[..., Any]) -> None:
    """Arithmetic of sizes that is another; ``wrong`` takes the sizes."""

    def make(program: Program, hit: Hit) -> Any:
        module, changed = once(program).module(), 0
        for graph in graphs_of(module):
            for node in graph.graph.nodes:
                name = getattr(node.target, "__name__", "")
                if node.op == "call_function" and name in names and not isinstance(
                        node.target, torch._ops.OpOverload):  # fmt: skip
                    sound = node.target

                    def run(*sizes: Any, _sound: Any = sound) -> Any:
                        right = _sound(*sizes)
                        if isinstance(right, torch.Tensor):
                            return right
                        new = wrong(*sizes)
                        if new != right:
                            hit()
                        return new

                    node.target, changed = run, changed + 1
            graph.recompile()
        if not changed:
            raise NothingToBreak
        return module

    kind.call(says, make, base="export")


_arithmetic("division of sizes rounds up", ("floordiv",), lambda a, b: -(-a // b))
_arithmetic("the remainder of sizes is nought", ("mod",), lambda a, b: 0)
_arithmetic("the smaller of two sizes is the first", ("sym_min", "min"), lambda a, *b: a)
_arithmetic("sizes are divided as single precision", ("truediv",),
            lambda a, b: float(torch.tensor(a / b)))  # fmt: skip
_arithmetic("a difference of sizes is at least one", ("sub",), lambda a, b: max(a - b, 1))
_arithmetic("comparisons of sizes take equal for less", ("lt", "gt"),
            lambda a, b: a == b or operator.lt(a, b))  # fmt: skip


kind.call("bools among the inputs are those of the example", like_example(
    lambda a, b: b if type(a) is bool and type(b) is bool and a != b else None))  # fmt: skip
kind.call("tensors of no dims among the inputs are those of the example", like_example(
    lambda a, b: b if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor)
    and not a.dim() and not b.dim() and not a.is_meta and not torch.equal(a, b)
    else None))  # fmt: skip
kind.call("small tensors of whole numbers among the inputs are those of the example", like_example(
    lambda a, b: b if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor)
    and a.dtype is torch.int64 and a.shape == b.shape and a.numel() < 4
    and not torch.equal(a, b) else None))  # fmt: skip
kind.call("inputs of another type than the example's are read in its type", like_example(
    lambda a, b: a.to(b.dtype) if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor)
    and a.dtype != b.dtype else None))  # fmt: skip
kind.call("inputs with more rows than the example are cut to its own", like_example(
    lambda a, b: a[: b.shape[0]] if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor)
    and a.dim() and a.dim() == b.dim() and a.shape[0] > b.shape[0] else None))  # fmt: skip
kind.call("a dim of one is dropped where the example's is longer", like_example(
    lambda a, b: a.squeeze() if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor)
    and a.dim() and 1 in a.shape and 1 not in b.shape else None))  # fmt: skip


@every_call(kind, "sizes that are equal in the example are equal, or the longer is cut")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    given, known = flat((args, kwargs)), flat((program.args, dict(program.kwargs)))
    if len(given) != len(known):
        return program.module(*args, **kwargs)
    sizes: dict[int, list[int]] = {}
    for a, b in zip(given, known, strict=True):
        if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor) and a.dim() == b.dim():
            for i, size in enumerate(b.shape):
                sizes.setdefault(size, []).append(a.shape[i])
    short = {old: min(new) for old, new in sizes.items()}

    def cut(a: Any, b: Any) -> Any:
        if not isinstance(a, torch.Tensor) or not isinstance(b, torch.Tensor):
            return a
        if a.dim() != b.dim():
            return a
        for i, size in enumerate(b.shape):
            if a.shape[i] > short[size]:
                hit()
                a = a.narrow(i, 0, short[size])
        return a

    leaves, spec = pytree.tree_flatten((args, kwargs), is_leaf=lambda v: v is None)
    new = [cut(a, b) for a, b in zip(leaves, known, strict=True)]
    args, kwargs = pytree.tree_unflatten(new, spec)
    return program.module(*args, **kwargs)


def _beyond(says: str, change: Callable[[torch.Tensor], torch.Tensor | None]) -> None:
    @every_call(kind, says)
    def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
        def changed(t: Any) -> Any:
            dense = isinstance(t, torch.Tensor) and t.layout is torch.strided and not t.is_meta
            new = change(t) if dense and t.dim() and not t.requires_grad else None
            if new is None or torch.equal(new, t):
                return t
            hit()
            return new

        return pytree.tree_map(changed, program.module(*args, **kwargs))


def _zeroed(t: torch.Tensor, start: int, dim: int = 0) -> torch.Tensor | None:
    if t.shape[dim] <= start:
        return None
    t = t.clone()
    t.narrow(dim, start, t.shape[dim] - start).zero_()
    return t


_beyond("rows beyond the thousandth are not computed", lambda t: _zeroed(t, 1000))
_beyond("rows beyond the last whole group of four are not computed",
        lambda t: _zeroed(t, t.shape[0] // 4 * 4))  # fmt: skip
_beyond("columns beyond the last whole group of four are not computed",
        lambda t: _zeroed(t, t.shape[-1] // 4 * 4, -1) if t.shape[-1] > 4 else None)  # fmt: skip
_beyond("a result of one row has it zero", lambda t: (
    torch.zeros_like(t) if t.shape[0] == 1 else None))  # fmt: skip


@every_call(kind, "with an empty input all results are zeros")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    out = program.module(*args, **kwargs)
    if all(t.numel() for t in tensors((args, kwargs))):
        return out

    def zeros(t: Any) -> Any:
        plain = isinstance(t, torch.Tensor) and t.layout is torch.strided and not t.requires_grad
        if not plain or not t.numel() or not t.any():
            return t
        hit()
        return torch.zeros_like(t)

    return pytree.tree_map(zeros, out)


@instead(kind, "nonzero masked_select unique unique_consecutive _unique2",
         "where nothing is chosen one row of zeros is")  # fmt: skip
def _(call: Call, kept: Any) -> Any:
    new = call()
    if not isinstance(new, torch.Tensor) or new.shape[0]:
        return None
    return new.new_zeros((1, *new.shape[1:]))


@instead(kind, "nonzero masked_select", "no more is chosen than in the first call")
def _(call: Call, kept: Any) -> Any:
    new = call()
    most = kept.setdefault(str(call.operator), new.shape[0])
    return new[:most].clone() if new.shape[0] > most else None


@every_call(kind, "a later call with the shapes of an earlier one checks no values", base="export")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    if "module" not in kept:
        kept["module"], kept["seen"] = once(program).module(), set()
    module = kept["module"]
    key = str([getattr(v, "shape", type(v)) for v in flat((args, kwargs))])
    if key not in kept["seen"]:
        out = module(*args, **kwargs)
        kept["seen"].add(key)
        return out
    sound = torch._assert

    def check(condition: Any, message: str) -> None:
        if not condition:
            hit()

    torch._assert = check
    try:
        return module(*args, **kwargs)
    finally:
        torch._assert = sound
