"""Whether two runs of a program agree: outputs, changes made in place, aliases and gradients.

Owns the comparison with eager that DESIGN calls agreement. A run is observed by :func:`observe`,
two observations are compared by :func:`differences`; what follows from a difference is left to
``examine``.
"""

from __future__ import annotations

import copy
import enum
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType, MethodType, ModuleType
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils import _pytree as pytree

from exportdb.cases.case import Tolerance
from exportdb.conformance.errors import one_line, shown
from exportdb.conformance.program import Inputs
from exportdb.symbolic.evaluate import Predicted

#: Named tensors that a module keeps between calls.
State = Mapping[str, torch.Tensor]


@dataclass(frozen=True)
class Behaviour:
    """What one run did: its output or the exception, and everything it changed."""

    output: Any = None
    exception: BaseException | None = None
    inputs: Inputs = ((), {})  # after the run
    state: State = field(default_factory=dict)  # after the run
    gradients: Mapping[str, torch.Tensor | None] = field(default_factory=dict)
    overrun: tuple[int, ...] = ()  # positions of the input leaves around which it wrote


@dataclass(frozen=True)
class Difference:
    """One disagreement; ``kind`` is structure, type, dtype, device, shape, stride, values,
    input-mutation, state-mutation, alias, gradient or out-of-bounds."""

    kind: str
    message: str


def observe(
    call: Callable[..., Any], inputs: Inputs, owner: torch.nn.Module, train: bool = False
) -> Behaviour:
    """Run ``call`` on ``inputs`` (which it may change) and note what it did.

    ``owner`` is the module whose parameters and buffers are the state of ``call``. With ``train``
    the gradients of the sum of all floating outputs are taken, with respect to its parameters and
    to the inputs that require one. An exception is part of the observation, unless it ends a
    process in real life (SystemExit, MemoryError and the like are raised on).
    """
    args, kwargs = inputs
    try:
        output = call(*args, **kwargs)
        gradients = _gradients(output, inputs, dict(owner.named_parameters())) if train else {}
        return Behaviour(output, None, inputs, named_tensors(owner), gradients)
    except MemoryError:
        raise
    except Exception as e:
        return Behaviour(exception=e, inputs=inputs)


def named_tensors(module: torch.nn.Module) -> State:
    """The parameters and buffers of a module by name."""
    return {**dict(module.named_parameters()), **dict(module.named_buffers())}


def is_fake(tensor: torch.Tensor) -> bool:
    """Whether a tensor is one of tracing: left behind by it, or on a device that is not there."""
    return isinstance(tensor, FakeTensor)


def holds_values(tensor: torch.Tensor) -> bool:
    """Whether there is anything to compare but metadata."""
    return tensor.device.type != "meta" and not is_fake(tensor)


def fresh(inputs: Inputs) -> Inputs:
    """Deep copies of all inputs, aliases among them kept."""
    return copy.deepcopy(inputs)


def differences(
    eager: Behaviour,
    capture: Behaviour,
    tolerance: Tolerance,
    names: Sequence[str] = (),
    metadata_only: bool = False,
) -> list[Difference]:
    """How ``capture`` differs from ``eager``, most telling first; empty when they agree.

    ``names`` are the names of the input leaves. With ``metadata_only`` the capture predicts
    structure, shapes, strides and dtypes, and nothing else is compared.
    """
    compare = _Comparison(tolerance, metadata_only)
    try:
        return compare.behaviours(eager, capture, names)
    except Exception as e:  # a class of the exporter's own may raise when its objects are looked at
        compare.behaviours(eager, eager, names)  # raises too where that is the program's doing
        return [Difference("type", f"what it gave cannot be compared: {one_line(e)}")]


def overruns(capture: Behaviour, names: Sequence[str]) -> list[Difference]:
    """The inputs around which ``capture`` wrote into memory that is not theirs."""
    return [
        Difference("out-of-bounds", f"memory before or after {_input(names, i)} is written to")
        for i in capture.overrun
    ]


def _input(names: Sequence[str], i: int) -> str:
    return names[i] if i < len(names) else f"input {i}"


