"""The calling convention of an exported program, for runtimes that take and give flat lists.

Owns the way from a call's arguments to the leaves that the graph takes, in its order, and back from
what the graph gives to the program's own structure. What a leaf looks like to a runtime (an array,
a buffer) is the exporter's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any


class Convention:
    """How a ``torch.export.ExportedProgram`` is called."""

    def __init__(self, exported: Any) -> None:
        signature = exported.graph_signature
        self._inputs = [s.arg for s in signature.input_specs if s.kind.name == "USER_INPUT"]
        self._outputs = [s.arg for s in signature.output_specs if s.kind.name == "USER_OUTPUT"]
        self._in_spec = exported.call_spec.in_spec
        self._out_spec = exported.call_spec.out_spec

    def leaves(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """The leaves of a call by the names that the graph gives them, in its order.

        What became a constant of the graph can have no other value: that is a ValueError, as is
        a call of another structure.
        """
        given = self._in_spec.flatten_up_to((args, dict(kwargs)))
        found = {}
        for spec, leaf in zip(self._inputs, given, strict=True):
            if is_constant(spec) and (type(spec.value), spec.value) != (type(leaf), leaf):
                raise ValueError(f"{spec.name} is the constant {spec.value!r} in the graph")
            found[spec.name] = leaf
        return found

    def fed(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """Those leaves of a call that are no constants of the graph. Raises as ``leaves`` does."""
        leaves = self.leaves(args, kwargs)
        return {s.name: leaves[s.name] for s in self._inputs if not is_constant(s)}

    @property
    def names(self) -> list[str]:
        """What the graph calls its inputs, in its order."""
        return [spec.name for spec in self._inputs]

    @property
    def outputs(self) -> list[Any]:
        """The specifications of all outputs, constants among them."""
        return list(self._outputs)

    @property
    def computed(self) -> list[Any]:
        """The specifications of those outputs that the graph computes: all but constants."""
        return [spec for spec in self._outputs if not is_constant(spec)]

    def structured(self, computed: Iterable[Any]) -> Any:
        """The program's output: what the graph computed, with its constants, in its structure.

        Raises ValueError if there are more or fewer than the graph says.
        """
        from torch.utils import _pytree as pytree

        rest = _counted(computed, len(self.computed))
        leaves = [spec.value if is_constant(spec) else next(rest) for spec in self._outputs]
        return pytree.tree_unflatten(leaves, self._out_spec)

    def whole(self, outputs: Iterable[Any]) -> Any:
        """The same from a runtime that gives the constants as well."""
        from torch.utils import _pytree as pytree

        leaves = list(_counted(outputs, len(self._outputs)))
        return pytree.tree_unflatten(leaves, self._out_spec)


def _counted(values: Iterable[Any], wanted: int) -> Iterator[Any]:
    found = list(values)
    if len(found) != wanted:
        raise ValueError(f"the program has {wanted} outputs, the runtime gave {len(found)}")
    return iter(found)


def dense(leaf: Any) -> Any:
    """A leaf as a tensor of its own memory, contiguous, without gradients and lazy conjugation.

    What a runtime writes to it is not seen by the caller. A number becomes a tensor of no
    dimensions, of 64 bits as Python has it; of a tensor on the meta device, which is given for its
    shape alone, zeros.
    """
    import torch

    if isinstance(leaf, torch.Tensor):
        tensor = leaf.detach()
    else:
        tensor = torch.tensor(leaf, dtype=torch.float64 if isinstance(leaf, float) else None)
    if tensor.is_meta:
        return torch.zeros_like(tensor, device="cpu", memory_format=torch.contiguous_format)
    return tensor.resolve_conj().resolve_neg().clone(memory_format=torch.contiguous_format)


def keeping_state(call: Callable[..., Any]) -> Any:
    """``call`` as a module of its own without parameters and buffers.

    For a runtime that keeps to itself what the program changes of its state: that can then be seen
    from what later calls give, and from nothing else.
    """
    import torch

    class Runtime(torch.nn.Module):
        def forward(self, *args: Any, **kwargs: Any) -> Any:
            return call(*args, **kwargs)

    return Runtime()


def is_constant(spec: Any) -> bool:
    """Whether an input or output is a value that stands in the graph."""
    return type(spec).__name__ == "ConstantArgument"
