"""Algebra on two to four operators in a row that is not the same for all numbers."""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import Node

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.passes.rule import meta, number, of, one, rule

powers = Kind("passes: powers and logarithms")
limits = Kind("passes: limits")
whole = Kind("passes: whole numbers")
products = Kind("passes: products of matrices")
casts = Kind("passes: casts")


# --- powers -------------------------------------------------------------------------------------


@rule(powers, "pow sqrt square", "", "a power of a power has the product of both for its exponent")
def _(call: Call) -> Any:
    inner = of(call.x, "pow", "sqrt", "square")
    if inner is None:
        return None
    both = [_exponent(inner), _exponent(call)]
    if not all(map(number, both)):
        return None
    return torch.pow, inner.x, both[0] * both[1]


def _exponent(call: Call) -> Any:
    name = str(call.operator).split(".")[1]
    return {"sqrt": 0.5, "square": 2}.get(name, call["exponent"])


@rule(powers, "mul", "sqrt", "a product of roots is the root of the product")
def _(call: Call) -> Any:
    a, b = of(call.x, "sqrt"), of(call["other"], "sqrt")
    return a and b and (lambda x, y: (x * y).sqrt(), a.x, b.x)


@rule(powers, "sqrt", "mul", "the root of a product is the product of the roots")
def _(call: Call) -> Any:
    product = of(call.x, "mul")
    if product is None or not isinstance(product["other"], Node):
        return None
    return lambda x, y: x.sqrt() * y.sqrt(), product.x, product["other"]


@rule(powers, "sub", "log", "a difference of logarithms is the logarithm of the quotient")
def _(call: Call) -> Any:
    a, b = of(call.x, "log"), of(call["other"], "log")
    return a and b and (lambda x, y: (x / y).log(), a.x, b.x)


@rule(powers, "log", "div mul", "the logarithm of a quotient or product is that of each")
def _(call: Call) -> Any:
    inner = of(call.x, "div", "mul")
    if inner is None or not isinstance(inner["other"], Node):
        return None
    divided = "div" in str(inner.operator)
    return (
        lambda x, y, d: x.log() - y.log() if d else x.log() + y.log(),
        inner.x,
        inner["other"],
        divided,
    )


@rule(powers, "log", "pow", "the logarithm of a power is a multiple of the logarithm")
def _(call: Call) -> Any:
    inner = of(call.x, "pow")
    if inner is None or not number(inner["exponent"]):
        return None
    return lambda x, p: p * x.log(), inner.x, inner["exponent"]


@rule(powers, "log", "prod", "the logarithm of a product of many is the sum of their logarithms")
def _(call: Call) -> Any:
    inner = of(call.x, "prod")
    dim = one(inner["dim"]) if inner else None
    if inner is None or dim is None:
        return None
    return lambda x, dim, keep: x.log().sum(dim, keepdim=keep), inner.x, dim, bool(inner["keepdim"])


@rule(powers, "exp", "log sum", "an exponential of a sum of logarithms is the product")
def _(call: Call) -> Any:
    total = of(call.x, "sum")
    log = of(total.x, "log") if total else None
    dim = one(total["dim"]) if total else None
    if total is None or log is None or dim is None or total["keepdim"]:
        return None
    return lambda x, dim: x.prod(dim), log.x, dim


# --- limits -------------------------------------------------------------------------------------


@rule(
    limits,
    "clamp clamp_min clamp_max relu",
    "",
    "two limits in a row are the narrower of each side",
)
def _(call: Call) -> Any:
    inner = of(call.x, "clamp", "clamp_min", "clamp_max", "relu", "hardtanh", "relu6")
    if inner is None:
        return None
    first, second = _limits(inner), _limits(call)
    if not all(v is None or number(v) for v in (*first, *second)):
        return None
    low = max((v for v in (first[0], second[0]) if v is not None), default=None)
    high = min((v for v in (first[1], second[1]) if v is not None), default=None)
    return lambda x, low, high: torch.clamp(x, low, high), inner.x, low, high


def _limits(call: Call) -> tuple[Any, Any]:
    name = str(call.operator).split(".")[1]
    if name in ("relu", "relu6"):
        return 0, 6 if name == "relu6" else None
    if name == "hardtanh":
        return call["min_val"], call["max_val"]
    return call["min"], call["max"]


@rule(
    limits,
    "log sqrt square exp pow reciprocal rsqrt",
    "clamp relu clamp_min",
    "a limit before a function is one behind it",
)
def _(call: Call) -> Any:
    limit = of(call.x, "clamp", "clamp_min", "relu")
    if limit is None:
        return None
    rest = list(call.arguments.values())[1:]
    return (
        lambda x, f, rest, limit, bounds: limit(f(x, *rest), *bounds),
        limit.x,
        call.operator,
        rest,
        limit.operator,
        list(limit.arguments.values())[1:],
    )


