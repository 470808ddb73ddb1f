"""Whether two calls of a program agree: outputs, changes made in place, sharing and gradients.

Owns the comparison of a capture with eager. What a call did is seen by ``observing``, what counts
as a difference is said by ``difference``; what follows from one is left to ``examine``.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.conformance.difference import (
    EXACTLY,
    Difference,
    Rules,
    differ,
    short,
    tolerances_of,
)
from exportdb.conformance.errors import one_line
from exportdb.conformance.observing import (
    Behaviour,
    flatten,
    holds_values,
    identical,
    is_fake,
    plain,
)  # fmt: skip
from exportdb.conformance.predictions import prediction_differences
from exportdb.conformance.program import Inputs
from exportdb.conformance.sharing import input_name, sharing_differences
from exportdb.conformance.structure import alike, outline, parts_of, same_places
from exportdb.conformance.tolerance import Distance, distance_between
from exportdb.symbolic.evaluate import Predicted

_SIGNED = {torch.float16, torch.bfloat16, torch.float32, torch.float64}


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


def spread(one: Behaviour, other: Behaviour, rules: Rules) -> dict[str, Distance]:
    """How far apart the numbers of two behaviours are, by place."""
    measured: dict[str, Distance] = {}
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
        input_name(names, i)
        for i, (a, b) in enumerate(pairs)
        if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor) and not identical(a, b)
    ]


def rearranged(before: Inputs, after: Inputs, names: Sequence[str]) -> list[str]:
    """The names of the input leaves with other strides than before, or other ``requires_grad``."""

    def kept(t: torch.Tensor) -> tuple[object, ...]:
        return t.requires_grad, t.stride() if t.layout == torch.strided else t.layout

    pairs = zip(pytree.tree_leaves(before), pytree.tree_leaves(after), strict=False)
    return [
        input_name(names, i)
        for i, (a, b) in enumerate(pairs)
        if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor) and kept(a) != kept(b)
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
        Difference("out-of-bounds", f"memory before or after {input_name(names, i)} is written to")
        for i in capture.overrun
    ]


@dataclass(frozen=True)
class _Comparison:
    rules: Rules
    # What tensors of eager's output held when it was observed.
    kept: Mapping[int, torch.Tensor] = field(default_factory=dict)
    # Pairs of objects whose attributes were compared: an object may lead back to itself.
    compared: set[tuple[int, int]] = field(default_factory=set)
    # Where it is only measured how far apart numbers are: what was, by place.
    measured: dict[str, Distance] | None = None

    def behaviours(
        self, eager: Behaviour, capture: Behaviour, names: Sequence[str]
    ) -> list[Difference]:
        found = list(self.trees("output", eager.output, capture.output))
        if self.rules.metadata_only or any(not d.harmless for d in found):
            return found
        found += self.inputs(eager.inputs, capture.inputs, names)
        found += self.state(eager, capture)
        found += sharing_differences(eager, capture, names)
        found += overruns(capture, names)
        for name, gradient in eager.gradients.items():
            found += self.gradient(f"gradient of {name}", gradient, capture.gradients.get(name))
        for name in sorted(eager.second.keys() & capture.second.keys()):
            said = f"gradient of the gradient of {name}"
            found += self.gradient(said, eager.second[name], capture.second[name])
        for name in sorted(capture.left - eager.left):
            said = f"after the call, {name} has a gradient, and eager leaves none there"
            found.append(Difference("gradient", said))
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
            said = f"{what} is {outline(eager)} in eager, {outline(capture)} in capture"
            if not same_places(spec, other_spec):
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
            yield from prediction_differences(what, eager, capture)
        elif isinstance(eager, torch.Tensor) and isinstance(capture, torch.Tensor):
            wrong = next(self._tensors(what, eager, capture), None)
            if wrong is not None:
                yield wrong
            elif result and eager is not capture:
                yield from self._lost(what, eager, capture)
        elif alike(eager, capture) and (parts := parts_of(eager)) is not None:
            if type(eager) is not type(capture):
                yield Difference("class", differ(what, type(eager), type(capture)))
            pair = id(eager), id(capture)
            if pair not in self.compared:
                self.compared.add(pair)
                yield from self.trees(what, parts, parts_of(capture))
        elif type(eager) is not type(capture):
            yield Difference("type", differ(what, short(eager), short(capture)))
        elif not self.rules.metadata_only and not self._same_value(what, eager, capture):
            yield Difference("values", differ(what, short(eager), short(capture)))
        elif result and isinstance(eager, float) and _of_other_zeros(eager, capture):
            yield Difference("zero-sign", differ(what, eager, capture))

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
            yield Difference("class", differ(what, f"a {_name(a)}", f"a {_name(b)}"))
        if self.rules.gradients and a.requires_grad != b.requires_grad:
            yield Difference(
                "requires-grad",
                differ(f"requires_grad of {what}", a.requires_grad, b.requires_grad),
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
                self.measured[what] = distance_between(a, b)
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
                self.measured[what] = distance_between(torch.tensor(a), torch.tensor(b))
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
            for d in self.leaves(f"input {input_name(names, i)} after the call", leaf, other):
                if not d.harmless:
                    found.append(Difference("input-mutation", d.message))
            if self.rules.gradients and _asks(other) and not _asks(leaf):
                said = "requires a gradient after the call, and in eager it does not"
                found.append(Difference("requires-grad", f"input {input_name(names, i)} {said}"))
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
                found.append(Difference("identity", differ(what, *how)))
        return sorted(found, key=lambda d: d.message)


def _asks(leaf: Any) -> bool:
    return isinstance(leaf, torch.Tensor) and leaf.requires_grad and leaf.is_leaf


def _drew_otherwise(eager: torch.Tensor | None, capture: torch.Tensor | None) -> bool:
    return eager is not None and capture is not None and not torch.equal(eager, capture)


def _name(tensor: torch.Tensor) -> str:
    return type(tensor).__name__


def _of_other_zeros(a: float, b: float) -> bool:
    return a == b == 0 and math.copysign(1, a) != math.copysign(1, b)


def _zeros_differ(a: torch.Tensor, b: torch.Tensor) -> bool:
    a, b = plain(a), plain(b)
    if a.dtype not in _SIGNED or not bool((zero := (a == 0) & (b == 0)).any()):
        return False
    return bool((zero & (a.signbit() != b.signbit())).any())


def _same_strides(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Strides of axes with one element, and of empty tensors, say nothing."""
    if not a.numel():
        return True
    return all(
        size <= 1 or s == t for size, s, t in zip(a.shape, a.stride(), b.stride(), strict=True)
    )


def _is_zero(gradient: torch.Tensor) -> bool:
    """Sparse gradients, as of embeddings, may be zero too; nested ones have no dense form."""
    if gradient.layout is torch.jagged or not holds_values(gradient):
        return False
    return not bool(plain(gradient).any())
