"""Torch's settings that decide what any later operation of the process does.

Owns which they are, and putting back those that can be. Who may leave them changed is left to
``examine`` (a capture) and ``agreement`` (a call).
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
    "deterministic algorithms": lambda: (
        torch.are_deterministic_algorithms_enabled(),
        torch.is_deterministic_algorithms_warn_only_enabled(),
    ),
    "the precision of matrix products": torch.get_float32_matmul_precision,
    "the number of threads": torch.get_num_threads,
    "modes that are entered": lambda: (
        torch._C._len_torch_function_stack(),
        torch._C._len_torch_dispatch_stack(),
    ),
}

_SET: dict[str, Callable[[Any], object]] = {
    "grad mode": torch._C._set_grad_enabled,
    "the default dtype": torch.set_default_dtype,
    # torch.use_deterministic_algorithms sets Inductor's configuration as well.
    "deterministic algorithms": lambda both: torch._C._set_deterministic_algorithms(
        both[0], warn_only=both[1]
    ),
    "the precision of matrix products": torch.set_float32_matmul_precision,
    "the number of threads": torch.set_num_threads,
}


def settings() -> Settings:
    """What torch is set to now."""
    return {name: read() for name, read in _READ.items()}


def changed(before: Settings) -> Settings:
    """The settings that differ from those before, as they are now."""
    return {name: value for name, value in settings().items() if before[name] != value}


def put_back(before: Settings) -> None:
    """Set what can be set to what it was before."""
    for name in changed(before):
        if name in _SET:
            _SET[name](before[name])
