"""Runs a program on symbolic sizes, with no graph, and predicts its outputs from what it recorded.

Owns the symbolic run: fake inputs whose declared sizes are symbols, what comes out, and whether
inputs given later satisfy what was recorded. Reading that as facts is left to ``facts``; the
arithmetic to ``evaluate``.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy
import torch
from torch.utils import _pytree as pytree

from exportdb.symbolic import facts
from exportdb.symbolic.evaluate import Number, evaluate, predict
from exportdb.symbolic.facts import Facts, Recording
from exportdb.symbolic.names import InputNames, input_names, parameters_of
from exportdb.symbolic.requested import RequestedSize, requests, spelled_out
from exportdb.symbolic.values import constant_of, expression_of


class GuardError(RuntimeError):
    """Inputs that do not satisfy what was recorded; the message names the guard."""


@dataclass(frozen=True)
class SymbolicRun:
    """What one run on symbolic sizes left behind; calling it predicts the outputs.

    ``leaves`` are the fake inputs in flattening order, ``outputs`` the leaves that came out,
    ``conditions`` the guards and runtime assertions with their texts; ``parameters`` are those of
    the program and ``keywords`` the ones that the example gave by keyword.
    """

    parameters: Mapping[str, inspect.Parameter]
    keywords: Sequence[str]
    names: InputNames
    in_spec: Any
    leaves: Sequence[Any]
    out_spec: Any
    outputs: Sequence[Any]
    env: Any
    asked: Sequence[RequestedSize]
    conditions: Sequence[tuple[str, Any]]
    facts: Facts

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Predict the outputs for real inputs: meta tensors, numbers, ``Predicted`` objects.

        Raises GuardError when the inputs do not satisfy what was recorded.
        """
        given = self._matching_leaves(args, kwargs)
        binding = self._bind(given)
        self._check_declared(given)
        for text, expr in self.conditions:
            if evaluate(expr, binding, self.env) is False:
                raise GuardError(f"guard failed: {text}")
        leaves = [predict(leaf, binding, self.env) for leaf in self.outputs]
        return pytree.tree_unflatten(leaves, self.out_spec)

    def _matching_leaves(self, args: Any, kwargs: Any) -> list[Any]:
        """The leaves in the example's order; the order of a dict's keys is no part of it."""
        inputs = self._as_in_example(args, kwargs)
        with contextlib.suppress(ValueError):  # another container, or another number of children
            given: list[Any] = self.in_spec.flatten_up_to(inputs)
            if all(pytree.tree_structure(leaf).is_leaf() for leaf in given):
                return given
        spec = pytree.tree_structure(inputs)
        raise GuardError(f"the inputs have the structure {spec}, not {self.in_spec}")

    def _as_in_example(self, args: Any, kwargs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The same inputs, by position and by keyword (and in the order) as the example's were."""
        try:
            bound = inspect.Signature(list(self.parameters.values())).bind(*args, **kwargs)
        except TypeError:
            return tuple(args), dict(kwargs)
        by_name: dict[str, Any] = {}
        positional: list[Any] = []
        for name, value in bound.arguments.items():
            kind = self.parameters[name].kind
            if kind is inspect.Parameter.VAR_POSITIONAL:
                positional += value
            elif kind is inspect.Parameter.VAR_KEYWORD:
                by_name |= value
            elif name in self.keywords:
                by_name[name] = value
            else:
                positional.append(value)
        return tuple(positional), {k: by_name[k] for k in sorted(by_name, key=self._place)}

    def _place(self, keyword: str) -> int:
        return self.keywords.index(keyword) if keyword in self.keywords else len(self.keywords)

    def _bind(self, given: Sequence[Any]) -> dict[sympy.Symbol, Number]:
        """Each symbol's value in the inputs given; raises GuardError where constants differ."""
        binding: dict[sympy.Symbol, Number] = {}
        first: dict[sympy.Symbol, str] = {}
        for name, fake, real in zip(self.names.names, self.leaves, given, strict=True):
            for source, symbolic, value, decides in _measures(name, fake, real):
                # Not ``.expr``: what was replaced while tracing is still an input of its own.
                raw = getattr(getattr(symbolic, "node", None), "_expr", symbolic)
                if isinstance(raw, sympy.Symbol):
                    if raw not in binding:
                        binding[raw], first[raw] = value, source
                    elif decides and binding[raw] != value:
                        raise GuardError(
                            f"guard failed: {first[raw]} == {source} ({binding[raw]} and {value})"
                        )
                constant = constant_of(symbolic)
                if decides and constant is not None and constant != value:
                    raise GuardError(f"guard failed: {source} == {constant!r} (it is {value!r})")
        return binding

    def _check_declared(self, given: Sequence[Any]) -> None:
        """Ranges and relations of the dims that were declared."""
        roots: dict[str, int] = {}
        for request in self.asked:
            value = _size(given[request.leaf], request.dim)
            root, text = request.root, request.source
            if root is None:
                low, high = _allowed(self.env, request, self.leaves)
                if not low <= value <= high:
                    raise GuardError(f"guard failed: {low} <= {text} <= {high} (it is {value})")
                continue
            name = root.name
            solved = request.root_size(value)
            if solved is None or roots.setdefault(name, solved) != solved:
                raise GuardError(
                    f"guard failed: {text} == {request.asked} (it is {value}"
                    + (f", and {name} is {roots[name]})" if name in roots else ")")
                )
            if not root.holds(solved):
                above = "" if root.max is None else f" <= {root.max}"
                raise GuardError(f"guard failed: {root.min} <= {name}{above} ({text} is {value})")


def run(
    module: torch.nn.Module, args: Sequence[Any], kwargs: Mapping[str, Any], dynamic_shapes: Any
) -> SymbolicRun:
    """Run ``module`` on fake inputs whose declared sizes are symbols.

    Raises what the program or torch raises: a structure of ``dynamic_shapes`` that does not fit,
    a question about data that symbols cannot answer.
    """
    # The very preparation that torch.export uses, so that its symbols and ours are the same.
    from torch._export.non_strict_utils import make_fake_inputs

    dynamic_shapes = spelled_out(module, args, kwargs, dynamic_shapes)
    asked = requests(module, args, kwargs, dynamic_shapes)
    mode, fake_args, fake_kwargs, *_ = make_fake_inputs(
        module, tuple(args), dict(kwargs), dynamic_shapes
    )
    leaves, in_spec = pytree.tree_flatten((fake_args, fake_kwargs))
    # An in-place operation must not change what the inputs were.
    before = [leaf.detach() if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
    try:
        result = call_on_fakes(module, mode, fake_args, fake_kwargs)
    finally:
        _unmark(args, kwargs)
    outputs, out_spec = pytree.tree_flatten(result)
    names = InputNames(input_names(module, args, kwargs))
    recording = Recording(
        shape_env=mode.shape_env,
        names=names,
        values=before,
        made=[("", output) for output in outputs],
        published=_declared(before, asked),
    )
    recorded, readable = facts.explain(recording, asked)
    conditions = [
        (readable(condition.expr), condition.expr)
        for condition in [*mode.shape_env.guards, *_assertions(mode.shape_env)]
    ]
    return SymbolicRun(
        parameters_of(module),
        list(kwargs),
        names,
        in_spec,
        before,
        out_spec,
        outputs,
        mode.shape_env,
        asked,
        conditions,
        recorded,
    )


def call_on_fakes(
    module: torch.nn.Module, mode: Any, args: Any, kwargs: Any, inner: Any = None
) -> Any:
    """The program's output on fake inputs, its parameters and buffers fake as well.

    ``inner`` is a further mode, which sees an operator before ``mode`` does.
    """
    from torch._dispatch.python import enable_python_dispatcher

    # Without the dispatcher, operators that are made of others ask for concrete sizes.
    with mode, enable_python_dispatcher(), inner or contextlib.nullcontext():
        state = {
            name: mode.from_tensor(tensor, static_shapes=True)
            for name, tensor in [*module.named_parameters(), *module.named_buffers()]
        }
        return torch.func.functional_call(module, state, args, kwargs)


def _unmark(args: Any, kwargs: Any) -> None:
    """Take off the marks that preparing the inputs leaves on the caller's tensors."""
    from torch._export.non_strict_utils import _clean_dynamic_markers

    for leaf in pytree.tree_leaves((args, kwargs)):
        if isinstance(leaf, torch.Tensor):
            _clean_dynamic_markers(leaf)


def _measures(name: str, fake: Any, real: Any) -> Iterator[tuple[str, Any, Any, bool]]:
    """What of an input can be compared: (what it is, symbolic, real value, whether it decides).

    Strides and offsets give symbols their values but, as in every capture, decide nothing.
    """
    kinds = [_kind(leaf) for leaf in (fake, real)]
    if kinds[0] != kinds[1]:
        raise GuardError(f"guard failed: {name} is {kinds[0]} (it is {kinds[1]})")
    if not isinstance(fake, torch.Tensor):
        yield name, fake, real, not isinstance(fake, torch.nn.Module)
        return
    if fake.dim() != real.dim():
        raise GuardError(f"guard failed: {name}.dim() == {fake.dim()} (it is {real.dim()})")
    for i, (symbolic, size) in enumerate(zip(fake.shape, real.shape, strict=True)):
        yield f"{name}.size()[{i}]", symbolic, size, True
    if fake.layout is torch.strided and real.layout is torch.strided:
        for i, (symbolic, stride) in enumerate(zip(fake.stride(), real.stride(), strict=True)):
            yield f"{name}.stride()[{i}]", symbolic, stride, False
        yield f"{name}.storage_offset()", fake.storage_offset(), real.storage_offset(), False


def _kind(leaf: Any) -> str:
    if leaf is None:
        return "None"
    return "a tensor" if isinstance(leaf, torch.Tensor) else "neither a tensor nor None"


def _size(leaf: Any, dim: int | None) -> Any:
    return leaf if dim is None else leaf.shape[dim]


def _allowed(env: Any, request: RequestedSize, leaves: Sequence[Any]) -> tuple[Any, Any]:
    """The range of a size that was given a hint: the hint's own, and what tracing ended with."""
    size = _size(leaves[request.leaf], request.dim)
    expr = expression_of(size)
    if expr is None:
        return size, size
    bound = env.bound_sympy(expr)
    low, high = request.ends
    return (
        bound.lower if low is None else max(low, bound.lower),
        bound.upper if high is None else min(high, bound.upper),
    )


def _declared(leaves: Sequence[Any], asked: Sequence[RequestedSize]) -> dict[Any, Any]:
    """The ranges that the program's dims declare, for the symbols they became."""
    from torch.utils._sympy.value_ranges import ValueRanges

    published = {}
    for request in asked:
        expr = expression_of(_size(leaves[request.leaf], request.dim))
        if isinstance(expr, sympy.Symbol) and request.root:
            published[expr] = ValueRanges(request.spec.min, request.spec.max)
    return published


def _assertions(env: Any) -> list[Any]:
    return [a for group in env.deferred_runtime_asserts.values() for a in group]
