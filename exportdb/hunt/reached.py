"""Which operators of ATen a program calls: what a hunt has reached.

Owns the look at one program in eager, on its example. Runs where torch is.
"""

from __future__ import annotations

import contextlib
import warnings
from typing import Any

from torch.utils._python_dispatch import TorchDispatchMode

from exportdb.conformance.program import as_inputs
from exportdb.hunt.partial_program import fresh_space, run, uncompiled


class _Calls(TorchDispatchMode):
    """Keeps the names of what is called within it, without overloads."""

    def __init__(self) -> None:
        super().__init__()
        self.names: dict[str, None] = {}

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        self.names[str(getattr(func, "overloadpacket", func))] = None
        return func(*args, **(kwargs or {}))


def operators(text: str) -> list[str]:
    """The operators that a case calls on its example, like ``add``; of one that raises those
    before."""
    space, calls = fresh_space("reached"), _Calls()
    with warnings.catch_warnings(), contextlib.redirect_stdout(None), uncompiled():
        warnings.simplefilter("ignore")
        with contextlib.suppress(Exception):
            run(text, space)
            (args, kwargs), model = as_inputs(space["inputs"]()), space["Model"]()
            with calls:
                model(*args, **kwargs)
    return [name.removeprefix("aten.") for name in calls.names]
