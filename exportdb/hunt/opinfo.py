"""Calls of operators as torch's own operator tests make them, with other tensors.

Owns the way from a sample of OpInfo to a text: tensors become variables of the same kind and rank,
all else is written down. Where what torch's tests import is not installed there are no such calls.
"""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from exportdb.hunt.filling import Filling

#: The module of torch that is slow to import.
MODULE = "torch.testing._internal.common_methods_invocations"
#: Parts of names of operators that are random, give memory that nobody wrote, or change a tensor's
#: memory itself.
_NEVER = (
    "rand", "dropout", "bernoulli", "multinomial", "normal", "empty", "cauchy", "exponential",
    "geometric", "resize", "uniform", "poisson", "sparse", "to_dense", "jiterator", "fractional",
    "item", "__", "ops.", "_native", "to_padded", "nested", "fft.", "stft", "histogramdd",
)  # fmt: skip
#: Samples of an operator that are looked at.
_SAMPLES = 12


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
def _samples(number: int) -> tuple[Any, ...]:
    op = operators()[number]
    torch.manual_seed(0)
    try:
        return tuple(islice(op.sample_inputs("cpu", torch.float32, requires_grad=False), _SAMPLES))
    except Exception:  # a sample may need what is not installed
        return ()


def call(filling: Filling) -> str:
    """A call of some operator with arguments of one of its samples. Raises NothingFits."""
    from exportdb.hunt.filling import NothingFits

    if not operators():
        raise NothingFits("no operators of OpInfo here")
    number = filling.rng.randrange(len(operators()))
    samples = _samples(number)
    if not samples:
        raise NothingFits(operators()[number].name)
    sample = filling.rng.choice(samples)
    args = [_written(filling, value) for value in (sample.input, *sample.args)]
    args += [f"{name}={_written(filling, value)}" for name, value in sample.kwargs.items()]
    return f"{_function(operators()[number].name)}({', '.join(args)})"


def _written(filling: Filling, value: Any) -> str:
    from exportdb.hunt.filling import NothingFits

    if isinstance(value, torch.Tensor):
        return _tensor(filling, value)
    if isinstance(value, list | tuple) and not isinstance(value, torch.Size):
        inner = ", ".join(_written(filling, v) for v in value)
        return (
            f"[{inner}]"
            if isinstance(value, list)
            else f"({inner}{',' if len(value) == 1 else ''})"
        )
    if isinstance(value, torch.Size):
        return repr(tuple(value))
    if value is None or isinstance(value, bool | int | str | torch.dtype | slice | complex):
        return repr(value)
    if isinstance(value, float) and value == value and abs(value) != float("inf"):
        return repr(value)
    raise NothingFits(type(value).__name__)


def _tensor(filling: Filling, like: torch.Tensor) -> str:
    kind = "f" if like.is_floating_point() else "b" if like.dtype is torch.bool else "i"
    found = filling.of_kind(kind)
    if not found:
        from exportdb.hunt.filling import NothingFits

        raise NothingFits(kind)
    same = [v for v in found if filling.trial.value(v).dim() == like.dim()]
    return filling.rng.choice(same or found)
