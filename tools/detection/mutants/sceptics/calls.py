"""How a capture is called: what is given and asked for, in which mode, in which memory, of which
sizes."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.kind import Kind
from detection.mutant import Hit
from detection.mutants.engines.around import every_call
from detection.wrapping import (
    has_input,
    inputs,
    like_example,
    on_tensors,
    output,
    outputs,
    tensors,
)  # fmt: skip
from exportdb.exporters.protocol import Program

given = Kind("sceptic: what is given")
modes = Kind("sceptic: modes")
layouts = Kind("sceptic: layouts")
sizes = Kind("sceptic: sizes")


def _plain(t: torch.Tensor) -> bool:
    return (t.layout is torch.strided and not t.is_meta and not t.requires_grad
            and type(t) is torch.Tensor and not t.is_quantized)  # fmt: skip


# --- what is given ------------------------------------------------------------------------------

given.call("truths among the inputs are whole numbers", inputs(
    lambda leaf: int(leaf) if type(leaf) is bool else None))  # fmt: skip
given.call("types among the inputs are the example's", like_example(
    lambda leaf, example: example if isinstance(leaf, torch.dtype) and leaf is not example
    else None))  # fmt: skip
given.call("complex inputs are real", inputs(on_tensors(
    lambda t: torch.complex(t.real, torch.zeros_like(t.real)) if t.is_complex() and _plain(t)
    and t.imag.any() else None)))  # fmt: skip
given.call("tensors of no dims among the inputs have one", inputs(on_tensors(
    lambda t: t.reshape(1) if not t.dim() and _plain(t) else None)))  # fmt: skip
given.call("numbers among the inputs that are whole are of a whole type", inputs(
    lambda leaf: int(leaf) if type(leaf) is float and leaf.is_integer() else None))  # fmt: skip
given.call("a negative nought among the inputs is nought", inputs(
    lambda leaf: 0.0 if type(leaf) is float and leaf == 0 and str(leaf) == "-0.0"
    else None))  # fmt: skip
given.call("inputs of double precision are rounded to six digits", inputs(on_tensors(
    lambda t: t.float().double() if t.dtype is torch.float64 and _plain(t) else None)))  # fmt: skip
given.call("what is tiny among the inputs is nought", inputs(on_tensors(
    lambda t: torch.where(t.abs() < 1e-37, 0.0, t) if t.dtype is torch.float32 and _plain(t)
    and ((t != 0) & (t.abs() < 1e-37)).any() else None)))  # fmt: skip
given.call("lists among the outputs that hold one thing are that thing", output(
    lambda v: v[0] if type(v) is list and len(v) == 1 else None))  # fmt: skip
given.call("dicts among the outputs come with the keys turned round", output(
    lambda v: dict(reversed(v.items())) if type(v) is dict and len(v) > 1 else None))  # fmt: skip
given.call("whole numbers among the outputs beyond 32 bits wrap", outputs(
    lambda leaf: (leaf + 2**31) % 2**32 - 2**31 if type(leaf) is int and abs(leaf) >= 2**31
    else None))  # fmt: skip


@every_call(given, "a keyword that the example does not have is passed over")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    more = {k for k in kwargs if k not in program.kwargs}
    if not more or not program.kwargs or len(args) != len(program.args):
        return program.module(*args, **kwargs)
    hit()
    return program.module(*args, **{k: v for k, v in kwargs.items() if k not in more})


# --- modes --------------------------------------------------------------------------------------


@every_call(modes, "results ask for gradients where gradients are off", base="gradients",
            when=lambda f: f.train)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    if torch.is_grad_enabled():
        return program.module(*args, **kwargs)
    hit()
    with torch.enable_grad():
        return program.module(*args, **kwargs)


@every_call(modes, "a call under autocast runs in full precision")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    if not torch.is_autocast_enabled("cpu"):
        return program.module(*args, **kwargs)
    hit()
    with torch.autocast("cpu", enabled=False):
        return program.module(*args, **kwargs)


@every_call(modes, "a region without gradients ends with the call, not with the region",
            base="gradients", when=lambda f: f.train)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    enabled = torch.is_grad_enabled()
    sound = torch.set_grad_enabled.__exit__
    turned: list[Any] = []

    def leave(self: Any, *error: Any) -> None:
        if not torch.is_grad_enabled():
            turned.append(self)
            hit()
            return
        sound(self, *error)

    exits = torch.no_grad.__exit__
    torch.no_grad.__exit__ = leave  # type: ignore[method-assign]
    try:
        return program.module(*args, **kwargs)
    finally:
        torch.no_grad.__exit__ = exits  # type: ignore[method-assign]
        torch.set_grad_enabled(enabled)


@modes.call("a call leaves gradients turned off", alone=True)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        out = program.module(*args, **kwargs)
        hit()
        torch.set_grad_enabled(False)
        return out

    return run


@modes.call("a call leaves double precision for the default", alone=True)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        out = program.module(*args, **kwargs)
        hit()
        torch.set_default_dtype(torch.float64)
        return out

    return run


@modes.call("a call leaves the generator seeded", alone=True)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        out = program.module(*args, **kwargs)
        hit()
        torch.manual_seed(0)
        return out

    return run


# --- layouts ------------------------------------------------------------------------------------


def _spans(t: torch.Tensor) -> int:
    return 1 + sum((n - 1) * s for n, s in zip(t.shape, t.stride(), strict=True))


layouts.call("an input that begins within its memory is read from its begin", inputs(on_tensors(
    lambda t: t.as_strided(t.shape, t.stride(), 0) if _plain(t) and t.storage_offset()
    and t.numel() else None)))  # fmt: skip
layouts.call("an input is read with the strides of the example", like_example(
    lambda leaf, example: leaf.as_strided(leaf.shape, example.stride(), leaf.storage_offset())
    if isinstance(leaf, torch.Tensor) and isinstance(example, torch.Tensor)
    and _plain(leaf) and leaf.dim() == example.dim() and leaf.shape == example.shape
    and leaf.stride() != example.stride() and leaf.numel()
    and leaf.untyped_storage().nbytes() // leaf.itemsize - leaf.storage_offset()
    >= _spans(example) else None))  # fmt: skip
layouts.call("an input in which places share memory is made whole, and written there", inputs(
    on_tensors(lambda t: t.contiguous() if _plain(t) and 0 in t.stride() and t.numel() > 1
               else None)))  # fmt: skip
layouts.call("images whose channels lie last give them so whatever the program does", outputs(
    on_tensors(lambda t: t.contiguous(memory_format=torch.channels_last)
               if t.dim() == 4 and _plain(t) and t.is_contiguous() and t.shape[1] > 1
               and t.numel() > t.shape[1] else None)))  # fmt: skip
layouts.call("outputs hold as much memory as they show", outputs(on_tensors(
    lambda t: t.clone(memory_format=torch.contiguous_format)
    if _plain(t) and t.numel() and 0 in t.stride() else None)))  # fmt: skip


# --- sizes --------------------------------------------------------------------------------------


def _shapes(args: Any, kwargs: Any) -> list[torch.Size]:
    return [t.shape for t in tensors((args, kwargs))]


@every_call(sizes, "the sizes of results are known by how many elements go in")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    key = tuple(shape.numel() for shape in _shapes(args, kwargs))
    leaves, spec = pytree.tree_flatten(program.module(*args, **kwargs))
    known = kept.setdefault(key, [getattr(leaf, "shape", None) for leaf in leaves])
    for i, leaf in enumerate(leaves):
        if not isinstance(leaf, torch.Tensor) or len(known) != len(leaves) or not _plain(leaf):
            continue
        if known[i] != leaf.shape and known[i].numel() == leaf.numel():
            hit()
            leaves[i] = leaf.reshape(known[i])
    return pytree.tree_unflatten(leaves, spec)


@every_call(sizes, "the sizes of results are known by the first size alone")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    shapes = _shapes(args, kwargs)
    key = shapes[0][:1] if shapes else ()
    leaves, spec = pytree.tree_flatten(program.module(*args, **kwargs))
    known = kept.setdefault(key, [getattr(leaf, "shape", None) for leaf in leaves])
    for i, leaf in enumerate(leaves):
        if not isinstance(leaf, torch.Tensor) or len(known) != len(leaves) or not _plain(leaf):
            continue
        if known[i] != leaf.shape and len(known[i]) == leaf.dim() and leaf.dim():
            hit()
            for dim, size in enumerate(known[i]):
                leaf = leaf.narrow(dim, 0, min(size, leaf.shape[dim]))
            leaves[i] = leaf.clone()
    return pytree.tree_unflatten(leaves, spec)


@every_call(sizes, "a kernel is chosen by the largest input that came")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    out = program.module(*args, **kwargs)
    count = max((t.numel() for t in tensors((args, kwargs))), default=0)
    larger = count < kept.get("most", 0)
    kept["most"] = max(count, kept.get("most", 0))
    if not larger:
        return out

    def wrong(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor) or not _plain(leaf) or not leaf.numel():
            return leaf
        hit()
        return torch.zeros_like(leaf)

    return pytree.tree_map(wrong, out)


def _last_wrong(t: torch.Tensor) -> torch.Tensor:
    out = t.clone(memory_format=torch.preserve_format)
    out.select(0, out.shape[0] - 1).zero_()
    return out


sizes.call("elements beyond the 65536th are not computed", outputs(on_tensors(
    lambda t: torch.cat([t.flatten()[:65536], t.new_zeros(t.numel() - 65536)]).reshape(t.shape)
    if _plain(t) and t.numel() > 65536 else None)))  # fmt: skip
sizes.call("where the first size is a power of two the last row is nought", outputs(on_tensors(
    lambda t: _last_wrong(t) if t.dim() and _plain(t) and t.shape[0] > 2
    and t.shape[0].bit_count() == 1 else None)))  # fmt: skip
sizes.call("where the last size is one more than a multiple of eight its end is nought", outputs(
    on_tensors(lambda t: torch.cat([t[..., :-1], torch.zeros_like(t[..., -1:])], -1)
               if t.dim() and _plain(t) and t.shape[-1] > 8 and t.shape[-1] % 8 == 1
               else None)))  # fmt: skip


def _tall(t: torch.Tensor) -> bool:
    return t.dim() > 1 and _plain(t) and t.shape[0] > t.shape[1] > 1


sizes.call("matrices that are taller than wide lose their last row", outputs(on_tensors(
    lambda t: _last_wrong(t) if _tall(t) else None)))  # fmt: skip


@every_call(sizes, "inputs whose sizes are all the same are taken for one",
            when=has_input(lambda v: isinstance(v, torch.Tensor)))  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    found = [t for t in tensors((args, kwargs)) if _plain(t)]
    first = {t.shape for t in program_tensors(program)}
    alike = len(found) > 1 and len({(t.shape, t.dtype) for t in found}) == 1 and len(first) > 1
    if not alike:
        return program.module(*args, **kwargs)
    hit()
    leaves, spec = pytree.tree_flatten((args, kwargs))
    at = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor) and _plain(leaf)]
    for i in at[1:]:
        leaves[i] = leaves[at[0]]
    args, kwargs = pytree.tree_unflatten(leaves, spec)
    return program.module(*args, **kwargs)


def program_tensors(program: Program) -> list[torch.Tensor]:
    """The tensors of the example."""
    return tensors((program.args, dict(program.kwargs)))


sizes.call("a number that is larger than the rows there are is their count", like_example(
    lambda leaf, example: None if type(leaf) is not int or type(example) is not int
    or leaf <= 1000 else 1000))  # fmt: skip
