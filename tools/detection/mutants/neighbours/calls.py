"""A capture as a whole: runners that keep, pad or part what they are given."""

from __future__ import annotations

import copy
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.captures import once
from detection.kind import Kind
from detection.mutant import Features, Hit, NothingToBreak
from detection.mutants.engines.around import every_call
from detection.wrapping import on_tensors, outputs, tensors
from exportdb.exporters.protocol import Program

runner = Kind("neighbour: runner")
buckets = Kind("neighbour: buckets")
answers = Kind("neighbour: answers")
guards = Kind("neighbour: guards")


def _plain(t: Any) -> bool:
    return type(t) is torch.Tensor and t.layout is torch.strided and not t.is_meta


def _shapes(args: Any, kwargs: Any) -> Any:
    return tuple((t.shape, t.dtype) for t in tensors((args, kwargs)))


# --- runner -------------------------------------------------------------------------------------


@every_call(runner, "what is written into inputs is written by the first call alone",
            when=lambda f: f.changes_inputs)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    if not kept:
        kept["called"] = True
        return program.module(*args, **kwargs)
    hit()
    args, kwargs = copy.deepcopy((args, kwargs))
    return program.module(*args, **kwargs)


@every_call(runner, "outputs that are views of inputs are views of the runner's own inputs")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    """Into which the next call of these sizes copies: pytorch#148439."""
    leaves, spec = pytree.tree_flatten((args, kwargs))
    own = list(leaves)
    for i, leaf in enumerate(leaves):
        if not _plain(leaf) or leaf.requires_grad or leaf.is_inference():
            continue
        key = (i, leaf.shape, leaf.stride(), leaf.dtype)
        if key not in kept:
            kept[key] = leaf.clone()
        own[i] = kept[key]
        own[i].copy_(leaf)
        hit()
    given, named = pytree.tree_unflatten(own, spec)
    out = program.module(*given, **named)
    for mine, theirs in zip(own, leaves, strict=True):
        if mine is not theirs and mine.shape == theirs.shape and not torch.equal(mine, theirs):
            theirs.copy_(mine)
    return out


@every_call(runner, "tensors of no dims are those of the first call")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    leaves, spec = pytree.tree_flatten((args, kwargs))
    for i, leaf in enumerate(leaves):
        if _plain(leaf) and not leaf.dim() and not leaf.requires_grad:
            first = kept.setdefault((i, leaf.dtype), leaf.clone())
            if not torch.equal(first, leaf):
                hit()
                leaves[i] = first.clone()
    args, kwargs = pytree.tree_unflatten(leaves, spec)
    return program.module(*args, **kwargs)


@every_call(runner, "a call with new sizes runs twice, to record and to replay",
            when=lambda f: f.changes_state or bool(f.operators & {"dropout", "rand"}))  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    sizes = _shapes(args, kwargs)
    if kept and sizes not in kept:
        hit()
        given, named = copy.deepcopy((args, kwargs))
        program.module(*given, **named)
    kept[sizes] = True
    return program.module(*args, **kwargs)


def _trains(features: Features) -> bool:
    return features.train


@every_call(runner, "where no input asks for a gradient the parameters get none", base="gradients",
            when=_trains)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    if any(t.requires_grad for t in tensors((args, kwargs))):
        return program.module(*args, **kwargs)
    hit()
    with torch.no_grad():
        return program.module(*args, **kwargs)


# --- buckets ------------------------------------------------------------------------------------


def _rows(leaves: list[Any]) -> int | None:
    """How many rows all tensors with dims have, if all have as many."""
    found = {leaf.shape[0] for leaf in leaves if isinstance(leaf, torch.Tensor) and leaf.dim()}
    return found.pop() if len(found) == 1 and all(map(_plain, tensors(leaves))) else None


@every_call(buckets, "a batch is filled up with zeros to four, and the result cut",
            when=lambda f: not f.changes_inputs)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    leaves, spec = pytree.tree_flatten((args, kwargs))
    rows = _rows(leaves)
    if not rows or rows % 4 == 0 or len(leaves) > 3:
        return program.module(*args, **kwargs)
    more = 4 - rows % 4
    filled = [torch.cat([t, t.new_zeros(more, *t.shape[1:])])
              if _plain(t) and t.dim() else t for t in leaves]  # fmt: skip
    given, named = pytree.tree_unflatten(filled, spec)
    hit()
    out = program.module(*given, **named)
    return pytree.tree_map(
        lambda t: t[:rows] if _plain(t) and t.dim() and t.shape[0] == rows + more else t, out
    )


@every_call(buckets, "a batch runs in halves, and the results are joined",
            when=lambda f: not f.changes_inputs)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    leaves, spec = pytree.tree_flatten((args, kwargs))
    rows = _rows(leaves)
    if not rows or rows < 2:
        return program.module(*args, **kwargs)
    half, results = rows // 2, []
    for part in (slice(0, half), slice(half, rows)):
        own = [t[part] if isinstance(t, torch.Tensor) and t.dim() else t for t in leaves]
        given, named = pytree.tree_unflatten(own, spec)
        results.append(program.module(*given, **named))
    hit()

    def joined(a: Any, b: Any) -> Any:
        return torch.cat([a, b]) if isinstance(a, torch.Tensor) and a.dim() else a

    return pytree.tree_map(joined, *results)


# --- answers ------------------------------------------------------------------------------------

answers.call("complex numbers in double precision are in single", outputs(on_tensors(
    lambda t: t.to(torch.complex64) if t.dtype is torch.complex128 else None)))  # fmt: skip
answers.call("whole numbers of 16 bits have 32", outputs(on_tensors(
    lambda t: t.to(torch.int32) if t.dtype is torch.int16 else None)))  # fmt: skip


# --- guards -------------------------------------------------------------------------------------


def _checked_once(program: Program, hit: Hit) -> Any:
    """A capture whose guards are checked by the first call."""
    module = once(program).module()
    if not hasattr(module, "_guards_fn"):
        raise NothingToBreak
    sound, called = module._guards_fn.forward, []

    def check(*args: Any) -> None:
        if not called:
            sound(*args)
            called.append(True)
            return
        try:
            sound(*args)
        except Exception:
            hit()

    module._guards_fn.forward = check
    return module


guards.call("guards are checked by the first call alone", _checked_once, base="export")


def _checked_first(program: Program, hit: Hit) -> Any:
    """A capture that checks the guards of its first input alone."""
    module = once(program).module()
    names = [n.name for n in once(program).graph.nodes if n.op == "placeholder"]
    if not hasattr(module, "_guards_fn") or not names:
        raise NothingToBreak
    sound_guards = module._guards_fn.forward
    first = next(iter(once(program).graph_signature.user_inputs), None)

    def guards_fn(*args: Any) -> None:
        sound = torch._assert

        def check(condition: Any, message: str) -> None:
            if not condition and not message.removeprefix("Guard failed: ").startswith(f"{first}."):
                hit()
            else:
                sound(condition, message)

        torch._assert = check
        try:
            sound_guards(*args)
        finally:
            torch._assert = sound

    module._guards_fn.forward = guards_fn
    return module


guards.call("guards of the first input alone are checked", _checked_first, base="export")
