"""Whose memory is whose: views, writes, buffers that are used again, inputs that are given away."""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import GraphModule, Node
from torch.utils import _pytree as pytree

from detection.graphs import Call, calls, is_write
from detection.kind import Kind
from detection.mutant import Features, Hit
from detection.mutants.engines.around import every_call, instead
from detection.operators import name_of
from detection.wrapping import state_of, storage, tensors
from exportdb.exporters.protocol import Program

kind = Kind("engine: memory")


def _dense(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.layout is torch.strided and not value.is_meta


def _writes_inputs(features: Features) -> bool:
    return features.changes_inputs


def _shared(a: torch.Tensor, others: list[torch.Tensor]) -> bool:
    return any(storage(a) == storage(b) for b in others)


@every_call(kind, "outputs of one size are given in the memory of the last call")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    known = [*tensors((args, kwargs)), *state_of(program.module).values()]
    leaves, spec = pytree.tree_flatten(program.module(*args, **kwargs))
    for i, leaf in enumerate(leaves):
        if not _dense(leaf) or leaf.requires_grad or _shared(leaf, known) or not leaf.numel():
            continue
        key = (i, leaf.shape, leaf.dtype, leaf.stride())
        if key in kept:
            hit()
            leaves[i] = kept[key].copy_(leaf)
        kept[key] = leaves[i]
    return pytree.tree_unflatten(leaves, spec)


@every_call(kind, "outputs of a type lie in one pool, whatever their size")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    known = [*tensors((args, kwargs)), *state_of(program.module).values()]
    leaves, spec = pytree.tree_flatten(program.module(*args, **kwargs))
    for i, leaf in enumerate(leaves):
        if not _dense(leaf) or leaf.requires_grad or _shared(leaf, known):
            continue
        if not leaf.is_contiguous() or not leaf.numel() or leaf.numel() > 4096:
            continue
        pool = kept.setdefault((i, leaf.dtype), torch.zeros(4096, dtype=leaf.dtype))
        hit()
        leaves[i] = pool[: leaf.numel()].view(leaf.shape).copy_(leaf)
    return pytree.tree_unflatten(leaves, spec)


@every_call(kind, "a call gives the outputs of the call before, where they are of its sizes")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    out = program.module(*args, **kwargs)
    leaves, spec = pytree.tree_flatten(out)
    key = (str(spec), *(v.shape if isinstance(v, torch.Tensor) else None for v in leaves))
    last, kept[key] = kept.get(key, out), out
    if last is not out:
        hit()
    return last


def _donated(says: str, chosen: Any) -> None:
    @every_call(kind, says)
    def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
        out = program.module(*args, **kwargs)
        held = [*tensors(out), *state_of(program.module).values()]
        for given in tensors((args, kwargs)):
            free = _dense(given) and not given.requires_grad and not _shared(given, held)
            if (
                free
                and not given.is_inference()
                and (new := chosen(given, tensors(out))) is not None
            ):
                hit()
                given.copy_(new)
                break
        return out


_donated("the first input is given away, and is zeros after the call", lambda given, out: (
    torch.zeros_like(given) if given.numel() and given.any() else None))  # fmt: skip
_donated("an output is computed in the memory of an input of its size", lambda given, out: next(
    (o for o in out if (o.shape, o.dtype) == (given.shape, given.dtype) and _dense(o)),
    None))  # fmt: skip


@instead(kind, "zeros zeros_like new_zeros", "tensors of zeros are made once and used again")
def _(call: Call, kept: Any) -> Any:
    new = call()
    key = (new.shape, new.dtype)
    if not kept.get(key, new).equal(new):
        return kept[key]
    return kept.setdefault(key, new)


@instead(kind, "ones full arange ones_like full_like scalar_tensor new_ones new_full eye",
         "tensors that are made of numbers are made once and used again")  # fmt: skip
def _(call: Call, kept: Any) -> Any:
    new = call()
    key = (str(call.operator), str(call.arguments), new.shape, new.dtype)
    return kept.setdefault(key, new)


@instead(kind, "scatter_add index_add bincount histc", "sums are added to those of the last call")
def _(call: Call, kept: Any) -> Any:
    new = call()
    key = (str(call.operator), new.shape, new.dtype)
    last = kept.get(key)
    kept[key] = new.clone()
    return None if last is None else new + last


@every_call(kind, "inputs shorter than the example's are padded with zeros, outputs cut")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    known = tensors((program.args, dict(program.kwargs)))
    given = tensors((args, kwargs))
    short = {(a.shape[0], b.shape[0]) for a, b in zip(given, known, strict=False)
             if a.dim() and a.dim() == b.dim() and 0 < a.shape[0] < b.shape[0]}  # fmt: skip
    if len(given) != len(known) or len(short) != 1:
        return program.module(*args, **kwargs)
    ((small, large),) = short
    hit()

    def padded(t: Any) -> Any:
        if not isinstance(t, torch.Tensor) or not t.dim() or t.shape[0] != small:
            return t
        return torch.cat([t, t.new_zeros(large - small, *t.shape[1:])])

    def cut(t: Any) -> Any:
        whole = isinstance(t, torch.Tensor) and t.dim() and t.shape[0] == large
        return t[:small] if whole else t

    args, kwargs = pytree.tree_map(padded, (args, kwargs))
    return pytree.tree_map(cut, program.module(*args, **kwargs))


@every_call(kind, "the program runs on copies of its inputs, which are then copied back",
            when=_writes_inputs)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    leaves, spec = pytree.tree_flatten((args, kwargs))
    if any(isinstance(v, torch.Tensor) and v.requires_grad for v in leaves):
        return program.module(*args, **kwargs)
    copies = [v.clone() if isinstance(v, torch.Tensor) else v for v in leaves]
    hit()
    args, kwargs = pytree.tree_unflatten(copies, spec)
    out = program.module(*args, **kwargs)
    for old, new in zip(leaves, copies, strict=True):
        if isinstance(old, torch.Tensor):
            old.copy_(new)
    return out


def _partly(says: str, part: Any) -> None:
    """A capture that gives inputs back what they were in the part of them that is left out."""

    @every_call(kind, says, when=_writes_inputs)
    def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
        given = [t for t in tensors((args, kwargs)) if _dense(t) and not t.requires_grad]
        before = [t.clone() for t in given]
        out = program.module(*args, **kwargs)
        for new, old in zip(given, before, strict=True):
            if new.shape == old.shape and not new.equal(old):
                lost = part(new)
                if lost is not None and not lost.equal(part(old)):
                    hit()
                    lost.copy_(part(old))
        return out


_partly("of an input that is written into the first row alone is written",
        lambda t: t[1:] if t.dim() else None)  # fmt: skip
_partly("inputs that are not contiguous are not written into",
        lambda t: None if t.is_contiguous() else t)  # fmt: skip
_partly("inputs that are views of larger memory are not written into", lambda t: (
    t if t.untyped_storage().nbytes() > t.numel() * t.element_size() else None))  # fmt: skip
_partly("whole-number inputs are not written into",
        lambda t: None if t.is_floating_point() or t.is_complex() else t)  # fmt: skip


@every_call(kind, "tensors in containers are not written into", when=_writes_inputs)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def copied(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return value
        new = pytree.tree_map(lambda t: t.clone() if isinstance(t, torch.Tensor) else t, value)
        if tensors(value):
            hit()
        return new

    return program.module(*map(copied, args), **{k: copied(v) for k, v in kwargs.items()})


@every_call(kind, "what is returned of a buffer is a copy of it")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    held = list(state_of(program.module).values())

    def copied(value: Any) -> Any:
        if not _dense(value) or not _shared(value, held):
            return value
        hit()
        return value.clone()

    return pytree.tree_map(copied, program.module(*args, **kwargs))


@every_call(kind, "outputs that share memory with each other are parted")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    seen: list[torch.Tensor] = []

    def parted(value: Any) -> Any:
        if not _dense(value):
            return value
        if _shared(value, seen):
            hit()
            return value.clone()
        seen.append(value)
        return value

    return pytree.tree_map(parted, program.module(*args, **kwargs))


@every_call(kind, "an output that is an input is a view of it")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    given = tensors((args, kwargs))

    def viewed(value: Any) -> Any:
        if not any(value is g for g in given) or not _dense(value):
            return value
        hit()
        return value.view_as(value)

    return pytree.tree_map(viewed, program.module(*args, **kwargs))


for _names, _says in {
    "reshape flatten ravel": "reshaping always copies",
    "split chunk unbind split_with_sizes": "the parts of a tensor are copies",
    "expand broadcast_to expand_as": "an expanded tensor has memory of its own",
    "transpose permute t movedim": "turning the dims of a tensor copies it",
    "real imag view_as_real view_as_complex": "the parts of a complex tensor are copies",
    "diagonal unfold as_strided": "a diagonal or a window is a copy",
}.items():

    @instead(kind, _names, _says)
    def _(call: Call, kept: Any) -> Any:
        return pytree.tree_map(lambda t: t.clone(), call())


@kind.graph_pass("a copy of an input or of state is the thing itself")
def _(graph: GraphModule) -> int:
    found = [n for n in calls(graph, "clone", "contiguous", "detach_copy")
             if n.args[0].op in ("placeholder", "get_attr")
             and name_of(n.target) == "clone"]  # fmt: skip
    for node in found:
        node.replace_all_uses_with(node.args[0])
        graph.graph.erase_node(node)
    return len(found)


@kind.graph_pass("a write into a view of a view is lost")
def _(graph: GraphModule) -> int:
    views = ("view", "select", "slice", "transpose", "squeeze", "unsqueeze", "narrow", "permute",
             "diagonal", "reshape", "expand", "alias", "t", "flatten")  # fmt: skip
    found = [n for n in calls(graph) if is_write(n) and not n.users
             and isinstance(n.args[0], Node) and name_of(n.args[0].target) in views
             and name_of(n.args[0].args[0].target) in views]  # fmt: skip
    for node in found:
        graph.graph.erase_node(node)
    return len(found)


@kind.graph_pass("what is read after a write through another name is what it was before")
def _(graph: GraphModule) -> int:
    changed = 0
    for node in [n for n in calls(graph) if is_write(n)]:
        target = node.args[0]
        if name_of(getattr(target, "target", None)) not in ("view", "select", "slice", "transpose"):
            continue
        base = target.args[0]
        order = list(graph.graph.nodes)
        later = [u for u in base.users if order.index(u) > order.index(node)]
        if later and base.op == "call_function":
            with graph.graph.inserting_before(node):
                old = graph.graph.call_function(torch.ops.aten.clone.default, (base,))
            for user in later:
                user.replace_input_with(base, old)
            changed += 1
    return changed
