"""Results and inputs whose strides, conjugation or layout is lost."""

from __future__ import annotations

from typing import Any

import torch

from detection import wrapping
from detection.graphs import Call
from detection.kind import Kind

layouts = Kind("guest: layouts")

layouts.call(
    "results in channels_last come out contiguous",
    wrapping.outputs(
        wrapping.on_tensors(
            lambda t: (
                t.contiguous()
                if t.dim() == 4
                and not t.is_contiguous()
                and t.is_contiguous(memory_format=torch.channels_last)
                else None
            )
        )
    ),
)
layouts.call(
    "results are compact whatever their strides",
    wrapping.outputs(
        wrapping.on_tensors(
            lambda t: (
                t.contiguous() if t.layout == torch.strided and not t.is_contiguous() else None
            )
        )
    ),
)
layouts.call(
    "expanded results are written out",
    wrapping.outputs(
        wrapping.on_tensors(
            lambda t: (
                t.clone(memory_format=torch.contiguous_format)
                if t.layout == torch.strided
                and any(st == 0 and s > 1 for st, s in zip(t.stride(), t.shape, strict=False))
                else None
            )
        )
    ),
)
layouts.call(
    "a conjugated result is resolved",
    wrapping.outputs(wrapping.on_tensors(lambda t: t.resolve_conj() if t.is_conj() else None)),
)
layouts.call(
    "a conjugated input is taken without its bit",
    wrapping.inputs(
        wrapping.on_tensors(
            lambda t: (
                torch.view_as_complex(torch.view_as_real(t.conj()).clone()) if t.is_conj() else None
            )
        )
    ),
)
layouts.call(
    "a sparse result comes out dense",
    wrapping.outputs(
        wrapping.on_tensors(lambda t: t.to_dense() if t.layout != torch.strided else None)
    ),
)


@layouts.lowering("clone contiguous _to_copy to", "a memory format that is asked for is left out")
def _(call: Call) -> Any:
    if call["memory_format"] in (None, torch.preserve_format):
        return None
    return call(memory_format=None)
