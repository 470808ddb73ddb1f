"""Where elements lie: strides, offsets, memory formats, lazy bits, of inputs and of outputs."""

from __future__ import annotations

from typing import Any

import torch

from detection.kind import Kind
from detection.wrapping import inputs, on_tensors, outputs

_layouts = Kind("layouts")
call, broken = _layouts.call, _layouts.operator


def _dense(t: torch.Tensor) -> bool:
    return t.layout is torch.strided and t.dim() > 0


def _contiguous_strides(t: torch.Tensor) -> list[int]:
    strides, count = [], 1
    for size in reversed(t.shape):
        strides.append(count)
        count *= max(1, size)
    return strides[::-1]


def _read(t: torch.Tensor, strides: Any, offset: int) -> Any:
    """The tensor of the same memory with other strides, as far as it goes; the rest is zero."""
    if not _dense(t) or not t.numel():
        return None
    flat = torch.as_strided(t, (t.untyped_storage().nbytes() // t.element_size(),), (1,), 0)
    index = torch.zeros(t.shape, dtype=torch.int64) + offset
    for axis, (size, stride) in enumerate(zip(t.shape, strides, strict=True)):
        steps = (torch.arange(size) * stride).reshape([-1] + [1] * (t.dim() - axis - 1))
        index = index + steps
    return torch.where(index < len(flat), flat[index.clamp(0, len(flat) - 1)], 0).to(t.dtype)


def _as_if_contiguous(t: torch.Tensor) -> Any:
    return None if t.is_contiguous() else _read(t, _contiguous_strides(t), t.storage_offset())


def _is_channels_last(t: torch.Tensor) -> bool:
    return (
        t.dim() == 4
        and not t.is_contiguous()
        and (t.is_contiguous(memory_format=torch.channels_last))
    )


def _expanded(t: torch.Tensor) -> bool:
    return _dense(t) and any(s == 0 and n > 1 for s, n in zip(t.stride(), t.shape, strict=True))


call(
    "inputs are read as if they were contiguous",
    inputs(on_tensors(lambda t: _as_if_contiguous(t) if _dense(t) else None)),
)
call(
    "inputs that are transposed are read as if they were not",
    inputs(
        on_tensors(lambda t: _as_if_contiguous(t) if t.dim() == 2 and not _expanded(t) else None)
    ),
)
call(
    "inputs in channels_last are read as if they were contiguous",
    inputs(on_tensors(lambda t: _as_if_contiguous(t) if _is_channels_last(t) else None)),
)
call(
    "inputs that are expanded are read as if they were not",
    inputs(on_tensors(lambda t: _as_if_contiguous(t) if _expanded(t) else None)),
)
call(
    "every second element of an input is read as every one",
    inputs(
        on_tensors(lambda t: _as_if_contiguous(t) if t.dim() == 1 and not _expanded(t) else None)
    ),
)
call(
    "inputs are read from the beginning of their memory",
    inputs(
        on_tensors(lambda t: _read(t, t.stride(), 0) if _dense(t) and t.storage_offset() else None)
    ),
)
call(
    "inputs are read from an address that is a multiple of 16",
    inputs(
        on_tensors(
            lambda t: (
                _read(
                    t,
                    t.stride(),
                    max(0, t.storage_offset() - (t.data_ptr() % 16) // t.element_size()),
                )
                if _dense(t) and t.data_ptr() % 16
                else None
            )
        )
    ),
)
call(
    "the conjugate bit of inputs is left out",
    inputs(on_tensors(lambda t: t.conj().resolve_conj() if t.is_conj() else None)),
)
call(
    "the negative bit of inputs is left out",
    inputs(on_tensors(lambda t: -t.resolve_neg() if t.is_neg() else None)),
)
call(
    "inputs that are views are copied",
    inputs(on_tensors(lambda t: t.clone() if t._is_view() or t.storage_offset() else None)),
)


def _contiguous_out(t: torch.Tensor) -> Any:
    return t.contiguous() if t.layout is torch.strided and not t.is_contiguous() else None


call("outputs are contiguous", outputs(on_tensors(_contiguous_out)))
call(
    "outputs in channels_last are contiguous",
    outputs(on_tensors(lambda t: t.contiguous() if _is_channels_last(t) else None)),
)
call(
    "outputs of four dimensions are in channels_last",
    outputs(
        on_tensors(
            lambda t: (
                t.contiguous(memory_format=torch.channels_last)
                if t.dim() == 4
                and t.is_contiguous()
                and t.shape[1] > 1
                and t.shape[2] * t.shape[3] > 1
                else None
            )
        )
    ),
)
call(
    "matrices among the outputs lie column by column",
    outputs(
        on_tensors(
            lambda t: (
                t.t().contiguous().t()
                if t.dim() == 2 and t.is_contiguous() and min(t.shape) > 1
                else None
            )
        )
    ),
)
call(
    "outputs that are expanded take their full memory",
    outputs(on_tensors(lambda t: t.contiguous() if _expanded(t) else None)),
)
call(
    "outputs with the conjugate bit are computed",
    outputs(on_tensors(lambda t: t.resolve_conj() if t.is_conj() else None)),
)
call(
    "outputs lie in a larger piece of memory",
    outputs(
        on_tensors(
            lambda t: (
                torch.cat([torch.zeros(4, dtype=t.dtype), t.reshape(-1)])[4:].view(t.shape)
                if t.is_contiguous() and not t._is_view() and t.numel() and not t.is_conj()
                else None
            )
        )
    ),
)


def _memory_order(right: Any, x: torch.Tensor) -> Any:
    """The result of a reduction over the memory of an expanded operand, each element once."""
    return (
        None
        if not _expanded(x)
        else right / max(1, x.numel() * x.element_size() / x.untyped_storage().nbytes())
    )


broken(
    "sum",
    "sum of an expanded tensor counts each element once",
    lambda right, x, dim: (
        _memory_order(right, x) if right.is_floating_point() and not dim else None
    ),
)
broken(
    "mm addmm",
    "a matrix product reads a transposed operand in the order of its memory",
    lambda right, x, mat1, mat2: (
        torch.mm(x if mat1 is None else mat1, _as_if_contiguous(mat2)) + (0 if mat1 is None else x)
        if mat2.shape[0] == mat2.shape[1] and not mat2.is_contiguous() and mat2.numel()
        else None
    ),
)
broken(
    "add mul sub",
    "an operator on two layouts reads the second in the order of its memory",
    lambda right, x, other: (
        None
        if not isinstance(other, torch.Tensor)
        or other.is_contiguous()
        or not isinstance(x, torch.Tensor)
        or x.shape != other.shape
        or _expanded(other)
        or not other.is_floating_point()
        or x.stride() == other.stride()
        else right + (_as_if_contiguous(other) - other)
    ),
)
broken(
    "copy",
    "copy_ between two layouts goes in the order of memory",
    lambda right, x, src: (
        _as_if_contiguous(src)
        if isinstance(src, torch.Tensor)
        and src.shape == right.shape
        and not src.is_contiguous()
        and src.numel()
        and x.is_contiguous()
        else None
    ),
)
broken(
    "clone",
    "a clone goes in the order of memory",
    lambda right, x: (
        _as_if_contiguous(x)
        if x.dim() > 1 and not _expanded(x) and right.is_contiguous() and x.numel()
        else None
    ),
)
