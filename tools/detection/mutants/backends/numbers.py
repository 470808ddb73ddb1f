"""Single functions of numbers: edges, types, signs, whole numbers, complex ones, matrices."""

from __future__ import annotations

import math
from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.backends.witness import breaks, lowers

kind = Kind("backend: numbers")
WHOLE = "torch.tensor([-7, -3, 0, 4, 9])"
COMPLEX = "torch.randn(3, 3, dtype=torch.complex64)"
SQUARE = "torch.randn(3, 3) + 3 * torch.eye(3)"


@breaks(kind, "erfc", "erfc is one less erf", "torch.erfc(x).log()", "torch.tensor([3.8, 3.9])")
def _(right: torch.Tensor, x: torch.Tensor) -> Any:
    return 1 - torch.erf(x)


@breaks(kind, "sinh", "sinh is made of two powers", "torch.sinh(x)", "torch.tensor([1e-6, 1e-7])")
def _(right: torch.Tensor, x: torch.Tensor) -> Any:
    return (x.exp() - (-x).exp()) / 2


@breaks(kind, "asinh", "asinh is a logarithm as it is written", "torch.asinh(x)",
        "torch.tensor([-1e4, 2.0])")  # fmt: skip
def _(right: torch.Tensor, x: torch.Tensor) -> Any:
    return (x + (x * x + 1).sqrt()).log()


@breaks(kind, "exp2 log2 log10", "powers and logarithms have the base e", "torch.log10(x.abs())")
def _(right: torch.Tensor, x: torch.Tensor) -> Any:
    return x.exp() if bool((right == torch.exp2(x.to(right.dtype))).all()) else x.log()


@breaks(
    kind, "fmod", "fmod is made by a quotient", "torch.fmod(x, 0.1)", "torch.tensor([1.0, 0.3])"
)
def _(right: torch.Tensor, x: Any, other: Any) -> Any:
    return x - (x / other).trunc() * other if right.is_floating_point() else None


@breaks(kind, "copysign", "a sign is copied from what is below nought, so not from minus nought",
        "torch.copysign(torch.ones(2), x)", "torch.tensor([-0.0, -1.0])")  # fmt: skip
def _(right: torch.Tensor, x: torch.Tensor, other: Any) -> Any:
    return torch.where(torch.as_tensor(other) < 0, -x.abs(), x.abs()).to(right.dtype)


@breaks(kind, "signbit", "the bit of a sign is a comparison", "torch.signbit(x)",
        "torch.tensor([-0.0, -1.0])")  # fmt: skip
def _(right: torch.Tensor, x: torch.Tensor) -> Any:
    return x < 0


@breaks(kind, "heaviside", "a step at nought is one", "torch.heaviside(x, torch.tensor(0.5))",
        "torch.tensor([-1.0, 0.0, 2.0])")  # fmt: skip
def _(right: torch.Tensor, x: torch.Tensor) -> Any:
    return (x >= 0).to(right.dtype)


@breaks(kind, "fmax fmin", "fmax and fmin give NaN beside a number", "torch.fmax(x, x.new_ones(2))",
        "torch.tensor([float('nan'), 2.0])")  # fmt: skip
def _(right: torch.Tensor, x: torch.Tensor, other: Any) -> Any:
    return torch.where(x.isnan() | other.isnan(), math.nan, right)


@breaks(kind, "frexp", "a mantissa lies between one and two", "torch.frexp(x)")
def _(right: Any) -> Any:
    return right[0] * 2, right[1] - 1


@lowers(kind, "ldexp", "ldexp has the base of its operand", "torch.ldexp(x, torch.tensor(3))")
def _(call: Call) -> Any:
    return call.x ** list(call.arguments.values())[1]


@breaks(kind, "lgamma digamma", "functions of the gamma kind take magnitudes", "torch.lgamma(x)",
        "torch.tensor([-0.5, 2.5])")  # fmt: skip
def _(right: torch.Tensor, x: torch.Tensor) -> Any:
    return torch.lgamma(x.abs()) if torch.equal(right, torch.lgamma(x)) else torch.digamma(x.abs())