@dataclass(frozen=True)
class _Comparison:
    tolerance: Tolerance
    metadata_only: bool
    # Pairs of objects whose attributes were compared: an object may lead back to itself.
    compared: set[tuple[int, int]] = field(default_factory=set)

    def behaviours(
        self, eager: Behaviour, capture: Behaviour, names: Sequence[str]
    ) -> list[Difference]:
        found = list(self.trees("output", eager.output, capture.output))
        if self.metadata_only or found:
            return found
        found += self.inputs(eager.inputs, capture.inputs, names)
        found += self.state(eager.state, capture.state)
        found += _alias_differences(eager, capture, names)
        found += overruns(capture, names)
        for name, gradient in eager.gradients.items():
            for d in self.leaves(f"gradient of {name}", gradient, capture.gradients.get(name)):
                found.append(Difference("gradient", d.message))
        return found

    def trees(self, what: str, eager: Any, capture: Any) -> Iterator[Difference]:
        leaves, spec = _flatten(eager)
        other_leaves, other_spec = _flatten(capture)
        if spec != other_spec:
            yield Difference(
                "structure", f"{what} is {_outline(eager)} in eager, {_outline(capture)} in capture"
            )
            return
        for (path, leaf), (_, other) in zip(leaves, other_leaves, strict=True):
            yield from self.leaves(what + path, leaf, other)

    def leaves(self, what: str, eager: Any, capture: Any) -> Iterator[Difference]:
        if isinstance(capture, Predicted):
            yield from _prediction_differences(what, eager, capture)
        elif isinstance(eager, torch.Tensor) and isinstance(capture, torch.Tensor):
            yield from self._tensors(what, eager, capture)
        elif type(eager) is not type(capture):
            yield Difference(
                "type", f"{what} is {_short(eager)} in eager, {_short(capture)} in capture"
            )
        elif _is_record(eager):
            pair = id(eager), id(capture)
            if pair not in self.compared:
                self.compared.add(pair)
                yield from self.trees(what, vars(eager), vars(capture))
        elif not self.metadata_only and not _same_value(eager, capture):
            yield Difference(
                "values", f"{what} is {_short(eager)} in eager, {_short(capture)} in capture"
            )

    def _tensors(self, what: str, a: torch.Tensor, b: torch.Tensor) -> Iterator[Difference]:
        if a is b:
            return
        if is_fake(b) and not is_fake(a):
            yield Difference("type", f"{what} is left as a fake tensor by the capture")
        elif a.dtype != b.dtype:
            yield Difference("dtype", f"{what} has dtype {a.dtype} in eager, {b.dtype} in capture")
        elif a.shape != b.shape:
            yield Difference(
                "shape", f"{what} has shape {tuple(a.shape)} in eager, {tuple(b.shape)} in capture"
            )
        elif a.layout != b.layout:
            yield Difference(
                "type", f"{what} has layout {a.layout} in eager, {b.layout} in capture"
            )
        elif self.metadata_only:
            if not _same_strides(a, b):
                yield Difference(
                    "stride", f"{what} has strides {a.stride()} in eager, {b.stride()} in capture"
                )
        elif a.device != b.device:
            yield Difference(
                "device", f"{what} is on {a.device} in eager, on {b.device} in capture"
            )
        elif holds_values(a) and (where := self._unequal(a, b)):
            yield Difference("values", f"{what}{where}")

    def _unequal(self, a: torch.Tensor, b: torch.Tensor) -> str:
        """Where the values of two tensors of one shape and dtype differ, or ""."""
        a, b = _plain(a), _plain(b)
        if torch.equal(a, b):
            return ""
        rtol, atol = _tolerances(a.dtype, self.tolerance)
        near = torch.isclose(a, b, rtol=rtol, atol=atol, equal_nan=True)
        if bool(near.all()):
            return ""
        index = (~near).nonzero()[0].tolist()
        first = f"{a[tuple(index)].item()} in eager, {b[tuple(index)].item()} in capture"
        place = f"[{', '.join(map(str, index))}]" if index else ""
        return f"{place} is {first} ({int((~near).sum())} of {a.numel()} values differ)"

    def inputs(self, eager: Inputs, capture: Inputs, names: Sequence[str]) -> list[Difference]:
        leaves, spec = _flatten(eager)
        others, other_spec = _flatten(capture)
        if spec != other_spec:
            return [
                Difference("input-mutation", "the structure of the inputs is changed differently")
            ]
        found = []
        for i, ((_, leaf), (_, other)) in enumerate(zip(leaves, others, strict=True)):
            for d in self.leaves(f"input {_input(names, i)} after the call", leaf, other):
                found.append(Difference("input-mutation", d.message))
        return found

    def state(self, eager: State, capture: State) -> list[Difference]:
        found = []
        for name in eager.keys() & capture.keys():
            for d in self.leaves(f"{name} after the call", eager[name], capture[name]):
                found.append(Difference("state-mutation", d.message))
        return sorted(found, key=lambda d: d.message)


def _gradients(output: Any, inputs: Inputs, parameters: State) -> dict[str, torch.Tensor | None]:
    wanted = {**parameters}
    for path, leaf in _flatten(inputs)[0]:
        if isinstance(leaf, torch.Tensor) and leaf.requires_grad and leaf.is_leaf:
            wanted["input" + path] = leaf
    for tensor in wanted.values():
        tensor.grad = None
    outputs = [
        o for o in pytree.tree_leaves(output) if isinstance(o, torch.Tensor) and o.requires_grad
    ]
    if outputs:
        torch.stack([o.double().sum() for o in outputs]).sum().backward()
    return {name: tensor.grad for name, tensor in wanted.items()}


