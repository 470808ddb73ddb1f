"""A program as a module that takes its open inputs one by one and gives a list.

For tracers that know tensors and nothing else. Owns the way between such lists and the program's
own structure; which inputs are open is said by the exporter, and all others are constants of what
was traced. It imports torch: exporters import it inside their methods.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import NoneType
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.exporters.protocol import Program

#: What can be nothing but a constant.
_FIXED = (NoneType, bool, str, bytes, enum.Enum, type, torch.dtype, torch.device, torch.layout,
          torch.memory_format)  # fmt: skip


def is_fixed(leaf: Any) -> bool:
    """Whether an input is a constant to every tracer: no tensor, number or object that has some."""
    return isinstance(leaf, _FIXED)


def is_number(leaf: Any) -> bool:
    """Whether an input is a plain number."""
    return type(leaf) in (int, float, complex)


class Flat(torch.nn.Module):
    """``module(*leaves)``, for those leaves of the inputs that are open."""

    def __init__(self, module: Any, program: Program, is_open: Callable[[Any], bool]) -> None:
        super().__init__()
        self.program = module
        leaves, self._structure = pytree.tree_flatten((program.args, dict(program.kwargs)))
        self.open = [is_open(leaf) for leaf in leaves]
        self._constants = [None if o else x for o, x in zip(self.open, leaves, strict=True)]
        self._out: Any = None

    def forward(self, *inputs: Any) -> list[Any]:
        rest = iter(inputs)
        leaves = [next(rest) if o else x for o, x in zip(self.open, self._constants, strict=True)]
        args, kwargs = pytree.tree_unflatten(leaves, self._structure)
        # As tracers do with the module that they are given; its hooks are not part of the program.
        out, self._out = pytree.tree_flatten(self.program.forward(*args, **kwargs))
        return list(out)

    def given(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """The open leaves of a call.

        Raises ValueError for a call of another structure, and for another value of a constant.
        """
        leaves = self._structure.flatten_up_to((tuple(args), dict(kwargs)))
        found = []
        for is_open, constant, leaf in zip(self.open, self._constants, leaves, strict=True):
            if is_open:
                found.append(leaf)
            elif constant is not leaf and (type(constant), constant) != (type(leaf), leaf):
                raise ValueError(f"an input is the constant {constant!r} in what was traced")
        return found

    def structured(self, outputs: Iterable[Any]) -> Any:
        """The program's output, from the list that the last call of ``forward`` gave."""
        return pytree.tree_unflatten(list(outputs), self._out)


class FlatTensors(Flat):
    """The same for a tracer that cannot give anything but tensors: what else ``module`` gives is a
    constant of what was traced."""

    def forward(self, *inputs: Any) -> Any:
        outputs = super().forward(*inputs)
        self.gives = [isinstance(out, torch.Tensor) for out in outputs]
        self._others = [None if g else x for g, x in zip(self.gives, outputs, strict=True)]
        return tuple(out for out in outputs if isinstance(out, torch.Tensor))

    def structured(self, outputs: Iterable[Any]) -> Any:
        """As that of ``Flat``, from the tensors alone."""
        rest = iter(outputs)
        return super().structured(
            [next(rest) if g else x for g, x in zip(self.gives, self._others, strict=True)]
        )
