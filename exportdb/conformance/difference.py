"""What a difference between two calls is, and which count.

Owns the kinds, the words for two sides that differ, and how near two numbers must be. Where calls
differ is found by ``agreement``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from exportdb.cases.case import Tolerance
from exportdb.conformance.errors import shown

#: Kinds of difference that leave every value right: shared memory, strides, requires_grad, classes
#: of containers and results, the sign of zero, the state of the random generator, torch's settings.
HARMLESS = frozenset(
    {"alias", "identity", "stride", "requires-grad", "class", "zero-sign", "random", "settings"}
)


@dataclass(frozen=True)
class Rules:
    """What counts: within which tolerance, whether only metadata is predicted, and whether the
    capture is one that gradients are asked of. ``rounding`` allows more at some places;
    ``rounds_to`` is the exporter's (see its protocol)."""

    tolerance: Tolerance
    metadata_only: bool = False
    gradients: bool = True
    rounding: Mapping[str, torch.Tensor] = field(default_factory=dict)
    rounds_to: float = 0.0


#: Where not even the last digit may differ.
EXACTLY = Rules(Tolerance(rtol=0, atol=0))


@dataclass(frozen=True)
class Difference:
    """One disagreement; ``kind`` is structure, type, dtype, device, shape, values, input-mutation,
    state-mutation, gradient, out-of-bounds, held, input-on-error or state-on-error, or one of
    HARMLESS."""

    kind: str
    message: str

    @property
    def harmless(self) -> bool:
        """Whether every value is right all the same."""
        return self.kind in HARMLESS


#: What torch allows in double precision is more than a number loses that passes through single
#: precision, and that is no rounding.
_DOUBLE = 1e-10


def tolerances_of(dtype: torch.dtype, tolerance: Tolerance) -> tuple[float, float]:
    """The relative and the absolute tolerance: the case's, or that of the dtype.

    A case says what its single precision needs: of a half type, as autocast gives, that is less
    than one step, so there it may only allow more; or nothing, where it asks for the very values.

    >>> tolerances_of(torch.bfloat16, Tolerance(1e-4, 1e-4))
    (0.016, 0.0001)
    >>> tolerances_of(torch.bfloat16, Tolerance(0.0, 0.0))
    (0.0, 0.0)
    """
    rtol, atol = torch.testing._comparison.default_tolerances(dtype)
    if dtype in (torch.float64, torch.complex128):
        rtol = atol = _DOUBLE
    half = dtype in (torch.float16, torch.bfloat16)

    def allowed(own: float, given: float | None) -> float:
        return own if given is None else max(own, given) if half and given else given

    return allowed(rtol, tolerance.rtol), allowed(atol, tolerance.atol)


def differ(what: str, eager: object, capture: object) -> str:
    """In words, what is one thing in eager and another in the capture."""
    return f"{what} is {eager} in eager, {capture} in capture"


def short(value: Any) -> str:
    """A value in a few words."""
    return f"a tensor {tuple(value.shape)}" if isinstance(value, torch.Tensor) else shown(value)
