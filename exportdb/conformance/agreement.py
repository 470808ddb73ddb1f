"""Whether two calls of a program agree: outputs, changes made in place, sharing and gradients.

Owns the comparison with eager that DESIGN calls agreement, and which differences leave every value
right. What a call did is seen by ``observing``; what follows from a difference is left to
``examine``.
"""

from __future__ import annotations

import cmath
import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType, MethodType, ModuleType
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.cases.case import Tolerance
from exportdb.conformance.errors import one_line, shown
from exportdb.conformance.latitude import Apart, apart
from exportdb.conformance.observing import (
    Behaviour,
    Part,
    Sharing,
    flatten,
    holds_values,
    identical,
    is_fake,
    plain,
)  # fmt: skip
from exportdb.conformance.program import Inputs
from exportdb.symbolic.evaluate import Predicted

#: Kinds of difference that leave every value right: shared memory, strides, requires_grad, classes
#: of containers and results, the sign of zero, the state of the random generator, torch's settings.
HARMLESS = frozenset(
    {"alias", "identity", "stride", "requires-grad", "class", "zero-sign", "random", "settings"}
)
_SIGNED = {torch.float16, torch.bfloat16, torch.float32, torch.float64}


@dataclass(frozen=True)
class Rules:
    """What counts: within which tolerance, whether only metadata is predicted, and whether the
    capture is one that gradients are asked of. ``rounding`` allows more at some places;
    ``rounds_to`` is the exporter's (see its protocol)."""

    tolerance: Tolerance
    metadata_only: bool = False
    gradients: bool = True
    rounding: Mapping[str, torch.Tensor] = field(default_factory=dict)
    rounds_to: float = 0.0


#: Where not even the last digit may differ.
EXACTLY = Rules(Tolerance(rtol=0, atol=0))


@dataclass(frozen=True)
class Difference:
    """One disagreement; ``kind`` is structure, type, dtype, device, shape, values, input-mutation,
    state-mutation, gradient, out-of-bounds, held, input-on-error or state-on-error, or one of
    HARMLESS."""

    kind: str
    message: str

    @property
    def harmless(self) -> bool:
        """Whether every value is right all the same."""
        return self.kind in HARMLESS


def differences(
    eager: Behaviour,
    capture: Behaviour,
    rules: Rules,
    names: Sequence[str] = (),
) -> list[Difference]:
    """How ``capture`` differs from ``eager``, most telling first; empty when they agree.

    ``names`` are the names of the input leaves.
    """
    compare = _Comparison(rules, eager.kept)
    try:
        found = compare.behaviours(eager, capture, names)
    except Exception as e:  # a class of the exporter's own may raise when its objects are looked at
        compare.behaviours(eager, eager, names)  # raises too where that is the program's doing
        return [Difference("type", f"what it gave cannot be compared: {one_line(e)}")]
    return sorted(found, key=lambda d: d.harmless)


def spread(one: Behaviour, other: Behaviour, rules: Rules) -> dict[str, Apart]:
    """How far apart the numbers of two behaviours are, by place."""
    measured: dict[str, Apart] = {}
    _Comparison(rules, one.kept, measured=measured).behaviours(one, other, ())
    return measured


def held_differences(eager: Sequence[Behaviour], capture: Sequence[Behaviour]) -> list[Difference]:
    """What calls in a row did to the output of an earlier one that the caller still holds.

    What eager overwrites too is memory that calls share. The memory of inputs is the caller's, who
    may fill it anew.
    """
    for calls, (one, other) in enumerate(zip(eager[-2::-1], capture[-2::-1], strict=True), 1):
        inputs = one.in_inputs | other.in_inputs
        theirs, ours = one.overwritten - inputs, other.overwritten - inputs
        when = "the next call" if calls == 1 else f"a call {calls} calls later"
        found = [
            *(Difference("held", f"output{p} is overwritten by {when}") for p in ours - theirs),
            *(
                Difference("alias", f"output{p} changes with {when} in eager, not in capture")
                for p in theirs - ours
            ),
        ]
        if found:
            return found
    return []


def state_on_error(eager: Behaviour, capture: Behaviour, rules: Rules) -> list[Difference]:
    """What a call that raises has left in parameters and buffers, other than in eager, where it
    raises too: the next call goes on from there."""
    compare, found = _Comparison(rules), list[Difference]()
    for name in sorted(eager.state.keys() & capture.state.keys()):
        what = f"after a call that raises {name}"
        for d in compare.leaves(what, eager.state[name], capture.state[name]):
            found.append(Difference("state-on-error", d.message))
    return found


