"""What is right in one call and wrong around it: arguments, ranges, branches, state, gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.captures import once
from detection.graphs import graphs_of
from detection.kind import Kind, higher_order
from detection.mutant import Features, Hit, NothingToBreak
from detection.mutants.compiled.backward import Scaled
from detection.mutants.engines.around import every_call, swapped
from detection.operators import name_of
from detection.wrapping import (
    flat,
    has_container,
    has_input,
    inputs,
    like_example,
    on_tensors,
    output,
    outputs,
    state_of,
    storage,
    tensors,
)  # fmt: skip
from exportdb.exporters.protocol import Program

calling = Kind("port: calling")
guards = Kind("port: guards")
sizes = Kind("port: sizes")
state = Kind("port: state")
memory = Kind("port: memory")
flow = Kind("port: control flow")
grown = Kind("port: gradients")


# --- calling ------------------------------------------------------------------------------------


@every_call(calling, "keyword arguments are taken by position, in the order of the alphabet",
            when=lambda f: any(len(kwargs) > 1 for _, kwargs in f.inputs))  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    names, ordered = list(program.kwargs), sorted(program.kwargs)
    if list(kwargs) == ordered or sorted(kwargs) != ordered:
        return program.module(*args, **kwargs)
    hit()
    given = dict(zip(names, (kwargs[name] for name in ordered), strict=True))
    return program.module(*args, **given)


def _sorted(value: Any) -> Any:
    """The values of a dict under its keys in another order: that of the alphabet."""
    if type(value) is not dict or list(value) == sorted(value, key=str):
        return None
    return dict(zip(value, (value[k] for k in sorted(value, key=str)), strict=True))


@every_call(calling, "values of a dict among the inputs come by the alphabet of its keys",
            when=has_container(dict))  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def change(value: Any) -> Any:
        new = _sorted(value)
        if new is None:
            return value
        hit()
        return new

    return program.module(*map(change, args), **{k: change(v) for k, v in kwargs.items()})


calling.call("values of a dict among the outputs come by the alphabet of its keys",
             output(_sorted))  # fmt: skip
calling.call("None among the inputs is a tensor of noughts like the first", like_example(
    lambda leaf, example: torch.zeros_like(example)
    if leaf is None and isinstance(example, torch.Tensor) else None))  # fmt: skip
calling.call("numbers among the outputs are tensors of no dims", outputs(
    lambda leaf: torch.tensor(leaf) if type(leaf) in (int, float) else None))  # fmt: skip
calling.call("truths among the outputs are numbers", outputs(
    lambda leaf: int(leaf) if type(leaf) is bool else None))  # fmt: skip
calling.call("an empty container among the outputs is left out", output(
    lambda v: tuple(e for e in v if not (isinstance(e, list | tuple | dict) and not e))
    if type(v) in (tuple, list) and any(
        isinstance(e, list | tuple | dict) and not e for e in v) else None))  # fmt: skip
calling.call("nested outputs are given flat", output(
    lambda v: tuple(flat(v)) if isinstance(v, tuple | list)
    and any(isinstance(e, tuple | list | dict) for e in v) else None))  # fmt: skip
calling.call("an output that comes twice comes once", output(
    lambda v: tuple({id(e): e for e in v}.values()) if type(v) is tuple
    and len({id(e) for e in v}) < len(v) else None))  # fmt: skip


@every_call(calling, "a tensor that is given twice is one argument")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    found = tensors((args, kwargs))
    if len({id(t) for t in found}) == len(found):
        return program.module(*args, **kwargs)
    hit()
    seen: set[int] = set()

    def again(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor) or id(leaf) not in seen:
            seen.add(id(leaf))
            return leaf
        return leaf.detach().clone()

    args, kwargs = pytree.tree_map(again, (args, kwargs))
    return program.module(*args, **kwargs)


@every_call(calling, "arguments left to their defaults are those of the example")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    missing = {k: v for k, v in program.kwargs.items() if k not in kwargs}
    if not missing or len(args) > len(program.args):
        return program.module(*args, **kwargs)
    hit()
    return program.module(*args, **kwargs, **missing)


# --- guards and sizes ---------------------------------------------------------------------------

guards.call("numbers among the inputs are rounded to the example's type", like_example(
    lambda leaf, example: type(example)(leaf) if type(leaf) is float and type(example) is int
    and leaf != int(leaf) else None))  # fmt: skip
guards.call("a number of another sign is the example's", like_example(
    lambda leaf, example: example if type(leaf) in (int, float) and type(leaf) is type(example)
    and leaf * example < 0 else None))  # fmt: skip
guards.call("a number beyond ten times the example's is ten times it", like_example(
    lambda leaf, example: 10 * example if type(leaf) in (int, float)
    and type(leaf) is type(example) and example > 0 and leaf > 10 * example else None))  # fmt: skip


def _resized(change: Callable[[torch.Tensor, torch.Tensor], Any]) -> Any:
    return like_example(
        lambda leaf, example: change(leaf, example)
        if isinstance(leaf, torch.Tensor) and isinstance(example, torch.Tensor)
        and leaf.dim() == example.dim() and leaf.dim() > 0 and leaf.layout is torch.strided
        and not leaf.requires_grad else None
    )  # fmt: skip


sizes.call("rows beyond the example's are cut off", _resized(
    lambda leaf, example: leaf[: example.shape[0]].clone()
    if leaf.shape[0] > example.shape[0] else None))  # fmt: skip
sizes.call("the last rows of a number that is no multiple of four are noughts", _resized(
    lambda leaf, example: torch.cat([leaf[: leaf.shape[0] // 4 * 4],
                                     torch.zeros_like(leaf[leaf.shape[0] // 4 * 4:])])
    if leaf.shape[0] % 4 and leaf.shape[0] > 8 else None))  # fmt: skip
sizes.call("a size of one is spread to the example's", _resized(
    lambda leaf, example: leaf.expand(example.shape[0], *leaf.shape[1:]).clone()
    if leaf.shape[0] == 1 != example.shape[0] else None))  # fmt: skip
sizes.call("sizes above a hundred are wrong in their last element", outputs(on_tensors(
    lambda t: torch.cat([t[:-1], t[:1]]) if t.dim() and t.shape[0] > 100
    and t.layout is torch.strided and not t.is_meta else None)))  # fmt: skip
sizes.call("outputs with nothing in them hold one row of noughts", outputs(on_tensors(
    lambda t: t.new_zeros(1, *t.shape[1:]) if t.dim() and t.shape[0] == 0
    and t.layout is torch.strided else None)))  # fmt: skip
sizes.call("axes of one are squeezed out of outputs", outputs(on_tensors(
    lambda t: t.squeeze() if 1 in t.shape and t.layout is torch.strided else None)))  # fmt: skip


# --- control flow -------------------------------------------------------------------------------


def _at_least_once(sound: Any, condition: Any, body: Any, carried: Any, more: Any = ()) -> Any:
    return sound(condition, body, tuple(body(*carried, *more)), more) if not bool(
        condition(*carried, *more)) else sound(condition, body, carried, more)  # fmt: skip


def _ten_at_most(sound: Any, condition: Any, body: Any, carried: Any, more: Any = ()) -> Any:
    now = tuple(carried)
    for _ in range(10):
        if not bool(condition(*now, *more)):
            break
        now = tuple(body(*now, *more))
    return now


def _above_nought(sound: Any, condition: Any, yes: Any, no: Any, operands: Any = ()) -> Any:
    negative = isinstance(condition, torch.Tensor) and condition.dtype is not torch.bool
    return sound(condition > 0 if negative else condition, yes, no, operands)


def _first_init(sound: Any, combine: Any, init: Any, xs: Any, more: Any = ()) -> Any:
    return sound(combine, [torch.zeros_like(t) for t in init], xs, more)


def _turned(sound: Any, combine: Any, xs: Any, dim: int, **named: Any) -> Any:
    return sound(lambda earlier, later: combine(later, earlier), xs, dim, **named)


for _says, _name, _wrong in [
    ("a loop runs once at least", "while_loop", _at_least_once),
    ("a loop runs ten times at most", "while_loop", _ten_at_most),
    ("a scan begins with noughts", "scan", _first_init),
]:
    higher_order(flow, _says, _name, _wrong, _name)

swapped(flow, "what is combined comes in the other order", "associative_scan", _turned)


# --- state --------------------------------------------------------------------------------------


def _changes(features: Features) -> bool:
    return features.changes_state


@every_call(state, "buffers that are not saved are nought", when=lambda f: f.state)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    if "zeroed" not in kept:
        kept["zeroed"] = True
        for module in program.module.modules():
            for name in module._non_persistent_buffers_set:
                buffer = module._buffers.get(name)
                if buffer is not None and buffer.any():
                    hit()
                    module._buffers[name] = torch.zeros_like(buffer)
    return program.module(*args, **kwargs)


@every_call(state, "state that is of no float type is not written", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    whole = {n: b.clone() for n, b in program.module.named_buffers() if not b.is_floating_point()}
    out = program.module(*args, **kwargs)
    for name, buffer in program.module.named_buffers():
        if name in whole and not torch.equal(whole[name], buffer):
            hit()
            buffer.copy_(whole[name])
    return out


@every_call(state, "a write to state is seen from the next call but one", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = {n: b.detach().clone() for n, b in program.module.named_buffers()}
    out = program.module(*args, **kwargs)
    for name, buffer in program.module.named_buffers():
        now = buffer.detach().clone()
        if (
            name in before
            and now.shape == before[name].shape
            and not torch.equal(now, before[name])
        ):
            hit()
            buffer.data.copy_(kept.get(name, before[name]))
        kept[name] = now
    return out


@every_call(state, "parameters that are one tensor are two", when=lambda f: f.state)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    named = list(program.module.named_parameters(remove_duplicate=False))
    seen: set[int] = set()
    twice = {}
    for name, parameter in named:
        if id(parameter) in seen:
            twice[name] = parameter.detach() * 1.01
        seen.add(id(parameter))
    if not twice:
        return program.module(*args, **kwargs)
    hit()
    return torch.func.functional_call(program.module, twice, args, kwargs, tie_weights=False)


# --- memory -------------------------------------------------------------------------------------


def _own(leaf: Any, known: Any) -> bool:
    return (isinstance(leaf, torch.Tensor) and leaf.layout is torch.strided and not leaf.is_meta
            and not leaf.requires_grad and leaf.numel() > 0
            and storage(leaf) not in known)  # fmt: skip


@every_call(memory, "of three buffers of outputs each is used again three calls later")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    known = {storage(t) for t in [*tensors((args, kwargs)), *state_of(program.module).values()]}
    kept["call"] = kept.get("call", 0) + 1
    leaves, spec = pytree.tree_flatten(program.module(*args, **kwargs))
    for i, leaf in enumerate(leaves):
        if not _own(leaf, known):
            continue
        key = (i, kept["call"] % 3, leaf.shape, leaf.dtype, leaf.stride())
        if key in kept:
            hit()
            leaves[i] = kept[key].copy_(leaf)
        kept[key] = leaves[i]
    return pytree.tree_unflatten(leaves, spec)


@every_call(memory, "what was found for a tensor is known by its address")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    given = tensors((args, kwargs))
    plain = given and all(t.layout is torch.strided and not t.is_meta and not t.requires_grad
                          and type(t) is torch.Tensor for t in given)  # fmt: skip
    if not plain or state_of(program.module):
        return program.module(*args, **kwargs)
    key = str([(t.data_ptr(), t.shape, t.stride(), t.dtype) for t in given])
    kept.setdefault("held", []).append(given)
    if key in kept:
        hit()
        return pytree.tree_map(lambda t: t.clone() if isinstance(t, torch.Tensor) else t, kept[key])
    out = program.module(*args, **kwargs)
    kept[key] = pytree.tree_map(lambda t: t.clone() if isinstance(t, torch.Tensor) else t, out)
    return out


@every_call(memory, "an input that is given out again is a copy", when=has_input(
    lambda v: isinstance(v, torch.Tensor)))  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    known = {storage(t) for t in tensors((args, kwargs))}

    def own(leaf: Any) -> Any:
        if isinstance(leaf, torch.Tensor) and storage(leaf) in known and not leaf.requires_grad:
            hit()
            return leaf.clone()
        return leaf

    return pytree.tree_map(own, program.module(*args, **kwargs))


@every_call(memory, "an input that is written to is written to once, and then no more")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    given = [t for t in tensors((args, kwargs)) if not t.requires_grad]
    before = [t.clone() for t in given]
    out = program.module(*args, **kwargs)
    for i, (now, then) in enumerate(zip(given, before, strict=True)):
        if now.shape == then.shape and not torch.equal(now, then):
            if kept.get(i, 0) > 0:
                hit()
                now.copy_(then)
            kept[i] = kept.get(i, 0) + 1
    return out


# --- gradients ----------------------------------------------------------------------------------


def _backwards(says: str, change: Callable[[torch.Tensor], Any], test: Any = None) -> None:
    def of(leaf: torch.Tensor) -> Any:
        if not leaf.requires_grad or (test is not None and not test(leaf)):
            return None
        return Scaled.apply(leaf, change)

    grown.call(says, outputs(on_tensors(of)), base="gradients")


_backwards("gradients of one output in two are lost",
           torch.zeros_like, lambda t: t.dim() == 1)  # fmt: skip
_backwards("gradients are cut at one", lambda g: g.clamp(-1, 1) if not g.is_complex() else g)
_backwards("gradients go through half precision",
           lambda g: g.to(torch.bfloat16).to(g.dtype) if g.is_floating_point() else g)  # fmt: skip


@grown.call("what is detached has a gradient", base="gradients")
def _(program: Program, hit: Hit) -> Any:
    module = once(program).module()
    found = 0
    for graph in graphs_of(module):
        for node in list(graph.graph.nodes):
            if name_of(node.target) in ("detach", "alias"):
                node.replace_all_uses_with(node.args[0])
                graph.graph.erase_node(node)
                found += 1
        graph.recompile()
    if not found:
        raise NothingToBreak
    hit()
    return module


@grown.call("inputs used twice have the gradient of their last use", base="gradients",
            when=lambda f: f.train)  # fmt: skip
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        seen: set[int] = set()

        def once_only(leaf: Any) -> Any:
            if isinstance(leaf, torch.Tensor) and id(leaf) in seen:
                hit()
                return leaf.detach()
            seen.add(id(leaf))
            return leaf

        args, kwargs = pytree.tree_map(once_only, (args, kwargs))
        return program.module(*args, **kwargs)

    return run


inputs_of_ints = inputs(lambda leaf: leaf % 128 if type(leaf) is int and leaf > 127 else None)
guards.call("whole numbers among the inputs have seven bits", inputs_of_ints)
