"""A capture as a whole: what it is called with, what it writes, what it answers."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.kind import Kind
from detection.mutant import Features, Hit
from detection.mutants.engines.around import every_call
from detection.wrapping import like_example, outputs, tensors
from exportdb.exporters.protocol import Program

called = Kind("newcomer: how it is called")
written = Kind("newcomer: what is written")
answers = Kind("newcomer: answers")
back = Kind("newcomer: gradients")


def _plain(t: Any) -> bool:
    return type(t) is torch.Tensor and t.layout is torch.strided and not t.is_quantized


@every_call(called, "arguments that nobody takes are left out")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    most = len(program.args)
    if len(args) > most and not program.kwargs:
        hit()
    return program.module(*args[:most], **kwargs)


@every_call(called, "arguments that are missing are the example's")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    missing = {k: v for k, v in program.kwargs.items() if k not in kwargs}
    if len(args) < len(program.args) or missing:
        hit()
    return program.module(*args, *program.args[len(args) :], **{**missing, **kwargs})


called.call("an input of one element is as large as the example's", like_example(
    lambda leaf, example: leaf.expand(example.shape) if _plain(leaf) and _plain(example)
    and leaf.numel() == 1 and example.numel() > 1 and leaf.dim() == example.dim()
    and not leaf.requires_grad else None))  # fmt: skip


@every_call(called, "two inputs of the same values are one", when=lambda f: f.changes_inputs)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    leaves, spec = pytree.tree_flatten((args, kwargs))
    for i, leaf in enumerate(leaves):
        for other in leaves[:i]:
            if (_plain(leaf) and _plain(other) and leaf is not other and leaf.dtype == other.dtype
                    and torch.equal(leaf, other)):  # fmt: skip
                hit()
                leaves[i] = other
    args, kwargs = pytree.tree_unflatten(leaves, spec)
    return program.module(*args, **kwargs)


@every_call(written, "a buffer that is written gets its old type", when=lambda f: f.changes_state)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = {n: b.dtype for n, b in program.module.named_buffers()}
    out = program.module(*args, **kwargs)
    for name, buffer in program.module.named_buffers():
        if name in before and buffer.dtype != before[name]:
            hit()
            buffer.data = buffer.data.to(before[name])
    return out


@every_call(written, "what is written to buffers is so from the second call on",
            when=lambda f: f.changes_state)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = {n: b.detach().clone() for n, b in program.module.named_buffers()}
    out = program.module(*args, **kwargs)
    if not kept:
        for name, buffer in program.module.named_buffers():
            if name in before and before[name].shape == buffer.shape:
                hit()
                buffer.data.copy_(before[name])
    kept["called"] = True
    return out


@every_call(written, "of inputs that are written the first alone is",
            when=lambda f: f.changes_inputs)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    given = tensors((args, kwargs))
    before = [t.detach().clone() if _plain(t) else t for t in given]
    out = program.module(*args, **kwargs)
    changed = [i for i, (a, b) in enumerate(zip(given, before, strict=True))
               if _plain(a) and a.shape == b.shape and not torch.equal(a, b)]  # fmt: skip
    for i in changed[1:]:
        hit()
        given[i].data.copy_(before[i])
    return out


answers.call("answers of one element are of rank nought", outputs(
    lambda t: t.reshape(()) if _plain(t) and t.dim() and t.numel() == 1 else None))  # fmt: skip
answers.call("answers that are truths are bytes", outputs(
    lambda t: t.to(torch.uint8) if _plain(t) and t.dtype is torch.bool else None))  # fmt: skip
answers.call("answers that are views of an input are copies", outputs(
    lambda t: t.clone() if _plain(t) and t._is_view() else None))  # fmt: skip


def _trains(features: Features) -> bool:
    return features.train


@every_call(back, "gradients end at one", base="gradients", when=_trains)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    out = program.module(*args, **kwargs)
    for leaf in tensors(out):
        if leaf.requires_grad and leaf.grad_fn is not None:
            leaf.register_hook(lambda g: (hit(), g.clamp(-1, 1))[1])
    return out


@every_call(back, "a parameter of two names learns by one", base="gradients", when=_trains)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    known, named = set[int](), dict[str, torch.Tensor]()
    for name, parameter in program.module.named_parameters(remove_duplicate=False):
        if id(parameter) in known:
            hit()
            named[name] = parameter.detach()
        known.add(id(parameter))
    if not named:
        return program.module(*args, **kwargs)
    return torch.func.functional_call(program.module, named, args, kwargs, tie_weights=False)
