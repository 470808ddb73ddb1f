"""How an operator is broken: eager runs under a dispatch mode that replaces results.

Owns the way of a defect into the place where an operator's kernel would be: below autograd, where
composite functions have come apart into the operators that a compiler has kernels for. The defects
themselves are left to ``mutants``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch._ops import OpOverload, OpOverloadPacket
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

from detection.mutant import Hit, Make
from exportdb.conformance.observing import is_fake
from exportdb.exporters.protocol import Program

#: A function of the right result and of those arguments that it names, which gives a wrong result,
#: or None where it has nothing to break. ``x`` is the operator's first argument, whatever its name;
#: an argument that an overload does not have is None.
Defect = Callable[..., Any]


def name_of(operator: Any) -> str:
    """``add`` of ``aten.add_.Tensor``, "" of what is no operator of aten."""
    if not isinstance(operator, OpOverload) or operator.namespace != "aten":
        return ""
    return operator.overloadpacket.__name__.rstrip("_")


def core() -> set[str]:
    """The names of the operators of core ATen, to which exporters decompose the others."""
    packets = (getattr(torch.ops.aten, name) for name in dir(torch.ops.aten))
    return {
        packet.__name__.rstrip("_")
        for packet in packets
        if isinstance(packet, OpOverloadPacket)
        and any(torch.Tag.core in getattr(packet, o).tags for o in packet.overloads())
    }


class _Recorded(TorchDispatchMode):
    """Runs everything as it is, and notes the names of the operators."""

    supports_higher_order_operators = True

    def __init__(self, found: set[str]) -> None:
        super().__init__()
        self.found = found

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.found.add(name_of(func))
        return func(*args, **(kwargs or {}))


class Replaced(TorchDispatchMode):
    """Runs everything as it is, but for the operators ``names``, whose results ``defect`` makes."""

    supports_higher_order_operators = True

    def __init__(self, names: Sequence[str], defect: Defect, hit: Hit) -> None:
        super().__init__()
        self.names, self.defect, self.hit = frozenset(names), defect, hit
        self.wanted = [p for p in inspect.signature(defect).parameters if p != "right"]

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if name_of(func) not in self.names or any(map(is_fake, _tensors((args, kwargs)))):
            return func(*args, **kwargs)
        # What it was given must be known when it has been overwritten.
        given = _copied((args, kwargs)) if func._schema.is_mutable else (args, kwargs)
        right = func(*args, **kwargs)
        wrong = self._wrong(right, _bound(func, *given), func._schema.is_mutable)
        if wrong is None:
            return right
        if not func._schema.is_mutable:
            self.hit()
            return wrong
        if isinstance(right, torch.Tensor) and wrong.shape == right.shape:
            self.hit()
            right.copy_(wrong)
        return right

    def _wrong(self, right: Any, arguments: Mapping[str, Any], mutable: bool) -> Any:
        """What the defect makes of a result, or None where that is the result itself."""
        try:
            wrong = self.defect(
                _copied(right) if mutable else right,
                **{name: arguments.get(name) for name in self.wanted},
            )
            if wrong is None or (wrong is not arguments["x"] and same(right, wrong)):
                return None
        except Exception as e:
            self.hit.trouble = f"{type(e).__name__}: {e}"[:300]
            return None
        return wrong


def breaking(names: Sequence[str], defect: Defect) -> Make:
    """A capture that is eager itself with ``defect`` in the operators ``names``."""
    return _under(lambda hit: Replaced(names, defect, hit))


def recording(found: set[str]) -> Make:
    """A capture that is eager itself and adds the names of its operators to ``found``."""
    return _under(lambda hit: _Recorded(found))


def _under(mode_of: Callable[[Hit], TorchDispatchMode]) -> Make:
    def make(program: Program, hit: Hit) -> Callable[..., Any]:
        mode = mode_of(hit)

        def call(*args: Any, **kwargs: Any) -> Any:
            with mode:
                return program.module(*args, **kwargs)

        return call

    return make


def same(a: Any, b: Any) -> bool:
    """Whether two results are the same, their sizes, strides and types included.

    Values are, if they differ by no more than rounding and have the same sign, zeros too.
    """
    leaves, spec = pytree.tree_flatten(a)
    others, other_spec = pytree.tree_flatten(b)
    return spec == other_spec and all(map(_same, leaves, others))


def _same(a: Any, b: Any) -> bool:
    if not isinstance(a, torch.Tensor) or not isinstance(b, torch.Tensor):
        return type(a) is type(b) and (a == b or a != a)
    if (a.dtype, a.shape, a.layout) != (b.dtype, b.shape, b.layout) or a.layout != torch.strided:
        return False
    if a.stride() != b.stride() or a.is_conj() != b.is_conj():
        return False
    if a.is_meta or b.is_meta:
        return a.is_meta == b.is_meta
    if not (a.is_floating_point() or a.is_complex()):
        return torch.equal(a, b)
    if a.is_floating_point() and a.itemsize == 1:  # nothing is computed with these
        a, b = a.float(), b.float()
    equal = torch.isclose(a, b, rtol=8 * torch.finfo(a.dtype).eps, atol=0.0, equal_nan=True)
    if a.is_floating_point():
        equal &= (a != a) | (a.signbit() == b.signbit())
    return bool(equal.all())


def _bound(func: OpOverload, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call by the names in the operator's schema, and the first as ``x``."""
    found = {}
    for i, argument in enumerate(func._schema.arguments):
        default = argument.default_value if argument.has_default_value() else None
        found[argument.name] = args[i] if i < len(args) else kwargs.get(argument.name, default)
    return {**found, "x": next(iter(found.values()), None)}


def _tensors(value: Any) -> list[torch.Tensor]:
    return [leaf for leaf in pytree.tree_leaves(value) if isinstance(leaf, torch.Tensor)]


def _copied(value: Any) -> Any:
    return pytree.tree_map(lambda t: t.clone() if isinstance(t, torch.Tensor) else t, value)
