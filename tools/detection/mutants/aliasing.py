"""Who shares memory with whom: views, the inputs themselves, writes that are lost or invented."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.kind import Kind
from detection.mutant import Features, Hit, Make
from detection.wrapping import has_input, state_of, storage, tensors
from exportdb.exporters.protocol import Program

_aliasing = Kind("aliasing")
call, broken = _aliasing.call, _aliasing.operator


def _changes(features: Features) -> bool:
    return features.changes_inputs


def _several_outputs(features: Features) -> bool:
    return any(len(tensors(output)) > 1 for output in features.outputs)


def _outputs_like(
    known: Callable[[Any, Any], list[torch.Tensor]],
    related: Callable[[torch.Tensor, torch.Tensor], bool],
    change: Callable[[torch.Tensor], torch.Tensor],
) -> Make:
    """A capture with ``change`` made to the outputs that are related to one of those ``known``.

    ``known`` takes the inputs and the state.
    """

    def make(program: Program, hit: Hit) -> Any:
        def run(*args: Any, **kwargs: Any) -> Any:
            others = known((args, kwargs), state_of(program.module))

            def changed(leaf: Any) -> Any:
                if not isinstance(leaf, torch.Tensor) or not any(related(leaf, o) for o in others):
                    return leaf
                hit()
                return change(leaf)

            return pytree.tree_map(changed, program.module(*args, **kwargs))

        return run

    def when(features: Features) -> bool:
        return any(
            related(leaf, other)
            for r in features.runs
            for leaf in tensors(r.output)
            for other in known(r.inputs, r.state)
        )  # fmt: skip

    make.when = when  # type: ignore[attr-defined]
    return make


def _given(inputs: Any, state: Any) -> list[torch.Tensor]:
    return tensors(inputs)


def _held(inputs: Any, state: Any) -> list[torch.Tensor]:
    return list(state.values())


def _views(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a is not b and storage(a) == storage(b)


def _is(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a is b


call("outputs that are views of inputs are copies", _outputs_like(_given, _views, torch.clone))
call("outputs that are inputs are copies", _outputs_like(_given, _is, torch.clone))
call(
    "outputs that are inputs are views of them", _outputs_like(_given, _is, lambda t: t.view_as(t))
)
call(
    "outputs that share memory with buffers or parameters are copies",
    _outputs_like(_held, lambda a, b: storage(a) == storage(b), torch.clone),
)
call(
    "outputs that are buffers or parameters are views of them",
    _outputs_like(_held, _is, lambda t: t.view_as(t)),
)


def _among_outputs(change: Callable[[torch.Tensor, torch.Tensor], Any]) -> Make:
    """A capture with ``change(output, earlier output)`` made to outputs, where it gives one."""

    def make(program: Program, hit: Hit) -> Any:
        def run(*args: Any, **kwargs: Any) -> Any:
            earlier: list[torch.Tensor] = []

            def changed(leaf: Any) -> Any:
                if not isinstance(leaf, torch.Tensor):
                    return leaf
                new = next((n for o in earlier if (n := change(leaf, o)) is not None), None)
                earlier.append(leaf)
                if new is None:
                    return leaf
                hit()
                return new

            return pytree.tree_map(changed, program.module(*args, **kwargs))

        return run

    make.when = _several_outputs  # type: ignore[attr-defined]
    return make


call(
    "outputs that share memory with each other are copies",
    _among_outputs(lambda a, b: a.clone() if storage(a) == storage(b) else None),
)
call(
    "outputs that are one tensor are two that share memory",
    _among_outputs(lambda a, b: a.view_as(a) if a is b else None),
)
call(
    "outputs that are one tensor are two copies",
    _among_outputs(lambda a, b: a.clone() if a is b else None),
)
call(
    "outputs that are equal share memory",
    _among_outputs(
        lambda a, b: (
            b.view_as(b)
            if a is not b and storage(a) != storage(b) and a.dtype == b.dtype and torch.equal(a, b)
            else None
        )
    ),
)


@call("outputs lie in one block of memory", when=_several_outputs)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        found = program.module(*args, **kwargs)
        mine = [t for t in tensors(found) if t.dtype == torch.float32 and t.is_contiguous()]
        known = {storage(t) for t in [*tensors((args, kwargs)), *state_of(program.module).values()]}
        mine = [t for t in mine if storage(t) not in known and t.numel()]
        if len({storage(t) for t in mine}) < 2 or len({id(t) for t in mine}) < len(mine):
            return found
        hit()
        block = torch.cat([t.reshape(-1) for t in mine])
        parts = dict(zip(map(id, mine), block.split([t.numel() for t in mine]), strict=True))
        return pytree.tree_map(
            lambda leaf: parts[id(leaf)].view(leaf.shape) if id(leaf) in parts else leaf, found
        )

    return run


@call("outputs are written into inputs of the same shape and type")
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        given = tensors((args, kwargs))
        found = program.module(*args, **kwargs)

        def placed(leaf: Any) -> Any:
            free = [
                t
                for t in given
                if isinstance(leaf, torch.Tensor)
                and not leaf.requires_grad
                and (t.shape, t.dtype) == (leaf.shape, leaf.dtype)
                and not t.requires_grad
            ]
            if not free or any(storage(t) == storage(leaf) for t in given):
                return leaf
            hit()
            given.remove(free[0]) if len(given) == 1 else given.clear()
            return free[0].copy_(leaf)

        return pytree.tree_map(placed, found)

    return run


@call("writes to inputs are lost", when=_changes)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        hit()
        mine = copy.deepcopy((args, kwargs))
        return program.module(*mine[0], **mine[1])

    return run


def _lost_where(test: Callable[[torch.Tensor], bool]) -> Make:
    """A capture that works on copies of the inputs that pass a test."""

    def make(program: Program, hit: Hit) -> Any:
        def run(*args: Any, **kwargs: Any) -> Any:
            def copied(leaf: Any) -> Any:
                if not isinstance(leaf, torch.Tensor) or not test(leaf):
                    return leaf
                hit()
                return leaf.clone()

            args, kwargs = pytree.tree_map(copied, (args, kwargs))
            return program.module(*args, **kwargs)

        return run

    make.when = _changes  # type: ignore[attr-defined]
    return make


call(
    "writes to inputs that are not contiguous are lost",
    _lost_where(lambda t: t.layout is torch.strided and not t.is_contiguous()),
)
call("writes to inputs of one element are lost", _lost_where(lambda t: t.numel() == 1))
call(
    "writes to inputs of another type than float32 are lost",
    _lost_where(lambda t: t.dtype != torch.float32),
)


@call("writes to inputs are made twice", when=_changes)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        before = [t.detach().clone() for t in tensors((args, kwargs))]
        found = program.module(*args, **kwargs)
        with torch.no_grad():
            for old, new in zip(before, tensors((args, kwargs)), strict=False):
                if old.shape == new.shape and new.is_floating_point() and not torch.equal(old, new):
                    hit()
                    new.add_(new - old)
        return found

    return run


@call("a call that raises leaves zeros in its inputs")
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return program.module(*args, **kwargs)
        except Exception:
            with torch.no_grad():
                for t in tensors((args, kwargs)):
                    if t.numel() and not t.requires_grad:
                        hit()
                        t.zero_()
            raise

    return run


@call("a dict or list that the program changes stays as it was")
def _(program: Program, hit: Hit) -> Any:
    def own(value: Any) -> Any:
        return copy.copy(value) if type(value) in (list, dict) else value

    def run(*args: Any, **kwargs: Any) -> Any:
        mine = tuple(map(own, args))
        sizes = [len(a) for a in args if type(a) in (list, dict)]
        found = program.module(*mine, **kwargs)
        if sizes != [len(a) for a in mine if type(a) in (list, dict)]:
            hit()
        return found

    return run


@call(
    "an input that is not contiguous is made so for its caller",
    when=has_input(lambda leaf: isinstance(leaf, torch.Tensor)),
)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        found = program.module(*args, **kwargs)
        for t in tensors((args, kwargs)):
            if t.layout is torch.strided and not t.is_contiguous():
                hit()
                t.data = t.detach().contiguous()
        return found

    return run


broken("clone", "a clone is its input", lambda right, x: x)
broken(
    "_to_copy",
    "a conversion that changes no type gives its input",
    lambda right, x: x if right.dtype == x.dtype else None,
)
broken("detach", "detach is a copy", lambda right: right.clone())
broken("slice select", "a slice is a copy", lambda right: right.clone())
broken(
    "t transpose permute",
    "a transposed matrix is a copy",
    lambda right: right.clone(memory_format=torch.preserve_format),
)
broken("expand", "an expanded tensor is a copy", lambda right: right.contiguous().clone())
broken("view _unsafe_view", "a view is a copy", lambda right: right.clone())


def _in_place(right: Any, x: Any) -> Any:
    """An operator that works in its first operand's memory, though it must not."""
    if not isinstance(x, torch.Tensor) or x.shape != right.shape or x.dtype != right.dtype:
        return None
    if any(s == 0 and n > 1 for s, n in zip(x.stride(), x.shape, strict=True)):
        return None
    return x.copy_(right)


for name in ("relu", "add", "mul", "sin", "cumsum"):
    broken(name, f"{name} works in place", _in_place)
