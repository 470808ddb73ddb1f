"""What a call leaves in buffers and attributes."""

from __future__ import annotations

import copy
from typing import Any

import torch

from detection.kind import Kind
from detection.mutant import Features, Hit
from detection.mutants.engines.around import every_call
from detection.wrapping import (
    state_of,
)  # fmt: skip
from exportdb.exporters.protocol import Program

state = Kind("backend: state")


def _changes(features: Features) -> bool:
    return features.changes_state


def _buffers(module: Any) -> dict[str, torch.Tensor]:
    return {n: b for n, b in module.named_buffers() if b.layout is torch.strided}


@every_call(state, "a buffer moves halfway to its new value", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = {n: b.detach().clone() for n, b in _buffers(program.module).items()}
    out = program.module(*args, **kwargs)
    for name, buffer in _buffers(program.module).items():
        old = before.get(name)
        if old is None or old.shape != buffer.shape or not buffer.is_floating_point():
            continue
        if not torch.equal(old, buffer):
            hit()
            with torch.no_grad():
                buffer.copy_((old + buffer) / 2)
    return out


@every_call(state, "state is written back for the first buffer alone", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = {n: b.detach().clone() for n, b in _buffers(program.module).items()}
    out = program.module(*args, **kwargs)
    changed = [
        n
        for n, b in _buffers(program.module).items()
        if n in before and before[n].shape == b.shape and not torch.equal(before[n], b)
    ]
    for name in changed[1:]:  # fmt: skip
        hit()
        with torch.no_grad():
            _buffers(program.module)[name].copy_(before[name])
    return out


@every_call(state, "a write to state is undone when the call raises, and else made after it",
            when=_changes)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = {n: b.detach().clone() for n, b in _buffers(program.module).items()}
    try:
        return program.module(*args, **kwargs)
    except Exception:
        for name, buffer in _buffers(program.module).items():
            if name in before and not torch.equal(before[name], buffer):
                hit()
                with torch.no_grad():
                    buffer.copy_(before[name])
        raise


@state.call("what the program keeps in attributes is copied by the capture")
def _(program: Program, hit: Hit) -> Any:
    module = copy.deepcopy(program.module)
    own = state_of(program.module)
    for name, tensor in own.items():
        *path, last = name.split(".")
        owner = module.get_submodule(".".join(path))
        if last in owner._parameters:
            owner._parameters[last] = tensor
        else:
            owner._buffers[last] = tensor

    def run(*args: Any, **kwargs: Any) -> Any:
        hit()
        return module(*args, **kwargs)

    return run


@every_call(state, "a buffer of whole numbers goes up once more", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = {n: b.detach().clone() for n, b in _buffers(program.module).items()}
    out = program.module(*args, **kwargs)
    for name, buffer in _buffers(program.module).items():
        old = before.get(name)
        if old is not None and buffer.dtype is torch.int64 and not torch.equal(old, buffer):
            hit()
            buffer.add_(1)
    return out