def touched(before: Inputs, after: Inputs, names: Sequence[str]) -> list[str]:
    """The names of the input leaves that hold something else than before."""
    pairs = zip(pytree.tree_leaves(before), pytree.tree_leaves(after), strict=False)
    return [
        _input(names, i)
        for i, (a, b) in enumerate(pairs)
        if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor) and not identical(a, b)
    ]


def built_differently(one: Inputs, other: Inputs) -> str:
    """How two builds of the same inputs differ, or ""."""
    compare = _Comparison(EXACTLY)
    leaves, spec = flatten(one)
    others, other_spec = flatten(other)
    if spec != other_spec:
        return "they have another structure"
    for (path, a), (_, b) in zip(leaves, others, strict=True):
        plain_value = isinstance(a, torch.Tensor | int | float | complex | str | bytes)
        if plain_value and (found := next(compare.leaves(path, a, b), None)) is not None:
            return found.message.replace("in eager", "first").replace("in capture", "then")
    return ""


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
    rules: Rules
    # What tensors of eager's output held when it was observed.
    kept: Mapping[int, torch.Tensor] = field(default_factory=dict)
    # Pairs of objects whose attributes were compared: an object may lead back to itself.
    compared: set[tuple[int, int]] = field(default_factory=set)
    # Where it is only measured how far apart numbers are: what was, by place.
    measured: dict[str, Apart] | None = None

    def behaviours(
        self, eager: Behaviour, capture: Behaviour, names: Sequence[str]
    ) -> list[Difference]:
        found = list(self.trees("output", eager.output, capture.output))
        if self.rules.metadata_only or any(not d.harmless for d in found):
            return found
        found += self.inputs(eager.inputs, capture.inputs, names)
        found += self.state(eager, capture)
        found += _sharing_differences(eager, capture, names)
        found += overruns(capture, names)
        for name, gradient in eager.gradients.items():
            found += self.gradient(f"gradient of {name}", gradient, capture.gradients.get(name))
        if _drew_otherwise(eager.random, capture.random):
            said = "after the call, the random generator is in another state than in eager"
            found.append(Difference("random", said))
        for name in sorted(eager.settings.keys() | capture.settings.keys()):
            if eager.settings.get(name) != capture.settings.get(name):
                said = f"after the call, {name} is not what it is in eager"
                found.append(Difference("settings", said))
        return found

    def gradient(
        self, what: str, eager: torch.Tensor | None, capture: torch.Tensor | None
    ) -> Iterator[Difference]:
        """None and zeros say the same of the numbers: that nothing reaches the tensor."""
        given = [g for g in (eager, capture) if g is not None]
        kind = "requires-grad" if len(given) == 1 and _is_zero(given[0]) else "gradient"
        for d in self.leaves(what, eager, capture):
            if not d.harmless:
                yield Difference(kind, d.message)

    def trees(self, what: str, eager: Any, capture: Any) -> Iterator[Difference]:
        leaves, spec = flatten(eager)
        other_leaves, other_spec = flatten(capture)
        if spec != other_spec:
            said = f"{what} is {_outline(eager)} in eager, {_outline(capture)} in capture"
            if not _same_places(spec, other_spec):
                yield Difference("structure", said)
                return
            yield Difference("class", said)
        for (path, leaf), (_, other) in zip(leaves, other_leaves, strict=True):
            yield from self.leaves(what + path, leaf, other, result=True)

    def leaves(
        self, what: str, eager: Any, capture: Any, result: bool = False
    ) -> Iterator[Difference]:
        """How two leaves differ; of a ``result`` its class, strides and sign of zero count too."""
        if isinstance(capture, Predicted):
            yield from _prediction_differences(what, eager, capture)
        elif isinstance(eager, torch.Tensor) and isinstance(capture, torch.Tensor):
            wrong = next(self._tensors(what, eager, capture), None)
            if wrong is not None:
                yield wrong
            elif result and eager is not capture:
                yield from self._lost(what, eager, capture)
        elif _is_record(eager) and _is_record(capture) and _alike(eager, capture):
            if type(eager) is not type(capture):
                yield Difference("class", _differ(what, type(eager), type(capture)))
            pair = id(eager), id(capture)
            if pair not in self.compared:
                self.compared.add(pair)
                yield from self.trees(what, vars(eager), vars(capture))
        elif type(eager) is not type(capture):
            yield Difference("type", _differ(what, _short(eager), _short(capture)))
        elif not self.rules.metadata_only and not self._same_value(what, eager, capture):
            yield Difference("values", _differ(what, _short(eager), _short(capture)))

    def _tensors(self, what: str, a: torch.Tensor, b: torch.Tensor) -> Iterator[Difference]:
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
        elif self.rules.metadata_only:
            return
        elif a.device != b.device:
            yield Difference(
                "device", f"{what} is on {a.device} in eager, on {b.device} in capture"
            )
        elif holds_values(a) and (where := self._unequal(what, a, b)):
            yield Difference("values", f"{what}{where}")

    def _lost(self, what: str, a: torch.Tensor, b: torch.Tensor) -> Iterator[Difference]:
        """What two tensors with the same values differ in."""
        if a.layout is torch.strided and not _same_strides(a, b):
            yield Difference(
                "stride", f"{what} has strides {a.stride()} in eager, {b.stride()} in capture"
            )
        if self.rules.metadata_only:
            return
        if type(a) is not type(b):
            yield Difference("class", _differ(what, f"a {_name(a)}", f"a {_name(b)}"))
        if self.rules.gradients and a.requires_grad != b.requires_grad:
            yield Difference(
                "requires-grad",
                _differ(f"requires_grad of {what}", a.requires_grad, b.requires_grad),
            )
        if holds_values(a) and _zeros_differ(self.kept.get(id(a), a), b):
            yield Difference("zero-sign", f"{what} has zeros of another sign than in eager")

    def _unequal(self, what: str, a: torch.Tensor, b: torch.Tensor) -> str:
        """Where the values of two tensors of one shape and dtype differ, or ""."""
        rtol, atol = tolerances_of(a.dtype, self.rules.tolerance)
        a, b = plain(self.kept.get(id(a), a)), plain(b)
        if a is b or torch.equal(a, b):
            return ""
        if self.measured is not None:
            if a.is_floating_point() or a.is_complex():
                self.measured[what] = apart(a, b)
            return ""
        near = torch.isclose(a, b, rtol=rtol, atol=atol, equal_nan=True)
        if (rounding := self.rules.rounding.get(what)) is not None:
            near |= ((a - b).abs() <= rounding) | rounding.isinf()  # whatever it is, if it is none
        if bool(near.all()):
            return ""
        index = (~near).nonzero()[0].tolist()
        first = f"{a[tuple(index)].item()} in eager, {b[tuple(index)].item()} in capture"
        place = f"[{', '.join(map(str, index))}]" if index else ""
        return f"{place} is {first} ({int((~near).sum())} of {a.numel()} values differ)"

    def _same_value(self, what: str, a: Any, b: Any) -> bool:
        if isinstance(a, float | complex):
            if self.measured is not None:
                self.measured[what] = apart(torch.tensor(a), torch.tensor(b))
                return True
            # A number that a program gives was a tensor of the default dtype at some time.
            rtol, atol = tolerances_of(torch.get_default_dtype(), self.rules.tolerance)
            atol += float(self.rules.rounding.get(what, 0.0))
            return cmath.isclose(a, b, rel_tol=rtol, abs_tol=atol) or (a != a and b != b)
        try:
            return bool(a == b)
        except Exception:  # an object's own __eq__ may do anything
            return False

    def inputs(self, eager: Inputs, capture: Inputs, names: Sequence[str]) -> list[Difference]:
        leaves, spec = flatten(eager)
        others, other_spec = flatten(capture)
        if spec != other_spec:
            return [
                Difference("input-mutation", "the structure of the inputs is changed differently")
            ]
        found = []
        for i, ((_, leaf), (_, other)) in enumerate(zip(leaves, others, strict=True)):
            for d in self.leaves(f"input {_input(names, i)} after the call", leaf, other):
                if not d.harmless:
                    found.append(Difference("input-mutation", d.message))
        return found

    def state(self, eager: Behaviour, capture: Behaviour) -> list[Difference]:
        found = []
        for name in eager.state.keys() & capture.state.keys():
            what = f"{name} after the call"
            wrong = [
                Difference("state-mutation", d.message)
                for d in self.leaves(what, eager.state[name], capture.state[name])
            ]
            found += wrong
            if not wrong and (name in eager.rebound) != (name in capture.rebound):
                how = ("another tensor", "the same tensor")
                how = how if name in eager.rebound else how[::-1]
                found.append(Difference("identity", _differ(what, *how)))
        return sorted(found, key=lambda d: d.message)


