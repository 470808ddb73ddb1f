"""What a result is besides its values: gradients asked of it, its class, what holds it."""

from __future__ import annotations

from typing import Any

import torch

from detection.kind import Kind
from detection.mutant import Hit
from detection.wrapping import on_tensors, outputs, tensors
from exportdb.exporters.protocol import Program

call = Kind("metadata").call


def _requiring(new: bool) -> Any:
    def change(t: torch.Tensor) -> Any:
        if t.requires_grad is new or not t.is_floating_point():
            return None
        return t.detach().requires_grad_(new)

    return outputs(on_tensors(change))


call("outputs ask for no gradient", _requiring(False))
call("outputs ask for a gradient", _requiring(True))


@call("the program runs under no_grad")
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        hit()
        with torch.no_grad():
            return program.module(*args, **kwargs)

    return run


@call("outputs are inference tensors")
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        hit()
        with torch.inference_mode():
            return program.module(*args, **kwargs)

    return run


call(
    "a parameter among the outputs is a plain tensor",
    outputs(
        on_tensors(
            lambda t: (
                t.detach().requires_grad_(t.requires_grad)
                if isinstance(t, torch.nn.Parameter)
                else None
            )
        )
    ),
)
call(
    "outputs are parameters",
    outputs(
        on_tensors(
            lambda t: (
                torch.nn.Parameter(t.detach(), t.requires_grad)
                if type(t) is torch.Tensor and t.is_floating_point() and t.is_leaf
                else None
            )
        )
    ),
)
call(
    "outputs of a subclass of Tensor are plain",
    outputs(
        on_tensors(
            lambda t: (
                t.as_subclass(torch.Tensor)
                if type(t) not in (torch.Tensor, torch.nn.Parameter)
                else None
            )
        )
    ),
)


class _Wrapped(torch.Tensor):
    pass


call(
    "outputs are of a subclass of Tensor",
    outputs(on_tensors(lambda t: t.as_subclass(_Wrapped) if type(t) is torch.Tensor else None)),
)
call(
    "floats among the outputs are NumPy's",
    outputs(lambda leaf: _numpy("float64", leaf) if type(leaf) is float else None),
)
call(
    "integers among the outputs are NumPy's",
    outputs(lambda leaf: _numpy("int64", leaf) if type(leaf) is int else None),
)


def _numpy(kind: str, value: Any) -> Any:
    import numpy

    return getattr(numpy, kind)(value)


@call("outputs are on the meta device beyond the first")
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        found = program.module(*args, **kwargs)
        if (
            isinstance(found, tuple | list)
            and type(found) in (tuple, list)
            and len(tensors(found)) > 1
        ):
            hit()
            return type(found)(
                [found[0], *(t.to("meta") if isinstance(t, torch.Tensor) else t for t in found[1:])]
            )
        return found

    return run


@call("inputs ask for a gradient after the call")
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        found = program.module(*args, **kwargs)
        for t in tensors((args, kwargs)):
            if t.is_leaf and t.is_floating_point() and not t.requires_grad:
                hit()
                t.requires_grad_()
        return found

    return run
