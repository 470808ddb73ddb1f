"""Products, decompositions, transforms and complex numbers that leave out an argument or a case."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch.nn import functional

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.guests.values import floating

linear = Kind("guest: linear algebra")


@linear.operator("addmm addmv baddbmm addbmm", "beta of zero still multiplies what is added")
def _(right: Any, x: Any, beta: Any) -> Any:
    if beta != 0 or not floating(x):
        return None
    return torch.where(torch.isfinite(x).expand_as(right), right, torch.full_like(right, math.nan))


@linear.operator("addmm addmv baddbmm addbmm addr", "alpha weighs the bias too")
def _(right: Any, x: Any, alpha: Any, beta: Any) -> Any:
    if alpha in (None, 1) or not floating(right):
        return None
    return right + (alpha - 1) * (1 if beta is None else beta) * x


linear.lowering(
    "vdot", "vdot conjugates the second argument", lambda call: torch.vdot(call["other"], call.x)
)


@linear.lowering(
    "linalg_solve_triangular", "a triangular solve takes its diagonal where that is one"
)
def _(call: Call) -> Any:
    if not call["unitriangular"]:
        return None
    return call(unitriangular=False)


linear.lowering(
    "cholesky linalg_cholesky",
    "an upper cholesky factor is that of the lower one",
    lambda call: call(upper=False) if call["upper"] else None,
)


@linear.lowering("linalg_solve linalg_solve_ex", "solve leaves out left")
def _(call: Call) -> Any:
    if call["left"] is not False or call.x.shape != call["B"].shape:
        return None
    return torch.linalg.solve(call.x, call["B"])


linear.lowering(
    "linalg_matrix_norm norm linalg_norm",
    "a matrix norm of one sums along rows",
    lambda call: call(ord=math.inf) if call["ord"] == 1 and call.x.dim() > 1 else None,
)
linear.lowering(
    "cdist _cdist_forward",
    "cdist of infinity is euclidean",
    lambda call: call(p=2.0) if call["p"] not in (2, None) else None,
)


@linear.lowering("cross linalg_cross", "cross is along the first dim of three")
def _(call: Call) -> Any:
    first = next(i for i, size in enumerate(call.x.shape) if size == 3)
    return call(dim=first)


linear.lowering(
    "fft_rfft fft_fft fft_ifft fft_irfft fft_hfft fft_ihfft",
    "a transform leaves out its norm",
    lambda call: call(norm=None) if call["norm"] not in (None, "backward") else None,
)


@linear.lowering("fft_irfft", "irfft has an even size always")
def _(call: Call) -> Any:
    if not (call["n"] and call["n"] % 2 and call["dim"] == -1 and call["n"] > 1):
        return None
    result = call(n=call["n"] - 1)
    return functional.pad(result, (0, call().shape[-1] - result.shape[-1]))


linear.lowering(
    "fft_fftshift",
    "fftshift of an odd size is its own inverse",
    lambda call: torch.fft.ifftshift(call.x, call["dim"]),
)
linear.lowering(
    "fft_fftfreq fft_rfftfreq",
    "fftfreq leaves out the spacing",
    lambda call: call(d=1.0) if call["d"] != 1 else None,
)
linear.lowering(
    "stft",
    "stft leaves out normalized",
    lambda call: call(normalized=False) if call["normalized"] else None,
)
linear.lowering(
    "linalg_slogdet slogdet",
    "slogdet of a negative determinant has a positive sign",
    lambda call: (call()[0].abs(), call()[1]),
)
linear.lowering(
    "matrix_power linalg_matrix_power",
    "a negative matrix power is of the matrix itself",
    lambda call: call(n=-call["n"]) if call["n"] < 0 else None,
)
linear.lowering(
    "linalg_pinv pinverse", "pinv leaves out rtol", lambda call: torch.linalg.pinv(call.x)
)
linear.lowering(
    "linalg_eigh linalg_eigvalsh",
    "eigh reads the other triangle",
    lambda call: call(UPLO="U" if call["UPLO"] == "L" else "L"),
)


@linear.lowering("tensordot", "tensordot contracts the last dims in reverse order")
def _(call: Call) -> Any:
    if (
        len(call["dims_other"]) <= 1
        or len({call["other"].shape[d] for d in call["dims_other"]}) != 1
    ):
        return None
    return call(dims_other=list(call["dims_other"])[::-1])


@linear.lowering(
    "einsum", "an einsum sums over a repeated index of one operand before it takes the diagonal"
)
def _(call: Call) -> Any:
    equation = call["equation"]
    if (
        "->" not in equation
        or "." in equation
        or len(equation.split("->")[1].strip()) != 2
        or len(set(call().shape)) != 1
    ):
        return None
    return call(equation=equation.split("->")[0] + "->" + equation.split("->")[1][::-1])


linear.operator(
    "angle",
    "angle of negative real numbers is zero",
    lambda right, x: torch.zeros_like(right) if floating(x) else None,
)


@linear.operator("abs", "abs of complex numbers squares without scaling")
def _(right: Any, x: Any) -> Any:
    if not x.is_complex():
        return None
    return torch.sqrt(torch.view_as_real(x.resolve_conj()).square().sum(-1))


linear.operator(
    "sgn", "sgn of complex zero is NaN", lambda right, x: x / x.abs() if x.is_complex() else None
)


@linear.operator("sqrt", "sqrt of complex numbers forgets the sign of a negative imaginary zero")
def _(right: Any, x: Any) -> Any:
    if not (x.is_complex() and ((x.imag == 0) & x.imag.signbit()).all()):
        return None
    return torch.conj(right).resolve_conj()