def _drew_otherwise(eager: torch.Tensor | None, capture: torch.Tensor | None) -> bool:
    return eager is not None and capture is not None and not torch.equal(eager, capture)


def _differ(what: str, eager: object, capture: object) -> str:
    return f"{what} is {eager} in eager, {capture} in capture"


def _name(tensor: torch.Tensor) -> str:
    return type(tensor).__name__


def _same_places(a: Any, b: Any) -> bool:
    """Whether two structures hold as many leaves in the same places, whatever holds them."""
    if a.is_leaf() or b.is_leaf():
        return bool(a.is_leaf() and b.is_leaf())
    if a.num_children != b.num_children or _keys(a) != _keys(b):
        return False
    if (
        a.type is b.type
        and isinstance(a.type, type)
        and _keys(a) is None
        and a.context != b.context
    ):
        return False  # what a class of the program keeps beside its leaves
    return all(map(_same_places, a.children(), b.children()))


def _keys(spec: Any) -> list[Any] | None:
    """The keys of a dict of any class; None for what has none."""
    if not (isinstance(spec.type, type) and issubclass(spec.type, dict)):
        return None
    context = spec.context
    if context and isinstance(context[-1], list):  # of a defaultdict: what makes a value, keys
        context = context[-1]
    return list(context)


def _alike(a: Any, b: Any) -> bool:
    return type(a) is type(b) or (
        type(a).__name__ == type(b).__name__ and vars(a).keys() == vars(b).keys()
    )