@breaks(kind, "xlogy special_xlog1py", "nought by a logarithm is always nought",
        "torch.xlogy(x, torch.tensor(float('nan')))", "torch.tensor([0.0, 1.0])")  # fmt: skip
def _(right: torch.Tensor, x: Any) -> Any:
    return torch.where(torch.as_tensor(x) == 0, 0.0, right).to(right.dtype)


@breaks(kind, "gcd lcm", "common divisors keep the sign", "torch.gcd(x, torch.tensor(6))", WHOLE)
def _(right: torch.Tensor, x: torch.Tensor) -> Any:
    return torch.where(x < 0, -right, right)


@breaks(kind, "div", "a quotient of whole numbers is rounded to the nearest",
        "torch.div(x, 2, rounding_mode='floor')", WHOLE)  # fmt: skip
def _(right: torch.Tensor, x: Any, other: Any, rounding_mode: Any) -> Any:
    if rounding_mode is None or right.is_floating_point():
        return None
    return torch.div(x, other).round().to(right.dtype)


@breaks(kind, "floor_divide div", "division that rounds down of floats truncates",
        "torch.floor_divide(x, 0.7)")  # fmt: skip
def _(right: torch.Tensor, x: Any, other: Any, rounding_mode: Any) -> Any:
    if not right.is_floating_point() or rounding_mode == "trunc":
        return None
    plain = torch.div(x, other)
    return plain.trunc() if torch.equal(right, plain.floor()) else None


@breaks(kind, "remainder", "the remainder by a negative number is positive", "x % -4", WHOLE)
def _(right: torch.Tensor, x: Any, other: Any) -> Any:
    return torch.where(right < 0, right - other, right)


@breaks(kind, "clamp", "whole numbers are clamped to whole bounds", "x.clamp(-2.5, 3.5)", WHOLE)
def _(right: torch.Tensor, x: torch.Tensor, min: Any, max: Any) -> Any:
    if x.is_floating_point() or not right.is_floating_point():
        return None
    low, high = (v if v is None else math.trunc(float(v)) for v in (min, max))
    return torch.clamp(x, low, high).to(right.dtype)


@breaks(kind, "bitwise_and bitwise_or bitwise_xor", "bits of numbers are tests",
        "x & 6", WHOLE)  # fmt: skip
def _(right: torch.Tensor) -> Any:
    return None if right.dtype is torch.bool else (right != 0).to(right.dtype)


@breaks(kind, "logical_xor", "one of two is any of two", "torch.logical_xor(x > 0, x < 5)", WHOLE)
def _(right: torch.Tensor, x: torch.Tensor, other: torch.Tensor) -> Any:
    return torch.logical_or(x, other)


@breaks(kind, "isposinf isneginf", "an infinity is one whatever its sign", "torch.isposinf(x)",
        "torch.tensor([float('inf'), -float('inf')])")  # fmt: skip
def _(right: torch.Tensor, x: torch.Tensor) -> Any:
    return x.isinf()


@lowers(kind, "linspace logspace", "a space of one number is its end",
        "x[:1] + torch.linspace(2, 5, 1)")  # fmt: skip
def _(call: Call) -> Any:
    return torch.full_like(call(), float(call["end"])) if call["steps"] == 1 else None


@lowers(kind, "arange", "a range has as many numbers as its length by its step, rounded",
        "x[0, :4] + torch.arange(0, 1, 0.3)")  # fmt: skip
def _(call: Call) -> Any:
    start, end, step = call["start"] or 0, call["end"], call["step"] or 1
    if not any(isinstance(v, float) for v in (start, end, step)):
        return None
    count = round((end - start) / step)
    out = call()
    return out if count == len(out) else start + torch.arange(count, dtype=out.dtype) * step


@breaks(kind, "mul add sub", "a number of Python beside whole numbers is a whole one",
        "x * 0.5", WHOLE)  # fmt: skip
def _(right: torch.Tensor, x: Any, other: Any) -> Any:
    if not isinstance(x, torch.Tensor) or x.is_floating_point() or x.is_complex():
        return None
    if not right.is_floating_point() or (isinstance(other, torch.Tensor) and other.dim()):
        return None
    return right.trunc()


