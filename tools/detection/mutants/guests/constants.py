"""Numbers in a graph and tensors beside it that lose something when they are saved."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.captures import once
from detection.graphs import calls
from detection.kind import Kind
from detection.mutant import Hit, NothingToBreak
from detection.mutants.guests.values import single
from exportdb.exporters.protocol import Program

constants = Kind("guest: constants")


def literals(change: Callable[[Any], Any]) -> Callable[..., int]:
    """A pass that changes the numbers among the arguments of a graph's calls."""

    def run(graph: Any) -> Any:
        changed = 0
        for node in calls(graph):
            old = (node.args, node.kwargs)
            new = pytree.tree_map(lambda v: change(v) if type(v) in (int, float) else v, old)
            flat, flat_new = (pytree.tree_leaves(old), pytree.tree_leaves(new))
            if any(
                type(a) in (int, float)
                and (a != b or (a == 0 and math.copysign(1, a) != math.copysign(1, b)))
                and a == a
                for a, b in zip(flat, flat_new, strict=False)
            ):
                node.args, node.kwargs = new
                changed += 1
        return changed

    return run


constants.graph_pass("floats in the graph are kept in single precision", literals(single))
constants.graph_pass(
    "integers in the graph are cut to 32 bits",
    literals(lambda v: (v + 2**31) % 2**32 - 2**31 if type(v) is int and abs(v) < 2**63 - 1 else v),
)
constants.graph_pass(
    "floats are printed with six digits",
    literals(lambda v: float(f"{v:.6g}") if type(v) is float and math.isfinite(v) else v),
)
constants.graph_pass(
    "minus zero in the graph is zero", literals(lambda v: 0.0 if type(v) is float and v == 0 else v)
)
constants.graph_pass(
    "infinity in the graph is the greatest of single precision",
    literals(
        lambda v: (
            math.copysign(torch.finfo(torch.float32).max, v)
            if type(v) is float and math.isinf(v)
            else v
        )
    ),
)


@constants.graph_pass("floats with a whole value become integers")
def _(graph: Any) -> int:
    changed = 0
    for node in calls(graph, "mul", "add", "sub", "full", "div"):
        if len(node.args) > 1 and type(node.args[1]) is float and node.args[1].is_integer():
            node.args = (node.args[0], int(node.args[1]), *node.args[2:])
            changed += 1
    return changed


@constants.call("constant tensors of float64 are saved in single precision", base="export")
def _(program: Program, hit: Hit) -> Any:
    module = once(program).module()
    changed = 0
    held = [value for value in vars(module).values() if isinstance(value, torch.Tensor)]
    for t in [*module.buffers(), *held]:
        if t.dtype == torch.float64:
            with torch.no_grad():
                t.copy_(t.float())
                changed += 1
                hit()
    if not changed:
        raise NothingToBreak
    return module


@constants.call("constant tensors of int64 are saved in 32 bits", base="export")
def _(program: Program, hit: Hit) -> Any:
    module = once(program).module()
    changed = 0
    for t in list(module.buffers()):
        if t.dtype == torch.int64 and t.numel() and t.abs().max() > 2**31 - 1:
            t.copy_(t.to(torch.int32))
            changed += 1
            hit()
    if not changed:
        raise NothingToBreak
    return module


@constants.call("constants are made contiguous", base="export")
def _(program: Program, hit: Hit) -> Any:
    module = once(program).module()
    changed = 0
    for name, t in list(module.named_buffers()):
        if t.dim() > 1 and not t.is_contiguous():
            owner = module.get_submodule(name.rpartition(".")[0])
            changed += 1
            hit()
            setattr(owner, name.rpartition(".")[2], t.contiguous())
    if not changed:
        raise NothingToBreak
    return module
