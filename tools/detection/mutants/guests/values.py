"""What kind of number a value is, and what is left of one in single precision."""

from __future__ import annotations

import math
import struct
from typing import Any

import torch


def floating(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def integral(value: Any) -> bool:
    """Whether it is a tensor of whole numbers or truth values."""
    return (
        isinstance(value, torch.Tensor) and not value.is_floating_point() and not value.is_complex()
    )


def single(value: Any) -> Any:
    """A float as single precision has it; whatever that has no place for stays."""
    if type(value) is float and math.isfinite(value) and abs(value) < 3e38:
        return struct.unpack("f", struct.pack("f", value))[0]
    return value
