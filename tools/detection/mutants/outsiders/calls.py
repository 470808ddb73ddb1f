"""A capture as a whole: what it keeps, how it is called, what it takes for granted."""

from __future__ import annotations

import copy
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.kind import Kind, higher_order
from detection.mutant import Features, Hit
from detection.mutants.engines.around import every_call
from detection.wrapping import inputs, like_example, on_tensors, output, outputs, state_of, tensors
from exportdb.exporters.protocol import Program

state = Kind("outsider: state")
back = Kind("outsider: gradients")
memory = Kind("outsider: memory")
given = Kind("outsider: what is given")
gives = Kind("outsider: what it gives")
granted = Kind("outsider: taken for granted")
drawn = Kind("outsider: random numbers")
flow = Kind("outsider: control flow")


def _plain(t: Any) -> bool:
    return (type(t) is torch.Tensor and t.layout is torch.strided and not t.is_quantized
            and not t.is_meta)  # fmt: skip


def _train(features: Features) -> bool:
    return features.train


def _has_state(features: Features) -> bool:
    return features.state


def _changes(features: Features) -> bool:
    return features.changes_state


# --- state --------------------------------------------------------------------------------------


@state.call("parameters and buffers are those of the capture", when=_has_state)
def _(program: Program, hit: Hit) -> Any:
    kept = {n: t.detach().clone() for n, t in state_of(program.module).items()}

    def run(*args: Any, **kwargs: Any) -> Any:
        now = state_of(program.module)
        other = {n: t.requires_grad_(now[n].requires_grad) for n, t in kept.items()
                 if n in now and _plain(t) and not torch.equal(now[n], t)}  # fmt: skip
        if not other or program.train:
            return program.module(*args, **kwargs)
        hit()
        return torch.func.functional_call(program.module, other, args, kwargs)

    return run


