"""Results and inputs that share memory where they should not, or no longer where they should."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection import wrapping
from detection.kind import Kind
from detection.mutant import Hit
from detection.mutants.engines.around import every_call
from exportdb.exporters.protocol import Program

aliasing = Kind("guest: aliasing")


@every_call(aliasing, "an output that is an input is a copy")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    out = program.module(*args, **kwargs)
    return pytree.tree_map(
        lambda value: (
            (hit(), value.clone())[1]
            if isinstance(value, torch.Tensor)
            and any(value is t for t in wrapping.tensors((args, kwargs)))
            else value
        ),
        out,
    )


@every_call(aliasing, "two outputs that are one tensor are two")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    out = program.module(*args, **kwargs)
    seen = set()
    return pytree.tree_map(
        lambda value: (
            ((hit(), value.clone())[1] if id(value) in seen else (seen.add(id(value)), value)[1])
            if isinstance(value, torch.Tensor)
            else value
        ),
        out,
    )


@every_call(aliasing, "an output that is a view of a buffer is a copy")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    out = program.module(*args, **kwargs)
    held = {wrapping.storage(t) for t in wrapping.state_of(program.module).values()}
    return pytree.tree_map(
        lambda value: (
            (hit(), value.clone())[1]
            if isinstance(value, torch.Tensor) and wrapping.storage(value) in held
            else value
        ),
        out,
    )


@every_call(aliasing, "an output that is a view of an input is a copy")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    out = program.module(*args, **kwargs)
    held = {wrapping.storage(t) for t in wrapping.tensors((args, kwargs))}
    return pytree.tree_map(
        lambda value: (
            (hit(), value.clone())[1]
            if isinstance(value, torch.Tensor)
            and wrapping.storage(value) in held
            and value._is_view()
            else value
        ),
        out,
    )


@aliasing.call("outputs of one size share memory between calls")
def _(program: Program, hit: Hit) -> Any:
    kept = {}

    def run(*args: Any, **kwargs: Any) -> Any:
        out = program.module(*args, **kwargs)
        leaves, spec = pytree.tree_flatten(out)
        held = {
            wrapping.storage(t)
            for t in [
                *wrapping.tensors((args, kwargs)),
                *wrapping.state_of(program.module).values(),
            ]
        }
        for i, value in enumerate(leaves):
            if (
                isinstance(value, torch.Tensor)
                and value.layout == torch.strided
                and wrapping.storage(value) not in held
                and not value.requires_grad
                and value.is_contiguous()
            ):
                key = (i, value.shape, value.dtype)
                if key in kept:
                    hit()
                    kept[key].copy_(value)
                    leaves[i] = kept[key]
                else:
                    kept[key] = value
        return pytree.tree_unflatten(leaves, spec)

    return run


@aliasing.call("results are remembered by the sum of the inputs")
def _(program: Program, hit: Hit) -> Any:
    kept = {}

    def run(*args: Any, **kwargs: Any) -> Any:
        given = wrapping.tensors((args, kwargs))
        key = tuple(
            (
                tuple(t.shape),
                t.dtype,
                float(t.detach().double().sum()) if not t.is_complex() and t.numel() else 0,
            )
            for t in given
            if t.layout == torch.strided
        ) + tuple(
            repr(value)
            for value in pytree.tree_leaves((args, kwargs))
            if not isinstance(value, torch.Tensor)
        )
        if key in kept:
            hit()
            return kept[key]
        out = kept[key] = program.module(*args, **kwargs)
        return out

    return run


@every_call(
    aliasing,
    "of an input that is written, the first row alone is written back",
    when=lambda f: f.changes_inputs,
)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    copies = pytree.tree_map(
        lambda t: (
            t.clone()
            if isinstance(t, torch.Tensor) and t.layout == torch.strided and not t.requires_grad
            else t
        ),
        (args, kwargs),
    )
    before = [t.clone() if isinstance(t, torch.Tensor) else t for t in pytree.tree_leaves(copies)]
    out = program.module(*copies[0], **copies[1])
    for mine, was, now in zip(
        pytree.tree_leaves((args, kwargs)), before, pytree.tree_leaves(copies), strict=False
    ):
        if (
            isinstance(mine, torch.Tensor)
            and mine is not now
            and mine.shape == now.shape
            and not torch.equal(was, now)
        ):
            if mine.dim() < 2:
                mine.copy_(now)
            else:
                hit()
                mine[:1].copy_(now[:1])
    return out


@every_call(aliasing, "inputs that share memory are copied before the call")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    given = wrapping.tensors((args, kwargs))
    shared = len({wrapping.storage(t) for t in given}) < len(given)
    if shared:
        hit()
        args, kwargs = pytree.tree_map(
            lambda t: t.clone() if isinstance(t, torch.Tensor) else t, (args, kwargs)
        )
    return program.module(*args, **kwargs)
