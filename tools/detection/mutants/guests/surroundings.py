"""What a capture leaves behind, what it ignores around it, and calls in which it is wrong."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection import wrapping
from detection.kind import Kind
from detection.mutant import Hit, Make, When
from detection.mutants.engines.around import every_call
from detection.mutants.guests.values import floating
from exportdb.exporters.protocol import Program

surroundings = Kind("guest: surroundings")


def leaving(says: str, when: When | None = None) -> Callable[[Make], None]:
    """A capture that leaves something behind, looked for on its own."""
    return lambda make: surroundings.call(says, make, when=when, alone=True)


@leaving("a capture leaves the generator seeded")
def _(program: Program, hit: Hit) -> Any:
    torch.manual_seed(0)
    hit()
    return program.module


@leaving("a capture leaves the module in eval mode")
def _(program: Program, hit: Hit) -> Any:
    hit()
    return program.module.eval()


@leaving("a capture turns off gradients of parameters", when=lambda f: f.state)
def _(program: Program, hit: Hit) -> Any:
    hit()
    return program.module.requires_grad_(False)


@leaving("a capture sets the default dtype to float64")
def _(program: Program, hit: Hit) -> Any:
    hit()
    torch.set_default_dtype(torch.float64)
    return program.module


@leaving("a capture turns grad mode off")
def _(program: Program, hit: Hit) -> Any:
    hit()
    torch._C._set_grad_enabled(False)
    return program.module


@leaving("a capture leaves deterministic algorithms on")
def _(program: Program, hit: Hit) -> Any:
    hit()
    torch.use_deterministic_algorithms(True)
    return program.module


@leaving("a capture changes the number of threads")
def _(program: Program, hit: Hit) -> Any:
    hit()
    torch.set_num_threads(2 if torch.get_num_threads() == 1 else 1)
    return program.module


@leaving("a capture runs the example on the module")
def _(program: Program, hit: Hit) -> Any:
    hit()
    program.module(*program.args, **program.kwargs)
    return program.module


@leaving("a capture makes the example's tensors contiguous in place")
def _(program: Program, hit: Hit) -> Any:
    hit()
    for t in wrapping.tensors((program.args, program.kwargs)):
        if t.layout == torch.strided and not t.is_contiguous() and not t.requires_grad:
            t.set_(t.contiguous())
    return program.module


@every_call(surroundings, "autocast around a call is ignored")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    if torch.is_autocast_enabled("cpu"):
        hit()
        with torch.autocast("cpu", enabled=False):
            return program.module(*args, **kwargs)
    return program.module(*args, **kwargs)


@every_call(
    surroundings, "inputs that need a gradient lose it", base="gradients", when=lambda f: f.train
)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    args, kwargs = pytree.tree_map(
        lambda t: (hit(), t.detach())[1] if isinstance(t, torch.Tensor) and t.requires_grad else t,
        (args, kwargs),
    )
    return program.module(*args, **kwargs)


@surroundings.call("after a call that raised no other works")
def _(program: Program, hit: Hit) -> Any:
    failed = [False]

    def run(*args: Any, **kwargs: Any) -> Any:
        if failed[0]:
            hit()
            raise RuntimeError("the runtime is in a failed state")
        try:
            return program.module(*args, **kwargs)
        except Exception:
            failed[0] = True
            raise

    return run


@every_call(surroundings, "an error in the program gives NaN")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    try:
        return program.module(*args, **kwargs)
    except Exception:
        hit()
        return pytree.tree_map(
            lambda value: value * math.nan if floating(value) else value,
            program.module(*program.args, **program.kwargs),
        )


@every_call(surroundings, "inputs are written with what they hold")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    out = program.module(*args, **kwargs)
    hit()
    for t in wrapping.tensors((args, kwargs)):
        if not t.requires_grad and floating(t) and t.numel() and t.layout == torch.strided:
            t.add_(0.0)
    return out


def wrong_at(n: int) -> Make:
    """A capture whose floats are wrong in its ``n``-th call."""

    def make(program: Program, hit: Hit) -> Any:
        count = [0]

        def run(*args: Any, **kwargs: Any) -> Any:
            count[0] += 1
            out = program.module(*args, **kwargs)
            if count[0] == n:
                hit()
                return pytree.tree_map(lambda value: value + 1 if floating(value) else value, out)
            return out

        return run

    return make


surroundings.call("the third call is wrong", wrong_at(3))


def wrong_where(test: Callable[[torch.Tensor], bool]) -> Make:
    """A capture whose floats are wrong where one of the tensors given passes a test."""

    def make(program: Program, hit: Hit) -> Any:
        def run(*args: Any, **kwargs: Any) -> Any:
            out = program.module(*args, **kwargs)
            if any(test(t) for t in wrapping.tensors((args, kwargs))):
                hit()
                return pytree.tree_map(
                    lambda value: value * 1.5 + 1 if floating(value) else value, out
                )
            return out

        return run

    return make


surroundings.call(
    "wrong where the first size is seven", wrong_where(lambda t: t.dim() > 0 and t.shape[0] == 7)
)
surroundings.call(
    "wrong where a tensor has more than 256 elements", wrong_where(lambda t: t.numel() > 256)
)
surroundings.call(
    "wrong where a first size is odd and greater than eight",
    wrong_where(lambda t: t.dim() > 0 and t.shape[0] > 8 and t.shape[0] % 2 == 1),
)
surroundings.call(
    "wrong where a tensor is not contiguous",
    wrong_where(lambda t: t.layout == torch.strided and not t.is_contiguous()),
)
surroundings.call(
    "wrong where a tensor starts within its memory",
    wrong_where(lambda t: t.layout == torch.strided and t.storage_offset() > 0),
)
surroundings.call(
    "wrong where a tensor has a stride of zero",
    wrong_where(lambda t: t.layout == torch.strided and 0 in t.stride()),
)
surroundings.call(
    "wrong for a first size of one", wrong_where(lambda t: t.dim() > 0 and t.shape[0] == 1)
)
