"""Which operators of ATen run: what a hunt has reached.

Owns the look at a program in eager, on its example, and the mode that notes names. Runs where torch
is.
"""

from __future__ import annotations

import contextlib
import warnings
from typing import Any

from torch._ops import OpOverload
from torch.utils._python_dispatch import TorchDispatchMode

from exportdb.conformance.program import as_inputs
from exportdb.hunt.partial_program import fresh_space, run, uncompiled


class OperatorNames(TorchDispatchMode):  # type: ignore[misc]
    """Notes the names of the operators of ATen that run within it, whether they write or not."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if isinstance(func, OpOverload) and func.namespace == "aten":
            self.names.add(func.overloadpacket.__name__.rstrip("_"))
        return func(*args, **(kwargs or {}))


def operators(text: str) -> list[str]:
    """The operators that a case calls on its example, like ``add``; of one that raises those
    before."""
    space, calls = fresh_space("reached"), OperatorNames()
    with warnings.catch_warnings(), contextlib.redirect_stdout(None), uncompiled():
        warnings.simplefilter("ignore")
        with contextlib.suppress(Exception):
            run(text, space)
            (args, kwargs), model = as_inputs(space["inputs"]()), space["Model"]()
            with calls:
                model(*args, **kwargs)
    return sorted(calls.names)
