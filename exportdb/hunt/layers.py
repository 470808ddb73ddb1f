"""Calls of torch's modules as torch's own module tests make them.

Owns which of them are drawn, and how one is built; the order is ``opinfo``'s. Where what these
tests import is not installed there are none.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import torch

#: Modules that are random, or have no parameters before their first call.
_NEVER = re.compile(r"Dropout|Fractional|Lazy")


class LayerSample(NamedTuple):
    """What a module is built with, and what it is then called with."""

    input: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    built: tuple[tuple[Any, ...], dict[str, Any]]


@cache
def layers() -> dict[str, Any]:
    """What torch's tests know of its modules, by what a program calls them."""
    try:
        from torch.testing._internal.common_modules import module_db
    except ImportError:
        return {}
    return {
        f"torch.{info.name}": info
        for info in module_db
        if not _NEVER.search(info.name) and hasattr(torch.nn, info.module_cls.__name__)
    }


def samples(name: str, dtype: torch.dtype, most: int) -> Iterator[LayerSample]:
    """Calls of a module, each of a new one; none where it does not take that dtype."""
    info = layers()[name]
    if dtype not in info.dtypes:
        return
    torch.manual_seed(0)
    takes = "dtype" in inspect.signature(info.module_cls).parameters
    # Torch's tests convert the module that they have built.
    more = {"dtype": dtype} if takes and dtype is not torch.get_default_dtype() else {}
    made = info.module_inputs_func(
        info, device="cpu", dtype=dtype, requires_grad=False, training=True
    )
    for one in islice(made, most):
        if one.forward_input is not None and one.forward_input.args:
            first, *rest = one.forward_input.args
            built = one.constructor_input
            yield LayerSample(
                first, tuple(rest), dict(one.forward_input.kwargs),
                (tuple(built.args), {**built.kwargs, **more}),
            )  # fmt: skip