def _flatten(value: Any) -> tuple[list[tuple[str, Any]], Any]:
    """The leaves of a value, each with its place in it, and the structure."""
    leaves, spec = pytree.tree_flatten(value)
    try:
        paths = [pytree.keystr(path) for path, _ in pytree.tree_flatten_with_path(value)[0]]
    except ValueError:  # a registered container that does not say its keys
        paths = [f"[{i}]" for i in range(len(leaves))]
    return list(zip(paths, leaves, strict=True)), spec


def _alias_differences(
    eager: Behaviour, capture: Behaviour, names: Sequence[str]
) -> list[Difference]:
    before, after = _aliases(eager, names), _aliases(capture, names)
    lost = [f"{a} aliases {b} in eager, not in capture" for a, b in sorted(before - after)]
    made = [f"{a} aliases {b} in capture, not in eager" for a, b in sorted(after - before)]
    return [Difference("alias", message) for message in lost + made]


def _aliases(run: Behaviour, names: Sequence[str]) -> set[tuple[str, str]]:
    """Pairs of (output, input or earlier output) that share storage."""
    seen: dict[int, list[str]] = {}
    for i, leaf in enumerate(pytree.tree_leaves(run.inputs)):
        if (key := _storage(leaf)) is not None:
            seen.setdefault(key, []).append(_input(names, i))
    pairs = set()
    for path, leaf in _flatten(run.output)[0]:
        if (key := _storage(leaf)) is not None:
            name = "output" + path
            pairs |= {(name, other) for other in seen.get(key, ())}
            seen.setdefault(key, []).append(name)
    return pairs


def _storage(leaf: Any) -> int | None:
    if not isinstance(leaf, torch.Tensor) or leaf.layout is not torch.strided or not leaf.numel():
        return None
    try:
        return int(leaf.untyped_storage()._cdata)
    except (RuntimeError, NotImplementedError):  # a tensor subclass without storage
        return None


def _prediction_differences(what: str, eager: Any, predicted: Predicted) -> Iterator[Difference]:
    """How eager contradicts a prediction; None in it is what could not be known."""
    if not isinstance(eager, torch.Tensor):
        if predicted.dtype is not None:
            yield Difference("type", f"{what} is {_short(eager)} in eager, a tensor is predicted")
    elif predicted.dtype != eager.dtype:
        yield Difference(
            "dtype", f"{what} has dtype {eager.dtype} in eager, {predicted.dtype} is predicted"
        )
    elif not _fits(eager.shape, predicted.sizes, predicted.bounds):
        yield Difference(
            "shape",
            f"{what} has shape {tuple(eager.shape)} in eager, {predicted.sizes} is predicted",
        )


def _fits(
    sizes: Sequence[int],
    predicted: Sequence[int | None],
    bounds: Sequence[tuple[int | None, int | None]],
) -> bool:
    if len(sizes) != len(predicted):
        return False
    known = all(p is None or p == s for p, s in zip(predicted, sizes, strict=True))
    within = all(
        (low is None or low <= s) and (high is None or s <= high)
        for s, (low, high) in zip(sizes, bounds, strict=False)
    )
    return known and within


def _same_strides(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Strides of axes with one element, and of empty tensors, say nothing."""
    if not a.numel():
        return True
    return all(
        size <= 1 or s == t for size, s, t in zip(a.shape, a.stride(), b.stride(), strict=True)
    )


def _is_record(value: Any) -> bool:
    """Whether a leaf is what its attributes say: an object that pytree does not know.

    Its ``==`` may compare identities, or fail on the tensors inside.
    """
    return hasattr(value, "__dict__") and not isinstance(
        value, type | FunctionType | ModuleType | MethodType | torch.nn.Module | enum.Enum
    )


def _same_value(a: Any, b: Any) -> bool:
    if isinstance(a, float) and math.isnan(a):
        return math.isnan(b)
    try:
        return bool(a == b)
    except Exception:  # an object's own __eq__ may do anything
        return False


def _plain(t: torch.Tensor) -> torch.Tensor:
    t = t.detach()
    if t.layout is not torch.strided:
        t = t.to_dense()
    return t.dequantize() if t.is_quantized else t.resolve_conj().resolve_neg()


def _tolerances(dtype: torch.dtype, tolerance: Tolerance) -> tuple[float, float]:
    rtol, atol = torch.testing._comparison.default_tolerances(dtype)
    return (
        rtol if tolerance.rtol is None else tolerance.rtol,
        atol if tolerance.atol is None else tolerance.atol,
    )


def _short(value: Any) -> str:
    return f"a tensor {tuple(value.shape)}" if isinstance(value, torch.Tensor) else shown(value)


def _outline(value: Any) -> str:
    """The structure of a value in a few words: ``tuple(tensor, dict(a=tensor))``."""
    if isinstance(value, torch.Tensor):
        return "tensor"
    if isinstance(value, Mapping):
        inner = ", ".join(f"{k}={_outline(v)}" for k, v in value.items())
        return f"{type(value).__name__}({inner})"
    if isinstance(value, list | tuple):
        return f"{type(value).__name__}({', '.join(map(_outline, value))})"
    return type(value).__name__
