"""A capture as a whole: gradients, state, what goes in and comes out, sizes, what it leaves."""

from __future__ import annotations

import copy
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.kind import Kind, higher_order
from detection.mutant import Features, Hit
from detection.mutants.engines.around import every_call
from detection.wrapping import (
    has_container,
    inputs,
    like_example,
    on_tensors,
    output,
    outputs,
    tensors,
)
from exportdb.exporters.protocol import Program

back = Kind("doubter: gradients")
state = Kind("doubter: state")
given = Kind("doubter: what is given")
sizes = Kind("doubter: sizes")
flow = Kind("doubter: control flow")
left = Kind("doubter: left behind")


def _train(features: Features) -> bool:
    return features.train


def _changes(features: Features) -> bool:
    return features.changes_state


# --- gradients ----------------------------------------------------------------------------------


class _Back(torch.autograd.Function):
    """A tensor as it is, whose gradient is another."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, change: Any, hit: Hit) -> torch.Tensor:
        ctx.change, ctx.hit = change, hit
        return x.view_as(x)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        ctx.hit()
        return ctx.change(grad), None, None


def _backwards(says: str, change: Any, of: str = "inputs") -> None:
    """A defect in what comes back to the inputs, or to the parameters, of a call."""

    @every_call(back, says, base="gradients", when=_train)
    def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
        def through(leaf: Any) -> Any:
            asks = isinstance(leaf, torch.Tensor) and leaf.requires_grad
            return _Back.apply(leaf, change, hit) if asks else leaf

        if of == "inputs":
            args, kwargs = pytree.tree_map(through, (args, kwargs))
            return program.module(*args, **kwargs)
        named = {n: through(p) for n, p in program.module.named_parameters() if p.requires_grad}
        return torch.func.functional_call(program.module, named, args, kwargs)


_backwards("what comes back to inputs is rounded to half precision",
           lambda g: g.bfloat16().to(g.dtype))  # fmt: skip
_backwards("what comes back to inputs is cut at a tenth", lambda g: g.clamp(-0.1, 0.1)
           if not g.is_complex() else g)  # fmt: skip
_backwards("what comes back to inputs is that of its first row",
           lambda g: g[:1].expand_as(g) if g.dim() else g)  # fmt: skip
_backwards("what comes back to parameters is the mean over the batch",
           lambda g: g / 2, of="parameters")  # fmt: skip
_backwards("what comes back to parameters has its sign alone",
           lambda g: g.sgn(), of="parameters")  # fmt: skip


@every_call(back, "an output that is made twice from one input sends back once", base="gradients",
            when=_train)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    leaves, spec = pytree.tree_flatten(program.module(*args, **kwargs))
    at = [i for i, t in enumerate(leaves) if isinstance(t, torch.Tensor) and t.requires_grad]
    for i in at[1:]:
        hit()
        leaves[i] = leaves[i].detach().requires_grad_()
    return pytree.tree_unflatten(leaves, spec)


# --- state --------------------------------------------------------------------------------------


@every_call(state, "a counter is written as often as the example was", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = {n: b.clone() for n, b in program.module.named_buffers() if not b.dim()}
    out = program.module(*args, **kwargs)
    for name, buffer in program.module.named_buffers():
        if name in before and not torch.equal(before[name], buffer):
            if kept.setdefault(name, 0):
                hit()
                buffer.data.copy_(before[name])
            kept[name] = 1
    return out


@every_call(state, "what is written to a buffer is written before it is read", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    ahead = copy.deepcopy(program.module)
    ahead(*copy.deepcopy(args), **copy.deepcopy(kwargs))
    now = dict(ahead.named_buffers())
    for name, buffer in program.module.named_buffers():
        if name in now and now[name].shape == buffer.shape and not torch.equal(buffer, now[name]):
            hit()
            buffer.data.copy_(now[name])
    out = program.module(*args, **kwargs)
    for name, buffer in program.module.named_buffers():
        if name in now and now[name].shape == buffer.shape:
            buffer.data.copy_(now[name])
    return out


@every_call(state, "running numbers move by a tenth less", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = {n: b.clone() for n, b in program.module.named_buffers() if b.is_floating_point()}
    out = program.module(*args, **kwargs)
    for name, buffer in program.module.named_buffers():
        old = before.get(name)
        if old is not None and old.shape == buffer.shape and not torch.equal(old, buffer):
            hit()
            buffer.data.sub_((buffer.data - old) * 0.1)
    return out


# --- what is given and given back ---------------------------------------------------------------


@every_call(given, "keywords are given by the place they have in the call")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    if len(kwargs) < 2 or list(kwargs) == list(program.kwargs):
        return program.module(*args, **kwargs)
    if kwargs.keys() != program.kwargs.keys():
        return program.module(*args, **kwargs)
    hit()
    return program.module(*args, **dict(zip(program.kwargs, kwargs.values(), strict=True)))


@every_call(given, "a dict within a list among the inputs is read in the order of the example",
            when=has_container(list, tuple, dict))  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def read(value: Any, known: Any) -> Any:
        if type(value) is dict and type(known) is dict and value.keys() == known.keys():
            if list(value) != list(known):
                hit()
                return dict(zip(known, value.values(), strict=True))
            return {k: read(v, known[k]) for k, v in value.items()}
        if type(value) in (list, tuple) and type(known) is type(value) and len(known) == len(value):
            return type(value)(map(read, value, known))
        return value

    if len(args) != len(program.args):
        return program.module(*args, **kwargs)
    return program.module(*map(read, args, program.args), **{
        k: read(v, program.kwargs.get(k)) for k, v in kwargs.items()})  # fmt: skip


given.call("outputs without axes are numbers", outputs(on_tensors(
    lambda t: t.item() if not (t.dim() or t.requires_grad or t.is_meta) else None)))  # fmt: skip
given.call("outputs that are equal are one", output(
    lambda v: type(v)([v[0], *(v[0] if _equal(x, v[0]) else x for x in v[1:])])
    if type(v) in (list, tuple) and any(_equal(x, v[0]) for x in v[1:]) else None))  # fmt: skip
given.call("whole numbers among the inputs are 32 bits wide", inputs(on_tensors(
    lambda t: t.int().long() if t.dtype is torch.int64 and t.layout is torch.strided
    and not t.is_meta and (t.abs() >= 2**31).any() else None)))  # fmt: skip
given.call("words among the inputs are those of the example", like_example(
    lambda leaf, example: example if isinstance(leaf, str) and isinstance(example, str)
    and leaf != example else None))  # fmt: skip


def _equal(a: Any, b: Any) -> bool:
    plain = isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor) and a is not b
    return (
        plain and a.dtype == b.dtype and a.shape == b.shape and not a.is_meta and torch.equal(a, b)
    )


# --- sizes --------------------------------------------------------------------------------------


def _guarded(says: str, fits: Any) -> None:
    """A capture that gives noughts where sizes do not fit what it was made for."""

    @every_call(sizes, says)
    def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
        out = program.module(*args, **kwargs)
        now = [t.shape for t in tensors((args, kwargs))]
        then = [t.shape for t in tensors((program.args, dict(program.kwargs)))]
        if len(now) != len(then) or all(map(fits, now, then)):
            return out
        hit()
        return pytree.tree_map(
            lambda t: torch.zeros_like(t) if isinstance(t, torch.Tensor) and t.layout
            is torch.strided else t, out)  # fmt: skip


_guarded("inputs that are a hundred times as long as the example's are nought",
         lambda a, b: all(n < 100 * max(m, 1) for n, m in zip(a, b, strict=False)))  # fmt: skip
_guarded("inputs one shorter than the example's are nought",
         lambda a, b: all(n != m - 1 for n, m in zip(a, b, strict=False)))  # fmt: skip
_guarded("inputs as long as they are wide are nought where the example's are not",
         lambda a, b: len(a) < 2 or a[0] != a[1] or b[0] == b[1])  # fmt: skip
_guarded("odd lengths are nought", lambda a, b: a == b or not a or a[0] % 2 == 0)
_guarded("lengths that three divides are nought", lambda a, b: a == b or not a or a[0] % 3)
_guarded("an input of one row is nought", lambda a, b: a == b or not a or a[0] != 1)


# --- control flow -------------------------------------------------------------------------------


def _negated(sound: Any, condition: Any, yes: Any, no: Any, operands: Any = ()) -> Any:
    return sound(condition if condition is True or condition is False else condition > 0, yes, yes,
                 operands)  # fmt: skip


def _first_alone(sound: Any, combine: Any, init: Any, xs: Any, more: Any = ()) -> Any:
    out = list(sound(combine, init, xs, more))
    return [t.flip(0) if i >= len(init) else t for i, t in enumerate(out)]


def _not_at_all(sound: Any, condition: Any, body: Any, carried: Any, more: Any = ()) -> Any:
    out = body(*carried, *more)
    return sound(condition, body, tuple(out), more)


higher_order(flow, "of two branches the first is both", "cond", _negated, "cond")
higher_order(flow, "what a scan gives comes in the order of the last", "scan", _first_alone, "scan")
higher_order(flow, "a loop runs once before it asks", "while_loop", _not_at_all, "while_loop")


# --- left behind --------------------------------------------------------------------------------


def _leaves(says: str, leave: Any) -> None:
    """A capture that is eager on a copy and changes something of what it was given."""

    @left.call(says, alone=True)
    def _(program: Program, hit: Hit) -> Any:
        module = copy.deepcopy(program.module)
        leave(program)
        hit()
        return module


_leaves("a capture leaves the module in the other mode",
        lambda program: program.module.train(not program.module.training))  # fmt: skip
_leaves("a capture leaves the number of threads at another",
        lambda program: torch.set_num_threads(torch.get_num_threads() + 1))  # fmt: skip
_leaves("a capture leaves a hook on the module", lambda program:
        program.module.register_forward_hook(lambda module, args, output: None))  # fmt: skip
_leaves("a capture leaves autocast on",
        lambda program: torch.set_autocast_enabled("cpu", True))  # fmt: skip


@left.call("a capture leaves parameters that ask for nothing", alone=True, when=lambda f: f.state)
def _(program: Program, hit: Hit) -> Any:
    module = copy.deepcopy(program.module)
    for parameter in program.module.parameters():
        hit()
        parameter.requires_grad_(False)
    return module
