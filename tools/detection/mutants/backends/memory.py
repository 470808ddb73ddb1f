"""Memory that is used again, and how outputs lie in it."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.kind import Kind
from detection.mutant import Hit
from detection.mutants.engines.around import every_call
from detection.wrapping import (
    called,
    on_tensors,
    outputs,
    state_of,
    storage,
    tensors,
)  # fmt: skip
from exportdb.exporters.protocol import Program

memory = Kind("backend: memory")


def _own(leaf: Any, known: Any) -> bool:
    return (isinstance(leaf, torch.Tensor) and leaf.layout is torch.strided
            and not leaf.is_meta and not leaf.requires_grad and leaf.numel() > 0
            and storage(leaf) not in known)  # fmt: skip


@every_call(memory, "of two buffers of outputs each is used again two calls later")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    known = {storage(t) for t in [*tensors((args, kwargs)), *state_of(program.module).values()]}
    kept["call"] = kept.get("call", 0) + 1
    leaves, spec = pytree.tree_flatten(program.module(*args, **kwargs))
    for i, leaf in enumerate(leaves):
        if not _own(leaf, known):
            continue
        key = (i, kept["call"] % 2, leaf.shape, leaf.dtype, leaf.stride())
        if key in kept:
            hit()
            leaves[i] = kept[key].copy_(leaf)
        kept[key] = leaves[i]
    return pytree.tree_unflatten(leaves, spec)


@every_call(memory, "the last output is overwritten as soon as another call begins")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    known = {storage(t) for t in [*tensors((args, kwargs)), *state_of(program.module).values()]}
    if kept.get("last") is not None:
        hit()
        kept["last"].zero_()
    out = program.module(*args, **kwargs)
    own = [t for t in tensors(out) if _own(t, known)]
    kept["last"] = own[-1] if own else None
    return out


@every_call(memory, "inputs are kept, and the next call is given them where they are as large")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    given = tensors((args, kwargs))
    plain = all(not t.requires_grad and t.layout is torch.strided and not t.is_meta
                and type(t) is torch.Tensor for t in given)  # fmt: skip
    key = str([(t.shape, t.dtype) for t in given])
    if (
        plain
        and given
        and given[-1].numel()
        and key in kept
        and not torch.equal(kept[key], given[-1])
    ):
        hit()
        leaves, spec = pytree.tree_flatten((args, kwargs))
        at = max(i for i, v in enumerate(leaves) if isinstance(v, torch.Tensor))
        leaves[at] = kept[key].clone()
        return called(program, pytree.tree_unflatten(leaves, spec))
    if plain and given:
        kept[key] = given[-1].clone()
    return program.module(*args, **kwargs)


memory.call("outputs in half precision or of bools lie in memory twice as large", outputs(
    on_tensors(lambda t: t.new_empty(2 * t.numel() + 1)[1:t.numel() + 1].view(t.shape).copy_(t)
               if t.dtype in (torch.bool, torch.float16, torch.bfloat16) and t.is_contiguous()
               and not t.requires_grad and t.numel() > 1 else None)))  # fmt: skip
memory.call("outputs of five dims have their channels last", outputs(on_tensors(
    lambda t: t.contiguous(memory_format=torch.channels_last_3d) if t.dim() == 5
    and t.layout is torch.strided else None)))  # fmt: skip
memory.call("outputs of three dims lie with the first two turned", outputs(on_tensors(
    lambda t: t.transpose(0, 1).contiguous().transpose(0, 1) if t.dim() == 3
    and t.layout is torch.strided and min(t.shape[:2]) > 1 else None)))  # fmt: skip
memory.call("the last element of outputs longer than sixty is not written", outputs(on_tensors(
    lambda t: torch.cat([t.reshape(-1)[:-1], t.new_zeros(1)]).view(t.shape)
    if t.numel() > 60 and t.layout is torch.strided and not t.is_meta else None)))  # fmt: skip
