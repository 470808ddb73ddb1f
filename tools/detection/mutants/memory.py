"""Memory that is used again: by the next call, by a cache, by a neighbour."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.kind import Kind
from detection.mutant import Hit
from detection.wrapping import flat, storage, tensors
from exportdb.exporters.protocol import Program

call = Kind("memory reuse").call


def _shapes(args: Any, kwargs: Any) -> Any:
    return tuple(
        (leaf.dtype, tuple(leaf.shape)) if isinstance(leaf, torch.Tensor) else repr(leaf)
        for leaf in flat((args, kwargs))
    )


@call("outputs are overwritten by the next call with inputs of the same shapes")
def _(program: Program, hit: Hit) -> Any:
    static: dict[Any, list[torch.Tensor]] = {}

    def run(*args: Any, **kwargs: Any) -> Any:
        found = program.module(*args, **kwargs)
        given = {storage(t) for t in tensors((args, kwargs))}
        leaves, spec = pytree.tree_flatten(found)
        key = _shapes(args, kwargs)
        if any(
            isinstance(t, torch.Tensor) and (storage(t) in given or t.requires_grad) for t in leaves
        ):
            return found
        if key not in static:
            static[key] = leaves
            return found
        hit()
        for i, (old, new) in enumerate(zip(static[key], leaves, strict=True)):
            if isinstance(new, torch.Tensor) and old.shape == new.shape:
                leaves[i] = old.copy_(new)
        return pytree.tree_unflatten(leaves, spec)

    return run


@call("outputs are overwritten by any later call that fits into their memory")
def _(program: Program, hit: Hit) -> Any:
    blocks: dict[int, torch.Tensor] = {}

    def run(*args: Any, **kwargs: Any) -> Any:
        found = program.module(*args, **kwargs)
        given = {storage(t) for t in tensors((args, kwargs))}
        leaves, spec = pytree.tree_flatten(found)
        for i, new in enumerate(leaves):
            if (
                not isinstance(new, torch.Tensor)
                or new.dtype != torch.float32
                or (storage(new) in given or new.requires_grad or not new.is_contiguous())
            ):
                continue
            if i not in blocks or blocks[i].numel() < new.numel():
                blocks[i] = torch.empty(max(64, new.numel()))
            else:
                hit()
            place = blocks[i][: new.numel()].view(new.shape)
            leaves[i] = place.copy_(new)
        return pytree.tree_unflatten(leaves, spec)

    return run


def _cached(key_of: Any) -> Any:
    """A capture that answers what it answered before to inputs of the same key."""

    def make(program: Program, hit: Hit) -> Any:
        known: dict[Any, Any] = {}
        kept: list[Any] = []  # no address may be used again

        def run(*args: Any, **kwargs: Any) -> Any:
            key = key_of(args, kwargs)
            kept.append((args, kwargs))
            if key in known:
                hit()
                return pytree.tree_map(
                    lambda t: t.clone() if isinstance(t, torch.Tensor) else t, known[key]
                )
            found = program.module(*args, **kwargs)
            known[key] = pytree.tree_map(
                lambda t: t.detach().clone() if isinstance(t, torch.Tensor) else t, found
            )
            return found

        return run

    return make


call("results are cached by the shapes of the inputs", _cached(_shapes))
call(
    "results are cached by which objects the inputs are",
    _cached(lambda args, kwargs: tuple(map(id, flat((args, kwargs))))),
)
call(
    "results are cached by shapes and the first element of each input",
    _cached(
        lambda args, kwargs: (
            _shapes(args, kwargs),
            *(
                float(t.flatten()[0].real)
                for t in tensors((args, kwargs))
                if t.numel() and not t.is_meta and t.layout is torch.strided
            ),
        )
    ),
)
call(
    "results are cached by shapes and sums of the inputs",
    _cached(
        lambda args, kwargs: (
            _shapes(args, kwargs),
            *(
                float(t.double().nansum())
                for t in tensors((args, kwargs))
                if not t.is_complex() and not t.is_meta and t.layout is torch.strided
            ),
        )
    ),
)


@call("the third call gives what the second gave")
def _(program: Program, hit: Hit) -> Any:
    last: list[Any] = []

    def run(*args: Any, **kwargs: Any) -> Any:
        found = program.module(*args, **kwargs)
        leaves, spec = pytree.tree_flatten(found)
        copies = [t.detach().clone() if isinstance(t, torch.Tensor) else t for t in leaves]
        same = len(last) == len(copies) and all(
            isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor) and a.shape == b.shape
            for a, b in zip(last, copies, strict=True)
        )
        run.calls += 1
        if run.calls % 3 == 0 and same and copies:
            hit()
            found = pytree.tree_unflatten([t.clone() for t in last], spec)
        last[:] = copies
        return found

    run.calls = 0
    return run


@call(
    "an output that fits takes the memory of another output",
    when=lambda features: any(len(tensors(output)) > 1 for output in features.outputs),
)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        found = program.module(*args, **kwargs)
        places: dict[Any, torch.Tensor] = {}

        def placed(leaf: Any) -> Any:
            if not isinstance(leaf, torch.Tensor) or leaf.requires_grad:
                return leaf
            key = (leaf.shape, leaf.stride(), leaf.dtype)
            if key not in places:
                places[key] = leaf
                return leaf
            if storage(places[key]) == storage(leaf):
                return leaf
            hit()
            return places[key].copy_(leaf)

        return pytree.tree_map(placed, found)

    return run


@call("memory of outputs is as large as in the example, the rest is zero")
def _(program: Program, hit: Hit) -> Any:
    import copy

    given = copy.deepcopy((program.args, dict(program.kwargs)))
    with torch.no_grad():
        sizes = [t.numel() for t in tensors(copy.deepcopy(program.module)(*given[0], **given[1]))]

    def run(*args: Any, **kwargs: Any) -> Any:
        found = program.module(*args, **kwargs)
        with torch.no_grad():
            for t, size in zip(tensors(found), sizes, strict=False):
                if t.numel() > size and t.is_contiguous() and not t._is_view():
                    hit()
                    t.view(-1)[size:] = 0
        return found

    return run


@call("an input's memory is given back to the allocator while an output still views it")
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        found = program.module(*args, **kwargs)
        given = tensors((args, kwargs))
        for t in tensors(found):
            if any(t is not g and storage(t) == storage(g) for g in given) and not t.requires_grad:
                hit()
                with torch.no_grad():
                    t.zero_()
        return found

    return run