@every_call(state, "a buffer is written when its values are others than the last", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = {n: b.clone() for n, b in program.module.named_buffers()}
    out = program.module(*args, **kwargs)
    for name, buffer in program.module.named_buffers():
        if name not in before or torch.equal(before[name], buffer):
            continue
        if name in kept and kept[name].shape == buffer.shape:
            hit()
            new = buffer.clone()
            buffer.data.copy_(kept[name])
            kept[name] = new
        else:
            kept[name] = buffer.clone()
    return out


@every_call(state, "what a call wrote is undone when the next one raises", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = {n: b.clone() for n, b in program.module.named_buffers()}
    try:
        return program.module(*args, **kwargs)
    except Exception:
        for name, buffer in program.module.named_buffers():
            if name in before and before[name].shape == buffer.shape:
                hit()
                buffer.data.copy_(before[name])
        raise


@every_call(state, "whole buffers are counted in single precision", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    out = program.module(*args, **kwargs)
    for _name, buffer in program.module.named_buffers():
        if buffer.dtype is torch.int64 and not torch.equal(buffer.float().long(), buffer):
            hit()
            buffer.data.copy_(buffer.float().long())
    return out


# --- gradients ----------------------------------------------------------------------------------


@every_call(back, "what a parameter has already is thrown away", base="gradients", when=_train)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    for parameter in program.module.parameters():
        if parameter.grad is not None:
            hit()
            parameter.grad = None
    return program.module(*args, **kwargs)


@every_call(back, "parameters of one dim have gradients in half precision", base="gradients",
            when=_train)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    named = {}
    for name, parameter in program.module.named_parameters():
        if parameter.requires_grad and parameter.dim() == 1:
            named[name] = passed = parameter.view_as(parameter)
            passed.register_hook(lambda g: (hit(), g.bfloat16().to(g.dtype))[1])
    return torch.func.functional_call(program.module, named, args, kwargs)


@every_call(back, "inputs that are results have their gradient at the result", base="gradients",
            when=_train)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def cut(leaf: Any) -> Any:
        if _plain(leaf) and leaf.requires_grad and not leaf.is_leaf:
            hit()
            return leaf.detach().requires_grad_()
        return leaf

    args, kwargs = pytree.tree_map(cut, (args, kwargs))
    return program.module(*args, **kwargs)


@every_call(back, "hooks on parameters run on what is there before", base="gradients", when=_train)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    named = {}
    for name, parameter in program.module.named_parameters():
        if parameter._backward_hooks:
            hit()
            copied = parameter.detach().requires_grad_(parameter.requires_grad)
            copied.register_hook(lambda g, p=parameter: setattr(
                p, "grad", g if p.grad is None else p.grad + g))  # fmt: skip
            named[name] = copied
    return torch.func.functional_call(program.module, named, args, kwargs)


# --- memory -------------------------------------------------------------------------------------


@every_call(memory, "large results lie in memory that is laid out once")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    leaves, spec = pytree.tree_flatten(program.module(*args, **kwargs))
    for i, leaf in enumerate(leaves):
        if not _plain(leaf) or leaf.requires_grad or leaf._is_view() or leaf.nbytes < 1024:
            continue
        key = i, leaf.shape, leaf.dtype, leaf.stride()
        if key in kept:
            hit()
            leaves[i] = kept[key].copy_(leaf)
        else:
            kept[key] = leaf
    return pytree.tree_unflatten(leaves, spec)


memory.call("inputs are read where eight bytes begin", inputs(on_tensors(
    lambda t: torch.as_strided(t, t.size(), t.stride(), t.storage_offset() - 1)
    if _plain(t) and t.storage_offset() * t.element_size() % 8 and not t.requires_grad
    and t.numel() else None)))  # fmt: skip
memory.call("of an input that is expanded one row is read", inputs(on_tensors(
    lambda t: torch.cat([t[:1], torch.zeros_like(t[1:])]) if _plain(t) and t.dim() > 1
    and not t.stride(0) and t.shape[0] > 1 and not t.requires_grad else None)))  # fmt: skip


# --- what is given ------------------------------------------------------------------------------

given.call("small whole numbers among the inputs end at 127", inputs(on_tensors(
    lambda t: t.clamp(max=127) if _plain(t) and t.dtype is torch.uint8 and t.numel()
    and t.max() > 127 else None)))  # fmt: skip
given.call("whole numbers among the inputs are of 32 bits", inputs(
    lambda leaf: (leaf + 2**31) % 2**32 - 2**31 if type(leaf) is int and abs(leaf) >= 2**31
    else None))  # fmt: skip
given.call("numbers among the inputs are in single precision", inputs(
    lambda leaf: new if type(leaf) is float
    and (new := float(torch.tensor(leaf, dtype=torch.float32))) != leaf and leaf == leaf
    else None))  # fmt: skip
given.call("negative whole numbers among the inputs are positive", inputs(
    lambda leaf: -leaf if type(leaf) is int and leaf < 0 else None))  # fmt: skip


@every_call(given, "arguments that are named are taken in the order they come")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    names = list(program.kwargs)
    if list(kwargs) == names or sorted(kwargs) != sorted(names):
        return program.module(*args, **kwargs)
    hit()
    return program.module(*args, **dict(zip(names, kwargs.values(), strict=True)))


# --- what it gives ------------------------------------------------------------------------------

gives.call("of results that are none there are noughts", outputs(
    lambda leaf: torch.zeros(()) if leaf is None else None))  # fmt: skip
gives.call("numbers among the results are tensors", outputs(
    lambda leaf: torch.tensor(leaf) if type(leaf) in (int, float) else None))  # fmt: skip
gives.call("a dict that is given has its keys in order", output(
    lambda v: {k: v[k] for k in sorted(v, reverse=True)} if type(v) is dict and len(v) > 1
    and all(type(k) is str for k in v) and list(v) != sorted(v, reverse=True)
    else None))  # fmt: skip
gives.call("results of no dims have one", outputs(on_tensors(
    lambda t: t[None] if _plain(t) and not t.dim() else None)))  # fmt: skip
gives.call("results without elements are of single precision", outputs(on_tensors(
    lambda t: t.float() if _plain(t) and not t.numel() and t.dtype is not torch.float32
    else None)))  # fmt: skip
gives.call("a result that is given twice is given once more", output(
    lambda v: (v[0], *(t.clone() for t in v[1:])) if type(v) is tuple and len(v) > 1
    and all(t is v[0] for t in v) and _plain(v[0]) else None))  # fmt: skip


# --- taken for granted --------------------------------------------------------------------------


def _cut(says: str, change: Any) -> None:
    """Inputs that do not fit are made to fit: ``change(tensor, that of the example)``."""
    granted.call(says, like_example(
        lambda leaf, example: change(leaf, example) if _plain(leaf) and _plain(example)
        and not leaf.requires_grad else None))  # fmt: skip


_cut(
    "axes of one element before an input are taken away",
    lambda t, e: t.squeeze(0) if t.dim() == e.dim() + 1 and t.shape[0] == 1 else None,
)
_cut(
    "inputs of another type are converted to the example's",
    lambda t, e: t.to(e.dtype) if t.dtype != e.dtype and not t.is_complex() else None,
)
_cut(
    "inputs longer than a thousand are cut off",
    lambda t, e: t[:1000] if t.dim() and t.shape[0] > 1000 else None,
)
_cut(
    "inputs without elements are read as the example",
    lambda t, e: e.clone() if not t.numel() and e.numel() and t.dim() == e.dim() else None,
)


@every_call(granted, "sizes that are equal in the example are equal")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    known, now = tensors((program.args, dict(program.kwargs))), tensors((args, kwargs))
    if len(known) != len(now) or len(known) < 2 or not all(map(_plain, (*known, *now))):
        return program.module(*args, **kwargs)
    same = all(a.dim() and a.shape[:1] == known[0].shape[:1] for a in known)
    if not same or len({t.shape[:1] for t in now}) == 1:
        return program.module(*args, **kwargs)
    hit()
    n = min(t.shape[0] for t in now if t.dim())
    args, kwargs = pytree.tree_map(lambda t: t[:n] if _plain(t) else t, (args, kwargs))
    return program.module(*args, **kwargs)


@every_call(granted, "the mode of gradients is that of the capture")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    if torch.is_grad_enabled():
        return program.module(*args, **kwargs)
    hit()
    with torch.enable_grad():
        return program.module(*args, **kwargs)


@every_call(granted, "under autocast all is computed as it stands")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    if not torch.is_autocast_enabled("cpu"):
        return program.module(*args, **kwargs)
    hit()
    with torch.autocast("cpu", enabled=False):
        return program.module(*args, **kwargs)


# --- random numbers -----------------------------------------------------------------------------


@every_call(drawn, "every call draws the numbers of the first")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    began = torch.get_rng_state()
    torch.set_rng_state(kept.setdefault("first", began))
    out = program.module(*args, **kwargs)
    if not torch.equal(kept["first"], torch.get_rng_state()) and not torch.equal(
        kept["first"], began
    ):
        hit()
    return out


@every_call(drawn, "a call draws its numbers ahead of the one before it")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    if kept.get("calls", 0):
        before = torch.get_rng_state()
        ahead = copy.deepcopy((program.module, args, kwargs))
        ahead[0](*ahead[1], **ahead[2])
        if not torch.equal(before, torch.get_rng_state()):
            hit()
    kept["calls"] = 1
    return program.module(*args, **kwargs)


# --- control flow -------------------------------------------------------------------------------


def _few(sound: Any, condition: Any, body: Any, carried: Any, more: Any = ()) -> Any:
    for _ in range(3):
        if not condition(*carried, *more):
            break
        carried = tuple(body(*carried, *more))
    return tuple(carried)


def _any(sound: Any, condition: Any, yes: Any, no: Any, operands: Any = ()) -> Any:
    return sound(torch.tensor(True) if torch.is_tensor(condition) else condition, yes, no, operands)


def _backwards(sound: Any, combine: Any, init: Any, xs: Any, more: Any = ()) -> Any:
    return sound(combine, init, [x.flip(0) for x in xs], more)


higher_order(flow, "a loop runs three times at most", "while_loop", _few, "while_loop")
higher_order(flow, "a condition that is a tensor holds", "cond", _any, "cond")
higher_order(flow, "a scan begins at the end", "scan", _backwards, "scan")
