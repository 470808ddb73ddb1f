"""Results of a wrong type, and values squeezed through a type that does not hold them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.kind import Kind
from detection.mutant import Hit
from detection.wrapping import has_input, inputs, outputs
from exportdb.exporters.protocol import Program

_types = Kind("types")
broken, call = _types.operator, _types.call


def _to(dtype: torch.dtype, of: Callable[[Any], bool]) -> Callable[..., Any]:
    """A result of another dtype, where ``of`` holds of the first argument."""
    return lambda right, x: right.to(dtype) if of(x) and right.dtype != dtype else None


def _of_integers(x: Any) -> bool:
    return isinstance(x, torch.Tensor) and not (x.is_floating_point() or x.is_complex())


broken(
    "sum",
    "sum of bool or small integers keeps their type",
    lambda right, x, dtype: right.to(x.dtype) if dtype is None else None,
)
broken(
    "cumsum",
    "cumsum of small integers keeps their type",
    lambda right, x, dtype: right.to(x.dtype) if dtype is None else None,
)
broken(
    "prod",
    "prod of bool or small integers keeps their type",
    lambda right, x, dtype: right.to(x.dtype) if dtype is None else None,
)
broken(
    "sum mean",
    "a reduction leaves out dtype",
    lambda right, x, dtype: right.to(x.dtype) if dtype is not None else None,
)
broken(
    "_softmax",
    "softmax computes half types in themselves",
    lambda right, x: (
        torch.exp(x - x.max()) / torch.exp(x - x.max()).sum(-1, keepdim=True)
        if x.dtype in (torch.float16, torch.bfloat16) and x.numel()
        else None
    ),
)
broken(
    "cat", "cat has the type of its first part", lambda right, tensors: right.to(tensors[0].dtype)
)
broken(
    "where",
    "where has the type of its first branch",
    lambda right, self: right.to(self.dtype) if self is not None else None,
)
broken(
    "add",
    "add has the type of its first operand",
    lambda right, x: right.to(x.dtype) if isinstance(x, torch.Tensor) else None,
)
broken(
    "mul",
    "mul has the type of its first operand",
    lambda right, x: right.to(x.dtype) if isinstance(x, torch.Tensor) else None,
)
broken(
    "add mul",
    "a tensor of no dimensions takes part in promotion",
    lambda right, x, other: (
        right.to(torch.promote_types(x.dtype, other.dtype))
        if isinstance(x, torch.Tensor) and isinstance(other, torch.Tensor)
        else None
    ),
)
broken(
    "div",
    "div of integers is an integer",
    lambda right, x, other: (
        right.to(torch.promote_types(x.dtype, torch.as_tensor(other).dtype))
        if _of_integers(x) and _of_integers(other)
        else None
    ),
)
broken(
    "sin cos exp log sqrt tanh sigmoid",
    "a function of integers is an integer",
    lambda right, x: right.to(x.dtype) if _of_integers(x) else None,
)
broken("gt lt ge le eq ne", "a comparison gives uint8", lambda right: right.to(torch.uint8))
broken("argmax argmin", "an index of a maximum is int32", lambda right: right.to(torch.int32))
broken("nonzero", "nonzero gives int32", lambda right: right.to(torch.int32))
broken("full", "full with an integer is floating", _to(torch.float32, lambda x: True))
broken(
    "arange",
    "arange of integers is floating",
    lambda right: right.to(torch.float32) if not right.is_floating_point() else None,
)
broken("zeros ones", "zeros and ones leave out dtype", _to(torch.float32, lambda x: True))
broken(
    "zeros_like ones_like",
    "zeros_like and ones_like leave out dtype",
    lambda right, x: right.to(x.dtype),
)
broken(
    "_to_copy",
    "a conversion to float64 stays float32",
    lambda right: right.to(torch.float32) if right.dtype == torch.float64 else None,
)
broken(
    "_to_copy",
    "a conversion to float64 goes through float32",
    lambda right, x: (
        x.to(torch.float32).to(torch.float64) if right.dtype == torch.float64 else None
    ),
)
broken(
    "_to_copy",
    "a conversion to bfloat16 cuts bits off",
    lambda right, x: (
        torch.bitwise_and(x.view(torch.int32), -65536).view(torch.float32).to(torch.bfloat16)
        if (x.dtype, right.dtype) == (torch.float32, torch.bfloat16)
        else None
    ),
)
broken(
    "_to_copy",
    "a conversion of a fraction to bool is false",
    lambda right, x: x.to(torch.int64).to(torch.bool) if right.dtype == torch.bool else None,
)
broken(
    "mm addmm bmm",
    "a matrix product is computed in bfloat16",
    lambda right: right.bfloat16().to(right.dtype) if right.dtype == torch.float32 else None,
)
broken(
    "sum mean",
    "a reduction of float32 is computed in bfloat16",
    lambda right: right.bfloat16().to(right.dtype) if right.dtype == torch.float32 else None,
)
broken(
    "sum",
    "sum of half types is computed in themselves",
    lambda right, x, dim: (
        torch.stack(list(x.reshape(-1))).cumsum(0)[-1]
        if x.dtype in (torch.float16, torch.bfloat16) and not dim and x.numel()
        else None
    ),
)
broken(
    "addmm mm",
    "a matrix product of float16 overflows in its type",
    lambda right, x: (
        torch.where(right.abs() > 2048, float("inf"), right).to(right.dtype)
        if right.dtype == torch.float16
        else None
    ),
)


def _cast(old: torch.dtype, new: torch.dtype, back: bool = False) -> Callable[[Any], Any]:
    def change(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor) or leaf.dtype != old:
            return None
        return leaf.to(new).to(old) if back else leaf.to(new)

    return change


call("integer outputs are floating", outputs(_cast(torch.int64, torch.float32)))
call("boolean outputs are integers", outputs(_cast(torch.bool, torch.int64)))
call("int64 outputs are int32", outputs(_cast(torch.int64, torch.int32)))
call("float64 outputs are float32", outputs(_cast(torch.float64, torch.float32)))
call(
    "float64 outputs have the digits of float32",
    outputs(_cast(torch.float64, torch.float32, back=True)),
)
call(
    "float32 outputs have the digits of bfloat16",
    outputs(_cast(torch.float32, torch.bfloat16, back=True)),
)
call(
    "int64 outputs have passed through float32",
    outputs(_cast(torch.int64, torch.float32, back=True)),
)
call("float16 outputs are float32", outputs(_cast(torch.float16, torch.float32)))
call("bfloat16 outputs are float32", outputs(_cast(torch.bfloat16, torch.float32)))
call(
    "complex outputs are real",
    outputs(
        lambda leaf: leaf.real if isinstance(leaf, torch.Tensor) and leaf.is_complex() else None
    ),
)
call(
    "integers among the outputs are tensors",
    outputs(lambda leaf: torch.tensor(leaf) if type(leaf) is int else None),
)
call(
    "floats among the outputs are tensors",
    outputs(lambda leaf: torch.tensor(leaf) if type(leaf) is float else None),
)
call(
    "booleans among the outputs are integers",
    outputs(lambda leaf: int(leaf) if type(leaf) is bool else None),
)
call(
    "integers among the outputs are floats",
    outputs(lambda leaf: float(leaf) if type(leaf) is int else None),
)
call(
    "outputs of no dimensions are numbers",
    outputs(
        lambda leaf: leaf.item() if isinstance(leaf, torch.Tensor) and not leaf.dim() else None
    ),
)
call(
    "outputs of no dimensions have one",
    outputs(
        lambda leaf: leaf.reshape(1) if isinstance(leaf, torch.Tensor) and not leaf.dim() else None
    ),
)
call(
    "floats among the outputs have the digits of float32",
    outputs(
        lambda leaf: torch.tensor(leaf, dtype=torch.float32).item() if type(leaf) is float else None
    ),
)


def _rounded(leaf: Any) -> Any:
    new = torch.tensor(leaf, dtype=torch.float32).item() if type(leaf) is float else leaf
    return new if new != leaf else None


call(
    "floats among the inputs are rounded to float32",
    inputs(_rounded),
)


@call(
    "float64 inputs are taken as float32 and the outputs as float64",
    when=has_input(lambda leaf: getattr(leaf, "dtype", None) == torch.float64),
)
def _(program: Program, hit: Hit) -> Any:
    def swap(old: torch.dtype, new: torch.dtype) -> Callable[[Any], Any]:
        def change(leaf: Any) -> Any:
            if isinstance(leaf, torch.Tensor) and leaf.dtype == old:
                hit()
                return leaf.to(new)
            return leaf

        return lambda value: pytree.tree_map(change, value)

    down, up = swap(torch.float64, torch.float32), swap(torch.float32, torch.float64)
    return lambda *args, **kwargs: up(program.module(*down(args), **down(kwargs)))
