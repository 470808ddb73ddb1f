"""Torch's settings that decide what any later operation of the process does.

Owns which they are. Who may leave them changed is left to ``examine`` (a capture) and ``agreement``
(a call).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch

Settings = Mapping[str, Any]

_READ: dict[str, Callable[[], Any]] = {
    "grad mode": torch.is_grad_enabled,
    "inference mode": torch.is_inference_mode_enabled,
    "anomaly mode": torch.is_anomaly_enabled,
    "the default dtype": torch.get_default_dtype,
    "the default device": lambda: str(torch.get_default_device()),
    "autocast": lambda: (torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")),
    "deterministic algorithms": torch.are_deterministic_algorithms_enabled,
    "the precision of matrix products": torch.get_float32_matmul_precision,
    "the number of threads": torch.get_num_threads,
    "modes that are entered": lambda: (
        torch._C._len_torch_function_stack(),
        torch._C._len_torch_dispatch_stack(),
    ),
}


def settings() -> Settings:
    """What torch is set to now."""
    return {name: read() for name, read in _READ.items()}


def changed(before: Settings) -> Settings:
    """The settings that are other ones than before, as they are now."""
    return {name: value for name, value in settings().items() if before[name] != value}