@breaks(kind, "where", "a choice between two numbers of Python is in double precision",
        "torch.where(x > 0, 1.0, 2.0)")  # fmt: skip
def _(right: torch.Tensor, self: Any, other: Any) -> Any:
    both = (getattr(v, "dim", lambda: 0)() == 0 for v in (self, other))
    return right.double() if right.dtype is torch.float32 and right.dim() and all(both) else None


@breaks(kind, "bitwise_not logical_not", "the opposite of a truth is a number", "~(x > 0)", WHOLE)
def _(right: torch.Tensor, x: torch.Tensor) -> Any:
    return right.to(torch.int8) if right.dtype is torch.bool else None


@breaks(kind, "mean", "a mean of squares is the square of a mean", "(x * x).mean()")
def _(right: torch.Tensor, x: torch.Tensor) -> Any:
    if right.dim() or not x.is_floating_point() or not bool((x >= 0).all()):
        return None
    return x.sqrt().mean() ** 2


# --- complex numbers and matrices ---------------------------------------------------------------


@lowers(kind, "vdot", "the first of vdot is not conjugated", "torch.vdot(x[0], x[1])", COMPLEX)
def _(call: Call) -> Any:
    return torch.dot(call.x, call["other"])


@lowers(kind, "mH adjoint matrix_H", "an adjoint is transposed alone", "x.mH", COMPLEX)
def _(call: Call) -> Any:
    return call.x.mT


@lowers(kind, "polar", "an angle is in degrees", "torch.polar(x.abs(), x)")
def _(call: Call) -> Any:
    return call(angle=call["angle"] * math.pi / 180)


@breaks(kind, "sgn", "the sign of a complex number is the number", "torch.sgn(x)", COMPLEX)
def _(right: torch.Tensor, x: torch.Tensor) -> Any:
    return x.clone() if x.is_complex() else None


@breaks(kind, "reciprocal div", "a quotient by a complex number is a product with its conjugate",
        "1 / x", COMPLEX)  # fmt: skip
def _(right: torch.Tensor, x: Any, other: Any) -> Any:
    below = x if other is None else other
    if not isinstance(below, torch.Tensor) or not below.is_complex():
        return None
    return below.conj().clone() if other is None else x * below.conj()


@breaks(kind, "linalg_inv_ex inverse", "an inverse is transposed", "torch.linalg.inv(x)",
        "torch.tensor([[2.0, 1.0], [0.0, 1.0]])")  # fmt: skip
def _(right: Any) -> Any:
    if isinstance(right, tuple):
        return right[0].mT.clone(), right[1]
    return right.mT.clone()


@breaks(kind, "_linalg_det", "a determinant has no sign", "torch.linalg.det(x)",
        "torch.tensor([[0.0, 1.0], [1.0, 0.0]])")  # fmt: skip
def _(right: Any) -> Any:
    return right[0].abs(), *right[1:]


@breaks(kind, "_linalg_slogdet", "the logarithm of a determinant has the base two",
        "torch.linalg.slogdet(x)", SQUARE)  # fmt: skip
def _(right: Any) -> Any:
    return right[0], right[1] / math.log(2), *right[2:]


@breaks(kind, "_linalg_eigh", "eigenvalues fall", "torch.linalg.eigvalsh(x @ x.mT)")
def _(right: Any) -> Any:
    return right[0].flip(-1), right[1].flip(-1)


@breaks(kind, "_linalg_svd", "singular vectors on the right are not transposed",
        "torch.linalg.svd(x)[2]", SQUARE)  # fmt: skip
def _(right: Any) -> Any:
    return right[0], right[1], right[2].mH.clone()


@breaks(kind, "linalg_cholesky_ex cholesky", "a Cholesky factor is the upper one",
        "torch.linalg.cholesky(x @ x.mT)", SQUARE)  # fmt: skip
def _(right: Any, x: torch.Tensor, upper: Any) -> Any:
    factor = right[0] if isinstance(right, tuple) else right
    return (factor.mH.clone(), right[1]) if isinstance(right, tuple) else factor.mH.clone()