def _zeros_differ(a: torch.Tensor, b: torch.Tensor) -> bool:
    a, b = plain(a), plain(b)
    if a.dtype not in _SIGNED or not bool((zero := (a == 0) & (b == 0)).any()):
        return False
    return bool((zero & (a.signbit() != b.signbit())).any())


def _sharing_differences(
    eager: Behaviour, capture: Behaviour, names: Sequence[str]
) -> list[Difference]:
    """Memory that is shared in one of two calls alone, or in another way."""
    before, after = _known(eager.sharing, capture), _known(capture.sharing, eager)
    found = []
    for pair in sorted(before.keys() | after.keys(), key=str):
        a, b = (_part(part, names) for part in pair)
        one, two = before.get(pair), after.get(pair)
        if two is None:
            found.append(Difference("alias", f"{a} aliases {b} in eager, not in capture"))
        elif one is None:
            found.append(Difference("alias", f"{a} aliases {b} in capture, not in eager"))
        elif one.same != two.same:
            how = ("that object", "a view of it") if one.same else ("a view of it", "that object")
            found.append(Difference("identity", _differ(f"{a}, which aliases {b},", *how)))
        elif one.apart != two.apart:
            found.append(Difference("alias", f"{a} aliases another part of {b} than in eager"))
    return found


def _known(
    sharing: Mapping[tuple[Part, Part], Sharing], other: Behaviour
) -> dict[tuple[Part, Part], Sharing]:
    """The pairs whose parts the other call has as well: it may name its state otherwise."""
    return {
        pair: how
        for pair, how in sharing.items()
        if all(kind != "state" or name in other.state for kind, name in pair)
    }


def _part(part: Part, names: Sequence[str]) -> str:
    kind, name = part
    if kind == "output":
        return f"output{name}"
    return _input(names, name) if isinstance(name, int) else name


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


#: What torch allows in double precision is more than a number loses that passes through single
#: precision, and that is no rounding.
_DOUBLE = 1e-10


def _is_zero(gradient: torch.Tensor) -> bool:
    return holds_values(gradient) and gradient.layout is torch.strided and not gradient.any()


def tolerances_of(dtype: torch.dtype, tolerance: Tolerance) -> tuple[float, float]:
    """The relative and the absolute tolerance: the case's, or that of the dtype.

    A case says what its single precision needs: of a half type, as autocast gives, that is less
    than one step, so there it may only allow more; or nothing, where it asks for the very values.

    >>> tolerances_of(torch.bfloat16, Tolerance(1e-4, 1e-4))
    (0.016, 0.0001)
    >>> tolerances_of(torch.bfloat16, Tolerance(0.0, 0.0))
    (0.0, 0.0)
    """
    rtol, atol = torch.testing._comparison.default_tolerances(dtype)
    if dtype in (torch.float64, torch.complex128):
        rtol = atol = _DOUBLE
    half = dtype in (torch.float16, torch.bfloat16)

    def allowed(own: float, given: float | None) -> float:
        return own if given is None else max(own, given) if half and given else given

    return allowed(rtol, tolerance.rtol), allowed(atol, tolerance.atol)


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
