"""What a call is given, and how often it was called: wrong for some values, sizes, calls alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.kind import Kind
from detection.mutant import Hit
from detection.mutants.engines.around import every_call
from detection.wrapping import (
    NOTHING,
    flat,
    has_container,
    has_input,
    inputs,
    like_example,
    on_tensors,
    output,
    outputs,
    tensors,
)
from exportdb.exporters.protocol import Program

calling = Kind("stranger: calling")
values = Kind("stranger: values")
guards = Kind("stranger: guards")


def _floats(leaf: Any) -> bool:
    return isinstance(leaf, torch.Tensor) and leaf.is_floating_point() and not leaf.is_meta


# --- containers and arguments -----------------------------------------------------------------


@every_call(calling, "a tuple among the inputs is a list", when=has_container(tuple))
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def changed(value: Any) -> Any:
        if type(value) is not tuple:
            return value
        hit()
        return list(value)

    return program.module(*map(changed, args), **{k: changed(v) for k, v in kwargs.items()})


@every_call(calling, "a list among the inputs is a tuple", when=has_container(list))
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def changed(value: Any) -> Any:
        if type(value) is not list:
            return value
        hit()
        return tuple(value)

    return program.module(*map(changed, args), **{k: changed(v) for k, v in kwargs.items()})


@every_call(calling, "a dict among the inputs has the keys of the example alone",
            when=has_container(dict))  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def changed(value: Any, known: Any) -> Any:
        if type(value) is not dict or type(known) is not dict or value.keys() <= known.keys():
            return value
        hit()
        return {key: v for key, v in value.items() if key in known}

    known = [*program.args, *program.kwargs.values()]
    given = [*args, *kwargs.values()]
    new = [changed(v, known[i] if i < len(known) else None) for i, v in enumerate(given)]
    rest = dict(zip(kwargs, new[len(args) :], strict=True))
    return program.module(*new[: len(args)], **rest)


@every_call(calling, "more positional arguments than the example has are passed over")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    if len(args) <= len(program.args):
        return program.module(*args, **kwargs)
    hit()
    return program.module(*args[: len(program.args)], **kwargs)


@every_call(calling, "empty lists and dicts among the inputs are None",
            when=has_container(list, dict))  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def changed(value: Any) -> Any:
        if not isinstance(value, (list, dict)) or value:
            return value
        hit()
        return None

    return program.module(*map(changed, args), **{k: changed(v) for k, v in kwargs.items()})


calling.call("inputs that are not a number are None", inputs(
    lambda leaf: NOTHING if type(leaf) is float and leaf != leaf else None))  # fmt: skip
calling.call("an infinite number among the inputs is the largest", inputs(
    lambda leaf: max(-3.4e38, min(leaf, 3.4e38))
    if type(leaf) is float and abs(leaf) == float("inf") else None))  # fmt: skip
calling.call("strings among the inputs are in small letters", inputs(
    lambda leaf: leaf.lower() if isinstance(leaf, str) and leaf != leaf.lower()
    else None))  # fmt: skip
calling.call("integers among the outputs are numbers with a fraction", outputs(
    lambda leaf: float(leaf) if type(leaf) is int else None))  # fmt: skip
calling.call("the last of several outputs is that of the first where they look alike", output(
    lambda v: (*v[:-1], v[0].clone())
    if type(v) is tuple and len(v) > 2 and all(isinstance(t, torch.Tensor) for t in v)
    and (v[0].shape, v[0].dtype) == (v[-1].shape, v[-1].dtype) else None))  # fmt: skip


@every_call(calling, "of two inputs that share memory the second has memory of its own")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    leaves, spec = pytree.tree_flatten((args, kwargs))
    seen: set[int] = set()
    for i, leaf in enumerate(leaves):
        if not isinstance(leaf, torch.Tensor) or leaf.layout is not torch.strided:
            continue
        place = leaf.untyped_storage()._cdata
        if place in seen and not leaf.requires_grad:
            hit()
            leaves[i] = leaf.clone()
        seen.add(place)
    args, kwargs = pytree.tree_unflatten(leaves, spec)
    return program.module(*args, **kwargs)


# --- values that a kernel's author did not think of -------------------------------------------


def _noughts(out: Any) -> Any:
    """What has noughts where ``out`` has tensors."""
    return pytree.tree_map(lambda t: torch.zeros_like(t) if isinstance(t, torch.Tensor) else t, out)


def _where(says: str, bad: Callable[[torch.Tensor], bool]) -> None:
    """Outputs are noughts where one of the float inputs is such."""

    @every_call(values, says, when=has_input(lambda v: _floats(v) and v.numel() > 0))
    def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
        given = [t for t in tensors((args, kwargs)) if _floats(t) and t.numel()]
        wrong = any(bad(t.detach()) for t in given)
        out = program.module(*args, **kwargs)
        if not wrong:
            return out
        hit()
        return _noughts(out)


_where("with inputs that are all alike the result is nought",
       lambda t: t.numel() > 1 and bool((t == t.reshape(-1)[0]).all()))  # fmt: skip
_where("with inputs that are all negative the result is nought", lambda t: bool((t < 0).all()))
_where("with an input beyond sixty thousand the result is nought",
       lambda t: bool((t.abs() > 65504).any()) and bool(t.isfinite().all()))  # fmt: skip
_where("with inputs in falling order the result is nought",
       lambda t: t.dim() == 1 and t.numel() > 2 and bool((t[1:] < t[:-1]).all()))  # fmt: skip


def _noughts_of_size(says: str, bad: Callable[[tuple[int, ...]], bool]) -> None:
    """Outputs are noughts where an input has such sizes and the example's has not."""

    @every_call(guards, says)
    def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
        known = any(bad(tuple(t.shape)) for t in tensors((program.args, dict(program.kwargs))))
        wrong = not known and any(bad(tuple(t.shape)) for t in tensors((args, kwargs)))
        out = program.module(*args, **kwargs)
        if not wrong:
            return out
        hit()
        return _noughts(out)


