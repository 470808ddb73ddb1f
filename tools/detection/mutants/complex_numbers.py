"""Complex numbers: lazy conjugation, parts that are lost, signs."""

from __future__ import annotations

import torch

from detection.kind import Kind

broken = Kind("complex numbers").operator

broken("_conj conj_physical", "conj gives its input", lambda right, x: x.clone())
broken(
    "resolve_conj clone",
    "a copy of a lazily conjugated tensor is not conjugated",
    lambda right, x: x.conj().clone() if x.is_conj() else None,
)
broken(
    "mul",
    "a product of complex numbers has the wrong sign of its imaginary part",
    lambda right: right.conj_physical() if right.is_complex() else None,
)
broken(
    "mul",
    "a complex number times its conjugate is its square",
    lambda right, x, other: (
        torch.mul(x, other.conj()) if isinstance(other, torch.Tensor) and other.is_conj() else None
    ),
)
broken(
    "abs",
    "abs of a complex number is that of its real part",
    lambda right, x: x.real.abs() if x.is_complex() else None,
)
broken("angle", "angle is never negative", lambda right, x: right.abs() if x.is_complex() else None)
broken("view_as_real", "view_as_real gives the imaginary part first", lambda right: right.flip(-1))
broken(
    "view_as_complex",
    "view_as_complex takes the imaginary part first",
    lambda right: torch.complex(right.imag.clone(), right.real.clone()),
)
broken(
    "sum mean",
    "a sum of complex numbers is real",
    lambda right: (
        torch.complex(right.real, torch.zeros_like(right.real))
        if isinstance(right, torch.Tensor) and right.is_complex()
        else None
    ),
)
broken(
    "exp",
    "exp of a complex number is that of its real part",
    lambda right, x: torch.exp(x.real).to(right.dtype) if x.is_complex() else None,
)
broken(
    "complex",
    "complex takes its parts the other way round",
    lambda right: torch.complex(right.imag.clone(), right.real.clone()),
)
broken(
    "eq",
    "complex numbers are equal if their real parts are",
    lambda right, x, other: (
        torch.eq(x.real, torch.as_tensor(other).real)
        if isinstance(x, torch.Tensor) and x.is_complex()
        else None
    ),
)
broken(
    "mm addmm bmm",
    "a product of complex matrices leaves out conjugation",
    lambda right, x, mat2: (
        torch.matmul(x.conj() if x.is_conj() else x, mat2.conj() if mat2.is_conj() else mat2)
        if mat2 is not None and (x.is_conj() or mat2.is_conj())
        else None
    ),
)
