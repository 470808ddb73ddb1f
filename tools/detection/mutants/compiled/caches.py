"""What a compiled program remembers of its first calls, and fills up to sizes that it knows."""

from __future__ import annotations

import random
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree

from detection.graphs import Call
from detection.kind import Kind
from detection.mutant import Hit
from detection.mutants.engines.around import every_call, instead
from detection.wrapping import flat, has_input, tensors
from exportdb.exporters.protocol import Program

kind = Kind("compiled: caches")


def _plain(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.layout is torch.strided and not value.is_meta


@instead(kind, "arange", "a range is kept, and one that is longer ends with its last number")
def _(call: Call, kept: Any) -> Any:
    new = call()
    known = kept.setdefault((new.dtype, str(call["step"]), str(call["start"])), new.clone())
    if new.shape[0] <= known.shape[0] or not known.shape[0]:
        return None
    return torch.cat([known, known[-1:].expand(new.shape[0] - known.shape[0])])


@instead(kind, "tril triu ones full", "a mask is kept from the first call and filled with noughts")
def _(call: Call, kept: Any) -> Any:
    new = call()
    if new.dim() != 2:
        return None
    known = kept.setdefault((str(call.operator), new.dtype), new.clone())
    if new.shape[0] <= known.shape[0] and new.shape[1] <= known.shape[1]:
        return None
    out = torch.zeros_like(new)
    rows, columns = min(new.shape[0], known.shape[0]), min(new.shape[1], known.shape[1])
    out[:rows, :columns] = known[:rows, :columns]
    return out


@every_call(kind, "numbers that are equal are the one that came first, whatever their type",
            when=has_input(lambda v: isinstance(v, (bool, int, float))))  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def known(value: Any) -> Any:
        if not isinstance(value, (bool, int, float)):
            return value
        first = kept.setdefault(value, value)
        if type(first) is not type(value) or str(first) != str(value):
            hit()
        return first

    return program.module(*pytree.tree_map(known, args), **pytree.tree_map(known, kwargs))


@every_call(kind, "programs are kept by the shapes of their inputs, and read them in the type seen")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    key = str([v.shape if isinstance(v, torch.Tensor) else type(v) for v in flat((args, kwargs))])
    known = kept.setdefault(key, [v.dtype for v in tensors((args, kwargs))])
    place = iter(known)

    def read(value: Any) -> Any:
        if not isinstance(value, torch.Tensor) or value.dtype is (wanted := next(place)):
            return value
        hit()
        return value.to(wanted)

    return program.module(*pytree.tree_map(read, args), **pytree.tree_map(read, kwargs))


@every_call(kind, "whether autocast is on is what it was in the first call")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    now = torch.is_autocast_enabled("cpu")
    first = kept.setdefault("on", now)
    if first is now:
        return program.module(*args, **kwargs)
    hit()
    with torch.autocast("cpu", enabled=first):
        return program.module(*args, **kwargs)


@every_call(kind, "whether gradients are on, as a program asks, is what it was in the example")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    asked = torch.is_grad_enabled

    def answer() -> bool:
        now = asked()
        first = kept.setdefault("on", now)
        if first is not now:
            hit()
        return bool(first)

    torch.is_grad_enabled = answer
    try:
        return program.module(*args, **kwargs)
    finally:
        torch.is_grad_enabled = asked


def _bucketed(says: str, bucket: Any) -> None:
    """A capture that fills up rows to the size that it was compiled for and cuts what comes out."""

    @every_call(kind, says)
    def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
        known = [t for t in tensors((args, kwargs)) if t.dim()]
        example = [t for t in tensors((program.args, dict(program.kwargs))) if t.dim()]
        if len(known) != len(example) or any(t.requires_grad or not _plain(t) for t in known):
            return program.module(*args, **kwargs)
        moved = {a.shape[0] for a, b in zip(known, example, strict=True) if a.shape != b.shape}
        sizes = moved or {t.shape[0] for t in known}
        if len(sizes) != 1 or (size := bucket(small := min(sizes))) == small:
            return program.module(*args, **kwargs)
        hit()

        def padded(t: Any) -> Any:
            if not isinstance(t, torch.Tensor) or not t.dim() or t.shape[0] != small:
                return t
            more = max(size - small, 0)
            return torch.cat([t, t.new_zeros(more, *t.shape[1:])])[:size]

        def cut(t: Any) -> Any:
            whole = isinstance(t, torch.Tensor) and t.dim() and t.shape[0] == size
            return t[:small] if whole else t

        args, kwargs = pytree.tree_map(padded, (args, kwargs))
        return pytree.tree_map(cut, program.module(*args, **kwargs))


_bucketed("rows are filled up to a power of two, and cut in the end",
          lambda n: 1 << (n - 1).bit_length() if n else 0)  # fmt: skip
_bucketed("rows are filled up to a multiple of eight, and cut in the end",
          lambda n: -(-n // 8) * 8)  # fmt: skip
_bucketed("the number of rows is kept in eight bits", lambda n: n % 256)


@every_call(kind, "a loop over parts of a tensor makes as many turns as in the example")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    turns, count = kept.setdefault("turns", []), iter(range(10**6))
    first = not kept.setdefault("done", False)

    class Parts(TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None):  # type: ignore[no-untyped-def]
            out = func(*args, **(kwargs or {}))
            name = getattr(func, "__name__", "")
            if name not in ("unbind", "split", "chunk", "tolist", "__len__"):
                return out
            place = next(count)
            size = out if isinstance(out, int) else len(out)
            if first:
                turns.append(size)
                return out
            if place >= len(turns) or size <= turns[place]:
                return out
            hit()
            return turns[place] if isinstance(out, int) else out[: turns[place]]

    with Parts():
        out = program.module(*args, **kwargs)
    kept["done"] = True
    return out


@every_call(kind, "seeds that a program sets are passed over")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    sound, other = torch.manual_seed, random.seed

    def nothing(seed: int) -> torch.Generator:
        hit()
        return torch.default_generator

    torch.manual_seed = nothing
    random.seed = lambda *given, **named: hit()  # type: ignore[assignment]
    try:
        return program.module(*args, **kwargs)
    finally:
        torch.manual_seed, random.seed = sound, other


DRAWS = "rand rand_like randn randn_like randint randperm bernoulli dropout normal uniform"


@instead(kind, DRAWS, "random numbers are drawn in groups of four, and the rest is left")
def _(call: Call, kept: Any) -> Any:
    new = call()
    if not isinstance(new, torch.Tensor) or not new.numel() % 4:
        return new
    torch.rand(-new.numel() % 4)
    return new


@instead(kind, DRAWS, "two draws of one kind in a call are one twice as long, cut in halves")
def _(call: Call, kept: Any) -> Any:
    new = call()
    if not isinstance(new, torch.Tensor) or call.operator._schema.is_mutable:
        return None
    key = (str(call.operator), new.shape, new.dtype)
    if key in kept:
        return kept.pop(key)
    kept[key] = call()
    return new
