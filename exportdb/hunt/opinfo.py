"""Calls of operators as torch's own operator tests make them, with other tensors.

Owns which operators of OpInfo and which of their samples may be drawn; ``filling`` writes them
down. Where what torch's tests import is not installed there are no such calls.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import torch

#: Parts of names of operators that are random, give memory that nobody wrote, or change a tensor's
#: memory itself.
_NEVER = (
    "rand", "dropout", "bernoulli", "multinomial", "normal", "empty", "cauchy", "exponential",
    "geometric", "resize", "uniform", "poisson", "sparse", "to_dense", "jiterator", "fractional",
    "item", "__", "ops.", "_native", "to_padded", "nested", "fft.", "stft", "histogramdd",
)  # fmt: skip
#: Samples of an operator that are looked at, and how often those of a dtype are wanted.
_SAMPLES = 12
_DTYPES = {torch.float32: 6, torch.int64: 2, torch.bool: 1, torch.float64: 1, torch.bfloat16: 1}


class Call(NamedTuple):
    """What a program calls, and the arguments of a sample."""

    function: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


@cache
def operators() -> tuple[Any, ...]:
    """The operators that may be drawn, none where torch's tests cannot be imported."""
    try:
        from torch.testing._internal.common_methods_invocations import op_db
    except ImportError:
        return ()
    return tuple(
        op for op in op_db
        if not any(word in op.name for word in _NEVER) and torch.float32 in op.dtypes
        and _function(op.name)
    )  # fmt: skip


@cache
def _function(name: str) -> str:
    """What a program calls it: ``torch.linalg.det``, or ``torch.Tensor.T`` for a method."""
    for holder in ("torch", "torch.Tensor"):
        found: Any = torch if holder == "torch" else torch.Tensor
        for part in name.split("."):
            found = getattr(found, part, None)
        if callable(found):
            return f"{holder}.{name}"
    return ""


@cache
def _samples(number: int, dtype: torch.dtype) -> tuple[Any, ...]:
    op = operators()[number]
    torch.manual_seed(0)
    try:
        return tuple(islice(op.sample_inputs("cpu", dtype, requires_grad=False), _SAMPLES))
    except Exception:  # a sample may need what is not installed
        return ()


def call(rng: random.Random) -> Call | None:
    """A call of some operator with one of its samples; None where there is none."""
    if not operators():
        return None
    number = rng.randrange(len(operators()))
    dtypes = [dtype for dtype in _DTYPES if dtype in operators()[number].dtypes]
    dtype = rng.choices(dtypes, [_DTYPES[dtype] for dtype in dtypes])[0]
    samples = _samples(number, dtype)
    if not samples:
        return None
    sample = rng.choice(samples)
    name = _function(operators()[number].name)
    return Call(name, (sample.input, *sample.args), dict(sample.kwargs))