_noughts_of_size("two sizes of one input that come to be equal are not told apart",
                 lambda s: len(set(s)) < len(s))  # fmt: skip
_noughts_of_size("where the first size passes the second a result is nought",
                 lambda s: len(s) > 1 and s[0] > s[1])  # fmt: skip
_noughts_of_size("from a first size of sixteen on a result is nought",
                 lambda s: bool(s) and s[0] >= 16)  # fmt: skip
_noughts_of_size("from a thousand elements on a result is nought",
                 lambda s: torch.Size(s).numel() >= 1000)  # fmt: skip
_noughts_of_size("a size that three divides gives nought",
                 lambda s: any(n % 3 == 0 for n in s))  # fmt: skip


guards.call("a bool among the inputs is true if it was once", like_example(
    lambda leaf, example: True if leaf is False and example is True else None))  # fmt: skip
guards.call("an integer among the inputs is at most the example's", like_example(
    lambda leaf, example: example if type(leaf) is int and type(example) is int
    and leaf > example else None))  # fmt: skip
guards.call("an integer among the inputs has the remainder by four of the example's", like_example(
    lambda leaf, example: leaf - (leaf - example) % 4 if type(leaf) is int and type(example) is int
    and (leaf - example) % 4 else None))  # fmt: skip
guards.call("an input that asks for a gradient is taken for one that does not", inputs(on_tensors(
    lambda t: t.detach() if t.requires_grad else None)), base="gradients")  # fmt: skip


# --- how often it was called -------------------------------------------------------------------

times = Kind("stranger: repeated calls")


@every_call(times, "from the fourth call on the result is that of the third")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    kept["calls"] = kept.get("calls", 0) + 1
    out = program.module(*args, **kwargs)
    if kept["calls"] == 3:
        kept["out"] = pytree.tree_map(
            lambda t: t.detach().clone() if isinstance(t, torch.Tensor) else t, out
        )
    old, new = flat(kept.get("out")), flat(out)
    alike = len(old) == len(new) and all(
        getattr(a, "shape", None) == getattr(b, "shape", None)
        for a, b in zip(old, new, strict=True)
    )
    if kept["calls"] < 4 or not alike:
        return out
    hit()
    return kept["out"]


@every_call(times, "a call after one that raised gives noughts")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    failed = kept.get("failed", False)
    kept["failed"] = True
    out = program.module(*args, **kwargs)
    kept["failed"] = False
    if not failed:
        return out
    hit()
    return pytree.tree_map(lambda t: torch.zeros_like(t) if isinstance(t, torch.Tensor) else t, out)


@every_call(times, "a call with other sizes makes the program anew, with its first state")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    state = {n: t for n, t in program.module.named_buffers() if t.layout is torch.strided}
    if "state" not in kept:
        kept["state"] = {n: t.detach().clone() for n, t in state.items()}
    shapes = str([tuple(t.shape) for t in tensors((args, kwargs))])
    if kept.setdefault("shapes", shapes) != shapes:
        kept["shapes"] = shapes
        with torch.no_grad():
            for name, tensor in state.items():
                old = kept["state"].get(name)
                if old is not None and old.shape == tensor.shape and not torch.equal(old, tensor):
                    hit()
                    tensor.copy_(old)
    return program.module(*args, **kwargs)


@every_call(times, "with gradients turned off the result is that of the last call with them")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    out = program.module(*args, **kwargs)
    if torch.is_grad_enabled() or not isinstance(out, torch.Tensor):
        kept["out"] = out
        return out
    old = kept.get("out")
    if not isinstance(old, torch.Tensor) or (old.shape, old.dtype) != (out.shape, out.dtype):
        return out
    hit()
    return old.detach().clone()


@every_call(times, "a third size that is met is computed with the rows of the second")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    given = tensors((args, kwargs))
    sizes = kept.setdefault("sizes", [])
    if given and given[0].dim():
        if given[0].shape[0] not in sizes:
            sizes.append(given[0].shape[0])
        rows = given[0].shape[0]
    else:
        return program.module(*args, **kwargs)
    out = program.module(*args, **kwargs)
    if sizes.index(rows) < 2 or rows <= sizes[1]:
        return out

    def cut(value: Any) -> Any:
        if not isinstance(value, torch.Tensor) or not value.dim() or value.shape[0] != rows:
            return value
        if value.layout is not torch.strided or value.is_meta:
            return value
        hit()
        new = value.clone()
        with torch.no_grad():
            new[sizes[1] :] = 0
        return new

    return pytree.tree_map(cut, out)
