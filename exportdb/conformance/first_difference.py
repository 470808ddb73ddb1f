"""Where a capture first differs from eager: the first operator whose result it does not have.

Owns following both, operator by operator, on a sample on which they are known to differ. What is
found explains an outcome and never makes one: operators that run outside of torch's dispatcher
(compiled kernels, another runtime) cannot be followed, and then nothing is said.
"""

from __future__ import annotations

import linecache
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

from exportdb.cases.case import Tolerance
from exportdb.conformance.difference import tolerances_of
from exportdb.conformance.observing import flatten, holds_values, plain
from exportdb.records.record import FirstDifference

#: Operators that are followed at most, and the bytes of results that are kept of them.
STEPS, BYTES = 4000, 2**26
#: Operators whose results nobody wrote yet.
_UNWRITTEN = ("aten.empty", "aten.new_empty", "aten.resize")

#: Operators that give numbers, of which nobody sees where they go.
_NUMBERS = ("aten._local_scalar_dense.default", "aten.equal.default", "aten.is_nonzero.default")


class CallWatch(Protocol):
    """What looks at calls that are made ``around`` it."""

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """``call``, looked at."""


#: Runs something with the watch that is given around each call of it.
Watched = Callable[[CallWatch], object]


@dataclass(frozen=True)
class OperatorCall:
    """An operator that ran: what it was given, its results as they were then, and the line.

    ``given`` and ``made`` are the tensors themselves, by which one step is found to use another's.
    ``computes`` is whether its results have values of their own: those of a view are another's.
    """

    operator: str
    given: tuple[torch.Tensor, ...]
    made: tuple[torch.Tensor, ...]
    results: tuple[torch.Tensor, ...]
    computes: bool
    line: int | None

    def uses(self, other: OperatorCall) -> bool:
        """Whether it is given a result of ``other``."""
        return any(given is made for given in self.given for made in other.made)


class OperatorTrace(TorchDispatchMode):
    """Keeps what each operator does in the calls that it is ``around``.

    ``file`` is the program's own.
    """

    def __init__(self, file: str | None = None) -> None:
        super().__init__()
        self.steps: list[OperatorCall] = []
        self.cut_off = False
        self.output: Any = None
        self._file = file
        self._left = BYTES

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """``call``, of which every operator is kept."""

        def followed(*args: Any, **kwargs: Any) -> Any:
            with self:
                self.output = call(*args, **kwargs)
            return self.output

        return followed

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        made = func(*args, **(kwargs or {}))
        tensors = tuple(_tensors(made))
        # A nested tensor has no one shape: what it is made of and taken apart into is followed.
        whole = [t for t in tensors if not t.is_nested]
        self._left -= sum(t.numel() * t.element_size() for t in whole)
        if len(self.steps) < STEPS and self._left > 0:
            results = tuple(plain(t).clone() for t in whole)
            given = tuple(_tensors((args, kwargs)))
            computes = not func.is_view and not str(func).startswith(_UNWRITTEN)
            self.steps.append(
                OperatorCall(str(func), given, tensors, results, computes, self._line())
            )
        else:
            self.cut_off = True
        return made

    def _line(self) -> int | None:
        frame = sys._getframe(1) if self._file else None
        while frame is not None:
            if frame.f_code.co_filename == self._file:
                return frame.f_lineno
            frame = frame.f_back
        return None


def first_difference(
    eager: Watched,
    captured: Watched,
    tolerance: Tolerance,
    file: str | None = None,
    in_sight: bool = False,
    message: str = "",
) -> FirstDifference | None:
    """The first operator of eager whose result the capture does not have, or None; of those that
    lead to the output that a difference's ``message`` is about, where it is about one.

    ``eager`` and ``captured`` call the program on one sample, and have the mode around that call.
    Where both run the same operators these are compared one by one. Otherwise a result may stand
    anywhere, and an operator that the capture replaces by others is none: what follows from its
    result is there. Of a capture that was cut off nobody knows what it has, and of one of which
    little is seen only where all that it runs is known to be ``in_sight``.
    """
    wanted, got = OperatorTrace(file), OperatorTrace()
    eager(wanted)
    captured(got)
    if got.cut_off:
        return None
    found = [step for step in wanted.steps if step.results]
    others = [step for step in got.steps if step.results]
    if [s.operator for s in found] == [s.operator for s in others]:
        here = [Results([b], tolerance).all_of(a) for a, b in zip(found, others, strict=True)]
    else:
        here = list(map(Results(others, tolerance).all_of, found))
    known = in_sight or _is_seen(others, found)
    leading = _leading_to(_named(message, wanted.output), wanted.steps)
    for place, (step, there) in enumerate(zip(found, here, strict=True)):
        later = zip(found[place + 1 :], here[place + 1 :], strict=True)
        if not step.computes or there or (leading and id(step) not in leading):
            continue
        if not any(t and user.uses(step) for user, t in later):
            return _told(step, file) if known or any(here) else None
    return None


def _named(message: str, output: Any) -> torch.Tensor | None:
    """The tensor of an output that a message begins with the place of."""
    places = {"output" + path: leaf for path, leaf in flatten(output)[0]}
    fitting = [place for place in places if message.startswith(place)]
    leaf = places[max(fitting, key=len)] if fitting else None
    return leaf if isinstance(leaf, torch.Tensor) and holds_values(leaf) else None


def _leading_to(output: torch.Tensor | None, steps: Sequence[OperatorCall]) -> set[int]:
    """The steps, by identity, that write to the memory of an output, or to what such a step is
    given; what is read as a number may lead to any output."""
    if output is None:
        return set()
    found, memory = set(), {_memory(output)}
    for step in reversed(steps):
        if step.operator in _NUMBERS or not memory.isdisjoint(map(_memory, step.made)):
            found.add(id(step))
            memory.update(map(_memory, step.given))
    return found


def _memory(tensor: torch.Tensor) -> int:
    plainly = tensor.layout is torch.strided and not tensor.is_nested
    return tensor.untyped_storage()._cdata if plainly else id(tensor)


def _is_seen(others: Sequence[OperatorCall], found: Sequence[OperatorCall]) -> bool:
    """Whether a capture that has no result of eager computes where it can be followed."""
    return 2 * sum(s.computes for s in others) >= sum(s.computes for s in found)


class Results:
    """All that the operators of a capture gave, to be asked for by value."""

    def __init__(self, steps: Sequence[OperatorCall], tolerance: Tolerance) -> None:
        self._tolerance = tolerance
        self._alike: dict[Any, list[torch.Tensor]] = defaultdict(list)
        for step in steps:
            for result in step.results:
                self._alike[result.shape, result.dtype].append(result)

    def all_of(self, step: OperatorCall) -> bool:
        """Whether each result of ``step`` is among them."""
        return all(any(map(self._close(r), self._alike[r.shape, r.dtype])) for r in step.results)

    def _close(self, one: torch.Tensor) -> Callable[[torch.Tensor], bool]:
        if not (one.is_floating_point() or one.is_complex()):
            return lambda other: torch.equal(one, other)
        rtol, atol = tolerances_of(one.dtype, self._tolerance)
        return lambda other: torch.allclose(one, other, rtol=rtol, atol=atol, equal_nan=True)


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    for leaf in pytree.tree_leaves(value):
        if isinstance(leaf, torch.Tensor) and holds_values(leaf):
            yield leaf


def _told(step: OperatorCall, file: str | None) -> FirstDifference:
    code = linecache.getline(file, step.line).strip() if file and step.line else ""
    return FirstDifference(step.operator, step.line, code)
