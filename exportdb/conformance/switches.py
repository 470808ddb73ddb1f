"""Turns switches in this process, for the time of one examination.

Owns what each name of ``exportdb.records.switches`` means to torch, and that it is undone. The
switch ``mode`` is about modules: ``exportdb.conformance.program`` puts them into it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

import torch
from torch.fx.experimental import _config as symbolic_config

from exportdb.records.switches import ON, Switches, value


@contextlib.contextmanager
def turned(switches: Switches) -> Iterator[None]:
    """A context in which the switches are set; afterwards everything is as it was."""
    with contextlib.ExitStack() as undo:
        if value(switches, "deterministic") == ON:
            undo.enter_context(_deterministic())
        if (dtype := value(switches, "default-dtype")) != "float32":
            undo.callback(torch.set_default_dtype, torch.get_default_dtype())
            torch.set_default_dtype(getattr(torch, dtype))
        if value(switches, "backed-size-oblivious") == ON:
            undo.enter_context(symbolic_config.patch(backed_size_oblivious=True))
        if value(switches, "assume-static") != ON:
            undo.enter_context(torch._dynamo.config.patch(assume_static_by_default=False))
        yield


@contextlib.contextmanager
def _deterministic() -> Iterator[None]:
    before = torch.are_deterministic_algorithms_enabled()
    workspace = os.environ.get(_WORKSPACE)
    os.environ.setdefault(_WORKSPACE, ":4096:8")  # cuBLAS refuses without it
    torch.use_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before)
        if workspace is None:
            os.environ.pop(_WORKSPACE, None)


_WORKSPACE = "CUBLAS_WORKSPACE_CONFIG"