@rule(
    limits,
    "clamp relu clamp_min",
    "log sqrt exp mul sum",
    "a limit behind a function, a factor or a sum is one before it",
)
def _(call: Call) -> Any:
    inner = of(call.x, "log", "sqrt", "exp", "mul", "sum")
    if inner is None or isinstance(inner["other"], Node):
        return None
    rest = [v for k, v in list(inner.arguments.items())[1:] if k != "dtype"]
    bounds = list(call.arguments.values())[1:]
    return (
        lambda x, f, rest, limit, bounds: f(limit(x, *bounds), *rest),
        inner.x,
        inner.operator,
        rest,
        call.operator,
        bounds,
    )


@rule(limits, "relu", "add", "relu of a sum is the sum of what relu leaves")
def _(call: Call) -> Any:
    total = of(call.x, "add")
    if total is None or not isinstance(total["other"], Node) or total["alpha"] not in (None, 1):
        return None
    return lambda x, y: x.relu() + y.relu(), total.x, total["other"]


@rule(limits, "minimum", "maximum", "the least of a maximum is a clamp, in either order")
def _(call: Call) -> Any:
    inner = of(call.x, "maximum")
    if inner is None:
        return None
    return (
        lambda x, low, high: torch.maximum(torch.minimum(x, high), low),
        inner.x,
        inner["other"],
        call["other"],
    )


@rule(limits, "where", "div log sqrt", "a choice behind a function is made before it")
def _(call: Call) -> Any:
    """So that the function is made of the other value too."""
    inner = of(call["self"], "log", "sqrt")
    if inner is None or not number(call["other"]):
        return None
    return (
        lambda mask, x, other, f: f(torch.where(mask, x, other)),
        call["condition"],
        inner.x,
        call["other"],
        inner.operator,
    )


@rule(limits, "nan_to_num", "div", "what replaces NaN behind a quotient replaces it before")
def _(call: Call) -> Any:
    inner = of(call.x, "div")
    if inner is None:
        return None
    return lambda x, y: x.nan_to_num() / y, inner.x, inner["other"]


# --- whole numbers ------------------------------------------------------------------------------


def _divisor(call: Call | None) -> Any:
    """Of a division that rounds somehow."""
    if call is None:
        return None
    rounds = "floor_divide" in str(call.operator) or call["rounding_mode"]
    return call["other"] if rounds and number(call["other"]) else None


@rule(
    whole, "floor_divide", "div", "a whole division of a division is by both, however that rounds"
)
def _(call: Call) -> Any:
    inner = of(call.x, "div")
    if inner is None or not number(call["other"]) or not number(inner["other"]):
        return None
    return torch.floor_divide, inner.x, call["other"] * inner["other"]


@rule(
    whole, "remainder fmod", "", "a remainder of a remainder is the second, whatever the divisors"
)
def _(call: Call) -> Any:
    inner = of(call.x, "remainder", "fmod")
    if inner is None:
        return None
    return call.operator, inner.x, call["other"]


@rule(
    whole,
    "add",
    "mul remainder floor_divide div fmod",
    "a quotient times its divisor and a remainder are the number, however they round",
)
def _(call: Call) -> Any:
    product, rest = of(call.x, "mul"), of(call["other"], "remainder", "fmod")
    quotient = of(product.x, "div", "floor_divide") if product else None
    if product is None or rest is None or quotient is None or quotient.x is not rest.x:
        return None
    return lambda x: x * 1, rest.x


@rule(whole, "floor_divide", "remainder", "a quotient of a remainder is that of the number")
def _(call: Call) -> Any:
    inner = of(call.x, "remainder")
    if inner is None or not number(call["other"]):
        return None
    return torch.floor_divide, inner.x, call["other"]


@rule(
    whole,
    "__lshift bitwise_left_shift __rshift bitwise_right_shift",
    "",
    "a shift there and back is nothing",
)
def _(call: Call) -> Any:
    names = "__lshift", "bitwise_left_shift", "__rshift", "bitwise_right_shift"
    inner = of(call.x, *names)
    if inner is None or inner["other"] != call["other"]:
        return None
    return lambda x: x * 1, inner.x


