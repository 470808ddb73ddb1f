"""Arguments and outputs that are not taken or given as they are."""

from __future__ import annotations

from typing import Any

import torch

from detection.kind import Kind
from detection.mutant import Hit
from detection.mutants.engines.around import every_call
from detection.wrapping import (
    has_container,
    on_tensors,
    output,
    outputs,
)  # fmt: skip
from exportdb.exporters.protocol import Program

calling = Kind("backend: calling")


@every_call(calling, "positional arguments beyond the second are in the other order")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    swapped = (*args[:1], *args[1:][::-1])
    shapes = [getattr(a, "shape", type(a)) for a in args]
    if shapes != [getattr(a, "shape", type(a)) for a in swapped] or len(args) < 3:
        return program.module(*args, **kwargs)
    hit()
    return program.module(*swapped, **kwargs)


def _tuple_of(value: Any) -> Any:
    named = isinstance(value, tuple) and hasattr(value, "_fields")
    return tuple(value) if named else None


@every_call(calling, "a named tuple among the inputs is a plain one",
            when=has_container(tuple))  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def plain(value: Any) -> Any:
        new = _tuple_of(value)
        if new is None:
            return value
        hit()
        return new

    return program.module(*map(plain, args), **{k: plain(v) for k, v in kwargs.items()})


calling.call("strings among the outputs are those of an empty program",
             outputs(lambda leaf: "" if isinstance(leaf, str) and leaf else None))  # fmt: skip
calling.call("whole numbers among the outputs are 32 bits wide or wrapped", outputs(
    lambda leaf: (leaf + 2**31) % 2**32 - 2**31
    if type(leaf) is int and abs(leaf) >= 2**31 else None))  # fmt: skip
calling.call("a size of torch.Size among the outputs is a list", output(
    lambda v: list(v) if type(v) is torch.Size else
    tuple(list(e) if type(e) is torch.Size else e for e in v)
    if type(v) is tuple and any(type(e) is torch.Size for e in v) else None))  # fmt: skip
calling.call("an output in a dict of dicts is lost", output(
    lambda v: {k: (dict(list(e.items())[:-1]) if type(e) is dict and e else e)
               for k, e in v.items()}
    if type(v) is dict and any(type(e) is dict and e for e in v.values()) else None))  # fmt: skip
calling.call(
    "outputs of one element come out without dims",
    outputs(
        on_tensors(
            lambda t: t.reshape(()) if t.dim() and t.numel() == 1 and not t.is_sparse else None
        )
    ),
)
calling.call("empty outputs come out with one dim", outputs(on_tensors(
    lambda t: t.reshape(-1) if t.dim() > 1 and t.numel() == 0 else None)))  # fmt: skip
calling.call("a list of several tensors comes out as one that is stacked", output(
    lambda v: torch.stack(v) if type(v) is list and len(v) > 1
    and len({getattr(t, "shape", None) for t in v}) == 1
    and all(isinstance(t, torch.Tensor) for t in v) else None))  # fmt: skip


@every_call(calling, "what a program prints or warns of is done in the first call alone")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    import random

    if "state" not in kept:
        kept["state"] = random.getstate()
        return program.module(*args, **kwargs)
    before = random.getstate()
    out = program.module(*args, **kwargs)
    if random.getstate() != before:
        hit()
        random.setstate(before)
    return out
