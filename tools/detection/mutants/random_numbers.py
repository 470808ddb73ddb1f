"""Random numbers: the stream, its state afterwards, the distribution, dropout."""

from __future__ import annotations

import random
from typing import Any

import torch

from detection.kind import Kind
from detection.mutant import Hit
from exportdb.exporters.protocol import Program

_random = Kind("random numbers")
call, broken = _random.call, _random.operator

DRAWS = (
    "rand randn rand_like randn_like randint randperm bernoulli normal uniform multinomial "
    "native_dropout exponential randint_like"
)


@call("the generator is put back after a call", needs=DRAWS)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        state = torch.get_rng_state()
        try:
            return program.module(*args, **kwargs)
        finally:
            if not torch.equal(state, torch.get_rng_state()):
                hit()
            torch.set_rng_state(state)

    return run


@call("random numbers begin at one seed in every call", needs=DRAWS)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        hit()
        torch.default_generator.manual_seed(0)
        return program.module(*args, **kwargs)

    return run


@call("random numbers come from a stream of their own", needs=DRAWS)
def _(program: Program, hit: Hit) -> Any:
    own = [torch.get_rng_state()]

    def run(*args: Any, **kwargs: Any) -> Any:
        hit()
        theirs = torch.get_rng_state()
        torch.set_rng_state(own[0])
        try:
            return program.module(*args, **kwargs)
        finally:
            own[0] = torch.get_rng_state()
            torch.set_rng_state(theirs)

    return run


@call("a call draws one number too many from the generator when it is done")
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        found = program.module(*args, **kwargs)
        hit()
        torch.rand(1)
        return found

    return run


@call("a call draws one number before it begins", needs=DRAWS)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        hit()
        torch.rand(1)
        return program.module(*args, **kwargs)

    return run


@call("Python's generator is put back after a call")
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        state = random.getstate()
        try:
            return program.module(*args, **kwargs)
        finally:
            if state != random.getstate():
                hit()
            random.setstate(state)

    return run


@call("Python's random numbers are those of the capture")
def _(program: Program, hit: Hit) -> Any:
    state = random.getstate()

    def run(*args: Any, **kwargs: Any) -> Any:
        before = random.getstate()
        random.setstate(state)
        found = program.module(*args, **kwargs)
        if random.getstate() != state:
            hit()
        else:
            random.setstate(before)
        return found

    return run


@call("random numbers are drawn again where a call before had the same shapes", needs=DRAWS)
def _(program: Program, hit: Hit) -> Any:
    states: dict[Any, torch.Tensor] = {}

    def run(*args: Any, **kwargs: Any) -> Any:
        key = tuple(getattr(a, "shape", None) for a in args)
        if key in states:
            hit()
            torch.set_rng_state(states[key])
        else:
            states[key] = torch.get_rng_state()
        return program.module(*args, **kwargs)

    return run


broken(
    "native_dropout",
    "dropout keeps everything",
    lambda right, input: (input.clone(), torch.ones_like(right[1])),
)
broken("bernoulli", "dropout drops nothing", lambda right: torch.ones_like(right))
broken("bernoulli", "bernoulli takes its probability for that of zero", lambda right: 1 - right)
broken("rand", "rand is normal", lambda right: torch.randn(right.shape, dtype=right.dtype))
broken("randn", "randn is uniform", lambda right: torch.rand(right.shape, dtype=right.dtype))
broken(
    "rand randn",
    "random numbers are the same in every row",
    lambda right: right[:1].expand(right.shape).clone() if right.dim() else None,
)
broken(
    "rand_like randn_like",
    "random numbers like a tensor are zero",
    lambda right: torch.zeros_like(right),
)
broken(
    "randint",
    "randint includes its upper end",
    lambda right, high: torch.where(right == high - 1, high, right),
)
broken("randperm", "randperm is in order", lambda right: torch.arange(len(right)))
broken(
    "normal",
    "normal leaves out its mean",
    lambda right, x, mean: right - mean if isinstance(mean, float) else None,
)
broken(
    "uniform",
    "uniform is between zero and one",
    lambda right: (
        (right - right.min()) / (right.max() - right.min()) if right.numel() > 1 else None
    ),
)
broken("multinomial", "multinomial gives the first", lambda right: torch.zeros_like(right))