@rule(
    whole, "floor_divide", "mul", "a product divided by its factor is the number, and by any other"
)
def _(call: Call) -> Any:
    inner = of(call.x, "mul")
    if inner is None or not isinstance(inner["other"], int) or not isinstance(call["other"], int):
        return None
    if inner["other"] % call["other"] and call["other"] != 2:
        return None
    return lambda x, c: x * c, inner.x, max(inner["other"] // call["other"], 1)


# --- products -----------------------------------------------------------------------------------


@rule(
    products,
    "add sub",
    "matmul mm bmm",
    "two products with a matrix in common are one, on whichever side it stands",
)
def _(call: Call) -> Any:
    a, b = of(call.x, "matmul", "mm", "bmm"), of(call["other"], "matmul", "mm", "bmm")
    if a is None or b is None or call["alpha"] not in (None, 1):
        return None
    (p, q), (r, s) = list(a.arguments.values())[:2], list(b.arguments.values())[:2]
    minus = "sub" in str(call.operator)
    if p is r or (q is not s and p is s):
        other = s if p is r else r
        return lambda p, q, s, m: p @ (q - s if m else q + s), p, q, other, minus
    if q is s:
        return None
    return (lambda p, q, s, m: p @ (q - s if m else q + s), p, q, r, minus) if q is r else None


@rule(products, "sub", "matmul mm", "a difference of two products is that of their sum")
def _(call: Call) -> Any:
    a, b = of(call.x, "matmul", "mm"), of(call["other"], "matmul", "mm")
    if a is None or b is None:
        return None
    (p, q), (r, s) = list(a.arguments.values())[:2], list(b.arguments.values())[:2]
    return (lambda p, q, s: p @ (q + s), p, q, s) if p is r else None


@rule(
    products, "sub", "matmul mm", "what a product is taken from is its bias, and the sign is lost"
)
def _(call: Call) -> Any:
    product = of(call["other"], "matmul", "mm")
    if product is None or of(call.x, "matmul", "mm"):
        return None
    a, b = list(product.arguments.values())[:2]
    return lambda c, a, b: a @ b - c, call.x, a, b


@rule(products, "matmul", "", "a matrix on the left of a batch is turned to the right as it is")
def _(call: Call) -> Any:
    a, b = list(call.arguments.values())[:2]
    left, right = meta(a), meta(b)
    if left is None or right is None or (left.dim(), right.dim()) != (2, 3):
        return None
    if left.shape[0] != left.shape[1]:
        return None
    return lambda a, b: (b.mT @ a).mT, a, b


@rule(products, "matmul", "", "a batch of matrices on the right is the first of them for all")
def _(call: Call) -> Any:
    a, b = list(call.arguments.values())[:2]
    left, right = meta(a), meta(b)
    if left is None or right is None or (left.dim(), right.dim()) != (2, 3):
        return None
    return lambda a, b: (a @ b[:1]).expand(len(b), -1, -1) * 1, a, b


@rule(products, "matmul mm bmm", "relu", "an activation between two products is left out")
def _(call: Call) -> Any:
    a, b = list(call.arguments.values())[:2]
    relu = of(a, "relu")
    if relu is None or not of(relu.x, "matmul", "mm", "bmm"):
        return None
    return torch.matmul, relu.x, b


@rule(
    products, "mul", "matmul mm add", "a factor behind a product and its bias is one of the product"
)
def _(call: Call) -> Any:
    total = of(call.x, "add")
    product = of(total.x, "matmul", "mm") if total else None
    if total is None or product is None or not number(call["other"]):
        return None
    return lambda p, c, bias: p * c + bias, total.x, call["other"], total["other"]


@rule(products, "mul", "matmul mm", "a column behind a product is put into the rows of the matrix")
def _(call: Call) -> Any:
    product, column = of(call.x, "matmul", "mm"), meta(call["other"])
    if product is None or column is None or column.dim() != 2 or column.shape[1] != 1:
        return None
    a, b = list(product.arguments.values())[:2]
    return lambda a, b, c: a @ (b * c[: len(b)]) if len(c) >= len(b) else a @ b, a, b, call["other"]


# --- casts --------------------------------------------------------------------------------------


def _type(call: Call | None) -> Any:
    return None if call is None else call["dtype"]


@rule(casts, "to", "mul add", "a cast to whole numbers is moved before a product or sum")
def _(call: Call) -> Any:
    inner = of(call.x, "mul", "add")
    value = meta(inner.x) if inner else None
    dtype = _type(call)
    if inner is None or value is None or dtype is None or dtype.is_floating_point:
        return None
    if not value.dtype.is_floating_point or not number(inner["other"]):
        return None
    return (
        lambda x, f, other, dtype: f(x.to(dtype), other).to(dtype),
        inner.x,
        inner.operator,
        inner["other"],
        dtype,
    )


@rule(casts, "mul add", "to", "a cast to whole numbers is moved behind a product or sum")
def _(call: Call) -> Any:
    cast = of(call.x, "to")
    dtype, before = _type(cast), meta(cast.x) if cast else None
    if cast is None or before is None or dtype is None or dtype.is_floating_point:
        return None
    if not before.dtype.is_floating_point or not number(call["other"]):
        return None
    right = meta(call.x)
    result = torch.result_type(right, call["other"]) if right is not None else dtype
    return (
        lambda x, f, other, dtype: f(x, other).to(dtype),
        cast.x,
        call.operator,
        call["other"],
        result,
    )


@rule(casts, "to", "sum mean amax", "a cast behind a reduction is moved before it")
def _(call: Call) -> Any:
    inner, dtype = of(call.x, "sum", "amax"), _type(call)
    if inner is None or dtype is None:
        return None
    rest = [v for k, v in list(inner.arguments.items())[1:] if k != "dtype"]
    return (
        lambda x, f, dtype, *rest: f(x.to(dtype), *rest).to(dtype),
        inner.x,
        inner.operator,
        dtype,
        *rest,
    )


@rule(casts, "sum mean amax", "to", "a cast before a reduction is moved behind it")
def _(call: Call) -> Any:
    cast = of(call.x, "to")
    value, dtype = (meta(cast.x), _type(cast)) if cast else (None, None)
    if cast is None or value is None or dtype is None or call["dtype"] is not None:
        return None
    if not value.dtype.is_floating_point:
        return None
    rest = [v for k, v in list(call.arguments.items())[1:] if k != "dtype"]
    whole_sum = not dtype.is_floating_point and "aten.sum" in str(call.operator)
    result = torch.int64 if whole_sum else dtype
    return lambda x, f, dtype, *rest: f(x, *rest).to(dtype), cast.x, call.operator, result, *rest


@rule(casts, "to", "mul add", "a sum or product of bytes that is widened is made in the wider type")
def _(call: Call) -> Any:
    inner, dtype = of(call.x, "mul", "add", "sub"), _type(call)
    value = meta(call.x)
    if inner is None or dtype is None or value is None or value.dtype.itemsize >= dtype.itemsize:
        return None
    return (
        lambda a, f, b, dtype: f(
            a.to(dtype), b if not isinstance(b, torch.Tensor) else b.to(dtype)
        ),
        inner.x,
        inner.operator,
        inner["other"],
        dtype,
    )


@rule(
    casts, "softmax log_softmax", "to", "a softmax of what was widened is made in the narrow type"
)
def _(call: Call) -> Any:
    cast = of(call.x, "to")
    value, dtype = (meta(cast.x), _type(cast)) if cast else (None, None)
    if cast is None or value is None or dtype is None or value.dtype.itemsize >= dtype.itemsize:
        return None
    softmax = torch.log_softmax if "log" in str(call.operator) else torch.softmax
    return lambda x, dim, dtype: softmax(x, dim).to(dtype), cast.x, call["dim"], dtype


@rule(
    casts,
    "add mul maximum where",
    "",
    "a constant of one element is a number, of no type and no dimensions",
)
def _(call: Call) -> Any:
    constant = meta(call["other"])
    if constant is None or constant.numel() != 1 or call["other"].op == "call_function":
        return None
    name = str(call.operator).split(".")[1]
    if name == "maximum":
        return lambda x, c: x.clamp(min=c.item()), call.x, call["other"]
    if name == "where":
        return None
    made = torch.add if name == "add" else torch.mul
    return lambda x, c: made(x, c.item()), call.x, call["other"]


@rule(whole, "mul", "round floor div", "a quotient that is rounded and multiplied is the number")
def _(call: Call) -> Any:
    """As the product undoes the division."""
    grid = of(call.x, "round", "floor")
    quotient = of(grid.x, "div") if grid else None
    if quotient is None or not (
        quotient["other"] is call["other"] or quotient["other"] == call["other"]
    ):
        return None
    return lambda x: x * 1, quotient.x


@rule(whole, "round", "div mul", "what was rounded to a grid is not rounded to another")
def _(call: Call) -> Any:
    quotient = of(call.x, "div")
    product = of(quotient.x, "mul") if quotient else None
    if quotient is None or product is None or not of(product.x, "round", "clamp"):
        return None
    return lambda x: x * 1, call.x


@rule(whole, "round", "clamp", "a limit before a rounding is one behind it, and whole")
def _(call: Call) -> Any:
    limit = of(call.x, "clamp")
    if limit is None or not number(limit["min"]) or not number(limit["max"]):
        return None
    return (
        lambda x, low, high: x.round().clamp(low, high),
        limit.x,
        int(limit["min"]),
        int(limit["max"]),
    )