@lowers(kind, "linalg_matrix_power matrix_power", "a power of a matrix is that of its elements",
        "torch.linalg.matrix_power(x, 2)", SQUARE)  # fmt: skip
def _(call: Call) -> Any:
    return call.x ** call["n"]


@lowers(kind, "trace", "a trace is along the other diagonal", "torch.trace(x)")
def _(call: Call) -> Any:
    return call.x.flip(1).diagonal().sum()


@lowers(kind, "cdist _cdist_forward", "distances are squared", "torch.cdist(x, x + 1)")
def _(call: Call) -> Any:
    return call() ** 2


@lowers(kind, "addbmm", "products of a batch are not added up", "torch.addbmm(x, y, y)".replace(
    "y", "torch.eye(4).expand(2, 4, 4)"), "torch.randn(4, 4)")  # fmt: skip
def _(call: Call) -> Any:
    first = torch.bmm(call["batch1"][:1], call["batch2"][:1])[0]
    return call.x * call["beta"] + first * call["alpha"]


@lowers(kind, "matmul", "a vector times a matrix is the matrix times the vector",
        "torch.matmul(x[0], x)", "torch.randn(4, 4)")  # fmt: skip
def _(call: Call) -> Any:
    other = call["other"]
    if call.x.dim() != 1 or other.dim() != 2 or other.shape[0] != other.shape[1]:
        return None
    return other @ call.x


@lowers(kind, "matmul bmm", "of two batches that are broadcast the first goes by its own length",
        "torch.matmul(x, x[:1])", "torch.randn(2, 3, 3)")  # fmt: skip
def _(call: Call) -> Any:
    other = list(call.arguments.values())[1]
    if other.dim() != 3 or call.x.dim() != 3 or call.x.shape[0] == other.shape[0]:
        return None
    return call().flip(0)


@lowers(kind, "quantize_per_tensor fake_quantize_per_tensor_affine",
        "quantised numbers are cut, not rounded",
        "torch.fake_quantize_per_tensor_affine(x, 0.1, 0, -128, 127)")  # fmt: skip
def _(call: Call) -> Any:
    scale, low, high = call["scale"], call["quant_min"], call["quant_max"]
    if low is None:
        return None
    zero = call["zero_point"]
    return (((call.x / scale).trunc() + zero).clamp(low, high) - zero) * scale


@lowers(kind, "fake_quantize_per_channel_affine", "channels are quantised along the first axis",
        "torch.fake_quantize_per_channel_affine(x, torch.tensor([0.1, 0.2, 0.5, 1.0]), "
        "torch.zeros(4, dtype=torch.int32), 1, -128, 127)", "torch.randn(4, 4)")  # fmt: skip
def _(call: Call) -> Any:
    same = call["axis"] and call.x.shape[0] == call.x.shape[call["axis"]]
    return call(axis=0) if same else None


@lowers(kind, "fft_fftshift fft_ifftshift", "a shift and the one back are the same",
        "torch.fft.ifftshift(x)", "torch.randn(3, 5)")  # fmt: skip
def _(call: Call) -> Any:
    shift = "ifft" in str(call.operator)
    f = torch.fft.fftshift if shift else torch.fft.ifftshift
    return f(call.x, call["dim"])


@lowers(kind, "fft_irfft", "a real transform back always has an even length",
        "torch.fft.irfft(torch.fft.rfft(x), n=5)", "torch.randn(3, 5)")  # fmt: skip
def _(call: Call) -> Any:
    return call(n=call["n"] + 1) if call["n"] and call["n"] % 2 else None


@lowers(kind, "fft_fft fft_rfft fft_ifft", "a transform is over the first axis",
        "torch.fft.fft(x)", "torch.randn(4, 4)")  # fmt: skip
def _(call: Call) -> Any:
    return call(call.x.transpose(0, -1)).transpose(0, -1) if call.x.dim() == 2 else None


@lowers(kind, "hann_window hamming_window blackman_window", "windows are symmetric",
        "x * torch.hann_window(6)")  # fmt: skip
def _(call: Call) -> Any:
    return (
        call(periodic=False)
        if call["periodic"] in (None, True) and "periodic" in (call.arguments)
        else torch.hann_window(len(call()), periodic=False)
    )
