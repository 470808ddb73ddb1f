"""Runs a program on fake tensors with symbols for its sizes and numbers, and notes what it asks.

Owns making the fakes and reading off the conditions; nothing is computed and no graph is made. The
symbols have no declared range, so that what is asked is told and not settled. Finding inputs for
which the answer is another is left to ``solving``.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy
import torch
from torch._dynamo.source import ConstantSource
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import (
    DimDynamic,
    ShapeEnv,
    StatelessSymbolicContext,
)
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes

from exportdb.conformance.sampling.places import Places, Point, is_read
from exportdb.symbolic.engine import call_on_fakes

#: What takes a whole number out of a tensor, and may make another tensor as large as it is.
_READING = frozenset(
    (
        torch.ops.aten._local_scalar_dense.default,
        torch.ops.aten.bincount.default,
        torch.ops.aten.repeat_interleave.Tensor,
    )
)


@dataclass(frozen=True)
class Asked:
    """``conditions`` are sympy expressions over :func:`symbol` of the names of a point, in the
    order of asking; ``reads`` says that the program reads a value, or may, of a tensor."""

    conditions: list[Any]
    reads: bool


def asked(places: Places, module: torch.nn.Module, point: Point, numbers: bool) -> Asked:
    """The conditions that hold on the way of the inputs at ``point``.

    With ``numbers`` the numbers among the inputs are symbols too, which not every program can take.
    What the program raises ends the run; what it asked before is told.
    """
    args, kwargs = places.build(point)
    leaves, structure = pytree.tree_flatten((args, kwargs))
    tracer = _Tracer(places, point, numbers)
    fakes = [tracer.fake(i, leaf) for i, leaf in enumerate(leaves)]
    fake_args, fake_kwargs = pytree.tree_unflatten(fakes, structure)
    ended = False
    with contextlib.suppress(Exception):
        call_on_fakes(module, tracer.mode, fake_args, fake_kwargs, tracer.elements)
        ended = True
    return Asked(list(tracer.conditions()), not ended or tracer.elements.read)


def symbol(name: str, whole: bool = True) -> sympy.Symbol:
    """What stands for a size or number in conditions."""
    return sympy.Symbol(name, integer=True) if whole else sympy.Symbol(name, real=True)


class _Tracer:
    def __init__(self, places: Places, point: Point, numbers: bool) -> None:
        self.places, self.point, self.numbers = places, point, numbers
        self.env = ShapeEnv(duck_shape=False)
        self.mode = FakeTensorMode(shape_env=self.env, allow_non_fake_inputs=True)
        # An answer out of the cache asks nothing, so that conditions are missed; few come out of
        # it, and filling it takes a sixth of the time.
        self.mode.cache_enabled = False
        self.elements = _Elements()
        self.meaning: dict[sympy.Symbol, Any] = {}  # of the environment's symbols, in ours

    def fake(self, index: int, leaf: Any) -> Any:
        """The leaf with symbols where its sizes or its value may vary."""
        name = f"leaf{index}"
        if isinstance(leaf, torch.Tensor):
            fake = self._tensor(index, leaf, name)
            named = [n for n, (i, _) in self.places.numbers.items() if i == index]
            if self.numbers and is_read(leaf) and leaf.numel() == len(named):
                symbols = [self._number(n, int(self.point.get(n, v))) for n, v in
                           zip(named, leaf.flatten().tolist(), strict=True)]  # fmt: skip
                self.elements.follow(fake, symbols)
            return fake
        if type(leaf) is int and (index, None) in self.places.sums:
            return self._symbolic(leaf, name, self._sum(index, None))
        if self.numbers and self.places.names[index] in self.places.numbers:
            return self._number(self.places.names[index], leaf)
        return leaf

    def _tensor(self, index: int, leaf: torch.Tensor, name: str) -> Any:
        varies = [(index, axis) in self.places.sums for axis in range(leaf.dim())]
        if leaf.layout is not torch.strided or not any(varies):
            return self.mode.from_tensor(leaf, static_shapes=True)
        kinds = [DimDynamic.DYNAMIC if v else DimDynamic.STATIC for v in varies]
        context = StatelessSymbolicContext(kinds, constraint_sizes=[None] * leaf.dim())
        fake = self.mode.from_tensor(leaf, source=ConstantSource(name), symbolic_context=context)
        for axis, size in enumerate(fake.shape):
            if varies[axis] and isinstance(size, torch.SymInt):
                self.meaning[size.node.expr] = self._sum(index, axis)
        return fake

    def _sum(self, index: int, axis: int | None) -> Any:
        constant, slopes = self.places.sums[index, axis]
        return constant + sum(symbol(name) * slope for name, slope in slopes.items())

    def _number(self, name: str, value: Any) -> Any:
        return self._symbolic(value, f"number{len(self.meaning)}", symbol(name, type(value) is int))

    def _symbolic(self, value: Any, name: str, meaning: Any) -> Any:
        source = ConstantSource(name)
        made = self.env.create_unspecified_symbol(value, source, DimDynamic.DYNAMIC)
        self.meaning[made] = meaning
        make = self.env.create_symintnode if type(value) is int else self.env.create_symfloatnode
        return make(made, hint=value, source=source)

    def conditions(self) -> Iterator[Any]:
        """What was asked, over our symbols; what also depends on others is left out."""
        deferred = [a for group in self.env.deferred_runtime_asserts.values() for a in group]
        for condition in [*self.env.guards, *deferred]:
            if condition.expr.free_symbols <= self.meaning.keys():
                expr = condition.expr.subs(self.meaning)
                if expr not in (sympy.true, sympy.false):
                    yield expr


class _Elements(TorchDispatchMode):
    """Gives symbols for the elements of small integer tensors, also through views of them, and
    notes whether any tensor is ``read``."""

    def __init__(self) -> None:
        super().__init__()
        self.read = False
        self._known: dict[int, tuple[Any, torch.Tensor]] = {}  # with the tensor, to keep its id
        self._symbols: list[Any] = []

    def follow(self, fake: torch.Tensor, symbols: list[Any]) -> None:
        """From now on the elements of ``fake`` are these."""
        first = len(self._symbols)
        self._symbols += symbols
        ids = torch.arange(first, first + len(symbols)).reshape(tuple(map(int, fake.shape)))
        self._known[id(fake)] = fake, ids

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        self.read |= func in _READING
        _, ids = self._known.get(id(args[0]), (None, None)) if args else (None, None)
        if ids is None:
            return func(*args, **kwargs)
        if func is torch.ops.aten._local_scalar_dense.default:
            with _disable_current_modes():
                element = int(ids)
            return self._symbols[element]
        made = func(*args, **kwargs)
        if func.is_view:
            with contextlib.suppress(Exception), _disable_current_modes():
                moved = func(ids, *args[1:], **kwargs)
                for fake, own in zip(*map(pytree.tree_leaves, (made, moved)), strict=True):
                    self._known[id(fake)] = fake, own
        return made
